"""``dataset=``: the metric loads its items itself, once, and says which they were. Here from folders; the Hub is in
``tests/hub/test_metric_dataset.py``."""

from __future__ import annotations

import doctest
import importlib
import json
import os
import pickle
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import datasets
import evaluate
import pytest

from dibimt_dataset import mini_items, mini_translations
from dibimt_metric import load_items, make_item
from dibimt_metric.errors import InputError, ItemError, MissingLibraryError, UnknownItemError
from dibimt_metric.items_data_rows import Rows, open_source
from dibimt_metric.items_data_set import load_data_set
from dibimt_metric.records import Focus
from dibimt_metric.session import Session
from dibimt_metric.signature import parse_signature
from tests.dibimt_metric.test_contract import finish, start

ROOT = Path(__file__).parents[2]
FOLDER = str(ROOT / "dibimt_metric")
MINI = ROOT / "dibimt_dataset"
ORIGIN = re.compile(r"\w+@[0-9a-f]{12}")

DE = [
    {"id": "1", "good": ["Ufer"], "bad": ["Bank"], "definition": "of a river"},
    {"id": "2", "good": ["Bank"], "bad": ["Ufer"], "definition": "for money"},
    {"id": "3", "good": ["Bank"], "bad": ["Ufer"], "definition": "for money"},
]
ES = [{"id": "1", "good": ["orilla"], "bad": ["banco"], "definition": "of a river"}]
TEXTS = ["Wir saßen am Ufer.", "Am Ufer gibt es Geld.", "Es regnet."]
IDS = ["1", "2", "3"]


def write(folder: Path, rows: dict[str, Any], card: str | None = None) -> Path:
    """A data set with a configuration for each key, or for each ``configuration/split``."""
    (folder / "data").mkdir(parents=True)
    lines = ["---", "configs:"]
    for place, each in rows.items():
        configuration, _, split = place.partition("/")
        path = f"data/{configuration}{split}.jsonl"
        (folder / path).write_text("".join(json.dumps(row) + "\n" for row in each))
        if f"- config_name: {configuration}" not in lines:
            lines += [f"- config_name: {configuration}", "  data_files:"]
        lines.append(f"  - {{split: {split or 'test'}, path: {path}}}")
    (folder / "README.md").write_text(card if card is not None else "\n".join([*lines, "---", ""]))
    return folder


@pytest.fixture
def banks(tmp_path: Path) -> Path:
    return write(tmp_path / "banks", {"de": DE, "es": ES})


def metric(*args: Any, **options: Any) -> Any:
    return evaluate.load(FOLDER, *args, **options)


# The same numbers as with the items themselves


def test_mini_set_by_its_ids() -> None:
    items = mini_items("de")
    ids, texts = [item.id for item in items], mini_translations("de", "careful")
    result = metric("de", dataset=str(MINI)).compute(predictions=texts, references=ids)
    expected = metric("de", items=items).compute(predictions=texts, references=ids)
    signature, other = (parse_signature(each.pop("signature")) for each in (result, expected))
    assert re.fullmatch(r"dibimt_dataset@[0-9a-f]{12}", signature.get("dataset") or "")
    assert tuple(field for field in signature.fields if field[0] != "dataset") == other.fields
    assert result == expected and result["n"] == len(items)


@pytest.mark.parametrize("language", ["de", "zh"])
def test_items_are_those_of_the_files(language: str) -> None:
    assert load_items(MINI, language) == mini_items(language)


def test_ids_and_rows_together(banks: Path) -> None:
    session = Session("de", dataset=banks)
    session.add(TEXTS, ["1", {"good": ["Bank"], "bad": ["Ufer"]}, {"id": "3", "good": None}])
    record = session.report(session.waiting).record
    assert (record["good"], record["bad"], record["miss"]) == (1, 1, 1)
    assert "|dataset:banks@" in str(record["signature"])


