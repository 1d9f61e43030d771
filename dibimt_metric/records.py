"""The records that the stages exchange: items, candidates, matches, judgments, outcomes.

All are frozen. Spans are half-open character offsets into the user's own string, ``text[start:end]``.
An unknown field is ``None``, never 0 and never an empty string.

Source of the instance tuple i = (s, w, sigma, G, B): Martelli et al. 2025, section "The DiBiMT Benchmark".
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class PartOfSpeech(str, Enum):
    """Part of speech with the letters of WordNet (and of the paper's annotation guidelines)."""

    NOUN = "n"
    ADJECTIVE = "a"
    VERB = "v"
    ADVERB = "r"


class CandidateSet(str, Enum):
    """The list of a candidate translation: G or B of the instance tuple."""

    GOOD = "good"
    BAD = "bad"


class Label(str, Enum):
    """How one translation renders the focus word (section "Analysis Procedure").

    MISS: no candidate found. UNK: candidates of both lists found. Else GOOD or BAD.
    """

    GOOD = "GOOD"
    BAD = "BAD"
    MISS = "MISS"
    UNK = "UNK"


@dataclass(frozen=True, slots=True)
class Focus:
    """The ambiguous source word and its place: ``source[start:end] == text``."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Candidate:
    """One translation candidate of the focus word.

    Attributes:
        lemma: citation form: one or several words, with the wildcard ``*`` between words.
        pos: part of speech (``None``: not given). Matching ignores it.
        synsets: ids of the senses that the candidate expresses, parallel to ``frequency_indices``.
        frequency_indices: 1-based ranks of these senses among those of the focus word's
            (lemma, POS); ``None`` where a sense has no rank.
    """

    lemma: str
    pos: PartOfSpeech | None = None
    synsets: tuple[str, ...] = ()
    frequency_indices: tuple[int | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Item:
    """One instance of the benchmark in one target language.

    Attributes:
        id: unique within its language.
        source: the English sentence s (``None`` where only candidate lists were given).
        focus: the ambiguous word w in ``source``.
        lemma: lemma of the focus word.
        pos: its part of speech.
        synset: id of the meaning sigma.
        definition: gloss of the meaning.
        frequency_index: mu, the 1-based rank of the meaning (``None``: unknown).
        polysemy: delta, the number of senses of (lemma, POS), 1 or more (``None``: unknown).
        good: the candidates G. bad: the candidates B.
        language: target language code (``None``: not given, taken from the call).
    """

    id: str
    source: str | None = None
    focus: Focus | None = None
    lemma: str | None = None
    pos: PartOfSpeech | None = None
    synset: str | None = None
    definition: str | None = None
    frequency_index: int | None = None
    polysemy: int | None = None
    good: tuple[Candidate, ...] = ()
    bad: tuple[Candidate, ...] = ()
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """One candidate found in one translation.

    Attributes:
        set: the list of the candidate.
        candidate: its lemma as the item gives it.
        rule: name of the rule that found it (``lemma``, ``form``, ``reflexive`` ...).
        start, end: smallest span that holds all the words found.
        text: ``translation[start:end]``.
        spans: the words found themselves, in order (several where they are not adjacent).
        analyzer: name of the analyzer whose reading of the text was matched.
        flagged: the rule is known to be unsafe (compounds); check the match before you trust it.
    """

    set: CandidateSet
    candidate: str
    rule: str
    start: int
    end: int
    text: str
    spans: tuple[tuple[int, int], ...]
    analyzer: str
    flagged: bool = False


@dataclass(frozen=True, slots=True)
class Dropped:
    """A match that does not count, and why."""

    match: Match
    reason: str


@dataclass(frozen=True, slots=True)
class Judgment:
    """The label of one translation of one item with everything that led to it.

    Attributes:
        item_id, language: the item.
        label: see :class:`Label`.
        matches: the matches that count, by position.
        dropped: found, but not counted (contained in a longer match, part of a separated verb).
        chosen_frequency_index: rank of the sense that a BAD translation shows, else ``None``
            (also ``None`` when no BAD candidate found has a ranked sense).
        hypothesis: 0-based number of the hypothesis that decided, in an n-best list.
    """

    item_id: str
    language: str
    label: Label
    matches: tuple[Match, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    chosen_frequency_index: int | None = None
    hypothesis: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """Everything that scoring may know about one item: its label and its numbers, no text.

    Attributes:
        item_id: names the item, so that two systems can be compared on the same items.
        label: see :class:`Label`.
        frequency_index: mu of the item (``None``: unknown).
        polysemy: delta of the item (``None``: unknown).
        pos: part of speech of the focus word.
        chosen_frequency_index: mu of the sense chosen by a BAD translation (``None``: unknown).
    """

    item_id: str
    label: Label
    frequency_index: int | None = None
    polysemy: int | None = None
    pos: PartOfSpeech | None = None
    chosen_frequency_index: int | None = None
