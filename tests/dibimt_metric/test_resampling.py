"""The bootstrap: against a plain loop, its degenerate cases, its repeatability and its speed."""

from __future__ import annotations

import json
import random
import sys
import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dibimt_metric.errors import InputError, MissingLibraryError
from dibimt_metric.records import Label, Outcome
from dibimt_metric.score import score
from dibimt_metric.score_bootstrap import Bootstrap, bootstrap, canonical, paired_bootstrap, resample_indices
from dibimt_metric.score_measures import BIAS_METRICS

WEIGHTINGS = ["macro", "index"]
INDEX = st.none() | st.integers(1, 6)
OUTCOMES = st.lists(
    st.builds(
        Outcome,
        item_id=st.text("abc", max_size=2),
        label=st.sampled_from(Label),
        frequency_index=INDEX,
        polysemy=INDEX,
        chosen_frequency_index=INDEX,
    ),
    max_size=12,
)


def _system(n: int, seed: int, good: float = 0.5) -> list[Outcome]:
    """Outcomes whose numbers depend on the item only, and whose labels depend on the seed."""
    items, labels = random.Random(99), random.Random(seed)
    made = []
    for number in range(n):
        degree = items.randint(2, 20)
        index = items.randint(1, degree)
        draw = labels.random()
        label = Label.MISS if draw < 0.2 else Label.UNK if draw < 0.22 else Label.BAD
        if labels.random() < good and label is Label.BAD:
            label = Label.GOOD
        chosen = labels.choice([None, *range(1, degree + 1)]) if label is Label.BAD else None
        made.append(Outcome(f"{number:05}", label, index, degree, chosen_frequency_index=chosen))
    return made


def _plain(outcomes: list[Outcome], weighting: str, n: int, seed: int) -> dict[str, list[float | None]]:
    """Oracle: score each resample on its own, on the same indices."""
    ordered = canonical(outcomes)
    draws = [[ordered[i] for i in rows.tolist()] for rows in resample_indices(len(ordered), n, seed)]
    scores = [score(draw, weighting) for draw in draws] or [score([], weighting)] * n
    return {metric: [each.measure(metric).value for each in scores] for metric in BIAS_METRICS}


def _matches(result: Bootstrap, plain: dict[str, list[float | None]]) -> None:
    for interval in result.intervals:
        defined = [value for value in plain[interval.metric] if value is not None]
        assert interval.undefined == result.n_resamples - len(defined)
        if defined:
            low, high = (1 - result.level) / 2, (1 + result.level) / 2
            assert interval.low == pytest.approx(float(np.quantile(defined, low)), abs=1e-9)
            assert interval.high == pytest.approx(float(np.quantile(defined, high)), abs=1e-9)
        else:
            assert (interval.low, interval.high) == (None, None)
            assert interval.reason


@pytest.mark.parametrize("weighting", WEIGHTINGS)
def test_bootstrap_equals_a_plain_loop(weighting: str) -> None:
    outcomes = _system(120, seed=1)
    result = bootstrap(outcomes, weighting, n_resamples=150, seed=7, level=0.9)
    _matches(result, _plain(outcomes, weighting, 150, 7))


@settings(max_examples=60, deadline=None)
@given(OUTCOMES, st.sampled_from(WEIGHTINGS), st.integers(0, 5))
def test_bootstrap_equals_a_plain_loop_on_small_data(outcomes: list[Outcome], weighting: str, seed: int) -> None:
    result = bootstrap(outcomes, weighting, n_resamples=12, seed=seed)
    _matches(result, _plain(outcomes, weighting, 12, seed))


