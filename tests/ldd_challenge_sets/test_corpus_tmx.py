"""Translation memories: languages, inline elements, faults, and XML that means harm."""

from __future__ import annotations

import gzip
import pickle
import tracemalloc
from itertools import islice
from pathlib import Path

import pytest

from dibimt_metric.errors import InputError
from ldd_challenge_sets.corpus import open_tmx
from ldd_challenge_sets.corpus.tmx import read_units
from ldd_challenge_sets.records import Fault, TextPair


def tuv(language: str, segment: str) -> str:
    return f'<tuv xml:lang="{language}"><seg>{segment}</seg></tuv>'


def unit(*variants: str) -> str:
    return f"<tu>{''.join(variants)}</tu>\n"


def memory(*units: str, head: str = '<?xml version="1.0"?>\n') -> bytes:
    header = '<tmx version="1.4"><header srclang="de" datatype="plaintext"/><body>\n'
    return f"{head}{header}{''.join(units)}</body></tmx>\n".encode()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.tmx"


def entries(path: Path, data: bytes, source: str = "de", target: str | None = "en") -> list[TextPair | Fault]:
    path.write_bytes(data)
    return list(open_tmx(path, source, target).read())


def test_pairs(path: Path) -> None:
    data = memory(
        unit(tuv("de", "Sie gibt auf."), tuv("en", "She gives up.")),
        unit(tuv("en", "He &amp; I do &lt;not&gt;."), tuv("de", "Er &#228; ich nicht.")),
    )
    assert entries(path, data) == [
        TextPair(1, "Sie gibt auf.", "She gives up."),
        TextPair(2, "Er ä ich nicht.", "He & I do <not>."),
    ]
    corpus = open_tmx(path, "en", "de")
    assert (corpus.name, corpus.count(), corpus.check()) == ("memory", None, ())
    assert next(corpus.read(2)) == TextPair(2, "He & I do <not>.", "Er ä ich nicht.")
    assert next(open_tmx(path, "en").read()) == TextPair(1, "She gives up.", None)


@pytest.mark.parametrize("code", ["de", "DE", "de-DE", "DE-at", "de_AT", "de-Latn-DE"])
def test_a_language_finds_its_variants(path: Path, code: str) -> None:
    assert entries(path, memory(unit(tuv(code, "auf"), tuv("en", "up")))) == [TextPair(1, "auf", "up")]


@pytest.mark.parametrize("code", ["den", "d", "nds-de", "x-de", ""])
def test_a_language_finds_no_other(path: Path, code: str) -> None:
    (fault,) = entries(path, memory(unit(tuv(code, "auf"), tuv("en", "up"))))
    assert isinstance(fault, Fault)
    assert fault.kind == "missing_side"


def test_a_variant_does_not_find_the_language(path: Path) -> None:
    (fault,) = entries(path, memory(unit(tuv("de", "auf"), tuv("en", "up"))), "de-AT")
    assert isinstance(fault, Fault)
    assert "has no text in 'de-AT'; it has de, en" in fault.message


def test_the_exact_code_comes_before_variants(path: Path) -> None:
    data = memory(unit(tuv("en-US", "color"), tuv("EN", "hue"), tuv("en-GB", "colour"), tuv("de", "Farbe")))
    assert entries(path, data) == [TextPair(1, "Farbe", "hue")]
    assert entries(path, data, target="en-gb") == [TextPair(1, "Farbe", "colour")]


def test_several_texts_of_a_language(path: Path) -> None:
    data = memory(
        unit(tuv("de", "Farbe"), tuv("en-US", "color"), tuv("en-GB", "colour")),
        unit(tuv("de", "auf"), tuv("en-US", "up"), tuv("en-GB", "up")),  # not different
    )
    first, second = entries(path, data)
    assert isinstance(first, Fault)
    assert (first.kind, first.line) == ("several_sides", 1)
    assert "line 3 of the file has 2 texts in 'en'; keep one, or name a variant" in first.message
    assert second == TextPair(2, "auf", "up")


def test_the_old_attribute(path: Path) -> None:
    data = memory(unit('<tuv lang="DE"><seg>auf</seg></tuv><tuv lang="EN"><seg>up</seg></tuv>'))
    assert entries(path, data) == [TextPair(1, "auf", "up")]


