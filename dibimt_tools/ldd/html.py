"""The report of ``dibimt ldd score`` as one page that needs nothing else: no network, no script, no other file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from html import escape
from typing import TYPE_CHECKING

from dibimt_metric.judge_explain import printable

from .columns import Columns, group_title, headline, how_to_read
from .plot import figure_title, legend_notes, limits, make_panels
from .style import STYLE
from .svg import panel_svg, swatch
from .view import (
    EMPTY,
    FULL_CORPUS,
    baseline_group,
    baseline_name,
    best_systems,
    interval_text,
    metric_name,
    p_text,
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
    from ldd_challenge_sets.scoring.results import Comparison, LddReport
    from ldd_challenge_sets.scoring.settings import Settings

    from .columns import Column
    from .plot import Panel
    from .view import Group, SetView, Versus

_SETTINGS = {
    "metrics": "metrics",
    "preset": "preset",
    "tokenize": "tokenizer",
    "ribes_lowercase": "RIBES ignores case",
    "n_resamples": "bootstrap resamples",
    "level": "level of the intervals",
    "seed": "seed",
    "control": "control samples",
    "small": "too small below",
}


def score_page(report: LddReport, settings: Settings) -> str:
    """The whole page.

    Args:
        report: of `ldd_challenge_sets.scoring.scorer.score_sets`.
        settings: that it was made with.
    """
    page = _Page(report, settings)
    title = safe(headline(report))
    parts = (
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title>",
        f"<style>{STYLE}</style>",
        "</head>",
        "<body>",
        f"<header><h1>{title}</h1>{page.legend()}</header>",
        "<main>",
        *page.overview(),
        *(
            part
            for view, panel in zip(page.views, page.panels, strict=True)
            for part in page.challenge_set(view, panel)
        ),
        *page.notes(),
        *page.choices(),
        "</main>",
        "</body>",
        "</html>",
    )
    return "\n".join(parts) + "\n"


def safe(text: str) -> str:
    """Text that is safe in elements and attributes; what cannot be seen is shown as an escape."""
    return escape(printable(text))


def breakable(text: str) -> str:
    """The same for a name, which may be broken behind each of its words where it is long."""
    parts = re.sub(r"([-_.])", r"\1<wbr>", safe(text))
    return f'<span class="name">{parts}</span>'


def scrolling_table(head: Sequence[str], bodies: Iterable[str], label: str) -> str:
    """A table in a box of its own that scrolls sideways where the window is narrow."""
    titles = "".join(f'<th scope="col">{title}</th>' for title in head)
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="{safe(label)}"><table>'
        f"<thead><tr>{titles}</tr></thead>{''.join(bodies)}</table></div>"
    )


def table_row(name: str, cells: Iterable[str]) -> str:
    """A row of a table, its name at the head."""
    return f'<tr><th scope="row">{name}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'


def _bin_row(title: str, columns: int) -> str:
    """A row above those of a bin; its text stays in sight when the table is moved sideways."""
    cell = f'<th scope="rowgroup" colspan="{columns + 1}"><span>{safe(title)}</span></th>'
    return f'<tr class="bin">{cell}</tr>'


def bullets(lines: Iterable[str]) -> str:
    """A list; each line is text."""
    return f"<ul>{''.join(f'<li>{safe(line)}</li>' for line in lines)}</ul>"


class _Page:
    """The parts of the page, as HTML."""

    def __init__(self, report: LddReport, settings: Settings) -> None:
        self.report = report
        self.settings = settings
        self.columns = Columns(report, settings)
        self.views = set_views(report)
        self.panels = make_panels(report)
        self.bounds = limits(self.panels)
        self.names = {
            name: f"{swatch(place)}{breakable(name)}" for place, name in enumerate(system_names(report))
        }

    def legend(self) -> str:
        """The systems with their signs."""
        items = "".join(f"<li>{name}</li>" for name in self.names.values())
        return f'<ul class="legend">{items}</ul>'

    # Overview

    def overview(self) -> Iterator[str]:
        """One row for each set, one column for each system."""
        title = f"Overview: {self.columns.title}"
        yield f"<section><h2>{safe(title)}</h2>"
        groups = [(view.phenomenon, view.minimum[0]) for view in self.views if view.minimum]
        baseline = baseline_group(self.report)
        if baseline is not None:
            groups.insert(0, (FULL_CORPUS, baseline))
        small = any(group.small for _, group in groups)
        remarks = (
            *(("In small print: the difference from the full corpus.",) if baseline else ()),
            *((f"!: {self.columns.too_small}.",) if small else ()),
        )
        yield f"<p>{safe(' '.join(remarks))}</p>"
        rows = (self._overview_row(name, group) for name, group in groups)
        yield scrolling_table(("", "n", *self.names.values()), (f"<tbody>{''.join(rows)}</tbody>",), title)
        if baseline is not None:
            yield f"<h3>{FULL_CORPUS.capitalize()}</h3>{self._baseline_table(baseline)}"
            yield self._comparisons(baseline_name(self.report))
        reading = how_to_read(self.report, self.settings, best="Bold")
        yield f"<details><summary>How to read the tables</summary>{bullets(reading)}</details></section>"

    def _baseline_table(self, group: Group) -> str:
        comparisons = self.columns.comparisons
        versus = versus_best(baseline_name(self.report), group, self.columns.metric, comparisons)
        return self._group_table([(group, versus)], self.columns.whole(), FULL_CORPUS)

    def _overview_row(self, name: str, group: Group) -> str:
        metric = self.columns.metric
        best = best_systems(group, metric)
        cells = [f"{group.n:,}{' !' if group.small else ''}"]
        for system, cell in group.cells:
            score = score_of(cell, metric)
            value = value_text(metric, score.value)
            drop = "" if score.drop is None else f" <small>{signed_text(metric, score.drop)}</small>"
            cells.append((f"<strong>{value}</strong>" if system in best else value) + drop)
        return table_row(breakable(name), cells)

    # One set

    def challenge_set(self, view: SetView, panel: Panel) -> Iterator[str]:
        """Figure and tables of one set."""
        yield f"<section><h2>{safe(view.configuration)}</h2>"
        if not view.minimum[0].n:
            yield f"<p>{EMPTY}</p></section>"
            return
        yield self._figure(panel)
        yield self._minimum_table(view, self.columns.metric, self.columns.short())
        if view.exact:
            yield f"<h3>{safe(self.columns.title)} by exact distance</h3>{self._exact_table(view)}"
        if any(each for _, each in view.correlations):
            yield f"<h3>Spearman’s rho with the minimum distance</h3>{self._correlations(view)}"
        for metric in self.columns.metrics:
            table = self._minimum_table(view, metric, self.columns.long(metric))
            yield f"<details><summary>{safe(metric_name(metric))} in full</summary>{table}</details>"
        yield f"{self._comparisons(view.configuration)}</section>"

    def _figure(self, panel: Panel) -> str:
        notes = "; ".join(legend_notes(self.report, self.settings))
        described = f"{figure_title(self.report)}: {panel.title}. The numbers stand in the tables below."
        svg = panel_svg(panel, self.bounds, described)
        caption = f"{safe(self.columns.title)} by minimum distance. {safe(notes)}"
        return f"<figure>{svg}<figcaption>{self.legend()}{caption}</figcaption></figure>"

    def _minimum_table(self, view: SetView, metric: str, columns: Sequence[Column]) -> str:
        groups = [
            (group, versus_best(view.configuration, group, metric, self.columns.comparisons))
            for group in view.minimum
        ]
        label = f"{view.configuration}: {metric_name(metric)} by minimum distance"
        return self._group_table(groups, columns, label)

    def _group_table(
        self, groups: Iterable[tuple[Group, Mapping[str, Versus]]], columns: Sequence[Column], label: str
    ) -> str:
        bodies = (self._body(group, versus, columns) for group, versus in groups)
        return scrolling_table(("system", *(safe(column.title) for column in columns)), bodies, label)

    def _body(self, group: Group, versus: Mapping[str, Versus], columns: Sequence[Column]) -> str:
        title = group_title(group, self.columns.too_small)
        best = best_systems(group, columns[0].metric)
        rows = [_bin_row(title, len(columns))]
        for name, cell in group.cells if group.n else ():
            texts = [safe(column.text(cell, versus.get(name))) for column in columns]
            if name in best:
                texts[0] = f"<strong>{texts[0]}</strong>"
            rows.append(table_row(self.names[name], texts))
        return f'<tbody class="{"small" if group.small else ""}">{"".join(rows)}</tbody>'

    def _exact_table(self, view: SetView) -> str:
        metric = self.columns.metric
        css = ["small" if group.small else "" for group in view.exact]
        rows = [table_row("n", (f"{group.n:,}" for group in view.exact))]
        for place, name in enumerate(self.names.values()):
            values = (
                value_text(metric, score_of(group.cells[place][1], metric).value) for group in view.exact
            )
            spans = (f'<span class="{each}">{value}</span>' for each, value in zip(css, values, strict=True))
            rows.append(table_row(name, spans))
        head = ("", *(safe(group.bin.name) for group in view.exact))
        label = f"{view.configuration}: {self.columns.title} by exact distance"
        return scrolling_table(head, (f"<tbody>{''.join(rows)}</tbody>",), label)

    def _correlations(self, view: SetView) -> str:
        metrics = [each.metric for each in view.correlations[0][1]]
        rows = (
            table_row(
                self.names[system], (f"{rho_text(each.rho)} <small>({each.points})</small>" for each in found)
            )
            for system, found in view.correlations
        )
        head = ("system", *(safe(metric_name(metric)) for metric in metrics))
        return scrolling_table(head, (f"<tbody>{''.join(rows)}</tbody>",), f"{view.configuration}: Spearman")

    def _comparisons(self, configuration: str) -> str:
        """All comparisons of two systems there, folded; nothing where there is none."""
        bins: dict[str, dict[tuple[str, str], list[Comparison]]] = {}
        for each in self.report.comparisons:
            if each.configuration == configuration:
                bins.setdefault(each.bin.name, {}).setdefault((each.second, each.first), []).append(each)
        if not bins:
            return ""
        columns = [
            text
            for metric in self.columns.metrics
            for text in (metric_name(metric), self.columns.interval, "p")
        ]
        bodies = (self._compared(name, pairs) for name, pairs in bins.items())
        table = scrolling_table(
            ("second minus first", *map(safe, columns)), bodies, f"{configuration}: comparisons"
        )
        return f"<details><summary>All comparisons of two systems</summary>{table}</details>"

    def _compared(self, name: str, pairs: Mapping[tuple[str, str], Sequence[Comparison]]) -> str:
        """The pairs of systems in one bin, all metrics of a pair in one row."""
        n = next(iter(pairs.values()))[0].n
        rows = [_bin_row(f"{name}: n = {n:,}", 3 * len(self.columns.metrics))]
        for (second, first), found in pairs.items():
            cells = (text for each in found for text in _difference(each))
            rows.append(table_row(f"{safe(second)} − {safe(first)}", cells))
        return f"<tbody>{''.join(rows)}</tbody>"

    # What stands below

    def notes(self) -> Iterator[str]:
        """Why numbers are undefined, and which sentences the control lacks."""
        if found := (*undefined_notes(self.report), *unmatched_notes(self.report)):
            yield f"<section><h2>Notes</h2>{bullets(found)}</section>"

    def choices(self) -> Iterator[str]:
        """Settings and signatures."""
        values = asdict(self.settings)
        rows = [
            *((label, _setting(values[name])) for name, label in _SETTINGS.items()),
            ("signature", self.report.signature),
            *((f"signature of {metric_name(metric)}", text) for metric, text in self.report.signatures),
        ]
        items = "".join(f"<dt>{safe(label)}</dt><dd>{safe(text)}</dd>" for label, text in rows)
        yield f"<section><h2>Settings and signatures</h2><dl>{items}</dl></section>"


def _difference(each: Comparison) -> tuple[str, ...]:
    gap = signed_text(each.metric, each.difference)
    return (gap, interval_text(each.metric, each.low, each.high), safe(p_text(each.p_value)))


def _setting(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "default" if value is None else str(getattr(value, "value", value))
