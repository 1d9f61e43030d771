"""Every format, from every kind of file."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from dibimt_metric.errors import InputError
from minimal_pairs.conversion.schema import NYU_MLL
from minimal_pairs.paradigms import PARADIGMS
from minimal_pairs.reading.read import FORMATS, read_pairs
from minimal_pairs.records import Pair
from tests.minimal_pairs.conftest import PAIRS, upstream_line

ISLAND = next(paradigm for paradigm in PARADIGMS if paradigm.name == "wh_island")
TRANS = next(paradigm for paradigm in PARADIGMS if paradigm.name == "animate_subject_trans")


def jsonl(path: Path, *lines: dict[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    return path


def text(path: Path, content: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode("utf-8"))
    return path


def short(pair: Pair) -> tuple[object, ...]:
    return (
        pair.sentence_good, pair.sentence_bad, pair.paradigm, pair.phenomenon, pair.field, pair.pairID, pair.pair_id,
    )  # fmt: skip


# BLiMP in its three forms


def test_upstream_line(tmp_path: Path) -> None:
    (pair,) = read_pairs(jsonl(tmp_path / "wh_island.jsonl", upstream_line(ISLAND, 17)))
    assert pair == Pair(
        sentence_good="The boats float near 17 wh island.",
        sentence_bad="The boats floats near 17 wh island.",
        UID="wh_island",
        pairID="17",
        pair_id=17,
        paradigm="wh_island",
        phenomenon="island_effects",
        field="syntax",
        linguistics_term="island_effects",
        simple_LM_method=True,
        one_prefix_method=True,
        two_prefix_method=False,
        lexically_identical=False,
        one_prefix_prefix="The boats",
        one_prefix_word_good="float",
        one_prefix_word_bad="floats",
    )


def test_stray_space_of_a_prefix_word_stays_and_s_selection_is_argument_structure(tmp_path: Path) -> None:
    line = upstream_line(TRANS, 0) | {"two_prefix_word": " float"}
    (pair,) = read_pairs(jsonl(tmp_path / "any_name.jsonl", line))
    assert (pair.two_prefix_word, pair.linguistics_term, pair.phenomenon) == (
        " float",
        "s-selection",
        "argument_structure",
    )


def test_all_six_key_sets(release: Path) -> None:
    pairs = list(read_pairs(release))
    assert len(pairs) == 67 * PAIRS
    assert [pair.paradigm for pair in pairs[::PAIRS]] == sorted(paradigm.name for paradigm in PARADIGMS)
    with_number = [pair for pair in pairs if pair.dependency_length is not None]
    assert {pair.paradigm for pair in with_number} == {
        "distractor_agreement_relational_noun",
        "distractor_agreement_relative_clause",
    }
    assert sum(pair.crucial_item == "at least" for pair in pairs) == 2 * PAIRS
    assert sum(pair.one_prefix_word_bad is not None for pair in pairs) == 20 * PAIRS
    assert sum(pair.two_prefix_prefix_bad is not None for pair in pairs) == 20 * PAIRS


def test_form_of_nyu_mll(tmp_path: Path) -> None:
    line = upstream_line(ISLAND, 3) | {"pair_id": 3}
    (pair,) = read_pairs(jsonl(tmp_path / "x.jsonl", {key: line[key] for key in NYU_MLL}))
    assert (pair.pair_id, pair.pairID, pair.phenomenon) == (3, "3", "island_effects")
    assert pair.one_prefix_method and pair.one_prefix_prefix is None


def test_converted_folder_gives_the_published_pairs_once(tiny_converted: Path) -> None:
    published = list(read_pairs(tiny_converted))
    assert len(published) == 67 * PAIRS
    assert [pair.paradigm for pair in published[::PAIRS]] == [paradigm.name for paradigm in PARADIGMS]
    assert list(read_pairs(tiny_converted / "data")) == published


def test_converted_zip(tiny_converted: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "blimp.zip", "w") as archive:
        for path in sorted(tiny_converted.rglob("*.*")):
            archive.write(path, Path("top", path.relative_to(tiny_converted)))
    assert list(read_pairs(tmp_path / "blimp.zip")) == list(read_pairs(tiny_converted))


def test_paradigms_that_blimp_does_not_have(tmp_path: Path) -> None:
    # The supplement of BabyLM has the columns of BLiMP, its own paradigms, and no numbers.
    line = {
        "sentence_good": "Ann did.",
        "sentence_bad": "Ann do.",
        "UID": "turns",
        "linguistics_term": "talk",
    }
    pairs = list(read_pairs(jsonl(tmp_path / "turns.jsonl", line, line | {"sentence_good": "She did."})))
    assert [short(pair) for pair in pairs] == [
        ("Ann did.", "Ann do.", "turns", "talk", None, "0", 0),
        ("She did.", "Ann do.", "turns", "talk", None, "1", 1),
    ]


# The other sets


def test_multiblimp(tmp_path: Path) -> None:
    # As pandas writes it: an index without a name, quotes around values that hold quotes.
    table = (
        "\tsen\twrong_sen\tphenomenon\n"
        "0\tJa, er geht.\tJa, er gehen.\tSV-#\n"
        '1\t"""Ja"", sagt er."\t"""Ja"", sagen er."\tSV-#\n'
    )
    text(tmp_path / "multi" / "deu" / "data.tsv", table)
    jsonl(tmp_path / "other" / "x.jsonl", {"sen": "Hij gaat.", "wrong_sen": "Hij gaan.", "language": "nld"})
    german, dutch = list(read_pairs(tmp_path / "multi")), list(read_pairs(tmp_path / "other"))
    assert [short(pair) for pair in german] == [
        ("Ja, er geht.", "Ja, er gehen.", "deu-SV-#", "SV-#", None, "0", 0),
        ('"Ja", sagt er.', '"Ja", sagen er.', "deu-SV-#", "SV-#", None, "1", 1),
    ]
    assert short(dutch[0])[2:4] == ("nld-x", None)
    assert list(read_pairs(tmp_path / "multi" / "deu" / "data.tsv")) == german


