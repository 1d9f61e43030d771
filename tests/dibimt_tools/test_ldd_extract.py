"""``dibimt ldd extract``, ``select``, ``align`` and ``phenomena``, end to end on the tiny corpus."""

from __future__ import annotations

import gzip
import json
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from dibimt_tools import ldd
from dibimt_tools.ldd import align
from ldd_challenge_sets.extraction.rows import read_rows
from tests.ldd_challenge_sets.tiny import SENTENCES, Tiny, write_tiny

Run = Callable[..., tuple[int, str, str]]
BASE = "ldd extract --pair de-en --source tiny.de --target tiny.en --out sets --pretokenized"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tiny:
    """The tiny corpus in the current folder."""
    monkeypatch.chdir(tmp_path)
    return write_tiny(tmp_path)


def lines_of(name: str) -> list[int]:
    return [row.line for row in read_rows(f"sets/de-en-{name}.jsonl")]


# Help


@pytest.mark.parametrize(
    "command",
    ["ldd", *(f"ldd {name}" for name in ldd.COMMANDS), *(f"ldd align {name}" for name in align.COMMANDS)],
)
def test_help_shows_how_to_call_it(run: Run, command: str) -> None:
    code, out, _ = run(f"{command} --help")
    assert code == 0
    assert "  dibimt ldd" in out


def test_a_group_without_command_is_wrong_usage(run: Run) -> None:
    code, out, err = run("ldd")
    assert (code, out) == (2, "")
    assert "required: COMMAND" in err


# extract


def test_extract_lexical_sets(here: Tiny, run: Run) -> None:
    code, out, err = run(f"{BASE} --conllu tiny.conllu --phenomena particle,reflexive --name demo --license cc0-1.0")
    assert (code, err) == (0, "")
    assert "4 pairs of demo" in out
    assert "de-en-particle     2    2    2    2    0    0" in out
    assert "dibimt|task:ldd-extract|pair:de-en|corpus:demo|definition:paper" in out
    assert lines_of("particle") == [1, 3]
    assert "license: cc0-1.0" in Path("sets/README.md").read_text(encoding="utf-8")


def test_extract_as_json(here: Tiny, run: Run) -> None:
    code, out, _ = run(f"{BASE} --conllu tiny.conllu --phenomena particle --no-baseline --json")
    record = json.loads(out)
    assert code == 0
    assert record["configurations"]["de-en-particle"]["distances"] == {"3": 2}
    assert list(record["configurations"]) == ["de-en-particle"]


def test_extract_with_given_links(here: Tiny, run: Run) -> None:
    code, out, err = run(f"{BASE} --alignment tiny.align --min-distance 2")
    assert code == 0
    assert "no parses, so only: reordering" in err
    assert "aligner: given:tiny.align" in out
    assert lines_of("reordering") == [2, 3]


def test_extract_trains_an_aligner_where_links_are_needed(run: Run, tmp_path: Path) -> None:
    tiny = write_tiny(tmp_path / "corpus", times=30)
    command = (
        f"ldd extract --pair de-en --source {tiny.source} --target {tiny.target} --conllu {tiny.parses} "
        f"--pretokenized --min-distance 1 --out {tmp_path / 'sets'}"
    )
    code, out, err = run(command)
    assert (code, err) == (0, "")
    assert "train:120" in out
    rows = read_rows(tmp_path / "sets" / "de-en-reordering.jsonl")
    assert rows and all(row.alignment for row in rows)
    # The aligner that was kept gives the same links when it is applied by itself.
    code, out, _ = run(
        f"ldd align apply --pair de-en --source {tiny.source} --target {tiny.target} --source-tokens whitespace "
        f"--target-tokens whitespace --aligner {tmp_path / 'sets' / 'de-en.aligner'}"
    )
    baseline = read_rows(tmp_path / "sets" / "de-en-baseline.jsonl")
    assert out.splitlines() == [row.alignment for row in baseline]


