"""The loopback Hub itself: its answers, and the faults that it commits on request."""

from __future__ import annotations

import base64
import doctest
import hashlib
import http.client
import json
import socket
import time
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from dibimt_tools.hub.repositories import Stage
from tests.hub import loopback_faults
from tests.hub.clients import client_environment, run_python
from tests.hub.loopback import LoopbackHub, put
from tests.hub.loopback_faults import EVERY, Cut, Delay, Fault, Spoil, Status
from tests.hub.loopback_store import HubRepository, Stored
from tests.hub.publishing import small_stage, stands

DATA = "/api/datasets/user/data"


class Answer(NamedTuple):
    status: int
    body: bytes
    headers: http.client.HTTPMessage

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def ask(
    hub: LoopbackHub, method: str, path: str, body: object = None, token: str | None = "", **headers: str
) -> Answer:
    """One request; with the Hub's token if none is given, without one for ``None``."""
    connection = http.client.HTTPConnection(hub.url.removeprefix("http://"), timeout=30)
    if token is not None:
        headers["Authorization"] = f"Bearer {token or hub.token}"
    data = body if isinstance(body, bytes) else json.dumps(body).encode() if body is not None else None
    connection.request(method, path, data, headers)
    answer = connection.getresponse()
    found = Answer(answer.status, answer.read(), answer.headers)
    connection.close()
    return found


def lines(*operations: tuple[str, object]) -> bytes:
    """The body of a commit."""
    return b"".join(json.dumps({"key": key, "value": value}).encode() + b"\n" for key, value in operations)


def added(path: str, content: bytes) -> tuple[str, object]:
    return "file", {"path": path, "content": base64.b64encode(content).decode(), "encoding": "base64"}


@pytest.fixture
def data(hub: LoopbackHub) -> HubRepository:
    """A data set with two files."""
    repository = HubRepository("dataset", "user/data")
    files = {"a.txt": Stored(b"0123456789"), "in/b.bin": Stored(b"\0\1", lfs=True)}
    repository.commit("main", repository.stored() | files, "files")
    hub.repos["dataset", "user/data"] = repository
    return repository


# Repositories and who may do what


def test_repository_is_created_once(hub: LoopbackHub) -> None:
    body = {"name": "x", "type": "space", "sdk": "gradio", "private": True}
    assert ask(hub, "POST", "/api/repos/create", body).json["url"] == f"{hub.url}/spaces/user/x"
    assert ask(hub, "POST", "/api/repos/create", body).status == 409
    found = hub.repo("space", "x")
    assert (found.private, found.sdk, sorted(found.stored())) == (
        True,
        "gradio",
        [".gitattributes", "README.md"],
    )


@pytest.mark.parametrize(
    ("path", "token", "status"),
    [
        (DATA, "", 200),
        (DATA, None, 401),
        (DATA, "hf_wrong", 401),
        ("/api/datasets/user/none", "", 404),
        ("/api/datasets/user/none", None, 401),
        (f"{DATA}/revision/none", "", 404),
        ("/api/nothing", "", 404),
        ("/api/whoami-v2", None, 401),
    ],
)
def test_who_may_read(hub: LoopbackHub, data: HubRepository, path: str, token: str | None, status: int) -> None:
    data.private = True
    assert ask(hub, "GET", path, token=token).status == status
    assert hub.requests == [("GET", path, status)]


@pytest.mark.parametrize(
    ("token", "role", "namespace", "status"),
    [
        ("", "write", "user", 200),
        ("", "write", "lab", 200),
        ("", "write", "else", 403),
        ("", "read", "user", 403),
        (None, "write", "user", 401),
    ],
)
def test_who_may_write(hub: LoopbackHub, token: str | None, role: str, namespace: str, status: int) -> None:
    hub.role, hub.organizations = role, ("lab",)
    body = {"name": "x", "type": "dataset", "organization": namespace}
    assert ask(hub, "POST", "/api/repos/create", body, token=token).status == status
    assert len(hub.repos) == (status == 200)


# Commits, branches, tags


def test_commit_is_all_or_none(hub: LoopbackHub, data: HubRepository) -> None:
    head = data.branches["main"]
    header = ("header", {"summary": "change", "parentCommit": head})
    body = lines(header, added("c.txt", b"c"), ("deletedFolder", {"path": "in/"}))
    assert ask(hub, "POST", f"{DATA}/commit/main", body).status == 200
    assert data.files() == {"a.txt": b"0123456789", "c.txt": b"c"}
    assert [data.commits[oid].title for oid in data.history("main")] == ["change", "files", "initial commit"]
    # The same again: somebody has committed since.
    assert ask(hub, "POST", f"{DATA}/commit/main", body).status == 412
    assert len(data.history("main")) == 3


