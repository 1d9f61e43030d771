"""The release of BLiMP, converted to one schema: ``convert``."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dibimt_common.progress import Progress, silent
from dibimt_metric.version import VERSION

from ..paradigms import PARADIGMS, Paradigm
from ..reading.sources import CONVERTED, CORRECTED, PUBLISHED
from ..records import Pair
from .card import CARD, card_text
from .conversion import Conversion, Counts, count
from .corrections import correct
from .download import download
from .faults import by_paradigm, mark
from .folder import check_place, new_folder
from .release import is_released
from .schema import jsonl
from .upstream import find_files, read_file


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
    `correct`), ``README.md`` (a card which ``load_dataset(out, "<configuration>", split="train")`` reads) and
    ``conversion.json``. It is complete or not there at all; the same release gives the same bytes.

    Args:
        source: folder or zip with the released files at any depth; ``None``: download them.
        out: folder to be made.
        corrected: whether the corrected variant is written too.
        force: whether an earlier conversion is replaced.
        progress: shows how far it is.

    Raises:
        InputError: files are missing, broken or not of the release's form; the download fails or is not the release;
            the folder holds something else, or a conversion without force.
    """
    place = Path(out)
    check_place(place, force)
    if source is not None:
        return _convert(source, place, corrected, progress)
    with tempfile.TemporaryDirectory(prefix="blimp-") as fetched:
        download(Path(fetched), progress=progress)
        return _convert(fetched, place, corrected, progress)


def _convert(
    source: str | os.PathLike[str], out: Path, corrected: bool, progress: Progress[Any]
) -> Conversion:
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
    mended = by_paradigm(correct(marked)) if corrected else None
    counts = tuple(_count(paradigm, published, mended) for paradigm in PARADIGMS)
    conversion = Conversion(tuple(changed), counts, digest.hexdigest()[:12], VERSION)
    with new_folder(out) as folder:
        for paradigm in progress(len(PARADIGMS), "write")(PARADIGMS):
            _write(folder / PUBLISHED, paradigm, published[paradigm.name])
            if mended is not None:
                _write(folder / CORRECTED, paradigm, mended.get(paradigm.name, ()))
        _write_text(folder / CONVERTED, conversion.text())
        _write_text(folder / CARD, card_text(conversion))
    return conversion


def _count(
    paradigm: Paradigm, published: Mapping[str, Sequence[Pair]], mended: Mapping[str, Sequence[Pair]] | None
) -> Counts:
    corrected = None if mended is None else mended.get(paradigm.name, ())
    return count(paradigm.name, paradigm.phenomenon, published[paradigm.name], corrected)


def _write(folder: Path, paradigm: Paradigm, pairs: Sequence[Pair]) -> None:
    place = folder / paradigm.phenomenon
    place.mkdir(parents=True, exist_ok=True)
    _write_text(place / f"{paradigm.name}.jsonl", jsonl(pairs))


def _write_text(path: Path, text: str) -> None:
    path.write_bytes(text.encode("utf-8"))  # bytes: the same line ends everywhere
