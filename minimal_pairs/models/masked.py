"""Masked language models: pseudo-log-likelihood.

A masked model has no probability of a text. What is compared is the sum of the log-probabilities of its tokens, each
predicted from the rest of the text, with the token itself hidden::

    original:     PLL(S) = sum over t of ln p(w_t | S with w_t masked)
    within-word:  PLL(S) = sum over t of ln p(w_t | S with w_t and the tokens right of it in the same word masked)

``original`` is of Salazar et al. 2020. It overrates words of several tokens, because the rest of a rare word gives the
hidden part away; ``within-word``, left to right, is the repair of Kauf and Ivanova 2023. Tokens that the tokenizer puts
around a text are seen and never scored. The score of a part of a text (prefix methods) is the sum over the tokens of
the part, each predicted from all the rest of the text.

A text of n tokens costs n passes. Equal masked texts are computed once: the two sentences of a pair that differ in one
token are the same where this token is masked, and the one pass answers for both words.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from dibimt_metric.errors import InputError, shown

from ..records import Request, TextScore
from .masked_rows import LOGITS, OutputRows, as_inputs, batches, check_batch, log_probabilities
from .masked_text import Text, check_tokenizer, positions_of, score_blocks, tokenize, total
from .pretrained import load_pretrained
from .properties import fingerprint, position_limit

if TYPE_CHECKING:
    from ..scoring.presets import Preset

PLL = ("original", "within-word")
"""Which tokens are masked with the one that is predicted."""


class _Masked(NamedTuple):
    """A masked text, and the position that is asked about."""

    ids: tuple[int, ...]
    position: int


_Answers = dict[_Masked, dict[int, float]]
"""Log-probability of each token that is asked for, by masked text."""


class MaskedModel:
    """A masked model; see `minimal_pairs.records.LanguageModel`.

    Of the settings ``leading_space`` and ``missing`` apply. ``bos``, ``score_eos`` and ``score_first`` do not: the
    tokenizer's own tokens stand around every text, none of them counts, and every token has a context on both sides.

    Args:
        model: a model of transformers with an output layer for masked tokens, in evaluation mode.
        tokenizer: its tokenizer, a fast one with a mask token.
        preset: the settings.
        name: of the model, for signatures; what else changes scores is appended.
        pll: one of `PLL`.
        batch_tokens: how many tokens are computed at once; ``None``: `BATCH_TOKENS`.

    Attributes:
        name: see `LanguageModel.name`.

    Raises:
        InputError: an unknown value of ``pll``, no fast tokenizer, no mask token.
    """

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        preset: Preset,
        name: str | None = None,
        *,
        pll: str = "original",
        batch_tokens: int | None = None,
    ) -> None:
        name = name or type(model).__name__
        if pll not in PLL:
            raise InputError(f"unknown pll {shown(pll)}: expected one of {', '.join(PLL)}")
        check_tokenizer(tokenizer, name)
        if tokenizer.mask_token_id is None:
            raise InputError(f"{name}: its tokenizer has no mask token; masked models need one")
        self._tokenizer = tokenizer
        self._space = preset.leading_space
        self._refuse = preset.missing == "refuse"
        self._mask: int = tokenizer.mask_token_id
        self._within_word = pll == "within-word"
        self._limit = position_limit(model)
        self._batch_tokens = check_batch(batch_tokens)
        self._device = model.device
        self._rows = OutputRows(
            model, model.base_model, as_inputs([[self._mask] * 3, [self._mask, 0, self._mask]], model.device)
        )
        dtype = str(model.dtype).removeprefix("torch.")
        self.name = f"masked:{name}|weights:{fingerprint(model, tokenizer)}|dtype:{dtype}|pll:{pll}"

    @classmethod
    def from_path(
        cls,
        name_or_path: str | os.PathLike[str],
        preset: Preset,
        *,
        pll: str = "original",
        device: str = "cpu",
        dtype: str = "float32",
        revision: str | None = None,
        batch_tokens: int | None = None,
    ) -> MaskedModel:
        """A model from a folder or from the Hub.

        Args:
            name_or_path: folder or name.
            preset: the settings.
            pll: one of `PLL`.
            device: of torch, such as ``cuda:0``.
            dtype: one of `minimal_pairs.models.pretrained.DTYPES`.
            revision: on the Hub.
            batch_tokens: see the class.

        Raises:
            InputError: it cannot be loaded, or is no masked model.
            MissingLibraryError: torch or transformers is not installed.
        """
        model, tokenizer, name = load_pretrained(name_or_path, "masked", device, dtype, revision)
        return cls(model, tokenizer, preset, name, pll=pll, batch_tokens=batch_tokens)

    def score(self, requests: Sequence[Request]) -> list[TextScore]:
        """See `LanguageModel.score`; without score: ``empty``, ``missing_token``, ``too_long``, ``not_finite``."""
        return score_blocks(requests, self._score)

    def _score(self, requests: Sequence[Request]) -> list[TextScore]:
        texts = tokenize(self._tokenizer, [request.text for request in requests], self._space)
        answers: _Answers = {}
        asked = [self._ask(text, request, answers) for text, request in zip(texts, requests, strict=True)]
        self._answer(answers)
        values = [a if isinstance(a, str) else [answers[text][target] for text, target in a] for a in asked]
        return [total(found, request) for found, request in zip(values, requests, strict=True)]

    def _ask(self, text: Text, request: Request, answers: _Answers) -> list[tuple[_Masked, int]] | str:
        """The masked texts of a request and the tokens that they are asked for, or why there is no score."""
        positions = positions_of(text, request, self._tokenizer, self._refuse)
        if isinstance(positions, str):
            return positions
        if self._limit is not None and len(text.ids) > self._limit:
            return "too_long"
        asked = [(self._hide(text, position), text.ids[position]) for position in positions]
        for masked, target in asked:
            answers.setdefault(masked, {})[target] = math.nan
        return asked

    def _hide(self, text: Text, position: int) -> _Masked:
        ids = list(text.ids)
        ids[position] = self._mask
        if self._within_word:
            for i in range(position + 1, len(ids)):
                if text.words[i] != text.words[position]:
                    break
                ids[i] = self._mask
        return _Masked(tuple(ids), position)

    def _answer(self, answers: _Answers) -> None:
        masked = list(answers)
        rows = max(1, LOGITS // self._rows.vocabulary)
        for batch in batches([(len(text.ids),) for text in masked], self._batch_tokens, rows):
            self._answer_batch([masked[i] for i in batch], answers)

    def _answer_batch(self, batch: Sequence[_Masked], answers: _Answers) -> None:
        import torch

        columns = torch.tensor([text.position for text in batch], device=self._device)
        rows = torch.arange(len(batch), device=self._device)
        logits = self._rows(rows, columns, as_inputs([text.ids for text in batch], self._device))
        wanted = [(row, target) for row, text in enumerate(batch) for target in answers[text]]
        found = log_probabilities(logits, [row for row, _ in wanted], [target for _, target in wanted])
        for (row, target), logprob in zip(wanted, found, strict=True):
            answers[batch[row]][target] = logprob
