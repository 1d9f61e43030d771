"""Score over minimum distance as a figure: one panel per challenge set, one line per system."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dibimt_common.format import interval_title

from ..figures import GRAY, color_and_marker, dress, name_entries, new_figure, saved, typeset
from .view import baseline_view, metric_name, metric_names, score_of, set_views, system_names, too_small

if TYPE_CHECKING:
    from ldd_challenge_sets.scoring.results import LddReport
    from ldd_challenge_sets.scoring.settings import Settings

    from .view import SetView

_SPREAD = 0.44
_STEP = 0.12
_PANELS_A_ROW = 3


@dataclass(frozen=True, slots=True)
class Point:
    """A score. value, low, high: ``None`` where undefined. small: based on fewer than 30 sentences."""

    value: float | None
    low: float | None
    high: float | None
    small: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A system in a panel. baseline: its score on the full corpus. points: one per bin."""

    system: str
    baseline: float | None
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Panel:
    """A challenge set. bins: names. counts: sentences of each bin. lines: one per system."""

    title: str
    bins: tuple[str, ...]
    counts: tuple[int, ...]
    lines: tuple[Line, ...]


def make_panels(report: LddReport) -> tuple[Panel, ...]:
    """The panels of a report: its first metric over the minimum bins."""
    metric = metric_names(report)[0]
    whole = baseline_view(report)
    baselines = {name: score_of(cell, metric).value for name, cell in whole.cells} if whole else {}
    return tuple(_panel(view, metric, baselines) for view in set_views(report))


def _panel(view: SetView, metric: str, baselines: dict[str, float | None]) -> Panel:
    points: dict[str, list[Point]] = {}
    for group in view.minimum:
        for name, cell in group.cells:
            score = score_of(cell, metric)
            points.setdefault(name, []).append(Point(score.value, score.low, score.high, group.small))
    return Panel(
        view.phenomenon,
        tuple(typeset(group.bin.name) for group in view.minimum),
        tuple(group.n for group in view.minimum),
        tuple(Line(name, baselines.get(name), tuple(each)) for name, each in points.items()),
    )


def limits(panels: Sequence[Panel]) -> tuple[float, float]:
    """Bottom and top of the y axis that all panels share.

    The intervals of small sets are ignored: that of five sentences would flatten everything else.
    """
    values = [value for panel in panels for line in panel.lines for value in _heights(line)]
    if not values:
        return 0.0, 1.0
    low, high = min(values), max(values)
    margin = 0.06 * (high - low) or 0.05 * abs(high) or 1.0
    return max(0.0, low - margin), high + margin


def _heights(line: Line) -> Iterator[float]:
    if line.baseline is not None:
        yield line.baseline
    for point in line.points:
        heights = (point.value,) if point.small else (point.value, point.low, point.high)
        yield from (height for height in heights if height is not None)


def offset(place: int, lines: int) -> float:
    """Horizontal shift of a system's points, in units of the space between two bins, so that bars do not overlap.

    >>> offset(0, 3), offset(1, 3), offset(0, 1)
    (-0.12, 0.0, 0.0)
    """
    step = min(_STEP, _SPREAD / (lines - 1)) if lines > 1 else 0.0
    return step * (place - (lines - 1) / 2)


def figure_title(report: LddReport) -> str:
    """Metric, pair and corpus."""
    metric = metric_name(metric_names(report)[0])
    return f"{metric} by minimum distance, {report.pair}, {report.corpus}"


def legend_notes(report: LddReport, settings: Settings) -> tuple[str, ...]:
    """Explanations of the signs that occur in the figure."""
    lines = [line for panel in make_panels(report) for line in panel.lines]
    points = [point for line in lines for point in line.points if point.value is not None]
    notes = (
        ("n: sentences", True),
        ("dashed: full corpus", any(line.baseline is not None for line in lines)),
        (f"bars: {interval_title(settings.level)}", any(each.low is not None for each in points)),
        (f"hollow: {too_small(settings)}", any(each.small for each in points)),
    )
    return tuple(note for note, shown in notes if shown)


