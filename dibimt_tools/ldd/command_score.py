"""Score translations on challenge sets by phenomenon and distance: BLEU, chrF, RIBES, with intervals and controls.

  dibimt ldd score --set sets --predictions base=base.txt big=big.txt --full-corpus
  dibimt ldd score --set sets --predictions hyp.txt --configuration particle
  dibimt ldd score --set sample --pair de-en --predictions sample:careful sample:literal --full-corpus
  dibimt ldd score --ids particle.ids --source news.de --reference news.en --pair de-en --predictions hyp.txt

With --full-corpus a file translates every line of the corpus: outputs of an existing test set can be scored unchanged.
The report then also has the score on the full corpus, the difference from it, and a random control with the same
sentence lengths. --ids implies --full-corpus. docs/ldd_scores.md defines the numbers.
"""

from __future__ import annotations

import argparse
from operator import length_hint
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..inputs import STDIN, named_systems
from ..options import add_output_options, natural
from ..output import check_outputs, deliver, note, progress, to_json

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ldd_challenge_sets.scoring.results import LddReport
    from ldd_challenge_sets.scoring.settings import Settings

    from .inputs import Sets


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``dibimt ldd score``."""
    _add_set_options(parser)
    _add_prediction_options(parser)
    _add_metric_options(parser)
    _add_draw_options(parser)
    add_output_options(parser)
    group = parser.add_argument_group("page and figure")
    group.add_argument("--html", metavar="FILE.html", help="write the report as one page with figures")
    group.add_argument(
        "--plot", metavar="FILE.png", help="write a figure of score over distance: .png, .svg or .pdf (extra 'plot')"
    )


def _add_set_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("sets")
    wanted = group.add_mutually_exclusive_group(required=True)
    wanted.add_argument(
        "--set",
        metavar="DIR|SET.jsonl|sample",
        help="folder written by 'dibimt ldd extract', one of its files, or the sample included in the package",
    )
    wanted.add_argument(
        "--ids",
        nargs="+",
        action="extend",
        metavar="FILE",
        help="lists of line numbers of a corpus, 1-based, one per line",
    )
    group.add_argument(
        "--configuration",
        nargs="+",
        action="extend",
        default=[],
        metavar="NAME",
        help="configurations of --set, such as particle or de-en-particle (default: all)",
    )
    group.add_argument("--pair", metavar="SRC-TGT", help="languages; needed if --set has several pairs, and with --ids")
    group.add_argument("--source", metavar="FILE", help="source side of the corpus of --ids")
    group.add_argument("--reference", metavar="FILE", help="target side of the corpus of --ids")


def _add_prediction_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("translations")
    group.add_argument(
        "--predictions",
        required=True,
        nargs="+",
        action="extend",
        metavar="[NAME=]FILE",
        help="one file per system: text, one translation per line (plain or .gz, '-' is standard input); or JSON "
        "Lines with 'translation' and 'line' or 'id'; sample:careful and sample:literal are the two systems of the "
        "sample. A system without NAME is named after its file",
    )
    group.add_argument(
        "--full-corpus",
        action="store_true",
        help="the files translate every line of the corpus, not only the rows of one configuration",
    )


def _add_metric_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("scores")
    group.add_argument(
        "--metrics",
        nargs="+",
        default=["bleu", "chrf", "ribes"],
        metavar="NAME",
        help="from bleu, chrf, chrf++, ribes (default: bleu chrf ribes); the first is shown in full",
    )
    group.add_argument(
        "--preset",
        default="sacrebleu",
        metavar="sacrebleu|multi-bleu",
        help="plain text, scored as by sacrebleu (default), or tokenized text as in the paper",
    )
    group.add_argument(
        "--tokenize",
        metavar="NAME",
        help="tokenizer of BLEU and RIBES: 13a, intl, zh, ja-mecab, ko-mecab, char, none (default: sacrebleu's for "
        "the target language)",
    )
    group.add_argument(
        "--ribes-cased", action="store_true", help="make RIBES case-sensitive, unlike the original program"
    )


def _add_draw_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("random draws")
    group.add_argument(
        "--resamples",
        type=natural,
        default=1000,
        metavar="N",
        help="resamples of the bootstrap; 0: no intervals or p-values (default: 1000)",
    )
    group.add_argument("--level", type=float, default=0.95, metavar="X", help="level of the intervals (default: 0.95)")
    group.add_argument(
        "--control",
        type=natural,
        default=100,
        metavar="N",
        help="samples of the length-matched random control; 0: no control (default: 100)",
    )
    group.add_argument("--seed", type=natural, default=0, metavar="N", help="seed of all draws (default: 0)")


def run(args: argparse.Namespace) -> int:
    """Score; print or write the report, the page and the figure."""
    from ldd_challenge_sets.scoring.scorer import score_sets

    from .report import score_record, score_report
    from .systems import read_systems

    systems = named_systems(args.predictions)
    _check(args, list(systems.values()))
    sets = _sets(args)
    check_outputs((args.output, args.html, args.plot), args.force, sets.files)
    full = args.full_corpus or args.ids is not None
    if full and sets.baseline is None:
        note(f"dibimt {args.command}: without the full corpus in the folder, the report lacks difference and control")
    settings = _settings(args, controlled=full and sets.baseline is not None)
    translations = read_systems(systems, sets, full)
    report = score_sets(sets.baseline, sets.rows, translations, settings, pair=sets.pair, progress=_bar)
    text = to_json(score_record(report, settings)) if args.json else score_report(report, settings)
    deliver(text, args.output, args.force, _files(args, report, settings))
    return 0


def _check(args: argparse.Namespace, predictions: list[str]) -> None:
    """Reject wrong options before anything is read."""
    from ..figures import check_plot
    from ..inputs import refuse_dash

    refuse_dash(output=args.output, html=args.html, plot=args.plot)
    inputs = [
        name for name in (*predictions, *(args.ids or ()), args.source, args.reference) if name not in (None, STDIN)
    ]
    check_outputs((args.output, args.html, args.plot), args.force, inputs)
    if args.plot is not None:
        check_plot(args.plot)
    _settings(args, controlled=True)


def _settings(args: argparse.Namespace, controlled: bool) -> Settings:
    from ldd_challenge_sets.scoring.settings import Settings

    return Settings(
        metrics=tuple(args.metrics),
        preset=args.preset,
        tokenize=args.tokenize,
        ribes_lowercase=not args.ribes_cased,
        n_resamples=args.resamples,
        level=args.level,
        seed=args.seed,
        control=args.control if controlled else 0,
    )


def _sets(args: argparse.Namespace) -> Sets:
    from dibimt_metric.errors import InputError

    from .inputs import load_sets, sets_from_ids

    corpus = {"--source": args.source, "--reference": args.reference}
    if args.ids is None:
        if given := [name for name, value in corpus.items() if value is not None]:
            raise InputError(f"{' and '.join(given)} belong to --ids; --set contains the sentences")
        return load_sets(args.set, args.configuration, args.pair, args.full_corpus)
    if missing := [name for name, value in {**corpus, "--pair": args.pair}.items() if value is None]:
        raise InputError(f"--ids needs --source, --reference and --pair; missing: {', '.join(missing)}")
    if args.configuration:
        raise InputError("--configuration belongs to --set; with --ids each list is a set")
    sets, remarks = sets_from_ids(args.ids, args.source, args.reference, args.pair)
    for remark in remarks:
        note(f"dibimt {args.command}: {remark}")
    return sets


def _bar(parts: Iterable[Any]) -> Iterable[Any]:
    return progress(length_hint(parts), "score")(parts)


def _files(args: argparse.Namespace, report: LddReport, settings: Settings) -> dict[Path, str | bytes]:
    from .html import score_page
    from .plot import draw

    files: dict[Path, str | bytes] = {}
    if args.html is not None:
        files[Path(args.html)] = score_page(report, settings)
    if args.plot is not None:
        files[Path(args.plot)] = draw(report, settings, Path(args.plot).suffix)
    return files
