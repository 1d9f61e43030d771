"""Parsers and tokenizers of raw text, loaded by a short text, so that every worker process can load its own.

Models are never downloaded here.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from dibimt_metric.analyzer_stanza import DEFAULT_PACKAGES
from dibimt_metric.errors import InputError, MissingLibraryError, shown

from ..records import Token, Tree
from .trees import TreeFault, check_tree

Tokenizer: TypeAlias = Callable[[str], tuple[str, ...]]  # from a line to its tokens; no tokens for an empty line

# Line ends of any kind, as `str.splitlines` knows them; a text is one line for a parser.
_LINE_END = re.compile("[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
# The C interface of UDPipe ends a text at the first null character; lone surrogates cannot be encoded at all.
_UNWRITABLE = re.compile("[\0\ud800-\udfff]")
# The first bytes of every model of UDPipe 1. They are checked because the library ends the whole process, without an
# exception, on some files that are not models (those whose first byte is 128 or more).
_UDPIPE_START = b"\x12morphodita_parsito"
# The parser's input includes an embedding of the lemma: of 200 sentences of news, 155 got another parse without.
# Stanza adds "mwt" itself if the package splits multi-word tokens.
_AFTER_TOKENS = "pos,lemma,depparse"
# Stanza's own choice for a language that the metric has no package for (English, Swedish, Czech, ...).
_STANZA_DEFAULT = "default"


class Parser(Protocol):
    """Makes one tree of one text.

    Attributes:
        name: for signatures: program, release, model with the beginning of its SHA-256, and whether the texts were
            pre-tokenized.
    """

    name: str

    def parse(self, texts: Sequence[str]) -> list[Tree]:
        """One tree for each text, in order. A text is one sentence, however many a reader would see in it.

        The ``text`` of a tree is what was parsed: spaces replace line ends, and U+FFFD replaces null characters and
        lone surrogates. An `InputError` if the parser does not make exactly one sentence and a tree of it.
        """
        ...


def load_parser(spec: str, language: str, pretokenized: bool = False, folder: str | None = None) -> Parser:
    """Load a parser; some seconds for Stanza.

    Args:
        spec: ``udpipe:MODEL_FILE``, ``stanza`` or ``stanza:PACKAGE``.
        language: of the texts, such as ``de``. A UDPipe model does not state its language, so that a wrong one is
            not noticed.
        pretokenized: whether spaces, and nothing else, separate the words of a text. Multi-word tokens (German
            ``im``) are then not split.
        folder: what MODEL_FILE is relative to; for Stanza its resources folder.

    >>> load_parser("parsey", "de")
    Traceback (most recent call last):
        ...
    dibimt_metric.errors.InputError: unknown parser 'parsey'; give stanza, stanza:PACKAGE or udpipe:MODEL_FILE
    """
    kind, _, model = spec.partition(":")
    if kind == "udpipe" and model:
        return UDPipeParser(model, pretokenized, folder)
    if kind == "stanza":
        return StanzaParser(language, model or None, pretokenized, folder)
    raise InputError(f"unknown parser {shown(spec)}; give stanza, stanza:PACKAGE or udpipe:MODEL_FILE")


def load_tokenizer(name: str) -> Tokenizer:
    """Load a tokenizer.

    Args:
        name: ``whitespace``: split at spaces, for text that is already tokenized. ``13a``: that of mteval-v13a, as in
            sacrebleu, for any language that puts spaces between words. ``udpipe:MODEL``: the tokenizer of a UDPipe
            model; its words are those of the model's parses (German ``zum`` is ``zu`` and ``dem``). A tokenizer holds
            its model and cannot be pickled: load it in every process.

    >>> load_tokenizer("whitespace")("Well , yes .")
    ('Well', ',', 'yes', '.')
    """
    kind, _, model = name.partition(":")
    if kind == "udpipe" and model:
        return _udpipe_tokenizer(Path(model))
    if name == "whitespace":
        return lambda text: tuple(text.split())
    if name == "13a":
        return _mteval_tokenizer()
    raise InputError(f"unknown tokenizer {shown(name)}; choose one of whitespace, 13a, udpipe:MODEL")


def _mteval_tokenizer() -> Tokenizer:
    try:
        from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
    except ImportError as error:
        raise MissingLibraryError("the tokenizer 13a needs the library sacrebleu: pip install 'dibimt[ldd]'") from error
    tokenizer = Tokenizer13a()
    return lambda text: tuple(tokenizer(text).split())


def _udpipe_tokenizer(path: Path) -> Tokenizer:
    udpipe = udpipe_library()
    model = load_model(udpipe, path)
    tokenizer = model.newTokenizer("presegmented")
    if tokenizer is None:
        raise InputError(f"{path}: this model has no tokenizer; use another model, or choose whitespace")

    def words(text: str, model: Any = model) -> tuple[str, ...]:  # the tokenizer is part of the model: keep both
        if not text or text.isspace():
            return ()
        tokenizer.setText(one_line(text))
        forms: list[str] = []
        while tokenizer.nextSentence(sentence := udpipe.Sentence()):
            forms += [word.form for word in sentence.words][1:]  # word 0 is the technical root
        return tuple(forms)

    return words


def one_line(text: str) -> str:
    r"""The text as a parser gets it, of the same length.

    >>> one_line("Sie gibt\r\nnicht auf\0.")
    'Sie gibt  nicht auf�.'
    """
    if not text or text.isspace():
        raise InputError("an empty text cannot be parsed; remove its pair")
    return _UNWRITABLE.sub("\ufffd", _LINE_END.sub(" ", text))


def make_tree(tokens: Sequence[Token], text: str, parser: str) -> Tree:
    """The tree of a parsed text."""
    try:
        check_tree(tokens)
    except TreeFault as fault:
        raise InputError(f"{parser} made no tree of the text {shown(text)}: {fault}; remove its pair") from fault
    return Tree(tuple(tokens), None, text)


def _not_one_sentence(parser: str, text: str, found: int) -> InputError:
    return InputError(
        f"{parser} made {found} sentences of the text {shown(text)}, but one was expected; remove its pair, or "
        "separate its words by spaces and choose pre-tokenized text"
    )


def _tree_of(words: Iterable[Any], attributes: Sequence[str], text: str, parser: str) -> Tree:
    """The tree of a parser's words; attributes: what it calls form, lemma, UPOS, XPOS, features and relation."""
    tokens = []
    for word in words:
        form, *labels = (getattr(word, name) for name in attributes)
        lemma, upos, xpos, feats, deprel = (label or "_" for label in labels)
        tokens.append(Token(word.id, form, lemma, upos, xpos, feats, word.head, deprel))
    return make_tree(tokens, text, parser)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:8]


