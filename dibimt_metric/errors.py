"""The exceptions that this package raises on purpose: one tree, one root.

Every message says what is wrong, where (item id, file, line), what was expected and what to do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from reprlib import Repr


class DibimtError(Exception):
    """Root of all errors raised on purpose by the DiBiMT tools."""


class InputError(DibimtError, ValueError):
    """The user's items, predictions, references or options cannot be used as given."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One broken rule.

    Attributes:
        code: such as ``E103``; listed in the docstring of ``items``.
        message: what is wrong and what to do.
        item_id: the item, where it has an id.
        line: 1-based line of the file, or position in the list, where the item came from one.
    """

    code: str
    message: str
    item_id: str | None = None
    line: int | None = None

    def __str__(self) -> str:
        where = [f"line {self.line}"] if self.line is not None else []
        where += [f"item {self.item_id!r:.60}"] if self.item_id is not None else []
        return f"{self.code} {', '.join(where)}{': ' if where else ''}{self.message}"


class ItemError(InputError):
    """Items break rules of the format.

    Attributes:
        problems: all of them, coded (see `items`), in order of appearance.
    """

    def __init__(self, message: str, problems: tuple[Problem, ...] = ()) -> None:
        super().__init__(message)
        self.problems = problems


class UnknownItemError(InputError, LookupError):
    """A reference names an item id that no loaded data set holds."""


class UnknownLanguageError(InputError, LookupError):
    """A language code that the metric has no rules for."""


class UnknownAnalyzerError(InputError, LookupError):
    """An analyzer name that is not registered."""


class UnknownRuleError(InputError, LookupError):
    """A rule name that the language does not have."""


class MissingAnnotationError(DibimtError):
    """A rule needs an annotation (say, relations) that no chosen analyzer supplies."""


class MissingLibraryError(DibimtError, ImportError):
    """An optional library is absent; the message holds the exact install command."""


def shortened(lines: Sequence[str]) -> list[str]:
    """The first 20 lines, indented, and how many more there are."""
    more = [f"  and {len(lines) - 20} more"] if len(lines) > 20 else []
    return [f"  {line}" for line in lines[:20]] + more


# The plain `repr` of what a user gave may be a megabyte long, and fails on lists nested a thousand deep.
_REPR = Repr()
_REPR.maxstring = _REPR.maxother = _REPR.maxlong = 60


def shown(value: object) -> str:
    """What a user gave, for a message: its ``repr``, shortened in the middle and in depth.

    >>> shown({"lemma": 5})
    "{'lemma': 5}"
    """
    return _REPR.repr(value)
