"""The rows of a file in any form: JSON Lines, JSON, TSV, CSV, or alternating lines of text."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeAlias

from dibimt_metric.errors import InputError, shown

Columns: TypeAlias = Mapping[str, object]
"""Values by column name; columns of a table without names are numbered: ``"1"``, ``"2"`` ..."""


class TableRow(NamedTuple):
    """A row of a file.

    Attributes:
        place: file and line, for messages. columns: its values.
    """

    place: str
    columns: Columns


def json_rows(text: str, name: str) -> Iterator[TableRow]:
    """Rows of JSON Lines, blank lines skipped, or of one JSON array of objects."""
    return _array_rows(text, name) if text.lstrip().startswith("[") else _line_rows(text, name)


def _line_rows(text: str, name: str) -> Iterator[TableRow]:
    for number, line in enumerate(text.split("\n"), 1):
        if line and not line.isspace():
            place = f"{name}, line {number}"
            yield TableRow(place, _object(_json(line, place, number), place))


def _array_rows(text: str, name: str) -> Iterator[TableRow]:
    values = _json(text, name, None)
    for number, value in enumerate(values if isinstance(values, list) else [values], 1):
        place = f"{name}, object {number}"
        yield TableRow(place, _object(value, place))


def _json(text: str, place: str, line: int | None) -> object:
    try:
        value: object = json.loads(text)
    except json.JSONDecodeError as error:
        where = f"column {error.colno}" if line is not None else f"line {error.lineno}, column {error.colno}"
        raise InputError(f"{place}: not valid JSON ({error.msg} at {where}); write one object per line") from error
    except (ValueError, RecursionError) as error:  # a number with too many digits; nesting too deep
        raise InputError(f"{place}: not usable JSON ({error}); write one object per line") from error
    return value


def _object(value: object, place: str) -> Columns:
    if not isinstance(value, dict):
        raise InputError(f"{place}: expected an object with a value for each column, not {shown(value)}")
    return value


def table_rows(text: str, name: str, *, delimiter: str, quoted: bool, header: bool) -> Iterator[TableRow]:
    """Rows of a table.

    Args:
        text: of the file.
        name: of the file.
        delimiter: between columns.
        quoted: whether double quotes around a value are not part of it, as spreadsheets and pandas write; otherwise
            every character except the delimiter and the line end is text.
        header: whether the first line contains the names of the columns.

    Raises:
        InputError: a row has another number of columns than the first, a name occurs twice, quotes do not close.
    """
    lines = quoted_lines(text, name, delimiter) if quoted else _plain_lines(text, name, delimiter)
    names: list[str] | None = None
    for place, values in lines:
        if names is None:
            names = _header(values, place) if header else [str(n) for n in range(1, len(values) + 1)]
            if header:
                continue
        if len(values) != len(names):
            raise InputError(
                f"{place}: {len(values)} columns, but the first line has {len(names)}; separate columns by one "
                f"{_called(delimiter)}, and use none inside a sentence"
            )
        yield TableRow(place, dict(zip(names, values, strict=True)))


def table_header(text: str, delimiter: str) -> list[str]:
    """The values of the first line that is not empty, if there is one."""
    first = next((line for line in text.split("\n") if line.strip()), "")
    return next(csv.reader([first.rstrip("\r")], delimiter=delimiter), [])


def _header(values: list[str], place: str) -> list[str]:
    twice = [value for value in values if values.count(value) > 1]
    if twice:
        raise InputError(f"{place}: the column {shown(twice[0])} occurs twice; keep one")
    return values


def _called(delimiter: str) -> str:
    return "tab" if delimiter == "\t" else shown(delimiter)


def _plain_lines(text: str, name: str, delimiter: str) -> Iterator[tuple[str, list[str]]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip("\r\n "):
            yield f"{name}, line {number}", line.removesuffix("\r").split(delimiter)


def quoted_lines(text: str, name: str, delimiter: str) -> Iterator[tuple[str, list[str]]]:
    """The rows of a table whose values may be quoted (RFC 4180), each with the line in which it begins."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    try:
        for values in reader:
            if any(values):
                yield f"{name}, line {line}", values
            line = reader.line_num + 1
    except csv.Error as error:
        raise InputError(
            f"{name}, line {line}: quotes cannot be read ({error}); double quotes inside a value and close each value"
        ) from error


def alternate_rows(text: str, name: str) -> Iterator[TableRow]:
    """Rows of alternating text lines, the unacceptable sentence first (Zorro)."""
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    while lines and not lines[-1].strip():
        lines.pop()
    if len(lines) % 2:
        raise InputError(
            f"{name}: {len(lines)} lines, an odd number; expected pairs of lines, the unacceptable sentence first"
        )
    for number in range(0, len(lines), 2):
        columns = {"sentence_bad": lines[number], "sentence_good": lines[number + 1]}
        yield TableRow(f"{name}, line {number + 1}", columns)
