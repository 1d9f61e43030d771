"""Dutch: separable and reflexive verbs, inversion, compounds."""

from __future__ import annotations

from functools import partial

from .rules import LanguageRules
from .rules_separation import objection
from .rules_verb_forms import VerbLast
from .rules_verb_forms import forms_of
from .rules_verb_forms import phrases_of
from .rules_verb_forms import readings
from .rules_verb_last import RULES
from .rules_verb_last import SEPARATED_GUARD
from .rules_verb_last import patterns
from .rules_words import WordRules
from .rules_words import table
from .rules_words import words

# Prefixes that are prepositions as well: "daar ... aan", "er ... in" contain no verb with a prefix.
_PREPOSITIONAL = """
aan achter af bij binnen boven buiten door in langs mee na om onder op over tegen toe tot tussen uit voor
"""
_OTHER_PREFIXES = """
achterna achterop achteruit adem bekend bezig bijeen bovenop deel dicht dood dwars eraan eraf erbij erop ertoe eruit
gade gelijk gereed gevangen goed groot hard heen hoog ineen instand kandidaat kapot kennis klaar klein koud kwaad
kwijt lastig leeg les lief los mede mis nader neer omhoog omlaag omver onderuit open opeen opnieuw overeen overeind
plaats prijs recht rond samen scheef schoon schuil schuldig stil stop stuk teloor tegemoet tekort teleur tentoon
terecht terug teweeg thuis uiteen vast ver vlak vol vooraf voorbij voorop vooruit voort vreemd vrij waar warm weer
weg zwart
"""
_ADVERBS = """
goed gelijk groot hard heen hoog klaar klein koud kwaad lastig lief nader open opnieuw recht rond samen schoon stil
thuis ver vlak vreemd warm weer zwart
"""

_AUXILIARIES = """
heeft heb hebt hebben had hadden is ben bent zijn was waren wordt word worden werd werden zal zult zullen zou zouden
kan kun kunt kunnen kon konden moet moeten moest moesten mag mogen mocht mochten wil wilt willen wilde wilden wou
gaat ga gaan ging gingen laat laten liet lieten blijven blijft bleef
"""

_STRONG = """
bakken:bakte,bakten bieden:geboden,boden bijten:beten,gebeten binden:bonden blazen:geblazen breken:braken
buigen:boog,bogen dragen:gedragen drijven:dreven eten:at,aten geven:gaven graven:groeven grijpen:grepen kiezen:kozen
lezen:las liegen:loog liggen:lagen lijden:geleden lijken:leken matten:matte meten:mat rijden:reed,reden ruiken:rook
schieten:schoten schijnen:schenen schrijven:schreven schrikken:schrokken schuiven:schoven sluiten:sloten
snijden:sneden staan:stonden,staat,gestaan steken:staken stelen:stal stijgen:stegen treden:getreden
varen:voer,voeren,gevaren vechten:vocht vragen:vroeg weten:geweten wijken:week,weken wijzen:wezen,gewezen,wijst
zuigen:zoog
"""

# Phrases that end, or begin, in what looks like a prefix.
_PHRASES = """
ten onder / het gevaar af / van nu af / van toen af / van jongs af / meet af aan / nu af aan / jongs af aan / begin
af aan / van nature uit / op weg
"""

_CONJUNCTIONS = "en of maar want dus dat als toen terwijl omdat nadat voordat zodat hoewel"
_PREPOSITIONS = """
aan achter bij binnen boven buiten door gedurende in langs met na naar naast om onder op over per sinds tegen
tijdens tot tussen uit van vanaf vanuit via volgens voor vóór wegens zonder
"""

_VOWELS = "aeou"


def _infinitives(stem: str) -> tuple[str, ...]:
    """``getraind, trainen``; ``geloofd, geloven``; ``gevreesd, vrezen``; ``gestapt, stappen``."""
    last = {"f": "v", "s": "z"}.get(stem[-1], stem[-1])
    voiced = stem[:-1] + last
    short = voiced[:-2] + last if len(stem) > 3 and voiced[-2] == voiced[-3] in _VOWELS else voiced
    return tuple(dict.fromkeys((stem + "en", voiced + "en", short + "en", stem + stem[-1] + "en")))


DUTCH = VerbLast(
    prefixes=words(_PREPOSITIONAL + _OTHER_PREFIXES),
    adverbs=words(_ADVERBS),
    apart=words(_OTHER_PREFIXES) - words(_ADVERBS) - {"vol", "vrij"} | {"samen"},
    auxiliaries=words("hebben zijn kunnen zullen moeten mogen willen worden"),
    copula="zijn",
    inseparable=words("handhaven liefkozen beeldhouwen raadplegen waarschuwen"),
    reflexive="zich",
    pronouns=("me", "mij", "je", "zich", "ons"),
    # "je" is subject and reflexive in one, so a second "je" counts as its subject too.
    subjects=table("me:ik,'k mij:ik,'k je:je,jij,jullie ons:we,wij"),
    persons=table("me:me,mij mij:me,mij je:jou ons:ons"),
    addressed=frozenset({"je"}),
    before_imperatives=words("alsjeblieft dan kom maar nu toch"),
    endings=("en", "gaan", "staan", "slaan", "doen", "zien", "zijn"),
    marker="te",
    marker_is_word=True,
    participle_prefixes=("ge", "be", "er", "her", "ont", "ver"),
    participle_endings=("eerd", "eerde", "eerden"),
    weak_endings=("d", "t", "de", "te", "den", "ten"),
    infinitives=_infinitives,
    adjectives=words("bekend bekende gewend verwant vertrouwd"),
    between=words(f"te {_AUXILIARIES}"),
    opener="om",
    openers=frozenset({"om", "door"}),
    conjunctions=words(_CONJUNCTIONS),
    closing=words(f"{_CONJUNCTIONS} {_PREPOSITIONS} dan zoals"),
    determiners=words("de het een deze die dit mijn jouw zijn haar ons onze jullie hun geen elk elke"),
    finite=words(_AUXILIARIES) - {"zijn"},  # "his"
    # "het" precedes an infinitive that is a noun ("gaf het roken op"), or a verb whose subject it is.
    articles=words("de het een deze mijn jouw zijn onze elke geen"),
    homographs=words("vroeg week weken voer vocht rook stal mat reed lagen bonden reden"),
    prepositions=words(_PREPOSITIONS),
    stranding=frozenset({"daar", "er", "hier", "waar"}),
    strandable=words(_PREPOSITIONAL),
    paired=words("aan achter af door heen in met na neer om op toe uit voor weer zonder"),
    phrases=phrases_of(_PHRASES),
    circumpositions={"toe": "naar", "heen": "om", "in": "tegen", "aan": "achter", "door": "tussen"},
    expletive="er",
    strong=forms_of(_STRONG),
)


def _clean(lemma: str) -> tuple[str, ...]:
    """Alpino joins parts of compounds and separable verbs by an underscore: ``af_lopen``, ``klooster_orde``."""
    return (lemma.replace("_", ""),)


RULES_NL = LanguageRules(
    code="nl",
    version=1,
    rules=RULES,
    words=WordRules(surface_only=frozenset(DUTCH.pronouns), clean_lemma=_clean, readings=partial(readings, DUTCH)),
    patterns=partial(patterns, DUTCH),
    objection=partial(objection, DUTCH),
    objection_rule=SEPARATED_GUARD.name,
)
