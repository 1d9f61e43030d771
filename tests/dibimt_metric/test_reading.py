"""Files of items and predictions, and how the two are put together."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dibimt_metric.errors import InputError, UnknownItemError
from dibimt_metric.items_reading import (
    PredictionRow,
    align,
    fingerprint,
    of_language,
    read_items,
    read_predictions,
)
from dibimt_metric.judge import Hypothesis, Prediction, as_prediction
from dibimt_metric.records import Candidate, Item, PartOfSpeech

BOM = b"\xef\xbb\xbf"


def _one(text: str) -> Prediction:
    return (Hypothesis(text),)


# bytes of a plain text file, its lines
TEXT_FILES = [
    (b"eins\nzwei\n", ["eins", "zwei"]),
    (b"eins\nzwei", ["eins", "zwei"]),
    (b"eins\r\nzwei\r\n", ["eins", "zwei"]),
    (b"eins\r\n\r\nzwei", ["eins", "", "zwei"]),
    (b"eins\n\nzwei\n\n", ["eins", "", "zwei", ""]),
    (b"\n", [""]),
    (b"\neins\n", ["", "eins"]),
    (BOM + b"eins\n", ["eins"]),
    (BOM + b"\n", [""]),
    ("a\u2028b\x0cc\x85\n".encode(), ["a\u2028b\x0cc\x85"]),
    (b"  eins \t\n", ["  eins \t"]),
    (b'{"id": "a"}\n', ['{"id": "a"}']),
    (b"a\x00b\n", ["a\x00b"]),
]


@pytest.mark.parametrize("suffix", [".txt", "", ".de", ".tsv"])
@pytest.mark.parametrize(("data", "lines"), TEXT_FILES)
def test_text_file(tmp_path: Path, data: bytes, lines: list[str], suffix: str) -> None:
    path = tmp_path / f"hyp{suffix}"
    path.write_bytes(data)
    assert read_predictions(path) == tuple(PredictionRow(n, _one(line)) for n, line in enumerate(lines, 1))
    assert read_predictions(str(path)) == read_predictions(path)


# a line of a JSON Lines file, the row without its number
JSON_ROWS: list[tuple[str, Prediction, str | None]] = [
    ('"eins"', _one("eins"), None),
    ('""', _one(""), None),
    ('["eins", "zwei"]', (*_one("eins"), *_one("zwei")), None),
    ('[{"text": "eins", "perplexity": 2.5}]', (Hypothesis("eins", 2.5),), None),
    ('{"id": "a", "translation": "eins"}', _one("eins"), "a"),
    ('{"id": "a", "translation": ["eins"]}', _one("eins"), "a"),
    ('{"id": null, "translation": "eins"}', _one("eins"), None),
    ('{"translation": "eins", "system": "x"}', _one("eins"), None),
    ('{"prediction": "eins"}', _one("eins"), None),
    ('{"id": "a", "translations": ["eins", "zwei"]}', (*_one("eins"), *_one("zwei")), "a"),
    ('{"id": "a", "text": "eins"}', _one("eins"), "a"),
    ('{"id": "a", "text": "eins", "perplexity": 3}', (Hypothesis("eins", 3.0),), "a"),
    ('{"translations": [{"text": "x", "perplexity": null}]}', _one("x"), None),
    ('"\\ud800"', _one("\ud800"), None),
    ('"a\\u0000b"', _one("a\x00b"), None),
]


@pytest.mark.parametrize(("line", "prediction", "item_id"), JSON_ROWS)
def test_json_row(tmp_path: Path, line: str, prediction: Prediction, item_id: str | None) -> None:
    path = tmp_path / "hyp.jsonl"
    path.write_bytes(BOM + b"\r\n  \n" + line.encode() + b"\r\n\n")
    assert read_predictions(path) == (PredictionRow(3, prediction, item_id),)


@pytest.mark.parametrize("suffix", [".jsonl", ".json", ".JSONL"])
def test_suffixes_of_json_lines(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"hyp{suffix}"
    path.write_text('"eins"\n', encoding="utf-8")
    assert read_predictions(path)[0].prediction == _one("eins")


WRONG_ROWS = [
    ("{", "not valid JSON"),
    ('"a" "b"', "not valid JSON"),
    ("null", "a translation is a string"),
    ("7", r"not 7 \(int\)"),
    ("[]", "n-best list is empty"),
    ("[7]", "not 7"),
    ('[["a"]]', r"not \['a'\] \(list\)"),
    ("{}", "exactly one of 'translation'"),
    ('{"translation": "a", "text": "b"}', "exactly one of"),
    ('{"translation": null}', "not None"),
    ('{"translations": []}', "n-best list is empty"),
    ('{"id": 7, "translation": "a"}', "'id' is a string, not 7"),
    ('{"text": 7}', "a translation is a string"),
    ('{"text": "a", "perplexity": "3"}', "'perplexity' is a finite number or null, not '3'"),
    ('{"text": "a", "perplexity": true}', "finite number"),
    ('{"text": "a", "perplexity": NaN}', "finite number or null, not nan"),
    ('{"text": "a", "perplexity": 1e999}', "not inf"),
    ('{"text": "a", "perplexity": 1' + "0" * 400 + "}", "finite number"),
    ('[{"text": "a", "score": 1}]', "'text' and optionally 'perplexity'"),
    ("[" * 5000, "not valid JSON|too deeply"),
    ("[" * 300 + "]" * 300, r"not \[\["),
]


@pytest.mark.parametrize(("line", "message"), WRONG_ROWS)
def test_wrong_row_is_named_by_its_line(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "hyp.jsonl"
    path.write_text(f'"ok"\n{line}\n', encoding="utf-8")
    with pytest.raises(InputError, match=message) as caught:
        read_predictions(path)
    assert f"{path}: 1 line cannot be used:\n  line 2: " in str(caught.value)


def test_all_wrong_rows_are_counted_and_the_first_twenty_shown(tmp_path: Path) -> None:
    path = tmp_path / "hyp.jsonl"
    path.write_text("7\n" * 25, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_predictions(path)
    assert f"{path}: 25 lines cannot be used:\n  line 1: " in str(caught.value)
    assert "\n  line 20: " in str(caught.value)
    assert "line 21" not in str(caught.value)
    assert str(caught.value).endswith("\n  and 5 more")


def test_twenty_wrong_rows_are_all_shown(tmp_path: Path) -> None:
    path = tmp_path / "hyp.jsonl"
    path.write_text("7\n" * 20, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_predictions(path)
    assert str(caught.value).splitlines()[-1].startswith("  line 20: ")


@pytest.mark.parametrize("name", ["empty.txt", "empty.jsonl"])
@pytest.mark.parametrize("data", [b"", BOM])
def test_empty_predictions(tmp_path: Path, name: str, data: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(InputError, match="the file is empty"):
        read_predictions(path)


@pytest.mark.parametrize("data", [b"", b"\n\n", BOM + b"\r\n"])
def test_empty_items(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "items.jsonl"
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"items\.jsonl: the file holds no items"):
        read_items(path)


@pytest.mark.parametrize("name", ["missing.txt", "missing.jsonl", "", "a\x00b.txt", "x" * 5000])
def test_missing_file(tmp_path: Path, name: str) -> None:
    for read in (read_predictions, read_items):
        with pytest.raises(InputError, match=r"cannot be read \(.+\); check the path"):
            read(tmp_path / name)


# bytes, line of the first byte that is not UTF-8
NOT_UTF8 = [
    (b"\xe9\n", 1),
    (b"eins\nzw\xe9i\n", 2),
    (BOM + b"abc\n\xff\n", 2),
    (BOM + b"\n\n\xff", 3),
    ("eins\nzwei".encode("utf-16"), 1),
    (b"a\n\xed\xa0\x80\n", 2),
]


@pytest.mark.parametrize(("data", "line"), NOT_UTF8)
def test_not_utf8(tmp_path: Path, data: bytes, line: int) -> None:
    for read, name in ((read_predictions, "a.txt"), (read_predictions, "a.jsonl"), (read_items, "i.jsonl")):
        path = tmp_path / name
        path.write_bytes(data)
        with pytest.raises(InputError, match=rf"{name}, line {line}: not UTF-8 .*; convert the file to UTF-8"):
            read(path)


def test_items_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    rows = [
        {"id": "a", "good": ["x"], "language": "de"},
        {"id": "b", "good": ["x"], "language": "nl"},
        {"id": "c", "good": ["x"]},
    ]
    path.write_bytes(BOM + "\r\n\r\n".join(json.dumps(row) for row in rows).encode())
    assert [item.id for item in read_items(path)] == ["a", "b", "c"]
    assert [item.id for item in read_items(path, "de")] == ["a", "c"]
    assert [item.id for item in read_items(path, "zh")] == ["c"]


def test_no_item_of_the_language() -> None:
    items = [Item("a", language="de"), Item("b", language="nl")]
    with pytest.raises(InputError, match="F: no item is for language 'zh'; the items are for: de, nl"):
        of_language(items, "zh", "F")


ITEMS = (Item("a"), Item("b"))
A, B = _one("A"), _one("B")
ALIGNED = [
    ((PredictionRow(1, A), PredictionRow(2, B)), [A, B]),
    ((PredictionRow(1, A, "a"), PredictionRow(2, B, "b")), [A, B]),
    ((PredictionRow(1, B, "b"), PredictionRow(5, A, "a")), [A, B]),
]


@pytest.mark.parametrize(("rows", "expected"), ALIGNED)
def test_align(rows: tuple[PredictionRow, ...], expected: list[Prediction]) -> None:
    assert list(align(ITEMS, rows, "F")) == list(zip(ITEMS, expected, strict=True))


MISALIGNED: list[tuple[tuple[PredictionRow, ...], type[Exception], str]] = [
    ((PredictionRow(1, A),), InputError, "F: 1 predictions for 2 items"),
    (
        (PredictionRow(1, A), PredictionRow(2, A), PredictionRow(3, A)),
        InputError,
        "F: 3 predictions for 2 items",
    ),
    ((PredictionRow(1, A, "a"),), InputError, "F: 1 items have no prediction, the first is 'b'"),
    (
        (PredictionRow(1, A, "a"), PredictionRow(2, A, "a")),
        InputError,
        "F, line 2: id 'a' is used already in line 1",
    ),
    (
        (PredictionRow(1, A, "a"), PredictionRow(4, A)),
        InputError,
        "F, line 4: no 'id', but other lines have one",
    ),
    (
        (PredictionRow(1, A, "a"), PredictionRow(2, B, "b"), PredictionRow(3, A, "z")),
        UnknownItemError,
        "F, line 3: no item has the id 'z'",
    ),
    ((PredictionRow(1, A, "y"), PredictionRow(2, B, "z")), UnknownItemError, r"'y' \(2 such ids in all\)"),
]


@pytest.mark.parametrize(("rows", "error", "message"), MISALIGNED)
def test_misaligned(rows: tuple[PredictionRow, ...], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        align(ITEMS, rows, "F")


HYPOTHESES: list[tuple[Any, Prediction]] = [
    ("eins", _one("eins")),
    ("", _one("")),
    (["eins", "zwei"], (*_one("eins"), *_one("zwei"))),
    (("eins",), _one("eins")),
    (Hypothesis("eins", 2.0), (Hypothesis("eins", 2.0),)),
    ([Hypothesis("eins"), "zwei"], (*_one("eins"), *_one("zwei"))),
    ({"text": "eins", "perplexity": 2}, (Hypothesis("eins", 2.0),)),
    ({"text": "eins"}, _one("eins")),
]


@pytest.mark.parametrize(("value", "expected"), HYPOTHESES)
def test_as_prediction(value: Any, expected: Prediction) -> None:
    assert as_prediction(value) == expected


@pytest.mark.parametrize("value", [None, 7, b"eins", [], (), [None], {"eins"}, {}, {"text": None}, [["eins"]], 1.5])
def test_no_hypotheses(value: Any) -> None:
    with pytest.raises(InputError):
        as_prediction(value)


BASE = Item("a", frequency_index=1, polysemy=2, pos=PartOfSpeech.NOUN, good=(Candidate("x"),), language="de")
CHANGED = [
    {"id": "b"},
    {"frequency_index": 2},
    {"frequency_index": None},
    {"polysemy": 3},
    {"pos": None},
    {"pos": PartOfSpeech.VERB},
    {"good": (Candidate("y"),)},
    {"good": (Candidate("x"), Candidate("y"))},
    {"good": (Candidate("x", PartOfSpeech.VERB),)},
    {"good": (Candidate("x", None, ("s",), (1,)),)},
    {"good": (), "bad": (Candidate("x"),)},
]


def _changed(change: dict[str, Any]) -> Item:
    fields = {name: getattr(BASE, name) for name in BASE.__slots__}
    return Item(**{**fields, **change})


@pytest.mark.parametrize("change", CHANGED)
def test_fingerprint_changes_with_what_can_change_a_score(change: dict[str, Any]) -> None:
    assert fingerprint([_changed(change)]) != fingerprint([BASE])


def test_fingerprint_stays_with_what_cannot() -> None:
    other = _changed({"source": "s", "definition": "d", "lemma": "l", "synset": "y", "language": None})
    assert fingerprint([other]) == fingerprint([BASE])


def test_fingerprint_does_not_depend_on_order() -> None:
    lists = (Candidate("x"), Candidate("y", PartOfSpeech.VERB), Candidate("x", None, ("s",), (1,)))
    one, other = _changed({"good": lists}), _changed({"good": lists[::-1]})
    assert fingerprint([one]) == fingerprint([other])
    assert fingerprint([BASE, Item("b")]) == fingerprint([Item("b"), BASE])


def test_fingerprint_of_one_item_is_not_that_of_two() -> None:
    assert fingerprint([BASE, BASE]) != fingerprint([BASE])
    assert len(fingerprint([])) == 12
    assert fingerprint(item for item in [BASE]) == fingerprint((BASE,))


def test_fingerprint_of_lone_surrogates() -> None:
    assert len(fingerprint([Item("\ud800", good=(Candidate("\udfff"),))])) == 12


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"])), min_size=1))
def test_text_lines_come_back(tmp_path: Path, lines: list[str]) -> None:
    path = tmp_path / "hyp.txt"
    path.write_bytes(b"".join(line.encode() + b"\n" for line in lines))
    read = [row.prediction[0].text for row in read_predictions(path)]
    assert read == [line.rstrip("\r") for line in lines] or lines[0].startswith("\ufeff")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=40))
def test_any_bytes_are_read_or_refused(tmp_path: Path, data: bytes) -> None:
    for read, name in ((read_predictions, "a.txt"), (read_predictions, "a.jsonl"), (read_items, "i.jsonl")):
        path = tmp_path / name
        path.write_bytes(data)
        try:
            read(path)
        except InputError as error:
            assert str(path) in str(error)
