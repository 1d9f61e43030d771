"""The one form in which a pair of item and prediction travels through ``evaluate``: two lines of JSON.

``evaluate`` writes predictions and references to a typed file, for all processes of a run, and reads them
back before it computes. A type that allows every form of them does not exist there, but a string always fits.
The JSON is ASCII, so that no text, however broken, can fail to be written.
"""

from __future__ import annotations

import json
from typing import Any

from .errors import InputError
from .judge import Hypothesis
from .records import Candidate
from .records import Focus
from .records import Item
from .records import PartOfSpeech
from .references import DataSet
from .references import Pair

_SCALARS = ("source", "lemma", "synset", "definition", "frequency_index", "polysemy", "language")


def encode(pair: Pair, data_set: DataSet | None = None) -> tuple[str, str]:
    """The prediction and the reference of a pair, each as one line.

    An item of the data set is written as its id alone: every process has loaded the data set. With it goes the
    ``origin`` of the data set where it has one.

    >>> from .references import pairs
    >>> encode(pairs(["am Ufer"], [{"good": ["Ufer"]}], "de")[0])[0]
    '[["am Ufer", null]]'
    """
    prediction = [[hypothesis.text, hypothesis.perplexity] for hypothesis in pair.prediction]
    reference: dict[str, Any] = {"language": pair.language, "id": pair.item_id}
    if not pair.looked_up:
        reference["item"] = _item_to_json(pair.item)
    elif data_set is not None and (origin := data_set.origin(pair.language)) is not None:
        reference["origin"] = origin
    return json.dumps(prediction), json.dumps(reference)


def decode(prediction: str, reference: str, position: int, data_set: DataSet) -> Pair:
    """The pair that was encoded; an item without an id gets one from its ``position`` among all pairs.

    Raises:
        InputError: its item came from another revision of the data set.
    """
    hypotheses = tuple(Hypothesis(text, perplexity) for text, perplexity in json.loads(prediction))
    row = json.loads(reference)
    language, item_id = row["language"], row["id"]
    if "item" not in row:
        own = data_set.origin(language)
        if row.get("origin") != own:
            raise InputError(
                f"one process has loaded {row.get('origin')} and another {own}; load the same data set in all of "
                "them, with the same dataset_revision"
            )
        return Pair(language, data_set.find(item_id, language)[1], hypotheses, item_id, looked_up=True)
    item = _item_from_json(row["item"], f"#{position}" if item_id is None else item_id)
    return Pair(language, item, hypotheses, item_id)


def _item_to_json(item: Item) -> dict[str, Any]:
    row = {name: getattr(item, name) for name in _SCALARS if getattr(item, name) is not None}
    if item.focus is not None:
        row["focus"] = [item.focus.text, item.focus.start, item.focus.end]
    if item.pos is not None:
        row["pos"] = item.pos.value
    return {**row, "good": _candidates_to_json(item.good), "bad": _candidates_to_json(item.bad)}


def _item_from_json(row: dict[str, Any], item_id: str) -> Item:
    return Item(
        id=item_id,
        focus=Focus(*row["focus"]) if "focus" in row else None,
        pos=PartOfSpeech(row["pos"]) if "pos" in row else None,
        good=_candidates_from_json(row["good"]),
        bad=_candidates_from_json(row["bad"]),
        **{name: row[name] for name in _SCALARS if name in row},
    )


def _candidates_to_json(candidates: tuple[Candidate, ...]) -> list[list[Any]]:
    return [[c.lemma, c.pos and c.pos.value, c.synsets, c.frequency_indices] for c in candidates]


def _candidates_from_json(rows: list[list[Any]]) -> tuple[Candidate, ...]:
    # Not read as a user's candidate again: "[[Laus]]" would lose its brackets one by one.
    return tuple(
        Candidate(lemma, None if pos is None else PartOfSpeech(pos), tuple(synsets), tuple(indices))
        for lemma, pos, synsets, indices in rows
    )
