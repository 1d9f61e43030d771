"""The state of an extraction, so that an interrupted run continues where it stopped.

The outputs grow in a work folder next to the results. After each chunk the journal is replaced as a whole: it records
how many chunks are done and how long each output was then. A run that continues truncates the outputs to these lengths,
which removes a half-written chunk, and skips the chunks that are done.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from dibimt_common.files import write_file
from dibimt_metric.errors import InputError

from ..corpus.base import FaultLog
from ..records import Fault
from .inputs import ChunkResult
from .manifest import Totals

_FORMAT = 1


class Journal:
    """The state of a run in its work folder.

    A run with another fingerprint (of inputs and choices) cannot continue this work.

    Attributes:
        done: finished chunks. pairs: entries in them. lines: corpus line of the last entry.
        totals: by output. faults: skipped places, counted by kind.
    """

    def __init__(self, folder: Path, fingerprint: str, outputs: Sequence[str]) -> None:
        self.folder = folder
        self._fingerprint = fingerprint
        self._state = folder / "journal.json"
        self.done = self.pairs = self.lines = 0
        self.totals = {name: Totals() for name in outputs}
        self.faults = FaultLog()
        folder.mkdir(parents=True, exist_ok=True)
        sizes = self._load() if self._state.exists() else {}
        self._files = {name: _opened(self.path(name), sizes.get(name, 0)) for name in outputs}

    def path(self, output: str) -> Path:
        """The file of an output."""
        return part_path(self.folder, output)

    def add(self, result: ChunkResult) -> None:
        """Write the result of a chunk, then record that it is done."""
        try:
            for name, data in result.outputs:
                self._files[name].write(data)
                self._files[name].flush()
            self.done = result.number + 1
            self.pairs += result.pairs
            self.lines = max(self.lines, result.last_line)
            for name, totals in result.totals.items():
                self.totals[name].merge(totals)
            for fault in result.faults:
                self.faults.add(fault)
            self._save()
        except OSError as error:
            raise InputError(
                f"{self.folder}: cannot be written ({error.strerror or error}); finished work is kept: "
                "free some space and run the same command again"
            ) from error

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for file in self._files.values():
            file.close()

    def _save(self) -> None:
        counts = {"done": self.done, "pairs": self.pairs, "lines": self.lines}
        sizes = {name: file.tell() for name, file in self._files.items()}
        totals = {name: each.as_dict() for name, each in self.totals.items()}
        outputs = {"sizes": sizes, "totals": totals}
        faults = {"fault_counts": self.faults.counts, "faults": self.faults.first}
        state = {"format": _FORMAT, "fingerprint": self._fingerprint, **counts, **outputs, **faults}
        write_file(self._state, json.dumps(state))

    def _load(self) -> dict[str, int]:
        state = self._read()
        if state.get("format") != _FORMAT or state.get("fingerprint") != self._fingerprint:
            raise other_run(self.folder)
        self.done, self.pairs, self.lines = state["done"], state["pairs"], state["lines"]
        self.totals = {name: Totals.from_dict(record) for name, record in state["totals"].items()}
        self.faults.counts = dict(state["fault_counts"])
        self.faults.first = {kind: [Fault(*each) for each in first] for kind, first in state["faults"].items()}
        sizes: dict[str, int] = state["sizes"]
        return sizes

    def _read(self) -> dict[str, Any]:
        try:
            state = json.loads(self._state.read_text(encoding="ascii"))
        except (OSError, ValueError) as error:
            raise InputError(f"{self._state}: cannot be read ({error}); drop the work with --restart") from error
        return state if isinstance(state, dict) else {}


def part_path(folder: Path, output: str) -> Path:
    """The file of an output in the work folder of its stage."""
    return folder / f"{output}.part"


def other_run(folder: Path) -> InputError:
    """The error of a work folder with another fingerprint."""
    return InputError(
        f"{folder}: holds an interrupted run with other inputs or choices; run that command again to finish it, or "
        "drop its work with --restart"
    )


def _opened(path: Path, size: int) -> BinaryIO:
    """The file of an output, truncated to the length in the journal."""
    file = path.open("r+b" if path.exists() else "w+b")
    length = file.seek(0, 2)
    if length < size:
        file.close()
        raise InputError(
            f"{path}: {length} bytes, but {size} were written, so it was changed: drop the work with --restart"
        )
    file.truncate(size)
    file.seek(size)
    return file
