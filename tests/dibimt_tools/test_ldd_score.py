"""``dibimt ldd score``: from folders, files, lists of lines and translations to report, page and figure."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from ldd_challenge_sets.extraction.manifest import Extraction, Totals, manifest_text
from ldd_challenge_sets.extraction.rows import rows_text
from ldd_challenge_sets.records import Hit, LddRow

sacrebleu = pytest.importorskip("sacrebleu")

QUICK = "--resamples 40 --control 10"
SCORE = f"ldd score --set sets {QUICK}"
LINES = 80
WHO = (("Die Lehrerin", "the teacher"), ("Mein alter Nachbar", "my old neighbor"), ("Er", "he"))
WHEN = (("", ""), (" heute", " today"), (" nach dem langen Winter", " after the long winter"))
WHAT = (
    ("die Tür auf", "opens the door"),
    ("das Licht an", "puts on the light"),
    ("den Brief ab", "sends off the letter"),
)


def source(line: int) -> str:
    """A German sentence; 27 of them differ."""
    return f"{WHO[line % 3][0]} macht{WHEN[line // 3 % 3][0]} {WHAT[line // 9 % 3][0]} ."


def reference(line: int) -> str:
    return f"{WHO[line % 3][1]} {WHAT[line // 9 % 3][1]}{WHEN[line // 3 % 3][1]} ({line}) ."


def good(line: int) -> str:
    """Right but for every fifth line."""
    return reference(line) if line % 5 else f"somebody {WHAT[line // 9 % 3][1]} ."


def poor(line: int) -> str:
    """Half of each line is missing; every tenth one is blank."""
    words = reference(line).split()
    return "" if line % 10 == 0 else " ".join(words[: len(words) // 2 + 1])


def particle_distance(line: int) -> int | None:
    """Every even line has a particle: 40 lines, ten each with the distances 0, 1, 2 and 3."""
    return line // 2 % 4 if line % 2 == 0 else None


def row(line: int, phenomenon: str, distance: int | None) -> LddRow:
    text = source(line)
    hits = () if distance is None else (Hit(2 + distance, 1, "auf", "macht", distance),)
    return LddRow(
        f"s{line}",
        line,
        text,
        reference(line),
        tuple(text.split()),
        (),
        phenomenon,
        hits,
        distance,
        None,
        "doors",
    )


def rows_of(phenomenon: str, distance_of: Callable[[int], int | None]) -> list[LddRow]:
    found = ((line, distance_of(line)) for line in range(1, LINES + 1))
    return [row(line, phenomenon, distance) for line, distance in found if distance is not None]


def write_lines(path: Path, texts: Iterable[str]) -> None:
    path.write_text("".join(text + "\n" for text in texts), encoding="utf-8")


def write_sets(folder: Path, pair: str = "de-en") -> None:
    folder.mkdir(exist_ok=True)
    baseline = [row(line, "baseline", None) for line in range(1, LINES + 1)]
    reflexive = rows_of("reflexive", lambda line: 0 if line <= 12 else None)
    for name, rows in (
        ("baseline", baseline),
        ("particle", rows_of("particle", particle_distance)),
        ("reflexive", reflexive),
    ):
        (folder / f"{pair}-{name}.jsonl").write_text(rows_text(rows), encoding="utf-8")


ROWS = {"baseline": LINES, "particle": 40, "reflexive": 12}
"""Rows of the sets that `write_sets` writes."""


def extraction(pair: str = "de-en", pairs: int = LINES, lines: int = LINES) -> Extraction:
    """What an extraction says of the sets that `write_sets` writes."""
    return Extraction(
        pair=pair,
        corpus="doors",
        license="CC0",
        pairs=pairs,
        lines=lines,
        definition="paper",
        min_distance=None,
        include_root=None,
        parser=None,
        aligner=None,
        tokens=("13a", "13a"),
        configurations={f"{pair}-{name}": Totals(rows=rows) for name, rows in ROWS.items()},
        skipped={"empty_side": 2},
        skipped_places=(),
        signature="s",
    )


def write_manifest(folder: Path, *extractions: Extraction) -> None:
    text = manifest_text({each.pair: each for each in extractions})
    (folder / "sets" / "extraction.json").write_text(text, encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: sets/, the corpus, and the translations of two systems for all of it."""
    write_sets(tmp_path / "sets")
    for name, text in (("src.de", source), ("ref.en", reference), ("good.txt", good), ("poor.txt", poor)):
        write_lines(tmp_path / name, map(text, range(1, LINES + 1)))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def scored(run, folder: Path) -> Callable[[str], dict[str, Any]]:
    """Runs a command with ``--json``; gives the record."""

    def call(command: str) -> dict[str, Any]:
        code, out, err = run(f"{command} --json")
        assert code == 0, err
        record: dict[str, Any] = json.loads(out)
        return record

    return call


