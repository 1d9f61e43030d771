"""Scores, breakdowns and comparisons as text. Undefined numbers are marked as such, with the reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from dibimt_common.format import UNDEFINED, aligned, interval, interval_title, number, section, signed
from dibimt_metric.judge_explain import POS_NAMES, words_found
from dibimt_metric.score import METRICS
from dibimt_metric.score_breakdown import UNKNOWN, by_frequency_index, by_polysemy, by_pos
from dibimt_metric.score_measures import BIAS_METRICS

if TYPE_CHECKING:
    from dibimt_metric.records import Item, Judgment, Outcome
    from dibimt_metric.score import Counts, LanguageMean, Scores
    from dibimt_metric.score_bootstrap import Bootstrap, Difference
    from dibimt_metric.score_breakdown import Cell
    from dibimt_metric.score_comparison import Comparison, PairResult
    from dibimt_metric.score_results import Result

METRIC_NAMES = {
    "accuracy": "accuracy",
    "sfi": "SFI",
    "pdi": "PDI",
    "mfs": "MFS",
    "mfs_plus": "MFS+",
    "coverage": "coverage",
    "miss_rate": "MISS rate",
    "unk_rate": "UNK rate",
}
_LABELS = ("n", "GOOD", "BAD", "MISS", "UNK")
_COLUMNS = (*BIAS_METRICS, "coverage")
_SCORE_HEADER = ("", *_LABELS, *(METRIC_NAMES[metric] for metric in _COLUMNS))


_number = partial(number, undefined=UNDEFINED)
_interval = partial(interval, undefined=UNDEFINED)


def score_report(result: Result, language_name: str) -> str:
    """The text that ``dibimt score`` prints."""
    labels = _labels(result.scores.counts)
    parts = [
        section(f"Labels, {language_name}", aligned(_LABELS, [labels], range(len(labels)))),
        section("Scores in percent", metric_lines(result.scores, result.intervals)),
        *breakdown_sections(result.outcomes),
        f"signature: {result.signature}",
    ]
    return "\n\n".join(parts)


def metric_lines(scores: Scores, intervals: Bootstrap | None) -> tuple[str, ...]:
    """Every metric, with its interval if given, and its basis or the reason why it is undefined."""
    rows = []
    for metric in METRICS:
        measure = scores.measure(metric)
        cells = [METRIC_NAMES[metric], _number(measure.value)]
        if intervals is not None:
            each = intervals.interval(metric) if metric in BIAS_METRICS else None
            cells.append(_interval(each.low, each.high) if each is not None else "")
        rows.append([*cells, measure.reason or _basis(scores, metric)])
    header = ["metric", "value"]
    if intervals is not None:
        header.append(interval_title(intervals.level))
    return aligned([*header, "based on"], rows, right={1, 2} if intervals is not None else {1})


def _basis(scores: Scores, metric: str) -> str:
    measure, choices = scores.measure(metric), scores.choices
    if metric == "accuracy":
        return f"{measure.n} of {scores.counts.n} items (GOOD or BAD)"
    if metric in ("sfi", "pdi"):
        left_out, what = (
            (scores.sfi_left_out, "frequency index") if metric == "sfi" else (scores.pdi_left_out, "polysemy")
        )
        groups = f"{measure.n} items in {measure.groups_used} of {measure.groups_total} groups"
        return groups + (f"; {left_out} without a known {what} left out" if left_out else "")
    if metric in ("mfs", "mfs_plus"):
        contradictory = choices.contradictory
        extra = f"; {contradictory} with the rank of the right sense left out" if contradictory else ""
        return f"{measure.n} of {choices.bad} BAD items (rank of the sense shown is known)" + extra
    return f"{measure.n} items"


def breakdown_sections(outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    """Accuracy by frequency index, by polysemy and by part of speech."""
    tables = (
        ("Accuracy by frequency index of the right sense", by_frequency_index(outcomes)),
        ("Accuracy by polysemy of the focus word", by_polysemy(outcomes)),
        ("Accuracy by part of speech", tuple(cell for cell in by_pos(outcomes) if cell.counts.n)),
    )
    return tuple(section(title, breakdown_lines(cells)) for title, cells in tables)


def breakdown_lines(cells: Iterable[Cell]) -> tuple[str, ...]:
    """One row per bin; the bin of unknown values only if it is not empty."""
    rows = []
    for cell in cells:
        if cell.name == UNKNOWN and not cell.counts.n:
            continue
        name = POS_NAMES.get(cell.name, cell.name)
        values = (_number(cell.coverage.value), _number(cell.accuracy.value), cell.accuracy.reason or "")
        rows.append((name, *_labels(cell.counts), *values))
    note = "why undefined" if any(row[-1] for row in rows) else ""
    return aligned(("", *_LABELS, "coverage", "accuracy", note), rows, range(1, 8))


def language_lines(mean: LanguageMean) -> tuple[str, ...]:
    """One row per language, then the unweighted mean; notes on undefined and partial values below."""
    means = (_number(mean.measure(metric).value) for metric in _COLUMNS)
    rows = [
        *(_score_row(code, scores) for code, scores in mean.languages),
        ("mean", *[""] * len(_LABELS), *means),
    ]
    notes = {**mean.undefined(), **mean.partial()}
    return (
        *aligned(_SCORE_HEADER, rows, range(1, len(_SCORE_HEADER))),
        *(f"{METRIC_NAMES[metric]}: {notes[metric]}" for metric in _COLUMNS if metric in notes),
    )


def system_lines(systems: Iterable[tuple[str, Scores]]) -> tuple[str, ...]:
    """One row per system; reasons for undefined metrics below."""
    systems = tuple(systems)
    rows = [_score_row(name, scores) for name, scores in systems]
    notes = [
        f"{METRIC_NAMES[metric]} of {name}: {reason}"
        for name, scores in systems
        for metric, reason in scores.undefined().items()
        if metric in _COLUMNS
    ]
    return (*aligned(_SCORE_HEADER, rows, range(1, len(_SCORE_HEADER))), *notes)


def _score_row(name: str, scores: Scores) -> tuple[str, ...]:
    return (name, *_labels(scores.counts), *(_number(scores.measure(metric).value) for metric in _COLUMNS))


def _labels(counts: Counts) -> tuple[str, ...]:
    return tuple(map(str, (counts.n, counts.good, counts.bad, counts.miss, counts.unk)))


def comparison_report(
    comparison: Comparison,
    results: Mapping[str, Result],
    items: Sequence[Item],
    level: float,
    language_name: str,
) -> str:
    """The text that ``dibimt compare`` prints, without the signature."""
    n, common = len(comparison.items), len(comparison.common)
    systems = f"{len(comparison.systems)} systems, {language_name}"
    head = f"{systems}: {n} items, of which {common} are common (GOOD or BAD in every system)"
    every = system_lines((system.name, system.all_items) for system in comparison.systems)
    subset = system_lines((system.name, system.common) for system in comparison.systems)
    parts = [head, section("All items", every), section("Common items: comparable", subset)]
    for pair in comparison.pairs:
        title = f"{pair.second} minus {pair.first}, common items, percentage points"
        parts.append(section(title, difference_lines(pair, level)))
        parts += _changes(pair, results, {item.id: item for item in items})
    return "\n\n".join(parts)


def difference_lines(pair: PairResult, level: float) -> tuple[str, ...]:
    """One row per metric: both values, difference, interval and p-value, or the reason for their absence."""
    header = ("metric", pair.first, pair.second, "difference", interval_title(level), "p")
    rows = [(METRIC_NAMES[each.metric], *difference_cells(each), each.reason or "") for each in pair.differences]
    note = ("why undefined",) if any(row[-1] for row in rows) else ("",)
    return aligned((*header, *note), rows, range(1, 6))


def difference_cells(each: Difference) -> tuple[str, ...]:
    """First, second, difference, interval, p-value."""
    gap = signed(each.difference, undefined=UNDEFINED)
    values = (_number(each.first), _number(each.second), gap)
    return (*values, _interval(each.low, each.high), _number(each.p_value, 3))


def _changes(pair: PairResult, results: Mapping[str, Result], items: Mapping[str, Item]) -> list[str]:
    found = {
        name: {judgment.item_id: _texts(judgment) for judgment in results[name].judgments}
        for name in (pair.first, pair.second)
    }
    parts = []
    for word, labels, ids in (("Gained", ("BAD", "GOOD"), pair.gained), ("Lost", ("GOOD", "BAD"), pair.lost)):
        title = f"{word}, {len(ids)}: {labels[0]} in {pair.first}, {labels[1]} in {pair.second}"
        rows = [
            (item_id, items[item_id].lemma or "", found[pair.first][item_id], found[pair.second][item_id])
            for item_id in ids
        ]
        header = ("id", "focus", f"found in {pair.first}", f"found in {pair.second}")
        parts.append(section(title, aligned(header, rows) if rows else ("(none)",)))
    return parts


def _texts(judgment: Judgment) -> str:
    return ", ".join(dict.fromkeys(words_found(match) for match in judgment.matches))
