"""Pronouns that are written together with their verb, in Italian and Spanish (``dándomelo``, ``alzatevi``).

A form is taken apart only where nothing else explains it: its beginning must be a form of a verb that the
dictionary has, and the dictionary must not know the whole as another word (``charla``, ``perla``, ``famosi``,
``vestiti``).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from re import Pattern as Regex
from typing import NamedTuple

from .analysis import Lexicon
from .analyzer_builtin import Part
from .rules_conjugation import Conjugation
from .rules_conjugation import participle_verbs

_LONGEST = 40
# Shorter ones are listed: Italian "mila" is not a form of "mare".
_SHORTEST_STEM = 2
_NEVER_DOUBLED = "gli"  # "dagli", "fagli"


class Host(NamedTuple):
    """An ending of verb forms that carry pronouns.

    Attributes:
        ending: of the form, without accents.
        infinitives: endings of the infinitives it can belong to.
        stressed: only where the form has an accent (Spanish ``lávate``, but ``tomate``).
        proof: ending of a form of the same stem by which the dictionary proves an irregular verb
            (``cuéntame``: ``cuentan`` is a form of ``contar``); empty: none.
        only: the pronouns that alone can follow first (empty: any).
        barred: pronouns that cannot follow first.
    """

    ending: str
    infinitives: tuple[str, ...]
    stressed: bool = False
    proof: str = ""
    only: tuple[str, ...] = ()
    barred: tuple[str, ...] = ()

    def carries(self, host: str, plain: str, enclitic: str) -> bool:
        """Whether ``host`` (``plain``: without accents) may be such a form before ``enclitic``."""
        return (
            plain.endswith(self.ending)
            and (not self.stressed or host != plain)
            and (not self.only or enclitic.startswith(self.only))
            and not (self.barred and enclitic.startswith(self.barred))
        )


@dataclass(frozen=True, slots=True)
class Clitics:
    """Data of one language with enclitic pronouns.

    Attributes:
        conjugation: the language's verb forms.
        clusters: written pronouns after a verb form, longest first -> the pronouns in them.
        hosts: endings of the verb forms that carry them.
        irregular: whole verb forms that carry them -> their verbs.
        doubled: of ``irregular``, those that double the pronoun's consonant (Italian ``dimmi``).
        after_participle: pronouns that irregular participles carry (``resosi``).
        infinitives: endings of a verb's lemma.
        verbs_carry: whether such a lemma of the whole can be that of a verb with pronouns (Spanish ``lávate``:
            ``lavarse``), where the form is not a plain form of it (``invente``).
        certain: forms that are a verb with pronouns, whatever the dictionary has (``dime``: ``dimir``).
        initial: pronoun of an imperative that looks like another word; it is split off at the beginning of a
            sentence only (Italian ``Lavati!``, but "i panni lavati").
        reflexive_hosts: pronoun -> shape of a verb form before it if the pronoun is reflexive; pronouns without an
            entry are reflexive after every form.
    """

    conjugation: Conjugation
    clusters: Mapping[str, tuple[str, ...]]
    hosts: tuple[Host, ...]
    irregular: Mapping[str, tuple[str, ...]]
    doubled: frozenset[str]
    after_participle: tuple[str, ...]
    infinitives: tuple[str, ...]
    verbs_carry: bool
    certain: frozenset[str]
    initial: str
    reflexive_hosts: Mapping[str, Regex[str]]


def clusters(singles: tuple[str, ...], firsts: tuple[str, ...], seconds: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Single pronouns and pairs of different ones, the longest first."""
    pairs = [(first, second) for first in firsts for second in seconds if first != second]
    found = {"".join(pronouns): pronouns for pronouns in (*((single,) for single in singles), *pairs)}
    return dict(sorted(found.items(), key=lambda item: -len(item[0])))


