"""``dibimt hub publish`` when the Hub or the connection fails: what the user sees, what stands, and that it goes on.

Each row of `FAULTS` is one fault with its outcome. Whatever it is, the same command, run again without the fault,
brings everything to stand as it is staged.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from dibimt_tools.hub.hub_client import HubClient
from dibimt_tools.hub.plan import Address, RemoteBranch
from tests.hub.clients import client_environment
from tests.hub.loopback import LoopbackHub
from tests.hub.loopback_faults import EVERY, Cut, Delay, Fault, Spoil, Status
from tests.hub.loopback_store import Stored
from tests.hub.publishing import DATASET, STEPS, Client, Result, small_stage, stands

WAITS = [1, 3, 9, 27]
"""Between five attempts, where the Hub asks for nothing else."""
AGAIN = "Run the same command again: it finds what is done, and continues with the rest."

WHOAMI = "/whoami-v2$"
CREATE = "/repos/create$"
REFS = "/datasets/user/first/refs$"
BRANCH = "/branch/script$"
COMMIT_FIRST = "/datasets/user/first/commit/main$"
COMMIT_SECOND = "/datasets/user/second/commit/main$"
TAG = "/spaces/user/page/tag/"


@dataclass(frozen=True)
class Row:
    """A fault and its outcome.

    Attributes:
        fault: the fault.
        done: number of steps that are done, of `STEPS` and one tag for each of three repositories.
        says: parts of the message on standard error.
        waits: seconds that are waited.
    """

    fault: Fault
    done: int
    says: tuple[str, ...]
    waits: tuple[float, ...] = ()


ALL = len(STEPS) + 3

FAULTS = {
    # Before anything is written
    "401: wrong token": Row(
        Fault("GET", WHOAMI, Status(401)),
        0,
        ("does not accept the token (401)", "hf auth login", "nothing was"),
    ),
    "503 while the plan is made": Row(
        Fault("GET", "/api/datasets/user/first$", Status(503)), ALL, ("trouble of its own (503)",), (1,)
    ),
    "503 that stays while the plan is made": Row(
        Fault("GET", "/api/datasets/user/first$", Status(503), count=EVERY),
        0,
        ("(tried 5 times); nothing was written",),
        (1, 3, 9, 27),
    ),
    "connection cut in an answer while the plan is made": Row(
        Fault("GET", WHOAMI, Cut("response")), ALL, ("the connection to the Hub failed",), (1,)
    ),
    # The account
    "401 in the middle: token revoked": Row(
        Fault("POST", COMMIT_SECOND, Status(401)), 7, ("write main of datasets/user/second", "revoked")
    ),
    "402: the Space costs money": Row(Fault("POST", CREATE, Status(402)), 0, ("billing page",)),
    "403: no right to create": Row(
        Fault("POST", CREATE, Status(403), first=2),
        2,
        ("create datasets/user/first: the token has no right", "fine-grained"),
    ),
    "403: no right to write": Row(
        Fault("POST", COMMIT_FIRST, Status(403)),
        3,
        ("write main of datasets/user/first: the token has no right",),
    ),
    "404: repository deleted meanwhile": Row(
        Fault("GET", REFS, Status(404), first=2), 3, ("no such repository or branch", "(404)")
    ),
    "409: another change is going on": Row(Fault("POST", COMMIT_FIRST, Status(409)), 3, ("(409)",)),
    "412: changed by somebody else meanwhile": Row(
        Fault("POST", COMMIT_FIRST, Status(412)), 3, ("somebody else has changed the branch",)
    ),
    "413: too large": Row(Fault("POST", COMMIT_FIRST, Status(413)), 3, ("files of this size (413)",)),
    # Too many requests
    "429 once, Retry-After 7": Row(
        Fault("POST", COMMIT_FIRST, Status(429, 7)),
        ALL,
        ("fewer requests (429)", "waiting 7 s, then attempt 2 of 5"),
        (7,),
    ),
    "429 twice, no Retry-After": Row(
        Fault("POST", CREATE, Status(429), count=2), ALL, ("waiting 1 s", "waiting 3 s"), (1, 3)
    ),
    "429, Retry-After one hour": Row(
        Fault("POST", COMMIT_FIRST, Status(429, 3600)), 3, ("(the Hub asks to wait 3600 s)",)
    ),
    "429 that stays": Row(
        Fault("POST", COMMIT_SECOND, Status(429), count=EVERY), 7, ("(tried 5 times)",), (1, 3, 9, 27)
    ),
    # The Hub in trouble
    "500 once in the middle of an upload": Row(
        Fault("POST", COMMIT_SECOND, Status(500)), ALL, ("trouble of its own (500)",), (1,)
    ),
    "500 that stays in the middle of an upload": Row(
        Fault("POST", COMMIT_SECOND, Status(500), count=EVERY),
        7,
        ("write main of datasets/user/second: the Hub has trouble of its own (500)", "(tried 5 times)"),
        (1, 3, 9, 27),
    ),
    "502 on the tag": Row(Fault("POST", TAG, Status(502)), ALL, ("(502)",), (1,)),
    "504 that stays on the tag": Row(
        Fault("POST", TAG, Status(504), count=EVERY), 8, ("tag spaces/user/page", "(504)"), (1, 3, 9, 27)
    ),
    # The connection
    "connection cut in the middle of an upload": Row(
        Fault("POST", COMMIT_FIRST, Cut("upload")), ALL, ("the connection to the Hub failed",), (1,)
    ),
    "connection cut in every upload": Row(
        Fault("POST", COMMIT_FIRST, Cut("upload"), count=EVERY), 3, ("(tried 5 times)",), (1, 3, 9, 27)
    ),
    "connection cut before the commit is taken": Row(
        Fault("POST", COMMIT_FIRST, Cut("before")), ALL, ("the connection to the Hub failed",), (1,)
    ),
    "connection cut after the commit is taken": Row(
        Fault("POST", COMMIT_FIRST, Cut("after")), ALL, ("the connection to the Hub failed",), (1,)
    ),
    "connection cut in the answer to a commit": Row(
        Fault("POST", COMMIT_FIRST, Cut("response")), ALL, ("the connection to the Hub failed",), (1,)
    ),
    "connection cut after a repository is created": Row(
        Fault("POST", CREATE, Cut("after")), ALL, ("create spaces/user/page",), (1,)
    ),
    "connection cut after a branch is made": Row(
        Fault("POST", BRANCH, Cut("after")), ALL, ("make branch script of datasets/user/first",), (1,)
    ),
    "connection cut after a tag is put": Row(Fault("POST", TAG, Cut("after")), ALL, ("tag spaces/user/page",), (1,)),
    "connection cut while the commit is read back": Row(
        Fault("GET", REFS, Cut("before"), first=2), ALL, ("read main of datasets/user/first",), (1,)
    ),
    # What is stored
    "wrong content after an upload": Row(
        Fault("POST", COMMIT_FIRST, Spoil()),
        3,
        ("accepted the commit, but these files are not as staged: README.md, data/de/a.jsonl",),
    ),
    # Slowness
    "slow answer": Row(Fault("POST", COMMIT_FIRST, Delay(0.3)), ALL, ()),
}


def history(hub: LoopbackHub) -> dict[str, list[str]]:
    """The titles of all commits, by repository and branch."""
    return {
        f"{id} {branch}": [repository.commits[oid].title for oid in repository.history(branch)]
        for (_, id), repository in hub.repos.items()
        for branch in repository.branches
    }


ONCE = ["DiBiMT tools 1.2.3", "initial commit"]


def open_steps(result: Result) -> list[str]:
    """The lines that say what was not done."""
    return [line for line in result.out.splitlines() if line.startswith(("  failed: ", "  not done: "))]


def check_failure(result: Result, done: int) -> None:
    """See that the report names every step that is not done, and says how to go on."""
    assert result.code == 1
    assert len(result.done) == done
    if "nothing was written" in result.err:
        assert result.out == ""
    else:
        failed, *rest = open_steps(result)
        assert failed.startswith("  failed: ")
        assert done + 1 + len(rest) == ALL
        assert f"{done} of {ALL} steps done.\n" in result.out
        assert result.out.endswith(f"{AGAIN}\n")


@pytest.mark.parametrize("name", FAULTS)
def test_outcome_of_a_fault_and_of_the_next_run(client: Client, name: str) -> None:
    row = FAULTS[name]
    hub = client.hub
    hub.faults.add(row.fault)
    result = client.publish("--tag", "v1")

    assert result.waits == list(row.waits)
    assert [part for part in row.says if part not in result.err] == []
    assert result.err == "" or result.err.startswith("dibimt hub publish: ")
    if row.done == ALL:
        assert (result.code, open_steps(result)) == (0, [])
    else:
        check_failure(result, row.done)

    hub.faults.clear()
    again = client.publish("--tag", "v1")
    assert (again.code, again.err) == (0, "")
    assert stands(hub, client.stage) == []
    assert {tuple(repository.tags) for repository in hub.repos.values()} == {("v1",)}
    if not isinstance(row.fault.what, Spoil):
        # Nothing was done twice: one commit on each branch, whatever happened.
        assert set(map(tuple, history(hub).values())) == {tuple(ONCE)}


def test_wrong_content_is_replaced_by_the_next_run(client: Client) -> None:
    client.hub.faults.add(Fault("POST", COMMIT_FIRST, Spoil()))
    client.publish()
    assert client.hub.repo("dataset", "first").files()["README.md"] != b"first\n"
    client.publish()
    assert history(client.hub)["user/first main"] == ["DiBiMT tools 1.2.3", *ONCE]


def test_taken_commit_is_not_sent_again(client: Client) -> None:
    client.hub.faults.add(Fault("POST", COMMIT_FIRST, Cut("after")))
    client.publish()
    sent = [request.status for request in client.hub.requests if request.path.endswith("first/commit/main")]
    assert sent == [0]


# Large file storage


def test_wrong_content_in_large_file_storage(client: Client) -> None:
    client.hub.use_lfs = True
    client.hub.faults.add(Fault("PUT", "/_lfs/", Spoil()))
    result = client.publish()
    assert result.code == 1
    assert "these files are not as staged: data/de/b.bin" in result.err


def test_connection_cut_in_an_upload_to_large_file_storage(client: Client) -> None:
    # The library itself tries this again, after a second.
    client.hub.use_lfs = True
    client.hub.faults.add(Fault("PUT", "/_lfs/", Cut("upload")))
    assert client.publish().code == 0
    assert stands(client.hub, client.stage) == []


def test_large_file_storage_that_refuses(client: Client) -> None:
    client.hub.use_lfs = True
    client.hub.faults.add(Fault("PUT", "/_lfs/", Status(403), count=EVERY))
    result = client.publish()
    assert result.code == 1
    assert "write main of datasets/user/first: the token has no right to do that (403)" in result.err
    client.hub.faults.clear()
    assert client.publish().code == 0
    assert stands(client.hub, client.stage) == []


# Others who write at the same time, and Hubs with defaults of their own


def test_commit_of_somebody_else_between_plan_and_upload(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.publish()
    first = client.hub.repo("dataset", "first")
    asked = HubClient.branch

    def meanwhile(self: HubClient, address: Address, name: str) -> RemoteBranch:
        if address.id == "user/first" and len(first.history("main")) == 2:
            first.commit("main", {**first.stored(), "theirs.txt": Stored(b"theirs")}, "theirs")
        return asked(self, address, name)

    monkeypatch.setattr(HubClient, "branch", meanwhile)
    changed = small_stage(tmp_path / "changed", {(DATASET, "first", "main"): {"README.md": b"other\n"}})
    result = client.publish(staged=changed.folder)
    assert result.code == 1
    assert "somebody else has changed the branch since the plan was made; nothing was written over it" in result.err
    assert history(client.hub)["user/first main"] == ["theirs", *ONCE]
    # The next plan shows it.
    again = client.publish(staged=changed.folder)
    assert "1 not staged, left there (theirs.txt)" in again.out
    assert again.code == 0


def test_commit_of_somebody_else_at_the_last_moment(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    # After the last look at the branch: only the Hub itself can notice it, by the parent that the commit names.
    send = HubClient.commit

    def meanwhile(self: HubClient, address: Address, *arguments: Any) -> None:
        if address.id == "user/first":
            first = client.hub.repo("dataset", "first")
            first.commit("main", {**first.stored(), "theirs.txt": Stored(b"theirs")}, "theirs")
        send(self, address, *arguments)

    monkeypatch.setattr(HubClient, "commit", meanwhile)
    result = client.publish()
    assert result.code == 1
    assert "somebody else has changed the branch since the plan was made (412)" in result.err
    assert history(client.hub)["user/first main"] == ["theirs", "initial commit"]


def test_tag_of_somebody_else_meanwhile(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    put = HubClient.create_tag

    def meanwhile(self: HubClient, address: Address, tag: str, commit: str) -> None:
        page = client.hub.repo("space", "page")
        page.tags["v1"] = page.history("main")[-1]
        put(self, address, tag, commit)

    monkeypatch.setattr(HubClient, "create_tag", meanwhile)
    result = client.publish("--tag", "v1")
    page = client.hub.repo("space", "page")
    assert result.code == 1
    assert f"tag spaces/user/page: v1 names commit {page.tags['v1']}, not {page.branches['main']}" in result.err


def test_repository_that_comes_out_public_gets_no_files(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    create = HubClient.create
    monkeypatch.setattr(HubClient, "create", lambda self, address, _: create(self, address, private=False))
    result = client.publish("--private")
    assert result.code == 1
    assert "private was asked for, and it is public; nothing was written into it" in result.err
    assert history(client.hub) == {"user/page main": ["initial commit"]}


# No Hub at all


def test_no_hub_at_the_address(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    with LoopbackHub() as gone:
        address = gone.url
    monkeypatch.setenv("HF_ENDPOINT", address)
    result = client.publish()
    assert (result.code, result.waits) == (1, WAITS)
    assert f"ask {address} for the account: the connection to the Hub failed" in result.err
    assert "nothing was written" in result.err


def test_library_that_is_set_offline(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    result = client.publish()
    assert (result.code, result.waits) == (1, [])
    assert "HF_HUB_OFFLINE is set" in result.err


# What is said


def test_token_that_the_hub_repeats_is_hidden(client: Client) -> None:
    said = f"token {client.hub.token} and hf_AnotherTokenOfSomebody are unknown"
    client.hub.faults.add(Fault("POST", COMMIT_FIRST, Status(403, message=said)))
    result = client.publish("--json")  # `Client` looks for the token in everything
    assert "(the Hub: token hf_... and hf_... are unknown)" in result.err
    assert "hf_AnotherTokenOfSomebody" not in result.out + result.err


def test_failure_as_json(client: Client) -> None:
    client.hub.faults.add(Fault("POST", COMMIT_SECOND, Status(403)))
    result = client.publish("--json")
    assert result.code == 1
    found = json.loads(result.out)
    assert "write main of datasets/user/second: the token has no right" in found["error"]
    assert [step["state"] for step in found["steps"]] == [*["done"] * 7, "failed"]


# Interrupted


@pytest.mark.parametrize(
    ("path", "done", "taken"),
    [(COMMIT_FIRST, 3, True), ("/api/datasets/user/second$", 0, False)],
    ids=["while writing", "while the plan is made"],
)
def test_interrupted(hub: LoopbackHub, tmp_path: Path, path: str, done: int, taken: bool) -> None:
    stage = small_stage(tmp_path / "stage")
    hub.faults.add(Fault("*", path, Delay(4)))
    command = [sys.executable, "-m", "dibimt_tools", "hub", "publish", "--namespace", "user", "--staged"]
    process = subprocess.Popen(
        [*command, str(stage.folder)],
        cwd=tmp_path,
        env=client_environment(tmp_path, hub),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait_until(lambda: hub.faults.struck > 0)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert hub.token not in out + err
    assert "Traceback" not in err
    assert err.endswith("dibimt: interrupted\n")
    assert len([line for line in out.splitlines() if line.startswith("done: ")]) == done
    if taken:
        assert "  interrupted, may be done: write main of datasets/user/first" in out
        assert out.endswith(f"{AGAIN}\n")
    else:
        assert (out, hub.repos) == ("", {})


def wait_until(holds: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)
