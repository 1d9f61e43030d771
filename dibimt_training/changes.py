"""The items that a model gained and lost since the last evaluation.

    trainer.add_callback(make_changes_callback(compute_metrics))

After each evaluation the main process logs the counts and some names, and appends one line to a JSON Lines file:

    {"step": 200, "epoch": 2.0, "after_training": false, "compared_with": 100, "n": 667, "good": 130,
     "gained": ["de/7"], "lost": [], "labels": "GGBMU...", "items": "0f9a3c61b2d4", "signature": "dibimt|lang:de|..."}

``gained`` are the items that are GOOD now and were not, ``lost`` those that were GOOD and are not. ``labels`` has a
letter for each item, in order. ``compared_with`` is the step of the evaluation compared with, and null in the first.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dibimt_common.journal import append, whole_lines
from dibimt_metric.errors import InputError, MissingLibraryError, shown
from dibimt_metric.records import Label

if TYPE_CHECKING:
    from .compute_metrics import ComputeMetrics

FILE_NAME = "dibimt_changes.jsonl"
_LOGGER = logging.getLogger(__name__)
_GOOD = Label.GOOD.value[0]
_NAMED = 10  # in the log; the file has all


@dataclass(frozen=True, slots=True)
class Change:
    """One evaluation compared with the one before.

    Attributes:
        step, epoch: of the training (no epoch: ``None``).
        compared_with: step of the previous evaluation; ``None``: this is the first.
        gained, lost: names of items.
        labels: first letter of the label of each item, in order.
        after_training: the training had ended; if it then loaded the best model, this is a model of an earlier step.
    """

    step: int
    epoch: float | None
    compared_with: int | None
    gained: tuple[str, ...]
    lost: tuple[str, ...]
    labels: str
    after_training: bool = False

    def __str__(self) -> str:
        when = "after the training, " if self.after_training else ""
        good = f"{when}step {self.step}: {self.labels.count(_GOOD)} of {len(self.labels)} items are GOOD"
        if self.compared_with is None:
            return good
        return f"{good}; since step {self.compared_with} {_listed('gained', self.gained)}, {_listed('lost', self.lost)}"


def _listed(what: str, names: tuple[str, ...]) -> str:
    if not names:
        return f"{what} none"
    more = ", ..." if len(names) > _NAMED else ""
    return f"{what} {len(names)} ({', '.join(names[:_NAMED])}{more})"


class Changes:
    """Compares the evaluations of one `ComputeMetrics`, logs them and keeps them in a file."""

    def __init__(self, compute_metrics: ComputeMetrics, path: Path, log: Callable[[str], object]) -> None:
        self._compute_metrics = compute_metrics
        self.path = path
        self._log = log
        self._items = hashlib.sha256("\n".join(compute_metrics.names).encode()).hexdigest()[:12]
        self.last: Change | None = None
        self._written = 0

    def begin(self, step: int) -> None:
        """A training begins at this step, or is resumed there.

        The evaluation to compare with is the last one of this object, if it was at this step; else, in a resumed
        training, the last line of the file at or before this step. Ignored are later lines, which an interrupted run
        may have left, lines of other items or options, and lines that this object wrote.
        """
        if self.last is not None and self.last.step == step and not self.last.after_training:
            return
        self.last = None
        rows = list(self._rows()) if step > 0 else []
        for row in rows[: len(rows) - self._written]:
            if row["step"] <= step and self._is_mine(row):
                self.last = Change(row["step"], row.get("epoch"), None, (), (), row["labels"])

    def add(self, step: int, epoch: float | None, after_training: bool = False) -> Change:
        """Compare the last evaluation with the previous one; log it and write its line."""
        metrics = self._compute_metrics
        labels = "".join(judgment.label.value[0] for judgment in metrics.judgments)
        before = self.last.labels if self.last else labels
        pairs = list(zip(metrics.names, before, labels, strict=True))
        gained = tuple(name for name, old, new in pairs if old != _GOOD and new == _GOOD)
        lost = tuple(name for name, old, new in pairs if old == _GOOD and new != _GOOD)
        compared_with = self.last.step if self.last else None
        self.last = Change(step, epoch, compared_with, gained, lost, labels, after_training)
        self._log(str(self.last))
        self._write(self.last)
        return self.last

    def _write(self, change: Change) -> None:
        row = {
            "step": change.step,
            "epoch": change.epoch,
            "after_training": change.after_training,
            "compared_with": change.compared_with,
            "n": len(change.labels),
            "good": change.labels.count(_GOOD),
            "gained": change.gained,
            "lost": change.lost,
            "labels": change.labels,
            "items": self._items,
            "signature": self._compute_metrics.signature,
        }
        try:
            append_line(self.path, json.dumps(row))
            self._written += 1
        except OSError as error:
            # A training of days must not end because a disk is full.
            _LOGGER.warning("%s: the line of step %d could not be written (%s)", self.path, change.step, error)

    def _rows(self) -> Iterator[dict[str, Any]]:
        try:
            lines, rest = whole_lines(self.path)
        except FileNotFoundError:
            return
        except OSError as error:
            raise InputError(f"{self.path}: cannot be read ({error.strerror}); give another path") from error
        for row in map(_object, [*lines, rest]):
            if row is not None and isinstance(row.get("step"), int):
                yield row

    def _is_mine(self, row: dict[str, Any]) -> bool:
        labels = row.get("labels")
        same = row.get("items") == self._items and row.get("signature") == self._compute_metrics.signature
        return same and isinstance(labels, str) and len(labels) == len(self._compute_metrics.names)


def append_line(path: Path, line: str) -> None:
    """Append a line; half a line that an interrupted run left at the end is removed first."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rest = whole_lines(path)[1] if path.exists() else b""
    is_line = _object(rest) is not None  # an editor removed the last line break
    if rest and not is_line:
        os.truncate(path, path.stat().st_size - len(rest))
    append(path, (b"\n" if is_line else b"") + line.encode() + b"\n")


