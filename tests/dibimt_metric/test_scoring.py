"""Counts, the four shares of labels, the flat record, and the mean over languages."""

from __future__ import annotations

import json
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dibimt_metric.errors import InputError
from dibimt_metric.records import Label, Outcome
from dibimt_metric.score import (
    METRICS,
    Counts,
    accuracy,
    count,
    coverage,
    mean_over_languages,
    miss_rate,
    score,
    unk_rate,
)
from dibimt_metric.score_measures import Measure, percentage

INDEX = st.none() | st.integers(1, 20)
OUTCOMES = st.lists(
    st.builds(
        Outcome,
        item_id=st.text(max_size=3),
        label=st.sampled_from(Label),
        frequency_index=INDEX,
        polysemy=INDEX,
        chosen_frequency_index=INDEX,
    ),
    max_size=30,
)

FIRST_KEYS = "n good bad miss unk accuracy sfi pdi mfs mfs_plus coverage".split()

# Five GOOD, three BAD, one MISS, one UNK. By frequency index: 1 -> 3 of 3, 2 -> 2 of 3, 5 -> 0 of 1; one BAD
# has no index, and 7 holds a MISS alone. By polysemy degree: 4 -> 5 of 6, 9 -> 0 of 2.
WORKED = [
    Outcome("a", Label.GOOD, 1, 4),
    Outcome("b", Label.GOOD, 1, 4),
    Outcome("c", Label.GOOD, 1, 4),
    Outcome("d", Label.GOOD, 2, 4),
    Outcome("e", Label.GOOD, 2, 4),
    Outcome("f", Label.BAD, 2, 4, chosen_frequency_index=1),
    Outcome("g", Label.BAD, 5, 9, chosen_frequency_index=3),
    Outcome("h", Label.BAD, None, 9, chosen_frequency_index=1),
    Outcome("i", Label.MISS, 7, 9),
    Outcome("j", Label.UNK, 1, 9),
]


def _labels(good: int = 0, bad: int = 0, miss: int = 0, unk: int = 0) -> list[Outcome]:
    labels = [Label.GOOD] * good + [Label.BAD] * bad + [Label.MISS] * miss + [Label.UNK] * unk
    return [Outcome(str(number), label) for number, label in enumerate(labels)]


def test_shares_of_labels() -> None:
    counts = count(_labels(good=7, bad=2, miss=5, unk=1))
    assert counts == Counts(7, 2, 5, 1)
    assert accuracy(counts) == Measure(100 * 7 / 9, None, 9)
    assert coverage(counts) == Measure(100 * 9 / 15, None, 15)
    assert miss_rate(counts) == Measure(100 * 5 / 15, None, 15)
    assert unk_rate(counts) == Measure(100 * 1 / 15, None, 15)


def test_worked_example() -> None:
    scores = score(WORKED)
    assert scores.accuracy.value == 100 * 5 / 8
    assert scores.sfi.value == pytest.approx(100 * (3 / 3 + 2 / 3 + 0 / 1) / 3)
    assert scores.pdi.value == pytest.approx(100 * (5 / 6 + 0 / 2) / 2)
    assert scores.mfs.value == 100 * 1 / 2
    assert scores.mfs_plus.value == 100 * 2 / 2
    assert scores.coverage.value == 100 * 8 / 10
    assert scores.undefined() == {}


def test_worked_example_weighted_by_index() -> None:
    scores = score(WORKED, weighting="index")
    assert scores.sfi.value == 100 * (1 * 3 + 2 * 2 + 5 * 0) / (1 * 3 + 2 * 3 + 5 * 1)
    assert scores.pdi.value == 100 * (4 * 5 + 9 * 0) / (4 * 6 + 9 * 2)
    assert scores.accuracy.value == 100 * 5 / 8


def test_flat_record() -> None:
    record = score(WORKED).as_dict()
    assert list(record)[: len(FIRST_KEYS)] == FIRST_KEYS
    assert list(record)[len(FIRST_KEYS) :][:2] == ["miss_rate", "unk_rate"]
    assert {key: record[key] for key in FIRST_KEYS[:5]} == {"n": 10, "good": 5, "bad": 3, "miss": 1, "unk": 1}
    assert (record["sfi_n"], record["sfi_left_out"]) == (7, 1)
    assert (record["sfi_groups_used"], record["sfi_groups_total"]) == (3, 4)
    assert (record["pdi_n"], record["pdi_left_out"]) == (8, 0)
    assert (record["pdi_groups_used"], record["pdi_groups_total"]) == (2, 2)
    assert (record["mfs_n"], record["mfs_left_out"], record["mfs_contradictory"]) == (2, 1, 0)
    assert record["mfs_coverage"] == 100 * 2 / 3


