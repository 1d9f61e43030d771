"""Two line-aligned files: what a line is, what a fault is, and what cannot be read at all."""

from __future__ import annotations

import gzip
import os
import pickle
import tracemalloc
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dibimt_metric.errors import InputError
from ldd_challenge_sets.corpus import Corpus, open_corpus
from ldd_challenge_sets.corpus.files import count_lines, decode_line, raw_lines, read_lines
from ldd_challenge_sets.corpus.opening import common_name
from ldd_challenge_sets.records import Fault, TextPair

Files = Callable[[bytes, bytes], Corpus]


@pytest.fixture
def files(tmp_path: Path) -> Files:
    """Write two sides and open them."""

    def write(source: bytes, target: bytes) -> Corpus:
        (tmp_path / "talk.de").write_bytes(source)
        (tmp_path / "talk.en").write_bytes(target)
        return open_corpus(tmp_path / "talk.de", tmp_path / "talk.en")

    return write


def kinds(corpus: Corpus) -> list[str]:
    """``ok`` or the kind of fault of each entry."""
    return [entry.kind if isinstance(entry, Fault) else "ok" for entry in corpus.read()]


def sources(corpus: Corpus) -> list[str | None]:
    return [entry.source for entry in corpus.read() if isinstance(entry, TextPair)]


def test_pairs_in_order(files: Files) -> None:
    corpus = files(b"Sie gibt auf.\nEr nicht.\n", b"She gives up.\nHe does not.\n")
    assert list(corpus.read()) == [
        TextPair(1, "Sie gibt auf.", "She gives up."),
        TextPair(2, "Er nicht.", "He does not."),
    ]
    assert (corpus.name, [Path(file).name for file in corpus.files]) == ("talk", ["talk.de", "talk.en"])
    assert (corpus.count(), corpus.check()) == (2, ())


@pytest.mark.parametrize("start", [1, 2, 3, 4])
def test_start_is_the_same_as_dropping(files: Files, start: int) -> None:
    corpus = files(b"\xef\xbb\xbfa\nb\n\n", b"1\n2\n3\n")
    assert list(corpus.read(start)) == list(corpus.read())[start - 1 :]


def test_start_counts_from_one(files: Files) -> None:
    with pytest.raises(InputError, match="counted from 1; reading cannot start at 0"):
        files(b"a\n", b"b\n").read(0)


@pytest.mark.parametrize(
    ("raw", "texts"),
    [
        (b"a\nb\n", ["a", "b"]),
        (b"a\nb", ["a", "b"]),
        (b"a\r\nb\r\n", ["a", "b"]),
        (b"a\r\nb\r", ["a", "b"]),
        (b"a\r\r\nb\n", ["a\r", "b"]),  # one carriage return is the line end's, more are text
        (b"a\rb\nc\n", ["a\rb", "c"]),
        ("a\u2028b\nc\u2029\x85d\n".encode(), ["a\u2028b", "c\u2029\x85d"]),
        (b"a\x0cb\x0b\nc\x1c\n", ["a\x0cb\x0b", "c\x1c"]),
        (b"a\0b\nc\n", ["a\0b", "c"]),
        (b"\xef\xbb\xbfa\nb\n", ["a", "b"]),
        (
            "a\ufeff\n\ufeffb\n".encode(),
            ["a\ufeff", "\ufeffb"],
        ),  # a mark is one at the beginning of a file only
        ("\ufeff\ufeffa\nb\n".encode(), ["\ufeffa", "b"]),
        (" a \t\nb\u00a0\n".encode(), [" a \t", "b\u00a0"]),
        ("\U0001f600\ne\u0301\n".encode(), ["\U0001f600", "e\u0301"]),
    ],
)
def test_what_a_line_is(files: Files, raw: bytes, texts: list[str]) -> None:
    corpus = files(raw, b"1\n2\n")
    assert (kinds(corpus), sources(corpus)) == (["ok", "ok"], texts)