def _object(line: bytes) -> dict[str, Any] | None:
    """The JSON object of a line; ``None`` where it is not one, or incomplete."""
    try:
        value = json.loads(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def make_changes_callback(
    compute_metrics: ComputeMetrics,
    path: Path | str | None = None,
    log: Callable[[str], object] | None = None,
) -> Any:
    """A ``TrainerCallback`` that logs after each evaluation which items were gained and lost.

    Only the main process logs and writes. Evaluations that do not call ``compute_metrics``, and ``predict``, are
    skipped. A resumed training continues from the last line at or before its step.

    Args:
        compute_metrics: made by `make_compute_metrics`; the trainer may call it inside another function.
        path: the file; ``None``: ``dibimt_changes.jsonl`` in the trainer's ``output_dir``. Lines are appended.
        log: takes a message for each evaluation, such as ``print``; ``None``: the logger of this module, at INFO.

    Returns:
        The callback. Its attribute ``last`` is the `Change` of the last evaluation, in the main process.

    Raises:
        InputError: ``compute_metrics`` was not made by `make_compute_metrics`.
        MissingLibraryError: ``transformers`` is not installed.
    """
    if not hasattr(compute_metrics, "judgments") or not hasattr(compute_metrics, "names"):
        raise InputError(
            f"compute_metrics is the object that `make_compute_metrics` made, not {shown(compute_metrics)}; "
            "give the object itself, even if the trainer calls it inside another function"
        )
    try:
        from transformers import TrainerCallback
    except ImportError as error:
        raise MissingLibraryError("a trainer's callback needs transformers: pip install 'dibimt[train]'") from error
    return _callback_class(TrainerCallback)(compute_metrics, path, log or _LOGGER.info)


def _callback_class(base: Any) -> Any:
    """The class is made here because its base is in an optional library."""

    class ChangesCallback(base):  # type: ignore[misc]
        """See `make_changes_callback`."""

        def __init__(
            self, compute_metrics: ComputeMetrics, path: Path | str | None, log: Callable[[str], object]
        ) -> None:
            self._compute_metrics = compute_metrics
            self._path = None if path is None else Path(path)
            self._log = log
            self._seen = compute_metrics.evaluations
            self._changes: Changes | None = None
            self._ended = False

        @property
        def last(self) -> Change | None:
            return self._changes.last if self._changes else None

        def on_train_begin(self, args: Any, state: Any, control: Any, **others: Any) -> None:
            self._ended = False
            if state.is_world_process_zero:
                self._of(args).begin(state.global_step)

        def on_train_end(self, args: Any, state: Any, control: Any, **others: Any) -> None:
            self._ended = True

        def on_evaluate(self, args: Any, state: Any, control: Any, **others: Any) -> None:
            is_new = self._seen != self._compute_metrics.evaluations
            self._seen = self._compute_metrics.evaluations
            if is_new and state.is_world_process_zero:
                self._of(args).add(state.global_step, state.epoch, self._ended)

        def on_predict(self, args: Any, state: Any, control: Any, **others: Any) -> None:
            self._seen = self._compute_metrics.evaluations

        def _of(self, args: Any) -> Changes:
            if self._changes is None:
                path = self._path or Path(args.output_dir) / FILE_NAME
                self._changes = Changes(self._compute_metrics, path, self._log)
            return self._changes

    return ChangesCallback
