"""The connection of the loopback Hub: bodies, answers, the log, and faults where they show."""

from __future__ import annotations

import json
import re
import socket
import time
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, unquote, urlsplit

from tests.hub.loopback_faults import Cut, Delay, Request, Spoil, Status
from tests.hub.loopback_store import HubRepository

if TYPE_CHECKING:
    from tests.hub.loopback import LoopbackHub

ERRORS = {401: "Unauthorized", 403: "Forbidden", 404: "RepoNotFound"}
"""The header ``X-Error-Code`` of statuses that a fault sends, where it names none."""


class CutConnection(Exception):
    """The connection is to be closed without a further byte."""


class Handler(BaseHTTPRequestHandler):
    """Reads requests, finds their routes, and answers; one object for each connection."""

    protocol_version = "HTTP/1.1"
    server_version = "loopback-hub"
    # Headers and body are two writes: without this, each small answer waits for the client's acknowledgement.
    disable_nagle_algorithm = True

    _body: bytes | None
    what: Status | Cut | Delay | Spoil | None
    query: dict[str, list[str]]

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing on standard error: `LoopbackHub.requests` is the log."""

    @property
    def hub(self) -> LoopbackHub:
        hub: LoopbackHub = self.server.hub  # type: ignore[attr-defined]
        return hub

    # Requests

    def handle_any(self) -> None:
        self._body = None
        path, self.query = urlsplit(self.path).path, parse_qs(urlsplit(self.path).query)
        self.what = self.hub.faults.take(self.command, path)
        try:
            self.begin()
            self.route(path)
        except CutConnection:
            self.hub.requests.append(Request(self.command, self.path, 0))
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = handle_any

    def begin(self) -> None:
        """What a fault does before the request is looked at."""
        if isinstance(self.what, Delay):
            time.sleep(self.what.seconds)
        if isinstance(self.what, Cut) and self.what.when in ("upload", "before"):
            length = int(self.headers.get("Content-Length") or 0)
            self.rfile.read(length // 2 if self.what.when == "upload" else length)
            raise CutConnection

    def route(self, path: str) -> None:
        if isinstance(self.what, Status):
            self.refuse(self.what)
            return
        for methods, pattern, answer in self.server.routes:  # type: ignore[attr-defined]
            match = re.fullmatch(pattern, path) if self.command in methods else None
            if match:
                answer(self, **{key: unquote(value or "") for key, value in match.groupdict().items()})
                return
        self.error(404, "NotFound", f"no route for {self.command} {path}")

    def read_body(self) -> bytes:
        if self._body is None:
            if (self.headers.get("Transfer-Encoding") or "").lower() == "chunked":
                self._body = b"".join(iter(self._chunk, b""))
            else:
                self._body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        return self._body

    def _chunk(self) -> bytes:
        size = int(self.rfile.readline().strip().split(b";")[0], 16)
        chunk = self.rfile.read(size)
        self.rfile.readline()
        return chunk

    def json_body(self) -> dict[str, Any]:
        body: dict[str, Any] = json.loads(self.read_body() or b"{}")
        return body

    # Who asks, and for what

    @property
    def authenticated(self) -> bool:
        return (self.headers.get("Authorization") or "") == f"Bearer {self.hub.token}"

    def may_write(self, namespace: str) -> bool:
        """Whether the request may change things there; answers if it may not."""
        if not self.authenticated:
            self.error(401, "Unauthorized", "Invalid credentials in Authorization header")
            return False
        if self.hub.role != "write" or namespace not in (self.hub.user, *self.hub.organizations):
            self.error(403, "Forbidden", f"You don't have the rights to write under the namespace {namespace}")
            return False
        return True

    def repository(self, kind: str, id: str) -> HubRepository | None:
        """The repository; where there is none for this client, the answer is sent."""
        found = self.hub.repos.get((kind, id))
        if found is None or (found.private and not self.authenticated):
            # As the real Hub: 401 without a token (evaluate relies on it), 404 with one.
            status = 404 if self.authenticated else 401
            self.error(status, "RepoNotFound", "Repository not found")
            return None
        return found

    # Answers

    def reply(
        self,
        status: int,
        body: bytes | dict[str, Any] | list[Any] = b"",
        headers: Mapping[str, str] | None = None,
        content_type: str = "application/json",
    ) -> None:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.read_body()
        if isinstance(self.what, Cut) and self.what.when == "after":
            raise CutConnection
        if isinstance(self.what, Spoil) and self.command == "GET":
            content = spoilt(content)
        self.hub.requests.append(Request(self.command, self.path, status))
        self.send_response(status)
        given = {"Content-Length": str(len(content)), "Content-Type": content_type}
        for key, value in (given | dict(headers or {})).items():
            self.send_header(key, value)
        self.end_headers()
        if self.command != "HEAD":
            self.send_body(content)

    def send_body(self, content: bytes) -> None:
        if isinstance(self.what, Cut) and self.what.when == "response":
            self.wfile.write(content[: len(content) // 2])
            raise CutConnection
        self.wfile.write(content)

    def error(self, status: int, code: str, message: str, headers: Mapping[str, str] | None = None) -> None:
        named = {"X-Error-Code": code, "X-Error-Message": message}
        self.reply(status, {"error": message}, {**named, **(headers or {})})

    def refuse(self, fault: Status) -> None:
        headers = {} if fault.retry_after is None else {"Retry-After": str(fault.retry_after)}
        code = fault.error or ERRORS.get(fault.code, "Unavailable")
        self.error(fault.code, code, fault.message, headers)


def spoilt(content: bytes) -> bytes:
    """As many bytes, one of them another."""
    middle = len(content) // 2
    return content[:middle] + bytes(byte ^ 1 for byte in content[middle : middle + 1]) + content[middle + 1 :]