def split(data: Clitics, form: str, lexicon: Lexicon, initial: bool = False) -> tuple[Part, ...]:
    """The verb and its enclitic pronouns as words; nothing for any other form.

    ``lavarsi`` -> ``lavar`` + ``si``; ``dándomelo`` -> ``dándo`` + ``me`` + ``lo``.
    """
    folded = form.casefold()
    if len(folded) != len(form) or len(form) > _LONGEST or not folded.endswith(tuple(data.clusters)):
        return ()
    is_other = _is_other_word(data, form, lexicon)
    for cluster, pronouns in data.clusters.items():
        if is_other and not (initial and cluster == data.initial):
            continue
        if folded.endswith(cluster) and len(folded) >= len(cluster) + 2:
            host = folded.removesuffix(cluster)
            if verbs := tuple(_verbs(data, host, cluster, lexicon)):
                lemmas = tuple(dict.fromkeys((*_named(data, folded, lexicon), *verbs)))
                return (Part(0, len(host), lemmas), *_pronoun_parts(pronouns, len(host)))
    return ()


def _named(data: Clitics, form: str, lexicon: Lexicon) -> Iterator[str]:
    """The verb that the dictionary names with its pronoun: ``siéntese`` has the lemma ``sentarse``."""
    lemma = lexicon.entry(form) or ""
    for pronoun in data.clusters:
        base = lemma.removesuffix(pronoun)
        if base != lemma and base.endswith(data.infinitives) and _is_verb(base, lexicon):
            yield base


def _is_other_word(data: Clitics, form: str, lexicon: Lexicon) -> bool:
    """Whether the dictionary has the form as something else than a verb with pronouns."""
    plain = form.lower()
    if plain in data.certain:
        return False
    for lemma in (lexicon.entry(key) for key in {form, plain}):
        if lemma is not None and not (data.verbs_carry and lemma.endswith(data.infinitives)):
            return True
        if lemma is not None and plain in data.conjugation.forms(lemma, lexicon):
            return True
    return False


def _verbs(data: Clitics, host: str, enclitic: str, lexicon: Lexicon) -> Iterator[str]:
    plain = without_stress(host)
    is_doubled = plain[-1] == enclitic[0] and plain[:-1] in data.doubled
    known = data.irregular.get(plain[:-1] if is_doubled else plain)
    if known is not None:
        if is_doubled or plain not in data.doubled or enclitic.startswith(_NEVER_DOUBLED):
            yield from known
        return
    for row in data.hosts:
        if row.carries(host, plain, enclitic):
            yield from _verbs_of(row, plain, lexicon)
    if enclitic.startswith(data.after_participle):
        yield from (verb for verb in participle_verbs(plain, data.conjugation.participles) if _is_verb(verb, lexicon))


def _verbs_of(row: Host, plain: str, lexicon: Lexicon) -> Iterator[str]:
    stem = plain.removesuffix(row.ending)
    if len(stem) < _SHORTEST_STEM:
        return
    regular = [stem + ending for ending in row.infinitives if _is_verb(stem + ending, lexicon)]
    yield from regular
    if not regular:
        for form in (plain, stem + row.proof if row.proof else ""):
            lemma = lexicon.entry(form)
            if lemma and lemma.endswith(row.infinitives) and _is_verb(lemma, lexicon):
                yield lemma


def _is_verb(infinitive: str, lexicon: Lexicon) -> bool:
    return lexicon.entry(infinitive) == infinitive and lexicon.is_lemma(infinitive)


def _pronoun_parts(pronouns: tuple[str, ...], offset: int) -> Iterator[Part]:
    for pronoun in pronouns:
        yield Part(offset, offset + len(pronoun), (pronoun,))
        offset += len(pronoun)


def without_stress(text: str) -> str:
    """Without the accents that keep the stress of a form with pronouns (``dándo`` -> ``dando``); ñ stays."""
    kept = [c for c in unicodedata.normalize("NFD", text) if c not in "\u0301\u0300"]
    return unicodedata.normalize("NFC", "".join(kept))
