"""Ways of computing the same log-probabilities, and which of them a model supports.

The fast way gives a causal model rows of trees, and takes only its last hidden states. Not every model supports it:
some add a distance bias that depends on the order in the row (ALiBi), some pass a state from token to token (Mamba),
some change their logits. Whether a way is exact is not looked up but tested when the model is loaded: for two made-up
token sequences that share a beginning, batched with a shorter one, it must give what the model gives for each alone.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Any, NamedTuple

from dibimt_metric.errors import InputError

from .causal_head import OutputLayer, own_logits
from .causal_rows import TokenRow, as_tensors, single_rows, tree_rows

# Raised by models that do not support an argument, a four-dimensional mask, or a position twice in a row.
_REFUSALS = (TypeError, ValueError, RuntimeError, IndexError, KeyError, AttributeError, NotImplementedError)


class Layout(str, Enum):
    """How sequences are arranged in a batch.

    Attributes:
        TREE: trees, shared beginnings once. PADDED: one sequence per row, shorter ones padded. EQUAL: one sequence per
            row, only sequences of the same length together.
    """

    TREE = "tree"
    PADDED = "padded"
    EQUAL = "equal"


class Question(NamedTuple):
    """A token sequence whose log-probabilities are needed.

    Attributes:
        ids: tokens. counted: positions of those whose log-probability is needed, including the last token.
    """

    ids: tuple[int, ...]
    counted: tuple[int, ...]


class Way(NamedTuple):
    """One way of computing.

    Attributes:
        layout: see `Layout`. selected: whether the output layer is applied here to the positions that need it, instead
            of by the model to all. side: where rows are padded.
    """

    layout: Layout
    selected: bool
    side: str = "right"

    def __str__(self) -> str:
        """For signatures: ``tree``, ``padded+logits``."""
        return self.layout.value + ("" if self.selected else "+logits")


class Forward:
    """A causal model in evaluation mode that computes batches of rows in one way; ``padding`` is a token."""

    def __init__(self, model: Any, way: Way, padding: int = 0) -> None:
        self._model = model
        self.way = way
        self._padding = padding
        self._layer = OutputLayer(model) if way.selected else None

    def rows(self, questions: Sequence[Question], size: int) -> Iterator[TokenRow]:
        """Rows of the layout, of at most ``size`` tokens if they contain several sequences."""
        sequences = [question.ids[:-1] for question in questions]
        return tree_rows(sequences, size) if self.way.layout is Layout.TREE else single_rows(sequences)

    def __call__(self, batch: Sequence[TokenRow], questions: Sequence[Question]) -> Iterator[tuple[int, list[float]]]:
        """For each sequence of the batch its number and the log-probabilities of the tokens that count."""
        states, offsets = self._states(batch)
        numbers: list[int] = []
        places: list[int] = []
        targets: list[int] = []
        for row, offset in zip(batch, offsets, strict=True):
            for number, path in row.paths:
                question = questions[number]
                numbers.append(number)
                places += [offset + path[i - 1] for i in question.counted]
                targets += [question.ids[i] for i in question.counted]
        found = iter(self._log_probabilities(states, places, targets))
        for number in numbers:
            yield number, [next(found) for _ in questions[number].counted]

    def _states(self, batch: Sequence[TokenRow]) -> tuple[Any, list[int]]:
        """States (or logits) of all places, one in a row, and where each row of the batch begins."""
        device = self._model.device
        tree = self._model.dtype if self.way.layout is Layout.TREE else None
        tensors = as_tensors(batch, device, tree, self._padding, self.way.side)
        inputs = {"input_ids": tensors.ids}
        if self.way.layout is not Layout.EQUAL:
            inputs["attention_mask"] = tensors.mask
        if self.way.layout is Layout.TREE or self.way.side == "left":
            inputs["position_ids"] = tensors.positions
        if self.way.selected:
            states = self._model.base_model(**inputs, use_cache=False).last_hidden_state
        else:
            states = self._model(**inputs, use_cache=False).logits
        offsets = [i * tensors.width + start for i, start in enumerate(tensors.starts)]
        return states.reshape(-1, states.shape[-1]), offsets

    def _log_probabilities(self, states: Any, places: Sequence[int], targets: Sequence[int]) -> list[float]:
        needed = {place: i for i, place in enumerate(dict.fromkeys(places))}
        rows = [needed[place] for place in places]
        if len(needed) < len(states):
            states = states[list(needed)]
        else:
            rows = list(places)
        return self._layer(states, rows, targets) if self._layer else own_logits(states, rows, targets)


def choose_way(
    model: Any,
    padding: int = 0,
    side: str = "right",
    layouts: Sequence[Layout] = tuple(Layout),
    limit: int | None = None,
) -> Way:
    """The first way in which a model computes what it computes for each sequence alone.

    Args:
        model: causal, of transformers, in evaluation mode.
        padding: the token for padding.
        side: where rows are padded.
        layouts: those to try, in this order.
        limit: number of tokens that the model can take; ``None``: any number.

    Raises:
        InputError: there is none, the model fails or gives values that are not finite, or it takes fewer than 7 tokens.
    """
    import torch

    if limit is not None and limit < _LEAST:
        raise InputError(
            f"{type(model).__name__} takes {limit} tokens at once, but at least {_LEAST} are needed to test it; "
            "use a model with a longer context"
        )
    row = _PROBE_ROW if limit is None else min(_PROBE_ROW, limit)
    questions = _probes(model.get_input_embeddings().weight.shape[0], padding, row)
    with torch.inference_mode():
        try:
            alone = [_alone(model, question) for question in questions]
        except _REFUSALS as error:
            raise InputError(
                f"{type(model).__name__} cannot be run on a text: {type(error).__name__}: {error}"
            ) from error
        if not all(map(math.isfinite, itertools.chain(*alone))):
            raise InputError(
                f"{type(model).__name__} in {model.dtype} gives log-probabilities that are not finite; try another "
                "dtype (--dtype)"
            )
        selected = _agrees(model, Way(Layout.EQUAL, True, side), padding, questions, alone, row)
        for layout in layouts:
            if _agrees(model, Way(layout, selected, side), padding, questions, alone, row):
                return Way(layout, selected, side)
    tried = ", ".join(layout.value for layout in layouts)
    raise InputError(
        f"{type(model).__name__} does not give the scores that it gives for each text alone (layouts tried: {tried}); "
        "is it a causal model of transformers, in evaluation mode?"
    )


_PROBE_ROW = 19
"""Tokens of the tree of the first two probes: 11 + 13 - 5."""
_SHARED = 5
_LEAST = 7
"""Tokens of the smallest tree: the shared ones, and a token of each of the two."""


def _probes(vocabulary: int, padding: int, row: int) -> list[Question]:
    """Two sequences that share five tokens, and a shorter one; in sorted order, so that the two are in one row.

    Their tree has at most ``row`` tokens, so that a model with a short context can be tested.
    """
    first = min(11, (row + _SHARED) // 2)
    second = row + _SHARED - first
    others = [token for token in range(vocabulary) if token != padding] or [padding]
    spread = [others[(7919 * i + 11) % len(others)] for i in range(21)]
    texts = (
        [others[0], *spread[1 : first + 1]],  # the last token of a sequence is not in the tree
        [others[0], *spread[1:_SHARED], *spread[12:21]][: second + 1],
        [others[-1], *spread[6:9]],
    )
    return [Question(tuple(text), tuple(range(1, len(text)))) for text in texts]


def _alone(model: Any, question: Question) -> list[float]:
    """The plain way: one sequence, log-probabilities of all tokens."""
    import torch

    ids = torch.tensor([question.ids], device=model.device)
    table = model(input_ids=ids, use_cache=False).logits[0].float().log_softmax(-1)
    return [table[i - 1, question.ids[i]].item() for i in question.counted]


def _agrees(
    model: Any, way: Way, padding: int, questions: Sequence[Question], alone: Sequence[Sequence[float]], row: int
) -> bool:
    import torch

    try:
        forward = Forward(model, way, padding)
        rows = list(forward.rows(questions, row))
        batches = [[row] for row in rows] if way.layout is Layout.EQUAL else [rows]
        found = dict(pair for batch in batches for pair in forward(batch, questions))
    except _REFUSALS:
        return False
    pairs = [pair for i, row in enumerate(alone) for pair in zip(row, found[i], strict=True)]
    largest = max(abs(value) for value in itertools.chain(*alone))
    # In half precision, the same computation in another order differs by a few units in the last place.
    allowed = max(2e-4, 4 * torch.finfo(model.dtype).eps * largest)
    return all(abs(a - b) <= allowed for a, b in pairs)  # false for NaN
