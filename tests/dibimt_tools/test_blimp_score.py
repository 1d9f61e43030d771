"""``dibimt blimp score``: its report, its files, its messages, and that it goes on after an interruption."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from minimal_pairs.records import Request, TextScore
from tests.dibimt_tools.blimp_runs import ROWS, Fixed, save_tiny_model, write_rows

Run = Callable[..., tuple[int, str, str]]

# Good and bad of each of ROWS: right, right, wrong; right, tie, no score; right, right.
SCORES = ("-1 -2", "-1 -2", "-2 -1", "-1 -2", "-3 -3", "NA -1", "-1 -2", "-1 -2")
OVERALL = (100 * 2 / 3 + 100 * 1 / 2 + 100) / 3


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with pairs and their scores in it."""
    monkeypatch.chdir(tmp_path)
    write_rows(tmp_path / "pairs.jsonl")
    write_scores(tmp_path / "scores.txt")
    return tmp_path


def write_scores(path: Path, lines: Sequence[str] = SCORES) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


SCORE = "blimp score --model scores:scores.txt --data pairs.jsonl"


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], None]:
    """Have the command load this model, whatever is named."""
    return lambda model: monkeypatch.setattr("dibimt_tools.blimp.command_score.load", lambda chosen: model)


# The report


def test_report_has_the_numbers(run: Run) -> None:
    code, out, err = run(SCORE)
    assert (code, err) == (0, "")
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert lines[0] == "Minimal pairs, method full: 7 pairs of 3 paradigms, 1 without a score"
    assert f"{OVERALL:.2f}" == "72.22"
    found = {line.split(" 95")[0] for line in lines}
    assert any(line.startswith("mean over 3 paradigms 72.22 ") and line.endswith(" 7 5 1 1 1") for line in found)
    mean = (100 + (100 * 2 / 3 + 50) / 2) / 2
    assert any(line.startswith(f"mean over 2 phenomena {mean:.2f} ") for line in lines)
    assert any(line.startswith(f"over pairs {100 * 5 / 7:.2f} ") for line in lines)
    # All paradigms of ellipsis are there, so its published scores stand beside; one of two of the other is not.
    assert any(line.startswith("ellipsis 2 5 58.33 ") and line.endswith(" 85.0 89.3 36.9") for line in lines)
    assert any(line.startswith("anaphor_agreement 1 2 100.00 ") and line.endswith(" - - -") for line in lines)
    assert "good: no_score 1" in lines
    assert any(line.startswith("ellipsis_n_bar_2 2 50.00 ") and line.endswith(" 1 1") for line in lines)
    assert "Ties, where both sentences score the same, count as wrong." in lines


def test_report_fits_the_terminal(run: Run) -> None:
    _, out, _ = run(SCORE)
    assert [line for line in out.splitlines() if len(line) > 100 and not line.startswith("signature: ")] == []


def test_json_has_the_whole_report(run: Run) -> None:
    code, out, err = run(f"{SCORE} --json --sample 6 --seed 1")
    assert (code, err) == (0, "")
    record = json.loads(out)
    assert {
        "overall",
        "overall_phenomena",
        "overall_pairs",
        "phenomena",
        "paradigms",
        "fields",
        "lengths",
    } <= set(record)
    assert record["signature"].startswith("dibimt|task:minimal_pairs|data:")
    assert record["sample"] == {"pairs": 6, "wanted": 6, "seed": 1, "short": {}, "left_out": []}
    assert record["settings"]["preset"] == "paper"
    assert {row["published"]["name"] for row in record["published"]} >= {"GPT-2 large", "human, individual"}
    assert all(not row["same_settings"] and row["differs"] for row in record["published"])


def test_settings_stand_in_the_signature(run: Run) -> None:
    _, out, _ = run(f"{SCORE} --ties half --preset lm-eval --json")
    record = json.loads(out)
    assert record["overall"]["value"] == pytest.approx((100 * 2 / 3 + 75 + 100) / 3)
    assert "|preset:lm-eval+ties|" in record["signature"] and "|ties:half|" in record["signature"]


def test_text_does_not_depend_on_the_run(run: Run) -> None:
    assert run(SCORE) == run(SCORE)


def test_ties_and_lengths(run: Run, use: Callable[[Any], None]) -> None:
    """All pairs have as many words on both sides."""
    use(Fixed(liked="herself"))
    _, out, _ = run("blimp score --model any --data pairs.jsonl --json")
    record = json.loads(out)
    assert record["overall"]["ties"] == 6 and record["overall"]["value"] == pytest.approx(100 / 3)
    assert [(group["name"], group["accuracy"]["n"]) for group in record["lengths"]][:2] == [
        ("equal words", 8),
        ("good shorter in words", 0),
    ]