@pytest.mark.parametrize(
    ("segment", "text"),
    [
        ('A <bpt i="1">&lt;b&gt;</bpt>bold<ept i="1">&lt;/b&gt;</ept> word', "A bold word"),
        ('Page <ph x="1"/>of<ph>{0}</ph> ten', "Page of ten"),
        ("See <it pos='begin'>&lt;i&gt;</it>here", "See here"),
        ("An <hi type='term'>early <hi>riser</hi></hi>.", "An early riser."),
        # A sub-flow stands inside a code: a footnote, the text of an attribute.
        ("A note<ph>\\footnote{<sub>not <hi>this</hi> here</sub>}</ph> there", "A note there"),
        ("<ut>{\\b </ut>old<ut>}</ut>", "old"),
        ("<unknown>kept</unknown> too", "kept too"),
        ("<![CDATA[a < b & c]]>", "a < b & c"),
        ("a<!-- not this --><?nor this?>b", "ab"),
        ("\n      laid out\n      on two lines\n    ", "laid out on two lines"),
        ("two  blanks\tand a tab", "two  blanks\tand a tab"),
        ("a&#10;b&#13;c", "a b c"),
        ("line\u2028separator", "line\u2028separator"),
    ],
)
def test_inline_elements(path: Path, segment: str, text: str) -> None:
    assert entries(path, memory(unit(tuv("de", segment), tuv("en", "x")))) == [TextPair(1, text, "x")]


def test_notes_and_properties_are_no_text(path: Path) -> None:
    data = memory(
        '<tu><note>n</note><prop type="p">q</prop><tuv xml:lang="de"><prop type="x">y</prop><seg>auf</seg></tuv>'
        + tuv("en", "up")
        + "</tu>"
    )
    assert entries(path, data) == [TextPair(1, "auf", "up")]


def test_faults_stand_in_place(path: Path) -> None:
    data = memory(
        unit(tuv("de", "auf"), tuv("en", "up")),
        unit(tuv("de", "auf"), tuv("fr", "haut")),
        unit(tuv("de", " \n "), tuv("en", "up")),
        unit(tuv("de", "auf"), tuv("en", "<ph>{0}</ph>")),
        unit(tuv("de", "auf"), '<tuv xml:lang="en"></tuv>'),
        unit(),
        unit(tuv("de", "an"), tuv("en", "on")),
    )
    found = entries(path, data)
    kinds = [entry.kind if isinstance(entry, Fault) else "ok" for entry in found]
    assert kinds == [
        "ok", "missing_side", "empty_side", "empty_side", "missing_side", "missing_side", "ok",
    ]  # fmt: skip
    assert [entry.line for entry in found] == list(range(1, 8))
    assert "line 4 of the file has no text in 'en'; it has de, fr" in str(found[1])
    assert "has no text in 'de'; it has nothing" in str(found[5])


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-1", "windows-1252"])
def test_encodings(path: Path, codec: str) -> None:
    declared = codec.removesuffix("-sig")
    head = f'<?xml version="1.0" encoding="{declared}"?>\n'
    text = memory(unit(tuv("de", "Grüße"), tuv("en", "x")), head=head).decode()
    assert entries(path, text.encode(codec)) == [TextPair(1, "Grüße", "x")]


def test_compressed(tmp_path: Path) -> None:
    path = tmp_path / "m.tmx.gz"
    path.write_bytes(gzip.compress(memory(unit(tuv("de", "auf"), tuv("en", "up")))))
    corpus = open_tmx(path, "de", "en")
    assert (corpus.name, list(corpus.read())) == ("m", [TextPair(1, "auf", "up")])
    path.write_bytes(path.read_bytes()[:-12])
    with pytest.raises(InputError, match="ends too early"):
        list(corpus.read())


def test_blocks_do_not_cut_text(path: Path) -> None:
    # Longer than a block of the reader, with characters of several bytes at every place.
    segments = ["ä€\U0001f600" * (number % 90) + "." for number in range(2000)]
    path.write_bytes(memory(*(unit(tuv("de", segment), tuv("en", "x")) for segment in segments)))
    assert [entry[1] for entry in open_tmx(path, "de", "en").read()] == segments


# What cannot be read


def test_not_well_formed(path: Path) -> None:
    good = unit(tuv("de", "auf"), tuv("en", "up"))
    path.write_bytes(memory(good * 3, "<tu><tuv></tu>\n", good))
    reading = open_tmx(path, "de", "en").read()
    with pytest.raises(InputError, match=r"memory\.tmx, line 6: not well-formed XML \(mismatched tag\); nothing after"):
        list(reading)


