"""From spans of characters to tokens: which tokens of a text count.

The tokens are always those of the whole text. A word tokenized on its own has other tokens in 51 percent of BLiMP's
one-prefix words (``herself`` against `` herself``, say), and so the probability of another string.

Tokenizers differ in what they do with the blank before a word: part of the word's token, with or without the blank in
its offsets; a token of its own; dropped. So white space never decides whether a token counts by itself:

- a token counts if it overlaps the span in something else than white space;
- a token of white space only counts if it lies in the span, or directly before it: it belongs to the word behind.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

Offsets = Sequence[tuple[int, int]]
"""Half-open span of characters of each token. A token without width stands for something that is not in the text."""


def counting(text: str, offsets: Offsets, start: int, end: int) -> tuple[int, ...]:
    """Positions of the tokens that count for the span ``[start, end)`` of the text.

    Args:
        text: the text.
        offsets: of its tokens.
        start: of the span.
        end: of the span, within the text.

    Returns:
        Ascending positions; none if the span is empty or holds nothing that became a token.

    The blank belongs to the word, whether the span begins before or behind it:

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
    """Whether a character other than white space is in no token, as when the vocabulary does not have it.

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
        ``None`` where decoding does not give the text back, but for white space at its beginning: any offset would be
        a guess. Tokens that are only part of a character get the whole of it.
    """
    whole = decode(ids)
    shift = len(whole) - len(text)  # a tokenizer may put a blank before the text, or take one away
    if whole.strip() != text.strip() or whole[max(shift, 0) :] != text[max(-shift, 0) :]:
        return None
    offsets = []
    left = 0
    for k in range(1, len(ids) + 1):
        # Half a character decodes to a replacement sign; the common prefix with the whole is what is certain.
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
    """Tokens that end in the middle of a character have no width yet; give them the character that they begin."""
    widened = list(offsets)
    for i in reversed(range(len(widened) - 1)):
        left, right = widened[i]
        if left == right:
            widened[i] = (left, widened[i + 1][1])
    return widened
