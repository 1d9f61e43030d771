"""Which tokens are hits, language by language: sentences written for it, some in which a rule must not fire."""

from __future__ import annotations

import doctest
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ldd_challenge_sets.phenomena import labels, lexical
from ldd_challenge_sets.phenomena.labels import Labels
from ldd_challenge_sets.phenomena.lexical import Probe, all_tokens, find, fits, label_probe
from ldd_challenge_sets.phenomena.registry import Definition, lexical_finder, phenomena_for
from ldd_challenge_sets.records import Hit, Token, Tree


def tree(text: str) -> Tree:
    """A sentence, a word for each part: form/upos/head/relation, then lemma=, xpos= and FEATS where they matter."""
    tokens = []
    for number, word in enumerate(text.split(), 1):
        form, upos, head, relation, *more = word.split("/")
        lemma = next((part[6:] for part in more if part.startswith("lemma=")), form.lower())
        xpos = next((part[5:] for part in more if part.startswith("xpos=")), "_")
        feats = next((part for part in more if part[0].isupper()), "_")
        tokens.append(Token(number, form, lemma, upos, xpos, feats, int(head), relation))
    return Tree(tuple(tokens))


class Case(NamedTuple):
    """A sentence and what is found: (phenomenon, dependent, distance)."""

    language: str
    text: str
    found: tuple[tuple[str, str, int], ...]


REFLEX = "PronType=Prs|Reflex=Yes"
ER = "VNW|aanw|adv-pron|stan|red|3|getal"
POSSESSIVE = "Poss=Yes|PronType=Prs|Reflex=Yes"

