"""Align the words of a parallel corpus with a saved aligner.

  dibimt ldd align apply --pair de-en --source news.de --target news.en --aligner aligner --output news.align
  dibimt ldd align apply --pair de-en --tsv news.tsv --aligner aligner --symmetrization intersection

The links are written in Pharaoh format, one line per pair.
"""

from __future__ import annotations

import argparse

from ...options import add_force_option
from ...output import check_outputs, deliver, progress
from ..corpus import add_aligned_corpus_options, required_entries, token_names


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``dibimt ldd align apply``."""
    parser.add_argument("--aligner", required=True, metavar="DIR", help="saved by 'dibimt ldd align train'")
    add_aligned_corpus_options(parser, "write an empty line for unusable pairs")
    parser.add_argument("--output", metavar="FILE", help="write the links to this file instead of printing them")
    add_force_option(parser)


def run(args: argparse.Namespace) -> int:
    """Align; print or write the links."""
    from ldd_challenge_sets.extraction.training import align_entries

    check_outputs((args.output,), args.force, (args.source, args.target, args.tsv, args.tmx, args.conllu))
    links = align_entries(
        required_entries(args),
        args.aligner,
        symmetrization=args.symmetrization,
        skip_bad=args.skip_bad,
        **token_names(args, pretokenized=False),
    )
    deliver("\n".join(progress(None, "align")(links)), args.output, args.force)
    return 0
