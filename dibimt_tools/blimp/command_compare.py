"""Compare finished runs pair by pair: differences with intervals, pairs gained and lost.

  dibimt blimp compare small.jsonl large.jsonl
  dibimt blimp compare base=out/base.jsonl tuned=out/tuned.jsonl --json

The files are written by 'dibimt blimp score --per-pair'. All other runs are compared with the first, on the pairs that
both have scored.
"""

from __future__ import annotations

import argparse

from ..inputs import named_systems
from ..options import add_output_options
from ..output import check_outputs, deliver, to_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``dibimt blimp compare``."""
    parser.add_argument(
        "runs",
        nargs="+",
        metavar="[NAME=]FILE",
        help="two or more per-pair files; a run without NAME is named after its file",
    )
    add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    """Compare, and print or write the report."""
    from dibimt_metric.errors import InputError
    from minimal_pairs.scoring.comparison import Scored, compare_runs
    from minimal_pairs.scoring.journal import read_header, read_outcomes

    from .comparison_report import comparison_record, comparison_report

    files = named_systems(args.runs)
    if len(files) < 2:
        raise InputError("a comparison needs at least two runs: FILE FILE, or NAME=FILE NAME=FILE")
    check_outputs([args.output], args.force, files.values())
    runs = [Scored(name, read_header(path), read_outcomes(path)) for name, path in files.items()]
    versus = [compare_runs(runs[0], other) for other in runs[1:]]
    report = to_json(comparison_record(runs, versus)) if args.json else comparison_report(runs, versus)
    deliver(report, args.output, args.force)
    return 0
