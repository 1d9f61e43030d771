"""Options of ``dibimt blimp score`` for the model and its settings, and the model they select."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..options import positive
from .quiet import silence

if TYPE_CHECKING:
    from minimal_pairs.records import LanguageModel
    from minimal_pairs.scoring.presets import Preset

KINDS = ("causal", "masked", "encoder-decoder", "ngram", "scores")
CAUSAL, MASKED, ENCODER_DECODER, NGRAM, SCORES = KINDS

# Options of some kinds only: name of the argument -> kinds.
_ONLY = {
    "gguf_file": (CAUSAL,),
    "pll": (MASKED,),
    "words": (NGRAM,),
    "lower": (NGRAM,),
    "base": (SCORES,),
    "device": (CAUSAL, MASKED, ENCODER_DECODER),
    "dtype": (CAUSAL, MASKED, ENCODER_DECODER),
    "revision": (CAUSAL, MASKED, ENCODER_DECODER),
    "batch_tokens": (CAUSAL, MASKED, ENCODER_DECODER),
}
_LOADER_NAMES = {"words": "tokens"}
"""Option -> different name of the loader's argument."""
_SETTINGS = ("bos", "eos", "score_eos", "leading_space", "score_first", "missing", "reduction", "ties")


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """The selected model, not loaded yet.

    Attributes:
        kind: one of `KINDS`. name: of a model, or a path. options: given arguments of the loader.
        settings: settings of the scores.
    """

    kind: str
    name: str
    options: dict[str, Any]
    settings: Preset


def add_model_options(parser: argparse.ArgumentParser) -> None:
    """Options for the model and its execution."""
    group = parser.add_argument_group("model")
    group.add_argument(
        "--model",
        required=True,
        metavar="[KIND:]PATH_OR_NAME",
        help="folder of a model, its name on the Hub (to download it), a GGUF file; ngram:FILE.arpa; scores:FILE with "
        "log-probabilities from another program",
    )
    group.add_argument("--kind", metavar="|".join(KINDS), help="kind of the model (default: causal)")
    group.add_argument("--device", metavar="NAME", help="cpu, cuda, cuda:1, mps (default: cpu)")
    group.add_argument("--dtype", metavar="NAME", help="float32, float64, bfloat16, float16 (default: float32)")
    group.add_argument("--batch-tokens", type=positive, metavar="N", help="tokens per batch; changes speed, not scores")
    group.add_argument("--revision", metavar="NAME", help="revision of a model on the Hub")
    group.add_argument("--gguf-file", metavar="NAME", help="the GGUF file in the folder that --model names")
    group.add_argument(
        "--pll", metavar="original|within-word", help="masked models: tokens masked together (default: original)"
    )
    group.add_argument(
        "--words",
        metavar="spaces|punctuation|contractions",
        help="n-gram models: how texts are split into words (default: punctuation)",
    )
    group.add_argument("--lower", action="store_true", default=None, help="n-gram models: lower-case the texts")
    group.add_argument("--base", metavar="e|2|10|any", help="scores from a file: base of the logarithm (default: e)")


def add_setting_options(parser: argparse.ArgumentParser) -> None:
    """Options for the preset, the method and single settings."""
    group = parser.add_argument_group("scores (docs/minimal_pairs_scores.md)")
    group.add_argument(
        "--preset",
        default="paper",
        metavar="paper|lm-eval|lm-eval-0.3|minicons",
        help="settings of the paper (default) or of a program; the options below override single settings",
    )
    group.add_argument(
        "--method",
        default="full",
        metavar="full|one-prefix|two-prefix",
        help="compare whole sentences (default), or a word after its prefix; a prefix method skips paradigms to which "
        "it does not apply",
    )
    group.add_argument("--bos", metavar="RULE|TOKEN", help="first token: auto, declared, eos, tokenizer, none, a token")
    group.add_argument("--eos", metavar="auto|TOKEN", help="last token, if it is scored")
    for name, does in (
        ("score-eos", "the end of a sentence is scored"),
        ("leading-space", "a space precedes a sentence"),
        ("score-first", "a first token without context must be scored; otherwise it is omitted"),
    ):
        group.add_argument(f"--{name}", action=argparse.BooleanOptionalAction, help=f"whether {does}")
    group.add_argument("--missing", metavar="refuse|score", help="how to treat words unknown to the model")
    group.add_argument("--reduction", metavar="sum|mean|bytes", help="sum, or mean over tokens or bytes")
    group.add_argument("--ties", metavar="wrong|right|half", help="how to count equal scores")


def choose_model(args: argparse.Namespace) -> ModelChoice:
    """The selected model and settings, before anything is loaded.

    Raises:
        InputError: a value is unknown, or an option belongs to another kind of model.
    """
    from dibimt_metric.errors import InputError
    from minimal_pairs.scoring.presets import preset

    kind, name = _kind_and_name(args)
    given = {option: value for option in _ONLY if (value := getattr(args, option)) is not None}
    for option in given:
        if kind not in _ONLY[option]:
            named = f"--{option.replace('_', '-')}"
            raise InputError(f"{named} belongs to models of kind {' or '.join(_ONLY[option])}, not {kind}; omit it")
    changes = {each: value for each in _SETTINGS if (value := getattr(args, each)) is not None}
    options = {_LOADER_NAMES.get(option, option): value for option, value in given.items()}
    return ModelChoice(kind, name, options, preset(args.preset, **changes))


def _kind_and_name(args: argparse.Namespace) -> tuple[str, str]:
    from dibimt_metric.errors import InputError, shown

    prefix, colon, rest = args.model.partition(":")
    named = prefix if colon and prefix in KINDS else None
    if args.kind is not None and args.kind not in KINDS:
        raise InputError(f"unknown kind {shown(args.kind)}: expected one of {', '.join(KINDS)}")
    if named is not None and args.kind not in (None, named):
        raise InputError(f"--model {args.model} is of kind {named}, but --kind is {args.kind}; give one of them")
    name = rest if named else args.model
    if not name:
        raise InputError(f"--model {args.model}: the name after the kind is missing; expected {prefix}:PATH_OR_NAME")
    return named or args.kind or CAUSAL, name


def load(chosen: ModelChoice) -> LanguageModel:
    """Load the model without messages of libraries.

    Raises:
        InputError: the model does not exist or cannot be used with these options.
        MissingLibraryError: a library is not installed.
    """
    from minimal_pairs.models.loading import load_model

    with silence():
        return load_model(chosen.name, chosen.kind, chosen.settings, **chosen.options)
