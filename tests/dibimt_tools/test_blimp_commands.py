"""The smaller commands of the group ``blimp``: convert, paradigms, published, filter, judgments; and their help."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from dibimt_tools import blimp
from dibimt_tools.blimp import judgments
from minimal_pairs.paradigms import PARADIGMS, PHENOMENA
from minimal_pairs.reading.read import read_pairs
from minimal_pairs.scoring.published import PUBLISHED
from tests.dibimt_tools.blimp_runs import write_rows
from tests.minimal_pairs.conftest import write_release

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with pairs in it."""
    monkeypatch.chdir(tmp_path)
    write_rows(tmp_path / "pairs.jsonl")
    return tmp_path


@pytest.mark.parametrize("name", [*list(blimp.COMMANDS)[:-1], *(f"judgments {name}" for name in judgments.COMMANDS)])
def test_help_has_examples(run: Run, name: str) -> None:
    code, out, err = run(f"blimp {name} --help")
    assert (code, err) == (0, "")
    assert f"\n  dibimt blimp {name} " in out or f"\n  dibimt blimp {name}\n" in out
    assert max(map(len, out.splitlines())) <= 120


# convert


def test_convert(run: Run, here: Path) -> None:
    write_release(here / "release")
    code, out, err = run("blimp convert --source release --out data")
    assert (code, err) == (0, "")
    assert out.startswith("data: ") and "pairs of 67 paradigms" in out and "in the corrected variant" in out
    assert "67 files differ from the release" in out and "signature: blimp|data:" in out
    assert (here / "data" / "README.md").is_file() and (here / "data" / "corrected").is_dir()
    code, _, err = run("blimp convert --source release --out data")
    assert code == 2 and "--force" in err
    code, out, _ = run("blimp convert --source release --out data --no-corrected --json --force")
    record = json.loads(out)
    assert code == 0 and record["signature"] in (here / "data" / "README.md").read_text()
    assert not (here / "data" / "corrected").exists()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--source none --out data", "none: no such file or folder"),
        ("--source empty --out data", "files are missing"),
        ("--out data", "one of the arguments --source --download is required"),
        ("--source empty --download --out data", "not allowed with argument"),
    ],
)
def test_convert_what_cannot_be(run: Run, here: Path, options: str, words: str) -> None:
    (here / "empty").mkdir()
    (here / "empty" / "wh_island.jsonl").write_text("{}\n")
    code, out, err = run(f"blimp convert {options}")
    assert (code, out) == (2, "") and words in err and not (here / "data").exists()


# paradigms and published


def test_paradigms(run: Run) -> None:
    _, out, _ = run("blimp paradigms")
    names = [line.split()[0] for line in out.splitlines()[1:]]
    assert names == [paradigm.name for paradigm in PARADIGMS]
    _, out, _ = run("blimp paradigms --method two-prefix --json")
    assert len(json.loads(out)) == 20 and "two-prefix" in json.loads(out)[0]["methods"]
    _, out, _ = run("blimp paradigms --phenomena ellipsis quantifiers --json")
    assert {record["phenomenon"] for record in json.loads(out)} == {"ellipsis", "quantifiers"}


@pytest.mark.parametrize("options", ["--phenomena agreement", "--method prefix"])
def test_unknown_groups_of_paradigms(run: Run, options: str) -> None:
    code, out, err = run(f"blimp paradigms {options}")
    assert (code, out) == (2, "") and options.split()[1] in err


def test_published(run: Run) -> None:
    _, out, _ = run("blimp published")
    for row in PUBLISHED:
        assert row.name in out and f"{row.overall:.1f}" in out
    assert max(map(len, out.splitlines())) <= 100
    _, out, _ = run("blimp published --phenomena")
    rows = {line.split()[0]: line.split()[1:] for line in out.splitlines() if line.strip()}
    assert rows["island_effects"] == ["57.2", "46.6", "48.4", "72.7", "84.9", "97.5"]
    assert max(map(len, out.splitlines())) <= 100
    _, out, _ = run("blimp published --json")
    records = json.loads(out)
    assert [record["name"] for record in records] == [row.name for row in PUBLISHED]
    assert list(records[0]["phenomena"]) == list(PHENOMENA) and records[-1]["phenomena"] is None


# filter


def test_filter_writes_pairs_of_the_schema(run: Run, here: Path) -> None:
    (here / "words.txt").write_text("zoe\nsees\nherself\nhimself\n")
    code, out, err = run("blimp filter --data pairs.jsonl --vocabulary words.txt --out kept.jsonl")
    assert (code, err) == (0, "")
    lines = [line.split() for line in out.splitlines()]
    assert ["all", "1", "8"] in lines and ["anaphor_gender_agreement", "1", "2"] in lines
    assert ["ellipsis_n_bar_1", "0", "3"] in lines
    kept = [*read_pairs(here / "kept.jsonl")]
    assert kept == [pair for pair in read_pairs(here / "pairs.jsonl") if pair.sentence_good == "Zoe sees herself."]
    assert kept[0].one_prefix_prefix == "Zoe sees"


