"""Data of German and Dutch verbs, and verb forms that the dictionary lacks or gives to another word.

The dictionary has one lemma for a form, so ``staat`` is only a noun, ``gestanden`` a form of ``gestehen``. It has no
lemma for many regular participles, and lacks forms of separable verbs that are written as one word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from .analysis import Lexicon
from .rules_words import Reading
from .rules_words import Rule
from .rules_words import table

SEPARABLE_FORMS = Rule(
    "separable_forms", "a form of a separable verb that is written as one word and not in the dictionary"
)
VERB_FORMS = Rule("verb_forms", "a participle or a strong form that the dictionary does not give to its verb")

_LONGEST_FORM = 40
_SHORTEST_STEM = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class VerbLast:
    """Data of one language whose citation forms and subordinate clauses have the verb last.

    Attributes:
        prefixes: separable prefixes that make verbs freely; others come from candidates.
        adverbs: prefixes that are adverbs too (``wieder``); the guard needs a relation to believe in them.
        apart: prefixes that may be written as a word directly before their verb (``kennen gelernt``).
        auxiliaries: verbs whose prefixes the guard ignores.
        copula: the verb ``be``; only a parse can show that it has a prefix.
        inseparable: verbs that look as if a prefix could be cut off (``handhaben``).
        reflexive: the pronoun of the citation form.
        pronouns: its forms in a text.
        subjects: pronoun -> subjects it agrees with; pronouns without an entry need none.
        persons: pronoun -> other pronouns of the same person.
        addressed: pronouns that an imperative has without a subject.
        before_imperatives: words that may precede an imperative.
        endings: of citation forms, to tell verbs from other words.
        marker: ``zu``, ``te``: between prefix and verb in an infinitive.
        marker_is_word: whether it is a separate word there (``op te geven``).
        participle_prefixes: beginnings of forms that may follow a prefix directly; the first marks participles.
        participle_endings: endings of participles that may begin otherwise (``-iert``).
        weak_endings: endings of weak participles.
        infinitives: stem of a weak participle -> possible infinitives.
        adjectives: words that only look like participles.
        between: words that may be between a prefix, or the rest of an expression, and a verb at the end of a clause
            (``op heeft gegeven``).
        opener: word that opens infinitive clauses (``om``).
        openers: prefixes that open them as well.
        conjunctions: words that begin another clause or another part of a list.
        closing: words before which a clause can have ended, including conjunctions.
        determiners: words that begin a noun phrase.
        finite: forms of auxiliaries: a clause with one of them is complete.
        articles: words that no verb follows.
        homographs: verb forms that are another word most of the time.
        prepositions: words that may end a citation form (``houden van``).
        stranding: adverbs that leave their preposition behind (``daar ... van``).
        strandable: such prepositions.
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
    subjects: Mapping[str, tuple[str, ...]]
    persons: Mapping[str, tuple[str, ...]]
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
    opener: str = ""
    openers: frozenset[str]
    conjunctions: frozenset[str]
    closing: frozenset[str]
    determiners: frozenset[str]
    finite: frozenset[str]
    articles: frozenset[str] = frozenset()
    homographs: frozenset[str] = frozenset()
    prepositions: frozenset[str]
    stranding: frozenset[str] = frozenset()
    strandable: frozenset[str] = frozenset()
    paired: frozenset[str]
    phrases: frozenset[str]
    circumpositions: Mapping[str, str] = field(default_factory=dict)
    expletive: str = ""
    strong: Mapping[str, tuple[str, ...]]


def forms_of(text: str) -> Mapping[str, tuple[str, ...]]:
    """A `table` from verbs to forms, inverted: form -> verbs.

    >>> forms_of("stehen:stand,gestanden")["stand"]
    ('stehen',)
    """
    found: dict[str, tuple[str, ...]] = {}
    for verb, forms in table(text).items():
        for form in forms:
            folded = form.casefold()
            found[folded] = (*found.get(folded, ()), verb)
    return found


