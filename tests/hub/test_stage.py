"""The staged folder: what is in it, in which words, the same each time, and that it is what the manifest says."""

from __future__ import annotations

import difflib
import doctest
import hashlib
import importlib
import json
import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import setuptools
import yaml

from dibimt_metric.errors import InputError
from dibimt_metric.version import VERSION
from dibimt_tools.cli import main, make_parser
from dibimt_tools.hub import hub_names
from dibimt_tools.hub.repositories import MANIFEST, Stage, read_stage
from dibimt_tools.hub.staging import stage
from minimal_pairs.conversion.convert import convert
from tests.hub.clients import client_environment, run_python
from tests.minimal_pairs.conftest import write_release

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = (
    "dibimt_metric",
    "dibimt_space",
    "dibimt_common",
    "dibimt_dataset",
    "ldd_challenge_sets",
    "minimal_pairs",
)


def contents(folder: Path) -> dict[str, bytes]:
    """All files in a folder, by their path in it."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def shipped(package: str, pattern: str) -> set[str]:
    """Files of a package that a repository has to hold, as paths in the package."""
    folder = ROOT / package
    return {
        path.relative_to(folder).as_posix()
        for path in folder.glob(pattern)
        if path.is_file() and not any(part[0] == "." for part in path.relative_to(folder).parts)
    }


# What is in it


METRIC = shipped("dibimt_metric", "*.py") - {"dibimt_metric.py"} | {"dibimt.py"}
PAGE = shipped("dibimt_space", "*.py") - {"app.py"}
COMMON = shipped("dibimt_common", "*.py")
SPACE = {
    *METRIC, "app.py", "README.md", "requirements.txt",
    *(f"dibimt_space/{name}" for name in PAGE), *(f"dibimt_common/{name}" for name in COMMON),
}  # fmt: skip
BLIMP_FILES = 2 * 67 + 2  # both variants, card and conversion.json


@pytest.mark.parametrize(
    ("folder", "files"),
    [
        ("spaces/dibimt", SPACE),
        ("datasets/dibimt", {"README.md"} | shipped("dibimt_dataset", "data/**/*")),
        ("datasets/ldd-challenge-sets", {"README.md"} | shipped("ldd_challenge_sets", "data/**/*")),
        ("datasets@script/dibimt", {"dibimt.py"}),
        ("datasets@script/ldd-challenge-sets", {"ldd-challenge-sets.py"}),
        ("datasets@script/blimp", {"blimp.py"}),
    ],
)
def test_files(staged: Stage, folder: str, files: set[str]) -> None:
    assert set(contents(staged.folder / folder)) == files


def test_converted_files(staged: Stage, converted_blimp: Path) -> None:
    files = contents(staged.folder / "datasets/blimp")
    assert files.keys() == contents(converted_blimp).keys() and len(files) == BLIMP_FILES


def test_nothing_else_is_in_it(staged: Stage) -> None:
    assert sorted(path.name for path in staged.folder.iterdir()) == [
        "datasets", "datasets@script", "manifest.json", "spaces",
    ]  # fmt: skip
    assert [path.name for path in (staged.folder / "spaces").iterdir()] == ["dibimt"]
    for folder in ("datasets", "datasets@script"):
        names = {path.name for path in (staged.folder / folder).iterdir()}
        assert names == {"blimp", "dibimt", "ldd-challenge-sets"}


def test_the_record_names_the_same(staged: Stage) -> None:
    found = [
        (repository.type.value, repository.name, [branch.name for branch in repository.branches])
        for repository in staged.repositories
    ]
    assert found == [
        ("space", "dibimt", ["main"]),
        ("dataset", "blimp", ["main", "script"]),
        ("dataset", "dibimt", ["main", "script"]),
        ("dataset", "ldd-challenge-sets", ["main", "script"]),
    ]
    assert (staged.namespace, staged.version) == ("user", VERSION)
    for repository in staged.repositories:
        for branch in repository.branches:
            paths = [file.path for file in branch.files]
            assert paths == sorted(contents(staged.path(repository, branch.name)))


def test_newer_releases_of_datasets_find_no_script_beside_data(staged: Stage) -> None:
    assert list((staged.folder / "datasets").rglob("*.py")) == []
    for folder in (staged.folder / "datasets@script").iterdir():
        assert list(contents(folder)) == [f"{folder.name}.py"]


def test_without_a_converted_folder_blimp_is_left_out(tmp_path: Path) -> None:
    made = stage(tmp_path / "out")
    assert [repository.name for repository in made.repositories] == ["dibimt", "dibimt", "ldd-challenge-sets"]
    assert list((tmp_path / "out").rglob("*blimp*")) == []


def test_a_conversion_without_the_corrected_variant(tmp_path: Path) -> None:
    convert(write_release(tmp_path / "release"), tmp_path / "blimp", corrected=False)
    stage(tmp_path / "out", blimp=tmp_path / "blimp")
    assert len(contents(tmp_path / "out/datasets/blimp")) == 67 + 2


# Words


def changes(staged: Stage, folder: str, package: Path, renamed: dict[str, str]) -> Iterator[tuple[str, str, str]]:
    """Lines that differ, as ``(file, here, there)``; anything but a line in the place of another is an error."""
    for path, content in contents(staged.folder / folder).items():
        here = (package / renamed.get(path, path)).read_bytes()
        if here == content:
            continue
        assert path.endswith((".md", ".py")), f"{path}: data must not be changed"
        lines = difflib.ndiff(here.decode().splitlines(), content.decode().splitlines())
        changed = [line for line in lines if line[:1] in "+-"]
        for old, new in zip(changed[::2], changed[1::2], strict=True):
            assert (old[0], new[0]) == ("-", "+"), (path, old, new)
            yield path, old[2:].strip(), new[2:].strip()


def test_a_space_says_names_of_the_hub_and_the_rest_is_unchanged(staged: Stage) -> None:
    renamed = {name: f"dibimt_metric/{name}" for name in (*METRIC, "README.md", "requirements.txt")}
    renamed |= {"dibimt.py": "dibimt_metric/dibimt_metric.py", "app.py": "dibimt_space/app.py"}
    found = set(changes(staged, "spaces/dibimt", ROOT, renamed))
    assert {(path, there) for path, _, there in found} >= {
        ("README.md", '>>> metric = evaluate.load("user/dibimt", "de")'),
        ("README.md", '>>> metric = evaluate.load("user/dibimt")'),
        ("dibimt.py", '>>> metric = evaluate.load("dibimt", "de")'),
        ("dibimt.py", '>>> metric = evaluate.load("dibimt")'),
    }
    named = re.compile(r"user/(dibimt|ldd-challenge-sets|blimp)\b|dibimt\.py\b|load\(\"dibimt\"")
    assert [line for line in found if not named.search(line[2])] == []


@pytest.mark.parametrize(
    ("folder", "package", "file", "line"),
    [
        ("datasets/dibimt", "dibimt_dataset", "README.md", 'load_dataset("user/dibimt", "de"'),
        ("datasets/ldd-challenge-sets", "ldd_challenge_sets", "README.md", 'load_dataset("user/ldd-challenge-sets"'),
        ("datasets@script/dibimt", "dibimt_dataset", "dibimt.py", 'load_dataset("user/dibimt", "de"'),
        ("datasets@script/blimp", "minimal_pairs", "blimp.py", 'load_dataset("user/blimp", "wh_island"'),
        (
            "datasets@script/ldd-challenge-sets", "ldd_challenge_sets", "ldd-challenge-sets.py",
            'load_dataset("user/ldd-challenge-sets", "de-en',
        ),
    ],
)  # fmt: skip
def test_data_sets_say_names_of_the_hub(staged: Stage, folder: str, package: str, file: str, line: str) -> None:
    found = list(changes(staged, folder, ROOT / package, {file: "loading_script.py"} if file[-2:] == "py" else {}))
    assert any(path == file and line in there for path, _, there in found)
    assert [there for _, _, there in found if "user/" not in there] == []


def test_the_card_of_blimp_says_names_of_the_hub(staged: Stage, converted_blimp: Path) -> None:
    there = [line for _, _, line in changes(staged, "datasets/blimp", converted_blimp, {})]
    assert len(there) == 3
    assert 'corrected = load_dataset("user/blimp", "wh_island-corrected", split="train")' in there
    assert sum("--data user/blimp`" in line for line in there) == 1


def test_no_name_of_a_folder_here_is_left(staged: Stage) -> None:
    texts = {path: text for path, text in contents(staged.folder).items() if path.endswith((".py", ".md"))}
    wrong = re.compile(rb"\./(?:dibimt|ldd|minimal)_|PATH_OR_NAME|USER/[a-z]|load\(\"dibimt_metric")
    assert texts and [path for path, text in texts.items() if wrong.search(text)] == []


def test_doctests() -> None:
    for name in ("contents", "hub_names", "repositories"):
        results = doctest.testmod(importlib.import_module(f"dibimt_tools.hub.{name}"))
        assert results.attempted and not results.failed, name


# Each needed name, in the file that needs it
NEEDED = [
    ("dibimt_metric/README.md", hub_names.METRIC_CARD),
    ("dibimt_metric/dibimt_metric.py", hub_names.METRIC_SCRIPT),
    ("dibimt_dataset/README.md", hub_names.DATASET_CARD),
    ("ldd_challenge_sets/README.md", hub_names.LDD_CARD),
    ("blimp/README.md", hub_names.BLIMP_CARD),
]


@pytest.fixture
def packages(tmp_path: Path, converted_blimp: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the packages, from which is staged, and of converted BLiMP, which a test may change."""
    copy = tmp_path / "packages"
    ignore = shutil.ignore_patterns("__pycache__")
    for package in PACKAGES:
        shutil.copytree(ROOT / package, copy / package, ignore=ignore)
    shutil.copytree(converted_blimp, copy / "blimp")
    monkeypatch.setattr("dibimt_tools.hub.staging.PACKAGES", copy)
    return copy


