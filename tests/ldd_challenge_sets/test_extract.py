"""Extraction as a whole: inputs side by side, sets as files, interruption, processes."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dibimt_metric.errors import InputError
from ldd_challenge_sets.corpus.opening import open_corpus
from ldd_challenge_sets.extraction import extract as module
from ldd_challenge_sets.extraction import inputs as cut
from ldd_challenge_sets.extraction.extract import extract
from ldd_challenge_sets.extraction.inputs import Inputs
from ldd_challenge_sets.extraction.manifest import read_manifest
from ldd_challenge_sets.extraction.plan import Plan, choose_phenomena
from ldd_challenge_sets.extraction.rows import read_rows
from ldd_challenge_sets.phenomena.registry import Definition, unregister
from ldd_challenge_sets.records import Hit
from tests.ldd_challenge_sets.tiny import LINKS, SENTENCES, Tiny, conllu, write_tiny

LEXICAL = ("particle", "reflexive")


def inputs(tiny: Tiny, **changes: Any) -> Inputs:
    values = {"corpus": open_corpus(tiny.source, tiny.target), "conllu": str(tiny.parses), **changes}
    return Inputs(**values)


def plan(**changes: Any) -> Plan:
    return Plan(**{"pair": "de-en", "corpus": "tiny", "phenomena": LEXICAL, **changes})


def files(folder: Path) -> dict[str, bytes]:
    """All files of a folder by relative name."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def small_chunks(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr(module, "CHUNK_SIZE", size)
    chunked = cut.chunked
    monkeypatch.setattr(module, "chunked", lambda entries: chunked(entries, size))


# What is made


def test_sets_and_baseline(tiny: Tiny, tmp_path: Path) -> None:
    made = extract(inputs(tiny), plan(), tmp_path / "sets")
    particle = read_rows(tmp_path / "sets" / "de-en-particle.jsonl")
    assert [(row.line, row.hits) for row in particle] == [
        (1, (Hit(6, 2, "aus", "macht", 3),)),
        (3, (Hit(6, 2, "an", "sieht", 3),)),
    ]
    reflexive = read_rows(tmp_path / "sets" / "de-en-reflexive.jsonl")
    assert [(row.line, row.max_distance) for row in reflexive] == [(2, 0), (3, 0)]
    baseline = read_rows(tmp_path / "sets" / "de-en-baseline.jsonl")
    assert [row.line for row in baseline] == [1, 2, 3, 4]
    assert [row.target for row in baseline][3] == "The house is old ."
    assert (made.pairs, made.configurations["de-en-particle"].at_least(3)) == (4, 2)
    assert not list((tmp_path / "sets").glob(".work*"))


def test_minimum_distance_and_no_baseline(tiny: Tiny, tmp_path: Path) -> None:
    extract(inputs(tiny), plan(min_distance=1, baseline=False), tmp_path / "sets")
    assert read_rows(tmp_path / "sets" / "de-en-reflexive.jsonl") == ()
    assert not (tmp_path / "sets" / "de-en-baseline.jsonl").exists()


def test_parses_alone_give_the_text_and_no_target(tiny: Tiny, tmp_path: Path) -> None:
    extract(Inputs(conllu=str(tiny.parses)), plan(), tmp_path / "sets")
    row = read_rows(tmp_path / "sets" / "de-en-particle.jsonl")[0]
    assert (row.source, row.target) == ("Er macht das Licht heute aus .", None)


def test_given_links_make_reordering_sets(tiny: Tiny, tmp_path: Path) -> None:
    wanted = plan(phenomena=("reordering",), min_distance=1, target_tokens="whitespace")
    extract(inputs(tiny, alignment=str(tiny.links)), wanted, tmp_path / "sets")
    rows = read_rows(tmp_path / "sets" / "de-en-reordering.jsonl")
    # lines 1 (4-5, 5-4), 2 (1-3, 3-2) and 3 (from 3-2 on) hold links of different positions
    assert [(row.line, row.max_distance) for row in rows] == [(1, 1), (2, 2), (3, 2)]
    assert rows[0].alignment == LINKS[0]
    assert rows[0].target_tokens[5] == "today"


