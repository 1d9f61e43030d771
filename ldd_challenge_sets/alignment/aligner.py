"""Word alignment with FastAlign (Dyer, Chahuneau and Smith, 2013) by sil-thot: train, save, load, apply.

Training and application are separate: a saved aligner gives to any text what it gave before it was saved, and two
trainings on the same pairs give the same files, byte for byte, however many cores there are.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from itertools import zip_longest
from pathlib import Path
from typing import Any

from dibimt_metric.errors import InputError, shown

from ..records import Link
from .directions import MAX_LENGTH, Directions, Pair, Words, library, spelled, train_directions, usable
from .links import Symmetrization, as_symmetrization
from .storage import Training, load_folder, save_folder


@dataclass(frozen=True, slots=True)
class Aligner:
    """A trained aligner; made by `train` or `load_aligner`.

    It cannot be pickled: save it, and load it in every process. ``symmetrization`` is how the two directions are
    combined, unless `align` gets another one.
    """

    training: Training
    symmetrization: Symmetrization
    _directions: Directions = field(repr=False, compare=False)

    @property
    def name(self) -> str:
        """For signatures: everything that the links depend on, except the words."""
        trained, here = self.training.library_version, version("sil-thot")
        release = trained if here == trained else f"{trained}, applied by {here}"
        return (
            f"fast_align(sil-thot-{release})|iter:{self.training.iterations}|sym:{self.symmetrization.value}"
            f"|train:{self.training.pairs}|lower:{'yes' if self.training.lower else 'no'}"
            f"|data:{self.training.data[:8]}"
        )

    def align(
        self, source: Sequence[Words], target: Sequence[Words], symmetrization: str | None = None
    ) -> list[frozenset[Link]]:
        """The links of each sentence pair, in order, counted from 0, given the words of as many sides.

        A word not seen in training has no link, since only its position would suggest one. A pair with a side that is
        empty or has more than 1,024 words has no links. An `InputError` if the numbers differ or a sentence is a text.
        """
        chosen = self.symmetrization if symmetrization is None else as_symmetrization(symmetrization)
        lower = self.training.lower
        pairs = [(spelled(left, lower), spelled(right, lower)) for left, right in _paired(source, target)]
        return self._directions.links(pairs, chosen)

    def seen(self, source: Iterable[Words], target: Iterable[Words]) -> float | None:
        """Share of the words of both sides that were seen in training, 0 to 1; ``None`` without words.

        A low share means that the aligner was trained on another language, direction or tokenization.
        """
        known = total = 0
        sides = (source, self._directions.source_words), (target, self._directions.target_words)
        for sentences, words in sides:
            for sentence in sentences:
                total += len(sentence)
                known += sum(map(words.__contains__, spelled(sentence, self.training.lower)))
        return known / total if total else None

    def save(self, folder: Path | str, force: bool = False) -> None:
        """Save into a new or empty folder, whole or not at all, without the sentences of the training.

        With ``force``, an existing aligner is replaced.
        """
        save_folder(Path(folder), self.training, self._directions, force)


def train(
    source: Iterable[Words],
    target: Iterable[Words],
    iterations: int = 5,
    symmetrization: str = Symmetrization.GROW_DIAG_FINAL_AND.value,
    lower: bool = True,
    progress: Callable[[Iterable[Any]], Iterable[Any]] = iter,
) -> Aligner:
    """Train an aligner on sentence pairs, on one core.

    FastAlign's model in both directions: lexical translation with a Dirichlet prior (variational Bayes, alpha 0.01),
    and the diagonal prior of `ldd_challenge_sets.alignment.diagonal` with p0 = 0.08 and a tension that is fitted.

    Args:
        source: words of the source sentences.
        target: words of the target sentences, as many.
        iterations: passes over the pairs in each direction, at least 1.
        symmetrization: see `Symmetrization`; can be changed whenever the aligner is applied.
        lower: whether words are lower-cased first, in training and application.
        progress: wraps the passes, ``2 * iterations`` of them, such as ``tqdm``.

    Raises:
        InputError: the numbers differ, no pair can be used, or an option cannot. Pairs with a side that is empty or has
            more than 1,024 words are not used, but counted.
    """
    chosen = as_symmetrization(symmetrization)
    if not isinstance(iterations, int) or isinstance(iterations, bool) or iterations < 1:
        raise InputError(f"iterations is {shown(iterations)}; expected a positive integer")
    library()
    reader = _TrainingPairs(source, target, lower)
    directions = train_directions(reader, iterations, progress)
    training = Training(
        library_version=version("sil-thot"),
        iterations=iterations,
        symmetrization=chosen.value,
        lower=lower,
        pairs=reader.used,
        skipped=reader.skipped,
        source_words=len(directions.source_words),
        target_words=len(directions.target_words),
        data=reader.digest.hexdigest(),
    )
    return Aligner(training, chosen, directions)


def load_aligner(folder: Path | str, symmetrization: str | None = None) -> Aligner:
    """Load a saved aligner, with its `Symmetrization` or another one.

    Raises:
        InputError: there is no aligner, one of its files is missing, empty or changed.
    """
    library()
    training, directions = load_folder(Path(folder))
    chosen = training.symmetrization if symmetrization is None else symmetrization
    return Aligner(training, as_symmetrization(chosen), directions)


class _TrainingPairs:
    """The usable pairs, counted and hashed on the way; an error if there are none."""

    def __init__(self, source: Iterable[Words], target: Iterable[Words], lower: bool) -> None:
        self._source, self._target, self._lower = source, target, lower
        self.used = self.skipped = 0
        self.digest = hashlib.sha256()

    def __iter__(self) -> Iterator[Pair]:
        for left, right in _paired(self._source, self._target):
            if not usable(left, right):
                self.skipped += 1
                continue
            self.used += 1
            pair = spelled(left, self._lower), spelled(right, self._lower)
            # No word holds a tab or a line end, see `spelled`.
            self.digest.update("\t".join(map(" ".join, pair)).encode("utf-8") + b"\n")
            yield pair
        if not self.used:
            raise InputError(
                f"there is nothing to train on: none of {self.skipped} sentence pairs has 1 to {MAX_LENGTH} words on "
                "both sides"
            )


def _paired(source: Iterable[Words], target: Iterable[Words]) -> Iterator[tuple[Words, Words]]:
    for number, (left, right) in enumerate(zip_longest(source, target), 1):
        if left is None or right is None:
            side = "source" if left is None else "target"
            raise InputError(f"pair {number}: there is no {side} sentence; give as many source as target sentences")
        for sentence in (left, right):
            if isinstance(sentence, str):
                raise InputError(
                    f"pair {number}: {shown(sentence)} is a text; split it into words first (`load_tokenizer`)"
                )
        yield left, right
