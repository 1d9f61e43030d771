"""Build every repository in a folder, as it will stand on the Hugging Face Hub. Nothing is sent anywhere.

  dibimt hub stage --out stage
  dibimt hub stage --out stage --namespace NAME --blimp blimp

The Space 'dibimt' is the metric with its page; the data sets are 'dibimt' (open mini set), 'ldd-challenge-sets' (open
sample) and, where a folder converted by 'dibimt blimp convert' is named, 'blimp'. Data sets have data and card on the
branch main and a loading script, for datasets 2.x and 3.x, alone on the branch script. The same input gives the same
bytes; manifest.json names every file with its checksum.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from shlex import join
from typing import TYPE_CHECKING, Any

from ..options import add_force_option
from ..output import emit, to_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .repositories import Branch, Repository, Stage


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``dibimt hub stage``."""
    parser.add_argument("--out", required=True, metavar="DIR", help="folder to be made")
    parser.add_argument(
        "--namespace",
        default="USER",
        metavar="NAME",
        help="user or organization that the examples of the cards name (default: USER)",
    )
    parser.add_argument("--blimp", metavar="DIR", help="a folder that 'dibimt blimp convert' wrote")
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_force_option(parser)


def run(args: argparse.Namespace) -> int:
    """Stage, and say what was made and what can be done with it."""
    from .staging import stage

    blimp = None if args.blimp is None else Path(args.blimp)
    staged = stage(Path(args.out), namespace=args.namespace, blimp=blimp, force=args.force)
    emit(to_json(_record(staged)) if args.json else _text(staged, args.blimp))
    return 0


def _branches(staged: Stage) -> Iterator[tuple[Repository, Branch, int]]:
    """All branches, each with its repository and its size in bytes."""
    for repository in staged.repositories:
        for branch in repository.branches:
            yield repository, branch, sum(file.size for file in branch.files)


def _record(staged: Stage) -> dict[str, Any]:
    branches = [
        {
            "type": repository.type.value,
            "repository": repository.name,
            "branch": branch.name,
            "folder": str(staged.path(repository, branch.name)),
            "files": len(branch.files),
            "bytes": size,
        }
        for repository, branch, size in _branches(staged)
    ]
    return {
        "folder": str(staged.folder),
        "version": staged.version,
        "namespace": staged.namespace,
        "branches": branches,
    }


def _text(staged: Stage, blimp: str | None) -> str:
    from dibimt_metric.judge_explain import aligned

    rows = [
        (
            repository.type.value,
            repository.name,
            branch.name,
            f"{len(branch.files)}",
            f"{size:,}",
            repository.folder(branch.name).as_posix(),
        )
        for repository, branch, size in _branches(staged)
    ]
    table = aligned(("type", "repository", "branch", "files", "bytes", "folder"), rows, {3, 4})
    title = f"{staged.folder}: repositories of version {staged.version}"
    return "\n".join((title, "", *table, "", *_next(staged, blimp)))


def _next(staged: Stage, blimp: str | None) -> Iterator[str]:
    """What can be done with the stage."""
    from .hub_names import PLACEHOLDER

    if blimp is None:
        yield "BLiMP is left out; convert it with 'dibimt blimp convert' and name the folder with --blimp."
    if staged.namespace == PLACEHOLDER:
        yield f"Examples name {PLACEHOLDER}/...; stage for publication with --namespace NAME."
        return
    command = ("dibimt", "hub", "publish", "--namespace", staged.namespace, "--staged", str(staged.folder))
    yield f"See what would be published: {join(command)} --dry-run"
