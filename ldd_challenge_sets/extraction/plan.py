"""What an extraction is to do: one frozen record, which worker processes get as it is."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module

from dibimt_metric.errors import InputError, shown

from ..phenomena.registry import Definition, phenomena_for
from ..records import BASELINE

REORDERING_MINIMUM = 5
"""Smallest distance of a reordering hit where none is asked for (paper, Section 4.2)."""

_PAIR = re.compile(r"([a-z]{2,3})-([a-z]{2,3})")


@dataclass(frozen=True, slots=True)
class Plan:
    """The choices of an extraction.

    Attributes:
        pair: source and target language, such as ``de-en``.
        corpus: name of the corpus, for the rows and the card.
        phenomena: names, see `ldd_challenge_sets.phenomena.registry`.
        definition: ``paper`` or ``released``.
        min_distance: smallest distance of a hit; ``None``: 0 for lexical phenomena, 5 for reordering, 6 for that of
            the release.
        include_root: whether a root counts as a dependent of distance id - 1; ``None``: as the definition says.
        source_tokens, target_tokens: how a side without parse is split, see `alignment.tokens`.
        aligner: folder of a saved aligner; ``None``: links are given, or nothing is aligned.
        symmetrization: how the two directions of the aligner are put together; ``None``: as it was saved.
        baseline: whether the whole corpus is written as a configuration of its own.
        skip_bad: whether places that cannot be used are skipped and counted; else the first one is an error.
        modules: modules that register phenomena of the user's own, imported in every process.

    Raises:
        InputError: a pair, phenomenon or number cannot be used.
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
        """Refuse what no stage could use."""
        split_pair(self.pair)
        if not self.phenomena and not self.baseline:
            raise InputError("nothing to extract: name at least one phenomenon")
        if self.min_distance is not None and self.min_distance < 0:
            raise InputError(f"the minimum distance is 0 or more, not {self.min_distance}")

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
        """Whether links have to be given or made; the release's reordering comes without."""
        return bool(self.reordering) and self.definition is not Definition.RELEASED

    def configuration(self, phenomenon: str) -> str:
        """Name of the configuration, which is also that of its file: ``de-en-particle``."""
        return f"{self.pair}-{phenomenon}"

    @property
    def configurations(self) -> tuple[str, ...]:
        """All that are written, the baseline last."""
        names = (*self.phenomena, *((BASELINE,) if self.baseline else ()))
        return tuple(map(self.configuration, names))


def is_reordering(name: str) -> bool:
    """Whether a phenomenon looks at links instead of trees."""
    return name.startswith("reordering")


def split_pair(pair: str) -> tuple[str, str]:
    """Source and target language of ``de-en``.

    Raises:
        InputError: it has another form.

    >>> split_pair("de-en")
    ('de', 'en')
    """
    found = _PAIR.fullmatch(pair)
    if found is None:
        raise InputError(f"a pair is two language codes such as 'de-en', not {shown(pair)}")
    return found.group(1), found.group(2)


def definition_of(text: str) -> Definition:
    """The definition of that name.

    Raises:
        InputError: there is none.
    """
    try:
        return Definition(text)
    except ValueError as error:
        names = " or ".join(definition.value for definition in Definition)
        raise InputError(f"definition {shown(text)} is not known; choose {names}") from error


def choose_phenomena(
    pair: str, names: str, definition: Definition, *, parsed: bool, target: bool
) -> tuple[str, ...]:
    """The phenomena that ``all`` or a list separated by commas stands for.

    Args:
        pair: such as ``de-en``.
        names: ``all`` (those that the inputs allow), or names.
        definition: of the sets.
        parsed: whether there are parses, which lexical phenomena need.
        target: whether there is a target side, which reordering needs.

    Raises:
        InputError: a name is unknown or stands twice, or the source language or the inputs do not have it.
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
                f"phenomenon {shown(name)} is not known for source language {source!r} (definition "
                f"{definition.value}); choose among {', '.join(known)}"
            )
        if name not in possible:
            needs = "a target side" if is_reordering(name) else "parses (--parser or --conllu)"
            raise InputError(f"{name} needs {needs}; give them as well, or leave it out")
    if len(set(chosen)) != len(chosen):
        raise InputError(f"a phenomenon stands twice in {shown(names)}; name each once")
    return chosen


def import_modules(modules: Iterable[str]) -> None:
    """Import modules that register phenomena.

    Raises:
        InputError: one cannot be found or fails.
    """
    for module in modules:
        try:
            import_module(module)
        except (ImportError, SyntaxError) as error:
            raise InputError(
                f"module {shown(module)} cannot be imported ({error}); is its folder on PYTHONPATH?"
            ) from error
