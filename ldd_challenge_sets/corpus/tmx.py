"""Corpora in TMX 1.4b, the exchange format of translation memories.

The file is read in blocks, so that memory does not grow with the file. Nothing outside the file is fetched, and a file
that declares entities is rejected, because a few lines of declarations can expand to gigabytes of text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple
from xml.parsers import expat

from dibimt_metric.errors import InputError, shown

from ..records import Fault, TextPair
from .base import MISSING_SIDE, SEVERAL_SIDES, Corpus, empty_side, pair_of
from .files import digest, open_bytes, reading_errors

_BLOCK = 1 << 16
# These hold codes of the native format (``<b>``, ``\i``), sub-flows included, not text; ``hi`` marks text.
_CODES = frozenset({"bpt", "ept", "ph", "it", "ut"})
_LINE_BREAK = re.compile(r"[ \t]*[\r\n]\s*")


class Unit(NamedTuple):
    """A translation unit: the line in which it begins, and language code (as written) and text of each variant."""

    line: int
    texts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class TmxCorpus(Corpus):
    """Each translation unit is a pair of its texts in two languages; pairs are numbered by unit.

    Language codes match in any case: ``de`` finds ``xml:lang="DE"``, else ``de-DE`` or ``de_AT``. Two different texts
    in one language are a fault, since nothing tells which of them corresponds to the other side.

    Inside a segment the native codes (``bpt``, ``ept``, ``ph``, ``it``, ``ut``) are dropped with their content; the
    content of any other element (``hi``) is text. A line break and the spaces around it become one space, and spaces
    at both ends are dropped, because they come from the layout of the file.

    Reading raises `InputError` also if the file is not well-formed XML, declares entities, or is not TMX.
    """

    name: str
    path: str
    source_language: str
    target_language: str | None

    @property
    def files(self) -> tuple[str, ...]:
        """The file."""
        return (self.path,)

    def _read(self, start: int) -> Iterator[TextPair | Fault]:
        for number, unit in enumerate(read_units(self.path), 1):
            if number >= start:
                side = partial(self._side, number, unit)
                yield pair_of(number, side, self.source_language, self.target_language)

    def _side(self, number: int, unit: Unit, language: str) -> str | Fault:
        texts = texts_in(unit, language)
        where = f"the translation unit in line {unit.line} of the file"
        if not texts:
            languages = ", ".join(dict.fromkeys(code or "no language" for code, _ in unit.texts)) or "nothing"
            message = f"{where} has no text in {shown(language)}; it has {languages}"
            return Fault(self.path, number, MISSING_SIDE, message)
        if len(texts) > 1:
            message = f"{where} has {len(texts)} texts in {shown(language)}; keep one, or name a variant"
            return Fault(self.path, number, SEVERAL_SIDES, message)
        if not texts[0]:
            return empty_side(self.path, number, f"text in {shown(language)} of {where}")
        return texts[0]

    def count(self) -> None:
        """Unknown: only reading the XML tells units from other text."""

    def fingerprint(self) -> str:
        """Of the file and the two languages."""
        return digest(("tmx", self.source_language, self.target_language), self.files)


def texts_in(unit: Unit, language: str) -> tuple[str, ...]:
    """The different texts of a unit in a language; of exactly this code, else of its variants.

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
    """The translation units of a file, one by one; see `TmxCorpus`."""
    reader = _Reader(path)
    with open_bytes(path) as stream:
        while True:
            with reading_errors(path):
                block = stream.read(_BLOCK)
            reader.feed(block)
            yield from reader.units
            reader.units.clear()
            if not block:
                return


class _Reader:
    def __init__(self, path: str) -> None:
        self._path = path
        self.units: list[Unit] = []
        self._line = 0  # where the current unit begins
        self._texts: list[tuple[str, str]] = []  # of the current unit
        self._language = ""
        self._pieces: list[str] | None = None  # of the current segment
        self._code_depth = 0  # open elements from the native code down
        self._seen_root = False
        self._xml = expat.ParserCreate()
        self._xml.buffer_text = True
        self._xml.StartElementHandler = self._start
        self._xml.EndElementHandler = self._end
        self._xml.CharacterDataHandler = self._characters
        self._xml.EntityDeclHandler = self._entity
        # If a document type is declared in another file, expat silently skips entities it does not know.
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
        return InputError(f"{self._path}, line {line}: {problem}; nothing after this line can be read")

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
        raise self._error(f"declares the entity {shown(name)}; replace it by its text and remove the declaration")

    def _other(self, text: str) -> None:
        if text.startswith("&") and self._pieces is not None:
            raise self._error(f"the entity {shown(text)} is not defined; write the character itself")
