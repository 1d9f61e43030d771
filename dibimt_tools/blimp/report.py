"""The report of ``dibimt blimp score`` as text for a terminal of 100 columns, and as a record for JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from dibimt_common.format import WIDTH, aligned, fitted, section, wrapped

from .view import headline, notes, settings_rows, tables, unscored_reasons

if TYPE_CHECKING:
    from minimal_pairs.scoring.published import Published
    from minimal_pairs.scoring.run import Run

    from .view import Table


def score_report(run: Run, beside: Sequence[Published], remarks: Iterable[str] = ()) -> str:
    """The text that ``dibimt blimp score`` prints.

    Args:
        run: of `minimal_pairs.scoring.run.score_pairs`.
        beside: published scores to show next to those by phenomenon.
        remarks: on the selection of pairs.
    """
    *settings, (_, signature) = settings_rows(run.report)
    parts = [
        headline(run.report),
        *(table_text(table) for table in tables(run, beside)),
        section("Notes", wrapped(notes(run, remarks))),
        section("Settings", setting_lines(settings)),
        f"signature: {signature}",
    ]
    return "\n\n".join(parts)


def table_text(table: Table) -> str:
    """A table with its title above and its notes below."""
    right = range(1, len(table.head)) if table.numbers else (1, 2)
    names = name_width(table, WIDTH)
    rows = [(fitted(name, names), *cells) for name, *cells in table.rows]
    lines = aligned(table.head, rows, right)
    return section(table.title, (*lines, *wrapped(table.notes)))


def name_width(table: Table, width: int) -> int:
    """The width left for names in a table of that width."""
    columns = list(zip(table.head, *table.rows, strict=True))[1:]
    return max(12, width - sum(2 + max(map(len, column)) for column in columns))


def setting_lines(settings: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Names and values; a long value, such as the name of a model, is broken into lines at ``|``."""
    rows = list(settings)
    width = WIDTH - 2 - max(len(name) for name, _ in rows)
    cells = [
        (name if part == 0 else "", line) for name, value in rows for part, line in enumerate(at_bars(value, width))
    ]
    return aligned((), cells)


def at_bars(value: str, width: int) -> list[str]:
    """Break a value before ``|`` into lines of at most that width; longer parts stay whole."""
    lines = [""]
    for place, part in enumerate(value.split("|")):
        more = f"|{part}" if place else part
        if lines[-1] and len(lines[-1]) + len(more) > width:
            lines.append(more)
        else:
            lines[-1] += more
    return lines


def score_record(run: Run, remarks: Iterable[str] = ()) -> dict[str, Any]:
    """The report as a record for JSON: `minimal_pairs.scoring.results.PairsReport`, field by field.

    ``settings`` becomes an object. Further fields: ``unscored_reasons`` (pairs by reason), ``published`` (each
    published score with the difference from it and the settings that differ), ``sample`` and ``notes``.
    """
    report = run.report
    return {
        **asdict(report),
        "settings": dict(report.settings),
        "unscored_reasons": unscored_reasons(run),
        "published": _published(run),
        "sample": _sample(run),
        "notes": list(remarks),
    }


def _published(run: Run) -> list[dict[str, Any]]:
    from minimal_pairs.scoring.published import compare_all

    if all(group.human is None for group in run.report.phenomena):
        return []
    return [asdict(comparison) for comparison in compare_all(run.report)]


def _sample(run: Run) -> dict[str, Any] | None:
    sample = run.sample
    if sample is None:
        return None
    return {
        "pairs": len(sample.pairs),
        "wanted": sample.wanted,
        "seed": sample.seed,
        "short": dict(sample.short),
        "left_out": list(sample.left_out),
    }
