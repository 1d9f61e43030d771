"""Systems on sets from end to end: small corpora by hand, a plain loop as oracle, real outputs."""

from __future__ import annotations

import doctest
import importlib
import json
import random
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dibimt_metric.score_bootstrap import resample_indices
from dibimt_metric.signature import parse_signature
from dibimt_metric.version import VERSION
from ldd_challenge_sets import scoring
from ldd_challenge_sets.records import LddRow
from ldd_challenge_sets.scoring.results import Cell, Comparison, LddReport, SetScores
from ldd_challenge_sets.scoring.scorer import Settings, score_sets
from ldd_challenge_sets.scoring.select import baseline_rows, rows_from_ids, select_lines

sacrebleu = pytest.importorskip("sacrebleu")

ROOT = Path(__file__).resolve().parents[2]
LINES = 60
QUICK = Settings(n_resamples=50, control=20)
PLAIN = Settings(n_resamples=0, control=0)


def texts(seed: int) -> list[str]:
    rng = random.Random(seed)
    words = "the a dog cat house tree sees takes gives up off out and then , . red old one two".split()
    return [" ".join(rng.choices(words, k=rng.randint(4, 12))) for _ in range(LINES)]


def worse(references: list[str], share: float, seed: int) -> dict[int, str]:
    """Translations that lose or confuse a share of their words."""
    rng = random.Random(seed)
    words = "stone lake hill".split()
    return {
        line: " ".join(rng.choice(words) if rng.random() < share else word for word in text.split())
        for line, text in enumerate(references, 1)
    }


REFERENCES = texts(1)
BASELINE = baseline_rows(texts(2), REFERENCES, corpus="made")
SYSTEMS = {"good": worse(REFERENCES, 0.1, 3), "bad": worse(REFERENCES, 0.4, 4)}


def rows(phenomenon: str, lines: Iterable[int], distances: Iterable[int | None]) -> list[LddRow]:
    made = rows_from_ids(lines, [row.source for row in BASELINE], REFERENCES, phenomenon, corpus="made")
    return [replace(row, max_distance=distance) for row, distance in zip(made, distances, strict=True)]


PARTICLE = rows("particle", range(1, 41), [line % 6 for line in range(1, 41)])
REORDERING = rows("reordering", range(30, 50), [5 + line % 15 for line in range(20)])
SETS = {"de-en-particle": PARTICLE, "de-en-reordering": REORDERING}


def find(report: LddReport, system: str, configuration: str) -> SetScores:
    (one,) = [each for each in report.systems if each.system == system]
    (found,) = [each for each in one.sets if each.configuration == configuration]
    return found


def bleu(lines: Iterable[int], system: Mapping[int, str]) -> float:
    chosen = list(lines)
    references = [[REFERENCES[line - 1] for line in chosen]]
    return float(sacrebleu.BLEU().corpus_score([system[line] for line in chosen], references).score)


@pytest.fixture(scope="module")
def report() -> LddReport:
    return score_sets(BASELINE, SETS, SYSTEMS, QUICK)


# Values


def test_every_bin_scores_as_sacrebleu_scores_its_lines(report: LddReport) -> None:
    checked = 0
    for system, translations in SYSTEMS.items():
        for configuration, members in SETS.items():
            found = find(report, system, configuration)
            for cell in (*found.minimum, *found.exact):
                high = cell.bin.maximum
                inside = [
                    row.line
                    for row in members
                    if row.max_distance is not None
                    and cell.bin.minimum <= row.max_distance
                    and (high is None or row.max_distance <= high)
                ]
                assert cell.n == len(inside) > 0
                assert cell.scores[0].value == bleu(inside, translations)
                checked += 1
    assert checked == 2 * (9 + 8)


def test_baseline_and_drop(report: LddReport) -> None:
    for each in report.systems:
        assert each.baseline is not None
        whole = each.baseline.scores[0]
        assert whole.value == bleu(range(1, LINES + 1), SYSTEMS[each.system])
        assert (each.baseline.n, each.baseline.small, whole.drop, each.baseline.controls) == (
            LINES,
            False,
            None,
            (),
        )
        for cell in each.sets[0].minimum:
            value = cell.scores[0].value
            assert value is not None and whole.value is not None
            assert cell.scores[0].drop == value - whole.value


