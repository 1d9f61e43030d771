"""Puts the metric into the modules cache of ``evaluate`` and takes it out again: ``install`` and ``uninstall``.

A copy appears whole: it is written into a folder beside its place and renamed. Both work under the lock that
``evaluate`` itself takes before it writes there. What bears no marker of ours is never changed or deleted.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from filelock import FileLock, Timeout

from dibimt_metric.errors import InputError
from dibimt_metric.version import VERSION

from .bundled_files import travelling
from .contents import CONTENTS, PACKAGES, entries
from .hub_names import PLACEHOLDER
from .manifest import staged_file
from .modules_cache import (
    MARKER,
    PACKAGE_FILE,
    SCRIPT_FILE,
    ModuleCopy,
    copies,
    marker_text,
    modules_cache,
    packages,
    read_marker,
)
from .repositories import RepositoryType, StagedFile

LOCK_TIMEOUT = 60.0
"""Seconds to wait for another process that works on the metric's folder."""

# Not 64 characters long, or `evaluate` would take them for copies.
_NEW, _GONE, _LEFT = ".new-", ".gone-", "left-"
_COMPILED = "__pycache__"


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
        action: what had to be done.
        path: the copy.
        version: of the metric.
        files: number of files of the metric in it.
        mended: those that were missing or not as they were written.
        removed: copies that an earlier ``install`` made, as they were.
        left: folders with files of someone else that stood in those.
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
    """What ``uninstall`` did and found.

    Attributes:
        folder: of the metric in the modules cache.
        removed: the copies that ``install`` had made, as they were.
        left: folders with files of someone else that stood in those.
        others: copies that ``install`` did not make.
    """

    folder: Path
    removed: tuple[ModuleCopy, ...]
    left: tuple[Path, ...]
    others: tuple[Path, ...]


def install() -> Installed:
    """Make ``evaluate.load("dibimt")`` find the metric without the Hub.

    Raises:
        InputError: the cache cannot be written, or another process works in it for more than a minute.
    """
    contents = _contents()
    files = tuple(staged_file(name, content) for name, content in contents.items())
    with _locked() as folder:
        target = folder / _content_hash(files)
        _clear_interrupted(folder)
        before = copies(folder)
        here = any(copy.path == target for copy in before)
        mended = _mend(target, contents, files) if here else ()
        if not here:
            _write(target, contents, files)
        others = tuple(copy for copy in before if not copy.ours and copy.path != target)
        _make_newest(target / SCRIPT_FILE, others)
        older = tuple(copy for copy in before if copy.ours and copy.path != target)
        left = _remove_all(older)
    return Installed(
        action=_action(here, mended, older),
        path=target,
        version=VERSION,
        files=len(files),
        mended=mended,
        removed=older,
        left=left,
        others=tuple(copy.path for copy in others if copy.modified is not None),
        blocking=tuple(copy.path for copy in others if copy.modified is None),
    )


def uninstall() -> Uninstalled:
    """Remove what ``install`` put into the modules cache.

    The metric's folder goes too where nothing else stands in it. The empty ``__init__.py`` of the folders above and
    the lock stay: ``evaluate`` and ``datasets`` make and use the same ones.

    Raises:
        InputError: the cache cannot be written, or another process works in it for more than a minute.
    """
    folder = packages(modules_cache())[-1]
    if not folder.is_dir():
        return Uninstalled(folder, (), (), ())
    with _locked():
        before = copies(folder)
        ours = tuple(copy for copy in before if copy.ours)
        left = (*_clear_interrupted(folder), *_remove_all(ours))
        _drop_if_bare(folder)
    return Uninstalled(folder, ours, left, tuple(copy.path for copy in before if not copy.ours))


def _contents() -> dict[str, bytes]:
    """The files that ``evaluate`` would copy from the Space, by name: the main script and the siblings it names."""
    space = next(each for each in CONTENTS if each.type is RepositoryType.SPACE)
    scripts = tuple(part for part in space.parts if part.pattern.endswith(".py"))
    found = entries(replace(space, parts=scripts), PACKAGES / space.package)
    return travelling({entry.path: entry.read(PLACEHOLDER) for entry in found}, SCRIPT_FILE)


