"""The report of ``dibimt blimp score`` as one self-contained page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from dibimt_common.format import interval, number
from dibimt_common.html import Html, breakable, bullets, definitions, details, document, element, join, table

from ..svg import COLORS, STYLE, WIDTH, Scale, label, legend, marker_at, path, picture
from .plot import CHANCE, about, make_chart
from .view import INTERVAL, headline, notes, settings_rows, tables

if TYPE_CHECKING:
    from minimal_pairs.scoring.published import Published
    from minimal_pairs.scoring.run import Run

    from .plot import Chart, ChartRow
    from .view import Table

_STYLE = """
.overall { font-size: 2.2rem; font-weight: 700; line-height: 1.1; margin: .25rem 0 0; color: var(--ink); }
.overall small { font-size: 1rem; font-weight: 400; }
.model { overflow-wrap: anywhere; }
"""


def score_page(run: Run, beside: Sequence[Published], remarks: Iterable[str] = ()) -> str:
    """The whole page; arguments as in `score_report`."""
    first, *others = tables(run, beside)
    sections = (
        _table(first),
        *_figure(make_chart(run.report, beside)),
        *map(_table, others),
        _section("Notes", bullets(notes(run, remarks))),
        _section("Settings and signature", definitions(settings_rows(run.report))),
    )
    return document(headline(run.report), _overall(run), *sections, **COLORS, style=STYLE + _STYLE)


def _section(title: str, *parts: object) -> Html:
    return element("section", element("h2", title), *parts)


def _overall(run: Run) -> Html:
    overall = run.report.overall
    about = f"% {overall.average}"
    if overall.low is not None:
        about += f", {INTERVAL} {interval(overall.low, overall.high)}"
    value = element("p", number(overall.value), " ", element("small", about), class_="overall")
    return join((element("p", run.report.model, class_="model"), value))


def _figure(chart: Chart) -> Iterator[Html]:
    if chart.rows:
        names = legend((name, style, bool(place)) for place, (name, style) in enumerate(chart.legend))
        caption = element("figcaption", names, f"{about(chart).capitalize()}.")
        svg = chart_svg(chart, f"{chart.title}. The tables below show the numbers.")
        yield _section(chart.title, element("figure", svg, caption))


def _table(table_: Table) -> Html:
    columns = range(1, len(table_.head))
    numbers, texts = (columns, ()) if table_.numbers else ((), columns)
    rows = ((breakable(name), *cells) for name, *cells in table_.rows)
    body = table(table_.head, rows, table_.title, numbers, texts, report=True)
    if table_.long:
        body = details(f"{len(table_.rows)} rows", body)
    return _section(table_.title, *(element("p", note) for note in table_.notes), body)


# The figure

_LEFT, _RIGHT, _TOP, _BOTTOM = 8, WIDTH - 28, 4, 26
_ROW, _TRACK = 33, 22  # height of a row; distance of the track from its top, with the name in between


def chart_svg(chart: Chart, described: str) -> Html:
    """The figure; names are above the tracks, to be readable on phones. ``described``: text for screen readers."""
    height = _TOP + _ROW * len(chart.rows) + _BOTTOM
    low, high = chart.limits()
    x = Scale(low, high, _LEFT, _RIGHT)
    parts = list(_grid(x, height - _BOTTOM))
    for place, row in enumerate(chart.rows):
        parts += _row(x, chart, row, _TOP + _ROW * place)
    return picture(height, described, parts)


def _grid(x: Scale, bottom: int) -> Iterator[Html]:
    for mark in range(int(x.low), int(x.high) + 1, 10):
        yield path(f"M{x(mark):.1f},{_TOP}V{bottom}", "grid")
        yield label(mark, x(mark), bottom + 16, class_="quiet")
    yield path(f"M{x(CHANCE):.1f},{_TOP}V{bottom}", "axis chance")


def _row(x: Scale, chart: Chart, row: ChartRow, top: int) -> Iterator[Html]:
    y = top + _TRACK
    yield label(row.name, _LEFT, top + 12, None, "name")
    yield path(f"M{_LEFT},{y}H{_RIGHT}", "grid")
    for (name, style), value in zip(chart.legend[1:], row.marks, strict=True):
        if value is not None:
            yield marker_at(style, x(value), y, True, f"{name}: {value:.1f}")
    name, style = chart.legend[0]
    if row.low is not None and row.high is not None:
        yield path(f"M{x(row.low):.1f},{y}H{x(row.high):.1f}", "interval", style)
    if row.value is not None:
        yield marker_at(style, x(row.value), y, False, f"{name}: {row.value:.1f}")
