"""SVG figures in pages; their colors are defined by the page, for light and dark mode."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from dibimt_common.html import Html, bullets, element, join

from .figures import STYLES, style_of

WIDTH = 400
# Outlines about 9 units wide around 0, by matplotlib's names.
_SHAPES = {
    "o": "M-4.2,0a4.2,4.2 0 1,0 8.4,0a4.2,4.2 0 1,0 -8.4,0Z",
    "s": "M-3.8,-3.8h7.6v7.6h-7.6Z",
    "^": "M0,-4.8L4.8,3.6H-4.8Z",
    "D": "M0,-5.2L5.2,0L0,5.2L-5.2,0Z",
    "v": "M0,4.8L4.8,-3.6H-4.8Z",
    "P": "M-1.7,-4.8h3.4v3.1h3.1v3.4h-3.1v3.1h-3.4v-3.1h-3.1v-3.4h3.1Z",
    "X": "M-4.6,-2.2L-2.2,-4.6L0,-2.4L2.2,-4.6L4.6,-2.2L2.4,0L4.6,2.2L2.2,4.6L0,2.4L-2.2,4.6L-4.6,2.2L-2.4,0Z",
}
# The colors of `STYLES`, lighter for dark mode.
_DARK = ("#5AB0EA", "#FF8F45", "#2FCB9E", "#E7A3C9", "#F5BC3D", "#9AD7FA", "#B5B5B5")


def _palette(colors: Iterable[str]) -> str:
    return " ".join(f"--s{place}: {color};" for place, color in enumerate(colors))


COLORS = {"light": _palette(color for color, _ in STYLES), "dark": _palette(_DARK)}
"""For `dibimt_common.html.document`, with `STYLE`."""
STYLE = (
    "\n".join(f".s{place} {{ --color: var(--s{place}); }}" for place in range(len(STYLES)))
    + """
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .1rem 1.1rem; margin: 0 0 .25rem; padding: 0; }
.mark { width: 1em; height: 1em; margin-right: .4em; vertical-align: -.13em; }
.panel { display: block; width: 100%; max-width: 35rem; height: auto; }
.panel text { font: 12px system-ui, sans-serif; fill: var(--ink); }
.panel text.quiet { fill: var(--quiet); font-size: 11px; }
.panel text.name { paint-order: stroke; stroke: var(--page); stroke-width: 4px; }
path { fill: var(--color); stroke: var(--color); stroke-width: 1.4; }
path.hollow { fill: var(--page); }
path.line { fill: none; stroke-width: 1.7; }
path.bar { fill: none; opacity: .45; }
path.interval { fill: none; stroke-width: 3.5; opacity: .4; }
path.dashed { stroke-width: 1.1; stroke-dasharray: 6 5; opacity: .8; }
path.grid { stroke: var(--line); stroke-width: 1; }
path.axis { stroke: var(--quiet); stroke-width: 1; }
path.chance { stroke-dasharray: 4 4; }
"""
)


class Scale(NamedTuple):
    """Maps values (``low`` to ``high``) to positions (``start`` to ``end``); values outside are clipped."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """The position of a value."""
        share = min(1.0, max(0.0, (value - self.low) / (self.high - self.low)))
        return self.start + (self.end - self.start) * share


def picture(height: int, described: str, parts: Iterable[Html]) -> Html:
    """The element ``svg``; ``described`` is its text for screen readers."""
    box = f"0 0 {WIDTH} {height}"
    return element("svg", join(parts, "\n"), class_="panel", viewBox=box, role="img", aria_label=described)


def path(d: str, class_: str, place: int | None = None) -> Html:
    """A path in the color of the system with that index."""
    color = "" if place is None else f"s{style_of(place)[0]} "
    return element("path", class_=color + class_, d=d)


def label(text: object, x: float, y: float, anchor: str | None = "middle", class_: str | None = None) -> Html:
    """A text in the picture."""
    return element("text", text, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor, class_=class_)


def marker(place: int, hollow: bool = False) -> Html:
    """The outline of a system's marker around the origin."""
    color, shape = style_of(place)
    return element("path", class_=f"s{color}{' hollow' if hollow else ''}", d=_SHAPES[shape])


def marker_at(place: int, x: float, y: float, hollow: bool, title: str | None = None) -> Html:
    """A system's marker with a tooltip."""
    named = () if title is None else (element("title", title),)
    return element("g", *named, marker(place, hollow), transform=f"translate({x:.1f},{y:.1f})")


def legend(names: Iterable[tuple[object, int, bool]]) -> Html:
    """A legend of names with their markers: name, index of the style, whether hollow."""
    return bullets((join((swatch(place, hollow), name)) for name, place, hollow in names), "legend")


def swatch(place: int, hollow: bool = False) -> Html:
    """A system's marker in a line of text."""
    return element("svg", marker(place, hollow), class_="mark", viewBox="-7 -7 14 14", aria_hidden="true")


def ticks(low: float, high: float, about: int = 5) -> tuple[float, ...]:
    """Round numbers between two bounds: multiples of 1, 2 or 5 times a power of ten.

    >>> ticks(24.3, 40.9)
    (25.0, 30.0, 35.0, 40.0)
    """
    rough = (high - low) / about
    power = 10.0 ** math.floor(math.log10(rough))
    step = power * next(each for each in (1, 2, 5, 10) if each * power >= rough * 0.999)
    first, last = math.ceil(low / step), math.floor(high / step)
    return tuple(round(place * step, 10) for place in range(first, last + 1))


def tick_labels(marks: Sequence[float]) -> list[str]:
    """The marks, all with the decimals that the longest needs."""
    decimals = max((len(f"{mark:g}".partition(".")[2]) for mark in marks), default=0)
    return [f"{mark:.{decimals}f}" for mark in marks]
