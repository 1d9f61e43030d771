"""A trained aligner as a folder: the library's files of both directions, and a manifest with their checksums.

The manifest (``aligner.json``) holds the choices of the training and the SHA-256 of every file. The library itself
silently loads a folder without vocabulary, or with a truncated parameter file, and then aligns by the diagonal alone;
here each of these is an error. The sentences of the training are not kept: the library writes them, but needs them only
for training.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from dibimt_common.files import new_folder
from dibimt_metric.errors import InputError, shown

from .directions import Directions, library, vocabulary

MANIFEST = "aligner.json"
_FORMAT = {"format": "dibimt-aligner", "format_version": 1, "aligner": "fast_align", "library": "sil-thot"}
_DIRECTIONS = ("forward", "backward")
_SENTENCES = frozenset({".src", ".trg", ".srctrgc"})
_PARAMETERS = ".fa_lexnd"


@dataclass(frozen=True, slots=True)
class Training:
    """What an aligner was trained with.

    Attributes:
        library_version: of sil-thot. iterations: passes over the pairs in each direction.
        symmetrization: the default. lower: whether words are lower-cased.
        pairs: sentence pairs trained on. skipped: pairs with a side that is empty or too long.
        source_words, target_words: different words of each side. data: SHA-256 of the pairs trained on.
    """

    library_version: str
    iterations: int
    symmetrization: str
    lower: bool
    pairs: int
    skipped: int
    source_words: int
    target_words: int
    data: str


def save_folder(folder: Path, training: Training, directions: Directions, force: bool) -> None:
    """Write the folder, whole or not at all; with ``force`` an existing aligner is replaced, other content never."""
    _check_place(folder, force)
    with _system_errors(folder), new_folder(folder) as staging:
        for direction, model in zip(_DIRECTIONS, (directions.forward, directions.backward), strict=True):
            _write_model(staging, direction, model)
        digests = {path.name: _digest(path) for path in sorted(staging.iterdir())}
        manifest = {**_FORMAT, **asdict(training), "files": digests}
        (staging / MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")


def load_folder(folder: Path) -> tuple[Training, Directions]:
    """The aligner of a folder; an `InputError` if anything is missing or was changed."""
    manifest = _manifest(folder)
    training = _training(folder, manifest)
    _check_files(folder, manifest["files"])
    models = [_load_model(folder, direction) for direction in _DIRECTIONS]
    directions = Directions(*models, *map(vocabulary, models))
    if (len(directions.source_words), len(directions.target_words)) != (training.source_words, training.target_words):
        raise _broken(folder, "its vocabularies are not those that were saved")
    return training, directions


def _write_model(staging: Path, direction: str, model: Any) -> None:
    # The model continues to read the sentences from the files that it wrote. They must not be those of the folder,
    # which is moved and may be removed.
    with tempfile.TemporaryDirectory(prefix="dibimt-", ignore_cleanup_errors=True) as scratch:
        written = model.print(str(Path(scratch, direction)))
        if not written or not _size(Path(scratch, direction + _PARAMETERS)):
            raise InputError(f"{staging.parent}: the aligner could not be written; is the disk full?")
        for path in Path(scratch).iterdir():
            _check_whole(path)
            if path.suffix in _SENTENCES:
                (staging / path.name).touch()
            else:
                shutil.copyfile(path, staging / path.name)


def _check_whole(path: Path) -> None:
    """Reject a file that the system truncated, unnoticed by the library: not a single byte can be appended."""
    size = path.stat().st_size
    try:
        with path.open("ab") as file:
            file.write(b"\0")
    except OSError as error:
        raise InputError(
            f"{path}: the aligner cannot be saved, its file was truncated after {size} bytes "
            f"({error.strerror or error}); free some space, or allow larger files (ulimit -f)"
        ) from error
    os.truncate(path, size)


def _check_place(folder: Path, force: bool) -> None:
    with _system_errors(folder):
        if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
            return
        ours = folder.is_dir() and (folder / MANIFEST).is_file()
    if not ours:
        raise InputError(f"{folder}: exists and is not an aligner; choose another folder")
    if not force:
        raise InputError(f"{folder}: holds an aligner; choose another folder, or replace it with --force")


def _manifest(folder: Path) -> dict[str, Any]:
    path = folder / MANIFEST
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise InputError(
            f"{folder}: there is no saved aligner ({MANIFEST} is missing); train one and save it here"
        ) from error
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); check the path") from error
    except (ValueError, RecursionError) as error:
        raise _broken(folder, f"{MANIFEST} is not valid JSON ({error})") from error
    if not isinstance(manifest, dict):
        raise _broken(folder, f"{MANIFEST} is {shown(manifest)} instead of an object")
    for key, expected in _FORMAT.items():
        if manifest.get(key) != expected:
            raise InputError(
                f"{path}: {key!r} is {shown(manifest.get(key))}, but {expected!r} is expected; "
                "train the aligner again with this release"
            )
    return manifest


def _training(folder: Path, manifest: dict[str, Any]) -> Training:
    kinds = {"str": str, "int": int, "bool": bool}
    values: dict[str, Any] = {}
    for field in fields(Training):
        value = manifest.get(field.name)
        if type(value) is not kinds[str(field.type)]:
            raise _broken(folder, f"{field.name!r} is {shown(value)} in {MANIFEST}")
        values[field.name] = value
    if not isinstance(manifest.get("files"), dict):
        raise _broken(folder, f"{MANIFEST} lists no files")
    return Training(**values)


def _check_files(folder: Path, digests: dict[str, Any]) -> None:
    for direction in _DIRECTIONS:
        if direction + _PARAMETERS not in digests:
            raise _broken(folder, f"{MANIFEST} lists no parameters of the direction {direction}")
    for name, digest in digests.items():
        path = folder / name
        with _system_errors(path):
            if not path.is_file():
                raise _broken(folder, f"{name} is missing")
            if _digest(path) != digest:
                raise _broken(folder, f"{name} was changed after saving ({_size(path)} bytes)")


def _load_model(folder: Path, direction: str) -> Any:
    model = library().FastAlignModel()
    if not model.load(str(folder / direction)):
        raise _broken(folder, f"the files of the direction {direction} cannot be loaded by this sil-thot")
    return model


def _broken(folder: Path, why: str) -> InputError:
    return InputError(f"{folder}: the aligner cannot be used: {why}; train it again, or copy the folder again")


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


@contextmanager
def _system_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or error
        raise InputError(f"{path}: {reason}; check the folder and its permissions") from error
