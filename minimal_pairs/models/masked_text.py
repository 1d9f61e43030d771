"""Texts as tokens, with the words that they make, for models that a tokenizer's own tokens stand around."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from dibimt_metric.errors import InputError, shown

from ..records import Request, TextScore
from .spans import counting, drops

_NOWHERE = (-1, -1)  # the place of tokens that are no part of the text
_BLOCK = 4096  # requests in memory at once


class Text(NamedTuple):
    """A text as tokens.

    Attributes:
        text: as it was tokenized, with the space before it where one was asked for. shift: 1 if there is one.
        ids: of the tokens, those around the text included.
        offsets: half-open span of characters of each; (-1, -1): the tokenizer put it there.
        words: number of the word that it belongs to; ``None``: of none, the tokenizer put it there.
    """

    text: str
    shift: int
    ids: tuple[int, ...]
    offsets: tuple[tuple[int, int], ...]
    words: tuple[int | None, ...]

    def counting(self, request: Request) -> tuple[int, ...]:
        """Positions of the tokens that count."""
        end = len(self.text) if request.end is None else request.end + self.shift
        # What begins with the text takes the space before it along, which may be a token of its own.
        return counting(self.text, self.offsets, request.start + self.shift if request.start else 0, end)

    def lacks(self, tokenizer: Any) -> bool:
        """Whether a part of the text is outside the vocabulary."""
        unknown = tokenizer.unk_token_id
        inside = [i for i, word in enumerate(self.words) if word is not None]
        if (
            unknown is not None
            and tokenizer.unk_token not in self.text
            and any(self.ids[i] == unknown for i in inside)
        ):
            return True
        return drops(self.text, [self.offsets[i] for i in inside])


def score_blocks(
    requests: Sequence[Request], score: Callable[[Sequence[Request]], Sequence[TextScore]]
) -> list[TextScore]:
    """The scores of all requests, from a function for some of them, each of which is asked for once."""
    unique = list(dict.fromkeys(requests))
    scores: dict[Request, TextScore] = {}
    for i in range(0, len(unique), _BLOCK):
        block = unique[i : i + _BLOCK]
        scores.update(zip(block, score(block), strict=True))
    return [scores[request] for request in requests]


def positions_of(text: Text, request: Request, tokenizer: Any, refuse: bool) -> tuple[int, ...] | str:
    """Positions of the tokens that count, or why there is no score: ``empty``, ``missing_token``.

    Args:
        text: the text of the request.
        request: the request.
        tokenizer: that made the tokens.
        refuse: whether a text with a part outside the vocabulary has no score.
    """
    positions = text.counting(request)
    if not part_of(request).strip() or not positions:
        return "empty"
    return "missing_token" if refuse and text.lacks(tokenizer) else positions


def total(values: Sequence[float] | str, request: Request) -> TextScore:
    """The score of a request: the sum of its log-probabilities, or the reason that it has none."""
    length = length_of(request)
    if isinstance(values, str):
        return TextScore(None, 0, length, values)
    found = math.fsum(values)
    if not math.isfinite(found):
        return TextScore(None, 0, length, "not_finite")
    return TextScore(found, len(values), length)


def part_of(request: Request) -> str:
    """The part of the text that counts.

    Raises:
        InputError: the span is not within the text.
    """
    text, start, end = request
    stop = len(text) if end is None else end
    if not 0 <= start <= stop <= len(text):
        raise InputError(f"span {start}:{end} of {shown(text)}: expected 0 <= start <= end <= {len(text)}")
    return text[start:stop]


def length_of(request: Request) -> int:
    """UTF-8 bytes of the part that counts.

    Raises:
        InputError: the span is not within the text.
    """
    return len(part_of(request).encode("utf-8", "surrogatepass"))


def check_tokenizer(tokenizer: Any, name: str) -> None:
    """Refuse a tokenizer that does not know where in the text its tokens stand.

    Raises:
        InputError: it does not.
    """
    if not getattr(tokenizer, "is_fast", False):
        raise InputError(
            f"{name}: its tokenizer does not say where tokens stand in the text and which make a word; use a fast "
            "tokenizer, one with a tokenizer.json"
        )


def tokenize(tokenizer: Any, texts: Sequence[str], leading_space: bool = False) -> Iterator[Text]:
    """The tokens of each text, with those that the tokenizer puts around it.

    Args:
        tokenizer: a fast one of transformers.
        texts: the texts.
        leading_space: whether a space is put before each.

    Raises:
        InputError: a text that is no Unicode text.
    """
    for text in texts:
        if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
            raise InputError(f"{shown(text)} holds half of a character (a surrogate); mend the text")
    shift = int(leading_space)
    spaced = [" " * shift + text for text in texts]
    encoded = tokenizer(
        spaced,
        return_offsets_mapping=True,
        return_attention_mask=False,
        return_token_type_ids=False,
        verbose=False,
    )
    for i, text in enumerate(spaced):
        inside = [sequence is not None for sequence in encoded.sequence_ids(i)]
        offsets = [
            span if own else _NOWHERE for span, own in zip(encoded["offset_mapping"][i], inside, strict=True)
        ]
        words = _words(text, offsets, encoded.word_ids(i))
        yield Text(text, shift, tuple(encoded["input_ids"][i]), tuple(offsets), tuple(words))


def _words(
    text: str, offsets: Sequence[tuple[int, int]], numbers: Sequence[int | None]
) -> Iterator[int | None]:
    """Numbers of words: those of the tokenizer, parted at white space besides.

    Some tokenizers keep a whole text as one word, because they take a blank for a character like any other.
    """
    word, last, stop = -1, None, 0
    for (start, end), number in zip(offsets, numbers, strict=True):
        if (start, end) == _NOWHERE:
            yield None
            continue
        # The blank stands between two tokens, or at the beginning of the second one.
        blank = any(character.isspace() for character in text[min(stop, start) : start + 1])
        if word < 0 or number != last or blank:
            word += 1
        last, stop = number, end
        yield word