# Which pairs


def test_filters(run: Run) -> None:
    _, out, _ = run(f"{SCORE} --phenomena ellipsis --paradigms ellipsis_n_bar_1 --json")
    record = json.loads(out)
    assert record["overall"]["value"] == pytest.approx(100 * 2 / 3)
    assert record["notes"] == ["Chosen: 3 of 8 pairs, by --phenomena and --paradigms."]


def test_vocabulary(run: Run, here: Path) -> None:
    (here / "words.txt").write_text("ann zoe sees herself himself".replace(" ", "\n"))
    _, out, _ = run(f"{SCORE} --vocabulary words.txt --json")
    record = json.loads(out)
    assert (record["overall"]["n"], record["overall"]["value"]) == (2, 100)
    assert record["notes"][0].startswith("Vocabulary words.txt: 2 of 8 pairs kept; most often unknown: ")


def test_prefix_method_takes_the_paradigms_that_it_fits(run: Run, use: Callable[[Any], None]) -> None:
    use(Fixed())
    code, out, _ = run("blimp score --model any --data pairs.jsonl --method one-prefix --json")
    record = json.loads(out)
    assert (code, record["method"], record["overall"]["n"]) == (0, "one-prefix", 2)
    assert record["notes"] == ["Left out: 2 paradigms without the fields of the method one-prefix."]


def test_named_scores_may_be_of_the_chosen_pairs_only(run: Run, here: Path) -> None:
    rows = ["paradigm\tpair_id\tgood\tbad", *(f"anaphor_gender_agreement\t{i}\t-1\t-2" for i in (1, 0))]
    write_scores(here / "some.tsv", rows)
    base = "blimp score --model scores:some.tsv --data pairs.jsonl"
    code, _, err = run(base)
    assert code == 2 and "no scores for pair 0 of paradigm 'ellipsis_n_bar_1'" in err
    code, out, _ = run(f"{base} --phenomena anaphor_agreement --json")
    assert (code, json.loads(out)["overall"]["value"]) == (0, 100)


# Files


def test_page_and_figure(run: Run, here: Path) -> None:
    pytest.importorskip("matplotlib")
    command = f"{SCORE} --html page.html --plot figure.png --output report.txt"
    assert run(command) == (0, "", "")
    assert (here / "figure.png").read_bytes().startswith(b"\x89PNG")
    assert "72.22" in (here / "page.html").read_text() and "72.22" in (here / "report.txt").read_text()
    before = {path: path.read_bytes() for path in here.iterdir()}
    code, _, err = run(command)
    assert code == 2 and "overwrite it with --force" in err
    assert run(f"{command} --force")[0] == 0
    assert {path: path.read_bytes() for path in here.iterdir()} == before