CASES = [
    # German: particles by relation, prefixes by tag, reflexives by feature
    Case(
        "de",
        "Wir/PRON/2/nsubj holen/VERB/0/root euch/PRON/2/obj morgen/ADV/2/advmod ab/ADP/2/compound:prt/xpos=PTKVZ",
        (("particle", "ab", 2),),
    ),
    Case(
        "de",
        "Das/DET/2/det Boot/NOUN/3/nsubj ging/VERB/0/root unter/ADP/3/compound:prt",
        (("particle", "unter", 0),),
    ),
    Case(
        "de",
        "Sie/PRON/2/nsubj gab/VERB/0/root nie/ADV/2/advmod auf/ADV/2/mark/xpos=PTKVZ",
        (("particle", "auf", 1),),
    ),
    Case(
        "de",
        "Es/PRON/2/nsubj war/AUX/0/root nie/ADV/2/advmod da/ADV/2/advmod/xpos=PTKVZ",
        (("particle", "da", 1),),
    ),
    Case("de", "von/ADP/2/case Anfang/NOUN/0/root an/ADP/2/case/xpos=PTKVZ", ()),
    Case("de", "Sie/PRON/2/nsubj blieb/VERB/0/root auf/ADP/4/case Deck/NOUN/2/obl", ()),
    Case(
        "de",
        "Ich/PRON/2/nsubj irre/VERB/0/root mich/PRON/2/expl:pv/Case=Acc|Reflex=Yes",
        (("reflexive", "mich", 0),),
    ),
    Case("de", "Er/PRON/2/nsubj sah/VERB/0/root mich/PRON/2/obj/Case=Acc", ()),
    Case(
        "de",
        f"ob/SCONJ/6/mark sich/PRON/6/obj/{REFLEX} es/PRON/6/nsubj je/ADV/6/advmod ganz/ADV/6/advmod lohnt/VERB/0/root",
        (("reflexive", "sich", 3),),
    ),
    # English
    Case("en", "Look/VERB/0/root it/PRON/1/obj up/ADP/1/compound:prt", (("particle", "up", 1),)),
    Case("en", "Look/VERB/0/root it/PRON/1/obj up/ADP/1/prt", (("particle", "up", 1),)),
    Case("en", "Look/VERB/0/root up/ADV/1/advmod", ()),
    Case("en", f"She/PRON/2/nsubj hurt/VERB/0/root herself/PRON/2/obj/{REFLEX}", (("reflexive", "herself", 0),)),
    Case("en", "She/PRON/2/nsubj hurt/VERB/0/root her/PRON/2/obj/PronType=Prs", ()),
    Case(
        "en",
        "nobody/PRON/0/root to/PART/3/mark play/VERB/1/acl chess/NOUN/3/obj with/ADP/3/obl",
        (("preposition_stranding", "with", 1), ("preposition_stranding_extended", "with", 1)),
    ),
    Case(
        "en",
        "was/AUX/2/aux paid/VERB/0/root for/ADP/2/obl:unmarked",
        (("preposition_stranding", "for", 0), ("preposition_stranding_extended", "for", 0)),
    ),
    Case(
        "en",
        "What/PRON/4/obl do/AUX/4/aux you/PRON/4/nsubj wait/VERB/0/root for/ADP/1/case",
        (("preposition_stranding_extended", "for", 3),),
    ),
    Case("en", "He/PRON/2/nsubj waits/VERB/0/root for/ADP/4/case us/PRON/2/obl", ()),
    Case("en", "years/NOUN/2/obl ago/ADV/0/root", ()),
    Case("en", "oblique/ADP/2/oblique words/NOUN/0/root", ()),  # not a subtype of obl
    # Dutch: set phrases of Alpino's compound:prt are no particles
    Case(
        "nl",
        "Hij/PRON/2/nsubj belt/VERB/0/root ons/PRON/2/obj op/ADP/2/compound:prt/xpos=VZ|fin",
        (("particle", "op", 1),),
    ),
    Case(
        "nl",
        "Wij/PRON/2/nsubj keren/VERB/0/root terug/ADV/2/compound:prt/xpos=BW",
        (("particle", "terug", 0),),
    ),
    Case(
        "nl",
        "Zij/PRON/2/nsubj maakt/VERB/0/root het/PRON/2/obj bekend/ADJ/2/compound:prt",
        (("particle", "bekend", 1),),
    ),
    Case(
        "nl",
        "Hij/PRON/2/nsubj kwam/VERB/0/root om/ADP/2/compound:prt/xpos=VZ|init het/DET/5/det leven/NOUN/2/obl",
        (),
    ),
    Case("nl", "Zij/PRON/2/nsubj laat/VERB/0/root het/PRON/2/obj zien/VERB/2/compound:prt", ()),
    Case(
        "nl",
        f"Dat/PRON/2/nsubj ziet/VERB/0/root er/ADV/2/compound:prt/xpos={ER} goed/ADJ/2/xcomp",
        (),
    ),
    Case("nl", f"Hij/PRON/2/nsubj wast/VERB/0/root zich/PRON/2/obj/{REFLEX}", (("reflexive", "zich", 0),)),
    Case("nl", "Ik/PRON/2/nsubj vergis/VERB/0/root me/PRON/2/expl:pv/Person=1", (("reflexive", "me", 0),)),
    Case("nl", "Hij/PRON/2/nsubj ziet/VERB/0/root me/PRON/2/obj/Person=1", ()),
    Case(
        "nl",
        "Daar/ADV/2/obl wacht/VERB/0/root hij/PRON/2/nsubj nog/ADV/2/advmod op/ADP/1/case",
        (("preposition_stranding_extended", "op", 3),),
    ),
    Case("nl", "om/ADP/2/case hem/PRON/0/root heen/ADP/2/case", ()),
    Case("nl", "voor/ADP/3/obl het/DET/3/det eerst/ADJ/0/root", ()),
    # Spanish: no particle, though PUD calls the pronoun one
    Case("es", f"Se/PRON/2/compound:prt/{REFLEX} fue/VERB/0/root", (("reflexive", "Se", 0),)),
    Case("es", f"Se/PRON/3/expl:pass/{REFLEX} pueden/AUX/3/aux ver/VERB/0/root", (("reflexive", "Se", 1),)),
    Case("es", "Se/PRON/3/iobj/Case=Dat lo/PRON/3/obj dio/VERB/0/root", ()),
    # Italian: by lemma; impersonal si left out
    Case("it", "Maria/PROPN/4/nsubj si/PRON/4/expl è/AUX/4/aux fermata/VERB/0/root", (("reflexive", "si", 1),)),
    Case("it", "Si/PRON/2/expl:impers dorme/VERB/0/root", ()),
    Case("it", "Si/PRON/2/expl:pass vendono/VERB/0/root case/NOUN/2/nsubj:pass", (("reflexive", "Si", 0),)),
    Case("it", "S'/PRON/2/obj/lemma=si alza/VERB/0/root", (("reflexive", "S'", 0),)),
    Case("it", "Se/SCONJ/2/mark piove/VERB/0/root", ()),
    Case("it", "Mi/PRON/2/expl vergogno/VERB/0/root", (("reflexive", "Mi", 0),)),
    Case("it", "Mi/PRON/2/obj vede/VERB/0/root", ()),
    Case("it", "Ci/PRON/2/expl sono/VERB/0/root libri/NOUN/2/nsubj", ()),
    Case("it", f"da/ADP/2/case sé/PRON/0/root/{REFLEX}", ()),
    Case("it", f"pensa/VERB/0/root a/ADP/3/case sé/PRON/1/obl/{REFLEX}", (("reflexive", "sé", 1),)),
    # Russian: the pronoun, by feature or lemma; the verb in -ся has no pronoun
    Case("ru", "Он/PRON/2/nsubj видит/VERB/0/root себя/PRON/2/obj/lemma=себя", (("reflexive", "себя", 0),)),
    Case(
        "ru",
        f"Она/PRON/2/nsubj говорит/VERB/0/root о/ADP/4/case себе/PRON/2/obl/{REFLEX}",
        (("reflexive", "себе", 1),),
    ),
    Case("ru", "Он/PRON/2/nsubj моется/VERB/0/root", ()),
    Case("ru", f"Он/PRON/2/nsubj любит/VERB/0/root свой/DET/4/det/{POSSESSIVE} дом/NOUN/2/obj", ()),
    # Slovene and Bulgarian: possessives and "se pravi" left out
    Case(
        "sl",
        f"Tu/ADV/4/advmod se/PRON/4/expl/{REFLEX} nič/PRON/4/nsubj zgodi/VERB/0/root",
        (("reflexive", "se", 1),),
    ),
    Case("sl", f"se/PRON/3/cc/{REFLEX} pravi/VERB/1/fixed jutri/ADV/0/root", ()),
    Case("sl", f"svoj/DET/2/det/{POSSESSIVE} dom/NOUN/0/root", ()),
    Case("bg", f"Той/PRON/3/nsubj се/PRON/3/expl/{REFLEX} смее/VERB/0/root", (("reflexive", "се", 0),)),
    Case("bg", f"дома/NOUN/0/root си/PRON/1/det/{POSSESSIVE}", ()),
    # Swedish and Czech
    Case(
        "sv",
        "Hon/PRON/2/nsubj ringde/VERB/0/root aldrig/ADV/2/advmod upp/ADV/2/compound:prt",
        (("particle", "upp", 1),),
    ),
    Case("sv", "Hon/PRON/2/nsubj tar/VERB/0/root hand/NOUN/2/compound:prt om/ADP/5/case oss/PRON/2/obl", ()),
    Case("sv", "Han/PRON/2/nsubj skyndade/VERB/0/root sig/PRON/2/obj", (("reflexive", "sig", 0),)),
    Case("sv", f"sin/PRON/2/nmod:poss/{POSSESSIVE} bok/NOUN/0/root", ()),
    Case(
        "sv",
        "stolen/NOUN/0/root som/PRON/4/obl jag/PRON/4/nsubj satt/VERB/1/acl:relcl på/ADP/2/case",
        (("preposition_stranding_extended", "på", 2),),
    ),
    Case("sv", "för/ADP/2/case år/NOUN/0/root sedan/ADP/2/case", ()),
    Case("cs", f"Bojím/VERB/0/root se/PRON/1/expl:pv/{REFLEX}", (("reflexive", "se", 0),)),
    Case("cs", f"svůj/DET/2/det/{POSSESSIVE} dům/NOUN/0/root", ()),
]


