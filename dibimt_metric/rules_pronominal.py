"""The search for a verb with a reflexive pronoun in Italian and Spanish: ``si è lavato``, ``andarsene``.

Source: Martelli et al. 2025, section on critical issues: a candidate in ``-rsi`` / ``-rse`` is found as
itself, or as its base verb with a reflexive pronoun. The paper looks for the two anywhere in the sentence, so
that "me dijo que lavó el coche" would show ``lavarse``. Here the pronoun must belong to the verb: written
together with it, or before it with nothing between them but other pronouns, auxiliaries and adverbs; and it
must agree with the finite verb, since "me lavó" (he washed me) is not reflexive.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, NamedTuple

from .match_patterns import Found
from .match_patterns import all_present
from .match_patterns import runs
from .rules import Rule

if TYPE_CHECKING:
    from .match_phrase import Element
    from .match_phrase import Elements
    from .match_view import View
    from .rules_romance import Romance

REFLEXIVE = Rule("reflexive", "a verb in -rsi or -rse as its base verb with a pronoun that belongs to it")

ENCLITIC = Rule("enclitic", "a longer expression whose verb has pronouns written after it")

# How far a pronoun may stand before its verb ("se lo va a tener que pensar").
_FARTHEST = 7
# How many words may stand between a verb and the rest ("se dio muy poca cuenta").
_WIDEST_GAP = 2


class Pronominal(NamedTuple):
    """A verb with a reflexive pronoun.

    Attributes:
        data: the language.
        base: infinitive without pronoun. verb, forms: what finds it, by lemma and by form.
        pronoun: the reflexive pronoun. agrees: whether it must agree with the finite verb. others: pronouns
            that must follow it.
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

    def may_stand(self, present: AbstractSet[str]) -> bool:
        """See `Pattern`."""
        if not all_present(self.rest, present):
            return False
        if not self.joined.keys.isdisjoint(present):
            return True
        return not self.pronoun.keys.isdisjoint(present) and not (
            self.verb.keys.isdisjoint(present) and self.forms.keys.isdisjoint(present)
        )

    def find(self, view: View) -> Iterator[Found]:
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

    def _with_rest(self, view: View, cover: tuple[int, ...], end: int, rest: _Rest | None) -> Iterator[Found]:
        if rest is None:
            yield Found(tuple(sorted(cover)), REFLEXIVE.name)
            return
        place = rest.after(end)
        if place and (self.rest[0] is None or self._is_near(view, range(end, place[0]))):
            yield Found(tuple(sorted((*cover, *place))), REFLEXIVE.name)

    def _is_near(self, view: View, between: range) -> bool:
        """Whether only words such as an adverb part a verb and the rest: "si rese subito conto"."""
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
            elif self._may_stand_between(form):
                loose = True
            else:
                return ()
        return ()

    def _may_stand_between(self, form: str) -> bool:
        data = self.data
        return form in data.links or form in data.adverbs or form.endswith(data.adverb_ending)

    def _is_auxiliary(self, view: View, i: int) -> bool:
        return bool(self._auxiliaries(view, i)) and view.form(i) not in self.data.no_auxiliaries

    def _auxiliaries(self, view: View, i: int) -> frozenset[str]:
        """The auxiliaries of which the word at ``i`` can be a form, by form or lemma."""
        return frozenset().union(*(self.data.auxiliaries.get(key, ()) for key in view.keys(i)))

    def _belongs(self, view: View, i: int, head: int, verb: int, ends: Mapping[int, int]) -> bool:
        """Whether the pronoun at ``i`` is reflexive beside ``head``, the ``verb`` or its finite auxiliary."""
        form, following = view.form(i), view.form(i + 1)
        if ends.get(i) == i + 1 or (ends.get(i - 1, 0) > i and form not in self.data.elided):
            # The last word of its token: "poder|se lavar"; what it leans on must be an auxiliary.
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
        verb, forms: what finds the verb, by lemma and by form.
        rest: the further words.
    """

    verb: Element
    forms: Element
    rest: Elements

    def may_stand(self, present: AbstractSet[str]) -> bool:
        """See `Pattern`."""
        some = not (self.verb.keys.isdisjoint(present) and self.forms.keys.isdisjoint(present))
        return some and all_present(self.rest, present)

    def find(self, view: View) -> Iterator[Found]:
        """See `Pattern`."""
        ends = _ends_of_tokens(view)
        rest = _Rest(view, self.rest)
        for first, last in sorted(_places(view, self.verb, self.forms)):
            end = ends.get(first, last)
            place = rest.after(end) if end > last else ()
            if place and (place[0] == end or self.rest[0] is None):
                yield Found((*range(first, last), *place), ENCLITIC.name)


class _Rest:
    """The places of the further words of a candidate, found once for a text."""

    def __init__(self, view: View, elements: Elements) -> None:
        self._view = view
        self._places = sorted(cover for cover, _ in runs(view, elements, 0, len(view.words)))
        self._starts = [place[0] for place in self._places]

    def after(self, end: int) -> tuple[int, ...]:
        """The first place from ``end`` on in the same clause; nothing where there is none."""
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
    """``1s`` from ``Number=Sing|Person=1``; ``None`` where there is no person."""
    if not features or "Person=" not in features:
        return None
    number = "s" if "Number=Sing" in features else "p"
    return features.partition("Person=")[2][0] + number
