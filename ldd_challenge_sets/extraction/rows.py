"""Rows of a challenge set as lines of JSON, and back (``docs/formats.md``, "Challenge sets")."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from dibimt_metric.errors import InputError, shown

from ..records import Hit, Row

_ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(", ", ": "), allow_nan=False).encode
_ESCAPED = json.JSONEncoder(ensure_ascii=True, separators=(", ", ": "), allow_nan=False).encode

_COLUMNS: dict[str, tuple[type, ...]] = {
    "id": (str,),
    "line": (int,),
    "source": (str,),
    "target": (str, type(None)),
    "source_tokens": (list,),
    "target_tokens": (list,),
    "phenomenon": (str,),
    "hits": (list,),
    "max_distance": (int, type(None)),
    "alignment": (str, type(None)),
    "corpus": (str,),
}
_HIT_FIELDS: dict[str, type] = {
    "dependent": int,
    "head": int,
    "dependent_form": str,
    "head_form": str,
    "distance": int,
}


def row_to_json(row: Row) -> str:
    """The row as one line of JSON, without line end; the keys in the order of `Row`.

    >>> row_to_json(Row("1", 1, "Hi", None, ("Hi",), (), "baseline", (), None, None, "demo"))[:35]
    '{"id": "1", "line": 1, "source": "H'
    """
    record = {
        "id": row.id,
        "line": row.line,
        "source": row.source,
        "target": row.target,
        "source_tokens": row.source_tokens,
        "target_tokens": row.target_tokens,
        "phenomenon": row.phenomenon,
        "hits": [hit._asdict() for hit in row.hits],
        "max_distance": row.max_distance,
        "alignment": row.alignment,
        "corpus": row.corpus,
    }
    text = _ENCODE(record)
    # UTF-8 has no lone surrogates; a text that holds one is written in escapes.
    return text if text.isascii() or _is_utf8(text) else _ESCAPED(record)


def row_from_json(text: str) -> Row:
    """The row of a line of JSON. Columns that `Row` does not have are passed over.

    Raises:
        InputError: it is no JSON object, or a column is missing or of another type.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"not valid JSON ({error}); a challenge set has one JSON object a line") from error
    if not isinstance(value, dict):
        raise InputError(f"expected a JSON object, not {shown(value)}")
    for name, types in _COLUMNS.items():
        _check_type(value, name, types)
    for name in ("source_tokens", "target_tokens"):
        if not all(isinstance(token, str) for token in value[name]):
            raise InputError(f"{name!r} is a list of strings, not {shown(value[name])}")
    return Row(
        id=value["id"],
        line=value["line"],
        source=value["source"],
        target=value["target"],
        source_tokens=tuple(value["source_tokens"]),
        target_tokens=tuple(value["target_tokens"]),
        phenomenon=value["phenomenon"],
        hits=tuple(_hit(hit) for hit in value["hits"]),
        max_distance=value["max_distance"],
        alignment=value["alignment"],
        corpus=value["corpus"],
    )


def read_rows(path: Path | str) -> tuple[Row, ...]:
    """All rows of a configuration's file.

    Raises:
        InputError: the file cannot be read, or a line is no row; an id stands twice. Names file and line.
    """
    return tuple(iter_rows(path))


def iter_rows(path: Path | str) -> Iterator[Row]:
    """The rows of a file one by one; see `read_rows`."""
    ids: dict[str, int] = {}
    for number, line in _lines(path):
        try:
            row = row_from_json(line)
        except InputError as error:
            raise InputError(f"{path}, line {number}: {error}") from error
        if row.id in ids:
            first = ids[row.id]
            raise InputError(
                f"{path}, line {number}: id {row.id!r} is used already in line {first}; remove one"
            )
        ids[row.id] = number
        yield row


def rows_text(rows: Iterable[Row]) -> str:
    """The whole content of a configuration's file."""
    return "".join(row_to_json(row) + "\n" for row in rows)


def _lines(path: Path | str) -> Iterator[tuple[int, str]]:
    try:
        with Path(path).open("rb") as stream:
            for number, line in enumerate(stream, 1):
                if line.strip():
                    yield number, line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path}, line {number}: not UTF-8 ({error.reason}); convert the file to UTF-8"
        ) from error
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
