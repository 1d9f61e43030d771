"""The shapes in which a candidate can stand in a text, and how each is searched.

`Contiguous`: one word after the other, with wildcards. `Detached`: a head word and other pieces of the candidate
elsewhere in its clause (separated prefixes, reflexive pronouns, inverted phrases). `Segments`: Chinese. `Ending`: the
last part of a longer word (compounds).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple, Protocol

from .match_phrase import Element
from .match_view import Edge
from .match_view import latest_not_after

if TYPE_CHECKING:
    from .match_phrase import Elements
    from .match_view import View


# Words between a head and its pieces; without a limit a text of a million words would be searched for each head.
REACH = 60
_MOST_PLACES = 12  # of one piece, the nearest ones
# Words tried for one candidate in one text: 200 words, each of which stands 10,000 times, are not worth the time.
_MOST_STEPS = 1_000_000


class Found(NamedTuple):
    """Where a pattern was found.

    Attributes:
        cover: the positions of its words, ascending.
        rule: the rule that was needed.
        letters: how many letters at the end of a single word count, where it is not the whole word (compounds).
    """

    cover: tuple[int, ...]
    rule: str
    letters: int | None = None


class Pattern(Protocol):
    """A searchable shape of one candidate."""

    def find(self, view: View) -> Iterator[Found]:
        """All places where the pattern stands."""

    def may_stand(self, present: AbstractSet[str]) -> bool:
        """Whether a text with these keys can hold the pattern at all; a cheap check before `find`."""


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

    def cover(self) -> tuple[int, ...]:
        """Positions of all words of the run."""
        stretches = []
        run: _Run | None = self
        while run is not None:
            stretches.append(range(run.first, run.last))
            run = run.before
        return tuple(i for stretch in reversed(stretches) for i in stretch)


def runs(view: View, elements: Elements, low: int, high: int) -> list[tuple[tuple[int, ...], str]]:
    """Places of a sequence of elements within ``[low, high)``: words covered, and the rule that was needed.

    A wildcard stands for any words of the same sentence, also none; the shortest stretch is taken. A candidate of very
    many words is not found in a text that repeats one of them without end (`_MOST_STEPS`).
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
    return [(state.cover(), state.rule) for state in states or ()]


def _by_last(states: list[_Run]) -> dict[int, list[_Run]]:
    """The runs by the place where the next word stands; two of them where a token and its last word fit alike."""
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
        rule: name for a match that needed nothing else.
    """

    elements: Elements
    rule: str = "lemma"

    def find(self, view: View) -> Iterator[Found]:
        """See `Pattern`."""
        for cover, rule in runs(view, self.elements, 0, len(view.words)):
            yield Found(cover, rule or self.rule)

    def may_stand(self, present: AbstractSet[str]) -> bool:
        """See `Pattern`."""
        return all_present(self.elements, present)


class Side(str, Enum):
    """Where a piece stands, seen from the head."""

    BEFORE = "before"
    AFTER = "after"
    ANY = "any"


class Satellite(NamedTuple):
    """A piece of the candidate that stands apart from the head.

    Attributes:
        elements: its words.
        side: on which side of the head.
        gap: how many words may lie between head and piece (``None``: any number in the clause);
            words of the match itself do not count.
        barrier: words that must not lie between head and piece (conjunctions).
        fits: asked last: may the piece stand at these positions, seen from this head, with these words
            between the two?
        crosses_commas: the piece may stand after a comma of the same sentence.
    """

    elements: Elements
    side: Side = Side.ANY
    gap: int | None = None
    barrier: frozenset[str] = frozenset()
    fits: Callable[[View, Edge, tuple[int, ...], list[int]], bool] | None = None
    crosses_commas: bool = False


class Detached(NamedTuple):
    """A head word and pieces that stand elsewhere in its clause.

    Attributes:
        head: the verb.
        satellites: the pieces; later ones see where the earlier ones stand.
        rule: name of the rule.
    """

    head: Element
    satellites: tuple[Satellite, ...]
    rule: str

    def find(self, view: View) -> Iterator[Found]:
        """See `Pattern`."""
        for edge in view.edges(*self.head):
            covers: list[tuple[int, ...]] = [tuple(range(edge.first, edge.last))]
            for satellite in self.satellites:
                place = self._nearest(view, edge, satellite, covers)
                if place is None:
                    break
                covers.append(place)
            else:
                yield Found(tuple(sorted(i for cover in covers for i in cover)), self.rule)

    def may_stand(self, present: AbstractSet[str]) -> bool:
        """See `Pattern`."""
        return not self.head.keys.isdisjoint(present) and all(
            all_present(satellite.elements, present) for satellite in self.satellites
        )

    def _nearest(
        self, view: View, head: Edge, satellite: Satellite, covers: list[tuple[int, ...]]
    ) -> tuple[int, ...] | None:
        """The piece's allowed place that is nearest to the head."""
        low, high = view.clause(head.first)
        if satellite.crosses_commas:
            high = view.sentence(head.first)[1]
        low, high = max(low, head.first - REACH), min(high, head.last + REACH)
        taken = {i for cover in covers for i in cover}
        places = [cover for cover, _ in runs(view, satellite.elements, low, high) if taken.isdisjoint(cover)]
        places.sort(key=lambda cover: _distance(head, cover))
        near = places[:_MOST_PLACES]
        return next((cover for cover in near if self._allowed(view, head, satellite, cover, taken)), None)

    def _allowed(
        self, view: View, head: Edge, satellite: Satellite, cover: tuple[int, ...], taken: set[int]
    ) -> bool:
        before = cover[0] < head.first
        if satellite.side is not Side.ANY and before != (satellite.side is Side.BEFORE):
            return False
        between = _gap_words(head, cover, taken)
        if satellite.gap is not None and len(between) > satellite.gap:
            return False
        if satellite.barrier and any(view.form(i) in satellite.barrier for i in between):
            return False
        return satellite.fits is None or satellite.fits(view, head, cover, between)


