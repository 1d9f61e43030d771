"""What a file says otherwise on the Hub than in its folder here: names to load by, and nothing else.

Here a card loads its own folder (``./dibimt_metric``), there the repository (``NAMESPACE/dibimt``). The wordings are
tables. Those that a file needs have to occur in it, and no name may be left that means nothing on the Hub: a card that
was changed cannot silently keep a wrong one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from dibimt_metric.errors import InputError, shown

PLACEHOLDER = "USER"
"""Stands in examples for whoever publishes: ``USER/dibimt``."""
TEXT = (".md", ".py")
"""Endings of files with examples; data are never touched."""
NAMES = ("dibimt", "ldd-challenge-sets", "blimp")
"""Repositories that examples name."""


@dataclass(frozen=True, slots=True)
class Wording:
    """A text of a file, and what stands there on the Hub, with `PLACEHOLDER` for the namespace."""

    here: str
    there: str


METRIC_CARD = (Wording('evaluate.load("./dibimt_metric"', 'evaluate.load("USER/dibimt"'),)
# Without a namespace: the public test suite of `evaluate` runs this example in a folder where the bare name resolves.
METRIC_SCRIPT = (Wording('evaluate.load("dibimt_metric"', 'evaluate.load("dibimt"'),)
DATASET_CARD = (Wording('load_dataset("./dibimt_dataset"', 'load_dataset("USER/dibimt"'),)
LDD_CARD = (Wording('load_dataset("./ldd_challenge_sets"', 'load_dataset("USER/ldd-challenge-sets"'),)
BLIMP_CARD = (
    Wording('load_dataset("PATH_OR_NAME"', 'load_dataset("USER/blimp"'),
    Wording("--data PATH_OR_NAME", "--data USER/blimp"),
)

EVERYWHERE = (
    Wording('"./dibimt_metric"', '"USER/dibimt"'),
    Wording('"./dibimt_dataset"', '"USER/dibimt"'),
    Wording('"./ldd_challenge_sets"', '"USER/ldd-challenge-sets"'),
    Wording("``dibimt_metric.py``", "``dibimt.py``"),
)
"""Wordings of any file, where they occur."""

_NAMED = re.compile(rf"\b{PLACEHOLDER}/(?=(?:{'|'.join(NAMES)})(?![\w-]))")
# USER/NAME, in capitals, is anybody's repository and may stay.
_WRONG_THERE = re.compile(
    r"\./(?:dibimt_|ldd_challenge_sets|minimal_pairs)\w*|PATH_OR_NAME|load\(\"dibimt_metric\"|"
    rf"\b{PLACEHOLDER}/[a-z][\w-]*"
)
# As the Hub has it for users and organizations.
_NAMESPACE = re.compile(r"(?!.*(?:--|\.\.))[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,94}[A-Za-z0-9_])?", re.ASCII)


def check_namespace(namespace: str) -> None:
    """See that a user or an organization can have this name.

    Raises:
        InputError: it cannot.
    """
    if not _NAMESPACE.fullmatch(namespace):
        raise InputError(
            f"namespace {shown(namespace)}: no name of a user or an organization; expected letters, digits, '-', '_' "
            "and '.', as in huggingface.co/NAME"
        )


def reword(text: str, wordings: tuple[Wording, ...], namespace: str, where: str, remedy: str) -> str:
    """A text as it stands on the Hub.

    Args:
        text: of a file.
        wordings: that it has to have.
        namespace: that stands there for `PLACEHOLDER` before the name of a repository.
        where: name of the file, for messages.
        remedy: what to do, for messages.

    Raises:
        InputError: a wording does not occur, or a name is left that means nothing on the Hub.

    >>> reword('load_dataset("./dibimt_dataset", "de")', DATASET_CARD, "me", "README.md", "")
    'load_dataset("me/dibimt", "de")'
    """
    for wording in wordings:
        if wording.here not in text:
            raise InputError(
                f"{where}: does not say {wording.here!r}, which has to be {wording.there!r} on the Hub; {remedy}"
            )
    for wording in (*wordings, *EVERYWHERE):
        text = text.replace(wording.here, wording.there)
    left = _WRONG_THERE.search(_NAMED.sub("", text))
    if left is not None:
        raise InputError(f"{where}: says {left[0]!r}, which is no name on the Hub; {remedy}")
    return _NAMED.sub(f"{namespace}/", text)
