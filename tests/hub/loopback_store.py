"""What the loopback Hub remembers: repositories with their commits, branches and tags, all in memory."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote

GITATTRIBUTES = b"*.bin filter=lfs diff=lfs merge=lfs -text\n*.parquet filter=lfs diff=lfs merge=lfs -text\n"
"""The Hub puts a file of this name into the first commit of every repository."""


def blob_oid(content: bytes) -> str:
    """The name that git gives a file of this content."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


@dataclass(frozen=True, slots=True)
class Stored:
    """A file of a commit.

    Attributes:
        content: its bytes, also where git itself has only a pointer.
        lfs: whether it is in large file storage.
    """

    content: bytes
    lfs: bool = False

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()

    @property
    def oid(self) -> str:
        """Of the file in git, which is a pointer where the content is in large file storage."""
        if not self.lfs:
            return blob_oid(self.content)
        lines = (
            "version https://git-lfs.github.com/spec/v1",
            f"oid sha256:{self.sha256}",
            f"size {len(self.content)}",
        )
        return blob_oid("".join(line + "\n" for line in lines).encode())


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit: its title, the files that stand after it, the commit before it."""

    title: str
    files: Mapping[str, Stored]
    parent: str | None

    @property
    def oid(self) -> str:
        """The same for the same content and history, as in git."""
        lines = [self.title, self.parent or "", *(f"{path} {file.oid}" for path, file in self.files.items())]
        return hashlib.sha1("\n".join(lines).encode()).hexdigest()


@dataclass(slots=True)
class HubRepository:
    """A repository on the loopback Hub.

    Attributes:
        type: ``model``, ``dataset`` or ``space``.
        id: ``namespace/name``.
        sdk: of a Space.
        private: whether only its owner sees it.
        commits: by their ids, the oldest first.
        branches: the commit at which each stands.
        tags: the commit to which each points.
    """

    type: str
    id: str
    sdk: str | None = None
    private: bool = False
    commits: dict[str, Commit] = field(default_factory=dict)
    branches: dict[str, str] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        first = {".gitattributes": Stored(GITATTRIBUTES)}
        if self.type == "space":
            first["README.md"] = Stored(f"---\ntitle: {self.id}\nsdk: {self.sdk}\n---\n".encode())
        self.commit("main", first, "initial commit")

    def commit(self, branch: str, files: Mapping[str, Stored], title: str) -> str:
        """Put these files, and no others, on a branch."""
        commit = Commit(title, dict(sorted(files.items())), self.branches.get(branch))
        self.commits[commit.oid] = commit
        self.branches[branch] = commit.oid
        return commit.oid

    def resolve(self, revision: str) -> str | None:
        """The commit that a branch, a tag or an id names; ``None``: there is none."""
        name = unquote(revision)
        for table in (self.branches, self.tags):
            if name in table:
                return table[name]
        return name if name in self.commits else None

    def history(self, revision: str) -> list[str]:
        """The commits of a revision, the newest first."""
        found: list[str] = []
        oid = self.resolve(revision)
        while oid is not None:
            found.append(oid)
            oid = self.commits[oid].parent
        return found

    def stored(self, revision: str = "main") -> Mapping[str, Stored]:
        """The files of a revision that exists."""
        oid = self.resolve(revision)
        if oid is None:
            raise LookupError(f"{self.id} has no revision {revision}")
        return self.commits[oid].files

    def files(self, revision: str = "main") -> dict[str, bytes]:
        """Paths and contents of a revision, for tests: without ``.gitattributes``."""
        stored = self.stored(revision)
        return {path: file.content for path, file in stored.items() if path != ".gitattributes"}
