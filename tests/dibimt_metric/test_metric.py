"""The metric as users have it: loaded by ``evaluate.load`` from its folder."""

from __future__ import annotations

import json
import pickle
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import evaluate
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dibimt_metric import Judge, make_item, score_translations
from dibimt_metric.errors import InputError, UnknownAnalyzerError, UnknownLanguageError, UnknownRuleError
from dibimt_metric.records import Label
from dibimt_metric.score_measures import Weighting
from dibimt_metric.session import Session

FOLDER = str(Path(__file__).parents[2] / "dibimt_metric")
FIRST = "n good bad miss unk accuracy sfi pdi mfs mfs_plus coverage signature".split()

# The river bank is sense 1 of 10, the financial institution sense 2.
BANKS = [
    {"id": "1", "good": ["Ufer"], "bad": [{"lemma": "Bank", "synsets": ["b"], "frequency_indices": [2]}],
     "frequency_index": 1, "polysemy": 10},
    {"id": "2", "good": ["Bank"], "bad": [{"lemma": "Ufer", "synsets": ["u"], "frequency_indices": [1]}],
     "frequency_index": 2, "polysemy": 10},
    {"id": "3", "good": ["Bank"], "bad": [{"lemma": "Ufer", "synsets": ["u"], "frequency_indices": [1]}],
     "frequency_index": 2, "polysemy": 10},
    {"id": "4", "good": ["Ufer"], "bad": ["Bank"], "frequency_index": 1, "polysemy": 10},
]  # fmt: skip
GERMAN = ["Wir saßen am Ufer.", "Er brachte das Geld zur Bank.", "Sie zahlte am Ufer ein.", "Es regnet."]
SPANISH = [
    {"id": "1", "language": "es", "good": ["orilla"], "bad": ["banco"], "frequency_index": 1},
    {"id": "2", "language": "es", "good": ["banco"], "bad": ["orilla"], "frequency_index": 2},
]
SPANISH_TEXTS = ["Paseamos por las orillas del río.", "Se sentó en la orilla."]


def load(*args: Any, **options: Any) -> Any:
    return evaluate.load(FOLDER, *args, **options)


@pytest.fixture(scope="module")
def metric() -> Any:
    return load("de")


@pytest.fixture(autouse=True)
def nothing_is_left(metric: Any) -> Iterator[None]:
    """No test leaves rows in the shared metric, whatever it did."""
    yield
    assert metric._session.count == 0 and len(metric) == 0


# Results


def test_result(metric: Any) -> None:
    result = metric.compute(predictions=GERMAN, references=BANKS)
    assert list(result)[: len(FIRST)] == FIRST
    counts = {name: result[name] for name in ("n", "good", "bad", "miss", "unk")}
    assert counts == {"n": 4, "good": 2, "bad": 1, "miss": 1, "unk": 0}
    assert result["accuracy"] == 100 * 2 / 3
    assert result["sfi"] == 100 * (1 / 1 + 1 / 2) / 2
    assert result["pdi"] == 100 * 2 / 3
    assert result["mfs"] == result["mfs_plus"] == 100 * 1 / 1
    assert result["coverage"] == 100 * 3 / 4
    assert result["undefined"] == "none"


def test_result_is_the_one_of_the_package(metric: Any) -> None:
    expected = score_translations(Judge("de"), [make_item(row) for row in BANKS], GERMAN).as_dict()
    result = metric.compute(predictions=GERMAN, references=BANKS)
    assert {name: result[name] for name in expected} == expected


def test_values_are_plain(metric: Any, tmp_path: Path) -> None:
    result = metric.compute(predictions=GERMAN, references=BANKS, level=0.9, n_resamples=50)
    assert {type(value) for value in result.values()} == {int, float, str}
    path = evaluate.save(tmp_path / "result.json", **result)
    saved = json.loads(Path(path).read_text())
    assert {name: saved[name] for name in result} == result


