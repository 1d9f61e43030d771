"""Builds HTML: elements, tables, whole pages and their style. All text is escaped unless it is `Html`.

Pages are self-contained: no network, no script, no other file. They suit light and dark mode and narrow screens.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from html import escape
from typing import NamedTuple

from dibimt_metric.judge_explain import printable


class Html(str):
    """Text that is already HTML and is not escaped again."""


class Band(NamedTuple):
    """A row of a table that is the title of the rows below it; ``quiet`` sets those rows in small print."""

    title: str
    quiet: bool = False


def text(value: object) -> Html:
    r"""A value as HTML; invisible characters become escapes.

    >>> text("<b>\u202e")
    '&lt;b&gt;\\u202e'
    """
    return value if isinstance(value, Html) else Html(escape(printable(str(value))))


def join(parts: Iterable[object], between: str = "") -> Html:
    """The concatenated parts; ``between`` is HTML."""
    return Html(between.join(map(text, parts)))


def element(tag: str, *content: object, **attributes: object) -> Html:
    """An element. Attributes that are ``None`` are omitted; in names ``_`` becomes ``-``, a final ``_`` is dropped.

    >>> element("p", "1 < 2", class_="note", aria_label=None)
    '<p class="note">1 &lt; 2</p>'
    """
    given = (
        f' {name.rstrip("_").replace("_", "-")}="{text(value)}"'
        for name, value in attributes.items()
        if value is not None
    )
    return Html(f"<{tag}{''.join(given)}>{join(content)}</{tag}>")


def breakable(name: object) -> Html:
    """A long name that may wrap after ``-``, ``_`` and ``.``."""
    return element("span", Html(re.sub(r"([-_.])", r"\1<wbr>", text(name))), class_="name")


def bullets(lines: Iterable[object], class_: str | None = None) -> Html:
    """An unordered list."""
    return element("ul", *(element("li", line) for line in lines), class_=class_)


def definitions(rows: Iterable[tuple[object, object]]) -> Html:
    """A description list of names and values."""
    return element("dl", *(join((element("dt", name), element("dd", value))) for name, value in rows))


def details(summary: object, *content: object) -> Html:
    """Content that the reader can unfold."""
    return element("details", element("summary", summary), *content)


def scrolling(content: Html, name: str) -> Html:
    """A region that scrolls on its own if it is too wide, also by keyboard."""
    return element("div", content, class_="scroll", role="region", aria_label=name, tabindex=0)


def table(
    header: Sequence[object],
    rows: Iterable[Sequence[object] | Band],
    caption: str,
    numbers: Container[int] = (),
    texts: Container[int] = (),
    *,
    report: bool = False,
) -> Html:
    """A table that scrolls on its own.

    Args:
        header: titles of the columns.
        rows: the cells; a `Band` begins a group of rows.
        caption: what the table shows; also the name of the scrolling region.
        numbers: columns of numbers, 0-based.
        texts: columns of longer texts, which get a minimum width.
        report: whether first cells are row headings; the caption is then not shown.
    """
    kinds = ["number" if each in numbers else "text" if each in texts else None for each in range(len(header))]
    cells = (element("th", cell, scope="col", class_=kind) for cell, kind in zip(header, kinds, strict=True))
    head = element("thead", element("tr", *cells))
    bodies: list[tuple[str | None, list[Html]]] = []
    for row in rows:
        if isinstance(row, Band):
            title = element("th", element("span", row.title), scope="rowgroup", colspan=len(header))
            bodies.append(("small" if row.quiet else None, [element("tr", title, class_="band")]))
            continue
        if not bodies:
            bodies.append((None, []))
        bodies[-1][1].append(_row(row, kinds, report))
    body = (element("tbody", *lines, class_=class_) for class_, lines in bodies or [(None, [])])
    shown = () if report else (element("caption", caption),)
    return scrolling(element("table", *shown, head, *body), caption)


def _row(cells: Sequence[object], kinds: Sequence[str | None], report: bool) -> Html:
    first = [element("th", cells[0], scope="row")] if report else []
    rest = zip(cells[len(first) :], kinds[len(first) :], strict=True)
    return element("tr", *first, *(element("td", cell, class_=kind) for cell, kind in rest))


def message(title: str, what: str) -> Html:
    """An error message, line by line, as a page."""
    lines = join(element("div", line) for line in what.splitlines())
    return page(element("div", element("strong", title), lines, class_="error", role="alert"))


def page(*content: object) -> Html:
    """The frame that `STYLE` applies to, inside the page of another program."""
    return element("div", *content, class_="dibimt")


def document(title: str, head: object, *content: object, light: str = "", dark: str = "", style: str = "") -> str:
    """A whole page.

    Args:
        title: of the page, also its first heading.
        head: what follows the heading.
        content: the sections.
        light: further custom properties for light mode.
        dark: the same for dark mode.
        style: further CSS rules.
    """
    colors = (
        f":root {{ color-scheme: light dark; }}\n.dibimt {{ {LIGHT} {light} }}\n"
        f"@media (prefers-color-scheme: dark) {{ .dibimt {{ {DARK} {dark} }} }}\n"
    )
    lines = (
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        element("title", title),
        f"<style>\n{colors}{STYLE}{_DOCUMENT}{style}</style>",
        "</head>",
        '<body class="dibimt">',
        element("header", element("h1", title), head),
        element("main", join(content, "\n")),
        "</body>",
        "</html>",
    )
    return "\n".join(lines) + "\n"


LIGHT = "--page: #ffffff; --ink: #1b1b1b; --quiet: #475569; --line: #cbd5e1; --soft: #f1f5f9;"
"""Custom properties for light mode: background, text, quiet text, lines, soft background."""
DARK = "--page: #16181c; --ink: #e9e9e9; --quiet: #cbd5e1; --line: #475569; --soft: #1e293b;"
"""The same for dark mode."""

STYLE = """
.dibimt { line-height: 1.5; overflow-wrap: anywhere; }
.dibimt h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .6rem; font-weight: 700; }
.dibimt h2 { font-size: 1.15rem; margin: 1.1rem 0 .4rem; font-weight: 700; }
.dibimt h3 { font-size: 1rem; margin: 1.5rem 0 .4rem; }
.dibimt p { margin: .4rem 0; }
.dibimt .quiet { color: var(--quiet); font-size: .9rem; }
.dibimt .scroll { overflow: auto; max-width: 100%; margin: .3rem 0; }
.dibimt table { border-collapse: collapse; border: 0; margin: 0; font-size: .92rem; }
.dibimt tbody, .dibimt thead, .dibimt tr { border: 0; }
.dibimt caption { text-align: left; font-weight: 700; padding: .3rem 0; }
.dibimt th, .dibimt td { text-align: left; vertical-align: top; padding: .3rem .6rem; overflow-wrap: normal; border: 0;
  border-bottom: 1px solid var(--line); }
