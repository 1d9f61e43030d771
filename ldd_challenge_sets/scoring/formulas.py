"""BLEU and chrF of many sums of counts at once, for the thousands of resamples of a bootstrap.

They equal what sacrebleu computes from one sum but for rounding (1e-9), which tests and a probe at run time check.
Both run from 0 to 100.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dibimt_metric.score_bootstrap import Floats

_ORDERS = 4
_BETA_SQUARED = 4.0


def bleu_values(totals: Floats, smooth: bool) -> Floats:
    """BLEU of each row (Papineni et al., 2002; smoothing: the NIST method, sacrebleu's ``exp``).

    ``BP * exp(mean over n of log(p_n))``, ``BP = min(1, exp(1 - ref_len / sys_len))``, ``p_n = 100 * matched_n /
    all_n``. With smoothing the k-th order without a match has ``p_n = 100 / (2 ** k * all_n)``. 0 where an order
    has no n-grams, none matches at all, or, without smoothing, one order does not match.

    Args:
        totals: rows of sys_len, ref_len, matched n-grams of order 1 to 4, n-grams of order 1 to 4.
        smooth: whether an order without a match is smoothed.

    >>> import numpy as np
    >>> counts = np.array([[5.0, 5, 4, 3, 2, 1, 5, 4, 3, 2]])  # 100 * (4/5 * 3/4 * 2/3 * 1/2) ** (1/4)
    >>> bleu_values(counts, smooth=True).round(6).tolist() == [round(100 * 0.2 ** 0.25, 6)]
    True
    """
    import numpy as np

    sys_len, ref_len = totals[:, 0], totals[:, 1]
    matched, found = totals[:, 2 : 2 + _ORDERS], totals[:, 2 + _ORDERS :]
    defined = (found > 0).all(axis=1) & (matched > 0).any(axis=1)
    if smooth:
        halvings = np.cumsum(matched == 0, axis=1)
        matched = np.where(matched == 0, 0.5**halvings, matched)
    defined &= (matched > 0).all(axis=1)
    result = np.zeros(len(totals))
    precisions = 100.0 * matched[defined] / found[defined]
    brevity = np.minimum(1.0, np.exp(1.0 - ref_len[defined] / sys_len[defined]))
    result[defined] = brevity * np.exp(np.log(precisions).mean(axis=1))
    return result


def chrf_values(totals: Floats) -> Floats:
    """chrF2 or chrF2++ of each row (Popovic, 2015 and 2017; averaged as in sacrebleu).

    ``100 * 5 * P * R / (4 * P + R)`` with P and R the mean precision and recall over the orders for which both sides
    have n-grams; 0 where there is no such order or nothing matches.

    Args:
        totals: rows of three counts for each order: n-grams of the translation, of the reference, matched ones.

    >>> import numpy as np
    >>> chrf_values(np.array([[2.0, 4, 2, 1, 3, 1]])).round(4).tolist()  # P = 1, R = (2/4 + 1/3) / 2 = 5/12
    [47.1698]
    """
    import numpy as np

    found, wanted, matched = (totals[:, start::3] for start in range(3))
    used = (found > 0) & (wanted > 0)
    orders = np.maximum(used.sum(axis=1), 1)
    precision = np.divide(matched, found, out=np.zeros_like(matched), where=used).sum(axis=1) / orders
    recall = np.divide(matched, wanted, out=np.zeros_like(matched), where=used).sum(axis=1) / orders
    below = _BETA_SQUARED * precision + recall
    scores: Floats = np.divide(
        100.0 * (1.0 + _BETA_SQUARED) * precision * recall, below, out=np.zeros(len(totals)), where=below > 0
    )
    return scores
