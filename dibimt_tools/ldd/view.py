"""A report of ``dibimt ldd score`` seen by set and bin instead of by system: what text, HTML and figures share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ldd_challenge_sets.records import BASELINE

if TYPE_CHECKING:
    from ldd_challenge_sets.scoring.results import (
        Bin,
        Cell,
        Comparison,
        Control,
        DistanceCorrelation,
        LddReport,
        Score,
        SetScores,
    )
    from ldd_challenge_sets.scoring.settings import Settings

_METRIC_NAMES = {"bleu": "BLEU", "chrf": "chrF", "chrf++": "chrF++", "ribes": "RIBES"}
FULL_CORPUS = "full corpus"
EMPTY = "There is no sentence in this set."
ALL_SYSTEMS = "all systems"
UNDEFINED = "-"

_DECIMALS = {"ribes": 3}  # runs from 0 to 1, the others to 100


@dataclass(frozen=True, slots=True)
class Group:
    """The cells of all systems on the same sentences.

    Attributes:
        bin, n, small, mean_length: as in `Cell`; the same for every system.
        cells: system and cell, in the order of the report.
    """

    bin: Bin
    n: int
    small: bool
    mean_length: float | None
    cells: tuple[tuple[str, Cell], ...]


@dataclass(frozen=True, slots=True)
class SetView:
    """All systems on one configuration; fields as in `SetScores`, correlations with the system's name (maybe none)."""

    configuration: str
    phenomenon: str
    minimum: tuple[Group, ...]
    exact: tuple[Group, ...]
    correlations: tuple[tuple[str, tuple[DistanceCorrelation, ...]], ...]


@dataclass(frozen=True, slots=True)
class Versus:
    """A system minus another one: difference, interval, p-value; ``None`` where undefined."""

    difference: float | None
    low: float | None
    high: float | None
    p_value: float | None


def set_views(report: LddReport) -> tuple[SetView, ...]:
    """The sets of a report, each with all systems."""
    names = system_names(report)
    return tuple(
        _set_view(names, sets) for sets in zip(*(system.sets for system in report.systems), strict=True)
    )


def _set_view(names: Sequence[str], sets: Sequence[SetScores]) -> SetView:
    first = sets[0]
    return SetView(
        first.configuration,
        first.phenomenon,
        _groups(names, [each.minimum for each in sets]),
        _groups(names, [each.exact for each in sets]),
        tuple(zip(names, map(_correlations, sets), strict=True)),
    )


def _correlations(scores: SetScores) -> tuple[DistanceCorrelation, ...]:
    """Where there are distances and sentences: else it goes without saying that nothing can be correlated."""
    return scores.correlations if len(scores.minimum) > 1 and scores.minimum[0].n else ()


def _groups(names: Sequence[str], cells: Sequence[Sequence[Cell]]) -> tuple[Group, ...]:
    return tuple(_group(names, row) for row in zip(*cells, strict=True))


def _group(names: Sequence[str], cells: Sequence[Cell]) -> Group:
    first = cells[0]
    return Group(first.bin, first.n, first.small, first.mean_length, tuple(zip(names, cells, strict=True)))


def baseline_group(report: LddReport) -> Group | None:
    """The systems on the full corpus; ``None`` where it was not translated."""
    cells = [system.baseline for system in report.systems if system.baseline is not None]
    return _group(system_names(report), cells) if len(cells) == len(report.systems) else None


def baseline_name(report: LddReport) -> str:
    """What comparisons on the full corpus have as configuration."""
    return f"{report.pair}-{BASELINE}"


def system_names(report: LddReport) -> tuple[str, ...]:
    """The systems in the order of the report."""
    return tuple(system.system for system in report.systems)


def metric_names(report: LddReport) -> tuple[str, ...]:
    """The metrics in the order of the report; the first is the one that is shown in full."""
    for _, _, cell in every_cell(report):
        return tuple(score.metric for score in cell.scores)
    return ()


def metric_name(metric: str) -> str:
    """The metric as it is written: BLEU, chrF, RIBES."""
    return _METRIC_NAMES.get(metric, metric)


def every_cell(report: LddReport) -> Iterator[tuple[tuple[str, str], str, Cell]]:
    """Each cell of a report, with where it stands (configuration and name of the bin) and its system."""
    for system in report.systems:
        if system.baseline is not None:
            yield (FULL_CORPUS, ""), system.system, system.baseline
        for each in system.sets:
            for cell in (*each.minimum, *each.exact):
                yield (each.configuration, cell.bin.name), system.system, cell


def score_of(cell: Cell, metric: str) -> Score:
    """The score of that metric."""
    return next(score for score in cell.scores if score.metric == metric)


def control_of(cell: Cell, metric: str) -> Control | None:
    """The control of that metric, where there is one."""
    return next((control for control in cell.controls if control.metric == metric), None)


def best_systems(group: Group, metric: str) -> frozenset[str]:
    """The systems with the highest score; none where the set is too small, or fewer than two have a score."""
    values = {system: score_of(cell, metric).value for system, cell in group.cells}
    known = {system: value for system, value in values.items() if value is not None}
    if group.small or len(known) < 2:
        return frozenset()
    top = max(known.values())
    return frozenset(system for system, value in known.items() if value == top)


class Comparisons:
    """The comparisons of a report, found from either side."""

    def __init__(self, comparisons: Iterable[Comparison]) -> None:
        self._found: Mapping[tuple[str, str, str, str, str], Comparison] = {
            (each.configuration, each.bin.name, each.metric, each.first, each.second): each
            for each in comparisons
        }

    def minus(self, configuration: str, bin_name: str, metric: str, system: str, other: str) -> Versus | None:
        """``system`` minus ``other``; ``None`` where the report does not compare them."""
        where = (configuration, bin_name, metric)
        if found := self._found.get((*where, other, system)):
            return Versus(found.difference, found.low, found.high, found.p_value)
        if found := self._found.get((*where, system, other)):
            return Versus(_minus(found.difference), _minus(found.high), _minus(found.low), found.p_value)
        return None


