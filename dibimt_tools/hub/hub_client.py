"""The Hub as publishing sees it: a few questions and a few changes, made with ``huggingface_hub``.

Nothing here decides or retries; every failure is a `HubError`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from dibimt_metric.errors import InputError, MissingLibraryError, shown

from .hub_errors import LOGIN, HubError, failures, redact, translate
from .plan import Address, RemoteBranch, RemoteRepository
from .publish_choices import Account
from .repositories import MAIN, RepositoryType

if TYPE_CHECKING:
    from huggingface_hub import HfApi
    from huggingface_hub.hf_api import GitRefs


def connect() -> HubClient:
    """The Hub that ``HF_ENDPOINT`` names (else huggingface.co), with the token of ``HF_TOKEN`` or of the login.

    Raises:
        InputError: there is no token, or the address is not valid.
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
            f"HF_ENDPOINT: {shown(redact(endpoint))} is not a valid address; expected one like https://huggingface.co"
        )
    token = get_token()
    if not token:
        raise InputError(f"no token for {redact(endpoint)}: {LOGIN}")
    return HubClient(endpoint, token)


class HubClient:
    """The Hub; ``endpoint`` is its address without a password, ``token`` is never to be shown."""

    def __init__(self, endpoint: str, token: str) -> None:
        from huggingface_hub import HfApi

        self._api: HfApi = HfApi(endpoint=endpoint, token=token, library_name="dibimt")
        self.endpoint, self.token = redact(endpoint, token), token

    @contextmanager
    def _doing(self, what: str) -> Iterator[None]:
        try:
            yield
        except failures() as error:
            raise translate(error, what, self.token) from error

    # Questions

    def account(self) -> Account:
        """The owner of the token."""
        with self._doing(f"ask {self.endpoint} for the account"):
            found = self._api.whoami()
        role = ((found.get("auth") or {}).get("accessToken") or {}).get("role")
        names = tuple(str(each.get("name")) for each in found.get("orgs") or ())
        return Account(str(found.get("name")), names, role == "read")

    def repository(self, address: Address, names: Sequence[str], tag: str) -> RemoteRepository | None:
        """A repository, its branches of these names, and its tag; ``None``: it does not exist."""
        try:
            private = self.is_private(address)
        except HubError as error:
            if error.status == 404 and error.code in ("RepoNotFound", ""):
                return None
            raise
        with self._doing(f"read {address}"):
            refs = self._refs(address)
            heads = {branch.name: branch.target_commit for branch in refs.branches}
            complete = all(name in heads for name in names)
            return RemoteRepository(
                private=private,
                branches={name: self._tree(address, heads[name]) for name in names if name in heads},
                start=None if complete else self._tree(address, self._first(address)),
                tagged=self._tagged(address, tag, refs),
            )

    def branch(self, address: Address, name: str) -> RemoteBranch:
        """A branch as it is now."""
        with self._doing(f"read {name} of {address}"):
            heads = [each.target_commit for each in self._refs(address).branches if each.name == name]
            if not heads:
                raise HubError(f"read {name} of {address}: the branch is gone", 404)
            return self._tree(address, heads[0])

    def is_private(self, address: Address) -> bool:
        """Whether a repository is private."""
        with self._doing(f"read {address}"):
            return bool(self._api.repo_info(**_named(address)).private)

    def tagged(self, address: Address, tag: str) -> str | None:
        """The commit that a tag names; ``None``: the tag does not exist."""
        with self._doing(f"read tag {tag} of {address}"):
            return self._tagged(address, tag, self._refs(address))

    def _refs(self, address: Address) -> GitRefs:
        return self._api.list_repo_refs(**_named(address))

    def _first(self, address: Address) -> str:
        """The first commit of ``main``: the Hub's own, with only the files that it makes itself."""
        return self._api.list_repo_commits(**_named(address), revision=MAIN)[-1].commit_id

    def _tree(self, address: Address, commit: str) -> RemoteBranch:
        """All files at a commit; by the commit's id, because the branch may move meanwhile."""
        from huggingface_hub.hf_api import RepoFile

        entries = self._api.list_repo_tree(**_named(address), recursive=True, revision=commit)
        files = [entry for entry in entries if isinstance(entry, RepoFile)]
        ids = {file.path: file.lfs.sha256 if file.lfs else file.blob_id for file in files}
        return RemoteBranch(commit, ids)

    def _tagged(self, address: Address, tag: str, refs: GitRefs) -> str | None:
        if tag not in (each.name for each in refs.tags):
            return None
        # Not the tag's own target, which for an annotated tag is the tag itself.
        return self._api.repo_info(**_named(address), revision=tag).sha

    # Changes

    def create(self, address: Address, private: bool) -> None:
        """Make a repository; an existing one is left as it is."""
        sdk = "gradio" if address.type is RepositoryType.SPACE else None
        with self._doing(f"create {address}"):
            self._api.create_repo(**_named(address), private=private, space_sdk=sdk, exist_ok=True)

    def create_branch(self, address: Address, name: str) -> None:
        """Make a branch at the first commit, so that it holds nothing of ``main``."""
        with self._doing(f"make branch {name} of {address}"):
            start = self._first(address)
            self._api.create_branch(**_named(address), branch=name, revision=start, exist_ok=True)

    def commit(
        self,
        address: Address,
        branch: str,
        parent: str,
        additions: Mapping[str, Path],
        deletions: Iterable[str],
        message: str,
    ) -> None:
        """Write files (path -> file here) to a branch and delete others, in one commit on top of ``parent``."""
        from huggingface_hub import CommitOperationAdd, CommitOperationDelete

        where = {**_named(address), "revision": branch, "parent_commit": parent}
        with self._doing(f"write {branch} of {address}"):
            written = [CommitOperationAdd(path, str(file)) for path, file in additions.items()]
            deleted = [CommitOperationDelete(path) for path in deletions]
            self._api.create_commit(operations=[*written, *deleted], commit_message=message, **where)

    def create_tag(self, address: Address, tag: str, commit: str) -> None:
        """Put a tag on a commit; an existing tag is left as it is."""
        with self._doing(f"tag {address}"):
            self._api.create_tag(**_named(address), tag=tag, revision=commit, exist_ok=True)


def _named(address: Address) -> dict[str, Any]:
    """The arguments of ``huggingface_hub`` that name a repository."""
    return {"repo_id": address.id, "repo_type": address.type.value}
