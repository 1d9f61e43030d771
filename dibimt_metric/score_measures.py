"""Shared by the count and score stages: one measured number, the options, the checks of an outcome.

These stages know labels and numbers of items, but no text, language or analyzer.

Source of all measures: Martelli et al. 2025, Section 3.4. All of them exclude MISS and UNK, except
the rates and the coverage, which count these very labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from math import fsum
from numbers import Integral
from typing import Any, TypeVar

from .errors import InputError
from .records import Label
from .records import Outcome
from .records import PartOfSpeech

NO_OUTCOME = "no outcome at all"
NO_SCORED = "no GOOD or BAD outcome"
NO_BAD = "no BAD outcome"

BIAS_METRICS = ("accuracy", "sfi", "pdi", "mfs", "mfs_plus")
"""The metrics of the paper, in the order in which they are always reported."""


class Weighting(str, Enum):
    """How SFI and PDI put their groups together.

    The formula is missing from the text of the paper. MACRO is the mean over groups that Section 3.4
    describes; INDEX reads the word "weighs" of Appendix B literally.
    """

    MACRO = "macro"
    INDEX = "index"


class Ties(str, Enum):
    """Which sense a BAD lemma of several wrong synsets shows (convention 1).

    The rule acts where an outcome is made, not here: an outcome holds one chosen index or none.
    MOST_FREQUENT takes the smallest index; STRICT leaves the index unknown.
    """

    MOST_FREQUENT = "most_frequent"
    STRICT = "strict"


@dataclass(frozen=True, slots=True)
class Measure:
    """One measured number, or the reason why there is none.

    Attributes:
        value: in percent, 0 to 100; ``None`` where it is undefined (never 0 for want of data).
        reason: a short sentence where ``value`` is ``None``, else ``None``.
        n: how many outcomes entered, which is the denominator of an unweighted share.
        groups_used: groups with at least one GOOD or BAD (SFI and PDI only, else ``None``).
        groups_total: all groups in the data (SFI and PDI only, else ``None``).

    Example:
        >>> Measure(50.0, None, 4).defined
        True
        >>> Measure(None, "no BAD outcome", 0).defined
        False
    """

    value: float | None
    reason: str | None
    n: int
    groups_used: int | None = None
    groups_total: int | None = None

    @property
    def defined(self) -> bool:
        """Whether there is a value."""
        return self.value is not None


def share(part: Any, whole: Any) -> Any:
    """``100 * part / whole``, the one formula of all percentages.

    Args:
        part: the outcomes that count, at most ``whole``: an ``int``, or an array with a number for each resample.
        whole: the outcomes that entered, of the same type.

    Returns:
        Percent, 0 to 100: a ``float``, ``None`` where ``whole`` is 0; or an array, not-a-number where it is 0.

    Example:
        >>> share(3, 4), share(0, 0)
        (75.0, None)
    """
    if isinstance(whole, int):
        return 100 * part / whole if whole else None
    import numpy as np

    return np.divide(100 * part, whole, out=np.full_like(part, np.nan), where=whole > 0)


def mean_of_defined(shares: Sequence[Any]) -> Any:
    """The unweighted mean of the defined values of `share`; undefined where none is defined.

    Example:
        >>> mean_of_defined([100.0, None, 50.0])
        75.0
    """
    if not shares or shares[0] is None or isinstance(shares[0], float):
        defined = [value for value in shares if value is not None]
        return fsum(defined) / len(defined) if defined else None
    import numpy as np

    table = np.stack(shares, axis=1)
    known = ~np.isnan(table)
    number = known.sum(axis=1)
    total = np.where(known, table, 0.0).sum(axis=1)
    return np.divide(total, number, out=np.full(len(table), np.nan), where=number > 0)


def percentage(part: int, whole: int, reason: str) -> Measure:
    """``share(part, whole)`` as a measure; undefined with ``reason`` where ``whole`` is 0.

    Example:
        >>> percentage(3, 4, "no outcome at all")
        Measure(value=75.0, reason=None, n=4, groups_used=None, groups_total=None)
    """
    return Measure(share(part, whole), None if whole else reason, whole)


_Choice = TypeVar("_Choice", bound=Enum)


def parse_option(kind: type[_Choice], value: object, name: str) -> _Choice:
    """The member of a closed vocabulary that ``value`` names.

    Args:
        kind: the vocabulary, an ``Enum`` with string values.
        value: a member or its string.
        name: of the option, for the message.

    Raises:
        InputError: ``value`` names no member.

    Example:
        >>> parse_option(Weighting, "index", "weighting")
        <Weighting.INDEX: 'index'>
    """
    try:
        return kind(value)
    except ValueError:
        allowed = ", ".join(repr(member.value) for member in kind)
        raise InputError(f"{name} {value!r} is unknown; choose one of {allowed}") from None


def label_of(outcome: Outcome) -> Label:
    """The label of an outcome; `InputError`: it is not one of the four.

    Example:
        >>> label_of(Outcome("a", Label.MISS)).value
        'MISS'
    """
    return parse_option(Label, outcome.label, f"item {outcome.item_id!r}: label")


def pos_of(outcome: Outcome) -> PartOfSpeech | None:
    """The part of speech of an outcome, ``None`` where it is unknown; `InputError`: it is not one of the four letters.

    Example:
        >>> pos_of(Outcome("a", Label.MISS, pos=PartOfSpeech.VERB)).value
        'v'
    """
    if outcome.pos is None:
        return None
    return parse_option(PartOfSpeech, outcome.pos, f"item {outcome.item_id!r}: part of speech")


def index_of(outcome: Outcome, field: str) -> int | None:
    """A 1-based number of an outcome, checked; ``None`` where it is unknown.

    Args:
        outcome: the outcome.
        field: ``frequency_index``, ``polysemy`` or ``chosen_frequency_index``.

    Raises:
        InputError: the field holds something other than ``None`` or a positive integer. A 0 is
            rejected because it would vanish from an index-weighted sum without a trace.

    Example:
        >>> index_of(Outcome("a", Label.GOOD, frequency_index=3), "frequency_index")
        3
    """
    value: object = getattr(outcome, field)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, Integral) or value < 1:
        raise InputError(
            f"item {outcome.item_id!r}: {field} is {value!r}; expected a positive integer, or None where it is unknown"
        )
    return int(value)


def is_scored(outcome: Outcome) -> bool:
    """Whether an outcome enters the accuracy, that is, whether it is GOOD or BAD.

    Example:
        >>> is_scored(Outcome("a", Label.BAD)), is_scored(Outcome("b", Label.UNK))
        (True, False)
    """
    return label_of(outcome) in (Label.GOOD, Label.BAD)
