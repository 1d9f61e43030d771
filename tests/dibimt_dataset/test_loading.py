"""Card, script and class in three generations of ``datasets``: the same rows and features, fresh data, clear errors."""

from __future__ import annotations

import ast
import json
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import dibimt_dataset
from dibimt_dataset import MINI_LANGUAGES, mini_path
from tests.generations.loading import ALL, INSTALLED, OLDER, Answer, Client, Request, load

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(dibimt_dataset.path())
SCRIPTS = [ROOT / package / "loading_script.py" for package in (FOLDER.name, "ldd_challenge_sets", "minimal_pairs")]
CLASS = "dibimt_dataset.loading_script.DibimtDataset"
TRUSTED = {"trust_remote_code": True}
CANDIDATE = {"lemma": "string", "pos": "string", "synsets": ["string"], "frequency_indices": ["int64"]}
FEATURES = {
    "id": "string",
    "language": "string",
    "source": "string",
    "focus": {"text": "string", "start": "int64", "end": "int64"},
    "lemma": "string",
    "pos": "string",
    "synset": "string",
    "definition": "string",
    "frequency_index": "int64",
    "polysemy": "int64",
    "good": [CANDIDATE],
    "bad": [CANDIDATE],
}
GAPS = {
    "lemma": None,
    "pos": None,
    "synset": None,
    "definition": None,
    "frequency_index": None,
    "polysemy": None,
}
"""What an item may leave out, see docs/formats.md."""


@cache
def rows_of(language: str) -> list[dict[str, Any]]:
    lines = mini_path(language).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def with_gaps() -> list[dict[str, Any]]:
    """Rows in which every column that may be null or empty is so, from the first to the last."""
    bare = [{"lemma": "Wort", "pos": None, "synsets": [], "frequency_indices": []}]
    return [row | GAPS | {"good": bare, "bad": []} for row in rows_of("de")]


