"""Remove from the modules cache of evaluate what 'dibimt hub install' put there, and nothing else.

  dibimt hub uninstall

Copies that evaluate made itself stay, and so do files that someone put into the folder of ours. Empty package files of
the folders above, which evaluate and datasets share, stay too.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..output import emit, to_json

if TYPE_CHECKING:
    from .install import Uninstalled


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``dibimt hub uninstall``."""
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Uninstall, and report what was removed."""
    from .install import uninstall

    done = uninstall()
    emit(to_json(_record(done)) if args.json else "\n".join(_text(done)))
    return 0


def _record(done: Uninstalled) -> dict[str, Any]:
    return {
        "folder": str(done.folder),
        "removed": [{"path": str(copy.path), "version": copy.version or None} for copy in done.removed],
        "left": [str(path) for path in done.left],
        "others": [str(path) for path in done.others],
    }


def _text(done: Uninstalled) -> Iterator[str]:
    if not done.removed:
        yield f"nothing to remove in {done.folder}"
    for copy in done.removed:
        yield f"removed: version {copy.version or '(unknown)'}, {copy.path}"
    for path in done.left:
        yield f"left, because it holds files of someone else: {path}"
    for path in done.others:
        yield f"not made by 'dibimt hub install', unchanged: {path}"
