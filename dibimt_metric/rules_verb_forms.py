"""Forms of German and Dutch verbs that the dictionary does not have, or gives to another word.

The dictionary has one lemma for a form, so ``staat`` is only a noun, ``gestanden`` a form of ``gestehen``. It
has no lemma for many regular participles, and lacks forms of separable verbs that are written as one word.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from typing import TYPE_CHECKING

from .rules import Reading
from .rules import Rule

if TYPE_CHECKING:
    from .analysis import Lexicon
    from .rules_verb_last import VerbLast

SEPARABLE_FORMS = Rule(
    "separable_forms", "a form of a separable verb that is written as one word and not in the dictionary"
)
VERB_FORMS = Rule("verb_forms", "a participle or a strong form that the dictionary does not give to its verb")

_LONGEST_FORM = 40
_SHORTEST_STEM = 2


def forms_of(table: str) -> Mapping[str, tuple[str, ...]]:
    """A table ``verb: form form``, a verb a line, as form -> verbs.

    >>> forms_of("stehen: stand gestanden")["stand"]
    ('stehen',)
    """
    found: dict[str, tuple[str, ...]] = {}
    for line in table.strip().splitlines():
        verb, _, forms = line.partition(":")
        for form in forms.split():
            folded = form.casefold()
            found[folded] = (*found.get(folded, ()), verb)
    return found


def phrases_of(table: str) -> frozenset[str]:
    """Phrases that are parted by slashes.

    >>> sorted(phrases_of("nach wie vor / so weiter"))
    ['nach wie vor', 'so weiter']
    """
    return frozenset(" ".join(phrase.split()) for phrase in table.split("/"))


def readings(
    data: VerbLast, form: str, lemmas: tuple[str, ...], lexicon: Lexicon | None
) -> tuple[Reading, ...]:
    """``stand`` as a form of ``stehen``; ``zurückzulegen``, ``zurücklegte`` as forms of ``zurücklegen``."""
    if lexicon is None or len(form) > _LONGEST_FORM:
        return ()
    folded = form.casefold()
    found = [Reading(verb, VERB_FORMS.name) for verb in _simple(data, folded, lemmas, lexicon)]
    found += [Reading(verb, SEPARABLE_FORMS.name) for verb in _joined(data, folded, lemmas, lexicon)]
    return tuple(dict.fromkeys(found))


def _simple(data: VerbLast, form: str, lemmas: tuple[str, ...], lexicon: Lexicon) -> Iterator[str]:
    yield from data.strong.get(form, ())
    if form in data.adjectives or any(lemma.casefold() != form and _is_verb(data, lemma) for lemma in lemmas):
        return
    for participle in dict.fromkeys((form, *lemmas)):
        if _is_marked(data, participle):
            yield from _of_participle(data, participle, lexicon)


def _is_verb(data: VerbLast, lemma: str) -> bool:
    return lemma.endswith(data.endings)


def _is_marked(data: VerbLast, form: str) -> bool:
    """Whether the form looks like a participle."""
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
        if verb and _is_verb(data, verb) and lexicon.is_lemma(prefix + verb):
            yield prefix + verb


def _joined(data: VerbLast, form: str, lemmas: tuple[str, ...], lexicon: Lexicon) -> Iterator[str]:
    known = lexicon.is_lemma(form) or any(lemma.casefold() != form for lemma in lemmas)
    for cut in range(2, len(form) - 2):
        prefix, rest = form[:cut], form[cut:]
        if prefix not in data.prefixes:
            continue
        for verb, marked in _verbs_of(data, rest, lexicon):
            # Two of three must speak for it: the mark of the form (``ge-``, ``zu``), that the dictionary has
            # the verb, that it has no other word for the form (nl ``opgaven``).
            if marked + (not known) + lexicon.is_lemma(prefix + verb) >= 2:
                yield prefix + verb


def _verbs_of(data: VerbLast, rest: str, lexicon: Lexicon) -> Iterator[tuple[str, bool]]:
    """Verbs that ``rest`` is a form of, and whether the form itself says that a prefix may precede it."""
    if rest.startswith(data.marker):
        infinitive = rest[len(data.marker) :]
        if _is_verb(data, infinitive) and lexicon.lemma_of(infinitive) == infinitive:
            yield infinitive, True
    lemma = (lexicon.lemma_of(rest) or rest).replace("_", "")
    marked = _is_marked(data, rest)
    if lemma != rest and _is_verb(data, lemma):
        yield lemma, marked
    for verb in data.strong.get(rest, ()):
        yield verb, marked
    if marked and not _is_verb(data, lemma):
        for participle in dict.fromkeys((rest, lemma)):
            for verb in _of_participle(data, participle, lexicon):
                yield verb, True
