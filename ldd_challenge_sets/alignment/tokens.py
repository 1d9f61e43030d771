"""How a line of text becomes the tokens that are aligned: tokenizers by name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

from dibimt_metric.errors import InputError, MissingLibraryError, shown

from ..parsing.parsers import one_line
from ..parsing.udpipe import library, load_model

Tokenizer: TypeAlias = Callable[[str], tuple[str, ...]]
"""From a line to its tokens. None for a line without text."""


def target_tokenizer(name: str) -> Tokenizer:
    """The tokenizer of a name.

    Args:
        name: ``whitespace``: split at blanks, for text that is tokenized already. ``13a``: that of mteval-v13a, as
            sacrebleu has it, for any language that puts blanks between words. ``udpipe:MODEL``: the tokenizer of a
            UDPipe model; its words, as in the model's parses (German ``zum`` is ``zu`` and ``dem``).

    Returns:
        A function. It holds the model and cannot be pickled; make it anew in every process.

    Raises:
        InputError: there is no such tokenizer, or the model cannot be used.
        MissingLibraryError: the library is not installed.

    >>> target_tokenizer("whitespace")("Well , yes .")
    ('Well', ',', 'yes', '.')
    """
    kind, colon, model = name.partition(":")
    if kind == "udpipe" and model:
        return _udpipe(model)
    make = None if colon else _BY_NAME.get(kind)
    if make is None:
        names = ", ".join((*_BY_NAME, "udpipe:MODEL"))
        raise InputError(f"unknown tokenizer {shown(name)}; choose one of {names}")
    return make()


def _whitespace() -> Tokenizer:
    return lambda text: tuple(text.split())


def _mteval() -> Tokenizer:
    try:
        from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
    except ImportError as error:
        raise MissingLibraryError(
            "the tokenizer 13a needs the library sacrebleu: pip install 'dibimt[ldd]'"
        ) from error
    tokenizer = Tokenizer13a()
    return lambda text: tuple(tokenizer(text).split())


def _udpipe(path: str) -> Tokenizer:
    udpipe = library()
    # The tokenizer lives in the model, which has to be kept as long as it is used.
    model = load_model(udpipe, Path(path))
    tokenizer = model.newTokenizer("presegmented")
    if tokenizer is None:
        raise InputError(f"{path}: this model has no tokenizer; take another, or choose whitespace")

    def words(text: str, model: Any = model) -> tuple[str, ...]:
        if not text or text.isspace():
            return ()
        tokenizer.setText(one_line(text))
        forms: list[str] = []
        while tokenizer.nextSentence(sentence := udpipe.Sentence()):
            forms += [word.form for word in sentence.words][1:]  # word 0 is the technical root
        return tuple(forms)

    return words


_BY_NAME: dict[str, Callable[[], Tokenizer]] = {"whitespace": _whitespace, "13a": _mteval}
