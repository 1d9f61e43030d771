"""Links as text (Pharaoh format), their check against two sentences, and symmetrizations by name."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum

from dibimt_metric.errors import InputError, shown
from dibimt_metric.score_measures import parse_option

from ..records import Link

# A weight after a colon is ignored: programs that write weights list only the links that they chose.
_LINK = re.compile(r"([0-9]+)-([0-9]+)(?::[0-9][0-9.eE+-]*)?", re.ASCII)
_POSSIBLE_LINK = re.compile(r"[0-9]+[?p][0-9]+", re.ASCII)


class Symmetrization(str, Enum):
    """How the alignments of the two directions become one (Och and Ney, 2003; Koehn, Och and Marcu, 2003).

    Attributes:
        FORWARD: of the source-to-target model alone: at most one link for a target word.
        BACKWARD: of the target-to-source model alone: at most one link for a source word.
        INTERSECTION, UNION: links of both models, of either model.
        GROW: the intersection, and links of the union next to a link if one of the two words has none yet.
        GROW_DIAG: the same, also with diagonal neighbors.
        GROW_DIAG_FINAL: then every link of the union with a word that still has none.
        GROW_DIAG_FINAL_AND: then every link of the union with two words that still have none.
        OCH: the intersection, and links next to one, as long as no link has neighbors in both its row and its column
            ("refined method").
    """

    FORWARD = "forward"
    BACKWARD = "backward"
    INTERSECTION = "intersection"
    UNION = "union"
    GROW = "grow"
    GROW_DIAG = "grow-diag"
    GROW_DIAG_FINAL = "grow-diag-final"
    GROW_DIAG_FINAL_AND = "grow-diag-final-and"
    OCH = "och"


def as_symmetrization(name: str) -> Symmetrization:
    """The symmetrization of that name, or an `InputError`.

    >>> as_symmetrization("grow-diag").name
    'GROW_DIAG'
    """
    return parse_option(Symmetrization, name, "symmetrization")


def parse_pharaoh(text: str) -> frozenset[Link]:
    """The links of one sentence pair: ``source-target``, both counted from 0, separated by spaces.

    An empty text is an alignment without links. A repeated link is one link. A weight (``0-0:0.5``) is ignored. The
    "possible" links of some gold standards (``0?1``, ``0p1``) are rejected: sets with and without them differ, and the
    choice is the user's.

    >>> sorted(parse_pharaoh("1-2 0-0"))
    [(0, 0), (1, 2)]
    """
    return frozenset(map(_parse_link, text.split()))


def format_pharaoh(links: Iterable[Link]) -> str:
    """The links as text, in order of source, then target token.

    >>> format_pharaoh({(1, 2), (0, 0)})
    '0-0 1-2'
    """
    return " ".join(f"{i}-{j}" for i, j in sorted(links))


def check_links(links: Iterable[Link], n: int, m: int) -> None:
    """An `InputError` with the smallest link that is not inside sentences of n source and m target tokens."""
    # min() instead of the first one: a set has no order, and messages must not change from run to run.
    wrong = min((link for link in links if not (0 <= link[0] < n and 0 <= link[1] < m)), default=None)
    if wrong is None:
        return
    i, j = wrong
    side, token, length = ("target", j, m) if 0 <= i < n else ("source", i, n)
    raise InputError(
        f"link {i}-{j}: there is no {side} token {token}; the sentence has {length}, counted from 0. The "
        "alignment was made with other tokens, or counts from 1: align the tokens that are used here"
    )


def _parse_link(text: str) -> Link:
    match = _LINK.fullmatch(text)
    if match is not None:
        return int(match[1]), int(match[2])
    if _POSSIBLE_LINK.fullmatch(text):
        raise InputError(
            f"{shown(text)} is a possible link of a gold standard; remove such links, or write them with '-' to "
            "include them"
        )
    raise InputError(f"{shown(text)} is not a link; expected source-target, counted from 0, such as 0-0 or 3-7")
