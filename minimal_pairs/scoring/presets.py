"""Settings of scoring, as data: which probabilities count, how they are combined, what a tie counts as.

Published accuracies on the same data are different measures: on 670 pairs, with a model of 135M parameters, another
first token changes 117 decisions, none 127, no end token 16, a space before the sentence 38
(``docs/minimal_pairs_scores.md``, "What each setting changes"). So every setting is named here and in every
signature, and a preset is what a paper or program does, whether or not that is a good idea.

>>> preset("lm-eval").as_signature()
'preset:lm-eval|bos:declared|score_eos:no|leading_space:yes|score_first:yes|missing:score|reduction:sum|ties:right'
>>> preset("lm-eval", ties="wrong").name
'lm-eval+ties'
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from dibimt_metric.errors import InputError, shown

BOS_RULES = ("auto", "declared", "eos", "tokenizer", "none")
"""Values of `Preset.bos` that are rules; anything else is the text of a token."""

CHOICES = {"reduction": ("sum", "mean", "bytes"), "ties": ("wrong", "right", "half"), "missing": ("refuse", "score")}
"""Settings with a closed vocabulary."""


@dataclass(frozen=True, slots=True)
class Preset:
    """All settings of a score.

    Attributes:
        name: of the preset, followed by the settings that were changed, as in ``paper+bos``.
        bos: the token before the text. ``auto``: the one that the tokenizer declares for the beginning, or, if that
            opens a turn of a chat, the one between documents; a model without is rejected. ``declared``: the declared
            one, else the declared end token. ``eos``: the declared end token. ``tokenizer``: what the tokenizer itself
            adds, also at the end. ``none``: nothing. Anything else: that token, such as ``<|endoftext|>``.
        eos: the token after the text, if it is scored: ``auto`` or a token, as for `bos`.
        score_eos: whether its probability counts, for whole texts (a span with its own end has none).
        leading_space: whether a space is put before the text, as before a word within a sentence.
        score_first: what to do with a first token that nothing precedes, whose probability is undefined: ``True``:
            reject the model; ``False``: omit that token.
        missing: what to do with a text that contains a word or character outside the vocabulary. ``refuse``: it has no
            score (reason ``missing_token``). ``score``: the token for unknown words counts like any other.
        reduction: ``sum`` of the log-probabilities, ``mean`` over the tokens that count, sum over UTF-8 ``bytes``.
        ties: what equal scores count as: ``wrong``, ``right``, ``half``.
    """

    name: str
    bos: str = "auto"
    eos: str = "auto"
    score_eos: bool = False
    leading_space: bool = False
    score_first: bool = True
    missing: str = "refuse"
    reduction: str = "sum"
    ties: str = "wrong"

    def as_settings(self) -> tuple[tuple[str, str], ...]:
        """Names and values of all settings, in a fixed order; ``eos`` only if it is scored."""
        values = {field.name: _text(getattr(self, field.name)) for field in fields(self)}
        values["preset"] = values.pop("name")
        if not self.score_eos:
            del values["eos"]
        order = ("preset", *(field.name for field in fields(self)))
        return tuple((name, values[name]) for name in order if name in values)

    def as_signature(self) -> str:
        """The settings as text: ``preset:paper|bos:auto|...``."""
        return "|".join(f"{name}:{value}" for name, value in self.as_settings())


PRESETS: dict[str, Preset] = {
    # Warstadt et al. 2020 scored with jiant: the sentence between two boundary tokens, both ends predicted.
    "paper": Preset("paper", score_eos=True),
    # lm-evaluation-harness 0.3: empty context = end-of-text token (GPT-2's one boundary token), `good > bad`.
    "lm-eval-0.3": Preset("lm-eval-0.3", bos="eos", missing="score"),
    # 0.4 and later: empty context = declared first token, else the last one; the choice follows the delimiter " ";
    # argmax over (good, bad) gives equal scores to the first, the good one.
    "lm-eval": Preset("lm-eval", bos="declared", leading_space=True, missing="score", ties="right"),
    # minicons: the tokenizer's own encoding, everything but its first token, mean. It returns scores and leaves
    # the comparison to the caller; its examples use `good > bad`.
    "minicons": Preset("minicons", bos="tokenizer", score_first=False, missing="score", reduction="mean"),
}
"""Presets by name: the paper, and programs with their default behavior."""


def preset(name: str = "paper", **changes: str | bool) -> Preset:
    """A preset by name, with single settings changed.

    Args:
        name: a key of `PRESETS`.
        changes: settings of `Preset` and their new values.

    Raises:
        InputError: an unknown preset or setting, or a value that the setting does not have.

    >>> preset("minicons", reduction="sum").as_settings()[:2]
    (('preset', 'minicons+reduction'), ('bos', 'tokenizer'))
    """
    if name not in PRESETS:
        raise InputError(f"unknown preset {shown(name)}: expected one of {', '.join(PRESETS)}")
    known = PRESETS[name]
    for setting, value in changes.items():
        _check(setting, value)
    # In the order of the record, so that the same settings always give the same name.
    changed = [f.name for f in fields(Preset) if f.name in changes and changes[f.name] != getattr(known, f.name)]
    return replace(known, **changes, name="+".join((name, *changed)))  # type: ignore[arg-type]


def _check(setting: str, value: str | bool) -> None:
    defaults = {field.name: field.default for field in fields(Preset) if field.name != "name"}
    if setting not in defaults:
        raise InputError(f"unknown setting {shown(setting)}: expected one of {', '.join(defaults)}")
    if isinstance(defaults[setting], bool):
        if not isinstance(value, bool):
            raise InputError(f"setting {setting}: expected True or False, not {shown(value)}")
    elif not isinstance(value, str) or not value:
        raise InputError(f"setting {setting}: expected a text, not {shown(value)}")
    elif value not in CHOICES.get(setting, (value,)):
        raise InputError(f"setting {setting}: expected one of {', '.join(CHOICES[setting])}, not {shown(value)}")


def _text(value: str | bool) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else value
