"""``dibimt hub publish`` with the real client, against a loopback Hub that does what it is asked to."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

import pytest

from dibimt_tools.hub.repositories import Stage
from tests.hub.clients import client_environment, run_python
from tests.hub.loopback import LoopbackHub
from tests.hub.loopback_store import Stored
from tests.hub.publishing import CONTENTS, DATASET, SPACE, STEPS, Client, small_stage, stands

NOTHING = "Nothing to do: everything on the Hub is as staged."


def commits(hub: LoopbackHub) -> dict[str, int]:
    return {id: len(repository.commits) for (_, id), repository in hub.repos.items()}


# What stands afterwards


def test_everything_is_created_written_and_tagged(client: Client) -> None:
    result = client.publish("--tag", "v1.0")
    assert (result.code, result.err) == (0, "")
    tags = [f"put tag v1.0 on main of {place}" for place in ("spaces/user/page", "datasets/user/first")]
    assert result.done == [*STEPS, *tags, "put tag v1.0 on main of datasets/user/second"]
    assert stands(client.hub, client.stage) == []
    for repository in client.hub.repos.values():
        assert repository.tags == {"v1.0": repository.branches["main"]}
        assert not repository.private
    assert client.hub.repo("space", "page").sdk == "gradio"


def test_each_branch_is_one_commit_and_the_script_stands_alone(client: Client) -> None:
    client.publish()
    first = client.hub.repo("dataset", "first")
    main, start = first.history("main")
    script, same_start = first.history("script")
    assert start == same_start
    assert set(first.stored("script")) == {".gitattributes", "first.py"}
    assert {first.commits[oid].title for oid in (main, script)} == {"DiBiMT tools 1.2.3"}


def test_second_run_has_nothing_to_do(client: Client) -> None:
    client.publish("--tag", "v1")
    before, count = commits(client.hub), len(client.hub.writes())
    result = client.publish("--tag", "v1")
    assert result.code == 0
    assert NOTHING in result.out
    assert result.done == []
    assert (commits(client.hub), len(client.hub.writes())) == (before, count)


def test_only_what_differs_is_written(client: Client, tmp_path: Path) -> None:
    client.publish()
    changes = {(DATASET, "first", "main"): {"README.md": b"other\n", "data/de/c.jsonl": b"{}\n"}}
    changed = small_stage(tmp_path / "changed", changes)
    result = client.publish(staged=changed.folder)
    assert result.done == ["write main of datasets/user/first"]
    assert "main: 1 to add (3 bytes), 1 to change (README.md), 2 unchanged\n" in result.out
    assert stands(client.hub, changed) == []
    assert commits(client.hub) == {"user/page": 2, "user/first": 4, "user/second": 2}


def test_dry_run_shows_the_plan_and_writes_nothing(client: Client) -> None:
    result = client.publish("--dry-run", "--tag", "v1")
    assert result.code == 0
    assert result.out == (
        f"{client.hub.url}, as user, namespace user\n"
        "\n"
        "spaces/user/page: to be created, public\n"
        "  main: 2 to add (28 bytes)\n"
        "  tag v1: to be put on main, last\n"
        "\n"
        "datasets/user/first: to be created, public\n"
        "  main: 3 to add (18 bytes)\n"
        "  script: 1 to add (7 bytes)\n"
        "  tag v1: to be put on main, last\n"
        "\n"
        "datasets/user/second: to be created, public\n"
        "  main: 2 to add (10 bytes)\n"
        "  tag v1: to be put on main, last\n"
        "\n"
        "Dry run: nothing was written.\n"
    )
    assert {request.method for request in client.hub.requests} == {"GET"}
    assert client.hub.repos == {}


def test_dry_run_of_a_change_writes_nothing(client: Client, tmp_path: Path) -> None:
    client.publish()
    client.hub.requests.clear()
    changed = small_stage(tmp_path / "changed", {(SPACE, "page", "main"): {"app.py": b"other\n"}})
    result = client.publish("--dry-run", "--prune", staged=changed.folder)
    assert "1 to change (app.py), 1 unchanged" in result.out
    assert {request.method for request in client.hub.requests} == {"GET"}


def test_large_file_storage(client: Client, tmp_path: Path) -> None:
    client.hub.use_lfs = True
    client.publish()
    first = client.hub.repo("dataset", "first")
    assert first.stored("main")["data/de/b.bin"].lfs
    assert stands(client.hub, client.stage) == []
    assert NOTHING in client.publish().out
    changed = small_stage(tmp_path / "changed", {(DATASET, "first", "main"): {"data/de/b.bin": b"\0\1\3"}})
    assert client.publish(staged=changed.folder).done == ["write main of datasets/user/first"]
    assert stands(client.hub, changed) == []


def test_same_content_is_recognized_in_whatever_storage(client: Client) -> None:
    client.publish()
    first = client.hub.repo("dataset", "first")
    files = {path: Stored(file.content, lfs=True) for path, file in first.stored("main").items()}
    first.commit("main", files, "moved to large file storage")
    assert NOTHING in client.publish().out


# Choices


def test_only(client: Client) -> None:
    assert client.publish("--only", "datasets/first", "page").code == 0
    assert set(client.hub.repos) == {("space", "user/page"), ("dataset", "user/first")}


def test_only_of_an_unknown_name(client: Client) -> None:
    result = client.publish("--only", "third")
    assert result.code == 2
    assert "--only third: no such repository is staged; there are: spaces/page, datasets/first," in result.err
    assert "with --blimp DIR" not in result.err
    assert "BLiMP is staged with --blimp DIR" in client.publish("--only", "blimp").err
    assert client.hub.requests == []


def test_private(client: Client) -> None:
    result = client.publish("--private")
    assert "spaces/user/page: to be created, private" in result.out
    assert [repository.private for repository in client.hub.repos.values()] == [True, True, True]
    assert stands(client.hub, client.stage) == []
    assert NOTHING in client.publish("--private").out


def test_visibility_of_what_exists_is_shown_and_stays(client: Client) -> None:
    client.publish("--private", "--only", "page")
    result = client.publish()
    assert "spaces/user/page: exists, private (public was asked for; it stays private)" in result.out
    assert client.hub.repo("space", "page").private


def test_what_should_be_private_is_refused_where_it_is_public(client: Client) -> None:
    client.publish("--only", "first")
    written = client.hub.writes()
    result = client.publish("--private")
    assert result.code == 2
    assert "--private: datasets/user/first exists and is public;" in result.err
    assert client.hub.writes() == written


def add_strays(hub: LoopbackHub) -> None:
    first = hub.repo("dataset", "first")
    for branch in first.branches:
        first.commit(branch, {**first.stored(branch), "old.txt": Stored(b"old")}, "by hand")


def test_files_that_are_not_staged_are_left(client: Client) -> None:
    client.publish()
    add_strays(client.hub)
    result = client.publish()
    assert "main: 3 unchanged, 1 not staged, left there (old.txt)" in result.out
    assert NOTHING in result.out
    assert client.hub.repo("dataset", "first").files("script")["old.txt"] == b"old"


def test_prune_deletes_them(client: Client) -> None:
    client.publish()
    add_strays(client.hub)
    result = client.publish("--prune")
    assert "script: 1 to delete (old.txt), 1 unchanged" in result.out
    assert stands(client.hub, client.stage) == []
    assert ".gitattributes" in client.hub.repo("dataset", "first").stored("main")
    assert NOTHING in client.publish("--prune").out


def test_branch_that_cannot_start_empty_shows_it(client: Client) -> None:
    # A history that was squashed: the first commit of the repository holds all its files.
    client.publish("--only", "first")
    first = client.hub.repo("dataset", "first")
    first.branches.clear()
    first.commit("main", first.commits[next(reversed(first.commits))].files, "squashed")
    result = client.publish("--dry-run", "--only", "first")
    assert "script: new branch, 1 unchanged" in result.out


# Tags


def test_tag_that_names_something_else_is_refused_before_anything_is_written(client: Client, tmp_path: Path) -> None:
    client.publish("--tag", "v1")
    before = len(client.hub.writes())
    changed = small_stage(tmp_path / "changed", {(DATASET, "first", "main"): {"README.md": b"other\n"}})
    result = client.publish("--tag", "v1", staged=changed.folder)
    assert result.code == 2
    tagged = client.hub.repo("dataset", "first").tags["v1"][:8]
    assert f"datasets/user/first (commit {tagged}, and main has changes to be written)" in result.err
    assert "nothing was written" in result.err
    assert len(client.hub.writes()) == before


def test_tag_on_another_commit_of_equal_files_is_refused(client: Client) -> None:
    client.publish()
    first = client.hub.repo("dataset", "first")
    first.tags["v1"] = first.history("main")[-1]
    result = client.publish("--tag", "v1")
    assert result.code == 2
    assert f"datasets/user/first (commit {first.tags['v1'][:8]}, main is at" in result.err
    assert client.hub.repo("space", "page").tags == {}


@pytest.mark.parametrize("tag", ["", "v 1", "-v1", "v1..2", "v1.lock", "v1/2", "a" * 65, "0" * 40, "v1."])
def test_names_that_are_no_tags(client: Client, tag: str) -> None:
    result = client.publish(f"--tag={tag}")
    assert result.code == 2
    assert "expected letters, digits" in result.err
    assert client.hub.requests == []


def test_tag_with_the_name_of_a_branch(client: Client) -> None:
    result = client.publish("--tag", "script")
    assert result.code == 2
    assert "tag script: user/first has a branch of that name" in result.err


# Who may


@pytest.mark.parametrize("name", ["", "a/b", "../x", "user name", "-user", "a--b"])
def test_names_that_are_no_namespaces(client: Client, name: str) -> None:
    result = client.publish(namespace=name)
    assert result.code == 2
    assert "namespace" in result.err
    assert client.hub.requests == []


def test_stage_for_another_namespace(client: Client) -> None:
    client.hub.organizations = ("lab",)
    result = client.publish(namespace="lab")
    assert result.code == 2
    assert "is staged for the namespace 'user'" in result.err
    assert "--namespace lab" in result.err


def test_namespace_of_an_organization(client: Client, tmp_path: Path) -> None:
    client.hub.organizations = ("lab",)
    stage = small_stage(tmp_path / "lab", namespace="lab")
    assert client.publish(namespace="lab", staged=stage.folder).code == 0
    assert stands(client.hub, stage, "lab") == []


def test_namespace_of_somebody_else(client: Client, tmp_path: Path) -> None:
    client.hub.organizations = ("lab",)
    stage = small_stage(tmp_path / "else", namespace="else")
    result = client.publish(namespace="else", staged=stage.folder)
    assert result.code == 2
    assert "the token belongs to user, a member of lab; choose one of these namespaces" in result.err
    assert client.hub.writes() == []


def test_token_that_can_only_read(client: Client) -> None:
    client.hub.role = "read"
    result = client.publish()
    assert result.code == 2
    assert "the token of user can only read" in result.err
    assert client.hub.writes() == []


def test_no_token(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HF_TOKEN")
    result = client.publish()
    assert result.code == 2
    assert "no token for http://127.0.0.1" in result.err
    assert "hf auth login" in result.err
    assert "HF_TOKEN" in result.err
    assert client.hub.requests == []


def test_address_that_is_none(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "hub.example")
    result = client.publish()
    assert result.code == 2
    assert "HF_ENDPOINT: 'hub.example' is not a valid address" in result.err


def test_stage_that_was_changed(client: Client) -> None:
    (client.stage.folder / "spaces/page/app.py").write_bytes(b"changed\n")
    result = client.publish()
    assert result.code == 2
    assert "spaces/page/app.py" in result.err
    assert client.hub.requests == []


def test_library_that_is_missing(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    result = client.publish()
    assert result.code == 2
    assert "pip install 'huggingface-hub>=0.24'" in result.err


# Reports


def test_json_of_plan_and_outcome(client: Client) -> None:
    planned = json.loads(client.publish("--dry-run", "--json").out)
    assert (planned["dry_run"], planned["account"], planned["endpoint"]) == (True, "user", client.hub.url)
    assert {step["state"] for step in planned["steps"]} == {"not done"}
    done = json.loads(client.publish("--json", "--tag", "v1").out)
    assert (done["dry_run"], done["error"], done["tag"]) == (False, None, "v1")
    assert {step["state"] for step in done["steps"]} == {"done"}
    assert len(done["steps"]) == len(STEPS) + 3
    first = next(each for each in done["repositories"] if each["id"] == "user/first")
    assert [branch["add"] for branch in first["branches"]] == [
        sorted(CONTENTS[DATASET, "first", "main"]),
        ["first.py"],
    ]
    assert first["url"] == f"{client.hub.url}/datasets/user/first"


# The real repositories, staged on the way


def test_real_repositories_are_staged_in_a_temporary_folder_and_published(
    client: Client, converted_blimp: Path, staged: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "temporary"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    result = client.run("--namespace", "user", "--blimp", str(converted_blimp), "--tag", "v1")
    assert (result.code, result.err) == (0, "")
    assert stands(client.hub, staged) == []
    assert list(scratch.iterdir()) == []
    assert NOTHING in client.publish("--tag", "v1", staged=staged.folder).out


IN_A_PROCESS = """
import contextlib, io, json, sys
from dibimt_tools.cli import main
with contextlib.redirect_stderr(io.StringIO()) as err:
    code = main(["hub", "publish", *sys.argv[1:]])
print(json.dumps([code, err.getvalue()]))
"""


def test_token_of_the_login_and_no_bars_where_no_terminal_is(hub: LoopbackHub, tmp_path: Path) -> None:
    hub.use_lfs = True  # for these uploads, huggingface_hub would show a bar
    stage = small_stage(tmp_path / "stage")
    environment = client_environment(tmp_path, hub, token=None)
    del environment["HF_HUB_DISABLE_PROGRESS_BARS"]
    (tmp_path / "hf-home").mkdir()
    (tmp_path / "hf-home" / "token").write_text(hub.token)
    options = ("--namespace", "user", "--staged", str(stage.folder))
    assert run_python(IN_A_PROCESS, environment, tmp_path, *options) == [0, ""]
    assert stands(hub, stage) == []
