"""Sheets for human judgments, answered sheets, agreement."""

from __future__ import annotations

import csv
import doctest
import json
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dibimt_metric.errors import InputError
from dibimt_metric.signature import parse_signature
from minimal_pairs.human.agreement import agreement, agreement_of
from minimal_pairs.human.answers import Fault, Item, Judgment, Rule, read_answers
from minimal_pairs.human.design import CHECKS, Design, design_sheets, write_sheets
from minimal_pairs.human.sheets import KeyRow, read_key
from minimal_pairs.paradigms import PARADIGMS
from minimal_pairs.records import Pair


def made(paradigm: str, size: int = 9, phenomenon: str | None = None) -> list[Pair]:
    return [
        Pair(
            f'"{paradigm}" {n} is fine.',
            f'"{paradigm}" {n} be fine.',
            paradigm,
            str(n),
            n,
            paradigm,
            phenomenon,
        )
        for n in range(size)
    ]


BLIMP = [pair for paradigm in PARADIGMS for pair in made(paradigm.name, 7, paradigm.phenomenon)]
SMALL = [*made("p", phenomenon="one"), *made("q", phenomenon="one"), *made("s", phenomenon="two")]


# Design


@pytest.fixture(scope="module")
def design() -> Design:
    return design_sheets(BLIMP)


def test_five_pairs_of_each_of_67_paradigms_and_20_checks(design: Design) -> None:
    for version in "ab":
        rows = design.version(version)
        assert Counter(row.kind for row in rows) == {"pair": 335, "check": 20}
        assert set(Counter(row.paradigm for row in rows if row.kind == "pair").values()) == {5}
    assert (design.short, design.identical, design.seed) == ((), 0, 0)


def test_both_versions_hold_the_same_pairs_in_the_other_order(design: Design) -> None:
    a, b = (
        {(row.paradigm, row.pair_id, *sorted((row.sentence_1, row.sentence_2))): row for row in design.version(v)}
        for v in "ab"
    )
    assert a.keys() == b.keys()
    for key, row in a.items():
        assert (row.sentence_1, row.sentence_2, row.good) == (
            b[key].sentence_2,
            b[key].sentence_1,
            3 - b[key].good,
        )


def test_the_good_sentence_comes_first_in_half_of_each_paradigm(design: Design) -> None:
    first = Counter(row.paradigm for row in design.version("a") if row.kind == "pair" and row.good == 1)
    assert set(first.values()) == {2, 3}
    assert sum(first.values()) in (167, 168)
    assert sum(row.good == 1 for row in design.version("a") if row.kind == "check") == 10


def test_the_key_is_right(design: Design) -> None:
    good = {pair.sentence_good for pair in BLIMP} | {check[0] for check in CHECKS}
    for row in design.rows:
        assert (row.sentence_1 in good, row.sentence_2 in good) == (row.good == 1, row.good == 2)


def test_items_are_named_by_place_and_unique(design: Design) -> None:
    names = [row.item for row in design.rows]
    assert names[:2] == ["a001", "a002"]
    assert names[355:357] == ["b001", "b002"]
    assert len(set(names)) == 2 * 355


