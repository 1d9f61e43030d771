"""Contracts of the layout: which package may import which, sizes, what is shipped and documented.

These tests read the sources (`ast`) and the packaging; of the metric they run only its import.
Why the rules are as they are: docs/decisions/0001-layout.md and 0006-redesign.md.
"""

from __future__ import annotations

import ast
import importlib
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import setuptools
import yaml

ROOT = Path(__file__).resolve().parents[1]
METRIC = ROOT / "dibimt_metric"

# package -> the other packages that it may import
MAY_IMPORT: dict[str, frozenset[str]] = {
    "dibimt_metric": frozenset(),
    "dibimt_common": frozenset({"dibimt_metric"}),
    "dibimt_dataset": frozenset({"dibimt_metric", "dibimt_common"}),
    "dibimt_training": frozenset({"dibimt_metric", "dibimt_common"}),
    "dibimt_space": frozenset({"dibimt_metric", "dibimt_common"}),
    "ldd_challenge_sets": frozenset({"dibimt_metric", "dibimt_common"}),
    "minimal_pairs": frozenset({"dibimt_metric", "dibimt_common"}),
}
MAY_IMPORT["dibimt_tools"] = frozenset(MAY_IMPORT)
OUTSIDE = ("benchmarks", "experiments", "tests")
BUILT = [package for package in MAY_IMPORT if (ROOT / package).is_dir()]

MAX_FILE_LINES = 500
MAX_FUNCTION_LINES = 80
MAX_METRIC_FILES = 52


def python_files(*folders: str) -> list[Path]:
    """All Python files of these folders."""
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]


def room_files() -> list[Path]:
    return python_files(*MAY_IMPORT)


def shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def imported(path: Path) -> Iterator[str]:
    """Top-level names of all absolute imports of a file, at any depth."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module.partition(".")[0]


def offences(files: list[Path], find: Callable[[Path], Iterator[str]]) -> list[str]:
    """``file: finding`` for everything found; fails if there is no file to check."""
    assert files, "no file to check: is the folder empty or misspelled?"
    return [f"{shown(path)}: {finding}" for path in files for finding in find(path)]


# Imports


@pytest.mark.parametrize("package", BUILT)
def test_imports_between_rooms_go_one_way(package: str) -> None:
    # A copy of the metric folder that imports itself by its full name would run the installed one instead.
    own = frozenset() if package == "dibimt_metric" else {package}
    forbidden = {*MAY_IMPORT, *OUTSIDE} - MAY_IMPORT[package] - own
    assert offences(python_files(package), lambda p: (n for n in imported(p) if n in forbidden)) == []


def module_of(path: Path) -> str:
    """``dibimt_tools/ldd/view.py`` -> ``dibimt_tools.ldd.view``."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported_modules(path: Path, modules: set[str]) -> Iterator[str]:
    """Modules of the own package that a file imports: at any depth, for type checkers only, or by annotation."""
    package = module_of(path) if path.name == "__init__.py" else module_of(path).rpartition(".")[0]
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.ImportFrom):
            base = package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
            source = ".".join([*base, *filter(None, [node.module])])
            for alias in node.names:
                submodule = f"{source}.{alias.name}"
                if (submodule if submodule in modules else source) in modules:
                    yield submodule if submodule in modules else source


@pytest.mark.parametrize("package", BUILT)
def test_no_import_circle(package: str) -> None:
    paths = {module_of(path): path for path in python_files(package)}
    # A package that hands on the names of its modules is imported by all of them.
    remaining = {name: set(imported_modules(path, set(paths))) - {name, package} for name, path in paths.items()}
    while leaves := {name for name, needs in remaining.items() if not needs & remaining.keys()}:
        remaining = {name: needs for name, needs in remaining.items() if name not in leaves}
    assert remaining == {}, "each of these modules imports another one of them"


@pytest.mark.parametrize(
    ("library", "allowed"),
    [
        # `import evaluate` takes seconds where torch is installed: the main script alone needs it.
        ("evaluate", {"dibimt_metric/dibimt_metric.py"}),
        # Loaded by name: the items of a data set (inside functions), and what can go wrong there.
        (
            "datasets",
            {f"dibimt_metric/{name}.py" for name in ("dibimt_metric", "items_data_rows", "items_data_errors")},
        ),
        ("gradio", set()),
        ("argparse", set()),
    ],
)
def test_outer_libraries_stay_outside(library: str, allowed: set[str]) -> None:
    found = offences(python_files("dibimt_metric"), lambda p: (n for n in imported(p) if n == library))
    assert {line.partition(":")[0] for line in found} - allowed == set()


