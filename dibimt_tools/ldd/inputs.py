"""Challenge sets that ``dibimt ldd score`` reads: a folder, a file, the sample, or lists of line numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from dibimt_metric.errors import InputError, shown
from ldd_challenge_sets.records import BASELINE

if TYPE_CHECKING:
    from ldd_challenge_sets.extraction.manifest import Extraction
    from ldd_challenge_sets.records import LddRow

SAMPLE = "sample"
"""Name of the sample data set included in the package."""

_CONFIGURATION = re.compile(r"([a-z]{2,3}-[a-z]{2,3})-(.+)")
_WRITTEN_BY = "expected a folder written by 'dibimt ldd extract', with files such as de-en-particle.jsonl"
_REMEDY = "extract the sets again ('dibimt ldd extract' with --force), or move sets that you changed to another folder"


@dataclass(frozen=True, slots=True)
class Sets:
    """The sets to score.

    Attributes:
        pair: such as ``de-en``. rows: configuration and its rows.
        baseline: rows of the full corpus; ``None``: missing or not requested.
        corpus_lines: number of lines of the full corpus, including skipped and unparsed ones; ``None``: unknown.
        files: the files read.
        selectable: whether ``--configuration`` can select one set, so that a system may translate only that one.
    """

    pair: str
    rows: Mapping[str, tuple[LddRow, ...]]
    baseline: tuple[LddRow, ...] | None
    corpus_lines: int | None
    files: tuple[str, ...]
    selectable: bool = True


@dataclass(frozen=True, slots=True)
class _Source:
    """Files of the configurations of one pair, not read yet; some may be missing. ``baseline`` is separate."""

    pair: str
    files: Mapping[str, Path]
    baseline: Path | None
    corpus_lines: int | None


def load_sets(name: str, configurations: Sequence[str], pair: str | None, full_corpus: bool) -> Sets:
    """The configurations of one language pair.

    Args:
        name: folder written by ``dibimt ldd extract``, one of its ``.jsonl`` files, or ``sample``.
        configurations: their names, with or without the pair; empty: all but the baseline.
        pair: needed if the folder holds several.
        full_corpus: whether the baseline is read too.

    Raises:
        InputError: there is nothing to score, a name is unknown, a set has fewer rows than ``extraction.json`` states,
            or a row cannot be used.
    """
    path = sample_folder() if name == SAMPLE else Path(name)
    source = _find(path, pair, configurations)
    chosen = _choose(source, configurations)
    baseline = None
    if source.baseline is not None and full_corpus:
        baseline = read_set(source.baseline)
    elif source.baseline is not None and path.is_dir() and not configurations:
        check_complete(source.baseline)
    lines = source.corpus_lines
    if lines is None and baseline:
        lines = max(row.line for row in baseline)
    files = (*chosen.values(), *((source.baseline,) if source.baseline is not None else ()))
    return Sets(
        source.pair,
        {configuration: read_set(file) for configuration, file in chosen.items()},
        baseline,
        lines,
        tuple(map(str, files)),
    )


def sample_folder() -> Path:
    """The folder of the sample included in the package."""
    import ldd_challenge_sets

    return Path(ldd_challenge_sets.__file__).parent / "data"


def _find(path: Path, pair: str | None, configurations: Sequence[str]) -> _Source:
    if path.is_dir():
        return _find_in_folder(path, pair, configurations)
    if not path.is_file():
        raise InputError(f"{path}: no such folder or file; {_WRITTEN_BY}")
    named = _CONFIGURATION.fullmatch(path.stem)
    if named is None and pair is None:
        raise InputError(f"{path}: the name does not begin with a language pair; give it with --pair de-en")
    found = named.group(1) if named else str(pair)
    if pair not in (None, found):
        raise InputError(f"{path}: is a set of {found}, not of {pair}; omit --pair")
    extraction = _extractions(path.parent).get(found)
    beside = path.with_name(f"{found}-{BASELINE}.jsonl")
    there = beside.is_file() or (extraction is not None and beside.stem in extraction.configurations)
    name = path.stem if named else f"{found}-{path.stem}"
    baseline = beside if there and beside != path else None
    return _Source(found, {name: path}, baseline, extraction.lines if extraction else None)


def _find_in_folder(folder: Path, pair: str | None, configurations: Sequence[str]) -> _Source:
    named = {path: _CONFIGURATION.fullmatch(path.stem) for path in sorted(folder.glob("*.jsonl"))}
    files = {match.string: path for path, match in named.items() if match}
    extractions = _extractions(folder)
    pairs = sorted({match.group(1) for match in named.values() if match}.union(extractions))
    if not pairs:
        raise InputError(f"{folder}: contains no challenge set; {_WRITTEN_BY}")
    chosen = pair or _only_pair(folder, pairs, configurations)
    if chosen not in pairs:
        raise InputError(f"{folder}: contains no set of {shown(chosen)}; choose among {', '.join(pairs)}")
    extraction = extractions.get(chosen)
    # In the order of the extraction, including missing files, then files that it does not list.
    listed = {} if extraction is None else dict.fromkeys(extraction.configurations)
    of_pair = {name: folder / f"{name}.jsonl" for name in listed}
    of_pair.update({name: path for name, path in files.items() if name.startswith(f"{chosen}-")})
    baseline = of_pair.pop(f"{chosen}-{BASELINE}", None)
    return _Source(chosen, of_pair, baseline, extraction.lines if extraction else None)


def _only_pair(folder: Path, pairs: Sequence[str], configurations: Sequence[str]) -> str:
    """The only pair of the folder, or of the configurations requested by their full names."""
    named = {match.group(1) for name in configurations if (match := _CONFIGURATION.fullmatch(name))}
    candidates = sorted(named.intersection(pairs)) or list(pairs)
    if len(candidates) > 1:
        raise InputError(f"{folder}: contains sets of {', '.join(pairs)}; choose one with --pair {candidates[0]}")
    return candidates[0]


def _extractions(folder: Path) -> Mapping[str, Extraction]:
    from ldd_challenge_sets.extraction.manifest import read_manifest

    return read_manifest(folder)


def _choose(source: _Source, configurations: Sequence[str]) -> dict[str, Path]:
    whole = f"{source.pair}-{BASELINE}"
    if not configurations:
        chosen = dict(source.files)
        chosen.pop(whole, None)
        if not chosen:
            raise InputError(f"{whole} is the full corpus, which --full-corpus scores together with a set; give a set")
        return chosen
    chosen = {}
    for name in configurations:
        full = name if name.startswith(f"{source.pair}-") else f"{source.pair}-{name}"
        if full == whole:
            raise InputError(f"{name} is the full corpus; omit it: --full-corpus scores it too")
        if full not in source.files:
            raise InputError(f"no configuration {shown(name)} of {source.pair}; choose among {', '.join(source.files)}")
        chosen[full] = source.files[full]
    return chosen


def sets_from_ids(ids: Sequence[str], source: str, reference: str, pair: str) -> tuple[Sets, tuple[str, ...]]:
    """Sets from lists of line numbers of a corpus, each named after its file; the corpus is the baseline.

    Args:
        ids: files with one 1-based line number per line; a repeated number counts once.
        source: source side of the corpus.
        reference: its target side.
        pair: such as ``de-en``.

    Returns:
        The sets, and a remark for each list with repeated numbers.

    Raises:
        InputError: a file cannot be read, the sides differ in length, or a number exceeds the corpus.
    """
    from ldd_challenge_sets.corpus.files import read_lines
    from ldd_challenge_sets.corpus.opening import common_name
    from ldd_challenge_sets.records import split_pair
    from ldd_challenge_sets.scoring.select import baseline_rows, read_ids, repeated_ids, rows_from_ids

    split_pair(pair)
    sides = list(read_lines(source)), list(read_lines(reference))
    if len(sides[0]) != len(sides[1]):
        raise InputError(
            f"{source} has {len(sides[0])} lines and {reference} {len(sides[1])}; they must correspond line by line"
        )
    corpus = common_name(source, reference)  # the name that 'dibimt ldd extract' gives it
    rows: dict[str, tuple[LddRow, ...]] = {}
    remarks = []
    for path in ids:
        name = f"{pair}-{Path(path).stem}"
        if name in rows:
            raise InputError(f"{path}: another list also gives a set {name}; rename one of the files")
        numbers = read_ids(path)
        if repeated := repeated_ids(numbers):
            remarks.append(f"{path}: repeated line numbers: {len(repeated)}; each is scored once")
        rows[name] = tuple(rows_from_ids(numbers, *sides, Path(path).stem, corpus=corpus))
    baseline = tuple(baseline_rows(*sides, corpus=corpus))
    files = (*ids, source, reference)
    return Sets(pair, rows, baseline, len(sides[0]), files, selectable=False), tuple(remarks)


# The rows of a set


def read_set(path: Path) -> tuple[LddRow, ...]:
    """The rows of a configuration's file.

    Args:
        path: the file; checked against ``extraction.json`` in its folder if that lists it.

    Raises:
        InputError: see `check_complete` and `ldd_challenge_sets.extraction.rows.read_rows`; also if
            ``max_distance`` of a row is negative or not the largest distance of its hits. Names file and line.
    """
    from ldd_challenge_sets.extraction.rows import read_rows

    check_complete(path)
    rows = read_rows(path)
    _check_distances(path, rows)
    return rows


def check_complete(path: Path) -> None:
    """Check that a file has the number of rows that ``extraction.json`` in its folder states.

    Otherwise a truncated or removed set would silently give scores of fewer sentences, or none.

    Raises:
        InputError: the file is missing or has another number of rows.
    """
    stated = _stated(path)
    if stated is None:
        return
    manifest, expected = stated
    if not path.is_file():
        raise InputError(f"{path}: is missing, but {manifest} states {expected:,} rows; {_REMEDY}")
    found = sum(1 for _ in _row_lines(path))
    if found != expected:
        raise InputError(f"{path}: has {found:,} rows, but {manifest} states {expected:,}; {_REMEDY}")


def _stated(path: Path) -> tuple[Path, int] | None:
    """The manifest that states the number of rows of a file, and that number; ``None`` if none does."""
    from ldd_challenge_sets.extraction.manifest import MANIFEST, read_manifest

    for extraction in read_manifest(path.parent).values():
        if path.suffix == ".jsonl" and path.stem in extraction.configurations:
            return path.parent / MANIFEST, extraction.configurations[path.stem].rows
    return None


def _row_lines(path: Path) -> Iterator[int]:
    """Number of each line that holds a row; blank lines are skipped."""
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
            f"is {_json(largest)}; expected the same number, 0 or more, or null if there is no hit; extract the "
            "set again or correct the row"
        )


def _json(value: int | None) -> str:
    return "null" if value is None else str(value)
