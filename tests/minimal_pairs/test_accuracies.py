"""Averages, intervals and the report made of them."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dibimt_metric.errors import InputError
from dibimt_metric.signature import parse_signature
from dibimt_metric.version import VERSION
from minimal_pairs.paradigms import PARADIGMS, PHENOMENA
from minimal_pairs.scoring.accuracies import make_report
from minimal_pairs.scoring.averages import (
    Tally,
    Ties,
    mean_over_paradigms,
    mean_over_phenomena,
    over_pairs,
    tally,
    total,
)
from minimal_pairs.scoring.intervals import (
    LEVEL,
    STUDENT,
    Stratum,
    Z,
    effective_number,
    interval,
    student,
    wilson,
)
from minimal_pairs.scoring.presets import preset
from minimal_pairs.scoring.results import Accuracy, Decision, PairOutcome, PairsReport

PAPER = preset("paper")
RIGHT, WRONG, TIE, UNSCORED = Decision.RIGHT, Decision.WRONG, Decision.TIE, Decision.UNSCORED
LETTERS = {"r": RIGHT, "w": WRONG, "t": TIE, "u": UNSCORED}


def outcomes(
    paradigm: str, decisions: str, phenomenon: str | None = None, field: str | None = None
) -> list[PairOutcome]:
    """A letter for each pair: r(ight), w(rong), t(ie), u(nscored)."""
    return [
        PairOutcome(paradigm, number, phenomenon, field, -1.0, -2.0, LETTERS[letter], 5, 5, 4, 4)
        for number, letter in enumerate(decisions)
    ]


MINE = [
    *outcomes("p", "rrrw", "one", "syntax"),  # 3/4
    *outcomes("q", "rw", "one", "syntax"),  # 1/2
    *outcomes("s", "rrttu", "two", "semantics"),  # 2/4 with ties wrong
]


def report(given: list[PairOutcome], ties: str = "wrong", **options: str) -> PairsReport:
    return make_report(given, "tiny", "full", preset("paper", ties=ties), **{"data": "mine", **options})


def counts(accuracy: Accuracy) -> tuple[int, ...]:
    return accuracy.n, accuracy.right, accuracy.wrong, accuracy.ties, accuracy.unscored


# Averages


def test_three_averages_by_hand() -> None:
    found = report(MINE)
    assert found.overall.value == 100 * float(Fraction(3, 4) + Fraction(1, 2) + Fraction(2, 4)) / 3
    assert found.overall.average == "mean over 3 paradigms"
    # Phenomena: (3/4 + 1/2) / 2 = 5/8, and 1/2.
    assert found.overall_phenomena.value == 100 * (5 / 8 + 1 / 2) / 2
    assert found.overall_phenomena.average == "mean over 2 phenomena"
    assert found.overall_pairs.value == 100 * 6 / 10
    assert found.overall_pairs.average == "over pairs"
    for accuracy in (found.overall, found.overall_phenomena, found.overall_pairs):
        assert counts(accuracy) == (10, 6, 2, 2, 1)


@pytest.mark.parametrize(("ties", "of_four"), [("wrong", 2), ("half", 3), ("right", 4)])
def test_ties_are_counted_apart_and_then_as_the_preset_says(ties: str, of_four: int) -> None:
    accuracy = report(outcomes("s", "rrtt"), ties).overall
    assert accuracy.value == 100 * of_four / 4
    assert counts(accuracy) == (4, 2, 0, 2, 0)


def test_groups_are_means_over_their_paradigms() -> None:
    found = report(MINE)
    one, two = found.phenomena
    assert (one.name, one.paradigms, one.accuracy.value) == (
        "one",
        2,
        100 * 5 / 8,
    )  # not 4/6, that of the pairs
    assert one.accuracy.average == "mean over 2 paradigms"
    assert (two.name, two.paradigms, two.accuracy.value) == ("two", 1, 50.0)
    assert [(g.name, g.paradigms, g.accuracy.value) for g in found.fields] == [
        ("semantics", 1, 50.0),
        ("syntax", 2, 62.5),
    ]
    assert [(g.name, g.accuracy.value) for g in found.paradigms] == [("p", 75.0), ("q", 50.0), ("s", 50.0)]


def test_unscored_pairs_enter_no_accuracy_and_are_counted() -> None:
    accuracy = report(outcomes("p", "ruuw")).overall
    assert accuracy.value == 50.0
    assert counts(accuracy) == (2, 1, 1, 0, 2)


def test_a_paradigm_without_a_score_is_left_out_and_said() -> None:
    found = report([*outcomes("p", "rr", "one"), *outcomes("q", "uu", "two")])
    assert found.overall.value == 100.0
    assert found.overall.average == "mean over 1 paradigm (1 without a scored pair left out)"
    assert found.overall_phenomena.average == "mean over 1 phenomenon (1 without a scored pair left out)"
    assert counts(found.overall) == (2, 2, 0, 0, 2)
    empty = found.paradigms[1].accuracy
    assert (empty.value, empty.low, empty.high, empty.reason) == (None, None, None, "no pair with a score")


@pytest.mark.parametrize("given", [[], outcomes("p", "uu", "one")])
def test_nothing_scored_is_undefined_with_a_reason(given: list[PairOutcome]) -> None:
    found = report(given)
    for accuracy in (found.overall, found.overall_phenomena, found.overall_pairs):
        assert (accuracy.value, accuracy.low, accuracy.high) == (None, None, None)
        assert accuracy.reason == "no pair with a score"
    assert found.correlation_human is None


def test_a_set_without_phenomena_has_no_mean_over_them() -> None:
    found = report(outcomes("p", "rw"))
    assert (found.phenomena, found.fields) == ((), ())
    assert (found.overall.value, found.overall_phenomena.value) == (50.0, None)


def test_a_hundred_stays_a_hundred() -> None:
    # 1/67 sixty-seven times is not 1 in floats.
    found = mean_over_paradigms({str(n): Tally(right=3) for n in range(67)}, Ties.WRONG)
    assert found.value == 100.0


def test_tally_and_total() -> None:
    assert tally(outcomes("p", "rrwtu")) == Tally(2, 1, 1, 1)
    assert total([Tally(2, 1, 1, 1), Tally(1, 0, 0, 3)]) == Tally(3, 1, 1, 4)
    assert total([]) == Tally()


# Report


def test_the_paper_s_order_and_others_behind() -> None:
    given = [
        *outcomes("wh_island", "r", "island_effects"),
        *outcomes("zebra", "r", "zoo"),
        *outcomes("apple", "r", "fruit"),
        *outcomes("adjunct_island", "r", "island_effects"),
        *outcomes("passive_1", "w", "argument_structure"),
    ]
    found = report(given)
    names = [group.name for group in found.paradigms]
    assert names == ["passive_1", "adjunct_island", "wh_island", "apple", "zebra"]
    assert [group.name for group in found.phenomena] == [
        "argument_structure",
        "island_effects",
        "fruit",
        "zoo",
    ]


@given(st.randoms(use_true_random=False))
def test_the_order_of_outcomes_changes_nothing(source: random.Random) -> None:
    shuffled = MINE.copy()
    source.shuffle(shuffled)
    assert report(shuffled) == report(MINE)


def test_a_pair_counts_once() -> None:
    with pytest.raises(InputError, match=r"1 outcomes repeat a pair \('p' 0\)"):
        report([*outcomes("p", "rw"), *outcomes("p", "r")])


def whole(decisions: dict[str, str] | None = None, pairs: str = "rw") -> list[PairOutcome]:
    """All 67 paradigms; the same decisions for each, or those of its phenomenon."""
    found = []
    for paradigm in PARADIGMS:
        text = pairs if decisions is None else decisions[paradigm.phenomenon]
        found.extend(outcomes(paradigm.name, text, paradigm.phenomenon, paradigm.field))
    return found


def test_human_scores_stand_beside_whole_phenomena_only() -> None:
    found = report(whole())
    assert [group.human for group in found.phenomena][:3] == [97.5, 90.0, 87.3]
    assert {group.human for group in (*found.paradigms, *found.fields)} == {None}
    some = [outcome for outcome in whole() if outcome.paradigm != "ellipsis_n_bar_1"]
    humans = {group.name: group.human for group in report(some).phenomena}
    assert (humans["ellipsis"], humans["quantifiers"]) == (None, 86.6)


def test_correlation_with_people_over_phenomena() -> None:
    scipy_stats = pytest.importorskip("scipy.stats")
    decisions = {name: "r" * (place + 1) + "w" * (12 - place) for place, name in enumerate(PHENOMENA)}
    found = report(whole(decisions))
    ours = [100 * (place + 1) / 13 for place in range(12)]
    humans = [group.human for group in found.phenomena]
    assert found.correlation_human == pytest.approx(scipy_stats.pearsonr(ours, humans).statistic, abs=1e-12)


def test_equal_accuracies_have_no_correlation() -> None:
    assert report(whole()).correlation_human is None


def test_the_three_averages_of_a_whole_run() -> None:
    # Only argument structure (9 of 67 paradigms, 1 of 12 phenomena) is right.
    decisions = {name: "rr" if name == "argument_structure" else "ww" for name in PHENOMENA}
    found = report(whole(decisions))
    assert found.overall.value == pytest.approx(100 * 9 / 67)
    assert found.overall_phenomena.value == pytest.approx(100 / 12)
    assert found.overall_pairs.value == pytest.approx(100 * 18 / 134)


def test_settings_and_signature_name_every_choice() -> None:
    found = make_report(MINE, "toy|model", "one-prefix", preset("lm-eval", ties="half"), data="d3ad", sample="9,seed=0")
    signature = parse_signature(found.signature)
    assert found.method == "one-prefix"
    for key, value in {
        "task": "minimal_pairs", "data": "d3ad", "sample": "9,seed=0", "model": "toy|model", "method": "one-prefix",
        "preset": "lm-eval+ties", "leading_space": "yes", "reduction": "sum", "ties": "half", "version": VERSION,
        "interval": "wilson_effective",
    }.items():  # fmt: skip
        assert signature.get(key) == value
    settings = dict(found.settings)
    assert all(settings[name] == value for name, value in preset("lm-eval", ties="half").as_settings())
    assert (settings["data"], settings["sample"]) == ("d3ad", "9,seed=0")


@pytest.mark.parametrize("change", [{"ties": "right"}, {"reduction": "mean"}, {"score_eos": False}, {"bos": "none"}])
def test_the_signature_changes_with_every_setting(change: dict[str, str | bool]) -> None:
    changed = make_report(MINE, "tiny", "full", preset("paper", **change), data="mine")
    assert changed.signature != report(MINE).signature


def test_unknown_method() -> None:
    with pytest.raises(InputError, match="method 'half' is unknown"):
        make_report(MINE, "tiny", "half", PAPER, data="mine")


def test_unknown_rule_for_ties() -> None:
    with pytest.raises(InputError, match="ties 'coin' is unknown"):
        make_report(MINE, "tiny", "full", replace(PAPER, ties="coin"), data="mine")


TALLIES = st.builds(Tally, *[st.integers(0, 30)] * 4)


@given(st.dictionaries(st.text(max_size=3), TALLIES, min_size=1, max_size=6), st.sampled_from(Ties))
def test_an_interval_holds_its_value_within_0_and_100(paradigms: dict[str, Tally], ties: Ties) -> None:
    for accuracy in (
        mean_over_paradigms(paradigms, ties),
        mean_over_phenomena({"x": paradigms}, ties),
        over_pairs(total(paradigms.values()), ties),
    ):
        if accuracy.value is None:
            assert accuracy.n == 0
        else:
            assert accuracy.low is not None
            assert accuracy.high is not None
            assert 0 <= accuracy.low <= accuracy.value + 1e-9
            assert accuracy.value - 1e-9 <= accuracy.high <= 100
            assert accuracy.low < accuracy.high
            assert accuracy.n == accuracy.right + accuracy.wrong + accuracy.ties


@given(TALLIES)
def test_turning_a_wrong_pair_right_raises_every_average(counts: Tally) -> None:
    if counts.wrong:
        better = counts._replace(right=counts.right + 1, wrong=counts.wrong - 1)
        for ties in Ties:
            before, after = over_pairs(counts, ties).value, over_pairs(better, ties).value
            assert before is not None
            assert after is not None
            assert after > before


# Intervals


def test_wilson_against_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    for right, n in ((0, 1), (1, 1), (0, 12), (3, 7), (12, 12), (870, 1000)):
        expected = stats.binomtest(right, n).proportion_ci(LEVEL, method="wilson")
        assert wilson(right / n, n) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_wilson_by_hand() -> None:
    # All of n right: the low end is 1 / (1 + z*z/n); none right: the high end is 1 minus that.
    low = 1 / (1 + Z**2 / 5)
    assert wilson(1.0, 5) == pytest.approx((low, 1.0))
    assert wilson(0.0, 5) == pytest.approx((0.0, 1 - low))


def test_t_table_against_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    for degrees, value in enumerate(STUDENT, start=1):
        assert value == pytest.approx(stats.t.ppf(0.975, degrees), abs=6e-5)
        assert student(degrees) == value
    for degrees in (1.3, 2.5, 3.5, 8.2, 29.9, 31.0, 60.0, 500.0):
        true = stats.t.ppf(0.975, degrees)
        assert true - 0.001 < student(degrees) < true + (0.02 if degrees > 3 else 1.5)
    assert (student(0.2), student(math.inf)) == (STUDENT[0], Z)


def binary(weight: float, right: int, n: int) -> Stratum:
    mean = right / n
    return Stratum(weight, n, mean, mean * (1 - mean) * n / (n - 1) if n > 1 else 0.0)


@pytest.mark.parametrize(("right", "n"), [(0, 4), (3, 4), (1, 1), (870, 1000)])
def test_one_paradigm_has_wilson_s_interval(right: int, n: int) -> None:
    assert interval([binary(1.0, right, n)]) == wilson(right / n, n)


def test_effective_number_by_hand() -> None:
    # Means 1 and 1/2, 10 pairs each: V = 1/4 * (0/10 + (10/36)/10) = 1/144, m(1-m) = 3/16, so 27 pairs, times
    # (z/t)**2 with the 9 degrees of freedom of the one paradigm that varies.
    strata = [binary(0.5, 10, 10), binary(0.5, 5, 10)]
    assert effective_number(strata) == pytest.approx(27 * (Z / 2.2622) ** 2)


def test_effective_number_is_never_below_the_pairs() -> None:
    assert effective_number([binary(0.5, 4, 8), binary(0.5, 4, 8)]) == 16  # 14 * (z/t)**2 is less
    assert effective_number([binary(0.5, 1, 1), binary(0.5, 0, 1)]) == 2  # no variance can be estimated
    assert effective_number([binary(0.5, 8, 8), binary(0.5, 8, 8)]) == 16  # none is seen
    # Weights 1/2 for 1 and 9 pairs: 1 / (1/4 + 1/36) = 3.6, not 10.
    assert effective_number([binary(0.5, 1, 1), binary(0.5, 9, 9)]) == pytest.approx(3.6)


def test_the_variance_of_half_credits_by_hand() -> None:
    # 1, 1/2, 1/2, 0 and 1, 1, 1, 1/2: means 1/2 and 7/8, s*s = (1/4 + 1/4) / 3 and (3/64 + 9/64) / 3.
    paradigms = {"p": Tally(right=1, wrong=1, ties=2), "q": Tally(right=3, ties=1)}
    found = mean_over_paradigms(paradigms, Ties.HALF)
    strata = [Stratum(0.5, 4, 1 / 2, 1 / 6), Stratum(0.5, 4, 7 / 8, 1 / 16)]
    assert (found.low, found.high) == pytest.approx([100 * end for end in interval(strata)])
    assert effective_number(strata) > 8  # so that the variance has been used


@pytest.mark.parametrize("n", [1, 2, 5, 50])
def test_the_interval_of_a_mean_holds_the_truth_in_95_of_100_cases(n: int) -> None:
    np = pytest.importorskip("numpy")
    generator = np.random.default_rng(1)
    truths = np.linspace(0.3, 0.99, 20)
    runs = 600
    held = 0
    for _ in range(runs):
        draws = generator.binomial(n, truths)
        low, high = interval([binary(1 / 20, int(right), n) for right in draws])
        held += low <= truths.mean() <= high
    # Standard error of the share: 0.009.
    assert 0.925 <= held / runs <= 0.995
