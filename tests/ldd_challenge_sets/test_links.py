from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dibimt_metric.errors import InputError
from ldd_challenge_sets.alignment.links import (
    Symmetrization,
    as_symmetrization,
    check_links,
    format_pharaoh,
    parse_pharaoh,
)

LINKS = st.frozensets(st.tuples(st.integers(0, 1200), st.integers(0, 1200)), max_size=40)


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("0-0 1-2", {(0, 0), (1, 2)}),
        ("", set()),
        (" \t\n", set()),
        ("1-2 0-0 1-2", {(0, 0), (1, 2)}),  # a link that stands twice
        ("0-0\t10-2\n", {(0, 0), (10, 2)}),
        ("0-0:0.5 1-2:1e-3", {(0, 0), (1, 2)}),  # weights
        ("2-0 2-1 0-1", {(2, 0), (2, 1), (0, 1)}),  # several links of a word: a mapping would lose one
    ],
)
def test_parses(text: str, links: set[tuple[int, int]]) -> None:
    assert parse_pharaoh(text) == links


@pytest.mark.parametrize("text", ["0?1", "0p1", "3-4 0?1"])
def test_refuses_possible_links_by_name(text: str) -> None:
    with pytest.raises(InputError, match="possible link of a gold standard.*write them with '-'"):
        parse_pharaoh(text)


@pytest.mark.parametrize(
    "text",
    [
        "0",
        "a-b",
        "-1-2",
        "1--2",
        "1-2-3",
        "1:2",
        "0-0,1-1",
        "0.0-1",
        "+1-2",
        "1_0-2",
        "٣-٣",
        "0-0:",
        "0-0:x",
        "1-²",
    ],
)
def test_refuses_what_is_no_link(text: str) -> None:
    with pytest.raises(InputError, match="is not a link; expected source-target, counted from 0"):
        parse_pharaoh(f"0-0 {text} 1-1")


def test_a_long_faulty_line_gives_a_short_message() -> None:
    with pytest.raises(InputError) as caught:
        parse_pharaoh("x" * 10_000)
    assert len(str(caught.value)) < 200


@given(LINKS)
def test_text_and_back(links: frozenset[tuple[int, int]]) -> None:
    text = format_pharaoh(links)
    assert parse_pharaoh(text) == links
    pairs = [tuple(map(int, link.split("-"))) for link in text.split()]
    assert pairs == sorted(pairs)  # by number: 2-0 before 10-0


@given(LINKS, st.integers(0, 1300), st.integers(0, 1300))
def test_check_links_is_the_definition(links: frozenset[tuple[int, int]], n: int, m: int) -> None:
    inside = all(i < n and j < m for i, j in links)
    if inside:
        check_links(links, n, m)
    else:
        with pytest.raises(InputError, match="made with other tokens"):
            check_links(links, n, m)


@pytest.mark.parametrize(
    ("links", "n", "m", "message"),
    [
        ({(0, 0), (3, 1)}, 3, 2, "link 3-1: there is no source token 3; the sentence has 3"),
        ({(0, 0), (2, 2)}, 3, 2, "link 2-2: there is no target token 2; the sentence has 2"),
        (
            {(9, 9), (5, 0), (7, 0)},
            3,
            2,
            "link 5-0: there is no source token 5",
        ),  # the smallest, in any order
        ({(0, 0)}, 0, 0, "link 0-0: there is no source token 0; the sentence has 0"),
        ({(-1, 0)}, 3, 2, "link -1-0: there is no source token -1"),
    ],
)
def test_check_links_says_which(links: set[tuple[int, int]], n: int, m: int, message: str) -> None:
    with pytest.raises(InputError, match=message):
        check_links(links, n, m)


def test_symmetrization_names() -> None:
    assert [each.value for each in Symmetrization] == [
        "forward",
        "backward",
        "intersection",
        "union",
        "grow",
        "grow-diag",
        "grow-diag-final",
        "grow-diag-final-and",
        "och",
    ]
    assert as_symmetrization("och") is Symmetrization.OCH
    assert as_symmetrization(Symmetrization.UNION) is Symmetrization.UNION


@pytest.mark.parametrize("name", ["", "GROW_DIAG", "gdfa", "none"])
def test_unknown_symmetrization(name: str) -> None:
    with pytest.raises(InputError, match="symmetrization .* is unknown; .* 'grow-diag-final-and', 'och'"):
        as_symmetrization(name)
