"""Systems on challenge sets: by phenomenon, by distance, against the full corpus and against each other.

From Python::

    from ldd_challenge_sets.scoring.scorer import Settings, score_sets
    report = score_sets(baseline, {"de-en-particle": rows}, {"mine": {1: "...", 2: "..."}}, Settings())
    report.systems[0].sets[0].minimum[0].scores[0].value

Definitions, formulas and degenerate cases: ``docs/ldd_scores.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from dibimt_common.correlation import correlation
from dibimt_metric.score_bootstrap import p_value, percentile_interval
from dibimt_metric.signature import NAME, make_signature

from ..records import BASELINE, LddRow
from .draws import LengthPool, add_draws, compare_with_control, resample_totals
from .material import Material, SetMaterial, gather
from .metrics import CHUNK, Metric, make_metrics
from .results import Bin, Cell, Comparison, Control, DistanceCorrelation, LddReport, Score, SetScores, SystemScores
from .settings import ALL, BINS_VERSION, PAPER, UNDIVIDED, Bins, Preset, Settings, bins_for, is_inside

if TYPE_CHECKING:
    from dibimt_metric.score_bootstrap import Floats

__all__ = ["PAPER", "Preset", "Progress", "Settings", "score_sets"]

Progress: TypeAlias = Callable[[Iterable[Any]], Iterable[Any]]
"""Wraps an iteration, such as ``tqdm``; ``iter`` shows nothing."""

_NAME = "ldd"
_EMPTY = "no sentence in this bin"
_NO_CORPUS = "the full corpus was not given"
_NO_RESAMPLES = "no resamples were requested"


def score_sets(
    baseline: Sequence[LddRow] | None,
    sets: Mapping[str, Sequence[LddRow]],
    systems: Mapping[str, Mapping[int, str]],
    settings: Settings | None = None,
    *,
    pair: str | None = None,
    progress: Progress = iter,
) -> LddReport:
    """Score one or several systems on challenge sets of one corpus.

    Args:
        baseline: the full corpus, each line once, or ``None`` if only the sets were translated: then there are neither
            drops nor random controls.
        sets: configuration (such as ``de-en-particle``) and its rows.
        systems: name of each system and its translations by corpus line, for every line that is scored.
        settings: metrics, draws and seed; ``None``: `Settings` with its defaults.
        pair: source and target language; ``None``: as the names of the configurations begin.
        progress: wraps the two iterations over parts of the work, such as ``tqdm``.

    Returns:
        Every system on every bin of every set. The same input gives the same report whatever the order of rows, and
        a set's numbers do not depend on which other sets and systems are scored with it.

    Raises:
        InputError: sets, corpus and translations do not match; names system, configuration and line.

    >>> from ldd_challenge_sets.scoring.select import rows_from_ids
    >>> rows = rows_from_ids([1], ["ein Satz"], ["a sentence"], "particle")
    >>> settings = Settings(metrics=("chrf",), n_resamples=0)
    >>> report = score_sets(None, {"de-en-particle": rows}, {"mine": {1: "a sentence"}}, settings)
    >>> cell = report.systems[0].sets[0].minimum[0]
    >>> cell.n, cell.small, cell.scores[0].value
    (1, True, 100.0)
    """
    settings = settings or Settings()
    material = gather(baseline, sets, systems, pair)
    metrics = make_metrics(settings, material.target_language)
    table = Table(metrics, material, progress)
    whole: list[Cell] | None = None
    cells: dict[tuple[str, Bin], list[Cell]] = {}
    comparisons: list[Comparison] = []
    if material.has_baseline:
        corpus = _Group(f"{material.pair}-{BASELINE}", ALL, tuple(range(len(material.lines))))
        whole, comparisons = _score_group(table, corpus, replace(settings, control=0), None)
    for group in progress([group for each in material.sets for group in _groups(each)]):
        cells[group.configuration, group.bin], compared = _score_group(table, group, settings, whole)
        comparisons += compared
    return LddReport(
        pair=material.pair,
        corpus=material.corpus,
        systems=tuple(
            SystemScores(
                system=system,
                baseline=whole[number] if whole else None,
                sets=tuple(_set_scores(each, cells, settings, number) for each in material.sets),
            )
            for number, system in enumerate(table.systems)
        ),
        comparisons=tuple(comparisons),
        signatures=tuple((metric.name, metric.signature()) for metric in metrics),
        signature=_signature(material, settings),
    )


def _bins(rows: SetMaterial) -> Bins:
    divided = any(distance is not None for distance in rows.distances) or not rows.distances
    return bins_for(rows.phenomenon) if divided else UNDIVIDED


class _Group(NamedTuple):
    """Sentences that are scored together, by position in the corpus lines, which may repeat."""

    configuration: str
    bin: Bin
    positions: tuple[int, ...]


def _groups(rows: SetMaterial) -> list[_Group]:
    """One group for each bin; a bin in both groups of bins is scored once."""
    bins, pairs = _bins(rows), list(zip(rows.positions, rows.distances, strict=True))
    return [
        _Group(rows.configuration, bin, tuple(place for place, distance in pairs if is_inside(distance, bin)))
        for bin in dict.fromkeys((*bins.minimum, *bins.exact))
    ]


def _set_scores(
    rows: SetMaterial, cells: Mapping[tuple[str, Bin], Sequence[Cell]], settings: Settings, system: int
) -> SetScores:
    minimum, exact = (tuple(cells[rows.configuration, bin][system] for bin in group) for group in _bins(rows))
    correlations = tuple(_correlation(name, number, minimum) for number, name in enumerate(settings.metrics))
    return SetScores(rows.configuration, rows.phenomenon, minimum, exact, correlations)


def _correlation(metric: str, number: int, cells: Sequence[Cell]) -> DistanceCorrelation:
    """Of the scores with the minimum distances (paper, Table 5), over the bins that hold sentences."""
    values = [(cell.bin.minimum, cell.scores[number].value) for cell in cells]
    points = [(distance, value) for distance, value in values if value is not None]
    found = correlation([distance for distance, _ in points], [value for _, value in points])
    return DistanceCorrelation(metric, found.spearman, found.points, found.reason)


def _signature(material: Material, settings: Settings) -> str:
    """The project's signature with the name of this package; choices of one metric are in its own signature."""
    sets, baseline = material.fingerprints
    names = {"pair": material.pair, "corpus": material.corpus or "none", "sets": sets, "baseline": baseline}
    draws = {"level": settings.level, "seed": settings.seed, "control": settings.control}
    fields: dict[str, str | int | float] = {**names, "bins": BINS_VERSION, "bootstrap": settings.n_resamples, **draws}
    return _NAME + str(make_signature(fields)).removeprefix(NAME)


