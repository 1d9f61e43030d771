"""The metric in training loops: what a trainer hands over, what it gets back, and what is kept. No trainer runs here.

A fake tokenizer has one token a word, so that a row of ids is a sentence:

    0 <pad>  1 am  2 Ufer  3 zur  4 Bank  5 oder  6 orilla  7 banco  8 ,
"""

from __future__ import annotations

import json
import logging
import math
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dibimt_metric.errors import InputError, ItemError, MissingLibraryError, UnknownRuleError
from dibimt_metric.items import make_item
from dibimt_metric.items_data_set import LoadedItems
from dibimt_metric.judge import Judge
from dibimt_metric.records import Label
from dibimt_training.changes import Changes, append_line, make_changes_callback
from dibimt_training.compute_metrics import NAMES, ComputeMetrics, make_compute_metrics
from dibimt_training.predicted_texts import predicted

WORDS = ("<pad>", "am", "Ufer", "zur", "Bank", "oder", "orilla", "banco", ",")
GOOD, BAD, MISS, UNK = [1, 2], [3, 4], [1, 3], [1, 2, 5, 3, 4]
ROWS = [GOOD, BAD, MISS, UNK]


class Words:
    """One token a word; it fails as real ones do on ids that it does not have."""

    pad_token_id = 0

    def __len__(self) -> int:
        return len(WORDS)

    def batch_decode(self, rows: Any, skip_special_tokens: bool = False) -> list[str]:
        assert skip_special_tokens
        return [" ".join(WORDS[token] for token in row if token) for row in rows]


def german(number: int = 4) -> list[dict[str, Any]]:
    return [
        {"id": f"i{i}", "good": ["Ufer"], "bad": ["Bank"], "frequency_index": i + 1, "polysemy": 99}
        for i in range(number)
    ]


def padded(rows: list[list[int]], with_: int = -100) -> np.ndarray[Any, Any]:
    longest = max(map(len, rows))
    return np.array([[*row, *[with_] * (longest - len(row))] for row in rows])


@pytest.fixture
def made() -> ComputeMetrics:
    return make_compute_metrics(Words(), german(), "de")


# What comes back


def test_flat_numbers_of_one_language(made: ComputeMetrics) -> None:
    numbers = made((padded(ROWS), padded(ROWS)))
    assert tuple(numbers) == NAMES
    assert {name: numbers[name] for name in ("n", "good", "bad", "miss", "unk")} == {
        "n": 4, "good": 1, "bad": 1, "miss": 1, "unk": 1,
    }  # fmt: skip
    assert numbers["accuracy"] == 100 * 1 / (1 + 1)
    assert numbers["coverage"] == 100 * 2 / 4
    assert numbers["miss_rate"] == numbers["unk_rate"] == 100 * 1 / 4
    # One group with GOOD, one with BAD, each of one item.
    assert numbers["sfi"] == (100 + 0) / 2
    assert all(type(value) in (int, float) for value in numbers.values())


def test_what_is_kept_of_the_last_evaluation(made: ComputeMetrics) -> None:
    assert made.result is None and made.evaluations == 0
    before = made.signature
    made((padded(ROWS), None))
    assert [judgment.label for judgment in made.judgments] == [
        Label.GOOD,
        Label.BAD,
        Label.MISS,
        Label.UNK,
    ]
    assert made.result is not None and made.result.scores.counts.n == 4
    assert made.results == {"de": made.result}
    assert made.signature == before == str(made.result.signature)
    assert "lang:de|analyzers:simplemma-" in before and "|data:" in before
    assert made.evaluations == 1
    assert "BAD because only candidates of the BAD list were found: 'Bank';" in made.explain(1)
    assert made.explain("i0") == made.explain(0) == made.explain(-4)


def test_the_numbers_are_those_of_the_judge(made: ComputeMetrics) -> None:
    texts = ["Wir saßen am Ufer.", "Er ging zur Bank.", "", "Ufer oder Bank"]
    made.score(texts)
    judge = Judge("de")
    assert made.judgments == tuple(judge.judge(make_item(row), text) for row, text in zip(german(), texts, strict=True))


@pytest.mark.parametrize("prefix", ["dibimt_", "eval_dibimt_"])
def test_prefix(prefix: str) -> None:
    made = make_compute_metrics(Words(), german(), "de", prefix=prefix)
    assert tuple(made((padded(ROWS), None))) == tuple(prefix + name for name in NAMES)


