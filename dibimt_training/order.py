"""Checks that the predictions of a trainer belong to the items: their labels, repeated rows, the order of the rows."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Any

from dibimt_metric.errors import InputError, shown

from .predicted_texts import TokenRow, predicted


def predictions_and_labels(evaluation: Any) -> tuple[Any, Any]:
    """The parts of an ``EvalPrediction``, or of a tuple of the two."""
    if hasattr(evaluation, "predictions"):
        return evaluation.predictions, getattr(evaluation, "label_ids", None)
    if isinstance(evaluation, tuple) and len(evaluation) == 2:
        return evaluation
    raise InputError(
        "expected an EvalPrediction, or a tuple of predictions and labels (labels may be None), not "
        f"{shown(evaluation)}; texts are scored with `score`"
    )


def labels_of(value: object) -> list[TokenRow] | None:
    """Labels as rows without padding; ``None`` where they are not rows of token ids."""
    try:
        return None if value is None else predicted(value).rows
    except InputError:
        return None


def _several_processes() -> bool:
    """Asks torch only where it has been imported already; without it there are no processes to gather from."""
    distributed = getattr(sys.modules.get("torch"), "distributed", None)
    if distributed is None or not distributed.is_available() or not distributed.is_initialized():
        return False
    return bool(distributed.get_world_size() > 1)


class Order:
    """The labels of the evaluation set in the order of the items.

    Args:
        labels: rows of token ids; ``None``: nothing is checked.
        tokenizer: its padding token ends rows that a trainer has padded.
    """

    def __init__(self, labels: object, tokenizer: Any) -> None:
        pad = getattr(tokenizer, "pad_token_id", None)
        self._pad = getattr(tokenizer, "eos_token_id", None) if pad is None else pad
        self._expected: list[TokenRow] | None = None
        if labels is not None:
            rows = labels_of(_listed(labels))
            if rows is None:
                raise InputError(
                    f"labels are one list of token ids for each item, not {shown(labels)}; give the column "
                    "'labels' of the evaluation set"
                )
            self._expected = [self._bare(row) for row in rows]

    def check_number(self, items: int) -> None:
        """Reject labels that cannot be those of the items."""
        if self._expected is not None and len(self._expected) != items:
            raise InputError(
                f"{len(self._expected)} labels for {items} items; give those of the evaluation set, in its order"
            )

    def repeats(self, texts: Sequence[object], labels: Sequence[TokenRow] | None, number: int) -> bool:
        """Whether the rows after the first ``number`` repeat the first rows, as with several processes.

        Each process gets batches of the same size; the last ones are filled up with rows from the beginning, which
        ``Seq2SeqTrainer`` does not drop when it gathers. They are recognized by their labels, else by their texts.
        With one process no row counts as repeated.

        Args:
            texts: of each row.
            labels: of each row, if there are any.
            number: expected rows.
        """
        if not _several_processes():
            return False
        has_labels = labels is not None and len(labels) == len(texts)
        rows: Sequence[object] = [self._bare(row) for row in labels or ()] if has_labels else texts
        return all(rows[i] == rows[i % number] for i in range(number, len(rows)))

    def check(self, found: Sequence[TokenRow] | None, names: Sequence[str]) -> None:
        """Compare the labels of an evaluation with the expected ones."""
        if self._expected is None or found is None:
            return
        rows = [self._bare(row) for row in found]
        wrong = [i for i, row in enumerate(rows) if row != self._expected[i]]
        if wrong:
            first = wrong[0]
            other = next((names[i] for i, row in enumerate(self._expected) if row == rows[first]), None)
            has = "has labels that no item has" if other is None else f"has the labels of item {other!r:.60}"
            raise InputError(
                f"the evaluation set is not in the order of the items: row {first} belongs to item "
                f"{names[first]!r:.60}, but {has} ({len(wrong)} such rows of {len(rows)}). Was it shuffled or "
                "filtered, or does the trainer group by length (group_by_length, train_sampling_strategy), also "
                "in evaluations?"
            )

    def _bare(self, row: TokenRow) -> TokenRow:
        """A row without the padding at its end, to which a trainer may have added."""
        end = len(row)
        while end and row[end - 1] == self._pad:
            end -= 1
        return row[:end]


def _listed(labels: object) -> object:
    """A column of a data set as a list of its rows."""
    if hasattr(labels, "tolist") or isinstance(labels, (str, list, tuple)):
        return labels
    return list(labels) if isinstance(labels, Iterable) else labels
