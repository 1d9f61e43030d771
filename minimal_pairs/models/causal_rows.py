"""Token sequences as trees: every shared beginning once.

Causal models compute a token from those before it, so sentences with the same beginning have the same states there.
Sorted by their tokens, sentences that share a beginning are next to each other; each *row* takes consecutive ones and
contains the tree of their beginnings, flattened::

    <s> The cat sleeps .        row:     <s> The cat sleeps sleep dogs sleep
    <s> The cat sleep .         parent:   0   0   1    2      2    1     5
    <s> The dogs sleep .        depth:    0   1   2    3      3    2     3

In a row each token attends to itself and its ancestors, and its position is its depth; last tokens are not in the tree,
because nothing is computed from them. What neighboring rows share is computed in each, so rows are large enough for
this to be rare, and small enough for the quadratic attention to be cheap.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

PADDING_SIDES = ("right", "left")
"""Where shorter rows of a batch are padded."""


class TokenRow(NamedTuple):
    """Beginnings of sequences that are computed together.

    Attributes:
        tokens: of all nodes, each after its parent.
        parents: place of each node's parent in the row; for a first token its own place.
        depths: number of ancestors of each node, which is its position in its sequences.
        paths: for each sequence its number, and the places of its tokens in order.
    """

    tokens: tuple[int, ...]
    parents: tuple[int, ...]
    depths: tuple[int, ...]
    paths: tuple[tuple[int, tuple[int, ...]], ...]


def tree_rows(sequences: Sequence[tuple[int, ...]], size: int) -> Iterator[TokenRow]:
    """Rows in which every shared beginning occurs once.

    Args:
        sequences: of tokens, none empty.
        size: maximum number of tokens of a row; a longer sequence is a row of its own.

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


def single_rows(sequences: Iterable[tuple[int, ...]]) -> Iterator[TokenRow]:
    """Each sequence as a row of its own: for models that cannot compute trees.

    >>> next(single_rows([(7, 8)]))
    TokenRow(tokens=(7, 8), parents=(0, 0), depths=(0, 1), paths=((0, (0, 1)),))
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
        """How many tokens of a sequence are in the row: those it shares with the last one, as sequences are sorted."""
        for i, (new, old) in enumerate(zip(sequence, self._last, strict=False)):
            if new != old:
                return i
        return min(len(sequence), len(self._last))

    def add(self, number: int, sequence: tuple[int, ...]) -> None:
        """Add a sequence and its path; shared tokens are there already."""
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

    def done(self) -> TokenRow:
        """The row, which must not grow any more."""
        return TokenRow(tuple(self.tokens), tuple(self._parents), tuple(self._depths), tuple(self._paths))


class Batch(NamedTuple):
    """Rows as tensors.

    Attributes:
        rows: the rows. width: of the longest.
        starts: where each row begins: 0, or after the padding on the left.
        ids, positions: B x width. mask: B x width, 1 for tokens; for trees B x 1 x width x width, 0 where a token
            (second last dimension) sees another (last), else the lowest number of the type.
    """

    rows: tuple[TokenRow, ...]
    width: int
    starts: tuple[int, ...]
    ids: Any
    positions: Any
    mask: Any


def batches(rows: Iterable[TokenRow], tokens: int, equal: bool = False) -> Iterator[tuple[TokenRow, ...]]:
    """Groups of rows of about the same length, longest first, so that a batch that is too large fails at once.

    Args:
        rows: the rows.
        tokens: maximum of a batch, including padding; a longer row is a batch of its own.
        equal: whether to group only rows of the same length, without padding.

    >>> rows = list(single_rows([(1, 2, 3), (1,), (2, 3), (4, 5)]))
    >>> [[len(row.tokens) for row in batch] for batch in batches(rows, 6)]
    [[3, 2], [2, 1]]
    """
    batch: list[TokenRow] = []
    for row in sorted(rows, key=lambda row: len(row.tokens), reverse=True):
        width = len(batch[0].tokens) if batch else 0
        if batch and ((len(batch) + 1) * width > tokens or (equal and len(row.tokens) != width)):
            yield tuple(batch)
            batch = []
        batch.append(row)
    if batch:
        yield tuple(batch)


def as_tensors(
    rows: Sequence[TokenRow], device: Any, tree_type: Any = None, padding: int = 0, side: str = "right"
) -> Batch:
    """A batch as a model takes it.

    Args:
        rows: the rows.
        device: of torch.
        tree_type: number type of the mask of trees; ``None``: rows are single sequences, and the mask marks their
            tokens.
        padding: token that pads shorter rows; no token that counts sees it.
        side: one of `PADDING_SIDES`.
    """
    import torch

    width = max(len(row.tokens) for row in rows)
    starts = tuple(width - len(row.tokens) if side == "left" else 0 for row in rows)
    places = list(zip(rows, starts, strict=True))
    ids = torch.tensor([_filled(row.tokens, start, width, padding) for row, start in places], device=device)
    positions = torch.tensor([_filled(row.depths, start, width, 0) for row, start in places], device=device)
    if tree_type is None:
        ones = [_filled((1,) * len(row.tokens), start, width, 0) for row, start in places]
        mask = torch.tensor(ones, device=device)
    else:
        mask = _tree_mask(places, width, device, tree_type)
    return Batch(tuple(rows), width, starts, ids, positions, mask)


def _filled(values: Sequence[int], start: int, width: int, filling: int) -> list[int]:
    return [*(filling,) * start, *values, *(filling,) * (width - start - len(values))]


def _tree_mask(places: Sequence[tuple[TokenRow, int]], width: int, device: Any, number_type: Any) -> Any:
    """Every token sees itself and its ancestors; padding sees itself, because seeing nothing would give NaN."""
    import torch

    parents = torch.arange(width).repeat(len(places), 1)
    for i, (row, start) in enumerate(places):
        parents[i, start : start + len(row.parents)] = torch.tensor(row.parents) + start
    parents = parents.to(device)
    seen = torch.zeros(len(places), width, width, dtype=torch.bool, device=device)
    ancestors = torch.arange(width, device=device).repeat(len(places), 1)
    for _ in range(1 + max(depth for row, _ in places for depth in row.depths)):
        seen.scatter_(2, ancestors.unsqueeze(2), True)
        ancestors = parents.gather(1, ancestors)
    mask = torch.zeros(len(places), 1, width, width, dtype=number_type, device=device)
    return mask.masked_fill_(~seen.unsqueeze(1), torch.finfo(number_type).min)
