"""Which tokens count for a span of characters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minimal_pairs.models.spans import counting, drops, offsets_by_decoding

TEXT = "Omar saw  himself."
#       012345678901234567


@pytest.mark.parametrize(
    ("offsets", "start", "end", "expected"),
    [
        # the blank is part of the word's token, or not in any offset: wherever the span begins
        ([(0, 4), (4, 8), (8, 17), (17, 18)], 10, 17, (2,)),
        ([(0, 4), (4, 8), (8, 17), (17, 18)], 8, 17, (2,)),
        ([(0, 4), (5, 8), (10, 17), (17, 18)], 8, 17, (2,)),
        # tokens of blanks only count with the word behind them, never with the word before
        ([(0, 4), (4, 8), (8, 9), (9, 10), (10, 17)], 10, 17, (2, 3, 4)),
        ([(0, 4), (4, 8), (8, 9), (9, 17)], 5, 8, (1,)),
        # a token that ends in a blank belongs to the word that it holds
        ([(0, 5), (5, 10), (10, 17), (17, 18)], 8, 17, (2,)),
        # no width: a blank that was taken out
        ([(0, 4), (5, 8), (8, 8), (10, 17)], 10, 17, (2, 3)),
        # several tokens of a word, of which the span holds a part
        ([(0, 4), (4, 8), (8, 13), (13, 17)], 12, 14, (2, 3)),
        ([(0, 4), (4, 8), (8, 13), (13, 17)], 13, 14, (3,)),
        # what the tokenizer added is nowhere
        ([(-1, -1), (0, 4), (4, 8), (-1, -1)], 0, 8, (1, 2)),
        ([(0, 4), (4, 8)], 4, 4, ()),
        ([(0, 4), (4, 8)], 10, 17, ()),
    ],
)
def test_counting(offsets: list[tuple[int, int]], start: int, end: int, expected: tuple[int, ...]) -> None:
    assert counting(TEXT, offsets, start, end) == expected


@given(st.text(alphabet="ab ", min_size=1, max_size=12), st.data())
def test_spans_that_part_a_text_at_words_part_its_tokens(text: str, data: st.DataObject) -> None:
    ends = sorted({*data.draw(st.lists(st.integers(1, len(text)), max_size=6)), len(text)})
    offsets = list(zip([0, *ends], ends, strict=False))
    cut = data.draw(st.sampled_from([i for i in range(len(text) + 1) if i in (0, *ends)]))
    left, right = counting(text, offsets, 0, cut), counting(text, offsets, cut, len(text))
    # Blanks before the cut belong to the second part, so a token of blanks may be in both; words never are.
    assert {*left, *right} >= {i for i, (a, b) in enumerate(offsets) if text[a:b].strip()}
    assert not {i for i in {*left} & {*right} if text[slice(*offsets[i])].strip()}


@pytest.mark.parametrize(
    ("offsets", "expected"),
    [
        ([(0, 4), (5, 8), (10, 17), (17, 18)], False),
        ([(0, 4), (4, 18)], False),
        ([(0, 4), (5, 8), (10, 17)], True),  # the full stop is in no token
        ([(1, 4), (4, 18)], True),
        ([(0, 4), (5, 18), (5, 18)], False),  # several tokens of the same characters: bytes
        ([], True),
    ],
)
def test_drops(offsets: list[tuple[int, int]], expected: bool) -> None:
    assert drops(TEXT, offsets) is expected


def decoder(pieces: list[str]) -> Any:
    return lambda ids: "".join(pieces[i] for i in ids)


@pytest.mark.parametrize(
    ("pieces", "text", "expected"),
    [
        (["he", " ran"], "he ran", [(0, 2), (2, 6)]),
        ([" he", " ran"], "he ran", [(0, 2), (2, 6)]),  # decoding puts a blank before
        (["he", " ran"], " he ran", [(1, 3), (3, 7)]),  # decoding loses the blank before
        (["he", " walks"], "he ran", None),
        (["he", "ran"], "he ran", None),
    ],
)
def test_offsets_by_decoding(pieces: list[str], text: str, expected: Any) -> None:
    assert offsets_by_decoding(decoder(pieces), range(len(pieces)), text) == expected


def test_offsets_by_decoding_of_parts_of_characters() -> None:
    encoded = "zwölf".encode()
    parts = [encoded[:3], encoded[3:4], encoded[4:]]  # "zw" and half of "ö"; the other half; "lf"

    def decode(ids: Sequence[int]) -> str:
        return b"".join(parts[i] for i in ids).decode(errors="replace")

    offsets = offsets_by_decoding(decode, range(3), "zwölf")
    assert offsets == [(0, 2), (2, 3), (3, 5)]
