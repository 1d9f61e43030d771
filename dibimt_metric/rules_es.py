"""Spanish: reflexive verbs, enclitic pronouns, verb forms that are nouns too."""

from __future__ import annotations

import re
from functools import partial

from .rules import LanguageRules
from .rules_clitic import Clitics
from .rules_clitic import Host
from .rules_clitic import clusters
from .rules_clitic import split
from .rules_conjugation import Conjugation
from .rules_conjugation import paradigms
from .rules_pronominal import RULES
from .rules_pronominal import is_pronominal
from .rules_pronominal import patterns
from .rules_romance import NounSigns
from .rules_romance import Romance
from .rules_words import WordRules
from .rules_words import table
from .rules_words import words

_CLASSES = paradigms("""
ar: 1s o é aba aré aría e ara ase / 2s as ás aste abas arás arías es aras ases / 3s a ó aba ará aría e ara ase /
    1p amos ábamos aremos aríamos emos áramos ásemos / 2p áis asteis abais aréis aríais éis arais aseis / 3p an
    aron aban arán arían en aran asen / inf ar / 0 ando ado ada ados adas
er: 1s o í ía eré ería a iera iese / 2s es és iste ías erás erías as ieras ieses / 3s e ió ía erá ería a iera iese
    / 1p emos imos íamos eremos eríamos amos iéramos iésemos / 2p éis isteis íais eréis eríais áis ierais ieseis /
    3p en ieron ían erán erían an ieran iesen / inf er / 0 iendo ido ida idos idas
ir: 1s o í ía iré iría a iera iese / 2s es ís iste ías irás irías as ieras ieses / 3s e ió ía irá iría a iera iese
    / 1p imos íamos iremos iríamos amos iéramos iésemos / 2p ís isteis íais iréis iríais áis ierais ieseis / 3p en
    ieron ían irán irían an ieran iesen / inf ir / 0 iendo ido ida idos idas
""")

_PRESENT = paradigms("""
ar: 1s o e / 2s as es / 3s a e / 3p an en
er: 1s o a / 2s es as / 3s e a / 3p en an
ir: 1s o a / 2s es as / 3s e a ió / 3p en an ieron / 0 iendo
""")

_IRREGULAR = paradigms("""
ir: 1s voy iba fui iré iría vaya fuera / 2s vas ibas fuiste irás irías vayas fueras / 3s va iba fue irá iría vaya
    fuera / 1p vamos íbamos fuimos iremos iríamos vayamos / 2p vais ibais fuisteis iréis iríais vayáis / 3p van
    iban fueron irán irían vayan fueran / 0 yendo ido
dar: 1s doy di dé diera / 2s diste des dieras / 3s dio dió dé diera / 1p dimos demos / 2p dais disteis deis / 3p
    dieron den dieran / 0 dando dado dada dados dadas
ver: 1s veo vi veía vea / 2s viste veías veas / 3s vio veía vea / 1p vimos veíamos veamos / 2p veis visteis veáis
    / 3p vieron veían vean
estar: 1s estoy esté / 2s estás estés / 3s está esté / 2p estáis estéis / 3p están estén
haber: 1s he haya / 2s has hayas / 3s ha haya / 1p hemos hayamos / 2p habéis hayáis / 3p han hayan
""")


def _spell(stem: str, ending: str, kind: str) -> str:
    """``busc`` + ``é`` -> ``busqué``; ``venc`` + ``a`` -> ``venza``; ``le`` + ``ió`` -> ``leyó``."""
    last, first = stem[-1:], ending[:1]
    if kind == "ar":
        if first in "eé":
            changed = {"c": "qu", "g": "gu", "z": "c"}.get(last, last)
            return stem[:-1] + ("ü" if stem.endswith("gu") else changed) + ending
        return stem + ending
    if first in "aáo":
        if stem.endswith(("gu", "qu")):
            return stem[:-2] + {"gu": "g", "qu": "c"}[stem[-2:]] + ending
        soft = {"g": "j", "c": "zc" if stem[-2:-1] in tuple("aeiou") else "z"}.get(last, last)
        return stem[:-1] + soft + ("y" if last == "u" else "") + ending
    return _after_vowel(stem, ending, kind)


def _after_vowel(stem: str, ending: str, kind: str) -> str:
    if stem.endswith(("gu", "qu")) or stem[-1:] not in tuple("aeou"):
        return stem + ending
    if ending.startswith(("ie", "ió")):
        return stem + "y" + ending[1:]
    if kind == "ir" and stem.endswith("u") and ending[:1] == "e":
        return stem + "y" + ending
    return stem + ("í" + ending[1:] if ending[:1] == "i" and stem[-1] != "u" else ending)


