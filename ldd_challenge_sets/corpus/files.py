"""Files, plain or compressed, read once from beginning to end: their lines, number of lines and digest.

Only a line feed ends a line. ``str.splitlines`` and many tools also end lines at a form feed or at U+2028, which
puts the lines of two sides out of step. Every function raises an `InputError` that names the file if it cannot be read.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import BinaryIO, cast

from dibimt_metric.errors import InputError

_GZIP = b"\x1f\x8b"
_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_BLOCK = 1 << 20


@contextmanager
def reading_errors(path: str) -> Iterator[None]:
    """Turn an error of the system or a decompressor into an `InputError` that names the file."""
    try:
        yield
    except InputError:  # is a ValueError
        raise
    except EOFError as error:
        raise InputError(f"{path}: the compressed file ends too early; copy or download it again") from error
    except (OSError, ValueError, zlib.error) as error:  # ValueError: a null character in the name
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{path}: cannot be read ({reason}); check the path and the file") from error


def open_bytes(path: str) -> BinaryIO:
    """Open a file for reading, through gzip if its first bytes are those of gzip, whatever its name."""
    with reading_errors(path):
        file = Path(path)
        if file.is_dir():
            raise InputError(f"{path}: is a folder; give the path of a file")
        if file.exists() and not file.is_file():  # before it is opened: a pipe would wait for its writer
            raise InputError(f"{path}: is not a regular file; it is read more than once: save it first")
        stream = file.open("rb", buffering=_BLOCK)
        compressed = stream.read(2) == _GZIP
        stream.seek(0)
        if not compressed and file.suffix != ".gz":
            return stream
        stream.close()
        if not compressed:
            raise InputError(f"{path}: its name ends in .gz, but it is not compressed; rename it or copy it again")
        # GzipFile reads lines in Python, one call for each; the buffer around it does so in C.
        return io.BufferedReader(cast(io.RawIOBase, gzip.GzipFile(path)), _BLOCK)


def check_text_file(path: str) -> None:
    """Find a wrong path before any work, and UTF-16, in which every line would be a fault."""
    with open_bytes(path) as stream, reading_errors(path):
        start = stream.read(2)
    if start in _UTF16:
        raise InputError(f"{path}: is UTF-16; convert the file to UTF-8")


def raw_lines(path: str, start: int = 1) -> Iterator[bytes]:
    """The lines of a file with their line ends, beginning with line start; a byte order mark is removed."""
    with open_bytes(path) as stream, reading_errors(path):
        if start == 1 and (first := stream.readline()):
            yield first.removeprefix(_BOM)
        yield from islice(stream, start - 1, None)


def decode_line(raw: bytes) -> str:
    r"""The text of a line without its line end: ``\n`` or ``\r\n``.

    >>> decode_line(b"Gr\xc3\xbc\xc3\x9fe\x0c\r\n")
    'Grüße\x0c'
    """
    return raw.decode("utf-8").removesuffix("\n").removesuffix("\r")


def read_lines(path: str) -> Iterator[str]:
    """The lines of a text file, decoded."""
    for number, raw in enumerate(raw_lines(path), 1):
        try:
            text = decode_line(raw)
        except UnicodeDecodeError as error:
            raise InputError(f"{path}, line {number}: {explain_utf8(error)}") from error
        yield text


def explain_utf8(error: UnicodeDecodeError) -> str:
    """What is wrong with a line that is not UTF-8; bytes are counted from 1.

    >>> try:
    ...     decode_line(bytes([0x47, 0x72, 0xFC, 0xDF, 0x65]))
    ... except UnicodeDecodeError as error:
    ...     explain_utf8(error)
    'byte 3 of the line (0xFC) is not UTF-8 (invalid start byte); convert the file to UTF-8'
    """
    where = f"byte {error.start + 1} of the line (0x{error.object[error.start]:02X})"
    return f"{where} is not UTF-8 ({error.reason}); convert the file to UTF-8"


def count_lines(path: str) -> int:
    """Number of lines; a last line without line end counts, nothing after the last line end does not."""
    lines, last = 0, b"\n"
    with open_bytes(path) as stream, reading_errors(path):
        while block := stream.read(_BLOCK):
            lines += block.count(b"\n")
            last = block[-1:]
    return lines + (last != b"\n")


def digest(choices: Iterable[object], paths: Iterable[str]) -> str:
    """SHA-256 of choices and of size and whole content of files, but not of their names.

    The whole content, because correcting one letter can keep size, beginning and end.
    """
    total = hashlib.sha256(repr(tuple(choices)).encode("utf-8", "surrogatepass"))
    for path in paths:
        size, content = 0, hashlib.sha256()
        with reading_errors(path), Path(path).open("rb") as stream:
            while block := stream.read(_BLOCK):
                size += len(block)
                content.update(block)
        total.update(f"\n{size} {content.hexdigest()}".encode("ascii"))
    return total.hexdigest()
