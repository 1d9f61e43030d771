"""Compare two or more systems on the items that all of them translate as GOOD or BAD.

  dibimt compare --language de --items items.jsonl base=base.txt tuned=tuned.txt
  dibimt compare --language de --items mini careful=mini:careful frequent=mini:frequent

The differences have bootstrap intervals and p-values, not corrected for the number of comparisons.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ..inputs import load_items, load_pairs, named_systems
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
    from dibimt_metric.records import Item
    from dibimt_metric.score_results import Result


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``dibimt compare``."""
    parser.add_argument(
        "systems",
        nargs="+",
        metavar="NAME=FILE",
        help=f"name and predictions of a system: {PREDICTIONS_HELP}",
    )
    add_data_options(parser)
    add_judge_options(parser)
    add_score_options(parser)
    add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    """Compare the systems."""
    from dibimt_metric.errors import InputError
    from dibimt_metric.languages import LANGUAGE_NAMES
    from dibimt_metric.score_bootstrap import LEVEL, N_RESAMPLES
    from dibimt_metric.score_comparison import compare

    from .report import comparison_report

    systems = named_systems(args.systems, named=True)
    if len(systems) < 2:
        raise InputError("a comparison needs at least two systems: NAME=FILE NAME=FILE")
    check_outputs([args.output], args.force, (args.items, *systems.values()))
    items = load_items(args.items, args.language)
    results = _score(args, items, systems)
    comparison = compare(
        {name: result.outcomes for name, result in results.items()},
        args.weighting,
        ties=args.ties,
        seed=args.seed,
    )
    # All systems are judged in the same way, so their results share one signature.
    draws = {"level": LEVEL, "resamples": N_RESAMPLES, "seed": args.seed}
    signature = str(next(iter(results.values())).signature.extended(draws))
    if args.json:
        report = to_json({**comparison.as_dict(), "language": args.language, "signature": signature})
    else:
        text = comparison_report(comparison, results, items, LEVEL, LANGUAGE_NAMES[args.language])
        report = f"{text}\n\nsignature: {signature}"
    deliver(report, args.output, args.force)
    return 0


def _score(args: argparse.Namespace, items: tuple[Item, ...], systems: dict[str, str]) -> dict[str, Result]:
    from dibimt_metric.items_reading import fingerprint
    from dibimt_metric.score_results import score_pairs

    data = fingerprint(items)
    # All files are read before the first is scored: an error in the last file should not surface after minutes.
    pairs = {
        name: load_pairs(items, args.items, predictions, args.format, args.language)
        for name, predictions in systems.items()
    }
    judge = make_judge(args)
    return {
        name: score_pairs(judge, each, args.weighting, data, progress(len(each), name)) for name, each in pairs.items()
    }
