"""Files and folders that are written whole or not at all.

Everything is written under a temporary name next to its destination and then moved there. An interrupted program, a
full disk or a second process therefore never leaves half a file. `OSError` is not translated: the caller knows what
the file is and what the user can do.
"""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path


def write_file(path: Path, content: str | bytes) -> None:
    """Write one file; see `write_files`."""
    write_files({path: content})


def write_files(contents: Mapping[Path, str | bytes]) -> None:
    """Write several files; none replaces an existing file before all have been written.

    An existing file keeps its permissions. Devices and pipes (``/dev/null``) are written directly.

    Args:
        contents: path -> content; text is encoded as UTF-8, and lone surrogates as backslash escapes.

    Raises:
        OSError: a file cannot be written; ``filename`` is its path.
    """
    moves: list[tuple[Path, Path]] = []
    try:
        for path, content in contents.items():
            place = path.resolve()
            data = content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace")
            with _named(path):
                if place.exists() and not place.is_file():
                    place.write_bytes(data)
                    continue
                # A short name: the file's own may be as long as names can be.
                temporary = place.with_name(f".dibimt-{os.getpid()}-{secrets.token_hex(4)}.tmp")
                moves.append((temporary, place))
                temporary.write_bytes(data)
                if place.exists():
                    temporary.chmod(place.stat().st_mode)
        for temporary, place in moves:
            with _named(place):
                temporary.replace(place)
    finally:
        for temporary, _ in moves:
            try:
                temporary.unlink(missing_ok=True)
            except OSError:  # its folder is gone or read-only now; the error above says more
                continue


@contextmanager
def new_folder(place: Path) -> Iterator[Path]:
    """An empty folder that replaces ``place`` when the block ends without an error; otherwise ``place`` is unchanged.

    Raises:
        OSError: the folder cannot be written.
    """
    place.parent.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(dir=place.parent, prefix=f".{place.name[:100]}-"))
    try:
        made = scratch / "new"  # not the scratch folder itself, which only its owner may enter
        made.mkdir()
        yield made
        _replace_folder(place, made, scratch / "old")
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _replace_folder(place: Path, made: Path, old: Path) -> None:
    if place.exists():
        place.rename(old)
    try:
        made.rename(place)
    except BaseException:  # an interruption too
        if old.exists() and not place.exists():
            old.rename(place)
        raise


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Make errors name the file that the caller asked for, not the temporary one."""
    try:
        yield
    except OSError as error:
        error.filename = str(path)
        raise