def test_cells_say_what_they_hold(report: LddReport) -> None:
    found = find(report, "good", "de-en-particle")
    assert found.phenomenon == "particle"
    assert [(cell.bin.name, cell.n) for cell in found.minimum] == [
        ("All", 40), (">=1", 34), (">=2", 27), (">=3", 20),
    ]  # fmt: skip
    # Lines 1 to 40, distance line % 6: 0 and 5 six times each, 1, 2, 3 and 4 seven times each.
    assert [(cell.bin.name, cell.n) for cell in found.exact] == [
        ("=0", 6), ("=1", 7), ("=2", 7), ("=3", 7), (">=4", 13),
    ]  # fmt: skip
    assert [cell.small for cell in found.minimum] == [False, False, True, True]
    lengths = [len(row.source_tokens) for row in PARTICLE]
    assert found.minimum[0].mean_length == sum(lengths) / 40
    assert [score.metric for score in found.minimum[0].scores] == ["bleu", "chrf", "ribes"]


def test_intervals_and_p_values_equal_a_plain_loop(report: LddReport) -> None:
    # The rows of the set are taken in the order of their lines; every resample is scored by sacrebleu itself.
    lines = sorted(row.line for row in PARTICLE)
    draws = [[lines[at] for at in draw] for draw in resample_indices(len(lines), 50, seed=0)]
    samples = {name: np.array([bleu(draw, each) for draw in draws]) for name, each in SYSTEMS.items()}
    for name, sample in samples.items():
        score = find(report, name, "de-en-particle").minimum[0].scores[0]
        assert score.low == pytest.approx(float(np.quantile(sample, 0.025)), abs=1e-9)
        assert score.high == pytest.approx(float(np.quantile(sample, 0.975)), abs=1e-9)
    found = comparison(report, "de-en-particle", "All", "bleu")
    gap = bleu(lines, SYSTEMS["bad"]) - bleu(lines, SYSTEMS["good"])
    differences = samples["bad"] - samples["good"]
    extreme = sum(abs(differences - gap) >= abs(gap) - 1e-9)
    assert found.difference == gap < 0
    assert found.p_value == (extreme + 1) / 51
    assert found.low == pytest.approx(float(np.quantile(differences, 0.025)), abs=1e-9)


def comparison(report: LddReport, configuration: str, bin: str, metric: str) -> Comparison:
    (found,) = [
        each
        for each in report.comparisons
        if (each.configuration, each.bin.name, each.metric) == (configuration, bin, metric)
    ]
    return found


def test_every_two_systems_are_compared_on_every_bin(report: LddReport) -> None:
    # The corpus, nine bins of the lexical set, seven different ones of the reordering set (">=16" is in both groups).
    assert len(report.comparisons) == (1 + 9 + 7) * 3
    assert {(each.first, each.second) for each in report.comparisons} == {("good", "bad")}
    assert comparison(report, "de-en-baseline", "All", "ribes").n == LINES


def test_correlation_is_over_the_minimum_bins(report: LddReport) -> None:
    stats = pytest.importorskip("scipy.stats")
    found = find(report, "good", "de-en-particle")
    for number, correlation in enumerate(found.correlations):
        scores = [cell.scores[number].value for cell in found.minimum]
        assert correlation.points == 4
        assert correlation.rho == pytest.approx(float(stats.spearmanr([0, 1, 2, 3], scores).statistic))


def test_harder_sentences_score_below_the_control() -> None:
    lines = list(range(1, 21))
    system = {line: "stone lake hill" if line in lines else REFERENCES[line - 1] for line in range(1, LINES + 1)}
    members = rows("particle", lines, [1] * 20)
    found = score_sets(BASELINE, {"de-en-particle": members}, {"one": system}, QUICK)
    controls = find(found, "one", "de-en-particle").minimum[0].controls
    assert [(each.metric, each.samples, each.better) for each in controls] == [
        ("bleu", 20, 1.0), ("chrf", 20, 1.0), ("ribes", 20, 1.0),
    ]  # fmt: skip
    assert all(each.mean is not None and each.low is not None for each in controls)


