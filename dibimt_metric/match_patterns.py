"""The shapes in which a candidate can occur in a text, and how each is searched.

`Contiguous`: one word after the other, with wildcards. `Detached`: a head word and other parts of the candidate
elsewhere in its clause (separated prefixes, reflexive pronouns, inverted phrases). `Segments`: Chinese. `Ending`: the
last part of a longer word (compounds). A language may add other shapes: anything with the methods of `Pattern`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from enum import Enum
from typing import NamedTuple, Protocol

from .match_phrase import Element
from .match_phrase import Elements
from .match_view import Edge
from .match_view import View
from .match_view import latest_not_after

# Words between a head and its satellites; without a limit a text of a million words would be searched for each head.
REACH = 60
_MOST_PLACES = 12  # of one satellite, the nearest ones
# Words tried for one candidate in one text: 200 words, each of which occurs 10,000 times, are not worth the time.
_MOST_STEPS = 1_000_000


class Occurrence(NamedTuple):
    """One place where a pattern was found.

    Attributes:
        positions: of its words, ascending.
        rule: the rule that was needed.
        letters: how many letters at the end of a single word count, where it is not the whole word (compounds).
    """

    positions: tuple[int, ...]
    rule: str
    letters: int | None = None


class Pattern(Protocol):
    """A searchable shape of one candidate."""

    def find(self, view: View) -> Iterator[Occurrence]:
        """All occurrences of the pattern."""

    def may_occur(self, present: AbstractSet[str]) -> bool:
        """Whether a text with these keys can contain the pattern at all; a cheap check before `find`."""


def all_present(elements: Elements, present: AbstractSet[str]) -> bool:
    """Whether each element has a key among those of the text."""
    for element in elements:
        if element is not None and element.keys.isdisjoint(present):
            return False
    return True


class _Run(NamedTuple):
    """The words ``[first, last)`` of one element, and the run of the elements before it."""

    first: int
    last: int
    rule: str
    before: _Run | None = None

    def positions(self) -> tuple[int, ...]:
        ranges = []
        run: _Run | None = self
        while run is not None:
            ranges.append(range(run.first, run.last))
            run = run.before
        return tuple(i for each in reversed(ranges) for i in each)


def runs(view: View, elements: Elements, low: int, high: int) -> list[tuple[tuple[int, ...], str]]:
    """Places of a sequence of elements within ``[low, high)``: positions of the words, and the rule that was needed.

    A wildcard matches any words of the same sentence, or none; of several ways the shortest is taken. A candidate of
    very many words is not found in a text that repeats one of them without end (`_MOST_STEPS`).
    """
    states: list[_Run] | None = None
    gap = False
    steps = 0
    for element in elements:
        if element is None:
            gap = True
            continue
        here = view.edges(*element)
        if low > 0 or high < len(view.words):
            near = here[bisect_left(here, (low,)) : bisect_left(here, (high,))]
            here = [edge for edge in near if edge.last <= high]
        steps += len(here) + len(states or ())
        if steps > _MOST_STEPS:
            return []
        if states is None:
            states = [_Run(*edge) for edge in here]
        else:
            states = _extend_over_gap(view, states, here) if gap else _extend(states, here)
        gap = False
        if not states:
            return []
    return [(state.positions(), state.rule) for state in states or ()]


def _by_last(states: list[_Run]) -> dict[int, list[_Run]]:
    """The runs by their ends; two with one end where a token and its last word fit alike."""
    found: dict[int, list[_Run]] = {}
    for state in states:
        found.setdefault(state.last, []).append(state)
    return found


def _extend(states: list[_Run], here: list[Edge]) -> list[_Run]:
    by_last = _by_last(states)
    return [_joined(state, edge) for edge in here for state in by_last.get(edge.first, ())]


def _extend_over_gap(view: View, states: list[_Run], here: list[Edge]) -> list[_Run]:
    by_last = _by_last(states)
    ends = sorted(by_last)
    extended = []
    for edge in here:
        last = latest_not_after(ends, edge.first)
        if last is not None and edge.first < view.sentence(last - 1)[1]:
            extended += [_joined(state, edge) for state in by_last[last]]
    return extended


def _joined(state: _Run, edge: Edge) -> _Run:
    return _Run(edge.first, edge.last, state.rule or edge.rule, state)


class Contiguous(NamedTuple):
    """Words one after the other, as the candidate has them.

    Attributes:
        elements: words and wildcards.
        rule: name for an occurrence that needed no other rule.
    """

    elements: Elements
    rule: str = "lemma"

    def find(self, view: View) -> Iterator[Occurrence]:
        """See `Pattern`."""
        for positions, rule in runs(view, self.elements, 0, len(view.words)):
            yield Occurrence(positions, rule or self.rule)

    def may_occur(self, present: AbstractSet[str]) -> bool:
        """See `Pattern`."""
        return all_present(self.elements, present)


class Side(str, Enum):
    """On which side of the head a satellite is."""

    BEFORE = "before"
    AFTER = "after"
    ANY = "any"


# View, head, positions of the satellite, positions of the words between the two -> whether the satellite may be there.
Fits = Callable[[View, Edge, tuple[int, ...], list[int]], bool]


class Satellite(NamedTuple):
    """A part of the candidate that is apart from the head.

    Attributes:
        elements: its words.
        side: on which side of the head.
        gap: how many words may separate it from the head (``None``: any number in the clause), not counting words of
            the occurrence itself.
        barrier: words that must not be between head and satellite (conjunctions).
        fits: the last check of a place (``None``: every place will do).
        crosses_commas: the satellite may follow a comma of the same sentence.
    """

    elements: Elements
    side: Side = Side.ANY
    gap: int | None = None
    barrier: frozenset[str] = frozenset()
    fits: Fits | None = None
    crosses_commas: bool = False


class Detached(NamedTuple):
    """A head word and satellites elsewhere in its clause.

    Attributes:
        head: the verb.
        satellites: the other parts, in the order in which they are searched; a word is used only once.
        rule: name of the rule.
    """

    head: Element
    satellites: tuple[Satellite, ...]
    rule: str

    def find(self, view: View) -> Iterator[Occurrence]:
        """See `Pattern`."""
        for edge in view.edges(*self.head):
            taken = set(range(edge.first, edge.last))
            for satellite in self.satellites:
                place = _nearest(view, edge, satellite, taken)
                if place is None:
                    break
                taken.update(place)
            else:
                yield Occurrence(tuple(sorted(taken)), self.rule)

    def may_occur(self, present: AbstractSet[str]) -> bool:
        """See `Pattern`."""
        return not self.head.keys.isdisjoint(present) and all(
            all_present(satellite.elements, present) for satellite in self.satellites
        )


def _nearest(view: View, head: Edge, satellite: Satellite, taken: set[int]) -> tuple[int, ...] | None:
    """The allowed place of the satellite that is nearest to the head."""
    low, high = view.clause(head.first)
    if satellite.crosses_commas:
        high = view.sentence(head.first)[1]
    low, high = max(low, head.first - REACH), min(high, head.last + REACH)
    places = [place for place, _ in runs(view, satellite.elements, low, high) if taken.isdisjoint(place)]
    places.sort(key=lambda place: head.first - place[-1] if place[0] < head.first else place[0] - head.last)
    near = places[:_MOST_PLACES]
    return next((place for place in near if _is_allowed(view, head, satellite, place, taken)), None)


def _is_allowed(view: View, head: Edge, satellite: Satellite, place: tuple[int, ...], taken: set[int]) -> bool:
    before = place[0] < head.first
    if satellite.side is not Side.ANY and before != (satellite.side is Side.BEFORE):
        return False
    low, high = (place[-1] + 1, head.first) if before else (head.last, place[0])
    between = [i for i in range(low, high) if i not in taken]
    if satellite.gap is not None and len(between) > satellite.gap:
        return False
    if satellite.barrier and any(view.form(i) in satellite.barrier for i in between):
        return False
    return satellite.fits is None or satellite.fits(view, head, place, between)


class Segments(NamedTuple):
    """A Chinese candidate: strings, in order, that each begin and end at segment borders.

    Attributes:
        strings: simplified text between wildcards.
        rule: name of the rule.
    """

    strings: tuple[str, ...]
    rule: str = "lemma"

    def find(self, view: View) -> Iterator[Occurrence]:
        """See `Pattern`."""
        states: list[_Run] | None = None
        for string in filter(None, self.strings):  # two wildcards in a row have nothing between them
            here = _spelled(view, string)
            states = [_Run(*edge) for edge in here] if states is None else _extend_over_gap(view, states, here)
        for state in states or ():
            yield Occurrence(state.positions(), self.rule)

    def may_occur(self, present: AbstractSet[str]) -> bool:
        """See `Pattern`; the segments of an occurrence need not be keys of the candidate, so nothing is excluded."""
        return True


def _spelled(view: View, string: str) -> list[Edge]:
    """The segments that together spell ``string``, at each place where some do."""
    text, borders = view.spelling
    found = []
    start = text.find(string)
    while start >= 0:
        first, last = borders.get(start), borders.get(start + len(string))
        if first is not None and last is not None:
            found.append(Edge(first, last))
        start = text.find(string, start + 1)
    return found


class Ending(NamedTuple):
    """A candidate as the last part of a longer word (``Stationszuweisung`` for ``Zuweisung``).

    Attributes:
        ending: folded candidate.
        shortest_modifier: letters that must precede it.
        rule: name of the rule.
    """

    ending: str
    shortest_modifier: int
    rule: str

    def find(self, view: View) -> Iterator[Occurrence]:
        """See `Pattern`."""
        longer = len(self.ending) + self.shortest_modifier
        for i in range(len(view.words)):
            if any(len(key) >= longer and key.endswith(self.ending) for key in view.keys(i)):
                yield Occurrence((i,), self.rule, len(self.ending))

    def may_occur(self, present: AbstractSet[str]) -> bool:
        """See `Pattern`; the longer word has other keys, so nothing is excluded."""
        return True
