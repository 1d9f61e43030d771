"""Metrics as sums of rows: equal to sacrebleu on every subset, to a literal multi-bleu, and guarded."""

from __future__ import annotations

import math
import random
import sys
from collections import Counter
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dibimt_metric.errors import MissingLibraryError
from ldd_challenge_sets.scoring import metrics
from ldd_challenge_sets.scoring.metrics import Metric, bleu_values, chrf_values, make_metrics
from ldd_challenge_sets.scoring.ribes import corpus_ribes
from ldd_challenge_sets.scoring.settings import METRICS, TOKENIZERS, Settings

sacrebleu = pytest.importorskip("sacrebleu")

GERMAN = (
    "Der Zug fährt heute, wie jeden Tag, um 7.30 Uhr ab .",
    "Sie holte ihre Schwester am Bahnhof ab; es regnete.",
    "Er hat sich nicht daran erinnert (sagt er).",
    "Wir räumen morgen früh endlich den großen Keller auf!",
    "„Warum\u201c, fragte sie, „gibst du nicht auf?\u201c",
    "Die Preise stiegen um 3,5 % auf 1.200 Euro.",
    "Kurz.",
    "今天下雨了, 我们不出去。",
)


def corpus(number: int, seed: int) -> tuple[list[str], list[str]]:
    """Translations and references: sentences with words exchanged, left out, or all of them missing."""
    rng = random.Random(seed)
    words = " ".join(GERMAN).split()
    translations, references = [], []
    for _ in range(number):
        reference = rng.choice(GERMAN).split()
        changed = [rng.choice(words) if rng.random() < 0.25 else word for word in reference]
        kept = [word for word in changed if rng.random() < 0.9]
        translations.append("" if rng.random() < 0.1 else " ".join(kept))
        references.append(" ".join(reference))
    return translations, references


def one(name: str, language: str = "de", **options: Any) -> Metric:
    return make_metrics(Settings(metrics=(name,), **options), language)[0]


def theirs(name: str, tokenizer: str, preset: str = "sacrebleu") -> Any:
    if name == "bleu":
        smooth = "none" if preset == "multi-bleu" else "exp"
        return sacrebleu.BLEU(tokenize=tokenizer, smooth_method=smooth, force=True)
    return sacrebleu.CHRF(word_order=2 if name == "chrf++" else 0)


CASES = [
    ("bleu", {}, "13a"),
    ("bleu", {"preset": "multi-bleu"}, "none"),
    ("bleu", {"tokenize": "intl"}, "intl"),
    ("bleu", {"tokenize": "zh"}, "zh"),
    ("bleu", {"tokenize": "char"}, "char"),
    ("chrf", {}, "13a"),
    ("chrf++", {}, "13a"),
]


@pytest.mark.parametrize(("name", "options", "tokenizer"), CASES)
def test_every_subset_scores_as_in_sacrebleu(name: str, options: dict[str, str], tokenizer: str) -> None:
    translations, references = corpus(80, seed=1)
    metric, scorer = one(name, **options), theirs(name, tokenizer, options.get("preset", "sacrebleu"))
    rows = metric.statistics([translations], references)[0]
    rng = random.Random(2)
    scores = set()
    for size in (1, 1, 1, 2, 3, 5, 10, 40, 80):
        chosen = rng.choices(range(80), k=size)  # a segment may come twice
        expected = scorer.corpus_score([translations[at] for at in chosen], [[references[at] for at in chosen]]).score
        total = rows[chosen].sum(axis=0)
        assert metric.value(total) == expected  # exactly
        assert metric.values(total[None])[0] == pytest.approx(expected, abs=1e-9)
        scores.add(expected)
    assert len(scores) > 5, "the subsets hardly differ"


@pytest.mark.parametrize("name", METRICS)
def test_empty_translations_score_nothing(name: str) -> None:
    metric = one(name)
    rows = metric.statistics([["", " "]], ["Der Hund schläft .", "Kurz ."])[0]
    assert metric.value(rows.sum(axis=0)) == 0.0
    assert metric.values(rows.sum(axis=0)[None]).tolist() == [0.0]


