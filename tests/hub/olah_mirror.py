"""``olah`` as a second Hub to read from: an independent program serves git repositories made from what is staged.

Every file that it sends comes from git. ``olah`` asks the Hub behind it only which repositories and revisions there
are, and here that is `Upstream`, which knows the names of the commits and has no file to give.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from dibimt_tools.hub.repositories import MAIN, Repository, Stage

TAG = "v1"
SECONDS = 60
"""Within which `olah` has to have started."""

Commits = dict[str, dict[str, str]]
"""For each repository, as ``datasets/user/dibimt``, the commit of each of its branches and tags."""


def make_mirrors(stage: Stage, folder: Path, user: str) -> Commits:
    """Make a git repository of each staged one, where ``olah`` looks for it, with a tag on ``main``."""
    made = {}
    for repository in stage.repositories:
        name = f"{repository.type.value}s/{user}/{repository.name}"
        place = folder / name
        place.mkdir(parents=True)
        git(place, "init", "--quiet")
        for branch in repository.branches:
            commit_branch(stage, repository, branch.name, place)
        git(place, "tag", TAG, MAIN)
        names = (*(branch.name for branch in repository.branches), TAG)
        made[name] = {each: git(place, "rev-parse", f"{each}^{{commit}}") for each in names}
    return made


def commit_branch(stage: Stage, repository: Repository, branch: str, place: Path) -> None:
    """Put the files of a branch, and no others, into a commit without a parent."""
    git(place, "checkout", "--quiet", "--orphan", branch)
    for old in place.iterdir():
        if old.name != ".git":
            shutil.rmtree(old) if old.is_dir() else old.unlink()
    shutil.copytree(stage.path(repository, branch), place, dirs_exist_ok=True)
    git(place, "add", "--all")
    git(place, "commit", "--quiet", "--message", f"Staged: {branch}")


def git(place: Path, *arguments: str) -> str:
    """Git without the settings of the machine."""
    author = {"GIT_AUTHOR_NAME": "Tests", "GIT_AUTHOR_EMAIL": "tests@example.org"}
    committer = {"GIT_COMMITTER_NAME": "Tests", "GIT_COMMITTER_EMAIL": "tests@example.org"}
    settings = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    done = subprocess.run(
        ["git", "-c", "core.autocrlf=false", *arguments],
        cwd=place, env={**os.environ, **author, **committer, **settings}, capture_output=True, encoding="utf-8",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


ASKED = re.compile(r"/api/(?P<repository>\w+/[^/]+/[^/]+)(?:/(?P<what>revision|paths-info)/(?P<revision>[^/]+))?")
"""What `olah` asks: is there the repository, which commit is the revision, what is known of files."""


class Upstream(BaseHTTPRequestHandler):
    """Says which repositories and commits there are; of files, that there are none."""

    protocol_version = "HTTP/1.1"
    server: KnowingServer

    def answer(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        match = ASKED.fullmatch(self.path.partition("?")[0])
        commits = self.server.commits.get(match["repository"]) if match else None
        if match is None or commits is None:
            self.say(401, {}, "RepoNotFound")
            return
        revision = match["revision"] or MAIN
        oid = revision if revision in commits.values() else commits.get(revision)
        if oid is None:
            self.say(404, {}, "RevisionNotFound")
        else:
            self.say(200, [] if match["what"] == "paths-info" else {"sha": oid})

    do_GET = do_HEAD = do_POST = answer

    def say(self, status: int, content: object, error: str = "") -> None:
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        if error:
            self.send_header("X-Error-Code", error)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *values: object) -> None:
        """Nothing."""


class KnowingServer(ThreadingHTTPServer):
    daemon_threads = True
    commits: Commits


@contextmanager
def upstream(commits: Commits) -> Iterator[str]:
    """`Upstream`, running; gives its host and port."""
    server = KnowingServer(("127.0.0.1", 0), Upstream)
    server.commits = commits
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def olah(python: Path, folder: Path, mirrors: Path, commits: Commits) -> Iterator[str]:
    """``olah``, running; gives its address.

    Args:
        python: of its environment.
        folder: where it may write.
        mirrors: see `make_mirrors`.
        commits: the same.
    """
    with upstream(commits) as behind:
        port = free_port()
        settings = folder / "olah.toml"
        settings.write_text(configuration(port, behind, folder / "cache", mirrors), encoding="utf-8")
        log = folder / "olah.log"
        with log.open("w", encoding="utf-8") as stream:
            process = subprocess.Popen(
                [str(python), "-m", "olah.server", "--config", str(settings), "--log-path", str(folder / "logs")],
                cwd=folder, env={**os.environ, "NO_PROXY": "127.0.0.1"}, stdout=stream, stderr=stream,
            )  # fmt: skip
        try:
            wait_for(f"http://127.0.0.1:{port}/", process, log)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait()


def configuration(port: int, behind: str, cache: Path, mirrors: Path) -> str:
    return f"""\
[basic]
host = "127.0.0.1"
port = {port}
mirror-netloc = "127.0.0.1:{port}"
mirror-lfs-netloc = "127.0.0.1:{port}"
hf-scheme = "http"
hf-netloc = "{behind}"
hf-lfs-netloc = "{behind}"
repos-path = {json.dumps(str(cache))}
mirrors-path = [{json.dumps(str(mirrors))}]
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def wait_for(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + SECONDS
    while process.poll() is None and time.monotonic() < end:
        try:
            urllib.request.urlopen(url, timeout=SECONDS).close()
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError(f"olah did not start:\n{log.read_text(encoding='utf-8')[-2000:]}")
