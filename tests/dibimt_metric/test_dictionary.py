"""The dictionaries in files: the same answers as those in memory, and files that cannot be used."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jieba
import marisa_trie
import pytest
from simplemma import strategies

from dibimt_dataset import mini_translations
from dibimt_metric import analyzer_dictionary
from dibimt_metric.analyzer_dictionary import SimplemmaLexicon, cache_folder, fill_tokenizer

ROOT = Path(__file__).resolve().parents[2]
SPACED = ("bg", "de", "es", "it", "nl", "ru", "sl")


# The same answers


def forms_like(keys: list[str]) -> list[str]:
    """Some forms of a dictionary, and others in another case or spelling, cut, joined, or of no language."""
    chosen = random.Random(1)
    forms = ["", "\0", "\ud800", "a\ud800", "San\xa0Francisco", "ss", "ß", "12", "x" * 65, "dass", "Ärger's"]
    for one, other in zip(chosen.sample(keys, 500), chosen.sample(keys, 500), strict=True):
        forms += [one, one.upper(), one.lower(), one.capitalize(), one.replace("ß", "ss"), one[:-1]]
        forms += [one + other, f"{one}-{other}", one + chosen.choice("'’xß\xff ")]
    return forms


@pytest.mark.parametrize("language", SPACED)
def test_the_same_answers_as_from_memory(language: str) -> None:
    factory = strategies.DefaultDictionaryFactory()
    plain = factory.get_dictionary(language)
    strategy = strategies.DefaultStrategy(greedy=False, dictionary_factory=factory)
    lemmas = frozenset(plain.values())
    lexicon = SimplemmaLexicon(language)
    assert lexicon.mapped
    for form in forms_like(list(plain)):
        possible = len(form) <= 64 and form.isprintable()
        assert lexicon.entry(form) == (plain.get(form) if possible else None)
        assert lexicon.lemma_of(form) == (strategy.get_lemma(form, language) if possible else None)
        variants = [v for s in (form, form.replace("ss", "ß")) for v in (s, s.lower(), s.capitalize())]
        assert lexicon.is_lemma(form) == (not lemmas.isdisjoint(variants)), form


def test_the_same_segmentation_as_from_memory() -> None:
    plain, mapped = jieba.Tokenizer(), jieba.Tokenizer()
    plain.FREQ, plain.total = plain.gen_pfdict(plain.get_dict_file())
    plain.initialized = True
    fill_tokenizer(mapped)
    assert mapped.get_DAG != plain.get_DAG
    assert mapped.total == plain.total
    chosen, words = random.Random(1), list(plain.FREQ)
    texts = [*mini_translations("zh", "careful"), "龘" * 50, "abc 1.5%", "", "\n"]
    texts += ["".join(chosen.choices([*words, *"，。a1 "], k=9)) for _ in range(600)]
    for text in texts:
        for guess in (True, False):
            assert list(mapped.cut(text, HMM=guess)) == list(plain.cut(text, HMM=guess))


# The file


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache."""
    monkeypatch.setenv("DIBIMT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "dictionaries"


class Builder:
    """Builds two tiny parts, and counts how often."""

    calls = 0

    def __call__(self, tries: Any) -> tuple[bytes, bytes]:
        self.calls += 1
        return tries.Trie(["one"]).tobytes(), b"two"


def opened(builder: Builder, language: str = "de") -> bytes:
    found = analyzer_dictionary._open("simplemma", language, builder)
    assert found is not None
    assert found[0].Trie().map(found[1]).keys() == ["one"]
    return bytes(found[2])


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "cut": lambda data: data[:-1],
    "cut in the header": lambda data: data[:20],
    "empty": lambda data: b"",
    "longer": lambda data: data + b"\0",
    "one bit": lambda data: data[:-1] + bytes([data[-1] ^ 1]),
    "size of the first part": lambda data: data[:40] + bytes([data[40] ^ 8]) + data[41:],
    "another format": lambda data: b"dibimt-0" + data[8:],
    "a bare trie": lambda data: marisa_trie.Trie(["one"]).tobytes(),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_built_again(damage: str, folder: Path) -> None:
    builder = Builder()
    assert [opened(builder), opened(builder), builder.calls] == [b"two", b"two", 1]
    (path,) = folder.iterdir()
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
    assert [opened(builder), opened(builder), builder.calls] == [b"two", b"two", 2]
    assert list(folder.iterdir()) == [path]


def test_a_file_counts_for_its_own_language_and_versions_only(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    builder = Builder()
    opened(builder, "de")
    (german,) = folder.iterdir()
    (folder / german.name.replace("-de", "-nl")).write_bytes(german.read_bytes())
    opened(builder, "nl")
    assert builder.calls == 2
    monkeypatch.setattr(analyzer_dictionary, "version", lambda library: "9")
    opened(builder, "de")
    assert builder.calls == 3
    assert "simplemma-9-marisa_trie-9" in "".join(path.name for path in folder.iterdir())


def test_an_interrupted_first_use_leaves_nothing(folder: Path) -> None:
    def build(tries: Any) -> tuple[bytes, bytes]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        analyzer_dictionary._open("simplemma", "de", build)
    assert list(folder.iterdir()) == []


FIRST_USE = """
from dibimt_metric import Candidate, Item, Judge
judge = Judge("sl")
label = judge.judge(Item("1", good=(Candidate("banka"),)), "Banke so zaprte.").label
print(judge.analyzers[0].lexicon.mapped, label.value)
"""


def test_processes_that_start_at_once(folder: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-W", "error", "-c", FIRST_USE]
    both = [
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    # No progress bar in standard error, which is not a terminal.
    assert [process.communicate(timeout=120) for process in both] == [("True GOOD\n", "")] * 2
    assert len(list(folder.iterdir())) == 1


# Without a file


def no_library(folder: Path, patch: pytest.MonkeyPatch) -> None:
    patch.setitem(sys.modules, "marisa_trie", None)


def a_file_in_the_way(folder: Path, patch: pytest.MonkeyPatch) -> None:
    folder.parent.write_text("")


def others_may_write(folder: Path, patch: pytest.MonkeyPatch) -> None:
    folder.mkdir(parents=True)
    folder.chmod(0o777)


def of_another_user(folder: Path, patch: pytest.MonkeyPatch) -> None:
    folder.mkdir(parents=True)
    os.chown(folder, 1, -1)


def full_disk(folder: Path, patch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object, **more: object) -> None:
        raise OSError(28, "No space left on device")

    patch.setattr("tempfile.mkstemp", refuse)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="owners and modes of POSIX")
@pytest.mark.parametrize(
    ("prepare", "reason"),
    [
        (no_library, "marisa-trie is not installed; pip install marisa-trie"),
        (a_file_in_the_way, "set DIBIMT_CACHE to a folder of your own"),
        (others_may_write, "others may write there; set DIBIMT_CACHE"),
        (of_another_user, "belongs to another user"),
        (full_disk, "No space left on device; set DIBIMT_CACHE"),
    ],
)
def test_without_a_file_the_package_is_read_and_a_warning_says_why(
    prepare: Callable[[Path, pytest.MonkeyPatch], None],
    reason: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if prepare is of_another_user and os.geteuid() != 0:
        pytest.skip("needs root")
    prepare(folder, monkeypatch)
    with pytest.warns(RuntimeWarning, match=reason):
        lexicon = SimplemmaLexicon("sl")
    assert not lexicon.mapped
    assert [lexicon.entry("banke"), lexicon.lemma_of("Banke")] == ["banka", "banka"]
    assert [lexicon.is_lemma("banka"), lexicon.is_lemma("xx"), lexicon.is_lemma("\ud800")] == [
        True,
        False,
        False,
    ]
    tokenizer = jieba.Tokenizer()
    with pytest.warns(RuntimeWarning, match=reason):
        fill_tokenizer(tokenizer)
    assert list(tokenizer.cut("他去了银行。")) == ["他", "去", "了", "银行", "。"]


@pytest.mark.parametrize(
    ("settings", "platform", "expected"),
    [
        ({"DIBIMT_CACHE": "/c", "XDG_CACHE_HOME": "/x"}, "linux", "/c"),
        ({"DIBIMT_CACHE": "", "XDG_CACHE_HOME": "/x"}, "linux", "/x/dibimt"),
        ({"HOME": "/h"}, "linux", "/h/.cache/dibimt"),
        ({"HOME": "/h"}, "darwin", "/h/Library/Caches/dibimt"),
        ({"HOME": "/h", "LOCALAPPDATA": "/l"}, "win32", "/l/dibimt"),
    ],
)
def test_the_folder(settings: dict[str, str], platform: str, expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DIBIMT_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    assert cache_folder() == Path(expected)
