"""Loading of masked and encoder-decoder models with transformers."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from dibimt_metric.errors import InputError
from dibimt_metric.errors import MissingLibraryError
from dibimt_metric.errors import shown

DTYPES = ("float32", "bfloat16", "float16")
"""Precisions of weights and activations."""


def load(
    name_or_path: str | os.PathLike[str], auto: str, device: str, dtype: str, revision: str | None
) -> tuple[Any, Any, str]:
    """A model, its tokenizer and its name for signatures.

    Args:
        name_or_path: folder or name on the Hub.
        auto: class of transformers, such as ``AutoModelForMaskedLM``.
        device: of torch.
        dtype: one of `DTYPES`.
        revision: on the Hub.

    Raises:
        InputError: there is no such model, it is of another kind, lacks weights, or device or dtype do not exist.
        MissingLibraryError: torch or transformers is not installed.
    """
    try:
        import torch
        import transformers
    except ImportError as error:
        raise MissingLibraryError(
            f"language models need torch and transformers ({error}); install them with: pip install 'dibimt[lm]'"
        ) from error
    if dtype not in DTYPES:
        raise InputError(f"unknown dtype {shown(dtype)}: expected one of {', '.join(DTYPES)}")
    name = os.fspath(name_or_path)
    options = {"revision": revision} if revision else {}
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(name, **options)
        model, report = getattr(transformers, auto).from_pretrained(name, **options, output_loading_info=True)
    except ImportError as error:
        raise MissingLibraryError(f"{name}: {_first_line(error)} (pip install 'dibimt[lm]')") from error
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise InputError(
            f"{name}: no model of the kind {auto} could be loaded: {_first_line(error)}"
        ) from error
    missing = sorted(report["missing_keys"])
    if missing:
        raise InputError(
            f"{name}: has no weights for {', '.join(missing[:3])}{' ...' * (len(missing) > 3)}, which would be random; "
            f"this model was not trained as {auto} expects"
        )
    try:
        model = model.to(device, getattr(torch, dtype))
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        raise InputError(f"device {shown(device)}: cannot be used: {_first_line(error)}") from error
    return model.eval(), tokenizer, _called(name, revision, model)


def _first_line(error: BaseException) -> str:
    lines = [line for line in str(error).splitlines() if line.strip()]
    return lines[0].strip() if lines else type(error).__name__


def _called(name: str, revision: str | None, model: Any) -> str:
    """Name on the Hub with its commit, or name of the folder."""
    if Path(name).exists():
        return Path(name).resolve().name
    commit = getattr(model.config, "_commit_hash", None) or revision
    return f"{name}@{commit}" if commit else name


def position_limit(model: Any) -> int | None:
    """How many tokens a text may have, those of the tokenizer included; ``None``: any number.

    Models after RoBERTa count positions from behind the number of the padding token, so the table of 514 that they
    declare serves 512 tokens.
    """
    for name, module in model.named_modules():
        padding = getattr(module, "padding_idx", None)
        if name.endswith(".position_embeddings") and padding is not None:
            return int(module.num_embeddings) - int(padding) - 1
    limit = getattr(model.config, "max_position_embeddings", None)
    return None if limit is None else int(limit)
