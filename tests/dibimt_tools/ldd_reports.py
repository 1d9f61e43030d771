"""Reports of ``dibimt ldd score`` made by hand, for the tests of what is shown of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from ldd_challenge_sets.scoring.results import (
    Bin,
    Cell,
    Comparison,
    Control,
    DistanceCorrelation,
    LddReport,
    Score,
    SetScores,
    SystemScores,
)

SIGNATURE = "ldd|pair:de-en|version:0"
SIGNATURES = (("bleu", "case:mixed|tok:13a"), ("chrf", "nc:6|nw:0"), ("ribes", "lc:yes"))
MINIMUM = (Bin("All", 0), Bin(">=1", 1), Bin(">=2", 2), Bin(">=3", 3))
EXACT = (Bin("=0", 0, 0), Bin("=1", 1, 1), Bin("=2", 2, 2), Bin("=3", 3, 3))
COUNTS = (240, 120, 60, 12)
"""Sentences of the minimum bins: the last one is too small."""
BASELINE = {"bleu": 40.0, "chrf": 60.0, "ribes": 0.8}


def scores(bleu: float, baseline: bool = True, bootstrap: bool = True) -> tuple[Score, ...]:
    """BLEU with half-width 2, chrF 20 above it, RIBES half a hundredth of it and a half."""
    values = {"bleu": bleu, "chrf": bleu + 20, "ribes": 0.5 + bleu / 200}
    half = {"bleu": 2.0, "chrf": 1.0, "ribes": 0.02}
    return tuple(
        Score(
            metric,
            value,
            value - half[metric] if bootstrap else None,
            value + half[metric] if bootstrap else None,
            value - BASELINE[metric] if baseline else None,
        )
        for metric, value in values.items()
    )


def undefined_cell(place: Bin, baseline: bool, reason: str = "no sentence") -> Cell:
    """A cell without a sentence."""
    names = ("bleu", "chrf", "ribes")
    empty = tuple(Score(metric, None, reason=reason) for metric in names)
    controls = tuple(Control(metric, 0, None, None, None, None, 0, reason) for metric in names)
    return Cell(place, 0, True, None, empty, controls if baseline else ())


def cell(place: Bin, n: int, bleu: float, baseline: bool = True, bootstrap: bool = True) -> Cell:
    """A cell whose control is 1 above in each metric but RIBES, and better in 97 of 100 samples."""
    if n == 0:
        return undefined_cell(place, baseline)
    made = scores(bleu, baseline, bootstrap)
    controls = tuple(Control(each.metric, 100, each.value + 1, each.value, each.value + 2, 0.97, 3) for each in made)
    return Cell(place, n, n < 30, 20.5, made, controls if baseline else ())


def system(
    name: str, sets: Sequence[tuple[str, float]], counts: Sequence[int] = COUNTS, **options: bool
) -> SystemScores:
    """A system whose BLEU begins with the number given for each set and falls by 1 with each bin."""
    made = tuple(
        SetScores(
            f"de-en-{phenomenon}",
            phenomenon,
            tuple(
                cell(place, n, bleu - step, **options)
                for step, (place, n) in enumerate(zip(MINIMUM, counts, strict=True))
            ),
            tuple(
                cell(place, n // 2, bleu - step, **options)
                for step, (place, n) in enumerate(zip(EXACT, counts, strict=True))
            ),
            tuple(DistanceCorrelation(metric, -1.0, 4) for metric in BASELINE),
        )
        for phenomenon, bleu in sets
    )
    bootstrap = options.get("bootstrap", True)
    whole = Cell(Bin("All", 0), 1000, False, 18.25, scores(40.0, baseline=False, bootstrap=bootstrap))
    return SystemScores(name, whole if options.get("baseline", True) else None, made)


def report(systems: Sequence[SystemScores]) -> LddReport:
    """The report of these systems; p of every comparison is 0.012."""
    return LddReport("de-en", "newstest", tuple(systems), tuple(comparisons(systems)), SIGNATURES, SIGNATURE)


def comparisons(systems: Sequence[SystemScores]) -> list[Comparison]:
    """All pairs of systems on the full corpus and in the minimum bins, second minus first."""
    made = []
    for first, second in combinations(systems, 2):
        if first.baseline is not None and second.baseline is not None:
            made += _differences(first.system, second.system, "de-en-baseline", first.baseline, second.baseline)
        for left, right in zip(first.sets, second.sets, strict=True):
            for a, b in zip(left.minimum, right.minimum, strict=True):
                made += _differences(first.system, second.system, left.configuration, a, b)
    return made


def _differences(first: str, second: str, configuration: str, a: Cell, b: Cell) -> list[Comparison]:
    made = []
    for one, two in zip(a.scores, b.scores, strict=True):
        fixed = (first, second, configuration, a.bin, one.metric, a.n)
        if one.value is None or two.value is None:
            made.append(Comparison(*fixed, None, None, None, None, "no sentence"))
        else:
            gap = two.value - one.value
            made.append(Comparison(*fixed, gap, gap - 0.5, gap + 0.25, 0.012))
    return made


PHENOMENA = (
    ("particle", 38.0),
    ("reflexive", 37.0),
    ("preposition_stranding_extended", 36.0),
    ("reordering", 33.0),
    ("reordering_normalized", 34.0),
    ("reordering_crossing", 32.0),
)
NAMES = ("Facebook-AI", "Online-A", "Online-G", "UF", "happypoet")


def large_report() -> LddReport:
    """Five systems, six sets; the last bin of each set is too small."""
    return report(
        [
            system(name, [(phenomenon, bleu - 0.7 * place) for phenomenon, bleu in PHENOMENA])
            for place, name in enumerate(NAMES)
        ]
    )


def small_report(**options: bool) -> LddReport:
    """Two systems, one set; the second system is 1.5 BLEU below the first; no sentence has distance 3."""
    counts = (240, 120, 12, 0)
    return report(
        [
            system("first", [("particle", 38.0)], counts, **options),
            system("second", [("particle", 36.5)], counts, **options),
        ]
    )
