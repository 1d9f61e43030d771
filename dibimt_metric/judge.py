"""The judge: items and translations in, labels out. Puts the stages together; holds no rule of its own.

``explain`` and ``judge`` are the same computation: an explanation is a judgment together with the readings it was made
from, so the two cannot disagree.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import replace
from enum import Enum
from math import inf
from math import isfinite
from typing import TYPE_CHECKING, Any, NamedTuple

from .analysis import Analysis
from .analysis import Analyzer
from .analysis import Annotation
from .analyzers import load_analyzers
from .errors import InputError
from .errors import MissingAnnotationError
from .errors import shown
from .languages import language_rules
from .matcher import Hit
from .matcher import Matcher
from .records import CandidateSet
from .records import Dropped
from .records import Item
from .records import Judgment
from .records import Label
from .records import Match
from .records import Outcome
from .score_measures import Ties
from .score_measures import parse_option

if TYPE_CHECKING:
    from .matcher import Piece


# Shares of a fused token are fractions; borders within this distance are the same.
_TOLERANCE = 1e-6
# Matches are compared only within the same stretch of this many characters: a candidate may be found 100,000 times.
_CELL = 64


class _Sized(NamedTuple):
    length: float
    hit: Hit


def longest(hits: Sequence[Hit]) -> tuple[list[Match], list[Dropped]]:
    """Drop every match whose words all lie inside a longer match, of either list.

    "We address these cases by attributing higher priority to the identification of the longest matches, thereby
    ignoring potential shorter matches contained in longer matches". Contained means: every word of the shorter match is
    one of the longer match's words; words that only stand between those of a discontinuous match are not in it.
    """
    if len(hits) < 2:
        return [hit.match for hit in hits], []
    sized = [_Sized(_length(hit), hit) for hit in hits]
    near = _by_cell(sized)
    kept: list[Match] = []
    dropped: list[Dropped] = []
    for length, hit in sized:
        longer = _longer(hit, length, near)
        if longer is None:
            kept.append(hit.match)
        else:
            dropped.append(Dropped(hit.match, f"inside the longer match {longer.match.candidate!r}"))
    return sorted(kept, key=_order), dropped


def _by_cell(sized: Sequence[_Sized]) -> dict[int, list[_Sized]]:
    """The matches that touch each stretch of text, longest first."""
    cells: dict[int, list[_Sized]] = {}
    for entry in sorted(sized, key=lambda entry: -entry.length):
        pieces = entry.hit.pieces
        touched = {
            cell for start, end in pieces for cell in range(int(start) // _CELL, int(end) // _CELL + 1)
        }
        for cell in touched:
            cells.setdefault(cell, []).append(entry)
    return cells


def _longer(hit: Hit, length: float, near: dict[int, list[_Sized]]) -> Hit | None:
    for other in near[int(hit.pieces[0][0]) // _CELL]:
        if other.length <= length + _TOLERANCE:
            return None
        if _contains(other.hit, hit):
            return other.hit
    return None


def _length(hit: Hit) -> float:
    return sum(end - start for start, end in hit.pieces)


def _contains(longer: Hit, shorter: Hit) -> bool:
    return all(_covers(longer.pieces, piece) for piece in shorter.pieces)


def _covers(pieces: tuple[Piece, ...], piece: Piece) -> bool:
    """Whether one of the pieces, which are in order and apart, holds ``piece``."""
    index = bisect_right(pieces, (piece[0] + _TOLERANCE, inf)) - 1
    return index >= 0 and piece[1] <= pieces[index][1] + _TOLERANCE


def _order(match: Match) -> tuple[int, int, str, str]:
    return (match.start, match.end, match.set.value, match.candidate)


def label(matches: Sequence[Match]) -> Label:
    """The label that a set of matches gives.

    >>> label([]).value
    'MISS'
    """
    sets = {match.set for match in matches}
    if not sets:
        return Label.MISS
    if len(sets) == 2:
        return Label.UNK
    return Label.GOOD if CandidateSet.GOOD in sets else Label.BAD


def chosen_frequency_index(
    item: Item, matches: Sequence[Match], ties: Ties = Ties.MOST_FREQUENT
) -> int | None:
    """Rank of the wrong sense that the matches show, ``None`` where no BAD candidate found has a ranked one.

    Args:
        item: the item, whose BAD candidates carry the ranks of their senses.
        matches: the matches that count.
        ties: the paper does not say what counts when BAD candidates found express several wrong senses. By
            default the most frequent is taken (smallest rank); strict leaves such a translation without a rank.
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


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One translation of an n-best list, with its perplexity where the system gave one (lower is better)."""

    text: str
    perplexity: float | None = None


Prediction = tuple[Hypothesis, ...]


class NBest(str, Enum):
    """How an n-best list becomes one label.

    ORACLE: GOOD if any hypothesis is GOOD, else BAD if any is BAD, else MISS (2025, section on beam search).
    MIN_PERPLEXITY: the label of the hypothesis with the lowest perplexity (the paper's column "Min").
    """

    ORACLE = "oracle"
    MIN_PERPLEXITY = "min_perplexity"


@dataclass(frozen=True, slots=True)
class Explanation:
    """A judgment and the readings that it rests on, one for each analyzer.

    Attributes:
        item, translation: what was judged.
        judgment: the label with kept and dropped matches.
        analyses: what each analyzer read.
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
        analyzers: names or `Analyzer` objects; their matches are united. ``None``: the embedded ones.
        enable, disable: names of rules to switch on or off.
        nbest: how an n-best list becomes one label.
        ties: what counts when BAD candidates found express several wrong senses, see `Ties`.

    Raises:
        UnknownLanguageError, UnknownAnalyzerError, UnknownRuleError: a name is not known.
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

    def judge(self, item: Item, prediction: str | Sequence[str | Hypothesis]) -> Judgment:
        """Label one item's translation, or its n-best list.

        Raises:
            InputError: an empty n-best list, or perplexities are asked for and missing.
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
            InputError: the translation is no string.
        """
        if not isinstance(translation, str):
            raise InputError(f"item {item.id!r}: a translation is a string, not {shown(translation)}")
        analyses = tuple(analyzer.analyze(translation) for analyzer in self.analyzers)
        judgment = self._judge_analyses(item, analyses)
        return Explanation(item, translation, judgment, analyses, tuple(sorted(self.active)))

    def outcome(self, item: Item, judgment: Judgment) -> Outcome:
        """What scoring may know of a judgment."""
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
        hits: list[Hit] = []
        objected: list[Dropped] = []
        for matcher, analysis in zip(self._matchers, analyses, strict=True):
            found, refused = matcher.match(item, analysis)
            hits += found
            objected += refused
        matches, shorter = longest(hits)
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
        # A hypothesis with candidates of both lists decides nothing; the paper's rule knows no other outcome than MISS.
        return bad or replace(judged[0], label=Label.MISS, chosen_frequency_index=None)


def _several(value: Any) -> tuple[Any, ...]:
    """One name or one analyzer alone is a list of one."""
    return tuple(value) if isinstance(value, Iterable) and not isinstance(value, str) else (value,)


def as_prediction(value: str | Sequence[str | Hypothesis]) -> Prediction:
    """A prediction as a tuple of hypotheses.

    Raises:
        InputError: the list is empty, or holds something else than strings and hypotheses.
    """
    if isinstance(value, str):
        return (Hypothesis(value),)
    entries = value if isinstance(value, (list, tuple)) else (value,)
    hypotheses = tuple(Hypothesis(entry) if isinstance(entry, str) else entry for entry in entries)
    if not hypotheses:
        raise InputError(
            "an n-best list is empty; give at least one translation, the empty string if there is none"
        )
    for hypothesis in hypotheses:
        if not isinstance(hypothesis, Hypothesis) or not isinstance(hypothesis.text, str):
            raise InputError(
                f"a translation is a string or a `Hypothesis` with a text, not {shown(hypothesis)}"
            )
    return hypotheses


def _lowest_perplexity(item: Item, hypotheses: Prediction) -> int:
    known = [hypothesis.perplexity for hypothesis in hypotheses]
    if not all(isinstance(perplexity, (int, float)) and isfinite(perplexity) for perplexity in known):
        raise InputError(
            f"item {item.id!r}: nbest 'min_perplexity' needs a perplexity for each of its {len(known)} hypotheses: "
            "give objects with 'text' and 'perplexity'"
        )
    return min(range(len(known)), key=lambda number: known[number] or 0.0)
