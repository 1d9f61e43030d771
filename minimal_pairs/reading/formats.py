"""The known formats of minimal pairs: what their columns mean, and which columns identify them."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from dibimt_metric.errors import InputError, shown


@dataclass(frozen=True, slots=True)
class Format:
    """How a set of minimal pairs names its columns.

    Attributes:
        name: for the option that chooses it.
        columns: by attribute of a pair, possible names of its column; the first one in a row is used. In addition to
            the attributes there is ``language``, which becomes part of the paradigm.
        marks: sets of columns; a row with all columns of one set is of this format. Empty: chosen by name only.
        quoted: whether values in TSV files may be quoted.
        lines: whether it is plain text with one sentence per line.
        folder_is_language: whether the folder of a file is named after its language if no column gives it.
    """

    name: str
    summary: str
    columns: Mapping[str, tuple[str, ...]]
    marks: tuple[frozenset[str], ...]
    quoted: bool = True
    lines: bool = False
    folder_is_language: bool = False

    def knows(self, columns: Collection[str]) -> bool:
        """Whether a row with these columns is of this format."""
        return any(mark <= set(columns) for mark in self.marks)

    @property
    def names_paradigm(self) -> bool:
        """Whether every row names its paradigm: its column is among the marks."""
        return any(mark.intersection(self.columns.get("paradigm", ())) for mark in self.marks)


_BLIMP = (
    "sentence_good sentence_bad field linguistics_term UID simple_LM_method one_prefix_method two_prefix_method "
    "lexically_identical pairID pair_id one_prefix_prefix one_prefix_word_good one_prefix_word_bad "
    "two_prefix_prefix_good two_prefix_prefix_bad two_prefix_word dependency_length crucial_item phenomenon issues"
)


def _columns(text: str) -> dict[str, tuple[str, ...]]:
    """Columns by attribute: ``attribute=name,name``, or the attribute alone, which is then the only name."""
    parts = (entry.partition("=") for entry in text.split())
    return {attribute: tuple((names or attribute).split(",")) for attribute, _, names in parts}


FORMATS: tuple[Format, ...] = (
    Format(
        "blimp",
        "BLiMP as released, as in nyu-mll/blimp, as converted here, and sets with the same columns (BabyLM)",
        _columns(f"{_BLIMP} paradigm=paradigm,UID"),
        (frozenset({"sentence_good", "sentence_bad", "UID"}),),
    ),
    Format(
        "blimp-nl",
        "BLiMP-NL (Dutch)",
        _columns("sentence_good sentence_bad phenomenon=linguistic_phenomenon paradigm pair_id=item_id"),
        (frozenset({"sentence_good", "sentence_bad", "linguistic_phenomenon"}),),
    ),
    Format(
        "sling",
        "SLING (Chinese)",
        _columns("sentence_good sentence_bad phenomenon paradigm pair_id=pair_ID,pair_id,pairID field"),
        (frozenset({"sentence_good", "sentence_bad", "phenomenon", "paradigm"}),),
    ),
    Format(
        "multiblimp",
        "MultiBLiMP 1.0 (101 languages); the paradigm is language and phenomenon",
        _columns("sentence_good=sen sentence_bad=wrong_sen phenomenon language=language,lang,langcode"),
        (frozenset({"sen", "wrong_sen"}),),
        folder_is_language=True,
    ),
    Format(
        "rublimp",
        "RuBLiMP (Russian)",
        _columns(
            "sentence_good=source_sentence sentence_bad=target_sentence phenomenon paradigm=PID pair_id=id field=level"
        ),
        # The two sentences alone could be a parallel corpus.
        (frozenset({"source_sentence", "target_sentence", "PID"}),),
    ),
    Format(
        "zorro",
        "Zorro: text files, the unacceptable sentence in odd lines, the acceptable one in even lines",
        _columns("sentence_good sentence_bad"),
        (),
        lines=True,
    ),
    Format(
        "pairs",
        "your own: columns sentence_good, sentence_bad (or good, bad); or TSV without names, the good one first",
        _columns(
            "sentence_good=sentence_good,good,1 sentence_bad=sentence_bad,bad,2 paradigm=paradigm,UID phenomenon field "
            "pair_id=pair_id,pairID,id"
        ),
        (frozenset({"sentence_good", "sentence_bad"}), frozenset({"good", "bad"})),
        quoted=False,
    ),
)
"""All formats; if several fit a row, the first is used."""

LANGUAGE = re.compile(r"[a-z]{2,3}")
"""A folder or configuration with such a name is for a language (ISO 639)."""

_BY_NAME = {known.name: known for known in FORMATS}
CHOOSABLE = ("sentence_good", "sentence_bad", "paradigm", "phenomenon", "field", "pair_id")
"""The attributes that a user may name columns for."""


def format_named(name: str) -> Format:
    """The format of this name."""
    if name not in _BY_NAME:
        raise InputError(f"no format {shown(name)}; the formats are: {', '.join(_BY_NAME)}")
    return _BY_NAME[name]


def recognize(columns: Collection[str], place: str) -> Format:
    """The format of a row with these columns."""
    for known in FORMATS:
        if known.knows(columns):
            return known
    raise InputError(
        f"{place}: the columns {', '.join(map(repr, columns)) or 'none'} match no known format; name the format "
        f"(--format: {', '.join(_BY_NAME)}), or name the columns of the good and the bad sentence (--columns)"
    )


def with_columns(columns: Mapping[str, str]) -> Format:
    """The format ``pairs`` with a user's own column names.

    Args:
        columns: column name by attribute, see `CHOOSABLE`; numbers from 1 if the table has no names.

    Raises:
        InputError: an attribute is unknown, or a sentence has no column.
    """
    unknown = [name for name in columns if name not in CHOOSABLE]
    missing = [name for name in ("sentence_good", "sentence_bad") if name not in columns]
    if unknown or missing:
        problem = f"{shown(unknown[0])} is not one of these" if unknown else f"{missing[0]} is missing"
        raise InputError(f"columns can be named for {', '.join(CHOOSABLE)}, and must be for the first two: {problem}")
    return replace(_BY_NAME["pairs"], columns={name: (str(column),) for name, column in columns.items()}, marks=())
