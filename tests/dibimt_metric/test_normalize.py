"""Normalization: what is changed, and that every offset leads back into the user's own string."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dibimt_metric.analysis_text import Normalized, fold, normalize

NFD_CAFE = "cafe\u0301"

# what goes in, what comes out
CHANGED = [
    ("", ""),
    ("Haus", "Haus"),
    ("schön", "schön"),
    ("scho\u0308n", "schön"),
    (NFD_CAFE, "café"),
    ("и\u0306од", "йод"),
    ("е\u0308лка", "ёлка"),
    ("za\u030ce", "zǎe"),
    ("dell\u2019ala", "dell'ala"),
    ("foto\u02bcs", "foto's"),
    ("\u201eBank\u201c \u00abBank\u00bb \uff02", '"Bank" "Bank" "'),
    ("U\u2011Bahn U\u2010Bahn U\uff0dBahn", "U-Bahn U-Bahn U-Bahn"),
    ("10\u00a0km\u202f\u2009x\u3000y", "10 km  x y"),
    ("a\tb\nc\rd\x00e\x85f\x7fg", "a b c d e f g"),
    ("Schiff\u00adfahrt", "Schifffahrt"),
    ("a\u200bb\u200c\u200d\ufeffc\u2060", "abc"),
    ("\u202bабв\u202c\u200f", "абв"),
    ("за\u0301мок", "замок"),
    ("замо\u0300к", "замок"),
    ("по\u0301й\u0301", "пой"),
    ("e\u00ad\u0301", "é"),
    ("е\u0301\u0308", "ё"),
    ("x\u0301\u0327", "x"),
    ("\u0301", ""),
    ("a\u0323\u0302", "ậ"),
    ("\u0958", "\u0958"),
    ("\u1fef\u1ffd\u2000\u2001", "''  "),
    ("\u212b\u2126", "ÅΩ"),
    ("\u2013\u2014\u2026", "\u2013\u2014\u2026"),
    ("ß ẞ ﬁ", "ß ẞ ﬁ"),
    ("\ud800", "\ud800"),
    ("😀", "😀"),
]


@pytest.mark.parametrize(("given_text", "expected"), CHANGED)
def test_text(given_text: str, expected: str) -> None:
    assert normalize(given_text).text == expected


# text, normalized word looked for, original stretch that it must lead to
SPANS = [
    ("Ein scho\u0308ner Tag", "schöner", "scho\u0308ner"),
    ("una cosa dell\u2019ala", "ala", "ala"),
    ("die Schiff\u00adfahrt.", "Schifffahrt", "Schiff\u00adfahrt"),
    ("\u200bdie\u200b \u200bBank\u200b.", "Bank", "Bank"),
    ("за\u0301мок на горе\u0301", "горе", "горе\u0301"),
    ("10\u00a0km weit", "km", "km"),
    ("e\u200b\u0301a", "é", "e\u200b\u0301"),
    ("ab\u0301c", "b", "b\u0301"),
    ("r\u0300dec\u030c", "rdeč", "r\u0300dec\u030c"),
    ("\u0301a", "a", "a"),
]


@pytest.mark.parametrize(("text", "word", "original"), SPANS)
def test_span(text: str, word: str, original: str) -> None:
    normalized = normalize(text)
    start = normalized.text.index(word)
    first, last = normalized.span(start, start + len(word))
    assert text[first:last] == original


def test_untouched_text_is_the_same_object_without_tables() -> None:
    text = "Die Karawane legte jeden Tag fast 100 Meilen zurück."
    normalized = normalize(text)
    assert normalized.text is text
    assert normalized == Normalized(text)
    assert normalized.span(4, 12) == (4, 12)


def test_one_for_one_replacements_need_no_tables() -> None:
    assert normalize("\u201edas\u201c").starts is None


SMALL = st.text("ae n.-\u0301\u0308\u0323\u00ad\u200b\u00a0\u2019\u201eйеи\ud800\x00ßИ", max_size=12)


@given(st.text() | SMALL)
@example("a\u200b\u0301\u0323")
@example("\u0958")  # its NFC has two characters
def test_offsets_are_monotone_and_inside(text: str) -> None:
    normalized = normalize(text)
    spans = [normalized.span(i, i + 1) for i in range(len(normalized.text))]
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert [start for start, _ in spans] == sorted(start for start, _ in spans)
    assert [end for _, end in spans] == sorted(end for _, end in spans)


@given(st.text() | SMALL)
def test_normalising_twice_changes_nothing(text: str) -> None:
    once = normalize(text).text
    assert normalize(once).text == once


# Letters of the eight languages. Korean letters, which NFC joins without being marks, are left as they are.
OUR_LETTERS = st.characters(min_codepoint=0x20, max_codepoint=0x24F) | st.characters(
    min_codepoint=0x300, max_codepoint=0x4FF
)


@given(st.text(OUR_LETTERS) | SMALL)
def test_composed_and_decomposed_text_agree(text: str) -> None:
    composed, decomposed = unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text)
    assert normalize(composed).text == normalize(decomposed).text


@given(SMALL)
def test_every_character_comes_from_its_own_stretch(text: str) -> None:
    normalized = normalize(text)
    for i, character in enumerate(normalized.text):
        start, end = normalized.span(i, i + 1)
        assert character in normalize(text[start:end]).text


@pytest.mark.parametrize("text", ["a" + "\u0301\u0323" * 500_000, "\u0323" * 1_000_000, "и\u0306\u0301" * 300_000])
def test_a_megabyte_of_marks_is_no_trap(text: str) -> None:
    start = time.process_time()
    normalize(text)
    assert time.process_time() - start < 10


def test_a_letter_may_have_as_many_marks_as_unicode_allows() -> None:
    assert normalize("e" + "\u0315" * 29 + "\u0301").text == "é"
    assert normalize("e" + "\u0323" * 29 + "\u0302").text == "ệ"


FOLDED = [
    ("Schuß", {}, "schuss"),
    ("SCHUSS", {}, "schuss"),
    ("ЁЖ", {ord("ё"): "е"}, "еж"),
    ("ёж", {}, "ёж"),
    ("ѝ", {ord("ѝ"): "и"}, "и"),
    ("İ", {}, "i\u0307"),
    ("", {ord("ё"): "е"}, ""),
]


@pytest.mark.parametrize(("text", "table", "expected"), FOLDED)
def test_fold(text: str, table: dict[int, str], expected: str) -> None:
    assert fold(text, table) == expected


@given(st.text())
def test_folding_twice_changes_nothing(text: str) -> None:
    once = fold(text, {ord("ё"): "е"})
    assert fold(once, {ord("ё"): "е"}) == once
