"""The plan of publishing: pure functions, without a Hub; waiting; and what errors become."""

from __future__ import annotations

import doctest
import hashlib
import importlib
import json
from typing import Any

import pytest
import requests

from dibimt_metric.errors import InputError
from dibimt_tools.hub.hub_errors import EXPLAINED, HubError, Retry, failures, redact, translate
from dibimt_tools.hub.plan import (
    Action,
    BranchPlan,
    RemoteBranch,
    RemoteRepository,
    Tag,
    compare,
    git_oid,
    make_plan,
)
from dibimt_tools.hub.publish_choices import Choices
from dibimt_tools.hub.repositories import Branch, Repository, RepositoryType, StagedFile

# What `huggingface_hub` sends its requests with: one of the names of httpx.
HTTP = importlib.import_module(failures()[0].__module__.partition(".")[0])

COMMIT = "c" * 40


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def branch(name: str, **files: bytes) -> Branch:
    return Branch(name, tuple(StagedFile(path, len(data), sha256(data)) for path, data in files.items()))


def remote(**files: str) -> RemoteBranch:
    return RemoteBranch(COMMIT, {".gitattributes": "9", **files})


OIDS = {sha256(content): git_oid(content) for content in (b"1", b"2", b"3", b"s")}
MAIN = branch("main", a=b"1", b=b"2", c=b"3")
THERE = remote(a=git_oid(b"1"), b=git_oid(b"1"), c=sha256(b"3"), old="0")


# Comparison


def test_id_that_git_gives() -> None:
    # printf 'abc\n' | git hash-object --stdin
    assert git_oid(b"abc\n") == "8baef1b4abc478178b004d62031cf7fe6db6f903"


def test_comparison() -> None:
    assert compare(MAIN, THERE, OIDS, prune=False) == BranchPlan(
        "main", COMMIT, added=(), changed=("b",), unchanged=("a", "c"), strays=("old",), deleted=()
    )
    assert compare(MAIN, THERE, OIDS, prune=True).deleted == ("old",)


def test_content_of_large_file_storage_is_compared_by_its_sha256() -> None:
    other = remote(c=sha256(b"2"))
    assert compare(branch("main", c=b"3"), other, OIDS, prune=False).changed == ("c",)


def test_branch_that_is_not_there() -> None:
    found = compare(branch("script", s=b"s"), remote(README="0"), OIDS, False, exists=False)
    assert (found.commit, found.added, found.strays) == (None, ("s",), ("README",))


# The plan

DATA = Repository(RepositoryType.DATASET, "data", (MAIN, branch("script", s=b"s")))
SAME = remote(a=git_oid(b"1"), b=git_oid(b"2"), c=git_oid(b"3"))
SCRIPT = remote(s=git_oid(b"s"))


def actions(found: RemoteRepository | None, tag: str = "") -> list[tuple[Action, str]]:
    plan = make_plan([(DATA, found)], OIDS, Choices("me", tag=tag or None))
    return [(step.action, step.branch) for step in plan.steps]


def test_steps_where_there_is_nothing() -> None:
    assert actions(None, "v1") == [
        (Action.CREATE, ""),
        (Action.COMMIT, "main"),
        (Action.BRANCH, "script"),
        (Action.COMMIT, "script"),
        (Action.TAG, ""),
    ]


def test_steps_where_a_branch_is_missing_and_main_differs() -> None:
    found = RemoteRepository(False, {"main": THERE}, start=remote())
    assert actions(found) == [(Action.COMMIT, "main"), (Action.BRANCH, "script"), (Action.COMMIT, "script")]


def test_no_steps_where_all_stands() -> None:
    assert actions(RemoteRepository(True, {"main": SAME, "script": SCRIPT}, tagged=COMMIT), "v1") == []


def test_tags_come_after_everything_that_is_written() -> None:
    plan = make_plan([(DATA, None), (DATA, None)], OIDS, Choices("me", tag="v1"))
    kinds = [step.action for step in plan.steps]
    assert kinds.index(Action.TAG) == len(kinds) - 2


@pytest.mark.parametrize(
    ("main", "tagged", "state"), [(SAME, None, Tag.MAKE), (THERE, None, Tag.MAKE), (SAME, COMMIT, Tag.STANDS)]
)
def test_tag(main: RemoteBranch, tagged: str | None, state: Tag) -> None:
    found = RemoteRepository(False, {"main": main, "script": SCRIPT}, tagged=tagged)
    assert make_plan([(DATA, found)], OIDS, Choices("me", tag="v1")).repositories[0].tag is state


@pytest.mark.parametrize(("main", "tagged"), [(THERE, COMMIT), (SAME, "d" * 40)])
def test_tag_that_names_something_else(main: RemoteBranch, tagged: str) -> None:
    found = RemoteRepository(False, {"main": main, "script": SCRIPT}, tagged=tagged)
    with pytest.raises(InputError, match=r"tag v1: exists and names something else in datasets/me/data"):
        make_plan([(DATA, found)], OIDS, Choices("me", tag="v1"))


# Waiting


def failing(*errors: HubError | None) -> Any:
    left = list(errors)

    def act() -> str:
        error = left.pop(0)
        if error is not None:
            raise error
        return "done"

    return act


def busy(wait: float = 0.0) -> HubError:
    return HubError("busy", 503, temporary=True, wait=wait)


