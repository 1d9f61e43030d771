"""The judge: options, n-best lists, and that an explanation is the judgment."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dibimt_metric.analysis import Analysis
from dibimt_metric.errors import InputError, UnknownLanguageError, UnknownRuleError
from dibimt_metric.judge import Hypothesis, Judge, NBest, as_prediction
from dibimt_metric.languages import LANGUAGES, language_rules
from dibimt_metric.records import Candidate, Item, Label, Outcome, PartOfSpeech
from dibimt_metric.score_measures import Ties

ITEM = Item(
    "bank-1",
    pos=PartOfSpeech.NOUN,
    frequency_index=1,
    polysemy=10,
    good=(Candidate("Ufer"),),
    bad=(Candidate("Bank", None, ("s",), (2,)), Candidate("Geldinstitut")),
)
TEXTS = {
    "GOOD": "Er saß am Ufer.",
    "BAD": "Er saß auf der Bank.",
    "MISS": "Er saß.",
    "UNK": "Die Bank am Ufer.",
}


@pytest.fixture(scope="module")
def judge() -> Judge:
    return Judge("de")


@pytest.mark.parametrize("expected", TEXTS)
def test_four_labels(judge: Judge, expected: str) -> None:
    judgment = judge.judge(ITEM, TEXTS[expected])
    assert (judgment.label.value, judgment.item_id, judgment.language) == (expected, "bank-1", "de")
    assert judgment.hypothesis == 0
    assert judgment.chosen_frequency_index == (2 if expected == "BAD" else None)


def test_what_a_match_tells(judge: Judge) -> None:
    (match,) = judge.judge(ITEM, "Auf den B\u00adänken.").matches
    assert (match.set.value, match.candidate, match.rule) == ("bad", "Bank", "lemma")
    assert (match.start, match.end, match.text, match.spans) == (8, 15, "B\u00adänken", ((8, 15),))
    assert (match.analyzer, match.flagged) == ("simplemma", False)


# labels of the hypotheses, label, number of the hypothesis that decided
ORACLE = [
    ("GOOD", "GOOD", 0),
    ("UNK", "UNK", 0),
    ("MISS", "MISS", 0),
    ("BAD GOOD", "GOOD", 1),
    ("MISS UNK GOOD GOOD", "GOOD", 2),
    ("MISS BAD UNK", "BAD", 1),
    ("UNK BAD BAD", "BAD", 1),
    ("MISS MISS", "MISS", 0),
    ("UNK UNK", "MISS", 0),
    ("UNK MISS", "MISS", 0),
    ("MISS UNK", "MISS", 0),
]


@pytest.mark.parametrize(("labels", "expected", "number"), ORACLE)
def test_oracle(judge: Judge, labels: str, expected: str, number: int) -> None:
    judgment = judge.judge(ITEM, [TEXTS[name] for name in labels.split()])
    assert (judgment.label.value, judgment.hypothesis) == (expected, number)
    assert (judgment.chosen_frequency_index is not None) is (expected == "BAD")


@given(st.lists(st.sampled_from(sorted(TEXTS)), min_size=2, max_size=6))
def test_the_oracle_rule(labels: list[str]) -> None:
    expected = "GOOD" if "GOOD" in labels else "BAD" if "BAD" in labels else "MISS"
    assert DE.judge(ITEM, [TEXTS[name] for name in labels]).label.value == expected


DE = Judge("de")

# (label, perplexity) of the hypotheses, label, number
MIN_PERPLEXITY: list[tuple[list[tuple[str, float | None]], str, int]] = [
    ([("BAD", 2.0), ("GOOD", 3.0)], "BAD", 0),
    ([("BAD", 4.0), ("GOOD", 3.0)], "GOOD", 1),
    ([("BAD", 3.0), ("GOOD", 3.0)], "BAD", 0),
    ([("MISS", 1.0), ("GOOD", 3.0)], "MISS", 0),
    ([("UNK", 1.0), ("GOOD", 3.0)], "UNK", 0),
    ([("GOOD", 0.0), ("BAD", 3.0)], "GOOD", 0),
    ([("BAD", 2), ("GOOD", 1)], "GOOD", 1),
    ([("GOOD", None)], "GOOD", 0),
]


@pytest.mark.parametrize(("scored", "expected", "number"), MIN_PERPLEXITY)
def test_min_perplexity(scored: list[tuple[str, float | None]], expected: str, number: int) -> None:
    judge = Judge("de", nbest="min_perplexity")
    judgment = judge.judge(ITEM, [Hypothesis(TEXTS[name], perplexity) for name, perplexity in scored])
    assert (judgment.label.value, judgment.hypothesis) == (expected, number)


@pytest.mark.parametrize("perplexity", [None, math.nan, math.inf, "2"])
def test_min_perplexity_needs_all_perplexities(perplexity: Any) -> None:
    judge = Judge("de", nbest=NBest.MIN_PERPLEXITY)
    with pytest.raises(InputError, match="item 'bank-1': nbest 'min_perplexity' needs a perplexity for each of its 2"):
        judge.judge(ITEM, [Hypothesis("a", 1.0), Hypothesis("b", perplexity)])


def test_the_oracle_does_not_look_at_perplexities(judge: Judge) -> None:
    hypotheses = [Hypothesis(TEXTS["BAD"], 1.0), Hypothesis(TEXTS["GOOD"], 9.0)]
    assert judge.judge(ITEM, hypotheses).label is Label.GOOD


PREDICTIONS: list[tuple[Any, tuple[Hypothesis, ...]]] = [
    ("a", (Hypothesis("a"),)),
    ("", (Hypothesis(""),)),
    (["a", "b"], (Hypothesis("a"), Hypothesis("b"))),
    (("a", Hypothesis("b", 1.0)), (Hypothesis("a"), Hypothesis("b", 1.0))),
    (Hypothesis("a"), (Hypothesis("a"),)),
]


@pytest.mark.parametrize(("value", "expected"), PREDICTIONS)
def test_as_prediction(value: Any, expected: tuple[Hypothesis, ...]) -> None:
    assert as_prediction(value) == expected


@pytest.mark.parametrize(
    "value",
    [None, 7, b"a", [], (), [None], [7], {"text": 7}, {"a"}, [["a"]], [Hypothesis(None)]],  # type: ignore[arg-type]
)
def test_no_prediction(judge: Judge, value: Any) -> None:
    with pytest.raises(InputError):
        as_prediction(value)
    with pytest.raises(InputError):
        judge.judge(ITEM, value)


@pytest.mark.parametrize("value", [None, 7, ["a"], b"a"])
def test_only_a_string_is_explained(judge: Judge, value: Any) -> None:
    with pytest.raises(InputError, match="item 'bank-1': a translation is a string"):
        judge.explain(ITEM, value)


# Explanations


@settings(max_examples=100)
@given(st.text("BankUfer äü.,-\u00ad\n", max_size=30) | st.sampled_from(sorted(TEXTS.values())))
def test_an_explanation_is_the_judgment(text: str) -> None:
    explanation = DE.explain(ITEM, text)
    assert explanation.judgment == DE.judge(ITEM, text)
    assert (explanation.item, explanation.translation) == (ITEM, text)
    assert [analysis.analyzer for analysis in explanation.analyses] == ["simplemma"]
    assert explanation.active_rules == tuple(sorted(DE.active))


def test_an_explanation_is_the_judgment_in_chinese() -> None:
    judge = Judge("zh")
    item = Item("1", good=(Candidate("河岸"),), bad=(Candidate("银行"),))
    for text in ("他坐在河岸上。", "他去了銀行。", "", "银行在河岸边。"):
        explanation = judge.explain(item, text)
        assert explanation.judgment == judge.judge(item, text)
        assert [analysis.analyzer for analysis in explanation.analyses] == ["jieba", "jieba-dictionary"]


def test_judging_changes_nothing_for_the_next_text(judge: Judge) -> None:
    first = [judge.judge(ITEM, text) for text in TEXTS.values()]
    again = [judge.judge(ITEM, text) for text in reversed(TEXTS.values())]
    assert first == again[::-1]
    assert [Judge("de").judge(ITEM, text) for text in TEXTS.values()] == first


def test_items_that_are_made_and_forgotten_are_not_mixed_up(judge: Judge) -> None:
    for i in range(300):
        item = Item(str(i), good=(Candidate("Ufer" if i % 2 else "Bank"),))
        assert judge.judge(item, TEXTS["GOOD"]).label is (Label.GOOD if i % 2 else Label.MISS)


def test_a_phrase_is_read_as_a_whole(judge: Judge) -> None:
    """The second word of a phrase does not begin a sentence, so its capital is that of a noun: no form of "weinen"."""
    item = Item("1", good=(Candidate("gute Weine"),))
    assert judge.judge(item, "Er trinkt guten Wein.").label is Label.GOOD
    assert judge.judge(item, "Er kann gute weinen.").label is Label.MISS


def test_lists_are_as_good_as_tuples(judge: Judge) -> None:
    item = Item("1", good=[Candidate("Ufer")])  # type: ignore[arg-type]
    assert judge.judge(item, TEXTS["GOOD"]).label is Label.GOOD


def test_outcome(judge: Judge) -> None:
    outcome = judge.outcome(ITEM, judge.judge(ITEM, TEXTS["BAD"]))
    assert outcome == Outcome("bank-1", Label.BAD, 1, 10, PartOfSpeech.NOUN, 2)


# Options


def test_signature_fields(judge: Judge) -> None:
    fields = judge.signature_fields()
    assert list(fields) == ["lang", "analyzers", "rules", "nbest", "ties"]
    assert fields["lang"] == "de"
    assert fields["analyzers"].startswith("simplemma-")
    assert fields["rules"] == f"de.{language_rules('de').version}"
    assert (fields["nbest"], fields["ties"]) == ("oracle", "most_frequent")


class Renamed:
    """The builtin analyzer under another version."""

    def __init__(self, name: str, version: str) -> None:
        self._inner = Judge("de").analyzers[0]
        self.name, self.version = name, version
        self.annotations, self.lexicon = self._inner.annotations, self._inner.lexicon

    def analyze(self, text: str) -> Analysis:
        return self._inner.analyze(text)


VARIANTS: list[dict[str, Any]] = [
    {},
    {"enable": ["compound"]},
    {"disable": ["separable"]},
    {"disable": ["reflexive"]},
    {"disable": ["reflexive", "separable"]},
    {"nbest": "min_perplexity"},
    {"ties": "strict"},
    {"analyzers": [Renamed("simplemma", "9")]},
    {"analyzers": [Renamed("own", "9")]},
    {"analyzers": ["simplemma", Renamed("own", "9")]},
]


def test_every_option_shows_in_the_signature() -> None:
    signatures = [tuple(Judge("de", **variant).signature_fields().values()) for variant in VARIANTS]
    signatures += [tuple(Judge(language).signature_fields().values()) for language in LANGUAGES if language != "de"]
    assert len(set(signatures)) == len(signatures)


def test_rules_are_switched() -> None:
    item = Item("1", good=(Candidate("zurücklegen"),), bad=(Candidate("Weg"),))
    text = "Die Karawane legte den Schulweg zurück."
    assert Judge("de").judge(item, text).label is Label.GOOD
    assert Judge("de", disable=["separable"]).judge(item, text).label is Label.MISS
    assert Judge("de", disable="separable").judge(item, text).label is Label.MISS
    judgment = Judge("de", enable=["compound"], disable=["separable"]).judge(item, text)
    assert judgment.label is Label.BAD
    assert [(m.rule, m.flagged) for m in judgment.matches] == [("compound", True)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_rule_can_be_switched_off_and_on(language: str) -> None:
    rules = language_rules(language)
    for rule in rules.rules:
        assert rule.name not in Judge(language, disable=[rule.name]).active
        assert rule.name in Judge(language, enable=[rule.name]).active
        assert rule.name not in Judge(language, enable=[rule.name], disable=[rule.name]).active
    assert Judge(language).active == {rule.name for rule in rules.rules if rule.default}


WRONG: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"language": "fr"}, UnknownLanguageError, "unknown language 'fr': expected one of bg, zh, nl, de"),
    ({"language": "../../x"}, UnknownLanguageError, "unknown language"),
    ({"language": None}, UnknownLanguageError, "unknown language None"),
    ({"language": ["de"]}, UnknownLanguageError, "unknown language"),
    ({"language": "DE"}, UnknownLanguageError, "unknown language 'DE'"),
    ({"language": "x" * 1_000_000}, UnknownLanguageError, "unknown language"),
    (
        {"enable": ["nothing"]},
        UnknownRuleError,
        "language 'de' has no rule 'nothing'; its rules are: compound",
    ),
    ({"disable": "nothing"}, UnknownRuleError, "no rule 'nothing'"),
    ({"disable": [""]}, UnknownRuleError, "no rule ''"),
    ({"enable": [None]}, UnknownRuleError, "no rule"),
    ({"nbest": "best"}, InputError, "nbest 'best' is unknown; choose one of 'oracle', 'min_perplexity'"),
    ({"ties": None}, InputError, "ties None is unknown; choose one of"),
]


@pytest.mark.parametrize(("options", "error", "message"), WRONG)
def test_wrong_options(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        Judge(**{"language": "de", **options})
    assert message in str(caught.value)
    assert len(str(caught.value)) < 300


def test_options_may_be_members() -> None:
    judge = Judge("de", nbest=NBest.MIN_PERPLEXITY, ties=Ties.STRICT)
    assert (judge.nbest, judge.ties) == (NBest.MIN_PERPLEXITY, Ties.STRICT)
