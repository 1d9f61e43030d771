"""What nobody means to give: each gets a clear error or a defined label, in bounded time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from dibimt_metric.errors import DibimtError, InputError, ItemError
from dibimt_metric.items import make_item
from dibimt_metric.items_reading import read_items, read_predictions
from dibimt_metric.judge import Hypothesis, Judge, NBest
from dibimt_metric.languages import LANGUAGES, language_rules
from dibimt_metric.records import Candidate, Item, Label
from dibimt_metric.score_results import score_translations

MEGABYTE = 1_000_000

# GOOD and BAD candidates of the usual kinds: a noun, a reflexive or separable verb, a phrase
CANDIDATES = {
    "bg": (["банка", "мия се"], ["давам си сметка"]),
    "zh": (["银行", "吃饭"], ["银行 * 账户"]),
    "nl": (["bank", "opgeven"], ["zich wassen", "uit de mode komen"]),
    "de": (["Bank", "aufgeben"], ["sich waschen", "aus der Mode kommen"]),
    "it": (["banca", "andarsene"], ["lavarsi", "rendersi conto"]),
    "ru": (["банк", "летучая мышь"], ["мыться"]),
    "sl": (["banka", "zavedati se"], ["umiti se"]),
    "es": (["banco", "irse"], ["lavarse", "darse cuenta"]),
}


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Processor time: generous, but far below what anything quadratic takes."""
    start = time.process_time()
    yield
    assert time.process_time() - start < seconds


def _item(language: str) -> Item:
    good, bad = CANDIDATES[language]
    return Item("1", good=tuple(map(Candidate, good)), bad=tuple(map(Candidate, bad)), language=language)


@pytest.fixture(scope="module")
def judges() -> dict[str, Judge]:
    return {language: Judge(language) for language in LANGUAGES}


# Defined labels

NO_WORDS = [
    "", " ", "\n", "\t\r\n", "\x00", "\x00\x1b[31m\x07", "\ud800", "\udfff\ud800", "\ufffe\uffff", "\u200b", "\u00ad",
    "\u0301", "\u0301\u0323", "\u202e\u202c", "...", "?!", "\ufeff", "'", "-", "--", "_", "\\", "%s {} $x",
    "😀👨‍👩‍👧", "\U0010ffff", "<script>", "'; DROP TABLE items; --", "nan", "None", "null",
    "0", "-1", "1e999", "٣", "Ⅷ", "ﷺ", "ß" * 80, "'''", "- - -",
    "1.", ".1", "1..2", "a'", "'a", "a-", "-a", "a--b", "a'-b", "\u2028\u2029\x85\x0b\x0c",
]  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_without_any_candidate_are_misses(judges: dict[str, Judge], language: str) -> None:
    for text in NO_WORDS:
        assert judges[language].judge(_item(language), text).label is Label.MISS, repr(text)


