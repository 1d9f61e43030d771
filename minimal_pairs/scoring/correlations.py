"""Pearson's and Spearman's correlation of a dozen points: are the same phenomena hard for a model and for people?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from dibimt_metric.errors import InputError

LEAST = 3
"""Two points give 1 or -1 whatever they are."""


@dataclass(frozen=True, slots=True)
class Correlation:
    """How two series go together.

    Attributes:
        pearson: -1 to 1; ``None``: undefined. spearman: Pearson's correlation of the ranks, equal values sharing the
            mean of their ranks; likewise.
        points: pairs of values that entered. reason: why undefined, else ``None``.
    """

    pearson: float | None
    spearman: float | None
    points: int
    reason: str | None = None


def correlation(first: Sequence[float], second: Sequence[float]) -> Correlation:
    """Both correlations of paired values; undefined for fewer than three points and for a side without variation.

    Args:
        first: finite values.
        second: as many of the other side.

    Raises:
        InputError: the numbers of values differ.

    >>> correlation([1.0, 2.0, 4.0], [10.0, 20.0, 40.0])
    Correlation(pearson=1.0, spearman=1.0, points=3, reason=None)
    >>> correlation([1.0, 2.0], [1.0, 2.0]).reason
    'fewer than 3 points'
    """
    if len(first) != len(second):
        raise InputError(f"{len(first)} and {len(second)} values; a correlation needs pairs of values")
    n = len(first)
    if n < LEAST:
        return Correlation(None, None, n, f"fewer than {LEAST} points")
    if min(first) == max(first) or min(second) == max(second):
        return Correlation(None, None, n, "all values of one side are equal")
    return Correlation(_pearson(first, second), _pearson(_ranks(first), _ranks(second)), n)


def _pearson(first: Sequence[float], second: Sequence[float]) -> float:
    one, other = _centred(first), _centred(second)
    scale = math.sqrt(math.fsum(v * v for v in one) * math.fsum(v * v for v in other))
    value = math.fsum(a * b for a, b in zip(one, other, strict=True)) / scale
    return max(-1.0, min(1.0, value))


def _centred(values: Sequence[float]) -> list[float]:
    mean = math.fsum(values) / len(values)
    return [value - mean for value in values]


def _ranks(values: Sequence[float]) -> list[float]:
    """Ranks from 1; equal values get the mean of the ranks that they take together."""
    return [
        sum(other < value for other in values) + (sum(other == value for other in values) + 1) / 2
        for value in values
    ]
