"""Does length decide? Accuracy apart for pairs whose good sentence is as long, shorter, longer than the bad one.

A summed log-probability falls with every token, so it favours the shorter sentence, and in 14 paradigms of BLiMP
the sentences differ in words, mostly in one direction (paper, footnote 5, has it as random). A model that is much
better where the good sentence is shorter than where it is longer may count words instead of knowing grammar.

Words are what blanks separate in the sentences, whatever the method; tokens are those of the model that count. The
groups cut across paradigms, so that their accuracy is over pairs.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from typing import NamedTuple

from .averages import Ties
from .averages import over_pairs
from .averages import tally
from .results import Decision
from .results import Group
from .results import Outcome


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
    return tuple(group for measure in _MEASURES for group in _groups(measure, pairs, ties))


def _groups(measure: _Measure, outcomes: Iterable[Outcome], ties: Ties) -> Iterator[Group]:
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