def write(path: Path, rows: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def copy_of_the_data_set(folder: Path, rows: list[dict[str, Any]]) -> str:
    """The data set with these rows as its German file; `datasets` wants the files of all languages to be there."""
    shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    write(folder / "data" / "mini" / "de.jsonl", rows)
    return str(folder)


def published(folder: Path) -> str:
    """A folder that holds the script alone, under the folder's own name."""
    folder.mkdir()
    shutil.copy(FOLDER / "loading_script.py", folder / f"{folder.name}.py")
    return str(folder)


@pytest.fixture(scope="module", params=ALL)
def answers(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Answer]:
    """What a generation makes of several situations, by name."""
    root = tmp_path_factory.mktemp("places")
    gaps = copy_of_the_data_set(root / "gaps", with_gaps())
    write(root / "flat" / "de.jsonl", with_gaps())
    cut = copy_of_the_data_set(root / "cut", rows_of("de")[:30])
    write(root / "broken" / "de.jsonl", rows_of("de")[:1])
    with (root / "broken" / "de.jsonl").open("a", encoding="utf-8") as stream:
        stream.write('{"id": "mini-0')
    german, package = ("de",), str(ROOT)
    requests = {
        "card": Request(str(FOLDER), MINI_LANGUAGES),
        "streaming": Request(str(FOLDER), MINI_LANGUAGES, streaming=True),
        "class": Request(package, MINI_LANGUAGES, builder=CLASS),
        "class, streaming": Request(package, MINI_LANGUAGES, builder=CLASS, streaming=True),
        "gaps: card": Request(gaps, german),
        "gaps: streaming": Request(gaps, german, streaming=True),
        "gaps: class": Request(package, german, builder=CLASS, options={"data_dir": gaps}),
        "gaps: files alone": Request(package, german, builder=CLASS, options={"data_dir": str(root / "flat")}),
        "cut": Request(cut, german),
        "broken": Request(package, german, builder=CLASS, options={"data_dir": str(root / "broken")}),
        "nowhere": Request(package, german, builder=CLASS, options={"data_dir": "nowhere"}),
        "unknown": Request(package, ("fr",), builder=CLASS),
    }
    return dict(zip(requests, load(request.param, *requests.values()), strict=True))


@pytest.mark.parametrize("way", ["card", "streaming", "class", "class, streaming"])
def test_every_language(answers: dict[str, Answer], way: str) -> None:
    for language, answer in answers[way].items():
        assert answer == {"features": FEATURES, "rows": rows_of(language)}, (language, answer.get("message"))


@pytest.mark.parametrize("way", ["card", "streaming", "class", "files alone"])
def test_columns_of_nulls_have_the_same_features(answers: dict[str, Answer], way: str) -> None:
    assert answers[f"gaps: {way}"]["de"] == {"features": FEATURES, "rows": with_gaps()}


def test_a_file_that_was_cut_at_the_end_of_a_line_is_refused_by_the_card(answers: dict[str, Answer]) -> None:
    answer = answers["cut"]["de"]
    assert answer["error"] == "NonMatchingSplitsSizesError"
    assert "num_examples=71" in answer["message"] and "num_examples=30" in answer["message"]


def test_a_broken_line_is_named(answers: dict[str, Answer]) -> None:
    message = answers["broken"]["de"]["message"]
    assert "broken/de.jsonl, line 2: not a row in JSON" in message and "get it again" in message


def test_missing_data_says_what_to_do(answers: dict[str, Answer]) -> None:
    answer = answers["nowhere"]["de"]
    assert answer["error"] == "FileNotFoundError"
    assert answer["message"].startswith("data/mini/de.jsonl is not in nowhere. ")
    assert 'data_dir="DIR"' in answer["message"]


def test_unknown_language(answers: dict[str, Answer]) -> None:
    answer = answers["unknown"]["fr"]
    assert answer["error"] == "ValueError" and "'fr' not found. Available: ['bg', 'zh'" in answer["message"]


# The script, as it stands on its branch


@pytest.mark.parametrize("generation", OLDER)
def test_script(generation: str, tmp_path: Path) -> None:
    alone, beside = published(tmp_path / "alone"), published(tmp_path / "beside")
    write(tmp_path / "beside" / "data" / "mini" / "de.jsonl", with_gaps())
    in_folder = {**TRUSTED, "data_dir": str(FOLDER)}
    chosen, first, found, both, missing = load(
        generation,
        Request(alone, MINI_LANGUAGES, options=in_folder),
        Request(alone, ("de",), options={**TRUSTED, "data_dir": str(FOLDER / "data" / "mini")}),
        Request(beside, ("de",), options=TRUSTED, streaming=True),
        Request(beside, ("de",), options=in_folder),
        Request(alone, ("de",), options=TRUSTED),
    )
    for language, answer in chosen.items():
        assert answer == {"features": FEATURES, "rows": rows_of(language)}
    assert found["de"] == {"features": FEATURES, "rows": with_gaps()}
    assert first["de"]["rows"] == both["de"]["rows"] == rows_of("de")
    assert missing["de"]["error"] == "FileNotFoundError" and "alone. Give" in missing["de"]["message"]


def test_the_installed_generation_refuses_scripts(tmp_path: Path) -> None:
    answer = load(INSTALLED, Request(published(tmp_path / "dibimt"), ("de",)))[0]["de"]
    assert answer["error"] == "RuntimeError"
    assert answer["message"] == "Dataset scripts are no longer supported, but found dibimt.py"


# Caches


def test_changed_data_are_not_served_as_they_were(tmp_path: Path) -> None:
    # Nor do the generations, whose caches fail each other, meet in one: `Feature type 'List' not found`.
    folder, shared = tmp_path / "items", {"cache_dir": str(tmp_path / "cache")}
    options = {**shared, "data_dir": str(folder)}
    old, new = rows_of("de")[:2], rows_of("de")[1:3]
    for generation in (INSTALLED, *OLDER):
        with Client(generation, tmp_path) as client:
            for rows in (old, new):
                write(folder / "de.jsonl", rows)
                (answer,) = client.ask(Request(str(ROOT), ("de",), builder=CLASS, options=options))
                assert answer["de"].get("rows") == rows, answer
    assert [path.name for path in (tmp_path / "cache").iterdir() if path.is_dir()] == ["dibimt"]


# The text of the scripts


def definitions(script: Path) -> dict[str, str]:
    """The functions and methods of a script that the others have too, without the name of the data set."""
    found = {}
    for node in ast.walk(ast.parse(script.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.name not in ("files_of", "places_of"):
            text = ast.unparse(node)
            for name in ("dibimt", "ldd-challenge-sets", "blimp"):
                text = text.replace(f"'dataset_name', '{name}'", "'dataset_name', NAME")
            found[node.name] = text
    return found


def test_what_the_three_scripts_share_is_the_same() -> None:
    # Each stands alone on the Hub, so that they cannot import it from one place.
    first, *others = (definitions(script) for script in SCRIPTS)
    assert len(first) >= 6
    assert all(other == first for other in others)


def test_the_script_stands_alone() -> None:
    nodes = list(ast.walk(ast.parse(SCRIPTS[0].read_text(encoding="utf-8"))))
    imports = [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
    assert all(len(node.names) == 1 for node in imports)  # `datasets` reads them line by line
    modules = {node.module if isinstance(node, ast.ImportFrom) else node.names[0].name for node in imports}
    # The standard library, `datasets`, and what `datasets` brings along.
    assert modules == {
        "__future__", "collections.abc", "datasets", "hashlib", "huggingface_hub", "json", "pathlib", "typing"
    }  # fmt: skip


def test_the_folder_holds_no_script_of_its_own_name() -> None:
    # `datasets` 2.x and 3.x would run it, 4 and later would refuse the whole folder.
    assert not (FOLDER / "dibimt_dataset.py").exists()
