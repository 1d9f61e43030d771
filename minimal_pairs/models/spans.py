"""From spans of characters to tokens: which tokens of a text count.

The tokens are always those of the whole text. Of BLiMP's one-prefix words, 51 percent have other tokens when tokenized
on their own (``herself`` against `` herself``), and so the probability of another string.

Tokenizers treat the space before a word differently: as part of the word's token, with or without the space in its
offsets; as a token of its own; or they drop it. So white space alone never decides whether a token counts:

- a token counts if it overlaps the span in something other than white space;
- a token of only white space counts if it is in the span, or directly before it: it belongs to the following word.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dibimt_metric.errors import InputError, shown

from ..records import Request

Offsets = Sequence[tuple[int, int]]
"""Half-open span of characters of each token. A token of width 0 is for something that is not in the text."""


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
    """UTF-8 bytes of the part that counts."""
    return len(part_of(request).encode("utf-8", "surrogatepass"))


def check_text(text: str) -> None:
    """Reject a text that contains half of a surrogate pair."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InputError(f"{shown(text)} contains half of a character (a surrogate); correct the text") from error


def counting(text: str, offsets: Offsets, start: int, end: int) -> tuple[int, ...]:
    """Ascending positions of the tokens that count for the span ``[start, end)`` of the text.

    None if the span is empty or nothing in it became a token.
    The space belongs to the word, whether the span begins before or after it:

    >>> counting("we ran", [(0, 2), (2, 6)], 3, 6), counting("we ran", [(0, 2), (3, 6)], 2, 6)
    ((1,), (1,))
    >>> counting("we ran", [(0, 2), (2, 3), (3, 6)], 3, 6)
    (1, 2)
    """
    before = len(text[:start].rstrip())  # where the white space before the span begins

    def counts(left: int, right: int) -> bool:
        part = text[left:right]
        if not part.strip():
            return before <= left < end and start < end
        first, last = left + len(part) - len(part.lstrip()), right - len(part) + len(part.rstrip())
        return first < end and last > start

    return tuple(i for i, span in enumerate(offsets) if counts(*span))


def drops(text: str, offsets: Offsets) -> bool:
    """Whether a character other than white space is in no token, for example because the vocabulary lacks it.

    >>> drops("a €5 note", [(0, 1), (3, 4), (5, 9)]), drops("a 5 note", [(0, 1), (2, 3), (4, 8)])
    (True, False)
    """
    reached = 0
    for left, right in offsets:
        if left > reached and text[reached:left].strip():
            return True
        reached = max(reached, right)
    return bool(text[reached:].strip())


def offsets_by_decoding(
    decode: Callable[[Sequence[int]], str], ids: Sequence[int], text: str
) -> list[tuple[int, int]] | None:
    """Offsets for a tokenizer that gives none: token k ends where the text of the first k tokens ends.

    Args:
        decode: ids to text, without any clean-up.
        ids: of the whole text.
        text: the text.

    Returns:
        ``None``: decoding does not restore the text (except for white space at its beginning), so that any offset would
        be a guess. Tokens that are part of a character get the whole character.
    """
    whole = decode(ids)
    shift = len(whole) - len(text)  # a tokenizer may add or remove a space before the text
    if whole.strip() != text.strip() or whole[max(shift, 0) :] != text[max(-shift, 0) :]:
        return None
    offsets = []
    left = 0
    for k in range(1, len(ids) + 1):
        # Half a character decodes to a replacement character; only the common prefix with the whole is certain.
        right = _common(decode(ids[:k]), whole)
        offsets.append((max(left - shift, 0), max(right - shift, 0)))
        left = right
    return _widened(offsets)


def _common(first: str, second: str) -> int:
    """Length of the common prefix."""
    for i, (a, b) in enumerate(zip(first, second, strict=False)):
        if a != b:
            return i
    return min(len(first), len(second))


def _widened(offsets: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Give tokens that end within a character, which have width 0, the character that they begin."""
    widened = list(offsets)
    for i in reversed(range(len(widened) - 1)):
        left, right = widened[i]
        if left == right:
            widened[i] = (left, widened[i + 1][1])
    return widened