def test_branches_and_tags_stand_where_they_were_put(hub: LoopbackHub, data: HubRepository) -> None:
    first = data.history("main")[-1]
    assert ask(hub, "POST", f"{DATA}/branch/script", {"startingPoint": first}).status == 200
    assert ask(hub, "POST", f"{DATA}/tag/main", {"tag": "v1"}).status == 200
    assert ask(hub, "POST", f"{DATA}/tag/script", {"tag": "v1"}).status == 409
    assert ask(hub, "POST", f"{DATA}/branch/script", {}).status == 409
    refs = ask(hub, "GET", f"{DATA}/refs").json
    assert {each["name"]: each["targetCommit"] for each in refs["branches"]} == data.branches
    assert data.tags == {"v1": data.branches["main"]}
    assert data.files("script") == {}


def test_ids_of_commits_depend_on_content_and_history() -> None:
    made = [HubRepository("dataset", "user/x") for _ in range(2)]
    for repository in made:
        repository.commit("main", {"a": Stored(b"a")}, "one")
    assert made[0].commits.keys() == made[1].commits.keys()
    made[0].commit("main", {"a": Stored(b"b")}, "two")
    made[1].commit("main", {"a": Stored(b"c")}, "two")
    assert made[0].branches != made[1].branches


# Trees and downloads


def test_tree(hub: LoopbackHub, data: HubRepository) -> None:
    entries = ask(hub, "GET", f"{DATA}/tree/main?recursive=true").json
    assert [(each["type"], each["path"]) for each in entries] == [
        ("file", ".gitattributes"),
        ("file", "a.txt"),
        ("file", "in/b.bin"),
        ("directory", "in"),
    ]
    assert entries[2]["lfs"]["oid"] == hashlib.sha256(b"\0\1").hexdigest()
    assert [each["path"] for each in ask(hub, "GET", f"{DATA}/tree/main").json] == [
        ".gitattributes",
        "a.txt",
        "in",
    ]
    assert [each["path"] for each in ask(hub, "GET", f"{DATA}/tree/main/in").json] == ["in/b.bin"]
    assert ask(hub, "GET", f"{DATA}/tree/main/none").status == 404


@pytest.mark.parametrize(
    ("asked", "status", "body"),
    [
        ("", 200, b"0123456789"),
        ("bytes=2-4", 206, b"234"),
        ("bytes=8-", 206, b"89"),
        ("bytes=8-99", 206, b"89"),
        ("bytes=10-", 416, b""),
    ],
)
def test_download(hub: LoopbackHub, data: HubRepository, asked: str, status: int, body: bytes) -> None:
    answer = ask(hub, "GET", "/datasets/user/data/resolve/main/a.txt", Range=asked)
    assert (answer.status, answer.body) == (status, body)


def test_download_says_what_it_is(hub: LoopbackHub, data: HubRepository) -> None:
    answer = ask(hub, "HEAD", "/datasets/user/data/resolve/main/a.txt")
    # printf 0123456789 | git hash-object --stdin
    assert answer.headers["ETag"] == '"ad471007bd7f5983d273b9584e5629230150fd54"'
    assert answer.headers["X-Repo-Commit"] == data.branches["main"]
    assert (answer.headers["Content-Length"], answer.body) == ("10", b"")
    missing = ask(hub, "GET", "/datasets/user/data/resolve/main/none.txt")
    assert (missing.status, missing.headers["X-Error-Code"]) == (404, "EntryNotFound")


# Faults

FILE = "/datasets/user/data/resolve/main/a.txt"


def statuses(hub: LoopbackHub, number: int) -> list[int]:
    return [ask(hub, "GET", FILE).status for _ in range(number)]


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (Fault("GET", r"/a\.txt$", Status(500)), [500, 200, 200, 200]),
        (Fault("GET", r"/a\.txt$", Status(429), first=2), [200, 429, 200, 200]),
        (Fault("*", "/resolve/", Status(503), first=2, count=2), [200, 503, 503, 200]),
        (Fault("GET", "data", Status(403), first=3, count=EVERY), [200, 200, 403, 403]),
        (Fault("POST", "data", Status(500)), [200, 200, 200, 200]),
        (Fault("GET", r"/b\.bin$", Status(500)), [200, 200, 200, 200]),
    ],
)
def test_which_requests_a_fault_strikes(
    hub: LoopbackHub, data: HubRepository, fault: Fault, expected: list[int]
) -> None:
    hub.faults.add(fault)
    assert statuses(hub, 4) == expected
    assert hub.faults.struck == 4 - expected.count(200)
    assert [request.status for request in hub.requests] == expected
    hub.faults.clear()
    assert statuses(hub, 1) == [200]


def test_status_with_its_headers(hub: LoopbackHub, data: HubRepository) -> None:
    hub.faults.add(Fault("GET", FILE, Status(429, 9)), Fault("GET", FILE, Status(404, error="EntryNotFound"), first=2))
    assert ask(hub, "GET", FILE).headers["Retry-After"] == "9"
    answer = ask(hub, "GET", FILE)
    assert (answer.headers["X-Error-Code"], answer.headers["Retry-After"]) == ("EntryNotFound", None)


