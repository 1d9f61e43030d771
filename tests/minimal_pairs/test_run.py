"""Runs: what a model is asked, what becomes of its answers, and that an interrupted run goes on without a trace."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dibimt_metric.errors import InputError
from minimal_pairs.models.precomputed import PrecomputedScores
from minimal_pairs.records import Pair, Request, TextScore
from minimal_pairs.scoring.journal import read_header, read_outcomes
from minimal_pairs.scoring.presets import preset
from minimal_pairs.scoring.results import Decision
from minimal_pairs.scoring.run import chunk_ends, pairs_for, score_pairs

ROOT = Path(__file__).resolve().parents[2]


def pair(paradigm: str, number: int, good: str = "", bad: str = "", **fields: Any) -> Pair:
    good, bad = good or f"{paradigm} {number} sleeps", bad or f"{paradigm} {number} sleep"
    return Pair(good, bad, paradigm, str(number), number, paradigm, **fields)


PAIRS = tuple(pair(name, number) for name in ("verb", "noun", "case") for number in range(4))


class Table:
    """A model that is a dictionary; remembers what it was asked, and may stop after some calls."""

    def __init__(self, scores: dict[str, float] | None = None, stop_after: int | None = None) -> None:
        self.name = "table"
        self.scores = scores or {}
        self.calls: list[list[Request]] = []
        self.stop_after = stop_after

    def score(self, requests: Sequence[Request]) -> list[TextScore]:
        if self.stop_after is not None and len(self.calls) >= self.stop_after:
            raise KeyboardInterrupt
        self.calls.append(list(requests))
        return [self._answer(request) for request in requests]

    def _answer(self, request: Request) -> TextScore:
        # Different for every text, the same in every run; a third of the pairs come out wrong.
        number = self.scores.get(request.text, -(sum(request.text.encode()) % 89) / 7)
        return TextScore(number, len(request.text.split()), len(request.text.encode()))


# What is asked, and what comes of it


def test_hand_derived_run() -> None:
    pairs = [
        pair("verb", 0, "Anna sleeps", "Anna sleep", phenomenon="agreement", field="morphology"),
        pair("verb", 1, "Ben sees us", "Ben see us", phenomenon="agreement", field="morphology"),
        pair("verb", 2, "Cleo eats", "Cleo eat", phenomenon="agreement", field="morphology"),
        pair("noun", 0, "a cat", "an cat", phenomenon="articles", field="syntax"),
    ]
    scores = {"Anna sleeps": -2.0, "Anna sleep": -3.0, "Ben sees us": -5.0, "Ben see us": -4.0}
    scores |= {"Cleo eats": -1.5, "Cleo eat": -1.5, "a cat": -1.0, "an cat": -9.0}
    run = score_pairs(pairs, Table(scores), "full", "paper")
    assert [outcome.decision.value for outcome in run.outcomes] == ["right", "wrong", "tie", "right"]
    assert run.report.overall.value == pytest.approx((100 / 3 + 100) / 2)
    assert run.report.overall_pairs.value == 100 * 2 / 4
    assert [(group.name, group.accuracy.n) for group in run.report.phenomena] == [
        ("agreement", 3),
        ("articles", 1),
    ]
    assert (run.outcomes[1].good, run.outcomes[1].bad, run.outcomes[1].good_tokens) == (-5.0, -4.0, 3)
    half = score_pairs(pairs, Table(scores), "full", preset("paper", ties="half"))
    assert half.report.overall.value == pytest.approx((100 * 1.5 / 3 + 100) / 2)
    mean = score_pairs(pairs, Table(scores), "full", preset("paper", reduction="mean"))
    assert mean.outcomes[1].good == -5.0 / 3


def test_text_that_several_pairs_have_is_asked_for_once() -> None:
    model = Table()
    score_pairs([pair("verb", 0, "a", "b"), pair("verb", 1, "a", "c"), pair("noun", 0, "c", "a")], model)
    assert [request.text for call in model.calls for request in call] == ["a", "b", "c"]


def test_whole_paradigms_are_asked_for_at_once() -> None:
    model = Table()
    score_pairs(PAIRS, model, chunk=8)
    assert [{request.text.split()[0] for request in call} for call in model.calls] == [
        {"verb", "noun"},
        {"case"},
    ]


@pytest.mark.parametrize(
    ("paradigms", "size", "ends"),
    [
        ("", 3, ()),
        ("aabb", 4, (4,)),
        ("aabb", 3, (2, 4)),
        ("aabb", 2, (2, 4)),
        ("aaaaabb", 2, (2, 4, 5, 7)),
        ("abababab", 3, (3, 6, 8)),
    ],
)
def test_chunks(paradigms: str, size: int, ends: tuple[int, ...]) -> None:
    assert chunk_ends(paradigms, size) == ends


@given(st.text("abc", max_size=40).map("".join), st.integers(1, 12))
def test_chunks_hold_everything_and_cut_only_what_is_too_long(paradigms: str, size: int) -> None:
    ends = chunk_ends(paradigms, size)
    starts = (0, *ends[:-1])
    assert "".join(paradigms[start:end] for start, end in zip(starts, ends, strict=bool(ends))) == paradigms
    for start, end in zip(starts, ends, strict=bool(ends)):
        assert 0 < end - start <= size
        if end < len(paradigms) and paradigms[end - 1] == paradigms[end]:
            assert len(set(paradigms[start:end])) == 1 and end - start == size


def test_report_does_not_depend_on_chunks() -> None:
    assert score_pairs(PAIRS, Table(), chunk=1) == score_pairs(PAIRS, Table(), chunk=100)


def test_sample_takes_pairs_and_stands_in_the_signature() -> None:
    model = Table()
    run = score_pairs(PAIRS, model, sample=6, seed=3)
    assert len(run.outcomes) == 6 and run.sample is not None
    assert {outcome.paradigm for outcome in run.outcomes} == {"verb", "noun", "case"}
    assert len(model.calls[0]) == 12  # both sentences of each pair
    assert "|sample:6,seed=3|" in run.report.signature
    assert run.report.signature != score_pairs(PAIRS, Table()).report.signature


def test_prefix_method_asks_for_the_span_and_leaves_other_paradigms_out() -> None:
    fields = {"one_prefix_prefix": "Ann saw", "one_prefix_word_good": "her", "one_prefix_word_bad": "hers"}
    pairs, left_out = pairs_for([pair("gender", 0, **fields), pair("verb", 0)], "one-prefix")
    assert left_out == ("verb",)
    model = Table()
    score_pairs(pairs, model, "one-prefix")
    assert model.calls == [[Request("Ann saw her", 7, 11), Request("Ann saw hers", 7, 12)]]


def test_progress_sees_every_pair() -> None:
    seen: list[Any] = []

    def progress(total: int, label: str) -> Any:
        seen.append((total, label))
        return lambda steps: (seen.append(1) or step for step in steps)

    score_pairs(PAIRS, Table(), progress=progress)
    assert seen == [(12, "score"), *[1] * 12]


# Bad input and bad models


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"method": "half-prefix"}, "method"),
        ({"preset": "mine"}, "unknown preset"),
        ({"chunk": 0}, "chunk is 0"),
        ({"sample": 0}, "n is 0"),
        ({"method": "two-prefix"}, "pair 0 of paradigm 'verb' has no two_prefix_prefix_good"),
    ],
)
def test_options_that_cannot_be_used(options: dict[str, Any], words: str) -> None:
    model = Table()
    with pytest.raises(InputError, match=words):
        score_pairs(PAIRS, model, **options)
    assert model.calls == []


def test_pairs_that_cannot_be_used() -> None:
    with pytest.raises(InputError, match="no pair to score"):
        score_pairs([], Table())
    with pytest.raises(InputError, match="pair 1 of paradigm 'verb' occurs twice"):
        score_pairs([pair("verb", 1), pair("verb", 1, "other", "sentences")], Table())


class Broken(Table):
    def __init__(self, answers: Any) -> None:
        super().__init__()
        self.answers = answers

    def score(self, requests: Sequence[Request]) -> Any:
        return self.answers


GOOD = TextScore(-1.0, 1, 1)


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        ([GOOD], "1 answers to 2 requests"),
        ([GOOD] * 3, "3 answers to 2 requests"),
        (None, "None answers to 2 requests"),
        ([GOOD, -1.0], "-1.0 is not an answer to 'b'; score must return a TextScore"),
        ([GOOD, ("much", 1, 1, None)], "is not an answer to 'b'"),
    ],
)
def test_models_that_do_not_answer(answers: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        score_pairs([pair("verb", 0, "a", "b")], Broken(answers))


def test_model_without_a_name() -> None:
    model = Table()
    model.name = ""
    with pytest.raises(InputError, match="needs a name"):
        score_pairs(PAIRS, model)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_numbers_that_are_none_are_unscored(number: float) -> None:
    run = score_pairs([pair("verb", 0, "a", "b"), pair("verb", 1, "c", "d")], Table({"a": number, "c": -1, "d": -2}))
    assert run.outcomes[0].decision is Decision.UNSCORED
    assert (run.outcomes[0].good, run.outcomes[0].reason) == (None, "good: not_finite")
    assert (run.report.overall.value, run.report.overall.n, run.report.overall.unscored) == (100, 1, 1)


def test_numbers_of_other_libraries_are_plain_in_the_file(tmp_path: Path) -> None:
    numpy = pytest.importorskip("numpy")
    score = TextScore(numpy.float32(-1.5), numpy.int64(2), numpy.int64(3))
    score_pairs([pair("verb", 0, "a", "b")], Broken([score, GOOD]), per_pair=tmp_path / "out.jsonl")
    assert json.loads((tmp_path / "out.jsonl").read_text())["good"] == -1.5


# Scores from a file


def scores_file(path: Path, lines: Sequence[str]) -> PrecomputedScores:
    path.write_text("\n".join(lines) + "\n")
    return PrecomputedScores.from_path(path, preset("paper"))


def test_precomputed_scores_are_decided_like_those_of_a_model(tmp_path: Path) -> None:
    model = Table()
    run = score_pairs(PAIRS, model)
    rows = [f"{outcome.good} {outcome.bad}" for outcome in run.outcomes]
    ordered = score_pairs(PAIRS, scores_file(tmp_path / "ordered.txt", rows))
    named = [f"{o.paradigm}\t{o.pair_id}\t{o.good}\t{o.bad}" for o in reversed(run.outcomes)]
    keyed = score_pairs(PAIRS, scores_file(tmp_path / "named.tsv", ["paradigm\tpair_id\tgood\tbad", *named]))
    for other in (ordered, keyed):
        assert [o.decision for o in other.outcomes] == [o.decision for o in run.outcomes]
        assert other.report.overall == run.report.overall
    # By order, the file belongs to all pairs, also where only some are scored.
    sampled = score_pairs(PAIRS, scores_file(tmp_path / "again.txt", rows), sample=3)
    found = {(o.paradigm, o.pair_id): o.good for o in run.outcomes}
    assert all(o.good == found[o.paradigm, o.pair_id] for o in sampled.outcomes)


def test_wrong_number_of_precomputed_scores(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="scores of 2 pairs, but the data has 12"):
        score_pairs(PAIRS, scores_file(tmp_path / "scores.txt", ["-1 -2", "-3 -4"]))


# The per-pair file


def files(path: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in path.parent.iterdir()}


@pytest.fixture
def whole(tmp_path: Path) -> dict[str, bytes]:
    """The files of a run that nothing has stopped."""
    path = tmp_path / "whole" / "out.jsonl"
    path.parent.mkdir()
    score_pairs(PAIRS, Table(), per_pair=path, chunk=4)
    return files(path)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "run").mkdir()
    return tmp_path / "run" / "out.jsonl"


def test_file_holds_the_outcomes_and_what_they_are_of(path: Path) -> None:
    run = score_pairs(PAIRS, Table(), per_pair=path)
    assert read_outcomes(path) == run.outcomes
    header = read_header(path)
    assert header is not None
    assert (header.signature, header.model, header.pairs) == (run.report.signature, "table", 12)
    assert dict(header.settings) == dict(run.report.settings)
    first = json.loads(path.read_text().splitlines()[0])
    assert list(first)[:7] == ["paradigm", "pair_id", "phenomenon", "field", "good", "bad", "decision"]


def test_same_run_same_bytes(path: Path, whole: dict[str, bytes]) -> None:
    score_pairs(PAIRS, Table(), per_pair=path, chunk=7)
    assert files(path) == whole


@pytest.mark.parametrize("calls", [0, 1, 2])
def test_interrupted_run_goes_on(path: Path, whole: dict[str, bytes], calls: int) -> None:
    with pytest.raises(KeyboardInterrupt):
        score_pairs(PAIRS, Table(stop_after=calls), per_pair=path, chunk=4)
    assert len(read_outcomes(path)) == 4 * calls
    model = Table()
    run = score_pairs(PAIRS, model, per_pair=path, chunk=4)
    assert files(path) == whole
    assert (run.resumed, len(model.calls)) == (4 * calls, 3 - calls)
    assert run.report == score_pairs(PAIRS, Table()).report


def test_complete_file_is_read_and_nothing_is_scored(path: Path, whole: dict[str, bytes]) -> None:
    first = score_pairs(PAIRS, Table(), per_pair=path)
    model = Table()
    again = score_pairs(PAIRS, model, per_pair=path)
    assert (again.report, again.outcomes, again.resumed) == (first.report, first.outcomes, 12)
    assert model.calls == [] and files(path) == whole


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_file_cut_anywhere_is_finished_without_a_trace(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("cut") / "out.jsonl"
    score_pairs(PAIRS, Table(), per_pair=path, chunk=5)
    expected = files(path)
    os.truncate(path, data.draw(st.integers(0, path.stat().st_size)))
    model = Table()
    score_pairs(PAIRS, model, per_pair=path, chunk=5)
    assert files(path) == expected


KILLED = """
import sys, time
from importlib.util import module_from_spec, spec_from_file_location
from minimal_pairs.scoring.run import score_pairs

