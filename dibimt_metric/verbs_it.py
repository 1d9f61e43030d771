"""Italian verb forms: endings, changing stems, irregular verbs, as data for `conjugation`."""

from __future__ import annotations

from .conjugation import Conjugation
from .conjugation import strong

_CLASSES = {
    "are": {
        "1s": "o avo ai erò erei i assi",
        "2s": "i avi asti erai eresti assi",
        "3s": "a ava ò erà erebbe i asse",
        "1p": "iamo avamo ammo eremo eremmo assimo",
        "2p": "ate avate aste erete ereste iate",
        "3p": "ano avano arono eranno erebbero ino assero",
        "inf": "are ar",
        "0": "ando ato ata ati ate",
    },
    "ere": {
        "1s": "o evo ei etti erò erei a essi",
        "2s": "i evi esti erai eresti a essi",
        "3s": "e eva é è ette erà erebbe a esse",
        "1p": "iamo evamo emmo eremo eremmo essimo",
        "2p": "ete evate este erete ereste iate",
        "3p": "ono evano erono ettero eranno erebbero ano essero",
        "inf": "ere er",
        "0": "endo uto uta uti ute",
    },
    "ire": {
        "1s": "o isco ivo ii irò irei a isca issi",
        "2s": "i isci ivi isti irai iresti a isca issi",
        "3s": "e isce iva ì irà irebbe a isca isse",
        "1p": "iamo ivamo immo iremo iremmo issimo",
        "2p": "ite ivate iste irete ireste iate",
        "3p": "ono iscono ivano irono iranno irebbero ano iscano issero",
        "inf": "ire ir",
        "0": "endo ito ita iti ite",
    },
    "porre": {
        "1s": "pongo ponevo porrò porrei ponga ponessi",
        "2s": "poni ponevi ponesti porrai ponga ponessi",
        "3s": "pone poneva porrà porrebbe ponga ponesse",
        "1p": "poniamo ponevamo ponemmo porremo porremmo",
        "2p": "ponete ponevate poneste porrete",
        "3p": "pongono ponevano porranno porrebbero pongano",
        "inf": "porre por",
        "0": "ponendo",
    },
    "trarre": {
        "1s": "traggo traevo trarrò trarrei tragga",
        "2s": "trai traevi traesti trarrai tragga",
        "3s": "trae traeva trarrà trarrebbe tragga",
        "1p": "traiamo traevamo traemmo trarremo",
        "2p": "traete traevate traeste trarrete",
        "3p": "traggono traevano trarranno trarrebbero traggano",
        "inf": "trarre trar",
        "0": "traendo",
    },
    "durre": {
        "1s": "duco ducevo durrò durrei duca",
        "2s": "duci ducevi ducesti durrai duca",
        "3s": "duce duceva durrà durrebbe duca",
        "1p": "duciamo ducevamo ducemmo durremo",
        "2p": "ducete ducevate duceste durrete",
        "3p": "ducono ducevano durranno durrebbero ducano",
        "inf": "durre dur",
        "0": "ducendo",
    },
}

_IRREGULAR = {
    "andare": {
        "1s": "vado vada andrò andrei",
        "2s": "vai vada andrai",
        "3s": "va vada andrà",
        "3p": "vanno vadano andranno",
    },
    "dare": {
        "1s": "do diedi detti dia darò darei",
        "2s": "dai desti dia darai",
        "3s": "dà diede dette dia darà",
        "1p": "demmo daremo",
        "2p": "deste darete",
        "3p": "danno diedero dettero diano daranno",
        "0": "dando dato data dati date",
    },
    "dire": {
        "1s": "dico dicevo dica",
        "2s": "dici dicevi dicesti dica",
        "3s": "dice diceva dica",
        "1p": "diciamo dicevamo dicemmo",
        "2p": "dite dicevate diceste",
        "3p": "dicono dicevano dicano",
        "0": "dicendo",
    },
    "fare": {
        "1s": "faccio feci facevo faccia farò farei",
        "2s": "fai facevi facesti faccia farai",
        "3s": "fa fece faceva faccia farà",
        "1p": "facciamo facevamo facemmo faremo",
        "2p": "fate facevate faceste farete",
        "3p": "fanno fecero facevano facciano faranno",
        "0": "facendo",
    },
    "stare": {
        "1s": "sto stetti stia starò",
        "2s": "stai stesti stia starai",
        "3s": "sta stette stia starà",
        "1p": "stiamo stemmo staremo",
        "2p": "state steste starete",
        "3p": "stanno stettero stiano staranno",
    },
    "essere": {
        "1s": "sono ero fui sarò sarei sia fossi",
        "2s": "sei eri fosti sarai saresti sia fossi",
        "3s": "è era fu sarà sarebbe sia fosse",
        "1p": "siamo eravamo fummo saremo saremmo fossimo",
        "2p": "siete eravate foste sarete sareste siate",
        "3p": "sono erano furono saranno sarebbero siano fossero",
        "0": "stato stata stati state",
    },
    "avere": {
        "1s": "ho ebbi avrò avrei abbia",
        "2s": "hai avrai avresti abbia",
        "3s": "ha ebbe avrà avrebbe abbia",
        "1p": "abbiamo avremo avremmo",
        "2p": "avrete avreste",
        "3p": "hanno ebbero avranno avrebbero abbiano",
    },
    "potere": {"1s": "posso possa", "2s": "puoi possa", "3s": "può possa", "3p": "possono possano"},
    "dovere": {"1s": "devo debba", "2s": "devi debba", "3s": "deve debba", "3p": "devono debbano"},
    "volere": {
        "1s": "voglio voglia volli",
        "2s": "vuoi voglia",
        "3s": "vuole voglia volle",
        "3p": "vogliono vogliano vollero",
    },
    "sapere": {"1s": "so sappia seppi", "2s": "sai sappia", "3s": "sa sappia seppe", "3p": "sanno sappiano"},
}


