"""Italian: reflexive verbs, enclitic pronouns, verb forms that are nouns too."""

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
are: 1s o avo ai erò erei i assi / 2s i avi asti erai eresti assi / 3s a ava ò erà erebbe i asse / 1p iamo avamo
    ammo eremo eremmo assimo / 2p ate avate aste erete ereste iate / 3p ano avano arono eranno erebbero ino assero
    / inf are ar / 0 ando ato ata ati ate
ere: 1s o evo ei etti erò erei a essi / 2s i evi esti erai eresti a essi / 3s e eva é è ette erà erebbe a esse /
    1p iamo evamo emmo eremo eremmo essimo / 2p ete evate este erete ereste iate / 3p ono evano erono ettero
    eranno erebbero ano essero / inf ere er / 0 endo uto uta uti ute
ire: 1s o isco ivo ii irò irei a isca issi / 2s i isci ivi isti irai iresti a isca issi / 3s e isce iva ì irà
    irebbe a isca isse / 1p iamo ivamo immo iremo iremmo issimo / 2p ite ivate iste irete ireste iate / 3p ono
    iscono ivano irono iranno irebbero ano iscano issero / inf ire ir / 0 endo ito ita iti ite
porre: 1s pongo ponevo porrò porrei ponga ponessi / 2s poni ponevi ponesti porrai ponga ponessi / 3s pone poneva
    porrà porrebbe ponga ponesse / 1p poniamo ponevamo ponemmo porremo porremmo / 2p ponete ponevate poneste
    porrete / 3p pongono ponevano porranno porrebbero pongano / inf porre por / 0 ponendo
trarre: 1s traggo traevo trarrò trarrei tragga / 2s trai traevi traesti trarrai tragga / 3s trae traeva trarrà
    trarrebbe tragga / 1p traiamo traevamo traemmo trarremo / 2p traete traevate traeste trarrete / 3p traggono
    traevano trarranno trarrebbero traggano / inf trarre trar / 0 traendo
durre: 1s duco ducevo durrò durrei duca / 2s duci ducevi ducesti durrai duca / 3s duce duceva durrà durrebbe duca
    / 1p duciamo ducevamo ducemmo durremo / 2p ducete ducevate duceste durrete / 3p ducono ducevano durranno
    durrebbero ducano / inf durre dur / 0 ducendo
""")

_IRREGULAR = paradigms("""
andare: 1s vado vada andrò andrei / 2s vai vada andrai / 3s va vada andrà / 3p vanno vadano andranno
dare: 1s do diedi detti dia darò darei / 2s dai desti dia darai / 3s dà diede dette dia darà / 1p demmo daremo /
    2p deste darete / 3p danno diedero dettero diano daranno / 0 dando dato data dati date
dire: 1s dico dicevo dica / 2s dici dicevi dicesti dica / 3s dice diceva dica / 1p diciamo dicevamo dicemmo / 2p
    dite dicevate diceste / 3p dicono dicevano dicano / 0 dicendo
fare: 1s faccio feci facevo faccia farò farei / 2s fai facevi facesti faccia farai / 3s fa fece faceva faccia farà
    / 1p facciamo facevamo facemmo faremo / 2p fate facevate faceste farete / 3p fanno fecero facevano facciano
    faranno / 0 facendo
stare: 1s sto stetti stia starò / 2s stai stesti stia starai / 3s sta stette stia starà / 1p stiamo stemmo staremo
    / 2p state steste starete / 3p stanno stettero stiano staranno
essere: 1s sono ero fui sarò sarei sia fossi / 2s sei eri fosti sarai saresti sia fossi / 3s è era fu sarà sarebbe
    sia fosse / 1p siamo eravamo fummo saremo saremmo fossimo / 2p siete eravate foste sarete sareste siate / 3p
    sono erano furono saranno sarebbero siano fossero / 0 stato stata stati state
avere: 1s ho ebbi avrò avrei abbia / 2s hai avrai avresti abbia / 3s ha ebbe avrà avrebbe abbia / 1p abbiamo
    avremo avremmo / 2p avrete avreste / 3p hanno ebbero avranno avrebbero abbiano