def test_card_and_manifest(tiny: Tiny, tmp_path: Path) -> None:
    extract(inputs(tiny), plan(), tmp_path / "sets", license="CC0", title="Tiny | sets")
    card = (tmp_path / "sets" / "README.md").read_text(encoding="utf-8")
    for text in ("# Tiny | sets", "| corpus | tiny |", "| license of the texts | CC0 |", "given:tiny.conllu"):
        assert text in card
    assert "| de-en-particle | 2 | 2 | 2 | 2 | 0 | 0 |" in card  # all, >=1, >=2, >=3, >=4, >=5
    # words: (7 + 7) / 2 and (7 + 5) / 2 in the set, (7 + 5 + 7 + 5) / 4 in the corpus
    assert "| de-en-particle | 2 | 7.00 | 6.00 | -1.00 | 1.00 |" in card
    manifest = read_manifest(tmp_path / "sets")["de-en"]
    assert manifest.signature in card.replace("\\|", "|")
    assert "definition:paper" in manifest.signature


def test_two_pairs_share_a_folder(tiny: Tiny, tmp_path: Path) -> None:
    out = tmp_path / "sets"
    extract(inputs(tiny), plan(), out)
    extract(Inputs(conllu=str(tiny.parses)), plan(pair="nl-en"), out)
    assert set(read_manifest(out)) == {"de-en", "nl-en"}
    card = (out / "README.md").read_text(encoding="utf-8")
    assert card.count("config_name: de-en-particle") == card.count("config_name: nl-en-particle") == 2


