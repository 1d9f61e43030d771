"""Files: never overwritten unasked, never half-written."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from dibimt_metric.errors import InputError
from dibimt_tools.output import check_outputs, progress, to_json, write_files

SCORE = "score --language de --items items.jsonl --predictions hyp.txt"


@pytest.mark.parametrize("option", ["--per-item", "--review", "--output"])
def test_existing_files_stay_without_force(folder: Path, run, option: str) -> None:
    (folder / "old.tsv").write_text("precious", encoding="utf-8")
    code, out, err = run(f"{SCORE} {option} old.tsv")
    assert (code, out) == (2, "")
    assert err == (
        "dibimt score: old.tsv: cannot be written: it exists; choose another name, or overwrite it with --force\n"
    )
    assert (folder / "old.tsv").read_text("utf-8") == "precious"
    assert run(f"{SCORE} {option} old.tsv --force")[0] == 0
    assert (folder / "old.tsv").read_text("utf-8") != "precious"


def test_an_existing_file_is_refused_before_the_work(folder: Path, run, monkeypatch) -> None:
    (folder / "old").write_text("precious", encoding="utf-8")
    monkeypatch.setattr("dibimt_metric.score_results.score_pairs", lambda *_: pytest.fail("worked first"))
    assert run(f"{SCORE} --output old")[0] == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--per-item items.jsonl --force", "items.jsonl: cannot be written: it is an input"),
        ("--output ./hyp.txt --force", "hyp.txt: cannot be written: it is an input"),
        ("--per-item new --review ./new", "two outputs have this name"),
        ("--per-item no/such/folder/x", "there is no folder"),
        ("--per-item .", "it is a folder"),
        ("--per-item items.jsonl/x", "there is no folder"),
    ],
)
def test_places_that_cannot_be_written(folder: Path, run, options: str, message: str) -> None:
    before = {path: path.read_bytes() for path in folder.iterdir()}
    code, out, err = run(f"{SCORE} {options}")
    assert (code, out) == (2, "")
    assert message in err
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_a_name_too_long_is_a_message(folder: Path, run) -> None:
    code, _, err = run(f"{SCORE} --per-item {'x' * 300}")
    assert code == 2
    assert "cannot be written" in err


def test_the_longest_possible_name_can_be_written(tmp_path: Path) -> None:
    write_files({tmp_path / ("x" * 255): "text"}, force=False)
    assert [path.read_text("utf-8") for path in tmp_path.iterdir()] == ["text"]


def test_output_holds_what_would_be_printed(folder: Path, run) -> None:
    printed = run(SCORE)[1]
    assert run(f"{SCORE} --output report.txt") == (0, "", "")
    assert (folder / "report.txt").read_text("utf-8") == printed


@pytest.mark.parametrize("exception", [KeyboardInterrupt, OSError(28, "No space left on device")])
@pytest.mark.parametrize("method", ["write_bytes", "replace"])
def test_nothing_is_left_when_writing_stops(
    folder: Path, run, monkeypatch: pytest.MonkeyPatch, method: str, exception: BaseException
) -> None:
    (folder / "old").write_text("precious", encoding="utf-8")
    before = {path: path.read_bytes() for path in folder.iterdir()}
    real = Path.write_bytes

    def stop(path: Path, content: bytes) -> int:
        if method == "write_bytes":
            real(path, content[:10])  # half of it stands there already
        raise exception

    monkeypatch.setattr(Path, method, stop)
    code, out, err = run(f"{SCORE} --per-item new --output old --force")
    monkeypatch.undo()
    assert code == (130 if exception is KeyboardInterrupt else 2)
    assert out == ""
    assert err == "dibimt: interrupted\n" or "No space left on device" in err
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_all_files_or_none(tmp_path: Path) -> None:
    (tmp_path / "second").write_text("precious", encoding="utf-8")
    with pytest.raises(InputError, match="second: cannot be written: it exists"):
        write_files({tmp_path / "first": "a", tmp_path / "second": "b"}, force=False)
    assert [path.name for path in tmp_path.iterdir()] == ["second"]


@pytest.mark.skipif(os.name != "posix", reason="needs the null device")
def test_a_device_is_written_and_stays_a_device() -> None:
    null = Path(os.devnull)
    check_outputs([null], force=False)
    write_files({null: "text"}, force=False)
    assert null.is_char_device()


@pytest.mark.skipif(os.name != "posix", reason="needs symbolic links and modes")
def test_links_and_permissions_are_kept(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old", encoding="utf-8")
    (tmp_path / "real").chmod(0o600)
    (tmp_path / "link").symlink_to("real")
    write_files({tmp_path / "link": "new"}, force=True)
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text("utf-8") == "new"
    assert (tmp_path / "real").stat().st_mode & 0o777 == 0o600


def test_json_is_utf_8_or_escaped() -> None:
    assert to_json({"a": "ü"}, indent=None) == '{"a": "ü"}'
    assert to_json({"a": "ü\ud800"}, indent=None) == '{"a": "\\u00fc\\ud800"}'


def test_progress_is_shown_on_terminals_only(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert list(progress(3, "score")(range(3))) == [0, 1, 2]
    assert capsys.readouterr() == ("", "")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert list(progress(3, "score")(range(3))) == [0, 1, 2]
    out, err = capsys.readouterr()
    assert out == ""
    assert "score: " in err and "/3" in err
