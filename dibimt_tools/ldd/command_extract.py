r"""Extract challenge sets from a parallel corpus to a folder, one JSONL file per configuration.

  dibimt ldd extract --pair de-en --source news.de --target news.en --parser udpipe:german.udpipe --out sets
  dibimt ldd extract --pair de-en --source news.de --target news.en --conllu news.de.conllu \
      --phenomena particle,reflexive --min-distance 1 --out sets
  dibimt ldd extract --pair de-en --tmx corpus.tmx --parser stanza --models STANZA_DIR --out sets
  dibimt ldd extract --pair en-de --dataset opus_books --dataset-config de-en --parser stanza --out sets
  dibimt ldd extract --pair de-en --source a.de --target a.en --phenomena reordering --out sets

Reordering needs word links: give the links (--alignment) or a saved aligner (--aligner). Otherwise an aligner is
trained on the corpus, as in the paper. To continue an interrupted run, repeat the command. The folder can be loaded
with load_dataset(DIR, "de-en-particle").
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ..options import add_force_option, natural, positive
from ..output import emit, note, progress, to_json
from .corpus import add_corpus_options, add_token_options, open_from, token_names

if TYPE_CHECKING:
    from ldd_challenge_sets.extraction.inputs import Inputs
    from ldd_challenge_sets.extraction.manifest import Extraction
    from ldd_challenge_sets.extraction.plan import Plan


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``dibimt ldd extract``."""
    parser.add_argument("--pair", required=True, metavar="SRC-TGT", help="languages, such as de-en")
    parser.add_argument("--out", required=True, metavar="DIR", help="folder for the sets")
    add_corpus_options(parser)
    _add_parse_options(parser)
    _add_set_options(parser)
    _add_alignment_options(parser)
    _add_run_options(parser)


def _add_parse_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("parses of the source side")
    group.add_argument("--conllu", metavar="FILE", help="parses as CoNLL-U, plain or .gz")
    group.add_argument("--parser", metavar="NAME", help="stanza, stanza:PACKAGE or udpipe:MODEL_FILE")
    group.add_argument("--models", metavar="DIR", help="folder of Stanza's models")
    group.add_argument(
        "--pretokenized", action="store_true", help="spaces separate the words; the parser does not split"
    )
    group.add_argument(
        "--match",
        choices=("order", "sent_id"),
        default="order",
        help="one parse for every line, in order (default), or sent_id is the line of the corpus",
    )
    group.add_argument(
        "--document-size",
        type=positive,
        metavar="N",
        help="with --match sent_id: sent_id starts over after N lines (10000 in the released Books parses)",
    )


def _add_set_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("sets")
    group.add_argument(
        "--phenomena",
        default="all",
        metavar="all|NAME,...",
        help="what to extract (default: all); 'dibimt ldd phenomena' lists the names",
    )
    group.add_argument(
        "--definition",
        default="paper",
        metavar="paper|released",
        help="rules of the paper (default), or those of its released sets",
    )
    group.add_argument(
        "--min-distance",
        type=natural,
        metavar="D",
        help="smallest distance (default: 0 for lexical phenomena, 5 for reordering)",
    )
    group.add_argument(
        "--root",
        choices=("include", "exclude"),
        help="whether a root counts as a dependent at distance id - 1 (default: only for 'released')",
    )
    group.add_argument("--no-baseline", action="store_true", help="do not write the whole corpus as a configuration")
    group.add_argument(
        "--register",
        nargs="+",
        action="extend",
        default=[],
        metavar="MODULE",
        help="modules that register your own phenomena (docs/phenomena.md)",
    )
    group.add_argument("--name", metavar="NAME", help="name of the corpus (default: from its file name)")
    group.add_argument("--license", default="unknown", metavar="TEXT", help="license of the texts, for the card")
    group.add_argument("--title", metavar="TEXT", help="title of the data set, for the card")


def _add_alignment_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("alignment, for reordering")
    group.add_argument("--alignment", metavar="FILE", help="links in Pharaoh format, one line per pair")
    group.add_argument("--aligner", metavar="DIR", help="an aligner saved by 'dibimt ldd align train'")
    add_token_options(group)


def _add_run_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("run")
    group.add_argument("--skip-bad", action="store_true", help="skip and count unusable pairs instead of stopping")
    group.add_argument("--workers", type=positive, metavar="N", help="processes (default: one per core)")
    group.add_argument(
        "--engine", default="local", metavar="local|ray", help="this machine (default), or a Ray cluster"
    )
    group.add_argument(
        "--restart", action="store_true", help="discard the work of an interrupted run instead of continuing it"
    )
    group.add_argument("--json", action="store_true", help="print JSON")
    add_force_option(group)


