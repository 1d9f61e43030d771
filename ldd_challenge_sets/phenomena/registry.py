"""The phenomena by name: which there are, for which languages, and how to look for several at once.

`register` adds a phenomenon of one's own; `docs/phenomena.md` shows how.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from dibimt_metric.errors import InputError, shown

from ..records import BASELINE, Hit, Tree
from .labels import PARTICLES, REFLEXIVES, STRANDED, STRANDED_EXTENDED, LabelTable
from .lexical import RELEASED, Probe, Test, all_tokens, find, label_probe, with_relations


class Definition(str, Enum):
    """How phenomena are defined.

    Attributes:
        PAPER: as the paper says: explicit labels for each language; a root is no hit unless asked for.
        RELEASED: as the published sets were made: substrings of labels, any language; a root can be a hit.
    """

    PAPER = "paper"
    RELEASED = "released"


def as_definition(name: str) -> Definition:
    """The definition of this name.

    Raises:
        InputError: there is none.

    >>> as_definition("paper") is Definition.PAPER
    True
    """
    try:
        return Definition(name)
    except ValueError as error:
        listed = ", ".join(each.value for each in Definition)
        raise InputError(f"no definition is called {shown(name)}; there are {listed}") from error


class Kind(str, Enum):
    """What a phenomenon looks at: the source's tree, or the alignment of source and target."""

    LEXICAL = "lexical"
    REORDERING = "reordering"


@dataclass(frozen=True, slots=True)
class Phenomenon:
    """One entry of the registry.

    Attributes:
        name: as in configurations and on the command line.
        kind: what it looks at.
        summary: one line for lists.
        paper, released: source languages that have it under each definition, sorted; ``None``: every language, empty:
            none.
        own: whether a user added it.
    """

    name: str
    kind: Kind
    summary: str
    paper: tuple[str, ...] | None
    released: tuple[str, ...] | None
    own: bool = False

    def languages(self, definition: Definition) -> tuple[str, ...] | None:
        """Source languages that have it under a definition; ``None``: every language."""
        return self.paper if definition is Definition.PAPER else self.released

    def applies(self, language: str, definition: Definition) -> bool:
        """Whether a source language has it."""
        languages = self.languages(definition)
        return languages is None or language in languages


_TABLES: dict[str, LabelTable] = {
    "particle": PARTICLES,
    "reflexive": REFLEXIVES,
    "preposition_stranding": STRANDED,
    "preposition_stranding_extended": STRANDED_EXTENDED,
}

_SUMMARIES = {
    "particle": "a verb and its particle or separated prefix (paper, 4.2)",
    "reflexive": "a verb and its reflexive pronoun (paper, 4.2)",
    "preposition_stranding": "a preposition away from its object: ADP as obl (paper, 4.2)",
    "preposition_stranding_extended": "the same, and ADP as case behind its head (What are you looking for?)",
}

# Their code is ldd_challenge_sets.phenomena.reordering. The release has one of them.
_REORDERING = (
    Phenomenon(
        "reordering", Kind.REORDERING, "aligned words at least 5 positions apart (paper, 4.1)", None, None
    ),
    Phenomenon(
        "reordering_normalized", Kind.REORDERING, "the same, positions scaled to equal lengths", None, ()
    ),
    Phenomenon(
        "reordering_crossing", Kind.REORDERING, "links that cross at least 5 positions apart", None, ()
    ),
)

_LANGUAGE = re.compile(r"[a-z]{2,3}")
_NAME = re.compile(r"[a-z][a-z0-9_]*")


def _built_in(name: str) -> Phenomenon:
    languages = tuple(sorted(_TABLES[name]))
    return Phenomenon(name, Kind.LEXICAL, _SUMMARIES[name], languages, None if name in RELEASED else ())


_BUILT_IN = {name: _built_in(name) for name in _TABLES}
_own: dict[str, tuple[Phenomenon, Probe]] = {}


def phenomena() -> tuple[Phenomenon, ...]:
    """All there are: lexical ones, a user's own, reordering.

    >>> [phenomenon.name for phenomenon in phenomena()][:2]
    ['particle', 'reflexive']
    """
    return (*_BUILT_IN.values(), *(phenomenon for phenomenon, _ in _own.values()), *_REORDERING)


def phenomena_for(language: str, definition: Definition) -> tuple[str, ...]:
    """Names of the phenomena that a source language has, lexical ones first.

    A language without labels has reordering only, which needs none.

    Raises:
        InputError: the language is no code of two or three letters, or there is no such definition.

    >>> phenomena_for("en", Definition.RELEASED)
    ('particle', 'reflexive', 'preposition_stranding', 'reordering')
    """
    _check_language(language)
    definition = as_definition(definition)
    return tuple(phenomenon.name for phenomenon in phenomena() if phenomenon.applies(language, definition))


def _check_language(language: str) -> None:
    if not _LANGUAGE.fullmatch(language):
        raise InputError(f"a language is a code of two or three letters such as 'de', not {shown(language)}")


