"""Bins and settings: fixed tables, and every value that cannot be used."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dibimt_metric.errors import InputError
from ldd_challenge_sets.scoring.settings import (
    ALL,
    LEXICAL,
    PAPER,
    REORDERING,
    UNDIVIDED,
    Bins,
    Preset,
    Settings,
    bins_for,
    is_inside,
)


def names(distance: int | None, bins: Bins) -> list[str]:
    return [bin.name for group in bins for bin in group if is_inside(distance, bin)]


@pytest.mark.parametrize(
    ("bins", "distance", "expected"),
    [
        (LEXICAL, 0, ["All", "=0"]),
        (LEXICAL, 1, ["All", ">=1", "=1"]),
        (LEXICAL, 3, ["All", ">=1", ">=2", ">=3", "=3"]),
        (LEXICAL, 40, ["All", ">=1", ">=2", ">=3", ">=4"]),
        (LEXICAL, None, ["All"]),
        (REORDERING, 5, ["All", "<=7"]),
        (REORDERING, 3, ["All", "<=7"]),  # a set made with a smaller minimum loses nothing
        (REORDERING, 8, ["All", ">=8", "8-11"]),
        (REORDERING, 15, ["All", ">=8", ">=12", "12-15"]),
        (REORDERING, 16, ["All", ">=8", ">=12", ">=16", ">=16"]),
        (UNDIVIDED, None, ["All"]),
    ],
)
def test_bins_of_a_distance(bins: Bins, distance: int | None, expected: list[str]) -> None:
    assert names(distance, bins) == expected


@pytest.mark.parametrize("bins", [LEXICAL, REORDERING])
@given(distance=st.integers(0, 60))
def test_minimum_bins_are_nested_and_exact_ones_divide(bins: Bins, distance: int) -> None:
    inside = [is_inside(distance, bin) for bin in bins.minimum]
    assert inside == sorted(inside, reverse=True)
    assert inside[0]
    assert sum(is_inside(distance, bin) for bin in bins.exact) == 1


@pytest.mark.parametrize("bins", [LEXICAL, REORDERING])
def test_names_say_what_the_bin_holds(bins: Bins) -> None:
    for bin in {*bins.minimum, *bins.exact} - {ALL}:
        low, high = bin.minimum, bin.maximum
        allowed = {f">={low}" if high is None else f"={low}" if low == high else f"{low}-{high}"}
        assert bin.name in allowed | ({f"<={high}"} if low == 0 else set())


@pytest.mark.parametrize(
    ("phenomenon", "bins"),
    [
        ("particle", LEXICAL),
        ("preposition_stranding_extended", LEXICAL),
        ("a_phenomenon_of_ones_own", LEXICAL),
        ("reordering", REORDERING),
        ("reordering_normalized", REORDERING),
        ("reordering_crossing", REORDERING),
    ],
)
def test_bins_of_a_phenomenon(phenomenon: str, bins: Bins) -> None:
    assert bins_for(phenomenon) is bins


# Settings


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("metrics", (), "metrics is"),
        ("metrics", ["bleu"], "tuple"),
        ("metrics", ("bleu", "bleu"), "different names"),
        ("metrics", ("comet",), "'comet' is unknown; choose among bleu, chrf"),
        ("metrics", (3,), "3 is unknown"),
        ("preset", "moses", "preset 'moses' is unknown"),
        ("tokenize", "flores200", "'flores200' is unknown"),
        ("n_resamples", -1, "n_resamples is -1"),
        ("n_resamples", 10.0, "an integer"),
        ("seed", True, "seed is True"),
        ("control", "100", "control is '100'"),
        ("small", None, "small is None"),
        ("level", 1, "level is 1"),
        ("level", 0.0, "between 0 and 1"),
        ("level", float("nan"), "level is nan"),
    ],
)
def test_settings_that_cannot_be_used(name: str, value: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Settings(**{name: value})


def test_tokenized_text_takes_no_tokenizer() -> None:
    with pytest.raises(InputError, match="omit the tokenizer"):
        Settings(preset="multi-bleu", tokenize="13a")
    assert Settings(preset="multi-bleu", tokenize="none").tokenizer("zh") == "none"


def test_tokenizer() -> None:
    assert [Settings().tokenizer(code) for code in ("de", "zh", "ja", "ko")] == [
        "13a",
        "zh",
        "ja-mecab",
        "ko-mecab",
    ]
    assert Settings(tokenize="char").tokenizer("zh") == "char"
    assert Settings(preset=Preset.MULTI_BLEU).tokenizer("zh") == "none"


def test_settings_of_the_paper() -> None:
    assert (PAPER.metrics, PAPER.preset, PAPER.control) == (("bleu", "ribes"), Preset.MULTI_BLEU, 100)
