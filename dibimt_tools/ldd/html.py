"""The report of ``dibimt ldd score`` as one self-contained page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from dibimt_common.format import interval, number, p_value, signed
from dibimt_common.html import Band, Html, breakable, bullets, definitions, details, document, element, join, table

from ..svg import COLORS, STYLE, WIDTH, Scale, label, legend, marker_at, path, picture, swatch, tick_labels, ticks
from .plot import figure_title, legend_notes, limits, make_panels, offset
from .view import (
    EMPTY,
    FULL_CORPUS,
    ReportView,
    baseline_name,
    best_systems,
    decimals,
    metric_name,
    rho_text,
    score_of,
    undefined_notes,
    unmatched_notes,
)

if TYPE_CHECKING:
    from ldd_challenge_sets.scoring.results import Comparison, LddReport
    from ldd_challenge_sets.scoring.settings import Settings

    from .plot import Line, Panel, Point
    from .view import BinView, Block, Column, SetView

_SETTINGS = {
    "metrics": "metrics",
    "preset": "preset",
    "tokenize": "tokenizer",
    "ribes_lowercase": "RIBES ignores case",
    "n_resamples": "bootstrap resamples",
    "level": "level of the intervals",
    "seed": "seed",
    "control": "control samples",
    "small": "too small below",
}


def score_page(report: LddReport, settings: Settings) -> str:
    """The whole page."""
    page = _Page(report, settings)
    panels = make_panels(report)
    bounds = limits(panels)
    sets = (page.challenge_set(view, panel, bounds) for view, panel in zip(page.view.sets, panels, strict=True))
    parts = (page.overview(), *sets, *page.notes(), page.choices())
    return document(page.view.headline(), page.legend(), *parts, **COLORS, style=STYLE)


def _section(title: str, *parts: object) -> Html:
    return element("section", element("h2", title), *parts)


class _Page:
    def __init__(self, report: LddReport, settings: Settings) -> None:
        self.report = report
        self.settings = settings
        self.view = ReportView(report, settings)
        self.names = {name: join((swatch(place), breakable(name))) for place, name in enumerate(self.view.names)}

    def legend(self) -> Html:
        """The names of the systems with their markers."""
        return legend((breakable(name), place, False) for place, name in enumerate(self.view.names))

    def overview(self) -> Html:
        """One row per set, one column per system."""
        view = self.view
        title = f"Overview: {view.title}"
        groups = view.overview()
        drop = "In small print: the difference from the full corpus." if view.baseline else ""
        small = f"!: {view.too_small}." if any(each.small for _, each in groups) else ""
        rows = [(breakable(name), *self._overview_cells(each)) for name, each in groups]
        parts = [element("p", f"{drop} {small}".strip()), self._table(("", "n", *self.names.values()), rows, title)]
        if view.baseline is not None:
            parts.append(element("h3", FULL_CORPUS.capitalize()))
            parts.append(self._block_table(*view.baseline_blocks(), FULL_CORPUS))
            parts.append(self._comparisons(baseline_name(self.report)))
        parts.append(details("How to read the tables", bullets(view.how_to_read(best="Bold"))))
        return _section(title, *parts)

    def _table(self, header: Sequence[object], rows: Iterable[Sequence[object] | Band], name: str) -> Html:
        return table(header, rows, name, numbers=range(1, len(header)), report=True)

    def _overview_cells(self, group: BinView) -> Iterator[object]:
        metric = self.view.metric
        best = best_systems(group, metric)
        yield f"{group.n:,}{' !' if group.small else ''}"
        for system, cell in group.cells:
            score = score_of(cell, metric)
            value: object = number(score.value, decimals(metric))
            value = element("strong", value) if system in best else value
            drop = () if score.drop is None else (" ", element("small", signed(score.drop, decimals(metric))))
            yield join((value, *drop))

    def challenge_set(self, view: SetView, panel: Panel, bounds: tuple[float, float]) -> Html:
        """Figure and tables of one set."""
        if not view.minimum[0].n:
            return _section(view.configuration, element("p", EMPTY))
        name = view.configuration
        parts = [self._figure(panel, bounds), self._block_table(*self.view.short_blocks(view), f"{name}: scores")]
        if view.exact:
            parts += [element("h3", f"{self.view.title} by exact distance"), self._exact_table(view)]
        if any(each for _, each in view.correlations):
            parts += [element("h3", "Spearman’s rho with the minimum distance"), self._correlations(view)]
        for metric in self.view.metrics:
            title = f"{metric_name(metric)} by minimum distance"
            inner = self._block_table(*self.view.long_blocks(view, metric), f"{name}: {title}")
            parts.append(details(f"{metric_name(metric)} in full", inner))
        return _section(name, *parts, self._comparisons(name))

    def _figure(self, panel: Panel, bounds: tuple[float, float]) -> Html:
        described = f"{figure_title(self.report)}: {panel.title}. The tables below show the numbers."
        notes = "; ".join(legend_notes(self.report, self.settings))
        caption = element("figcaption", self.legend(), f"{self.view.title} by minimum distance. {notes}")
        return element("figure", panel_svg(panel, bounds, described), caption)

    def _block_table(self, columns: Sequence[Column], blocks: Iterable[Block], name: str) -> Html:
        rows: list[Sequence[object] | Band] = []
        for block in blocks:
            rows.append(Band(block.title, block.small))
            for system, best, (first, *others) in block.rows:
                rows.append((self.names[system], element("strong", first) if best else first, *others))
        return self._table(("system", *(column.title for column in columns)), rows, name)

    def _exact_table(self, view: SetView) -> Html:
        metric = self.view.metric
        rows: list[Sequence[object]] = [("n", *(f"{each.n:,}" for each in view.exact))]
        for place, name in enumerate(self.names.values()):
            values = (
                (number(score_of(each.cells[place][1], metric).value, decimals(metric)), each.small)
                for each in view.exact
            )
            rows.append((name, *(element("span", v, class_="small") if small else v for v, small in values)))
        header = ("", *(each.bin.name for each in view.exact))
        return self._table(header, rows, f"{view.configuration}: {self.view.title} by exact distance")

    def _correlations(self, view: SetView) -> Html:
        header = ("system", *(metric_name(each.metric) for each in view.correlations[0][1]))
        rows = (
            (
                self.names[system],
                *(join((rho_text(each.rho), " ", element("small", f"({each.points})"))) for each in found),
            )
            for system, found in view.correlations
        )
        return self._table(header, rows, f"{view.configuration}: Spearman")

    def _comparisons(self, configuration: str) -> Html:
        """All comparisons of two systems, collapsed; one row per pair of systems, all metrics side by side."""
        bins: dict[str, dict[tuple[str, str], list[Comparison]]] = {}
        for each in self.report.comparisons:
            if each.configuration == configuration:
                bins.setdefault(each.bin.name, {}).setdefault((each.second, each.first), []).append(each)
        if not bins:
            return Html()
        rows: list[Sequence[object] | Band] = []
        for name, pairs in bins.items():
            rows.append(Band(f"{name}: n = {next(iter(pairs.values()))[0].n:,}"))
            for (second, first), found in pairs.items():
                rows.append((f"{second} − {first}", *(text for each in found for text in _difference(each))))
        titles = (text for metric in self.view.metrics for text in (metric_name(metric), self.view.interval, "p"))
        inner = self._table(("second minus first", *titles), rows, f"{configuration}: comparisons")
        return details("All comparisons of two systems", inner)

    def notes(self) -> Iterator[Html]:
        """Reasons for undefined numbers, and sentences without a control."""
        if found := (*undefined_notes(self.report), *unmatched_notes(self.report)):
            yield _section("Notes", bullets(found))

    def choices(self) -> Html:
        """Settings and signatures."""
        values = asdict(self.settings)
        rows = [
            *((title, _setting(values[name])) for name, title in _SETTINGS.items()),
            ("signature", self.report.signature),
            *((f"signature of {metric_name(metric)}", text) for metric, text in self.report.signatures),
        ]
        return _section("Settings and signatures", definitions(rows))


def _difference(each: Comparison) -> tuple[str, str, str]:
    digits = decimals(each.metric)
    return signed(each.difference, digits), interval(each.low, each.high, digits), p_value(each.p_value)


def _setting(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "default" if value is None else str(getattr(value, "value", value))


# The figure

_LEFT, _RIGHT, _TOP, _BOTTOM, _HEIGHT = 40, WIDTH - 4, 10, 226, 272


def panel_svg(panel: Panel, bounds: tuple[float, float], described: str) -> Html:
    """A panel of the figure; ``bounds``: ends of the y axis, ``described``: text for screen readers."""
    x = Scale(-0.5, max(1, len(panel.bins)) - 0.5, _LEFT, _RIGHT)
    y = Scale(*bounds, _BOTTOM, _TOP)
    parts = list(_grid(panel, x, y))
    for place, line in enumerate(panel.lines):
        if line.baseline is not None:
            parts.append(path(f"M{_LEFT},{y(line.baseline):.1f}H{_RIGHT}", "line dashed", place))
    for place, line in enumerate(panel.lines):
        parts += _line(line, place, offset(place, len(panel.lines)), x, y)
    return picture(_HEIGHT, described, parts)


def _grid(panel: Panel, x: Scale, y: Scale) -> Iterator[Html]:
    marks = ticks(y.low, y.high)
    for mark, text in zip(marks, tick_labels(marks), strict=True):
        yield path(f"M{_LEFT},{y(mark):.1f}H{_RIGHT}", "grid")
        yield label(text, _LEFT - 6, y(mark) + 4, "end")
    yield path(f"M{_LEFT},{_BOTTOM}H{_RIGHT}", "axis")
    for place, (name, n) in enumerate(zip(panel.bins, panel.counts, strict=True)):
        yield label(name, x(place), _BOTTOM + 18)
        yield label(f"n={n:,}", x(place), _BOTTOM + 34, class_="quiet")


def _line(line: Line, place: int, shift: float, x: Scale, y: Scale) -> Iterator[Html]:
    shown = [(x(bin_ + shift), point) for bin_, point in enumerate(line.points)]
    for (x1, first), (x2, second) in zip(shown, shown[1:], strict=False):
        if first.value is not None and second.value is not None:
            yield path(f"M{x1:.1f},{y(first.value):.1f}L{x2:.1f},{y(second.value):.1f}", "line", place)
    yield element("g", element("title", line.system), *_points(shown, place, y))


def _points(shown: Sequence[tuple[float, Point]], place: int, y: Scale) -> Iterator[Html]:
    for x, point in shown:
        if point.low is not None and point.high is not None:
            yield path(f"M{x:.1f},{y(point.low):.1f}V{y(point.high):.1f}", "bar", place)
        if point.value is not None:
            yield marker_at(place, x, y(point.value), point.small)
