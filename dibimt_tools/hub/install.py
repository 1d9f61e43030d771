"""Puts the metric into the modules cache of ``evaluate``, and removes it again.

``evaluate.load("dibimt")`` that finds neither a folder nor a Space of this name takes the copy there whose script was
modified last. Each copy is a folder with a name of 64 characters. Installing and removing work under the lock that
``evaluate`` itself takes before it writes there, and a copy appears whole or not at all. What lacks our marker is never
changed or deleted. The cache is found without importing ``evaluate``, which takes seconds where torch is installed.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from enum import Enum
from pathlib import Path

from filelock import FileLock, Timeout

from dibimt_common.files import new_folder, write_file
from dibimt_metric.errors import InputError
from dibimt_metric.version import VERSION

from .contents import METRIC_MODULES, PACKAGES, SCRIPT_FILE, bundled_files, read_parts
from .hub_names import PLACEHOLDER
from .repositories import StagedFile, staged_file

PACKAGE_FILE = "__init__.py"
"""Makes a folder importable; ``evaluate`` writes an empty one into each."""
MARKER = "dibimt-install.json"
"""Names the files that ``dibimt hub install`` wrote. A copy without it is someone else's, mostly ``evaluate``'s own."""
FORMAT = "dibimt-install/1"
"""Of the marker."""

_HASH_LENGTH = 64
_PLACE = ("evaluate_modules", "metrics", "evaluate-metric--dibimt")
LOCK_TIMEOUT = 60.0
"""Seconds to wait for another process that works on the metric's folder."""

# Not 64 characters long, or `evaluate` would take them for copies.
_GONE, _LEFT = ".gone-", "left-"
# Of `new_folder` and `write_file`.
_UNFINISHED_COPY, _UNFINISHED_FILE = f".{'[0-9a-f]' * 64}-*", "*/.dibimt-*.tmp"
_COMPILED = "__pycache__"


def modules_cache() -> Path:
    """The folder that ``evaluate`` imports modules from, by the same rules.

    ``HF_MODULES_CACHE`` without expansion, else ``modules`` in ``HF_HOME``, else in ``huggingface`` in
    ``XDG_CACHE_HOME``, else in ``~/.cache``. A variable that is set but empty counts, and means the working directory.
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
        ours: whether ``dibimt hub install`` made it.
        version: of the tools that made it; empty: not ours, or unknown.
        modified: time of its script, in seconds since 1970; ``None``: it has no script. ``evaluate`` then gives up on
            the whole name, whatever other copies there are.
    """

    path: Path
    ours: bool
    version: str
    modified: float | None


def copies(folder: Path) -> tuple[ModuleCopy, ...]:
    """All copies in the metric's folder, in the order of their names; none if the folder does not exist."""
    paths = sorted(folder.iterdir()) if folder.is_dir() else []
    return tuple(
        ModuleCopy(path, (path / MARKER).exists(), read_marker(path)[0], _modified(path / SCRIPT_FILE))
        for path in paths
        if len(path.name) == _HASH_LENGTH
    )


def _modified(script: Path) -> float | None:
    try:
        return script.stat().st_mtime
    except OSError:  # also where the "copy" is a file
        return None


def marker_text(version: str, files: tuple[StagedFile, ...]) -> str:
    """The marker of a copy, in JSON."""
    found = {"format": FORMAT, "version": version, "files": [asdict(file) for file in files]}
    return json.dumps(found, indent=1) + "\n"


def read_marker(folder: Path) -> tuple[str, tuple[StagedFile, ...]]:
    """Version and files that a copy's marker names; both empty if it is missing or cannot be understood."""
    try:
        found = json.loads((folder / MARKER).read_text(encoding="utf-8"))
        if not isinstance(found, Mapping) or found["format"] != FORMAT:
            return "", ()
        files = (StagedFile(each["path"], each["size"], each["sha256"]) for each in found["files"])
        # A name with folders in it was not written here: following it would delete elsewhere.
        return str(found["version"]), tuple(file for file in files if Path(file.path).name == file.path)
    except (OSError, ValueError, KeyError, TypeError):
        return "", ()


