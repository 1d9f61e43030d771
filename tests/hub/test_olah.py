"""Reading from ``olah`` 0.5.4, a Hub that is not part of this project, with the real clients of three generations.

It serves git repositories with the staged files. What it does not do: take uploads, and answer as the Hub does where
something is missing (a file of an unknown revision is "no such repository").
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from dibimt_tools.hub.repositories import MAIN, SCRIPT, Stage
from tests.generations.environments import OLAH, EnvironmentUnavailable, python_of
from tests.generations.loading import ALL, OLDER, Answer, Client, Request
from tests.hub.clients import client_environment, run_python
from tests.hub.olah_mirror import TAG, Commits, make_mirrors, olah
from tests.hub.test_load_matrix import SETS, DataSet

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Mirror:
    """``olah``, running: its address, and what it serves."""

    url: str
    commits: Commits

    def settings(self, folder: Path) -> dict[str, str]:
        """The environment of its clients."""
        online = {"HF_HUB_OFFLINE": "0", "HF_DATASETS_OFFLINE": "0", "HF_EVALUATE_OFFLINE": "0"}
        return {**client_environment(folder, None, token=None), **online, "HF_ENDPOINT": self.url}


@pytest.fixture(scope="module")
def mirror(staged: Stage, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mirror]:
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    try:
        python = python_of(OLAH)
    except EnvironmentUnavailable as error:
        pytest.skip(str(error))
    folder = tmp_path_factory.mktemp("olah")
    commits = make_mirrors(staged, folder / "mirrors", "user")
    with olah(python, folder, folder / "mirrors", commits) as url:
        yield Mirror(url, commits)


WAYS: dict[str, dict[str, Any]] = {
    "main": {},
    "streaming": {},
    "tag": {"revision": TAG},
    "commit": {},
    "script": {"revision": SCRIPT, "trust_remote_code": True},
    "script, streaming": {"revision": SCRIPT, "trust_remote_code": True},
}


@pytest.mark.parametrize("generation", ALL)
def test_load_dataset(generation: str, mirror: Mirror, staged: Stage, tmp_path: Path) -> None:
    asked = {}
    for data in SETS:
        commit = mirror.commits[f"datasets/user/{data.name}"][MAIN]
        for way, options in WAYS.items():
            if way in ("tag", "commit") and data.name != "dibimt":
                continue  # the same again, and slow: `datasets` reads BLiMP's card of 160 configurations each time
            given = {"revision": commit} if way == "commit" else options
            streaming, name = "streaming" in way, f"user/{data.name}"
            asked[data.name, way] = Request(name, data.configurations, data.split, streaming, given)
    with Client(generation, tmp_path, mirror.settings(tmp_path)) as client:
        # First, because older generations would find the revision in their cache.
        missing = client.ask(
            Request("user/nothing", ("de",)), Request("user/dibimt", ("de",), options={"revision": "v9"})
        )
        answers = dict(zip(asked, client.ask(*asked.values()), strict=True))
    named = {data.name: data for data in SETS}
    for (name, way), answer in answers.items():
        check(generation, named[name], way, answer, staged)
    assert [each["de"]["error"] for each in missing] == ["DatasetNotFoundError"] * 2


def check(generation: str, data: DataSet, way: str, answer: Answer, staged: Stage) -> None:
    if way.startswith("script") and generation not in OLDER:
        assert {each.get("error") for each in answer.values()} == {"RuntimeError"}
        return
    failed = {name: each["message"] for name, each in answer.items() if "error" in each}
    assert failed == {}, (data.name, way)
    assert answer == data.expected(staged), (data.name, way)


READ = """
import hashlib
import json
import sys
from pathlib import Path
from huggingface_hub import HfApi
from huggingface_hub import snapshot_download

found = {}
for asked in sys.argv[1:]:
    kind, name, branch = asked.split(":")
    folder = Path(snapshot_download(name, repo_type=kind, revision=branch))
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    found[asked] = {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files
    }
refs = HfApi().list_repo_refs("user/dibimt", repo_type="dataset")
found["refs"] = {each.name: each.target_commit for each in (*refs.branches, *refs.tags)}
print(json.dumps(found))
"""


def test_snapshots_are_the_staged_files(mirror: Mirror, staged: Stage, tmp_path: Path) -> None:
    expected = {
        f"{repository.type.value}:user/{repository.name}:{branch.name}": {
            file.path: file.sha256 for file in branch.files
        }
        for repository in staged.repositories
        for branch in repository.branches
    }
    found = run_python(READ, mirror.settings(tmp_path), tmp_path, *expected)
    assert found.pop("refs") == mirror.commits["datasets/user/dibimt"]
    assert found == expected
    assert any(name.startswith("space:") for name in found)


EVALUATE = """
import json
import sys
import evaluate

items = json.loads(sys.argv[1])
# Without a revision `evaluate` asks for a tag named like its own release first, and takes "no such revision" for an
# answer; `olah` says "no such repository", which is the end. (Once loaded, it would be served from the cache.)
try:
    evaluate.load("user/dibimt", "de")
    without = ""
except FileNotFoundError as error:
    without = str(error)
metric = evaluate.load("user/dibimt", "de", revision="main")
result = metric.compute(predictions=["Die Pupille war sehr groß."], references=items)
print(json.dumps([metric.name, result["accuracy"], without]))
"""


def test_the_space_loads_as_a_metric(mirror: Mirror, tmp_path: Path) -> None:
    from dibimt_dataset import mini_path

    first = json.loads(mini_path("de").read_text(encoding="utf-8").splitlines()[0])
    settings = mirror.settings(tmp_path)
    name, accuracy, without = run_python(EVALUATE, settings, tmp_path, json.dumps([first]))
    assert (name, accuracy) == ("dibimt", 100.0)
    assert "doesn't exist on the Hugging Face Hub" in without
