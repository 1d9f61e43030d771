"""Shared by all figures: colors and markers, matplotlib without a display, literal text, reproducible files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

from dibimt_metric.errors import InputError, MissingLibraryError

# The colors of the Okabe-Ito palette, for color-blind readers, that are visible on white.
STYLES = (
    ("#0072B2", "o"), ("#D55E00", "s"), ("#009E73", "^"), ("#CC79A7", "D"),
    ("#E69F00", "v"), ("#56B4E9", "P"), ("#777777", "X"),
)  # fmt: skip
"""Color and marker of the first seven systems; further systems combine them differently, see `style_of`."""
GRAY = "#555555"

# Without dates, so that the same report gives the same bytes.
_FORMATS: dict[str, dict[str, Any]] = {
    ".png": {},
    ".svg": {"metadata": {"Date": None}},
    ".pdf": {"metadata": {"CreationDate": None}},
}


def style_of(place: int) -> tuple[int, str]:
    """Index of the color in `STYLES`, and marker, of the system with that index; 49 pairs differ.

    >>> style_of(0), style_of(7)
    ((0, 'o'), (0, 's'))
    """
    turn, color = divmod(place, len(STYLES))
    return color, STYLES[(color + turn) % len(STYLES)][1]


def color_and_marker(place: int) -> tuple[str, str]:
    """Like `style_of`, with the color itself."""
    color, marker = style_of(place)
    return STYLES[color][0], marker


def check_plot(name: str) -> None:
    """Reject a figure that cannot be drawn before the work begins.

    Raises:
        InputError: the file name has an unknown extension.
        MissingLibraryError: matplotlib is not installed.
    """
    if Path(name).suffix.lower() not in _FORMATS:
        raise InputError(f"{name}: cannot be drawn: the name of a figure ends in {', '.join(_FORMATS)}")
    _matplotlib()


def _matplotlib() -> tuple[Any, Any]:
    """The classes of figure and canvas; pyplot would look for a display and keep the figure."""
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
    """An empty figure to be filled and saved in the block; text is literal: ``$x$`` in a name is not a formula.

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
    """The reproducible content of a file with that extension."""
    buffer = BytesIO()
    figure.savefig(buffer, format=ending.removeprefix("."), **_FORMATS[ending.lower()])
    return buffer.getvalue()


def name_entries(legend: Any, names: Iterable[str]) -> None:
    """Rename the entries of a legend: matplotlib omits labels that begin with ``_``."""
    for text, name in zip(legend.get_texts(), names, strict=True):
        text.set_text(name)


def dress(axis: Any, grid: str = "both", sides: Sequence[str] = ("top", "right", "left")) -> None:
    """Draw a light grid in these directions; hide ticks, and the frame on these sides."""
    axis.grid(axis=grid, color="#DDDDDD", linewidth=0.8)
    axis.set_axisbelow(True)
    axis.tick_params(length=0, colors="#333333")
    for side in axis.spines:
        axis.spines[side].set_visible(side not in sides)
        axis.spines[side].set_color("#999999")


def typeset(name: str) -> str:
    """The name of a bin with a real sign for "at least" and a real dash."""
    return name.replace(">=", "≥").replace("-", "–")
