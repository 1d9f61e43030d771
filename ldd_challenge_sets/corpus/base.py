"""What every parallel corpus can do, whatever its format, and what happens to places that cannot be used."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TypeVar

from dibimt_metric.errors import InputError

from ..records import Fault, TextPair
from .files import explain_utf8

EMPTY_SIDE = "empty_side"
BAD_UTF8 = "bad_utf8"
NO_PARTNER = "no_partner"
LINE_COUNTS = "line_counts"
COLUMN_COUNT = "column_count"
MISSING_SIDE = "missing_side"
SEVERAL_SIDES = "several_sides"

_Side = TypeVar("_Side")


class Corpus(ABC):
    """A parallel corpus that can be read from its beginning any number of times, in constant memory.

    It holds paths and choices but no open file: it can be pickled and compared. Made by the functions of
    `ldd_challenge_sets.corpus.opening`.
    Its ``name`` is for cards and for the column ``corpus`` of challenge sets.
    """

    __slots__ = ()

    name: str

    @property
    @abstractmethod
    def files(self) -> tuple[str, ...]:
        """The files, or the name of the data set, as given."""

    def read(self, start: int = 1) -> Iterator[TextPair | Fault]:
        """All pairs in order, one entry each.

        A pair that cannot be used is a `Fault` in its place, so that parses and alignments stay in step.

        Args:
            start: number of the first pair wanted, from 1.

        Raises:
            InputError: start is below 1; the corpus cannot be read, or not to its end.
        """
        if start < 1:
            raise InputError(f"pairs are counted from 1; reading cannot start at {start}")
        return self._read(start)

    @abstractmethod
    def _read(self, start: int) -> Iterator[TextPair | Fault]: ...

    @abstractmethod
    def count(self) -> int | None:
        """Number of entries that `read` gives; ``None`` if only reading the whole corpus would tell."""

    @abstractmethod
    def fingerprint(self) -> str:
        """64 hexadecimal digits that change with the content and with what is chosen from it, not with the path."""

    def check(self) -> tuple[Fault, ...]:
        """Faults that can be found before the work begins; reads the first pair."""
        for _ in islice(self.read(), 1):
            pass
        return ()


def pair_of(line: int, side: Callable[[_Side], str | Fault], source: _Side, target: _Side | None) -> TextPair | Fault:
    """The pair of two sides, or the fault of the first that ``side`` (text or fault of a language) cannot give."""
    first = side(source)
    if isinstance(first, Fault):
        return first
    second = None if target is None else side(target)
    return second if isinstance(second, Fault) else TextPair(line, first, second)


def is_blank(text: str) -> bool:
    """Whether a text is empty or white space only."""
    return not text or text.isspace()


def bad_utf8(file: str, line: int, error: UnicodeDecodeError) -> Fault:
    """The fault of a line that is not UTF-8."""
    return Fault(file, line, BAD_UTF8, explain_utf8(error))


def empty_side(file: str, line: int, side: str) -> Fault:
    """The fault of a pair with an empty side, such as ``source side``."""
    message = f"the {side} is empty; give both sides a text, or remove the pair from both"
    return Fault(file, line, EMPTY_SIDE, message)


def strict(entries: Iterable[TextPair | Fault]) -> Iterator[TextPair]:
    """The entries up to the first fault, which is an error.

    >>> list(strict([TextPair(1, "ja", "yes"), Fault("en.txt", 2, "empty_side", "the target side is empty")]))
    Traceback (most recent call last):
        ...
    dibimt_metric.errors.InputError: en.txt, line 2: the target side is empty
    """
    for entry in entries:
        if isinstance(entry, Fault):
            raise InputError(str(entry))
        yield entry


class FaultLog:
    """Counts faults by kind (``counts``) and keeps the first few of each (``first``).

    >>> log = FaultLog()
    >>> entries = [TextPair(1, "ja", "yes"), Fault("en.txt", 2, "empty_side", "the target side is empty")]
    >>> len(list(log.skip(entries)))
    1
    >>> print(log.summary())
    1 skipped
      empty_side: 1
        en.txt, line 2: the target side is empty
    """

    def __init__(self, keep: int = 3) -> None:
        self._keep = keep
        self.counts: dict[str, int] = {}
        self.first: dict[str, list[Fault]] = {}

    @property
    def total(self) -> int:
        """Number of faults of all kinds."""
        return sum(self.counts.values())

    def add(self, fault: Fault) -> None:
        """Count a fault."""
        self.counts[fault.kind] = self.counts.get(fault.kind, 0) + 1
        kept = self.first.setdefault(fault.kind, [])
        if len(kept) < self._keep:
            kept.append(fault)

    def skip(self, entries: Iterable[TextPair | Fault]) -> Iterator[TextPair]:
        """The entries that can be used; faults are counted on the way."""
        for entry in entries:
            if isinstance(entry, Fault):
                self.add(entry)
            else:
                yield entry

    def summary(self) -> str:
        """All counts and the kept faults as text of several lines; empty without faults."""
        if not self.counts:
            return ""
        lines = [f"{self.total} skipped"]
        for kind, count in self.counts.items():
            kept = self.first[kind]
            lines.append(f"  {kind}: {count}" + (f", the first {len(kept)}:" if len(kept) < count else ""))
            lines += [f"    {fault}" for fault in kept]
        return "\n".join(lines)
