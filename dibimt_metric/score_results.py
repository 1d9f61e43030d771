"""The whole way for one language: items and translations in; labels, scores and a signature out.

This is the plain Python interface::

    from dibimt_metric import Judge, read_items, score_translations
    result = score_translations(Judge("de"), read_items("items.jsonl"), translations)
    result.scores.accuracy.value, str(result.signature)
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from collections.abc import Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .errors import InputError
from .errors import shown
from .items_reading import as_hypotheses
from .items_reading import fingerprint
from .judge import Hypothesis
from .judge import Judge
from .judge import Prediction
from .records import Item
from .records import Judgment
from .records import Outcome
from .score import Scores
from .score import score
from .score_breakdown import by_frequency_index
from .score_breakdown import by_polysemy
from .score_breakdown import by_pos
from .score_measures import Weighting
from .signature import Signature
from .signature import make_signature

if TYPE_CHECKING:
    from .score_bootstrap import Bootstrap

Progress = Callable[[Iterable[Any]], Iterable[Any]]


@dataclass(frozen=True, slots=True)
class Result:
    """One system in one language.

    Attributes:
        language: code of the target language.
        judgments: label and matches of each item, in order.
        outcomes: the same for scoring: label and numbers only.
        scores: see `scoring.Scores`.
        signature: every choice that can change a number.
    """

    language: str
    judgments: tuple[Judgment, ...]
    outcomes: tuple[Outcome, ...]
    scores: Scores
    signature: Signature

    def as_dict(self) -> dict[str, int | float | str | None]:
        """Flat record: ``n good bad miss unk accuracy sfi pdi mfs mfs_plus coverage signature``, then details."""
        record: dict[str, int | float | str | None] = dict(self.scores.as_dict())
        names = list(record)
        leading = names[: names.index("coverage") + 1]
        return {
            **{name: record[name] for name in leading},
            "signature": str(self.signature),
            **{name: record[name] for name in names if name not in leading},
        }


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
        InputError: the numbers differ, an item is none or is for another language, or a prediction cannot be used.

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
            yield as_hypotheses(prediction)
        except InputError as error:
            raise InputError(f"prediction {number} (item {item.id!r}): {error}") from error


def score_record(result: Result, confidence: Bootstrap | None) -> dict[str, Any]:
    """A result as a record for JSON: the scores with the signature, then reasons, breakdowns and intervals."""
    outcomes = result.outcomes
    record: dict[str, Any] = {
        **result.as_dict(),
        "language": result.language,
        "undefined": result.scores.undefined(),
        "by_frequency_index": [cell.as_dict() for cell in by_frequency_index(outcomes)],
        "by_polysemy": [cell.as_dict() for cell in by_polysemy(outcomes)],
        "by_pos": [cell.as_dict() for cell in by_pos(outcomes)],
    }
    if confidence is not None:
        made = {"level": confidence.level, "resamples": confidence.n_resamples, "seed": confidence.seed}
        record["confidence"] = {**made, **confidence.as_dict()}
    return record