@pytest.mark.parametrize("name", METRICS)
def test_systems_do_not_touch_each_other(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    translations, references = corpus(20, seed=3)
    metric = one(name)
    together = metric.statistics([translations, references, translations], references)
    monkeypatch.setattr(metrics, "CHUNK", 7)
    alone = [metric.statistics([system], references)[0] for system in (translations, references)]
    assert [each.tolist() for each in together] == [alone[at].tolist() for at in (0, 1, 0)]
    assert all(each.shape == (20, metric.columns) for each in together)


@pytest.mark.parametrize("name", METRICS)
def test_no_segment_and_no_system(name: str) -> None:
    metric = one(name)
    assert metric.statistics([[]], [])[0].shape == (0, metric.columns)
    assert metric.statistics([], ["a"]) == []


# The paper's BLEU, after its definition in multi-bleu


def multi_bleu(translations: Sequence[str], references: Sequence[str]) -> float:
    """BLEU of tokenized text without smoothing, order by order, with the logarithm of 0 as a large negative number."""
    matched, found = [0] * 4, [0] * 4
    for translation, reference in zip(translations, references, strict=True):
        for n in range(4):
            words, wanted = translation.split(), reference.split()
            ours = Counter(tuple(words[at : at + n + 1]) for at in range(len(words) - n))
            there = Counter(tuple(wanted[at : at + n + 1]) for at in range(len(wanted) - n))
            found[n] += sum(ours.values())
            matched[n] += sum(min(times, there[ngram]) for ngram, times in ours.items())
    if 0 in matched:
        return 0.0
    length = [sum(len(text.split()) for text in side) for side in (translations, references)]
    brevity = 1.0 if length[0] >= length[1] else math.exp(1 - length[1] / length[0])
    return 100 * brevity * math.prod(m / f for m, f in zip(matched, found, strict=True)) ** 0.25


@pytest.mark.parametrize("size", [1, 3, 60])
def test_preset_of_the_paper(size: int) -> None:
    translations, references = corpus(size, seed=4)
    metric = one("bleu", preset="multi-bleu")
    value = metric.value(metric.statistics([translations], references)[0].sum(axis=0))
    assert value == pytest.approx(multi_bleu(translations, references), abs=1e-9)


def test_presets_differ() -> None:
    # Three of four words, no 4-gram: 0 without smoothing; `.` is a word of its own for 13a only.
    texts = ["Kurz ist es ."], ["Kurz war es ."]
    plain, paper = one("bleu"), one("bleu", preset="multi-bleu")
    assert plain.value(plain.statistics([texts[0]], texts[1])[0].sum(axis=0)) > 0.0
    assert paper.value(paper.statistics([texts[0]], texts[1])[0].sum(axis=0)) == 0.0
    assert paper.statistics([["es."]], ["es ."])[0][0, :2].tolist() == [1, 2]
    assert plain.statistics([["es."]], ["es ."])[0][0, :2].tolist() == [2, 2]


# The formulas, on any counts

COUNTS = st.lists(st.integers(0, 30), min_size=4, max_size=4)


@given(
    matched=COUNTS,
    more=COUNTS,
    lengths=st.tuples(st.integers(0, 60), st.integers(1, 60)),
    smooth=st.booleans(),
)
def test_bleu_formula(matched: list[int], more: list[int], lengths: tuple[int, int], smooth: bool) -> None:
    found = [m + extra if lengths[0] else 0 for m, extra in zip(matched, more, strict=True)]
    matched = [min(m, f) for m, f in zip(matched, found, strict=True)]
    method = "exp" if smooth else "none"
    expected = sacrebleu.BLEU.compute_bleu(list(matched), list(found), *lengths, smooth_method=method).score
    totals = np.array([[*lengths, *matched, *found]], dtype=np.float64)
    assert bleu_values(totals, smooth)[0] == pytest.approx(expected, abs=1e-9)


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30), st.integers(0, 30)), min_size=6, max_size=6))
def test_chrf_formula(orders: list[tuple[int, int, int]]) -> None:
    counts = [float(each) for ours, there, same in orders for each in (ours, there, min(ours, there, same))]
    expected = sacrebleu.CHRF()._compute_f_score(counts)
    assert chrf_values(np.array([counts]))[0] == pytest.approx(expected, abs=1e-9)


def test_formulas_take_many_rows() -> None:
    totals = np.array([[5.0, 5, 4, 3, 2, 1, 5, 4, 3, 2], [0, 5, 0, 0, 0, 0, 0, 0, 0, 0]])
    # 4/5 * 3/4 * 2/3 * 1/2 = 1/5
    assert bleu_values(totals, smooth=True).tolist() == [pytest.approx(100 * (1 / 5) ** 0.25), 0.0]
    # The first order without a match counts as half a match, the second one as a quarter.
    unmatched = np.array([[5.0, 5, 4, 2, 0, 0, 5, 4, 3, 2]])
    smoothed = 100 * (4 / 5 * 2 / 4 * (1 / 2) / 3 * (1 / 4) / 2) ** 0.25
    assert bleu_values(unmatched, smooth=True).tolist() == [pytest.approx(smoothed)]
    assert bleu_values(unmatched, smooth=False).tolist() == [0.0]
    assert bleu_values(totals[:0], smooth=True).shape == chrf_values(totals[:0, :6]).shape == (0,)


# RIBES of text


def test_ribes_is_the_mean_over_tokenized_lower_cased_text() -> None:
    metric = one("ribes")
    translations = ["Er kommt, sagt SIE.", "", "Nie"]
    references = ["er kommt , sagt sie .", "Ja .", "Nie ."]
    rows = metric.statistics([translations], references)[0]
    assert rows.tolist() == [[1.0, 1.0], [0.0, 1.0], [0.0, 1.0]]
    assert metric.value(rows.sum(axis=0)) == 1 / 3


