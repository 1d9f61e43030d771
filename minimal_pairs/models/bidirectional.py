"""Models that read a text in both directions: masked ones, and encoder-decoders."""

from __future__ import annotations

import itertools
import math
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ..records import Request, TextScore
from .output_rows import BATCH_TOKENS
from .pretrained import PretrainedModel, position_limit
from .spans import length_of, part_of
from .word_tokens import Text, check_tokenizer, tokenize

if TYPE_CHECKING:
    from ..scoring.presets import Preset

_BLOCK = 4096  # requests in memory at once

Question = TypeVar("Question", bound=tuple[Any, ...])
"""What a model computes once, however many requests need it."""


class BidirectionalModel(PretrainedModel, Generic[Question]):
    """A model whose score of a text is the sum of its answers to several questions; see `PretrainedModel`.

    Raises:
        InputError: see `PretrainedModel`; or the tokenizer is not a fast one.
    """

    def __init__(self, model: Any, tokenizer: Any, preset: Preset, name: str | None = None, **options: Any) -> None:
        super().__init__(model, tokenizer, preset, name, **options)
        check_tokenizer(tokenizer, self._given_name)
        self._limit = position_limit(model)
        self._batch_tokens: int = options.get("batch_tokens") or BATCH_TOKENS

    def score(self, requests: Sequence[Request]) -> list[TextScore]:
        """See `LanguageModel.score`; without score: ``empty``, ``missing_token``, ``too_long``, ``not_finite``."""
        unique = list(dict.fromkeys(requests))
        scores: dict[Request, TextScore] = {}
        for i in range(0, len(unique), _BLOCK):
            block = unique[i : i + _BLOCK]
            scores.update(zip(block, self._score_block(block), strict=True))
        return [scores[request] for request in requests]

    @abstractmethod
    def _questions(self, text: Text, request: Request, positions: Sequence[int]) -> list[Question] | None:
        """What a request needs, whose tokens at ``positions`` count; ``None``: the model cannot take as much text."""

    @abstractmethod
    def _answer(self, questions: Sequence[Question]) -> Mapping[Question, Sequence[float]]:
        """Log-probabilities of the tokens that each question asks for."""

    def _score_block(self, requests: Sequence[Request]) -> list[TextScore]:
        texts = tokenize(self._tokenizer, [request.text for request in requests], self._preset.leading_space)
        asked = [self._ask(text, request) for text, request in zip(texts, requests, strict=True)]
        needed = itertools.chain.from_iterable(questions for questions in asked if not isinstance(questions, str))
        answers = self._answer(list(dict.fromkeys(needed)))
        return [_total(questions, answers, request) for questions, request in zip(asked, requests, strict=True)]

    def _ask(self, text: Text, request: Request) -> list[Question] | str:
        """The questions of a request, or why there is no score."""
        positions = text.counting(request)
        if not part_of(request).strip() or not positions:
            return "empty"
        if self._preset.missing == "refuse" and text.lacks(self._tokenizer):
            return "missing_token"
        questions = self._questions(text, request, positions)
        return "too_long" if questions is None else questions


def _total(asked: list[Question] | str, answers: Mapping[Question, Sequence[float]], request: Request) -> TextScore:
    length = length_of(request)
    if isinstance(asked, str):
        return TextScore(None, 0, length, asked)
    values = [value for question in asked for value in answers[question]]
    found = math.fsum(values)
    if not math.isfinite(found):
        return TextScore(None, 0, length, "not_finite")
    return TextScore(found, len(values), length)
