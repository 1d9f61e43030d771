"""Builds the repositories in a folder as they will stand on the Hub: ``stage``; reads them back: ``read_stage``."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from dibimt_metric.version import VERSION

from .bundled_files import travelling
from .contents import BLIMP, CONTENTS, PACKAGES, Content, entries
from .converted import check_converted
from .hub_names import PLACEHOLDER, check_namespace
from .manifest import MANIFEST, manifest_text, read_manifest, staged_file, verify
from .modules_cache import SCRIPT_FILE
from .place import check_place
from .repositories import Branch, Repository, RepositoryType, Stage


def stage(out: Path, namespace: str = PLACEHOLDER, blimp: Path | None = None, force: bool = False) -> Stage:
    """Build every repository in a folder, complete or not at all; the same input gives the same bytes.

    It is written beside its place under a hidden name and moved there at the end. An earlier stage that is replaced
    comes back where the move fails. An interruption leaves nothing behind; a process that is killed at once leaves the
    hidden folder.

    Args:
        out: the folder to be made.
        namespace: user or organization that the examples name.
        blimp: a folder that ``dibimt blimp convert`` wrote; ``None``: the data set ``blimp`` is left out.
        force: whether an earlier stage is replaced.

    Raises:
        InputError: the folder holds something else, or a stage without ``force``; a file is missing or does not say
            what it has to; the metric's main script leaves out a module; the converted folder is not whole; the system
            refuses.
    """
    from minimal_pairs.conversion.folder import new_folder

    check_namespace(namespace)
    contents = tuple(each for each in CONTENTS if blimp is not None or each.repository != BLIMP)
    sources = {each: PACKAGES / each.package if each.package or blimp is None else blimp for each in contents}
    check_place(out, force, sources.values())
    if blimp is not None:
        check_converted(blimp)
    with new_folder(out.resolve()) as folder:
        repositories = []
        for (kind, name), branches in groupby(contents, key=lambda each: (each.type, each.repository)):
            made = tuple(_write(each, sources[each], folder, namespace) for each in branches)
            repositories.append(Repository(kind, name, made))
        staged = Stage(out, namespace, VERSION, tuple(repositories))
        (folder / MANIFEST).write_bytes(manifest_text(staged).encode("utf-8"))
    return staged


def read_stage(folder: Path) -> Stage:
    """A staged folder, every file of which is what the manifest says.

    Raises:
        InputError: the folder holds no stage, or a file is missing, changed or extra.
    """
    found = read_manifest(folder)
    verify(found)
    return found


def _write(content: Content, source: Path, folder: Path, namespace: str) -> Branch:
    """Write the files of a branch."""
    place = folder / Repository(content.type, content.repository, ()).folder(content.branch)
    read = {entry.path: entry.read(namespace) for entry in entries(content, source)}
    if content.type is RepositoryType.SPACE:
        travelling(read, SCRIPT_FILE)
    files = []
    for name, data in read.items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)  # bytes: the same line ends everywhere
        files.append(staged_file(name, data))
    return Branch(content.branch, tuple(files))
