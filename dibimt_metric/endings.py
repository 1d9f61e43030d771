"""Citation forms by tables of endings: for words that a dictionary does not have, or reads in one way only.

A table says which endings of a form stand for which endings of a citation form (``ахме`` for ``а`` and
``ам``). What it derives are possibilities, and most of them are no words. They do little harm: a derived
lemma is one more key of the form, which counts only where it equals a candidate.

Two rules use the tables. *inflection* is for forms that the dictionary does not have; the lemmatiser's
guess from parts of the word (``кастрира`` as a form of ``кастря``) is given up for it. *homograph* is for
forms that the dictionary has under one lemma and that are forms of another as well (``работи``: of
``работа``, of ``работя``). Such a form is known to be ambiguous, so only lemmas that the dictionary has
are taken.

Measured on Universal Dependencies by ``experiments/lemma_coverage.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field
from typing import TYPE_CHECKING, NamedTuple

from .rules import Reading
from .rules import Rule

if TYPE_CHECKING:
    from .analysis import Lexicon

INFLECTION = Rule("inflection", "a form that the dictionary does not have, read by its ending")
HOMOGRAPH = Rule(
    "homograph", "a form that the dictionary gives to one of several lemmas, read by its ending too"
)

# Ending of a form -> endings that its citation form may have instead.
Endings = Mapping[str, tuple[str, ...]]

_SHORTEST_STEM = 2
LONGEST_FORM = 40  # no word is longer, and a megabyte without a blank must not be searched


class Homographs(NamedTuple):
    """Endings under which the dictionary's lemma is not the only one.

    Attributes:
        endings: the table.
        applies: form, the dictionary's lemma, lexicon -> whether the table may be asked.
        accepts: derived lemma and lexicon -> whether it is a lemma of the right kind.
    """

    endings: Endings
    applies: Callable[[str, str, Lexicon], bool]
    accepts: Callable[[str, Lexicon], bool]


@dataclass(frozen=True, slots=True)
class Inflection:
    """The tables of one language.

    Attributes:
        unknown: for forms without an entry.
        homographs: for forms with one.
        letters: letters that the tables write as others, for `str.translate`.
        clean: a dictionary's lemma -> as candidates write it.
        no_lemmas: what the dictionary gives as the lemma of other forms by mistake (``се`` for ``надявай``).
    """

    unknown: Endings
    homographs: tuple[Homographs, ...] = ()
    letters: Mapping[int, str] = field(default_factory=dict)
    clean: Callable[[str], str] = str
    no_lemmas: frozenset[str] = frozenset()


def endings(rows: Iterable[tuple[str, str]], paradigms: Mapping[str, str]) -> Endings:
    """A table from rows of endings of forms and endings of citation forms, each separated by blanks.

    Args:
        rows: ``-`` is the empty ending; a plus sign and a name stand for each ending of that paradigm.
        paradigms: name -> endings.

    >>> endings([("им ил+p", "я")], {"p": "- а и"})["ила"]
    ('я',)
    """
    table: dict[str, dict[str, None]] = {}
    for forms, citations in rows:
        for ending in (ending for form in forms.split() for ending in _expanded(form, paradigms)):
            table.setdefault(ending, {}).update(dict.fromkeys(citations.replace("-", "").split() or [""]))
            if "-" in citations.split():
                table[ending][""] = None
    return {ending: tuple(found) for ending, found in table.items()}


def _expanded(form: str, paradigms: Mapping[str, str]) -> Iterator[str]:
    stem, plus, name = form.partition("+")
    for ending in paradigms[name].split() if plus else ("",):
        yield (stem + ending).replace("-", "")


def derived(form: str, table: Endings) -> tuple[str, ...]:
    """All citation forms that the table gives for a form, those by the longest endings first.

    >>> derived("подправихме", {"ихме": ("я",), "ме": ("м",)})
    ('подправя', 'подправихм')
    """
    found: dict[str, None] = {}
    for cut in range(_SHORTEST_STEM, len(form) + 1):
        for ending in table.get(form[cut:], ()):
            found[form[:cut] + ending] = None
    found.pop(form, None)
    return tuple(found)


def readings(data: Inflection, form: str, lexicon: Lexicon | None) -> tuple[Reading, ...]:
    """Further lemmas of a form; none where there is no lexicon to say what is unknown.

    Args:
        data: the language's tables.
        form: as it stands in the text.
        lexicon: the word list of the analyzer that read it.
    """
    if lexicon is None or len(form) > LONGEST_FORM or not form[:1].isalpha():
        return ()
    lower = form.lower().translate(data.letters)
    known = entry(form, lexicon)
    known = known if known is None else data.clean(known)
    if known is None or (known in data.no_lemmas and known != lower):
        return tuple(Reading(lemma, INFLECTION.name) for lemma in derived(lower, data.unknown))
    return tuple(
        Reading(lemma, HOMOGRAPH.name)
        for table in data.homographs
        if table.applies(lower, known, lexicon)
        for lemma in derived(lower, table.endings)
        if lemma != known and table.accepts(lemma, lexicon)
    )


def entry(form: str, lexicon: Lexicon) -> str | None:
    """The dictionary's lemma of a form, whatever its case."""
    for spelling in dict.fromkeys((form, form.lower(), form.capitalize())):
        if (lemma := lexicon.entry(spelling)) is not None:
            return lemma
    return None