def test_figure_without_library(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    code, _, err = run(f"{SCORE} --plot figure.png")
    assert code == 2 and "pip install 'dibimt[plot]'" in err


def test_per_pair_file_is_read_again(run: Run, here: Path) -> None:
    first = run(f"{SCORE} --per-pair out.jsonl")
    before = (here / "out.jsonl").read_bytes()
    assert before.count(b"\n") == len(ROWS)
    assert run(f"{SCORE} --per-pair out.jsonl") == first
    assert (here / "out.jsonl").read_bytes() == before


def test_per_pair_file_of_other_settings(run: Run, here: Path) -> None:
    run(f"{SCORE} --per-pair out.jsonl")
    code, out, err = run(f"{SCORE} --per-pair out.jsonl --ties half")
    assert (code, out) == (2, "")
    assert "ties wrong, not half" in err and "--restart" in err
    assert run(f"{SCORE} --per-pair out.jsonl --ties half --restart")[0] == 0


def test_per_pair_file_that_is_something_else(run: Run, here: Path) -> None:
    (here / "notes.txt").write_text("mine\n")
    code, out, err = run(f"{SCORE} --per-pair notes.txt --restart")
    assert (code, out) == (2, "")
    assert "is not a per-pair file of a run" in err and "--restart --force" in err
    assert (here / "notes.txt").read_text() == "mine\n"
    assert run(f"{SCORE} --per-pair notes.txt --restart --force")[0] == 0
    assert (here / "notes.txt").read_bytes().count(b"\n") == len(ROWS)


@pytest.mark.parametrize("value", ["0", "-1", "x", "1_0"])
def test_whole_numbers_name_their_range(run: Run, value: str) -> None:
    for option in ("--sample", "--chunk", "--batch-tokens"):
        code, _, err = run(f"{SCORE} {option} {value}")
        assert code == 2
        assert f"argument {option}: expected an integer of at least 1, not {value!r}" in err


def test_interrupted_from_the_keyboard(run: Run, here: Path, use: Callable[[Any], None]) -> None:
    class Stopping(Fixed):
        calls = 0

        def score(self, requests: Sequence[Request]) -> list[TextScore]:
            self.calls += 1
            if self.calls == 2:
                raise KeyboardInterrupt
            return super().score(requests)

    command = "blimp score --model any --data pairs.jsonl --per-pair out.jsonl --chunk 3"
    use(Stopping())
    code, out, err = run(command)
    assert (code, out) == (130, "")
    assert err == (
        "dibimt blimp score: the scores so far are in out.jsonl; repeat the command to continue\ndibimt: interrupted\n"
    )
    assert (here / "out.jsonl").read_bytes().count(b"\n") == 3
    use(Fixed())
    code, out, _ = run(command)
    assert (code, out) == (0, run(command.replace(" --per-pair out.jsonl", ""))[1])


# Bad input


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ("--method half-prefix", "method 'half-prefix' is unknown"),
        ("--method two-prefix", "no pair has the fields of the method two-prefix"),
        ("--preset mine", "unknown preset 'mine'"),
        ("--ties never", "setting ties: expected one of wrong, right, half"),
        ("--reduction mean", "needs good_tokens and bad_tokens"),
        (
            "--device cuda",
            "--device belongs to models of kind causal or masked or encoder-decoder, not scores",
        ),
        ("--batch-tokens 9", "--batch-tokens belongs to models of kind"),
        ("--kind ngram", "is of kind scores, but --kind is ngram"),
        ("--kind other", "unknown kind 'other': expected one of causal"),
        (
            "--paradigms ellipsis_n_bar_3",
            "no paradigm 'ellipsis_n_bar_3' in the data; there are 3, such as 'ellipsis_n_bar",
        ),
        ("--phenomena binding", "no phenomenon 'binding' in the data"),
        ("--vocabulary none.txt", "none.txt: no such file"),
        ("--format mine", "no format 'mine'"),
        ("--columns sentence_good", "--columns sentence_good: expected FIELD=COLUMN"),
        ("--columns good=1", "columns can be named for sentence_good"),
        ("--split test", "--split: for data sets on the Hub only"),
        ("--beside LSTM Nobody", "no published scores of 'Nobody'"),
        ("--beside MPT-7B", "--beside MPT-7B: its scores by phenomenon"),
        ("--plot figure.gif", "ends in .png, .svg, .pdf"),
        ("--per-pair scores.txt", "it is an input of this command"),
        ("--per-pair pairs.jsonl", "it is an input of this command"),
        ("--output same --per-pair same", "it is an input of this command"),
        ("--per-pair none/out.jsonl", "there is no folder"),
        ("--data none.jsonl", "none.jsonl: no such file or folder"),
        ("--model scores:none.txt", "none.txt"),
        ("--model scores:", "the name after the kind is missing"),
    ],
)
def test_options_that_cannot_be_used(run: Run, here: Path, more: str, words: str) -> None:
    before = sorted(here.iterdir())
    code, out, err = run(f"{SCORE} {more}")
    assert (code, out) == (2, "")
    assert err.startswith("dibimt blimp score: ") and words in err
    assert err.count("\n") == 1 and sorted(here.iterdir()) == before


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (SCORES[:-1], "scores of 7 pairs, but the data has 8"),
        ((*SCORES, "-1 -2"), "scores of 9 pairs, but the data has 8"),
        (("-1 nan", *SCORES[1:]), "scores.txt, line 1: bad 'nan'"),
        (("-1 inf", *SCORES[1:]), "scores.txt, line 1: bad 'inf'"),
        (("1 2", *SCORES[1:]), "a log-probability is at most 0"),
        (("-1 -2 -3", *SCORES[1:]), "expected one number, two numbers"),
        ([], "scores.txt"),
    ],
)
def test_scores_that_cannot_be_used(run: Run, here: Path, lines: Sequence[str], words: str) -> None:
    write_scores(here / "scores.txt", lines)
    code, out, err = run(SCORE)
    assert (code, out) == (2, "") and words in err


