"""The length-matched random control: who can be drawn, how often, and what the samples say."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ldd_challenge_sets.scoring.draws import LengthPool, compare_with_control

LENGTHS = st.lists(st.integers(1, 12), min_size=1, max_size=30)


def candidates(lengths: list[int], member: int) -> set[int]:
    """Oracle: every other sentence whose length differs by at most one token."""
    return {other for other, length in enumerate(lengths) if other != member and abs(length - lengths[member]) <= 1}


@given(lengths=LENGTHS, data=st.data(), seed=st.integers(0, 3))
def test_draws_match_the_length_and_are_other_sentences(lengths: list[int], data: st.DataObject, seed: int) -> None:
    members = data.draw(st.lists(st.integers(0, len(lengths) - 1), max_size=20))
    pool = LengthPool(lengths)
    matched = [member for member in members if candidates(lengths, member)]
    assert pool.unmatched(members) == len(members) - len(matched)
    draws = list(pool.draws(members, 3, seed))
    assert len(draws) == 3
    for draw in draws:
        for member, drawn in zip(matched, draw.tolist(), strict=True):
            assert drawn in candidates(lengths, member)


def test_every_candidate_is_drawn_equally_often() -> None:
    # Sentence 2 (5 tokens) matches 0, 1, 3 and 5, and neither itself nor 4.
    pool = LengthPool([4, 5, 5, 6, 7, 6])
    counts = Counter(int(draw[0]) for draw in pool.draws([2], 4000, seed=0))
    assert set(counts) == {0, 1, 3, 5}
    # Binomial(4000, 1/4): mean 1000, standard deviation sqrt(4000 * 3/16) = 27.4; five of them.
    assert all(abs(count - 1000) < 5 * 27.4 for count in counts.values())


def test_sentences_are_drawn_one_by_one_and_may_repeat() -> None:
    pool = LengthPool([3, 3, 3])
    draws = [draw.tolist() for draw in pool.draws([0, 1], 200, seed=0)]
    # 0 draws 1 or 2, and 1 draws 0 or 2: all four, among them 2 twice.
    assert {tuple(draw) for draw in draws} == {(1, 0), (1, 2), (2, 0), (2, 2)}


def test_sentence_without_another_of_its_length() -> None:
    pool = LengthPool([3, 4, 20])
    assert pool.unmatched([0, 2]) == 1
    assert [draw.tolist() for draw in pool.draws([0, 2], 2, seed=0)] == [[1], [1]]


def test_same_seed_same_draws() -> None:
    pool = LengthPool([5] * 50)
    first, again, other = ([draw.tolist() for draw in pool.draws(range(10), 5, seed)] for seed in (0, 0, 1))
    assert first == again != other


def test_summary_by_hand() -> None:
    control = compare_with_control("bleu", 20.0, np.array([18.0, 20.0, 22.0, 24.0, 26.0]), 2, level=0.5)
    assert (control.metric, control.samples, control.unmatched, control.reason) == ("bleu", 5, 2, None)
    assert (control.mean, control.low, control.high) == (110 / 5, 20.0, 24.0)
    assert control.better == 3 / 5  # 20 is not above 20


def test_rounding_does_not_count_as_better() -> None:
    assert compare_with_control("ribes", 0.3, np.array([0.1 + 0.2]), 0).better == 0.0


def test_nothing_drawn() -> None:
    control = compare_with_control("bleu", 20.0, np.zeros(0), unmatched=4)
    assert (control.samples, control.mean, control.low, control.high, control.better) == (0, *[None] * 4)
    assert control.unmatched == 4
    assert control.reason == "the corpus has no other sentence of this length"


def test_types_are_plain() -> None:
    control = compare_with_control("bleu", 1.0, np.array([2.0]), LengthPool([1]).unmatched([0]))
    assert [type(each) for each in (control.mean, control.low, control.better, control.unmatched)] == [
        float, float, float, int,
    ]  # fmt: skip
    assert control.better == pytest.approx(1.0)