def test_signature_without_items_of_the_data_set(banks: Path) -> None:
    rows = [{"good": ["Ufer"], "bad": ["Bank"]}]
    session = Session("de", dataset=banks)
    session.add(TEXTS[:1], rows)
    plain = Session("de")
    plain.add(TEXTS[:1], rows)
    assert session.report(session.waiting).record == plain.report(plain.waiting).record


def test_several_languages(banks: Path) -> None:
    references = [*({"id": each, "language": "de"} for each in IDS), {"id": "1", "language": "es"}]
    several = Session(dataset=banks)
    several.add([*TEXTS, "Se sentó en la orilla."], references)
    record = several.report(several.waiting).record
    alone = Session("de", dataset=banks)
    alone.add(TEXTS, IDS)
    assert record["accuracy_es"] == 100.0
    german = alone.report(alone.waiting).record
    assert {key: record[f"{key}_de"] for key in german} == german
    origins = [load_data_set(banks, code).origin(code) for code in ("de", "es")]
    assert parse_signature(str(record["signature"])).get("dataset") == ",".join(origins)
    with pytest.raises(InputError, match=r"item '1' of banks does not determine the language \(it has: de, es\)"):
        several.add(TEXTS[:1], ["1"])
    with pytest.raises(UnknownItemError, match="item '1' of banks is for de, es, not for 'nl'"):
        several.add(TEXTS[:1], [{"id": "1", "language": "nl"}])


# Once, and the same for all


