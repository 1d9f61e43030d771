"""Bad input: an error that names file and line, what was expected and what to do."""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path

import pytest

from dibimt_metric.errors import InputError
from minimal_pairs.reading.read import read_pairs

GOOD = '{"sentence_good": "Ann sleeps.", "sentence_bad": "Ann sleep.", "UID": "p", "pairID": "%d"}\n'


def message(path: Path, content: str | bytes, format: str | None = None) -> str:
    """What reading this file says, without the folder."""
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    with pytest.raises(InputError) as caught:
        list(read_pairs(path, format))
    return str(caught.value).replace(f"{path.parent}{os.sep}", "")


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.jsonl", GOOD % 0 + "{no", "a.jsonl, line 2: not valid JSON (Expecting property name"),
        ("a.jsonl", GOOD % 0 + "\n[1]\n", "a.jsonl, line 3: expected an object with a value for each column, not [1]"),
        ("a.jsonl", "[" * 100_000, "a.jsonl: not usable JSON (maximum recursion depth"),
        ("a.json", "[" + GOOD % 0 + ", 7]", "a.json, object 2: expected an object"),
        ("a.json", "[1, 2", "a.json: not valid JSON (Expecting ',' delimiter at line 1"),
        ("a.json", "[]", "a.json: contains no pair"),
        ("a.jsonl", (GOOD % 0).encode() + b"\xff\n", "a.jsonl, line 2: not UTF-8 (invalid start byte)"),
        ("a.jsonl", (GOOD % 0).encode("utf-16"), "a.jsonl: is UTF-16; convert the file to UTF-8"),
        ("a.jsonl", " \n", "a.jsonl: is empty; expected pairs of sentences"),
        ("a.doc", GOOD % 0, "a.doc: expected a name that ends in .jsonl, .ndjson, .json, .tsv, .csv, .txt, or a zip"),
        ("a.jsonl", '{"text": "Ann"}', "a.jsonl, line 1: the columns 'text' match no known format; name the"),
        ("a.jsonl", "{}", "a.jsonl, line 1: the columns none match no known format"),
        ("a.tsv", "text\tlabel\nAnn\t1", "a.tsv, line 1: the columns 'text', 'label' match no known format"),
        ("a.tsv", "good\tgood\tbad\n", "a.tsv, line 1: the column 'good' occurs twice; keep one"),
        ("a.tsv", "good\tbad\nx\ty\nx\n", "a.tsv, line 3: 1 columns, but the first line has 2; separate columns by"),
        ("a.csv", 'good,bad\n"x,y\n', "a.csv, line 2: quotes cannot be read (unexpected end of data)"),
        ("a.csv", 'good,bad\n"x\ny",z\n"u" v,w\n', "a.csv, line 4: quotes cannot be read (',' expected after '\"')"),
        ("a.tsv", "good\tbad\nx\t \n", "a.tsv, line 2: bad is empty; give both sentences, or omit the pair"),
        ("a.txt", "one\ntwo\nthree\n", "a.txt: 3 lines, an odd number; expected pairs of lines, the unacceptable"),
        ("a.txt", "one\n\nthree\nfour", "a.txt, line 1: sentence_good is empty"),
    ],
)  # fmt: skip
def test_file_and_line(tmp_path: Path, name: str, content: str | bytes, expected: str) -> None:
    assert message(tmp_path / name, content).startswith(expected)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, "no column 'sentence_bad', which format 'blimp' needs; found 'sentence_good', 'UID'"),
        ({"sentence_bad": ""}, "sentence_bad is empty; give both sentences, or omit the pair"),
        ({"sentence_bad": None}, "sentence_bad is None; expected a sentence"),
        ({"sentence_bad": 5}, "sentence_bad is 5; expected a sentence"),
        ({"sentence_bad": "a\ud800"}, "sentence_bad is 'a\\ud800', with half a character"),
        ({"sentence_bad": "a", "two_prefix_word": ["x"]}, "two_prefix_word is ['x']; expected text"),
        ({"sentence_bad": "a", "pairID": True}, "pairID is True; expected text"),
        ({"sentence_bad": "a", "dependency_length": "1_0"}, "dependency_length is '1_0'; expected an integer"),
        ({"sentence_bad": "a", "dependency_length": True}, "dependency_length is True; expected an integer"),
        ({"sentence_bad": "a", "one_prefix_method": "maybe"}, "one_prefix_method is 'maybe'; expected true or false"),
        ({"sentence_bad": "a", "issues": ["bug"]}, "issues is ['bug']; expected a list of: identical, duplicate,"),
    ],
)  # fmt: skip
def test_values(tmp_path: Path, change: dict[str, object], expected: str) -> None:
    line = json.dumps({"sentence_good": "a b", "UID": "p", **change})
    found = message(tmp_path / "a.jsonl", GOOD % 0 + line)
    assert found.startswith(f"a.jsonl, line 2: {expected}"), found


