"""Predictions of a training loop as texts: token ids in any shape to strings.

``Seq2SeqTrainer`` passes one array for the whole evaluation set, padded with -100; with
``eval_do_concat_batches=False`` a list of arrays; with n-best lists ``k`` rows for each item. Other loops pass lists or
tensors. All hold the rows in the order of the items, one after the other, so that flattening is enough.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from dibimt_metric.errors import InputError, shown

PADDING = -100
"""In predictions and labels where there is no token; no tokenizer can decode it."""

_MAX_DEPTH = 5
_FAILURES = (ValueError, TypeError, IndexError, KeyError, OverflowError)
_LOGGER = logging.getLogger(__name__)

TokenRow = list[int]


class Predicted(NamedTuple):
    """Rows of token ids.

    Attributes:
        rows: one after the other, without padding.
        inner: number of rows of each entry of the outermost list; 1 where the numbers differ, and for a list of arrays,
            which are batches.
    """

    rows: list[TokenRow]
    inner: int


def predicted(value: object) -> Predicted:
    """Token ids of any shape as rows; -100 is padding and is dropped.

    Args:
        value: array, tensor or list; of a tuple of arrays (the model's further outputs) the first.

    Raises:
        InputError: it holds logits, texts, a single row or nothing in place of token ids.

    >>> predicted([[5, 6, -100], [7, 1, -100]])
    Predicted(rows=[[5, 6], [7, 1]], inner=1)
    >>> predicted([[[5], [6]], [[7], [8]]])
    Predicted(rows=[[5], [6], [7], [8]], inner=2)
    """
    if isinstance(value, tuple) and value and getattr(value[0], "ndim", 0) > 1:
        value = value[0]
    nested = _nested(value)
    if not isinstance(nested, list) or (nested and int in map(type, nested)):
        raise InputError(f"predictions are one list of token ids for each item, not {shown(value)}")
    groups = [list(_rows(entry)) for entry in nested]
    counts = {len(group) for group in groups}
    is_batches = isinstance(value, (list, tuple)) and any(hasattr(entry, "ndim") for entry in value)
    inner = counts.pop() if len(counts) == 1 and not is_batches else 1
    return Predicted([row for group in groups for row in group], inner)


def _nested(value: object, depth: int = 0) -> Any:
    """Lists in place of arrays, tensors and tuples."""
    if "float" in str(getattr(value, "dtype", "")):
        shape = tuple(map(int, getattr(value, "shape", ())))
        raise _logits(f"an array of {getattr(value, 'dtype', '')} of shape {shape}")
    if hasattr(value, "tolist"):
        value = value.tolist()
    if not isinstance(value, (list, tuple)):
        return value
    if depth > _MAX_DEPTH:
        raise InputError("predictions are nested too deeply; expected one list of token ids for each item")
    if set(map(type, value)) == {int}:  # a row: its many ids need no further look
        return list(value)
    return [_nested(entry, depth + 1) for entry in value]


def _rows(value: object) -> Iterator[TokenRow]:
    """The rows of a nested list, from left to right."""
    if not isinstance(value, list):
        raise _wrong(value)
    kinds = set(map(type, value))
    if kinds <= {int}:
        yield [token for token in value if token != PADDING]
    elif list in kinds:
        for entry in value:
            yield from _rows(entry)
    else:
        raise _wrong(next(token for token in value if type(token) is not int))


def _logits(found: str) -> InputError:
    return InputError(
        f"predictions are token ids, not {found}, which look like scores of the model; give "
        "Seq2SeqTrainingArguments(predict_with_generate=True), so that translations are generated"
    )


def _wrong(value: object) -> InputError:
    if isinstance(value, float):
        return _logits(f"numbers such as {shown(value)}")
    advice = "; texts are scored with `score`" if isinstance(value, str) else ""
    return InputError(f"predictions hold {shown(value)} where a token id was expected{advice}")


class Decoder:
    """Rows of token ids to texts, without special tokens.

    Ids that the tokenizer does not have are dropped, with one warning: a model's vocabulary is often padded to a round
    number, and an untrained model predicts these ids too.

    Args:
        tokenizer: anything with ``batch_decode``, or with ``decode``; also a processor.
        postprocess: applied to each text.

    Raises:
        InputError: the tokenizer cannot decode, or ``postprocess`` is not a function.
    """

    def __init__(self, tokenizer: Any, postprocess: Callable[[str], str] | None = None) -> None:
        if not hasattr(tokenizer, "batch_decode") and not hasattr(tokenizer, "decode"):
            raise InputError(
                f"a tokenizer has 'batch_decode' or 'decode', which {shown(tokenizer)} lacks; "
                "give the tokenizer that the trainer gets (its processing_class)"
            )
        if postprocess is not None and not callable(postprocess):
            raise InputError(f"postprocess is a function from text to text, not {shown(postprocess)}")
        self._tokenizer = tokenizer
        self._postprocess = postprocess
        self.postprocess_name = getattr(postprocess, "__name__", type(postprocess).__name__) if postprocess else ""
        self._warned = False

    def texts(self, rows: Sequence[TokenRow]) -> list[str]:
        """The text of each row."""
        for number, row in enumerate(rows):
            if row and min(row) < 0:
                raise InputError(
                    f"row {number} of the predictions holds {min(row)}, which is not a token id; "
                    f"only {PADDING} is padding"
                )
        made = self._decode(rows)
        return made if self._postprocess is None else [self._changed(text) for text in made]

    def _changed(self, text: str) -> str:
        changed: object = self._postprocess(text) if self._postprocess else text
        if not isinstance(changed, str):
            raise InputError(f"postprocess takes one text and returns one; it returned {shown(changed)}")
        return changed

    def _decode(self, rows: Sequence[TokenRow]) -> list[str]:
        try:
            return self._decoded(rows)
        except _FAILURES as error:
            known = self._known(rows)
            if known is not None:
                return self._decode(known)
            raise InputError(
                f"the tokenizer cannot decode the predictions ({type(error).__name__}: {shown(str(error))}); "
                "is it the tokenizer of this model?"
            ) from error

    def _decoded(self, rows: Sequence[TokenRow]) -> list[str]:
        if hasattr(self._tokenizer, "batch_decode"):
            return list(self._tokenizer.batch_decode(rows, skip_special_tokens=True))
        return [self._tokenizer.decode(row, skip_special_tokens=True) for row in rows]

    def _known(self, rows: Sequence[TokenRow]) -> list[TokenRow] | None:
        """The rows without ids beyond the tokenizer's size; ``None`` where there are no such ids."""
        size = _size(self._tokenizer)
        highest = max((token for row in rows for token in row), default=0)
        if size is None or highest < size:
            return None
        if not self._warned:
            _LOGGER.warning(
                "predictions hold token ids up to %d, but the tokenizer has %d tokens; the others are dropped. "
                "Is it the tokenizer of this model? (This warning appears once.)",
                highest,
                size,
            )
        self._warned = True
        return [[token for token in row if token < size] for row in rows]


def _size(tokenizer: Any) -> int | None:
    """Number of tokens; ``None`` where the tokenizer has no length."""
    try:
        return len(getattr(tokenizer, "tokenizer", tokenizer))  # a processor holds its tokenizer
    except TypeError:
        return None
