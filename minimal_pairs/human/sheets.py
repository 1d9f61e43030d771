"""Files of human judgments: the key, and the rows of answered sheets as they are in the files.

A sheet has the columns ``item``, ``sentence_1``, ``sentence_2`` and ``answer`` (1 or 2), and may have ``annotator``.
It is TSV, CSV as spreadsheet programs save it (comma or semicolon), or JSONL with the same names.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple

from dibimt_metric.errors import InputError, shown

from ..reading.rows import TableRow, json_rows, quoted_lines
from ..reading.sources import decode

ANSWER = "answer"
ANNOTATOR = "annotator"
COLUMNS = ("item", "sentence_1", "sentence_2", ANSWER)
"""The columns of a sheet, in order."""

_DELIMITERS = ("\t", ";", ",")


class Format(str, Enum):
    """How sheets are written: tab-separated, or one JSON object a line."""

    TSV = "tsv"
    JSONL = "jsonl"


@dataclass(frozen=True, slots=True)
class KeyRow:
    """What is known about an item of a sheet; the judge sees only its name and the sentences.

    Attributes:
        item: name, unique across versions. version: of the sheet, ``a`` or ``b``. kind: ``pair`` or ``check``.
        paradigm, pair_id, phenomenon: of the pair; ``None`` for a check.
        sentence_1, sentence_2: in the order shown. good: which of them is acceptable, 1 or 2.
    """

    item: str
    version: str
    kind: str
    paradigm: str | None
    pair_id: int | None
    phenomenon: str | None
    sentence_1: str
    sentence_2: str
    good: int


class SheetRow(NamedTuple):
    """A row of an answered sheet, as it is in the file.

    Attributes:
        where: file and line, for messages. annotator, item, answer: text without surrounding spaces, possibly empty.
        sentences: both sentences; ``None``: the file lacks these columns.
    """

    where: str
    annotator: str
    item: str
    answer: str
    sentences: tuple[str, str] | None


def read_key(path: Path) -> tuple[KeyRow, ...]:
    """The key that was written with the sheets."""
    rows: list[KeyRow] = []
    seen: set[str] = set()
    for where, record in json_rows(_text(path), str(path)):
        row = _key_row(where, record)
        if row.item in seen:
            raise InputError(f"{where}: item {shown(row.item)} occurs twice; use the key as it was written")
        seen.add(row.item)
        rows.append(row)
    if not rows:
        raise InputError(f"{path}: the key is empty; use the file that was written with the sheets")
    return tuple(rows)


def _key_row(where: str, record: Mapping[str, Any]) -> KeyRow:
    names = [field.name for field in fields(KeyRow)]
    missing = [name for name in names if name not in record]
    if missing:
        raise InputError(f"{where}: no {', '.join(missing)}; expected a line of the key written with the sheets")
    row = KeyRow(**{name: record[name] for name in names})
    texts = (row.item, row.version, row.sentence_1, row.sentence_2)
    named = row.kind == "check" or (isinstance(row.paradigm, str) and type(row.pair_id) is int)
    if not all(isinstance(text, str) for text in texts) or row.kind not in ("pair", "check") or not named:
        raise InputError(f"{where}: {shown(dict(record))} is not a line of a key; use the file as it was written")
    if type(row.good) is not int or row.good not in (1, 2):
        raise InputError(f"{where}: good is {shown(row.good)}; expected 1 or 2")
    return row


def read_sheet(path: Path) -> Iterator[SheetRow]:
    """The rows of an answered sheet; JSONL if the file ends in ``.jsonl``, else a table with a header."""
    text = _text(path)
    is_lines = path.suffix.lower() == ".jsonl"
    for where, record in json_rows(text, str(path)) if is_lines else _table(path, text):
        missing = [name for name in ("item", ANSWER) if name not in record]
        if missing:
            raise InputError(
                f"{where}: no column {', '.join(missing)}; expected {', '.join(COLUMNS)}, found {', '.join(record)}"
            )
        yield _sheet_row(where, record)


def _sheet_row(where: str, record: Mapping[str, Any]) -> SheetRow:
    values = {name: _cell(record.get(name)) for name in (ANNOTATOR, "item", ANSWER)}
    given = [record[name] for name in ("sentence_1", "sentence_2") if name in record]
    sentences = (_cell(given[0]), _cell(given[1])) if len(given) == 2 else None
    return SheetRow(where, values[ANNOTATOR], values["item"], values[ANSWER], sentences)


def _cell(value: object) -> str:
    return "" if value is None else str(value).strip()


def _text(path: Path) -> str:
    try:
        return decode(path.read_bytes(), str(path))
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}; give a file") from error


def _table(path: Path, text: str) -> Iterator[TableRow]:
    header = text.partition("\n")[0]
    rows = quoted_lines(text, str(path), max(_DELIMITERS, key=header.count))
    names = [name.strip() for name in next(rows, ("", []))[1]]
    if not names:
        raise InputError(f"{path} is empty; expected a header with {', '.join(COLUMNS)}")
    for where, cells in rows:
        if any(cell.strip() for cell in cells[len(names) :]):
            raise InputError(f"{where}: {len(cells)} cells; the header has {len(names)}")
        if any(cell.strip() for cell in cells):
            # Some programs omit empty cells at the end of a row.
            yield TableRow(where, dict(itertools.zip_longest(names, cells[: len(names)], fillvalue="")))
