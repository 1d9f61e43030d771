"""Links as text (Pharaoh format), their check against two sentences, and the names of symmetrizations."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum

from dibimt_metric.errors import InputError, shown

from ..records import Link

# A weight behind a colon is read over: programs that write one list the links that they decided for.
_LINK = re.compile(r"([0-9]+)-([0-9]+)(?::[0-9][0-9.eE+-]*)?", re.ASCII)
_POSSIBLE_LINK = re.compile(r"[0-9]+[?p][0-9]+", re.ASCII)


class Symmetrization(str, Enum):
    """How the alignments of the two directions become one (Och and Ney, 2003; Koehn, Och and Marcu, 2003).

    Attributes:
        FORWARD: that of the source-to-target model alone: at most one link for a target word.
        BACKWARD: that of the target-to-source model alone: at most one link for a source word.
        INTERSECTION, UNION: links of both, of any of the two.
        GROW: the intersection, and links of the union beside a link, where one of the two words has none yet.
        GROW_DIAG: the same, diagonal neighbors too.
        GROW_DIAG_FINAL: then every link of the union one of whose words still has none.
        GROW_DIAG_FINAL_AND: then every link of the union both of whose words still have none.
        OCH: the intersection, and links beside one, as long as no link has neighbors both in its row and in its
            column ("refined method").
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
    """The symmetrization of a name.

    Raises:
        InputError: there is none of that name.

    >>> as_symmetrization("grow-diag").name
    'GROW_DIAG'
    """
    try:
        return Symmetrization(name)
    except ValueError:
        names = ", ".join(each.value for each in Symmetrization)
        raise InputError(f"unknown symmetrization {shown(name)}; choose one of {names}") from None


def parse_pharaoh(text: str) -> frozenset[Link]:
    """The links of one sentence pair: ``source-target``, both counted from 0, separated by blanks.

    An empty text is an alignment without links. A link that stands twice is one link. A weight (``0-0:0.5``) is
    read over. The "possible" links of some gold standards (``0?1``, ``0p1``) are refused, because sets with and
    without them differ and the choice is the user's.

    Raises:
        InputError: something is no link.

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
    """Check that all links point into the sentences.

    Args:
        links: the alignment.
        n: source tokens.
        m: target tokens.

    Raises:
        InputError: a token does not exist. The smallest such link is named.
    """
    # min() and not the first one met: a set has no order, and messages must not change from run to run.
    wrong = min((link for link in links if not (0 <= link[0] < n and 0 <= link[1] < m)), default=None)
    if wrong is None:
        return
    i, j = wrong
    side, token, length = ("target", j, m) if 0 <= i < n else ("source", i, n)
    raise InputError(
        f"link {i}-{j}: there is no {side} token {token}; the sentence has {length}, counted from 0. The "
        "alignment was made from other tokens, or counts from 1: align the tokens that are used here"
    )


def _parse_link(text: str) -> Link:
    match = _LINK.fullmatch(text)
    if match is None:
        raise InputError(_complaint(text))
    return int(match[1]), int(match[2])


def _complaint(text: str) -> str:
    if _POSSIBLE_LINK.fullmatch(text):
        return (
            f"{shown(text)} is a possible link of a gold standard; leave such links out, or write them with '-' "
            "to count them in"
        )
    return f"{shown(text)} is no link; expected source-target, counted from 0, such as 0-0 or 3-7"