def cell(record: dict[str, Any], system: int, configuration: str, bin_name: str) -> dict[str, Any]:
    found = next(each for each in record["systems"][system]["sets"] if each["configuration"] == configuration)
    cells: list[dict[str, Any]] = [*found["minimum"], *found["exact"]]
    return next(each for each in cells if each["bin"]["name"] == bin_name)


def bleu(lines: Iterable[int], translate: Callable[[int], str]) -> float:
    numbers = list(lines)
    value: float = sacrebleu.corpus_bleu(list(map(translate, numbers)), [list(map(reference, numbers))]).score
    return value


def values(cell: dict[str, Any]) -> list[float]:
    return [score["value"] for score in cell["scores"]]


# Numbers


def test_full_corpus_scores_subsets_of_existing_translations(scored) -> None:
    record = scored(f"{SCORE} --full-corpus --predictions good=good.txt poor.txt")
    assert (record["pair"], record["corpus"]) == ("de-en", "doors")
    assert [each["system"] for each in record["systems"]] == ["good", "poor"]
    assert [each["configuration"] for each in record["systems"][0]["sets"]] == [
        "de-en-particle",
        "de-en-reflexive",
    ]
    even = range(2, LINES + 1, 2)
    for system, translate in enumerate((good, poor)):
        whole = record["systems"][system]["baseline"]
        assert whole["n"] == LINES
        assert values(whole)[0] == pytest.approx(bleu(range(1, LINES + 1), translate))
        # Even lines with line / 2 mod 4 of at least 1, 2, 3: three quarters of 40, half, a quarter.
        for name, minimum, n in (("All", 0, 40), (">=1", 1, 30), (">=2", 2, 20), (">=3", 3, 10)):
            found = cell(record, system, "de-en-particle", name)
            assert (found["n"], found["small"]) == (n, n < 30)
            expected = bleu((line for line in even if line // 2 % 4 >= minimum), translate)
            assert values(found)[0] == pytest.approx(expected)
            assert found["scores"][0]["drop"] == pytest.approx(expected - values(whole)[0])
        assert cell(record, system, "de-en-particle", "=3")["n"] == 10
    assert cell(record, 0, "de-en-particle", "All")["controls"][0]["samples"] == 10


def test_one_configuration_translated_alone_has_the_same_scores(scored, folder: Path) -> None:
    whole = scored(f"{SCORE} --full-corpus --predictions good=good.txt")
    write_lines(folder / "part.txt", (good(line) for line in range(2, LINES + 1, 2)))
    for name in ("particle", "de-en-particle"):
        part = scored(f"{SCORE} --configuration {name} --predictions good=part.txt")
        assert part["systems"][0]["baseline"] is None
        for place in ("All", ">=1", "=2"):
            one, other = (cell(record, 0, "de-en-particle", place) for record in (whole, part))
            assert values(one) == values(other)
            assert other["scores"][0]["drop"] is None
            assert other["controls"] == []
    assert part["settings"]["control"] == 0


@pytest.mark.parametrize("key", ["line", "id"])
def test_json_lines_in_any_order_cover_several_sets(scored, folder: Path, key: str) -> None:
    lines = [line for line in range(LINES, 0, -1) if line % 2 == 0 or line <= 12]
    records = [{key: line if key == "line" else f"s{line}", "translation": good(line)} for line in lines]
    # Lines and ids that no set has are passed over.
    records.append({key: 79 if key == "line" else "unknown", "translation": "of another set"})
    write_lines(folder / "good.jsonl", map(json.dumps, records))
    part = scored(f"{SCORE} --predictions good.jsonl")
    whole = scored(f"{SCORE} --full-corpus --predictions good.txt")
    for configuration in ("de-en-particle", "de-en-reflexive"):
        assert values(cell(part, 0, configuration, "All")) == values(cell(whole, 0, configuration, "All"))


def test_other_forms_of_the_same_translations(run, scored, folder: Path) -> None:
    texts = (folder / "good.txt").read_text("utf-8")
    (folder / "packed.txt.gz").write_bytes(gzip.compress(texts.encode()))
    write_lines(folder / "strings.jsonl", map(json.dumps, texts.splitlines()))
    expected = scored(f"{SCORE} --full-corpus --predictions x=good.txt")
    assert scored(f"{SCORE} --full-corpus --predictions x=packed.txt.gz") == expected
    assert scored(f"{SCORE} --full-corpus --predictions x=strings.jsonl") == expected
    code, out, _ = run(f"{SCORE} --full-corpus --predictions x=- --json", stdin=texts.encode())
    assert (code, json.loads(out)) == (0, expected)
    named = scored(f"{SCORE} --full-corpus --predictions packed.txt.gz")
    assert named["systems"][0]["system"] == "packed"


def test_lists_of_lines_are_sets_of_the_whole_corpus(run, scored, folder: Path) -> None:
    write_lines(folder / "even.ids", map(str, range(2, LINES + 1, 2)))
    write_lines(folder / "few.ids", ["3", "1", "3", ""])
    corpus = "--pair de-en --source src.de --reference ref.en"
    command = f"ldd score --ids even.ids few.ids {corpus} {QUICK} --predictions good=good.txt"
    record = scored(command)
    by_set = scored(f"{SCORE} --full-corpus --predictions good=good.txt")
    even = cell(record, 0, "de-en-even", "All")
    assert values(even) == values(cell(by_set, 0, "de-en-particle", "All"))
    assert even["controls"][0]["samples"] == 10
    assert record["systems"][0]["baseline"]["n"] == LINES
    assert cell(record, 0, "de-en-few", "All")["n"] == 2
    assert "few.ids: repeated line numbers: 1; each is scored once" in run(command)[2]


def test_corpus_of_lists_is_called_as_extract_calls_it(scored, folder: Path) -> None:
    from ldd_challenge_sets.corpus.opening import open_corpus

    write_lines(folder / "few.ids", ["3", "1"])
    for old, new in (("src.de", "talk.de"), ("ref.en", "talk.en")):
        (folder / new).write_bytes((folder / old).read_bytes())
    command = f"ldd score --ids few.ids --pair de-en --source talk.de --reference talk.en {QUICK}"
    record = scored(f"{command} --predictions good=good.txt")
    assert record["corpus"] == open_corpus(folder / "talk.de", folder / "talk.en").name == "talk"


def test_seed_and_draws(scored) -> None:
    command = f"{SCORE} --full-corpus --predictions good.txt poor.txt"
    first, again, other = scored(command), scored(command), scored(f"{command} --seed 1")
    assert first == again
    assert first["signature"] != other["signature"]
    one, two = (cell(record, 0, "de-en-particle", "All")["scores"][0] for record in (first, other))
    assert one["value"] == two["value"]
    assert one["low"] != two["low"]
    bare = scored("ldd score --set sets --full-corpus --resamples 0 --control 0 --predictions good.txt")
    found = cell(bare, 0, "de-en-particle", "All")
    assert (found["scores"][0]["low"], found["controls"]) == (None, [])


def test_metrics_preset_and_tokenizer(scored) -> None:
    command = f"{SCORE} --full-corpus --predictions good.txt"
    record = scored(f"{command} --metrics ribes chrf++ --ribes-cased")
    assert list(record["signatures"]) == ["ribes", "chrf++"]
    assert record["settings"]["ribes_lowercase"] is False
    assert "tok:none" in scored(f"{command} --preset multi-bleu")["signatures"]["bleu"]
    assert "tok:char" in scored(f"{command} --tokenize char")["signatures"]["bleu"]


# Sets


def test_a_single_file_finds_the_full_corpus_beside_it(run, scored, folder: Path) -> None:
    command = f"ldd score --set sets/de-en-particle.jsonl {QUICK} --full-corpus --predictions good.txt"
    assert scored(command)["systems"][0]["baseline"]["n"] == LINES
    (folder / "sets" / "de-en-baseline.jsonl").unlink()
    code, out, err = run(command)
    assert code == 0
    assert "without the full corpus in the folder" in err
    header = out.partition("de-en-particle\n")[2].splitlines()[1]
    assert header.split() == "BLEU 95 % interval chrF RIBES".split()


def test_a_file_of_any_name_needs_the_pair(run, scored, folder: Path) -> None:
    (folder / "sets" / "de-en-particle.jsonl").rename(folder / "mine.jsonl")
    command = f"ldd score --set mine.jsonl {QUICK} --full-corpus --predictions good.txt"
    assert "give it with --pair" in run(command)[2]
    record = scored(f"{command} --pair de-en")
    assert record["systems"][0]["sets"][0]["configuration"] == "de-en-mine"


def test_folders_of_several_pairs(run, scored, folder: Path) -> None:
    write_sets(folder / "sets", "de-nl")
    command = f"{SCORE} --full-corpus --predictions good.txt"
    code, out, err = run(command)
    assert (code, out) == (2, "")
    assert "contains sets of de-en, de-nl; choose one with --pair" in err
    assert scored(f"{command} --pair de-nl")["pair"] == "de-nl"
    assert scored(f"{command} --configuration de-nl-particle")["pair"] == "de-nl"
    assert "contains no set of 'de-fr'; choose among de-en, de-nl" in run(f"{command} --pair de-fr")[2]


def test_lines_that_were_skipped_count_as_lines_of_the_corpus(run, scored, folder: Path) -> None:
    """The extraction read 82 pairs; two at the end could not be used, so the baseline has 80 rows."""
    write_manifest(folder, extraction(pairs=82, lines=82))
    command = f"{SCORE} --full-corpus --predictions good.txt"
    assert "good.txt: 80 translations for 82 lines of the corpus" in run(command)[2]
    with (folder / "good.txt").open("a", encoding="utf-8") as stream:
        stream.write("of a skipped line\n\n")
    assert scored(command)["systems"][0]["baseline"]["n"] == LINES


def test_lines_without_parse_count_as_lines_of_the_corpus(run, scored, folder: Path) -> None:
    """The sets come from parses of 23 of 83 lines; the baseline has the 80 that can be used."""
    write_manifest(folder, extraction(pairs=23, lines=83))
    command = f"{SCORE} --full-corpus --predictions good.txt"
    assert "good.txt: 80 translations for 83 lines of the corpus" in run(command)[2]
    with (folder / "good.txt").open("a", encoding="utf-8") as stream:
        stream.write("x\n" * 3)
    record = scored(command)
    assert record["systems"][0]["baseline"]["n"] == LINES
    assert cell(record, 0, "de-en-particle", "All")["n"] == 40


# Sets that are not what the extraction says


def cut(path: Path, rows: int) -> None:
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[:rows]), encoding="utf-8")


