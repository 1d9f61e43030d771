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

    Attributes:
        training: what it was trained with.
        symmetrization: how the two directions are put together where `align` is not told otherwise.

    It cannot be pickled: save it, and load it in every process.
    """

    training: Training
    symmetrization: Symmetrization
    _directions: Directions = field(repr=False, compare=False)

    @property
    def name(self) -> str:
        """For signatures: everything that the links depend on, the words apart."""
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
        """The links of each sentence pair.

        Args:
            source: words of the source sentences.
            target: words of the target sentences, as many.
            symmetrization: see `Symmetrization`; ``None``: that of the aligner.

        Returns:
            A set of links for each pair, in order; counted from 0. A word that was not seen in training has no link,
            because nothing but its position would speak for it. A pair with an empty side, or with more than 1,024
            words on one, has no links at all.

        Raises:
            InputError: numbers differ, a sentence is a text instead of a list of words, or there is no such
                symmetrization.
        """
        chosen = self.symmetrization if symmetrization is None else as_symmetrization(symmetrization)
        pairs = [
            (spelled(left, self.training.lower), spelled(right, self.training.lower))
            for left, right in _paired(source, target)
        ]
        return self._directions.links(pairs, chosen)

    def seen(self, source: Iterable[Words], target: Iterable[Words]) -> float | None:
        """Share of the words of both sides that were seen in training, 0 to 1; ``None`` where there are no words.

        A low one says that the aligner was trained on another language, direction or tokenization.
        """
        known = total = 0
        for sentences, words in (
            (source, self._directions.source_words),
            (target, self._directions.target_words),
        ):
            for sentence in sentences:
                total += len(sentence)
                known += sum(map(words.__contains__, spelled(sentence, self.training.lower)))
        return known / total if total else None

    def save(self, folder: Path | str, force: bool = False) -> None:
        """Save into a folder, as a whole or not at all. The sentences of the training are not in it.

        Args:
            folder: must not exist, or be empty.
            force: whether an aligner that stands there is replaced.

        Raises:
            InputError: the folder cannot be used, or the system refuses.
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
        iterations: passes over the pairs in each direction, from 1.
        symmetrization: see `Symmetrization`; can be chosen anew whenever the aligner is applied.
        lower: whether words are lower-cased first, in training and application.
        progress: wraps the passes, ``2 * iterations`` of them, such as ``tqdm``.

    Raises:
        InputError: numbers differ, no pair can be used, or an option cannot be used. A pair cannot be used if a side of
            it is empty or has more than 1,024 words; such pairs are counted.
        MissingLibraryError: sil-thot is not installed.
    """
    chosen = as_symmetrization(symmetrization)
    if not isinstance(iterations, int) or isinstance(iterations, bool) or iterations < 1:
        raise InputError(
            f"iterations are a whole number from 1, not {shown(iterations)}; without any the aligner is the diagonal"
        )
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
    """Load a saved aligner.

    Args:
        folder: where it was saved.
        symmetrization: see `Symmetrization`; ``None``: the one that it was trained with.

    Raises:
        InputError: there is no aligner, one of its files is missing, empty or changed, or there is no such
            symmetrization.
        MissingLibraryError: sil-thot is not installed.
    """
    library()
    training, directions = load_folder(Path(folder))
    chosen = training.symmetrization if symmetrization is None else symmetrization
    return Aligner(training, as_symmetrization(chosen), directions)


class _TrainingPairs:
    """The usable pairs, one by one; counts them and fingerprints them on the way. None at all is an error."""

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
                f"there is nothing to train on: of {self.skipped} sentence pairs none has 1 to {MAX_LENGTH} words on "
                "both sides. An aligner without parameters would align by position alone"
            )


def _paired(source: Iterable[Words], target: Iterable[Words]) -> Iterator[tuple[Words, Words]]:
    for number, (left, right) in enumerate(zip_longest(source, target), 1):
        if left is None or right is None:
            side = "source" if left is None else "target"
            raise InputError(
                f"pair {number}: there is no {side} sentence; give as many source as target sentences"
            )
        for sentence in (left, right):
            if isinstance(sentence, str):
                raise InputError(
                    f"pair {number}: {shown(sentence)} is a text; split it into words first (`target_tokenizer`)"
                )
        yield left, right
