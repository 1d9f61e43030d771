"""Pairs through the library `datasets`: what names on the Hub go through, here with local folders."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from dibimt_metric.errors import InputError, MissingLibraryError
from minimal_pairs.reading.read import read_dataset, read_pairs


def dataset(folder: Path, configurations: dict[str, dict[str, object]], split: str = "train") -> str:
    folder.mkdir()
    card = ["---", "configs:"]
    for name, row in configurations.items():
        (folder / f"{name}.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
        card.append(f"- {{config_name: {name}, data_files: [{{split: {split}, path: {name}.jsonl}}]}}")
    (folder / "README.md").write_text("\n".join([*card, "---", ""]), encoding="utf-8")
    return str(folder)


@pytest.fixture(autouse=True)
def library() -> None:
    pytest.importorskip("datasets")


def test_configurations_in_order(tmp_path: Path) -> None:
    row = {"sen": "Ja, er geht.", "wrong_sen": "Ja, er gehen.", "phenomenon": "SV-#"}
    name = dataset(tmp_path / "multi", {"deu": row, "nld": row | {"sen": "Hij gaat."}})
    assert [pair.paradigm for pair in read_dataset(name)] == ["deu-SV-#", "nld-SV-#"]
    (pair,) = read_dataset(name, ["nld"])
    assert (pair.sentence_good, pair.phenomenon, pair.pair_id) == ("Hij gaat.", "SV-#", 0)


def test_our_own_converted_folder_gives_each_pair_once(tiny_converted: Path) -> None:
    assert list(read_dataset(str(tiny_converted))) == list(read_pairs(tiny_converted))


def test_paradigm_is_the_configuration_where_no_column_says_it(tmp_path: Path) -> None:
    name = dataset(tmp_path / "own", {"agreement": {"good": "Ann sleeps.", "bad": "Ann sleep."}}, "test")
    (pair,) = read_dataset(name, split="test")
    assert pair.paradigm == "agreement"


def test_errors_name_configuration_and_row(tmp_path: Path) -> None:
    row = {"sentence_good": "x", "sentence_bad": "", "UID": "p"}
    name = dataset(tmp_path / "bad", {"p": row, "q": {"text": "x"}})
    with pytest.raises(InputError, match=r"bad \(p, train\), row 1: sentence_bad is empty"):
        list(read_dataset(name, ["p"]))
    with pytest.raises(InputError, match=r"bad \(q, train\): the columns 'text' match no known format"):
        list(read_dataset(name, ["q"]))
    with pytest.raises(InputError, match=r"bad \(r, train\)'?: cannot be loaded \(ValueError: .*check name, conf"):
        list(read_dataset(name, ["r"]))
    with pytest.raises(InputError, match="cannot be loaded"):
        read_dataset(str(tmp_path / "nowhere"))


def test_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(MissingLibraryError, match=r"pip install 'dibimt\[evaluate\]'"):
        read_dataset("nyu-mll/blimp")
