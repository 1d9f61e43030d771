"""Verbs in German and Dutch: separable prefixes, reflexive pronouns, phrases whose verb moves to the front.

The dictionary puts the verb last (``aus der Mode kommen``, ``sich vorstellen``); a main clause puts it first
and leaves the rest behind (``kamen ... aus der Mode``, ``stellten uns ... vor``). One set of functions serves
both languages; what differs is data. Here candidates become patterns; what a text must look like for a prefix
to be separated is in ``separation``, for a pronoun to be reflexive in ``agreement``.

Source: Martelli et al. 2025, section on critical issues: reflexive verbs, multi-word inversion, separable
verbs.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from .match_patterns import Detached
from .match_patterns import Ending
from .match_patterns import Satellite
from .match_patterns import Side
from .records import PartOfSpeech
from .rules import Rule
from .rules_separation import is_clause_final
from .rules_separation import is_parsed_prefix
from .rules_separation import is_prefix
from .rules_separation import is_reflexive
from .rules_separation import opens_clause
from .rules_verb_forms import SEPARABLE_FORMS
from .rules_verb_forms import VERB_FORMS

if TYPE_CHECKING:
    from .match_patterns import Pattern
    from .match_phrase import Phrase
    from .match_view import Edge
    from .match_view import View

REFLEXIVE = Rule(
    "reflexive",
    "a reflexive verb whose pronoun agrees with the subject and stands elsewhere in the clause",
)
SEPARABLE = Rule("separable", "a separable verb whose prefix is a word of its own")
INVERSION = Rule("inversion", "a multi-word expression whose verb stands apart from the rest of it")
SEPARATED_GUARD = Rule(
    "separated_guard", "a verb is not counted where its separated prefix makes it another verb"
)
COMPOUND = Rule("compound", "a noun as the last part of a compound", default=False, flagged=True)

RULES = (REFLEXIVE, SEPARABLE, SEPARABLE_FORMS, VERB_FORMS, INVERSION, SEPARATED_GUARD, COMPOUND)

# A relative clause may stand between a verb and its prefix, and commas stand in lists.
CROSSES_COMMAS = True
_NO_VERBS = (PartOfSpeech.NOUN, PartOfSpeech.ADJECTIVE, PartOfSpeech.ADVERB)
_PREPOSITION_GAP = 3  # words between a verb and the preposition it governs
_SHORTEST_OWN, _SHORTEST_BASE = 3, 4  # letters of a prefix that is not in the table, and of its verb
_SHORTEST_MODIFIER = 3  # letters that a compound needs before its last part


@dataclass(frozen=True, slots=True)
class VerbLast:
    """Data of one verb-last language.

    Attributes:
        prefixes: separable prefixes that make verbs freely. Others come from candidates.
        adverbs: prefixes that are adverbs too (``wieder``); the guard takes them by relation only.
        apart: prefixes that may be written as a word directly before their verb (``kennen gelernt``).
        auxiliaries: verbs whose prefixes the guard does not believe in.
        copula: the verb ``be``; only a parse may tell that it has a prefix.
        inseparable: verbs that look as if a prefix of their own could be cut off (``handhaben``).
        reflexive: the pronoun of the citation form. pronouns: its forms in a text.
        subjects: pronoun -> subjects it agrees with; pronouns that are missing need none.
        persons: pronoun -> other pronouns of the same person.
        addressed: pronouns that an imperative has without a subject.
        before_imperatives: words that may stand before an imperative.
        endings: of citation forms, for telling verbs from other words.
        marker: ``zu``, ``te``: stands between prefix and verb in an infinitive.
        marker_is_word: whether it is a word of its own there (``op te geven``).
        participle_prefixes: how forms begin that a prefix may precede without more ado.
        participle_endings: how participles end that may begin otherwise (``-iert``).
        weak_endings: how weak participles end.
        infinitives: stem of a weak participle -> what the infinitive may be.
        adjectives: words that only look like participles.
        between: words that may stand between a prefix, or the rest of an expression, and a verb at the
            end of a clause (``op heeft gegeven``).
        opener: word that opens infinitive clauses (``om``). openers: prefixes that open them as well.
        conjunctions: words that begin another clause or another piece of a list.
        closing: words before which a clause can have ended, conjunctions among them.
        determiners: words that begin a noun phrase.
        finite: forms of auxiliaries: a clause that holds one is complete.
        articles: those after which no verb follows.
        homographs: forms of verbs that are other words most of the time.
        prepositions: words that may end a citation form (``houden van``).
        stranding: adverbs that leave their preposition behind (``daar ... van``). strandable: those.
        paired: words that make adverbs in pairs (``ab und zu``).
        phrases: other phrases that end in what looks like a prefix.
        circumpositions: prefix -> preposition with which it frames a noun phrase (``naar ... toe``).
        expletive: pronoun that may be part of a prefix (``eruitzien``: ``ziet er ... uit``).
        strong: forms of strong verbs -> the verbs, where the dictionary gives another lemma.
    """

    prefixes: frozenset[str]
    adverbs: frozenset[str]
    apart: frozenset[str]
    auxiliaries: frozenset[str]
    copula: str
    inseparable: frozenset[str]
    reflexive: str
    pronouns: tuple[str, ...]
    subjects: Mapping[str, frozenset[str]]
    persons: Mapping[str, frozenset[str]]
    addressed: frozenset[str]
    before_imperatives: frozenset[str]
    endings: tuple[str, ...]
    marker: str
    marker_is_word: bool
    participle_prefixes: tuple[str, ...]
    participle_endings: tuple[str, ...]
    weak_endings: tuple[str, ...]
    infinitives: Callable[[str], tuple[str, ...]]
    adjectives: frozenset[str]
    between: frozenset[str]
    opener: str
    openers: frozenset[str]
    conjunctions: frozenset[str]
    closing: frozenset[str]
    determiners: frozenset[str]
    finite: frozenset[str]
    articles: frozenset[str]
    homographs: frozenset[str]
    prepositions: frozenset[str]
    stranding: frozenset[str]
    strandable: frozenset[str]
    paired: frozenset[str]
    phrases: frozenset[str]
    circumpositions: Mapping[str, str]
    expletive: str
    strong: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class _Parts:
    """A candidate taken apart: pronoun or not, words before the verb, verb, preposition after it."""

    reflexive: bool
    before: tuple[str, ...]
    verb: str
    after: tuple[str, ...]

    @property
    def single(self) -> bool:
        """Whether the verb is all there is."""
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
        yield Detached(phrase.element(parts.verb), _pieces(data, phrase, parts, inverted), rule)
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
    pieces = _pieces(data, phrase, parts, inverted)
    for prefix, base in _splits(data, phrase, parts.verb):
        apart = Satellite(
            (phrase.surface(prefix),), fits=partial(is_prefix, data), crosses_commas=CROSSES_COMMAS
        )
        parsed = apart._replace(fits=partial(is_parsed_prefix, data))
        yield Detached(phrase.element(base), (parsed if base == data.copula else apart, *pieces), rule)
        # Alpino's lemma holds the prefix already: ``liep ... af``, ``af_lopen``.
        yield Detached(phrase.element(parts.verb), (parsed, *pieces), rule)
    yield from _with_expletive(data, phrase, parts, pieces)


def _with_expletive(
    data: VerbLast, phrase: Phrase, parts: _Parts, pieces: tuple[Satellite, ...]
) -> Iterator[Pattern]:
    """``eruitzien``: ``ziet er goed uit``, ``dat het er goed uitziet``."""
    verb = parts.verb.removeprefix(data.expletive)
    if not data.expletive or verb == parts.verb:
        return
    expletive = Satellite((phrase.surface(data.expletive),))
    for prefix, base in _splits(data, phrase, verb):
        apart = Satellite((phrase.surface(prefix),), Side.AFTER, fits=partial(is_clause_final, data))
        yield Detached(phrase.element(base), (apart, expletive, *pieces), SEPARABLE.name)
        yield Detached(phrase.element(verb), (expletive, *pieces), SEPARABLE.name)


def _pieces(data: VerbLast, phrase: Phrase, parts: _Parts, inverted: bool) -> tuple[Satellite, ...]:
    """What stands beside the verb: the words before it, its preposition, the reflexive pronoun."""
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
    """``houdt ... van``, where nothing but the verb speaks for it: near, and not inside a noun phrase."""
    elements = phrase.elements(parts.after)
    if parts.before or parts.reflexive:
        return Satellite(elements, barrier=data.conjunctions)
    return Satellite(elements, gap=_PREPOSITION_GAP, barrier=data.conjunctions | data.determiners)


def _is_rest(data: VerbLast, view: View, head: Edge, cover: tuple[int, ...], between: list[int]) -> bool:
    """After the verb: in its clause. Before it: with nothing between but ``zu``, ``te`` or an auxiliary."""
    if cover[0] < head.first:
        return all(view.form(i) in data.between for i in between)
    return not any(opens_clause(data, view, i) for i in between)


def _splits(data: VerbLast, phrase: Phrase, verb: str) -> Iterator[tuple[str, str]]:
    """Ways to cut a citation form into a separable prefix and a verb.

    Prefixes come from the table; others from the candidate itself (``lahmlegen``, ``ademhalen``), where the
    lexicon must know the whole, the prefix and the verb, since nothing else speaks for the cut.
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
