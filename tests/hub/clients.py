"""Clients of the loopback Hub in processes of their own: the test process itself is offline.

The Hugging Face libraries read the environment once, when they are imported, so each set of settings needs a process.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.hub.loopback import TOKEN, LoopbackHub

ROOT = Path(__file__).resolve().parents[2]

TIMEOUT = 300
"""Seconds after which a client is taken to hang."""

_DROPPED = (
    "HF_",
    "HUGGING_FACE_",
    "HUGGINGFACE_",
    "TRANSFORMERS_",
    "DATASETS_",
    "http_proxy",
    "https_proxy",
    "all_proxy",
)


def client_environment(
    scratch: Path, hub: LoopbackHub | None, token: str | None = TOKEN, **more: str
) -> dict[str, str]:
    """The environment of a client, with nothing of this process's settings for the Hub.

    Args:
        scratch: folder of the test; the caches of the client lie in it.
        hub: the one to talk to; ``None``: the client is offline.
        token: ``None``: there is none.
        more: further variables.
    """
    kept = {
        key: value for key, value in os.environ.items() if not key.lower().startswith(tuple(map(str.lower, _DROPPED)))
    }
    found = kept | {
        "HF_HOME": str(scratch / "hf-home"),
        "HF_HUB_DISABLE_XET": "1",
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "HF_UPDATE_DOWNLOAD_COUNTS": "0",  # else evaluate tells a server of Amazon of each download
        "HF_HUB_DISABLE_PROGRESS_BARS": "1",
        "NO_PROXY": "127.0.0.1",
        "no_proxy": "127.0.0.1",
        "OMP_NUM_THREADS": "1",
        "PYTHONPATH": str(ROOT),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    if hub is None:
        found |= {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_EVALUATE_OFFLINE": "1"}
    else:
        found["HF_ENDPOINT"] = hub.url
    if token is not None:
        found["HF_TOKEN"] = token
    return found | more


def run_python(code: str, environment: dict[str, str], cwd: Path, *arguments: str, python: Path | None = None) -> Any:
    """What a program prints as its last line, in JSON.

    Args:
        code: the program; ``sys.argv[1:]`` are the arguments.
        environment: see `client_environment`.
        cwd: where it runs; not the repository, whose folders would be taken for data sets.
        arguments: of the program.
        python: another interpreter than this one.

    Raises:
        AssertionError: it fails, with what it wrote to standard error.
    """
    done = subprocess.run(
        [str(python or sys.executable), "-c", code, *arguments],
        cwd=cwd,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=TIMEOUT,
    )
    assert done.returncode == 0, f"exit code {done.returncode}\n{done.stdout}\n{done.stderr}"
    return json.loads(done.stdout.splitlines()[-1])
