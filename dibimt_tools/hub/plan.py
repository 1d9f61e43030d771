"""What publishing will do: the staged files compared with what stands on the Hub. Pure functions of both.

A file is the same if the Hub names the same content: the id that git gives it, or its SHA-256 where it is in large file
storage. Only differences are written.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from dibimt_metric.errors import InputError

from .repositories import MAIN, Branch, Repository, Stage, StagedFile

KEPT = frozenset({".gitattributes"})
"""Files that the Hub makes itself and that stay, whatever is staged."""

Oids = Mapping[str, str]
"""SHA-256 of a content -> the id that git gives it."""


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """A file on the Hub.

    Attributes:
        path: in the repository.
        oid: that git gives it; of the pointer where it is in large file storage.
        sha256: of the content where it is in large file storage, else ``None``.
    """

    path: str
    oid: str
    sha256: str | None = None


@dataclass(frozen=True, slots=True)
class RemoteBranch:
    """A branch on the Hub, at a commit."""

    commit: str
    files: tuple[RemoteFile, ...]


@dataclass(frozen=True, slots=True)
class RemoteRepository:
    """A repository on the Hub.

    Attributes:
        private: whether only those see it who have a right to.
        branches: the staged ones that exist, by name.
        start: its first commit, where a staged branch is missing; that branch will start there.
        tagged: the commit that the wanted tag names; ``None``: there is no such tag.
    """

    private: bool
    branches: Mapping[str, RemoteBranch]
    start: RemoteBranch | None = None
    tagged: str | None = None


class Tag(str, Enum):
    """What happens to the tag of a repository."""

    NONE = "none"
    MAKE = "make"
    STANDS = "stands"


class Action(str, Enum):
    """What is done on the Hub, one request or a few that belong together."""

    CREATE = "create"
    BRANCH = "branch"
    COMMIT = "commit"
    TAG = "tag"


@dataclass(frozen=True, slots=True)
class BranchPlan:
    """One branch; all files by their paths, in order.

    Attributes:
        name: of the branch.
        commit: at which it stands; ``None``: it has to be made.
        added: staged, and not on the Hub.
        changed: other on the Hub.
        unchanged: the same on the Hub.
        strays: on the Hub, and not staged; they stay.
        deleted: on the Hub, and not staged; they go.
    """

    name: str
    commit: str | None
    added: tuple[str, ...]
    changed: tuple[str, ...]
    unchanged: tuple[str, ...]
    strays: tuple[str, ...]
    deleted: tuple[str, ...]

    @property
    def differs(self) -> bool:
        """Whether a commit is needed."""
        return bool(self.added or self.changed or self.deleted)


@dataclass(frozen=True, slots=True)
class RepositoryPlan:
    """One repository.

    Attributes:
        repository: as staged.
        id: on the Hub, ``namespace/name``.
        exists: whether it is there.
        private: whether it is private, or will be made so.
        private_wanted: what was asked for; an existing repository stays as it is.
        branches: ``main`` first.
        tag: what happens to the tag.
    """

    repository: Repository
    id: str
    exists: bool
    private: bool
    private_wanted: bool
    branches: tuple[BranchPlan, ...]
    tag: Tag

    @property
    def label(self) -> str:
        """As in its address: ``spaces/user/dibimt``."""
        return f"{self.repository.type.value}s/{self.id}"

    def branch(self, name: str) -> BranchPlan:
        """The plan of a branch.

        Raises:
            KeyError: it is not staged.
        """
        return {branch.name: branch for branch in self.branches}[name]


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do."""

    action: Action
    plan: RepositoryPlan
    branch: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """All that publishing will do.

    Attributes:
        namespace: user or organization on the Hub.
        tag: of all repositories; empty: none.
        repositories: in the order of the stage.
    """

    namespace: str
    tag: str
    repositories: tuple[RepositoryPlan, ...]

    @property
    def steps(self) -> tuple[Step, ...]:
        """In the order in which they are done: tags last, when everything stands that they name."""
        written = [step for repository in self.repositories for step in _steps(repository)]
        tagged = [Step(Action.TAG, each) for each in self.repositories if each.tag is Tag.MAKE]
        return (*written, *tagged)


def _steps(plan: RepositoryPlan) -> Iterable[Step]:
    if not plan.exists:
        yield Step(Action.CREATE, plan)
    for branch in plan.branches:
        if branch.commit is None and branch.name != MAIN:
            yield Step(Action.BRANCH, plan, branch.name)
        if branch.differs:
            yield Step(Action.COMMIT, plan, branch.name)


