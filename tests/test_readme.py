"""The examples of the README run: Python blocks, and commands on the files that the README shows."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from dibimt_tools.cli import main

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")

PYTHON = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
COMMANDS = re.findall(r"^\$ dibimt (.*)$", README, re.MULTILINE)
FILES = re.findall(r"<!-- file: (\S+) -->\n```\w*\n(.*?)```", README, re.DOTALL)


@pytest.fixture
def shown_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The README's files in a folder of their own, which is the current one."""
    for name, content in FILES:
        (tmp_path / name).write_text(content, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_there_is_something_to_run() -> None:
    assert len(PYTHON) >= 2 and len(COMMANDS) >= 4 and len(FILES) >= 2


@pytest.mark.parametrize("block", PYTHON)
def test_python_block(block: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    exec(compile(block, "README.md", "exec"), {})
    printed = capsys.readouterr().out.splitlines()
    expected = re.findall(r"print\(.*\)   # (.*)", block)
    assert printed[: len(expected)] == expected


@pytest.mark.parametrize("command", COMMANDS)
def test_command(command: str, shown_files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(shlex.split(command)) == 0
    assert capsys.readouterr().out.strip()


def test_named_files_and_folders_exist() -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", README):
        assert (ROOT / target).exists(), target
