"""``load_dataset`` of the newest release when the Hub or the connection fails while a data file is fetched.

What ``datasets`` and ``huggingface_hub`` do then is theirs; the tests say what users have to expect, and notice when it
becomes worse. What ``evaluate.load`` does stands in `test_evaluate_clients`.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.hub.clients import client_environment, run_python
from tests.hub.loopback import LoopbackHub
from tests.hub.loopback_faults import EVERY, Cut, Fault, Spoil, Status
from tests.hub.loopback_store import HubRepository, Stored

TEXT = "a" * 40
CONTENT = f'{{"text": "{TEXT}"}}\n'.encode()
FILE = r"/resolve/.*/data\.jsonl$"

RIDDEN = {
    "get-429": Fault("GET", FILE, Status(429, 1)),
    "cut-in-the-middle": Fault("GET", FILE, Cut("response")),
}
"""The first load succeeds: the library tries again, or resumes."""
FAILING = {
    "get-500": Fault("GET", FILE, Status(500)),
    "get-503": Fault("GET", FILE, Status(503)),
    "head-cut": Fault("HEAD", FILE, Cut("before")),
    "get-401": Fault("GET", FILE, Status(401)),
    "get-403": Fault("GET", FILE, Status(403)),
    "get-404": Fault("GET", FILE, Status(404, error="EntryNotFound")),
}
"""The first load fails and leaves nothing behind, the next one succeeds."""
REFUSED = {
    "no-repository": Fault("*", ".", Status(404), count=EVERY),
    "no-right": Fault("*", ".", Status(401, error="RepoNotFound"), count=EVERY),
}
"""Every load fails."""
SPOILT = {"spoilt": Fault("GET", FILE, Spoil())}
"""A byte is another one: no checksum is compared, so that the wrong content stays until a download is forced."""

LOADS = """
import json, sys
from datasets import load_dataset

def load(name, **options):
    try:
        return load_dataset(name, split="train", **options)[0]["text"]
    except Exception as error:
        return type(error).__name__

names = [f"{namespace}/data" for namespace in sys.argv[1:]]
forced = {"download_mode": "force_redownload"}
print(json.dumps({name[:-5]: [load(name), load(name), load(name, **forced)] for name in names}))
"""


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a first, a second and a forced load of each data set gave."""
    faults = RIDDEN | FAILING | REFUSED | SPOILT
    scratch = tmp_path_factory.mktemp("loads")
    with LoopbackHub() as hub:
        for namespace, fault in faults.items():
            repository = HubRepository("dataset", f"{namespace}/data")
            repository.commit("main", {"data.jsonl": Stored(CONTENT)}, "data")
            hub.repos["dataset", repository.id] = repository
            hub.faults.add(Fault(fault.method, f"/{namespace}/data.*{fault.path}", fault.what, count=fault.count))
        found: dict[str, Any] = run_python(LOADS, client_environment(scratch, hub), scratch, *faults)
    return found


@pytest.mark.parametrize("fault", RIDDEN)
def test_ridden_out(loaded: dict[str, Any], fault: str) -> None:
    assert loaded[fault] == [TEXT, TEXT, TEXT]


@pytest.mark.parametrize("fault", FAILING)
def test_next_load_succeeds(loaded: dict[str, Any], fault: str) -> None:
    first, *later = loaded[fault]
    assert first.endswith("Error")
    assert later == [TEXT, TEXT]


@pytest.mark.parametrize("fault", REFUSED)
def test_refused(loaded: dict[str, Any], fault: str) -> None:
    assert loaded[fault] == ["DatasetNotFoundError"] * 3


def test_wrong_content_stays_until_a_download_is_forced(loaded: dict[str, Any]) -> None:
    first, second, forced = loaded["spoilt"]
    assert first == second != TEXT
    assert len(first) == len(TEXT)
    assert forced == TEXT
