"""Files of scores: what rows may look like, and their errors.

The first line tells which of the four forms (see ``precomputed.py``) a file has: an opening brace or bracket, the name
of a column, two numbers, one number.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple, TypeAlias

from dibimt_metric.errors import InputError, shown

from ..reading.rows import TableRow, json_rows, table_rows

COLUMNS = {
    "paradigm": ("paradigm", "UID"),
    "pair_id": ("pair_id", "pairID"),
    **{name: (name,) for name in ("good", "bad", "good_tokens", "bad_tokens")},
}
"""Columns that are read from tables and JSON Lines, and the names they may have."""

NEEDED = ("paradigm", "pair_id", "good", "bad")

_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|[+-]?inf(?:inity)?|nan", re.ASCII | re.IGNORECASE)
_ROUNDING = 1e-6  # How far over 0 a log-probability may be because of rounding.
_SHOWN = 5  # Problems that a message lists.

Key: TypeAlias = tuple[str, int]
"""Paradigm and number of a pair."""


class ScoredPair(NamedTuple):
    """The scores of a pair, as in the file.

    Attributes:
        place: file and line. key: ``None``: the file relies on order.
        good, bad: the numbers; ``None``: no score; ``-inf``: probability zero.
        good_tokens, bad_tokens: ``None``: not given.
    """

    place: str
    key: Key | None
    good: float | None
    bad: float | None
    good_tokens: int | None = None
    bad_tokens: int | None = None


class _Fault(Exception):
    """An error in a row; becomes part of an `InputError`."""


def read_scores(text: str, name: str, log: bool = True) -> list[ScoredPair]:
    r"""The rows of a file of scores.

    Args:
        text: all of it.
        name: of the file, for messages.
        log: whether the numbers are log-probabilities, which are at most 0.

    >>> read_scores("-1.5 -2\n-3 NA\n", "scores.txt")[1]
    ScoredPair(place='scores.txt, line 2', key=None, good=-3.0, bad=None, good_tokens=None, bad_tokens=None)
    """
    first = next((line for line in text.split("\n") if line.strip()), "")
    cells = {cell.strip() for cell in first.split("\t")}
    if first.lstrip().startswith(("{", "[")):
        calls = _named_rows(json_rows(text, name), log)
    elif any(cells.intersection(names) for names in COLUMNS.values()):
        _check_header(cells, name)
        calls = _named_rows(table_rows(text, name, delimiter="\t", quoted=False, header=True), log)
    else:
        calls = _plain_rows(text, name, log)
    return _collect(calls, name)


_Calls: TypeAlias = Iterable[tuple[str, Callable[[], ScoredPair]]]


def _collect(calls: _Calls, name: str) -> list[ScoredPair]:
    """The results of the calls; each may fail, so that one error does not hide the next."""
    rows: list[ScoredPair] = []
    problems: list[str] = []
    for place, call in calls:
        try:
            rows.append(call())
        except _Fault as fault:
            problems.append(f"{place}: {fault}")
    raise_all(problems, "correct these lines")
    if not rows:
        raise InputError(f"{name}: contains no scores; expected a row for each pair")
    return rows


def raise_all(problems: Sequence[str], advice: str) -> None:
    """Fail if there are problems, listing the first five."""
    if problems:
        more = f"; and {len(problems) - _SHOWN} more" if len(problems) > _SHOWN else ""
        raise InputError(f"{'; '.join(problems[:_SHOWN])}{more}; {advice}")


def _check_header(cells: set[str], name: str) -> None:
    missing = [" or ".join(COLUMNS[column]) for column in NEEDED if not cells.intersection(COLUMNS[column])]
    if missing:
        raise InputError(
            f"{name}, line 1: no column {', '.join(missing)} among {', '.join(sorted(cells))}; the header names the "
            f"columns {', '.join(NEEDED)}, separated by tabs"
        )


def _named_rows(rows: Iterable[TableRow], log: bool) -> _Calls:
    return ((row.place, partial(_named, row, log)) for row in rows)


def _named(row: TableRow, log: bool) -> ScoredPair:
    values = {column: _pick(row.columns, column) for column in COLUMNS}
    paradigm = values["paradigm"]
    if not isinstance(paradigm, str) or not paradigm:
        raise _Fault(f"paradigm {shown(paradigm)}: expected a text")
    return ScoredPair(
        row.place,
        (paradigm, _whole(values["pair_id"], "pair_id", 0)),
        _number(values["good"], "good", log),
        _number(values["bad"], "bad", log),
        _tokens(values["good_tokens"], "good_tokens"),
        _tokens(values["bad_tokens"], "bad_tokens"),
    )


def _pick(columns: Mapping[str, object], column: str) -> object:
    """The value under the first of the column's names that the row has."""
    names = [name for name in COLUMNS[column] if name in columns]
    if not names and column in NEEDED:
        raise _Fault(f"no {' or '.join(COLUMNS[column])}")
    return columns[names[0]] if names else None


