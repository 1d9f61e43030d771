"""From an analysis and candidates to matches. Knows the language's rules; knows neither verdicts nor counts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from .analysis import Analysis
from .analysis import Analyzer
from .analysis_text import normalize
from .match_patterns import Contiguous
from .match_patterns import Occurrence
from .match_patterns import Pattern
from .match_phrase import Element
from .match_phrase import Phrase
from .match_view import KeyMaker
from .match_view import View
from .match_view import without_marks
from .records import Candidate
from .records import CandidateSet
from .records import Dropped
from .records import Item
from .records import Match
from .records import PartOfSpeech
from .rules import LanguageRules

_MAX_REMEMBERED = 100_000

# A span of the text, in characters; a word of a fused token has a share of the token, so the ends are fractions.
Stretch = tuple[float, float]


class SizedMatch(NamedTuple):
    """A match with what judging needs: the stretches of text that its words cover, and their length together."""

    match: Match
    stretches: tuple[Stretch, ...]
    length: float


class _CandidatePatterns(NamedTuple):
    """The patterns of one candidate of an item."""

    set: CandidateSet
    candidate: Candidate
    patterns: tuple[Pattern, ...]


class _SharedPatterns(NamedTuple):
    """The patterns of a candidate for all items whose other list has none of the keys."""

    keys: frozenset[str]
    patterns: tuple[Pattern, ...]


class _RecordingPhrase(Phrase):
    """A candidate read as if there were no other list; records the keys that another list could take from it."""

    def __init__(self, candidate: Candidate, analyzer: Analyzer, maker: KeyMaker) -> None:
        super().__init__(candidate.lemma, candidate.pos, analyzer, maker)
        self.keys: set[str] = set()

    def _word(self, form: str, lemmas: tuple[str, ...], several: bool = False) -> Element:
        element = super()._word(form, lemmas, several)
        self.keys |= element.keys
        return element


class Matcher:
    """Finds candidates in the analyses of one analyzer.

    Args:
        rules: the language.
        active: names of the rules that are on.
        analyzer: reads the candidates; the analyses to be matched are by the same analyzer.
    """

    def __init__(self, rules: LanguageRules, active: frozenset[str], analyzer: Analyzer) -> None:
        self.analyzer = analyzer
        self._rules = rules
        self._active = active
        self._flagged = frozenset(rule.name for rule in rules.rules if rule.flagged)
        self._maker = KeyMaker(rules.words, active, analyzer.lexicon)
        self._guarded = rules.objection_rule in active
        self._by_item: dict[int, tuple[Item, tuple[_CandidatePatterns, ...]]] = {}
        self._by_lists: dict[tuple[tuple[Candidate, ...], ...], tuple[_CandidatePatterns, ...]] = {}
        self._shared: dict[tuple[str, PartOfSpeech | None], _SharedPatterns] = {}

    def match(self, item: Item, analysis: Analysis) -> tuple[list[SizedMatch], list[Dropped]]:
        """All matches of the item's candidates, and those that a rule of the language objects to."""
        view = View(analysis, self._maker)
        matches: list[SizedMatch] = []
        dropped: list[Dropped] = []
        for candidate in self._candidates(item):
            seen: set[tuple[int, ...]] = set()
            for pattern in candidate.patterns:
                if not pattern.may_occur(view.present):
                    continue
                for found in pattern.find(view):
                    if found.positions in seen:
                        continue
                    seen.add(found.positions)
                    match = self._sized_match(view, candidate, found)
                    reason = self._rules.objection(view, found.positions) if self._guarded else None
                    if reason is None:
                        matches.append(match)
                    else:
                        dropped.append(Dropped(match.match, reason))
        return matches, dropped

    def _sized_match(self, view: View, candidate: _CandidatePatterns, found: Occurrence) -> SizedMatch:
        words = view.words
        # Words of a fused token share one span.
        spans = tuple(dict.fromkeys((words[i].start, words[i].end) for i in found.positions))
        start, end = spans[0][0], spans[-1][1]
        match = Match(
            set=candidate.set,
            candidate=candidate.candidate.lemma,
            rule=found.rule,
            start=start,
            end=end,
            text=view.analysis.text[start:end],
            spans=spans,
            analyzer=self.analyzer.name,
            flagged=found.rule in self._flagged,
        )
        stretches = _stretches(view, found)
        return SizedMatch(match, stretches, sum(end - start for start, end in stretches))

    def _candidates(self, item: Item) -> tuple[_CandidatePatterns, ...]:
        """The item's candidates with their patterns; equal lists are compiled once for all items."""
        known = self._by_item.get(id(item))
        if known is not None and known[0] is item:
            return known[1]
        lists = (tuple(item.good), tuple(item.bad))
        candidates = self._by_lists.get(lists)
        if candidates is None:
            candidates = self._by_lists[lists] = tuple(self._compile(*lists))
        if len(self._by_item) >= _MAX_REMEMBERED:
            self._by_item.clear()
            self._by_lists.clear()
            self._shared.clear()
        self._by_item[id(item)] = (item, candidates)  # the item is kept, so that its id is not used again
        return candidates

    def _compile(self, good: tuple[Candidate, ...], bad: tuple[Candidate, ...]) -> Iterator[_CandidatePatterns]:
        for side, candidates, others in ((CandidateSet.GOOD, good, bad), (CandidateSet.BAD, bad, good)):
            rivals = frozenset(self._maker.fold(normalize(other.lemma).text) for other in others)
            for candidate in candidates:
                yield _CandidatePatterns(side, candidate, self._patterns(candidate, rivals))

    def _patterns(self, candidate: Candidate, rivals: frozenset[str]) -> tuple[Pattern, ...]:
        """The patterns of a candidate; shared by all items, unless the other list takes keys from it."""
        shared = self._shared.get((candidate.lemma, candidate.pos))
        if shared is None:
            recording = _RecordingPhrase(candidate, self.analyzer, self._maker)
            patterns = self._patterns_of(recording)
            shared = self._shared[candidate.lemma, candidate.pos] = _SharedPatterns(frozenset(recording.keys), patterns)
        if shared.keys.isdisjoint(rivals):
            return shared.patterns
        return self._patterns_of(Phrase(candidate.lemma, candidate.pos, self.analyzer, self._maker, rivals))

    def _patterns_of(self, phrase: Phrase) -> tuple[Pattern, ...]:
        plain: list[Pattern] = []
        if not self._rules.segmented and not self._rules.only_patterns(phrase):
            plain = [Contiguous(elements) for elements in phrase.readings(phrase.parts) if elements]
        return (*plain, *self._rules.patterns(phrase, self._active))


