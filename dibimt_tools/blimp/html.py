"""The report of ``dibimt blimp score`` as one page that needs nothing else: no network, no script, no other file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ..ldd.html import breakable, bullets, safe, scrolling_table, table_row
from ..ldd.style import STYLE
from ..ldd.svg import marker
from .plot import about, make_chart
from .svg import chart_svg
from .view import between, headline, notes, percent, settings_rows, tables

if TYPE_CHECKING:
    from minimal_pairs.scoring.published import Published
    from minimal_pairs.scoring.run import Run

    from .plot import Chart
    from .view import Table

_STYLE = """
.overall { font-size: 2.2rem; font-weight: 700; line-height: 1.1; margin: .25rem 0 0; color: var(--ink); }
.overall small { font-size: 1rem; font-weight: 400; }
.model { overflow-wrap: anywhere; }
path.interval { fill: none; stroke-width: 3.5; opacity: .4; }
path.chance { stroke-dasharray: 4 4; }
.panel text.name { paint-order: stroke; stroke: var(--page); stroke-width: 4px; }
table.words td { text-align: left; white-space: normal; min-width: 5rem; }
"""


def score_page(run: Run, beside: Sequence[Published], remarks: Iterable[str] = ()) -> str:
    """The whole page.

    Args:
        run: of `minimal_pairs.scoring.run.score_pairs`.
        beside: published scores that stand beside those by phenomenon.
        remarks: on the choice of the pairs.
    """
    title = safe(headline(run.report))
    first, *others = tables(run, beside)
    parts = (
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title>",
        f"<style>{STYLE}{_STYLE}</style>",
        "</head>",
        "<body>",
        f"<header><h1>{title}</h1>{_overall(run)}</header>",
        "<main>",
        *_table(first),
        *_figure(make_chart(run.report, beside)),
        *(part for table in others for part in _table(table)),
        f"<section><h2>Notes</h2>{bullets(notes(run, remarks))}</section>",
        *_settings(run),
        "</main>",
        "</body>",
        "</html>",
    )
    return "\n".join(parts) + "\n"


def _overall(run: Run) -> str:
    overall = run.report.overall
    about = f"% {overall.average}"
    if overall.low is not None:
        about += f", 95 % interval {between(overall.low, overall.high)}"
    number = f'<p class="overall">{safe(percent(overall.value))} <small>{safe(about)}</small></p>'
    return f'<p class="model">{safe(run.report.model)}</p>{number}'


def _figure(chart: Chart) -> Iterator[str]:
    if not chart.rows:
        return
    signs = "".join(
        f'<li><svg class="mark" viewBox="-7 -7 14 14" aria-hidden="true">{marker(style, bool(place))}</svg>'
        f"{safe(name)}</li>"
        for place, (name, style) in enumerate(chart.legend)
    )
    caption = f'<figcaption><ul class="legend">{signs}</ul>{safe(about(chart).capitalize())}.</figcaption>'
    yield f"<section><h2>{safe(chart.title)}</h2>"
    described = f"{chart.title}. The numbers stand in the tables below."
    yield f"<figure>{chart_svg(chart, described)}{caption}</figure></section>"


def _table(table: Table) -> Iterator[str]:
    rows = "".join(table_row(breakable(name), map(safe, cells)) for name, *cells in table.rows)
    body = scrolling_table([safe(title) for title in table.head], (f"<tbody>{rows}</tbody>",), table.title)
    if not table.numbers:
        body = body.replace("<table>", '<table class="words">')
    note = "".join(f"<p>{safe(text)}</p>" for text in table.notes)
    if table.long:
        summary = f"{len(table.rows)} rows"
        body = f"<details><summary>{summary}</summary>{body}</details>"
    yield f"<section><h2>{safe(table.title)}</h2>{note}{body}</section>"


def _settings(run: Run) -> Iterator[str]:
    items = "".join(f"<dt>{safe(name)}</dt><dd>{safe(text)}</dd>" for name, text in settings_rows(run.report))
    yield f"<section><h2>Settings and signature</h2><dl>{items}</dl></section>"
