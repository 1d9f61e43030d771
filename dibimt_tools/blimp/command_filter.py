"""Write the pairs that pass a filter, as JSON Lines with the columns of the converted data.

  dibimt blimp filter --data blimp --vocabulary babylm.txt --out blimp.babylm.jsonl
  dibimt blimp filter --data sling.zip --phenomena Anaphor --out anaphor.jsonl
  dibimt blimp filter --data mine.tsv --columns sentence_good=1 sentence_bad=2 --out mine.jsonl

--vocabulary keeps a pair if all words of both sentences are in the list, or all their parts (doesn't: does and n't).
The command reads any known format, so it also converts. 'dibimt blimp score' takes the same options.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..options import add_force_option
from ..output import check_outputs, emit, to_json, write_files
from .data import add_data_options, input_files, load_data

if TYPE_CHECKING:
    from .data import Data


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``dibimt blimp filter``."""
    add_data_options(parser)
    group = parser.add_argument_group("output")
    group.add_argument("--out", required=True, metavar="FILE.jsonl", help="file for the pairs")
    group.add_argument("--json", action="store_true", help="print JSON")
    add_force_option(group)


def run(args: argparse.Namespace) -> int:
    """Write the pairs; print how many of each paradigm are left."""
    from minimal_pairs.conversion.schema import jsonl

    check_outputs([args.out], args.force, input_files(args))
    data = load_data(args)
    write_files({Path(args.out): jsonl(data.chosen)}, args.force)
    emit(to_json(_record(data)) if args.json else _text(data))
    return 0


def _counts(data: Data) -> dict[str, tuple[int, int]]:
    """For each paradigm: pairs left, all pairs."""
    counts: dict[str, tuple[int, int]] = dict.fromkeys((pair.paradigm for pair in data.everything), (0, 0))
    for pair in data.everything:
        left, total = counts[pair.paradigm]
        counts[pair.paradigm] = (left, total + 1)
    for pair in data.chosen:
        left, total = counts[pair.paradigm]
        counts[pair.paradigm] = (left + 1, total)
    return counts


def _text(data: Data) -> str:
    from dibimt_common.format import aligned, wrapped

    rows = [(name, f"{left:,}", f"{total:,}") for name, (left, total) in _counts(data).items()]
    total = ("all", f"{len(data.chosen):,}", f"{len(data.everything):,}")
    table = aligned(("paradigm", "left", "of"), [total, *rows], {1, 2})
    return "\n".join((*table, *([""] if data.remarks else []), *wrapped(data.remarks)))


def _record(data: Data) -> dict[str, Any]:
    paradigms = {name: {"left": left, "of": total} for name, (left, total) in _counts(data).items()}
    return {"left": len(data.chosen), "of": len(data.everything), "paradigms": paradigms, "notes": list(data.remarks)}
