"""Bins of distance: fixed tables, the same for every system, so that scores of different runs can be compared.

A row falls into a bin by its ``max_distance``. Each kind of phenomenon has two groups:

* ``minimum``: ``All``, then growing minimum distances, each inside the one before (paper, Table 5);
* ``exact``: ranges that do not overlap and together hold every row with a distance.

Lexical distances are words between dependent and head; most are 0 to 3. Reordering distances begin at 5 unless the
extraction was asked for another minimum, so their bins are wider and the first one is open downwards.
"""

from __future__ import annotations

from typing import NamedTuple

from .results import Bin

VERSION = "1"
"""Raised whenever a bin changes; part of the signature."""


class Bins(NamedTuple):
    """The two groups of bins of a phenomenon."""

    minimum: tuple[Bin, ...]
    exact: tuple[Bin, ...]


ALL = Bin("All", 0)
"""Every row, also one without a distance."""

LEXICAL = Bins(
    minimum=(ALL, Bin(">=1", 1), Bin(">=2", 2), Bin(">=3", 3)),
    exact=(Bin("=0", 0, 0), Bin("=1", 1, 1), Bin("=2", 2, 2), Bin("=3", 3, 3), Bin(">=4", 4)),
)
REORDERING = Bins(
    minimum=(ALL, Bin(">=8", 8), Bin(">=12", 12), Bin(">=16", 16)),
    exact=(Bin("<=7", 0, 7), Bin("8-11", 8, 11), Bin("12-15", 12, 15), Bin(">=16", 16)),
)
UNDIVIDED = Bins(minimum=(ALL,), exact=())
"""For sets without distances, such as lines chosen by number."""

_REORDERING = ("reordering", "reordering_normalized", "reordering_crossing")


def bins_for(phenomenon: str) -> Bins:
    """The bins of a phenomenon; those of lexical phenomena for every name that is no reordering.

    >>> [bin.name for bin in bins_for("particle").minimum]
    ['All', '>=1', '>=2', '>=3']
    """
    return REORDERING if phenomenon in _REORDERING else LEXICAL


def is_inside(distance: int | None, bin: Bin) -> bool:
    """Whether a row of that ``max_distance`` belongs to the bin.

    >>> [is_inside(2, bin) for bin in LEXICAL.minimum]
    [True, True, True, False]
    >>> [is_inside(None, bin) for bin in LEXICAL.minimum]
    [True, False, False, False]
    """
    if distance is None:
        return bin == ALL
    return bin.minimum <= distance and (bin.maximum is None or distance <= bin.maximum)
