"""From answered sheets to judgments: what counts, what does not, and which judges are excluded.

What does not count is reported as a `Problem`; nothing is guessed:

==============  ======================================================================================
unanswered      no answer, or the item is not in the judge's file
invalid         the answer is neither 1 nor 2
unknown         the key has no such item
altered         the sentences are not those of the key: a column was sorted by itself, or a row edited
contradicted    the item occurs twice with different answers; with the same answer it counts once
==============  ======================================================================================

A judge is excluded by a `Rule`: too few attention checks right, or too few pairs answered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from dibimt_metric.errors import InputError, shown

from .sheets import KeyRow, SheetRow, read_key, read_sheet

# Spreadsheet programs may turn a column of 1 and 2 into numbers with a point.
_ANSWERS = {"1": 1, "2": 2, "1.0": 1, "2.0": 2, "1,0": 1, "2,0": 2}


class Fault(str, Enum):
    """Why a row, or a missing one, is not a judgment (see the module)."""

    UNANSWERED = "unanswered"
    INVALID = "invalid"
    UNKNOWN = "unknown"
    ALTERED = "altered"
    CONTRADICTED = "contradicted"


@dataclass(frozen=True, slots=True)
class Problem:
    """A row that does not count.

    Attributes:
        fault: why. annotator: the judge.
        item: its name, as given. where: file and line; the file alone for an item that is not in it.
    """

    fault: Fault
    annotator: str
    item: str
    where: str


@dataclass(frozen=True, slots=True)
class Item:
    """A pair that judges saw: its paradigm, its number there, and its phenomenon if it has one."""

    paradigm: str
    pair_id: int
    phenomenon: str | None


@dataclass(frozen=True, slots=True)
class Judgment:
    """One choice of one judge.

    Attributes:
        annotator: the judge. item: the pair. agrees: whether the acceptable sentence was chosen.
    """

    annotator: str
    item: Item
    agrees: bool


@dataclass(frozen=True, slots=True)
class Rule:
    """When a judge is excluded; both limits are shares from 0 to 1.

    Attributes:
        checks_right: fewer attention checks right than this; an unanswered one is not right. Does not apply to sheets
            without checks.
        answered: fewer pairs with a valid answer than this.
    """

    checks_right: float = 0.8
    answered: float = 0.5


@dataclass(frozen=True, slots=True)
class Annotator:
    """The work of a judge.

    Attributes:
        pairs: pairs in the version that the judge had; answered: those with a valid answer.
        checks: attention checks in it; checks_right: those answered right.
        excluded: why the judge is excluded; ``None``: kept.
    """

    name: str
    pairs: int
    answered: int
    checks: int
    checks_right: int
    excluded: str | None


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers of all sheets.

    Attributes:
        items: the pairs of the key, judged or not.
        judgments: of the judges that were kept. annotators: all, by name. problems: rows of all that do not count.
        rule: by which judges were excluded.
    """

    items: tuple[Item, ...]
    judgments: tuple[Judgment, ...]
    annotators: tuple[Annotator, ...]
    problems: tuple[Problem, ...]
    rule: Rule

    def count(self, fault: Fault | str) -> int:
        """How many problems are of that kind."""
        return sum(problem.fault is Fault(fault) for problem in self.problems)


def read_answers(sheets: Sequence[Path], key: Path, rule: Rule | None = None) -> Answers:
    """Read answered sheets with their key.

    Args:
        sheets: one or more files; a judge is named by the column ``annotator`` if it is filled, else by the file.
        key: the key that was written with the sheets.
        rule: when judges are excluded; ``None``: the default `Rule`.

    Raises:
        InputError: a file cannot be read (see `sheets`), or a judge has answered both versions, and so the same pairs
            twice.
    """
    if not sheets:
        raise InputError("no answered sheet given; name one or more files")
    rows = [row._replace(annotator=row.annotator or path.stem) for path in sheets for row in read_sheet(path)]
    return gather(rows, read_key(key), rule)


def gather(rows: Iterable[SheetRow], key: Sequence[KeyRow], rule: Rule | None = None) -> Answers:
    """The answers from rows that have already been read; see `read_answers`."""
    chosen = _checked(rule or Rule())
    by_item = {row.item: row for row in key}
    by_judge: dict[str, list[SheetRow]] = {}
    for row in rows:
        by_judge.setdefault(row.annotator, []).append(row)
    annotators: list[Annotator] = []
    judgments: list[Judgment] = []
    problems: list[Problem] = []
    for name in sorted(by_judge):
        valid, faults = _valid(by_judge[name], by_item)
        had = _version(name, by_judge[name], by_item, key)
        annotator = _annotator(name, had, valid, chosen)
        annotators.append(annotator)
        problems.extend(faults)
        problems.extend(_absent(name, by_judge[name], had))
        if annotator.excluded is None:
            judgments.extend(_judgments(name, had, valid))
    items = tuple(dict.fromkeys(_item(row) for row in key if row.kind == "pair"))
    return Answers(items, tuple(judgments), tuple(annotators), tuple(problems), chosen)