def found(language: str, text: str, definition: Definition = Definition.PAPER, root: bool | None = None) -> set[object]:
    names = [name for name in phenomena_for(language, definition) if not name.startswith("reordering")]
    hits = lexical_finder(names, language, definition, root)(tree(text))
    return {(name, hit.dependent_form, hit.distance) for name in hits for hit in hits[name]}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.language}: {case.text[:40]}")
def test_sentences(case: Case) -> None:
    assert found(case.language, case.text) == set(case.found)


@pytest.mark.parametrize("language", ["bg", "cs", "de", "en", "es", "it", "nl", "ru", "sl", "sv"])
def test_every_phenomenon_of_a_language_fires_and_must_not_fire(language: str) -> None:
    cases = [case for case in CASES if case.language == language]
    fired = {name for case in cases for name, _, _ in case.found}
    assert fired == {name for name in phenomena_for(language, Definition.PAPER) if not name.startswith("reordering")}
    assert any(not case.found for case in cases)


def test_every_table_says_where_its_labels_come_from() -> None:
    tables = (labels.PARTICLES, labels.REFLEXIVES, labels.STRANDED, labels.STRANDED_EXTENDED)
    assert [entry for table in tables for entries in table.values() for entry in entries if not entry.seen] == []


# Distances and hits


