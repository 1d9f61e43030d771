"""From an analysis and candidates to matches. Knows the language's rules; knows neither verdicts nor counts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from .analysis_text import normalize
from .match_patterns import Contiguous
from .match_phrase import Phrase
from .match_view import KeyMaker
from .match_view import View
from .match_view import without_marks
from .records import CandidateSet
from .records import Dropped
from .records import Match

if TYPE_CHECKING:
    from .analysis import Analysis
    from .analysis import Analyzer
    from .match_patterns import Found
    from .match_patterns import Pattern
    from .match_phrase import Element
    from .records import Candidate
    from .records import Item
    from .records import PartOfSpeech
    from .rules import LanguageRules

_MAX_REMEMBERED = 100_000

# A span of the text, in characters; of a fused token's word, its share of the token.
Piece = tuple[float, float]


class Hit(NamedTuple):
    """A match with what judging needs of it: the stretches of text that its words cover."""

    match: Match
    pieces: tuple[Piece, ...]


class _Compiled(NamedTuple):
    set: CandidateSet
    candidate: Candidate
    patterns: tuple[Pattern, ...]


class _Alone(Phrase):
    """A candidate read as if there were no other list, which notes the keys that another list could take from it."""

    def __init__(self, candidate: Candidate, analyzer: Analyzer, maker: KeyMaker) -> None:
        super().__init__(candidate.lemma, candidate.pos, analyzer, maker)
        self.keys: set[str] = set()

    def _word(self, form: str, lemmas: tuple[str, ...], several: bool = False) -> Element:
        element = super()._word(form, lemmas, several)
        self.keys |= element.keys
        return element


class _Read(NamedTuple):
    """The patterns of a candidate for all items in whose other list none of the keys stands."""

    keys: frozenset[str]
    patterns: tuple[Pattern, ...]


class Matcher:
    """Finds candidates in the analyses of one analyzer.

    Args:
        rules: the language. active: names of the rules that are on.
        analyzer: reads the candidates; the analyses to be matched come from it too.
    """

    def __init__(self, rules: LanguageRules, active: frozenset[str], analyzer: Analyzer) -> None:
        self.analyzer = analyzer
        self._rules = rules
        self._active = active
        self._flagged = frozenset(rule.name for rule in rules.rules if rule.flagged)
        self._maker = KeyMaker(rules, active, analyzer.lexicon)
        self._guarded = rules.objection_rule in active
        self._by_item: dict[int, tuple[Item, tuple[_Compiled, ...]]] = {}
        self._by_lists: dict[tuple[tuple[Candidate, ...], ...], tuple[_Compiled, ...]] = {}
        self._read: dict[tuple[str, PartOfSpeech | None], _Read] = {}

    def match(self, item: Item, analysis: Analysis) -> tuple[list[Hit], list[Dropped]]:
        """All matches of the item's candidates, and those that a rule of the language objects to."""
        view = View(analysis, self._maker)
        hits: list[Hit] = []
        dropped: list[Dropped] = []
        for compiled in self._compile(item):
            seen: set[tuple[int, ...]] = set()
            for pattern in compiled.patterns:
                if not pattern.may_stand(view.present):
                    continue
                for found in pattern.find(view):
                    if found.cover in seen:
                        continue
                    seen.add(found.cover)
                    hit = self._hit(view, compiled, found)
                    reason = self._objection(view, found)
                    if reason is None:
                        hits.append(hit)
                    else:
                        dropped.append(Dropped(hit.match, reason))
        return hits, dropped

    def _objection(self, view: View, found: Found) -> str | None:
        if not self._guarded:
            return None
        return self._rules.objection(view, found.cover)

    def _hit(self, view: View, compiled: _Compiled, found: Found) -> Hit:
        spans = _spans(view, found.cover)
        start, end = spans[0][0], spans[-1][1]
        match = Match(
            set=compiled.set,
            candidate=compiled.candidate.lemma,
            rule=found.rule,
            start=start,
            end=end,
            text=view.analysis.text[start:end],
            spans=spans,
            analyzer=self.analyzer.name,
            flagged=found.rule in self._flagged,
        )
        return Hit(match, _pieces(view, found))

    def _compile(self, item: Item) -> tuple[_Compiled, ...]:
        """The item's candidates with their patterns; the same lists are compiled once, in whatever item they stand."""
        known = self._by_item.get(id(item))
        if known is not None and known[0] is item:
            return known[1]
        lists = (tuple(item.good), tuple(item.bad))
        compiled = self._by_lists.get(lists)
        if compiled is None:
            compiled = self._by_lists[lists] = tuple(self._compile_lists(*lists))
        if len(self._by_item) >= _MAX_REMEMBERED:
            self._by_item.clear()
            self._by_lists.clear()
            self._read.clear()
        self._by_item[id(item)] = (item, compiled)  # the item is kept, so that its id stays its own
        return compiled

    def _compile_lists(self, good: tuple[Candidate, ...], bad: tuple[Candidate, ...]) -> Iterator[_Compiled]:
        for side, candidates, others in ((CandidateSet.GOOD, good, bad), (CandidateSet.BAD, bad, good)):
            rivals = frozenset(self._maker.fold(normalize(other.lemma).text) for other in others)
            for candidate in candidates:
                yield _Compiled(side, candidate, self._make_patterns(candidate, rivals))

    def _make_patterns(self, candidate: Candidate, rivals: frozenset[str]) -> tuple[Pattern, ...]:
        """The patterns of a candidate; read once, unless the other list of an item has a say."""
        read = self._read.get((candidate.lemma, candidate.pos))
        if read is None:
            alone = _Alone(candidate, self.analyzer, self._maker)
            patterns = self._patterns_of(alone)
            read = self._read[candidate.lemma, candidate.pos] = _Read(frozenset(alone.keys), patterns)
        if read.keys.isdisjoint(rivals):
            return read.patterns
        return self._patterns_of(Phrase(candidate.lemma, candidate.pos, self.analyzer, self._maker, rivals))

    def _patterns_of(self, phrase: Phrase) -> tuple[Pattern, ...]:
        plain: list[Pattern] = []
        if not self._rules.segmented and not self._rules.only_patterns(phrase):
            plain = [Contiguous(elements) for elements in phrase.readings(phrase.parts) if elements]
        return (*plain, *self._rules.patterns(phrase, self._active))


