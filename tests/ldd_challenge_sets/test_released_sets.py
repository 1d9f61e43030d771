"""The published sets from the published parses, and the counts of treebanks: numbers of the paper and of the reference.

They need the shared test data; `test_released_sets_in_small` shows the same on parses written for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ldd_challenge_sets.parsing.conllu import read_line_numbers, read_trees
from ldd_challenge_sets.phenomena.registry import Definition, lexical_finder

PAGE = Path(__file__).parents[2] / "docs" / "phenomena.md"


def largest_distances(
    path: Path, phenomenon: str, language: str, definition: Definition, root: bool | None = None
) -> Iterator[int | None]:
    """Of each sentence of a file, in order; ``None`` where it has no hit."""
    finder = lexical_finder([phenomenon], language, definition, root)
    for tree in read_trees(path):
        hits = finder(tree).get(phenomenon, [])
        yield max((hit.distance for hit in hits), default=None)


def counts(distances: list[int | None], minima: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sum(d is not None and d >= minimum for d in distances) for minimum in minima)


# file, phenomenon, sentences at the minima, the minimum that the published ids stand for, lines of a document
PUBLISHED = [
    ("en_particle", "particle", {1: 786, 2: 111, 3: 36, 4: 20, 5: 16}, 1, 10_000),
    ("en_reflexive", "reflexive", {1: 1188, 2: 460, 3: 274, 4: 184, 5: 133}, 1, 10_000),
    (
        "en_preposition_stranding0", "preposition_stranding",
        {0: 682, 1: 191, 2: 85, 3: 40, 4: 27, 5: 19}, 0, 10_000,
    ),
    ("de_particle_news", "particle", {1: 232}, 1, None),
    ("de_reflexive_news", "reflexive", {1: 281}, 1, None),
    ("en_particle_news", "particle", {1: 17}, 1, None),
    ("en_reflexive_news", "reflexive", {1: 11}, 1, None),
    ("en_preposition_stranding_news", "preposition_stranding", {1: 8}, 1, None),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "phenomenon", "expected", "minimum", "document_size"),
    PUBLISHED,
    ids=[row[0] for row in PUBLISHED],
)
def test_published_sets(
    test_data: Path,
    name: str,
    phenomenon: str,
    expected: dict[int, int],
    minimum: int,
    document_size: int | None,
) -> None:
    path = test_data / "ldd" / "released" / f"{name}.conllu"
    distances = list(largest_distances(path, phenomenon, name[:2], Definition.RELEASED))
    assert counts(distances, tuple(expected)) == tuple(expected.values())
    lines = list(read_line_numbers(path, document_size))
    selected = [line for line, d in zip(lines, distances, strict=True) if d is not None and d >= minimum]
    assert selected == [int(number) for number in path.with_suffix(".ids").read_text().split()]


def test_roots_are_the_difference_between_the_definitions(test_data: Path) -> None:
    # The reference: 11 of the 1,188 are in only because the root token is not excluded.
    path = test_data / "ldd" / "released" / "en_reflexive.conllu"
    for definition in Definition:
        without = list(largest_distances(path, "reflexive", "en", definition, root=False))
        with_root = list(largest_distances(path, "reflexive", "en", definition, root=True))
        assert (counts(without, (1,)), counts(with_root, (1,))) == ((1188 - 11,), (1188,))


PUD = [
    ("de", "particle", (112, 104, 94, 72, 62)),
    ("de", "reflexive", (131, 68, 52, 42, 33)),
    ("en", "particle", (69, 6, 3, 1, 0)),
    ("en", "reflexive", (10, 2, 0, 0, 0)),
    ("en", "preposition_stranding", (4, 0, 0, 0, 0)),
    ("es", "reflexive", (286, 71, 8, 4, 1)),
]


@pytest.mark.parametrize(("language", "phenomenon", "expected"), PUD)
def test_gold_counts_of_pud(test_data: Path, language: str, phenomenon: str, expected: tuple[int, ...]) -> None:
    path = test_data / "pud" / f"{language}_pud-ud-test.conllu"
    distances = list(largest_distances(path, phenomenon, language, Definition.PAPER))
    assert counts(distances, (0, 1, 2, 3, 4)) == expected


ROW = re.compile(r"^\| (\w+) \| (\w\w) \| (\w+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", re.MULTILINE)
TABLE = ROW.findall(PAGE.read_text(encoding="utf-8"))


def test_there_is_a_table() -> None:
    assert len(TABLE) >= 20


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row[0]} {row[2]}")
def test_table_of_the_page(test_data: Path, row: tuple[str, ...]) -> None:
    phenomenon, language, treebank, *numbers = row
    (path,) = test_data.glob(f"*ud/{treebank}-ud-*.conllu")
    distances = list(largest_distances(path, phenomenon, language, Definition.PAPER))
    assert [len(distances), *counts(distances, (0, 1, 2, 3))] == list(map(int, numbers))


# Written for the test: two documents of ten lines, with the faults of the published files
SMALL = """\
# sent_id = 41\tTake\ttake\tVERB\tVB\t_\t0\troot\t_\t_
2\tit\tit\tPRON\tPRP\t_\t1\tobj\t_\t_
3\toff\toff\tADP\tRP\t_\t1\tcompound:prt\t_\t_


# sent_id = 71\tGo\tgo\tVERB\tVB\t_\t0\troot\t_\t_
2\ton\ton\tADP\tRP\t_\t1\tcompound:prt\t_\t_


# sent_id = 21\tHe\the\tPRON\tPRP\t_\t3\tnsubj\t_\t_
2\t,\t,\tPUNCT\t,\t_\t1\tpunct\t_\t_
3\thimself\thimself\tPRON\tPRP\tReflex=Yes\t0\troot\t_\t_"""


def test_released_sets_in_small(tmp_path: Path) -> None:
    path = tmp_path / "small.conllu"
    path.write_text(SMALL, encoding="utf-8")
    assert list(read_line_numbers(path, document_size=10)) == [4, 7, 10 + 2]
    assert list(largest_distances(path, "particle", "en", Definition.RELEASED)) == [1, 0, None]
    assert list(largest_distances(path, "reflexive", "en", Definition.RELEASED)) == [None, None, 2]
    assert list(largest_distances(path, "reflexive", "en", Definition.PAPER)) == [None, None, None]
