"""The inputs side by side - pairs, parses, links - in chunks that can be worked on apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, zip_longest
from pathlib import Path
from typing import NamedTuple

from dibimt_metric.errors import InputError

from ..corpus.base import Corpus
from ..corpus.files import read_lines
from ..parsing.blocks import Block, read_blocks
from ..records import Fault

CHUNK_SIZE = 500
"""Pairs in a chunk: about a second of parsing, and a small loss when a run is interrupted."""


class Entry(NamedTuple):
    """One pair with all that the inputs say of it, still as text.

    Attributes:
        line: number of the pair in the corpus, from 1.
        source, target: the texts; ``None`` where that side is not given.
        block: its parse. links: its alignment as Pharaoh text. ``None`` where not given.
        fault: why the pair cannot be used, else ``None``.
    """

    line: int
    source: str | None
    target: str | None
    block: Block | None = None
    links: str | None = None
    fault: Fault | None = None


class Chunk(NamedTuple):
    """Some entries in order; number: 0 for the first chunk."""

    number: int
    entries: tuple[Entry, ...]


def chunked(entries: Iterable[Entry], size: int = CHUNK_SIZE) -> Iterator[Chunk]:
    """Cut a stream of entries."""
    stream = iter(entries)
    number = 0
    while piece := tuple(islice(stream, size)):
        yield Chunk(number, piece)
        number += 1


def pair_entries(corpus: Corpus) -> Iterator[Entry]:
    """The pairs alone."""
    for entry in corpus.read():
        if isinstance(entry, Fault):
            yield Entry(entry.line, None, None, fault=entry)
        else:
            yield Entry(entry.line, entry.source, entry.target)


def parse_entries(path: Path | str, lines: Iterable[int] | None) -> Iterator[Entry]:
    """Parses without a corpus.

    Args:
        path: a CoNLL-U file.
        lines: corpus line of each parse; ``None``: they are numbered from 1.
    """
    if lines is None:
        yield from (Entry(order, None, None, block) for order, block in enumerate(read_blocks(path), 1))
    else:
        yield from (Entry(line, None, None, block) for block, line in _numbered(path, lines))


def with_parses(entries: Iterable[Entry], path: Path | str, lines: Iterable[int] | None) -> Iterator[Entry]:
    """Give each pair its parse.

    Args:
        entries: the pairs.
        path: a CoNLL-U file.
        lines: corpus line of each parse, ascending; pairs in between have none. ``None``: one parse for every pair,
            in order.

    Raises:
        InputError: the numbers of pairs and parses differ, or lines do not ascend.
    """
    if lines is None:
        yield from _in_order(entries, path)
        return
    stream = iter(entries)
    for block, line in _numbered(path, lines):
        for entry in stream:
            if entry.line == line:
                yield entry._replace(block=block)
                break
            yield entry
        else:
            raise InputError(
                f"{path}, line {block.line}: this parse is for corpus line {line}, which the corpus does not have"
            )
    yield from stream


def _numbered(path: Path | str, lines: Iterable[int]) -> Iterator[tuple[Block, int]]:
    """The parses with their corpus lines, which must ascend."""
    last = 0
    for block, line in zip(read_blocks(path), lines, strict=True):
        if line <= last:
            raise InputError(
                f"{path}, line {block.line}: this parse is for corpus line {line}, the one before it for {last}; "
                "sort the parses by their corpus line, each once. Where sent_id begins anew with each document, give "
                "the size of the documents (--document-size)"
            )
        last = line
        yield block, line


def _in_order(entries: Iterable[Entry], path: Path | str) -> Iterator[Entry]:
    pairs = parses = 0
    for entry, block in zip_longest(entries, read_blocks(path)):
        pairs += entry is not None
        parses += block is not None
        if entry is None or block is None:
            more = "more parses than pairs" if entry is None else "fewer parses than pairs"
            where = f", line {block.line}" if block is not None else ""
            raise InputError(
                f"{path}{where}: {more}; the first {min(pairs, parses)} go together. Give one parse for every line "
                "of the corpus, or parses whose sent_id is their corpus line (--match sent_id)"
            )
        yield entry._replace(block=block)


def with_links(entries: Iterable[Entry], path: Path | str) -> Iterator[Entry]:
    """Give each pair its links: line n of the file belongs to line n of the corpus.

    Raises:
        InputError: the file cannot be read, or has not as many lines as the corpus.
    """
    lines = read_lines(str(path))
    count = 0
    for entry in entries:
        while count < entry.line:
            links = next(lines, None)
            if links is None:
                raise InputError(
                    f"{path}: {count} lines, but the corpus has a line {entry.line}; give one line of links for "
                    "every pair (an empty one where nothing is aligned)"
                )
            count += 1
        yield entry._replace(links=links)
    if next(lines, None) is not None:
        raise InputError(f"{path}: more lines than the {count} of the corpus; give one line for every pair")
