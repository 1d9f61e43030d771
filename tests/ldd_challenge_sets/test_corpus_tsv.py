"""Tables with tabs between the columns."""

from __future__ import annotations

import gzip
import pickle
from pathlib import Path

import pytest

from dibimt_metric.errors import InputError
from ldd_challenge_sets.corpus import open_tsv
from ldd_challenge_sets.records import Fault, TextPair


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.tsv"


def test_two_columns(path: Path) -> None:
    path.write_bytes(b"Sie gibt auf.\tShe gives up.\nEr nicht.\tHe does not.\n")
    corpus = open_tsv(path)
    assert list(corpus.read()) == [
        TextPair(1, "Sie gibt auf.", "She gives up."),
        TextPair(2, "Er nicht.", "He does not."),
    ]
    assert (corpus.name, corpus.files, corpus.count(), corpus.check()) == ("table", (str(path),), 2, ())


def test_columns_by_number(path: Path) -> None:
    path.write_bytes(b"1\tx\ten\tde\n2\ty\tup\tauf\n")
    assert list(open_tsv(path, 4, 3).read()) == [TextPair(1, "de", "en"), TextPair(2, "auf", "up")]


def test_columns_by_name(path: Path) -> None:
    path.write_bytes(b"\xef\xbb\xbfde\tid\ten\r\nauf\t1\tup\r\nan\t2\ton\r\n")
    corpus = open_tsv(path, "de", "en")
    # The first pair is number 1: names are no pair.
    assert list(corpus.read()) == [TextPair(1, "auf", "up"), TextPair(2, "an", "on")]
    assert list(corpus.read(2)) == [TextPair(2, "an", "on")]
    assert corpus.count() == 2


def test_name_and_number_can_be_mixed(path: Path) -> None:
    path.write_bytes(b"de\ten\nauf\tup\n")
    assert list(open_tsv(path, 1, "en").read()) == [TextPair(1, "auf", "up")]


def test_header_that_is_passed_over(path: Path) -> None:
    path.write_bytes(b"de\ten\nauf\tup\n")
    assert list(open_tsv(path, header=True).read()) == [TextPair(1, "auf", "up")]
    assert len(list(open_tsv(path).read())) == 2


def test_source_only(path: Path) -> None:
    path.write_bytes(b"a\nb\n")
    assert list(open_tsv(path, 1, None).read()) == [TextPair(1, "a", None), TextPair(2, "b", None)]


def test_quotes_are_characters(path: Path) -> None:
    path.write_bytes(b'"Auf\tup "now"\n""\t\'\n"offen\tclosed"\n')
    assert [entry[1:] for entry in open_tsv(path).read()] == [
        ('"Auf', 'up "now"'), ('""', "'"), ('"offen', 'closed"'),
    ]  # fmt: skip


def test_one_line_is_one_pair(path: Path) -> None:
    path.write_bytes('a\u2028b\t1\x0c2\n"c\td\ne"\tf\n'.encode())
    assert [entry[1:] for entry in open_tsv(path).read()] == [
        ("a\u2028b", "1\x0c2"),
        ('"c', "d"),
        ('e"', "f"),
    ]


def test_compressed(tmp_path: Path) -> None:
    path = tmp_path / "t.tsv.gz"
    path.write_bytes(gzip.compress(b"a\tb\n"))
    corpus = open_tsv(path)
    assert (corpus.name, list(corpus.read())) == ("t", [TextPair(1, "a", "b")])


def test_faults_stand_in_place(path: Path) -> None:
    path.write_bytes(b"a\t1\nb\nc\t3\tx\n\t4\ne\t \n\xfff\t6\n\ng\t7\n")
    entries = list(open_tsv(path).read())
    kinds = [entry.kind if isinstance(entry, Fault) else "ok" for entry in entries]
    assert kinds == [
        "ok", "column_count", "column_count", "empty_side", "empty_side", "bad_utf8", "column_count", "ok",
    ]  # fmt: skip
    assert [entry.line for entry in entries] == list(range(1, 9))
    messages = [entry.message for entry in entries if isinstance(entry, Fault)]
    assert "1 columns, but the first line of the file has 2" in messages[0]
    assert "3 columns, but" in messages[1]
    assert "source side" in messages[2]
    assert "target side" in messages[3]
    assert "byte 1 of the line (0xFF)" in messages[4]


def test_fault_below_names_says_the_line_of_the_file(path: Path) -> None:
    path.write_bytes(b"de\ten\nauf\tup\nan\n")
    fault = list(open_tsv(path, "de", "en").read())[1]
    assert isinstance(fault, Fault)
    assert fault.line == 2
    assert "1 columns (line 3 of the file)" in fault.message


@pytest.mark.parametrize(
    ("source", "target", "message"),
    [
        (
            "fr",
            "en",
            r"line 1: column 'fr' does not exist; the columns are \['de', 'en', 'en'\]",
        ),
        ("de", "en", "column 'en' occurs more than once"),
        (0, 2, "line 1: no column 0; the line has 3, counted from 1"),
        (1, 4, "line 1: no column 4; the line has 3"),
        (2, 2, "source and target are both column 2"),
        ("de", 1, "source and target are both column 1"),
    ],
)
def test_unknown_columns(path: Path, source: int | str, target: int | str, message: str) -> None:
    path.write_bytes(b"de\ten\ten\n")
    with pytest.raises(InputError, match=message):
        open_tsv(path, source, target)


def test_a_file_without_tabs(path: Path) -> None:
    path.write_bytes(b"de,en\n")
    with pytest.raises(InputError, match="no column 2; the line has 1, counted from 1 and separated by tabs"):
        open_tsv(path)


def test_empty_file(path: Path) -> None:
    path.write_bytes(b"")
    with pytest.raises(InputError, match="no column 2"):
        open_tsv(path)
    assert list(open_tsv(path, 1, None).read()) == []


def test_unreadable(path: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        open_tsv(path)
    with pytest.raises(InputError, match="is a folder"):
        open_tsv(tmp_path)
    path.write_bytes(b"d\xe4\ten\n")
    with pytest.raises(InputError, match=r"table\.tsv, line 1: byte 2 of the line"):
        open_tsv(path, "de", "en")


def test_spec(path: Path) -> None:
    path.write_bytes(b"a\tb\tc\n")
    corpus = open_tsv(path, 1, 2)
    assert pickle.loads(pickle.dumps(corpus)) == corpus
    assert corpus.fingerprint() == open_tsv(path, 1, 2, name="other").fingerprint()
    assert corpus.fingerprint() != open_tsv(path, 1, 3).fingerprint()
    assert corpus.fingerprint() != open_tsv(path, 1, 2, header=True).fingerprint()
