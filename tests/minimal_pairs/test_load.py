"""A converted folder in three generations of ``datasets``: by its card, by the loading script, by the class.

The probe of `tests.generations` gives all rows; here numbers and first rows do, so that the 67,000 pairs can be loaded
by every configuration. It makes the card's builder once, because each ``load_dataset`` reads the whole card again.
"""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from minimal_pairs.conversion.card import configurations
from minimal_pairs.conversion.schema import COLUMNS, LISTS, TYPES
from minimal_pairs.paradigms import PARADIGMS, PHENOMENA
from tests.generations.loading import ALL, INSTALLED, OLDER, Answer, Request, environment, interpreter, load
from tests.minimal_pairs.conftest import PAIRS, read_lines

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "minimal_pairs" / "loading_script.py"
NAMES = tuple(name for name, _ in configurations("data"))
EVERY = (*NAMES, *(f"{name}-corrected" for name in NAMES))
FEATURES = {name: ["string"] if name in LISTS else TYPES.get(name, "string") for name in COLUMNS}
SIZES = {
    "all": len(PARADIGMS),
    **{name: sum(one.phenomenon == name for one in PARADIGMS) for name in PHENOMENA},
    **{one.name: 1 for one in PARADIGMS},
}
"""Paradigms of each configuration."""

PROBE = """
import json, sys
import datasets
path, names = sys.argv[1], json.loads(sys.argv[2])
card = datasets.load_dataset_builder(path, "all")
found = {}
for name in names:
    builder = type(card)(
        config_name=name, base_path=path, hash="1", dataset_name="blimp", features=card.info.features
    )
    builder.download_and_prepare()
    rows = builder.as_dataset(split="train")
    found[name] = [rows.num_rows, rows[0]["UID"], rows[-1]["UID"], list(builder.info.splits)]
json.dump(found, sys.stdout)
"""


def numbers(generation: str, folder: Path, names: Sequence[str], scratch: Path) -> dict[str, Any]:
    """Rows, first and last paradigm and splits of each configuration."""
    done = subprocess.run(
        [str(interpreter(generation)), "-c", PROBE, str(folder), json.dumps(names)],
        cwd=scratch, env=environment(str(scratch)), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def expected(name: str, pairs: int) -> list[Any]:
    base = name.removesuffix("-corrected")
    inside = [one.name for one in PARADIGMS if base in ("all", one.phenomenon, one.name)]
    return [pairs * len(inside), inside[0], inside[-1], ["train"]]


def test_every_configuration(tiny_converted: Path, tmp_path: Path) -> None:
    found = numbers(INSTALLED, tiny_converted, EVERY, tmp_path)
    assert found == {name: expected(name, PAIRS) for name in EVERY}


@pytest.mark.slow
@pytest.mark.parametrize("generation", ALL)
def test_the_release(generation: str, blimp_converted: Path, tmp_path: Path) -> None:
    names = (*NAMES, "all-corrected")
    found = numbers(generation, blimp_converted, names, tmp_path)
    assert found.pop("all-corrected")[0] == 66_812
    assert found == {name: expected(name, 1000) for name in NAMES}
    assert found["all"][0] == 67_000


# As users load it


def rows_of(folder: Path, *names: str) -> list[dict[str, Any]]:
    places = dict(configurations("data"))
    return [line for name in names for path in sorted(folder.glob(places[name])) for line in read_lines(path)]


@pytest.fixture(scope="module", params=ALL)
def answers(request: pytest.FixtureRequest, tiny_converted: Path) -> dict[str, Answer]:
    folder = str(tiny_converted)
    requests = {
        "card": Request(folder, ("all", "binding", "distractor_agreement_relational_noun"), "train"),
        "streaming": Request(folder, ("binding",), "train", streaming=True),
        "unknown": Request(folder, ("idioms",), "train"),
        "class": Request(
            str(ROOT),
            ("all", "binding-corrected"),
            "train",
            options={"hash": "1", "data_dir": folder},
            builder="minimal_pairs.loading_script.Blimp",
        ),
    }
    return dict(zip(requests, load(request.param, *requests.values()), strict=True))


@pytest.mark.parametrize(
    ("situation", "name"),
    [
        ("card", "all"),
        ("card", "binding"),
        ("card", "distractor_agreement_relational_noun"),
        ("streaming", "binding"),
        ("class", "all"),
    ],
)
def test_rows_and_features(answers: dict[str, Answer], tiny_converted: Path, situation: str, name: str) -> None:
    # All columns in all configurations, also those of which a paradigm has only nulls.
    assert answers[situation][name] == {"features": FEATURES, "rows": rows_of(tiny_converted, name)}


def test_corrected_pairs_through_the_class(answers: dict[str, Answer], tiny_converted: Path) -> None:
    rows = [row | {"field": "syntax_semantics"} for row in rows_of(tiny_converted, "binding")]
    assert answers["class"]["binding-corrected"]["rows"] == rows


def test_unknown_configuration(answers: dict[str, Answer]) -> None:
    answer = answers["unknown"]["idioms"]
    assert answer["error"] == "ValueError" and "'idioms' not found" in answer["message"]


# The loading script


def published(folder: Path, data: Path | None = None) -> str:
    """A folder that holds the script alone, or beside data, under the folder's own name."""
    folder.mkdir()
    shutil.copy(SCRIPT, folder / f"{folder.name}.py")
    if data is not None:
        shutil.copytree(data, folder / "data")
    return str(folder)


@pytest.mark.parametrize("generation", OLDER)
def test_script(generation: str, tiny_converted: Path, tmp_path: Path) -> None:
    alone = published(tmp_path / "alone")
    beside = published(tmp_path / "beside", tiny_converted / "data")
    trusted = {"trust_remote_code": True}
    in_folder = {**trusted, "data_dir": str(tiny_converted)}
    one = ("wh_island",)
    chosen, found, streamed, missing = load(
        generation,
        Request(alone, ("island_effects", "wh_island-corrected"), "train", options=in_folder),
        Request(beside, one, "train", options=trusted),
        Request(beside, one, "train", options=trusted, streaming=True),
        Request(alone, one, "train", options=trusted),
    )
    assert chosen["island_effects"] == {
        "features": FEATURES,
        "rows": rows_of(tiny_converted, "island_effects"),
    }
    for answer in (chosen["wh_island-corrected"], found["wh_island"], streamed["wh_island"]):
        assert answer["rows"] == rows_of(tiny_converted, "wh_island")
    assert missing["wh_island"]["error"] == "FileNotFoundError"
    message = missing["wh_island"]["message"]
    assert "data/island_effects/wh_island.jsonl is not in" in message
    assert "dibimt blimp convert" in message and 'data_dir="DIR"' in message


def test_the_installed_generation_refuses_scripts(tiny_converted: Path, tmp_path: Path) -> None:
    folder = published(tmp_path / "blimp", tiny_converted / "data")
    answer = load(INSTALLED, Request(folder, ("wh_island",), "train"))[0]["wh_island"]
    assert answer["message"].startswith("Dataset scripts are no longer supported, but found blimp.py")


def test_script_and_card_have_the_same_configurations() -> None:
    pytest.importorskip("datasets")
    from minimal_pairs import loading_script

    assert tuple(loading_script.Blimp.builder_configs) == EVERY
    assert list(loading_script.FEATURES) == list(COLUMNS)
    for name, pattern in configurations("data"):
        files = [f"data/{file}" for file in loading_script.CONFIGURATIONS[name]]
        assert len(files) == SIZES[name] and all(Path(file).match(pattern) for file in files)


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
    assert not (ROOT / "minimal_pairs" / "minimal_pairs.py").exists()
