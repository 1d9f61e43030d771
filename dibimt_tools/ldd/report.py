"""The report of ``dibimt ldd score`` as text for a terminal of 100 columns, and as a record for JSON."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from dibimt_common.format import WIDTH, aligned, fitted, number, section, signed, wrapped

from .view import (
    EMPTY,
    FULL_CORPUS,
    ReportView,
    decimals,
    metric_name,
    rho_text,
    score_of,
    undefined_notes,
    unmatched_notes,
)

if TYPE_CHECKING:
    from ldd_challenge_sets.scoring.results import Cell, LddReport
    from ldd_challenge_sets.scoring.settings import Settings

    from .view import BinView, Block, Column, SetView

_NAME_WIDTH = 20
_LONGER_NAME_WIDTH = 34
_SET_WIDTH = 26


def score_report(report: LddReport, settings: Settings) -> str:
    """The text that ``dibimt ldd score`` prints."""
    made = _TextReport(report, settings)
    view = made.view
    shortened = (f"{short} is {name}" for name, short in made.names.items() if short != name)
    notes = (*shortened, *undefined_notes(report), *unmatched_notes(report))
    parts = [
        view.headline(),
        made.overview(),
        *([section(FULL_CORPUS.capitalize(), made.blocks(*view.baseline_blocks()))] if view.baseline else []),
        *map(made.challenge_set, view.sets),
        *([section("Notes", wrapped(notes))] if notes else []),
        section("How to read", wrapped(view.how_to_read(best="*"))),
        section("Signatures", signature_lines(report)),
    ]
    return "\n\n".join(parts)


def short_names(names: Sequence[str], width: int = _NAME_WIDTH) -> dict[str, str]:
    """Unique names that fit a column: the common start is removed, then the middle is shortened.

    >>> short_names(["newstest2021.hyp.Online-A", "newstest2021.hyp.Online-G"], 12)
    {'newstest2021.hyp.Online-A': '…Online-A', 'newstest2021.hyp.Online-G': '…Online-G'}
    """
    if max(map(len, names)) <= width:
        return {name: name for name in names}
    start = _common_start(names) if len(names) > 1 else 0
    short = [fitted("…" + name[start:] if start else name, width) for name in names]
    if len(set(short)) < len(names):
        short = [fitted(f"{place} {name}", width) for place, name in enumerate(short, 1)]
    return dict(zip(names, short, strict=True))


def _common_start(names: Sequence[str]) -> int:
    """Length of the common start, up to a separator; a dash counts only if there is no other separator."""
    start = os.path.commonprefix(list(names))
    return max(map(start.rfind, "._/ ")) + 1 or start.rfind("-") + 1


class _TextReport:
    """The sections of the text; ``names``: shortened names of the systems."""

    def __init__(self, report: LddReport, settings: Settings) -> None:
        self.view = ReportView(report, settings)
        # Without comparisons there are two columns fewer, so names can be longer.
        width = _NAME_WIDTH if report.comparisons else _LONGER_NAME_WIDTH
        self.names = short_names(self.view.names, width)

    def overview(self) -> str:
        """One row per set, one column per system."""
        rows = self.view.overview()
        first = [(fitted(name, _SET_WIDTH), f"{each.n:,}{'!' if each.small else ''}") for name, each in rows]
        columns = [
            (name, [self._overview_cell(each.cells[place][1]) for _, each in rows])
            for place, name in enumerate(self.names.values())
        ]
        small = [f"!: {self.view.too_small}"] if any(each.small for _, each in rows) else []
        drop = " and its difference from the full corpus" if self.view.baseline else ""
        lines = [*_in_blocks(("", "n"), first, columns), *small]
        return section(f"Overview: {self.view.title}{drop}", lines)

    def _overview_cell(self, cell: Cell) -> str:
        score, digits = score_of(cell, self.view.metric), decimals(self.view.metric) - 1
        value = number(score.value, digits)
        if self.view.baseline is None:
            return value
        # The full corpus has no drop; spaces keep the scores aligned.
        return f"{value} {'' if score.drop is None else signed(score.drop, digits):>5}"

    def challenge_set(self, view: SetView) -> str:
        """One set: by minimum distance, by exact distance, correlations."""
        if not view.minimum[0].n:
            return section(view.configuration, (EMPTY,))
        lines = self.blocks(*self.view.short_blocks(view))
        if view.exact:
            lines += ["", f"{self.view.title} by exact distance (in brackets: {self.view.too_small})"]
            lines += self._exact_lines(view)
        if any(each for _, each in view.correlations):
            lines += ["", "Spearman's rho of the score with the minimum distance (number of distances)"]
            lines += self._correlation_lines(view)
        return section(view.configuration, lines)

    def blocks(self, columns: Sequence[Column], blocks: Iterable[Block]) -> list[str]:
        """One table over all bins, so that columns are aligned; each bin has a title line."""
        rows: list[tuple[str, ...]] = []
        titles: list[tuple[int, str]] = []
        for block in blocks:
            titles.append((len(rows), block.title))
            rows += [(f"{'*' if best else ' '} {self.names[name]}", *cells) for name, best, cells in block.rows]
        header = ("", *(column.title for column in columns))
        first, *lines = aligned(header, rows, range(1, len(header)))
        for place, title in reversed(titles):
            lines.insert(place, title)
        return [first, *lines]

    def _exact_lines(self, view: SetView) -> list[str]:
        columns = [
            (each.bin.name, [f"{each.n:,} ", *(self._exact_cell(each, cell) for _, cell in each.cells)])
            for each in view.exact
        ]
        return _in_blocks(("",), [("  n",), *((f"  {name}",) for name in self.names.values())], columns)

    def _exact_cell(self, view: BinView, cell: Cell) -> str:
        text = number(score_of(cell, self.view.metric).value, decimals(self.view.metric))
        # A space aligns numbers without brackets with those in brackets.
        return f"[{text}]" if view.small and view.n else f"{text} "

    def _correlation_lines(self, view: SetView) -> tuple[str, ...]:
        header = ("", *(metric_name(each.metric) for each in view.correlations[0][1]))
        rows = [
            (f"  {self.names[system]}", *(f"{rho_text(each.rho)} ({each.points})" for each in found))
            for system, found in view.correlations
        ]
        return aligned(header, rows, range(1, len(header)))


def _in_blocks(
    titles: Sequence[str], first: Sequence[Sequence[str]], columns: Sequence[tuple[str, Sequence[str]]]
) -> list[str]:
    """A table split into several below each other if too wide; the first columns are repeated."""
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
        rows = [(*cells, *(column[place] for _, column in block)) for place, cells in enumerate(first)]
        header = (*titles, *(title for title, _ in block))
        lines += [*([""] if lines else []), *aligned(header, rows, range(1, len(header)))]
    return lines


def signature_lines(report: LddReport) -> tuple[str, ...]:
    """The signatures of the report and of each metric."""
    rows = ((metric_name(metric), signature) for metric, signature in report.signatures)
    return (report.signature, *aligned((), rows))


def score_record(report: LddReport, settings: Settings) -> dict[str, Any]:
    """The report as a record for JSON: the records of `ldd_challenge_sets.scoring.results`, field by field.

    Tuples become lists, ``signatures`` becomes an object (metric -> signature), and ``settings`` is added.
    """
    record = {**asdict(report), "signatures": dict(report.signatures), "settings": asdict(settings)}
    first = ("pair", "corpus", "signature", "signatures", "settings")
    return {**{key: record[key] for key in first}, **record}
