"""The inputs side by side - pairs, parses, links - in chunks that can be processed independently."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count, islice, zip_longest
from typing import NamedTuple

from dibimt_metric.errors import InputError

from ..corpus.base import Corpus
from ..corpus.files import read_lines
from ..parsing.conllu import Block, read_blocks, read_line_numbers
from ..records import Fault
from .manifest import Totals

CHUNK_SIZE = 500  # pairs in a chunk: about a second of parsing, and a small loss when a run is interrupted


@dataclass(frozen=True, slots=True)
class Inputs:
    """Where the material comes from.

    Attributes:
        corpus: the pairs; ``None``: only parses are given.
        conllu: parses of the source side. parser: makes them instead, see `load_parser`. Neither: the sides are split
            into words only, which is enough for reordering.
        parser_folder: of the parser's models. pretokenized: whether spaces separate the words of the source.
        by_sent_id: whether the ``sent_id`` of a parse is its corpus line; else every line has a parse, in order.
        document_size: lines after which the released Books parses restart their ``sent_id``.
        alignment: links in Pharaoh format, a line for every pair. An aligner is named in the plan.
    """

    corpus: Corpus | None = None
    conllu: str | None = None
    parser: str | None = None
    parser_folder: str | None = None
    pretokenized: bool = False
    by_sent_id: bool = False
    document_size: int | None = None
    alignment: str | None = None

    def __post_init__(self) -> None:
        if self.corpus is None and self.conllu is None:
            raise InputError("there is nothing to read; give a parallel corpus, or parses")
        if self.conllu is not None and self.parser is not None:
            raise InputError("both parses and a parser are given; give one of them")


class Entry(NamedTuple):
    """One pair with everything that the inputs contain about it, still as text.

    Attributes:
        line: number of the pair in the corpus, from 1.
        source, target: the texts; ``None``: that side is not given.
        block: its parse. links: its alignment as Pharaoh text. ``None``: not given.
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


class ChunkResult(NamedTuple):
    """The result of a worker for a chunk: ``pairs`` entries, and the bytes to append to each of the outputs."""

    number: int
    pairs: int
    last_line: int
    outputs: tuple[tuple[str, bytes], ...]
    totals: dict[str, Totals]
    faults: tuple[Fault, ...]


def result_of(
    chunk: Chunk, outputs: dict[str, str], totals: dict[str, Totals] | None = None, faults: Iterable[Fault] = ()
) -> ChunkResult:
    """The result of a chunk, given the text to append to each output."""
    encoded = tuple((name, text.encode("utf-8")) for name, text in outputs.items())
    entries = chunk.entries
    return ChunkResult(chunk.number, len(entries), entries[-1].line, encoded, totals or {}, tuple(faults))


def chunked(entries: Iterable[Entry], size: int = CHUNK_SIZE) -> Iterator[Chunk]:
    """Cut a stream of entries into chunks."""
    stream = iter(entries)
    yield from map(Chunk, count(), iter(lambda: tuple(islice(stream, size)), ()))


def entries_of(inputs: Inputs) -> Iterator[Entry]:
    """All inputs side by side, in the order of the corpus; an `InputError` if they do not match."""
    lines = None
    if inputs.conllu is not None and inputs.by_sent_id:
        lines = read_line_numbers(inputs.conllu, inputs.document_size)
    if inputs.corpus is None:
        entries = _parse_entries(inputs.conllu or "", lines)
    else:
        entries = _pair_entries(inputs.corpus)
        if inputs.conllu is not None and lines is not None:
            entries = _with_numbered_parses(entries, inputs.conllu, lines)
        elif inputs.conllu is not None:
            entries = _with_parses_in_order(entries, inputs.conllu)
    return entries if inputs.alignment is None else _with_links(entries, inputs.alignment)


def _pair_entries(corpus: Corpus) -> Iterator[Entry]:
    for entry in corpus.read():
        if isinstance(entry, Fault):
            yield Entry(entry.line, None, None, fault=entry)
        else:
            yield Entry(entry.line, entry.source, entry.target)


def _parse_entries(path: str, lines: Iterable[int] | None) -> Iterator[Entry]:
    """Parses without a corpus; lines: corpus line of each, else they are numbered from 1."""
    numbered = (
        ((block, order) for order, block in enumerate(read_blocks(path), 1))
        if lines is None
        else _numbered(path, lines)
    )
    return (Entry(line, None, None, block) for block, line in numbered)


def _with_numbered_parses(entries: Iterable[Entry], path: str, lines: Iterable[int]) -> Iterator[Entry]:
    """Add each parse to the pair of its corpus line; pairs in between have none."""
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


def _numbered(path: str, lines: Iterable[int]) -> Iterator[tuple[Block, int]]:
    """The parses with their corpus lines, which must ascend."""
    last = 0
    for block, line in zip(read_blocks(path), lines, strict=True):
        if line <= last:
            raise InputError(
                f"{path}, line {block.line}: this parse is for corpus line {line}, the one before it for {last}; "
                "sort the parses by their corpus line, each once. If sent_id restarts with each document, give the "
                "size of the documents (--document-size)"
            )
        last = line
        yield block, line


def _with_parses_in_order(entries: Iterable[Entry], path: str) -> Iterator[Entry]:
    for number, (entry, block) in enumerate(zip_longest(entries, read_blocks(path))):
        if entry is None or block is None:
            more = "more parses than pairs" if entry is None else "fewer parses than pairs"
            where = f", line {block.line}" if block is not None else ""
            raise InputError(
                f"{path}{where}: {more}; the first {number} correspond. Give one parse for every line of the corpus, "
                "or parses whose sent_id is their corpus line (--match sent_id)"
            )
        yield entry._replace(block=block)


def _with_links(entries: Iterable[Entry], path: str) -> Iterator[Entry]:
    """Add its links to each pair: line n of the file belongs to line n of the corpus."""
    lines = read_lines(path)
    read = 0
    for entry in entries:
        while read < entry.line:
            links = next(lines, None)
            if links is None:
                raise InputError(
                    f"{path}: {read} lines, but the corpus has a line {entry.line}; give one line of links for "
                    "every pair (an empty one if nothing is aligned)"
                )
            read += 1
        yield entry._replace(links=links)
    if next(lines, None) is not None:
        raise InputError(f"{path}: more lines than the {read} of the corpus; give one line for every pair")
