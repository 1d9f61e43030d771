"""The card of a converted folder, read as the Hub and `datasets` read it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from minimal_pairs.conversion.card import card_text, configurations
from minimal_pairs.conversion.conversion import Conversion, Counts
from minimal_pairs.conversion.schema import COLUMNS, NYU_MLL
from minimal_pairs.paradigms import PARADIGMS, PHENOMENA
from minimal_pairs.records import ISSUES

NAMES = ["all", *PHENOMENA, *(paradigm.name for paradigm in PARADIGMS)]


def conversion(pairs: int = 1000, corrected: int | None = 999, changed: tuple[str, ...] = ()) -> Conversion:
    counts = tuple(Counts(one.name, one.phenomenon, pairs, corrected, (("stray_space", 3),)) for one in PARADIGMS)
    return Conversion(changed, counts, "0123456789ab", "1.2.3")


def front_matter(text: str) -> dict[str, Any]:
    _, front, _ = text.split("---\n", 2)
    loaded: dict[str, Any] = yaml.safe_load(front)
    return loaded


def test_configurations(tiny_converted: Path) -> None:
    card = front_matter((tiny_converted / "README.md").read_text(encoding="utf-8"))
    names = [one["config_name"] for one in card["configs"]]
    assert names == [*NAMES, *(f"{name}-corrected" for name in NAMES)] and len(names) == 160
    assert [one["config_name"] for one in card["configs"] if one.get("default")] == ["all"]
    files: dict[str, set[Path]] = {}
    for one in card["configs"]:
        (data,) = one["data_files"]
        assert data["split"] == "train"
        files[one["config_name"]] = set(tiny_converted.glob(data["path"]))
    for variant, suffix in (("data", ""), ("corrected", "-corrected")):
        assert files["all" + suffix] == set(tiny_converted.glob(f"{variant}/*/*.jsonl"))
        assert len(files["all" + suffix]) == 67
        for paradigm in PARADIGMS:
            (file,) = files[paradigm.name + suffix]
            assert file == tiny_converted / variant / paradigm.phenomenon / f"{paradigm.name}.jsonl"
            assert file in files[paradigm.phenomenon + suffix]
        assert sum(len(files[name + suffix]) for name in PHENOMENA) == 67


def test_features_of_every_configuration() -> None:
    card = front_matter(card_text(conversion()))
    assert [info["config_name"] for info in card["dataset_info"]] == [one["config_name"] for one in card["configs"]]
    features = card["dataset_info"][0]["features"]
    assert all(info["features"] == features for info in card["dataset_info"])
    assert [feature["name"] for feature in features] == list(COLUMNS)
    types = {feature["name"]: feature.get("dtype") or [feature["sequence"]] for feature in features}
    flags = ("simple_LM_method", "one_prefix_method", "two_prefix_method", "lexically_identical")
    assert {name for name, dtype in types.items() if dtype == "bool"} == set(flags)
    assert {name for name, dtype in types.items() if dtype == "int32"} == {"pair_id", "dependency_length"}
    assert types["issues"] == ["string"]
    assert all(types[name] == "string" for name in NYU_MLL[:5])


def test_metadata() -> None:
    card = front_matter(card_text(conversion()))
    assert (card["license"], card["language"], card["size_categories"]) == (
        "cc-by-4.0",
        ["en"],
        ["10K<n<100K"],
    )
    assert front_matter(card_text(conversion(3)))["size_categories"] == ["n<1K"]


def test_counts_and_origin() -> None:
    text = card_text(conversion())
    assert "| `argument_structure` | 9 | 9,000 | 8,991 |" in text
    assert "| `all` | 67 | 67,000 | 66,933 |" in text
    assert f"| `stray_space` | {67 * 3} |" in text
    assert [issue for issue in ISSUES if f"| `{issue}` |" not in text] == []
    assert "All 67 source files have the checksums of the release." in text
    assert "`blimp|data:0123456789ab|version:1.2.3`" in text
    changed = card_text(conversion(changed=("wh_island",)))
    assert "1 of the 67 source files differ from the release: `wh_island`." in changed


def test_without_the_corrected_variant_nothing_names_it() -> None:
    text = card_text(conversion(corrected=None))
    assert "corrected" not in text and len(front_matter(text)["configs"]) == 80


def test_tables_are_whole() -> None:
    for block in re.findall(r"(?:^\|.*\n)+", card_text(conversion()), re.MULTILINE):
        assert len({line.count("|") for line in block.splitlines()}) == 1, block


@pytest.mark.parametrize("folder", ["data", "corrected"])
def test_patterns_name_files_in_the_order_of_paradigms(folder: str) -> None:
    patterns = dict(configurations(folder))
    assert list(patterns) == NAMES
    assert patterns["all"] == f"{folder}/*/*.jsonl"
    assert patterns["binding"] == f"{folder}/binding/*.jsonl"
    assert patterns["wh_island"] == f"{folder}/island_effects/wh_island.jsonl"


def test_the_folder_says_how_to_convert() -> None:
    text = (Path(__file__).parents[2] / "minimal_pairs" / "README.md").read_text(encoding="utf-8")
    assert "dibimt blimp convert --source DIR_OR_ZIP --out" in text and "CC BY 4.0" in text
