"""Two runs on the same pairs: differences, intervals, tests."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dibimt_metric.errors import InputError
from minimal_pairs.scoring.comparison import (
    NO_COMMON_PAIR,
    Scored,
    compare_runs,
    difference_interval,
    mcnemar,
)
from minimal_pairs.scoring.intervals import Z, student
from minimal_pairs.scoring.journal import Header
from minimal_pairs.scoring.results import Decision, PairOutcome

LETTERS = {"r": Decision.RIGHT, "w": Decision.WRONG, "t": Decision.TIE, "u": Decision.UNSCORED}


def outcome(paradigm: str, number: int, letter: str) -> PairOutcome:
    decision = LETTERS[letter]
    number_or_none = None if decision is Decision.UNSCORED else -1.0
    return PairOutcome(paradigm, number, paradigm[:1], None, number_or_none, number_or_none, decision, 1, 1, 1, 1)


def header(**settings: str) -> Header:
    values = {"ties": "wrong", "data": "x", **settings}
    return Header("m", "full", tuple(values.items()), 9, "dibimt|version:1")


def scored(name: str, known: Header | None = None, **paradigms: str) -> Scored:
    outcomes = [
        outcome(paradigm, place, letter) for paradigm, row in paradigms.items() for place, letter in enumerate(row)
    ]
    return Scored(name, header() if known is None else known, tuple(outcomes))


def test_hand_derived_difference() -> None:
    versus = compare_runs(scored("one", a="rwww", b="rr"), scored("two", a="rrrw", b="rw"))
    gap = versus.overall
    # a: 1/4 and 3/4, b: 1 and 1/2.
    assert (gap.first, gap.second, gap.difference) == (100 * (1 / 4 + 1) / 2, 100 * (3 / 4 + 1 / 2) / 2, 0.0)
    assert (gap.n, gap.paradigms, gap.gained, gap.lost) == (6, 2, 2, 1)
    # Differences of a: 0 1 1 0, variance 1/3; of b: 0 -1, variance 1/2. Their squares: 1/2 each.
    parts = (1 / 3 / 4 / 4, 1 / 2 / 2 / 4)
    degrees = sum(parts) ** 2 / (parts[0] ** 2 / 3 + parts[1] ** 2 / 1)
    n = max(4 / (1 / 4 + 1 / 2), 1 / 2 / sum(parts) * (Z / student(degrees)) ** 2)
    assert n == 16 / 3  # few pairs say little of their variance
    half = 100 * Z * math.sqrt((n / 2 + 1) / (n + 2) / (n + 2))
    assert (gap.low, gap.high) == (pytest.approx(-half), pytest.approx(half))
    assert gap.p_value == 1.0  # 2 * (1 + 3) / 2**3
    assert versus.gained == (("a", 1), ("a", 2)) and versus.lost == (("b", 1),)
    assert [(each.name, each.difference) for each in versus.phenomena] == [("a", 50.0), ("b", -50.0)]


def test_a_run_against_itself_is_nothing_apart() -> None:
    one = scored("one", a="rwt" * 100, b="rr" * 100)
    gap = compare_runs(one, replace(one, name="two")).overall
    assert (gap.difference, gap.p_value, gap.gained, gap.lost) == (0, 1, 0, 0)
    # n = 4 / (1/300 + 1/200) = 480 pairs, none of which differs.
    assert (gap.low, gap.high) == (pytest.approx(-100 * Z / 482), pytest.approx(100 * Z / 482))


@given(st.lists(st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.5, 1.0]), min_size=1), min_size=1, max_size=5))
def test_interval_holds_the_difference_and_stays_in_range(gaps: list[list[float]]) -> None:
    low, high = difference_interval(gaps)
    mean = sum(sum(group) / len(group) for group in gaps) / len(gaps)
    assert -1 <= low <= mean + 1e-9 and mean - 1e-9 <= high <= 1 and low < high


def test_interval_of_many_pairs_is_that_of_a_mean() -> None:
    gaps = [1.0] * 300 + [-1.0] * 200 + [0.0] * 1500
    low, high = difference_interval([gaps])
    variance = (500 - 100**2 / 2000) / 1999
    assert high - low == pytest.approx(2 * Z * math.sqrt(variance / 2000), rel=0.01)
    assert (low + high) / 2 == pytest.approx(100 / 2000, rel=0.01)


@given(st.text("rwtu", min_size=1, max_size=12), st.text("rwtu", min_size=1, max_size=12))
def test_the_other_way_round_is_the_other_sign(first: str, second: str) -> None:
    one, other = scored("one", a=first, b="rw"), scored("two", a=second, b="rr")
    there, back = compare_runs(one, other), compare_runs(other, one)
    assert there.gained == back.lost and there.lost == back.gained
    gap, mirrored = there.overall, back.overall
    assert mirrored.difference == pytest.approx(-gap.difference)
    assert gap.low is not None and mirrored.high is not None and gap.p_value == mirrored.p_value
    assert mirrored.high == pytest.approx(-gap.low)


def test_ties_count_by_the_rule_of_each_run() -> None:
    one, other = scored("one", a="tr"), scored("two", header(ties="half"), a="tr")
    versus = compare_runs(one, other)
    assert (versus.overall.first, versus.overall.second) == (50.0, 75.0)
    assert versus.gained == (("a", 0),)
    assert versus.differs == ("ties: wrong and half",)


def test_only_pairs_that_both_have_scored() -> None:
    one, other = scored("one", a="ruwr"), scored("two", a="rrrrw")
    versus = compare_runs(one, other)
    assert (versus.overall.n, versus.unscored, versus.only_first, versus.only_second) == (3, 1, 0, 1)
    assert (versus.overall.first, versus.overall.second) == (pytest.approx(100 * 2 / 3), 100.0)
    nothing = compare_runs(scored("one", a="uu"), scored("two", a="rr")).overall
    assert (nothing.difference, nothing.reason) == (None, NO_COMMON_PAIR)


def test_single_pairs_have_an_interval() -> None:
    gap = compare_runs(scored("one", a="r", b="w"), scored("two", a="w", b="w")).overall
    # n = 4 / (1 + 1) = 2, D = -1/2, q = 1/2.
    half = 100 * Z * math.sqrt(((2 / 2 + 1) / 4 - (1 / 4) ** 2) / 4)
    assert (gap.difference, gap.high) == (-50.0, pytest.approx(-25 + half)) and gap.low == pytest.approx(-25 - half)


def test_runs_that_cannot_be_compared() -> None:
    with pytest.raises(InputError, match="no pair in common"):
        compare_runs(scored("one", a="r"), scored("two", b="r"))
    twice = Scored("two", None, (outcome("a", 0, "r"), outcome("a", 0, "w")))
    with pytest.raises(InputError, match="some pairs occur twice"):
        compare_runs(scored("one", a="r"), twice)


def test_settings_that_are_not_the_same_are_named() -> None:
    versus = compare_runs(scored("one", a="r"), scored("two", header(data="y", bos="none"), a="r"))
    assert versus.differs == ("data: x and y", "bos: not set and none")
    unknown = replace(scored("two", a="r"), header=None)
    assert "not known" in compare_runs(scored("one", a="r"), unknown).differs[0]


@pytest.mark.parametrize(
    ("gained", "lost", "p"), [(0, 0, 1), (1, 0, 1), (5, 0, 2 / 2**5), (1, 5, 2 * 7 / 2**6), (3, 3, 1)]
)
def test_exact_test(gained: int, lost: int, p: float) -> None:
    assert mcnemar(gained, lost) == mcnemar(lost, gained) == p


@given(st.integers(0, 400), st.integers(0, 400))
def test_exact_test_against_another_program(gained: int, lost: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    expected = stats.binomtest(gained, gained + lost).pvalue if gained + lost else 1.0
    assert mcnemar(gained, lost) == pytest.approx(expected, rel=1e-9)


def test_exact_test_of_many_pairs() -> None:
    assert 0 < mcnemar(15_000, 15_500) < 0.01
    assert mcnemar(0, 60_000) == 0.0  # below what a float can hold