def test_an_id_that_a_paradigm_has_twice(tmp_path: Path) -> None:
    found = message(tmp_path / "a.jsonl", GOOD % 4 + GOOD % 5 + GOOD % 4)
    assert found.startswith("a.jsonl, line 3: pair 4 of 'p' is already in ") and "a.jsonl, line 1" in found
    assert found.endswith("be counted: renumber (--renumber)")


def test_the_same_id_in_two_paradigms_is_none(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(GOOD % 4 + (GOOD % 4).replace('"p"', '"q"'), encoding="utf-8")
    assert [pair.paradigm for pair in read_pairs(path)] == ["p", "q"]


def test_a_named_format_that_does_not_fit(tmp_path: Path) -> None:
    found = message(tmp_path / "a.jsonl", GOOD % 0, "multiblimp")
    assert found.startswith("a.jsonl, line 1: no column 'sen', which format 'multiblimp' needs; found ")


@pytest.mark.parametrize(
    ("name", "row", "column"),
    [
        ("blimp", {"sentence_good": "a b", "sentence_bad": "a"}, "paradigm or UID"),
        ("sling", {"sentence_good": "a b", "sentence_bad": "a", "phenomenon": "x"}, "paradigm"),
        ("rublimp", {"source_sentence": "a b", "target_sentence": "a"}, "PID"),
    ],
)
@pytest.mark.parametrize("value", ["absent", "", None])
def test_a_row_that_names_no_paradigm(
    tmp_path: Path, name: str, row: dict[str, str], column: str, value: str | None
) -> None:
    key = column.rpartition(" ")[2]
    lines = [row | {key: "p"}, row if value == "absent" else row | {key: value}]
    content = "".join(json.dumps(line) + "\n" for line in lines)
    expected = f"a.jsonl, line 2: no {column}, which format {name!r} needs in every row; add it, or name the format"
    assert message(tmp_path / "a.jsonl", content).startswith(expected)
    # With the format named, the first row too.
    found = message(tmp_path / "a.jsonl", json.dumps(lines[1]), name)
    assert found.startswith(expected.replace("line 2", "line 1"))


def test_paths(tmp_path: Path) -> None:
    for path, expected in (
        (tmp_path / "nowhere", "no such file or folder"),
        (tmp_path, "contains no file; name a file of pairs"),
        (Path("a\0b"), "no such file or folder|cannot be read"),
    ):
        with pytest.raises(InputError, match=expected):
            read_pairs(path)  # before any pair is asked for
    (tmp_path / "notes.md").write_text("x", encoding="utf-8")
    with pytest.raises(InputError, match=r"contains no file that ends in \.jsonl"):
        read_pairs(tmp_path)


def test_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="is not a regular file; save it first"):
        read_pairs(tmp_path / "pipe")


def test_files_of_several_kinds(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(GOOD % 0, encoding="utf-8")
    (tmp_path / "b.tsv").write_text("good\tbad\nx\ty\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"several kinds \(1 \.jsonl, 1 \.tsv\); name one file"):
        read_pairs(tmp_path)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"format": "blimb"}, "no format 'blimb'; the formats are: blimp, blimp-nl, sling,"),
        ({"format": "pairs", "columns": {}}, r"\(--format\) or your own columns \(--columns\), not both"),
        ({"columns": {"sentence_good": "a"}}, "must be for the first two: sentence_bad is missing"),
        ({"columns": {"sentence_good": "a", "sentence_bad": "b", "UID": "c"}}, "'UID' is not one of these"),
    ],
)
def test_options(tmp_path: Path, options: dict[str, object], expected: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(GOOD % 0, encoding="utf-8")
    with pytest.raises(InputError, match=expected):
        read_pairs(path, **options)  # type: ignore[arg-type]


def test_own_columns_that_are_not_there(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("right\twrong\nx\ty\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"a\.tsv, line 2: no column 'bad', .*; found 'right', 'wrong'"):
        list(read_pairs(path, columns={"sentence_good": "right", "sentence_bad": "bad"}))


def test_broken_zips(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.jsonl", GOOD % 0)
    content = path.read_bytes()
    path.write_bytes(content.replace(b"Ann sleeps", b"Ann_sleeps", 1))
    with pytest.raises(InputError, match=r"a\.zip: entry 'a\.jsonl' cannot be read \(Bad CRC-32"):
        list(read_pairs(path))
    encrypted = bytearray(content)
    for signature, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        encrypted[content.index(signature) + place] |= 1  # the flag alone
    path.write_bytes(encrypted)
    with pytest.raises(InputError, match="entry 'a.jsonl' cannot be read .*password"):
        list(read_pairs(path))
    path.write_bytes(content[:40])
    with pytest.raises(InputError, match=r"a\.zip: cannot be read \(File is not a zip file\)"):
        list(read_pairs(path))
