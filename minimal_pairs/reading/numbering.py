"""The numbers of pairs within their paradigms."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

from dibimt_metric.errors import InputError, shown

from ..records import Pair


class Numbering:
    """Numbers the pairs of each paradigm and sees that no number stands twice.

    Args:
        renumber: whether pairs are counted from 0, whatever numbers they bring.
    """

    def __init__(self, renumber: bool = False) -> None:
        self._renumber = renumber
        self._places: defaultdict[str, dict[int, str]] = defaultdict(dict)

    def next(self, paradigm: str) -> int:
        """A number for a pair that brings none: how many the paradigm has so far."""
        return len(self._places[paradigm])

    def check(self, pair: Pair, place: str) -> Pair:
        """The pair, under its final number.

        Args:
            pair: the pair.
            place: where it stands, for messages.

        Raises:
            InputError: another pair of the paradigm has this number.
        """
        places = self._places[pair.paradigm]
        if self._renumber:
            pair = replace(pair, pair_id=len(places))
        if pair.pair_id in places:
            raise InputError(
                f"{place}: pair {pair.pair_id} of {shown(pair.paradigm)} stands already in {places[pair.pair_id]}; "
                "give each pair of a paradigm an id of its own, or have those of a file counted anew: renumber "
                "(--renumber)"
            )
        places[pair.pair_id] = place
        return pair
