"""The measurement of ``evaluate``: it loads as the peers load theirs, takes data of any form, gives flat numbers."""

from __future__ import annotations

import doctest
import importlib
import inspect
import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from dibimt_metric.errors import InputError
from minimal_pairs.blimp_measurement import path
from minimal_pairs.reading.read import read_pairs
from minimal_pairs.records import Request, TextScore
from minimal_pairs.scoring.presets import preset
from minimal_pairs.scoring.run import score_pairs

evaluate = pytest.importorskip("evaluate")

README = (path() / "README.md").read_text(encoding="utf-8")
ROWS: list[Any] = [
    {
        "sentence_good": "Ann sleeps.",
        "sentence_bad": "Ann sleep.",
        "paradigm": "verb",
        "phenomenon": "agreement",
    },
    {
        "sentence_good": "Ben sees us.",
        "sentence_bad": "Ben see us.",
        "paradigm": "verb",
        "phenomenon": "agreement",
    },
    {"sentence_good": "a cat", "sentence_bad": "an cat", "paradigm": "article", "phenomenon": "form"},
]
SCORES: list[Any] = [[-1.0, -2.0], [-2.0, -1.0], [-1, -3]]


@pytest.fixture
def measurement() -> Any:
    return evaluate.load(str(path()), module_type="measurement")


class Longer:
    """Likes long sentences."""

    name = "longer"

    def score(self, requests: Sequence[Request]) -> list[TextScore]:
        return [TextScore(-1 / len(request.text), 1, len(request.text)) for request in requests]


# What evaluate asks of a folder


def test_loads_and_says_what_it_is(measurement: Any) -> None:
    assert (measurement.name, measurement.module_type) == ("blimp_measurement", "measurement")
    assert "minimal pair" in measurement.description and "warstadt" in measurement.citation
    assert [*measurement.features] == ["data"]


def test_main_script_can_be_read_by_evaluate() -> None:
    script = path() / "blimp_measurement.py"
    imports = evaluate.loading.get_imports(str(script))
    assert {kind for kind, *_ in imports} == {"library"}, "only installed packages: nothing has to travel along"
    factory = evaluate.loading.evaluation_module_factory(str(path()), module_type="measurement")
    module = importlib.import_module(factory.module_path)
    found = [each for each in vars(module).values() if inspect.isclass(each) and issubclass(each, evaluate.Measurement)]
    assert [each.__name__ for each in found] == ["BlimpMeasurement"]
    kinds = {each.kind for each in inspect.signature(found[0]._compute).parameters.values()}
    assert inspect.Parameter.VAR_KEYWORD not in kinds


def test_doctests_as_the_peers_run_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(path(), tmp_path / "measurements" / "blimp_measurement")
    monkeypatch.chdir(tmp_path)
    load = evaluate.load
    monkeypatch.setattr(evaluate, "load", lambda name, **more: load(f"measurements/{name}", **more))
    factory = evaluate.loading.evaluation_module_factory("measurements/blimp_measurement", module_type="measurement")
    results = doctest.testmod(importlib.import_module(factory.module_path), raise_on_error=True)
    assert results.attempted > 2 and results.failed == 0


def test_card_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(path().parents[1])
    results = doctest.testfile(str(path() / "README.md"), module_relative=False, encoding="utf-8")
    assert results.attempted > 5 and results.failed == 0


def test_card_has_what_the_hub_needs() -> None:
    _, front, body = README.split("---\n", 2)
    matter = yaml.safe_load(front)
    assert matter["tags"] == ["evaluate", "measurement"]
    assert {"title", "emoji", "colorFrom", "colorTo", "sdk", "sdk_version", "app_file", "pinned"} <= set(matter)
    for section in (
        "Measurement Description",
        "Intended Uses",
        "How to Use",
        "Limitations and Bias",
        "Citation",
    ):
        assert f"\n## {section}\n" in body
    for section in ("Inputs", "Output Values", "Examples"):
        assert f"\n### {section}\n" in body


# Numbers