def _spell(stem: str, ending: str, kind: str) -> str:
    """``cerc`` + ``i``: ``cerchi``; ``mangi`` + ``erò``: ``mangerò``; ``piac`` + ``uto``: ``piaciuto``."""
    if kind == "are" and ending[0] in "ei":
        if stem.endswith(("c", "g")):
            return stem + "h" + ending
        if stem.endswith("i") and (ending[0] == "i" or stem.endswith(("ci", "gi"))):
            return stem[:-1] + ending
    if kind == "ere" and ending[0] == "u" and stem.endswith("c"):
        return stem + "i" + ending
    return stem + ending


# Ending of an infinitive and the stems that stand for it.
_PERFECTS = """
cadere:cadd cedere:cess cere:cqu,ss cidere:cis cogliere:cols conoscere:conobb correre:cors crescere:crebb
cuotere:coss dere:s dire:diss durre:duss esprimere:espress fare:fec figgere:fiss fondere:fus ggere:ss
gliere:ls guere:ns lgere:ls mergere:mers mettere:mis muovere:moss nascere:nacqu ncere:ns ndere:s ngere:ns
ngliere:ns nguere:ns porre:pos primere:press rcere:rs rdere:rs rgere:rs rimanere:rimas rompere:rupp
rrere:rs sapere:sepp scrivere:scriss spegnere:spens struggere:struss sumere:suns tenere:tenn trarre:trass
utere:uss vedere:vid venire:venn vivere:viss volere:voll
"""
_PARTICIPLES = """
aprire:apert bere:bevut cedere:cess chiedere:chiest cidere:cis cogliere:colt coprire:copert correre:cors
crescere:cresciut cuocere:cott cuotere:coss dere:s dire:dett durre:dott essere:stat fare:fatt
figgere:fiss,fitt fondere:fus ggere:tt gliere:lt guere:nt ledere:les lgere:lt mergere:mers mettere:mess
morire:mort muovere:moss nascere:nat nascondere:nascost ncere:nt ndere:s ngere:nt offrire:offert
parere:pars porre:post primere:press rcere:rt rdere:rs rgere:rs,rt rigere:rett rimanere:rimast
rispondere:rispost rompere:rott rrere:rs scrivere:scritt soffrire:soffert spegnere:spent stringere:strett
struggere:strutt sumere:sunt trarre:tratt utere:uss vedere:vist venire:venut vivere:vissut volgere:volt
"""

CONJUGATION = Conjugation(
    classes=_CLASSES,
    spell=_spell,
    vowels=(("e", "ie"), ("o", "uo")),
    present={
        "ere": {"1s": "o a", "2s": "i a", "3s": "e a", "3p": "ono ano"},
        "ire": {"1s": "o a", "2s": "i a", "3s": "e a", "3p": "ono ano"},
        "are": {"1s": "o i", "2s": "i", "3s": "a i", "3p": "ano ino"},
    },
    present_proof={"are": "ano", "ere": "e", "ire": "e"},
    perfect=strong(_PERFECTS),
    perfect_endings={"1s": "i", "3s": "e", "3p": "ero"},
    perfect_proof="ero",
    participles=strong(_PARTICIPLES),
    participle_endings="o a i e",
    irregular=_IRREGULAR,
)