class Action(str, Enum):
    """What ``install`` had to do."""

    INSTALLED = "installed"
    REPLACED = "replaced"
    MENDED = "mended"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class Installed:
    """What ``install`` did and found.

    Attributes:
        files: number of files of the metric in it.
        mended: those that were missing or changed.
        removed: copies that an earlier ``install`` made, as they were.
        left: what remains of these: folders with files of someone else.
        others: copies that ``install`` did not make; this one is newer.
        blocking: such copies without a script, which keep ``evaluate`` from loading any.
    """

    action: Action
    path: Path
    version: str
    files: int
    mended: tuple[str, ...]
    removed: tuple[ModuleCopy, ...]
    left: tuple[Path, ...]
    others: tuple[Path, ...]
    blocking: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class Uninstalled:
    """What ``uninstall`` did and found: the metric's folder, and the rest as in `Installed`."""

    folder: Path
    removed: tuple[ModuleCopy, ...]
    left: tuple[Path, ...]
    others: tuple[Path, ...]


def install() -> Installed:
    """Make ``evaluate.load("dibimt")`` find the metric without the Hub.

    Raises:
        InputError: the cache cannot be written, or another process keeps it locked.
    """
    modules = _modules()
    contents = _with_marker(modules)
    with _locked() as folder:
        target = folder / _content_hash(modules)
        _clear_interrupted(folder)
        before = copies(folder)
        here = any(copy.path == target for copy in before)
        mended = _mend(target, contents) if here else ()
        if not here:
            with new_folder(target) as made:
                for name, content in contents.items():
                    (made / name).write_bytes(content)
        others = [copy for copy in before if not copy.ours and copy.path != target]
        _make_newest(target / SCRIPT_FILE, others)
        older = tuple(copy for copy in before if copy.ours and copy.path != target)
        left = _remove_all(older)
    return Installed(
        action=_action(here, bool(mended), bool(older)),
        path=target,
        version=VERSION,
        files=len(modules),
        mended=mended,
        removed=older,
        left=left,
        others=tuple(copy.path for copy in others if copy.modified is not None),
        blocking=tuple(copy.path for copy in others if copy.modified is None),
    )


def uninstall() -> Uninstalled:
    """Remove what ``install`` put into the modules cache.

    The metric's folder goes too if it holds nothing else. The empty ``__init__.py`` of the folders above and the lock
    stay: ``evaluate`` and ``datasets`` make and use the same ones.

    Raises:
        InputError: the cache cannot be written, or another process keeps it locked.
    """
    folder = packages(modules_cache())[-1]
    if not folder.is_dir():
        return Uninstalled(folder, (), (), ())
    with _locked():
        before = copies(folder)
        ours = tuple(copy for copy in before if copy.ours)
        left = (*_clear_interrupted(folder), *_remove_all(ours))
        bare = {path.name for path in folder.iterdir()} <= {PACKAGE_FILE, _COMPILED}
        if bare and not (folder / PACKAGE_FILE).read_bytes():
            shutil.rmtree(folder)
    return Uninstalled(folder, ours, left, tuple(copy.path for copy in before if not copy.ours))


def _modules() -> dict[str, bytes]:
    """The files that ``evaluate`` would copy from the Space, by name: the main script and the siblings it names."""
    return bundled_files(read_parts(METRIC_MODULES, PLACEHOLDER, PACKAGES, None))


def _with_marker(modules: Mapping[str, bytes]) -> dict[str, bytes]:
    """All files of a copy; the marker is the last one."""
    files = tuple(staged_file(name, content) for name, content in modules.items())
    return {PACKAGE_FILE: b"", **modules, MARKER: marker_text(VERSION, files).encode("utf-8")}


def _content_hash(modules: Mapping[str, bytes]) -> str:
    """64 hexadecimal digits that change with any name or content."""
    lines = (f"{staged_file(name, content).sha256} {name}\n" for name, content in modules.items())
    return hashlib.sha256("".join(lines).encode("utf-8")).hexdigest()


