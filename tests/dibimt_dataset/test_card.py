"""The folder loads as a data set by its card, and the card's examples run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

import dibimt_dataset
from dibimt_dataset import MINI_LANGUAGES, mini_items
from dibimt_metric import make_item

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(dibimt_dataset.path())
CARD = (FOLDER / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", CARD, re.DOTALL)
FROM_THE_HUB = re.compile(r'^items = load_dataset\("USER/.*\n', re.MULTILINE)
"""Run by tests/hub/test_load_matrix.py."""


@pytest.mark.parametrize("language", MINI_LANGUAGES)
def test_each_language_is_a_configuration(language: str, tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    rows = datasets.load_dataset(dibimt_dataset.path(), language, split="test", cache_dir=str(tmp_path))
    assert tuple(make_item(row) for row in rows) == mini_items(language)


def test_the_examples_run(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("datasets")
    monkeypatch.chdir(ROOT)
    assert len(BLOCKS) == 2 and len(FROM_THE_HUB.findall(BLOCKS[1])) == 1
    for block in BLOCKS:
        found: dict[str, Any] = {}
        exec(compile(FROM_THE_HUB.sub("", block), "README.md", "exec"), found)
        assert tuple(make_item(row) for row in found["items"]) == mini_items("de")


def test_the_example_that_is_reworded_on_the_hub_stands_there_once() -> None:
    assert CARD.count('load_dataset("./dibimt_dataset", "de", split="test")') == 1


def test_configurations_and_numbers_of_rows() -> None:
    front = yaml.safe_load(CARD.split("---\n")[1])
    assert [each["config_name"] for each in front["configs"]] == list(MINI_LANGUAGES)
    assert [each["config_name"] for each in front["dataset_info"]] == list(MINI_LANGUAGES)
    assert [each["config_name"] for each in front["configs"] if each.get("default")] == ["de"]
    for each in front["dataset_info"]:
        # With it `datasets` refuses a file that was cut at the end of a line.
        items = len(mini_items(each["config_name"]))
        (split,) = each["splits"]
        assert (split["name"], split["num_examples"]) == ("test", items)
        assert split["num_bytes"] > 0  # without it `datasets` warns, and reads no split
