"""Environments beside that of the tests: pinned exactly, made anew when pins change, honest about what failed."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.generations import environments
from tests.generations.environments import NAMES, STAMP, BrokenPins, EnvironmentUnavailable

PIN = re.compile(r'[A-Za-z0-9_-]+==[0-9][0-9a-z.]*( ; python_version (<|>=) "3\.\d+")?')


@pytest.mark.parametrize("name", NAMES)
def test_everything_is_pinned_exactly(name: str) -> None:
    lines = environments.pins_of(name).read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    assert [pin for pin in pins if not PIN.fullmatch(pin)] == []
    library, _, version = name.partition("-")
    assert pins[0].startswith(f"{library}=={version}")


class Pip:
    """Stands in for `environments.run`: notes the commands, and fails those that hold one of the words."""

    def __init__(self, *failing: str) -> None:
        self.failing, self.commands = failing, list[str]()

    def __call__(self, *command: str) -> subprocess.CompletedProcess[str]:
        line = " ".join(command)
        self.commands.append(line)
        if "-m venv" in line:
            Path(command[-1]).mkdir(parents=True)
        failed = any(f"pip {word}" in line for word in self.failing)
        return subprocess.CompletedProcess(command, int(failed), "", "some text\nwhy it failed\n" if failed else "")


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pip:
    """Nothing is installed; what would be made stands in a folder of the test."""
    monkeypatch.setattr(environments, "FOLDER", tmp_path / "generations")
    pip = Pip()
    monkeypatch.setattr(environments, "run", pip)
    return pip


def test_is_made_once_and_anew_for_other_pins(built: Pip, monkeypatch: pytest.MonkeyPatch) -> None:
    python = environments.python_of("datasets-3.6")
    assert python.parents[1] == environments.FOLDER / "datasets-3.6"
    commands = len(built.commands)
    assert environments.python_of("datasets-3.6") == python and len(built.commands) == commands
    monkeypatch.setattr(environments, "key_of", lambda name: "other pins\n")
    assert environments.python_of("datasets-3.6") == python and len(built.commands) == 2 * commands
    assert (environments.FOLDER / "datasets-3.6" / STAMP).read_text(encoding="utf-8") == "other pins\n"
    # Neither the old one nor a half-made one is left.
    assert [path.name for path in environments.FOLDER.iterdir()] == ["datasets-3.6"]


def test_without_an_index_it_is_unavailable(built: Pip) -> None:
    built.failing = ("install", "download")
    with pytest.raises(EnvironmentUnavailable, match="datasets-2.21.txt cannot be installed here: why it failed"):
        environments.python_of("datasets-2.21")
    assert list(environments.FOLDER.iterdir()) == []


@pytest.mark.parametrize("failing", ["install", "check"])
def test_with_an_index_it_is_a_fault_of_the_pins(built: Pip, failing: str) -> None:
    # A skip would hide it for ever.
    built.failing = (failing,)
    with pytest.raises(BrokenPins, match="datasets-2.21.txt: why it failed"):
        environments.python_of("datasets-2.21")


@pytest.mark.parametrize(
    ("failing", "code", "line"),
    [
        ((), 0, "datasets-2.21: "),
        (("install", "download"), 0, "datasets-2.21: left out, tests will skip it. "),
        (("check",), 1, "datasets-2.21: failed. "),
    ],
)
def test_command(
    built: Pip, capsys: pytest.CaptureFixture[str], failing: tuple[str, ...], code: int, line: str
) -> None:
    built.failing = failing
    assert environments.main() == code
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(NAMES) and lines[0].startswith(line)
