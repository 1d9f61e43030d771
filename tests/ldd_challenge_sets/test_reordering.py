from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dibimt_metric.errors import InputError
from ldd_challenge_sets.phenomena.reordering import MEASURES, released_reordering_hits, reordering_hits
from ldd_challenge_sets.records import Hit, Link

# "The man that is sitting on the chair" (paper, section 4.1), turned round so that the source is verb-last.
SOURCE = "Ich weiß , dass der alte Mann auf dem Stuhl am Fenster saß .".split()
TARGET = "I know that the old man sat on the chair by the window .".split()
LINKS = frozenset(
    [
        (0, 0),
        (1, 1),
        (3, 2),
        (4, 3),
        (5, 4),
        (6, 5),
        (12, 6),
        (7, 7),
        (8, 8),
        (9, 9),
        (10, 10),
        (10, 11),
        (11, 12),
    ]
    + [(13, 13)]
)


@st.composite
def alignments(draw: st.DrawFn) -> tuple[frozenset[Link], int, int]:
    n, m = draw(st.integers(1, 14)), draw(st.integers(1, 14))
    link = st.tuples(st.integers(0, n - 1), st.integers(0, m - 1))
    return draw(st.frozensets(link, max_size=30)), n, m


def hits(links: frozenset[Link], n: int, m: int, name: str, minimum: int = 0) -> list[Hit]:
    return reordering_hits(links, [f"s{i}" for i in range(1, n + 1)], [f"t{j}" for j in range(1, m + 1)], name, minimum)


def crossing(links: frozenset[Link], link: Link) -> int | None:
    """The definition, by comparing with every other link."""
    i, j = link
    found = [max(abs(i - a), abs(j - b)) for a, b in links if (i - a) * (j - b) < 0]
    return max(found, default=None)


def test_the_verb_at_the_end() -> None:
    # saß is word 13, sat is word 7.
    assert reordering_hits(LINKS, SOURCE, TARGET, "reordering") == [Hit(13, 7, "saß", "sat", 6)]
    # n = m = 14: nothing to stretch.
    assert reordering_hits(LINKS, SOURCE, TARGET, "reordering_normalized") == [Hit(13, 7, "saß", "sat", 6)]
    # saß crosses auf-on ... Fenster-window: |13 - 8| = 5 in the source, |7 - 13| = 6 in the target (the window).
    # auf-on crosses it as far as |8 - 13| = 5; dem-the |9 - 13| = 4 and |9 - 7| = 2; Fenster-window |13 - 7| = 6.
    assert reordering_hits(LINKS, SOURCE, TARGET, "reordering_crossing") == [
        Hit(8, 8, "auf", "on", 5),
        Hit(11, 12, "am", "the", 5),  # of am-by and am-the the farther one
        Hit(12, 13, "Fenster", "window", 6),
        Hit(13, 7, "saß", "sat", 6),
    ]


@pytest.mark.parametrize("name", MEASURES)
def test_no_links_no_hits(name: str) -> None:
    assert reordering_hits(frozenset(), (), (), name, 0) == []
    assert reordering_hits(frozenset(), ("a",), (), name, 0) == []
    assert reordering_hits(frozenset(), ("a",), ("b",), name, 0) == []


@pytest.mark.parametrize("name", MEASURES)
@given(alignments(), st.integers(0, 6))
def test_a_minimum_leaves_out_and_changes_nothing_else(
    name: str, given_: tuple[frozenset[Link], int, int], minimum: int
) -> None:
    every = hits(*given_, name, 0)
    assert hits(*given_, name, minimum) == [hit for hit in every if hit.distance >= minimum]
    assert every == sorted(every)
    for hit in every:
        assert (hit.dependent - 1, hit.head - 1) in given_[0]
        assert (hit.dependent_form, hit.head_form) == (f"s{hit.dependent}", f"t{hit.head}")


@given(alignments())
def test_reordering_is_the_difference_of_positions(given_: tuple[frozenset[Link], int, int]) -> None:
    found = hits(*given_, "reordering")
    assert len(found) == len(given_[0])
    assert all(hit.distance == abs(hit.dependent - hit.head) for hit in found)


@given(alignments())
def test_normalized_is_the_floor_of_the_fraction(given_: tuple[frozenset[Link], int, int]) -> None:
    links, n, m = given_
    found = hits(links, n, m, "reordering_normalized")
    assert len(found) == len(links)
    for hit in found:
        assert hit.distance == floor(abs(Fraction(hit.dependent, n) - Fraction(hit.head, m)) * max(n, m))


