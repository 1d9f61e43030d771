"""``dibimt compare``: common items, differences, what is gained and lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

COMPARE = "compare --language de --items items.jsonl"


@pytest.fixture
def systems(folder: Path) -> str:
    """A second system: item 1 becomes BAD, item 2 GOOD, item 4 GOOD."""
    (folder / "new.txt").write_text("die Bank\ndie Computermaus\nEsel\ndas Schloss\n", encoding="utf-8")
    return "old=hyp.txt new=new.txt"


def test_json(folder: Path, run, systems: str) -> None:
    code, out, err = run(f"{COMPARE} {systems} --json --seed 3")
    record = json.loads(out)
    assert (code, err) == (0, "")
    # Item 3 is MISS and item 4 is UNK in the old system: items 1 and 2 are common.
    assert (record["n"], record["n_common"]) == (4, 2)
    (pair,) = record["pairs"]
    assert (pair["first"], pair["second"], pair["gained"], pair["lost"]) == ("old", "new", ["2"], ["1"])
    difference = pair["differences"]["accuracy"]
    assert (difference["first"], difference["second"], difference["difference"]) == (50.0, 50.0, 0.0)
    assert difference["low"] <= 0 <= difference["high"]
    assert "|seed:3|" in record["signature"]
    assert run(f"{COMPARE} {systems} --json --seed 3")[1] == out


def test_text(folder: Path, run, systems: str) -> None:
    code, out, _ = run(f"{COMPARE} {systems}")
    assert code == 0
    assert out.startswith("2 systems, German: 4 items, of which 2 are common (GOOD or BAD in every system)\n")
    assert "new minus old, common items, percentage points\n" in out
    gained = out.partition("Gained, 1: BAD in old, GOOD in new\n")[2]
    assert gained.splitlines()[2].split() == ["2", "mouse", "Maus", "Computermaus"]
    lost = out.partition("Lost, 1: GOOD in old, BAD in new\n")[2]
    assert lost.splitlines()[2].split() == ["1", "bank", "Ufer", "Bank"]
    assert out.rstrip().splitlines()[-1].startswith("signature: dibimt|lang:de|")


def test_words_apart_are_shown_with_an_ellipsis(folder: Path, run, write_lines) -> None:
    write_lines(folder / "one.jsonl", [{"id": "1", "good": ["zurücklegen"], "bad": ["bedecken"]}])
    (folder / "a.txt").write_text("Sie bedeckten es.\n", encoding="utf-8")
    (folder / "b.txt").write_text("Sie legten viele Meilen zurück.\n", encoding="utf-8")
    code, out, _ = run("compare --language de --items one.jsonl a=a.txt b=b.txt")
    assert code == 0
    assert "legten … zurück\n" in out


def test_nothing_in_common_is_undefined(folder: Path, run) -> None:
    (folder / "none.txt").write_text("\n" * 4, encoding="utf-8")
    code, out, _ = run(f"{COMPARE} old=hyp.txt none=none.txt")
    assert code == 0
    assert "of which 0 are common" in out
    assert "undefined" in out and "no GOOD or BAD outcome" in out
    assert json.loads(run(f"{COMPARE} old=hyp.txt none=none.txt --json")[1])["pairs"][0]["gained"] == []


def test_three_systems_make_three_pairs(folder: Path, run, systems: str) -> None:
    code, out, _ = run(f"{COMPARE} {systems} again=new.txt --json")
    assert code == 0
    pairs = json.loads(out)["pairs"]
    assert [(pair["first"], pair["second"]) for pair in pairs] == [
        ("old", "new"), ("old", "again"), ("new", "again")
    ]  # fmt: skip


def test_one_system_from_standard_input(folder: Path, run, systems: str) -> None:
    expected = run(f"{COMPARE} {systems}")
    assert expected[0] == 0
    assert run(f"{COMPARE} old=hyp.txt new=-", stdin=(folder / "new.txt").read_bytes()) == expected


def test_the_two_systems_of_the_mini_set(run) -> None:
    code, out, _ = run("compare --language it --items mini careful=mini:careful frequent=mini:frequent --json")
    assert code == 0
    (pair,) = json.loads(out)["pairs"]
    assert pair["differences"]["accuracy"]["difference"] < 0
    assert pair["differences"]["accuracy"]["p_value"] < 0.05


@pytest.mark.parametrize(
    ("systems", "message"),
    [
        ("hyp.txt", "'hyp.txt' is not of the form NAME=FILE"),
        ("old=hyp.txt", "a comparison needs at least two systems"),
        ("=hyp.txt new=hyp.txt", "'=hyp.txt' is not of the form"),
        ("old= new=hyp.txt", "'old=' is not of the form"),
        ("old=hyp.txt old=hyp.txt", "two systems have the name 'old'"),
        ("old=- new=-", "standard input can be the predictions of one system only"),
        ("old=hyp.txt new=nowhere.txt", "nowhere.txt: cannot be read"),
        ("old=hyp.txt new=mini:careful", "belong to the items of the mini set"),
        ("old=hyp.txt new=hyp.txt --output hyp.txt --force", "it is an input"),
    ],
)
def test_input_that_cannot_be_used(folder: Path, run, systems: str, message: str) -> None:
    code, out, err = run(f"{COMPARE} {systems}")
    assert (code, out) == (2, "")
    assert message in err
