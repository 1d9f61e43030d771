"""The output layer at chosen positions only, for models whose layer looks at one position at a time.

The output layer is the most expensive part of a small model: 768 x 30,522 weights for each position of BERT, of which a
masked text needs one. Models differ in what precedes this layer (dense layers, scaling, biases), so the model's own
``forward`` is run, and its hidden states are reduced to the chosen positions on the way. On two made-up texts both ways
must agree; if they do not, the model computes all positions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

BATCH_TOKENS = 4096
"""Tokens computed at once by default."""

LOGITS = 1 << 25
"""Maximum numbers in the output of a batch (134 MB in single precision), whatever the size of the vocabulary."""


class OutputRows:
    """Logits of a model at chosen positions.

    Args:
        model: of transformers, with an output layer over its vocabulary.
        stack: the part of it that computes the last hidden states.
        probe: inputs of two rows and three columns, to test whether the positions can be chosen early.

    Attributes:
        narrow: whether they can. vocabulary: number of logits for each position.
    """

    def __init__(self, model: Any, stack: Any, probe: dict[str, Any]) -> None:
        import torch

        self._model = model
        self._stack = stack
        rows, columns = (torch.tensor([0, 1, 1], device=model.device), torch.tensor([2, 0, 1], device=model.device))
        self.narrow = False
        whole = self(rows, columns, probe)
        self.vocabulary: int = whole.shape[-1]
        self.narrow = stack is not model and self._agrees(whole, rows, columns, probe)

    def __call__(self, rows: Any, columns: Any, inputs: dict[str, Any]) -> Any:
        """Logits, one row of the result for each position; ``rows`` and ``columns`` are tensors of the positions."""
        import torch

        with torch.inference_mode():
            if not self.narrow:
                return self._model(**inputs).logits[rows, columns]
            return self._narrowed(rows, columns, inputs)[0]

    def _narrowed(self, rows: Any, columns: Any, inputs: dict[str, Any]) -> Any:
        def choose(_module: Any, _arguments: Any, output: Any) -> Any:
            chosen = output[0][rows, columns].unsqueeze(0)
            if isinstance(output, tuple):
                return (chosen, *output[1:])
            output["last_hidden_state"] = chosen
            return output

        with self._stack.register_forward_hook(choose):
            return self._model(**inputs).logits

    def _agrees(self, whole: Any, rows: Any, columns: Any, probe: dict[str, Any]) -> bool:
        import torch

        try:
            with torch.inference_mode():
                narrowed = self._narrowed(rows, columns, probe)
        except (RuntimeError, ValueError, IndexError, TypeError, KeyError):
            return False  # an output layer that needs the shape of the input
        close = torch.finfo(whole.dtype).eps ** 0.5
        if narrowed.shape != (1, *whole.shape):
            return False
        return bool(torch.allclose(narrowed[0], whole, rtol=close, atol=close, equal_nan=True))


def log_probabilities(logits: Any, rows: Sequence[int], targets: Sequence[int]) -> list[float]:
    """Natural log-probabilities of tokens, ``logit - logsumexp(logits)``, without a table of all of them.

    Args:
        logits: one row for each position.
        rows: rows of the logits, one for each answer.
        targets: ids of tokens, one for each answer.
    """
    logits = logits.float()
    norms = logits.logsumexp(1)
    at = (list(rows), list(targets))
    answers: list[float] = (logits[at] - norms[at[0]]).tolist()
    return answers


def batches(shapes: Sequence[tuple[int, ...]], tokens: int, rows: int) -> Iterator[list[int]]:
    """Groups of texts of the same length, longest first, so that a batch that is too large for the memory fails first.

    Nothing is padded: padding costs time, and some models see it in spite of the mask (FNet, and ConvBERT, whose
    convolutions reach into it), so that scores would depend on the other texts of a batch.

    Args:
        shapes: length of each text in tokens, or of each of its parts.
        tokens: maximum of a batch; a longer text is a batch of its own.
        rows: maximum of a batch.

    >>> list(batches([(3,), (9,), (4,), (9,), (9,)], tokens=18, rows=5))
    [[1, 3], [4], [2], [0]]
    """
    batch: list[int] = []
    for i in sorted(range(len(shapes)), key=lambda i: shapes[i], reverse=True):
        full = len(batch) >= rows or (len(batch) + 1) * sum(shapes[i]) > tokens
        if batch and (full or shapes[i] != shapes[batch[0]]):
            yield batch
            batch = []
        batch.append(i)
    if batch:
        yield batch


def as_inputs(texts: Sequence[Sequence[int]], device: Any) -> dict[str, Any]:
    """Ids of texts of one length as a model takes them."""
    import torch

    ids = torch.tensor([list(text) for text in texts], device=device)
    return {"input_ids": ids, "attention_mask": torch.ones_like(ids)}