def edit(path: Path, change: Callable[[str], str]) -> None:
    before = path.read_text(encoding="utf-8")
    after = change(before)
    assert after != before
    path.write_text(after, encoding="utf-8")


@pytest.mark.parametrize(("file", "needed"), [(file, each) for file, names in NEEDED for each in names])
def test_a_card_that_lost_its_example_is_refused(packages: Path, tmp_path: Path, file: str, needed: str) -> None:
    edit(packages / file, lambda text: text.replace(needed, needed[: len(needed) // 2]))
    with pytest.raises(InputError, match=re.escape(f"{file}: lacks {needed!r}")):
        stage(tmp_path / "out", blimp=packages / "blimp")
    assert not (tmp_path / "out").exists()


def test_a_main_script_that_leaves_a_module_behind_is_refused(packages: Path, tmp_path: Path) -> None:
    (packages / "dibimt_metric/newcomer.py").write_text("", encoding="utf-8")
    edit(packages / "dibimt_metric/matcher.py", lambda text: f"{text}from .newcomer import __name__\n")
    message = "dibimt.py: does not name the module newcomer.py, which matcher.py imports"
    with pytest.raises(InputError, match=re.escape(message)):
        stage(tmp_path / "out", blimp=packages / "blimp")
    edit(packages / "dibimt_metric/dibimt_metric.py", lambda text: f"{text}from .absent import __name__\n")
    with pytest.raises(InputError, match=r"names the missing module absent\.py"):
        stage(tmp_path / "out", blimp=packages / "blimp")


@pytest.mark.parametrize(
    ("file", "wrong"),
    [
        ("dibimt_metric/README.md", "./dibimt_metric"),
        ("dibimt_space/app.py", "./dibimt_dataset"),
        ("dibimt_dataset/README.md", "./ldd_challenge_sets"),
        ("ldd_challenge_sets/README.md", "./minimal_pairs"),
        ("blimp/README.md", "PATH_OR_NAME"),
        ("minimal_pairs/loading_script.py", "USER/blimp-pairs"),
        ("dibimt_dataset/loading_script.py", "USER/dibimt_dataset"),
    ],
)
def test_a_card_with_a_name_that_means_nothing_on_the_hub_is_refused(
    packages: Path, tmp_path: Path, file: str, wrong: str
) -> None:
    edit(packages / file, lambda text: f"{text}\n# see {wrong}\n")
    with pytest.raises(InputError, match=re.escape(f"{file}: contains {wrong!r}")):
        stage(tmp_path / "out", blimp=packages / "blimp")


def test_line_ends_stay_as_they_are(packages: Path, tmp_path: Path) -> None:
    card = packages / "dibimt_dataset/README.md"
    card.write_bytes(card.read_bytes().replace(b"\n", b"\r\n"))
    stage(tmp_path / "out", namespace="me")
    found = (tmp_path / "out/datasets/dibimt/README.md").read_bytes()
    assert found.count(b"\n") == found.count(b"\r\n") > 10 and b'"me/dibimt"' in found


@pytest.mark.parametrize("stray", [".hidden.py", "notes.txt", "__pycache__/app.cpython-311.pyc", "page.md"])
def test_stray_files_stay_out(packages: Path, tmp_path: Path, stray: str) -> None:
    path = packages / "dibimt_metric" / stray
    path.parent.mkdir(exist_ok=True)
    path.write_text("", encoding="utf-8")
    stage(tmp_path / "out")
    assert set(contents(tmp_path / "out/spaces/dibimt")) == SPACE


@pytest.mark.parametrize(
    "file",
    [
        "dibimt_space/app.py",
        "dibimt_metric/requirements.txt",
        "dibimt_metric/dibimt_metric.py",
        "dibimt_dataset/README.md",
        "dibimt_dataset/loading_script.py",
        "ldd_challenge_sets/data/sample/intended.tsv",
        "minimal_pairs/loading_script.py",
    ],
)
def test_a_missing_file_is_an_error_that_names_it(packages: Path, tmp_path: Path, file: str) -> None:
    (packages / file).unlink()
    with pytest.raises(InputError, match=re.escape(str(packages / file.rpartition("/")[0]))) as error:
        stage(tmp_path / "out", blimp=packages / "blimp")
    assert "no such file" in str(error.value) and "install the package again" in str(error.value)


# The same each time


def test_the_same_bytes_each_time(
    staged: Stage, converted_blimp: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # From another folder, under a relative name, on top of an earlier stage of another namespace.
    monkeypatch.chdir(tmp_path)
    stage(Path("again"), namespace="other")
    again = stage(Path("again"), namespace="user", blimp=converted_blimp, force=True)
    assert contents(tmp_path / "again") == contents(staged.folder)
    assert again.repositories == staged.repositories
    manifest = (staged.folder / MANIFEST).read_text(encoding="utf-8")
    assert str(tmp_path) not in manifest and str(ROOT) not in manifest and not re.search(r"\d:\d\d", manifest)


INSTALLED = """
import json, sys
from pathlib import Path
import dibimt_tools
from dibimt_tools.hub.staging import stage
stage(Path("out"), namespace="user", blimp=Path(sys.argv[1]))
heavy = {"datasets", "evaluate", "gradio", "torch", "transformers", "huggingface_hub"} & set(sys.modules)
print(json.dumps([dibimt_tools.__file__, sorted(heavy)]))
"""


def test_an_installed_package_stages_the_same(staged: Stage, converted_blimp: Path, tmp_path: Path) -> None:
    source, build = tmp_path / "source", tmp_path / "build"
    ignore = shutil.ignore_patterns("__pycache__", ".*")
    for package in (*PACKAGES, "dibimt_tools"):
        shutil.copytree(ROOT / package, source / package, ignore=ignore)
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source / name)
    command = [sys.executable, "setup.py", "--quiet", "build", "--build-base", str(build)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    environment = client_environment(tmp_path, None, PYTHONPATH=str(build / "lib"))
    place, heavy = run_python(INSTALLED, environment, tmp_path, str(converted_blimp))
    assert Path(place).is_relative_to(build) and heavy == []
    assert contents(tmp_path / "out") == contents(staged.folder)


# The manifest


def test_read_back(staged: Stage) -> None:
    assert read_stage(staged.folder) == staged


def test_the_manifest_holds_the_checksums(staged: Stage) -> None:
    found = json.loads((staged.folder / MANIFEST).read_text(encoding="utf-8"))
    assert (found["format"], found["version"], found["namespace"]) == ("dibimt-stage/1", VERSION, "user")
    named = {}
    for repository in found["repositories"]:
        for branch in repository["branches"]:
            at = "" if branch["name"] == "main" else f"@{branch['name']}"
            for file in branch["files"]:
                named[f"{repository['type']}s{at}/{repository['name']}/{file['path']}"] = file
    files = contents(staged.folder)
    assert {**named, MANIFEST: None}.keys() == files.keys()
    for path, file in named.items():
        assert (file["size"], file["sha256"]) == (len(files[path]), hashlib.sha256(files[path]).hexdigest())


@pytest.fixture
def copied(staged: Stage, tmp_path: Path) -> Path:
    """The staged folder, which a test may change."""
    return shutil.copytree(staged.folder, tmp_path / "copied")


def _drop(folder: Path) -> None:
    (folder / "spaces/dibimt/app.py").unlink()


def _grow(folder: Path) -> None:
    with (folder / "datasets/dibimt/data/mini/de.jsonl").open("a", encoding="utf-8") as stream:
        stream.write("{}\n")


def _flip(folder: Path) -> None:
    path = folder / "datasets/dibimt/data/mini/de.jsonl"
    path.write_bytes(path.read_bytes().swapcase())  # of the same length


def _add(folder: Path) -> None:
    (folder / "datasets/dibimt/.env").write_text("KEY=1", encoding="utf-8")


def _link(folder: Path) -> None:
    (folder / "spaces/dibimt/more").symlink_to(folder)


def _swap(folder: Path) -> None:
    path = folder / "datasets@script/blimp/blimp.py"
    path.unlink()
    path.mkdir()


def _all(folder: Path) -> None:
    for change in (_drop, _flip, _add):
        change(folder)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_drop, "spaces/dibimt/app.py is missing;"),
        (_grow, "datasets/dibimt/data/mini/de.jsonl is changed;"),
        (_flip, "datasets/dibimt/data/mini/de.jsonl is changed;"),
        (_add, "datasets/dibimt/.env is extra;"),
        (_link, "spaces/dibimt/more is extra;"),
        (_swap, "datasets@script/blimp/blimp.py is missing;"),
        (_all, "spaces/dibimt/app.py is missing (and 2 more);"),
    ],
)
def test_a_folder_that_is_not_what_was_staged_is_refused(
    copied: Path, change: Callable[[Path], None], message: str
) -> None:
    change(copied)
    with pytest.raises(InputError) as error:
        read_stage(copied)
    assert f"{copied}: {message}" in str(error.value)


def test_what_python_leaves_behind_is_passed_over(copied: Path) -> None:
    (copied / "spaces/dibimt/__pycache__").mkdir()
    (copied / "spaces/dibimt/__pycache__/app.cpython-311.pyc").write_bytes(b"")
    assert read_stage(copied).folder == copied


GOOD = {"format": "dibimt-stage/1", "version": "1", "namespace": "me", "repositories": []}


def repository(**changes: Any) -> dict[str, Any]:
    """A manifest with one file, one of its values changed."""
    file = {"path": "a", "size": 1, "sha256": "0" * 64} | changes.pop("file", {})
    branch = {"name": "main", "files": [file]} | changes.pop("branch", {})
    return GOOD | {"repositories": [{"type": "dataset", "name": "x", "branches": [branch]} | changes]}


@pytest.mark.parametrize(
    ("manifest", "message"),
    [
        ("{", "cannot be read|is broken"),
        ("[" * 100_000, "is broken"),
        ([], "is not a manifest"),
        ({"format": "dibimt-stage/2"}, "is not a manifest"),
        ({"format": "blimp-conversion/1"}, "is not a manifest"),
        ({"format": "dibimt-stage/1"}, "is broken.*namespace|is broken.*repositories"),
        (GOOD | {"repositories": [1]}, "is broken"),
        (repository(type="model"), "is broken.*model"),
        (repository(name="../x"), r"is broken.*\.\./x"),
        (repository(name="a/b"), "is broken.*a/b"),
        (repository(branch={"name": "/etc"}), "is broken.*/etc"),
        (repository(file={"path": "/etc/passwd"}), "is broken.*passwd"),
        (repository(file={"path": "a/../../b"}), "is broken.*b"),
        (repository(file={"path": "c:\\b"}), "is broken.*c:"),
        (repository(file={"path": ""}), "is broken"),
        (repository(file={"path": 5}), "is broken"),
        (repository(file={"size": "many"}), "is broken.*many"),
    ],
)
def test_a_broken_manifest_is_refused(tmp_path: Path, manifest: Any, message: str) -> None:
    text = manifest if isinstance(manifest, str) else json.dumps(manifest)
    (tmp_path / MANIFEST).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message) as error:
        read_stage(tmp_path)
    assert str(tmp_path / MANIFEST) in str(error.value)


