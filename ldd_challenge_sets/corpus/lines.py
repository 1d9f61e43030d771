"""Corpora whose pairs are lines: two files that correspond line by line, or one file with tabs between columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import TypeAlias

from dibimt_metric.errors import InputError, shown

from ..records import Fault, TextPair
from .base import COLUMN_COUNT, LINE_COUNTS, NO_PARTNER, Corpus, bad_utf8, empty_side, is_blank
from .files import count_lines, decode_line, digest, raw_lines, read_lines

Column: TypeAlias = int | str  # a column, by its number from 1 or by its name in the first line


@dataclass(frozen=True, slots=True)
class LineCorpus(Corpus):
    """Line n of one file is the translation of line n of the other; a line without partner is ``no_partner``.

    One of the paths may be ``None``.
    """

    name: str
    source: str | None
    target: str | None

    @property
    def files(self) -> tuple[str, ...]:
        """Source file, target file."""
        return tuple(path for path in (self.source, self.target) if path is not None)

    def _read(self, start: int) -> Iterator[TextPair | Fault]:
        files = self.files
        for line, raw in enumerate(zip_longest(*(raw_lines(path, start) for path in files)), start):
            yield self._no_partner(line, raw[0] is None) if None in raw else self._entry(line, files, raw)

    def _entry(self, line: int, files: tuple[str, ...], raw: tuple[bytes, ...]) -> TextPair | Fault:
        texts: list[str | None] = []
        for path, each in zip(files, raw, strict=True):
            try:
                texts.append(decode_line(each))
            except UnicodeDecodeError as error:
                return bad_utf8(path, line, error)
        if self.source is None:
            texts.insert(0, None)
        elif self.target is None:
            texts.append(None)
        return _checked(TextPair(line, *texts), files[0], files[-1])

    def _no_partner(self, line: int, source_ended: bool) -> Fault:
        source, target = self.files
        longer, shorter = (target, source) if source_ended else (source, target)
        message = f"has no partner, because {shorter} has fewer lines; give files of equal length"
        return Fault(longer, line, NO_PARTNER, message)

    def count(self) -> int:
        """Lines of the longer file; reads both files."""
        return max(map(count_lines, self.files))

    def check(self) -> tuple[Fault, ...]:
        """A fault of kind ``line_counts`` if the two files have different numbers of lines; reads both."""
        counts = [count_lines(path) for path in self.files]
        if len(set(counts)) < 2:
            return ()
        longer = counts.index(max(counts))
        message = (
            f"{self.files[0]} has {counts[0]} lines, {self.files[1]} has {counts[1]}; this is the first line "
            "without a partner. Line n of both files must correspond: give files of equal length"
        )
        return (Fault(self.files[longer], min(counts) + 1, LINE_COUNTS, message),)

    def fingerprint(self) -> str:
        """Of both files, in this order."""
        return digest(("lines", self.source is not None, self.target is not None), self.files)


@dataclass(frozen=True, slots=True)
class TsvCorpus(Corpus):
    """One line is one pair; tabs separate columns, and every other character, quotes too, is text.

    A line with another number of columns is a fault of kind ``column_count``.

    Attributes:
        source, target: positions of the two columns, from 0; target ``None``: there is no target side.
        width: number of columns of every line.
        header: whether the first line holds names instead of a pair.
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

    def _read(self, start: int) -> Iterator[TextPair | Fault]:
        for line, raw in enumerate(raw_lines(self.path, start + self.header), start):
            try:
                columns = decode_line(raw).split("\t")
            except UnicodeDecodeError as error:
                yield bad_utf8(self.path, line, error)
                continue
            if len(columns) != self.width:
                yield self._ragged(line, len(columns))
                continue
            target = None if self.target is None else columns[self.target]
            yield _checked(TextPair(line, columns[self.source], target), self.path, self.path)

    def _ragged(self, line: int, found: int) -> Fault:
        # With a line of names, a pair and its line have different numbers.
        where = f" (line {line + 1} of the file)" if self.header else ""
        message = (
            f"{found} columns{where}, but the first line of the file has {self.width}; put one tab between two "
            "columns and none inside a text"
        )
        return Fault(self.path, line, COLUMN_COUNT, message)

    def count(self) -> int:
        """Lines without the line of names; reads the file."""
        return max(count_lines(self.path) - self.header, 0)

    def fingerprint(self) -> str:
        """Of the file and the choice of columns."""
        return digest(("tsv", self.source, self.target, self.header), self.files)


def _checked(pair: TextPair, source_file: str, target_file: str) -> TextPair | Fault:
    if pair.source is not None and is_blank(pair.source):
        return empty_side(source_file, pair.line, "source side")
    if pair.target is not None and is_blank(pair.target):
        return empty_side(target_file, pair.line, "target side")
    return pair


def resolve_columns(
    path: str, source: Column, target: Column | None, header: bool
) -> tuple[int, int | None, int, bool]:
    """By the first line of a file: positions of source and target, number of columns, whether the line holds names."""
    names = next(read_lines(path), "").split("\t")
    header = header or isinstance(source, str) or isinstance(target, str)
    first = _position(path, source, names)
    second = None if target is None else _position(path, target, names)
    if first == second:
        raise InputError(f"{path}: source and target are both column {first + 1}; give two columns")
    return first, second, len(names), header


def _position(path: str, column: Column, names: list[str]) -> int:
    if isinstance(column, str):
        if names.count(column) == 1:
            return names.index(column)
        problem = "occurs more than once" if column in names else "does not exist"
        raise InputError(f"{path}, line 1: column {shown(column)} {problem}; the columns are {shown(names)}")
    if not 1 <= column <= len(names):
        raise InputError(
            f"{path}, line 1: no column {column}; the line has {len(names)}, counted from 1 and separated by tabs"
        )
    return column - 1
