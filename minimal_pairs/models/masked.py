"""Masked language models: pseudo-log-likelihood.

A masked model defines no probability of a text. What is compared is the sum of the log-probabilities of its tokens,
each predicted from the rest of the text while the token itself is masked::

    original:     PLL(S) = sum over t of ln p(w_t | S with w_t masked)
    within-word:  PLL(S) = sum over t of ln p(w_t | S with w_t and the tokens right of it in the same word masked)

``original`` is from Salazar et al. 2020. It overrates words of several tokens, because the rest of a rare word gives
the masked part away; ``within-word``, left to right, is the correction by Kauf and Ivanova 2023. Tokens that the
tokenizer puts around a text are seen but never scored. The score of a part of a text (prefix methods) is the sum over
the tokens of the part, each predicted from all the rest of the text.

A text of n tokens costs n passes. Equal masked texts are computed once: two sentences that differ in one token are the
same where this token is masked, and one pass serves both words.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from dibimt_metric.errors import InputError

from ..records import Request
from .bidirectional import BidirectionalModel
from .output_rows import LOGITS, OutputRows, as_inputs, batches, log_probabilities
from .word_tokens import Text

if TYPE_CHECKING:
    from ..scoring.presets import Preset

PLL = ("original", "within-word")
"""Which tokens are masked together with the one that is predicted."""


class _Masked(NamedTuple):
    """A masked text, and the position that is predicted."""

    ids: tuple[int, ...]
    position: int


class _Question(NamedTuple):
    """The log-probability of a token at the masked position."""

    masked: _Masked
    target: int


class MaskedModel(BidirectionalModel[_Question]):
    """A masked model; see `LanguageModel` and, for other arguments, `PretrainedModel`.

    Of the settings, ``leading_space`` and ``missing`` apply. ``bos``, ``score_eos`` and ``score_first`` do not: the
    tokenizer's own tokens surround every text, none of them counts, and every token has context on both sides.

    Args:
        model: a model of transformers with an output layer for masked tokens, in evaluation mode.
        tokenizer: the model's tokenizer, a fast one with a mask token.
        pll: one of `PLL`.
        batch_tokens: number of tokens computed at once; ``None``: `BATCH_TOKENS`.

    Raises:
        InputError: an unknown value of ``pll``, no fast tokenizer, no mask token.
    """

    KIND = "masked"
    CHOICES = {"pll": PLL}

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
        super().__init__(model, tokenizer, preset, name, pll=pll, batch_tokens=batch_tokens)
        if tokenizer.mask_token_id is None:
            raise InputError(f"{self._given_name}: the tokenizer has no mask token, which masked models need")
        self._mask: int = tokenizer.mask_token_id
        self._within_word = pll == "within-word"
        probe = as_inputs([[self._mask] * 3, [self._mask, 0, self._mask]], model.device)
        self._rows = OutputRows(model, model.base_model, probe)
        self.name = self._signature(pll=pll)

    def _questions(self, text: Text, request: Request, positions: Sequence[int]) -> list[_Question] | None:
        if self._limit is not None and len(text.ids) > self._limit:
            return None
        return [_Question(self._hide(text, position), text.ids[position]) for position in positions]

    def _hide(self, text: Text, position: int) -> _Masked:
        ids = list(text.ids)
        ids[position] = self._mask
        if self._within_word:
            for i in range(position + 1, len(ids)):
                if text.words[i] != text.words[position]:
                    break
                ids[i] = self._mask
        return _Masked(tuple(ids), position)

    def _answer(self, questions: Sequence[_Question]) -> dict[_Question, list[float]]:
        targets: defaultdict[_Masked, list[int]] = defaultdict(list)
        for masked, target in questions:
            targets[masked].append(target)
        texts = list(targets)
        rows = max(1, LOGITS // self._rows.vocabulary)
        answers: dict[_Question, list[float]] = {}
        for batch in batches([(len(text.ids),) for text in texts], self._batch_tokens, rows):
            answers |= self._answer_batch({texts[i]: targets[texts[i]] for i in batch})
        return answers

    def _answer_batch(self, batch: dict[_Masked, list[int]]) -> dict[_Question, list[float]]:
        import torch

        device = self._model.device
        columns = torch.tensor([text.position for text in batch], device=device)
        rows = torch.arange(len(batch), device=device)
        logits = self._rows(rows, columns, as_inputs([text.ids for text in batch], device))
        asked = [(row, _Question(text, target)) for row, text in enumerate(batch) for target in batch[text]]
        found = log_probabilities(logits, [row for row, _ in asked], [each.target for _, each in asked])
        return {question: [value] for (_, question), value in zip(asked, found, strict=True)}
