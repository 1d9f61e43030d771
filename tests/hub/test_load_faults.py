"""Faults while a data set is loaded from the Hub, and damaged caches: what each generation of ``datasets`` does.

Either all rows come, or an error says so, and the next load without the fault gives all rows: nothing half-loaded is
kept. Where ``datasets`` serves something else without an error, a test says so with what helps. Clients do not wait
between tries here (``PROBE_WAITS``); ``docs/hub.md`` says how long they do.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from dibimt_dataset import mini_items, mini_path
from dibimt_metric import make_item
from dibimt_metric.items_reading import fingerprint
from dibimt_tools.hub.repositories import MAIN, Stage
from tests.generations.loading import ALL, INSTALLED, Client, Request
from tests.hub.clients import ROOT, client_environment
from tests.hub.loopback import LoopbackHub, put
from tests.hub.loopback_faults import EVERY, Cut, Fault, Spoil, Status
from tests.hub.loopback_store import HubRepository, Stored

pytestmark = pytest.mark.slow

FILE = "data/mini/de.jsonl"
DATA = rf"/resolve/[^/]+/{FILE}$"
ANYTHING = "/user/"
ALL_ROWS = 71
AGAIN = {"download_mode": "force_redownload"}
FAITHFUL = fingerprint(mini_items("de"))
Answer = dict[str, Any]


@dataclass
class Scene:
    """A client of one generation and the Hub that it talks to; each test has repositories of its own on it."""

    generation: str
    client: Client
    hub: LoopbackHub
    folder: Path
    numbers: Iterator[int] = field(default_factory=count)

    @property
    def prepared(self) -> Path:
        return self.folder / "hf-home" / "datasets"

    def repository(self, files: dict[str, Stored] | None = None) -> HubRepository:
        """A copy of the data set that nobody has loaded yet."""
        made = HubRepository("dataset", f"user/copy{next(self.numbers)}")
        original = self.hub.repo("dataset", "dibimt").stored(MAIN)
        made.commit(MAIN, {**original, **(files or {})}, "data")
        self.hub.repos["dataset", made.id] = made
        return made

    def load(self, repository: HubRepository, *faults: Fault, streaming: bool = False, **options: Any) -> Answer:
        """One load, during which the faults happen."""
        self.hub.faults.add(*faults)
        options = {"cache_dir": str(self.prepared), **options}
        asked = Request(repository.id, ("de",), "test", streaming, options, warnings=True)
        (answer,) = self.client.ask(asked)
        self.hub.faults.clear()
        return answer["de"]

    def downloaded(self, repository: HubRepository) -> Path:
        """The data file in the cache."""
        size = len(repository.stored(MAIN)[FILE].content)
        name = repository.id.replace("/", "--")
        places = (
            *self.folder.glob(f"hf-home/hub/datasets--{name}/blobs/*"),
            *self.prepared.glob("downloads/*"),
        )
        return max((each for each in places if each.stat().st_size == size), key=lambda each: each.stat().st_mtime)

    def forget_prepared(self, repository: HubRepository) -> None:
        shutil.rmtree(self.prepared / repository.id.replace("/", "___"))


@pytest.fixture(scope="module", params=ALL)
def scene(request: pytest.FixtureRequest, staged: Stage, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    folder = tmp_path_factory.mktemp("client")
    with LoopbackHub() as hub:
        put(hub, staged)
        settings = client_environment(folder, hub, token=None, PROBE_WAITS="0")
        with Client(request.param, folder, settings) as client:
            yield Scene(request.param, client, hub, folder)


def outcome(answer: Answer) -> str | int:
    """The number of rows, or the class of the error."""
    return len(answer["rows"]) if "rows" in answer else str(answer["error"])


# Faults of the Hub

HTTP, CHUNKS, CLOSED, LOST = (
    "HfHubHTTPError",
    "ChunkedEncodingError",
    "RemoteProtocolError",
    "FileNotFoundError",
)
OUTCOMES: dict[str, tuple[Fault, tuple[str | int, str | int, str | int]]] = {
    # name: what happens, and what becomes of it in 2.21, in 3.6, in the installed one
    "429, first request": (Fault("*", ANYTHING, Status(429)), (HTTP, ALL_ROWS, ALL_ROWS)),
    "429, always": (Fault("*", ANYTHING, Status(429), count=EVERY), (HTTP, LOST, LOST)),
    "429, data file": (Fault("GET", DATA, Status(429)), (HTTP, ALL_ROWS, ALL_ROWS)),
    "500, first request": (Fault("*", ANYTHING, Status(500)), (HTTP, LOST, ALL_ROWS)),
    "500, always": (Fault("*", ANYTHING, Status(500), count=EVERY), (HTTP, LOST, LOST)),
    "500, data file": (Fault("GET", DATA, Status(500)), (HTTP, HTTP, HTTP)),
    "500, data file, always": (Fault("*", DATA, Status(500), count=EVERY), (HTTP, LOST, LOST)),
    "cut, data file": (Fault("GET", DATA, Cut("response")), (CHUNKS, CHUNKS, ALL_ROWS)),
    "cut, data file, always": (Fault("GET", DATA, Cut("response"), count=EVERY), (CHUNKS, CHUNKS, CLOSED)),
}
STREAMED: dict[str, tuple[Fault, tuple[str | int, str | int, str | int]]] = {
    "429, data file": (Fault("GET", DATA, Status(429)), (HTTP, HTTP, ALL_ROWS)),
    "500, data file": (Fault("GET", DATA, Status(500)), (HTTP, ALL_ROWS, ALL_ROWS)),
    "cut, data file": (Fault("GET", DATA, Cut("response")), (CHUNKS, CHUNKS, ALL_ROWS)),
}


@pytest.mark.parametrize("name", OUTCOMES)
def test_a_fault_of_the_hub(scene: Scene, name: str) -> None:
    fault, expected = OUTCOMES[name]
    repository = scene.repository()
    assert outcome(scene.load(repository, fault)) == expected[ALL.index(scene.generation)]
    assert outcome(scene.load(repository)) == ALL_ROWS  # nothing half-loaded was kept


@pytest.mark.parametrize("name", STREAMED)
def test_a_fault_while_streaming(scene: Scene, name: str) -> None:
    fault, expected = STREAMED[name]
    repository = scene.repository()
    found = scene.load(repository, fault, streaming=True)
    assert outcome(found) == expected[ALL.index(scene.generation)]
    assert outcome(scene.load(repository, streaming=True)) == ALL_ROWS


def test_what_is_not_there(scene: Scene) -> None:
    private, public = scene.repository(), scene.repository()
    private.private = True
    assert outcome(scene.load(private)) == "DatasetNotFoundError"
    assert outcome(scene.load(HubRepository("dataset", "user/nothing"))) == "DatasetNotFoundError"
    unknown = scene.load(public, revision="v9")
    assert outcome(unknown) == "DatasetNotFoundError" and "'v9' doesn't exist" in unknown["message"]


def test_the_script_and_the_class_say_which_repository_they_cannot_read(scene: Scene) -> None:
    builder = "minimal_pairs.loading_script.Blimp"
    for repository, fault in (
        ("user/nothing", None),
        ("user/blimp", Status(500)),
        ("user/blimp", Status(429)),
    ):
        if fault is not None:
            scene.hub.faults.add(Fault("*", "/resolve/main/README.md$", fault, count=EVERY))
        options = {"repo_id": repository}
        request = Request(str(ROOT), ("wh_island",), "train", options=options, builder=builder)
        (answer,) = scene.client.ask(request)
        scene.hub.faults.clear()
        assert outcome(answer["wh_island"]) == "ConnectionError"
        message = answer["wh_island"]["message"]
        assert message.startswith(f"{repository}, branch main, cannot be read: ")
        assert 'data_dir="DIR"' in message


# What is served from the cache instead of an error


def from_cache(answer: Answer) -> bool:
    """Whether rows came, and a warning said that they are cached ones."""
    warned = any("latest cached version of the dataset" in each for each in answer["warnings"])
    return warned and outcome(answer) == ALL_ROWS


def test_a_repository_that_is_gone_or_closed_is_served_from_the_cache(scene: Scene) -> None:
    # By all generations, with a warning in the log.
    repository = scene.repository()
    scene.load(repository)
    repository.private = True
    assert from_cache(scene.load(repository))
    del scene.hub.repos["dataset", repository.id]
    assert from_cache(scene.load(repository))


def test_an_unknown_revision_is_served_from_the_cache_by_older_generations(scene: Scene) -> None:
    # Rows of another revision than was asked for. Newer ones refuse. What helps: `snapshot_download(revision=...)`, and
    # `load_dataset` of its folder (see test_load_cache.py), or an empty cache.
    repository = scene.repository()
    scene.load(repository)
    answer = scene.load(repository, revision="v9")
    if scene.generation == INSTALLED:
        assert outcome(answer) == "DatasetNotFoundError"
    else:
        assert from_cache(answer)


def test_with_the_hub_out_of_order_the_cache_is_served(scene: Scene) -> None:
    # Without a warning in 3.6 and the installed one: changes on `main` are missed while that lasts.
    repository = scene.repository()
    scene.load(repository)
    answer = scene.load(repository, Fault("*", ANYTHING, Status(500), count=EVERY))
    assert outcome(answer) == ALL_ROWS
    assert from_cache(answer) == (scene.generation == "2.21")


# Wrong content


def with_a_long_word() -> bytes:
    """The German file with a very long candidate in its middle, where a byte can change without breaking the JSON."""
    rows = [json.loads(line) for line in mini_path("de").read_text(encoding="utf-8").splitlines()]
    rows[len(rows) // 2]["good"][0]["lemma"] = "x" * 300_000
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def data_of(answer: Answer) -> str:
    """The part `data` of the signature that a score of these items has."""
    return fingerprint(make_item(row) for row in answer["rows"])


def test_other_bytes_than_the_right_ones_are_taken_and_kept(scene: Scene) -> None:
    # No generation compares the checksum of a text file. The signature of a score tells: its `data` is another one.
    repository = scene.repository({FILE: Stored(with_a_long_word())})
    wrong = scene.load(repository, Fault("GET", DATA, Spoil()))
    kept = scene.load(repository)
    right = scene.load(repository, **AGAIN)
    assert outcome(wrong) == outcome(kept) == outcome(right) == ALL_ROWS
    assert wrong["rows"] == kept["rows"] != right["rows"]
    assert data_of(wrong) != data_of(right)


def test_bytes_that_are_no_json_are_an_error_until_they_are_downloaded_again(scene: Scene) -> None:
    repository = scene.repository()
    content = repository.stored(MAIN)[FILE].content
    scene.load(repository)
    scene.forget_prepared(repository)
    scene.downloaded(repository).write_bytes(content[: len(content) // 2])
    for _ in range(2):
        answer = scene.load(repository)
        assert outcome(answer) == "DatasetGenerationError" and "JSON parse error" in answer["message"]
    right = scene.load(repository, **AGAIN)
    assert data_of(right) == FAITHFUL


def test_a_cached_file_cut_at_the_end_of_a_line_is_refused(scene: Scene) -> None:
    # Because the card says how many rows there are: without that, all generations take what is left.
    repository = scene.repository()
    content = repository.stored(MAIN)[FILE].content
    scene.load(repository)
    scene.forget_prepared(repository)
    scene.downloaded(repository).write_bytes(content[: content.index(b"\n", len(content) // 2) + 1])
    assert outcome(scene.load(repository)) == "NonMatchingSplitsSizesError"
    assert data_of(scene.load(repository, **AGAIN)) == FAITHFUL


# Half-written caches


@pytest.mark.parametrize("damage", ["cut", "empty", "gone"])
def test_a_damaged_prepared_file_is_an_error_until_it_is_prepared_again(scene: Scene, damage: str) -> None:
    repository = scene.repository()
    scene.load(repository)
    (prepared,) = scene.prepared.glob(f"{repository.id.replace('/', '___')}/**/*.arrow")
    whole = prepared.read_bytes()
    if damage == "gone":
        prepared.unlink()
    else:
        prepared.write_bytes(whole[: len(whole) // 2] if damage == "cut" else b"")
    expected = {"cut": "OSError", "empty": "ArrowInvalid", "gone": "FileNotFoundError"}[damage]
    assert outcome(scene.load(repository)) == expected
    assert data_of(scene.load(repository, **AGAIN)) == FAITHFUL


def left_behind(scene: Scene, repository: HubRepository) -> Path:
    """Where a run that was killed leaves the part of the data file that it has."""
    if scene.generation == "2.21":  # under a name that only it knows
        scene.load(repository, Fault("GET", DATA, Cut("response"), count=EVERY))
        left = scene.prepared.glob("downloads/*.incomplete")
        return max(left, key=lambda path: path.stat().st_mtime)
    blobs = scene.folder / "hf-home" / "hub" / f"datasets--{repository.id.replace('/', '--')}" / "blobs"
    blobs.mkdir(parents=True)
    return blobs / f"{repository.stored(MAIN)[FILE].oid}.incomplete"


def test_the_beginning_of_a_file_that_an_earlier_run_left(scene: Scene) -> None:
    # 3.6 goes on behind it, the others begin anew.
    repository = scene.repository()
    file = repository.stored(MAIN)[FILE]
    left_behind(scene, repository).write_bytes(file.content[: len(file.content) // 3])
    asked = len(scene.hub.requests)
    assert data_of(scene.load(repository)) == FAITHFUL
    partial = any(request.status == 206 for request in scene.hub.requests[asked:])
    assert partial == (scene.generation == "3.6")


def test_a_wrong_beginning_that_an_earlier_run_left(scene: Scene) -> None:
    # 3.6 joins it to the rest and looks at the size alone, so that only broken JSON gives it away.
    repository = scene.repository()
    file = repository.stored(MAIN)[FILE]
    left_behind(scene, repository).write_bytes(b"x" * (len(file.content) // 3))
    answer = scene.load(repository)
    if scene.generation == "3.6":
        assert outcome(answer) == "DatasetGenerationError"
        answer = scene.load(repository, **AGAIN)
    assert data_of(answer) == FAITHFUL


def test_a_cut_description_of_what_is_prepared(scene: Scene) -> None:
    # Not even `force_redownload` gets over it: the folder in the cache has to be removed.
    repository = scene.repository()
    scene.load(repository)
    (described,) = scene.prepared.glob(f"{repository.id.replace('/', '___')}/**/dataset_info.json")
    described.write_bytes(described.read_bytes()[:100])
    assert outcome(scene.load(repository)) == "JSONDecodeError"
    assert outcome(scene.load(repository, **AGAIN)) == "JSONDecodeError"
    scene.forget_prepared(repository)
    assert data_of(scene.load(repository)) == FAITHFUL
