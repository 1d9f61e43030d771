"""Build every repository in a folder, as it will be on the Hugging Face Hub. Nothing is sent anywhere.

  dibimt hub stage --out stage
  dibimt hub stage --out stage --namespace NAME --blimp blimp

The Space 'dibimt' is the metric with its page; the data sets are 'dibimt' (open mini set), 'ldd-challenge-sets' (open
sample) and, with --blimp, 'blimp'. Data sets have data and card on the branch main, and only a loading script, for
datasets 2.x and 3.x, on the branch script. The same input gives the same bytes; manifest.json names every file with its
checksum.
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

    from .repositories import Stage


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``dibimt hub stage``."""
    parser.add_argument("--out", required=True, metavar="DIR", help="the new folder")
    named = "user or organization that the examples of the cards name (default: USER)"
    parser.add_argument("--namespace", default="USER", metavar="NAME", help=named)
    parser.add_argument("--blimp", metavar="DIR", help="a folder that 'dibimt blimp convert' wrote")
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_force_option(parser)


def run(args: argparse.Namespace) -> int:
    """Stage, and report what was made and what can be done with it."""
    from .staging import stage

    blimp = None if args.blimp is None else Path(args.blimp)
    staged = stage(Path(args.out), namespace=args.namespace, blimp=blimp, force=args.force)
    emit(to_json(_record(staged)) if args.json else _text(staged, args.blimp))
    return 0


def _record(staged: Stage) -> dict[str, Any]:
    branches = [
        {
            "type": repository.type.value,
            "repository": repository.name,
            "branch": branch.name,
            "folder": str(staged.path(repository, branch.name)),
            "files": len(branch.files),
            "bytes": sum(file.size for file in branch.files),
        }
        for repository in staged.repositories
        for branch in repository.branches
    ]
    stated = {"version": staged.version, "namespace": staged.namespace}
    return {"folder": str(staged.folder), **stated, "branches": branches}


def _text(staged: Stage, blimp: str | None) -> str:
    from dibimt_common.format import aligned

    rows = []
    for each in _record(staged)["branches"]:
        folder = Path(each["folder"]).relative_to(staged.folder).as_posix()
        names = (each["type"], each["repository"], each["branch"])
        rows.append((*names, str(each["files"]), f"{each['bytes']:,}", folder))
    table = aligned(("type", "repository", "branch", "files", "bytes", "folder"), rows, {3, 4})
    title = f"{staged.folder}: repositories of version {staged.version}"
    return "\n".join((title, "", *table, "", *_next(staged, blimp)))


def _next(staged: Stage, blimp: str | None) -> Iterator[str]:
    """What can be done with the stage."""
    from .hub_names import PLACEHOLDER

    if blimp is None:
        yield "BLiMP is omitted; convert it with 'dibimt blimp convert' and name the folder with --blimp."
    if staged.namespace == PLACEHOLDER:
        yield f"Examples name {PLACEHOLDER}/...; stage for publication with --namespace NAME."
        return
    command = ("dibimt", "hub", "publish", "--namespace", staged.namespace, "--staged", str(staged.folder))
    yield f"See what would be published: {join(command)} --dry-run"