def test_whole_sets_are_those_of_the_extraction(scored, folder: Path) -> None:
    command = f"{SCORE} --full-corpus --predictions good.txt"
    before = scored(command)
    write_manifest(folder, extraction())
    # Blank lines are no rows, and a set that the extraction does not know is welcome.
    with (folder / "sets" / "de-en-particle.jsonl").open("a", encoding="utf-8") as stream:
        stream.write("\n")
    assert scored(command) == before
    (folder / "sets" / "de-en-mine.jsonl").write_bytes((folder / "sets" / "de-en-reflexive.jsonl").read_bytes())
    names = [each["configuration"] for each in scored(command)["systems"][0]["sets"]]
    assert names == ["de-en-particle", "de-en-reflexive", "de-en-mine"]


@pytest.mark.parametrize("options", ["--full-corpus --predictions good.txt", "--predictions good.jsonl"])
@pytest.mark.parametrize("name", ROWS)
def test_sets_that_were_cut_or_removed_are_refused(run, folder: Path, name: str, options: str) -> None:
    write_manifest(folder, extraction())
    write_lines(
        folder / "good.jsonl",
        (json.dumps({"line": line, "translation": good(line)}) for line in range(1, LINES + 1)),
    )
    command = f"{SCORE} {options}"
    assert run(command)[0] == 0
    path = folder / "sets" / f"de-en-{name}.jsonl"
    cut(path, ROWS[name] - 3)
    code, out, err = run(command)
    assert (code, out) == (2, "")
    said = f"has {ROWS[name] - 3} rows, but {Path('sets', 'extraction.json')} states {ROWS[name]}; extract the sets"
    assert f"{Path('sets', path.name)}: {said}" in err
    path.unlink()
    code, out, err = run(command)
    assert (code, out) == (2, "")
    said = f"is missing, but {Path('sets', 'extraction.json')} states {ROWS[name]} rows; extract the sets"
    assert f"{Path('sets', path.name)}: {said}" in err


