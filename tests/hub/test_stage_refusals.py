"""Where nothing is staged, and that nothing is lost and nothing half-written then."""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dibimt_metric.errors import InputError
from dibimt_tools.cli import main
from dibimt_tools.hub import staging
from dibimt_tools.hub.contents import Part, read_parts
from dibimt_tools.hub.repositories import read_stage
from dibimt_tools.hub.staging import stage
from tests.hub.clients import client_environment

ROOT = Path(__file__).resolve().parents[2]


def everything(folder: Path) -> dict[str, bytes | None]:
    """All that a folder holds, hidden names too; of folders the name."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")
    }


# The place


def _nothing(folder: Path) -> None:
    pass


def _file(folder: Path) -> None:
    (folder / "out").write_text("mine", encoding="utf-8")


def _foreign(folder: Path) -> None:
    (folder / "out").mkdir()
    (folder / "out/thesis.tex").write_text("mine", encoding="utf-8")


def _foreign_manifest(folder: Path) -> None:
    _foreign(folder)
    (folder / "out/manifest.json").write_text('{"name": "an app"}', encoding="utf-8")


def _stage(folder: Path) -> None:
    stage(folder / "out", namespace="earlier")


def _stage_with_more(folder: Path) -> None:
    _stage(folder)
    (folder / "out/spaces/dibimt/.git").mkdir()
    (folder / "out/spaces/dibimt/.git/HEAD").write_text("ref", encoding="utf-8")


def _stage_with_a_broken_manifest(folder: Path) -> None:
    _stage(folder)
    (folder / "out/manifest.json").write_text("{", encoding="utf-8")


@pytest.mark.parametrize(
    ("prepare", "force", "message"),
    [
        (_file, False, "is a file; name a folder"),
        (_file, True, "is a file; name a folder"),
        (_foreign, False, "holds something other than a stage; name another folder"),
        (_foreign, True, "holds something other than a stage; name another folder"),
        (_foreign_manifest, True, "its contents are unclear"),
        (_stage, False, "holds a stage; name another folder, or replace it with --force"),
        (_stage_with_more, True, "it also holds spaces/dibimt/.git/HEAD; move that away"),
        (_stage_with_a_broken_manifest, True, "its contents are unclear"),
    ],
)
def test_what_must_not_be_replaced(tmp_path: Path, prepare: Callable[[Path], None], force: bool, message: str) -> None:
    prepare(tmp_path)
    before = everything(tmp_path)
    with pytest.raises(InputError, match=re.escape(message)) as error:
        stage(tmp_path / "out", force=force)
    assert str(error.value).startswith(f"{tmp_path / 'out'}: ")
    assert everything(tmp_path) == before


@pytest.mark.parametrize(
    "out", [".", "..", "../..", "{metric}/out", "{metric}", "{data}/data/x", "{blimp}/out", "{blimp}"]
)
def test_folders_that_are_read_or_worked_in(
    tmp_path: Path, converted_blimp: Path, monkeypatch: pytest.MonkeyPatch, out: str
) -> None:
    blimp = shutil.copytree(converted_blimp, tmp_path / "blimp")
    (tmp_path / "a/b").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "a/b")
    out = out.format(metric=ROOT / "dibimt_metric", data=ROOT / "dibimt_dataset", blimp=blimp)
    with pytest.raises(InputError, match="is the current folder or one above it|which is read"):
        stage(Path(out), blimp=blimp, force=True)
    assert not (Path(out) / "manifest.json").exists()


@pytest.mark.parametrize("out", ["empty", "new/deep/out"])
def test_an_empty_folder_and_missing_parents_are_fine(tmp_path: Path, out: str) -> None:
    (tmp_path / "empty").mkdir()
    made = stage(tmp_path / out)
    assert read_stage(tmp_path / out) == made


def test_a_link_to_a_folder_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "out").symlink_to(tmp_path / "real")
    stage(tmp_path / "out")
    assert (tmp_path / "out").is_symlink() and read_stage(tmp_path / "real").repositories
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "real"]


def test_a_folder_cannot_be_made_in_a_file(tmp_path: Path) -> None:
    _file(tmp_path)
    with pytest.raises(InputError, match=f"because {re.escape(str(tmp_path / 'out'))} is a file"):
        stage(tmp_path / "out/new/deep")


def test_a_link_in_circles(tmp_path: Path) -> None:
    (tmp_path / "out").symlink_to(tmp_path / "out")
    with pytest.raises(InputError, match="cannot be"):
        stage(tmp_path / "out")


def test_force_replaces_all_of_a_stage(tmp_path: Path, converted_blimp: Path) -> None:
    stage(tmp_path / "out", blimp=converted_blimp)
    page = tmp_path / "out/spaces/dibimt"
    (page / "app.py").write_text("changed", encoding="utf-8")
    (page / "__pycache__").mkdir()
    (page / "__pycache__/app.cpython-311.pyc").write_bytes(b"")
    made = stage(tmp_path / "out", force=True)
    assert read_stage(tmp_path / "out") == made
    assert not (tmp_path / "out/datasets/blimp").exists() and not (page / "__pycache__").exists()


@pytest.mark.parametrize("out", ["file/out", "file/deep/out", "a\0b", "x" * 300])
def test_a_place_that_cannot_be(tmp_path: Path, out: str) -> None:
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match="cannot be"):
        stage(tmp_path / out)


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write everywhere")
def test_a_folder_that_may_not_be_written(tmp_path: Path) -> None:
    (tmp_path / "locked").mkdir(mode=0o500)
    with pytest.raises(InputError, match="cannot be written .Permission denied."):
        stage(tmp_path / "locked/out")


@pytest.mark.parametrize("namespace", ["", "a b", "a/b", "-a", "a.", "a--b", "a..b", "ä", "x" * 97, "me\n"])
def test_a_namespace_that_nobody_can_have(tmp_path: Path, namespace: str) -> None:
    with pytest.raises(InputError, match="is not a valid name of a user or an organization"):
        stage(tmp_path / "out", namespace=namespace)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("namespace", ["a", "evaluate-metric", "A_1.b", "_me_", "x" * 96])
def test_a_namespace_that_somebody_can_have(tmp_path: Path, namespace: str) -> None:
    stage(tmp_path / "out", namespace=namespace)
    card = (tmp_path / "out/datasets/dibimt/README.md").read_text(encoding="utf-8")
    assert f'load_dataset("{namespace}/dibimt", "de"' in card


# The converted folder


def _missing(folder: Path) -> None:
    (folder / "data/island_effects/wh_island.jsonl").unlink()


def _missing_corrected(folder: Path) -> None:
    (folder / "corrected/island_effects/wh_island.jsonl").unlink()


def _no_corrected(folder: Path) -> None:
    shutil.rmtree(folder / "corrected")


def _cut(folder: Path) -> None:
    path = folder / "data/binding/principle_A_case_1.jsonl"
    path.write_bytes(path.read_bytes()[:-20])


def _extra(folder: Path) -> None:
    (folder / "corrected/binding/mine.jsonl").write_text("{}\n", encoding="utf-8")


def _no_card(folder: Path) -> None:
    (folder / "README.md").unlink()


def _no_record(folder: Path) -> None:
    (folder / "conversion.json").unlink()


def _broken_record(folder: Path) -> None:
    (folder / "conversion.json").write_text("{", encoding="utf-8")


def _empty_record(folder: Path) -> None:
    (folder / "conversion.json").write_text('{"format": "blimp-conversion/1"}', encoding="utf-8")


def _smaller_record(folder: Path) -> None:
    record = json.loads((folder / "conversion.json").read_text(encoding="utf-8"))
    record["paradigms"].pop()
    (folder / "conversion.json").write_text(json.dumps(record), encoding="utf-8")


def _gone(folder: Path) -> None:
    shutil.rmtree(folder)


def _zip(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.write_bytes(b"PK")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_missing, "data/island_effects/wh_island.jsonl: cannot be read (No such file or directory)"),
        (_missing_corrected, "corrected/island_effects/wh_island.jsonl: cannot be read"),
        (_no_corrected, "corrected/anaphor_agreement/anaphor_gender_agreement.jsonl: cannot be read"),
        (_cut, "data/binding/principle_A_case_1.jsonl: has 2 lines, expected 3; convert again"),
        (_extra, "corrected/binding/mine.jsonl: is not a file of the conversion; convert again"),
        (_no_card, "README.md: no such file, and staging needs it; convert again"),
        (_no_record, "has no conversion.json; name a folder that 'dibimt blimp convert' wrote"),
        (_broken_record, "conversion.json: cannot be"),
        (_empty_record, "conversion.json: cannot be used"),
        (_smaller_record, "does not name the 67 paradigms of BLiMP; convert again"),
        (_gone, "is not a folder"),
        (_zip, "is not a folder"),
    ],
)
def test_a_folder_that_is_not_converted_or_not_whole(
    tmp_path: Path, converted_blimp: Path, change: Callable[[Path], None], message: str
) -> None:
    blimp = shutil.copytree(converted_blimp, tmp_path / "blimp")
    change(blimp)
    with pytest.raises(InputError, match=re.escape(message)) as error:
        stage(tmp_path / "out", blimp=blimp)
    assert str(error.value).startswith(str(blimp))
    assert not (tmp_path / "out").exists()


# Nothing half-written


@pytest.fixture(params=["new", "replaced"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder in which nothing stands yet, or an earlier stage."""
    if request.param == "replaced":
        _stage(tmp_path)
    return tmp_path