@given(st.binary(max_size=60))
def test_lines_are_what_a_naive_reader_finds(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("lines") / "file"
    path.write_bytes(b"x" + data)  # the first byte keeps it from being compressed or marked
    lines = (b"x" + data).split(b"\n")
    expected = lines if lines[-1] else lines[:-1]
    assert [line.removesuffix(b"\n") for line in raw_lines(str(path))] == expected
    assert count_lines(str(path)) == len(expected)


@pytest.mark.parametrize("blank", [b"", b"  ", b"\t", "\u00a0\u3000".encode(), b"\r", b"\x0c"])
def test_empty_side_has_its_line_and_file(files: Files, blank: bytes) -> None:
    corpus = files(b"a\n" + blank + b"\nc\n", b"1\n2\n3\n")
    fault = list(corpus.read())[1]
    assert isinstance(fault, Fault)
    assert (fault.kind, fault.line, fault.file) == ("empty_side", 2, corpus.files[0])
    assert str(fault).endswith("talk.de, line 2: " + fault.message)
    assert "source side is empty" in fault.message
    assert kinds(corpus) == ["ok", "empty_side", "ok"]
    other = list(files(b"a\nb\nc\n", b"1\n" + blank + b"\n3\n").read())[1]
    assert isinstance(other, Fault)
    assert other.file.endswith("talk.en")
    assert "target side is empty" in other.message


def test_invisible_but_not_blank_is_text(files: Files) -> None:
    # Zero-width space and byte order mark are no blanks: somebody wrote them.
    assert kinds(files("\u200b\n\ufeffx\n".encode(), b"1\n2\n")) == ["ok", "ok"]


@pytest.mark.parametrize(
    ("raw", "byte", "value"),
    [
        (b"Gr\xfc\xdfe\n", 3, "0xFC"),
        (b"\xff\n", 1, "0xFF"),
        (b"abc\xe4", 4, "0xE4"),  # begins a character that the file does not finish
        (b"ab\xed\xa0\x80c\n", 3, "0xED"),  # a surrogate
        (b"\xc0\xaf\n", 1, "0xC0"),  # an overlong slash
    ],
)
def test_bad_utf8_names_the_byte(files: Files, raw: bytes, byte: int, value: str) -> None:
    for source, target, name in ((b"a\n" + raw, b"1\n2\n", "talk.de"), (b"a\nb\n", b"1\n" + raw, "talk.en")):
        entries = list(files(source, target).read())
        assert entries[0] == TextPair(1, "a", "1")
        fault = entries[1]
        assert isinstance(fault, Fault)
        assert (fault.kind, fault.line, Path(fault.file).name) == ("bad_utf8", 2, name)
        assert f"byte {byte} of the line ({value}) is not UTF-8" in fault.message


def test_both_sides_bad_names_the_source(files: Files) -> None:
    (fault,) = files(b"\xff\n", b"\xff\n").read()
    assert isinstance(fault, Fault)
    assert fault.file.endswith("talk.de")


@pytest.mark.parametrize(("source", "target", "longer"), [(4, 2, "talk.de"), (2, 4, "talk.en")])
def test_different_line_counts(files: Files, source: int, target: int, longer: str) -> None:
    corpus = files(b"a\n" * source, b"1\n" * target)
    assert kinds(corpus) == ["ok", "ok", "no_partner", "no_partner"]
    assert corpus.count() == 4
    surplus = [entry for entry in corpus.read() if isinstance(entry, Fault)]
    assert [(Path(fault.file).name, fault.line) for fault in surplus] == [(longer, 3), (longer, 4)]
    (fault,) = corpus.check()
    assert (Path(fault.file).name, fault.line, fault.kind) == (longer, 3, "line_counts")
    assert f"talk.de has {source} lines" in fault.message
    assert f"talk.en has {target};" in fault.message


def test_missing_last_line_end_is_no_difference(files: Files) -> None:
    corpus = files(b"a\nb", b"1\n2\n")
    assert (kinds(corpus), corpus.check(), corpus.count()) == (["ok", "ok"], (), 2)


def test_blank_line_at_the_end_is_a_line(files: Files) -> None:
    corpus = files(b"a\n\n", b"1\n")
    assert kinds(corpus) == ["ok", "no_partner"]
    assert corpus.check()[0].line == 2


def test_empty_files(files: Files) -> None:
    corpus = files(b"", b"")
    assert (list(corpus.read()), corpus.count(), corpus.check()) == ([], 0, ())


def test_one_side_only(tmp_path: Path) -> None:
    path = tmp_path / "side.txt"
    path.write_bytes(b"a\n\xff\n \n")
    source, target = open_corpus(path), open_corpus(target=path)
    assert next(source.read()) == TextPair(1, "a", None)
    assert next(target.read()) == TextPair(1, None, "a")
    assert kinds(source) == kinds(target) == ["ok", "bad_utf8", "empty_side"]
    assert (source.count(), source.check(), source.name) == (3, (), "side")
    assert source.fingerprint() != target.fingerprint()
    with pytest.raises(InputError, match="at least one file"):
        open_corpus()


# Compressed files


@pytest.mark.parametrize(("source", "target"), [("a.de.gz", "a.en"), ("a.de", "a.en.gz"), ("a.de.gz", "a.en.gz")])
def test_compressed_and_plain_can_be_mixed(tmp_path: Path, source: str, target: str) -> None:
    for name, data in ((source, b"\xef\xbb\xbfj\xc3\xa4\nb\n"), (target, b"1\n2\n")):
        (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    corpus = open_corpus(tmp_path / source, tmp_path / target)
    assert list(corpus.read()) == [TextPair(1, "jä", "1"), TextPair(2, "b", "2")]
    assert (corpus.count(), corpus.check(), corpus.name) == (2, (), "a")


def test_compressed_is_seen_by_its_content(tmp_path: Path) -> None:
    path = tmp_path / "a.de"
    path.write_bytes(gzip.compress(b"a\n") + gzip.compress(b"b\n"))  # two members, as `cat` makes them
    assert sources(open_corpus(path)) == ["a", "b"]


def test_named_gz_but_plain(tmp_path: Path) -> None:
    for data in (b"a\n", b""):
        (tmp_path / "a.gz").write_bytes(data)
        with pytest.raises(InputError, match=r"a\.gz: its name ends in \.gz, but it is not compressed"):
            open_corpus(tmp_path / "a.gz")


@pytest.mark.parametrize("cut", [-4, 40, 12])
def test_truncated_gz(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "a.de.gz"
    path.write_bytes(gzip.compress(os.urandom(200).hex().encode())[:cut])
    for work in (lambda: list(open_corpus(path).read()), lambda: count_lines(str(path))):
        with pytest.raises(InputError, match=r"a\.de\.gz: the compressed file ends too early"):
            work()


def test_truncated_gz_gives_the_lines_before(tmp_path: Path) -> None:
    path = tmp_path / "a.de.gz"
    path.write_bytes(gzip.compress(b"".join(b"%d\n" % number for number in range(250_000)))[:-50_000])
    entries = open_corpus(path).read()
    assert len(list(islice(entries, 100))) == 100
    with pytest.raises(InputError, match="ends too early"):
        list(entries)


def test_damaged_gz(tmp_path: Path) -> None:
    data = bytearray(gzip.compress(b"some text that is compressed\n" * 20))
    path = tmp_path / "a.de.gz"
    for place in (20, len(data) - 6):  # in the middle; in the check sum
        damaged = data.copy()
        damaged[place] ^= 0xFF
        path.write_bytes(damaged)
        with pytest.raises(InputError, match=r"a\.de\.gz: "):
            list(open_corpus(path).read())


# What cannot be opened


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nothing\.de: cannot be read \(No such file"):
        open_corpus(tmp_path / "nothing.de")


def test_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a folder; give the path of a file"):
        open_corpus(tmp_path)


def test_null_character_in_the_name() -> None:
    with pytest.raises(InputError, match="cannot be read"):
        open_corpus("a\0b")


def test_pipe(tmp_path: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("this system has no named pipes")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="is not a regular file"):
        open_corpus(tmp_path / "pipe")


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf16(tmp_path: Path, codec: str) -> None:
    (tmp_path / "a.de").write_bytes("\ufeffSie gibt auf.\n".encode(codec))
    with pytest.raises(InputError, match="is UTF-16; convert the file to UTF-8"):
        open_corpus(tmp_path / "a.de")


def test_file_that_vanishes_after_opening(files: Files) -> None:
    corpus = files(b"a\n", b"1\n")
    Path(corpus.files[1]).unlink()
    with pytest.raises(InputError, match=r"talk\.en: cannot be read"):
        list(corpus.read())


# The spec


def test_spec_is_frozen_and_survives_pickling(files: Files) -> None:
    corpus = files(b"a\n", b"1\n")
    copy = pickle.loads(pickle.dumps(corpus))
    assert copy == corpus
    assert hash(copy) == hash(corpus)
    assert list(copy.read()) == list(corpus.read()) == [TextPair(1, "a", "1")]
    with pytest.raises(AttributeError):
        setattr(corpus, "name", "other")  # noqa: B010


def test_fingerprint_is_of_the_content(tmp_path: Path) -> None:
    def made(folder: str, source: bytes, target: bytes) -> str:
        place = tmp_path / folder
        place.mkdir()
        (place / "a.de").write_bytes(source)
        (place / "a.en").write_bytes(target)
        return open_corpus(place / "a.de", place / "a.en").fingerprint()

    first = made("first", b"a" * 5000, b"1\n")
    assert first == made("moved", b"a" * 5000, b"1\n")
    assert len(first) == 64
    others = {
        made("middle", b"a" * 2500 + b"b" + b"a" * 2499, b"1\n"),  # same size, head and tail
        made("target", b"a" * 5000, b"2\n"),
        made("swapped", b"1\n", b"a" * 5000),
        made("longer", b"a" * 5001, b"1\n"),
    }
    assert len(others | {first}) == 5


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_bytes(b"a line of text that is repeated a lot\n".rjust(200, b".") * 50_000)  # 10 MB
    corpus = open_corpus(path, path)
    tracemalloc.start()
    try:
        assert sum(1 for _ in corpus.read()) == corpus.count() == 50_000
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("news.de", "news.en"), "news"),
        (("/data/news.de.gz", "/other/news.en"), "news"),
        (("set.de-en.src.de", "set.de-en.ref.A.en"), "set.de-en"),
        (("corpus.es", "corpus.en"), "corpus"),  # the endings share a letter
        (("de.txt", "en.txt"), "de.txt"),
        (("books1.de", "books2.en"), "books1.de"),
        (("same.txt", "same.txt"), "same.txt"),
        (("memory.tmx.gz",), "memory"),
        (("plain",), "plain"),
    ],
)
def test_name_of_a_corpus(names: tuple[str, ...], expected: str) -> None:
    assert common_name(*names) == expected


def test_name_can_be_given(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"a\n")
    assert open_corpus(tmp_path / "a", name="Books").name == "Books"


# Helpers that others use


def test_read_lines_stops_at_bad_utf8(tmp_path: Path) -> None:
    path = tmp_path / "links"
    path.write_bytes(b"0-0\r\n\n\xff\n")
    lines = read_lines(str(path))
    assert [next(lines), next(lines)] == ["0-0", ""]
    with pytest.raises(InputError, match=r"links, line 3: byte 1 of the line \(0xFF\)"):
        next(lines)


@given(st.text(alphabet=st.characters(exclude_characters="\n", exclude_categories=["Cs"])))
def test_decoded_line_is_the_text(text: str) -> None:
    assert decode_line(text.encode() + b"\r\n") == text
    assert decode_line(text.encode() + b"\n") == text.removesuffix("\r")