potere: 1s posso possa / 2s puoi possa / 3s può possa / 3p possono possano
dovere: 1s devo debba / 2s devi debba / 3s deve debba / 3p devono debbano
volere: 1s voglio voglia volli / 2s vuoi voglia / 3s vuole voglia volle / 3p vogliono vogliano vollero
sapere: 1s so sappia seppi / 2s sai sappia / 3s sa sappia seppe / 3p sanno sappiano
""")


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


# Ending of an infinitive and the stems that replace it.
_PERFECTS = """
cadere:cadd cedere:cess cere:cqu,ss cidere:cis cogliere:cols conoscere:conobb correre:cors crescere:crebb
cuotere:coss dere:s dire:diss durre:duss esprimere:espress fare:fec figgere:fiss fondere:fus ggere:ss gliere:ls
guere:ns lgere:ls mergere:mers mettere:mis muovere:moss nascere:nacqu ncere:ns ndere:s ngere:ns ngliere:ns nguere:ns
porre:pos primere:press rcere:rs rdere:rs rgere:rs rimanere:rimas rompere:rupp rrere:rs sapere:sepp scrivere:scriss
spegnere:spens struggere:struss sumere:suns tenere:tenn trarre:trass utere:uss vedere:vid venire:venn vivere:viss
volere:voll
"""
_PARTICIPLES = """
aprire:apert bere:bevut cedere:cess chiedere:chiest cidere:cis cogliere:colt coprire:copert correre:cors
crescere:cresciut cuocere:cott cuotere:coss dere:s dire:dett durre:dott essere:stat fare:fatt figgere:fiss,fitt
fondere:fus ggere:tt gliere:lt guere:nt ledere:les lgere:lt mergere:mers mettere:mess morire:mort muovere:moss
nascere:nat nascondere:nascost ncere:nt ndere:s ngere:nt offrire:offert parere:pars porre:post primere:press
rcere:rt rdere:rs rgere:rs,rt rigere:rett rimanere:rimast rispondere:rispost rompere:rott rrere:rs scrivere:scritt
soffrire:soffert spegnere:spent stringere:strett struggere:strutt sumere:sunt trarre:tratt utere:uss vedere:vist
venire:venut vivere:vissut volgere:volt
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
    perfect=table(_PERFECTS),
    perfect_endings={"1s": "i", "3s": "e", "3p": "ero"},
    perfect_proof="ero",
    participles=table(_PARTICIPLES),
    participle_endings="o a i e",
    irregular=_IRREGULAR,
)


_SINGLE = ("gli", "mi", "ti", "si", "ci", "vi", "lo", "la", "li", "le", "ne")
_BEFORE_OBJECT = ("me", "te", "se", "ce", "ve")
_ELIDED = frozenset({"m", "t", "s", "c", "v"})

# Reflexive pronouns of the third person; "ne" is too rare, and many nouns end in "-ine", "-ane".
_NOT_IMPERATIVE = ("si", "se", "ne")

CLITICS = Clitics(
    conjugation=CONJUGATION,
    clusters=clusters(_SINGLE, (*_BEFORE_OBJECT, "glie"), ("lo", "la", "li", "le", "ne")),
    hosts=(
        Host("ar", ("are", "arre")),
        Host("er", ("ere",)),
        Host("ir", ("ire",)),
        Host("or", ("orre",)),
        Host("ur", ("urre",)),
        Host("ando", ("are",)),
        Host("endo", ("ere", "ire", "orre", "urre", "arre", "are")),
        *(Host(ending, ("are",), barred=("ne",)) for ending in ("ato", "ata", "ate")),
        *(Host(ending, ("ire",), barred=("ne",)) for ending in ("ito", "ita", "ite")),
        *(Host(ending, ("ere", "ire"), barred=("ne",)) for ending in ("uto", "uta", "uti", "ute")),
        *(Host(ending, ("are", "ire"), only=("si", "se")) for ending in ("ati", "iti")),
        # Imperatives; "vi" follows only the plural, so that "lavavi" (you washed) is not split.
        Host("a", ("are",), barred=(*_NOT_IMPERATIVE, "vi", "ve")),
        Host("i", ("ere", "ire", "orre", "urre", "arre"), barred=(*_NOT_IMPERATIVE, "vi", "ve")),
        Host("ete", ("ere",), barred=(*_NOT_IMPERATIVE, "ti", "te")),
        Host("iamo", ("are", "ere", "ire"), barred=(*_NOT_IMPERATIVE, "ti", "te")),
    ),
    irregular={
        **dict.fromkeys(("da", "dar", "dando", "dato", "data", "date"), ("dare",)),
        **dict.fromkeys(("di", "dir", "dicendo", "dite"), ("dire",)),
        **dict.fromkeys(("fa", "far", "facendo", "fate"), ("fare",)),
        **dict.fromkeys(("sta", "star", "stando", "state"), ("stare",)),
        "va": ("andare",),
    },
    doubled=frozenset({"da", "di", "fa", "sta", "va"}),
    after_participle=("si", "se", "mi", "me", "ti", "te", "gli"),
    infinitives=("are", "ere", "ire", "rre"),
    verbs_carry=False,  # "lavavi" is not "lava" and "vi"
    certain=frozenset({"dimmi"}),
    initial="ti",
    reflexive_hosts={
        **dict.fromkeys(("mi", "me"), re.compile("(?:r|ndo|[ts]o)$")),
        **dict.fromkeys(("ci", "ce"), re.compile("(?:r|ndo|mo)$")),
        **dict.fromkeys(("vi", "ve"), re.compile("(?:r|ndo|te)$")),
    },
)