def test_ribes_options() -> None:
    texts = ["Er kommt."], ["er kommt ."]
    cased = one("ribes", ribes_lowercase=False).statistics([texts[0]], texts[1])[0]
    split = one("ribes", preset="multi-bleu").statistics([texts[0]], texts[1])[0]
    # `kommt` and `.` of three words; `er` of two, alone.
    assert cased[0, 0] == pytest.approx((2 / 3) ** 0.25)
    assert split[0, 0] == 0.0


def test_ribes_equals_the_corpus_score_of_tokens() -> None:
    translations, references = corpus(30, seed=5)
    metric = one("ribes", preset="multi-bleu")
    value = metric.value(metric.statistics([translations], references)[0].sum(axis=0))
    tokens = [[text.split()] for text in references]
    assert value == pytest.approx(corpus_ribes([text.split() for text in translations], tokens), abs=1e-12)


# Tokenizers and signatures


@pytest.mark.parametrize("language", ["de", "en", "zh", "ru"])
def test_tokenizer_is_that_of_sacrebleu(language: str) -> None:
    chosen = type(sacrebleu.BLEU(trg_lang=language).tokenizer)
    assert type(sacrebleu.BLEU(tokenize=Settings().tokenizer(language)).tokenizer) is chosen


def test_tokenizers_by_language_are_those_of_sacrebleu() -> None:
    table = sacrebleu.BLEU._TOKENIZER_MAP
    assert {language: Settings().tokenizer(language) for language in table} == table
    assert set(TOKENIZERS) <= set(sacrebleu.BLEU.TOKENIZERS)


@pytest.mark.parametrize(("language", "library"), [("ja", "MeCab"), ("ko", "mecab_ko")])
@pytest.mark.parametrize("name", ["bleu", "ribes"])
def test_missing_tokenizer_library(language: str, library: str, name: str) -> None:
    if find_spec(library) is not None:
        pytest.skip(f"{library} is installed")
    with pytest.raises(MissingLibraryError, match=rf"pip install 'sacrebleu\[{language}\]'"):
        one(name, language)


@pytest.mark.parametrize(("name", "options", "tokenizer"), CASES)
def test_signature_is_that_of_sacrebleu(name: str, options: dict[str, str], tokenizer: str) -> None:
    scorer = theirs(name, tokenizer, options.get("preset", "sacrebleu"))
    scorer.corpus_score(["a"], [["a"]])
    assert one(name, **options).signature() == str(scorer.get_signature())


def test_signature_of_ribes() -> None:
    assert one("ribes").signature() == "nrefs:1|case:lc|tok:13a|alpha:0.25|beta:0.1|version:ribes.1"
    paper = one("ribes", preset="multi-bleu", ribes_lowercase=False).signature()
    assert paper.startswith("nrefs:1|case:mixed|tok:none|")


# A sacrebleu whose inside has changed


def swapped(self: Any, hypothesis: str, kwargs: Any) -> list[int]:
    return [5, 5, 1, 2, 3, 4, 2, 3, 4, 5]


def shorter(self: Any, hypothesis: str, kwargs: Any) -> list[int]:
    return [5, 5, 4]


@pytest.mark.parametrize("changed", [swapped, shorter])
@pytest.mark.parametrize(("kind", "name"), [("BLEU", "bleu"), ("CHRF", "chrf"), ("CHRF", "chrf++")])
def test_other_statistics_are_noticed(kind: str, name: str, changed: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(getattr(sacrebleu, kind), "_compute_segment_statistics", changed)
    with pytest.raises(MissingLibraryError, match=f"sacrebleu {sacrebleu.__version__} does not give the counts"):
        one(name)


@pytest.mark.parametrize("method", ["_extract_corpus_statistics", "_compute_score_from_stats"])
@pytest.mark.parametrize(("kind", "name"), [("BLEU", "bleu"), ("CHRF", "chrf")])
def test_missing_methods_are_noticed(kind: str, name: str, method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(*_: Any) -> None:
        raise AttributeError(method)

    monkeypatch.setattr(getattr(sacrebleu, kind), method, gone)
    with pytest.raises(MissingLibraryError, match=r"pip install 'dibimt\[ldd\]'"):
        one(name)


def test_other_score_from_the_same_statistics_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    aggregate = sacrebleu.BLEU()._aggregate_and_compute([[5, 5, 4, 3, 2, 1, 5, 4, 3, 2], [0, 2, *[0] * 8]])
    lowest = sacrebleu.BLEU()._compute_score_from_stats([0] * 10)
    monkeypatch.setattr(sacrebleu.BLEU, "_aggregate_and_compute", lambda *_: aggregate)
    monkeypatch.setattr(sacrebleu.BLEU, "_compute_score_from_stats", lambda *_: lowest)
    with pytest.raises(MissingLibraryError, match="does not give the counts"):
        one("bleu")


@pytest.mark.parametrize("name", METRICS)
def test_sacrebleu_is_missing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    with pytest.raises(MissingLibraryError, match=r"pip install 'dibimt\[ldd\]'"):
        one(name)
