"""The Hub as publishing sees it: a few questions and a few changes, made with ``huggingface_hub``.

Nothing here decides or tries again; every failure is a `HubError`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from dibimt_metric.errors import InputError, MissingLibraryError, shown

from .hub_errors import LOGIN, HubError, failures, redact, translate
from .plan import RemoteBranch, RemoteFile, RemoteRepository
from .repositories import MAIN, Repository, RepositoryType

if TYPE_CHECKING:
    from huggingface_hub import HfApi
    from huggingface_hub.hf_api import GitRefs

SPACE_SDK = "gradio"


@dataclass(frozen=True, slots=True)
class Account:
    """To whom the token belongs.

    Attributes:
        name: of the user.
        organizations: of which the user is a member.
        reads_only: whether the token is one that cannot write.
    """

    name: str
    organizations: tuple[str, ...]
    reads_only: bool


def connect() -> HubClient:
    """The Hub that ``HF_ENDPOINT`` names (else huggingface.co), with the token of ``HF_TOKEN`` or of the login.

    Raises:
        InputError: there is no token, or the address is none.
        MissingLibraryError: ``huggingface_hub`` is not installed.
    """
    try:
        from huggingface_hub import constants, get_token
    except ImportError as error:
        raise MissingLibraryError(
            "publishing needs huggingface_hub; install it with: pip install 'huggingface-hub>=0.24'"
        ) from error
    endpoint = (os.environ.get("HF_ENDPOINT") or constants.ENDPOINT).rstrip("/")
    parts = urlsplit(endpoint)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InputError(
            f"HF_ENDPOINT: {shown(redact(endpoint))} is no address; expected one like https://huggingface.co"
        )
    token = get_token()
    if not token:
        raise InputError(f"no token for {redact(endpoint)}: {LOGIN}")
    return HubClient(endpoint, token)


class HubClient:
    """The Hub.

    Attributes:
        endpoint: its address, without a password.
        token: never to be shown.
    """

    def __init__(self, endpoint: str, token: str) -> None:
        from huggingface_hub import HfApi

        self._api: HfApi = HfApi(endpoint=endpoint, token=token, library_name="dibimt")
        self.endpoint, self.token = redact(endpoint, token), token

    def url(self, kind: RepositoryType, id: str) -> str:
        """The page of a repository."""
        return f"{self.endpoint}/{kind.value}s/{id}"

    @contextmanager
    def _doing(self, what: str) -> Iterator[None]:
        try:
            yield
        except failures() as error:
            raise translate(error, what, self.token) from error

    # Questions

    def account(self) -> Account:
        """To whom the token belongs."""
        with self._doing(f"ask {self.endpoint} for the account"):
            found = self._api.whoami()
        role = ((found.get("auth") or {}).get("accessToken") or {}).get("role")
        names = tuple(str(each.get("name")) for each in found.get("orgs") or ())
        return Account(str(found.get("name")), names, role == "read")

    def repository(self, staged: Repository, id: str, tag: str) -> RemoteRepository | None:
        """What stands there of a staged repository; ``None``: there is no repository."""
        kind = staged.type.value
        with self._doing(f"read {kind}s/{id}"):
            try:
                private = bool(self._api.repo_info(id, repo_type=kind).private)
            except failures() as error:
                if _is_missing(translate(error, "", self.token)):
                    return None
                raise
            refs = self._api.list_repo_refs(id, repo_type=kind)
            heads = {branch.name: branch.target_commit for branch in refs.branches}
            names = [branch.name for branch in staged.branches]
            missing = any(name not in heads for name in names)
            return RemoteRepository(
                private=private,
                branches={name: self._tree(kind, id, heads[name]) for name in names if name in heads},
                start=self._tree(kind, id, self._first(kind, id)) if missing else None,
                tagged=self._tagged(kind, id, tag, refs) if tag else None,
            )

    def branch(self, kind: RepositoryType, id: str, name: str) -> RemoteBranch:
        """A branch as it stands now."""
        with self._doing(f"read {name} of {kind.value}s/{id}"):
            refs = self._api.list_repo_refs(id, repo_type=kind.value)
            heads = [branch.target_commit for branch in refs.branches if branch.name == name]
            if not heads:
                raise HubError(f"read {name} of {kind.value}s/{id}: the branch is gone", 404)
            return self._tree(kind.value, id, heads[0])

    def is_private(self, kind: RepositoryType, id: str) -> bool:
        """Whether a repository is private."""
        with self._doing(f"read {kind.value}s/{id}"):
            return bool(self._api.repo_info(id, repo_type=kind.value).private)

    def tagged(self, kind: RepositoryType, id: str, tag: str) -> str | None:
        """The commit that a tag names; ``None``: there is no such tag."""
        with self._doing(f"read tag {tag} of {kind.value}s/{id}"):
            return self._tagged(kind.value, id, tag, self._api.list_repo_refs(id, repo_type=kind.value))

    def _first(self, kind: str, id: str) -> str:
        """The first commit of ``main``: the Hub's own, with nothing but the files that it makes itself."""
        return self._api.list_repo_commits(id, repo_type=kind, revision=MAIN)[-1].commit_id

    def _tree(self, kind: str, id: str, commit: str) -> RemoteBranch:
        """All files at a commit; by the commit's id, because what a name means may change meanwhile."""
        from huggingface_hub.hf_api import RepoFile

        entries = self._api.list_repo_tree(id, recursive=True, revision=commit, repo_type=kind)
        files = (
            RemoteFile(entry.path, entry.blob_id, entry.lfs.sha256 if entry.lfs else None)
            for entry in entries
            if isinstance(entry, RepoFile)
        )
        return RemoteBranch(commit, tuple(sorted(files, key=lambda file: file.path)))

    def _tagged(self, kind: str, id: str, tag: str, refs: GitRefs) -> str | None:
        if tag not in (each.name for each in refs.tags):
            return None
        # Not the tag's own target, which for an annotated tag is the tag itself.
        return self._api.repo_info(id, repo_type=kind, revision=tag).sha

    # Changes

    def create(self, kind: RepositoryType, id: str, private: bool) -> None:
        """Make a repository; one that is there already is left as it is."""
        sdk = SPACE_SDK if kind is RepositoryType.SPACE else None
        with self._doing(f"create {kind.value}s/{id}"):
            self._api.create_repo(id, repo_type=kind.value, private=private, space_sdk=sdk, exist_ok=True)

    def create_branch(self, kind: RepositoryType, id: str, name: str) -> None:
        """Make a branch at the first commit, so that it holds nothing of ``main``."""
        with self._doing(f"make branch {name} of {kind.value}s/{id}"):
            start = self._first(kind.value, id)
            self._api.create_branch(id, branch=name, revision=start, repo_type=kind.value, exist_ok=True)

    def commit(
        self,
        kind: RepositoryType,
        id: str,
        branch: str,
        parent: str,
        additions: dict[str, Path],
        deletions: tuple[str, ...],
        message: str,
    ) -> None:
        """Write files to a branch in one commit, all or none.

        Args:
            kind: of the repository.
            id: of the repository.
            branch: to be written to.
            parent: the commit at which it stands; the Hub refuses if it stands elsewhere.
            additions: places of the files here, by their paths there.
            deletions: paths there.
            message: of the commit.
        """
        from huggingface_hub import CommitOperationAdd, CommitOperationDelete

        with self._doing(f"write {branch} of {kind.value}s/{id}"):
            self._api.create_commit(
                id,
                [
                    *(CommitOperationAdd(path, str(place)) for path, place in additions.items()),
                    *(CommitOperationDelete(path) for path in deletions),
                ],
                commit_message=message,
                repo_type=kind.value,
                revision=branch,
                parent_commit=parent,
            )

    def create_tag(self, kind: RepositoryType, id: str, tag: str, commit: str) -> None:
        """Put a tag on a commit; one that is there already is left as it is."""
        with self._doing(f"tag {kind.value}s/{id}"):
            self._api.create_tag(id, tag=tag, revision=commit, repo_type=kind.value, exist_ok=True)


def _is_missing(error: HubError) -> bool:
    """Whether the Hub says that there is no such repository."""
    return error.status == 404 and error.code in ("RepoNotFound", "")
