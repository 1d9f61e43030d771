"""The open mini set: 71 sentences in eight languages, and their translations by two invented systems.

The sentences, candidate lists and translations were written for this project; senses are numbered by WordNet 3.0. One
file a language holds the items, in the format of ``docs/formats.md``; another holds the translations of both systems
with the label that their author intended, decided by reading and not by the matcher.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from dibimt_metric.errors import InputError
from dibimt_metric.items_reading import read_items
from dibimt_metric.languages import LANGUAGES, language_rules
from dibimt_metric.records import Item, Label

MINI_LANGUAGES = LANGUAGES
SYSTEMS = ("careful", "frequent")
"""``careful`` mostly finds the right sense; ``frequent`` tends to the most frequent one."""

_FOLDER = Path(__file__).parent / "data"


def path() -> str:
    """The folder, for ``datasets``: ``load_dataset(path(), "de", split="test")``.

    >>> Path(path(), "README.md").is_file()
    True
    """
    return str(_FOLDER.parent)


def mini_path(language: str) -> Path:
    """File with the items of a language.

    Raises:
        UnknownLanguageError: not one of the eight codes.
    """
    return _FOLDER / "mini" / f"{language_rules(language).code}.jsonl"


@cache
def mini_items(language: str) -> tuple[Item, ...]:
    """The items of a language.

    >>> item = mini_items("de")[0]
    >>> item.source[item.focus.start : item.focus.end] == item.focus.text
    True
    """
    return read_items(mini_path(language), language)


def mini_translations(language: str, system: str) -> tuple[str, ...]:
    """The translations of one system, in the order of the items.

    Raises:
        InputError: no such system.

    >>> len(mini_translations("de", "careful")) == len(mini_items("de"))
    True
    """
    return tuple(row["translation"] for row in _rows(language, system))


def mini_labels(language: str, system: str) -> tuple[Label, ...]:
    """The labels that the author of the translations intended, decided by reading.

    Raises:
        InputError: no such system.
    """
    return tuple(Label(row["label"]) for row in _rows(language, system))


@cache
def _rows(language: str, system: str) -> tuple[dict[str, str], ...]:
    if system not in SYSTEMS:
        raise InputError(f"the mini set has no system {system!r:.40}; its systems are {', '.join(SYSTEMS)}")
    path = _FOLDER / "mini_translations" / f"{language_rules(language).code}.jsonl"
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return tuple(row for row in rows if row["system"] == system)
