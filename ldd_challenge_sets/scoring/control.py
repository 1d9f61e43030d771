"""The length-matched random control: is a set hard only because of the lengths of its sentences?

For each sentence of a set a sentence of the corpus is drawn whose source length differs by at most 1 token; together
they are one sample. Samples that score better than the set speak for the phenomenon, not the length (paper,
Section 5: 100 samples for each set and each minimum distance).

What the paper leaves open is decided so:

* each sentence is drawn on its own, so that a corpus sentence can come up twice in a sample, as the wording has it
  ("for each sentence in a given challenge set, we sample a sentence");
* a sentence is not drawn for itself: in a small corpus the longest ones would otherwise always match themselves;
* other sentences of the set can be drawn ("sampled from the overall population").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from .bootstrap import TOLERANCE, interval
from .results import Control

if TYPE_CHECKING:
    from dibimt_metric.score_bootstrap import Floats, Ints

WIDTH = 1
"""Largest difference in source length, in tokens (paper, Section 5)."""


class LengthPool:
    """The corpus by source length.

    Args:
        lengths: source tokens of each sentence of the corpus.

    >>> pool = LengthPool([3, 4, 4, 9])
    >>> pool.unmatched([1, 3])  # nothing is as long as the last
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
        """How many of these sentences have no other one of their length.

        Args:
            members: positions in the corpus.
        """
        _, others = self._ranges(members)
        return int((others == 0).sum())

    def draws(self, members: Sequence[int], samples: int, seed: int) -> Iterator[Ints]:
        """For each sample the positions drawn, one for each sentence that has another of its length.

        Args:
            members: positions in the corpus of the sentences of the set.
            samples: how many.
            seed: of the generator.
        """
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
        """Where the sentences of each member's length begin in the order of length, and how many others there are."""
        import numpy as np

        lengths = self._lengths[np.asarray(members, dtype=np.int64)]
        first = np.searchsorted(self._sorted, lengths - WIDTH, side="left")
        last = np.searchsorted(self._sorted, lengths + WIDTH, side="right")
        return first, last - first - 1


def compare_with_control(
    metric: str, value: float, sample: Floats, unmatched: int, level: float = 0.95
) -> Control:
    """What the samples' scores say of a set's score.

    Args:
        metric: name.
        value: the score of the set.
        sample: the score of each control sample; empty where nothing could be drawn.
        unmatched: sentences of the set without another of their length.
        level: share of the samples between ``low`` and ``high``.

    >>> import numpy as np
    >>> compare_with_control("bleu", 20.0, np.array([19.0, 21.0, 22.0, 26.0]), unmatched=0).better
    0.75
    """
    if not len(sample):
        reason = "the corpus has no other sentence of such a length"
        return Control(metric, 0, None, None, None, None, unmatched, reason)
    low, high = interval(sample, level)
    better = float((sample > value + TOLERANCE).mean())
    return Control(metric, len(sample), float(sample.mean()), low, high, better, unmatched)
