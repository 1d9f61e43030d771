"""One file: items and translations as they were uploaded, checked against the limits of a public page, scored."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dibimt_metric.errors import DibimtError, InputError
from dibimt_metric.items_reading import align, fingerprint, read_items, read_predictions
from dibimt_metric.judge import Prediction
from dibimt_metric.judge_explain import judgment_record
from dibimt_metric.languages import language_rules
from dibimt_metric.records import Item
from dibimt_metric.score_results import Result, result_record, score_pairs, with_intervals

from .sentence import MAX_TEXT, check_candidates, make_judge

MAX_BYTES = 2 * 1024 * 1024
"""Size of an uploaded file."""
MAX_ITEMS = 1000
MAX_CANDIDATES = 100
"""Candidates in one list of an item."""
MAX_HYPOTHESES = 10
"""Translations in an n-best list."""
MAX_SECONDS = 60.0

# Options of the page: text and value.
WEIGHTINGS = (("mean over groups (macro)", "macro"), ("weighted by the index of the group (index)", "index"))
NBESTS = (
    ("GOOD if any of its translations is (oracle)", "oracle"),
    ("its translation with the lowest perplexity (min_perplexity)", "min_perplexity"),
)
LEVELS = (("none", 0.0), ("90 %", 0.9), ("95 %", 0.95), ("99 %", 0.99))


@dataclass(frozen=True, slots=True)
class Scored:
    """One scored file.

    Attributes:
        items, predictions: what was scored, in order.
        result: labels and scores, with intervals if they were requested.
    """

    items: tuple[Item, ...]
    predictions: tuple[Prediction, ...]
    result: Result


def limits() -> str:
    """What this page accepts, in a sentence."""
    return (
        f"At most {MAX_BYTES // 1024**2} MB a file, {MAX_ITEMS} items, {MAX_TEXT} characters a translation, "
        f"{MAX_HYPOTHESES} translations in an n-best list, {MAX_SECONDS:g} seconds of work."
    )


def score_files(
    language: str,
    items: str | Path | None,
    predictions: str | Path | None,
    weighting: str = "macro",
    level: float = 0.0,
    nbest: str = "oracle",
    seconds: float = MAX_SECONDS,
) -> Scored:
    """Score the translations of one system.

    Args:
        language: code of the target language; items of other languages are omitted.
        items: path of the file, see ``docs/formats.md``.
        predictions: the same.
        weighting: see `dibimt_metric.score.score`.
        level: of the intervals, such as 0.95; 0: no intervals.
        nbest: see `Judge`.
        seconds: time limit.

    Raises:
        InputError: a file is missing, too large, or cannot be used. Messages give its name, not its path.
    """
    paths = _checked(items, "items"), _checked(predictions, "translations")
    try:
        return _score(language, *paths, weighting, level, nbest, seconds)
    except DibimtError as error:
        raise InputError(_without_folders(str(error), paths)) from error


def _score(
    language: str, items: Path, predictions: Path, weighting: str, level: float, nbest: str, seconds: float
) -> Scored:
    known = read_items(items, language_rules(language).code)
    _check_items(known)
    pairs = tuple(align(known, read_predictions(predictions), str(predictions)))
    texts = tuple(prediction for _, prediction in pairs)
    _check_predictions(known, texts)
    judge = make_judge(language, nbest)
    result = score_pairs(judge, pairs, weighting, fingerprint(known), _in_time(seconds))
    return Scored(known, texts, with_intervals(result, level) if level else result)


def _checked(path: str | Path | None, what: str) -> Path:
    if path is None or path == "":
        raise InputError(f"the file of {what} is missing; choose one, or load the sample files")
    try:
        size = Path(path).stat().st_size
    except OSError as error:
        raise InputError(f"the file of {what} is gone; choose it again") from error
    if size > MAX_BYTES:
        raise InputError(f"the file of {what} has {size} bytes; this page accepts at most {MAX_BYTES}")
    return Path(path)


def _without_folders(message: str, paths: Iterable[Path]) -> str:
    """The message with the names of the files, since users do not know their paths here."""
    for path in paths:
        message = message.replace(str(path), path.name)
    return message


def _check_items(items: Sequence[Item]) -> None:
    if len(items) > MAX_ITEMS:
        raise InputError(
            f"there are {len(items)} items; this page accepts at most {MAX_ITEMS}. "
            "The command `dibimt score` accepts any number"
        )
    for item in items:
        for name, side in (("good", item.good), ("bad", item.bad)):
            lemmas = tuple(candidate.lemma for candidate in side)
            check_candidates(lemmas, f"item {item.id!r:.60}, {name}", MAX_CANDIDATES)


def _check_predictions(items: Sequence[Item], predictions: Sequence[Prediction]) -> None:
    for item, prediction in zip(items, predictions, strict=True):
        where = f"item {item.id!r:.60}"
        if len(prediction) > MAX_HYPOTHESES:
            raise InputError(
                f"{where}: {len(prediction)} hypotheses; this page accepts at most {MAX_HYPOTHESES} for an item"
            )
        longest = max(len(hypothesis.text) for hypothesis in prediction)
        if longest > MAX_TEXT:
            raise InputError(f"{where}: a translation has {longest} characters; this page accepts at most {MAX_TEXT}")


def _in_time(seconds: float) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """A wrapper of the work with a time limit, so that others get their turn."""

    def until(pairs: Iterable[Any]) -> Iterator[Any]:
        end = time.monotonic() + seconds
        for done, pair in enumerate(pairs):
            if time.monotonic() > end:
                raise InputError(
                    f"after {seconds:g} seconds only {done} items were done; give a smaller file, "
                    "or use the command `dibimt score`"
                )
            yield pair

    return until


def report_record(scored: Scored) -> dict[str, Any]:
    """The report as a record for JSON, with the keys of ``dibimt score --json``."""
    return result_record(scored.result)


def label_records(scored: Scored) -> list[dict[str, Any]]:
    """Label and matches of each item: see `judgment_record`."""
    return [judgment_record(judgment) for judgment in scored.result.judgments]


def downloads(scored: Scored) -> dict[str, str]:
    """The files to download, by name: the report, and the labels."""
    language = scored.result.language
    return {
        f"report.{language}.json": _json(report_record(scored), indent=2),
        f"labels.{language}.jsonl": "".join(map(_json, label_records(scored))),
    }


def _json(value: object, indent: int | None = None) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False) + "\n"
