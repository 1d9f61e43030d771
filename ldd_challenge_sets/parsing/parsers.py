"""Parsers of raw text: one interface, loaded by a short text, so that every worker process can load its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from dibimt_metric.errors import InputError, shown

from ..records import Token, Tree
from .trees import TreeFault, check_tree

# Line ends of any kind, as `str.splitlines` knows them; a text is one line for a parser.
_LINE_END = re.compile("[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
# The C interface of UDPipe ends a text at the first null character; lone surrogates cannot be encoded at all.
_UNWRITABLE = re.compile("[\0\ud800-\udfff]")


class Parser(Protocol):
    """Something that makes one tree of one text.

    Attributes:
        name: for signatures: program, release, model with the beginning of its SHA-256, and whether blanks
            separated the words.
    """

    name: str

    def parse(self, texts: Sequence[str]) -> list[Tree]:
        """One tree for each text, in order. A text is one sentence, however many a reader would see in it.

        The tree's ``text`` is what was parsed: the text with blanks in the place of line ends, and U+FFFD in the
        place of null characters and lone surrogates.

        Raises:
            InputError: a text is blank, or the parser makes no sentence, several, or no tree of it.
        """
        ...


def load_parser(spec: str, language: str, pretokenized: bool = False, folder: str | None = None) -> Parser:
    """Load a parser; some seconds for Stanza.

    Args:
        spec: ``udpipe:MODEL_FILE``, ``stanza`` or ``stanza:PACKAGE``.
        language: of the texts, such as ``de``. A UDPipe model does not say which language it is for, so that a
            wrong one is not noticed.
        pretokenized: whether blanks, and nothing else, separate the words of a text. Multi-word tokens (German
            ``im``) are then not taken apart.
        folder: what MODEL_FILE is relative to; for Stanza its resources folder instead of its own.

    Raises:
        InputError: the text names no parser, or the model is missing or unusable.
        MissingLibraryError: the parser is not installed.

    >>> load_parser("parsey", "de")
    Traceback (most recent call last):
        ...
    dibimt_metric.errors.InputError: parser 'parsey' is not known; give stanza, stanza:PACKAGE or udpipe:MODEL_FILE
    """
    kind, _, model = spec.partition(":")
    if kind == "udpipe" and model:
        from .udpipe import UDPipeParser

        return UDPipeParser(model, pretokenized, folder)
    if kind == "stanza":
        from .stanza_parser import StanzaParser

        return StanzaParser(language, model or None, pretokenized, folder)
    raise InputError(f"parser {shown(spec)} is not known; give stanza, stanza:PACKAGE or udpipe:MODEL_FILE")


def one_line(text: str) -> str:
    r"""The text as a parser gets it, character for character as long.

    >>> one_line("Sie gibt\r\nnicht auf\0.")
    'Sie gibt  nicht auf�.'

    Raises:
        InputError: the text is blank.
    """
    if not text or text.isspace():
        raise InputError("a blank text cannot be parsed; leave its pair out")
    return _UNWRITABLE.sub("\ufffd", _LINE_END.sub(" ", text))


def make_tree(tokens: Sequence[Token], text: str, parser: str) -> Tree:
    """The tree of a parsed text.

    Raises:
        InputError: it is no tree.
    """
    try:
        check_tree(tokens)
    except TreeFault as fault:
        raise InputError(
            f"{parser} made no tree of the text {shown(text)}: {fault}; leave its pair out"
        ) from fault
    return Tree(tuple(tokens), None, text)


def not_one_sentence(parser: str, text: str, found: int) -> InputError:
    """The error of a parser that made no sentence of a text, or several."""
    return InputError(
        f"{parser} made {found} sentences of the text {shown(text)}, where one was asked for; leave its pair out, "
        "or give its words separated by blanks and choose pre-tokenized text"
    )
