"""Select lines of a file that is parallel to a corpus: those of a challenge set, or those in a list of line numbers.

  dibimt ldd select --set sets/de-en-particle.jsonl --from hyp.txt --output hyp.particle.txt
  dibimt ldd select --set sets/de-en-particle.jsonl --min-distance 2 --from news.en
  dibimt ldd select --ids particle.ids --from news.de

This reduces an existing test set and its translations to a challenge set, without translating again. The lines are in
the order of the set.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from ..options import add_force_option, natural
from ..output import check_outputs, deliver, write_files


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``dibimt ldd select``."""
    wanted = parser.add_mutually_exclusive_group(required=True)
    wanted.add_argument(
        "--set", metavar="SET.jsonl", help="file of a configuration, whose column 'line' selects the lines"
    )
    wanted.add_argument("--ids", metavar="FILE", help="line numbers, 1-based, one per line")
    parser.add_argument("--from", dest="origin", required=True, metavar="FILE", help="file to select from")
    parser.add_argument(
        "--min-distance", type=natural, metavar="D", help="only rows of --set with a largest distance of at least D"
    )
    parser.add_argument("--output", metavar="FILE", help="write the lines to this file instead of printing them")
    add_force_option(parser)


def run(args: argparse.Namespace) -> int:
    """Print or write the lines."""
    from ldd_challenge_sets.scoring.select import select_lines

    from ..inputs import refuse_dash

    refuse_dash(output=args.output)
    check_outputs((args.output,), args.force, (args.set, args.ids, args.origin))
    lines = select_lines(args.origin, _numbers(args))
    if lines:
        deliver("\n".join(lines), args.output, args.force)
    elif args.output is not None:
        # An empty file: deliver() would write one empty line.
        write_files({Path(args.output): ""}, args.force)
    return 0


def _numbers(args: argparse.Namespace) -> tuple[int, ...]:
    from dibimt_metric.errors import InputError
    from ldd_challenge_sets.scoring.select import read_ids

    from .inputs import read_set

    if args.ids is None:
        least = args.min_distance or 0
        return tuple(row.line for row in read_set(Path(args.set)) if (row.max_distance or 0) >= least)
    if args.min_distance is not None:
        raise InputError("--min-distance belongs to --set; a list of --ids has no distances")
    return read_ids(args.ids)