def _distance(head: Edge, cover: tuple[int, ...]) -> int:
    return head.first - cover[-1] if cover[0] < head.first else cover[0] - head.last


def _gap_words(head: Edge, cover: tuple[int, ...], taken: set[int]) -> list[int]:
    low, high = (cover[-1] + 1, head.first) if cover[0] < head.first else (head.last, cover[0])
    return [i for i in range(low, high) if i not in taken]


class Segments(NamedTuple):
    """A Chinese candidate: stretches of text, in order, that each begin and end at segment borders.

    Attributes:
        stretches: simplified text between wildcards.
        infixes: particles that may stand between the pieces instead of a wildcard (``None``: wildcard).
        rule: name of the rule.
    """

    stretches: tuple[str, ...]
    infixes: frozenset[str] | None = None
    rule: str = "lemma"

    def find(self, view: View) -> Iterator[Found]:
        """See `Pattern`."""
        states: list[tuple[tuple[int, ...], tuple[int, ...]]] | None = None
        for stretch in filter(None, self.stretches):  # two wildcards in a row have nothing between them
            places = _stretches(view, stretch)
            states = (
                [(place, place) for place in places] if states is None else self._extend(view, states, places)
            )
        for cover, _ in states or ():
            yield Found(cover, self.rule)

    def may_stand(self, present: AbstractSet[str]) -> bool:
        """See `Pattern`; segments need not be keys of their own, so nothing is excluded."""
        return True

    def _extend(
        self,
        view: View,
        states: list[tuple[tuple[int, ...], tuple[int, ...]]],
        places: list[tuple[int, ...]],
    ) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        by_end = {last[-1] + 1: cover for cover, last in states}
        ends = sorted(by_end)
        extended = []
        for place in places:
            end = latest_not_after(ends, place[0])
            if end is not None and self._may_lie_between(view, end, place[0]):
                extended.append(((*by_end[end], *place), place))
        return extended

    def _may_lie_between(self, view: View, first: int, last: int) -> bool:
        if self.infixes is None:
            return last < view.sentence(first - 1)[1]
        if not 0 < last - first <= max(map(len, self.infixes)):
            return False
        return "".join(view.form(i) for i in range(first, last)) in self.infixes


def _stretches(view: View, stretch: str) -> list[tuple[int, ...]]:
    """Positions of the segments that together spell ``stretch``, at each place where some do."""
    text, borders = view.spelling
    found = []
    start = text.find(stretch)
    while start >= 0:
        first, last = borders.get(start), borders.get(start + len(stretch))
        if first is not None and last is not None:
            found.append(tuple(range(first, last)))
        start = text.find(stretch, start + 1)
    return found


class Ending(NamedTuple):
    """A candidate as the last part of a longer word (``Stationszuweisung`` for ``Zuweisung``).

    Attributes:
        ending: folded candidate.
        shortest_modifier: letters that must stand before it.
        rule: name of the rule.
    """

    ending: str
    shortest_modifier: int
    rule: str

    def find(self, view: View) -> Iterator[Found]:
        """See `Pattern`."""
        longer = len(self.ending) + self.shortest_modifier
        for i in range(len(view.words)):
            if any(len(key) >= longer and key.endswith(self.ending) for key in view.keys(i)):
                yield Found((i,), self.rule, len(self.ending))

    def may_stand(self, present: AbstractSet[str]) -> bool:
        """See `Pattern`; a longer word is not known by this key, so nothing is excluded."""
        return True
