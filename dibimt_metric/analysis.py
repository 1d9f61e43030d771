"""The analysis of a text: tokens, words, lemmas, parts of speech, relations; and the protocol of an analyzer.

Names follow Universal Dependencies: a *token* is a unit of the text, a *word* is a syntactic word; a token such as
Italian ``punirlo`` or German ``U-Bahn`` expands to several words. Matching looks at both, as the paper does
("whenever possible, we perform matching on both the list of words and tokens").
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, Protocol


class Annotation(str, Enum):
    """A kind of annotation that an analyzer may supply."""

    LEMMAS = "lemmas"
    UPOS = "upos"
    FEATURES = "features"
    RELATIONS = "relations"


# Named tuples, not frozen dataclasses: a million of them are made for 40,000 sentences, at a fifth of the time.
class Word(NamedTuple):
    """A syntactic word.

    Attributes:
        text: its form.
        start, end: half-open span in the original text; words of a fused token (``zum``) share its span.
        lemmas: the possible lemmas, without repetition, best first (empty: the analyzer knows none).
        upos: universal part of speech. features: UD features as one string.
        head: index of the head among the words (-1: root). relation: relation to the head.
    """

    text: str
    start: int
    end: int
    lemmas: tuple[str, ...] = ()
    upos: str | None = None
    features: str | None = None
    head: int | None = None
    relation: str | None = None


class Token(NamedTuple):
    """A token with the words that it expands to, ``words[first:last]``.

    Attributes:
        text: its form. start, end: half-open span in the original text.
        first, last: half-open range of its words.
        lemmas: possible lemmas of the token as a whole (often empty).
    """

    text: str
    start: int
    end: int
    first: int
    last: int
    lemmas: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Analysis:
    """The result of one analyzer for one text.

    Attributes:
        text: the original text.
        normalized: the text that was analyzed.
        analyzer: name of the analyzer.
        words: the words, in order.
        multiword: the tokens of more than one word, in order.
        annotations: the kinds of annotation that the words carry.
    """

    text: str
    normalized: str
    analyzer: str
    words: tuple[Word, ...]
    multiword: tuple[Token, ...]
    annotations: frozenset[Annotation]

    @property
    def tokens(self) -> tuple[Token, ...]:
        """All tokens in order; a token of one word is made from that word."""
        return tuple(self._tokens())

    def _tokens(self) -> Iterator[Token]:
        position = 0
        for token in self.multiword:
            yield from self._single(position, token.first)
            yield token
            position = token.last
        yield from self._single(position, len(self.words))

    def _single(self, first: int, last: int) -> Iterator[Token]:
        for i in range(first, last):
            word = self.words[i]
            yield Token(word.text, word.start, word.end, i, i + 1, word.lemmas)


class Lexicon(Protocol):
    """A dictionary, independent of any text; used to read candidates, and by rules."""

    def entry(self, form: str) -> str | None:
        """Lemma that the lexicon lists for exactly this form; ``None`` without an entry (no guess)."""

    def lemma_of(self, form: str) -> str | None:
        """Lemma of a form of the language; ``None`` for an unknown form."""

    def is_lemma(self, form: str) -> bool:
        """Whether some form of the language has ``form`` as its lemma (case is ignored)."""


class Analyzer(Protocol):
    """Anything that can read a text of one language.

    An implementation is registered by name (see ``analyzers``); it may be used by one thread at a time.
    """

    @property
    def name(self) -> str:
        """Its name in options and results, such as ``simplemma`` or ``stanza:gsd``."""

    @property
    def version(self) -> str:
        """Version of the program and of the model, for the signature."""

    @property
    def annotations(self) -> frozenset[Annotation]:
        """The kinds of annotation that its analyses carry."""

    @property
    def lexicon(self) -> Lexicon | None:
        """Its dictionary, if it has one."""

    def analyze(self, text: str) -> Analysis:
        """Analyze one text. Any string is valid; blank text gives no words."""
