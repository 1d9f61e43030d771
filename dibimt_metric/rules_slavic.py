"""Reflexive verbs of Bulgarian and Slovene: the particle is a word of its own and moves in its clause.

``се`` and ``си``, ``se`` and ``si`` are different words and never stand for each other. Where the
analyzer has relations, they say which verb a particle belongs to. Where it has none, the words between
the two decide: in Bulgarian only auxiliaries, short pronouns and the like ("върнала ли му се е"), in
Slovene any of the same clause.

Source: Martelli et al. 2025, section on critical issues: reflexive verbs.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from dataclasses import field
from typing import TYPE_CHECKING, NamedTuple

from .match_patterns import Detached
from .match_patterns import Found
from .match_patterns import Satellite
from .match_patterns import Side
from .match_phrase import WILDCARD
from .match_phrase import Element
from .rules import Reading
from .rules import Rule

if TYPE_CHECKING:
    from .analysis import Lexicon
    from .match_patterns import Pattern
    from .match_phrase import Phrase
    from .match_view import Edge
    from .match_view import View


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


INFLECTION = Rule("inflection", "a form that the dictionary does not have, read by its ending")
HOMOGRAPH = Rule(
    "homograph", "a form that the dictionary gives to one of several lemmas, read by its ending too"
)

# Ending of a form -> endings that its citation form may have instead.
Endings = Mapping[str, tuple[str, ...]]

_SHORTEST_STEM = 2
LONGEST_FORM = 40  # no word is longer, and a megabyte without a blank must not be searched


class Homographs(NamedTuple):
    """Endings under which the dictionary's lemma is not the only one.

    Attributes:
        endings: the table.
        applies: form, the dictionary's lemma, lexicon -> whether the table may be asked.
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
        homographs: for forms with one.
        letters: letters that the tables write as others, for `str.translate`.
        clean: a dictionary's lemma -> as candidates write it.
        no_lemmas: what the dictionary gives as the lemma of other forms by mistake (``се`` for ``надявай``).
    """

    unknown: Endings
    homographs: tuple[Homographs, ...] = ()
    letters: Mapping[int, str] = field(default_factory=dict)
    clean: Callable[[str], str] = str
    no_lemmas: frozenset[str] = frozenset()


def endings(rows: Iterable[tuple[str, str]], paradigms: Mapping[str, str]) -> Endings:
    """A table from rows of endings of forms and endings of citation forms, each separated by blanks.

    Args:
        rows: ``-`` is the empty ending; a plus sign and a name stand for each ending of that paradigm.
        paradigms: name -> endings.

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


def readings(data: Inflection, form: str, lexicon: Lexicon | None) -> tuple[Reading, ...]:
    """Further lemmas of a form; none where there is no lexicon to say what is unknown.

    Args:
        data: the language's tables.
        form: as it stands in the text.
        lexicon: the word list of the analyzer that read it.
    """
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
