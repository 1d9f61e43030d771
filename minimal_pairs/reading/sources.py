"""Sources of pairs: a file, the files of a folder, the entries of a zip."""

from __future__ import annotations

import os
import zipfile
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath

from dibimt_metric.errors import InputError, shown

CONVERTED = "conversion.json"
"""The file that marks a folder as written by `convert`; the pairs as published are next to it in `PUBLISHED`."""
PUBLISHED = "data"
CORRECTED = "corrected"

_UTF16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class Source:
    """A file of pairs that can be read.

    Attributes:
        name: the path, or ``archive.zip: entry``, for messages.
        path: within the folder or zip; for a single file its name with its folder.
        read: returns its bytes.
    """

    name: str
    path: PurePosixPath
    read: Callable[[], bytes]


def list_sources(path: str | os.PathLike[str]) -> tuple[Source, ...]:
    """All files of a path, in the order of their names; hidden ones are omitted.

    For a folder (or zip) that `convert` wrote, only the pairs as published are listed; name its subfolder ``corrected``
    for the corrected ones.

    Raises:
        InputError: the path does not exist, cannot be read, or contains no file.
    """
    place = Path(path)
    try:
        if place.is_dir():
            found = _folder(place)
        elif zipfile.is_zipfile(_regular(place)) or place.suffix.lower() == ".zip":
            found = _archive(place)
        else:
            return (_file(place),)
    except InputError:  # which is a ValueError too
        raise
    except (OSError, ValueError, zipfile.BadZipFile) as error:  # ValueError: a null character in the name
        raise InputError(f"{place}: cannot be read ({_reason(error)}); check the path") from error
    if not found:
        raise InputError(f"{place}: contains no file; name a file of pairs, or a folder or zip of such files")
    return tuple(_published(found))


def decode(data: bytes, name: str) -> str:
    """Text of a file, without its byte order mark."""
    if data.startswith(_UTF16):
        raise InputError(f"{name}: is UTF-16; convert the file to UTF-8")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise InputError(f"{name}, line {line}: not UTF-8 ({error.reason}); convert the file to UTF-8") from error


def _reason(error: Exception) -> object:
    return getattr(error, "strerror", None) or error


def _regular(place: Path) -> Path:
    """A path that can be opened: a pipe would wait for its writer."""
    if not place.exists():
        raise InputError(f"{place}: no such file or folder; check the path")
    if not place.is_file():
        raise InputError(f"{place}: is not a regular file; save it first")
    return place


def _file(place: Path) -> Source:
    path = PurePosixPath(place.resolve().parent.name, place.name)
    return Source(str(place), path, partial(_read_file, place))


def _folder(place: Path) -> list[Source]:
    paths = sorted(path.relative_to(place).as_posix() for path in place.rglob("*") if path.is_file())
    return [
        Source(str(place / path), PurePosixPath(path), partial(_read_file, place / path))
        for path in paths
        if not _hidden(path)
    ]


def _archive(place: Path) -> list[Source]:
    with zipfile.ZipFile(place) as archive:
        paths = sorted(entry.filename for entry in archive.infolist() if not entry.is_dir())
    return [
        Source(f"{place}: {path}", PurePosixPath(path), partial(_read_entry, place, path))
        for path in paths
        if not _hidden(path)
    ]


def _hidden(path: str) -> bool:
    return any(part.startswith(".") or part == "__MACOSX" for part in PurePosixPath(path).parts)


def _published(sources: Sequence[Source]) -> list[Source]:
    """Without the corrected pairs of a converted folder, which would repeat the others."""
    roots = [source.path.parent for source in sources if source.path.name == CONVERTED]
    if not roots:
        return list(sources)
    return [source for source in sources if any(root / PUBLISHED in source.path.parents for root in roots)]


def _read_file(place: Path) -> bytes:
    try:
        return place.read_bytes()
    except OSError as error:
        raise InputError(f"{place}: cannot be read ({_reason(error)}); check the file") from error


def _read_entry(place: Path, entry: str) -> bytes:
    try:
        with zipfile.ZipFile(place) as archive:
            return archive.read(entry)
    # RuntimeError: encrypted. NotImplementedError: unsupported compression. KeyError: changed since it was listed.
    except (OSError, zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError, KeyError) as error:
        raise InputError(
            f"{place}: entry {shown(entry)} cannot be read ({_reason(error)}); unpack the archive with another "
            "program and name the folder, or copy the archive again"
        ) from error
