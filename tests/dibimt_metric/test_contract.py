"""What ``evaluate`` and the Hub ask of the folder: it travels file by file and works wherever it arrives."""

from __future__ import annotations

import doctest
import importlib
import inspect
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import evaluate
import pytest
import yaml

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "dibimt_metric"
MAIN = FOLDER / "dibimt_metric.py"
README = (FOLDER / "README.md").read_text(encoding="utf-8")
NOT_COPIED = {"__init__", "dibimt_metric", *(path.stem for path in FOLDER.glob("app*.py"))}
"""The page is of the Space alone."""

TEXTS = ["Paseamos por las orillas del río.", "Se sentó en la orilla.", "Llueve."]
ROWS = [
    {"id": "1", "good": ["orilla"], "bad": ["banco"], "frequency_index": 1},
    {"id": "2", "good": ["banco"], "bad": ["orilla"], "frequency_index": 2},
    {"good": ["orilla"], "bad": ["banco"]},
]


@pytest.fixture(scope="module")
def expected() -> dict[str, Any]:
    result: dict[str, Any] = evaluate.load(str(FOLDER), "es").compute(predictions=TEXTS, references=ROWS)
    return result


# The main script


def test_main_script_names_every_sibling() -> None:
    named = {
        found.group(1)
        for line in MAIN.read_text(encoding="utf-8").splitlines()
        if (found := re.fullmatch(r"from \.(\w+) import \w+(?: as \w+)?", line))
    }
    siblings = {path.stem for path in FOLDER.glob("*.py")} - NOT_COPIED
    assert named == siblings, "name each module of the folder in the main script, or evaluate will not copy it"


def test_evaluate_finds_every_sibling() -> None:
    imports = evaluate.loading.get_imports(str(MAIN))
    found = {name for kind, name, *_ in imports if kind == "internal"}
    assert found == {path.stem for path in FOLDER.glob("*.py")} - NOT_COPIED
    assert {kind for kind, *_ in imports} == {"internal", "library"}


def main_module() -> Any:
    factory = evaluate.loading.evaluation_module_factory(str(FOLDER))
    return importlib.import_module(factory.module_path)


def test_one_metric_without_open_keywords() -> None:
    module = main_module()
    metrics = [each for each in vars(module).values() if inspect.isclass(each) and issubclass(each, evaluate.Metric)]
    assert [each.__name__ for each in metrics] == ["Dibimt"]
    kinds = {parameter.kind for parameter in inspect.signature(metrics[0]._compute).parameters.values()}
    assert inspect.Parameter.VAR_KEYWORD not in kinds


def test_information() -> None:
    metric = evaluate.load(str(FOLDER), "es")
    assert (metric.name, metric.module_type, metric.config_name) == ("dibimt", "metric", "es")
    assert metric.citation.count("@") == 2 and metric.citation.strip() in README
    assert "predictions:" in metric.inputs_description and metric.inputs_description in metric.compute.__doc__
    assert metric.description in type(metric).__doc__


def test_doctests_as_the_peers_run_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The suite of `evaluate` copies the folder to metrics/NAME and loads by that path what an example names.
    shutil.copytree(FOLDER, tmp_path / "metrics" / "dibimt_metric")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(doctest, "ELLIPSIS_MARKER", "[...]")
    load = evaluate.load
    monkeypatch.setattr(evaluate, "load", lambda name, *args, **more: load(f"metrics/{name}", *args, **more))
    factory = evaluate.loading.evaluation_module_factory("metrics/dibimt_metric")
    results = doctest.testmod(importlib.import_module(factory.module_path), raise_on_error=True)
    assert results.failed == 0
    assert results.attempted > 1


@pytest.mark.parametrize("name", ["items_references", "session"])
def test_doctests_of_the_siblings(name: str) -> None:
    results = doctest.testmod(importlib.import_module(f"dibimt_metric.{name}"))
    assert results.failed == 0
    assert results.attempted > 0


# The folder elsewhere


# No repository, no installed package, no network, no analyzer but the builtin ones.
ALONE = """
import json, socket, sys
absent = {"stanza", "torch", "classla", "transformers", "dibimt_metric", "dibimt_dataset", "dibimt_tools"}
class Without:
    def __init__(self, finder):
        self.finder = finder
    def find_spec(self, name, path=None, target=None):
        return None if name.partition(".")[0] in absent else self.finder.find_spec(name, path, target)
    def __getattr__(self, name):
        return getattr(self.finder, name)
def refuse(*args, **more):
    raise OSError("no network in this test")
sys.meta_path[:] = map(Without, sys.meta_path)
socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
import evaluate
name, texts, rows, options = json.load(sys.stdin)
metric = evaluate.load(name, "es", **options)
print(json.dumps(metric.compute(predictions=texts, references=rows)))
"""


