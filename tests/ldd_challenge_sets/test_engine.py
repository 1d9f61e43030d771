"""Worker processes that are interrupted from the keyboard: one message, of the process that was started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# Prints a line when the workers have been started, and one for each chunk that came back.
SCRIPT = """
import sys, time
from dataclasses import dataclass
from ldd_challenge_sets.extraction.inputs import Chunk, Entry
from ldd_challenge_sets.extraction.engine import run_chunks
from ldd_challenge_sets.extraction.inputs import ChunkResult

@dataclass(frozen=True)
class Slow:
    loading: float

    def start(self):
        time.sleep(self.loading)
        return work

def work(chunk):
    time.sleep(0.02)
    return ChunkResult(chunk.number, 1, 1, (), {}, ())

def chunks():
    for number in range(1000):
        if number == 5:  # six are asked for before the first result
            print("started", flush=True)
        yield Chunk(number, (Entry(number + 1, "a", "b"),))

if __name__ == "__main__":
    try:
        for result in run_chunks(Slow(float(sys.argv[1])), chunks(), workers=2):
            print("result", flush=True)
    except KeyboardInterrupt:
        sys.exit("interrupted")
"""


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="a terminal interrupts all processes of a group")
@pytest.mark.parametrize(
    ("loading", "line", "times", "pause"),
    [
        pytest.param(0, "started", 1, 0.2, id="while workers import"),
        pytest.param(30, "started", 1, 3, id="while workers load"),
        pytest.param(0, "result", 20, 0, id="at work"),
    ],
)
def test_interrupted_from_the_keyboard(tmp_path: Path, loading: float, line: str, times: int, pause: float) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, str(script), str(loading)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        for _ in range(times):
            while (read := process.stdout.readline()) and read != f"{line}\n":
                pass
        time.sleep(pause)
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (1, "interrupted\n")