def _spans(view: View, cover: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """Spans of the words in order, without repetition (words of a fused token share one)."""
    words = view.words
    return tuple(dict.fromkeys((words[i].start, words[i].end) for i in cover))


def _pieces(view: View, found: Found) -> tuple[Piece, ...]:
    """Stretches of the text that the match covers.

    A compound's last part covers its own letters only, so that a candidate for the whole word (``Holzkohle``) is
    longer than one for the part (``Kohle``).
    """
    pieces = _stretches(view, found.cover)
    if found.letters is None:
        return pieces
    start, end = pieces[-1]
    return ((max(start, end - found.letters), end),)


def _stretches(view: View, cover: tuple[int, ...]) -> tuple[Piece, ...]:
    """Stretches of the text that the words cover.

    Neighbors make one stretch with what parts them (a space, the hyphen of ``U-Bahn``), so that it does not matter
    whether an analyzer reads one word or two.
    """
    pieces = [_piece(view, cover[0])]
    for before, position in pairwise(cover):
        start, end = _piece(view, position)
        if position == before + 1:
            pieces[-1] = (pieces[-1][0], end)
        else:
            pieces.append((start, end))
    return tuple(pieces)


def _piece(view: View, position: int) -> Piece:
    """Stretch of the text that one word covers.

    Words of a fused token (``del`` = ``de`` + ``el``) share its span; each gets an equal part of it, so that
    the token counts as longer than one of its words. Punctuation glued to a word does not make it longer.
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
