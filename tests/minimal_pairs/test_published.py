"""Published scores, comparisons with them, correlations."""

from __future__ import annotations

import pytest

from dibimt_common.correlation import correlation
from dibimt_metric.errors import InputError
from minimal_pairs.paradigms import PARADIGMS, PHENOMENA
from minimal_pairs.scoring.accuracies import make_report
from minimal_pairs.scoring.presets import PRESETS, Preset, preset
from minimal_pairs.scoring.published import (
    AVERAGE,
    HUMAN,
    HUMAN_MAJORITY,
    PUBLISHED,
    Published,
    compare,
    compare_all,
    human_agreement,
    human_correlation,
    published,
)
from minimal_pairs.scoring.results import Accuracy, AccuracyGroup, Decision, PairOutcome, PairsReport

SIZES = [sum(paradigm.phenomenon == name for paradigm in PARADIGMS) for name in PHENOMENA]
WITH_PHENOMENA = [row for row in PUBLISHED if row.phenomena]


# The table


@pytest.mark.parametrize("row", WITH_PHENOMENA, ids=lambda row: row.name)
def test_overall_scores_are_means_over_paradigms(row: Published) -> None:
    # Phenomena are rounded to 0.05, so their weighted mean is right to 0.05, and the overall score to 0.05 more.
    weighted = sum(size * value for size, value in zip(SIZES, row.phenomena, strict=True)) / 67
    assert row.average == AVERAGE
    assert weighted == pytest.approx(row.overall, abs=0.1)


def test_the_mean_over_phenomena_is_another_number() -> None:
    gpt2 = published("GPT-2 large")
    assert (gpt2.overall, round(sum(gpt2.phenomena) / 12, 1)) == (83.0, 84.8)


def test_majority_is_323_of_335_pairs() -> None:
    agreed = [size * 5 * value / 100 for size, value in zip(SIZES, HUMAN_MAJORITY.phenomena, strict=True)]
    assert sum(agreed) == pytest.approx(323)
    assert all(count == pytest.approx(round(count)) for count in agreed)
    assert round(100 * 323 / 335, 1) == HUMAN_MAJORITY.overall


def test_rows_are_complete() -> None:
    assert len({row.name for row in PUBLISHED}) == len(PUBLISHED) == 16
    assert [row.overall for row in PUBLISHED if row.name.startswith("Pythia")] == [
        75.3, 78.0, 81.8, 82.3, 82.6, 83.1, 83.0, 83.1,
    ]  # fmt: skip
    for row in PUBLISHED:
        assert 0 < row.overall < 100
        assert row.source
        assert row.settings
        assert len(row.phenomena) in (0, 12)
        assert row.preset is None or row.preset in PRESETS


def test_rows_by_name() -> None:
    assert published("roberta LARGE").overall == 86.5
    with pytest.raises(InputError, match="no published scores of 'GPT-5'; choose one of 5-gram, LSTM"):
        published("GPT-5")


def test_human_scores_of_phenomena() -> None:
    assert HUMAN.phenomenon("binding") == 87.3
    assert HUMAN.phenomenon("weather") is None
    assert published("MPT-7B").phenomenon("binding") is None
    ellipsis = ["ellipsis_n_bar_1", "ellipsis_n_bar_2"]
    assert human_agreement("ellipsis", ellipsis) == 85.0
    assert human_agreement("ellipsis", ellipsis[:1]) is None
    assert human_agreement("ellipsis", [*ellipsis, "mine"]) is None
    assert human_agreement(None, []) is None
    assert human_agreement("weather", []) is None


# Comparisons


def outcomes(pairs: int = 1000, right: int = 800, names: tuple[str, ...] | None = None) -> list[PairOutcome]:
    return [
        PairOutcome(
            paradigm.name, number, paradigm.phenomenon, paradigm.field, -1.0, -2.0,
            Decision.RIGHT if number < right else Decision.WRONG, 5, 5, 4, 4,
        )
        for paradigm in PARADIGMS
        if names is None or paradigm.name in names
        for number in range(pairs)
    ]  # fmt: skip


