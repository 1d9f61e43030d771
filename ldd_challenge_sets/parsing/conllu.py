"""CoNLL-U: a stream of sentences as text, the tree of one sentence, and back.

Reading is in two steps because they run in different processes: one cuts the file into blocks (`read_blocks`), many
parse blocks (`parse_block`). The format: https://universaldependencies.org/format.html.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import compress, repeat
from pathlib import Path
from typing import NamedTuple, cast

from dibimt_metric.errors import InputError, shown

from ..records import Fault, Token, Tree
from .blocks import COLUMNS, SENT_ID, TEXT, Block, comment_key, read_blocks, split_glued
from .numbering import line_numbers, read_line_numbers
from .trees import TreeFault, TreeFaultKind, check_tree, id_message, is_tree

# The parts of reading under one name.
__all__ = [
    "Block",
    "Outline",
    "fault_of",
    "format_tree",
    "line_numbers",
    "parse_block",
    "parse_outline",
    "read_blocks",
    "read_line_numbers",
    "read_trees",
]

_NUMBERS = {str(number): number for number in range(1_000)}
"""Ids and heads, as written. A look-up is faster than ``int`` and, unlike it, refuses ``1_0``, ``+1`` and ``١``."""

_STRIDE = COLUMNS + 1

_WHOLE_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")

_NOT_A_WORD = re.compile(r"[0-9]+(?:-[0-9]+|\.[0-9]+)")
"""Id of a multi-word token (``1-2``) or an empty node (``1.1``)."""


# One sentence


@lru_cache(maxsize=512)
def _ids(n: int) -> list[str]:
    """``1`` to n as written, kept: sentences share their lengths."""
    return list(map(str, range(1, n + 1)))


_new_token = cast("Callable[[type[Token], tuple[object, ...]], Token]", tuple.__new__)
"""`Token._make` without its check of the length, which `zip` has made already: three times as fast."""


def parse_block(text: str) -> Tree:
    r"""The tree of one sentence.

    Multi-word tokens (``1-2``) and empty nodes (``1.1``) are left out, ``sent_id`` and ``text`` are taken from the
    comments. A ``sent_id`` that is glued to token 1, as in the released files, is parted:
    ``# sent_id = 241<TAB>Dies ...`` is sentence 24.

    Raises:
        TreeFault: the lines are not CoNLL-U or the heads no tree; it says where in the block (``offset``).

    >>> tree = parse_block("# sent_id = 7\n1\tGeh\tgehen\tVERB\t_\t_\t0\troot\t_\t_\n")
    >>> tree.sent_id, tree.tokens[0].form
    ('7', 'Geh')
    """
    comments, body = _parted(text)
    columns = _quick_columns(body)
    if columns is None:  # something out of the ordinary, or wrong
        return _parse_carefully(text)
    forms, heads = columns[1], map(_NUMBERS.__getitem__, columns[6])
    rows = zip(range(1, len(forms) + 1), *columns[1:6], heads, columns[7], strict=True)
    tokens = tuple(map(_new_token, repeat(Token), rows))
    return Tree(tokens, comments.get(SENT_ID), comments.get(TEXT))


class Outline(NamedTuple):
    """A sentence whose tree was checked but not made: all that is wanted of sentences without a hit.

    Attributes:
        forms: of its words. text: from the comments, as in `Tree`.
    """

    forms: tuple[str, ...]
    text: str | None


def parse_outline(text: str) -> Outline:
    r"""The words of one sentence, with the checks of `parse_block` in two thirds of its time.

    Raises:
        TreeFault: as `parse_block`.

    >>> parse_outline("1\tGeh\tgehen\tVERB\t_\t_\t0\troot\t_\t_\n")
    Outline(forms=('Geh',), text=None)
    """
    comments, body = _parted(text)
    columns = _quick_columns(body)
    if columns is None:
        tree = _parse_carefully(text)
        return Outline(tuple(token.form for token in tree.tokens), tree.text)
    return Outline(tuple(columns[1]), comments.get(TEXT))


def _parted(text: str) -> tuple[dict[str, str], str]:
    """The comments before the words, and the lines of the words."""
    comments: dict[str, str] = {}
    body = text.rstrip("\n")
    while body.startswith("#"):
        line, _, body = body.partition("\n")
        glued = split_glued(line) if "\t" in line else None
        if glued is not None:
            comments[SENT_ID] = glued[0]
            body = glued[1] + "\n" + body if body else glued[1]
            break
        key, _, value = line.partition("=")
        comments[comment_key(key)] = value.strip()
    return comments, body


def _quick_columns(lines: str) -> list[list[str]] | None:
    """The first eight columns of the words, if all is in order, by few steps of C code; else ``None``."""
    # All fields of the sentence in one list, with a mark behind each line: it has 10 columns in every line if and
    # only if every 11th field is a mark and no other is.
    fields = lines.replace("\n", "\t\n\t").split("\t")
    n = (len(fields) + 1) // _STRIDE
    if fields[COLUMNS::_STRIDE] != ["\n"] * (n - 1) or len(fields) != n * _STRIDE - 1:
        return None
    columns = [fields[column::_STRIDE] for column in range(8)]
    if columns[0] != _ids(n) and (columns := _words(columns))[0] != _ids(len(columns[0])):
        return None
    try:
        heads = list(map(_NUMBERS.__getitem__, columns[6]))
    except KeyError:
        return None
    return None if "" in columns[1] or not is_tree(heads) else columns


def _words(columns: list[list[str]]) -> list[list[str]]:
    """The columns without multi-word tokens and empty nodes; unchanged where an id is neither these nor a number."""
    kept = list(map(_NUMBERS.__contains__, columns[0]))
    others = (each for each, word in zip(columns[0], kept, strict=True) if not word)
    if not all(map(_NOT_A_WORD.fullmatch, others)):
        return columns
    return [list(compress(column, kept)) for column in columns]


def _parse_carefully(text: str) -> Tree:
    """As `parse_block`, line by line: for all that `_quick_columns` does not take, and to say what is wrong."""
    comments: dict[str, str] = {}
    tokens: list[Token] = []
    offsets: list[int] = []
    for offset, line in _content(text):
        if line.startswith("#"):
            glued = split_glued(line)
            if glued is None:
                comments[comment_key(line)] = line.partition("=")[2].strip()
                continue
            comments[SENT_ID], line = glued
        token = _token(line, offset, len(tokens) + 1)
        if token is not None:
            tokens.append(token)
            offsets.append(offset)
    try:
        check_tree(tokens)
    except TreeFault as fault:
        where = offsets[fault.offset] if offsets else 0
        raise TreeFault(fault.kind, where, str(fault)) from fault
    return Tree(tuple(tokens), comments.get(SENT_ID), comments.get(TEXT))


def _content(text: str) -> Iterator[tuple[int, str]]:
    """The lines with their offset; blank ones may stand around the sentence, not in it."""
    gap = None
    begun = False
    for offset, line in enumerate(text.replace("\r\n", "\n").split("\n")):
        if not line.strip():
            gap = offset if begun and gap is None else gap
            continue
        if gap is not None:
            raise TreeFault(TreeFaultKind.BLANK_LINE, gap, "a blank line inside a sentence; it ends one")
        begun = True
        yield offset, line


def _token(line: str, offset: int, expected: int) -> Token | None:
    """The word of a line; ``None`` for a multi-word token or an empty node."""
    row = line.split("\t")
    if len(row) != COLUMNS:
        hint = " (no tab in it: were tabs turned into blanks?)" if len(row) == 1 else ""
        message = f"{len(row)} columns where {COLUMNS} separated by tabs were expected{hint}: {shown(line)}"
        raise TreeFault(TreeFaultKind.COLUMNS, offset, message)
    written, form, lemma, upos, xpos, feats, head, relation = row[:8]
    if _NOT_A_WORD.fullmatch(written):
        return None
    if written != str(expected):
        raise TreeFault(TreeFaultKind.TOKEN_ID, offset, id_message(written[:40], expected))
    if not form:
        raise TreeFault(
            TreeFaultKind.FORM, offset, f"token {written} has an empty form; write the word, or _"
        )
    if not _WHOLE_NUMBER.fullmatch(head):
        message = f"head {shown(head)} of token {written} ({shown(form)}) is not a number from 0; is the file parsed?"
        raise TreeFault(TreeFaultKind.HEAD, offset, message)
    return Token(expected, form, lemma, upos, xpos, feats, int(head), relation)


# Whole files


def fault_of(error: TreeFault, block: Block, file: str) -> Fault:
    """Where in the file a sentence is at fault."""
    return Fault(file, block.line + error.offset, error.kind, str(error))


def read_trees(path: Path | str, *, shown_as: str | None = None) -> Iterator[Tree]:
    """The trees of a file, with constant memory.

    Args:
        path: see `read_blocks`.
        shown_as: likewise.

    Raises:
        InputError: as `read_blocks`, or a sentence is no tree; the message names file and line.
    """
    for block in read_blocks(path, shown_as=shown_as):
        yield _tree(block, str(path) if shown_as is None else shown_as)


def _tree(block: Block, file: str) -> Tree:
    try:
        return parse_block(block.text)
    except TreeFault as error:
        raise InputError(str(fault_of(error, block, file))) from error


def format_tree(tree: Tree) -> str:
    """The tree as a block of CoNLL-U, ended by a blank line; `parse_block` makes the same tree of it.

    Raises:
        InputError: a word or a comment holds a tab or a line break, which the format cannot carry.
    """
    comments = [(SENT_ID, tree.sent_id), (TEXT, tree.text)]
    lines = [f"# {key} = {value}" for key, value in comments if value is not None]
    rows = ["\t".join((*map(str, token), "_", "_")) for token in tree.tokens]
    if any("\n" in line or "\r" in line or "\t" in line for line in lines) or any(
        row.count("\t") != COLUMNS - 1 or "\n" in row or "\r" in row for row in rows
    ):
        raise InputError(
            f"sentence {shown(tree.sent_id)} has a tab or line break in a word or comment; CoNLL-U cannot hold it"
        )
    return "\n".join([*lines, *rows, "", ""])
