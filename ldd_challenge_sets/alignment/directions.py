"""The two directions of FastAlign in sil-thot: trained, applied, combined.

How the library treats unusual input, and what is done about it here (sil-thot 3.5.3):

- a word that was not seen in training has no parameters, and the prior then puts it on the diagonal, which is how the
  released reordering sets were made; these links are removed from both directions before they are combined;
- more than 1,024 tokens, or none, on one side: the pair is not used in training and gets no links;
- spaces, control characters and lone surrogates inside a word break its files, as does the empty word, and the names
  of its special words are confused with them; `spelled` replaces all these;
- several threads add in any order, so that the last digits of parameters change from run to run; it is limited to
  one thread. Other Python threads cannot run meanwhile.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

from dibimt_metric.errors import MissingLibraryError

from ..records import Link
from .links import Symmetrization

Words: TypeAlias = Sequence[str]
Pair: TypeAlias = tuple[list[str], list[str]]  # words of source and target as passed to the library
MAX_LENGTH = 1024  # largest number of tokens of a sentence that the library accepts
_BATCH = 1000  # pairs whose matrices are in memory at once
_SPECIAL_WORDS = 3  # of the library, at the beginning of each vocabulary
_RESERVED = frozenset({"", "NULL", "UNKNOWN_WORD", "<UNUSED_WORD>"})
_UNSAFE = re.compile(r"[\s\x00-\x1f\x7f-\x9f\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Directions:
    """Two trained models, and the words of each side in the training."""

    forward: Any
    backward: Any
    source_words: frozenset[str]
    target_words: frozenset[str]

    def links(self, pairs: Sequence[Pair], symmetrization: Symmetrization) -> list[frozenset[Link]]:
        """The links of each pair; none if one side is empty or too long."""
        found: list[frozenset[Link]] = []
        with one_thread():
            for start in range(0, len(pairs), _BATCH):
                found += self._batch(pairs[start : start + _BATCH], symmetrization)
        return found

    def _batch(self, pairs: Sequence[Pair], symmetrization: Symmetrization) -> list[frozenset[Link]]:
        found: list[frozenset[Link]] = [frozenset()] * len(pairs)
        seen: list[int] = []
        for number, (source, target) in enumerate(pairs):
            if not usable(source, target):
                continue
            if self.source_words.issuperset(source) and self.target_words.issuperset(target):
                seen.append(number)
            else:
                found[number] = self._with_unseen(source, target, symmetrization)
        sources, targets = ([pairs[number][side] for number in seen] for side in (0, 1))
        matrices = self._matrices(sources, targets, symmetrization)
        for number, matrix in zip(seen, matrices, strict=True):
            found[number] = _links_of(matrix)
        return found

    def _matrices(
        self, sources: list[list[str]], targets: list[list[str]], symmetrization: Symmetrization
    ) -> Iterator[Any]:
        """By the library itself, for pairs whose words were all seen."""
        if symmetrization is Symmetrization.FORWARD:
            yield from (matrix for _, matrix in self.forward.get_best_alignments(sources, targets))
        elif symmetrization is Symmetrization.BACKWARD:
            for _, matrix in self.backward.get_best_alignments(targets, sources):
                matrix.transpose()
                yield matrix
        else:
            aligner = library().SymmetrizedAligner(self.forward, self.backward)
            aligner.heuristic = getattr(library().SymmetrizationHeuristic, symmetrization.name)
            yield from (matrix for _, matrix in aligner.get_best_alignments(sources, targets))

    def _with_unseen(self, source: list[str], target: list[str], symmetrization: Symmetrization) -> frozenset[Link]:
        _, forward = self.forward.get_best_alignment(source, target)
        _, backward = self.backward.get_best_alignment(target, source)
        backward.transpose()
        for matrix in (forward, backward):
            for i, j in _links_of(matrix):
                if source[i] not in self.source_words or target[j] not in self.target_words:
                    matrix[i, j] = False
        return _links_of(_combined(forward, backward, symmetrization))


def train_directions(
    pairs: Iterable[Pair], iterations: int, progress: Callable[[Iterable[int]], Iterable[int]]
) -> Directions:
    """Train both directions on at least one `usable` pair; progress wraps the ``2 * iterations`` passes."""
    forward, backward = library().FastAlignModel(), library().FastAlignModel()
    for source, target in pairs:
        forward.add_sentence_pair(source, target, 1)
        backward.add_sentence_pair(target, source, 1)
    passes = [(model, number) for model in (forward, backward) for number in range(iterations)]
    with one_thread():
        for step in progress(range(len(passes))):
            model, number = passes[step]
            if number == 0:
                model.start_training()
            model.train()
            if number == iterations - 1:
                model.end_training()
    return Directions(forward, backward, vocabulary(forward), vocabulary(backward))


def vocabulary(model: Any) -> frozenset[str]:
    """The words of the source side of a model."""
    return frozenset(map(model.get_src_word, range(_SPECIAL_WORDS, model.src_vocab_size)))


def usable(source: Words, target: Words) -> bool:
    """Whether the library accepts the pair."""
    return 0 < len(source) <= MAX_LENGTH and 0 < len(target) <= MAX_LENGTH


def spelled(words: Words, lower: bool) -> list[str]:
    r"""The words as passed to the library.

    >>> spelled(["Das", "1\u00a0000", ""], lower=True)
    ['das', '1_000', '_']
    """
    return [_spelled(word.lower() if lower else word) for word in words]


def _spelled(word: str) -> str:
    if word in _RESERVED:
        return f"{word}_"
    return _UNSAFE.sub("_", word) if _UNSAFE.search(word) else word


def library() -> Any:
    """The module ``thot.alignment``."""
    try:
        import thot.alignment
    except ImportError as error:
        raise MissingLibraryError("word alignment needs the library sil-thot: pip install 'dibimt[ldd]'") from error
    return thot.alignment


@contextmanager
def one_thread() -> Iterator[None]:
    """Limit the library to one thread if its OpenMP runtime is accessible (not on Windows)."""
    runtimes = _openmp_runtimes()
    before = [runtime.omp_get_max_threads() for runtime in runtimes]
    for runtime in runtimes:
        runtime.omp_set_num_threads(1)
    try:
        yield
    finally:
        for runtime, threads in zip(runtimes, before, strict=True):
            runtime.omp_set_num_threads(threads)


def _openmp_runtimes() -> list[ctypes.CDLL]:
    """The runtime that comes with the library, and the one it uses instead if torch was imported first."""
    library()
    import thot

    found = []
    for name in (thot.__file__, None):
        try:
            runtime = ctypes.CDLL(name)
        except (OSError, TypeError):
            continue
        if hasattr(runtime, "omp_set_num_threads"):
            found.append(runtime)
    return found


def _links_of(matrix: Any) -> frozenset[Link]:
    sources, targets = matrix.to_numpy().nonzero()
    return frozenset(zip(sources.tolist(), targets.tolist(), strict=True))


def _combined(forward: Any, backward: Any, symmetrization: Symmetrization) -> Any:
    if symmetrization is Symmetrization.FORWARD:
        return forward
    if symmetrization is Symmetrization.BACKWARD:
        return backward
    names = {Symmetrization.INTERSECTION: "intersect", Symmetrization.OCH: "och_symmetrize"}
    method = names.get(symmetrization, symmetrization.name.lower())
    return getattr(forward, method)(backward)
