"""What a conversion was: a record, kept as ``conversion.json`` beside the files.

It names no path and no time, so that the same release gives the same bytes.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from dibimt_metric.errors import InputError

from ..reading.sources import CONVERTED
from ..records import ISSUES, Pair

FORMAT = "blimp-conversion/1"
"""Says what ``conversion.json`` is, and in which form."""


@dataclass(frozen=True, slots=True)
class Counts:
    """A converted paradigm.

    Attributes:
        name: of the paradigm. phenomenon: it belongs to.
        pairs: as published.
        corrected: pairs of the corrected variant, ``None`` where that was not made.
        issues: pairs with each of `ISSUES`, those with none left out.
    """

    name: str
    phenomenon: str
    pairs: int
    corrected: int | None
    issues: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Conversion:
    """What was converted, and what was found.

    Attributes:
        changed: paradigms whose file is not the released one; empty where all are.
        paradigms: in the order of `PARADIGMS`.
        digest: first 12 hexadecimal digits of the SHA-256 over all source files.
        version: of the program.
    """

    changed: tuple[str, ...]
    paradigms: tuple[Counts, ...]
    digest: str
    version: str

    @property
    def pairs(self) -> int:
        """As published."""
        return sum(counts.pairs for counts in self.paradigms)

    @property
    def corrected(self) -> int | None:
        """Pairs of the corrected variant; ``None``: it was not made."""
        numbers = [counts.corrected for counts in self.paradigms]
        return sum(number for number in numbers if number is not None) if None not in numbers else None

    @property
    def issues(self) -> tuple[tuple[str, int], ...]:
        """Pairs with each of `ISSUES`, in their order; a pair with two of them counts in both."""
        totals: Counter[str] = Counter()
        for counts in self.paradigms:
            totals.update(dict(counts.issues))
        return tuple((issue, totals[issue]) for issue in ISSUES)

    @property
    def signature(self) -> str:
        """Names what was converted by what."""
        return f"blimp|data:{self.digest}|version:{self.version}"

    def text(self) -> str:
        """As JSON, the same for equal conversions."""
        return json.dumps({"format": FORMAT, **asdict(self), "signature": self.signature}, indent=1) + "\n"


def count(name: str, phenomenon: str, published: Sequence[Pair], corrected: Sequence[Pair] | None) -> Counts:
    """Count a paradigm.

    Args:
        name: of the paradigm.
        phenomenon: it belongs to.
        published: its pairs, marked.
        corrected: its corrected pairs; ``None``: not made.
    """
    found = Counter(issue for pair in published for issue in pair.issues)
    issues = tuple((issue, found[issue]) for issue in ISSUES if found[issue])
    return Counts(name, phenomenon, len(published), None if corrected is None else len(corrected), issues)


def read_conversion(folder: Path) -> Conversion | None:
    """The record in a converted folder; ``None``: the folder was not converted by `convert`.

    Raises:
        InputError: the file is there and cannot be read.
    """
    path = folder / CONVERTED
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read ({error}); convert anew") from error
    if not isinstance(record, Mapping) or record.get("format") != FORMAT:
        raise InputError(f"{path}: is no record of format {FORMAT!r}; convert anew")
    return _conversion(record)


def _conversion(record: Mapping[str, Any]) -> Conversion:
    paradigms = tuple(
        Counts(**{**counts, "issues": tuple((issue, number) for issue, number in counts["issues"])})
        for counts in record["paradigms"]
    )
    return Conversion(tuple(record["changed"]), paradigms, record["digest"], record["version"])
