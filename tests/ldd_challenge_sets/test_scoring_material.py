"""What does not fit together: every refusal names the system, the set and the line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from dibimt_metric.errors import InputError
from ldd_challenge_sets.records import Hit, LddRow
from ldd_challenge_sets.scoring.material import fingerprint, gather
from ldd_challenge_sets.scoring.select import baseline_rows, rows_from_ids

SOURCE = ["eins zwei", "drei vier", "fünf sechs sieben"]
REFERENCE = ["one two", "three four", "five six seven"]
BASELINE = baseline_rows(SOURCE, REFERENCE)
SYSTEM = {1: "one", 2: "", 3: "five"}
NAME = "de-en-particle"


def members(*lines: int) -> list[LddRow]:
    return rows_from_ids(lines, SOURCE, REFERENCE, "particle")


def refused(
    match: str,
    *,
    baseline: Sequence[LddRow] | None = BASELINE,
    sets: Mapping[str, Sequence[LddRow]] | None = None,
    systems: Mapping[str, Any] | None = None,
    pair: str | None = None,
) -> None:
    sets = {NAME: members(1, 3)} if sets is None else sets
    with pytest.raises(InputError, match=match):
        gather(baseline, sets, {"mine": SYSTEM} if systems is None else systems, pair)


def test_in_order() -> None:
    material = gather(BASELINE[::-1], {NAME: members(3, 1)}, {"mine": SYSTEM})
    assert (material.lines, material.references) == ((1, 2, 3), tuple(REFERENCE))
    assert material.lengths == (2, 2, 3)
    assert material.sets[0].positions == (0, 2)
    assert material.translations == {"mine": ["one", "", "five"]}
    assert (material.pair, material.target_language) == ("de-en", "en")


def test_without_corpus_only_the_lines_of_the_sets() -> None:
    material = gather(None, {NAME: members(3)}, {"mine": {3: "five"}})
    assert (material.lines, material.has_baseline, material.fingerprints[1]) == ((3,), False, "none")


@pytest.mark.parametrize("target", [None, "", "  "])
def test_no_target(target: str | None) -> None:
    rows = [replace(members(3)[0], target=target)]
    refused(r"de-en-particle, line 3: there is no target", baseline=None, sets={NAME: rows})
    refused(r"de-en-baseline, line 3: there is no target", baseline=[*BASELINE[:2], rows[0]])


def test_no_source_tokens() -> None:
    rows = [replace(members(3)[0], source_tokens=())]
    refused(r"de-en-particle, line 3: there are no source tokens", baseline=None, sets={NAME: rows})


@pytest.mark.parametrize(("distance", "hits"), [(-1, ()), (-1, (-1,)), (2, (1,)), (1, (1, 2)), (None, (0,)), (0, (1,))])
def test_distance_that_is_not_that_of_the_hits(distance: int | None, hits: tuple[int, ...]) -> None:
    found = tuple(Hit(1, 2, "eins", "zwei", each) for each in hits)
    rows = [replace(members(1)[0], max_distance=distance, hits=found)]
    refused(rf"de-en-particle, line 1: max_distance is {distance}; expected", sets={NAME: rows})


def test_distances_without_hits_may_come_from_elsewhere() -> None:
    rows = [replace(members(1)[0], max_distance=3), replace(members(2)[0], hits=(Hit(1, 0, "drei", "", 0),))]
    rows[1] = replace(rows[1], max_distance=0)
    assert gather(BASELINE, {NAME: rows}, {"mine": SYSTEM}).sets[0].distances == (3, 0)


def test_missing_translation() -> None:
    refused(
        r"system 'mine' has no translation for line 2 \(in de-en-baseline\)",
        systems={"mine": {1: "a", 3: "c"}},
    )
    refused(
        r"system 'other' has no translation for line 3 \(in de-en-particle\)",
        baseline=None,
        systems={"mine": SYSTEM, "other": {1: "a"}},
    )


def test_translation_that_is_no_text() -> None:
    refused(r"has a translation that is not a text \(5\) for line 1", systems={"mine": {**SYSTEM, 1: 5}})
    refused(r"translations of system 'mine' are \['a'", systems={"mine": ["a", "b", "c"]})


def test_no_system_and_no_set() -> None:
    refused("no system to score", systems={})
    refused("no set to score", sets={})


def test_line_that_the_corpus_does_not_have() -> None:
    refused(r"de-en-particle, line 3: the full corpus does not have this line", baseline=BASELINE[:2])


def test_corpus_with_a_line_twice() -> None:
    refused("4 rows for 3 lines", baseline=[*BASELINE, BASELINE[0]])


def test_corpus_that_is_also_a_set() -> None:
    refused(
        "de-en-baseline is given as a set and as the full corpus",
        sets={"de-en-baseline": BASELINE, NAME: members(1)},
    )


def test_one_line_with_two_targets() -> None:
    other = [replace(members(1)[0], target="uno dos")]
    refused(r"line 1 has one target in de-en-baseline and another in de-en-particle", sets={NAME: other})


def test_several_corpora() -> None:
    other = [replace(members(1)[0], corpus="books")]
    refused(r"several corpora \(books, corpus\)", sets={NAME: other})


def test_several_phenomena() -> None:
    mixed = [members(1)[0], replace(members(2)[0], phenomenon="reflexive")]
    refused("mixes the phenomena particle, reflexive", sets={NAME: mixed})


@pytest.mark.parametrize(
    "sets",
    [
        {"particle": members(1)},
        {NAME: members(1), "en-de-particle": members(1)},
        {NAME: members(1), "x": members(1)},
    ],
)
def test_pair_that_does_not_follow(sets: dict[str, list[LddRow]]) -> None:
    refused("the names of the sets do not give the language pair", sets=sets)
    assert gather(BASELINE, sets, {"mine": SYSTEM}, "de-en").pair == "de-en"


@pytest.mark.parametrize("pair", ["de", "de_en", "DE-EN", "", "de-en-particle"])
def test_pair_that_cannot_be_used(pair: str) -> None:
    refused("a pair is two language codes", pair=pair)


def test_fingerprint_sees_content_and_not_order() -> None:
    rows = members(1, 2)
    same = fingerprint({NAME: rows, "de-en-x": []})
    assert same == fingerprint({"de-en-x": [], NAME: rows[::-1]})
    assert same != fingerprint({NAME: rows})
    assert same != fingerprint({NAME: [rows[0], replace(rows[1], line=3)], "de-en-x": []})
    assert len(same) == 12


@pytest.mark.parametrize(
    "change",
    [{"line": 9}, {"target": "x"}, {"source": "x"}, {"max_distance": 0}, {"source_tokens": ("x",)}],
)
def test_fingerprint_sees_every_field_that_counts(change: dict[str, Any]) -> None:
    (row,) = members(1)
    assert fingerprint({NAME: [row]}) != fingerprint({NAME: [replace(row, **change)]})
