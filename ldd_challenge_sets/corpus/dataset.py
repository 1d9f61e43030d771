"""Corpora read through the library `datasets`: local folders, files, and data sets of the Hub."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from dibimt_metric.errors import InputError, MissingLibraryError, shown

from ..records import Fault, TextPair
from .base import MISSING_SIDE, SEVERAL_SIDES, Corpus, empty_side, is_blank, pair_of
from .files import digest

COLUMN = "translation"
_BATCH = 1000
_BUILDERS = {".jsonl": "json", ".json": "json", ".ndjson": "json", ".parquet": "parquet"}
_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class DatasetCorpus(Corpus):
    """A data set whose column ``translation`` holds a text for each language, such as ``opus_books``.

    It is streamed: only what is read is downloaded, and no copy is kept. Texts stay unchanged, line breaks included.

    Attributes:
        dataset: a folder, a JSONL or Parquet file, or a name on the Hub.
        config, split: config ``None``: the only one, or the declared default.
        source_language, target_language: keys of the column; the latter ``None``: there is no target side.
    """

    name: str
    dataset: str
    config: str | None
    split: str
    source_language: str
    target_language: str | None

    @property
    def files(self) -> tuple[str, ...]:
        """The data set as given."""
        return (self.dataset,)

    def _read(self, start: int) -> Iterator[TextPair | Fault]:
        place = self._place()
        stream = self._guarded(lambda: _library().load_dataset(**place, streaming=True))
        rows = iter(stream.skip(start - 1).iter(batch_size=_BATCH))
        line = start
        while (batch := self._guarded(lambda: next(rows, None))) is not None:
            values = self._column(batch)
            if line == start:
                self._check_languages(values)
            for value in values:
                yield pair_of(line, partial(self._side, line, value), self.source_language, self.target_language)
                line += 1

    def _column(self, batch: dict[str, list[Any]]) -> list[Any]:
        if COLUMN not in batch:
            columns = ", ".join(batch) or "none"
            raise InputError(f"{self.name}: no column {COLUMN!r}, which is needed; the columns are {columns}")
        return batch[COLUMN]

    def _check_languages(self, values: list[Any]) -> None:
        # Every row of a typed column has the same keys, so that one row is enough; a missing text is None.
        value: Any = next((value for value in values if value is not None), {"language": []})
        if not isinstance(value, dict):
            raise InputError(
                f"{self.name}: column {COLUMN!r} holds {shown(value)}; expected one text for each language, such as "
                "{'de': ..., 'en': ...}"
            )
        if "language" in value:  # languages vary from row to row
            return
        for language in (self.source_language, self.target_language):
            if language is not None and language not in value:
                raise InputError(
                    f"{self.name}: column {COLUMN!r} has no language {shown(language)}; it has {', '.join(value)}"
                )

    def _side(self, line: int, value: Any, language: str) -> str | Fault:
        found = _different(text for code, text in _texts(value) if code == language)
        if len(found) > 1:
            message = f"{len(found)} texts in {shown(language)}; keep one: the other side can correspond to one only"
            return Fault(self.name, line, SEVERAL_SIDES, message)
        text = found[0] if found else None
        if not isinstance(text, str):
            message = f"no text in {shown(language)}; give both sides a text, or remove the row"
            return Fault(self.name, line, MISSING_SIDE, message)
        if is_blank(text):
            return empty_side(self.name, line, f"text in {shown(language)}")
        return text

    def count(self) -> int | None:
        """As stated in the card of the data set; ``None``: not stated."""
        builder = self._builder()
        split = (builder.info.splits or {}).get(self.split)
        return (split.num_examples or None) if split is not None else None  # 0: not stated

    def fingerprint(self) -> str:
        """Of the choices and of the files of the split: content of local files, address with revision of others."""
        builder = self._builder()
        files = (builder.config.data_files or {}).get(self.split) or ()
        local = [file for file in files if Path(file).is_file()]
        remote = [str(file) for file in files if file not in local]
        known = remote if files else [builder.hash, str(builder.config.version)]
        languages = (self.source_language, self.target_language)
        return digest(("dataset", self.config, self.split, languages, known), local)

    def _builder(self) -> Any:
        place = self._place()
        del place["split"]
        return self._guarded(lambda: _library().load_dataset_builder(**place))

    def _place(self) -> dict[str, Any]:
        path = Path(self.dataset)
        place: dict[str, Any] = {"path": self.dataset, "name": self.config, "split": self.split}
        if path.is_file():
            place["path"] = _builder_name(path)
            place["data_files"] = {self.split: str(path)}
        return place

    def _guarded(self, call: Callable[[], _T]) -> _T:
        try:
            return call()
        except MissingLibraryError:
            raise
        except Exception as error:  # the library and those below it raise types without a common base
            raise InputError(
                f"{self.name}: cannot be read ({type(error).__name__}: {error}); check name, config, split and, "
                "for a data set of the Hub, the network"
            ) from error


def _texts(value: Any) -> list[tuple[str, Any]]:
    """Language and text of each translation in a value of the column, for both features of the library."""
    if not isinstance(value, dict):
        return []
    languages, texts = value.get("language"), value.get(COLUMN)
    if isinstance(languages, list) and isinstance(texts, list):
        return list(zip(languages, texts, strict=False))
    return list(value.items())


def _different(values: Iterable[Any]) -> list[Any]:
    found: list[Any] = []
    for value in values:  # not a set: a faulty value may be a list
        if value not in found:
            found.append(value)
    return found


def _builder_name(path: Path) -> str:
    suffixes = [suffix for suffix in path.suffixes if suffix not in (".gz", ".zst", ".xz", ".bz2")]
    ending = suffixes[-1] if suffixes else ""
    if ending not in _BUILDERS:
        raise InputError(f"{path}: a data set in one file ends in {', '.join(_BUILDERS)}, not in {shown(ending)}")
    return _BUILDERS[ending]


def _library() -> Any:
    try:
        import datasets
    except ImportError as error:
        raise MissingLibraryError(
            "a corpus in this form needs the library datasets: pip install 'dibimt[evaluate]'"
        ) from error
    return datasets
