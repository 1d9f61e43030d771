"""Corpora in TMX 1.4b, the exchange format of translation memories.

The file is read in blocks, and a translation unit is forgotten once it is given out: memory does not grow with the
file. Nothing outside the file is fetched, and a file that declares entities is refused, because a few lines of
declarations can stand for gigabytes of text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple
from xml.parsers import expat

from dibimt_metric.errors import InputError, shown

from ..records import Fault, TextPair
from .base import Corpus, check_start
from .faults import MISSING_SIDE, SEVERAL_SIDES, empty_side
from .files import digest, open_bytes, refusals

_BLOCK = 1 << 16
# These hold codes of the native format (``<b>``, ``\i``), sub-flows included: no text. ``hi`` marks text.
_CODES = frozenset({"bpt", "ept", "ph", "it", "ut"})
_LINE_BREAK = re.compile(r"[ \t]*[\r\n]\s*")


class Unit(NamedTuple):
    """A translation unit.

    Attributes:
        line: line of the file that it begins in.
        texts: language code, as written, and text of each of its variants.
    """

    line: int
    texts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class TmxCorpus(Corpus):
    """Each translation unit is a pair of its texts in two languages.

    A language is found by its code in either case: ``de`` finds ``xml:lang="DE"``, and where there is none
    ``de-DE`` or ``de_AT``. Two different texts in one language are a fault, since nothing says which of them
    belongs to the other side.

    Inside a segment the native codes (``bpt``, ``ept``, ``ph``, ``it``, ``ut``) are dropped with what they hold;
    what any other element holds (``hi``) is text. A line break and the blanks around it become one blank, and
    blanks at both ends are dropped, because they come from the layout of the file.

    Attributes:
        name: see `Corpus`.
        path: the file, plain or compressed.
        source_language, target_language: codes; no target side where the latter is ``None``.
    """

    name: str
    path: str
    source_language: str
    target_language: str | None

    @property
    def files(self) -> tuple[str, ...]:
        """The file."""
        return (self.path,)

    def read(self, start: int = 1) -> Iterator[TextPair | Fault]:
        """See `Corpus.read`; pairs and faults are numbered by translation unit.

        Raises:
            InputError: also where the file is not well-formed XML, declares entities, or is no TMX.
        """
        check_start(start)
        return self._read(start)

    def _read(self, start: int) -> Iterator[TextPair | Fault]:
        for number, unit in enumerate(read_units(self.path), 1):
            if number >= start:
                yield self._entry(number, unit)

    def _entry(self, number: int, unit: Unit) -> TextPair | Fault:
        source = self._side(number, unit, self.source_language)
        if isinstance(source, Fault):
            return source
        if self.target_language is None:
            return TextPair(number, source, None)
        target = self._side(number, unit, self.target_language)
        return target if isinstance(target, Fault) else TextPair(number, source, target)

    def _side(self, number: int, unit: Unit, language: str) -> str | Fault:
        texts = texts_in(unit, language)
        where = f"the translation unit in line {unit.line} of the file"
        if not texts:
            there = ", ".join(dict.fromkeys(code or "no language" for code, _ in unit.texts)) or "nothing"
            message = f"{where} has no text in {shown(language)}; it has {there}"
            return Fault(self.path, number, MISSING_SIDE, message)
        if len(texts) > 1:
            message = f"{where} has {len(texts)} texts in {shown(language)}; keep one, or name a variant"
            return Fault(self.path, number, SEVERAL_SIDES, message)
        if not texts[0]:
            return empty_side(self.path, number, f"text in {shown(language)} of {where}")
        return texts[0]

    def count(self) -> None:
        """Unknown: units can only be told from other text by reading the XML."""
        return

    def fingerprint(self) -> str:
        """Of the file and the two languages."""
        return digest(("tmx", self.source_language, self.target_language), self.files)


def texts_in(unit: Unit, language: str) -> tuple[str, ...]:
    """The different texts of a unit in a language; those of exactly this code, else those of its variants.

    >>> unit = Unit(7, (("EN-GB", "colour"), ("en-US", "color"), ("de", "Farbe")))
    >>> texts_in(unit, "en-gb"), texts_in(unit, "en"), texts_in(unit, "fr")
    (('colour',), ('colour', 'color'), ())
    """
    wanted = _code(language)
    coded = [(_code(code), text) for code, text in unit.texts]
    exact = [text for code, text in coded if code == wanted]
    variants = [text for code, text in coded if code.startswith(wanted + "-")]
    return tuple(dict.fromkeys(exact or variants))


def _code(language: str) -> str:
    return language.replace("_", "-").lower()


def read_units(path: str) -> Iterator[Unit]:
    """The translation units of a file, one by one.

    Raises:
        InputError: see `TmxCorpus.read`.
    """
    reader = _Reader(path)
    with open_bytes(path) as stream:
        while True:
            with refusals(path):
                block = stream.read(_BLOCK)
            reader.feed(block)
            yield from reader.units
            reader.units.clear()
            if not block:
                return


class _Reader:
    """Turns XML, block by block, into units."""

    def __init__(self, path: str) -> None:
        self._path = path
        self.units: list[Unit] = []
        self._line = 0  # where the current unit begins
        self._texts: list[tuple[str, str]] = []  # of the current unit
        self._language = ""
        self._pieces: list[str] | None = None  # of the current segment
        self._code_depth = 0  # elements open below and with a native code
        self._seen_root = False
        self._xml = expat.ParserCreate()
        self._xml.buffer_text = True
        self._xml.StartElementHandler = self._start
        self._xml.EndElementHandler = self._end
        self._xml.CharacterDataHandler = self._characters
        self._xml.EntityDeclHandler = self._entity
        # Where a document type stands in another file, expat passes over entities it does not know in silence.
        self._xml.DefaultHandlerExpand = self._other

    def feed(self, block: bytes) -> None:
        try:
            self._xml.Parse(block, not block)
        except expat.ExpatError as error:
            raise self._error(f"not well-formed XML ({expat.ErrorString(error.code)})") from error
        except (LookupError, ValueError) as error:
            if isinstance(error, InputError):
                raise
            raise self._error(f"its encoding cannot be read ({error}); convert the file to UTF-8") from error

    def _error(self, problem: str) -> InputError:
        line = self._xml.CurrentLineNumber
        return InputError(f"{self._path}, line {line}: {problem}; nothing after this place can be read")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if not self._seen_root:
            if name != "tmx":
                raise self._error(f"expected TMX, whose outermost element is <tmx>, not <{name}>")
            self._seen_root = True
        elif self._pieces is not None:
            self._code_depth += bool(self._code_depth) or name in _CODES
        elif name == "tu":
            self._line = self._xml.CurrentLineNumber
            self._texts = []
        elif name == "tuv":
            self._language = attributes.get("xml:lang") or attributes.get("lang") or ""  # "lang": TMX 1.1
        elif name == "seg":
            self._pieces = []

    def _end(self, name: str) -> None:
        if self._code_depth:
            self._code_depth -= 1
        elif name == "seg" and self._pieces is not None:
            self._texts.append((self._language, _LINE_BREAK.sub(" ", "".join(self._pieces)).strip()))
            self._pieces = None
        elif name == "tu":
            self.units.append(Unit(self._line, tuple(self._texts)))

    def _characters(self, text: str) -> None:
        if self._pieces is not None and not self._code_depth:
            self._pieces.append(text)

    def _entity(self, name: str, *_rest: object) -> None:
        raise self._error(
            f"declares the entity {shown(name)}; put the text in its place and remove the declaration"
        )

    def _other(self, text: str) -> None:
        if text.startswith("&") and self._pieces is not None:
            raise self._error(f"the entity {shown(text)} is not defined; write the character itself")
