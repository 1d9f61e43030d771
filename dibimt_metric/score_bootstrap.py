"""Bootstrap over items: intervals of the scores of one system, and the difference of two.

A resample draws as many items as there are, with replacement, by ``numpy.random.default_rng(seed)``; 0 is a
seed like any other. All resamples are scored at once: each is held as the number of times that each kind of outcome was
drawn, so that its counts are a product of matrices. The formulas are those of :mod:`.score_bias`.

A metric can be undefined in a resample, for instance MFS where no BAD item was drawn. Such resamples are
omitted from the interval and counted (convention 5: undefined is never 0). SFI and PDI of a resample are
means over the groups drawn.

Source: the percentile bootstrap is standard; the paper gives no intervals. Percent, 0 to 100.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from .errors import InputError
from .errors import MissingLibraryError
from .records import Label
from .records import Outcome
from .score import Scores
from .score import score
from .score_bias import FREQUENCY
from .score_bias import POLYSEMY
from .score_bias import IndexGroup
from .score_bias import SenseChoice
from .score_bias import choice_of
from .score_bias import choices_of
from .score_bias import mean_of_groups
from .score_measures import BIAS_METRICS
from .score_measures import Weighting
from .score_measures import index_of
from .score_measures import is_scored
from .score_measures import label_of
from .score_measures import parse_option
from .score_measures import share

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]
    Ints: TypeAlias = NDArray[np.int64]


LEVEL = 0.95
N_RESAMPLES = 1000
SEED = 0

TOLERANCE = 1e-9
"""In points of a score up to 100: a resample that equals the observed difference but for rounding counts as equal."""
_NEVER = "undefined in every resample"


class Kind(NamedTuple):
    """Everything that a metric sees of an outcome; unknown numbers are 0, no choice is the empty string."""

    good: bool
    bad: bool
    frequency_index: int
    polysemy: int
    choice: str


def kind_of(outcome: Outcome) -> Kind:
    """The kind of an outcome.

    Example:
        >>> kind_of(Outcome("a", Label.GOOD, 2))
        Kind(good=True, bad=False, frequency_index=2, polysemy=0, choice='')
    """
    label = label_of(outcome)
    chosen = choice_of(outcome)
    return Kind(
        good=label is Label.GOOD,
        bad=label is Label.BAD,
        frequency_index=index_of(outcome, FREQUENCY) or 0,
        polysemy=index_of(outcome, POLYSEMY) or 0,
        choice="" if chosen is None else chosen.value,
    )


def canonical(outcomes: Iterable[Outcome]) -> tuple[Outcome, ...]:
    """The outcomes by id, then by kind, so that the order of a file changes no resample.

    Example:
        >>> [outcome.item_id for outcome in canonical([Outcome("b", Label.BAD), Outcome("a", Label.BAD)])]
        ['a', 'b']
    """
    return tuple(sorted(outcomes, key=lambda outcome: (outcome.item_id, kind_of(outcome))))


def resample_indices(n: int, n_resamples: int, seed: int) -> Iterator[Ints]:
    """The positions of the items of each resample: ``n`` numbers from 0 to ``n - 1``.

    Example:
        >>> [len(indices) for indices in resample_indices(5, 2, seed=0)]
        [5, 5]
    """
    import numpy as np

    generator = np.random.default_rng(seed)
    for _ in range(n_resamples if n else 0):
        yield generator.integers(0, n, size=n, dtype=np.int64)


def resample(
    systems: Sequence[Sequence[Outcome]], weighting: Weighting, n_resamples: int, seed: int
) -> list[dict[str, Floats]]:
    """The metrics of every resample, for each system.

    Each system has the same items in the same order; an item drawn is drawn for all of them.

    Returns:
        For each system, name of the metric and its values in percent, one for each resample, not-a-number where it is
        undefined.

    Example:
        >>> outcomes = [Outcome("a", Label.GOOD), Outcome("b", Label.GOOD)]
        >>> resample([outcomes], Weighting.MACRO, 3, seed=0)[0]["accuracy"].tolist()
        [100.0, 100.0, 100.0]
    """
    import numpy as np

    numbers: dict[tuple[Kind, ...], int] = {}
    rows = zip(*([kind_of(outcome) for outcome in outcomes] for outcomes in systems), strict=True)
    codes = np.array([numbers.setdefault(row, len(numbers)) for row in rows], dtype=np.int64)
    draws = np.zeros((n_resamples, len(numbers)))
    for line, indices in enumerate(resample_indices(len(codes), n_resamples, seed)):
        draws[line] = np.bincount(codes[indices], minlength=len(numbers))
    return [_metrics(draws, [row[side] for row in numbers], weighting) for side in range(len(systems))]


def _metrics(draws: Floats, kinds: Sequence[Kind], weighting: Weighting) -> dict[str, Floats]:
    """Each metric of all resamples; the formulas are those of the scores themselves."""
    import numpy as np

    def drawn(chosen: Iterable[bool]) -> Floats:
        """How many outcomes of the chosen kinds each resample holds."""
        return draws @ np.array(list(chosen), dtype=np.float64)

    def groups(numbers: Sequence[int]) -> list[IndexGroup]:
        rows = list(zip(numbers, kinds, strict=True))
        return [
            IndexGroup(
                index,
                drawn(kind.good and number == index for number, kind in rows),
                drawn(kind.bad and number == index for number, kind in rows),
            )
            for index in sorted(set(numbers) - {0})
        ]

    good, bad = drawn(kind.good for kind in kinds), drawn(kind.bad for kind in kinds)
    counted = choices_of({choice: drawn(kind.choice == choice for kind in kinds) for choice in SenseChoice})
    values = {
        "accuracy": share(good, good + bad),
        "sfi": mean_of_groups(groups([kind.frequency_index for kind in kinds]), weighting),
        "pdi": mean_of_groups(groups([kind.polysemy for kind in kinds]), weighting),
        "mfs": counted.mfs,
        "mfs_plus": counted.mfs_plus,
    }
    # Without any group the value is None.
    return {metric: np.full(len(draws), np.nan) if value is None else value for metric, value in values.items()}


@dataclass(frozen=True, slots=True)
class Interval:
    """The interval of one metric.

    Attributes:
        metric: name of the metric.
        value: the metric on the items themselves, in percent (``None``: undefined).
        low, high: ends of the interval, in percent (``None``: undefined).
        undefined: resamples in which the metric is undefined; they are not in the interval.
        reason: why there is no interval, else ``None``.
    """

    metric: str
    value: float | None
    low: float | None
    high: float | None
    undefined: int
    reason: str | None


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """The intervals of all metrics of one system, and their options.

    Attributes:
        intervals: one for each of accuracy, sfi, pdi, mfs, mfs_plus.
        level: share of the resamples inside the interval.
        n_resamples: resamples drawn.
        seed: of the generator.
    """

    intervals: tuple[Interval, ...]
    level: float
    n_resamples: int
    seed: int

    def interval(self, metric: str) -> Interval:
        """The interval of that metric; `InputError`: the name is unknown."""
        for each in self.intervals:
            if each.metric == metric:
                return each
        raise InputError(f"metric {metric!r} is unknown; choose one of {', '.join(BIAS_METRICS)}")

    def options(self) -> dict[str, int | float]:
        """The options that the ends depend on, as they are in signatures and records."""
        return {"level": self.level, "resamples": self.n_resamples, "seed": self.seed}

    def as_dict(self) -> dict[str, int | float | None]:
        """A flat record: ``accuracy_low``, ``accuracy_high``, ``accuracy_undefined_resamples`` ..."""
        record: dict[str, int | float | None] = {}
        for each in self.intervals:
            record[f"{each.metric}_low"] = each.low
            record[f"{each.metric}_high"] = each.high
            record[f"{each.metric}_undefined_resamples"] = each.undefined
        return record


@dataclass(frozen=True, slots=True)
class Difference:
    """How a metric changes from a first system to a second one, on the items that both decide.

    Attributes:
        metric: name of the metric.
        first, second: the metric of each system, in percent (``None``: undefined).
        difference: ``second - first``, in percentage points, -100 to 100 (``None``: undefined).
        low, high: ends of its interval (``None``: undefined).
        p_value: two-sided, above 0, at most 1 (``None``: undefined); see :func:`paired_bootstrap`.
        undefined: resamples in which the metric is undefined for a system; they are left out.
        n: items that both systems decide.
        reason: why there is no difference or no interval, else ``None``.
    """

    metric: str
    first: float | None
    second: float | None
    difference: float | None
    low: float | None
    high: float | None
    p_value: float | None
    undefined: int
    n: int
    reason: str | None


def bootstrap(
    outcomes: Iterable[Outcome],
    weighting: Weighting | str = Weighting.MACRO,
    *,
    level: float = LEVEL,
    n_resamples: int = N_RESAMPLES,
    seed: int = SEED,
) -> Bootstrap:
    """Percentile intervals of accuracy, SFI, PDI, MFS and MFS+, over items.

    Formula: the quantiles ``(1 - level) / 2`` and ``(1 + level) / 2`` (linear interpolation) of the metric
    in the resamples where it is defined.

    Args:
        outcomes: one for each item, of one system; MISS and UNK are resampled as well.
        weighting: how SFI and PDI put their groups together.
        level: between 0 and 1, both excluded.
        n_resamples: resamples to draw.
        seed: of the generator, 0 or more.

    Returns:
        The intervals. Where a metric is undefined, or is so in every resample, its ends are ``None``.

    Raises:
        InputError: an option, a label or a number cannot be used.
        MissingLibraryError: numpy is not installed.

    Example:
        >>> from dibimt_metric.records import Label
        >>> outcomes = [Outcome(str(i), Label.GOOD if i % 4 else Label.BAD) for i in range(40)]
        >>> accuracy = bootstrap(outcomes, n_resamples=200, seed=0).interval("accuracy")
        >>> accuracy.low < accuracy.value == 75.0 < accuracy.high
        True
    """
    kind = _check(weighting, level, n_resamples, seed)
    ordered = canonical(outcomes)
    observed = score(ordered, kind)
    (sample,) = resample([ordered], kind, n_resamples, seed)
    intervals = (_interval(metric, observed, sample[metric], level) for metric in BIAS_METRICS)
    return Bootstrap(tuple(intervals), level, n_resamples, seed)


def paired_bootstrap(
    first: Iterable[Outcome],
    second: Iterable[Outcome],
    weighting: Weighting | str = Weighting.MACRO,
    *,
    level: float = LEVEL,
    n_resamples: int = N_RESAMPLES,
    seed: int = SEED,
) -> tuple[Difference, ...]:
    """Compare two systems by resampling the items that both have GOOD or BAD (convention 6).

    Each resample draws items and takes both systems on them. With d the observed difference and d_b that
    of resample b, over the B resamples where both are defined::

        p = (#{b : |d_b - d| >= |d|} + 1) / (B + 1)

    that is, how often a difference as large as d comes up where the true one is 0 (the d_b moved to 0).
    The interval is the percentile interval of the d_b.

    The systems have the same items, in any order; the options are those of `bootstrap`.

    Returns:
        One difference for each of accuracy, sfi, pdi, mfs, mfs_plus. Undefined (``None``) where the metric
        is undefined for one of the systems. The p-values are not corrected for several comparisons.

    Raises:
        InputError: the item ids differ or repeat, or an option, label or number cannot be used.
        MissingLibraryError: numpy is missing.

    Example:
        >>> from dibimt_metric.records import Label
        >>> a = [Outcome(str(i), Label.BAD if i < 20 else Label.GOOD) for i in range(40)]
        >>> b = [Outcome(str(i), Label.BAD if i < 5 else Label.GOOD) for i in range(40)]
        >>> change = paired_bootstrap(a, b, n_resamples=200, seed=0)[0]
        >>> change.metric, change.difference, change.p_value < 0.05
        ('accuracy', 37.5, True)
    """
    kind = _check(weighting, level, n_resamples, seed)
    systems = _common(canonical(first), canonical(second))
    observed = [score(outcomes, kind) for outcomes in systems]
    one, other = resample(systems, kind, n_resamples, seed)
    return tuple(
        _difference(metric, observed, other[metric] - one[metric], len(systems[0]), level) for metric in BIAS_METRICS
    )


def _check(weighting: Weighting | str, level: float, n_resamples: int, seed: int) -> Weighting:
    if isinstance(level, bool) or not isinstance(level, (int, float)) or not 0 < level < 1:
        raise InputError(f"level is {level!r}; expected a number between 0 and 1, such as 0.95")
    for name, value, least in (("n_resamples", n_resamples, 1), ("seed", seed, 0)):
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise InputError(f"{name} is {value!r}; expected an integer, at least {least}")
    try:
        import numpy  # noqa: F401
    except ImportError as error:
        raise MissingLibraryError("the bootstrap needs numpy; install it with: pip install numpy") from error
    return parse_option(Weighting, weighting, "weighting")


def _common(first: Sequence[Outcome], second: Sequence[Outcome]) -> tuple[list[Outcome], list[Outcome]]:
    ids = [outcome.item_id for outcome in first]
    if ids != [outcome.item_id for outcome in second] or len(set(ids)) < len(ids):
        raise InputError(
            "a paired bootstrap needs the same items for both systems, each once; "
            "compare() names the ids that are missing or repeated"
        )
    kept = [is_scored(one) and is_scored(other) for one, other in zip(first, second, strict=True)]
    return list(compress(first, kept)), list(compress(second, kept))


def _interval(metric: str, observed: Scores, sample: Floats, level: float) -> Interval:
    measure = observed.measure(metric)
    defined, undefined = _split(sample)
    low, high = percentile_interval(defined, level)
    never = None if len(defined) else _NEVER
    return Interval(metric, measure.value, low, high, undefined, measure.reason or never)


def _difference(metric: str, observed: Sequence[Scores], sample: Floats, n: int, level: float) -> Difference:
    first, second = (scores.measure(metric) for scores in observed)
    defined, undefined = _split(sample)
    low, high = percentile_interval(defined, level)
    if first.value is None or second.value is None:
        reason = f"first system: {first.reason}" if first.reason else f"second system: {second.reason}"
        return Difference(metric, first.value, second.value, None, None, None, None, undefined, n, reason)
    gap = second.value - first.value
    never = None if len(defined) else _NEVER
    return Difference(metric, first.value, second.value, gap, low, high, p_value(defined, gap), undefined, n, never)


def _split(sample: Floats) -> tuple[Floats, int]:
    """The defined values of a sample, and how many are undefined."""
    import numpy as np

    defined = sample[~np.isnan(sample)]
    return defined, len(sample) - len(defined)


def percentile_interval(sample: Floats, level: float) -> tuple[float, float] | tuple[None, None]:
    """The central share ``level`` of a sample: quantiles with linear interpolation; ``None`` for an empty sample.

    >>> import numpy as np
    >>> percentile_interval(np.arange(101.0), 0.5)
    (25.0, 75.0)
    """
    import numpy as np

    if not len(sample):
        return None, None
    low, high = np.quantile(sample, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def p_value(sample: Floats, difference: float) -> float | None:
    """Two-sided p-value of an observed difference d, given the differences d_b of B resamples.

    Formula: ``(#{b : |d_b - d| >= |d|} + 1) / (B + 1)``, that is, how often a difference as large as d comes up where
    the true one is 0 (the d_b shifted to 0). Never 0; 1 where d is 0; ``None`` without resamples.

    >>> import numpy as np
    >>> p_value(np.array([2.0, 3.0, 4.0, 7.0]), 3.0)  # of -1, 0, 1, 4 only 4 is as far from 0 as 3
    0.4
    """
    if not len(sample):
        return None
    extreme = int((abs(sample - difference) >= abs(difference) - TOLERANCE).sum())
    return (extreme + 1) / (len(sample) + 1)