def stop_at_the_last(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """Let staging fail when all but the last branch are written."""

    def interrupted(parts: tuple[Part, ...], *arguments: Any) -> dict[str, bytes]:
        if parts[0].package == "ldd_challenge_sets":
            raise error
        return read_parts(parts, *arguments)

    monkeypatch.setattr(staging, "read_parts", interrupted)


def test_an_interrupted_staging_leaves_nothing(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = everything(place)
    stop_at_the_last(monkeypatch, KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        stage(place / "out", force=True)
    assert everything(place) == before


def test_a_replacement_that_fails_brings_the_old_stage_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _stage(tmp_path)
    before = everything(tmp_path)
    rename = Path.rename

    def refuse(self: Path, target: Path) -> Path:
        if self.name == "new":
            raise PermissionError(13, "Permission denied")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(InputError, match="cannot be written .Permission denied."):
        stage(tmp_path / "out", force=True)
    assert everything(tmp_path) == before


@pytest.fixture
def small_files() -> Iterator[None]:
    """No file may grow beyond 50 kB: writing fails as on a full disk."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, limits[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def test_a_system_that_refuses_to_write(place: Path, small_files: None) -> None:
    before = everything(place)
    with pytest.raises(InputError, match="cannot be written .File too large.; try another folder"):
        stage(place / "out", force=True)
    assert everything(place) == before


WAIT = """
import sys, time
from dibimt_tools.cli import main
from dibimt_tools.hub import staging
write = staging._write
def slowly(*arguments):
    branch = write(*arguments)
    print("written", flush=True)
    time.sleep(60)
    return branch
staging._write = slowly
sys.exit(main(["hub", "stage", "--out", "out"]))
"""


def test_control_c(tmp_path: Path) -> None:
    scratch, folder = tmp_path / "scratch", tmp_path / "folder"
    folder.mkdir()
    with subprocess.Popen(
        [sys.executable, "-c", WAIT],
        cwd=folder, env=client_environment(scratch, None), encoding="utf-8",
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as program:  # fmt: skip
        assert program.stdout is not None
        assert program.stdout.readline() == "written\n"
        assert [path.name[:5] for path in folder.iterdir()] == [".out-"]
        program.send_signal(signal.SIGINT)
        _, err = program.communicate(timeout=60)
    assert (program.returncode, err) == (130, "dibimt: interrupted\n")
    assert list(folder.iterdir()) == []


def test_the_command_says_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "thesis.tex").write_text("mine", encoding="utf-8")
    assert main(["hub", "stage", "--out", str(tmp_path), "--force"]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err == (
        f"dibimt hub stage: {tmp_path}: holds something other than a stage; name another folder\n"
    )
