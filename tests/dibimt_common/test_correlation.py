"""Correlation: by hand, against scipy, undefined cases."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dibimt_common.correlation import Correlation, correlation
from dibimt_metric.errors import InputError

PAIRS = st.lists(st.tuples(st.integers(0, 6), st.floats(-50, 50)), min_size=3, max_size=12)


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ((9.0, 8.0, 7.0, 6.0), -1.0),
        ((6.0, 7.0, 8.0, 9.0), 1.0),
        # Ranks 4 3 1 2 of 1 2 3 4: d = 3, 1, 2, 2; 1 - 6 * 18 / (4 * 15). Below d = 1, 1, 1, 1.
        ((9.0, 8.0, 6.0, 7.0), 1 - 6 * 18 / 60),
        ((7.0, 6.0, 9.0, 8.0), 1 - 6 * 4 / 60),
    ],
)
def test_by_hand(scores: tuple[float, ...], expected: float) -> None:
    found = correlation((0, 1, 2, 3), scores)
    assert (found.points, found.reason) == (4, None)
    assert found.spearman == pytest.approx(expected, abs=1e-15)


def test_equal_values_share_their_ranks() -> None:
    # Ranks 4, 2.5, 2.5, 1 against 1, 2, 3, 4, centered: -1.5 -.5 .5 1.5 and 1.5 0 0 -1.5.
    found = correlation((0, 1, 2, 3), (9.0, 7.5, 7.5, 5.3))
    assert found.spearman == pytest.approx(-4.5 / math.sqrt(5 * 4.5), abs=1e-15)


@pytest.mark.parametrize("n", range(3))
def test_fewer_than_three_points(n: int) -> None:
    assert correlation(range(n), range(n)) == Correlation(None, None, n, "fewer than 3 points")


def test_equal_values_only() -> None:
    undefined = Correlation(None, None, 3, "all values of one side are equal")
    assert correlation((0, 1, 2), (5.0, 5.0, 5.0)) == undefined
    assert correlation((2, 2, 2), (5.0, 6.0, 7.0)) == undefined


def test_pairs_are_needed() -> None:
    with pytest.raises(InputError, match="3 and 2 values"):
        correlation((0, 1, 2), (5.0, 6.0))


@given(PAIRS)
def test_equals_scipy(pairs: list[tuple[int, float]]) -> None:
    stats = pytest.importorskip("scipy.stats")
    first, second = zip(*pairs, strict=True)
    found = correlation(first, second)
    if len(set(first)) == 1 or len(set(second)) == 1:
        assert (found.spearman, found.reason) == (None, "all values of one side are equal")
    else:
        assert found.spearman == pytest.approx(float(stats.spearmanr(first, second).statistic), abs=1e-12)


def test_tiny_values_count() -> None:
    assert correlation((0, 0, 1), (0.0, 0.0, 1e-300)).pearson == pytest.approx(1.0, abs=1e-15)


@given(PAIRS)
def test_sign_follows_direction(pairs: list[tuple[int, float]]) -> None:
    first, second = zip(*pairs, strict=True)
    forward = correlation(first, second).spearman
    backward = correlation(first, [-value for value in second]).spearman
    assert (forward is None) == (backward is None)
    if forward is not None and backward is not None:
        assert forward == pytest.approx(-backward, abs=1e-15)
        assert -1.0 <= forward <= 1.0
