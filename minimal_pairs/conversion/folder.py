"""The folder that a conversion fills: all of it or nothing, and nothing else lost."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dibimt_metric.errors import InputError, shown

from ..reading.sources import CONVERTED, CORRECTED, PUBLISHED
from .card import CARD

_OURS = frozenset({CONVERTED, CORRECTED, PUBLISHED, CARD})


def check_place(out: Path, force: bool) -> None:
    """See that a folder can be written here, before any work.

    Raises:
        InputError: something stands there that must not be replaced.
    """
    if not out.exists():
        return
    if not out.is_dir():
        raise InputError(f"{out}: is a file; name a folder for the converted data")
    found = sorted(path.name for path in out.iterdir())
    if found and CONVERTED not in found:
        raise InputError(f"{out}: holds something else than converted data; name another folder")
    if found and not force:
        raise InputError(f"{out}: holds converted data; name another folder, or replace them with --force")
    if strange := [name for name in found if name not in _OURS]:  # such as .git
        raise InputError(
            f"{out}: cannot be replaced as a whole, because it holds {shown(strange[0])} too; move that away, or name "
            "another folder and copy the files"
        )


@contextmanager
def new_folder(out: Path) -> Iterator[Path]:
    """A folder to be filled, which takes the place of ``out`` when the block ends without an error.

    Raises:
        InputError: the system refuses.
    """
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(dir=out.parent, prefix=f".{out.name}-"))
    except OSError as error:
        raise InputError(f"{out}: cannot be written ({error.strerror}); name another folder") from error
    try:
        made = scratch / "new"  # not the scratch folder itself, which nobody else may enter
        made.mkdir()
        yield made
        _take_place(made, out, scratch / "old")
    except OSError as error:
        raise InputError(
            f"{out}: cannot be written ({error.strerror or error}); try another folder"
        ) from error
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _take_place(made: Path, out: Path, old: Path) -> None:
    """Put a folder in the place of another one, which comes back if that fails."""
    if out.exists():
        out.rename(old)
    try:
        made.rename(out)
    except BaseException:  # an interruption too
        if old.exists() and not out.exists():
            old.rename(out)
        raise
