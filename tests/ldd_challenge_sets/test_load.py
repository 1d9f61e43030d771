"""The sample loads in three generations of ``datasets``, with the same rows and columns in each."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ldd_challenge_sets import path
from ldd_challenge_sets.corpus.opening import open_corpus
from ldd_challenge_sets.extraction.extract import extract
from ldd_challenge_sets.extraction.inputs import Inputs
from ldd_challenge_sets.extraction.plan import Plan
from ldd_challenge_sets.sample import SAMPLE_CONFIGURATIONS
from tests.generations.loading import ALL, INSTALLED, Answer, Request, load
from tests.ldd_challenge_sets.tiny import Tiny

HIT = {
    "dependent": "int64",
    "head": "int64",
    "dependent_form": "string",
    "head_form": "string",
    "distance": "int64",
}
FEATURES = {
    "id": "string",
    "line": "int64",
    "source": "string",
    "target": "string",
    "source_tokens": ["string"],
    "target_tokens": ["string"],
    "phenomenon": "string",
    "hits": [HIT],
    "max_distance": "int64",
    "alignment": "string",
    "corpus": "string",
}
REQUESTS = (
    Request(path(), SAMPLE_CONFIGURATIONS),
    Request(path(), SAMPLE_CONFIGURATIONS, streaming=True),
    Request(path(), ("de-en-idioms",)),
)


@pytest.fixture(scope="module", params=ALL)
def answers(request: pytest.FixtureRequest) -> list[Answer]:
    """What one generation makes of the requests."""
    return load(request.param, *REQUESTS)


@cache
def expected(configuration: str) -> dict[str, Any]:
    """The lines of the file, as `json` reads them."""
    lines = Path(path(), "data", f"{configuration}.jsonl").read_text(encoding="utf-8").splitlines()
    return {"features": FEATURES, "rows": [json.loads(line) for line in lines]}


@pytest.mark.parametrize("place", [0, 1], ids=["prepared", "streaming"])
def test_all_configurations(answers: list[Answer], place: int) -> None:
    loads = answers[place]
    assert {name: each["message"] for name, each in loads.items() if "error" in each} == {}
    assert list(loads) == list(SAMPLE_CONFIGURATIONS)
    for name, each in loads.items():
        assert each == expected(name), name


def test_unknown_configuration(answers: list[Answer]) -> None:
    answer = answers[2]["de-en-idioms"]
    assert answer["error"] == "ValueError"
    assert "'de-en-idioms' not found" in answer["message"] and "de-en-particle" in answer["message"]


def test_every_file_has_a_configuration() -> None:
    files = {file.stem for file in Path(path(), "data").glob("*.jsonl")}
    assert files == set(SAMPLE_CONFIGURATIONS)


def test_the_probe_tells_a_list_of_structs_from_a_struct_of_lists(tmp_path: Path) -> None:
    # Guards the comparison above: both hold lists and structs, but `datasets` gives other rows for them.
    card = (
        "---\nconfigs:\n- {config_name: a, data_files: [{split: test, path: a.jsonl}]}\ndataset_info:\n"
        "- {config_name: a, features: [{name: hits, KIND: [{name: head, dtype: int64}]}]}\n---\n"
    )
    for kind in ("list", "sequence"):
        folder = tmp_path / kind
        folder.mkdir()
        (folder / "README.md").write_text(card.replace("KIND", kind), encoding="utf-8")
        (folder / "a.jsonl").write_text('{"hits": [{"head": 1}, {"head": 2}]}\n', encoding="utf-8")
    requests = [Request(str(tmp_path / kind), ("a",)) for kind in ("list", "sequence")]
    right, wrong = (answer["a"] for answer in load(INSTALLED, *requests))
    assert right["features"] == {"hits": [{"head": "int64"}]}
    assert right["rows"] == [{"hits": [{"head": 1}, {"head": 2}]}]
    assert wrong != right


@pytest.mark.parametrize("generation", ALL)
def test_a_folder_that_was_extracted(generation: str, tiny: Tiny, tmp_path: Path) -> None:
    out = tmp_path / "sets"
    inputs = Inputs(open_corpus(tiny.source, tiny.target), conllu=str(tiny.parses), alignment=str(tiny.links))
    names = ("particle", "reordering", "reordering_normalized")  # the last one stays empty
    extract(inputs, Plan("de-en", "tiny", names, target_tokens="whitespace", min_distance=2), out)
    made = ("de-en-particle", "de-en-reordering", "de-en-baseline")
    (answer,) = load(generation, Request(str(out), made))
    for name in made:
        lines = (out / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        assert answer[name] == {"features": FEATURES, "rows": [json.loads(line) for line in lines]}, name