@given(st.frozensets(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=25))
def test_normalized_equals_plain_where_lengths_are_equal(links: frozenset[Link]) -> None:
    assert hits(links, 10, 10, "reordering_normalized") == hits(links, 10, 10, "reordering")


@given(alignments())
def test_crossing_is_the_definition(given_: tuple[frozenset[Link], int, int]) -> None:
    links, n, m = given_
    expected = []
    for i in range(n):
        # Of the links of a word the farthest, and the first target of equals.
        of_word = [(-d, j) for a, j in sorted(links) if a == i and (d := crossing(links, (a, j))) is not None]
        if of_word:
            distance, j = min(of_word)
            expected.append(Hit(i + 1, j + 1, f"s{i + 1}", f"t{j + 1}", -distance))
    assert hits(links, n, m, "reordering_crossing") == expected


@given(alignments())
def test_measures_do_not_depend_on_the_direction(given_: tuple[frozenset[Link], int, int]) -> None:
    links, n, m = given_
    turned = frozenset((j, i) for i, j in links)
    for name in MEASURES:
        there = max((hit.distance for hit in hits(links, n, m, name)), default=None)
        back = max((hit.distance for hit in hits(turned, m, n, name)), default=None)
        assert there == back


@given(st.lists(st.integers(0, 3), max_size=10))
def test_what_never_goes_back_has_no_crossing(steps: list[int]) -> None:
    links, j = set(), 0
    for i, step in enumerate(steps):
        j += step
        links.add((i, j))
    assert hits(frozenset(links), len(steps) + 1, j + 1, "reordering_crossing") == []


def test_a_reversed_sentence() -> None:
    # Word i crosses all others; the farthest is an end of the sentence.
    links = frozenset((i, 6 - i) for i in range(7))
    assert [hit.distance for hit in hits(links, 7, 7, "reordering_crossing")] == [6, 5, 4, 3, 4, 5, 6]
    assert [hit.distance for hit in hits(links, 7, 7, "reordering")] == [6, 4, 2, 0, 2, 4, 6]


def test_words_put_before_a_sentence_are_no_crossing_but_a_difference() -> None:
    # The target begins with six words of its own: everything is 6 places off, and nothing is out of order.
    links = frozenset((i, i + 6) for i in range(4))
    assert [hit.distance for hit in hits(links, 4, 10, "reordering")] == [6, 6, 6, 6]
    assert hits(links, 4, 10, "reordering_crossing") == []
    # |1/4 - 7/10| 10 = 4.5, |2/4 - 8/10| 10 = 3, |3/4 - 9/10| 10 = 1.5, 0.
    assert [hit.distance for hit in hits(links, 4, 10, "reordering_normalized")] == [4, 3, 1, 0]


@pytest.mark.parametrize("name", ["", "reorder", "particle"])
def test_unknown_name(name: str) -> None:
    with pytest.raises(InputError, match="choose one of reordering, reordering_normalized, reordering_crossing"):
        reordering_hits(LINKS, SOURCE, TARGET, name)


@pytest.mark.parametrize("minimum", [-1, True, 2.5, "5"])
def test_bad_minimum(minimum: Any) -> None:
    with pytest.raises(InputError, match="the minimum distance must be an integer of 0 or more"):
        reordering_hits(LINKS, SOURCE, TARGET, "reordering", minimum)
    with pytest.raises(InputError, match="the minimum distance must be an integer of 0 or more"):
        released_reordering_hits("a", "b", minimum)


def test_released_hits_are_above_the_minimum() -> None:
    # 2 words to 14: the last of the targets of word 1 is 10 (|1/2 - 10/14| = .21 < |1 - 10/14| = .29), of word 2 it
    # is 14. Characters: "ab" and the first letters of the long word that the target begins with.
    source, target = "ab cd", "abcdefghijklmnop" + " x" * 13
    assert released_reordering_hits(source, target) == [Hit(1, 10, "ab", "x", 9), Hit(2, 14, "cd", "x", 12)]
    assert released_reordering_hits(source, target, 9) == [Hit(2, 14, "cd", "x", 12)]
    assert released_reordering_hits(source, target, 12) == []
    assert released_reordering_hits(source.split(), target.split()) == released_reordering_hits(source, target)


def test_released_hits_of_nothing() -> None:
    assert released_reordering_hits("", "") == []
    assert released_reordering_hits("", "a b") == []
    assert released_reordering_hits("a b", "") == []
    assert released_reordering_hits((), ()) == []
