"""Fixtures of this package: the staged repositories, and loopback Hubs to publish them to and to load them from."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dibimt_tools.hub.repositories import Stage
from minimal_pairs.conversion.convert import convert
from tests.hub.loopback import LoopbackHub, put
from tests.hub.publishing import Client, online, small_stage, without_waiting
from tests.minimal_pairs.conftest import write_release


@pytest.fixture(scope="session")
def converted_blimp(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """BLiMP's form with three pairs of each paradigm, converted; not to be changed."""
    folder = tmp_path_factory.mktemp("converted")
    convert(write_release(folder / "release"), folder / "blimp")
    return folder / "blimp"


@pytest.fixture(scope="session")
def staged(converted_blimp: Path, tmp_path_factory: pytest.TempPathFactory) -> Stage:
    """All repositories, staged for the user ``user``; not to be changed."""
    from dibimt_tools.hub.staging import stage

    return stage(tmp_path_factory.mktemp("staged") / "hub", namespace="user", blimp=converted_blimp)


@pytest.fixture
def hub() -> Iterator[LoopbackHub]:
    """A Hub without repositories."""
    with LoopbackHub() as running:
        yield running


@pytest.fixture(scope="session")
def published_hub(staged: Stage) -> Iterator[LoopbackHub]:
    """A Hub that holds all that is staged; not to be changed."""
    with LoopbackHub() as running:
        put(running, staged)
        yield running


@pytest.fixture
def client(
    hub: LoopbackHub,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Iterator[Client]:
    """``dibimt hub publish`` in this process, with a small stage and an empty Hub."""
    found = Client(hub, small_stage(tmp_path / "stage"), capsys)
    without_waiting(monkeypatch, found.waits)
    with online(monkeypatch, hub):
        yield found
