"""The report of ``dibimt ldd score`` as text for a terminal of 100 columns, and as a record for JSON."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from dibimt_metric.judge_explain import aligned

from ..dibimt.report import section
from .columns import Columns, group_title, headline, how_to_read
from .view import (
    EMPTY,
    FULL_CORPUS,
    baseline_group,
    baseline_name,
    best_systems,
    metric_name,
    rho_text,
    score_of,
    set_views,
    signed_text,
    system_names,
    undefined_notes,
    unmatched_notes,
    value_text,
    versus_best,
)

if TYPE_CHECKING:
    from ldd_challenge_sets.scoring.results import Cell, LddReport
    from ldd_challenge_sets.scoring.settings import Settings

    from .columns import Column
    from .view import Group, SetView, Versus

WIDTH = 100
_NAME_WIDTH = 20
_LONGER_NAME_WIDTH = 34
_SET_WIDTH = 26
_MISSING = "…"


class _Layout:
    """What all tables of a report share."""

    def __init__(self, report: LddReport, settings: Settings) -> None:
        self.report = report
        self.columns = Columns(report, settings)
        self.metric = self.columns.metric
        # Without comparisons two columns are missing, and there is room for longer names.
        self.names = short_names(
            system_names(report), _NAME_WIDTH if report.comparisons else _LONGER_NAME_WIDTH
        )


def score_report(report: LddReport, settings: Settings) -> str:
    """The whole text of ``dibimt ldd score``.

    Args:
        report: of `ldd_challenge_sets.scoring.scorer.score_sets`.
        settings: that it was made with.
    """
    layout = _Layout(report, settings)
    views = set_views(report)
    shortened = (f"{short} is {name}" for name, short in layout.names.items() if short != name)
    notes = (*shortened, *undefined_notes(report), *unmatched_notes(report))
    parts = [
        headline(report),
        section(_overview_title(layout), _overview(layout, views)),
        *_baseline_section(layout),
        *(_set_section(layout, view) for view in views),
        *([section("Notes", _wrapped(notes))] if notes else []),
        section("How to read", _wrapped(how_to_read(report, settings, best="*"))),
        section("Signatures", signature_lines(report)),
    ]
    return "\n\n".join(parts)


def short_names(names: Sequence[str], width: int = _NAME_WIDTH) -> dict[str, str]:
    """Names that fit a column: without what all have in common, then cut in the middle; still unique.

    >>> short_names(["newstest2021.hyp.Online-A", "newstest2021.hyp.Online-G"], 12)
    {'newstest2021.hyp.Online-A': '…Online-A', 'newstest2021.hyp.Online-G': '…Online-G'}
    """
    if max(map(len, names)) <= width:
        return {name: name for name in names}
    start = _common_start(names) if len(names) > 1 else 0
    short = [_cut(_MISSING + name[start:] if start else name, width) for name in names]
    if len(set(short)) < len(names):
        short = [_cut(f"{place} {name}", width) for place, name in enumerate(short, 1)]
    return dict(zip(names, short, strict=True))


def _common_start(names: Sequence[str]) -> int:
    """Length of the start that all names share, up to a sign between words: a dash only where nothing else is."""
    start = os.path.commonprefix(list(names))
    return max(map(start.rfind, "._/ ")) + 1 or start.rfind("-") + 1


def _cut(name: str, width: int) -> str:
    if len(name) <= width:
        return name
    tail = width // 2
    return name[: width - tail - 1] + _MISSING + name[-tail:]


# Overview: one row a set, one column a system


def _overview_title(layout: _Layout) -> str:
    return f"Overview: {layout.columns.title}" + (
        " and its difference from the full corpus" if layout.columns.full else ""
    )


def _overview(layout: _Layout, views: Sequence[SetView]) -> list[str]:
    groups = [(view.phenomenon, view.minimum[0]) for view in views if view.minimum]
    baseline = baseline_group(layout.report)
    if baseline is not None:
        groups.insert(0, (FULL_CORPUS, baseline))
    first = [(_cut(name, _SET_WIDTH), f"{group.n:,}{'!' if group.small else ''}") for name, group in groups]
    columns = [
        (layout.names[system], [_overview_cell(layout, group.cells[place][1]) for _, group in groups])
        for place, system in enumerate(system_names(layout.report))
    ]
    small = [f"!: {layout.columns.too_small}"] if any(group.small for _, group in groups) else []
    return [*_in_blocks(("", "n"), first, columns), *small]


def _overview_cell(layout: _Layout, cell: Cell) -> str:
    score = score_of(cell, layout.metric)
    value = value_text(layout.metric, score.value, less=1)
    if not layout.columns.full:
        return value
    # The full corpus has no drop; the space there keeps the scores of a column below each other.
    drop = "" if score.drop is None else signed_text(layout.metric, score.drop, less=1)
    return f"{value} {drop:>5}"


def _in_blocks(
    titles: Sequence[str], first: Sequence[Sequence[str]], columns: Sequence[tuple[str, Sequence[str]]]
) -> list[str]:
    """A table whose columns go on below where they would be wider than the page; the first ones are repeated."""
    fixed = sum(max(len(row[place]) for row in first) + 2 for place in range(len(titles))) if first else 0
    blocks: list[list[tuple[str, Sequence[str]]]] = [[]]
    used = fixed
    for title, cells in columns:
        width = max([len(title), *map(len, cells)]) + 2
        if blocks[-1] and used + width > WIDTH + 2:
            blocks.append([])
            used = fixed
        blocks[-1].append((title, cells))
        used += width
    lines: list[str] = []
    for block in blocks:
        rows = [
            (*fixed_cells, *(cells[place] for _, cells in block)) for place, fixed_cells in enumerate(first)
        ]
        header = (*titles, *(title for title, _ in block))
        lines += [*([""] if lines else []), *aligned(header, rows, range(1, len(header)))]
    return lines


def _baseline_section(layout: _Layout) -> list[str]:
    group = baseline_group(layout.report)
    if group is None:
        return []
    name = baseline_name(layout.report)
    versus = versus_best(name, group, layout.metric, layout.columns.comparisons)
    lines = _group_lines(layout, layout.columns.whole(), [(group, versus)])
    return [section(FULL_CORPUS.capitalize(), lines)]


# One set


def _set_section(layout: _Layout, view: SetView) -> str:
    if not view.minimum[0].n:
        return section(view.configuration, (EMPTY,))
    lines = _minimum_lines(layout, view)
    if view.exact:
        lines += ["", f"{layout.columns.title} by exact distance (in brackets: {layout.columns.too_small})"]
        lines += _exact_lines(layout, view)
    if any(each for _, each in view.correlations):
        lines += ["", "Spearman's rho of the score with the minimum distance (number of distances)"]
        lines += _correlation_lines(layout, view)
    return section(view.configuration, lines)


def _minimum_lines(layout: _Layout, view: SetView) -> list[str]:
    groups = (
        (group, versus_best(view.configuration, group, layout.metric, layout.columns.comparisons))
        for group in view.minimum
    )
    return _group_lines(layout, layout.columns.short(), groups)


def _group_lines(
    layout: _Layout, columns: Sequence[Column], groups: Iterable[tuple[Group, Mapping[str, Versus]]]
) -> list[str]:
    """One table over all bins, so that its columns run through; a line before each bin says what it holds."""
    rows: list[tuple[str, ...]] = []
    titles: list[tuple[int, str]] = []
    for group, versus in groups:
        titles.append((len(rows), group_title(group, layout.columns.too_small)))
        best = best_systems(group, layout.metric)
        for name, cell in group.cells if group.n else ():
            mark = "*" if name in best else " "
            cells = (column.text(cell, versus.get(name)) for column in columns)
            rows.append((f"{mark} {layout.names[name]}", *cells))
    header, *lines = aligned(("", *(column.title for column in columns)), rows, range(1, len(columns) + 1))
    for place, title in reversed(titles):
        lines.insert(place, title)
    return [header, *lines]


def _exact_lines(layout: _Layout, view: SetView) -> list[str]:
    columns = [
        (
            group.bin.name,
            [f"{group.n:,} ", *(_exact_cell(layout.metric, group, cell) for _, cell in group.cells)],
        )
        for group in view.exact
    ]
    first = [("  n",), *((f"  {layout.names[system]}",) for system in system_names(layout.report))]
    return _in_blocks(("",), first, columns)


def _exact_cell(metric: str, group: Group, cell: Cell) -> str:
    text = value_text(metric, score_of(cell, metric).value)
    # A space keeps the numbers with and without brackets below each other.
    return f"[{text}]" if group.small and group.n else f"{text} "


def _correlation_lines(layout: _Layout, view: SetView) -> tuple[str, ...]:
    metrics = [each.metric for each in view.correlations[0][1]]
    rows = [
        (f"  {layout.names[system]}", *(f"{rho_text(each.rho)} ({each.points})" for each in correlations))
        for system, correlations in view.correlations
    ]
    header = ("", *(metric_name(metric) for metric in metrics))
    return aligned(header, rows, range(1, len(header)))


# What stands below


def _wrapped(notes: Iterable[str]) -> list[str]:
    return [line for note in notes for line in textwrap.wrap(note, WIDTH, subsequent_indent="  ")]


def signature_lines(report: LddReport) -> tuple[str, ...]:
    """The signature of the report, and that of each metric."""
    rows = ((metric_name(metric), signature) for metric, signature in report.signatures)
    return (report.signature, *aligned((), rows))


def score_record(report: LddReport, settings: Settings) -> dict[str, Any]:
    """The report as a record for JSON: the records of `ldd_challenge_sets.scoring.results`, field by field.

    Tuples become lists, ``signatures`` an object from metric to signature. ``settings`` is added.
    """
    record = {**asdict(report), "signatures": dict(report.signatures), "settings": asdict(settings)}
    first = ("pair", "corpus", "signature", "signatures", "settings")
    return {**{key: record[key] for key in first}, **record}
