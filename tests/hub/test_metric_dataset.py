"""``dataset="user/dibimt"``: items from the Hub, in every generation of ``datasets``, in good and bad weather.

Whatever goes wrong, the items are all of one commit, and the signature names it, or there is an error of one line.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dibimt_dataset import mini_items, mini_translations
from dibimt_metric.signature import parse_signature
from tests.generations.loading import ALL, INSTALLED, interpreter
from tests.hub.clients import client_environment, run_python
from tests.hub.loopback import LoopbackHub

TESTS = Path(__file__).parents[1]

# A package of the name `tests` in the site-packages goes before a folder without `__init__.py`.
CLIENT = """
import runpy, sys, types
tests = sys.modules["tests"] = types.ModuleType("tests")
tests.__path__ = [sys.argv[1]]
runpy.run_module("tests.hub.metric_dataset_client", run_name="__main__", alter_sys=True)
"""


@pytest.fixture(
    scope="module",
    params=[each if each == INSTALLED else pytest.param(each, marks=pytest.mark.slow) for each in ALL],
)
def outcomes(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What came of each case in one generation; see `metric_dataset_client`."""
    python = interpreter(request.param)
    scratch = tmp_path_factory.mktemp("client")
    environment = client_environment(scratch, None, HF_DATASETS_DISABLE_PROGRESS_BARS="1")
    online = {name: value for name, value in environment.items() if not name.endswith("_OFFLINE")}
    found: dict[str, Any] = run_python(CLIENT, online, scratch, str(TESTS), python=python)
    assert request.param == INSTALLED or found["version"].startswith(f"{request.param}.")
    return found


def loads_of(outcome: Any) -> Iterator[dict[str, Any]]:
    """All loads in what a case returned."""
    if isinstance(outcome, dict) and ("error" in outcome or "items" in outcome):
        yield outcome
    elif isinstance(outcome, (dict, list)):
        for each in outcome.values() if isinstance(outcome, dict) else outcome:
            yield from loads_of(each)


def test_every_error_is_one_line_without_secrets(outcomes: dict[str, Any]) -> None:
    errors = [load for load in loads_of(outcomes) if "error" in load]
    assert len(errors) > 30
    for error in errors:
        message = error["message"]
        assert error["error"] == "InputError"
        assert message.startswith("data set '") and "\n" not in message and len(message) < 600
        assert outcomes["token"] not in message and "hf_" not in message
        assert "cannot be read" not in message or "check its card" in message


def test_newest_commit(outcomes: dict[str, Any]) -> None:
    first, second = outcomes["newest"]["commits"]
    assert outcomes["newest"]["loads"] == [
        {"items": 3, "origin": f"user/newest@{first}"},
        {"items": 2, "origin": f"user/newest@{second}"},
    ]


def test_revision_by_tag_branch_and_commit(outcomes: dict[str, Any]) -> None:
    case = outcomes["revisions"]
    assert case["loads"] == [{"items": 3, "origin": f"user/revisions@{case['commit']}"}] * 3


def test_what_is_cached_costs_one_request_and_a_pinned_commit_none(outcomes: dict[str, Any]) -> None:
    case = outcomes["a_commit_in_the_cache_needs_no_request"]
    assert case["requests"] == [0, 1] and case["loads"]["items"] == 3


def test_several_languages_are_of_one_commit(outcomes: dict[str, Any]) -> None:
    case = outcomes["several_languages"]
    assert case["loads"] == {"items": 4, "origin": f"user/several-languages@{case['commit']}"}


def test_single_configuration(outcomes: dict[str, Any]) -> None:
    case = outcomes["single_configuration"]
    assert case["loads"] == {"items": 3, "origin": f"user/single-configuration@{case['commit']}"}


