"""The faults of released pairs: one small function for each kind, and a table of all.

``identical``       both sentences are the same.
``duplicate``       the pair stands in another place too, of this paradigm or another.
``stray_space``     a sentence, prefix or word has a space before, behind or twice in it.
``out_in_the_open`` "out in the open" stands as an adjective before a noun, or before one that is left out; in good
                    sentences too, which are unacceptable for it. As a predicate ("was out in the open") it is fine.
``typo``            a misspelled word of `TYPOS`.
``flag_wrong``      ``lexically_identical`` is not what the paradigm's sentences are.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ..records import ISSUES, Pair

TYPOS = {"unsuprising": "unsurprising"}
"""Misspelled words of the release, and how they are spelled."""

TEXTS = (
    "sentence_good",
    "sentence_bad",
    "one_prefix_prefix",
    "one_prefix_word_good",
    "one_prefix_word_bad",
    "two_prefix_prefix_good",
    "two_prefix_prefix_bad",
    "two_prefix_word",
    "crucial_item",
)
"""The attributes of a pair that hold text to be scored."""

_OPEN = re.compile(r"(?<!\w)((?:is|are|was|were)(?:n't)? |be |been |being )?\bout in the open")
_TYPO = re.compile(rf"\b({'|'.join(TYPOS)})\b")
_WORD = re.compile(r"[\w']+")


def mark(pairs: Sequence[Pair]) -> tuple[Pair, ...]:
    """The pairs with their faults as ``issues``, in the order of `ISSUES`; issues they came with are dropped.

    Args:
        pairs: of whole paradigms: duplicates and flags cannot be judged otherwise.
    """
    found = issues_of(pairs)
    return tuple(
        pair if pair.issues == issues else replace(pair, issues=issues)
        for pair, issues in zip(pairs, found, strict=True)
    )


def issues_of(pairs: Sequence[Pair]) -> list[tuple[str, ...]]:
    """The faults of each pair, in the order of `ISSUES`.

    Args:
        pairs: see `mark`.
    """
    twice = _duplicates(pairs)
    flags = {name: lexically_identical(group) for name, group in by_paradigm(pairs).items()}
    return [
        tuple(
            issue
            for issue, has in zip(ISSUES, _findings(pair, twice, flags[pair.paradigm]), strict=True)
            if has
        )
        for pair in pairs
    ]


def _findings(pair: Pair, twice: frozenset[tuple[str, str]], flag: bool) -> Iterator[bool]:
    """Whether the pair has each of `ISSUES`, in their order."""
    texts = texts_of(pair)
    yield pair.sentence_good == pair.sentence_bad
    yield (pair.sentence_good, pair.sentence_bad) in twice
    yield any(mend_spaces(text) != text for text in texts)
    yield is_out_in_the_open(pair)
    yield any(mend_typos(text) != text for text in texts)
    yield pair.lexically_identical is not None and pair.lexically_identical != flag


def by_paradigm(pairs: Sequence[Pair]) -> Mapping[str, Sequence[Pair]]:
    """The pairs of each paradigm, in order of first appearance."""
    groups: defaultdict[str, list[Pair]] = defaultdict(list)
    for pair in pairs:
        groups[pair.paradigm].append(pair)
    return groups


def texts_of(pair: Pair) -> list[str]:
    """All texts of a pair that it has."""
    return [text for name in TEXTS if (text := getattr(pair, name)) is not None]


def is_out_in_the_open(pair: Pair) -> bool:
    """Whether "out in the open" stands as an adjective before a noun, or before one that is left out.

    A predicate follows a form of "be" in the release: "The kites were out in the open." is acceptable.
    """
    sentences = [text for text in (pair.sentence_good, pair.sentence_bad) if "out in the open" in text]
    return any(not be for text in sentences for be in _OPEN.findall(text))


def lexically_identical(pairs: Sequence[Pair]) -> bool:
    """Whether the sentences of every pair have the same words, each as often, in whatever order.

    Case and punctuation do not count. The flag of the release is said of a paradigm, so one answer holds for all.
    """
    return all(_bag(pair.sentence_good) == _bag(pair.sentence_bad) for pair in pairs)


def mend_spaces(text: str) -> str:
    r"""The text without stray spaces.

    >>> mend_spaces(" two  words")
    'two words'
    """
    return " ".join(text.split())


def mend_typos(text: str) -> str:
    """The text with the words of `TYPOS` spelled rightly.

    >>> mend_typos("It was unsuprising to Ann.")
    'It was unsurprising to Ann.'
    """
    if not any(typo in text for typo in TYPOS):  # ten times as fast as the expression
        return text
    return _TYPO.sub(lambda found: TYPOS[found.group()], text)


def _bag(sentence: str) -> Counter[str]:
    return Counter(_WORD.findall(sentence.lower()))


def _duplicates(pairs: Sequence[Pair]) -> frozenset[tuple[str, str]]:
    places = Counter((pair.sentence_good, pair.sentence_bad) for pair in pairs)
    return frozenset(texts for texts, number in places.items() if number > 1)
