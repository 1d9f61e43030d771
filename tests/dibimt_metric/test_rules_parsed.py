"""German and Dutch with relations: a hand-made parse, the treebanks' own annotation, real Stanza models."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from dibimt_metric.analysis import Analysis
from dibimt_metric.judge import Judge
from experiments.particles_ud import FILES, Experiment, GoldAnalyzer, analysis_of
from tests.dibimt_metric.phenomena import Case, check

# Form, lemma, part of speech, head (1-based, 0: root), relation.
Row = tuple[str, str, str, int, str]

GAVE_UP: tuple[Row, ...] = (
    ("Sie", "sie", "PRON", 2, "nsubj"),
    ("gab", "geben", "VERB", 0, "root"),
    ("den", "der", "DET", 4, "det"),
    ("Plan", "Plan", "NOUN", 2, "obj"),
    ("auf", "auf", "ADP", 2, "compound:prt"),
    ("Druck", "Druck", "NOUN", 2, "obl"),
    ("hin", "hin", "ADV", 6, "case"),
)
PUT_ON: tuple[Row, ...] = (
    ("Sie", "sie", "PRON", 2, "nsubj"),
    ("gab", "geben", "VERB", 0, "root"),
    ("acht", "acht", "ADV", 2, "advmod"),
    ("und", "und", "CCONJ", 5, "cc"),
    ("setzte", "setzen", "VERB", 2, "conj"),
    ("auf", "auf", "ADP", 5, "compound:prt"),
)
RAN_OUT: tuple[Row, ...] = (
    ("De", "de", "DET", 2, "det"),
    ("wekker", "wekker", "NOUN", 3, "nsubj"),
    ("liep", "af_lopen", "VERB", 0, "root"),
    ("af", "af", "ADP", 3, "compound:prt"),
    ("gisteren", "gisteren", "ADV", 3, "advmod"),
)
GAVE_BACK: tuple[Row, ...] = (
    ("Ze", "ze", "PRON", 2, "nsubj"),
    ("weigert", "weigeren", "VERB", 0, "root"),
    ("het", "het", "PRON", 6, "obj"),
    ("terug", "terug", "ADV", 6, "compound:prt"),
    ("te", "te", "ADP", 6, "mark"),
    ("geven", "geven", "VERB", 2, "xcomp"),
)
DIED: tuple[Row, ...] = (
    ("Hij", "hij", "PRON", 2, "nsubj"),
    ("kwam", "komen", "VERB", 0, "root"),
    ("om", "om", "ADP", 2, "compound:prt"),
    ("het", "het", "DET", 3, "fixed"),
    ("leven", "leven", "NOUN", 3, "fixed"),
)
WASHED: tuple[Row, ...] = (
    ("Er", "er", "PRON", 2, "nsubj"),
    ("weigerte", "weigern", "VERB", 0, "root"),
    ("sich", "er|es|sie", "PRON", 2, "expl:pv"),
    ("zu", "zu", "PART", 5, "mark"),
    ("waschen", "waschen", "VERB", 2, "xcomp"),
)
WASHED_HIMSELF: tuple[Row, ...] = (
    ("Er", "er", "PRON", 3, "nsubj"),
    ("will", "wollen", "AUX", 4, "aux"),
    ("sich", "er|es|sie", "PRON", 4, "obj"),
    ("waschen", "waschen", "VERB", 0, "root"),
)

PARSED = [
    # The parse sees what no position tells.
    (GAVE_UP, "de", "aufgeben", "geben", "GOOD", "separable"),
    (GAVE_UP, "de", "geben", "", "MISS", "separated_guard"),
    (PUT_ON, "de", "aufgeben", "", "MISS", None),
    (PUT_ON, "de", "aufsetzen", "setzen", "GOOD", "separable"),
    (PUT_ON, "de", "geben", "", "GOOD", None),
    (WASHED, "de", "sich waschen", "", "MISS", None),
    (WASHED, "de", "sich weigern", "", "GOOD", "reflexive"),
    (WASHED_HIMSELF, "de", "sich waschen", "", "GOOD", None),
    # Alpino's lemma holds the prefix: the match covers both words all the same.
    (RAN_OUT, "nl", "aflopen", "lopen", "GOOD", None),
    (RAN_OUT, "nl", "lopen", "", "MISS", None),
    (GAVE_BACK, "nl", "teruggeven", "geven", "GOOD", "separable"),
    (GAVE_BACK, "nl", "geven", "", "MISS", "separated_guard"),
    # A prefix with words of its own is a phrase.
    (DIED, "nl", "omkomen", "", "MISS", None),
    (DIED, "nl", "komen", "", "GOOD", None),
]


class _Parsed:
    """An analyzer that knows one sentence."""

    name, version, lexicon = "parsed", "1", None
    annotations = GoldAnalyzer.annotations

    def __init__(self, sentence: Analysis) -> None:
        self._sentence = sentence

    def analyze(self, text: str) -> Analysis:
        return self._sentence if text == self._sentence.text else GoldAnalyzer.words_only(text)


def _sentence(rows: tuple[Row, ...]) -> Analysis:
    lines = [[str(i), r[0], r[1], r[2], "_", "_", str(r[3]), r[4]] for i, r in enumerate(rows, 1)]
    return analysis_of(" ".join(row[0] for row in rows), lines)


@pytest.mark.parametrize(("rows", "language", "good", "bad", "label", "rule"), PARSED)
def test_hand_made_parse(
    rows: tuple[Row, ...], language: str, good: str, bad: str, label: str, rule: str | None
) -> None:
    sentence = _sentence(rows)
    check(Case(language, good, bad, sentence.text, label, rule), Judge(language, [_Parsed(sentence)]))


def test_a_joined_lemma_covers_its_prefix() -> None:
    sentence = _sentence(RAN_OUT)
    judge = Judge("nl", [_Parsed(sentence)])
    matches = judge.judge(Case("nl", "aflopen", "", sentence.text, "GOOD").item(), sentence.text).matches
    assert [match.text for match in matches] == ["liep af"]


@cache
def _experiment(language: str, folder: Path) -> Experiment:
    return Experiment(language, folder, show=False)


# Half a point below what is measured: see experiments/particles_ud.py.
@pytest.mark.parametrize(
    ("language", "recall", "precision", "recall_by_relations"),
    [("de", 92.9, 96.8, 99.5), ("nl", 93.7, 99.5, 96.6)],
)
def test_treebank(test_data: Path, language: str, recall: float, precision: float, recall_by_relations: float) -> None:
    if not (test_data / "ud" / FILES[language]).is_file():
        pytest.skip(f"no {FILES[language]} among the test data")
    experiment = _experiment(language, test_data / "ud")
    assert experiment.recall(experiment.matcher).percent >= recall
    assert experiment.recall(experiment.by_gold).percent >= recall_by_relations
    assert experiment.precision(experiment.matcher, experiment.own_verbs()).percent >= precision
    assert experiment.precision(experiment.by_gold, experiment.own_verbs()).percent == 100.0


STANZA = [
    Case("de", "zurücklegen", "legen", "Die Karawane legte 100 Meilen zurück.", "GOOD", "separable"),
    Case("de", "legen", "", "Die Karawane legte 100 Meilen zurück.", "MISS", "separated_guard"),
    Case("de", "sich freuen", "", "Wir haben uns sehr gefreut.", "GOOD", "reflexive"),
    Case("de", "sich freuen", "", "Er hat uns sehr erfreut.", "MISS"),
    Case("de", "abfallen", "", "Ab Oktober fallen die Preise.", "MISS"),
    Case("nl", "opgeven", "geven", "Ze gaf het plan op.", "GOOD"),
    Case("nl", "aankomen", "komen", "De trein kwam om tien uur in Utrecht aan.", "GOOD"),
    Case("nl", "zich schamen", "", "Het meisje schaamde zich diep.", "GOOD", "reflexive"),
    Case("nl", "opgeven", "", "Op die vraag gaf hij geen antwoord.", "MISS"),
]


@pytest.mark.models
@pytest.mark.parametrize("case", STANZA, ids=str)
def test_stanza(stanza_judge: Callable[[str], Judge], case: Case) -> None:
    check(case, stanza_judge(case.language))