def test_filter_reads_any_format(run: Run, here: Path) -> None:
    (here / "mine.tsv").write_text("Ann sleeps.\tAnn sleep.\n")
    code, out, _ = run("blimp filter --data mine.tsv --columns sentence_good=1 sentence_bad=2 --out mine.jsonl --json")
    assert code == 0
    assert json.loads(out) == {"left": 1, "of": 1, "paradigms": {"mine": {"left": 1, "of": 1}}, "notes": []}
    assert json.loads((here / "mine.jsonl").read_text())["sentence_bad"] == "Ann sleep."


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            "--vocabulary words.txt --out kept.jsonl",
            "none of 8 pairs is left (Vocabulary words.txt: 0 of 8 pairs kept",
        ),
        ("--out pairs.jsonl --force", "it is an input"),
        ("--out words.txt", "--force"),
        ("--vocabulary empty.txt --out kept.jsonl", "empty.txt: contains no word"),
    ],
)
def test_filter_what_cannot_be(run: Run, here: Path, options: str, words: str) -> None:
    (here / "words.txt").write_text("nothing\n")
    (here / "empty.txt").write_text("\n")
    code, out, err = run(f"blimp filter --data pairs.jsonl {options}")
    assert (code, out) == (2, "") and words in err and not (here / "kept.jsonl").exists()


# judgments


EXPORT = "blimp judgments export --data pairs.jsonl --out sheets --key key.jsonl --per-paradigm 2 --checks 2"


def answer(here: Path, judge: str, version: str, wrong: Sequence[str] = ()) -> Path:
    """Fill a sheet: all right, but for pairs of these paradigms."""
    key = {row["item"]: row for row in map(json.loads, (here / "key.jsonl").read_text().splitlines())}
    header, *lines = (here / "sheets" / f"sheet_{version}.tsv").read_text().splitlines()
    rows = [header]
    for line in lines:
        cells = line.split("\t")
        row = key[cells[0]]
        cells[3] = str(3 - row["good"] if row["paradigm"] in wrong else row["good"])
        rows.append("\t".join(cells))
    path = here / f"{judge}.tsv"
    path.write_text("\n".join(rows) + "\n")
    return path


def test_export(run: Run, here: Path) -> None:
    pytest.importorskip("numpy")
    code, out, err = run(EXPORT)
    assert (code, err) == (0, "")
    assert "6 pairs of 3 paradigms and 2 attention checks each" in out and "keep it from the judges" in out
    files = {path.name: path.read_bytes() for path in (here / "sheets").iterdir()}
    assert set(files) == {"sheet_a.tsv", "sheet_b.tsv"}
    code, _, err = run(EXPORT)
    assert code == 2 and "--force" in err
    code, out, _ = run(f"{EXPORT} --force --json")
    assert code == 0 and json.loads(out)["pairs"] == 6
    assert {path.name: path.read_bytes() for path in (here / "sheets").iterdir()} == files


def test_key_must_not_lie_with_the_sheets(run: Run, here: Path) -> None:
    pytest.importorskip("numpy")
    (here / "sheets").mkdir()
    code, _, err = run(EXPORT.replace("key.jsonl", "sheets/key.jsonl"))
    assert code == 2 and "keep it separate" in err and list((here / "sheets").iterdir()) == []


def test_import(run: Run, here: Path) -> None:
    pytest.importorskip("numpy")
    run(EXPORT)
    answer(here, "anna", "a")
    answer(here, "ben", "b", wrong=["ellipsis_n_bar_1"])
    answer(here, "cleo", "a", wrong=[None])  # the checks
    command = "blimp judgments import --key key.jsonl anna.tsv ben.tsv cleo.tsv"
    code, out, err = run(command)
    assert (code, err) == (0, "")
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert lines[0] == "Human agreement with the labels: 2 of 3 judges, 6 pairs"
    # ellipsis_n_bar_1: one of two judges; the others all: (50 + 100 + 100) / 3. Majority: ties count as wrong.
    assert any(line.startswith(f"individual {250 / 3:.2f} ") and line.endswith(" 12 10 0 88.6") for line in lines)
    assert any(line.startswith(f"majority {200 / 3:.2f} ") and line.endswith(" 6 4 2 96.4") for line in lines)
    assert "ellipsis 2 75.00 50.00 4 85.0 100.0" in lines
    assert any(line.startswith("cleo 6 of 6 0 of 2 0 of 2 attention checks right") for line in lines)
    assert max(len(line) for line in out.splitlines() if not line.startswith("signature")) <= 100
    _, out, _ = run(f"{command} --min-checks 0 --ties half --json")
    record = json.loads(out)
    assert [judge["excluded"] for judge in record["annotators"]] == [None] * 3
    assert record["problems"] == [] and record["rule"]["checks_right"] == 0


def test_answers_that_do_not_count_are_listed(run: Run, here: Path) -> None:
    pytest.importorskip("numpy")
    run(EXPORT)
    path = answer(here, "anna", "a")
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:3], lines[3][:-1] + "7", *lines[4:]]) + "\n")
    _, out, _ = run("blimp judgments import --key key.jsonl anna.tsv --min-checks 0")
    assert "invalid: 1" in out and "anna.tsv, line 4: item a3 of anna" in out


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--key key.jsonl none.tsv", "none.tsv"),
        ("--key none.jsonl anna.tsv", "none.jsonl"),
        ("--key key.jsonl anna.tsv --min-checks 2", "checks_right (--min-checks) is 2.0"),
        ("--key key.jsonl anna.tsv --ties never", "ties"),
        ("--key key.jsonl anna.tsv --output anna.tsv --force", "it is an input"),
    ],
)
def test_import_what_cannot_be(run: Run, here: Path, options: str, words: str) -> None:
    pytest.importorskip("numpy")
    run(EXPORT)
    answer(here, "anna", "a")
    code, out, err = run(f"blimp judgments import {options}")
    assert (code, out) == (2, "") and words in err
