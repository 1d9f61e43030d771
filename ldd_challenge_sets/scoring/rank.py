"""Spearman's rank correlation, for a handful of points: is a longer distance harder (paper, Table 5)?"""

from __future__ import annotations

import math
from collections.abc import Sequence

from dibimt_metric.errors import InputError

LEAST = 3
"""Fewer points have no rank correlation: two points give 1 or -1 whatever they are."""


def spearman(first: Sequence[float], second: Sequence[float]) -> tuple[float | None, str | None]:
    """Spearman's rho of paired values, and the reason where it is undefined.

    Pearson's correlation of the ranks; equal values share the mean of their ranks. Range -1 to 1. With the paper's
    four points only 0, .2, .4 ... 1 and their negatives can come out where no values are equal, and even -1 has a
    probability of 1 in 24 by chance.

    Args:
        first: values, without not-a-number.
        second: as many of the other side.

    Returns:
        rho and ``None``, or ``None`` and the reason: fewer than three points, or one side has equal values only.

    Raises:
        InputError: the numbers of values differ.

    >>> spearman([0, 1, 2, 3], [9.0, 7.5, 7.5, 5.3])[0] == -9 / (3 * 10) ** 0.5 / 3 ** 0.5
    True
    >>> spearman([0, 1], [9.0, 7.5])
    (None, 'fewer than 3 points')
    """
    if len(first) != len(second):
        raise InputError(f"{len(first)} and {len(second)} values; a correlation needs pairs")
    if len(first) < LEAST:
        return None, f"fewer than {LEAST} points"
    ranks = _centred(first), _centred(second)
    spread = [sum(rank * rank for rank in side) for side in ranks]
    if not all(spread):
        return None, "all values are equal"
    return sum(one * other for one, other in zip(*ranks, strict=True)) / math.sqrt(
        spread[0] * spread[1]
    ), None


def _centred(values: Sequence[float]) -> list[int]:
    """Twice the distance of each rank from the mean rank: whole numbers, so that 1 and -1 come out exactly."""
    n = len(values)
    below = [sum(other < value for other in values) for value in values]
    equal = [sum(other == value for other in values) for value in values]
    # Ranks below + 1 ... below + equal have the mean below + (equal + 1) / 2; the mean of all is (n + 1) / 2.
    return [2 * low + same - n for low, same in zip(below, equal, strict=True)]
