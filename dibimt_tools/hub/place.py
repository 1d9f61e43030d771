"""Where a stage may be put: in a new or empty folder, or, where that is asked for, in the place of an earlier stage."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from dibimt_metric.errors import InputError

from .manifest import MANIFEST, read_manifest, strange_files


def check_place(out: Path, force: bool, sources: Iterable[Path]) -> None:
    """See that a stage can be put here, before any work.

    Args:
        out: the folder to be made.
        force: whether an earlier stage is replaced.
        sources: folders that are read.

    Raises:
        InputError: something stands there that must not be replaced, or the folder is one that is read or worked in.
    """
    try:
        problem = _problem(out, force, sources)
    except (OSError, RuntimeError, ValueError) as error:  # a link in circles; a null character in the name
        problem = f"cannot be used ({getattr(error, 'strerror', None) or error}); name another folder"
    if problem:
        raise InputError(f"{out}: {problem}")


def _problem(out: Path, force: bool, sources: Iterable[Path]) -> str | None:
    place = out.resolve()
    if place in (Path.cwd(), *Path.cwd().parents):
        # It would be replaced by a new folder of that name, and the shell would stand in none.
        return "is the current folder or one above it; name a folder inside it"
    for source in sources:
        if place == source.resolve() or source.resolve() in place.parents:
            return f"lies in {source}, which is read; name a folder elsewhere"
    if not place.exists():
        above = next(folder for folder in place.parents if folder.exists())
        return None if above.is_dir() else f"cannot be made, because {above} is a file; name another folder"
    if not place.is_dir():
        return "is a file; name a folder"
    return _held(place, force) if any(place.iterdir()) else None


def _held(place: Path, force: bool) -> str | None:
    """Why a folder with something in it cannot be replaced."""
    if not (place / MANIFEST).exists():
        return "holds something else than a stage; name another folder"
    if not force:
        return "holds a stage; name another folder, or replace it with --force"
    try:
        held = read_manifest(place)
    except InputError as error:
        return f"cannot be replaced, because it is not clear what it holds ({error}); name another folder"
    if strange := strange_files(held):
        return (
            f"cannot be replaced, because it holds {strange[0]} too; move that away, or name another folder"
        )
    return None
