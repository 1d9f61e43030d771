"""What passes between the stages: pairs of text, trees, links, hits, rows of a challenge set.

Numbers of tokens are those of CoNLL-U: 1 for the first, 0 as head of the root. Links are those of the Pharaoh
format: 0 for the first token of each side.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

Link: TypeAlias = tuple[int, int]
"""Source token and target token that are aligned, both counted from 0. An alignment is a set of links."""

BASELINE = "baseline"
"""Name of the configuration that holds the whole corpus (the paper's Table 2, "full dataset")."""


# Named tuples, not frozen dataclasses: 200,000 tokens a second are made of them.
class Token(NamedTuple):
    """A syntactic word of a tree: the first eight columns of CoNLL-U.

    Attributes:
        id: 1 for the first word of the sentence. form: as written. lemma, upos, xpos, feats: ``_`` where the
            parser has none.
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
    """The parse of one sentence; ids are 1 to n without gap, exactly one root, no cycle (`check_tree`).

    Attributes:
        tokens: the words in order; multi-word tokens and empty nodes are left out.
        sent_id, text: from the comments, ``None`` where the file has none.
    """

    tokens: tuple[Token, ...]
    sent_id: str | None = None
    text: str | None = None


class TextPair(NamedTuple):
    """One line of a parallel corpus.

    Attributes:
        line: 1 for the first pair of the corpus. Challenge sets refer to pairs by this number.
        source: ``None`` where the corpus is given as parses only; the source is then taken from the tree.
        target: ``None`` where there is no target side.
    """

    line: int
    source: str | None
    target: str | None


class Fault(NamedTuple):
    """A place of the input that cannot be used.

    Attributes:
        file: name of the file. line: in that file, 1 for the first; for pairs the line of the pair.
        kind: short name that faults are counted by, such as ``empty_side``.
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
        dependent, head: ids of the two words, from 1. Of a reordering the dependent is a source word and the
            head is the *target* word that it is aligned with. head is 0 for a root (definition ``released``).
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
class Row:
    """One sentence pair of a challenge set: a line of its JSONL file (``docs/formats.md``).

    Attributes:
        id: the line as text; of the open sample a name. Unique in a configuration.
        line: line of the pair in the corpus, 1 for the first.
        source, target: the texts as given; target is ``None`` where there is none.
        source_tokens, target_tokens: what ids and links refer to; target_tokens is empty where nothing is
            aligned.
        phenomenon: name, or ``baseline``.
        hits: in order of dependent, then head; empty for ``baseline``.
        max_distance: largest distance of the hits; ``None`` for ``baseline``.
        alignment: the links in Pharaoh format, sorted; ``None`` where nothing is aligned.
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
