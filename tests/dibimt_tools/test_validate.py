"""``dibimt validate`` and ``dibimt languages``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dibimt_metric.languages import LANGUAGES, language_rules

BROKEN = [
    '{"id": "1", "good": ["Ufer"], "bad": ["Bank"]}',
    "{broken",
    "",
    '{"id": "2", "good": ["* a", "*"], "bad": ["Bank"], "frequency_index": 0}',
    '{"id": "1", "good": ["Fluss"], "bad": ["bank"]}',
]


def test_a_good_file_is_one_line(folder: Path, run) -> None:
    assert run("validate items.jsonl") == (
        0, "items.jsonl: no problem; 5 items (de 2, es 1, no language 2), 5 GOOD and 5 BAD candidates\n", ""
    )  # fmt: skip


def test_all_problems_with_codes_and_lines(folder: Path, run) -> None:
    (folder / "broken.jsonl").write_text("\n".join(BROKEN), encoding="utf-8")
    code, out, err = run("validate broken.jsonl")
    assert (code, err) == (1, "")
    *problems, summary = out.splitlines()
    found = {tuple(line.split(": ")[:2])[1].split()[0] for line in problems}
    assert found == {"E301", "E103", "E102", "E204", "E202"}
    assert any(line.startswith("broken.jsonl:2: E301 not valid JSON") for line in problems)
    assert any(line.startswith("broken.jsonl:4: E103 item '2': good candidate '* a'") for line in problems)
    assert summary == "5 problems in broken.jsonl"


def test_json(folder: Path, run) -> None:
    (folder / "broken.jsonl").write_text("\n".join(BROKEN), encoding="utf-8")
    code, out, _ = run("validate broken.jsonl --json")
    record = json.loads(out)
    assert code == 1
    assert (record["file"], record["ok"], record["items"]) == ("broken.jsonl", False, None)
    assert {"code": "E301", "line": 2} in [
        {key: problem[key] for key in ("code", "line")} for problem in record["problems"]
    ]
    code, out, _ = run("validate items.jsonl --json")
    assert (code, json.loads(out)) == (0, {"file": "items.jsonl", "ok": True, "items": 5, "problems": []})


def test_standard_input(folder: Path, run) -> None:
    code, out, _ = run("validate -", stdin=(folder / "items.jsonl").read_bytes())
    assert (code, out.startswith("standard input: no problem; 5 items")) == (0, True)
    code, out, _ = run("validate -", stdin=b"{}")
    assert (code, out.startswith("standard input:1: E201 ")) == (1, True)
    code, out, err = run("validate -")
    assert (code, out, err.startswith("dibimt validate: standard input: the file holds no items")) == (
        2,
        "",
        True,
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [(None, "cannot be read"), (b"", "the file holds no items"), (b"\xff\xfe", "line 1: not UTF-8")],
)
def test_what_is_no_item_file_is_exit_code_2(folder: Path, run, content: bytes | None, message: str) -> None:
    if content is not None:
        (folder / "file.jsonl").write_bytes(content)
    code, out, err = run("validate file.jsonl")
    assert (code, out) == (2, "")
    assert message in err


def test_languages_lists_every_rule(run) -> None:
    code, out, err = run("languages")
    assert (code, err) == (0, "")
    blocks = out.split("\n\n")
    assert [block.split()[0] for block in blocks] == list(LANGUAGES)
    for language, block in zip(LANGUAGES, blocks, strict=True):
        for rule in language_rules(language).rules:
            (line,) = (line for line in block.splitlines() if line.startswith(f"  {rule.name} "))
            assert line.split()[1] == ("on" if rule.default else "off")
            assert rule.summary in line


def test_languages_of_choice_as_json(run) -> None:
    code, out, _ = run("languages zh de --json")
    first, second = json.loads(out)
    assert code == 0
    assert (first["code"], first["name"], first["analyzers"]) == (
        "zh",
        "Chinese",
        ["jieba", "jieba-dictionary"],
    )
    assert {"name", "summary", "default", "flagged"} == set(second["rules"][0])


def test_unknown_language(run) -> None:
    code, out, err = run("languages de klingon")
    assert (code, out) == (2, "")
    assert err.startswith("dibimt languages: unknown language 'klingon'")
