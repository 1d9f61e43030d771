"""German: separable and reflexive verbs, inversion, compounds, ß and ss (one key by case folding)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from .analysis import Lexicon
from .rules import LanguageRules
from .rules_separation import objection
from .rules_verb_forms import VerbLast
from .rules_verb_forms import forms_of
from .rules_verb_forms import phrases_of
from .rules_verb_forms import readings
from .rules_verb_last import RULES
from .rules_verb_last import SEPARATED_GUARD
from .rules_verb_last import patterns
from .rules_words import Reading
from .rules_words import Rule
from .rules_words import WordRules
from .rules_words import table
from .rules_words import words

SPELLING = Rule("spelling", "a form that is known with ß for ss, or with ss for ß")

# Prefixes that are prepositions or short adverbs: never a separate word directly before their verb.
_SHORT_PREFIXES = """
ab an auf aus bei da dar durch ein gegenüber her hin hinter los mit nach nieder statt über um unter vor weg wider zu
zwischen
"""
_LONG_PREFIXES = """
abhanden anheim aneinander aufeinander auseinander aufrecht beieinander bekannt beisammen beiseite bereit bevor bloß
brach dabei daheim daher dahin dahinter daneben daran darauf darüber davon davor dazu dazwischen dran drauf
durcheinander einher empor entgegen entlang entzwei fehl fern fertig fest flach fort frei gegeneinander gefangen
geheim gerade gering gleich glatt gut heim herab heran herauf heraus herbei herein herüber herum herunter hervor
herzu hierher hinab hinan hinauf hinaus hindurch hinein hintereinander hinterher hinüber hinunter hinweg hinzu hoch
hops ineinander inne instand irre kahl kaputt kennen klar klein krank krumm kund kurz lahm leer leicht lieb maß
miteinander nahe näher nebeneinander nebenher offen preis quer ran rauf raus rein richtig rüber rück rum runter
ruhig satt schief schlecht schwarz schwer sicher spazieren stand stehen still stramm teil tief tot übel überein
überhand übrig umher umhin verloren voll voran voraus vorbei vorher vorlieb vorüber vorwärts vorweg wach wahr warm
weh weis weiter wett wieder wohl wund zufrieden zugrunde zugute zunichte zurecht zurück zusammen zuteil zuvor
zuwider übereinander
"""
# Adverbs and adjectives in their own right: "Er kommt gleich", "Sie sang gut".
_ADVERBS = """
da dabei daher dahin dahinter daneben daran darauf darüber davon davor dazu dazwischen dran drauf fertig gerade
glatt gleich gut her hin hoch klar klein krank kurz leicht lieb nahe näher offen richtig ruhig schlecht schwer
sicher still tief übel voll vorher warm weiter wieder wohl zufrieden zusammen
"""

_STRONG = """
befehlen:befohlen beißen:gebissen bergen:geborgen bersten:geborsten biegen:gebogen bieten:geboten blasen:geblasen
brechen:brach denken:gedacht dringen:gedrungen essen:gegessen fallen:fällt,gefallen,fällst gefallen:gefällt
gehören:gehört gelangen:gelangt fangen:gefangen frieren:gefroren hauen:hieb messen:misst,maß,maßen,gemessen
schelten:schalt schwören:schwor spinnen:spann stehen:stand,gestanden verderben:verdorben verlieren:verloren
wiegen:wog,wogen,gewogen
"""

# Phrases that end, or begin, in what looks like a prefix.
_PHRASES = """
nach wie vor / vor sich hin / noch dazu / so weiter / so fort / schluss hin / ende hin / von anfang an / von beginn
an / von da an / von jetzt an / von nun an / von heute an / von klein auf / von grund auf / von da aus / von dort
aus / von hier aus / von sich aus / von mir aus / von haus aus / von heute ab / von nun ab / von da ab
"""

_AUXILIARIES = """
bin bist ist sind seid war warst waren wart habe hast hat haben habt hatte hatten werde wirst wird werden wurde
wurden kann können konnte konnten muss müssen musste mussten soll sollen sollte sollten will wollen wollte wollten
darf durfte durften mag mögen mochte möchte möchten würde würden hätte hätten wäre wären könnte könnten
"""

_CONJUNCTIONS = "und oder aber denn sondern sowie dass daß ob weil wenn als bevor nachdem während"

GERMAN = VerbLast(
    prefixes=words(_SHORT_PREFIXES + _LONG_PREFIXES),
    adverbs=words(_ADVERBS),
    apart=words(_LONG_PREFIXES) - words(_ADVERBS) - {"hinaus"} | {"zusammen"},  # "darüber hinaus"
    auxiliaries=words("dürfen haben können mögen müssen sein sollen werden wollen"),
    copula="sein",
    inseparable=words("handhaben wetteifern schlafwandeln langweilen liebkosen maßregeln wehklagen"),
    reflexive="sich",
    pronouns=("mich", "dich", "sich", "uns", "euch"),
    subjects=table("mich:ich dich:du uns:wir euch:ihr"),
    persons=table("mich:mir,mich dich:dir,dich uns:uns euch:euch"),
    addressed=frozenset({"dich", "euch"}),
    before_imperatives=words("bitte dann doch jetzt komm nun nur so"),
    endings=("en", "ern", "eln", "tun", "sein"),
    marker="zu",
    marker_is_word=False,
    participle_prefixes=("ge", "be", "er", "ver", "ent", "zer"),
    participle_endings=("iert", "ierte", "ierten", "ierter", "iertes", "iertem"),
    weak_endings=("t", "et", "te", "ete", "ten", "eten", "ter", "tes", "tem"),
    infinitives=lambda stem: (stem + "en", stem + "n"),
    adjectives=words("bekannt beliebt berühmt gewandt verrückt verschieden vertraut verwandt"),
    between=frozenset({"zu"}),
    openers=frozenset({"um"}),
    conjunctions=words(_CONJUNCTIONS),
    closing=words(f"{_CONJUNCTIONS} wie bis damit"),
    determiners=words("der die das den dem des ein eine einen einem einer"),
    finite=words(_AUXILIARIES),
    prepositions=words("an auf aus bei durch für gegen in mit nach über um unter von vor zu"),
    paired=words("ab an auf aus durch her hin in mit nach neben ohne um unter vor zu über"),
    phrases=phrases_of(_PHRASES),
    strong=forms_of(_STRONG),
)


def _readings(form: str, lemmas: tuple[str, ...], lexicon: Lexicon | None) -> tuple[Reading, ...]:
    # A capital marks a noun: "Zugehen" inside a sentence is not a verb form, and at its start rarely one.
    verbs = () if form[:1].isupper() else readings(GERMAN, form, lemmas, lexicon)
    return (*verbs, *_respelled(form, lemmas, lexicon))


def _respelled(form: str, lemmas: tuple[str, ...], lexicon: Lexicon | None) -> Iterator[Reading]:
    """A form that is not known in this spelling: ``Füsse`` (Swiss), ``wußte`` (before 1996)."""
    if lemmas or lexicon is None:
        return
    for old, new in (("ss", "ß"), ("ß", "ss")):
        if old in form and (lemma := lexicon.lemma_of(form.replace(old, new))):
            yield Reading(lemma, SPELLING.name)


def _clean(lemma: str) -> tuple[str, ...]:
    """GSD lists alternatives: ``denken|gedenken``."""
    return tuple(lemma.split("|"))


RULES_DE = LanguageRules(
    code="de",
    version=1,
    rules=(*RULES, SPELLING),
    words=WordRules(surface_only=frozenset(GERMAN.pronouns), clean_lemma=_clean, readings=_readings),
    patterns=partial(patterns, GERMAN),
    objection=partial(objection, GERMAN),
    objection_rule=SEPARATED_GUARD.name,
    nouns_are_capitalized=True,
)
