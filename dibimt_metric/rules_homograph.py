"""Verb forms that the dictionary gives to another word: Spanish ``cuenta``, Italian ``salva``.

A dictionary has one lemma a form, and where a form is a noun too, the noun is what it has; so "¿Quién cuenta
los votos?" would not show ``contar``. The forms of a candidate that is a verb are therefore looked for
themselves, except where the word before them makes them a noun ("la cuenta").
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, NamedTuple

from .match_patterns import Found
from .match_patterns import all_present
from .match_patterns import runs
from .rules import Rule

if TYPE_CHECKING:
    from .match_phrase import Elements
    from .match_view import View

HOMOGRAPH = Rule("homograph", "a verb form that the dictionary gives to another word, where no noun stands")


class NounSigns(NamedTuple):
    """What tells, beside a form, that a noun stands there.

    Attributes:
        before: words after which a form is a noun ("la cuenta").
        after: words before which it is one ("cuenta de"), unless one of ``verbal`` stands before it
            ("no habla de").
        verbal: words after which a verb stands.
    """

    before: frozenset[str]
    after: frozenset[str]
    verbal: frozenset[str]

    def show(self, view: View, position: int) -> bool:
        """Whether a noun stands at ``position``, also a name by its capital."""
        low, high = view.sentence(position)
        previous = view.form(position - 1) if position > low else ""
        if not previous.isalnum():  # a quotation mark, the beginning of a sentence, "¿"
            previous = ""
        if previous and view.words[position].text[:1].isupper():
            return True
        if previous in self.before or previous.isdecimal():
            return True
        return position + 1 < high and view.form(position + 1) in self.after and previous not in self.verbal


class VerbForms(NamedTuple):
    """A verb by its forms, and the further words of the candidate.

    Attributes:
        elements: the forms, then the other words.
        infinitives: endings of lemmas that are verbs; a form that has one already is left to it.
        signs: what tells nouns.
    """

    elements: Elements
    infinitives: tuple[str, ...]
    signs: NounSigns

    def may_stand(self, present: AbstractSet[str]) -> bool:
        """See `Pattern`."""
        return all_present(self.elements, present)

    def find(self, view: View) -> Iterator[Found]:
        """See `Pattern`."""
        for cover, rule in runs(view, self.elements, 0, len(view.words)):
            if self._is_misread(view, cover[0]) and not self.signs.show(view, cover[0]):
                yield Found(cover, rule or HOMOGRAPH.name)

    def _is_misread(self, view: View, position: int) -> bool:
        """Whether the dictionary has a word as no verb; "Fatti" in "Fatti coraggio!" is two words."""
        verb, lexicon = self.elements[0], view.lexicon
        if verb is None or view.form(position) not in verb.keys:
            return False
        return not any(
            lemma.endswith(self.infinitives) and (lexicon is None or lexicon.lemma_of(lemma) == lemma)
            for lemma in view.words[position].lemmas
        )
