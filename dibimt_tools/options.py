"""Options that several sub-commands share, and the objects made from them.

Closed vocabularies (``--nbest``, ``--weighting`` ...) are not repeated as choices: the metric checks them, and
``dibimt --help`` need not import it.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dibimt_metric.judge import Judge

PREDICTIONS_HELP = (
    "the translations: plain text, one per line; or JSON Lines (.jsonl, .json) of strings, n-best lists or "
    "objects with 'translation' and optionally 'id'; '-' is standard input; mini:careful and mini:frequent are "
    "the two systems of the mini set"
)


def add_data_options(parser: argparse.ArgumentParser, items_required: bool = True) -> None:
    """``--language`` and ``--items``."""
    parser.add_argument(
        "--language", required=True, metavar="CODE", help="target language; 'dibimt languages' lists them"
    )
    parser.add_argument(
        "--items",
        required=items_required,
        metavar="ITEMS.jsonl",
        help="the items, one JSON object per line; 'mini' is the open mini set included in the package",
    )


def add_judge_options(parser: argparse.ArgumentParser) -> None:
    """Options that can change a label: analyzers, rules, n-best, ties."""
    group = parser.add_argument_group("labels")
    group.add_argument(
        "--analyzer",
        nargs="+",
        action="extend",
        metavar="NAME",
        help="analyzers, whose matches are combined: simplemma, jieba, stanza, stanza:PACKAGE, classla "
        "(default: the built-in ones of the language)",
    )
    for name, does in (("--enable-rule", "switch on"), ("--disable-rule", "switch off")):
        group.add_argument(
            name,
            nargs="+",
            action="extend",
            default=[],
            metavar="RULE",
            help=f"rules to {does}; 'dibimt languages' lists them",
        )
    group.add_argument(
        "--nbest",
        default="oracle",
        metavar="oracle|min_perplexity",
        help="how an n-best list gets one label (default: oracle)",
    )
    group.add_argument(
        "--ties",
        default="most_frequent",
        metavar="most_frequent|strict",
        help="which sense counts for MFS and MFS+ if a translation shows several wrong ones: the most frequent "
        "(default) or none",
    )
    group.add_argument(
        "--format",
        metavar="text|jsonl",
        choices=("text", "jsonl"),
        help="format of the predictions (default: according to the file name; text for standard input)",
    )


def add_score_options(parser: argparse.ArgumentParser) -> None:
    """``--weighting`` and ``--seed``."""
    group = parser.add_argument_group("scores")
    group.add_argument(
        "--weighting",
        default="macro",
        metavar="macro|index",
        help="how SFI and PDI average their groups: unweighted (default), or weighted by the index",
    )
    group.add_argument("--seed", type=natural, default=0, metavar="N", help="seed of the bootstrap (default: 0)")


def add_output_options(parser: argparse.ArgumentParser) -> None:
    """``--json``, ``--output`` and ``--force``."""
    group = parser.add_argument_group("output")
    group.add_argument("--json", action="store_true", help="print JSON")
    group.add_argument("--output", metavar="FILE", help="write the report to this file instead of printing it")
    add_force_option(group)


def add_force_option(parser: argparse._ActionsContainer) -> None:
    """``--force``."""
    parser.add_argument("--force", action="store_true", help="overwrite existing files")


def natural(text: str) -> int:
    """Type of an option: a non-negative integer, such as a seed."""
    return _integer(text, 0)


def positive(text: str) -> int:
    """Type of an option: a positive integer."""
    return _integer(text, 1)


def _integer(text: str, least: int) -> int:
    # int() also accepts "1_000", " 7" and digits of other scripts.
    if not (text.isascii() and text.isdigit() and int(text) >= least):
        raise argparse.ArgumentTypeError(f"expected an integer of at least {least}, not {text!r}")
    return int(text)


def make_judge(args: argparse.Namespace) -> Judge:
    """The judge that the options describe.

    Raises:
        DibimtError: a language, analyzer, rule or other name is unknown, or a library is missing.
    """
    from dibimt_metric.judge import Judge

    return Judge(
        args.language,
        analyzers=args.analyzer,
        enable=args.enable_rule,
        disable=args.disable_rule,
        nbest=args.nbest,
        ties=args.ties,
    )
