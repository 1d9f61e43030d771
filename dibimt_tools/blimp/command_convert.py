"""Convert the 67 released files of BLiMP to one data set, with all fields, phenomena and known faults.

  dibimt blimp convert --source blimp-master.zip --out blimp
  dibimt blimp convert --download --out blimp

The source is the folder data/ of github.com/alexwarstadt/blimp, a folder above it, or a zip of it. Load the result with
load_dataset("blimp", "wh_island"), or "island_effects", or "all"; "wh_island-corrected" is the corrected variant.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ..options import add_force_option
from ..output import emit, progress

if TYPE_CHECKING:
    from minimal_pairs.conversion.conversion import Conversion


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``dibimt blimp convert``."""
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--source", metavar="DIR|ZIP", help="the 67 released files, at any depth")
    source.add_argument(
        "--download", action="store_true", help="download them from github.com (a fixed commit, verified by checksum)"
    )
    parser.add_argument("--out", required=True, metavar="DIR", help="folder for the data set")
    parser.add_argument(
        "--corrected",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="also write the corrected variant (default: yes)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_force_option(parser)


def run(args: argparse.Namespace) -> int:
    """Convert; print counts and known faults."""
    from minimal_pairs.conversion.convert import convert

    conversion = convert(args.source, args.out, corrected=args.corrected, force=args.force, progress=progress)
    emit(conversion.text().rstrip("\n") if args.json else _text(conversion, Path(args.out)))
    return 0


def _text(conversion: Conversion, out: Path) -> str:
    from dibimt_common.format import aligned

    if conversion.changed:
        origin = f"{len(conversion.changed)} files differ from the release: {', '.join(conversion.changed)}"
    else:
        origin = "all files have the checksums of the release"
    faults = [(issue, f"{count:,}") for issue, count in conversion.issues]
    corrected = "" if conversion.corrected is None else f", {conversion.corrected:,} in the corrected variant"
    return "\n".join(
        (
            f"{out}: {conversion.pairs:,} pairs of {len(conversion.paradigms)} paradigms{corrected}",
            origin,
            "",
            *aligned(("issue", "pairs"), faults, {1}),
            "",
            f"signature: {conversion.signature}",
        )
    )
