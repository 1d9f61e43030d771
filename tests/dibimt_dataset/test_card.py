"""The folder loads as a data set by its card."""

from __future__ import annotations

from pathlib import Path

import pytest

import dibimt_dataset
from dibimt_dataset import MINI_LANGUAGES
from dibimt_dataset import mini_items
from dibimt_metric import make_item

FOLDER = Path(dibimt_dataset.__file__).parent


@pytest.mark.parametrize("language", MINI_LANGUAGES)
def test_each_language_is_a_configuration(language: str, tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    rows = datasets.load_dataset(str(FOLDER), language, split="test", cache_dir=str(tmp_path))
    assert tuple(make_item(row) for row in rows) == mini_items(language)
