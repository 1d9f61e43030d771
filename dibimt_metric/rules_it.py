"""Italian: reflexive verbs, enclitic pronouns, verb forms that are nouns too."""

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
from .verbs_it import CONJUGATION

if TYPE_CHECKING:
    from .embedded import Part
    from .embedded import SimplemmaLexicon
    from .patterns import Pattern
    from .phrase import Phrase

_SINGLE = ("gli", "mi", "ti", "si", "ci", "vi", "lo", "la", "li", "le", "ne")
_BEFORE_OBJECT = ("me", "te", "se", "ce", "ve")
_ELIDED = frozenset({"m", "t", "s", "c", "v"})

# Reflexive pronouns of the third person; "ne" is too seldom, and many nouns end in "-ine", "-ane".
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
        # Imperatives; "vi" follows the plural alone, so that "lavavi" (you washed) stays whole.
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
    verbs_carry=False,  # "lavavi" is no "lava" and "vi"
    certain=frozenset({"dimmi"}),
    initial="ti",
    reflexive_hosts={
        **dict.fromkeys(("mi", "me"), re.compile("(?:r|ndo|[ts]o)$")),
        **dict.fromkeys(("ci", "ce"), re.compile("(?:r|ndo|mo)$")),
        **dict.fromkeys(("vi", "ve"), re.compile("(?:r|ndo|te)$")),
    },
)

_ADVERBS = """
non più mai già ancora sempre anche appena subito quasi pure poi presto tardi spesso solo soltanto proprio
molto poco tanto troppo bene male finalmente forse ormai nemmeno neanche neppure così allora oggi ieri domani
davvero affatto talvolta tutto tutti tutta tutte insieme altrettanto
"""
# Only verbs whose complement may have its pronoun before them ("si deve lavare").
_AUXILIARIES = "avere essere stare potere dovere volere sapere cominciare iniziare finire"
_BEFORE_PHRASES = """
a ad al alla allo ai agli alle con da dal dalla dallo dai dagli dalle di del della dello dei degli delle in
nel nella nello nei negli nelle su sul sulla sullo sui sugli sulle per tra fra il lo la i gli le un uno una
senza
"""
_CLOSED = f"{_BEFORE_PHRASES} e ed o ma che chi quando dove come se perché mentre"
_FUNCTION_WORDS = f"""
{_CLOSED} {_ADVERBS} mi ti si ci vi me te se ce ve uno esso essa essi esse fino salvo dentro fuori sopra sotto
contro verso presso durante via vicino dopo entro attraverso dietro stato stata stati state
"""
_BEFORE_NOUN = f"""
{_BEFORE_PHRASES} l un' una gl questo questa questi queste quello quella quelli quelle quel quei quegli mio
mia miei mie tuo tua tuoi tue suo sua suoi sue nostro nostra nostri nostre vostro vostra vostri vostre loro
dell all dall nell sull coll ogni qualche nessun nessuna alcun alcuni alcune altro altra altri altre
molto molta molti molte primo prima secondo seconda ultimo ultima buon buona gran grande bel bella proprio
propria stesso stessa due tre quattro cinque quest quell
"""

_BEFORE_VERB = """
non si mi ti ci vi ne che chi quando dove come già anche sempre mai io tu lui lei noi voi loro egli ella ho
hai ha abbiamo avete hanno aveva avevano abbia abbiano è sono era erano fu furono
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
    conditional=frozenset("che e ed ma o anche come solo perché sapere chiede".split()),
    auxiliaries=CONJUGATION.forms_of(_AUXILIARIES.split()),
    no_auxiliaries=frozenset(),
    links=frozenset({"a", "ad", "di", "per", "da"}),
    adverbs=frozenset(_ADVERBS.split()),
    adverb_ending="mente",
    datives=frozenset(),
    dative_objects=frozenset(),
    closed=frozenset(_CLOSED.split()),
    stressed=(),
    function_words=frozenset(_FUNCTION_WORDS.split()),
    signs=NounSigns(
        before=frozenset(_BEFORE_NOUN.split()),
        after=frozenset("di del dello della dell dei degli delle".split()),
        verbal=frozenset(_BEFORE_VERB.split()),
    ),
)


def _patterns(phrase: Phrase, active: frozenset[str]) -> Iterator[Pattern]:
    return patterns(ITALIAN, phrase, active)


def _only_patterns(phrase: Phrase) -> bool:
    return is_pronominal(ITALIAN, phrase)


def split_clitics(form: str, lexicon: SimplemmaLexicon, initial: bool = False) -> tuple[Part, ...]:
    """Verb and enclitic pronouns of a form, for the embedded analyzer; ``initial``: it begins a sentence."""
    return split(CLITICS, form, lexicon, initial)


RULES_IT = LanguageRules(
    code="it",
    version=1,
    rules=RULES,
    surface_only=frozenset({"mi", "ti", "si", "ci", "vi"}),
    patterns=_patterns,
    only_patterns=_only_patterns,
)