def test_items_are_loaded_once(banks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    load = datasets.load_dataset

    def counted(path: str, name: str, **options: Any) -> Any:
        calls.append(name)
        return load(path, name, **options)

    monkeypatch.setattr(datasets, "load_dataset", counted)
    german = metric("de", dataset=str(banks))
    for _ in range(3):
        german.compute(predictions=TEXTS, references=IDS)
    german.add(prediction=TEXTS[0], reference="1")
    german.explain(TEXTS[0], "1")
    assert calls == ["de"]
    Session(dataset=banks).add(TEXTS[:1], [{"id": "1", "language": "de"}])
    assert calls == ["de", "de", "es"]


def test_pickled(banks: Path) -> None:
    german = metric("de", dataset=str(banks))
    copy = pickle.dumps(german)
    shutil.rmtree(banks)
    german, copy = (each.compute(predictions=TEXTS, references=IDS) for each in (german, pickle.loads(copy)))
    assert german == copy and copy["accuracy"] == 100 * 1 / 2


def test_processes_with_different_items_are_told_apart(banks: Path) -> None:
    first = Session("de", dataset=banks)
    first.add(TEXTS[:2], IDS[:2])
    same = Session("de", dataset=banks)
    same.add(TEXTS[2:], IDS[2:])
    assert first.report([*first.waiting, *same.waiting]).record["n"] == 3
    (banks / "data" / "de.jsonl").write_text("\n".join(map(json.dumps, [*DE[:2], {**DE[2], "polysemy": 3}])))
    other = Session("de", dataset=banks)
    other.add(TEXTS[2:], IDS[2:])
    with pytest.raises(InputError, match=r"one process has loaded banks@\w+ and another banks@\w+; load the same"):
        first.report([*first.waiting, *other.waiting])


@pytest.mark.slow
def test_two_processes(banks: Path, tmp_path: Path) -> None:
    shares = (
        (["Se sentó en la orilla."], ["1"]),
        (["No."], [{"id": "2", "good": ["banco"], "bad": ["orilla"]}]),
    )
    common = {"num_process": 2, "experiment_id": "two", "cache_dir": str(tmp_path), "dataset": str(banks)}
    started = [start(FOLDER, *share, tmp_path, process_id=i, **common) for i, share in enumerate(shares)]
    first, second = [finish(process) for process in started]
    assert (first["n"], first["good"], first["miss"], second) == (2, 1, 1, None)
    assert "|dataset:banks@" in first["signature"]


# The revision of a folder


def origin(folder: Path) -> str:
    return load_data_set(folder, "de").origin("de")


def test_revision_of_a_folder_is_what_its_items_say(tmp_path: Path) -> None:
    first = origin(write(tmp_path / "a" / "banks", {"de": DE, "es": ES}))
    assert ORIGIN.fullmatch(first) and first.startswith("banks@")
    assert origin(write(tmp_path / "b" / "banks", {"de": DE[::-1], "nl": ES})) == first
    assert origin(write(tmp_path / "c" / "banks", {"de": [{**row, "language": "de"} for row in DE]})) == first
    changes = [
        {"definition": "of a lake"},
        {"good": ["Ufer", "Flussufer"]},
        {"id": "x"},
        {"source": "A bank."},
    ]
    changed = [[{**DE[0], **change}, *DE[1:]] for change in changes]
    others = [origin(write(tmp_path / str(i) / "banks", {"de": rows})) for i, rows in enumerate([*changed, DE[:2]])]
    assert len({first, *others}) == 1 + len(others)


def test_a_folder_that_is_changed_is_read_again(banks: Path) -> None:
    before = origin(banks)
    (banks / "data" / "de.jsonl").write_text("\n".join(map(json.dumps, DE[:2])))
    assert len(load_items(banks, "de")) == 2 and origin(banks) != before


def test_name_of_the_folder_alone(banks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(banks)
    assert load_data_set(".", "de").origin("de") == origin(banks)
    monkeypatch.setenv("HOME", str(banks.parent))
    assert load_data_set("~/banks", "de").origin("de") == origin(banks)


# What a data set may look like


def test_null_fields_are_missing(tmp_path: Path) -> None:
    features = """---
configs:
- {config_name: de, data_files: [{split: test, path: data/de.jsonl}]}
dataset_info:
- config_name: de
  features:
  - {name: id, dtype: string}
  - {name: source, dtype: string}
  - {name: focus, struct: [{name: text, dtype: string}, {name: start, dtype: int64}, {name: end, dtype: int64}]}
  - {name: lemma, dtype: string}
  - {name: pos, dtype: string}
  - {name: polysemy, dtype: int64}
  - {name: good, list: [{name: lemma, dtype: string}, {name: synsets, sequence: string}]}
  - {name: bad, list: [{name: lemma, dtype: string}, {name: frequency_indices, sequence: int64}]}
---
"""
    nothing = {"text": None, "start": None, "end": None}
    rows = [
        {
            "id": "1",
            "source": "A bank.",
            "focus": {"text": "bank", "start": 2, "end": 6},
            "good": [{"lemma": "Ufer"}],
        },
        {"id": "2", "focus": nothing, "good": [{"lemma": "Bank", "synsets": ["s"]}], "bad": []},
    ]
    first, second = load_items(write(tmp_path / "nulls", {"de": rows}, features), "de")
    assert first == make_item({**rows[0], "language": "de"}) and first.focus == Focus("bank", 2, 6)
    assert second == make_item({**rows[1], "focus": None, "language": "de"})


def test_single_configuration_for_all_languages(tmp_path: Path) -> None:
    rows = [{**row, "language": "de"} for row in DE] + [{**ES[0], "language": "es"}, {**ES[0], "id": "any"}]
    folder = tmp_path / "plain"
    folder.mkdir()
    (folder / "items.jsonl").write_text("\n".join(json.dumps({"language": None, **row}) for row in rows))
    assert [item.id for item in load_items(folder, "es")] == ["1", "any"]
    assert len(load_items(folder)) == 5
    alone, several = load_data_set(folder, "es"), load_data_set(folder)
    assert alone.origin("es") == several.origin("es") != several.origin("de")
    with pytest.raises(InputError, match=r"data set 'plain': no item is for language 'ru'"):
        load_items(write(tmp_path / "x" / "plain", {"default": rows[:4]}), "ru")


def test_split(tmp_path: Path) -> None:
    assert len(load_items(write(tmp_path / "one", {"de/validation": DE}), "de")) == 3
    assert len(load_items(write(tmp_path / "test", {"de/train": DE, "de/test": DE[:2]}), "de")) == 2
    with pytest.raises(InputError, match="no split is named 'test', and there are several: train, validation"):
        load_items(write(tmp_path / "several", {"de/train": DE, "de/validation": DE}), "de")


def test_configurations_that_are_no_languages_are_left_out(tmp_path: Path) -> None:
    folder = write(tmp_path / "set", {"de": DE, "notes": [{"note": "no item"}]})
    assert load_items(folder) == load_items(folder, "de")
    with pytest.raises(InputError, match="data set 'set' has no configuration 'ru'; it has: de, notes"):
        load_items(folder, "ru")
    with pytest.raises(InputError, match="configuration 'ru'; it has: notes, other"):
        load_items(write(tmp_path / "x" / "set", {"notes": DE, "other": DE}), "ru")


# Errors


@pytest.mark.parametrize(
    ("rows", "error", "message"),
    [
        ([DE[0], {"id": "2", "good": ["*"]}], ItemError, "E102 line 2, item '2'"),
        ([*DE, DE[1]], ItemError, "E202 line 4, item '2': this id is used already in line 2"),
        (
            [{**DE[0], "language": "nl"}],
            InputError,
            "item '1' is for language 'nl'; a configuration with the name",
        ),
        (
            [{"question": "?", "answer": "!"}],
            InputError,
            "it does not hold items; its columns are question, answer",
        ),
        ([{"id": "1", "answer": "!"}], InputError, "it does not hold items; its columns are id, answer"),
        ([{"good": ["Ufer"]}], InputError, "it does not hold items; its columns are good, and"),
        ([{**DE[0], "translation": "x"}], InputError, "items have no field 'translation'; remove the column"),
    ],
)
def test_bad_rows(tmp_path: Path, rows: list[Any], error: type[InputError], message: str) -> None:
    folder = write(tmp_path / "set", {"de": rows})
    with pytest.raises(error, match=f"(?s)data set 'set', configuration 'de', split 'test'.*{message}") as caught:
        load_items(folder, "de")
    lines = str(caught.value).splitlines()
    assert len(lines) == (2 if error is ItemError else 1)


def test_very_many_bad_rows_are_counted(tmp_path: Path) -> None:
    rows = [{"id": str(i), "good": ["*"]} for i in range(30)]
    with pytest.raises(ItemError) as caught:
        load_items(write(tmp_path / "set", {"de": rows}), "de")
    assert len(caught.value.problems) == 30 and str(caught.value).endswith("and 10 more")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("dibimt", "'dibimt' is neither a folder here nor a name of the Hub, which has the form USER/NAME"),
        ("./nothing", "neither a folder here"),
        ("../user/name", "neither a folder here"),
        ("user/../name", "neither a folder here"),
        ("user/name/more", "neither a folder here"),
        ("user/na me", "neither a folder here"),
        ("-user/name", "neither a folder here"),
        ("hf://datasets/user/name", "neither a folder here"),
        (Path("user/name"), "neither a folder here"),
        ("json", "neither a folder here"),
        ("", "a data set is a folder, or USER/NAME of the Hub, not ''"),
        ("a\0b", "a data set is a folder"),
        (
            "a" * 5000,
            r"data set 'a{20,30}\.\.\.a{20,30}' cannot be read \(File name too long\); check the path",
        ),
        ("~nobody-of-this-name/x", "neither a folder here"),
        (7, "a data set is a folder, or USER/NAME of the Hub, not 7"),
        (["a/b"], "a data set is a folder"),
        (__file__, "is a file; give its folder, or the file itself as items="),
        (
            "user/name",
            "data set 'user/name': offline mode is on, and the cache does not hold configuration 'de'",
        ),
    ],
)
def test_bad_names(source: Any, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        load_items(source, "de")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"dataset": "user/name", "items": DE}, "items and dataset are both given"),
        ({"dataset_revision": "main"}, "dataset_revision is given without dataset"),
        (
            {"dataset": str(MINI), "dataset_revision": "main"},
            "dataset_revision is for data sets of the Hub, .* omit it",
        ),
        ({"dataset": "user/name", "dataset_revision": 3}, "dataset_revision is a branch, .* not 3"),
        ({"dataset": "user/name", "dataset_revision": " "}, "dataset_revision is a branch, .* not ' '"),
        (
            {"dataset": "user/name", "dataset_revision": "v1"},
            "so the commit of dataset_revision 'v1' is not known",
        ),
        (
            {"dataset": "user/name", "dataset_revision": "0" * 40},
            "configuration 'de' in commit 0{40}; load it once",
        ),
        ({"datset": "user/name"}, "load has no option 'datset' .did you mean 'dataset'"),
    ],
)
def test_bad_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        metric("de", **options)