def test_items_are_mixed_and_checks_are_spread(design: Design) -> None:
    rows = design.version("a")
    neighbors = sum(one.paradigm == other.paradigm for one, other in zip(rows, rows[1:], strict=False))
    assert neighbors < 20  # sorted by paradigm there would be 268
    before = [sum(row.kind == "pair" for row in rows[:place]) for place in range(355) if rows[place].kind == "check"]
    # One check in each twentieth of the pairs.
    assert all(number * 335 // 20 <= pairs < (number + 1) * 335 // 20 for number, pairs in enumerate(before))
    assert [row.paradigm for row in rows] != [row.paradigm for row in design.version("b")]


@pytest.mark.parametrize("seed", [0, 4])
def test_same_seed_same_sheets_whatever_the_order(seed: int) -> None:
    shuffled = SMALL.copy()
    random.Random(3).shuffle(shuffled)
    assert design_sheets(shuffled, 4, n_checks=3, seed=seed) == design_sheets(SMALL, 4, n_checks=3, seed=seed)


def test_other_seeds_differ() -> None:
    assert len({design_sheets(SMALL, 4, n_checks=3, seed=seed).rows for seed in range(5)}) == 5


@given(st.integers(1, 6), st.integers(1, 5), st.integers(0, 50))
def test_orders_are_balanced_for_every_size(paradigms: int, size: int, seed: int) -> None:
    pairs = [pair for n in range(paradigms) for pair in made(f"p{n}", size)]
    rows = design_sheets(pairs, size, n_checks=0, seed=seed).version("a")
    first = Counter(row.paradigm for row in rows if row.good == 1)
    assert all(abs(2 * first[f"p{n}"] - size) <= 1 for n in range(paradigms))
    assert abs(2 * sum(first.values()) - paradigms * size) <= 1


def test_pairs_that_cannot_be_judged_are_counted() -> None:
    same = [replace(pair, sentence_bad=pair.sentence_good) for pair in made("p", 3)]
    design = design_sheets([*same, *made("q", 4)], n_checks=0)
    assert {row.paradigm for row in design.rows} == {"q"}
    assert (design.identical, design.short) == (3, (("q", 4),))
    with pytest.raises(InputError, match="no pair whose sentences differ"):
        design_sheets(same)


@pytest.mark.parametrize(
    ("n_checks", "message"),
    [
        (-1, "n_checks is -1"),
        (True, "n_checks is True"),
        (99, "99 attention checks are wanted, but only 24 given"),
    ],
)
def test_bad_numbers_of_checks(n_checks: int, message: str) -> None:
    with pytest.raises(InputError, match=message):
        design_sheets(SMALL, n_checks=n_checks)


def test_own_checks() -> None:
    design = design_sheets(SMALL, 2, n_checks=1, checks=[("Alles gut.", "Gut alles.")])
    assert {row.sentence_1 for row in design.rows if row.kind == "check"} == {"Alles gut.", "Gut alles."}


def test_checks_are_the_same_words_in_another_order() -> None:
    for good, bad in CHECKS:
        words = [sorted(text.rstrip(".").lower().split()) for text in (good, bad)]
        assert words[0] == words[1]
        assert good.lower() != bad.lower()


# Sheets


def cells(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, dialect="excel-tab"))


def test_sheets_show_nothing_but_the_sentences(tmp_path: Path, design: Design) -> None:
    files = write_sheets(design, tmp_path / "out", tmp_path / "hidden" / "key.jsonl")
    assert [path.name for path in files] == ["sheet_a.tsv", "sheet_b.tsv", "key.jsonl"]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["sheet_a.tsv", "sheet_b.tsv"]
    rows = cells(files[0])
    assert list(rows[0]) == ["item", "sentence_1", "sentence_2", "answer"]
    assert [(row["item"], row["sentence_1"], row["sentence_2"]) for row in rows] == [
        (row.item, row.sentence_1, row.sentence_2) for row in design.version("a")
    ]
    assert {row["answer"] for row in rows} == {""}
    assert read_key(files[2]) == design.rows


def test_jsonl_sheets(tmp_path: Path) -> None:
    design = design_sheets(SMALL, 1, n_checks=0)
    sheet, *_ = write_sheets(design, tmp_path / "out", tmp_path / "key.jsonl", "jsonl")
    first = json.loads(sheet.read_text(encoding="utf-8").splitlines()[0])
    assert list(first) == ["item", "sentence_1", "sentence_2", "answer"]
    assert first["answer"] is None