def test_a_registered_phenomenon_is_extracted_in_worker_processes(tiny: Tiny, tmp_path: Path) -> None:
    folder = tmp_path / "modules"
    folder.mkdir()
    (folder / "ldd_test_own.py").write_text(
        "from ldd_challenge_sets.phenomena.registry import register\n"
        "register('determiner', lambda token, head, tree: token.deprel == 'det', 'a determiner')\n",
        encoding="utf-8",
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        patch.setenv("PYTHONPATH", str(folder))
        import ldd_test_own  # noqa: F401

        try:
            wanted = plan(phenomena=("determiner",), modules=("ldd_test_own",))
            extract(inputs(tiny), wanted, tmp_path / "sets", workers=2)
        finally:
            unregister("determiner")
    rows = read_rows(tmp_path / "sets" / "de-en-determiner.jsonl")
    assert [row.line for row in rows] == [1, 3, 4]


# The same whatever runs it


def test_processes_give_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small_chunks(monkeypatch, 7)
    tiny = write_tiny(tmp_path / "corpus", times=20)
    for workers in (1, 2):
        extract(inputs(tiny), plan(), tmp_path / str(workers), workers=workers)
    assert files(tmp_path / "1") == files(tmp_path / "2")
    assert len(read_rows(tmp_path / "2" / "de-en-baseline.jsonl")) == 80


class Stopped(Exception):
    """Stands for a killed process."""


def stopping(after: int) -> Callable[[int | None, str], Callable[[Iterable[Any]], Iterator[Any]]]:
    """A progress that ends the run when that many results have been handed over."""

    def wrap(results: Iterable[Any]) -> Iterator[Any]:
        for number, result in enumerate(results):
            if number == after:
                raise Stopped
            yield result

    return lambda total, label: wrap


@pytest.mark.parametrize("after", [0, 1, 5, 11])
def test_an_interrupted_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    small_chunks(monkeypatch, 7)
    tiny = write_tiny(tmp_path / "corpus", times=20)
    extract(inputs(tiny), plan(), tmp_path / "whole")
    out = tmp_path / "sets"
    with pytest.raises(Stopped):
        extract(inputs(tiny), plan(), out, progress=stopping(after))
    half = next((out / ".work-de-en" / "extract").glob("*particle*"))
    with half.open("ab") as file:  # a chunk that was half-written when the power went
        file.write(b'{"id": "')
    seen: list[int | None] = []

    def count(total: int | None, label: str) -> Callable[[Iterable[Any]], Iterable[Any]]:
        seen.append(total)
        return iter

    extract(inputs(tiny), plan(), out, progress=count)
    assert seen == [12 - after]  # 80 pairs are 12 chunks
    assert files(out) == files(tmp_path / "whole")


def test_other_choices_do_not_go_on_with_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small_chunks(monkeypatch, 1)
    tiny = write_tiny(tmp_path / "corpus")
    out = tmp_path / "sets"
    with pytest.raises(Stopped):
        extract(inputs(tiny), plan(), out, progress=stopping(2))
    with pytest.raises(InputError, match="interrupted run with other inputs or choices"):
        extract(inputs(tiny), plan(min_distance=1), out)
    extract(inputs(tiny), plan(min_distance=1), out, restart=True)
    assert len(read_rows(out / "de-en-particle.jsonl")) == 2


def test_publishing_can_be_interrupted(tiny: Tiny, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, out = tmp_path / "whole", tmp_path / "sets"
    extract(inputs(tiny), plan(), whole)
    replace = Path.replace
    moved: list[Path] = []

    def failing(self: Path, target: Path) -> Path:
        if self.suffix == ".part":
            moved.append(self)
            if len(moved) == 2:
                raise Stopped
        return replace(self, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", failing)
        with pytest.raises(Stopped):
            extract(inputs(tiny), plan(), out)
    extract(inputs(tiny), plan(), out)
    assert files(out) == files(whole)


def test_two_runs_do_not_share_a_folder(tiny: Tiny, tmp_path: Path) -> None:
    out = tmp_path / "sets"

    def second(total: int | None, label: str) -> Callable[[Iterable[Any]], Iterable[Any]]:
        with pytest.raises(InputError, match="another run is working in this folder"):
            extract(Inputs(conllu=str(tiny.parses)), plan(pair="nl-en"), out, restart=True)
        return iter

    extract(inputs(tiny), plan(), out, progress=second)
    assert len(read_rows(out / "de-en-baseline.jsonl")) == 4
    assert not (out / ".lock").exists()


def test_parses_of_an_interrupted_run_are_not_published_with_other_sets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shared_models: Path
) -> None:
    small_chunks(monkeypatch, 2)
    tiny = write_tiny(tmp_path / "corpus")
    model = f"udpipe:{shared_models / 'udpipe' / 'de-small.udpipe'}"
    out = tmp_path / "sets"
    with pytest.raises(Stopped):
        extract(inputs(tiny, conllu=None, parser=model), plan(), out, progress=stopping(1))
    with pytest.raises(InputError, match="interrupted run with other inputs"):
        extract(inputs(tiny), plan(), out)
    extract(inputs(tiny, conllu=None, parser=model), plan(), out)
    assert (out / "de-en.parses.conllu").read_text(encoding="utf-8").count("# sent_id") == 4


def test_bad_lines_are_found_before_the_parser_works(tiny: Tiny, tmp_path: Path) -> None:
    damage(tiny)
    started = plan(), tmp_path / "sets"
    with pytest.raises(InputError, match="tiny.en, line 2: the target side is empty"):
        # The model does not exist; the bad line is named first.
        extract(inputs(tiny, conllu=None, parser="udpipe:none.udpipe"), *started)
    assert not (tmp_path / "sets").exists()


def test_an_empty_set_is_no_configuration_of_the_card(tiny: Tiny, tmp_path: Path) -> None:
    extract(inputs(tiny), plan(min_distance=9), tmp_path / "sets")
    card = (tmp_path / "sets" / "README.md").read_text(encoding="utf-8")
    assert "config_name: de-en-baseline" in card
    assert "config_name: de-en-particle" not in card
    assert "| de-en-particle | 0 | 0 |" in card


def test_nothing_that_can_be_used(tiny: Tiny, tmp_path: Path) -> None:
    tiny.target.write_text("\n" * 4, encoding="utf-8")
    with pytest.raises(InputError, match=r"none of 4 pairs can be used:\n4 skipped"):
        extract(inputs(tiny), plan(skip_bad=True), tmp_path / "sets")
    for path in (tiny.source, tiny.target, tiny.parses):
        path.write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="the corpus is empty"):
        extract(inputs(tiny), plan(), tmp_path / "empty")


def test_a_minimum_of_the_released_reordering_is_reached(tiny: Tiny, tmp_path: Path) -> None:
    tiny.source.write_text("ab " * 17 + "ab\n", encoding="utf-8")
    tiny.target.write_text("xy " * 7 + "xy\n", encoding="utf-8")
    wanted = plan(phenomena=("reordering",), definition=Definition.RELEASED, min_distance=6)
    extract(inputs(tiny, conllu=None), wanted, tmp_path / "sets")
    default = plan(phenomena=("reordering",), definition=Definition.RELEASED)
    extract(inputs(tiny, conllu=None), default, tmp_path / "default")
    rows = [read_rows(tmp_path / name / "de-en-reordering.jsonl") for name in ("sets", "default")]
    assert rows[0] == rows[1]  # "above 5" is what the release takes
    assert min(hit.distance for hit in rows[0][0].hits) == 6


def test_finished_sets_are_kept_without_force(tiny: Tiny, tmp_path: Path) -> None:
    out = tmp_path / "sets"
    extract(inputs(tiny), plan(), out)
    before = files(out)
    with pytest.raises(InputError, match="finished sets of de-en"):
        extract(inputs(tiny), plan(phenomena=("particle",)), out)
    assert files(out) == before
    extract(inputs(tiny), plan(phenomena=("particle",)), out, force=True)
    assert not (out / "de-en-reflexive.jsonl").exists()


def test_a_folder_of_someone_else_is_left_alone(tiny: Tiny, tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match="not a folder of challenge sets"):
        extract(inputs(tiny), plan(), tmp_path)
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="is a file"):
        extract(inputs(tiny), plan(), tmp_path / "file")


