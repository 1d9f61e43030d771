"""The report of ``dibimt demo``: both systems of the mini set scored, broken down, compared, explained."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dibimt_common.format import UNDEFINED, aligned, interval_title, number, section
from dibimt_dataset.mini import SYSTEMS, mini_items, mini_translations
from dibimt_metric.judge import Judge
from dibimt_metric.judge_explain import POS_NAMES, explain_dict, explain_text
from dibimt_metric.languages import LANGUAGE_NAMES
from dibimt_metric.records import Label
from dibimt_metric.score import mean_over_languages
from dibimt_metric.score_bootstrap import LEVEL, N_RESAMPLES, SEED
from dibimt_metric.score_breakdown import UNKNOWN, by_frequency_index, by_polysemy, by_pos
from dibimt_metric.score_comparison import compare
from dibimt_metric.score_results import result_record, score_translations

from ..output import progress
from .plot import Panel
from .report import difference_cells, language_lines

if TYPE_CHECKING:
    from dibimt_metric.judge import Explanation
    from dibimt_metric.records import Outcome
    from dibimt_metric.score_breakdown import Cell
    from dibimt_metric.score_comparison import Comparison
    from dibimt_metric.score_results import Result

_CAREFUL, _FREQUENT = SYSTEMS
_EXPLAINED_IN = "de"  # if chosen: readers of English can make out most German words
_DRAWS = {"level": LEVEL, "resamples": N_RESAMPLES, "seed": SEED}
_INTRODUCTION = (
    "Open mini set: English sentences, each with an ambiguous word, its right and its wrong translations.",
    "Two invented systems translate them: 'careful', and 'frequent', which tends to the most frequent sense.",
    "The numbers show what a report looks like; they say nothing about real systems.",
)


@dataclass(frozen=True, slots=True)
class Demo:
    """All results of the demo.

    Attributes:
        results: language -> system -> result.
        comparisons: language -> the two systems compared.
        explanations: of one item that the two systems translate differently.
    """

    results: Mapping[str, Mapping[str, Result]]
    comparisons: Mapping[str, Comparison]
    explanations: tuple[Explanation, ...]

    def outcomes(self, system: str) -> tuple[Outcome, ...]:
        """The outcomes of a system in all languages."""
        return tuple(outcome for results in self.results.values() for outcome in results[system].outcomes)


def make_demo(languages: Sequence[str]) -> Demo:
    """Score and compare both systems in these languages.

    Raises:
        DibimtError: a language is unknown, or a library is missing.
    """
    judges = {language: Judge(language) for language in dict.fromkeys(languages)}
    results: dict[str, dict[str, Result]] = {}
    work = [(language, system) for language in judges for system in SYSTEMS]
    for language, system in progress(len(work), "demo")(work):
        result = score_translations(judges[language], mini_items(language), mini_translations(language, system))
        results.setdefault(language, {})[system] = result
    comparisons = {
        language: compare({system: result.outcomes for system, result in systems.items()})
        for language, systems in results.items()
    }
    explained = _EXPLAINED_IN if _EXPLAINED_IN in judges else next(iter(judges))
    return Demo(results, comparisons, _explain(judges[explained], results[explained]))


def _explain(judge: Judge, results: Mapping[str, Result]) -> tuple[Explanation, ...]:
    """Both translations of the most instructive item: GOOD in one system, BAD in the other, found by rules."""
    place = max(range(len(results[_CAREFUL].judgments)), key=lambda each: _worth(results, each))
    item = mini_items(judge.language)[place]
    return tuple(judge.explain(item, mini_translations(judge.language, system)[place]) for system in SYSTEMS)


def _worth(results: Mapping[str, Result], place: int) -> int:
    careful, frequent = (results[system].judgments[place] for system in SYSTEMS)
    differ = careful.label is Label.GOOD and frequent.label is Label.BAD
    rules = {match.rule for judgment in (careful, frequent) for match in judgment.matches}
    return 10 * differ + len(rules - {"lemma", "form"})


def panels(demo: Demo) -> tuple[Panel, ...]:
    """The two halves of the figure."""
    kinds = (
        (
            "Accuracy by frequency index of the right sense",
            "frequency index (1 = most frequent sense)",
            by_frequency_index,
        ),
        ("Accuracy by polysemy of the focus word", "polysemy (number of senses)", by_polysemy),
    )
    return tuple(
        Panel(title, label, tuple((system, _known(cells_of(demo.outcomes(system)))) for system in SYSTEMS))
        for title, label, cells_of in kinds
    )


def _known(cells: Sequence[Cell]) -> tuple[Cell, ...]:
    return tuple(cell for cell in cells if cell.name != UNKNOWN)


def figure_title(demo: Demo) -> str:
    """Which systems and data the figure shows."""
    count = len(demo.results)
    where = f"{count} languages" if count > 1 else LANGUAGE_NAMES[next(iter(demo.results))]
    return f"Two invented systems on the open mini set, {where}"


def demo_text(demo: Demo) -> str:
    """The report as text."""
    parts = [section("DiBiMT demo", _INTRODUCTION)]
    for system in SYSTEMS:
        mean = mean_over_languages({code: results[system].scores for code, results in demo.results.items()})
        parts.append(section(f"Scores of '{system}' in percent", language_lines(mean)))
    parts += [section(f"{panel.title}, all languages together", _side_by_side(panel.series)) for panel in panels(demo)]
    by_part = tuple((system, by_pos(demo.outcomes(system))) for system in SYSTEMS)
    parts.append(section("Accuracy by part of speech, all languages together", _side_by_side(by_part)))
    parts.append(section(f"Accuracy of '{_FREQUENT}' minus '{_CAREFUL}'", _comparison_lines(demo.comparisons)))
    for system, explanation in zip(SYSTEMS, demo.explanations, strict=True):
        parts.append(section(f"One item explained: '{system}'", (explain_text(explanation),)))
    # Both systems are judged in the same way and share one signature per language.
    signatures = [str(results[_CAREFUL].signature) for results in demo.results.values()]
    parts.append(section("Signatures", signatures))
    return "\n\n".join(parts)


def _side_by_side(series: Sequence[tuple[str, Sequence[Cell]]]) -> tuple[str, ...]:
    header = ["", *(title for system, _ in series for title in (f"n {system}", f"% {system}"))]
    rows = []
    for cells in zip(*(cells for _, cells in series), strict=True):
        if any(cell.counts.n for cell in cells):
            values = ((str(cell.counts.scored), number(cell.accuracy.value, undefined=UNDEFINED)) for cell in cells)
            name = POS_NAMES.get(cells[0].name, cells[0].name)
            rows.append((name, *(text for pair in values for text in pair)))
    return (
        *aligned(header, rows, range(1, len(header))),
        "n: items with GOOD or BAD, on which the accuracy is based",
    )


def _comparison_lines(comparisons: Mapping[str, Comparison]) -> tuple[str, ...]:
    rows = []
    for code, comparison in comparisons.items():
        (pair,) = comparison.pairs
        cells = difference_cells(pair.difference("accuracy"))
        rows.append((code, str(len(comparison.common)), *cells, str(len(pair.gained)), str(len(pair.lost))))
    title = interval_title(LEVEL)
    header = ("", "common", _CAREFUL, _FREQUENT, "difference", title, "p", "gained", "lost")
    return (
        *aligned(header, rows, range(1, len(header))),
        "On the common items, where both systems have GOOD or BAD. Percentage points; paired bootstrap",
        f"({N_RESAMPLES} resamples, seed {SEED}); p-values are not corrected for the number of languages.",
        "gained: BAD becomes GOOD; lost: GOOD becomes BAD.",
    )


def demo_record(demo: Demo) -> dict[str, Any]:
    """The report as a record for JSON."""
    languages = {
        code: {system: result_record(result) for system, result in results.items()}
        for code, results in demo.results.items()
    }
    mean = {
        system: mean_over_languages({code: results[system].scores for code, results in demo.results.items()}).as_dict()
        for system in SYSTEMS
    }
    comparisons = {
        code: {
            **comparison.as_dict(),
            "signature": str(demo.results[code][_CAREFUL].signature.extended(_DRAWS)),
        }
        for code, comparison in demo.comparisons.items()
    }
    kinds = {"by_frequency_index": by_frequency_index, "by_polysemy": by_polysemy, "by_pos": by_pos}
    breakdowns = {
        name: {system: [cell.as_dict() for cell in cells_of(demo.outcomes(system))] for system in SYSTEMS}
        for name, cells_of in kinds.items()
    }
    explained = dict(zip(SYSTEMS, map(explain_dict, demo.explanations), strict=True))
    return {
        "languages": languages,
        "mean": mean,
        **breakdowns,
        "comparisons": comparisons,
        "explained": explained,
    }
