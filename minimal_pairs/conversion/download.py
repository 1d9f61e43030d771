"""The release from the network: 67 files of a fixed commit, each checked."""

from __future__ import annotations

import http.client
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dibimt_common.progress import Progress, silent
from dibimt_metric.errors import InputError

from .release import ADDRESS, CHECKSUMS, checksum

TIMEOUT = 30.0
"""Seconds without an answer after which an attempt is given up."""
ATTEMPTS = 3


def download(
    folder: Path,
    *,
    address: str = ADDRESS,
    checksums: Mapping[str, str] = CHECKSUMS,
    progress: Progress[Any] = silent,
) -> None:
    """Fetch the file of every paradigm into a folder and check it before it is written.

    Args:
        folder: has to be there.
        address: of a file, with ``{paradigm}`` for its name; ``http`` or ``https``.
        checksums: of the files, by paradigm.
        progress: shows how far it is.

    Raises:
        InputError: a file cannot be fetched, or is not the released one.
    """
    for paradigm in progress(len(checksums), "download")(checksums):
        where = address.format(paradigm=paradigm)
        content = _fetch(where)
        if checksum(content) != checksums[paradigm]:
            raise InputError(
                f"{where}: is not the released file (SHA-256 {checksum(content)}, expected {checksums[paradigm]}); "
                "something between here and there has changed it"
            )
        (folder / f"{paradigm}.jsonl").write_bytes(content)


def _fetch(where: str) -> bytes:
    failure: Exception | None = None
    for _ in range(ATTEMPTS):
        try:
            with urllib.request.urlopen(where, timeout=TIMEOUT) as answer:
                content: bytes = answer.read()
                return content
        # OSError: no network, no host, time is up. HTTPException: the answer broke off.
        except (OSError, http.client.HTTPException) as error:
            failure = error
            if _is_final(error):
                break
    raise InputError(
        f"{where}: cannot be downloaded ({failure}); check the network, or fetch the folder data/ of "
        "github.com/alexwarstadt/blimp yourself and name it as the source"
    ) from failure


def _is_final(error: Exception) -> bool:
    """Whether asking again is of no use: the server understood, and has no such file."""
    return isinstance(error, urllib.error.HTTPError) and 400 <= error.code < 500
