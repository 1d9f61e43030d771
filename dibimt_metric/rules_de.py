"""German: separable and reflexive verbs, inversion, compounds. ß and ss are one key by case folding."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .rules import LanguageRules
from .rules import Reading
from .rules import Rule
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

SPELLING = Rule("spelling", "a form that is known with ß for ss, or with ss for ß")

# Prefixes that are prepositions or short adverbs: never written apart directly before their verb.
_SHORT_PREFIXES = """
ab an auf aus bei da dar durch ein gegenüber her hin hinter los mit nach nieder statt über um unter vor weg
wider zu zwischen
""".split()
_LONG_PREFIXES = """
abhanden anheim aneinander aufeinander auseinander aufrecht beieinander bekannt beisammen beiseite bereit
bevor bloß brach dabei daheim daher dahin dahinter daneben daran darauf darüber davon davor dazu dazwischen
dran drauf durcheinander einher empor entgegen entlang entzwei fehl fern fertig fest flach fort frei
gegeneinander gefangen geheim gerade gering gleich glatt gut heim herab heran herauf heraus herbei herein
herüber herum herunter hervor herzu hierher hinab hinan hinauf hinaus hindurch hinein hintereinander
hinterher hinüber hinunter hinweg hinzu hoch hops ineinander inne instand irre kahl kaputt kennen klar klein
krank krumm kund kurz lahm leer leicht lieb maß miteinander nahe näher nebeneinander nebenher offen preis
quer ran rauf raus rein richtig rüber rück rum runter ruhig satt schief schlecht schwarz schwer sicher
spazieren stand stehen still stramm teil tief tot übel überein überhand übrig umher umhin verloren voll
voran voraus vorbei vorher vorlieb vorüber vorwärts vorweg wach wahr warm weh weis weiter wett wieder wohl
wund zufrieden zugrunde zugute zunichte zurecht zurück zusammen zuteil zuvor zuwider übereinander
""".split()
# Adverbs and adjectives in their own right: "Er kommt gleich", "Sie sang gut".
_ADVERBS = """
da dabei daher dahin dahinter daneben daran darauf darüber davon davor dazu dazwischen dran drauf fertig
gerade glatt gleich gut her hin hoch klar klein krank kurz leicht lieb nahe näher offen richtig ruhig
schlecht schwer sicher still tief übel voll vorher warm weiter wieder wohl zufrieden zusammen
""".split()

_STRONG = """
befehlen: befohlen
beißen: gebissen
bergen: geborgen
bersten: geborsten
biegen: gebogen
bieten: geboten
blasen: geblasen
brechen: brach
denken: gedacht
dringen: gedrungen
essen: gegessen
fallen: fällt gefallen fällst
gefallen: gefällt
gehören: gehört
gelangen: gelangt
fangen: gefangen
frieren: gefroren
hauen: hieb
messen: misst maß maßen gemessen
schelten: schalt
schwören: schwor
spinnen: spann
stehen: stand gestanden
verderben: verdorben
verlieren: verloren
wiegen: wog wogen gewogen
"""

# Phrases that end, or begin, in what looks like a prefix.
_PHRASES = """
nach wie vor / vor sich hin / noch dazu / so weiter / so fort / schluss hin / ende hin / von anfang an /
von beginn an / von da an / von jetzt an / von nun an / von heute an / von klein auf / von grund auf /
von da aus / von dort aus / von hier aus / von sich aus / von mir aus / von haus aus / von heute ab /
von nun ab / von da ab
"""

_AUXILIARIES = """
bin bist ist sind seid war warst waren wart habe hast hat haben habt hatte hatten werde wirst wird werden
wurde wurden kann können konnte konnten muss müssen musste mussten soll sollen sollte sollten will wollen
wollte wollten darf durfte durften mag mögen mochte möchte möchten würde würden hätte hätten wäre wären
könnte könnten
""".split()

_CONJUNCTIONS = """
und oder aber denn sondern sowie dass daß ob weil wenn als bevor nachdem während
""".split()

GERMAN = VerbLast(
    prefixes=frozenset(_SHORT_PREFIXES + _LONG_PREFIXES),
    adverbs=frozenset(_ADVERBS),
    apart=frozenset(_LONG_PREFIXES) - {*_ADVERBS, "hinaus"} | {"zusammen"},  # "darüber hinaus"
    auxiliaries=frozenset("dürfen haben können mögen müssen sein sollen werden wollen".split()),
    copula="sein",
    inseparable=frozenset(
        "handhaben wetteifern schlafwandeln langweilen liebkosen maßregeln wehklagen".split()
    ),
    reflexive="sich",
    pronouns=("mich", "dich", "sich", "uns", "euch"),
    subjects={
        "mich": frozenset({"ich"}),
        "dich": frozenset({"du"}),
        "uns": frozenset({"wir"}),
        "euch": frozenset({"ihr"}),
    },
    persons={
        "mich": frozenset({"mir", "mich"}),
        "dich": frozenset({"dir", "dich"}),
        "uns": frozenset({"uns"}),
        "euch": frozenset({"euch"}),
    },
    addressed=frozenset({"dich", "euch"}),
    before_imperatives=frozenset("bitte dann doch jetzt komm nun nur so".split()),
    endings=("en", "ern", "eln", "tun", "sein"),
    marker="zu",
    marker_is_word=False,
    participle_prefixes=("ge", "be", "er", "ver", "ent", "zer"),
    participle_endings=("iert", "ierte", "ierten", "ierter", "iertes", "iertem"),
    weak_endings=("t", "et", "te", "ete", "ten", "eten", "ter", "tes", "tem"),
    infinitives=lambda stem: (stem + "en", stem + "n"),
    adjectives=frozenset("bekannt beliebt berühmt gewandt verrückt verschieden vertraut verwandt".split()),
    between=frozenset({"zu"}),
    opener="",
    openers=frozenset({"um"}),
    conjunctions=frozenset(_CONJUNCTIONS),
    closing=frozenset([*_CONJUNCTIONS, "wie", "bis", "damit"]),
    determiners=frozenset("der die das den dem des ein eine einen einem einer".split()),
    finite=frozenset(_AUXILIARIES),
    articles=frozenset(),  # nouns have capitals
    homographs=frozenset(),
    prepositions=frozenset("an auf aus bei durch für gegen in mit nach über um unter von vor zu".split()),
    stranding=frozenset(),
    strandable=frozenset(),
    paired=frozenset("ab an auf aus durch her hin in mit nach neben ohne um unter vor zu über".split()),
    phrases=phrases_of(_PHRASES),
    circumpositions={},
    expletive="",
    strong=forms_of(_STRONG),
)


def _patterns(phrase: Phrase, active: frozenset[str]) -> Iterator[Pattern]:
    return patterns(GERMAN, phrase, active)


def _readings(form: str, lemmas: tuple[str, ...], lexicon: Any) -> tuple[Reading, ...]:
    # A capital marks a noun: "Zugehen" inside a sentence is no verb form, and at its start rarely one.
    verbs = () if form[:1].isupper() else readings(GERMAN, form, lemmas, lexicon)
    return (*verbs, *_respelled(form, lemmas, lexicon))


def _respelled(form: str, lemmas: tuple[str, ...], lexicon: Any) -> Iterator[Reading]:
    """A form that is not known as it is written: ``Füsse`` (Swiss), ``wußte`` (before 1996)."""
    if lemmas or lexicon is None:
        return
    for old, new in (("ss", "ß"), ("ß", "ss")):
        if old in form and (lemma := lexicon.lemma_of(form.replace(old, new))):
            yield Reading(lemma, SPELLING.name)


def _objection(view: View, cover: tuple[int, ...]) -> str | None:
    return objection(GERMAN, view, cover)


def _clean(lemma: str) -> tuple[str, ...]:
    """GSD lists alternatives: ``denken|gedenken``."""
    return tuple(lemma.split("|"))


RULES_DE = LanguageRules(
    code="de",
    version=1,
    rules=(*RULES, SPELLING),
    surface_only=frozenset({"mich", "dich", "sich", "uns", "euch"}),
    clean_lemma=_clean,
    readings=_readings,
    patterns=_patterns,
    objection=_objection,
    objection_rule="separated_guard",
)