NOTHING = "no outcome at all"
UNDECIDED = "no GOOD or BAD outcome"
NO_BAD = "no BAD outcome"
NO_INDEX = "no GOOD or BAD outcome has a known frequency index"
NO_DEGREE = "no GOOD or BAD outcome has a known polysemy degree"
NO_CHOICE = "no BAD outcome has known and different indices of the chosen and of the right sense"


@pytest.mark.parametrize(
    ("outcomes", "reasons"),
    [
        pytest.param(
            [],
            {
                **dict.fromkeys(["accuracy", "sfi", "pdi"], UNDECIDED),
                **dict.fromkeys(["mfs", "mfs_plus"], NO_BAD),
                **dict.fromkeys(["coverage", "miss_rate", "unk_rate"], NOTHING),
            },
            id="empty",
        ),
        pytest.param(
            [Outcome("a", Label.MISS, 1, 2), Outcome("b", Label.MISS, 3, 4)],
            {
                **dict.fromkeys(["accuracy", "sfi", "pdi"], UNDECIDED),
                **dict.fromkeys(["mfs", "mfs_plus"], NO_BAD),
            },
            id="all MISS",
        ),
        pytest.param(
            [Outcome("a", Label.UNK)],
            {
                **dict.fromkeys(["accuracy", "sfi", "pdi"], UNDECIDED),
                **dict.fromkeys(["mfs", "mfs_plus"], NO_BAD),
            },
            id="all UNK",
        ),
        pytest.param([Outcome("a", Label.GOOD, 1, 2)], dict.fromkeys(["mfs", "mfs_plus"], NO_BAD), id="no BAD"),
        pytest.param(
            [Outcome("a", Label.BAD, 2, 2, chosen_frequency_index=1)],
            {},
            id="no GOOD",
        ),
        pytest.param(
            [Outcome("a", Label.GOOD), Outcome("b", Label.BAD)],
            {"sfi": NO_INDEX, "pdi": NO_DEGREE, "mfs": NO_CHOICE, "mfs_plus": NO_CHOICE},
            id="all numbers unknown",
        ),
    ],
)
def test_undefined_says_why(outcomes: list[Outcome], reasons: dict[str, str]) -> None:
    scores = score(outcomes)
    assert scores.undefined() == reasons
    record = scores.as_dict()
    assert {metric for metric in METRICS if record[metric] is None} == set(reasons)


def test_no_good_is_zero_and_not_undefined() -> None:
    scores = score([Outcome("a", Label.BAD, 2, 2, chosen_frequency_index=1)])
    assert [scores.measure(metric).value for metric in METRICS] == [0, 0, 0, 100, 100, 100, 0, 0]


def test_record_is_plain_numbers() -> None:
    record = score(WORKED).as_dict()
    assert json.loads(json.dumps(record)) == record
    assert {type(value) for value in record.values()} <= {int, float, type(None)}


def test_options_are_kept() -> None:
    scores = score(WORKED, "index", "strict")
    assert (scores.weighting.value, scores.ties.value) == ("index", "strict")
    assert score(WORKED, ties="strict").as_dict() == score(WORKED).as_dict()


@pytest.mark.parametrize(("option", "value"), [("weighting", "micro"), ("ties", "first")])
def test_unknown_option(option: str, value: str) -> None:
    with pytest.raises(InputError, match=f"{option} '{value}' is unknown; choose one of"):
        score(WORKED, **{option: value})


def test_unknown_label_names_item() -> None:
    with pytest.raises(InputError, match="item 'x7': label 'good' is unknown"):
        count([Outcome("x7", cast(Label, "good"))])


def test_unknown_metric() -> None:
    with pytest.raises(InputError, match="metric 'f1' is unknown"):
        score(WORKED).measure("f1")


@pytest.mark.parametrize("value", [0, -1, True, 1.0, "1"])
@pytest.mark.parametrize("field", ["frequency_index", "polysemy", "chosen_frequency_index"])
def test_impossible_number_names_item_and_field(field: str, value: object) -> None:
    outcome = Outcome(item_id="x7", label=Label.BAD, **{field: value})  # type: ignore[arg-type]
    with pytest.raises(InputError, match=f"item 'x7': {field} is {value!r}; expected a positive integer"):
        score([outcome])


def test_percentage_of_nothing() -> None:
    assert percentage(0, 0, "why") == Measure(None, "why", 0)


