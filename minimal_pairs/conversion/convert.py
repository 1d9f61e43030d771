"""Converting the release of BLiMP to one schema."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dibimt_common.files import new_folder
from dibimt_common.progress import Progress, silent
from dibimt_metric.errors import InputError, shown
from dibimt_metric.version import VERSION

from ..paradigms import PARADIGMS, Paradigm
from ..reading.sources import CONVERTED, CORRECTED, PUBLISHED
from ..records import Pair
from .card import CARD, card_text
from .conversion import Conversion, count
from .faults import by_paradigm, correct, mark
from .release import download, is_released
from .schema import jsonl
from .upstream import find_files, read_file

_OURS = frozenset({CONVERTED, CORRECTED, PUBLISHED, CARD})


def convert(
    source: str | os.PathLike[str] | None,
    out: str | os.PathLike[str],
    *,
    corrected: bool = True,
    force: bool = False,
    progress: Progress[Any] = silent,
) -> Conversion:
    """Convert the 67 released files to one schema, with faults marked.

    The folder gets ``data/<phenomenon>/<paradigm>.jsonl`` (as published), ``corrected/...`` (the same names, see
    `correct`), ``README.md`` (a card that ``load_dataset(out, "<configuration>", split="train")`` reads) and
    ``conversion.json``. It is written completely or not at all; the same release gives the same bytes.

    Args:
        source: folder or zip with the released files at any depth; ``None``: download them.
        out: folder to be created.
        corrected: whether to write the corrected variant too.
        force: whether to replace an earlier conversion.
        progress: reports the progress.

    Raises:
        InputError: files are missing, damaged or in another form than the release; the download fails or is not the
            release; the folder holds something else, or a conversion without ``force``.
    """
    place = Path(out)
    _check_place(place, force)
    if source is not None:
        return _convert(source, place, corrected, progress)
    with tempfile.TemporaryDirectory(prefix="blimp-") as fetched:
        download(Path(fetched), progress=progress)
        return _convert(fetched, place, corrected, progress)


def _check_place(out: Path, force: bool) -> None:
    """Reject, before any work, a place that holds something that must not be replaced."""
    if not out.exists():
        return
    if not out.is_dir():
        raise InputError(f"{out}: is a file; name a folder for the converted data")
    found = sorted(path.name for path in out.iterdir())
    if found and CONVERTED not in found:
        raise InputError(f"{out}: holds something other than converted data; name another folder")
    if found and not force:
        raise InputError(f"{out}: holds converted data; name another folder, or replace them with --force")
    if strange := [name for name in found if name not in _OURS]:  # such as .git
        raise InputError(
            f"{out}: cannot be replaced as a whole, because it also holds {shown(strange[0])}; move that away, or name "
            "another folder and copy the files"
        )


def _convert(source: str | os.PathLike[str], out: Path, corrected: bool, progress: Progress[Any]) -> Conversion:
    digest, changed = hashlib.sha256(), []
    pairs: list[Pair] = []
    files = find_files(source)
    for paradigm, file in progress(len(files), "read")(files.items()):
        content = file.read()
        digest.update(content.replace(b"\r\n", b"\n"))
        if not is_released(paradigm, content):
            changed.append(paradigm)
        pairs.extend(read_file(paradigm, content, file.name))
    marked = mark(pairs)
    published = by_paradigm(marked)
    fixed = by_paradigm(correct(marked)) if corrected else None
    counts = tuple(
        count(paradigm, published[paradigm.name], None if fixed is None else fixed.get(paradigm.name, ()))
        for paradigm in PARADIGMS
    )
    conversion = Conversion(tuple(changed), counts, digest.hexdigest()[:12], VERSION)
    try:
        with new_folder(out) as folder:
            for paradigm in progress(len(PARADIGMS), "write")(PARADIGMS):
                _write(folder / PUBLISHED, paradigm, published[paradigm.name])
                if fixed is not None:
                    _write(folder / CORRECTED, paradigm, fixed.get(paradigm.name, ()))
            _write_text(folder / CONVERTED, conversion.text())
            _write_text(folder / CARD, card_text(conversion))
    except OSError as error:
        raise InputError(f"{out}: cannot be written ({error.strerror or error}); name another folder") from error
    return conversion


def _write(folder: Path, paradigm: Paradigm, pairs: Sequence[Pair]) -> None:
    place = folder / paradigm.phenomenon
    place.mkdir(parents=True, exist_ok=True)
    _write_text(place / f"{paradigm.name}.jsonl", jsonl(pairs))


def _write_text(path: Path, text: str) -> None:
    path.write_bytes(text.encode("utf-8"))  # bytes: the same line ends on all systems