def test_train_and_apply_are_separate(run: Run, tmp_path: Path) -> None:
    tiny = write_tiny(tmp_path / "corpus", times=30)
    corpus = f"--pair de-en --source {tiny.source} --target {tiny.target} --target-tokens whitespace"
    code, out, _ = run(f"ldd align train {corpus} --source-tokens whitespace --out {tmp_path / 'aligner'}")
    assert code == 0
    assert out.startswith("fast_align(sil-thot-")
    code, _, err = run(f"ldd align train {corpus} --out {tmp_path / 'aligner'}")
    assert code == 2
    assert "holds an aligner" in err
    links = tmp_path / "links"
    code, _, _ = run(
        f"ldd align apply {corpus} --source-tokens whitespace --aligner {tmp_path / 'aligner'} --output {links}"
    )
    assert code == 0
    assert len(links.read_text(encoding="utf-8").splitlines()) == 120
    code, out, _ = run(
        f"ldd extract {corpus} --alignment {links} --source-tokens whitespace --min-distance 1 "
        f"--phenomena reordering --out {tmp_path / 'sets'}"
    )
    assert code == 0
    assert read_rows(tmp_path / "sets" / "de-en-reordering.jsonl")


def test_extract_from_tsv_and_compressed_files(here: Tiny, run: Run) -> None:
    table = "".join(f"{number}\t{each[1]}\t{each[0]}\n" for number, each in enumerate(SENTENCES))
    Path("tiny.tsv").write_text("n\ten\tde\n" + table, encoding="utf-8")
    Path("tiny.conllu.gz").write_bytes(gzip.compress(here.parses.read_bytes()))
    code, _, err = run(
        "ldd extract --pair de-en --tsv tiny.tsv --columns de,en --conllu tiny.conllu.gz --out sets "
        "--phenomena particle"
    )
    assert (code, err) == (0, "")
    assert [row.target for row in read_rows("sets/de-en-particle.jsonl")] == [
        SENTENCES[0][1],
        SENTENCES[2][1],
    ]


def test_extract_from_tmx_with_udpipe(here: Tiny, run: Run, shared_models: Path) -> None:
    units = "".join(
        f'<tu><tuv xml:lang="de-DE"><seg>{each[0]}</seg></tuv><tuv xml:lang="EN"><seg>{each[1]}</seg></tuv></tu>'
        for each in SENTENCES
    )
    Path("tiny.tmx").write_text(
        f'<?xml version="1.0"?><tmx version="1.4"><header/><body>{units}</body></tmx>', encoding="utf-8"
    )
    model = shared_models / "udpipe" / "de-small.udpipe"
    code, out, err = run(
        f"ldd extract --pair de-en --tmx tiny.tmx --parser udpipe:{model} --phenomena reflexive --out sets"
    )
    assert (code, err) == (0, "")
    assert "parser: udpipe-" in out
    assert lines_of("reflexive") == [2, 3]
    assert Path("sets/de-en.parses.conllu").read_text(encoding="utf-8").startswith("# sent_id = 1\n")


def test_released_definition_and_document_size(here: Tiny, run: Run) -> None:
    text = here.parses.read_text(encoding="utf-8")
    here.parses.write_text(text + text, encoding="utf-8")
    code, _, err = run(
        "ldd extract --pair de-en --conllu tiny.conllu --match sent_id --document-size 100 --definition released "
        "--phenomena particle --no-baseline --out sets"
    )
    assert (code, err) == (0, "")
    assert lines_of("particle") == [1, 3, 101, 103]


