"""List the 67 paradigms of BLiMP: phenomenon, field and applicable methods.

  dibimt blimp paradigms
  dibimt blimp paradigms --phenomena binding ellipsis
  dibimt blimp paradigms --method one-prefix --json

The method 'full' applies to every paradigm, 'one-prefix' to 20 and 'two-prefix' to 20 others.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from ..output import emit, to_json

if TYPE_CHECKING:
    from minimal_pairs.paradigms import Paradigm


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``dibimt blimp paradigms``."""
    parser.add_argument(
        "--phenomena", nargs="+", action="extend", metavar="NAME", help="only paradigms of these phenomena"
    )
    parser.add_argument(
        "--method", metavar="full|one-prefix|two-prefix", help="only paradigms to which this method applies"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Print one row per paradigm."""
    from dibimt_common.format import aligned

    found = _chosen(args)
    if args.json:
        emit(to_json([_record(paradigm) for paradigm in found]))
        return 0
    rows = [
        (each.name, each.phenomenon, each.field, " ".join(method.value for method in each.methods)) for each in found
    ]
    emit("\n".join(aligned(("paradigm", "phenomenon", "field", "methods"), rows)))
    return 0


def _chosen(args: argparse.Namespace) -> list[Paradigm]:
    from dibimt_metric.errors import InputError, shown
    from dibimt_metric.score_measures import parse_option
    from minimal_pairs.paradigms import PARADIGMS, PHENOMENA
    from minimal_pairs.records import Method

    for name in args.phenomena or ():
        if name not in PHENOMENA:
            raise InputError(f"no phenomenon {shown(name)}; there are {', '.join(PHENOMENA)}")
    method = None if args.method is None else parse_option(Method, args.method, "method")
    return [
        each
        for each in PARADIGMS
        if (not args.phenomena or each.phenomenon in args.phenomena) and (method is None or method in each.methods)
    ]


def _record(paradigm: Paradigm) -> dict[str, object]:
    return {
        "name": paradigm.name,
        "phenomenon": paradigm.phenomenon,
        "field": paradigm.field,
        "linguistics_term": paradigm.linguistics_term,
        "methods": [method.value for method in paradigm.methods],
    }
