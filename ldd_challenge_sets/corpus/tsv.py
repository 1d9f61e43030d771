"""Corpora of one file with tabs between its columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from dibimt_metric.errors import InputError, shown

from ..records import Fault, TextPair
from .base import Corpus, check_start
from .faults import COLUMN_COUNT, bad_utf8, empty_side
from .files import count_lines, decode_line, digest, raw_lines, read_lines

Column: TypeAlias = int | str
"""A column, by its number from 1 or by its name in the first line."""


@dataclass(frozen=True, slots=True)
class TsvCorpus(Corpus):
    """One line is one pair; tabs separate columns, and every other character, quotes too, is text.

    Attributes:
        name: see `Corpus`.
        path: the file, plain or compressed.
        source, target: places of the two columns, from 0; target is ``None`` where there is no target side.
        width: number of columns that every line has.
        header: whether the first line holds names and no pair.
    """

    name: str
    path: str
    source: int
    target: int | None
    width: int
    header: bool

    @property
    def files(self) -> tuple[str, ...]:
        """The file."""
        return (self.path,)

    def read(self, start: int = 1) -> Iterator[TextPair | Fault]:
        """See `Corpus.read`; a line with another number of columns is a fault of kind ``column_count``."""
        check_start(start)
        return self._read(start)

    def _read(self, start: int) -> Iterator[TextPair | Fault]:
        for line, raw in enumerate(raw_lines(self.path, start + self.header), start):
            try:
                columns = decode_line(raw).split("\t")
            except UnicodeDecodeError as error:
                yield bad_utf8(self.path, line, error)
                continue
            yield (
                self._entry(line, columns) if len(columns) == self.width else self._ragged(line, len(columns))
            )

    def _entry(self, line: int, columns: list[str]) -> TextPair | Fault:
        source = columns[self.source]
        if not source or source.isspace():
            return empty_side(self.path, line, "source side")
        if self.target is None:
            return TextPair(line, source, None)
        target = columns[self.target]
        if not target or target.isspace():
            return empty_side(self.path, line, "target side")
        return TextPair(line, source, target)

    def _ragged(self, line: int, found: int) -> Fault:
        # The number of a pair is not the number of its line where names stand in the first line.
        where = f" (line {line + 1} of the file)" if self.header else ""
        message = (
            f"{found} columns{where}, but the first line of the file has {self.width}; put one tab between two "
            "columns and none inside a text"
        )
        return Fault(self.path, line, COLUMN_COUNT, message)

    def count(self) -> int:
        """Lines without the one of names; reads the file."""
        return max(count_lines(self.path) - self.header, 0)

    def fingerprint(self) -> str:
        """Of the file and the choice of columns."""
        return digest(("tsv", self.source, self.target, self.header), self.files)


def resolve_columns(
    path: str, source: Column, target: Column | None, header: bool
) -> tuple[int, int | None, int, bool]:
    """Find the columns in the first line of a file.

    Returns:
        places of source and target, number of columns, whether the first line holds names.

    Raises:
        InputError: the file has no such column, or both sides are the same column.
    """
    names = next(read_lines(path), "").split("\t")
    header = header or isinstance(source, str) or isinstance(target, str)
    first = _place(path, source, names)
    second = None if target is None else _place(path, target, names)
    if first == second:
        raise InputError(f"{path}: source and target are both column {first + 1}; give two columns")
    return first, second, len(names), header


def _place(path: str, column: Column, names: list[str]) -> int:
    if isinstance(column, str):
        if names.count(column) == 1:
            return names.index(column)
        problem = "stands there more than once" if column in names else "does not stand there"
        raise InputError(
            f"{path}, line 1: the column {shown(column)} {problem}; the names there are {shown(names)}"
        )
    if not 1 <= column <= len(names):
        raise InputError(
            f"{path}, line 1: no column {column}; the line has {len(names)}, counted from 1 and separated by tabs"
        )
    return column - 1
