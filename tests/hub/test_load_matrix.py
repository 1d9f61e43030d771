"""Every data set, in three generations of ``datasets``, on every way that there is to load it: the load matrix.

The rows are those of the staged files, read here without ``datasets``; the columns are written down in the tests
of each data set. One process of each generation answers all requests.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from dibimt_tools.hub.repositories import MAIN, SCRIPT, RepositoryType, Stage
from tests.dibimt_dataset.test_loading import FEATURES as DIBIMT
from tests.generations.loading import ALL, OLDER, Answer, Client, Request
from tests.hub.clients import ROOT, client_environment
from tests.hub.loopback import LoopbackHub, put
from tests.hub.loopback_store import HubRepository
from tests.ldd_challenge_sets.test_load import FEATURES as LDD
from tests.minimal_pairs.test_load import FEATURES as BLIMP

pytestmark = pytest.mark.slow

TAG = "v1"
TRUSTED = {"trust_remote_code": True}


@dataclass(frozen=True)
class DataSet:
    """One data set.

    Attributes:
        name: of its repository.
        builder: the class for those who load from Python.
        features: of every configuration.
        files: patterns of the files of some configurations.
        packaged: whether the data lie in the package, so that the class finds them.
        split: that there is.
    """

    name: str
    builder: str
    features: dict[str, Any]
    files: dict[str, str]
    packaged: bool = True
    split: str = "test"

    @property
    def configurations(self) -> tuple[str, ...]:
        return tuple(self.files)

    def expected(self, stage: Stage) -> Answer:
        """What each configuration has to be."""
        folder = place(stage, self, MAIN)
        return {
            name: {"features": self.features, "rows": [row for path in paths(folder, pattern) for row in rows(path)]}
            for name, pattern in self.files.items()
        }  # fmt: skip


def paths(folder: str, pattern: str) -> list[Path]:
    found = sorted(Path(folder).glob(pattern))
    assert found, pattern
    return found


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


SETS = (
    DataSet(
        "dibimt",
        "dibimt_dataset.loading_script.DibimtDataset",
        DIBIMT,
        {language: f"data/mini/{language}.jsonl" for language in ("de", "zh", "it")},
    ),
    DataSet(
        "ldd-challenge-sets",
        "ldd_challenge_sets.loading_script.LddChallengeSets",
        LDD,
        {name: f"data/{name}.jsonl" for name in ("de-en-particle", "en-de-preposition_stranding", "en-de-baseline")},
    ),
    DataSet(
        "blimp",
        "minimal_pairs.loading_script.Blimp",
        BLIMP,
        {"wh_island": "data/island_effects/wh_island.jsonl", "binding-corrected": "corrected/binding/*.jsonl"},
        packaged=False,
        split="train",
    ),
)  # fmt: skip


def place(stage: Stage, data: DataSet, branch: str) -> str:
    """The staged folder of a branch."""
    (found,) = (each for each in stage.repositories if each.name == data.name and each.type is RepositoryType.DATASET)
    return str(stage.path(found, branch))


def from_hub(data: DataSet, stage: Stage, hub: LoopbackHub, streaming: bool = False, **options: Any) -> Request:
    return Request(f"user/{data.name}", data.configurations, data.split, streaming, options)


def from_folder(data: DataSet, stage: Stage, hub: LoopbackHub, streaming: bool = False) -> Request:
    return Request(place(stage, data, MAIN), data.configurations, data.split, streaming)


def commit(data: DataSet, stage: Stage, hub: LoopbackHub) -> Request:
    return from_hub(data, stage, hub, revision=hub.repo("dataset", data.name).branches[MAIN])


def script_folder(data: DataSet, stage: Stage, hub: LoopbackHub) -> Request:
    options = {**TRUSTED, "data_dir": place(stage, data, MAIN)}
    return Request(place(stage, data, SCRIPT), data.configurations, data.split, options=options)


def builder(data: DataSet, stage: Stage, hub: LoopbackHub, streaming: bool = False, **options: Any) -> Request:
    return Request(str(ROOT), data.configurations, data.split, streaming, options, data.builder)


def class_here(data: DataSet, stage: Stage, hub: LoopbackHub) -> Request:
    options = {} if data.packaged else {"data_dir": place(stage, data, MAIN)}
    return builder(data, stage, hub, **options)


def class_hub(data: DataSet, stage: Stage, hub: LoopbackHub, streaming: bool = False) -> Request:
    # Data that lie in the package go before those of a repository.
    return builder(data, stage, hub, streaming, repo_id=f"user/{data.name}")


Way = Callable[[DataSet, Stage, LoopbackHub], Request]
WAYS: dict[str, Way] = {
    "folder": from_folder,
    "folder, streaming": lambda *given: from_folder(*given, streaming=True),
    "Hub": from_hub,
    "Hub, streaming": lambda *given: from_hub(*given, streaming=True),
    "Hub, commit": commit,
    "Hub, tag": lambda *given: from_hub(*given, revision=TAG),
    "script, folder": script_folder,
    "script, Hub": lambda *given: from_hub(*given, revision=SCRIPT, **TRUSTED),
    "script, Hub, streaming": lambda *given: from_hub(*given, streaming=True, revision=SCRIPT, **TRUSTED),
    "class, data here": class_here,
    "class, repository": class_hub,
    "class, repository, streaming": lambda *given: class_hub(*given, streaming=True),
}
PRIVATE: dict[str, dict[str, Any]] = {
    "prepared": {},
    "streaming": {},
    "script": {**TRUSTED, "revision": SCRIPT},
}


@pytest.fixture(scope="module")
def tagged_hub(staged: Stage) -> Iterator[LoopbackHub]:
    """A Hub with all repositories, whose `main` has a tag, and a private one."""
    with LoopbackHub() as hub:
        put(hub, staged)
        for repository in hub.repos.values():
            repository.tags[TAG] = repository.branches[MAIN]
        public = hub.repo("dataset", "dibimt")
        private = HubRepository("dataset", "user/private", private=True)
        private.commit(MAIN, public.stored(MAIN), "data")
        private.commit(SCRIPT, {"private.py": public.stored(SCRIPT)["dibimt.py"]}, "script")
        hub.repos["dataset", private.id] = private
        yield hub


@pytest.fixture(scope="module", params=ALL)
def answers(
    request: pytest.FixtureRequest,
    staged: Stage,
    tagged_hub: LoopbackHub,
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[str, dict[tuple[str, str], Answer]]:
    """A generation, and what it makes of each data set on each way; there is no token but where it is given."""
    folder = tmp_path_factory.mktemp("client")
    asked = {(data.name, name): way(data, staged, tagged_hub) for data in SETS for name, way in WAYS.items()}
    for token, given in (("no token", {}), ("token", {"token": tagged_hub.token})):
        for name, options in PRIVATE.items():
            streaming = name == "streaming"
            asked[token, name] = Request("user/private", ("de",), "test", streaming, {**options, **given})
    settings = client_environment(folder, tagged_hub, token=None)
    with Client(request.param, folder, settings) as client:
        return request.param, dict(zip(asked, client.ask(*asked.values()), strict=True))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("data", SETS, ids=lambda data: data.name)
def test_the_same_rows_and_features(
    answers: tuple[str, dict[tuple[str, str], Answer]], staged: Stage, data: DataSet, way: str
) -> None:
    generation, found = answers
    answer = found[data.name, way]
    if way.startswith("script") and generation not in OLDER:
        refused = f"Dataset scripts are no longer supported, but found {data.name}.py"
        wanted = {"error": "RuntimeError", "message": refused}
        assert answer == dict.fromkeys(data.configurations, wanted)
        return
    assert {name: each["message"] for name, each in answer.items() if "error" in each} == {}
    assert answer == data.expected(staged)


def test_the_examples_name_what_is_asked_for(staged: Stage) -> None:
    # The words of the card and of the script, as they stand on the Hub.
    script = ', revision="script", trust_remote_code=True)'
    first = {data.name: next(iter(data.files)) for data in SETS}
    for data in SETS:
        text = Path(place(staged, data, SCRIPT), f"{data.name}.py").read_text(encoding="utf-8")
        assert f'load_dataset("user/{data.name}", "{first[data.name]}"' in text and script in text
    card = Path(place(staged, SETS[0], MAIN), "README.md").read_text(encoding="utf-8")
    assert 'load_dataset("user/dibimt", "de", split="test")\n' in card
    assert f'load_dataset("user/dibimt", "de", split="test"{script}\n' in card


@pytest.mark.parametrize("way", ["prepared", "streaming", "script"])
def test_a_private_repository_needs_the_token(answers: tuple[str, dict[tuple[str, str], Answer]], way: str) -> None:
    generation, found = answers
    assert found["no token", way]["de"]["error"] == "DatasetNotFoundError"
    answer = found["token", way]["de"]
    if way == "script" and generation not in OLDER:
        assert answer["message"].startswith("Dataset scripts are no longer supported")
    else:
        assert len(answer["rows"]) == 71
