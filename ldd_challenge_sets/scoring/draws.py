"""Draws of sentences, scored as sums: resamples of the bootstrap, and the length-matched random control.

Resamples draw as many segments as there are, with replacement, by ``numpy.random.default_rng(seed)``; all systems and
metrics are scored on the same draws. A draw is kept as the number of times that each segment occurs in it, so that
its sums of statistics are a product of matrices; blocks of draws bound the memory. Intervals and p-values are those of
`dibimt_metric.score_bootstrap`.

The control asks whether a set is hard only because of the lengths of its sentences. For each sentence of a set a
sentence of the corpus is drawn whose source length differs by at most 1 token; together they are one sample. Samples
that score better than the set are evidence for the phenomenon, not the length (paper, Section 5: 100 samples for each
set and each minimum distance). Decisions where the paper is silent:

* each sentence is drawn independently, so that a corpus sentence can occur twice in a sample, following the wording
  ("for each sentence in a given challenge set, we sample a sentence");
* a sentence is not drawn for itself: in a small corpus the longest ones would otherwise always match themselves;
* other sentences of the set can be drawn ("sampled from the overall population").
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from dibimt_metric.score_bootstrap import TOLERANCE, percentile_interval, resample_indices

from .results import Control

if TYPE_CHECKING:
    from dibimt_metric.score_bootstrap import Floats, Ints

BLOCK = 2**21  # counts (draws times segments) in memory at once: 16 MB, and as much again while they are made
WIDTH = 1
"""Largest difference in source length, in tokens (paper, Section 5)."""


def resample_totals(rows: Sequence[Floats], n_resamples: int, seed: int) -> list[Floats]:
    """For each system the sums of statistics of every resample, one a row; without rows if there is no segment.

    ``rows`` holds for each system one row of statistics for each segment, the same segments in the same order.

    >>> import numpy as np
    >>> totals = resample_totals([np.array([[2.0, 1.0], [2.0, 1.0]])], n_resamples=3, seed=0)
    >>> totals[0].tolist()
    [[4.0, 2.0], [4.0, 2.0], [4.0, 2.0]]
    """
    n = len(rows[0])
    return add_draws(resample_indices(n, n_resamples, seed), n_resamples if n else 0, rows)


def add_draws(draws: Iterable[Ints], n_draws: int, rows: Sequence[Floats]) -> list[Floats]:
    """For each system the sum of its rows over each of ``n_draws`` draws: positions of rows, which may repeat."""
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


class LengthPool:
    """The corpus by source length, the number of source tokens of each sentence.

    >>> pool = LengthPool([3, 4, 4, 9])
    >>> pool.unmatched([1, 3])  # no other sentence is as long as the last
    1
    >>> [sorted(draw.tolist()) for draw in pool.draws([0], 2, seed=0)]  # 1 or 2
    [[2], [2]]
    """

    def __init__(self, lengths: Sequence[int]) -> None:
        import numpy as np

        self._lengths = np.asarray(lengths, dtype=np.int64)
        self._order = np.argsort(self._lengths, kind="stable")
        self._sorted = self._lengths[self._order]
        self._place = np.empty_like(self._order)
        self._place[self._order] = np.arange(len(self._order))

    def unmatched(self, members: Sequence[int]) -> int:
        """How many of these sentences, by position in the corpus, have no other sentence of their length."""
        _, others = self._ranges(members)
        return int((others == 0).sum())

    def draws(self, members: Sequence[int], samples: int, seed: int) -> Iterator[Ints]:
        """For each sample the positions drawn, one for each of the members (by position) with another of its length."""
        import numpy as np

        first, others = self._ranges(members)
        matched = others > 0
        first, others = first[matched], others[matched]
        own = self._place[np.asarray(members, dtype=np.int64)][matched]
        generator = np.random.default_rng(seed)
        for _ in range(samples):
            drawn = first + generator.integers(0, others, dtype=np.int64)
            yield self._order[drawn + (drawn >= own)]

    def _ranges(self, members: Sequence[int]) -> tuple[Ints, Ints]:
        """In the order of length: first sentence that matches each member, and number of other matches."""
        import numpy as np

        lengths = self._lengths[np.asarray(members, dtype=np.int64)]
        first = np.searchsorted(self._sorted, lengths - WIDTH, side="left")
        last = np.searchsorted(self._sorted, lengths + WIDTH, side="right")
        return first, last - first - 1


def compare_with_control(metric: str, value: float, sample: Floats, unmatched: int, level: float = 0.95) -> Control:
    """The score of a set compared with the scores of control samples.

    Args:
        metric: name.
        value: the score of the set.
        sample: the score of each control sample; empty if nothing could be drawn.
        unmatched: sentences of the set without another of their length.
        level: share of the samples between ``low`` and ``high``.

    >>> import numpy as np
    >>> compare_with_control("bleu", 20.0, np.array([19.0, 21.0, 22.0, 26.0]), unmatched=0).better
    0.75
    """
    if not len(sample):
        reason = "the corpus has no other sentence of this length"
        return Control(metric, 0, None, None, None, None, unmatched, reason)
    low, high = percentile_interval(sample, level)
    better = float((sample > value + TOLERANCE).mean())
    return Control(metric, len(sample), float(sample.mean()), low, high, better, unmatched)