@pytest.mark.parametrize(("when", "taken"), [("upload", False), ("before", False), ("after", True), ("response", True)])
def test_cut_connection(hub: LoopbackHub, data: HubRepository, when: str, taken: bool) -> None:
    hub.faults.add(Fault("POST", "/commit/", Cut(when)))
    body = lines(("header", {"summary": "change"}), added("c.txt", b"c" * 10**6))
    with pytest.raises((http.client.HTTPException, ConnectionError)):
        ask(hub, "POST", f"{DATA}/commit/main", body)
    assert ("c.txt" in data.files()) == taken
    assert ask(hub, "POST", f"{DATA}/commit/main", body).status == 200


def test_cut_download_has_half_the_bytes(hub: LoopbackHub, data: HubRepository) -> None:
    hub.faults.add(Fault("GET", FILE, Cut("response")))
    with pytest.raises(http.client.IncompleteRead) as cut:
        ask(hub, "GET", FILE)
    assert cut.value.partial == b"01234"


def test_delay(hub: LoopbackHub, data: HubRepository) -> None:
    hub.faults.add(Fault("GET", FILE, Delay(0.2)))
    start = time.monotonic()
    assert statuses(hub, 1) == [200]
    assert time.monotonic() - start >= 0.2


def test_spoilt_content(hub: LoopbackHub, data: HubRepository) -> None:
    hub.faults.add(Fault("GET", FILE, Spoil()), Fault("POST", "/commit/", Spoil()))
    answer = ask(hub, "GET", FILE)
    assert (len(answer.body), answer.body != b"0123456789") == (10, True)
    assert data.files()["a.txt"] == b"0123456789"
    ask(hub, "POST", f"{DATA}/commit/main", lines(added("c.txt", b"content")))
    assert (len(data.files()["c.txt"]), data.files()["c.txt"] != b"content") == (7, True)


def test_examples_of_faults_run() -> None:
    results = doctest.testmod(loopback_faults)
    assert (results.failed, results.attempted) == (0, 4)


# The Hub as a whole


def test_connections_end_with_the_hub() -> None:
    with LoopbackHub() as hub:
        connection = http.client.HTTPConnection(hub.url.removeprefix("http://"), timeout=10)
        connection.request("GET", "/api/datasets")
        assert connection.getresponse().read() == b"[]"
    assert isinstance(connection.sock, socket.socket)
    assert connection.sock.recv(1) == b""


def test_put_places_each_branch(hub: LoopbackHub, tmp_path: Path) -> None:
    stage = small_stage(tmp_path / "stage")
    put(hub, stage)
    assert stands(hub, stage) == []
    assert hub.requests == []
    put(hub, stage, "evaluate-metric")
    assert stands(hub, stage, "evaluate-metric") == []


def test_published_hub_holds_what_is_staged(published_hub: LoopbackHub, staged: Stage) -> None:
    assert stands(published_hub, staged) == []
    assert {name for _, name in published_hub.repos} == {
        "user/dibimt",
        "user/ldd-challenge-sets",
        "user/blimp",
    }


REAL_CLIENT = """
import json, sys
from pathlib import Path
from huggingface_hub import HfApi, hf_hub_download
api = HfApi()
api.create_repo("user/made", repo_type="dataset", private=True)
api.upload_folder(repo_id="user/made", repo_type="dataset", folder_path=sys.argv[1])
first = api.list_repo_commits("user/made", repo_type="dataset")[-1].commit_id
api.create_branch("user/made", branch="other", revision=first, repo_type="dataset")
api.create_tag("user/made", tag="v1", repo_type="dataset")
path = hf_hub_download("user/made", "in/b.bin", repo_type="dataset", revision="v1")
found = [api.whoami()["name"], list(Path(path).read_bytes()), api.dataset_info("user/made").private]
found.append(api.file_exists("user/made", "none", repo_type="dataset"))
found.append(sorted(api.list_repo_files("user/made", repo_type="dataset", revision="other")))
api.delete_repo("user/made", repo_type="dataset")
print(json.dumps([*found, api.repo_exists("user/made", repo_type="dataset")]))
"""


def test_real_client(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    (folder / "in").mkdir(parents=True)
    (folder / "in/b.bin").write_bytes(b"\0\1\2")
    with LoopbackHub(use_lfs=True) as hub:
        found = run_python(REAL_CLIENT, client_environment(tmp_path, hub), tmp_path, str(folder))
    assert found == ["user", [0, 1, 2], True, False, [".gitattributes"], False]
    assert any(request.path.startswith("/_lfs/") for request in hub.requests)


def test_client_that_fails_shows_why(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="ValueError: this is why"):
        run_python("raise ValueError('this is why')", client_environment(tmp_path, None), tmp_path)


def test_environment_of_a_client(tmp_path: Path, hub: LoopbackHub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.example")
    monkeypatch.setenv("HF_TOKEN", "mine")
    online = client_environment(tmp_path, hub, token=None, MORE="x")
    assert not {"HF_HUB_OFFLINE", "HF_TOKEN", "HTTPS_PROXY"} & online.keys()
    assert (online["HF_ENDPOINT"], online["MORE"]) == (hub.url, "x")
    offline = client_environment(tmp_path, None)
    assert offline["HF_HUB_OFFLINE"] == "1"
    assert "HF_ENDPOINT" not in offline
