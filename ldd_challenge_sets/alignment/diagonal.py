"""The alignment of the released reordering sets: the diagonal prior of fast_align, without any parameters.

The release calls the aligner with ``-f PARAMETERS-r``: the reverse switch is joined to the name of the
parameter file, so that no parameters are read and the direction remains source to target (``evaluate_model.py`` of
github.com/borgr/auto_challenge_sets). What remains is the prior (Dyer, Chahuneau and Smith, 2013, section 2):

    p(a_j = i) = (1 - p0) exp(-T |i/n - j/m|) / Z(j),  p(a_j = NULL) = p0,  i = 1..n, j = 1..m

which depends on the lengths only. Each rule below changes the set selected from newstest2013; ``docs/alignment.md``
has the counts without each of them:

1. every target word takes the most probable source word; the first of equals; NULL comes first (fast_align);
2. links are stored in a mapping from source to target, so that of several targets of a source word the last remains;
3. a source word without link is mapped to its own position, at distance 0;
4. ``isalpha()`` must hold for both *characters* at the two positions, those of the lines, not the tokens. The lines
   come from splitting ``source ||| target`` at the bars, so that the target line begins with a space;
5. a pair is kept if the largest distance is *above* 5.
"""

from __future__ import annotations

from functools import lru_cache
from math import exp

from ..records import Link

NULL_PROBABILITY = 0.08  # p0, the default of fast_align
TENSION = 4.0  # T, the default of fast_align
RELEASED_MINIMUM = 5
"""The distance that a pair of the release must exceed."""


@lru_cache(maxsize=1 << 15)
def diagonal_sources(n: int, m: int) -> tuple[int | None, ...]:
    """For each of m target positions, the source position out of n that the prior alone prefers.

    Positions are counted from 0; ``None`` is NULL, which wins if no source word is above p0.

    >>> diagonal_sources(4, 2)
    (1, 3)
    """
    if n == 0:
        return (None,) * m
    return tuple(_preferred(n, m, j) for j in range(1, m + 1))


def _preferred(n: int, m: int, j: int) -> int | None:
    # Integers (|i/n - j/m| times n * m), so that equally near words are equal and rounding has no effect.
    gaps = [abs(i * m - j * n) for i in range(1, n + 1)]
    nearest = min(gaps)
    weights = [exp(-TENSION * gap / (n * m)) for gap in gaps]
    best = (1 - NULL_PROBABILITY) * exp(-TENSION * nearest / (n * m)) / sum(weights)
    return gaps.index(nearest) if best > NULL_PROBABILITY else None


@lru_cache(maxsize=1 << 15)
def released_targets(n: int, m: int) -> tuple[int, ...]:
    """For each of n source positions, the target position out of m in the release (rules 1 to 3).

    By rule 3 it may be beyond the end of the target.

    >>> released_targets(4, 2)
    (0, 0, 2, 1)
    """
    targets = list(range(n))
    for j, i in enumerate(diagonal_sources(n, m)):
        if i is not None:
            targets[i] = j
    return tuple(targets)


def released_links(source: str, target: str, alphabetic: bool = True) -> list[Link]:
    """The pairs of positions that the release compares (rules 1 to 4), in order of the source.

    Args:
        source: line of the source side; spaces separate its tokens, and those at the ends are ignored.
        target: line of the target side.
        alphabetic: whether rule 4 applies. Without it newstest2013 has 307 pairs: the number in the paper (306) counts
            the line ends in a file whose last line has none.

    >>> released_links("ab cd", "xyz u")
    [(1, 1)]
    >>> released_links("ab cd", "xyz u", alphabetic=False)
    [(0, 0), (1, 1)]
    """
    source, target = source.strip(), target.strip()
    pairs = enumerate(released_targets(len(source.split()), len(target.split())))
    if not alphabetic:
        return list(pairs)
    target = f" {target}"
    # A position beyond the end (rule 3) would be an error in the release if it were used; it is not, because its
    # distance is 0.
    return [(i, j) for i, j in pairs if j < len(target) and source[i].isalpha() and target[j].isalpha()]
