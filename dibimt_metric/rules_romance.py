"""What the rules of Italian and Spanish share: a record of data, and from it the patterns of a candidate."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping
from dataclasses import dataclass
from re import Pattern as Regex
from typing import TYPE_CHECKING, NamedTuple

from .match_patterns import Contiguous
from .records import PartOfSpeech
from .rules_clitic import without_stress
from .rules_conjugation import INFINITIVE
from .rules_conjugation import NOT_FINITE
from .rules_homograph import HOMOGRAPH
from .rules_homograph import VerbForms
from .rules_pronominal import ENCLITIC
from .rules_pronominal import REFLEXIVE
from .rules_pronominal import OverPronouns
from .rules_pronominal import Pronominal

if TYPE_CHECKING:
    from .match_patterns import Pattern
    from .match_phrase import Phrase
    from .rules_clitic import Clitics
    from .rules_conjugation import Conjugation
    from .rules_homograph import NounSigns

RULES = (REFLEXIVE, ENCLITIC, HOMOGRAPH)


@dataclass(frozen=True, slots=True)
class Romance:
    """Data of one language.

    Attributes:
        conjugation: how its verbs are inflected. clitics: what is written together with them.
        infinitives: ending of an infinitive before a pronoun -> endings of the infinitive alone.
        only_known: a base verb must be in the lexicon, because other words end in the same way.
        reflexives: pronoun of a citation form -> its forms in a text.
        fixed: other first pronouns of a citation form, which agree with nothing -> their forms (Italian
            ``farcela``).
        persons: form of the pronoun -> persons of the finite verb that it agrees with; forms that
            are missing agree with all.
        fallback: person -> what such a form looks like, where the tables do not have it.
        variants: other pronoun of a citation form (``andarsene``) -> its forms in a text.
        before_object: forms of the pronoun that stand only before one of ``objects`` (Italian ``se ne``).
        elided: forms that stand only before an apostrophe.
        objects: other pronouns that may stand between the reflexive one and the verb.
        conditional: words with which a clause may begin where ``se lo`` is "if it" (Italian).
        auxiliaries: forms and lemmas of verbs that may stand between, with the pronoun before them -> the
            verbs.
        no_auxiliaries: forms of theirs that keep their own meaning ("se ha ido a lavar el coche").
        links: words that join such a verb and the infinitive. adverbs: other words between them.
        adverb_ending: ending of regular adverbs.
        datives: verbs with which ``se`` before one of ``dative_objects`` is "to him" (Spanish ``se lo dio``).
        closed: words that must not stand between the verb and the rest of a longer expression.
        stressed: ending of a form -> the same before a pronoun, with an accent (``ando`` -> ``ándo``).
        function_words: forms that are read as no verb ("para", "como").
        signs: what tells nouns from verb forms.
    """

    conjugation: Conjugation
    clitics: Clitics
    infinitives: tuple[tuple[str, tuple[str, ...]], ...]
    only_known: bool
    reflexives: Mapping[str, frozenset[str]]
    fixed: Mapping[str, frozenset[str]]
    persons: Mapping[str, frozenset[str]]
    fallback: Mapping[str, Regex[str]]
    variants: Mapping[str, frozenset[str]]
    before_object: frozenset[str]
    elided: frozenset[str]
    objects: frozenset[str]
    conditional: frozenset[str]
    auxiliaries: Mapping[str, frozenset[str]]
    no_auxiliaries: frozenset[str]
    links: frozenset[str]
    adverbs: frozenset[str]
    adverb_ending: str
    datives: frozenset[str]
    dative_objects: frozenset[str]
    closed: frozenset[str]
    stressed: tuple[tuple[str, str], ...]
    function_words: frozenset[str]
    signs: NounSigns


class Citation(NamedTuple):
    """A pronominal infinitive taken apart: ``andarsene`` -> ``andare``, ``si``, ``ne``."""

    bases: tuple[str, ...]
    pronoun: str
    others: tuple[str, ...]


def citation(data: Romance, verb: str) -> Citation | None:
    """Base verbs and pronouns of a reflexive infinitive; ``None`` where it is no such infinitive."""
    folded = verb.casefold()
    if not folded.endswith(tuple(data.clitics.clusters)):
        return None
    for cluster, pronouns in data.clitics.clusters.items():
        if folded.endswith(cluster) and (pronouns[0] in data.reflexives or pronouns[0] in data.fixed):
            host = without_stress(folded.removesuffix(cluster))
            bases = tuple(
                host.removesuffix(ending) + infinitive
                for ending, infinitives in data.infinitives
                if host.endswith(ending)
                for infinitive in infinitives
            )
            if bases:
                return Citation(bases, pronouns[0], pronouns[1:])
    return None


def patterns(data: Romance, phrase: Phrase, active: frozenset[str]) -> Iterator[Pattern]:
    """Patterns of the active rules for one candidate."""
    if not phrase.parts or phrase.pos in _NO_VERBS:
        return
    found = citation(data, phrase.parts[0])
    if found is not None:
        yield Contiguous((phrase.surface(phrase.parts[0]), *phrase.elements(phrase.parts[1:])))
        if REFLEXIVE.name in active:
            yield from _pronominal(data, phrase, found)
    else:
        yield from _verb_forms(data, phrase, active)


def is_pronominal(data: Romance, phrase: Phrase) -> bool:
    """Whether a candidate begins with a verb that has a reflexive pronoun."""
    return bool(phrase.parts) and phrase.pos not in _NO_VERBS and citation(data, phrase.parts[0]) is not None


def _pronominal(data: Romance, phrase: Phrase, found: Citation) -> Iterator[Pattern]:
    """The verb with its pronoun; further words may follow (``darse cuenta``)."""
    known = tuple(base for base in found.bases if _is_verb(phrase, base))
    if not known and data.only_known:
        return
    rest = phrase.elements(phrase.parts[1:])
    pronouns = _forms_of(data, found.pronoun)
    for base in known or found.bases[:1]:
        yield Pronominal(
            data=data,
            base=base,
            verb=phrase.element(base),
            forms=phrase.surface(*data.conjugation.forms(base, phrase.lexicon), base),
            pronoun=phrase.surface(*pronouns),
            agrees=found.pronoun in data.reflexives,
            others=tuple(phrase.surface(*data.variants.get(other, (other,))) for other in found.others),
            rest=rest,
            joined=phrase.surface(*(() if phrase.lexicon else _joined(data, found, base))),
        )


def _forms_of(data: Romance, pronoun: str) -> frozenset[str]:
    return data.reflexives.get(pronoun) or data.fixed[pronoun]


def _joined(data: Romance, found: Citation, base: str) -> Iterator[str]:
    """``lavarmi``, ``lavandosi``: for analyzers that may leave such a form whole, as its own lemma."""
    for form, persons in data.conjugation.forms(base, None).items():
        if persons & {INFINITIVE, NOT_FINITE}:
            for plain, written in data.stressed:
                form = form.removesuffix(plain) + written if form.endswith(plain) else form
            for cluster, pronouns in data.clitics.clusters.items():
                if pronouns[0] in _forms_of(data, found.pronoun) and pronouns[1:] == found.others:
                    yield form + cluster


def _verb_forms(data: Romance, phrase: Phrase, active: frozenset[str]) -> Iterator[Pattern]:
    """The forms of a verb at the beginning of a candidate, and what may stand between it and the rest."""
    verb = phrase.parts[0].casefold()
    if not verb.endswith(data.clitics.infinitives) or not _is_verb(phrase, verb):
        return
    forms = phrase.surface(*(data.conjugation.forms(verb, phrase.lexicon).keys() - data.function_words))
    rest = phrase.elements(phrase.parts[1:])
    # Without a dictionary there is a model that has parts of speech, and the lemma is its decision.
    if phrase.lexicon is not None and HOMOGRAPH.name in active:
        yield VerbForms((forms, *rest), data.clitics.infinitives, data.signs)
    if rest and ENCLITIC.name in active:
        yield OverPronouns(phrase.element(verb), forms, rest)


def _is_verb(phrase: Phrase, infinitive: str) -> bool:
    lexicon = phrase.lexicon
    return lexicon is None or (lexicon.is_lemma(infinitive) and lexicon.lemma_of(infinitive) == infinitive)


_NO_VERBS = (PartOfSpeech.NOUN, PartOfSpeech.ADJECTIVE, PartOfSpeech.ADVERB)
