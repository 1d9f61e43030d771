"""Accuracy by bins: borders, unknown numbers, and nothing dropped."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from statistics import fmean
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dibimt_metric.errors import InputError
from dibimt_metric.records import Label, Outcome, PartOfSpeech
from dibimt_metric.score import Counts, count
from dibimt_metric.score_bias import pdi, sfi
from dibimt_metric.score_breakdown import (
    FREQUENCY_BINS,
    POLYSEMY_BINS,
    UNKNOWN,
    Bin,
    Cell,
    by_frequency_index,
    by_frequency_value,
    by_polysemy,
    by_polysemy_value,
    by_pos,
)

Breakdown = Callable[[Iterable[Outcome]], tuple[Cell, ...]]

INDEX = st.none() | st.integers(1, 60)
OUTCOMES = st.lists(
    st.builds(
        Outcome,
        item_id=st.just("x"),
        label=st.sampled_from(Label),
        frequency_index=INDEX,
        polysemy=INDEX,
        pos=st.none() | st.sampled_from(PartOfSpeech),
    ),
    max_size=40,
)
ALL: list[Breakdown] = [by_frequency_index, by_polysemy, by_pos, by_frequency_value, by_polysemy_value]


def _filled(cells: Iterable[Cell]) -> dict[str, int]:
    return {cell.name: cell.counts.n for cell in cells if cell.counts.n}


@pytest.mark.parametrize(
    ("index", "name"),
    [
        (1, "<2"), (2, "2"), (3, "3"), (4, "4-5"), (5, "4-5"), (6, "6-7"), (7, "6-7"), (8, "8-9"), (9, "8-9"),
        (10, ">9"), (41, ">9"), (None, "unknown"),
    ],
)  # fmt: skip
def test_frequency_bin(index: int | None, name: str) -> None:
    assert _filled(by_frequency_index([Outcome("x", Label.GOOD, index)])) == {name: 1}


@pytest.mark.parametrize(
    ("degree", "name"),
    [
        (1, "<6"), (5, "<6"), (6, "6-7"), (7, "6-7"), (8, "8-9"), (9, "8-9"), (10, "10-11"), (11, "10-11"),
        (12, "12-13"), (13, "12-13"), (14, ">=14"), (59, ">=14"), (None, "unknown"),
    ],
)  # fmt: skip
def test_polysemy_bin(degree: int | None, name: str) -> None:
    assert _filled(by_polysemy([Outcome("x", Label.GOOD, polysemy=degree)])) == {name: 1}


def test_names_in_order() -> None:
    assert [cell.name for cell in by_frequency_index([])] == [*(b.name for b in FREQUENCY_BINS), UNKNOWN]
    assert [cell.name for cell in by_polysemy([])] == ["<6", "6-7", "8-9", "10-11", "12-13", ">=14", UNKNOWN]
    assert [cell.name for cell in by_pos([])] == ["n", "a", "v", "r", UNKNOWN]


def test_only_outer_borders_are_the_papers() -> None:
    assert [each.name for each in FREQUENCY_BINS if each.from_paper] == ["<2", ">9"]
    assert [each.name for each in POLYSEMY_BINS if each.from_paper] == ["<6", ">=14"]


@pytest.mark.parametrize("bins", [FREQUENCY_BINS, POLYSEMY_BINS])
def test_bins_cover_every_number_once(bins: tuple[Bin, ...]) -> None:
    assert [sum(number in each for each in bins) for number in range(1, 100)] == [1] * 99


def test_accuracy_and_coverage_of_a_cell() -> None:
    data = [Outcome("x", label, 4) for label in (Label.GOOD, Label.GOOD, Label.BAD, Label.MISS, Label.UNK)]
    (cell,) = (each for each in by_frequency_index(data) if each.counts.n)
    assert cell.counts == Counts(2, 1, 1, 1)
    assert cell.accuracy.value == 100 * 2 / 3
    assert cell.coverage.value == 100 * 3 / 5
    assert cell.as_dict() == {
        "bin": "4-5", "n": 5, "good": 2, "bad": 1, "miss": 1, "unk": 1,
        "accuracy": 100 * 2 / 3, "coverage": 100 * 3 / 5,
    }  # fmt: skip


def test_empty_bin_is_undefined() -> None:
    cell = by_frequency_index([])[0]
    assert (cell.accuracy.value, cell.accuracy.reason) == (None, "no GOOD or BAD outcome")
    assert (cell.coverage.value, cell.coverage.reason) == (None, "no outcome at all")
    missed = by_frequency_index([Outcome("x", Label.MISS, 1)])[0]
    assert (missed.accuracy.value, missed.coverage.value) == (None, 0.0)


def test_values_ascend_as_numbers() -> None:
    data = [Outcome("x", Label.GOOD, index) for index in (10, 2, 1, None)]
    assert [cell.name for cell in by_frequency_value(data)] == ["1", "2", "10", UNKNOWN]


def test_pos_cells() -> None:
    data = [Outcome("x", Label.GOOD, pos=PartOfSpeech.NOUN), Outcome("y", Label.BAD)]
    assert _filled(by_pos(data)) == {"n": 1, UNKNOWN: 1}


def test_unknown_pos_letter_is_an_error() -> None:
    with pytest.raises(InputError, match="item 'x': part of speech 's' is unknown"):
        by_pos([Outcome("x", Label.GOOD, pos=cast(PartOfSpeech, "s"))])


def test_bins_with_a_gap_are_an_error() -> None:
    with pytest.raises(InputError, match="5 is in none of the bins"):
        by_frequency_index([Outcome("x", Label.GOOD, 5)], bins=FREQUENCY_BINS[:2])


@given(OUTCOMES)
@pytest.mark.parametrize("breakdown", ALL)
def test_nothing_is_dropped(breakdown: Breakdown, outcomes: list[Outcome]) -> None:
    cells = breakdown(outcomes)
    assert sum((cell.counts for cell in cells), Counts()) == count(outcomes)
    assert cells[-1].name == UNKNOWN


@given(OUTCOMES)
def test_mean_of_value_cells_is_sfi_and_pdi(outcomes: list[Outcome]) -> None:
    for cells, measure in ((by_frequency_value(outcomes), sfi), (by_polysemy_value(outcomes), pdi)):
        values = [cell.accuracy.value for cell in cells[:-1] if cell.accuracy.value is not None]
        assert measure(outcomes).value == (pytest.approx(fmean(values)) if values else None)
