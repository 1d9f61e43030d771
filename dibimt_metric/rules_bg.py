"""Bulgarian: reflexive particles, lemmas that end in ``-(се)``, and the endings of unknown forms.

The citation form of a verb is the first person singular of the present (``опъна``, ``гледам``); the
article is an ending of its noun or adjective. The dictionary has few of the verbs that are formed with
prefixes.
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

# Light words: auxiliaries, short pronouns (ѝ is written й and и as well), and what leans on them.
_PARTICLES = Particles(
    forms=frozenset({"се", "си"}),
    light=words(
        "съм си е сме сте са бях бе беше бяхме бяхте бяха бил била било били бъда бъдеш бъде бъдем бъдете "
        "бъдат би бих бихме бихте биха ще не ли ми ти му ѝ й ни ви им ме те го я ги вече още пак"
    ),
    only_light=True,
    bound=frozenset({"себе"}),
)


def _citation(lemma: str) -> str:
    """BTB writes ``мина-(се)``, ``усмихна-се``, ``омръзне-ми``; the dictionary was made from it."""
    for ending in ("-(се)", "-(си)", "-се", "-си", "-ми"):
        lemma = lemma.removesuffix(ending)
    return lemma


# Endings of adjectives and participles: gender, number, article.
_ADJECTIVE = {"a": "- а о и ия ият ата ото ите"}

_VERBS = (
    # гледам, стрелям
    ("аш а аме ате ат ах аше ахме ахте аха ай айте айки ал+a ан+a ащ+a", "ам"),
    ("яш я яме яте ят ях яше яхме яхте яха яй яйте яйки ял+a ели ян+a ени ените ящ+a", "ям"),
    # чета, пиша, върна: present, imperfect, imperative; aorist in -ах (върнах), -ох (четох), participles
    ("еш е ем ете ат ех еше ехме ехте еха ейки и ях яше яхме яхте яха ел+a ен+a ещ+a ащ+a", "а"),
    ("ах ахме ахте аха ох охме охте оха ъл ал+a л+a ан+a нат+a", "а"),
    ("нат+a", "на"),
    ("ел ела ело ели елите", "ета еда"),
    # говоря, уча, държа
    ("иш и им ите ят ех еше ехме ехте еха ях яше яхме яхте яха их ихме ихте иха ете ейки", "я"),
    ("ил+a ел ела ело ели ял+a ен+a ян+a ещ+a ящ+a", "я"),
    ("иш и им ите ат ех еше ехме ехте еха их ихме ихте иха ете ил+a ал+a ен+a ан+a", "а"),
    # живея, издълбая, пия, чуя, стоя
    ("ееш ее еем еете еят еех ееше еехме еехте ееха ей ейте ейки ях я яхме яхте яха", "ея"),
    ("еел+a ял+a ели ян+a ени ените", "ея"),
    ("аеш ае аем аете аят аех аеше аехме аехте аеха ай айте ах а ахме ахте аха ал+a ан+a", "ая"),
    ("иеш ие ием иете ият иех иеше иехме иехте иеха ий ийте их и ихме ихте иха ил+a ит+a", "ия"),
    ("уеш уе уем уете уят уех уеше уехме уехте уеха уй уйте ух у ухме ухте уха ул+a ут+a", "уя"),
    ("ой ойте", "оя"),
    # дойда, отида, приема, избера
    ("шъл шла шло шли", "йда"),
    ("ишъл ишла ишло ишли", "ида"),
    ("ех ехме ехте еха ел+a ет+a", "ема"),
    ("рах рахме рахте раха рал+a ран+a", "ера"),
    # Alternations: писах - пиша, казах - кажа, лъгах - лъжа, плаках - плача, рязах - режа, изпече - изпека
    ("сах са сахме сахте саха сал+a сан+a", "ша"),
    ("зах за захме захте заха зал+a зан+a гах га гахме гахте гаха гал+a ган+a", "жа"),
    ("ках ка кахме кахте каха кал+a кан+a", "ча"),
    ("язах яза язахме язахте язаха язал+a язан+a", "ежа"),
    ("чеш че чем чете чен+a", "ка"),
    ("жеш же жем жете жен+a", "га"),
)

_NOUNS = (
    # град, градът, градове; край, краят, краеве; огън; театри, орли, ритми, нокти
    ("ът а и ите ове овете ища ищата е ете", "-"),
    ("ят я еве евете", "й"),
    ("аи аите", "ай"),
    ("еи еите", "ей"),
    ("ои оите", "ой"),
    ("ят я ьове ьовете", "-"),
    ("ци ците", "к ец ка"),
    ("йци йците", "ец"),
    ("зи зите", "г"),
    ("си сите", "х"),
    ("ми мите", "ъм"),
    ("ли лите", "ел"),
    ("ти тите", "ът"),
    ("и ите", "ин"),
    # жена, стая, нощ; дрянка, дренки
    ("и ите ата", "а"),
    ("и ите ята", "я"),
    ("та то", "-"),
    ("енки енките", "янка"),
    # село, събитие, огнище, момче, име
    ("а ата", "о"),
    ("ия ията", "ие"),
    ("ища ищата", "ище"),
    ("ета етата ена ената", "е"),
)

_ADJECTIVES = (
    ("а о и ия ият ата ото ите", "-"),
    ("на но ни ния ният ната ното ните", "ен"),
    ("йна йно йни йния йният йната йното йните", "ен"),
    ("ка ко ки кия кият ката кото ките", "ък"),
    ("ра ро ри рия рият рата рото рите", "ър"),
    ("ла ло ли лия лият лата лото лите", "ъл"),
    ("ска ско ския ският ската ското ските", "ски"),
)

# работи: of работа, работя. прави: of прав, правя.
_THIRD_PERSON = (("и", "я а"),)
# поставя: first person of itself, third of поставям. вземат: of взема, вземам.
_ASPECTS = (("а ат", "ам"), ("я ят", "ям"), ("ат", "а"), ("ят", "я"))
_PARTICIPLES = tuple(
    (" ".join(form for form in forms.split() if form.endswith(("л+a", "н+a", "т+a"))), citation)
    for forms, citation in _VERBS
)
# отчитането: the dictionary has отчитам. участници: it has участница.
_VERBAL_NOUNS = (("нето ния нията", "не"), ("нието ния нията", "ние"))
_PERSONS = (("ици иците", "ик"), ("ени ените", "яна"))
# листа: of листа, and with its article of лист; анализа: only of анализ. But people are not a choir.
_ARTICLE = (("а", "-"),)
_NO_ARTICLE = frozenset({"хора"})


def _is_verb(lemma: str, lexicon: Lexicon) -> bool:
    """Whether the dictionary has forms of the lemma that only verbs have: ``ударят``, ``ударих``."""
    if not lemma.endswith(("а", "я", "ам", "ям")):
        return False
    stem = lemma.removesuffix("м")[:-1]
    forms = (stem + ending for ending in ("ат", "ят", "их", "ах", "ях", "ил", "ал", "ял"))
    return any(_citation(entry(form, lexicon) or "") == lemma for form in forms)


def _is_masculine(lemma: str, lexicon: Lexicon) -> bool:
    return entry(lemma + "ът", lexicon) == lemma


def _may_have_article(form: str, lemma: str, lexicon: Lexicon) -> bool:
    """Whether the form could be a masculine noun with its short article, though a lemma itself."""
    return form == lemma and form not in _NO_ARTICLE and not _is_verb(lemma, lexicon)


def _is_other(form: str, lemma: str, lexicon: Lexicon) -> bool:
    return form != lemma


def _is_participle(form: str, lemma: str, lexicon: Lexicon) -> bool:
    """Whether the dictionary has the participle as an adjective: ``обявени``, ``обявен``."""
    return lemma.endswith(("л", "н", "т")) and form.startswith(lemma[:-1])


def _is_lemma(lemma: str, lexicon: Lexicon) -> bool:
    return any(lexicon.is_lemma(lemma + ending) for ending in ("", "-(се)"))


_INFLECTION = Inflection(
    unknown=endings((*_VERBS, *_NOUNS, *_ADJECTIVES), _ADJECTIVE),
    homographs=(
        Homographs(endings(_THIRD_PERSON, {}), _is_other, _is_verb),
        Homographs(endings(_ASPECTS, {}), lambda form, lemma, lexicon: True, _is_verb),
        Homographs(endings(_PARTICIPLES, _ADJECTIVE), _is_participle, _is_verb),
        Homographs(endings(_VERBAL_NOUNS, {}), _is_other, lambda lemma, lexicon: True),
        Homographs(endings(_PERSONS, {}), _is_other, _is_lemma),
        Homographs(endings(_ARTICLE, {}), _may_have_article, _is_masculine),
    ),
    clean=_citation,
    no_lemmas=_PARTICLES.forms,
)


RULES_BG = LanguageRules(
    code="bg",
    version=1,
    rules=(REFLEXIVE, INFLECTION, HOMOGRAPH),
    words=WordRules(
        folded={ord("ѝ"): "и"},
        surface_only=_PARTICLES.forms,
        clean_lemma=lambda lemma: (_citation(lemma),),
        readings=partial(readings, _INFLECTION),
        replacing=frozenset({INFLECTION.name}),
    ),
    patterns=partial(patterns, _PARTICLES),
)
