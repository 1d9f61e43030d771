"""The choices of an extraction: one frozen record, which is sent to worker processes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module

from dibimt_metric.errors import InputError, shown

from ..phenomena.registry import Definition, phenomena_for
from ..records import BASELINE, split_pair

REORDERING_MINIMUM = 5
"""Smallest distance of a reordering hit where none is asked for (paper, Section 4.2)."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The choices of an extraction.

    Attributes:
        corpus: its name, for the rows and the card.
        phenomena: names, see `ldd_challenge_sets.phenomena.registry`.
        definition: ``paper`` or ``released``.
        min_distance: smallest distance of a hit; ``None``: 0 for lexical phenomena, 5 for reordering, 6 for that of
            the release.
        include_root: whether a root counts as a dependent of distance id - 1; ``None``: as the definition says.
        source_tokens, target_tokens: how a side without parse is split, see `load_tokenizer`.
        aligner: folder of a saved aligner; ``None``: links are given, or nothing is aligned.
        symmetrization: how the two directions of the aligner are combined; ``None``: as saved.
        baseline: whether the whole corpus is written as a configuration of its own.
        skip_bad: whether pairs that cannot be used are skipped and counted; else the first one is an error.
        modules: modules that register the user's own phenomena, imported in every process.
    """

    pair: str
    corpus: str
    phenomena: tuple[str, ...]
    definition: Definition = Definition.PAPER
    min_distance: int | None = None
    include_root: bool | None = None
    source_tokens: str = "13a"
    target_tokens: str = "13a"
    aligner: str | None = None
    symmetrization: str | None = None
    baseline: bool = True
    skip_bad: bool = False
    modules: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        split_pair(self.pair)
        if not self.phenomena and not self.baseline:
            raise InputError("nothing to extract: name at least one phenomenon")
        if self.min_distance is not None and self.min_distance < 0:
            raise InputError(f"the minimum distance must be 0 or more, not {self.min_distance}")

    @property
    def source_language(self) -> str:
        """The language that is parsed."""
        return split_pair(self.pair)[0]

    @property
    def lexical(self) -> tuple[str, ...]:
        """Names of the phenomena that need trees."""
        return tuple(name for name in self.phenomena if not is_reordering(name))

    @property
    def reordering(self) -> tuple[str, ...]:
        """Names of the phenomena that need links."""
        return tuple(name for name in self.phenomena if is_reordering(name))

    @property
    def needs_links(self) -> bool:
        """Whether links must be given or made; the reordering of the release needs none."""
        return bool(self.reordering) and self.definition is not Definition.RELEASED

    def configuration(self, phenomenon: str) -> str:
        """Name of the configuration and of its file: ``de-en-particle``."""
        return f"{self.pair}-{phenomenon}"

    @property
    def configurations(self) -> tuple[str, ...]:
        """All that are written, the baseline last."""
        names = (*self.phenomena, *((BASELINE,) if self.baseline else ()))
        return tuple(map(self.configuration, names))


def is_reordering(name: str) -> bool:
    """Whether a phenomenon looks at links instead of trees."""
    return name.startswith("reordering")


def choose_phenomena(pair: str, names: str, definition: Definition, *, parsed: bool, target: bool) -> tuple[str, ...]:
    """The phenomena meant by ``all`` or by names separated by commas.

    Lexical ones need parses (``parsed``), reordering a target side (``target``); ``all`` are those that have it.
    """
    source = split_pair(pair)[0]
    known = phenomena_for(source, definition)
    possible = tuple(name for name in known if (target if is_reordering(name) else parsed))
    if names == "all":
        if not possible:
            raise InputError("nothing can be extracted: give parses (--parser or --conllu) or a target side")
        return possible
    chosen = tuple(name.strip() for name in names.split(","))
    for name in chosen:
        if name not in known:
            raise InputError(
                f"unknown phenomenon {shown(name)} for source language {source!r} (definition "
                f"{definition.value}); choose among {', '.join(known)}"
            )
        if name not in possible:
            needs = "a target side" if is_reordering(name) else "parses (--parser or --conllu)"
            raise InputError(f"{name} needs {needs}; add that, or omit the phenomenon")
    if len(set(chosen)) != len(chosen):
        raise InputError(f"a phenomenon occurs twice in {shown(names)}; give each once")
    return chosen


def import_modules(modules: Iterable[str]) -> None:
    """Import modules that register phenomena. Raises `InputError` if one cannot be found or fails."""
    for module in modules:
        try:
            import_module(module)
        except (ImportError, SyntaxError) as error:
            raise InputError(
                f"module {shown(module)} cannot be imported ({error}); is its folder in PYTHONPATH?"
            ) from error
