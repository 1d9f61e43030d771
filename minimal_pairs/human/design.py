"""Sheets for human judgments by forced choice: which of two sentences sounds more acceptable?

As in the paper's validation: 5 pairs of each of the 67 paradigms, mixed with attention checks. A design has two
versions. In version ``a`` the good sentence comes first in half of the pairs (of each paradigm, as nearly as an odd
number allows), in version ``b`` in the other half, so that over both versions every pair is seen equally often in both
orders; give each judge one version. Items are in random order, a different one in each version, with one attention
check in each of equally long stretches. Everything depends on the seed and the pairs, not on the order of the input.

Only the key tells which sentence is good: a separate file that the judges must not see. File formats:
    ``docs/minimal_pairs_human.md``.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from dibimt_common.files import write_files
from dibimt_metric.errors import InputError, shown
from dibimt_metric.score_measures import parse_option

from ..records import Pair
from ..scoring.sampling import sample_each
from .sheets import ANSWER, COLUMNS, Format, KeyRow

if TYPE_CHECKING:
    import numpy as np

PER_PARADIGM = 5
N_CHECKS = 20
VERSIONS = ("a", "b")

CHECKS: tuple[tuple[str, str], ...] = (
    ("My neighbor waters the tomatoes every evening.", "Every tomatoes neighbor evening the waters my."),
    ("The bus to the station was late again.", "Late the was to station bus again the."),
    ("Please leave your wet shoes by the door.", "Door your by shoes please the wet leave."),
    ("We had soup and fresh bread for lunch.", "Bread lunch for had and we soup fresh."),
    ("The baker opens his shop at six.", "Six at shop his baker opens the."),
    ("It rained so hard that the cellar flooded.", "Flooded that hard it cellar the rained so."),
    ("I forgot my umbrella on the train.", "Train umbrella on my the forgot I."),
    ("Both windows of the kitchen face the garden.", "Face of garden windows the both the kitchen."),
    ("Her uncle repairs old clocks in the attic.", "Attic old in uncle clocks the her repairs."),
    ("The library closes early on Saturdays.", "Saturdays early the on closes library."),
    ("They painted the fence green last spring.", "Green last painted spring they fence the."),
    ("A cold wind blew across the empty square.", "Square empty a the blew cold across wind."),
    ("The nurse wrote the number on a card.", "Card a nurse the on number wrote the."),
    ("You can park behind the town hall.", "Hall behind park the you town can."),
    ("Our old cat sleeps under the piano.", "Piano cat the old under our sleeps."),
    ("He carried both suitcases up the stairs.", "Stairs up both he the suitcases carried."),
    ("The soup needs a little more salt.", "Salt a soup more the needs little."),
    ("She planted three apple trees behind the barn.", "Barn apple behind three trees she the planted."),
    ("The children built a hut from branches.", "Branches a children from hut the built."),
    ("My brother learned to swim in this lake.", "Lake in to my this learned swim brother."),
    ("The last ferry leaves at half past nine.", "Nine the past last at leaves half ferry."),
    ("I keep the spare key in a drawer.", "Drawer a key I in the spare keep."),
    ("The meeting lasted longer than we had planned.", "Planned the longer had than meeting we lasted."),
    ("Snow covered the roofs of the village.", "Village the of covered the snow roofs."),
)
"""Attention checks, good and bad sentence of each: a plain sentence, and the same words in no order at all.

Nobody who reads them can hesitate, whatever variety of English they speak. They resemble no paradigm of BLiMP.
"""


@dataclass(frozen=True, slots=True)
class Design:
    """Sheets before they are written.

    Attributes:
        rows: of both versions, each version in the order of its sheet.
        short: paradigms with fewer pairs than wanted, and their number of pairs: all were taken.
        identical: number of pairs that could not be drawn because both sentences are the same.
    """

    rows: tuple[KeyRow, ...]
    seed: int
    short: tuple[tuple[str, int], ...] = ()
    identical: int = 0

    def version(self, name: str) -> tuple[KeyRow, ...]:
        """The rows of a version, in the order of its sheet."""
        return tuple(row for row in self.rows if row.version == name)


class _Item(NamedTuple):
    """A pair or check that judges see; ``pair`` is ``None`` for a check."""

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
    """Choose the pairs, the orders of their sentences and the order of items.

    Args:
        pairs: of a data set, in any order.
        per_paradigm: pairs of each paradigm; all pairs of one that has fewer.
        n_checks: attention checks in each version; 0: none.
        checks: good and bad sentence of each check, at least ``n_checks``; the default ones are English.
        seed: 0 or more.

    Raises:
        InputError: there is no pair to judge, there are too few checks, or a number is out of range.
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
    import numpy as np  # `sample_each` has already reported if it is missing

    generator = np.random.default_rng([seed, 1])
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
        raise InputError(f"n_checks is {shown(n_checks)}; expected a non-negative integer")
    if n_checks > available:
        raise InputError(
            f"{n_checks} attention checks are wanted, but only {available} given; give more checks, or choose a "
            "smaller number"
        )


def _sizes(pairs: Sequence[Pair]) -> list[int]:
    """Number of pairs in each paradigm, in the order of the sample, where the pairs of a paradigm are together."""
    sizes: dict[str, int] = {}
    for pair in pairs:
        sizes[pair.paradigm] = sizes.get(pair.paradigm, 0) + 1
    return list(sizes.values())


def _orders(sizes: Sequence[int], generator: np.random.Generator) -> list[bool]:
    """Whether the good sentence comes first: in half of each paradigm; every other odd one has one more."""
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


def _rows(version: str, items: Sequence[_Item], first: Sequence[bool], order: Sequence[int]) -> Iterator[KeyRow]:
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
        design: result of `design_sheets`.
        folder: for ``sheet_a.tsv`` and ``sheet_b.tsv``, to be handed out; created if missing.
        key: file of the key, always JSONL; outside the folder, so that it is not handed out with it.
        file_format: ``tsv`` or ``jsonl``.
        force: whether existing files may be overwritten.

    Raises:
        InputError: the key is in the folder, or a file exists or cannot be written.
    """
    chosen = parse_option(Format, file_format, "format")
    if folder.resolve() in key.resolve().parents:
        raise InputError(
            f"the key {key} is in the folder of the sheets {folder}; keep it separate from what judges get"
        )
    texts = {folder / f"sheet_{name}.{chosen.value}": _sheet(design.version(name), chosen) for name in VERSIONS}
    texts[key] = "".join(_line(asdict(row)) for row in design.rows)
    there = [str(path) for path in texts if path.exists()]
    if there and not force:
        raise InputError(f"already exists: {', '.join(there)}; choose other names, or allow overwriting")
    try:
        for path in texts:
            path.parent.mkdir(parents=True, exist_ok=True)
        write_files(texts)
    except OSError as error:
        raise InputError(f"cannot write {error.filename}: {error.strerror or error}; choose another place") from error
    return tuple(texts)


def _sheet(rows: Iterable[KeyRow], file_format: Format) -> str:
    """What a judge sees: the item's name, two sentences, space for the answer."""
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
