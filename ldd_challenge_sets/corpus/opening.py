"""Open a parallel corpus: two files, a table, a translation memory, a data set."""

from __future__ import annotations

import os
import re
from pathlib import Path

from dibimt_metric.errors import InputError

from .base import Corpus
from .dataset import DatasetCorpus
from .files import check_text_file, open_bytes
from .lines import Column, LineCorpus, TsvCorpus, resolve_columns
from .tmx import TmxCorpus


def open_corpus(
    source: str | os.PathLike[str] | None = None,
    target: str | os.PathLike[str] | None = None,
    *,
    name: str | None = None,
) -> Corpus:
    r"""Two files that correspond line by line; see `LineCorpus`.

    The files are UTF-8, plain or compressed with gzip; ``None``: there is no such side. The name of the corpus is, by
    default, the common beginning of both file names.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     german, english = Path(folder, "talk.de"), Path(folder, "talk.en")
    ...     _ = german.write_bytes(b"Sie gibt nie auf.\n"), english.write_bytes(b"She never gives up.\n")
    ...     corpus = open_corpus(german, english)
    ...     corpus.name, list(corpus.read())
    ('talk', [TextPair(line=1, source='Sie gibt nie auf.', target='She never gives up.')])

    Raises:
        InputError: neither side is given, or a file cannot be read.
    """
    paths = [os.fspath(path) for path in (source, target) if path is not None]
    if not paths:
        raise InputError("a corpus needs at least one file; give the source side, the target side, or both")
    for path in paths:
        check_text_file(path)
    sides = (None if path is None else os.fspath(path) for path in (source, target))
    return LineCorpus(name or common_name(*paths), *sides)


def open_tsv(
    path: str | os.PathLike[str],
    source: Column = 1,
    target: Column | None = 2,
    *,
    header: bool = False,
    name: str | None = None,
) -> Corpus:
    """A table with tabs between its columns; see `TsvCorpus`.

    The file is UTF-8, plain or compressed with gzip. A column is given by number, from 1, or by name in the first line,
    which then counts as ``header``; target ``None``: there is no such side. The default name is that of the file.
    """
    file = os.fspath(path)
    check_text_file(file)
    return TsvCorpus(name or common_name(file), file, *resolve_columns(file, source, target, header))


def open_tmx(
    path: str | os.PathLike[str], source_language: str, target_language: str | None = None, *, name: str | None = None
) -> Corpus:
    """A translation memory in TMX, plain or compressed with gzip; see `TmxCorpus`.

    Languages are codes such as ``de``; target ``None``: there is no such side. The default name is that of the file.
    """
    _check_languages(source_language, target_language)
    file = os.fspath(path)
    open_bytes(file).close()
    return TmxCorpus(name or common_name(file), file, source_language, target_language)


def open_dataset(
    dataset: str | os.PathLike[str],
    config: str | None,
    split: str,
    pair: tuple[str, str | None],
    *,
    name: str | None = None,
) -> Corpus:
    """A data set of the library `datasets`; see `DatasetCorpus`. It is loaded when it is read.

    It is a folder, a JSONL or Parquet file, or a name on the Hub; config ``None``: the only one, or the default.
    The pair has the languages as in the column ``translation``; target ``None``: there is no such side. The default
    name is made from data set, config and split.
    """
    source_language, target_language = pair
    _check_languages(source_language, target_language)
    place = os.fspath(dataset)
    local = Path(place)
    # Only the last part of a local path: cards are published, and folders of a machine are private.
    label = local.resolve().name if local.is_dir() else common_name(place) if local.is_file() else place
    made = f"{label}/{config}:{split}" if config else f"{label}:{split}"
    return DatasetCorpus(name or made, place, config, split, source_language, target_language)


def _check_languages(source: str, target: str | None) -> None:
    if source == target:
        raise InputError(f"source and target are both in {source!r}; give two languages")


def common_name(first: str, *others: str) -> str:
    """The common beginning of the file names, cut at the end of a part; else the first file's name.

    >>> common_name("data/talk.de-en.de.gz", "data/talk.de-en.en.gz"), common_name("a/de.txt", "a/en.txt")
    ('talk.de-en', 'de.txt')
    >>> common_name("data/memory.tmx.gz")
    'memory'
    """
    names = [_plain_name(path) for path in (first, *others)]
    if not others:
        return Path(names[0]).stem
    parts = [re.split(r"([._-])", name) for name in names]
    common = os.path.commonprefix(parts)
    return "".join(common).rstrip("._-") or names[0]


def _plain_name(path: str) -> str:
    file = Path(path)
    return file.stem if file.suffix == ".gz" else file.name
