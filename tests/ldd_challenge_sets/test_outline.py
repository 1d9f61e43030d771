"""Sentences without a hit are passed over by a look at their text: nothing may be lost by it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ldd_challenge_sets.parsing.conllu import Outline, parse_block, parse_outline, read_blocks
from ldd_challenge_sets.parsing.trees import TreeFault
from ldd_challenge_sets.phenomena.labels import PARTICLES, REFLEXIVES, STRANDED_EXTENDED
from ldd_challenge_sets.phenomena.registry import (
    Definition,
    Kind,
    lexical_finder,
    needles_for,
    phenomena,
    register,
    unregister,
)
from tests.ldd_challenge_sets.tiny import SENTENCES, conllu

BLOCKS = tuple(conllu(number, sentence) for number, sentence in enumerate(SENTENCES, 1))
LANGUAGES = sorted({*PARTICLES, *REFLEXIVES, *STRANDED_EXTENDED})


def lexical(language: str) -> list[str]:
    return [each.name for each in phenomena() if each.kind is Kind.LEXICAL and each.applies(language, Definition.PAPER)]


@pytest.mark.parametrize("block", BLOCKS)
def test_outline_is_that_of_the_tree(block: str) -> None:
    tree = parse_block(block)
    assert parse_outline(block) == Outline(tuple(token.form for token in tree.tokens), tree.text)


@pytest.mark.parametrize("damage", [("0:root", "1:root"), ("\t0\troot", "\t9\troot"), ("\t2\tnsubj", "\t0\tnsubj")])
def test_an_outline_has_the_checks_of_a_tree(damage: tuple[str, str]) -> None:
    block = BLOCKS[0].replace(*damage)
    if block == BLOCKS[0]:
        block = BLOCKS[0].replace("\t0\troot", "\t1\troot")
    with pytest.raises(TreeFault) as of_tree:
        parse_block(block)
    with pytest.raises(TreeFault) as of_outline:
        parse_outline(block)
    assert (of_tree.value.kind, of_tree.value.offset) == (of_outline.value.kind, of_outline.value.offset)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_needles_for_its_labels(language: str) -> None:
    assert needles_for(lexical(language), language, Definition.PAPER)


def test_needles_are_not_known_for_substrings_and_for_tests_without_relations() -> None:
    assert needles_for(["particle"], "de", Definition.RELEASED) == ()
    register("own_test", lambda token, head, tree: True, "anything")
    register("own_relation", lambda token, head, tree: True, "a relation", relations=["obj"])
    try:
        assert needles_for(["own_test"], "de", Definition.PAPER) == ()
        assert needles_for(["own_relation"], "de", Definition.PAPER) == ("obj",)
        # One of several that is not known is enough: every sentence has to be searched.
        assert needles_for(["own_relation", "own_test"], "de", Definition.PAPER) == ()
    finally:
        unregister("own_test")
        unregister("own_relation")


def test_a_block_without_needles_has_no_hit() -> None:
    needles = needles_for(lexical("de"), "de", Definition.PAPER)
    find = lexical_finder(lexical("de"), "de", Definition.PAPER)
    passed = [block for block in BLOCKS if not any(needle in block for needle in needles)]
    assert len(passed) == 1
    assert find(parse_block(passed[0])) == {}


@pytest.mark.parametrize(
    "name",
    # Not Italian: its needle "si" stands in nearly every sentence.
    ["pud/de_pud", "pud/en_pud", "pud/es_pud", "pud/ru_pud"]
    + ["ud/bg_btb", "ud/de_gsd", "ud/en_ewt", "ud/nl_alpino", "ud/sl_ssj"],
)
def test_nothing_is_lost_in_treebanks(name: str, test_data: Path) -> None:
    (path,) = (test_data / name).parent.glob(f"{Path(name).name}-*.conllu")
    language = Path(name).name[:2]
    needles = needles_for(lexical(language), language, Definition.PAPER)
    find = lexical_finder(lexical(language), language, Definition.PAPER, include_root=True)
    passed = 0
    for block in read_blocks(path):
        if not any(needle in block.text for needle in needles):
            passed += 1
            assert find(parse_block(block.text)) == {}
    assert passed > 50
