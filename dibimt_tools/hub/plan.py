"""The plan of publishing: the staged files compared with those on the Hub. Pure functions of both.

A file is the same if its content has the id that the Hub names. Only differences are written.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from dibimt_metric.errors import InputError

from .publish_choices import Choices
from .repositories import MAIN, Branch, Repository, RepositoryType, Stage

KEPT = frozenset({".gitattributes"})
"""Files that the Hub makes itself and that stay, whatever is staged."""

Oids = Mapping[str, str]
"""SHA-256 of a content -> the id that git gives it."""


@dataclass(frozen=True, slots=True)
class Address:
    """A repository on the Hub: its type, and its name with the namespace (``user/dibimt``)."""

    type: RepositoryType
    id: str

    def __str__(self) -> str:
        return f"{self.type.value}s/{self.id}"


@dataclass(frozen=True, slots=True)
class RemoteBranch:
    """A branch on the Hub.

    Attributes:
        files: path -> id of the content: SHA-256 in large file storage, else the id that git gives it.
    """

    commit: str
    files: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class RemoteRepository:
    """A repository on the Hub.

    Attributes:
        private: whether it needs a right to be seen.
        branches: the staged ones that exist, by name.
        start: its first commit, if a staged branch is missing; that branch will start there.
        tagged: the commit that the wanted tag names; ``None``: the tag does not exist.
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
        commit: its last one; ``None``: the branch has to be made.
        added: staged, and not on the Hub.
        changed: different on the Hub.
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
    def differing(self) -> tuple[str, ...]:
        """The files that a commit has to write or delete."""
        return (*self.added, *self.changed, *self.deleted)


@dataclass(frozen=True, slots=True)
class RepositoryPlan:
    """One repository.

    Attributes:
        private: whether it is private, or will be made so.
        private_wanted: what was asked for; an existing repository stays as it is.
    """

    repository: Repository
    address: Address
    exists: bool
    private: bool
    private_wanted: bool
    branches: tuple[BranchPlan, ...]
    tag: Tag


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do."""

    action: Action
    plan: RepositoryPlan
    branch: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """All that publishing will do; ``tag`` may be empty."""

    namespace: str
    tag: str
    repositories: tuple[RepositoryPlan, ...]

    @property
    def steps(self) -> tuple[Step, ...]:
        """In their order: tags last, when everything is written that they name."""
        written = [step for repository in self.repositories for step in _steps(repository)]
        tagged = [Step(Action.TAG, each) for each in self.repositories if each.tag is Tag.MAKE]
        return (*written, *tagged)


def _steps(plan: RepositoryPlan) -> Iterable[Step]:
    if not plan.exists:
        yield Step(Action.CREATE, plan)
    for branch in plan.branches:
        if branch.commit is None and branch.name != MAIN:
            yield Step(Action.BRANCH, plan, branch.name)
        if branch.differing:
            yield Step(Action.COMMIT, plan, branch.name)


def git_oids(stage: Stage) -> dict[str, str]:
    """The ids that git gives the staged contents, by their SHA-256."""
    contents = {file.sha256: stage.folder / path for path, file in stage.files().items()}
    return {sha256: git_oid(path.read_bytes()) for sha256, path in contents.items()}


def git_oid(content: bytes) -> str:
    """The id that git gives a file of this content.

    >>> git_oid(b"")
    'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'
    """
    # Not for security: it is the name by which git, and so the Hub, knows the content.
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def compare(branch: Branch, remote: RemoteBranch | None, oids: Oids, prune: bool, exists: bool = True) -> BranchPlan:
    """What a branch needs.

    ``remote`` is the branch on the Hub, or the commit where it will start if it does not exist (``exists``); ``None``:
    neither exists. With ``prune``, files that are not staged are deleted.
    """
    there = remote.files if remote else {}
    ids = {file.path: (file.sha256, oids[file.sha256]) for file in branch.files}
    strays = tuple(sorted(there.keys() - ids.keys() - KEPT))
    return BranchPlan(
        name=branch.name,
        commit=remote.commit if remote and exists else None,
        added=tuple(path for path in ids if path not in there),
        changed=tuple(path for path in ids if path in there and there[path] not in ids[path]),
        unchanged=tuple(path for path in ids if path in there and there[path] in ids[path]),
        strays=() if prune else strays,
        deleted=strays if prune else (),
    )


def make_plan(repositories: Iterable[tuple[Repository, RemoteRepository | None]], oids: Oids, choices: Choices) -> Plan:
    """The plan.

    Each repository is given as staged and as it is on the Hub; ``None``: it does not exist.
    """
    private, tag = choices.private, choices.tag or ""
    plans, clashes = [], []
    for repository, remote in repositories:
        address = Address(repository.type, f"{choices.namespace}/{repository.name}")
        branches = tuple(_branch_plan(branch, remote, oids, choices.prune) for branch in repository.branches)
        state, clash = _tag(branches, remote, tag)
        visible = private if remote is None else remote.private
        plans.append(RepositoryPlan(repository, address, remote is not None, visible, private, branches, state))
        clashes += [f"{address} ({clash})"] if clash else []
    if public := [str(plan.address) for plan in plans if private and not plan.private]:
        # What is written there would be shown to all, although the user asked for private.
        raise InputError(
            f"--private: {', '.join(public)} exists and is public; make it private in its settings on the Hub, or"
            " omit --private (nothing was written)"
        )
    if clashes:
        raise InputError(
            f"tag {tag}: exists and names something else in {'; '.join(clashes)}; choose another tag"
            " (nothing was written)"
        )
    return Plan(choices.namespace, tag, tuple(plans))


def _branch_plan(branch: Branch, remote: RemoteRepository | None, oids: Oids, prune: bool) -> BranchPlan:
    if remote is None:
        return compare(branch, None, oids, prune)
    there = remote.branches.get(branch.name)
    return compare(branch, there or remote.start, oids, prune, exists=there is not None)


def _tag(branches: tuple[BranchPlan, ...], remote: RemoteRepository | None, tag: str) -> tuple[Tag, str]:
    """What happens to the tag; and why it cannot be put, or an empty text."""
    if not tag:
        return Tag.NONE, ""
    if remote is None or remote.tagged is None:
        return Tag.MAKE, ""
    main = next(branch for branch in branches if branch.name == MAIN)
    if main.differing:
        return Tag.NONE, f"commit {remote.tagged[:8]}, and main has changes to be written"
    if main.commit != remote.tagged:
        return Tag.NONE, f"commit {remote.tagged[:8]}, main is at {str(main.commit)[:8]}"
    return Tag.STANDS, ""