def _stretches(view: View, found: Occurrence) -> tuple[Stretch, ...]:
    """Stretches of the text that an occurrence covers.

    Neighbors make one stretch with what separates them (a space, the hyphen of ``U-Bahn``), so that it does not matter
    whether an analyzer reads one word or two. A compound's last part covers only its own letters, so that a candidate
    for the whole word (``Holzkohle``) is longer than one for the part (``Kohle``).
    """
    stretches = [_stretch(view, found.positions[0])]
    for before, position in pairwise(found.positions):
        start, end = _stretch(view, position)
        if position == before + 1:
            stretches[-1] = (stretches[-1][0], end)
        else:
            stretches.append((start, end))
    if found.letters is None:
        return tuple(stretches)
    start, end = stretches[-1]
    return ((max(start, end - found.letters), end),)


def _stretch(view: View, position: int) -> Stretch:
    """Stretch of the text that one word covers.

    Words of a fused token (``del`` = ``de`` + ``el``) share its span; each gets an equal part of it, so that the token
    counts as longer than one of its words. Punctuation glued to a word does not make it longer.
    """
    word = view.words[position]
    first = last = position
    while first > 0 and view.words[first - 1][1:3] == word[1:3]:
        first -= 1
    while last + 1 < len(view.words) and view.words[last + 1][1:3] == word[1:3]:
        last += 1
    share = (word.end - word.start) / (last - first + 1)
    start = word.start + share * (position - first)
    before, _, after = word.text.partition(without_marks(word.text))
    return (start + len(before), start + share - len(after))
