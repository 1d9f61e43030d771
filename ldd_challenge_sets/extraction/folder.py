"""The folder that holds the results: checked before the work, filled after it, never half-filled without saying so."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from dibimt_metric.errors import InputError

from .card import CARD
from .card import card_text
from .journal import part_path
from .journal import replace_text
from .manifest import MANIFEST
from .manifest import Extraction
from .manifest import manifest_text
from .manifest import read_manifest
from .tasks import PARSES

PARSE, EXTRACT, ALIGNER = "parse", "extract", "aligner"
"""Places in the work folder: two stages with a journal each, and the aligner."""

_ENDING = ".jsonl"
_FINISHED = "finished.json"


@dataclass(frozen=True, slots=True)
class SetFolder:
    """A folder of challenge sets, perhaps of several language pairs; `work` holds the unfinished ones of this pair.

    Attributes:
        path: the folder. pair: such as ``de-en``. force: whether finished sets of this pair are replaced.
    """

    path: Path
    pair: str
    force: bool = False

    @property
    def work(self) -> Path:
        """Where the unfinished work stands."""
        return self.path / f".work-{self.pair}"

    @property
    def parses(self) -> Path:
        """Where the parses made for this pair are kept."""
        return self.path / f"{self.pair}.parses.conllu"

    @property
    def aligner(self) -> Path:
        """Where the aligner trained for this pair is kept."""
        return self.path / f"{self.pair}.aligner"

    def prepare(self, restart: bool) -> None:
        """Make the folder, or see that the results can go into it.

        Args:
            restart: drop the work of an interrupted run.

        Raises:
            InputError: the folder holds finished sets of this pair, or files of someone else.
        """
        if self.path.exists() and not self.path.is_dir():
            raise InputError(f"{self.path}: is a file; name a folder for the challenge sets")
        # Sets that stand in the manifest while their work is still there are half-published, not finished.
        unfinished = (self.work / _FINISHED).exists() and not restart
        if not self.force and not unfinished and self.pair in read_manifest(self.path):
            raise InputError(
                f"{self.path}: holds finished sets of {self.pair}; choose another folder, or replace them with --force"
            )
        if not self.force and self._foreign():
            raise InputError(
                f"{self.path}: holds a {CARD} but no {MANIFEST}, so it is no folder of challenge sets; choose another "
                "folder, or overwrite with --force"
            )
        if restart:
            shutil.rmtree(self.work, ignore_errors=True)
        try:
            self.work.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(
                f"{self.path}: cannot be made ({error.strerror}); choose another folder"
            ) from error

    def finish(self, fingerprint: str, extraction: Extraction) -> None:
        """Say that all files of the work folder are complete and only have to be moved."""
        record = {"fingerprint": fingerprint, "extraction": extraction.as_dict()}
        replace_text(self.work / _FINISHED, json.dumps(record))

    def finished(self, fingerprint: str) -> Extraction | None:
        """What `finish` said, if it was said of the same inputs and choices."""
        path = self.work / _FINISHED
        if not path.exists():
            return None
        record = json.loads(path.read_text(encoding="utf-8"))
        if record["fingerprint"] != fingerprint:
            raise InputError(
                f"{self.work}: holds finished sets of other inputs or choices that were not moved to their place; run "
                "that command again, or drop them with --restart"
            )
        return Extraction.from_dict(record["extraction"])

    def publish(self, extraction: Extraction, title: str) -> None:
        """Move the results into the folder: sets, parses, aligner, then manifest and card; drop the work.

        Can be called again after it was interrupted: what no longer stands in the work folder has been moved.

        Args:
            extraction: how the sets were made.
            title: of the data set.

        Raises:
            InputError: the system refuses.
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
            replace_text(self.path / MANIFEST, manifest_text(made))
            replace_text(self.path / CARD, card_text(made, title))
            shutil.rmtree(self.work, ignore_errors=True)
        except OSError as error:
            raise InputError(
                f"{self.path}: cannot be written ({error.strerror or error}); run the same command again to finish"
            ) from error

    def _moves(self, extraction: Extraction) -> Iterator[tuple[Path, Path]]:
        for name in extraction.configurations:
            yield part_path(self.work / EXTRACT, name), self.path / f"{name}{_ENDING}"
        yield part_path(self.work / PARSE, PARSES), self.parses
        yield self.work / ALIGNER, self.aligner

    def _remove_old(self, made: Mapping[str, Extraction], new: Extraction) -> None:
        """Files of an earlier extraction of this pair that the new one does not replace."""
        old = made[self.pair].configurations if self.pair in made else {}
        for name in old.keys() - new.configurations.keys():
            (self.path / f"{name}{_ENDING}").unlink(missing_ok=True)

    def _foreign(self) -> bool:
        return (self.path / CARD).exists() and not (self.path / MANIFEST).exists()
