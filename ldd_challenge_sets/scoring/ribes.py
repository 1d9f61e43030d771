"""RIBES: how well the words that translation and reference share keep their order.

::

    score(ref, hyp) = NKT * P1 ** alpha * BP ** beta        alpha = 0.25, beta = 0.10
    BP  = min(1, exp(1 - |ref| / |hyp|))
    P1  = (words in the rank list) / |hyp|
    NKT = (ascending pairs of the rank list) / (all pairs)

The rank list holds, for each word of the hypothesis in order, the position of its counterpart in the reference.
For a word that occurs once in both, this is the same word. Any other word is looked up with growing context: the word
and w words to its left, then the word and w words to its right, for w = 1, 2, ...; the first of these n-grams that
occurs exactly once in the hypothesis and exactly once in the reference (overlapping occurrences count) gives the
counterpart. A word without such an n-gram is dropped.

Source: Isozaki et al. (2010), and the behavior of their program (version 1.03) where the article is silent: the
left context before the right one, and the degenerate cases

* empty hypothesis: 0; empty reference: an error;
* one word in the rank list and one word in the reference: NKT = 1;
* otherwise fewer than two words in the rank list: 0.

Range 0 to 1. ``docs/ldd_scores.md`` lists where other programs differ.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence

from dibimt_metric.errors import InputError, shown

ALPHA = 0.25  # exponent of the unigram precision P1
BETA = 0.10  # exponent of the brevity penalty BP
VERSION = "1"  # raised whenever a value can change; part of the signature


def corpus_ribes(
    hypotheses: Sequence[Sequence[str]],
    references: Sequence[Sequence[Sequence[str]]],
    *,
    alpha: float = ALPHA,
    beta: float = BETA,
    lowercase: bool = True,
) -> float:
    """The mean of the sentences' scores; see `sentence_ribes`.

    Raises:
        InputError: no sentence, different numbers of them, or one that cannot be scored; names its number.

    >>> corpus_ribes([["a"], []], [[["a"]], [["a", "b", "c"]]])
    0.5
    """
    if len(hypotheses) != len(references) or not hypotheses:
        raise InputError(
            f"{len(hypotheses)} translations and {len(references)} lists of references; "
            "RIBES needs one list for each translation, and at least one translation"
        )
    total = 0.0
    for number, (hypothesis, several) in enumerate(zip(hypotheses, references, strict=True), 1):
        try:
            total += sentence_ribes(hypothesis, several, alpha=alpha, beta=beta, lowercase=lowercase)
        except InputError as error:
            raise InputError(f"sentence {number}: {error}") from error
    return total / len(hypotheses)


def sentence_ribes(
    hypothesis: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    alpha: float = ALPHA,
    beta: float = BETA,
    lowercase: bool = True,
) -> float:
    """The best score of a translation over its references.

    Args:
        hypothesis: tokens of the translation.
        references: one or more references, each a list of tokens.
        alpha: exponent of P1, 0 or more.
        beta: exponent of BP, 0 or more.
        lowercase: whether case is ignored, as the original program does by default.

    Raises:
        InputError: no reference, one without tokens, a text not split into tokens, or a negative exponent.

    >>> sentence_ribes("Bob hit John yesterday".split(), ["John hit Bob yesterday".split()])
    0.5
    """
    _check(hypothesis, references, alpha, beta)
    if lowercase:
        hypothesis, *references = [[word.lower() for word in words] for words in (hypothesis, *references)]
    return max(_score(hypothesis, each, alpha, beta) for each in references)


def rank_list(hypothesis: Sequence[str], reference: Sequence[str]) -> list[int]:
    """Positions in the reference, from 0, of the counterparts of the hypothesis words, in the order of these words.

    Case matters. Time: proportional to the pairs of equal words, that is, nearly to the length in ordinary text, and to
    its square if all words are equal.

    >>> rank_list("the book was read by the boy".split(), "the boy read the book".split())
    [3, 4, 2, 0, 1]
    """
    right = _unique_from(hypothesis, reference)
    left = _unique_from(hypothesis[::-1], reference[::-1])[::-1]
    ranks = []
    for to_right, to_left in zip(right, left, strict=True):
        # Of equal widths the left context wins, as in the original program.
        if to_left is not None and (to_right is None or to_left[0] <= to_right[0]):
            ranks.append(len(reference) - 1 - to_left[1])
        elif to_right is not None:
            ranks.append(to_right[1])
    return ranks


def _unique_from(hypothesis: Sequence[str], reference: Sequence[str]) -> list[tuple[int, int] | None]:
    """For each word length and position in the reference of the shortest n-gram from it that occurs once in both.

    An n-gram from word i occurs again in the hypothesis up to the length of the longest common run of i and any other
    position there; it occurs in the reference up to the longest common run with a position there, and more than once up
    to the second longest. So it is unique in both for lengths from 1 + max(longest in the hypothesis, second in the
    reference) to the longest in the reference. Common runs follow from those of the next word:
    run(i, k) = 1 + run(i + 1, k + 1) for equal words.
    """
    there, here = _places(reference), _places(hypothesis)
    found: list[tuple[int, int] | None] = [None] * len(hypothesis)
    in_reference: dict[int, int] = {}
    in_hypothesis: dict[int, int] = {}
    for i in range(len(hypothesis) - 1, -1, -1):
        word = hypothesis[i]
        in_reference = {k: in_reference.get(k + 1, 0) + 1 for k in there.get(word, ())}
        in_hypothesis = {k: in_hypothesis.get(k + 1, 0) + 1 for k in here[word] if k != i}
        if in_reference:
            found[i] = _shortest(in_reference, in_hypothesis)
    return found


def _shortest(in_reference: Mapping[int, int], in_hypothesis: Mapping[int, int]) -> tuple[int, int] | None:
    """Length and position of the shortest unique n-gram, given the common runs; see `_unique_from`."""
    place, longest, second = -1, 0, 0
    for k, run in in_reference.items():
        if run > longest:
            place, longest, second = k, run, longest
        elif run > second:
            second = run
    length = 1 + max(second, max(in_hypothesis.values(), default=0))
    return (length, place) if length <= longest else None


def _places(words: Sequence[str]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for position, word in enumerate(words):
        places.setdefault(word, []).append(position)
    return places


def _score(hypothesis: Sequence[str], reference: Sequence[str], alpha: float, beta: float) -> float:
    if not hypothesis:
        return 0.0
    ranks = rank_list(hypothesis, reference)
    order = _order(ranks, reference)
    if not order:
        return 0.0
    precision = len(ranks) / len(hypothesis)
    brevity = min(1.0, math.exp(1.0 - len(reference) / len(hypothesis)))
    return float(order * precision**alpha * brevity**beta)


def _order(ranks: Sequence[int], reference: Sequence[str]) -> float:
    """NKT, Kendall's tau moved to 0 to 1; equal ranks are not ascending."""
    n = len(ranks)
    if n < 2:
        return 1.0 if n == len(reference) == 1 else 0.0
    ascending = 0
    earlier: list[int] = []
    for rank in ranks:
        smaller = bisect_left(earlier, rank)
        ascending += smaller
        earlier.insert(smaller, rank)
    return ascending / (n * (n - 1) / 2)


def _check(hypothesis: object, references: Sequence[object], alpha: float, beta: float) -> None:
    if not references or isinstance(references, str):
        raise InputError("RIBES needs a list of one or more references, each a list of tokens")
    for text in (hypothesis, *references):
        if isinstance(text, str):
            raise InputError(f"RIBES needs tokens, not the text {shown(text)}; split it first")
    if not all(references):
        raise InputError("a reference has no words, so RIBES is undefined; remove the sentence")
    for name, value in (("alpha", alpha), ("beta", beta)):
        if not value >= 0:
            raise InputError(f"{name} is {shown(value)}; expected a number of 0 or more")
