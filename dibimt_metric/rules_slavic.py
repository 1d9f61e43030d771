"""Shared rules of the Slavic languages: reflexive particles (bg, sl), and forms read by their endings (bg, ru, sl).

The reflexive particle is a separate word and moves in its clause. ``се`` and ``си``, ``se`` and ``si`` are different
words, and none replaces the other. Where the analyzer has relations, they decide which verb a particle belongs to.
Where it has none, the words between the two decide: in Bulgarian only auxiliaries, short pronouns and the like
("върнала ли му се е"), in Slovene any words of the same clause.

The dictionary lacks many forms, and gives a form that belongs to two words to one of them. Tables of endings derive
the citation forms that such a form can have (`readings`).

Source: Martelli et al. 2025, section on critical issues: reflexive verbs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import NamedTuple

from .analysis import Lexicon
from .match_patterns import Detached
from .match_patterns import Occurrence
from .match_patterns import Pattern
from .match_patterns import Satellite
from .match_patterns import Side
from .match_phrase import WILDCARD
from .match_phrase import Element
from .match_phrase import Phrase
from .match_view import Edge
from .match_view import View
from .rules_words import Reading
from .rules_words import Rule

REFLEXIVE = Rule("reflexive", "a reflexive verb whose particle is elsewhere in the clause")
INFLECTION = Rule("inflection", "a form that the dictionary does not have, read by its ending")
HOMOGRAPH = Rule("homograph", "a form that the dictionary gives to one of several lemmas, read by its ending too")

# Ending of a form -> endings that its citation form may have instead.
Endings = Mapping[str, tuple[str, ...]]

_SHORTEST_STEM = 2
LONGEST_FORM = 40  # no word is longer, and a megabyte without a space must not be searched
# Reflexive particles

# UD relations of a particle to its verb. Bulgarian "си" can also be a determiner ("own"), an auxiliary.
_RELATIONS = frozenset({"expl", "obj", "iobj"})

# Words from the comma (included) to the verb after it: ", poteguje", ", ne spodobi", ", rad izmakne".
_LATEST_AFTER_INSERTION = 2


@dataclass(frozen=True, slots=True)
class Particles:
    """Data of one language.

    Attributes:
        forms: the reflexive particles.
        light: unstressed words (auxiliaries, short pronouns, particles), which may separate the words of a reflexive
            expression.
        only_light: nothing else may separate particle and verb.
        barrier: words that separate two clauses without a comma.
        bound: words that a particle directly after them belongs to.
        inserted: words that begin a clause inserted between the particle and its verb.
    """

    forms: frozenset[str]
    light: frozenset[str]
    only_light: bool
    barrier: frozenset[str] = frozenset()
    bound: frozenset[str] = frozenset()
    inserted: frozenset[str] = frozenset()

    def belongs(self, view: View, head: Edge, place: tuple[int, ...], between: list[int]) -> bool:
        """Whether the particle at ``place[0]`` belongs to the verb ``head``."""
        if view.has_relations:
            word = view.words[place[0]]
            relation = (word.relation or "").partition(":")[0]
            return relation in _RELATIONS and word.head is not None and head.first <= word.head < head.last
        if place[0] > 0 and _lower(view, place[0] - 1) in self.bound:
            return False
        if self.only_light:
            return self.are_light(view, head, place, between)
        return not any(_lower(view, i) in self.barrier for i in between)

    def are_light(self, view: View, head: Edge, place: tuple[int, ...], between: list[int]) -> bool:
        """Whether all words between are light."""
        return all(_lower(view, i) in self.light for i in between)


def _lower(view: View, position: int) -> str:
    # Not the folded form, in which the Bulgarian pronoun ѝ and the conjunction и are one word.
    return view.words[position].text.lower()


def patterns(data: Particles, phrase: Phrase, active: frozenset[str]) -> Iterator[Pattern]:
    """Patterns of a candidate that has one particle among its words.

    The verb is the first word that is not light (else the last); what follows is the rest of the expression.
    """
    parts = [part for part in phrase.parts if part.lower() not in data.forms]
    found = [part for part in phrase.parts if part.lower() in data.forms]
    words = [i for i, part in enumerate(parts) if part != WILDCARD]
    if REFLEXIVE.name not in active or len(found) != 1 or not words:
        return
    verb = next((i for i in words if parts[i].lower() not in data.light), words[-1])
    particle = Satellite((phrase.surface(found[0]),), fits=data.belongs)
    satellites = (
        *_others(data, phrase, tuple(parts[:verb]), Side.BEFORE),
        particle,
        *_others(data, phrase, tuple(parts[verb + 1 :]), Side.ANY),
    )
    yield Detached(phrase.element(parts[verb]), satellites, REFLEXIVE.name)
    if data.inserted and len(satellites) == 1:
        yield AcrossInsertion(data, phrase.element(parts[verb]), phrase.surface(found[0]))


def _others(data: Particles, phrase: Phrase, parts: tuple[str, ...], side: Side) -> Iterator[Satellite]:
    """The words before or after the verb: separated from it by light words only, or by a wildcard."""
    words = parts
    while words and words[0] == WILDCARD:
        words = words[1:]
    while words and words[-1] == WILDCARD:
        words = words[:-1]
    if words:
        yield Satellite(phrase.elements(words), side, fits=data.are_light if words == parts else None)


class AcrossInsertion(NamedTuple):
    """A particle and its verb with a subordinate clause between: "se z obljubo, da bo znižal cene, poteguje"."""

    data: Particles
    verb: Element
    particle: Element

    def find(self, view: View) -> Iterator[Occurrence]:
        """See `Pattern`."""
        for head in view.edges(*self.verb):
            place = self._place(view, head)
            if place is not None:
                yield Occurrence((place, *range(head.first, head.last)), REFLEXIVE.name)

    def may_occur(self, present: AbstractSet[str]) -> bool:
        """See `Pattern`."""
        return not self.verb.keys.isdisjoint(present) and not self.particle.keys.isdisjoint(present)

    def _place(self, view: View, head: Edge) -> int | None:
        """The particle nearest to the inserted clause, if the part of the clause with the verb has none."""
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
    """The range of words before the comma that begins a clause."""
    comma = clause[0]
    return view.clause(comma - 1) if comma > 0 and view.words[comma].text == "," else None


# Forms read by their endings


class Homographs(NamedTuple):
    """Endings under which the dictionary's lemma is not the only one.

    Attributes:
        endings: the table.
        applies: form, the dictionary's lemma, lexicon -> whether the table applies.
        accepts: derived lemma and lexicon -> whether it is a lemma of the right kind.
    """

    endings: Endings
    applies: Callable[[str, str, Lexicon], bool]
    accepts: Callable[[str, Lexicon], bool]


@dataclass(frozen=True, slots=True)
class Inflection:
    """The tables of one language.

    Attributes:
        unknown: for forms without an entry.
        homographs: for forms with an entry.
        letters: letters that the tables write as others, for `str.translate`.
        clean: a dictionary's lemma -> the spelling of candidates.
        no_lemmas: wrong lemmas of other forms in the dictionary (``се`` for ``надявай``).
    """

    unknown: Endings
    homographs: tuple[Homographs, ...] = ()
    letters: Mapping[int, str] = field(default_factory=dict)
    clean: Callable[[str], str] = str
    no_lemmas: frozenset[str] = frozenset()


def endings(rows: Iterable[tuple[str, str]], paradigms: Mapping[str, str]) -> Endings:
    """A table from rows of endings of forms and endings of citation forms, each separated by spaces.

    In a row ``-`` is the empty ending; ``+name`` adds each ending of that paradigm.

    >>> endings([("им ил+p", "я")], {"p": "- а и"})["ила"]
    ('я',)
    """
    table: dict[str, dict[str, None]] = {}
    for forms, citations in rows:
        for ending in (ending for form in forms.split() for ending in _expanded(form, paradigms)):
            table.setdefault(ending, {}).update(dict.fromkeys(citations.replace("-", "").split() or [""]))
            if "-" in citations.split():
                table[ending][""] = None
    return {ending: tuple(found) for ending, found in table.items()}


def _expanded(form: str, paradigms: Mapping[str, str]) -> Iterator[str]:
    stem, plus, name = form.partition("+")
    for ending in paradigms[name].split() if plus else ("",):
        yield (stem + ending).replace("-", "")


def derived(form: str, table: Endings) -> tuple[str, ...]:
    """All citation forms that the table gives for a form, those by the longest endings first.

    >>> derived("подправихме", {"ихме": ("я",), "ме": ("м",)})
    ('подправя', 'подправихм')
    """
    found: dict[str, None] = {}
    for cut in range(_SHORTEST_STEM, len(form) + 1):
        for ending in table.get(form[cut:], ()):
            found[form[:cut] + ending] = None
    found.pop(form, None)
    return tuple(found)


def readings(data: Inflection, form: str, lemmas: tuple[str, ...], lexicon: Lexicon | None) -> tuple[Reading, ...]:
    """Further lemmas of a form; none without a lexicon, which decides what is unknown."""
    if lexicon is None or len(form) > LONGEST_FORM or not form[:1].isalpha():
        return ()
    lower = form.lower().translate(data.letters)
    known = entry(form, lexicon)
    known = known if known is None else data.clean(known)
    if known is None or (known in data.no_lemmas and known != lower):
        return tuple(Reading(lemma, INFLECTION.name) for lemma in derived(lower, data.unknown))
    return tuple(
        Reading(lemma, HOMOGRAPH.name)
        for table in data.homographs
        if table.applies(lower, known, lexicon)
        for lemma in derived(lower, table.endings)
        if lemma != known and table.accepts(lemma, lexicon)
    )


def entry(form: str, lexicon: Lexicon) -> str | None:
    """The dictionary's lemma of a form, whatever its case."""
    for spelling in dict.fromkeys((form, form.lower(), form.capitalize())):
        if (lemma := lexicon.entry(spelling)) is not None:
            return lemma
    return None
