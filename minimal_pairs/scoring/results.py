"""Results of scoring: records without logic. Accuracies are percent, 0 to 100; undefined is ``None`` with a reason."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from ..records import PairKey


class Decision(str, Enum):
    """How a model decides a pair.

    Attributes:
        RIGHT: the good sentence scores higher. WRONG: the bad one does. TIE: both score the same; what it counts as
            is a setting. UNSCORED: one of them has no score; the pair is counted, but enters no accuracy.
    """

    RIGHT = "right"
    WRONG = "wrong"
    TIE = "tie"
    UNSCORED = "unscored"


@dataclass(frozen=True, slots=True)
class PairOutcome:
    """A scored pair: a line of the per-pair file.

    Attributes:
        paradigm, pair_id: of the pair. phenomenon, field: its groups, ``None`` where the set has none.
        good, bad: what was compared, after the reduction (sum, mean ...); ``None``: no score.
        decision: what follows. reason: why UNSCORED, else ``None``.
        good_tokens, bad_tokens: tokens that count in each. good_words, bad_words: words of the sentences.
    """

    paradigm: str
    pair_id: int
    phenomenon: str | None
    field: str | None
    good: float | None
    bad: float | None
    decision: Decision
    good_tokens: int
    bad_tokens: int
    good_words: int
    bad_words: int
    reason: str | None = None

    @property
    def key(self) -> PairKey:
        """Paradigm and number of the pair."""
        return self.paradigm, self.pair_id


@dataclass(frozen=True, slots=True)
class Accuracy:
    """An accuracy with the counts that it is based on.

    Attributes:
        value: percent; ``None``: undefined. average: how it was averaged, in words, such as ``mean over 67 paradigms``.
        n: number of pairs. right, wrong, ties, unscored: counts of decisions (unscored ones are not in n).
        low, high: 95 percent interval; ``None`` where undefined. reason: why undefined.
    """

    value: float | None
    average: str
    n: int
    right: int
    wrong: int
    ties: int
    unscored: int
    low: float | None = None
    high: float | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class AccuracyGroup:
    """The accuracy of a paradigm, phenomenon or field, next to the human one where it is known.

    Attributes:
        name: of the group. paradigms: how many it has. accuracy: of the model. human: individual agreement of the
            paper in percent, ``None`` where unknown.
    """

    name: str
    paradigms: int
    accuracy: Accuracy
    human: float | None = None


@dataclass(frozen=True, slots=True)
class PairsReport:
    """The results of ``dibimt blimp score``.

    Attributes:
        model: name. method: full, one-prefix, two-prefix. settings: pairs of name and value.
        overall: mean over paradigms (the paper's). overall_phenomena: mean over phenomena (a different number).
        phenomena, paradigms, fields: accuracies by group.
        lengths: accuracy by which sentence has more words, and more tokens: ``equal words``, ``good shorter in words``
            ... in a fixed order.
        correlation_human: Pearson correlation with human accuracy over paradigms or phenomena; ``None``: undefined.
    """

    model: str
    method: str
    settings: tuple[tuple[str, str], ...]
    overall: Accuracy
    overall_phenomena: Accuracy
    overall_pairs: Accuracy
    phenomena: tuple[AccuracyGroup, ...]
    paradigms: tuple[AccuracyGroup, ...]
    fields: tuple[AccuracyGroup, ...]
    lengths: tuple[AccuracyGroup, ...]
    correlation_human: float | None
    signature: str
