"""Tiny causal models with random weights, tokenizers trained on a few sentences, and the slow way to a score."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from minimal_pairs.records import Request

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
tokenizers = pytest.importorskip("tokenizers")

SENTENCES = (
    "The old lamp on the shelf flickers.",
    "The old lamp on the shelf flicker.",
    "The old lamps on the shelf flicker.",
    "The old lamps on the shelf flickers.",
    "The old",
    "Who did Nadia greet after the concert?",
    "Who did Nadia greet Omar after the concert?",
    "Who did Nadia greet after the concert? Nobody greeted Omar, and the old lamps flickered on and on.",
    "Omar admires himself.",
    "Omar admires herself.",
    "Omar admires himself.",
    "Lamps!",
    "Zwölf Boxkämpfer jagen Viktor quer über den Sylter Deich.",
)
START = "<|begin|>"
END = "<|stop|>"
TURN = "<|im_start|>"
BETWEEN = "<|endoftext|>"


def bytes_tokenizer(**specials: str) -> Any:
    """A byte-level BPE as of GPT-2: blanks belong to the tokens behind them. By default ``START`` and ``END``."""
    specials = specials or {"bos_token": START, "eos_token": END}
    made = tokenizers.Tokenizer(tokenizers.models.BPE())
    made.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = tokenizers.decoders.ByteLevel()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=330,
        special_tokens=[START, END, TURN, BETWEEN],
        initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    made.train_from_iterator(SENTENCES[:-1], trainer)
    return transformers.PreTrainedTokenizerFast(tokenizer_object=made, **specials)


def pieces_tokenizer(adds_start: bool = True) -> Any:
    """A BPE over ``▁`` for blanks, as of Llama, which puts ``START`` before every text on its own."""
    made = tokenizers.Tokenizer(tokenizers.models.BPE(unk_token="<unk>"))
    made.pre_tokenizer = tokenizers.pre_tokenizers.Metaspace()
    made.decoder = tokenizers.decoders.Metaspace()
    trainer = tokenizers.trainers.BpeTrainer(vocab_size=120, special_tokens=["<unk>", START, END], show_progress=False)
    made.train_from_iterator(SENTENCES[:-1], trainer)
    if adds_start:
        made.post_processor = tokenizers.processors.TemplateProcessing(
            single=f"{START} $A", special_tokens=[(START, made.token_to_id(START))]
        )
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, bos_token=START, eos_token=END, unk_token="<unk>"
    )


def words_tokenizer(**specials: str) -> Any:
    """One token for each word of the sentences (but the last, German, one), one for all others, no first token."""
    words = sorted({word for text in SENTENCES[:-1] for word in text.replace(".", " .").split()})
    made = tokenizers.Tokenizer(
        tokenizers.models.WordLevel({word: i for i, word in enumerate(["<unk>", *words])}, unk_token="<unk>")
    )
    made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    return transformers.PreTrainedTokenizerFast(tokenizer_object=made, unk_token="<unk>", **specials)


_SMALL = {"hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 4, "initializer_range": 0.4}
_ROPE = {**_SMALL, "intermediate_size": 40, "num_key_value_heads": 2, "max_position_embeddings": 64}

# Name -> configuration class and its values. The wide initial weights make every position and every layer matter.
ARCHITECTURES: dict[str, tuple[str, dict[str, Any]]] = {
    "gpt2": ("GPT2Config", {"n_embd": 24, "n_layer": 2, "n_head": 4, "n_positions": 64, "initializer_range": 0.4}),
    "llama": ("LlamaConfig", _ROPE),
    "neox": ("GPTNeoXConfig", {**_SMALL, "intermediate_size": 40, "max_position_embeddings": 64}),
    "opt": ("OPTConfig", {
        "hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 4, "ffn_dim": 40, "word_embed_proj_dim": 24,
        "max_position_embeddings": 64, "init_std": 0.4, "pad_token_id": 1,
    }),
    "mistral": ("MistralConfig", {**_ROPE, "sliding_window": 16}),
    "gemma2": ("Gemma2Config", {**_ROPE, "head_dim": 6, "sliding_window": 16, "final_logit_softcapping": 3.0}),
    "cohere": ("CohereConfig", {**_ROPE, "logit_scale": 0.25}),
    "granite": ("GraniteConfig", {**_ROPE, "logits_scaling": 3.0}),
    "phi": ("PhiConfig", {**_ROPE, "hidden_size": 32}),
    "gptneo": ("GPTNeoConfig", {
        "hidden_size": 24, "num_layers": 2, "num_heads": 4, "attention_types": [[["global", "local"], 1]],
        "window_size": 24, "max_position_embeddings": 64, "initializer_range": 0.4,
    }),
    "bloom": ("BloomConfig", {"hidden_size": 24, "n_layer": 2, "n_head": 4, "initializer_range": 0.4}),
    "mamba": ("MambaConfig", {"hidden_size": 24, "num_hidden_layers": 2, "state_size": 4, "initializer_range": 0.4}),
}  # fmt: skip


def model_of(name: str, vocabulary: int, seed: int = 0, **changes: Any) -> Any:
    """A model of one of the architectures."""
    kind, values = ARCHITECTURES[name]
    torch.manual_seed(seed)
    values = {"pad_token_id": 0, **values, **changes}
    config = getattr(transformers, kind)(vocab_size=vocabulary, bos_token_id=0, eos_token_id=1, **values)
    return transformers.AutoModelForCausalLM.from_config(config).eval()


class Oracle:
    """The slow way: each beginning of a text anew, alone, and a table of all log-probabilities behind it."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self._tables: dict[tuple[int, ...], Any] = {}

    def __call__(self, ids: list[int], counts: Callable[[int], bool] = lambda _: True) -> float:
        """Sum over the tokens that count, by their places in ``ids`` (the first never does)."""
        return math.fsum(self._logprob(ids, i) for i in range(1, len(ids)) if counts(i))

    def _logprob(self, ids: list[int], i: int) -> float:
        before = tuple(ids[:i])
        if before not in self._tables:
            with torch.no_grad():
                logits = self._model(input_ids=torch.tensor([before])).logits[0, -1]
            self._tables[before] = logits.double().log_softmax(-1)
        return float(self._tables[before][ids[i]])


REQUESTS = tuple(Request(sentence) for sentence in SENTENCES)
