"""Fixtures of this package: a release of BLiMP's form, with sentences written for the tests."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from minimal_pairs.conversion.convert import convert
from minimal_pairs.paradigms import PARADIGMS, Paradigm
from minimal_pairs.records import Method

PAIRS = 3
"""Pairs of each paradigm of the tiny release."""

Line = dict[str, Any]


def upstream_line(paradigm: Paradigm, number: int) -> Line:
    """A line of a released file, with the keys that files of its kind have."""
    place = f"near {number} {paradigm.name.replace('_', ' ')}"
    line: Line = {
        "sentence_good": f"The boats float {place}.",
        "sentence_bad": f"The boat float {place}.",
    }
    if Method.ONE_PREFIX in paradigm.methods:
        line["sentence_bad"] = f"The boats floats {place}."
        line |= {"one_prefix_prefix": "The boats", "one_prefix_word_good": "float"}
        line["one_prefix_word_bad"] = "floats"
    if Method.TWO_PREFIX in paradigm.methods:
        line |= {"two_prefix_prefix_good": "The boats", "two_prefix_prefix_bad": "The boat"}
        line["two_prefix_word"] = "float"
    if paradigm.name.startswith("distractor_agreement"):
        line["dependency_length"] = number + 1
    if paradigm.name.startswith("superlative_quantifiers"):
        line["crucial_item"] = "at least"
    return line | {
        "field": "syntax/semantics" if paradigm.name == "principle_A_case_2" else paradigm.field,
        "linguistics_term": paradigm.linguistics_term,
        "UID": paradigm.name,
        "simple_LM_method": True,
        "one_prefix_method": Method.ONE_PREFIX in paradigm.methods,
        "two_prefix_method": Method.TWO_PREFIX in paradigm.methods,
        "lexically_identical": False,
        "pairID": str(number),
    }


def write_lines(path: Path, lines: list[Line]) -> None:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def read_lines(path: Path) -> list[Line]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """A folder of 67 files, which a test may change."""
    return write_release(tmp_path / "release")


def write_release(folder: Path) -> Path:
    folder.mkdir()
    for paradigm in PARADIGMS:
        lines = [upstream_line(paradigm, number) for number in range(PAIRS)]
        write_lines(folder / f"{paradigm.name}.jsonl", lines)
    return folder


@pytest.fixture
def edit(release: Path) -> Callable[..., None]:
    """Changes a line of the release, as ``edit("wh_island", 0, field="syntax")``; the value ``...`` removes a key."""

    def change(paradigm: str, number: int, **values: object) -> None:
        path = release / f"{paradigm}.jsonl"
        lines = read_lines(path)
        lines[number] = {k: v for k, v in (lines[number] | values).items() if v is not ...}
        write_lines(path, lines)

    return change


@pytest.fixture(scope="session")
def tiny_converted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny release, converted; not to be changed."""
    folder = tmp_path_factory.mktemp("tiny")
    convert(write_release(folder / "release"), folder / "blimp")
    return folder / "blimp"


@pytest.fixture(scope="session")
def blimp_release(test_data: Path) -> Path:
    """The real release."""
    return test_data / "blimp"


@pytest.fixture(scope="session")
def blimp_converted(blimp_release: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The real release, converted; not to be changed."""
    out = tmp_path_factory.mktemp("real") / "blimp"
    convert(blimp_release, out)
    return out
