"""The signature line: written, read back, and not broken by any value."""

from __future__ import annotations

from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dibimt_metric.errors import InputError
from dibimt_metric.score_measures import Weighting
from dibimt_metric.signature import Signature, make_signature, parse_signature
from dibimt_metric.version import VERSION

KEYS = st.from_regex(r"[a-z][a-z0-9_]*", fullmatch=True)
# Any text, lone surrogates among it: file names can hold them.
VALUES = st.text(st.characters(exclude_categories=()), min_size=1)


def test_whole_line() -> None:
    signature = make_signature(
        {
            "lang": "de",
            "analyzers": "simplemma-2.0.0",
            "rules": "de.1",
            "data": "mini",
            "nbest": "oracle",
            "weighting": Weighting.MACRO,
            "ties": "most_frequent",
            "seed": 0,
        }
    )
    assert str(signature) == (
        "dibimt|lang:de|analyzers:simplemma-2.0.0|rules:de.1|data:mini|nbest:oracle|weighting:macro"
        f"|ties:most_frequent|seed:0|version:{VERSION}"
    )


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("stanza-1.15.0(gsd+hdt)", "stanza-1.15.0(gsd+hdt)"),
        ("simplemma-2.0.0,jieba-0.42.1", "simplemma-2.0.0,jieba-0.42.1"),
        ("../data/my set.jsonl", "../data/my%20set.jsonl"),
        ("a|lang:ru", "a%7Clang%3Aru"),
        ("100%", "100%25"),
        ("%7C", "%257C"),
        ("two\nlines", "two%0Alines"),
        ("größe", "gr%C3%B6%C3%9Fe"),
    ],
)
def test_value_as_written(value: str, written: str) -> None:
    signature = Signature((("data", value),))
    assert str(signature) == f"dibimt|data:{written}"
    assert parse_signature(str(signature)).get("data") == value


def test_order_and_version_are_kept() -> None:
    assert str(make_signature({"b": 1, "version": "9", "a": 2.5})) == "dibimt|b:1|version:9|a:2.5"
    assert make_signature({}).fields == (("version", VERSION),)
    assert parse_signature("dibimt") == Signature(())
    assert parse_signature("dibimt|lang:de").get("version") is None


@given(st.lists(st.tuples(KEYS, VALUES), unique_by=lambda pair: pair[0], max_size=5))
def test_reading_back_gives_the_same(fields: list[tuple[str, str]]) -> None:
    signature = Signature(tuple(fields))
    line = str(signature)
    assert parse_signature(line) == signature
    assert line.isascii()
    assert line.isprintable()
    assert " " not in line
    assert line.count("|") == line.count(":") == len(fields)


@pytest.mark.parametrize("key", ["", "Lang", "a b", "a:b", "a|b", "1a", "a-b", "lang\n", None])
def test_key_that_cannot_be_used(key: object) -> None:
    with pytest.raises(InputError, match=r"signature key .* cannot be used"):
        Signature(((cast(str, key), "x"),))


@pytest.mark.parametrize("value", ["", None, True, ["a"], b"a"])
def test_value_that_cannot_be_used(value: object) -> None:
    with pytest.raises(InputError, match="signature value of 'data' is"):
        make_signature({"data": cast(str, value)})


def test_key_given_twice() -> None:
    with pytest.raises(InputError, match="signature key 'lang' is repeated"):
        Signature((("lang", "de"), ("lang", "ru")))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "starts with ''; expected 'dibimt'"),
        ("bleu|lang:de", "starts with 'bleu'"),
        ("dibimt|lang", "field 'lang' .* is not of the form key:value"),
        ("dibimt|lang:", "field 'lang:' .* is not of the form"),
        ("dibimt|lang:de|", "field '' .* is not of the form"),
        ("dibimt|lang:de:ru", "field 'lang:de:ru' .* is not of the form"),
        ("dibimt|lang:d e", "is not of the form"),
        ("dibimt|lang:de\n", "is not of the form"),
        ("dibimt|lang:%7", "is not of the form"),
        ("dibimt|lang:%FF", "field 'lang:%FF' .* is not UTF-8"),
        ("dibimt|Lang:de", "signature key 'Lang' cannot be used"),
        ("dibimt|lang:de|lang:ru", "is repeated"),
    ],
)
def test_line_that_is_no_signature(line: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_signature(line)


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    for line in (text, f"dibimt|{text}", f"dibimt|data:{text}"):
        try:
            signature = parse_signature(line)
        except InputError:
            continue
        assert parse_signature(str(signature)) == signature
