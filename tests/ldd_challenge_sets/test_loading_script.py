"""The loading script under the name it has when published, in the generations that run scripts."""

from __future__ import annotations

import ast
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from ldd_challenge_sets import path
from ldd_challenge_sets.sample import SAMPLE_CONFIGURATIONS
from tests.generations.loading import ALL, INSTALLED, OLDER, Answer, Request, load

SCRIPT = Path(path(), "loading_script.py")
DATA = Path(path(), "data")
TRUSTED = {"trust_remote_code": True}
ONE = "en-de-preposition_stranding"


def published(folder: Path, data: bool = False) -> str:
    """A folder that holds the script alone, or beside data, under the folder's own name."""
    folder.mkdir()
    shutil.copy(SCRIPT, folder / f"{folder.name}.py")
    if data:
        (folder / "data").mkdir()
        (folder / "data" / f"{ONE}.jsonl").write_text(json.dumps(OWN) + "\n", encoding="utf-8")
    return str(folder)


def rows_of(configuration: str) -> list[dict[str, Any]]:
    lines = (DATA / f"{configuration}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


OWN = {**rows_of(ONE)[0], "id": "own", "target": None, "alignment": None}
"""A row that no other folder holds."""


@pytest.fixture(scope="module", params=OLDER)
def answers(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Answer]:
    """What a generation that runs scripts makes of several situations, by name."""
    root = tmp_path_factory.mktemp("published")
    alone, beside = published(root / "alone"), published(root / "beside", data=True)
    both = {**TRUSTED, "data_dir": str(DATA)}
    requests = {
        "card": Request(path(), SAMPLE_CONFIGURATIONS),
        "data_dir": Request(alone, SAMPLE_CONFIGURATIONS, options=both),
        "beside": Request(beside, (ONE,), options=TRUSTED),
        "streaming": Request(beside, (ONE,), options=TRUSTED, streaming=True),
        "both": Request(beside, (ONE,), options=both),
        "missing": Request(alone, (ONE,), options=TRUSTED),
        "wrong": Request(alone, (ONE,), options={**TRUSTED, "data_dir": "nowhere"}),
    }
    return dict(zip(requests, load(request.param, *requests.values()), strict=True))


def test_gives_what_the_card_gives(answers: dict[str, Answer]) -> None:
    assert {name: each["message"] for name, each in answers["data_dir"].items() if "error" in each} == {}
    assert answers["data_dir"] == answers["card"]


@pytest.mark.parametrize("situation", ["beside", "streaming"])
def test_data_beside_the_script(answers: dict[str, Answer], situation: str) -> None:
    assert answers[situation][ONE]["rows"] == [OWN]


def test_data_dir_goes_before_data_beside_the_script(answers: dict[str, Answer]) -> None:
    assert answers["both"][ONE]["rows"] == rows_of(ONE)


@pytest.mark.parametrize(("situation", "place"), [("missing", "alone"), ("wrong", "nowhere")])
def test_missing_data_says_what_to_do(answers: dict[str, Answer], situation: str, place: str) -> None:
    answer = answers[situation][ONE]
    assert answer["error"] == "FileNotFoundError"
    message = answer["message"]
    assert f"{ONE}.jsonl is not in" in message and place in message.partition("\n")[0]
    assert "dibimt ldd extract --pair en-de" in message and 'data_dir="DIR"' in message


def test_the_installed_generation_refuses_scripts(tmp_path: Path) -> None:
    # Even with data beside it: one revision cannot hold both.
    folder = published(tmp_path / "ldd_sets", data=True)
    answer = load(INSTALLED, Request(folder, (ONE,)))[0][ONE]
    assert answer["error"] == "RuntimeError"
    assert answer["message"].startswith("Dataset scripts are no longer supported, but found ldd_sets.py")


@pytest.mark.parametrize("generation", ALL)
def test_the_class_of_the_package(generation: str) -> None:
    names = ("de-en-particle", ONE)
    request = Request(
        str(Path(path()).parent),
        names,
        options={"hash": "1"},
        builder="ldd_challenge_sets.loading_script.LddChallengeSets",
    )
    (answer,) = load(generation, request)
    assert {name: each.get("rows", each) for name, each in answer.items()} == {name: rows_of(name) for name in names}


def test_configurations_are_those_of_the_sample() -> None:
    pytest.importorskip("datasets")
    from ldd_challenge_sets.loading_script import LddChallengeSets

    assert sorted(LddChallengeSets.builder_configs) == sorted(SAMPLE_CONFIGURATIONS)


def test_the_script_stands_alone() -> None:
    nodes = list(ast.walk(ast.parse(SCRIPT.read_text(encoding="utf-8"))))
    imports = [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
    assert all(len(node.names) == 1 for node in imports)  # `datasets` reads them line by line
    modules = {node.module if isinstance(node, ast.ImportFrom) else node.names[0].name for node in imports}
    # The standard library, `datasets`, and what `datasets` brings along.
    assert modules == {
        "__future__", "collections.abc", "datasets", "hashlib", "huggingface_hub", "json", "pathlib", "typing"
    }  # fmt: skip


def test_the_folder_holds_no_script_of_its_own_name() -> None:
    # `datasets` 2.x and 3.x would run it, 4 and later would refuse the whole folder.
    assert not Path(path(), f"{Path(path()).name}.py").exists()
