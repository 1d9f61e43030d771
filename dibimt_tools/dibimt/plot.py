"""Accuracy by frequency index and by polysemy as a figure, or as text bars if matplotlib is missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dibimt_common.format import UNDEFINED, aligned, number
from dibimt_metric.errors import MissingLibraryError

from ..figures import GRAY, STYLES, dress, name_entries, new_figure, saved, typeset

if TYPE_CHECKING:
    from dibimt_metric.score_breakdown import Cell

_BAR = 40  # characters for 100 percent


@dataclass(frozen=True, slots=True)
class Panel:
    """One half of the figure.

    Attributes:
        title: of the panel. label: of its bins.
        series: name of each system, and its cells; all have the same bins.
    """

    title: str
    label: str
    series: tuple[tuple[str, tuple[Cell, ...]], ...]


def draw(title: str, panels: Sequence[Panel]) -> bytes | None:
    """The figure as PNG; ``None`` if matplotlib is not installed.

    The number under a bin counts the GOOD and BAD items of that system.
    """
    try:
        with new_figure() as figure:
            figure.set_size_inches(6.2 * len(panels), 5.2)
            _fill(figure, title, panels)
            return saved(figure)
    except MissingLibraryError:
        return None


def _fill(figure: Any, title: str, panels: Sequence[Panel]) -> None:
    axes: Any = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    for axis, panel in zip(axes, panels, strict=True):
        _draw_panel(axis, panel)
    axes[0].set_ylabel("accuracy in %: GOOD of GOOD and BAD", color=GRAY)
    handles, labels = axes[0].get_legend_handles_labels()
    place = {"loc": "upper right", "bbox_to_anchor": (0.992, 1.0)}
    legend = figure.legend(handles, labels, ncols=len(labels), frameon=False, fontsize=12, **place)
    name_entries(legend, [system for system, _ in panels[0].series[: len(STYLES)]])
    figure.suptitle(title, x=0.085, ha="left", fontsize=14, fontweight="bold")
    figure.subplots_adjust(left=0.085, right=0.985, top=0.84, bottom=0.25, wspace=0.14)
    figure.text(0.085, 0.02, "n: items with GOOD or BAD, on which the point is based", fontsize=9, color=GRAY)


def _draw_panel(axis: Any, panel: Panel) -> None:
    names = [typeset(cell.name) for cell in panel.series[0][1]]
    for row, ((_, cells), (color, marker)) in enumerate(zip(panel.series, STYLES, strict=False)):
        heights = [float("nan") if cell.accuracy.value is None else cell.accuracy.value for cell in cells]
        style = {"color": color, "marker": marker, "markersize": 7, "linewidth": 2.2}
        axis.plot(range(len(cells)), heights, label=f"system {row}", **style)
        _write_counts(axis, row, cells, color)
    axis.set_title(panel.title, loc="left", fontsize=11.5, color="#222222", pad=10)
    axis.set_xticks(range(len(names)), names, fontsize=11)
    axis.set_xlim(-0.5, len(names) - 0.5)
    axis.set_ylim(-3, 103)
    axis.set_yticks(range(0, 101, 20))
    axis.set_xlabel(panel.label, color=GRAY, labelpad=12 + 13 * len(panel.series))
    dress(axis, "y")


def _write_counts(axis: Any, row: int, cells: Sequence[Cell], color: str) -> None:
    """Below the axis, in the system's color: the number of outcomes on which each point is based."""
    style = {
        "transform": axis.get_xaxis_transform(),
        "ha": "center",
        "va": "top",
        "fontsize": 9,
        "color": color,
    }
    height = -0.085 - 0.05 * row
    for position, cell in enumerate(cells):
        axis.text(position, height, str(cell.counts.scored), **style)
    axis.text(-0.62, height, "n", **style)


def draw_text(panels: Sequence[Panel]) -> str:
    """The same as text bars."""
    return "\n\n".join("\n".join((panel.title, *_bars(panel))) for panel in panels)


def _bars(panel: Panel) -> tuple[str, ...]:
    rows = []
    for place in range(len(panel.series[0][1])):
        for row, (system, cells) in enumerate(panel.series):
            cell = cells[place]
            value = cell.accuracy.value
            bar = "#" * round(_BAR * value / 100) if value is not None else ""
            name = "" if row else cell.name
            rows.append((name, system, number(value, undefined=UNDEFINED), f"n={cell.counts.scored}", bar))
    return aligned(("", "", "%", "", f"{'0':<{_BAR - 3}}100"), rows, right={2})