def test_unknown_id(banks: Path) -> None:
    with pytest.raises(UnknownItemError, match="no item of banks has the id '9'; its 3 ids are '1', '2', '3'"):
        Session("de", dataset=banks).add(TEXTS[:1], ["9"])


def test_broken_folders(tmp_path: Path) -> None:
    broken: list[tuple[Callable[[Path], Any], str]] = [
        (
            lambda folder: (folder / "data" / "de.jsonl").write_text('{"id": "1"}\n{"id":'),
            "cannot be read .*JSON",
        ),
        (lambda folder: (folder / "data" / "de.jsonl").unlink(), "cannot be read|a file that is not there"),
        (lambda folder: (folder / "data" / "de.jsonl").write_bytes(b""), "cannot be read|no row|no data"),
        (lambda folder: (folder / "README.md").write_text("---\nconfigs: [{{\n---\n"), "cannot be read"),
        (
            lambda folder: (folder / f"{folder.name}.py").write_text("1 / 0"),
            "is a loading script, which is not run",
        ),
    ]
    for number, (breaks, message) in enumerate(broken):
        folder = write(tmp_path / f"set{number}", {"de": DE})
        breaks(folder)
        with pytest.raises(InputError, match=f"data set 'set{number}'.*({message})") as caught:
            load_items(folder, "de")
        assert "\n" not in str(caught.value)


