"""Options of the ``blimp`` commands that select pairs, and the pairs they select."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from .quiet import without_warnings

if TYPE_CHECKING:
    from minimal_pairs.records import Pair

_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Data:
    """The pairs that a command works on.

    Attributes:
        everything: all pairs of the data set, in its order. chosen: those that pass the filters.
        remarks: sentences on the dropped pairs.
    """

    everything: tuple[Pair, ...]
    chosen: tuple[Pair, ...]
    remarks: tuple[str, ...]


def add_data_options(parser: argparse.ArgumentParser) -> None:
    """The source of the pairs, and filters."""
    _add_source_options(parser)
    _add_filter_options(parser)


def _add_source_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("data")
    group.add_argument(
        "--data",
        required=True,
        metavar="DIR|FILE|NAME",
        help="file, folder or zip of pairs (.jsonl, .json, .tsv, .csv; .txt for Zorro), or the name of a data set on "
        "the Hub to download, such as nyu-mll/blimp",
    )
    group.add_argument(
        "--format",
        metavar="NAME",
        help="blimp, blimp-nl, sling, multiblimp, rublimp, zorro or pairs (default: by the columns)",
    )
    group.add_argument(
        "--columns",
        nargs="+",
        action="extend",
        metavar="FIELD=COLUMN",
        help="your own columns, such as sentence_good=ok sentence_bad=wrong paradigm=type; 1-based numbers if a table "
        "has no header",
    )
    group.add_argument(
        "--renumber", action="store_true", help="renumber the pairs of each paradigm and ignore their ids"
    )
    group.add_argument(
        "--configuration",
        nargs="+",
        action="extend",
        metavar="NAME",
        help="configurations of a data set on the Hub (default: all)",
    )
    group.add_argument("--split", metavar="NAME", help="split of a data set on the Hub (default: train)")
    group.add_argument("--data-revision", metavar="NAME", help="revision of a data set on the Hub")


def _add_filter_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("selection of pairs (default: all)")
    group.add_argument(
        "--paradigms",
        nargs="+",
        action="extend",
        metavar="NAME",
        help="only these paradigms; 'dibimt blimp paradigms' lists those of BLiMP",
    )
    group.add_argument("--phenomena", nargs="+", action="extend", metavar="NAME", help="only these phenomena")
    group.add_argument(
        "--vocabulary",
        metavar="FILE",
        help="only pairs whose words are all in this list, one per line (case-insensitive)",
    )


def load_data(args: argparse.Namespace) -> Data:
    """The pairs that the options select.

    Raises:
        InputError: the data cannot be read, or no pair is left.
    """
    from dibimt_metric.errors import InputError

    with without_warnings():
        everything = tuple(_read(args))
        chosen, remarks = _filtered(everything, args)
    if not chosen:
        why = f" ({'; '.join(remark.rstrip('.') for remark in remarks)})" if remarks else ""
        raise InputError(f"{args.data}: none of {len(everything):,} pairs is left{why}; choose other pairs")
    return Data(everything, chosen, tuple(remarks))


def is_filtered(args: argparse.Namespace) -> bool:
    """Whether a filter may have dropped pairs."""
    return any((args.paradigms, args.phenomena, args.vocabulary))


def input_files(args: argparse.Namespace) -> tuple[str | None, ...]:
    """The files that are read, for `check_outputs`."""
    return (args.data if Path(args.data).is_file() else None, args.vocabulary)


def _read(args: argparse.Namespace) -> Iterator[Pair]:
    from dibimt_metric.errors import InputError
    from minimal_pairs.reading.read import read_dataset, read_pairs

    hub = {"--configuration": args.configuration, "--split": args.split, "--data-revision": args.data_revision}
    if _is_path(args.data):
        if given := [name for name, value in hub.items() if value is not None]:
            raise InputError(
                f"{', '.join(given)}: for data sets on the Hub only, and {args.data} is a path; omit it, or name "
                "a file of the folder"
            )
        columns = None if args.columns is None else _columns(args.columns)
        return read_pairs(args.data, args.format, columns=columns, renumber=args.renumber)
    files = {"--columns": args.columns, "--renumber": args.renumber or None}
    if given := [name for name, value in files.items() if value is not None]:
        raise InputError(f"{', '.join(given)}: for files only, and {args.data} is a name; save the data as a file")
    return read_dataset(
        args.data, args.configuration, split=args.split or "train", format=args.format, revision=args.data_revision
    )


def _is_path(data: str) -> bool:
    """Whether it is a path: anything that cannot be a name on the Hub, even if it does not exist."""
    from dibimt_metric.items_data_rows import HUB_NAME

    return Path(data).exists() or not HUB_NAME.fullmatch(data) or Path(data).suffix != ""


def _columns(values: Sequence[str]) -> dict[str, str]:
    from dibimt_metric.errors import InputError

    columns: dict[str, str] = {}
    for value in values:
        field, equals, column = value.partition("=")
        if not equals or not column:
            raise InputError(f"--columns {value}: expected FIELD=COLUMN, such as sentence_good=ok")
        columns[field] = column
    return columns


def _filtered(pairs: tuple[Pair, ...], args: argparse.Namespace) -> tuple[tuple[Pair, ...], list[str]]:
    remarks: list[str] = []
    if args.phenomena:
        _check("phenomenon", args.phenomena, (pair.phenomenon for pair in pairs))
    if args.paradigms:
        _check("paradigm", args.paradigms, (pair.paradigm for pair in pairs))
    left = tuple(
        pair
        for pair in pairs
        if (not args.phenomena or pair.phenomenon in args.phenomena)
        and (not args.paradigms or pair.paradigm in args.paradigms)
    )
    if len(left) < len(pairs):
        remarks.append(f"Chosen: {len(left):,} of {len(pairs):,} pairs, by --phenomena and --paradigms.")
    if args.vocabulary is not None:
        left, remark = _known(left, args.vocabulary)
        remarks.append(remark)
    return left, remarks


def _check(what: str, wanted: Iterable[str], there: Iterable[str | None]) -> None:
    from dibimt_metric.errors import InputError, shown

    known = list(dict.fromkeys(name for name in there if name is not None))
    for name in wanted:
        if name not in known:
            close = get_close_matches(name, known, _SHOWN, 0.5) or known[:_SHOWN]
            some = (
                f"there are {len(known)}, such as {', '.join(map(shown, close))}" if known else "the data contain none"
            )
            raise InputError(f"no {what} {shown(name)} in the data; {some}")


def _known(pairs: tuple[Pair, ...], vocabulary: str) -> tuple[tuple[Pair, ...], str]:
    from minimal_pairs.reading.vocabulary import keep_pairs, read_vocabulary

    kept = keep_pairs(pairs, read_vocabulary(vocabulary))
    words = ", ".join(f"{word} ({count:,})" for word, count in kept.unknown[:_SHOWN])
    most = f"; most often unknown: {words}" if words else ""
    remark = f"Vocabulary {Path(vocabulary).name}: {len(kept.pairs):,} of {len(pairs):,} pairs kept{most}."
    return kept.pairs, remark
