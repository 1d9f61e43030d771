"""The output layer: log-probabilities of given tokens, without a table for all tokens.

    ln p(t | h) = z_t - ln sum over v of exp(z_v),    z = h W' + b

A table of log-probabilities of a batch takes much memory (200 MB for 1,000 positions and 50,000 tokens) and time. Here
only the positions that predict a token that counts are multiplied, once each; the vocabulary is processed in blocks, of
which only the normalizer and the logits of the tokens that count are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

BLOCK_BYTES = 16 << 20
"""A block of logits in single precision: small enough for a processor's cache, large enough for its arithmetic."""


class OutputLayer:
    """The output layer of a causal model of transformers.

    Some models scale or cap their logits, which is handled here; any other change is detected when the model is tested
    (`causal_ways`), and the model then computes its own logits.

    Args:
        model: with ``get_output_embeddings()``, whose weights are vocabulary x hidden size.
    """

    def __init__(self, model: Any) -> None:
        layer = model.get_output_embeddings()
        self._weight = layer.weight
        self._bias = getattr(layer, "bias", None)
        self._change = changes_of_logits(model.config)

    def __call__(self, hidden: Any, rows: Sequence[int], targets: Sequence[int]) -> list[float]:
        """Natural log-probabilities; ``rows`` and ``targets``: the row of ``hidden`` and the token of each answer."""
        import torch

        at, wanted = (torch.tensor(list(values), device=hidden.device) for values in (rows, targets))
        logits = torch.zeros(len(wanted), dtype=torch.float32, device=hidden.device)
        normalizers = []
        size = max(1, BLOCK_BYTES // (4 * len(hidden)))
        for first in range(0, len(self._weight), size):
            block = self._block(hidden, first, size)
            here = (wanted >= first) & (wanted < first + size)
            logits[here] = block[at[here], wanted[here] - first]
            normalizers.append(_log_sum_exp(block))
        answers: list[float] = (logits - torch.stack(normalizers).logsumexp(0)[at]).tolist()
        return answers

    def _block(self, hidden: Any, first: int, size: int) -> Any:
        """Logits of ``size`` tokens of the vocabulary, in single precision."""
        from torch.nn.functional import linear

        bias = None if self._bias is None else self._bias[first : first + size]
        block = linear(hidden, self._weight[first : first + size], bias)
        return self._change(block).float()


def _log_sum_exp(block: Any) -> Any:
    """Over the last dimension; overwrites the block to save memory."""
    peak = block.amax(-1, keepdim=True)
    return block.sub_(peak).exp_().sum(-1).log_().add_(peak.squeeze(-1))


def changes_of_logits(config: Any) -> Callable[[Any], Any]:
    """How a model changes its logits: multiplies them (Cohere), divides them (Granite), caps them (Gemma 2)."""
    text = config.get_text_config() if hasattr(config, "get_text_config") else config
    factor = (getattr(text, "logit_scale", None) or 1.0) / (getattr(text, "logits_scaling", None) or 1.0)
    cap = getattr(text, "final_logit_softcapping", None)

    def change(logits: Any) -> Any:
        if factor != 1.0:
            logits = logits * factor
        return cap * (logits / cap).tanh() if cap else logits

    return change


def own_logits(logits: Any, rows: Sequence[int], targets: Sequence[int]) -> list[float]:
    """Log-probabilities from logits that the model computed itself; arguments as for `OutputLayer`."""
    single = logits.float()
    found = single[list(rows), list(targets)] - _log_sum_exp(single.clone())[list(rows)]
    answers: list[float] = found.tolist()
    return answers
