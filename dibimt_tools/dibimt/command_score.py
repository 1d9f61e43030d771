"""Label the translations of one system and compute its scores.

  dibimt score --language de --items items.jsonl --predictions hyp.txt
  dibimt score --language de --items mini --predictions mini:frequent --intervals
  translate < source.txt | dibimt score --language de --items items.jsonl --predictions - --json

All numbers are percentages. Undefined numbers are marked as such, with the reason.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ..inputs import STDIN, load_items, load_pairs
from ..options import (
    PREDICTIONS_HELP,
    add_data_options,
    add_judge_options,
    add_output_options,
    add_score_options,
    make_judge,
)
from ..output import check_outputs, deliver, progress, to_json

if TYPE_CHECKING:
    from dibimt_metric.score_results import Result


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``dibimt score``."""
    add_data_options(parser)
    parser.add_argument("--predictions", required=True, metavar="HYP.txt|HYP.jsonl|-", help=PREDICTIONS_HELP)
    add_judge_options(parser)
    add_score_options(parser)
    parser.add_argument(
        "--intervals",
        action="store_true",
        help="intervals of the scores by the bootstrap, reproducible by --seed",
    )
    parser.add_argument(
        "--per-item",
        metavar="OUT.jsonl",
        help="write the label and matches of each item, one JSON object per line",
    )
    parser.add_argument(
        "--review",
        metavar="OUT.tsv|OUT.jsonl",
        help="write the MISS items for manual review, with empty fields for the verdict",
    )
    add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    """Score; print or write the report and the requested files."""
    from dibimt_metric.items_reading import fingerprint
    from dibimt_metric.score_results import score_pairs

    from .review import check_review_name, per_item_lines, review_text

    inputs = [name for name in (args.items, args.predictions) if name != STDIN]
    check_outputs((args.output, args.per_item, args.review), args.force, inputs)
    check_review_name(args.review)
    items = load_items(args.items, args.language)
    pairs = load_pairs(items, args.items, args.predictions, args.format, args.language)
    judge = make_judge(args)
    result = score_pairs(judge, pairs, args.weighting, fingerprint(items), progress(len(pairs), "score"))
    report = _report(args, result)
    files: dict[Path, str | bytes] = {}
    if args.per_item:
        files[Path(args.per_item)] = per_item_lines(result.judgments)
    if args.review:
        files[Path(args.review)] = review_text(args.review, pairs, result.judgments)
    deliver(report, args.output, args.force, files)
    return 0


def _report(args: argparse.Namespace, result: Result) -> str:
    from dibimt_metric.languages import LANGUAGE_NAMES
    from dibimt_metric.score_results import result_record, with_intervals

    from .report import score_report

    if args.intervals:
        result = with_intervals(result, seed=args.seed)
    if args.json:
        return to_json(result_record(result))
    return score_report(result, LANGUAGE_NAMES[result.language])