# Inputs that do not go together


def test_fewer_and_more_parses_than_pairs(tiny: Tiny, tmp_path: Path) -> None:
    text = tiny.parses.read_text(encoding="utf-8")
    tiny.parses.write_text(text.rpartition("# sent_id")[0], encoding="utf-8")
    with pytest.raises(InputError, match="fewer parses than pairs; the first 3"):
        extract(inputs(tiny), plan(), tmp_path / "sets")
    tiny.parses.write_text(text + text, encoding="utf-8")
    with pytest.raises(InputError, match=r"tiny.conllu, line \d+: more parses than pairs; the first 4"):
        extract(inputs(tiny), plan(), tmp_path / "sets", restart=True)


def test_parses_of_some_lines_by_sent_id(tiny: Tiny, tmp_path: Path) -> None:
    tiny.parses.write_text(conllu(1, SENTENCES[0]) + conllu(3, SENTENCES[2]), encoding="utf-8")
    extract(inputs(tiny, by_sent_id=True), plan(), tmp_path / "sets")
    # The corpus is whole all the same: translations of all of it can be scored.
    assert [row.line for row in read_rows(tmp_path / "sets" / "de-en-baseline.jsonl")] == [1, 2, 3, 4]
    assert [row.line for row in read_rows(tmp_path / "sets" / "de-en-particle.jsonl")] == [1, 3]
    assert read_manifest(tmp_path / "sets")["de-en"].lines == 4


def test_a_sent_id_that_stands_twice_names_no_row(tiny: Tiny, tmp_path: Path) -> None:
    text = re.sub(r"# sent_id = \d+", "# sent_id = same", tiny.parses.read_text(encoding="utf-8"))
    tiny.parses.write_text(text, encoding="utf-8")
    extract(inputs(tiny), plan(), tmp_path / "sets")
    assert [row.id for row in read_rows(tmp_path / "sets" / "de-en-particle.jsonl")] == ["1", "3"]


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [((3, 1), "is for corpus line 1, the one before it for 3"), ((1, 9), "which the corpus does not have")],
)
def test_sent_ids_that_are_no_lines(tiny: Tiny, tmp_path: Path, numbers: tuple[int, int], expected: str) -> None:
    blocks = [conllu(number, SENTENCES[(number - 1) % 4]) for number in numbers]
    tiny.parses.write_text("".join(blocks), encoding="utf-8")
    with pytest.raises(InputError, match=expected):
        extract(inputs(tiny, by_sent_id=True), plan(), tmp_path / "sets")


def test_parses_out_of_step_with_the_text(tiny: Tiny, tmp_path: Path) -> None:
    lines = tiny.source.read_text(encoding="utf-8").splitlines()
    tiny.source.write_text("\n".join([*lines[1:], lines[0]]) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match="tiny.conllu, line 1: the text of this parse is not that of its pair"):
        extract(inputs(tiny), plan(), tmp_path / "sets")


def test_links_that_do_not_fit(tiny: Tiny, tmp_path: Path) -> None:
    wanted = plan(phenomena=("reordering",), target_tokens="whitespace")
    for text, expected in (
        ("0-0\n0-9\n\n\n", "tiny.align, line 2"),
        ("0-0\n", "1 lines, but the corpus has a line 2"),
        ("0-0\n\n\n\n\n", "more lines than the 4"),
        ("0-0\nx\n\n\n", "tiny.align, line 2"),
    ):
        tiny.links.write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match=expected):
            extract(inputs(tiny, alignment=str(tiny.links)), wanted, tmp_path / "sets", restart=True)


