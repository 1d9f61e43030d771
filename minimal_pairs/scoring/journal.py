"""The per-pair file of a run: outcomes as they are made, so that an interrupted run can go on.

``OUT.jsonl`` has one line for each pair, in the order of the data: the fields of `Outcome`. ``OUT.jsonl.run.json``
beside it names what the outcomes are of (`Header`). The outcomes of a chunk of pairs are appended at once; a run that
was stopped begins again at the last whole chunk, so that its file has the same bytes as that of a run which was not.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, TypeAlias

from dibimt_metric.errors import InputError, shown

from .results import Decision, Outcome

Key: TypeAlias = tuple[str, int]
"""Paradigm of a pair and its number in it."""

FORMAT = "minimal-pairs-run/1"
"""Says what the file beside the outcomes is, and in which form."""
ENDING = ".run.json"
"""What its name has behind that of the outcomes."""

_ANEW = "begin it anew (--restart)"
_LINE = 1 << 16  # bytes read of a line that may be anything
_encoded = json.JSONEncoder(ensure_ascii=False).encode  # json.dumps would make one for each line


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_text_or_null(value: object) -> bool:
    return value is None or isinstance(value, str)


def _is_number_or_null(value: object) -> bool:
    return value is None or (type(value) in (int, float) and math.isfinite(value))  # type: ignore[arg-type]


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 0


def _is_decision(value: object) -> bool:
    return isinstance(value, str) and value in {decision.value for decision in Decision}


_CHECKS: dict[str, Callable[[object], bool]] = {
    "paradigm": _is_text,
    "pair_id": lambda value: type(value) is int,
    "phenomenon": _is_text_or_null,
    "field": _is_text_or_null,
    "good": _is_number_or_null,
    "bad": _is_number_or_null,
    "decision": _is_decision,
    "good_tokens": _is_count,
    "bad_tokens": _is_count,
    "good_words": _is_count,
    "bad_words": _is_count,
    "reason": _is_text_or_null,
}
"""The fields of a line and what their values can be."""


@dataclass(frozen=True, slots=True)
class Header:
    """What a per-pair file is of.

    Attributes:
        model: name. method: which probabilities were compared. settings: pairs of name and value, those of `Report`.
        pairs: how many it holds when it is complete.
        signature: of the whole.
    """

    model: str
    method: str
    settings: tuple[tuple[str, str], ...]
    pairs: int
    signature: str

    def values(self) -> dict[str, str]:
        """All that tells one run from another, by name."""
        version = self.signature.rpartition("|version:")[2]
        return {
            "model": self.model,
            "method": self.method,
            **dict(self.settings),
            "pairs": str(self.pairs),
            "version": version,
        }


class Journal:
    """Appends to a per-pair file.

    Args:
        path: of the file.
        size: bytes that it has.
    """

    def __init__(self, path: Path, size: int) -> None:
        self._path = path
        self._size = size

    def append(self, outcomes: Iterable[Outcome]) -> None:
        """Write the outcomes of a chunk, safely on the disk when it returns.

        Raises:
            InputError: the system refuses, or another run writes the same file.
        """
        data = "".join(map(outcome_line, outcomes)).encode("utf-8", "backslashreplace")
        try:
            with self._path.open("ab") as file:
                if file.tell() != self._size:
                    raise InputError(
                        f"{self._path}: was changed while this run wrote it; one run at a time may write it"
                    )
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise InputError(
                f"{self._path}: cannot be written ({error.strerror or error}); the pairs before are kept: make room, "
                "then give the same command again"
            ) from error
        self._size += len(data)


def open_journal(
    path: str | os.PathLike[str],
    header: Header,
    keys: Sequence[Key],
    ends: Sequence[int],
    *,
    restart: bool = False,
    force: bool = False,
) -> tuple[Journal, tuple[Outcome, ...]]:
    """Begin a per-pair file, or go on with it where an earlier run stopped.

    Args:
        path: of the file.
        header: of this run.
        keys: its pairs, in order.
        ends: where its chunks end, in pairs.
        restart: whether a per-pair file that is there is dropped.
        force: whether ``restart`` drops any other file too.

    Returns:
        The journal, and the outcomes of the whole chunks that are there already.

    Raises:
        InputError: the file is of a run with other settings, of none, or damaged; or the system refuses.
    """
    place = Path(path)
    try:
        if place.exists() and not place.is_file():
            raise InputError(f"{place}: is no regular file; a run that goes on needs one")
        new = not place.exists() or (not place.stat().st_size and not _beside(place).exists())
        if new or (restart and (force or _is_of_a_run(place))):
            return _begin(place, header), ()
        if restart:
            raise InputError(_foreign(place))
        return _go_on(place, header, keys, ends)
    except OSError as error:
        raise InputError(
            f"{place}: cannot be written ({error.strerror or error}); choose another file, or make its folder"
        ) from error


def differing(first: Header, second: Header) -> tuple[tuple[str, str, str], ...]:
    """Name and both values of what two runs have set otherwise; empty where both make the same file."""
    one, other = first.values(), second.values()
    return tuple(
        (name, one.get(name, "not set"), other.get(name, "not set"))
        for name in dict.fromkeys((*one, *other))
        if one.get(name) != other.get(name)
    )


def _is_of_a_run(place: Path) -> bool:
    """Whether a run wrote the file: a header is beside it, however damaged, or its first line is an outcome."""
    if _beside(place).exists():
        return True
    with place.open("rb") as file:
        line = file.readline(_LINE)
    try:
        return _problem(json.loads(line)) is None
    except (ValueError, RecursionError):
        return False


def _foreign(place: Path) -> str:
    force = "" if _is_of_a_run(place) else " --force"
    return (
        f"{place}: exists and is no per-pair file of a run (there is no {_beside(place).name} beside it); choose "
        f"another file, or overwrite it (--restart{force})"
    )


def _begin(place: Path, header: Header) -> Journal:
    # The outcomes go first: should this stop in between, none stand beside the header of another run.
    place.write_bytes(b"")
    record = {"format": FORMAT, **asdict(header), "settings": dict(header.settings)}
    temporary = _beside(place).with_suffix(".tmp")
    temporary.write_text(json.dumps(record, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    temporary.replace(_beside(place))
    return Journal(place, 0)


def _go_on(
    place: Path, header: Header, keys: Sequence[Key], ends: Sequence[int]
) -> tuple[Journal, tuple[Outcome, ...]]:
    there = read_header(place)
    if there is None:
        raise InputError(_foreign(place))
    if differences := differing(there, header):
        found = "; ".join(f"{name} {theirs}, not {ours}" for name, theirs, ours in differences)
        raise InputError(
            f"{place}: is of a run with other settings ({found}); give those again to go on with it, choose another "
            f"file, or {_ANEW}"
        )
    lines, _ = _lines(place)
    outcomes = _outcomes(place, lines)
    _check_order(place, outcomes, keys)
    kept = max((end for end in ends if end <= len(outcomes)), default=0)
    size = sum(map(len, lines[:kept]))
    os.truncate(place, size)
    return Journal(place, size), outcomes[:kept]


def _check_order(place: Path, outcomes: Sequence[Outcome], keys: Sequence[Key]) -> None:
    if len(outcomes) > len(keys):
        raise InputError(f"{place}: holds {len(outcomes)} pairs, the data {len(keys)}; {_ANEW}")
    for line, (outcome, key) in enumerate(zip(outcomes, keys, strict=False), 1):
        found = (outcome.paradigm, outcome.pair_id)
        if found != key:
            raise InputError(
                f"{place}, line {line}: pair {found[1]} of {shown(found[0])} where the data has pair {key[1]} of "
                f"{shown(key[0])}; give the data in the same order, or {_ANEW}"
            )


# Reading


def read_header(path: str | os.PathLike[str]) -> Header | None:
    """What a per-pair file is of; ``None``: nothing beside it says so.

    Raises:
        InputError: what is beside it cannot be read.
    """
    beside = _beside(Path(path))
    try:
        record = json.loads(beside.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{beside}: cannot be read ({error}); {_ANEW}") from error
    names = [field.name for field in fields(Header)]
    if (
        not isinstance(record, dict)
        or record.get("format") != FORMAT
        or not all(name in record for name in names)
    ):
        raise InputError(f"{beside}: is no record of format {FORMAT!r}; {_ANEW}")
    settings = record["settings"]
    if not isinstance(settings, dict):
        raise InputError(f"{beside}: settings are {shown(settings)}; expected an object; {_ANEW}")
    values = {name: record[name] for name in names}
    return Header(**{**values, "settings": tuple((name, str(value)) for name, value in settings.items())})


def read_outcomes(path: str | os.PathLike[str]) -> tuple[Outcome, ...]:
    """All outcomes of a per-pair file, complete or not.

    Raises:
        InputError: the file cannot be read, a line is no outcome, or the last line is half a line.
    """
    place = Path(path)
    try:
        lines, rest = _lines(place)
    except OSError as error:
        raise InputError(f"{place}: cannot be read ({error.strerror or error}); check the path") from error
    if rest:
        raise InputError(
            f"{place}, line {len(lines) + 1}: the run stopped within this line; finish it by giving its command again"
        )
    return _outcomes(place, lines)


def _lines(place: Path) -> tuple[list[bytes], bytes]:
    """The whole lines, and what is left of a line that was not finished."""
    *lines, rest = place.read_bytes().split(b"\n")
    return [line + b"\n" for line in lines], rest


def _outcomes(place: Path, lines: Iterable[bytes]) -> tuple[Outcome, ...]:
    return tuple(_outcome(f"{place}, line {number}", line) for number, line in enumerate(lines, 1))


def outcome_line(outcome: Outcome) -> str:
    """An outcome as a line of the file."""
    record = {name: getattr(outcome, name) for name in _CHECKS}
    return _encoded({**record, "decision": outcome.decision.value}) + "\n"


def _outcome(where: str, line: bytes) -> Outcome:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{where}: is no JSON ({error}); take the file as it was written, or {_ANEW}"
        ) from error
    problem = _problem(record)
    if problem:
        raise InputError(f"{where}: {problem}; expected a line of a per-pair file as it was written")
    return Outcome(**{**record, "decision": Decision(record["decision"])})


def _problem(record: Any) -> str | None:
    """What is wrong with the record of an outcome; ``None``: nothing."""
    if not isinstance(record, dict) or record.keys() != _CHECKS.keys():
        return f"{shown(record)} does not have the fields {', '.join(_CHECKS)}"
    for name, is_right in _CHECKS.items():
        if not is_right(record[name]):
            return f"{name} is {shown(record[name])}"
    if (record["decision"] == Decision.UNSCORED) != (record["good"] is None or record["bad"] is None):
        return f"{record['decision']} does not go with good {record['good']} and bad {record['bad']}"
    return None


def _beside(place: Path) -> Path:
    return place.with_name(place.name + ENDING)