def test_sets_that_are_asked_for_by_name_need_only_themselves(run, scored, folder: Path) -> None:
    write_manifest(folder, extraction())
    sets = folder / "sets"
    (sets / "de-en-reflexive.jsonl").unlink()
    for wanted in ("--set sets --configuration particle", "--set sets/de-en-particle.jsonl"):
        command = f"ldd score {wanted} {QUICK} --full-corpus --predictions good.txt"
        assert len(scored(command)["systems"][0]["sets"]) == 1
    assert "de-en-reflexive.jsonl: is missing" in run(f"{SCORE} --configuration reflexive --predictions x")[2]
    (sets / "de-en-baseline.jsonl").unlink()
    assert "de-en-baseline.jsonl: is missing" in run(command)[2]
    write_lines(folder / "part.txt", (good(line) for line in range(2, LINES + 1, 2)))
    command = f"ldd score --set sets/de-en-particle.jsonl {QUICK} --predictions part.txt"
    assert len(scored(command)["systems"][0]["sets"]) == 1
    cut(sets / "de-en-particle.jsonl", 39)
    assert "de-en-particle.jsonl: has 39 rows" in run(command)[2]


def test_a_pair_whose_sets_are_all_gone_is_still_a_pair(run, folder: Path) -> None:
    write_manifest(folder, extraction(), extraction("de-nl"))
    command = f"{SCORE} --full-corpus --predictions good.txt"
    assert "contains sets of de-en, de-nl; choose one with --pair" in run(command)[2]
    assert run(f"{command} --pair de-en")[0] == 0
    assert "de-nl-baseline.jsonl: is missing" in run(f"{command} --pair de-nl")[2]


