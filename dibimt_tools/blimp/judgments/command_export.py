"""Write sheets on which people choose the better sentence of a pair, and the key to them.

  dibimt blimp judgments export --data blimp --out sheets --key key.jsonl
  dibimt blimp judgments export --data blimp --phenomena binding --per-paradigm 10 --out sheets --key key.jsonl

The two versions, a and b, have the same pairs in opposite order; give each judge one of them. The sheets contain
attention checks. Keep the key from the judges: it shows which sentence is the good one.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...options import add_force_option, natural, positive
from ...output import check_outputs, emit, to_json
from ..data import add_data_options, input_files, load_data

if TYPE_CHECKING:
    from minimal_pairs.human.design import Design


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``dibimt blimp judgments export``."""
    add_data_options(parser)
    group = parser.add_argument_group("sheets")
    group.add_argument("--out", required=True, metavar="DIR", help="folder for the sheets")
    group.add_argument("--key", required=True, metavar="FILE.jsonl", help="file for the key, outside that folder")
    group.add_argument(
        "--per-paradigm", type=positive, default=5, metavar="N", help="pairs of each paradigm (default: 5)"
    )
    group.add_argument(
        "--checks", type=natural, default=20, metavar="N", help="attention checks in each sheet (default: 20)"
    )
    group.add_argument("--seed", type=natural, default=0, metavar="N", help="seed of all draws (default: 0)")
    group.add_argument(
        "--sheet-format", choices=("tsv", "jsonl"), default="tsv", help="format of the sheets (default: tsv)"
    )
    group.add_argument("--json", action="store_true", help="print JSON")
    add_force_option(group)


def run(args: argparse.Namespace) -> int:
    """Draw the pairs and write the files."""
    from minimal_pairs.human.design import design_sheets, write_sheets

    check_outputs([args.key], args.force, input_files(args))
    data = load_data(args)
    design = design_sheets(data.chosen, args.per_paradigm, n_checks=args.checks, seed=args.seed)
    paths = write_sheets(design, Path(args.out), Path(args.key), args.sheet_format, force=args.force)
    record = _record(design, paths)
    emit(to_json(record) if args.json else _text(record, data.remarks))
    return 0


def _record(design: Design, paths: tuple[Path, ...]) -> dict[str, Any]:
    rows = design.version("a")
    pairs = [row for row in rows if row.kind == "pair"]
    return {
        "files": [str(path) for path in paths],
        "pairs": len(pairs),
        "paradigms": len({row.paradigm for row in pairs}),
        "checks": len(rows) - len(pairs),
        "seed": design.seed,
        "short": dict(design.short),
        "identical": design.identical,
    }


def _text(record: dict[str, Any], remarks: tuple[str, ...]) -> str:
    from dibimt_common.format import wrapped

    *sheets, key = record["files"]
    lines = [
        f"{', '.join(sheets)}: {record['pairs']:,} pairs of {record['paradigms']} paradigms and {record['checks']} "
        "attention checks each",
        f"{key}: the key; keep it from the judges",
        *remarks,
    ]
    if record["identical"]:
        lines.append(f"{record['identical']} pairs were excluded: both sentences are the same.")
    if record["short"]:
        some = ", ".join(f"{name} ({number})" for name, number in list(record["short"].items())[:3])
        lines.append(f"{len(record['short'])} paradigms have fewer pairs than requested, all used: {some}.")
    return "\n".join(wrapped(lines))
