"""The record of a conversion, ``conversion.json`` next to the files.

It contains no path and no time, so that the same release gives the same bytes.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from dibimt_metric.errors import InputError

from ..paradigms import Paradigm
from ..reading.sources import CONVERTED
from ..records import ISSUES, Pair

FORMAT = "blimp-conversion/1"
"""Identifies ``conversion.json`` and its format."""


@dataclass(frozen=True, slots=True)
class Counts:
    """The counts of a converted paradigm.

    Attributes:
        pairs: as published.
        corrected: pairs of the corrected variant; ``None``: it was not made.
        issues: pairs with each of `ISSUES`, omitting zero counts.
    """

    name: str
    phenomenon: str
    pairs: int
    corrected: int | None
    issues: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Conversion:
    """A conversion and its findings.

    Attributes:
        changed: paradigms whose file is not the released one.
        paradigms: in the order of `PARADIGMS`.
        digest: first 12 hexadecimal digits of the SHA-256 over all source files.
    """

    changed: tuple[str, ...]
    paradigms: tuple[Counts, ...]
    digest: str
    version: str

    @property
    def pairs(self) -> int:
        """Pairs as published."""
        return sum(counts.pairs for counts in self.paradigms)

    @property
    def corrected(self) -> int | None:
        """Pairs of the corrected variant; ``None``: it was not made."""
        numbers = [counts.corrected for counts in self.paradigms]
        return sum(number for number in numbers if number is not None) if None not in numbers else None

    @property
    def issues(self) -> tuple[tuple[str, int], ...]:
        """Pairs with each of `ISSUES`, in their order; a pair with two of them counts twice."""
        totals: Counter[str] = Counter()
        for counts in self.paradigms:
            totals.update(dict(counts.issues))
        return tuple((issue, totals[issue]) for issue in ISSUES)

    @property
    def signature(self) -> str:
        """Names the data and the version of the program."""
        return f"blimp|data:{self.digest}|version:{self.version}"

    def text(self) -> str:
        """As JSON, the same for equal conversions."""
        return json.dumps({"format": FORMAT, **asdict(self), "signature": self.signature}, indent=1) + "\n"


def count(paradigm: Paradigm, published: Sequence[Pair], corrected: Sequence[Pair] | None) -> Counts:
    """Count the pairs of a paradigm: as published, with marked issues, and corrected (``None``: not made)."""
    found = Counter(issue for pair in published for issue in pair.issues)
    issues = tuple((issue, found[issue]) for issue in ISSUES if found[issue])
    n_corrected = None if corrected is None else len(corrected)
    return Counts(paradigm.name, paradigm.phenomenon, len(published), n_corrected, issues)


def read_conversion(folder: Path) -> Conversion | None:
    """The record in a converted folder; ``None``: `convert` did not write this folder."""
    path = folder / CONVERTED
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read ({error}); convert again") from error
    if not isinstance(record, Mapping) or record.get("format") != FORMAT:
        raise InputError(f"{path}: is not a record of format {FORMAT!r}; convert again")
    paradigms = tuple(
        Counts(**{**counts, "issues": tuple((issue, number) for issue, number in counts["issues"])})
        for counts in record["paradigms"]
    )
    return Conversion(tuple(record["changed"]), paradigms, record["digest"], record["version"])
