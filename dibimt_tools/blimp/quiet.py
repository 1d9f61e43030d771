"""Suppress messages of libraries, so that the user sees only those of the ``blimp`` commands."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO

# Read when a library is imported; values that the user has set are kept.
_SETTINGS = {
    "TRANSFORMERS_VERBOSITY": "error",
    "TRANSFORMERS_NO_ADVISORY_WARNINGS": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "HF_HUB_VERBOSITY": "error",
    "DATASETS_VERBOSITY": "error",
}


@contextmanager
def without_warnings() -> Iterator[None]:
    """Suppress warnings, log lines and progress bars of libraries, not our own output."""
    for name, value in _SETTINGS.items():
        os.environ.setdefault(name, value)
    with warnings.catch_warnings():
        if not sys.warnoptions:
            warnings.simplefilter("ignore")
        yield


@contextmanager
def silence() -> Iterator[None]:
    """Suppress all output, for loading models: some bars and messages cannot be switched off."""
    with without_warnings(), _closed(1), _closed(2), redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        yield


@contextmanager
def _closed(descriptor: int) -> Iterator[None]:
    """Discard output of C libraries to a file descriptor."""
    try:
        kept = os.dup(descriptor)
    except OSError:  # the program was started without this stream
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, descriptor)
        yield
    finally:
        os.dup2(kept, descriptor)
        os.close(kept)
        os.close(nowhere)