# One group of sentences, from statistics that are computed once for each sentence


class _Sums(NamedTuple):
    """Sums of statistics of one system: of the group itself, and of each resample and control sample."""

    own: Floats
    resamples: Floats
    controls: Floats


class Table:
    """The statistics of all systems and metrics on all corpus lines; progress wraps the parts of the corpus."""

    def __init__(self, metrics: Sequence[Metric], material: Material, progress: Progress = iter) -> None:
        import numpy as np

        self.systems = tuple(material.translations)
        self.lengths = material.lengths
        self.pool = LengthPool(material.lengths) if material.has_baseline else None
        ends = np.cumsum([metric.columns for metric in metrics]).tolist()
        columns = map(slice, [0, *ends[:-1]], ends)
        self.metrics: tuple[tuple[Metric, slice], ...] = tuple(zip(metrics, columns, strict=True))
        references = material.references
        self.rows = tuple(np.zeros((len(references), ends[-1])) for _ in self.systems)
        for start in progress(range(0, len(references), CHUNK)):
            part = slice(start, start + CHUNK)
            texts = [translations[part] for translations in material.translations.values()]
            for metric, place in self.metrics:
                statistics = metric.statistics(texts, references[part])
                for rows, each in zip(self.rows, statistics, strict=True):
                    rows[part, place] = each

    def sums(self, group: _Group, settings: Settings) -> list[_Sums]:
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
        return [_Sums(*each) for each in zip(own, resamples, controls, strict=True)]


def _score_group(
    table: Table, group: _Group, settings: Settings, baseline: Sequence[Cell] | None
) -> tuple[list[Cell], list[Comparison]]:
    """The cell of each system, and the comparisons of every two; baseline: cells of the full corpus, for the drop."""
    n = len(group.positions)
    length = sum(table.lengths[position] for position in group.positions) / n if n else None
    sums = table.sums(group, settings)
    cells = []
    for system, each in enumerate(sums):
        scores = _scores(table, n, each, settings.level, None if baseline is None else baseline[system].scores)
        controls = _controls(table, group, each, scores, settings)
        cells.append(Cell(group.bin, n, n < settings.small, length, scores, controls))
    return cells, _comparisons(table, group, sums, cells, settings.level)


def _scores(table: Table, n: int, sums: _Sums, level: float, whole: Sequence[Score] | None) -> tuple[Score, ...]:
    if not n:
        return tuple(Score(metric.name, None, reason=_EMPTY) for metric, _ in table.metrics)
    scores = []
    for number, (metric, columns) in enumerate(table.metrics):
        value = metric.value(sums.own[columns])
        low, high = percentile_interval(metric.values(sums.resamples[:, columns]), level)
        reference = whole[number].value if whole else None
        scores.append(Score(metric.name, value, low, high, None if reference is None else value - reference))
    return tuple(scores)


def _controls(
    table: Table, group: _Group, sums: _Sums, scores: Sequence[Score], settings: Settings
) -> tuple[Control, ...]:
    if not settings.control:
        return ()
    if table.pool is None or not group.positions:
        reason = _NO_CORPUS if table.pool is None else _EMPTY
        return tuple(Control(each.metric, 0, None, None, None, None, 0, reason) for each in scores)
    unmatched = table.pool.unmatched(group.positions)
    return tuple(
        compare_with_control(
            score.metric, score.value, metric.values(sums.controls[:, columns]), unmatched, settings.level
        )
        for score, (metric, columns) in zip(scores, table.metrics, strict=True)
        if score.value is not None  # always, if there are sentences
    )


def _comparisons(
    table: Table, group: _Group, sums: Sequence[_Sums], cells: Sequence[Cell], level: float
) -> list[Comparison]:
    comparisons = []
    for number, (metric, columns) in enumerate(table.metrics):
        samples = [metric.values(each.resamples[:, columns]) for each in sums]
        for one, other in combinations(range(len(cells)), 2):
            names, n = (table.systems[one], table.systems[other]), len(group.positions)
            empty = Comparison(*names, group.configuration, group.bin, metric.name, n, None, None, None, None, _EMPTY)
            first, second = (cells[system].scores[number].value for system in (one, other))
            comparisons.append(_compared(empty, first, second, samples[other] - samples[one], level))
    return comparisons


def _compared(empty: Comparison, first: float | None, second: float | None, sample: Floats, level: float) -> Comparison:
    if first is None or second is None:
        return empty
    low, high = percentile_interval(sample, level)
    difference, reason = second - first, None if len(sample) else _NO_RESAMPLES
    p = p_value(sample, difference)
    return replace(empty, difference=difference, low=low, high=high, p_value=p, reason=reason)
