"""The whole way for one language: labels, scores, signature."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest

from dibimt_metric.errors import InputError
from dibimt_metric.items import make_item
from dibimt_metric.judge import Hypothesis, Judge
from dibimt_metric.records import Candidate, Item, Label
from dibimt_metric.score_results import Result, score_pairs, score_translations
from dibimt_metric.signature import parse_signature

FIRST_KEYS = "n good bad miss unk accuracy sfi pdi mfs mfs_plus coverage signature".split()
DE = Judge("de")
ITEMS = [
    make_item(
        {
            "id": str(index),
            "good": ["Ufer"],
            "bad": [{"lemma": "Bank", "synsets": ["s"], "frequency_indices": [1]}],
            "frequency_index": index,
            "polysemy": 5,
        }
    )
    for index in (2, 2, 3, 4)
]
TEXTS = ["Am Ufer.", "Auf der Bank.", "Auf der Bank.", "Nichts."]


def _score(**options: Any) -> Result:
    judge = options.pop("judge", DE)
    return score_translations(judge, options.pop("items", ITEMS), options.pop("predictions", TEXTS), **options)


def test_labels_scores_and_signature() -> None:
    result = _score()
    assert [j.label.value for j in result.judgments] == ["GOOD", "BAD", "BAD", "MISS"]
    assert [o.label for o in result.outcomes] == [j.label for j in result.judgments]
    assert [o.item_id for o in result.outcomes] == ["2", "2", "3", "4"]
    assert result.scores.accuracy.value == pytest.approx(100 * 1 / 3)
    assert result.scores.sfi.value == pytest.approx(100 * (1 / 2 + 0) / 2)
    assert result.scores.mfs.value == 100
    assert result.language == "de"


def test_keys_of_the_record() -> None:
    record = _score().as_dict()
    assert list(record)[: len(FIRST_KEYS)] == FIRST_KEYS
    assert (record["n"], record["good"], record["bad"], record["miss"], record["unk"]) == (4, 1, 2, 1, 0)
    assert record["signature"] == str(_score().signature)
    assert {key: record[key] for key in record if key != "signature"} == _score().scores.as_dict()
    assert json.loads(json.dumps(record)) == record


def test_the_record_of_nothing_has_the_same_keys() -> None:
    nothing = _score(items=[], predictions=[]).as_dict()
    assert list(nothing) == list(_score().as_dict())
    assert nothing["n"] == 0
    assert nothing["accuracy"] is None


def test_fields_of_the_signature() -> None:
    signature = _score(data="mini").signature
    assert [key for key, _ in signature.fields] == ("lang analyzers rules nbest ties weighting data version".split())
    assert signature.get("data") == "mini"
    assert signature.get("weighting") == "macro"
    assert parse_signature(str(signature)) == signature


CHANGES: list[dict[str, Any]] = [
    {"weighting": "index"},
    {"data": "mini"},
    {"judge": Judge("de", nbest="min_perplexity")},
    {"judge": Judge("de", ties="strict")},
    {"judge": Judge("de", enable=["compound"])},
    {"judge": Judge("de", disable=["separable"])},
    {"judge": Judge("nl")},
    {"items": [*ITEMS[:3], make_item({"id": "4", "good": ["Ufer"], "bad": ["Bank"], "polysemy": 5})]},
    {"items": ITEMS[:3], "predictions": TEXTS[:3]},
]


@pytest.mark.parametrize("change", CHANGES)
def test_every_choice_changes_the_signature(change: dict[str, Any]) -> None:
    assert str(_score(**change).signature) != str(_score().signature)


def test_the_translations_do_not() -> None:
    assert str(_score(predictions=["x"] * 4).signature) == str(_score().signature)


def test_predictions_of_every_form() -> None:
    predictions = [
        "Am Ufer.",
        ["Auf der Bank.", "Am Ufer."],
        {"text": "Am Ufer.", "perplexity": 2},
        [Hypothesis("Auf der Bank."), {"text": "nichts"}],
    ]
    assert [j.label.value for j in _score(predictions=predictions).judgments] == [
        "GOOD",
        "GOOD",
        "GOOD",
        "BAD",
    ]


def test_any_collection_in_order_will_do() -> None:
    expected = _score()
    assert _score(items=tuple(ITEMS), predictions=tuple(TEXTS)) == expected
    assert _score(items=iter(ITEMS), predictions=(text for text in TEXTS)) == expected


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"predictions": TEXTS[:3]}, "3 predictions for 4 items; give one prediction for each item"),
    ({"predictions": []}, "0 predictions for 4 items"),
    (
        {"predictions": "Am Ufer."},
        "'predictions' is a list with one entry for each item, in order, not 'Am Ufer.'",
    ),
    ({"predictions": None}, "'predictions' is a list"),
    ({"predictions": 4}, "'predictions' is a list"),
    ({"predictions": {"2": "a", "3": "b", "4": "c", "5": "d"}}, "'predictions' is a list"),
    ({"predictions": set(TEXTS)}, "'predictions' is a list"),
    ({"predictions": ["a", None, "c", "d"]}, r"prediction 1 \(item '2'\): a translation is a string"),
    ({"predictions": ["a", "b", [], "d"]}, r"prediction 2 \(item '3'\): an n-best list is empty"),
    ({"predictions": ["a", "b", "c", 4]}, r"prediction 3 \(item '4'\)"),
    ({"items": None}, "'items' is a list"),
    ({"items": "abcd"}, "'items' is a list"),
    ({"items": [{"good": ["x"]}] * 4}, "an item is an `Item`, not {'good'.*make one with `make_item`"),
    ({"items": [*ITEMS[:3], "x"]}, "an item is an `Item`, not 'x'"),
    ({"items": [None] * 4}, "an item is an `Item`, not None"),
    (
        {"items": [*ITEMS[:3], Item("x", language="nl")]},
        "item 'x' is for language 'nl', but 'de' is being scored",
    ),
    ({"weighting": "none"}, "weighting 'none' is unknown; choose one of 'macro', 'index'"),
]


@pytest.mark.parametrize(("options", "message"), WRONG)
def test_wrong_input(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        _score(**options)


def test_items_of_the_language_and_of_none_are_scored() -> None:
    items = [Item("a", language="de", good=(Candidate("Ufer"),)), Item("b", good=(Candidate("Ufer"),))]
    assert _score(items=items, predictions=["Ufer", "Ufer"]).scores.as_dict()["good"] == 2


def test_progress_sees_every_item() -> None:
    seen: list[str] = []

    def progress(pairs: Iterable[Any]) -> Iterable[Any]:
        for pair in pairs:
            seen.append(pair[0].id)
            yield pair

    _score(progress=progress)
    assert seen == ["2", "2", "3", "4"]


def test_pairs_are_read_one_after_the_other() -> None:
    alive = 0

    def pairs() -> Iterable[Any]:
        nonlocal alive
        for item, text in zip(ITEMS, TEXTS, strict=True):
            alive += 1
            yield item, (Hypothesis(text),)

    result = score_pairs(DE, pairs(), "macro", "x")
    assert alive == 4
    assert result.judgments[0].label is Label.GOOD
