"""Files for further work: one JSON object per item, and a review sheet of the MISS items."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dibimt_metric.errors import InputError
from dibimt_metric.judge_explain import judgment_record
from dibimt_metric.records import Label

from ..output import to_json_lines

if TYPE_CHECKING:
    from dibimt_metric.judge import Prediction
    from dibimt_metric.records import Item, Judgment

_SHEET_ENDINGS = (".tsv", ".tab")
_LINES_ENDINGS = (".jsonl", ".json", ".ndjson")


def per_item_lines(judgments: Iterable[Judgment]) -> str:
    """JSON Lines with the label and the matches of each item; see `judgment_record`."""
    return to_json_lines(judgment_record(judgment) for judgment in judgments)


def check_review_name(path: str | None) -> None:
    """Reject a review file with an unknown extension before the work begins.

    Raises:
        InputError: the extension means neither a sheet nor JSON Lines.
    """
    if path and Path(path).suffix not in (*_SHEET_ENDINGS, *_LINES_ENDINGS):
        known = ", ".join((*_SHEET_ENDINGS, *_LINES_ENDINGS))
        raise InputError(f"{path}: a review file is a sheet or JSON Lines; end its name with one of {known}")


def review_text(path: Path | str, pairs: Sequence[tuple[Item, Prediction]], judgments: Sequence[Judgment]) -> str:
    """The MISS items with everything a reviewer needs: a sheet (``.tsv``) or JSON Lines.

    The reviewer fills in the last two fields: ``verdict`` (GOOD or BAD) and ``candidate`` (the word to add to that
    list). Source: Martelli et al. 2025, where each MISS was reviewed after the evaluation.
    """
    records = [
        review_record(item, prediction, judgment)
        for (item, prediction), judgment in zip(pairs, judgments, strict=True)
        if judgment.label is Label.MISS
    ]
    return _sheet(records) if Path(path).suffix in _SHEET_ENDINGS else to_json_lines(records)


def review_record(item: Item, prediction: Prediction, judgment: Judgment) -> dict[str, Any]:
    """One MISS item; of an n-best list, the hypothesis that decided the judgment."""
    return {
        "id": item.id,
        "language": judgment.language,
        "source": item.source,
        "focus": item.focus.text if item.focus else item.lemma,
        "definition": item.definition,
        "translation": prediction[judgment.hypothesis].text,
        "good": [candidate.lemma for candidate in item.good],
        "bad": [candidate.lemma for candidate in item.bad],
        "verdict": None,
        "candidate": None,
    }


_COLUMNS = (
    "id", "language", "source", "focus", "definition", "translation", "good", "bad", "verdict", "candidate"
)  # fmt: skip


def _sheet(records: Iterable[dict[str, Any]]) -> str:
    rows = ["\t".join(_cell(record[column]) for column in _COLUMNS) for record in records]
    return "\n".join(("\t".join(_COLUMNS), *rows)) + "\n"


def _cell(value: Any) -> str:
    """A cell without tabs and line breaks, which would break the sheet."""
    text = "; ".join(value) if isinstance(value, list) else value or ""
    return " ".join(text.split())
