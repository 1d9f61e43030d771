"""Loading a second time, without a connection, at another revision, after a change, from another generation's cache.

What ``datasets`` does silently in some of these cases is written down here with what helps; ``docs/hub.md`` has it as a
table.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dibimt_tools.hub.repositories import MAIN, SCRIPT, Stage
from tests.generations.loading import ALL, INSTALLED, OLDER, Client, Request, interpreter
from tests.hub.clients import ROOT, client_environment, run_python
from tests.hub.loopback import LoopbackHub, put
from tests.hub.loopback_store import HubRepository, Stored

pytestmark = pytest.mark.slow

FILE = "data/mini/de.jsonl"
OLD, NEW = "The optician's drops", "After the change, th"
"""How the first sentence begins."""
NAME = "user/dibimt"
SCRIPTED: dict[str, Any] = {"revision": SCRIPT, "trust_remote_code": True}
Answer = dict[str, Any]

SNAPSHOT = """
import json
import sys
from huggingface_hub import snapshot_download
print(json.dumps(snapshot_download("user/dibimt", repo_type="dataset", revision=sys.argv[1])))
"""


def request(path: str = NAME, streaming: bool = False, **options: Any) -> Request:
    """A load of the German items with the caches of its process, which the next process shares."""
    return Request(path, ("de",), "test", streaming, {"cache_dir": None, **options}, warnings=True)


def ask(client: Client, *requests: Request) -> list[Answer]:
    return [answer["de"] for answer in client.ask(*requests)]


def beginning(answer: Answer) -> str:
    """How the first sentence begins, or why there is none."""
    return str(answer["rows"][0]["source"][:20]) if "rows" in answer else answer["message"]


def downloads(hub: LoopbackHub) -> int:
    """How often the data file was sent."""
    return sum(each.method == "GET" and each.path.endswith(f"/{FILE}") for each in hub.requests)


def change(repository: HubRepository) -> None:
    """A commit with another first sentence."""
    files = dict(repository.stored(MAIN))
    text = files[FILE].content.decode("utf-8").replace(OLD, "After the change, the optician's drops")
    repository.commit(MAIN, {**files, FILE: Stored(text.encode("utf-8"))}, "another sentence")


@pytest.fixture(scope="module", params=ALL)
def story(request: pytest.FixtureRequest, staged: Stage, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What one user sees: two loads, a change on `main`, a second process, two without a connection."""
    folder = tmp_path_factory.mktemp("user")
    with LoopbackHub() as hub:
        put(hub, staged)
        repository = hub.repo("dataset", "dibimt")
        repository.tags["v1"] = repository.branches[MAIN]
        return dict(told(request.param, folder, hub, repository))


def told(generation: str, folder: Path, hub: LoopbackHub, repository: HubRepository) -> Iterator[tuple[str, Any]]:
    script = [request(**SCRIPTED)] if generation in OLDER else []
    settings = client_environment(folder, hub, token=None)
    with Client(generation, folder, settings) as client:
        yield "first", ask(client, request(), *script)
        sent = downloads(hub)
        yield "second", ask(client, request(), *script)
        yield "sent again", downloads(hub) - sent
        change(repository)
        yield "changed", ask(client, request(), *script)
        yield "tag", ask(client, request(revision="v1"))
    snapshot = run_python(SNAPSHOT, settings, folder, "v1", python=interpreter(generation))
    sent = downloads(hub)
    with Client(generation, folder, settings) as client:
        yield "another process", ask(client, request(), *script)
    yield "sent to another process", downloads(hub) - sent
    asked = len(hub.requests)
    with Client(generation, folder, {**settings, "HF_HUB_OFFLINE": "1"}) as client:
        yield "offline", ask(client, request(), *script)
        yield "offline, tag", ask(client, request(revision="v1"))
        yield "offline, unknown", ask(client, request(revision="no such tag"))
        yield "offline, snapshot", ask(client, request(snapshot), request(snapshot, streaming=True))
    with Client(generation, folder, {**settings, "HF_DATASETS_OFFLINE": "1"}) as client:
        yield "datasets offline", ask(client, request(), *script)
    yield "asked offline", len(hub.requests) - asked


def test_the_second_load_is_from_the_cache(story: dict[str, Any]) -> None:
    assert {*map(beginning, story["first"])} == {*map(beginning, story["second"])} == {OLD}
    assert story["sent again"] == story["sent to another process"] == 0