@pytest.mark.parametrize(
    ("distance", "hits", "said"),
    [
        (7, [1], "'max_distance' is 7 and the largest distance of the hits is 1"),
        (1, [1, 2], "'max_distance' is 1 and the largest distance of the hits is 2"),
        (-1, [-1], "'max_distance' is -1 and the largest distance of the hits is -1"),
        (1, [], "'max_distance' is 1 and the largest distance of the hits is null"),
        (None, [1], "'max_distance' is null and the largest distance of the hits is 1"),
    ],
)
def test_distances_are_those_of_the_hits(run, folder: Path, distance: int | None, hits: list[int], said: str) -> None:
    path = folder / "sets" / "de-en-particle.jsonl"
    lines = path.read_text("utf-8").splitlines()
    record = json.loads(lines[1])
    (hit,) = record["hits"]
    record.update(max_distance=distance, hits=[{**hit, "distance": each} for each in hits])
    # The blank line is no row, and is counted all the same.
    write_lines(path, [lines[0], "", json.dumps(record), *lines[2:]])
    for command in (f"{FULL} good.txt", "ldd select --set sets/de-en-particle.jsonl --from good.txt"):
        code, out, err = run(command)
        assert (code, out) == (2, "")
        assert f"{Path('sets', path.name)}, line 3: {said}; expected the same number" in err


