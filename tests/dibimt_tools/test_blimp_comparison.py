"""``dibimt blimp compare``: what stands in the report."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.dibimt_tools.blimp_runs import Fixed, pairs

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder with two finished runs: all anaphors right, all anaphors wrong."""
    from minimal_pairs.scoring.run import score_pairs

    monkeypatch.chdir(tmp_path)
    score_pairs(pairs(), Fixed("small", liked="himself"), per_pair=tmp_path / "small.jsonl")
    score_pairs(pairs(), Fixed("large", liked="herself"), per_pair=tmp_path / "large.jsonl")
    return tmp_path


def test_report(run: Run, runs: Path) -> None:
    code, out, err = run("blimp compare small.jsonl large.jsonl")
    assert (code, err) == (0, "")
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert lines[2:6] == [
        "A: small, 8 pairs, method full",
        "small",
        "B: large, 8 pairs, method full",
        "large",
    ]
    # (0 + 0 + 0) / 3 and (0 + 0 + 100) / 3; two pairs gained: p = 2 / 2**2.
    assert any(line.startswith("overall 8 0.00 33.33 +33.33 ") and line.endswith(" 2 0 .500") for line in lines)
    assert "anaphor_gender_agreement: 2 (#0 #1)" in lines
    assert max(map(len, out.splitlines())) <= 100


def test_json(run: Run, runs: Path) -> None:
    code, out, _ = run("blimp compare base=small.jsonl big=large.jsonl again=small.jsonl --json")
    record = json.loads(out)
    assert code == 0
    assert [each["name"] for each in record["runs"]] == ["base", "big", "again"]
    assert [each["overall"]["difference"] for each in record["comparisons"]] == [pytest.approx(100 / 3), 0]
    assert record["comparisons"][0]["gained"] == [
        ["anaphor_gender_agreement", 0],
        ["anaphor_gender_agreement", 1],
    ]


def test_unfinished_run_is_said_to_be_one(run: Run, runs: Path) -> None:
    lines = (runs / "large.jsonl").read_text().splitlines(keepends=True)
    (runs / "large.jsonl").write_text("".join(lines[:5]))
    _, out, _ = run("blimp compare small.jsonl large.jsonl")
    assert "not finished: 5 of 8 pairs" in out and "3 pairs are in A only: left out." in out


@pytest.mark.parametrize(
    ("files", "words"),
    [
        (["small.jsonl"], "needs at least two runs"),
        (["small.jsonl", "none.jsonl"], "none.jsonl: cannot be read"),
        (["small.jsonl", "small.jsonl"], "two systems have the name"),
        (["small.jsonl", "small.jsonl.run.json"], "line 1: is not JSON"),
        (["small.jsonl", "large.jsonl", "--output", "large.jsonl", "--force"], "it is an input"),
    ],
)
def test_files_that_cannot_be_used(run: Run, runs: Path, files: Sequence[str], words: str) -> None:
    code, out, err = run("blimp compare", *files)
    assert (code, out) == (2, "")
    assert err.startswith("dibimt blimp compare: ") and words in err