def _checked(rule: Rule) -> Rule:
    settings = (("checks_right (--min-checks)", rule.checks_right), ("answered (--min-answered)", rule.answered))
    for name, value in settings:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
            raise InputError(f"{name} is {shown(value)}; expected a share from 0 to 1, such as 0.8")
    return rule


def _valid(rows: Sequence[SheetRow], by_item: Mapping[str, KeyRow]) -> tuple[dict[str, int], list[Problem]]:
    """The answers of one judge that count, by item, and what is wrong with the others."""
    answers: dict[str, int] = {}
    contradicted: set[str] = set()
    problems: list[Problem] = []
    for row in rows:
        fault = _fault(row, by_item)
        if fault is None and answers.setdefault(row.item, _ANSWERS[row.answer]) != _ANSWERS[row.answer]:
            fault = Fault.CONTRADICTED
            contradicted.add(row.item)
        if fault is not None:
            problems.append(Problem(fault, row.annotator, row.item, row.where))
    return {item: answer for item, answer in answers.items() if item not in contradicted}, problems


def _fault(row: SheetRow, by_item: Mapping[str, KeyRow]) -> Fault | None:
    known = by_item.get(row.item)
    if known is None:
        return Fault.UNKNOWN
    if row.sentences is not None and not _same(row.sentences, (known.sentence_1, known.sentence_2)):
        return Fault.ALTERED
    if not row.answer:
        return Fault.UNANSWERED
    return None if row.answer in _ANSWERS else Fault.INVALID


def _same(given: tuple[str, str], known: tuple[str, str]) -> bool:
    """Equal letters and digits; spreadsheet programs change quotation marks, and put capitals first."""
    return [*map(_letters, given)] == [*map(_letters, known)]


def _letters(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def _version(
    name: str, rows: Sequence[SheetRow], by_item: Mapping[str, KeyRow], key: Sequence[KeyRow]
) -> tuple[KeyRow, ...]:
    """The rows of the version that a judge had."""
    versions = {by_item[row.item].version for row in rows if row.item in by_item}
    if len(versions) > 1:
        raise InputError(
            f"annotator {shown(name)} has answers for versions {', '.join(sorted(versions))} ({rows[0].where}), which "
            "hold the same pairs; give one version of each judge, and different judges different names"
        )
    return tuple(row for row in key if row.version in versions)


def _annotator(name: str, had: Sequence[KeyRow], valid: Mapping[str, int], rule: Rule) -> Annotator:
    pairs = [row for row in had if row.kind == "pair"]
    checks = [row for row in had if row.kind == "check"]
    answered = sum(row.item in valid for row in pairs)
    right = sum(valid.get(row.item) == row.good for row in checks)
    excluded = None
    if _is_below(right, rule.checks_right, len(checks)):
        excluded = f"{right} of {len(checks)} attention checks right, fewer than {rule.checks_right:.0%}"
    elif _is_below(answered, rule.answered, len(pairs)) or not answered:
        excluded = f"{answered} of {len(pairs)} pairs answered, fewer than {rule.answered:.0%} or none"
    return Annotator(name, len(pairs), answered, len(checks), right, excluded)


def _is_below(count: int, share: float, n: int) -> bool:
    """Whether fewer than that share; 11 of 20 is not below 0.55, which 0.55 * 20 in floats is."""
    return count < share * n - 1e-9


def _absent(name: str, rows: Sequence[SheetRow], had: Sequence[KeyRow]) -> list[Problem]:
    present = {row.item for row in rows}
    file = rows[0].where.rpartition(", line ")[0] or rows[0].where
    return [Problem(Fault.UNANSWERED, name, row.item, file) for row in had if row.item not in present]


def _judgments(name: str, had: Sequence[KeyRow], valid: Mapping[str, int]) -> list[Judgment]:
    return [
        Judgment(name, _item(row), valid[row.item] == row.good)
        for row in had
        if row.kind == "pair" and row.item in valid
    ]


def _item(row: KeyRow) -> Item:
    # `read_key` has checked that a pair has both.
    return Item(row.paradigm or "", row.pair_id if row.pair_id is not None else -1, row.phenomenon)
