"""The phenomena by name, and a user's own; the page that describes them runs."""

from __future__ import annotations

import doctest
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from dibimt_metric.errors import InputError
from ldd_challenge_sets.phenomena import registry
from ldd_challenge_sets.phenomena.registry import (
    Definition,
    Kind,
    lexical_finder,
    phenomena,
    phenomena_for,
    register,
    unregister,
)
from ldd_challenge_sets.records import Hit, Token, Tree

PAGE = (Path(__file__).parents[2] / "docs" / "phenomena.md").read_text(encoding="utf-8")
REORDERING = ("reordering", "reordering_normalized", "reordering_crossing")

# "Die Bücher liegen ..." with one word between subject and verb.
SENTENCE = Tree(
    (
        Token(1, "Bücher", "Buch", "NOUN", "NN", "Case=Nom|Number=Plur", 3, "nsubj"),
        Token(2, "dort", "dort", "ADV", "ADV", "_", 1, "advmod"),
        Token(3, "liegen", "liegen", "VERB", "VVFIN", "Number=Plur|VerbForm=Fin", 0, "root"),
    )
)


@pytest.fixture(autouse=True)
def nothing_stays_registered() -> Iterator[None]:
    before = dict(registry._own)
    yield
    registry._own.clear()
    registry._own.update(before)


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("de", ("particle", "reflexive", *REORDERING)),
        (
            "en",
            ("particle", "reflexive", "preposition_stranding", "preposition_stranding_extended", *REORDERING),
        ),
        ("nl", ("particle", "reflexive", "preposition_stranding_extended", *REORDERING)),
        ("sv", ("particle", "reflexive", "preposition_stranding_extended", *REORDERING)),
        *((code, ("reflexive", *REORDERING)) for code in ("bg", "cs", "es", "it", "ru", "sl")),
        *((code, REORDERING) for code in ("fr", "zh", "gsw")),
    ],
)
def test_phenomena_of_a_language(language: str, expected: tuple[str, ...]) -> None:
    assert phenomena_for(language, Definition.PAPER) == expected
    # The release looks at labels of any language, and has one kind of reordering.
    released = ("particle", "reflexive", "preposition_stranding", "reordering")
    assert phenomena_for(language, Definition.RELEASED) == released


@pytest.mark.parametrize("language", ["", "DE", "de-AT", "german", "d"])
def test_a_language_is_a_code(language: str) -> None:
    with pytest.raises(InputError, match="a language is a code of two or three letters"):
        phenomena_for(language, Definition.PAPER)
    with pytest.raises(InputError, match="a language is a code of two or three letters"):
        lexical_finder(["particle"], language, Definition.RELEASED)


def test_entries_say_what_they_are() -> None:
    entries = {entry.name: entry for entry in phenomena()}
    assert list(entries)[-3:] == list(REORDERING)
    assert {entry.kind for entry in entries.values()} == {Kind.LEXICAL, Kind.REORDERING}
    assert entries["particle"].languages(Definition.PAPER) == ("de", "en", "nl", "sv")
    assert entries["particle"].languages(Definition.RELEASED) is None
    assert entries["preposition_stranding_extended"].languages(Definition.RELEASED) == ()
    assert all(entry.summary and not entry.own for entry in entries.values())


