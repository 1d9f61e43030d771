"""Candidates of German and Dutch become patterns: separable and reflexive verbs, phrases whose verb moves to the front.

The dictionary puts the verb last (``aus der Mode kommen``, ``sich vorstellen``); a main clause puts it first and leaves
the rest behind (``kamen ... aus der Mode``, ``stellten uns ... vor``). One set of functions serves both languages; what
differs is data (`VerbLast`). When a prefix is separated and when a pronoun is reflexive is in ``rules_separation``.

Source: Martelli et al. 2025, section on critical issues: reflexive verbs, multi-word inversion, separable verbs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from .match_patterns import Detached
from .match_patterns import Ending
from .match_patterns import Pattern
from .match_patterns import Satellite
from .match_patterns import Side
from .match_phrase import Phrase
from .match_view import Edge
from .match_view import View
from .records import PartOfSpeech
from .rules_separation import is_clause_final
from .rules_separation import is_parsed_prefix
from .rules_separation import is_prefix
from .rules_separation import is_reflexive
from .rules_separation import opens_clause
from .rules_verb_forms import SEPARABLE_FORMS
from .rules_verb_forms import VERB_FORMS
from .rules_verb_forms import VerbLast
from .rules_words import Rule

REFLEXIVE = Rule("reflexive", "a reflexive verb whose pronoun agrees with the subject and is elsewhere in the clause")
SEPARABLE = Rule("separable", "a separable verb whose prefix is a word of its own")
INVERSION = Rule("inversion", "a multi-word expression whose verb is apart from the rest of it")
SEPARATED_GUARD = Rule("separated_guard", "a verb is not counted where its separated prefix makes it another verb")
COMPOUND = Rule("compound", "a noun as the last part of a compound", default=False, flagged=True)

RULES = (REFLEXIVE, SEPARABLE, SEPARABLE_FORMS, VERB_FORMS, INVERSION, SEPARATED_GUARD, COMPOUND)

# A relative clause or a list with commas may separate a verb and its prefix.
CROSSES_COMMAS = True
_NO_VERBS = (PartOfSpeech.NOUN, PartOfSpeech.ADJECTIVE, PartOfSpeech.ADVERB)
_PREPOSITION_GAP = 3  # words between a verb and the preposition it governs
_SHORTEST_OWN, _SHORTEST_BASE = 3, 4  # letters of a prefix that is not in the table, and of its verb
_SHORTEST_MODIFIER = 3  # letters that a compound needs before its last part


@dataclass(frozen=True, slots=True)
class _Parts:
    """A candidate taken apart: whether it has a pronoun, words before the verb, verb, preposition after it."""

    reflexive: bool
    before: tuple[str, ...]
    verb: str
    after: tuple[str, ...]

    @property
    def single(self) -> bool:
        return not self.before and not self.after


def patterns(data: VerbLast, phrase: Phrase, active: frozenset[str]) -> Iterator[Pattern]:
    """Patterns of the active rules for one candidate."""
    if COMPOUND.name in active and len(phrase.parts) == 1:
        yield from _compound(phrase)
    if not phrase.parts or phrase.pos in _NO_VERBS:
        return
    parts = _take_apart(data, phrase.parts)
    if not _may_be_verb(data, parts.verb) or (parts.reflexive and REFLEXIVE.name not in active):
        return
    inverted = INVERSION.name in active
    rule = REFLEXIVE.name if parts.reflexive else INVERSION.name
    if parts.reflexive or (inverted and not parts.single):
        yield Detached(phrase.element(parts.verb), _satellites(data, phrase, parts, inverted), rule)
    if SEPARABLE.name in active and (inverted or parts.reflexive or parts.single):
        yield from _separated(data, phrase, parts, inverted)


def _take_apart(data: VerbLast, words: tuple[str, ...]) -> _Parts:
    reflexive = len(words) > 1 and words[0].casefold() == data.reflexive
    first, last = int(reflexive), len(words)
    while last - first > 1 and words[last - 1] in data.prepositions:
        last -= 1
    return _Parts(reflexive, words[first : last - 1], words[last - 1], words[last:])


def _may_be_verb(data: VerbLast, word: str) -> bool:
    return word.casefold().endswith(data.endings) and not word[0].isupper()


def _separated(data: VerbLast, phrase: Phrase, parts: _Parts, inverted: bool) -> Iterator[Pattern]:
    """The verb without its prefix, the prefix, and what else the candidate has."""
    rule = REFLEXIVE.name if parts.reflexive else SEPARABLE.name
    others = _satellites(data, phrase, parts, inverted)
    for prefix, base in _splits(data, phrase, parts.verb):
        apart = Satellite((phrase.surface(prefix),), fits=partial(is_prefix, data), crosses_commas=CROSSES_COMMAS)
        parsed = apart._replace(fits=partial(is_parsed_prefix, data))
        yield Detached(phrase.element(base), (parsed if base == data.copula else apart, *others), rule)
        # Alpino's lemma contains the prefix already: ``liep ... af``, ``af_lopen``.
        yield Detached(phrase.element(parts.verb), (parsed, *others), rule)
    yield from _with_expletive(data, phrase, parts, others)


def _with_expletive(data: VerbLast, phrase: Phrase, parts: _Parts, others: tuple[Satellite, ...]) -> Iterator[Pattern]:
    """``eruitzien``: ``ziet er goed uit``, ``dat het er goed uitziet``."""
    verb = parts.verb.removeprefix(data.expletive)
    if not data.expletive or verb == parts.verb:
        return
    expletive = Satellite((phrase.surface(data.expletive),))
    for prefix, base in _splits(data, phrase, verb):
        apart = Satellite((phrase.surface(prefix),), Side.AFTER, fits=partial(is_clause_final, data))
        yield Detached(phrase.element(base), (apart, expletive, *others), SEPARABLE.name)
        yield Detached(phrase.element(verb), (expletive, *others), SEPARABLE.name)


def _satellites(data: VerbLast, phrase: Phrase, parts: _Parts, inverted: bool) -> tuple[Satellite, ...]:
    """What accompanies the verb: the words before it, its preposition, the reflexive pronoun."""
    found = []
    if parts.before:
        side = Side.ANY if inverted else Side.BEFORE
        found.append(Satellite(phrase.elements(parts.before), side, fits=partial(_is_rest, data)))
    if parts.after:
        found.append(_preposition(data, phrase, parts))
    if parts.reflexive:
        pronoun = phrase.surface(*data.pronouns)
        found.append(Satellite((pronoun,), barrier=data.conjunctions, fits=partial(is_reflexive, data)))
    return tuple(found)


def _preposition(data: VerbLast, phrase: Phrase, parts: _Parts) -> Satellite:
    """``houdt ... van``, without other evidence than the verb: near it, and not inside a noun phrase."""
    elements = phrase.elements(parts.after)
    if parts.before or parts.reflexive:
        return Satellite(elements, barrier=data.conjunctions)
    return Satellite(elements, gap=_PREPOSITION_GAP, barrier=data.conjunctions | data.determiners)


def _is_rest(data: VerbLast, view: View, head: Edge, place: tuple[int, ...], between: list[int]) -> bool:
    """After the verb: in its clause. Before it: with nothing between but ``zu``, ``te`` or an auxiliary."""
    if place[0] < head.first:
        return all(view.form(i) in data.between for i in between)
    return not any(opens_clause(data, view, i) for i in between)


def _splits(data: VerbLast, phrase: Phrase, verb: str) -> Iterator[tuple[str, str]]:
    """Ways to cut a citation form into a separable prefix and a verb.

    Prefixes come from the table; others from the candidate itself (``lahmlegen``, ``ademhalen``), where the
    lexicon must know the whole, the prefix and the verb, since there is no other evidence for the cut.
    """
    folded = verb.casefold()
    if folded in data.inseparable:
        return
    for cut in range(2, len(folded) - 2):
        prefix, base = folded[:cut], folded[cut:]
        if not base.endswith(data.endings) or phrase.knows(base) is False:
            continue
        own = cut >= _SHORTEST_OWN and phrase.knows(folded) is not False and phrase.knows(prefix) is not False
        if prefix in data.prefixes or (own and len(base) >= _SHORTEST_BASE):
            yield prefix, base


def _compound(phrase: Phrase) -> Iterator[Pattern]:
    if phrase.pos in (None, PartOfSpeech.NOUN) and len(phrase.text) >= 3 and phrase.text.isalpha():
        for key in phrase.element(phrase.text).keys:
            yield Ending(key, _SHORTEST_MODIFIER, COMPOUND.name)
