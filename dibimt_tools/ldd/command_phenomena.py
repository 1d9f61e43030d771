"""List the phenomena that can be extracted, for one source language or for all languages with rules.

  dibimt ldd phenomena
  dibimt ldd phenomena --language en --definition released

docs/phenomena.md defines each rule and lists what it misses.
"""

from __future__ import annotations

import argparse

from ..output import emit


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``dibimt ldd phenomena``."""
    parser.add_argument("--language", metavar="CODE", help="source language (default: all with rules)")
    parser.add_argument(
        "--definition",
        default="paper",
        metavar="paper|released",
        help="rules of the paper (default), or those of its released sets",
    )


def run(args: argparse.Namespace) -> int:
    """Print one row per phenomenon."""
    from dibimt_common.format import aligned
    from ldd_challenge_sets.phenomena.registry import as_definition, phenomena, phenomena_for

    definition = as_definition(args.definition)
    wanted = None if args.language is None else phenomena_for(args.language, definition)
    rows = []
    for each in phenomena():
        languages = each.languages(definition)
        if languages != () and (wanted is None or each.name in wanted):
            rows.append((each.name, "every" if languages is None else " ".join(languages), each.summary))
    emit("\n".join(aligned(("phenomenon", "source languages", "what it is"), rows)))
    return 0
