"""The corrected variant: pairs that cannot be mended are left out, the others are mended.

Left out: identical pairs, each duplicate but the first, and pairs with "out in the open" as an adjective (another
adjective would be another sentence). Mended: stray spaces, misspelled words, ``lexically_identical``, and the one
paradigm whose field is spelled ``syntax/semantics``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..records import Pair
from .faults import TEXTS, by_paradigm, lexically_identical, mend_spaces, mend_typos

LEFT_OUT = ("identical", "duplicate", "out_in_the_open")
"""Faults for which a pair is left out; of duplicates the first stays."""
MENDED = ("stray_space", "typo", "flag_wrong")
"""Faults that are mended."""


def correct(marked: Sequence[Pair]) -> tuple[Pair, ...]:
    """The corrected pairs, in order; they keep their numbers, which then have gaps, and have no issues.

    Args:
        marked: pairs of whole paradigms whose ``issues`` are what `mark` finds.
    """
    left = [_mend(pair) for pair in _usable(marked)]
    flags = {name: lexically_identical(group) for name, group in by_paradigm(left).items()}
    return tuple(_with_flag(pair, flags[pair.paradigm]) for pair in left)


def _usable(marked: Sequence[Pair]) -> list[Pair]:
    seen: set[tuple[str, str]] = set()
    usable = []
    for pair in marked:
        texts = (pair.sentence_good, pair.sentence_bad)
        again = "duplicate" in pair.issues and texts in seen
        if not again and "identical" not in pair.issues and "out_in_the_open" not in pair.issues:
            usable.append(pair)
        seen.add(texts)
    return usable


def _mend(pair: Pair) -> Pair:
    changed: dict[str, Any] = {}
    if "stray_space" in pair.issues or "typo" in pair.issues:
        texts = {name: getattr(pair, name) for name in TEXTS}
        changed = {name: mend_typos(mend_spaces(text)) for name, text in texts.items() if text is not None}
    if pair.field is not None and "/" in pair.field:
        changed["field"] = pair.field.replace("/", "_")
    if pair.issues:
        changed["issues"] = ()
    return replace(pair, **changed) if changed else pair


def _with_flag(pair: Pair, flag: bool) -> Pair:
    """A flag that is not said stays unsaid."""
    return pair if pair.lexically_identical in (None, flag) else replace(pair, lexically_identical=flag)
