"""What the loopback Hub answers: one function for each route, and the table of routes."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs

from tests.hub.loopback_faults import Spoil
from tests.hub.loopback_http import Handler, spoilt
from tests.hub.loopback_store import HubRepository, Stored

DATE = "2026-01-01T00:00:00.000Z"
PREFIXES = {"model": "", "dataset": "datasets/", "space": "spaces/"}
LFS_SIZE = 10 * 2**20
"""From this size on, in bytes, text is large as well."""

Entry = dict[str, Any]

# The account


def whoami(request: Handler) -> None:
    if not request.authenticated:
        request.error(401, "Unauthorized", "Invalid credentials in Authorization header")
        return
    hub = request.hub
    access = {"displayName": "tests", "role": hub.role}
    organizations = [{"type": "org", "name": name, "roleInOrg": "write"} for name in hub.organizations]
    request.reply(
        200,
        {"type": "user", "id": "0", "name": hub.user, "fullname": hub.user, "orgs": organizations}
        | {"auth": {"type": "access_token", "accessToken": access}},
    )


def validate_yaml(request: Handler) -> None:
    request.reply(200, {"errors": [], "warnings": []})


# Repositories


def create(request: Handler) -> None:
    body = request.json_body()
    hub = request.hub
    namespace, kind = body.get("organization") or hub.user, body.get("type") or "model"
    if not request.may_write(namespace):
        return
    id = f"{namespace}/{body['name']}"
    url = f"{hub.url}/{PREFIXES[kind]}{id}"
    if (kind, id) in hub.repos:
        request.reply(409, {"error": f"You already created this {kind} repo", "url": url})
        return
    private = bool(body.get("private") or body.get("visibility") == "private")
    hub.repos[kind, id] = HubRepository(kind, id, body.get("sdk"), private)
    request.reply(200, {"url": url, "name": id, "id": id})


def delete(request: Handler) -> None:
    body = request.json_body()
    namespace = body.get("organization") or request.hub.user
    if not request.may_write(namespace):
        return
    if request.hub.repos.pop((body.get("type") or "model", f"{namespace}/{body['name']}"), None) is None:
        request.error(404, "RepoNotFound", "Repository not found")
        return
    request.reply(200, {})


def listing(request: Handler, kind: str) -> None:
    known = {"likes": 0, "tags": [], "private": False, "createdAt": DATE, "lastModified": DATE}
    found = (repo for (type_, _), repo in list(request.hub.repos.items()) if type_ == kind)
    request.reply(200, [{"_id": "0" * 24, "id": repo.id, **known} for repo in found])


def info(request: Handler, kind: str, id: str, revision: str = "main") -> None:
    found = _revision(request, kind, id, revision)
    if found is None:
        return
    repository, oid = found
    answer: Entry = {
        "_id": "0" * 24,
        "id": repository.id,
        "author": repository.id.partition("/")[0],
        "sha": oid,
        "lastModified": DATE,
        "createdAt": DATE,
        "private": repository.private,
        "gated": False,
        "disabled": False,
        "downloads": 0,
        "likes": 0,
        "tags": [],
        "cardData": {},
        "siblings": [{"rfilename": path} for path in repository.commits[oid].files],
    }
    request.reply(200, answer | ({"sdk": repository.sdk} if repository.type == "space" else {}))


def _revision(request: Handler, kind: str, id: str, revision: str) -> tuple[HubRepository, str] | None:
    """The repository and the commit; where one of them is missing, the answer is sent."""
    repository = request.repository(kind, id)
    if repository is None:
        return None
    oid = repository.resolve(revision)
    if oid is None:
        request.error(404, "RevisionNotFound", f"Invalid rev id: {revision}")
        return None
    return repository, oid


# Branches, tags, history


def refs(request: Handler, kind: str, id: str) -> None:
    repository = request.repository(kind, id)
    if repository is None:
        return
    named = {"branches": ("heads", repository.branches), "tags": ("tags", repository.tags)}
    answer = {
        key: [{"name": name, "ref": f"refs/{folder}/{name}", "targetCommit": oid} for name, oid in table.items()]
        for key, (folder, table) in named.items()
    }
    request.reply(200, answer | {"converts": [], "pullRequests": []})


def history(request: Handler, kind: str, id: str, revision: str) -> None:
    found = _revision(request, kind, id, revision)
    if found is not None:
        commits = [(oid, found[0].commits[oid]) for oid in found[0].history(revision)]
        known = {"message": "", "date": DATE, "authors": []}
        request.reply(200, [{"id": oid, "title": commit.title, **known} for oid, commit in commits])


def branch(request: Handler, kind: str, id: str, name: str) -> None:
    start = request.json_body().get("startingPoint") or "main"
    found = _writable(request, kind, id, start)
    if found is not None:
        _refer(request, found[0].branches, name, found[1])


def tag(request: Handler, kind: str, id: str, revision: str) -> None:
    name = request.json_body()["tag"]
    found = _writable(request, kind, id, revision)
    if found is not None:
        _refer(request, found[0].tags, name, found[1])


def _writable(request: Handler, kind: str, id: str, revision: str) -> tuple[HubRepository, str] | None:
    if not request.may_write(id.partition("/")[0]):
        return None
    return _revision(request, kind, id, revision)


def _refer(request: Handler, table: dict[str, str], name: str, oid: str) -> None:
    if name in table:
        request.error(409, "Conflict", f"Reference {name} already exists")
        return
    table[name] = oid
    request.reply(200, {})


# Trees


def entry(path: str, file: Stored) -> Entry:
    size = len(file.content)
    known: Entry = {"type": "file", "oid": file.oid, "size": size, "path": path}
    return known | ({"lfs": {"oid": file.sha256, "size": size, "pointerSize": 134}} if file.lfs else {})


def folder(path: str) -> Entry:
    return {"type": "directory", "oid": hashlib.sha1(path.encode()).hexdigest(), "size": 0, "path": path}


def tree(request: Handler, kind: str, id: str, revision: str, path: str = "") -> None:
    found = _revision(request, kind, id, revision)
    if found is None:
        return
    prefix = f"{path.strip('/')}/" if path.strip("/") else ""
    recursive = (request.query.get("recursive") or [""])[0].lower() in ("true", "1")
    entries: list[Entry] = []
    folders: dict[str, Entry] = {}
    for name, file in found[0].commits[found[1]].files.items():
        if not name.startswith(prefix):
            continue
        parts = name[len(prefix) :].split("/")
        for depth in range(1, len(parts) if recursive else min(len(parts), 2)):
            inner = prefix + "/".join(parts[:depth])
            folders[inner] = folder(inner)
        if recursive or len(parts) == 1:
            entries.append(entry(name, file))
    if prefix and not entries and not folders:
        request.error(404, "EntryNotFound", f"{path} does not exist on {revision}")
        return
    request.reply(200, [*entries, *folders.values()])


def paths_info(request: Handler, kind: str, id: str, revision: str) -> None:
    found = _revision(request, kind, id, revision)
    if found is None:
        return
    body = request.read_body()
    if "json" in (request.headers.get("Content-Type") or ""):
        paths = json.loads(body).get("paths", [])
    else:
        paths = parse_qs(body.decode()).get("paths", [])
    files = found[0].commits[found[1]].files
    entries = [entry(path, files[path]) for path in paths if path in files]
    folders = [p for p in paths if any(name.startswith(p.rstrip("/") + "/") for name in files)]
    request.reply(200, [*entries, *map(folder, folders)])


# Upload


def preupload(request: Handler, kind: str, id: str, revision: str) -> None:
    found = _writable(request, kind, id, revision)
    if found is None:
        return
    files = found[0].commits[found[1]].files
    answer = []
    for item in request.json_body()["files"]:
        binary = b"\0" in base64.b64decode(item.get("sample") or "")
        lfs = request.hub.use_lfs and (binary or item["size"] > LFS_SIZE)
        path = item["path"]
        known = files[path].sha256 if path in files and files[path].lfs else None
        oid = known or (files[path].oid if path in files else None)
        mode = "lfs" if lfs else "regular"
        answer.append({"path": path, "uploadMode": mode, "shouldIgnore": False, "oid": oid})
    request.reply(200, {"files": answer})


def commit(request: Handler, kind: str, id: str, revision: str) -> None:
    lines = [json.loads(line) for line in request.read_body().splitlines() if line.strip()]
    with request.hub.lock:
        found = _writable(request, kind, id, revision)
        if found is None:
            return
        repository, base = found
        header: Entry = next((line["value"] for line in lines if line["key"] == "header"), {})
        parent = header.get("parentCommit")
        if parent is not None and parent != base:
            request.error(412, "Conflict", "A commit has happened since. Please refresh and try again.")
            return
        files = _changed(request, dict(repository.commits[base].files), lines)
        oid = repository.commit(revision, files, header.get("summary") or "commit")
    url = f"{request.hub.url}/{PREFIXES[kind]}{id}/commit/{oid}"
    request.reply(200, {"success": True, "commitOid": oid, "commitUrl": url, "hookOutput": ""})


def _changed(request: Handler, files: dict[str, Stored], lines: list[Entry]) -> dict[str, Stored]:
    """The files after the operations of a commit."""
    for line in lines:
        key, value = line["key"], line["value"]
        if key == "file":
            content = base64.b64decode(value["content"])
            files[value["path"]] = Stored(spoilt(content) if isinstance(request.what, Spoil) else content)
        elif key == "lfsFile":
            files[value["path"]] = Stored(request.hub.lfs[value["oid"]], lfs=True)
        elif key == "deletedFile":
            files.pop(value["path"], None)
        elif key == "deletedFolder":
            inside = value["path"].rstrip("/") + "/"
            files = {path: file for path, file in files.items() if not path.startswith(inside)}
    return files


def lfs_batch(request: Handler, prefix: str, id: str) -> None:
    if not request.may_write(id.partition("/")[0]):
        return
    answer = []
    for known in request.json_body()["objects"]:
        item: Entry = {"oid": known["oid"], "size": known["size"]}
        if known["oid"] not in request.hub.lfs:
            item["actions"] = {"upload": {"href": f"{request.hub.url}/_lfs/{known['oid']}", "header": {}}}
        answer.append(item)
    request.reply(200, {"transfer": "basic", "objects": answer}, content_type="application/vnd.git-lfs+json")


def lfs_put(request: Handler, oid: str) -> None:
    content = request.read_body()
    if hashlib.sha256(content).hexdigest() != oid:
        request.error(400, "BadRequest", "the content has another SHA-256")
        return
    request.hub.lfs[oid] = spoilt(content) if isinstance(request.what, Spoil) else content
    request.reply(200, {})


# Download


def resolve(request: Handler, prefix: str, id: str, revision: str, path: str) -> None:
    kind = {"datasets/": "dataset", "spaces/": "space"}.get(prefix, "model")
    found = _revision(request, kind, id, revision)
    if found is None:
        return
    repository, oid = found
    files = repository.commits[oid].files
    if path not in files:
        request.error(404, "EntryNotFound", "Entry not found", {"X-Repo-Commit": oid})
        return
    file = files[path]
    etag = f'"{file.sha256 if file.lfs else file.oid}"'
    size = str(len(file.content))
    known = {"X-Repo-Commit": oid, "ETag": etag, "X-Linked-Etag": etag, "X-Linked-Size": size}
    _send(request, file, known | {"Accept-Ranges": "bytes"})


def _send(request: Handler, file: Stored, headers: dict[str, str]) -> None:
    """The file, or the part that the header ``Range`` asks for."""
    content, size = file.content, len(file.content)
    content_type = "application/octet-stream" if file.lfs else "text/plain; charset=utf-8"
    asked = re.fullmatch(r"bytes=(\d+)-(\d*)", request.headers.get("Range") or "")
    if asked is None or request.command != "GET":
        request.reply(200, content, headers, content_type)
        return
    start, end = int(asked[1]), min(int(asked[2] or size - 1), size - 1)
    if start >= size:
        request.reply(416, b"", {"Content-Range": f"bytes */{size}"})
        return
    part = {"Content-Range": f"bytes {start}-{end}/{size}"}
    request.reply(206, content[start : end + 1], headers | part, content_type)


Route = tuple[tuple[str, ...], str, Callable[..., None]]

_API = r"/api/(?P<kind>model|dataset|space)s"
_REPO = _API + r"/(?P<id>[^/]+/[^/]+)"
_REVISION = r"/(?P<revision>[^/]+)"
_FILES = r"/(?P<prefix>datasets/|spaces/|)(?P<id>[^/]+/[^/]+)"

ROUTES: tuple[Route, ...] = (
    (("GET",), r"/api/whoami-v2", whoami),
    (("POST",), r"/api/validate-yaml", validate_yaml),
    (("POST",), r"/api/repos/create", create),
    (("DELETE",), r"/api/repos/delete", delete),
    (("POST",), _REPO + r"/preupload" + _REVISION, preupload),
    (("POST",), _REPO + r"/commit" + _REVISION, commit),
    (("POST",), _REPO + r"/paths-info" + _REVISION, paths_info),
    (("POST",), _REPO + r"/branch/(?P<name>.+)", branch),
    (("POST",), _REPO + r"/tag" + _REVISION, tag),
    (("GET",), _REPO + r"/tree" + _REVISION + r"(?:/(?P<path>.*))?", tree),
    (("GET",), _REPO + r"/commits" + _REVISION, history),
    (("GET",), _REPO + r"/refs", refs),
    (("GET", "HEAD"), _REPO + r"/revision" + _REVISION, info),
    (("GET", "HEAD"), _REPO, info),
    (("GET",), _API, listing),
    (("POST",), _FILES + r"\.git/info/lfs/objects/batch", lfs_batch),
    (("PUT",), r"/_lfs/(?P<oid>[0-9a-f]{64})", lfs_put),
    (("GET", "HEAD"), _FILES + r"/resolve" + _REVISION + r"/(?P<path>.+)", resolve),
)
"""Methods, path, answer; the first that matches. The names of the groups are the answer's arguments."""