LOG_IN = "log in with `hf auth login`, or set HF_TOKEN"
NOT_THERE = f"the Hub has no data set of this name that you may read; check the name, and for a private one {LOG_IN}"
NO_REVISION = "the Hub has no such revision of it; dataset_revision is a branch, a tag or a full commit"
REFUSED = {
    "revision_that_is_not_there": [NO_REVISION] * 3,
    "missing": [NOT_THERE, NOT_THERE],
    "private": [NOT_THERE, NOT_THERE, None],
    "gated": ["ask for"],
    "token_refused": ["the Hub did not accept your token (401); log in with"],
    "configuration_that_is_not_there": ["has no configuration 'ru'; it has: de, nl, notes"],
    "not_items": ["it does not hold items; its columns are question, answer, and those of items are id, source"],
    "empty_repository": ["check its card and its data files"],
    "loading_script": ["is a loading script, which is not run here; name a revision with data files"],
    "broken_files": [
        "cannot be read (",
        "cannot be read (",
        "its card",
        "its card",
    ],
    "data_elsewhere": ["its card"],
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_loaded(outcomes: dict[str, Any], case: str) -> None:
    loads = list(loads_of(outcomes[case]))
    for load, expected in zip(loads, REFUSED[case], strict=True):
        if expected is None:
            assert load["items"] == 3
        else:
            assert expected in load["message"]


@pytest.mark.parametrize(
    ("case", "without_a_copy", "while_reading"),
    [
        ("too_many_requests", "the Hub answers with an error (429)", "the Hub had too many requests (429)"),
        ("server_error", "the Hub answers with an error (500)", "the Hub failed (500); try again"),
        ("connection_cut", "the Hub cannot be reached (", "the connection to the Hub failed ("),
    ],
)
def test_bad_weather(outcomes: dict[str, Any], case: str, without_a_copy: str, while_reading: str) -> None:
    first, second, fair, cached, newest = outcomes[case]
    assert without_a_copy in first["message"]
    assert "the cache does not hold configuration 'de'; load it once where the Hub can" in first["message"]
    assert while_reading in second["message"]
    assert fair["items"] == 3 and fair["right commit"]
    assert cached["items"] == 3 and cached["right commit"]
    assert newest["items"] == 2 and newest["origin"] != cached["origin"]


def test_download_that_breaks_off(outcomes: dict[str, Any]) -> None:
    broken, later = outcomes["download_cut"]
    assert "the connection to the Hub failed" in broken["message"] and later["items"] == 3


def test_copy_of_another_commit_is_not_taken_for_the_newest(outcomes: dict[str, Any]) -> None:
    case = outcomes["hub_fails_after_it_named_a_commit"]
    fallen_back, nothing = (load["message"] for load in case["loads"])
    assert "did not deliver it" in fallen_back and f"dataset_revision='{case['old']}'" in fallen_back
    assert "did not deliver it" in nothing or "the Hub failed (503)" in nothing


def test_damaged_cache_is_never_scored(outcomes: dict[str, Any]) -> None:
    loads = outcomes["damaged_cache"]
    assert len(loads) == 2 * 6
    for broken, repaired in zip(loads[::2], loads[1::2], strict=True):
        assert "its copy in the cache is damaged (" in broken["message"]
        assert repaired["items"] == 3
    assert "(1 of 3 rows)" in loads[6]["message"]


def test_offline_mode(outcomes: dict[str, Any]) -> None:
    case = outcomes["offline_mode"]
    cached, absent, named, pinned = case["loads"]
    assert case["requests"] == 0
    assert cached == pinned == {"items": 1, "origin": f"user/offline-mode@{case['commit']}"}
    assert "offline mode is on, and the cache does not hold configuration 'de'" in absent["message"]
    assert "offline mode is on, so the commit of dataset_revision 'main' is not known" in named["message"]


def test_hub_out_of_reach(outcomes: dict[str, Any]) -> None:
    case = outcomes["out_of_reach"]
    newest, new, old, unknown, tag, several, other_language, never = case["loads"]
    assert newest == new == several == {"items": 2, "origin": f"user/out-of-reach@{case['new']}"}
    assert old == {"items": 3, "origin": f"user/out-of-reach@{case['old']}"}
    assert f"configuration 'de' in commit {'0' * 40}" in unknown["message"]
    assert "give the full commit, or omit it to take a copy" in tag["message"]
    assert "does not hold configuration 'nl'" in other_language["message"]
    assert "the Hub cannot be reached (" in never["message"]
    assert [load["items"] for load in case["single"]] == [3, 3]


def test_folders(outcomes: dict[str, Any]) -> None:
    first, namesake, changed, other, both = outcomes["folder"]
    assert [load["items"] for load in (first, namesake, changed, other, both)] == [3, 2, 1, 1, 2]
    assert len({load["origin"] for load in (first, namesake, changed, other)}) == 4
    assert all(load["origin"].startswith("set@") for load in (first, namesake, changed, other, both))
    assert both["origin"] == changed["origin"]


def test_folders_with_faults(outcomes: dict[str, Any]) -> None:
    *faulty, single = outcomes["faulty_folder"]
    expected = (
        "its card promises 4 rows of split 'test', but its files hold 3",
        "cannot be read (",
        "cannot be read (",
        "is a loading script, which is not run here",
        "has no configuration 'ru'; it has: de, nl, notes",
    )
    for load, message in zip(faulty, expected, strict=True):
        assert message in load["message"]
    assert single["items"] == 3


# The whole way: Space and data set of the Hub


METRIC = """
import json, pickle, sys, time
import evaluate

ids, texts, commit = json.loads(sys.argv[1])
start = time.perf_counter()
metric = evaluate.load("user/dibimt", "de", dataset="user/dibimt")
loaded = time.perf_counter()
result = metric.compute(predictions=texts, references=ids)
computed = time.perf_counter()
same = [pickle.loads(pickle.dumps(metric)), evaluate.load(
    "user/dibimt", "de", dataset="user/dibimt", dataset_revision=commit)]
several = evaluate.load("user/dibimt", dataset="user/dibimt").compute(
    predictions=[texts[0], "La pupila."],
    references=[{"id": ids[0], "language": code} for code in ("de", "es")])
try:
    evaluate.load("user/dibimt", "de", dataset="user/nothing")
except ValueError as error:
    message = str(error)
print(json.dumps({
    "result": result,
    "same": [each.compute(predictions=texts, references=ids) for each in same],
    "several": several,
    "message": message,
    "seconds": [loaded - start, computed - loaded],
}))
"""


@pytest.mark.slow
def test_metric_and_data_of_the_hub(published_hub: LoopbackHub, tmp_path: Path) -> None:
    items, texts = mini_items("de"), mini_translations("de", "careful")
    commit = published_hub.repo("dataset", "dibimt").branches["main"]
    given = json.dumps([[item.id for item in items], texts, commit])
    online, offline = (
        run_python(METRIC, client_environment(tmp_path, hub), tmp_path, given) for hub in (published_hub, None)
    )
    result = online["result"]
    assert parse_signature(result["signature"]).get("dataset") == f"user/dibimt@{commit}"
    assert result["n"] == len(items) == 71
    assert [offline["result"], *online["same"], *offline["same"]] == [result] * 5
    assert parse_signature(online["several"]["signature"]).get("dataset") == f"user/dibimt@{commit}"
    assert online["several"] == offline["several"] and online["several"]["accuracy"] == 100.0
    assert NOT_THERE in online["message"] and "offline mode is on" in offline["message"]
