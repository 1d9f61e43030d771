"""Encoder-decoder models: the score of a sentence by a model that expects two texts.

The decoder is a causal model conditioned on what the encoder reads. With source x and target y, both tokens,

    score = sum over t of ln p(y_t | y_1 ... y_(t-1), x)

Four choices of x and y make four different measures; none is the model's "own" probability of a sentence:

``empty`` (default)
    x is an empty text as the tokenizer encodes it (T5: ``</s>``; BART: ``<s></s>``), y the sentence. With the
    end token scored, this is a probability distribution over sentences, and so the choice to compare with causal
    models. A model trained to respond to a source (translation, T5's gap filling) has rarely or never seen an empty
    one.
``prefix``
    x is the text before the part that counts, y is that part: for the prefix methods. Nothing precedes whole
    sentences, so that their score is the same as with ``empty``.
``copy``
    x is the sentence itself: how well the model repeats it. A model trained to restore texts (BART) may do that well
    for any sentence, good or bad.
``infill``
    Each word in turn is removed from x and predicted, as in T5's training: x holds ``<extra_id_0>`` in its place, y is
    ``<extra_id_0>`` word ``<extra_id_1>``. The sum is a word-by-word pseudo-log-likelihood, as for
    masked models. Only for models with these tokens.

The decoder begins with the model's own start token. It is never scored, nor are other tokens that the tokenizer puts
before a text (BART's ``<s>``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from dibimt_metric.errors import InputError

from ..records import Request
from .bidirectional import BidirectionalModel
from .output_rows import LOGITS, OutputRows, as_inputs, batches, log_probabilities
from .tokens import first_token, last_token
from .word_tokens import Text, tokenize

if TYPE_CHECKING:
    from ..scoring.presets import Preset

SOURCES = ("empty", "prefix", "copy", "infill")
"""What the encoder reads, and so what the decoder predicts; see above."""

_GAPS = ("<extra_id_0>", "<extra_id_1>")


class _Task(NamedTuple):
    """A source and a target.

    Attributes:
        source: tokens for the encoder. target: tokens that the decoder predicts after its start token.
        counted: positions in the target that count.
    """

    source: tuple[int, ...]
    target: tuple[int, ...]
    counted: tuple[int, ...]


class EncoderDecoderModel(BidirectionalModel[_Task]):
    """An encoder-decoder model; see `LanguageModel` and, for other arguments, `PretrainedModel`.

    Of the settings, ``bos`` is what comes between the decoder's start token and the text: ``none``: nothing; the other
    rules: what the tokenizer puts before a text, if anything; else that token. ``score_eos`` scores the end token, and
    so does ``tokenizer`` as ``bos``. With ``infill`` nothing comes before a word, and the end of a word
    (``<extra_id_1>``) counts if the end of a text does. ``score_first`` does not apply, because the start token
    precedes every text. ``leading_space`` and ``missing`` apply as they do to causal models.

    Args:
        model: of transformers, with an output layer over its vocabulary, in evaluation mode.
        tokenizer: the model's tokenizer, a fast one.
        source: one of `SOURCES`.
        batch_tokens: number of tokens computed at once, including those of the sources; ``None``: `BATCH_TOKENS`.

    Raises:
        InputError: an unknown source, no fast tokenizer, or a missing start token, end token or token for gaps.
    """

    KIND = "encoder-decoder"
    CHOICES = {"source": SOURCES}

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
        super().__init__(model, tokenizer, preset, name, source=source, batch_tokens=batch_tokens)
        name = self._given_name
        self._source = source
        self._start = _start_token(model, name)
        self._before = self._before_text(name)
        ends = preset.score_eos or preset.bos == "tokenizer"
        self._end = last_token(tokenizer, preset.eos, name) if ends else None
        self._gaps = _gap_tokens(tokenizer, name) if source == "infill" else (0, 0)
        self._empty = self._empty_source(name)
        probe = [_Task(self._empty, (self._start,) * 3, ()), _Task(self._empty, (self._start, 0, 0), ())]
        self._rows = OutputRows(model, model.get_decoder(), self._inputs(probe))
        self._batch_tokens = min(self._batch_tokens, max(1, LOGITS // self._rows.vocabulary))
        before, end = self._boundaries()
        self.name = self._signature(source=source, first=before, last=end)

    def _questions(self, text: Text, request: Request, positions: Sequence[int]) -> list[_Task] | None:
        end = self._end if request.end is None else None
        if self._source == "infill":
            tasks = list(self._gap_tasks(text, positions, end))
        else:
            tasks = [self._task(text, positions, end)]
        longest = max(max(len(task.source), len(task.target)) for task in tasks)
        return None if self._limit is not None and longest > self._limit else tasks

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

    def _answer(self, questions: Sequence[_Task]) -> dict[_Task, list[float]]:
        answers: dict[_Task, list[float]] = {}
        shapes = [(len(task.target), len(task.source)) for task in questions]
        for batch in batches(shapes, self._batch_tokens, self._batch_tokens):
            chosen = [questions[i] for i in batch]
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
        """Inputs of the decoder; a source that several tasks share is encoded once."""
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
        """What comes between the decoder's start token and the text."""
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
                f"{name}: its tokenizer gives no token for an empty text, but an encoder needs one; use a tokenizer "
                "that adds an end token, or load the model in Python with source='copy'"
            )
        return text.ids or (self._start,)

    def _boundaries(self) -> tuple[str, str]:
        """The tokens before and after a text, for signatures."""
        if self._source == "infill":
            return _GAPS[0], "none" if self._end is None else _GAPS[1]
        before = " ".join(self._tokenizer.convert_ids_to_tokens([self._start, *self._before]))
        return before, "none" if self._end is None else self._tokenizer.convert_ids_to_tokens(self._end)


def _start_token(model: Any, name: str) -> int:
    for config in (model.config, getattr(model, "generation_config", None)):
        token = getattr(config, "decoder_start_token_id", None)
        if token is not None:
            return int(token)
    raise InputError(
        f"{name}: its configuration lacks decoder_start_token_id, the token that its decoder begins with; add it to "
        "config.json"
    )


def _gap_tokens(tokenizer: Any, name: str) -> tuple[int, int]:
    vocabulary = tokenizer.get_vocab()
    missing = [token for token in _GAPS if token not in vocabulary]
    if missing:
        raise InputError(
            f"{name}: its vocabulary has no {' and no '.join(missing)}; infill is for models trained to fill gaps "
            "with them, such as T5; choose another source"
        )
    return int(vocabulary[_GAPS[0]]), int(vocabulary[_GAPS[1]])
