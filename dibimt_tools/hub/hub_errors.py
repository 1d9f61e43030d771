"""What went wrong on the Hub, in words that tell the user what to do, and never with a token; and trying again.

`translate` turns whatever ``huggingface_hub`` raises into a `HubError`; it knows the releases on ``requests`` (0.24 and
later) and those on ``httpx`` (1.0 and later). ``huggingface_hub`` itself retries nothing but pages of lists and uploads
to large file storage: `Retry` does it for the rest.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from json import JSONDecodeError
from typing import Any, TypeVar

from dibimt_metric.errors import DibimtError

T = TypeVar("T")

TEMPORARY = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Statuses after which the same request may succeed."""

LOGIN = "run 'hf auth login', or put a token with the right to write into the variable HF_TOKEN"
EXPLAINED = {
    400: "the Hub rejects the request (400)",
    401: f"the Hub does not accept the token (401): it is wrong, expired or revoked; {LOGIN}",
    402: "the Hub wants this account to pay for that (402); see the account's billing page",
    403: "the token has no right to do that (403): it must be allowed to write into this namespace and, if it is "
    f"a fine-grained one, into this repository; {LOGIN}",
    404: "the Hub knows no such repository or branch, or the token may not see it (404); check the namespace",
    409: "the Hub reports that it exists already, or that another change is going on (409)",
    412: "somebody else has changed the branch since the plan was made (412)",
    413: "the Hub rejects files of this size (413)",
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
        status: of its answer; ``None``: there was no answer, or the fault is not in it.
        code: the header ``X-Error-Code``, such as ``RepoNotFound``, or empty.
        temporary: whether the same request may succeed later.
        wait: seconds that the Hub asks to wait, or 0.
    """

    def __init__(
        self, message: str, status: int | None = None, code: str = "", temporary: bool = False, wait: float = 0.0
    ) -> None:
        super().__init__(message)
        self.status, self.code, self.temporary, self.wait = status, code, temporary, wait


@dataclass(frozen=True, slots=True)
class Retry:
    """Attempts after temporary trouble: a bounded number, with longer and longer waits, each announced.

    Attributes:
        waits: seconds between the attempts, unless the Hub asks for longer ones.
        longest: seconds; if the Hub asks for a longer wait, the user decides.
    """

    say: Callable[[str], None]
    sleep: Callable[[float], None] = time.sleep
    waits: tuple[float, ...] = (1.0, 3.0, 9.0, 27.0)
    longest: float = 300.0

    def run(self, act: Callable[[], T]) -> T:
        """The result of the action.

        >>> def fail() -> None:
        ...     raise HubError("no answer", temporary=True)
        >>> waited: list[float] = []
        >>> Retry(print, waited.append, (1, 3)).run(fail)
        Traceback (most recent call last):
        dibimt_tools.hub.hub_errors.HubError: no answer (tried 3 times)
        """
        attempt = 1
        while True:
            try:
                return act()
            except HubError as error:
                if not error.temporary:
                    raise
                if attempt > len(self.waits):
                    error.args = (f"{error} (tried {attempt} times)",)
                    raise
                self._wait(error, attempt)
            attempt += 1

    def _wait(self, error: HubError, attempt: int) -> None:
        seconds = max(self.waits[attempt - 1], error.wait)
        if seconds > self.longest:
            error.args = (f"{error} (the Hub asks to wait {seconds:.0f} s)",)
            raise error
        self.say(f"{error}; waiting {seconds:.0f} s, then attempt {attempt + 1} of {len(self.waits) + 1}")
        self.sleep(seconds)


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

    The first one is the root of the library's connection errors and of its answers' errors: that of ``requests``, which
    is an ``OSError``, or that of ``httpx``, which is not.
    """
    roots = [each for each in _library().HfHubHTTPError.__mro__ if each.__module__ != "builtins"]
    root: type[Exception] = roots[-1]
    return (root, OSError, RuntimeError, ValueError)


def _library() -> Any:
    """Where every release has its errors, though not every one declares them there for type checkers."""
    return import_module("huggingface_hub.utils")


def translate(error: Exception, doing: str, token: str | None) -> HubError:
    """One of `failures` in the user's words; ``doing`` is such as ``write main of datasets/user/dibimt``."""
    causes = tuple(_causes(error))
    for cause in causes:
        response: Any = getattr(cause, "response", None)
        if getattr(response, "status_code", None) is not None:
            return _answered(cause, response, doing, token)
    for cause in causes:
        why = _unanswered(cause)
        if why is not None:
            detail = f"{why}: {_reason(cause)}" if why != OFFLINE else why
            return HubError(redact(f"{doing}: {detail}", token), temporary=why != OFFLINE)
    return HubError(redact(f"{doing}: {_reason(error)}", token))


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error, and what it was raised from."""
    seen: list[BaseException] = []
    while error is not None and error not in seen:
        seen.append(error)
        yield error
        error = error.__cause__ or error.__context__


def _answered(error: BaseException, response: Any, doing: str, token: str | None) -> HubError:
    status, headers = int(response.status_code), response.headers
    said = headers.get("X-Error-Message") or getattr(error, "server_message", None) or ""
    why = EXPLAINED.get(status) or TROUBLE.format(status=status)
    detail = f" (the Hub: {' '.join(str(said).split())})" if said else ""
    message = redact(f"{doing}: {why}{detail}", token)
    code = headers.get("X-Error-Code") or ""
    return HubError(message, status, code, status in TEMPORARY, _wait(headers))


def _wait(headers: Any) -> float:
    """Seconds to wait: ``Retry-After``, else the reset in ``RateLimit`` (``"api";r=0;t=55``), else 0."""
    after = str(headers.get("Retry-After") or "").strip()
    if after.isascii() and after.isdigit():
        return float(after)
    reset = _RESET.search(str(headers.get("RateLimit") or ""))
    return float(reset[1]) if reset else 0.0


def _unanswered(error: BaseException) -> str | None:
    """The kind of trouble with the connection; ``None``: the error is a different one."""
    if isinstance(error, _library().OfflineModeIsEnabled):
        return OFFLINE
    if isinstance(error, JSONDecodeError):
        return GARBLED
    return CONNECTION if isinstance(error, (failures()[0], ConnectionError, TimeoutError)) else None


def _reason(error: BaseException) -> str:
    """The error's own words, in one line and at most 300 characters."""
    text = " ".join(str(error).split()) or type(error).__name__
    return text if len(text) <= 300 else f"{text[:300]}..."
