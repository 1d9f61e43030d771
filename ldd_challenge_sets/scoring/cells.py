"""The scores of all systems on one group of sentences, from statistics that are computed once for each sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from .bootstrap import add_draws, interval, p_value, resample_totals
from .control import LengthPool, compare_with_control
from .metrics import CHUNK, Metric
from .results import Bin, Cell, Comparison, Control, Score
from .settings import Settings

if TYPE_CHECKING:
    from dibimt_metric.score_bootstrap import Floats

Progress = Callable[[Iterable[Any]], Iterable[Any]]
"""Wraps an iteration, such as ``tqdm``; ``iter`` shows nothing."""

_EMPTY = "no sentence in this bin"
_NO_CORPUS = "the full corpus was not given"
_NO_RESAMPLES = "no resamples were asked for"


@dataclass(frozen=True, slots=True)
class Group:
    """Sentences that are scored together.

    Attributes:
        configuration: name. bin: the distances.
        positions: of the sentences in the corpus lines; the same one may be there more than once.
    """

    configuration: str
    bin: Bin
    positions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums of statistics of one system: of the group itself, and of each resample and control sample."""

    own: Floats
    resamples: Floats
    controls: Floats


class Table:
    """The statistics of all systems and metrics on all corpus lines.

    Args:
        metrics: see `ldd_challenge_sets.scoring.metrics`.
        translations: for each system the translation of each line.
        references, lengths: reference and number of source tokens of each line.
        has_corpus: whether the lines are the whole corpus, so that there can be a random control.
        progress: wraps the iteration over parts of the corpus.
    """

    def __init__(
        self,
        metrics: Sequence[Metric],
        translations: Mapping[str, Sequence[str]],
        references: Sequence[str],
        lengths: Sequence[int],
        has_corpus: bool,
        progress: Progress = iter,
    ) -> None:
        import numpy as np

        self.metrics = tuple(metrics)
        self.systems = tuple(translations)
        self.lengths = tuple(lengths)
        self.pool = LengthPool(lengths) if has_corpus else None
        ends = np.cumsum([metric.columns for metric in metrics]).tolist()
        starts = [0, *ends[:-1]]
        self.columns = tuple(slice(start, end) for start, end in zip(starts, ends, strict=True))
        self.rows = tuple(np.zeros((len(references), ends[-1])) for _ in translations)
        for start in progress(range(0, len(references), CHUNK)):
            part = slice(start, start + CHUNK)
            self._fill(part, [texts[part] for texts in translations.values()], references[part])

    def sums(self, group: Group, settings: Settings) -> list[Sums]:
        """For each system the sums over a group; the draws are the same for all of them."""
        import numpy as np

        positions = np.array(group.positions, dtype=np.int64)
        rows = [each[positions] for each in self.rows]
        resamples = resample_totals(rows, settings.n_resamples, settings.seed)
        controls = [np.zeros((0, each.shape[1])) for each in rows]
        if self.pool is not None and settings.control and self.pool.unmatched(positions) < len(positions):
            draws = self.pool.draws(positions, settings.control, settings.seed)
            controls = add_draws(draws, settings.control, self.rows)
        own = [each.sum(axis=0) for each in rows]
        return [Sums(*each) for each in zip(own, resamples, controls, strict=True)]

    def _fill(self, part: slice, systems: Sequence[Sequence[str]], references: Sequence[str]) -> None:
        for metric, columns in zip(self.metrics, self.columns, strict=True):
            for rows, statistics in zip(self.rows, metric.statistics(systems, references), strict=True):
                rows[part, columns] = statistics


def score_group(
    table: Table, group: Group, settings: Settings, baseline: Sequence[Cell] | None
) -> tuple[list[Cell], list[Comparison]]:
    """The cell of each system, and the comparisons of every two systems, the earlier one first.

    Args:
        table: the statistics.
        group: the sentences.
        settings: draws, control, level, what is small.
        baseline: the cell of each system on the full corpus, for the drop; ``None``: not given.
    """
    sums = table.sums(group, settings)
    cells: list[Cell] = []
    for system in range(len(table.systems)):
        whole = None if baseline is None else baseline[system].scores
        scores = _scores(table, group, sums[system], settings.level, whole)
        controls = _controls(table, group, sums[system], scores, settings)
        cells.append(_cell(table, group, scores, controls, settings.small))
    return cells, _comparisons(table, group, sums, cells, settings.level)


def _cell(
    table: Table, group: Group, scores: tuple[Score, ...], controls: tuple[Control, ...], small: int
) -> Cell:
    n = len(group.positions)
    mean_length = sum(table.lengths[position] for position in group.positions) / n if n else None
    return Cell(group.bin, n, n < small, mean_length, scores, controls)


def _scores(
    table: Table, group: Group, sums: Sums, level: float, whole: Sequence[Score] | None
) -> tuple[Score, ...]:
    if not group.positions:
        return tuple(Score(metric.name, None, reason=_EMPTY) for metric in table.metrics)
    scores = []
    for number, (metric, columns) in enumerate(zip(table.metrics, table.columns, strict=True)):
        value = metric.value(sums.own[columns])
        low, high = interval(metric.values(sums.resamples[:, columns]), level)
        reference = whole[number].value if whole else None
        drop = None if reference is None else value - reference
        scores.append(Score(metric.name, value, low, high, drop))
    return tuple(scores)


def _controls(
    table: Table, group: Group, sums: Sums, scores: Sequence[Score], settings: Settings
) -> tuple[Control, ...]:
    if not settings.control:
        return ()
    if table.pool is None or not group.positions:
        reason = _NO_CORPUS if table.pool is None else _EMPTY
        return tuple(Control(each.metric, 0, None, None, None, None, 0, reason) for each in scores)
    unmatched = table.pool.unmatched(group.positions)
    samples = (
        metric.values(sums.controls[:, columns])
        for metric, columns in zip(table.metrics, table.columns, strict=True)
    )
    return tuple(
        compare_with_control(score.metric, score.value, sample, unmatched, settings.level)
        for score, sample in zip(scores, samples, strict=True)
        if score.value is not None  # always, where there are sentences
    )


def _comparisons(
    table: Table, group: Group, sums: Sequence[Sums], cells: Sequence[Cell], level: float
) -> list[Comparison]:
    comparisons = []
    for number, (metric, columns) in enumerate(zip(table.metrics, table.columns, strict=True)):
        samples = [metric.values(each.resamples[:, columns]) for each in sums]
        for one, other in combinations(range(len(cells)), 2):
            values = [cells[system].scores[number].value for system in (one, other)]
            names = table.systems[one], table.systems[other]
            sample = samples[other] - samples[one]
            comparisons.append(_comparison(names, group, metric.name, values, sample, level))
    return comparisons


def _comparison(
    names: tuple[str, str],
    group: Group,
    metric: str,
    values: Sequence[float | None],
    sample: Floats,
    level: float,
) -> Comparison:
    difference = low = high = p = None
    reason: str | None = _EMPTY
    first, second = values
    if first is not None and second is not None:
        difference = second - first
        low, high = interval(sample, level)
        p = p_value(sample, difference)
        reason = None if len(sample) else _NO_RESAMPLES
    return Comparison(
        first=names[0],
        second=names[1],
        configuration=group.configuration,
        bin=group.bin,
        metric=metric,
        n=len(group.positions),
        difference=difference,
        low=low,
        high=high,
        p_value=p,
        reason=reason,
    )
