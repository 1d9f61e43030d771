"""Accuracy by frequency index, by polysemy degree and by part of speech.

The functions take the outcomes of one system; `InputError`: a label, number or part of speech cannot be used.

Source: Martelli et al. 2025, Figure 4 and the text on it. The text names only the outer bins: the
frequency index from ``<2`` (the most frequent sense) to ``>9`` (senses over the 9th), the polysemy degree
from ``<6`` to ``>=14``. These borders are the paper's; the bins in between are ours. They are narrow where
items are many (2, 3) and otherwise two wide. Each bin states which of the two it is.

An outcome whose number is unknown is in a bin of its own, ``unknown``, always the last. So the counts of
all cells add up to the counts of all outcomes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from .errors import InputError
from .records import Outcome
from .records import PartOfSpeech
from .score import Counts
from .score import accuracy
from .score import count
from .score import coverage
from .score_bias import FREQUENCY
from .score_bias import POLYSEMY
from .score_measures import Measure
from .score_measures import index_of
from .score_measures import pos_of

UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Bin:
    """A range of a 1-based number, both ends included.

    Attributes:
        name: as shown in tables and plots.
        low: smallest number.
        high: largest number (``None``: no upper end).
        from_paper: both borders are given in the text of the paper; else they are ours.
    """

    name: str
    low: int
    high: int | None
    from_paper: bool

    def __contains__(self, number: int) -> bool:
        """Whether a number is in the range."""
        return self.low <= number and (self.high is None or number <= self.high)


FREQUENCY_BINS = (
    Bin("<2", 1, 1, True),
    Bin("2", 2, 2, False),
    Bin("3", 3, 3, False),
    Bin("4-5", 4, 5, False),
    Bin("6-7", 6, 7, False),
    Bin("8-9", 8, 9, False),
    Bin(">9", 10, None, True),
)

POLYSEMY_BINS = (
    Bin("<6", 1, 5, True),
    Bin("6-7", 6, 7, False),
    Bin("8-9", 8, 9, False),
    Bin("10-11", 10, 11, False),
    Bin("12-13", 12, 13, False),
    Bin(">=14", 14, None, True),
)


@dataclass(frozen=True, slots=True)
class Cell:
    """The outcomes of one bin.

    Attributes:
        name: name of the bin.
        counts: the labels counted.
        accuracy: in percent; undefined where the bin holds no GOOD and no BAD.
        coverage: in percent; undefined where the bin is empty.
    """

    name: str
    counts: Counts
    accuracy: Measure
    coverage: Measure

    def as_dict(self) -> dict[str, str | int | float | None]:
        """A flat record for a table or a plot."""
        shares = {"accuracy": self.accuracy.value, "coverage": self.coverage.value}
        return {"bin": self.name, **self.counts.as_dict(), **shares}


def by_frequency_index(outcomes: Iterable[Outcome], bins: Sequence[Bin] = FREQUENCY_BINS) -> tuple[Cell, ...]:
    """Accuracy by the frequency index of the right sense, in bins.

    Formula: ``100 * GOOD / (GOOD + BAD)`` in each bin. Source: Martelli et al. 2025, Figure 4.
    Percent, 0 to 100. Empty bins are included, with an undefined accuracy (convention 5); the last cell
    holds the outcomes without a WordNet rank (convention 3).

    Other ``bins`` must cover all numbers.

    Example:
        >>> from dibimt_metric.records import Label
        >>> cells = by_frequency_index([Outcome("a", Label.GOOD, 1), Outcome("b", Label.BAD, 12)])
        >>> [(cell.name, cell.accuracy.value) for cell in cells if cell.counts.n]
        [('<2', 100.0), ('>9', 0.0)]
    """
    return _binned(outcomes, FREQUENCY, bins)


def by_polysemy(outcomes: Iterable[Outcome], bins: Sequence[Bin] = POLYSEMY_BINS) -> tuple[Cell, ...]:
    """Accuracy by the polysemy degree of the focus word, in bins; otherwise as :func:`by_frequency_index`.

    Example:
        >>> from dibimt_metric.records import Label
        >>> cells = by_polysemy([Outcome("a", Label.GOOD, polysemy=14), Outcome("b", Label.BAD)])
        >>> [(cell.name, cell.accuracy.value) for cell in cells if cell.counts.n]
        [('>=14', 100.0), ('unknown', 0.0)]
    """
    return _binned(outcomes, POLYSEMY, bins)


def by_frequency_value(outcomes: Iterable[Outcome]) -> tuple[Cell, ...]:
    """Accuracy by each frequency index that occurs, in ascending order, then ``unknown``.

    These are the groups of SFI: the mean of their defined accuracies, without ``unknown``, is SFI.

    Example:
        >>> from dibimt_metric.records import Label
        >>> [cell.name for cell in by_frequency_value([Outcome("a", Label.GOOD, 12)])]
        ['12', 'unknown']
    """
    return _by_value(outcomes, FREQUENCY)


def by_polysemy_value(outcomes: Iterable[Outcome]) -> tuple[Cell, ...]:
    """Accuracy by each polysemy degree that occurs, in ascending order, then ``unknown``.

    These are the groups of PDI: the mean of their defined accuracies, without ``unknown``, is PDI.

    Example:
        >>> from dibimt_metric.records import Label
        >>> [cell.name for cell in by_polysemy_value([Outcome("a", Label.GOOD, polysemy=4)])]
        ['4', 'unknown']
    """
    return _by_value(outcomes, POLYSEMY)


def by_pos(outcomes: Iterable[Outcome]) -> tuple[Cell, ...]:
    """Accuracy by part of speech of the focus word: n, a, v, r, then ``unknown``.

    Example:
        >>> from dibimt_metric.records import Label
        >>> cells = by_pos([Outcome("a", Label.GOOD, pos=PartOfSpeech.VERB)])
        >>> [(cell.name, cell.counts.n) for cell in cells]
        [('n', 0), ('a', 0), ('v', 1), ('r', 0), ('unknown', 0)]
    """

    def name_of(outcome: Outcome) -> str | None:
        pos = pos_of(outcome)
        return None if pos is None else pos.value

    return _cells(outcomes, [pos.value for pos in PartOfSpeech], name_of)


def _binned(outcomes: Iterable[Outcome], field: str, bins: Sequence[Bin]) -> tuple[Cell, ...]:
    def name_of(outcome: Outcome) -> str | None:
        number = index_of(outcome, field)
        return None if number is None else _bin_of(number, bins).name

    return _cells(outcomes, [each.name for each in bins], name_of)


def _bin_of(number: int, bins: Sequence[Bin]) -> Bin:
    for each in bins:
        if number in each:
            return each
    raise InputError(f"{number} is in none of the bins {[each.name for each in bins]}; add one for it")


def _by_value(outcomes: Iterable[Outcome], field: str) -> tuple[Cell, ...]:
    outcomes = tuple(outcomes)
    numbers = {index_of(outcome, field) for outcome in outcomes} - {None}

    def name_of(outcome: Outcome) -> str | None:
        number = index_of(outcome, field)
        return None if number is None else str(number)

    return _cells(outcomes, [str(number) for number in sorted(n for n in numbers if n)], name_of)


def _cells(
    outcomes: Iterable[Outcome], names: Sequence[str], name_of: Callable[[Outcome], str | None]
) -> tuple[Cell, ...]:
    parts: dict[str, list[Outcome]] = {name: [] for name in (*names, UNKNOWN)}
    for outcome in outcomes:
        name = name_of(outcome)
        parts[UNKNOWN if name is None else name].append(outcome)
    return tuple(_cell(name, members) for name, members in parts.items())


def _cell(name: str, members: Sequence[Outcome]) -> Cell:
    counts = count(members)
    return Cell(name, counts, accuracy(counts), coverage(counts))
