"""Predictions and references in every form that the metric takes: pairs of item and hypotheses, and lines of text.

A reference is a row with the fields of an item, ``{"good": [...], "bad": [...]}``, an `Item`, or the id of an item of a
data set that was named before (``"id"``, or ``{"id": ..., "language": ...}`` where several languages have it). A
prediction is a string, an object with ``text`` and ``perplexity``, or an n-best list of these.

Both columns may be lists, tuples, generators, numpy arrays, pandas series or columns of a data set. Every
message names the place: ``references[3]`` is the fourth reference of the call. ``evaluate`` stores strings only, so a
pair is encoded for the way through it and decoded after.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import asdict, dataclass, fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from .errors import InputError
from .errors import ItemError
from .errors import UnknownItemError
from .errors import shortened
from .items import check_row
from .items import check_rows
from .items_reading import of_language
from .items_reading import read_items
from .judge import Hypothesis
from .judge import NBest
from .judge import Prediction
from .judge import as_prediction
from .languages import language_rules
from .records import Candidate
from .records import Focus
from .records import Item
from .records import PartOfSpeech

_MAX_DEPTH = 8  # An item is four levels deep.
_CANDIDATE_FIELDS = tuple(field.name for field in fields(Candidate))


@dataclass(frozen=True, slots=True)
class Pair:
    """One item with its translations by a system.

    Attributes:
        language: code of the target language.
        item: the item; its ``language`` stays as it was given.
        prediction: the hypotheses.
        item_id: id that the reference gave; ``None``: it gave none, and ``item.id`` is its place (``#3``).
        looked_up: the item comes from the data set.
    """

    language: str
    item: Item
    prediction: Prediction
    item_id: str | None
    looked_up: bool = False


class DataSet:
    """Items that references may name by their ids.

    Args:
        source: path of a JSON Lines file, or items and rows of items. ``None``: no data set.
        language: keep the items of this language and those that name none.

    Raises:
        InputError: the file cannot be read, or nothing in it is for this language.
        ItemError: items break rules of the format, or an id is used twice for one language.

    >>> DataSet([{"id": "a", "good": ["Ufer"]}], "de").find("a", "de")[1].good[0].lemma
    'Ufer'
    """

    def __init__(self, source: object = None, language: str | None = None) -> None:
        self.name = str(source) if isinstance(source, (str, Path)) else "items"
        self._by_id: dict[str, dict[str | None, Item]] = {}
        self._keep(_items(source, language))

    def _keep(self, items: Iterable[Item]) -> None:
        for item in items:
            self._by_id.setdefault(item.id, {})[item.language] = item

    def __len__(self) -> int:
        """Number of ids."""
        return len(self._by_id)

    def origin(self, language: str) -> str | None:
        """Name and revision of the source of the items of a language; ``None``: not known."""
        return None

    def find(self, item_id: str, language: str | None) -> tuple[str, Item]:
        """The item of that id with its language.

        Args:
            item_id: the id.
            language: code, or ``None`` where the item determines it.

        Raises:
            UnknownItemError: there is no such item in that language.
            InputError: no data set was named, or the language cannot be determined.
        """
        found = self._by_id.get(item_id)
        if found is None:
            raise self._unknown(item_id)
        if language is None:
            return self._only(item_id, found)
        item = found.get(language) or found.get(None)
        if item is None:
            known = ", ".join(sorted(filter(None, found)))
            raise UnknownItemError(f"item {item_id!r:.60} of {self.name} is for {known}, not for {language!r}")
        return language, item

    def _unknown(self, item_id: str) -> InputError:
        if not self._by_id:
            return InputError(
                f"{item_id!r:.60} is read as an item id, but no data set was named; "
                "load the metric with dataset= or items=, or give an object with 'good' and 'bad'"
            )
        first = ", ".join(repr(known) for known in list(self._by_id)[:3])
        return UnknownItemError(
            f"no item of {self.name} has the id {item_id!r:.60}; its {len(self)} ids are {first} ..."
        )

    def _only(self, item_id: str, found: Mapping[str | None, Item]) -> tuple[str, Item]:
        (language, item), *others = found.items()
        if others or language is None:
            known = ", ".join(sorted(filter(None, found))) or "none"
            raise InputError(
                f"item {item_id!r:.60} of {self.name} does not determine the language (it has: {known}); "
                'give {"id": ..., "language": ...}, or load the metric for one language'
            )
        return language, item


def _items(source: object, language: str | None) -> tuple[Item, ...]:
    if source is None:
        return ()
    if isinstance(source, (str, Path)):
        return read_items(source, language)
    rows = map(plain, column(source, "items"))
    return of_language(check_rows(rows, "items (a line is a place in the list, counted from 1)"), language, "items")


def pairs(
    predictions: object,
    references: object,
    language: str | None = None,
    data_set: DataSet | None = None,
    nbest: NBest = NBest.ORACLE,
) -> tuple[Pair, ...]:
    """Pair predictions with references.

    Args:
        predictions: one for each reference, see the module's description.
        references: one for each prediction, in the same order.
        language: of all pairs; ``None``: each reference names its own.
        data_set: where item ids are looked up.
        nbest: what the hypotheses are needed for; the lowest perplexity needs perplexities.

    Raises:
        InputError: anything that cannot be used, with its place; a subclass where it fits (`ItemError`,
            `UnknownItemError`, `UnknownLanguageError`). The first 20 faulty rows are listed.

    >>> (pair,) = pairs(["Wir saßen am Ufer."], [{"good": ["Ufer"], "bad": ["Bank"]}], "de")
    >>> pair.item.id, pair.prediction[0].text
    ('#0', 'Wir saßen am Ufer.')
    """
    texts, rows = column(predictions, "predictions"), column(references, "references")
    if len(texts) != len(rows):
        raise InputError(
            f"{len(texts)} predictions, but {len(rows)} references; give one reference for each prediction, "
            "in the same order (an untranslated item has the empty string)"
        )
    faults: list[tuple[str, InputError]] = []
    made = tuple(_pairs(texts, rows, language, data_set or DataSet(), nbest, faults))
    if faults:
        raise _combined(faults)
    return made


def _pairs(
    texts: Sequence[object],
    rows: Sequence[object],
    language: str | None,
    data_set: DataSet,
    nbest: NBest,
    faults: list[tuple[str, InputError]],
) -> Iterator[Pair]:
    """The pairs that can be made; what is wrong with the others goes to ``faults``."""
    for position, (text, row) in enumerate(zip(texts, rows, strict=True)):
        prediction: Prediction | None = None
        try:
            prediction = _prediction(text, nbest)
        except InputError as error:
            faults.append((f"predictions[{position}]", error))
        try:
            code, item, item_id, looked_up = _reference(plain(row), position, language, data_set)
        except InputError as error:
            faults.append((f"references[{position}]", error))
            continue
        if prediction is not None:
            yield Pair(code, item, prediction, item_id, looked_up)


def _combined(faults: list[tuple[str, InputError]]) -> InputError:
    """One error for all: of the class of the first, with the item problems of all."""
    lines = [f"{place}: {error}" for place, error in faults]
    if len(faults) > 1:
        lines = [f"{len(faults)} predictions or references cannot be used:", *shortened(lines)]
    message = "\n".join(lines)
    problems = tuple(problem for _, error in faults if isinstance(error, ItemError) for problem in error.problems)
    first = type(faults[0][1])
    return ItemError(message, problems) if issubclass(first, ItemError) else first(message)


def _prediction(value: object, nbest: NBest) -> Prediction:
    prediction = as_prediction(plain(value))
    incomplete = len(prediction) > 1 and any(each.perplexity is None for each in prediction)
    if nbest is NBest.MIN_PERPLEXITY and incomplete:
        raise InputError(
            "nbest 'min_perplexity' needs a perplexity for each hypothesis: give objects with 'text' and 'perplexity'"
        )
    return prediction


def _reference(
    row: object, position: int, language: str | None, data_set: DataSet
) -> tuple[str, Item, str | None, bool]:
    """Language and item of a reference, the id it gave, and whether it was looked up."""
    if isinstance(row, str):
        return (*data_set.find(row, language), row, True)
    if isinstance(row, dict) and isinstance(row.get("id"), str) and len(data_set) and _names_only(row):
        return (*data_set.find(row["id"], _agreed(row.get("language"), language)), row["id"], True)
    item, problems = check_row(row, None, f"#{position}")
    if item is None:
        raise ItemError("; ".join(map(str, problems)), problems)
    code = _agreed(item.language, language)
    if code is None:
        raise InputError(
            "the language is not known: give the reference a 'language', or load the metric for one language"
        )
    return code, item, row.get("id") if isinstance(row, dict) else None, False


def _names_only(row: Mapping[str, Any]) -> bool:
    return all(value is None for key, value in row.items() if key not in ("id", "language"))


def _agreed(own: object, language: str | None) -> str | None:
    """The language of a row, which must not contradict the one that holds for all."""
    if own is None:
        return language
    code = language_rules(own).code
    if language not in (None, code):
        raise InputError(
            f"it is for language {code!r}, but the metric was loaded for {language!r}; "
            "load it without a language to score several at once"
        )
    return code


def encode(pair: Pair, data_set: DataSet | None = None) -> tuple[str, str]:
    """The prediction and the reference of a pair, each as one line.

    An item of the data set is written as its id and the ``origin`` of the data set, if it has one: every process has
    loaded the data set.

    >>> encode(pairs(["am Ufer"], [{"good": ["Ufer"]}], "de")[0])[0]
    '[["am Ufer", null]]'
    """
    prediction = [[hypothesis.text, hypothesis.perplexity] for hypothesis in pair.prediction]
    reference: dict[str, Any] = {"language": pair.language, "id": pair.item_id}
    if not pair.looked_up:
        reference["item"] = asdict(pair.item)
    elif data_set is not None and (origin := data_set.origin(pair.language)) is not None:
        reference["origin"] = origin
    return json.dumps(prediction), json.dumps(reference)


def decode(prediction: str, reference: str, position: int, data_set: DataSet) -> Pair:
    """The pair that was encoded; an item without an id gets one from its ``position`` among all pairs.

    Raises:
        InputError: its item came from another revision of the data set.
    """
    hypotheses = tuple(Hypothesis(text, perplexity) for text, perplexity in json.loads(prediction))
    row = json.loads(reference)
    language, item_id = row["language"], row["id"]
    if "item" not in row:
        own = data_set.origin(language)
        if row.get("origin") != own:
            raise InputError(
                f"one process has loaded {row.get('origin')} and another {own}; load the same data set in all of "
                "them, with the same dataset_revision"
            )
        return Pair(language, data_set.find(item_id, language)[1], hypotheses, item_id, looked_up=True)
    item = _decoded_item(row["item"], f"#{position}" if item_id is None else item_id)
    return Pair(language, item, hypotheses, item_id)


def _decoded_item(row: dict[str, Any], item_id: str) -> Item:
    """Without the checks of a user's item: as a user's candidate, "[[Laus]]" would lose its brackets one by one."""
    sides = {side: tuple(map(_decoded_candidate, row[side])) for side in ("good", "bad")}
    focus, pos = row["focus"], row["pos"]
    values = {"id": item_id, "focus": focus and Focus(**focus), "pos": pos and PartOfSpeech(pos)}
    return Item(**{**row, **values, **sides})


def _decoded_candidate(row: dict[str, Any]) -> Candidate:
    pos, indices = row["pos"], row["frequency_indices"]
    return Candidate(row["lemma"], pos and PartOfSpeech(pos), tuple(row["synsets"]), tuple(indices))


def column(values: object, name: str) -> list[object]:
    """The entries of a column of any kind, in order.

    Args:
        values: a list, tuple, generator, array, series, column of a data set, or data set.
        name: for the message.

    Raises:
        InputError: it is not a column but missing, one string, one object, a set, a table or a number.

    >>> column((text for text in ["eins", "zwei"]), "predictions")
    ['eins', 'zwei']
    """
    expected = f"{name}: expected a list with one entry for each item, not "
    if values is None:
        raise InputError(f"{expected}None; predictions and references are both needed")
    if isinstance(values, (str, bytes, bytearray)):
        raise InputError(f"{expected}one string ({values!r:.40}); put it into a list")
    if isinstance(values, Mapping):
        raise InputError(f"{expected}one object; put it into a list, or turn a table of columns into rows")
    if isinstance(values, Set):
        raise InputError(f"{expected}a set, which has no order")
    if hasattr(values, "columns"):
        raise InputError(f"{expected}a table; give one of its columns, or its rows as objects (to_dict('records'))")
    if not isinstance(values, Iterable) or getattr(values, "shape", None) == ():
        raise InputError(f"{expected}{values!r:.40} ({type(values).__name__})")
    return list(values)


class _TooDeep:
    """Replaces what is nested deeper than any input of this metric."""

    def __repr__(self) -> str:
        return "something nested too deeply"


def plain(value: object, depth: int = 0) -> Any:
    """The same value made of dicts, lists, strings and numbers only, where that is possible.

    Arrays and series become lists, their scalars Python's own, records objects, members of vocabularies their
    words. Candidates stay records. Records are recognized by their fields, not their class: a metric loaded by
    ``evaluate.load`` is a copy of this package, so a user's `Item` is not an instance of the copy's class.
    """
    if value is None or type(value) in (str, int, float, bool):
        return value
    if depth > _MAX_DEPTH:
        return _TooDeep()
    if isinstance(value, Enum):
        return plain(value.value, depth + 1)
    if is_dataclass(value) and not isinstance(value, type):
        return _record(value, depth)
    if isinstance(value, Mapping):
        return {str(key): plain(entry, depth + 1) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(entry, depth + 1) for entry in value]
    for method in ("tolist", "as_py"):  # numpy, pandas and torch; scalars of pyarrow
        if hasattr(value, method):
            return plain(getattr(value, method)(), depth + 1)
    return str(value) if isinstance(value, str) else value


def _record(value: Any, depth: int) -> Any:
    names = tuple(field.name for field in fields(value))
    row = {name: plain(getattr(value, name), depth + 1) for name in names}
    if names != _CANDIDATE_FIELDS:
        return row
    try:
        pos = PartOfSpeech(row["pos"]) if row["pos"] is not None else None
        return Candidate(row["lemma"], pos, tuple(row["synsets"]), tuple(row["frequency_indices"]))
    except (TypeError, ValueError):
        return row
