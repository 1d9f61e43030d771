"""The judge: items and translations in, labels out.

Three parts: predictions (a translation or an n-best list), the `Judge`, which runs the stages (analyze, match, judge),
and the steps from matches to a label (`longest`, `label`, `chosen_frequency_index`). ``explain`` and ``judge`` are the
same computation: an explanation is a judgment together with its analyses, so the two cannot disagree.
"""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from math import inf, isfinite
from typing import Any

from .analysis import Analysis
from .analysis import Analyzer
from .analysis import Annotation
from .analyzers import load_analyzers
from .errors import InputError
from .errors import MissingAnnotationError
from .errors import shown
from .languages import language_rules
from .matcher import Matcher
from .matcher import SizedMatch
from .matcher import Stretch
from .records import CandidateSet
from .records import Dropped
from .records import Item
from .records import Judgment
from .records import Label
from .records import Match
from .records import Outcome
from .score_measures import Ties
from .score_measures import parse_option


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One translation of an n-best list, with its perplexity where the system gave one (lower is better)."""

    text: str
    perplexity: float | None = None


Prediction = tuple[Hypothesis, ...]


def as_prediction(value: object) -> Prediction:
    """A prediction from a string, a `Hypothesis`, an object with ``text`` and ``perplexity``, or a list of these.

    Raises:
        InputError: anything else, also an empty list.

    >>> as_prediction(["eins", {"text": "zwei", "perplexity": 3.5}])[1]
    Hypothesis(text='zwei', perplexity=3.5)
    """
    entries = value if isinstance(value, (list, tuple)) else (value,)
    if not entries:
        raise InputError("an n-best list is empty; give at least one translation, an empty string if there is none")
    return tuple(Hypothesis(entry) if isinstance(entry, str) else _hypothesis(entry) for entry in entries)


def _hypothesis(value: object) -> Hypothesis:
    if isinstance(value, Hypothesis) and isinstance(value.text, str):
        return value
    if isinstance(value, Mapping) and isinstance(value.get("text"), str) and value.keys() <= {"text", "perplexity"}:
        return Hypothesis(value["text"], _perplexity(value.get("perplexity")))
    raise InputError(
        f"a translation is a string, or an object with 'text' and optionally 'perplexity', not {shown(value)} "
        f"({type(value).__name__})"
    )


def _perplexity(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) <= sys.float_info.max:
        raise InputError(f"'perplexity' is a finite number or null, not {shown(value)}")
    return float(value)


class NBest(str, Enum):
    """How an n-best list becomes one label.

    ORACLE: GOOD if any hypothesis is GOOD, else BAD if any is BAD, else MISS (2025, section on beam search).
    MIN_PERPLEXITY: the label of the hypothesis with the lowest perplexity (the paper's column "Min").
    """

    ORACLE = "oracle"
    MIN_PERPLEXITY = "min_perplexity"


@dataclass(frozen=True, slots=True)
class Explanation:
    """A judgment and the analyses that it is based on.

    Attributes:
        item, translation: the input.
        judgment: the label with kept and dropped matches.
        analyses: one for each analyzer.
        active_rules: names of the rules that were on.
    """

    item: Item
    translation: str
    judgment: Judgment
    analyses: tuple[Analysis, ...]
    active_rules: tuple[str, ...]


class Judge:
    """Labels translations in one target language.

    Args:
        language: code of the target language.
        analyzers: names or `Analyzer` objects; their matches are united. ``None``: the builtin ones.
        enable, disable: names of rules to switch on or off.
        nbest: how an n-best list becomes one label.
        ties: which sense counts when the BAD candidates found express several wrong ones, see `Ties`.

    Raises:
        UnknownLanguageError, UnknownAnalyzerError, UnknownRuleError: an unknown name.
        MissingLibraryError: an analyzer's library or model is not installed.
        MissingAnnotationError: an analyzer gives no lemmas.

    >>> from dibimt_metric.records import Candidate
    >>> judge = Judge("de")
    >>> item = Item("1", good=(Candidate("zurücklegen"),), bad=(Candidate("legen"),))
    >>> judge.judge(item, "Die Karawane legte jeden Tag fast 100 Meilen zurück.").label.value
    'GOOD'
    """

    def __init__(
        self,
        language: str,
        analyzers: Sequence[str | Analyzer] | None = None,
        enable: Iterable[str] = (),
        disable: Iterable[str] = (),
        nbest: NBest | str = NBest.ORACLE,
        ties: Ties | str = Ties.MOST_FREQUENT,
    ) -> None:
        self.language = language
        self.rules = language_rules(language)
        self.active = self.rules.active(_several(enable), _several(disable))
        self.nbest: NBest = parse_option(NBest, nbest, "nbest")
        self.ties: Ties = parse_option(Ties, ties, "ties")
        self.analyzers = load_analyzers(_several(analyzers) if analyzers else None, language)
        for analyzer in self.analyzers:
            if Annotation.LEMMAS not in analyzer.annotations:
                raise MissingAnnotationError(
                    f"analyzer {analyzer.name!r} gives no lemmas, which matching needs; "
                    "add the lemma processor or choose another analyzer"
                )
        self._matchers = tuple(Matcher(self.rules, self.active, analyzer) for analyzer in self.analyzers)

    def judge(self, item: Item, prediction: str | Hypothesis | Sequence[str | Hypothesis]) -> Judgment:
        """Label one item's translation, or its n-best list.

        Raises:
            InputError: not a prediction (see `as_prediction`), or a perplexity that ``nbest`` needs is missing.
        """
        hypotheses = as_prediction(prediction)
        if len(hypotheses) == 1:
            return self._judge_text(item, hypotheses[0].text)
        if self.nbest is NBest.MIN_PERPLEXITY:
            number = _lowest_perplexity(item, hypotheses)
            return replace(self._judge_text(item, hypotheses[number].text), hypothesis=number)
        return self._oracle(item, hypotheses)

    def explain(self, item: Item, translation: str) -> Explanation:
        """Everything that leads to the label of one translation.

        Raises:
            InputError: the translation is not a string.
        """
        if not isinstance(translation, str):
            raise InputError(f"item {item.id!r}: a translation is a string, not {shown(translation)}")
        analyses = tuple(analyzer.analyze(translation) for analyzer in self.analyzers)
        judgment = self._judge_analyses(item, analyses)
        return Explanation(item, translation, judgment, analyses, tuple(sorted(self.active)))

    def outcome(self, item: Item, judgment: Judgment) -> Outcome:
        """The part of a judgment that scoring may know."""
        return Outcome(
            item_id=item.id,
            label=judgment.label,
            frequency_index=item.frequency_index,
            polysemy=item.polysemy,
            pos=item.pos,
            chosen_frequency_index=judgment.chosen_frequency_index,
        )

    def signature_fields(self) -> dict[str, str]:
        """The choices of this judge that can change a label, for the signature."""
        return {
            "lang": self.language,
            "analyzers": "+".join(f"{a.name}-{a.version}" for a in self.analyzers),
            "rules": self.rules.label(self.active),
            "nbest": self.nbest.value,
            "ties": self.ties.value,
        }

    def _judge_text(self, item: Item, text: str) -> Judgment:
        return self.explain(item, text).judgment

    def _judge_analyses(self, item: Item, analyses: tuple[Analysis, ...]) -> Judgment:
        found: list[SizedMatch] = []
        objected: list[Dropped] = []
        for matcher, analysis in zip(self._matchers, analyses, strict=True):
            matches_of_one, refused = matcher.match(item, analysis)
            found += matches_of_one
            objected += refused
        matches, shorter = longest(found)
        verdict = label(matches)
        chosen = chosen_frequency_index(item, matches, self.ties) if verdict is Label.BAD else None
        return Judgment(item.id, self.language, verdict, tuple(matches), (*objected, *shorter), chosen)

    def _oracle(self, item: Item, hypotheses: Prediction) -> Judgment:
        judged: list[Judgment] = []
        for number, hypothesis in enumerate(hypotheses):
            judgment = replace(self._judge_text(item, hypothesis.text), hypothesis=number)
            if judgment.label is Label.GOOD:
                return judgment
            judged.append(judgment)
        bad = next((j for j in judged if j.label is Label.BAD), None)
        # A hypothesis with candidates of both lists decides nothing; the paper's rule then leaves only MISS.
        return bad or replace(judged[0], label=Label.MISS, chosen_frequency_index=None)


def _several(value: Any) -> tuple[Any, ...]:
    """A single name or analyzer as a tuple of one."""
    return tuple(value) if isinstance(value, Iterable) and not isinstance(value, str) else (value,)


def _lowest_perplexity(item: Item, hypotheses: Prediction) -> int:
    known = [hypothesis.perplexity for hypothesis in hypotheses]
    if not all(isinstance(perplexity, (int, float)) and isfinite(perplexity) for perplexity in known):
        raise InputError(
            f"item {item.id!r}: nbest 'min_perplexity' needs a perplexity for each of its {len(known)} hypotheses: "
            "give objects with 'text' and 'perplexity'"
        )
    return min(range(len(known)), key=lambda number: known[number] or 0.0)


# From matches to a label

# Shares of a fused token are fractions; ends within this distance are equal.
_TOLERANCE = 1e-6
# Matches are compared only within the same cell of this many characters: a candidate may be found 100,000 times.
_CELL = 64


def longest(matches: Sequence[SizedMatch]) -> tuple[list[Match], list[Dropped]]:
    """Drop every match whose words are all inside a longer match, of either list.

    "We address these cases by attributing higher priority to the identification of the longest matches, thereby
    ignoring potential shorter matches contained in longer matches". Contained means: every word of the shorter match is
    one of the longer match's words; the words between those of a discontinuous match are not in it.
    """
    if len(matches) < 2:
        return [each.match for each in matches], []
    near = _by_cell(matches)
    kept: list[Match] = []
    dropped: list[Dropped] = []
    for each in matches:
        longer = _longer(each, near)
        if longer is None:
            kept.append(each.match)
        else:
            dropped.append(Dropped(each.match, f"inside the longer match {longer.match.candidate!r}"))
    return sorted(kept, key=_order), dropped


def _by_cell(matches: Sequence[SizedMatch]) -> dict[int, list[SizedMatch]]:
    """The matches in each cell of the text, longest first."""
    cells: dict[int, list[SizedMatch]] = {}
    for each in sorted(matches, key=lambda each: -each.length):
        ranges = (range(int(start) // _CELL, int(end) // _CELL + 1) for start, end in each.stretches)
        for cell in {cell for cells_of_one in ranges for cell in cells_of_one}:
            cells.setdefault(cell, []).append(each)
    return cells


def _longer(match: SizedMatch, near: dict[int, list[SizedMatch]]) -> SizedMatch | None:
    for other in near[int(match.stretches[0][0]) // _CELL]:
        if other.length <= match.length + _TOLERANCE:
            return None
        if all(_covers(other.stretches, stretch) for stretch in match.stretches):
            return other
    return None


def _covers(stretches: tuple[Stretch, ...], stretch: Stretch) -> bool:
    """Whether one of the stretches, which are in order and apart, contains ``stretch``."""
    index = bisect_right(stretches, (stretch[0] + _TOLERANCE, inf)) - 1
    return index >= 0 and stretch[1] <= stretches[index][1] + _TOLERANCE


def _order(match: Match) -> tuple[int, int, str, str]:
    return (match.start, match.end, match.set.value, match.candidate)


def label(matches: Sequence[Match]) -> Label:
    """The label of a translation with these matches.

    >>> label([]).value
    'MISS'
    """
    sets = {match.set for match in matches}
    if not sets:
        return Label.MISS
    if len(sets) == 2:
        return Label.UNK
    return Label.GOOD if CandidateSet.GOOD in sets else Label.BAD


def chosen_frequency_index(item: Item, matches: Sequence[Match], ties: Ties = Ties.MOST_FREQUENT) -> int | None:
    """Rank of the wrong sense that the matches show; ``None`` if no BAD candidate found has a ranked sense.

    Args:
        item: its BAD candidates carry the ranks of their senses.
        matches: the matches that count.
        ties: for BAD candidates that express several wrong senses, about which the paper says nothing. By default the
            most frequent counts (smallest rank); strict leaves such a translation without a rank.
    """
    found = {match.candidate for match in matches if match.set is CandidateSet.BAD}
    ranks = {
        rank
        for candidate in item.bad
        if candidate.lemma in found
        for rank in candidate.frequency_indices
        if rank is not None and rank != item.frequency_index  # that sense is the right one
    }
    if ties is Ties.STRICT and len(ranks) > 1:
        return None
    return min(ranks, default=None)
