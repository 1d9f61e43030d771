"""UDPipe 1 (``ufal.udpipe``) with a model file of the user."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from dibimt_metric.errors import InputError, MissingLibraryError

from ..records import Token, Tree
from .parsers import make_tree, not_one_sentence, one_line

# What every model of UDPipe 1 begins with. It is looked at first, because the library ends the whole process,
# without an exception, over some files that are no models (those whose first byte is 128 or more).
_MODEL_START = b"\x12morphodita_parsito"


class UDPipeParser:
    """A model that tokenizes, tags and parses; see `ldd_challenge_sets.parsing.parsers.Parser`.

    Args:
        model: path of the model file.
        pretokenized: whether blanks separate the words.
        folder: what the path is relative to.

    Raises:
        InputError: the file is missing, is no model, or cannot do one of the three.
        MissingLibraryError: ``ufal.udpipe`` is not installed.
    """

    def __init__(self, model: str, pretokenized: bool = False, folder: str | None = None) -> None:
        self._library = library()
        path = Path(folder, model) if folder else Path(model)
        self._model = load_model(self._library, path)
        self._path = path
        choice = ",pretokenized" if pretokenized else ""
        self.name = f"udpipe-{version('ufal.udpipe')}({path.name}:{_digest(path)}{choice})"
        # "presegmented": one line of text is one sentence.
        self._tokenizer: Any = None if pretokenized else self._model.newTokenizer("presegmented")
        if self._tokenizer is None and not pretokenized:
            raise InputError(
                f"{path}: this model has no tokenizer; take another, or choose pre-tokenized text"
            )

    def parse(self, texts: Sequence[str]) -> list[Tree]:
        """See `Parser.parse`."""
        return [self._tree(one_line(text)) for text in texts]

    def _tree(self, text: str) -> Tree:
        sentence = self._split(text) if self._tokenizer is None else self._tokenize(text)
        if not self._model.tag(sentence, "") or not self._model.parse(sentence, ""):
            raise InputError(f"{self._path}: this model has no tagger or no parser; take another")
        words = iter(sentence.words)
        next(words)  # the technical root, word 0
        return make_tree([_token(word) for word in words], text, self.name)

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
            raise not_one_sentence(self.name, text, len(sentences))
        return sentences[0]


def _token(word: Any) -> Token:
    return Token(
        word.id,
        word.form,
        word.lemma or "_",
        word.upostag or "_",
        word.xpostag or "_",
        word.feats or "_",
        word.head,
        word.deprel or "_",
    )


def load_model(udpipe: Any, path: Path) -> Any:
    """A model of UDPipe 1, checked first: the library ends the whole process on some files that are none.

    Args:
        udpipe: the library.
        path: of the model.

    Raises:
        InputError: the file cannot be read or is no model.
    """
    try:
        with path.open("rb") as stream:
            start = stream.read(len(_MODEL_START))
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{path}: cannot be read ({reason}); give the path of a UDPipe model") from error
    model = udpipe.Model.load(str(path)) if start == _MODEL_START else None
    if model is None:
        raise InputError(f"{path}: is no model of UDPipe 1, or is damaged; UDPipe 2 has no model files")
    return model


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:8]


def library() -> Any:
    """The module ``ufal.udpipe``.

    Raises:
        MissingLibraryError: it is not installed.
    """
    try:
        import ufal.udpipe
    except ImportError as error:
        raise MissingLibraryError(
            "parsing with UDPipe needs the library ufal.udpipe: pip install 'dibimt[ldd]'"
        ) from error
    return ufal.udpipe
