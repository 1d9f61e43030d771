"""Candidates as strings, in the notation of the annotation sheets, and as objects."""

from __future__ import annotations

import time
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dibimt_metric.errors import InputError
from dibimt_metric.items import candidate, comparable
from dibimt_metric.records import Candidate, PartOfSpeech

NOUN, ADJECTIVE, VERB, ADVERB = (
    PartOfSpeech.NOUN,
    PartOfSpeech.ADJECTIVE,
    PartOfSpeech.VERB,
    PartOfSpeech.ADVERB,
)

STRINGS = [
    ("Bank", "Bank", None),
    ("  Bank \n", "Bank", None),
    ("aus  der\tMode kommen", "aus der Mode kommen", None),
    ("ice_cream", "ice cream", None),
    ("[Bank]", "Bank", None),
    ("[Bank | P]", "Bank", None),
    ("[Bank|P]", "Bank", None),
    ("[Bank | P n]", "Bank", NOUN),
    ("[Bank | Pn]", "Bank", NOUN),
    ("Bank | n", "Bank", NOUN),
    ("groß | A", "groß", ADJECTIVE),
    ("[aus der Mode kommen | P v]", "aus der Mode kommen", VERB),
    ("gern |  p   R ", "gern", ADVERB),
    ("Bank |", "Bank", None),
    ("a * b", "a * b", None),
    ("", "", None),
    ("  ", "", None),
    ("| n", "", NOUN),
    ("[]", "", None),
    ("a | b | n", "a | b", NOUN),
    ("[Bank", "[Bank", None),
]


@pytest.mark.parametrize(("text", "lemma", "pos"), STRINGS)
def test_string(text: str, lemma: str, pos: PartOfSpeech | None) -> None:
    assert candidate(text) == Candidate(lemma, pos)


@pytest.mark.parametrize("text", ["Bank | x", "Bank | noun", "[Bank | P x]", "Bank | n v", "a | b"])
def test_what_follows_the_bar_must_be_a_mark(text: str) -> None:
    with pytest.raises(InputError, match=r"expected P, n, a, v, r"):
        candidate(text)


MAPPINGS = [
    ({"lemma": "Bank"}, Candidate("Bank")),
    ({"lemma": "Bank", "pos": "n"}, Candidate("Bank", NOUN)),
    ({"lemma": "Bank", "pos": None, "synsets": None, "frequency_indices": None}, Candidate("Bank")),
    ({"lemma": "Bank", "pos": ""}, Candidate("Bank")),
    (MappingProxyType({"lemma": "Bank"}), Candidate("Bank")),
    ({"lemma": "[Bank | P v]", "pos": "n"}, Candidate("Bank", NOUN)),
    ({"lemma": "Bank", "synsets": ["s1", "s2"]}, Candidate("Bank", None, ("s1", "s2"), (None, None))),
    ({"lemma": "Bank", "synsets": ["s1"], "frequency_indices": [3]}, Candidate("Bank", None, ("s1",), (3,))),
    (
        {"lemma": "Bank", "synsets": ("s1", "s2"), "frequency_indices": (None, 1)},
        Candidate("Bank", None, ("s1", "s2"), (None, 1)),
    ),
]


@pytest.mark.parametrize(("value", "expected"), MAPPINGS)
def test_mapping(value: object, expected: Candidate) -> None:
    assert candidate(value) == expected


NOT_CANDIDATES = [
    (None, "a string or an object with 'lemma', not None"),
    (7, "not 7"),
    (True, "not True"),
    (["Bank"], r"not \['Bank'\]"),
    (b"Bank", "not b'Bank'"),
    ({}, "needs a string 'lemma', not None"),
    ({"lemma": None}, "needs a string 'lemma'"),
    ({"lemma": 7}, "needs a string 'lemma', not 7"),
    ({"lemma": "x", "sense": 1}, "no field 'sense'; its fields are frequency_indices, lemma, pos, synsets"),
    ({"lemma": "x", 3: 1}, "no field '3'"),
    ({"lemma": "x", "pos": "noun"}, "'pos' is one of n, a, v, r or null, not 'noun'"),
    ({"lemma": "x", "pos": ["n"]}, "'pos' is one of"),
    ({"lemma": "x", "pos": 0}, "'pos' is one of"),
    ({"lemma": "x", "synsets": "s1"}, "'synsets' is a list of strings"),
    ({"lemma": "x", "synsets": [1]}, "'synsets' is a list of strings"),
    ({"lemma": "x", "synsets": 0}, "'synsets' is a list of strings, not 0"),
    ({"lemma": "x", "synsets": ["s"], "frequency_indices": [0]}, "positive integers"),
    ({"lemma": "x", "synsets": ["s"], "frequency_indices": [True]}, "positive integers"),
    ({"lemma": "x", "synsets": ["s"], "frequency_indices": [1.0]}, "positive integers"),
    ({"lemma": "x", "synsets": ["s"], "frequency_indices": "1"}, "positive integers"),
    ({"lemma": "x", "synsets": ["s"], "frequency_indices": False}, "positive integers"),
    ({"lemma": "x", "synsets": ["s"], "frequency_indices": [1, 2]}, "1 synsets but 2 frequency_indices"),
    ({"lemma": "x", "frequency_indices": [1]}, "0 synsets but 1 frequency_indices"),
    (Candidate("x", None, ("s",), (0,)), "positive integers"),
    (Candidate("x", None, ("s",), (1, 2)), "1 synsets but 2 frequency_indices"),
    (Candidate("x", None, (5,)), "'synsets' is a list of strings"),  # type: ignore[arg-type]
    (Candidate(None), "not Candidate"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("value", "message"), NOT_CANDIDATES)
def test_not_a_candidate(value: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        candidate(value)


def test_a_candidate_stays_itself() -> None:
    made = Candidate("ice_cream | x")
    assert candidate(made) is made


@given(st.text(min_size=1).filter(lambda text: not set("|[]_*") & set(text)))
def test_plain_text_is_its_own_lemma_with_single_spaces(text: str) -> None:
    assert candidate(text).lemma == " ".join(text.split())


@pytest.mark.parametrize("filler", [" ", "|", "| ", "[", "_", "\n"])
def test_a_megabyte_is_no_trap(filler: str) -> None:
    start = time.process_time()
    try:
        candidate("a" + filler * (1_000_000 // len(filler)) + "b")
    except InputError as error:
        assert len(str(error)) < 300
    assert time.process_time() - start < 5


def test_a_deeply_nested_value_is_named_briefly() -> None:
    value: object = "x"
    for _ in range(100_000):
        value = [value]
    with pytest.raises(InputError) as caught:
        candidate(value)
    assert len(str(caught.value)) < 200


SAME = [
    ("Aus der  MODE", "aus der mode", True),
    ("Straße", "STRASSE", True),
    ("scho\u0308n", "schön", True),
    ("dell\u2019ala", "dell'ala", True),
    ("Schiff\u00adfahrt", "Schifffahrt", True),
    ("a\u00a0b", "a b", True),
    ("Bank", "Banken", False),
    ("", " ", True),
]


@pytest.mark.parametrize(("one", "other", "same"), SAME)
def test_comparable(one: str, other: str, same: bool) -> None:
    assert (comparable(one) == comparable(other)) is same
