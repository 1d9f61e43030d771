"""An analysis as the matcher sees it: which keys occur at which positions.

Words are positions 0, 1, 2 ...; an *edge* is a word, or a token of several words, that carries a key. A sequence of
edges without a gap is one way to read the text, so tokens and expanded words are matched in one go.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, chain
from typing import NamedTuple

from .analysis import Analysis
from .analysis import Annotation
from .analysis import Lexicon
from .analysis import Token
from .analysis import Word
from .analysis_text import fold
from .rules_words import WordRules


class Edge(NamedTuple):
    """Words ``[first, last)`` that carry a key, and the rule that gave it to them (empty: form or lemma)."""

    first: int
    last: int
    rule: str = ""


class Keys(NamedTuple):
    """The keys of one form.

    Attributes:
        surface: of the form, first without the punctuation glued to it.
        all: of the form and its lemmas.
        by_rule: keys that rules add, each with its rule.
        everything: all keys.
    """

    surface: tuple[str, ...]
    all: tuple[str, ...]
    by_rule: tuple[tuple[str, str], ...]
    everything: frozenset[str]


_MAX_CACHED_KEYS = 500_000
_LONGEST_CACHED = 64  # The cache lives as long as the process and must not fill with megabytes that are not words.
_SENTENCE_END = frozenset(".!?…。！？")
_CLAUSE_END = _SENTENCE_END | frozenset(";:,–—()[]\n；：，、（）")
_GLUED = '".,;:!?…()[]¿¡*_'
_ASKED_WITHOUT_INDEX = 4


def without_marks(form: str) -> str:
    """A form without the punctuation that a tokenizer left glued to it; pure punctuation is kept.

    A glued period hid the last word of 30 of 526 Russian sentences; small models also keep quotation marks
    (``"Blitz``).
    """
    return form.strip(_GLUED) or form


def _rule(mine: Keys, keys: frozenset[str]) -> str:
    """The rule by which a form carries one of the keys; empty for form and lemma."""
    if not keys.isdisjoint(mine.all):
        return ""
    return next(rule for key, rule in mine.by_rule if key in keys)


class KeyMaker:
    """Makes and remembers the keys of word forms for one language and analyzer."""

    def __init__(self, rules: WordRules, active: frozenset[str], lexicon: Lexicon | None) -> None:
        self.rules = rules
        self.active = active
        self.lexicon = lexicon
        self._letters = rules.letters(active)
        self._known: dict[tuple[str, tuple[str, ...]], Keys] = {}

    def keys_of_all(self, units: Sequence[Word] | Sequence[Token]) -> list[Keys]:
        """Keys of each word or token; the loop that runs for every word of every text."""
        get, make = self._known.get, self.keys
        return [get((unit.text, unit.lemmas)) or make(unit.text, unit.lemmas) for unit in units]

    def keys(self, form: str, lemmas: tuple[str, ...]) -> Keys:
        """Keys of a form with these lemmas."""
        known = self._known.get((form, lemmas))
        if known is None:
            known = self._make(form, lemmas)
            if len(self._known) < _MAX_CACHED_KEYS and len(form) <= _LONGEST_CACHED:
                self._known[form, lemmas] = known
        return known

    def _make(self, form: str, lemmas: tuple[str, ...]) -> Keys:
        bare = without_marks(form)
        surface = self._folded(dict.fromkeys((bare, form)))
        if surface[0] in self.rules.surface_only:
            return Keys(surface, surface, (), frozenset(surface))
        cleaned = self.clean(lemmas)
        readings = [r for r in self.rules.readings(bare, cleaned, self.lexicon) if r.rule in self.active]
        if any(reading.rule in self.rules.replacing for reading in readings):
            cleaned = ()
        by_rule = tuple((fold(r.lemma, self._letters), r.rule) for r in readings)
        everything = self._folded(dict.fromkeys((*surface, *cleaned)))
        added = tuple(pair for pair in by_rule if pair[0] not in everything)
        return Keys(surface, everything, added, frozenset((*everything, *(key for key, _ in added))))

    def clean(self, lemmas: tuple[str, ...]) -> tuple[str, ...]:
        """The lemmas that an analyzer's lemmas represent."""
        clean = self.rules.clean_lemma
        return tuple(dict.fromkeys(part for lemma in lemmas for part in map(without_marks, clean(lemma))))

    def fold(self, form: str) -> str:
        """Key of a form."""
        return fold(form, self._letters)

    def _folded(self, forms: dict[str, None]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(fold(form, self._letters) for form in forms))


class View:
    """One analysis, indexed by key.

    Attributes:
        analysis: the analysis.
        words: its words.
        present: all keys of the text; most candidates share none of them, which saves the search.
    """

    def __init__(self, analysis: Analysis, maker: KeyMaker) -> None:
        self.analysis = analysis
        self.words = analysis.words
        self._index: tuple[dict[str, list[int]], dict[str, list[int]]] | None = None
        self._answers: dict[tuple[frozenset[str], bool], list[Edge]] = {}
        self._asked = 0
        self._clause_ends: list[int] | None = None
        self._sentence_ends: list[int] | None = None
        self._spelling: tuple[str, dict[int, int]] | None = None
        self._maker = maker
        self._keys = maker.keys_of_all(analysis.words)
        self._token_keys = maker.keys_of_all(analysis.multiword)
        self.present: set[str] = set()
        for keys in (*self._keys, *self._token_keys):
            self.present.update(keys.everything)

    def edges(self, keys: frozenset[str], surface_only: bool = False) -> list[Edge]:
        """Words and tokens that carry one of the keys (``surface_only``: as their form), by position.

        The first few questions are answered by looking at every word. An index pays only for a text with more than the
        usual one or two questions.
        """
        question = (keys, surface_only)
        answer = self._answers.get(question)
        if answer is None:
            answer = self._answers[question] = self._edges(keys, surface_only)
        return answer

    def _edges(self, keys: frozenset[str], surface_only: bool) -> list[Edge]:
        self._asked += 1
        if self._asked <= _ASKED_WITHOUT_INDEX:
            return sorted(self._edge(unit, keys) for unit in self._scan(keys, surface_only))
        if self._index is None:
            self._index = self._make_index()
        index = self._index[1 if surface_only else 0]
        return sorted(self._edge(unit, keys) for unit in {unit for key in keys for unit in index.get(key, ())})

    def _edge(self, unit: int, keys: frozenset[str]) -> Edge:
        """The edge of a unit; units are the words, then the tokens of several words."""
        number = unit - len(self.words)
        if number < 0:
            return Edge(unit, unit + 1, _rule(self._keys[unit], keys))
        token = self.analysis.multiword[number]
        return Edge(token.first, token.last, _rule(self._token_keys[number], keys))

    def _scan(self, keys: frozenset[str], surface_only: bool) -> list[int]:
        every = enumerate(chain(self._keys, self._token_keys))
        if surface_only:
            return [unit for unit, mine in every if not keys.isdisjoint(mine.surface)]
        return [unit for unit, mine in every if not keys.isdisjoint(mine.everything)]

    def _make_index(self) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
        by_key: dict[str, list[int]] = {}
        by_surface: dict[str, list[int]] = {}
        for unit, keys in enumerate(chain(self._keys, self._token_keys)):
            for key in keys.everything:
                by_key.setdefault(key, []).append(unit)
            for key in keys.surface:
                by_surface.setdefault(key, []).append(unit)
        return by_key, by_surface

    @property
    def lexicon(self) -> Lexicon | None:
        """The word list of the analyzer that read the text."""
        return self._maker.lexicon

    @property
    def has_relations(self) -> bool:
        """Whether the words carry heads and relations."""
        return Annotation.RELATIONS in self.analysis.annotations

    def form(self, position: int) -> str:
        """Folded form of the word at ``position``, without glued punctuation."""
        return self._keys[position].surface[0]

    def keys(self, position: int) -> tuple[str, ...]:
        """Keys of the form and the lemmas of the word at ``position``."""
        return self._keys[position].all

    def all_keys(self, position: int) -> frozenset[str]:
        """All keys of the word at ``position``, including those that a rule adds."""
        return self._keys[position].everything

    def sentence(self, position: int) -> tuple[int, int]:
        """Half-open range of words around ``position`` without a sentence-final mark between them."""
        if self._sentence_ends is None:
            self._sentence_ends = self._ends(_SENTENCE_END)
        return self._range(self._sentence_ends, position)

    def clause(self, position: int) -> tuple[int, int]:
        """Half-open range of words around ``position`` without a comma or a stronger mark between them."""
        if self._clause_ends is None:
            self._clause_ends = self._ends(_CLAUSE_END)
        return self._range(self._clause_ends, position)

    @property
    def spelling(self) -> tuple[str, dict[int, int]]:
        """All forms without spaces, and offset in that string -> number of the word that begins there."""
        if self._spelling is None:
            forms = [self.form(i) for i in range(len(self.words))]
            offsets = [0, *accumulate(map(len, forms))]
            self._spelling = "".join(forms), {offset: i for i, offset in enumerate(offsets)}
        return self._spelling

    def _range(self, ends: list[int], position: int) -> tuple[int, int]:
        index = bisect_right(ends, position)
        return ends[index - 1] if index else 0, min(ends[index], len(self.words))

    def _ends(self, marks: frozenset[str]) -> list[int]:
        """Exclusive ends of the ranges that the marks close, the end of the text last.

        A separate mark is outside the range; a word with a glued mark is inside.
        """
        ends = [
            i + (len(word.text) > 1 and word.text[0].isalnum())
            for i, word in enumerate(self.words)
            if word.text[-1:] in marks and not self._is_abbreviation_mark(i)
        ]
        return [*ends, len(self.words) + 1]

    def _is_abbreviation_mark(self, position: int) -> bool:
        """The period of an ordinal number or a single letter: "am 13. November", "z. B."."""
        mark, last = self.words[position], len(self.words) - 1
        if not 0 < position < last:
            return False
        if mark.text != ".":
            return mark.text[-1] == "." and _is_abbreviated(mark.text[:-1])
        before = self.words[position - 1]
        return mark.start == before.end and _is_abbreviated(before.text)


def _is_abbreviated(text: str) -> bool:
    return (len(text) == 1 and text.isalnum()) or (len(text) == 2 and text.isdigit())


def latest_not_after(positions: list[int], limit: int) -> int | None:
    """Largest of the sorted ``positions`` that is at most ``limit``."""
    index = bisect_right(positions, limit)
    return positions[index - 1] if index else None
