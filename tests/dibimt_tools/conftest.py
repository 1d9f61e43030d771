"""Small files for the command line, and the program itself as a process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

ITEMS = (
    {
        "id": "1",
        "source": "We sat on the bank.",
        "focus": {"text": "bank", "start": 14, "end": 18},
        "lemma": "bank",
        "pos": "n",
        "definition": "land beside water",
        "frequency_index": 1,
        "polysemy": 10,
        "good": ["Ufer"],
        "bad": [{"lemma": "Bank", "synsets": ["wn30:08420278-n"], "frequency_indices": [2]}],
        "language": "de",
    },
    {
        "id": "2",
        "source": "The mouse was broken.",
        "lemma": "mouse",
        "pos": "n",
        "frequency_index": 4,
        "polysemy": 4,
        "good": ["Computermaus"],
        "bad": [{"lemma": "Maus", "synsets": ["wn30:02330245-n"], "frequency_indices": [1]}],
        "language": "de",
    },
    {"id": "3", "frequency_index": 2, "polysemy": 4, "good": ["Pferd"], "bad": ["Esel"]},
    {"id": "4", "frequency_index": 2, "polysemy": 12, "good": ["Schloss"], "bad": ["Burg"], "pos": "n"},
    # Of another language: passed over where German is scored.
    {"id": "1", "good": ["orilla"], "bad": ["banco"], "language": "es"},
)
TRANSLATIONS = ("Wir saßen am Ufer.", "Die Maus war kaputt.", "Es wiehert.", "Das Schloss der Burg")


@pytest.fixture
def write_lines() -> Callable[[Path, Iterable[object]], Path]:
    """Writes a file of JSON Lines."""

    def write(path: Path, values: Iterable[object]) -> Path:
        path.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
        return path

    return write


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write_lines) -> Path:
    """The current folder, with items.jsonl and hyp.txt in it: one GOOD, one BAD, one MISS, one UNK."""
    write_lines(tmp_path / "items.jsonl", ITEMS)
    (tmp_path / "hyp.txt").write_text("\n".join(TRANSLATIONS) + "\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[int, str, str]]:
    """``main``: takes arguments in one string, and further ones; gives exit code, output, messages."""
    from dibimt_tools.cli import main

    def call(command: str, *more: str, stdin: bytes = b"") -> tuple[int, str, str]:
        capsys.readouterr()
        monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(stdin)))
        code = main([*command.split(), *more])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


@pytest.fixture
def environment() -> dict[str, str]:
    """Of a process that finds the packages of this repository."""
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


@pytest.fixture
def start(environment: dict[str, str]) -> Callable[..., subprocess.Popen[bytes]]:
    """Starts the program in a process of its own."""

    def call(command: str, **options: object) -> subprocess.Popen[bytes]:
        settings = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": environment, **options}
        return subprocess.Popen([sys.executable, "-m", "dibimt_tools", *command.split()], **settings)

    return call


@pytest.fixture
def program(start) -> Callable[..., tuple[int, bytes, bytes]]:
    """The program in a process of its own, to its end: exit code, output, messages."""

    def call(command: str, stdin: bytes | None = None, **options: object) -> tuple[int, bytes, bytes]:
        source = subprocess.DEVNULL if stdin is None else subprocess.PIPE
        with start(command, stdin=source, **options) as process:
            out, err = process.communicate(stdin, timeout=120)
        return process.returncode, out, err

    return call
