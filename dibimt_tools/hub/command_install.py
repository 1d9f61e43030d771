"""Put the metric into the modules cache of evaluate, so that the bare name loads it without the Hub.

  dibimt hub install
  HF_EVALUATE_OFFLINE=1 python -c 'import evaluate; evaluate.load("dibimt", "de")'

The place is that of evaluate: HF_MODULES_CACHE, or modules/ in HF_HOME, by default ~/.cache/huggingface/modules. Run
again, the command verifies every file, mends what is missing or damaged, and replaces the copy of an older version.
Copies that it did not make are never changed; its own is made the newest, which is the one that loads.

Exit codes: 0 installed; 1 a folder of someone else keeps evaluate from loading any copy; 2 the cache cannot be written.
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
    """Install, and report where, and what would be loaded instead."""
    from .install import install

    done = install()
    script = Path.cwd() / "dibimt" / "dibimt.py"
    folder_here = str(script) if script.is_file() else None
    emit(to_json(_record(done, folder_here)) if args.json else "\n".join(_text(done, folder_here)))
    return 1 if done.blocking else 0


def _record(done: Installed, folder_here: str | None) -> dict[str, Any]:
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
        "shadowed_by": folder_here,
        "load": _LINE,
    }


def _text(done: Installed, folder_here: str | None) -> Iterator[str]:
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
        yield "evaluate cannot load it from here, because it expects dibimt.py in each of these too:"
        yield from (f"  {path}" for path in done.blocking)
        yield "This command did not make them and does not remove them. Delete or move them, then load."
        return
    yield "Load it, with the same HF_HOME, HF_MODULES_CACHE and XDG_CACHE_HOME as for this command:"
    yield f"  {_LINE}"
    yield "evaluate looks for it in this order:"
    found = f"found: {folder_here}" if folder_here else "not found here"
    yield f"  1. dibimt/dibimt.py in the working directory ({found})"
    yield "  2. the Space evaluate-metric/dibimt on the Hub; HF_EVALUATE_OFFLINE=1 skips it, saving a second or two"
    yield "  3. this copy"
