"""Causal models from a folder, from the Hub or from a GGUF file, and names that say which one it was."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

from dibimt_metric.errors import InputError
from dibimt_metric.errors import MissingLibraryError
from dibimt_metric.errors import shown

DTYPES = ("float32", "bfloat16", "float16", "float64")
"""Precisions of weights and activations."""

_LENGTHS = ("max_position_embeddings", "n_positions", "max_seq_len", "max_sequence_length", "n_ctx")
_WINDOWS = ("sliding_window", "window_size", "attention_chunk_size")


def load_causal(
    name_or_path: str | os.PathLike[str],
    device: str = "cpu",
    dtype: str = "float32",
    revision: str | None = None,
    gguf_file: str | None = None,
) -> tuple[Any, Any, str]:
    """A model, its tokenizer and its name for signatures.

    Args:
        name_or_path: folder of transformers, name on the Hub, or a ``.gguf`` file.
        device: of torch, such as ``cuda:0``.
        dtype: one of `DTYPES`.
        revision: branch, tag or commit on the Hub.
        gguf_file: name of a GGUF file in the folder or on the Hub; its weights are computed out to ``dtype``.

    Raises:
        InputError: there is no such model, it lacks weights, or device or dtype do not exist.
        MissingLibraryError: torch or transformers is not installed, or for GGUF files gguf or accelerate.
    """
    torch, transformers = _libraries()
    if dtype not in DTYPES:
        raise InputError(f"unknown dtype {shown(dtype)}: expected one of {', '.join(DTYPES)}")
    place = _device(torch, device)
    name, gguf_file = _parts(os.fspath(name_or_path), gguf_file)
    options = {key: value for key, value in (("revision", revision), ("gguf_file", gguf_file)) if value}
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(name, **options)
        model, report = transformers.AutoModelForCausalLM.from_pretrained(
            name, **options, **_dtype(transformers, getattr(torch, dtype)), output_loading_info=True
        )
    except ImportError as error:
        raise MissingLibraryError(
            f"{name}: {_first_line(error)} (pip install 'dibimt[lm]' gguf accelerate)"
        ) from error
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise InputError(
            f"{name}: no causal model could be loaded from there: {_first_line(error)}"
        ) from error
    _check_weights(name, report)
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
        raise InputError(f"device {shown(device)}: cannot be used: {_first_line(error)}") from error
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


def _check_weights(name: str, report: dict[str, Any]) -> None:
    missing = sorted(report["missing_keys"])
    if missing:
        raise InputError(
            f"{name}: has no weights for {', '.join(missing[:3])}{' ...' * (len(missing) > 3)}, which would be random; "
            "it was not trained as a causal model"
        )


def _first_line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__


def fingerprint(model: Any, tokenizer: Any) -> str:
    """Twelve hexadecimal digits that change with the weights and with the vocabulary.

    Of each tensor its name, shape and 64 numbers at equal distances are taken, so that large models are read in no
    time; training changes numbers everywhere. The precision is part of it.

    Args:
        model: of transformers.
        tokenizer: likewise.
    """
    import torch

    digest = hashlib.sha256()
    for name, tensor in sorted(model.state_dict().items()):
        flat = tensor.detach().reshape(-1)
        step = max(1, flat.numel() // 64)
        numbers = flat[::step][:64].to("cpu", torch.float64)
        digest.update(f"{name} {tuple(tensor.shape)} {tensor.dtype}".encode())
        digest.update(numbers.numpy().tobytes())
    for token, number in sorted(tokenizer.get_vocab().items()):
        digest.update(f"{token} {number}\n".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:12]


def context_length(model: Any, tokenizer: Any) -> int | None:
    """How many tokens a model can take; ``None``: it does not say."""
    lengths = _numbers(model.config, _LENGTHS)
    declared = getattr(tokenizer, "model_max_length", None)
    if not lengths and declared and declared < 1_000_000_000:  # a larger number means "unknown" there
        return int(declared)
    return lengths[0] if lengths else None


def attention_window(model: Any) -> int | None:
    """Distance up to which every layer sees everything; ``None``: any distance."""
    return min(_numbers(model.config, _WINDOWS), default=None)


def _numbers(config: Any, names: tuple[str, ...]) -> list[int]:
    text = config.get_text_config() if hasattr(config, "get_text_config") else config
    values = (getattr(text, name, None) for name in names)
    return [value for value in values if isinstance(value, int) and value > 0]