class UDPipeParser:
    """A model file of UDPipe 1 that tokenizes, tags and parses; see `load_parser`."""

    def __init__(self, model: str, pretokenized: bool = False, folder: str | None = None) -> None:
        self._library = udpipe_library()
        self._path = path = Path(folder or "", model)
        self._model = load_model(self._library, path)
        choice = ",pretokenized" if pretokenized else ""
        release = version("ufal.udpipe")
        self.name = f"udpipe-{release}({path.name}:{_digest(path.read_bytes())}{choice})"
        # "presegmented": one line of text is one sentence.
        self._tokenizer: Any = None if pretokenized else self._model.newTokenizer("presegmented")
        if self._tokenizer is None and not pretokenized:
            raise InputError(f"{path}: this model has no tokenizer; use another model, or choose pre-tokenized text")

    def parse(self, texts: Sequence[str]) -> list[Tree]:
        """See `Parser.parse`."""
        return [self._tree(one_line(text)) for text in texts]

    def _tree(self, text: str) -> Tree:
        sentence = self._split(text) if self._tokenizer is None else self._tokenize(text)
        if not self._model.tag(sentence, "") or not self._model.parse(sentence, ""):
            raise InputError(f"{self._path}: this model has no tagger or no parser; use another model")
        words = iter(sentence.words)
        next(words)  # the technical root, word 0
        return _tree_of(words, ("form", "lemma", "upostag", "xpostag", "feats", "deprel"), text, self.name)

    def _split(self, text: str) -> Any:
        sentence = self._library.Sentence()
        for form in text.split():
            sentence.addWord(form)
        return sentence

    def _tokenize(self, text: str) -> Any:
        self._tokenizer.setText(text)
        sentences = []
        error = self._library.ProcessingError()
        while self._tokenizer.nextSentence(sentence := self._library.Sentence(), error):
            sentences.append(sentence)
        if error.occurred() or len(sentences) != 1:
            raise _not_one_sentence(self.name, text, len(sentences))
        return sentences[0]


