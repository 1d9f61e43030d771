"""A staged folder: repositories with branches and files, as they will be on the Hub, and the manifest that names them.

Each branch has a folder, ``<type>s/<name>/`` for ``main`` and ``<type>s@<branch>/<name>/`` for another, from which it
can be loaded. ``manifest.json`` names every file with its size and SHA-256, and no time and no path of this machine:
equal stages have equal manifests.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from dibimt_metric.errors import InputError, shown

MAIN = "main"
"""The branch that is loaded if no revision is named."""
SCRIPT = "script"
"""The branch of a data set that holds only its loading script, for ``datasets`` 2.x and 3.x."""
MANIFEST = "manifest.json"
FORMAT = "dibimt-stage/1"
"""Of the manifest."""
AGAIN = "stage again with 'dibimt hub stage'"


class RepositoryType(str, Enum):
    """Kinds of repositories, as the Hub names them."""

    SPACE = "space"
    DATASET = "dataset"


@dataclass(frozen=True, slots=True)
class StagedFile:
    """One file of a branch.

    ``path`` is that in the repository, ``size`` is in bytes, ``sha256`` in 64 hexadecimal digits.
    """

    path: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Branch:
    """All files of one branch, in the order of their paths."""

    name: str
    files: tuple[StagedFile, ...]


@dataclass(frozen=True, slots=True)
class Repository:
    """One repository; its name lacks the namespace (``dibimt``), its branches begin with ``main``."""

    type: RepositoryType
    name: str
    branches: tuple[Branch, ...]

    def folder(self, branch: str) -> Path:
        """The folder of a branch, relative to the staged folder.

        >>> Repository(RepositoryType.DATASET, "dibimt", ()).folder("script").as_posix()
        'datasets@script/dibimt'
        """
        return Path(f"{self.type.value}s" if branch == MAIN else f"{self.type.value}s@{branch}", self.name)


@dataclass(frozen=True, slots=True)
class Stage:
    """A staged folder.

    Attributes:
        namespace: user or organization that the examples of the cards name.
        version: of the tools that staged it.
        repositories: Spaces first, then data sets, each in the order of their names.
    """

    folder: Path
    namespace: str
    version: str
    repositories: tuple[Repository, ...]

    def path(self, repository: Repository, branch: str, file: str = "") -> Path:
        """The path of a branch, or of a file in it."""
        return self.folder / repository.folder(branch) / file

    def files(self) -> dict[str, StagedFile]:
        """All files by their path in the staged folder."""
        return {
            (repository.folder(branch.name) / file.path).as_posix(): file
            for repository in self.repositories
            for branch in repository.branches
            for file in branch.files
        }


def staged_file(path: str, content: bytes) -> StagedFile:
    """The record of a file.

    >>> staged_file("a.txt", b"abc").sha256[:8]
    'ba7816bf'
    """
    return StagedFile(path, len(content), hashlib.sha256(content).hexdigest())


def manifest_text(stage: Stage) -> str:
    """The manifest as JSON."""
    found = {
        "format": FORMAT,
        "version": stage.version,
        "namespace": stage.namespace,
        "repositories": [asdict(repository) for repository in stage.repositories],
    }
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def read_manifest(folder: Path) -> Stage:
    """The stage that a folder's manifest describes; the files are not looked at."""
    path = folder / MANIFEST
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(found, Mapping) or found.get("format") != FORMAT:
            raise InputError(f"{path}: is not a manifest of format {FORMAT!r}; {AGAIN}")
        return _stage(folder, found)
    except InputError:  # which is a ValueError too
        raise
    except (FileNotFoundError, NotADirectoryError) as error:
        raise InputError(f"{folder}: has no {MANIFEST}; name a folder that 'dibimt hub stage' wrote") from error
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}); check the file") from error
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise InputError(f"{path}: is broken ({type(error).__name__}: {error}); {AGAIN}") from error


def _stage(folder: Path, found: Mapping[str, Any]) -> Stage:
    repositories = tuple(
        Repository(RepositoryType(each["type"]), _name(each["name"]), tuple(map(_branch, each["branches"])))
        for each in found["repositories"]
    )
    return Stage(folder, str(found["namespace"]), str(found["version"]), repositories)


def _branch(found: Mapping[str, Any]) -> Branch:
    files = (StagedFile(_path(each["path"]), int(each["size"]), str(each["sha256"])) for each in found["files"])
    return Branch(_name(found["name"]), tuple(files))


def _name(name: str) -> str:
    if "/" in _path(name):
        raise ValueError(f"{shown(name)} is not a valid name")
    return name


def _path(path: str) -> str:
    """A path that stays in its folder: a manifest may come from anywhere."""
    if set("\\:\0") & set(path) or any(part in ("", ".", "..") for part in path.split("/")):
        raise ValueError(f"{shown(path)} is not a valid path in a repository")
    return path


def read_stage(folder: Path) -> Stage:
    """A staged folder, every file of which is as the manifest states."""
    stage = read_manifest(folder)
    files, present = stage.files(), set(_paths_in(folder))
    faults = [f"{path} is missing" for path in files if path not in present]
    faults += [f"{path} is extra" for path in extra_files(stage)]
    faults += [
        f"{path} is changed" for path, file in files.items() if path in present and not _is_same(folder / path, file)
    ]
    if faults:
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        raise InputError(f"{folder}: {faults[0]}{more}; {AGAIN}, or correct it")
    return stage


def extra_files(stage: Stage) -> tuple[str, ...]:
    """Files in the folder that the manifest does not name, in the order of their paths.

    ``__pycache__`` is ignored: Python makes it when the page of a staged Space is tried, and it is never published.
    """
    return tuple(sorted(set(_paths_in(stage.folder)) - stage.files().keys() - {MANIFEST}))


def _is_same(path: Path, file: StagedFile) -> bool:
    try:
        return path.stat().st_size == file.size and staged_file(file.path, path.read_bytes()) == file
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}); check the file") from error


def _paths_in(folder: Path) -> Iterator[str]:
    """All files and links in a folder at any depth, hidden ones too, as paths relative to it."""
    for place, folders, files in os.walk(folder):
        links = [name for name in folders if (Path(place) / name).is_symlink()]
        folders[:] = [name for name in folders if name != "__pycache__"]
        for name in (*files, *links):
            yield (Path(place) / name).relative_to(folder).as_posix()