spec = spec_from_file_location("cases", sys.argv[2])
cases = module_from_spec(spec)
spec.loader.exec_module(cases)

class Slow(cases.Table):
    def score(self, requests):
        print("call", flush=True)
        time.sleep(float(sys.argv[3]) if self.calls else 0)
        return super().score(requests)

score_pairs(cases.PAIRS, Slow(), per_pair=sys.argv[1], chunk=4)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs kill")
def test_killed_process_loses_nothing_that_was_written(path: Path, whole: dict[str, bytes]) -> None:
    command = [sys.executable, "-c", KILLED, str(path), __file__]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen([*command, "60"], stdout=subprocess.PIPE, env=environment, cwd=ROOT) as process:
        assert process.stdout is not None
        for _ in range(2):  # the second chunk is asked for: the first one is on the disk
            assert process.stdout.readline() == b"call\n"
        process.send_signal(signal.SIGKILL)
    assert len(read_outcomes(path)) == 4
    done = subprocess.run([*command, "0"], capture_output=True, env=environment, cwd=ROOT, check=True, timeout=60)
    assert done.stdout.count(b"call") == 2
    assert files(path) == whole


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"method": "one-prefix"}, "method full, not one-prefix"),
        ({"preset": "minicons"}, "reduction sum, not mean"),
        ({"preset": preset("paper", ties="half")}, "ties wrong, not half"),
        ({"sample": 6}, "sample all, not 6,seed=0"),
        ({"model": "another"}, "model table, not another"),
        ({"pairs": PAIRS[:-1]}, "pairs 12, not 11"),
        ({"pairs": (replace(PAIRS[0], sentence_bad="else"), *PAIRS[1:])}, "data [0-9a-f]+, not [0-9a-f]+"),
    ],
)
def test_other_settings_are_refused(path: Path, change: dict[str, Any], words: str) -> None:
    fields = {"one_prefix_prefix": "a", "one_prefix_word_good": "b", "one_prefix_word_bad": "c"}
    pairs = tuple(replace(each, **fields) for each in PAIRS) if "method" in change else PAIRS
    score_pairs(pairs, Table(), per_pair=path)
    before = files(path)
    model = Table()
    model.name = change.pop("model", "table")
    with pytest.raises(InputError, match=words) as caught:
        score_pairs(change.pop("pairs", pairs), model, per_pair=path, **change)
    assert "--restart" in str(caught.value) and "choose another file" in str(caught.value)
    assert files(path) == before and model.calls == []


