"""Resampling of segments: intervals of a score, and the difference of two systems on the same segments.

A resample draws as many segments as there are, with replacement, by ``numpy.random.default_rng(seed)``; all systems
and metrics are taken on the same draws. A resample is held as the number of times that each segment was drawn,
so that its sums of statistics are a product of matrices; blocks of resamples bound the memory. The conventions are
those of `dibimt_metric.score_bootstrap`: percentile intervals, two-sided p-values that are never 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from dibimt_metric.score_bootstrap import resample_indices

if TYPE_CHECKING:
    from dibimt_metric.score_bootstrap import Floats, Ints

BLOCK = 2**21
"""Counts (draws times segments) held at once: 16 MB, and as much again while they are made."""

# Scores are at most 100: a resample that equals the observed difference but for rounding counts as equal.
TOLERANCE = 1e-9


def resample_totals(rows: Sequence[Floats], n_resamples: int, seed: int) -> list[Floats]:
    """For each system the sums of statistics of every resample.

    Args:
        rows: for each system one row of statistics for each segment, the same segments in the same order.
        n_resamples: resamples to draw.
        seed: of the generator.

    Returns:
        For each system an array with a row for each resample; without rows where there is no segment.

    >>> import numpy as np
    >>> totals = resample_totals([np.array([[2.0, 1.0], [2.0, 1.0]])], n_resamples=3, seed=0)
    >>> totals[0].tolist()
    [[4.0, 2.0], [4.0, 2.0], [4.0, 2.0]]
    """
    n = len(rows[0])
    return add_draws(resample_indices(n, n_resamples, seed), n_resamples if n else 0, rows)


def add_draws(draws: Iterable[Ints], n_draws: int, rows: Sequence[Floats]) -> list[Floats]:
    """For each system the sum of its rows over each draw.

    Args:
        draws: positions of rows, which may repeat; ``n_draws`` arrays.
        n_draws: number of draws.
        rows: for each system its rows.
    """
    import numpy as np

    size = len(rows[0])
    step = max(1, BLOCK // max(1, size))
    totals = [np.zeros((n_draws, each.shape[1])) for each in rows]
    remaining = iter(draws)
    for start in range(0, n_draws, step):
        block = islice(remaining, step)
        counts = np.array([np.bincount(draw, minlength=size) for draw in block], dtype=np.float64)
        for total, each in zip(totals, rows, strict=True):
            total[start : start + len(counts)] = counts @ each
    return totals


def interval(sample: Floats, level: float) -> tuple[float, float] | tuple[None, None]:
    """The central share ``level`` of a sample (quantiles with linear interpolation); ``None`` of an empty one.

    >>> import numpy as np
    >>> interval(np.arange(101.0), 0.5)
    (25.0, 75.0)
    """
    import numpy as np

    if not len(sample):
        return None, None
    low, high = np.quantile(sample, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def p_value(sample: Floats, difference: float) -> float | None:
    """Two-sided p-value of an observed difference d, given the differences d_b of B resamples.

    ``(#{b : |d_b - d| >= |d|} + 1) / (B + 1)``: how often a difference as large comes up where the true one is 0
    (the d_b moved to 0). 1 where d is 0; ``None`` without resamples.

    >>> import numpy as np
    >>> p_value(np.array([2.0, 3.0, 4.0, 7.0]), 3.0)  # of -1, 0, 1, 4 only 4 is as far from 0 as 3
    0.4
    """
    if not len(sample):
        return None
    extreme = int((abs(sample - difference) >= abs(difference) - TOLERANCE).sum())
    return (extreme + 1) / (len(sample) + 1)
