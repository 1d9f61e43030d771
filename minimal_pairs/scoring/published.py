"""Published scores on BLiMP with their sources, and how a report compares with them.

Every overall score here is a mean over the 67 paradigms, every phenomenon the mean of its paradigms: the phenomena of
each row, weighted by their numbers of paradigms, reproduce its overall score to within rounding (see the tests).
A difference is informative about the models only if the settings are the same; `Comparison` tells which are not.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dibimt_common.correlation import Correlation, correlation
from dibimt_metric.errors import InputError, shown

from ..paradigms import PARADIGMS, PHENOMENA
from ..records import Method
from .presets import PRESETS
from .results import AccuracyGroup, PairsReport

AVERAGE = "mean over 67 paradigms"
_PAIRS_EACH = 1000


@dataclass(frozen=True, slots=True)
class Published:
    """A published score.

    Attributes:
        name: of the model, or ``human ...``.
        overall: percent, averaged as `average` says in words.
        settings: how it was computed, as far as known.
        phenomena: percent for each of `PHENOMENA`, each the mean of its paradigms; empty: not published.
        preset: the preset with the same settings; ``None``: there is none, or they are not known.
    """

    name: str
    overall: float
    average: str
    settings: str
    source: str
    phenomena: tuple[float, ...] = ()
    preset: str | None = None

    def phenomenon(self, name: str) -> float | None:
        """The score of a phenomenon; ``None`` where it is not published.

        >>> HUMAN.phenomenon("ellipsis")
        85.0
        """
        return dict(zip(PHENOMENA, self.phenomena, strict=False)).get(name)


_PAPER = "Warstadt et al. 2020, TACL 8, results by phenomenon"
_PYTHIA = "EleutherAI/pythia on GitHub, evals/pythia-v0, zero-shot, last checkpoint"
_HARNESS = "EleutherAI/lm-evaluation-harness on GitHub, results/mpt/mpt-7b, zero-shot, task version 0"
_SALAZAR = "Salazar et al. 2020, ACL; awslabs/mlm-scoring on GitHub, examples/lingacc-blimp"
_SUMMARY = "alexwarstadt/blimp on GitHub, raw_results/summary/human_validation_summary.csv"

_JIANT = "full sentences, beginning and end of sentence scored, sum"
_OWN = "full sentences, sum; treatment of sentence ends not stated"
_LM_EVAL = "full sentences, end-of-text token before them, sum (lm-evaluation-harness before 0.4)"


def _scores(text: str) -> tuple[float, ...]:
    """One number for each of `PHENOMENA`, in their order."""
    return tuple(float(value) for value in text.split())


HUMAN = Published(
    "human, individual",
    88.6,
    AVERAGE,
    "20 judges for each of 5 pairs in each paradigm; mean over pairs of the share that agrees with the label",
    _PAPER,
    _scores("97.5 90.0 87.3 83.9 92.2 85.0 86.9 97.0 84.9 88.1 86.6 90.9"),
)
"""Individual human agreement; unrounded, the overall one is 88.55."""

HUMAN_MAJORITY = Published(
    "human, majority",
    96.4,
    AVERAGE,
    "the same judgments; pairs whose majority agrees with the label: 323 of 335",
    f"Warstadt et al. 2020, data validation; phenomena from {_SUMMARY}",
    tuple(
        100 * agreed / judged
        for agreed, judged in (
            (10, 10), (42, 45), (32, 35), (23, 25), (40, 40), (10, 10),
            (33, 35), (10, 10), (39, 40), (35, 35), (19, 20), (30, 30)
        )
    )
)  # fmt: skip
"""Agreement of the majority of the judges with the label."""

PUBLISHED: tuple[Published, ...] = (
    Published(
        "5-gram", 61.2, AVERAGE, _OWN, _PAPER,
        _scores("47.9 71.9 64.4 68.5 70.0 36.9 60.2 79.5 57.2 45.5 53.5 60.3")
    ),
    Published(
        "LSTM", 69.8, AVERAGE, _OWN, _PAPER,
        _scores("91.7 73.2 73.5 67.0 85.4 67.6 73.9 89.1 46.6 51.7 64.5 80.1")
    ),
    Published(
        "Transformer-XL", 69.6, AVERAGE, _JIANT, _PAPER,
        _scores("94.1 72.2 74.7 71.5 83.0 77.2 66.6 78.2 48.4 55.2 69.3 76.0"), "paper"
    ),
    Published(
        "GPT-2 large", 83.0, AVERAGE, _JIANT, _PAPER,
        _scores("99.3 81.8 80.9 81.9 95.8 89.3 81.3 91.9 72.7 76.8 79.0 86.4"), "paper"
    ),
    HUMAN,
    HUMAN_MAJORITY,
    *(
        Published(f"Pythia {size} (v0)", overall, AVERAGE, _LM_EVAL, _PYTHIA, preset="lm-eval-0.3")
        for size, overall in (
            ("70M", 75.3), ("160M", 78.0), ("410M", 81.8), ("1B", 82.3),
            ("1.4B", 82.6), ("2.8B", 83.1), ("6.9B", 83.0), ("12B", 83.1)
        )
    ),
    Published("MPT-7B", 81.3, AVERAGE, _LM_EVAL, _HARNESS, preset="lm-eval-0.3"),
    Published("RoBERTa large", 86.5, AVERAGE, "pseudo-log-likelihood, one token masked at a time, sum", _SALAZAR)
)  # fmt: skip
"""The table, in the order in which it is shown."""


def published(name: str) -> Published:
    """A row of `PUBLISHED` by its name, whatever the case.

    >>> published("gpt-2 large").overall
    83.0
    """
    for row in PUBLISHED:
        if row.name.casefold() == name.casefold():
            return row
    raise InputError(f"no published scores of {shown(name)}; choose one of {', '.join(row.name for row in PUBLISHED)}")


def human_agreement(phenomenon: str | None, paradigms: Iterable[str]) -> float | None:
    """Individual human agreement, in percent, for a group of exactly the paradigms of a phenomenon.

    ``None`` for anything else: the published number is a mean over all paradigms of the phenomenon, so that it
    does not apply to some of them, or to a group of the same name in another data set.

    >>> human_agreement("ellipsis", ["ellipsis_n_bar_2", "ellipsis_n_bar_1"]), human_agreement("ellipsis", ["mine"])
    (85.0, None)
    """
    whole = {paradigm.name for paradigm in PARADIGMS if paradigm.phenomenon == phenomenon}
    return HUMAN.phenomenon(phenomenon) if phenomenon and set(paradigms) == whole else None


@dataclass(frozen=True, slots=True)
class Difference:
    """A score of a report next to a published one.

    Attributes:
        name: ``overall``, or a phenomenon.
        average: of both, in words.
        ours, theirs: percent. difference: ``ours - theirs``, in percentage points; ``None``: one of them is missing.
    """

    name: str
    average: str
    ours: float | None
    theirs: float | None
    difference: float | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """A report compared with a published row.

    Attributes:
        differences: overall first, then the phenomena that both have.
        same_settings: whether all known settings of the row are those of the report.
        differs: what differs, in words; empty if `same_settings`.
    """

    published: Published
    differences: tuple[Difference, ...]
    same_settings: bool
    differs: tuple[str, ...]


def compare(report: PairsReport, row: Published) -> Comparison:
    """Compare a report with published scores: means over paradigms, and phenomenon by phenomenon.

    A phenomenon is compared if the report has all of its paradigms (and so a human score).
    """
    found = [_difference("overall", report.overall.average, report.overall.value, row.overall)]
    for group in report.phenomena:
        theirs = row.phenomenon(group.name)
        if group.human is not None and theirs is not None:
            ours = group.accuracy
            found.append(_difference(group.name, ours.average, ours.value, theirs))
    differs = tuple(_differs(report, row))
    return Comparison(row, tuple(found), not differs, differs)


def compare_all(report: PairsReport) -> tuple[Comparison, ...]:
    """The report compared with every row of `PUBLISHED`, in order."""
    return tuple(compare(report, row) for row in PUBLISHED)


def human_correlation(groups: Iterable[AccuracyGroup]) -> Correlation:
    """Correlation of a model's accuracies with human ones, over the groups that have both (at most 12 points).

    With 12 points a correlation below 0.58 in size has a p-value above 0.05: most differences between models are noise.

    >>> human_correlation([]).reason
    'fewer than 3 points'
    """
    both = [(g.accuracy.value, g.human) for g in groups if g.accuracy.value is not None and g.human is not None]
    return correlation([ours for ours, _ in both], [theirs for _, theirs in both])


def _difference(name: str, average: str, ours: float | None, theirs: float) -> Difference:
    return Difference(name, average, ours, theirs, None if ours is None else ours - theirs)


def _differs(report: PairsReport, row: Published) -> Iterable[str]:
    if report.method != Method.FULL.value:
        yield f"method: {report.method} here, {Method.FULL.value} there"
    if report.overall.average != row.average:
        yield f"average: {report.overall.average} here, {row.average} there"
    yield from _data_differs(report)
    yield from _settings_differ(report, row)


def _data_differs(report: PairsReport) -> Iterable[str]:
    """How the data differs from the release: other paradigms, only some pairs, pairs without a score."""
    names = {paradigm.name for paradigm in PARADIGMS}
    if {group.name for group in report.paradigms} != names:
        yield "data: not the 67 paradigms of BLiMP"
    elif report.overall_pairs.n != len(names) * _PAIRS_EACH:
        yield f"data: {report.overall_pairs.n} scored pairs here, {len(names) * _PAIRS_EACH} there"


def _settings_differ(report: PairsReport, row: Published) -> Iterable[str]:
    if row.preset is None:
        yield f"settings: no preset is known to be that of {row.name} ({row.settings})"
        return
    ours = dict(report.settings)
    for name, theirs in PRESETS[row.preset].as_settings():
        if name != "preset" and ours.get(name) != theirs:
            yield f"{name}: {ours.get(name, 'not set')} here, {theirs} there"
