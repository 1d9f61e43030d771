"""Compare two or more systems on the same items.

The accuracy of a system is based on the items where it is GOOD or BAD, and these differ from system to
system. So each system is scored twice: on all items, and on the common subset, the items where *every*
system has GOOD or BAD (convention 6). Differences are taken on the common subset only.

Item ids are unique within one language: compare systems in one language at a time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations

from .errors import InputError
from .records import Label
from .records import Outcome
from .score import Scores
from .score import score
from .score_bias import FREQUENCY
from .score_bias import POLYSEMY
from .score_bootstrap import LEVEL
from .score_bootstrap import N_RESAMPLES
from .score_bootstrap import SEED
from .score_bootstrap import Difference
from .score_bootstrap import paired_bootstrap
from .score_measures import BIAS_METRICS
from .score_measures import Ties
from .score_measures import Weighting
from .score_measures import is_scored
from .score_measures import label_of

_SHOWN = 5  # ids named in a message; more would bury the remedy


@dataclass(frozen=True, slots=True)
class SystemResult:
    """One system of a comparison.

    Attributes:
        name: of the system.
        all_items: its scores on all items.
        common: its scores on the common subset; the ones to compare.
    """

    name: str
    all_items: Scores
    common: Scores


@dataclass(frozen=True, slots=True)
class PairResult:
    """What changes from a first system to a second one, on the common subset.

    Attributes:
        first, second: names of the systems.
        differences: ``second - first`` for each of accuracy, sfi, pdi, mfs, mfs_plus.
        gained: ids of the items that are BAD in the first and GOOD in the second.
        lost: ids of the items that are GOOD in the first and BAD in the second. With N common items the
            difference in accuracy is ``100 * (len(gained) - len(lost)) / N``.
    """

    first: str
    second: str
    differences: tuple[Difference, ...]
    gained: tuple[str, ...]
    lost: tuple[str, ...]

    def difference(self, metric: str) -> Difference:
        """The difference in that metric.

        Raises:
            InputError: no difference has this name.
        """
        for each in self.differences:
            if each.metric == metric:
                return each
        raise InputError(f"metric {metric!r} is unknown; choose one of {', '.join(BIAS_METRICS)}")

    def as_dict(self) -> dict[str, object]:
        """A nested record for JSON."""
        records = [asdict(each) for each in self.differences]
        return {
            "first": self.first,
            "second": self.second,
            "differences": {record.pop("metric"): record for record in records},
            "gained": list(self.gained),
            "lost": list(self.lost),
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two or more systems on the same items.

    Attributes:
        systems: in the given order.
        pairs: every two systems, in the given order, the earlier one first.
        items: ids of all items, sorted.
        common: ids of the common subset, sorted.
    """

    systems: tuple[SystemResult, ...]
    pairs: tuple[PairResult, ...]
    items: tuple[str, ...]
    common: tuple[str, ...]

    def system(self, name: str) -> SystemResult:
        """The system of that name.

        Raises:
            InputError: no system has this name.
        """
        for each in self.systems:
            if each.name == name:
                return each
        raise InputError(f"no system {name!r}; the systems are {_listed([s.name for s in self.systems])}")

    def pair(self, first: str, second: str) -> PairResult:
        """The comparison of two systems, in the order in which they were given.

        Raises:
            InputError: no pair has these names in this order.
        """
        for each in self.pairs:
            if (each.first, each.second) == (first, second):
                return each
        there = ", ".join(f"{each.first}/{each.second}" for each in self.pairs)
        raise InputError(f"no pair {first!r}/{second!r}; the pairs are {there}")

    def as_dict(self) -> dict[str, object]:
        """A nested record for JSON."""
        return {
            "n": len(self.items),
            "n_common": len(self.common),
            "systems": {
                each.name: {"all_items": each.all_items.as_dict(), "common": each.common.as_dict()}
                for each in self.systems
            },
            "pairs": [each.as_dict() for each in self.pairs],
        }


