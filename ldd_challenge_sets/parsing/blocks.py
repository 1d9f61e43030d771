"""Cutting a CoNLL-U file into sentences, as text: the part of reading that one process does for many.

Read are plain and compressed files, with Windows line ends, a byte order mark, several blank lines between sentences
or none at the end.
"""

from __future__ import annotations

import gzip
import io
import re
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, cast

from dibimt_metric.errors import InputError

_MAX_BLOCK_LINES = 100_000
"""A "sentence" of more lines is a file without blank lines, which would otherwise be read into memory whole."""

_BOM = b"\xef\xbb\xbf"

COLUMNS = 10
"""Columns of a line of CoNLL-U."""

SENT_ID = "sent_id"
"""Comment: the sentence's id."""

TEXT = "text"
"""Comment: the sentence as written."""

_GLUED = re.compile(r"#\s*sent_id\s*=\s*(.+?)(1(?:-[0-9]+)?\t.*)", re.DOTALL)


class Block(NamedTuple):
    r"""One sentence as it stands in the file.

    Attributes:
        text: its lines without the blank ones around them, each ended by ``\n``, but the last of a file as it stands.
        line: number of its first line in the file, from 1.
    """

    text: str
    line: int


def read_blocks(path: Path | str, *, shown_as: str | None = None) -> Iterator[Block]:
    """The sentences of a file, one after another, with constant memory.

    Blocks of comments only that name no sentence (a file's header) are passed over.

    Args:
        path: a CoNLL-U file, compressed if its name ends in ``.gz``.
        shown_as: its name in messages, by default the path.

    Raises:
        InputError: the file cannot be read, is not UTF-8 (with the line), or has no blank lines.
    """
    name = str(path) if shown_as is None else shown_as
    try:
        with _opened(path) as file:
            yield from _blocks(file, name)
    except (EOFError, zlib.error) as error:
        raise InputError(f"{name}: the compressed file is damaged ({error}); get it again") from error
    except InputError:
        raise
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        raise InputError(
            f"{name}: cannot be read ({getattr(error, 'strerror', None) or error}); check the path"
        ) from error


def _opened(path: Path | str) -> io.BufferedIOBase:
    if str(path).endswith(".gz"):
        return cast(io.BufferedIOBase, gzip.open(path, "rb"))
    return Path(path).open("rb")


def _blocks(file: Iterable[bytes], name: str) -> Iterator[Block]:
    lines: list[bytes] = []
    first = 1
    for number, line in enumerate(file, 1):
        if number == 1 and line.startswith(_BOM):
            line = line[len(_BOM) :]
        if not line or line.isspace():
            if lines:
                yield from _block(lines, first, name)
                lines = []
            continue
        if not lines:
            first = number
        elif len(lines) >= _MAX_BLOCK_LINES:
            raise InputError(
                f"{name}, line {first}: more than {_MAX_BLOCK_LINES:,} lines without a blank one; "
                "CoNLL-U has a blank line after every sentence. Is this a CoNLL-U file?"
            )
        lines.append(line)
    if lines:
        yield from _block(lines, first, name)


def _block(lines: list[bytes], first: int, name: str) -> Iterator[Block]:
    """The lines as a block, or nothing where they are no sentence."""
    if lines[-1].startswith(b"#") and _is_header(lines):
        return
    data = b"".join(lines)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = first + data.count(b"\n", 0, error.start)
        raise InputError(
            f"{name}, line {line}: not UTF-8 ({error.reason}); convert the file to UTF-8"
        ) from error
    yield Block(text.replace("\r\n", "\n") if "\r" in text else text, first)


def _is_header(lines: list[bytes]) -> bool:
    """Whether all lines are comments and none begins a sentence."""
    return all(
        line.startswith(b"#") and comment_key(line.decode("latin-1")) not in (SENT_ID, TEXT) for line in lines
    )


def comment_key(line: str) -> str:
    """Name of a comment: ``sent_id`` of ``# sent_id = 3``."""
    return line.partition("=")[0].strip("# \t")


def split_glued(line: str) -> tuple[str, str] | None:
    r"""The ``sent_id`` and token 1 of a comment that lost its line end, as in the files released with the paper.

    ``None`` for any other comment.

    >>> split_glued("# sent_id = 241\tDies\tdies\tPRON\t_\t_\t2\tnsubj\t_\t_")
    ('24', '1\tDies\tdies\tPRON\t_\t_\t2\tnsubj\t_\t_')
    """
    found = _GLUED.fullmatch(line) if line.count("\t") == COLUMNS - 1 else None
    return (found.group(1), found.group(2)) if found else None
