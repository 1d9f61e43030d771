"""What to do with the places of a corpus that cannot be used: stop at the first, or pass over and count them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

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


def bad_utf8(file: str, line: int, error: UnicodeDecodeError) -> Fault:
    """The fault of a line that is not UTF-8."""
    return Fault(file, line, BAD_UTF8, explain_utf8(error))


def empty_side(file: str, line: int, side: str) -> Fault:
    """The fault of a pair one of whose sides is empty or blank; side: such as ``source side``."""
    message = f"the {side} is empty; give both sides a text, or leave the pair out of both"
    return Fault(file, line, EMPTY_SIDE, message)


def strict(entries: Iterable[TextPair | Fault]) -> Iterator[TextPair]:
    """The entries, as long as they can be used.

    >>> list(strict([TextPair(1, "ja", "yes"), Fault("en.txt", 2, "empty_side", "the target side is empty")]))
    Traceback (most recent call last):
        ...
    dibimt_metric.errors.InputError: en.txt, line 2: the target side is empty

    Raises:
        InputError: at the first fault.
    """
    for entry in entries:
        if isinstance(entry, Fault):
            raise InputError(str(entry))
        yield entry


class FaultLog:
    """Counts faults by kind and keeps the first few of each.

    Args:
        keep: how many of each kind are kept.

    Attributes:
        counts: by kind, in order of first appearance.
        first: by kind, the first of them.

    >>> log = FaultLog()
    >>> entries = [TextPair(1, "ja", "yes"), Fault("en.txt", 2, "empty_side", "the target side is empty")]
    >>> len(list(log.skip(entries)))
    1
    >>> print(log.summary())
    1 passed over
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
        """The entries that can be used; the others are counted as they come by."""
        for entry in entries:
            if isinstance(entry, Fault):
                self.add(entry)
            else:
                yield entry

    def summary(self) -> str:
        """All counts and the kept faults as text of several lines; empty where there is no fault."""
        if not self.counts:
            return ""
        lines = [f"{self.total} passed over"]
        for kind, count in self.counts.items():
            kept = self.first[kind]
            lines.append(f"  {kind}: {count}" + (f", the first {len(kept)}:" if len(kept) < count else ""))
            lines += [f"    {fault}" for fault in kept]
        return "\n".join(lines)
