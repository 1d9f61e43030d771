"""Reordering: aligned words at different positions of their sentences (``docs/alignment.md``).

A hit is a link: its dependent is the source word, its head the *target* word. For a link of source position i of n to
target position j of m, all counted from 1, the distance is

- ``reordering``: ``|i - j|``, the paper's (section 4.1, after Birch, 2011);
- ``reordering_normalized``: ``floor(|i/n - j/m| max(n, m))``, the same after stretching both sentences to the length
  of the longer one, so that unequal lengths alone give no distance;
- ``reordering_crossing``: the largest ``max(|i - i'|, |j - j'|)`` over the links (i', j') that it crosses
  (``(i - i') (j - j') < 0``): two words in opposite order in the other language, and their distance in the
  language in which they are farther apart. A link that crosses none has no distance. Exchanging source and target
  changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TypeAlias

from dibimt_metric.errors import InputError, shown

from ..alignment.diagonal import RELEASED_MINIMUM, released_links
from ..records import Hit, Link

Measure: TypeAlias = Callable[[Collection[Link], int, int], Iterator[tuple[int, int, int]]]
"""From links and the lengths of source and target to (source, target, distance) for each link that has one."""


def reordering_hits(
    links: Collection[Link], source_tokens: Sequence[str], target_tokens: Sequence[str], name: str, minimum: int = 5
) -> list[Hit]:
    """The links of a sentence pair whose distance is at least the minimum, in order of dependent, then head.

    The links are inside both sentences (`check_links`), the minimum is 0 or more. Names: ``reordering``,
    ``reordering_normalized``, and ``reordering_crossing``, which gives only the farthest link of each source word.

    >>> links = {(0, 0), (1, 2), (2, 3), (3, 1)}
    >>> hits = reordering_hits(links, "hat das Haus gekauft".split(), "has bought the house".split(), "reordering", 2)
    >>> [(hit.dependent_form, hit.head_form, hit.distance) for hit in hits]
    [('gekauft', 'bought', 2)]
    """
    measure = MEASURES.get(name)
    if measure is None:
        raise InputError(f"unknown reordering {shown(name)}; choose one of {', '.join(MEASURES)}")
    _check_minimum(minimum)
    measured = measure(links, len(source_tokens), len(target_tokens))
    return _hits([each for each in measured if each[2] >= minimum], source_tokens, target_tokens)


def released_reordering_hits(
    source: str | Sequence[str], target: str | Sequence[str], minimum: int | None = None, alphabetic: bool = True
) -> list[Hit]:
    """The hits of the released definition, an artifact of the lengths; see `ldd_challenge_sets.alignment.diagonal`.

    Ids count the tokens, which are given as such or separated by spaces in a line. Distances ``|i - j|`` must be
    *above* the minimum (default: 5) and, if ``alphabetic``, characters at both positions letters, as in the release.

    >>> hits = released_reordering_hits("Ja doch", "Yes of course I said so and will say it again to you all")
    >>> [(hit.dependent_form, hit.head_form, hit.distance) for hit in hits]
    [('Ja', 'it', 9), ('doch', 'all', 12)]
    """
    threshold = RELEASED_MINIMUM if minimum is None else minimum
    _check_minimum(threshold)
    left, right = (side if isinstance(side, str) else " ".join(side) for side in (source, target))
    found = [(i, j, abs(i - j)) for i, j in released_links(left, right, alphabetic) if abs(i - j) > threshold]
    return _hits(found, left.split(), right.split())


def _normalized(links: Collection[Link], n: int, m: int) -> Iterator[tuple[int, int, int]]:
    # max(n, m) / (n m) = 1 / min(n, m); integers, so that rounding has no effect at the minimum.
    shorter = min(n, m)
    return ((i, j, abs((i + 1) * m - (j + 1) * n) // shorter) for i, j in links)


def _crossing(links: Collection[Link], n: int, m: int) -> Iterator[tuple[int, int, int]]:
    """The farthest crossing of each source word.

    The links that a link crosses follow it on one side and precede it on the other. Its farthest partner on either side
    is therefore an extreme of all links before or after it, and tables of these extremes take one pass:
    ``highest_before[i]`` is the highest target position of the links with a source position below i, and so on.
    """
    highest_before, lowest_after = _extremes(links, n, m)
    last_below, first_above = _extremes([(j, i) for i, j in links], m, n)
    farthest: dict[int, tuple[int, int]] = {}
    for i, j in links:
        # If nothing is crossed on a side, the difference is not positive.
        distance = max(highest_before[i] - j, j - lowest_after[i], last_below[j] - i, i - first_above[j])
        # Of equally far links of a word, the first target wins.
        if distance > 0 and (distance, -j) > farthest.get(i, (0, 0)):
            farthest[i] = distance, -j
    return ((i, -j, distance) for i, (distance, j) in farthest.items())


def _extremes(links: Collection[Link], n: int, m: int) -> tuple[list[int], list[int]]:
    """For each first position: the highest second one of links before it, the lowest of links after it."""
    highest, lowest = [-1] * (n + 1), [m] * (n + 1)
    for i, j in links:
        if j > highest[i + 1]:
            highest[i + 1] = j
        if j < lowest[i]:
            lowest[i] = j
    for i in range(1, n + 1):
        if highest[i - 1] > highest[i]:
            highest[i] = highest[i - 1]
    for i in range(n - 1, -1, -1):
        if lowest[i + 1] < lowest[i]:
            lowest[i] = lowest[i + 1]
    return highest, lowest[1:]


MEASURES: dict[str, Measure] = {
    "reordering": lambda links, n, m: ((i, j, abs(i - j)) for i, j in links),
    "reordering_normalized": _normalized,
    "reordering_crossing": _crossing,
}
"""The measures of distance, by the name of the phenomenon."""


def _hits(found: list[tuple[int, int, int]], source_tokens: Sequence[str], target_tokens: Sequence[str]) -> list[Hit]:
    return [Hit(i + 1, j + 1, source_tokens[i], target_tokens[j], d) for i, j, d in sorted(found)]


def _check_minimum(minimum: int) -> None:
    if not isinstance(minimum, int) or isinstance(minimum, bool) or minimum < 0:
        raise InputError(f"the minimum distance must be an integer of 0 or more, not {shown(minimum)}")
