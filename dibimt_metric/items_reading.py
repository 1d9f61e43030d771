"""Items and predictions from files. The formats are specified in ``docs/formats.md``.

Everything wrong with a file is reported at once, with line numbers. Blank lines of JSON Lines files are skipped; a
blank line of a plain text file is an empty translation.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import InputError
from .errors import Problem
from .errors import UnknownItemError
from .errors import shortened
from .errors import shown
from .items import check_lines
from .judge import Hypothesis
from .judge import Prediction
from .judge import as_prediction
from .records import Item


@dataclass(frozen=True, slots=True)
class PredictionRow:
    """One prediction of a file: the hypotheses, and the id of their item where the file gives it."""

    line: int
    prediction: Prediction
    item_id: str | None = None


def read_items(path: Path | str, language: str | None = None) -> tuple[Item, ...]:
    """Items of a JSON Lines file.

    Args:
        path: the file, one item a line.
        language: keep the items of this language and those that name none.

    Raises:
        InputError: the file cannot be read, holds no item, or none of this language.
        ItemError: with every problem of every line.
    """
    items = check_lines(_json_lines(path), str(path))
    if not items:
        raise InputError(f"{path}: the file holds no items; expected one JSON object a line")
    return of_language(items, language, str(path))


def of_language(items: Iterable[Item], language: str | None, where: str) -> tuple[Item, ...]:
    """The items of one language and those that name none.

    Raises:
        InputError: there are no items of this language.
    """
    every = tuple(items)
    if not every:
        raise InputError(f"{where}: there are no items; give at least one")
    kept = tuple(item for item in every if language is None or item.language in (None, language))
    if not kept:
        found = ", ".join(sorted({item.language or "?" for item in every}))
        raise InputError(f"{where}: no item is for language {language!r}; the items are for: {found}")
    return kept


def read_predictions(path: Path | str) -> tuple[PredictionRow, ...]:
    """Predictions of a file: plain text, one translation a line, or JSON Lines (``.jsonl``, ``.json``).

    Raises:
        InputError: the file cannot be read, is empty, or a line is wrong (all such lines are named).
    """
    if Path(path).suffix.lower() not in (".jsonl", ".json"):
        text = _text(path)
        lines = text.removesuffix("\n").split("\n") if text else []
        rows = [PredictionRow(number, (Hypothesis(line.rstrip("\r")),)) for number, line in enumerate(lines, 1)]
    else:
        rows = list(_prediction_rows(path))
    if not rows:
        raise InputError(f"{path}: the file is empty; expected one translation a line")
    return tuple(rows)


def align(items: tuple[Item, ...], rows: tuple[PredictionRow, ...], where: str) -> Iterator[tuple[Item, Prediction]]:
    """Pair items with predictions: by id where the predictions carry ids, else line by line.

    Raises:
        InputError: numbers differ, an id is missing, or one is used twice.
        UnknownItemError: an id that no item has.
    """
    if all(row.item_id is None for row in rows):
        if len(rows) != len(items):
            raise InputError(
                f"{where}: {len(rows)} predictions for {len(items)} items; without ids there must be "
                "one for each item, in the same order (an untranslated item is an empty line)"
                f"{_languages_note(items)}"
            )
        return ((item, row.prediction) for item, row in zip(items, rows, strict=True))
    return _align_by_id(items, rows, where)


def _languages_note(items: tuple[Item, ...]) -> str:
    languages = sorted({item.language for item in items if item.language})
    return f"; only the items for language {', '.join(languages)} were taken from their file" if languages else ""


def _align_by_id(
    items: tuple[Item, ...], rows: tuple[PredictionRow, ...], where: str
) -> Iterator[tuple[Item, Prediction]]:
    by_id: dict[str, PredictionRow] = {}
    for row in rows:
        if row.item_id is None:
            raise InputError(
                f"{where}, line {row.line}: no 'id', but other lines have one; give every line an id or none"
            )
        if row.item_id in by_id:
            first = by_id[row.item_id].line
            raise InputError(
                f"{where}, line {row.line}: id {row.item_id!r} is used already in line {first}; remove one"
            )
        by_id[row.item_id] = row
    known = {item.id for item in items}
    if unknown := [row for row in rows if row.item_id not in known]:
        row = unknown[0]
        raise UnknownItemError(
            f"{where}, line {row.line}: no item has the id {row.item_id!r} "
            f"({len(unknown)} such ids in all); check that the predictions belong to these items"
        )
    if missing := [item.id for item in items if item.id not in by_id]:
        raise InputError(f"{where}: {len(missing)} items have no prediction, the first is {missing[0]!r}")
    return ((item, by_id[item.id].prediction) for item in items)


def fingerprint(items: Iterable[Item]) -> str:
    """First 12 hexadecimal digits of the SHA-256 of all that can change a label or a score, for the signature.

    The order of the items and of their candidates does not matter, nor does the language, which the signature names
    separately.
    """
    digest = hashlib.sha256()
    for record in sorted(map(_fingerprinted, items)):
        digest.update(record.encode("ascii") + b"\n")
    return digest.hexdigest()[:12]


def _fingerprinted(item: Item) -> str:
    numbers = [item.id, item.frequency_index, item.polysemy, item.pos and item.pos.value]
    lists = [
        sorted(json.dumps([c.lemma, c.pos and c.pos.value, c.frequency_indices]) for c in side)
        for side in (item.good, item.bad)
    ]
    return json.dumps([*numbers, *lists])


def _prediction_rows(path: Path | str) -> Iterator[PredictionRow]:
    problems: list[str] = []
    for line, value in _json_lines(path):
        if isinstance(value, Problem):
            problems.append(f"line {line}: {value.message}")
            continue
        try:
            yield _prediction_row(line, value)
        except InputError as error:
            problems.append(f"line {line}: {error}")
    if problems:
        plural = "s" if len(problems) != 1 else ""
        head = f"{path}: {len(problems)} line{plural} cannot be used:"
        raise InputError("\n".join([head, *shortened(problems)]))


def _prediction_row(line: int, value: object) -> PredictionRow:
    if not isinstance(value, Mapping):
        return PredictionRow(line, as_prediction(value))
    item_id = value.get("id")
    if item_id is not None and not isinstance(item_id, str):
        raise InputError(f"'id' is a string, not {shown(item_id)}")
    given = [key for key in ("translation", "translations", "prediction", "text") if key in value]
    if len(given) != 1:
        raise InputError("give exactly one of 'translation', 'translations' (n-best list), 'prediction', 'text'")
    if given[0] == "text":
        text = {key: value[key] for key in value.keys() & {"text", "perplexity"}}
        return PredictionRow(line, as_prediction(text), item_id)
    return PredictionRow(line, as_prediction(value[given[0]]), item_id)


def _json_lines(path: Path | str) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(_text(path).split("\n"), 1):
        if not line.strip():
            continue
        try:
            yield number, json.loads(line, object_pairs_hook=_unique_keys)
        except json.JSONDecodeError as error:
            where = f"{error.msg} at column {error.colno}"
            yield (
                number,
                Problem("E301", f"not valid JSON ({where}); write one JSON value a line", line=number),
            )
        except ValueError as error:
            yield number, Problem("E301", f"not valid JSON ({error})", line=number)
        except RecursionError:
            yield number, Problem("E301", "JSON nested too deeply", line=number)


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, none of whose keys is lost: JSON readers keep only the last value of a repeated key."""
    made = dict(pairs)
    if len(made) != len(pairs):
        twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise ValueError(f"the key {twice!r:.40} is more than once in an object; keep one")
    return made


def _text(path: Path | str) -> str:
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        raise InputError(f"{path}: cannot be read ({getattr(error, 'strerror', error)}); check the path") from error
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise InputError(f"{path}, line {line}: not UTF-8 ({error.reason}); convert the file to UTF-8") from error