@pytest.mark.parametrize("empty", ["", "  ", None])
def test_empty_sentence(run: Run, here: Path, empty: object) -> None:
    write_rows(here / "pairs.jsonl", [*ROWS[:1], {**ROWS[1], "sentence_bad": empty}, *ROWS[2:]])
    code, _, err = run(SCORE)
    assert code == 2 and "pairs.jsonl, line 2: sentence_bad is" in err


def test_scores_that_are_not_numbers_are_unscored(run: Run, use: Callable[[Any], None]) -> None:
    class Sick(Fixed):
        def score(self, requests: Sequence[Request]) -> list[TextScore]:
            return [TextScore(float("nan"), 1, 1) for _ in requests]

    use(Sick())
    code, out, _ = run("blimp score --model any --data pairs.jsonl --json")
    record = json.loads(out)
    assert (code, record["overall"]["value"], record["overall"]["unscored"]) == (0, None, 8)
    assert record["overall"]["reason"] == "no pair with a score"
    assert record["unscored_reasons"] == {"both: not_finite": 8}
    _, out, _ = run("blimp score --model any --data pairs.jsonl")
    assert "undefined, no pair with a score" in out


# n-gram models

# "herself" is likelier than "himself"; the model does not know "old", and has no <unk>.
WORDS = "Ann Zoe has sees two three four cups and . </s>".split()
ARPA = "\n".join(
    (
        "\\data\\",
        f"ngram 1={len(WORDS) + 3}",
        "ngram 2=1",
        "",
        "\\1-grams:",
        "-99\t<s>\t0",
        *(f"-1.0\t{word}\t0" for word in (*WORDS, "herself")),
        "-1.5\thimself\t0",
        "",
        "\\2-grams:",
        "-0.5\t<s> Ann",
        "",
        "\\end\\",
        "",
    )
)


def test_ngram_model_and_words_that_it_does_not_know(run: Run, here: Path) -> None:
    pytest.importorskip("kenlm")
    (here / "model.arpa").write_text(ARPA)
    code, out, err = run("blimp score --model ngram:model.arpa --data pairs.jsonl --json")
    record = json.loads(out)
    assert (code, err) == (0, "")
    assert record["unscored_reasons"] == {"both: missing_token": 6}
    assert (record["overall"]["n"], record["overall"]["value"]) == (2, 100)
    _, out, _ = run("blimp score --model ngram:model.arpa --data pairs.jsonl --missing score --json")
    assert json.loads(out)["overall"]["ties"] == 6


# Causal models of random weights, in a process of their own: what libraries say is seen there

CAUSAL = "blimp score --model model --data pairs.jsonl --json"


@pytest.fixture
def offline(program: Callable[..., Any], environment: dict[str, str], here: Path) -> Callable[[str], Any]:
    """The program in a process of its own, without the network: exit code, output, messages."""
    settings = {**environment, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    return lambda command: program(command, cwd=here, env=settings)


@pytest.mark.slow
def test_causal_model_and_no_noise(offline: Callable[[str], Any], here: Path) -> None:
    save_tiny_model(here / "model")
    long = {**ROWS[0], "sentence_good": "Ann has cups and Ben has more. " * 5, "pairID": "9"}
    write_rows(here / "pairs.jsonl", [*ROWS, long])
    code, out, err = offline(f"{CAUSAL} --per-pair out.jsonl --chunk 5")
    assert (code, err) == (0, b"")
    record = json.loads(out)
    assert record["model"].startswith("causal:model|")
    # Longer than the 64 tokens of the model: counted, and in no accuracy.
    assert record["unscored_reasons"] == {"good: too_long": 1}
    assert (record["overall"]["n"], record["overall"]["unscored"]) == (8, 1)


@pytest.mark.slow
def test_causal_model_without_first_token(offline: Callable[[str], Any], here: Path) -> None:
    save_tiny_model(here / "model", boundary=None)
    code, out, err = offline(CAUSAL)
    assert (code, out) == (2, b"")
    assert err.startswith(b"dibimt blimp score: ") and err.count(b"\n") == 1
    assert b"(--bos none --no-score-first)" in err
    code, _, err = offline(f"{CAUSAL} --bos none --no-score-first --no-score-eos")
    assert (code, err) == (0, b"")


@pytest.mark.slow
def test_no_such_model(offline: Callable[[str], Any], here: Path) -> None:
    pytest.importorskip("transformers")
    code, out, err = offline(CAUSAL)
    assert (code, out) == (2, b"")
    assert err.startswith(b"dibimt blimp score: model: no causal model could be loaded from there")
