"""What is read off a loaded model: a fingerprint of its weights, and how far it can read."""

from __future__ import annotations

import hashlib
from typing import Any

_LENGTHS = ("max_position_embeddings", "n_positions", "max_seq_len", "max_sequence_length", "n_ctx")
_WINDOWS = ("sliding_window", "window_size", "attention_chunk_size")


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


def attention_window(model: Any) -> int | None:
    """Distance up to which every layer sees everything; ``None``: any distance."""
    return min(_numbers(model.config, _WINDOWS), default=None)


def _numbers(config: Any, names: tuple[str, ...]) -> list[int]:
    text = config.get_text_config() if hasattr(config, "get_text_config") else config
    values = (getattr(text, name, None) for name in names)
    return [value for value in values if isinstance(value, int) and value > 0]
