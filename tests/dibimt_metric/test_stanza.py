"""Stanza as an analyzer, with small real models: what a reading holds, where it stands, how several are united.

The models are trained on little data, so the sentences are ones that they read correctly; what is tested is the way
from Stanza's documents to ours, not Stanza.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest

pytest.importorskip("stanza", reason="Stanza is not installed: pip install 'dibimt[stanza]'")

from dibimt_metric import analyzers
from dibimt_metric.analysis import Analysis, Analyzer, Annotation
from dibimt_metric.analyzer_stanza import DEFAULT_PACKAGES
from dibimt_metric.analyzers import load_analyzer, load_analyzers
from dibimt_metric.errors import MissingLibraryError, UnknownAnalyzerError
from dibimt_metric.judge import Judge
from dibimt_metric.languages import LANGUAGES
from dibimt_metric.records import Candidate, Item, Label
from dibimt_metric.score_results import score_translations

pytestmark = pytest.mark.models


@pytest.fixture(scope="module", autouse=True)
def models(shared_models: Path) -> Iterator[None]:
    """The shared models in place of the user's own; what was loaded from them is forgotten afterwards."""
    folder = shared_models / "stanza"
    if not folder.is_dir():
        pytest.skip(f"no Stanza models at {folder}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STANZA_RESOURCES_DIR", str(folder))
        patch.setattr(analyzers, "_LOADED", {})
        yield


def _analyze(language: str, text: str, name: str = "stanza") -> Analysis:
    return load_analyzer(name, language).analyze(text)


def _item(good: str, bad: str = "") -> Item:
    lists = [tuple(Candidate(lemma) for lemma in side.split("|") if lemma) for side in (good, bad)]
    return Item("1", good=lists[0], bad=lists[1])


# language, text, words as "stretch of the text/lemma/part of speech"
WORDS = [
    ("bg", "Банките са затворени.", "Банките/банка/NOUN са/съм/AUX затворени/затворя-(се)/VERB ././PUNCT"),
    ("zh", "他去了银行。", "他/他/PRON 去/去/VERB 了/了/AUX 银行/银行/NOUN 。/。/PUNCT"),
    ("nl", "Hij gaf het op.", "Hij/hij/PRON gaf/geven/VERB het/het/PRON op/op/ADP ././PUNCT"),
    ("de", "Er stand auf.", "Er/er/PRON stand/stehen/VERB auf/auf/ADP ././PUNCT"),
    ("it", "Si è reso conto.", "Si/si/PRON è/essere/AUX reso/rendere/VERB conto/conto/NOUN ././PUNCT"),
    ("ru", "Мы стояли у моста.", "Мы/мы/PRON стояли/стоять/VERB у/у/ADP моста/мост/NOUN ././PUNCT"),
    ("sl", "Umil se je.", "Umil/umiti/VERB se/se/PRON je/biti/AUX ././PUNCT"),
    ("es", "Se lavó las manos.", "Se/él/PRON lavó/lavar/VERB las/el/DET manos/mano/NOUN ././PUNCT"),
]


@pytest.mark.parametrize(("language", "text", "expected"), WORDS)
def test_words(language: str, text: str, expected: str) -> None:
    analysis = _analyze(language, text)
    found = [f"{text[w.start : w.end]}/{'|'.join(w.lemmas)}/{w.upos}" for w in analysis.words]
    assert " ".join(found) == expected
    assert analysis.annotations == set(Annotation)
    assert analysis.multiword == ()
    assert [token.text for token in analysis.tokens] == [word.text for word in analysis.words]


# language, text, fused token, its words, its place among the words
FUSED = [
    ("de", "Er ging zum Ufer.", "zum", ["zu", "dem"], 2),
    ("es", "Vuelve del banco.", "del", ["de", "el"], 1),
    ("it", "La porta della banca.", "della", ["di", "la"], 2),
    ("it", "Il caffè dell\u2019amico.", "dell\u2019", ["di", "l'"], 2),
]


@pytest.mark.parametrize(("language", "text", "token", "words", "first"), FUSED)
def test_fused_tokens(language: str, text: str, token: str, words: list[str], first: int) -> None:
    analysis = _analyze(language, text)
    (fused,) = analysis.multiword
    assert text[fused.start : fused.end] == token
    assert (fused.first, fused.last) == (first, first + 2)
    assert [word.text for word in analysis.words[first : first + 2]] == words
    assert {(word.start, word.end) for word in analysis.words[first : first + 2]} == {(fused.start, fused.end)}
    assert [t.text for t in analysis.tokens].count(fused.text) == 1
    assert len(analysis.tokens) == len(analysis.words) - 1