# Ending of an infinitive and the stems that replace it.
_PERFECTS = """
andar:anduv caber:cup decir:dij ducir:duj estar:estuv haber:hub hacer:hic,hiz poder:pud poner:pus querer:quis
saber:sup tener:tuv traer:traj venir:vin
"""
_PARTICIPLES = """
abrir:abiert cubrir:cubiert decir:dich facer:fech freír:frit hacer:hech imprimir:impres morir:muert poner:puest
proveer:provist romper:rot scribir:scrit solver:suelt ver:vist volver:vuelt
"""

CONJUGATION = Conjugation(
    classes=_CLASSES,
    spell=_spell,
    vowels=(("e", "ie"), ("o", "ue"), ("e", "i"), ("u", "ue"), ("i", "ie")),
    present=_PRESENT,
    present_proof={"ar": "an", "er": "en", "ir": "en"},
    perfect=table(_PERFECTS),
    perfect_endings={"1s": "e", "2s": "iste", "3s": "o", "1p": "imos", "2p": "isteis", "3p": "ieron eron"},
    perfect_proof="",
    participles=table(_PARTICIPLES),
    participle_endings="o a os as",
    irregular=_IRREGULAR,
)


_REFLEXIVES = frozenset({"me", "te", "se", "nos", "os"})
_SINGLE = ("nos", "los", "las", "les", "me", "te", "se", "os", "lo", "la", "le")

CLITICS = Clitics(
    conjugation=CONJUGATION,
    clusters=clusters(_SINGLE, ("se", "me", "te", "nos", "os"), (*_SINGLE, "me", "te", "nos")),
    hosts=(
        Host("ar", ("ar",)),
        Host("er", ("er",)),
        Host("ir", ("ir", "ír")),
        Host("ando", ("ar",)),
        Host("iendo", ("er", "ir", "ír")),
        Host("yendo", ("er", "ir", "ír")),
        # Imperatives. A written accent shows the stress that the pronoun has moved: "lávate", but "tomate".
        Host("a", ("ar",), stressed=True, proof="an"),
        Host("e", ("er", "ir"), stressed=True, proof="en"),
        Host("e", ("ar",), stressed=True, proof="en"),
        Host("a", ("er", "ir"), stressed=True, proof="an"),
        Host("en", ("ar",), stressed=True, proof="an"),
        Host("an", ("er", "ir"), stressed=True, proof="en"),
        Host("emo", ("ar",), stressed=True, only=("nos", "se")),
        Host("amo", ("er", "ir"), stressed=True, only=("nos", "se")),
        Host("emos", ("ar",), stressed=True),
        Host("amos", ("er", "ir"), stressed=True),
        Host("a", ("ar",), only=("os",)),
        Host("e", ("er",), only=("os",)),
        Host("i", ("ir",), stressed=True, only=("os",)),
        Host("ad", ("ar",), barred=("os",)),
        Host("ed", ("er",), barred=("os",)),
        Host("id", ("ir",), barred=("os",)),
        Host("haz", ("hacer",)),
        Host("pon", ("poner",)),
        Host("ten", ("tener",)),
        Host("ven", ("venir",)),
    ),
    irregular={  # not "sal" and "ten": "salte" and "tente" are forms of "saltar" and "tentar" too
        **dict.fromkeys(("da", "dad", "dando", "dar", "de", "demo", "den"), ("dar",)),
        "di": ("decir",),
        "haz": ("hacer",),
        **dict.fromkeys(("id", "ir", "vamo", "vayamo", "yendo"), ("ir",)),
        "pon": ("poner",),
        **dict.fromkeys(("se", "ser", "siendo"), ("ser",)),
        "ve": ("ir", "ver"),
        **dict.fromkeys(("ver", "viendo", "vea", "vean"), ("ver",)),
        "ven": ("venir", "ver"),
    },
    doubled=frozenset(),
    after_participle=(),
    infinitives=("ar", "er", "ir", "ír", "arse", "erse", "irse", "írse"),
    verbs_carry=True,
    certain=frozenset({"date", "detente", "dime", "vente", "verte"}),
    initial="",
    reflexive_hosts={"me": re.compile("(?:r|ndo)$"), "nos": re.compile("(?:r|ndo|mos?)$")},
)

