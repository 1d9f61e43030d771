"""Files that grow line by line and survive a crash: append lines, find a half-written one."""

from __future__ import annotations

import os
from pathlib import Path


def append(path: Path, data: bytes) -> None:
    """Append bytes; they are on disk when this returns.

    Raises:
        OSError: the file cannot be written.
    """
    with path.open("ab") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def whole_lines(path: Path) -> tuple[list[bytes], bytes]:
    r"""The lines of a file, each with its line break, and the rest: half a line or nothing.

    Raises:
        OSError: the file cannot be read.
    """
    *lines, rest = path.read_bytes().split(b"\n")
    return [line + b"\n" for line in lines], rest
