"""Accuracy by phenomenon as a figure: a model with its intervals, people, and published models."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dibimt_common.format import fitted

from ..figures import GRAY, color_and_marker, dress, new_figure, saved

if TYPE_CHECKING:
    from minimal_pairs.scoring.published import Published
    from minimal_pairs.scoring.results import AccuracyGroup, PairsReport

CHANCE = 50.0
_MODEL, _HUMAN = 0, 3
_OTHERS = (1, 2, 4, 5, 6)
"""Indices in `STYLES`: every figure has the same signs."""
_LEGEND_COLUMNS = 4
_SUBTITLE = 110  # characters


@dataclass(frozen=True, slots=True)
class ChartRow:
    """A line of the figure.

    Attributes:
        name: of the group. value, low, high: of the model; ``None`` where undefined.
        marks: of people and published models, in the order of the legend; ``None``: unknown.
    """

    name: str
    value: float | None
    low: float | None
    high: float | None
    marks: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """The content of the figure.

    Attributes:
        title: above it. what: kind of the groups.
        legend: name and style of each mark, the model first.
        rows: from top to bottom.
    """

    title: str
    what: str
    legend: tuple[tuple[str, int], ...]
    rows: tuple[ChartRow, ...]

    def limits(self) -> tuple[float, float]:
        """Ends of the x axis: round numbers around all values and chance."""
        values = [each for row in self.rows for each in (row.value, row.low, *row.marks) if each is not None]
        lowest = min([CHANCE, *values])
        return max(0.0, 10 * math.floor((lowest - 2) / 10)), 100.0


def make_chart(report: PairsReport, beside: Sequence[Published]) -> Chart:
    """The chart of a report: its phenomena, or its paradigms if the data lack phenomena.

    Args:
        report: of `make_report`.
        beside: published scores to draw, five at most.
    """
    groups, what = (report.phenomena, "phenomenon") if report.phenomena else (report.paradigms, "paradigm")
    known = any(group.human is not None for group in groups)
    others = tuple(beside)[: len(_OTHERS)] if known else ()
    legend = [("model", _MODEL)]
    if known:
        legend += [("human, individual", _HUMAN)]
    legend += [(row.name, style) for row, style in zip(others, _OTHERS, strict=False)]
    rows = tuple(_row(group, others, known) for group in groups)
    return Chart(f"Accuracy by {what}", what, tuple(legend), rows)


def _row(group: AccuracyGroup, others: Sequence[Published], known: bool) -> ChartRow:
    whole = group.human is not None
    marks = (group.human, *(row.phenomenon(group.name) if whole else None for row in others)) if known else ()
    accuracy = group.accuracy
    return ChartRow(group.name, accuracy.value, accuracy.low, accuracy.high, marks)


def about(chart: Chart) -> str:
    """Explanations of the signs in the figure."""
    hollow = "; hollow: as published, over the whole data set" if len(chart.legend) > 1 else ""
    return f"bars: 95 % interval of the model; dashed: chance{hollow}"


def draw(chart: Chart, model: str, ending: str = ".png") -> bytes:
    """The figure of a model as ``.png``, ``.svg`` or ``.pdf``.

    Raises:
        MissingLibraryError: matplotlib is not installed.
    """
    with new_figure() as figure:
        _fill(figure, chart, model)
        return saved(figure, ending)


def _fill(figure: Any, chart: Chart, model: str) -> None:
    legend_rows = math.ceil(len(chart.legend) / _LEGEND_COLUMNS)
    head = 0.78 + 0.24 * legend_rows
    width, height = 8.4, 0.36 * max(3, len(chart.rows)) + 1.1 + head
    figure.set_size_inches(width, height)
    axis = figure.subplots()
    _draw_rows(axis, chart)
    _dress(axis, chart)
    left = (0.35 + 0.078 * max(len(row.name) for row in chart.rows)) / width
    figure.suptitle(chart.title, x=0.02, y=1 - 0.14 / height, ha="left", va="top", fontsize=14, fontweight="bold")
    figure.text(0.02, 1 - 0.46 / height, fitted(model, _SUBTITLE), va="top", fontsize=9, color=GRAY)
    others, labels = axis.get_legend_handles_labels()
    handles = [others[-1], *others[:-1]]  # the model is drawn last, above the others, and named first
    place = {"loc": "upper left", "bbox_to_anchor": (0.005, 1 - 0.6 / height), "ncols": _LEGEND_COLUMNS}
    figure.legend(handles, [labels[-1], *labels[:-1]], frameon=False, fontsize=10, columnspacing=1.3, **place)
    figure.text(0.02, 0.12 / height, about(chart), fontsize=8.5, color=GRAY)
    figure.subplots_adjust(left=left, right=1 - 0.25 / width, top=1 - head / height, bottom=0.75 / height)


def _draw_rows(axis: Any, chart: Chart) -> None:
    for place, (name, style) in enumerate(chart.legend[1:]):
        color, marker = color_and_marker(style)
        values = [row.marks[place] for row in chart.rows]
        heights = [math.nan if value is None else value for value in values]
        axis.plot(
            heights, range(len(heights)), linestyle="", color=color, marker=marker, markersize=6.5,
            markerfacecolor="white", markeredgewidth=1.3, label=name,
        )  # fmt: skip
    color, marker = color_and_marker(_MODEL)
    for place, row in enumerate(chart.rows):
        if row.low is not None and row.high is not None:
            axis.plot([row.low, row.high], [place, place], color=color, linewidth=3, alpha=0.35, zorder=3)
    values = [math.nan if row.value is None else row.value for row in chart.rows]
    axis.plot(
        values, range(len(values)), linestyle="", color=color, marker=marker, markersize=7.5, zorder=4,
        label=chart.legend[0][0],
    )  # fmt: skip


def _dress(axis: Any, chart: Chart) -> None:
    low, high = chart.limits()
    axis.set_xlim(low, high + 1)
    axis.set_ylim(len(chart.rows) - 0.4, -0.6)
    axis.set_yticks(range(len(chart.rows)), [row.name for row in chart.rows], fontsize=10)
    axis.set_xticks([*range(int(low), int(high) + 1, 10)])
    axis.set_xlabel("accuracy in %", color=GRAY)
    axis.axvline(CHANCE, color="#999999", linewidth=1, linestyle=(0, (4, 4)), zorder=1)
    dress(axis, sides=("top", "right", "left", "bottom"))