def test_definitions_by_their_names() -> None:
    assert (Definition("paper"), Definition("released")) == (Definition.PAPER, Definition.RELEASED)
    # A plain text does as well; it must not pass for the other definition.
    assert phenomena_for("es", "paper") == ("reflexive", *REORDERING)  # type: ignore[arg-type]
    assert lexical_finder(["particle"], "es", "released")(SENTENCE) == {}  # type: ignore[arg-type]
    for use in (phenomena_for, lambda language, name: lexical_finder([], language, name)):
        with pytest.raises(InputError, match="definition 'Paper' is unknown; choose one of 'paper', 'released'"):
            use("es", "Paper")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("names", "language", "definition", "message"),
    [
        (["partikel"], "de", "paper", "unknown phenomenon 'partikel'; known are particle, reflexive,"),
        (["reordering"], "de", "paper", "reordering needs alignments, not trees"),
        (
            ["particle"],
            "es",
            "paper",
            r"'es' has no labels for particle under .* \(it is available for de, en, nl, sv\)",
        ),
        (["particle"], "es", "paper", "lexical phenomena of 'es': reflexive"),
        (["reflexive"], "fr", "paper", "for bg, cs, de, en, es, it, nl, ru, sl, sv.*phenomena of 'fr': none"),
        (["preposition_stranding"], "de", "paper", "it is available for en"),
        (["preposition_stranding_extended"], "en", "released", "no language has it"),
        (["particle", "particle"], "de", "paper", "each phenomenon once"),
    ],
)
def test_what_cannot_be_looked_for(names: list[str], language: str, definition: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        lexical_finder(names, language, Definition(definition))


def test_results_come_in_the_order_asked_for() -> None:
    tree = Tree(
        (
            Token(1, "Reg", "regen", "VERB", "VVIMP", "_", 0, "root"),
            Token(2, "dich", "du", "PRON", "PRF", "Reflex=Yes", 1, "obj"),
            Token(3, "ab", "ab", "ADP", "PTKVZ", "_", 1, "compound:prt"),
        )
    )
    both = lexical_finder(["reflexive", "particle"], "de", Definition.PAPER)(tree)
    assert list(both) == ["reflexive", "particle"]
    assert list(lexical_finder(["particle"], "de", Definition.PAPER)(tree)) == ["particle"]
    assert lexical_finder([], "de", Definition.PAPER)(tree) == {}


# A user's own


def agrees(token: Token, head: Token | None, tree: Tree) -> bool:
    return head is not None and "VerbForm=Fin" in head.feats


def test_an_own_phenomenon_is_one_like_the_others() -> None:
    entry = register("subject_verb", agrees, "subject and finite verb", ["en", "de"], relations=["nsubj"])
    assert (entry.paper, entry.released, entry.own) == (("de", "en"), ("de", "en"), True)
    for definition in Definition:
        names = phenomena_for("de", definition)
        assert names.index("subject_verb") == names.index("reordering") - 1
        found = lexical_finder(["particle", "subject_verb"], "de", definition)(SENTENCE)
        assert found == {"subject_verb": [Hit(1, 3, "Bücher", "liegen", 1)]}
    assert "subject_verb" not in phenomena_for("fr", Definition.PAPER)
    with pytest.raises(InputError, match="it is available for de, en"):
        lexical_finder(["subject_verb"], "fr", Definition.PAPER)
    unregister("subject_verb")
    assert "subject_verb" not in phenomena_for("de", Definition.PAPER)


def test_an_own_phenomenon_of_every_language_and_relation() -> None:
    register("everything", lambda token, head, tree: True, "all that has a head")
    hits = lexical_finder(["everything"], "zh", Definition.PAPER)(SENTENCE)["everything"]
    assert [hit.dependent for hit in hits] == [1, 2]
    hits = lexical_finder(["everything"], "zh", Definition.PAPER, include_root=True)(SENTENCE)["everything"]
    assert [(hit.dependent, hit.distance) for hit in hits] == [(1, 1), (2, 0), (3, 2)]


@pytest.mark.parametrize("name", ["", "Subject", "a-b", "1a", "a b", "baseline", "reordering_mine", "a/b"])
def test_names_that_cannot_be(name: str) -> None:
    with pytest.raises(InputError, match="the name of a phenomenon consists of"):
        register(name, agrees, "x")


def test_a_name_is_given_once() -> None:
    register("mine", agrees, "x")
    for name in ("mine", "particle"):
        with pytest.raises(InputError, match=f"phenomenon '{name}' exists already"):
            register(name, agrees, "x")


def test_bad_languages_and_relations() -> None:
    with pytest.raises(InputError, match="code of two or three letters"):
        register("mine", agrees, "x", languages=["de", "English"])
    with pytest.raises(InputError, match="relations must be a list"):
        register("mine", agrees, "x", relations="nsubj")
    with pytest.raises(InputError, match="languages must be a list"):
        register("mine", agrees, "x", languages="de")
    assert "mine" not in phenomena_for("de", Definition.PAPER)


def test_only_what_was_registered_can_be_removed() -> None:
    register("mine", agrees, "x")
    for name in ("particle", "other"):
        with pytest.raises(InputError, match="registered are: mine"):
            unregister(name)


# The page


def test_the_example_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) >= 2
    scope: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "phenomena.md", "exec"), scope)
    expected = [line for block in blocks for line in re.findall(r"print\(.*\)  # (.*)", block)]
    assert len(expected) >= 2
    assert capsys.readouterr().out.splitlines() == expected


def test_the_page_names_every_phenomenon_and_language() -> None:
    for entry in phenomena():
        assert f"`{entry.name}`" in PAGE
        for language in entry.paper or ():
            assert re.search(rf"^\| `{entry.name}` \|.*\b{language}\b", PAGE, re.MULTILINE), (
                entry.name,
                language,
            )


def test_examples() -> None:
    results = doctest.testmod(registry)
    assert results.attempted > 0 and results.failed == 0