def test_cut_off(path: Path) -> None:
    data = memory(*[unit(tuv("de", "auf"), tuv("en", "up"))] * 2000)
    path.write_bytes(data[: len(data) // 2])
    reading = open_tmx(path, "de", "en").read()
    assert len(list(islice(reading, 500))) == 500  # what stands before is given out
    with pytest.raises(InputError, match="not well-formed XML"):
        list(reading)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", r"line 1: not well-formed XML \(no element found\)"),
        (b"Sie gibt auf.\n", "line 1: not well-formed XML"),
        (b"<html><body/></html>", r"line 1: expected TMX, whose outermost element is <tmx>, not <html>"),
        (b"\x89PNG\r\n", "not well-formed XML"),
        (memory(unit(tuv("de", "a\0b"))), "line 3: not well-formed XML"),
        (
            memory(unit(tuv("de", "Gr\xfc\xdfe"))).replace("ü".encode(), b"\xfc"),
            "line 3: not well-formed XML",
        ),
        (memory(unit(tuv("de", "a&nbsp;b"))), r"line 3: not well-formed XML \(undefined entity\)"),
        (memory(head='<?xml version="1.0" encoding="klingon"?>'), "klingon|unknown encoding"),
        (memory(head='<?xml version="1.0" encoding="shift_jis"?>'), "encoding"),
    ],
)
def test_no_tmx(path: Path, data: bytes, message: str) -> None:
    path.write_bytes(data)
    corpus = open_tmx(path, "de", "en")
    with pytest.raises(InputError, match=message):
        list(corpus.read())
    with pytest.raises(InputError, match=message):
        corpus.check()


DTD = '<?xml version="1.0"?>\n<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n'


def test_document_type_in_another_file_is_not_fetched(path: Path) -> None:
    assert entries(path, memory(unit(tuv("de", "a"), tuv("en", "b")), head=DTD)) == [TextPair(1, "a", "b")]


def test_undefined_entity_is_not_lost_in_silence(path: Path) -> None:
    path.write_bytes(memory(unit(tuv("de", "zwei&nbsp;Wörter"), tuv("en", "b")), head=DTD))
    with pytest.raises(InputError, match="line 4: the entity '&nbsp;' is not defined"):
        list(open_tmx(path, "de", "en").read())


@pytest.mark.parametrize(
    "declaration",
    [
        '<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">',
        '<!ENTITY a SYSTEM "file:///etc/hostname">',
        '<!ENTITY % a SYSTEM "other.dtd"> %a;',
    ],
)
def test_entities_are_refused(path: Path, declaration: str) -> None:
    head = f'<?xml version="1.0"?>\n<!DOCTYPE tmx [{declaration}]>\n'
    path.write_bytes(memory(unit(tuv("de", "&a;"), tuv("en", "b")), head=head))
    with pytest.raises(InputError, match="line 2: declares the entity 'a'; replace it by its text"):
        list(open_tmx(path, "de", "en").read())


def test_unreadable(path: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        open_tmx(path, "de", "en")
    with pytest.raises(InputError, match="is a folder"):
        open_tmx(tmp_path, "de", "en")
    path.write_bytes(memory())
    with pytest.raises(InputError, match="both in 'de'"):
        open_tmx(path, "de", "de")
    with pytest.raises(InputError, match="counted from 1"):
        open_tmx(path, "de", "en").read(0)
    assert list(open_tmx(path, "de", "en").read()) == []


def test_spec(path: Path) -> None:
    path.write_bytes(memory(unit(tuv("de", "auf"), tuv("en", "up"))))
    corpus = open_tmx(path, "de", "en")
    assert pickle.loads(pickle.dumps(corpus)) == corpus
    assert corpus.fingerprint() == open_tmx(path, "de", "en").fingerprint()
    assert corpus.fingerprint() != open_tmx(path, "en", "de").fingerprint()


def test_memory_does_not_grow_with_the_file(path: Path) -> None:
    one = unit(tuv("de", "Sie gibt nicht auf. " * 25), tuv("en", "She does not give up. " * 25)).encode()
    path.write_bytes(memory().replace(b"<body>", b"<body>" + one * 5_000))  # 5 MB
    tracemalloc.start()
    try:
        assert sum(1 for _ in read_units(str(path))) == 5_000
        assert tracemalloc.get_traced_memory()[1] < 3_000_000
    finally:
        tracemalloc.stop()
