"""Rows in batches: how many tokens at once, and the tensors that a model takes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from .tree import Row

PADDING_SIDES = ("right", "left")
"""Where shorter rows of a batch are filled up."""


class Batch(NamedTuple):
    """Rows as tensors.

    Attributes:
        rows: the rows. width: of the longest.
        starts: where each row begins: 0, or what is filled up on the left.
        ids, positions: B x width. mask: B x width, 1 where a token is; B x 1 x width x width for trees, 0 where a token
            (second last dimension) sees another (last), else the lowest number of the type.
    """

    rows: tuple[Row, ...]
    width: int
    starts: tuple[int, ...]
    ids: Any
    positions: Any
    mask: Any


def batches(rows: Iterable[Row], tokens: int, equal: bool = False) -> Iterator[tuple[Row, ...]]:
    """Groups of rows of about the same length, longest first, so that too large a batch fails at once.

    Args:
        rows: the rows.
        tokens: of a batch at most, padding included; a single longer row is a batch.
        equal: put only rows of the same length together, so that there is no padding.

    >>> from minimal_pairs.models.tree import single_rows
    >>> rows = list(single_rows([(1, 2, 3), (1,), (2, 3), (4, 5)]))
    >>> [[len(row.tokens) for row in batch] for batch in batches(rows, 6)]
    [[3, 2], [2, 1]]
    """
    batch: list[Row] = []
    for row in sorted(rows, key=lambda row: len(row.tokens), reverse=True):
        width = len(batch[0].tokens) if batch else 0
        if batch and ((len(batch) + 1) * width > tokens or (equal and len(row.tokens) != width)):
            yield tuple(batch)
            batch = []
        batch.append(row)
    if batch:
        yield tuple(batch)


def as_tensors(
    rows: Sequence[Row], device: Any, tree_type: Any = None, padding: int = 0, side: str = "right"
) -> Batch:
    """A batch as a model takes it.

    Args:
        rows: the rows.
        device: of torch.
        tree_type: number type of the mask of trees; ``None``: rows are single sequences, and the mask says where
            they have tokens.
        padding: token that fills up shorter rows; no token that counts ever sees it.
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


def _tree_mask(places: Sequence[tuple[Row, int]], width: int, device: Any, number_type: Any) -> Any:
    """Every token sees itself and its ancestors; padding sees itself, since nothing at all would be not a number."""
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