def test_the_sample_of_the_package(run, scored, folder: Path) -> None:
    command = f"ldd score --set sample {QUICK} --full-corpus --predictions"
    for pair in ("de-en", "en-de"):
        record = scored(f"{command} sample:careful other=sample:literal --pair {pair}")
        assert [each["system"] for each in record["systems"]] == ["careful", "other"]
        assert record["pair"] == pair
        assert record["systems"][0]["baseline"]["n"] >= 120
        assert cell(record, 0, f"{pair}-particle", "All")["n"] > 0
    assert "choose among careful, literal" in run(f"{command} sample:best --pair de-en")[2]
    assert "choose one with --pair" in run(f"{command} sample:careful")[2]


# Output


def test_text_page_and_figure(run, folder: Path) -> None:
    pytest.importorskip("matplotlib")
    command = f"{SCORE} --full-corpus --predictions good.txt poor.txt --html page.html --plot figure.png"
    code, out, err = run(command)
    assert (code, err) == (0, "")
    assert out.startswith("LDD challenge sets, de-en, corpus doors: 2 systems, 2 challenge sets\n\nOverview: BLEU")
    assert max(map(len, out.partition("Signatures")[0].splitlines())) <= 100
    assert "de-en-reflexive\n---------------\n" in out
    assert "All: n = 12, mean length" in out and "too small (n < 30)" in out
    assert (folder / "page.html").read_text("utf-8").startswith("<!DOCTYPE html>")
    assert (folder / "figure.png").read_bytes().startswith(b"\x89PNG")
    assert run(command)[0] == 2  # the files are there
    before = (folder / "page.html").read_bytes()
    assert run(f"{command} --force")[0] == 0
    assert (folder / "page.html").read_bytes() == before
    assert run(f"{SCORE} --full-corpus --predictions good.txt --output report.txt")[1] == ""
    assert (folder / "report.txt").read_text("utf-8").startswith("LDD challenge sets")


