"""The release made into a folder of one schema."""

from __future__ import annotations

import hashlib
import json
import shutil
import threading
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from dibimt_metric.errors import InputError
from minimal_pairs.conversion import convert as convert_module
from minimal_pairs.conversion.conversion import read_conversion
from minimal_pairs.conversion.convert import convert
from minimal_pairs.conversion.release import ADDRESS, CHECKSUMS, checksum, download
from minimal_pairs.conversion.schema import COLUMNS, NYU_MLL
from minimal_pairs.paradigms import PARADIGMS
from minimal_pairs.reading.read import read_pairs
from minimal_pairs.records import Pair
from tests.minimal_pairs.conftest import PAIRS, read_lines, upstream_line

Edit = Callable[..., None]


def content(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# The files


def test_files(tiny_converted: Path) -> None:
    expected = {"README.md", "conversion.json"}
    for paradigm in PARADIGMS:
        for variant in ("data", "corrected"):
            expected.add(f"{variant}/{paradigm.phenomenon}/{paradigm.name}.jsonl")
    assert set(content(tiny_converted)) == expected and len(expected) == 2 + 2 * 67


def test_every_line_has_every_column_in_order(tiny_converted: Path) -> None:
    assert set(COLUMNS) == set(Pair.__dataclass_fields__) and len(COLUMNS) == len(set(COLUMNS)) == 22
    for path in tiny_converted.glob("*/*/*.jsonl"):
        for line in read_lines(path):
            assert tuple(line) == COLUMNS and COLUMNS[:10] == NYU_MLL


def test_nothing_of_the_release_is_changed_or_lost(release: Path, tiny_converted: Path) -> None:
    for paradigm in PARADIGMS:
        before = read_lines(release / f"{paradigm.name}.jsonl")
        after = read_lines(tiny_converted / "data" / paradigm.phenomenon / f"{paradigm.name}.jsonl")
        for old, new in zip(before, after, strict=True):
            assert {key: new[key] for key in old} == old
            assert {key: value for key, value in new.items() if key not in old and value is not None} == {
                "pair_id": int(old["pairID"]),
                "phenomenon": paradigm.phenomenon,
                "paradigm": paradigm.name,
                "issues": [],
            }


@pytest.mark.slow
def test_nothing_of_the_real_release_is_changed_or_lost(blimp_release: Path, blimp_converted: Path) -> None:
    for paradigm in PARADIGMS:
        before = read_lines(blimp_release / f"{paradigm.name}.jsonl")
        after = read_lines(blimp_converted / "data" / paradigm.phenomenon / f"{paradigm.name}.jsonl")
        assert len(before) == 1000
        for old, new in zip(before, after, strict=True):
            assert {key: new[key] for key in old} == old
            assert new["pair_id"] == int(old["pairID"]) and new["phenomenon"] == paradigm.phenomenon


def test_faults_are_marked_and_corrected(release: Path, edit: Edit, tmp_path: Path) -> None:
    edit("animate_subject_trans", 1, two_prefix_word=" float")
    edit("passive_1", 0, sentence_bad=upstream_line(paradigm("passive_1"), 0)["sentence_good"])
    edit("wh_island", 2, sentence_good="Ann sees this out in the open boat.")
    conversion = convert(release, tmp_path / "out")
    found = {issue: number for issue, number in conversion.issues if number}
    assert found == {"identical": 1, "stray_space": 1, "out_in_the_open": 1}
    assert (conversion.pairs, conversion.corrected) == (67 * PAIRS, 67 * PAIRS - 2)
    counts = {one.name: one for one in conversion.paradigms}
    assert counts["wh_island"].issues == (("out_in_the_open", 1),) and counts["wh_island"].corrected == PAIRS - 1
    before, after = (
        read_lines(tmp_path / "out" / variant / "argument_structure" / "animate_subject_trans.jsonl")[1]
        for variant in ("data", "corrected")
    )
    assert (before["two_prefix_word"], before["issues"]) == (" float", ["stray_space"])
    assert after == before | {"two_prefix_word": "float", "issues": []}


def paradigm(name: str) -> Any:
    return next(one for one in PARADIGMS if one.name == name)


@pytest.mark.slow
def test_counts_of_the_real_release(blimp_converted: Path) -> None:
    conversion = read_conversion(blimp_converted)
    assert conversion is not None and conversion.changed == ()
    assert (conversion.pairs, conversion.corrected) == (67_000, 66_812)
    assert {counts.pairs for counts in conversion.paradigms} == {1000}
    assert dict(conversion.issues) == {
        "identical": 7,
        "duplicate": 2,
        "stray_space": 1134,
        "out_in_the_open": 180,
        "typo": 18,
        "flag_wrong": 11_000,
    }
    assert conversion.signature.startswith("blimp|data:70629940d716|version:")


def test_read_back(tiny_converted: Path) -> None:
    pairs = list(read_pairs(tiny_converted))
    lines = read_lines(tiny_converted / "data" / "binding" / "principle_A_case_2.jsonl")
    assert {line["field"] for line in lines} == {"syntax/semantics"}  # as published
    assert {pair.field for pair in pairs if pair.paradigm == "principle_A_case_2"} == {"syntax_semantics"}
    assert list(read_pairs(tiny_converted / "corrected")) == pairs  # the tiny release has no fault


# Sources


def test_the_same_bytes_each_time_and_from_every_source(release: Path, tmp_path: Path) -> None:
    convert(release, tmp_path / "a")
    shutil.make_archive(str(tmp_path / "z"), "zip", tmp_path, "release")
    convert(tmp_path / "z.zip", tmp_path / "b")
    for path in release.iterdir():  # as git on Windows may have them
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    convert(release.parent / "release", tmp_path / "c")
    assert content(tmp_path / "a") == content(tmp_path / "b") == content(tmp_path / "c")


def test_files_may_stand_at_any_depth_among_others(release: Path, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    shutil.copytree(release, clone / "data")
    (clone / "raw_results").mkdir()
    (clone / "raw_results" / "summary.jsonl").write_text("{}", encoding="utf-8")
    assert convert(clone, tmp_path / "out").pairs == 67 * PAIRS


def test_files_that_are_not_those_of_the_release_are_named(release: Path, tmp_path: Path) -> None:
    conversion = convert(release, tmp_path / "out")
    assert conversion.changed == tuple(one.name for one in PARADIGMS)
    assert read_conversion(tmp_path / "out") == conversion
    assert "67 of the 67 source files differ from the release" in (tmp_path / "out/README.md").read_text()


def test_line_ends_do_not_change_a_checksum() -> None:
    assert checksum(b"a\r\nb\r\n") == checksum(b"a\nb\n") != checksum(b"a\nb")


def test_checksums(blimp_release: Path) -> None:
    assert list(CHECKSUMS) == [one.name for one in PARADIGMS]
    for name, digest in CHECKSUMS.items():
        data = (blimp_release / f"{name}.jsonl").read_bytes()
        assert hashlib.sha256(data).hexdigest() == digest == checksum(data.replace(b"\n", b"\r\n"))


def test_without_the_corrected_variant(release: Path, tmp_path: Path) -> None:
    conversion = convert(release, tmp_path / "out", corrected=False)
    assert conversion.corrected is None
    assert not (tmp_path / "out" / "corrected").exists()
    assert "corrected" not in (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert read_conversion(tmp_path / "out") == conversion


def test_progress(release: Path, tmp_path: Path) -> None:
    seen: list[tuple[str, int]] = []

    def progress(total: int | None, label: str) -> Callable[[Iterable[Any]], Iterable[Any]]:
        def show(steps: Iterable[Any]) -> Iterator[Any]:
            for step in steps:
                seen.append((label, total or 0))
                yield step

        return show

    convert(release, tmp_path / "out", progress=progress)
    assert seen == [("read", 67)] * 67 + [("write", 67)] * 67


# Bad sources


def refusal(source: Path, out: Path) -> str:
    with pytest.raises(InputError) as caught:
        convert(source, out)
    assert not out.exists() and [path.name for path in out.parent.iterdir() if path.name[0] == "."] == []
    return str(caught.value)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"UID": "npi_present_1"}, "UID is 'npi_present_1', but the file is that of 'wh_island'"),
        ({"field": ...}, "no column 'field', which every released file"),
        ({"one_prefix_word_bad": ...}, "no column 'one_prefix_word_bad', which every released file"),
        ({"frequency": 3}, "the column 'frequency' is not in the release and would be lost"),
        ({"linguistics_term": ""}, "linguistics_term is empty"),
        ({"sentence_good": " "}, "sentence_good is empty; give both"),
        ({"pairID": 1}, "pairID is 1; expected a number in quotes"),
        ({"pairID": "one"}, "pairID is 'one'; expected a number in quotes"),
        ({"pairID": "2147483648"}, "pairID is '2147483648'; expected a number in quotes"),
        ({"pairID": "0"}, "pair 0 of 'wh_island' is already in"),
        ({"simple_LM_method": "perhaps"}, "simple_LM_method is 'perhaps'; expected true or false"),
    ],
)
def test_bad_lines(release: Path, edit: Edit, tmp_path: Path, change: dict[str, object], expected: str) -> None:
    edit("wh_island", 1, **change)
    found = refusal(release, tmp_path / "out")
    assert f"wh_island.jsonl, line 2: {expected}" in found


