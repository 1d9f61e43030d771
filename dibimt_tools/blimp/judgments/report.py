"""The report of ``dibimt blimp judgments import`` as text, and as a record for JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from dibimt_common.format import interval, number, section, wrapped
from minimal_pairs.scoring.published import HUMAN, HUMAN_MAJORITY

from ..report import table_text
from ..view import INTERVAL, Table

if TYPE_CHECKING:
    from minimal_pairs.human.agreement import Agreement, GroupAgreement
    from minimal_pairs.human.answers import Answers, Problem
    from minimal_pairs.scoring.results import Accuracy

_SHOWN = 10  # problems listed of each kind


def agreement_report(answers: Answers, found: Agreement) -> str:
    """The text that ``dibimt blimp judgments import`` prints."""
    tables = (_overall(found), _phenomena(found), _judges(answers), _paradigms(found))
    parts = [
        f"Human agreement with the labels: {found.annotators} of {len(answers.annotators)} judges, "
        f"{len(answers.items):,} pairs",
        *(table_text(table) for table in tables if table.rows),
        *_problems(answers),
        f"signature: {found.signature}",
    ]
    return "\n\n".join(parts)


def _overall(found: Agreement) -> Table:
    rows = (
        ("individual", found.individual, number(HUMAN.overall, 1)),
        ("majority", found.majority, number(HUMAN_MAJORITY.overall, 1)),
        ("all judgments", found.pooled, ""),
    )
    return Table(
        "Agreement in percent",
        ("", "agreement", INTERVAL, "n", "agreed", "ties", "paper"),
        tuple((name, *_cells(each), theirs) for name, each, theirs in rows),
        tuple(f"{name}: {each.average}." for name, each, _ in rows[:2]),
    )


def _cells(each: Accuracy) -> tuple[str, ...]:
    counts = (each.n, each.right, each.ties)
    return (number(each.value), interval(each.low, each.high), *(f"{count:,}" for count in counts))


def _phenomena(found: Agreement) -> Table:
    rows = tuple(
        (*_group(each), number(HUMAN.phenomenon(each.name), 1), number(HUMAN_MAJORITY.phenomenon(each.name), 1))
        for each in found.phenomena
    )
    head = ("phenomenon", "paradigms", "individual", "majority", "pairs", "paper ind.", "paper maj.")
    return Table("By phenomenon: mean over its paradigms", head, rows)


def _group(each: GroupAgreement) -> tuple[str, ...]:
    return (
        each.name,
        str(each.paradigms),
        number(each.individual.value),
        number(each.majority.value),
        f"{each.majority.n:,}",
    )


def _judges(answers: Answers) -> Table:
    rows = tuple(
        (each.name, f"{each.answered} of {each.pairs}", f"{each.checks_right} of {each.checks}", each.excluded or "")
        for each in answers.annotators
    )
    return Table("Judges", ("", "answered", "checks right", "excluded because"), rows, numbers=False)


def _paradigms(found: Agreement) -> Table:
    rows = tuple((name, *cells) for name, _, *cells in map(_group, found.paradigms))
    below = ", ".join(found.below_threshold)
    notes = (f"Majority agreement below 4 of 5, the paper's threshold: {below}.",) if below else ()
    return Table("By paradigm", ("paradigm", "individual", "majority", "pairs"), rows, notes)


def _problems(answers: Answers) -> Iterator[str]:
    if not answers.problems:
        return
    counts = Counter(problem.fault.value for problem in answers.problems)
    lines: list[str] = []
    for fault, count in counts.items():
        lines.append(f"{fault}: {count:,}")
        found = [problem for problem in answers.problems if problem.fault.value == fault]
        lines += [f"  {_problem(problem)}" for problem in found[:_SHOWN]]
        lines += [f"  and {count - _SHOWN:,} more"] if count > _SHOWN else []
    yield section("Answers that do not count", wrapped(lines))


def _problem(problem: Problem) -> str:
    return f"{problem.where}: item {problem.item} of {problem.annotator}"


def agreement_record(answers: Answers, found: Agreement) -> dict[str, Any]:
    """The agreement as a record for JSON: `Agreement` field by field, with judges and problems."""
    problems = [{**asdict(problem), "fault": problem.fault.value} for problem in answers.problems]
    return {
        **asdict(found),
        "annotators": [asdict(each) for each in answers.annotators],
        "problems": problems,
        "rule": asdict(answers.rule),
    }
