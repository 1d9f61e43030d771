"""Models of transformers: loading them from a folder, the Hub or a GGUF file, and naming them in signatures."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from dibimt_metric.errors import InputError, MissingLibraryError, shown

if TYPE_CHECKING:
    from ..scoring.presets import Preset

_Model = TypeVar("_Model", bound="PretrainedModel")

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
_LENGTHS = ("max_position_embeddings", "n_positions", "max_seq_len", "max_sequence_length", "n_ctx")
_WINDOWS = ("sliding_window", "window_size", "attention_chunk_size")


class PretrainedModel:
    """What the models of transformers have in common: how they are loaded and checked, and what their names begin with.

    Args:
        model: of transformers, in evaluation mode.
        tokenizer: the model's tokenizer.
        preset: the settings.
        name: name of the model, for signatures (what changes scores is appended); ``None``: that of its class.
        options: ``batch_tokens`` and those of `CHOICES`, to be checked.

    Attributes:
        KIND: key of `KINDS`.
        LOADING: options of `load_pretrained` that `from_path` accepts in addition to those of the class.
        CHOICES: options of the class with their allowed values.

    Raises:
        InputError: an option has a value that is not allowed.
    """

    KIND: ClassVar[str]
    LOADING: ClassVar[tuple[str, ...]] = ("device", "dtype", "revision")
    CHOICES: ClassVar[dict[str, tuple[str, ...]]]

    def __init__(self, model: Any, tokenizer: Any, preset: Preset, name: str | None = None, **options: Any) -> None:
        self._check(options)
        self._model = model
        self._tokenizer = tokenizer
        self._preset = preset
        self._given_name = name or type(model).__name__

    @classmethod
    def from_path(cls: type[_Model], name_or_path: str | os.PathLike[str], preset: Preset, **options: Any) -> _Model:
        """A model from a folder or from the Hub.

        Args:
            name_or_path: folder or name on the Hub; for causal models also a ``.gguf`` file.
            preset: the settings.
            options: those of the class, and those of `load_pretrained` named in `LOADING`.

        Raises:
            InputError: see the class; or the model cannot be loaded or is of another kind.
            MissingLibraryError: torch or transformers is not installed.
        """
        loading = {option: options.pop(option) for option in cls.LOADING if option in options}
        cls._check(options)  # before minutes of loading
        model, tokenizer, name = load_pretrained(name_or_path, cls.KIND, **loading)
        return cls(model, tokenizer, preset, name, **options)

    @classmethod
    def _check(cls, options: dict[str, Any]) -> None:
        tokens = options.get("batch_tokens")
        if tokens is not None and tokens < 1:
            raise InputError(f"batch_tokens {shown(tokens)}: expected at least 1")
        for option, allowed in cls.CHOICES.items():
            if option in options and options[option] not in allowed:
                raise InputError(f"unknown {option} {shown(options[option])}: expected one of {', '.join(allowed)}")

    def _signature(self, **settings: object) -> str:
        """The name of the model with everything that changes its scores."""
        dtype = str(self._model.dtype).removeprefix("torch.")
        weights = fingerprint(self._model, self._tokenizer)
        parts = {self.KIND: self._given_name, "weights": weights, "dtype": dtype, **settings}
        return "|".join(f"{key}:{value}" for key, value in parts.items())


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
        gguf_file: name of a GGUF file in the folder or on the Hub; its weights are converted to ``dtype``.

    Raises:
        InputError: there is no such model, it is of another kind, it lacks weights, or the device or dtype is unknown.
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
        torch.empty(1, device=place)  # a device can be well-formed but absent
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        raise InputError(f"device {shown(device)}: cannot be used: {_reason(error)}") from error
    return place


def _parts(name: str, gguf_file: str | None) -> tuple[str, str | None]:
    """Folder and file of a path to a GGUF file; else the name itself."""
    path = Path(name)
    if gguf_file is None and path.suffix == ".gguf":
        if not path.is_file():
            raise InputError(f"no such file: {name}")
        return str(path.parent), path.name
    return name, gguf_file


def _dtype(transformers: Any, value: Any) -> dict[str, Any]:
    """The argument for the precision, renamed in transformers 4.56."""
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


# What transformers would misinterpret, or report in its own terms


def _check_place(name: str, kind: str, gguf_file: str | None) -> None:
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
    """Reject a model of another kind: BERT could be loaded as a causal model, but would see both sides."""
    try:
        config = transformers.AutoConfig.from_pretrained(name, **options)
    except (OSError, ValueError, KeyError, ImportError):
        return  # reported when the model is loaded
    architectures = set(getattr(config, "architectures", None) or ())
    tables = {each: getattr(transformers.models.auto.modeling_auto, table) for each, (_, table) in KINDS.items()}
    right = [each for each, table in tables.items() if architectures & set(table.values())] or [
        each for each, table in tables.items() if config.model_type in table
    ]
    if right and kind not in right:
        what = ", ".join(sorted(architectures)) or config.model_type
        raise InputError(
            f"{name}: not of kind {kind}, but {' and '.join(right)} ({what}); load it as kind {right[0]!r} "
            f"(--kind {right[0]})"
        )


def _check_weights(name: str, kind: str, report: dict[str, Any]) -> None:
    missing = sorted(report["missing_keys"])
    if missing:
        raise InputError(
            f"{name}: lacks weights for {', '.join(missing[:3])}{' ...' * (len(missing) > 3)}, which would be random; "
            f"it was not trained as a model of kind {kind!r}"
        )


# Properties of a loaded model


def fingerprint(model: Any, tokenizer: Any) -> str:
    """Twelve hexadecimal digits that change with the weights and with the vocabulary.

    It covers the name, shape, precision and 64 evenly spaced numbers of each tensor, so that it is fast for large
    models; training changes numbers everywhere.
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
    """How many tokens a model can take; ``None``: not declared."""
    lengths = _numbers(model.config, _LENGTHS)
    declared = getattr(tokenizer, "model_max_length", None)
    if not lengths and declared and declared < 1_000_000_000:  # a larger number means "unknown" there
        return int(declared)
    return lengths[0] if lengths else None


def position_limit(model: Any) -> int | None:
    """How many tokens a text may have, including those that the tokenizer adds; ``None``: any number.

    RoBERTa and its successors number positions from the id of the padding token + 1, so that their table of 514
    positions serves 512 tokens.
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