def test_a_hit_says_all() -> None:
    text = "Er/PRON/2/nsubj kam/VERB/0/root ,/PUNCT/2/punct doch/ADV/2/advmod an/ADP/2/compound:prt/xpos=PTKVZ"
    hits = lexical_finder(["particle"], "de", Definition.PAPER)(tree(text))
    # Two tokens stand between, one of them a comma; found by relation and by tag, it is one hit.
    assert hits == {"particle": [Hit(5, 2, "an", "kam", 2)]}


def test_hits_in_order_also_where_two_rules_find_them() -> None:
    text = (
        "auf/ADV/2/mark/xpos=PTKVZ geben/VERB/0/root zu/ADP/2/compound:prt/xpos=PTKVZ "
        "ab/ADV/2/advmod/xpos=PTKVZ an/ADP/2/compound:prt"
    )
    hits = lexical_finder(["particle"], "de", Definition.PAPER)(tree(text))["particle"]
    assert [(hit.dependent, hit.distance) for hit in hits] == [(1, 0), (3, 0), (4, 1), (5, 2)]


def test_nothing_found_is_an_empty_result() -> None:
    finder = lexical_finder(["particle", "reflexive"], "de", Definition.PAPER)
    assert finder(tree("Ja/INTJ/0/root")) == {}


ROOT = f"An/ADP/3/case und/CCONJ/3/cc sich/PRON/0/root/{REFLEX}"


def test_a_root_counts_if_asked_for_and_in_the_released_sets() -> None:
    assert found("de", ROOT) == set()
    # Its distance is id - 1: the words before it.
    assert found("de", ROOT, root=True) == {("reflexive", "sich", 2)}
    assert found("de", ROOT, Definition.RELEASED) == {("reflexive", "sich", 2)}
    assert found("de", ROOT, Definition.RELEASED, root=False) == set()
    finder = lexical_finder(["reflexive"], "de", Definition.RELEASED)
    assert finder(tree(ROOT)) == {"reflexive": [Hit(3, 0, "sich", "", 2)]}


# The released tests


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a/X/2/mark:PRT b/X/0/root", {("particle", "a", 0)}),
        ("a/X/2/exprtx b/X/0/root", {("particle", "a", 0)}),
        ("a/X/2/part b/X/0/root", set()),
        ("a/X/2/obj/Poss=Yes|REFLEX=YES b/X/0/root", {("reflexive", "a", 0)}),
        ("a/X/2/obj/Reflex=No b/X/0/root", set()),
        ("a/ADP/2/OBL:tmod b/X/0/root", {("preposition_stranding", "a", 0)}),
        ("a/ADP/2/oblique b/X/0/root", {("preposition_stranding", "a", 0)}),
        ("a/adp/2/obl b/X/0/root", set()),
        ("a/ADP/2/case b/X/0/root", set()),
        ("b/X/0/root c/X/1/dep a/ADP/1/case", set()),
    ],
)
@pytest.mark.parametrize("language", ["en", "zh", "fr"])
def test_released_tests_are_substrings_in_any_language(language: str, text: str, expected: set[object]) -> None:
    assert found(language, text, Definition.RELEASED) == expected


# Labels


