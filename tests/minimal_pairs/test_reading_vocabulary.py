"""The vocabulary filter."""

from __future__ import annotations

from pathlib import Path

import pytest

from dibimt_metric.errors import InputError
from minimal_pairs.reading.vocabulary import keep_pairs, read_vocabulary, words_of
from minimal_pairs.records import Pair


def pair(good: str, bad: str, paradigm: str = "p", number: int = 0) -> Pair:
    return Pair(good, bad, paradigm, str(number), number, paradigm)


def kept(sentence: str, *vocabulary: str) -> bool:
    return bool(keep_pairs([pair(sentence, sentence)], vocabulary).pairs)


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("Ann sleeps.", ["Ann", "sleeps"]),
        ("ann sleeps .", ["ann", "sleeps"]),
        ('"Well," (said) Ann\'s ex-boss—', ["Well", "said", "Ann's", "ex-boss"]),
        ("the dogs' bowl costs $5", ["the", "dogs", "bowl", "costs", "5"]),
        ("— … !", []),
    ],
)
def test_words(sentence: str, words: list[str]) -> None:
    assert list(words_of(sentence)) == words


@pytest.mark.parametrize(
    ("sentence", "vocabulary", "expected"),
    [
        ("Ann sleeps.", ("ann", "sleeps"), True),
        ("Ann sleeps.", ("ANN", "Sleeps"), True),  # case does not count on either side
        ("Ann sleeps.", ("sleeps",), False),
        ("ann doesn't", ("ann", "doesn't"), True),
        ("ann doesn't", ("ann", "does", "n't"), True),
        ("ann doesn\N{RIGHT SINGLE QUOTATION MARK}t", ("ann", "doesn't"), True),
        ("ann doesn't", ("ann", "does"), False),  # half of a word is not the word
        ("ann's", ("ann", "'s"), True),
        ("ann's", ("ann",), False),
        ("ex-boss", ("ex", "boss"), True),
        ("ex-boss", ("ex-boss",), True),
        ("ex-boss", ("boss",), False),
        ("ex-boss's", ("ex", "boss", "'s"), True),
        ("couldn't've", ("could", "n't", "'ve"), True),
        ("straße", ("STRASSE",), True),
    ],
)
def test_known_words(sentence: str, vocabulary: tuple[str, ...], expected: bool) -> None:
    assert kept(sentence, *vocabulary) is expected


def test_counts_by_paradigm() -> None:
    pairs = [
        pair("ann sleeps", "ann sleep", "p", 0),
        pair("ann swims", "ann swim", "p", 1),
        pair("bob swims", "ann swims", "q", 0),
    ]
    found = keep_pairs(iter(pairs), {"ann", "sleep", "sleeps"})
    assert found.pairs == (pairs[0],)
    assert found.kept == (("p", 1), ("q", 0))
    assert found.dropped == (("p", 1), ("q", 1))
    # A word counts once a pair.
    assert found.unknown == (("swims", 2), ("bob", 1), ("swim", 1))


def test_both_sentences_must_be_known() -> None:
    assert keep_pairs([pair("ann sleeps", "ann snores")], {"ann", "sleeps"}).pairs == ()


def test_a_function_cuts_words_where_blanks_do_not() -> None:
    pairs = [pair("他来了", "他了来")]
    assert keep_pairs(pairs, {"他", "来", "了"}).pairs == ()
    assert keep_pairs(pairs, {"他", "来", "了"}, words=list).pairs == tuple(pairs)


def test_a_larger_vocabulary_never_drops_more() -> None:
    words = ["ann", "sleeps", "sleep", "swims", "swim"]
    pairs = [pair("ann sleeps", "ann sleep", number=0), pair("ann swims", "ann swim", number=1)]
    numbers = [len(keep_pairs(pairs, words[:size]).pairs) for size in range(1, len(words) + 1)]
    assert numbers == sorted(numbers) == [0, 0, 1, 1, 2]


def test_word_list(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("ann\t120\nsleeps 4\n\n  swim\n", encoding="utf-8")
    assert read_vocabulary(path) == {"ann", "sleeps", "swim"}


def test_bad_word_lists(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("\n", encoding="utf-8")
    with pytest.raises(InputError, match="contains no word; expected one per line"):
        read_vocabulary(path)
    with pytest.raises(InputError, match="the vocabulary contains no word"):
        keep_pairs([], ())