def test_numbers_are_those_of_a_run(measurement: Any, tmp_path: Path) -> None:
    result = measurement.compute(data=ROWS, scores=SCORES)
    assert result["accuracy"] == (50 + 100) / 2 and result["average"] == "mean over 2 paradigms"
    assert (result["accuracy_agreement"], result["accuracy_form"]) == (50, 100)
    assert result["accuracy_over_pairs"] == pytest.approx(100 * 2 / 3)
    assert (result["n"], result["right"], result["wrong"], result["ties"], result["unscored"]) == (
        3,
        2,
        1,
        0,
        0,
    )
    assert result["correlation_human"] is None
    (tmp_path / "pairs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    run = score_pairs(read_pairs(tmp_path / "pairs.jsonl"), Longer())
    again = measurement.compute(data=ROWS, model=Longer())
    assert again["signature"] == run.report.signature and again["accuracy"] == run.report.overall.value
    assert measurement.report == run.report and measurement.outcomes == run.outcomes


def test_result_is_flat_and_plain(measurement: Any, tmp_path: Path) -> None:
    result = measurement.compute(data=ROWS, scores=SCORES)
    assert {type(value) for value in result.values()} <= {float, int, str, type(None)}
    evaluate.save(tmp_path / "result.json", **result)
    assert json.loads((tmp_path / "result.json").read_text())["accuracy"] == result["accuracy"]


def test_settings_and_sample(measurement: Any) -> None:
    ties = [[-1, -1], [-1, -1], [-1, -3]]
    result = measurement.compute(data=ROWS, scores=ties, preset="lm-eval", settings={"ties": "half"})
    assert result["accuracy"] == 75 and "|preset:lm-eval+ties|" in result["signature"]
    given = measurement.compute(data=ROWS, scores=ties, preset=preset("lm-eval", ties="half"))
    assert given["signature"] == result["signature"]
    sampled = measurement.compute(data=ROWS, scores=SCORES, sample=2, seed=4)
    assert sampled["n"] == 2 and "|sample:2,seed=4|" in sampled["signature"]


def test_numbers_of_other_libraries(measurement: Any) -> None:
    numpy = pytest.importorskip("numpy")
    result = measurement.compute(data=ROWS, scores=numpy.array(SCORES, dtype="float32"))
    assert result["accuracy"] == 75


def test_missing_scores_are_unscored(measurement: Any) -> None:
    result = measurement.compute(data=ROWS, scores=[[None, -1], [-1, -2], [float("-inf"), -1]])
    assert (result["unscored"], result["n"], result["accuracy"]) == (2, 1, 100)
    nothing = measurement.compute(data=ROWS, scores=[[None, -1]] * 3)
    assert nothing["accuracy"] is None and nothing["n"] == 0


def test_prefix_method(measurement: Any) -> None:
    fields = {"one_prefix_prefix": "Ann", "one_prefix_word_good": "sleeps", "one_prefix_word_bad": "sleep"}
    result = measurement.compute(data=[{**ROWS[0], **fields}, *ROWS[2:]], model=Longer(), method="one-prefix")
    assert (result["method"], result["n"], result["accuracy"]) == ("one-prefix", 1, 100)


def test_causal_model(measurement: Any, tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    from minimal_pairs.models.loading import load_model
    from tests.dibimt_tools.blimp_runs import save_tiny_model

    folder = save_tiny_model(tmp_path / "tiny")
    (tmp_path / "pairs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    result = measurement.compute(data=ROWS, model=str(folder), options={"batch_tokens": 64})
    run = score_pairs(read_pairs(tmp_path / "pairs.jsonl"), load_model(str(folder)))
    assert (result["signature"], result["accuracy"]) == (run.report.signature, run.report.overall.value)


# Forms of data


def test_forms_of_data_are_the_same(measurement: Any, tmp_path: Path) -> None:
    pairs = [(row["sentence_good"], row["sentence_bad"]) for row in ROWS]
    plain = measurement.compute(data=pairs, scores=SCORES)
    assert plain["average"] == "mean over 1 paradigm"
    (tmp_path / "data.tsv").write_text("".join(f"{good}\t{bad}\n" for good, bad in [("good", "bad"), *pairs]))
    for data in (
        [{"good": good, "bad": bad} for good, bad in pairs],
        iter(pairs),
        [*read_pairs(tmp_path / "data.tsv")],
        str(tmp_path / "data.tsv"),
        tmp_path / "data.tsv",
    ):
        assert measurement.compute(data=data, scores=SCORES) == plain


def test_rows_of_a_data_set(measurement: Any) -> None:
    datasets = pytest.importorskip("datasets")
    rows = datasets.Dataset.from_list(ROWS)
    assert measurement.compute(data=rows, scores=SCORES) == measurement.compute(data=ROWS, scores=SCORES)


def test_rows_can_be_added(measurement: Any) -> None:
    measurement.add(data=ROWS[0])
    measurement.add_batch(data=ROWS[1:])
    result = measurement.compute(scores=SCORES)
    assert result == measurement.compute(data=ROWS, scores=SCORES)


def test_names_of_the_hub(measurement: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def read(name: str, configurations: Any = None) -> Any:
        asked.append((name, configurations))
        return iter(read_pairs_of_rows())

    def read_pairs_of_rows() -> list[Any]:
        from minimal_pairs.records import Pair

        return [Pair("a cat", "an cat", "wh_island", "0", 0, "wh_island")]

    monkeypatch.setattr("minimal_pairs.blimp_measurement.measuring.read_dataset", read)
    for name in ("wh_island", "nyu-mll/blimp", "nyu-mll/blimp:wh_island"):
        measurement.compute(data=name, scores=[[-1, -2]])
    assert asked == [
        ("nyu-mll/blimp", ["wh_island"]),
        ("nyu-mll/blimp", None),
        ("nyu-mll/blimp", ["wh_island"]),
    ]


def test_per_pair_file_goes_on(measurement: Any, tmp_path: Path) -> None:
    file = tmp_path / "out.jsonl"
    first = measurement.compute(data=ROWS, model=Longer(), per_pair=str(file))
    before = file.read_bytes()
    assert measurement.compute(data=ROWS, model=Longer(), per_pair=str(file)) == first
    assert file.read_bytes() == before and before.count(b"\n") == 3


# Bad input


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"data": ROWS}, "give either a model or scores"),
        ({"data": ROWS, "model": Longer(), "scores": SCORES}, "give either a model or scores"),
        ({"data": ROWS, "scores": SCORES, "presett": "paper"}, "did you mean 'preset'"),
        ({"data": ROWS, "scores": SCORES, "preset": "mine"}, "unknown preset 'mine'"),
        ({"data": ROWS, "scores": SCORES, "settings": {"ties": "never"}}, "setting ties"),
        (
            {"data": ROWS, "scores": SCORES, "preset": preset("paper"), "settings": {"ties": "half"}},
            "change the Preset itself",
        ),
        ({"data": ROWS, "scores": SCORES, "method": "two-prefix"}, "no pair has the fields"),
        ({"data": ROWS, "scores": SCORES[:2]}, "scores of 2 pairs, but the data has 3"),
        ({"data": ROWS, "scores": [[-1, -2, -3]] * 3}, r"scores\[0\] is .*two numbers"),
        ({"data": ROWS, "scores": [[-1, -2], -1, -2]}, r"scores\[1\] is -1"),
        ({"data": ROWS, "scores": [[-1, "x"]] * 3}, r"scores\[0\] is"),
        ({"data": ROWS, "scores": [[float("nan"), -1]] * 3}, "nan"),
        ({"data": ROWS, "scores": [[1.5, -1]] * 3}, "at most 0"),
        ({"data": ROWS, "model": 5}, "5 is not a model"),
        ({"data": ROWS, "model": Longer(), "kind": "other"}, "unknown kind"),
        ({"data": [], "scores": []}, "nothing to score"),
        ({"scores": []}, "nothing to score"),
        ({"data": {"sentence_good": "a"}, "scores": SCORES}, "expected rows"),
        ({"data": ["Ann sleeps."], "scores": SCORES}, r"data\[0\] is 'Ann sleeps.'"),
        ({"data": [ROWS[0], ("Ann", " ")], "scores": SCORES}, r"data\[1\]: bad is empty"),
        ({"data": [{"good": "Ann"}], "scores": SCORES}, r"data\[0\]: the columns 'good'"),
        ({"data": "none.jsonl", "scores": SCORES}, "none.jsonl: no such file"),
        (
            {"data": [{**ROWS[0], "pair_id": 1}, {**ROWS[1], "pair_id": 1}], "scores": SCORES},
            "pair 1 of 'verb'",
        ),
    ],
)
def test_what_cannot_be_used(measurement: Any, options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        measurement.compute(**options)
    # Nothing of it is left: the next computation is that of a new measurement.
    assert measurement.compute(data=ROWS, scores=SCORES)["n"] == 3


def test_options_of_loading_that_would_leave_the_folder() -> None:
    for name in ("config_name", "experiment_id"):
        with pytest.raises(InputError, match="cannot be '../x'"):
            evaluate.load(str(path()), module_type="measurement", **{name: "../x"})
