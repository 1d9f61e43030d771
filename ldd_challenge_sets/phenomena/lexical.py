"""Lexical phenomena: the hits among the tokens of a tree, by labels, by the tests of the release, or by a user's test.

A phenomenon depends on a token, its head and its tree. Its distance is the number of words strictly between token and
head, including punctuation: ``|id - head| - 1``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeAlias

from ..records import Hit, Token, Tree
from .labels import Labels

Test: TypeAlias = Callable[[Token, "Token | None", Tree], bool]
"""Whether a token is a hit, given its head and its tree. The head is ``None`` for a root, which is tested only if roots
count."""

_UPOS, _XPOS, _LEMMA, _FEATS, _DEPREL = (
    Token._fields.index(name) for name in ("upos", "xpos", "lemma", "feats", "deprel")
)


class Probe(NamedTuple):
    """One way to find a phenomenon.

    Attributes:
        select: the tokens that can be hits, by one cheap check of each, which keeps the search at a microsecond a
            sentence: few sentences hold a token that needs a closer look.
        test: whether one of them is.
        needles: texts one of which is in the CoNLL-U line of every hit; empty: not known. Sentences without any of
            them need not be searched.
    """

    select: Callable[[Sequence[Token]], Iterable[Token]]
    test: Test
    needles: tuple[str, ...] = ()


def find(tree: Tree, probes: Sequence[Probe], include_root: bool) -> list[Hit]:
    """The hits in a checked tree, in the order of their dependents; a token found by several probes is one hit.

    With ``include_root`` a root can be a hit; its head is 0 and its distance ``id - 1``.
    """
    tokens = tree.tokens
    found: dict[int, Token] = {}
    for select, test, _ in probes:
        for token in select(tokens):
            head = tokens[token.head - 1] if token.head else None
            if (include_root or head is not None) and test(token, head, tree):
                found[token.id] = token
    forms = ("", *(token.form for token in tokens)) if found else ()
    return [Hit(n, each.head, each.form, forms[each.head], abs(n - each.head) - 1) for n, each in sorted(found.items())]


def _among(column: int, values: frozenset[str]) -> Callable[[Sequence[Token]], Iterable[Token]]:
    return lambda tokens: [token for token in tokens if token[column] in values]


def _holding(column: int, text: str) -> Callable[[Sequence[Token]], Iterable[Token]]:
    # The column holds text; a cast for every token would cost more than the search.
    return lambda tokens: [token for token in tokens if text in token[column]]  # type: ignore[operator]


def _related(starts: tuple[str, ...], upos: frozenset[str]) -> Callable[[Sequence[Token]], Iterable[Token]]:
    if not upos:
        return lambda tokens: [token for token in tokens if token.deprel.startswith(starts)]
    return lambda tokens: [token for token in tokens if token.upos in upos and token.deprel.startswith(starts)]


def with_relations(relations: Iterable[str]) -> Callable[[Sequence[Token]], Iterable[Token]]:
    """Tokens with one of these relations, exactly."""
    return _among(_DEPREL, frozenset(relations))


def all_tokens(tokens: Sequence[Token]) -> Iterable[Token]:
    """Every token."""
    return tokens


def label_probe(labels: Labels) -> Probe:
    """The probe that finds the tokens that match the labels."""
    return Probe(_selection(labels), lambda token, head, tree: fits(labels, token, head), _needles(labels))


def _needles(labels: Labels) -> tuple[str, ...]:
    """Of the column by which `_selection` selects."""
    if labels.feats:
        return (min(labels.feats),)
    relations = {relation.removesuffix(":*") for relation in labels.relations}
    return tuple(sorted(labels.lemmas or labels.xpos or relations or labels.upos))


def _selection(labels: Labels) -> Callable[[Sequence[Token]], Iterable[Token]]:
    """By the most selective column."""
    if labels.feats:
        return _holding(_FEATS, min(labels.feats))
    if labels.lemmas:
        return _among(_LEMMA, labels.lemmas)
    if labels.xpos:
        return _among(_XPOS, labels.xpos)
    if labels.relations and not any(relation.endswith(":*") for relation in labels.relations):
        return _among(_DEPREL, labels.relations)
    if labels.relations:
        return _related(tuple(relation.removesuffix(":*") for relation in labels.relations), labels.upos)
    return _among(_UPOS, labels.upos) if labels.upos else all_tokens


def fits(labels: Labels, token: Token, head: Token | None) -> bool:
    """Whether a token matches the labels.

    >>> particle = Token(4, "ein", "ein", "ADP", "PTKVZ", "_", 1, "compound:prt")
    >>> fits(Labels(relations=frozenset({"compound:*"}), upos=frozenset({"ADP"})), particle, None)
    True
    """
    # Cheap and often decisive first: most prepositions precede their head.
    return (
        (not labels.after_head or (head is not None and token.id > head.id))
        and (not labels.relations or _has_relation(token.deprel, labels.relations))
        and (not labels.upos or token.upos in labels.upos)
        and (not labels.xpos or token.xpos in labels.xpos)
        and (not labels.lemmas or token.lemma in labels.lemmas)
        and (not labels.head_upos or (head is not None and head.upos in labels.head_upos))
        and token.deprel not in labels.not_relations
        and token.xpos not in labels.not_xpos
        and _has_feats(token.feats, labels)
    )


def _has_feats(feats: str, labels: Labels) -> bool:
    if not labels.feats and not labels.not_feats:
        return True
    given = feats.split("|")
    return labels.feats.issubset(given) and labels.not_feats.isdisjoint(given)


def _has_relation(relation: str, wanted: frozenset[str]) -> bool:
    return relation in wanted or f"{relation.partition(':')[0]}:*" in wanted


# The tests of the release: substrings of the dependent's labels, whatever the language and the head


def _holding_in_any_case(column: int, text: str) -> Callable[[Sequence[Token]], Iterable[Token]]:
    return lambda tokens: [token for token in tokens if text in token[column].lower()]  # type: ignore[union-attr]


RELEASED: dict[str, Probe] = {
    "particle": Probe(_holding_in_any_case(_DEPREL, "prt"), lambda token, head, tree: True),
    "reflexive": Probe(_holding_in_any_case(_FEATS, "reflex=yes"), lambda token, head, tree: True),
    "preposition_stranding": Probe(_holding_in_any_case(_DEPREL, "obl"), lambda token, head, tree: token.upos == "ADP"),
}
"""The probes of the published sets, by name."""
