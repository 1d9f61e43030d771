"""What must hold for any text and any candidates, in every language."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dibimt_metric.judge import Judge
from dibimt_metric.languages import LANGUAGES, language_rules
from dibimt_metric.records import Candidate, CandidateSet, Item, Label

# Words that the rules of a language look at, so that random texts are not all misses.
VOCABULARY = {
    "bg": "банка банката мия мие се си да не и река брега на давам сметка . , „банка“",
    "zh": "银行 銀行 河岸 吃 饭 吃饭 了 着 账户 的 他 。 ， 打 电话 开户",
    "nl": "bank banken geef gaf op te geven opgegeven zich me ik was wassen de rivier uit mode komt . , foto's opgeven",
    "de": "Bank Bänke Ufer gab auf aufgeben aufzugeben sich mich ich wusch wäscht waschen kam aus der Mode . , U-Bahn",
    "it": "banca banche si lava lavarsi lavarmi se ne va andarsene l'ala dell'ala rende conto rendersi . , riva",
    "ru": "банк банка моется мыть мыться ёж еж летучая летучие мыши мышь берег . , мост.",
    "sl": "banka banke umil umiti se si sem zaveda zavedati breg reke . , čas",
    "es": "banco bancos se lava lavarse lavarme va irse da cuenta darse orilla río . , dándomelo",
}
PHRASES = {
    "bg": ["мия се", "давам си сметка", "мия", "се"],
    "zh": ["吃饭", "银行 * 账户", "打 * 电话"],
    "nl": ["zich wassen", "opgeven", "uit de mode komen", "geven"],
    "de": ["sich waschen", "aufgeben", "aus der Mode kommen", "geben", "Bank * Ufer"],
    "it": ["lavarsi", "andarsene", "rendersi conto", "lavare"],
    "ru": ["летучая мышь", "мыться", "мыть", "ёж"],
    "sl": ["umiti se", "zavedati se", "umiti"],
    "es": ["lavarse", "irse", "darse cuenta", "lavar"],
}
LANGUAGE = st.sampled_from(LANGUAGES)


@cache
def _judge(language: str) -> Judge:
    switched_off = [rule.name for rule in language_rules(language).rules if not rule.default]
    return Judge(language, enable=switched_off)


def _texts(language: str) -> st.SearchStrategy[str]:
    words = st.sampled_from(VOCABULARY[language].split())
    glue = st.sampled_from([" ", " ", " ", "", "\u00a0", "\u200b", "\n", " \u201e", "-", "'", "\u00ad"])
    return st.lists(st.tuples(words, glue), max_size=14).map(lambda pairs: "".join(map("".join, pairs)))


def _candidates(language: str) -> st.SearchStrategy[tuple[Candidate, ...]]:
    words = st.sampled_from([word for word in VOCABULARY[language].split() if word[-1].isalpha()])
    lemma = words | st.sampled_from(PHRASES[language]) | st.tuples(words, words).map(" ".join)
    return st.lists(lemma.map(Candidate), max_size=4).map(tuple)


@st.composite
def cases(draw: st.DrawFn) -> tuple[Judge, Item, str]:
    language = draw(LANGUAGE)
    good, bad = draw(_candidates(language)), draw(_candidates(language))
    return _judge(language), Item("1", good=good, bad=bad), draw(_texts(language))


@settings(max_examples=40)
@given(st.data())
@pytest.mark.parametrize("language", LANGUAGES)
def test_any_text_and_any_candidate_get_a_label(language: str, data: st.DataObject) -> None:
    judge = _judge(language)
    text = data.draw(st.text(max_size=60) | _texts(language))
    lemmas = data.draw(st.lists(st.text(max_size=20), max_size=3))
    item = Item("1", good=tuple(map(Candidate, lemmas)), bad=data.draw(_candidates(language)))
    assert judge.judge(item, text).label in Label


@settings(max_examples=150)
@given(cases())
def test_spans_reproduce_the_text(case: tuple[Judge, Item, str]) -> None:
    judge, item, text = case
    judgment = judge.judge(item, text)
    for match in (*judgment.matches, *(dropped.match for dropped in judgment.dropped)):
        assert text[match.start : match.end] == match.text != ""
        assert match.start == match.spans[0][0]
        assert match.end == match.spans[-1][1]
        assert all(first[1] <= second[0] for first, second in zip(match.spans, match.spans[1:], strict=False))
        assert match.candidate in {candidate.lemma for candidate in getattr(item, match.set.value)}


@settings(max_examples=150)
@given(cases())
def test_the_label_follows_from_the_matches(case: tuple[Judge, Item, str]) -> None:
    judge, item, text = case
    judgment = judge.judge(item, text)
    sets = {match.set for match in judgment.matches}
    expected = {
        frozenset(): Label.MISS,
        frozenset({CandidateSet.GOOD}): Label.GOOD,
        frozenset({CandidateSet.BAD}): Label.BAD,
        frozenset(CandidateSet): Label.UNK,
    }
    assert judgment.label is expected[frozenset(sets)]


@settings(max_examples=120)
@given(cases(), st.randoms())
def test_the_order_of_candidates_does_not_matter(case: tuple[Judge, Item, str], random: object) -> None:
    judge, item, text = case
    good, bad = list(item.good), list(item.bad)
    random.shuffle(good)  # type: ignore[attr-defined]
    random.shuffle(bad)  # type: ignore[attr-defined]
    one, other = judge.judge(item, text), judge.judge(replace(item, good=tuple(good), bad=tuple(bad)), text)
    assert one.label is other.label
    assert one.matches == other.matches


@settings(max_examples=120)
@given(cases())
def test_the_same_candidate_twice_changes_nothing(case: tuple[Judge, Item, str]) -> None:
    judge, item, text = case
    doubled = replace(item, good=item.good * 2, bad=(*item.bad, *item.bad))
    one, other = judge.judge(item, text), judge.judge(doubled, text)
    assert one.label is other.label
    assert set(one.matches) == set(other.matches)


@settings(max_examples=80)
@given(cases())
def test_a_candidate_that_stands_nowhere_changes_nothing(case: tuple[Judge, Item, str]) -> None:
    judge, item, text = case
    nowhere = Candidate("银鱼" if judge.language == "zh" else "qwertzuiop")
    for changed in (
        replace(item, good=(nowhere, *item.good)),
        replace(item, bad=(*item.bad, nowhere)),
        replace(item, good=(*item.good, nowhere), bad=(nowhere, *item.bad)),
    ):
        assert judge.judge(changed, text) == judge.judge(item, text)


@settings(max_examples=80)
@given(cases())
def test_without_bad_candidates_nothing_is_bad(case: tuple[Judge, Item, str]) -> None:
    judge, item, text = case
    assert judge.judge(replace(item, bad=()), text).label in (Label.GOOD, Label.MISS)
    assert judge.judge(replace(item, good=()), text).label in (Label.BAD, Label.MISS)


@settings(max_examples=120)
@given(cases())
def test_lists_that_change_places_change_good_and_bad(case: tuple[Judge, Item, str]) -> None:
    judge, item, text = case
    mirrored = {Label.GOOD: Label.BAD, Label.BAD: Label.GOOD, Label.MISS: Label.MISS, Label.UNK: Label.UNK}
    swapped = judge.judge(replace(item, good=item.bad, bad=item.good), text)
    assert swapped.label is mirrored[judge.judge(item, text).label]


@settings(max_examples=120)
@given(cases())
def test_every_match_of_one_list_alone_is_kept_or_inside_a_longer_one(case: tuple[Judge, Item, str]) -> None:
    """Candidates are looked for one by one: what both lists find is what each finds, less the shorter matches."""
    judge, item, text = case
    both = judge.judge(item, text)
    if both.label is Label.MISS and not both.dropped:
        assert judge.judge(replace(item, bad=()), text).label is Label.MISS
        assert judge.judge(replace(item, good=()), text).label is Label.MISS


@settings(max_examples=120)
@given(cases())
def test_the_same_text_is_judged_the_same_again(case: tuple[Judge, Item, str]) -> None:
    judge, item, text = case
    first = judge.judge(item, text)
    assert judge.judge(replace(item), text) == first
    assert judge.explain(item, text).judgment == first


@settings(max_examples=80)
@given(cases(), st.sampled_from(["\u200b", "\u00ad", "\ufeff"]))
def test_invisible_characters_change_no_label(case: tuple[Judge, Item, str], invisible: str) -> None:
    judge, item, text = case
    visible = text.replace("\u200b", "").replace("\u00ad", "")
    noisy = invisible.join(visible)
    assert judge.judge(item, noisy).label is judge.judge(item, visible).label


@settings(max_examples=80)
@given(cases())
def test_a_second_sentence_adds_matches_and_takes_none(case: tuple[Judge, Item, str]) -> None:
    judge, item, text = case
    more = judge.judge(item, text + "! 2000 !")
    assert {match.start for match in judge.judge(item, text + "!").matches} <= {match.start for match in more.matches}
