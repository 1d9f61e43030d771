"""Minimal pairs as a measurement for ``evaluate.load``: the only file of this package that imports ``evaluate``.

It only calls `minimal_pairs.blimp_measurement.measuring` of the installed package.
"""

from __future__ import annotations

import inspect
from typing import Any

import datasets
import evaluate

# Absolute: `evaluate` copies this file alone, and takes a relative import for a file to copy too.
from dibimt_metric.session import check_file_part, reject_unknown
from minimal_pairs.blimp_measurement.measuring import MeasurementOptions, decode, encode, measure, record
from minimal_pairs.reading.pairs import Numbering

_DESCRIPTION = """\
How often does a language model find the acceptable sentence of a minimal pair more probable than the unacceptable one?
For BLiMP (67 paradigms, 12 phenomena of English grammar) and any other set of minimal pairs. Causal, masked,
encoder-decoder and n-gram models, and scores that were computed elsewhere.
"""

_CITATION = """\
@article{warstadt-etal-2020-blimp,
    title = "{BL}i{MP}: The Benchmark of Linguistic Minimal Pairs for {E}nglish",
    author = "Warstadt, Alex and Parrish, Alicia and Liu, Haokun and Mohananey, Anhad and Peng, Wei and
      Wang, Sheng-Fu and Bowman, Samuel R.",
    journal = "Transactions of the Association for Computational Linguistics",
    volume = "8",
    year = "2020",
    pages = "377--392"
}
"""

_KWARGS_DESCRIPTION = """
Args:
    data: the pairs: rows with `sentence_good` and `sentence_bad` (and optionally `paradigm`, `phenomenon`, `field`, and
        the other columns of BLiMP), or two strings each; or a file, folder or zip of pairs; or the name of a paradigm
        of BLiMP, or of a data set on the Hub, such as 'nyu-mll/blimp' or 'nyu-mll/blimp:wh_island'.
    model: folder of a model, its name on the Hub, a file of an n-gram model, (model, tokenizer), or an object with
        `name` and `score`.
    scores: instead of a model, good and bad of each row, or a file of scores.
    kind: of the model: 'causal', 'masked', 'encoder-decoder', 'ngram'.
    preset: settings of scoring by name: 'paper', 'lm-eval', 'lm-eval-0.3', 'minicons'. settings: single ones to
        change, such as {'ties': 'half'}.
    method: 'full' (whole sentences), 'one-prefix' or 'two-prefix'.
    sample: how many pairs to draw, evenly from all paradigms; None: all. seed: of the draw.
    per_pair: file for the scores of each pair; an interrupted run continues there.
    options: of the model, such as {'device': 'cuda', 'dtype': 'bfloat16', 'batch_tokens': 4096}.
Returns:
    accuracy: percent, mean over paradigms; accuracy_low, accuracy_high: its 95 percent interval; average: the same in
        words.
    accuracy_over_phenomena, accuracy_over_pairs: other averages.
    n, right, wrong, ties, unscored: numbers of pairs.
    accuracy_<phenomenon>: of each phenomenon, mean over its paradigms.
    correlation_human: with human accuracy, over phenomena.
    model, method, signature: every choice that can change a number. Undefined numbers are None.
Examples:

    >>> measurement = evaluate.load("blimp_measurement", module_type="measurement")
    >>> pairs = [("Ann sleeps.", "Ann sleep."), ("Two cats sleep.", "Two cats sleeps.")]
    >>> result = measurement.compute(data=pairs, scores=[[-9.5, -12.0], [-11.0, -10.5]])
    >>> result["accuracy"], result["right"], result["n"]
    (50.0, 1, 2)

    A model is anything with a name and a method that scores texts:

    >>> class Longer:
    ...     name = "likes it long"
    ...     def score(self, requests):
    ...         return [(-1 / len(request.text), 1, 1, None) for request in requests]
    >>> measurement.compute(data=pairs, model=Longer())["accuracy"]
    50.0
"""


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class BlimpMeasurement(evaluate.Measurement):
    """The measurement.

    Args:
        options: those of every measurement of ``evaluate``.

    Raises:
        InputError: an option has a value that is not allowed.
    """

    def __init__(self, **options: Any) -> None:
        check_file_part(options.get("config_name"), "config_name")
        check_file_part(options.get("experiment_id"), "experiment_id")
        # A single process keeps its rows in memory, so that a failed computation leaves no files.
        options["keep_in_memory"] = options.get("num_process", 1) == 1
        self._numbering = Numbering()
        self.writer: Any
        self.report: Any = None
        self.outcomes: tuple[Any, ...] = ()
        super().__init__(**options)

    def _info(self) -> Any:
        # A line of JSON for every form of row, which `evaluate` cannot distinguish.
        return evaluate.MeasurementInfo(
            module_type="measurement",
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_KWARGS_DESCRIPTION,
            features=datasets.Features({"data": datasets.Value("large_string")}),
            reference_urls=["https://aclanthology.org/2020.tacl-1.25/", "https://github.com/alexwarstadt/blimp"],
        )

    def compute(self, *, data: Any = None, **options: Any) -> Any:
        """Score this data and what was added before; then ``report`` and ``outcomes`` have the details.

        Raises:
            InputError: an option or a row is not valid, or there is nothing to score.
        """
        known = [name for name in inspect.signature(self._compute).parameters if name != "data"]
        reject_unknown(options, known, "compute")
        MeasurementOptions(**options).check()
        try:
            if data is not None or self.writer is None:
                self.add_batch(data=() if data is None else data)
            return super().compute(**options)
        finally:
            # Also after an error: the next computation starts empty.
            self.writer = self.buf_writer = self.data = None
            self._numbering = Numbering()

    def add_batch(self, *, data: Any = None, **others: Any) -> None:
        """Add several rows, or all pairs of a path or name; if one is not valid (`InputError`), none is added."""
        reject_unknown(others, ("data",), "add_batch")
        self._write(data)

    def add(self, *, data: Any = None, **others: Any) -> None:
        """Add one row; `InputError` if it is not valid."""
        reject_unknown(others, ("data",), "add")
        self._write([data])

    def _write(self, data: Any) -> None:
        lines, numbering = encode(data, self._numbering)
        super().add_batch(data=lines)
        self._numbering = numbering

    def _compute(
        self,
        data: list[str],
        model: Any = None,
        scores: Any = None,
        kind: str = "causal",
        preset: Any = "paper",
        settings: Any = None,
        method: str = "full",
        sample: int | None = None,
        seed: int = 0,
        per_pair: Any = None,
        options: Any = None,
    ) -> dict[str, Any]:
        wanted = MeasurementOptions(model, scores, kind, preset, settings, method, sample, seed, per_pair, options)
        run = measure(decode(data), wanted)
        self.report, self.outcomes = run.report, run.outcomes
        return record(run)
