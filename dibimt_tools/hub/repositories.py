"""What is staged: repositories with their branches and files, as they will stand on the Hub.

A staged folder holds one folder for each branch, ``<type>s/<name>/`` for ``main`` and ``<type>s@<branch>/<name>/`` for
another, so that each can be loaded as it lies there, and ``manifest.json``, which names every file with its size and
SHA-256. `staging` writes it, `publish` and `install` read it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import Path

MAIN = "main"
"""The branch that everybody loads when none is named."""
SCRIPT = "script"
"""The branch of a data set that holds its loading script alone, for ``datasets`` 2.x and 3.x."""


class RepositoryType(str, Enum):
    """Kinds of repositories, as the Hub names them."""

    SPACE = "space"
    DATASET = "dataset"


@dataclass(frozen=True, slots=True)
class StagedFile:
    """One file of a branch.

    Attributes:
        path: in the repository, with ``/`` between folders.
        size: in bytes.
        sha256: of the content, 64 hexadecimal digits.
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
    """One repository.

    Attributes:
        type: a Space, or a data set.
        name: without the namespace, such as ``dibimt``.
        branches: ``main`` first.
    """

    type: RepositoryType
    name: str
    branches: tuple[Branch, ...]

    def folder(self, branch: str) -> Path:
        """Where a branch lies in the staged folder, relative to it.

        >>> Repository(RepositoryType.DATASET, "dibimt", ()).folder("script").as_posix()
        'datasets@script/dibimt'
        """
        return Path(f"{self.type.value}s" if branch == MAIN else f"{self.type.value}s@{branch}", self.name)


@dataclass(frozen=True, slots=True)
class Stage:
    """A staged folder.

    Attributes:
        folder: where it lies.
        namespace: user or organization whose name stands in the examples of the cards.
        version: of the tools that staged it.
        repositories: Spaces first, then data sets, each in the order of their names.
    """

    folder: Path
    namespace: str
    version: str
    repositories: tuple[Repository, ...]

    def path(self, repository: Repository, branch: str, file: StagedFile | str = "") -> Path:
        """Where a branch of a repository, or a file of it, lies."""
        name = file if isinstance(file, str) else file.path
        return self.folder / repository.folder(branch) / name
