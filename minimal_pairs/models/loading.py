"""Loading models of all kinds."""

from __future__ import annotations

import importlib
import inspect
import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, cast

from dibimt_metric.errors import InputError, shown

from ..records import LanguageModel

if TYPE_CHECKING:
    from ..scoring.presets import Preset

KINDS = {
    "causal": ("causal", "CausalModel"),
    "masked": ("masked", "MaskedModel"),
    "encoder-decoder": ("encoder_decoder", "EncoderDecoderModel"),
    "ngram": ("ngram", "NgramModel"),
    "scores": ("precomputed", "PrecomputedScores"),
}
"""Kinds of models -> module and class; each class has ``from_path``, whose options are those of the kind."""


def load_model(model: Any, kind: str = "causal", preset: Preset | None = None, **options: Any) -> LanguageModel:
    """A model that scores texts.

    Args:
        model: folder, file or name on the Hub; or a pair of a causal model of transformers and its tokenizer; or
            anything with ``score`` and ``name``, which is returned unchanged.
        kind: one of `KINDS`.
        preset: the settings; ``None``: those of the paper.
        options: such as ``device="cuda"``, ``dtype="bfloat16"``, ``revision``, ``gguf_file``, ``batch_tokens``: see
            ``from_path`` of the kind's class. ``None`` means the default.

    Raises:
        InputError: an unknown kind, an option that the kind does not have, or the model cannot be loaded.
        MissingLibraryError: the kind needs a library that is not installed.

    >>> class Mine:
    ...     name = "mine"
    ...     def score(self, requests):
    ...         return []
    >>> load_model(Mine()).name
    'mine'
    """
    from ..scoring.presets import PRESETS

    if kind not in KINDS:
        raise InputError(f"unknown kind of model {shown(kind)}: expected one of {', '.join(KINDS)}")
    given = {name: value for name, value in options.items() if value is not None}
    preset = preset or PRESETS["paper"]
    if isinstance(model, str | os.PathLike):
        made = _class(kind)
        _check_options(kind, given, _loading_options(made))
        return cast(LanguageModel, made.from_path(model, preset, **given))
    if isinstance(model, tuple) and len(model) == 2 and kind == "causal":
        made = _class(kind)
        _check_options(kind, given, _keywords(made))
        return cast(LanguageModel, made(*model, preset, **given))
    if callable(getattr(model, "score", None)) and isinstance(getattr(model, "name", None), str):
        return cast(LanguageModel, model)
    raise InputError(
        f"{shown(model)} is not a model: expected a folder, a file or a name on the Hub; (model, tokenizer) of a "
        "causal model; or an object with 'score' and 'name'"
    )


def _class(kind: str) -> Any:
    module, name = KINDS[kind]
    return getattr(importlib.import_module(f"minimal_pairs.models.{module}"), name)


def _loading_options(made: Any) -> list[str]:
    loading = getattr(made, "LOADING", None)
    return _keywords(made.from_path) if loading is None else [*loading, *_keywords(made)]


def _keywords(function: Any) -> list[str]:
    parameters = inspect.signature(function).parameters.values()
    return [parameter.name for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY]


def _check_options(kind: str, given: Iterable[str], known: Sequence[str]) -> None:
    if unknown := [name for name in given if name not in known]:
        raise InputError(
            f"models of kind {kind!r} have no option {', '.join(unknown)}: expected some of {', '.join(known)}"
        )
