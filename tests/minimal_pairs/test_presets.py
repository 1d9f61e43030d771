"""Presets: what they say, how they are changed, what is refused."""

from __future__ import annotations

from dataclasses import fields

import pytest

from dibimt_metric.errors import InputError
from minimal_pairs.scoring.presets import PRESETS, Preset, preset


@pytest.mark.parametrize(
    ("name", "bos", "score_eos", "leading_space", "score_first", "reduction", "ties"),
    [
        ("paper", "auto", True, False, True, "sum", "wrong"),
        ("lm-eval-0.3", "eos", False, False, True, "sum", "wrong"),
        ("lm-eval", "declared", False, True, True, "sum", "right"),
        ("minicons", "tokenizer", False, False, False, "mean", "wrong"),
    ],
)
def test_presets(
    name: str, bos: str, score_eos: bool, leading_space: bool, score_first: bool, reduction: str, ties: str
) -> None:
    found = preset(name)
    assert found is not None and found.name == name
    assert (found.bos, found.score_eos, found.leading_space) == (bos, score_eos, leading_space)
    assert (found.score_first, found.reduction, found.ties) == (score_first, reduction, ties)


def test_every_setting_is_in_the_signature() -> None:
    for value in PRESETS.values():
        named = dict(value.as_settings())
        expected = {"preset" if field.name == "name" else field.name for field in fields(Preset)}
        if not value.score_eos:
            expected.remove("eos")  # it changes nothing then
        assert set(named) == expected
        assert value.as_signature() == "|".join(f"{key}:{text}" for key, text in value.as_settings())


def test_signatures_differ_as_settings_do() -> None:
    changes: list[dict[str, str | bool]] = [
        {"bos": "none"}, {"bos": "<s>"}, {"eos": "</s>"}, {"score_eos": False}, {"leading_space": True},
        {"score_first": False}, {"missing": "score"}, {"reduction": "mean"}, {"reduction": "bytes"}, {"ties": "half"},
    ]  # fmt: skip
    signatures = {preset("paper", **change).as_signature() for change in changes}
    assert len(signatures | {preset("paper").as_signature()}) == len(changes) + 1


def test_name_says_what_was_changed_in_one_order() -> None:
    assert preset("lm-eval", ties="wrong", bos="<s>").name == "lm-eval+bos+ties"
    assert preset("lm-eval", bos="<s>", ties="wrong").name == "lm-eval+bos+ties"
    assert preset("lm-eval", ties="right").name == "lm-eval"  # what it is anyway
    assert preset("lm-eval", ties="right") == PRESETS["lm-eval"]


@pytest.mark.parametrize(
    ("name", "changes", "says"),
    [
        ("jiant", {}, "unknown preset 'jiant': expected one of paper, lm-eval-0.3, lm-eval, minicons"),
        ("paper", {"boss": "x"}, "unknown setting 'boss': expected one of bos, eos, score_eos"),
        ("paper", {"ties": "maybe"}, "setting ties: expected one of wrong, right, half, not 'maybe'"),
        ("paper", {"reduction": "max"}, "setting reduction: expected one of sum, mean, bytes"),
        ("paper", {"missing": True}, "setting missing: expected a text, not True"),
        ("paper", {"score_eos": "no"}, "setting score_eos: expected True or False, not 'no'"),
        ("paper", {"bos": ""}, "setting bos: expected a text"),
    ],
)
def test_refusals(name: str, changes: dict[str, str | bool], says: str) -> None:
    with pytest.raises(InputError, match=f"^{says}"):
        preset(name, **changes)
