"""Rules for single words: what a language adds to the form and the lemmas that an analyzer gives.

The keys by which words are compared are made with them (`match_view.KeyMaker`). Rules for whole candidates are in
`rules.LanguageRules`. The two table readers here serve the files of all languages.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from .analysis import Lexicon


class Rule(NamedTuple):
    """A named way of finding a candidate beyond equal lemmas.

    Attributes:
        name: used in matches, in the signature and on the command line.
        summary: one sentence for users.
        default: whether the rule is on by default.
        flagged: its matches are known to be unsafe and are marked.
    """

    name: str
    summary: str
    default: bool = True
    flagged: bool = False


class Reading(NamedTuple):
    """One more lemma of a word, and the rule that found it."""

    lemma: str
    rule: str


# Form, its cleaned lemmas, the analyzer's lexicon -> further lemmas.
Readings = Callable[[str, tuple[str, ...], Lexicon | None], tuple[Reading, ...]]


@dataclass(frozen=True, slots=True)
class WordRules:
    """How one language reads single words.

    Attributes:
        folded: letters that count as others, for `str.translate` after case folding.
        folding_rule: the rule that ``folded`` belongs to; empty: it always applies.
        surface_only: words that are compared by form alone, never by lemma (reflexive pronouns: lemmatizers turn
            ``mich`` into ``ich`` and Bulgarian ``си`` into ``съм``).
        clean_lemma: an analyzer's lemma -> the lemmas that it represents (``мина-(се)``, ``af_lopen``).
        readings: further lemmas of a word.
        replacing: rules whose readings replace the analyzer's lemmas instead of adding to them.
    """

    folded: dict[int, str] = field(default_factory=dict)
    folding_rule: str = ""
    surface_only: frozenset[str] = frozenset()
    clean_lemma: Callable[[str], tuple[str, ...]] = lambda lemma: (lemma,)
    readings: Readings = lambda form, lemmas, lexicon: ()
    replacing: frozenset[str] = frozenset()

    def letters(self, active: frozenset[str]) -> dict[int, str]:
        """The letters that count as others while these rules are on."""
        return self.folded if not self.folding_rule or self.folding_rule in active else {}


def words(text: str) -> frozenset[str]:
    """The words of a table, separated by spaces."""
    return frozenset(text.split())


def table(text: str) -> dict[str, tuple[str, ...]]:
    """A table of ``key:value,value`` entries, separated by spaces.

    >>> table("abrir:abiert hacer:hic,hiz")
    {'abrir': ('abiert',), 'hacer': ('hic', 'hiz')}
    """
    rows = (entry.split(":") for entry in text.split())
    return {key: tuple(values.split(",")) for key, values in rows}
