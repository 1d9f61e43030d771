"""The metric in training loops: ``compute_metrics`` for ``Seq2SeqTrainer``, a callback, the same for own loops."""

from .changes import make_changes_callback
from .compute_metrics import make_compute_metrics

__all__ = ["make_changes_callback", "make_compute_metrics"]
