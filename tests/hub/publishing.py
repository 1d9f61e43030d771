"""Publishing in tests: a small stage, and the command run in this process against a loopback Hub."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import pytest

from dibimt_tools.cli import main
from dibimt_tools.hub.repositories import (
    MANIFEST,
    Branch,
    Repository,
    RepositoryType,
    Stage,
    manifest_text,
    staged_file,
)
from tests.hub.loopback import LoopbackHub

Files = dict[str, bytes]

SPACE = RepositoryType.SPACE
DATASET = RepositoryType.DATASET

CONTENTS: dict[tuple[RepositoryType, str, str], Files] = {
    (SPACE, "page", "main"): {"README.md": b"---\nsdk: gradio\n---\n", "app.py": b"print()\n"},
    (DATASET, "first", "main"): {
        "README.md": b"first\n",
        "data/de/a.jsonl": b'{"a": 1}\n',
        "data/de/b.bin": b"\0\1\2",
    },
    (DATASET, "first", "script"): {"first.py": b"script\n"},
    (DATASET, "second", "main"): {"README.md": b"second\n", "data.jsonl": b"{}\n"},
}
"""Of a stage that is quickly published: type, name and branch of the repository."""

STEPS = (
    "create spaces/user/page",
    "write main of spaces/user/page",
    "create datasets/user/first",
    "write main of datasets/user/first",
    "make branch script of datasets/user/first",
    "write script of datasets/user/first",
    "create datasets/user/second",
    "write main of datasets/user/second",
)
"""What there is to do where there is nothing yet."""


def small_stage(
    folder: Path, changes: dict[tuple[RepositoryType, str, str], Files] | None = None, namespace: str = "user"
) -> Stage:
    """Write a staged folder.

    Args:
        folder: to be made.
        changes: files that differ from `CONTENTS`, or are added to it.
        namespace: that the manifest names.
    """
    repositories: dict[tuple[RepositoryType, str], list[Branch]] = {}
    for (kind, name, branch), files in CONTENTS.items():
        place = folder / Repository(kind, name, ()).folder(branch)
        contents = files | (changes or {}).get((kind, name, branch), {})
        for path, content in contents.items():
            (place / path).parent.mkdir(parents=True, exist_ok=True)
            (place / path).write_bytes(content)
        records = tuple(staged_file(path, content) for path, content in sorted(contents.items()))
        repositories.setdefault((kind, name), []).append(Branch(branch, records))
    found = tuple(Repository(kind, name, tuple(branches)) for (kind, name), branches in repositories.items())
    stage = Stage(folder, namespace, "1.2.3", found)
    (folder / MANIFEST).write_text(manifest_text(stage), encoding="utf-8")
    return stage


def stands(hub: LoopbackHub, stage: Stage, namespace: str = "user") -> list[str]:
    """What of a stage does not stand on the Hub as it is staged: each branch alone, with no file more."""
    wrong = []
    for repository in stage.repositories:
        there = hub.repos.get((repository.type.value, f"{namespace}/{repository.name}"))
        for branch in repository.branches:
            wanted = {file.path: stage.path(repository, branch.name, file.path).read_bytes() for file in branch.files}
            if there is None or branch.name not in there.branches or there.files(branch.name) != wanted:
                wrong.append(f"{branch.name} of {repository.type.value}s/{namespace}/{repository.name}")
    return wrong


@dataclass
class Result:
    """Of a run of the command.

    Attributes:
        code: exit code.
        out: standard output.
        err: standard error.
        waits: seconds that it would have waited.
    """

    code: int
    out: str
    err: str
    waits: list[float] = field(default_factory=list)

    @property
    def done(self) -> list[str]:
        """The steps that were reported as done."""
        prefix = "done: "
        lines = [line.removeprefix(prefix) for line in self.out.splitlines() if line.startswith(prefix)]
        return [line.removesuffix(", and read it back") for line in lines]


class Client:
    """The command, in this process."""

    def __init__(self, hub: LoopbackHub, stage: Stage, capture: pytest.CaptureFixture[str]) -> None:
        self.hub, self.stage, self._capture = hub, stage, capture
        self.waits: list[float] = []

    def publish(self, *options: str, staged: Path | None = None, namespace: str = "user") -> Result:
        """Run ``dibimt hub publish`` with the small stage."""
        return self.run("--namespace", namespace, "--staged", str(staged or self.stage.folder), *options)

    def run(self, *options: str) -> Result:
        """Run ``dibimt hub publish``."""
        self.waits.clear()
        self._capture.readouterr()
        code = main(["hub", "publish", *options])
        out, err = self._capture.readouterr()
        # Whatever happens: no token, no stack of calls.
        assert self.hub.token not in out + err
        assert "Traceback" not in out + err
        return Result(code, out, err, list(self.waits))


@contextmanager
def online(monkeypatch: pytest.MonkeyPatch, hub: LoopbackHub) -> Iterator[None]:
    """Let ``huggingface_hub``, which is offline in this process, talk to a loopback Hub."""
    from huggingface_hub import close_session, constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", True)
    monkeypatch.setenv("HF_ENDPOINT", hub.url)
    monkeypatch.setenv("HF_TOKEN", hub.token)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    # The library's log holds on to the standard error of the test that imported it, which is closed by now.
    monkeypatch.setattr(logging, "raiseExceptions", False)
    close_session()
    yield
    close_session()


def without_waiting(monkeypatch: pytest.MonkeyPatch, waits: list[float]) -> None:
    """Note the waits of the command, and do not wait."""
    monkeypatch.setattr("dibimt_tools.hub.command_publish.time", SimpleNamespace(sleep=waits.append))
