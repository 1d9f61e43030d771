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

    The words of the source are those of the parse if there is one; ``source_tokens`` and ``target_tokens`` are how
    other sides are split, see `load_tokenizer`. The symmetrization is saved (default: grow-diag-final-and). With
    ``force`` an existing aligner is replaced; with ``skip_bad`` pairs that cannot be used are skipped, else the first
    is an error.
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
    """The links of each pair in Pharaoh format, by the aligner saved in a folder; see `train_on`.

    With ``skip_bad``, a pair that cannot be used gives an empty line; else it is an error.
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
