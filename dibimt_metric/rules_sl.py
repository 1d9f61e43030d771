"""Slovene: reflexive particles, and the endings of unknown forms.

A particle is second in its clause, and may be far from its verb, even with another clause between the two. The
dictionary gives forms in ``-il``, ``-ila`` to nouns (``popravil`` to ``popravilo``); past tenses are full of them.
"""

from __future__ import annotations

from functools import partial

from .analysis import Lexicon
from .rules import LanguageRules
from .rules_slavic import HOMOGRAPH
from .rules_slavic import INFLECTION
from .rules_slavic import REFLEXIVE
from .rules_slavic import Homographs
from .rules_slavic import Inflection
from .rules_slavic import Particles
from .rules_slavic import endings
from .rules_slavic import entry
from .rules_slavic import patterns
from .rules_slavic import readings
from .rules_words import WordRules
from .rules_words import words

_PARTICLES = Particles(
    forms=frozenset({"se", "si"}),
    light=words(
        "sem si je sva sta smo ste so bom boš bo bova bosta bomo boste bodo bi bil bila bilo bili bile biti "
        "ne ni naj mi ti mu ji nam vam jim me te ga jo nas vas jih pa še že tudi"
    ),
    only_light=False,
    barrier=words("in ter oziroma ker da ko če ampak toda"),
    inserted=words(
        "ki da ko kjer kadar če ker kar kot kateri katera katero katere katerega kateremu katerem katerim "
        "katerih katerimi"
    ),
)


# Endings of adjectives and participles, and of participles in -l, by gender, number and case.
_PARADIGMS = {
    "a": "- a o i e ega emu em im ih imi ima",
    "l": "l la lo li le",
    "m": "a u i om em oma ema ov ev e ih",
}

_VERBS = (
    # delati, voziti, vzleteti: present, imperative, participles, supine
    ("am aš a ava ata amo ate ajo aj ajva ajta ajmo ajte a+l at an+a aje ajoč+a avši", "ati"),
    ("im iš i iva ita imo ite ijo e i+l it en+a jen+a eč+a ivši", "iti"),
    ("im iš i iva ita imo ite ijo e e+l et en+a eč+a evši", "eti"),
    ("em eš e eva eta emo ete ejo ej ejva ejta ejmo ejte e+l et", "eti"),
    # dvigniti, pisati: present in -e-
    ("nem neš ne neva neta nemo nete nejo njen+a", "niti"),
    ("em eš e eva eta emo ete ejo i iva ita imo ite", "ati"),
    ("šem šeš še ševa šeta šemo šete šejo ši šiva šita šimo šite", "sati"),
    ("žem žeš že ževa žeta žemo žete žejo ži živa žita žimo žite", "zati gati"),
    ("čem češ če čeva četa čemo čete čejo či čiva čita čimo čite", "kati tati"),
    # kupovati, potegovati, bojevati
    ("ujem uješ uje ujeva ujeta ujemo ujete ujejo ujoč+a uj ujva ujta ujmo ujte", "ovati evati"),
    ("ijem iješ ije ijeva ijeta ijemo ijete ijejo ij ijva ijta ijmo ijte", "iti"),
    # nesti, plesti, bosti; peči, streči
    ("sem seš se seva seta semo sete sejo si siva sita simo site se+l sen+a", "sti"),
    ("dem deš de deva deta demo dete dejo di diva dita dimo dite de+l den+a", "sti"),
    ("tem teš te teva teta temo tete tejo ti tiva tita timo tite te+l ten+a", "sti"),
    ("zem zeš ze zeva zeta zemo zete zejo zi ziva zita zimo zite ze+l zen+a", "zti"),
    ("čem češ če čeva četa čemo čete čejo kel kla klo kli kle čen+a", "či"),
    ("žem žeš že ževa žeta žemo žete žejo gel gla glo gli gle žen+a", "či"),
    # Alternations before -en: ponarejen, postavljen, zapuščen, nošen, vožen
    ("jen+a", "diti"),
    ("ljen+a", "iti"),
    ("njen+a", "niti"),
    ("ščen+a", "stiti"),
    ("šen+a", "siti"),
    ("žen+a", "ziti diti"),
    ("čen+a", "titi"),
)

_NOUNS = (
    # korak; egoizem, lonec, hrbet; brigadir; atelje
    ("+m", "-"),
    ("m+m", "em"),
    ("n+m", "en"),
    ("c+m", "ec"),
    ("k+m", "ek"),
    ("t+m", "et"),
    ("r+m", "er"),
    ("l+m", "el"),
    ("lj+m", "elj"),
    ("rj+m", "r"),
    ("ja ju jem ji jema jev je jih", "-"),
    # mesto, polje
    ("- a u i om oma ih", "o"),
    ("- a u i em ema ih", "e"),
    # gora, luknja, tovarna; klop, enovitost
    ("- e i o am ah ami ama", "a"),
    ("enj", "nja"),
    ("en", "na no"),
    ("el", "la lo"),
    ("er", "ra ro"),
    ("ek", "ka"),
    ("em", "ma mo"),
    ("i jo im ih mi ma ema", "-"),
)

_ADJECTIVES = (
    ("a o i e ega emu em im ih imi ima", "- i"),
    ("na no ni ne nega nemu nem nim nih nimi nima", "en"),
    ("ka ko ki ke kega kemu kem kim kih kimi kima", "ek"),
)

# pravi: of prav, praviti. popravil: of popravilo, popraviti. odmeva: of odmev, odmevati.
_THIRD_PERSON = (("i", "iti eti"), ("a", "ati"))
_PARTICIPLES = (("i+l", "iti"), ("a+l", "ati"), ("e+l", "eti"))
# ponarejen: the dictionary has the participle as an adjective.
_PASSIVES = tuple(
    (" ".join(form for form in forms.split() if form.endswith(("en+a", "an+a"))), infinitive)
    for forms, infinitive in _VERBS
)


def _may_be_verb(form: str, lemma: str, lexicon: Lexicon) -> bool:
    # Short words are function words (sta).
    return form != lemma and len(form) > 3


def _is_passive(form: str, lemma: str, lexicon: Lexicon) -> bool:
    """Whether the lemma is a participle (``ponarejen``), not a noun (``roman``) or ``odgovoren, odgovorna``."""
    if not lemma.endswith(("en", "an")) or not form.startswith(lemma):
        return False
    has = {ending for ending in ("a", "e", "o", "u", "om") if entry(lemma + ending, lexicon) == lemma}
    return bool(has) and has.isdisjoint(("u", "om"))


def _is_lemma(lemma: str, lexicon: Lexicon) -> bool:
    return lexicon.is_lemma(lemma)


_INFLECTION = Inflection(
    unknown=endings((*_VERBS, *_NOUNS, *_ADJECTIVES), _PARADIGMS),
    homographs=(
        Homographs(endings(_THIRD_PERSON, _PARADIGMS), _may_be_verb, _is_lemma),
        Homographs(endings(_PARTICIPLES, _PARADIGMS), _may_be_verb, _is_lemma),
        Homographs(endings(_PASSIVES, _PARADIGMS), _is_passive, _is_lemma),
    ),
)


RULES_SL = LanguageRules(
    code="sl",
    version=1,
    rules=(REFLEXIVE, INFLECTION, HOMOGRAPH),
    words=WordRules(
        surface_only=_PARTICLES.forms,
        readings=partial(readings, _INFLECTION),
        replacing=frozenset({INFLECTION.name}),
    ),
    patterns=partial(patterns, _PARTICLES),
)
