"""``extraction.json``: what a folder of challenge sets holds and how each of its sets was made."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dibimt_metric.errors import InputError

from .results import Totals

MANIFEST = "extraction.json"
_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Extraction:
    """How the sets of one language pair were made.

    Attributes:
        pair: such as ``de-en``. corpus: its name. license: of the texts, as the user states it.
        pairs: sentence pairs read, those skipped included. lines: number of the last line of the corpus.
        definition: ``paper`` or ``released``. min_distance, include_root: as in `Plan`.
        parser: name with version and model, or the CoNLL-U file that was given; ``None``: not parsed.
        aligner: name with version, symmetrization and training size, or the file that was given; ``None``: not aligned.
        tokens: how sides without parse were split: ``source, target``.
        configurations: name -> totals.
        skipped: kind of fault -> number of places that were skipped. skipped_places: the first few of each kind.
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
        record = {name: getattr(self, name) for name in self.__dataclass_fields__}
        record["configurations"] = {name: totals.as_dict() for name, totals in self.configurations.items()}
        return record

    @classmethod
    def from_dict(cls, record: dict[str, Any]) -> Extraction:
        """The inverse of `as_dict`."""
        sets = {name: Totals.from_dict(each) for name, each in record["configurations"].items()}
        texts = {name: tuple(record[name]) for name in ("tokens", "skipped_places")}
        return cls(**{**record, **texts, "configurations": sets})


def read_manifest(folder: Path) -> dict[str, Extraction]:
    """What the folder holds, by pair; empty where it holds no manifest.

    Raises:
        InputError: the file is damaged or of another version.
    """
    path = folder / MANIFEST
    if not path.exists():
        return {}
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        if record["format"] != _FORMAT:
            raise InputError(f"{path}: format {record['format']}, expected {_FORMAT}; extract the sets again")
        return {each["pair"]: Extraction.from_dict(each) for each in record["extractions"]}
    except (OSError, ValueError, KeyError, TypeError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path}: cannot be read ({error}); extract the sets again") from error


def manifest_text(extractions: dict[str, Extraction]) -> str:
    """The content of the file."""
    record = {
        "format": _FORMAT,
        "extractions": [extractions[pair].as_dict() for pair in sorted(extractions)],
    }
    return json.dumps(record, ensure_ascii=False, indent=1) + "\n"
