"""``extraction.json``: the content of a folder of challenge sets and how each set was made."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from dibimt_metric.errors import InputError

from ..records import LddRow

MANIFEST = "extraction.json"
_FORMAT = 1


@dataclass(slots=True)
class Totals:
    """Counts over the rows of one configuration.

    Attributes:
        rows: sentences. distances: largest distance of a row -> rows.
        source_words, target_words: words in all rows (targets: split at spaces if nothing was aligned).
        with_target: rows that have a target.
    """

    rows: int = 0
    distances: Counter[int] = field(default_factory=Counter)
    source_words: int = 0
    target_words: int = 0
    with_target: int = 0

    def add(self, row: LddRow) -> None:
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
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))

    def at_least(self, minimum: int) -> int:
        """Rows whose largest distance is at least the minimum."""
        return sum(count for distance, count in self.distances.items() if distance >= minimum)

    def as_dict(self) -> dict[str, Any]:
        """For the journal and the manifest."""
        distances = {str(key): self.distances[key] for key in sorted(self.distances)}
        return {each.name: getattr(self, each.name) for each in fields(self)} | {"distances": distances}

    @classmethod
    def from_dict(cls, record: dict[str, Any]) -> Totals:
        """The inverse of `as_dict`."""
        distances = Counter({int(key): count for key, count in record["distances"].items()})
        return cls(**{**record, "distances": distances})


def totals_of(rows: Iterable[LddRow]) -> Totals:
    """The totals of some rows."""
    totals = Totals()
    for row in rows:
        totals.add(row)
    return totals


@dataclass(frozen=True, slots=True)
class Extraction:
    """How the sets of one language pair were made.

    Attributes:
        pair: such as ``de-en``. corpus: its name. license: of the texts, as the user states it.
        pairs: sentence pairs read, including skipped ones. lines: number of the last line of the corpus.
        definition: ``paper`` or ``released``. min_distance, include_root: as in `Plan`.
        parser: name with version and model, or the given CoNLL-U file; ``None``: not parsed.
        aligner: name with version, symmetrization and training size, or the given file; ``None``: not aligned.
        tokens: how sides without parse were split: ``source, target``.
        configurations: name -> totals.
        skipped: kind of fault -> number of pairs skipped. skipped_places: the first few of each kind.
        signature: one line with all of this.
    """

    pair: str
    corpus: str
    license: str
    pairs: int
    lines: int
    definition: str
    min_distance: int | None
    include_root: bool | None
    parser: str | None
    aligner: str | None
    tokens: tuple[str, str]
    configurations: dict[str, Totals]
    skipped: dict[str, int]
    skipped_places: tuple[str, ...]
    signature: str

    def as_dict(self) -> dict[str, Any]:
        """For the file."""
        sets = {name: totals.as_dict() for name, totals in self.configurations.items()}
        return {each.name: getattr(self, each.name) for each in fields(self)} | {"configurations": sets}

    @classmethod
    def from_dict(cls, record: dict[str, Any]) -> Extraction:
        """The inverse of `as_dict`."""
        sets = {name: Totals.from_dict(each) for name, each in record["configurations"].items()}
        texts = {name: tuple(record[name]) for name in ("tokens", "skipped_places")}
        return cls(**{**record, **texts, "configurations": sets})


def read_manifest(folder: Path) -> dict[str, Extraction]:
    """The extractions in a folder, by pair; empty without a manifest."""
    path = folder / MANIFEST
    if not path.exists():
        return {}
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        if record["format"] != _FORMAT:
            raise InputError(f"{path}: format {record['format']}, expected {_FORMAT}; extract the sets again")
        return {each["pair"]: Extraction.from_dict(each) for each in record["extractions"]}
    except InputError:  # is a ValueError
        raise
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path}: cannot be read ({error}); extract the sets again") from error


def manifest_text(extractions: dict[str, Extraction]) -> str:
    """The content of the file."""
    made = [extractions[pair].as_dict() for pair in sorted(extractions)]
    return json.dumps({"format": _FORMAT, "extractions": made}, ensure_ascii=False, indent=1) + "\n"
