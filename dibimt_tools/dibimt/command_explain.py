"""Show how one translation gets its label: words, lemmas, matches, dropped matches.

  dibimt explain --language de --good Ufer --bad Bank --translation "Wir saßen am Ufer."
  dibimt explain --language de --items items.jsonl --id 17 --translation "Wir saßen am Ufer."
  dibimt explain --language de --items items.jsonl --id 17 --predictions hyp.txt

Several --translation form an n-best list. Write a text that begins with a hyphen as --translation=-ja.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

from ..inputs import STDIN, find_item, load_items, load_pairs, read_stdin
from ..options import PREDICTIONS_HELP, add_data_options, add_judge_options, add_output_options, make_judge
from ..output import check_outputs, deliver, to_json

if TYPE_CHECKING:
    from dibimt_metric.judge import Explanation, Judge, Prediction
    from dibimt_metric.records import Item


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``dibimt explain``."""
    add_data_options(parser, items_required=False)
    parser.add_argument("--id", metavar="ID", help="the item")
    for name in ("good", "bad"):
        parser.add_argument(
            f"--{name}",
            action="append",
            metavar="a,b",
            help=f"instead of --items and --id: the {name.upper()} candidates, separated by commas",
        )
    texts = parser.add_mutually_exclusive_group(required=True)
    texts.add_argument("--translation", action="append", metavar="TEXT", help="the translation; '-' is standard input")
    texts.add_argument("--predictions", metavar="HYP.txt|HYP.jsonl|-", help=PREDICTIONS_HELP)
    add_judge_options(parser)
    add_output_options(parser)


def run(args: argparse.Namespace) -> int:
    """Explain one translation."""
    from dibimt_metric.judge_explain import explain_dict, explain_text
    from dibimt_metric.signature import make_signature

    check_outputs([args.output], args.force, (args.items, args.predictions))
    item, prediction = _from_items(args) if args.items is not None else _from_lists(args)
    judge = make_judge(args)
    explanation, hypotheses = explain_prediction(judge, item, prediction), len(prediction)
    signature = str(make_signature(judge.signature_fields()))
    if args.json:
        report = to_json({**explain_dict(explanation, hypotheses), "signature": signature})
    else:
        report = f"{explain_text(explanation, hypotheses)}\n\nsignature: {signature}"
    deliver(report, args.output, args.force)
    return 0


def explain_prediction(judge: Judge, item: Item, prediction: Prediction) -> Explanation:
    """The judgment of a prediction, with the readings of the hypothesis that decided it."""
    judgment = judge.judge(item, prediction)
    explanation = judge.explain(item, prediction[judgment.hypothesis].text)
    return replace(explanation, judgment=judgment)


def _from_items(args: argparse.Namespace) -> tuple[Item, Prediction]:
    from dibimt_metric.errors import InputError

    if args.id is None or args.good is not None or args.bad is not None:
        raise InputError("--items needs --id, and excludes --good and --bad")
    items = load_items(args.items, args.language)
    item = find_item(items, args.id)
    if args.predictions is None:
        return item, _given(args.translation)
    pairs = load_pairs(items, args.items, args.predictions, args.format, args.language)
    return next(pair for pair in pairs if pair[0] is item)


def _from_lists(args: argparse.Namespace) -> tuple[Item, Prediction]:
    from dibimt_metric.errors import InputError
    from dibimt_metric.items import make_item

    if args.id is not None or args.predictions is not None:
        raise InputError("--id and --predictions need --items")
    if args.good is None and args.bad is None:
        raise InputError("give --items and --id, or the candidates with --good and --bad")
    row = {"id": "1", "good": _candidates(args.good), "bad": _candidates(args.bad)}
    return make_item(row), _given(args.translation)


def _candidates(values: list[str] | None) -> list[str]:
    return [part for value in values or () for part in value.split(",") if part.strip()]


def _given(texts: list[str]) -> Prediction:
    from dibimt_metric.errors import InputError
    from dibimt_metric.judge import as_prediction

    if texts != [STDIN]:
        return as_prediction(texts)
    try:
        return as_prediction(read_stdin().decode("utf-8-sig").rstrip("\r\n"))
    except UnicodeDecodeError as error:
        raise InputError(f"standard input: not UTF-8 ({error.reason})") from error
