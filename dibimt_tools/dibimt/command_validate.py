"""Check an item file: all problems, each with its code and line.

  dibimt validate items.jsonl

Exit code 0: no problems; 1: problems found; 2: the file cannot be read or contains no items.
"""

from __future__ import annotations

import argparse
from collections import Counter
from typing import TYPE_CHECKING, Any

from ..inputs import STDIN, as_file, read_stdin
from ..output import emit, to_json

if TYPE_CHECKING:
    from dibimt_metric.errors import Problem
    from dibimt_metric.records import Item


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``dibimt validate``."""
    parser.add_argument("items", metavar="ITEMS.jsonl", help="the item file; '-' is standard input")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Check the file."""
    from dibimt_metric.errors import ItemError

    shown = "standard input" if args.items == STDIN else args.items
    items: tuple[Item, ...] = ()
    problems: tuple[Problem, ...] = ()
    try:
        items = _read(args.items)
    except ItemError as error:
        problems = error.problems
    if args.json:
        emit(to_json(_record(shown, items, problems)))
    else:
        emit("\n".join(_problem_lines(shown, problems)) if problems else _summary(shown, items))
    return 1 if problems else 0


def _read(name: str) -> tuple[Item, ...]:
    from dibimt_metric.items_reading import read_items

    if name != STDIN:
        return read_items(name)
    with as_file(read_stdin(), ".jsonl", "standard input") as path:
        return read_items(path)


def _record(shown: str, items: tuple[Item, ...], problems: tuple[Problem, ...]) -> dict[str, Any]:
    return {
        "file": shown,
        "ok": not problems,
        "items": len(items) if not problems else None,
        "problems": [
            {"code": each.code, "line": each.line, "id": each.item_id, "message": each.message} for each in problems
        ],
    }


def _problem_lines(shown: str, problems: tuple[Problem, ...]) -> list[str]:
    """As compilers write them: ``file:line: code message``."""
    lines = []
    for each in problems:
        where = shown if each.line is None else f"{shown}:{each.line}"
        item = "" if each.item_id is None else f"item {each.item_id!r:.60}: "
        lines.append(f"{where}: {each.code} {item}{each.message}")
    return [*lines, f"{len(problems)} problem{'s' if len(problems) != 1 else ''} in {shown}"]


def _summary(shown: str, items: tuple[Item, ...]) -> str:
    languages = Counter(item.language or "no language" for item in items)
    found = ", ".join(f"{language} {count}" for language, count in sorted(languages.items()))
    good, bad = sum(len(item.good) for item in items), sum(len(item.bad) for item in items)
    return f"{shown}: no problem; {len(items)} items ({found}), {good} GOOD and {bad} BAD candidates"