def lexical_finder(
    names: Sequence[str], language: str, definition: Definition, include_root: bool | None = None
) -> Callable[[Tree], dict[str, list[Hit]]]:
    """A function that looks for several lexical phenomena in a tree.

    It gives the names found, in the order asked for, with their hits in the order of their dependents. It is a closure
    and cannot be pickled: make one in each process.

    Args:
        names: see `phenomena_for`.
        language: of the trees.
        definition: of the phenomena.
        include_root: whether a root can be a hit, at distance ``id - 1``; ``None``: as the definition has it.

    Raises:
        InputError: a name is unknown or stands twice, looks at alignments, or the language does not have it.

    >>> from ldd_challenge_sets.records import Token
    >>> look = Token(1, "Look", "look", "VERB", "VB", "_", 0, "root")
    >>> it = Token(2, "it", "it", "PRON", "PRP", "_", 1, "obj")
    >>> up = Token(3, "up", "up", "ADP", "RP", "_", 1, "compound:prt")
    >>> tree = Tree((look, it, up))
    >>> lexical_finder(["particle", "reflexive"], "en", Definition.PAPER)(tree)
    {'particle': [Hit(dependent=3, head=1, dependent_form='up', head_form='Look', distance=1)]}
    """
    _check_language(language)
    definition = as_definition(definition)
    if len(set(names)) != len(names):
        raise InputError(f"expected each phenomenon once, not {', '.join(names)}")
    searches = [(name, _probes(name, language, definition)) for name in names]
    root = definition is Definition.RELEASED if include_root is None else include_root

    def search(tree: Tree) -> dict[str, list[Hit]]:
        return {name: hits for name, probes in searches if (hits := find(tree, probes, root))}

    return search


def needles_for(names: Sequence[str], language: str, definition: Definition) -> tuple[str, ...]:
    """Texts of which a block of CoNLL-U holds one if any of the phenomena is in it; empty: that is not known.

    Args:
        names: see `lexical_finder`.
        language: likewise.
        definition: likewise.

    Raises:
        InputError: as `lexical_finder`.

    >>> needles_for(["reflexive"], "de", Definition.PAPER)
    ('Reflex=Yes',)
    """
    probes = [probe for name in names for probe in _probes(name, language, definition)]
    if not all(probe.needles for probe in probes):
        return ()
    return tuple(dict.fromkeys(needle for probe in probes for needle in probe.needles))


def _probes(name: str, language: str, definition: Definition) -> tuple[Probe, ...]:
    phenomenon = next((phenomenon for phenomenon in phenomena() if phenomenon.name == name), None)
    if (
        phenomenon is None
        or phenomenon.kind is not Kind.LEXICAL
        or not phenomenon.applies(language, definition)
    ):
        raise InputError(_why_not(name, phenomenon, language, definition))
    if name in _own:
        return (_own[name][1],)
    if definition is Definition.RELEASED:
        return (RELEASED[name],)
    return tuple(map(label_probe, _TABLES[name][language]))


def _why_not(name: str, phenomenon: Phenomenon | None, language: str, definition: Definition) -> str:
    lexical = [each for each in phenomena() if each.kind is Kind.LEXICAL]
    if phenomenon is None:
        listed = ", ".join(each.name for each in lexical)
        return f"no phenomenon is called {shown(name)}; there are {listed}, and others with `register`"
    if phenomenon.kind is not Kind.LEXICAL:
        return f"{name} looks at alignments, not at trees; see ldd_challenge_sets.phenomena.reordering"
    languages = phenomenon.languages(definition)
    where = f"it is there for {', '.join(languages)}" if languages else "no language has it"
    has = ", ".join(each.name for each in lexical if each.applies(language, definition)) or "none"
    return (
        f"language {language!r} has no labels for {name} under the definition '{definition.value}' ({where}); "
        f"lexical phenomena of {language!r}: {has}. Labels stand in ldd_challenge_sets/phenomena/labels.py"
    )


def register(
    name: str,
    test: Test,
    summary: str,
    languages: Iterable[str] | None = None,
    relations: Iterable[str] | None = None,
) -> Phenomenon:
    """Add a phenomenon of one's own; it is the same under both definitions.

    It is known to this process and to those forked from it: in others, and on other machines, register it too.

    Args:
        name: lower-case letters, digits and ``_``; it becomes part of file names.
        test: gets a token, its head (``None`` for a root, asked about only if roots count) and its tree, and says
            whether the token is a hit. It must be a function of these alone.
        summary: one line for lists.
        languages: source languages that have it; ``None``: every language.
        relations: the relations that a hit can have, exactly; others are not tested, which is much faster. ``None``:
            every token is tested.

    Returns:
        The entry.

    Raises:
        InputError: the name is taken or has another form, a language is no code, a text stands for a list.
    """
    if not _NAME.fullmatch(name) or name == BASELINE or name.startswith(Kind.REORDERING.value):
        raise InputError(
            f"a phenomenon's name is made of a-z, 0-9 and _ and begins with a letter, not {shown(name)}; "
            f"'{BASELINE}' and names that begin with '{Kind.REORDERING.value}' are taken"
        )
    if any(phenomenon.name == name for phenomenon in phenomena()):
        raise InputError(
            f"there is a phenomenon called {name!r} already; choose another name, or `unregister` it"
        )
    for what, given in (("languages", languages), ("relations", relations)):
        if isinstance(given, str):
            raise InputError(f"{what} is a list such as [{given[:40]!r}], not a text")
    codes = None if languages is None else tuple(sorted(set(languages)))
    for code in codes or ():
        _check_language(code)
    entry = Phenomenon(name, Kind.LEXICAL, summary, codes, codes, own=True)
    wanted = None if relations is None else frozenset(relations)
    _own[name] = (
        entry,
        (
            Probe(all_tokens, test)
            if wanted is None
            else Probe(with_relations(wanted), test, tuple(sorted(wanted)))
        ),
    )
    return entry


def unregister(name: str) -> None:
    """Remove a phenomenon that `register` added.

    Raises:
        InputError: there is none of this name, or it is built in.
    """
    if name not in _own:
        listed = ", ".join(_own) or "none"
        raise InputError(f"no phenomenon {shown(name)} was registered; registered are: {listed}")
    del _own[name]
