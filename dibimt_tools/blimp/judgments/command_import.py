"""Read answered sheets: agreement of people with the labels, individual and by majority, as in the paper.

  dibimt blimp judgments import --key key.jsonl anna.tsv ben.tsv cleo.csv
  dibimt blimp judgments import --key key.jsonl sheets/*.tsv --min-checks 0.9 --json

The column annotator names the judge; without it, the file does. Judges with too few correct attention checks or too few
answers are excluded. Answers that do not count are listed with their lines.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from ...options import add_output_options
from ...output import check_outputs, deliver, to_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``dibimt blimp judgments import``."""
    parser.add_argument("sheets", nargs="+", metavar="SHEET", help="answered sheets: .tsv, .csv or .jsonl")
    parser.add_argument("--key", required=True, metavar="FILE.jsonl", help="the key written with the sheets")
    group = parser.add_argument_group("judges and ties")
    group.add_argument(
        "--min-checks",
        type=float,
        default=0.8,
        metavar="X",
        help="minimum share of correct attention checks (default: 0.8)",
    )
    group.add_argument(
        "--min-answered", type=float, default=0.5, metavar="X", help="minimum share of answered pairs (default: 0.5)"
    )
    group.add_argument(
        "--ties",
        default="wrong",
        metavar="wrong|right|half",
        help="how to count a pair on which judges are evenly split (default: wrong)",
    )
    add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    """Print or write the agreement."""
    from minimal_pairs.human.agreement import agreement
    from minimal_pairs.human.answers import Rule, read_answers

    from .report import agreement_record, agreement_report

    check_outputs([args.output], args.force, (args.key, *args.sheets))
    rule = Rule(args.min_checks, args.min_answered)
    answers = read_answers([Path(sheet) for sheet in args.sheets], Path(args.key), rule)
    found = agreement(answers, args.ties)
    report = to_json(agreement_record(answers, found)) if args.json else agreement_report(answers, found)
    deliver(report, args.output, args.force)
    return 0
