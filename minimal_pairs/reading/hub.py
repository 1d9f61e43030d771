"""Pairs of data sets that the library `datasets` loads: names on the Hub and local folders with a card."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dibimt_metric.errors import InputError, MissingLibraryError, shown

from ..records import Pair
from .formats import LANGUAGE, format_named, recognize
from .numbering import Numbering
from .pairs import PairMaker
from .rows import Row

ALL = "all"
"""The configuration that holds all pairs, of a set that has one."""


def read_dataset(
    name: str,
    configurations: Sequence[str] | None = None,
    *,
    split: str = "train",
    format: str | None = None,
    revision: str | None = None,
) -> Iterator[Pair]:
    """Pairs of a data set such as ``nyu-mll/blimp``, ``jumelet/multiblimp`` or ``RussianNLP/rublimp``.

    Args:
        name: of the data set, or a folder.
        configurations: in this order; ``None``: ``all`` where there is one, else all of them.
        split: of each configuration.
        format: see `read_pairs`.
        revision: of a data set of the Hub.

    Raises:
        InputError: the data set cannot be loaded, or a row is not a pair.
        MissingLibraryError: `datasets` is not installed.
    """
    library = _library()
    names = list(configurations) if configurations is not None else _names(library, name, revision)
    return _read(library, name, names, split, format, revision)


def _read(
    library: Any, name: str, names: Sequence[str], split: str, format: str | None, revision: str | None
) -> Iterator[Pair]:
    numbering = Numbering()
    for configuration in names:
        rows = _load(library, name, configuration, split, revision)
        where = f"{name} ({configuration}, {split})"
        layout = format_named(format) if format else recognize(rows.column_names, where)
        language = configuration if layout.folder_is_language and LANGUAGE.fullmatch(configuration) else None
        maker = PairMaker(layout, configuration, language=language)
        for number, columns in enumerate(rows, 1):
            row = Row(f"{where}, row {number}", columns)
            yield numbering.check(maker.make(row, numbering.next), row.place)


def _names(library: Any, name: str, revision: str | None) -> list[str]:
    found: list[str] = _guarded(library.get_dataset_config_names, name, name, revision=revision)
    return [ALL] if ALL in found else found


def _load(library: Any, name: str, configuration: str, split: str, revision: str | None) -> Any:
    where = f"{name} ({configuration}, {split})"
    return _guarded(library.load_dataset, where, name, configuration, split=split, revision=revision)


def _guarded(call: Any, where: str, *arguments: Any, **options: Any) -> Any:
    try:
        return call(*arguments, **options)
    except Exception as error:  # the library, and those below it, raise kinds without a common root
        raise InputError(
            f"{shown(where)}: cannot be loaded ({type(error).__name__}: {error}); check name, configuration, split "
            "and, for a data set of the Hub, the network"
        ) from error


def _library() -> Any:
    try:
        import datasets
    except ImportError as error:
        raise MissingLibraryError(
            "reading a data set by its name needs the library `datasets`: pip install 'dibimt[evaluate]'"
        ) from error
    return datasets
