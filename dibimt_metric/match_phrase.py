"""A candidate as the matcher reads it: words and wildcards, each word with the keys that find it.

Candidates go through the same analyzers as translations, so that ``летучая мышь`` is found in ``Летучие мыши``.
"""

from __future__ import annotations

from typing import NamedTuple

from .analysis import Analyzer
from .analysis import Lexicon
from .analysis import Token
from .analysis import Word
from .analysis_text import normalize
from .match_view import KeyMaker
from .records import PartOfSpeech

WILDCARD = "*"


class Element(NamedTuple):
    """One word of a candidate.

    Attributes:
        keys: folded strings, one of which a word of the text must carry.
        surface_only: the form of the word must be the key; a lemma does not count.
    """

    keys: frozenset[str]
    surface_only: bool = False


Elements = tuple[Element | None, ...]  # None is the wildcard


class Phrase:
    """A candidate, read by one analyzer.

    Attributes:
        text: the candidate, normalized.
        parts: its parts between spaces, including wildcards.
        pos: its part of speech, if known.

    Args:
        lemma: the candidate as written.
        pos: its part of speech, if known.
        analyzer: reads the candidate.
        maker: makes its keys.
        rivals: keys of the candidates of the other list.
    """

    def __init__(
        self,
        lemma: str,
        pos: PartOfSpeech | None,
        analyzer: Analyzer,
        maker: KeyMaker,
        rivals: frozenset[str] = frozenset(),
    ) -> None:
        self.text = normalize(lemma).text.strip()
        self.parts = tuple(self.text.split())
        self.pos = pos
        self._analyzer = analyzer
        self._maker = maker
        self._rivals = rivals

    @property
    def lexicon(self) -> Lexicon | None:
        """The word list of the analyzer that reads the candidate."""
        return self._maker.lexicon

    def knows(self, lemma: str) -> bool | None:
        """Whether the analyzer's lexicon has ``lemma`` as a lemma; ``None`` without a lexicon."""
        return None if self.lexicon is None else self.lexicon.is_lemma(lemma)

    def fold(self, text: str) -> str:
        """Key of a form."""
        return self._maker.fold(text)

    def surface(self, *forms: str) -> Element:
        """An element that matches these forms only."""
        return Element(frozenset(self._maker.fold(form) for form in forms), surface_only=True)

    def element(self, lemma: str) -> Element:
        """An element for one word given by its citation form."""
        analysis = self._analyzer.analyze(lemma)
        lemmas = analysis.words[0].lemmas if len(analysis.words) == 1 else ()
        return self._word(lemma, lemmas)

    def elements(self, parts: tuple[str, ...]) -> Elements:
        """Elements of some of the parts, read as words, or as tokens where a token has several words."""
        return self.readings(parts)[0]

    def readings(self, parts: tuple[str, ...]) -> tuple[Elements, ...]:
        """The distinct ways to read the parts: as tokens and, where that differs, as expanded words."""
        by_token: list[Element | None] = []
        by_word: list[Element | None] = []
        several = len(parts) > 1
        for text in _split_at_wildcards(parts):
            if text is None:
                by_token.append(None)
                by_word.append(None)
                continue
            analysis = self._analyzer.analyze(text)
            by_token += [self._word(token.text, token.lemmas, several) for token in _inner(analysis.tokens)]
            by_word += [self._word(word.text, word.lemmas, several) for word in _inner(analysis.words)]
        return tuple(dict.fromkeys((tuple(by_token), tuple(by_word))))

    def _word(self, form: str, lemmas: tuple[str, ...], several: bool = False) -> Element:
        """Keys of a candidate's word.

        A form that is a lemma represents only itself: with the lemma of Italian ``presa`` (``prendere``) as a key,
        every form of that verb would be taken for the noun. A lemma that is a candidate of the other list is not used
        either: ``акра`` (a BAD candidate) has the lemma ``акр`` (a GOOD one), and one form must not be both. In an
        expression of several words the lemmas that rules find count too, if the lexicon has them: ``подсъдим`` for the
        first word of ``подсъдима скамейка``.
        """
        keys = self._maker.keys(form, lemmas)
        if keys.surface[0] in self._maker.rules.surface_only:
            return Element(frozenset(keys.surface), surface_only=True)
        if self.knows(form):
            return Element(frozenset(keys.surface))
        by_rule = {key for key, _ in keys.by_rule if several and self.knows(key)}
        return Element(frozenset(keys.surface) | (by_rule.union(keys.all) - self._rivals))


def _split_at_wildcards(parts: tuple[str, ...]) -> list[str | None]:
    texts: list[str | None] = []
    for part in parts:
        if part == WILDCARD:
            texts.append(None)
        elif texts and texts[-1] is not None:
            texts[-1] += " " + part
        else:
            texts.append(part)
    return texts


def _inner(words: tuple[Word, ...] | tuple[Token, ...]) -> list[Word | Token]:
    """The words without punctuation at either end (``un po'``)."""
    found: list[Word | Token] = list(words)
    while found and not any(c.isalnum() for c in found[-1].text):
        found.pop()
    while found and not any(c.isalnum() for c in found[0].text):
        found.pop(0)
    return found