def test_card_that_promises_more_rows(tmp_path: Path) -> None:
    card = """---
configs:
- {config_name: de, data_files: [{split: test, path: data/de.jsonl}]}
dataset_info:
- {config_name: de, splits: [{name: test, num_examples: 4, num_bytes: 0}]}
---
"""
    with pytest.raises(InputError, match="its card promises 4 rows of split 'test', but its files hold 3"):
        load_items(write(tmp_path / "set", {"de": DE}, card), "de")


def test_without_the_library(banks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasets", None)
    for source in (banks, "user/name"):
        with pytest.raises(MissingLibraryError, match=r"needs the library datasets: pip install 'dibimt\[evaluate\]'"):
            load_items(source, "de")


@pytest.mark.parametrize("name", ["items_data_set", "items"])
def test_examples_in_docstrings(name: str) -> None:
    results = doctest.testmod(importlib.import_module(f"dibimt_metric.{name}"))
    assert results.failed == 0 and results.attempted > 0


def test_rows_as_they_are_read(banks: Path) -> None:
    rows = open_source(banks).rows("es")
    assert rows == Rows("es", "test", ("id", "good", "bad", "definition"), (ES[0],))
    assert open_source(banks).rows("nl") is None
    assert open_source(banks).configurations() == ("de", "es")
    assert open_source(os.fspath(banks)).commit is None
