"""The figure of ``dibimt blimp score`` as SVG inside a page, whose colors it takes: they fit light and dark."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

from dibimt_metric.judge_explain import printable

from ..ldd.svg import marker
from .plot import CHANCE

if TYPE_CHECKING:
    from .plot import Chart, Row

_WIDTH = 400
_LEFT, _RIGHT = 8, 372
_ROW, _TRACK = 33, 22  # height of a row; where its track lies below its top, the name above it
_TOP, _BOTTOM = 4, 26


def chart_svg(chart: Chart, described: str) -> str:
    """The figure as an element ``svg``; each name stands above its track, so that it can be read on a telephone.

    Args:
        chart: what is drawn.
        described: what a reader who cannot see it is told.
    """
    height = _TOP + _ROW * len(chart.rows) + _BOTTOM
    frame = _Frame(*chart.limits())
    parts = [
        f'<svg class="panel" viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{escape(printable(described))}">',
        *_grid(frame, height - _BOTTOM),
    ]
    for place, row in enumerate(chart.rows):
        parts += _row(frame, chart, row, _TOP + _ROW * place)
    return "\n".join((*parts, "</svg>"))


class _Frame:
    """From percentages to places in the picture."""

    def __init__(self, low: float, high: float) -> None:
        self.low, self.high = low, high

    def x(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return _LEFT + (_RIGHT - _LEFT) * min(1.0, max(0.0, share))


def _grid(frame: _Frame, bottom: int) -> Iterator[str]:
    for mark in range(int(frame.low), int(frame.high) + 1, 10):
        x = frame.x(mark)
        yield f'<path class="grid" d="M{x:.1f},{_TOP}V{bottom}"/>'
        yield f'<text class="quiet" x="{x:.1f}" y="{bottom + 16}" text-anchor="middle">{mark}</text>'
    yield f'<path class="axis chance" d="M{frame.x(CHANCE):.1f},{_TOP}V{bottom}"/>'


def _row(frame: _Frame, chart: Chart, row: Row, top: int) -> Iterator[str]:
    y = top + _TRACK
    yield f'<text class="name" x="{_LEFT}" y="{top + 12}">{escape(printable(row.name))}</text>'
    yield f'<path class="grid" d="M{_LEFT},{y}H{_RIGHT}"/>'
    for (name, style), value in zip(chart.legend[1:], row.marks, strict=True):
        if value is not None:
            yield _mark(frame, name, style, value, y, hollow=True)
    name, style = chart.legend[0]
    if row.low is not None and row.high is not None:
        yield f'<path class="s{style} interval" d="M{frame.x(row.low):.1f},{y}H{frame.x(row.high):.1f}"/>'
    if row.value is not None:
        yield _mark(frame, name, style, row.value, y, hollow=False)


def _mark(frame: _Frame, name: str, style: int, value: float, y: int, *, hollow: bool) -> str:
    title = f"<title>{escape(printable(name))}: {value:.1f}</title>"
    return f'<g transform="translate({frame.x(value):.1f},{y})">{title}{marker(style, hollow)}</g>'
