"""The records that the stages pass on: pairs of text, trees, links, hits, rows of a challenge set.

Token ids are those of CoNLL-U: 1 for the first, 0 as head of the root. Links are those of the Pharaoh
format: 0 for the first token of each side.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from dibimt_metric.errors import InputError, shown

Link: TypeAlias = tuple[int, int]
"""Source token and target token that are aligned, both counted from 0. An alignment is a set of links."""

BASELINE = "baseline"  # name of the configuration that holds the whole corpus (the paper's Table 2, "full dataset")
_PAIR = re.compile(r"([a-z]{2,3})-([a-z]{2,3})")


# Named tuples, not frozen dataclasses: 200,000 tokens a second are made of them.
class Token(NamedTuple):
    """A syntactic word of a tree: the first eight columns of CoNLL-U.

    Attributes:
        id: 1 for the first word of the sentence. form: as written. lemma, upos, xpos, feats: ``_``: the parser
            gives none.
        head: id of the head, 0 for the root. deprel: relation to the head, subtype included (``compound:prt``).
    """

    id: int
    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str
    head: int
    deprel: str


class Tree(NamedTuple):
    """The parse of one sentence; ids are 1 to n without gaps, exactly one root, no cycle (`check_tree`).

    Its tokens include no multi-word tokens and empty nodes; ``sent_id`` and ``text`` come from the comments, if any.
    """

    tokens: tuple[Token, ...]
    sent_id: str | None = None
    text: str | None = None


class TextPair(NamedTuple):
    """One line of a parallel corpus.

    Attributes:
        line: 1 for the first pair of the corpus. Challenge sets refer to pairs by this number.
        source: ``None``: the corpus is given as parses only, and the source is that of the tree.
        target: ``None``: there is no target side.
    """

    line: int
    source: str | None
    target: str | None


class Fault(NamedTuple):
    """A part of the input that cannot be used.

    Attributes:
        file: name of the file. line: in that file, 1 for the first; for pairs the line of the pair.
        kind: short name for counting, such as ``empty_side``.
        message: what is wrong and what to do.
    """

    file: str
    line: int
    kind: str
    message: str

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}: {self.message}"


class Hit(NamedTuple):
    """One occurrence of a phenomenon in a sentence.

    Attributes:
        dependent, head: ids of the two words, from 1. In a reordering the dependent is a source word and the
            head the *target* word that it is aligned with. head is 0 for a root (definition ``released``).
        dependent_form, head_form: the words; an empty head_form for head 0.
        distance: lexical phenomena: words strictly between the two, ``|dependent - head| - 1``; reordering: see
            `ldd_challenge_sets.phenomena.reordering`.
    """

    dependent: int
    head: int
    dependent_form: str
    head_form: str
    distance: int


@dataclass(frozen=True, slots=True)
class LddRow:
    """One sentence pair of a challenge set: a line of its JSONL file (``docs/formats.md``).

    Attributes:
        id: the line as text; in the open sample a name. Unique in a configuration.
        line: line of the pair in the corpus, 1 for the first.
        source, target: the texts as given; target ``None``: there is none.
        source_tokens, target_tokens: what ids and links refer to; target_tokens is empty if nothing is aligned.
        phenomenon: name, or ``baseline``.
        hits: in order of dependent, then head; empty for ``baseline``.
        max_distance: largest distance of the hits; ``None`` for ``baseline``.
        alignment: the links in Pharaoh format, sorted; ``None``: nothing is aligned.
        corpus: name of the corpus.
    """

    id: str
    line: int
    source: str
    target: str | None
    source_tokens: tuple[str, ...]
    target_tokens: tuple[str, ...]
    phenomenon: str
    hits: tuple[Hit, ...]
    max_distance: int | None
    alignment: str | None
    corpus: str


def split_pair(pair: str) -> tuple[str, str]:
    """Source and target language of ``de-en``.

    Raises:
        InputError: the text is not two language codes.

    >>> split_pair("de-en")
    ('de', 'en')
    """
    found = _PAIR.fullmatch(pair)
    if found is None:
        raise InputError(f"a pair is two language codes such as 'de-en', not {shown(pair)}")
    return found[1], found[2]
