"""Loads data sets from a loopback Hub in this process, in good and bad weather, and prints what came of each case.

Run by `test_metric_dataset`, with the interpreter of any generation of ``datasets``; no other library is needed. The
Hub is in the same process, so that faults can be set between two loads. Each case has a repository of its own, so
none sees the cache of another.

Prints one line of JSON: for each case what its function returns. A load is ``{"items": number, "origin": ...}`` or
``{"error": class, "message": ...}``.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.hub.loopback import LoopbackHub
from tests.hub.loopback_faults import EVERY, Cut, Fault, Status
from tests.hub.loopback_store import HubRepository, Stored

ROWS = [{"id": f"a.{number}", "good": ["Ufer"], "bad": ["Bank"], "lemma": None} for number in range(3)]
CARD = """---
configs:
- {config_name: de, data_files: [{split: test, path: de.jsonl}, {split: train, path: train.jsonl}]}
- {config_name: nl, data_files: [{split: test, path: nl.jsonl}]}
- {config_name: notes, data_files: [{split: test, path: notes.jsonl}]}
---
"""
PROMISES = [
    {"name": "test", "num_examples": 4, "num_bytes": 0},
    {"name": "train", "num_examples": 1, "num_bytes": 0},
]
INFO = [{"config_name": "de", "splits": PROMISES}]
PROMISING_CARD = CARD.replace("---\n", f"---\ndataset_info: {json.dumps(INFO)}\n", 1)
OWN_FILES = {
    "README.md": CARD,
    "de.jsonl": ROWS,
    "train.jsonl": ROWS[:1],
    "nl.jsonl": [{"id": "a.0", "good": ["oever"], "bad": ["bank"], "lemma": "bank"}],
    "notes.jsonl": [{"note": "no item"}],
}
Case = Callable[[LoopbackHub, str], Any]
CASES: list[Case] = []


def case(function: Case) -> Case:
    CASES.append(function)
    return function


def commit(hub: LoopbackHub, name: str, files: dict[str, Any] | None = None, branch: str = "main") -> str:
    """Put files on the Hub; rows are written as JSON Lines."""
    repository = hub.repos.setdefault(("dataset", name), HubRepository("dataset", name))
    contents = {path: Stored(as_bytes(content)) for path, content in (files or OWN_FILES).items()}
    return repository.commit(branch, contents, f"commit {len(repository.commits)}")


def as_bytes(content: object) -> bytes:
    text = content if isinstance(content, str) else "".join(json.dumps(row) + "\n" for row in content)
    return text.encode()


def load(name: str, language: str | None = "de", revision: str | None = None) -> dict[str, Any]:
    """What a user gets."""
    from dibimt_metric.errors import DibimtError
    from dibimt_metric.items_data_set import load_data_set

    try:
        loaded = load_data_set(name, language, revision)
    except DibimtError as error:
        return {"error": type(error).__name__, "message": str(error)}
    return {"items": len(loaded.items), "origin": loaded.origin(language or "de")}


def always(hub: LoopbackHub, path: str, what: Any, method: str = "*") -> None:
    hub.faults.add(Fault(method, path, what, count=EVERY))


# Revisions


@case
def newest(hub: LoopbackHub, name: str) -> Any:
    first = commit(hub, name)
    loads = [load(name)]
    second = commit(hub, name, {**OWN_FILES, "de.jsonl": ROWS[:2]})
    return {"commits": [first, second], "loads": [*loads, load(name)]}


@case
def revisions(hub: LoopbackHub, name: str) -> Any:
    first = commit(hub, name)
    repository = hub.repos["dataset", name]
    repository.tags["v1"] = repository.branches["other/branch"] = first
    commit(hub, name, {**OWN_FILES, "de.jsonl": ROWS[:2]})
    return {"commit": first, "loads": [load(name, revision=each) for each in ("v1", "other/branch", first)]}


@case
def a_commit_in_the_cache_needs_no_request(hub: LoopbackHub, name: str) -> Any:
    oid = commit(hub, name)
    load(name)
    before = len(hub.requests)
    again = load(name, revision=oid)
    pinned = len(hub.requests) - before
    load(name)
    return {"loads": again, "requests": [pinned, len(hub.requests) - before - pinned]}


@case
def several_languages(hub: LoopbackHub, name: str) -> Any:
    return {"commit": commit(hub, name), "loads": load(name, None)}


@case
def revision_that_is_not_there(hub: LoopbackHub, name: str) -> Any:
    commit(hub, name)
    return [load(name, revision=each) for each in ("v9", "0" * 40, "../main")]


# What is not there, or not for everybody


@case
def missing(hub: LoopbackHub, name: str) -> Any:
    with_token = load(name)
    token = os.environ.pop("HF_TOKEN")
    without = load(name)
    os.environ["HF_TOKEN"] = token
    return [with_token, without]


@case
def private(hub: LoopbackHub, name: str) -> Any:
    commit(hub, name)
    hub.repos["dataset", name].private = True
    token = os.environ.pop("HF_TOKEN")
    without = load(name)
    os.environ["HF_TOKEN"] = "hf_AnotherTokenThatIsNotAccepted000000"
    wrong = load(name)
    os.environ["HF_TOKEN"] = token
    return [without, wrong, load(name)]


@case
def gated(hub: LoopbackHub, name: str) -> Any:
    commit(hub, name)
    always(hub, f"^/datasets/{name}/", Status(403, error="GatedRepo"))
    return load(name)


@case
def token_refused(hub: LoopbackHub, name: str) -> Any:
    commit(hub, name)
    always(hub, name, Status(401, error="Unauthorized"))
    return load(name)


@case
def configuration_that_is_not_there(hub: LoopbackHub, name: str) -> Any:
    commit(hub, name)
    return load(name, "ru")


@case
def not_items(hub: LoopbackHub, name: str) -> Any:
    commit(hub, name, {"rows.jsonl": [{"question": "?", "answer": "!"}]})
    return load(name)


@case
def single_configuration(hub: LoopbackHub, name: str) -> Any:
    rows = [{**row, "language": language} for row in ROWS for language in ("de", "nl")]
    return {"commit": commit(hub, name, {"items.jsonl": rows}), "loads": load(name)}


@case
def empty_repository(hub: LoopbackHub, name: str) -> Any:
    commit(hub, name, {"README.md": "No data yet."})
    return load(name)


@case
def loading_script(hub: LoopbackHub, name: str) -> Any:
    script = "import datasets\nraise SystemExit('it ran')\n"
    commit(hub, name)
    commit(hub, name, {f"{name.partition('/')[2]}.py": script}, "script")
    return load(name, revision="script")


@case
def broken_files(hub: LoopbackHub, name: str) -> Any:
    commit(hub, f"{name}1", {**OWN_FILES, "de.jsonl": '{"id": "a", "good": ["Ufer"]}\n{"id": "b", "good":\n'})
    commit(hub, f"{name}2", {**OWN_FILES, "README.md": "---\nconfigs: [{{\n---\n"})
    commit(hub, f"{name}3", {key: value for key, value in OWN_FILES.items() if key != "de.jsonl"})
    commit(hub, f"{name}4", {**OWN_FILES, "README.md": PROMISING_CARD})
    return [load(f"{name}{number}") for number in (1, 2, 3, 4)]


@case
def data_elsewhere(hub: LoopbackHub, name: str) -> Any:
    commit(hub, f"{name}-other")
    card = CARD.replace("path: de.jsonl", f"path: 'hf://datasets/{name}-other/de.jsonl'")
    commit(hub, name, {**OWN_FILES, "README.md": card})
    return load(name)


# Folders


def write(folder: Path, files: dict[str, Any] | None = None) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    for path, content in (files or OWN_FILES).items():
        (folder / path).write_bytes(as_bytes(content))
    return str(folder)


@case
def folder(hub: LoopbackHub, name: str) -> Any:
    here = Path("folders").resolve()
    places = [write(here / "a" / "set"), write(here / "b" / "set", {**OWN_FILES, "de.jsonl": ROWS[:2]})]
    loads = [load(place) for place in places]
    write(here / "a" / "set", {"de.jsonl": [{**ROWS[0], "lemma": "bank"}]})
    return [*loads, load(places[0]), load(places[0], "nl"), load(places[0], None)]


@case
def faulty_folder(hub: LoopbackHub, name: str) -> Any:
    here = Path("folders").resolve()
    faulty: list[dict[str, Any]] = [
        {"README.md": PROMISING_CARD},
        {"de.jsonl": '{"id": "a", "good": ["Ufer"]}\n{"id": "b", "good":\n'},
        {"README.md": "---\nconfigs: [{{\n---\n"},
        {"set3.py": "raise SystemExit('it ran')"},
    ]
    places = [write(here / f"set{i}", {**OWN_FILES, **change}) for i, change in enumerate(faulty)]
    single = write(here / "single", {"items.jsonl": ROWS})
    return [*map(load, places), load(places[0], "ru"), load(single, "nl")]


# Faults of the Hub


def weather(hub: LoopbackHub, name: str, what: Any) -> list[dict[str, Any]]:
    """Without a copy in the cache, with the fault while files are read, then with a copy, then fair again."""
    oid = commit(hub, name)
    always(hub, name, what)
    nothing_cached = load(name)
    hub.faults.clear()
    always(hub, rf"^/datasets/{name}/.*\.jsonl$", what)
    while_reading = load(name)
    hub.faults.clear()
    fair = load(name)
    commit(hub, name, {**OWN_FILES, "de.jsonl": ROWS[:2]})
    always(hub, name, what)
    cached = load(name)
    hub.faults.clear()
    for each in (fair, cached):
        each["right commit"] = each.get("origin") == f"{name}@{oid}"
    return [nothing_cached, while_reading, fair, cached, load(name)]


@case
def too_many_requests(hub: LoopbackHub, name: str) -> Any:
    return weather(hub, name, Status(429, retry_after=1))


@case
def server_error(hub: LoopbackHub, name: str) -> Any:
    return weather(hub, name, Status(500))


@case
def connection_cut(hub: LoopbackHub, name: str) -> Any:
    return weather(hub, name, Cut("before"))


@case
def download_cut(hub: LoopbackHub, name: str) -> Any:
    commit(hub, name)
    always(hub, r"\.jsonl$", Cut("response"), "GET")
    broken = load(name)
    hub.faults.clear()
    return [broken, load(name)]


@case
def hub_fails_after_it_named_a_commit(hub: LoopbackHub, name: str) -> Any:
    old = commit(hub, name)
    load(name)
    commit(hub, name, {**OWN_FILES, "de.jsonl": ROWS[:2]})
    # Everything but the first question, which is for the newest commit.
    always(hub, rf"{name}/(resolve|tree|paths-info|revision)/", Status(503))
    return {"old": old, "loads": [load(name), load(name, "nl")]}


# The cache


def cached_file(name: str, end: str) -> Path:
    folder = Path(os.environ["HF_HOME"]) / "datasets" / name.replace("/", "___")
    (found,) = folder.glob(f"de/*/*/*{end}")
    return found


def lose_rows(path: Path) -> None:
    """The file as it is when its last batch was not written: nothing in it tells that there was one."""
    import pyarrow

    table = pyarrow.ipc.open_stream(pyarrow.BufferReader(path.read_bytes())).read_all().slice(0, 1)
    with pyarrow.ipc.new_stream(str(path), table.schema) as stream:
        stream.write_table(table)


@case
def damaged_cache(hub: LoopbackHub, name: str) -> Any:
    damages: list[tuple[str, Callable[[Path], Any]]] = [
        ("-test.arrow", lambda path: path.write_bytes(path.read_bytes()[:-700])),
        ("-test.arrow", lambda path: path.write_bytes(b"")),
        ("-test.arrow", Path.unlink),
        ("-test.arrow", lose_rows),
        ("dataset_info.json", lambda path: path.write_text(path.read_text()[:100])),
        ("dataset_info.json", Path.unlink),
    ]
    loads: list[dict[str, Any]] = []
    for number, (end, damage) in enumerate(damages):
        commit(hub, f"{name}{number}")
        assert load(f"{name}{number}")["items"] == len(ROWS)
        damage(cached_file(f"{name}{number}", end))
        broken = load(f"{name}{number}")
        named = re.search(r"delete (.*) and load it again$", broken["message"])
        shutil.rmtree(named[1] if named else "")
        loads += [broken, load(f"{name}{number}")]
    return loads


# The Hub is gone; the last case


@case
def offline_mode(hub: LoopbackHub, name: str) -> Any:
    import datasets

    oid = commit(hub, name)
    load(name, "nl")
    before = len(hub.requests)
    # What HF_HUB_OFFLINE and HF_DATASETS_OFFLINE set when the library is imported.
    datasets.config.HF_HUB_OFFLINE = True
    loads = [load(name, "nl"), load(name, "de"), load(name, "nl", "main"), load(name, "nl", oid)]
    datasets.config.HF_HUB_OFFLINE = False
    return {"commit": oid, "loads": loads, "requests": len(hub.requests) - before}


@case
def out_of_reach(hub: LoopbackHub, name: str) -> Any:
    old = commit(hub, name)
    load(name)
    new = commit(hub, name, {**OWN_FILES, "de.jsonl": ROWS[:2]})
    load(name)
    commit(hub, f"{name}-single", {"items.jsonl": ROWS})
    load(f"{name}-single")
    hub.__exit__(None, None, None)
    revisions: tuple[str | None, ...] = (None, new, old, "0" * 40, "v1")
    loads = [load(name, revision=revision) for revision in revisions]
    single = [load(f"{name}-single", language) for language in ("nl", None)]
    more = [load(name, None), load(name, "nl"), load("user/never")]
    return {"old": old, "new": new, "loads": [*loads, *more], "single": single}


def main() -> None:
    """All cases, each with a name of its own."""
    with LoopbackHub() as hub:
        os.environ.update({"HF_ENDPOINT": hub.url, "HF_TOKEN": hub.token})
        time.sleep = lambda seconds: None  # clients wait for up to half a minute before they give up
        import datasets

        outcomes = {"version": datasets.__version__, "token": hub.token}
        for each in CASES:
            outcomes[each.__name__] = each(hub, f"user/{each.__name__.replace('_', '-')}")
            hub.faults.clear()
    json.dump(outcomes, sys.stdout)


if __name__ == "__main__":
    main()
