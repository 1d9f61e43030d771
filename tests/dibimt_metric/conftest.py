"""Fixtures of the metric's tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from dibimt_metric.analyzers import load_analyzer
from dibimt_metric.judge import Judge


@pytest.fixture(scope="session")
def stanza_judge(shared_models: Path) -> Callable[[str], Judge]:
    """The judge of a language with the shared Stanza model of its default package.

    A model is loaded when its language is first asked for; the analyzers' own registry keeps it.
    """
    pytest.importorskip("stanza", reason="Stanza is not installed")

    def judge(language: str) -> Judge:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("STANZA_RESOURCES_DIR", str(shared_models / "stanza"))
            return Judge(language, [load_analyzer("stanza", language)])

    return judge
