"""Parsers: one tree a text, whatever the text; models that are missing or none."""

from __future__ import annotations

import multiprocessing
import re
import sys
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dibimt_metric.errors import InputError, MissingLibraryError
from ldd_challenge_sets.parsing import parsers
from ldd_challenge_sets.parsing.parsers import Parser, load_parser, make_tree, one_line
from ldd_challenge_sets.parsing.trees import check_tree
from ldd_challenge_sets.records import Token, Tree


def forms(tree: Tree) -> list[str]:
    return [token.form for token in tree.tokens]


# Without a model


@pytest.mark.parametrize("spec", ["", "parsey", "udpipe", "udpipe:", "Stanza", "spacy:de"])
def test_unknown_parser(spec: str) -> None:
    with pytest.raises(InputError, match="give stanza, stanza:PACKAGE or udpipe:MODEL_FILE"):
        load_parser(spec, "de")


@given(st.text(min_size=1))
def test_a_text_becomes_one_line_of_the_same_length(text: str) -> None:
    if text.isspace():
        with pytest.raises(InputError, match="an empty text cannot be parsed"):
            one_line(text)
        return
    line = one_line(text)
    assert len(line) == len(text)
    assert len(line.splitlines()) == 1
    assert "\0" not in line
    assert line.encode("utf-8")
    if text.isprintable():
        assert line == text


@pytest.mark.parametrize(
    ("heads", "problem"),
    [((2, 1), "no token has head 0"), ((0, 0), "1 and 2 have head 0"), ((0, 3), "head 3")],
)
def test_a_parser_that_makes_no_tree(heads: tuple[int, int], problem: str) -> None:
    tokens = [Token(number, "x", "_", "X", "_", "_", head, "dep") for number, head in enumerate(heads, 1)]
    with pytest.raises(InputError, match=rf"demo made no tree of the text 'x x': .*{problem}.*remove its pair"):
        make_tree(tokens, "x x", "demo")


@pytest.mark.parametrize(
    ("spec", "library", "extra"),
    [("udpipe:model", "ufal.udpipe", "ldd"), ("stanza", "stanza", "stanza")],
)
def test_missing_library(monkeypatch: pytest.MonkeyPatch, spec: str, library: str, extra: str) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingLibraryError, match=rf"{library}: pip install 'dibimt\[{extra}\]'"):
        load_parser(spec, "de")


# UDPipe


def test_udpipe_model_that_is_missing(tmp_path: Path) -> None:
    pytest.importorskip("ufal.udpipe")
    for name, reason in (("nothing.udpipe", "No such file"), (".", "[Ii]s a directory"), ("a\0b", "null")):
        with pytest.raises(InputError, match=rf"cannot be read \(.*{reason}.*give the path of a UDPipe model"):
            load_parser(f"udpipe:{name}", "de", folder=str(tmp_path))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"just text\n",
        b"\x80\x02\x8a\x0a pickled",  # ends the process when the library itself is asked
        b"\x12morphodita_parsito",
        b"\x12morphodita_parsito\x03\x7f\x7f\x01\x03 and no more",
    ],
)
def test_udpipe_model_that_is_none(tmp_path: Path, content: bytes) -> None:
    pytest.importorskip("ufal.udpipe")
    (tmp_path / "model").write_bytes(content)
    with pytest.raises(InputError, match="model: is not a model of UDPipe 1, or is damaged"):
        load_parser("udpipe:model", "de", folder=str(tmp_path))


class _Word:
    def __init__(self, id: int, form: str, head: int, deprel: str) -> None:
        self.id, self.form, self.head, self.deprel = id, form, head, deprel
        self.lemma = self.upostag = self.xpostag = self.feats = ""


class _Library:
    """Stands for ``ufal.udpipe``: a model whose tokenizer ends a sentence at every bar."""

    class Sentence:
        def __init__(self) -> None:
            self.words = [_Word(0, "<root>", -1, "")]

        def addWord(self, form: str) -> None:
            head = len(self.words) - 1
            self.words.append(_Word(head + 1, form, head, "dep"))

    class ProcessingError:
        def occurred(self) -> bool:
            return False

    class Model:
        can_tokenize = can_tag = can_parse = True

        @classmethod
        def load(cls, path: str) -> _Library.Model:
            return cls()

        def newTokenizer(self, options: str) -> _Library.Model | None:
            assert options == "presegmented"
            return self if self.can_tokenize else None

        def setText(self, text: str) -> None:
            self.left = [part.split() for part in text.split("|") if part.strip()]

        def nextSentence(self, sentence: _Library.Sentence, error: object) -> bool:
            for form in self.left[0] if self.left else []:
                sentence.addWord(form)
            return bool(self.left and self.left.pop(0))

        def tag(self, sentence: object, options: str) -> bool:
            return self.can_tag

        def parse(self, sentence: object, options: str) -> bool:
            return self.can_parse


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> type[_Library]:
    monkeypatch.setattr(parsers, "udpipe_library", lambda: _Library)
    monkeypatch.setattr(parsers, "version", lambda _: "1.4.0")
    (tmp_path / "m.udpipe").write_bytes(b"\x12morphodita_parsito")
    monkeypatch.chdir(tmp_path)
    return _Library