def test_undefined_is_none_and_can_be_saved(metric: Any, tmp_path: Path) -> None:
    result = metric.compute(predictions=["Es regnet."], references=BANKS[:1])
    undefined = ("accuracy", "sfi", "pdi", "mfs", "mfs_plus")
    assert [result[name] for name in undefined] == [None] * 5
    assert [part.split(":")[0] for part in result["undefined"].split("; ")] == list(undefined)
    assert json.loads(Path(evaluate.save(tmp_path / "result.json", **result)).read_text())["mfs"] is None


def test_judgments_and_results(metric: Any) -> None:
    metric.compute(predictions=GERMAN, references=BANKS)
    assert [judgment.label.value for judgment in metric.judgments] == ["GOOD", "GOOD", "BAD", "MISS"]
    assert metric.judgments[2].matches[0].text == "Ufer"
    assert metric.results["de"].scores.counts.n == 4


def test_explain(metric: Any) -> None:
    text = metric.explain(GERMAN[2], BANKS[2])
    assert text.splitlines()[0] == "item         3 (de)" and "BAD because" in text
    nbest = metric.explain(["Es regnet.", "Zur Bank."], BANKS[1])
    assert "number 1 of 2" in nbest and "GOOD because" in nbest
    # The loaded copy has error classes of its own; what they derive from is shared.
    with pytest.raises(ValueError, match=r"references\[0\]"):
        metric.explain("Es regnet.", {})


# Ways to hand data over


def expected(metric: Any) -> dict[str, Any]:
    result: dict[str, Any] = metric.compute(predictions=GERMAN, references=BANKS)
    return result


def test_generators(metric: Any) -> None:
    result = metric.compute(predictions=iter(GERMAN), references=(row for row in BANKS))
    assert result == expected(metric)


def test_several_computes_in_a_row(metric: Any) -> None:
    results = [metric.compute(predictions=GERMAN, references=BANKS) for _ in range(3)]
    assert results[0] == results[1] == results[2]


def test_one_by_one_and_in_batches(metric: Any) -> None:
    for text, row in zip(GERMAN[:2], BANKS[:2], strict=True):
        metric.add(prediction=text, reference=row)
    metric.add_batch(predictions=[], references=[])
    metric.add_batch(predictions=GERMAN[2:3], references=BANKS[2:3])
    assert metric.compute(predictions=GERMAN[3:], references=BANKS[3:]) == expected(metric)
    for text, row in zip(GERMAN, BANKS, strict=True):
        metric.add(predictions=text, references=row)
    assert metric.compute() == expected(metric)


def test_combined_with_itself(metric: Any) -> None:
    both = evaluate.combine({"first": metric, "second": load("de", keep_in_memory=True)})
    result = both.compute(predictions=GERMAN, references=BANKS)
    assert result["first_accuracy"] == result["second_accuracy"] == 100 * 2 / 3


def test_in_memory(metric: Any) -> None:
    in_memory = load("de", keep_in_memory=True)
    for _ in range(2):
        assert in_memory.compute(predictions=GERMAN, references=BANKS) == expected(metric)


def test_two_metrics_side_by_side(metric: Any) -> None:
    other = load("de")
    other.add_batch(predictions=GERMAN, references=BANKS)
    metric.add_batch(predictions=GERMAN, references=BANKS)
    assert other.compute() == metric.compute()


def test_longer_than_a_batch_of_the_writer(metric: Any) -> None:
    # `datasets` writes 1,000 rows at a time.
    texts, rows = GERMAN * 600, [{**row, "id": str(i)} for i, row in enumerate(BANKS * 600)]
    result = metric.compute(predictions=texts, references=rows)
    assert (result["n"], result["good"], result["accuracy"]) == (2400, 1200, 100 * 2 / 3)
    metric.add_batch(predictions=texts[:1500], references=rows[:1500])
    for text, row in zip(texts[1500:], rows[1500:], strict=True):
        metric.add(prediction=text, reference=row)
    assert metric.compute() == result


def test_pickled(metric: Any) -> None:
    copy = pickle.loads(pickle.dumps(metric))
    assert copy.compute(predictions=GERMAN, references=BANKS) == expected(metric)
    assert len(pickle.dumps(metric)) < 100_000


