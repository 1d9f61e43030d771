"""The folder of the results: checked before the work and filled after it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from dibimt_common.files import write_file
from dibimt_metric.errors import InputError

from .card import CARD, card_text
from .journal import other_run, part_path
from .manifest import MANIFEST, Extraction, manifest_text, read_manifest
from .tasks import PARSES

PARSE, EXTRACT, ALIGNER = "parse", "extract", "aligner"
"""Names in the work folder: two stages with a journal each, and the aligner."""

_FINISHED, _RUN = "finished.json", "run"
_LOCK = ".lock"


@dataclass(frozen=True, slots=True)
class SetFolder:
    """A folder of challenge sets of one or more language pairs; `force`: finished ones of this pair are replaced."""

    path: Path
    pair: str
    force: bool = False

    @property
    def work(self) -> Path:
        """The folder of the unfinished work."""
        return self.path / f".work-{self.pair}"

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other runs out of the folder; the system releases the lock when this process ends for any reason."""
        lock = self._acquired()
        try:
            yield
        finally:
            (self.path / _LOCK).unlink(missing_ok=True)
            lock.release()

    def _acquired(self) -> FileLock:
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            lock = FileLock(self.path / _LOCK, timeout=0)
            lock.acquire()
        except Timeout as error:
            raise InputError(
                f"{self.path}: another run is working in this folder; wait for it, or choose another folder"
            ) from error
        except FileExistsError as error:
            raise InputError(f"{self.path}: is a file; give a folder for the challenge sets") from error
        except OSError as error:
            raise InputError(
                f"{self.path}: cannot be used ({error.strerror or error}); choose another folder"
            ) from error
        return lock

    def prepare(self, fingerprint: str, restart: bool) -> None:
        """Check that the results can go into the folder, and create the work folder.

        With ``restart`` the work of an interrupted run is dropped; the fingerprint is of inputs and choices.
        """
        # Sets in the manifest whose work folder still exists are half-published, not finished.
        unfinished = (self.work / _FINISHED).exists() and not restart
        if not self.force and not unfinished and self.pair in read_manifest(self.path):
            raise InputError(
                f"{self.path}: holds finished sets of {self.pair}; choose another folder, or replace them with --force"
            )
        if not self.force and (self.path / CARD).exists() and not (self.path / MANIFEST).exists():
            raise InputError(
                f"{self.path}: holds a {CARD} but no {MANIFEST}, so it is not a folder of challenge sets; choose "
                "another folder, or overwrite with --force"
            )
        if restart:
            shutil.rmtree(self.work, ignore_errors=True)
        self._mark(fingerprint)

    def _mark(self, fingerprint: str) -> None:
        """Record the run in its work folder; parses of one run must not be published with the sets of another."""
        mark = self.work / _RUN
        if mark.exists() and mark.read_text(encoding="ascii") != fingerprint:
            raise other_run(self.work)
        try:
            self.work.mkdir(exist_ok=True)
            write_file(mark, fingerprint)
        except OSError as error:
            raise InputError(f"{self.path}: cannot be written ({error.strerror}); choose another folder") from error

    def finish(self, extraction: Extraction) -> None:
        """Record that all files of the work folder are complete and only have to be moved."""
        write_file(self.work / _FINISHED, json.dumps(extraction.as_dict()))

    def finished(self) -> Extraction | None:
        """The record of `finish`; ``None``: there is still work to do."""
        path = self.work / _FINISHED
        if not path.exists():
            return None
        return Extraction.from_dict(json.loads(path.read_text(encoding="utf-8")))

    def publish(self, extraction: Extraction, title: str) -> None:
        """Move the results into the folder: sets, parses, aligner, then manifest and card; drop the work.

        Can be called again after an interruption: what is no longer in the work folder has been moved.
        """
        made = read_manifest(self.path)
        try:
            self._remove_old(made, extraction)
            for part, place in self._moves(extraction):
                if part.exists():
                    if place.is_dir():
                        shutil.rmtree(place)
                    part.replace(place)
            made = {**made, self.pair: extraction}
            write_file(self.path / MANIFEST, manifest_text(made))
            write_file(self.path / CARD, card_text(made, title))
            shutil.rmtree(self.work, ignore_errors=True)
        except OSError as error:
            raise InputError(
                f"{self.path}: cannot be written ({error.strerror or error}); run the same command again to finish"
            ) from error

    def _moves(self, extraction: Extraction) -> Iterator[tuple[Path, Path]]:
        for name in extraction.configurations:
            yield part_path(self.work / EXTRACT, name), self.path / f"{name}.jsonl"
        yield part_path(self.work / PARSE, PARSES), self.path / f"{self.pair}.parses.conllu"
        yield self.work / ALIGNER, self.path / f"{self.pair}.aligner"

    def _remove_old(self, made: Mapping[str, Extraction], new: Extraction) -> None:
        """Remove files of an earlier extraction of this pair that the new one does not replace."""
        old = made[self.pair].configurations if self.pair in made else {}
        for name in old.keys() - new.configurations.keys():
            (self.path / f"{name}.jsonl").unlink(missing_ok=True)