def test_waits_grow_and_heed_the_hub() -> None:
    waited: list[float] = []
    said: list[str] = []
    retry = Retry(said.append, waited.append, waits=(1, 2, 4), longest=60)
    assert retry.run(failing(busy(), busy(10), busy(0), None)) == "done"
    assert waited == [1, 10, 4]
    assert said[1] == "busy; waiting 10 s, then attempt 3 of 4"


def test_what_is_not_temporary_is_not_tried_again() -> None:
    waited: list[float] = []
    with pytest.raises(HubError, match="^no$"):
        Retry(waited.append, waited.append).run(failing(HubError("no", 403), None))
    assert waited == []


def test_waits_end() -> None:
    waited: list[float] = []
    with pytest.raises(HubError, match=r"busy \(tried 3 times\)"):
        Retry(str, waited.append, waits=(1, 2)).run(failing(busy(), busy(), busy(), None))
    assert waited == [1, 2]


def test_wait_that_is_too_long_is_the_users_to_decide() -> None:
    waited: list[float] = []
    with pytest.raises(HubError, match=r"busy \(the Hub asks to wait 61 s\)"):
        Retry(str, waited.append, longest=60).run(failing(busy(61), None))
    assert waited == []


# Errors


def answer(status: int, **headers: str) -> Exception:
    """As the installed ``huggingface_hub`` raises it."""
    from huggingface_hub.utils import HfHubHTTPError

    request = HTTP.Request("GET", "http://127.0.0.1/x")
    response = HTTP.Response(status, headers=headers, request=request)
    return HfHubHTTPError("raw", response=response)


@pytest.mark.parametrize("status", [*EXPLAINED, 408, 500, 502, 503, 504, 507])
def test_status_is_explained(status: int) -> None:
    error = translate(answer(status, **{"X-Error-Message": "so\nit is"}), "do it", None)
    assert str(error).startswith("do it: ")
    assert f"({status})" in str(error)
    assert str(error).endswith("(the Hub: so it is)")
    assert error.temporary == (status in (408, 429, 500, 502, 503, 504))


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"Retry-After": "7"}, 7.0),
        ({"RateLimit": '"api";r=0;t=55'}, 55.0),
        ({"Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"}, 0.0),
        ({}, 0.0),
    ],
)
def test_how_long_the_hub_asks_to_wait(headers: dict[str, str], wait: float) -> None:
    assert translate(answer(429, **headers), "do it", None).wait == wait


def wrapped(cause: Exception) -> Exception:
    """As ``huggingface_hub`` wraps what happens in large file storage."""
    try:
        try:
            raise cause
        except Exception as error:
            raise RuntimeError("Error while uploading 'x' to the Hub.") from error
    except RuntimeError as error:
        return error


def test_cause_counts_and_not_its_wrapping() -> None:
    error = translate(wrapped(answer(503)), "do it", None)
    assert (error.status, error.temporary) == (503, True)
    assert translate(wrapped(HTTP.ReadError("gone")), "do it", None).temporary


@pytest.mark.parametrize("raised", [HTTP.ConnectError("refused"), ConnectionResetError("reset"), TimeoutError("slow")])
def test_connection(raised: Exception) -> None:
    error = translate(raised, "do it", None)
    assert str(error) == f"do it: the connection to the Hub failed: {raised}"
    assert error.temporary


def test_connection_of_releases_on_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    class Older(requests.HTTPError):
        """As ``HfHubHTTPError`` is there."""

    monkeypatch.setattr("huggingface_hub.utils.HfHubHTTPError", Older)
    assert failures()[0] is requests.RequestException
    assert translate(requests.ConnectionError("refused"), "do it", None).temporary
    response = requests.Response()
    response.status_code = 403
    assert translate(Older(response=response), "do it", None).status == 403


def test_garbled_answer_is_tried_again() -> None:
    error = translate(json.JSONDecodeError("Expecting value", "", 0), "do it", None)
    assert str(error).startswith("do it: the Hub's answer is incomplete or garbled")
    assert error.temporary


def test_everything_else_is_said_in_its_own_words_and_cut() -> None:
    error = translate(ValueError("Invalid metadata in README.md.\n" + "x" * 1000), "do it", None)
    assert str(error).startswith("do it: Invalid metadata in README.md. xxx")
    assert (len(str(error)) < 400, error.temporary) == (True, False)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Bearer secret-of-another-form", "Bearer hf_..."),
        ("hf_AbCdEfGhIjKlMnOpQrStUvWxYz01234567", "hf_..."),
        ("?token=hf_jwt_eyJhbGciOi.eyJzdWIi.abc&x", "?token=hf_...&x"),
        ("hf_oauth_AbCdEfGh12", "hf_..."),
        ("https://me:secret@hub.example/api", "https://hub.example/api"),
        ("run 'hf auth login' or set HF_TOKEN", "run 'hf auth login' or set HF_TOKEN"),
        ("huggingface_hub, hf_hub and hf_xet", "huggingface_hub, hf_hub and hf_xet"),
    ],
)
def test_redaction(text: str, shown: str) -> None:
    assert redact(text, "secret-of-another-form") == shown


@pytest.mark.parametrize("name", ["hub_errors", "plan", "publish", "repositories"])
def test_examples_run(name: str) -> None:
    results = doctest.testmod(importlib.import_module(f"dibimt_tools.hub.{name}"))
    assert (results.failed, results.attempted > 0) == (0, True)