.dibimt td.text { min-width: 11rem; }
.dibimt .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.dibimt details { margin: .6rem 0; }
.dibimt summary { cursor: pointer; font-weight: 600; }
.dibimt .error { border: 2px solid var(--bad); background: var(--bad-bg); color: var(--bad); border-radius: .4rem;
  padding: .6rem .8rem; }
"""
"""Rules of all pages, within an element of class ``dibimt``; they use the properties of `LIGHT` and `DARK`."""

_DOCUMENT = """
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.25rem 1rem 3rem; max-width: 68rem; background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
section > h2 { margin: 2.5rem 0 .5rem; padding-top: .75rem; border-top: 1px solid var(--line); }
p, small, summary, dt, thead th, figcaption { color: var(--quiet); }
small { font-size: .85em; }
figure { margin: .75rem 0 1rem; }
ul { margin: .3rem 0; padding-left: 1.2rem; }
.name { overflow-wrap: anywhere; }
table .name { display: inline-block; width: max-content; max-width: 16rem; vertical-align: top; white-space: normal; }
table thead .name { max-width: 9rem; }
thead th { vertical-align: bottom; font-weight: normal; }
tbody th { font-weight: normal; }
tr > th:first-child { position: sticky; left: 0; background: var(--page); }
tbody tr:hover > * { background: var(--soft); }
tr.band > th { padding-top: .7rem; font-weight: 600; }
tr.band span { display: inline-block; position: sticky; left: .7rem; max-width: calc(100vw - 3.5rem); }
tbody.small td, tbody.small th, span.small { color: var(--quiet); font-style: italic; }
dl { display: grid; grid-template-columns: minmax(8rem, max-content) 1fr; gap: .3rem 1rem; margin: 0; }
dd { margin: 0; font-family: ui-monospace, Menlo, Consolas, monospace; font-size: .9em; overflow-wrap: anywhere; }
@media (max-width: 34rem) {
  dl { grid-template-columns: 1fr; } dd { margin-bottom: .4rem; }
  .dibimt th, .dibimt td { padding: .22rem .45rem; }
  table .name { max-width: 6.8rem; } tr.band span { left: .45rem; }
}
"""
