"""The builtin analyzers, the registry of names, and analyzers of a user's own."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dibimt_metric import analyzers
from dibimt_metric.analysis import Analysis, Annotation, Token, Word
from dibimt_metric.analysis_text import normalize
from dibimt_metric.analyzer_builtin import simplifier
from dibimt_metric.analyzers import load_analyzer, load_analyzers, register
from dibimt_metric.errors import InputError, MissingAnnotationError, MissingLibraryError, UnknownAnalyzerError
from dibimt_metric.judge import Judge
from dibimt_metric.languages import LANGUAGES, default_analyzers
from dibimt_metric.records import Candidate, Item

ROOT = Path(__file__).parents[2]
SPACED = [language for language in LANGUAGES if language != "zh"]
EMBEDDED = [(language, name) for language in LANGUAGES for name in default_analyzers(language)]


def _analyze(language: str, text: str) -> Analysis:
    return load_analyzer(default_analyzers(language)[0], language).analyze(text)


# language, text, the original stretches of its tokens, the original stretches of its words
READ = [
    ("de", "Ein scho\u0308ner Tag.", "Ein|scho\u0308ner|Tag|.", "Ein|scho\u0308ner|Tag|."),
    ("de", "die Schiff\u00adfahrt", "die|Schiff\u00adfahrt", "die|Schiff\u00adfahrt"),
    ("de", "\u200bdie\u200b Bank\u200b!", "die|Bank|!", "die|Bank|!"),
    ("de", "10\u00a0km\u202fweit", "10|km|weit", "10|km|weit"),
    ("de", "\u201eBank\u201c", "\u201e|Bank|\u201c", "\u201e|Bank|\u201c"),
    ("de", "die U-Bahn", "die|U-Bahn", "die|U|Bahn"),
    ("de", "die U\u2011Bahn", "die|U\u2011Bahn", "die|U|Bahn"),
    ("de", "3.000,50 Euro um 10:30", "3.000,50|Euro|um|10:30", "3.000,50|Euro|um|10:30"),
    ("de", "am 3. Mai", "am|3|.|Mai", "am|3|.|Mai"),
    ("de", "Ein- und Ausgang", "Ein|-|und|Ausgang", "Ein|-|und|Ausgang"),
    ("de", "eine _Bank_ und *Bank*", "eine|_|Bank|_|und|*|Bank|*", "eine|_|Bank|_|und|*|Bank|*"),
    ("de", "zwei\nZeilen\tTab", "zwei|Zeilen|Tab", "zwei|Zeilen|Tab"),
    ("de", "Haus…Ende—so", "Haus|…|Ende|—|so", "Haus|…|Ende|—|so"),
    ("nl", "foto\u2019s", "foto\u2019s", "foto|s"),
    ("nl", "zo\u2019n auto\u02bcs", "zo\u2019n|auto\u02bcs", "zo|n|auto|s"),
    ("it", "dell\u2019ala", "dell\u2019ala", "dell|ala"),
    ("it", "un po' di", "un|po|'|di", "un|po|'|di"),
    ("it", "punirlo", "punirlo", "punir|lo"),
    ("it", "Caffe\u0300 e lavarsi", "Caffe\u0300|e|lavarsi", "Caffe\u0300|e|lavar|si"),
    ("es", "da\u0301ndomelo", "da\u0301ndomelo", "da\u0301ndo|me|lo"),
    ("es", "¿El banco?", "¿|El|banco|?", "¿|El|banco|?"),
    ("ru", "за\u0301мок и йод", "за\u0301мок|и|йод", "за\u0301мок|и|йод"),
    ("ru", "кое-кто", "кое-кто", "кое|кто"),
    ("bg", "\u201eбанка\u201c", "\u201e|банка|\u201c", "\u201e|банка|\u201c"),
    ("sl", "c\u030cas je", "c\u030cas|je", "c\u030cas|je"),
    ("zh", "河岸的银行。", "河岸|的|银行|。", "河岸|的|银行|。"),
    ("zh", "銀\u200b行 的\u3000錢", "銀\u200b行|的|錢", "銀\u200b行|的|錢"),
    ("sl", "", "", ""),
    ("zh", " \n ", "", ""),
    ("de", "\u200b\u00ad", "", ""),
]


@pytest.mark.parametrize(("language", "text", "tokens", "words"), READ)
def test_tokens_and_words_in_the_users_own_string(language: str, text: str, tokens: str, words: str) -> None:
    analysis = _analyze(language, text)
    assert analysis.text == text
    assert "|".join(text[token.start : token.end] for token in analysis.tokens) == tokens
    assert "|".join(text[word.start : word.end] for word in analysis.words) == words


# language, text, word, some of its lemmas, lemmas that it must not have
LEMMAS = [
    ("de", "Die Häuser sind alt.", "Häuser", {"Haus"}, set()),
    ("de", "Er tat ihr einen Gefallen.", "Gefallen", {"Gefallen"}, {"gefallen"}),
    ("de", "Gefallen hat es ihm.", "Gefallen", {"gefallen"}, set()),
    ("de", "Er sagt: Gingen sie?", "Gingen", {"gehen"}, set()),
    ("nl", "De banken zijn groen.", "banken", {"bank"}, set()),
    ("it", "Le banche sono chiuse.", "banche", {"banca"}, set()),
    ("es", "Los bancos cierran.", "bancos", {"banco"}, set()),
    ("ru", "Он вышел из банка.", "банка", {"банк"}, set()),
    ("bg", "Банките са затворени.", "Банките", {"банка"}, set()),
    ("sl", "Banke so zaprte.", "Banke", {"banka"}, set()),
    ("zh", "银行关门了。", "银行", {"银行"}, set()),
    ("de", "Sie zahlt 5 Euro", "5", set(), {""}),
    ("de", "Ende.", ".", set(), {""}),
]


@pytest.mark.parametrize(("language", "text", "word", "some", "none"), LEMMAS)
def test_lemmas_are_a_set_of_possible_ones(language: str, text: str, word: str, some: set[str], none: set[str]) -> None:
    found = next(w for w in _analyze(language, text).words if w.text == word)
    assert some <= set(found.lemmas)
    assert none.isdisjoint(found.lemmas)
    assert len(set(found.lemmas)) == len(found.lemmas)


def test_a_form_with_two_readings_has_two_lemmas() -> None:
    assert len(_analyze("de", "Gefallen").words[0].lemmas) > 1


def test_the_parts_and_the_whole_of_a_hyphenated_word_have_lemmas() -> None:
    analysis = _analyze("de", "mit den U-Bahnen")
    (token,) = analysis.multiword
    assert (token.text, token.first, token.last) == ("U-Bahnen", 2, 4)
    assert "Bahn" in analysis.words[3].lemmas


HARD = st.text("aBß Üй.-'_1,\u0301\u0308\u00ad\u200b\u00a0\u2019\u201e\u2011\u3000\n\ud800銀行了😀", max_size=30)


@settings(max_examples=30)
@given(text=st.text(max_size=40) | HARD)
@pytest.mark.parametrize(("language", "name"), EMBEDDED)
def test_spans_are_ordered_and_hold_the_word(language: str, name: str, text: str) -> None:
    analysis = load_analyzer(name, language).analyze(text)
    position = 0
    for word in analysis.words:
        assert position <= word.start < word.end <= len(text)
        position = word.end
        if "\ud800" not in text:
            assert normalize(text[word.start : word.end]).text == word.text or language == "zh"
    for token in analysis.tokens:
        first, last = analysis.words[token.first], analysis.words[token.last - 1]
        assert token.start <= first.start
        assert last.end <= token.end
    assert [t.first for t in analysis.tokens[1:]] == [t.last for t in analysis.tokens[:-1]]


@pytest.mark.parametrize(("language", "name"), EMBEDDED)
def test_only_white_space_lies_between_words(language: str, name: str) -> None:
    text = "A 1.5, b! (c)  d\u00a0e—f"
    words = load_analyzer(name, language).analyze(text).words
    rest = list(text)
    for word in words:
        rest[word.start : word.end] = " " * (word.end - word.start)
    assert not "".join(rest).strip()


def test_the_latest_texts_do_not_leak_into_the_next() -> None:
    analyzer = load_analyzer("simplemma", "de")
    assert analyzer.analyze("Gefallen daran.") != analyzer.analyze("daran Gefallen.")
    assert analyzer.analyze("Gefallen daran.") == analyzer.analyze("Gefallen daran.")


@pytest.mark.parametrize("language", SPACED)
def test_megabyte_words_are_not_kept(language: str) -> None:
    analyzer = analyzers._MAKERS["simplemma"].make(language, None)
    analyzer.analyze("x" * 1_000_000 + " " + "1" * 100_000)
    kept = [*analyzer._entries, *analyzer._initial_entries]  # type: ignore[attr-defined]
    assert max(map(len, kept), default=0) <= 64


# Chinese


def test_two_segmentations() -> None:
    assert default_analyzers("zh") == ("jieba", "jieba-dictionary")
    text = "小芬去了杭研大厦"
    guessed, plain = ([w.text for w in load_analyzer(name, "zh").analyze(text).words] for name in EMBEDDED_ZH)
    assert "杭研" in guessed
    assert "杭研" not in plain


EMBEDDED_ZH = ("jieba", "jieba-dictionary")


@pytest.mark.parametrize(
    ("traditional", "simplified"),
    [
        ("銀行", "银行"),
        ("河岸邊的樹", "河岸边的树"),
        ("頭髮", "头发"),
        ("發現", "发现"),
        ("著名", "著名"),
        ("", ""),
        ("abc", "abc"),
    ],
)
def test_traditional_is_simplified(traditional: str, simplified: str) -> None:
    assert simplifier()(traditional) == simplified
    for name in EMBEDDED_ZH:
        one, other = (load_analyzer(name, "zh").analyze(text) for text in (traditional, simplified))
        assert one.words == other.words
        assert one.text == traditional


@pytest.mark.parametrize("candidate", ["銀行", "银行"])
@pytest.mark.parametrize("text", ["他去了銀行。", "他去了银行。"])
def test_traditional_and_simplified_match(candidate: str, text: str) -> None:
    judgment = Judge("zh").judge(Item("1", good=(Candidate(candidate),)), text)
    assert judgment.label.value == "GOOD"
    assert judgment.matches[0].text in ("銀行", "银行")
    assert text[judgment.matches[0].start : judgment.matches[0].end] == judgment.matches[0].text


@given(st.text(max_size=30) | st.text("銀行發髮著乾幹后後里裡麼么\ud800 a", max_size=20))
def test_simplifying_keeps_the_length(text: str) -> None:
    assert len(simplifier()(text)) == len(text)


def test_a_thousand_characters_without_a_mark_are_segmented_as_before() -> None:
    analyzer = load_analyzer("jieba", "zh")
    once = [word.text for word in analyzer.analyze("他去了银行。").words]
    assert [word.text for word in analyzer.analyze("他去了银行。" * 400).words] == once * 400


def test_unknown_characters_without_end_are_no_trap() -> None:
    start = time.process_time()
    load_analyzer("jieba", "zh").analyze("龘" * 50_000)
    assert time.process_time() - start < 30


POISONED = """
import sys
sys.path.insert(0, {root!r})
from dibimt_metric import Judge, Item, Candidate
judge = Judge("zh")
words = [word.text for word in judge.analyzers[0].analyze("他去了银行。").words]
assert words == ["他", "去", "了", "银行", "。"], words
item = Item("1", good=(Candidate("银行"),))
assert judge.judge(item, "他去了银行。").label.value == "GOOD"
"""


def test_no_cache_file_in_the_temporary_folder_is_read_or_written(tmp_path: Path) -> None:
    poison = b"cos\nsystem\n(S'touch poisoned'\ntR."  # what unpickling or unmarshalling such a file could run
    cache = tmp_path / "jieba.cache"
    cache.write_bytes(poison)
    os.utime(cache, (4_000_000_000, 4_000_000_000))  # newer than the dictionary, so that jieba would prefer it
    before = cache.stat()
    environment = {**os.environ, "TMPDIR": str(tmp_path), "TEMP": str(tmp_path), "TMP": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", POISONED.format(root=str(ROOT))],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["jieba.cache"]
    assert cache.read_bytes() == poison
    assert cache.stat().st_mtime == before.st_mtime
    assert "cache" not in done.stderr.lower()


# Registry


@pytest.mark.parametrize(
    ("name", "language", "message"),
    [
        (
            "spacy",
            "de",
            "unknown analyzer 'spacy': expected one of simplemma, jieba, jieba-dictionary, stanza, classla",
        ),
        ("", "de", "unknown analyzer ''"),
        (":gsd", "de", "unknown analyzer ':gsd'"),
        ("Stanza", "de", "unknown analyzer 'Stanza'"),
        ("jieba", "de", "analyzer 'jieba' does not read 'de'; its languages are zh"),
        ("simplemma", "zh", "does not read 'zh'; its languages are bg, de, es, it, nl, ru, sl"),
        ("simplemma", "../../x", "does not read"),
        ("classla", "de", "its languages are bg, sl"),
        ("simplemma:gsd", "de", "analyzer 'simplemma' has no packages; omit 'gsd'"),
        ("jieba:x", "zh", "analyzer 'jieba' has no packages"),
    ],
)
def test_unknown_names(name: str, language: str, message: str) -> None:
    with pytest.raises(UnknownAnalyzerError) as caught:
        load_analyzer(name, language)
    assert message in str(caught.value)


def test_an_analyzer_is_loaded_once() -> None:
    assert load_analyzer("simplemma", "de") is load_analyzer("simplemma", "de")
    assert load_analyzer("simplemma", "de") is not load_analyzer("simplemma", "nl")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_builtin_ones_are_the_default(language: str) -> None:
    assert tuple(a.name for a in load_analyzers(None, language)) == default_analyzers(language)
    assert load_analyzers((), language) == load_analyzers(None, language)


@pytest.mark.parametrize("names", [("simplemma", "simplemma"), ("simplemma", "simplemma:")])
def test_one_analyzer_twice(names: tuple[str, ...]) -> None:
    with pytest.raises(UnknownAnalyzerError, match="an analyzer is named twice: simplemma, simplemma"):
        load_analyzers(names, "de")


class Letters:
    """A user's own analyzer: every letter is a word."""

    name = "letters"
    version = "1"
    annotations: frozenset[Annotation] = frozenset({Annotation.LEMMAS})
    lexicon = None

    def analyze(self, text: str) -> Analysis:
        words = tuple(Word(c, i, i + 1, (c,)) for i, c in enumerate(text) if not c.isspace())
        return Analysis(text, text, self.name, words, (), self.annotations)


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test registers is forgotten after it."""
    monkeypatch.setattr(analyzers, "_MAKERS", dict(analyzers._MAKERS))
    monkeypatch.setattr(analyzers, "_LOADED", dict(analyzers._LOADED))


@pytest.mark.usefixtures("registry")
def test_an_own_analyzer_by_name() -> None:
    asked = []

    def make(language: str, package: str | None) -> Letters:
        asked.append((language, package))
        return Letters()

    register("letters", make, frozenset({"de"}))
    judge = Judge("de", ["letters:some"])
    assert asked == [("de", "some")]
    assert judge.judge(Item("1", good=(Candidate("b c"),)), "ab cd").matches[0].text == "b c"
    with pytest.raises(UnknownAnalyzerError, match="does not read 'nl'"):
        load_analyzer("letters", "nl")


@pytest.mark.usefixtures("registry")
@pytest.mark.parametrize("name", ["simplemma", "stanza", "a:b", ":"])
def test_names_that_cannot_be_registered(name: str) -> None:
    with pytest.raises(InputError, match="is taken or contains a colon; choose another"):
        register(name, lambda language, package: Letters())


@pytest.mark.parametrize("given_analyzers", [[Letters()], (Letters(),), Letters()])
def test_an_own_analyzer_as_an_object(given_analyzers: object) -> None:
    judge = Judge("de", given_analyzers)  # type: ignore[arg-type]
    judgment = judge.judge(Item("1", good=(Candidate("B"),)), "ab")
    assert [(m.text, m.start, m.end, m.analyzer) for m in judgment.matches] == [("b", 1, 2, "letters")]
    assert judge.signature_fields()["analyzers"] == "letters-1"


def test_own_and_builtin_analyzers_together() -> None:
    judge = Judge("de", ["simplemma", Letters()])
    judgment = judge.judge(Item("1", good=(Candidate("Haus"),), bad=(Candidate("x"),)), "Häuser x")
    assert [(m.text, m.analyzer) for m in judgment.matches] == [
        ("Häuser", "simplemma"),
        ("x", "simplemma"),
        ("x", "letters"),
    ]


def test_one_name_alone_may_be_a_string() -> None:
    assert [a.name for a in Judge("de", "simplemma").analyzers] == ["simplemma"]


class Formless(Letters):
    name = "formless"
    annotations = frozenset({Annotation.UPOS})


def test_an_analyzer_without_lemmas_is_refused_before_the_first_sentence() -> None:
    with pytest.raises(MissingAnnotationError, match="analyzer 'formless' gives no lemmas, which matching needs"):
        Judge("de", [Formless()])


@pytest.mark.parametrize("thing", [7, None, object(), b"simplemma", {"name": "x"}])
def test_something_that_is_no_analyzer(thing: object) -> None:
    with pytest.raises(UnknownAnalyzerError, match="is not an analyzer: it needs all of name, version, annotations"):
        Judge("de", [thing])  # type: ignore[list-item]


# Missing libraries

MISSING = [
    ("simplemma", "de", "simplemma", "pip install 'simplemma>=2,<3'"),
    ("jieba", "zh", "jieba", "pip install jieba"),
    ("opencc", "zh", "jieba", "pip install opencc"),
    ("stanza", "de", "stanza", "pip install 'dibimt[stanza]'"),
    ("classla", "sl", "classla", "pip install 'dibimt[classla]'"),
]


@pytest.mark.parametrize(("library", "language", "name", "command"), MISSING)
def test_missing_library(library: str, language: str, name: str, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in [m for m in sys.modules if m == library or m.startswith(library + ".")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.setattr(analyzers, "_LOADED", {})
    monkeypatch.setattr("dibimt_metric.analyzer_builtin._TOKENIZERS", [])
    with pytest.raises(MissingLibraryError) as caught:
        load_analyzer(name, language)
    assert command in str(caught.value)
    assert isinstance(caught.value, ImportError)


def test_a_token_is_made_for_each_word_that_has_none() -> None:
    words = tuple(Word(c, i, i + 1) for i, c in enumerate("abcde"))
    fused = (Token("bc", 1, 3, 1, 3), Token("de", 3, 5, 3, 5))
    analysis = Analysis("abcde", "abcde", "x", words, fused, frozenset())
    assert [(t.text, t.first, t.last) for t in analysis.tokens] == [("a", 0, 1), ("bc", 1, 3), ("de", 3, 5)]
