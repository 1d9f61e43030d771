"""The measurement without ``evaluate``: from data of any form to pairs, to a run, to flat numbers."""

from __future__ import annotations

import copy
import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from numbers import Real
from pathlib import Path
from typing import Any, TypeAlias

from dibimt_metric.errors import InputError, shown

from ..models.loading import load_model
from ..models.precomputed import PrecomputedScores
from ..models.precomputed_files import read_scores
from ..paradigms import paradigm_named
from ..reading.formats import format_named, recognize
from ..reading.pairs import Numbering, PairMaker
from ..reading.read import read_dataset, read_pairs
from ..reading.rows import TableRow
from ..records import Pair
from ..scoring.presets import Preset
from ..scoring.presets import preset as preset_named
from ..scoring.results import Accuracy
from ..scoring.run import Run, pairs_for, score_pairs

HUB = "nyu-mll/blimp"
"""Source of a paradigm that is given by its name alone."""
UNNAMED = "data"
"""Paradigm of rows that name none."""
_OTHERS = frozenset({"pair_ID", "linguistic_phenomenon"})  # of SLING and BLiMP-NL

Scores: TypeAlias = "str | os.PathLike[str] | Sequence[Sequence[float | None]]"
"""A file of scores, or good and bad of each row."""


@dataclass(frozen=True, slots=True)
class MeasurementOptions:
    """The options of a measurement, as in `blimp_measurement.BlimpMeasurement._compute`."""

    model: Any = None
    scores: Scores | None = None
    kind: str = "causal"
    preset: str | Preset = "paper"
    settings: Mapping[str, str | bool] | None = None
    method: str = "full"
    sample: int | None = None
    seed: int = 0
    per_pair: str | os.PathLike[str] | None = None
    options: Mapping[str, Any] | None = None

    def check(self) -> Preset:
        """Check the options before anything is read."""
        if (self.model is None) == (self.scores is None):
            raise InputError(
                "give either a model or scores: model='gpt2', or scores=[[-12.5, -14.0], ...] with good and bad "
                "of each row"
            )
        if isinstance(self.preset, Preset):
            if self.settings:
                raise InputError("settings apply to a preset given by name; change the Preset itself")
            return self.preset
        return preset_named(self.preset, **dict(self.settings or {}))


def encode(data: Any, numbering: Numbering) -> tuple[list[str], Numbering]:
    """Data of any form as lines of JSON, one for each pair, which ``evaluate`` passes on.

    Args:
        data: rows (mappings with ``sentence_good`` and ``sentence_bad`` or ``good`` and ``bad``, pairs of strings,
            `Pair` records), a path, the name of a paradigm of BLiMP, or the name of a data set on the Hub,
            optionally with a configuration after a colon.
        numbering: of the pairs that came before; not changed, the one returned includes these pairs.

    Raises:
        InputError: the data cannot be read, a row is not a pair, or a pair occurs twice.
    """
    with_these = copy.deepcopy(numbering)
    return [json.dumps(asdict(pair)) for pair in _pairs(data, with_these)], with_these


def decode(lines: Iterable[str]) -> tuple[Pair, ...]:
    """The pairs of lines of `encode`."""
    return tuple(Pair(**{**record, "issues": tuple(record["issues"])}) for record in map(json.loads, lines))


def _pairs(data: Any, numbering: Numbering) -> Iterator[Pair]:
    named: Iterable[Any] = data
    if isinstance(data, os.PathLike):
        named = read_pairs(data)
    elif isinstance(data, str):
        named = _named(data)
    elif isinstance(data, (Mapping, Pair)) or not isinstance(data, Iterable):
        raise InputError(f"data is {shown(data)}; expected rows, a path or a name")
    for number, value in enumerate(named):
        place = f"data[{number}]"
        pair = value if isinstance(value, Pair) else _made(value, place, numbering)
        yield numbering.check(pair, place)


