"""Text normalization that never loses the way back to the user's own string.

`normalize` prepares a text for analysis (NFC, one kind of quote, hyphen and space, no invisible characters) and records
where each character came from. `fold` makes the keys by which words are compared.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

_APOSTROPHES = "\u2018\u2019\u201a\u201b\u02bc\u00b4\u0060\uff07"
_QUOTES = "\u201c\u201d\u201e\u201f\u00ab\u00bb\uff02"
_HYPHENS = "\u2010\u2011\uff0d"
_INVISIBLE = (
    "\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
    "\u2060\u2061\u2062\u2063\u2066\u2067\u2068\u2069\ufeff"
)
_SPACES = "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
_CONTROLS = "".join(map(chr, [*range(0x20), *range(0x7F, 0xA0)]))

_REPLACED: dict[int, str] = {
    **{ord(c): "'" for c in _APOSTROPHES},
    **{ord(c): '"' for c in _QUOTES},
    **{ord(c): "-" for c in _HYPHENS},
    **{ord(c): " " for c in _SPACES + _CONTROLS},
    **{ord(c): "" for c in _INVISIBLE},
}
_MARKS = "\u0300-\u036f"
_TOUCHED = re.compile("[" + re.escape("".join(map(chr, _REPLACED))) + _MARKS + "]")
_MOVED = re.compile("[" + _INVISIBLE + _MARKS + "]")
_DELETED: dict[int, str] = {ord(c): "" for c in _INVISIBLE}
# Marks after one character; Unicode's stream-safe text has at most 30. Composing takes the square of their number.
_LONGEST_CLUSTER = 32


@dataclass(frozen=True, slots=True)
class Normalized:
    """A normalized text and, for each of its characters, its place in the original.

    Attributes:
        text: the normalized text.
        starts, ends: original half-open span of each character; ``None``: nothing moved.
    """

    text: str
    starts: tuple[int, ...] | None = None
    ends: tuple[int, ...] | None = None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Original half-open span of the normalized span ``[start, end)`` (which is not empty)."""
        if self.starts is None or self.ends is None:
            return start, end
        return self.starts[start], self.ends[end - 1]


def normalize(text: str) -> Normalized:
    """Normalize ``text`` for analysis; offsets into the original stay available.

    NFC; typographic apostrophes, quotes, hyphens and spaces become the plain ones; control characters become
    spaces; soft hyphens, zero-width marks, direction marks and stress marks are deleted.

    >>> n = normalize("dell\u2019a\u00adla")
    >>> n.text, n.span(5, 8)
    ("dell'ala", (5, 9))
    """
    if unicodedata.is_normalized("NFC", text):
        if _TOUCHED.search(text) is None:
            return Normalized(text)
        if _MOVED.search(text) is None:
            return Normalized(text.translate(_REPLACED))
    return _normalize_slowly(text)


def _normalize_slowly(text: str) -> Normalized:
    out: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for start, end in _clusters(text):
        letter = _letter(text[start:end].translate(_DELETED)).translate(_REPLACED)
        if letter:
            out.append(letter)
            starts.append(start)
            ends.append(end)
    return Normalized("".join(out), tuple(starts), tuple(ends))


def _clusters(text: str) -> list[tuple[int, int]]:
    """Spans of each character with the marks that follow it; invisible characters have no span."""
    spans: list[tuple[int, int]] = []
    marks = 0
    for i, character in enumerate(text):
        if character in _INVISIBLE:
            continue
        if spans and marks < _LONGEST_CLUSTER and _is_mark(character):
            marks += 1
            spans[-1] = (spans[-1][0], i + 1)
        else:
            marks = 0
            spans.append((i, i + 1))
    return spans


def _letter(cluster: str) -> str:
    """The single letter that a letter and its marks form; nothing for marks alone.

    A mark that forms no letter is dropped, since it would split the word. In the eight languages it is a stress
    mark, as dictionaries and textbooks have it (``за́мок``); ё, й and ѝ are letters of their own and stay.
    """
    if len(cluster) == 1:
        composed = unicodedata.normalize("NFC", cluster)  # takes some letters of other scripts apart
        return cluster if len(composed) > 1 else "" if _is_mark(composed) else composed
    letter = ""
    for character in unicodedata.normalize("NFD", cluster):
        composed = unicodedata.normalize("NFC", letter + character)
        if len(composed) == 1 and not _is_mark(composed):
            letter = composed
    return letter


def _is_mark(character: str) -> bool:
    return "\u0300" <= character <= "\u036f"


def fold(text: str, table: dict[int, str]) -> str:
    """The key by which two words are compared: case-folded (which makes ss of ß), then the language's letters.

    Args:
        text: a normalized word.
        table: letters of the language that count as others (ru: ё as е), for `str.translate`.

    >>> fold("Schuß", {}), fold("ЁЖ", {ord("ё"): "е"})
    ('schuss', 'еж')
    """
    folded = text.casefold()
    return folded.translate(table) if table else folded
