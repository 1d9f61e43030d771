"""Show published scores on BLiMP, of models and of people, with their settings and sources.

  dibimt blimp published
  dibimt blimp published --phenomena
  dibimt blimp published --json

All overall scores are means over the 67 paradigms, in percent. A score depends on its settings: the same model
scores differently with another first token, or with a space before the sentence.
"""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING

from ..output import emit, to_json

if TYPE_CHECKING:
    from minimal_pairs.scoring.published import Published


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``dibimt blimp published``."""
    parser.add_argument("--phenomena", action="store_true", help="show the scores by phenomenon")
    parser.add_argument("--json", action="store_true", help="print JSON, with all fields")


def run(args: argparse.Namespace) -> int:
    """Print the table."""
    from minimal_pairs.paradigms import PHENOMENA
    from minimal_pairs.scoring.published import PUBLISHED

    if args.json:
        records = [
            {**asdict(row), "phenomena": dict(zip(PHENOMENA, row.phenomena, strict=False)) or None} for row in PUBLISHED
        ]
        emit(to_json(records))
    else:
        emit(_by_phenomenon(PUBLISHED) if args.phenomena else _overall(PUBLISHED))
    return 0


def _overall(rows: tuple[Published, ...]) -> str:
    from dibimt_common.format import aligned, wrapped

    table = aligned(
        ("", "overall", "preset"), [(row.name, f"{row.overall:.1f}", row.preset or "-") for row in rows], {1}
    )
    made: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        made.setdefault((row.settings, row.source), []).append(row.name)
    notes = [f"{', '.join(names)}: {settings}. {source}." for (settings, source), names in made.items()]
    about = f"Overall: {rows[0].average}. preset: equivalent settings of 'dibimt blimp score'; -: not known."
    return "\n".join((*table, "", *wrapped((about, *notes))))


def _by_phenomenon(rows: tuple[Published, ...]) -> str:
    from dibimt_common.format import aligned, wrapped
    from minimal_pairs.paradigms import PHENOMENA

    known = [row for row in rows if row.phenomena]
    lines = [
        ("overall", *(f"{row.overall:.1f}" for row in known)),
        *((name, *(f"{row.phenomenon(name):.1f}" for row in known)) for name in PHENOMENA),
    ]
    head = ("", *(row.name.replace("individual", "ind.").replace("majority", "maj.") for row in known))
    table = aligned(head, lines, range(1, len(head)))
    left = ", ".join(row.name for row in rows if not row.phenomena)
    return "\n".join((*table, "", *wrapped([f"Not published by phenomenon: {left}."])))
