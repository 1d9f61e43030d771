"""The pairs whose words a model can know: a filter by a list of words, as used for BabyLM.

A word is what blanks separate, without the punctuation around it; case does not count. It is known if the list has it,
or if the list has all of its parts: a contraction is cut as treebanks cut it (``doesn't`` into ``does`` and ``n't``,
``Ann's`` into ``Ann`` and ``'s``), a compound at its hyphens. Curly apostrophes count as straight ones. Where no blanks
separate words, as in Chinese, give a function that does.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass

from dibimt_metric.errors import InputError

from ..records import Pair
from .sources import decode, list_sources

_CLITIC = re.compile(r"(.+?)(n't|'s|'re|'ve|'ll|'d|'m|')")


@dataclass(frozen=True, slots=True)
class KeptPairs:
    """What a vocabulary leaves.

    Attributes:
        pairs: those all of whose words are known, in order.
        kept, dropped: how many of each paradigm, in order of first appearance; both name every paradigm.
        unknown: words that are not known and how many pairs have them, the commonest first.
    """

    pairs: tuple[Pair, ...]
    kept: tuple[tuple[str, int], ...]
    dropped: tuple[tuple[str, int], ...]
    unknown: tuple[tuple[str, int], ...]


def keep_pairs(
    pairs: Iterable[Pair],
    vocabulary: Collection[str],
    words: Callable[[str], Iterable[str]] | None = None,
) -> KeptPairs:
    """Keep the pairs both of whose sentences hold known words only; see the module for what a word is.

    Args:
        pairs: the pairs.
        vocabulary: the known words; their case does not count.
        words: cuts a sentence into words where blanks do not.

    Raises:
        InputError: the vocabulary holds no word.
    """
    known = {_folded(word) for word in vocabulary}
    if not known:
        raise InputError("the vocabulary holds no word; every pair would be dropped")
    cut = words or words_of
    is_known = _Known(known)
    left: list[Pair] = []
    kept: Counter[str] = Counter()
    dropped: Counter[str] = Counter()
    unknown: Counter[str] = Counter()
    for pair in pairs:
        strange = {
            word
            for sentence in (pair.sentence_good, pair.sentence_bad)
            for word in map(_folded, cut(sentence))
            if not is_known(word)
        }
        kept[pair.paradigm] += not strange
        dropped[pair.paradigm] += bool(strange)
        unknown.update(strange)
        if not strange:
            left.append(pair)
    ordered = sorted(unknown.items(), key=lambda item: (-item[1], item[0]))
    return KeptPairs(tuple(left), tuple(kept.items()), tuple(dropped.items()), tuple(ordered))


def words_of(sentence: str) -> Iterator[str]:
    """The words between blanks, without the punctuation around them; nothing where only punctuation stands.

    >>> list(words_of("Ann's (old) ex-boss doesn't sleep ."))
    ["Ann's", 'old', 'ex-boss', "doesn't", 'sleep']
    """
    for token in sentence.split():
        start, end = 0, len(token)
        while start < end and _is_outer(token[start]):
            start += 1
        while start < end and _is_outer(token[end - 1]):
            end -= 1
        if start < end:
            yield token[start:end]


def read_vocabulary(path: str | os.PathLike[str]) -> frozenset[str]:
    """The words of a list: the first entry of each line, before a tab or blank, so that counts may stand behind it.

    Raises:
        InputError: the file cannot be read, is not UTF-8, or holds no word.
    """
    words: set[str] = set()
    for source in list_sources(path):
        lines = decode(source.read(), source.name).split("\n")
        words.update(line.split()[0] for line in lines if line.strip())
    if not words:
        raise InputError(f"{path}: holds no word; expected one a line")
    return frozenset(words)


class _Known:
    """Whether a word, or all of its parts, stand in the list; remembers what it found."""

    def __init__(self, words: Collection[str]) -> None:
        self._words = words
        self._seen: dict[str, bool] = {}

    def __call__(self, word: str) -> bool:
        found = self._seen.get(word)
        if found is None:
            found = self._seen[word] = word in self._words or self._parts_known(word)
        return found

    def _parts_known(self, word: str) -> bool:
        if cut := _CLITIC.fullmatch(word):
            base, clitic = cut.groups()
            return clitic in self._words and self(base)
        parts = word.split("-")
        return len(parts) > 1 and all(part in self._words for part in parts if part)


def _folded(word: str) -> str:
    return word.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").casefold()


def _is_outer(letter: str) -> bool:
    return not letter.isalnum() and unicodedata.category(letter)[0] in "PSZC"