def draw(report: LddReport, settings: Settings, ending: str = ".png") -> bytes:
    """The figure of a report with at least one set, as ``.png``, ``.svg`` or ``.pdf``.

    Raises:
        MissingLibraryError: matplotlib is not installed.
    """
    with new_figure() as figure:
        _fill(figure, report, settings)
        return saved(figure, ending)


def _fill(figure: Any, report: LddReport, settings: Settings) -> None:
    """Draw one panel per non-empty set, and the frame around them."""
    every = make_panels(report)
    panels = [panel for panel in every if any(panel.counts)] or every
    rows = math.ceil(len(panels) / _PANELS_A_ROW)
    columns = math.ceil(len(panels) / rows)
    width, height = max(6.4, 4.3 * columns + 0.7), 3.6 * rows + 1.4
    figure.set_size_inches(width, height)
    axes = figure.subplots(rows, columns, sharey=True, squeeze=False)
    places = [axis for row in axes for axis in row]
    for axis, panel in zip(places, panels, strict=False):
        _draw_panel(axis, panel)
    for axis in places[len(panels) :]:
        axis.set_visible(False)
    places[0].set_ylim(*limits(panels))
    for row in axes:
        row[0].set_ylabel(metric_name(metric_names(report)[0]), color=GRAY)
    _frame(figure, report, settings, (width, height))


def _frame(figure: Any, report: LddReport, settings: Settings, size: tuple[float, float]) -> None:
    """Draw title, legend and notes, and reserve space for them, in inches."""
    width, height = size
    left = 0.75 / width
    handles, labels = figure.axes[0].get_legend_handles_labels()
    names = system_names(report)
    entry = 0.65 + 0.09 * max(map(len, names))
    ncols = max(1, min(len(labels), int(width / entry)))
    legend_rows = math.ceil(len(labels) / ncols)
    figure.suptitle(
        figure_title(report), x=left, y=1 - 0.14 / height, ha="left", va="top", fontsize=14, fontweight="bold"
    )
    place = {"loc": "upper left", "bbox_to_anchor": (left - 0.1 / width, 1 - 0.42 / height)}
    style = {"frameon": False, "fontsize": 10.5, "columnspacing": 1.4}
    name_entries(figure.legend(handles, labels, ncols=ncols, **style, **place), names)
    notes = textwrap.fill("; ".join(legend_notes(report, settings)), int(13 * width))
    figure.text(left, 0.12 / height, notes, fontsize=9, color=GRAY)
    top = 1 - (0.85 + 0.24 * legend_rows) / height
    figure.subplots_adjust(left=left, right=1 - 0.15 / width, top=top, bottom=0.95 / height, wspace=0.08, hspace=0.36)


def _draw_panel(axis: Any, panel: Panel) -> None:
    for place, line in enumerate(panel.lines):
        _draw_line(axis, place, line, offset(place, len(panel.lines)))
    axis.set_title(panel.title, loc="left", fontsize=11.5, color="#222222", pad=7)
    names = [f"{name}\nn={count:,}" for name, count in zip(panel.bins, panel.counts, strict=True)]
    axis.set_xticks(range(len(names)), names, fontsize=9.5)
    axis.set_xlim(-0.5, max(0.5, len(names) - 0.5))
    dress(axis, "y")


def _draw_line(axis: Any, place: int, line: Line, shift: float) -> None:
    color, marker = color_and_marker(place)
    if line.baseline is not None:
        axis.axhline(line.baseline, color=color, linewidth=1, linestyle=(0, (5, 4)), alpha=0.75)
    places = [number + shift for number in range(len(line.points))]
    heights = [math.nan if point.value is None else point.value for point in line.points]
    axis.plot(places, heights, color=color, linewidth=1.6, alpha=0.85)
    # An empty line for the legend: the first bin of the first panel may be hollow or empty.
    axis.plot([], [], color=color, marker=marker, markersize=6.5, linewidth=1.6, label=f"system {place}")
    for where, point in zip(places, line.points, strict=True):
        if point.value is None:
            continue
        if point.low is not None and point.high is not None:
            axis.plot([where, where], [point.low, point.high], color=color, linewidth=1.3, alpha=0.4)
        face = "white" if point.small else color
        axis.plot([where], [point.value], color=color, marker=marker, markersize=6.5, markerfacecolor=face)
