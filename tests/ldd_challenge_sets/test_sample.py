"""The open sample: built from its checked files, complete, described truly, and of use for scoring."""

from __future__ import annotations

import doctest
import importlib.util
import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

import ldd_challenge_sets
from dibimt_metric.errors import InputError
from ldd_challenge_sets import path, sample
from ldd_challenge_sets.extraction.manifest import totals_of
from ldd_challenge_sets.extraction.rows import rows_text
from ldd_challenge_sets.parsing.conllu import parse_block
from ldd_challenge_sets.sample import (
    SAMPLE_CONFIGURATIONS,
    SAMPLE_PAIRS,
    SAMPLE_SYSTEMS,
    sample_rows,
    sample_system,
)

ROOT = Path(__file__).resolve().parents[2]
N = 182
LEXICAL = [name for name in SAMPLE_CONFIGURATIONS if re.search("particle|reflexive|stranding", name)]
REORDERING = [name for name in SAMPLE_CONFIGURATIONS if "reordering" in name]

configurations = pytest.mark.parametrize("configuration", SAMPLE_CONFIGURATIONS)
pairs = pytest.mark.parametrize("pair", SAMPLE_PAIRS)


@pytest.fixture(scope="module")
def build() -> ModuleType:
    """The script that makes the sample."""
    spec = importlib.util.spec_from_file_location("ldd_sample_build", ROOT / "experiments/ldd_sample_build.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# Files


def test_rows_are_those_that_the_checked_files_give(build: ModuleType) -> None:
    built = build.configurations()
    assert sorted(built) == sorted(SAMPLE_CONFIGURATIONS)
    for name, rows in built.items():
        file = Path(path(), "data", f"{name}.jsonl")
        assert file.read_text(encoding="utf-8") == rows_text(rows), name
        assert sample_rows(name) == rows


def test_hits_are_those_that_the_author_meant(build: ModuleType) -> None:
    assert list(build.unintended(build.configurations())) == []
    assert build.read_intended().total() == 333


def test_no_fault_in_the_trees(build: ModuleType) -> None:
    assert list(build.tree_faults(build.read_pairs())) == []


GOOD = """\
# text = Die Uhr geht im Bad nicht.
1\tDie\tder\tDET\tART\tCase=Nom|Gender=Fem|Number=Sing\t2\tdet\t_\t_
2\tUhr\tUhr\tNOUN\tNN\tCase=Nom|Gender=Fem|Number=Sing\t3\tnsubj\t_\t_
3\tgeht\tgehen\tVERB\tVVFIN\tNumber=Sing|Person=3|VerbForm=Fin\t0\troot\t_\t_
4-5\tim\t_\t_\t_\t_\t_\t_\t_\t_
4\tin\tin\tADP\tAPPR\t_\t6\tcase\t_\t_
5\tdem\tder\tDET\tART\tCase=Dat|Gender=Neut|Number=Sing\t6\tdet\t_\t_
6\tBad\tBad\tNOUN\tNN\tCase=Dat|Gender=Neut|Number=Sing\t3\tobl\t_\t_
7\tnicht\tnicht\tPART\tPTKNEG\t_\t3\tadvmod\t_\tSpaceAfter=No
8\t.\t.\tPUNCT\t$.\t_\t3\tpunct\t_\t_
"""


@pytest.mark.parametrize(
    ("right", "wrong", "code"),
    [
        ("# text = Die", "# text = Eine", "L01"),
        ("\tSpaceAfter=No", "\t_", "L01"),
        ("DET\tART\tCase=Nom", "PRON\tPDS\tCase=Nom", "L02"),
        ("\t3\tadvmod", "\t3\tdet", "L02"),
        ("PUNCT\t$.\t_\t3\tpunct", "PUNCT\t$.\t_\t3\tdep", "L03"),
        ("NOUN\tNN\tCase=Nom", "NOUN\tNE\tCase=Nom", "L04"),
        ("\t6\tdet", "\t4\tdet", "L05 det of case"),
        ("\t3\tnsubj", "\t8\tnsubj", "L05 nsubj of punct"),
        ("\t3\tnsubj", "\t4\tnsubj", "L06 nsubj of ADP"),
        ("Case=Nom|Gender=Fem|Number=Sing\t2", "Case=Nom|Gender=Neut|Number=Sing\t2", "L07 Gender=Neut"),
        ("Person=3", "Person=2", "L07 Person=3"),
        ("\t3\tadvmod", "\t2\tadvmod", "L08"),
    ],
)
def test_each_rule_for_trees_can_fire(build: ModuleType, right: str, wrong: str, code: str) -> None:
    def faults(block: str) -> list[str]:
        return list(build.lint(parse_block(block), build.surface(block), "de"))

    assert faults(GOOD) == []
    assert right in GOOD
    changed = faults(GOOD.replace(right, wrong, 1))
    assert any(fault.startswith(code) for fault in changed), changed


# What it holds


@pytest.mark.parametrize("configuration", LEXICAL)
def test_every_distance_from_0_to_6(configuration: str) -> None:
    counts = Counter(hit.distance for row in sample_rows(configuration) for hit in row.hits)
    assert sorted(counts) == [0, 1, 2, 3, 4, 5, 6]
    assert min(counts.values()) >= 5
    assert len(sample_rows(configuration)) >= 30  # not too small


@pytest.mark.parametrize("configuration", REORDERING)
def test_reorderings_of_at_least_5(configuration: str) -> None:
    rows = sample_rows(configuration)
    assert min(hit.distance for row in rows for hit in row.hits) == 5
    assert len(rows) >= 30


def test_extended_stranding_holds_the_paper_s_and_more() -> None:
    narrow = {(row.id, hit) for row in sample_rows("en-de-preposition_stranding") for hit in row.hits}
    wide = {(row.id, hit) for row in sample_rows("en-de-preposition_stranding_extended") for hit in row.hits}
    assert narrow < wide
    # "What are you looking for ?": 4 words lie between the second and the sixth word.
    more = Counter(hit.distance for _, hit in wide - narrow)
    assert min(more[distance] for distance in range(7)) >= 3


@configurations
def test_rows(configuration: str) -> None:
    rows = sample_rows(configuration)
    phenomenon = configuration.split("-", 2)[2]
    baseline = {row.line: row for row in sample_rows(f"{configuration[:5]}-baseline")}
    for row in rows:
        whole = baseline[row.line]
        assert (row.id, row.source, row.target, row.alignment) == (
            whole.id,
            whole.source,
            whole.target,
            whole.alignment,
        )
        assert row.phenomenon == phenomenon and row.corpus == "ldd-sample"
        assert row.max_distance == max((hit.distance for hit in row.hits), default=None)
        for hit in row.hits:
            assert row.source_tokens[hit.dependent - 1] == hit.dependent_form
            side = row.target_tokens if phenomenon.startswith("reordering") else row.source_tokens
            assert side[hit.head - 1] == hit.head_form
    assert [row.line for row in rows] == sorted({row.line for row in rows})


def test_both_directions_hold_the_same_pairs() -> None:
    there, back = sample_rows("de-en-baseline"), sample_rows("en-de-baseline")
    assert len(there) == N
    for row, other in zip(there, back, strict=True):
        assert (row.id, row.line) == (other.id, other.line)
        assert (row.source, row.source_tokens) == (other.target, other.target_tokens)
        assert (row.target, row.target_tokens) == (other.source, other.source_tokens)
        turned = {tuple(link.split("-")[::-1]) for link in (other.alignment or "").split()}
        assert {tuple(link.split("-")) for link in (row.alignment or "").split()} == turned


def test_no_sentence_stands_twice() -> None:
    rows = sample_rows("de-en-baseline")
    assert len({row.source for row in rows}) == len({row.target for row in rows}) == N


def test_a_row_counted_by_hand() -> None:
    # Sie(1) schaltete(2) das(3) alte(4) Radio(5) in(6) dem(7) Kinderzimmer(8) aus(9) .(10)
    row = next(row for row in sample_rows("de-en-particle") if row.id == "s008")
    assert row.source == "Sie schaltete das alte Radio im Kinderzimmer aus."
    assert row.target == "She switched the old radio in the nursery off."
    (hit,) = row.hits
    assert hit == (9, 2, "aus", "schaltete", 9 - 2 - 1)
    assert row.alignment == "0-0 1-1 1-8 2-2 3-3 4-4 5-5 6-6 7-7 8-1 8-8 9-9"


# Systems


@pairs
def test_systems_have_a_line_for_every_sentence(pair: str) -> None:
    for name in SAMPLE_SYSTEMS:
        lines = sample_system(name, pair)
        assert len(lines) == N and all(line.strip() == line != "" for line in lines)


@pairs
def test_the_careful_system_is_the_better_one_and_the_literal_one_falls_with_distance(pair: str) -> None:
    sacrebleu = pytest.importorskip("sacrebleu")

    def chrf(name: str, keep: Callable[[int], bool]) -> float:
        rows = [row for each in LEXICAL if each.startswith(pair) for row in sample_rows(each)]
        rows = [row for row in rows if keep(row.max_distance or 0)]
        lines = sample_system(name, pair)
        score: float = sacrebleu.corpus_chrf(
            [lines[row.line - 1] for row in rows], [[row.target for row in rows]]
        ).score
        return score

    near, far = (lambda distance: distance == 0), (lambda distance: distance >= 3)
    assert chrf("careful", far) > chrf("literal", far) + 10
    assert chrf("literal", near) > chrf("literal", far) + 10
    assert abs(chrf("careful", near) - chrf("careful", far)) < 10


# Card


@cache
def card() -> tuple[dict[str, Any], str]:
    _, front, text = Path(path(), "README.md").read_text(encoding="utf-8").split("---\n", 2)
    return yaml.safe_load(front), text


def test_front_matter() -> None:
    front, _ = card()
    files = {config["config_name"]: config["data_files"] for config in front["configs"]}
    assert files == {name: [{"split": "test", "path": f"data/{name}.jsonl"}] for name in SAMPLE_CONFIGURATIONS}
    assert [config["config_name"] for config in front["configs"] if config.get("default")] == ["de-en-particle"]
    columns = {info["config_name"]: [each["name"] for each in info["features"]] for info in front["dataset_info"]}
    wanted = list(sample_rows("de-en-particle")[0].__dataclass_fields__)
    assert columns == dict.fromkeys(SAMPLE_CONFIGURATIONS, wanted)


@configurations
def test_counts_and_lengths_of_the_card(configuration: str) -> None:
    (line,) = re.findall(rf"^\| `{configuration}` \| (.*) \|$", card()[1], re.MULTILINE)
    numbers = [cell.strip() for cell in line.split("|")]
    totals = totals_of(sample_rows(configuration))
    base = totals_of(sample_rows(f"{configuration[:5]}-baseline"))
    minima = range(6, 10) if configuration in REORDERING else range(1, 7)
    counts = [str(totals.at_least(minimum)) for minimum in minima]
    if configuration.endswith("baseline"):
        counts = [""] * len(counts)
    source, target = totals.source_words / totals.rows, totals.target_words / totals.rows
    lengths = [f"{source:.2f}", f"{target:.2f}"]
    lengths += [f"{target - source:+.2f}", f"{source - base.source_words / base.rows:+.2f}"]
    assert numbers == [str(totals.rows), *counts, *lengths]


def test_the_card_says_what_a_set_has_to_say() -> None:
    text = card()[1]
    for part in (
        "parser",
        "aligner",
        "symmetrized",
        "training size",
        "ldd-sample",
        "invented",
        f"{N} German",
    ):
        assert part in text


# Errors, documentation


def test_unknown_names() -> None:
    with pytest.raises(InputError, match="no configuration 'de-en-idioms'; choose one of de-en-particle"):
        sample_rows("de-en-idioms")
    with pytest.raises(InputError, match="no system 'best'; choose one of careful, literal"):
        sample_system("best", "de-en")
    with pytest.raises(InputError, match="no pair 'de-fr'; choose one of de-en, en-de"):
        sample_system("careful", "de-fr")


def test_docstrings() -> None:
    results = [doctest.testmod(module) for module in (ldd_challenge_sets, sample)]
    assert sum(each.attempted for each in results) >= 4 and not any(each.failed for each in results)