@contextmanager
def _locked() -> Iterator[Path]:
    """The metric's folder, made if it is missing; no other process writes it meanwhile."""
    *above, folder = packages(modules_cache())
    try:
        for package in above:
            _make_package(package)
        # The same lock as that of `evaluate`.
        with FileLock(f"{folder}.lock", timeout=LOCK_TIMEOUT):
            _make_package(folder)
            yield folder
    except Timeout as error:
        raise InputError(
            f"{folder}: another process has been working there for {LOCK_TIMEOUT:.0f} seconds; wait for it and try "
            "again"
        ) from error
    except OSError as error:
        spot = next((place for place in (folder, *folder.parents) if place.exists()), folder)
        why = f"{spot} is a file" if spot.is_file() else error.strerror or str(error)
        raise InputError(
            f"{error.filename or folder}: cannot be written ({why}); set HF_MODULES_CACHE or HF_HOME to a folder that "
            "you may write, here and where the metric is loaded"
        ) from error


def _make_package(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / PACKAGE_FILE).exists():
        (folder / PACKAGE_FILE).touch()


def _action(here: bool, mended: bool, older: bool) -> Action:
    if here:
        return Action.MENDED if mended else Action.UNCHANGED
    return Action.REPLACED if older else Action.INSTALLED


def _mend(target: Path, contents: Mapping[str, bytes]) -> tuple[str, ...]:
    """Write again what is missing or changed, file by file, so that the copy is never less than it was."""
    wrong = [name for name, content in contents.items() if not _holds(target / name, content)]
    for name in wrong:
        write_file(target / name, contents[name])
    if wrong:
        # Python knows a compiled file by size and second of its source, and both may be those of the damaged one.
        shutil.rmtree(target / _COMPILED, ignore_errors=True)
    return tuple(sorted(wrong))


def _holds(path: Path, content: bytes) -> bool:
    try:
        return path.read_bytes() == content
    except FileNotFoundError:
        return False


def _make_newest(script: Path, others: list[ModuleCopy]) -> None:
    """Let `evaluate`, which takes the copy modified last, take this one."""
    newest = max((copy.modified for copy in others if copy.modified is not None), default=0.0)
    if script.stat().st_mtime <= newest:
        os.utime(script, (newest + 1, newest + 1))


def _remove_all(ours: tuple[ModuleCopy, ...]) -> tuple[Path, ...]:
    """Remove copies; returns the folders that are left because they hold someone else's files."""
    left = []
    for copy in ours:
        # First of all out of the sight of `evaluate`, in one step.
        aside = copy.path.with_name(_GONE + secrets.token_hex(8))
        copy.path.rename(aside)
        left += _clear(aside)
    return tuple(left)


def _clear(aside: Path) -> list[Path]:
    """Remove what `install` wrote; last the marker, which names it."""
    if (aside / MARKER).exists():
        _, files = read_marker(aside)
        # A marker that cannot be read still shows that the modules are ours.
        names = [file.path for file in files] or [path.name for path in aside.glob("*.py")]
        for name in (*names, PACKAGE_FILE):
            (aside / name).unlink(missing_ok=True)
        shutil.rmtree(aside / _COMPILED, ignore_errors=True)
        (aside / MARKER).unlink()
    if not any(aside.iterdir()):
        aside.rmdir()
        return []
    return [aside.rename(aside.with_name(aside.name.replace(_GONE, _LEFT, 1)))]


def _clear_interrupted(folder: Path) -> tuple[Path, ...]:
    """Remove what killed processes left behind; under the lock nobody else is at work."""
    for unfinished in folder.glob(_UNFINISHED_COPY):
        shutil.rmtree(unfinished)
    for unfinished in folder.glob(_UNFINISHED_FILE):
        unfinished.unlink()
    return tuple(left for aside in sorted(folder.glob(f"{_GONE}*")) for left in _clear(aside))
