"""Fixtures of this package."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ldd_challenge_sets.tiny import Tiny, write_tiny


@pytest.fixture
def tiny(tmp_path: Path) -> Tiny:
    """The files of the tiny corpus, which a test may change."""
    return write_tiny(tmp_path / "corpus")
