"""Files of challenge sets, read for ``dibimt ldd score`` and ``select`` only where they are whole and consistent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from dibimt_metric.errors import InputError

if TYPE_CHECKING:
    from ldd_challenge_sets.records import LddRow

_REMEDY = (
    "extract the sets again ('dibimt ldd extract' with --force), or keep sets that you changed yourself in a folder "
    "of their own"
)


def read_set(path: Path) -> tuple[LddRow, ...]:
    """The rows of a configuration's file.

    Args:
        path: the file; where ``extraction.json`` stands beside it and lists it, it is checked against that.

    Raises:
        InputError: see `check_complete` and `ldd_challenge_sets.extraction.rows.read_rows`; also where
            ``max_distance`` of a row is not the largest distance of its hits, or negative. Names file and line.
    """
    from ldd_challenge_sets.extraction.rows import read_rows

    check_complete(path)
    rows = read_rows(path)
    _check_distances(path, rows)
    return rows


def check_complete(path: Path) -> None:
    """See that a file has the rows that ``extraction.json`` beside it states.

    A set that was cut or removed would otherwise give scores of fewer sentences, or no scores, without a word.

    Raises:
        InputError: it has another number of rows, or is not there.
    """
    stated = _stated(path)
    if stated is None:
        return
    manifest, expected = stated
    if not path.is_file():
        raise InputError(f"{path}: is not there, but {manifest} states {expected:,} rows of it; {_REMEDY}")
    found = sum(1 for _ in _row_lines(path))
    if found != expected:
        raise InputError(f"{path}: has {found:,} rows, but {manifest} states {expected:,}; {_REMEDY}")


def _stated(path: Path) -> tuple[Path, int] | None:
    """Where a number of rows is stated, and the number; ``None`` where none is."""
    from ldd_challenge_sets.extraction.manifest import MANIFEST, read_manifest

    for extraction in read_manifest(path.parent).values():
        if path.suffix == ".jsonl" and path.stem in extraction.configurations:
            return path.parent / MANIFEST, extraction.configurations[path.stem].rows
    return None


def _row_lines(path: Path) -> Iterator[int]:
    """Number of each line that holds a row; blank ones are passed over."""
    from ldd_challenge_sets.corpus.files import raw_lines

    return (number for number, line in enumerate(raw_lines(str(path)), 1) if line.strip())


def _check_distances(path: Path, rows: Sequence[LddRow]) -> None:
    for place, row in enumerate(rows):
        largest = max((hit.distance for hit in row.hits), default=None)
        if row.max_distance == largest and (largest is None or largest >= 0):
            continue
        line = next(islice(_row_lines(path), place, None))
        raise InputError(
            f"{path}, line {line}: 'max_distance' is {_json(row.max_distance)} and the largest distance of the hits "
            f"is {_json(largest)}; expected the same number, from 0 on, or null where there is no hit; extract the "
            "set again, or correct the row"
        )


def _json(value: int | None) -> str:
    return "null" if value is None else str(value)
