from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from minimal_pairs.paradigms import PARADIGMS, PHENOMENA, paradigm_named, phenomenon_of, phenomenon_of_term
from minimal_pairs.records import Method

# Table 1 of the paper; s-selection counts as argument structure.
PAPER = {
    "anaphor_agreement": 2,
    "argument_structure": 9,
    "binding": 7,
    "control_raising": 5,
    "determiner_noun_agreement": 8,
    "ellipsis": 2,
    "filler_gap_dependency": 7,
    "irregular_forms": 2,
    "island_effects": 8,
    "npi_licensing": 7,
    "quantifiers": 4,
    "subject_verb_agreement": 6,
}


def test_counts_of_the_paper() -> None:
    assert tuple(PAPER) == PHENOMENA
    assert Counter(paradigm.phenomenon for paradigm in PARADIGMS) == PAPER
    assert len({paradigm.name for paradigm in PARADIGMS}) == len(PARADIGMS) == 67


def test_twenty_paradigms_for_each_prefix_method_and_none_for_both() -> None:
    methods = Counter(paradigm.methods for paradigm in PARADIGMS)
    assert methods == {
        (Method.FULL,): 67 - 20 - 20,
        (Method.FULL, Method.ONE_PREFIX): 20,
        (Method.FULL, Method.TWO_PREFIX): 20,
    }


def test_order_is_that_of_the_converted_files() -> None:
    # `datasets` puts the files of a pattern in the order of their paths.
    paths = [f"{paradigm.phenomenon}/{paradigm.name}.jsonl" for paradigm in PARADIGMS]
    assert paths == sorted(paths)


def test_no_phenomenon_has_the_name_of_a_paradigm() -> None:
    assert set(PHENOMENA).isdisjoint(paradigm.name for paradigm in PARADIGMS)


def test_look_up() -> None:
    assert phenomenon_of("animate_subject_passive") == "argument_structure"
    assert phenomenon_of("hypernym") is None and paradigm_named("hypernym") is None
    found = paradigm_named("only_npi_scope")
    assert found is not None and found.field == "syntax_semantics"
    assert [phenomenon_of_term(term) for term in ("s-selection", "binding", None)] == [
        "argument_structure",
        "binding",
        None,
    ]


def test_facts_are_those_of_the_release(blimp_release: Path) -> None:
    assert {path.stem for path in blimp_release.glob("*.jsonl")} == {p.name for p in PARADIGMS}
    for paradigm in PARADIGMS:
        with (blimp_release / f"{paradigm.name}.jsonl").open(encoding="utf-8") as stream:
            lines = [json.loads(line) for line in stream]
        assert {line["field"].replace("/", "_") for line in lines} == {paradigm.field}
        assert {line["linguistics_term"] for line in lines} == {paradigm.linguistics_term}
        found = {tuple(method for method, key in zip(Method, keys(line), strict=True) if line[key]) for line in lines}
        assert found == {paradigm.methods}, paradigm.name


def keys(line: dict[str, object]) -> tuple[str, str, str]:
    # The flags agree with the fields that are there.
    assert line["one_prefix_method"] == ("one_prefix_prefix" in line)
    assert line["two_prefix_method"] == ("two_prefix_word" in line)
    return "simple_LM_method", "one_prefix_method", "two_prefix_method"
