"""Score over minimum distance as a figure: one panel for each challenge set, one line for each system."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dibimt_metric.errors import InputError, MissingLibraryError

from ..dibimt.plot import GRAY, SYSTEM_STYLES, literal_text, name_entries, typeset
from .view import baseline_group, metric_name, metric_names, score_of, set_views, system_names, too_small

if TYPE_CHECKING:
    from ldd_challenge_sets.scoring.results import LddReport
    from ldd_challenge_sets.scoring.settings import Settings

    from .view import SetView

# Three further colors of the Okabe-Ito palette that can be seen on white, with shapes of their own.
STYLES = (*SYSTEM_STYLES, ("#E69F00", "v"), ("#56B4E9", "P"), ("#777777", "X"))
"""Color and marker of the first seven systems; further ones get other pairs of these, see `style_of`."""

_SPREAD = 0.44
_STEP = 0.12
_PANELS_A_ROW = 3
# Without what changes from run to run, so that the same report gives the same bytes.
_FORMATS: dict[str, dict[str, Any]] = {
    ".png": {},
    ".svg": {"metadata": {"Date": None}},
    ".pdf": {"metadata": {"CreationDate": None}},
}


@dataclass(frozen=True, slots=True)
class Point:
    """A score. value, low, high: ``None`` where undefined. small: stands on fewer than 30 sentences."""

    value: float | None
    low: float | None
    high: float | None
    small: bool


@dataclass(frozen=True, slots=True)
class Line:
    """A system in a panel. baseline: its score on the full corpus. points: one for each bin."""

    system: str
    baseline: float | None
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Panel:
    """A challenge set. bins: names. counts: sentences of each bin. lines: one for each system."""

    title: str
    bins: tuple[str, ...]
    counts: tuple[int, ...]
    lines: tuple[Line, ...]


def style_of(place: int) -> tuple[int, str]:
    """Number of the color (in `STYLES`) and marker of the system at that place; 49 pairs are different.

    >>> style_of(0), style_of(7)
    ((0, 'o'), (0, 's'))
    """
    turn, color = divmod(place, len(STYLES))
    return color, STYLES[(color + turn) % len(STYLES)][1]


def make_panels(report: LddReport) -> tuple[Panel, ...]:
    """What is drawn of a report: the first metric over the minimum bins."""
    metric = metric_names(report)[0]
    whole = baseline_group(report)
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
    """Bottom and top of the axis that all panels share.

    The intervals of small sets are left out: one of five sentences would flatten everything else.
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
    """Where a system's point stands, in spaces between two bins: beside the others, so that bars can be told apart.

    >>> offset(0, 3), offset(1, 3), offset(0, 1)
    (-0.12, 0.0, 0.0)
    """
    step = min(_STEP, _SPREAD / (lines - 1)) if lines > 1 else 0.0
    return step * (place - (lines - 1) / 2)


def figure_title(report: LddReport) -> str:
    """Names what the figure shows."""
    metric = metric_name(metric_names(report)[0])
    return f"{metric} by minimum distance, {report.pair}, {report.corpus}"


def legend_notes(report: LddReport, settings: Settings) -> tuple[str, ...]:
    """What the signs of the figure mean; those that it does not have are left out."""
    lines = [line for panel in make_panels(report) for line in panel.lines]
    points = [point for line in lines for point in line.points if point.value is not None]
    return (
        "n: sentences",
        *(["dashed: full corpus"] if any(line.baseline is not None for line in lines) else []),
        *(
            [f"bars: {100 * settings.level:g} % interval"]
            if any(each.low is not None for each in points)
            else []
        ),
        *([f"hollow: {too_small(settings)}"] if any(each.small for each in points) else []),
    )


def check_plot(name: str) -> None:
    """Refuse, before the work, a figure that could not be drawn.

    Raises:
        InputError: the name has an unknown ending.
        MissingLibraryError: matplotlib is not installed.
    """
    if Path(name).suffix.lower() not in _FORMATS:
        raise InputError(f"{name}: cannot be drawn: the name of a figure ends in {', '.join(_FORMATS)}")
    matplotlib_classes()


def matplotlib_classes() -> tuple[Any, Any]:
    """The classes of figure and canvas. No pyplot: it would look for a display and keep the figure."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingLibraryError(
            "a figure needs matplotlib, which is not installed: pip install 'dibimt[plot]'"
        ) from error
    return Figure, FigureCanvasAgg


def draw(report: LddReport, settings: Settings, ending: str = ".png") -> bytes:
    """The figure as a file.

    Args:
        report: with at least one set.
        settings: of the scoring.
        ending: ``.png``, ``.svg`` or ``.pdf``.

    Raises:
        MissingLibraryError: matplotlib is not installed.
    """
    make_figure, make_canvas = matplotlib_classes()
    with literal_text():
        figure = make_figure(dpi=150, facecolor="white")
        make_canvas(figure)
        _fill(figure, report, settings)
        return saved(figure, ending)


def _fill(figure: Any, report: LddReport, settings: Settings) -> None:
    """A panel for each set that holds a sentence, and the frame around them."""
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
    """Title, legend, notes, and the space that they need, all given in inches."""
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
    figure.subplots_adjust(
        left=left, right=1 - 0.15 / width, top=top, bottom=0.95 / height, wspace=0.08, hspace=0.36
    )


def _draw_panel(axis: Any, panel: Panel) -> None:
    for place, line in enumerate(panel.lines):
        _draw_line(axis, place, line, offset(place, len(panel.lines)))
    axis.set_title(panel.title, loc="left", fontsize=11.5, color="#222222", pad=7)
    names = [f"{name}\nn={count:,}" for name, count in zip(panel.bins, panel.counts, strict=True)]
    axis.set_xticks(range(len(names)), names, fontsize=9.5)
    axis.set_xlim(-0.5, max(0.5, len(names) - 0.5))
    axis.grid(axis="y", color="#DDDDDD", linewidth=0.8)
    axis.set_axisbelow(True)
    axis.tick_params(length=0, colors="#333333")
    for side in ("top", "right", "left"):
        axis.spines[side].set_visible(False)
    axis.spines["bottom"].set_color("#999999")


def _draw_line(axis: Any, place: int, line: Line, shift: float) -> None:
    number, marker = style_of(place)
    color = STYLES[number][0]
    if line.baseline is not None:
        axis.axhline(line.baseline, color=color, linewidth=1, linestyle=(0, (5, 4)), alpha=0.75)
    places = [number + shift for number in range(len(line.points))]
    heights = [math.nan if point.value is None else point.value for point in line.points]
    axis.plot(places, heights, color=color, linewidth=1.6, alpha=0.85)
    # A label of its own for the legend: the first bin of the first panel may be hollow or empty.
    axis.plot([], [], color=color, marker=marker, markersize=6.5, linewidth=1.6, label=f"system {place}")
    for where, point in zip(places, line.points, strict=True):
        if point.value is None:
            continue
        if point.low is not None and point.high is not None:
            axis.plot([where, where], [point.low, point.high], color=color, linewidth=1.3, alpha=0.4)
        face = "white" if point.small else color
        axis.plot([where], [point.value], color=color, marker=marker, markersize=6.5, markerfacecolor=face)


def saved(figure: Any, ending: str) -> bytes:
    """The figure as the content of a file with that ending; the same bytes each time."""
    import matplotlib

    buffer = BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "dibimt"}):
        figure.savefig(buffer, format=ending.removeprefix("."), **_FORMATS[ending.lower()])
    return buffer.getvalue()
