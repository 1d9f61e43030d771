"""``dibimt score``: report, JSON, labels of each item, review file, input that cannot be used."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from dibimt_metric.signature import parse_signature

SCORE = "score --language de --items items.jsonl --predictions hyp.txt"
KEYS = "n good bad miss unk accuracy sfi pdi mfs mfs_plus coverage signature".split()


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_json_begins_with_the_keys_of_the_format(folder: Path, run) -> None:
    code, out, err = run(f"{SCORE} --json")
    record = json.loads(out)
    assert (code, err) == (0, "")
    assert list(record)[: len(KEYS)] == KEYS
    # One item each: Ufer, Maus, nothing, Schloss and Burg.
    assert [record[key] for key in KEYS[:5]] == [4, 1, 1, 1, 1]
    assert record["accuracy"] == 100 * 1 / 2
    assert record["coverage"] == 100 * 2 / 4
    # Index 1 is all GOOD, index 4 all BAD; the items with index 2 are MISS and UNK.
    assert record["sfi"] == (100 + 0) / 2
    # The one BAD shows sense 1, the right one is sense 4.
    assert (record["mfs"], record["mfs_plus"]) == (100.0, 100.0)
    assert [cell["bin"] for cell in record["by_frequency_index"] if cell["n"]] == ["<2", "2", "4-5"]
    assert [cell["bin"] for cell in record["by_pos"] if cell["n"]] == ["n", "unknown"]


def test_text_has_the_same_numbers_and_ends_with_the_signature(folder: Path, run) -> None:
    record = json.loads(run(f"{SCORE} --json")[1])
    code, out, _ = run(SCORE)
    assert code == 0
    assert "Labels, German\n--------------\nn  GOOD  BAD  MISS  UNK\n4     1    1     1    1\n" in out
    assert "accuracy    50.00  2 of 4 items (GOOD or BAD)\n" in out
    assert out.endswith(f"\n\nsignature: {record['signature']}\n")
    assert "\nnoun" in out and "\nunknown  1" in out  # by part of speech: one item does not say it
    assert "unknown" not in out.partition("Accuracy by polysemy")[2].partition("Accuracy by part")[0]


def test_undefined_is_said_with_its_reason(folder: Path, run) -> None:
    (folder / "none.txt").write_text("\n\n\n\n", encoding="utf-8")
    command = "score --language de --items items.jsonl --predictions none.txt"
    code, out, _ = run(command)
    assert code == 0
    assert "accuracy   undefined  no GOOD or BAD outcome\n" in out
    assert "MFS        undefined  no BAD outcome\n" in out
    assert "undefined  no GOOD or BAD outcome" in out.partition("Accuracy by frequency index")[2]
    record = json.loads(run(f"{command} --json")[1])
    assert record["accuracy"] is None
    assert record["undefined"]["mfs_plus"] == "no BAD outcome"


def test_lines_for_each_item(folder: Path, run) -> None:
    assert run(f"{SCORE} --per-item out.jsonl")[0] == 0
    first, second, third, fourth = lines(folder / "out.jsonl")
    assert list(first)[:4] == ["id", "label", "matches", "chosen_frequency_index"]
    assert list(first["matches"][0])[:6] == ["set", "candidate", "rule", "start", "end", "text"]
    assert first["matches"][0]["text"] == "Ufer" == "Wir saßen am Ufer."[13:17]
    assert (first["matches"][0]["start"], first["matches"][0]["end"]) == (13, 17)
    assert [each["label"] for each in (first, second, third, fourth)] == ["GOOD", "BAD", "MISS", "UNK"]
    assert [each["chosen_frequency_index"] for each in (first, second, third, fourth)] == [
        None,
        1,
        None,
        None,
    ]
    assert [match["set"] for match in fourth["matches"]] == ["good", "bad"]
    assert third["matches"] == []


def test_review_file_holds_what_was_missed(folder: Path, run) -> None:
    assert run(f"{SCORE} --review review.jsonl")[0] == 0
    (record,) = lines(folder / "review.jsonl")
    assert (record["id"], record["translation"], record["good"]) == ("3", "Es wiehert.", ["Pferd"])
    assert (record["verdict"], record["candidate"]) == (None, None)


def test_review_file_of_another_kind_is_refused(folder: Path, run) -> None:
    code, _, err = run(f"{SCORE} --review review.xlsx")
    assert code == 2 and "review.xlsx" in err and ".tsv" in err


def test_review_sheet_has_one_line_an_item(folder: Path, run, write_lines) -> None:
    write_lines(
        folder / "two.jsonl",
        [{"id": str(n), "source": "a\tb", "good": ["Pferd", "Ross"], "bad": ["Esel"]} for n in (1, 2)],
    )
    write_lines(folder / "hyp.jsonl", ["eins\nzwei\t\u2028drei", "=1+1"])
    command = "score --language de --items two.jsonl --predictions hyp.jsonl --review review.tsv"
    assert run(command)[0] == 0
    with (folder / "review.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert [row["translation"] for row in rows] == ["eins zwei drei", "=1+1"]
    assert (rows[0]["source"], rows[0]["good"], rows[0]["verdict"]) == ("a b", "Pferd; Ross", "")


def test_intervals_are_seeded_and_in_the_signature(folder: Path, run) -> None:
    code, out, _ = run(f"{SCORE} --intervals --seed 7 --json")
    record = json.loads(out)
    assert code == 0
    assert list(record)[: len(KEYS)] == KEYS
    assert record["intervals"]["seed"] == 7
    assert record["intervals"]["accuracy_low"] <= record["accuracy"] <= record["intervals"]["accuracy_high"]
    assert parse_signature(record["signature"]).get("seed") == "7"
    assert run(f"{SCORE} --intervals --seed 7 --json")[1] == out
    assert "95 % interval" in run(f"{SCORE} --intervals")[1]
    # Without a bootstrap the seed changes nothing, so it is not in the signature.
    assert run(f"{SCORE} --seed 7")[1] == run(SCORE)[1]


def test_options_reach_the_judge(folder: Path, run, write_lines) -> None:
    write_lines(folder / "one.jsonl", [{"id": "1", "good": ["Tisch"], "bad": ["Stuhl"]}])
    (folder / "one.txt").write_text("der Holztisch\n", encoding="utf-8")
    command = "score --language de --items one.jsonl --predictions one.txt --json"
    assert json.loads(run(command)[1])["miss"] == 1
    more = "--enable-rule compound --disable-rule inversion --analyzer simplemma --ties strict --weighting index"
    record = json.loads(run(f"{command} {more}")[1])
    assert record["good"] == 1
    fields = dict(parse_signature(record["signature"]).fields)
    assert fields["rules"].endswith("(-inversion,+compound)")
    assert (fields["ties"], fields["weighting"]) == ("strict", "index")


def test_nbest_lists_by_id(folder: Path, run, write_lines) -> None:
    rows = [
        {"id": "4", "translations": ["Burg", "nichts", "Schloss"]},
        {
            "id": "1",
            "translations": [{"text": "Bank", "perplexity": 2.0}, {"text": "Ufer", "perplexity": 1.5}],
        },
        {"id": "2", "translation": "Maus"},
        {"id": "3", "translations": ["Huhn", "Hahn"]},
    ]
    write_lines(folder / "hyp.jsonl", rows)
    command = "score --language de --items items.jsonl --predictions hyp.jsonl --per-item out.jsonl --force"
    assert run(command)[0] == 0
    assert [(each["label"], each["hypothesis"]) for each in lines(folder / "out.jsonl")] == [
        ("GOOD", 1), ("BAD", 0), ("MISS", 0), ("GOOD", 2)
    ]  # fmt: skip
    code, _, err = run(f"{command} --nbest min_perplexity")
    assert code == 2
    assert "item '3'" in err or "item '4'" in err  # their hypotheses have no perplexity


def test_standard_input(folder: Path, run) -> None:
    expected = run(SCORE)
    command = "score --language de --items items.jsonl --predictions -"
    assert run(command, stdin=(folder / "hyp.txt").read_bytes()) == expected
    rows = "".join(json.dumps(line) + "\n" for line in (folder / "hyp.txt").read_text("utf-8").splitlines())
    assert run(f"{command} --format jsonl", stdin=rows.encode()) == expected


def test_errors_in_standard_input_are_named_so(folder: Path, run) -> None:
    command = "score --language de --items items.jsonl --predictions -"
    code, _, err = run(f"{command} --format jsonl", stdin=b'"a"\n{"id": 1}\n')
    assert code == 2
    assert err.startswith("dibimt score: standard input: 1 line")
    assert "\n  line 2: 'id' is a string" in err
    code, _, err = run(command)
    assert code == 2
    assert err.startswith("dibimt score: standard input: the file is empty")


def test_format_overrides_the_name(folder: Path, run) -> None:
    (folder / "hyp.txt").rename(folder / "hyp.json")
    command = "score --language de --items items.jsonl --predictions hyp.json"
    assert run(command)[0] == 2
    assert run(f"{command} --format text")[0] == 0
    code, _, err = run("score --language de --items items.jsonl --predictions nowhere --format jsonl")
    assert (code, err) == (
        2,
        "dibimt score: nowhere: cannot be read (No such file or directory); check the path\n",
    )


def test_mini_set_by_name(run) -> None:
    code, out, _ = run("score --language it --items mini --predictions mini:careful --json")
    assert code == 0
    record = json.loads(out)
    assert record["n"] >= 60
    assert record["accuracy"] > 50


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            "--items mini --predictions mini:nobody",
            "no system 'nobody'; its systems are careful, frequent",
        ),
        (
            "--items items.jsonl --predictions mini:careful",
            "belong to the items of the mini set; use --items mini",
        ),
        ("--items items.jsonl --predictions hyp.txt --analyzer treetagger", "unknown analyzer 'treetagger'"),
        ("--items items.jsonl --predictions hyp.txt --analyzer jieba", "'jieba' does not read 'de'"),
        ("--items items.jsonl --predictions hyp.txt --enable-rule aspect", "has no rule 'aspect'"),
        ("--items items.jsonl --predictions hyp.txt --disable-rule all", "has no rule 'all'"),
        ("--items items.jsonl --predictions hyp.txt --nbest best", "nbest 'best' is unknown"),
        ("--items items.jsonl --predictions hyp.txt --ties none", "ties 'none' is unknown"),
        ("--items items.jsonl --predictions hyp.txt --weighting micro", "weighting 'micro' is unknown"),
        ("--items items.jsonl --predictions nowhere.txt", "nowhere.txt: cannot be read"),
        ("--items items.jsonl --predictions .", "cannot be read"),
    ],
)
def test_options_that_cannot_be_used(folder: Path, run, options: str, message: str) -> None:
    code, out, err = run(f"score --language de {options}")
    assert (code, out) == (2, "")
    assert err.startswith("dibimt score: ")
    assert message in err


@pytest.mark.parametrize("language", ["xx", "DE", "../../x", ""])
def test_unknown_language(folder: Path, run, language: str) -> None:
    for items in ("items.jsonl", "mini"):
        code, _, err = run(f"score --items {items} --predictions hyp.txt", "--language", language)
        assert code == 2
        assert f"unknown language {language!r}: expected one of bg, zh," in err


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("hyp.txt", "one\n", "hyp.txt: 1 prediction"),
        ("hyp.txt", "", "hyp.txt: the file is empty"),
        ("hyp.txt", b"\xff\n", "hyp.txt, line 1: not UTF-8"),
        ("hyp.jsonl", '"a"\n{"a\n"b"\n7\n', "cannot be used:\n  line 2: not valid JSON"),
        ("hyp.jsonl", '{"id": "1", "translation": "a"}\n"b"\n', "hyp.jsonl, line 2: no 'id'"),
        ("hyp.jsonl", '{"id": "9", "translation": "a"}\n', "hyp.jsonl, line 1: no item has the id '9'"),
        ("hyp.jsonl", '{"id": "1", "translation": "a"}\n' * 2, "line 2: id '1' is used already in line 1"),
        ("hyp.jsonl", '{"id": "1", "translation": "a"}\n', "3 items have no prediction, the first is '2'"),
        ("hyp.jsonl", '{"id": "1", "translations": []}\n', "line 1: an n-best list is empty"),
    ],
)
def test_predictions_that_cannot_be_used(folder: Path, run, name: str, content: str | bytes, message: str) -> None:
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    code, out, err = run(f"score --language de --items items.jsonl --predictions {name} --per-item out.jsonl")
    assert (code, out) == (2, "")
    assert message in err
    assert not (folder / "out.jsonl").exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "bad.jsonl: the file holds no items"),
        ("[]\n", "E302 line 1"),
        ('{"id": "1", "good": ["a"]}\n{"id"\n', "E301 line 2"),
        ('{"id": "1", "good": ["a"]}\n{"id": "1", "good": ["b"]}\n', "E202"),
        (
            '{"id": "1", "good": ["a"], "language": "es"}\n',
            "no item is for language 'de'; the items are for: es",
        ),
    ],
)
def test_items_that_cannot_be_used(folder: Path, run, content: str, message: str) -> None:
    (folder / "bad.jsonl").write_text(content, encoding="utf-8")
    code, out, err = run("score --language de --items bad.jsonl --predictions hyp.txt")
    assert (code, out) == (2, "")
    assert message in err


def test_odd_characters_reach_every_file(folder: Path, run, write_lines) -> None:
    write_lines(folder / "one.jsonl", [{"id": "\x1b[1m", "good": ["Ufer"], "bad": ["Bank"]}])
    text = "\ud800 \x00 \u202e Bäume\u200b"
    write_lines(folder / "hyp.jsonl", [text])
    command = "score --language de --items one.jsonl --predictions hyp.jsonl --per-item a --review b.jsonl --output c"
    assert run(command)[0] == 0
    assert lines(folder / "b.jsonl")[0]["translation"] == text
    assert lines(folder / "a")[0]["id"] == "\x1b[1m"