def start(name: str, texts: list[str], rows: list[Any], folder: Path, **options: Any) -> subprocess.Popen[str]:
    """A process of its own in ``folder``, with fresh caches."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("HF_", "PYTHON"))}
    environment = {
        **kept,
        "HF_HOME": str(folder / "home"),
        "HF_MODULES_CACHE": str(folder / "modules"),
        "HF_EVALUATE_OFFLINE": "1",
        "HF_HUB_OFFLINE": "1",
        "HF_DATASETS_OFFLINE": "1",
    }
    process = subprocess.Popen(
        [sys.executable, "-c", ALONE],
        cwd=folder,
        env=environment,
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    process.stdin.write(json.dumps([name, texts, rows, options]))
    process.stdin.close()
    process.stdin = None
    return process


def finish(process: subprocess.Popen[str]) -> Any:
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    return json.loads(out)


def test_copied_folder_in_a_fresh_cache(tmp_path: Path, expected: dict[str, Any]) -> None:
    shutil.copytree(FOLDER, tmp_path / "copy" / "dibimt_metric", ignore=shutil.ignore_patterns("__*__*"))
    assert finish(start("copy/dibimt_metric", TEXTS, ROWS, tmp_path)) == expected


def test_bare_name_from_the_modules_cache(tmp_path: Path, expected: dict[str, Any]) -> None:
    place = tmp_path / "modules" / "evaluate_modules" / "metrics" / "evaluate-metric--dibimt" / ("0" * 64)
    place.mkdir(parents=True)
    for path in FOLDER.glob("*.py"):
        if path.stem not in NOT_COPIED:
            shutil.copy(path, place)
    shutil.copy(MAIN, place / "dibimt.py")
    for folder in (place, *place.parents[:4]):
        (folder / "__init__.py").touch()
    assert finish(start("dibimt", TEXTS, ROWS, tmp_path)) == expected


@pytest.mark.slow
@pytest.mark.parametrize("share", [2, 3])
def test_two_processes(share: int, tmp_path: Path, expected: dict[str, Any]) -> None:
    # The first gets `share` of the three rows, the second the rest, which may be nothing.
    common = {"num_process": 2, "experiment_id": "two", "cache_dir": str(tmp_path / "cache")}
    shares = [(TEXTS[:share], ROWS[:share]), (TEXTS[share:], ROWS[share:])]
    started = [start(str(FOLDER), *rows, tmp_path, process_id=i, **common) for i, rows in enumerate(shares)]
    first, second = [finish(process) for process in started]
    assert first == expected
    assert second is None
    assert not list(tmp_path.rglob("*.arrow"))


# The card


SECTIONS = """
    Metric Description, Intended Uses, How to Use, Inputs, Output Values, Values from Popular Papers,
    Examples, Limitations and Bias, Citation, Further References
"""


def test_front_matter() -> None:
    _, front, _ = README.split("---\n", 2)
    card = yaml.safe_load(front)
    fields = "title emoji colorFrom colorTo sdk sdk_version app_file pinned tags description"
    assert set(card) == set(fields.split())
    assert (card["sdk"], card["app_file"], card["pinned"]) == ("gradio", "app.py", False)
    assert card["tags"] == ["evaluate", "metric"]
    assert card["colorFrom"] in (colors := "red yellow green blue indigo purple pink gray".split())
    assert card["colorTo"] in colors
    assert len(card["emoji"]) == 1 and not card["emoji"].isascii()


def test_sections() -> None:
    found = re.findall(r"^##+ (.+)$", README, re.MULTILINE)
    assert found == [" ".join(section.split()) for section in SECTIONS.split(",")]


def test_card_names_every_option_and_key(expected: dict[str, Any]) -> None:
    metric = main_module().Dibimt
    options = {*inspect.signature(metric).parameters, *inspect.signature(metric._compute).parameters}
    keys = list(expected)[:14]
    named = set(re.findall(r"[`*]+(\w+)[`*]+", README))
    assert (options - {"self", "config_name", "options"}) | set(keys) <= named


def test_examples_of_the_card(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    results = doctest.testfile(str(FOLDER / "README.md"), module_relative=False, encoding="utf-8")
    assert results.failed == 0
    assert results.attempted > 10


def test_requirements_of_the_space_are_those_of_the_package() -> None:
    lines = (FOLDER / "requirements.txt").read_text(encoding="utf-8").split()
    text = (ROOT / "setup.py").read_text(encoding="utf-8")
    assert lines and [line for line in lines if f'"{line}"' not in text] == []
