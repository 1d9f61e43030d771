"""Subsets by line number: ``.ids`` files, lines of a file, rows, translations; and what is wrong with them."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from dibimt_metric.errors import InputError
from ldd_challenge_sets.records import LddRow
from ldd_challenge_sets.scoring.select import (
    baseline_rows,
    read_ids,
    read_translations,
    repeated_ids,
    rows_from_ids,
    select_lines,
)

SOURCE = ["eins zwei", "drei", "vier fünf sechs"]
REFERENCE = ["one two", "three", "four five six"]


def written(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    return path


# Ids


@pytest.mark.parametrize("content", ["3\n1\n3\n", "3\r\n1\r\n3", "\ufeff3\n\n 1 \n3\n"])
def test_ids_keep_their_order_and_repeats(content: str, tmp_path: Path) -> None:
    assert read_ids(written(tmp_path / "a.ids", content)) == (3, 1, 3)


def test_repeats_are_counted() -> None:
    assert repeated_ids((3, 1, 3, 3, 2, 2)) == {3: 3, 2: 2}
    assert repeated_ids((3, 1)) == {}


@pytest.mark.parametrize("bad", ["0", "-1", "1.0", "one", "1 2", "²", "١", "9" * 5000])
def test_id_that_is_no_line_number(bad: str, tmp_path: Path) -> None:
    path = written(tmp_path / "a.ids", f"1\n{bad}\n")
    with pytest.raises(InputError, match=r"a\.ids, line 2: .* is not a line number"):
        read_ids(path)


@pytest.mark.parametrize("content", ["", "\n\n"])
def test_no_ids(content: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no line number"):
        read_ids(written(tmp_path / "a.ids", content))


def test_missing_and_broken_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.ids: cannot be read"):
        read_ids(tmp_path / "none.ids")
    with pytest.raises(InputError, match=r"a\.txt, line 2: .*not UTF-8"):
        select_lines(written(tmp_path / "a.txt", b"fine\nbad \xff\n"), [1])


# Lines


def test_lines_in_the_order_asked_for(tmp_path: Path) -> None:
    path = written(tmp_path / "a.txt", "a\r\nb\n\nd")
    assert select_lines(path, [4, 1, 3, 1]) == ["d", "a", "", "a"]


def test_only_a_line_feed_ends_a_line(tmp_path: Path) -> None:
    path = written(tmp_path / "a.txt", "a\u2028a\x0ca\x85a\nb\n")
    assert select_lines(path, [2]) == ["b"]


def test_compressed_lines(tmp_path: Path) -> None:
    path = written(tmp_path / "a.txt.gz", gzip.compress("ä\nb\n".encode()))
    assert select_lines(path, (1, 2)) == ["ä", "b"]


@pytest.mark.parametrize("line", [0, 4, -1])
def test_line_that_is_not_there(line: int, tmp_path: Path) -> None:
    path = written(tmp_path / "a.txt", "a\nb\nc\n")
    with pytest.raises(InputError, match=rf"a\.txt has 3 lines and no line {line};"):
        select_lines(path, [1, line])


# Rows


def test_rows_hold_the_lines() -> None:
    rows = rows_from_ids([3, 1], SOURCE, REFERENCE, "particle", corpus="news")
    assert rows[0] == LddRow(
        id="3",
        line=3,
        source="vier fünf sechs",
        target="four five six",
        source_tokens=("vier", "fünf", "sechs"),
        target_tokens=(),
        phenomenon="particle",
        hits=(),
        max_distance=None,
        alignment=None,
        corpus="news",
    )
    assert [row.line for row in rows] == [3, 1]


def test_repeated_lines_count_once_unless_they_are_kept() -> None:
    assert [row.line for row in rows_from_ids([3, 1, 3], SOURCE, REFERENCE, "particle")] == [3, 1]
    kept = rows_from_ids([3, 1, 3, 3], SOURCE, REFERENCE, "particle", keep_repeats=True)
    assert [row.id for row in kept] == ["3", "1", "3.2", "3.3"]
    assert [row.line for row in kept] == [3, 1, 3, 3]


def test_tokens_by_another_rule() -> None:
    rows = rows_from_ids([2], SOURCE, REFERENCE, "particle", tokenize=list)
    assert rows[0].source_tokens == ("d", "r", "e", "i")


def test_rows_that_do_not_fit() -> None:
    with pytest.raises(InputError, match="3 source lines and 2 reference lines"):
        rows_from_ids([1], SOURCE, REFERENCE[:2], "particle")
    with pytest.raises(InputError, match=r"particle: the corpus has 3 lines and no line 4, 5, 6, 7, 8, \.\.\.;"):
        rows_from_ids(range(1, 20), SOURCE, REFERENCE, "particle")


def test_whole_corpus() -> None:
    rows = baseline_rows(SOURCE, REFERENCE, corpus="news")
    assert [(row.line, row.phenomenon, row.target) for row in rows] == [
        (line, "baseline", text) for line, text in enumerate(REFERENCE, 1)
    ]


# Translations


def test_translations_of_corpus_and_subset(tmp_path: Path) -> None:
    path = written(tmp_path / "hyp.txt", "one\n\nthree\n")
    assert read_translations(path) == {1: "one", 2: "", 3: "three"}
    assert read_translations(path, [7, 3, 5]) == {7: "one", 3: "", 5: "three"}


def test_translations_of_another_number(tmp_path: Path) -> None:
    path = written(tmp_path / "hyp.txt", "one\n\nthree\n")
    with pytest.raises(InputError, match=r"hyp\.txt: 3 translations for 2 sentences"):
        read_translations(path, [1, 2])


# The published files


@pytest.mark.parametrize(("name", "count"), [("de_particle_news", 232), ("en_particle", 786), ("en_reflexive", 1188)])
def test_published_ids(test_data: Path, name: str, count: int) -> None:
    ids = read_ids(test_data / "ldd" / "released" / f"{name}.ids")
    assert (len(ids), repeated_ids(ids)) == (count, {})
