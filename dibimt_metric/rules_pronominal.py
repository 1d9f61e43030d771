"""Candidates of Italian and Spanish become patterns: verbs with a reflexive pronoun, verbs with pronouns in one token.

A candidate in ``-rsi`` / ``-rse`` is found as itself, or as its base verb with a reflexive pronoun: ``si è lavato``,
``andarsene``. The paper looks for the two anywhere in the sentence, so that "me dijo que lavó el coche" would show
``lavarse``. Here the pronoun must belong to the verb: written together with it, or before it with nothing between them
but other pronouns, auxiliaries and adverbs; and it must agree with the finite verb, since "me lavó" (he washed me) is
not reflexive.

Source: Martelli et al. 2025, section on critical issues.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from .match_patterns import Contiguous
from .match_patterns import Occurrence
from .match_patterns import Pattern
from .match_patterns import all_present
from .match_patterns import runs
from .match_phrase import Element
from .match_phrase import Elements
from .match_phrase import Phrase
from .match_view import View
from .records import PartOfSpeech
from .rules_clitic import without_stress
from .rules_conjugation import INFINITIVE
from .rules_conjugation import NOT_FINITE
from .rules_romance import HOMOGRAPH
from .rules_romance import Romance
from .rules_romance import VerbForms
from .rules_words import Rule

REFLEXIVE = Rule("reflexive", "a verb in -rsi or -rse as its base verb with a pronoun that belongs to it")
ENCLITIC = Rule("enclitic", "a longer expression whose verb has pronouns written after it")

RULES = (REFLEXIVE, ENCLITIC, HOMOGRAPH)

_NO_VERBS = (PartOfSpeech.NOUN, PartOfSpeech.ADJECTIVE, PartOfSpeech.ADVERB)
_FARTHEST = 7  # words from a pronoun to its verb ("se lo va a tener que pensar")
_WIDEST_GAP = 2  # words between a verb and the rest ("se dio muy poca cuenta")


# From a candidate to patterns


class Citation(NamedTuple):
    """A pronominal infinitive taken apart: ``andarsene`` -> ``andare``, ``si``, ``ne``."""

    bases: tuple[str, ...]
    pronoun: str
    others: tuple[str, ...]


def citation(data: Romance, verb: str) -> Citation | None:
    """Base verbs and pronouns of a reflexive infinitive; ``None`` for any other word."""
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
    """``lavarmi``, ``lavandosi``: for analyzers that may not split such a form."""
    for form, persons in data.conjugation.forms(base, None).items():
        if persons & {INFINITIVE, NOT_FINITE}:
            for plain, written in data.stressed:
                form = form.removesuffix(plain) + written if form.endswith(plain) else form
            for cluster, pronouns in data.clitics.clusters.items():
                if pronouns[0] in _forms_of(data, found.pronoun) and pronouns[1:] == found.others:
                    yield form + cluster


def _verb_forms(data: Romance, phrase: Phrase, active: frozenset[str]) -> Iterator[Pattern]:
    """The forms of a verb at the beginning of a candidate, and pronouns between it and the rest."""
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


# The search in a text


class Pronominal(NamedTuple):
    """A verb with a reflexive pronoun.

    Attributes:
        data: the language.
        base: infinitive without pronoun.
        verb, forms: find it, by lemma and by form.
        pronoun: the reflexive pronoun.
        agrees: whether it must agree with the finite verb.
        others: pronouns that must follow it.
        rest: further words, after verb and pronoun.
        joined: forms with pronoun that an analyzer may have left whole.
    """

    data: Romance
    base: str
    verb: Element
    forms: Element
    pronoun: Element
    agrees: bool
    others: Elements
    rest: Elements
    joined: Element

    def may_occur(self, present: AbstractSet[str]) -> bool:
        """See `Pattern`."""
        if not all_present(self.rest, present):
            return False
        if not self.joined.keys.isdisjoint(present):
            return True
        return not self.pronoun.keys.isdisjoint(present) and not (
            self.verb.keys.isdisjoint(present) and self.forms.keys.isdisjoint(present)
        )

    def find(self, view: View) -> Iterator[Occurrence]:
        """See `Pattern`."""
        ends = _ends_of_tokens(view)
        rest = _Rest(view, self.rest) if self.rest else None
        for first, last in sorted(_places(view, self.verb, self.forms)):
            after = self._enclitic(view, last, ends.get(first, last))
            for pronouns in (after, self._proclitic(view, first, ends)):
                if pronouns:
                    end = max(last, pronouns[-1] + 1)
                    yield from self._with_rest(view, (*range(first, last), *pronouns), end, rest)
        for edge in view.edges(*self.joined):
            yield from self._with_rest(view, tuple(range(edge.first, edge.last)), edge.last, rest)

    def _with_rest(self, view: View, positions: tuple[int, ...], end: int, rest: _Rest | None) -> Iterator[Occurrence]:
        if rest is None:
            yield Occurrence(tuple(sorted(positions)), REFLEXIVE.name)
            return
        place = rest.after(end)
        if place and (self.rest[0] is None or self._is_near(view, range(end, place[0]))):
            yield Occurrence(tuple(sorted((*positions, *place))), REFLEXIVE.name)

    def _is_near(self, view: View, between: range) -> bool:
        """Whether only words such as an adverb separate a verb and the rest: "si rese subito conto"."""
        return len(between) <= _WIDEST_GAP and not any(view.form(i) in self.data.closed for i in between)

    # Pronouns after the verb, in the same token.

    def _enclitic(self, view: View, last: int, end: int) -> tuple[int, ...]:
        for i in range(last, end):
            if view.form(i) in self.pronoun.keys and self._is_addressed(view.form(last - 1), view.form(i)):
                return self._with_others(view, i, end)
        return ()

    def _is_addressed(self, host: str, pronoun: str) -> bool:
        """Whether a verb form with this pronoun is reflexive: ``lávate`` is, ``lávame`` is not."""
        if not self.agrees:
            return True
        allowed = self.data.clitics.reflexive_hosts.get(pronoun)
        return allowed is None or allowed.search(host) is not None

    def _with_others(self, view: View, i: int, high: int) -> tuple[int, ...]:
        """The pronoun at ``i`` with the others that must follow it; nothing where they do not."""
        found = [i]
        for other in self.others:
            i += 1
            if other is None or i >= high or view.form(i) not in other.keys:
                return ()
            found.append(i)
        return tuple(found)

    # Pronouns before the verb.

    def _proclitic(self, view: View, first: int, ends: Mapping[int, int]) -> tuple[int, ...]:
        low = max(view.clause(first)[0], first - _FARTHEST)
        head, loose = first, False  # the finite verb so far; whether words wait for an auxiliary before them
        for i in range(first - 1, low - 1, -1):
            form = view.form(i)
            if form in self.pronoun.keys and not loose and self._belongs(view, i, head, first, ends):
                return self._with_others(view, i, head)
            if form in self.data.objects:
                if loose:
                    return ()
            elif self._is_auxiliary(view, i):
                if head != i + 1 and view.form(i + 1) in self.data.objects:
                    return ()
                head, loose = i, False
            elif self._may_be_between(form):
                loose = True
            else:
                return ()
        return ()

    def _may_be_between(self, form: str) -> bool:
        data = self.data
        return form in data.links or form in data.adverbs or form.endswith(data.adverb_ending)

    def _is_auxiliary(self, view: View, i: int) -> bool:
        return bool(self._auxiliaries(view, i)) and view.form(i) not in self.data.no_auxiliaries

    def _auxiliaries(self, view: View, i: int) -> frozenset[str]:
        """The auxiliaries of which the word at ``i`` can be a form, by form or lemma."""
        return frozenset().union(*(self.data.auxiliaries.get(key, ()) for key in view.keys(i)))

    def _belongs(self, view: View, i: int, head: int, verb: int, ends: Mapping[int, int]) -> bool:
        """Whether the pronoun at ``i`` is reflexive with ``head``, the ``verb`` or its finite auxiliary."""
        form, following = view.form(i), view.form(i + 1)
        if ends.get(i) == i + 1 or (ends.get(i - 1, 0) > i and form not in self.data.elided):
            # The last word of its token: "poder|se lavar"; the word that it leans on must be an auxiliary.
            return self._is_auxiliary(view, i - 1) and self._is_addressed(view.form(i - 1), form)
        if form in self.data.elided and ends.get(i, 0) <= i + 1:
            return False
        if form in self.data.before_object and not self._has_object(view, i):
            return False
        if following in self.data.dative_objects and self.base in self.data.datives and not self.others:
            return False
        return not self.agrees or self._agrees(view, form, head, verb)

    def _has_object(self, view: View, i: int) -> bool:
        """Italian ``se ne va``, ``me lo ricordo``; but "se lo vede" is "if he sees it"."""
        if view.form(i + 1) not in self.data.objects:
            return False
        if self.others or not view.form(i + 1).startswith("l") or view.form(i) != "se":
            return True
        return i > view.clause(i)[0] and view.form(i - 1) not in self.data.conditional

    def _agrees(self, view: View, pronoun: str, head: int, verb: int) -> bool:
        wanted = self.data.persons.get(pronoun)
        if wanted is None:
            return True
        form = view.form(head)
        verbs = self._auxiliaries(view, head) if head != verb else {self.base}
        known = [self.data.conjugation.forms(verb, view.lexicon).get(form) for verb in verbs]
        persons = frozenset().union(*(found for found in known if found))
        if persons:
            return not persons.isdisjoint(wanted)
        person = _person_of(view.words[head].features)
        if person is not None:
            return person in wanted
        shapes = self.data.fallback
        return any(shapes[person].search(form) for person in wanted if person in shapes)


class OverPronouns(NamedTuple):
    """A verb and further words, with pronouns after the verb in its token: ``echarle el cerrojo``.

    Attributes:
        verb, forms: find the verb, by lemma and by form.
        rest: the further words.
    """

    verb: Element
    forms: Element
    rest: Elements

    def may_occur(self, present: AbstractSet[str]) -> bool:
        """See `Pattern`."""
        some = not (self.verb.keys.isdisjoint(present) and self.forms.keys.isdisjoint(present))
        return some and all_present(self.rest, present)

    def find(self, view: View) -> Iterator[Occurrence]:
        """See `Pattern`."""
        ends = _ends_of_tokens(view)
        rest = _Rest(view, self.rest)
        for first, last in sorted(_places(view, self.verb, self.forms)):
            end = ends.get(first, last)
            place = rest.after(end) if end > last else ()
            if place and (place[0] == end or self.rest[0] is None):
                yield Occurrence((*range(first, last), *place), ENCLITIC.name)


class _Rest:
    """The places of the further words of a candidate, found once for a text."""

    def __init__(self, view: View, elements: Elements) -> None:
        self._view = view
        self._places = sorted(place for place, _ in runs(view, elements, 0, len(view.words)))
        self._starts = [place[0] for place in self._places]

    def after(self, end: int) -> tuple[int, ...]:
        """The first place at or after ``end`` in the same clause, or nothing."""
        index = bisect_left(self._starts, end)
        if index == len(self._places):
            return ()
        place = self._places[index]
        return place if place[-1] < self._view.clause(end - 1)[1] else ()


def _places(view: View, verb: Element, forms: Element) -> set[tuple[int, int]]:
    return {(edge.first, edge.last) for edge in (*view.edges(*verb), *view.edges(*forms))}


def _ends_of_tokens(view: View) -> dict[int, int]:
    """Position of a word in a token of several -> exclusive end of that token."""
    return {i: token.last for token in view.analysis.multiword for i in range(token.first, token.last)}


def _person_of(features: str | None) -> str | None:
    """``1s`` from ``Number=Sing|Person=1``; ``None`` without a person."""
    if not features or "Person=" not in features:
        return None
    number = "s" if "Number=Sing" in features else "p"
    return features.partition("Person=")[2][0] + number