@pytest.mark.parametrize("place", ["empty", "nowhere", "file", "file/inside"])
def test_a_folder_without_a_manifest_is_refused(tmp_path: Path, place: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(InputError, match="has no manifest.json; name a folder that 'dibimt hub stage' wrote"):
        read_stage(tmp_path / place)


# Cards: what the Hub asks of their front matter


COLORS = set("red yellow green blue indigo purple pink gray".split())
SIZES = {"n<1K", "1K<n<10K", "10K<n<100K", "100K<n<1M"}


def card(folder: Path) -> dict[str, Any]:
    text = (folder / "README.md").read_text(encoding="utf-8")
    start, front, body = text.split("---\n", 2)
    assert start == "" and body.startswith("\n# ")
    found: dict[str, Any] = yaml.safe_load(front)
    return found


def test_card_of_the_space(staged: Stage) -> None:
    folder = staged.folder / "spaces/dibimt"
    found = card(folder)
    assert found["sdk"] == "gradio" and {found["colorFrom"], found["colorTo"]} <= COLORS
    assert (folder / found["app_file"]).is_file()
    assert found["tags"] == ["evaluate", "metric"] and found["title"] and found["pinned"] is False
    assert len(found.get("short_description", "")) <= 60  # the Hub refuses a longer one
    assert isinstance(found.get("python_version", ""), str)  # unquoted, 3.10 would be the number 3.1
    pinned = re.findall(r"^gradio==(\S+)$", (ROOT / "constraints.txt").read_text(), re.MULTILINE)
    assert pinned == [found["sdk_version"]]  # the page is tested with the release that it runs on


@pytest.mark.parametrize("name", ["blimp", "dibimt", "ldd-challenge-sets"])
def test_cards_of_data_sets(staged: Stage, name: str) -> None:
    folder = staged.folder / "datasets" / name
    found = card(folder)
    assert found["pretty_name"] and found["license"] in ("apache-2.0", "cc-by-4.0")
    assert all(re.fullmatch("[a-z]{2}", language) for language in found["language"])
    assert set(found["size_categories"]) <= SIZES
    names = [config["config_name"] for config in found["configs"]]
    assert len(names) == len(set(names)) and sum(config.get("default", False) for config in found["configs"]) == 1
    assert [info["config_name"] for info in found["dataset_info"]] == names
    for config in found["configs"]:
        for data in config["data_files"]:
            assert list(folder.glob(data["path"])), f"{config['config_name']}: no file {data['path']}"


# The page does not need `evaluate`, and who loads the metric by it has it, and `huggingface-hub` with it; the command
# line alone uses the others.
NOT_FOR_A_SPACE = {"evaluate", "tqdm", "filelock", "huggingface-hub"}


def test_requirements_of_the_space(staged: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    metadata: dict[str, Any] = {}
    monkeypatch.setattr(setuptools, "setup", metadata.update)
    monkeypatch.chdir(ROOT)
    runpy.run_path("setup.py")
    named = (staged.folder / "spaces/dibimt/requirements.txt").read_text(encoding="utf-8").splitlines()
    required = {re.split("[<>=]", each)[0]: each for each in metadata["install_requires"]}
    assert required.keys() > NOT_FOR_A_SPACE
    assert sorted(named) == sorted(each for name, each in required.items() if name not in NOT_FOR_A_SPACE)


# With evaluate


LOAD = """
import json, sys
from pathlib import Path
sys.modules["transformers"] = None  # `evaluate` imports it where it is, for seconds, for nothing that is used here
import evaluate
del sys.modules["transformers"]
metric = evaluate.load(sys.argv[1], "de")
result = metric.compute(
    predictions=["Wir saßen am Ufer des Flusses.", "Er ging zur Bank.", "Es regnet."],
    references=[{"good": ["Ufer"], "bad": ["Bank"]}] * 3)
copied = Path(sys.modules[type(metric).__module__].__file__).parent
scores = [result[key] for key in ("good", "bad", "miss", "accuracy")]
others = [name for name in sys.modules if name.partition(".")[0] == "dibimt_metric"]
print(json.dumps([scores, metric.name, sorted(path.name for path in copied.iterdir()), others]))
"""


def test_the_staged_space_loads(staged: Stage, tmp_path: Path) -> None:
    folder = staged.folder / "spaces/dibimt"
    environment = client_environment(tmp_path, None, PYTHONPATH=os.devnull)
    scores, name, files, others = run_python(LOAD, environment, tmp_path, str(folder))
    assert (scores, name) == ([1, 1, 1, 50.0], "dibimt")
    # The Space holds all that it needs, and takes nothing from an installed package.
    assert {"dibimt.py", "session.py", "rules_de.py"} <= set(files) and others == []


# The command


def test_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["hub", "stage", "--out", "out"]) == 0
    out, err = capsys.readouterr()
    size = sum(map(len, contents(tmp_path / "out/spaces/dibimt").values()))
    assert err == "" and out.startswith(f"out: repositories of version {VERSION}\n")
    assert re.search(
        rf"^space    dibimt              main    +{len(SPACE)} +{size:,}  spaces/dibimt$", out, re.MULTILINE
    )
    assert len(re.findall(r"^dataset  ", out, re.MULTILINE)) == 4
    assert "BLiMP is omitted" in out and out.endswith("stage for publication with --namespace NAME.\n")
    assert read_stage(tmp_path / "out").namespace == "USER"


def test_command_says_what_comes_next(
    tmp_path: Path, converted_blimp: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "my stage"
    assert main(["hub", "stage", "--out", str(folder), "--namespace", "me", "--blimp", str(converted_blimp)]) == 0
    *_, last = capsys.readouterr().out.splitlines()
    assert last == f"See what would be published: dibimt hub publish --namespace me --staged '{folder}' --dry-run"
    words = shlex.split(last.partition(": ")[2])
    args = make_parser(words[1:]).parse_args(words[1:])
    assert (args.namespace, Path(args.staged), args.dry_run) == ("me", folder, True)


def test_command_with_all_options(tmp_path: Path, converted_blimp: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["hub", "stage", "--out", str(tmp_path / "out"), "--blimp", str(converted_blimp), "--json"]
    assert main(command) == 0
    first = json.loads(capsys.readouterr().out)
    assert main([*command, "--namespace", "me"]) == 2
    assert "replace it with --force" in capsys.readouterr().err
    assert read_stage(tmp_path / "out").namespace == "USER"
    assert main([*command, "--namespace", "me", "--force"]) == 0
    second = json.loads(capsys.readouterr().out)
    assert (first["namespace"], second["namespace"]) == ("USER", "me")
    assert second.keys() == {"folder", "version", "namespace", "branches"}
    for branch in second["branches"]:
        files = contents(Path(branch["folder"]))
        assert (branch["files"], branch["bytes"]) == (len(files), sum(map(len, files.values())))
    assert len(second["branches"]) == 7
