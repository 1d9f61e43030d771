"""Data sets of the library `datasets`, all of them local."""

from __future__ import annotations

import gzip
import json
import pickle
import sys
from pathlib import Path
from typing import Any

import pytest

from dibimt_metric.errors import InputError, MissingLibraryError
from ldd_challenge_sets.corpus import open_dataset
from ldd_challenge_sets.records import Fault, TextPair

pytest.importorskip("datasets")

PAIRS = [{"de": "Sie gibt auf.", "en": "She gives up."}, {"de": "Er nicht.", "en": "He does not."}]
EXPECTED = [TextPair(1, "Sie gibt auf.", "She gives up."), TextPair(2, "Er nicht.", "He does not.")]


def write(path: Path, translations: list[Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = [{"id": str(number), "translation": value} for number, value in enumerate(translations)]
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path / "talks" / "train.jsonl", PAIRS).parent


def test_folder(folder: Path) -> None:
    corpus = open_dataset(folder, None, "train", ("de", "en"))
    assert list(corpus.read()) == EXPECTED
    assert list(corpus.read(2)) == EXPECTED[1:]
    assert list(corpus.read(3)) == []
    assert (corpus.name, corpus.files, corpus.check()) == ("talks:train", (str(folder),), ())
    assert corpus.count() is None


def test_other_direction_and_source_only(folder: Path) -> None:
    assert next(open_dataset(folder, None, "train", ("en", "de")).read()) == TextPair(
        1, "She gives up.", "Sie gibt auf."
    )
    assert next(open_dataset(folder, None, "train", ("de", None)).read()) == TextPair(1, "Sie gibt auf.", None)


@pytest.mark.parametrize("name", ["part.jsonl", "part.json", "part.jsonl.gz"])
def test_one_file(tmp_path: Path, name: str) -> None:
    path = write(tmp_path / name, PAIRS)
    if name.endswith(".gz"):
        path.write_bytes(gzip.compress(path.read_bytes()))
    corpus = open_dataset(path, None, "test", ("de", "en"))
    assert list(corpus.read()) == EXPECTED
    assert corpus.name == f"{path.name.removesuffix('.gz').partition('.')[0]}:test"


def test_parquet_with_typed_column(tmp_path: Path) -> None:
    import datasets

    features = datasets.Features({"translation": datasets.Translation(languages=["de", "en"])})
    made = datasets.Dataset.from_dict({"translation": PAIRS}, features=features)
    made.to_parquet(str(tmp_path / "books.parquet"))
    corpus = open_dataset(tmp_path / "books.parquet", None, "train", ("de", "en"))
    assert list(corpus.read()) == EXPECTED


CARD = """---
configs:
- config_name: de-en
  data_files:
  - split: train
    path: de-en.jsonl
- config_name: de-nl
  data_files:
  - split: train
    path: de-nl.jsonl
dataset_info:
- config_name: de-en
  features:
  - name: id
    dtype: string
  - name: translation
    dtype:
      translation:
        languages: [de, en]
  splits:
  - name: train
    num_examples: 2
    num_bytes: 100
- config_name: de-nl
  features:
  - name: id
    dtype: string
  - name: translation
    dtype:
      translation:
        languages: [de, nl]
---
"""


@pytest.fixture
def configured(tmp_path: Path) -> Path:
    write(tmp_path / "books" / "de-en.jsonl", PAIRS)
    write(tmp_path / "books" / "de-nl.jsonl", [{"de": "auf", "nl": "op"}])
    (tmp_path / "books" / "README.md").write_text(CARD, encoding="utf-8")
    return tmp_path / "books"


def test_configurations(configured: Path) -> None:
    corpus = open_dataset(configured, "de-en", "train", ("de", "en"))
    assert (list(corpus.read()), corpus.count(), corpus.name) == (EXPECTED, 2, "books/de-en:train")
    other = open_dataset(configured, "de-nl", "train", ("nl", "de"))
    assert (list(other.read()), other.count()) == ([TextPair(1, "op", "auf")], None)
    assert corpus.fingerprint() != other.fingerprint()


def test_configuration_must_be_chosen(configured: Path) -> None:
    for config in (None, "de-fr"):
        with pytest.raises(InputError, match=r"(?s)cannot be read \(.*\['de-en', 'de-nl'\]"):
            open_dataset(configured, config, "train", ("de", "en")).check()


def test_unknown_split_lists_what_there_is(folder: Path) -> None:
    corpus = open_dataset(folder, None, "dev", ("de", "en"))
    for work in (corpus.check, lambda: list(corpus.read())):
        with pytest.raises(InputError, match=r"talks:dev: cannot be read \(.*train"):
            work()


def test_missing_column_lists_what_there_is(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"de": "auf", "en": "up"}\n', encoding="utf-8")
    with pytest.raises(InputError, match="no column 'translation', which is needed; the columns are de, en"):
        open_dataset(path, None, "train", ("de", "en")).check()


def test_missing_language_lists_what_there_is(folder: Path) -> None:
    corpus = open_dataset(folder, None, "train", ("de", "fr"))
    with pytest.raises(InputError, match="column 'translation' has no language 'fr'; it has de, en"):
        list(corpus.read())


def test_column_of_another_kind(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", ["Sie gibt auf.", "Er nicht."])
    with pytest.raises(InputError, match="column 'translation' holds 'Sie gibt auf.'; expected one text"):
        list(open_dataset(path, None, "train", ("de", "en")).read())


def test_faults_stand_in_place(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.jsonl",
        [
            {"de": "auf", "en": "up"},
            {"de": "", "en": "up"},
            {"de": "auf", "en": " \n"},
            {"de": None, "en": "up"},
            {"de": "auf"},
            None,
            {"de": "Zeile eins\nzwei", "en": "a\0b"},
        ],
    )
    found = list(open_dataset(path, None, "train", ("de", "en")).read())
    kinds = [entry.kind if isinstance(entry, Fault) else "ok" for entry in found]
    assert kinds == [
        "ok", "empty_side", "empty_side", "missing_side", "missing_side", "missing_side", "ok",
    ]  # fmt: skip
    assert [entry.line for entry in found] == list(range(1, 8))
    assert "a:train, line 4: no text in 'de'; give both sides a text" in str(found[3])
    assert found[-1] == TextPair(7, "Zeile eins\nzwei", "a\0b")


def test_languages_that_vary_from_row_to_row(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.jsonl",
        [
            {"language": ["de", "en", "fr"], "translation": ["auf", "up", "haut"]},
            {"language": ["de", "fr"], "translation": ["auf", "haut"]},
            {"language": ["de", "en", "en"], "translation": ["auf", "up", "on"]},
            {"language": ["de", "en", "en"], "translation": ["auf", "up", "up"]},
        ],
    )
    found = list(open_dataset(path, None, "train", ("de", "en")).read())
    assert found[0] == TextPair(1, "auf", "up")
    assert [entry.kind for entry in found if isinstance(entry, Fault)] == ["missing_side", "several_sides"]
    assert found[3] == TextPair(4, "auf", "up")


def test_texts_that_are_none(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", [{"de": ["auf"], "en": ["up"]}, {"de": ["an", "zu"], "en": []}])
    found = list(open_dataset(path, None, "train", ("de", "en")).read())
    assert [entry.kind for entry in found if isinstance(entry, Fault)] == ["missing_side"] * 2


def test_more_rows_than_a_batch(tmp_path: Path) -> None:
    rows = [{"de": f"auf {number}", "en": f"up {number}"} for number in range(1, 2502)]
    corpus = open_dataset(write(tmp_path / "a.jsonl", rows), None, "train", ("de", "en"))
    found = list(corpus.read())
    assert found == [TextPair(number, f"auf {number}", f"up {number}") for number in range(1, 2502)]
    assert list(corpus.read(1500)) == found[1499:]


def test_damaged_file(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"translation": {"de": "auf", "en"\n', encoding="utf-8")
    with pytest.raises(InputError, match="a:train: cannot be read"):
        list(open_dataset(path, None, "train", ("de", "en")).read())


def test_what_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nothing:train: cannot be read"):
        open_dataset(str(tmp_path / "nothing"), None, "train", ("de", "en")).check()
    (tmp_path / "a.xlsx").write_bytes(b"x")
    with pytest.raises(InputError, match=r"a\.xlsx: a data set in one file ends in \.jsonl.*not in '\.xlsx'"):
        open_dataset(tmp_path / "a.xlsx", None, "train", ("de", "en")).check()
    with pytest.raises(InputError, match="both in 'de'"):
        open_dataset("books", None, "train", ("de", "de"))
    with pytest.raises(InputError, match="counted from 1"):
        open_dataset("books", None, "train", ("de", "en")).read(0)


def test_name_on_the_hub_needs_the_network() -> None:
    corpus = open_dataset("nobody/books", "de-en", "train", ("de", "en"))
    assert (corpus.name, corpus.files) == ("nobody/books/de-en:train", ("nobody/books",))
    with pytest.raises(InputError, match="nobody/books/de-en:train: cannot be read .* the network"):
        corpus.check()


def test_missing_library(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "datasets", None)
    corpus = open_dataset(folder, None, "train", ("de", "en"))
    for work in (corpus.check, corpus.fingerprint, corpus.count):
        with pytest.raises(MissingLibraryError, match=r"pip install 'dibimt\[evaluate\]'"):
            work()


def test_spec(folder: Path, tmp_path: Path) -> None:
    corpus = open_dataset(folder, None, "train", ("de", "en"))
    assert pickle.loads(pickle.dumps(corpus)) == corpus
    first = corpus.fingerprint()
    moved = write(tmp_path / "moved" / "train.jsonl", PAIRS).parent
    assert first == open_dataset(moved, None, "train", ("de", "en")).fingerprint()
    assert first != open_dataset(moved, None, "train", ("en", "de")).fingerprint()
    write(moved / "train.jsonl", [PAIRS[0], {"de": "Er nicht!", "en": "He does not."}])
    assert first != open_dataset(moved, None, "train", ("de", "en")).fingerprint()
