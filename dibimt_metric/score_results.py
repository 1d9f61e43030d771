"""From items and translations of one language to labels, scores and a signature, and the records of a result.

This is the plain Python interface::

    from dibimt_metric import Judge, read_items, score_translations
    result = score_translations(Judge("de"), read_items("items.jsonl"), translations)
    result.scores.accuracy.value, str(result.signature)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

from .errors import InputError
from .errors import shown
from .items_reading import fingerprint
from .judge import Hypothesis
from .judge import Judge
from .judge import Prediction
from .judge import as_prediction
from .records import Item
from .records import Judgment
from .records import Outcome
from .score import Scores
from .score import mean_over_languages
from .score import score
from .score_bootstrap import LEVEL
from .score_bootstrap import N_RESAMPLES
from .score_bootstrap import SEED
from .score_bootstrap import Bootstrap
from .score_bootstrap import bootstrap
from .score_breakdown import by_frequency_index
from .score_breakdown import by_polysemy
from .score_breakdown import by_pos
from .score_measures import Weighting
from .signature import Signature
from .signature import common_signature
from .signature import make_signature

Progress = Callable[[Iterable[Any]], Iterable[Any]]
Record = dict[str, int | float | str | None]


@dataclass(frozen=True, slots=True)
class Result:
    """One system in one language.

    Attributes:
        language: code of the target language.
        judgments: label and matches of each item, in order.
        outcomes: the same for scoring: label and numbers only.
        scores: see `score.Scores`.
        signature: every choice that can change a number.
        intervals: of the scores, where they were made; see `with_intervals`.
    """

    language: str
    judgments: tuple[Judgment, ...]
    outcomes: tuple[Outcome, ...]
    scores: Scores
    signature: Signature
    intervals: Bootstrap | None = None

    def as_dict(self) -> Record:
        """Flat record: ``n good bad miss unk accuracy sfi pdi mfs mfs_plus coverage signature``, then details."""
        return _with_signature(self.scores.as_dict(), self.signature)


def score_translations(
    judge: Judge,
    items: Sequence[Item],
    predictions: Sequence[str | Sequence[str | Hypothesis]],
    weighting: Weighting | str = Weighting.MACRO,
    data: str | None = None,
    progress: Progress = iter,
) -> Result:
    """Label and score the translations of one system.

    Args:
        judge: the language, with its analyzers, rules and options.
        items: the items.
        predictions: for each item its translation, or its n-best list.
        weighting: how SFI and PDI put their groups together.
        data: name of the item set for the signature; ``None``: a fingerprint of the items.
        progress: wraps the iteration, such as ``tqdm``.

    Raises:
        InputError: the numbers differ, an item is not an `Item` or is for another language, or a prediction cannot
            be used.

    >>> from dibimt_metric.items import make_item
    >>> item = make_item({"id": "1", "good": ["Ufer"], "bad": ["Bank"], "frequency_index": 1})
    >>> score_translations(Judge("de"), [item], ["Wir saßen am Ufer."]).scores.accuracy.value
    100.0
    """
    items, predictions = _listed(items, "items"), _listed(predictions, "predictions")
    if len(items) != len(predictions):
        raise InputError(
            f"{len(predictions)} predictions for {len(items)} items; "
            "give one prediction for each item, in the same order"
        )
    if wrong := [item for item in items if not isinstance(item, Item)]:
        raise InputError(f"an item is an `Item`, not {shown(wrong[0])}; make one with `make_item`")
    pairs = zip(items, _checked(items, predictions), strict=True)
    return score_pairs(judge, pairs, weighting, data or fingerprint(items), progress)


def score_pairs(
    judge: Judge,
    pairs: Iterable[tuple[Item, Prediction]],
    weighting: Weighting | str,
    data: str,
    progress: Progress = iter,
) -> Result:
    """Label and score pairs of item and prediction, one after the other; texts are not kept.

    Raises:
        InputError: an item is for another language.
    """
    judgments: list[Judgment] = []
    outcomes: list[Outcome] = []
    for item, prediction in progress(pairs):
        if item.language not in (None, judge.language):
            raise InputError(
                f"item {item.id!r} is for language {item.language!r}, but {judge.language!r} is being scored"
            )
        judgments.append(judge.judge(item, prediction))
        outcomes.append(judge.outcome(item, judgments[-1]))
    scores = score(outcomes, weighting, judge.ties)
    fields = {**judge.signature_fields(), "weighting": scores.weighting.value, "data": data}
    return Result(judge.language, tuple(judgments), tuple(outcomes), scores, make_signature(fields))


def _listed(values: Any, name: str) -> Sequence[Any]:
    if isinstance(values, (str, bytes, Mapping, Set)) or not isinstance(values, Iterable):
        raise InputError(f"{name!r} is a list with one entry for each item, in order, not {shown(values)}")
    return values if isinstance(values, Sequence) else tuple(values)


def _checked(items: Sequence[Item], predictions: Sequence[Any]) -> Iterator[Prediction]:
    for number, (item, prediction) in enumerate(zip(items, predictions, strict=True)):
        try:
            yield as_prediction(prediction)
        except InputError as error:
            raise InputError(f"prediction {number} (item {item.id!r}): {error}") from error


def with_intervals(result: Result, level: float = LEVEL, n_resamples: int = N_RESAMPLES, seed: int = SEED) -> Result:
    """The result with intervals, and with the three options that they depend on in its signature.

    Args:
        result: labels and scores.
        level: share of the resamples inside an interval, between 0 and 1.
        n_resamples: resamples to draw.
        seed: of the generator, 0 or more.

    Raises:
        InputError: an option cannot be used.
        MissingLibraryError: numpy is not installed.
    """
    made = bootstrap(result.outcomes, result.scores.weighting, level=level, n_resamples=n_resamples, seed=seed)
    return replace(result, intervals=made, signature=result.signature.extended(made.options()))


def result_record(result: Result) -> dict[str, Any]:
    """A result as a nested record for JSON: scores and signature, then reasons, breakdowns and intervals."""
    outcomes = result.outcomes
    record: dict[str, Any] = {
        **result.as_dict(),
        "language": result.language,
        "undefined": result.scores.undefined(),
        "by_frequency_index": [cell.as_dict() for cell in by_frequency_index(outcomes)],
        "by_polysemy": [cell.as_dict() for cell in by_polysemy(outcomes)],
        "by_pos": [cell.as_dict() for cell in by_pos(outcomes)],
    }
    if result.intervals is not None:
        record["intervals"] = {**result.intervals.options(), **result.intervals.as_dict()}
    return record


def flat_record(results: Mapping[str, Result], several: bool) -> Record:
    """The results of one system as a flat record of numbers and strings, as ``evaluate`` returns it.

    Args:
        results: by language.
        several: the record is for several languages: first their mean, then the numbers of each, as ``accuracy_de``,
            even where there is one only.
    """
    flat = {code: _language_record(result) for code, result in results.items()}
    if not several:
        return next(iter(flat.values()))
    mean = mean_over_languages({code: result.scores for code, result in results.items()})
    signature = common_signature(result.signature for result in results.values())
    return {
        **_with_signature(mean.as_dict(), signature),
        "languages": " ".join(results),
        "undefined": _reasons(mean.undefined()),
        "partial": _reasons(mean.partial()),
        **{f"{key}_{code}": value for code, record in flat.items() for key, value in record.items()},
    }


def _language_record(result: Result) -> Record:
    record = {**result.as_dict(), "undefined": _reasons(result.scores.undefined())}
    return {**record, **(result.intervals.as_dict() if result.intervals else {})}


def _with_signature(numbers: Mapping[str, int | float | None], signature: Signature) -> Record:
    """The numbers with the signature after the coverage, the last of the leading keys."""
    names = list(numbers)
    end = names.index("coverage") + 1
    leading: Record = {name: numbers[name] for name in names[:end]}
    return {**leading, "signature": str(signature), **{name: numbers[name] for name in names[end:]}}


def _reasons(reasons: Mapping[str, str]) -> str:
    return "; ".join(f"{metric}: {why}" for metric, why in reasons.items()) or "none"
