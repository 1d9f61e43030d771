"""What stands in the tables of ``dibimt ldd score``, as text or HTML: columns, titles, and what they mean."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from dibimt_metric.judge_explain import printable

from .view import (
    Comparisons,
    baseline_group,
    control_of,
    every_cell,
    interval_text,
    length_text,
    metric_name,
    metric_names,
    p_text,
    score_of,
    share_text,
    signed_text,
    too_small,
    value_text,
)

if TYPE_CHECKING:
    from ldd_challenge_sets.scoring.results import Cell, LddReport
    from ldd_challenge_sets.scoring.settings import Settings

    from .view import Group, Versus

_ABOUT_BINS = (
    "Bins: All, >=1, >=2 ... hold the sentences whose largest distance is at least that. Lengths are in source "
    "tokens."
)
_ABOUT_SMALL = "Sets of fewer than {} sentences are too small to be trusted: shown, but not ranked."
_ABOUT_BEST = "{}: the highest {} of the bin."
_ABOUT_VERSUS = "vs best: difference from it."
_ABOUT_P = "p: of that difference, two-sided, paired bootstrap; not corrected for the number of comparisons."
_ABOUT_DROP = "drop: difference from the full corpus; below 0: the set is harder."
_ABOUT_CONTROL = (
    "control: mean over corpora drawn from the full corpus with the sentence lengths of the set. better: share "
    "of them that score above the set; near 100 %: the set is harder than its lengths explain."
)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Attributes:
        title: above it. metric: that it is about.
        text: what stands in it for a cell and its difference from the best system.
    """

    title: str
    metric: str
    text: Callable[[Cell, Versus | None], str]


class Columns:
    """What the tables of one report have in common: metrics, marks, and which columns have anything in them.

    Attributes:
        metrics: names. metric, title: of the first one, which is shown in full.
        comparisons: of two systems. too_small: mark of small sets. interval: title of the intervals.
        full: whether there are scores of the full corpus.
    """

    def __init__(self, report: LddReport, settings: Settings) -> None:
        self.metrics = metric_names(report)
        self.metric = self.metrics[0]
        self.title = metric_name(self.metric)
        self.comparisons = Comparisons(report.comparisons)
        self.too_small = too_small(settings)
        self.interval = f"{100 * settings.level:g} % interval"
        self.full = baseline_group(report) is not None
        cells = [cell for _, _, cell in every_cell(report)]
        self._resampled = any(score.low is not None for cell in cells for score in cell.scores)
        self._compared = bool(report.comparisons)
        self._tested = _is_tested(report)
        self._controlled = _is_controlled(report)

    def whole(self) -> tuple[Column, ...]:
        """Columns of the full corpus, which has no drop and no control."""
        return (*self._score(self.metric), *self._versus(self.metric), *self._others())

    def short(self) -> tuple[Column, ...]:
        """Columns of a set: the first metric, and only the scores of the others."""
        return (
            *self._score(self.metric),
            *self._versus(self.metric),
            *self._around(self.metric),
            *self._others(),
        )

    def long(self, metric: str) -> tuple[Column, ...]:
        """Columns of a set: all there is about one metric."""
        range_ = (Column("of the controls", metric, partial(_control_interval, metric)),)
        more = range_ if self._controlled else ()
        return (*self._score(metric), *self._versus(metric), *self._around(metric), *more)

    def _score(self, metric: str) -> tuple[Column, ...]:
        score = Column(metric_name(metric), metric, partial(_value, metric))
        bounds = Column(self.interval, metric, partial(_interval, metric))
        return (score, bounds) if self._resampled else (score,)

    def _versus(self, metric: str) -> tuple[Column, ...]:
        gap = Column("vs best", metric, partial(_versus, metric))
        tested = (Column("p", metric, _p),) if self._tested else ()
        return (gap, *tested) if self._compared else ()

    def _around(self, metric: str) -> tuple[Column, ...]:
        drop = Column("drop", metric, partial(_drop, metric))
        control = Column("control", metric, partial(_control, metric))
        better = Column("better", metric, partial(_better, metric))
        return (*((drop,) if self.full else ()), *((control, better) if self._controlled else ()))

    def _others(self) -> tuple[Column, ...]:
        return tuple(Column(metric_name(each), each, partial(_value, each)) for each in self.metrics[1:])


def _value(metric: str, cell: Cell, _: Versus | None) -> str:
    return value_text(metric, score_of(cell, metric).value)


def _interval(metric: str, cell: Cell, _: Versus | None) -> str:
    score = score_of(cell, metric)
    return interval_text(metric, score.low, score.high)


def _versus(metric: str, _: Cell, versus: Versus | None) -> str:
    return "" if versus is None else signed_text(metric, versus.difference)


def _p(_: Cell, versus: Versus | None) -> str:
    return "" if versus is None else p_text(versus.p_value)


def _drop(metric: str, cell: Cell, _: Versus | None) -> str:
    return signed_text(metric, score_of(cell, metric).drop)


def _control(metric: str, cell: Cell, _: Versus | None) -> str:
    control = control_of(cell, metric)
    return value_text(metric, control.mean if control else None)


def _control_interval(metric: str, cell: Cell, _: Versus | None) -> str:
    control = control_of(cell, metric)
    return interval_text(metric, control.low, control.high) if control else interval_text(metric, None, None)


def _better(metric: str, cell: Cell, _: Versus | None) -> str:
    control = control_of(cell, metric)
    return share_text(control.better if control else None)


def _is_tested(report: LddReport) -> bool:
    return any(each.p_value is not None for each in report.comparisons)


def _is_controlled(report: LddReport) -> bool:
    return any(control.mean is not None for _, _, cell in every_cell(report) for control in cell.controls)


def headline(report: LddReport) -> str:
    """What was scored: the pair, the corpus, how many systems and sets."""
    systems, sets = len(report.systems), len(report.systems[0].sets)
    counts = f"{_count(systems, 'system')}, {_count(sets, 'challenge set')}"
    return printable(f"LDD challenge sets, {report.pair}, corpus {report.corpus}: {counts}")


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def group_title(group: Group, mark: str) -> str:
    """The bin, its sentences, their mean length, and the mark where they are too few."""
    if not group.n:
        return f"{group.bin.name}: no sentence"
    title = f"{group.bin.name}: n = {group.n:,}, mean length {length_text(group.mean_length)}"
    return f"{title}, {mark}" if group.small else title


def how_to_read(report: LddReport, settings: Settings, best: str) -> tuple[str, ...]:
    """What stands in the tables; what the report lacks is left out.

    Args:
        report: the report.
        settings: that it was made with.
        best: how the best system is marked.
    """
    ranked = len(report.systems) > 1
    return (
        _ABOUT_BINS,
        _ABOUT_SMALL.format(settings.small),
        *([_ABOUT_BEST.format(best, metric_name(metric_names(report)[0]))] if ranked else []),
        *([_ABOUT_VERSUS] if report.comparisons else []),
        *([_ABOUT_P] if _is_tested(report) else []),
        *([_ABOUT_DROP] if baseline_group(report) is not None else []),
        *([_ABOUT_CONTROL] if _is_controlled(report) else []),
    )
