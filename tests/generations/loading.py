"""Loads data sets in several generations of ``datasets``: the pinned older ones and the installed one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.generations.environments import GENERATIONS, EnvironmentUnavailable, python_of

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
        path: folder of the data set, its name on the Hub, or with a builder the folder to import it from.
        configurations: loaded one after the other, each with an empty cache unless the options name one.
        split: of the data set.
        streaming: whether nothing is prepared on disk.
        options: further arguments of ``load_dataset``, or of the builder.
        builder: ``package.module.Class`` instead of ``load_dataset``.
        warnings: whether the answers have a list ``warnings`` of what ``datasets`` logged.
    """

    path: str
    configurations: tuple[str, ...]
    split: str = "test"
    streaming: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)
    builder: str | None = None
    warnings: bool = False


class Client:
    """A process of one generation that answers requests as they come; a context manager.

    Args:
        generation: one of `ALL`. The test is skipped where its environment cannot be installed.
        folder: where it runs; its caches lie there.
        settings: its environment variables, for a client of a Hub; ``None``: those of the tests, offline.
    """

    def __init__(self, generation: str, folder: Path, settings: Mapping[str, str] | None = None) -> None:
        python = interpreter(generation)
        self._said = folder / "said.txt"
        with self._said.open("w", encoding="utf-8") as said:
            self._process = subprocess.Popen(
                [str(python), str(PROBE)],
                cwd=folder, env=environment(str(folder)) if settings is None else dict(settings),
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said, encoding="utf-8",
            )  # fmt: skip
        version = self._read()["version"]
        assert generation == INSTALLED or version.startswith(f"{generation}.")

    def ask(self, *requests: Request) -> list[Answer]:
        """The answers, in the order of the requests."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps([asdict(request) for request in requests]) + "\n")
        self._process.stdin.flush()
        answers: list[Answer] = self._read()
        return answers

    def _read(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, self._said.read_text(encoding="utf-8")[-2000:]
        return json.loads(line)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *error: object) -> None:
        self._process.communicate()  # the end of its input is the end of the process


def load(generation: str, *requests: Request, settings: Mapping[str, str] | None = None) -> list[Answer]:
    """What a generation of ``datasets`` makes of each request, all in one process; see `Client`."""
    with tempfile.TemporaryDirectory() as scratch, Client(generation, Path(scratch), settings) as client:
        return client.ask(*requests)


def interpreter(generation: str) -> Path:
    if generation == INSTALLED:
        return Path(sys.executable)
    try:
        return python_of(f"datasets-{generation}")
    except EnvironmentUnavailable as error:
        pytest.skip(str(error))


def environment(scratch: str) -> dict[str, str]:
    """That of the tests, with a cache of its own: what another generation cached could be read, or break."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return {**kept, "HF_HOME": str(Path(scratch) / "cache"), "HF_DATASETS_DISABLE_PROGRESS_BARS": "1"}
