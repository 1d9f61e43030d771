"""Loads data sets in several generations of ``datasets``: the pinned older ones and the installed one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import asdict
from dataclasses import dataclass
from dataclasses import field
from pathlib import Path
from typing import Any

import pytest

from tests.generations.environments import GENERATIONS
from tests.generations.environments import EnvironmentUnavailable
from tests.generations.environments import python_of

INSTALLED = "installed"
OLDER = GENERATIONS
"""Those that run loading scripts."""
ALL = (*OLDER, INSTALLED)
PROBE = Path(__file__).with_name("probe.py")

Answer = dict[str, dict[str, Any]]
"""For each configuration ``features`` and ``rows``, or ``error`` (the class) and ``message``; see ``probe.py``."""


@dataclass(frozen=True)
class Request:
    """What to load.

    Attributes:
        path: folder of the data set, or with a builder the folder to import it from.
        configurations: loaded one after the other, each with an empty cache.
        split: of the data set.
        streaming: whether nothing is prepared on disk.
        options: further arguments of ``load_dataset``, or of the builder.
        builder: ``package.module.Class`` instead of ``load_dataset``.
    """

    path: str
    configurations: tuple[str, ...]
    split: str = "test"
    streaming: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)
    builder: str | None = None


def load(generation: str, *requests: Request) -> list[Answer]:
    """What a generation of ``datasets`` makes of each request, all in one process.

    Skips the test where the environment of the generation cannot be installed.
    """
    python = interpreter(generation)
    with tempfile.TemporaryDirectory() as scratch:
        done = subprocess.run(
            [str(python), str(PROBE), json.dumps([asdict(request) for request in requests])],
            cwd=scratch, env=environment(scratch), capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    record = json.loads(done.stdout)
    if generation != INSTALLED:
        assert record["version"].startswith(f"{generation}.")
    answers: list[Answer] = record["answers"]
    return answers


def interpreter(generation: str) -> Path:
    if generation == INSTALLED:
        return Path(sys.executable)
    try:
        return python_of(generation)
    except EnvironmentUnavailable as error:
        pytest.skip(str(error))


def environment(scratch: str) -> dict[str, str]:
    """That of the tests, with a cache of its own: what another generation cached could be read, or break."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return {**kept, "HF_HOME": str(Path(scratch) / "cache"), "HF_DATASETS_DISABLE_PROGRESS_BARS": "1"}
