"""Virtual environments beside that of the tests, made once and kept under ``.venv/generations/``.

    python tests/generations/environments.py

builds all that are missing and prints one line for each: older generations of ``datasets``, which cannot stand beside
the newest, and ``olah``, a peer of the Hub. ``<name>.txt`` pins everything in one exactly. A stamp in the environment
names the pins and the Python it was made with; it is made anew when either changes.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".venv" / "generations"
GENERATIONS = ("2.21", "3.6")
"""Of ``datasets``; those that run loading scripts."""
OLAH = "olah-0.5.4"
NAMES = (*(f"datasets-{generation}" for generation in GENERATIONS), OLAH)
STAMP = "stamp.txt"


class EnvironmentUnavailable(Exception):
    """Nothing can be installed here: there is no package index. Tests skip with this reason."""


class BrokenPins(Exception):
    """There is a package index, but not what the pins ask for, or the pins do not fit together."""


def pins_of(name: str) -> Path:
    return Path(__file__).with_name(f"{name}.txt")


def python_of(name: str) -> Path:
    """The interpreter of an environment of `NAMES`, which is built where it is missing.

    Raises:
        EnvironmentUnavailable: nothing can be installed.
        BrokenPins: it cannot be installed as pinned.
    """
    folder = FOLDER / name
    key = key_of(name)
    stamp = folder / STAMP
    if not (stamp.is_file() and stamp.read_text(encoding="utf-8") == key):
        build(name, folder, key)
    return interpreter(folder)


def key_of(name: str) -> str:
    """Names what an environment is made from."""
    digest = hashlib.sha256(pins_of(name).read_bytes()).hexdigest()
    return f"{digest} {sys.version.split()[0]} {sys.platform}\n"


def interpreter(folder: Path) -> Path:
    return folder / ("Scripts" if os.name == "nt" else "bin") / "python"


def build(name: str, folder: Path, key: str) -> None:
    """Make the environment beside its place and move it there, so that no half of one is ever taken for a whole."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=FOLDER, prefix="new-", ignore_cleanup_errors=True) as scratch:
        new = Path(scratch) / "environment"
        run(sys.executable, "-m", "venv", str(new)).check_returncode()
        install(interpreter(new), pins_of(name))
        (new / STAMP).write_text(key, encoding="utf-8")
        if folder.exists():
            folder.rename(Path(scratch) / "old")
        try:
            # What breaks by this are start scripts such as bin/pip; nobody here calls them.
            new.rename(folder)
        except OSError:
            if not (folder / STAMP).is_file():  # else another process was faster
                raise


def install(python: Path, pins: Path) -> None:
    # The pins name every package, so nothing is left for pip to choose; `check` shows a missing one.
    done = run(str(python), "-m", "pip", "install", "--quiet", "--no-deps", "--requirement", str(pins))
    if done.returncode == 0:
        done = run(str(python), "-m", "pip", "check")
    elif not has_index(python, pins):
        raise EnvironmentUnavailable(f"{pins.name} cannot be installed here: {last_line(done)}")
    if done.returncode:
        raise BrokenPins(f"{pins.name}: {last_line(done)}")


def has_index(python: Path, pins: Path) -> bool:
    """Whether pip can get any of the pinned packages: the first one, in any version."""
    lines = pins.read_text(encoding="utf-8").splitlines()
    package = next(line.partition("==")[0] for line in lines if line and not line.startswith("#"))
    with tempfile.TemporaryDirectory() as folder:
        return run(str(python), "-m", "pip", "download", "--no-deps", "--dest", folder, package).returncode == 0


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False)


def last_line(done: subprocess.CompletedProcess[str]) -> str:
    lines = [line for line in (done.stderr + done.stdout).splitlines() if line.strip()]
    return lines[-1] if lines else f"exit code {done.returncode}"


def main() -> int:
    """Build all; an index that is not there is no failure, tests skip then."""
    failed = False
    for name in NAMES:
        try:
            result = str(python_of(name))
        except EnvironmentUnavailable as error:
            result = f"left out, tests will skip it. {error}"
        except BrokenPins as error:
            result, failed = f"failed. {error}", True
        sys.stdout.write(f"{name}: {result}\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