def compare(
    systems: Mapping[str, Iterable[Outcome]],
    weighting: Weighting | str = Weighting.MACRO,
    *,
    ties: Ties | str = Ties.MOST_FREQUENT,
    level: float = LEVEL,
    n_resamples: int = N_RESAMPLES,
    seed: int = SEED,
) -> Comparison:
    """Score systems on all items and on their common subset, and compare every two of them.

    Args:
        systems: name and outcomes of each system; the same items for all, in any order.
        weighting: how SFI and PDI put their groups together.
        ties: kept with the scores, see :func:`.score.score`.
        level: of the intervals, see :func:`.score_bootstrap.paired_bootstrap`.
        n_resamples: resamples of each pair. The p-values are not corrected for the number of pairs and metrics.
        seed: of each pair's generator, so that all pairs draw the same items.

    Returns:
        The comparison. With an empty common subset its scores and differences are undefined.

    Raises:
        InputError: fewer than two systems; an id that is repeated or missing; an item with other numbers
            in one system than in another; an option, label or number that cannot be used.
        MissingLibraryError: numpy is not installed.

    Example:
        >>> base = [Outcome("1", Label.BAD), Outcome("2", Label.GOOD), Outcome("3", Label.MISS)]
        >>> tuned = [Outcome("1", Label.GOOD), Outcome("2", Label.GOOD), Outcome("3", Label.BAD)]
        >>> result = compare({"base": base, "tuned": tuned}, n_resamples=100)
        >>> result.common, result.pair("base", "tuned").gained
        (('1', '2'), ('1',))
        >>> result.pair("base", "tuned").difference("accuracy").difference
        50.0
    """
    if len(systems) < 2:
        raise InputError(f"a comparison needs at least two systems, not {len(systems)}")
    table = {name: _by_id(name, outcomes) for name, outcomes in systems.items()}
    _check_same_items(table)
    _check_same_numbers(table)
    items = tuple(sorted(next(iter(table.values()))))
    common = tuple(id_ for id_ in items if all(is_scored(rows[id_]) for rows in table.values()))
    subset = {name: [rows[id_] for id_ in common] for name, rows in table.items()}
    results = tuple(
        SystemResult(name, score(rows.values(), weighting, ties), score(subset[name], weighting, ties))
        for name, rows in table.items()
    )

    def pair(first: str, second: str) -> PairResult:
        one, other = subset[first], subset[second]
        differences = paired_bootstrap(one, other, weighting, level=level, n_resamples=n_resamples, seed=seed)
        return PairResult(first, second, differences, _turned_good(one, other), _turned_good(other, one))

    pairs = tuple(pair(first, second) for first, second in combinations(table, 2))
    return Comparison(results, pairs, items, common)


def _by_id(name: str, outcomes: Iterable[Outcome]) -> dict[str, Outcome]:
    every = tuple(outcomes)
    if repeated := [id_ for id_, n in Counter(outcome.item_id for outcome in every).items() if n > 1]:
        raise InputError(
            f"system {name!r} has more than one outcome for {_listed(repeated)}; "
            "give one outcome for each item, and compare one language at a time"
        )
    return {outcome.item_id: outcome for outcome in every}


def _check_same_items(table: Mapping[str, Mapping[str, Outcome]]) -> None:
    everything = dict.fromkeys(id_ for rows in table.values() for id_ in rows)
    gaps = {name: [id_ for id_ in everything if id_ not in rows] for name, rows in table.items()}
    if any(gaps.values()):
        lacking = "; ".join(f"system {name!r} lacks {_listed(ids)}" for name, ids in gaps.items() if ids)
        raise InputError(
            f"the systems do not have the same items: {lacking}. Score all systems on the same item file, "
            "with one translation (it may be empty) for each item"
        )


def _check_same_numbers(table: Mapping[str, Mapping[str, Outcome]]) -> None:
    (base, rows), *others = table.items()
    for name, other in others:
        for id_, outcome in rows.items():
            for field in (FREQUENCY, POLYSEMY, "pos"):
                here, there = getattr(outcome, field), getattr(other[id_], field)
                if here != there:
                    raise InputError(
                        f"item {id_!r} has {field} {here!r} in system {base!r} and {there!r} in system "
                        f"{name!r}; score all systems on the same item file"
                    )


def _turned_good(before: Sequence[Outcome], after: Sequence[Outcome]) -> tuple[str, ...]:
    return tuple(
        new.item_id
        for old, new in zip(before, after, strict=True)
        if label_of(old) is Label.BAD and label_of(new) is Label.GOOD
    )


def _listed(ids: Iterable[str]) -> str:
    names = list(ids)
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(repr(name) for name in names[:_SHOWN]) + more
