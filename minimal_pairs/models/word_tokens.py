"""Texts as tokens and words, with the tokens that a tokenizer puts around them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from dibimt_metric.errors import InputError

from ..records import Request
from .spans import check_text, counting, drops

_NOWHERE = (-1, -1)  # the place of tokens that are not part of the text


class Text(NamedTuple):
    """A text as tokens.

    Attributes:
        text: as it was tokenized, with a leading space if requested. shift: 1 if there is one.
        ids: of the tokens, including those around the text.
        offsets: half-open span of characters of each token; (-1, -1): the tokenizer added it.
        words: number of the word of each token; ``None``: the tokenizer added it.
    """

    text: str
    shift: int
    ids: tuple[int, ...]
    offsets: tuple[tuple[int, int], ...]
    words: tuple[int | None, ...]

    def counting(self, request: Request) -> tuple[int, ...]:
        """Positions of the tokens that count."""
        end = len(self.text) if request.end is None else request.end + self.shift
        # A request that begins with the text includes the space before it, which may be a token of its own.
        return counting(self.text, self.offsets, request.start + self.shift if request.start else 0, end)

    def lacks(self, tokenizer: Any) -> bool:
        """Whether a part of the text is outside the vocabulary."""
        unknown = tokenizer.unk_token_id
        inside = [i for i, word in enumerate(self.words) if word is not None]
        if unknown is not None and tokenizer.unk_token not in self.text and any(self.ids[i] == unknown for i in inside):
            return True
        return drops(self.text, [self.offsets[i] for i in inside])


def check_tokenizer(tokenizer: Any, name: str) -> None:
    """Reject a tokenizer that does not report where its tokens are in the text."""
    if not getattr(tokenizer, "is_fast", False):
        raise InputError(
            f"{name}: its tokenizer does not report where tokens are in the text and which form a word; use a fast "
            "tokenizer, one with a tokenizer.json"
        )


def tokenize(tokenizer: Any, texts: Sequence[str], leading_space: bool = False) -> Iterator[Text]:
    """The tokens of each text, with those that the tokenizer puts around it."""
    for text in texts:
        check_text(text)
    shift = int(leading_space)
    spaced = [" " * shift + text for text in texts]
    encoded = tokenizer(
        spaced, return_offsets_mapping=True, return_attention_mask=False, return_token_type_ids=False, verbose=False
    )
    for i, text in enumerate(spaced):
        inside = [sequence is not None for sequence in encoded.sequence_ids(i)]
        offsets = [span if own else _NOWHERE for span, own in zip(encoded["offset_mapping"][i], inside, strict=True)]
        words = _words(text, offsets, encoded.word_ids(i))
        yield Text(text, shift, tuple(encoded["input_ids"][i]), tuple(offsets), tuple(words))


def _words(text: str, offsets: Sequence[tuple[int, int]], numbers: Sequence[int | None]) -> Iterator[int | None]:
    """Numbers of words: those of the tokenizer, also separated at white space.

    Some tokenizers treat a whole text as one word, because a space is a character like any other to them.
    """
    word, last, stop = -1, None, 0
    for (start, end), number in zip(offsets, numbers, strict=True):
        if (start, end) == _NOWHERE:
            yield None
            continue
        # The space is between two tokens, or at the beginning of the second one.
        space = any(character.isspace() for character in text[min(stop, start) : start + 1])
        if word < 0 or number != last or space:
            word += 1
        last, stop = number, end
        yield word
