"""Aligners and the inputs of an extraction: train one on the words that the sets are made of, or apply one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

from dibimt_common.progress import Progress, silent
from dibimt_metric.errors import InputError

from ..alignment.aligner import load_aligner, train
from ..alignment.links import Symmetrization, format_pharaoh
from ..parsing.conllu import fault_of, parse_outline
from ..parsing.parsers import load_tokenizer
from ..parsing.trees import TreeFault
from ..records import Fault
from .inputs import Entry, chunked

_Words: TypeAlias = tuple[str, ...]


def train_on(
    entries: Iterable[Entry],
    folder: Path | str,
    source_tokens: str,
    target_tokens: str,
    symmetrization: str | None = None,
    *,
    force: bool = False,
    skip_bad: bool = False,
    progress: Progress[Any] = silent,
) -> None:
    """Train an aligner on the words of all pairs, and save it.

    Args:
        entries: the pairs; the words of the source are those of the parse if there is one.
        folder: where to save.
        source_tokens: how a source without parse is split into words, see `load_tokenizer`.
        target_tokens: how the target is split.
        symmetrization: saved with the aligner; ``None``: grow-diag-final-and.
        force: whether an existing aligner in the folder is replaced.
        skip_bad: whether pairs that cannot be used are skipped; else the first is an error.
        progress: shows how far reading and training are.

    Raises:
        InputError: a pair cannot be used, or none, or the folder cannot.
        MissingLibraryError: the aligner is not installed.
    """
    split = _splitter(source_tokens, target_tokens)
    pairs = []
    for words in map(split, progress(None, "read for the aligner")(entries)):
        if not isinstance(words, Fault):
            pairs.append(words)
        elif not skip_bad:
            raise InputError(str(words))
    aligner = train(
        [source for source, _ in pairs],
        [target for _, target in pairs],
        symmetrization=symmetrization or Symmetrization.GROW_DIAG_FINAL_AND.value,
        progress=progress(None, "train the aligner"),
    )
    aligner.save(folder, force)


def align_entries(
    entries: Iterable[Entry],
    aligner: Path | str,
    source_tokens: str,
    target_tokens: str,
    symmetrization: str | None = None,
    skip_bad: bool = False,
) -> Iterator[str]:
    """The links of each pair in Pharaoh format, by a saved aligner.

    Args:
        entries: see `train_on`.
        aligner: folder of the aligner.
        source_tokens: see `train_on`.
        target_tokens: see `train_on`.
        symmetrization: ``None``: the one that was saved.
        skip_bad: whether a pair that cannot be used gives an empty line; else it is an error.

    Raises:
        InputError: a pair cannot be used, or the aligner cannot be loaded.
    """
    split = _splitter(source_tokens, target_tokens)
    loaded = load_aligner(aligner, symmetrization=symmetrization)
    for chunk in chunked(entries):
        pairs: list[tuple[_Words, _Words]] = []
        for words in map(split, chunk.entries):
            if isinstance(words, Fault) and not skip_bad:
                raise InputError(str(words))
            pairs.append(((), ()) if isinstance(words, Fault) else words)
        links = loaded.align([source for source, _ in pairs], [target for _, target in pairs])
        yield from map(format_pharaoh, links)


def _splitter(source_tokens: str, target_tokens: str) -> Callable[[Entry], tuple[_Words, _Words] | Fault]:
    split_source, split_target = load_tokenizer(source_tokens), load_tokenizer(target_tokens)

    def split(entry: Entry) -> tuple[_Words, _Words] | Fault:
        if entry.fault is not None:
            return entry.fault
        target = split_target(entry.target or "")
        if entry.block is None:
            return split_source(entry.source or ""), target
        try:
            return parse_outline(entry.block.text).forms, target
        except TreeFault as error:
            return fault_of(error, entry.block, "parses")

    return split