def test_sling(tmp_path: Path) -> None:
    line = {
        "sentence_good": "他们来了。",
        "sentence_bad": "他们了来。",
        "phenomenon": "Aspect",
        "paradigm": "le",
        "pair_ID": 12,
        "field": "syntax",
    }
    (pair,) = read_pairs(jsonl(tmp_path / "Aspect" / "le.jsonl", line))
    assert short(pair) == ("他们来了。", "他们了来。", "le", "Aspect", "syntax", "12", 12)


def test_rublimp(tmp_path: Path) -> None:
    table = (
        "id,source_sentence,target_sentence,level,phenomenon,PID,subtype\r\n"
        '70,"Да, я спал.","Да, я спали.",Syntax,Subject-Predicate Agreement,number,plain\r\n'
    )
    (pair,) = read_pairs(text(tmp_path / "number.csv", table))
    assert short(pair) == (
        "Да, я спал.", "Да, я спали.", "number", "Subject-Predicate Agreement", "syntax", "70", 70,
    )  # fmt: skip


def test_blimp_nl(tmp_path: Path) -> None:
    line = {
        "sentence_good": "Hij slaapt.",
        "sentence_bad": "Hij slapen.",
        "linguistic_phenomenon": "agreement",
        "paradigm": "number",
        "item_id": "a7",
    }
    (pair,) = read_pairs(jsonl(tmp_path / "x.jsonl", line))
    assert short(pair) == ("Hij slaapt.", "Hij slapen.", "number", "agreement", None, "a7", 0)


def test_zorro(tmp_path: Path) -> None:
    # Odd lines are bad, even ones good; the file is named after phenomenon and paradigm.
    content = "ann sleep .\r\nann sleeps .\r\nann swim .\nann swims .\n\n"
    path = text(tmp_path / "island-effects-adjunct.txt", content)
    assert [short(pair) for pair in read_pairs(path)] == [
        ("ann sleeps .", "ann sleep .", "island-effects-adjunct", "island-effects", None, "0", 0),
        ("ann swims .", "ann swim .", "island-effects-adjunct", "island-effects", None, "1", 1),
    ]
    (tmp_path / "notes.md").write_text("not pairs", encoding="utf-8")
    assert list(read_pairs(tmp_path)) == list(read_pairs(path))


# A user's own


@pytest.mark.parametrize("names", ["good\tbad\tparadigm\tid", "sentence_good\tsentence_bad\tparadigm\tid"])
def test_own_table_with_names(tmp_path: Path, names: str) -> None:
    # Quotes are text: nobody writes a sentence in quotes to lose them.
    table = f'{names}\n"Yes," Ann says.\t"Yes," Ann say.\tagreement\t4\n'
    (pair,) = read_pairs(text(tmp_path / "own.tsv", table))
    assert short(pair) == ('"Yes," Ann says.', '"Yes," Ann say.', "agreement", None, None, "4", 4)


def test_own_table_without_names(tmp_path: Path) -> None:
    path = text(tmp_path / "own.tsv", "Ann sleeps.\tAnn sleep.\nAnn swims.\tAnn swim.\n")
    pairs = list(read_pairs(path, "pairs"))
    assert [short(pair)[:3] for pair in pairs] == [
        ("Ann sleeps.", "Ann sleep.", "own"),
        ("Ann swims.", "Ann swim.", "own"),
    ]
    with pytest.raises(InputError, match=r"own\.tsv, line 1: the columns .*no known format; name the format"):
        list(read_pairs(path))
    swapped = read_pairs(path, columns={"sentence_good": "2", "sentence_bad": "1"}, paradigm="mine")
    assert [short(pair)[:3] for pair in swapped][1] == ("Ann swim.", "Ann swims.", "mine")


