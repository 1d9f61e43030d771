"""How the page of ``dibimt ldd score`` looks, light and dark, from telephones to wide windows."""

from __future__ import annotations

from .plot import STYLES

# The colors of the figure, lighter where the page is dark; the same order as STYLES.
_DARK = ("#5AB0EA", "#FF8F45", "#2FCB9E", "#E7A3C9", "#F5BC3D", "#9AD7FA", "#B5B5B5")

_COLORS = "\n".join(f".s{place} {{ --color: var(--s{place}); }}" for place in range(len(STYLES)))


def _palette(colors: tuple[str, ...]) -> str:
    return " ".join(f"--s{place}: {color};" for place, color in enumerate(colors))


STYLE = f"""
:root {{
  color-scheme: light dark;
  --page: #ffffff; --ink: #1b1b1b; --quiet: #5a5a5a; --rule: #d9d9d9; --band: #f3f4f6;
  {_palette(tuple(color for color, _ in STYLES))}
}}
@media (prefers-color-scheme: dark) {{
  :root {{
    --page: #16181c; --ink: #e9e9e9; --quiet: #a8a8a8; --rule: #3a3d44; --band: #22252b;
    {_palette(_DARK)}
  }}
}}
{_COLORS}
* {{ box-sizing: border-box; }}
body {{
  margin: 0 auto; padding: 1.25rem 1rem 3rem; max-width: 68rem; background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}}
h1 {{ font-size: 1.45rem; line-height: 1.25; margin: 0 0 .75rem; overflow-wrap: anywhere; }}
h2 {{ font-size: 1.15rem; margin: 2.5rem 0 .5rem; padding-top: .75rem; border-top: 1px solid var(--rule); }}
h2 {{ overflow-wrap: anywhere; }}
h3 {{ font-size: 1rem; margin: 1.5rem 0 .4rem; }}
p {{ margin: 0 0 .5rem; color: var(--quiet); }}
small {{ font-size: .85em; color: var(--quiet); }}
li {{ margin-bottom: .25rem; }}
.legend {{ list-style: none; display: flex; flex-wrap: wrap; gap: .1rem 1.1rem; margin: 0 0 .25rem; padding: 0; }}
.legend li {{ margin: 0; overflow-wrap: anywhere; }}
.mark {{ width: 1em; height: 1em; margin-right: .4em; vertical-align: -.13em; }}
figure {{ margin: .75rem 0 1.25rem; max-width: 35rem; }}
figcaption {{ color: var(--quiet); font-size: .9em; }}
.panel {{ display: block; width: 100%; height: auto; }}
.panel text {{ font: 12px system-ui, sans-serif; fill: var(--ink); }}
.panel text.quiet {{ fill: var(--quiet); font-size: 11px; }}
path {{ fill: var(--color); stroke: var(--color); stroke-width: 1.4; }}
path.hollow {{ fill: var(--page); }}
path.line {{ fill: none; stroke-width: 1.7; }}
path.bar {{ fill: none; opacity: .45; }}
path.dashed {{ stroke-width: 1.1; stroke-dasharray: 6 5; opacity: .8; }}
path.grid {{ stroke: var(--rule); stroke-width: 1; }}
path.axis {{ stroke: var(--quiet); stroke-width: 1; }}
.scroll {{ overflow-x: auto; max-width: 100%; }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .93em; }}
th, td {{ padding: .22rem .7rem; text-align: right; white-space: nowrap; font-weight: normal; }}
.name {{ white-space: normal; overflow-wrap: anywhere; }}
table .name {{ display: inline-block; width: max-content; max-width: 16rem; vertical-align: top; }}
table thead .name {{ max-width: 9rem; }}
tr > th:first-child {{ text-align: left; position: sticky; left: 0; background: var(--page); }}
thead th {{ color: var(--quiet); border-bottom: 1px solid var(--rule); vertical-align: bottom; }}
tbody tr:hover > * {{ background: var(--band); }}
tr.bin > th {{ padding-top: .7rem; font-weight: 600; border-bottom: 1px solid var(--rule); }}
tr.bin span {{ display: inline-block; position: sticky; left: .7rem; }}
tr.bin span {{ max-width: calc(100vw - 3.5rem); white-space: normal; }}
tbody.small td, tbody.small th, span.small {{ color: var(--quiet); font-style: italic; }}
strong {{ font-weight: 700; }}
details {{ margin-top: .9rem; }}
summary {{ cursor: pointer; color: var(--quiet); }}
dl {{ display: grid; grid-template-columns: minmax(8rem, max-content) 1fr; gap: .3rem 1rem; margin: 0; }}
dt {{ color: var(--quiet); }}
dd {{ margin: 0; font-family: ui-monospace, Menlo, Consolas, monospace; font-size: .9em; overflow-wrap: anywhere; }}
@media (max-width: 34rem) {{
  dl {{ grid-template-columns: 1fr; }} dd {{ margin-bottom: .4rem; }}
  th, td {{ padding: .22rem .45rem; }}
  table .name {{ max-width: 6.8rem; }} tr.bin span {{ left: .45rem; }}
}}
"""
