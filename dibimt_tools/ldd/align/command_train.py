"""Train a word aligner (FastAlign in both directions) on a parallel corpus and save it.

  dibimt ldd align train --pair de-en --source train.de --target train.en --out aligner

Memory grows with the corpus.
"""

from __future__ import annotations

import argparse

from ...options import add_force_option
from ...output import emit, progress
from ..corpus import add_aligned_corpus_options, required_entries, token_names


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``dibimt ldd align train``."""
    parser.add_argument("--out", required=True, metavar="DIR", help="folder for the aligner")
    add_aligned_corpus_options(parser, "skip unusable pairs")
    add_force_option(parser)


def run(args: argparse.Namespace) -> int:
    """Train and save; print the name of the aligner in signatures."""
    from ldd_challenge_sets.alignment.aligner import load_aligner
    from ldd_challenge_sets.extraction.training import train_on

    train_on(
        required_entries(args),
        args.out,
        symmetrization=args.symmetrization,
        force=args.force,
        skip_bad=args.skip_bad,
        progress=progress,
        **token_names(args, pretokenized=False),
    )
    emit(load_aligner(args.out).name)
    return 0