def test_heads_are_positions_among_all_words() -> None:
    analysis = _analyze("de", "Er sagte nichts. Sie stand auf. Er ging zum Ufer.")
    words = analysis.words
    particle = next(word for word in words if word.relation == "compound:prt")
    assert particle.head is not None
    assert (particle.text, words[particle.head].text) == ("auf", "stand")
    roots = [word.text for word in words if word.head == -1]
    assert roots == ["sagte", "stand", "ging"]
    assert all(word.relation == "root" for word in words if word.head == -1)
    assert all(word.head is not None and -1 <= word.head < len(words) for word in words)


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_is_annotated(language: str) -> None:
    text = "他去了银行。他坐在河岸上。" if language == "zh" else "Hotel Mama. Radio 3!"
    for word in _analyze(language, text).words:
        assert word.lemmas
        assert word.upos
        assert word.relation
        assert word.head is not None


OFFSETS = [
    ("de", "Ein scho\u0308ner\u00a0Tag.", ["Ein", "scho\u0308ner", "Tag", "."]),
    ("de", "Die Schiff\u00adfahrt ist alt.", ["Die", "Schiff\u00adfahrt", "ist", "alt", "."]),
    ("it", "La \u201cbanca\u201d è qui.", ["La", "\u201c", "banca", "\u201d", "è", "qui", "."]),
    ("it", "Il\u200b caffe\u0300.", ["Il", "caffe\u0300", "."]),
    ("es", "El\u00a0banco está cerrado.", ["El", "banco", "está", "cerrado", "."]),
    ("ru", "за\u0301мок\u00a0там.", ["за\u0301мок", "там", "."]),
    ("zh", "他去了銀\u200b行。", ["他", "去", "了", "銀\u200b行", "。"]),
    ("sl", "\ufeffBanka je\ttam.\n", ["Banka", "je", "tam", "."]),
]


@pytest.mark.parametrize(("language", "text", "expected"), OFFSETS)
def test_offsets_into_the_users_own_string(language: str, text: str, expected: list[str]) -> None:
    analysis = _analyze(language, text)
    assert analysis.text == text
    assert [text[word.start : word.end] for word in analysis.words] == expected


STRANGE = [
    *("", " ", "\n\n", "\u200b", "\x00", "\ud800", "\u0301", "\u202eabc"),
    *(".", "...", "'", "-", "1.5", "x" * 500, "銀行 Bank банк", "😀👨‍👩‍👧"),
]


@pytest.mark.parametrize("language", LANGUAGES)
def test_strange_texts(language: str) -> None:
    judge = Judge(language, ["stanza"])
    for text in STRANGE:
        assert judge.judge(_item("qwertz"), text).label is Label.MISS
        analysis = judge.analyzers[0].analyze(text)
        assert all(0 <= word.start < word.end <= len(text) for word in analysis.words)
    assert judge.analyzers[0].analyze(" \n").words == ()


def test_a_text_is_read_alone_and_remembered() -> None:
    analyzer = load_analyzer("stanza", "de")
    first = analyzer.analyze("Er stand auf.")
    analyzer.analyze("Sie ging.")
    assert analyzer.analyze("Er stand auf.") is first


# language, good, bad, text, label, rule of the first match
JUDGED = [
    ("de", "aufstehen", "stehen", "Er stand früh auf.", Label.GOOD, "separable"),
    ("de", "Ufer", "Bank", "Er ging zum Ufer.", Label.GOOD, "lemma"),
    ("de", "Bank", "Ufer", "Er ging zum Ufer.", Label.BAD, "lemma"),
    ("de", "zu", "zum", "Er ging zum Ufer.", Label.BAD, "lemma"),
    ("es", "del banco", "banco", "Vuelve del banco.", Label.GOOD, "lemma"),
    ("it", "rendersi conto", "conto", "Si è reso conto.", Label.GOOD, "reflexive"),
    ("nl", "opgeven", "geven", "Hij gaf het op.", Label.GOOD, "separable"),
    ("sl", "umiti se", "umiti", "Danes se je umil.", Label.GOOD, "reflexive"),
    ("zh", "銀行", "河岸", "他去了银行。", Label.GOOD, "lemma"),
    ("bg", "банка", "бряг", "Банките са затворени.", Label.GOOD, "lemma"),
    ("ru", "мост", "банк", "Мы стояли у моста.", Label.GOOD, "lemma"),
    ("de", "Blitz", "Auto", "Es heißt \u201eBlitz\u201c.", Label.GOOD, "lemma"),
]