def phrases_of(text: str) -> frozenset[str]:
    """Phrases separated by slashes.

    >>> sorted(phrases_of("nach wie vor / so weiter"))
    ['nach wie vor', 'so weiter']
    """
    return frozenset(" ".join(phrase.split()) for phrase in text.split("/"))


def readings(data: VerbLast, form: str, lemmas: tuple[str, ...], lexicon: Lexicon | None) -> tuple[Reading, ...]:
    """``stand`` as a form of ``stehen``; ``zurückzulegen``, ``zurücklegte`` as forms of ``zurücklegen``."""
    if lexicon is None or len(form) > _LONGEST_FORM:
        return ()
    folded = form.casefold()
    found = [Reading(verb, VERB_FORMS.name) for verb in _simple(data, folded, lemmas, lexicon)]
    found += [Reading(verb, SEPARABLE_FORMS.name) for verb in _joined(data, folded, lemmas, lexicon)]
    return tuple(dict.fromkeys(found))


def _simple(data: VerbLast, form: str, lemmas: tuple[str, ...], lexicon: Lexicon) -> Iterator[str]:
    yield from data.strong.get(form, ())
    if form in data.adjectives or any(lemma.casefold() != form and lemma.endswith(data.endings) for lemma in lemmas):
        return
    for participle in dict.fromkeys((form, *lemmas)):
        if _looks_like_participle(data, participle):
            yield from _of_participle(data, participle, lexicon)


def _looks_like_participle(data: VerbLast, form: str) -> bool:
    return form.startswith(data.participle_prefixes) or form.endswith(data.participle_endings)


def _of_participle(data: VerbLast, participle: str, lexicon: Lexicon) -> Iterator[str]:
    """Verbs of a weak participle (``gefreut``, ``besucht``), or of a strong one without ``ge-``."""
    mark, *prefixes = data.participle_prefixes
    stem = participle.removeprefix(mark)
    for ending in data.weak_endings:
        base = stem.removesuffix(ending)
        if base != stem and len(base) >= _SHORTEST_STEM:
            yield from filter(lexicon.is_lemma, data.infinitives(base))
    if stem != participle:
        return
    for prefix in filter(participle.startswith, prefixes):
        # ``entschieden``: the dictionary has ``geschieden``.
        verb = lexicon.lemma_of(mark + participle.removeprefix(prefix))
        if verb and verb.endswith(data.endings) and lexicon.is_lemma(prefix + verb):
            yield prefix + verb


def _joined(data: VerbLast, form: str, lemmas: tuple[str, ...], lexicon: Lexicon) -> Iterator[str]:
    known = lexicon.is_lemma(form) or any(lemma.casefold() != form for lemma in lemmas)
    for cut in range(2, len(form) - 2):
        prefix, rest = form[:cut], form[cut:]
        if prefix not in data.prefixes:
            continue
        for verb, marked in _verbs_of(data, rest, lexicon):
            # Two of three must hold: the form is marked (``ge-``, ``zu``), the dictionary has the verb, it has no
            # other word for the form (nl ``opgaven``).
            if marked + (not known) + lexicon.is_lemma(prefix + verb) >= 2:
                yield prefix + verb


def _verbs_of(data: VerbLast, rest: str, lexicon: Lexicon) -> Iterator[tuple[str, bool]]:
    """Verbs that ``rest`` is a form of, and whether the form itself shows that a prefix may precede it."""
    if rest.startswith(data.marker):
        infinitive = rest[len(data.marker) :]
        if infinitive.endswith(data.endings) and lexicon.lemma_of(infinitive) == infinitive:
            yield infinitive, True
    lemma = (lexicon.lemma_of(rest) or rest).replace("_", "")
    marked = _looks_like_participle(data, rest)
    if lemma != rest and lemma.endswith(data.endings):
        yield lemma, marked
    for verb in data.strong.get(rest, ()):
        yield verb, marked
    if marked and not lemma.endswith(data.endings):
        for participle in dict.fromkeys((rest, lemma)):
            for verb in _of_participle(data, participle, lexicon):
                yield verb, True
