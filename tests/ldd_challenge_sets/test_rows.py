"""Rows of challenge sets as JSON lines."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dibimt_metric.errors import InputError
from ldd_challenge_sets.extraction.rows import read_rows, row_from_json, row_to_json, rows_text
from ldd_challenge_sets.records import Hit, LddRow

ROW = LddRow(
    id="7",
    line=7,
    source="Er macht aus .",
    target="He turns off .",
    source_tokens=("Er", "macht", "aus", "."),
    target_tokens=("He", "turns", "off", "."),
    phenomenon="particle",
    hits=(Hit(3, 2, "aus", "macht", 0),),
    max_distance=0,
    alignment="0-0 1-1",
    corpus="demo",
)


def test_keys_are_the_fields_in_their_order() -> None:
    assert list(json.loads(row_to_json(ROW))) == [field.name for field in fields(LddRow)]


@given(st.text(), st.lists(st.text(), max_size=4), st.integers(0, 99))
def test_round_trip_for_any_text(text: str, words: list[str], distance: int) -> None:
    row = replace(
        ROW,
        source=text,
        source_tokens=tuple(words),
        hits=(Hit(1, 2, text, text, distance),),
        target=None,
        alignment=None,
    )
    line = row_to_json(row)
    assert "\n" not in line
    line.encode("utf-8")  # also where the text holds lone surrogates
    assert row_from_json(line) == row


def test_a_file_of_rows(tmp_path: Path) -> None:
    rows = (ROW, replace(ROW, id="8", line=8))
    path = tmp_path / "set.jsonl"
    path.write_text(rows_text(rows), encoding="utf-8")
    assert read_rows(path) == rows


def changed(**changes: object) -> str:
    return json.dumps({**json.loads(row_to_json(ROW)), **changes})


def without(name: str) -> str:
    record = json.loads(row_to_json(ROW))
    del record[name]
    return json.dumps(record)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("{", "not valid JSON"),
        ("[]", "expected a JSON object"),
        (without("target"), "column 'target' is missing"),
        (changed(line="7"), "'line' is int"),
        (changed(line=True), "'line' is int"),
        (changed(target=3), "'target' is str or null"),
        (changed(source_tokens=["a", 1]), "'source_tokens' is a list of strings"),
        (changed(hits=["x"]), "a hit is an object"),
        (changed(hits=[{"dependent": 1}]), "'head' of a hit is int"),
    ],
)
def test_a_line_that_is_no_row_is_named(tmp_path: Path, line: str, expected: str) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text(f"{row_to_json(ROW)}\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match="set.jsonl, line 2: ") as caught:
        read_rows(path)
    assert expected in str(caught.value)


def test_an_id_stands_once(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text(rows_text((ROW, ROW)), encoding="utf-8")
    with pytest.raises(InputError, match="line 2: id '7' was used in line 1"):
        read_rows(path)


def test_not_utf8_and_absent(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_bytes(row_to_json(ROW).encode("utf-8") + b'\n{"id": "\xff"}\n')
    with pytest.raises(InputError, match="not UTF-8"):
        read_rows(path)
    with pytest.raises(InputError, match="cannot be read"):
        read_rows(tmp_path / "none.jsonl")
