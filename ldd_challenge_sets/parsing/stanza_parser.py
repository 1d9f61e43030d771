"""Stanza as a parser of single sentences. Models are never downloaded here."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from dibimt_metric.analyzer_stanza import DEFAULT_PACKAGES
from dibimt_metric.errors import MissingLibraryError

from ..records import Token, Tree
from .parsers import make_tree, not_one_sentence, one_line

# The parser's input includes an embedding of the lemma: of 200 sentences of news, 155 got another parse without.
# Stanza adds "mwt" by itself where the package takes multi-word tokens apart.
_AFTER_TOKENS = "pos,lemma,depparse"
# Stanza's own choice for a language that the metric has no package for (English, Swedish, Czech, ...).
_STANZA_DEFAULT = "default"


class StanzaParser:
    """A package of Stanza; see `ldd_challenge_sets.parsing.parsers.Parser`.

    Texts are tokenized one by one, because a tokenizer that sees several at once may split them otherwise, and
    tagged and parsed together, which is twice as fast and, as measured, gives the same trees.

    Args:
        language: Stanza's code of the language.
        package: such as ``gsd``; ``None``: that of the metric, else Stanza's default.
        pretokenized: whether blanks separate the words.
        folder: the resources folder; ``None``: ``STANZA_RESOURCES_DIR``, else Stanza's own.

    Raises:
        MissingLibraryError: Stanza or the model is not installed.
    """

    def __init__(
        self, language: str, package: str | None = None, pretokenized: bool = False, folder: str | None = None
    ) -> None:
        stanza = _library()
        package = package or DEFAULT_PACKAGES.get(language, _STANZA_DEFAULT)
        self._pretokenized = pretokenized
        self._pipeline = _load(stanza, language, package, pretokenized, folder)
        models = _models(self._pipeline.config)
        shown_package = Path(models["depparse"]).stem if package == _STANZA_DEFAULT else package
        choice = ",pretokenized" if pretokenized else ""
        self.name = f"stanza-{version('stanza')}({shown_package}:{_digest(models)}{choice})"

    def parse(self, texts: Sequence[str]) -> list[Tree]:
        """See `Parser.parse`."""
        lines = [one_line(text) for text in texts]
        if not lines:
            return []
        sentences = self._split(lines) if self._pretokenized else self._tokenize(lines)
        return [
            make_tree([_token(word) for word in sentence.words], text, self.name)
            for sentence, text in zip(sentences, lines, strict=True)
        ]

    def _split(self, lines: Sequence[str]) -> list[Any]:
        sentences: list[Any] = self._pipeline([line.split() for line in lines]).sentences
        return sentences

    def _tokenize(self, lines: Sequence[str]) -> list[Any]:
        documents = [self._pipeline(line, processors="tokenize") for line in lines]
        for document, line in zip(documents, lines, strict=True):
            if len(document.sentences) != 1:
                raise not_one_sentence(self.name, line, len(document.sentences))
        return [document.sentences[0] for document in self._pipeline(documents, processors=_AFTER_TOKENS)]


def _token(word: Any) -> Token:
    return Token(
        word.id,
        word.text,
        word.lemma or "_",
        word.upos or "_",
        word.xpos or "_",
        word.feats or "_",
        word.head,
        word.deprel or "_",
    )


def _models(config: dict[str, Any]) -> dict[str, str]:
    """Path of the model file of each processor."""
    ending = "_model_path"
    return {key.removesuffix(ending): str(path) for key, path in config.items() if key.endswith(ending)}


def _digest(models: dict[str, str]) -> str:
    """Of all model files: packages keep their names from release to release."""
    total = hashlib.sha256()
    for _, path in sorted(models.items()):
        total.update(hashlib.sha256(Path(path).read_bytes()).digest())
    return total.hexdigest()[:8]


def _load(stanza: Any, language: str, package: str, pretokenized: bool, folder: str | None) -> Any:
    place = folder or os.environ.get("STANZA_RESOURCES_DIR") or str(Path.home() / "stanza_resources")
    options = {"tokenize_pretokenized": True} if pretokenized else {"tokenize_no_ssplit": True}
    try:
        return stanza.Pipeline(
            language,
            dir=place,
            package=package,
            processors=f"tokenize,{_AFTER_TOKENS}",
            download_method=None,
            verbose=False,
            **options,
        )
    except Exception as error:  # for a missing model Stanza raises many kinds, down to a bare Exception
        raise MissingLibraryError(
            f"Stanza could not load the package {package!r} of {language!r} from {place}: {error}. Install it with: "
            f"stanza.download({language!r}, package={package!r}, model_dir={place!r})"
        ) from error


def _library() -> Any:
    try:
        import stanza
    except ImportError as error:
        raise MissingLibraryError(
            "parsing with Stanza needs the library stanza: pip install 'dibimt[stanza]'"
        ) from error
    return stanza
