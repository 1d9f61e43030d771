"""From a row to a pair: values are found by their columns, checked, typed and numbered."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from dibimt_metric.errors import InputError, shown

from ..paradigms import phenomenon_of, phenomenon_of_term
from ..records import ISSUES, Pair
from .formats import Format
from .rows import TableRow

_TRUE, _FALSE = ("true", "1", "yes"), ("false", "0", "no")


def _sentence(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"is {shown(value)}; expected a sentence")
    if not value.strip():
        raise ValueError("is empty; give both sentences, or omit the pair")
    return _whole_characters(value)


def _whole_characters(text: str) -> str:
    """Half a character, from an escape in JSON, can be neither scored nor written."""
    if not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text):
        raise ValueError(f"is {shown(text)}, with half a character (a lone surrogate); correct the text")
    return text


def _text(value: object) -> str | None:
    if value is None or value == "":
        return None
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise ValueError(f"is {shown(value)}; expected text")
    return _whole_characters(str(value))


def _number(value: object) -> int | None:
    if value is None or value == "":
        return None
    number = None if isinstance(value, bool) else _whole(_text(value))
    if number is None:
        raise ValueError(f"is {shown(value)}; expected an integer")
    return number


def _flag(value: object) -> bool | None:
    if value is None or isinstance(value, bool):
        return value
    if value == "":
        return None
    if isinstance(value, str) and value.lower() in (*_TRUE, *_FALSE):
        return value.lower() in _TRUE
    raise ValueError(f"is {shown(value)}; expected true or false")


def _issues(value: object) -> tuple[str, ...]:
    names = value.split(",") if isinstance(value, str) and value else value or ()
    if not isinstance(names, (list, tuple)) or any(name not in ISSUES for name in names):
        raise ValueError(f"is {shown(value)}; expected a list of: {', '.join(ISSUES)}")
    return tuple(names)


_Check: TypeAlias = Callable[[object], Any]
_CHECKS: dict[str, _Check] = {
    "sentence_good": _sentence,
    "sentence_bad": _sentence,
    "dependency_length": _number,
    **dict.fromkeys(("simple_LM_method", "one_prefix_method", "two_prefix_method", "lexically_identical"), _flag),
    "issues": _issues,
}
"""How the value of an attribute is checked; all others as text."""


class PairMaker:
    """Makes pairs from the rows of one file.

    Args:
        layout: format of the rows.
        paradigm: for rows that name none.
        phenomenon: for rows that name none.
        language: for rows that name none; becomes the first part of the paradigm.
    """

    def __init__(
        self, layout: Format, paradigm: str, phenomenon: str | None = None, language: str | None = None
    ) -> None:
        self._layout = layout
        self._paradigm, self._phenomenon, self._language = paradigm, phenomenon, language
        self._found: dict[tuple[str, ...], tuple[tuple[str, str, _Check], ...]] = {}

    def make(self, row: TableRow, count: Callable[[str], int]) -> Pair:
        """The pair of a row; ``count`` numbers one without a number, from its paradigm."""
        values = self._values(row)
        if values.get("paradigm") is None and self._layout.names_paradigm:
            raise InputError(
                f"{row.place}: no {' or '.join(self._layout.columns['paradigm'])}, which format {self._layout.name!r} "
                "needs in every row; add it, or name the format pairs (--format pairs)"
            )
        paradigm = self._name(values)
        given = values.pop("pair_id", None)
        label = values.pop("pairID", None) or given
        number = _whole(given if given is not None else label)
        if number is None:
            number = count(paradigm)
        uid = values.pop("UID", None) or paradigm
        if values.get("phenomenon") is None:
            values["phenomenon"] = (
                self._phenomenon or phenomenon_of(uid) or phenomenon_of_term(values.get("linguistics_term"))
            )
        if (field := values.get("field")) is not None:
            # One paradigm of BLiMP spells it syntax/semantics, RuBLiMP begins it with a capital.
            values["field"] = field.lower().replace("/", "_")
        return Pair(
            UID=uid, paradigm=paradigm, pair_id=number, pairID=str(number) if label is None else label, **values
        )

    def _name(self, values: dict[str, Any]) -> str:
        """The paradigm; with the language in front, so that languages stay separate."""
        name: str | None = values.pop("paradigm", None)
        language = values.pop("language", None) or self._language
        if not self._layout.folder_is_language:
            return name or self._paradigm
        group = values.get("phenomenon") or self._paradigm
        return f"{language}-{group}" if language else str(group)

    def _values(self, row: TableRow) -> dict[str, Any]:
        keys = tuple(row.columns)
        found = self._found.get(keys)
        if found is None:
            found = self._found[keys] = self._resolve(keys, row.place)
        values = {}
        for attribute, column, check in found:
            try:
                values[attribute] = check(row.columns[column])
            except ValueError as error:
                raise InputError(f"{row.place}: {column} {error}") from error
        return values

    def _resolve(self, keys: Sequence[str], place: str) -> tuple[tuple[str, str, _Check], ...]:
        """For each attribute that the rows with these columns have: its column and its check."""
        found = []
        for attribute, candidates in self._layout.columns.items():
            column = next((name for name in candidates if name in keys), None)
            if column is not None:
                found.append((attribute, column, _CHECKS.get(attribute, _text)))
            elif attribute in ("sentence_good", "sentence_bad"):
                raise InputError(
                    f"{place}: no column {' or '.join(map(repr, candidates))}, which format {self._layout.name!r} "
                    f"needs; found {', '.join(map(repr, keys)) or 'none'}"
                )
        return tuple(found)


def _whole(text: str | None) -> int | None:
    """The number that an id is; ``None``: it is not a number."""
    if text is None or not (text.isascii() and text.isdigit() and len(text) < 19):
        return None
    return int(text)


class Numbering:
    """Numbers the pairs of each paradigm (``renumber``: from 0, whatever they have); rejects a number that recurs."""

    def __init__(self, renumber: bool = False) -> None:
        self._renumber = renumber
        self._places: defaultdict[str, dict[int, str]] = defaultdict(dict)

    def next(self, paradigm: str) -> int:
        """A number for a pair without one: how many pairs its paradigm has so far."""
        return len(self._places[paradigm])

    def check(self, pair: Pair, place: str) -> Pair:
        """The pair, under its final number; ``place`` is file and line, for messages."""
        places = self._places[pair.paradigm]
        if self._renumber:
            pair = replace(pair, pair_id=len(places))
        if pair.pair_id in places:
            raise InputError(
                f"{place}: pair {pair.pair_id} of {shown(pair.paradigm)} is already in {places[pair.pair_id]}; "
                "give each pair of a paradigm a unique id, or let the pairs of each paradigm be counted: renumber "
                "(--renumber)"
            )
        places[pair.pair_id] = place
        return pair
