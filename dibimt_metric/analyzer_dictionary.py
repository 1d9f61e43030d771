"""The dictionaries of simplemma and jieba, each in one file that is mapped into memory.

Reading them from their packages takes up to 1.6 s and 150 MB in every process. The first use converts them to MARISA
tries in the user's cache folder; later uses open the file in milliseconds, and processes share its memory.

A file is named after the versions of everything that made it, is written whole or not at all, and is checked before
use; a damaged file is built again. If no file can be used, a warning says why, and the dictionaries are read from their
packages. The libraries' own caches are not used: simplemma's `TrieDictionaryFactory` writes in place, checks nothing
and has no set of lemmas; jieba's is a file in the shared temporary folder.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import struct
import sys
import tempfile
import warnings
from array import array
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from .errors import MissingLibraryError

MAX_LOOKED_UP = 64  # No dictionary word is longer; decomposition of a megabyte "word" would take forever.

# A file: the mark of its format, the SHA-256 of its name and its parts, the size of the first part, both parts.
_MARK = b"dibimt-1"
_HEADER = struct.Struct("<8s32sQ")
_COUNTS = struct.Struct("<QQ")  # before jieba's frequencies: their sum, and the length of the longest word

# The library of tries, and the two parts of a file. A trie does not keep its part alive: hold a reference to it.
Opened = tuple[Any, memoryview, memoryview]


class SimplemmaLexicon:
    """The dictionary of one language, as a `Lexicon`.

    Attributes:
        mapped: whether the dictionary is in a mapped file instead of the memory of this process.

    Raises:
        MissingLibraryError: simplemma is not installed.
    """

    def __init__(self, language: str) -> None:
        strategies = _import_simplemma()
        self._language = language
        opened = _open("simplemma", language, lambda tries: _build_lemmas(tries, strategies, language))
        self.mapped = opened is not None
        self._dictionary: Mapping[str, str]
        self._lemmas: Any = None
        if opened is None:
            self._dictionary = strategies.DEFAULT_DICTIONARY_FACTORY.get_dictionary(language)
        else:
            tries, forms, self._part = opened
            self._dictionary = _Lemmas(tries.BytesTrie(), forms)
            self._lemmas = tries.Trie().map(self._part)
        factory = SimpleNamespace(get_dictionary=lambda language: self._dictionary)
        self._strategy = strategies.DefaultStrategy(greedy=False, dictionary_factory=factory)

    def entry(self, form: str) -> str | None:
        """The dictionary's own entry for exactly this form."""
        return self._dictionary.get(form) if _may_be_word(form) else None

    def lemma_of(self, form: str) -> str | None:
        """Lemma of the form by dictionary, or by decomposition of an unknown form into known pieces."""
        if not _may_be_word(form):
            return None
        lemma: str | None = self._strategy.get_lemma(form, self._language)
        return lemma

    def is_lemma(self, form: str) -> bool:
        """Whether the dictionary has ``form`` as the lemma of something, in whatever case, with ß or ss.

        Rules ask with folded forms, which have no ß: ``abschliessen`` is the dictionary's ``abschließen``.
        """
        if self._lemmas is None:
            self._lemmas = frozenset(self._dictionary.values())
        lemmas = self._lemmas
        spellings = (form, form.replace("ss", "ß")) if "ss" in form else (form,)
        try:
            return any(s in lemmas or s.lower() in lemmas or s.capitalize() in lemmas for s in spellings)
        except UnicodeEncodeError:  # A trie cannot be asked for half of a surrogate pair.
            return False


def fill_tokenizer(tokenizer: Any) -> None:
    """Load the dictionary of a jieba tokenizer, without reading or writing jieba's own cache file."""
    opened = _open("jieba", "zh", lambda tries: _build_frequencies(tries, tokenizer))
    if opened is None:
        tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
    else:
        words = _Words(*opened)
        tokenizer.FREQ, tokenizer.total, tokenizer.get_DAG = words, words.total, words.segmentations
    tokenizer.initialized = True


def cache_folder() -> Path:
    """``$DIBIMT_CACHE``, else the folder ``dibimt`` in the system's folder for the user's caches."""
    if own := os.environ.get("DIBIMT_CACHE"):
        return Path(own)
    if sys.platform == "win32":
        caches = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    elif sys.platform == "darwin":
        caches = "~/Library/Caches"
    else:
        caches = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(caches).expanduser() / "dibimt"


def _may_be_word(form: str) -> bool:
    """False for what cannot be looked up: a megabyte without a space, half of a surrogate pair."""
    return len(form) <= MAX_LOOKED_UP and form.isprintable()


def _import_simplemma() -> Any:
    try:
        from simplemma import strategies
    except ImportError as error:
        raise MissingLibraryError("the built-in analyzer needs simplemma 2: pip install 'simplemma>=2,<3'") from error
    return strategies


class _Lemmas(Mapping[str, str]):
    """Form -> lemma, from a trie."""

    def __init__(self, trie: Any, part: memoryview) -> None:
        self._part = part
        self._trie = trie.map(part)

    def get(self, form: str, default: Any = None) -> Any:
        found = self._trie.get(form)
        return found[0].decode() if found else default

    def __getitem__(self, form: str) -> str:
        lemma: str = self._trie[form][0].decode()
        return lemma

    def __iter__(self) -> Iterator[str]:
        return iter(self._trie.iterkeys())

    def __len__(self) -> int:
        return len(self._trie)


