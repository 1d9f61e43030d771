"""Scores from files: the four ways to write them, and what is wrong with a file."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dibimt_metric.errors import InputError
from minimal_pairs.models.loading import load_model
from minimal_pairs.models.precomputed import BASES, PrecomputedScores
from minimal_pairs.models.precomputed_files import read_scores
from minimal_pairs.records import Pair, Request, TextScore
from minimal_pairs.scoring.decisions import decide
from minimal_pairs.scoring.presets import preset
from minimal_pairs.scoring.results import Decision

PAPER = preset("paper")


def _pair(paradigm: str, number: int, good: str = "Lea hums.", bad: str = "Lea hum.") -> Pair:
    return Pair(good, bad, paradigm, str(number), number, paradigm)


PAIRS = (_pair("verbs", 0), _pair("verbs", 1, "Bo naps.", "Bo nap."), _pair("nouns", 0))

WAYS = {
    "scores.jsonl": '{"paradigm": "verbs", "pair_id": 0, "good": -3.5, "bad": -4}\n'
    '{"UID": "verbs", "pairID": "1", "good": -6, "bad": -5.25, "model": "x"}\n'
    '{"paradigm": "nouns", "pair_id": 0, "good": null, "bad": -1e1}\n',
    "scores.tsv": "bad\tpair_id\tnote\tparadigm\tgood\n"
    "-4\t0\t\tverbs\t-3.5\n-5.25\t1\t\tverbs\t-6.0\n-10\t0\t?\tnouns\tNA\n",
    "two.txt": "-3.5\t-4\n-6 -5.25\n  NA   -10.0\n",
    "one.txt": "-3.5\n-4\n-6\n-5.25\nNA\n-10\n\n",
    "windows.txt": "\ufeff-3.5 -4\r\n-6 -5.25\r\nNA -10\r\n",
}


def _write(path: Path, text: str) -> Path:
    path.write_bytes(text.encode())
    return path


def _load(tmp_path: Path, text: str, base: str = "e") -> PrecomputedScores:
    return PrecomputedScores.from_path(_write(tmp_path / "scores.txt", text), PAPER, base=base)


@pytest.mark.parametrize("name", WAYS)
def test_the_ways_to_write_scores(tmp_path: Path, name: str) -> None:
    scores = PrecomputedScores.from_path(_write(tmp_path / name, WAYS[name]), PAPER).match(PAIRS)
    assert [scores.outcome_scores(pair) for pair in PAIRS] == [
        (TextScore(-3.5, 0, 9), TextScore(-4.0, 0, 8)),
        (TextScore(-6.0, 0, 8), TextScore(-5.25, 0, 7)),
        (TextScore(None, 0, 9, "no_score"), TextScore(-10.0, 0, 8)),
    ]


def test_the_same_sentence_in_two_pairs_keeps_its_two_numbers(tmp_path: Path) -> None:
    scores = _load(tmp_path, "-1 -2\n-4 -3\n").match([PAIRS[0], PAIRS[2]])
    assert PAIRS[0].sentence_good == PAIRS[2].sentence_good
    decisions = [decide(pair, *scores.outcome_scores(pair), PAPER).decision for pair in (PAIRS[0], PAIRS[2])]
    assert decisions == [Decision.RIGHT, Decision.WRONG]


@pytest.mark.parametrize(("base", "factor"), [("e", 1), ("2", math.log(2)), ("10", math.log(10)), ("any", 1)])
def test_bases(tmp_path: Path, base: str, factor: float) -> None:
    scores = _load(tmp_path, "-3 -4.5\n", base).match(PAIRS[:1])
    good, bad = scores.outcome_scores(PAIRS[0])
    assert (good.logprob, bad.logprob) == (-3 * factor, -4.5 * factor)
    assert scores.name.endswith(f"|base:{base}")
    assert base in BASES


def test_numbers_that_are_no_log_probabilities(tmp_path: Path) -> None:
    good, bad = _load(tmp_path, "7.5 0\n", "any").match(PAIRS[:1]).outcome_scores(PAIRS[0])
    assert (good.logprob, bad.logprob) == (7.5, 0.0)


def test_counts_of_tokens(tmp_path: Path) -> None:
    text = "paradigm\tpair_id\tgood\tbad\tgood_tokens\tbad_tokens\nverbs\t0\t-9\t-8\t3\t2\n"
    path = _write(tmp_path / "scores.tsv", text)
    scores = load_model(path, "scores", preset("paper", reduction="mean"))
    assert isinstance(scores, PrecomputedScores)
    assert scores.has_tokens
    outcome = decide(PAIRS[0], *scores.outcome_scores(PAIRS[0]), preset("paper", reduction="mean"))
    assert (outcome.good, outcome.bad) == (-9 / 3, -8 / 2)
    assert outcome.decision is Decision.RIGHT  # by the sum it is WRONG


def test_a_mean_needs_counts_in_every_row(tmp_path: Path) -> None:
    rows = [
        '{"paradigm": "verbs", "pair_id": 0, "good": -1, "bad": -2, "good_tokens": 2, "bad_tokens": 2}',
        '{"paradigm": "verbs", "pair_id": 1, "good": -1, "bad": -2}',
    ]
    path = _write(tmp_path / "scores.jsonl", "\n".join(rows))
    with pytest.raises(InputError, match="needs good_tokens and bad_tokens in every row"):
        PrecomputedScores.from_path(path, preset("paper", reduction="mean"))
    assert not PrecomputedScores.from_path(path, PAPER).has_tokens


def test_bytes_are_those_of_the_part_that_was_scored(tmp_path: Path) -> None:
    scores = _load(tmp_path, "-1 -2\n").match(PAIRS[:1])
    requests = (Request("Zoë hums", 4, 8), Request("Zoë hum", 3, 7))
    assert [score.length for score in scores.outcome_scores(PAIRS[0], requests)] == [4, 4]
    assert [score.length for score in scores.outcome_scores(_pair("verbs", 0, "Zoë!", "Zoe!"))] == [5, 4]


def test_a_probability_of_zero_is_no_score(tmp_path: Path) -> None:
    good, bad = _load(tmp_path, "-inf -Infinity\n").match(PAIRS[:1]).outcome_scores(PAIRS[0])
    assert good == TextScore(None, 0, 9, "not_finite")
    assert bad == TextScore(None, 0, 8, "not_finite")


@given(st.lists(st.tuples(*[st.floats(-1e9, 0), st.integers(1, 500)] * 2), min_size=1, max_size=8))
def test_what_is_written_is_read(values: list[tuple[float, int, float, int]]) -> None:
    header = "paradigm\tpair_id\tgood\tgood_tokens\tbad\tbad_tokens\n"
    lines = [f"p\t{i}\t{row[0]!r}\t{row[1]}\t{row[2]!r}\t{row[3]}" for i, row in enumerate(values)]
    found = read_scores(header + "\n".join(lines), "scores.tsv")
    assert [(row.good, row.good_tokens, row.bad, row.bad_tokens) for row in found] == values
    assert [row.key for row in found] == [("p", i) for i in range(len(values))]


# Against the data


def test_pairs_without_scores_and_scores_without_pairs(tmp_path: Path) -> None:
    text = "paradigm\tpair_id\tgood\tbad\nverbs\t0\t-1\t-2\nverbs\t7\t-1\t-2\n"
    scores = PrecomputedScores.from_path(_write(tmp_path / "scores.tsv", text), PAPER)
    with pytest.raises(InputError) as caught:
        scores.match(PAIRS)
    told = str(caught.value)
    assert "no scores for pair 1 of paradigm 'verbs'" in told
    assert "no scores for pair 0 of paradigm 'nouns'" in told
    assert f"{tmp_path / 'scores.tsv'}, line 3: the data has no pair 7 of paradigm 'verbs'" in told
    with pytest.raises(InputError, match="no scores for pair 1 of paradigm 'verbs'"):
        scores.outcome_scores(PAIRS[1])


def test_many_faults_are_counted(tmp_path: Path) -> None:
    scores = PrecomputedScores.from_path(_write(tmp_path / "scores.tsv", WAYS["scores.tsv"]), PAPER)
    pairs = [*PAIRS, *(_pair("more", i) for i in range(9))]
    with pytest.raises(InputError, match=r"pair 4 of paradigm 'more'; and 4 more; the file must contain every pair"):
        scores.match(pairs)


@pytest.mark.parametrize(("text", "pairs"), [("-1 -2\n", 1), ("-1\n-2\n-1\n-2\n", 2), ("-1 -2\n" * 4, 4)])
def test_the_wrong_number_of_scores(tmp_path: Path, text: str, pairs: int) -> None:
    with pytest.raises(InputError, match=f"scores of {pairs} pairs, but the data has 3; expected one for each"):
        _load(tmp_path, text).match(PAIRS)


def test_scores_that_rely_on_order_must_be_matched(tmp_path: Path) -> None:
    scores = _load(tmp_path, "-1 -2\n")
    assert not scores.keyed
    with pytest.raises(InputError, match="do not name their pairs; match them with the data first"):
        scores.outcome_scores(PAIRS[0])
    assert scores.match(PAIRS[:1]).keyed
    assert not scores.keyed


def test_texts_alone_have_no_scores(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="belong to pairs, not to texts"):
        _load(tmp_path, "-1 -2\n").score([Request("Lea hums.")])


# Faulty files

ROW = '{"paradigm": "verbs", "pair_id": 0, "good": -1, "bad": -2}\n'
HEADER = "paradigm\tpair_id\tgood\tbad\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("-1 -2\nnan -3\n", "line 2: good 'nan': expected a finite number, or NA"),
        ("-1 -2\n-3 inf\n", "line 2: bad 'inf': expected a finite number, or NA"),
        ("-1 -2\n-3 +INF\n", r"line 2: bad '\+INF': expected a finite number"),
        (
            "-1 -2\n31.5 33\n",
            "line 2: good '31.5': a log-probability is at most 0; negate surprisals",
        ),
        ("-1 -2\n-3,5 -4\n", "line 2: good '-3,5': expected a number with a decimal point"),
        ("-1 -2\n-1_0 -4\n", "line 2: good '-1_0': expected a number"),
        ("-1 -2\n-3\n", "line 2: '-3': expected two numbers a line, as in line 1"),
        ("-1 -2\n\n-1 -2\n", "line 2: '': expected two numbers a line"),
        ("-1\n-2\n-3 -4\n-5\n", "line 3: '-3 -4' and '-5': expected one number a line"),
        ("-1\n-2\n-3\n", "3 lines; alternating good and bad scores need an even number of lines"),
        ("-1 -2 -3\n", "line 1: '-1 -2 -3' has 3 columns; expected one number, two numbers"),
        ("", "line 1: '' has 0 columns"),
        ("\n \n", "line 1: '' has 0 columns"),
        (ROW + '{"pair_id": 1, "good": -1, "bad": -2}', "line 2: no paradigm or UID"),
        (ROW + '{"paradigm": "verbs", "pair_id": 1, "good": -1}', "line 2: no bad"),
        (ROW + '{"paradigm": 5, "pair_id": 1, "good": -1, "bad": -2}', "line 2: paradigm 5: expected a text"),
        (ROW + ROW.replace("0", "1.5"), "line 2: pair_id 1.5: expected an integer of at least 0"),
        (ROW + ROW.replace("0", "true"), "line 2: pair_id True: expected an integer"),
        (ROW + ROW.replace("-1", "NaN"), "line 2: good nan: expected a finite number"),
        (ROW + ROW.replace("-1", "true"), "line 2: good True: expected a number"),
        (ROW + ROW.replace("-1", "[-1]"), r"line 2: good \[-1\]: expected a number"),
        (ROW + ROW.replace("-1", "-1" + "0" * 400), "line 2: good .*: out of range"),
        (ROW + ROW[:-2], "line 2: not valid JSON"),
        (ROW + "[]", r"line 2: expected an object with a value for each column, not \[\]"),
        ("[]", "contains no scores"),
        (HEADER, "contains no scores"),
        (
            "paradigm\tgood\tbad\nverbs\t-1\t-2\n",
            "line 1: no column pair_id or pairID among bad, good, paradigm",
        ),
        (HEADER + "verbs\t0\t-1\n", "line 2: 3 columns, but the first line has 4"),
        (HEADER + "\t0\t-1\t-2\n", "line 2: paradigm '': expected a text"),
        (HEADER + "verbs\tx\t-1\t-2\n", "line 2: pair_id 'x': expected an integer"),
        (HEADER + "verbs\t0\t-1\t\n", "line 2: bad '': expected a number with a decimal point, or NA"),
        (
            HEADER.strip() + "\tgood_tokens\nverbs\t0\t-1\t-2\t0\n",
            "line 2: good_tokens '0': expected an integer of at least 1",
        ),
        (
            HEADER + "verbs\t0\t-1\t-2\nverbs\t0\t-1\t-2\n",
            "line 3: pair 0 of paradigm 'verbs' again, as in .*, line 2",
        ),
    ],
)
def test_faulty_files(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        _load(tmp_path, text)
    assert "scores.txt" in str(caught.value)


def test_all_faults_are_named_at_once(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"line 1: good 'x'.*line 3: bad 'nan'.*; correct these lines"):
        _load(tmp_path, "x -1\n-1 -2\n-1 nan\n")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read .*; expected a file of scores"):
        PrecomputedScores.from_path(tmp_path / "absent.txt", PAPER)
    path = tmp_path / "latin.txt"
    path.write_bytes("-1 -2\n-3 -4 \xe9\n".encode("latin-1"))
    with pytest.raises(InputError, match="line 2: not UTF-8"):
        PrecomputedScores.from_path(path, PAPER)


def test_an_unknown_base(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="unknown base 'log2': expected one of e, 2, 10, any"):
        _load(tmp_path, "-1 -2\n", "log2")


def test_the_name_says_which_file_it_was(tmp_path: Path) -> None:
    first, second = (_load(tmp_path, text).name for text in ("-1 -2\n", "-1 -3\n"))
    assert first.startswith("scores:scores.txt|sha256:")
    assert first != second
