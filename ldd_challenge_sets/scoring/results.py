"""The results of scoring as records without logic.

BLEU and chrF range from 0 to 100, RIBES from 0 to 1. Undefined is ``None`` with a reason, never 0.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bin:
    """A range of a row's ``max_distance``, such as ``>=1``, both ends included; maximum ``None``: no upper end."""

    name: str
    minimum: int
    maximum: int | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """A metric on a set of sentences.

    Attributes:
        metric: ``bleu``, ``chrf``, ``ribes``. value: ``None``: undefined.
        low, high: bootstrap interval; ``None``: without bootstrap, or undefined.
        drop: value minus that of the baseline, negative if the set is harder; ``None`` without baseline.
        reason: why the value is undefined, else ``None``.
    """

    metric: str
    value: float | None
    low: float | None = None
    high: float | None = None
    drop: float | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Control:
    """The length-matched random control (paper, Section 5): is the set hard only because of its lengths?

    Attributes:
        metric: name. samples: corpora drawn from the baseline, each with the source lengths of the set (+-1 token).
        mean, low, high: over the samples: mean and central share (level); ``None`` if nothing was drawn.
        better: share of the samples whose score is above that of the set, 0 to 1; 1 is the paper's finding.
        unmatched: sentences of the set without another sentence of their length in the corpus.
        reason: why there is no control, else ``None``.
    """

    metric: str
    samples: int
    mean: float | None
    low: float | None
    high: float | None
    better: float | None
    unmatched: int
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """The scores of one system on one bin of one configuration.

    Attributes:
        bin: the distances. n: sentences. small: fewer than 30 of them: not reliable.
        mean_length: mean number of source tokens; ``None``: no sentence.
        scores: one for each metric. controls: one for each metric, or none.
    """

    bin: Bin
    n: int
    small: bool
    mean_length: float | None
    scores: tuple[Score, ...]
    controls: tuple[Control, ...] = ()


@dataclass(frozen=True, slots=True)
class DistanceCorrelation:
    """Spearman's rank correlation of a metric with the minimum distance (paper, Table 5, last column).

    Attributes:
        rho: -1 to 1, negative if distance makes the set harder; ``None``: undefined.
        points: cells used: those of minimum bins that are not empty.
        reason: why it is undefined, else ``None``.
    """

    metric: str
    rho: float | None
    points: int
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class SetScores:
    """One system on one configuration; minimum: cells of ``All``, ``>=1`` ..., exact: cells of ``=0``, ``=1`` ..."""

    configuration: str
    phenomenon: str
    minimum: tuple[Cell, ...]
    exact: tuple[Cell, ...]
    correlations: tuple[DistanceCorrelation, ...]


@dataclass(frozen=True, slots=True)
class SystemScores:
    """One system. baseline: on the full corpus; ``None`` if only the sets were translated."""

    system: str
    baseline: Cell | None
    sets: tuple[SetScores, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two systems on the same sentences: second minus first.

    Attributes:
        first, second: names of the systems. configuration, bin, metric: what is compared.
        n: sentences. difference: ``None``: undefined. low, high: paired bootstrap interval.
        p_value: two-sided, above 0 to 1, paired bootstrap. reason: why undefined, else ``None``.
    """

    first: str
    second: str
    configuration: str
    bin: Bin
    metric: str
    n: int
    difference: float | None
    low: float | None
    high: float | None
    p_value: float | None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class LddReport:
    """The result of ``dibimt ldd score``.

    Attributes:
        pair: such as ``de-en``. corpus: its name. systems, comparisons: the results.
        signatures: for each metric every choice that can change the number.
        signature: of the whole report: sets, bins, bootstrap, seed, version.
    """

    pair: str
    corpus: str
    systems: tuple[SystemScores, ...]
    comparisons: tuple[Comparison, ...]
    signatures: tuple[tuple[str, str], ...]
    signature: str
