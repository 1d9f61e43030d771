"""Pairs from any file, folder, zip or data set in a known format."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from dibimt_metric.errors import InputError, MissingLibraryError, shown

from ..records import Pair
from .formats import FORMATS as FORMATS
from .formats import LANGUAGE, Format, format_named, recognize, with_columns
from .pairs import Numbering, PairMaker
from .rows import TableRow, alternate_rows, json_rows, table_header, table_rows
from .sources import Source, decode, list_sources

_JSON = (".jsonl", ".ndjson", ".json")
_TABLES = {".tsv": "\t", ".csv": ","}
_TEXT = ".txt"
ENDINGS = (*_JSON, *_TABLES, _TEXT)
"""File name endings that are read."""
_HUB_FILE = "data"  # MultiBLiMP has its pairs in <language>/data.tsv

ALL = "all"
"""The configuration with all pairs, in data sets that have one."""


def read_pairs(
    path: str | os.PathLike[str],
    format: str | None = None,
    *,
    columns: Mapping[str, str] | None = None,
    paradigm: str | None = None,
    renumber: bool = False,
) -> Iterator[Pair]:
    """Pairs of a file, of all files of a folder, or of all files of a zip, in the order of their names.

    JSON Lines, JSON, TSV, CSV and, for Zorro, text files are recognized by their endings, formats (see `FORMATS`) by
    their columns. A folder that `convert` wrote gives the pairs as published, its subfolder ``corrected`` the
    corrected ones.

    Args:
        path: file, folder or zip.
        format: name of the format; needed only if the columns do not identify it.
        columns: your own names of columns by attribute (``sentence_good``, ``sentence_bad``, ``paradigm``,
            ``phenomenon``, ``field``, ``pair_id``); numbers from 1 for tables without names.
        paradigm: for pairs whose rows name none; ``None``: the name of their file.
        renumber: whether to count the pairs of each paradigm from 0, whatever ids they have; ``pairID`` keeps those.

    Returns:
        The pairs. The path is checked at once, a file when its first pair is read.

    Raises:
        InputError: nothing to read, an unknown or unfitting format, a missing column, an empty sentence, bad JSON, text
            that is not UTF-8, an odd number of lines in a Zorro file, an id that occurs twice in a paradigm; with file
            and line.
    """
    if format is not None and columns is not None:
        raise InputError("give the name of a format (--format) or your own columns (--columns), not both")
    chosen = with_columns(columns) if columns is not None else format_named(format) if format else None
    sources = _usable(list_sources(path), str(Path(path)), chosen)
    numbering = Numbering(renumber)
    return chain.from_iterable(_read(source, chosen, paradigm, numbering) for source in sources)


def _usable(sources: Sequence[Source], path: str, chosen: Format | None) -> Sequence[Source]:
    """The files of a folder that contain pairs.

    Text files are used only if there are no others: next to tables they are licenses and notes.
    """
    if len(sources) == 1 and sources[0].name == path:
        return sources  # a single file, whatever its ending
    groups: defaultdict[str, list[Source]] = defaultdict(list)
    for source in sources:
        groups[source.path.suffix.lower()].append(source)
    tables = {ending: groups[ending] for ending in (*_JSON, *_TABLES) if groups[ending]}
    if len(tables) > 1:  # such as .jsonl next to dataset_info.json
        tables.pop(".json", None)
    if chosen is not None and chosen.lines or not tables:
        tables = {_TEXT: groups[_TEXT]}
    if len(tables) > 1:
        kinds = ", ".join(f"{len(found)} {ending}" for ending, found in tables.items())
        raise InputError(f"{path}: contains files of several kinds ({kinds}); name one file or a folder of one kind")
    (found,) = tables.values()
    if not found:
        raise InputError(f"{path}: contains no file that ends in {', '.join(ENDINGS)}")
    return found


def _read(source: Source, chosen: Format | None, paradigm: str | None, numbering: Numbering) -> Iterator[Pair]:
    layout, rows = _open(source, chosen)
    stem = source.path.stem
    if layout.lines:
        phenomenon, language = stem.rpartition("-")[0] or None, None
    else:
        phenomenon, language = None, _language(source) if layout.folder_is_language else None
    maker = PairMaker(layout, paradigm or stem, phenomenon, language)
    for row in rows:
        yield numbering.check(maker.make(row, numbering.next), row.place)


def _language(source: Source) -> str | None:
    """The language that a file or its folder is named after, such as ``deu/data.tsv``."""
    name = source.path.parent.name if source.path.stem == _HUB_FILE else source.path.stem
    return name if LANGUAGE.fullmatch(name) else None


def _open(source: Source, chosen: Format | None) -> tuple[Format, Iterable[TableRow]]:
    """Format and rows of a file."""
    ending = source.path.suffix.lower()
    of_lines = ending == _TEXT if chosen is None else chosen.lines
    if not of_lines and ending not in (*_JSON, *_TABLES):
        raise InputError(f"{source.name}: expected a name that ends in {', '.join(ENDINGS)}, or a zip")
    text = decode(source.read(), source.name)
    if not text.strip():
        raise InputError(f"{source.name}: is empty; expected pairs of sentences")
    if of_lines:
        return chosen or format_named("zorro"), alternate_rows(text, source.name)
    if ending in _TABLES:
        return _open_table(source.name, text, _TABLES[ending], chosen)
    rows = json_rows(text, source.name)
    if chosen is not None:
        return chosen, rows
    first = next(rows, None)
    if first is None:
        raise InputError(f"{source.name}: contains no pair")
    return recognize(first.columns, first.place), chain((first,), rows)


def _open_table(name: str, text: str, delimiter: str, chosen: Format | None) -> tuple[Format, Iterable[TableRow]]:
    header = table_header(text, delimiter)
    layout = chosen or recognize(header, f"{name}, line 1")
    quoted = layout.quoted or delimiter == ","
    rows = table_rows(text, name, delimiter=delimiter, quoted=quoted, header=_has_names(layout, header))
    return layout, rows


def _has_names(layout: Format, header: Sequence[str]) -> bool:
    """Whether the first line contains names: only tables of numbered columns have none."""
    candidates = layout.columns["sentence_good"]
    numbered = any(name.isdigit() for name in candidates)
    return not numbered or any(name in header for name in candidates)


# Data sets that the library `datasets` loads


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
        configurations: in this order; ``None``: ``all`` if there is one, else all of them.
        split: of each configuration.
        format: see `read_pairs`.
        revision: of a data set on the Hub.

    Raises:
        InputError: the data set cannot be loaded, or a row is not a pair.
        MissingLibraryError: `datasets` is not installed.
    """
    library = _library()
    names = list(configurations) if configurations is not None else _names(library, name, revision)
    return _read_rows(library, name, names, split, format, revision)


def _read_rows(
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
            row = TableRow(f"{where}, row {number}", columns)
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
    except Exception as error:  # the library, and those it uses, raise errors without a common base class
        raise InputError(
            f"{shown(where)}: cannot be loaded ({type(error).__name__}: {error}); check name, configuration, split "
            "and, for a data set on the Hub, the network"
        ) from error


def _library() -> Any:
    try:
        import datasets
    except ImportError as error:
        raise MissingLibraryError(
            "reading a data set by its name needs the library `datasets`: pip install 'dibimt[evaluate]'"
        ) from error
    return datasets
