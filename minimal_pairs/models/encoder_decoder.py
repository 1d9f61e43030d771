"""Encoder-decoder models: what the score of a sentence is, when half of the model waits for another text.

The decoder is a causal model given what the encoder has read. With source x and target y, both tokens,

    score = sum over t of ln p(y_t | y_1 ... y_(t-1), x)

Four choices of x and y make four different measures; none is the model's "own" probability of a sentence:

``empty`` (default)
    x is an empty text as the tokenizer encodes it (T5: ``</s>``; BART: ``<s></s>``), y the sentence. With the end token
    scored it is a probability distribution over sentences, and so the one to compare with causal models. A model
    that was trained to answer a source (translation, T5's filling of gaps) has rarely or never seen an empty one.
``prefix``
    x is the text before the part that counts, y is that part: for the prefix methods. Whole sentences have nothing
    before them, and get the same score as with ``empty``.
``copy``
    x is the sentence itself: how well the model repeats it. A model that was trained to restore texts (BART) may do
    that well with any sentence, good or bad.
``infill``
    Each word is taken out of x and asked for in turn, as T5 was trained: x holds ``<extra_id_0>`` in its place, y is
    ``<extra_id_0>`` word ``<extra_id_1>``. The sum is a pseudo-log-likelihood, as of masked models, word by word. Only
    for models with these tokens.

The decoder begins with the model's own start token, which is never scored, nor are other tokens that the tokenizer puts
before a text (BART's ``<s>``).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from dibimt_metric.errors import InputError, shown

from ..records import Request, TextScore
from .masked_rows import LOGITS, OutputRows, as_inputs, batches, check_batch, log_probabilities
from .masked_text import Text, check_tokenizer, positions_of, score_blocks, tokenize, total
from .pretrained import load_pretrained
from .properties import fingerprint, position_limit
from .tokens import first_token, last_token

if TYPE_CHECKING:
    from ..scoring.presets import Preset

SOURCES = ("empty", "prefix", "copy", "infill")
"""What the encoder reads, and with it what the decoder has to say; see above."""

_GAPS = ("<extra_id_0>", "<extra_id_1>")


class _Task(NamedTuple):
    """What the model computes once.

    Attributes:
        source: what the encoder reads. target: what the decoder has to say, behind its start token.
        counted: positions of the target that count.
    """

    source: tuple[int, ...]
    target: tuple[int, ...]
    counted: tuple[int, ...]


_Answers = dict[_Task, list[float]]
"""Log-probabilities of the tokens that count."""


class EncoderDecoderModel:
    """An encoder-decoder model; see `minimal_pairs.records.LanguageModel`.

    Of the settings, ``bos`` says what stands between the decoder's start token and the text: ``none``: nothing; the
    other rules: what the tokenizer puts before a text, if anything; else that token. ``score_eos`` scores the end
    token, and so does ``tokenizer`` as ``bos``. With ``infill`` there is nothing before a word, and the end of a word
    (``<extra_id_1>``) counts where the end of a text does. ``score_first`` does not apply, because the start token
    precedes every text. ``leading_space`` and ``missing`` apply as they do to causal models.

    Args:
        model: of transformers, with an output layer over its vocabulary, in evaluation mode.
        tokenizer: its tokenizer, a fast one.
        preset: the settings.
        name: of the model, for signatures; what else changes scores is appended.
        source: one of `SOURCES`.
        batch_tokens: how many tokens are computed at once, those of the sources included; ``None``: `BATCH_TOKENS`.

    Attributes:
        name: see `LanguageModel.name`.

    Raises:
        InputError: an unknown source, no fast tokenizer, or no start token, end token or tokens for gaps where they are
            needed.
    """

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        preset: Preset,
        name: str | None = None,
        *,
        source: str = "empty",
        batch_tokens: int | None = None,
    ) -> None:
        name = name or type(model).__name__
        if source not in SOURCES:
            raise InputError(f"unknown source {shown(source)}: expected one of {', '.join(SOURCES)}")
        check_tokenizer(tokenizer, name)
        self._model = model
        self._tokenizer = tokenizer
        self._preset = preset
        self._source = source
        self._start = _start_token(model, name)
        self._before = self._before_text(name)
        ends = preset.score_eos or preset.bos == "tokenizer"
        self._end = last_token(tokenizer, preset.eos, name) if ends else None
        self._gaps = _gap_tokens(tokenizer, name) if source == "infill" else (0, 0)
        self._empty = self._empty_source(name)
        self._limit = position_limit(model)
        probe = [_Task(self._empty, (self._start,) * 3, ()), _Task(self._empty, (self._start, 0, 0), ())]
        self._rows = OutputRows(model, model.get_decoder(), self._inputs(probe))
        self._batch_tokens = min(check_batch(batch_tokens), max(1, LOGITS // self._rows.vocabulary))
        self.name = f"encoder-decoder:{name}|weights:{fingerprint(model, tokenizer)}|{self._settings()}"

    @classmethod
    def from_path(
        cls,
        name_or_path: str | os.PathLike[str],
        preset: Preset,
        *,
        source: str = "empty",
        device: str = "cpu",
        dtype: str = "float32",
        revision: str | None = None,
        batch_tokens: int | None = None,
    ) -> EncoderDecoderModel:
        """A model from a folder or from the Hub.

        Args:
            name_or_path: folder or name.
            preset: the settings.
            source: one of `SOURCES`.
            device: of torch, such as ``cuda:0``.
            dtype: one of `minimal_pairs.models.pretrained.DTYPES`.
            revision: on the Hub.
            batch_tokens: see the class.

        Raises:
            InputError: it cannot be loaded, or is no encoder-decoder model.
            MissingLibraryError: torch or transformers is not installed.
        """
        model, tokenizer, name = load_pretrained(name_or_path, "encoder-decoder", device, dtype, revision)
        return cls(model, tokenizer, preset, name, source=source, batch_tokens=batch_tokens)

    def score(self, requests: Sequence[Request]) -> list[TextScore]:
        """See `LanguageModel.score`; without score: ``empty``, ``missing_token``, ``too_long``, ``not_finite``."""
        return score_blocks(requests, self._score)

    def _score(self, requests: Sequence[Request]) -> list[TextScore]:
        texts = tokenize(self._tokenizer, [request.text for request in requests], self._preset.leading_space)
        asked = [self._ask(text, request) for text, request in zip(texts, requests, strict=True)]
        answers = self._answer(
            list(dict.fromkeys(task for tasks in asked if not isinstance(tasks, str) for task in tasks))
        )
        values = [
            a if isinstance(a, str) else [value for task in a for value in answers[task]] for a in asked
        ]
        return [total(found, request) for found, request in zip(values, requests, strict=True)]

    def _ask(self, text: Text, request: Request) -> list[_Task] | str:
        """What has to be computed for a request, or why there is no score."""
        positions = positions_of(text, request, self._tokenizer, self._preset.missing == "refuse")
        if isinstance(positions, str):
            return positions
        end = self._end if request.end is None else None
        tasks = (
            list(self._gap_tasks(text, positions, end))
            if self._source == "infill"
            else [self._task(text, positions, end)]
        )
        if self._limit is not None and any(max(len(t.source), len(t.target)) > self._limit for t in tasks):
            return "too_long"
        return tasks

    def _task(self, text: Text, positions: Sequence[int], end: int | None) -> _Task:
        inside = [i for i, word in enumerate(text.words) if word is not None]
        source = text.ids if self._source == "copy" else self._empty
        if self._source == "prefix":
            source = (*text.ids[: positions[0]], *text.ids[inside[-1] + 1 :])
            inside = [i for i in inside if i >= positions[0]]
        first = inside[0]
        shift = len(self._before) - first
        target = [*self._before, *text.ids[first : positions[-1] + 1]]
        counted = [i + shift for i in positions]
        if end is not None:
            counted.append(len(target))
            target.append(end)
        return _Task(source, tuple(target), tuple(counted))

    def _gap_tasks(self, text: Text, positions: Sequence[int], end: int | None) -> Iterator[_Task]:
        opening, closing = self._gaps
        for word in dict.fromkeys(text.words[i] for i in positions):
            places = [i for i, other in enumerate(text.words) if other == word]
            source = (*text.ids[: places[0]], opening, *text.ids[places[-1] + 1 :])
            counted = [places.index(i) + 1 for i in positions if i in places]
            target = (opening, *(text.ids[i] for i in places))
            if end is not None:
                counted.append(len(target))
                target = (*target, closing)
            yield _Task(source, target, tuple(counted))

    def _answer(self, tasks: Sequence[_Task]) -> _Answers:
        answers: _Answers = {}
        shapes = [(len(task.target), len(task.source)) for task in tasks]
        for batch in batches(shapes, self._batch_tokens, self._batch_tokens):
            chosen = [tasks[i] for i in batch]
            answers.update(zip(chosen, self._answer_batch(chosen), strict=True))
        return answers

    def _answer_batch(self, tasks: Sequence[_Task]) -> Iterator[list[float]]:
        import torch

        places = [(row, column) for row, task in enumerate(tasks) for column in task.counted]
        rows, columns = torch.tensor(places, device=self._model.device).T
        logits = self._rows(rows, columns, self._inputs(tasks))
        targets = [tasks[row].target[column] for row, column in places]
        found = iter(log_probabilities(logits, range(len(places)), targets))
        for task in tasks:
            yield [next(found) for _ in task.counted]

    def _inputs(self, tasks: Sequence[_Task]) -> dict[str, Any]:
        """Inputs of the decoder; what several tasks have as their source is encoded once."""
        import torch

        device = self._model.device
        sources = {source: i for i, source in enumerate(dict.fromkeys(task.source for task in tasks))}
        with torch.inference_mode():
            states = self._model.get_encoder()(**as_inputs(list(sources), device)).last_hidden_state
        states = states[[sources[task.source] for task in tasks]]
        decoder = as_inputs([(self._start, *task.target[:-1]) for task in tasks], device)
        return {
            "encoder_outputs": (states,),
            "attention_mask": torch.ones(states.shape[:2], dtype=torch.long, device=device),
            "decoder_input_ids": decoder["input_ids"],
            "decoder_attention_mask": decoder["attention_mask"],
            "use_cache": False,
        }

    def _before_text(self, name: str) -> tuple[int, ...]:
        """What stands between the decoder's start token and the text."""
        from ..scoring.presets import BOS_RULES

        if self._preset.bos == "none":
            return ()
        if self._preset.bos not in BOS_RULES:
            return (first_token(self._tokenizer, self._preset.bos, name),)
        (text,) = tokenize(self._tokenizer, ["a"])
        return text.ids[: text.words.index(0)] if 0 in text.words else ()

    def _empty_source(self, name: str) -> tuple[int, ...]:
        (text,) = tokenize(self._tokenizer, [""])
        if not text.ids and self._source in ("empty", "prefix"):
            raise InputError(
                f"{name}: its tokenizer gives no token for an empty text, and an encoder needs one; take a tokenizer "
                "that adds an end token, or load the model with source='copy', which the command line does not have"
            )
        return text.ids or (self._start,)

    def _settings(self) -> str:
        dtype = str(self._model.dtype).removeprefix("torch.")
        before = " ".join(self._tokenizer.convert_ids_to_tokens([self._start, *self._before]))
        end = "none" if self._end is None else self._tokenizer.convert_ids_to_tokens(self._end)
        if self._source == "infill":
            before, end = _GAPS[0], "none" if self._end is None else _GAPS[1]
        return f"dtype:{dtype}|source:{self._source}|first:{before}|last:{end}"


def _start_token(model: Any, name: str) -> int:
    for config in (model.config, getattr(model, "generation_config", None)):
        token = getattr(config, "decoder_start_token_id", None)
        if token is not None:
            return int(token)
    raise InputError(
        f"{name}: its configuration names no decoder_start_token_id, the token that its decoder begins with; add it to "
        "config.json"
    )


def _gap_tokens(tokenizer: Any, name: str) -> tuple[int, int]:
    vocabulary = tokenizer.get_vocab()
    missing = [token for token in _GAPS if token not in vocabulary]
    if missing:
        raise InputError(
            f"{name}: its vocabulary has no {' and no '.join(missing)}; infill is for models that were trained to fill "
            "gaps with them, like T5; choose another source"
        )
    return int(vocabulary[_GAPS[0]]), int(vocabulary[_GAPS[1]])
