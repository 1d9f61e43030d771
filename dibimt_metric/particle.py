"""Reflexive verbs of Bulgarian and Slovene: the particle is a word of its own and moves in its clause.

``се`` and ``си``, ``se`` and ``si`` are different words and never stand for each other. Where the
analyzer has relations, they say which verb a particle belongs to. Where it has none, the words between
the two decide: in Bulgarian only auxiliaries, short pronouns and the like ("върнала ли му се е"), in
Slovene any of the same clause.

Source: Martelli et al. 2025, section on critical issues: reflexive verbs.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from .patterns import Detached
from .patterns import Found
from .patterns import Satellite
from .patterns import Side
from .phrase import WILDCARD
from .phrase import Element
from .rules import Rule

if TYPE_CHECKING:
    from .patterns import Pattern
    from .phrase import Phrase
    from .view import Edge
    from .view import View

REFLEXIVE = Rule("reflexive", "a reflexive verb whose particle stands elsewhere in the clause")

RULES = (REFLEXIVE,)

# UD relations of a particle to its verb. Bulgarian "си" can also be a determiner ("own"), an auxiliary.
_RELATIONS = frozenset({"expl", "obj", "iobj"})

# The clause goes on with its verb: ", poteguje", ", ne spodobi", ", rad izmakne". The comma counts.
_LATEST_AFTER_INSERTION = 2


@dataclass(frozen=True, slots=True)
class Particles:
    """Data of one language.

    Attributes:
        forms: the reflexive particles.
        light: words without stress of their own (auxiliaries, short pronouns, particles), which may stand
            between the words of a reflexive expression.
        only_light: nothing else may stand between particle and verb.
        barrier: words that part two clauses without a comma.
        bound: words that keep a particle after them for themselves.
        inserted: words with which a clause inside another begins, between the particle and its verb.
    """

    forms: frozenset[str]
    light: frozenset[str]
    only_light: bool
    barrier: frozenset[str] = frozenset()
    bound: frozenset[str] = frozenset()
    inserted: frozenset[str] = frozenset()

    def belongs(self, view: View, head: Edge, cover: tuple[int, ...], between: list[int]) -> bool:
        """Whether the particle at ``cover[0]`` is that of the verb ``head``."""
        if view.has_relations:
            word = view.words[cover[0]]
            relation = (word.relation or "").partition(":")[0]
            return relation in _RELATIONS and word.head is not None and head.first <= word.head < head.last
        if cover[0] > 0 and _lower(view, cover[0] - 1) in self.bound:
            return False
        if self.only_light:
            return self.are_light(view, head, cover, between)
        return not any(_lower(view, i) in self.barrier for i in between)

    def are_light(self, view: View, head: Edge, cover: tuple[int, ...], between: list[int]) -> bool:
        """Whether only light words stand between."""
        return all(_lower(view, i) in self.light for i in between)


def _lower(view: View, position: int) -> str:
    # Not the folded form, in which the Bulgarian pronoun ѝ and the conjunction и are one word.
    return view.words[position].text.lower()


def patterns(data: Particles, phrase: Phrase, active: frozenset[str]) -> Iterator[Pattern]:
    """Patterns of a candidate that has one particle among its words.

    The first word that is not light is taken for the verb (else the last), what follows for the rest of
    the expression.

    Args:
        data: the language.
        phrase: the candidate.
        active: names of the active rules.
    """
    parts = [part for part in phrase.parts if part.lower() not in data.forms]
    found = [part for part in phrase.parts if part.lower() in data.forms]
    words = [i for i, part in enumerate(parts) if part != WILDCARD]
    if REFLEXIVE.name not in active or len(found) != 1 or not words:
        return
    verb = next((i for i in words if parts[i].lower() not in data.light), words[-1])
    particle = Satellite((phrase.surface(found[0]),), fits=data.belongs)
    pieces = (
        *_piece(data, phrase, tuple(parts[:verb]), Side.BEFORE),
        particle,
        *_piece(data, phrase, tuple(parts[verb + 1 :]), Side.ANY),
    )
    yield Detached(phrase.element(parts[verb]), pieces, REFLEXIVE.name)
    if data.inserted and len(pieces) == 1:
        yield AcrossInsertion(data, phrase.element(parts[verb]), phrase.surface(found[0]))


def _piece(data: Particles, phrase: Phrase, parts: tuple[str, ...], side: Side) -> Iterator[Satellite]:
    """The words before or after the verb, next to it but for light words, or anywhere after a wildcard."""
    words = parts
    while words and words[0] == WILDCARD:
        words = words[1:]
    while words and words[-1] == WILDCARD:
        words = words[:-1]
    if words:
        yield Satellite(phrase.elements(words), side, fits=data.are_light if words == parts else None)


class AcrossInsertion(NamedTuple):
    """A particle and its verb with a subordinate clause between: "se z obljubo, da bo znižal cene, poteguje".

    Attributes:
        data: the language.
        verb, particle: the two words.
    """

    data: Particles
    verb: Element
    particle: Element

    def find(self, view: View) -> Iterator[Found]:
        """See `Pattern`."""
        for head in view.edges(*self.verb):
            place = self._place(view, head)
            if place is not None:
                yield Found((place, *range(head.first, head.last)), REFLEXIVE.name)

    def may_stand(self, present: AbstractSet[str]) -> bool:
        """See `Pattern`."""
        return not self.verb.keys.isdisjoint(present) and not self.particle.keys.isdisjoint(present)

    def _place(self, view: View, head: Edge) -> int | None:
        """The particle nearest to the inserted clause, where the verb's own part of the clause has none."""
        own = view.clause(head.first)
        inserted = _clause_before(view, own)
        outer = inserted and _clause_before(view, inserted)
        if not inserted or not outer or not self._begins_insertion(view, inserted[0]):
            return None
        if head.first - own[0] > _LATEST_AFTER_INSERTION:
            return None
        if any(view.form(i) in self.particle.keys for i in range(*own)):
            return None
        places = [i for i in range(*outer) if view.form(i) in self.particle.keys]
        if not places:
            return None
        between = [*range(places[-1] + 1, outer[1]), *range(own[0], head.first)]
        return places[-1] if self.data.belongs(view, head, (places[-1],), between) else None

    def _begins_insertion(self, view: View, first: int) -> bool:
        # After the comma: "ki ...", but also "v katerem ...".
        return any(_lower(view, i) in self.data.inserted for i in (first + 1, first + 2))


def _clause_before(view: View, clause: tuple[int, int]) -> tuple[int, int] | None:
    """The stretch before the comma with which a clause begins."""
    comma = clause[0]
    return view.clause(comma - 1) if comma > 0 and view.words[comma].text == "," else None
