"""Is this pronoun reflexive here? ``mich`` is so beside ``ich`` only: "Er wusch mich" is no "sich waschen".

The paper takes any of the pronouns anywhere in the sentence. Here it must agree with the subject of its own
clause and, where the analyzer has relations, depend on the verb. In doubt it is not reflexive.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .patterns import REACH

if TYPE_CHECKING:
    from .verb_last import VerbLast
    from .view import Edge
    from .view import View


def is_reflexive(data: VerbLast, view: View, head: Edge, cover: tuple[int, ...], between: list[int]) -> bool:
    """Whether the pronoun at ``cover[0]`` is the reflexive one of the verb ``head``."""
    pronoun = cover[0]
    if view.has_relations and not _depends(view, pronoun, head):
        return False
    form = view.form(pronoun)
    subjects = data.subjects.get(form)
    if subjects is None:
        return True
    low, high = _segment(data, view, pronoun)
    if _holds(view, low, high, pronoun, subjects):
        return True
    if form in data.addressed and _is_imperative(data, view, head, low):
        return True
    return _subject_is_elsewhere(data, view, head, pronoun, low, subjects)


def _depends(view: View, pronoun: int, head: Edge) -> bool:
    """By the parse: on the verb, or on the predicate that the verb is the copula of ("sich bewusst sein")."""
    of = view.words[pronoun].head
    verb = view.words[head.first]
    return of is not None and (head.first <= of < head.last or (verb.relation == "cop" and verb.head == of))


def _segment(data: VerbLast, view: View, position: int) -> tuple[int, int]:
    """The part of a clause around ``position`` that has no conjunction in it."""
    low, high = _near(view.clause(position), position)
    first, last = position, position + 1
    while first > low and view.form(first - 1) not in data.conjunctions:
        first -= 1
    while last < high and view.form(last) not in data.conjunctions:
        last += 1
    return first, last


def _near(stretch: tuple[int, int], position: int) -> tuple[int, int]:
    return max(stretch[0], position - REACH), min(stretch[1], position + REACH)


def _holds(view: View, low: int, high: int, pronoun: int, forms: frozenset[str]) -> bool:
    return any(view.form(i) in forms for i in range(low, high) if i != pronoun)


def _is_imperative(data: VerbLast, view: View, head: Edge, low: int) -> bool:
    """``Wasch dich!``: the verb is first, save for words such as ``bitte``, and nothing is asked."""
    if any(view.form(i) not in data.before_imperatives for i in range(low, head.first)):
        return False
    end = view.sentence(head.first)[1]
    return end >= len(view.words) or view.words[end].text != "?"


def _subject_is_elsewhere(
    data: VerbLast, view: View, head: Edge, pronoun: int, low: int, subjects: frozenset[str]
) -> bool:
    """A second verb of one subject ("Ich stand auf und wusch mich"), an infinitive ("half mir, mich zu ...").

    After a conjunction the subject is left out only if the pronoun follows at once, or after the verb.
    """
    first, last = _near(view.clause(pronoun), pronoun)
    if first < low and pronoun - low <= 1:
        return _holds(view, first, low, pronoun, subjects)
    if _is_infinitive(data, view, head):
        first, last = _near(view.sentence(pronoun), pronoun)
        person = subjects | data.persons[view.form(pronoun)]
        return _holds(view, first, last, pronoun, person)
    return False


def _is_infinitive(data: VerbLast, view: View, head: Edge) -> bool:
    """``zu waschen``, ``zurückzuziehen``, ``terug te trekken``."""
    form = view.form(head.first)
    before = view.form(head.first - 1) if head.first else ""
    joined = not data.marker_is_word and data.marker in form[2:-3]
    return form.endswith(data.endings) and (before == data.marker or joined)
