"""Two finished runs on the same pairs: how far apart they are, and which pairs one gained and lost.

With c the credit of a pair (1 right, 0 wrong, a tie by its rule) and d = second - first on a pair, averaged as
accuracies are (over the pairs of each of P paradigms, then over paradigms)::

    D = mean of d,  q = mean of d**2,  V = 1/P**2 * sum over paradigms of s_p**2 / n_p     (s_p**2: sample variance)
    n = max(P**2 / sum(1 / n_p),  (q - D**2) / V * (z / t)**2)
    interval = D' -+ z * sqrt((q' - D'**2) / (n + 2)),  D' = n D / (n + 2),  q' = (n q + 1) / (n + 2)

This is the interval of Agresti and Min (2005) for paired shares, which adds half a pair to each of the four ways that
two runs can decide, taken at the effective number of pairs (see `minimal_pairs.scoring.intervals`, also for t).
Simulated for 1, 2, 9 and 67 paradigms of 1 to 1,000 pairs, it covers the true value in 93 to 100 percent of cases;
D -+ t sqrt(V), which has width 0 where the runs agree on all pairs, does so in 21 percent at worst.

The p-value is that of McNemar's exact test on the pairs gained and lost: if both runs are equally good, each is as
likely (two-sided, not corrected for the number of comparisons). It counts pairs, so that it may disagree with the
interval in a group of paradigms of unequal size.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from dibimt_metric.errors import InputError
from dibimt_metric.score_measures import parse_option

from ..paradigms import PARADIGMS, PHENOMENA, in_paper_order
from ..records import PairKey
from .averages import CREDIT, Ties
from .intervals import Z, student
from .journal import Header, differing
from .results import Decision, PairOutcome

NO_COMMON_PAIR = "no pair that both have scored"
_ROUNDING = 1e-14  # of a variance


@dataclass(frozen=True, slots=True)
class Scored:
    """A finished run.

    Attributes:
        name: short, for tables. header: ``None``: not known. outcomes: of its pairs.
    """

    name: str
    header: Header | None
    outcomes: tuple[PairOutcome, ...]

    @property
    def ties(self) -> Ties:
        """What a tie counts as; wrong if that is not known."""
        given = dict(self.header.settings).get("ties") if self.header else None
        return Ties.WRONG if given is None else parse_option(Ties, given, f"setting ties of {self.name}:")


@dataclass(frozen=True, slots=True)
class Gap:
    """How far apart two runs are on a group of pairs.

    Attributes:
        name: of the group. paradigms, n: numbers of its paradigms and common pairs.
        first, second: percent, mean over paradigms. difference: second minus first, in percentage points.
        low, high: 95 percent interval of the difference. p_value: of gained against lost pairs.
        gained, lost: numbers of pairs on which the second run has more credit, and less.
        reason: why something is undefined.
    """

    name: str
    paradigms: int
    n: int
    first: float | None
    second: float | None
    difference: float | None
    low: float | None
    high: float | None
    p_value: float | None
    gained: int
    lost: int
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Versus:
    """The comparison of two runs.

    Attributes:
        overall: mean over paradigms. phenomena, paradigms: by group.
        gained, lost: the pairs.
        only_first, only_second: numbers of pairs that the other run lacks. unscored: common pairs that at least one
            run has not scored.
        differs: settings and data that differ, in words.
    """

    first: str
    second: str
    overall: Gap
    phenomena: tuple[Gap, ...]
    paradigms: tuple[Gap, ...]
    gained: tuple[PairKey, ...]
    lost: tuple[PairKey, ...]
    only_first: int
    only_second: int
    unscored: int
    differs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Both:
    """A pair that both have scored, with its credits."""

    key: PairKey
    phenomenon: str | None
    first: float
    second: float


def compare_runs(first: Scored, second: Scored) -> Versus:
    """Compare two runs on the pairs that both have scored; pairs are matched by paradigm and number.

    Raises:
        InputError: they have no pair in common, or one has a pair twice.
    """
    ours, theirs = _by_key(first), _by_key(second)
    common = [key for key in ours if key in theirs]
    if not common:
        raise InputError(f"{first.name} and {second.name} have no pair in common; compare runs on the same data")
    both = [found for key in common if (found := _both(key, ours[key], theirs[key], first.ties, second.ties))]
    return Versus(
        first.name,
        second.name,
        _gap("overall", both),
        _groups(both, lambda pair: pair.phenomenon, PHENOMENA),
        _groups(both, lambda pair: pair.key[0], [paradigm.name for paradigm in PARADIGMS]),
        tuple(pair.key for pair in both if pair.second > pair.first),
        tuple(pair.key for pair in both if pair.second < pair.first),
        len(ours) - len(common),
        len(theirs) - len(common),
        len(common) - len(both),
        _differs(first.header, second.header),
    )


def _by_key(run: Scored) -> dict[PairKey, PairOutcome]:
    found = {outcome.key: outcome for outcome in run.outcomes}
    if len(found) < len(run.outcomes):
        raise InputError(f"{run.name}: some pairs occur twice; restore the file as it was written")
    return found


def _both(key: PairKey, first: PairOutcome, second: PairOutcome, one: Ties, other: Ties) -> _Both | None:
    ours, theirs = _credit(first, one), _credit(second, other)
    if ours is None or theirs is None:
        return None
    return _Both(key, first.phenomenon, ours, theirs)


def _credit(outcome: PairOutcome, ties: Ties) -> float | None:
    if outcome.decision is Decision.UNSCORED:
        return None
    return float(CREDIT[ties]) if outcome.decision is Decision.TIE else float(outcome.decision is Decision.RIGHT)


def _groups(pairs: Iterable[_Both], group_of: Callable[[_Both], str | None], order: Sequence[str]) -> tuple[Gap, ...]:
    members: dict[str, list[_Both]] = {}
    for pair in pairs:
        name = group_of(pair)
        if name is not None:
            members.setdefault(name, []).append(pair)
    return tuple(_gap(name, members[name]) for name in in_paper_order(members, order))


def _gap(name: str, pairs: Sequence[_Both]) -> Gap:
    paradigms: dict[str, list[_Both]] = {}
    for pair in pairs:
        paradigms.setdefault(pair.key[0], []).append(pair)
    if not pairs:
        return Gap(name, 0, 0, None, None, None, None, None, None, 0, 0, NO_COMMON_PAIR)
    gaps = [[pair.second - pair.first for pair in group] for group in paradigms.values()]
    gained = sum(pair.second > pair.first for pair in pairs)
    lost = sum(pair.second < pair.first for pair in pairs)
    low, high = difference_interval(gaps)
    return Gap(
        name,
        paradigms=len(paradigms),
        n=len(pairs),
        first=100 * _mean(_mean(pair.first for pair in group) for group in paradigms.values()),
        second=100 * _mean(_mean(pair.second for pair in group) for group in paradigms.values()),
        difference=100 * _mean(map(_mean, gaps)),
        low=100 * low,
        high=100 * high,
        p_value=mcnemar(gained, lost),
        gained=gained,
        lost=lost,
    )


def _mean(values: Iterable[float]) -> float:
    known = list(values)
    return math.fsum(known) / len(known)


def difference_interval(gaps: Sequence[Sequence[float]]) -> tuple[float, float]:
    """The 95 percent interval of a mean difference (formula: see the module), within -1 to 1.

    Args:
        gaps: for each paradigm the differences on its pairs, each from -1 to 1.

    >>> [round(end, 3) for end in difference_interval([[0.0, 0.0, 0.0, 0.0]])]  # -+ z * sqrt(1/6 / 6)
    [-0.327, 0.327]
    """
    mean = _mean(map(_mean, gaps))
    squares = _mean(_mean(gap * gap for gap in group) for group in gaps)
    n = _effective_number(gaps, squares - mean * mean)
    middle = mean * n / (n + 2)
    half = Z * math.sqrt(max(0.0, (squares * n + 1) / (n + 2) - middle * middle) / (n + 2))
    return max(-1.0, middle - half), min(1.0, middle + half)


def _effective_number(gaps: Sequence[Sequence[float]], spread: float) -> float:
    weight = 1 / len(gaps) ** 2
    least = 1 / math.fsum(weight / len(group) for group in gaps)
    parts = [weight * _variance(group, spread) / len(group) for group in gaps]
    total = math.fsum(parts)
    if total < _ROUNDING or spread < _ROUNDING:
        return least
    known = math.fsum(part**2 / (len(group) - 1) for part, group in zip(parts, gaps, strict=True) if len(group) > 1)
    degrees = total**2 / known if known > 0 else math.inf
    return max(least, spread / total * (Z / student(degrees)) ** 2)


def _variance(group: Sequence[float], spread: float) -> float:
    """Sample variance; ``spread`` where there is only one pair."""
    if len(group) < 2:
        return spread
    mean = _mean(group)
    return math.fsum((gap - mean) ** 2 for gap in group) / (len(group) - 1)


def mcnemar(gained: int, lost: int) -> float:
    """McNemar's exact test, two-sided: how probable a split at least as uneven is where each way is as likely.

    >>> mcnemar(1, 5)  # 2 * (1 + 6) / 2**6
    0.21875
    >>> mcnemar(0, 0)
    1.0
    """
    n = gained + lost
    if gained == lost:
        return 1.0
    ways = total = 1  # integers: exact, however many pairs there are
    for k in range(1, min(gained, lost) + 1):
        ways = ways * (n - k + 1) // k
        total += ways
    share: float = 2 * total / (1 << n)
    return min(1.0, share)


def _differs(first: Header | None, second: Header | None) -> tuple[str, ...]:
    if first is None or second is None:
        return ("settings: not known, because a file has no .run.json next to it",)
    expected = ("model", "pairs")  # models are meant to differ, and pairs are counted separately
    found = differing(first, second)
    return tuple(f"{name}: {one} and {other}" for name, one, other in found if name not in expected)
