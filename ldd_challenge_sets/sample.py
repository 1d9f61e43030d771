"""The open sample: 182 German-English sentence pairs, and translations by two invented systems.

Sentences, trees, links and translations were written for this project, see the card of the folder (``README.md``). The
files have the formats of an extraction.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from dibimt_metric.errors import InputError, shown

from .extraction.rows import read_rows
from .phenomena.reordering import MEASURES
from .records import BASELINE, LddRow

SAMPLE_PAIRS = ("de-en", "en-de")
_STRANDING = ("preposition_stranding", "preposition_stranding_extended")
SAMPLE_CONFIGURATIONS = tuple(
    f"{pair}-{name}"
    for pair, more in zip(SAMPLE_PAIRS, ((), _STRANDING), strict=True)
    for name in ("particle", "reflexive", *more, *MEASURES, BASELINE)
)
SAMPLE_SYSTEMS = ("careful", "literal")
"""``careful`` gives the reference or a paraphrase; ``literal`` mixes these with word-by-word translations that tend to
lose a particle, a reflexive or a stranded preposition far from its verb. Both are invented."""

_FOLDER = Path(__file__).parent


@cache
def sample_rows(configuration: str) -> tuple[LddRow, ...]:
    """The rows of a configuration, in the order of the sentences; see `SAMPLE_CONFIGURATIONS`.

    >>> row = sample_rows("de-en-particle")[0]
    >>> row.source, row.hits[0].dependent_form, row.max_distance
    ('Der Hund wachte auf.', 'auf', 0)
    """
    _check("configuration", configuration, SAMPLE_CONFIGURATIONS)
    return read_rows(_FOLDER / "data" / f"{configuration}.jsonl")


@cache
def sample_system(name: str, pair: str) -> tuple[str, ...]:
    """The translations by one of `SAMPLE_SYSTEMS`: one for each line of the sample, at index ``row.line - 1``.

    >>> sample_system("literal", "de-en")[6]
    'He gave the smoking three years ago.'
    """
    _check("system", name, SAMPLE_SYSTEMS)
    _check("pair", pair, SAMPLE_PAIRS)
    file = _FOLDER / "data" / "sample" / "systems" / f"{name}.{pair.partition('-')[2]}"
    return tuple(file.read_text(encoding="utf-8").splitlines())


def _check(kind: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        raise InputError(f"the sample has no {kind} {shown(value)}; choose one of {', '.join(known)}")