def test_other_release_of_the_program_is_refused(path: Path) -> None:
    score_pairs(PAIRS, Table(), per_pair=path)
    beside = path.with_name("out.jsonl.run.json")
    beside.write_text(beside.read_text().replace("|version:", "|version:9."))
    with pytest.raises(InputError, match=r"version 9\.\S+, not "):
        score_pairs(PAIRS, Table(), per_pair=path)


@pytest.mark.parametrize("content", ["something else\n", '{"paradigm": "a"}\n', "\n", "9" * 100_000])
@pytest.mark.parametrize("options", [{}, {"force": True}, {"restart": True}])
def test_file_that_is_no_per_pair_file_is_kept(path: Path, content: str, options: dict[str, bool]) -> None:
    path.write_text(content)
    with pytest.raises(InputError, match=r"is not a per-pair file of a run .* \(--restart --force\)$"):
        score_pairs(PAIRS, Table(), per_pair=path, **options)
    assert path.read_text() == content


def test_force_drops_what_is_there(path: Path, whole: dict[str, bytes]) -> None:
    path.write_text("something else\n")
    score_pairs(PAIRS, Table(), per_pair=path, restart=True, force=True)
    assert files(path) == whole


@pytest.mark.parametrize("beside", [None, "{", "{}"])
def test_restart_drops_outcomes_of_another_run(path: Path, whole: dict[str, bytes], beside: str | None) -> None:
    score_pairs(PAIRS, Table(), per_pair=path, preset="minicons")
    header = path.with_name("out.jsonl.run.json")
    header.unlink() if beside is None else header.write_text(beside)
    with pytest.raises(InputError, match=r"\(--restart\)$"):
        score_pairs(PAIRS, Table(), per_pair=path)
    score_pairs(PAIRS, Table(), per_pair=path, restart=True)
    assert files(path) == whole


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", "line 2: is not JSON"),
        ("[1]", "line 2: .* does not have the fields paradigm, pair_id"),
        ({"decision": "maybe"}, "line 2: decision is 'maybe'"),
        ({"good": None}, "line 2: (right|wrong) is inconsistent with good None"),
        ({"good": True}, "line 2: good is True"),
        ({"good": float("nan")}, "line 2: good is nan"),
        ({"pair_id": "1"}, "line 2: pair_id is '1'"),
        ({"good_tokens": -1}, "line 2: good_tokens is -1"),
        ({"pair_id": 7}, "line 2: pair 7 of 'verb' where the data has pair 1 of 'verb'"),
    ],
)
def test_damaged_file_is_refused(path: Path, line: Any, words: str) -> None:
    score_pairs(PAIRS, Table(), per_pair=path)
    lines = path.read_text().splitlines()
    lines[1] = line if isinstance(line, str) else json.dumps({**json.loads(lines[1]), **line})
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(InputError, match=words):
        score_pairs(PAIRS, Table(), per_pair=path)