def made(given: list[PairOutcome], settings: Preset = PRESETS["paper"], method: str = "full") -> PairsReport:
    return make_report(given, "toy", method, settings, data="blimp")


@pytest.fixture(scope="module")
def whole() -> PairsReport:
    return made(outcomes())


def test_differences_overall_and_by_phenomenon(whole: PairsReport) -> None:
    comparison = compare(whole, published("GPT-2 large"))
    overall, first, *others = comparison.differences
    assert (overall.name, overall.ours, overall.theirs) == ("overall", 80.0, 83.0)
    assert overall.difference == pytest.approx(80.0 - 83.0)
    assert overall.average == "mean over 67 paradigms"
    assert (first.name, first.theirs, first.average) == ("anaphor_agreement", 99.3, "mean over 2 paradigms")
    assert first.difference == pytest.approx(80.0 - 99.3)
    assert len(others) == 11


def test_the_same_settings(whole: PairsReport) -> None:
    comparison = compare(whole, published("Transformer-XL"))
    assert (comparison.same_settings, comparison.differs) == (True, ())


def test_other_settings_are_named(whole: PairsReport) -> None:
    comparison = compare(whole, published("MPT-7B"))
    assert not comparison.same_settings
    assert "score_eos: yes here, no there" in comparison.differs
    assert [difference.name for difference in comparison.differences] == ["overall"]
    assert compare(made(outcomes(), preset("lm-eval-0.3")), published("MPT-7B")).same_settings


def test_one_changed_setting_is_enough() -> None:
    comparison = compare(made(outcomes(), preset("paper", ties="right")), published("GPT-2 large"))
    assert comparison.differs == ("ties: right here, wrong there",)


def test_unknown_settings_are_no_same_settings(whole: PairsReport) -> None:
    assert compare(whole, published("LSTM")).differs == (
        "settings: no preset is known to be that of LSTM (full sentences, sum; treatment of sentence ends not stated)",
    )


def test_a_sample_is_named() -> None:
    comparison = compare(made(outcomes(10, 8)), published("GPT-2 large"))
    assert comparison.differs == ("data: 670 scored pairs here, 67000 there",)


def test_prefix_methods_and_some_paradigms_are_named() -> None:
    report = made(outcomes(4, 2, ("wh_island", "npi_present_1")), method="one-prefix")
    comparison = compare(report, published("GPT-2 large"))
    assert comparison.differs == (
        "method: one-prefix here, full there",
        "average: mean over 2 paradigms here, mean over 67 paradigms there",
        "data: not the 67 paradigms of BLiMP",
    )
    # Neither phenomenon is whole, so neither is compared.
    assert [difference.name for difference in comparison.differences] == ["overall"]


def test_a_report_without_a_score_has_no_difference() -> None:
    overall = compare(made([]), HUMAN).differences[0]
    assert (overall.ours, overall.theirs, overall.difference) == (None, 88.6, None)


def test_every_row(whole: PairsReport) -> None:
    assert tuple(comparison.published for comparison in compare_all(whole)) == PUBLISHED


# Correlations


def group(value: float | None, human: float | None) -> AccuracyGroup:
    return AccuracyGroup("x", 1, Accuracy(value, "over pairs", 1, 1, 0, 0, 0), human)


def test_human_correlation_takes_groups_that_have_both() -> None:
    groups = [group(1.0, 10.0), group(2.0, 30.0), group(3.0, 20.0), group(None, 5.0), group(5.0, None)]
    found = human_correlation(groups)
    # Centred -1 0 1 and -10 10 0: 10 / sqrt(2 * 200); the same of the ranks.
    assert found.points == 3
    assert found.pearson == pytest.approx(0.5)
    assert found.spearman == pytest.approx(0.5)


def test_published_models_and_people() -> None:
    stats = pytest.importorskip("scipy.stats")
    for row in WITH_PHENOMENA[:4]:
        found = correlation(row.phenomena, HUMAN.phenomena)
        assert found.pearson == pytest.approx(stats.pearsonr(row.phenomena, HUMAN.phenomena).statistic)
        assert found.spearman == pytest.approx(stats.spearmanr(row.phenomena, HUMAN.phenomena).statistic)
