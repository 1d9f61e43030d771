"""What all tests share: a quiet, offline environment and the places of test data.

The environment is set before anything else is imported, because torch and the Hugging Face libraries read it
once, when they are imported.
"""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = "1"  # two torch threads on busy cores are many times slower than one
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_DATASETS_OFFLINE"] = "1"
os.environ["HF_EVALUATE_OFFLINE"] = "1"
os.environ["MPLBACKEND"] = "Agg"
# A cache of this run only: nothing left by an earlier run can make a test pass, nothing stays behind.
os.environ["HF_HOME"] = tempfile.mkdtemp(prefix="dibimt-tests-")
# The dictionaries are built once for all processes of this run: those of pytest-xdist inherit the folder of the first.
os.environ["DIBIMT_CACHE"] = (
    os.environ["DIBIMT_CACHE"] if "PYTEST_XDIST_WORKER" in os.environ else tempfile.mkdtemp(prefix="dibimt-tests-")
)

import pytest
from hypothesis import settings

# A shell that runs the tests in the background ignores this signal, and so would the programs that tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).resolve().parents[1]

settings.register_profile("ci", derandomize=True, deadline=None)
settings.load_profile("ci")


def pytest_unconfigure() -> None:
    """Remove the caches of this run."""
    shutil.rmtree(os.environ["HF_HOME"], ignore_errors=True)
    if "PYTEST_XDIST_WORKER" not in os.environ:
        shutil.rmtree(os.environ["DIBIMT_CACHE"], ignore_errors=True)


def _folder(variable: str, default: str, holds: str) -> Path:
    path = Path(os.environ.get(variable) or ROOT / default).resolve()
    if not path.is_dir():
        pytest.skip(f"no {holds} at {path}; set {variable} to their folder")
    return path


@pytest.fixture(scope="session")
def test_data() -> Path:
    """Folder of the shared test data: DIBIMT_TEST_DATA, else ../shared/data beside the repository."""
    return _folder("DIBIMT_TEST_DATA", "../shared/data", "test data")


@pytest.fixture(scope="session")
def shared_models() -> Path:
    """Folder of the shared models: DIBIMT_TEST_MODELS, else ../shared/models beside the repository."""
    return _folder("DIBIMT_TEST_MODELS", "../shared/models", "models")
