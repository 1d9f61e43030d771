"""What the rules of Italian and Spanish share: the record of their data, and verb forms that are nouns too.

A dictionary has one lemma for a form, and where a form is a noun too, it has the noun (Spanish ``cuenta``, Italian
``salva``); so "¿Quién cuenta los votos?" would not show ``contar``. The forms of a candidate that is a verb are
therefore searched themselves (`VerbForms`), except where the word before them makes them a noun ("la cuenta").
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from re import Pattern as Regex
from typing import NamedTuple

from .match_patterns import Occurrence
from .match_patterns import all_present
from .match_patterns import runs
from .match_phrase import Elements
from .match_view import View
from .rules_clitic import Clitics
from .rules_conjugation import Conjugation
from .rules_words import Rule

HOMOGRAPH = Rule("homograph", "a verb form that the dictionary gives to another word, where no noun can be")


class NounSigns(NamedTuple):
    """Neighbors that show that a form is a noun.

    Attributes:
        before: words that precede a noun ("la cuenta").
        after: words that follow one ("cuenta de"), unless one of ``verbal`` precedes the form ("no habla de").
        verbal: words that precede a verb.
    """

    before: frozenset[str]
    after: frozenset[str]
    verbal: frozenset[str]

    def show(self, view: View, position: int) -> bool:
        """Whether the word at ``position`` is a noun, or a name by its capital."""
        low, high = view.sentence(position)
        previous = view.form(position - 1) if position > low else ""
        if not previous.isalnum():  # a quotation mark, the beginning of a sentence, "¿"
            previous = ""
        if previous and view.words[position].text[:1].isupper():
            return True
        if previous in self.before or previous.isdecimal():
            return True
        return position + 1 < high and view.form(position + 1) in self.after and previous not in self.verbal


@dataclass(frozen=True, slots=True, kw_only=True)
class Romance:
    """Data of one language.

    Attributes:
        conjugation: how its verbs are inflected.
        clitics: pronouns that are written together with them.
        infinitives: ending of an infinitive before a pronoun -> endings of the infinitive alone.
        only_known: a base verb must be in the lexicon, because other words end in the same way.
        reflexives: pronoun of a citation form -> its forms in a text.
        fixed: other first pronouns of a citation form, which agree with nothing -> their forms (Italian
            ``farcela``).
        persons: form of the pronoun -> persons of the finite verb that it agrees with; forms without an entry agree
            with all.
        fallback: person -> shape of such a form, for forms that the tables lack.
        variants: other pronoun of a citation form (``andarsene``) -> its forms in a text.
        before_object: forms of the pronoun that occur only before one of ``objects`` (Italian ``se ne``).
        elided: forms that occur only before an apostrophe.
        objects: other pronouns that may separate the reflexive one and the verb.
        conditional: words that may begin a clause where ``se lo`` is "if it" (Italian).
        auxiliaries: forms and lemmas of verbs that may separate pronoun and verb -> these verbs.
        no_auxiliaries: forms of theirs that keep their own meaning ("se ha ido a lavar el coche").
        links: words that join such a verb and the infinitive.
        adverbs: other words between them.
        adverb_ending: ending of regular adverbs.
        datives: verbs with which ``se`` before one of ``dative_objects`` is "to him" (Spanish ``se lo dio``).
        dative_objects: see ``datives``.
        closed: words that must not separate the verb and the rest of a longer expression.
        stressed: ending of a form -> the same before a pronoun, with an accent (``ando`` -> ``ándo``).
        function_words: forms that are not read as a verb ("para", "como").
        signs: tell nouns from verb forms.
    """

    conjugation: Conjugation
    clitics: Clitics
    infinitives: tuple[tuple[str, tuple[str, ...]], ...]
    only_known: bool
    reflexives: Mapping[str, frozenset[str]]
    fixed: Mapping[str, frozenset[str]] = field(default_factory=dict)
    persons: Mapping[str, frozenset[str]]
    fallback: Mapping[str, Regex[str]]
    variants: Mapping[str, frozenset[str]] = field(default_factory=dict)
    before_object: frozenset[str] = frozenset()
    elided: frozenset[str] = frozenset()
    objects: frozenset[str]
    conditional: frozenset[str] = frozenset()
    auxiliaries: Mapping[str, frozenset[str]]
    no_auxiliaries: frozenset[str] = frozenset()
    links: frozenset[str]
    adverbs: frozenset[str]
    adverb_ending: str
    datives: frozenset[str] = frozenset()
    dative_objects: frozenset[str] = frozenset()
    closed: frozenset[str]
    stressed: tuple[tuple[str, str], ...] = ()
    function_words: frozenset[str]
    signs: NounSigns


class VerbForms(NamedTuple):
    """A verb by its forms, and the further words of the candidate.

    Attributes:
        elements: the forms, then the other words.
        infinitives: endings of lemmas that are verbs; a form that has such a lemma already is skipped.
        signs: tell nouns from verb forms.
    """

    elements: Elements
    infinitives: tuple[str, ...]
    signs: NounSigns

    def may_occur(self, present: AbstractSet[str]) -> bool:
        """See `Pattern`."""
        return all_present(self.elements, present)

    def find(self, view: View) -> Iterator[Occurrence]:
        """See `Pattern`."""
        for positions, rule in runs(view, self.elements, 0, len(view.words)):
            if self._is_misread(view, positions[0]) and not self.signs.show(view, positions[0]):
                yield Occurrence(positions, rule or HOMOGRAPH.name)

    def _is_misread(self, view: View, position: int) -> bool:
        """Whether the dictionary has no verb for the word; "Fatti" in "Fatti coraggio!" is two words."""
        verb, lexicon = self.elements[0], view.lexicon
        if verb is None or view.form(position) not in verb.keys:
            return False
        return not any(
            lemma.endswith(self.infinitives) and (lexicon is None or lexicon.lemma_of(lemma) == lemma)
            for lemma in view.words[position].lemmas
        )
