"""Causal language models: the log-probability of a text, token by token from left to right.

    ln P(w_1 ... w_n) = sum over i of ln p(w_i | w_1 ... w_(i-1))

The preset (`minimal_pairs.scoring.presets`) determines what precedes the first token, whether the end is predicted, and
so on.

The score of a text is that of the text alone (up to rounding): it does not depend on the size or order of batches, on
the padding side, or on what else is scored. For speed, shared beginnings of all texts of a call are computed once
(`causal_rows`) if the model allows it, which is tested when it is loaded (`causal_ways`). So a call with many texts is
better than many calls.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ..records import Request, TextScore
from .causal_rows import PADDING_SIDES, TokenRow, batches, single_rows
from .causal_ways import Forward, Layout, Question, Way, choose_way
from .pretrained import PretrainedModel, attention_window, context_length
from .tokens import Encoder, Tokens

if TYPE_CHECKING:
    from ..scoring.presets import Preset

ROW = 128
"""Tokens of a tree. Twice as many would save one percent of BLiMP's tokens and double the work of the attention."""

BATCH_TOKENS = {"cpu": 1024, "other": 16384}
"""Tokens computed at once: enough to keep a processor or an accelerator busy without straining its memory."""

LAYOUTS = ("auto", *(layout.value for layout in Layout))

_Answers = dict[int, list[float]]
"""Log-probabilities of the tokens that count, by number of the question."""


class CausalModel(PretrainedModel):
    """A causal model of transformers; see `LanguageModel` and, for other arguments, `PretrainedModel`.

    Args:
        model: with an output layer over its vocabulary.
        batch_tokens: number of tokens computed at once, including padding; ``None``: see `BATCH_TOKENS`.
        layout: one of `LAYOUTS`; ``auto`` takes the fastest that is exact.
        padding_side: where rows of a batch are padded, ``right`` or ``left``; the scores are the same.

    Attributes:
        name: see `LanguageModel.name`. way: how scores are computed.

    Raises:
        InputError: the preset needs a token that the tokenizer lacks, an option has an unknown value, or the model
            does not work with the layout.
    """

    KIND = "causal"
    LOADING = (*PretrainedModel.LOADING, "gguf_file")
    CHOICES = {"layout": LAYOUTS, "padding_side": PADDING_SIDES}

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        preset: Preset,
        name: str | None = None,
        *,
        batch_tokens: int | None = None,
        layout: str = "auto",
        padding_side: str = "right",
    ) -> None:
        options = {"batch_tokens": batch_tokens, "layout": layout, "padding_side": padding_side}
        super().__init__(model.eval(), tokenizer, preset, name, **options)
        self._encoder = Encoder(tokenizer, preset, self._given_name)
        self._padding = tokenizer.pad_token_id or 0
        self._batch_tokens = batch_tokens or BATCH_TOKENS.get(model.device.type, BATCH_TOKENS["other"])
        self._limit = context_length(model, tokenizer)
        self._window = attention_window(model) or math.inf
        layouts = tuple(Layout) if layout == "auto" else (Layout(layout),)
        self.way: Way = choose_way(model, self._padding, padding_side, layouts, self._limit)
        self._forward = Forward(model, self.way, self._padding)
        self.name = self._signature(computed=self.way, first=self._encoder.bos, last=self._encoder.eos)

    def score(self, requests: Sequence[Request]) -> list[TextScore]:
        """See `LanguageModel.score`; without score: ``empty``, ``missing_token``, ``too_long``, ``not_finite``."""
        asked = self._encoder(requests)
        numbers: dict[Question, int] = {}
        for tokens in asked:
            if self._reason(tokens) is None:
                numbers.setdefault(Question(tokens.ids, tokens.counted), len(numbers))
        answers = self._answer(list(numbers))
        return [self._score(tokens, numbers, answers) for tokens in asked]

    def _reason(self, tokens: Tokens) -> str | None:
        # The last token is predicted, not read.
        if tokens.reason is None and self._limit is not None and len(tokens.ids) - 1 > self._limit:
            return "too_long"
        return tokens.reason

    def _score(self, tokens: Tokens, numbers: dict[Question, int], answers: _Answers) -> TextScore:
        reason = self._reason(tokens)
        if reason is None:
            values = answers[numbers[Question(tokens.ids, tokens.counted)]]
            if all(map(math.isfinite, values)):
                return TextScore(math.fsum(values), len(values), tokens.length)
        return TextScore(None, 0, tokens.length, reason or "not_finite")

    def _answer(self, questions: Sequence[Question]) -> _Answers:
        """All questions; those that reach beyond the window of an attention layer are computed separately."""
        far = [i for i, question in enumerate(questions) if len(question.ids) - 1 > self._window]
        if not far or self.way.layout is not Layout.TREE:
            return self._compute(self._forward, questions)
        # The mask of a tree replaces that of the model, including its window.
        near = sorted(set(range(len(questions))) - set(far))
        layouts = (Layout.PADDED, Layout.EQUAL)
        plain = choose_way(self._model, self._padding, self.way.side, layouts, self._limit)
        forwards = ((near, self._forward), (far, Forward(self._model, plain, self._padding)))
        answers: _Answers = {}
        for chosen, forward in forwards:
            found = self._compute(forward, [questions[i] for i in chosen])
            answers |= {chosen[i]: values for i, values in found.items()}
        return answers

    def _compute(self, forward: Forward, questions: Sequence[Question]) -> _Answers:
        size = int(min(ROW, self._batch_tokens, self._window, self._limit or ROW))
        answers = self._run(forward, forward.rows(questions, size), questions)
        # A value that is not a number spreads through the attention to other texts of its row.
        doubtful = [i for i, values in answers.items() if not all(map(math.isfinite, values))]
        if doubtful and forward.way.layout is Layout.TREE:
            alone = [questions[i] for i in doubtful]
            again = self._run(forward, single_rows([question.ids[:-1] for question in alone]), alone)
            answers |= {doubtful[k]: values for k, values in again.items()}
        return answers

    def _run(self, forward: Forward, rows: Iterable[TokenRow], questions: Sequence[Question]) -> _Answers:
        import torch

        answers: _Answers = {}
        with torch.inference_mode():
            for batch in batches(rows, self._batch_tokens, forward.way.layout is Layout.EQUAL):
                answers.update(forward(batch, questions))
        return answers
