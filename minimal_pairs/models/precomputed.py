"""Scores from a file, computed by any system that can print log-probabilities.

=============  ===============================================================================================
JSON Lines     ``{"paradigm": "wh_island", "pair_id": 0, "good": -31.2, "bad": -33.9}``, one object per line
TSV            the same with a header: ``paradigm``, ``pair_id``, ``good``, ``bad``, in any order
two columns    good and bad, separated by a tab or spaces, a line for each pair in the order of the data
one column     good, bad, good, bad ...: a line for each sentence in the order of the data
=============  ===============================================================================================

The first two may contain ``good_tokens`` and ``bad_tokens`` (how many tokens were summed); any other columns are
ignored. ``UID`` and ``pairID`` are other names for ``paradigm`` and ``pair_id``. ``NA``, and ``null`` in JSON, mean
that a sentence has no score; ``-inf`` is a probability of zero, which does not count as a score either
(``not_finite``). NaN, ``inf`` and log-probabilities over 0 are errors: surprisals would reverse every decision.

Scores belong to pairs, not to texts, because the same sentence may have different numbers in two pairs. So they are
requested by pair.
"""

from __future__ import annotations

import copy
import hashlib
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from dibimt_metric.errors import InputError, shown

from ..reading.sources import decode
from ..records import Pair, Request, TextScore
from .precomputed_files import Key, ScoredPair, raise_all, read_scores
from .spans import length_of

if TYPE_CHECKING:
    from ..scoring.presets import Preset

BASES = {"e": 1.0, "2": math.log(2), "10": math.log(10), "any": 1.0}
"""Of what the numbers are logarithms, and what makes them natural ones. ``any``: higher is better, no more is known."""


