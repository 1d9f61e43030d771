"""The requests to a model for each pair, and the decision that its answers give.

Methods (paper, Section 4): the two sentences (full); two words after one prefix (one-prefix); one word after two
prefixes (two-prefix). For the prefix methods the text is prefix, one space, word, and the span that counts is given in
characters of this text. The tokens that count are those of the whole text that overlap it, never those of the word on
its own, which differ for about half of the words. The space belongs to the span: tokenizers attach it to the word, or
make it a token of its own, and omitting that token would favor the word that has it.

Decisions compare floats exactly: the same score is a tie, and there is no tolerance. An n-gram model often gives equal
scores (a 5-gram model in 1,917 of 67,000 pairs); a neural one hardly ever does, except for identical sentences.
"""

from __future__ import annotations

import math
from enum import Enum

from dibimt_metric.errors import InputError, shown
from dibimt_metric.score_measures import parse_option

from ..paradigms import PARADIGMS
from ..records import Method, Pair, Request, TextScore
from .presets import Preset
from .results import Decision, PairOutcome


class Reduction(str, Enum):
    """The number that is compared.

    Attributes:
        SUM: the log-probability of the text (the paper's). MEAN: the same per token. BYTES: the same per UTF-8 byte.
    """

    SUM = "sum"
    MEAN = "mean"
    BYTES = "bytes"


def fits(pair: Pair, method: Method | str) -> bool:
    """Whether a pair has the fields that a method needs.

    >>> pair = Pair("Anna sleeps.", "Anna sleep.", "agreement", "0", 0, "agreement")
    >>> fits(pair, "full"), fits(pair, "one-prefix")
    (True, False)
    """
    return all((value or "").strip() for value in _fields(pair, parse_option(Method, method, "method")).values())


def requests_of(pair: Pair, method: Method | str = Method.FULL) -> tuple[Request, Request]:
    """The requests to a model for the good side and the bad side.

    Stray spaces around prefixes and words (1,134 values of the released BLiMP) are dropped, so that one is left.

    Raises:
        InputError: the pair lacks a field that the method needs, or the method is unknown.

    >>> pair = Pair("Anna saw herself.", "Anna saw himself.", "gender", "0", 0, "gender", one_prefix_prefix="Anna saw",
    ...             one_prefix_word_good="herself", one_prefix_word_bad="himself")
    >>> requests_of(pair, "one-prefix")[0]
    Request(text='Anna saw herself', start=8, end=16)
    """
    chosen = parse_option(Method, method, "method")
    if chosen is Method.FULL:
        return Request(pair.sentence_good), Request(pair.sentence_bad)
    values = _fields(pair, chosen)
    missing = [name for name, value in values.items() if not (value or "").strip()]
    if missing:
        raise _lacks(pair, chosen, missing)
    texts = [(value or "").strip() for value in values.values()]
    if chosen is Method.ONE_PREFIX:
        prefix, good, bad = texts
        return _behind(prefix, good), _behind(prefix, bad)
    prefix_good, prefix_bad, word = texts
    return _behind(prefix_good, word), _behind(prefix_bad, word)


def _behind(prefix: str, word: str) -> Request:
    """The end is given, so that no end-of-sentence is scored after a word within a sentence."""
    text = f"{prefix} {word}"
    return Request(text, len(prefix), len(text))


def _fields(pair: Pair, method: Method) -> dict[str, str | None]:
    if method is Method.ONE_PREFIX:
        names = ("one_prefix_prefix", "one_prefix_word_good", "one_prefix_word_bad")
    elif method is Method.TWO_PREFIX:
        names = ("two_prefix_prefix_good", "two_prefix_prefix_bad", "two_prefix_word")
    else:
        return {}
    return {name: getattr(pair, name) for name in names}


def _lacks(pair: Pair, method: Method, missing: list[str]) -> InputError:
    known = [paradigm.name for paradigm in PARADIGMS if method in paradigm.methods]
    return InputError(
        f"pair {pair.pair_id} of paradigm {shown(pair.paradigm)} has no {', '.join(missing)}, which the method "
        f"{method.value!r} needs; the {len(known)} paradigms of BLiMP that have it are {', '.join(known)}; "
        f"omit other paradigms, or use the method {Method.FULL.value!r}"
    )


def reduce(score: TextScore, reduction: Reduction | str = Reduction.SUM) -> float | None:
    """The number of a text that is compared; ``None``: there is none (see `why_not`).

    Args:
        score: the model's answer.
        reduction: ``sum``, ``mean`` per token, ``bytes``: per UTF-8 byte of the part that counts (including the space
            before the word in the prefix methods).

    >>> reduce(TextScore(-6.0, 4, 12), "mean"), reduce(TextScore(-6.0, 4, 12), "bytes")
    (-1.5, -0.5)
    """
    return _number(score, parse_option(Reduction, reduction, "reduction"))[0]


def why_not(score: TextScore, reduction: Reduction | str = Reduction.SUM) -> str | None:
    """Why a text has no number to compare: the model's reason, or what is wrong with its answer, as one word.

    ``not_finite``: not a number, or infinite; a probability of 0 cannot be distinguished from an overflow.

    >>> why_not(TextScore(None, 0, 0, "too_long")), why_not(TextScore(float("nan"), 3, 9))
    ('too_long', 'not_finite')
    """
    return _number(score, parse_option(Reduction, reduction, "reduction"))[1]


def _number(score: TextScore, reduction: Reduction) -> tuple[float | None, str | None]:
    """The number that is compared, or why there is none."""
    if score.logprob is None:
        return None, score.reason or "no_score"
    if not math.isfinite(score.logprob):
        return None, "not_finite"
    divisor = _divisor(score, reduction)
    return (score.logprob / divisor, None) if divisor > 0 else (None, "empty")


def _divisor(score: TextScore, reduction: Reduction) -> int:
    if reduction is Reduction.MEAN:
        return score.tokens
    return score.length if reduction is Reduction.BYTES else 1


def decide(pair: Pair, good: TextScore, bad: TextScore, settings: Preset) -> PairOutcome:
    """The outcome of a pair from the scores of its two sides.

    RIGHT if the good side scores higher, WRONG if the bad one does, TIE if the floats are equal, UNSCORED if a side
    has no score; its ``reason`` then names the side: ``good: too_long``, ``both: empty``, ``good: empty, bad:
    too_long``. Of the settings only ``reduction`` is read; what a tie counts as is decided later, for accuracies.
    """
    reduction = parse_option(Reduction, settings.reduction, "reduction")
    (good_value, good_reason), (bad_value, bad_reason) = _number(good, reduction), _number(bad, reduction)
    return PairOutcome(
        paradigm=pair.paradigm,
        pair_id=pair.pair_id,
        phenomenon=pair.phenomenon,
        field=pair.field,
        good=good_value,
        bad=bad_value,
        decision=_decision(good_value, bad_value),
        good_tokens=good.tokens,
        bad_tokens=bad.tokens,
        good_words=len(pair.sentence_good.split()),
        bad_words=len(pair.sentence_bad.split()),
        reason=_reason(good_reason, bad_reason),
    )


def _decision(good: float | None, bad: float | None) -> Decision:
    if good is None or bad is None:
        return Decision.UNSCORED
    if good == bad:
        return Decision.TIE
    return Decision.RIGHT if good > bad else Decision.WRONG


def _reason(good: str | None, bad: str | None) -> str | None:
    if good == bad:
        return None if good is None else f"both: {good}"
    return ", ".join(f"{side}: {why}" for side, why in (("good", good), ("bad", bad)) if why is not None)