@pytest.mark.parametrize("weighting", WEIGHTINGS)
def test_paired_bootstrap_equals_a_plain_loop(weighting: str) -> None:
    one, other = _system(150, seed=1, good=0.4), _system(150, seed=2, good=0.6)
    decided = {Label.GOOD, Label.BAD}
    kept = [i for i in range(150) if one[i].label in decided and other[i].label in decided]
    first, second = [one[i] for i in kept], [other[i] for i in kept]
    draws = list(resample_indices(len(kept), 60, 3))
    for change in paired_bootstrap(one, other, weighting, n_resamples=60, seed=3):
        gaps = []
        for rows in draws:
            a = score([first[i] for i in rows.tolist()], weighting).measure(change.metric).value
            b = score([second[i] for i in rows.tolist()], weighting).measure(change.metric).value
            gaps += [] if a is None or b is None else [b - a]
        assert change.n == len(kept)
        assert change.first == score(first, weighting).measure(change.metric).value
        assert change.second == score(second, weighting).measure(change.metric).value
        assert change.difference is not None
        extreme = sum(abs(gap - change.difference) >= abs(change.difference) - 1e-9 for gap in gaps)
        assert change.p_value == (extreme + 1) / (len(gaps) + 1)
        assert change.low == pytest.approx(float(np.quantile(gaps, 0.025)), abs=1e-9)
        assert change.high == pytest.approx(float(np.quantile(gaps, 0.975)), abs=1e-9)


def test_interval_of_one_value() -> None:
    outcomes = [Outcome(str(i), Label.GOOD, 1, 2) for i in range(5)]
    interval = bootstrap(outcomes, n_resamples=20).interval("sfi")
    assert (interval.low, interval.value, interval.high) == (100.0, 100.0, 100.0)


def test_undefined_metric_has_no_interval() -> None:
    result = bootstrap([Outcome("a", Label.GOOD), Outcome("b", Label.MISS)], n_resamples=50)
    mfs = result.interval("mfs")
    assert (mfs.value, mfs.low, mfs.high, mfs.undefined) == (None, None, None, 50)
    assert mfs.reason == "no BAD outcome"
    # A resample of two items holds the MISS twice with probability 1/4; accuracy is undefined there.
    accuracy = result.interval("accuracy")
    misses = sum(int(rows.min()) == 1 for rows in resample_indices(2, 50, 0))
    assert accuracy.undefined == misses > 0
    assert (accuracy.low, accuracy.high, accuracy.reason) == (100.0, 100.0, None)


def test_defined_on_the_data_and_in_no_resample() -> None:
    outcomes = [Outcome("a", Label.GOOD), *(Outcome(f"m{i}", Label.MISS) for i in range(3))]
    seed = next(s for s in range(99) if 0 not in next(resample_indices(4, 1, s)).tolist())
    accuracy = bootstrap(outcomes, n_resamples=1, seed=seed).interval("accuracy")
    assert (accuracy.value, accuracy.low, accuracy.undefined) == (100.0, None, 1)
    assert accuracy.reason == "undefined in every resample"


def test_no_outcome() -> None:
    for interval in bootstrap([], n_resamples=4).intervals:
        assert (interval.value, interval.low, interval.high, interval.undefined) == (None, None, None, 4)
    for change in paired_bootstrap([], [], n_resamples=4):
        assert (change.difference, change.p_value, change.n) == (None, None, 0)
        assert change.reason
        assert change.reason.startswith("first system: no ")


def test_difference_with_one_side_undefined() -> None:
    first = [Outcome("a", Label.BAD, 3, chosen_frequency_index=1)]
    second = [Outcome("a", Label.GOOD, 3)]
    changes = {change.metric: change for change in paired_bootstrap(first, second, n_resamples=5)}
    assert (changes["mfs"].first, changes["mfs"].second, changes["mfs"].difference) == (100.0, None, None)
    assert changes["mfs"].reason == "second system: no BAD outcome"
    assert changes["accuracy"].difference == 100.0
    # All resamples show the difference itself, so none lies as far from it as 0 does: p = (0 + 1) / (5 + 1).
    assert changes["accuracy"].p_value == 1 / 6


def test_same_system_twice_has_p_value_one() -> None:
    system = _system(80, seed=4)
    for change in paired_bootstrap(system, system, n_resamples=50):
        assert (change.difference, change.low, change.high, change.p_value) == (0.0, 0.0, 0.0, 1.0)


def test_swapping_systems_mirrors_the_difference() -> None:
    one, other = _system(100, seed=1), _system(100, seed=2)
    there, back = paired_bootstrap(one, other, n_resamples=99), paired_bootstrap(other, one, n_resamples=99)
    for a, b in zip(there, back, strict=True):
        assert a.difference == pytest.approx(-b.difference if b.difference is not None else None)
        assert (a.p_value, a.undefined, a.n) == (b.p_value, b.undefined, b.n)
        assert a.low == pytest.approx(-(b.high or 0))
        assert a.high == pytest.approx(-(b.low or 0))


