"""The faults of released pairs: how each kind is found, and which are corrected in the corrected variant.

``identical``       both sentences are the same.
``duplicate``       the pair also occurs elsewhere, in this paradigm or another.
``stray_space``     a sentence, prefix or word begins or ends with a space, or has two in a row.
``out_in_the_open`` "out in the open" is used as an adjective before a noun, or before an omitted one; also in good
                    sentences, which it makes unacceptable. As a predicate ("was out in the open") it is fine.
``typo``            a misspelled word of `TYPOS`.
``flag_wrong``      ``lexically_identical`` does not match the paradigm's sentences.

The corrected variant omits identical pairs, each duplicate except the first, and pairs with "out in the open" as an
adjective (another adjective would be another sentence). It corrects stray spaces, misspelled words,
``lexically_identical``, and the field of the one paradigm where it is spelled ``syntax/semantics``.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..records import ISSUES, Pair

LEFT_OUT = ("identical", "duplicate", "out_in_the_open")
"""Faults for which a pair is omitted from the corrected variant; the first of several duplicates stays."""
FIXED = ("stray_space", "typo", "flag_wrong")
"""Faults that are corrected there."""

TYPOS = {"unsuprising": "unsurprising"}
"""Misspelled words of the release and their correct spelling."""

TEXTS = tuple(
    "sentence_good sentence_bad one_prefix_prefix one_prefix_word_good one_prefix_word_bad two_prefix_prefix_good "
    "two_prefix_prefix_bad two_prefix_word crucial_item".split()
)
"""The attributes of a pair that contain text to be scored."""

_OPEN = re.compile(r"(?<!\w)((?:is|are|was|were)(?:n't)? |be |been |being )?\bout in the open")
_TYPO = re.compile(rf"\b({'|'.join(TYPOS)})\b")
_WORD = re.compile(r"[\w']+")


def mark(pairs: Sequence[Pair]) -> tuple[Pair, ...]:
    """The pairs, of whole paradigms, with their faults as ``issues`` (replaced), in the order of `ISSUES`."""
    places = Counter((pair.sentence_good, pair.sentence_bad) for pair in pairs)
    twice = frozenset(texts for texts, number in places.items() if number > 1)
    flags = {name: lexically_identical(group) for name, group in by_paradigm(pairs).items()}
    return tuple(_with_issues(pair, _findings(pair, twice, flags[pair.paradigm])) for pair in pairs)


def _with_issues(pair: Pair, findings: Iterable[bool]) -> Pair:
    issues = tuple(issue for issue, has in zip(ISSUES, findings, strict=True) if has)
    return pair if pair.issues == issues else replace(pair, issues=issues)


def _findings(pair: Pair, twice: frozenset[tuple[str, str]], flag: bool) -> Iterator[bool]:
    """Whether the pair has each of `ISSUES`, in their order."""
    texts = texts_of(pair)
    yield pair.sentence_good == pair.sentence_bad
    yield (pair.sentence_good, pair.sentence_bad) in twice
    yield any(fix_spaces(text) != text for text in texts)
    yield is_out_in_the_open(pair)
    yield any(fix_typos(text) != text for text in texts)
    yield pair.lexically_identical is not None and pair.lexically_identical != flag


def by_paradigm(pairs: Sequence[Pair]) -> Mapping[str, Sequence[Pair]]:
    """The pairs of each paradigm, in order of first appearance."""
    groups: defaultdict[str, list[Pair]] = defaultdict(list)
    for pair in pairs:
        groups[pair.paradigm].append(pair)
    return groups


def texts_of(pair: Pair) -> list[str]:
    """All texts that a pair has."""
    return [text for name in TEXTS if (text := getattr(pair, name)) is not None]


def is_out_in_the_open(pair: Pair) -> bool:
    """Whether "out in the open" is used as an adjective before a noun, or before an omitted one.

    A predicate follows a form of "be" in the release: "The kites were out in the open." is acceptable.
    """
    sentences = [text for text in (pair.sentence_good, pair.sentence_bad) if "out in the open" in text]
    return any(not be for text in sentences for be in _OPEN.findall(text))


def lexically_identical(pairs: Sequence[Pair]) -> bool:
    """Whether the sentences of every pair have the same words, each equally often, in any order.

    Case and punctuation do not count. The flag of the release is per paradigm, so one answer holds for all.
    """
    return all(_bag(pair.sentence_good) == _bag(pair.sentence_bad) for pair in pairs)


def fix_spaces(text: str) -> str:
    r"""The text without stray spaces.

    >>> fix_spaces(" two  words")
    'two words'
    """
    return " ".join(text.split())


def fix_typos(text: str) -> str:
    """The text with the words of `TYPOS` spelled correctly.

    >>> fix_typos("It was unsuprising to Ann.")
    'It was unsurprising to Ann.'
    """
    if not any(typo in text for typo in TYPOS):  # ten times as fast as the expression
        return text
    return _TYPO.sub(lambda found: TYPOS[found.group()], text)


def _bag(sentence: str) -> Counter[str]:
    return Counter(_WORD.findall(sentence.lower()))


# The corrected variant


def correct(marked: Sequence[Pair]) -> tuple[Pair, ...]:
    """The corrected pairs of whole, marked paradigms; they keep their numbers, with gaps, and have no issues."""
    left = [_fix(pair) for pair in _usable(marked)]
    flags = {name: lexically_identical(group) for name, group in by_paradigm(left).items()}
    return tuple(_with_flag(pair, flags[pair.paradigm]) for pair in left)


def _usable(marked: Sequence[Pair]) -> list[Pair]:
    seen: set[tuple[str, str]] = set()
    usable = []
    for pair in marked:
        texts = (pair.sentence_good, pair.sentence_bad)
        again = "duplicate" in pair.issues and texts in seen
        if not again and "identical" not in pair.issues and "out_in_the_open" not in pair.issues:
            usable.append(pair)
        seen.add(texts)
    return usable


def _fix(pair: Pair) -> Pair:
    changed: dict[str, Any] = {}
    if "stray_space" in pair.issues or "typo" in pair.issues:
        texts = {name: getattr(pair, name) for name in TEXTS}
        changed = {name: fix_typos(fix_spaces(text)) for name, text in texts.items() if text is not None}
    if pair.field is not None and "/" in pair.field:
        changed["field"] = pair.field.replace("/", "_")
    if pair.issues:
        changed["issues"] = ()
    return replace(pair, **changed) if changed else pair


def _with_flag(pair: Pair, flag: bool) -> Pair:
    return pair if pair.lexically_identical in (None, flag) else replace(pair, lexically_identical=flag)
