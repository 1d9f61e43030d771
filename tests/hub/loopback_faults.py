"""Faults that the loopback Hub commits on request: which answer is spoilt, and how."""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass
from typing import NamedTuple

EVERY = 10**9
"""As a `count`: from then on, always."""


@dataclass(frozen=True, slots=True)
class Status:
    """An answer with this status, and nothing is done.

    Attributes:
        code: of the answer, such as 429.
        retry_after: seconds, as the header ``Retry-After``; ``None``: no such header.
        error: the header ``X-Error-Code``, by which clients tell kinds of 404 apart.
        message: what the Hub says about it.
    """

    code: int
    retry_after: int | None = None
    error: str = ""
    message: str = "asked for by the test"


@dataclass(frozen=True, slots=True)
class Cut:
    """The connection breaks off.

    Attributes:
        when: ``upload``: after half of the request's body, nothing is done; ``before``: the request is read,
            nothing is done; ``after``: it is done, no answer is sent; ``response``: after half of the answer's body.
    """

    when: str


@dataclass(frozen=True, slots=True)
class Delay:
    """The answer comes this much later."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Spoil:
    """Other bytes than the right ones, of the same number: what is sent, or what a commit stores."""


@dataclass(frozen=True, slots=True)
class Fault:
    r"""One fault.

    Attributes:
        method: ``POST``, or ``*`` for every method.
        path: regular expression, searched for in the path of the request (without ``?...``).
        what: what happens.
        first: the matching request, counted from 1, at which it begins.
        count: the number of matching requests that it strikes.

    >>> Fault("POST", "/commit/main$", Status(500), first=2)  # the second commit fails, the third does not
    ... # doctest: +ELLIPSIS
    Fault(method='POST', path='/commit/main$', what=Status(code=500, ...), first=2, count=1)
    """

    method: str
    path: str
    what: Status | Cut | Delay | Spoil
    first: int = 1
    count: int = 1


class Request(NamedTuple):
    """A line of the Hub's log; status 0: no answer, the connection was cut."""

    method: str
    path: str
    status: int


class Faults:
    """The faults that are still to come.

    Attributes:
        struck: the number of requests that were struck.

    >>> faults = Faults()
    >>> faults.add(Fault("GET", "/refs$", Status(503)))
    >>> faults.take("GET", "/api/datasets/user/x/refs"), faults.take("GET", "/api/datasets/user/x/refs")
    (Status(code=503, retry_after=None, error='', message='asked for by the test'), None)
    """

    def __init__(self) -> None:
        self._faults: list[Fault] = []
        self._seen: list[int] = []
        self.struck = 0
        self._lock = threading.Lock()

    def add(self, *faults: Fault) -> None:
        """From now on, count the requests that match."""
        with self._lock:
            self._faults += faults
            self._seen += [0] * len(faults)

    def clear(self) -> None:
        """Work without faults again."""
        with self._lock:
            self._faults.clear()
            self._seen.clear()

    def take(self, method: str, path: str) -> Status | Cut | Delay | Spoil | None:
        """What befalls this request, which is counted for every fault that it matches."""
        found = None
        with self._lock:
            for index, fault in enumerate(self._faults):
                if fault.method not in (method, "*") or not re.search(fault.path, path):
                    continue
                self._seen[index] += 1
                if found is None and 0 <= self._seen[index] - fault.first < fault.count:
                    found = fault.what
            self.struck += found is not None
        return found