def test_own_phenomena_are_registered(here: Tiny, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from ldd_challenge_sets.phenomena.registry import unregister

    Path("my_phenomena.py").write_text(
        "from ldd_challenge_sets.phenomena.registry import register\n"
        "register('adverb', lambda token, head, tree: token.deprel == 'advmod', 'an adverb')\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(here.folder)
    try:
        code, _, err = run(f"{BASE} --conllu tiny.conllu --register my_phenomena --phenomena adverb")
        assert (code, err) == (0, "")
        assert lines_of("adverb") == [1, 2]
    finally:
        unregister("adverb")


def test_skipped_places_are_named(here: Tiny, run: Run) -> None:
    text = here.target.read_text(encoding="utf-8").splitlines()
    here.target.write_text("\n".join([text[0], "", *text[2:]]) + "\n", encoding="utf-8")
    command = f"{BASE} --conllu tiny.conllu --phenomena particle"
    code, out, err = run(command)
    assert (code, out) == (2, "")
    assert "tiny.en, line 2" in err
    code, _, err = run(f"{command} --skip-bad --restart")
    assert code == 0
    assert "skipped and counted: 1 empty_side" in err
    assert "tiny.en, line 2" in err


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("--phenomena particle", "particle needs parses"),
        ("--phenomena nothing --conllu tiny.conllu", "unknown phenomenon 'nothing'"),
        ("--definition mine --conllu tiny.conllu", "choose one of 'paper', 'released'"),
        ("--tsv tiny.de", "more than one corpus: --source, --tsv"),
        ("--conllu tiny.conllu --parser stanza", "both parses and a parser"),
        ("--conllu none.conllu", "none.conllu"),
        ("--engine slurm --conllu tiny.conllu --phenomena particle", "choose local or ray"),
        ("--source-tokens words", "unknown tokenizer 'words'"),
        ("--register no_such_module --conllu tiny.conllu", "no_such_module"),
        ("--conllu tiny.conllu --workers 0", "an integer of at least 1"),
        ("--columns 1,2", "--columns needs --tsv"),
        ("--split test", "--split needs --dataset"),
        ("--alignment tiny.align --aligner a", "both provide links"),
        (
            "--alignment tiny.align --symmetrization union",
            "--symmetrization needs an aligner, and --alignment gives links",
        ),
        ("--definition released --alignment tiny.align", "'released' does not use an alignment"),
        ("--match sent_id", "--match needs --conllu"),
        ("--conllu tiny.conllu --document-size 3", "--document-size needs --match sent_id"),
        ("--conllu tiny.conllu --models m", "--models needs --parser stanza"),
    ],
)
def test_what_cannot_be_extracted(here: Tiny, run: Run, options: str, expected: str) -> None:
    code, out, err = run(BASE, *shlex.split(options))
    assert (code, out) == (2, "")
    assert expected in err
    assert "Traceback" not in err


# select


def test_select_by_set_and_by_ids(here: Tiny, run: Run) -> None:
    run(f"{BASE} --conllu tiny.conllu --phenomena particle,reflexive")
    assert run("ldd select --set sets/de-en-particle.jsonl --from tiny.en") == (
        0,
        f"{SENTENCES[0][1]}\n{SENTENCES[2][1]}\n",
        "",
    )
    code, out, _ = run("ldd select --set sets/de-en-reflexive.jsonl --min-distance 1 --from tiny.en")
    assert (code, out.strip()) == (0, "")
    Path("two.ids").write_text("4\n1\n", encoding="utf-8")
    code, out, _ = run("ldd select --ids two.ids --from tiny.de")
    assert out == f"{SENTENCES[3][0]}\n{SENTENCES[0][0]}\n"
    Path("two.ids").write_text("4\n5\n", encoding="utf-8")
    code, out, err = run("ldd select --ids two.ids --from tiny.de")
    assert (code, out) == (2, "")
    assert "5" in err


# phenomena


def test_phenomena_of_a_language(run: Run) -> None:
    code, out, _ = run("ldd phenomena --language es")
    assert code == 0
    assert "reflexive" in out and "particle" not in out.replace("preposition", "")
    code, out, _ = run("ldd phenomena")
    assert "particle" in out and "every" in out