def test_tokens_are_taken_from_the_model(library: type[_Library]) -> None:
    parser = load_parser("udpipe:m.udpipe", "de")
    # The first eight digits of: printf '\x12morphodita_parsito' | sha256sum
    assert parser.name == "udpipe-1.4.0(m.udpipe:42de11ae)"
    assert parser.parse(["Sie geht", " fort\n"]) == [
        Tree(
            (
                Token(1, "Sie", "_", "_", "_", "_", 0, "dep"),
                Token(2, "geht", "_", "_", "_", "_", 1, "dep"),
            ),
            None,
            "Sie geht",
        ),
        Tree((Token(1, "fort", "_", "_", "_", "_", 0, "dep"),), None, " fort "),
    ]


@pytest.mark.parametrize(("text", "number"), [("Sie geht | Er auch", 2), ("|", 0)])
def test_other_than_one_sentence_is_refused(library: type[_Library], text: str, number: int) -> None:
    parser = load_parser("udpipe:m.udpipe", "de")
    with pytest.raises(InputError, match=rf"made {number} sentences of the text '.*', but one was expected"):
        parser.parse(["gut", text])
    assert forms(load_parser("udpipe:m.udpipe", "de", pretokenized=True).parse([text])[0]) == text.split()


@pytest.mark.parametrize("lacks", ["can_tag", "can_parse"])
def test_model_without_tagger_or_parser(library: type[_Library], monkeypatch: pytest.MonkeyPatch, lacks: str) -> None:
    monkeypatch.setattr(library.Model, lacks, False)
    parser = load_parser("udpipe:m.udpipe", "de")
    with pytest.raises(InputError, match=r"m\.udpipe: this model has no tagger or no parser"):
        parser.parse(["gut"])


def test_model_without_tokenizer(library: type[_Library], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library.Model, "can_tokenize", False)
    with pytest.raises(InputError, match=r"m\.udpipe: this model has no tokenizer"):
        load_parser("udpipe:m.udpipe", "de")
    assert load_parser("udpipe:m.udpipe", "de", pretokenized=True).parse(["gut so"])


# Real models. What they get right is theirs; what is asked here holds for any model.

SPECS = {"udpipe": "udpipe:udpipe/de-small.udpipe", "stanza": "stanza:gsd"}
TEXTS = (
    "Die Karawane legte jeden Tag fast 100 Meilen zurück.",
    "Ich gebe auf. Du auch? Nein!",  # three sentences for a reader, one text
    "Im Haus\ngeht es\r\n\r\nweiter\u2028hier",
    "  am Rand  ",
    "Er\0ist da",
    "?",
    "\u200b",
    "\ufffd",
    "W" * 1200,
    "eins " * 120,
    "\U0001f600 e\u0301 10\u00a0000",
    "ungepaart: \ud83d",
)


def model_folder(shared_models: Path, kind: str) -> str:
    pytest.importorskip({"udpipe": "ufal.udpipe", "stanza": "stanza"}[kind])
    return str(shared_models if kind == "udpipe" else shared_models / "stanza")


@pytest.fixture(scope="module", params=sorted(SPECS))
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def parser(shared_models: Path, kind: str) -> Parser:
    return load_parser(SPECS[kind], "de", folder=model_folder(shared_models, kind))


@pytest.fixture(scope="module")
def splitter(shared_models: Path, kind: str) -> Parser:
    return load_parser(SPECS[kind], "de", True, model_folder(shared_models, kind))


@pytest.mark.models
def test_one_tree_for_each_text_in_order(parser: Parser) -> None:
    trees = parser.parse(TEXTS)
    assert [tree.text for tree in trees] == [one_line(text) for text in TEXTS]
    for tree in trees:
        check_tree(tree.tokens)
        assert all(token.form and token.upos != "_" and token.deprel != "_" for token in tree.tokens)
    assert forms(trees[1]) == ["Ich", "gebe", "auf", ".", "Du", "auch", "?", "Nein", "!"]
    assert {"weiter", "hier"} < set(forms(trees[2]))
    assert parser.parse([]) == []


