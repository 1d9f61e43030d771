"""SFI, PDI, MFS and MFS+ on numbers derived by hand, and against other ways to compute them."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dibimt_metric.errors import InputError
from dibimt_metric.records import Label, Outcome
from dibimt_metric.score import score
from dibimt_metric.score_bias import (
    Choices,
    IndexGroup,
    SenseChoice,
    choice_of,
    choices,
    groups,
    mfs,
    mfs_plus,
    pdi,
    sfi,
)
from dibimt_metric.score_measures import Measure

GOOD, BAD, MISS, UNK = Label.GOOD, Label.BAD, Label.MISS, Label.UNK
INDEX = st.none() | st.integers(1, 12)


def _outcome(label: Label, index: int | None, degree: int | None, chosen: int | None) -> Outcome:
    return Outcome("x", label, index, degree, chosen_frequency_index=chosen)


ANY = st.lists(st.builds(_outcome, st.sampled_from(Label), INDEX, INDEX, INDEX), max_size=40)


def _rows(*rows: tuple[int | None, int, int]) -> list[Outcome]:
    """Outcomes from (number, GOOD, BAD); the number is both the frequency index and the degree."""
    made = []
    for number, good, bad in rows:
        made += [Outcome("x", GOOD, number, number)] * good + [Outcome("x", BAD, number, number)] * bad
    return made


def _bad(right: int | None, *chosen: int | None) -> list[Outcome]:
    return [Outcome("x", BAD, right, chosen_frequency_index=index) for index in chosen]


@pytest.mark.parametrize("measure", [sfi, pdi])
@pytest.mark.parametrize(
    ("rows", "macro", "index"),
    [
        pytest.param([(1, 3, 1)], Fraction(3, 4), Fraction(3, 4), id="one group"),
        pytest.param(
            [(1, 9, 1), (10, 1, 3)],
            (Fraction(9, 10) + Fraction(1, 4)) / 2,
            Fraction(1 * 9 + 10 * 1, 1 * 10 + 10 * 4),
            id="a large frequent group and a small rare one",
        ),
        pytest.param(
            [(1, 2, 0), (2, 1, 1), (3, 0, 3)],
            (Fraction(2, 2) + Fraction(1, 2) + Fraction(0, 3)) / 3,
            Fraction(1 * 2 + 2 * 1 + 3 * 0, 1 * 2 + 2 * 2 + 3 * 3),
            id="three groups",
        ),
        pytest.param([(2, 1, 0), (None, 0, 5)], Fraction(1), Fraction(1), id="unknown is left out"),
        pytest.param([(4, 0, 2)], Fraction(0), Fraction(0), id="no GOOD is 0"),
    ],
)
def test_grouped(measure: object, rows: list[tuple[int | None, int, int]], macro: Fraction, index: Fraction) -> None:
    assert callable(measure)
    assert measure(_rows(*rows)).value == pytest.approx(float(100 * macro))
    assert measure(_rows(*rows), "index").value == pytest.approx(float(100 * index))


def test_sfi_and_pdi_group_by_their_own_number() -> None:
    data = [Outcome("a", GOOD, 1, 3), Outcome("b", GOOD, 1, 3), Outcome("c", BAD, 1, 7)]
    assert sfi(data).value == 100 * 2 / 3
    assert pdi(data).value == 100 * (2 / 2 + 0 / 1) / 2


@pytest.mark.parametrize("weighting", ["macro", "index"])
def test_group_of_miss_and_unk_is_reported_and_not_used(weighting: str) -> None:
    data = [*_rows((1, 1, 0)), Outcome("m", MISS, 5), Outcome("u", UNK, 9), Outcome("n", MISS)]
    assert sfi(data, weighting) == Measure(100.0, None, 1, groups_used=1, groups_total=3)


def test_no_group_is_used() -> None:
    reason = "no GOOD or BAD outcome"
    assert sfi([]) == Measure(None, reason, 0, 0, 0)
    assert sfi([Outcome("m", MISS, 5)]) == Measure(None, reason, 0, 0, 1)
    assert sfi([Outcome("g", GOOD)]) == Measure(None, f"{reason} has a known frequency index", 0, 0, 0)
    assert pdi([Outcome("g", GOOD)]) == Measure(None, f"{reason} has a known polysemy degree", 0, 0, 0)


def test_groups_ascend() -> None:
    data = [*_rows((10, 1, 0), (2, 0, 2)), Outcome("m", MISS, 3)]
    assert groups(data, "frequency_index") == (IndexGroup(2, 0, 2), IndexGroup(3, 0, 0), IndexGroup(10, 1, 0))


def test_left_out_counts_only_good_and_bad() -> None:
    data = [Outcome("a", GOOD), Outcome("b", BAD, 1), Outcome("c", MISS), Outcome("d", UNK)]
    assert score(data).sfi_left_out == 1
    assert score(data).pdi_left_out == 2


def test_unknown_weighting() -> None:
    with pytest.raises(InputError, match="weighting 'zipf' is unknown; choose one of 'macro', 'index'"):
        sfi([], "zipf")


@pytest.mark.parametrize(
    ("label", "right", "chosen", "expected"),
    [
        (BAD, 3, 1, SenseChoice.MOST_FREQUENT),
        (BAD, 3, 2, SenseChoice.MORE_FREQUENT),
        (BAD, 3, 4, SenseChoice.LESS_FREQUENT),
        (BAD, 1, 2, SenseChoice.LESS_FREQUENT),
        (BAD, 3, 3, SenseChoice.CONTRADICTORY),
        (BAD, 1, 1, SenseChoice.CONTRADICTORY),
        (BAD, None, 1, SenseChoice.UNKNOWN),
        (BAD, 3, None, SenseChoice.UNKNOWN),
        (GOOD, 3, 1, None),
        (MISS, 3, 1, None),
        (UNK, 3, 1, None),
    ],
)
def test_choice(label: Label, right: int | None, chosen: int | None, expected: SenseChoice | None) -> None:
    assert choice_of(Outcome("x", label, right, chosen_frequency_index=chosen)) is expected


@pytest.mark.parametrize(
    ("outcomes", "most", "more", "n"),
    [
        pytest.param(_bad(3, 1, 1, 2, 5), Fraction(2, 4), Fraction(3, 4), 4, id="all ranked"),
        pytest.param(_bad(3, 1, None, None), Fraction(1, 1), Fraction(1, 1), 1, id="chosen unknown"),
        pytest.param(_bad(3, 2) + _bad(None, 1), Fraction(0, 1), Fraction(1, 1), 1, id="right unknown"),
        pytest.param(_bad(1, 2, 3), Fraction(0, 2), Fraction(0, 2), 2, id="right one is most frequent"),
        pytest.param(_bad(3, 3, 1, 4), Fraction(1, 2), Fraction(1, 2), 2, id="contradictory is left out"),
        pytest.param(
            [*_bad(2, 1), Outcome("g", GOOD, 2, chosen_frequency_index=1), Outcome("m", MISS, 2)],
            Fraction(1, 1),
            Fraction(1, 1),
            1,
            id="only BAD counts",
        ),
    ],
)
def test_mfs(outcomes: list[Outcome], most: Fraction, more: Fraction, n: int) -> None:
    assert mfs(outcomes) == Measure(float(100 * most), None, n)
    assert mfs_plus(outcomes) == Measure(float(100 * more), None, n)


def test_mfs_undefined() -> None:
    no_choice = "no BAD outcome has known and different indices of the chosen and of the right sense"
    for measure in (mfs, mfs_plus):
        assert measure([Outcome("g", GOOD, 1)]) == Measure(None, "no BAD outcome", 0)
        assert measure(_bad(None, 1) + _bad(3, None, 3)) == Measure(None, no_choice, 0)


def test_choices_account_for_every_bad() -> None:
    data = _bad(4, 1, 1, 2, 6, 4, None) + _bad(None, 1)
    counted = choices(data)
    assert counted == Choices(most_frequent=2, more_frequent=3, entered=4, left_out=3, contradictory=1)
    assert counted.bad == len(data)


@given(ANY)
def test_mfs_is_at_most_mfs_plus(outcomes: list[Outcome]) -> None:
    most, more = mfs(outcomes), mfs_plus(outcomes)
    assert most.n == more.n
    assert (most.value is None) == (more.value is None)
    assert most.value is None or more.value is None or most.value <= more.value


@given(st.lists(st.tuples(st.integers(1, 12), st.integers(1, 12)).filter(lambda p: p[0] != p[1]), min_size=1))
def test_mfs_of_consistent_data_is_the_formula_of_the_paper(pairs: list[tuple[int, int]]) -> None:
    """Where every BAD has two ranks and they differ, the denominator is simply the number of BAD."""
    data = [Outcome("x", BAD, right, chosen_frequency_index=chosen) for right, chosen in pairs]
    assert mfs(data).value == 100 * sum(chosen == 1 for _, chosen in pairs) / len(pairs)
    assert mfs_plus(data).value == 100 * sum(chosen < right for right, chosen in pairs) / len(pairs)


@given(ANY)
def test_sfi_against_exact_arithmetic(outcomes: list[Outcome]) -> None:
    """Oracle: one pass with exact fractions, written without the package's groups."""
    cells: dict[int, list[int]] = defaultdict(list)
    for outcome in outcomes:
        if outcome.frequency_index and outcome.label in (GOOD, BAD):
            cells[outcome.frequency_index].append(outcome.label is GOOD)
    macro, index = sfi(outcomes).value, sfi(outcomes, "index").value
    if not cells:
        assert macro is None
        assert index is None
        return
    shares = [Fraction(sum(hits), len(hits)) for hits in cells.values()]
    weighted = [(mu * sum(hits), mu * len(hits)) for mu, hits in cells.items()]
    assert macro == pytest.approx(float(100 * sum(shares) / len(shares)))
    assert index == float(100 * Fraction(sum(a for a, _ in weighted), sum(b for _, b in weighted)))


@given(ANY, st.integers(1, 12))
def test_one_group_makes_all_weightings_the_accuracy(outcomes: list[Outcome], number: int) -> None:
    flat = [Outcome("x", outcome.label, number, number) for outcome in outcomes]
    scored = [outcome for outcome in flat if outcome.label in (GOOD, BAD)]
    if scored:
        share = 100 * sum(outcome.label is GOOD for outcome in scored) / len(scored)
        for weighting in ("macro", "index"):
            assert sfi(flat, weighting).value == pytest.approx(share)
            assert pdi(flat, weighting).value == pytest.approx(share)
