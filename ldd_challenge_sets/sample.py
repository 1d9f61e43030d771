"""The open sample: 182 German-English sentence pairs, and what two invented systems make of them.

Sentences, trees, links and translations were written for this project; the folder's card (``README.md``) says how. The
files are those that an extraction writes, so that whatever works on a challenge set works on the sample.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from dibimt_metric.errors import InputError, shown

from .extraction.rows import read_rows
from .records import BASELINE, Row

SAMPLE_PAIRS = ("de-en", "en-de")
SAMPLE_CONFIGURATIONS = (
    "de-en-particle",
    "de-en-reflexive",
    "de-en-reordering",
    "de-en-reordering_normalized",
    "de-en-reordering_crossing",
    f"de-en-{BASELINE}",
    "en-de-particle",
    "en-de-reflexive",
    "en-de-preposition_stranding",
    "en-de-preposition_stranding_extended",
    "en-de-reordering",
    "en-de-reordering_normalized",
    "en-de-reordering_crossing",
    f"en-de-{BASELINE}",
)
SAMPLE_SYSTEMS = ("careful", "literal")
"""``careful`` gives the reference or says the same in other words; ``literal`` mixes these with word-by-word
ones that tend to lose a particle, a reflexive or a stranded preposition far from its verb. Both are invented."""

_FOLDER = Path(__file__).parent


@cache
def sample_rows(configuration: str) -> tuple[Row, ...]:
    """The rows of a configuration, in the order of the sentences.

    Raises:
        InputError: no such configuration.

    >>> row = sample_rows("de-en-particle")[0]
    >>> row.source, row.hits[0].dependent_form, row.max_distance
    ('Der Hund wachte auf.', 'auf', 0)
    """
    _check("configuration", configuration, SAMPLE_CONFIGURATIONS)
    return read_rows(_FOLDER / "data" / f"{configuration}.jsonl")


@cache
def sample_system(name: str, pair: str) -> tuple[str, ...]:
    """The translations of an invented system: one for every line of the sample, so that ``row.line - 1`` picks one.

    Args:
        name: ``careful`` or ``literal``.
        pair: ``de-en`` or ``en-de``.

    Raises:
        InputError: no such system or pair.

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
