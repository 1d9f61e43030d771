"""One panel of the figure as SVG inside a page: colors come from the page, so that they fit light and dark."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING

from dibimt_metric.judge_explain import printable

from .plot import offset, style_of

if TYPE_CHECKING:
    from .plot import Line, Panel, Point

_WIDTH, _HEIGHT = 400, 272
_LEFT, _RIGHT, _TOP, _BOTTOM = 40, 396, 10, 226
_TICKS = 5
# Outlines about 9 units wide around 0, by the names that matplotlib has for them.
_SHAPES = {
    "o": "M-4.2,0a4.2,4.2 0 1,0 8.4,0a4.2,4.2 0 1,0 -8.4,0Z",
    "s": "M-3.8,-3.8h7.6v7.6h-7.6Z",
    "^": "M0,-4.8L4.8,3.6H-4.8Z",
    "D": "M0,-5.2L5.2,0L0,5.2L-5.2,0Z",
    "v": "M0,4.8L4.8,-3.6H-4.8Z",
    "P": "M-1.7,-4.8h3.4v3.1h3.1v3.4h-3.1v3.1h-3.4v-3.1h-3.1v-3.4h3.1Z",
    "X": "M-4.6,-2.2L-2.2,-4.6L0,-2.4L2.2,-4.6L4.6,-2.2L2.4,0L4.6,2.2L2.2,4.6L0,2.4L-2.2,4.6L-4.6,2.2L-2.4,0Z",
}


def _color(place: int) -> str:
    """Class of the page's style that gives the color of the system at that place."""
    return f"s{style_of(place)[0]}"


def marker(place: int, hollow: bool = False) -> str:
    """The outline of a system's sign, at 0."""
    shape = _SHAPES[style_of(place)[1]]
    return f'<path class="{_color(place)}{" hollow" if hollow else ""}" d="{shape}"/>'


def swatch(place: int) -> str:
    """A system's sign in a line of text."""
    return f'<svg class="mark" viewBox="-7 -7 14 14" aria-hidden="true">{marker(place)}</svg>'


def panel_svg(panel: Panel, bounds: tuple[float, float], described: str) -> str:
    """The panel as an element ``svg``.

    Args:
        panel: what is drawn.
        bounds: bottom and top of the axis.
        described: what a reader who cannot see it is told.
    """
    frame = _Frame(len(panel.bins), bounds)
    parts = [
        f'<svg class="panel" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(printable(described))}">',
        *_grid(frame, panel),
        *(part for place, line in enumerate(panel.lines) for part in _baseline(frame, place, line)),
    ]
    for place, line in enumerate(panel.lines):
        parts += _line(frame, place, line, offset(place, len(panel.lines)))
    return "\n".join((*parts, "</svg>"))


class _Frame:
    """From bins and scores to places in the picture."""

    def __init__(self, bins: int, bounds: tuple[float, float]) -> None:
        self.bins = max(1, bins)
        self.low, self.high = bounds

    def x(self, place: float) -> float:
        return _LEFT + (_RIGHT - _LEFT) * (place + 0.5) / self.bins

    def y(self, value: float) -> float:
        """Inside the frame: a bar that is longer ends at its edge."""
        share = (value - self.low) / (self.high - self.low)
        return _BOTTOM - (_BOTTOM - _TOP) * min(1.0, max(0.0, share))


def ticks(low: float, high: float, about: int = _TICKS) -> tuple[float, ...]:
    """Round numbers between two bounds: multiples of 1, 2 or 5 times a power of ten.

    >>> ticks(24.3, 40.9)
    (25.0, 30.0, 35.0, 40.0)
    """
    rough = (high - low) / about
    power = 10.0 ** math.floor(math.log10(rough))
    step = power * next(each for each in (1, 2, 5, 10) if each * power >= rough * 0.999)
    first, last = math.ceil(low / step), math.floor(high / step)
    return tuple(round(place * step, 10) for place in range(first, last + 1))


def _grid(frame: _Frame, panel: Panel) -> Iterator[str]:
    marks = ticks(frame.low, frame.high)
    decimals = max((len(f"{mark:g}".partition(".")[2]) for mark in marks), default=0)
    for mark in marks:
        y = frame.y(mark)
        yield f'<path class="grid" d="M{_LEFT},{y:.1f}H{_RIGHT}"/>'
        yield f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{mark:.{decimals}f}</text>'
    yield f'<path class="axis" d="M{_LEFT},{_BOTTOM}H{_RIGHT}"/>'
    for place, (name, count) in enumerate(zip(panel.bins, panel.counts, strict=True)):
        x = f'x="{frame.x(place):.1f}" text-anchor="middle"'
        yield f'<text {x} y="{_BOTTOM + 18}">{escape(name)}</text>'
        yield f'<text {x} y="{_BOTTOM + 34}" class="quiet">n={count:,}</text>'


def _baseline(frame: _Frame, place: int, line: Line) -> Iterator[str]:
    if line.baseline is not None:
        path = f"M{_LEFT},{frame.y(line.baseline):.1f}H{_RIGHT}"
        yield f'<path class="{_color(place)} line dashed" d="{path}"/>'


def _line(frame: _Frame, place: int, line: Line, shift: float) -> Iterator[str]:
    shown = [(frame.x(number + shift), point) for number, point in enumerate(line.points)]
    for path in _paths(frame, shown):
        yield f'<path class="{_color(place)} line" d="{path}"/>'
    yield f"<g><title>{escape(printable(line.system))}</title>"
    for x, point in shown:
        if point.low is not None and point.high is not None:
            bar = f"M{x:.1f},{frame.y(point.low):.1f}V{frame.y(point.high):.1f}"
            yield f'<path class="{_color(place)} bar" d="{bar}"/>'
        if point.value is not None:
            where = f"translate({x:.1f},{frame.y(point.value):.1f})"
            yield f'<g transform="{where}">{marker(place, point.small)}</g>'
    yield "</g>"


def _paths(frame: _Frame, shown: Sequence[tuple[float, Point]]) -> Iterator[str]:
    """The line, broken where a score is undefined."""
    run: list[str] = []
    for x, point in shown:
        if point.value is None:
            run = []
            continue
        run.append(f"{x:.1f},{frame.y(point.value):.1f}")
        if len(run) > 1:
            yield f"M{run[-2]}L{run[-1]}"