def test_an_untrained_model_has_no_accuracy_and_the_same_keys(made: ComputeMetrics) -> None:
    numbers = made((padded([[], [1], MISS, [0, 0]]), None))
    assert tuple(numbers) == NAMES
    assert {name for name, value in numbers.items() if math.isnan(value)} == {
        "accuracy", "sfi", "pdi", "mfs", "mfs_plus",
    }  # fmt: skip
    assert (numbers["good"], numbers["miss"], numbers["coverage"]) == (0, 4, 0.0)


@pytest.mark.parametrize("number", [-1, 0.0, 50])
def test_another_number_for_what_is_undefined(number: float) -> None:
    made = make_compute_metrics(Words(), german(), "de", undefined=number)
    accuracy = made((padded([MISS] * 4), None))["accuracy"]
    assert accuracy == number and type(accuracy) is float


# Several languages


SPANISH = {"id": "i0", "language": "es", "good": ["orilla"], "bad": ["banco"]}


def test_several_languages_in_one_set() -> None:
    items = [{**row, "language": "de"} for row in german(3)] + [SPANISH]
    made = make_compute_metrics(Words(), items)
    numbers = made((padded([GOOD, BAD, BAD, [6]]), None))
    assert made.names == ("de/i0", "de/i1", "de/i2", "es/i0")
    assert numbers["accuracy_de"] == 100 * 1 / 3
    assert numbers["accuracy_es"] == 100.0
    assert numbers["accuracy"] == (100 * 1 / 3 + 100) / 2
    assert (numbers["n"], numbers["good"], numbers["n_de"], numbers["n_es"]) == (4, 2, 3, 1)
    assert numbers["accuracy_languages"] == 2
    assert list(made.results) == ["de", "es"]
    assert made.result is None
    assert made.signature.startswith("dibimt|lang:de,es|analyzers:simplemma-")
    assert all(type(value) in (int, float) for value in numbers.values())


def test_a_language_without_a_value_is_left_out_of_the_mean_and_counted() -> None:
    made = make_compute_metrics(Words(), [{**german()[0], "language": "de"}, SPANISH])
    numbers = made((padded([GOOD, [1]]), None))
    assert numbers["accuracy"] == 100.0 and numbers["accuracy_languages"] == 1
    assert math.isnan(numbers["accuracy_es"])
    first = made((padded([[1], [1]]), None))
    assert math.isnan(first["accuracy"]) and first["accuracy_languages"] == 0
    assert list(first) == list(numbers)


def test_items_of_other_languages_are_left_out_where_the_language_is_said() -> None:
    made = make_compute_metrics(Words(), [{**german()[0], "language": "de"}, SPANISH], "es")
    assert [item.language for item in made.items] == ["es"]
    assert made((padded([[7]]), None))["accuracy"] == 0.0


# Sources of items


def test_items_from_records_rows_and_files(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in german()), encoding="utf-8")
    sources: list[object] = [german(), tuple(map(make_item, german())), path, str(path), iter(german())]
    signatures = {make_compute_metrics(Words(), source, "de").signature for source in sources}
    assert len(signatures) == 1


def test_items_from_a_data_set_of_datasets() -> None:
    datasets = pytest.importorskip("datasets")
    rows = datasets.Dataset.from_list([{**row, "synset": None} for row in german()])
    assert make_compute_metrics(Words(), rows, "de")((padded(ROWS), None))["good"] == 1


# Shapes of predictions

SHAPES = {
    "array with -100": padded(ROWS),
    "array with the padding token": padded(ROWS, 0),
    "unsigned": padded(ROWS, 0).astype("uint16"),
    "rows of different lengths": ROWS,
    "tuple of rows": tuple(map(tuple, ROWS)),
    "rows as arrays": [np.array(row) for row in ROWS],
    "array of lists": np.array([*map(list, ROWS), None], dtype=object)[:-1],
    "numpy integers": [[np.int64(token) for token in row] for row in ROWS],
    "batches of different widths": [padded(ROWS[:2]), padded(ROWS[2:])],
    "batches of one": [padded([row]) for row in ROWS],
    "outputs of a model": (padded(ROWS), np.zeros((4, 7, 3))),
}


