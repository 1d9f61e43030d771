"""Models of transformers from a folder, from the Hub or from a GGUF file, and names that say which one it was."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dibimt_metric.errors import InputError, MissingLibraryError, shown

DTYPES = ("float32", "bfloat16", "float16", "float64")
"""Precisions of weights and activations."""

KINDS = {
    "causal": ("AutoModelForCausalLM", "MODEL_FOR_CAUSAL_LM_MAPPING_NAMES"),
    "masked": ("AutoModelForMaskedLM", "MODEL_FOR_MASKED_LM_MAPPING_NAMES"),
    "encoder-decoder": ("AutoModelForSeq2SeqLM", "MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES"),
}
"""Kinds of models -> the class of transformers that loads them, and its table of model types and architectures."""

_HUB_NAME = re.compile(r"[\w.-]+(/[\w.-]+)?")
_REASON = 400  # Characters of a message of transformers: some list every model type there is.


def load_pretrained(
    name_or_path: str | os.PathLike[str],
    kind: str,
    device: str = "cpu",
    dtype: str = "float32",
    revision: str | None = None,
    gguf_file: str | None = None,
) -> tuple[Any, Any, str]:
    """A model, its tokenizer and its name for signatures.

    Args:
        name_or_path: folder of transformers, name on the Hub, or a ``.gguf`` file.
        kind: one of `KINDS`.
        device: of torch, such as ``cuda:0``.
        dtype: one of `DTYPES`.
        revision: branch, tag or commit on the Hub.
        gguf_file: name of a GGUF file in the folder or on the Hub; its weights are computed out to ``dtype``.

    Raises:
        InputError: there is no such model, it is of another kind, it lacks weights, or device or dtype do not exist.
        MissingLibraryError: torch or transformers is not installed, or for GGUF files gguf or accelerate.
    """
    torch, transformers = _libraries()
    if dtype not in DTYPES:
        raise InputError(f"unknown dtype {shown(dtype)}: expected one of {', '.join(DTYPES)}")
    place = _device(torch, device)
    name, gguf_file = _parts(os.fspath(name_or_path), gguf_file)
    options = {key: value for key, value in (("revision", revision), ("gguf_file", gguf_file)) if value}
    _check_place(name, kind, gguf_file)
    if gguf_file is None:
        _check_kind(transformers, name, kind, options)
    tokenizer = _guarded(transformers.AutoTokenizer.from_pretrained, name, kind, options)
    options |= _dtype(transformers, getattr(torch, dtype)) | {"output_loading_info": True}
    model, report = _guarded(getattr(transformers, KINDS[kind][0]).from_pretrained, name, kind, options)
    _check_weights(name, kind, report)
    shown_name = Path(name).resolve().name if Path(name).exists() else name
    commit = getattr(model.config, "_commit_hash", None) or revision
    parts = (f"{shown_name}@{commit}" if commit else shown_name, gguf_file)
    return model.to(place).eval(), tokenizer, "/".join(part for part in parts if part)


def _libraries() -> tuple[Any, Any]:
    try:
        import torch
        import transformers
    except ImportError as error:
        raise MissingLibraryError(
            f"language models need torch and transformers ({error}); install them with: pip install 'dibimt[lm]'"
        ) from error
    return torch, transformers


def _device(torch: Any, device: str) -> Any:
    try:
        place = torch.device(device)
        torch.empty(1, device=place)  # a device can be well-formed and absent
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        raise InputError(f"device {shown(device)}: cannot be used: {_reason(error)}") from error
    return place


def _parts(name: str, gguf_file: str | None) -> tuple[str, str | None]:
    """Folder and file of a path that leads to a GGUF file."""
    path = Path(name)
    if gguf_file is None and path.suffix == ".gguf":
        if not path.is_file():
            raise InputError(f"no such file: {name}")
        return str(path.parent), path.name
    return name, gguf_file


def _dtype(transformers: Any, value: Any) -> dict[str, Any]:
    """The argument for the precision, which has another name since 4.56."""
    major, minor = (int(part) for part in transformers.__version__.split(".")[:2])
    return {"dtype" if (major, minor) >= (4, 56) else "torch_dtype": value}


def _guarded(load: Callable[..., Any], name: str, kind: str, options: dict[str, Any]) -> Any:
    try:
        return load(name, **options)
    except ImportError as error:
        more = " gguf accelerate" if "gguf_file" in options else ""
        raise MissingLibraryError(f"{name}: {_reason(error)} (pip install 'dibimt[lm]'{more})") from error
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise InputError(f"{_none(name, kind)}: {_reason(error)}") from error


def _none(name: str, kind: str) -> str:
    return f"{name}: no {kind} model could be loaded from there"


def _reason(error: BaseException) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return text if len(text) <= _REASON else f"{text[:_REASON]} ..."


# What transformers would take for something else, or say in its own terms


def _check_place(name: str, kind: str, gguf_file: str | None) -> None:
    """Whether a model can be there at all."""
    path = Path(name)
    problem = None
    if path.is_file():
        problem = "it is a file; expected a folder that save_pretrained wrote, or a .gguf file"
    elif path.is_dir() and gguf_file is None:
        files = {each.name for each in path.iterdir()}
        if not files & {"config.json", "adapter_config.json"}:
            inside = sorted(each for each in files if each.endswith(".gguf"))
            advice = f"name the file, such as {path / inside[0]}" if inside else "name the model's folder"
            problem = f"the folder has no config.json, which save_pretrained writes; {advice}"
    elif not path.exists() and not _HUB_NAME.fullmatch(name):
        problem = "there is no such folder; check the path, or give a name on the Hub"
    if problem:
        raise InputError(f"{_none(name, kind)}: {problem}")


def _check_kind(transformers: Any, name: str, kind: str, options: dict[str, Any]) -> None:
    """Refuse a model that its configuration says is of another kind.

    Some could be loaded all the same, BERT as a causal model with both sides in sight.
    """
    try:
        config = transformers.AutoConfig.from_pretrained(name, **options)
    except (OSError, ValueError, KeyError, ImportError):
        return  # what is wrong is said when the model is loaded
    architectures = set(getattr(config, "architectures", None) or ())
    tables = {
        each: getattr(transformers.models.auto.modeling_auto, table) for each, (_, table) in KINDS.items()
    }
    right = [each for each, table in tables.items() if architectures & set(table.values())] or [
        each for each, table in tables.items() if config.model_type in table
    ]
    if right and kind not in right:
        what = ", ".join(sorted(architectures)) or config.model_type
        raise InputError(
            f"{name}: is no {kind} model but {' and '.join(right)} ({what}); load it as kind {right[0]!r} "
            f"(--kind {right[0]})"
        )


def _check_weights(name: str, kind: str, report: dict[str, Any]) -> None:
    missing = sorted(report["missing_keys"])
    if missing:
        raise InputError(
            f"{name}: has no weights for {', '.join(missing[:3])}{' ...' * (len(missing) > 3)}, which would be random; "
            f"it was not trained as a model of kind {kind!r}"
        )
