"""Sheets for human judgments by forced choice: which of two sentences sounds more acceptable?

As in the paper's validation: 5 pairs of each of the 67 paradigms, and attention checks among them. A design has two
versions. In version ``a`` the good sentence comes first in one half of the pairs (of each paradigm as nearly as an odd
number allows), in version ``b`` in the other half, so that over both versions every pair is seen in both orders as
often; give each judge one version. Items stand in random order, another one in each version, with one attention
check in each of equal stretches. Everything follows from the seed and the pairs, not from the order of the input.

What tells the good sentence is in the key only, a file that is written apart and kept away from the judges. File
formats: ``docs/minimal_pairs_human.md``.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from dibimt_metric.errors import InputError, shown
from dibimt_metric.score_measures import parse_option

from ..records import Pair
from ..scoring.sampling import sample_each
from .attention import CHECKS
from .sheets import ANSWER, COLUMNS, Format, KeyRow

if TYPE_CHECKING:
    import numpy as np

PER_PARADIGM = 5
N_CHECKS = 20
VERSIONS = ("a", "b")


@dataclass(frozen=True, slots=True)
class Design:
    """Sheets before they are written.

    Attributes:
        rows: of all versions, each version in the order of its sheet.
        seed: of the draw.
        short: paradigms that had fewer pairs than wanted, with their number: all of them are in.
        identical: pairs that could not be drawn because both sentences are the same.
    """

    rows: tuple[KeyRow, ...]
    seed: int
    short: tuple[tuple[str, int], ...] = ()
    identical: int = 0

    def version(self, name: str) -> tuple[KeyRow, ...]:
        """The rows of a version, in the order of its sheet."""
        return tuple(row for row in self.rows if row.version == name)


class _Item(NamedTuple):
    """A pair or check that is put before the judges; ``pair`` is ``None`` for a check."""

    good: str
    bad: str
    pair: Pair | None


def design_sheets(
    pairs: Iterable[Pair],
    per_paradigm: int = PER_PARADIGM,
    *,
    n_checks: int = N_CHECKS,
    checks: Sequence[tuple[str, str]] = CHECKS,
    seed: int = 0,
) -> Design:
    """Choose pairs, orders and places.

    Args:
        pairs: of a data set, in any order.
        per_paradigm: pairs of each paradigm; one that has fewer gives all it has.
        n_checks: attention checks in each version; 0: none.
        checks: good and bad sentence of each check, at least ``n_checks``; the default ones are English.
        seed: 0 or more.

    Raises:
        InputError: there is no pair to judge, too few checks, or a number that cannot be used.
        MissingLibraryError: numpy is missing.

    Example:
        >>> pairs = [Pair(f"Anna sees {i}.", f"Anna see {i}.", "verb", str(i), i, "verb") for i in range(9)]
        >>> design = design_sheets(pairs, 4, n_checks=1)
        >>> [row.kind for row in design.version("a")].count("pair"), sum(row.good == 1 for row in design.rows)
        (4, 5)
    """
    everything = tuple(pairs)
    different = [pair for pair in everything if pair.sentence_good != pair.sentence_bad]
    if not different:
        raise InputError("there is no pair whose sentences differ; sheets need pairs to judge")
    _check_number(n_checks, len(checks))
    sample = sample_each(different, per_paradigm, seed)
    generator = _generator(seed)
    items = [_Item(pair.sentence_good, pair.sentence_bad, pair) for pair in sample.pairs]
    chosen = [checks[int(place)] for place in generator.permutation(len(checks))[:n_checks]]
    controls = [_Item(good, bad, None) for good, bad in chosen]
    first = _orders(_sizes(sample.pairs), generator) + _orders([n_checks], generator)
    rows: list[KeyRow] = []
    for version in VERSIONS:
        order = _places(len(items), n_checks, generator)
        mirrored = version != VERSIONS[0]
        rows.extend(_rows(version, [*items, *controls], [flag != mirrored for flag in first], order))
    return Design(tuple(rows), seed, sample.short, len(everything) - len(different))


def _check_number(n_checks: object, available: int) -> None:
    if isinstance(n_checks, bool) or not isinstance(n_checks, int) or n_checks < 0:
        raise InputError(f"n_checks is {shown(n_checks)}; expected a whole number from 0 on")
    if n_checks > available:
        raise InputError(
            f"{n_checks} attention checks are wanted and {available} given; give more, or want fewer"
        )


def _generator(seed: int) -> np.random.Generator:
    import numpy as np  # the sample, drawn before, has told if it is missing

    return np.random.default_rng([seed, 1])


def _sizes(pairs: Sequence[Pair]) -> list[int]:
    """Pairs in each paradigm, in the order of the sample, in which paradigms are together."""
    sizes: dict[str, int] = {}
    for pair in pairs:
        sizes[pair.paradigm] = sizes.get(pair.paradigm, 0) + 1
    return list(sizes.values())


def _orders(sizes: Sequence[int], generator: np.random.Generator) -> list[bool]:
    """Whether the good sentence comes first: half of each paradigm; of odd ones every other has one more."""
    flags: list[bool] = []
    more = bool(generator.integers(2))
    for size in sizes:
        ahead = size // 2 + (size % 2 and more)
        more ^= bool(size % 2)
        flags.extend(bool(place < ahead) for place in generator.permutation(size))
    return flags


def _places(n_items: int, n_checks: int, generator: np.random.Generator) -> list[int]:
    """The order of a sheet, as positions: first those of the pairs, then (from n_items on) those of the checks."""
    order = [int(place) for place in generator.permutation(n_items)]
    checks = [n_items + int(place) for place in generator.permutation(n_checks)]
    for number, check in reversed([*enumerate(checks)]):
        low, high = (number * n_items // n_checks, (number + 1) * n_items // n_checks)
        order.insert(int(generator.integers(low, max(low + 1, high))), check)
    return order


def _rows(
    version: str, items: Sequence[_Item], first: Sequence[bool], order: Sequence[int]
) -> Iterator[KeyRow]:
    width = len(str(len(order)))
    for number, place in enumerate(order, start=1):
        item, good_first = items[place], first[place]
        sentences = (item.good, item.bad) if good_first else (item.bad, item.good)
        yield KeyRow(
            item=f"{version}{number:0{width}d}",
            version=version,
            kind="check" if item.pair is None else "pair",
            paradigm=item.pair.paradigm if item.pair else None,
            pair_id=item.pair.pair_id if item.pair else None,
            phenomenon=item.pair.phenomenon if item.pair else None,
            sentence_1=sentences[0],
            sentence_2=sentences[1],
            good=1 if good_first else 2,
        )


def write_sheets(
    design: Design, folder: Path, key: Path, file_format: Format | str = Format.TSV, *, force: bool = False
) -> tuple[Path, ...]:
    """Write a sheet for each version, and the key.

    Args:
        design: of `design_sheets`.
        folder: for ``sheet_a.tsv`` and ``sheet_b.tsv``, to be handed out; made if it is not there.
        key: file of the key, always JSONL; must lie outside the folder, so that it is not handed out with it.
        file_format: ``tsv`` or ``jsonl``.
        force: whether files that are there may be overwritten.

    Returns:
        The files written, the key last.

    Raises:
        InputError: the key lies in the folder, a file is there already, or cannot be written.
    """
    chosen = parse_option(Format, file_format, "format")
    if folder.resolve() in key.resolve().parents:
        raise InputError(
            f"the key {key} lies in the folder of the sheets {folder}; keep it apart from what judges get"
        )
    texts = {
        folder / f"sheet_{name}.{chosen.value}": _sheet(design.version(name), chosen) for name in VERSIONS
    }
    texts[key] = "".join(_line(asdict(row)) for row in design.rows)
    there = [str(path) for path in texts if path.exists()]
    if there and not force:
        raise InputError(f"already there: {', '.join(there)}; choose other names, or allow overwriting")
    for path, text in texts.items():
        _write(path, text)
    return tuple(texts)


def _sheet(rows: Iterable[KeyRow], file_format: Format) -> str:
    """What a judge sees: the item's name, two sentences, room for the answer."""
    records = [{"item": row.item, "sentence_1": row.sentence_1, "sentence_2": row.sentence_2} for row in rows]
    if file_format is Format.JSONL:
        return "".join(_line({**record, ANSWER: None}) for record in records)
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, restval="", dialect="excel-tab", lineterminator="\n")
    writer.writeheader()
    writer.writerows(records)
    return text.getvalue()


def _line(record: dict[str, str | int | None]) -> str:
    return json.dumps(record, ensure_ascii=False) + "\n"


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}; choose another place") from error
