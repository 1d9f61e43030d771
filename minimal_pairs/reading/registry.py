"""Pairs from any file, folder or zip in a known format."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

from dibimt_metric.errors import InputError

from ..records import Pair
from .formats import FORMATS as FORMATS
from .formats import LANGUAGE, Format, format_named, recognize, with_columns
from .numbering import Numbering
from .pairs import PairMaker
from .rows import Row, alternate_rows, json_rows, table_header, table_rows
from .sources import Source, decode, list_sources

_JSON = (".jsonl", ".ndjson", ".json")
_TABLES = {".tsv": "\t", ".csv": ","}
_TEXT = ".txt"
ENDINGS = (*_JSON, *_TABLES, _TEXT)
"""Endings of the files that are read."""
_HUB_FILE = "data"  # MultiBLiMP has its pairs in <language>/data.tsv


def read_pairs(
    path: str | os.PathLike[str],
    format: str | None = None,
    *,
    columns: Mapping[str, str] | None = None,
    paradigm: str | None = None,
    renumber: bool = False,
) -> Iterator[Pair]:
    """Pairs of a file, of all files of a folder, or of all files of a zip, in the order of their names.

    JSON Lines, JSON, TSV, CSV and, for Zorro, text files are told apart by their endings, the formats (see `FORMATS`)
    by their columns. A folder that `convert` wrote gives the pairs as published, its sub-folder ``corrected`` the
    corrected ones.

    Args:
        path: file, folder or zip.
        format: name of the format; needed only where the columns do not tell it.
        columns: your own names of columns by attribute (``sentence_good``, ``sentence_bad``, ``paradigm``,
            ``phenomenon``, ``field``, ``pair_id``); numbers from 1 for tables without names.
        paradigm: name for pairs whose rows bring none; else the name of their file.
        renumber: count the pairs of each paradigm from 0, whatever ids they bring; ``pairID`` keeps those.

    Returns:
        The pairs. The path is checked at once, a file when its first pair is asked for.

    Raises:
        InputError: nothing to read, an unknown or unfitting format, a missing column, an empty sentence, bad JSON, text
            that is not UTF-8, an odd number of lines in a Zorro file, an id that a paradigm has twice; with file and
            line.
    """
    if format is not None and columns is not None:
        raise InputError("give the name of a format (--format) or your own columns (--columns), not both")
    chosen = with_columns(columns) if columns is not None else format_named(format) if format else None
    sources = _usable(list_sources(path), str(Path(path)), chosen)
    numbering = Numbering(renumber)
    return chain.from_iterable(_read(source, chosen, paradigm, numbering) for source in sources)


def _usable(sources: Sequence[Source], path: str, chosen: Format | None) -> Sequence[Source]:
    """Those files of a folder that hold pairs.

    Text files are taken where nothing else is there: beside tables they are licenses and notes.
    """
    if len(sources) == 1 and sources[0].name == path:
        return sources  # a single file, whatever its name ends in
    groups: defaultdict[str, list[Source]] = defaultdict(list)
    for source in sources:
        groups[source.path.suffix.lower()].append(source)
    tables = {ending: groups[ending] for ending in (*_JSON, *_TABLES) if groups[ending]}
    if len(tables) > 1:  # such as .jsonl beside dataset_info.json
        tables.pop(".json", None)
    if chosen is not None and chosen.lines or not tables:
        tables = {_TEXT: groups[_TEXT]}
    if len(tables) > 1:
        kinds = ", ".join(f"{len(found)} {ending}" for ending, found in tables.items())
        raise InputError(
            f"{path}: holds files of several kinds ({kinds}); name one file or a folder of one kind"
        )
    (found,) = tables.values()
    if not found:
        raise InputError(f"{path}: holds no file that ends in {', '.join(ENDINGS)}")
    return found


def _read(
    source: Source, chosen: Format | None, paradigm: str | None, numbering: Numbering
) -> Iterator[Pair]:
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


def _open(source: Source, chosen: Format | None) -> tuple[Format, Iterable[Row]]:
    """Format and rows of a file.

    Raises:
        InputError: its ending is unknown, it is empty, or its columns are those of no format.
    """
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
        raise InputError(f"{source.name}: holds no pair")
    return recognize(first.columns, first.place), chain((first,), rows)


def _open_table(name: str, text: str, delimiter: str, chosen: Format | None) -> tuple[Format, Iterable[Row]]:
    header = table_header(text, delimiter)
    layout = chosen or recognize(header, f"{name}, line 1")
    quoted = layout.quoted or delimiter == ","
    rows = table_rows(text, name, delimiter=delimiter, quoted=quoted, header=_has_names(layout, header))
    return layout, rows


def _has_names(layout: Format, header: Sequence[str]) -> bool:
    """Whether the first line holds names: only tables of numbered columns have none."""
    candidates = layout.columns["sentence_good"]
    numbered = any(name.isdigit() for name in candidates)
    return not numbered or any(name in header for name in candidates)
