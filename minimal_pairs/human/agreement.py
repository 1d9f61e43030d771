"""How well people agree with the labels of a data set: individual and majority agreement, as in the paper.

With k_i of the n_i judges of pair i choosing the acceptable sentence (paper, data validation)::

    individual, of a paradigm = 100 * mean over its pairs of k_i / n_i
    majority, of a paradigm   = 100 * share of its pairs with k_i > n_i / 2
    of a phenomenon           = mean over its paradigms
    overall                   = mean over paradigms

The paper's numbers are computed this way: its published summary gives 80.44 for a paradigm with 98 judgments, which is
not a multiple of 1/98, but the mean of five pairs' shares. 323 of 335 pairs give its 96.4. If all pairs have equally
many judges, the share of all judgments equals the individual agreement; it is given as well (``pooled``).

Pairs without any judgment are counted but otherwise ignored. By default, a tie of the judges is not a majority for the
label. Intervals (formula: `intervals`) are over pairs: what other pairs of the same paradigms would give with these
judges. The judgments of one pair are one observation, since they are not independent.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from dibimt_metric.errors import InputError, shown
from dibimt_metric.score_measures import parse_option
from dibimt_metric.signature import make_signature

from ..paradigms import PARADIGMS, PHENOMENA, in_paper_order
from ..scoring.averages import Tally, Ties, mean_over_paradigms
from ..scoring.intervals import NAME as INTERVAL
from ..scoring.intervals import Stratum, interval
from ..scoring.results import Accuracy
from .answers import Answers, Item, Judgment

THRESHOLD = 0.8
"""A paradigm belongs in BLiMP if the majority agrees on at least 4 of 5 pairs (paper, data validation)."""

_NO_JUDGMENT = "no judgment"
_ROUNDING = 1e-9  # of a share times a number of pairs
_PARADIGMS = tuple(paradigm.name for paradigm in PARADIGMS)


@dataclass(frozen=True, slots=True)
class GroupAgreement:
    """The agreement of people with the labels of a paradigm or phenomenon.

    Attributes:
        name: of the group. paradigms: how many it has.
        individual: ``n`` is judgments, ``right`` those that agree; ``unscored`` is pairs without any.
        majority: ``n`` is pairs, ``right`` those whose majority agrees, ``ties`` those without a majority.
    """

    name: str
    paradigms: int
    individual: Accuracy
    majority: Accuracy


@dataclass(frozen=True, slots=True)
class Agreement:
    """Human agreement with a data set.

    Attributes:
        individual, majority: overall, mean over paradigms (the paper's). pooled: share of all judgments that agree.
        phenomena, paradigms: by group, in the paper's order, others after them by name.
        below_threshold: paradigms that the paper would have rejected: majority agreement on under 4 of 5 pairs.
        annotators: number of judges. signature: of the result.
    """

    individual: Accuracy
    pooled: Accuracy
    majority: Accuracy
    phenomena: tuple[GroupAgreement, ...]
    paradigms: tuple[GroupAgreement, ...]
    below_threshold: tuple[str, ...]
    annotators: int
    signature: str


class _Votes(NamedTuple):
    """The judges of one pair: how many agree with the label, and how many there are."""

    agree: int
    n: int


def agreement(answers: Answers, ties: Ties | str = Ties.WRONG) -> Agreement:
    """The agreement of the judges that were kept.

    Args:
        answers: result of `read_answers`.
        ties: what a pair counts as if the judges are split evenly.

    Raises:
        InputError: the setting is unknown, or there is no judgment; the message names the excluded judges.
    """
    if not answers.judgments:
        left = [f"{each.name} ({each.excluded})" for each in answers.annotators if each.excluded]
        raise InputError(f"no judgment is left to count; excluded: {', '.join(left) or 'nobody'}")
    rules = f"checks>={answers.rule.checks_right},answered>={answers.rule.answered}"
    return agreement_of(answers.judgments, ties, answers.items, rules)


def agreement_of(
    judgments: Iterable[Judgment], ties: Ties | str = Ties.WRONG, items: Sequence[Item] = (), excluded: str = "none"
) -> Agreement:
    """The agreement from judgments of any source.

    Args:
        judgments: at most one of each judge for each pair.
        ties: what a pair counts as if the judges are split evenly.
        items: all pairs, so that those without a judgment are counted.
        excluded: the rule by which judges were excluded, for the signature.

    Raises:
        InputError: a judge has two judgments for a pair, or the setting is unknown.

    Example:
        >>> one, other = Item("a", 0, None), Item("a", 1, None)
        >>> votes = [("x", one, True), ("y", one, True), ("z", one, False), ("x", other, True), ("y", other, False)]
        >>> found = agreement_of(Judgment(*vote) for vote in votes)
        >>> round(found.individual.value, 2), found.majority.value, found.majority.ties  # (2/3 + 1/2) / 2, 1 of 2, 1
        (58.33, 50.0, 1)
    """
    given = tuple(judgments)
    rule = parse_option(Ties, ties, "ties")
    votes = _votes(given, items)
    paradigms = _grouped(votes)
    phenomena = _by_phenomenon(votes)
    groups = tuple(_group(name, {name: members}, rule) for name, members in paradigms.items())
    return Agreement(
        individual=_individual(paradigms),
        pooled=_pooled(paradigms),
        majority=mean_over_paradigms(_majorities(paradigms), rule),
        phenomena=tuple(_group(name, members, rule) for name, members in phenomena.items()),
        paradigms=groups,
        below_threshold=tuple(g.name for g in groups if _is_below(g.majority)),
        annotators=len({judgment.annotator for judgment in given}),
        signature=_signature(given, rule, excluded),
    )


def _votes(judgments: Iterable[Judgment], items: Iterable[Item]) -> dict[Item, _Votes]:
    votes: dict[Item, _Votes] = dict.fromkeys(items, _Votes(0, 0))
    seen: set[tuple[str, Item]] = set()
    for judgment in judgments:
        key = (judgment.annotator, judgment.item)
        if key in seen:
            item = judgment.item
            raise InputError(
                f"annotator {shown(judgment.annotator)} has two judgments for pair {item.pair_id} of "
                f"{shown(item.paradigm)}; each judge counts once for each pair"
            )
        seen.add(key)
        agree, n = votes.get(judgment.item, _Votes(0, 0))
        votes[judgment.item] = _Votes(agree + judgment.agrees, n + 1)
    return votes


def _grouped(votes: Mapping[Item, _Votes]) -> dict[str, list[_Votes]]:
    groups: defaultdict[str, list[_Votes]] = defaultdict(list)
    for item in sorted(votes, key=lambda item: item.pair_id):
        groups[item.paradigm].append(votes[item])
    return {name: groups[name] for name in in_paper_order(groups, _PARADIGMS)}


def _by_phenomenon(votes: Mapping[Item, _Votes]) -> dict[str, dict[str, list[_Votes]]]:
    groups: defaultdict[str, dict[Item, _Votes]] = defaultdict(dict)
    for item, vote in votes.items():
        if item.phenomenon is not None:
            groups[item.phenomenon][item] = vote
    return {name: _grouped(groups[name]) for name in in_paper_order(groups, PHENOMENA)}


def _group(name: str, paradigms: Mapping[str, list[_Votes]], ties: Ties) -> GroupAgreement:
    majorities = _majorities(paradigms)
    return GroupAgreement(name, len(paradigms), _individual(paradigms), mean_over_paradigms(majorities, ties))


def _individual(paradigms: Mapping[str, list[_Votes]]) -> Accuracy:
    judged = [[vote.agree / vote.n for vote in votes if vote.n] for votes in paradigms.values()]
    used = [shares for shares in judged if shares]
    counts = _judgment_counts(paradigms)
    average = f"mean over {len(used)} paradigms of means over pairs"
    if not used:
        return Accuracy(None, average, 0, *counts, reason=_NO_JUDGMENT)
    strata = [_stratum(shares, 1 / len(used)) for shares in used]
    value = math.fsum(each.mean for each in strata) / len(used)
    low, high = interval(strata)
    return Accuracy(100 * value, average, counts.n, *counts, low=100 * low, high=100 * high)


def _stratum(shares: Sequence[float], weight: float) -> Stratum:
    n = len(shares)
    mean = math.fsum(shares) / n
    variance = math.fsum((share - mean) ** 2 for share in shares) / (n - 1) if n > 1 else 0.0
    return Stratum(weight, n, mean, variance)


def _pooled(paradigms: Mapping[str, list[_Votes]]) -> Accuracy:
    """Without an interval: judgments of one pair are not independent, and no formula here weights pairs by judges."""
    counts = _judgment_counts(paradigms)
    value = 100 * counts.right / counts.n if counts.n else None
    return Accuracy(value, "over judgments", counts.n, *counts, reason=None if counts.n else _NO_JUDGMENT)


def _judgment_counts(paradigms: Mapping[str, list[_Votes]]) -> Tally:
    votes = [vote for votes in paradigms.values() for vote in votes]
    agree, n = sum(vote.agree for vote in votes), sum(vote.n for vote in votes)
    return Tally(agree, n - agree, 0, sum(not vote.n for vote in votes))


def _majorities(paradigms: Mapping[str, list[_Votes]]) -> dict[str, Tally]:
    return {name: _majority(votes) for name, votes in paradigms.items()}


def _majority(votes: Iterable[_Votes]) -> Tally:
    judged = [2 * vote.agree - vote.n if vote.n else None for vote in votes]
    known = [lead for lead in judged if lead is not None]
    right, wrong = sum(lead > 0 for lead in known), sum(lead < 0 for lead in known)
    return Tally(right, wrong, len(known) - right - wrong, len(judged) - len(known))


def _is_below(majority: Accuracy) -> bool:
    # A tie is not agreement of the majority, whatever it counts as.
    return majority.n > 0 and majority.right < THRESHOLD * majority.n - _ROUNDING


def _signature(judgments: Sequence[Judgment], ties: Ties, excluded: str) -> str:
    lines = sorted(
        json.dumps([each.annotator, each.item.paradigm, each.item.pair_id, each.agrees]) for each in judgments
    )
    digest = hashlib.sha256("\n".join(lines).encode("ascii")).hexdigest()[:12]
    values = {"task": "human_agreement", "judgments": digest, "excluded": excluded, "ties": ties.value}
    return str(make_signature({**values, "interval": INTERVAL}))
