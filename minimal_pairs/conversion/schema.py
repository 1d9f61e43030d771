"""The schema of converted files: columns, their types, and a pair as a line."""

from __future__ import annotations

import json
from collections.abc import Iterable
from operator import attrgetter

from ..records import Pair

NYU_MLL = tuple(
    "sentence_good sentence_bad field linguistics_term UID simple_LM_method one_prefix_method two_prefix_method "
    "lexically_identical pair_id".split()
)
"""The columns of ``nyu-mll/blimp``, in its order; they come first, so that programs for it keep working."""

COLUMNS = NYU_MLL + tuple(
    "pairID one_prefix_prefix one_prefix_word_good one_prefix_word_bad two_prefix_prefix_good two_prefix_prefix_bad "
    "two_prefix_word dependency_length crucial_item phenomenon paradigm issues".split()
)
"""All columns of a converted file: the attributes of `Pair`."""

TYPES = {
    **dict.fromkeys(("simple_LM_method", "one_prefix_method", "two_prefix_method", "lexically_identical"), "bool"),
    **dict.fromkeys(("pair_id", "dependency_length"), "int32"),
}
"""Types that are not ``string``; ``issues`` is a list of strings."""
LISTS = frozenset({"issues"})


def jsonl(pairs: Iterable[Pair]) -> str:
    """The pairs as JSON Lines: every line has every column, ``null`` where a pair has no value."""
    return "".join(_encode(dict(zip(COLUMNS, _values(pair), strict=True))) + "\n" for pair in pairs)


def features_yaml() -> str:
    """The columns as the features of a card, one per line."""
    return "\n".join(
        f"  - {{name: {name}, {'sequence: string' if name in LISTS else 'dtype: ' + TYPES.get(name, 'string')}}}"
        for name in COLUMNS
    )


_values = attrgetter(*COLUMNS)
_encode = json.JSONEncoder(ensure_ascii=False).encode  # json.dumps would create an encoder for each line
