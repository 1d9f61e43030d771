"""Corpora of two files that belong together line by line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from ..records import Fault, TextPair
from .base import Corpus, check_start
from .faults import LINE_COUNTS, NO_PARTNER, bad_utf8, empty_side
from .files import count_lines, decode_line, digest, raw_lines


@dataclass(frozen=True, slots=True)
class LineCorpus(Corpus):
    """Line n of one file is the translation of line n of the other.

    Attributes:
        name: see `Corpus`.
        source, target: paths, plain or compressed; one of them may be ``None``.
    """

    name: str
    source: str | None
    target: str | None

    @property
    def files(self) -> tuple[str, ...]:
        """Source file, target file."""
        return tuple(path for path in (self.source, self.target) if path is not None)

    def read(self, start: int = 1) -> Iterator[TextPair | Fault]:
        """See `Corpus.read`; a line that the other file does not have is a fault of kind ``no_partner``."""
        check_start(start)
        if self.source is not None and self.target is not None:
            return self._read_both(self.source, self.target, start)
        return self._read_one(start)

    def _read_both(self, source: str, target: str, start: int) -> Iterator[TextPair | Fault]:
        rows = zip_longest(raw_lines(source, start), raw_lines(target, start))
        for line, (left, right) in enumerate(rows, start):
            if left is None or right is None:
                yield _no_partner(source, target, line, left is None)
                continue
            try:
                pair = TextPair(line, decode_line(left), decode_line(right))
            except UnicodeDecodeError as error:
                yield bad_utf8(source if error.object == left else target, line, error)
                continue
            if not pair.source or pair.source.isspace():
                yield empty_side(source, line, "source side")
            elif not pair.target or pair.target.isspace():
                yield empty_side(target, line, "target side")
            else:
                yield pair

    def _read_one(self, start: int) -> Iterator[TextPair | Fault]:
        (path,) = self.files
        for line, raw in enumerate(raw_lines(path, start), start):
            try:
                text = decode_line(raw)
            except UnicodeDecodeError as error:
                yield bad_utf8(path, line, error)
                continue
            if not text or text.isspace():
                yield empty_side(path, line, "source side" if self.target is None else "target side")
            else:
                yield TextPair(line, text, None) if self.target is None else TextPair(line, None, text)

    def count(self) -> int:
        """Lines of the longer file; reads both files."""
        return max(map(count_lines, self.files))

    def check(self) -> tuple[Fault, ...]:
        """A fault of kind ``line_counts`` where the two files have different numbers of lines; reads both."""
        counts = [count_lines(path) for path in self.files]
        if len(set(counts)) < 2:
            return ()
        longer = counts.index(max(counts))
        line = min(counts) + 1
        message = (
            f"{self.files[0]} has {counts[0]} lines, {self.files[1]} has {counts[1]}; this is the first line "
            "without a partner. Line n of both files must belong together: give files of equal length"
        )
        return (Fault(self.files[longer], line, LINE_COUNTS, message),)

    def fingerprint(self) -> str:
        """Of both files, in this order."""
        return digest(("lines", self.source is not None, self.target is not None), self.files)


def _no_partner(source: str, target: str, line: int, source_ended: bool) -> Fault:
    longer, shorter = (target, source) if source_ended else (source, target)
    message = f"has no partner, because {shorter} has fewer lines; give files of equal length"
    return Fault(longer, line, NO_PARTNER, message)
