"""Translations that ``dibimt ldd score`` reads: plain text or JSON Lines, of one or several systems."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dibimt_metric.errors import InputError, shown
from ldd_challenge_sets.records import BASELINE

from ..inputs import STDIN, as_file, read_stdin
from .inputs import SAMPLE, sample_folder

if TYPE_CHECKING:
    from .inputs import Sets

_JSON = (".jsonl", ".json")
_OF_SAMPLE = f"{SAMPLE}:"


def read_systems(systems: Mapping[str, str], sets: Sets, full_corpus: bool) -> dict[str, dict[int, str]]:
    """The translations of each system by corpus line.

    Args:
        systems: name -> file.
        sets: the sets to score.
        full_corpus: whether files translate every line of the corpus, not only the rows of the sets.

    Raises:
        InputError: a file cannot be read, or its translations do not match the sets.
    """
    return {name: _read_system(path, sets, full_corpus) for name, path in systems.items()}


def _read_system(path: str, sets: Sets, full_corpus: bool) -> dict[int, str]:
    from ldd_challenge_sets.corpus.files import read_lines

    if path == STDIN:
        with as_file(read_stdin(), ".txt", "standard input") as copy:
            return _by_position(list(read_lines(str(copy))), "standard input", sets, full_corpus)
    if path.startswith(_OF_SAMPLE):
        path = str(_sample_file(path.removeprefix(_OF_SAMPLE), sets.pair))
    texts = list(read_lines(path))
    if Path(path.removesuffix(".gz")).suffix.lower() not in _JSON:
        return _by_position(texts, path, sets, full_corpus)
    records = list(_records(texts, path))
    if not any("line" in record or "id" in record for _, record in records):
        return _by_position([_translation(record, where) for where, record in records], path, sets, full_corpus)
    return _by_key(records, path, sets, full_corpus)


def _sample_file(name: str, pair: str) -> Path:
    """The translations of an invented system of the sample."""
    target = pair.rpartition("-")[2]
    files = {path.stem: path for path in sorted((sample_folder() / "sample" / "systems").glob(f"*.{target}"))}
    if name not in files:
        raise InputError(
            f"{_OF_SAMPLE}{name}: no such system of the sample for {pair}; choose among {', '.join(files) or 'none'}"
        )
    return files[name]


# Translations in order


def _by_position(texts: Sequence[str], where: str, sets: Sets, full_corpus: bool) -> dict[int, str]:
    if full_corpus:
        _check_full(len(texts), where, sets)
        return dict(enumerate(texts, 1))
    if len(sets.rows) > 1:
        raise InputError(
            f"{where}: its lines could belong to any of {len(sets.rows)} sets ({', '.join(sets.rows)}); if it "
            "translates the whole corpus, add --full-corpus; if it translates one set, select that with "
            "--configuration; or give JSON Lines with 'line' and 'translation'"
        )
    ((configuration, rows),) = sets.rows.items()
    if len(texts) != len(rows):
        raise InputError(
            f"{where}: {len(texts)} translations for the {len(rows)} rows of {configuration}; expected one per "
            f"row, in order (an empty line is an empty translation){_hint(len(texts), sets)}"
        )
    return dict(zip((row.line for row in rows), texts, strict=True))


def _hint(count: int, sets: Sets) -> str:
    if sets.corpus_lines == count:
        return f". The corpus has {count} lines: add --full-corpus if the file translates all of it"
    return ". If the file translates the whole corpus, add --full-corpus"


def _check_full(count: int, where: str, sets: Sets) -> None:
    if sets.corpus_lines is not None and count != sets.corpus_lines:
        remedy = "expected one per line of the corpus, in order (an empty line is an empty translation)"
        if not sets.selectable:
            remedy += "; --ids needs translations of the whole corpus"
        for configuration, rows in sets.rows.items():
            if sets.selectable and len(rows) == count:
                remedy += (
                    f". {configuration} has {count} rows: if the file translates only these, give --configuration "
                    f"{configuration} without --full-corpus"
                )
        raise InputError(f"{where}: {count} translations for {sets.corpus_lines} lines of the corpus; {remedy}")
    last = max((row.line for rows in sets.rows.values() for row in rows), default=0)
    if count < last:
        raise InputError(
            f"{where}: {count} translations, but the sets refer to line {last} of the corpus; --full-corpus expects "
            "one per line of the corpus"
        )


# Translations by line or id


def _records(texts: Iterable[str], path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects of a JSON Lines file, each with file and line; strings become objects."""
    for number, text in enumerate(texts, 1):
        if not text.strip():
            continue
        where = f"{path}, line {number}"
        try:
            value = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{where}: not valid JSON ({error}); expected one object per line") from error
        if isinstance(value, str):
            value = {"translation": value}
        if not isinstance(value, dict):
            raise InputError(f"{where}: expected an object with 'line' and 'translation', not {shown(value)}")
        yield where, value