# Bad lines


def damage(tiny: Tiny) -> None:
    """Line 2 loses its target, line 4 has a cycle in its tree."""
    lines = tiny.target.read_text(encoding="utf-8").splitlines()
    lines[1] = " "
    tiny.target.write_text("\n".join(lines) + "\n", encoding="utf-8")
    text = tiny.parses.read_text(encoding="utf-8")
    head, mark, last = text.rpartition("# sent_id = 4")
    tiny.parses.write_text(head + mark + last.replace("_\t4\tnsubj", "_\t1\tnsubj"), encoding="utf-8")


def test_the_first_bad_line_is_named(tiny: Tiny, tmp_path: Path) -> None:
    damage(tiny)
    with pytest.raises(InputError, match="tiny.en, line 2: the target side is empty"):
        extract(inputs(tiny), plan(), tmp_path / "sets")


def test_bad_lines_are_skipped_and_counted(tiny: Tiny, tmp_path: Path) -> None:
    damage(tiny)
    made = extract(inputs(tiny), plan(skip_bad=True), tmp_path / "sets")
    assert made.skipped == {"empty_side": 1, "cycle": 1}
    assert any("tiny.conllu, line" in place for place in made.skipped_places)
    assert [row.line for row in read_rows(tmp_path / "sets" / "de-en-baseline.jsonl")] == [1, 3]
    record = json.loads((tmp_path / "sets" / "extraction.json").read_text(encoding="utf-8"))
    assert record["extractions"][0]["skipped"] == made.skipped


def test_different_numbers_of_lines(tiny: Tiny, tmp_path: Path) -> None:
    with tiny.source.open("a", encoding="utf-8") as file:
        file.write("Noch ein Satz .\n")
    with pytest.raises(InputError, match=r"tiny.de has 5 lines.*--skip-bad"):
        extract(inputs(tiny, conllu=None), plan(phenomena=()), tmp_path / "sets")
    made = extract(inputs(tiny, conllu=None), plan(phenomena=(), skip_bad=True), tmp_path / "sets")
    assert (made.pairs, made.skipped) == (5, {"no_partner": 1})


# Choices


@pytest.mark.parametrize(
    ("names", "parsed", "target", "expected"),
    [
        ("nothing", True, True, "unknown phenomenon 'nothing'"),
        ("particle,particle", True, True, "occurs twice"),
        ("particle", False, True, "particle needs parses"),
        ("reordering", True, False, "reordering needs a target side"),
        ("all", False, False, "nothing can be extracted"),
        ("", True, True, "unknown phenomenon"),
    ],
)
def test_phenomena_that_cannot_be_chosen(names: str, parsed: bool, target: bool, expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        choose_phenomena("de-en", names, Definition.PAPER, parsed=parsed, target=target)


def test_all_means_what_the_inputs_allow() -> None:
    def chosen(parsed: bool, target: bool) -> tuple[str, ...]:
        return choose_phenomena("de-en", "all", Definition.PAPER, parsed=parsed, target=target)

    assert chosen(True, False) == ("particle", "reflexive")
    assert chosen(False, True) == ("reordering", "reordering_normalized", "reordering_crossing")
    assert chosen(True, True) == chosen(True, False) + chosen(False, True)


@pytest.mark.parametrize("pair", ["de", "de_en", "de-en-fr", "DE-EN", "../x-en", ""])
def test_pairs_that_are_none(pair: str) -> None:
    with pytest.raises(InputError, match="two language codes"):
        plan(pair=pair)


def test_the_work_folder_is_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small_chunks(monkeypatch, 1)
    tiny = write_tiny(tmp_path / "corpus")
    out = tmp_path / "sets"
    with pytest.raises(Stopped):
        extract(inputs(tiny), plan(), out, progress=stopping(2))
    work = out / ".work-de-en" / "extract"
    kept = tmp_path / "kept"
    shutil.copytree(work, kept)
    (work / "de-en-baseline.part").write_bytes(b"")
    with pytest.raises(InputError, match="it was changed"):
        extract(inputs(tiny), plan(), out)
    shutil.rmtree(work)
    shutil.copytree(kept, work)
    (work / "journal.json").write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match="cannot be read"):
        extract(inputs(tiny), plan(), out)
