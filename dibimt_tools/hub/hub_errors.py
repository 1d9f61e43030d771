"""What went wrong on the Hub, said so that the user knows what to do, and never with a token in it.

`translate` turns whatever ``huggingface_hub`` raises into a `HubError`; it knows the releases on ``requests`` (0.24 and
later) and those on ``httpx`` (1.0 and later).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from json import JSONDecodeError
from typing import Any

from dibimt_metric.errors import DibimtError

TEMPORARY = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Statuses after which the same request may succeed."""

LOGIN = "run 'hf auth login', or put a token with the right to write into the variable HF_TOKEN"
"""How to name a token to ``huggingface_hub``, and so to this program."""

EXPLAINED = {
    400: "the Hub refuses the request as it is (400)",
    401: f"the Hub does not accept the token (401): it is wrong, expired or revoked; {LOGIN}",
    402: "the Hub wants this account to pay for that (402); see the account's billing page",
    403: "the token has no right to do that (403): it has to be allowed to write into this namespace and, where it is "
    f"a fine-grained one, into this repository; {LOGIN}",
    404: "the Hub knows no such repository or branch, or the token may not see it (404); check the namespace",
    409: "the Hub says that it exists already, or that another change is going on (409)",
    412: "somebody else has changed the branch since the plan was made (412)",
    413: "the Hub refuses files of this size (413)",
    429: "the Hub asks for fewer requests (429)",
}
"""What a status means here."""
TROUBLE = "the Hub has trouble of its own ({status})"
CONNECTION = "the connection to the Hub failed"
GARBLED = "the Hub's answer is incomplete or garbled"
OFFLINE = "HF_HUB_OFFLINE is set, so that huggingface_hub sends nothing; unset it"

_TOKEN = re.compile(r"\bhf_(?:[a-z]+_)?[A-Za-z0-9][A-Za-z0-9.\-]{7,}")
_USERINFO = re.compile(r"(?<=://)[^/\s@]+@")
_HIDDEN = "hf_..."
_RESET = re.compile(r";\s*t=(\d+)")


class HubError(DibimtError):
    """The Hub did not do what it was asked to.

    Attributes:
        status: of its answer; ``None``: there was no answer, or not that was the trouble.
        code: the header ``X-Error-Code``, such as ``RepoNotFound``; empty where there is none.
        temporary: whether the same request may succeed later.
        wait: seconds that the Hub asks to wait; ``None``: it does not say.
    """

    def __init__(
        self,
        message: str,
        status: int | None = None,
        code: str = "",
        temporary: bool = False,
        wait: float | None = None,
    ) -> None:
        super().__init__(message)
        self.status, self.code, self.temporary, self.wait = status, code, temporary, wait


def redact(text: str, token: str | None = None) -> str:
    """A text without the token, without anything that looks like one, and without passwords in addresses.

    >>> redact("Bearer hf_abcdefghijklmnop at http://me:secret@127.0.0.1/")
    'Bearer hf_... at http://127.0.0.1/'
    """
    if token:
        text = text.replace(token, _HIDDEN)
    return _USERINFO.sub("", _TOKEN.sub(_HIDDEN, text))


def failures() -> tuple[type[Exception], ...]:
    """What calls of ``huggingface_hub`` raise when the Hub, the connection, a file or a value is at fault.

    The connection's errors have the same root as its answers' errors: that of ``requests``, which is an ``OSError``, or
    that of ``httpx``, which is not.
    """
    roots = [each for each in _library().HfHubHTTPError.__mro__ if each.__module__ != "builtins"]
    root: type[Exception] = roots[-1]
    return (root, OSError, RuntimeError, ValueError)


def translate(error: Exception, doing: str, token: str | None) -> HubError:
    """The error in the user's words.

    Args:
        error: one of `failures`.
        doing: what was being done, as ``write main of datasets/user/dibimt``.
        token: not to be shown.
    """
    for cause in _causes(error):
        response: Any = getattr(cause, "response", None)
        if getattr(response, "status_code", None) is not None:
            return _answered(cause, response, doing, token)
    for cause in _causes(error):
        why = _unanswered(cause)
        if why is not None:
            detail = redact(f"{why}: {_reason(cause)}" if why != OFFLINE else why, token)
            return HubError(f"{doing}: {detail}", temporary=why != OFFLINE)
    return HubError(redact(f"{doing}: {_reason(error)}", token))


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error, and what it was raised from."""
    seen: list[BaseException] = []
    found: BaseException | None = error
    while found is not None and found not in seen:
        seen.append(found)
        yield found
        found = found.__cause__ or found.__context__


def _answered(error: BaseException, response: Any, doing: str, token: str | None) -> HubError:
    status = int(response.status_code)
    said = response.headers.get("X-Error-Message") or getattr(error, "server_message", None) or ""
    why = EXPLAINED.get(status) or TROUBLE.format(status=status)
    detail = f" (the Hub: {' '.join(str(said).split())})" if said else ""
    return HubError(
        redact(f"{doing}: {why}{detail}", token),
        status,
        response.headers.get("X-Error-Code") or "",
        status in TEMPORARY,
        _wait(response.headers),
    )


def _wait(headers: Any) -> float | None:
    """Seconds to wait: ``Retry-After``, else the reset in ``RateLimit`` (``"api";r=0;t=55``)."""
    after = str(headers.get("Retry-After") or "").strip()
    if after.isascii() and after.isdigit():
        return float(after)
    reset = _RESET.search(str(headers.get("RateLimit") or ""))
    return float(reset[1]) if reset else None


def _unanswered(error: BaseException) -> str | None:
    """The kind of trouble with the connection; ``None``: it is no such trouble."""
    if isinstance(error, _library().OfflineModeIsEnabled):
        return OFFLINE
    if isinstance(error, JSONDecodeError):
        return GARBLED
    return CONNECTION if isinstance(error, (failures()[0], ConnectionError, TimeoutError)) else None


def _library() -> Any:
    """Where every release has its errors, though not every one declares them there for type checkers."""
    return import_module("huggingface_hub.utils")


def _reason(error: BaseException) -> str:
    """The error's own words, in one line and of a bearable length."""
    text = " ".join(str(error).split()) or type(error).__name__
    return text if len(text) <= 300 else f"{text[:300]}..."