def test_item_ids(metric: Any, tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text("\n".join(map(json.dumps, BANKS)))
    ids = [row["id"] for row in BANKS]
    for items in (path, str(path), BANKS, [make_item(row) for row in BANKS]):
        by_id = load("de", items=items)
        assert by_id.compute(predictions=GERMAN, references=ids) == expected(metric)


# Options


def test_nbest() -> None:
    nbest = [{"text": "Zur Bank.", "perplexity": 2.0}, {"text": "Am Ufer.", "perplexity": 3.0}]
    oracle, lowest = (load("de", nbest=nbest_rule) for nbest_rule in ("oracle", "min_perplexity"))
    assert oracle.compute(predictions=[nbest], references=BANKS[:1])["good"] == 1
    result = lowest.compute(predictions=[nbest], references=BANKS[:1])
    assert result["bad"] == 1 and "|nbest:min_perplexity|" in result["signature"]


def test_weighting_at_load_time_and_later(metric: Any) -> None:
    by_index = 100 * (1 * 1 + 2 * 1) / (1 * 1 + 2 * 2)
    late = metric.compute(predictions=GERMAN, references=BANKS, weighting=Weighting.INDEX)
    assert late["sfi"] == by_index and "|weighting:index|" in late["signature"]
    assert load("de", weighting="index").compute(predictions=GERMAN, references=BANKS) == late


def test_ties() -> None:
    bad = {"lemma": "Ufer", "synsets": ["u", "v"], "frequency_indices": [1, 3]}
    row = {"good": ["Bank"], "bad": [bad], "frequency_index": 4}
    results = [
        load("de", ties=ties).compute(predictions=["am Ufer"], references=[row]) for ties in ("most_frequent", "strict")
    ]
    assert [result["mfs"] for result in results] == [100.0, None]


def test_rules() -> None:
    row = [{"good": ["Zuweisung"], "bad": ["Aufgabe"]}]
    texts = ["Die Stationszuweisung ist fertig."]
    assert load("de").compute(predictions=texts, references=row)["miss"] == 1
    result = load("de", enable_rules="compound").compute(predictions=texts, references=row)
    assert result["good"] == 1 and "(+compound)" in result["signature"]
    assert (
        "(-inversion)"
        in load("de", disable_rules=["inversion"]).compute(predictions=texts, references=row)["signature"]
    )


def test_analyzers_by_name_and_by_object() -> None:
    names = load("de", analyzers=["simplemma"]).compute(predictions=GERMAN, references=BANKS)
    # An object of the installed package, which the loaded copy does not know.
    given_object = load("de", analyzers=[Judge("de").analyzers[0]])
    assert given_object.compute(predictions=GERMAN, references=BANKS) == names


def test_intervals(metric: Any) -> None:
    options = {"level": 0.9, "n_resamples": 100, "seed": 3}
    result = metric.compute(predictions=GERMAN, references=BANKS, **options)
    assert result["accuracy_low"] <= result["accuracy"] <= result["accuracy_high"]
    assert "|level:0.9|resamples:100|seed:3|version:" in result["signature"]
    assert metric.compute(predictions=GERMAN, references=BANKS, **options) == result
    assert "accuracy_low" not in metric.compute(predictions=GERMAN, references=BANKS)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"itmes": []}, InputError, "load has no option 'itmes' .did you mean 'items'?"),
        ({"nbest": "best"}, InputError, "nbest 'best' is unknown; choose one of 'oracle', 'min_perplexity'"),
        ({"weighting": "x"}, InputError, "weighting 'x'"),
        ({"ties": None}, InputError, "ties None"),
        ({"enable_rules": "compuond"}, UnknownRuleError, "'compuond'; the rules are: .*compound"),
        ({"analyzers": "spacy"}, UnknownAnalyzerError, "'spacy'"),
        ({"analyzers": ["jieba"]}, UnknownAnalyzerError, "does not read 'de'"),
        ({"items": "no/such/file"}, InputError, "no/such/file: cannot be read"),
        ({"experiment_id": "../../x"}, InputError, "experiment_id becomes part of a file name"),
        ({"experiment_id": 3}, InputError, "experiment_id"),
    ],
)
def test_bad_load_option(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        load("de", **options)
    assert type(caught.value).__name__ == error.__name__


@pytest.mark.parametrize("name", ["../../x", "xx", "", "DE", "default", "de/../..", "de\0"])
def test_bad_language(name: str, tmp_path: Path) -> None:
    with pytest.raises(LookupError, match="unknown language .*expected one of bg, zh, nl") as caught:
        load(name, cache_dir=str(tmp_path / "a" / "b"))
    assert type(caught.value).__name__ == UnknownLanguageError.__name__
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"wieghting": "index"}, "compute has no option 'wieghting' .did you mean 'weighting'?"),
        ({"weighting": "x"}, "weighting 'x' is unknown"),
        ({"level": 95}, "level is 95"),
        ({"level": 0.9, "seed": -1}, "seed is -1"),
        ({"level": 0.9, "n_resamples": 0}, "n_resamples is 0"),
    ],
)
def test_bad_option_is_noticed_before_data_are_consumed(metric: Any, options: dict[str, Any], message: str) -> None:
    texts, rows = iter(GERMAN), iter(BANKS)
    with pytest.raises(ValueError, match=message):
        metric.compute(predictions=texts, references=rows, **options)
    assert (next(texts), next(rows)) == (GERMAN[0], BANKS[0])
    with pytest.raises(ValueError, match="add_batch has no option 'prediction'"):
        metric.add_batch(predictions=texts, references=rows, prediction=1)
    with pytest.raises(ValueError, match="add has no option 'reference_'"):
        metric.add(prediction=1, reference_=1)