IMPORT_PROBE = "import json, sys, dibimt_metric; print(json.dumps([m for m in sys.modules if '.' not in m]))"
HEAVY = {
    "classla", "datasets", "evaluate", "jieba", "marisa_trie", "matplotlib", "numpy", "opencc", "pandas", "simplemma",
    "stanza", "torch", "tqdm", "transformers",
}  # fmt: skip


def test_import_of_the_metric_is_light() -> None:
    run = subprocess.run([sys.executable, "-c", IMPORT_PROBE], cwd=ROOT, capture_output=True, text=True, check=True)
    assert HEAVY.intersection(json.loads(run.stdout)) == set()


# The metric folder, which `evaluate` copies file by file


def test_metric_folder_is_flat_and_holds_no_data() -> None:
    entries = [path for path in METRIC.iterdir() if path.name != "__pycache__" and path.name[0] != "."]
    known = [path for path in entries if path.suffix in (".py", ".md") or path.name == "requirements.txt"]
    assert [path.name for path in entries if path.is_dir() or path not in known] == []


def test_metric_folder_has_few_files() -> None:
    assert len(python_files("dibimt_metric")) <= MAX_METRIC_FILES


def test_no_sibling_has_the_name_of_a_standard_library_module() -> None:
    assert {path.stem for path in METRIC.glob("*.py")} & sys.stdlib_module_names == set()


def type_checking_imports(module: ast.Module) -> set[ast.AST]:
    """Nodes under ``if TYPE_CHECKING:``, which never run."""
    guards = (
        node
        for node in ast.walk(module)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    )
    return {inner for guard in guards for statement in guard.body for inner in ast.walk(statement)}


def unreadable_imports(path: Path) -> Iterator[str]:
    """Relative imports that `evaluate` would overlook or misread."""
    lines = path.read_text(encoding="utf-8").splitlines()
    unseen = type_checking_imports(tree(path))
    for node in ast.walk(tree(path)):
        if not isinstance(node, ast.ImportFrom) or node.level == 0 or node in unseen:
            continue
        where = f"line {node.lineno}"
        if node.level > 1 or not node.module or "." in node.module:
            yield f"{where}: expected `from .sibling import name`"
        if node.col_offset:
            yield f"{where}: an indented relative import is not found"
        if any("#" in line for line in lines[node.lineno - 1 : node.end_lineno]):
            yield f"{where}: a comment behind a relative import is taken for an address"
        if len(node.names) > 1:
            yield f"{where}: one import a line"


def test_relative_imports_can_be_read_by_evaluate() -> None:
    assert offences(python_files("dibimt_metric"), unreadable_imports) == []


# Sizes and output


def is_table(path: Path) -> bool:
    """A file without functions and classes holds data only."""
    return not any(isinstance(n, ast.FunctionDef | ast.ClassDef) for n in ast.walk(tree(path)))


def long_file(path: Path) -> Iterator[str]:
    lines = len(path.read_text(encoding="utf-8").splitlines())
    if lines > MAX_FILE_LINES and not is_table(path):
        yield f"{lines} lines, at most {MAX_FILE_LINES}"


def long_functions(path: Path) -> Iterator[str]:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > MAX_FUNCTION_LINES:
                yield f"{node.name} (line {node.lineno}) has {lines} lines, at most {MAX_FUNCTION_LINES}"


