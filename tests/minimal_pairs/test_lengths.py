"""Accuracy apart by which sentence is longer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minimal_pairs.scoring.accuracies import LENGTH_GROUPS, length_groups
from minimal_pairs.scoring.averages import Ties
from minimal_pairs.scoring.results import Decision, PairOutcome

RIGHT, WRONG, TIE, UNSCORED = Decision.RIGHT, Decision.WRONG, Decision.TIE, Decision.UNSCORED


def outcome(
    decision: Decision, words: tuple[int, int], tokens: tuple[int, int] = (5, 5), paradigm: str = "a"
) -> PairOutcome:
    return PairOutcome(paradigm, 0, None, None, -1.0, -2.0, decision, *tokens, *words)


OUTCOMES = (
    outcome(RIGHT, (4, 4), (5, 6)),
    outcome(WRONG, (4, 4), (6, 5), "b"),
    outcome(RIGHT, (3, 4), (6, 5)),
    outcome(RIGHT, (2, 4), (5, 5)),
    outcome(TIE, (3, 4), (5, 5), "c"),
    outcome(WRONG, (5, 4), (9, 1)),
    outcome(UNSCORED, (5, 4), (0, 8)),
)


def test_names_stand_in_a_fixed_order() -> None:
    assert LENGTH_GROUPS == (
        "equal words", "good shorter in words", "good longer in words",
        "equal tokens", "good shorter in tokens", "good longer in tokens",
    )  # fmt: skip
    assert tuple(group.name for group in length_groups(OUTCOMES)) == LENGTH_GROUPS
    assert tuple(group.name for group in length_groups(reversed(OUTCOMES))) == LENGTH_GROUPS


def test_by_hand() -> None:
    values = {group.name: (group.accuracy.value, group.accuracy.n) for group in length_groups(OUTCOMES)}
    assert values == {
        "equal words": (100 * 1 / 2, 2),
        "good shorter in words": (100 * 2 / 3, 3),
        "good longer in words": (0.0, 1),
        "equal tokens": (100 * 1 / 2, 2),
        "good shorter in tokens": (100.0, 1),
        "good longer in tokens": (100 * 1 / 3, 3),
    }


def test_ties_count_by_the_rule() -> None:
    shorter = length_groups(OUTCOMES, Ties.HALF)[1].accuracy
    assert (shorter.value, shorter.ties) == (pytest.approx(100 * 2.5 / 3), 1)


def test_paradigms_of_a_group_are_counted() -> None:
    assert [group.paradigms for group in length_groups(OUTCOMES)[:3]] == [2, 2, 1]


def test_a_pair_without_score_has_words_but_no_tokens() -> None:
    groups = {group.name: group.accuracy for group in length_groups(OUTCOMES)}
    assert groups["good longer in words"].unscored == 1
    assert sum(groups[name].unscored for name in LENGTH_GROUPS[3:]) == 0


def test_an_empty_group_is_there_and_undefined() -> None:
    groups = length_groups([outcome(RIGHT, (4, 4))])
    longer = next(group.accuracy for group in groups if group.name == "good longer in words")
    assert (longer.value, longer.low, longer.high, longer.n) == (None, None, None, 0)
    assert longer.reason == "no pair with a score"


WORDS = st.tuples(st.integers(1, 4), st.integers(1, 4))


@given(st.lists(st.builds(outcome, st.sampled_from([RIGHT, WRONG, TIE]), WORDS, WORDS)))
def test_each_measure_divides_the_pairs(outcomes: list[PairOutcome]) -> None:
    groups = length_groups(outcomes)
    for part in (groups[:3], groups[3:]):
        assert sum(group.accuracy.n for group in part) == len(outcomes)
        assert sum(group.accuracy.right for group in part) == sum(o.decision is RIGHT for o in outcomes)


def test_word_counts_of_the_released_data(test_data: Path) -> None:
    path = test_data / "blimp" / "animate_subject_trans.jsonl"
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    words = [(len(row["sentence_good"].split()), len(row["sentence_bad"].split())) for row in lines]
    groups = length_groups(outcome(RIGHT, pair) for pair in words)
    assert [group.accuracy.n for group in groups[:3]] == [1000 - 785 - 22, 785, 22]