def test_missing_files(release: Path, tmp_path: Path) -> None:
    for name in ("causative", "passive_1", "passive_2", "wh_island"):
        (release / f"{name}.jsonl").unlink()
    found = refusal(release, tmp_path / "out")
    assert "4 of the 67 files are missing: causative.jsonl, passive_1.jsonl, passive_2.jsonl and 1 more" in found


def test_a_file_in_several_places(release: Path, tmp_path: Path) -> None:
    (release / "old").mkdir()
    shutil.copy(release / "wh_island.jsonl", release / "old")
    assert "contains wh_island.jsonl in several places (old/wh_island.jsonl, wh_island.jsonl)" in refusal(
        release, tmp_path / "out"
    )


def test_an_empty_file(release: Path, tmp_path: Path) -> None:
    (release / "wh_island.jsonl").write_text("\n", encoding="utf-8")
    assert "wh_island.jsonl: contains no pair" in refusal(release, tmp_path / "out")


# The place of the result


def test_nothing_is_overwritten_without_force(release: Path, edit: Edit, tmp_path: Path) -> None:
    out = tmp_path / "out"
    convert(release, out)
    before = content(out)
    edit("wh_island", 0, sentence_good="Ann is here.")
    with pytest.raises(InputError, match="holds converted data; name another folder, or replace them with --force"):
        convert(release, out)
    assert content(out) == before
    convert(release, out, corrected=False, force=True)
    assert "Ann is here." in (out / "data/island_effects/wh_island.jsonl").read_text()
    assert not (out / "corrected").exists()