def test_control_by_hand() -> None:
    # Lengths 3, 3, 3, 9, 9: the first can only be replaced by the second or third, which are translated perfectly.
    lengths = (3, 3, 3, 9, 9)
    references = [f"one two three four {number}" for number in range(5)]
    corpus = baseline_rows([" ".join("w" * length) for length in lengths], references, corpus="made")
    systems = {"one": {1: "", 2: references[1], 3: references[2], 4: "x", 5: "y"}}
    report = score_sets(corpus, {"de-en-particle": corpus[:1]}, systems, QUICK)
    (control, *_) = find(report, "one", "de-en-particle").minimum[0].controls
    assert (control.better, control.unmatched) == (1.0, 0)
    assert control.mean == pytest.approx(100.0)
    report = score_sets(corpus[:1] + corpus[3:], {"de-en-particle": corpus[:1]}, systems, QUICK)
    (control, *_) = find(report, "one", "de-en-particle").minimum[0].controls
    assert (control.samples, control.mean, control.better, control.unmatched) == (0, None, None, 1)
    assert control.reason == "the corpus has no other sentence of this length"


# What is not there


def test_without_corpus() -> None:
    report = score_sets(None, SETS, SYSTEMS, QUICK)
    for system in report.systems:
        assert system.baseline is None
        for cell in system.sets[0].minimum:
            assert all(score.drop is None and score.value is not None for score in cell.scores)
            assert [each.reason for each in cell.controls] == ["the full corpus was not given"] * 3
    assert "|baseline:none|" in report.signature


def test_only_the_lines_of_the_sets_need_translations() -> None:
    short = {name: {line: each[line] for line in range(1, 50)} for name, each in SYSTEMS.items()}
    assert score_sets(None, SETS, short, QUICK).systems == score_sets(None, SETS, SYSTEMS, QUICK).systems


def test_nothing_is_drawn_unless_it_is_asked_for() -> None:
    report = score_sets(BASELINE, SETS, SYSTEMS, PLAIN)
    cell = find(report, "good", "de-en-particle").minimum[0]
    assert (cell.scores[0].low, cell.scores[0].high, cell.controls) == (None, None, ())
    found = comparison(report, "de-en-particle", "All", "bleu")
    assert found.difference is not None
    assert (found.low, found.p_value, found.reason) == (None, None, "no resamples were requested")


def test_empty_bins_are_undefined() -> None:
    members = rows("particle", [1, 2], [0, 1])
    report = score_sets(BASELINE, {"de-en-particle": members}, SYSTEMS, QUICK)
    found = find(report, "good", "de-en-particle")
    assert [cell.n for cell in found.minimum] == [2, 1, 0, 0]
    empty = found.minimum[2]
    assert (empty.small, empty.mean_length) == (True, None)
    for score in empty.scores:
        assert (score.value, score.low, score.drop, score.reason) == (
            None,
            None,
            None,
            "no sentence in this bin",
        )
    assert [each.reason for each in empty.controls] == ["no sentence in this bin"] * 3
    assert (found.correlations[0].rho, found.correlations[0].points) == (None, 2)
    assert found.correlations[0].reason == "fewer than 3 points"
    undefined = comparison(report, "de-en-particle", ">=2", "bleu")
    assert (undefined.n, undefined.difference, undefined.p_value) == (0, None, None)
    assert undefined.reason == "no sentence in this bin"


def test_empty_set() -> None:
    report = score_sets(BASELINE, {"de-en-particle": []}, SYSTEMS, QUICK)
    found = find(report, "good", "de-en-particle")
    assert found.phenomenon == "particle"
    assert [cell.n for cell in (*found.minimum, *found.exact)] == [0] * 9


def test_set_without_distances_is_one_bin() -> None:
    members = rows("particle", [1, 2, 3], [None] * 3)
    report = score_sets(BASELINE, {"de-en-particle": members}, SYSTEMS, QUICK)
    found = find(report, "good", "de-en-particle")
    assert [(cell.bin.name, cell.n) for cell in found.minimum] == [("All", 3)]
    assert found.exact == ()
    assert found.correlations[0].reason == "fewer than 3 points"


def test_thirty_sentences_are_enough() -> None:
    for n, small in ((29, True), (30, False)):
        report = score_sets(None, {"de-en-particle": rows("particle", range(1, n + 1), [0] * n)}, SYSTEMS, PLAIN)
        assert find(report, "good", "de-en-particle").minimum[0].small is small


def test_equal_scores_have_no_correlation() -> None:
    members = rows("particle", [1, 2], [4, 4])
    report = score_sets(BASELINE, {"de-en-particle": members}, SYSTEMS, PLAIN)
    assert find(report, "good", "de-en-particle").correlations[0].reason == "all values of one side are equal"


def test_one_system_has_no_comparison() -> None:
    assert score_sets(BASELINE, SETS, {"good": SYSTEMS["good"]}, PLAIN).comparisons == ()


# What must not change anything


