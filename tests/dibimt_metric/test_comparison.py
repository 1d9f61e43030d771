"""Comparing systems: alignment, the common subset, what was gained and lost."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dibimt_metric.errors import InputError
from dibimt_metric.records import Label, Outcome, PartOfSpeech
from dibimt_metric.score import score
from dibimt_metric.score_bootstrap import paired_bootstrap
from dibimt_metric.score_comparison import compare
from dibimt_metric.score_measures import BIAS_METRICS

LETTERS = {"G": Label.GOOD, "B": Label.BAD, "M": Label.MISS, "U": Label.UNK}
LABELS = st.lists(st.tuples(*[st.sampled_from("GBMU")] * 3), min_size=1, max_size=12)


def _system(labels: str) -> list[Outcome]:
    """One outcome for each letter; item ids are 0, 1, 2 ... and the frequency index is 1, 2, 3, 1, 2 ..."""
    made = []
    for number, letter in enumerate(labels):
        chosen = 4 if letter == "B" else None
        made.append(Outcome(str(number), LETTERS[letter], number % 3 + 1, 4, PartOfSpeech.NOUN, chosen))
    return made


# Item:                 0123456
A = _system("GBMGBUG")
B = _system("GGGBBGM")
# Both decide the items 0, 1, 3, 4. A is right on 0 and 3, B on 0 and 1: gained 1, lost 3.


def test_common_subset_and_scores() -> None:
    result = compare({"a": A, "b": B}, n_resamples=20)
    assert result.items == tuple("0123456")
    assert result.common == ("0", "1", "3", "4")
    a, b = result.system("a"), result.system("b")
    assert a.all_items.accuracy.value == 100 * 3 / 5
    assert a.all_items.coverage.value == 100 * 5 / 7
    assert b.all_items.accuracy.value == 100 * 4 / 6
    assert a.common.accuracy.value == 100 * 2 / 4
    assert b.common.accuracy.value == 100 * 2 / 4
    assert a.common.coverage.value == 100
    assert a.all_items == score(A)


def test_gained_and_lost() -> None:
    pair = compare({"a": A, "b": B}, n_resamples=20).pair("a", "b")
    assert (pair.gained, pair.lost) == (("1",), ("3",))
    change = pair.difference("accuracy")
    assert (change.first, change.second, change.difference, change.n) == (50.0, 50.0, 100 * (1 - 1) / 4, 4)


def test_differences_are_those_of_the_paired_bootstrap() -> None:
    pair = compare({"a": A, "b": B}, "index", n_resamples=30, seed=4, level=0.8).pair("a", "b")
    assert pair.differences == paired_bootstrap(A, B, "index", n_resamples=30, seed=4, level=0.8)
    assert tuple(each.metric for each in pair.differences) == BIAS_METRICS


def test_three_systems_share_one_subset() -> None:
    third = _system("BMGGGGG")
    result = compare({"a": A, "b": B, "c": third}, n_resamples=5)
    assert result.common == ("0", "3", "4")
    assert [(pair.first, pair.second) for pair in result.pairs] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert {change.n for pair in result.pairs for change in pair.differences} == {3}
    assert result.pair("a", "b").gained == ()  # item 1 is not common to all three


def test_order_of_items_changes_nothing() -> None:
    mixed = random.Random(1).sample(B, len(B))
    assert compare({"a": A, "b": mixed}, n_resamples=20) == compare({"a": A, "b": B}, n_resamples=20)


def test_nothing_in_common() -> None:
    result = compare({"a": _system("GM"), "b": _system("MB")}, n_resamples=5)
    assert result.common == ()
    assert result.system("a").common.accuracy.reason == "no GOOD or BAD outcome"
    change = result.pair("a", "b").difference("accuracy")
    assert (change.difference, change.p_value, change.n) == (None, None, 0)
    assert change.reason == "first system: no GOOD or BAD outcome"


def test_record_for_json() -> None:
    record = compare({"a": A, "b": B}, n_resamples=5, ties="strict").as_dict()
    assert json.loads(json.dumps(record)) == record
    assert (record["n"], record["n_common"]) == (7, 4)


def test_options_reach_the_scores() -> None:
    scores = compare({"a": A, "b": B}, "index", n_resamples=5, ties="strict").system("a").common
    assert (scores.weighting.value, scores.ties.value) == ("index", "strict")


def test_repeated_ids_are_named() -> None:
    with pytest.raises(InputError, match="system 'b' has more than one outcome for '0'; give one"):
        compare({"a": A, "b": [*B, B[0]]})


def test_missing_ids_are_named() -> None:
    with pytest.raises(InputError) as caught:
        compare({"a": A[1:], "b": [*B, Outcome("99", Label.GOOD)]})
    text = str(caught.value)
    assert "system 'a' lacks '0', '99'" in text
    assert "system 'b' lacks" not in text
    assert "Score all systems on the same item file" in text


def test_long_lists_of_ids_are_cut() -> None:
    with pytest.raises(InputError, match="system 'b' lacks '0', '1', '2', '3', '4' and 2 more"):
        compare({"a": A, "b": []})


@pytest.mark.parametrize(("field", "value"), [("frequency_index", 9), ("polysemy", None), ("pos", PartOfSpeech.VERB)])
def test_different_numbers_of_one_item_are_named(field: str, value: object) -> None:
    other = [replace(B[0], **{field: value}), *B[1:]]  # type: ignore[arg-type]
    with pytest.raises(InputError, match=f"item '0' has {field} .* in system 'a' and .* in system 'b'"):
        compare({"a": A, "b": other})


@pytest.mark.parametrize("systems", [{}, {"a": A}])
def test_one_system_is_not_a_comparison(systems: dict[str, list[Outcome]]) -> None:
    with pytest.raises(InputError, match="needs at least two systems, not"):
        compare(systems)


def test_unknown_names() -> None:
    result = compare({"a": A, "b": B}, n_resamples=1)
    with pytest.raises(InputError, match="no system 'c'; the systems are 'a', 'b'"):
        result.system("c")
    with pytest.raises(InputError, match="no pair 'b'/'a'; the pairs are a/b"):
        result.pair("b", "a")
    with pytest.raises(InputError, match="metric 'f1' is unknown"):
        result.pair("a", "b").difference("f1")


@settings(max_examples=50, deadline=None)
@given(LABELS)
def test_gain_and_loss_explain_the_difference(rows: list[tuple[str, str, str]]) -> None:
    systems = {name: _system("".join(row[k] for row in rows)) for k, name in enumerate("abc")}
    result = compare(systems, n_resamples=2)
    assert result.common == tuple(sorted(str(number) for number, row in enumerate(rows) if set(row) <= {"G", "B"}))
    for pair in result.pairs:
        change = pair.difference("accuracy").difference
        if not result.common:
            assert change is None
            continue
        expected = 100 * (len(pair.gained) - len(pair.lost)) / len(result.common)
        assert change == pytest.approx(expected, abs=1e-9)