def run(args: argparse.Namespace) -> int:
    """Extract; print the counts."""
    from ldd_challenge_sets.extraction.extract import extract

    _refuse_idle_options(args)
    inputs = _inputs(args)
    plan = _plan(args, inputs)
    extraction = extract(
        inputs,
        plan,
        args.out,
        workers=args.workers,
        engine=args.engine,
        force=args.force,
        restart=args.restart,
        license=args.license,
        title=args.title,
        progress=progress,
    )
    emit(to_json(extraction.as_dict()) if args.json else _report(extraction, args.out))
    if extraction.skipped:
        kinds = ", ".join(f"{count} {kind}" for kind, count in extraction.skipped.items())
        places = "".join(f"\n  {place}" for place in extraction.skipped_places)
        note(f"dibimt {args.command}: skipped and counted: {kinds}; the first:{places}")
    return 0


def _report(extraction: Extraction, out: str) -> str:
    """The counts, in one table per kind of phenomenon."""
    from dibimt_common.format import aligned
    from ldd_challenge_sets.extraction.card import count_tables

    lines = [f"{extraction.pairs} pairs of {extraction.corpus}; sentences by minimum distance:", ""]
    for head, rows in count_tables(extraction):
        lines += [*aligned(head, rows, range(1, len(head))), ""]
    lines += [f"parser: {extraction.parser or 'none'}", f"aligner: {extraction.aligner or 'none'}"]
    return "\n".join((*lines, f"written to {out}", extraction.signature))


def _refuse_idle_options(args: argparse.Namespace) -> None:
    """Reject options without effect: a user who gives one expects an effect."""
    from dibimt_metric.errors import InputError

    links = args.alignment or args.aligner
    idle = (
        (args.alignment and args.aligner, "--alignment and --aligner both provide links"),
        (args.alignment and args.symmetrization, "--symmetrization needs an aligner, and --alignment gives links"),
        (args.definition == "released" and (links or args.symmetrization), "'released' does not use an alignment"),
        (args.match == "sent_id" and not args.conllu, "--match needs --conllu"),
        (args.document_size and args.match != "sent_id", "--document-size needs --match sent_id"),
        (args.models and not (args.parser or "").startswith("stanza"), "--models needs --parser stanza"),
    )
    for given, why in idle:
        if given:
            raise InputError(f"{why}; omit one of them")
    if not args.out:
        raise InputError("--out needs a folder name")


def _inputs(args: argparse.Namespace) -> Inputs:
    from ldd_challenge_sets.extraction.inputs import Inputs

    return Inputs(
        corpus=open_from(args),
        conllu=args.conllu,
        parser=args.parser,
        parser_folder=args.models,
        pretokenized=args.pretokenized,
        by_sent_id=args.match == "sent_id",
        document_size=args.document_size,
        alignment=args.alignment,
    )


def _plan(args: argparse.Namespace, inputs: Inputs) -> Plan:
    from ldd_challenge_sets.extraction.plan import Plan, choose_phenomena, import_modules
    from ldd_challenge_sets.phenomena.registry import Definition, as_definition

    import_modules(args.register)
    definition = as_definition(args.definition)
    parsed = (args.conllu or args.parser) is not None
    target = inputs.corpus is not None and (args.source is None or args.target is not None)
    phenomena = choose_phenomena(args.pair, args.phenomena, definition, parsed=parsed, target=target)
    if args.phenomena == "all" and not (parsed and target):
        lacks = "target side" if parsed else "parses"
        note(f"dibimt {args.command}: no {lacks}, so only: {', '.join(phenomena)}")
    return Plan(
        pair=args.pair,
        corpus=args.name or _corpus_name(inputs),
        phenomena=phenomena,
        definition=definition,
        min_distance=args.min_distance,
        include_root=None if args.root is None else args.root == "include",
        aligner=args.aligner,
        symmetrization=args.symmetrization,
        baseline=not args.no_baseline,
        skip_bad=args.skip_bad,
        modules=tuple(args.register),
        **token_names(args, args.pretokenized or definition is Definition.RELEASED),
    )


def _corpus_name(inputs: Inputs) -> str:
    from pathlib import Path

    return inputs.corpus.name if inputs.corpus is not None else Path(inputs.conllu or "").name