def test_no_difference_is_seldom_significant() -> None:
    """Of two alike systems a p-value below 0.05 comes up about once in twenty; allow one in six."""
    small = 0
    for seed in range(60):
        first, second = _system(120, seed=seed), _system(120, seed=1000 + seed)
        p_value = paired_bootstrap(first, second, n_resamples=200, seed=seed)[0].p_value
        small += p_value is not None and p_value < 0.05
    assert small <= 10


def test_interval_covers_the_truth_about_as_often_as_its_level() -> None:
    """Items are GOOD with probability 0.5; intervals of level 0.9 should hold 50 in most of 60 draws."""
    held = 0
    for seed in range(60):
        interval = bootstrap(_system(150, seed=seed), level=0.9, n_resamples=200, seed=seed).intervals[0]
        assert interval.low is not None
        assert interval.high is not None
        held += interval.low <= 50 <= interval.high
    assert 46 <= held <= 60


def test_same_seed_same_bytes() -> None:
    outcomes = _system(90, seed=5)
    texts = {json.dumps(bootstrap(outcomes, n_resamples=60, seed=0).as_dict()) for _ in range(3)}
    assert len(texts) == 1
    assert json.dumps(bootstrap(outcomes, n_resamples=60, seed=1).as_dict()) not in texts
    pairs = {repr(paired_bootstrap(outcomes, _system(90, seed=6), n_resamples=60, seed=0)) for _ in range(3)}
    assert len(pairs) == 1


def test_order_of_the_file_changes_nothing() -> None:
    one, other = _system(90, seed=5), _system(90, seed=6)
    mixed = random.Random(0).sample(one, len(one))
    assert bootstrap(mixed, n_resamples=40) == bootstrap(one, n_resamples=40)
    assert paired_bootstrap(mixed, other, n_resamples=40) == paired_bootstrap(one, other, n_resamples=40)


def test_flat_record_is_plain_numbers() -> None:
    record = bootstrap(_system(50, seed=1), n_resamples=30).as_dict()
    assert list(record)[:3] == ["accuracy_low", "accuracy_high", "accuracy_undefined_resamples"]
    assert len(record) == 3 * len(BIAS_METRICS)
    assert {type(value) for value in record.values()} == {int, float}


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("level", 0), ("level", 1.0), ("level", 95), ("level", "0.95"), ("level", float("nan")),
        ("n_resamples", 0), ("n_resamples", 10.0), ("n_resamples", True),
        ("seed", -1), ("seed", None), ("seed", 0.5),
    ],
)  # fmt: skip
def test_impossible_option(option: str, value: object) -> None:
    with pytest.raises(InputError, match=f"{option} is "):
        bootstrap([], **{option: value})  # type: ignore[arg-type]
    with pytest.raises(InputError, match=f"{option} is "):
        paired_bootstrap([], [], **{option: value})  # type: ignore[arg-type]


def test_unknown_interval() -> None:
    with pytest.raises(InputError, match="metric 'f1' is unknown"):
        bootstrap([], n_resamples=1).interval("f1")


def test_different_items_are_an_error() -> None:
    system = _system(4, seed=1)
    for other in (system[:3], [replace(system[0], item_id="new"), *system[1:]]):
        with pytest.raises(InputError, match="the same items for both systems, each once"):
            paired_bootstrap(system, other)
    with pytest.raises(InputError, match="each once"):
        paired_bootstrap(system + system, system + system)


def test_missing_numpy_says_how_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(MissingLibraryError, match="pip install numpy"):
        bootstrap([])


@pytest.mark.parametrize("weighting", WEIGHTINGS)
def test_thousand_resamples_of_700_items_take_well_under_a_second(weighting: str) -> None:
    outcomes = _system(700, seed=1)
    bootstrap(outcomes, weighting, n_resamples=1)  # the import of numpy is not part of it
    start = time.perf_counter()
    bootstrap(outcomes, weighting)
    assert time.perf_counter() - start < 1
