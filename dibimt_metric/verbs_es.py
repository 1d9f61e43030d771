"""Spanish verb forms: endings, changing stems, irregular verbs, as data for `conjugation`."""

from __future__ import annotations

from .conjugation import Conjugation
from .conjugation import strong

_CLASSES = {
    "ar": {
        "1s": "o é aba aré aría e ara ase",
        "2s": "as ás aste abas arás arías es aras ases",
        "3s": "a ó aba ará aría e ara ase",
        "1p": "amos ábamos aremos aríamos emos áramos ásemos",
        "2p": "áis asteis abais aréis aríais éis arais aseis",
        "3p": "an aron aban arán arían en aran asen",
        "inf": "ar",
        "0": "ando ado ada ados adas",
    },
    "er": {
        "1s": "o í ía eré ería a iera iese",
        "2s": "es és iste ías erás erías as ieras ieses",
        "3s": "e ió ía erá ería a iera iese",
        "1p": "emos imos íamos eremos eríamos amos iéramos iésemos",
        "2p": "éis isteis íais eréis eríais áis ierais ieseis",
        "3p": "en ieron ían erán erían an ieran iesen",
        "inf": "er",
        "0": "iendo ido ida idos idas",
    },
    "ir": {
        "1s": "o í ía iré iría a iera iese",
        "2s": "es ís iste ías irás irías as ieras ieses",
        "3s": "e ió ía irá iría a iera iese",
        "1p": "imos íamos iremos iríamos amos iéramos iésemos",
        "2p": "ís isteis íais iréis iríais áis ierais ieseis",
        "3p": "en ieron ían irán irían an ieran iesen",
        "inf": "ir",
        "0": "iendo ido ida idos idas",
    },
}

_PRESENT = {
    "ar": {"1s": "o e", "2s": "as es", "3s": "a e", "3p": "an en"},
    "er": {"1s": "o a", "2s": "es as", "3s": "e a", "3p": "en an"},
    "ir": {"1s": "o a", "2s": "es as", "3s": "e a ió", "3p": "en an ieron", "0": "iendo"},
}

_IRREGULAR = {
    "ir": {
        "1s": "voy iba fui iré iría vaya fuera",
        "2s": "vas ibas fuiste irás irías vayas fueras",
        "3s": "va iba fue irá iría vaya fuera",
        "1p": "vamos íbamos fuimos iremos iríamos vayamos",
        "2p": "vais ibais fuisteis iréis iríais vayáis",
        "3p": "van iban fueron irán irían vayan fueran",
        "0": "yendo ido",
    },
    "dar": {
        "1s": "doy di dé diera",
        "2s": "diste des dieras",
        "3s": "dio dió dé diera",
        "1p": "dimos demos",
        "2p": "dais disteis deis",
        "3p": "dieron den dieran",
        "0": "dando dado dada dados dadas",
    },
    "ver": {
        "1s": "veo vi veía vea",
        "2s": "viste veías veas",
        "3s": "vio veía vea",
        "1p": "vimos veíamos veamos",
        "2p": "veis visteis veáis",
        "3p": "vieron veían vean",
    },
    "estar": {
        "1s": "estoy esté",
        "2s": "estás estés",
        "3s": "está esté",
        "2p": "estáis estéis",
        "3p": "están estén",
    },
    "haber": {
        "1s": "he haya",
        "2s": "has hayas",
        "3s": "ha haya",
        "1p": "hemos hayamos",
        "2p": "habéis hayáis",
        "3p": "han hayan",
    },
}


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


# Ending of an infinitive and the stems that stand for it.
_PERFECTS = """
andar:anduv caber:cup decir:dij ducir:duj estar:estuv haber:hub hacer:hic,hiz poder:pud poner:pus
querer:quis saber:sup tener:tuv traer:traj venir:vin
"""
_PARTICIPLES = """
abrir:abiert cubrir:cubiert decir:dich facer:fech freír:frit hacer:hech imprimir:impres morir:muert
poner:puest proveer:provist romper:rot scribir:scrit solver:suelt ver:vist volver:vuelt
"""

CONJUGATION = Conjugation(
    classes=_CLASSES,
    spell=_spell,
    vowels=(("e", "ie"), ("o", "ue"), ("e", "i"), ("u", "ue"), ("i", "ie")),
    present=_PRESENT,
    present_proof={"ar": "an", "er": "en", "ir": "en"},
    perfect=strong(_PERFECTS),
    perfect_endings={"1s": "e", "2s": "iste", "3s": "o", "1p": "imos", "2p": "isteis", "3p": "ieron eron"},
    perfect_proof="",
    participles=strong(_PARTICIPLES),
    participle_endings="o a os as",
    irregular=_IRREGULAR,
)
