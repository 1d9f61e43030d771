"""Samples stratified by paradigm, and the fingerprint of a data set."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dibimt_metric.errors import InputError
from minimal_pairs.records import Pair
from minimal_pairs.scoring.sampling import fingerprint, sample_each, sample_pairs


def made(**sizes: int) -> list[Pair]:
    return [
        Pair(f"{name} {number} good", f"{name} {number} bad", name, str(number), number, name)
        for name, size in sizes.items()
        for number in range(size)
    ]


def sizes(pairs: tuple[Pair, ...]) -> dict[str, int]:
    return dict(Counter(pair.paradigm for pair in pairs))


PAIRS = made(a=20, b=20, c=20)


def test_spread_evenly() -> None:
    sample = sample_pairs(PAIRS, 12)
    assert sizes(sample.pairs) == {"a": 4, "b": 4, "c": 4}
    assert (sample.wanted, sample.short, sample.left_out, sample.name) == (12, (), (), "12,seed=0")


def test_the_remainder_goes_to_paradigms_drawn_by_the_seed() -> None:
    lucky = Counter()
    for seed in range(60):
        found = sizes(sample_pairs(PAIRS, 13, seed).pairs)
        assert sorted(found.values()) == [4, 4, 5]
        lucky.update(name for name, size in found.items() if size == 5)
    assert set(lucky) == {"a", "b", "c"}
    assert min(lucky.values()) >= 10  # of 20 expected; below that has a probability under 0.002


def test_fewer_pairs_than_wanted_are_all_taken_and_named() -> None:
    sample = sample_pairs(made(a=20, b=2), 10)
    assert sizes(sample.pairs) == {"a": 5, "b": 2}  # what b lacks is not taken from a
    assert sample.short == (("b", 2),)
    assert sample.name == "7/10,seed=0"


def test_fewer_pairs_than_paradigms() -> None:
    sample = sample_pairs(PAIRS, 2, seed=5)
    assert len(sample.pairs) == 2
    assert {pair.paradigm for pair in sample.pairs} | set(sample.left_out) == {"a", "b", "c"}
    assert len(sample.left_out) == 1


def test_no_pairs() -> None:
    assert sample_pairs([], 5).pairs == ()


def test_pairs_are_whole_and_none_is_drawn_twice() -> None:
    sample = sample_pairs(PAIRS, 30, seed=1)
    assert len(set(sample.pairs)) == 30
    assert set(sample.pairs) <= set(PAIRS)
    assert all(pair.sentence_good.replace("good", "bad") == pair.sentence_bad for pair in sample.pairs)


def test_seeds_differ_and_zero_is_one_of_them() -> None:
    draws = {sample_pairs(PAIRS, 12, seed).pairs for seed in range(5)}
    assert len(draws) == 5
    assert sample_pairs(PAIRS, 12).pairs == sample_pairs(PAIRS, 12, 0).pairs


@given(st.integers(1, 60), st.integers(0, 3), st.randoms(use_true_random=False))
def test_the_order_of_the_input_changes_nothing(n: int, seed: int, source: random.Random) -> None:
    shuffled = PAIRS.copy()
    source.shuffle(shuffled)
    assert sample_pairs(shuffled, n, seed) == sample_pairs(PAIRS, n, seed)


def test_other_paradigms_change_nothing() -> None:
    alone = sample_each(made(b=20), 6, seed=3).pairs
    among = sample_each(PAIRS, 6, seed=3).pairs
    assert alone == tuple(pair for pair in among if pair.paradigm == "b")


def test_a_larger_sample_holds_the_smaller_one() -> None:
    small, large = (set(sample_each(PAIRS, size, seed=2).pairs) for size in (4, 9))
    assert small < large


def test_paradigms_are_drawn_apart() -> None:
    numbers: dict[str, list[int]] = {}
    for pair in sample_each(PAIRS, 5).pairs:
        numbers.setdefault(pair.paradigm, []).append(pair.pair_id)
    # The same numbers everywhere would tie paradigms together that were generated alike.
    assert len({tuple(each) for each in numbers.values()}) == 3


def test_every_pair_can_be_drawn() -> None:
    seen = {pair.pair_id for seed in range(40) for pair in sample_each(made(a=20), 3, seed).pairs}
    assert seen == set(range(20))


@pytest.mark.parametrize("n", [0, -1, 2.5, True, "7"])
def test_bad_numbers(n: object) -> None:
    with pytest.raises(InputError, match="expected an integer of at least 1"):
        sample_pairs(PAIRS, n)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="per_paradigm is"):
        sample_each(PAIRS, n)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", [-1, None, 0.5])
def test_bad_seeds(seed: object) -> None:
    with pytest.raises(InputError, match="seed is .*; expected an integer of at least 0"):
        sample_pairs(PAIRS, 5, seed)  # type: ignore[arg-type]


# Fingerprint


def test_fingerprint_follows_pairs_and_not_their_order() -> None:
    digest = fingerprint(PAIRS)
    assert len(digest) == 12
    assert fingerprint(reversed(PAIRS)) == digest
    assert fingerprint(PAIRS[1:]) != digest
    assert fingerprint([*PAIRS, PAIRS[0]]) != digest


@pytest.mark.parametrize(
    "change",
    [
        {"sentence_bad": "x"},
        {"pair_id": 99},
        {"field": "syntax"},
        {"two_prefix_word": "x"},
        {"issues": ("typo",)},
    ],
)
def test_fingerprint_sees_every_field(change: dict[str, object]) -> None:
    assert fingerprint([replace(PAIRS[0], **change), *PAIRS[1:]]) != fingerprint(PAIRS)  # type: ignore[arg-type]