def test_outputs_are_refused_before_the_work(run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        pytest.fail("it was scored all the same")

    monkeypatch.setattr("ldd_challenge_sets.scoring.scorer.score_sets", refuse)
    command = f"{SCORE} --full-corpus --predictions good.txt"
    for option, said in (
        ("--plot figure.jpg", "the name of a figure ends in .png, .svg, .pdf"),
        ("--html good.txt --force", "it is an input"),
        ("--html sets/de-en-particle.jsonl --force", "it is an input"),
        ("--html no/page.html", "there is no folder"),
        ("--html same --plot same.png --output same", "two outputs have this name"),
        ("--output -", "--output - is not the name of a file; omit --output to print"),
        ("--html -", "--html - is not the name of a file"),
        ("--plot -", "--plot - is not the name of a file"),
    ):
        code, out, err = run(f"{command} {option}")
        assert (code, out) == (2, "")
        assert said in err


def test_what_is_written_is_no_input_the_next_time(scored, folder: Path) -> None:
    """A page or record in the folder of the sets is not a set."""
    command = f"{SCORE} --full-corpus --predictions good.txt"
    first = scored(command)
    (folder / "sets" / "report.jsonl").write_text("{}\n", encoding="utf-8")
    assert scored(command) == first


# What cannot be used

FULL = f"{SCORE} --full-corpus --predictions"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (f"ldd score --set nowhere {QUICK} --predictions good.txt", "nowhere: no such folder or file"),
        (f"ldd score --set empty {QUICK} --predictions good.txt", "empty: contains no challenge set"),
        (f"{FULL} nothing.txt", "nothing.txt: cannot be read"),
        (f"{FULL} good.txt poor.txt --configuration stranding", "choose among de-en-particle, de-en-reflexive"),
        (f"{FULL} good.txt --configuration baseline", "baseline is the full corpus; omit it"),
        (f"{FULL} good.txt again/good.txt", "give each a different name, such as good=good.txt good2=again/good.txt"),
        (f"{FULL} one=good.txt one=poor.txt", "'one'; give each a different name, such as one=good.txt one2=poor.txt"),
        (f"{FULL} =good.txt", "'=good.txt' is not of the form NAME=FILE"),
        (f"{FULL} a=- b=-", "standard input can be the predictions of one system only"),
        (f"{FULL} part.txt", "part.txt: 12 translations for 80 lines of the corpus; expected one per line"),
        (f"{FULL} part.txt", "de-en-reflexive has 12 rows: if the file translates only these"),
        (f"{SCORE} --predictions good.txt", "could belong to any of 2 sets (de-en-particle, de-en-reflexive)"),
        (
            f"{SCORE} --configuration particle --predictions good.txt",
            "good.txt: 80 translations for the 40 rows of de-en-particle; expected one per row, in order (an "
            "empty line is an empty translation). If the file translates the whole corpus, add --full-corpus",
        ),
        (f"{SCORE} --source src.de --predictions good.txt", "--source belong to --ids"),
        (f"ldd score --ids x.ids --source src.de {QUICK} --predictions good.txt", "missing: --reference, --pair"),
        (f"{FULL} good.txt --metrics bleu comet", "metric 'comet' is unknown"),
        (f"{FULL} good.txt --metrics bleu bleu", "expected a tuple of different names"),
        (f"{FULL} good.txt --preset moses", "moses"),
        (f"{FULL} good.txt --level 95", "expected a number between 0 and 1"),
    ],
)  # fmt: skip
def test_wrong_use_says_what_to_do(run, folder: Path, command: str, said: str) -> None:
    (folder / "empty").mkdir()
    write_lines(folder / "part.txt", ["x"] * 12)
    code, out, err = run(command)
    assert (code, out) == (2, "")
    assert said in err
    assert err.startswith("dibimt ldd score: ")


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (['{"line": 1'], "hyp.jsonl, line 1: not valid JSON"),
        (["[1]"], "expected an object with 'line' and 'translation', not [1]"),
        (['{"line": 1}'], "hyp.jsonl, line 1: 'translation' must be a string, not None"),
        (['{"line": "1", "translation": "x"}'], "'line' must be a positive integer, a line of the corpus, not '1'"),
        (['{"line": 0, "translation": "x"}'], "'line' must be a positive integer, a line of the corpus, not 0"),
        (['{"id": 1, "translation": "x"}'], "'id' must be a string, not 1"),
        (['{"line": 1, "translation": "x"}', '{"translation": "x"}'], "line 2: neither 'line' nor 'id'"),
        (['{"line": 2, "translation": "x"}', "", '{"id": "s2", "translation": "y"}'], "line 3: second translation"),
        (['{"line": 1, "translation": "x"}'], "45 of 46 lines lack a translation, first line 2 (in de-en-part"),
    ],
)  # fmt: skip
def test_bad_json_lines(run, folder: Path, lines: list[str], said: str) -> None:
    write_lines(folder / "hyp.jsonl", lines)
    code, out, err = run(f"{SCORE} --predictions hyp.jsonl")
    assert (code, out) == (2, "")
    assert said in err


@pytest.mark.parametrize("last", [LINES, LINES + 1])
def test_json_lines_beyond_the_corpus(run, folder: Path, last: int) -> None:
    write_lines(folder / "even.ids", map(str, range(2, LINES + 1, 2)))
    write_manifest(folder, extraction())
    lines = [*range(1, LINES), last] if last == LINES else range(1, LINES + 2)
    write_lines(folder / "hyp.jsonl", (json.dumps({"line": line, "translation": good(line)}) for line in lines))
    by_ids = f"ldd score --ids even.ids --source src.de --reference ref.en --pair de-en {QUICK} --predictions"
    for command in (FULL, f"{SCORE} --predictions", by_ids):
        code, out, err = run(f"{command} hyp.jsonl")
        if last == LINES:
            assert (code, err) == (0, "")
        else:
            assert (code, out) == (2, "")
            assert "hyp.jsonl, line 81: 'line' is 81, but the corpus has 80 lines" in err