def _named(data: str) -> Iterator[Pair]:
    if Path(data).exists():
        return read_pairs(data)
    if paradigm_named(data) is not None:
        return read_dataset(HUB, [data])
    name, colon, configuration = data.partition(":")
    if name.count("/") == 1 and not Path(name).suffix:
        return read_dataset(name, [configuration] if colon else None)
    return read_pairs(data)  # which reports that there is no such file


def _made(value: Any, place: str, numbering: Numbering) -> Pair:
    if isinstance(value, Mapping):
        columns = dict(value)
        # A user's own rows may have any of BLiMP's columns, but need not have those that identify it.
        own = {"sentence_good", "sentence_bad"} <= columns.keys() and not _OTHERS & columns.keys()
        layout = format_named("blimp") if own else recognize(columns, place)
    elif isinstance(value, (list, tuple)) and len(value) == len(("good", "bad")):
        columns = {"good": value[0], "bad": value[1]}
        layout = format_named("pairs")
    else:
        raise InputError(
            f"{place} is {shown(value)}; expected an object with sentence_good and sentence_bad, or two strings"
        )
    return PairMaker(layout, UNNAMED).make(TableRow(place, columns), numbering.next)


def measure(pairs: Sequence[Pair], wanted: MeasurementOptions) -> Run:
    """Score the pairs."""
    if not pairs:
        raise InputError("there is nothing to score; give data, or add rows first")
    settings = wanted.check()
    options = dict(wanted.options or {})
    model: Any
    if wanted.scores is not None:
        model = _scores(wanted.scores, settings, options).match(pairs)
    else:
        model = load_model(wanted.model, wanted.kind, settings, **options)
    fitting, _ = pairs_for(pairs, wanted.method)
    if not fitting:
        raise InputError(f"no pair has the fields of the method {shown(wanted.method)}; use the method 'full'")
    return score_pairs(
        fitting, model, wanted.method, settings, sample=wanted.sample, seed=wanted.seed, per_pair=wanted.per_pair
    )


def _scores(scores: Scores, settings: Preset, options: Mapping[str, Any]) -> PrecomputedScores:
    if isinstance(scores, (str, os.PathLike)):
        return PrecomputedScores.from_path(scores, settings, **options)
    base = options.get("base", "e")
    text = "".join(f"{_line(row, number)}\n" for number, row in enumerate(scores))
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    name = f"scores|sha256:{digest}|base:{base}"
    return PrecomputedScores(read_scores(text, "scores", base != "any"), settings, name, base)


def _line(row: Any, number: int) -> str:
    """A row as a line of a file with two columns, so that one reader checks all numbers."""
    sides = [None] if isinstance(row, (str, Mapping)) or not isinstance(row, Iterable) else list(row)
    if len(sides) != len(("good", "bad")) or not all(each is None or isinstance(each, Real) for each in sides):
        raise InputError(f"scores[{number}] is {shown(row)}; expected two numbers: good and bad")
    return " ".join("NA" if each is None else repr(float(each)) for each in sides)


def record(run: Run) -> dict[str, float | int | str | None]:
    """A run as a flat dictionary of plain numbers and strings; percentages; ``None``: undefined."""
    report = run.report
    overall = report.overall
    return {
        "accuracy": overall.value,
        "accuracy_low": overall.low,
        "accuracy_high": overall.high,
        "average": overall.average,
        "accuracy_over_phenomena": report.overall_phenomena.value,
        "accuracy_over_pairs": report.overall_pairs.value,
        **_counts(overall),
        **{f"accuracy_{group.name}": group.accuracy.value for group in report.phenomena},
        "correlation_human": report.correlation_human,
        "model": report.model,
        "method": report.method,
        "signature": report.signature,
    }


def _counts(accuracy: Accuracy) -> dict[str, int]:
    return {name: getattr(accuracy, name) for name in ("n", "right", "wrong", "ties", "unscored")}
