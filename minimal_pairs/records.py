"""Records that pass between the stages: pairs, requests to a model, its scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, Protocol, TypeAlias

PairKey: TypeAlias = tuple[str, int]
"""Paradigm of a pair and its number in it."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A minimal pair: a line of a converted data set. The first twelve fields have the names of upstream BLiMP.

    Attributes:
        sentence_good, sentence_bad: the acceptable and the unacceptable sentence.
        field: ``syntax``, ``morphology``, ``semantics``, ``syntax_semantics``; ``None`` where the set has none.
        linguistics_term: as upstream has it (13 values, spelled as there); ``None`` where the set has none.
        UID: the paradigm, such as ``adjunct_island``.
        simple_LM_method, one_prefix_method, two_prefix_method: which ways of scoring fit; ``None``: not stated.
        lexically_identical: as upstream states it, wrongly in 11 paradigms; ``None``: not stated.
        pairID: upstream's number as text. pair_id: the same as a number, unique within a paradigm.
        one_prefix_prefix, one_prefix_word_good, one_prefix_word_bad: one-prefix method (paper, Section 4); ``None``:
            the paradigm has none.
        two_prefix_prefix_good, two_prefix_prefix_bad, two_prefix_word: two-prefix method; ``None``: it has none.
        dependency_length, crucial_item: given in a few paradigms, else ``None``.
        phenomenon: one of the paper's 12, or the set's own grouping; ``None``: none.
        paradigm: same as UID; every set has one.
        issues: known faults of the pair, see `ISSUES`; empty: none.
    """

    sentence_good: str
    sentence_bad: str
    UID: str
    pairID: str
    pair_id: int
    paradigm: str
    phenomenon: str | None = None
    field: str | None = None
    linguistics_term: str | None = None
    simple_LM_method: bool | None = None
    one_prefix_method: bool | None = None
    two_prefix_method: bool | None = None
    lexically_identical: bool | None = None
    one_prefix_prefix: str | None = None
    one_prefix_word_good: str | None = None
    one_prefix_word_bad: str | None = None
    two_prefix_prefix_good: str | None = None
    two_prefix_prefix_bad: str | None = None
    two_prefix_word: str | None = None
    dependency_length: int | None = None
    crucial_item: str | None = None
    issues: tuple[str, ...] = ()

    @property
    def key(self) -> PairKey:
        """Paradigm and number."""
        return self.paradigm, self.pair_id


ISSUES = ("identical", "duplicate", "stray_space", "out_in_the_open", "typo", "flag_wrong")
"""Kinds of faults that a pair of the released BLiMP can have."""


class Method(str, Enum):
    """Which probabilities of a pair are compared (paper, Section 4).

    Attributes:
        FULL: the two sentences. ONE_PREFIX: two words after the same prefix. TWO_PREFIX: one word after two prefixes.
    """

    FULL = "full"
    ONE_PREFIX = "one-prefix"
    TWO_PREFIX = "two-prefix"


class Request(NamedTuple):
    """The log-probability that a model is asked for: of a part of a text, given everything before that part.

    Attributes:
        start, end: half-open span of characters whose tokens count; a token counts if it overlaps the span. ``None``
            as end: to the end of the text, end-of-sentence included where the settings score it.
    """

    text: str
    start: int = 0
    end: int | None = None


class TextScore(NamedTuple):
    """A model's answer.

    Attributes:
        logprob: natural logarithm of the probability, summed over the tokens that count; at most 0, except for masked
            models' pseudo-log-likelihood and rounding. ``None``: could not be scored.
        tokens: how many tokens count (0 with logprob ``None``).
        length: UTF-8 bytes of the part that counts.
        reason: why there is no score (``too_long``, ``empty``, ``not_finite``, ``missing_token`` ...), else ``None``.
    """

    logprob: float | None
    tokens: int
    length: int
    reason: str | None = None


class LanguageModel(Protocol):
    """Anything that scores texts. The score of a text does not depend on the other texts of the call.

    Attributes:
        name: for signatures: model, revision or digest, precision, and every setting that changes scores.
    """

    name: str

    def score(self, requests: Sequence[Request]) -> list[TextScore]:
        """One answer for each request, in order."""
        ...
