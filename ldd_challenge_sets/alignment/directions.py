"""The two directions of FastAlign as sil-thot has them: trained, applied, put together. Knows no files.

What the library does with odd input, and what is done about it here (sil-thot 3.5.3):

- a word that was not seen in training has no parameters, and the prior then puts it on the diagonal, which is how the
  released reordering sets came about; such links are taken out of both directions before they are put together;
- more than 1,024 tokens, or none, on one side: such a pair is not trained on, and gets no links;
- blanks, control characters and lone surrogates inside a word break its files, the empty word too, and the names of
  its own special words are taken for them; `spelled` writes all these otherwise;
- sums are made by several threads in any order, so that the last digits of parameters change from run to run; it is
  held to one thread. It does not let other Python threads run meanwhile.
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
Pair: TypeAlias = tuple[list[str], list[str]]
"""Words of source and target as the library gets them."""

MAX_LENGTH = 1024
"""Tokens of a sentence, at most, of which the library takes notice."""

_BATCH = 1000  # pairs whose matrices are held at once
_SPECIAL_WORDS = 3  # of the library's own, at the head of each vocabulary
_RESERVED = frozenset({"", "NULL", "UNKNOWN_WORD", "<UNUSED_WORD>"})
_UNSAFE = re.compile(r"[\s\x00-\x1f\x7f-\x9f\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Directions:
    """Two trained models, and the words that each side was seen with."""

    forward: Any
    backward: Any
    source_words: frozenset[str]
    target_words: frozenset[str]

    def links(self, pairs: Sequence[Pair], symmetrization: Symmetrization) -> list[frozenset[Link]]:
        """The links of each pair; none where one side is empty or too long."""
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
        matrices = self._matrices(
            [pairs[number][0] for number in seen], [pairs[number][1] for number in seen], symmetrization
        )
        for number, matrix in zip(seen, matrices, strict=True):
            found[number] = _links_of(matrix)
        return found

    def _matrices(
        self, sources: list[list[str]], targets: list[list[str]], symmetrization: Symmetrization
    ) -> Iterator[Any]:
        """The library's own way, for pairs of which all words were seen."""
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

    def _with_unseen(
        self, source: list[str], target: list[str], symmetrization: Symmetrization
    ) -> frozenset[Link]:
        _, forward = self.forward.get_best_alignment(source, target)
        _, backward = self.backward.get_best_alignment(target, source)
        backward.transpose()
        for matrix in (forward, backward):
            for i, j in _links_of(matrix):
                if source[i] not in self.source_words or target[j] not in self.target_words:
                    matrix[i, j] = False
        return _links_of(_TOGETHER[symmetrization](forward, backward))


def train_directions(
    pairs: Iterable[Pair], iterations: int, progress: Callable[[Iterable[int]], Iterable[int]]
) -> Directions:
    """Train both directions.

    Args:
        pairs: `usable` ones, at least one.
        iterations: passes of each direction over the pairs, at least 1.
        progress: wraps the passes, ``2 * iterations`` of them.

    Raises:
        MissingLibraryError: sil-thot is not installed.
    """
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
    """The words that a model was given on its source side."""
    return frozenset(map(model.get_src_word, range(_SPECIAL_WORDS, model.src_vocab_size)))


def usable(source: Words, target: Words) -> bool:
    """Whether the library takes notice of the pair."""
    return 0 < len(source) <= MAX_LENGTH and 0 < len(target) <= MAX_LENGTH


def spelled(words: Words, lower: bool) -> list[str]:
    r"""The words as the library gets them.

    >>> spelled(["Das", "1\u00a0000", ""], lower=True)
    ['das', '1_000', '_']
    """
    return [_spelled(word.lower() if lower else word) for word in words]


def _spelled(word: str) -> str:
    if word in _RESERVED:
        return f"{word}_"
    return _UNSAFE.sub("_", word) if _UNSAFE.search(word) else word


def library() -> Any:
    """The module ``thot.alignment``.

    Raises:
        MissingLibraryError: it is not installed.
    """
    try:
        import thot.alignment
    except ImportError as error:
        raise MissingLibraryError(
            "word alignment needs the library sil-thot: pip install 'dibimt[ldd]'"
        ) from error
    return thot.alignment


@contextmanager
def one_thread() -> Iterator[None]:
    """Hold the library to one thread, where its OpenMP runtime can be reached (not on Windows)."""
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
    """The runtime that the library brought, and the one it uses instead if torch was imported before it."""
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


def _method(name: str) -> Callable[[Any, Any], Any]:
    return lambda forward, backward: getattr(forward, name)(backward)


_TOGETHER: dict[Symmetrization, Callable[[Any, Any], Any]] = {
    Symmetrization.FORWARD: lambda forward, backward: forward,
    Symmetrization.BACKWARD: lambda forward, backward: backward,
    Symmetrization.INTERSECTION: _method("intersect"),
    Symmetrization.UNION: _method("union"),
    Symmetrization.GROW: _method("grow"),
    Symmetrization.GROW_DIAG: _method("grow_diag"),
    Symmetrization.GROW_DIAG_FINAL: _method("grow_diag_final"),
    Symmetrization.GROW_DIAG_FINAL_AND: _method("grow_diag_final_and"),
    Symmetrization.OCH: _method("och_symmetrize"),
}