def test_order_of_rows_changes_nothing(report: LddReport) -> None:
    mixed = {name: random.Random(0).sample(members, len(members)) for name, members in SETS.items()}
    assert score_sets(BASELINE[::-1], mixed, SYSTEMS, QUICK) == report


def test_other_sets_and_systems_change_nothing(report: LddReport) -> None:
    alone = score_sets(BASELINE, {"de-en-reordering": REORDERING}, {"bad": SYSTEMS["bad"]}, QUICK)
    assert alone.systems[0].baseline == report.systems[1].baseline
    assert alone.systems[0].sets[0] == find(report, "bad", "de-en-reordering")


def test_seed(report: LddReport) -> None:
    assert score_sets(BASELINE, SETS, SYSTEMS, QUICK) == report
    other = score_sets(BASELINE, SETS, SYSTEMS, replace(QUICK, seed=1))
    one, two = (find(each, "good", "de-en-particle").minimum[0] for each in (report, other))
    assert one.scores[0].value == two.scores[0].value
    assert one.scores[0].low != two.scores[0].low
    assert one.controls[0].mean != two.controls[0].mean


def test_systems_the_other_way_round(report: LddReport) -> None:
    turned = score_sets(BASELINE, SETS, dict(reversed(SYSTEMS.items())), QUICK)
    for one, other in zip(report.comparisons, turned.comparisons, strict=True):
        assert (one.first, one.second) == (other.second, other.first)
        assert one.difference is not None and other.difference is not None
        assert one.difference == -other.difference
        assert one.p_value == other.p_value


def test_system_against_itself() -> None:
    same = {"one": SYSTEMS["good"], "two": dict(SYSTEMS["good"])}
    for each in score_sets(BASELINE, SETS, same, QUICK).comparisons:
        assert (each.difference, each.low, each.high, each.p_value) == (0.0, 0.0, 0.0, 1.0)


def test_a_clear_difference_is_found() -> None:
    report = score_sets(BASELINE, SETS, SYSTEMS, Settings(n_resamples=200, control=0))
    found = comparison(report, "de-en-particle", "All", "chrf")
    assert found.p_value == 1 / 201
    assert found.high is not None and found.high < 0


def test_repeated_lines_weigh_more() -> None:
    members = rows("particle", [1, 2], [0, 0])
    report = score_sets(BASELINE, {"de-en-particle": [*members, members[0]]}, SYSTEMS, PLAIN)
    cell = find(report, "good", "de-en-particle").minimum[0]
    assert (cell.n, cell.scores[0].value) == (3, bleu([1, 1, 2], SYSTEMS["good"]))


def test_lengths_are_those_of_the_corpus() -> None:
    # The set counts other tokens than the corpus; the control could not match the two.
    members = [replace(row, source_tokens=("all", "one")) for row in PARTICLE]
    with_corpus = score_sets(BASELINE, {"de-en-particle": members}, SYSTEMS, QUICK)
    plain = score_sets(BASELINE, {"de-en-particle": PARTICLE}, SYSTEMS, QUICK)
    assert with_corpus.systems == plain.systems
    alone = score_sets(None, {"de-en-particle": members}, SYSTEMS, PLAIN)
    assert find(alone, "good", "de-en-particle").minimum[0].mean_length == 2.0


# The report


def test_report_is_plain_data(report: LddReport) -> None:
    assert json.loads(json.dumps(asdict(report)))["pair"] == "de-en"
    assert (report.pair, report.corpus) == ("de-en", "made")
    cell = find(report, "good", "de-en-particle").minimum[0]
    kinds = {type(value) for value in _leaves(asdict(cell))}
    assert kinds <= {str, int, float, bool, type(None)}


def _leaves(value: Any) -> Iterable[Any]:
    if isinstance(value, (dict, list, tuple)):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _leaves(each)
    else:
        yield value


def test_signature(report: LddReport) -> None:
    assert report.signature.startswith("ldd|pair:de-en|corpus:made|sets:")
    assert report.signature.endswith(f"|bins:1|bootstrap:50|level:0.95|seed:0|control:20|version:{VERSION}")
    common = parse_signature("dibimt" + report.signature.removeprefix("ldd"))
    assert len(common.get("sets") or "") == len(common.get("baseline") or "") == 12
    names = dict(report.signatures)
    assert list(names) == ["bleu", "chrf", "ribes"]
    assert "tok:13a" in names["bleu"]
    assert f"version:{sacrebleu.__version__}" in names["chrf"]


