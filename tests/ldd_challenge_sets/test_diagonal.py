from __future__ import annotations

from fractions import Fraction
from math import exp
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ldd_challenge_sets.alignment.diagonal import diagonal_sources, released_links, released_targets
from ldd_challenge_sets.phenomena.reordering import released_reordering_hits

LENGTHS = st.integers(0, 60)


def prior(n: int, m: int, j: int) -> list[tuple[float, Fraction | None]]:
    """p(NULL), then p(i) for i = 1..n, as the formula stands; with |i/n - j/m| as an exact fraction."""
    gaps = [abs(Fraction(i, n) - Fraction(j, m)) for i in range(1, n + 1)]
    z = sum(exp(-4.0 * gap) for gap in gaps)
    return [(0.08, None), *(((1 - 0.08) * exp(-4.0 * gap) / z, gap) for gap in gaps)]


@given(st.integers(1, 45), st.integers(1, 45))
def test_sources_are_the_maximum_of_the_prior(n: int, m: int) -> None:
    for j, i in enumerate(diagonal_sources(n, m), 1):
        (null, _), *words = prior(n, m, j)
        if i is None:
            assert max(p for p, _ in words) <= null * (1 + 1e-12)
            continue
        p, gap = words[i]
        assert p > null
        nearest = min(other for _, other in words if other is not None)
        assert gap == nearest
        assert all(other != nearest for _, other in words[:i]), "the first of equals"


@pytest.mark.parametrize(
    ("n", "m", "sources"),
    [
        (0, 3, (None, None, None)),
        (3, 0, ()),
        (1, 3, (0, 0, 0)),  # 0.92 exp(0) / exp(0) for the only word, wherever it stands
        (2, 2, (0, 1)),
        (2, 1, (1,)),  # j/m = 1 = 2/2
        (2, 3, (0, 0, 1)),  # j = 2: |1/2 - 2/3| = 1/6 < |2/2 - 2/3|
        (2, 4, (0, 0, 0, 1)),  # j = 3: |1/2 - 3/4| = |2/2 - 3/4|, the first
        # Z is at least 1 + 2 exp(-.04) + 2 exp(-.08) + ... over 50 words on one side: above 25(1 - exp(-2)) > 20, and
        # .92/20 < .08: nobody is above NULL.
        (100, 100, (None,) * 100),
    ],
)
def test_sources(n: int, m: int, sources: tuple[int | None, ...]) -> None:
    assert diagonal_sources(n, m) == sources


def test_in_long_sentences_only_the_ends_are_linked() -> None:
    # For j = m, Z = sum of exp(-4k/30), k = 0..29 = (1 - exp(-4)) / (1 - exp(-4/30)) = 7.9: .92/7.9 = .12 > .08.
    # In the middle Z is about 2 (1 - exp(-2)) / (1 - exp(-4/30)) - 1 = 12.9: .92/12.9 = .07 < .08.
    sources = diagonal_sources(30, 40)
    assert sources[-1] == 29
    assert sources[19] is None


@given(LENGTHS, LENGTHS)
def test_links_know_lengths_only_and_stay_inside(n: int, m: int) -> None:
    sources = diagonal_sources(n, m)
    assert len(sources) == m
    linked = [i for i in sources if i is not None]
    assert linked == sorted(linked), "the diagonal never crosses"
    assert all(0 <= i < n for i in linked)


@pytest.mark.parametrize(
    ("n", "m", "targets"),
    [
        (0, 3, ()),
        (3, 0, (0, 1, 2)),  # no links: every position stands for itself
        (2, 3, (1, 2)),  # targets 0 and 1 both have source 0: the last stays
        (2, 4, (2, 3)),
        (4, 2, (0, 0, 2, 1)),  # sources 0 and 2 have no link; 2 stands for itself, behind the target's end
        (1, 5, (4,)),
    ],
)
def test_released_targets(n: int, m: int, targets: tuple[int, ...]) -> None:
    assert released_targets(n, m) == targets


def test_isalpha_looks_at_characters_of_the_lines() -> None:
    # Positions (0, 1) and (1, 2). Source characters: "a", "b"; target line " x yz": " ", "x", " ", "y", "z".
    assert released_targets(2, 3) == (1, 2)
    assert released_links("ab 1", "x 2 3") == [(0, 1)]  # source[1] = "b", target[2] = " "
    assert released_links("ab 1", "xy 2 3") == [(0, 1), (1, 2)]  # target[2] = "y"
    assert released_links("1b 1", "xy 2 3") == [(1, 2)]  # source[0] = "1"
    assert released_links("ab 1", "x 2 3", alphabetic=False) == [(0, 1), (1, 2)]


def test_blanks_at_the_ends_of_a_line_do_not_count() -> None:
    assert released_links(" ab 1 ", "\txy 2 3\n") == released_links("ab 1", "xy 2 3")


def test_blanks_inside_a_line_count_as_characters() -> None:
    assert released_links("ab cd", "xyz u") == [(1, 1)]  # target line " xyz u"; target[0] is a blank
    assert released_links("a  bc", "xyz u") == []  # source[1] is a blank


def test_a_position_behind_the_target_line_is_never_a_hit() -> None:
    # 30 source words, one target letter: all but one position stand for themselves, far behind the line " y".
    assert released_links("a " * 30, "y") == []
    assert released_reordering_hits("a" * 40 + " a" * 29, "y", minimum=0) == []


def test_ties_and_lengths_do_not_change_with_the_order_of_calls() -> None:
    first = [diagonal_sources(n, m) for n in range(20) for m in range(20)]
    diagonal_sources.cache_clear()
    assert [diagonal_sources(n, m) for m in range(20) for n in range(20)] == [
        first[n * 20 + m] for m in range(20) for n in range(20)
    ]


def _lines(path: Path) -> list[str]:
    return [line.strip() for line in path.read_text(encoding="utf-8").split("\n")]


def test_exactly_the_published_pairs(test_data: Path) -> None:
    folder = test_data / "ldd"
    pairs = list(zip(_lines(folder / "newstest2013.de"), _lines(folder / "newstest2013.en"), strict=True))[:3000]
    published = list(
        zip(
            _lines(folder / "released" / "newstest2013_reorder5.de"),
            _lines(folder / "released" / "newstest2013_reorder5.en"),
            strict=True,
        )
    )
    assert len(published) == 275
    selected = [pair for pair in pairs if released_reordering_hits(*pair)]
    assert selected == published  # the same pairs, in the same order, each once
    # The paper's 306 counts line ends, and the last of 307 lines has none.
    assert sum(bool(released_reordering_hits(*pair, alphabetic=False)) for pair in pairs) == 307
    # Tokens instead of lines are joined by blanks.
    assert [pair for pair in pairs if released_reordering_hits(pair[0].split(), pair[1].split())] == published
    # What the set really is: pairs of unequal length.
    assert min(abs(len(source.split()) - len(target.split())) for source, target in published) == 6
