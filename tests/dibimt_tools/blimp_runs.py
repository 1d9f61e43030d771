"""Small data, small models and finished runs for the tests of the ``blimp`` commands."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from minimal_pairs.records import Pair, TextScore
from minimal_pairs.scoring.run import Run, score_pairs

# Good and bad sentences of two paradigms of BLiMP, which are all of their phenomenon, and of one that is not of it.
ROWS: tuple[dict[str, Any], ...] = (
    *(
        {
            "sentence_good": f"Ann has {number} old cups and Ben has more.",
            "sentence_bad": f"Ann has {number} cups and Ben has more old.",
            "UID": f"ellipsis_n_bar_{part}",
            "field": "syntax",
            "linguistics_term": "ellipsis",
            "pairID": str(place),
        }
        for part in (1, 2)
        for place, number in enumerate(("two", "three", "four"))
    ),
    *(
        {
            "sentence_good": f"{name} sees herself.",
            "sentence_bad": f"{name} sees himself.",
            "UID": "anaphor_gender_agreement",
            "field": "morphology",
            "linguistics_term": "anaphor_agreement",
            "pairID": str(place),
            "one_prefix_prefix": f"{name} sees",
            "one_prefix_word_good": "herself",
            "one_prefix_word_bad": "himself",
        }
        for place, name in enumerate(("Ann", "Zoe"))
    ),
)


def write_rows(path: Path, rows: Iterable[object] = ROWS) -> Path:
    """A file of pairs."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


class Fixed:
    """A model whose scores follow from the text: shorter is better, and some words are preferred."""

    def __init__(self, name: str = "fixed", liked: str = "herself", unscored: str = "none") -> None:
        self.name = name
        self._liked, self._unscored = liked, unscored

    def score(self, requests: Sequence[Any]) -> list[TextScore]:
        """Three for each word, less for liked ones; ties where both sentences have the same words."""
        return [self._score(request.text) for request in requests]

    def _score(self, text: str) -> TextScore:
        words = text.rstrip(".").split()
        if self._unscored in words:
            return TextScore(None, 0, len(text), "too_long")
        return TextScore(-3.0 * len(words) + sum(word in self._liked for word in words), len(words), len(text))


def pairs(rows: Iterable[dict[str, Any]] = ROWS) -> tuple[Pair, ...]:
    """The rows as pairs."""
    phenomena = {"ellipsis": "ellipsis", "anaphor_agreement": "anaphor_agreement"}
    return tuple(
        Pair(
            sentence_good=row["sentence_good"],
            sentence_bad=row["sentence_bad"],
            UID=row["UID"],
            pairID=row["pairID"],
            pair_id=int(row["pairID"]),
            paradigm=row["UID"],
            phenomenon=phenomena.get(row["linguistics_term"]),
            field=row["field"],
        )
        for row in rows
    )


def finished(**options: Any) -> Run:
    """A run of `Fixed` on `ROWS`: all of ellipsis are ties, anaphors are right."""
    return score_pairs(pairs(), Fixed(), **options)


def save_tiny_model(folder: Path, *, boundary: str | None = "<|endoftext|>", positions: int = 64) -> Path:
    """A causal model of random weights with a tokenizer of bytes, as a folder; skips where there is no library."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    tokenizers = pytest.importorskip("tokenizers")
    letters = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
    names = [*letters, *([boundary] if boundary else ["<pad>"])]
    raw = tokenizers.Tokenizer(
        tokenizers.models.BPE(vocab={name: place for place, name in enumerate(names)}, merges=[])
    )
    raw.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    raw.decoder = tokenizers.decoders.ByteLevel()
    ends = {"bos_token": boundary, "eos_token": boundary} if boundary else {"pad_token": "<pad>"}
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=raw, **ends)
    torch.manual_seed(0)
    size = {"n_positions": positions, "n_embd": 16, "n_layer": 2, "n_head": 2}
    ids = dict.fromkeys(("bos_token_id", "eos_token_id"), len(letters) if boundary else None)
    config = transformers.GPT2Config(vocab_size=len(names), initializer_range=0.6, **size, **ids)
    transformers.GPT2LMHeadModel(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