def git_oids(stage: Stage) -> dict[str, str]:
    """The ids that git gives the staged contents, by their SHA-256."""
    oids: dict[str, str] = {}
    for repository in stage.repositories:
        for branch in repository.branches:
            for file in branch.files:
                if file.sha256 not in oids:
                    oids[file.sha256] = git_oid(stage.path(repository, branch.name, file).read_bytes())
    return oids


def git_oid(content: bytes) -> str:
    """The id that git gives a file of this content.

    >>> git_oid(b"")
    'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'
    """
    # Not for security: it is the name by which git, and so the Hub, knows the content.
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def compare(
    branch: Branch, remote: RemoteBranch | None, oids: Oids, prune: bool, exists: bool = True
) -> BranchPlan:
    """What a branch needs.

    Args:
        branch: as staged.
        remote: as it stands on the Hub, or at the commit where it will start; ``None``: nothing does.
        oids: of the staged contents.
        prune: whether files that are not staged are deleted.
        exists: whether the branch is there.
    """
    there = {file.path: file for file in remote.files} if remote else {}
    staged = {file.path: file for file in branch.files}
    known = [path for path in staged if path in there]
    same = {path for path in known if _is_same(staged[path], there[path], oids)}
    strays = tuple(sorted(there.keys() - staged.keys() - KEPT))
    return BranchPlan(
        name=branch.name,
        commit=remote.commit if remote and exists else None,
        added=tuple(path for path in staged if path not in there),
        changed=tuple(path for path in known if path not in same),
        unchanged=tuple(path for path in known if path in same),
        strays=() if prune else strays,
        deleted=strays if prune else (),
    )


def _is_same(staged: StagedFile, there: RemoteFile, oids: Oids) -> bool:
    if there.sha256 is not None:
        return there.sha256 == staged.sha256
    return there.oid == oids[staged.sha256]


def make_plan(
    repositories: Iterable[tuple[Repository, RemoteRepository | None]],
    oids: Oids,
    namespace: str,
    private: bool = False,
    tag: str = "",
    prune: bool = False,
) -> Plan:
    """The plan.

    Args:
        repositories: each as staged, and as it stands on the Hub; ``None``: it does not.
        oids: see `git_oids`.
        namespace: on the Hub.
        private: whether new repositories are private.
        tag: to be put on ``main`` of each repository; empty: none.
        prune: whether files that are not staged are deleted.

    Raises:
        InputError: the tag exists, and names something else; or what should be private is public.
    """
    plans = []
    clashes = []
    for repository, remote in repositories:
        branches = tuple(_branch_plan(branch, remote, oids, prune) for branch in repository.branches)
        state, clash = _tag(branches, remote, tag)
        plan = RepositoryPlan(
            repository=repository,
            id=f"{namespace}/{repository.name}",
            exists=remote is not None,
            private=private if remote is None else remote.private,
            private_wanted=private,
            branches=branches,
            tag=state,
        )
        plans.append(plan)
        if clash:
            clashes.append(f"{plan.label} ({clash})")
    if public := [plan.label for plan in plans if private and not plan.private]:
        # What is written there would be shown to all, and one who asked for private would believe that it is.
        raise InputError(
            f"--private: {', '.join(public)} exists and is public; make it private in its settings on the Hub, or"
            " leave out --private (nothing was written)"
        )
    if clashes:
        raise InputError(
            f"tag {tag}: exists and names something else in {'; '.join(clashes)}; choose another tag"
            " (nothing was written)"
        )
    return Plan(namespace, tag, tuple(plans))


def _branch_plan(branch: Branch, remote: RemoteRepository | None, oids: Oids, prune: bool) -> BranchPlan:
    if remote is None:
        return compare(branch, None, oids, prune)
    there = remote.branches.get(branch.name)
    return compare(branch, there or remote.start, oids, prune, exists=there is not None)


def _tag(branches: tuple[BranchPlan, ...], remote: RemoteRepository | None, tag: str) -> tuple[Tag, str]:
    """What happens to the tag, and why it cannot be put, if so."""
    if not tag:
        return Tag.NONE, ""
    if remote is None or remote.tagged is None:
        return Tag.MAKE, ""
    main = next(branch for branch in branches if branch.name == MAIN)
    if main.differs:
        return Tag.NONE, f"commit {remote.tagged[:8]}, and main has changes to be written"
    if main.commit != remote.tagged:
        return Tag.NONE, f"commit {remote.tagged[:8]}, main is at {str(main.commit)[:8]}"
    return Tag.STANDS, ""
