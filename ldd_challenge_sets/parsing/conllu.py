"""CoNLL-U: a stream of sentences as text, the tree of one sentence, back to text, and the corpus line of a parse.

Reading is in two steps because they run in different processes: one cuts the file into blocks (`read_blocks`), many
parse blocks (`parse_block`). The format: https://universaldependencies.org/format.html. Files may be compressed and
have Windows line ends, a byte order mark, several empty lines between sentences or none at the end.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import compress, repeat
from pathlib import Path
from typing import NamedTuple, cast

from dibimt_metric.errors import InputError, shown

from ..corpus.files import raw_lines
from ..records import Fault, Token, Tree
from .trees import TreeFault, TreeFaultKind, check_tree, id_message, is_tree

COLUMNS = 10  # columns of a line of CoNLL-U
SENT_ID = "sent_id"  # comment: the sentence's id
TEXT = "text"  # comment: the sentence as written
_MAX_BLOCK_LINES = 100_000
"""A "sentence" of more lines is a file without empty lines, which would otherwise be read into memory whole."""

_STRIDE = COLUMNS + 1

_NUMBERS = {str(number): number for number in range(1_000)}
"""Ids and heads, as written. A look-up is faster than ``int`` and, unlike it, rejects ``1_0``, ``+1`` and ``١``."""

_WHOLE_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")
_LINE_NUMBER = re.compile(r"[1-9][0-9]{0,17}")
_GLUED = re.compile(r"#\s*sent_id\s*=\s*(.+?)(1(?:-[0-9]+)?\t.*)", re.DOTALL)

_NOT_A_WORD = re.compile(r"[0-9]+(?:-[0-9]+|\.[0-9]+)")  # id of a multi-word token (``1-2``) or an empty node (``1.1``)


class Block(NamedTuple):
    r"""One sentence as in the file: its lines, each ended by ``\n`` except perhaps the last; number of the first."""

    text: str
    line: int


def read_blocks(path: Path | str) -> Iterator[Block]:
    """The sentences of a CoNLL-U file, plain or ``.gz``, one after another, with constant memory.

    Blocks of comments only that name no sentence (a file's header) are skipped.

    Raises:
        InputError: the file cannot be read, is not UTF-8 (with the line), or has no empty lines.
    """
    lines: list[bytes] = []
    first = 1
    for number, line in enumerate(raw_lines(str(path)), 1):
        if not line or line.isspace():
            if lines:
                yield from _block(lines, first, path)
                lines = []
            continue
        if not lines:
            first = number
        elif len(lines) >= _MAX_BLOCK_LINES:
            raise InputError(
                f"{path}, line {first}: more than {_MAX_BLOCK_LINES:,} lines without an empty one; "
                "CoNLL-U has an empty line after every sentence. Is this a CoNLL-U file?"
            )
        lines.append(line)
    if lines:
        yield from _block(lines, first, path)


def _block(lines: list[bytes], first: int, path: Path | str) -> Iterator[Block]:
    if lines[-1].startswith(b"#") and _is_header(lines):
        return
    data = b"".join(lines)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = first + data.count(b"\n", 0, error.start)
        raise InputError(f"{path}, line {line}: not UTF-8 ({error.reason}); convert the file to UTF-8") from error
    yield Block(text.replace("\r\n", "\n") if "\r" in text else text, first)


def _is_header(lines: list[bytes]) -> bool:
    """Whether all lines are comments and none begins a sentence."""
    return all(line.startswith(b"#") and comment_key(line.decode("latin-1")) not in (SENT_ID, TEXT) for line in lines)


def comment_key(line: str) -> str:
    """Name of a comment: ``sent_id`` of ``# sent_id = 3``."""
    return line.partition("=")[0].strip("# \t")


def split_glued(line: str) -> tuple[str, str] | None:
    r"""The ``sent_id`` and token 1 of a comment that lost its line end, as in the released files; else ``None``.

    >>> split_glued("# sent_id = 241\tDies\tdies\tPRON\t_\t_\t2\tnsubj\t_\t_")
    ('24', '1\tDies\tdies\tPRON\t_\t_\t2\tnsubj\t_\t_')
    """
    found = _GLUED.fullmatch(line) if line.count("\t") == COLUMNS - 1 else None
    return (found.group(1), found.group(2)) if found else None


def read_trees(path: Path | str) -> Iterator[Tree]:
    """The trees of a file, with constant memory; an `InputError` at a sentence that is not a tree."""
    for block in read_blocks(path):
        try:
            tree = parse_block(block.text)
        except TreeFault as error:
            raise InputError(str(fault_of(error, block, str(path)))) from error
        yield tree


def fault_of(error: TreeFault, block: Block, file: str) -> Fault:
    """The fault of a sentence, with its line in the file."""
    return Fault(file, block.line + error.offset, error.kind, str(error))


@lru_cache(maxsize=512)
def _ids(n: int) -> list[str]:
    return list(map(str, range(1, n + 1)))


_new_token = cast("Callable[[type[Token], tuple[object, ...]], Token]", tuple.__new__)
"""`Token._make` without its check of the length, which `zip` has made: three times as fast."""


def parse_block(text: str) -> Tree:
    r"""The tree of one sentence.

    Multi-word tokens (``1-2``) and empty nodes (``1.1``) are omitted, ``sent_id`` and ``text`` come from the
    comments. A ``sent_id`` that is glued to token 1, as in the released files, is separated:
    ``# sent_id = 241<TAB>Dies ...`` is sentence 24.

    Raises:
        TreeFault: the lines are not CoNLL-U or the heads do not form a tree; ``offset`` tells where in the block.

    >>> tree = parse_block("# sent_id = 7\n1\tGeh\tgehen\tVERB\t_\t_\t0\troot\t_\t_\n")
    >>> tree.sent_id, tree.tokens[0].form
    ('7', 'Geh')
    """
    comments, body = _split_comments(text)
    columns = _quick_columns(body)
    if columns is None:  # something unusual, or wrong
        return _parse_carefully(text)
    forms, heads = columns[1], map(_NUMBERS.__getitem__, columns[6])
    rows = zip(range(1, len(forms) + 1), *columns[1:6], heads, columns[7], strict=True)
    tokens = tuple(map(_new_token, repeat(Token), rows))
    return Tree(tokens, comments.get(SENT_ID), comments.get(TEXT))


class Outline(NamedTuple):
    """A sentence whose tree was checked but not built: enough for sentences without a hit; ``text`` as in `Tree`."""

    forms: tuple[str, ...]
    text: str | None


def parse_outline(text: str) -> Outline:
    r"""The words of one sentence, with the checks and faults of `parse_block` in two thirds of its time.

    >>> parse_outline("1\tGeh\tgehen\tVERB\t_\t_\t0\troot\t_\t_\n")
    Outline(forms=('Geh',), text=None)
    """
    comments, body = _split_comments(text)
    columns = _quick_columns(body)
    if columns is None:
        tree = _parse_carefully(text)
        return Outline(tuple(token.form for token in tree.tokens), tree.text)
    return Outline(tuple(columns[1]), comments.get(TEXT))


def _split_comments(text: str) -> tuple[dict[str, str], str]:
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
    """The first eight columns of the words, by few steps of C code; ``None`` if anything is unusual or wrong."""
    # All fields of the sentence in one list, with a mark after each line: every line has 10 columns if and only if
    # every 11th field is a mark and no other is.
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
    """The columns without multi-word tokens and empty nodes; unchanged if an id is neither these nor a number."""
    kept = list(map(_NUMBERS.__contains__, columns[0]))
    others = (each for each, word in zip(columns[0], kept, strict=True) if not word)
    if not all(map(_NOT_A_WORD.fullmatch, others)):
        return columns
    return [list(compress(column, kept)) for column in columns]


def _parse_carefully(text: str) -> Tree:
    """As `parse_block`, line by line: for what `_quick_columns` rejects, with a message for what is wrong."""
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
    """The lines with their offset; empty ones are allowed around the sentence, not in it."""
    gap = None
    begun = False
    for offset, line in enumerate(text.replace("\r\n", "\n").split("\n")):
        if not line.strip():
            gap = offset if begun and gap is None else gap
            continue
        if gap is not None:
            raise TreeFault(TreeFaultKind.BLANK_LINE, gap, "an empty line inside a sentence; it would end the sentence")
        begun = True
        yield offset, line


def _token(line: str, offset: int, expected: int) -> Token | None:
    """The word of a line; ``None`` for a multi-word token or an empty node."""
    row = line.split("\t")
    if len(row) != COLUMNS:
        hint = " (no tab in it: were tabs converted to spaces?)" if len(row) == 1 else ""
        message = f"{len(row)} columns, but {COLUMNS} separated by tabs were expected{hint}: {shown(line)}"
        raise TreeFault(TreeFaultKind.COLUMNS, offset, message)
    written, form, lemma, upos, xpos, feats, head, relation = row[:8]
    if _NOT_A_WORD.fullmatch(written):
        return None
    if written != str(expected):
        raise TreeFault(TreeFaultKind.TOKEN_ID, offset, id_message(written[:40], expected))
    if not form:
        raise TreeFault(TreeFaultKind.FORM, offset, f"token {written} has an empty form; write the word, or _")
    if not _WHOLE_NUMBER.fullmatch(head):
        message = f"head {shown(head)} of token {written} ({shown(form)}) is not a number from 0; is the file parsed?"
        raise TreeFault(TreeFaultKind.HEAD, offset, message)
    return Token(expected, form, lemma, upos, xpos, feats, int(head), relation)


def format_tree(tree: Tree) -> str:
    """The tree as a block of CoNLL-U, ended by an empty line; the inverse of `parse_block`.

    Raises:
        InputError: a word or a comment holds a tab or a line break, which the format does not allow.
    """
    comments = [(SENT_ID, tree.sent_id), (TEXT, tree.text)]
    lines = [f"# {key} = {value}" for key, value in comments if value is not None]
    rows = ["\t".join((*map(str, token), "_", "_")) for token in tree.tokens]
    if any("\n" in line or "\r" in line or "\t" in line for line in lines) or any(
        row.count("\t") != COLUMNS - 1 or "\n" in row or "\r" in row for row in rows
    ):
        raise InputError(
            f"sentence {shown(tree.sent_id)} has a tab or line break in a word or comment; CoNLL-U does not allow them"
        )
    return "\n".join([*lines, *rows, "", ""])


def line_numbers(sent_ids: Iterable[str | None], document_size: int | None = None) -> Iterator[int]:
    """The corpus line of each sentence, from its ``sent_id``.

    The Books parses released with the paper were made in documents of 10,000 lines, each counted from 1:
    ``line = sent_id + document_size * documents before``. A document begins wherever sent_id decreases. A selection of
    sentences is therefore numbered correctly if it includes every document and each begins with a smaller sent_id than
    the last one of the document before; the released sets do.

    With ``document_size`` ``None``, ``sent_id`` is the corpus line itself.

    Raises:
        InputError: a sent_id is missing, is not a positive integer, or exceeds the size of a document.

    >>> list(line_numbers(["3", "9000", "2"], document_size=10_000))
    [3, 9000, 10002]
    """
    placed = ((sent_id, f"sentence {order}") for order, sent_id in enumerate(sent_ids, 1))
    return _numbered(placed, document_size)


def read_line_numbers(path: Path | str, document_size: int | None = None) -> Iterator[int]:
    """The corpus line of each sentence of a CoNLL-U file, with constant memory; see `line_numbers`."""
    placed = ((_sent_id(block), f"{path}, line {block.line}: this sentence") for block in read_blocks(path))
    return _numbered(placed, document_size)


def _numbered(placed: Iterable[tuple[str | None, str]], document_size: int | None) -> Iterator[int]:
    if document_size is not None and document_size < 1:
        raise InputError(f"the size of a document is a positive number of lines, not {document_size}")
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
            "Number the parses this way, or give one for every line of the corpus, in order"
        )
    number = int(sent_id)
    if document_size is not None and number > document_size:
        raise InputError(
            f"{where} has sent_id {number}, beyond the {document_size} lines of a document; "
            "give the size of the documents as they were parsed"
        )
    return number


def _sent_id(block: Block) -> str | None:
    for line in block.text.split("\n"):
        if not line.startswith("#"):
            break
        if comment_key(line) == SENT_ID:
            glued = split_glued(line)
            return glued[0] if glued else line.partition("=")[2].strip()
    return None
