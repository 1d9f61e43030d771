"""The program as a whole: help, version, usage errors, pipes, interruption."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from dibimt_metric.version import VERSION
from dibimt_tools.cli import COMMANDS

HEAVY = {"numpy", "matplotlib", "tqdm", "evaluate", "torch", "stanza", "simplemma", "dibimt_metric"}


def test_help_names_every_command(run) -> None:
    code, out, err = run("--help")
    assert (code, err) == (0, "")
    assert all(f"\n    {name} " in out for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_help_with_an_example(run, name: str) -> None:
    code, out, _ = run(f"{name} --help")
    assert code == 0
    assert f"  dibimt {name}" in out.partition("\n\n")[2]


def test_version(run) -> None:
    assert run("--version") == (0, f"dibimt {VERSION}\n", "")


@pytest.mark.parametrize(
    "command",
    [
        "",
        "nonsense",
        "score",
        "explain",
        "compare",
        "validate",
        "languages --x",
        # No abbreviations: a new option must not change what an old call means.
        "score --lang de --items mini --predictions mini:careful",
        "score --language de --items mini --predictions mini:careful --seed -1",
        "score --language de --items mini --predictions mini:careful --seed one",
        "score --language de --items mini --predictions mini:careful --format xml",
    ],
)
def test_wrong_usage_is_exit_code_2_and_a_message(run, command: str) -> None:
    code, out, err = run(command)
    assert (code, out) == (2, "")
    assert "error:" in err and "Traceback" not in err


def imported(environment: dict[str, str], *arguments: str) -> set[str]:
    """The modules that the program has imported at its end."""
    code = f"import sys; from dibimt_tools.cli import main; main({arguments!r}); print(*sys.modules)"
    out = subprocess.check_output([sys.executable, "-c", code], env=environment, text=True)
    return set(out.splitlines()[-1].split())


def test_help_imports_no_command(environment) -> None:
    own = {name for name in imported(environment, "--help") if name.startswith("dibimt_")}
    assert own == {"dibimt_tools", "dibimt_tools.cli", "dibimt_tools.output"}


@pytest.mark.parametrize("command", ["score", "ldd score", "blimp score", "hub publish"])
def test_help_of_a_command_imports_nothing_heavy(environment, command: str) -> None:
    found = imported(environment, *command.split(), "--help")
    assert not HEAVY & found
    commands = {name for name in found if ".command_" in name and name.startswith("dibimt_tools")}
    assert len(commands) == 1


def test_program_in_a_process(folder: Path, program) -> None:
    command = "score --language de --items items.jsonl --predictions - --json"
    code, out, err = program(command, stdin=(folder / "hyp.txt").read_bytes())
    assert code == 0
    assert out.startswith(b'{\n  "n": 4,')
    assert err == b""  # no progress bar where standard error is no terminal


def test_errors_of_a_process_have_no_traceback(folder: Path, program) -> None:
    code, out, err = program("score --language de --items nowhere.jsonl --predictions hyp.txt")
    assert (code, out) == (2, b"")
    assert err.startswith(b"dibimt score: nowhere.jsonl: cannot be read")
    assert err.count(b"\n") == 1


@pytest.mark.parametrize("command", ["validate broken.jsonl", "languages", "score --help", "--help", "--version"])
def test_a_closed_pipe_is_no_error(folder: Path, start, command: str) -> None:
    (folder / "broken.jsonl").write_text("{}\n" * 2000, encoding="utf-8")
    with start(command) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
    # The exit code stays that of the work: this file has problems.
    assert process.returncode == (1 if "broken" in command else 0)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_a_message(program) -> None:
    with Path("/dev/full").open("wb") as full:
        code, _, err = program("languages", stdout=full)
    assert code == 2
    assert err.startswith(b"dibimt languages: standard output: cannot be written")
    assert err.count(b"\n") == 1


def test_a_pipe_gets_utf_8_in_every_locale(program, environment) -> None:
    settings = {**environment, "PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"}
    code, out, _ = program("languages zh", env=settings)
    assert code == 0
    assert "着" in out.decode("utf-8")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_interruption_is_130_and_leaves_nothing(folder: Path, start) -> None:
    os.mkfifo(folder / "pipe.txt")
    before = set(folder.iterdir())
    work = start("score --language de --items items.jsonl --predictions pipe.txt --per-item out.jsonl")
    # Opening returns when the program has opened the other end, and so is at work.
    with work as process, (folder / "pipe.txt").open("wb"):
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert (out, err) == (b"", b"dibimt: interrupted\n")
    assert set(folder.iterdir()) == before
