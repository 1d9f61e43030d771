"""What the user asks to be published, and whether that is possible, before the Hub is asked to change anything."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from dibimt_metric.errors import InputError, shown

from .contents import BLIMP
from .hub_names import check_namespace
from .repositories import Repository, Stage

LONGEST_ID = 96
"""Characters of ``namespace/name`` that the Hub allows."""
_TAG = re.compile(r"(?!.*\.\.)(?!.*\.lock$)[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9_-])?", re.ASCII)
_COMMIT = re.compile(r"[0-9a-f]{40}")


@dataclass(frozen=True, slots=True)
class Choices:
    """What the user asks for.

    Attributes:
        only: names of repositories, ``dibimt`` or ``spaces/dibimt``; empty: all that are staged.
        private: whether new repositories are private.
        tag: for ``main`` of each; ``None``: none.
        prune: whether files on the Hub that are not staged are deleted.
    """

    namespace: str
    only: tuple[str, ...] = ()
    private: bool = False
    tag: str | None = None
    prune: bool = False


@dataclass(frozen=True, slots=True)
class Account:
    """Owner of the token: the user's name and organizations, and whether the token cannot write."""

    name: str
    organizations: tuple[str, ...]
    reads_only: bool


def check_choices(choices: Choices) -> None:
    """Raise `InputError` unless the Hub can have these names."""
    check_namespace(choices.namespace)
    tag = choices.tag
    if tag is not None and (not _TAG.fullmatch(tag) or _COMMIT.fullmatch(tag)):
        raise InputError(
            f"tag {shown(tag)}: expected letters, digits, '.', '_' and '-', as in v1.2; at most 64, no '..', no '.' at "
            "either end, and nothing that looks like the id of a commit"
        )


def select(stage: Stage, choices: Choices) -> Stage:
    """The stage, with the chosen repositories only."""
    if stage.namespace != choices.namespace:
        raise InputError(
            f"{stage.folder}: is staged for the namespace {shown(stage.namespace)}, which its cards and examples name; "
            f"stage it with --namespace {choices.namespace}, or omit --staged"
        )
    names = {name for each in stage.repositories for name in _names(each)}
    if unknown := [name for name in choices.only if name not in names]:
        staged = ", ".join(f"{each.type.value}s/{each.name}" for each in stage.repositories)
        blimp = "; BLiMP is staged with --blimp DIR" if unknown[0] in (BLIMP, f"datasets/{BLIMP}") else ""
        raise InputError(f"--only {unknown[0]}: no such repository is staged; there are: {staged}{blimp}")
    chosen = [each for each in stage.repositories if not choices.only or _names(each) & set(choices.only)]
    for each in chosen:
        _check_repository(each, choices)
    return replace(stage, repositories=tuple(chosen))


def _names(repository: Repository) -> set[str]:
    return {repository.name, f"{repository.type.value}s/{repository.name}"}


def _check_repository(repository: Repository, choices: Choices) -> None:
    id = f"{choices.namespace}/{repository.name}"
    if len(id) > LONGEST_ID:
        raise InputError(f"{id}: has {len(id)} characters; the Hub allows {LONGEST_ID}")
    if choices.tag in {branch.name for branch in repository.branches}:
        raise InputError(f"tag {choices.tag}: {id} has a branch of that name; choose another tag")


def check_account(account: Account, namespace: str) -> None:
    """Raise `InputError` unless the account may write there, as far as the Hub says."""
    if namespace not in (account.name, *account.organizations):
        member = f", a member of {', '.join(account.organizations)}" if account.organizations else ""
        raise InputError(
            f"namespace {shown(namespace)}: the token belongs to {account.name}{member}; choose one of these "
            "namespaces, or log in with another token ('hf auth login' or HF_TOKEN)"
        )
    if account.reads_only:
        raise InputError(
            f"the token of {account.name} can only read; make one with the right to write, and log in with "
            "'hf auth login' or set HF_TOKEN"
        )