def _translation(record: Mapping[str, Any], where: str) -> str:
    text = record.get("translation")
    if not isinstance(text, str):
        raise InputError(f"{where}: 'translation' must be a string, not {shown(text)}")
    return text


def _by_key(
    records: Sequence[tuple[str, Mapping[str, Any]]], path: str, sets: Sets, full_corpus: bool
) -> dict[int, str]:
    """Translations by ``line`` or ``id``; ids that no set contains are skipped."""
    needed = _needed(sets, full_corpus)
    ids = _ids(sets)
    translations: dict[int, str] = {}
    for where, record in records:
        line = _line_of(record, where, ids)
        text = _translation(record, where)
        if line is None:
            continue
        if sets.corpus_lines is not None and line > sets.corpus_lines:
            raise InputError(
                f"{where}: 'line' is {line}, but the corpus has {sets.corpus_lines} lines, numbered from 1"
            )
        if line in translations:
            raise InputError(f"{where}: second translation of line {line}; remove one")
        translations[line] = text
    missing = [line for line in needed if line not in translations]
    if missing:
        raise InputError(
            f"{path}: {len(missing)} of {len(needed)} lines lack a translation, first line {missing[0]} "
            f"(in {needed[missing[0]]}); give one for each, an empty text if the system gave none"
        )
    return translations


def _needed(sets: Sets, full_corpus: bool) -> dict[int, str]:
    """Each line to be scored, and its set."""
    whole = [(f"{sets.pair}-{BASELINE}", sets.baseline)] if full_corpus and sets.baseline else []
    named = [*sets.rows.items(), *whole]
    needed: dict[int, str] = {}
    for name, rows in named:
        for row in rows:
            needed.setdefault(row.line, name)
    return dict(sorted(needed.items()))


def _ids(sets: Sets) -> dict[str, int | None]:
    """The line of each id; ``None`` if several lines have this id."""
    ids: dict[str, int | None] = {}
    for rows in (*sets.rows.values(), sets.baseline or ()):
        for row in rows:
            ids[row.id] = row.line if ids.get(row.id, row.line) == row.line else None
    return ids


def _line_of(record: Mapping[str, Any], where: str, ids: Mapping[str, int | None]) -> int | None:
    """The line of a record; ``None`` for an id that no set contains."""
    if "line" in record:
        line = record["line"]
        if isinstance(line, bool) or not isinstance(line, int) or line < 1:
            raise InputError(f"{where}: 'line' must be a positive integer, a line of the corpus, not {shown(line)}")
        return line
    if "id" not in record:
        raise InputError(f"{where}: neither 'line' nor 'id', unlike other lines; give every line one of them")
    name = record["id"]
    if not isinstance(name, str):
        raise InputError(f"{where}: 'id' must be a string, not {shown(name)}")
    if name in ids and ids[name] is None:
        raise InputError(f"{where}: several lines of the corpus have the id {shown(name)}; give 'line' instead")
    return ids.get(name)
