"""``dibimt explain``: text and JSON, and agreement with ``dibimt score``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dibimt_dataset.mini import SYSTEMS, mini_items, mini_translations
from dibimt_metric.languages import LANGUAGES

EXPLAIN = "explain --language de --items items.jsonl"


def test_text_of_an_item(folder: Path, run) -> None:
    code, out, err = run(f"{EXPLAIN} --id 1", "--translation", "Wir saßen am Ufer.")
    assert (code, err) == (0, "")
    assert "source       We sat on the [bank].\n" in out
    assert "focus        bank, noun, sense 1 of 10: land beside water\n" in out
    assert "translation  Wir saßen am Ufer.\n" in out
    assert "\n13-17  Ufer   Ufer" in out
    assert "\nGOOD  Ufer       lemma  13-17  Ufer  simplemma\n" in out
    assert "\nGOOD because only candidates of the GOOD list were found: 'Ufer'.\n" in out
    assert out.rstrip().splitlines()[-1].startswith("signature: dibimt|lang:de|")


def test_candidates_without_items(run) -> None:
    code, out, _ = run("explain --language de --good Ufer,Bö --bad Bank --bad Geldinstitut --translation Bank --json")
    record = json.loads(out)
    assert code == 0
    assert record["label"] == "BAD"
    assert [each["lemma"] for each in record["item"]["good"]] == ["Ufer", "Bö"]
    assert [each["lemma"] for each in record["item"]["bad"]] == ["Bank", "Geldinstitut"]
    assert record["reason"].startswith("BAD because only candidates of the BAD list were found: 'Bank'")


def test_translation_from_standard_input_may_begin_with_a_hyphen(run) -> None:
    code, out, _ = run("explain --language de --good ja --bad nein --translation - --json", stdin=b"-ja\n")
    assert code == 0
    assert json.loads(out)["translation"] == "-ja"
    code, _, err = run("explain --language de --good ja --bad nein --translation -", stdin=b"\xff")
    assert (code, "standard input: not UTF-8" in err) == (2, True)


def test_nbest_list_shows_the_hypothesis_that_decided(run) -> None:
    texts = " ".join(f"--translation {text}" for text in ("Bank", "nichts", "Ufer"))
    command = f"explain --language de --good Ufer --bad Bank {texts}"
    code, out, _ = run(command)
    assert code == 0
    assert "hypothesis   number 2 of 3, counted from 0\n" in out
    assert "translation  Ufer\n" in out
    record = json.loads(run(f"{command} --json")[1])
    assert (record["hypothesis"], record["hypotheses"], record["label"]) == (2, 3, "GOOD")


def test_nbest_list_without_a_decision(run) -> None:
    command = "explain --language de --good Ufer --bad Bank --translation"
    code, out, _ = run(command, "Ufer Bank", "--translation", "nichts")
    assert code == 0
    assert "MISS because no hypothesis is GOOD or BAD, and one with candidates of both lists decides nothing." in out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            "--items items.jsonl --id 9 --translation x",
            "no item has the id '9'; there are 4, such as '1', '2', '3'",
        ),
        ("--items items.jsonl --translation x", "--items needs --id"),
        (
            "--items items.jsonl --id 1 --good a --translation x",
            "--items needs --id, and excludes --good and --bad",
        ),
        ("--id 1 --translation x", "--id and --predictions need --items"),
        ("--good a --predictions hyp.txt", "--id and --predictions need --items"),
        ("--translation x", "give --items and --id, or the candidates with --good and --bad"),
        ("--good * --translation x", "E102"),
        ("--good a --bad A --translation x", "E104"),
        ("--good , --translation x", "E209"),
        ("--items nowhere.jsonl --id 1 --translation x", "nowhere.jsonl: cannot be read"),
        ("--good a --translation x --output hyp.txt", "hyp.txt: cannot be written: it exists"),
    ],
)
def test_input_that_cannot_be_used(folder: Path, run, options: str, message: str) -> None:
    code, out, err = run(f"explain --language de {options}")
    assert (code, out) == (2, "")
    assert message in err


def test_translation_and_predictions_exclude_each_other(folder: Path, run) -> None:
    code, _, err = run(f"{EXPLAIN} --id 1 --translation x --predictions hyp.txt")
    assert (code, "not allowed with argument" in err) == (2, True)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("system", SYSTEMS)
def test_explain_and_score_agree_on_real_text(tmp_path: Path, run, language: str, system: str) -> None:
    data = f"--language {language} --items mini --predictions mini:{system}"
    assert run(f"score {data} --per-item {tmp_path / 'labels.jsonl'}")[0] == 0
    labels = [json.loads(line) for line in (tmp_path / "labels.jsonl").read_text("utf-8").splitlines()]
    texts = mini_translations(language, system)
    for item, line, text in list(zip(mini_items(language), labels, texts, strict=True))[::4]:
        command = f"explain --language {language} --items mini --json --id {item.id}"
        explained = json.loads(run(command, f"--translation={text}")[1])
        assert {key: explained[key] for key in line} == line
        assert explained == json.loads(run(f"{command} --predictions mini:{system}")[1])
        for match in line["matches"]:
            assert text[match["start"] : match["end"]] == match["text"]


def test_explain_and_score_agree_on_nbest_lists(folder: Path, run, write_lines) -> None:
    lists = [["Bank", "Ufer"], ["Maus", "nichts"], ["Pferd Esel", "nichts"], ["nichts", "Burg"]]
    write_lines(folder / "hyp.jsonl", lists)
    data = "--language de --items items.jsonl --predictions hyp.jsonl"
    assert run(f"score {data} --per-item labels.jsonl")[0] == 0
    for line in map(json.loads, (folder / "labels.jsonl").read_text("utf-8").splitlines()):
        explained = json.loads(run(f"explain {data} --id {line['id']} --json")[1])
        assert {key: explained[key] for key in line} == line