@given(OUTCOMES)
def test_labels_add_up(outcomes: list[Outcome]) -> None:
    counts = count(outcomes)
    assert counts.good + counts.bad + counts.miss + counts.unk == counts.n == len(outcomes)


@given(OUTCOMES, OUTCOMES)
def test_merged_counts_are_counts_of_union(first: list[Outcome], second: list[Outcome]) -> None:
    assert count(first) + count(second) == count(first + second)


@given(OUTCOMES, st.sampled_from(["macro", "index"]), st.randoms())
def test_order_changes_nothing(outcomes: list[Outcome], weighting: str, random: object) -> None:
    shuffled = list(outcomes)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert score(shuffled, weighting) == score(outcomes, weighting)


@given(OUTCOMES, st.sampled_from(["macro", "index"]))
def test_values_are_percentages(outcomes: list[Outcome], weighting: str) -> None:
    scores = score(outcomes, weighting)
    for metric in METRICS:
        measure = scores.measure(metric)
        assert (measure.value is None) == (measure.reason is not None) == (measure.n == 0)
        assert measure.value is None or 0 <= measure.value <= 100


@given(OUTCOMES, INDEX, INDEX, INDEX)
def test_one_more_bad_never_raises_accuracy(
    outcomes: list[Outcome], index: int | None, degree: int | None, chosen: int | None
) -> None:
    more = [*outcomes, Outcome("new", Label.BAD, index, degree, chosen_frequency_index=chosen)]
    for weighting in ("macro", "index"):
        before, after = score(outcomes, weighting), score(more, weighting)
        for metric in ("accuracy", "sfi", "pdi"):
            old, new = before.measure(metric).value, after.measure(metric).value
            assert old is None or (new is not None and new <= old + 1e-9)


@given(OUTCOMES)
def test_left_out_and_entered_are_all(outcomes: list[Outcome]) -> None:
    record = score(outcomes).as_dict()
    counts = count(outcomes)
    for metric in ("sfi", "pdi"):
        assert cast(int, record[f"{metric}_n"]) + cast(int, record[f"{metric}_left_out"]) == counts.scored
    assert cast(int, record["mfs_n"]) + cast(int, record["mfs_left_out"]) == counts.bad


def test_mean_weighs_languages_alike() -> None:
    mean = mean_over_languages({"de": score(_labels(good=1)), "ru": score(_labels(good=1, bad=9, miss=2))})
    record = mean.as_dict()
    assert record["accuracy"] == (100 * 1 / 1 + 100 * 1 / 10) / 2
    assert record["coverage"] == pytest.approx((100 * 1 / 1 + 100 * 10 / 12) / 2)
    assert (record["n"], record["good"], record["bad"], record["miss"]) == (13, 2, 9, 2)
    assert list(record)[: len(FIRST_KEYS)] == FIRST_KEYS
    assert dict(mean.languages)["ru"].as_dict()["accuracy"] == 100 * 1 / 10
    assert mean.measure("accuracy").n == 1 + 10


def test_mean_says_where_a_metric_is_undefined() -> None:
    bad = [Outcome("a", Label.BAD, 3, chosen_frequency_index=1)]
    mean = mean_over_languages({"de": score(bad), "ru": score(_labels(good=2)), "zh": score(_labels(miss=1))})
    record = mean.as_dict()
    assert (record["mfs"], record["mfs_languages"]) == (100 * 1 / 1, 1)
    assert (record["accuracy"], record["accuracy_languages"]) == ((0 + 100) / 2, 2)
    assert record["coverage"] == pytest.approx((100 + 100 + 0) / 3)
    assert record["coverage_languages"] == 3
    assert mean.defined_in("accuracy") == ("de", "ru")
    assert mean.partial()["accuracy"] == "mean over 2 of 3 languages (zh: no GOOD or BAD outcome)"
    assert set(mean.partial()) == {"accuracy", "sfi", "mfs", "mfs_plus"}
    assert set(mean.undefined()) == {"pdi"}
    assert mean.undefined()["pdi"].startswith("defined in no language (de: no GOOD or BAD outcome has")


def test_mean_of_no_language() -> None:
    mean = mean_over_languages({})
    assert mean.undefined() == dict.fromkeys(METRICS, "no language")
    assert mean.as_dict()["n"] == 0
    assert mean.partial() == {}


def test_mean_refuses_mixed_options() -> None:
    with pytest.raises(InputError, match="scored with different options"):
        mean_over_languages({"de": score([], "macro"), "ru": score([], "index")})