@pytest.mark.parametrize(("language", "good", "bad", "text", "expected", "rule"), JUDGED)
def test_labels(language: str, good: str, bad: str, text: str, expected: Label, rule: str) -> None:
    judgment = Judge(language, ["stanza"]).judge(_item(good, bad), text)
    assert judgment.label is expected
    assert (judgment.matches[0].rule, judgment.matches[0].analyzer) == (
        rule,
        f"stanza:{DEFAULT_PACKAGES[language]}",
    )
    assert text[judgment.matches[0].start : judgment.matches[0].end] == judgment.matches[0].text


UNIONS = [("it", "isdt", "partut"), ("sl", "ssj", "sst")]


@pytest.mark.parametrize(("language", "one", "other"), UNIONS)
def test_union_of_two_packages(language: str, one: str, other: str) -> None:
    """Each package finds what it finds; together they find what either does, less what a longer match holds."""
    names = [f"stanza:{one}", f"stanza:{other}"]
    text = "La banca vende i libri vecchi." if language == "it" else "Banka prodaja stare knjige."
    lemmas = {
        name: {lemma for word in _analyze(language, text, name).words for lemma in word.lemmas if lemma.isalpha()}
        for name in names
    }
    item = Item("1", good=tuple(Candidate(lemma) for lemma in sorted(set().union(*lemmas.values()))))
    found = {name: {m.start for m in Judge(language, [name]).judge(item, text).matches} for name in names}
    both = Judge(language, names).judge(item, text)
    assert {m.start for m in both.matches} == found[names[0]] | found[names[1]]
    assert {m.analyzer for m in both.matches} == set(names)


def test_a_form_that_only_one_package_reads() -> None:
    text = "Si è reso conto."
    differing = [
        (w.text, v.text, w.lemmas, v.lemmas)
        for w, v in zip(_analyze("it", text).words, _analyze("it", text, "stanza:partut").words, strict=False)
        if w.lemmas != v.lemmas
    ]
    for form, _, lemmas, others in differing:
        for own, name in ((lemmas, "stanza:isdt"), (others, "stanza:partut")):
            item = _item(own[0])
            alone = Judge("it", [name]).judge(item, text)
            united = Judge("it", ["stanza:isdt", "stanza:partut"]).judge(item, text)
            assert (alone.label, united.label) == (Label.GOOD, Label.GOOD), form


def test_stanza_and_the_builtin_analyzer_together() -> None:
    judge = Judge("de", ["simplemma", "stanza"])
    judgment = judge.judge(_item("Ufer"), "Er ging zum Ufer.")
    assert [match.analyzer for match in judgment.matches] == ["simplemma", "stanza:gsd"]
    assert {match.spans for match in judgment.matches} == {((12, 16),)}


# Names, versions, signature


def test_the_default_package_by_its_own_name() -> None:
    assert load_analyzer("stanza", "it").name == "stanza:isdt"
    with pytest.raises(UnknownAnalyzerError, match="named twice: stanza:isdt, stanza:isdt"):
        load_analyzers(("stanza", "stanza:isdt"), "it")


def test_signature() -> None:
    release = version("stanza")
    fields = Judge("it", ["stanza:isdt", "stanza:partut"]).signature_fields()
    assert fields["analyzers"] == f"stanza:isdt-{release}(isdt)+stanza:partut-{release}(partut)"
    other = Judge("it", ["stanza:partut"]).signature_fields()
    assert other["analyzers"] == f"stanza:partut-{release}(partut)"


def test_scores_carry_the_signature() -> None:
    judge = Judge("de", ["stanza"])
    result = score_translations(judge, [_item("Ufer", "Bank")], ["Er ging zum Ufer."])
    assert result.scores.accuracy.value == 100
    assert f"analyzers:stanza%3Agsd-{version('stanza')}(gsd)|" in str(result.signature)


@pytest.mark.parametrize("name", ["stanza:nothing", "stanza:../../x"])
def test_a_package_that_is_not_installed(name: str) -> None:
    with pytest.raises(MissingLibraryError) as caught:
        load_analyzer(name, "de")
    package = name.partition(":")[2]
    assert f"Install it with: stanza.download('de', package={package!r})" in str(caught.value)


def test_an_empty_models_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STANZA_RESOURCES_DIR", str(tmp_path))
    monkeypatch.setattr(analyzers, "_LOADED", {})
    with pytest.raises(MissingLibraryError, match=r"Install it with: stanza\.download\('zh-hans', package='gsdsimp'\)"):
        load_analyzer("stanza", "zh")
    assert list(tmp_path.iterdir()) == []


def test_an_analyzer_is_what_the_protocol_says() -> None:
    analyzer: Analyzer = load_analyzer("stanza", "sl")
    assert analyzer.lexicon is None
    assert analyzer.annotations == set(Annotation)
