"""``dibimt hub install`` and ``uninstall``: what they write, what they leave alone, and that ``evaluate`` agrees."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from dibimt_metric.errors import InputError
from dibimt_metric.version import VERSION
from dibimt_tools.cli import main
from dibimt_tools.hub import install as module
from dibimt_tools.hub.install import (
    MARKER,
    Action,
    copies,
    install,
    modules_cache,
    packages,
    read_marker,
    uninstall,
)
from dibimt_tools.hub.repositories import RepositoryType
from dibimt_tools.hub.staging import stage
from tests.hub.clients import client_environment, run_python

FOREIGN = "f" * 64
ALSO_FOREIGN = "0" * 64


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The metric's folder in a modules cache that does not exist yet."""
    for name in ("HF_MODULES_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HF_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "home/modules/evaluate_modules/metrics/evaluate-metric--dibimt"


def tree(folder: Path) -> dict[str, bytes | None]:
    """Everything below a folder, with the contents of the files."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


def foreign(folder: Path, name: str = FOREIGN, script: bool = True, time: float | None = None) -> Path:
    """A copy that someone else made."""
    made = folder / name
    made.mkdir(parents=True)
    (made / "notes.txt").write_text("keep", encoding="utf-8")
    if script:
        (made / "dibimt.py").write_text("raise ImportError('the foreign copy')\n", encoding="utf-8")
        if time is not None:
            os.utime(made / "dibimt.py", (time, time))
    return made


def older_version(folder: Path, *extra: str) -> Path:
    """A copy of an earlier version, as ``install`` left it, with files of someone else in it."""
    path = install().path
    (path / "version.py").write_text('VERSION = "0.0.1"\n', encoding="utf-8")
    old = path.rename(folder / ("a" * 64))
    marker = json.loads((old / MARKER).read_text(encoding="utf-8"))
    (old / MARKER).write_text(json.dumps(marker | {"version": "0.0.1"}), encoding="utf-8")
    for name in extra:
        (old / name).write_text("keep", encoding="utf-8")
    return old


# What is written


def test_the_copy_is_what_is_staged(folder: Path, tmp_path: Path) -> None:
    done = install()
    staged = stage(tmp_path / "stage")
    space = next(each for each in staged.repositories if each.type is RepositoryType.SPACE)
    written = {name: content for name, content in tree(done.path).items() if name != MARKER}
    assert written.pop("__init__.py") == b""
    assert written == {name: staged.path(space, "main", name).read_bytes() for name in written}
    assert {"dibimt.py", "judge.py"} <= written.keys()
    assert not {"app.py", "dibimt_metric.py", "README.md"} & written.keys()
    assert (done.action, done.version, done.files) == (Action.INSTALLED, VERSION, len(written))


def test_place(folder: Path) -> None:
    done = install()
    assert done.path.parent == folder and len(done.path.name) == 64
    int(done.path.name, 16)
    assert packages(modules_cache())[-1] == folder
    for package in packages(modules_cache()):
        assert (package / "__init__.py").read_bytes() == b""
    assert sorted(path.name for path in folder.iterdir()) == sorted(["__init__.py", done.path.name])


def test_the_name_is_a_hash_of_the_content(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = install()
    shutil.rmtree(folder)
    again = install()
    assert again.path == first.path and again.action is Action.INSTALLED
    contents = module._modules()
    changed = contents | {"rules.py": contents["rules.py"] + b"\n"}
    monkeypatch.setattr(module, "_modules", lambda: changed)
    assert install().path != first.path


def test_marker_names_the_files_and_nothing_of_this_machine(folder: Path) -> None:
    path = install().path
    version, files = read_marker(path)
    assert version == VERSION
    assert {file.path for file in files} == {each.name for each in path.iterdir()} - {MARKER, "__init__.py"}
    assert str(folder.parents[3]) not in (path / MARKER).read_text(encoding="utf-8")


# Again


def test_again_changes_nothing(folder: Path) -> None:
    install()
    before, times = tree(folder), {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    assert install().action is Action.UNCHANGED
    assert (tree(folder), {path: path.stat().st_mtime_ns for path in folder.rglob("*")}) == (before, times)


def damage_missing(path: Path) -> None:
    (path / "rules_de.py").unlink()


def damage_cut(path: Path) -> None:
    content = (path / "rules_de.py").read_bytes()
    (path / "rules_de.py").write_bytes(content[: len(content) // 2])


def damage_same_size(path: Path) -> None:
    content = (path / "rules_de.py").read_bytes()
    (path / "rules_de.py").write_bytes(content[:-2] + b"#\n")


def damage_empty(path: Path) -> None:
    (path / "rules_de.py").write_bytes(b"")


@pytest.mark.parametrize("damage", [damage_missing, damage_cut, damage_same_size, damage_empty])
def test_a_damaged_copy_is_mended(folder: Path, damage: Any) -> None:
    path = install().path
    (path / "__pycache__").mkdir()
    whole = tree(path)
    damage(path)
    (path / "list.txt").write_text("of the user", encoding="utf-8")
    done = install()
    assert (done.action, done.path, done.mended) == (Action.MENDED, path, ("rules_de.py",))
    del whole["__pycache__"]  # compiled files may be those of the damaged source
    assert tree(path) == whole | {"list.txt": b"of the user"}


def test_a_damaged_marker_is_mended(folder: Path) -> None:
    path = install().path
    (path / MARKER).write_text('{"format": "dibimt-inst', encoding="utf-8")
    assert install().mended == (MARKER,)
    (path / MARKER).unlink()
    done = install()
    assert (done.mended, done.others, read_marker(path)[0]) == ((MARKER,), (), VERSION)


def test_an_older_version_is_replaced(folder: Path) -> None:
    old = older_version(folder)
    done = install()
    assert done.action is Action.REPLACED
    assert [(copy.path, copy.version) for copy in done.removed] == [(old, "0.0.1")]
    assert sorted(path.name for path in folder.iterdir()) == sorted(["__init__.py", done.path.name])


def test_files_of_the_user_in_an_older_version_are_kept(folder: Path) -> None:
    older_version(folder, "list.txt")
    done = install()
    assert len(done.left) == 1 and tree(done.left[0]) == {"list.txt": b"keep"}
    assert [copy.path for copy in copies(folder)] == [done.path]  # evaluate does not see what is left


# Copies of others


def test_other_copies_stay_and_ours_is_the_newest(folder: Path) -> None:
    future = 4_000_000_000.0
    theirs = [foreign(folder), foreign(folder, ALSO_FOREIGN, time=future)]
    before = [tree(each) for each in theirs]
    done = install()
    assert set(done.others) == set(theirs) and done.blocking == ()
    assert [tree(each) for each in theirs] == before
    newest = max(copies(folder), key=lambda copy: copy.modified or 0)
    assert newest.path == done.path
    os.utime(theirs[0] / "dibimt.py", (future + 60, future + 60))  # evaluate has written another one since
    assert install().action is Action.UNCHANGED
    assert (done.path / "dibimt.py").stat().st_mtime == future + 61


def test_a_copy_without_script_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    theirs = foreign(folder, script=False)
    assert main(["hub", "install"]) == 1
    report = capsys.readouterr().out
    assert str(theirs) in report and "Delete or move" in report
    assert tree(theirs) == {"notes.txt": b"keep"}
    assert main(["hub", "install", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["blocking"] == [str(theirs)]


def test_names_of_another_length_are_no_copies(folder: Path) -> None:
    foreign(folder, "f" * 63)
    done = install()
    assert (done.others, done.blocking) == ((), ())


# Uninstall


def test_uninstall_leaves_what_was_there(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    theirs = foreign(folder)
    (folder / "__init__.py").touch()
    before = tree(folder)
    path = install().path
    (path / "__pycache__").mkdir()
    (path / "__pycache__/rules.cpython-311.pyc").write_bytes(b"compiled")
    assert main(["hub", "uninstall"]) == 0
    report = capsys.readouterr().out
    assert f"removed: version {VERSION}, {path}" in report and str(theirs) in report
    assert tree(folder) == before


def test_uninstall_removes_the_folder_that_nobody_else_uses(folder: Path) -> None:
    install()
    modules = folder.parents[2]
    done = uninstall()
    assert [copy.version for copy in done.removed] == [VERSION] and not folder.exists()
    # What evaluate shares with every other metric, and its lock.
    assert all(content in (b"", None) for content in tree(modules).values())
    assert [name for name in tree(modules) if "dibimt" in name] == [
        "evaluate_modules/metrics/evaluate-metric--dibimt.lock"
    ]


def test_uninstall_removes_older_and_damaged_copies(folder: Path) -> None:
    older_version(folder)
    broken = foreign(folder, "b" * 64)
    (broken / MARKER).write_text("half a mark", encoding="utf-8")
    done = uninstall()
    assert [copy.version for copy in done.removed] == ["0.0.1", ""]
    assert [tree(each) for each in done.left] == [{"notes.txt": b"keep"}]
    assert copies(folder) == ()


def test_second_uninstall_has_nothing_to_do(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install()
    uninstall()
    before = tree(folder.parents[3])
    assert main(["hub", "uninstall"]) == 0
    assert capsys.readouterr().out.startswith(f"nothing to remove in {folder}")
    assert main(["hub", "uninstall", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["removed"] == []
    assert tree(folder.parents[3]) == before


def test_uninstall_where_nothing_was_ever_installed_writes_nothing(folder: Path) -> None:
    assert uninstall().removed == ()
    assert not folder.parents[3].exists()


def test_a_marker_cannot_point_outside(folder: Path) -> None:
    path = install().path
    kept = folder / "kept.py"
    kept.write_text("keep", encoding="utf-8")
    marker = json.loads((path / MARKER).read_text(encoding="utf-8"))
    marker["files"].append({"path": "../kept.py", "size": 4, "sha256": "0"})
    (path / MARKER).write_text(json.dumps(marker), encoding="utf-8")
    assert len(uninstall().removed) == 1
    assert kept.read_text(encoding="utf-8") == "keep"


# Interrupted, several at once, refused

KILLED = """
import os, sys
from pathlib import Path
from dibimt_tools.hub.install import install, uninstall
action, method, last = globals()[sys.argv[1]], sys.argv[2], int(sys.argv[3])
original, calls = getattr(Path, method), []
def until(self, *arguments, **options):
    calls.append(self)
    if len(calls) == last:
        os._exit(9)  # as if killed: nothing is cleaned up
    return original(self, *arguments, **options)
setattr(Path, method, until)
action()
"""


def killed(tmp_path: Path, *arguments: str) -> None:
    environment = client_environment(tmp_path, None, HF_HOME=str(tmp_path / "home"))
    done = subprocess.run([sys.executable, "-c", KILLED, *arguments], env=environment, cwd=tmp_path)
    assert done.returncode == 9


@pytest.mark.parametrize("at", [("mkdir", "6"), ("write_bytes", "20"), ("write_bytes", "50"), ("rename", "1")])
def test_a_killed_install_leaves_no_half_of_a_copy(folder: Path, tmp_path: Path, at: tuple[str, str]) -> None:
    killed(tmp_path, "install", *at)
    assert copies(folder) == ()
    done = install()
    assert done.action is Action.INSTALLED
    assert sorted(path.name for path in folder.iterdir()) == sorted(["__init__.py", done.path.name])


def test_a_killed_replacement_leaves_a_whole_copy(folder: Path, tmp_path: Path) -> None:
    older_version(folder, "list.txt")
    killed(tmp_path, "install", "unlink", "5")
    (whole,) = copies(folder)
    assert whole.version == VERSION
    done = install()
    assert (done.action, done.path) == (Action.UNCHANGED, whole.path)
    (left,) = [path for path in folder.iterdir() if path.name.startswith("left-")]
    assert tree(left) == {"list.txt": b"keep"}


def test_a_killed_uninstall_is_finished_by_the_next(folder: Path, tmp_path: Path) -> None:
    install()
    killed(tmp_path, "uninstall", "unlink", "5")
    assert copies(folder) == () and folder.exists()
    uninstall()
    assert not folder.exists()


def test_an_uninstall_killed_at_the_last_step_loses_nothing_of_the_user(folder: Path, tmp_path: Path) -> None:
    path = install().path
    (path / "list.py").write_text("keep", encoding="utf-8")
    killed(tmp_path, "uninstall", "rename", "2")  # the first one took the copy out of sight
    assert [tree(left) for left in uninstall().left] == [{"list.py": b"keep"}]


def test_several_at_once(folder: Path, tmp_path: Path) -> None:
    environment = client_environment(tmp_path, None, HF_HOME=str(tmp_path / "home"))
    code = (
        "from dibimt_tools.hub.install import install, uninstall\n"
        "import json\n"
        "install(); uninstall(); done = install(); print(json.dumps(str(done.path)))"
    )
    with ThreadPoolExecutor() as pool:
        found = set(pool.map(lambda _: run_python(code, environment, tmp_path), range(4)))
    (path,) = found
    assert install().action is Action.UNCHANGED
    assert sorted(each.name for each in folder.iterdir()) == sorted(["__init__.py", Path(path).name])


def test_a_long_wait_is_an_error(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install()
    monkeypatch.setattr(module, "LOCK_TIMEOUT", 0.05)
    with (
        module.FileLock(f"{folder}.lock"),
        pytest.raises(InputError, match="another process has been working there"),
    ):
        install()


@pytest.mark.parametrize("place", ["home", "home/modules", "home/modules/evaluate_modules/metrics"])
def test_a_file_in_the_place_of_a_folder(
    folder: Path, tmp_path: Path, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / place).write_text("no folder", encoding="utf-8")
    assert main(["hub", "install"]) == 2
    message = capsys.readouterr().err
    assert f"{tmp_path / place} is a file" in message and "HF_MODULES_CACHE" in message
    assert main(["hub", "uninstall"]) == 0


@pytest.mark.parametrize("code", [errno.EACCES, errno.EROFS, errno.ENOSPC])
def test_the_system_refuses_to_write(folder: Path, monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    original, calls = Path.write_bytes, []

    def refused(self: Path, content: bytes) -> int:
        calls.append(self)
        if len(calls) == 5:
            raise OSError(code, os.strerror(code), str(self))
        return original(self, content)

    monkeypatch.setattr(Path, "write_bytes", refused)
    with pytest.raises(InputError, match=os.strerror(code)):
        install()
    assert [path.name for path in folder.iterdir()] == ["__init__.py"]


def test_a_cache_that_may_not_be_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(self: Path, *_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(self))

    monkeypatch.setattr(Path, "mkdir", refused)
    with pytest.raises(InputError, match=r"home/modules: cannot be written \(Permission denied\)"):
        install()


# The report


def test_report(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hub", "install"]) == 0
    report = capsys.readouterr().out
    assert 'evaluate.load("dibimt", "de")' in report and str(folder) in report
    order = [report.index(each) for each in ("working directory", "evaluate-metric/dibimt", "3. this copy")]
    assert order == sorted(order)
    assert "HF_EVALUATE_OFFLINE=1" in report and "not found here" in report
    (tmp_path / "dibimt").mkdir()
    (tmp_path / "dibimt/dibimt.py").touch()
    main(["hub", "install"])
    assert f"found: {tmp_path / 'dibimt' / 'dibimt.py'}" in capsys.readouterr().out


def test_report_in_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hub", "install", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["action"], found["version"], found["shadowed_by"]) == ("installed", VERSION, None)
    assert Path(found["path"]).is_dir()


# The place, by `evaluate` itself

PLACES: tuple[dict[str, str], ...] = (
    {},
    {"HF_HOME": "/somewhere/hf"},
    {"HF_HOME": "~/hf"},
    {"HF_HOME": "~nobody-of-this-name/hf"},
    {"HF_HOME": ""},
    {"XDG_CACHE_HOME": "/somewhere/cache"},
    {"XDG_CACHE_HOME": "~/other"},
    {"XDG_CACHE_HOME": "relative"},
    {"XDG_CACHE_HOME": ""},
    {"XDG_CACHE_HOME": "/somewhere/cache", "HF_HOME": "/elsewhere"},
    {"HF_MODULES_CACHE": "/somewhere/modules", "HF_HOME": "/elsewhere"},
    {"HF_MODULES_CACHE": "relative/modules"},
    {"HF_MODULES_CACHE": "~/modules"},
    {"HF_MODULES_CACHE": ""},
)

COMPARE = """
import importlib, json, os, sys
from pathlib import Path
sys.modules["transformers"] = None  # evaluate then imports in a third of the time
import evaluate
from dibimt_tools.hub.install import modules_cache
found = []
for place in json.loads(sys.argv[1]):
    for name in ("HF_HOME", "XDG_CACHE_HOME", "HF_MODULES_CACHE"):
        os.environ.pop(name, None)
    os.environ.update(place)
    theirs = importlib.reload(evaluate.config).HF_MODULES_CACHE
    found.append([str(Path(theirs).absolute()), str(modules_cache())])
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[list[str]]]:
    scratch = tmp_path_factory.mktemp("places")
    yield run_python(COMPARE, client_environment(scratch, None), scratch, json.dumps(PLACES))


@pytest.mark.parametrize("index", range(len(PLACES)), ids=lambda index: str(PLACES[index]))
def test_the_place_is_that_of_evaluate(places: list[list[str]], index: int) -> None:
    theirs, ours = places[index]
    assert ours == theirs
