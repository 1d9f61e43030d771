"""The modules cache of ``evaluate``: where it is, and which copies of the metric stand in it.

``evaluate.load("dibimt")`` that finds neither a folder nor a Space of this name takes the copy here whose script was
modified last. Each copy is a folder with a name of 64 characters. The places are worked out without importing
``evaluate``, which takes seconds where torch is installed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from .repositories import StagedFile

SCRIPT_FILE = "dibimt.py"
"""The main script of a copy."""
PACKAGE_FILE = "__init__.py"
"""Makes a folder importable; ``evaluate`` writes an empty one into each."""
MARKER = "dibimt-install.json"
"""Names the files that ``dibimt hub install`` wrote. A copy without it is someone else's, mostly ``evaluate``'s own."""
FORMAT = "dibimt-install/1"
"""Says what the marker is, and in which form."""

_HASH_LENGTH = 64
_PLACE = ("evaluate_modules", "metrics", "evaluate-metric--dibimt")


def modules_cache() -> Path:
    """The folder that ``evaluate`` imports modules from, by the same rules.

    ``HF_MODULES_CACHE`` as it stands, else ``modules`` in ``HF_HOME``, else in ``huggingface`` in ``XDG_CACHE_HOME``,
    else in ``~/.cache``. A variable that is set but empty counts, and means the working directory.
    """
    xdg = os.environ.get("XDG_CACHE_HOME", "~/.cache")
    # Not Path.expanduser: it fails for an unknown user, where `evaluate` makes a folder with a tilde in its name.
    home = os.path.expanduser(os.environ.get("HF_HOME", str(Path(xdg, "huggingface"))))  # noqa: PTH111
    return Path(os.environ.get("HF_MODULES_CACHE", Path(home, "modules"))).absolute()


def packages(cache: Path) -> tuple[Path, ...]:
    """The folders that have to be packages, from the cache itself to that of the metric, which is the last."""
    return (cache, *(cache.joinpath(*_PLACE[: depth + 1]) for depth in range(len(_PLACE))))


@dataclass(frozen=True, slots=True)
class ModuleCopy:
    """A folder that ``evaluate`` takes for a copy of the metric.

    Attributes:
        path: of the folder.
        ours: whether ``dibimt hub install`` made it.
        version: of the tools that made it; empty: not ours, or unknown.
        files: that were written, by the marker; empty: not ours, or unknown.
        modified: time of its script, in seconds since 1970; ``None``: there is no script. ``evaluate`` then gives up
            on the whole name, whatever stands beside it.
    """

    path: Path
    ours: bool
    version: str
    files: tuple[StagedFile, ...]
    modified: float | None


def copies(folder: Path) -> tuple[ModuleCopy, ...]:
    """All copies in the metric's folder, in the order of their names; none where there is no such folder."""
    return tuple(_copy(path) for path in _entries(folder) if len(path.name) == _HASH_LENGTH)


def _entries(folder: Path) -> Iterator[Path]:
    return iter(sorted(folder.iterdir()) if folder.is_dir() else ())


def _copy(path: Path) -> ModuleCopy:
    version, files = read_marker(path)
    return ModuleCopy(path, (path / MARKER).exists(), version, files, _modified(path / SCRIPT_FILE))


def _modified(script: Path) -> float | None:
    try:
        return script.stat().st_mtime
    except OSError:  # also where the "copy" is a file
        return None


def marker_text(version: str, files: tuple[StagedFile, ...]) -> str:
    """The marker of a copy, in JSON."""
    named = [{"path": file.path, "size": file.size, "sha256": file.sha256} for file in files]
    return json.dumps({"format": FORMAT, "version": version, "files": named}, indent=1) + "\n"


def read_marker(folder: Path) -> tuple[str, tuple[StagedFile, ...]]:
    """Version and files that a copy's marker names; nothing where there is none or it cannot be understood."""
    try:
        found = json.loads((folder / MARKER).read_text(encoding="utf-8"))
        if not isinstance(found, Mapping) or found["format"] != FORMAT:
            return "", ()
        files = (StagedFile(each["path"], each["size"], each["sha256"]) for each in found["files"])
        # A name with folders in it is none that was written here: following it would delete elsewhere.
        return str(found["version"]), tuple(file for file in files if Path(file.path).name == file.path)
    except (OSError, ValueError, KeyError, TypeError):
        return "", ()
