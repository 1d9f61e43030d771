"""What a chunk gives, and the totals over all chunks; both travel between processes and into the journal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..records import Fault, Row


class ChunkResult(NamedTuple):
    """What a worker makes of a chunk.

    Attributes:
        number: of the chunk. pairs: entries that it held. last_line: corpus line of its last entry.
        outputs: name of each output and the bytes to add to it.
        totals: what is counted in the rows, by output.
        faults: places that were skipped.
    """

    number: int
    pairs: int
    last_line: int
    outputs: tuple[tuple[str, bytes], ...]
    totals: dict[str, Totals]
    faults: tuple[Fault, ...]


@dataclass(slots=True)
class Totals:
    """Counts over the rows of one configuration, for the card.

    Attributes:
        rows: sentences. distances: largest distance of a row -> rows.
        source_words, target_words: words in all rows (targets: split at blanks where nothing was aligned).
        with_target: rows that have a target.
    """

    rows: int = 0
    distances: Counter[int] = field(default_factory=Counter)
    source_words: int = 0
    target_words: int = 0
    with_target: int = 0

    def add(self, row: Row) -> None:
        """Count a row."""
        self.rows += 1
        self.source_words += len(row.source_tokens)
        if row.target is not None:
            self.with_target += 1
            self.target_words += len(row.target_tokens or row.target.split())
        if row.max_distance is not None:
            self.distances[row.max_distance] += 1

    def merge(self, other: Totals) -> None:
        """Add the counts of another part of the same configuration."""
        self.rows += other.rows
        self.distances.update(other.distances)
        self.source_words += other.source_words
        self.target_words += other.target_words
        self.with_target += other.with_target

    def at_least(self, minimum: int) -> int:
        """Rows whose largest distance reaches the minimum."""
        return sum(count for distance, count in self.distances.items() if distance >= minimum)

    def as_dict(self) -> dict[str, Any]:
        """For the journal and the manifest."""
        return {
            "rows": self.rows,
            "distances": {str(key): self.distances[key] for key in sorted(self.distances)},
            "source_words": self.source_words,
            "target_words": self.target_words,
            "with_target": self.with_target,
        }

    @classmethod
    def from_dict(cls, record: dict[str, Any]) -> Totals:
        """The inverse of `as_dict`."""
        return cls(
            rows=record["rows"],
            distances=Counter({int(key): count for key, count in record["distances"].items()}),
            source_words=record["source_words"],
            target_words=record["target_words"],
            with_target=record["with_target"],
        )


def totals_of(rows: Iterable[Row]) -> Totals:
    """The totals of some rows."""
    totals = Totals()
    for row in rows:
        totals.add(row)
    return totals
