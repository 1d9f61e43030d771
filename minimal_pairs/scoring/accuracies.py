"""From outcomes to a report: the three averages, the groups, the lengths, the signature.

Nothing here depends on the order of the outcomes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from dibimt_metric.errors import InputError, shown
from dibimt_metric.score_measures import parse_option
from dibimt_metric.signature import make_signature

from ..paradigms import PARADIGMS, PHENOMENA
from ..records import Method
from .averages import Tally, Ties, mean_over_paradigms, mean_over_phenomena, over_pairs, tally, total
from .intervals import NAME as INTERVAL
from .presets import Preset
from .published import human_agreement, human_correlation
from .results import Decision, Group, Outcome, Report


class _Measure(NamedTuple):
    """A way to measure both sentences: how many more units the good one has; ``None``: not known."""

    unit: str
    difference: Callable[[Outcome], int | None]


def _words(outcome: Outcome) -> int | None:
    return outcome.good_words - outcome.bad_words


def _tokens(outcome: Outcome) -> int | None:
    """A side without a score has no tokens: such a pair belongs to none of the groups."""
    if outcome.decision == Decision.UNSCORED:
        return None
    return outcome.good_tokens - outcome.bad_tokens


_MEASURES = (_Measure("words", _words), _Measure("tokens", _tokens))
_SIGNS = {0: "equal {}", -1: "good shorter in {}", 1: "good longer in {}"}

NAMES = tuple(words.format(measure.unit) for measure in _MEASURES for words in _SIGNS.values())
"""The six groups, in the order in which they are always reported."""


def length_groups(outcomes: Iterable[Outcome], ties: Ties = Ties.WRONG) -> tuple[Group, ...]:
    """Accuracy over pairs in each of `NAMES`; a group without pairs is there and undefined.

    Args:
        outcomes: scored pairs.
        ties: what a tie counts as.

    >>> [group.name for group in length_groups([])][:3]
    ['equal words', 'good shorter in words', 'good longer in words']
    """
    pairs = tuple(outcomes)
    return tuple(group for measure in _MEASURES for group in _by_length(measure, pairs, ties))


def _by_length(measure: _Measure, outcomes: Iterable[Outcome], ties: Ties) -> Iterator[Group]:
    kept: dict[int, list[Outcome]] = {sign: [] for sign in _SIGNS}
    for outcome in outcomes:
        difference = measure.difference(outcome)
        if difference is not None:
            kept[(difference > 0) - (difference < 0)].append(outcome)
    for sign, members in kept.items():
        yield _group(_SIGNS[sign].format(measure.unit), members, ties)


def _group(name: str, members: list[Outcome], ties: Ties) -> Group:
    paradigms = len({outcome.paradigm for outcome in members})
    return Group(name, paradigms, over_pairs(tally(members), ties))


Tallies: TypeAlias = dict[str, dict[str, Tally]]
"""Of each group the tallies of its paradigms."""

TASK = "minimal_pairs"
WHOLE = "all"

_ORDER = {paradigm.name: place for place, paradigm in enumerate(PARADIGMS)}
_PHENOMENON_ORDER = {name: place for place, name in enumerate(PHENOMENA)}
_SHOWN = 5  # pairs named in a message


def make_report(
    outcomes: Iterable[Outcome],
    model_name: str,
    method: Method | str,
    preset: Preset,
    *,
    data: str,
    sample: str = WHOLE,
) -> Report:
    """All accuracies of one model on one data set.

    ``overall`` is the mean over paradigms (the paper's), ``overall_phenomena`` the mean over phenomena,
    ``overall_pairs`` over all pairs; phenomena and fields are means over their paradigms. Pairs without a score enter
    no accuracy and are counted. Pairs of a set that names no phenomenon or field are in no such group. Phenomena and
    paradigms stand in the paper's order, others behind them by name.

    Args:
        outcomes: of `decide`, each pair once, in any order.
        model_name: as the model names itself.
        method: which probabilities were compared.
        preset: the settings; its rule for ties is applied here.
        data: name or fingerprint of the data set, for the signature (see `sampling.fingerprint`).
        sample: which pairs of it, for the signature (see `Sample.name`).

    Raises:
        InputError: a pair stands twice, or a setting cannot be used.

    Example:
        >>> from minimal_pairs.scoring.presets import preset
        >>> from minimal_pairs.scoring.results import Decision
        >>> def outcome(paradigm, number, decision):
        ...     return Outcome(paradigm, number, None, None, -1.0, -2.0, decision, 3, 3, 4, 4)
        >>> right, wrong = Decision.RIGHT, Decision.WRONG
        >>> outcomes = [outcome("a", 0, right), outcome("b", 0, right), outcome("b", 1, wrong)]
        >>> report = make_report(outcomes, "tiny", "full", preset("paper"), data="mine")
        >>> report.overall.value, report.overall.average, round(report.overall_pairs.value, 1)  # (100 + 50) / 2, 2 / 3
        (75.0, 'mean over 2 paradigms', 66.7)
    """
    pairs = tuple(outcomes)
    _check_unique(pairs)
    ties = parse_option(Ties, preset.ties, "ties")
    way = parse_option(Method, method, "method")
    phenomena = _tallies(pairs, lambda outcome: outcome.phenomenon, _phenomenon_place)
    paradigms = _by_paradigm(pairs)
    groups = _groups(phenomena, ties)
    return Report(
        model=model_name,
        method=way.value,
        settings=(*preset.as_settings(), ("data", data), ("sample", sample), ("interval", INTERVAL)),
        overall=mean_over_paradigms(paradigms, ties),
        overall_phenomena=mean_over_phenomena(phenomena, ties),
        overall_pairs=over_pairs(total(paradigms.values()), ties),
        phenomena=groups,
        paradigms=tuple(Group(name, 1, over_pairs(counts, ties)) for name, counts in paradigms.items()),
        fields=_groups(_tallies(pairs, lambda outcome: outcome.field, lambda name: (0, name)), ties),
        lengths=length_groups(pairs, ties),
        correlation_human=human_correlation(groups).pearson,
        signature=_signature(model_name, way, preset, data, sample),
    )


def _check_unique(outcomes: Sequence[Outcome]) -> None:
    seen: set[tuple[str, int]] = set()
    twice: list[str] = []
    for outcome in outcomes:
        key = (outcome.paradigm, outcome.pair_id)
        if key in seen:
            twice.append(f"{shown(outcome.paradigm)} {outcome.pair_id}")
        seen.add(key)
    if twice:
        some = ", ".join(twice[:_SHOWN])
        raise InputError(
            f"{len(twice)} outcomes are of a pair that stands before them ({some}); each pair counts once: number the "
            "pairs of a paradigm apart, or give one of two runs"
        )


def _by_paradigm(outcomes: Iterable[Outcome]) -> dict[str, Tally]:
    members: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        members.setdefault(outcome.paradigm, []).append(outcome)
    return {name: tally(members[name]) for name in sorted(members, key=_paradigm_place)}


def _tallies(
    outcomes: Iterable[Outcome],
    group_of: Callable[[Outcome], str | None],
    place: Callable[[str], tuple[int, str]],
) -> Tallies:
    members: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        name = group_of(outcome)
        if name is not None:
            members.setdefault(name, []).append(outcome)
    return {name: _by_paradigm(members[name]) for name in sorted(members, key=place)}


def _groups(tallies: Mapping[str, Mapping[str, Tally]], ties: Ties) -> tuple[Group, ...]:
    return tuple(
        Group(name, len(paradigms), mean_over_paradigms(paradigms, ties), human_agreement(name, paradigms))
        for name, paradigms in tallies.items()
    )


def _paradigm_place(name: str) -> tuple[int, str]:
    return _ORDER.get(name, len(_ORDER)), name


def _phenomenon_place(name: str) -> tuple[int, str]:
    return _PHENOMENON_ORDER.get(name, len(_PHENOMENON_ORDER)), name


def _signature(model: str, method: Method, preset: Preset, data: str, sample: str) -> str:
    values = {"task": TASK, "data": data, "sample": sample, "model": model, "method": method.value}
    return str(make_signature({**values, **dict(preset.as_settings()), "interval": INTERVAL}))
