"""Accuracy by frequency index and by polysemy as a figure, or as bars of text where matplotlib is missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Any

from dibimt_metric.judge_explain import aligned

from .report import number

if TYPE_CHECKING:
    from dibimt_metric.score_breakdown import Cell

# From the Okabe-Ito palette, which color-blind readers can tell apart; shapes differ as well.
SYSTEM_STYLES = (
    ("#0072B2", "o"),
    ("#D55E00", "s"),
    ("#009E73", "^"),
    ("#CC79A7", "D"),
)
GRAY = "#555555"
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


@contextmanager
def literal_text() -> Iterator[None]:
    """Figures that are made and saved within have their texts as they are: ``$x$`` in a name is no formula.

    matplotlib has to be installed.
    """
    import matplotlib

    with matplotlib.rc_context({"text.parse_math": False, "text.usetex": False}):
        yield


def name_entries(legend: Any, names: Iterable[str]) -> None:
    """Give the entries of a legend their names afterwards: as labels, those that begin with ``_`` would be left out."""
    for text, name in zip(legend.get_texts(), names, strict=True):
        text.set_text(name)


def draw(title: str, panels: Sequence[Panel]) -> bytes | None:
    """The figure as PNG; ``None`` where matplotlib is not installed.

    The number under a bin is what its accuracy stands on: GOOD and BAD of that system.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        return None
    buffer = BytesIO()
    with literal_text():
        # No pyplot: it would look for a display and keep the figure.
        figure = Figure(figsize=(6.2 * len(panels), 5.2), dpi=150, facecolor="white")
        FigureCanvasAgg(figure)
        _fill(figure, title, panels)
        figure.savefig(buffer, format="png")
    return buffer.getvalue()


def _fill(figure: Any, title: str, panels: Sequence[Panel]) -> None:
    axes: Any = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    for axis, panel in zip(axes, panels, strict=True):
        _draw_panel(axis, panel)
    axes[0].set_ylabel("accuracy in %: GOOD of GOOD and BAD", color=GRAY)
    handles, labels = axes[0].get_legend_handles_labels()
    place = {"loc": "upper right", "bbox_to_anchor": (0.992, 1.0)}
    legend = figure.legend(handles, labels, ncols=len(labels), frameon=False, fontsize=12, **place)
    name_entries(legend, [system for system, _ in panels[0].series[: len(SYSTEM_STYLES)]])
    figure.suptitle(title, x=0.085, ha="left", fontsize=14, fontweight="bold")
    figure.subplots_adjust(left=0.085, right=0.985, top=0.84, bottom=0.25, wspace=0.14)
    figure.text(0.085, 0.02, "n: items with GOOD or BAD, on which the point stands", fontsize=9, color=GRAY)


def _draw_panel(axis: Any, panel: Panel) -> None:
    names = [typeset(cell.name) for cell in panel.series[0][1]]
    for row, ((_, cells), (color, marker)) in enumerate(zip(panel.series, SYSTEM_STYLES, strict=False)):
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
    axis.grid(axis="y", color="#DDDDDD", linewidth=0.8)
    axis.set_axisbelow(True)
    axis.tick_params(length=0, colors="#333333")
    for side in ("top", "right", "left"):
        axis.spines[side].set_visible(False)
    axis.spines["bottom"].set_color("#999999")


def _write_counts(axis: Any, row: int, cells: Sequence[Cell], color: str) -> None:
    """The outcomes that each point stands on, in the system's color below the axis."""
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


def typeset(name: str) -> str:
    """The name of a bin as it is printed: with a real sign for "at least" and a real dash."""
    return name.replace(">=", "≥").replace("-", "–")


def draw_text(panels: Sequence[Panel]) -> str:
    """The same as bars of text."""
    return "\n\n".join("\n".join((panel.title, *_bars(panel))) for panel in panels)


def _bars(panel: Panel) -> tuple[str, ...]:
    rows = []
    for place in range(len(panel.series[0][1])):
        for row, (system, cells) in enumerate(panel.series):
            cell = cells[place]
            value = cell.accuracy.value
            bar = "#" * round(_BAR * value / 100) if value is not None else ""
            name = "" if row else cell.name
            rows.append((name, system, number(value), f"n={cell.counts.scored}", bar))
    return aligned(("", "", "%", "", f"{'0':<{_BAR - 3}}100"), rows, right={2})