def test_the_key_must_lie_elsewhere(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is in the folder of the sheets"):
        write_sheets(design_sheets(SMALL, 1, n_checks=0), tmp_path, tmp_path / "deep" / "key.jsonl")


def test_nothing_is_overwritten_unless_asked(tmp_path: Path) -> None:
    design, out, key = design_sheets(SMALL, 1, n_checks=0), tmp_path / "out", tmp_path / "key.jsonl"
    write_sheets(design, out, key)
    with pytest.raises(InputError, match="already exists: .*sheet_a.tsv"):
        write_sheets(design_sheets(SMALL, 2, n_checks=0), out, key)
    assert read_key(key) == design.rows
    write_sheets(design_sheets(SMALL, 2, n_checks=0), out, key, force=True)
    assert len(read_key(key)) == 2 * 6


@pytest.mark.parametrize("line", ["item\tversion\tkind", "[1]"])
def test_table_is_no_key(tmp_path: Path, line: str) -> None:
    path = tmp_path / "key.tsv"
    path.write_text(f"{line}\nx\ta\tpair\n", encoding="utf-8")
    with pytest.raises(InputError, match="key.tsv.*: not valid JSON"):
        read_key(path)


def test_unknown_format(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="format 'xlsx' is unknown"):
        write_sheets(design_sheets(SMALL, 1, n_checks=0), tmp_path / "out", tmp_path / "key.jsonl", "xlsx")


# Answers


class Study:
    """Sheets of three paradigms with two pairs each and two checks, answered by a rule."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.design = design_sheets(SMALL, 2, n_checks=2)
        self.key = folder / "key.jsonl"
        write_sheets(self.design, folder / "out", self.key)

    def row(self, paradigm: str | None, place: int = 0, version: str = "a") -> KeyRow:
        rows = [row for row in self.design.version(version) if row.paradigm == paradigm]
        return sorted(rows, key=lambda row: (row.pair_id or 0, row.item))[place]

    def sheet(
        self,
        name: str,
        answer: Callable[[KeyRow], object] = lambda row: row.good,
        version: str = "a",
        suffix: str = ".tsv",
    ) -> Path:
        """Write an answered sheet; `answer` may return ``None`` for an empty cell."""
        path = self.folder / f"{name}{suffix}"
        lines = [["item", "sentence_1", "sentence_2", "answer"]]
        for row in self.design.version(version):
            value = answer(row)
            lines.append([row.item, row.sentence_1, row.sentence_2, "" if value is None else str(value)])
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, dialect="excel-tab").writerows(lines)
        return path


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return Study(tmp_path)


def wrong_on(*rows: KeyRow) -> Callable[[KeyRow], int]:
    return lambda row: 3 - row.good if row in rows else row.good


def test_answers_by_hand(study: Study) -> None:
    bob = study.sheet("bob", wrong_on(study.row("p"), study.row("q", 1)))
    answers = read_answers([study.sheet("ann"), bob, study.sheet("cy", version="b")], study.key)
    assert [(a.name, a.pairs, a.answered, a.checks, a.checks_right, a.excluded) for a in answers.annotators] == [
        ("ann", 6, 6, 2, 2, None),
        ("bob", 6, 6, 2, 2, None),
        ("cy", 6, 6, 2, 2, None),
    ]
    assert (len(answers.items), len(answers.judgments), answers.problems) == (6, 18, ())
    no = [(j.annotator, j.item.paradigm, j.item.phenomenon) for j in answers.judgments if not j.agrees]
    assert sorted(no) == [("bob", "p", "one"), ("bob", "q", "one")]


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        (None, Fault.UNANSWERED),
        ("  ", Fault.UNANSWERED),
        ("3", Fault.INVALID),
        ("first", Fault.INVALID),
        ("1.5", Fault.INVALID),
    ],
)
def test_rows_that_are_no_judgment_are_named(study: Study, given: object, fault: Fault) -> None:
    strange = study.row("p")
    path = study.sheet("ann", lambda row: given if row == strange else row.good)
    answers = read_answers([path], study.key)
    (problem,) = answers.problems
    assert (problem.fault, problem.annotator, problem.item) == (fault, "ann", strange.item)
    line = study.design.version("a").index(strange) + 2
    assert problem.where == f"{path}, line {line}"
    assert answers.count(fault) == 1
    assert len(answers.judgments) == 5


@pytest.mark.parametrize("text", ["1.0", " 1 ", "1,0"])
def test_numbers_as_spreadsheets_write_them(study: Study, text: str) -> None:
    chosen = study.row("p")
    answers = read_answers([study.sheet("ann", lambda row: text if row == chosen else row.good)], study.key)
    assert answers.problems == ()
    judged = next(j for j in answers.judgments if (j.item.paradigm, j.item.pair_id) == ("p", chosen.pair_id))
    assert judged.agrees == (chosen.good == 1)


def edit(path: Path, change: Callable[[list[list[str]]], None]) -> Path:
    lines = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    change(lines)
    path.write_text("".join("\t".join(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_missing_items_are_unanswered(study: Study) -> None:
    path = edit(study.sheet("ann"), lambda lines: lines.pop(1))
    answers = read_answers([path], study.key)
    (problem,) = answers.problems
    assert (problem.fault, problem.item, problem.where) == (Fault.UNANSWERED, "a1", str(path))


def test_unknown_items(study: Study) -> None:
    path = edit(study.sheet("ann"), lambda lines: lines.append(["z9", "One.", "Two.", "1"]))
    answers = read_answers([path], study.key)
    assert [(p.fault, p.item) for p in answers.problems] == [(Fault.UNKNOWN, "z9")]
    assert len(answers.judgments) == 6


def test_a_column_sorted_by_itself_is_noticed(study: Study) -> None:
    def sort_sentences(lines: list[list[str]]) -> None:
        column = sorted(line[1] for line in lines[1:])
        for line, text in zip(lines[1:], column, strict=True):
            line[1] = text

    answers = read_answers([edit(study.sheet("ann"), sort_sentences)], study.key, Rule(0, 0))
    assert answers.count("altered") >= 6
    assert answers.count("altered") + len(answers.judgments) <= 8


def test_exchanged_sentences_are_altered(study: Study) -> None:
    def exchange(lines: list[list[str]]) -> None:
        lines[1][1], lines[1][2] = lines[1][2], lines[1][1]

    answers = read_answers([edit(study.sheet("ann"), exchange)], study.key, Rule(0, 0))
    assert [(p.fault, p.item) for p in answers.problems] == [(Fault.ALTERED, "a1")]


def test_typographic_quotes_are_no_change(study: Study) -> None:
    path = study.sheet("ann")
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('""', "\N{LEFT DOUBLE QUOTATION MARK}"), encoding="utf-8")
    assert path.read_text(encoding="utf-8") != text
    assert read_answers([path], study.key).problems == ()


def test_an_item_that_occurs_twice(study: Study) -> None:
    same = read_answers([edit(study.sheet("ann"), lambda lines: lines.append(lines[1]))], study.key)
    assert (same.problems, len(same.judgments)) == ((), 6)
    chosen = study.row("q")

    def contradict(lines: list[list[str]]) -> None:
        line = next(line for line in lines if line[0] == chosen.item)
        lines.append([*line[:3], str(3 - int(line[3]))])

    answers = read_answers([edit(study.sheet("bob"), contradict)], study.key)
    assert [(p.fault, p.item) for p in answers.problems] == [(Fault.CONTRADICTED, chosen.item)]
    assert len(answers.judgments) == 5


def test_failed_checks_leave_a_judge_out(study: Study) -> None:
    bad = study.sheet("ann", wrong_on(study.row(None)))
    answers = read_answers([bad, study.sheet("bob")], study.key)
    assert answers.annotators[0].excluded == "1 of 2 attention checks right, fewer than 80%"
    assert {j.annotator for j in answers.judgments} == {"bob"}
    kept = read_answers([bad], study.key, Rule(checks_right=0.5))
    assert (kept.annotators[0].excluded, len(kept.judgments)) == (None, 6)


def test_a_check_without_an_answer_is_not_right(study: Study) -> None:
    answers = read_answers([study.sheet("ann", lambda row: row.good if row.kind == "pair" else None)], study.key)
    assert answers.annotators[0].checks_right == 0
    assert answers.annotators[0].excluded is not None


def test_too_few_answers_leave_a_judge_out(study: Study) -> None:
    few = [study.row("p"), study.row("p", 1)]
    sheet = study.sheet("ann", lambda row: row.good if row.kind == "check" or row in few else None)
    (annotator,) = read_answers([sheet], study.key).annotators
    assert annotator.excluded == "2 of 6 pairs answered, fewer than 50% or none"
    assert read_answers([sheet], study.key, Rule(answered=2 / 6)).annotators[0].excluded is None


def test_a_share_that_floats_get_wrong() -> None:
    # 0.55 * 20 is 11.000000000000002, and 11 of 20 is not fewer than 0.55.
    from minimal_pairs.human.answers import _is_below

    assert not _is_below(11, 0.55, 20)
    assert _is_below(10, 0.55, 20)


@pytest.mark.parametrize("rule", [Rule(1.5), Rule(answered=-0.1), Rule(checks_right=True)])
def test_rules_are_shares(study: Study, rule: Rule) -> None:
    with pytest.raises(InputError, match="expected a share from 0 to 1"):
        read_answers([study.sheet("ann")], study.key, rule)


def test_both_versions_by_one_judge_are_refused(study: Study) -> None:
    def named(lines: list[list[str]]) -> None:
        for line in lines:
            line.append("annotator" if line[0] == "item" else "ann")

    sheets = [edit(study.sheet("one"), named), edit(study.sheet("two", version="b"), named)]
    with pytest.raises(InputError, match="annotator 'ann' has answers for versions a, b"):
        read_answers(sheets, study.key)


def test_several_judges_in_one_file(study: Study) -> None:
    def merge(lines: list[list[str]]) -> None:
        head, *rows = lines
        lines[:] = [[*head, "annotator"], *([*row, name] for name in ("ann", "bob", "") for row in rows)]

    answers = read_answers([edit(study.sheet("file"), merge)], study.key)
    assert [annotator.name for annotator in answers.annotators] == ["ann", "bob", "file"]
    assert len(answers.judgments) == 18


@pytest.mark.parametrize("delimiter", [",", ";"])
def test_csv_of_spreadsheet_programs(study: Study, delimiter: str) -> None:
    rows = cells(study.sheet("ann"))
    path = study.folder / "saved.csv"
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), delimiter=delimiter)
        writer.writeheader()
        writer.writerows(rows)
    answers = read_answers([path], study.key)
    assert (len(answers.judgments), answers.problems) == (6, ())


def test_jsonl_answers(study: Study) -> None:
    path = study.folder / "ann.jsonl"
    lines = [json.dumps({"item": row.item, "answer": row.good}) for row in study.design.version("a")]
    path.write_text("\n".join(lines), encoding="utf-8")
    answers = read_answers([path], study.key)
    assert (len(answers.judgments), answers.problems) == (6, ())


def test_empty_cells_at_the_end_may_be_left_out(study: Study) -> None:
    def shorten(lines: list[list[str]]) -> None:
        del lines[1][3]
        lines.append([""])

    answers = read_answers([edit(study.sheet("ann"), shorten)], study.key, Rule(0, 0))
    assert [(p.fault, p.item) for p in answers.problems] == [(Fault.UNANSWERED, "a1")]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty; expected a header"),
        (
            b"item\tchoice\na1\t1\n",
            "no column answer; expected item, sentence_1, sentence_2, answer, found item, choice",
        ),
        (b"item\tanswer\na1\t1\tmore\n", "line 2: 3 cells; the header has 2"),
        (b"item\tanswer\na1\t\xff\n", "line 2: not UTF-8"),
        (b'item\tanswer\na1\t"1\n', "line 2: quotes cannot be read"),
    ],
)
def test_sheets_that_cannot_be_read(study: Study, content: bytes, message: str) -> None:
    path = study.folder / "bad.tsv"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_answers([path], study.key)


@pytest.mark.parametrize(
    ("line", "message"),
    [("{", "line 1: not valid JSON"), ("[1]", "object 1: expected an object .*, not 1")],
)
def test_json_lines_that_cannot_be_read(study: Study, line: str, message: str) -> None:
    path = study.folder / "bad.jsonl"
    path.write_text(line, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_answers([path], study.key)


def test_files_that_are_not_there(study: Study) -> None:
    with pytest.raises(InputError, match="cannot read .*none.tsv"):
        read_answers([study.folder / "none.tsv"], study.key)
    with pytest.raises(InputError, match="no answered sheet given"):
        read_answers([], study.key)


KEY_LINE = {
    "item": "a1", "version": "a", "kind": "pair", "paradigm": "p", "pair_id": 1, "phenomenon": None,
    "sentence_1": "x", "sentence_2": "y", "good": 1,
}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"good": 3}, "good is 3; expected 1 or 2"),
        ({"good": True}, "good is True"),
        ({"kind": "trap"}, "is not a line of a key"),
        ({"pair_id": None}, "is not a line of a key"),
        ({"sentence_1": 4}, "is not a line of a key"),
    ],
)
def test_keys_that_cannot_be_used(tmp_path: Path, change: dict[str, object], message: str) -> None:
    path = tmp_path / "key.jsonl"
    path.write_text(json.dumps({**KEY_LINE, **change}), encoding="utf-8")
    with pytest.raises(InputError, match=f"line 1: .*{message}"):
        read_key(path)


def test_keys_with_gaps(tmp_path: Path) -> None:
    path = tmp_path / "key.jsonl"
    path.write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="the key is empty"):
        read_key(path)
    path.write_text('{"item": "a1"}', encoding="utf-8")
    with pytest.raises(InputError, match="line 1: no version, kind, paradigm"):
        read_key(path)
    path.write_text(json.dumps(KEY_LINE) + "\n" + json.dumps(KEY_LINE), encoding="utf-8")
    with pytest.raises(InputError, match="line 2: item 'a1' occurs twice"):
        read_key(path)


# Agreement


def votes(paradigm: str, pair_id: int, text: str, phenomenon: str | None = None) -> list[Judgment]:
    """A letter for each judge: y agrees, n does not, - has not judged."""
    item = Item(paradigm, pair_id, phenomenon)
    return [Judgment(f"judge {n}", item, letter == "y") for n, letter in enumerate(text) if letter != "-"]


JUDGMENTS = [
    *votes("p", 0, "yyyy", "one"),  # 1
    *votes("p", 1, "yyn-", "one"),  # 2/3
    *votes("q", 0, "yynn", "one"),  # 1/2, no majority
    *votes("s", 0, "nnny", "two"),  # 1/4
    *votes("s", 1, "y---", "two"),  # 1
]


def test_agreement_by_hand() -> None:
    found = agreement_of(JUDGMENTS)
    p, q, s = (1 + 2 / 3) / 2, 1 / 2, (1 / 4 + 1) / 2
    assert found.individual.value == pytest.approx(100 * (p + q + s) / 3)
    assert found.individual.average == "mean over 3 paradigms of means over pairs"
    assert found.majority.value == pytest.approx(100 * (1 + 0 + 1 / 2) / 3)
    assert (found.majority.n, found.majority.right, found.majority.wrong, found.majority.ties) == (5, 3, 1, 1)
    # Judgments: 4 + 2 + 2 + 1 + 1 agree of 4 + 3 + 4 + 4 + 1.
    assert found.pooled.value == 100 * 10 / 16
    assert (found.individual.n, found.individual.right, found.individual.wrong) == (16, 10, 6)
    assert found.annotators == 4
    one, two = found.phenomena
    assert (one.name, one.paradigms, one.individual.value) == ("one", 2, pytest.approx(100 * (p + q) / 2))
    assert one.majority.value == 50.0
    assert (two.individual.value, two.majority.value) == (62.5, 50.0)
    assert [(g.name, g.majority.value) for g in found.paradigms] == [("p", 100.0), ("q", 0.0), ("s", 50.0)]
    assert found.below_threshold == ("q", "s")


@pytest.mark.parametrize(("ties", "value"), [("wrong", 0.0), ("half", 50.0), ("right", 100.0)])
def test_a_split_vote_counts_as_set(ties: str, value: float) -> None:
    found = agreement_of(votes("q", 0, "yynn"), ties)
    assert (found.majority.value, found.majority.ties) == (value, 1)
    assert found.individual.value == 50.0
    assert found.below_threshold == ("q",)  # a split vote is never the majority's agreement
    assert parse_signature(found.signature).get("ties") == ties


def test_individual_agreement_is_the_mean_over_pairs_and_not_over_judgments() -> None:
    # As in the released summary: pairs with 20 or 18 judges, 98 judgments in all.
    texts = ["y" * 20, "y" * 20, "y" * 19 + "n", "y" * 10 + "n" * 10, "y" * 9 + "n" * 9]
    found = agreement_of([vote for place, text in enumerate(texts) for vote in votes("p", place, text)])
    assert found.individual.value == pytest.approx(100 * (1 + 1 + 19 / 20 + 1 / 2 + 1 / 2) / 5)
    assert found.pooled.value == pytest.approx(100 * 78 / 98)


def test_pairs_without_a_judgment_are_counted() -> None:
    items = [Item("p", 0, None), Item("p", 1, None), Item("q", 0, None)]
    found = agreement_of(votes("p", 0, "yy"), items=items)
    assert (found.individual.value, found.individual.unscored) == (100.0, 2)
    assert found.majority.average == "mean over 1 paradigm (1 without a scored pair left out)"
    assert found.paradigms[1].individual.reason == "no judgment"
    assert found.below_threshold == ()


def test_four_of_five_pairs_are_enough() -> None:
    judgments = [vote for place, text in enumerate("yyyyn") for vote in votes("p", place, text)]
    assert agreement_of(judgments).below_threshold == ()
    assert agreement_of(judgments[1:]).below_threshold == ("p",)  # 3 of 4


def test_two_judgments_of_a_pair_by_one_judge_are_refused() -> None:
    with pytest.raises(InputError, match="annotator 'judge 0' has two judgments for pair 0 of 'p'"):
        agreement_of([*votes("p", 0, "y"), *votes("p", 0, "n")])


def test_no_judgment_at_all() -> None:
    found = agreement_of([])
    assert (found.individual.value, found.pooled.value, found.majority.value) == (None, None, None)
    assert found.pooled.reason == "no judgment"


def test_judgments_of_one_pair_are_one_observation() -> None:
    few = agreement_of([vote for place in range(5) for vote in votes("p", place, "yyyn")])
    many = agreement_of([vote for place in range(5) for vote in votes("p", place, "yyyn" * 25)])
    # More judges of the same pairs tell nothing of other pairs, where all pairs agree alike.
    assert (few.individual.low, few.individual.high) == (many.individual.low, many.individual.high)


def test_the_interval_over_pairs_by_hand() -> None:
    stats = pytest.importorskip("scipy.stats")
    shares = [1.0, 0.9, 0.8, 0.9, 0.6]
    texts = ["y" * round(10 * share) + "n" * round(10 - 10 * share) for share in shares]
    found = agreement_of([vote for place, text in enumerate(texts) for vote in votes("p", place, text)]).individual
    # Mean 0.84, s*s = (0.0256 + 0.0036 + 0.0016 + 0.0036 + 0.0576) / 4 = 0.023, V = 0.0046; t with 4 degrees.
    n = 0.84 * 0.16 / 0.0046 * (1.959963985 / stats.t.ppf(0.975, 4)) ** 2
    expected = stats.binomtest(84, 100).proportion_ci(method="wilson")
    z2 = 1.959963985**2 / n
    middle, half = (0.84 + z2 / 2) / (1 + z2), (z2 * (0.84 * 0.16 + z2 / 4)) ** 0.5 / (1 + z2)
    assert found.low == pytest.approx(100 * (middle - half), abs=1e-3)
    assert found.high == pytest.approx(100 * (middle + half), abs=1e-3)
    assert found.low < 100 * expected.low  # fewer than 100 independent answers


@given(st.randoms(use_true_random=False))
def test_the_order_of_judgments_changes_nothing(source: random.Random) -> None:
    shuffled = JUDGMENTS.copy()
    source.shuffle(shuffled)
    assert agreement_of(shuffled) == agreement_of(JUDGMENTS)


def test_from_files_to_agreement(study: Study) -> None:
    lazy = study.sheet("lazy", lambda row: 1)
    sheets = [
        study.sheet("ann"),
        study.sheet("bob", wrong_on(study.row("p"))),
        study.sheet("cy", version="b"),
        lazy,
    ]
    answers = read_answers(sheets, study.key)
    found = agreement(answers)
    # lazy has one of two checks right. p: (2/3 + 1) / 2, q and s: 1.
    assert found.annotators == 3
    assert found.individual.value == pytest.approx(100 * (5 / 6 + 1 + 1) / 3)
    assert found.majority.value == 100.0
    signature = parse_signature(found.signature)
    assert signature.get("task") == "human_agreement"
    assert signature.get("excluded") == "checks>=0.8,answered>=0.5"
    with pytest.raises(InputError, match=r"no judgment is left to count; excluded: lazy \(1 of 2 attention checks"):
        agreement(read_answers([lazy], study.key))


def test_examples_of_the_documentation_run() -> None:
    path = Path(__file__).parents[2] / "docs" / "minimal_pairs_human.md"
    results = doctest.testfile(str(path), module_relative=False, encoding="utf-8")
    assert results.attempted > 5
    assert results.failed == 0