def test_more_lines_than_pairs_are_refused(path: Path) -> None:
    score_pairs(PAIRS, Table(), per_pair=path)
    path.write_text(path.read_text() + path.read_text().splitlines()[0] + "\n")
    with pytest.raises(InputError, match="has 13 pairs, but the data has 12"):
        score_pairs(PAIRS, Table(), per_pair=path)


def test_other_order_of_the_data_is_refused(path: Path) -> None:
    score_pairs(PAIRS, Table(), per_pair=path)
    with pytest.raises(InputError, match="use the data in the same order"):
        score_pairs(PAIRS[::-1], Table(), per_pair=path)


def test_two_runs_at_once_are_noticed(path: Path) -> None:
    class Rival(Table):
        def score(self, requests: Sequence[Request]) -> list[TextScore]:
            if self.calls:
                with path.open("a") as file:
                    file.write("{}\n")
            return super().score(requests)

    with pytest.raises(InputError, match="one run at a time"):
        score_pairs(PAIRS, Rival(), per_pair=path, chunk=4)


def test_full_disk(path: Path, whole: dict[str, bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    class Filling(Table):
        def score(self, requests: Sequence[Request]) -> list[TextScore]:
            if len(self.calls) == 1:
                monkeypatch.setattr(os, "fsync", full)
            return super().score(requests)

    with pytest.raises(InputError, match="No space left on device.*the pairs so far are kept"):
        score_pairs(PAIRS, Filling(), per_pair=path, chunk=4)
    monkeypatch.undo()
    score_pairs(PAIRS, Table(), per_pair=path, chunk=4)
    assert files(path) == whole


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a regular file"):
        score_pairs(PAIRS, Table(), per_pair=tmp_path, restart=True)
    with pytest.raises(InputError, match="cannot be written"):
        score_pairs(PAIRS, Table(), per_pair=tmp_path / "none" / "out.jsonl")


def test_unfinished_file_is_no_set_of_outcomes(path: Path) -> None:
    score_pairs(PAIRS, Table(), per_pair=path)
    os.truncate(path, path.stat().st_size - 3)
    with pytest.raises(InputError, match="line 12: the run stopped within this line"):
        read_outcomes(path)
    with pytest.raises(InputError, match="cannot be read"):
        read_outcomes(path.with_name("none.jsonl"))


@pytest.mark.parametrize("text", ["", "[]", '{"format": "other"}', '{"format": "minimal-pairs-run/1"}'])
def test_damaged_header_is_refused(path: Path, text: str) -> None:
    score_pairs(PAIRS, Table(), per_pair=path)
    path.with_name("out.jsonl.run.json").write_text(text)
    with pytest.raises(InputError, match="--restart"):
        score_pairs(PAIRS, Table(), per_pair=path)


def test_names_in_any_script_survive(path: Path) -> None:
    pairs = [pair("一致", 0), pair('quo"ted\u2028', 0, phenomenon="数量")]
    run = score_pairs(pairs, Table(), per_pair=path)
    assert score_pairs(pairs, Table(), per_pair=path).outcomes == run.outcomes == read_outcomes(path)
    assert "一致" in path.read_text(encoding="utf-8")


# A real causal model, small and random


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Any:
    pytest.importorskip("transformers")
    from minimal_pairs.models.loading import load_model
    from tests.dibimt_tools.blimp_runs import save_tiny_model

    return load_model(str(save_tiny_model(tmp_path_factory.mktemp("tiny"))), preset=preset("paper"))


def test_causal_model_decides_the_same_in_any_chunks(tiny: Any) -> None:
    pairs = [pair("order", i, f"the old dogs {i} sleep", f"old dogs the {i} sleep") for i in range(12)]
    whole = score_pairs(pairs, tiny)
    apart = score_pairs(pairs, tiny, chunk=1)
    assert [o.decision for o in apart.outcomes] == [o.decision for o in whole.outcomes]
    assert len({o.decision for o in whole.outcomes}) == 2, "a model that decides all alike shows nothing"
    for one, other in zip(whole.outcomes, apart.outcomes, strict=True):
        assert one.good == pytest.approx(other.good, abs=1e-4)
        assert one.good_tokens == len(f"the old dogs {one.pair_id} sleep") + 1  # bytes, and the end


def test_causal_model_goes_on_with_the_same_bytes(tiny: Any, path: Path, tmp_path: Path) -> None:
    class Stopping:
        name = tiny.name
        calls = 0

        def score(self, requests: Sequence[Request]) -> list[TextScore]:
            self.calls += 1
            if self.calls > 1:
                raise KeyboardInterrupt
            answers: list[TextScore] = tiny.score(requests)
            return answers

    other = tmp_path / "whole.jsonl"
    score_pairs(PAIRS, tiny, per_pair=other, chunk=4)
    with pytest.raises(KeyboardInterrupt):
        score_pairs(PAIRS, Stopping(), per_pair=path, chunk=4)
    run = score_pairs(PAIRS, tiny, per_pair=path, chunk=4)
    assert run.resumed == 4 and path.read_bytes() == other.read_bytes()


def test_text_longer_than_the_context_is_unscored(tiny: Any) -> None:
    run = score_pairs([*PAIRS, pair("verb", 9, "a" * 100, "b")], tiny)
    assert (run.outcomes[-1].decision, run.outcomes[-1].reason) == (Decision.UNSCORED, "good: too_long")
    assert run.report.overall.unscored == 1