def _plain_rows(text: str, name: str, log: bool) -> Iterator[tuple[str, Callable[[], ScoredPair]]]:
    """Rows of two numbers, or of one number in two lines."""
    lines = text.rstrip().split("\n")
    width = len(lines[0].split())
    if width not in (1, 2):
        raise InputError(
            f"{name}, line 1: {shown(lines[0])} has {width} columns; expected one number, two numbers, a JSON object, "
            f"or a header with {', '.join(NEEDED)}, separated by tabs"
        )
    if width == 1 and len(lines) % 2:
        raise InputError(f"{name}: {len(lines)} lines; alternating good and bad scores need an even number of lines")
    step = 2 // width
    for i in range(0, len(lines), step):
        place = f"{name}, line {i + 1}"
        yield place, partial(_plain, place, lines[i : i + step], width, log)


def _plain(place: str, lines: Sequence[str], width: int, log: bool) -> ScoredPair:
    cells = [line.split() for line in lines]
    if any(len(row) != width for row in cells):
        found = " and ".join(shown(line.strip()) for line in lines)
        raise _Fault(f"{found}: expected {('one number', 'two numbers')[width - 1]} a line, as in line 1")
    good, bad = (cell for row in cells for cell in row)
    return ScoredPair(place, None, _number(good, "good", log), _number(bad, "bad", log))


def _number(value: object, column: str, log: bool) -> float | None:
    """A number, or the text of one; ``None`` for no score."""
    if value is None or value == "NA":
        return None
    number = _parse(value.strip()) if isinstance(value, str) else value
    if isinstance(number, bool) or not isinstance(number, (int, float)):
        raise _Fault(f"{column} {shown(value)}: expected a number with a decimal point, or NA for no score")
    number = _float(number, column)
    if math.isnan(number) or number == math.inf:
        raise _Fault(f"{column} {shown(value)}: expected a finite number, or NA for no score")
    if log and number > _ROUNDING:
        raise _Fault(
            f"{column} {shown(value)}: a log-probability is at most 0; negate surprisals, or choose the "
            "base 'any' (--base any) for numbers that are not log-probabilities"
        )
    return number


def _parse(cell: str) -> float | None:
    return float(cell) if _NUMBER.fullmatch(cell) else None


def _float(number: int | float, column: str) -> float:
    try:
        return float(number)
    except OverflowError as error:  # an integer over 1e308 in JSON
        raise _Fault(f"{column} {shown(number)}: out of range") from error


def _tokens(value: object, column: str) -> int | None:
    return None if value is None or value in ("NA", "") else _whole(value, column, 1)


def _whole(value: object, column: str, least: int) -> int:
    is_digits = isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 20
    number = int(str(value)) if is_digits else value
    if isinstance(number, bool) or not isinstance(number, int) or number < least:
        raise _Fault(f"{column} {shown(value)}: expected an integer of at least {least}")
    return number
