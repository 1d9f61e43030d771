"""Items by the name of their data set: a data set of the Hub, or a folder that ``datasets`` can load.

Languages are configurations, named by their codes. A data set without such configurations may have a single one,
whose rows name their language or are for all. Null fields count as absent.

    load_items("USER/dibimt", "de")
    load_items("./my_items", "de")
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from .errors import InputError
from .items import check_rows
from .items_data_rows import Folder
from .items_data_rows import Rows
from .items_data_rows import open_source
from .items_reading import of_language
from .items_references import DataSet
from .languages import LANGUAGES
from .languages import language_rules
from .records import Item

_FIELDS = tuple(field.name for field in fields(Item))


@dataclass(frozen=True, slots=True)
class LoadedItems:
    """Items with where they came from.

    Attributes:
        items: of the language, or of all languages, in the order of the data set.
        name: of the repository (``USER/NAME``) or of the folder, without the path to it.
        commit: of the repository; ``None`` for a folder.
    """

    items: tuple[Item, ...]
    name: str
    commit: str | None

    def origin(self, language: str) -> str:
        """Name and revision for the signature: ``NAME@REVISION``.

        The revision is the commit. A folder has none; its revision is a checksum of all fields of its items of this
        language, in any order.
        """
        return f"{self.name}@{self.commit or _digest(self.items, language)}"


def load_items(source: str | Path, language: str | None = None, revision: str | None = None) -> tuple[Item, ...]:
    """The items of a data set by its name.

    Args:
        source: the path of a folder, else ``USER/NAME`` on the Hub.
        language: code of the target language; ``None``: all languages that it has.
        revision: branch, tag or full commit on the Hub; ``None``: its main branch.

    Raises:
        InputError: there is no such data set, revision or configuration, it cannot be reached or read, or it does
            not hold items. The message says what to do.
        ItemError: items break rules of the format, or an id is used twice for one language.
        UnknownLanguageError: not one of the eight codes.
        MissingLibraryError: ``datasets`` is not installed.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     _ = Path(folder, "items.jsonl").write_text('{"id": "bank.1", "good": ["Ufer"], "bad": ["Bank"]}')
        ...     load_items(folder, "de")[0].good[0].lemma
        'Ufer'
    """
    return load_data_set(source, language, revision).items


def load_data_set(source: str | Path, language: str | None = None, revision: str | None = None) -> LoadedItems:
    """The same as `load_items`, with where the items came from.

    All configurations are of the same commit. Splits other than ``test`` are omitted, unless there is only one.

    Raises:
        InputError: see `load_items`.
    """
    code = None if language is None else language_rules(language).code
    opened = open_source(source, revision)
    every = [
        item
        for name in ((code,) if code is not None else _languages(opened))
        for item in _items(opened.rows(name) or _only(opened, name), opened.name)
    ]
    kept = of_language(every, code, f"data set {opened.name!r}")
    return LoadedItems(kept, opened.name, opened.commit)


class NamedDataSet(DataSet):
    """Items that references may name by their ids, of a data set that was named itself.

    Raises:
        InputError: see `load_items`.
    """

    def __init__(self, source: str | Path, language: str | None = None, revision: str | None = None) -> None:
        super().__init__()
        self._loaded = load_data_set(source, language, revision)
        self._origins: dict[str, str] = {}
        self.name = self._loaded.name
        self._keep(self._loaded.items)

    def origin(self, language: str) -> str | None:
        """Name and revision of the data set; see `LoadedItems.origin`."""
        if language not in self._origins:
            self._origins[language] = self._loaded.origin(language)
        return self._origins[language]


def open_data_set(items: object, dataset: str | Path | None, revision: str | None, language: str | None) -> DataSet:
    """The data set of a metric, loaded: given itself, or by its name, or none.

    Raises:
        InputError: both are given, or a revision without a name, or the data set cannot be used.
    """
    if dataset is None:
        if revision is not None:
            raise InputError("dataset_revision is given without dataset; name the data set too, or omit it")
        return DataSet(items, language)
    if items is not None:
        raise InputError("items and dataset are both given; items are looked up in one of them; omit the other")
    return NamedDataSet(dataset, language, revision)


def _languages(opened: Folder) -> tuple[str, ...]:
    """Configurations of our languages, else the only one."""
    names = opened.configurations()
    return tuple(code for code in LANGUAGES if code in names) or names[:1]


def _only(opened: Folder, missing: str) -> Rows:
    """Rows of the only configuration, where that is for no language in particular."""
    names = opened.configurations()
    rows = opened.rows(names[0]) if len(names) == 1 and names[0] not in LANGUAGES else None
    if rows is None:
        raise InputError(
            f"data set {opened.name!r} has no configuration {missing!r}; it has: {', '.join(names) or 'none'}"
        )
    return rows


def _items(rows: Rows, name: str) -> tuple[Item, ...]:
    where = f"data set {name!r}, configuration {rows.configuration!r}, split {rows.split!r}"
    _check_columns(rows.columns, where)
    if not rows.rows:
        raise InputError(f"{where}: it has no rows")
    own = rows.configuration if rows.configuration in LANGUAGES else None
    items = check_rows((_row(row, own) for row in rows.rows), f"{where} (a line is a row, counted from 1)")
    if foreign := [item for item in items if own is not None and item.language != own]:
        raise InputError(
            f"{where}: item {foreign[0].id!r:.60} is for language {foreign[0].language!r}; a configuration with the "
            "name of a language holds items for that language"
        )
    return items


def _check_columns(columns: Iterable[str], where: str) -> None:
    """Recognize another data set, or another form of it, by its columns: once, not in each row."""
    known = ", ".join(_FIELDS)
    names = tuple(columns)
    if "id" not in names or not {"good", "bad"} & set(names):
        raise InputError(
            f"{where}: it does not hold items; its columns are {', '.join(names)[:200]}, and those of items are {known}"
        )
    if unknown := [name for name in names if name not in _FIELDS]:
        raise InputError(
            f"{where}: items have no field {unknown[0]!r:.40}; remove the column, or rename it to one of {known}"
        )


def _row(row: Mapping[str, Any], language: str | None) -> dict[str, Any]:
    """The row, with the language of its configuration where it names none; a record of nulls counts as absent."""
    values = {name: None if _is_null(value) else value for name, value in row.items()}
    return {**values, "language": language if values.get("language") is None else values["language"]}


def _is_null(value: object) -> bool:
    return value is None or (isinstance(value, Mapping) and all(each is None for each in value.values()))


def _digest(items: Iterable[Item], language: str) -> str:
    """First 12 hexadecimal digits of the SHA-256 of the items of a language, in any order."""
    lines = (json.dumps(asdict(item), sort_keys=True) for item in items if item.language in (None, language))
    return hashlib.sha256("\n".join(sorted(lines)).encode("ascii")).hexdigest()[:12]
