"""Each coded check of items fires on a case of its own, and only there; all errors of a file come at once."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import dibimt_metric.items as validation
from dibimt_metric.errors import ItemError, Problem
from dibimt_metric.items import check_row, make_item
from dibimt_metric.items_reading import read_items
from dibimt_metric.records import Candidate, Focus, Item, PartOfSpeech

SOURCE = "He sat on the bank of the river."
FOCUS = {"text": "bank", "start": 14, "end": 18}
FULL: dict[str, Any] = {
    "id": "bank-1",
    "source": SOURCE,
    "focus": FOCUS,
    "lemma": "bank",
    "pos": "n",
    "synset": "wn30:09213565-n",
    "definition": "sloping land",
    "frequency_index": 1,
    "polysemy": 10,
    "good": ["Ufer", {"lemma": "Böschung", "pos": "n"}],
    "bad": [{"lemma": "Bank", "synsets": ["wn30:08420278-n"], "frequency_indices": [2]}],
    "language": "de",
}
DEEP: Any = "x"
for _ in range(5000):
    DEEP = [DEEP]

# code, what is changed in a faultless row, part of the message
CASES: list[tuple[str, dict[Any, Any], str]] = [
    ("E101", {"good": [""]}, "good candidate is empty"),
    ("E101", {"bad": ["  \t "]}, "bad candidate is empty"),
    ("E101", {"bad": ["| n"]}, "bad candidate is empty"),
    ("E101", {"good": [Candidate("")]}, "good candidate is empty"),
    ("E102", {"good": ["*"]}, "holds only wildcards"),
    ("E102", {"good": ["* *"]}, "holds only wildcards"),
    ("E103", {"bad": ["* Bank"]}, "bad candidate '* Bank' begins or ends with the wildcard"),
    ("E103", {"bad": ["Bank *"]}, "remove it there"),
    ("E104", {"good": ["Bank"]}, "candidate 'Bank' is in 'good' and in 'bad'"),
    ("E104", {"good": ["BANK"]}, "'BANK'"),
    ("E104", {"good": ["Straße"], "bad": ["STRASSE"]}, "'Straße'"),
    ("E104", {"good": ["scho\u0308n"], "bad": ["schön"]}, "is in 'good' and in 'bad'"),
    ("E104", {"good": ["auf  der Bank"], "bad": ["[auf der Bank | P v]"]}, "'auf der Bank'"),
    ("E105", {"good": ["Bank*"]}, "wildcard joined to a word; separate it by spaces"),
    ("E105", {"good": ["in*der"]}, "joined to a word"),
    ("E105", {"good": ["**"]}, "joined to a word"),
    ("E106", {"good": ["..."]}, "no letter or digit"),
    ("E106", {"good": ["! * ?"]}, "no letter or digit"),
    ("E106", {"good": ["\u200b"]}, "no letter or digit"),
    ("E107", {"good": [None]}, "good a candidate is a string or an object"),
    ("E107", {"bad": [7]}, "bad a candidate is a string or an object with 'lemma', not 7"),
    ("E107", {"bad": [{"lemma": "x", "sense": 1}]}, "no field 'sense'"),
    ("E107", {"bad": ["Bank | x"]}, "after '|'"),
    ("E107", {"good": [DEEP]}, "a candidate is a string"),
    ("E201", {"id": None}, "'id' is a non-empty string, not None"),
    ("E201", {"id": ""}, "not ''"),
    ("E201", {"id": " \n"}, "non-empty"),
    ("E201", {"id": 7}, "not 7"),
    ("E203", {"focus": "bank"}, "has exactly the fields text, start, end"),
    ("E203", {"focus": {"text": "bank", "start": 14}}, "has exactly the fields"),
    ("E203", {"focus": {**FOCUS, "more": 1}}, "has exactly the fields"),
    ("E203", {"focus": {**FOCUS, "start": 13}}, "is ' bank', but the text of 'focus' is 'bank'"),
    ("E203", {"focus": {**FOCUS, "text": 4}}, "but the text of 'focus' is 4"),
    ("E203", {"focus": {**FOCUS, "start": "14"}}, "integers"),
    ("E203", {"focus": {**FOCUS, "start": -1}}, "integers"),
    ("E203", {"focus": {**FOCUS, "end": True}}, "integers"),
    ("E203", {"focus": {"text": "", "start": 5, "end": 5}}, "not inside 'source'"),
    ("E203", {"focus": {"text": "", "start": 9, "end": 3}}, "not inside 'source'"),
    ("E203", {"focus": {"text": "", "start": 900, "end": 904}}, "900 to 904 of 32 characters"),
    ("E203", {"focus": {"text": "river.", "start": 26, "end": 99}}, "not inside 'source'"),
    ("E203", {"source": None}, "needs a 'source'"),
    ("E204", {"frequency_index": 0}, "positive integer or null, not 0"),
    ("E204", {"frequency_index": -3}, "not -3"),
    ("E204", {"frequency_index": 1.0}, "not 1.0"),
    ("E204", {"frequency_index": True}, "not True"),
    ("E204", {"frequency_index": "1"}, "not '1'"),
    ("E205", {"polysemy": 0}, "positive integer or null, not 0"),
    ("E205", {"polysemy": [3]}, "not [3]"),
    ("E206", {"frequency_index": 11}, "11 is above 'polysemy' 10"),
    ("E207", {"pos": "noun"}, "n, a, v, r, not 'noun'"),
    ("E207", {"pos": ["n"]}, "not ['n']"),
    ("E208", {"language": "fr"}, "unknown language 'fr'; expected one of bg, zh"),
    ("E208", {"language": ["de"]}, "unknown language"),
    ("E208", {"language": ""}, "unknown language ''"),
    ("E209", {"good": [], "bad": []}, "at least one is needed"),
    ("E209", {"good": None, "bad": None}, "at least one is needed"),
    ("E210", {"good": "Ufer"}, "'good' is a list of candidates, not 'Ufer'"),
    ("E210", {"bad": {"lemma": "Bank"}}, "'bad' is a list"),
    ("E210", {"bad": 3}, "'bad' is a list"),
    ("E210", {"lemma": 5}, "'lemma' is a string, not 5"),
    ("E210", {"definition": ["x"]}, "'definition' is a string"),
    ("E210", {"synset": 5.5}, "'synset' is a string"),
    ("E211", {"goood": []}, "no field 'goood'; their fields are bad, definition, focus"),
    ("E211", {5: 1}, "no field '5'"),
]


@pytest.mark.parametrize(("code", "change", "message"), CASES)
def test_code(code: str, change: dict[str, Any], message: str) -> None:
    item, problems = check_row({**FULL, **change}, line=7)
    assert item is None
    assert [problem.code for problem in problems] == [code]
    assert message in problems[0].message
    assert problems[0].line == 7
    item_id = {**FULL, **change}["id"]
    assert problems[0].item_id == (item_id if isinstance(item_id, str) else None)
    assert len(str(problems[0])) < 400


def test_every_code_of_the_docstring_has_a_case() -> None:
    documented = set(re.findall(r"E\d{3}", validation.__doc__ or ""))
    assert documented == {code for code, _, _ in CASES} | {"E202", "E301", "E302"}


def test_the_formats_document_lists_the_same_codes() -> None:
    formats = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
    documented = set(re.findall(r"E\d{3}", validation.__doc__ or ""))
    assert set(re.findall(r"\bE\d{3}\b", formats)) == documented


@pytest.mark.parametrize("row", [None, 7, "x", ["good"], True, 1.5, DEEP])
def test_a_row_that_is_no_object(row: object) -> None:
    assert [problem.code for problem in check_row(row)[1]] == ["E302"]


def test_a_full_row() -> None:
    item = make_item(FULL)
    assert item == Item(
        id="bank-1",
        source=SOURCE,
        focus=Focus("bank", 14, 18),
        lemma="bank",
        pos=PartOfSpeech.NOUN,
        synset="wn30:09213565-n",
        definition="sloping land",
        frequency_index=1,
        polysemy=10,
        good=(Candidate("Ufer"), Candidate("Böschung", PartOfSpeech.NOUN)),
        bad=(Candidate("Bank", None, ("wn30:08420278-n",), (2,)),),
        language="de",
    )


def test_an_item_passes_its_own_checks() -> None:
    item = make_item(FULL)
    assert make_item(item) == item


def test_a_faulty_item_object_does_not() -> None:
    faulty = Item("a", good=(Candidate("*"),), frequency_index=3, polysemy=2)
    assert [problem.code for problem in check_row(faulty)[1]] == ["E206", "E102"]


MINIMAL = [
    ({"good": ["Ufer"]}, "d"),
    ({"bad": ["Ufer"]}, "d"),
    ({"good": ("Ufer",), "bad": ()}, "d"),
    ({"good": ["Ufer"], "id": "own"}, "own"),
    ({"good": ["Ufer"], "id": None, "focus": None, "pos": None, "polysemy": None, "language": None}, "d"),
]


@pytest.mark.parametrize(("row", "expected"), MINIMAL)
def test_only_candidates_are_required(row: dict[str, Any], expected: str) -> None:
    item = make_item(row, default_id="d")
    assert item.id == expected
    assert (item.frequency_index, item.polysemy, item.pos, item.language) == (None, None, None, None)


FAULTLESS = [
    {"good": ["a * b"]},
    {"good": ["a * b * * c"]},
    {"good": ["2"]},
    {"good": ["银行"], "bad": ["河岸"], "language": "zh"},
    {"good": ["Ufer", "Ufer"]},
    {"good": ["Bank | n"], "bad": ["Banken"]},
    {"frequency_index": 10},
    {"source": "I bank", "focus": {"text": "I", "start": 0, "end": 1}},
    {"focus": {"text": ".", "start": 31, "end": 32}},
    {"frequency_index": None, "polysemy": 3},
    {"polysemy": None, "frequency_index": 99},
]


@pytest.mark.parametrize("change", FAULTLESS)
def test_faultless(change: dict[str, Any]) -> None:
    item, problems = check_row({**FULL, **change})
    assert problems == ()
    assert item is not None


def test_all_problems_of_a_row_are_told() -> None:
    row = {"id": "", "good": ["", "* x"], "bad": ["x*", "a", "A"], "polysemy": 0, "pos": "x", "x": 1}
    codes = [problem.code for problem in check_row(row)[1]]
    assert codes == ["E201", "E211", "E207", "E205", "E101", "E103", "E105"]


def test_one_candidate_in_both_lists_is_told_once() -> None:
    problems = check_row({"id": "a", "good": ["x", "x"], "bad": ["x"]})[1]
    assert [problem.code for problem in problems] == ["E104"]


def test_make_item_raises_with_the_problems() -> None:
    with pytest.raises(ItemError) as caught:
        make_item({"id": "a", "good": ["*"]}, line=3)
    assert caught.value.problems == (Problem("E102", "good candidate '*' holds only wildcards; add words", "a", 3),)
    assert str(caught.value) == (
        "1 problem in items:\n  E102 line 3, item 'a': good candidate '*' holds only wildcards; add words"
    )


PROBLEMS = [
    (Problem("E102", "m"), "E102 m"),
    (Problem("E102", "m", "a"), "E102 item 'a': m"),
    (Problem("E102", "m", None, 1), "E102 line 1: m"),
    (Problem("E102", "m", "a", 1), "E102 line 1, item 'a': m"),
]


@pytest.mark.parametrize(("problem", "expected"), PROBLEMS)
def test_problem_as_text(problem: Problem, expected: str) -> None:
    assert str(problem) == expected


# lines of a file, (line, code) of each problem
FILES = [
    (['{"id": "a", "good": ["x"]}', "{", '{"id": "b", "good": ["*"]}'], [(2, "E301"), (3, "E102")]),
    (["[]", "7", '"x"', "null"], [(1, "E302"), (2, "E302"), (3, "E302"), (4, "E302")]),
    (['{"id": "a", "good": ["x"]}', "", '{"id": "a", "good": ["y"]}'], [(3, "E202")]),
    (['{"id": "a", "good": ["*"]}', '{"id": "a", "good": ["y"]}'], [(1, "E102"), (2, "E202")]),
    (
        ['{"id": "a", "good": ["x"]}', '{"id": "a", "good": [""], "x": 1}'],
        [(2, "E211"), (2, "E101"), (2, "E202")],
    ),
    (
        [
            '{"id": "a", "good": ["x"], "language": "de"}',
            '{"id": "a", "good": ["x"], "language": "nl"}',
            '{"id": "a", "good": ["x"], "language": "de"}',
            '{"id": "a", "good": ["x"]}',
        ],
        [(3, "E202"), (4, "E202")],
    ),
    (['{"id": "a", "good": ["x"]}', '{"id": "a", "good": ["x"], "language": "de"}'], [(2, "E202")]),
    (["[" * 100_000], [(1, "E301")]),
    (['{"id": "a", "good": ["x"], "good": ["y"]}'], [(1, "E301")]),  # or the first list would be lost
    (['{"id": "a", "good": ["x"], "polysemy": ' + "9" * 5000 + "}"], [(1, "E301")]),
    (['{"id": "a", "good": ["x"], "polysemy": NaN}'], [(1, "E205")]),
]


@pytest.mark.parametrize(("lines", "expected"), FILES)
def test_all_problems_of_a_file_with_their_lines(
    tmp_path: Path, lines: list[str], expected: list[tuple[int, str]]
) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(ItemError) as caught:
        read_items(path)
    assert [(problem.line, problem.code) for problem in caught.value.problems] == expected
    assert str(path) in str(caught.value)
    for line, code in expected:
        assert f"  {code} line {line}" in str(caught.value)


def test_the_same_id_twice_names_the_first_line(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text('{"id": "a", "good": ["x"]}\n\n{"id": "a", "good": ["y"]}\n', encoding="utf-8")
    with pytest.raises(ItemError, match="E202 line 3, item 'a': this id is used already in line 1"):
        read_items(path)


def test_one_id_in_several_languages_is_no_problem(tmp_path: Path) -> None:
    rows = [{"id": "a", "good": ["x"], "language": language} for language in ("de", "nl", "zh")]
    path = tmp_path / "items.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert [item.language for item in read_items(path)] == ["de", "nl", "zh"]


def test_more_than_twenty_problems_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text("{\n" * 30, encoding="utf-8")
    with pytest.raises(ItemError) as caught:
        read_items(path)
    assert len(caught.value.problems) == 30
    assert str(caught.value).startswith(f"30 problems in {path}:\n")
    assert str(caught.value).endswith("\n  and 10 more")


@pytest.mark.parametrize("depth", [*range(60, 1100, 40), 3000])
def test_nesting_of_any_depth_is_a_problem_and_no_crash(tmp_path: Path, depth: int) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text('{"id": "a", "good": [' + "[" * depth + "]" * depth + "]}\n", encoding="utf-8")
    with pytest.raises(ItemError) as caught:
        read_items(path)
    assert [problem.code for problem in caught.value.problems] in (["E107"], ["E301"])
