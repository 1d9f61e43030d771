"""From counts of decisions to accuracies: over pairs, mean over paradigms, mean over phenomena.

The three are different numbers, and every `Accuracy` states which one it is. The paper's is the mean over paradigms:
its overall scores (GPT-2 83.0) are the means of its 67 paradigms, that is, of its phenomena weighted by their
number of paradigms; the plain mean of its 12 phenomena would be 84.8. A phenomenon is the mean of its paradigms.
As each paradigm of BLiMP has 1,000 pairs, the accuracy over all pairs equals the mean over paradigms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from typing import NamedTuple

from .intervals import Stratum, interval
from .results import Accuracy, Decision, PairOutcome


class Ties(str, Enum):
    """What a pair whose sentences score the same counts as.

    Attributes:
        WRONG: the paper's rule, the good sentence must score higher. RIGHT: as an argmax that takes the first of
            equals. HALF: as a coin would decide.
    """

    WRONG = "wrong"
    RIGHT = "right"
    HALF = "half"


CREDIT = {Ties.WRONG: Fraction(0), Ties.RIGHT: Fraction(1), Ties.HALF: Fraction(1, 2)}

NO_PAIR = "no pair with a score"
OVER_PAIRS = "over pairs"


class Tally(NamedTuple):
    """Counts of decisions."""

    right: int = 0
    wrong: int = 0
    ties: int = 0
    unscored: int = 0

    @property
    def n(self) -> int:
        """Pairs that enter an accuracy."""
        return self.right + self.wrong + self.ties


def tally(outcomes: Iterable[PairOutcome]) -> Tally:
    """Count the decisions of some pairs.

    >>> tally([])
    Tally(right=0, wrong=0, ties=0, unscored=0)
    """
    counts = Counter(Decision(outcome.decision) for outcome in outcomes)
    return Tally(*(counts[each] for each in (Decision.RIGHT, Decision.WRONG, Decision.TIE, Decision.UNSCORED)))


def total(tallies: Iterable[Tally]) -> Tally:
    """The sum of tallies.

    >>> total([Tally(1, 2, 3, 4), Tally(ties=1)])
    Tally(right=1, wrong=2, ties=4, unscored=4)
    """
    columns = list(zip(*tallies, strict=True))
    return Tally(*(sum(column) for column in columns)) if columns else Tally()


def over_pairs(counts: Tally, ties: Ties) -> Accuracy:
    """``100 * (right + credit * ties) / n`` with Wilson's interval; undefined if no pair has a score.

    The interval treats the pairs as one sample; where they come from several paradigms it is slightly too wide.

    >>> over_pairs(Tally(right=2, wrong=1, ties=1), Ties.HALF).value  # 100 * 2.5 / 4
    62.5
    """
    return _accuracy([[counts]] if counts.n else [], ties, OVER_PAIRS, counts)


def mean_over_paradigms(paradigms: Mapping[str, Tally], ties: Ties) -> Accuracy:
    """The paper's average: each paradigm counts the same, however many pairs it has.

    Paradigms without a scored pair are omitted, and the average says so.

    >>> mean_over_paradigms({"a": Tally(right=1), "b": Tally(right=1, wrong=3)}, Ties.WRONG).value  # (100 + 25) / 2
    62.5
    """
    used = _scored(paradigms)
    average = _words(len(used), len(paradigms), "paradigm", "paradigms")
    return _accuracy([[counts] for counts in used], ties, average, total(paradigms.values()))


def mean_over_phenomena(phenomena: Mapping[str, Mapping[str, Tally]], ties: Ties) -> Accuracy:
    """The mean over phenomena of their means over paradigms: not the paper's average."""
    used = [scored for paradigms in phenomena.values() if (scored := _scored(paradigms))]
    average = _words(len(used), len(phenomena), "phenomenon", "phenomena")
    return _accuracy(used, ties, average, total(c for paradigms in phenomena.values() for c in paradigms.values()))


def _scored(paradigms: Mapping[str, Tally]) -> list[Tally]:
    return [counts for counts in paradigms.values() if counts.n]


def _accuracy(groups: Sequence[Sequence[Tally]], ties: Ties, average: str, counts: Tally) -> Accuracy:
    """The mean over groups of their means, in fractions, so that neither order nor rounding changes the value."""
    if not groups:
        return Accuracy(None, average, 0, *counts, reason=NO_PAIR)
    share = sum(sum(_share(each, ties) for each in group) / len(group) for group in groups) / len(groups)
    strata = [_stratum(each, 1 / (len(groups) * len(group)), ties) for group in groups for each in group]
    low, high = interval(strata)
    return Accuracy(float(100 * share), average, counts.n, *counts, low=100 * low, high=100 * high)


def _share(counts: Tally, ties: Ties) -> Fraction:
    return Fraction(counts.right + CREDIT[ties] * counts.ties) / counts.n


def _stratum(counts: Tally, weight: float, ties: Ties) -> Stratum:
    """The pairs of a paradigm as numbers from 0 to 1, with their sample variance."""
    n, mean = counts.n, _share(counts, ties)
    squares = counts.right + CREDIT[ties] ** 2 * counts.ties - n * mean**2
    return Stratum(weight, n, float(mean), float(squares / (n - 1)) if n > 1 else 0.0)


def _words(used: int, all_of_them: int, one: str, many: str) -> str:
    words, left = f"mean over {used} {one if used == 1 else many}", all_of_them - used
    return f"{words} ({left} without a scored pair left out)" if left else words
