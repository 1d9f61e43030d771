"""A Hugging Face Hub on this machine, for tests: real clients talk to it, nothing leaves the process.

It speaks as much of the Hub's HTTP interface as ``huggingface_hub``, ``datasets`` and ``evaluate`` use for small
repositories, from the releases of `tests/generations` to the newest: account, creation and deletion of repositories,
commits, large file storage (basic transfer), information, trees, branches, tags, downloads. Not spoken: Xet, so
that clients need ``HF_HUB_DISABLE_XET=1`` where files go to large file storage.

    with LoopbackHub() as hub:
        put(hub, stage)
        run_python(code, client_environment(tmp_path, hub), tmp_path)
        hub.repos["dataset", "user/dibimt"].files("script")

`loopback_store` holds the state, `loopback_http` the connection, `loopback_routes` the answers, `loopback_faults` what
goes wrong on request.
"""

from __future__ import annotations

import socket
import sys
import threading
from contextlib import suppress
from http.server import ThreadingHTTPServer
from types import TracebackType
from typing import Any

from dibimt_tools.hub.repositories import MAIN, RepositoryType, Stage
from tests.hub.loopback_faults import Faults, Request
from tests.hub.loopback_http import Handler
from tests.hub.loopback_routes import ROUTES, Route
from tests.hub.loopback_store import HubRepository, Stored

TOKEN = "hf_LoopbackTokenOfTheTests0000000000"
"""Of the form of a real one, so that what hides tokens can be tested."""


class LoopbackHub:
    """The Hub; a context manager.

    Attributes:
        url: its address, for ``HF_ENDPOINT``.
        user: to whom the token belongs.
        token: the one that is accepted.
        organizations: further namespaces in which the user may write.
        role: of the token: ``write`` or ``read``.
        use_lfs: whether binary and large files are asked for by large file storage.
        repos: by type and id, as ``("dataset", "user/dibimt")``.
        lfs: contents in large file storage, by SHA-256.
        requests: what was asked and answered, the oldest first.
        faults: what is to go wrong.
    """

    def __init__(
        self,
        user: str = "user",
        token: str = TOKEN,
        organizations: tuple[str, ...] = (),
        role: str = "write",
        use_lfs: bool = False,
    ) -> None:
        self.user, self.token, self.organizations = user, token, organizations
        self.role, self.use_lfs = role, use_lfs
        self.repos: dict[tuple[str, str], HubRepository] = {}
        self.lfs: dict[str, bytes] = {}
        self.requests: list[Request] = []
        self.faults = Faults()
        self.lock = threading.RLock()
        self._server = _Server(("127.0.0.1", 0), Handler)
        self._server.hub, self._server.routes = self, ROUTES
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def repo(self, repo_type: str, name: str) -> HubRepository:
        """A repository of the user, by its type and bare name."""
        return self.repos[repo_type, f"{self.user}/{name}"]

    def writes(self) -> list[Request]:
        """The requests that change something, or try to."""
        reading = ("/paths-info/", "/preupload/", "/api/validate-yaml", "/objects/batch")
        return [
            request
            for request in self.requests
            if request.method not in ("GET", "HEAD") and not any(part in request.path for part in reading)
        ]

    def __enter__(self) -> LoopbackHub:
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
        self._server.hang_up()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    hub: LoopbackHub
    routes: tuple[Route, ...]

    def __init__(self, address: tuple[str, int], handler: type[Handler]) -> None:
        super().__init__(address, handler)
        self._open: set[socket.socket] = set()

    def process_request(self, request: Any, client_address: Any) -> None:
        self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self._open.discard(request)
        super().shutdown_request(request)

    def hang_up(self) -> None:
        """End connections that clients keep open: a later Hub may get the same port."""
        for connection in list(self._open):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of clients that went away in the middle, as interrupted ones do."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


def put(hub: LoopbackHub, stage: Stage, namespace: str | None = None) -> None:
    """Place all files of a staged folder on the Hub, as if they had been published, without the network.

    Args:
        hub: where to.
        stage: what.
        namespace: under whose name; ``None``: the user's.
    """
    for staged in stage.repositories:
        sdk = "gradio" if staged.type is RepositoryType.SPACE else None
        repository = HubRepository(staged.type.value, f"{namespace or hub.user}/{staged.name}", sdk)
        start = repository.branches[MAIN]
        for branch in staged.branches:
            repository.branches.setdefault(branch.name, start)
            files = dict(repository.stored(branch.name))
            for file in branch.files:
                files[file.path] = Stored(stage.path(staged, branch.name, file.path).read_bytes())
            repository.commit(branch.name, files, "Published")
        hub.repos[repository.type, repository.id] = repository