def _minus(value: float | None) -> float | None:
    return None if value is None else -value


def versus_best(
    configuration: str, group: Group, metric: str, comparisons: Comparisons
) -> Mapping[str, Versus]:
    """Each system that is not the best minus the (first) best; empty where nothing is ranked."""
    best = best_systems(group, metric)
    if not best:
        return {}
    top = next(system for system, _ in group.cells if system in best)
    others = (system for system, _ in group.cells if system not in best)
    found = {
        system: comparisons.minus(configuration, group.bin.name, metric, system, top) for system in others
    }
    return {system: versus for system, versus in found.items() if versus is not None}


def undefined_notes(report: LddReport) -> tuple[str, ...]:
    """Why scores, controls and correlations are undefined; equal reasons are put together."""
    found: dict[tuple[str, str, str], dict[str, dict[str, None]]] = {}
    for place, system, what, reason in _undefined(report):
        found.setdefault((*place, reason), {}).setdefault(system, {})[what] = None
    merged: dict[tuple[str, str, str], list[str]] = {}
    for (configuration, bin_name, reason), systems in found.items():
        whats = ", ".join(dict.fromkeys(what for each in systems.values() for what in each))
        everyone = 1 < len(report.systems) == len(systems)
        key = (configuration, f"{whats} of {ALL_SYSTEMS if everyone else ', '.join(systems)}", reason)
        merged.setdefault(key, []).append(bin_name)
    return tuple(
        f"{_joined(configuration, bins)}: {what}: {reason}"
        for (configuration, what, reason), bins in merged.items()
    )


def _joined(configuration: str, bins: Sequence[str]) -> str:
    return " ".join(filter(None, (configuration, ", ".join(filter(None, bins)))))


def _undefined(report: LddReport) -> Iterator[tuple[tuple[str, str], str, str, str]]:
    """Where (configuration and bin), system, what, reason."""
    for place, system, cell in every_cell(report):
        for score in cell.scores:
            if score.reason is not None:
                yield place, system, metric_name(score.metric), score.reason
        for control in cell.controls:
            if control.reason is not None:
                yield place, system, "control", control.reason
    for each in report.systems:
        for scores in each.sets:
            for correlation in _correlations(scores):
                if correlation.reason is not None:
                    what = f"Spearman {metric_name(correlation.metric)}"
                    yield (scores.configuration, ""), each.system, what, correlation.reason


def unmatched_notes(report: LddReport) -> tuple[str, ...]:
    """The sets that have sentences of a length which no other sentence of the corpus has, one line a set."""
    found: dict[str, dict[str, str]] = {}
    for (configuration, bin_name), _, cell in every_cell(report):
        for control in cell.controls:
            if control.unmatched:
                found.setdefault(configuration, {})[bin_name] = f"{control.unmatched} of {cell.n}"
    return tuple(
        f"{configuration}: sentences without another of such a length, which the control lacks: "
        + ", ".join(f"{bin_name} {counts}" for bin_name, counts in bins.items())
        for configuration, bins in found.items()
    )


def too_small(settings: Settings) -> str:
    """The mark of a set that has too few sentences.

    >>> from ldd_challenge_sets.scoring.settings import Settings
    >>> too_small(Settings())
    'too small (n < 30)'
    """
    return f"too small (n < {settings.small})"


def value_text(metric: str, value: float | None, less: int = 0) -> str:
    """A score in the decimals of its metric (or some less), ``-`` where it is undefined.

    >>> value_text("bleu", 30.125), value_text("ribes", 0.8125), value_text("bleu", None)
    ('30.12', '0.812', '-')
    """
    return UNDEFINED if value is None else f"{value:.{_DECIMALS.get(metric, 2) - less}f}"


def signed_text(metric: str, value: float | None, less: int = 0) -> str:
    """The same with sign, for differences; what rounds to zero has none.

    >>> signed_text("bleu", 1.5), signed_text("bleu", -0.001)
    ('+1.50', '0.00')
    """
    if value is None:
        return UNDEFINED
    text = f"{value:+.{_DECIMALS.get(metric, 2) - less}f}"
    return text if float(text) else text[1:]


def interval_text(metric: str, low: float | None, high: float | None) -> str:
    """``low to high``, or ``-``."""
    if low is None or high is None:
        return UNDEFINED
    return f"{value_text(metric, low)} to {value_text(metric, high)}"


def p_text(value: float | None) -> str:
    """A p-value; the smallest that three decimals can show is said to be below that.

    >>> p_text(0.0004), p_text(0.25)
    ('<.001', '.250')
    """
    if value is None:
        return UNDEFINED
    return "<.001" if value < 0.001 else "1.000" if value >= 0.9995 else f"{value:.3f}"[1:]


def share_text(value: float | None) -> str:
    """A share as a whole percentage; only all is 100, only none is 0.

    >>> share_text(1.0), share_text(0.999), share_text(0.001)
    ('100 %', '>99 %', '<1 %')
    """
    if value is None:
        return UNDEFINED
    if 0.99 < value < 1:
        return ">99 %"
    return "<1 %" if 0 < value < 0.01 else f"{100 * value:.0f} %"


def length_text(value: float | None) -> str:
    """A mean length, ``-`` where there is no sentence."""
    return UNDEFINED if value is None else f"{value:.1f}"


def rho_text(value: float | None) -> str:
    """A rank correlation, or ``-``."""
    return UNDEFINED if value is None else f"{value:+.2f}"
