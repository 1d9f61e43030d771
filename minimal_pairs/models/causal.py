"""Causal language models: the log-probability of a text, token by token from left to right.

    ln P(w_1 ... w_n) = sum over i of ln p(w_i | w_1 ... w_(i-1))

What stands before the first token, whether the end is predicted, and what else can be chosen, is in the preset
(`minimal_pairs.scoring.presets`).

However a text is computed, its score is that of the text alone (up to rounding): it does not depend on the size or the
order of batches, on where they are filled up, or on what else is scored. To be fast all the same, shared beginnings of
all texts of a call are computed once (`tree`), as far as the model allows it, which is tried out when it is loaded
(`causal_ways`); so many texts a call are better than few.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from dibimt_metric.errors import InputError, shown

from ..records import Request, TextScore
from .batching import PADDING_SIDES, batches
from .causal_ways import Forward, Layout, Question, Way, choose_way
from .pretrained import load_pretrained
from .properties import attention_window, context_length, fingerprint
from .tokens import Encoder, Tokens
from .tree import Row, single_rows

if TYPE_CHECKING:
    from ..scoring.presets import Preset

ROW = 128
"""Tokens of a tree. Twice as many save one percent of the tokens of BLiMP and double the work of the attention."""

BATCH_TOKENS = {"cpu": 1024, "other": 16384}
"""Tokens computed at once: what fills a processor's or an accelerator's arithmetic and is no burden on its memory."""

LAYOUTS = ("auto", *(layout.value for layout in Layout))

_Answers = dict[int, list[float]]
"""Log-probabilities of the tokens that count, by number of the question."""


class CausalModel:
    """A causal model of transformers; see `minimal_pairs.records.LanguageModel`.

    Args:
        model: with an output layer over its vocabulary.
        tokenizer: its tokenizer.
        preset: the settings.
        name: of the model, for signatures; what else changes scores is appended.
        batch_tokens: how many tokens are computed at once, padding included; ``None``: see `BATCH_TOKENS`.
        layout: one of `LAYOUTS`; ``auto`` takes the fastest that is exact.
        padding_side: where rows of a batch are filled up, ``right`` or ``left``; the scores are the same.

    Attributes:
        name: see `LanguageModel.name`. way: how scores are computed.

    Raises:
        InputError: the preset needs a token that the tokenizer does not have, an option does not exist, or the model
            cannot be used in the layout.
    """

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
        name = name or type(model).__name__
        _check(batch_tokens, layout, padding_side)
        self._encoder = Encoder(tokenizer, preset, name)
        self._model = model.eval()
        self._padding = tokenizer.pad_token_id or 0
        self._batch_tokens = batch_tokens or BATCH_TOKENS.get(model.device.type, BATCH_TOKENS["other"])
        self._limit = context_length(model, tokenizer)
        self._window = attention_window(model) or math.inf
        layouts = tuple(Layout) if layout == "auto" else (Layout(layout),)
        self.way: Way = choose_way(model, self._padding, padding_side, layouts, self._limit)
        self._forward = Forward(model, self.way, self._padding)
        dtype = str(model.dtype).removeprefix("torch.")
        self.name = (
            f"causal:{name}|weights:{fingerprint(model, tokenizer)}|dtype:{dtype}|computed:{self.way}"
            f"|first:{self._encoder.bos}|last:{self._encoder.eos}"
        )

    @classmethod
    def from_path(
        cls,
        name_or_path: str | os.PathLike[str],
        preset: Preset,
        *,
        device: str = "cpu",
        dtype: str = "float32",
        revision: str | None = None,
        gguf_file: str | None = None,
        batch_tokens: int | None = None,
        layout: str = "auto",
        padding_side: str = "right",
    ) -> CausalModel:
        """A model from a folder, from the Hub or from a GGUF file.

        Args:
            name_or_path: folder, name on the Hub or ``.gguf`` file.
            preset: the settings.
            device: of torch, such as ``cuda:0``.
            dtype: one of `minimal_pairs.models.pretrained.DTYPES`.
            revision: on the Hub.
            gguf_file: a GGUF file in the folder or on the Hub.
            batch_tokens: see the class.
            layout: see the class.
            padding_side: see the class.

        Raises:
            InputError: see the class; or it cannot be loaded.
            MissingLibraryError: a library is not installed.
        """
        _check(batch_tokens, layout, padding_side)  # before minutes of loading
        model, tokenizer, name = load_pretrained(name_or_path, "causal", device, dtype, revision, gguf_file)
        options: dict[str, Any] = {
            "batch_tokens": batch_tokens,
            "layout": layout,
            "padding_side": padding_side,
        }
        return cls(model, tokenizer, preset, name, **options)

    def score(self, requests: Sequence[Request]) -> list[TextScore]:
        """See `LanguageModel.score`; reasons for no score: ``empty``, ``missing_token``, ``too_long``, ``not_finite``.

        Raises:
            InputError: a span outside its text, or one that the tokenizer cannot place.
        """
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
        """All questions, those that reach beyond the window of an attention layer apart."""
        far = [i for i, question in enumerate(questions) if len(question.ids) - 1 > self._window]
        if not far or self.way.layout is not Layout.TREE:
            return self._compute(self._forward, questions)
        # A tree's mask takes the place of the model's own, and of the window in it.
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
        # One value that is not a number spreads over its row, through the attention; other texts are not to blame.
        doubtful = [i for i, values in answers.items() if not all(map(math.isfinite, values))]
        if doubtful and forward.way.layout is Layout.TREE:
            alone = [questions[i] for i in doubtful]
            again = self._run(forward, single_rows([question.ids[:-1] for question in alone]), alone)
            answers |= {doubtful[k]: values for k, values in again.items()}
        return answers

    def _run(self, forward: Forward, rows: Iterable[Row], questions: Sequence[Question]) -> _Answers:
        import torch

        answers: _Answers = {}
        with torch.inference_mode():
            for batch in batches(rows, self._batch_tokens, forward.way.layout is Layout.EQUAL):
                answers.update(forward(batch, questions))
        return answers


def _check(batch_tokens: int | None, layout: str, padding_side: str) -> None:
    if batch_tokens is not None and batch_tokens < 1:
        raise InputError(f"batch_tokens {shown(batch_tokens)}: expected at least 1")
    if layout not in LAYOUTS:
        raise InputError(f"unknown layout {shown(layout)}: expected one of {', '.join(LAYOUTS)}")
    if padding_side not in PADDING_SIDES:
        raise InputError(
            f"unknown padding_side {shown(padding_side)}: expected one of {', '.join(PADDING_SIDES)}"
        )