def load_model(udpipe: Any, path: Path) -> Any:
    """A model of UDPipe 1, by the library; checked first, see above."""
    try:
        with path.open("rb") as stream:
            start = stream.read(len(_UDPIPE_START))
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{path}: cannot be read ({reason}); give the path of a UDPipe model") from error
    model = udpipe.Model.load(str(path)) if start == _UDPIPE_START else None
    if model is None:
        raise InputError(f"{path}: is not a model of UDPipe 1, or is damaged; UDPipe 2 has no model files")
    return model


def udpipe_library() -> Any:
    """The module ``ufal.udpipe``."""
    try:
        import ufal.udpipe
    except ImportError as error:
        raise MissingLibraryError(
            "parsing with UDPipe needs the library ufal.udpipe: pip install 'dibimt[ldd]'"
        ) from error
    return ufal.udpipe


class StanzaParser:
    """A package of Stanza; see `load_parser`.

    Texts are tokenized one by one, because a tokenizer that sees several at once may split them differently, and
    tagged and parsed together, which is twice as fast and, as measured, gives the same trees.

    Args:
        package: such as ``gsd``; ``None``: that of the metric, else Stanza's default.
        folder: the resources folder; ``None``: ``STANZA_RESOURCES_DIR``, else Stanza's own.
    """

    def __init__(
        self, language: str, package: str | None = None, pretokenized: bool = False, folder: str | None = None
    ) -> None:
        package = package or DEFAULT_PACKAGES.get(language, _STANZA_DEFAULT)
        self._pretokenized = pretokenized
        self._pipeline = _load_pipeline(language, package, pretokenized, folder)
        ending = "_model_path"  # of a processor's model file in the configuration
        models = {
            key.removesuffix(ending): Path(path) for key, path in self._pipeline.config.items() if key.endswith(ending)
        }
        shown_package = models["depparse"].stem if package == _STANZA_DEFAULT else package
        choice = ",pretokenized" if pretokenized else ""
        # The digest covers all model files: packages keep their names from release to release.
        digests = (hashlib.sha256(path.read_bytes()).digest() for _, path in sorted(models.items()))
        self.name = f"stanza-{version('stanza')}({shown_package}:{_digest(b''.join(digests))}{choice})"

    def parse(self, texts: Sequence[str]) -> list[Tree]:
        """See `Parser.parse`."""
        lines = [one_line(text) for text in texts]
        if not lines:
            return []
        sentences = self._split(lines) if self._pretokenized else self._tokenize(lines)
        attributes = ("text", "lemma", "upos", "xpos", "feats", "deprel")
        return [
            _tree_of(sentence.words, attributes, text, self.name)
            for sentence, text in zip(sentences, lines, strict=True)
        ]

    def _split(self, lines: Sequence[str]) -> list[Any]:
        sentences: list[Any] = self._pipeline([line.split() for line in lines]).sentences
        return sentences

    def _tokenize(self, lines: Sequence[str]) -> list[Any]:
        documents = [self._pipeline(line, processors="tokenize") for line in lines]
        for document, line in zip(documents, lines, strict=True):
            if len(document.sentences) != 1:
                raise _not_one_sentence(self.name, line, len(document.sentences))
        return [document.sentences[0] for document in self._pipeline(documents, processors=_AFTER_TOKENS)]


def _load_pipeline(language: str, package: str, pretokenized: bool, folder: str | None) -> Any:
    try:
        import stanza
    except ImportError as error:
        raise MissingLibraryError(
            "parsing with Stanza needs the library stanza: pip install 'dibimt[stanza]'"
        ) from error
    place = folder or os.environ.get("STANZA_RESOURCES_DIR") or str(Path.home() / "stanza_resources")
    options = {"tokenize_pretokenized": True} if pretokenized else {"tokenize_no_ssplit": True}
    processors = f"tokenize,{_AFTER_TOKENS}"
    choices = {"dir": place, "package": package, "processors": processors, **options}
    try:
        return stanza.Pipeline(language, download_method=None, verbose=False, **choices)
    except Exception as error:  # for a missing model Stanza raises many types, down to a bare Exception
        raise MissingLibraryError(
            f"Stanza could not load the package {package!r} of {language!r} from {place}: {error}. Install it with: "
            f"stanza.download({language!r}, package={package!r}, model_dir={place!r})"
        ) from error
