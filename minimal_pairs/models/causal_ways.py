"""Ways of computing the same log-probabilities, and which of them a model is capable of.

The fast way gives a causal model rows that hold trees, and takes only its last hidden states. Not every model follows:
some add a bias for distance that they read off the order in the row (ALiBi), some carry a state from token to token
(Mamba), some change their logits. Whether a way is exact is not looked up but tried out when the model is loaded: on
two made-up token sequences that share a beginning, in one batch with a shorter one, it must give what the model gives
for each sequence alone.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Any, NamedTuple

from dibimt_metric.errors import InputError

from .batching import as_tensors
from .causal_head import OutputLayer, own_logits
from .tree import Row, single_rows, tree_rows

# What models raise that were not written for an argument, a mask of four dimensions, a position twice in a row.
_REFUSALS = (TypeError, ValueError, RuntimeError, IndexError, KeyError, AttributeError, NotImplementedError)


class Layout(str, Enum):
    """How sequences are put together.

    Attributes:
        TREE: trees, shared beginnings once. PADDED: one sequence in a row, shorter ones filled up. EQUAL: one sequence
            in a row, only such of the same length together.
    """

    TREE = "tree"
    PADDED = "padded"
    EQUAL = "equal"


class Question(NamedTuple):
    """What has to be computed once.

    Attributes:
        ids: tokens. counted: positions of those whose log-probability is asked for; the last token is one.
    """

    ids: tuple[int, ...]
    counted: tuple[int, ...]


class Way(NamedTuple):
    """One way of computing.

    Attributes:
        layout: see `Layout`. selected: whether the output layer is applied here, where it is needed, instead of by the
            model everywhere. side: where rows are filled up.
    """

    layout: Layout
    selected: bool
    side: str = "right"

    def __str__(self) -> str:
        """For signatures: ``tree``, ``padded+logits``."""
        return self.layout.value + ("" if self.selected else "+logits")


class Forward:
    """A model that is given batches of rows in one way.

    Args:
        model: causal, of transformers, in evaluation mode.
        way: how it is given them.
        padding: the token for filling up.

    Attributes:
        way: as given.
    """

    def __init__(self, model: Any, way: Way, padding: int = 0) -> None:
        self._model = model
        self.way = way
        self._padding = padding
        self._layer = OutputLayer(model) if way.selected else None

    def rows(self, questions: Sequence[Question], size: int) -> Iterator[Row]:
        """Rows of the layout, of at most ``size`` tokens where they hold several sequences."""
        sequences = [question.ids[:-1] for question in questions]
        return tree_rows(sequences, size) if self.way.layout is Layout.TREE else single_rows(sequences)

    def __call__(
        self, batch: Sequence[Row], questions: Sequence[Question]
    ) -> Iterator[tuple[int, list[float]]]:
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

    def _states(self, batch: Sequence[Row]) -> tuple[Any, list[int]]:
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
        padding: the token for filling up.
        side: where rows are filled up.
        layouts: those that are tried, in this order.
        limit: how many tokens the model can take; ``None``: any number.

    Raises:
        InputError: none of them does, the model gives no numbers, or nothing at all, or takes fewer than 7 tokens.
    """
    import torch

    if limit is not None and limit < _LEAST:
        raise InputError(
            f"{type(model).__name__} takes {limit} tokens at once, and cannot be tried out with fewer than {_LEAST}; "
            "take a model with a longer context"
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
"""Tokens of the smallest tree: what is shared, and a token of each of the two."""


def _probes(vocabulary: int, padding: int, row: int) -> list[Question]:
    """Two sequences that share five tokens, and a shorter one; in sorted order, so that the two are in one row.

    Their tree has at most ``row`` tokens; a model with a short context is tried out within it.
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
    """The plain way: one sequence, the whole table."""
    import torch

    ids = torch.tensor([question.ids], device=model.device)
    table = model(input_ids=ids, use_cache=False).logits[0].float().log_softmax(-1)
    return [table[i - 1, question.ids[i]].item() for i in question.counted]


def _agrees(
    model: Any,
    way: Way,
    padding: int,
    questions: Sequence[Question],
    alone: Sequence[Sequence[float]],
    row: int,
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
    # In half precision the same computation in another order differs by some units of the last place.
    allowed = max(2e-4, 4 * torch.finfo(model.dtype).eps * largest)
    return all(abs(a - b) <= allowed for a, b in pairs)  # false for what is not a number