def test_after_a_change_new_rows_are_loaded_and_the_tag_has_the_old_ones(story: dict[str, Any]) -> None:
    # By the script too, whose cache `datasets` alone would not renew.
    assert {*map(beginning, story["changed"])} == {*map(beginning, story["another process"])} == {NEW}
    assert [*map(beginning, story["tag"])] == [OLD]


@pytest.mark.parametrize("switch", ["offline", "datasets offline"])
def test_without_a_connection_what_was_loaded_last_is_served(story: dict[str, Any], switch: str) -> None:
    assert {*map(beginning, story[switch])} == {NEW}
    assert all(any("latest cached version" in each for each in answer["warnings"]) for answer in story[switch])
    assert story["asked offline"] == 0


def test_without_a_connection_no_generation_looks_at_the_revision(story: dict[str, Any]) -> None:
    # A fault of `datasets`: even a revision that never was is "found". A snapshot is the remedy: its folder is of that
    # very commit, with and without a connection.
    (tag,), (unknown,) = story["offline, tag"], story["offline, unknown"]
    assert beginning(tag) == beginning(unknown) == beginning(story["offline"][0])
    assert [*map(beginning, story["offline, snapshot"])] == [OLD, OLD]


# Several generations


def test_a_cache_that_the_newest_wrote_fails_the_older_ones(staged: Stage, tmp_path: Path) -> None:
    # They do not know its type `List`. A cache of its own for each generation helps (HF_DATASETS_CACHE); scripts and
    # classes of this project name the generation in theirs.
    builder = "dibimt_dataset.loading_script.DibimtDataset"

    def asked(cache: str) -> list[Request]:
        options = {"cache_dir": str(tmp_path / cache)}
        return [
            Request(NAME, ("de",), options=options),
            Request(str(ROOT), ("de",), builder=builder, options=options),
        ]

    with LoopbackHub() as hub:
        put(hub, staged)
        settings = client_environment(tmp_path, hub, token=None)
        with Client(INSTALLED, tmp_path, settings) as client:
            assert [beginning(each) for each in ask(client, *asked("newest"))] == [OLD, OLD]
        for generation, reason in (("3.6", "Feature type 'List' not found"), ("2.21", "dataclass type")):
            with Client(generation, tmp_path, settings) as client:
                card, packaged = ask(client, *asked("newest"))
                assert reason in card["message"]
                assert beginning(packaged) == OLD
                assert [beginning(each) for each in ask(client, *asked(generation))] == [OLD, OLD]
        with Client(INSTALLED, tmp_path, settings) as client:
            for generation in OLDER:
                assert [beginning(each) for each in ask(client, *asked(generation))] == [OLD, OLD]


VIEWER = """
import json
import datasets
from datasets.utils import _dataset_viewer

def infos(*given, **options):
    # As `datasets` 4 and later write the features of a list.
    return {"de": {"features": {"good": {"_type": "List", "feature": {"_type": "Value", "dtype": "string"}}}}}

_dataset_viewer.get_exported_dataset_infos = infos
found = {}
for name, options in {"main": {}, "tag": {"revision": "v1"},
                      "script": {"revision": "script", "trust_remote_code": True}}.items():
    try:
        found[name] = len(datasets.load_dataset("user/dibimt", "de", split="test", **options))
    except Exception as error:
        found[name] = str(error)
print(json.dumps(found))
"""


@pytest.mark.parametrize("generation", OLDER)
def test_features_that_the_viewer_of_the_hub_writes(generation: str, staged: Stage, tmp_path: Path) -> None:
    # Older generations ask the viewer, a service beside the Hub, for the features of `main`, before they look at the
    # card. Should it answer in the words of a newer generation, they fail; a fixed revision or the script help.
    with LoopbackHub() as hub:
        put(hub, staged)
        repository = hub.repo("dataset", "dibimt")
        repository.tags["v1"] = repository.branches[MAIN]
        settings = client_environment(tmp_path, hub, token=None)
        found = run_python(VIEWER, settings, tmp_path, python=interpreter(generation))
    reason = {"3.6": "Feature type 'List' not found", "2.21": "dataclass type"}[generation]
    assert reason in found.pop("main")
    assert found == {"tag": 71, "script": 71}
