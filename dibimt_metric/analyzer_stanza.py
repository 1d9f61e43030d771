"""Stanza and CLASSLA pipelines as analyzers: the paper's own, one treebank package each.

Models are never downloaded here. Install them once with ``stanza.download``, or name their folder in
``STANZA_RESOURCES_DIR``. Texts are analyzed one at a time, since a batch is tokenized differently; the
latest analyses are cached, because n-best lists and repeated evaluations contain the same texts.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from .analysis import Analysis
from .analysis import Annotation
from .analysis import Token
from .analysis import Word
from .analysis_text import Normalized
from .analysis_text import normalize
from .analyzer_builtin import simplifier
from .errors import MissingLibraryError

_REMEMBERED = 4096
_STANZA_LANGUAGES = {"zh": "zh-hans"}
# The first package of the paper for each language; most differ from Stanza's own default, ``combined``.
DEFAULT_PACKAGES = dict(
    pair.split(":") for pair in "bg:btb zh:gsdsimp nl:alpino de:gsd it:isdt ru:gsd sl:ssj es:gsd".split()
)


class _PipelineAnalyzer:
    """The common part of Stanza and its fork CLASSLA."""

    lexicon = None
    annotations = frozenset(Annotation)

    def __init__(self, name: str, release: str, pipeline: Any, rewrite: Callable[[str], str] = str) -> None:
        # ``rewrite`` replaces characters one for one, so that offsets stay valid.
        self.name = name
        self._rewrite = rewrite
        self.version = release
        self._pipeline = pipeline
        self._remembered: OrderedDict[str, Analysis] = OrderedDict()

    def analyze(self, text: str) -> Analysis:
        """Analyze one text; blank text gives no words."""
        if text in self._remembered:
            self._remembered.move_to_end(text)
            return self._remembered[text]
        analysis = self._read(text)
        self._remembered[text] = analysis
        if len(self._remembered) > _REMEMBERED:
            self._remembered.popitem(last=False)
        return analysis

    def _read(self, text: str) -> Analysis:
        normalized = normalize(text)
        rewritten = self._rewrite(normalized.text)
        words: list[Word] = []
        multiword: list[Token] = []
        if rewritten.strip():
            for sentence in self._pipeline(rewritten).sentences:
                _read_sentence(sentence, normalized, words, multiword)
        return Analysis(text, rewritten, self.name, tuple(words), tuple(multiword), self.annotations)


def _read_sentence(sentence: Any, normalized: Normalized, words: list[Word], multiword: list[Token]) -> None:
    offset = len(words)
    for token in sentence.tokens:
        start, end = normalized.span(token.start_char, token.end_char)
        first = len(words)
        for word in token.words:
            words.append(_word(word, offset, start, end))
        if len(token.words) > 1:
            multiword.append(Token(token.text, start, end, first, len(words)))


def _word(word: Any, offset: int, start: int, end: int) -> Word:
    head = None if word.head is None else (word.head + offset - 1 if word.head else -1)
    lemmas = (word.lemma,) if word.lemma else ()
    return Word(word.text, start, end, lemmas, word.upos, word.feats, head, word.deprel)


class StanzaAnalyzer(_PipelineAnalyzer):
    """One Stanza package, such as ``stanza:gsd``.

    Raises:
        MissingLibraryError: Stanza or the model is not installed.
    """

    def __init__(self, language: str, package: str | None) -> None:
        stanza = _library("stanza")
        package = package or DEFAULT_PACKAGES[language]
        code = _STANZA_LANGUAGES.get(language, language)
        folder = os.environ.get("STANZA_RESOURCES_DIR") or str(Path.home() / "stanza_resources")
        options = {
            "dir": folder,
            "package": package,
            "processors": _processors(folder, code, package),
            "download_method": None,
            "verbose": False,
        }
        pipeline = _load(stanza, code, options, f"stanza.download({code!r}, package={package!r})")
        # The Chinese models know simplified characters, and candidates are compared in them.
        rewrite = simplifier() if language == "zh" else str
        super().__init__(f"stanza:{package}", f"{version('stanza')}({package})", pipeline, rewrite)


class ClasslaAnalyzer(_PipelineAnalyzer):
    """The standard CLASSLA pipeline of a language, which the paper adds for Slovene.

    Raises:
        MissingLibraryError: CLASSLA or the model is not installed.
    """

    def __init__(self, language: str, package: str | None) -> None:
        classla = _library("classla")
        package = package or "standard"
        options = {"type": package, "processors": "tokenize,pos,lemma,depparse"}
        pipeline = _load(classla, language, options, f"classla.download({language!r})")
        super().__init__(f"classla:{package}", version("classla"), pipeline)


def _library(name: str) -> Any:
    try:
        return __import__(name)
    except ImportError as error:
        raise MissingLibraryError(
            f"analyzer {name!r} needs the library {name}: pip install 'dibimt[{name}]'"
        ) from error


def _processors(folder: str, code: str, package: str) -> str:
    """All processors the matcher can use; multi-word expansion only where the package has it."""
    has_mwt = (Path(folder) / code / "mwt" / f"{package}.pt").is_file()
    return "tokenize,mwt,pos,lemma,depparse" if has_mwt else "tokenize,pos,lemma,depparse"


def _load(library: Any, code: str, options: dict[str, Any], remedy: str) -> Any:
    try:
        return library.Pipeline(code, **options)
    except Exception as error:  # for a missing model the libraries raise many kinds, even a bare Exception
        raise MissingLibraryError(
            f"{library.__name__} could not load a model for {code!r}: {error}. Install it with: {remedy}"
        ) from error
