"""Trees: the check of the tokens of a sentence, and the fault that tells why they do not form a tree."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from operator import itemgetter

from dibimt_metric.errors import InputError

from ..records import Token


class TreeFaultKind(str, Enum):
    """What can be wrong with the lines or the tree of a sentence; faults are counted by these names."""

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
    """The error of a sentence that cannot be used.

    Attributes:
        kind: a value of `TreeFaultKind`, as plain text.
        offset: line in the block of the sentence, from 0; from `check_tree`, which knows no lines, index of the token.
    """

    def __init__(self, kind: str, offset: int, message: str) -> None:
        super().__init__(message)
        self.kind = kind.value if isinstance(kind, TreeFaultKind) else kind
        self.offset = offset

    def __reduce__(self) -> tuple[type[TreeFault], tuple[str, int, str]]:
        # Faults return from worker processes; by default, exceptions are pickled by their message alone.
        return TreeFault, (self.kind, self.offset, str(self))


def is_tree(heads: Sequence[int]) -> bool:
    """Whether tokens 1 to n with these heads (none negative) form one tree: one root, every head exists, no cycle.

    >>> is_tree((2, 0, 2)), is_tree((0, 3, 2))
    (True, False)
    """
    if not heads or heads.count(0) != 1 or max(heads) > len(heads):
        return False
    # After k rounds, `above` holds every token's ancestor 2 ** k steps up: log2(depth) rounds of C code. Following
    # every token to the root took half of the parsing time.
    above = (0, *heads)
    steps = 1
    while any(above):
        if steps > len(heads):
            return False
        above = itemgetter(*above)(above)
        steps *= 2
    return True


def check_tree(tokens: Sequence[Token]) -> None:
    """Reject tokens that do not form a tree.

    Raises:
        TreeFault: ids do not count from 1 without gaps, a head does not exist, there is no root or more than one, heads
            form a cycle. ``offset`` is the index of the token.

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
    """The message for a token whose id is not its position in the sentence."""
    hint = "; is the empty line between two sentences missing?" if found == "1" else ""
    return f"token id {found!r}, but {expected} was expected; words are numbered 1, 2, 3 without gaps{hint}"


def _tree_fault(heads: Sequence[int]) -> TreeFault:
    """The first reason, in the order of `check_tree`, why these heads do not form a tree."""
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
    """Ids of the first cycle, beginning with its smallest id."""
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