class PrecomputedScores:
    r"""Scores of pairs that something else has computed.

    Args:
        rows: of the file.
        preset: the settings; only ``reduction`` matters here: ``mean`` needs counts of tokens.
        name: for signatures.
        base: a key of `BASES`.

    Attributes:
        name: see `minimal_pairs.records.LanguageModel`.
        keyed: whether the rows name their pairs; otherwise they must be matched with the data before use.
        has_tokens: whether the file says how many tokens were summed; if not, all counts of tokens are 0.

    Raises:
        InputError: an unknown base, two rows for one pair, or ``mean`` without counts of tokens.

    >>> from minimal_pairs.scoring.presets import preset
    >>> pairs = [Pair("Anna sleeps.", "Anna sleep.", "agreement", "0", 0, "agreement")]
    >>> rows = read_scores("-20.5 -23\n", "scores.txt")
    >>> scores = PrecomputedScores(rows, preset("paper"), "scores.txt").match(pairs)
    >>> scores.outcome_scores(pairs[0])[0]
    TextScore(logprob=-20.5, tokens=0, length=12, reason=None)
    """

    def __init__(self, rows: Sequence[ScoredPair], preset: Preset, name: str, base: str = "e") -> None:
        check_base(base)
        self.name = name
        self.keyed = all(row.key is not None for row in rows)
        self.has_tokens = all(row.good_tokens is not None and row.bad_tokens is not None for row in rows)
        if preset.reduction == "mean" and not self.has_tokens:
            raise InputError(
                f"{name}: the mean over tokens needs good_tokens and bad_tokens in every row; add these columns, or "
                "choose another reduction (--reduction)"
            )
        self._rows = tuple(rows)
        self._factor = BASES[base]
        self._by_key: Mapping[Key, ScoredPair] = _index(rows)

    @classmethod
    def from_path(
        cls,
        name_or_path: str | os.PathLike[str],
        preset: Preset,
        *,
        base: str = "e",
        device: str = "cpu",
        dtype: str = "float32",
        revision: str | None = None,
        batch_tokens: int | None = None,
    ) -> PrecomputedScores:
        """The scores of a file in one of the four forms above.

        The options of the class apply; the others, which all kinds of models accept, are ignored.

        Raises:
            InputError: the file cannot be read, or rows have errors; lists the first ones with their lines.
        """
        check_base(base)
        path = Path(name_or_path)
        try:
            data = path.read_bytes()
        except OSError as error:
            raise InputError(f"{path}: cannot be read ({error.strerror}); expected a file of scores") from error
        rows = read_scores(decode(data, str(path)), str(path), log=base != "any")
        digest = hashlib.sha256(data).hexdigest()[:12]
        return cls(rows, preset, f"scores:{path.name}|sha256:{digest}|base:{base}", base)

    def match(self, pairs: Iterable[Pair]) -> PrecomputedScores:
        """The same scores, checked against the data: every pair has scores, and there are none for other pairs.

        Args:
            pairs: the whole data set in its order, before any sampling.

        Raises:
            InputError: missing or unknown pairs, or, if the file relies on order, another number of scores.
        """
        keys = [(pair.paradigm, pair.pair_id) for pair in pairs]
        if self.keyed:
            self._check(keys)
            return self
        if len(keys) != len(self._rows):
            raise InputError(
                f"{self.name}: scores of {len(self._rows)} pairs, but the data has {len(keys)}; expected one for each, "
                "in the order of the data, or a file that names the pairs"
            )
        matched = copy.copy(self)
        matched.keyed = True
        matched._rows = tuple(row._replace(key=key) for row, key in zip(self._rows, keys, strict=True))
        matched._by_key = _index(matched._rows)
        return matched

    def outcome_scores(
        self, pair: Pair, requests: tuple[Request, Request] | None = None
    ) -> tuple[TextScore, TextScore]:
        """The scores of the good and the bad sentence of a pair.

        Args:
            pair: the pair.
            requests: the scored texts, for their length in bytes; ``None``: the two sentences.

        Raises:
            InputError: the file lacks the pair, or relies on order and was not matched.
        """
        if not self.keyed:
            raise InputError(f"{self.name}: these scores do not name their pairs; match them with the data first")
        key = (pair.paradigm, pair.pair_id)
        row = self._by_key.get(key)
        if row is None:
            raise InputError(f"{self.name}: no scores for {_pair(key)}; add them")
        good, bad = requests or (Request(pair.sentence_good), Request(pair.sentence_bad))
        return self._answer(row.good, row.good_tokens, good), self._answer(row.bad, row.bad_tokens, bad)

    def score(self, requests: Sequence[Request]) -> list[TextScore]:
        """Not possible: a text does not identify a pair; use `outcome_scores`."""
        raise InputError(f"{self.name}: scores from a file belong to pairs, not to texts; use outcome_scores")

    def _answer(self, value: float | None, tokens: int | None, request: Request) -> TextScore:
        length = length_of(request)
        if value is None:
            return TextScore(None, 0, length, "no_score")
        if math.isinf(value):
            return TextScore(None, 0, length, "not_finite")
        return TextScore(value * self._factor, tokens or 0, length)

    def _check(self, keys: Sequence[Key]) -> None:
        known = set(keys)
        problems = [f"{self.name}: no scores for {_pair(key)}" for key in keys if key not in self._by_key]
        problems += [f"{row.place}: the data has no {_pair(k)}" for k, row in self._by_key.items() if k not in known]
        raise_all(problems, "the file must contain every pair of the data once, and no other")


def check_base(base: str) -> None:
    """Reject anything that is not a key of `BASES`."""
    if base not in BASES:
        raise InputError(f"unknown base {shown(base)}: expected one of {', '.join(BASES)}")


def _index(rows: Sequence[ScoredPair]) -> Mapping[Key, ScoredPair]:
    """The rows that name their pair, by this name."""
    found: dict[Key, ScoredPair] = {}
    problems = []
    for row in rows:
        if row.key is not None and found.setdefault(row.key, row) is not row:
            problems.append(f"{row.place}: {_pair(row.key)} again, as in {found[row.key].place}")
    raise_all(problems, "every pair must have one row")
    return found


def _pair(key: Key) -> str:
    return f"pair {key[1]} of paradigm {shown(key[0])}"
