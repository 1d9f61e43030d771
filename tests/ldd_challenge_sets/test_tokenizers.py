from __future__ import annotations

import sys
from pathlib import Path

import pytest

from dibimt_metric.errors import InputError, MissingLibraryError
from ldd_challenge_sets.parsing.parsers import load_tokenizer


def test_whitespace() -> None:
    split = load_tokenizer("whitespace")
    assert split("He gave  up .\n") == ("He", "gave", "up", ".")
    assert split("don't,stop") == ("don't,stop",)
    assert split("") == split(" \t") == ()


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        # The rules of mteval-v13a: punctuation apart, but for dots and commas between digits; hyphens after digits.
        ("He gave up, didn't he?", ("He", "gave", "up", ",", "didn't", "he", "?")),
        ("3.5 or 1,000 (ca.)", ("3.5", "or", "1,000", "(", "ca", ".", ")")),
        ("24-hour re-elected", ("24", "-", "hour", "re-elected")),
        ("&quot;Yes&quot;", ('"', "Yes", '"')),
        ("", ()),
    ],
)
def test_13a(text: str, tokens: tuple[str, ...]) -> None:
    pytest.importorskip("sacrebleu")
    assert load_tokenizer("13a")(text) == tokens


@pytest.mark.parametrize("name", ["", "13A", "13a:x", "moses", "udpipe", "udpipe:", "whitespace:", "zh"])
def test_unknown_name(name: str) -> None:
    with pytest.raises(InputError, match="unknown tokenizer .*; choose one of whitespace, 13a, udpipe:MODEL"):
        load_tokenizer(name)


@pytest.mark.parametrize(("module", "name"), [("sacrebleu", "13a"), ("ufal.udpipe", "udpipe:x")])
def test_missing_library(monkeypatch: pytest.MonkeyPatch, module: str, name: str) -> None:
    for loaded in [each for each in sys.modules if each == module or each.startswith(f"{module}.")]:
        monkeypatch.delitem(sys.modules, loaded)
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingLibraryError, match=r"pip install 'dibimt\[ldd\]'"):
        load_tokenizer(name)


def test_a_file_that_is_no_model(tmp_path: Path) -> None:
    pytest.importorskip("ufal.udpipe")
    with pytest.raises(InputError, match=r"none\.udpipe"):
        load_tokenizer(f"udpipe:{tmp_path / 'none.udpipe'}")
    # The library would end the whole process over this one.
    (tmp_path / "bad.udpipe").write_bytes(b"\xff" * 100)
    with pytest.raises(InputError, match=r"bad\.udpipe"):
        load_tokenizer(f"udpipe:{tmp_path / 'bad.udpipe'}")


def test_udpipe(shared_models: Path) -> None:
    pytest.importorskip("ufal.udpipe")
    split = load_tokenizer(f"udpipe:{shared_models / 'udpipe' / 'de-small.udpipe'}")
    assert split("Er geht heute nicht, sagt sie.") == (
        "Er",
        "geht",
        "heute",
        "nicht",
        ",",
        "sagt",
        "sie",
        ".",
    )
    # Words, not surface tokens, as in a parse.
    assert split("Er geht zum Haus.") == ("Er", "geht", "zu", "dem", "Haus", ".")
    # A line is one entry of the corpus, however many sentences are in it, and line ends are no ends.
    assert split("Er geht.\nSie kommt.") == ("Er", "geht", ".", "Sie", "kommt", ".")
    assert split("") == split(" \n") == ()


def test_udpipe_agrees_with_its_parser(shared_models: Path) -> None:
    pytest.importorskip("ufal.udpipe")
    from ldd_challenge_sets.parsing.parsers import load_parser

    spec = f"udpipe:{shared_models / 'udpipe' / 'en-small.udpipe'}"
    texts = ["He won't give it up, will he?", "The man that's sitting on the chair (5 m away) is 80."]
    trees = load_parser(spec, "en").parse(texts)
    assert [load_tokenizer(spec)(text) for text in texts] == [
        tuple(token.form for token in tree.tokens) for tree in trees
    ]
