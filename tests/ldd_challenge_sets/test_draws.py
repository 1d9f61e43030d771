"""Resampling: against a plain loop, in blocks, intervals and p-values by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dibimt_metric.score_bootstrap import p_value, percentile_interval, resample_indices
from ldd_challenge_sets.scoring import draws
from ldd_challenge_sets.scoring.draws import add_draws, resample_totals

if TYPE_CHECKING:
    from dibimt_metric.score_bootstrap import Floats

ROWS = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), min_size=1, max_size=12)


@given(rows=ROWS, n_resamples=st.integers(0, 20), seed=st.integers(0, 5))
def test_equals_a_plain_loop(rows: list[tuple[int, int]], n_resamples: int, seed: int) -> None:
    first = np.array(rows, dtype=np.float64)
    second = first[::-1] * 3
    totals = resample_totals([first, second], n_resamples, seed)
    for array, found in zip((first, second), totals, strict=True):
        expected = [array[draw].sum(axis=0) for draw in resample_indices(len(rows), n_resamples, seed)]
        assert found.tolist() == [each.tolist() for each in expected]  # counts: exactly


@pytest.mark.parametrize("block", [1, 7, 8, 50])
def test_blocks_change_nothing(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rows: Floats = np.arange(24, dtype=np.float64).reshape(8, 3)
    expected = resample_totals([rows], 10, seed=3)[0].tolist()
    monkeypatch.setattr(draws, "BLOCK", block)
    assert resample_totals([rows], 10, seed=3)[0].tolist() == expected


def test_draws_may_be_shorter_than_the_rows_and_repeat() -> None:
    rows = np.array([[1.0], [10.0], [100.0]])
    draws = [np.array([2, 2]), np.array([0]), np.array([], dtype=np.int64)]
    assert add_draws(draws, 3, [rows])[0].tolist() == [[200.0], [1.0], [0.0]]


def test_no_segment() -> None:
    assert resample_totals([np.zeros((0, 3))], 10, seed=0)[0].shape == (0, 3)


def test_seed_zero_is_a_seed() -> None:
    rows: Floats = np.arange(10, dtype=np.float64)[:, None]
    once, again, other = (resample_totals([rows], 50, seed)[0].tolist() for seed in (0, 0, 1))
    assert once == again != other


def test_interval_by_hand() -> None:
    assert percentile_interval(np.array([4.0, 1.0, 3.0, 2.0, 5.0]), 0.5) == (2.0, 4.0)
    assert percentile_interval(np.array([7.0]), 0.95) == (7.0, 7.0)
    assert percentile_interval(np.zeros(0), 0.95) == (None, None)


def test_p_value_by_hand() -> None:
    # d = 2; the d_b moved to 0 are -3, -2, 0, 1: two are as far from 0.
    assert p_value(np.array([-1.0, 0.0, 2.0, 3.0]), 2.0) == (2 + 1) / (4 + 1)


def test_p_value_has_two_sides() -> None:
    sample = np.array([-1.0, 0.0, 2.0, 3.0])
    assert p_value(-sample, -2.0) == p_value(sample, 2.0)


def test_p_value_is_never_zero_and_one_without_difference() -> None:
    assert p_value(np.full(999, 5.0), 5.0) == 1 / 1000
    assert p_value(np.zeros(999), 0.0) == 1.0
    assert p_value(np.zeros(0), 1.0) is None


def test_p_value_forgives_rounding() -> None:
    assert p_value(np.array([0.0]), 0.1 + 0.2) == 1.0
    assert p_value(np.array([0.6]), 0.1 + 0.2) == 1.0
