"""What is a tree and what is not."""

from __future__ import annotations

import doctest
import itertools
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ldd_challenge_sets.parsing import trees
from ldd_challenge_sets.parsing.trees import TreeFault, TreeFaultKind, check_tree, is_tree
from ldd_challenge_sets.records import Token


def tokens(*heads: int) -> list[Token]:
    return [Token(i, f"w{i}", "_", "X", "_", "_", head, "dep") for i, head in enumerate(heads, 1)]


def walks_to_the_root(heads: tuple[int, ...]) -> bool:
    """The definition, walked token by token."""
    if heads.count(0) != 1:
        return False
    for token in range(1, len(heads) + 1):
        for _ in range(len(heads)):
            token = heads[token - 1]
            if token == 0:
                break
            if token > len(heads):
                return False
        else:
            return False
    return True


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_as_many_trees_as_cayley_says(n: int) -> None:
    every = itertools.product(range(n + 1), repeat=n)
    assert sum(map(is_tree, every)) == n ** (n - 1)  # rooted labeled trees


@given(st.integers(1, 12).flatmap(lambda n: st.lists(st.integers(0, n + 1), min_size=n, max_size=n)))
def test_agrees_with_walking(heads: list[int]) -> None:
    assert is_tree(heads) is walks_to_the_root(tuple(heads))


@pytest.mark.parametrize("n", [1, 2, 3, 63, 64, 65, 1000])
def test_chains_of_every_length(n: int) -> None:
    chain = list(range(n))  # 1 is the root, every other token hangs on the one before
    assert is_tree(chain)
    assert is_tree([*range(2, n + 1), 0])  # the other way round
    if n > 1:
        assert not is_tree([n, *range(1, n)])  # closed to a ring
        assert not is_tree([0, *range(3, n + 1), 2])  # a ring beside the root


def test_no_token_is_no_tree() -> None:
    assert not is_tree(())


@pytest.mark.parametrize("heads", [(0,), (2, 0), (0, 1, 1), (2, 3, 0)])
def test_trees_pass(heads: tuple[int, ...]) -> None:
    check_tree(tokens(*heads))


@pytest.mark.parametrize(
    ("heads", "kind", "offset", "message"),
    [
        ((), "no_tokens", 0, "without words"),
        ((0, 5), "head_range", 1, "token 2 has head 5, but the sentence has tokens 1 to 2"),
        ((0, -1), "head_range", 1, "token 2 has head -1"),
        ((0, 1, 0), "several_roots", 2, "tokens 1 and 3 have head 0"),
        ((0,) * 7, "several_roots", 1, "tokens 1 and 2 and 3 and 4 and 5 ... have head 0"),
        ((2, 1), "no_root", 0, "no token has head 0"),
        ((1,), "no_root", 0, "no token has head 0"),
        ((0, 2), "cycle", 1, "the heads 2 -> 2 form a cycle"),
        ((0, 3, 4, 2), "cycle", 1, "the heads 2 -> 3 -> 4 -> 2 form a cycle"),
        # Tokens 1 and 2 lead into the cycle of 4 and 5 and are not part of it.
        ((2, 5, 0, 5, 4), "cycle", 3, "the heads 4 -> 5 -> 4 form a cycle"),
        ((0, *range(3, 21), 2), "cycle", 1, "2 -> 3 -> 4 -> 5 -> 6 -> 7 -> 8 -> 9 -> ... -> 2"),
    ],
)
def test_faults(heads: tuple[int, ...], kind: str, offset: int, message: str) -> None:
    with pytest.raises(TreeFault) as caught:
        check_tree(tokens(*heads))
    assert (caught.value.kind, caught.value.offset) == (kind, offset)
    assert message in str(caught.value)
    assert kind in {each.value for each in TreeFaultKind}


def test_ids_have_no_gap() -> None:
    first, second = tokens(0, 1)
    with pytest.raises(TreeFault, match="token id '3', but 2 was expected") as caught:
        check_tree([first, second._replace(id=3)])
    assert (caught.value.kind, caught.value.offset) == ("token_id", 1)


@given(st.integers(1, 9).flatmap(lambda n: st.lists(st.integers(-1, n + 1), min_size=n, max_size=n)))
def test_a_reason_is_found_for_whatever_is_no_tree(heads: list[int]) -> None:
    if min(heads) >= 0 and is_tree(heads):
        check_tree(tokens(*heads))
    else:
        with pytest.raises(TreeFault):
            check_tree(tokens(*heads))


def test_faults_come_back_from_other_processes() -> None:
    fault = TreeFault(TreeFaultKind.CYCLE, 3, "a cycle")
    back = pickle.loads(pickle.dumps(fault))
    assert (type(back), back.kind, back.offset, str(back)) == (TreeFault, "cycle", 3, "a cycle")
    assert type(back.kind) is str  # counted and printed as it is


def test_examples() -> None:
    results = doctest.testmod(trees)
    assert results.attempted > 0 and results.failed == 0