TOKEN = Token(3, "up", "up", "ADP", "RP", "A=1|B=2", 1, "compound:prt")
HEAD = Token(1, "Look", "look", "VERB", "VB", "_", 0, "root")


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        ({}, True),
        ({"relations": {"compound:prt"}}, True),
        ({"relations": {"compound"}}, False),
        ({"relations": {"compound:*"}}, True),
        ({"relations": {"comp:*"}}, False),
        ({"upos": {"ADP", "ADV"}}, True),
        ({"upos": {"ADV"}}, False),
        ({"xpos": {"RP"}}, True),
        ({"xpos": {"R"}}, False),
        ({"lemmas": {"up"}}, True),
        ({"lemmas": {"Up"}}, False),
        ({"feats": {"A=1"}}, True),
        ({"feats": {"A=1", "B=2"}}, True),
        ({"feats": {"A=1", "B=1"}}, False),
        ({"feats": {"=1"}}, False),
        ({"not_relations": {"compound:prt"}}, False),
        ({"not_relations": {"obj"}}, True),
        ({"not_xpos": {"RP"}}, False),
        ({"not_feats": {"B=2"}}, False),
        ({"not_feats": {"B=3"}}, True),
        ({"head_upos": {"VERB"}}, True),
        ({"head_upos": {"NOUN"}}, False),
        ({"after_head": True}, True),
        ({"relations": {"compound:prt"}, "upos": {"ADV"}}, False),
    ],
)
def test_each_condition(conditions: dict[str, object], expected: bool) -> None:
    wanted = {key: frozenset(value) if isinstance(value, set) else value for key, value in conditions.items()}
    entry = Labels(**wanted)  # type: ignore[arg-type]
    assert fits(entry, TOKEN, HEAD) is expected
    # The quick selection may let too much through, never too little.
    sentence = Tree((HEAD, Token(2, "it", "it", "PRON", "PRP", "_", 1, "obj"), TOKEN))
    hits = find(sentence, [label_probe(entry)], include_root=False)
    assert (3 in [hit.dependent for hit in hits]) is expected


def test_conditions_on_the_head_never_fit_a_root() -> None:
    assert not fits(Labels(head_upos=frozenset({"VERB"})), HEAD, None)
    assert not fits(Labels(after_head=True), HEAD, None)


FEW = st.sampled_from(["a", "b", "b:c", "d"])
SOME = st.frozensets(FEW, max_size=2)
LABELS = st.builds(
    Labels,
    relations=st.frozensets(FEW | st.just("b:*"), max_size=2),
    upos=SOME, xpos=SOME, lemmas=SOME, feats=SOME,
    not_relations=SOME, not_xpos=SOME, not_feats=SOME, head_upos=SOME,
    after_head=st.booleans(),
)  # fmt: skip


@st.composite
def small_trees(draw: st.DrawFn) -> Tree:
    n = draw(st.integers(1, 5))
    fields = [[draw(FEW) for _ in range(5)] for _ in range(n)]
    heads = [0, *(draw(st.integers(1, i)) for i in range(1, n))]  # every token hangs on an earlier one
    return Tree(
        tuple(
            Token(i, "w", lemma, upos, xpos, feats, head, relation)
            for i, ((lemma, upos, xpos, feats, relation), head) in enumerate(zip(fields, heads, strict=True), 1)
        )
    )


@given(small_trees(), st.lists(LABELS, max_size=2), st.booleans())
def test_finds_what_looking_at_every_token_finds(sentence: Tree, entries: list[Labels], root: bool) -> None:
    hits = find(sentence, [label_probe(entry) for entry in entries], root)
    heads = {token.id: token for token in sentence.tokens}
    expected = [
        token.id
        for token in sentence.tokens
        if (token.head or root) and any(fits(entry, token, heads.get(token.head)) for entry in entries)
    ]
    assert [hit.dependent for hit in hits] == expected


def test_a_test_sees_token_head_and_tree() -> None:
    seen = []

    def record(token: Token, head: Token | None, whole: Tree) -> bool:
        seen.append((token.form, head and head.form, whole is sentence))
        return False

    sentence = tree("Geh/VERB/0/root weg/ADV/1/advmod")
    assert find(sentence, [Probe(all_tokens, record)], include_root=False) == []
    assert find(sentence, [Probe(all_tokens, record)], include_root=True) == []
    assert seen == [("weg", "Geh", True), ("Geh", None, True), ("weg", "Geh", True)]


def test_examples() -> None:
    results = doctest.testmod(lexical)
    assert results.attempted > 0 and results.failed == 0
