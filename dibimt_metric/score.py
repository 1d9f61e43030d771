"""Counts of labels, and the scores made from them.

Source: Martelli et al. 2025, Section 3.3 (labels) and Section 3.4 (metrics). Percent, 0 to 100.
"Undefined" is ``None`` with a reason, never 0 (convention 5 of :mod:`.score_bias`). Accuracies of two systems
are based on different items, so the coverage is reported with each, and systems are compared on the items
with GOOD or BAD in both (convention 6, see :mod:`.score_comparison`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .errors import InputError
from .records import Label
from .records import Outcome
from .score_bias import Choices
from .score_bias import choices
from .score_bias import mfs
from .score_bias import mfs_plus
from .score_bias import pdi
from .score_bias import sfi
from .score_measures import BIAS_METRICS
from .score_measures import NO_BAD
from .score_measures import NO_OUTCOME
from .score_measures import NO_SCORED
from .score_measures import Measure
from .score_measures import Ties
from .score_measures import Weighting
from .score_measures import label_of
from .score_measures import mean_of_defined
from .score_measures import parse_option
from .score_measures import percentage

METRICS = (*BIAS_METRICS, "coverage", "miss_rate", "unk_rate")
"""Every metric that is a percentage, in the order of the result."""


@dataclass(frozen=True, slots=True)
class Counts:
    """How many outcomes have each label. Counts of two disjoint sets add up to those of their union.

    Example:
        >>> Counts(good=2, bad=1) + Counts(bad=1, miss=3)
        Counts(good=2, bad=2, miss=3, unk=0)
        >>> Counts(good=2, bad=1, miss=3).n
        6
    """

    good: int = 0
    bad: int = 0
    miss: int = 0
    unk: int = 0

    @property
    def n(self) -> int:
        """All outcomes: ``good + bad + miss + unk``."""
        return self.good + self.bad + self.miss + self.unk

    @property
    def scored(self) -> int:
        """The outcomes that enter the accuracy: ``good + bad``."""
        return self.good + self.bad

    def as_dict(self) -> dict[str, int]:
        """``n`` and the four numbers."""
        return {"n": self.n, "good": self.good, "bad": self.bad, "miss": self.miss, "unk": self.unk}

    def __add__(self, other: Counts) -> Counts:
        """The counts of the union of two disjoint sets of outcomes."""
        return Counts(self.good + other.good, self.bad + other.bad, self.miss + other.miss, self.unk + other.unk)


def count(outcomes: Iterable[Outcome]) -> Counts:
    """Count the labels.

    Raises:
        InputError: a label is not one of GOOD, BAD, MISS, UNK.

    Example:
        >>> count([Outcome("a", Label.GOOD), Outcome("b", Label.MISS)])
        Counts(good=1, bad=0, miss=1, unk=0)
    """
    tally = Counter(label_of(outcome) for outcome in outcomes)
    return Counts(tally[Label.GOOD], tally[Label.BAD], tally[Label.MISS], tally[Label.UNK])


def accuracy(counts: Counts) -> Measure:
    """``100 * GOOD / (GOOD + BAD)``, the share of right senses among the translations decided on.

    Source: Martelli et al. 2025, Section 3.4. Percent, 0 to 100. Undefined without GOOD and BAD
    (convention 5). A BAD lemma with no synset counts as any BAD (convention 2). It is based on the items
    with GOOD or BAD only: read it together with :func:`coverage` (convention 6).

    Example:
        >>> accuracy(Counts(good=3, bad=1, miss=6)).value
        75.0
    """
    return percentage(counts.good, counts.scored, NO_SCORED)


def coverage(counts: Counts) -> Measure:
    """``100 * (GOOD + BAD) / n``, the share of outcomes that the accuracy is based on (convention 6).

    Percent, 0 to 100; undefined without outcomes.

    Example:
        >>> coverage(Counts(good=3, bad=1, miss=6)).value
        40.0
    """
    return percentage(counts.scored, counts.n, NO_OUTCOME)


def miss_rate(counts: Counts) -> Measure:
    """``100 * MISS / n``: no candidate found. Percent, 0 to 100; undefined without outcomes.

    Example:
        >>> miss_rate(Counts(good=3, bad=1, miss=6)).value
        60.0
    """
    return percentage(counts.miss, counts.n, NO_OUTCOME)


def unk_rate(counts: Counts) -> Measure:
    """``100 * UNK / n``: candidates of both lists found. Percent, 0 to 100; undefined without outcomes.

    Example:
        >>> unk_rate(Counts(good=3, unk=1)).value
        25.0
    """
    return percentage(counts.unk, counts.n, NO_OUTCOME)


@dataclass(frozen=True, slots=True)
class Scores:
    """All scores of one system in one language.

    Attributes:
        counts: the labels counted.
        accuracy, sfi, pdi, mfs, mfs_plus, coverage, miss_rate, unk_rate: the metrics.
        choices: the numbers that MFS and MFS+ are made from, and the omitted outcomes.
        weighting: how SFI and PDI were put together.
        ties: the rule with which the chosen indices of the outcomes were made.
    """

    counts: Counts
    accuracy: Measure
    sfi: Measure
    pdi: Measure
    mfs: Measure
    mfs_plus: Measure
    coverage: Measure
    miss_rate: Measure
    unk_rate: Measure
    choices: Choices
    weighting: Weighting = Weighting.MACRO
    ties: Ties = Ties.MOST_FREQUENT

    @property
    def sfi_left_out(self) -> int:
        """GOOD and BAD outcomes that SFI omits because their frequency index is unknown."""
        return self.counts.scored - self.sfi.n

    @property
    def pdi_left_out(self) -> int:
        """GOOD and BAD outcomes that PDI omits because their polysemy degree is unknown."""
        return self.counts.scored - self.pdi.n

    def measure(self, metric: str) -> Measure:
        """The measure of that name.

        Raises:
            InputError: no metric has this name.
        """
        if metric not in METRICS:
            raise InputError(f"metric {metric!r} is unknown; choose one of {', '.join(METRICS)}")
        measure: Measure = getattr(self, metric)
        return measure

    def as_dict(self) -> dict[str, int | float | None]:
        """A flat record of plain numbers; an undefined metric is ``None``.

        First ``n good bad miss unk accuracy sfi pdi mfs mfs_plus coverage``, then the rates, then what
        each bias measure is based on: ``<metric>_n`` outcomes entered, ``<metric>_left_out`` did not.
        ``mfs_*`` holds for MFS+ as well. ``mfs_coverage`` is ``100 * mfs_n / bad``. Of
        ``mfs_left_out``, ``mfs_contradictory`` chose the index of the right sense.
        """
        bad_choices = self.choices
        return {
            **self.counts.as_dict(),
            **{metric: self.measure(metric).value for metric in METRICS},
            "sfi_n": self.sfi.n,
            "sfi_groups_used": self.sfi.groups_used,
            "sfi_groups_total": self.sfi.groups_total,
            "sfi_left_out": self.sfi_left_out,
            "pdi_n": self.pdi.n,
            "pdi_groups_used": self.pdi.groups_used,
            "pdi_groups_total": self.pdi.groups_total,
            "pdi_left_out": self.pdi_left_out,
            "mfs_n": bad_choices.entered,
            "mfs_left_out": bad_choices.left_out,
            "mfs_contradictory": bad_choices.contradictory,
            "mfs_coverage": percentage(bad_choices.entered, bad_choices.bad, NO_BAD).value,
        }

    def undefined(self) -> dict[str, str]:
        """The metrics without a value, each with its reason."""
        return _reasons({metric: self.measure(metric) for metric in METRICS})


def score(
    outcomes: Iterable[Outcome],
    weighting: Weighting | str = Weighting.MACRO,
    ties: Ties | str = Ties.MOST_FREQUENT,
) -> Scores:
    """All scores of one system in one language.

    Args:
        outcomes: one for each item.
        weighting: how SFI and PDI put their groups together, ``macro`` or ``index``.
        ties: the rule with which the chosen indices were made, ``most_frequent`` or ``strict`` (convention 1). It is
            kept with the scores and changes no number here, because an outcome holds one chosen index or none.

    Returns:
        The scores, each in percent, 0 to 100. Without outcomes all metrics are undefined.

    Raises:
        InputError: an unknown option, or a label or number that cannot be used.

    Example:
        >>> scores = score([Outcome("a", Label.GOOD, 1, 4), Outcome("b", Label.BAD, 3, 4)])
        >>> scores.accuracy.value, scores.sfi.value, scores.pdi.value
        (50.0, 50.0, 50.0)
        >>> sorted(scores.undefined())
        ['mfs', 'mfs_plus']
    """
    outcomes = tuple(outcomes)
    counts = count(outcomes)
    return Scores(
        counts=counts,
        accuracy=accuracy(counts),
        sfi=sfi(outcomes, weighting),
        pdi=pdi(outcomes, weighting),
        mfs=mfs(outcomes),
        mfs_plus=mfs_plus(outcomes),
        coverage=coverage(counts),
        miss_rate=miss_rate(counts),
        unk_rate=unk_rate(counts),
        choices=choices(outcomes),
        weighting=parse_option(Weighting, weighting, "weighting"),
        ties=parse_option(Ties, ties, "ties"),
    )


@dataclass(frozen=True, slots=True)
class LanguageMean:
    """The scores of one system in several languages, and their mean.

    Attributes:
        languages: language code and scores, in the given order.
    """

    languages: tuple[tuple[str, Scores], ...]

    def measure(self, metric: str) -> Measure:
        """The unweighted mean of a metric over the languages where it is defined.

        ``n`` adds up the outcomes that entered. Undefined where it is defined in no language.
        """
        measures = [scores.measure(metric) for _, scores in self.languages]
        value = mean_of_defined([measure.value for measure in measures])
        if value is not None:
            return Measure(value, None, sum(measure.n for measure in measures))
        reason = f"defined in no language ({self._gaps(metric)})" if self.languages else "no language"
        return Measure(None, reason, 0)

    def _gaps(self, metric: str) -> str:
        measures = ((code, scores.measure(metric)) for code, scores in self.languages)
        return "; ".join(f"{code}: {measure.reason}" for code, measure in measures if not measure.defined)

    def defined_in(self, metric: str) -> tuple[str, ...]:
        """The languages whose value entered the mean of a metric."""
        return tuple(code for code, scores in self.languages if scores.measure(metric).defined)

    def as_dict(self) -> dict[str, int | float | None]:
        """A flat record: labels added up, metrics averaged, ``<metric>_languages`` languages averaged."""
        total = sum((scores.counts for _, scores in self.languages), Counts())
        return {
            **total.as_dict(),
            **{metric: self.measure(metric).value for metric in METRICS},
            **{f"{metric}_languages": len(self.defined_in(metric)) for metric in METRICS},
        }

    def undefined(self) -> dict[str, str]:
        """The metrics that are defined in no language, each with its reason."""
        return _reasons({metric: self.measure(metric) for metric in METRICS})

    def partial(self) -> dict[str, str]:
        """The metrics that are averaged over some of the languages only, each with the others named."""
        everywhere = len(self.languages)
        used = {metric: len(self.defined_in(metric)) for metric in METRICS}
        return {
            metric: f"mean over {k} of {everywhere} languages ({self._gaps(metric)})"
            for metric, k in used.items()
            if 0 < k < everywhere
        }


def mean_over_languages(per_language: Mapping[str, Scores]) -> LanguageMean:
    """The mean of every metric over languages.

    Formula: ``sum of the values / number of languages with a value``; every language weighs the same,
    whatever its number of items. Source: the column "Mean" of the paper's tables. Percent, 0 to 100.

    A metric that is undefined in a language is averaged over the others. This is never silent: the record
    has ``<metric>_languages`` and :meth:`LanguageMean.partial` names the omitted languages with the reason. A partial
    mean should not be compared with one over all languages. Without any value the mean is undefined (convention 5).

    Args:
        per_language: the scores of each language, all made with the same options.

    Raises:
        InputError: the scores were made with different options.

    Example:
        >>> good, bad = score([Outcome("a", Label.GOOD)]), score([Outcome("a", Label.BAD)])
        >>> mean = mean_over_languages({"de": good, "ru": bad, "zh": score([])})
        >>> mean.measure("accuracy").value, mean.partial()["accuracy"]
        (50.0, 'mean over 2 of 3 languages (zh: no GOOD or BAD outcome)')
    """
    options = {(scores.weighting.value, scores.ties.value) for scores in per_language.values()}
    if len(options) > 1:
        found = ", ".join(f"weighting={weighting} ties={ties}" for weighting, ties in sorted(options))
        raise InputError(f"the languages were scored with different options ({found}); score all with one")
    return LanguageMean(tuple(per_language.items()))


def _reasons(measures: Mapping[str, Measure]) -> dict[str, str]:
    return {metric: measure.reason for metric, measure in measures.items() if measure.reason is not None}
