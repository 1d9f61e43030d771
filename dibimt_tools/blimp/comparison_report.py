"""The report of ``dibimt blimp compare`` as text, and as a record for JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any

from dibimt_common.format import WIDTH, interval, number, p_value, section, signed, wrapped

from .report import at_bars, table_text
from .view import INTERVAL, Table

if TYPE_CHECKING:
    from minimal_pairs.records import PairKey
    from minimal_pairs.scoring.comparison import Gap, Scored, Versus

_ABOUT = (
    "difference: percentage points, on the pairs that both have scored. The interval is paired, over the paradigms.",
    "gained: pairs that the second has right and the first wrong; lost: the reverse. p: McNemar's exact test on both "
    "counts, not corrected for the number of comparisons.",
)
_SHOWN = 10  # paradigms listed of pairs gained, and of pairs lost


def comparison_report(runs: Sequence[Scored], versus: Sequence[Versus]) -> str:
    """The text that ``dibimt blimp compare`` prints; ``versus``: each other run against the first."""
    # A, B ... Z, then numbers.
    letters = {run.name: ascii_uppercase[n] if n < 26 else str(n) for n, run in enumerate(runs)}
    parts = [section("Runs", _run_lines(runs, letters))]
    for each in versus:
        parts += _versus(each, letters[each.first], letters[each.second])
    parts.append(section("How to read", wrapped(_ABOUT)))
    return "\n\n".join(parts)


def _run_lines(runs: Sequence[Scored], letters: dict[str, str]) -> Iterator[str]:
    for run in runs:
        method = f", method {run.header.method}" if run.header else ""
        yield from wrapped([f"{letters[run.name]}: {run.name}, {len(run.outcomes):,} pairs{method}"])
        if run.header is None:
            continue
        yield from (f"   {line}" for line in at_bars(run.header.model, WIDTH - 3))
        if len(run.outcomes) < run.header.pairs:
            yield f"   not finished: {len(run.outcomes):,} of {run.header.pairs:,} pairs"


def _versus(versus: Versus, first: str, second: str) -> list[str]:
    title = f"{second} minus {first}"
    head = (first, second, "difference", INTERVAL, "gained", "lost", "p")
    groups = [versus.overall, *versus.phenomena]
    table = Table(
        f"{title}: overall and by phenomenon, mean over paradigms",
        ("", "pairs", *head),
        tuple((gap.name, f"{gap.n:,}", *_cells(gap)) for gap in groups),
        _notes(versus, first, second),
    )
    paradigms = Table(
        f"{title}: by paradigm",
        ("paradigm", first, second, "difference", "gained", "lost", "p"),
        tuple((gap.name, *_short(gap)) for gap in versus.paradigms),
    )
    return [
        table_text(table),
        table_text(paradigms),
        *_pairs(f"Gained by {second}", versus.gained),
        *_pairs(f"Lost by {second}", versus.lost),
    ]


def _cells(gap: Gap) -> tuple[str, ...]:
    values = (number(gap.first), number(gap.second), signed(gap.difference))
    bounds = interval(gap.low, gap.high, bound=signed)
    return (*values, bounds, f"{gap.gained:,}", f"{gap.lost:,}", p_value(gap.p_value))


def _short(gap: Gap) -> tuple[str, ...]:
    cells = _cells(gap)
    return (*cells[:3], *cells[4:])


def _notes(versus: Versus, first: str, second: str) -> tuple[str, ...]:
    counts = (
        (versus.only_first, f"pairs are in {first} only"),
        (versus.only_second, f"pairs are in {second} only"),
        (versus.unscored, "pairs lack a score in one of them"),
    )
    reasons = dict.fromkeys(
        f"Undefined where {gap.reason}." for gap in (versus.overall, *versus.phenomena) if gap.reason
    )
    return (
        *(f"{n:,} {what}: left out." for n, what in counts if n),
        *reasons,
        *([f"Not the same in {first} and {second}: {'; '.join(versus.differs)}."] if versus.differs else []),
    )


def _pairs(title: str, keys: Sequence[PairKey]) -> Iterator[str]:
    """Pairs gained or lost: counts by paradigm, with the numbers of the first pairs."""
    counts = Counter(paradigm for paradigm, _ in keys)
    numbers: dict[str, list[int]] = {}
    for paradigm, place in keys:
        numbers.setdefault(paradigm, []).append(place)
    lines = []
    for paradigm, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:_SHOWN]:
        some = " ".join(f"#{place}" for place in numbers[paradigm][:5])
        lines.append(f"{paradigm}: {count:,} ({some}{' ...' if count > 5 else ''})")
    more = len(counts) - len(lines)
    if more > 0:
        lines.append(f"and {more} more paradigms")
    yield section(f"{title}: {len(keys):,} pairs", wrapped(lines or ("(none)",)))


def comparison_record(runs: Sequence[Scored], versus: Sequence[Versus]) -> dict[str, Any]:
    """The comparison as a record for JSON; pairs gained and lost are lists of [paradigm, number]."""
    return {
        "runs": [
            {
                "name": run.name,
                "model": run.header.model if run.header else None,
                "signature": run.header.signature if run.header else None,
                "pairs": len(run.outcomes),
            }
            for run in runs
        ],
        "comparisons": [asdict(each) for each in versus],
    }
