"""Put the metric into the modules cache of evaluate, so that the bare name loads it without the Hub.

  dibimt hub install
  HF_EVALUATE_OFFLINE=1 python -c 'import evaluate; evaluate.load("dibimt", "de")'

The place is that of evaluate: HF_MODULES_CACHE, or modules/ in HF_HOME, by default ~/.cache/huggingface/modules. Run
again, the command verifies every file, mends what is missing or damaged, and replaces the copy of an older version.
Copies that it did not make are never changed; its own is made the newest, which is the one that loads.

Exit codes: 0 it is there; 1 a folder of someone else keeps evaluate from loading any copy; 2 it cannot be written.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..output import emit, to_json

if TYPE_CHECKING:
    from .install import Installed

_LINE = 'evaluate.load("dibimt", "de")'


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``dibimt hub install``."""
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Install, and say where, and what would be loaded instead."""
    from .install import install

    done = install()
    emit(to_json(_record(done)) if args.json else "\n".join(_text(done)))
    return 1 if done.blocking else 0


def _record(done: Installed) -> dict[str, Any]:
    return {
        "action": done.action.value,
        "path": str(done.path),
        "version": done.version,
        "files": done.files,
        "mended": list(done.mended),
        "removed": [{"path": str(copy.path), "version": copy.version or None} for copy in done.removed],
        "left": [str(path) for path in done.left],
        "others": [str(path) for path in done.others],
        "blocking": [str(path) for path in done.blocking],
        "shadowed_by": _folder_here(),
        "load": _LINE,
    }


def _folder_here() -> str | None:
    """A folder in the working directory that ``evaluate`` would take for the metric."""
    script = Path.cwd() / "dibimt" / "dibimt.py"
    return str(script) if script.is_file() else None


def _text(done: Installed) -> Iterator[str]:
    yield f"dibimt {done.version}, {done.files} files: {done.action.value}"
    yield f"  {done.path}"
    if done.mended:
        yield f"mended: {', '.join(done.mended)}"
    for copy in done.removed:
        yield f"removed: the copy of version {copy.version or '(unknown)'}"
    for path in done.left:
        yield f"left, because it holds files of someone else: {path}"
    for path in done.others:
        yield f"not made by this command, and older than its copy: {path}"
    yield ""
    if done.blocking:
        yield from _blocked(done.blocking)
    else:
        yield from _precedence()


def _blocked(folders: tuple[Path, ...]) -> Iterator[str]:
    yield "evaluate cannot load it from here, because it expects dibimt.py in each of these too:"
    yield from (f"  {path}" for path in folders)
    yield "This command did not make them and does not remove them. Delete or move them, then load."


def _precedence() -> Iterator[str]:
    yield "Load it, with the variables that this command had for HF_HOME, HF_MODULES_CACHE and XDG_CACHE_HOME:"
    yield f"  {_LINE}"
    yield "What evaluate looks for, in this order:"
    here = _folder_here()
    found = f"it is there: {here}" if here else "none in this one"
    yield f"  1. dibimt/dibimt.py in the working directory ({found})"
    yield "  2. the Space evaluate-metric/dibimt on the Hub; HF_EVALUATE_OFFLINE=1 saves asking, a second or two"
    yield "  3. this copy"
