"""Reports of ``dibimt ldd score`` as text and as JSON, from reports that are made by hand."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dibimt_common.format import WIDTH, p_value, share
from dibimt_tools.ldd.report import score_record, score_report, short_names
from dibimt_tools.ldd.view import (
    Comparisons,
    best_systems,
    set_views,
    undefined_notes,
    versus_best,
)
from dibimt_tools.output import to_json
from ldd_challenge_sets.scoring.results import (
    Bin,
    Cell,
    Comparison,
    DistanceCorrelation,
    LddReport,
    Score,
    SetScores,
    SystemScores,
)
from ldd_challenge_sets.scoring.settings import Settings
from tests.dibimt_tools.ldd_reports import (
    EXACT,
    MINIMUM,
    NAMES,
    PHENOMENA,
    large_report,
    report,
    small_report,
    system,
)

SETTINGS = Settings()


def parts(text: str) -> dict[str, list[str]]:
    """The sections of a report: title and lines."""
    found = [part.splitlines() for part in text.split("\n\n")]
    sections: dict[str, list[str]] = {}
    for lines in found:
        if len(lines) > 1 and set(lines[1]) == {"-"}:
            title = lines[0]
            sections[title] = lines[2:]
        elif sections:
            sections[title] += lines
    return sections


# Text


def test_five_systems_and_six_sets_fit_the_terminal() -> None:
    text = score_report(large_report(), SETTINGS)
    widest = max(text.splitlines(), key=len)
    assert len(widest) <= WIDTH == 100, widest
    assert len(text.splitlines()) < 350
    sections = parts(text)
    assert list(sections)[2:8] == [f"de-en-{phenomenon}" for phenomenon, _ in PHENOMENA]
    # The overview is one table, not broken in two: all five systems stand in its header.
    header = sections["Overview: BLEU and its difference from the full corpus"][0]
    assert header.split() == ["n", *NAMES]


def test_rows_hold_every_number() -> None:
    lines = parts(score_report(small_report(), SETTINGS))["de-en-particle"]
    assert lines[0].split("  ")[0] == ""
    assert lines[0].split() == ("BLEU 95 % interval vs best p drop control better chrF RIBES".split())
    assert lines[1] == "All: n = 240, mean length 20.5"
    # BLEU 38, half-width 2, baseline 40, control one above, 97 of 100 samples above, chrF 38 + 20, RIBES .5 + 38/200.
    assert lines[2].split() == "* first 38.00 36.00 to 40.00 -2.00 39.00 97 % 58.00 0.690".split()
    second = lines[3].split()
    assert second[:5] == ["second", "36.50", "34.50", "to", "38.50"]
    assert second[5:7] == ["-1.50", ".012"]  # 36.5 - 38, p of the fixture
    assert second[7] == "-3.50"


def test_overview_has_score_and_drop_of_every_set() -> None:
    lines = parts(score_report(small_report(), SETTINGS))["Overview: BLEU and its difference from the full corpus"]
    assert lines[0].split() == ["n", "first", "second"]
    assert lines[1].split() == ["full", "corpus", "1,000", "40.0", "40.0"]
    assert lines[2].split() == ["particle", "240", "38.0", "-2.0", "36.5", "-3.5"]


def test_small_sets_are_marked_and_not_ranked() -> None:
    lines = parts(score_report(small_report(), SETTINGS))["de-en-particle"]
    start = lines.index(">=2: n = 12, mean length 20.5, too small (n < 30)")
    for line in lines[start + 1 : start + 3]:
        assert "*" not in line
        assert ".012" not in line
    assert lines[start + 1].split()[:2] == ["first", "36.00"]  # shown all the same
    assert lines[start + 3] == ">=3: no sentences"
    assert [line for line in lines if line.startswith("*")] == [lines[2], lines[5]]  # All, >=1


def test_exact_distances_put_small_cells_into_brackets() -> None:
    lines = parts(score_report(small_report(), SETTINGS))["de-en-particle"]
    start = lines.index("BLEU by exact distance (in brackets: too small (n < 30))")
    assert lines[start + 1].split() == ["=0", "=1", "=2", "=3"]
    assert lines[start + 2].split() == ["n", "120", "60", "6", "0"]
    assert lines[start + 3].split() == ["first", "38.00", "37.00", "[36.00]", "-"]


def test_spearman_line() -> None:
    lines = parts(score_report(small_report(), SETTINGS))["de-en-particle"]
    start = lines.index("Spearman's rho of the score with the minimum distance (number of distances)")
    assert lines[start + 1].split() == ["BLEU", "chrF", "RIBES"]
    assert lines[start + 2].split() == ["first", *["-1.00", "(4)"] * 3]


def test_undefined_has_its_reason_in_the_notes() -> None:
    notes = parts(score_report(small_report(), SETTINGS))["Notes"]
    assert notes[0] == "de-en-particle >=3, =3: BLEU, chrF, RIBES, control of all systems: no sentence"
    assert notes[1].startswith(
        "de-en-particle: sentences missing from the control, because no other has a similar length"
    )
    assert ">=1 3 of 120" in " ".join(notes)


def test_reasons_of_single_systems_name_them() -> None:
    made = small_report()
    first, second = made.systems
    scores = replace(second.sets[0], correlations=(DistanceCorrelation("bleu", None, 2, "fewer than 3 points"),))
    notes = undefined_notes(replace(made, systems=(first, replace(second, sets=(scores,)))))
    assert "de-en-particle: Spearman BLEU of second: fewer than 3 points" in notes


def test_signatures_stand_at_the_end() -> None:
    text = score_report(small_report(), SETTINGS)
    assert text.endswith(
        "Signatures\n----------\nldd|pair:de-en|version:0\nBLEU   case:mixed|tok:13a\nchrF   nc:6|nw:0\nRIBES  lc:yes"
    )


def test_without_full_corpus_nothing_is_said_of_it() -> None:
    text = score_report(small_report(baseline=False), SETTINGS)
    assert not [word for word in ("drop", "control", "full corpus", "Full corpus") if word in text]
    header = parts(text)["de-en-particle"][0]
    assert header.split() == "BLEU 95 % interval vs best p chrF RIBES".split()


def test_without_bootstrap_there_are_no_intervals() -> None:
    made = small_report(bootstrap=False)
    untested = tuple(replace(each, low=None, high=None, p_value=None) for each in made.comparisons)
    text = score_report(replace(made, comparisons=untested), SETTINGS)
    header = parts(text)["de-en-particle"][0]
    assert header.split() == "BLEU vs best drop control better chrF RIBES".split()
    assert "\np: " not in text


def test_one_system_is_not_ranked() -> None:
    text = score_report(report([system("only", [("particle", 38.0)])]), SETTINGS)
    assert "*" not in text
    assert "vs best" not in text
    assert "1 system, 1 challenge set\n" in text


def test_set_without_any_sentence() -> None:
    empty = system("one", [("particle", 38.0)], (0, 0, 0, 0))
    text = score_report(report([empty, replace(empty, system="two")]), SETTINGS)
    assert parts(text)["de-en-particle"] == ["This set has no sentences."]
    assert re.search(r"^particle +0! ", text, re.MULTILINE)


def test_sets_of_lines_have_one_bin_and_no_correlation() -> None:
    made = small_report()
    systems = tuple(
        replace(each, sets=(replace(each.sets[0], minimum=each.sets[0].minimum[:1], exact=()),))
        for each in made.systems
    )
    text = score_report(replace(made, systems=systems), SETTINGS)
    assert len(parts(text)["de-en-particle"]) == 1 + 1 + 2
    assert "Spearman" not in text


def test_names_with_control_characters_cannot_break_a_table() -> None:
    made = report([system("a\nb", [("particle", 38.0)]), system("c\x1b[31m", [("particle", 37.0)])])
    text = score_report(made, SETTINGS)
    assert "\x1b" not in text
    assert r"a\nb" in text


def test_level_of_the_intervals_and_size_of_small_sets_are_those_of_the_run() -> None:
    text = score_report(small_report(), Settings(level=0.9, small=20))
    assert "90 % interval" in text
    assert "too small (n < 20)" in text


@pytest.mark.parametrize("metric", ["bleu", "chrf", "chrf++", "ribes"])
def test_any_single_metric_can_be_the_first(metric: str) -> None:
    score = Score(metric, 0.5, 0.4, 0.6)
    cells = tuple(Cell(place, 40, False, 10.0, (score,)) for place in MINIMUM)
    scores = SetScores("de-en-x", "x", cells, cells[:1], ())
    made = LddReport("de-en", "news", (SystemScores("one", None, (scores,)),), (), ((metric, "m"),), "s")
    shown = "0.500" if metric == "ribes" else "0.50"
    assert re.search(rf"^  one +{re.escape(shown)}  ", score_report(made, SETTINGS), re.MULTILINE)


# Short names


def test_names_lose_what_all_begin_with() -> None:
    names = [f"newstest2021.de-en.hyp.{name}" for name in ("Online-A", "Online-G")]
    # "Online-" is common too, but a dash stands inside names; it is a place to cut where there is no other.
    assert list(short_names(names).values()) == ["…Online-A", "…Online-G"]
    long = ["transformer-big-seed-1234567-run-a", "transformer-big-seed-1234567-run-b"]
    assert list(short_names(long).values()) == ["…a", "…b"]
    assert short_names(["base", "big"]) == {"base": "base", "big": "big"}


def test_names_that_only_differ_in_the_middle_stay_different() -> None:
    names = ["x" * 30 + middle + "y" * 30 for middle in "ab"]
    assert len(set(short_names(names).values())) == 2


@given(st.lists(st.text(alphabet="ab.-_é", min_size=1, max_size=40), min_size=1, max_size=8, unique=True))
def test_short_names_are_unique_and_fit(names: list[str]) -> None:
    short = short_names(names)
    assert list(short) == names
    assert len(set(short.values())) == len(names)
    assert all(len(name) <= 20 for name in short.values())


# Ranking


def test_best_and_difference_from_it_from_either_side() -> None:
    # Only "first vs second" is compared; second is the best, so the difference of first is turned round.
    comparison = Comparison("first", "second", "s", MINIMUM[0], "bleu", 50, 1.5, 0.5, 2.25, 0.04)
    found = Comparisons([comparison])
    forward = found.minus("s", "All", "bleu", "second", "first")
    back = found.minus("s", "All", "bleu", "first", "second")
    assert forward is not None and back is not None
    assert (forward.difference, forward.low, forward.high, forward.p_value) == (1.5, 0.5, 2.25, 0.04)
    assert (back.difference, back.low, back.high, back.p_value) == (-1.5, -2.25, -0.5, 0.04)
    assert found.minus("s", "All", "chrf", "first", "second") is None


def test_ties_are_all_best() -> None:
    made = report([system(name, [("particle", bleu)]) for name, bleu in (("a", 38), ("b", 38), ("c", 37))])
    view = set_views(made)[0]
    assert best_systems(view.minimum[0], "bleu") == {"a", "b"}
    assert list(versus_best(view.configuration, view.minimum[0], "bleu", Comparisons(made.comparisons))) == ["c"]
    assert best_systems(view.minimum[3], "bleu") == frozenset()  # 12 sentences


# Numbers


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "-"),
        (0.5, ".500"),
        (0.0123, ".012"),
        (0.001, ".001"),
        (0.0009, "<.001"),
        (1.0, "1.000"),
        (0.9997, "1.000"),
    ],
)
def test_p_values(value: float | None, shown: str) -> None:
    assert p_value(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [(None, "-"), (0.0, "0 %"), (0.97, "97 %"), (1.0, "100 %"), (0.995, ">99 %"), (0.004, "<1 %")],
)
def test_shares(value: float | None, shown: str) -> None:
    assert share(value) == shown


# JSON


def test_record_holds_every_field_under_stable_keys() -> None:
    record = json.loads(to_json(score_record(small_report(), SETTINGS)))
    assert list(record) == "pair corpus signature signatures settings systems comparisons".split()
    assert record["signatures"]["chrf"] == "nc:6|nw:0"
    assert record["settings"]["n_resamples"] == 1000
    assert record["settings"]["preset"] == "sacrebleu"
    first = record["systems"][0]
    assert list(first) == ["system", "baseline", "sets"]
    assert list(first["sets"][0]) == "configuration phenomenon minimum exact correlations".split()
    cell = first["sets"][0]["minimum"][3]
    assert (cell["bin"], cell["n"], cell["small"]) == (
        {"name": ">=3", "minimum": 3, "maximum": None},
        0,
        True,
    )
    assert cell["scores"][0]["value"] is None
    assert cell["scores"][0]["reason"] == "no sentence"
    assert len(first["sets"][0]["exact"]) == len(EXACT)
    assert record["comparisons"][0]["second"] == "second"


def test_record_of_a_run_without_full_corpus() -> None:
    record = score_record(small_report(baseline=False), SETTINGS)
    assert record["systems"][0]["baseline"] is None
    assert record["systems"][0]["sets"][0]["minimum"][0]["scores"][0]["drop"] is None


def test_bins_keep_their_maximum() -> None:
    assert score_record(small_report(), SETTINGS)["systems"][0]["sets"][0]["exact"][1]["bin"] == {
        "name": "=1",
        "minimum": 1,
        "maximum": Bin("=1", 1, 1).maximum,
    }
