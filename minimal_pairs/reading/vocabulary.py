"""The pairs whose words a model can know: a filter by a word list, as used for BabyLM.

Words are separated by spaces, without the punctuation around them; case does not count. A word is known if it is in the
list, or if all of its parts are: a contraction is divided as in treebanks (``doesn't`` into ``does`` and ``n't``,
``Ann's`` into ``Ann`` and ``'s``), a compound at its hyphens. Curly apostrophes count as straight ones. If spaces do
not separate words, as in Chinese, give a function that does.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from dibimt_metric.errors import InputError

from ..records import Pair
from .sources import decode, list_sources

_CLITIC = re.compile(r"(.+?)(n't|'s|'re|'ve|'ll|'d|'m|')")


@dataclass(frozen=True, slots=True)
class KeptPairs:
    """The result of filtering by a vocabulary.

    Attributes:
        pairs: those all of whose words are known, in order.
        kept, dropped: number of pairs of each paradigm, in order of first appearance; both name every paradigm.
        unknown: unknown words and the number of pairs with them, the most common first.
    """

    pairs: tuple[Pair, ...]
    kept: tuple[tuple[str, int], ...]
    dropped: tuple[tuple[str, int], ...]
    unknown: tuple[tuple[str, int], ...]


def keep_pairs(
    pairs: Iterable[Pair], vocabulary: Collection[str], words: Callable[[str], Iterable[str]] | None = None
) -> KeptPairs:
    """Keep the pairs whose sentences contain only known words; see the module for what a word is.

    Args:
        pairs: the pairs.
        vocabulary: the known words; their case does not count.
        words: divides a sentence into words; ``None``: at spaces.

    Raises:
        InputError: the vocabulary is empty.
    """
    known = {_folded(word) for word in vocabulary}
    if not known:
        raise InputError("the vocabulary contains no word; every pair would be dropped")
    cut = words or words_of
    is_known = _knower(known)
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
    """The words between spaces, without the punctuation around them; nothing for punctuation alone.

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
    """The words of a list: the first entry of each line, before a tab or space, so that counts may follow it.

    Raises:
        InputError: the file cannot be read, is not UTF-8, or contains no word.
    """
    words: set[str] = set()
    for source in list_sources(path):
        lines = decode(source.read(), source.name).split("\n")
        words.update(line.split()[0] for line in lines if line.strip())
    if not words:
        raise InputError(f"{path}: contains no word; expected one per line")
    return frozenset(words)


def _knower(words: Collection[str]) -> Callable[[str], bool]:
    """A function that tells whether a word, or all of its parts, are in the list."""

    @cache
    def is_known(word: str) -> bool:
        if word in words:
            return True
        if cut := _CLITIC.fullmatch(word):
            base, clitic = cut.groups()
            return clitic in words and is_known(base)
        parts = word.split("-")
        return len(parts) > 1 and all(part in words for part in parts if part)

    return is_known


def _folded(word: str) -> str:
    return word.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").casefold()


def _is_outer(letter: str) -> bool:
    return not letter.isalnum() and unicodedata.category(letter)[0] in "PSZC"