@pytest.mark.parametrize(
    "noise", ["\x00", "\x1b", "\ud800", "\u200b", "\u00ad", "\ufeff", "\u202e", "\u0352", "\n", "😀"]
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_noise_around_a_word_does_not_hide_it(judges: dict[str, Judge], language: str, noise: str) -> None:
    word = CANDIDATES[language][0][0]
    text = f"{noise}{word}{noise} {noise}"
    (match, *_) = judges[language].judge(_item(language), text).matches
    assert match.text.rstrip("\u0352") == word


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_item_without_candidates_is_missed(judges: dict[str, Judge], language: str) -> None:
    assert judges[language].judge(Item("1"), "Bank 银行 банк").label is Label.MISS


WILD = [
    "",
    " ",
    "*",
    "* *",
    "* Bank",
    "Bank *",
    "*Bank",
    "...",
    "\x00",
    "\ud800",
    "+",
    "-",
    "_",
    "'",
    "|",
    "[]",
    "\u200b",
    "\u0301",
]


@pytest.mark.parametrize("language", LANGUAGES)
def test_unchecked_candidates_that_hold_nothing(judges: dict[str, Judge], language: str) -> None:
    """Items that were made by hand, past all checks, find nothing or something, but crash nowhere."""
    for lemma in WILD:
        item = Item("1", good=(Candidate(lemma),), bad=(Candidate("xyzzy"),))
        for text in ("", "x", "Bank", "a b - + ' _ | ...", lemma, f"x {lemma} y", "银行。"):
            assert judges[language].judge(item, text).label in (Label.GOOD, Label.MISS)


# Clear errors

NO_TRANSLATIONS: list[Any] = [
    None,
    0,
    1.5,
    True,
    b"Bank",
    object(),
    {"a": 1},
    {"Bank"},
    [None],
    [1],
    [["Bank"]],
    [],
]


@pytest.mark.parametrize("prediction", NO_TRANSLATIONS)
def test_no_translation(judges: dict[str, Judge], prediction: Any) -> None:
    with pytest.raises(InputError):
        judges["de"].judge(_item("de"), prediction)
    with pytest.raises(InputError):
        score_translations(judges["de"], [_item("de")], [prediction])


@pytest.mark.parametrize("language", ["", "DE", "deu", "xx", "../../x", "de\x00", None, 7, ("de",), b"de", "\ud800"])
def test_unknown_language(language: Any) -> None:
    with pytest.raises(InputError, match="unknown language .*expected one of bg, zh, nl, de, it, ru, sl, es"):
        Judge(language)
    with pytest.raises(InputError):
        language_rules(language)


@pytest.mark.parametrize(
    "row", [None, 0, "Bank", [], {}, {"id": "a"}, {"good": None}, {"id": [], "good": {}, "bad": 1}]
)
def test_no_item(row: Any) -> None:
    with pytest.raises(ItemError) as caught:
        make_item(row, default_id="d")
    assert caught.value.problems


@pytest.mark.parametrize("name", ["items.jsonl", "hyp.jsonl", "hyp.txt"])
def test_a_folder_is_no_file(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    with pytest.raises(InputError, match="cannot be read"):
        (read_items if name == "items.jsonl" else read_predictions)(tmp_path / name)


def test_every_error_is_of_one_tree() -> None:
    assert issubclass(InputError, DibimtError)
    assert issubclass(ItemError, InputError)
    assert issubclass(InputError, ValueError)


def test_messages_about_megabytes_are_short() -> None:
    long: Any = "x" * MEGABYTE
    for row in (
        long,
        {"id": long, "good": [long + "*"]},
        {"good": long},
        {"good": [{"lemma": 5, long: 1}]},
        {"good": [[long]]},
        {long: 1, "good": ["x"]},
        {"good": ["x"], "pos": long, "language": long, "polysemy": long, "focus": long, "source": 7},
        {"good": ["x"], "source": long, "focus": {"text": long, "start": 0, "end": 5}},
    ):
        with pytest.raises(ItemError) as caught:
            make_item(row, default_id="d")
        assert len(str(caught.value)) < 2000


# A megabyte of everything

KINDS = {
    "one word": "a" * MEGABYTE,
    "one long German word": "bundesbank" * (MEGABYTE // 10),
    "digits": "1" * MEGABYTE,
    "digits and periods": "1." * (MEGABYTE // 2),
    "digits, then a letter": "1" * MEGABYTE + "a",
    "spaces": " " * MEGABYTE,
    "no-break spaces": "\u00a0" * (MEGABYTE // 2),
    "marks": "\u0301" * (MEGABYTE // 2),
    "marks in disorder": "a" + "\u0301\u0323" * (MEGABYTE // 4),
    "invisible": "\u200b" * (MEGABYTE // 3),
    "nulls": "\x00" * MEGABYTE,
    "half surrogates": "\ud800" * (MEGABYTE // 3),
    "faces": "😀" * (MEGABYTE // 4),
    "low lines": "_" * (MEGABYTE // 10),
    "one stretch of hyphens": "a" + "-a" * (MEGABYTE // 16),
    "apostrophes": "l'" * (MEGABYTE // 16),
    "punctuation": ".,;!?" * (MEGABYTE // 20),
    "quotes": "«»" * (MEGABYTE // 16),
    "capitals": "Aa " * (MEGABYTE // 12),
    "numbers": " ".join(map(str, range(MEGABYTE // 28))),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_megabyte(judges: dict[str, Judge], kind: str) -> None:
    with within(30):
        assert judges["de"].judge(_item("de"), KINDS[kind]).label is Label.MISS


@pytest.mark.parametrize("kind", KINDS)
def test_a_part_of_it_in_every_language(judges: dict[str, Judge], kind: str) -> None:
    text = KINDS[kind][: len(KINDS[kind]) // 40]
    for language in LANGUAGES:
        with within(10):
            assert judges[language].judge(_item(language), text).label is Label.MISS


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_word_of_a_megabyte(judges: dict[str, Judge], language: str) -> None:
    word = CANDIDATES[language][0][0].split()[0]
    text = word * (MEGABYTE // len(word.encode())) if language != "zh" else "a" * (MEGABYTE // 3)
    with within(30):
        assert judges[language].judge(_item(language), text).label is Label.MISS


LONG_WORDS = {
    "bg": "представителство",
    "zh": "中华人民共和国",
    "nl": "verantwoordelijkheid",
    "de": "Wirtschaftswissenschaft",
    "it": "rappresentazione",
    "ru": "ответственность",
    "sl": "odgovornost",
    "es": "responsabilidad",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_megabyte_of_the_matching_word(judges: dict[str, Judge], language: str) -> None:
    word = LONG_WORDS[language] + ("" if language == "zh" else " ")
    times = MEGABYTE // len(word.encode())
    item = Item("1", good=(Candidate(LONG_WORDS[language]),), bad=_item(language).bad)
    with within(60):
        judgment = judges[language].judge(item, word * times)
    assert judgment.label is Label.GOOD
    assert len({match.start for match in judgment.matches}) == times


REPEATED = {
    "bg": ["мия се ", "се мия ", "давам си сметка "],
    "zh": ["吃饭", "吃了饭", "龘", "的是", "饭", "银行的账户"],
    "nl": ["was me ", "ik was me ", "gaf op x ", "komt uit de mode "],
    "de": ["wasche mich ", "gab auf x ", "kam aus der Mode ", "gibt auf Bank "],
    "it": ["si lava ", "lavarsi ", "se ne va ", "si rende conto "],
    "ru": ["моется ", "летучая мышь "],
    "sl": ["umil se ", "se zaveda ", "umil "],
    "es": ["se lava ", "lavarse ", "se da cuenta ", "lava "],
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_phrase_without_end(judges: dict[str, Judge], language: str) -> None:
    """No full stop, no comma: one sentence of thousands of words that all look like the verb, or like its pieces."""
    for text in REPEATED[language]:
        with within(10):
            judges[language].judge(_item(language), text * (10_000 // len(text.encode())))


# Candidates without end


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_candidate_of_ten_thousand_words(judges: dict[str, Judge], language: str) -> None:
    words = [CANDIDATES[language][0][0].split()[0], *map(str, range(2000, 2699))]
    lemma = " ".join(words[i % 700] for i in range(10_000))
    with within(60):
        item = make_item({"id": "1", "good": [lemma], "bad": ["y"]})
        assert judges[language].judge(item, "x " + lemma + " y").label is Label.UNK
        assert judges[language].judge(item, "Das Haus. " * 20).label is Label.MISS


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_candidate_with_two_hundred_wildcards(judges: dict[str, Judge], language: str) -> None:
    first, last = ("银行", "账户") if language == "zh" else ("a1", "b2")
    lemma = " * ".join([first, last] * 100 + [first])
    with within(60):
        item = make_item({"id": "1", "good": [lemma]})
        judge = judges[language]
        assert judge.judge(item, f"{first} x {last} y " * 100 + first).label is Label.GOOD
        assert judge.judge(item, f"{first} {last} " * 99 + first).label is Label.MISS
        judge.judge(item, f"{first} x " * 500)


def test_ten_thousand_candidates(judges: dict[str, Judge]) -> None:
    with within(60):
        item = make_item({"id": "1", "good": [f"g{i}" for i in range(5000)], "bad": [f"b{i}" for i in range(5000)]})
        assert judges["de"].judge(item, "x g4999 y").label is Label.GOOD


def test_one_candidate_ten_thousand_times(judges: dict[str, Judge]) -> None:
    item = Item("1", good=(Candidate("Bank"),) * 5000, bad=(Candidate("an der Bank"),) * 5000)
    with within(60):
        assert judges["de"].judge(item, "an der Bank").label is Label.BAD


# n-best lists without end


def test_ten_thousand_hypotheses(judges: dict[str, Judge]) -> None:
    bank, item = "Auf der Bank.", make_item({"id": "1", "good": ["Ufer"], "bad": ["Bank"]})
    with within(30):
        assert judges["de"].judge(item, [bank] * 9_999 + ["Am Ufer."]).hypothesis == 9_999
        assert judges["de"].judge(item, ["x"] * 10_000).label is Label.MISS
        scored = [Hypothesis(bank, 10_000.0 - i) for i in range(10_000)]
        assert Judge("de", nbest=NBest.MIN_PERPLEXITY).judge(item, scored).hypothesis == 9_999


def test_lists_within_lists(judges: dict[str, Judge]) -> None:
    nested: Any = "Bank"
    for _ in range(50_000):
        nested = [nested]
    with pytest.raises(InputError) as caught:
        score_translations(judges["de"], [_item("de")], [nested])
    assert len(str(caught.value)) < 300


def test_the_same_id_twice_is_scored_twice(judges: dict[str, Judge]) -> None:
    """Ids only name; files with one id twice are refused where they are read."""
    result = score_translations(judges["de"], [_item("de"), _item("de")], ["Bank", "nichts"])
    assert [judgment.label for judgment in result.judgments] == [Label.GOOD, Label.MISS]
