"""Both correlations: undefined cases, and scipy's numbers for random values with ties."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dibimt_common.correlation import correlation
from dibimt_metric.errors import InputError


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        ([], [], "fewer than 3 points"),
        ([1.0, 2.0], [2.0, 1.0], "fewer than 3 points"),
        ([1.0, 1.0, 1.0], [1.0, 2.0, 3.0], "all values of one side are equal"),
        ([1.0, 2.0, 3.0], [0.1, 0.1, 0.1], "all values of one side are equal"),
    ],
)
def test_undefined_correlations(first: list[float], second: list[float], reason: str) -> None:
    found = correlation(first, second)
    assert (found.pearson, found.spearman, found.points, found.reason) == (None, None, len(first), reason)


def test_pairs_are_needed() -> None:
    with pytest.raises(InputError, match="3 and 2 values"):
        correlation([1.0, 2.0, 3.0], [1.0, 2.0])


VALUES = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 100)), min_size=3, max_size=12)


@given(VALUES)
def test_correlations_equal_scipy_s(pairs: list[tuple[int, int]]) -> None:
    stats = pytest.importorskip("scipy.stats")
    first, second = (list(map(float, side)) for side in zip(*pairs, strict=True))
    found = correlation(first, second)
    if found.reason is None:
        assert found.pearson == pytest.approx(stats.pearsonr(first, second).statistic, abs=1e-12)
        assert found.spearman == pytest.approx(stats.spearmanr(first, second).statistic, abs=1e-12)
    else:
        assert len(set(first)) == 1 or len(set(second)) == 1