def outside_voices(path: Path) -> Iterator[str]:
    """Calls that print or end the program."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            if called in ("print", "exit", "quit", "sys.exit", "os._exit", "SystemExit"):
                yield f"line {node.lineno}: {called}"


def test_no_file_is_too_long() -> None:
    assert offences([*room_files(), *python_files("benchmarks"), ROOT / "setup.py"], long_file) == []


def test_no_function_is_too_long() -> None:
    files = [*room_files(), *python_files("benchmarks", "tests"), ROOT / "setup.py"]
    assert offences(files, long_functions) == []


def test_only_the_command_line_prints_and_exits() -> None:
    quiet = [p for p in room_files() if "dibimt_tools" not in p.parts]
    assert offences(quiet, outside_voices) == []


# Packaging


@pytest.fixture(scope="module")
def metadata() -> dict[str, Any]:
    """What setup.py hands to setuptools."""
    captured: dict[str, Any] = {}
    before = Path.cwd()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(setuptools, "setup", captured.update)
        os.chdir(ROOT)
        try:
            runpy.run_path(str(ROOT / "setup.py"))
        finally:
            os.chdir(before)
    return captured


def distribution(requirement: str) -> str:
    """``ray[data]>=2`` -> ``ray``."""
    found = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert found, requirement
    return found.group().lower()


def requirements(metadata: dict[str, Any]) -> set[str]:
    groups = [metadata["install_requires"], *metadata["extras_require"].values()]
    return {distribution(requirement) for group in groups for requirement in group}


def test_metadata(metadata: dict[str, Any]) -> None:
    version = importlib.import_module("dibimt_metric.version").VERSION
    assert (metadata["name"], metadata["version"]) == ("dibimt", version)
    assert metadata["python_requires"] == ">=3.10,<3.14"
    assert metadata["license"] == "Apache-2.0"
    assert metadata["entry_points"] == {"console_scripts": ["dibimt = dibimt_tools.cli:main"]}


def test_extras(metadata: dict[str, Any]) -> None:
    extras = metadata["extras_require"]
    named = {"all", "app", "classla", "evaluate", "ldd", "lm", "plot", "ray", "stanza", "test", "train"}
    assert set(extras) == named
    everything = set(extras["all"])
    assert all(everything >= set(extras[name]) for name in named - {"all", "classla", "test"})
    assert everything.isdisjoint(extras["classla"])


def test_packages_are_the_rooms(metadata: dict[str, Any]) -> None:
    found = {package.partition(".")[0] for package in metadata["packages"]}
    assert found == set(BUILT) >= {"dibimt_metric", "dibimt_dataset", "dibimt_tools"}


def test_built_package_holds_the_data(tmp_path: Path) -> None:
    source, build = tmp_path / "source", tmp_path / "build"
    ignore = shutil.ignore_patterns("__pycache__", ".*")
    for package in BUILT:
        shutil.copytree(ROOT / package, source / package, ignore=ignore)
    for name in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source / name)
    subprocess.run(
        [sys.executable, "setup.py", "--quiet", "build", "--build-base", str(build)],
        cwd=source, check=True, capture_output=True,
    )  # fmt: skip
    wanted = {
        path.relative_to(source)
        for package in ("dibimt_metric", "dibimt_dataset", "ldd_challenge_sets", "minimal_pairs")
        for pattern in ("**/*.py", "README.md", "data/**/*.*")
        for path in (source / package).glob(pattern)
    }
    assert {path for path in wanted if path.suffix == ".jsonl"}, "the mini set is missing"
    assert [str(path) for path in sorted(wanted) if not (build / "lib" / path).is_file()] == []


def test_constraints_pin_what_is_installed_exactly(metadata: dict[str, Any]) -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    exact = re.compile(r'[a-z0-9-]+==[0-9][0-9a-z.]*( ; python_version (<|>=) "3\.\d+")?')
    assert [pin for pin in pins if not exact.fullmatch(pin)] == []
    extras = metadata["extras_require"]
    needed = {distribution(r) for r in (*metadata["install_requires"], *extras["test"])}
    assert needed - {distribution(pin.partition("==")[0]) for pin in pins} == set()


def test_every_dependency_is_explained(metadata: dict[str, Any]) -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").lower()
    assert {name for name in requirements(metadata) if f"`{name}`" not in text} == set()


# Documents


def test_citation_file() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["cff-version"] == "1.2.0"
    assert citation["version"] == importlib.import_module("dibimt_metric.version").VERSION
    assert citation["license"] == "Apache-2.0"
    assert [reference["year"] for reference in citation["references"]] == [2025, 2022, 2019, 2020]
    for entry in (citation, *citation["references"]):
        assert {"title", "type", "authors"} <= set(entry)


def test_ci_script_is_executable() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert script.read_text(encoding="utf-8").startswith("#!/usr/bin/env bash\n")


def glossary_names() -> list[str]:
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    return sorted(set(re.findall(r"`((?:dibimt|ldd|minimal)_\w+(?:\.\w+)+)`", text)))


@pytest.mark.parametrize("name", glossary_names())
def test_names_in_the_glossary_exist(name: str) -> None:
    module, _, attribute = name.rpartition(".")
    assert hasattr(importlib.import_module(module), attribute)


def test_files_of_the_walk_exist() -> None:
    text = (ROOT / "docs" / "walk.md").read_text(encoding="utf-8")
    files = re.findall(r"`(\w+/[\w/]+\.py)`", text)
    assert [name for name in files if not (ROOT / name).is_file()] == [] != files
    assert len(text.splitlines()) <= 80


def local_links(path: Path) -> Iterator[str]:
    for target in re.findall(r"\]\(([^)#\s]+)", path.read_text(encoding="utf-8")):
        if "://" not in target and not target.startswith("mailto:") and not (path.parent / target).exists():
            yield f"no such file: {target}"


def test_links_between_documents_lead_somewhere() -> None:
    documents = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    assert offences(documents, local_links) == []
