"""Items and predictions that the command line names: files, standard input, the open mini set."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dibimt_metric.items_reading import PredictionRow
    from dibimt_metric.judge import Prediction
    from dibimt_metric.records import Item

MINI = "mini"
STDIN = "-"
_SHOWN = 3
_ENDINGS = {"text": ".txt", "jsonl": ".jsonl"}


def load_items(name: str, language: str) -> tuple[Item, ...]:
    """The items of one language.

    Args:
        name: a file, or ``mini``.
        language: items of other languages in the file are skipped.

    Raises:
        InputError: see `read_items`; an unknown language.
    """
    from dibimt_metric.items_reading import read_items
    from dibimt_metric.languages import language_rules

    language_rules(language)  # "unknown language" says more than "no item is for this language"
    if name != MINI:
        return read_items(name, language)
    from dibimt_dataset.mini import mini_items

    return mini_items(language)


def load_pairs(
    items: tuple[Item, ...], items_name: str, predictions: str, kind: str | None, language: str
) -> tuple[tuple[Item, Prediction], ...]:
    """Each item with its prediction.

    Args:
        items: of the language.
        items_name: their source; translations of the mini set need its items.
        predictions: a file, ``-`` or ``mini:SYSTEM``.
        kind: ``text`` or ``jsonl``; ``None``: according to the file name.
        language: target language.

    Raises:
        InputError: see `read_predictions` and `align`.
    """
    from dibimt_metric.items_reading import align

    where = "standard input" if predictions == STDIN else predictions
    if predictions.startswith(f"{MINI}:"):
        return tuple(zip(items, _mini_predictions(predictions, items_name, language), strict=True))
    return tuple(align(items, _rows(predictions, kind), where))


def refuse_dash(**options: str | None) -> None:
    """Reject ``-`` as the name of an output: ``--predictions -`` is standard input, but an output is a file.

    Args:
        **options: value of each option, by its name without dashes.

    Raises:
        InputError: an option is ``-``.
    """
    from dibimt_metric.errors import InputError

    for option, value in options.items():
        if value == STDIN:
            remedy = "omit --output to print to standard output" if option == "output" else "give a file name"
            raise InputError(f"--{option} {value} is not the name of a file; {remedy}")


def named_systems(values: Sequence[str], named: bool = False) -> dict[str, str]:
    """Name and file of each system.

    Args:
        values: ``NAME=FILE``, or ``FILE``, whose stem becomes the name; ``FILE`` can be ``sample:SYSTEM``. The path of
            an existing file may contain ``=``.
        named: whether only ``NAME=FILE`` is accepted.

    Raises:
        InputError: two systems have the same name, or a value is malformed.
    """
    from dibimt_metric.errors import InputError, shown

    systems: dict[str, str] = {}
    for value in values:
        name, equals, path = value.partition("=")
        if not named and (not equals or Path(value).is_file()):
            name, path = _name_of(value), value
        if not name.strip() or not path:
            raise InputError(f"{shown(value)} is not of the form NAME=FILE, such as base=base.txt")
        if name in systems:
            raise InputError(
                f"two systems have the name {shown(name)}; give each a different name, such as {name}={systems[name]} "
                f"{name}2={path}"
            )
        systems[name] = path
    if list(systems.values()).count(STDIN) > 1:
        raise InputError("standard input can be the predictions of one system only")
    return systems


def _name_of(path: str) -> str:
    if path == STDIN:
        return "stdin"
    return path.removeprefix("sample:") if path.startswith("sample:") else Path(path.removesuffix(".gz")).stem


def find_item(items: tuple[Item, ...], item_id: str) -> Item:
    """The item with that id.

    Raises:
        UnknownItemError: no item has this id.
    """
    from dibimt_metric.errors import UnknownItemError

    for item in items:
        if item.id == item_id:
            return item
    known = ", ".join(repr(item.id) for item in items[:_SHOWN])
    raise UnknownItemError(f"no item has the id {item_id!r}; there are {len(items)}, such as {known}")


def read_stdin() -> bytes:
    """All of standard input."""
    return sys.stdin.buffer.read()


@contextmanager
def as_file(content: bytes, ending: str, shown: str) -> Iterator[Path]:
    """A temporary file with that content; error messages about it use the name that the user knows.

    Raises:
        InputError: the error of the block, with ``shown`` in place of the file's path.
    """
    from dibimt_metric.errors import InputError, ItemError

    with tempfile.TemporaryDirectory(prefix="dibimt-") as folder:
        path = Path(folder) / f"input{ending}"
        path.write_bytes(content)
        try:
            yield path
        except ItemError as error:
            raise ItemError(str(error).replace(str(path), shown), error.problems) from error
        except InputError as error:
            raise InputError(str(error).replace(str(path), shown)) from error


def _rows(name: str, kind: str | None) -> tuple[PredictionRow, ...]:
    from dibimt_metric.items_reading import read_predictions

    if name == STDIN:
        content, shown = read_stdin(), "standard input"
    elif kind is None or Path(name).suffix == _ENDINGS[kind]:
        return read_predictions(name)
    else:
        content, shown = _bytes(name), name
    with as_file(content, _ENDINGS[kind or "text"], shown) as path:
        return read_predictions(path)


def _bytes(name: str) -> bytes:
    from dibimt_metric.errors import InputError

    try:
        return Path(name).read_bytes()
    except OSError as error:
        raise InputError(f"{name}: cannot be read ({error.strerror}); check the path") from error


def _mini_predictions(name: str, items_name: str, language: str) -> tuple[Prediction, ...]:
    from dibimt_dataset.mini import mini_translations
    from dibimt_metric.errors import InputError
    from dibimt_metric.judge import as_prediction

    if items_name != MINI:
        raise InputError(f"{name}: these translations belong to the items of the mini set; use --items {MINI}")
    return tuple(as_prediction(text) for text in mini_translations(language, name.partition(":")[2]))