@pytest.mark.parametrize("predictions", SHAPES.values(), ids=SHAPES)
def test_shapes(made: ComputeMetrics, predictions: object) -> None:
    numbers = made((predictions, None))
    assert [numbers[name] for name in ("good", "bad", "miss", "unk")] == [1, 1, 1, 1]
    assert [judgment.label.value for judgment in made.judgments] == ["GOOD", "BAD", "MISS", "UNK"]


def test_tensors(made: ComputeMetrics) -> None:
    torch = pytest.importorskip("torch")
    assert made((torch.tensor(padded(ROWS)), None))["good"] == 1
    assert made(([torch.tensor(row) for row in ROWS], None))["good"] == 1


def test_an_eval_prediction_is_told_by_its_attributes(made: ComputeMetrics) -> None:
    evaluation = types.SimpleNamespace(predictions=padded(ROWS), label_ids=padded(ROWS))
    assert made(evaluation) == made((padded(ROWS), None))


def test_predicted_keeps_empty_rows() -> None:
    assert predicted([[], [1], [-100, -100]]).rows == [[], [1], []]
    assert predicted([]).rows == []


def test_a_tokenizer_with_decode_alone_and_one_in_a_processor(made: ComputeMetrics) -> None:
    class Alone:
        def decode(self, row: list[int], skip_special_tokens: bool) -> str:
            return " ".join(WORDS[token] for token in row)

    assert make_compute_metrics(Alone(), german(), "de")((padded(ROWS), None)) == made((padded(ROWS), None))


def test_postprocess_is_applied_and_stands_in_the_signature() -> None:
    def lower(text: str) -> str:
        return text.lower().replace("bank", "ufer")

    made = make_compute_metrics(Words(), german(), "de", postprocess=lower)
    assert made((padded(ROWS), None))["good"] == 3
    assert "|postprocess:lower|" in made.signature
    broken = make_compute_metrics(Words(), german(), "de", postprocess=lambda text: None)  # type: ignore[arg-type,return-value]
    with pytest.raises(InputError, match="postprocess takes one text and returns one; it returned None"):
        broken((padded(ROWS), None))