def test_target_language_chooses_the_tokenizer() -> None:
    report = score_sets(None, {"de-zh-particle": PARTICLE}, SYSTEMS, PLAIN)
    assert "tok:zh" in dict(report.signatures)["bleu"]
    named = score_sets(None, {"my set": PARTICLE}, SYSTEMS, PLAIN, pair="de-zh")
    assert (named.pair, named.signatures) == ("de-zh", report.signatures)


def test_progress_sees_the_parts() -> None:
    sizes: list[int] = []

    def progress(parts: Iterable[Any]) -> Iterable[Any]:
        sizes.append(len(list(parts)))
        return parts

    score_sets(BASELINE, SETS, SYSTEMS, PLAIN, progress=progress)
    assert sizes == [1, 9 + 7]


def test_the_settings_of_the_paper() -> None:
    settings = Settings(metrics=("bleu", "ribes"), preset="multi-bleu", n_resamples=0, control=0)
    report = score_sets(BASELINE, SETS, SYSTEMS, settings)
    scorer = sacrebleu.BLEU(tokenize="none", smooth_method="none", force=True)
    texts = [SYSTEMS["good"][row.line] for row in PARTICLE]
    expected = scorer.corpus_score(texts, [[row.target for row in PARTICLE]]).score
    assert find(report, "good", "de-en-particle").minimum[0].scores[0].value == expected


# Examples

MODULES = sorted(path.stem for path in Path(scoring.__path__[0]).glob("*.py") if path.stem != "__init__")


@pytest.mark.parametrize("module", MODULES)
def test_examples_of_the_docstrings(module: str) -> None:
    results = doctest.testmod(importlib.import_module(f"ldd_challenge_sets.scoring.{module}"))
    assert results.failed == 0


def test_examples_of_the_document() -> None:
    results = doctest.testfile(str(ROOT / "docs" / "ldd_scores.md"), module_relative=False, encoding="utf-8")
    assert results.attempted > 5 and results.failed == 0


def test_document_names_every_setting() -> None:
    text = (ROOT / "docs" / "ldd_scores.md").read_text(encoding="utf-8")
    assert [field.name for field in fields(Settings) if f"| `{field.name}` |" not in text] == []


def test_import_is_light() -> None:
    code = "import sys, ldd_challenge_sets.scoring.scorer; print('numpy' in sys.modules, 'sacrebleu' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["False", "False"]


# Real outputs


@pytest.mark.parametrize("pair", ["de-en", "en-de"])
def test_subset_of_a_real_test_set_scores_as_its_files(pair: str, test_data: Path, tmp_path: Path) -> None:
    source, target = pair.split("-")
    stem = test_data / "wmt21" / f"newstest2021.{pair}"
    lines = list(range(3, 900, 11))
    outputs = sorted(stem.parent.glob(f"{stem.name}.hyp.*.{target}"))
    assert len(outputs) == 5
    whole = select_lines(f"{stem}.ref.A.{target}", range(1, 1001))
    members = rows_from_ids(lines, select_lines(f"{stem}.src.{source}", range(1, 1001)), whole, "particle")
    systems = {each.name: dict(zip(lines, select_lines(each, lines), strict=True)) for each in outputs}
    report = score_sets(None, {f"{pair}-particle": members}, systems, PLAIN)
    reference = tmp_path / "ref.txt"
    reference.write_text("".join(f"{row.target}\n" for row in members), encoding="utf-8")
    for each in report.systems:
        hypothesis = tmp_path / each.system
        hypothesis.write_text("".join(f"{systems[each.system][line]}\n" for line in lines), encoding="utf-8")
        values = [score.value for score in each.sets[0].minimum[0].scores[:2]]
        streams = [path.read_text(encoding="utf-8").split("\n")[:-1] for path in (hypothesis, reference)]
        assert values[0] == sacrebleu.corpus_bleu(streams[0], [streams[1]]).score
        assert values[1] == sacrebleu.corpus_chrf(streams[0], [streams[1]]).score
    run = subprocess.run(
        [sys.executable, "-m", "sacrebleu", reference, "-i", tmp_path / outputs[0].name, "-m", "bleu", "-b", "-w", "4"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    value = report.systems[0].sets[0].minimum[0].scores[0].value
    assert f"{value:.4f}" == run.stdout.strip()


def test_cells_are_hashable_records(report: LddReport) -> None:
    cells: set[Cell] = {cell for each in report.systems for cell in each.sets[0].minimum}
    assert len(cells) == 8