_ADVERBS = """
ya no nunca jamás casi apenas aún aun todavía siempre también tampoco solo sólo muy bien mal mucho poco más menos
realmente finalmente pronto luego después antes hoy ayer mañana recién además así acaso incluso tanto demasiado
"""
# Only verbs whose complement may have its pronoun before them ("se quiere lavar").
_AUXILIARIES = """
haber estar poder deber querer soler ir tener acabar volver empezar comenzar seguir continuar llegar terminar saber
necesitar intentar desear lograr conseguir
"""
_DATIVES = """
advertir agradecer anunciar asegurar comunicar conceder contar dar decir devolver enseñar entregar enviar explicar
exigir garantizar mandar mostrar negar ofrecer pagar pedir permitir preguntar prestar prohibir prometer recomendar
regalar sugerir vender
"""
_CLOSED = """
a ante bajo con contra de del al desde en entre hacia hasta para por según sin sobre tras el la los las lo un una
unos unas y e o u ni pero sino que quien quienes cuando donde como si porque aunque mientras
"""
_FUNCTION_WORDS = f"""
{_CLOSED} {_ADVERBS} se me te nos os lo le les mi tu su este esta esto estas estos ese esa eso fuera tarde junto
junta bajo vía sobre entre excepto salvo durante mediante cerca debajo adelante través uno sí primera dos cada nada
"""
_BEFORE_NOUN = """
el los las un unos unas este esta estos estas ese esa esos esas aquel aquella aquellos aquellas mi mis tu tus su sus
nuestro nuestra nuestros nuestras vuestro vuestra vuestros vuestras al del de en con por para sin sobre entre hasta
desde cada cualquier algún alguna algunos algunas ningún ninguna otro otra otros otras mucho mucha muchos muchas
primer primera segundo segunda tercer tercera último última buen buena mal mala gran mejor peor propio propia mismo
misma cuyo cuya cuyos cuyas ambos ambas toda todos todas dicha dichas varios varias dos tres cuatro cinco una la tal
tanta tanto cierta cierto
"""

_BEFORE_VERB = """
no se me te nos os lo le les que quien quién quienes qué cuando donde dónde cómo ya también siempre nunca yo tú él
ella usted nosotros ellos ellas ustedes he has ha hemos habéis han había habían haya hayan
"""

SPANISH = Romance(
    conjugation=CONJUGATION,
    clitics=CLITICS,
    infinitives=(("ar", ("ar",)), ("er", ("er",)), ("ir", ("ir", "ír"))),
    only_known=False,
    reflexives={"se": _REFLEXIVES},
    persons={key: frozenset(persons) for key, persons in table("me:1s te:2s se:3s,3p nos:1p os:2p").items()},
    fallback={
        "1s": re.compile("(?:o|é|í|oy|ía|ba|ra|se|ga|ya|zca|epa)$"),
        "2s": re.compile("(?:[^io]s|ste)$"),
        "3s": re.compile("[^séy]$"),
        "1p": re.compile("mos$"),
        "2p": re.compile("is$"),
    },
    objects=frozenset(_SINGLE),
    auxiliaries=CONJUGATION.forms_of(_AUXILIARIES.split()),
    no_auxiliaries=words("ido fue fui fuiste fuimos fueron fuera"),
    links=frozenset({"a", "de", "que"}),
    adverbs=words(_ADVERBS),
    adverb_ending="mente",
    datives=words(_DATIVES),
    dative_objects=frozenset({"lo", "la", "los", "las"}),
    closed=words(_CLOSED),
    stressed=(("ando", "ándo"), ("iendo", "iéndo"), ("yendo", "yéndo")),
    function_words=words(_FUNCTION_WORDS),
    signs=NounSigns(
        before=words(_BEFORE_NOUN),
        after=frozenset({"de", "del"}),
        verbal=words(_BEFORE_VERB),
    ),
)


def _clean(lemma: str) -> tuple[str, ...]:
    """AnCora and the dictionary give some forms a lemma in ``-se``, with or without a pronoun next to them."""
    return (lemma.removesuffix("se") if lemma.endswith(("arse", "erse", "irse", "írse")) else lemma,)


split_clitics = partial(split, CLITICS)

RULES_ES = LanguageRules(
    code="es",
    version=1,
    rules=RULES,
    words=WordRules(surface_only=_REFLEXIVES, clean_lemma=_clean),
    patterns=partial(patterns, SPANISH),
    only_patterns=partial(is_pronominal, SPANISH),
    split_clitics=split_clitics,
)
