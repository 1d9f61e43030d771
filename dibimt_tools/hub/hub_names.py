"""Names to load by that differ between a file here and its copy on the Hub.

A card here loads its own folder (``./dibimt_metric``), on the Hub the repository (``NAMESPACE/dibimt``). The tables
below map a text of a file here to the text on the Hub, with `PLACEHOLDER` for the namespace. A text that a file needs
must occur in it, and no name may be left that means nothing on the Hub: a changed card cannot keep a wrong one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from dibimt_metric.errors import InputError, shown

PLACEHOLDER = "USER"
"""The namespace of examples (``USER/dibimt``) until somebody publishes."""
TEXT = (".md", ".py")
"""Endings of files with examples; data are never changed."""
NAMES = ("dibimt", "ldd-challenge-sets", "blimp")
"""Repositories that examples name."""

METRIC_CARD = {'evaluate.load("./dibimt_metric"': 'evaluate.load("USER/dibimt"'}
# Without a namespace: the public test suite of `evaluate` runs this example in a folder where the bare name resolves.
METRIC_SCRIPT = {'evaluate.load("dibimt_metric"': 'evaluate.load("dibimt"'}
DATASET_CARD = {'load_dataset("./dibimt_dataset"': 'load_dataset("USER/dibimt"'}
LDD_CARD = {'load_dataset("./ldd_challenge_sets"': 'load_dataset("USER/ldd-challenge-sets"'}
BLIMP_CARD = {
    'load_dataset("PATH_OR_NAME"': 'load_dataset("USER/blimp"',
    "--data PATH_OR_NAME": "--data USER/blimp",
}
EVERYWHERE = {
    '"./dibimt_metric"': '"USER/dibimt"',
    '"./dibimt_dataset"': '"USER/dibimt"',
    '"./ldd_challenge_sets"': '"USER/ldd-challenge-sets"',
    "``dibimt_metric.py``": "``dibimt.py``",
}
"""For every file, where they occur."""

_NAMED = re.compile(rf"\b{PLACEHOLDER}/(?=(?:{'|'.join(NAMES)})(?![\w-]))")
# USER/NAME, in capitals, is anybody's repository and may stay.
_WRONG_ON_HUB = re.compile(
    r"\./(?:dibimt_|ldd_challenge_sets|minimal_pairs)\w*|PATH_OR_NAME|load\(\"dibimt_metric\"|"
    rf"\b{PLACEHOLDER}/[a-z][\w-]*"
)
# The Hub's rule for users and organizations.
_NAMESPACE = re.compile(r"(?!.*(?:--|\.\.))[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,94}[A-Za-z0-9_])?", re.ASCII)


def check_namespace(namespace: str) -> None:
    """Raise `InputError` unless a user or an organization can have this name."""
    if not _NAMESPACE.fullmatch(namespace):
        raise InputError(
            f"namespace {shown(namespace)}: is not a valid name of a user or an organization; expected letters, "
            "digits, '-', '_' and '.', as in huggingface.co/NAME"
        )


def with_hub_names(text: str, needed: Mapping[str, str], namespace: str, file: str, remedy: str) -> str:
    """A text with the names of the Hub.

    Args:
        text: content of the file.
        needed: replacements whose left side must occur.
        namespace: takes the place of `PLACEHOLDER` before the name of a repository.
        file: its path, for messages.
        remedy: what to do, for messages.

    >>> with_hub_names('load_dataset("./dibimt_dataset", "de")', DATASET_CARD, "me", "README.md", "")
    'load_dataset("me/dibimt", "de")'
    """
    for here, hub in needed.items():
        if here not in text:
            raise InputError(f"{file}: lacks {here!r}, which becomes {hub!r} on the Hub; {remedy}")
    for here, hub in (*needed.items(), *EVERYWHERE.items()):
        text = text.replace(here, hub)
    left = _WRONG_ON_HUB.search(_NAMED.sub("", text))
    if left is not None:
        raise InputError(f"{file}: contains {left[0]!r}, a name that does not exist on the Hub; {remedy}")
    return _NAMED.sub(f"{namespace}/", text)
