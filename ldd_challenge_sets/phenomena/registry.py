"""The phenomena by name: their languages, and how to search for several at once.

`register` adds the user's own phenomena, see `docs/phenomena.md`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from dibimt_metric.errors import InputError, shown
from dibimt_metric.score_measures import parse_option

from ..records import BASELINE, Hit, Tree
from .labels import PARTICLES, REFLEXIVES, STRANDED, STRANDED_EXTENDED, LabelTable
from .lexical import RELEASED, Probe, Test, all_tokens, find, label_probe, with_relations


class Definition(str, Enum):
    """How phenomena are defined.

    Attributes:
        PAPER: as in the paper: explicit labels for each language; a root is not a hit unless requested.
        RELEASED: as in the published sets: substrings of labels, any language; a root can be a hit.
    """

    PAPER = "paper"
    RELEASED = "released"


def as_definition(name: str) -> Definition:
    """The definition of that name, or an `InputError`.

    >>> as_definition("paper") is Definition.PAPER
    True
    """
    return parse_option(Definition, name, "definition")


class Kind(str, Enum):
    """What a phenomenon looks at: the source's tree, or the alignment of source and target."""

    LEXICAL = "lexical"
    REORDERING = "reordering"


@dataclass(frozen=True, slots=True)
class Phenomenon:
    """One entry of the registry.

    Attributes:
        name: as in configurations and on the command line.
        summary: one line for lists.
        paper, released: source languages that have it under each definition, sorted; ``None``: every language; empty:
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


_TABLES: dict[str, tuple[LabelTable, str]] = {
    "particle": (PARTICLES, "a verb and its particle or separated prefix (paper, 4.2)"),
    "reflexive": (REFLEXIVES, "a verb and its reflexive pronoun (paper, 4.2)"),
    "preposition_stranding": (STRANDED, "a preposition away from its object: ADP as obl (paper, 4.2)"),
    "preposition_stranding_extended": (
        STRANDED_EXTENDED,
        "the same, and ADP as case after its head (What are you looking for?)",
    ),
}
_BUILT_IN = {
    name: Phenomenon(name, Kind.LEXICAL, summary, tuple(sorted(table)), None if name in RELEASED else ())
    for name, (table, summary) in _TABLES.items()
}

# Their code is ldd_challenge_sets.phenomena.reordering. The release has one of them.
_REORDERING = tuple(
    Phenomenon(name, Kind.REORDERING, summary, None, released)
    for name, summary, released in (
        ("reordering", "aligned words at least 5 positions apart (paper, 4.1)", None),
        ("reordering_normalized", "the same, positions scaled to equal lengths", ()),
        ("reordering_crossing", "links that cross at least 5 positions apart", ()),
    )
)

_LANGUAGE = re.compile(r"[a-z]{2,3}")
_NAME = re.compile(r"[a-z][a-z0-9_]*")
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
    """A function that searches a tree for several lexical phenomena.

    It gives the names found, in the order of ``names``, with their hits in the order of their dependents. It is a
    closure and cannot be pickled: make one in each process.

    Args:
        names: see `phenomena_for`.
        language: of the trees.
        definition: of the phenomena.
        include_root: whether a root can be a hit, at distance ``id - 1``; ``None``: as the definition says.

    Raises:
        InputError: a name is unknown or occurs twice, needs alignments, or the language does not have it.

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
    """Texts one of which is in every block of CoNLL-U that holds any of the phenomena; empty: not known.

    Arguments and errors are those of `lexical_finder`.

    >>> needles_for(["reflexive"], "de", Definition.PAPER)
    ('Reflex=Yes',)
    """
    probes = [probe for name in names for probe in _probes(name, language, definition)]
    if not all(probe.needles for probe in probes):
        return ()
    return tuple(dict.fromkeys(needle for probe in probes for needle in probe.needles))


def _probes(name: str, language: str, definition: Definition) -> tuple[Probe, ...]:
    phenomenon = next((phenomenon for phenomenon in phenomena() if phenomenon.name == name), None)
    if phenomenon is None or phenomenon.kind is not Kind.LEXICAL or not phenomenon.applies(language, definition):
        raise InputError(_why_not(name, phenomenon, language, definition))
    if name in _own:
        return (_own[name][1],)
    if definition is Definition.RELEASED:
        return (RELEASED[name],)
    return tuple(map(label_probe, _TABLES[name][0][language]))


def _why_not(name: str, phenomenon: Phenomenon | None, language: str, definition: Definition) -> str:
    lexical = [each for each in phenomena() if each.kind is Kind.LEXICAL]
    if phenomenon is None:
        listed = ", ".join(each.name for each in lexical)
        return f"unknown phenomenon {shown(name)}; known are {listed}, and others added with `register`"
    if phenomenon.kind is not Kind.LEXICAL:
        return f"{name} needs alignments, not trees; see ldd_challenge_sets.phenomena.reordering"
    languages = phenomenon.languages(definition)
    where = f"it is available for {', '.join(languages)}" if languages else "no language has it"
    has = ", ".join(each.name for each in lexical if each.applies(language, definition)) or "none"
    return (
        f"language {language!r} has no labels for {name} under the definition '{definition.value}' ({where}); "
        f"lexical phenomena of {language!r}: {has}. Labels are in ldd_challenge_sets/phenomena/labels.py"
    )


def register(
    name: str, test: Test, summary: str, languages: Iterable[str] | None = None, relations: Iterable[str] | None = None
) -> Phenomenon:
    """Add a phenomenon, the same under both definitions.

    Only this process and those forked from it know it: in others, and on other machines, register it too.

    Args:
        name: lower-case letters, digits and ``_``; becomes part of file names.
        test: decides whether a token is a hit, given the token, its head (``None`` for a root, tested only if roots
            count) and its tree. It must depend on these alone.
        summary: one line for lists.
        languages: source languages that have it; ``None``: every language.
        relations: the relations that a hit can have, exactly; others are not tested, which is much faster. ``None``:
            every token is tested.

    Raises:
        InputError: the name is taken or malformed, a language is not a code, or a list is given as a text.
    """
    if not _NAME.fullmatch(name) or name == BASELINE or name.startswith(Kind.REORDERING.value):
        raise InputError(
            f"the name of a phenomenon consists of a-z, 0-9 and _ and begins with a letter, not {shown(name)}; "
            f"'{BASELINE}' and names that begin with '{Kind.REORDERING.value}' are reserved"
        )
    if any(phenomenon.name == name for phenomenon in phenomena()):
        raise InputError(f"phenomenon {name!r} exists already; choose another name, or `unregister` it")
    for what, given in (("languages", languages), ("relations", relations)):
        if isinstance(given, str):
            raise InputError(f"{what} must be a list such as [{given[:40]!r}], not a text")
    codes = None if languages is None else tuple(sorted(set(languages)))
    for code in codes or ():
        _check_language(code)
    entry = Phenomenon(name, Kind.LEXICAL, summary, codes, codes, own=True)
    if relations is None:
        _own[name] = entry, Probe(all_tokens, test)
    else:
        wanted = frozenset(relations)
        _own[name] = entry, Probe(with_relations(wanted), test, tuple(sorted(wanted)))
    return entry


def unregister(name: str) -> None:
    """Remove a phenomenon that `register` added; an `InputError` for any other name."""
    if name not in _own:
        listed = ", ".join(_own) or "none"
        raise InputError(f"phenomenon {shown(name)} is not registered; registered are: {listed}")
    del _own[name]
