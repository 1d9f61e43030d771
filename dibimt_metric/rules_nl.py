"""Dutch: separable and reflexive verbs, inversion, compounds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .rules import LanguageRules
from .rules import Reading
from .rules_separation import objection
from .rules_verb_forms import forms_of
from .rules_verb_forms import phrases_of
from .rules_verb_forms import readings
from .rules_verb_last import RULES
from .rules_verb_last import VerbLast
from .rules_verb_last import patterns

if TYPE_CHECKING:
    from .match_patterns import Pattern
    from .match_phrase import Phrase
    from .match_view import View

# Prefixes that are prepositions as well: "daar ... aan", "er ... in" hold no verb with a prefix.
_PREPOSITIONAL = """
aan achter af bij binnen boven buiten door in langs mee na om onder op over tegen toe tot tussen uit voor
""".split()
_OTHER_PREFIXES = """
achterna achterop achteruit adem bekend bezig bijeen bovenop deel dicht dood dwars eraan eraf erbij erop
ertoe eruit gade gelijk gereed gevangen goed groot hard heen hoog ineen instand kandidaat kapot kennis klaar
klein koud kwaad kwijt lastig leeg les lief los mede mis nader neer omhoog omlaag omver onderuit open opeen
opnieuw overeen overeind plaats prijs recht rond samen scheef schoon schuil schuldig stil stop stuk teloor
tegemoet tekort teleur tentoon terecht terug teweeg thuis uiteen vast ver vlak vol vooraf voorbij voorop
vooruit voort vreemd vrij waar warm weer weg zwart
""".split()
_ADVERBS = """
goed gelijk groot hard heen hoog klaar klein koud kwaad lastig lief nader open opnieuw recht rond samen
schoon stil thuis ver vlak vreemd warm weer zwart
""".split()

_AUXILIARIES = """
heeft heb hebt hebben had hadden is ben bent zijn was waren wordt word worden werd werden zal zult zullen
zou zouden kan kun kunt kunnen kon konden moet moeten moest moesten mag mogen mocht mochten wil wilt willen
wilde wilden wou gaat ga gaan ging gingen laat laten liet lieten blijven blijft bleef
""".split()

_STRONG = """
bakken: bakte bakten
bieden: geboden boden
bijten: beten gebeten
binden: bonden
blazen: geblazen
breken: braken
buigen: boog bogen
dragen: gedragen
drijven: dreven
eten: at aten
geven: gaven
graven: groeven
grijpen: grepen
kiezen: kozen
lezen: las
liegen: loog
liggen: lagen
lijden: geleden
lijken: leken
matten: matte
meten: mat
rijden: reed reden
ruiken: rook
schieten: schoten
schijnen: schenen
schrijven: schreven
schrikken: schrokken
schuiven: schoven
sluiten: sloten
snijden: sneden
staan: stonden staat gestaan
steken: staken
stelen: stal
stijgen: stegen
treden: getreden
varen: voer voeren gevaren
vechten: vocht
vragen: vroeg
weten: geweten
wijken: week weken
wijzen: wezen gewezen wijst
zuigen: zoog
"""

# Phrases that end, or begin, in what looks like a prefix.
_PHRASES = """
ten onder / het gevaar af / van nu af / van toen af / van jongs af / meet af aan / nu af aan /
jongs af aan / begin af aan / van nature uit / op weg
"""

_CONJUNCTIONS = "en of maar want dus dat als toen terwijl omdat nadat voordat zodat hoewel".split()
_PREPOSITIONS = """
aan achter bij binnen boven buiten door gedurende in langs met na naar naast om onder op over per sinds
tegen tijdens tot tussen uit van vanaf vanuit via volgens voor vóór wegens zonder
""".split()
_MODALS = "hebben zijn kunnen zullen moeten mogen willen worden".split()

_VOWELS = "aeou"


def _infinitives(stem: str) -> tuple[str, ...]:
    """``getraind, trainen``; ``geloofd, geloven``; ``gevreesd, vrezen``; ``gestapt, stappen``."""
    last = {"f": "v", "s": "z"}.get(stem[-1], stem[-1])
    voiced = stem[:-1] + last
    short = voiced[:-2] + last if len(stem) > 3 and voiced[-2] == voiced[-3] in _VOWELS else voiced
    return tuple(dict.fromkeys((stem + "en", voiced + "en", short + "en", stem + stem[-1] + "en")))


DUTCH = VerbLast(
    prefixes=frozenset(_PREPOSITIONAL + _OTHER_PREFIXES),
    adverbs=frozenset(_ADVERBS),
    apart=frozenset(_OTHER_PREFIXES) - {*_ADVERBS, "vol", "vrij"} | {"samen"},
    auxiliaries=frozenset(_MODALS),
    copula="zijn",
    inseparable=frozenset("handhaven liefkozen beeldhouwen raadplegen waarschuwen".split()),
    reflexive="zich",
    pronouns=("me", "mij", "je", "zich", "ons"),
    # "je" is subject and reflexive in one, so a second "je" counts as its subject too.
    subjects={
        "me": frozenset({"ik", "'k"}),
        "mij": frozenset({"ik", "'k"}),
        "je": frozenset({"je", "jij", "jullie"}),
        "ons": frozenset({"we", "wij"}),
    },
    persons={
        "me": frozenset({"me", "mij"}),
        "mij": frozenset({"me", "mij"}),
        "je": frozenset({"jou"}),
        "ons": frozenset({"ons"}),
    },
    addressed=frozenset({"je"}),
    before_imperatives=frozenset("alsjeblieft dan kom maar nu toch".split()),
    endings=("en", "gaan", "staan", "slaan", "doen", "zien", "zijn"),
    marker="te",
    marker_is_word=True,
    participle_prefixes=("ge", "be", "er", "her", "ont", "ver"),
    participle_endings=("eerd", "eerde", "eerden"),
    weak_endings=("d", "t", "de", "te", "den", "ten"),
    infinitives=_infinitives,
    adjectives=frozenset("bekend bekende gewend verwant vertrouwd".split()),
    between=frozenset(["te", *_AUXILIARIES]),
    opener="om",
    openers=frozenset({"om", "door"}),
    conjunctions=frozenset(_CONJUNCTIONS),
    closing=frozenset([*_CONJUNCTIONS, *_PREPOSITIONS, "dan", "zoals"]),
    determiners=frozenset(
        "de het een deze die dit mijn jouw zijn haar ons onze jullie hun geen elk elke".split()
    ),
    finite=frozenset(_AUXILIARIES) - {"zijn"},  # "his"
    # After "het" stands an infinitive that is a noun ("gaf het roken op"), or a verb whose subject it is.
    articles=frozenset("de het een deze mijn jouw zijn onze elke geen".split()),
    homographs=frozenset("vroeg week weken voer vocht rook stal mat reed lagen bonden reden".split()),
    prepositions=frozenset(_PREPOSITIONS),
    stranding=frozenset({"daar", "er", "hier", "waar"}),
    strandable=frozenset(_PREPOSITIONAL),
    paired=frozenset("aan achter af door heen in met na neer om op toe uit voor weer zonder".split()),
    phrases=phrases_of(_PHRASES),
    circumpositions={"toe": "naar", "heen": "om", "in": "tegen", "aan": "achter", "door": "tussen"},
    expletive="er",
    strong=forms_of(_STRONG),
)


def _patterns(phrase: Phrase, active: frozenset[str]) -> Iterator[Pattern]:
    return patterns(DUTCH, phrase, active)


def _readings(form: str, lemmas: tuple[str, ...], lexicon: Any) -> tuple[Reading, ...]:
    return readings(DUTCH, form, lemmas, lexicon)


def _objection(view: View, cover: tuple[int, ...]) -> str | None:
    return objection(DUTCH, view, cover)


def _clean(lemma: str) -> tuple[str, ...]:
    """Alpino joins parts of compounds and separable verbs by a low line: ``af_lopen``, ``klooster_orde``."""
    return (lemma.replace("_", ""),)


RULES_NL = LanguageRules(
    code="nl",
    version=1,
    rules=RULES,
    surface_only=frozenset({"me", "mij", "je", "zich", "ons"}),
    clean_lemma=_clean,
    readings=_readings,
    patterns=_patterns,
    objection=_objection,
    objection_rule="separated_guard",
)