def test_ids_beyond_the_tokenizer_are_left_out_with_one_warning(
    made: ComputeMetrics, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            numbers = made((padded([[1, 99, 2], [3, 4, 250], MISS, UNK]), None))
    assert (numbers["good"], numbers["bad"]) == (1, 1)
    assert [record.message[:52] for record in caplog.records] == [
        "predictions hold token ids up to 250, but the tokeni"
    ]


# Lists of hypotheses


def test_hypotheses_one_after_the_other() -> None:
    made = make_compute_metrics(Words(), german(3), "de", num_return_sequences=2)
    numbers = made((padded([BAD, GOOD, BAD, MISS, MISS, UNK]), None))
    assert [judgment.label.value for judgment in made.judgments] == ["GOOD", "BAD", "MISS"]
    assert [judgment.hypothesis for judgment in made.judgments] == [1, 0, 0]
    assert numbers["accuracy"] == 100 * 1 / 2
    assert "|hypotheses:2|" in made.signature
    assert "hypothesis" in made.explain(0)


@pytest.mark.parametrize("number", [1, 2])
def test_hypotheses_in_a_dimension_of_their_own(number: int) -> None:
    made = make_compute_metrics(Words(), german(2), "de", num_return_sequences=number)
    lists = padded([BAD, GOOD, MISS, BAD]).reshape(2, 2, -1)
    assert made((lists, None))["good"] == 1
    assert made((lists.tolist(), None))["bad"] == 1
    assert "|hypotheses:2|" in made.signature


def test_lists_of_texts(made: ComputeMetrics) -> None:
    numbers = made.score([["zur Bank", "am Ufer"], "zur Bank", ["es regnet"], "Ufer, Bank"])
    assert [numbers[name] for name in ("good", "bad", "miss", "unk")] == [1, 1, 1, 1]


# What cannot be used

WRONG = [
    ((np.zeros((4, 3, 9), dtype="float32"), None), r"not an array of float32 of shape \(4, 3, 9\), which look like"),
    (((np.zeros((4, 3, 9)), np.zeros((4, 3, 2))), None), "predict_with_generate=True"),
    (([[0.5, 0.25]] * 4, None), "not numbers such as 0.5, which look like scores"),
    ((["am Ufer"] * 4, None), "hold 'am Ufer' where a token id was expected; texts are scored with `score`"),
    (([1, 2, 3, 4], None), "one list of token ids for each item"),
    ((None, None), "one list of token ids for each item, not None"),
    ((padded(ROWS), padded(ROWS), 3), "expected an EvalPrediction, or a tuple of predictions and labels"),
    (padded(ROWS), "expected an EvalPrediction"),
    (([GOOD, BAD, MISS, [1, -1]], None), r"row 3 of the predictions holds -1, which is not a token id; only -100"),
    (([GOOD, BAD, MISS, [1, [2]]], None), "hold 1 where a token id was expected"),
    (([GOOD, BAD, MISS, [1, None]], None), "hold None where"),
    (([[[[[[[[1]]]]]]]] * 4, None), "nested too deeply"),
]  # fmt: skip


@pytest.mark.parametrize(("evaluation", "message"), WRONG, ids=[message[:40] for _, message in WRONG])
def test_what_is_no_prediction(made: ComputeMetrics, evaluation: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        made(evaluation)
    assert made.evaluations == 0


NUMBERS = [
    (
        1,
        3,
        "3 predictions for 4 items: .*was it filtered or cut, or are these the predictions of one",
    ),
    (1, 5, "5 predictions for 4 items: .*another evaluation set.*Trainer calls one function for all"),
    (1, 8, "8 predictions for 4 items: .*lists of 2 hypotheses need num_return_sequences=2"),
    (
        2,
        4,
        "4 predictions for 4 items with 2 hypotheses, 8 in all: .*num_return_sequences=2 was given: does",
    ),
    (2, 7, "7 predictions for 4 items"),
    (1, 0, "0 predictions for 4 items"),
]


def test_texts_that_are_none_are_named_by_their_places(made: ComputeMetrics) -> None:
    with pytest.raises(InputError, match=r"translations\[2\]: .*token ids go to a call of the object"):
        made.score(["am Ufer", [{"text": "zur Bank", "perplexity": 2.0}], None, ""])
    assert made.evaluations == 0


def test_a_list_of_batches_is_no_list_of_hypotheses() -> None:
    made = make_compute_metrics(Words(), german(3), "de")
    with pytest.raises(InputError, match="6 predictions for 3 items"):
        made(([np.array([GOOD, GOOD])] * 3, None))


def test_the_data_set_stands_in_the_signature(tmp_path: Path) -> None:
    items = tuple(make_item(row) for row in german())
    made = make_compute_metrics(Words(), LoadedItems(items, "user/dibimt", "0" * 40), "de")
    assert f"|dataset:user/dibimt@{'0' * 40}" in made.signature
    assert "|dataset:" not in make_compute_metrics(Words(), items, "de").signature
    with pytest.raises(InputError, match="is a folder; give what `load_data_set` loads from there"):
        make_compute_metrics(Words(), tmp_path, "de")


@pytest.mark.parametrize(("hypotheses", "rows", "message"), NUMBERS)
def test_wrong_number_names_both_and_the_usual_cause(hypotheses: int, rows: int, message: str) -> None:
    made = make_compute_metrics(Words(), german(), "de", num_return_sequences=hypotheses)
    with pytest.raises(InputError, match=message):
        made(([GOOD] * rows, None))
    with pytest.raises(InputError, match="1 predictions for 4 items"):
        made.score(["am Ufer"])


def test_a_tokenizer_that_fails_is_named(made: ComputeMetrics) -> None:
    class Broken:
        def decode(self, row: list[int], skip_special_tokens: bool) -> str:
            raise KeyError("piece")

    with pytest.raises(InputError, match="cannot decode the predictions .KeyError: .*is it the tokenizer of"):
        make_compute_metrics(Broken(), german(), "de")((padded(ROWS), None))


OPTIONS = [
    ({"tokenizer": object()}, InputError, "a tokenizer has 'batch_decode' or 'decode'"),
    ({"nbest": "min_perplexity"}, InputError, "'min_perplexity' needs perplexities, which a trainer"),
    ({"nbest": "best"}, InputError, "nbest 'best' is unknown"),
    ({"num_return_sequences": 0}, InputError, "a positive integer, not 0"),
    ({"num_return_sequences": True}, InputError, "a positive integer, not True"),
    ({"weighting": "micro"}, InputError, "weighting 'micro' is unknown"),
    ({"enable_rules": ["nonsense"]}, UnknownRuleError, "no rule of de is named 'nonsense'"),
    ({"postprocess": "strip"}, InputError, "postprocess is a function from text to text, not 'strip'"),
    ({"language": "xx"}, InputError, "xx"),
    ({"language": None}, InputError, "item 'i0' has no language"),
    ({"language": "es", "items": [{**german()[0], "language": "de"}]}, InputError, "no item is for language 'es'"),
    ({"items": [{"id": "1"}]}, ItemError, "E209"),
    ({"items": german() + german()[:1]}, ItemError, "E202"),
    ({"items": None}, InputError, "items: expected a list"),
    ({"items": []}, InputError, "items: there are no items"),
    ({"items": "nowhere.jsonl"}, InputError, "nowhere.jsonl: cannot be read"),
    ({"labels": [[1]]}, InputError, "1 labels for 4 items"),
    ({"labels": ["a"] * 4}, InputError, "labels are one list of token ids for each item"),
    ({"labels": 5}, InputError, "labels are one list of token ids for each item, not 5"),
    ({"undefined": "none"}, InputError, "undefined is a number, not 'none'"),
    ({"prefix": None}, InputError, "prefix is text, not None"),
]  # fmt: skip


@pytest.mark.parametrize(("options", "error", "message"), OPTIONS, ids=[str(i) for i in range(len(OPTIONS))])
def test_options_are_refused_before_the_training(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make_compute_metrics(**{"tokenizer": Words(), "items": german(), "language": "de", **options})


def test_explain_needs_an_evaluation_and_an_item(made: ComputeMetrics) -> None:
    with pytest.raises(InputError, match="nothing has been evaluated yet"):
        made.explain(0)
    made((padded(ROWS), None))
    for item in ("i9", 4, -5, None):
        with pytest.raises(InputError, match="give a place from 0 to 3, or a name such as 'i0'"):
            made.explain(item)  # type: ignore[arg-type]


# Order and repeated rows


def labels(number: int = 4) -> list[list[int]]:
    return [[1] * (i + 1) for i in range(number)]


def test_labels_check_the_order() -> None:
    made = make_compute_metrics(Words(), german(), "de", labels=labels())
    made((padded(ROWS), padded(labels())))
    # A trainer pads with -100 first and with the padding token up to the longest generation.
    wide = np.hstack([padded(labels()), np.zeros((4, 3), dtype=int)])
    assert made((padded(ROWS), wide))["good"] == 1
    assert made((padded(ROWS), None))["good"] == 1
    with pytest.raises(InputError) as caught:
        made((padded(ROWS), padded([labels()[i] for i in (0, 2, 1, 3)])))
    assert "row 1 belongs to item 'i1', but has the labels of item 'i2' (2 such rows of 4)" in str(caught.value)
    assert "group_by_length" in str(caught.value)
    with pytest.raises(InputError, match="row 3 belongs to item 'i3', but has labels that no item has"):
        made((padded(ROWS), padded([*labels()[:3], [5]])))


def test_labels_may_be_a_column_of_a_data_set() -> None:
    datasets = pytest.importorskip("datasets")
    column = datasets.Dataset.from_dict({"labels": labels()})["labels"]
    made = make_compute_metrics(Words(), german(), "de", labels=column)
    with pytest.raises(InputError, match="not in the order of the items"):
        made((padded(ROWS), padded(labels()[::-1])))


@pytest.fixture
def two_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A torch whose process group has two members."""
    distributed = types.SimpleNamespace(
        is_available=lambda: True, is_initialized=lambda: True, get_world_size=lambda: 2
    )
    monkeypatch.setitem(sys.modules, "torch", types.SimpleNamespace(distributed=distributed))


@pytest.mark.usefixtures("two_processes")
def test_rows_repeated_by_several_processes_are_dropped(made: ComputeMetrics) -> None:
    alone = made((padded(ROWS), None))
    assert made((padded([*ROWS, *ROWS[:2]]), None)) == alone
    assert made((padded([*ROWS, *ROWS, *ROWS[:1]]), None)) == alone
    # Sums in another order may have changed a word of a repeated row; its labels tell.
    changed = [*ROWS, MISS]
    assert made((padded(changed), padded([*labels(), labels()[0]]))) == alone
    for evaluation in ((padded(changed), None), (padded([*ROWS, GOOD]), padded(labels(5)))):
        with pytest.raises(InputError, match="5 predictions for 4 items"):
            made(evaluation)


@pytest.mark.usefixtures("two_processes")
def test_repeated_rows_of_lists_of_hypotheses_are_dropped() -> None:
    made = make_compute_metrics(Words(), german(3), "de", num_return_sequences=2)
    rows = [BAD, GOOD, BAD, MISS, MISS, UNK]
    assert made((padded([*rows, *rows[:2]]), padded([*labels(3), labels()[0]])))["good"] == 1
    nested = np.stack([padded(rows), np.zeros_like(padded(rows))])  # not the shape of lists
    with pytest.raises(InputError, match="items"):
        made((nested, None))


def test_one_process_repeats_no_rows(made: ComputeMetrics, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    with pytest.raises(InputError, match="5 predictions for 4 items"):
        made((padded([*ROWS, ROWS[0]]), None))


# Evaluations after the first


def test_only_changed_translations_are_judged_again(made: ComputeMetrics, monkeypatch: pytest.MonkeyPatch) -> None:
    judged: list[str] = []
    real = Judge.judge

    def spy(self: Judge, item: Any, prediction: Any) -> Any:
        judged.append(item.id)
        return real(self, item, prediction)

    monkeypatch.setattr(Judge, "judge", spy)
    made((padded(ROWS), None))
    made((padded(ROWS), None))
    made((padded([GOOD, GOOD, MISS, UNK]), None))
    assert judged == ["i0", "i1", "i2", "i3", "i1"]
    assert [judgment.label.value for judgment in made.judgments] == ["GOOD", "GOOD", "MISS", "UNK"]


# Gained and lost


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_changes_between_evaluations(made: ComputeMetrics, tmp_path: Path) -> None:
    logged: list[str] = []
    changes = Changes(made, tmp_path / "new" / "changes.jsonl", logged.append)
    for step, rows in ((10, ROWS), (20, [BAD, GOOD, GOOD, UNK]), (30, [BAD, GOOD, GOOD, UNK])):
        made((padded(rows), None))
        changes.add(step, step / 10)
    first, second, third = lines(changes.path)
    assert (first["step"], first["epoch"], first["compared_with"]) == (10, 1.0, None)
    assert (first["n"], first["good"], first["labels"]) == (4, 1, "GBMU")
    assert (second["compared_with"], second["gained"], second["lost"]) == (10, ["i1", "i2"], ["i0"])
    assert (third["gained"], third["lost"]) == ([], [])
    assert first["signature"] == made.signature
    assert logged == [
        "step 10: 1 of 4 items are GOOD",
        "step 20: 2 of 4 items are GOOD; since step 10 gained 2 (i1, i2), lost 1 (i0)",
        "step 30: 2 of 4 items are GOOD; since step 20 gained none, lost none",
    ]


def test_the_log_names_ten_items_and_the_file_all(tmp_path: Path) -> None:
    made = make_compute_metrics(Words(), german(12), "de")
    logged: list[str] = []
    changes = Changes(made, tmp_path / "changes.jsonl", logged.append)
    for step, row in ((1, BAD), (2, GOOD)):
        made(([row] * 12, None))
        changes.add(step, None)
    assert logged[1].endswith("gained 12 (i0, i1, i2, i3, i4, i5, i6, i7, i8, i9, ...), lost none")
    assert len(lines(changes.path)[1]["gained"]) == 12


def test_a_resumed_run_goes_on_from_the_line_at_or_before_its_step(made: ComputeMetrics, tmp_path: Path) -> None:
    path = tmp_path / "changes.jsonl"
    first = Changes(made, path, lambda text: None)
    for step, rows in ((10, [GOOD, BAD, BAD, BAD]), (20, ROWS), (30, [GOOD] * 4)):
        made((padded(rows), None))
        first.add(step, None)
    resumed = Changes(made, path, lambda text: None)
    resumed.begin(25)
    made((padded([GOOD, GOOD, BAD, BAD]), None))
    change = resumed.add(30, None)
    assert (change.compared_with, change.gained, change.lost) == (20, ("i1",), ())
    again = Changes(made, path, lambda text: None)
    again.begin(30)  # of the two lines of step 30 the later one
    assert again.last is not None and again.last.labels == "GGBB"
    for step in (9, 0):
        fresh = Changes(made, path, lambda text: None)
        fresh.begin(step)
        assert fresh.last is None


def test_a_training_compares_with_its_own_beginning(made: ComputeMetrics, tmp_path: Path) -> None:
    path = tmp_path / "changes.jsonl"
    first = Changes(made, path, lambda text: None)
    made((padded([GOOD, BAD, BAD, BAD]), None))
    first.add(0, None)
    first.begin(0)  # evaluated right before: compared with
    made((padded(ROWS), None))
    assert first.add(4, None).compared_with == 0
    ended = first.add(8, None, after_training=True)
    assert str(ended).startswith("after the training, step 8: ")
    assert [row["after_training"] for row in lines(path)] == [False, False, True]
    first.begin(0)  # the same trainer trains anew
    assert first.add(4, None).compared_with is None
    # Evaluated, and then resumed from step 4: the line of step 0 is this object's own.
    resumed = Changes(made, path, lambda text: None)
    resumed.add(0, None)
    resumed.begin(4)
    assert resumed.add(6, None).compared_with == 4


def test_lines_of_other_items_or_options_are_not_compared_with(tmp_path: Path) -> None:
    path = tmp_path / "changes.jsonl"
    made = make_compute_metrics(Words(), german(), "de")
    made((padded(ROWS), None))
    Changes(made, path, lambda text: None).add(10, None)
    others = [
        make_compute_metrics(Words(), german()[::-1], "de"),
        make_compute_metrics(Words(), german(3), "de"),
        make_compute_metrics(Words(), german(), "de", disable_rules=["separable"]),
    ]
    for other in others:
        changes = Changes(other, path, lambda text: None)
        changes.begin(10)
        assert changes.last is None
    same = Changes(make_compute_metrics(Words(), german(), "de"), path, lambda text: None)
    same.begin(10)
    assert same.last is not None


@pytest.mark.parametrize(
    ("left", "kept"),
    [
        (b'{"step": 1}\n{"step": 2, "lab', b'{"step": 1}\n'),
        (b'{"step": 1', b""),
        (b'{"step": 1}', b'{"step": 1}\n'),
        (b'{"step": 1}\n', b'{"step": 1}\n'),
        (b"", b""),
    ],
)
def test_what_a_dead_run_left_of_a_line_is_removed(tmp_path: Path, left: bytes, kept: bytes) -> None:
    path = tmp_path / "changes.jsonl"
    path.write_bytes(left)
    append_line(path, '{"step": 3}')
    assert path.read_bytes() == kept + b'{"step": 3}\n'


def test_broken_lines_are_passed_over(made: ComputeMetrics, tmp_path: Path) -> None:
    path = tmp_path / "changes.jsonl"
    made((padded(ROWS), None))
    Changes(made, path, lambda text: None).add(10, None)
    good = path.read_text(encoding="utf-8")
    path.write_text(f'{good}nonsense\n[1]\n{{"step": "x"}}\n{{"step": 12}}\n{{"step": 13, "la', encoding="utf-8")
    changes = Changes(made, path, lambda text: None)
    changes.begin(99)
    assert changes.last is not None and changes.last.step == 10


def test_a_full_disk_is_a_warning(made: ComputeMetrics, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    made((padded(ROWS), None))
    with caplog.at_level(logging.WARNING):
        Changes(made, tmp_path / "file" / "changes.jsonl", lambda text: None).add(10, None)
    assert "the line of step 10 could not be written" in caplog.text


def test_the_callback_needs_the_object_itself(made: ComputeMetrics) -> None:
    with pytest.raises(InputError, match="the object that `make_compute_metrics` made, not <function"):
        make_changes_callback(lambda evaluation: made(evaluation))  # type: ignore[arg-type]


def test_the_callback_needs_transformers(made: ComputeMetrics, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(MissingLibraryError, match=r"pip install 'dibimt\[train\]'"):
        make_changes_callback(made)