# Several languages


def test_several_languages(metric: Any) -> None:
    rows = [{**row, "language": "de"} for row in BANKS]
    mixed_rows = [rows[0], SPANISH[0], *rows[1:], SPANISH[1]]
    mixed_texts = [GERMAN[0], SPANISH_TEXTS[0], *GERMAN[1:], SPANISH_TEXTS[1]]
    several = load()
    result = several.compute(predictions=mixed_texts, references=mixed_rows)
    assert list(result)[: len(FIRST)] == FIRST
    assert (result["n"], result["good"], result["bad"]) == (6, 3, 2)
    assert result["accuracy_de"] == 100 * 2 / 3 and result["accuracy_es"] == 100 * 1 / 2
    assert result["accuracy"] == pytest.approx((100 * 2 / 3 + 100 * 1 / 2) / 2)
    assert (result["languages"], result["accuracy_languages"]) == ("de es", 2)
    assert result["pdi"] == result["pdi_de"] and result["pdi_languages"] == 1
    assert "pdi: mean over 1 of 2 languages (es:" in result["partial"]
    assert result["signature"].startswith("dibimt|lang:de,es|analyzers:simplemma-")
    labels = [judgment.label.value for judgment in several.judgments]
    assert labels == ["GOOD", "GOOD", "GOOD", "BAD", "MISS", "BAD"]
    assert [judgment.language for judgment in several.judgments] == ["de", "es", "de", "de", "de", "es"]
    alone = metric.compute(predictions=GERMAN, references=rows)
    assert {name: result[f"{name}_de"] for name in alone} == alone


def test_all_is_the_name_of_several() -> None:
    results = [load(name).compute(predictions=SPANISH_TEXTS, references=SPANISH) for name in ("all", None)]
    assert results[0] == results[1] and results[0]["accuracy_es"] == 50.0


def test_options_of_several_languages() -> None:
    several = load(analyzers={"es": "simplemma"}, enable_rules=["compound"], disable_rules="reflexive")
    result = several.compute(predictions=SPANISH_TEXTS[:1], references=SPANISH[:1], level=0.9, n_resamples=20)
    assert "|rules:es.1(-reflexive)|" in result["signature_es"]
    assert result["accuracy_low_es"] == 100.0
    with pytest.raises(LookupError, match="unknown language 'xx'"):
        load(analyzers={"xx": "simplemma"})
    with pytest.raises(LookupError, match="no rule of bg, zh, .* is named 'x'"):
        load(enable_rules="x")


def test_same_id_in_two_languages_is_fine() -> None:
    rows = [{**BANKS[0], "language": "de"}, SPANISH[0]]
    assert load().compute(predictions=[GERMAN[0], SPANISH_TEXTS[0]], references=rows)["good"] == 2


# Bad input


