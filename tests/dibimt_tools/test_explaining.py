"""Explanations as text and as records, with an analyzer that has everything an analyzer may have."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dibimt_metric.analysis import Analysis, Annotation, Token, Word
from dibimt_metric.items import make_item
from dibimt_metric.judge import Judge
from dibimt_metric.judge_explain import (
    aligned,
    explain_dict,
    explain_text,
    judgment_record,
    printable,
    reason,
)
from dibimt_metric.records import Item


class Parser:
    """Words between spaces; every word hangs on the first; ``zum`` is ``zu`` and ``dem``."""

    name = "parser"
    version = "1"
    annotations = frozenset(Annotation)
    lexicon = None

    def analyze(self, text: str) -> Analysis:
        words: list[Word] = []
        fused: list[Token] = []
        start = 0
        for form in text.split(" "):
            end = start + len(form)
            parts = ("zu", "dem") if form == "zum" else (form,) if form else ()
            if len(parts) > 1:
                fused.append(Token(form, start, end, len(words), len(words) + 2, ("zu+dem",)))
            for part in parts:
                head, relation = (0, "dep") if words else (-1, "root")
                words.append(Word(part, start, end, (part.lower(),), "NOUN", None, head, relation))
            start = end + 1
        return Analysis(text, text, self.name, tuple(words), tuple(fused), self.annotations)


def item(good: list[str], bad: list[str], **fields: object) -> Item:
    return make_item({"id": "1", "good": good, "bad": bad, **fields})


def text_of(judge: Judge, one: Item, translation: str) -> list[str]:
    return explain_text(judge.explain(one, translation)).splitlines()


@pytest.fixture(scope="module")
def german() -> Judge:
    return Judge("de")


def test_all_annotations_and_fused_tokens() -> None:
    judge = Judge("de", analyzers=[Parser()])
    lines = text_of(judge, item(["Ufer"], ["Bank"]), "Weg zum Ufer")
    start = lines.index("Words read by parser")
    assert lines[start + 1 : start + 7] == [
        "chars  word     lemmas  upos  relation    match",
        "0-3    Weg      weg     NOUN  root",
        "4-7    zum      zu+dem",
        "4-7      = zu   zu      NOUN  dep of Weg",
        "4-7      + dem  dem     NOUN  dep of Weg",
        "8-12   Ufer     ufer    NOUN  dep of Weg  GOOD",
    ]


def test_several_analyzers_have_a_table_each() -> None:
    judge = Judge("de", analyzers=["simplemma", Parser()])
    lines = text_of(judge, item(["Ufer"], ["Bank"]), "am Ufer")
    assert [line for line in lines if line.startswith("Words read by")] == [
        "Words read by simplemma",
        "Words read by parser",
    ]
    assert [line.split()[-1] for line in lines if line.startswith("GOOD  Ufer")] == ["simplemma", "parser"]


def test_what_a_longer_match_drops(german: Judge) -> None:
    one = item(["am Ufer"], ["Ufer"])
    lines = text_of(german, one, "Sie saß am Ufer.")
    start = lines.index("Found and not counted")
    assert lines[start + 2].startswith("BAD  Ufer       lemma  11-15  Ufer  simplemma  inside the longer match")
    assert any(line.startswith("11-15  Ufer") and line.endswith("GOOD (BAD, dropped)") for line in lines)
    assert lines[-1] == "GOOD because only candidates of the GOOD list were found: 'am Ufer'."


def test_a_separated_verb_is_dropped_with_its_reason(german: Judge) -> None:
    one = item(["legen"], ["Bank"])
    lines = text_of(german, one, "Sie legte viele Meilen zurück.")
    assert any("'legte' belongs to the separated verb 'zurücklegen'" in line for line in lines)
    assert lines[-1] == "MISS because no candidate that counts was found (what was found was dropped)."


def test_flagged_matches_are_marked() -> None:
    judge = Judge("de", enable=["compound"])
    lines = text_of(judge, item(["Ufer"], ["Bank"]), "das Flussufer")
    (row,) = [line for line in lines if line.startswith("GOOD  Ufer")]
    assert row.endswith("flagged: unsafe rule")
    assert explain_dict(judge.explain(item(["Ufer"], ["Bank"]), "das Flussufer"))["matches"][0]["flagged"] is True


@pytest.mark.parametrize(
    ("translation", "sentence"),
    [
        ("Ufer", "GOOD because only candidates of the GOOD list were found: 'Ufer'."),
        (
            "Bank",
            "BAD because only candidates of the BAD list were found: 'Bank'; they show sense 1, the right",
        ),
        (
            "Sofa",
            "BAD because only candidates of the BAD list were found: 'Sofa'; the rank of the sense they",
        ),
        ("Ufer Bank", "UNK because candidates of both lists were found: GOOD 'Ufer', BAD 'Bank'."),
        ("", "MISS because no candidate of either list was found."),
    ],
)
def test_the_reason_of_each_label(german: Judge, translation: str, sentence: str) -> None:
    bank = {"lemma": "Bank", "synsets": ["x"], "frequency_indices": [1]}
    one = make_item({"id": "1", "good": ["Ufer"], "bad": [bank, "Sofa"], "frequency_index": 2})
    assert reason(german.judge(one, translation), one).startswith(sentence)
    assert text_of(german, one, translation)[-1] == reason(german.judge(one, translation), one)


def test_head_says_what_is_known_and_nothing_else(german: Judge) -> None:
    bare = text_of(german, item(["Ufer"], []), "")
    assert bare[:5] == [
        "item         1 (de)",
        "good         Ufer",
        "bad          (none)",
        "translation  (empty)",
        "",
    ]
    full = item(["Ufer"], [], source="the bank", focus={"text": "bank", "start": 4, "end": 8}, polysemy=10, pos="n")
    assert text_of(german, full, "")[1:3] == [
        "source       the [bank]",
        "focus        noun, sense of unknown rank of 10",
    ]


def test_chinese_columns_are_aligned() -> None:
    rows = aligned(("a", "b"), [("海豹", "1"), ("xx", "2")])
    assert rows == ("a     b", "海豹  1", "xx    2")  # a Chinese character is two columns wide


def test_marks_over_letters_take_no_room() -> None:
    assert aligned((), [("e\u0301", "1"), ("ee", "2")]) == ("e\u0301   1", "ee  2")


def test_long_cells_are_cut_except_the_last() -> None:
    (row,) = aligned((), [("x" * 100_000, "y" * 200)])
    assert row == "x" * 59 + "…  " + "y" * 200


@pytest.mark.parametrize("rows", [[], [()], [(), ("a",)]])
def test_tables_without_cells(rows: list[tuple[str, ...]]) -> None:
    assert len(aligned((), rows)) == len(rows)


@pytest.mark.parametrize("text", ["\x1b[31m", "a\u202eb", "\ud800", "\u200b", "a\nb", "\x00"])
def test_invisible_characters_are_shown(german: Judge, text: str) -> None:
    shown = printable(text)
    assert shown.isprintable()
    assert shown.encode("ascii")
    assert f"translation  {shown}" in text_of(german, item(["Ufer"], ["Bank"]), text)


@given(st.text(max_size=60))
def test_any_text_can_be_explained(text: str) -> None:
    explanation = Judge("es").explain(item(["orilla"], ["banco"]), text)
    shown = explain_text(explanation)
    assert all(line.isprintable() for line in shown.split("\n"))
    record = json.loads(json.dumps(explain_dict(explanation)))
    assert record["translation"] == text
    for token in record["analyses"][0]["tokens"]:
        assert token["words"]


def test_record_begins_with_the_keys_of_the_format(german: Judge) -> None:
    record = judgment_record(german.judge(item(["Ufer"], ["Bank"]), "Ufer"))
    assert list(record)[:4] == ["id", "label", "matches", "chosen_frequency_index"]
    assert list(record["matches"][0])[:6] == ["set", "candidate", "rule", "start", "end", "text"]
    explained = explain_dict(german.explain(item(["Ufer"], ["Bank"]), "Ufer"))
    assert {key: explained[key] for key in record} == record
    assert list(explained)[: len(record)] == list(record)
