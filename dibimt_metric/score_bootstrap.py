"""Bootstrap over items: confidence intervals of one system, and the difference of two.

A resample draws as many items as there are, with replacement, by ``numpy.random.default_rng(seed)``; 0 is
a seed like any other. How all resamples are scored at once is in :mod:`.draws`.

A metric can be undefined in a resample, for instance MFS where no BAD item was drawn. Such resamples are
left out of the interval and counted (convention 5: undefined is never 0). SFI and PDI of a resample are
means over the groups drawn.

Source: the percentile bootstrap is standard; the paper gives no intervals. Percent, 0 to 100.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Sequence
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
from .score_bias import SenseChoice
from .score_bias import choice_of
from .score_measures import BIAS_METRICS
from .score_measures import Weighting
from .score_measures import index_of
from .score_measures import is_scored
from .score_measures import label_of
from .score_measures import parse_option

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]
    Ints: TypeAlias = NDArray[np.int64]


class Kind(NamedTuple):
    """All that a metric can see of an outcome; 0 and the empty string stand for unknown or none."""

    good: bool
    bad: bool
    frequency_index: int
    polysemy: int
    choice: str


def kind_of(outcome: Outcome) -> Kind:
    """The kind of an outcome.

    Raises:
        InputError: a label or number cannot be used.

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

    Args:
        systems: the outcomes of each system on the same items in the same order; an item drawn is drawn
            for all of them.
        weighting: how SFI and PDI put their groups together.
        n_resamples: resamples to draw.
        seed: of the generator.

    Returns:
        For each system, name of the metric and its values in percent, one for each resample,
        not-a-number where it is undefined.

    Raises:
        InputError: a label or number cannot be used.

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
    good = draws @ _flags(kind.good for kind in kinds)
    bad = draws @ _flags(kind.bad for kind in kinds)
    # Index 1 is more frequent than any other: what counts for MFS counts for MFS+ too.
    most = draws @ _flags(kind.choice == SenseChoice.MOST_FREQUENT for kind in kinds)
    more = draws @ _flags(kind.choice == SenseChoice.MORE_FREQUENT for kind in kinds) + most
    entered = draws @ _flags(kind.choice == SenseChoice.LESS_FREQUENT for kind in kinds) + more
    return {
        "accuracy": _percent(good, good + bad),
        "sfi": _grouped(draws, kinds, [kind.frequency_index for kind in kinds], weighting),
        "pdi": _grouped(draws, kinds, [kind.polysemy for kind in kinds], weighting),
        "mfs": _percent(most, entered),
        "mfs_plus": _percent(more, entered),
    }


def _flags(values: Iterable[bool]) -> Floats:
    """1 for true and 0 for false; a product with the draws then counts the items drawn."""
    import numpy as np

    return np.array(list(values), dtype=np.float64)


def _percent(part: Floats, whole: Floats) -> Floats:
    """``100 * part / whole``, not-a-number where nothing entered."""
    import numpy as np

    return np.divide(100 * part, whole, out=np.full_like(part, np.nan), where=whole > 0)


def _grouped(draws: Floats, kinds: Sequence[Kind], numbers: Sequence[int], weighting: Weighting) -> Floats:
    """SFI or PDI of each resample; in ``good`` and ``whole`` a row is a resample, a column a group."""
    import numpy as np

    column = np.array(numbers, dtype=np.int64)
    known = np.unique(column[column > 0])
    member = (column[:, None] == known[None, :]).astype(np.float64)
    good = draws @ (member * _flags(kind.good for kind in kinds)[:, None])
    whole = draws @ (member * _flags(kind.good or kind.bad for kind in kinds)[:, None])
    if weighting is Weighting.INDEX:
        index = known.astype(np.float64)
        return _percent(good @ index, whole @ index)
    return _mean_of_used(_percent(good, whole), whole > 0)


def _mean_of_used(shares: Floats, used: NDArray[np.bool_]) -> Floats:
    import numpy as np

    total = np.where(used, shares, 0.0).sum(axis=1)
    number = used.sum(axis=1)
    mean: Floats = np.divide(total, number, out=np.full(len(shares), np.nan), where=number > 0)
    return mean


LEVEL = 0.95
N_RESAMPLES = 1000
SEED = 0

TOLERANCE = 1e-9
"""In points of a score up to 100: a resample that equals the observed difference but for rounding counts as equal."""
_NEVER = "undefined in every resample"


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval of one metric.

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
    """The confidence intervals of all metrics of one system, and how they were made.

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
        """The interval of that metric; an unknown name raises :class:`InputError`."""
        for each in self.intervals:
            if each.metric == metric:
                return each
        raise InputError(f"metric {metric!r} is unknown; choose one of {', '.join(BIAS_METRICS)}")

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
        low, high: ends of its confidence interval (``None``: undefined).
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
    """Percentile confidence intervals of accuracy, SFI, PDI, MFS and MFS+, over items.

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

    Args:
        first: outcomes of the first system, one for each item.
        second: outcomes of the second system, for the same items in any order.
        weighting: how SFI and PDI put their groups together.
        level: between 0 and 1, both excluded.
        n_resamples: resamples to draw.
        seed: of the generator, 0 or more.

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
        _difference(metric, observed, other[metric] - one[metric], len(systems[0]), level)
        for metric in BIAS_METRICS
    )


def _check(weighting: Weighting | str, level: float, n_resamples: int, seed: int) -> Weighting:
    if isinstance(level, bool) or not isinstance(level, (int, float)) or not 0 < level < 1:
        raise InputError(f"level is {level!r}; expected a number between 0 and 1, such as 0.95")
    for name, value, least in (("n_resamples", n_resamples, 1), ("seed", seed, 0)):
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise InputError(f"{name} is {value!r}; expected a whole number from {least} on")
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
    return Difference(
        metric, first.value, second.value, gap, low, high, p_value(defined, gap), undefined, n, never
    )


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