def _content_hash(files: tuple[StagedFile, ...]) -> str:
    """64 hexadecimal digits that change with any name or content."""
    lines = "".join(f"{file.sha256} {file.path}\n" for file in files)
    return hashlib.sha256(lines.encode("utf-8")).hexdigest()


@contextmanager
def _locked() -> Iterator[Path]:
    """The metric's folder, which is made where it is missing, and which no other process writes meanwhile."""
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
        raise InputError(_refused(folder, error)) from error


def _refused(folder: Path, error: OSError) -> str:
    spot = next((place for place in (folder, *folder.parents) if place.exists()), folder)
    why = f"{spot} is a file" if spot.is_file() else error.strerror or str(error)
    return (
        f"{error.filename or folder}: cannot be written ({why}); let HF_MODULES_CACHE or HF_HOME name a folder that "
        "you may write, here and where the metric is loaded"
    )


def _make_package(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / PACKAGE_FILE).exists():
        (folder / PACKAGE_FILE).touch()


def _action(here: bool, mended: tuple[str, ...], older: tuple[ModuleCopy, ...]) -> Action:
    if here:
        return Action.MENDED if mended else Action.UNCHANGED
    return Action.REPLACED if older else Action.INSTALLED


def _all_contents(contents: Mapping[str, bytes], files: tuple[StagedFile, ...]) -> dict[str, bytes]:
    """The files of a copy; the marker is the last one."""
    return {PACKAGE_FILE: b"", **contents, MARKER: marker_text(VERSION, files).encode("utf-8")}


def _write(target: Path, contents: Mapping[str, bytes], files: tuple[StagedFile, ...]) -> None:
    """A new copy: all of it, or nothing that `evaluate` would look at."""
    made = target.with_name(_NEW + secrets.token_hex(8))
    try:
        made.mkdir()
        for name, content in _all_contents(contents, files).items():
            (made / name).write_bytes(content)
        made.rename(target)
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _mend(target: Path, contents: Mapping[str, bytes], files: tuple[StagedFile, ...]) -> tuple[str, ...]:
    """Write again what is missing or changed, file by file, so that the copy is never less than it was."""
    wrong = {
        name: content
        for name, content in _all_contents(contents, files).items()
        if _read(target / name) != content
    }
    for name, content in wrong.items():
        temporary = target / (_NEW + secrets.token_hex(8))
        try:
            temporary.write_bytes(content)
            temporary.replace(target / name)
        finally:
            temporary.unlink(missing_ok=True)
    if wrong:
        # Python knows a compiled file by size and second of its source, and both may be those of the damaged one.
        shutil.rmtree(target / _COMPILED, ignore_errors=True)
    return tuple(sorted(wrong))


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _make_newest(script: Path, others: tuple[ModuleCopy, ...]) -> None:
    """See that `evaluate`, which takes the copy modified last, takes this one."""
    newest = max((copy.modified for copy in others if copy.modified is not None), default=0.0)
    if script.stat().st_mtime <= newest:
        os.utime(script, (newest + 1, newest + 1))


def _remove_all(ours: tuple[ModuleCopy, ...]) -> tuple[Path, ...]:
    """Remove copies; returns the folders that are left because someone else's files stand in them."""
    left = []
    for copy in ours:
        # First of all out of the sight of `evaluate`, in one step.
        aside = copy.path.with_name(_GONE + secrets.token_hex(8))
        copy.path.rename(aside)
        left += _clear(aside)
    return tuple(left)


def _clear(aside: Path) -> list[Path]:
    """Remove what `install` wrote; the marker, which says what that is, at last."""
    if (aside / MARKER).exists():
        _, files = read_marker(aside)
        # A marker that cannot be read still says that the modules are ours.
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
    """Remove what processes left behind that were killed; under the lock nobody else is at work."""
    for unfinished in folder.glob(f"{_NEW}*"):
        shutil.rmtree(unfinished)
    for unfinished in folder.glob(f"*/{_NEW}*"):
        unfinished.unlink()
    return tuple(left for aside in sorted(folder.glob(f"{_GONE}*")) for left in _clear(aside))


def _drop_if_bare(folder: Path) -> None:
    """Remove the metric's folder where only what makes it a package is in it."""
    bare = {path.name for path in folder.iterdir()} <= {PACKAGE_FILE, _COMPILED}
    if bare and not (folder / PACKAGE_FILE).read_bytes():
        shutil.rmtree(folder)
