"""Take lines of any file that is line by line with a corpus: those of a challenge set, or of a list of numbers.

  dibimt ldd select --set sets/de-en-particle.jsonl --from hyp.txt --output hyp.particle.txt
  dibimt ldd select --set sets/de-en-particle.jsonl --min-distance 2 --from news.en
  dibimt ldd select --ids particle.ids --from news.de

An existing test set and its existing translations are cut to a challenge set without translating again. The lines
come in the order of the set.
"""

from __future__ import annotations

import argparse

from ...options import add_force_option
from ...output import check_outputs
from ...output import deliver
from .extract import natural

SUMMARY = "take the lines of a challenge set out of a file"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``dibimt ldd select``."""
    wanted = parser.add_mutually_exclusive_group(required=True)
    wanted.add_argument("--set", metavar="SET.jsonl", help="a configuration's file; its column 'line' counts")
    wanted.add_argument("--ids", metavar="FILE", help="numbers of lines, from 1, one a line")
    parser.add_argument("--from", dest="origin", required=True, metavar="FILE", help="where to take from")
    parser.add_argument(
        "--min-distance", type=natural, default=0, metavar="D", help="only rows of --set with this distance"
    )
    parser.add_argument("--output", metavar="FILE", help="write there what would be printed")
    add_force_option(parser)


def run(args: argparse.Namespace) -> int:
    """Print or write the lines."""
    from ldd_challenge_sets.scoring.select import select_lines

    check_outputs((args.output,), args.force, (args.set, args.ids, args.origin))
    deliver("\n".join(select_lines(args.origin, _numbers(args))), args.output, args.force)
    return 0


def _numbers(args: argparse.Namespace) -> tuple[int, ...]:
    from ldd_challenge_sets.extraction.rows import read_rows
    from ldd_challenge_sets.scoring.select import read_ids

    if args.ids is not None:
        return read_ids(args.ids)
    rows = read_rows(args.set)
    return tuple(row.line for row in rows if (row.max_distance or 0) >= args.min_distance)
