"""All metrics of all bootstrap resamples at once.

Items that agree in everything a metric can see (label, frequency index, polysemy degree, chosen sense) are
one *kind*. A resample is then how often each kind was drawn, and the metrics of all resamples are a few
products of small matrices. The result equals a loop that scores each resample.

Undefined is not-a-number inside this module and in what :func:`resample` returns.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from .bias import FREQUENCY
from .bias import POLYSEMY
from .bias import Choice
from .bias import choice_of
from .measures import Weighting
from .measures import index_of
from .measures import label_of
from .records import Label
from .records import Outcome

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]
    Ints: TypeAlias = NDArray[np.int64]


class Kind(NamedTuple):
    """All that a metric can see of an outcome; 0 and the empty string stand for unknown or none."""

    good: bool
    bad: bool
    frequency_index: int
    polysemy: int
    choice: str


def kind_of(outcome: Outcome) -> Kind:
    """The kind of an outcome.

    Raises:
        InputError: a label or number cannot be used.

    Example:
        >>> kind_of(Outcome("a", Label.GOOD, 2))
        Kind(good=True, bad=False, frequency_index=2, polysemy=0, choice='')
    """
    label = label_of(outcome)
    chosen = choice_of(outcome)
    return Kind(
        good=label is Label.GOOD,
        bad=label is Label.BAD,
        frequency_index=index_of(outcome, FREQUENCY) or 0,
        polysemy=index_of(outcome, POLYSEMY) or 0,
        choice="" if chosen is None else chosen.value,
    )


def canonical(outcomes: Iterable[Outcome]) -> tuple[Outcome, ...]:
    """The outcomes by id, then by kind, so that the order of a file changes no resample.

    Example:
        >>> [outcome.item_id for outcome in canonical([Outcome("b", Label.BAD), Outcome("a", Label.BAD)])]
        ['a', 'b']
    """
    return tuple(sorted(outcomes, key=lambda outcome: (outcome.item_id, kind_of(outcome))))


def resample_indices(n: int, n_resamples: int, seed: int) -> Iterator[Ints]:
    """The positions of the items of each resample: ``n`` numbers from 0 to ``n - 1``.

    Example:
        >>> [len(indices) for indices in resample_indices(5, 2, seed=0)]
        [5, 5]
    """
    import numpy as np

    generator = np.random.default_rng(seed)
    for _ in range(n_resamples if n else 0):
        yield generator.integers(0, n, size=n, dtype=np.int64)


def resample(
    systems: Sequence[Sequence[Outcome]], weighting: Weighting, n_resamples: int, seed: int
) -> list[dict[str, Floats]]:
    """The metrics of every resample, for each system.

    Args:
        systems: the outcomes of each system on the same items in the same order; an item drawn is drawn
            for all of them.
        weighting: how SFI and PDI put their groups together.
        n_resamples: resamples to draw.
        seed: of the generator.

    Returns:
        For each system, name of the metric and its values in percent, one for each resample,
        not-a-number where it is undefined.

    Raises:
        InputError: a label or number cannot be used.

    Example:
        >>> outcomes = [Outcome("a", Label.GOOD), Outcome("b", Label.GOOD)]
        >>> resample([outcomes], Weighting.MACRO, 3, seed=0)[0]["accuracy"].tolist()
        [100.0, 100.0, 100.0]
    """
    import numpy as np

    numbers: dict[tuple[Kind, ...], int] = {}
    rows = zip(*([kind_of(outcome) for outcome in outcomes] for outcomes in systems), strict=True)
    codes = np.array([numbers.setdefault(row, len(numbers)) for row in rows], dtype=np.int64)
    draws = np.zeros((n_resamples, len(numbers)))
    for line, indices in enumerate(resample_indices(len(codes), n_resamples, seed)):
        draws[line] = np.bincount(codes[indices], minlength=len(numbers))
    return [_metrics(draws, [row[side] for row in numbers], weighting) for side in range(len(systems))]


def _metrics(draws: Floats, kinds: Sequence[Kind], weighting: Weighting) -> dict[str, Floats]:
    good = draws @ _flags(kind.good for kind in kinds)
    bad = draws @ _flags(kind.bad for kind in kinds)
    # Index 1 is more frequent than any other: what counts for MFS counts for MFS+ too.
    most = draws @ _flags(kind.choice == Choice.MOST_FREQUENT for kind in kinds)
    more = draws @ _flags(kind.choice == Choice.MORE_FREQUENT for kind in kinds) + most
    entered = draws @ _flags(kind.choice == Choice.LESS_FREQUENT for kind in kinds) + more
    return {
        "accuracy": _percent(good, good + bad),
        "sfi": _grouped(draws, kinds, [kind.frequency_index for kind in kinds], weighting),
        "pdi": _grouped(draws, kinds, [kind.polysemy for kind in kinds], weighting),
        "mfs": _percent(most, entered),
        "mfs_plus": _percent(more, entered),
    }


def _flags(values: Iterable[bool]) -> Floats:
    """1 for true and 0 for false; a product with the draws then counts the items drawn."""
    import numpy as np

    return np.array(list(values), dtype=np.float64)


def _percent(part: Floats, whole: Floats) -> Floats:
    """``100 * part / whole``, not-a-number where nothing entered."""
    import numpy as np

    return np.divide(100 * part, whole, out=np.full_like(part, np.nan), where=whole > 0)


def _grouped(draws: Floats, kinds: Sequence[Kind], numbers: Sequence[int], weighting: Weighting) -> Floats:
    """SFI or PDI of each resample; in ``good`` and ``whole`` a row is a resample, a column a group."""
    import numpy as np

    column = np.array(numbers, dtype=np.int64)
    known = np.unique(column[column > 0])
    member = (column[:, None] == known[None, :]).astype(np.float64)
    good = draws @ (member * _flags(kind.good for kind in kinds)[:, None])
    whole = draws @ (member * _flags(kind.good or kind.bad for kind in kinds)[:, None])
    if weighting is Weighting.INDEX:
        index = known.astype(np.float64)
        return _percent(good @ index, whole @ index)
    return _mean_of_used(_percent(good, whole), whole > 0)


def _mean_of_used(shares: Floats, used: NDArray[np.bool_]) -> Floats:
    import numpy as np

    total = np.where(used, shares, 0.0).sum(axis=1)
    number = used.sum(axis=1)
    mean: Floats = np.divide(total, number, out=np.full(len(shares), np.nan), where=number > 0)
    return mean