class _Words:
    """What jieba needs to segment: the frequency of a word, and the words that begin at each character of a text."""

    def __init__(self, tries: Any, words: memoryview, frequencies: memoryview) -> None:
        self.total, self._longest = _COUNTS.unpack_from(frequencies)
        self._part = words
        self._trie = tries.Trie().map(words)
        self._frequencies = frequencies[_COUNTS.size :].cast("I")
        # jieba asks for the same words again and again; both of its analyzers for the same text.
        self.get = lru_cache(20_000)(self._get)
        self.segmentations = lru_cache(64)(self._segmentations)

    def _get(self, word: str) -> int | None:
        place = self._trie.get(word)
        return None if place is None else self._frequencies[place]

    def _segmentations(self, text: str) -> dict[int, list[int]]:
        """For each character the last characters of the words that begin there; see ``jieba.Tokenizer.get_DAG``."""
        prefixes, longest = self._trie.prefixes, self._longest
        return {
            start: [start + len(word) - 1 for word in prefixes(text[start : start + longest])] or [start]
            for start in range(len(text))
        }


def _build_lemmas(tries: Any, strategies: Any, language: str) -> tuple[bytes, bytes]:
    # A new factory, so that the plain dictionary is freed when the tries are made.
    plain = strategies.DefaultDictionaryFactory().get_dictionary(language)
    forms = tries.BytesTrie((form, lemma.encode()) for form, lemma in _shown(plain, language))
    return forms.tobytes(), tries.Trie(set(plain.values())).tobytes()


def _build_frequencies(tries: Any, tokenizer: Any) -> tuple[bytes, bytes]:
    plain, total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
    words = tries.Trie(word for word, frequency in _shown(plain, "zh") if frequency)
    frequencies = array("I", bytes(4 * len(words)))
    for word, place in words.iteritems():
        frequencies[place] = plain[word]
    return words.tobytes(), _COUNTS.pack(total, max(map(len, plain))) + frequencies.tobytes()


def _shown(rows: Mapping[str, Any], language: str) -> Any:
    """The rows, with progress where standard error is a terminal."""
    from tqdm import tqdm

    return tqdm(rows.items(), f"dictionary of {language}, first use", len(rows), leave=False, disable=None)


def _open(library: str, language: str, build: Callable[[Any], tuple[bytes, bytes]]) -> Opened | None:
    """The parts of a file, which is built if needed; ``None``, after a warning, if that is impossible."""
    try:
        import marisa_trie

        name = f"{library}-{version(library)}-marisa_trie-{version('marisa-trie')}-{sys.byteorder}-{language}"
        path = _private_folder() / name
        parts = _read(path) or _write(path, lambda: build(marisa_trie))
    except ImportError:
        reason = "marisa-trie is not installed; pip install marisa-trie"
    except (OSError, RuntimeError) as error:  # RuntimeError: there is no home folder
        reason = f"{error}; set DIBIMT_CACHE to a folder of your own"
    else:
        return marisa_trie, *parts
    message = f"every process loads the dictionaries again, which takes seconds and memory: {reason}"
    warnings.warn(message, RuntimeWarning, stacklevel=2)
    return None


def _private_folder() -> Path:
    """The folder of the files. Nobody else may write there: a forged trie could give wrong lemmas or crash."""
    folder = cache_folder() / "dictionaries"
    folder.mkdir(mode=0o755, parents=True, exist_ok=True)
    status = folder.stat()
    if hasattr(os, "geteuid") and (status.st_uid not in (0, os.geteuid()) or status.st_mode & 0o022):
        raise OSError(f"{folder} belongs to another user, or others may write there")
    return folder


def _read(path: Path) -> tuple[memoryview, memoryview] | None:
    """Both parts of a file; ``None`` if it is missing or was changed since it was written under this name."""
    try:
        with path.open("rb") as file:
            view = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        mark, digest, size = _HEADER.unpack_from(view)
    except (FileNotFoundError, ValueError, struct.error):  # ValueError: an empty file cannot be mapped
        return None
    body = view[_HEADER.size :]
    if (mark, digest) != (_MARK, _digest(path.name, size, body)):
        return None
    return body[:size], body[size:]


def _write(path: Path, build: Callable[[], tuple[bytes, bytes]]) -> tuple[memoryview, memoryview]:
    """Build a file, whole or not at all, even if several processes do so at once."""
    # Opened before the work, so that a read-only folder is noticed first.
    handle, temporary = tempfile.mkstemp(prefix="building-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            first, second = build()
            digest = _digest(path.name, len(first), first + second)
            file.write(_HEADER.pack(_MARK, digest, len(first)) + first + second)
        Path(temporary).chmod(0o644)  # everybody may read what an administrator prepares
        if _read(path) is None:  # Windows does not replace what a faster process has opened
            Path(temporary).replace(path)
        parts = _read(path)
    finally:
        Path(temporary).unlink(missing_ok=True)
    if parts is None:
        raise OSError(f"{path} does not hold what was just written")
    return parts


def _digest(name: str, size: int, body: bytes | memoryview) -> bytes:
    digest = hashlib.sha256(f"{name} {size} ".encode())
    digest.update(body)
    return digest.digest()