_ADVERBS = """
non più mai già ancora sempre anche appena subito quasi pure poi presto tardi spesso solo soltanto proprio molto
poco tanto troppo bene male finalmente forse ormai nemmeno neanche neppure così allora oggi ieri domani davvero
affatto talvolta tutto tutti tutta tutte insieme altrettanto
"""
# Only verbs whose complement may have its pronoun before them ("si deve lavare").
_AUXILIARIES = "avere essere stare potere dovere volere sapere cominciare iniziare finire"
_BEFORE_PHRASES = """
a ad al alla allo ai agli alle con da dal dalla dallo dai dagli dalle di del della dello dei degli delle in nel
nella nello nei negli nelle su sul sulla sullo sui sugli sulle per tra fra il lo la i gli le un uno una senza
"""
_CLOSED = f"{_BEFORE_PHRASES} e ed o ma che chi quando dove come se perché mentre"
_FUNCTION_WORDS = f"""
{_CLOSED} {_ADVERBS} mi ti si ci vi me te se ce ve uno esso essa essi esse fino salvo dentro fuori sopra sotto
contro verso presso durante via vicino dopo entro attraverso dietro stato stata stati state
"""
_BEFORE_NOUN = f"""
{_BEFORE_PHRASES} l un' una gl questo questa questi queste quello quella quelli quelle quel quei quegli mio mia miei
mie tuo tua tuoi tue suo sua suoi sue nostro nostra nostri nostre vostro vostra vostri vostre loro dell all dall
nell sull coll ogni qualche nessun nessuna alcun alcuni alcune altro altra altri altre molto molta molti molte primo
prima secondo seconda ultimo ultima buon buona gran grande bel bella proprio propria stesso stessa due tre quattro
cinque quest quell
"""

_BEFORE_VERB = """
non si mi ti ci vi ne che chi quando dove come già anche sempre mai io tu lui lei noi voi loro egli ella ho hai ha
abbiamo avete hanno aveva avevano abbia abbiano è sono era erano fu furono
"""

ITALIAN = Romance(
    conjugation=CONJUGATION,
    clitics=CLITICS,
    infinitives=(
        ("ar", ("are", "arre")),
        ("er", ("ere",)),
        ("ir", ("ire",)),
        ("or", ("orre",)),
        ("ur", ("urre",)),
    ),
    only_known=True,
    # Before lo, la, li, le, ne the pronouns end in -e; before a vowel they lose theirs (ce se c').
    reflexives=dict.fromkeys(
        ("si", "se"),
        frozenset({"mi", "ti", "si", "ci", "vi", *_BEFORE_OBJECT, *_ELIDED, "m'", "t'", "s'", "c'", "v'"}),
    ),
    fixed=dict.fromkeys(("ci", "ce"), frozenset({"ci", "ce", "c", "c'"})),
    persons={
        **dict.fromkeys(("mi", "me", "m", "m'"), frozenset({"1s"})),
        # "Non ti preoccupare": the negative imperative is an infinitive.
        **dict.fromkeys(("ti", "te", "t", "t'"), frozenset({"2s", "inf"})),
        **dict.fromkeys(("ci", "ce", "c", "c'"), frozenset({"1p"})),
        **dict.fromkeys(("vi", "ve", "v", "v'"), frozenset({"2p"})),
        "se": frozenset({"3s", "3p"}),
    },
    fallback={
        "1s": re.compile("(?:(?<!n)(?<!er)o|[^aeiou]i|rei|rò)$"),
        "2s": re.compile("i$"),
        "3s": re.compile("(?<!m)(?<!vo)(?:[aeàèòìé]|[nr]o)$"),
        "1p": re.compile("mo$"),
        "2p": re.compile("te$"),
    },
    variants={
        "lo": frozenset({"lo", "l", "l'"}),
        "la": frozenset({"la", "l", "l'"}),
        "ne": frozenset({"ne", "n", "n'"}),
    },
    before_object=frozenset(_BEFORE_OBJECT),
    elided=_ELIDED,
    objects=frozenset({*_SINGLE, *_BEFORE_OBJECT, "l", "n", "l'", "n'", "gliel", "glielo"}),
    conditional=words("che e ed ma o anche come solo perché sapere chiede"),
    auxiliaries=CONJUGATION.forms_of(_AUXILIARIES.split()),
    links=frozenset({"a", "ad", "di", "per", "da"}),
    adverbs=words(_ADVERBS),
    adverb_ending="mente",
    closed=words(_CLOSED),
    function_words=words(_FUNCTION_WORDS),
    signs=NounSigns(
        before=words(_BEFORE_NOUN),
        after=words("di del dello della dell dei degli delle"),
        verbal=words(_BEFORE_VERB),
    ),
)


split_clitics = partial(split, CLITICS)

RULES_IT = LanguageRules(
    code="it",
    version=1,
    rules=RULES,
    words=WordRules(surface_only=frozenset({"mi", "ti", "si", "ci", "vi"})),
    patterns=partial(patterns, ITALIAN),
    only_patterns=partial(is_pronominal, ITALIAN),
    split_clitics=split_clitics,
)
