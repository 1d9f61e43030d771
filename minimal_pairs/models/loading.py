"""One way to all kinds of models."""

from __future__ import annotations

import importlib
import inspect
import os
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
"""Kinds of models -> module and class; each class has ``from_path``, whose keywords are the kind's options."""


def load_model(
    model: Any,
    kind: str = "causal",
    preset: Preset | None = None,
    **options: Any,
) -> LanguageModel:
    """A model that scores texts.

    Args:
        model: folder, file or name on the Hub; or a pair of a causal model of transformers and its tokenizer; or
            anything with ``score`` and ``name``, which is given back as it is.
        kind: one of `KINDS`.
        preset: the settings; ``None``: those of the paper.
        options: such as ``device="cuda"``, ``dtype="bfloat16"``, ``revision``, ``gguf_file``, ``batch_tokens``: see
            ``from_path`` of the kind's class. ``None`` leaves an option as it is.

    Raises:
        InputError: an unknown kind, an option that the kind does not have, or whatever else stands in the way.
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
        loader = _class(kind).from_path
        return cast(LanguageModel, loader(model, preset, **_known(loader, kind, given)))
    if isinstance(model, tuple) and len(model) == 2 and kind == "causal":
        made = _class(kind)
        return cast(LanguageModel, made(*model, preset, **_known(made, kind, given)))
    if callable(getattr(model, "score", None)) and isinstance(getattr(model, "name", None), str):
        return cast(LanguageModel, model)
    raise InputError(
        f"{shown(model)} is no model: expected a folder, a file or a name on the Hub; (model, tokenizer) of a causal "
        "model; or an object with 'score' and 'name'"
    )


def _class(kind: str) -> Any:
    module, name = KINDS[kind]
    return getattr(importlib.import_module(f"minimal_pairs.models.{module}"), name)


def _known(function: Any, kind: str, options: dict[str, Any]) -> dict[str, Any]:
    """The options, if the function has them all."""
    parameters = inspect.signature(function).parameters.values()
    names = [parameter.name for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY]
    unknown = [name for name in options if name not in names]
    if unknown:
        raise InputError(
            f"models of kind {kind!r} have no option {', '.join(unknown)}: expected some of {', '.join(names)}"
        )
    return options
