"""``manifest.json`` of a staged folder: every file with size and SHA-256, so that what is published is what was staged.

It names no time and no path of this machine: equal stages have equal manifests.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from dibimt_metric.errors import InputError, shown

from .repositories import Branch, Repository, RepositoryType, Stage, StagedFile

MANIFEST = "manifest.json"
FORMAT = "dibimt-stage/1"
"""Says what the file is, and in which form."""


def staged_file(path: str, content: bytes) -> StagedFile:
    """The record of a file.

    >>> staged_file("a.txt", b"abc").sha256[:8]
    'ba7816bf'
    """
    return StagedFile(path, len(content), hashlib.sha256(content).hexdigest())


def manifest_text(stage: Stage) -> str:
    """As JSON, the same for equal stages."""
    repositories = [asdict(repository) for repository in stage.repositories]
    found = {
        "format": FORMAT,
        "version": stage.version,
        "namespace": stage.namespace,
        "repositories": repositories,
    }
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def read_manifest(folder: Path) -> Stage:
    """The stage that a folder's manifest describes; the files are not looked at.

    Raises:
        InputError: there is none, it cannot be read, or it is none of ours.
    """
    path = folder / MANIFEST
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(found, Mapping) or found.get("format") != FORMAT:
            raise InputError(f"{path}: is no manifest of format {FORMAT!r}; stage anew")
        return _stage(folder, found)
    except InputError:  # which is a ValueError too
        raise
    except (FileNotFoundError, NotADirectoryError) as error:
        raise InputError(
            f"{folder}: holds no {MANIFEST}; name a folder that 'dibimt hub stage' wrote"
        ) from error
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}); check the file") from error
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise InputError(f"{path}: is broken ({type(error).__name__}: {error}); stage anew") from error


def _stage(folder: Path, found: Mapping[str, Any]) -> Stage:
    repositories = tuple(
        Repository(RepositoryType(each["type"]), _name(each["name"]), tuple(map(_branch, each["branches"])))
        for each in found["repositories"]
    )
    return Stage(folder, str(found["namespace"]), str(found["version"]), repositories)


def _branch(found: Mapping[str, Any]) -> Branch:
    files = (
        StagedFile(_path(each["path"]), int(each["size"]), str(each["sha256"])) for each in found["files"]
    )
    return Branch(_name(found["name"]), tuple(files))


def _name(name: str) -> str:
    """The name of a repository or branch, which is one part of a path."""
    if "/" in _path(name):
        raise ValueError(f"{shown(name)} is no name")
    return name


def _path(path: str) -> str:
    """A path that stays in its folder: a manifest may come from anywhere."""
    if set("\\:\0") & set(path) or any(part in ("", ".", "..") for part in path.split("/")):
        raise ValueError(f"{shown(path)} is no path in a repository")
    return path


def verify(stage: Stage) -> None:
    """See that a folder holds what the manifest says, and nothing else.

    Raises:
        InputError: a file is missing, changed or extra; names the first one and says how many more there are.
    """
    files = _files(stage)
    present = set(_lying_in(stage.folder))
    faults = [f"{path} is missing" for path in files if path not in present]
    faults += [f"{path} is extra" for path in strange_files(stage)]
    faults += [
        f"{path} is changed"
        for path, file in files.items()
        if path in present and not _is_same(stage.folder / path, file)
    ]
    if faults:
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        raise InputError(f"{stage.folder}: {faults[0]}{more}; stage anew, or put it right")


def strange_files(stage: Stage) -> tuple[str, ...]:
    """What lies in the folder and is not in the manifest, in the order of the paths.

    ``__pycache__`` is passed over: Python makes it when the page of a staged Space is tried, and nobody publishes it.
    """
    return tuple(sorted(set(_lying_in(stage.folder)) - _files(stage).keys() - {MANIFEST}))


def _files(stage: Stage) -> dict[str, StagedFile]:
    """All files by their path in the staged folder."""
    return {
        (repository.folder(branch.name) / file.path).as_posix(): file
        for repository in stage.repositories
        for branch in repository.branches
        for file in branch.files
    }


def _is_same(path: Path, file: StagedFile) -> bool:
    try:
        return path.stat().st_size == file.size and staged_file(file.path, path.read_bytes()) == file
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}); check the file") from error


def _lying_in(folder: Path) -> Iterator[str]:
    """All files and links in a folder at any depth, hidden ones too, as paths relative to it."""
    for place, folders, files in os.walk(folder):
        links = [name for name in folders if (Path(place) / name).is_symlink()]
        folders[:] = [name for name in folders if name != "__pycache__"]
        for name in (*files, *links):
            yield (Path(place) / name).relative_to(folder).as_posix()