def test_lists_of_lines_suggest_nothing_that_they_refuse(run, folder: Path) -> None:
    write_lines(folder / "few.ids", map(str, range(1, 13)))
    write_lines(folder / "part.txt", ["x"] * 12)
    corpus = "--source src.de --reference ref.en --pair de-en"
    code, out, err = run(f"ldd score --ids few.ids {corpus} {QUICK} --predictions part.txt")
    assert (code, out) == (2, "")
    assert "part.txt: 12 translations for 80 lines of the corpus" in err
    assert "--ids needs translations of the whole corpus" in err
    assert "--configuration" not in err and "--full-corpus" not in err


def test_one_id_for_two_lines_is_no_way_to_name_them(run, folder: Path) -> None:
    other = [row(line, "reflexive", 0) for line in (1, 3)]
    swapped = [other[0], other[1].__class__(**{**_fields(other[1]), "id": "s2"})]
    (folder / "sets" / "de-en-reflexive.jsonl").write_text(rows_text(swapped), encoding="utf-8")
    write_lines(folder / "hyp.jsonl", ['{"id": "s2", "translation": "x"}'])
    assert (
        "several lines of the corpus have the id 's2'; give 'line' instead"
        in run(f"{SCORE} --predictions hyp.jsonl")[2]
    )


def _fields(row: LddRow) -> dict[str, Any]:
    return {name: getattr(row, name) for name in row.__dataclass_fields__}


def test_bad_rows_and_bad_text_name_file_and_line(run, folder: Path) -> None:
    (folder / "latin.txt").write_bytes(b"ok\nGr\xfc\xdfe\n")
    assert "latin.txt, line 2: byte 3" in run(f"{FULL} latin.txt")[2]
    (folder / "sets" / "de-en-particle.jsonl").write_text("{}\n", encoding="utf-8")
    assert "de-en-particle.jsonl, line 1: column 'id' is missing" in run(f"{FULL} good.txt")[2]


def test_a_file_with_an_equals_sign_in_its_name(scored, folder: Path) -> None:
    (folder / "good.txt").rename(folder / "lr=0.1.txt")
    record = scored(f"{SCORE} --full-corpus --predictions lr=0.1.txt")
    assert record["systems"][0]["system"] == "lr=0.1"


# Real systems


def test_five_systems_of_a_shared_task(run, test_data: Path, tmp_path: Path) -> None:
    """Lines of newstest2021 as a set: BLEU is sacrebleu's own on a file of these lines."""
    corpus = test_data / "wmt21"
    names = ("Facebook-AI", "Online-A", "Online-G", "UF", "happypoet")
    ids = list(range(7, 1000, 7))
    write_lines(tmp_path / "sevens.ids", map(str, ids))
    start = corpus / "newstest2021.de-en"
    sides = f"--source {start}.src.de --reference {start}.ref.A.en"
    systems = " ".join(f"{name}={start}.hyp.{name}.en" for name in names)
    code, out, err = run(
        f"ldd score --ids {tmp_path}/sevens.ids {sides} --pair de-en --resamples 20 --control 5 --metrics bleu --json "
        f"--predictions {systems}"
    )
    assert code == 0, err
    record = json.loads(out)
    lines = {name: Path(f"{start}.hyp.{name}.en").read_text("utf-8").split("\n") for name in names}
    references = Path(f"{start}.ref.A.en").read_text("utf-8").split("\n")
    for system, name in enumerate(names):
        texts = [lines[name][line - 1] for line in ids]
        expected = sacrebleu.corpus_bleu(texts, [[references[line - 1] for line in ids]]).score
        assert values(cell(record, system, "de-en-sevens", "All"))[0] == pytest.approx(expected)
    assert len(record["comparisons"]) == 2 * 10  # every two systems, on the full corpus and on the set
