"""A sample of pairs, the same number from each paradigm, and the fingerprint of a data set.

Pairs are drawn, never sentences: a sample of sentences would contain half pairs. A pair's place in the draw depends on
the seed, the name of its paradigm and the pairs of this paradigm, not on the order of the file or on other paradigms;
a larger sample with the same seed contains the smaller one, except for the remainder.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import TYPE_CHECKING, TypeVar

from dibimt_metric.errors import InputError, MissingLibraryError, shown

from ..records import Pair

if TYPE_CHECKING:
    import numpy as np

_T = TypeVar("_T")

_DIGITS = 12


@dataclass(frozen=True, slots=True)
class Sample:
    """Pairs drawn from a data set.

    Attributes:
        pairs: by paradigm and number.
        wanted: how many were to be drawn. seed: of the draw.
        short: paradigms with fewer pairs than wanted, and their number of pairs: all were taken.
        left_out: paradigms without a drawn pair, because fewer pairs than paradigms were wanted.
    """

    pairs: tuple[Pair, ...]
    wanted: int
    seed: int
    short: tuple[tuple[str, int], ...] = ()
    left_out: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """For signatures: ``670,seed=0``; with the true number where there were fewer: ``663/670,seed=0``."""
        taken = len(self.pairs)
        number = str(taken) if taken == self.wanted else f"{taken}/{self.wanted}"
        return f"{number},seed={self.seed}"


def sample_pairs(pairs: Iterable[Pair], n: int, seed: int = 0) -> Sample:
    """Draw n pairs in total, spread evenly over the paradigms.

    Each of P paradigms contributes n // P pairs, and n % P of them, drawn by the seed, one more. A paradigm with fewer
    contributes all it has; the rest is not taken from others, so that the sample stays balanced.

    Args:
        pairs: of a data set, in any order.
        n: pairs in total, 1 or more.
        seed: 0 or more.

    Raises:
        InputError: ``n`` or ``seed`` is out of range.
        MissingLibraryError: numpy is missing.

    >>> pairs = [Pair(f"good {i}", f"bad {i}", name, str(i), i, name) for name in ("a", "b") for i in range(5)]
    >>> [pair.paradigm for pair in sample_pairs(pairs, 4).pairs]
    ['a', 'a', 'b', 'b']
    """
    _check("n", n, 1)
    groups = _grouped(pairs)
    each, extra = divmod(n, max(1, len(groups)))
    lucky = set(_shuffled(sorted(groups), _generator(seed, ""))[:extra])
    return _draw(groups, {name: each + (name in lucky) for name in groups}, n, seed)


def sample_each(pairs: Iterable[Pair], per_paradigm: int, seed: int = 0) -> Sample:
    """Draw the same number of pairs from every paradigm; arguments and errors as in `sample_pairs`.

    >>> pairs = [Pair(f"good {i}", f"bad {i}", "a", str(i), i, "a") for i in range(3)]
    >>> sample = sample_each(pairs, 5)
    >>> sample.short, sample.name
    ((('a', 3),), '3/5,seed=0')
    """
    _check("per_paradigm", per_paradigm, 1)
    groups = _grouped(pairs)
    return _draw(groups, dict.fromkeys(groups, per_paradigm), per_paradigm * len(groups), seed)


def fingerprint(pairs: Iterable[Pair]) -> str:
    """Twelve hexadecimal digits that change with any field of any pair, but not with the order of pairs.

    Example:
        >>> one, other = (Pair("Anna sleeps.", f"Anna {verb}.", "a", "0", 0, "a") for verb in ("sleep", "slept"))
        >>> fingerprint([one, other]) == fingerprint([other, one]) != fingerprint([one])
        True
    """
    values = attrgetter(*(field.name for field in fields(Pair)))
    # ascii(), not JSON: the same in all Python versions, exact, and many times as fast on a whole data set.
    digests = sorted(hashlib.sha256(ascii(values(pair)).encode("ascii")).digest() for pair in pairs)
    return hashlib.sha256(b"".join(digests)).hexdigest()[:_DIGITS]


def _grouped(pairs: Iterable[Pair]) -> dict[str, list[Pair]]:
    groups: dict[str, list[Pair]] = {}
    for pair in sorted(pairs, key=lambda pair: (pair.paradigm, pair.pair_id, pair.sentence_good, pair.sentence_bad)):
        groups.setdefault(pair.paradigm, []).append(pair)
    return groups


def _draw(groups: Mapping[str, Sequence[Pair]], wanted: Mapping[str, int], n: int, seed: int) -> Sample:
    taken: list[Pair] = []
    for name, members in groups.items():
        order = _shuffled(range(len(members)), _generator(seed, name))[: wanted[name]]
        taken.extend(members[place] for place in sorted(order))
    short = tuple((name, len(groups[name])) for name in groups if len(groups[name]) < wanted[name])
    return Sample(tuple(taken), n, seed, short, tuple(name for name in groups if not wanted[name]))


def _shuffled(values: Sequence[_T], generator: np.random.Generator) -> list[_T]:
    return [values[place] for place in generator.permutation(len(values))]


def _generator(seed: int, name: str) -> np.random.Generator:
    """A separate stream for each name, so that the draw of a paradigm does not depend on the others."""
    _check("seed", seed, 0)
    try:
        import numpy as np
    except ImportError as error:
        raise MissingLibraryError("a sample needs numpy; install it with: pip install numpy") from error
    return np.random.default_rng([seed, int.from_bytes(hashlib.sha256(name.encode("utf-8")).digest()[:8], "big")])


def _check(name: str, value: object, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise InputError(f"{name} is {shown(value)}; expected an integer of at least {least}")
