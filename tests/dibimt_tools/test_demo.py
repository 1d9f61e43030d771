"""``dibimt demo``: the full report from the open mini set."""

from __future__ import annotations

import json
import struct
import sys
from pathlib import Path

import pytest

from dibimt_dataset.mini import SYSTEMS
from dibimt_metric.languages import LANGUAGES

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that one run over all languages has written."""
    from dibimt_tools.cli import main

    folder = tmp_path_factory.mktemp("demo") / "new" / "folder"
    assert main(["demo", "--output", str(folder)]) == 0
    return folder


def test_three_files(demo: Path) -> None:
    assert sorted(path.name for path in demo.iterdir()) == ["accuracy.png", "report.json", "report.txt"]


def test_json_of_all_languages(demo: Path) -> None:
    record = json.loads((demo / "report.json").read_text("utf-8"))
    assert list(record["languages"]) == list(LANGUAGES)
    for systems in record["languages"].values():
        assert list(systems) == list(SYSTEMS)
        for scores in systems.values():
            assert scores["n"] >= 60
            assert scores["good"] + scores["bad"] + scores["miss"] + scores["unk"] == scores["n"]
    careful, frequent = (record["mean"][system] for system in SYSTEMS)
    assert careful["accuracy_languages"] == len(LANGUAGES)
    # What the second system was written to show: it tends to the most frequent sense.
    assert careful["accuracy"] > frequent["accuracy"]
    assert careful["sfi"] > frequent["sfi"]
    assert careful["mfs"] < frequent["mfs"]
    labels = [explained["label"] for explained in record["explained"].values()]
    assert labels == ["GOOD", "BAD"]


def test_breakdowns_add_up(demo: Path) -> None:
    record = json.loads((demo / "report.json").read_text("utf-8"))
    for name in ("by_frequency_index", "by_polysemy", "by_pos"):
        for system in SYSTEMS:
            cells = record[name][system]
            for label in ("n", "good", "bad", "miss", "unk"):
                assert sum(cell[label] for cell in cells) == record["mean"][system][label]


def test_text_of_all_languages(demo: Path) -> None:
    text = (demo / "report.txt").read_text("utf-8")
    for system in SYSTEMS:
        table = text.partition(f"Scores of '{system}' in percent")[2].partition("\n\n")[0].splitlines()
        assert [line.split()[0] for line in table[3 : 3 + len(LANGUAGES) + 1]] == [*LANGUAGES, "mean"]
    assert "Accuracy by frequency index of the right sense" in text
    assert "Accuracy by polysemy of the focus word" in text
    assert "Accuracy of 'frequent' minus 'careful'" in text
    assert "GOOD because only candidates of the GOOD list were found" in text
    assert "BAD because only candidates of the BAD list were found" in text
    assert text.count("\ndibimt|lang:") == len(LANGUAGES)


def test_figure_is_an_image_of_sensible_size(demo: Path) -> None:
    pytest.importorskip("matplotlib")
    content = (demo / "accuracy.png").read_bytes()
    assert content.startswith(PNG)
    width, height = struct.unpack(">II", content[16:24])
    assert width > 1500 and height > 600
    assert len(content) > 20_000  # an empty figure is far smaller


def test_the_same_bytes_again_and_no_overwriting(tmp_path: Path, run) -> None:
    command = f"demo --language it --output {tmp_path}"
    code, out, err = run(command)
    assert code == 0
    assert out == (tmp_path / "report.txt").read_text("utf-8")
    assert err.startswith("written: ")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    code, out, err = run(command)
    assert (code, out) == (2, "")
    assert "report.txt: cannot be written: it exists" in err
    assert run(f"{command} --force")[0] == 0
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_without_matplotlib_a_text_figure(tmp_path: Path, run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    code, out, _ = run(f"demo --language it --output {tmp_path}")
    assert code == 0
    assert "No figure was drawn, because matplotlib is not installed: pip install 'dibimt[plot]'" in out
    assert out.count("###") > 10
    assert sorted(path.name for path in tmp_path.iterdir()) == ["report.json", "report.txt"]


def test_one_language_is_its_own_mean(tmp_path: Path, run) -> None:
    # Named twice, it is still one language.
    assert run(f"demo --language it it --output {tmp_path}")[0] == 0
    record = json.loads((tmp_path / "report.json").read_text("utf-8"))
    assert list(record["languages"]) == ["it"]
    assert record["mean"]["careful"]["accuracy"] == record["languages"]["it"]["careful"]["accuracy"]


def test_unknown_language(tmp_path: Path, run) -> None:
    code, out, err = run(f"demo --language it xx --output {tmp_path / 'out'}")
    assert (code, out) == (2, "")
    assert "unknown language 'xx'" in err
    assert not (tmp_path / "out").exists()


def test_a_folder_that_cannot_be_made(tmp_path: Path, run) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    for place in ("file", "file/below"):
        code, out, err = run(f"demo --language it --output {tmp_path / place}")
        assert (code, out) == (2, "")
        assert "cannot be written" in err


def test_offline(tmp_path: Path, run, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        pytest.fail("the demo asked for the network")

    monkeypatch.setattr("socket.socket.connect", refuse)
    assert run(f"demo --language it --output {tmp_path}")[0] == 0