@pytest.mark.models
def test_multi_word_tokens_are_taken_apart(parser: Parser, splitter: Parser) -> None:
    assert forms(parser.parse(["Im Haus"])[0]) == ["In", "dem", "Haus"]
    assert forms(splitter.parse(["Im Haus"])[0]) == ["Im", "Haus"]


@pytest.mark.models
def test_a_tree_does_not_depend_on_its_company(parser: Parser) -> None:
    texts = (
        *TEXTS[:5],
        "Er lehnte den Vorschlag, den sie gestern gemacht hatte, ab.",
        "W" * 40,
        "eins " * 30,
    )
    together = parser.parse(texts)
    assert together == [parser.parse([text])[0] for text in texts]
    assert together[::-1] == parser.parse(texts[::-1])


@pytest.mark.models
def test_pretokenized_text_is_split_at_blanks_only(splitter: Parser) -> None:
    texts = ("Ich gebe auf.  Du\tauch ?\n", "Nein!", "z. B. 1.000,5 (so)")
    trees = splitter.parse(texts)
    assert [forms(tree) for tree in trees] == [text.split() for text in texts]
    for tree in trees:
        check_tree(tree.tokens)


@pytest.mark.models
@pytest.mark.parametrize("text", ["", "  ", "\n", "\u00a0"])
def test_blank_text_is_refused(parser: Parser, splitter: Parser, text: str) -> None:
    for each in (parser, splitter):
        with pytest.raises(InputError, match="an empty text cannot be parsed"):
            each.parse(["gut", text])


@pytest.mark.models
def test_names(parser: Parser, splitter: Parser, kind: str) -> None:
    library, model = {"udpipe": ("udpipe", r"de-small\.udpipe"), "stanza": ("stanza", "gsd")}[kind]
    plain = rf"{library}-\d+(\.\d+)+\({model}:[0-9a-f]{{8}}"
    assert re.fullmatch(plain + r"\)", parser.name)
    assert re.fullmatch(plain + r",pretokenized\)", splitter.name)


@pytest.mark.models
def test_a_separated_particle_is_found(parser: Parser) -> None:
    (tree,) = parser.parse(["Sie gibt nicht auf."])
    relations = {token.form: (token.deprel, forms(tree)[token.head - 1]) for token in tree.tokens}
    assert relations["auf"] == ("compound:prt", "gibt")


WORKER = """
from ldd_challenge_sets.parsing.parsers import load_parser

def parse(spec, folder, texts):
    return load_parser(spec, "de", folder=folder).parse(texts)
"""


@pytest.mark.models
def test_in_a_spawned_process(
    parser: Parser, shared_models: Path, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A new process cannot import test files, but it has the path of modules of the one that started it.
    (tmp_path / "worker_of_parsers.py").write_text(WORKER, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    work = import_module("worker_of_parsers").parse
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        made = pool.submit(work, SPECS[kind], model_folder(shared_models, kind), TEXTS[:2]).result()
    assert made == parser.parse(TEXTS[:2])


@pytest.mark.models
def test_stanza_models_that_are_missing(shared_models: Path, tmp_path: Path) -> None:
    folder = model_folder(shared_models, "stanza")
    for spec, language, place in (
        ("stanza:nope", "de", folder),
        ("stanza", "sv", folder),
        ("stanza:gsd", "de", str(tmp_path)),
        ("stanza:gsd", "de", str(tmp_path / "nothing")),
    ):
        with pytest.raises(MissingLibraryError, match=rf"{language}.* from .*Install it with: stanza\.download\("):
            load_parser(spec, language, folder=place)


@pytest.mark.models
def test_stanza_package_of_its_own_choice(shared_models: Path, monkeypatch: pytest.MonkeyPatch) -> None:

    monkeypatch.setenv("STANZA_RESOURCES_DIR", model_folder(shared_models, "stanza"))
    named = load_parser("stanza", "de").name
    assert "(gsd:" in named  # the metric's choice
    monkeypatch.setattr(parsers, "DEFAULT_PACKAGES", {})
    chosen = load_parser("stanza", "de").name
    assert "(gsd_nocharlm:" in chosen
    assert chosen[-9:] == named[-9:]  # the same models


def test_the_module_is_light() -> None:
    assert {"stanza", "ufal"}.isdisjoint(vars(parsers))
