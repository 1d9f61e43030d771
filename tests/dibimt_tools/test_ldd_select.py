"""``dibimt ldd select``: lines of a file by the rows of a set or by numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from ldd_challenge_sets.extraction.manifest import Extraction, manifest_text, totals_of
from ldd_challenge_sets.extraction.rows import rows_text
from ldd_challenge_sets.records import Hit, LddRow

SELECT = "ldd select --set sets/de-en-particle.jsonl --from hyp.txt"
TEXTS = ("one", "", "three", "four")


def row(line: int, distance: int) -> LddRow:
    hits = (Hit(distance + 2, 1, "auf", "gab", distance), Hit(2, 1, "ab", "gab", 0))
    tokens = ("gab", *"x" * distance, "auf")
    return LddRow(str(line), line, " ".join(tokens), "gave up", tokens, (), "particle", hits, distance, None, "doors")


ROWS = (row(4, 3), row(1, 0), row(2, 2))
"""Not in the order of the corpus; line 2 is translated by nothing."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: a set and a file that is line by line with its corpus."""
    (tmp_path / "sets").mkdir()
    (tmp_path / "sets" / "de-en-particle.jsonl").write_text(rows_text(ROWS), encoding="utf-8")
    (tmp_path / "hyp.txt").write_text("".join(text + "\n" for text in TEXTS), encoding="utf-8")
    (tmp_path / "two.ids").write_text("3\n1\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("", "four\none\n\n"),
        (" --min-distance 0", "four\none\n\n"),
        (" --min-distance 2", "four\n\n"),  # at least 2: also the row with 3; line 2 is empty
        (" --min-distance 3", "four\n"),
        (" --min-distance 500", ""),
    ],
)
def test_rows_with_at_least_that_distance(run, folder: Path, options: str, expected: str) -> None:
    assert run(SELECT + options) == (0, expected, "")
    assert run(f"{SELECT}{options} --output part.txt") == (0, "", "")
    assert (folder / "part.txt").read_text("utf-8") == expected


def test_numbers(run, folder: Path) -> None:
    assert run("ldd select --ids two.ids --from hyp.txt") == (0, "three\none\n", "")


@pytest.mark.parametrize("least", [0, 2])
def test_numbers_have_no_distance(run, folder: Path, least: int) -> None:
    code, out, err = run(f"ldd select --ids two.ids --from hyp.txt --min-distance {least}")
    assert (code, out) == (2, "")
    assert err.startswith("dibimt ldd select: --min-distance belongs to --set")


def test_help_says_at_least(run) -> None:
    assert "only rows of --set with a largest distance of at least D" in " ".join(run("ldd select --help")[1].split())


@pytest.mark.parametrize("source", [SELECT, "ldd select --ids two.ids --from hyp.txt"])
def test_no_file_is_named_like_standard_input(run, folder: Path, source: str) -> None:
    code, out, err = run(f"{source} --output - --force")
    assert (code, out) == (2, "")
    assert "--output - is not the name of a file; omit --output to print to standard output" in err
    assert not (folder / "-").exists()


def test_a_set_that_was_cut_is_refused(run, folder: Path) -> None:
    extraction = Extraction(
        pair="de-en",
        corpus="doors",
        license="CC0",
        pairs=4,
        lines=4,
        definition="paper",
        min_distance=None,
        include_root=None,
        parser=None,
        aligner=None,
        tokens=("13a", "13a"),
        configurations={"de-en-particle": totals_of(ROWS)},
        skipped={},
        skipped_places=(),
        signature="s",
    )
    manifest = folder / "sets" / "extraction.json"
    manifest.write_text(manifest_text({"de-en": extraction}), encoding="utf-8")
    assert run(SELECT)[0] == 0
    (folder / "sets" / "de-en-particle.jsonl").write_text(rows_text(ROWS[:2]), encoding="utf-8")
    code, out, err = run(SELECT)
    assert (code, out) == (2, "")
    assert f"has 2 rows, but {Path('sets', 'extraction.json')} states 3; extract the sets again" in err
    assert run(SELECT.replace("particle", "reflexive"))[0] == 2
