"""Spanish: reflexive verbs, enclitic pronouns, verb forms that are nouns too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from .clitic import Clitics
from .clitic import Host
from .clitic import clusters
from .clitic import split
from .homograph import NounSigns
from .romance import RULES
from .romance import Romance
from .romance import is_pronominal
from .romance import patterns
from .rules import LanguageRules
from .verbs_es import CONJUGATION

if TYPE_CHECKING:
    from .embedded import Part
    from .embedded import SimplemmaLexicon
    from .patterns import Pattern
    from .phrase import Phrase

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
ya no nunca jamás casi apenas aún aun todavía siempre también tampoco solo sólo muy bien mal mucho poco más
menos realmente finalmente pronto luego después antes hoy ayer mañana recién además así acaso incluso tanto
demasiado
"""
# Only verbs whose complement may have its pronoun before them ("se quiere lavar").
_AUXILIARIES = """
haber estar poder deber querer soler ir tener acabar volver empezar comenzar seguir continuar llegar terminar
saber necesitar intentar desear lograr conseguir
"""
_DATIVES = """
advertir agradecer anunciar asegurar comunicar conceder contar dar decir devolver enseñar entregar enviar
explicar exigir garantizar mandar mostrar negar ofrecer pagar pedir permitir preguntar prestar prohibir
prometer recomendar regalar sugerir vender
"""
_CLOSED = """
a ante bajo con contra de del al desde en entre hacia hasta para por según sin sobre tras el la los las lo un
una unos unas y e o u ni pero sino que quien quienes cuando donde como si porque aunque mientras
"""
_FUNCTION_WORDS = f"""
{_CLOSED} {_ADVERBS} se me te nos os lo le les mi tu su este esta esto estas estos ese esa eso fuera tarde
junto junta bajo vía sobre entre excepto salvo durante mediante cerca debajo adelante través uno sí primera
dos cada nada
"""
_BEFORE_NOUN = """
el los las un unos unas este esta estos estas ese esa esos esas aquel aquella aquellos aquellas mi mis tu tus
su sus nuestro nuestra nuestros nuestras vuestro vuestra vuestros vuestras al del de en con por para sin sobre
entre hasta desde cada cualquier algún alguna algunos algunas ningún ninguna otro otra otros otras mucho mucha
muchos muchas primer primera segundo segunda tercer tercera último última buen buena mal mala gran mejor peor
propio propia mismo misma cuyo cuya cuyos cuyas ambos ambas toda todos todas dicha dichas varios varias dos
tres cuatro cinco una la tal tanta tanto cierta cierto
"""

_BEFORE_VERB = """
no se me te nos os lo le les que quien quién quienes qué cuando donde dónde cómo ya también siempre nunca yo
tú él ella usted nosotros ellos ellas ustedes he has ha hemos habéis han había habían haya hayan
"""

SPANISH = Romance(
    conjugation=CONJUGATION,
    clitics=CLITICS,
    infinitives=(("ar", ("ar",)), ("er", ("er",)), ("ir", ("ir", "ír"))),
    only_known=False,
    reflexives={"se": _REFLEXIVES},
    fixed={},
    persons={
        "me": frozenset({"1s"}),
        "te": frozenset({"2s"}),
        "se": frozenset({"3s", "3p"}),
        "nos": frozenset({"1p"}),
        "os": frozenset({"2p"}),
    },
    fallback={
        "1s": re.compile("(?:o|é|í|oy|ía|ba|ra|se|ga|ya|zca|epa)$"),
        "2s": re.compile("(?:[^io]s|ste)$"),
        "3s": re.compile("[^séy]$"),
        "1p": re.compile("mos$"),
        "2p": re.compile("is$"),
    },
    variants={},
    before_object=frozenset(),
    elided=frozenset(),
    objects=frozenset(_SINGLE),
    conditional=frozenset(),
    auxiliaries=CONJUGATION.forms_of(_AUXILIARIES.split()),
    no_auxiliaries=frozenset("ido fue fui fuiste fuimos fueron fuera".split()),
    links=frozenset({"a", "de", "que"}),
    adverbs=frozenset(_ADVERBS.split()),
    adverb_ending="mente",
    datives=frozenset(_DATIVES.split()),
    dative_objects=frozenset({"lo", "la", "los", "las"}),
    closed=frozenset(_CLOSED.split()),
    stressed=(("ando", "ándo"), ("iendo", "iéndo"), ("yendo", "yéndo")),
    function_words=frozenset(_FUNCTION_WORDS.split()),
    signs=NounSigns(
        before=frozenset(_BEFORE_NOUN.split()),
        after=frozenset({"de", "del"}),
        verbal=frozenset(_BEFORE_VERB.split()),
    ),
)


def _patterns(phrase: Phrase, active: frozenset[str]) -> Iterator[Pattern]:
    return patterns(SPANISH, phrase, active)


def _only_patterns(phrase: Phrase) -> bool:
    return is_pronominal(SPANISH, phrase)


def _clean(lemma: str) -> tuple[str, ...]:
    """AnCora and the dictionary give some forms a lemma in ``-se``, with or without a pronoun beside them."""
    return (lemma.removesuffix("se") if lemma.endswith(("arse", "erse", "irse", "írse")) else lemma,)


def split_clitics(form: str, lexicon: SimplemmaLexicon, initial: bool = False) -> tuple[Part, ...]:
    """Verb and enclitic pronouns of a form, for the embedded analyzer; ``initial``: it begins a sentence."""
    return split(CLITICS, form, lexicon, initial)


RULES_ES = LanguageRules(
    code="es",
    version=1,
    rules=RULES,
    surface_only=_REFLEXIVES,
    clean_lemma=_clean,
    patterns=_patterns,
    only_patterns=_only_patterns,
)
