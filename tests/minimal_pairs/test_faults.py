"""Faults of pairs: each kind on sentences written here, and the counts of the release."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from minimal_pairs.conversion.faults import (
    FIXED,
    LEFT_OUT,
    correct,
    lexically_identical,
    mark,
    texts_of,
)
from minimal_pairs.reading.read import read_pairs
from minimal_pairs.records import ISSUES, Pair


def pair(
    good: str = "The kites rise.", bad: str = "The kites rises.", number: int = 0, paradigm: str = "p", **more: Any
) -> Pair:  # fmt: skip
    return Pair(good, bad, paradigm, str(number), number, paradigm, lexically_identical=False, **more)


def issues(*pairs: Pair) -> list[tuple[str, ...]]:
    return [pair.issues for pair in mark(pairs)]


def test_a_sound_pair_has_no_issue() -> None:
    assert issues(pair()) == [()]


@pytest.mark.parametrize(
    ("faulty", "expected"),
    [
        (pair(bad="The kites rise."), ("identical", "flag_wrong")),  # the one pair of its paradigm
        (pair(two_prefix_word=" rise"), ("stray_space",)),
        (pair(one_prefix_word_bad="rises "), ("stray_space",)),
        (pair("The  kites rise."), ("stray_space",)),
        (pair("It is unsuprising that kites rise.", "It is unsuprising that kites rises."), ("typo",)),
        (pair(two_prefix_word="unsuprising to"), ("typo",)),
        (pair("It is unsurprising.", "It are unsurprising."), ()),
        (pair(bad="The kites rise. the"), ()),
        (pair("Rise the kites?", "The kites rise!"), ("flag_wrong",)),  # the same words
    ],
)
def test_kinds(faulty: Pair, expected: tuple[str, ...]) -> None:
    assert issues(faulty) == [expected]


@pytest.mark.parametrize(
    ("sentence", "is_fault"),
    [
        ("Ann sees this out in the open kite.", True),
        ("Ann flies one red kite and Bob flies two out in the open.", True),  # the noun is left out
        ("The kite was out in the open.", False),
        ("The kites weren't out in the open.", False),
        ("The kites have been out in the open.", False),
        ("Ann likes being out in the open.", False),
        ("The out in the open kite is out in the open.", True),
        ("Ann was an out in the open woman.", True),
    ],
)
@pytest.mark.parametrize("side", ["good", "bad"])
def test_out_in_the_open(sentence: str, is_fault: bool, side: str) -> None:
    found = issues(pair(**{side: sentence}))
    assert found == [("out_in_the_open",) if is_fault else ()]


def test_duplicates_are_marked_in_both_places() -> None:
    pairs = (pair(), pair(number=1, bad="The kites rose."), pair(paradigm="q"))
    assert issues(*pairs) == [("duplicate",), (), ("duplicate",)]
    # The same good sentence with another bad one is another pair.
    assert issues(pair(), pair(number=1, bad="The kite rise.")) == [(), ()]


def test_the_flag_is_said_of_a_paradigm() -> None:
    same = pair("rise kites", "kites rise")
    other = pair(number=1)
    wrong, right = replace(same, lexically_identical=True), replace(other, lexically_identical=True)
    assert issues(same, other) == [(), ()]  # not all are identical: False is right for all
    assert issues(wrong, right) == [("flag_wrong",), ("flag_wrong",)]
    assert issues(wrong) == [()]
    assert issues(replace(wrong, lexically_identical=None)) == [()]  # not said, so not wrong
    assert lexically_identical([pair("A a b.", "a b, A")])
    assert not lexically_identical([pair("A a b.", "a b b")])  # each word as often


def test_mark_drops_what_the_pairs_came_with() -> None:
    assert mark([pair(issues=("typo",))]) == (pair(),)
    assert mark([pair(two_prefix_word=" x")]) == (pair(two_prefix_word=" x", issues=("stray_space",)),)


def test_issues_stand_in_their_order() -> None:
    faulty = pair("a out in the open unsuprising", "a out in the open unsuprising", two_prefix_word=" x")
    assert issues(faulty, replace(faulty, pair_id=1)) == [ISSUES] * 2


# The corrected variant


def test_every_kind_is_left_out_or_mended() -> None:
    assert sorted((*LEFT_OUT, *FIXED)) == sorted(ISSUES)


def test_what_is_left_out() -> None:
    pairs = (
        pair(),
        pair(number=1, bad="The kites rise."),
        pair(number=2, good="Ann sees that out in the open kite."),
        pair(number=3, good="The kites were out in the open."),
        pair(number=7, paradigm="q"),
    )
    assert [(left.paradigm, left.pair_id) for left in correct(mark(pairs))] == [("p", 0), ("p", 3)]


def test_what_is_mended() -> None:
    faulty = pair(
        "It was  unsuprising.",
        "It were unsuprising.",
        two_prefix_word=" unsuprising",
        field="syntax/semantics",
    )
    (mended,) = correct(mark([faulty]))
    assert mended == pair(
        "It was unsurprising.",
        "It were unsurprising.",
        two_prefix_word="unsurprising",
        field="syntax_semantics",
    )


def test_the_flag_is_that_of_the_pairs_that_are_left() -> None:
    same, different = pair("rise kites", "kites rise"), pair(number=1, good="A out in the open kite rise.")
    assert [left.lexically_identical for left in correct(mark([same, different]))] == [True]
    unsaid = replace(same, lexically_identical=None)
    assert correct(mark([unsaid])) == (unsaid,)


def test_correcting_twice_changes_nothing_and_leaves_no_issue(released: tuple[Pair, ...]) -> None:
    pairs = [one for one in released if one.pair_id < 120 or "plural" in one.paradigm]
    mended = correct(pairs)
    assert correct(mended) == mended
    assert {pair.issues for pair in mark(mended)} == {()}
    assert len(mended) < len(pairs)


# The release


@pytest.fixture(scope="module")
def released(blimp_release: Path) -> tuple[Pair, ...]:
    return mark(tuple(read_pairs(blimp_release)))


def having(pairs: tuple[Pair, ...], issue: str) -> list[tuple[str, int]]:
    return [(one.paradigm, one.pair_id) for one in pairs if issue in one.issues]


def test_identical_pairs_of_the_release(released: tuple[Pair, ...]) -> None:
    assert having(released, "identical") == [
        *(("passive_1", number) for number in (324, 810)),
        *(("principle_A_case_2", number) for number in (105, 287, 372, 816, 967)),
    ]


def test_the_pair_that_stands_in_two_paradigms(released: tuple[Pair, ...]) -> None:
    assert having(released, "duplicate") == [
        ("irregular_plural_subject_verb_agreement_2", 995),
        ("regular_plural_subject_verb_agreement_2", 29),
    ]


def test_stray_spaces_of_the_release(released: tuple[Pair, ...]) -> None:
    found = having(released, "stray_space")
    assert Counter(name for name, _ in found) == {
        "coordinate_structure_constraint_complex_left_branch": 747,
        "animate_subject_trans": 387,
    }
    assert len(found) == 1134
    # All of them are a leading space of the prefix word.
    assert sum(one.two_prefix_word is not None and one.two_prefix_word[0] == " " for one in released) == 1134


def test_flags_of_the_release(released: tuple[Pair, ...]) -> None:
    counts = Counter(name for name, _ in having(released, "flag_wrong"))
    assert len(counts) == 11 and set(counts.values()) == {1000}
    identical = {one.paradigm for one in released if one.paradigm in counts and not one.lexically_identical}
    assert identical == {"ellipsis_n_bar_1", "existential_there_quantifiers_2"}  # the other 9 are not


def test_out_in_the_open_of_the_release(released: tuple[Pair, ...]) -> None:
    phrase = [one for one in released if "out in the open" in one.sentence_good + one.sentence_bad]
    assert len(phrase) == 208
    found = having(released, "out_in_the_open")
    # In the other 28 it is a predicate: "The ... was out in the open."
    fine = [one for one in phrase if "out_in_the_open" not in one.issues]
    assert {one.paradigm for one in fine} == {"irregular_past_participle_adjectives"} and len(fine) == 28
    assert len(found) == 180
    assert Counter(name for name, _ in found) == {
        "determiner_noun_agreement_with_adj_2": 36,
        "determiner_noun_agreement_with_adj_irregular_1": 29,
        "determiner_noun_agreement_with_adj_irregular_2": 18,
        "determiner_noun_agreement_with_adjective_1": 23,
        "ellipsis_n_bar_1": 28,
        "ellipsis_n_bar_2": 46,
    }


def test_typos_of_the_release(released: tuple[Pair, ...]) -> None:
    found = having(released, "typo")
    assert len(found) == 18 and {name for name, _ in found} == {"expletive_it_object_raising"}
    # Each stands in both sentences and in the prefix word: 54 values.
    assert sum("unsuprising" in text for one in released for text in texts_of(one)) == 18 * 3 == 54


def test_corrected_release(released: tuple[Pair, ...]) -> None:
    mended = correct(released)
    assert len(mended) == 67_000 - 7 - 1 - 180
    assert {one.field for one in mended} == {"syntax", "morphology", "semantics", "syntax_semantics"}
    assert not any("unsuprising" in text or text != text.strip() for one in mended for text in texts_of(one))
    numbers = {(one.paradigm, one.pair_id) for one in mended}
    assert ("irregular_plural_subject_verb_agreement_2", 995) in numbers
    assert ("regular_plural_subject_verb_agreement_2", 29) not in numbers
    before = {(one.paradigm, one.pair_id): one for one in released}
    changed = [
        one
        for one in mended
        if (one.sentence_good, one.sentence_bad)
        != (
            before[one.paradigm, one.pair_id].sentence_good,
            before[one.paradigm, one.pair_id].sentence_bad,
        )
    ]
    assert len(changed) == 18  # those with the typo
    assert not any(one.issues for one in mended)