def test_nothing_to_score(metric: Any) -> None:
    for compute in (lambda: metric.compute(), lambda: metric.compute(predictions=[], references=[])):
        with pytest.raises(ValueError, match="there is nothing to score"):
            compute()
    with pytest.raises(ValueError, match="there is nothing to score"):
        load("de", keep_in_memory=True).compute()


@pytest.mark.parametrize(
    ("predictions", "references", "message"),
    [
        (None, BANKS, "predictions: expected a list .* not None"),
        (GERMAN, None, "references: expected a list .* not None"),
        ("Am Ufer.", BANKS[:1], "predictions: .* one string"),
        (GERMAN, BANKS[0], "references: .* one object"),
        (GERMAN[:3], BANKS, "3 predictions, but 4 references"),
        ([*GERMAN[:3], None], BANKS, r"predictions\[3\]: .*not None"),
        ([*GERMAN[:3], 5], BANKS, r"predictions\[3\]: .*not 5 \(int\)"),
        (GERMAN, [*BANKS[:3], None], r"references\[3\]: E302"),
        (GERMAN, [*BANKS[:3], {"goood": []}], r"references\[3\]: E211"),
        (GERMAN, ["1", "2", "3", "4"], r"references\[0\]: '1' is read as an item id"),
        (GERMAN, [*BANKS[:3], BANKS[0]], "item '1' .de. is given twice: as reference 0 and as reference 3"),
    ],
)
def test_bad_data(metric: Any, predictions: Any, references: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        metric.compute(predictions=predictions, references=references)
    assert type(caught.value).__mro__[-4].__name__ in ("DibimtError", "InputError", "ValueError")
    assert metric.compute(predictions=GERMAN, references=BANKS)["n"] == 4


def test_id_of_an_earlier_batch(metric: Any) -> None:
    metric.add(prediction=GERMAN[0], reference=BANKS[0])
    with pytest.raises(ValueError, match="item '1' .* as reference 0 and as reference 1 "):
        metric.add(prediction=GERMAN[0], reference=BANKS[0])
    assert metric.compute()["n"] == 1
    assert metric.compute(predictions=GERMAN[:1], references=BANKS[:1])["n"] == 1


def test_a_failed_batch_adds_nothing(metric: Any) -> None:
    metric.add_batch(predictions=GERMAN[:2], references=BANKS[:2])
    with pytest.raises(ValueError, match=r"predictions\[1\]"):
        metric.add_batch(predictions=["", None], references=BANKS[2:])
    assert metric.compute(predictions=GERMAN[2:], references=BANKS[2:]) == expected(metric)


def test_a_failed_computation_leaves_nothing_behind(tmp_path: Path) -> None:
    for options in ({"cache_dir": str(tmp_path)}, {"keep_in_memory": True}):
        metric = load("de", **options)
        metric.add_batch(predictions=GERMAN, references=BANKS)
        metric._session.data_set = None  # anything that makes the computation itself fail
        metric._session.judge = None
        with pytest.raises(TypeError):
            metric.compute()
        del metric._session.judge
        assert not list(tmp_path.rglob("*.arrow"))
        assert metric.compute(predictions=GERMAN, references=[{**row, "id": None} for row in BANKS])["n"] == 4


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("", "MISS"),
        (" \t\n", "MISS"),
        ("\x00\x01\x1b[0m", "MISS"),
        ("Am\x00Ufer\x07.", "GOOD"),
        ("Am Ufer\u200b.", "GOOD"),
        ("Am U\u00adfer", "GOOD"),
        ("\ud800", "MISS"),
        ("\ud800 Ufer \udfff", "GOOD"),
        ("x" * 1_000_000, "MISS"),
        ("Ufer " * 20_000, "GOOD"),
        ("Am Ufer, " + "." * 1_000_000, "GOOD"),
        ("😀" * 1000 + " Ufer", "GOOD"),
    ],
)
def test_strange_translations(metric: Any, text: str, label: str) -> None:
    metric.compute(predictions=[text], references=[{"good": ["Ufer"], "bad": ["Bank"]}])
    assert metric.judgments[0].label.value == label
    assert metric.judgments[0].matches == () or metric.judgments[0].matches[0].text in text


