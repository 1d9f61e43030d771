"""What went wrong while a data set was loaded, in one line with the remedy.

``datasets`` and ``huggingface_hub`` report one cause by many classes, several deep and different in each release. They
are told by the names of their classes and by the status of the Hub's answer, which have stayed the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from .errors import DibimtError
from .errors import InputError

LOG_IN = "log in with `hf auth login`, or set HF_TOKEN"
TRY_LATER = "try again in some minutes"
NO_COPY = "Couldn't find cache"
"""Begins the error of ``datasets`` where the Hub failed and there was no copy in the cache either."""


_GATED = f"its owner has to grant access to it; ask for it on its page on the Hub, then {LOG_IN}"
_MISSING = (
    f"the Hub has no data set of this name that you may read; check the name, and for a private one {LOG_IN}"
)
_NO_FILE = "its card names a file that is not there; check the card, or name another dataset_revision"
_NO_FILES = "it holds no data files; expected items as JSON Lines or Parquet"

# Names of classes, or words of a message where `datasets` keeps no other trace of the cause; the most telling first.
_SIGNS = (
    ("GatedRepoError", _GATED),
    ("is a gated dataset", _GATED),
    (
        "RevisionNotFoundError",
        "the Hub has no such revision of it; dataset_revision is a branch, a tag or a full commit of the data set",
    ),
    ("RepositoryNotFoundError", _MISSING),
    ("doesn't exist on the Hub or cannot be accessed", _MISSING),
    ("EmptyDatasetError", _NO_FILES),
    ("DataFilesNotFoundError", _NO_FILES),
    ("Data files don't belong to", "its card names data elsewhere; download it into a folder and load that"),
    ("Couldn't find a dataset script", _NO_FILE),
    (
        "NonMatchingSplitsSizesError",
        "its files hold another number of rows than its card promises; load it again, or correct the card",
    ),
    (NO_COPY, f"the Hub did not deliver it; {TRY_LATER}"),
)
_BY_STATUS = {
    401: f"the Hub did not accept your token (401); {LOG_IN}",
    403: f"your token may not read it (403); {LOG_IN} with one that may",
    404: _NO_FILE,
    429: f"the Hub had too many requests (429); {TRY_LATER}",
}
_SECRET = re.compile(r"hf_\w+|(?<=://)[^/\s@]+(?=@)")
_DEPTH = 20
_SHOWN = 200


@contextmanager
def explained(name: str) -> Iterator[None]:
    """Turn what the libraries raise into an `InputError` about the data set of that name.

    Only calls of the libraries belong under it: it would hide mistakes of this package.

    Raises:
        InputError: in the place of every exception that stands for a fault of the data set, the Hub or the cache.
    """
    try:
        yield
    except DibimtError:
        raise
    except failures() as error:
        # The libraries' own chain is a hundred lines of internals; the message says what it comes down to.
        raise explanation(error, name) from None


def explanation(error: BaseException, name: str) -> InputError:
    """One line: which data set, what is wrong with it, what to do."""
    chain = tuple(_chain(error))
    traces = " ".join(kind.__name__ for each in chain for kind in type(each).__mro__) + f" {error}"
    for sign, message in _SIGNS:
        if sign in traces:
            return InputError(f"data set {name!r}: {message}")
    code = status(error)
    if code is not None:
        answer = _BY_STATUS.get(code, f"the Hub failed ({code}); {TRY_LATER}")
        return InputError(f"data set {name!r}: {answer}")
    if any(isinstance(each, network_errors()) for each in chain):
        return InputError(
            f"data set {name!r}: the connection to the Hub failed ({type(innermost(error)).__name__}); check the "
            "network and try again"
        )
    return InputError(f"data set {name!r} cannot be read ({brief(error)}); check its card and its data files")


def status(error: BaseException) -> int | None:
    """Status of the Hub's answer that the error comes from; ``None``: there was no answer."""
    for each in _chain(error):
        code = getattr(getattr(each, "response", None), "status_code", None)
        if isinstance(code, int):
            return code
    return None


def innermost(error: BaseException) -> BaseException:
    """What the error was raised from in the end."""
    while error.__cause__ is not None:
        error = error.__cause__
    return error


def brief(error: BaseException) -> str:
    """Class and first line of the innermost cause, without secrets.

    >>> brief(OSError("refused: hf_AbC123"))
    'OSError: refused: ***'
    """
    error = innermost(error)
    first = next(iter(str(error).strip().splitlines()), "")
    text = f"{type(error).__name__}: {first}" if first else type(error).__name__
    hidden = _SECRET.sub("***", text)
    return hidden if len(hidden) <= _SHOWN else f"{hidden[:_SHOWN]} ..."


def network_errors() -> tuple[type[BaseException], ...]:
    """What is raised where the Hub cannot be reached, or answers with an error.

    The library of the connection is another one in each generation of ``huggingface_hub`` (requests, httpx, httpx2);
    its exceptions have the root in common from which the Hub's own error derives.
    """
    from huggingface_hub.utils import HfHubHTTPError  # type: ignore[attr-defined]

    roots = (kind for kind in HfHubHTTPError.__mro__ if kind.__module__ != "builtins")
    return (ConnectionError, TimeoutError, *roots)


def failures() -> tuple[type[BaseException], ...]:
    """What a faulty data set, Hub or cache ends in: the libraries let nearly everything through."""
    from datasets.exceptions import DatasetsError
    from yaml import YAMLError  # type: ignore[import-untyped]

    # StopIteration: `datasets` 5.2 on a file of JSON Lines whose first block is broken.
    general = (
        OSError,
        EOFError,
        ValueError,
        TypeError,
        LookupError,
        AttributeError,
        RuntimeError,
        StopIteration,
    )
    return (*general, *network_errors(), DatasetsError, YAMLError)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """The error and what led to it, the last first."""
    for _ in range(_DEPTH):
        if error is None:
            return
        yield error
        error = error.__cause__ or error.__context__