@pytest.mark.parametrize("force", [False, True])
def test_other_peoples_files_are_never_replaced(release: Path, tmp_path: Path, force: bool) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "thesis.txt").write_text("x", encoding="utf-8")
    with pytest.raises(InputError, match="holds something other than converted data"):
        convert(release, out, force=force)
    with pytest.raises(InputError, match="is a file; name a folder"):
        convert(release, out / "thesis.txt", force=force)
    assert content(out) == {"thesis.txt": b"x"}


def test_a_clone_of_a_repository_is_not_replaced(release: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    convert(release, out)
    (out / ".git").mkdir()
    with pytest.raises(InputError, match=r"cannot be replaced as a whole, because it also holds '\.git'"):
        convert(release, out, force=True)
    assert (out / ".git").exists()


def test_an_empty_folder_and_missing_parents_are_fine(release: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    convert(release, tmp_path / "empty")
    convert(release, tmp_path / "a" / "b")
    assert content(tmp_path / "empty") == content(tmp_path / "a" / "b")


def test_an_interrupted_conversion_leaves_nothing(
    release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    convert(release, out)
    before = content(out)

    def stop(text: Any) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(convert_module, "card_text", stop)  # the last file
    for place, force in ((out, True), (tmp_path / "new", False)):
        with pytest.raises(KeyboardInterrupt):
            convert(release, place, force=force)
    assert content(out) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "release"]


def test_the_old_folder_comes_back_when_the_new_one_cannot_take_its_place(
    release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    convert(release, out)
    before = content(out)
    rename = Path.rename

    def refuse(self: Path, target: Path) -> Path:
        if self.name == "new":
            raise PermissionError(13, "Permission denied")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(InputError, match=r"out: cannot be written \(Permission denied\)"):
        convert(release, out, corrected=False, force=True)
    assert content(out) == before


def test_a_record_that_cannot_be_read(release: Path, tmp_path: Path) -> None:
    assert read_conversion(tmp_path) is None
    for text, expected in (("{", "cannot be read"), ("{}", "is not a record of format 'blimp-conversion/1'")):
        (tmp_path / "conversion.json").write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=expected):
            read_conversion(tmp_path)


# The download


class Server(ThreadingHTTPServer):
    """A loopback server of files; ``answers`` are given first, one by one, for the path they are named after."""

    files: dict[str, bytes]
    answers: dict[str, list[int]]
    asked: list[str]


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        name = self.path.removeprefix("/data/").removesuffix(".jsonl")
        self.server.asked.append(name)
        planned = self.server.answers.get(name) or [200 if name in self.server.files else 404]
        status = planned.pop(0)
        body = self.server.files.get(name, b"")
        self.send_response(200 if status == 1 else status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[:10] if status == 1 else body)  # 1: breaks off

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def serving(files: dict[str, bytes], **answers: list[int]) -> Iterator[tuple[Server, str]]:
    with Server(("127.0.0.1", 0), Handler) as server:
        server.files, server.answers, server.asked = files, dict(answers), []
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server, f"http://127.0.0.1:{server.server_port}/data/{{paradigm}}.jsonl"
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def files(release: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    monkeypatch.setenv("no_proxy", "*")
    return {path.stem: path.read_bytes() for path in release.iterdir()}


def sums(files: dict[str, bytes]) -> dict[str, str]:
    return {name: checksum(data) for name, data in files.items()}


def test_download(files: dict[str, bytes], tmp_path: Path) -> None:
    # Interruptions are asked again: a busy server, an answer that breaks off.
    with serving(files, wh_island=[503, 1, 200]) as (server, address):
        download(tmp_path, address=address, checksums=sums(files))
    assert {path.stem: path.read_bytes() for path in tmp_path.glob("*.jsonl")} == files
    assert server.asked.count("wh_island") == 3 and len(server.asked) == 67 + 2


@pytest.mark.parametrize(("status", "times"), [(404, 1), (503, 3), (1, 3)])
def test_failed_download(files: dict[str, bytes], tmp_path: Path, status: int, times: int) -> None:
    with (
        serving(files, wh_island=[status] * 3) as (server, address),
        pytest.raises(InputError, match=r"wh_island\.jsonl: cannot be downloaded .*name it as the source"),
    ):
        download(tmp_path, address=address, checksums=sums(files))
    assert server.asked.count("wh_island") == times


def test_no_network(files: dict[str, bytes], tmp_path: Path) -> None:
    with serving(files) as (_, address):
        pass  # nobody listens there any more
    with pytest.raises(InputError, match="cannot be downloaded"):
        download(tmp_path, address=address, checksums=sums(files))


def test_another_file_than_the_released_one(files: dict[str, bytes], tmp_path: Path) -> None:
    expected = sums(files)
    files["wh_island"] += b"{}\n"
    with (
        serving(files) as (_, address),
        pytest.raises(InputError, match=r"wh_island\.jsonl: is not the released file \(SHA-256 [0-9a-f]{64}, exp"),
    ):
        download(tmp_path, address=address, checksums=expected)
    assert not (tmp_path / "wh_island.jsonl").exists()


def test_convert_downloads_where_no_source_is_named(
    release: Path, files: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fetch(folder: Path, *, progress: Any) -> None:
        download(folder, address=address, checksums=sums(files), progress=progress)

    monkeypatch.setattr(convert_module, "download", fetch)
    with serving(files) as (_, address):
        convert(None, tmp_path / "a")
    convert(release, tmp_path / "b")
    assert content(tmp_path / "a") == content(tmp_path / "b")


def test_address_is_that_of_a_fixed_commit() -> None:
    assert ADDRESS.format(paradigm="wh_island").startswith("https://raw.githubusercontent.com/alexwarstadt/blimp/")
    assert len(ADDRESS.split("/")[5]) == 40


def test_zip_with_a_file_twice(release: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "z.zip", "w") as archive:
        for path in release.iterdir():
            archive.write(path, f"a/{path.name}")
        archive.write(release / "wh_island.jsonl", "b/wh_island.jsonl")
    assert "in several places (a/wh_island.jsonl, b/wh_island.jsonl)" in refusal(tmp_path / "z.zip", tmp_path / "out")


def test_lines_are_written_as_they_are_read(release: Path, edit: Edit, tmp_path: Path) -> None:
    # Letters stay letters, not escapes; every file ends in a line feed.
    edit("wh_island", 0, sentence_good="The café opens.")
    convert(release, tmp_path / "out")
    data = (tmp_path / "out" / "data" / "island_effects" / "wh_island.jsonl").read_bytes()
    assert "The café opens.".encode() in data and data.endswith(b"}\n") and b"\r" not in data
    assert json.loads(data.split(b"\n")[0])["sentence_good"] == "The café opens."
