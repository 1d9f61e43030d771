"""Builds the repositories in a folder as they will be on the Hub."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

from dibimt_common.files import new_folder
from dibimt_metric.errors import InputError
from dibimt_metric.version import VERSION

from .contents import BLIMP, CONTENTS, CONVERT_AGAIN, PACKAGES, Content, bundled_files, read_parts
from .hub_names import PLACEHOLDER, check_namespace
from .repositories import (
    MANIFEST,
    Branch,
    Repository,
    RepositoryType,
    Stage,
    extra_files,
    manifest_text,
    read_manifest,
    staged_file,
)

_NAME_CONVERTED = "name a folder that 'dibimt blimp convert' wrote"


def stage(out: Path, namespace: str = PLACEHOLDER, blimp: Path | None = None, force: bool = False) -> Stage:
    """Build every repository in a folder, complete or not at all; the same input gives the same bytes.

    An earlier stage is replaced at the end (see `dibimt_common.files.new_folder`), and stays if anything fails.

    The examples name the namespace. ``blimp`` is a folder that ``dibimt blimp convert`` wrote; ``None``: the data set
    ``blimp`` is left out.

    Raises:
        InputError: the folder is not empty and not a stage to be replaced (``force``), or the sources are incomplete.
    """
    check_namespace(namespace)
    contents = [each for each in CONTENTS if blimp is not None or each.repository != BLIMP]
    sources = {PACKAGES / part.package for each in contents for part in each.parts if part.package}
    _check_place(out, force, sources if blimp is None else {*sources, blimp})
    if blimp is not None:
        check_converted(blimp)
    try:
        with new_folder(out.resolve()) as folder:
            repositories = []
            for (kind, name), branches in groupby(contents, key=lambda each: (each.type, each.repository)):
                made = tuple(_write(each, namespace, blimp, folder) for each in branches)
                repositories.append(Repository(kind, name, made))
            staged = Stage(out, namespace, VERSION, tuple(repositories))
            (folder / MANIFEST).write_bytes(manifest_text(staged).encode("utf-8"))
    except OSError as error:
        raise InputError(f"{out}: cannot be written ({error.strerror or error}); try another folder") from error
    return staged


def _write(content: Content, namespace: str, blimp: Path | None, folder: Path) -> Branch:
    """Write the files of a branch."""
    place = folder / Repository(content.type, content.repository, ()).folder(content.branch)
    files = read_parts(content.parts, namespace, PACKAGES, blimp)
    if content.type is RepositoryType.SPACE:
        bundled_files(files)
    for name, data in files.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(data)  # bytes: the same line ends everywhere
    return Branch(content.branch, tuple(staged_file(name, data) for name, data in files.items()))


# The folder to be made


def _check_place(out: Path, force: bool, sources: Iterable[Path]) -> None:
    """Raise `InputError` unless a stage can be put here: in a new or empty folder, or in the place of a stage."""
    try:
        problem = _problem(out, force, sources)
    except (OSError, RuntimeError, ValueError) as error:  # circular links; a null character in the name
        problem = f"cannot be used ({getattr(error, 'strerror', None) or error}); name another folder"
    if problem:
        raise InputError(f"{out}: {problem}")


def _problem(out: Path, force: bool, sources: Iterable[Path]) -> str | None:
    place = out.resolve()
    if place in (Path.cwd(), *Path.cwd().parents):
        # A new folder would take its place, and the shell would be left in a deleted one.
        return "is the current folder or one above it; name a folder inside it"
    for source in sources:
        if place == source.resolve() or source.resolve() in place.parents:
            return f"is in {source}, which is read; name another folder"
    if not place.exists():
        above = next(folder for folder in place.parents if folder.exists())
        return None if above.is_dir() else f"cannot be made, because {above} is a file; name another folder"
    if not place.is_dir():
        return "is a file; name a folder"
    return _held(place, force) if any(place.iterdir()) else None


def _held(place: Path, force: bool) -> str | None:
    """Why a folder that is not empty cannot be replaced."""
    if not (place / MANIFEST).exists():
        return "holds something other than a stage; name another folder"
    if not force:
        return "holds a stage; name another folder, or replace it with --force"
    try:
        extra = extra_files(read_manifest(place))
    except InputError as error:
        return f"cannot be replaced, because its contents are unclear ({error}); name another folder"
    if extra:
        return f"cannot be replaced, because it also holds {extra[0]}; move that away, or name another folder"
    return None


# The converted folder


def check_converted(folder: Path) -> None:
    """Raise `InputError` unless a folder holds converted BLiMP: all paradigms with all pairs, and no other data."""
    from minimal_pairs.conversion.conversion import read_conversion
    from minimal_pairs.paradigms import PARADIGMS
    from minimal_pairs.reading.sources import CONVERTED, CORRECTED, PUBLISHED

    if not folder.is_dir():
        raise InputError(f"{folder}: is not a folder; {_NAME_CONVERTED}")
    try:
        conversion = read_conversion(folder)
    except (KeyError, TypeError, ValueError) as error:  # InputError too, which is a ValueError
        raise InputError(f"{folder / CONVERTED}: cannot be used ({error}); {CONVERT_AGAIN}") from error
    if conversion is None:
        raise InputError(f"{folder}: has no {CONVERTED}; {_NAME_CONVERTED}")
    if [each.name for each in conversion.paradigms] != [each.name for each in PARADIGMS]:
        raise InputError(
            f"{folder / CONVERTED}: does not name the {len(PARADIGMS)} paradigms of BLiMP; {CONVERT_AGAIN}"
        )
    lengths: dict[str, int | None] = {
        f"{PUBLISHED}/{each.phenomenon}/{each.name}.jsonl": each.pairs for each in conversion.paradigms
    }
    if conversion.corrected is not None:
        for each in conversion.paradigms:
            lengths[f"{CORRECTED}/{each.phenomenon}/{each.name}.jsonl"] = each.corrected
    for variant in (PUBLISHED, CORRECTED):
        for path in sorted(folder.glob(f"{variant}/*/*.jsonl")):
            if path.relative_to(folder).as_posix() not in lengths:
                raise InputError(f"{path}: is not a file of the conversion; {CONVERT_AGAIN}")
    for name, length in lengths.items():
        _check_length(folder / name, length)


def _check_length(path: Path, length: int | None) -> None:
    try:
        lines = path.read_bytes().count(b"\n")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}); {CONVERT_AGAIN}") from error
    if lines != length:
        raise InputError(f"{path}: has {lines} lines, expected {length}; {CONVERT_AGAIN}")
