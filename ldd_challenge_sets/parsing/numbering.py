"""The corpus line of a parse, from its ``sent_id``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from dibimt_metric.errors import InputError, shown

from .blocks import SENT_ID, Block, comment_key, read_blocks, split_glued

_LINE_NUMBER = re.compile(r"[1-9][0-9]{0,17}")


def line_numbers(sent_ids: Iterable[str | None], document_size: int | None = None) -> Iterator[int]:
    """The corpus line of each sentence, from its ``sent_id``.

    The Books parses released with the paper were made in documents of 10,000 lines, each counted from 1:
    ``line = sent_id + document_size * documents before``. A document begins wherever sent_id falls. So a selection of
    sentences is numbered right as long as every document is in it and begins with a smaller sent_id than the one
    before ended with; the released sets are such selections.

    Args:
        sent_ids: of the sentences in order.
        document_size: lines of a document; ``None``: ``sent_id`` is the corpus line itself.

    Raises:
        InputError: a sent_id is missing, is no whole number from 1, or is beyond the size of a document.

    >>> list(line_numbers(["3", "9000", "2"], document_size=10_000))
    [3, 9000, 10002]
    """
    placed = ((sent_id, f"sentence {order}") for order, sent_id in enumerate(sent_ids, 1))
    return _numbered(placed, document_size)


def read_line_numbers(path: Path | str, document_size: int | None = None) -> Iterator[int]:
    """The corpus line of each sentence of a CoNLL-U file, with constant memory; see `line_numbers`.

    Raises:
        InputError: as `line_numbers`, with file and line, or the file cannot be read.
    """
    placed = ((_sent_id(block), f"{path}, line {block.line}: this sentence") for block in read_blocks(path))
    return _numbered(placed, document_size)


def _numbered(placed: Iterable[tuple[str | None, str]], document_size: int | None) -> Iterator[int]:
    if document_size is not None and document_size < 1:
        raise InputError(f"the size of a document is a number of lines from 1, not {document_size}")
    before = last = 0
    for sent_id, where in placed:
        number = _number(sent_id, where, document_size)
        if document_size is not None and number < last:
            before += document_size
        last = number
        yield before + number


def _number(sent_id: str | None, where: str, document_size: int | None) -> int:
    if sent_id is None or not _LINE_NUMBER.fullmatch(sent_id):
        found = "no sent_id" if sent_id is None else f"sent_id {shown(sent_id)}"
        raise InputError(
            f"{where} has {found}; expected the number of its corpus line, from 1. "
            "Number the parses so, or give one for every line of the corpus, in order"
        )
    number = int(sent_id)
    if document_size is not None and number > document_size:
        raise InputError(
            f"{where} has sent_id {number}, beyond a document of {document_size} lines; "
            "give the size of the documents that were parsed"
        )
    return number


def _sent_id(block: Block) -> str | None:
    """Of a block that need not be parsed for it."""
    for line in block.text.split("\n"):
        if not line.startswith("#"):
            break
        if comment_key(line) == SENT_ID:
            glued = split_glued(line)
            return glued[0] if glued else line.partition("=")[2].strip()
    return None