def test_own_columns(tmp_path: Path) -> None:
    line = {"right": "Ann sleeps.", "wrong": "Ann sleep.", "kind": "agreement", "nr": "x"}
    path = jsonl(tmp_path / "own.jsonl", line)
    chosen = {"sentence_good": "right", "sentence_bad": "wrong", "paradigm": "kind", "pair_id": "nr"}
    (pair,) = read_pairs(path, columns=chosen)
    assert short(pair) == ("Ann sleeps.", "Ann sleep.", "agreement", None, None, "x", 0)


# Containers


def test_the_same_pairs_from_every_container(tmp_path: Path) -> None:
    lines = [upstream_line(ISLAND, number) for number in (0, 1)]
    lines[1]["sentence_good"] = 'Ann says: "The boats, they float."'
    array = tmp_path / "a.json"
    array.write_text(json.dumps(lines, indent=1), encoding="utf-8-sig")  # a byte order mark too
    spread = text(tmp_path / "l.json", "\n\n".join(map(json.dumps, lines)))
    table = [list(lines[0]), *([str(value) for value in line.values()] for line in lines)]
    rows = ["\t".join(quoted(row)) for row in table], [",".join(quoted(row)) for row in table]
    tsv, csv = (text(tmp_path / f"t.{e}", "\r\n".join(r)) for e, r in zip(("tsv", "csv"), rows, strict=True))
    expected = list(read_pairs(jsonl(tmp_path / "b.jsonl", *lines)))
    for path in (array, spread, tsv, csv):
        assert list(read_pairs(path)) == expected, path


def quoted(values: Sequence[str]) -> list[str]:
    return ['"' + value.replace('"', '""') + '"' for value in values]


def test_zip_of_files(release: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "release.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in release.iterdir():
            archive.write(path, Path("blimp", "data", path.name))
        archive.writestr("__MACOSX/blimp/._wh_island.jsonl", "x")
        archive.writestr("blimp/README.md", "x")
    assert list(read_pairs(tmp_path / "release.zip")) == list(read_pairs(release))


def test_folder_leaves_out_what_is_no_table(tmp_path: Path) -> None:
    jsonl(tmp_path / "a.jsonl", upstream_line(ISLAND, 0))
    for name in ("LICENSE.txt", "README.md", ".hidden.jsonl", "dataset_info.json"):
        text(tmp_path / name, "{}")
    assert len(list(read_pairs(tmp_path))) == 1


def test_a_file_is_read_when_its_pairs_are_asked_for(tmp_path: Path) -> None:
    jsonl(tmp_path / "a.jsonl", upstream_line(ISLAND, 0))
    text(tmp_path / "b.jsonl", "no JSON")
    assert next(read_pairs(tmp_path)).pair_id == 0


def test_numbers_of_a_paradigm_run_on_over_files(tmp_path: Path) -> None:
    line = {"good": "Ann sleeps.", "bad": "Ann sleep.", "paradigm": "p"}
    jsonl(tmp_path / "a.jsonl", line, line)
    jsonl(tmp_path / "b.jsonl", line)
    assert [pair.pair_id for pair in read_pairs(tmp_path)] == [0, 1, 2]


def test_renumber_keeps_the_ids_as_text(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "a.jsonl", upstream_line(ISLAND, 9), upstream_line(ISLAND, 9))
    assert [(pair.pair_id, pair.pairID) for pair in read_pairs(path, renumber=True)] == [(0, "9"), (1, "9")]


def test_every_format_has_a_name_and_a_summary() -> None:
    names = [known.name for known in FORMATS]
    assert names == ["blimp", "blimp-nl", "sling", "multiblimp", "rublimp", "zorro", "pairs"]
    assert all(known.summary for known in FORMATS)


# The real release


def test_the_release(blimp_release: Path) -> None:
    pairs = list(read_pairs(blimp_release))
    assert len(pairs) == 67_000
    assert {pair.phenomenon for pair in pairs} == {paradigm.phenomenon for paradigm in PARADIGMS}
    assert {pair.field for pair in pairs} == {"syntax", "morphology", "semantics", "syntax_semantics"}
    # Prefix and word stand at the beginning of their sentences, one blank between them.
    for pair in pairs:
        if pair.one_prefix_prefix is not None:
            assert pair.sentence_good.startswith(f"{pair.one_prefix_prefix} {pair.one_prefix_word_good}")
            assert pair.sentence_bad.startswith(f"{pair.one_prefix_prefix} {pair.one_prefix_word_bad}")
        if pair.two_prefix_word is not None:
            word = pair.two_prefix_word.strip()
            assert pair.sentence_good.startswith(f"{pair.two_prefix_prefix_good} {word}")
            assert pair.sentence_bad.startswith(f"{pair.two_prefix_prefix_bad} {word}")
