"""From outcomes to a report: the three averages, the groups and the signature; see `averages`.

Nothing here depends on the order of the outcomes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from dibimt_metric.errors import InputError, shown
from dibimt_metric.score_measures import parse_option
from dibimt_metric.signature import make_signature

from ..paradigms import PARADIGMS, PHENOMENA, in_paper_order
from ..records import Method, PairKey
from .averages import Tally, Ties, mean_over_paradigms, mean_over_phenomena, over_pairs, tally, total
from .intervals import NAME as INTERVAL
from .presets import Preset
from .published import human_agreement, human_correlation
from .results import AccuracyGroup, Decision, PairOutcome, PairsReport

TASK = "minimal_pairs"
WHOLE = "all"

_PARADIGMS = tuple(paradigm.name for paradigm in PARADIGMS)
_SHOWN = 5  # pairs named in a message
_SIGNS = {0: "equal {}", -1: "good shorter in {}", 1: "good longer in {}"}

LENGTH_GROUPS = tuple(name.format(unit) for unit in ("words", "tokens") for name in _SIGNS.values())
"""The groups by length, in the order in which they are always reported."""


def make_report(
    outcomes: Iterable[PairOutcome],
    model_name: str,
    method: Method | str,
    preset: Preset,
    *,
    data: str,
    sample: str = WHOLE,
) -> PairsReport:
    """All accuracies of one model on one data set.

    ``overall`` is the mean over paradigms (the paper's), ``overall_phenomena`` the mean over phenomena,
    ``overall_pairs`` over all pairs; phenomena and fields are means over their paradigms. Pairs without a score enter
    no accuracy but are counted. Pairs of a set without phenomena or fields are in no such group. Phenomena and
    paradigms are in the paper's order, others after them by name.

    Args:
        outcomes: results of `decide`, each pair once, in any order.
        model_name: the model's own name.
        method: which probabilities were compared.
        preset: the settings; its rule for ties is applied here.
        data: name or fingerprint of the data set, for the signature (see `sampling.fingerprint`).
        sample: which of its pairs were scored, for the signature (see `Sample.name`).

    Raises:
        InputError: a pair occurs twice, or a setting has no such value.

    Example:
        >>> from minimal_pairs.scoring.presets import preset
        >>> from minimal_pairs.scoring.results import Decision
        >>> def outcome(paradigm, number, decision):
        ...     return PairOutcome(paradigm, number, None, None, -1.0, -2.0, decision, 3, 3, 4, 4)
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
    phenomena = _tallies(pairs, lambda outcome: outcome.phenomenon, PHENOMENA)
    paradigms = _by_paradigm(pairs)
    groups = _groups(phenomena, ties)
    return PairsReport(
        model=model_name,
        method=way.value,
        settings=(*preset.as_settings(), ("data", data), ("sample", sample), ("interval", INTERVAL)),
        overall=mean_over_paradigms(paradigms, ties),
        overall_phenomena=mean_over_phenomena(phenomena, ties),
        overall_pairs=over_pairs(total(paradigms.values()), ties),
        phenomena=groups,
        paradigms=tuple(AccuracyGroup(name, 1, over_pairs(counts, ties)) for name, counts in paradigms.items()),
        fields=_groups(_tallies(pairs, lambda outcome: outcome.field), ties),
        lengths=length_groups(pairs, ties),
        correlation_human=human_correlation(groups).pearson,
        signature=_signature(model_name, way, preset, data, sample),
    )


def _check_unique(outcomes: Sequence[PairOutcome]) -> None:
    seen: set[PairKey] = set()
    twice: list[str] = []
    for outcome in outcomes:
        if outcome.key in seen:
            twice.append(f"{shown(outcome.paradigm)} {outcome.pair_id}")
        seen.add(outcome.key)
    if twice:
        some = ", ".join(twice[:_SHOWN])
        raise InputError(
            f"{len(twice)} outcomes repeat a pair ({some}); each pair counts once: number the pairs of a paradigm "
            "uniquely, or pass the outcomes of one run only"
        )


def _by_paradigm(outcomes: Iterable[PairOutcome]) -> dict[str, Tally]:
    members: defaultdict[str, list[PairOutcome]] = defaultdict(list)
    for outcome in outcomes:
        members[outcome.paradigm].append(outcome)
    return {name: tally(members[name]) for name in in_paper_order(members, _PARADIGMS)}


def _tallies(
    outcomes: Iterable[PairOutcome], group_of: Callable[[PairOutcome], str | None], order: Sequence[str] = ()
) -> dict[str, dict[str, Tally]]:
    """For each group the tallies of its paradigms; outcomes without a group are omitted."""
    members: defaultdict[str, list[PairOutcome]] = defaultdict(list)
    for outcome in outcomes:
        name = group_of(outcome)
        if name is not None:
            members[name].append(outcome)
    return {name: _by_paradigm(members[name]) for name in in_paper_order(members, order)}


def _groups(tallies: Mapping[str, Mapping[str, Tally]], ties: Ties) -> tuple[AccuracyGroup, ...]:
    return tuple(
        AccuracyGroup(name, len(paradigms), mean_over_paradigms(paradigms, ties), human_agreement(name, paradigms))
        for name, paradigms in tallies.items()
    )


def length_groups(outcomes: Iterable[PairOutcome], ties: Ties = Ties.WRONG) -> tuple[AccuracyGroup, ...]:
    """Accuracy over pairs in each of `LENGTH_GROUPS`; a group without pairs is included, and undefined.

    A pair without a score has no token counts, and so is in none of the groups by tokens.

    >>> [group.name for group in length_groups([])][:3]
    ['equal words', 'good shorter in words', 'good longer in words']
    """
    pairs = tuple(outcomes)
    scored = [outcome for outcome in pairs if outcome.decision != Decision.UNSCORED]
    return (
        *_by_length("words", [(each.good_words - each.bad_words, each) for each in pairs], ties),
        *_by_length("tokens", [(each.good_tokens - each.bad_tokens, each) for each in scored], ties),
    )


def _by_length(unit: str, differences: Sequence[tuple[int, PairOutcome]], ties: Ties) -> Iterator[AccuracyGroup]:
    """The groups by ``good - bad`` in this unit."""
    for sign, name in _SIGNS.items():
        members = [outcome for by, outcome in differences if (by > 0) - (by < 0) == sign]
        paradigms = len({outcome.paradigm for outcome in members})
        yield AccuracyGroup(name.format(unit), paradigms, over_pairs(tally(members), ties))


def _signature(model: str, method: Method, preset: Preset, data: str, sample: str) -> str:
    values = {"task": TASK, "data": data, "sample": sample, "model": model, "method": method.value}
    return str(make_signature({**values, **dict(preset.as_settings()), "interval": INTERVAL}))
