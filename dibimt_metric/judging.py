"""From matches to a label: longest-match priority, then MISS / UNK / GOOD / BAD. Never looks at the text.

Source: Martelli et al. 2025, "Analysis Procedure" (labels) and the section on critical issues (longest matches).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from .matcher import Hit
from .measures import Ties
from .records import CandidateSet
from .records import Dropped
from .records import Label
from .records import Match

if TYPE_CHECKING:
    from .matcher import Piece
    from .records import Item

# Shares of a fused token are fractions; borders within this distance are the same.
_TOLERANCE = 1e-6
# Matches are compared only within the same stretch of this many characters: a candidate may be found 100,000 times.
_CELL = 64


class _Sized(NamedTuple):
    length: float
    hit: Hit


def longest(hits: Sequence[Hit]) -> tuple[list[Match], list[Dropped]]:
    """Drop every match whose words all lie inside a longer match, of either list.

    "We address these cases by attributing higher priority to the identification of the longest matches, thereby
    ignoring potential shorter matches contained in longer matches". Contained means: every word of the shorter match is
    one of the longer match's words; words that only stand between those of a discontinuous match are not in it.
    """
    if len(hits) < 2:
        return [hit.match for hit in hits], []
    sized = [_Sized(_length(hit), hit) for hit in hits]
    near = _by_cell(sized)
    kept: list[Match] = []
    dropped: list[Dropped] = []
    for length, hit in sized:
        longer = _longer(hit, length, near)
        if longer is None:
            kept.append(hit.match)
        else:
            dropped.append(Dropped(hit.match, f"inside the longer match {longer.match.candidate!r}"))
    return sorted(kept, key=_order), dropped


def _by_cell(sized: Sequence[_Sized]) -> dict[int, list[_Sized]]:
    """The matches that touch each stretch of text, longest first."""
    cells: dict[int, list[_Sized]] = {}
    for entry in sorted(sized, key=lambda entry: -entry.length):
        pieces = entry.hit.pieces
        touched = {
            cell for start, end in pieces for cell in range(int(start) // _CELL, int(end) // _CELL + 1)
        }
        for cell in touched:
            cells.setdefault(cell, []).append(entry)
    return cells


def _longer(hit: Hit, length: float, near: dict[int, list[_Sized]]) -> Hit | None:
    for other in near[int(hit.pieces[0][0]) // _CELL]:
        if other.length <= length + _TOLERANCE:
            return None
        if _contains(other.hit, hit):
            return other.hit
    return None


def _length(hit: Hit) -> float:
    return sum(end - start for start, end in hit.pieces)


def _contains(longer: Hit, shorter: Hit) -> bool:
    return all(_covers(longer.pieces, piece) for piece in shorter.pieces)


def _covers(pieces: tuple[Piece, ...], piece: Piece) -> bool:
    """Whether one of the pieces, which are in order and apart, holds ``piece``."""
    index = bisect_right(pieces, (piece[0] + _TOLERANCE, inf)) - 1
    return index >= 0 and piece[1] <= pieces[index][1] + _TOLERANCE


def _order(match: Match) -> tuple[int, int, str, str]:
    return (match.start, match.end, match.set.value, match.candidate)


def label(matches: Sequence[Match]) -> Label:
    """The label that a set of matches gives.

    >>> label([]).value
    'MISS'
    """
    sets = {match.set for match in matches}
    if not sets:
        return Label.MISS
    if len(sets) == 2:
        return Label.UNK
    return Label.GOOD if CandidateSet.GOOD in sets else Label.BAD


def chosen_frequency_index(
    item: Item, matches: Sequence[Match], ties: Ties = Ties.MOST_FREQUENT
) -> int | None:
    """Rank of the wrong sense that the matches show, ``None`` where no BAD candidate found has a ranked one.

    Args:
        item: the item, whose BAD candidates carry the ranks of their senses.
        matches: the matches that count.
        ties: the paper does not say what counts when BAD candidates found express several wrong senses. By
            default the most frequent is taken (smallest rank); strict leaves such a translation without a rank.
    """
    found = {match.candidate for match in matches if match.set is CandidateSet.BAD}
    ranks = {
        rank
        for candidate in item.bad
        if candidate.lemma in found
        for rank in candidate.frequency_indices
        if rank is not None and rank != item.frequency_index  # that sense is the right one
    }
    if ties is Ties.STRICT and len(ranks) > 1:
        return None
    return min(ranks, default=None)
