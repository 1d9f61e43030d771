"""Rows of a challenge set as lines of JSON, and back (``docs/formats.md``, "Challenge sets")."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

from dibimt_metric.errors import InputError, shown

from ..records import Hit, LddRow

_ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(", ", ": "), allow_nan=False).encode
_ESCAPED = json.JSONEncoder(ensure_ascii=True, separators=(", ", ": "), allow_nan=False).encode

_TYPES: dict[str, tuple[type, ...]] = dict.fromkeys(("source_tokens", "target_tokens", "hits"), (list,))
_TYPES |= {"line": (int,), "max_distance": (int, type(None))}
_TYPES |= dict.fromkeys(("target", "alignment"), (str, type(None)))
_COLUMNS = {each.name: _TYPES.get(each.name, (str,)) for each in fields(LddRow)}
_HIT_FIELDS = {"dependent": int, "head": int, "dependent_form": str, "head_form": str, "distance": int}


def row_to_json(row: LddRow) -> str:
    """The row as one line of JSON, without line end; the keys in the order of `LddRow`.

    >>> row_to_json(LddRow("1", 1, "Hi", None, ("Hi",), (), "baseline", (), None, None, "demo"))[:35]
    '{"id": "1", "line": 1, "source": "H'
    """
    record = {name: getattr(row, name) for name in _COLUMNS}
    record["hits"] = [hit._asdict() for hit in row.hits]
    text = _ENCODE(record)
    # UTF-8 has no lone surrogates; a text with one is written in escapes.
    return text if text.isascii() or _is_utf8(text) else _ESCAPED(record)


def row_from_json(text: str) -> LddRow:
    """The row of a line of JSON; other columns than those of `LddRow` are ignored."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"not valid JSON ({error}); a challenge set has one JSON object on each line") from error
    if not isinstance(value, dict):
        raise InputError(f"expected a JSON object, not {shown(value)}")
    for name, types in _COLUMNS.items():
        _check_type(value, name, types)
    for name in ("source_tokens", "target_tokens"):
        if not all(isinstance(token, str) for token in value[name]):
            raise InputError(f"{name!r} is a list of strings, not {shown(value[name])}")
    lists: dict[str, Callable[[object], object]] = {"source_tokens": str, "target_tokens": str, "hits": _hit}
    columns: dict[str, Any] = {name: value[name] for name in _COLUMNS}
    return LddRow(**columns | {name: tuple(map(make, value[name])) for name, make in lists.items()})


def read_rows(path: Path | str) -> tuple[LddRow, ...]:
    """All rows of a configuration's file.

    Raises:
        InputError: the file cannot be read, a line is not a row, or an id occurs twice. Names file and line.
    """
    return tuple(iter_rows(path))


def iter_rows(path: Path | str) -> Iterator[LddRow]:
    """The rows of a file one by one; see `read_rows`."""
    ids: dict[str, int] = {}
    for number, line in _lines(path):
        try:
            row = row_from_json(line)
        except InputError as error:
            raise InputError(f"{path}, line {number}: {error}") from error
        if row.id in ids:
            raise InputError(
                f"{path}, line {number}: id {row.id!r} was used in line {ids[row.id]}; remove one of the rows"
            )
        ids[row.id] = number
        yield row


def rows_text(rows: Iterable[LddRow]) -> str:
    """The whole content of a configuration's file."""
    return "".join(row_to_json(row) + "\n" for row in rows)


def _lines(path: Path | str) -> Iterator[tuple[int, str]]:
    try:
        with Path(path).open("rb") as stream:
            for number, line in enumerate(stream, 1):
                if line.strip():
                    yield number, line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}, line {number}: not UTF-8 ({error.reason}); convert the file to UTF-8") from error
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); check the path") from error


def _check_type(value: dict[str, Any], name: str, types: tuple[type, ...]) -> None:
    if name not in value:
        raise InputError(f"column {name!r} is missing; expected {', '.join(_COLUMNS)}")
    if not isinstance(value[name], types) or isinstance(value[name], bool):
        kinds = " or ".join("null" if each is type(None) else each.__name__ for each in types)
        raise InputError(f"column {name!r} is {kinds}, not {shown(value[name])}")


def _hit(value: object) -> Hit:
    if not isinstance(value, dict):
        raise InputError(f"a hit is an object with {', '.join(_HIT_FIELDS)}, not {shown(value)}")
    for name, kind in _HIT_FIELDS.items():
        if not isinstance(value.get(name), kind) or isinstance(value[name], bool):
            raise InputError(f"{name!r} of a hit is {kind.__name__}, not {shown(value.get(name))}")
    return Hit(**{name: value[name] for name in _HIT_FIELDS})


def _is_utf8(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
