"""The per-pair file of a run: outcomes are written as they are made, so that an interrupted run can continue.

``OUT.jsonl`` has one line per pair, in the order of the data: the fields of `PairOutcome`. ``OUT.jsonl.run.json`` next
to it states which run the outcomes are from (`Header`). The outcomes of a chunk of pairs are appended together; a run
that was stopped resumes after the last whole chunk, so that its file has the same bytes as that of an uninterrupted
run.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from dibimt_common import journal
from dibimt_common.files import write_file
from dibimt_metric.errors import InputError, shown

from ..records import PairKey
from .results import Decision, PairOutcome

FORMAT = "minimal-pairs-run/1"
"""Identifies the file next to the outcomes and its format."""
ENDING = ".run.json"
"""Appended to the name of the file of outcomes."""

_START_OVER = "start over (--restart)"
_DECISIONS = [decision.value for decision in Decision]
_LINE = 1 << 16  # bytes read of a first line that may be anything
_encoded = json.JSONEncoder(ensure_ascii=False).encode  # json.dumps would create one for each line


_TYPES: dict[str, tuple[type, ...]] = {
    "paradigm": (str,),
    "pair_id": (int,),
    "phenomenon": (str, type(None)),
    "field": (str, type(None)),
    "good": (int, float, type(None)),
    "bad": (int, float, type(None)),
    "decision": (str,),
    **dict.fromkeys(("good_tokens", "bad_tokens", "good_words", "bad_words"), (int,)),
    "reason": (str, type(None)),
}
"""The fields of a line and their types; numbers are finite, counts not negative."""


@dataclass(frozen=True, slots=True)
class Header:
    """The run that a per-pair file is from.

    Attributes:
        model: name. method: which probabilities were compared. settings: pairs of name and value, those of
            `PairsReport`.
        pairs: their number in the complete file.
    """

    model: str
    method: str
    settings: tuple[tuple[str, str], ...]
    pairs: int
    signature: str

    def values(self) -> dict[str, str]:
        """Everything that distinguishes two runs, by name."""
        version = self.signature.rpartition("|version:")[2]
        return {
            "model": self.model,
            "method": self.method,
            **dict(self.settings),
            "pairs": str(self.pairs),
            "version": version,
        }


class Journal:
    """Appends to a per-pair file."""

    def __init__(self, path: Path, size: int) -> None:
        self._path = path
        self._size = size

    def append(self, outcomes: Iterable[PairOutcome]) -> None:
        """Write the outcomes of a chunk; they are on the disk when this returns."""
        data = "".join(map(outcome_line, outcomes)).encode("utf-8", "backslashreplace")
        try:
            if (self._path.stat().st_size if self._path.exists() else 0) != self._size:
                raise InputError(
                    f"{self._path}: was changed while this run was writing it; only one run at a time may write it"
                )
            journal.append(self._path, data)
        except OSError as error:
            raise InputError(
                f"{self._path}: cannot be written ({error.strerror or error}); the pairs so far are kept: free some "
                "space, then run the same command again"
            ) from error
        self._size += len(data)


def open_journal(
    path: str | os.PathLike[str],
    header: Header,
    keys: Sequence[PairKey],
    ends: Sequence[int],
    *,
    restart: bool = False,
    force: bool = False,
) -> tuple[Journal, tuple[PairOutcome, ...]]:
    """Begin a per-pair file, or continue it where an earlier run stopped.

    Args:
        path: of the file.
        header: of this run.
        keys: its pairs, in order.
        ends: for each chunk the number of pairs up to its end.
        restart: whether to drop an existing per-pair file.
        force: whether ``restart`` also drops any other file.

    Returns:
        The journal, and the outcomes of the whole chunks that are already in the file.

    Raises:
        InputError: the file is from a run with other settings, not from a run, damaged, or cannot be written.
    """
    place = Path(path)
    try:
        if place.exists() and not place.is_file():
            raise InputError(f"{place}: is not a regular file, which a resumable run needs")
        new = not place.exists() or (not place.stat().st_size and not _header_path(place).exists())
        if new or (restart and (force or _is_of_a_run(place))):
            return _begin(place, header), ()
        if restart:
            raise InputError(_foreign(place))
        return _go_on(place, header, keys, ends)
    except OSError as error:
        raise InputError(
            f"{place}: cannot be written ({error.strerror or error}); choose another file, or create its folder"
        ) from error


def differing(first: Header, second: Header) -> tuple[tuple[str, str, str], ...]:
    """Name and both values of the settings in which two runs differ; empty: both make the same file."""
    one, other = first.values(), second.values()
    return tuple(
        (name, one.get(name, "not set"), other.get(name, "not set"))
        for name in dict.fromkeys((*one, *other))
        if one.get(name) != other.get(name)
    )


def _is_of_a_run(place: Path) -> bool:
    """Whether a run wrote the file: a header, even a damaged one, is next to it, or its first line is an outcome."""
    if _header_path(place).exists():
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
        f"{place}: exists and is not a per-pair file of a run (no {_header_path(place).name} next to it); choose "
        f"another file, or overwrite it (--restart{force})"
    )


def _begin(place: Path, header: Header) -> Journal:
    # The outcomes go first: if this is interrupted, no outcomes are left next to the header of another run.
    place.write_bytes(b"")
    record = {"format": FORMAT, **asdict(header), "settings": dict(header.settings)}
    write_file(_header_path(place), json.dumps(record, ensure_ascii=False, indent=1) + "\n")
    return Journal(place, 0)


def _go_on(
    place: Path, header: Header, keys: Sequence[PairKey], ends: Sequence[int]
) -> tuple[Journal, tuple[PairOutcome, ...]]:
    there = read_header(place)
    if there is None:
        raise InputError(_foreign(place))
    if differences := differing(there, header):
        found = "; ".join(f"{name} {theirs}, not {ours}" for name, theirs, ours in differences)
        raise InputError(
            f"{place}: is from a run with other settings ({found}); use those to continue it, choose another file, or "
            f"{_START_OVER}"
        )
    lines, _ = journal.whole_lines(place)
    outcomes = _outcomes(place, lines)
    _check_order(place, outcomes, keys)
    kept = max((end for end in ends if end <= len(outcomes)), default=0)
    size = sum(map(len, lines[:kept]))
    os.truncate(place, size)
    return Journal(place, size), outcomes[:kept]


def _check_order(place: Path, outcomes: Sequence[PairOutcome], keys: Sequence[PairKey]) -> None:
    if len(outcomes) > len(keys):
        raise InputError(f"{place}: has {len(outcomes)} pairs, but the data has {len(keys)}; {_START_OVER}")
    for line, (outcome, key) in enumerate(zip(outcomes, keys, strict=False), 1):
        if outcome.key != key:
            raise InputError(
                f"{place}, line {line}: pair {outcome.pair_id} of {shown(outcome.paradigm)} where the data has pair "
                f"{key[1]} of {shown(key[0])}; use the data in the same order, or {_START_OVER}"
            )


# Reading


def read_header(path: str | os.PathLike[str]) -> Header | None:
    """The header next to a per-pair file; ``None``: there is none."""
    header_path = _header_path(Path(path))
    try:
        record = json.loads(header_path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{header_path}: cannot be read ({error}); {_START_OVER}") from error
    names = [field.name for field in fields(Header)]
    if not isinstance(record, dict) or record.get("format") != FORMAT or not all(name in record for name in names):
        raise InputError(f"{header_path}: is not a record of format {FORMAT!r}; {_START_OVER}")
    settings = record["settings"]
    if not isinstance(settings, dict):
        raise InputError(f"{header_path}: settings are {shown(settings)}; expected an object; {_START_OVER}")
    values = {name: record[name] for name in names}
    return Header(**{**values, "settings": tuple((name, str(value)) for name, value in settings.items())})


def read_outcomes(path: str | os.PathLike[str]) -> tuple[PairOutcome, ...]:
    """All outcomes of a per-pair file, complete or not."""
    place = Path(path)
    try:
        lines, rest = journal.whole_lines(place)
    except OSError as error:
        raise InputError(f"{place}: cannot be read ({error.strerror or error}); check the path") from error
    if rest:
        raise InputError(
            f"{place}, line {len(lines) + 1}: the run stopped within this line; run its command again to finish it"
        )
    return _outcomes(place, lines)


def _outcomes(place: Path, lines: Iterable[bytes]) -> tuple[PairOutcome, ...]:
    return tuple(_outcome(f"{place}, line {number}", line) for number, line in enumerate(lines, 1))


def outcome_line(outcome: PairOutcome) -> str:
    """An outcome as a line of the file."""
    record = {name: getattr(outcome, name) for name in _TYPES}
    return _encoded({**record, "decision": outcome.decision.value}) + "\n"


def _outcome(where: str, line: bytes) -> PairOutcome:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{where}: is not JSON ({error}); restore the file as it was written, or {_START_OVER}"
        ) from error
    problem = _problem(record)
    if problem:
        raise InputError(f"{where}: {problem}; expected a line of a per-pair file as it was written")
    return PairOutcome(**{**record, "decision": Decision(record["decision"])})


def _problem(record: Any) -> str | None:
    """What is wrong with the record of an outcome, if anything."""
    if not isinstance(record, dict) or record.keys() != _TYPES.keys():
        return f"{shown(record)} does not have the fields {', '.join(_TYPES)}"
    for name, value in record.items():
        negative = name.endswith(("_tokens", "_words")) and type(value) is int and value < 0
        endless = isinstance(value, float) and not math.isfinite(value)
        unknown = name == "decision" and value not in _DECISIONS
        if type(value) not in _TYPES[name] or negative or endless or unknown:
            return f"{name} is {shown(value)}"
    if (record["decision"] == Decision.UNSCORED) != (record["good"] is None or record["bad"] is None):
        return f"{record['decision']} is inconsistent with good {record['good']} and bad {record['bad']}"
    return None


def _header_path(place: Path) -> Path:
    return place.with_name(place.name + ENDING)
