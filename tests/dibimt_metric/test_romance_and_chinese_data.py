"""Spanish, Italian and Chinese on the treebanks' own annotation, and with real Stanza models."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from dibimt_metric.judge import Judge
from experiments.clitics_ud import FILES, Sentence, aspect, chinese, homographs, read, reflexives, splitting
from tests.dibimt_metric.phenomena import Case, check


def _treebank(test_data: Path, language: str) -> list[Sentence]:
    if not (test_data / "ud" / FILES[language]).is_file():
        pytest.skip(f"no {FILES[language]} among the test data")
    return read(test_data, language)


@pytest.mark.parametrize(("language", "missed", "false"), [("es", 1, 0), ("it", 0, 2)])
def test_enclitic_pronouns_of_a_treebank(test_data: Path, language: str, missed: int, false: int) -> None:
    counts, _ = splitting(language, _treebank(test_data, language))
    assert counts.both > 40
    assert counts.missed <= missed
    assert counts.false <= false


@pytest.mark.parametrize(("language", "recall", "precision"), [("es", 97.0, 96.5), ("it", 97.0, 94.5)])
def test_reflexive_verbs_of_a_treebank(test_data: Path, language: str, recall: float, precision: float) -> None:
    counts, _ = reflexives(language, _treebank(test_data, language))
    assert counts.both > 90
    assert counts.recall >= recall
    assert counts.precision >= precision


@pytest.mark.slow
@pytest.mark.parametrize(("language", "verbs", "nouns"), [("es", 5.5, 1.2), ("it", 8.5, 1.3)])
def test_homographs_of_a_treebank(test_data: Path, language: str, verbs: float, nouns: float) -> None:
    # So many percent more of the verbs are found, and at the most so many percent more of the nouns.
    sentences = _treebank(test_data, language)
    without, found = (homographs(language, sentences, off)[0] for off in ("homograph", ""))
    total = sum(word.upos == "NOUN" for sentence in sentences for word in sentence.words)
    assert 100 * (found.found - without.found) / found.verbs >= verbs
    assert 100 * (found.nouns - without.nouns) / total <= nouns


def test_chinese_words_of_a_treebank(test_data: Path) -> None:
    sentences = _treebank(test_data, "zh")
    counts, _ = chinese(sentences)
    assert counts["either"].recall >= 81.0
    assert counts["either"].false <= 12
    verbs, without, found = aspect(sentences)
    assert (verbs, without) < (87, 72)
    assert found >= 76


STANZA = [
    # Words of a multi-word token, and the token.
    Case("es", "lavarse", "lavar", "Hay que lavarse las manos.", "GOOD"),
    Case("es", "convertirse", "convertir", "El pueblo fue convirtiéndose en ciudad.", "GOOD", "reflexive"),
    Case("es", "hacer", "", "No quiso hacerlo por dinero.", "GOOD"),
    # A form with its pronoun that the model leaves whole.
    Case("es", "lavarse", "lavar", "Acabo de lavarme.", "GOOD", "reflexive"),
    Case("es", "lavarse", "lavar", "Mi hermano se ha lavado el pelo.", "GOOD", "reflexive"),
    Case("es", "lavarse", "", "Juan me dijo que lavó el coche.", "MISS"),
    Case("es", "lavarse", "", "Al lavar se rompió.", "MISS"),
    Case("it", "comportarsi", "comportare", "Bisogna comportarsi bene.", "GOOD"),
    Case("it", "allontanarsi", "allontanare", "Si era allontanato da casa.", "GOOD", "reflexive"),
    Case("it", "punire", "", "Non voleva punirlo per questo.", "GOOD"),
    Case("it", "ala", "", "Un uccello con l’ala rotta.", "GOOD"),
    Case("it", "lavarsi", "", "Mi ha lavato la macchina.", "MISS"),
    Case("zh", "银行", "", "他在银行工作。", "GOOD"),
    # The model knows simplified characters only.
    Case("zh", "银行", "", "他在銀行工作。", "GOOD"),
    Case("zh", "和服", "", "公司提供各种产品和服务。", "MISS"),
]


@pytest.mark.models
@pytest.mark.slow
@pytest.mark.parametrize("case", STANZA, ids=str)
def test_stanza(stanza_judge: Callable[[str], Judge], case: Case) -> None:
    check(case, stanza_judge(case.language))
