"""The builtin analyzers: dictionary lemmatization and Chinese segmentation, no model to download.

`SimplemmaAnalyzer` finds words with one regular expression and lemmas in simplemma's dictionaries (bg de es it nl ru
sl). It has no parts of speech and no relations; rules that can use them fall back on positions.
`JiebaAnalyzer` segments Chinese; the lemma of a Chinese word is the word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from importlib.metadata import version
from typing import Any, NamedTuple

from .analysis import Analysis
from .analysis import Annotation
from .analysis import Token
from .analysis import Word
from .analysis_text import Normalized
from .analysis_text import normalize
from .analyzer_dictionary import MAX_LOOKED_UP
from .analyzer_dictionary import SimplemmaLexicon
from .analyzer_dictionary import fill_tokenizer
from .errors import MissingLibraryError

# A number with its separators; a word, with the hyphens and apostrophes inside it; any other visible character. The
# underscore is not a letter: some systems emphasize a _word_ with it.
_TOKEN = re.compile(r"\d+(?:[.,:]\d+)*(?!\w)|[^\W_]+(?:[-'][^\W_]+)*|[^\w\s]|_")
_PART = re.compile(r"[^-']+")
_MAX_CACHED_FORMS = 500_000


class Part(NamedTuple):
    """A piece of a form that counts as a word: half-open span within the form, and its lemmas."""

    start: int
    end: int
    lemmas: tuple[str, ...]


class _Entry(NamedTuple):
    lemmas: tuple[str, ...]
    parts: tuple[Part, ...]


# Takes a form, the dictionary, and whether the form begins a sentence.
CliticSplitter = Callable[[str, SimplemmaLexicon, bool], tuple[Part, ...]]


class SimplemmaAnalyzer:
    """Dictionary lemmatization with simplemma.

    Args:
        language: one of bg de es it nl ru sl.
        nouns_are_capitalized: German: a capital inside a sentence marks a noun, so its lower-case reading
            (``Gefallen`` as ``gefallen``) is not looked up there.
        split_clitics: finds pronouns that are written together with their verb (es, it).
    """

    name = "simplemma"
    annotations = frozenset({Annotation.LEMMAS})

    def __init__(
        self,
        language: str,
        nouns_are_capitalized: bool = False,
        split_clitics: CliticSplitter | None = None,
    ) -> None:
        self.lexicon = SimplemmaLexicon(language)
        self.version = version("simplemma")
        self._nouns_are_capitalized = nouns_are_capitalized
        self._split_clitics = split_clitics
        self._entries: dict[str, _Entry] = {}
        self._initial_entries: dict[str, _Entry] = {}

    def analyze(self, text: str) -> Analysis:
        """Read one text; words keep their place in the original string."""
        normalized = normalize(text)
        words: list[Word] = []
        multiword: list[Token] = []
        moved = normalized.starts is not None
        entries = self._initial_entries
        for found in _TOKEN.finditer(normalized.text):
            form = found.group()
            entry = entries.get(form) or self._look_up(form, entries)
            start, end = found.span()
            if moved:
                start, end = normalized.span(start, end)
            if entry.parts:
                multiword.append(self._expand(found, entry, normalized, words, (start, end)))
            else:
                words.append(Word(form, start, end, entry.lemmas))
            entries = self._initial_entries if form in _SENTENCE_BREAKS else self._entries
        return Analysis(text, normalized.text, self.name, tuple(words), tuple(multiword), self.annotations)

    def _expand(
        self,
        found: re.Match[str],
        entry: _Entry,
        normalized: Normalized,
        words: list[Word],
        span: tuple[int, int],
    ) -> Token:
        form, offset, first = found.group(), found.start(), len(words)
        for part in entry.parts:
            start, end = normalized.span(offset + part.start, offset + part.end)
            words.append(Word(form[part.start : part.end], start, end, part.lemmas))
        return Token(form, *span, first, len(words), entry.lemmas)

    def _look_up(self, form: str, entries: dict[str, _Entry]) -> _Entry:
        entry = self._entry(form, initial=entries is self._initial_entries)
        if len(entries) < _MAX_CACHED_FORMS and len(form) <= MAX_LOOKED_UP:
            entries[form] = entry
        return entry

    def _entry(self, form: str, initial: bool) -> _Entry:
        if not form[0].isalnum():
            return _Entry((), ())
        pieces = [(found.group(), found.start()) for found in _PART.finditer(form)]
        parts = tuple(part for piece, offset in pieces for part in self._read(piece, offset, initial and offset == 0))
        if len(parts) == 1:
            return _Entry(parts[0].lemmas, ())
        if len(pieces) == 1:
            return _Entry(self._other_lemmas(form, parts[0].lemmas), parts)
        # Lemmas that a part has already are not the token's: Italian "c'è" as a whole is not a form of "essere".
        of_parts = {lemma for part in parts for lemma in part.lemmas}
        return _Entry(tuple(lemma for lemma in self._lemmas(form, initial) if lemma not in of_parts), parts)

    def _other_lemmas(self, form: str, verbs: tuple[str, ...]) -> tuple[str, ...]:
        """Lemmas of a verb with pronouns as another word: at the beginning of a sentence ``vestiti`` is a noun too.

        Those of the verbs are left out, with a pronoun (``lavarse``) or without, since the first part has them already.
        """
        lemma = self.lexicon.entry(form.lower())
        return () if lemma is None or lemma.startswith(verbs) else (lemma,)

    def _read(self, piece: str, offset: int, initial: bool) -> Iterator[Part]:
        """A piece of a form between hyphens and apostrophes, or the verb and pronouns that it consists of."""
        # A capital inside a sentence is that of a name ("Mirandola"), unless all is in capitals.
        is_name = piece[0].isupper() and not initial and not piece.isupper()
        clitics: tuple[Part, ...] = ()
        if self._split_clitics is not None and not is_name:
            clitics = self._split_clitics(piece, self.lexicon, initial)
        for part in clitics or (Part(0, len(piece), self._lemmas(piece, initial)),):
            yield Part(offset + part.start, offset + part.end, part.lemmas)

    def _lemmas(self, form: str, initial: bool) -> tuple[str, ...]:
        """Possible lemmas: of the form as written and, where a capital may be accidental, in lower case."""
        forms = [form]
        if len(form) > 1 and form.isupper():
            forms += [form.capitalize(), form.lower()]
        elif form[0].isupper() and (initial or not self._nouns_are_capitalized):
            forms.append(form.lower())
        return tuple(dict.fromkeys(lemma for f in forms if (lemma := self.lexicon.lemma_of(f))))


# After these a capital letter says nothing about the word.
_SENTENCE_BREAKS = frozenset('.!?¡¿:;"(-–—…')


# jieba's search for unknown words takes the square of their length. A text is cut where jieba has a border anyway, or,
# without one for a thousand characters, anywhere.
_STRETCH = re.compile(r".{1,1000}(?=[^\w+#&._%-]|\Z)|.{1,1000}", re.DOTALL)


class JiebaAnalyzer:
    """Chinese segmentation with jieba; traditional characters are read as their simplified ones.

    jieba's own cache file is in the shared temporary folder, where another user could have put it, so it is neither
    read nor written; see `analyzer_dictionary`.

    Args:
        guess_unknown: also join characters that look like a word the dictionary does not have (jieba's hidden
            Markov model). Both settings are run by default, since a candidate needs one segmentation only.
    """

    annotations = frozenset({Annotation.LEMMAS})
    lexicon = None

    def __init__(self, guess_unknown: bool = True) -> None:
        self.name = "jieba" if guess_unknown else "jieba-dictionary"
        self.version = version("jieba")
        self._guess_unknown = guess_unknown
        self._tokenizer = _shared_tokenizer()
        self._simplify = simplifier()

    def analyze(self, text: str) -> Analysis:
        """Segment one text; punctuation and spaces separate words."""
        normalized = normalize(text)
        simplified = self._simplify(normalized.text)
        words: list[Word] = []
        position = 0
        for segment in self._segments(simplified):
            start, position = position, position + len(segment)
            if not segment.isspace():
                words.append(Word(segment, *normalized.span(start, position), (segment,)))
        return Analysis(text, simplified, self.name, tuple(words), (), self.annotations)

    def _segments(self, text: str) -> Iterator[str]:
        for stretch in _STRETCH.findall(text):
            yield from self._tokenizer.cut(stretch, HMM=self._guess_unknown)


_TOKENIZERS: list[Any] = []


def _shared_tokenizer() -> Any:
    """One tokenizer for the process, with its dictionary loaded and no cache file touched."""
    if not _TOKENIZERS:
        try:
            import jieba
        except ImportError as error:
            raise MissingLibraryError("Chinese needs jieba: pip install jieba") from error
        tokenizer = jieba.Tokenizer()
        fill_tokenizer(tokenizer)
        _TOKENIZERS.append(tokenizer)
    return _TOKENIZERS[0]


def simplifier() -> Callable[[str], str]:
    """A function from traditional to simplified characters, one for one, so that offsets stay.

    OpenCC converts by phrases; in the rare case that a phrase changes its length, characters are converted singly.
    """
    try:
        import opencc
    except ImportError as error:
        raise MissingLibraryError("Chinese needs OpenCC: pip install opencc") from error
    converter = opencc.OpenCC("t2s")

    def simplify(text: str) -> str:
        # A lone surrogate (broken JSON escapes) cannot be handed to the converter's UTF-8 interface.
        text = text.encode("utf-8", "replace").decode("utf-8")
        converted: str = converter.convert(text)
        if len(converted) == len(text):
            return converted
        return "".join(single if len(single := converter.convert(character)) == 1 else character for character in text)

    return simplify
