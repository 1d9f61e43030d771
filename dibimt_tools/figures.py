"""What all figures share: colors and markers, matplotlib without a display, plain texts, files that stay the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

from dibimt_metric.errors import InputError, MissingLibraryError

# From the Okabe-Ito palette, which color-blind readers can tell apart, as far as it can be seen on white.
STYLES = (
    ("#0072B2", "o"), ("#D55E00", "s"), ("#009E73", "^"), ("#CC79A7", "D"),
    ("#E69F00", "v"), ("#56B4E9", "P"), ("#777777", "X"),
)  # fmt: skip
"""Color and marker of the first seven systems; others combine them differently, see `style_of`."""
GRAY = "#555555"

# Without what changes from run to run, so that the same report gives the same bytes.
_FORMATS: dict[str, dict[str, Any]] = {
    ".png": {},
    ".svg": {"metadata": {"Date": None}},
    ".pdf": {"metadata": {"CreationDate": None}},
}


def style_of(place: int) -> tuple[int, str]:
    """Number of the color (in `STYLES`) and marker of the system at that place; 49 pairs are different.

    >>> style_of(0), style_of(7)
    ((0, 'o'), (0, 's'))
    """
    turn, color = divmod(place, len(STYLES))
    return color, STYLES[(color + turn) % len(STYLES)][1]


def color_and_marker(place: int) -> tuple[str, str]:
    """The same with the color itself."""
    color, marker = style_of(place)
    return STYLES[color][0], marker


def check_plot(name: str) -> None:
    """Reject, before the work, a figure that cannot be drawn.

    Raises:
        InputError: the name has an unknown ending.
        MissingLibraryError: matplotlib is not installed.
    """
    if Path(name).suffix.lower() not in _FORMATS:
        raise InputError(f"{name}: cannot be drawn: the name of a figure ends in {', '.join(_FORMATS)}")
    _matplotlib()


def _matplotlib() -> tuple[Any, Any]:
    """The classes of figure and canvas. No pyplot: it would look for a display and keep the figure."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingLibraryError(
            "a figure needs matplotlib, which is not installed: pip install 'dibimt[plot]'"
        ) from error
    return Figure, FigureCanvasAgg


@contextmanager
def new_figure() -> Iterator[Any]:
    """An empty figure, to be filled and saved within; texts stay literal: ``$x$`` in a name is not a formula.

    Raises:
        MissingLibraryError: matplotlib is not installed.
    """
    make_figure, make_canvas = _matplotlib()
    import matplotlib

    with matplotlib.rc_context({"text.parse_math": False, "text.usetex": False, "svg.hashsalt": "dibimt"}):
        figure = make_figure(dpi=150, facecolor="white")
        make_canvas(figure)
        yield figure


def saved(figure: Any, ending: str = ".png") -> bytes:
    """The figure as the content of a file with that ending; the same bytes each time."""
    buffer = BytesIO()
    figure.savefig(buffer, format=ending.removeprefix("."), **_FORMATS[ending.lower()])
    return buffer.getvalue()


def name_entries(legend: Any, names: Iterable[str]) -> None:
    """Name the entries of a legend afterwards: matplotlib omits labels that begin with ``_``."""
    for text, name in zip(legend.get_texts(), names, strict=True):
        text.set_text(name)


def dress(axis: Any, grid: str = "both", sides: Sequence[str] = ("top", "right", "left")) -> None:
    """A light grid in these directions, no ticks, no frame on these sides."""
    axis.grid(axis=grid, color="#DDDDDD", linewidth=0.8)
    axis.set_axisbelow(True)
    axis.tick_params(length=0, colors="#333333")
    for side in axis.spines:
        axis.spines[side].set_visible(side not in sides)
        axis.spines[side].set_color("#999999")


def typeset(name: str) -> str:
    """The name of a bin with a real sign for "at least" and a real dash."""
    return name.replace(">=", "≥").replace("-", "–")
