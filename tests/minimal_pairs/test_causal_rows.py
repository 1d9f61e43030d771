"""Rows of trees, their batches and masks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minimal_pairs.models.causal_rows import TokenRow, as_tensors, batches, single_rows, tree_rows

SEQUENCES = st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=7).map(tuple), min_size=1, max_size=12)


def read_back(rows: list[TokenRow]) -> dict[int, tuple[int, ...]]:
    """The sequences, read by going up from the last node of each path."""
    found = {}
    for row in rows:
        for number, path in row.paths:
            node, tokens = path[-1], []
            while True:
                tokens.append(row.tokens[node])
                assert row.depths[node] == len(path) - len(tokens)
                if row.parents[node] == node:
                    break
                node = row.parents[node]
            assert tuple(row.tokens[place] for place in path) == tuple(reversed(tokens))
            found[number] = tuple(reversed(tokens))
    return found


@given(SEQUENCES, st.integers(1, 30))
def test_rows_hold_every_sequence_once(sequences: list[tuple[int, ...]], size: int) -> None:
    rows = list(tree_rows(sequences, size))
    assert sorted(number for row in rows for number, _ in row.paths) == list(range(len(sequences)))
    assert read_back(rows) == dict(enumerate(sequences))
    assert read_back(list(single_rows(sequences))) == dict(enumerate(sequences))
    for row in rows:
        assert len(row.tokens) <= size or len(row.paths) == 1 or len({path for _, path in row.paths}) == 1
        assert all(parent <= node for node, parent in enumerate(row.parents))


@given(SEQUENCES)
def test_one_row_holds_every_beginning_once(sequences: list[tuple[int, ...]]) -> None:
    [row] = tree_rows(sequences, 1000)
    assert len(row.tokens) == len({sequence[:i] for sequence in sequences for i in range(1, len(sequence) + 1)})


@given(SEQUENCES, st.randoms())
def test_rows_do_not_depend_on_the_order_of_texts(sequences: list[tuple[int, ...]], chance: object) -> None:
    mixed = list(sequences)
    chance.shuffle(mixed)  # type: ignore[attr-defined]
    shapes = [[(row.tokens, row.parents) for row in tree_rows(list_, 9)] for list_ in (sequences, mixed)]
    assert shapes[0] == shapes[1]


@given(SEQUENCES, st.integers(1, 40), st.booleans())
def test_batches_keep_rows_and_the_limit(sequences: list[tuple[int, ...]], tokens: int, equal: bool) -> None:
    rows = list(single_rows(sequences))
    made = list(batches(rows, tokens, equal))
    assert sorted(row.paths for batch in made for row in batch) == [row.paths for row in rows]
    lengths = [[len(row.tokens) for row in batch] for batch in made]
    assert all(len(batch) * max(batch) <= tokens or len(batch) == 1 for batch in lengths)
    assert not equal or all(len(set(batch)) == 1 for batch in lengths)
    assert [n for batch in lengths for n in batch] == sorted((len(s) for s in sequences), reverse=True)


@pytest.mark.parametrize("side", ["right", "left"])
def test_every_token_sees_itself_and_what_precedes_it(side: str) -> None:
    torch = pytest.importorskip("torch")
    sequences = [(5, 1, 2), (5, 1, 3, 4), (5, 6), (7, 7)]
    rows = [*tree_rows(sequences, 7), *single_rows([(8,)])]
    batch = as_tensors(rows, "cpu", torch.float32, padding=9, side=side)
    seen = batch.mask[:, 0] == 0
    lowest = torch.finfo(torch.float32).min
    assert set(batch.mask.unique().tolist()) == {0.0, lowest}
    for i, row in enumerate(rows):
        start = batch.starts[i]
        assert start == (0 if side == "right" else batch.width - len(row.tokens))
        for _, path in row.paths:
            for depth, place in enumerate(path):
                visible = seen[i, start + place].nonzero().flatten().tolist()
                assert visible == sorted(start + node for node in path[: depth + 1])
                assert batch.positions[i, start + place] == depth
                assert batch.ids[i, start + place] == row.tokens[place]
    assert all(seen[i, j].any() for i in range(len(rows)) for j in range(batch.width))  # else not a number
    assert batch.ids[-1].tolist().count(9) == batch.width - 1


def test_mask_of_single_sequences_says_where_tokens_are() -> None:
    pytest.importorskip("torch")
    rows = list(single_rows([(5, 1, 2), (3,)]))
    assert as_tensors(rows, "cpu").mask.tolist() == [[1, 1, 1], [1, 0, 0]]
    assert as_tensors(rows, "cpu", side="left").mask.tolist() == [[1, 1, 1], [0, 0, 1]]
    assert as_tensors(rows, "cpu", side="left").positions.tolist() == [[0, 1, 2], [0, 0, 0]]