def test_candidate_of_ten_thousand_words(metric: Any) -> None:
    long = " ".join(f"Wort{i}" for i in range(10_000))
    for text, label in ((long, "GOOD"), ("Am Ufer", "MISS"), ("Wort0 * Wort9999", "MISS")):
        metric.compute(predictions=[text], references=[{"good": [long], "bad": ["Bank"]}])
        assert metric.judgments[0].label.value == label
    many = {"good": [f"Wort{i}" for i in range(10_000)], "bad": ["Bank"]}
    metric.compute(predictions=["Das ist Wort77."], references=[many])
    assert metric.judgments[0].label.value == "GOOD"


# Properties


WORDS = {
    "de": "Ufer Ufern Bank Bänke sich vorstellen stellt sich vor legt zurück aus der Mode kam . , U-Bahn ß",
    "es": "orilla banco bancos darse cuenta se dio me doy cuenta lavarse lavarme del , . ¿",
    "zh": "河岸 银行 岸 銀行 他们 在 。 坐 了 ，",
}
CANDIDATES = {
    "de": [
        "Ufer",
        "Bank",
        "sich vorstellen",
        "zurücklegen",
        "legen",
        "aus der Mode kommen",
        "U-Bahn",
        "Bahn",
    ],
    "es": ["orilla", "banco", "darse cuenta", "cuenta", "lavarse", "lavar"],
    "zh": ["河岸", "银行", "岸", "坐", "他们"],
}
LANGUAGE = st.sampled_from(sorted(WORDS))
SESSIONS: dict[str, Session] = {}


def session(language: str) -> Session:
    return SESSIONS.setdefault(language, Session(language))


@st.composite
def cases(draw: st.DrawFn) -> tuple[str, str, list[str], list[str]]:
    """Language, text, good and bad candidates; the text holds candidates, and anything else."""
    language = draw(LANGUAGE)
    word = st.sampled_from(WORDS[language].split()) | st.text(max_size=4)
    text = draw(st.sampled_from(["", " "]).flatmap(lambda space: st.lists(word, max_size=12).map(space.join)))
    chosen = draw(st.lists(st.sampled_from(CANDIDATES[language]), min_size=1, unique=True))
    border = draw(st.integers(0, len(chosen)))
    return language, text, chosen[:border], chosen[border:]


def judged(language: str, text: str, good: list[str], bad: list[str]) -> Any:
    of_language = session(language)
    of_language.add([text], [{"good": good, "bad": bad}])
    judgment = of_language.report(of_language.waiting).judgments[0]
    of_language.forget()
    return judgment


@given(LANGUAGE, st.text(st.characters(exclude_categories=())))
def test_any_text_has_a_label(language: str, text: str) -> None:
    candidates = CANDIDATES[language]
    assert judged(language, text, candidates[:2], candidates[2:]).label in Label


@given(cases(), st.randoms())
def test_the_order_of_candidates_changes_nothing(case: Any, shuffle: random.Random) -> None:
    language, text, good, bad = case
    first = judged(language, text, good, bad)
    shuffle.shuffle(good)
    shuffle.shuffle(bad)
    second = judged(language, text, good, bad)
    assert second.label is first.label and second.chosen_frequency_index == first.chosen_frequency_index
    found = [{(m.set, m.candidate, m.spans) for m in judgment.matches} for judgment in (first, second)]
    assert found[0] == found[1]


@settings(max_examples=200)
@given(cases())
def test_spans_reproduce_the_text(case: Any) -> None:
    language, text, good, bad = case
    judgment = judged(language, text, good, bad)
    for match in (*judgment.matches, *(each.match for each in judgment.dropped)):
        assert text[match.start : match.end] == match.text
        assert match.spans == tuple(sorted(match.spans))
        assert (match.start, match.end) == (match.spans[0][0], max(end for _, end in match.spans))
        assert match.start < match.end


@given(cases())
def test_explaining_shows_the_label_that_is_scored(case: Any) -> None:
    language, text, good, bad = case
    shown = session(language).explain(text, {"good": good, "bad": bad})
    assert shown.splitlines()[-1].startswith(judged(language, text, good, bad).label.value)
