"""Systems on challenge sets: by phenomenon, by distance, against the full corpus and against each other.

From Python::

    from ldd_challenge_sets.scoring.scorer import Settings, score_sets
    report = score_sets(baseline, {"de-en-particle": rows}, {"mine": {1: "...", 2: "..."}}, Settings())
    report.systems[0].sets[0].minimum[0].scores[0].value

Definitions, formulas and degenerate cases: ``docs/ldd_scores.md``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from dibimt_metric.signature import NAME, make_signature

from ..records import BASELINE, Row
from .bins import ALL, UNDIVIDED, Bins, bins_for, is_inside
from .bins import VERSION as BINS_VERSION
from .cells import Group, Progress, Table, score_group
from .material import Material, RowSet, gather
from .metrics import make_metrics
from .rank import spearman
from .results import Bin, Cell, Comparison, Correlation, Report, SetScores, SystemScores
from .settings import PAPER, Preset, Settings

__all__ = ["PAPER", "Preset", "Progress", "Settings", "score_sets"]

_NAME = "ldd"


@dataclass(frozen=True, slots=True)
class _Scored:
    """The cells of every group, in the order of the systems, and what was found by comparing these."""

    cells: dict[tuple[str, Bin], list[Cell]]
    comparisons: list[Comparison]


def score_sets(
    baseline: Sequence[Row] | None,
    sets: Mapping[str, Sequence[Row]],
    systems: Mapping[str, Mapping[int, str]],
    settings: Settings | None = None,
    *,
    pair: str | None = None,
    progress: Progress = iter,
) -> Report:
    """Score one or several systems on challenge sets of one corpus.

    Args:
        baseline: the full corpus, each line once, or ``None`` where only the sets were translated: then there are
            neither drops nor random controls.
        sets: configuration (such as ``de-en-particle``) and its rows.
        systems: name of each system and its translations by corpus line, for every line that is scored.
        settings: metrics, draws and seed; ``None``: `Settings` with its defaults.
        pair: source and target language; ``None``: as the names of the configurations begin.
        progress: wraps the two iterations over parts of the work, such as ``tqdm``.

    Returns:
        Every system on every bin of every set. The same input gives the same report whatever the order of rows, and
        a set's numbers do not depend on which other sets and systems are scored with it.

    Raises:
        InputError: sets, corpus and translations do not fit together; names system, configuration and line.
        MissingLibraryError: sacrebleu, or what its tokenizer for the language needs, is missing.

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
    table = Table(
        metrics,
        material.translations,
        material.references,
        material.lengths,
        material.has_baseline,
        progress,
    )
    whole, scored = _score_groups(table, material, settings, progress)
    return Report(
        pair=material.pair,
        corpus=material.corpus,
        systems=tuple(
            SystemScores(
                system=system,
                baseline=whole[number] if whole else None,
                sets=tuple(_set_scores(each, scored, settings, number) for each in material.sets),
            )
            for number, system in enumerate(table.systems)
        ),
        comparisons=tuple(scored.comparisons),
        signatures=tuple((metric.name, metric.signature()) for metric in metrics),
        signature=_signature(material, settings),
    )


def _score_groups(
    table: Table, material: Material, settings: Settings, progress: Progress
) -> tuple[list[Cell] | None, _Scored]:
    scored = _Scored({}, [])
    whole: list[Cell] | None = None
    groups = [group for each in material.sets for group in _groups(each)]
    if material.has_baseline:
        corpus = Group(f"{material.pair}-{BASELINE}", ALL, tuple(range(len(material.lines))))
        whole, comparisons = score_group(table, corpus, replace(settings, control=0), None)
        scored.comparisons.extend(comparisons)
    for group in progress(groups):
        cells, comparisons = score_group(table, group, settings, whole)
        scored.cells[group.configuration, group.bin] = cells
        scored.comparisons.extend(comparisons)
    return whole, scored


def _bins(rows: RowSet) -> Bins:
    divided = any(distance is not None for distance in rows.distances) or not rows.distances
    return bins_for(rows.phenomenon) if divided else UNDIVIDED


def _groups(rows: RowSet) -> list[Group]:
    """One group for each bin; a bin that both groups of bins have is scored once."""
    bins = _bins(rows)
    return [
        Group(
            configuration=rows.configuration,
            bin=bin,
            positions=tuple(
                position
                for position, distance in zip(rows.positions, rows.distances, strict=True)
                if is_inside(distance, bin)
            ),
        )
        for bin in dict.fromkeys((*bins.minimum, *bins.exact))
    ]


def _set_scores(rows: RowSet, scored: _Scored, settings: Settings, system: int) -> SetScores:
    bins = _bins(rows)
    minimum, exact = (tuple(scored.cells[rows.configuration, bin][system] for bin in group) for group in bins)
    return SetScores(
        configuration=rows.configuration,
        phenomenon=rows.phenomenon,
        minimum=minimum,
        exact=exact,
        correlations=tuple(
            _correlation(name, number, minimum) for number, name in enumerate(settings.metrics)
        ),
    )


def _correlation(metric: str, number: int, cells: Sequence[Cell]) -> Correlation:
    """Of the scores with the minimum distances (paper, Table 5), over the bins that hold sentences."""
    points = [(cell.bin.minimum, cell.scores[number].value) for cell in cells]
    used = [(distance, value) for distance, value in points if value is not None]
    rho, reason = spearman([distance for distance, _ in used], [value for _, value in used])
    return Correlation(metric, rho, len(used), reason)


def _signature(material: Material, settings: Settings) -> str:
    """The project's signature under this package's name; what belongs to one metric stands in the metric's own."""
    sets, baseline = material.fingerprints
    fields: dict[str, str | int | float] = {
        "pair": material.pair,
        "corpus": material.corpus or "none",
        "sets": sets,
        "baseline": baseline,
        "bins": BINS_VERSION,
        "bootstrap": settings.n_resamples,
        "level": settings.level,
        "seed": settings.seed,
        "control": settings.control,
    }
    return _NAME + str(make_signature(fields)).removeprefix(NAME)
