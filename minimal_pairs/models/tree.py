"""Token sequences as trees: every shared beginning once.

Causal models compute a token from those before it, so sentences with the same beginning have the same states there.
Sorted by their tokens, sentences that share a beginning stand together; each *row* takes consecutive ones and holds the
tree of their beginnings, flattened::

    <s> The cat sleeps .        row:     <s> The cat sleeps sleep dogs sleep
    <s> The cat sleep .         parent:   0   0   1    2      2    1     5
    <s> The dogs sleep .        depth:    0   1   2    3      3    2     3

In a row each token attends to itself and its ancestors and stands at its depth; last tokens are not in the tree,
because nothing is computed from them. What is shared between neighboring rows is computed in each, so rows are large
enough for this to be rare, and small enough for the attention, which is square, to be cheap.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple


class Row(NamedTuple):
    """Beginnings of sequences that are computed together.

    Attributes:
        tokens: of all nodes, each behind its parent.
        parents: place of each node's parent in the row; a first token's is its own.
        depths: number of ancestors of each node, which is its position in the sequences it begins.
        paths: for each sequence its number, and the places of its tokens in order.
    """

    tokens: tuple[int, ...]
    parents: tuple[int, ...]
    depths: tuple[int, ...]
    paths: tuple[tuple[int, tuple[int, ...]], ...]


def tree_rows(sequences: Sequence[tuple[int, ...]], size: int) -> Iterator[Row]:
    """Rows in which every shared beginning occurs once.

    Args:
        sequences: of tokens, none empty.
        size: tokens of a row, at most; a single sequence that is longer is a row of its own.

    >>> [row] = tree_rows([(0, 1, 2), (0, 3), (0, 1, 4)], 10)
    >>> row.tokens, row.parents, row.depths
    ((0, 1, 2, 4, 3), (0, 0, 1, 1, 0), (0, 1, 2, 2, 1))
    >>> row.paths
    ((0, (0, 1, 2)), (2, (0, 1, 3)), (1, (0, 4)))
    """
    row = _Growing()
    for number in sorted(range(len(sequences)), key=sequences.__getitem__):
        sequence = sequences[number]
        if row.tokens and len(row.tokens) + len(sequence) - row.shares(sequence) > size:
            yield row.done()
            row = _Growing()
        row.add(number, sequence)
    if row.tokens:
        yield row.done()


def single_rows(sequences: Iterable[tuple[int, ...]]) -> Iterator[Row]:
    """Each sequence as a row of its own: for models that cannot compute trees.

    >>> next(single_rows([(7, 8)]))
    Row(tokens=(7, 8), parents=(0, 0), depths=(0, 1), paths=((0, (0, 1)),))
    """
    for number, sequence in enumerate(sequences):
        row = _Growing()
        row.add(number, sequence)
        yield row.done()


class _Growing:
    """A row that sequences are added to, in sorted order."""

    def __init__(self) -> None:
        self.tokens: list[int] = []
        self._parents: list[int] = []
        self._depths: list[int] = []
        self._paths: list[tuple[int, tuple[int, ...]]] = []
        self._last: tuple[int, ...] = ()
        self._path: list[int] = []

    def shares(self, sequence: tuple[int, ...]) -> int:
        """How many tokens of a sequence are in the row: those it shares with the last one, as they are sorted."""
        for i, (new, old) in enumerate(zip(sequence, self._last, strict=False)):
            if new != old:
                return i
        return min(len(sequence), len(self._last))

    def add(self, number: int, sequence: tuple[int, ...]) -> None:
        """Add what is not there yet, and the path."""
        shared = self.shares(sequence)
        del self._path[shared:]
        for depth in range(shared, len(sequence)):
            place = len(self.tokens)
            self.tokens.append(sequence[depth])
            self._parents.append(self._path[-1] if self._path else place)
            self._depths.append(depth)
            self._path.append(place)
        self._last = sequence
        self._paths.append((number, tuple(self._path)))

    def done(self) -> Row:
        """The row, which must not grow any more."""
        return Row(tuple(self.tokens), tuple(self._parents), tuple(self._depths), tuple(self._paths))
