"""Forms of Italian and Spanish verbs, made from the infinitive by tables of endings.

They have two uses. A dictionary gives one lemma for a form, so that a form that is a noun too (``cuenta``, ``salva``)
is lost for its verb; and a pronoun is reflexive only where it agrees with the verb (``me lavo``, not ``me lava``), so
the person of a form must be known. Stems that change (``contar``: ``cuento``) are tried and kept where the dictionary
has the proof: another form of the same stem (``cuentan``) whose lemma is the verb.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from .analysis import Lexicon

# Persons: 1s 2s 3s 1p 2p 3p, and these two; the second is for gerunds and participles.
INFINITIVE = "inf"
NOT_FINITE = "0"

_MAX_REMEMBERED = 20_000
# Verbs of one syllable are irregular, and "v" + "ida" is "life".
_SHORTEST_STEM = 2

# Person -> endings, separated by spaces.
Endings = Mapping[str, str]
# Form -> persons it can have.
Forms = Mapping[str, frozenset[str]]


# Ending of an infinitive -> stems that some tenses have instead, as in ``hacer: hic, hiz``.
Strong = Mapping[str, tuple[str, ...]]


def paradigms(text: str) -> dict[str, Endings]:
    """A table ``key: person endings / person endings`` for several keys, broken into lines anywhere.

    >>> paradigms("ar: 1s o é / 2s as er: 1s o")
    {'ar': {'1s': 'o é', '2s': 'as'}, 'er': {'1s': 'o'}}
    """
    found: dict[str, Endings] = {}
    for key, rows in re.findall(r"(\w+):([^:]*)(?=\s\w+:|$)", text):
        found[key] = dict(" ".join(row.split()).split(" ", 1) for row in rows.split("/"))
    return found


@dataclass(frozen=True, slots=True)
class Conjugation:
    """How one language makes verb forms.

    Attributes:
        classes: ending of the infinitive -> endings by person; where several fit, all are tried.
        spell: stem, ending and class -> the written form (``busc`` + ``é`` -> ``busqué``).
        vowels: last vowel of a stem -> possible replacement (``o`` -> ``ue``).
        present: class -> endings by person that take a stem with a changed vowel.
        present_proof: class -> ending of a form whose lemma must be the verb for such a stem to be kept.
        perfect: stems of strong perfects.
        perfect_endings: their endings by person.
        perfect_proof: ending of the form that proves such a stem (empty: the table is proof enough).
        participles: irregular participles, without their ending.
        participle_endings: their endings.
        irregular: infinitive -> person -> forms.
    """

    classes: Mapping[str, Endings]
    spell: Callable[[str, str, str], str]
    vowels: tuple[tuple[str, str], ...]
    present: Mapping[str, Endings]
    present_proof: Mapping[str, str]
    perfect: Strong
    perfect_endings: Endings
    perfect_proof: str
    participles: Strong
    participle_endings: str
    irregular: Mapping[str, Endings]
    _known: dict[tuple[str, Lexicon | None], Forms] = field(default_factory=dict)

    def forms(self, infinitive: str, lexicon: Lexicon | None) -> Forms:
        """The forms of a verb with the persons each can have; none where it is not an infinitive.

        Without a lexicon nothing is proved, and stems that need a proof are omitted.
        """
        key = (infinitive, lexicon)
        if key not in self._known:
            if len(self._known) >= _MAX_REMEMBERED:
                self._known.clear()
            persons: dict[str, set[str]] = {}
            for person, form in self._all(infinitive, lexicon):
                persons.setdefault(form, set()).add(person)
            self._known[key] = {form: frozenset(found) for form, found in persons.items()}
        return self._known[key]

    def forms_of(self, infinitives: Iterable[str]) -> dict[str, frozenset[str]]:
        """Form -> those of the verbs that can have it, by the tables alone; each verb is a form of itself."""
        verbs: dict[str, set[str]] = {}
        for infinitive in infinitives:
            for form in (infinitive, *self.forms(infinitive, None)):
                verbs.setdefault(form, set()).add(infinitive)
        return {form: frozenset(found) for form, found in verbs.items()}

    def _all(self, infinitive: str, lexicon: Lexicon | None) -> Iterator[tuple[str, str]]:
        yield from _spread(self.irregular.get(infinitive, {}))
        for ending, endings in self.classes.items():
            if infinitive.endswith(ending) and len(infinitive) >= len(ending) + _SHORTEST_STEM:
                stem = infinitive.removesuffix(ending)
                yield from self._joined(stem, ending, endings)
                yield from self._with_changed_vowel(infinitive, stem, ending, lexicon)
        for stem in _replaced(infinitive, self.perfect):
            if not self.perfect_proof or _is_form(stem + self.perfect_proof, infinitive, lexicon):
                yield from ((person, stem + ending) for person, ending in _spread(self.perfect_endings))
        for stem in _replaced(infinitive, self.participles):
            yield from ((NOT_FINITE, stem + ending) for ending in self.participle_endings.split())

    def _joined(self, stem: str, ending: str, endings: Endings) -> Iterator[tuple[str, str]]:
        return ((person, self.spell(stem, tail, ending)) for person, tail in _spread(endings))

    def _with_changed_vowel(
        self, infinitive: str, stem: str, ending: str, lexicon: Lexicon | None
    ) -> Iterator[tuple[str, str]]:
        if lexicon is None or ending not in self.present:
            return
        for old, new in self.vowels:
            before, found, after = stem.rpartition(old)
            changed = before + new + after
            proof = self.spell(changed, self.present_proof[ending], ending)
            if found and _is_form(proof, infinitive, lexicon):
                yield from self._joined(changed, ending, self.present[ending])


def _spread(endings: Endings) -> Iterator[tuple[str, str]]:
    for person, tails in endings.items():
        for tail in tails.split():
            yield person, tail


def _replaced(infinitive: str, table: Strong) -> Iterator[str]:
    for ending, stems in table.items():
        if infinitive.endswith(ending):
            yield from (infinitive.removesuffix(ending) + stem for stem in stems)


def _is_form(form: str, infinitive: str, lexicon: Lexicon | None) -> bool:
    return lexicon is not None and lexicon.lemma_of(form) == infinitive


def participle_verbs(form: str, table: Strong) -> Iterator[str]:
    """Infinitives of which ``form`` can be an irregular participle by the table: ``reso`` -> ``rendere``."""
    stem = form[:-1]
    for ending, participles in table.items():
        for participle in participles:
            if stem.endswith(participle):
                yield stem.removesuffix(participle) + ending
