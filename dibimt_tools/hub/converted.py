"""A folder that ``dibimt blimp convert`` wrote: whole, and nothing in it that the card would load besides."""

from __future__ import annotations

from pathlib import Path

from dibimt_metric.errors import InputError

_REMEDY = "convert anew with 'dibimt blimp convert'"


def check_converted(folder: Path) -> None:
    """See that a folder holds converted BLiMP, every paradigm with as many pairs as were converted.

    Raises:
        InputError: it holds something else, or a file is missing, of another length, or extra; names the first one.
    """
    from minimal_pairs.conversion.conversion import read_conversion
    from minimal_pairs.paradigms import PARADIGMS
    from minimal_pairs.reading.sources import CONVERTED, CORRECTED, PUBLISHED

    if not folder.is_dir():
        raise InputError(f"{folder}: is no folder; name one that 'dibimt blimp convert' wrote")
    try:
        conversion = read_conversion(folder)
    except (KeyError, TypeError, ValueError) as error:  # InputError too, which is a ValueError
        raise InputError(f"{folder / CONVERTED}: cannot be used ({error}); {_REMEDY}") from error
    if conversion is None:
        raise InputError(f"{folder}: holds no {CONVERTED}; name a folder that 'dibimt blimp convert' wrote")
    if [each.name for each in conversion.paradigms] != [each.name for each in PARADIGMS]:
        raise InputError(
            f"{folder / CONVERTED}: does not name the {len(PARADIGMS)} paradigms of BLiMP; {_REMEDY}"
        )
    published = {f"{each.phenomenon}/{each.name}.jsonl": each.pairs for each in conversion.paradigms}
    corrected = {f"{each.phenomenon}/{each.name}.jsonl": each.corrected for each in conversion.paradigms}
    _check_files(folder / PUBLISHED, published)
    _check_files(folder / CORRECTED, {} if conversion.corrected is None else corrected)


def _check_files(folder: Path, lengths: dict[str, int] | dict[str, int | None]) -> None:
    """See that a variant has these files with as many lines, and no others."""
    present = {path.relative_to(folder).as_posix() for path in folder.glob("*/*.jsonl")}
    if extra := sorted(present - lengths.keys()):
        raise InputError(f"{folder / extra[0]}: no file of the conversion; {_REMEDY}")
    for path, length in lengths.items():
        lines = _lines(folder / path)
        if lines != length:
            raise InputError(f"{folder / path}: has {lines} lines, expected {length}; {_REMEDY}")


def _lines(path: Path) -> int:
    """Number of whole lines."""
    try:
        return path.read_bytes().count(b"\n")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}); {_REMEDY}") from error
