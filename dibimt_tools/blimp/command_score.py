r"""Score a language model on minimal pairs: does it find the acceptable sentence more probable?

  dibimt blimp score --model gpt2 --data nyu-mll/blimp
  dibimt blimp score --model models/mine --data blimp --per-pair out.jsonl --html report.html --plot figure.png
  dibimt blimp score --model model.gguf --data blimp --sample 670 --preset lm-eval
  dibimt blimp score --model masked:roberta-base --data blimp --pll within-word --device cuda
  dibimt blimp score --model ngram:model.arpa --data blimp --method one-prefix
  dibimt blimp score --model scores:logprobs.tsv --data mine.tsv

With --per-pair, repeat the command to continue an interrupted run. docs/minimal_pairs_scores.md explains the settings;
the signature lists all of them.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..options import add_output_options, natural, positive
from ..output import check_outputs, deliver, note, progress, to_json
from .data import add_data_options, input_files, is_filtered, load_data
from .models import SCORES, add_model_options, add_setting_options, choose_model, load
from .quiet import without_warnings

if TYPE_CHECKING:
    from minimal_pairs.records import LanguageModel, Pair
    from minimal_pairs.scoring.published import Published
    from minimal_pairs.scoring.run import Run

    from .data import Data
    from .models import ModelChoice

_BESIDE = ("GPT-2 large", "5-gram")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``dibimt blimp score``."""
    add_model_options(parser)
    add_data_options(parser)
    add_setting_options(parser)
    _add_run_options(parser)
    add_output_options(parser)
    group = parser.add_argument_group("report")
    group.add_argument("--html", metavar="FILE.html", help="write the report as one page with a figure")
    group.add_argument("--plot", metavar="FILE.png", help="write the figure: .png, .svg or .pdf (extra 'plot')")
    group.add_argument(
        "--beside",
        nargs="*",
        metavar="NAME",
        help="published scores to show next to each phenomenon, such as LSTM ('dibimt blimp published'; default: GPT-2 "
        "large and 5-gram)",
    )


def _add_run_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("run")
    group.add_argument(
        "--sample", type=positive, metavar="N", help="score N pairs, drawn evenly from all paradigms (default: all)"
    )
    group.add_argument("--seed", type=natural, default=0, metavar="N", help="seed of the sample (default: 0)")
    group.add_argument(
        "--per-pair",
        metavar="OUT.jsonl",
        help="write the scores of each pair, and continue there after an interruption",
    )
    group.add_argument(
        "--restart", action="store_true", help="overwrite the per-pair file; with --force, even if another kind of file"
    )
    group.add_argument(
        "--chunk",
        type=positive,
        default=1000,
        metavar="N",
        help="pairs scored between two writes to the per-pair file (default: 1000)",
    )


def run(args: argparse.Namespace) -> int:
    """Score; print or write the report, the page and the figure."""
    from .report import score_record, score_report

    beside = _beside(args)
    chosen = choose_model(args)
    _check(args, chosen)
    data = load_data(args)
    pairs, remarks = _fitting(args, data)
    with without_warnings():
        model = _model(args, chosen, data)
        found = _score(args, pairs, model, chosen)
    report = to_json(score_record(found, remarks)) if args.json else score_report(found, beside, remarks)
    deliver(report, args.output, args.force, _files(args, found, beside, remarks))
    return 0


def _beside(args: argparse.Namespace) -> tuple[Published, ...]:
    from dibimt_metric.errors import InputError
    from minimal_pairs.scoring.published import published

    rows = tuple(published(name) for name in (_BESIDE if args.beside is None else args.beside))
    for row in rows:
        if not row.phenomena:
            raise InputError(f"--beside {row.name}: its scores by phenomenon are not published; choose another")
    return rows


def _check(args: argparse.Namespace, chosen: ModelChoice) -> None:
    """Reject wrong options before anything is read."""
    from dibimt_metric.score_measures import parse_option
    from minimal_pairs.records import Method

    from ..figures import check_plot

    inputs = [*input_files(args), chosen.name if Path(chosen.name).is_file() else None]
    check_outputs((args.output, args.html, args.plot), args.force, inputs)
    # The per-pair file may exist: a run continues it.
    check_outputs((args.per_pair,), True, (*inputs, args.output, args.html, args.plot))
    parse_option(Method, args.method, "method")
    if args.plot is not None:
        check_plot(args.plot)


def _fitting(args: argparse.Namespace, data: Data) -> tuple[tuple[Pair, ...], tuple[str, ...]]:
    """The pairs to which the method applies, and remarks on the others."""
    from dibimt_metric.errors import InputError
    from minimal_pairs.scoring.run import pairs_for

    pairs, left_out = pairs_for(data.chosen, args.method)
    if not pairs:
        raise InputError(
            f"{args.data}: no pair has the fields of the method {args.method}; 'dibimt blimp paradigms --method "
            f"{args.method}' lists the paradigms of BLiMP that have them. nyu-mll/blimp lacks the fields: use the "
            "released files or the output of 'dibimt blimp convert'"
        )
    if not left_out:
        return pairs, data.remarks
    number = f"{len(left_out)} paradigm{'' if len(left_out) == 1 else 's'}"
    return pairs, (*data.remarks, f"Left out: {number} without the fields of the method {args.method}.")


def _model(args: argparse.Namespace, chosen: ModelChoice, data: Data) -> Any:
    if sys.stderr.isatty() and chosen.kind not in (SCORES,):
        note(f"dibimt {args.command}: loading {chosen.name}")
    model: Any = load(chosen)
    # Scores in order cover all pairs; scores that name their pairs may cover the selected ones only.
    if chosen.kind == SCORES and not (model.keyed and is_filtered(args)):
        return model.match(data.everything)
    return model


def _score(args: argparse.Namespace, pairs: tuple[Pair, ...], model: LanguageModel, chosen: ModelChoice) -> Run:
    from minimal_pairs.scoring.run import score_pairs

    try:
        return score_pairs(
            pairs,
            model,
            args.method,
            chosen.settings,
            sample=args.sample,
            seed=args.seed,
            per_pair=args.per_pair,
            restart=args.restart,
            force=args.force,
            chunk=args.chunk,
            progress=progress,
        )
    except KeyboardInterrupt:
        if args.per_pair is not None:
            note(f"dibimt {args.command}: the scores so far are in {args.per_pair}; repeat the command to continue")
        raise


def _files(
    args: argparse.Namespace, found: Run, beside: tuple[Published, ...], remarks: tuple[str, ...]
) -> dict[Path, str | bytes]:
    from .html import score_page
    from .plot import draw, make_chart

    files: dict[Path, str | bytes] = {}
    if args.html is not None:
        files[Path(args.html)] = score_page(found, beside, remarks)
    if args.plot is not None:
        chart = make_chart(found.report, beside)
        files[Path(args.plot)] = draw(chart, found.report.model, Path(args.plot).suffix)
    return files
