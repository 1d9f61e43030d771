"""Pearson's and Spearman's correlation of a few points.

`statistics.correlation` computes Spearman's only since Python 3.12.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from dibimt_metric.errors import InputError

MIN_POINTS = 3
"""Two points always give 1 or -1."""


@dataclass(frozen=True, slots=True)
class Correlation:
    """Both correlations of two series.

    Attributes:
        pearson: -1 to 1; ``None``: undefined.
        spearman: Pearson's correlation of the ranks, where equal values share the mean of their ranks; same range.
        points: number of pairs of values.
        reason: why both are undefined, else ``None``.
    """

    pearson: float | None
    spearman: float | None
    points: int
    reason: str | None = None


def correlation(first: Sequence[float], second: Sequence[float]) -> Correlation:
    """Correlate paired values; undefined for fewer than three points or if one side does not vary.

    Args:
        first: finite values.
        second: finite values of the other side, equally many.

    Raises:
        InputError: the numbers of values differ.

    >>> correlation([1.0, 2.0, 4.0], [10.0, 20.0, 40.0])
    Correlation(pearson=1.0, spearman=1.0, points=3, reason=None)
    >>> correlation([0, 1, 2, 3], [9.0, 7.5, 7.5, 5.3]).spearman == -9 / (3 * 10) ** 0.5 / 3 ** 0.5
    True
    >>> correlation([1.0, 2.0], [1.0, 2.0]).reason
    'fewer than 3 points'
    """
    if len(first) != len(second):
        raise InputError(f"{len(first)} and {len(second)} values; a correlation needs pairs of values")
    n = len(first)
    if n < MIN_POINTS:
        return Correlation(None, None, n, f"fewer than {MIN_POINTS} points")
    if min(first) == max(first) or min(second) == max(second):
        return Correlation(None, None, n, "all values of one side are equal")
    pearson = _cosine(_centered(first), _centered(second))
    return Correlation(pearson, _cosine(_centered_ranks(first), _centered_ranks(second)), n)


def _cosine(first: Sequence[float], second: Sequence[float]) -> float:
    first, second = _scaled(first), _scaled(second)
    scale = math.sqrt(math.fsum(v * v for v in first) * math.fsum(v * v for v in second))
    value = math.fsum(a * b for a, b in zip(first, second, strict=True)) / scale
    return max(-1.0, min(1.0, value))


def _scaled(values: Sequence[float]) -> list[float]:
    """The values over a power of two near the largest: exact, and squares of tiny values do not become 0."""
    exponent = math.frexp(max(map(abs, values)))[1]
    return [math.ldexp(value, -exponent) for value in values]


def _centered(values: Sequence[float]) -> list[float]:
    mean = math.fsum(values) / len(values)
    return [value - mean for value in values]


def _centered_ranks(values: Sequence[float]) -> list[int]:
    """Twice the distance of each rank from the mean rank: integers, so that 1 and -1 come out exactly."""
    below = [sum(other < value for other in values) for value in values]
    equal = [sum(other == value for other in values) for value in values]
    # Ranks below + 1 ... below + equal have the mean below + (equal + 1) / 2; the mean of all is (n + 1) / 2.
    return [2 * low + same - len(values) for low, same in zip(below, equal, strict=True)]
