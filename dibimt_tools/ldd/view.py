"""A report of ``dibimt ldd score`` by set and bin instead of by system, for text, HTML and figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from dibimt_common.format import count, interval, interval_title, number, p_value, printable, share, signed
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

FULL_CORPUS = "full corpus"
EMPTY = "This set has no sentences."

_METRIC_NAMES = {"bleu": "BLEU", "chrf": "chrF", "chrf++": "chrF++", "ribes": "RIBES"}
_ABOUT_BINS = (
    "Bins: All, >=1, >=2 ... contain the sentences with at least that largest distance. Lengths are in source tokens."
)
_ABOUT_SMALL = "Sets of fewer than {} sentences are too small to be reliable: shown, but not ranked."
_ABOUT_CONTROL = (
    "control: mean over samples of the full corpus with the sentence lengths of the set. better: share of them that "
    "score above the set; near 100 %: the set is harder than its lengths explain."
)


@dataclass(frozen=True, slots=True)
class BinView:
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

    def title(self, too_small: str) -> str:
        """The bin, the number and mean length of its sentences, and the mark of small sets."""
        if not self.n:
            return f"{self.bin.name}: no sentences"
        title = f"{self.bin.name}: n = {self.n:,}, mean length {number(self.mean_length, 1)}"
        return f"{title}, {too_small}" if self.small else title


@dataclass(frozen=True, slots=True)
class SetView:
    """All systems on one configuration; fields as in `SetScores`, with the name of each system."""

    configuration: str
    phenomenon: str
    minimum: tuple[BinView, ...]
    exact: tuple[BinView, ...]
    correlations: tuple[tuple[str, tuple[DistanceCorrelation, ...]], ...]


class Column(NamedTuple):
    """A column of a table of scores; ``kind`` is a key of `_TEXTS`."""

    title: str
    metric: str
    kind: str

    def text(self, cell: Cell, versus: Comparison | None) -> str:
        """The text of a table cell; ``versus``: difference from the best system."""
        control = control_of(cell, self.metric)
        return _TEXTS[self.kind](score_of(cell, self.metric), control, versus, decimals(self.metric))


_TEXTS: Mapping[str, Callable[[Score, Control | None, Comparison | None, int], str]] = {
    "score": lambda score, control, versus, digits: number(score.value, digits),
    "interval": lambda score, control, versus, digits: interval(score.low, score.high, digits),
    "versus": lambda score, control, versus, digits: signed(versus.difference, digits) if versus else "",
    "p": lambda score, control, versus, digits: p_value(versus.p_value) if versus else "",
    "drop": lambda score, control, versus, digits: signed(score.drop, digits),
    "control": lambda score, control, versus, digits: number(control.mean if control else None, digits),
    "better": lambda score, control, versus, digits: share(control.better if control else None),
    "controls": lambda score, control, versus, digits: interval(control.low, control.high, digits) if control else "-",
}


class Block(NamedTuple):
    """The rows of a bin in a table. rows: system, whether it is one of the best, cells."""

    title: str
    small: bool
    rows: tuple[tuple[str, bool, tuple[str, ...]], ...]


class ReportView:
    """Shared by the tables of one report: metrics, marks, and which columns are not empty.

    Attributes:
        names: of the systems. metrics: names. metric, title: the first one, which is shown in full.
        sets: the sets. baseline: the systems on the full corpus, or ``None``.
        comparisons: of two systems. too_small: mark of small sets. interval: title of the intervals.
    """

    def __init__(self, report: LddReport, settings: Settings) -> None:
        self.report = report
        self.settings = settings
        self.names = system_names(report)
        self.metrics = metric_names(report)
        self.metric = self.metrics[0]
        self.title = metric_name(self.metric)
        self.sets = set_views(report)
        self.baseline = baseline_view(report)
        self.comparisons = Comparisons(report.comparisons)
        self.too_small = too_small(settings)
        self.interval = interval_title(settings.level)
        cells = [cell for _, _, cell in every_cell(report)]
        self._resampled = any(score.low is not None for cell in cells for score in cell.scores)
        self._tested = any(each.p_value is not None for each in report.comparisons)
        self._controlled = any(control.mean is not None for cell in cells for control in cell.controls)

    def headline(self) -> str:
        """Pair, corpus, and numbers of systems and sets."""
        counts = f"{count(len(self.names), 'system')}, {count(len(self.sets), 'challenge set')}"
        return printable(f"LDD challenge sets, {self.report.pair}, corpus {self.report.corpus}: {counts}")

    def overview(self) -> list[tuple[str, BinView]]:
        """Names and cells over all sentences: of the full corpus if scored, and of each set."""
        whole = [(FULL_CORPUS, self.baseline)] if self.baseline is not None else []
        return [*whole, *((view.phenomenon, view.minimum[0]) for view in self.sets if view.minimum)]

    def baseline_blocks(self) -> tuple[tuple[Column, ...], list[Block]]:
        """Columns and rows of the full corpus, without drop and control."""
        columns = (*self._columns(self.metric, around=False), *self._other_scores())
        name = baseline_name(self.report)
        return columns, self._blocks(name, () if self.baseline is None else (self.baseline,), columns)

    def short_blocks(self, view: SetView) -> tuple[tuple[Column, ...], list[Block]]:
        """Columns and rows of a set: the first metric in full, only the scores of the others."""
        columns = (*self._columns(self.metric), *self._other_scores())
        return columns, self._blocks(view.configuration, view.minimum, columns)

    def long_blocks(self, view: SetView, metric: str) -> tuple[tuple[Column, ...], list[Block]]:
        """Columns and rows of a set: one metric in full."""
        columns = self._columns(metric)
        columns += (Column("of the controls", metric, "controls"),) if self._controlled else ()
        return columns, self._blocks(view.configuration, view.minimum, columns)

    def _columns(self, metric: str, around: bool = True) -> tuple[Column, ...]:
        compared = bool(self.report.comparisons)
        columns = (
            (metric_name(metric), "score", True),
            (self.interval, "interval", self._resampled),
            ("vs best", "versus", compared),
            ("p", "p", compared and self._tested),
            ("drop", "drop", around and self.baseline is not None),
            ("control", "control", around and self._controlled),
            ("better", "better", around and self._controlled),
        )
        return tuple(Column(title, metric, kind) for title, kind, shown in columns if shown)

    def _other_scores(self) -> tuple[Column, ...]:
        return tuple(Column(metric_name(each), each, "score") for each in self.metrics[1:])

    def _blocks(self, configuration: str, bins: Iterable[BinView], columns: Sequence[Column]) -> list[Block]:
        blocks = []
        for each in bins:
            metric = columns[0].metric
            versus, best = (versus_best(configuration, each, metric, self.comparisons), best_systems(each, metric))
            rows = (
                (name, name in best, tuple(column.text(cell, versus.get(name)) for column in columns))
                for name, cell in each.cells
            )
            blocks.append(Block(each.title(self.too_small), each.small, tuple(rows) if each.n else ()))
        return blocks

    def how_to_read(self, best: str) -> tuple[str, ...]:
        """The meaning of the columns in this report; ``best``: the mark of the best system."""
        lines = (
            (_ABOUT_BINS, True),
            (_ABOUT_SMALL.format(self.settings.small), True),
            (f"{best}: the highest {self.title} of the bin.", len(self.names) > 1),
            ("vs best: difference from it.", bool(self.report.comparisons)),
            (
                "p: of that difference, two-sided, paired bootstrap; not corrected for the number of comparisons.",
                self._tested,
            ),
            ("drop: difference from the full corpus; below 0: the set is harder.", self.baseline is not None),
            (_ABOUT_CONTROL, self._controlled),
        )
        return tuple(line for line, shown in lines if shown)


def set_views(report: LddReport) -> tuple[SetView, ...]:
    """The sets of a report, each with all systems."""
    names = system_names(report)
    every = zip(*(system.sets for system in report.systems), strict=True)
    return tuple(_set_view(names, sets) for sets in every)


def _set_view(names: Sequence[str], sets: Sequence[SetScores]) -> SetView:
    return SetView(
        sets[0].configuration,
        sets[0].phenomenon,
        tuple(_bin_view(names, cells) for cells in zip(*(each.minimum for each in sets), strict=True)),
        tuple(_bin_view(names, cells) for cells in zip(*(each.exact for each in sets), strict=True)),
        tuple(zip(names, map(_correlations, sets), strict=True)),
    )


def _correlations(scores: SetScores) -> tuple[DistanceCorrelation, ...]:
    """Empty if the set has one bin or no sentences: a correlation is not expected there."""
    return scores.correlations if len(scores.minimum) > 1 and scores.minimum[0].n else ()


def _bin_view(names: Sequence[str], cells: Sequence[Cell]) -> BinView:
    first = cells[0]
    return BinView(first.bin, first.n, first.small, first.mean_length, tuple(zip(names, cells, strict=True)))


def baseline_view(report: LddReport) -> BinView | None:
    """The systems on the full corpus; ``None`` if it was not translated."""
    cells = [system.baseline for system in report.systems if system.baseline is not None]
    return _bin_view(system_names(report), cells) if len(cells) == len(report.systems) else None


def baseline_name(report: LddReport) -> str:
    """The configuration of comparisons on the full corpus."""
    return f"{report.pair}-{BASELINE}"


def system_names(report: LddReport) -> tuple[str, ...]:
    """The systems in the order of the report."""
    return tuple(system.system for system in report.systems)


def metric_names(report: LddReport) -> tuple[str, ...]:
    """The metrics in the order of the report; the first one is shown in full."""
    _, _, cell = next(every_cell(report))
    return tuple(score.metric for score in cell.scores)


def metric_name(metric: str) -> str:
    """The metric in the spelling of papers: BLEU, chrF, RIBES."""
    return _METRIC_NAMES.get(metric, metric)


def decimals(metric: str) -> int:
    """Three for RIBES (0 to 1), two for the others (0 to 100)."""
    return 3 if metric == "ribes" else 2


def rho_text(value: float | None) -> str:
    """A rank correlation with its sign, even if zero."""
    return "-" if value is None else f"{value:+.2f}"


def every_cell(report: LddReport) -> Iterator[tuple[tuple[str, str], str, Cell]]:
    """Each cell of a report with its configuration and bin, and its system."""
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
    """The control of that metric, if any."""
    return next((control for control in cell.controls if control.metric == metric), None)


def best_systems(view: BinView, metric: str) -> frozenset[str]:
    """The systems with the highest score; none if the set is too small or fewer than two systems have a score."""
    values = {system: score_of(cell, metric).value for system, cell in view.cells}
    known = {system: value for system, value in values.items() if value is not None}
    if view.small or len(known) < 2:
        return frozenset()
    top = max(known.values())
    return frozenset(system for system, value in known.items() if value == top)


class Comparisons:
    """The comparisons of a report, in both directions."""

    def __init__(self, comparisons: Iterable[Comparison]) -> None:
        self._found = {
            (each.configuration, each.bin.name, each.metric, each.first, each.second): each for each in comparisons
        }

    def minus(self, configuration: str, bin_name: str, metric: str, system: str, other: str) -> Comparison | None:
        """``system`` minus ``other``; ``None`` if the report does not compare them."""
        where = (configuration, bin_name, metric)
        if found := self._found.get((*where, other, system)):
            return found
        if found := self._found.get((*where, system, other)):
            gap, low, high = (None if v is None else -v for v in (found.difference, found.high, found.low))
            return replace(found, first=other, second=system, difference=gap, low=low, high=high)
        return None


def versus_best(configuration: str, view: BinView, metric: str, comparisons: Comparisons) -> Mapping[str, Comparison]:
    """Each other system minus the (first) best; empty if nothing is ranked."""
    best = best_systems(view, metric)
    top = next((system for system, _ in view.cells if system in best), "")
    others = [system for system, _ in view.cells if best and system not in best]
    where = (configuration, view.bin.name, metric)
    found = {system: comparisons.minus(*where, system, top) for system in others}
    return {system: versus for system, versus in found.items() if versus is not None}


def undefined_notes(report: LddReport) -> tuple[str, ...]:
    """Reasons for undefined scores, controls and correlations; equal reasons are merged."""
    found: dict[tuple[str, str, str], dict[str, dict[str, None]]] = {}
    for place, system, what, reason in _undefined(report):
        found.setdefault((*place, reason), {}).setdefault(system, {})[what] = None
    merged: dict[tuple[str, str, str], list[str]] = {}
    for (configuration, bin_name, reason), systems in found.items():
        whats = ", ".join(dict.fromkeys(what for each in systems.values() for what in each))
        who = "all systems" if 1 < len(report.systems) == len(systems) else ", ".join(systems)
        merged.setdefault((configuration, f"{whats} of {who}", reason), []).append(bin_name)
    return tuple(
        f"{' '.join(filter(None, (configuration, ', '.join(filter(None, bins)))))}: {what}: {reason}"
        for (configuration, what, reason), bins in merged.items()
    )


def _undefined(report: LddReport) -> Iterator[tuple[tuple[str, str], str, str, str]]:
    """Configuration and bin, system, name of the value, reason."""
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
    """One line per set with sentences whose length no other sentence of the corpus has."""
    found: dict[str, dict[str, str]] = {}
    for (configuration, bin_name), _, cell in every_cell(report):
        for control in cell.controls:
            if control.unmatched:
                found.setdefault(configuration, {})[bin_name] = f"{control.unmatched} of {cell.n}"
    return tuple(
        f"{configuration}: sentences missing from the control, because no other has a similar length: "
        + ", ".join(f"{bin_name} {counts}" for bin_name, counts in bins.items())
        for configuration, bins in found.items()
    )


def too_small(settings: Settings) -> str:
    """The mark of a set that has too few sentences."""
    return f"too small (n < {settings.small})"
