"""The 67 released files as pairs of the schema, without changes or losses."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace

from dibimt_metric.errors import InputError, shown

from ..paradigms import PARADIGMS
from ..reading.formats import format_named
from ..reading.pairs import Numbering, PairMaker
from ..reading.rows import TableRow, json_rows
from ..reading.sources import Source, decode, list_sources
from ..records import Pair
from .schema import NYU_MLL

_CORE = frozenset(NYU_MLL) - {"pair_id"} | {"pairID"}
_ONE = frozenset({"one_prefix_prefix", "one_prefix_word_good", "one_prefix_word_bad"})
_TWO = frozenset({"two_prefix_prefix_good", "two_prefix_prefix_bad", "two_prefix_word"})
_SOME = frozenset({"dependency_length", "crucial_item"})
_ENDING = ".jsonl"


def find_files(path: str | os.PathLike[str]) -> dict[str, Source]:
    """The released files in a folder or zip, at any depth, by paradigm in the order of `PARADIGMS`."""
    found: defaultdict[str, list[Source]] = defaultdict(list)
    for source in list_sources(path):
        if source.path.suffix == _ENDING:
            found[source.path.stem].append(source)
    missing = [paradigm.name for paradigm in PARADIGMS if paradigm.name not in found]
    if missing:
        more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
        named = ", ".join(name + _ENDING for name in missing[:3])
        raise InputError(
            f"{path}: {len(missing)} of the {len(PARADIGMS)} files are missing: {named}{more}; name the folder data/ "
            "of github.com/alexwarstadt/blimp, its parent, or a zip of them"
        )
    for paradigm in PARADIGMS:
        if len(sources := found[paradigm.name]) > 1:
            raise InputError(
                f"{path}: contains {paradigm.name}{_ENDING} in several places ({sources[0].path}, {sources[1].path}); "
                "name the folder that is to be converted"
            )
    return {paradigm.name: found[paradigm.name][0] for paradigm in PARADIGMS}


def read_file(paradigm: str, content: bytes, name: str) -> Iterator[Pair]:
    """The pairs of a released file; ``field`` keeps its spelling.

    Raises:
        InputError: as for `read_pairs`; a pair is of another paradigm; a column of the release is missing, or there is
            a column outside the release, which would be lost.
    """
    numbering = Numbering()
    maker = PairMaker(format_named("blimp"), paradigm)
    empty = True
    for row in json_rows(decode(content, name), name):
        empty = False
        _check(row, paradigm)
        pair = numbering.check(maker.make(row, numbering.next), row.place)
        yield replace(pair, field=str(row.columns["field"])) if row.columns["field"] != pair.field else pair
    if empty:
        raise InputError(f"{name}: contains no pair")


def _check(row: TableRow, paradigm: str) -> None:
    columns = row.columns
    _check_columns(columns, row.place)
    if columns["UID"] != paradigm:
        raise InputError(
            f"{row.place}: UID is {shown(columns['UID'])}, but the file is that of {paradigm!r}; each paradigm has its "
            "own file"
        )
    number = columns["pairID"]
    if not (isinstance(number, str) and number.isascii() and number.isdigit() and int(number[:12]) < 1 << 31):
        raise InputError(f'{row.place}: pairID is {shown(number)}; expected a number in quotes, such as "17"')


def _check_columns(columns: Mapping[str, object], place: str) -> None:
    """The columns of the release: all have the core, some those of a prefix method, a few one more."""
    here = columns.keys()
    needed = _CORE | (_ONE if here & _ONE else frozenset()) | (_TWO if here & _TWO else frozenset())
    if missing := sorted(needed - here):
        raise InputError(f"{place}: no column {missing[0]!r}, which every released file of this kind has")
    if unknown := sorted(here - needed - _SOME):
        raise InputError(
            f"{place}: the column {unknown[0]!r} is not in the release and would be lost; remove it, or read the file "
            "without converting it"
        )
    if empty := next((name for name in sorted(_CORE) if columns[name] in (None, "")), None):
        raise InputError(f"{place}: {empty} is empty")
