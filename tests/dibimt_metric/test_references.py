"""Every form of predictions and references becomes the same pair; everything else is a clear error."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import datasets
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dibimt_metric.errors import InputError, ItemError, UnknownItemError, UnknownLanguageError
from dibimt_metric.items_references import DataSet, Pair, column, decode, encode, pairs, plain
from dibimt_metric.judge import Hypothesis, NBest
from dibimt_metric.records import Candidate, Focus, Item, PartOfSpeech

LISTS = {"good": ["Ufer"], "bad": ["Bank"]}
ROW = {
    "id": "bank.1",
    "language": "de",
    "source": "Willows grow along the bank.",
    "focus": {"text": "bank", "start": 23, "end": 27},
    "lemma": "bank",
    "pos": "n",
    "synset": "wn30:09213565-n",
    "definition": "sloping land beside a body of water",
    "frequency_index": 1,
    "polysemy": 10,
    "good": ["Ufer", {"lemma": "Flussufer", "pos": "n", "synsets": [], "frequency_indices": []}],
    "bad": [{"lemma": "Bank", "synsets": ["wn30:08420278-n", "x"], "frequency_indices": [2, None]}],
}
ITEM = Item(
    id="bank.1",
    language="de",
    source="Willows grow along the bank.",
    focus=Focus("bank", 23, 27),
    lemma="bank",
    pos=PartOfSpeech.NOUN,
    synset="wn30:09213565-n",
    definition="sloping land beside a body of water",
    frequency_index=1,
    polysemy=10,
    good=(Candidate("Ufer"), Candidate("Flussufer", PartOfSpeech.NOUN)),
    bad=(Candidate("Bank", None, ("wn30:08420278-n", "x"), (2, None)),),
)
TEXT = "Weiden wachsen am Ufer."
TWO = ["Weiden wachsen am Ufer.", "Er ging zur Bank."]


def one(reference: object, prediction: object = TEXT, language: str | None = "de", **options: Any) -> Pair:
    (pair,) = pairs([prediction], [reference], language, **options)
    return pair


# References


def test_full_row() -> None:
    assert one(ROW) == Pair("de", ITEM, (Hypothesis(TEXT),), "bank.1")


def test_item_object() -> None:
    assert one(ITEM) == one(ROW)


def test_item_of_another_copy_of_the_package() -> None:
    # What `evaluate.load` runs is a copy: a user's items are of classes that it does not know.
    kept = {name: module for name, module in sys.modules.items() if name.startswith("dibimt_metric")}
    for name in kept:
        del sys.modules[name]
    try:
        from dibimt_metric import make_item as make_twin

        twin = make_twin(ROW)
    finally:
        for name in [name for name in sys.modules if name.startswith("dibimt_metric")]:
            del sys.modules[name]
        sys.modules.update(kept)
    assert type(twin) is not Item
    assert one(twin) == one(ROW)


def test_candidate_lists_alone_get_an_id_from_their_place() -> None:
    first, second = pairs(TWO, [LISTS, LISTS], "de")
    assert (first.item.id, second.item.id) == ("#0", "#1")
    assert first.item_id is second.item_id is None


@pytest.mark.parametrize(
    "good", [("Ufer",), np.array(["Ufer"]), pd.Series(["Ufer"]), [Candidate("Ufer")], [np.str_("Ufer")]]
)
def test_candidate_lists_of_any_kind(good: object) -> None:
    assert one({"good": good, "bad": ["Bank"]}).item.good == (Candidate("Ufer"),)


def test_numbers_of_arrays() -> None:
    row = {**LISTS, "frequency_index": np.int64(3), "polysemy": np.int32(7)}
    item = one(row).item
    assert (item.frequency_index, item.polysemy) == (3, 7)
    assert type(item.frequency_index) is int


def test_absent_fields_may_be_none() -> None:
    assert one({**dict.fromkeys(ROW), **LISTS}).item == one(LISTS).item


def test_item_ids() -> None:
    data_set = DataSet([ROW, {"id": "bank.2", **LISTS}], "de")
    assert one("bank.1", data_set=data_set) == Pair("de", ITEM, (Hypothesis(TEXT),), "bank.1", True)
    assert one({"id": "bank.2"}, data_set=data_set).item.good == (Candidate("Ufer"),)
    assert one({**dict.fromkeys(ROW), "id": "bank.2"}, data_set=data_set).looked_up


def test_item_ids_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text(json.dumps(ROW) + "\n" + json.dumps({**ROW, "language": "ru"}) + "\n")
    assert one("bank.1", data_set=DataSet(path, "de")).item == ITEM
    assert one("bank.1", data_set=DataSet(str(path), "de")).item == ITEM
    assert len(DataSet(path)) == 1


def test_item_ids_of_several_languages() -> None:
    data_set = DataSet([ROW, {**ROW, "language": "ru"}, {**ROW, "id": "only", "language": "ru"}])
    named = {"id": "bank.1", "language": "ru"}
    assert one(named, language=None, data_set=data_set).language == "ru"
    assert one("only", language=None, data_set=data_set).language == "ru"
    with pytest.raises(InputError, match=r"references\[0\]: item 'bank.1' .* the language \(it has: de, ru\)"):
        one("bank.1", language=None, data_set=data_set)


def test_item_for_any_language() -> None:
    data_set = DataSet([{"id": "a", **LISTS}])
    assert one({"id": "a", "language": "nl"}, language=None, data_set=data_set).language == "nl"
    with pytest.raises(InputError, match="does not determine the language"):
        one("a", language=None, data_set=data_set)


def test_rows_carry_their_language() -> None:
    made = pairs(TWO, [{**LISTS, "language": "de"}, {**LISTS, "language": "nl"}])
    assert [pair.language for pair in made] == ["de", "nl"]


# Predictions


@pytest.mark.parametrize(
    ("prediction", "expected"),
    [
        ("eins", [("eins", None)]),
        ("", [("", None)]),
        (np.str_("eins"), [("eins", None)]),
        (["eins", "zwei"], [("eins", None), ("zwei", None)]),
        (("eins", "zwei"), [("eins", None), ("zwei", None)]),
        (np.array(["eins", "zwei"]), [("eins", None), ("zwei", None)]),
        ({"text": "eins", "perplexity": 2}, [("eins", 2.0)]),
        (
            [{"text": "eins", "perplexity": np.float32(1.5)}, {"text": "zwei"}],
            [("eins", 1.5), ("zwei", None)],
        ),
        ([Hypothesis("eins", 1.5), "zwei"], [("eins", 1.5), ("zwei", None)]),
    ],
)
def test_predictions(prediction: object, expected: list[tuple[str, float | None]]) -> None:
    assert one(LISTS, prediction).prediction == tuple(Hypothesis(*each) for each in expected)


# Columns


COLUMNS: list[Callable[[list[Any]], object]] = [
    list,
    tuple,
    iter,
    lambda values: (value for value in values),
    lambda values: dict(enumerate(values)).values(),
    lambda values: np.array(values, dtype=object),
    lambda values: pd.Series(values, index=range(7, 7 + len(values))),
    lambda values: datasets.Dataset.from_dict({"x": values})["x"],
    pa.array,
]


@pytest.mark.parametrize("make", COLUMNS)
def test_columns_of_any_kind(make: Callable[[list[Any]], object]) -> None:
    expected = pairs(TWO, [LISTS, LISTS], "de")
    assert pairs(make(TWO), make([LISTS, LISTS]), "de") == expected


def test_rows_of_a_data_set() -> None:
    rows = datasets.Dataset.from_list([LISTS, LISTS])
    assert pairs(np.array(TWO), rows, "de") == pairs(TWO, [LISTS, LISTS], "de")


def test_empty_columns() -> None:
    assert pairs([], [], "de") == ()


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (None, "x: expected a list .* not None"),
        ("text", "one string .'text'.; put it into a list"),
        (b"text", "one string"),
        (LISTS, "one object"),
        ({"a", "b"}, "a set, which has no order"),
        (pd.DataFrame({"x": ["a"]}), "a table"),
        (pa.table({"x": ["a"]}), "a table"),
        (3, r"not 3 \(int\)"),
        (np.array("a"), "ndarray"),
        (np.float64(1.5), "float64"),
    ],
)
def test_what_is_no_column(values: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        column(values, "x")


# Errors name the place


@pytest.mark.parametrize(
    "prediction", [None, 3, 1.5, float("nan"), True, b"text", [], [None], [[]], {"t": "x"}, object()]
)
def test_bad_prediction(prediction: object) -> None:
    with pytest.raises(InputError, match=r"^predictions\[1\]: "):
        pairs(["gut", prediction], [LISTS, LISTS], "de")


@pytest.mark.parametrize("perplexity", ["low", float("nan"), float("inf"), True, [1.0]])
def test_bad_perplexity(perplexity: object) -> None:
    with pytest.raises(InputError, match=r"^predictions\[0\]: 'perplexity' is a finite number"):
        one(LISTS, [{"text": "eins", "perplexity": perplexity}])


def test_missing_perplexity_is_noticed_before_any_translation_is_read() -> None:
    nbest = ["eins", {"text": "zwei", "perplexity": 1.0}]
    with pytest.raises(InputError, match=r"^predictions\[0\]: nbest 'min_perplexity' needs a perplexity"):
        one(LISTS, nbest, nbest=NBest.MIN_PERPLEXITY)
    assert one(LISTS, ["eins"], nbest=NBest.MIN_PERPLEXITY).prediction == (Hypothesis("eins"),)


@pytest.mark.parametrize(
    ("reference", "error", "message"),
    [
        (None, ItemError, "E302 .* not None"),
        (3, ItemError, "E302"),
        (["Ufer"], ItemError, "E302"),
        ({}, ItemError, "E209"),
        ({"good": "Ufer"}, ItemError, "E210"),
        ({"good": [None]}, ItemError, "E107"),
        ({"good": ["Ufer"], "bad": ["ufer"]}, ItemError, "E104"),
        ({**LISTS, "translation": "x"}, ItemError, "E211"),
        ({**LISTS, "frequency_index": 0}, ItemError, "E204"),
        ({**LISTS, "frequency_index": float("nan")}, ItemError, "E204"),
        ({**LISTS, "id": 7}, ItemError, "E201"),
        ({**LISTS, "language": "xx"}, ItemError, "E208 .*bg, zh, nl"),
        (
            {**LISTS, "language": "ru"},
            InputError,
            "it is for language 'ru', but the metric was loaded for 'de'",
        ),
        ("bank.1", InputError, "'bank.1' is read as an item id, but no data set was named"),
        ({"id": "bank.1"}, ItemError, "E209"),
    ],
)
def test_bad_reference(reference: object, error: type[InputError], message: str) -> None:
    with pytest.raises(error, match=r"^references\[1\]: .*" + message):
        pairs(TWO, [LISTS, reference], "de")


def test_unknown_id() -> None:
    data_set = DataSet([ROW], "de")
    with pytest.raises(UnknownItemError, match=r"^references\[0\]: no item of items has the id 'bank.9'"):
        one("bank.9", data_set=data_set)
    with pytest.raises(UnknownItemError, match="is for de, not for 'nl'"):
        one({"id": "bank.1", "language": "nl"}, language=None, data_set=DataSet([ROW]))
    with pytest.raises(UnknownLanguageError):
        one({"id": "bank.1", "language": "xx"}, language=None, data_set=data_set)


def test_language_is_missing() -> None:
    with pytest.raises(InputError, match=r"^references\[0\]: the language is not known"):
        one(LISTS, language=None)


def test_numbers_differ() -> None:
    with pytest.raises(InputError, match="2 predictions, but 1 references"):
        pairs(TWO, [LISTS], "de")


def test_all_faults_are_listed() -> None:
    with pytest.raises(ItemError) as caught:
        pairs(["a", None, "c", "d"], [{"good": ["*"]}, LISTS, LISTS, {"good": [""]}], "de")
    lines = str(caught.value).split("\n")
    assert lines[0] == "3 predictions or references cannot be used:"
    assert [line.split(":")[0].strip() for line in lines[1:]] == [
        "references[0]",
        "predictions[1]",
        "references[3]",
    ]
    assert [problem.code for problem in caught.value.problems] == ["E102", "E101"]


def test_very_many_faults_are_counted() -> None:
    with pytest.raises(InputError) as caught:
        pairs([None] * 50, [LISTS] * 50, "de")
    assert str(caught.value).endswith("and 30 more")


@pytest.mark.parametrize(
    ("items", "message"),
    [
        ([ROW, ROW], "E202 line 2, item 'bank.1'"),
        ([LISTS], "E201 line 1"),
        (["bank.1"], "E302 line 1"),
        ([{**ROW, "language": "ru"}], "items: no item is for language 'de'; the items are for: ru"),
        ([], "items: there are no items"),
        (7, "items: expected a list"),
        (ROW, "items: expected a list .* one object"),
        ("no/such/file.jsonl", "cannot be read"),
    ],
)
def test_bad_data_set(items: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        DataSet(items, "de")


def test_nesting_without_end() -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(InputError, match=r"^references\[0\]: "):
        one({"good": endless})
    with pytest.raises(InputError, match=r"^predictions\[0\]: "):
        one(LISTS, endless)
    deep: Any = "x"
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(InputError, match=r"^predictions\[0\]: "):
        one(LISTS, deep)


# The form in which pairs travel


TEXTS = st.text(st.characters(), max_size=20)
CANDIDATES = st.builds(
    Candidate,
    TEXTS,
    st.none() | st.sampled_from(PartOfSpeech),
    st.just(("s", "t")),
    st.tuples(st.none() | st.integers(1, 9), st.just(2)),
)
INDEX = st.none() | st.integers(1, 50)
ITEMS = st.builds(
    Item,
    id=TEXTS,
    source=st.none() | TEXTS,
    focus=st.none() | st.builds(Focus, TEXTS, st.integers(0, 9), st.integers(0, 9)),
    lemma=st.none() | TEXTS,
    pos=st.none() | st.sampled_from(PartOfSpeech),
    synset=st.none() | TEXTS,
    definition=st.none() | TEXTS,
    frequency_index=INDEX,
    polysemy=INDEX,
    good=st.lists(CANDIDATES, max_size=3).map(tuple),
    bad=st.lists(CANDIDATES, max_size=3).map(tuple),
    language=st.none() | st.just("de"),
)
HYPOTHESES = st.builds(Hypothesis, TEXTS, st.none() | st.floats(allow_nan=False, allow_infinity=False))


@given(item=ITEMS, prediction=st.lists(HYPOTHESES, min_size=1, max_size=3).map(tuple))
def test_travel_changes_nothing(item: Item, prediction: tuple[Hypothesis, ...]) -> None:
    pair = Pair("de", item, prediction, item.id)
    lines = encode(pair)
    assert decode(*lines, 5, DataSet()) == pair
    assert all(line.isascii() and "\n" not in line for line in lines)


def test_brackets_of_a_candidate_are_read_once() -> None:
    pair = one({"good": ["[[Laus] | P n]"]})
    assert decode(*encode(pair), 0, DataSet()) == pair


def test_items_of_the_data_set_travel_as_their_id() -> None:
    data_set = DataSet([ROW], "de")
    pair = one("bank.1", data_set=data_set)
    prediction, reference = encode(pair)
    assert json.loads(reference) == {"language": "de", "id": "bank.1"}
    assert decode(prediction, reference, 0, data_set) == pair


def test_an_item_without_id_gets_one_from_its_place_among_all() -> None:
    assert decode(*encode(one(LISTS)), 12, DataSet()).item.id == "#12"


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS | st.binary(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS | st.integers(), inner, max_size=3),
    max_leaves=6,
)
FIELDS = st.dictionaries(st.sampled_from([*ROW, "other"]), VALUES, max_size=6)


@given(prediction=VALUES, reference=VALUES | FIELDS)
def test_anything_is_a_pair_or_an_input_error(prediction: object, reference: object) -> None:
    try:
        made = pairs([prediction], [reference], "de")
    except InputError as error:
        assert "[0]" in str(error)
    else:
        assert decode(*encode(made[0]), 0, DataSet()) == made[0]


@given(VALUES)
def test_plain_keeps_plain_values(value: object) -> None:
    assert repr(plain(plain(value))) == repr(plain(value))
