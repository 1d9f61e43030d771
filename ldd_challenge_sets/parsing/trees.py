"""What makes the tokens of a sentence a tree, and the fault that says why they are none."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from operator import itemgetter

from dibimt_metric.errors import InputError

from ..records import Token


class TreeFaultKind(str, Enum):
    """What can be wrong with the lines or the tree of a sentence; faults are counted under these names."""

    NO_TOKENS = "no_tokens"
    BLANK_LINE = "blank_line"
    COLUMNS = "columns"
    TOKEN_ID = "token_id"
    FORM = "form"
    HEAD = "head"
    HEAD_RANGE = "head_range"
    NO_ROOT = "no_root"
    SEVERAL_ROOTS = "several_roots"
    CYCLE = "cycle"


class TreeFault(InputError):
    """A sentence cannot be used.

    Attributes:
        kind: a value of `TreeFaultKind`, as plain text.
        offset: where in the sentence's block of lines, 0 for its first line; from `check_tree`, which sees no
            lines, where among the tokens.
    """

    def __init__(self, kind: str, offset: int, message: str) -> None:
        super().__init__(message)
        self.kind = kind.value if isinstance(kind, TreeFaultKind) else kind
        self.offset = offset

    def __reduce__(self) -> tuple[type[TreeFault], tuple[str, int, str]]:
        # Faults come back from worker processes; exceptions are pickled by their message alone otherwise.
        return TreeFault, (self.kind, self.offset, str(self))


def is_tree(heads: Sequence[int]) -> bool:
    """Whether tokens 1 to n with these heads form one tree: one root, every head there, no cycle.

    Args:
        heads: of the tokens in order, 0 for the root, none negative.

    >>> is_tree((2, 0, 2)), is_tree((0, 3, 2))
    (True, False)
    """
    if not heads or heads.count(0) != 1 or max(heads) > len(heads):
        return False
    # Each round doubles how far up is looked: after k rounds, `above` holds everyone's ancestor 2 ** k steps up.
    # This takes log2(depth) rounds of C code; following every token to the root took half of the parsing time.
    above = (0, *heads)
    steps = 1
    while any(above):
        if steps > len(heads):
            return False
        above = itemgetter(*above)(above)
        steps *= 2
    return True


def check_tree(tokens: Sequence[Token]) -> None:
    """Refuse tokens that are no tree.

    Raises:
        TreeFault: ids do not run from 1 without a gap, a head is not among the tokens, there is no root or more than
            one, heads form a cycle. Its ``offset`` is the index of the token at fault.

    >>> check_tree([Token(1, "Ja", "ja", "INTJ", "_", "_", 1, "root")])
    Traceback (most recent call last):
    ...
    ldd_challenge_sets.parsing.trees.TreeFault: no token has head 0; a tree has one root
    """
    if not tokens:
        raise TreeFault(TreeFaultKind.NO_TOKENS, 0, "a sentence without words; a tree has at least one")
    for index, token in enumerate(tokens):
        if token.id != index + 1:
            raise TreeFault(TreeFaultKind.TOKEN_ID, index, id_message(str(token.id), index + 1))
    heads = tuple(token.head for token in tokens)
    if min(heads) < 0 or not is_tree(heads):
        raise _tree_fault(heads)


def id_message(found: str, expected: int) -> str:
    """Of a token with another id than its place in the sentence."""
    hint = "; is the blank line between two sentences missing?" if found == "1" else ""
    return f"token id {found!r} where {expected} was expected; words are numbered 1, 2, 3 without gap{hint}"


def _tree_fault(heads: Sequence[int]) -> TreeFault:
    """Why these heads are no tree: the first reason of those listed in `check_tree`."""
    n = len(heads)
    for index, head in enumerate(heads):
        if not 0 <= head <= n:
            message = f"token {index + 1} has head {head}, but the sentence has tokens 1 to {n}"
            return TreeFault(TreeFaultKind.HEAD_RANGE, index, message)
    roots = [index for index, head in enumerate(heads) if head == 0]
    if len(roots) > 1:
        listed = " and ".join(str(index + 1) for index in roots[:5]) + (" ..." if len(roots) > 5 else "")
        message = f"tokens {listed} have head 0; a tree has one root"
        return TreeFault(TreeFaultKind.SEVERAL_ROOTS, roots[1], message)
    if not roots:
        return TreeFault(TreeFaultKind.NO_ROOT, 0, "no token has head 0; a tree has one root")
    cycle = _cycle(heads)
    path = " -> ".join(map(str, [*cycle[:8], *(["..."] if len(cycle) > 8 else []), cycle[0]]))
    message = f"the heads {path} form a cycle; every token of a tree leads to the root"
    return TreeFault(TreeFaultKind.CYCLE, cycle[0] - 1, message)


def _cycle(heads: Sequence[int]) -> list[int]:
    """Ids of the first cycle, which there is, from its smallest id on."""
    safe = {0}
    for start in range(1, len(heads) + 1):
        path: dict[int, None] = {}
        token = start
        while token not in safe and token not in path:
            path[token] = None
            token = heads[token - 1]
        if token in path:
            members = list(path)[list(path).index(token) :]
            first = members.index(min(members))
            return members[first:] + members[:first]
        safe.update(path)
    raise AssertionError("called on heads without a cycle")  # a fault of this module, not of the input
