"""Russian: reflexive verbs carry ``-ся`` or ``-сь``; ё and е are one letter; the endings of unknown forms.

The dictionary has most finite forms, but few of the participles and gerunds that translations are full of
(``был призван``), and spells a form with ё or with е, not with both.
"""

from __future__ import annotations

from .analysis import Lexicon
from .rules import LanguageRules
from .rules_slavic import HOMOGRAPH
from .rules_slavic import INFLECTION
from .rules_slavic import LONGEST_FORM
from .rules_slavic import Endings
from .rules_slavic import Homographs
from .rules_slavic import Inflection
from .rules_slavic import endings
from .rules_slavic import entry
from .rules_slavic import readings
from .rules_words import Reading
from .rules_words import Rule
from .rules_words import WordRules

REFLEXIVE = Rule("reflexive", "a form in -ся or -сь belongs to the verb in -ся, whatever the lemmatizer gives")
YO = Rule("yo", "ё and е count as one letter")

_LETTERS = {ord("ё"): "е"}
_INFINITIVES = ("ть", "чь", "ти")
_REFLEXIVE = ("ся", "сь")
# Endings before the particle. Forms such as брось, неся, занося end in its letters without having it.
_HOSTS = {
    "ся": tuple("л т ть м шь й щая щее щие щего щему щими щих щую щею шая шее шие шего шему шими ших".split()),
    "сь": tuple("ла ло ли у ю те и я вши жа ча ша ща".split()),
}

# Endings of participles, long and short, and of nouns.
_PARADIGMS = {
    "n": "ый ая ое ые ого ому ым ом ую ой ою ых ыми - а о ы",
    "j": "ий ая ее ие его ему им ем ую ей ею их ими",
    "h": "а у ом е ы ов ам ами ах",
}

_PARTICIPLES = (
    # сделанный, потерянный, решенный, открытый; облицованный
    ("анн+n ан+n ат+n", "ать"),
    ("янн+n ян+n ят+n", "ять"),
    ("енн+n ен+n", "ить еть"),
    ("ит+n", "ить"),
    ("ыт+n", "ыть"),
    ("ут+n", "уть"),
    ("ет+n", "еть"),
    ("от+n", "оть"),
    ("цованн+n цован+n", "цевать"),
    # Alternations before -ен-: выпущенный, рожденный, сниженный, приглашенный, оплаченный
    ("щенн+n щен+n", "тить стить"),
    ("жденн+n жден+n", "дить"),
    ("женн+n жен+n", "дить зить чь"),
    ("шенн+n шен+n", "сить"),
    ("ченн+n чен+n", "тить чь"),
    ("ленн+n лен+n", "ить"),
    # принесенный, приведенный, увезенный
    ("сенн+n сен+n денн+n ден+n тенн+n тен+n", "сти"),
    ("зенн+n зен+n", "зти"),
    # сделавший, погибший, перешедший
    ("вш+j", "ть"),
    ("ш+j", "ти нуть"),
    ("шедш+j", "йти"),
    # делающий, рисующий, говорящий; читаемый, используемый, видимый
    ("ющ+j щ+j ем+n", "ть"),
    ("ующ+j уем+n", "овать"),
    ("юющ+j юем+n", "евать"),
    ("ащ+j ящ+j им+n", "ить еть"),
    ("ащ+j", "ать"),
)
_GERUNDS = (("в вши я", "ть"), ("уя", "овать"), ("юя", "евать"))
# начал: the dictionary has начало.
_PAST = (("ал", "ать"),)
_FINITE = (
    ("я", "ить еть ти"),
    ("а", "ить ать"),
    ("л ла ло ли ю ешь ет ем ете ют й йте", "ть"),
    ("ую уешь ует уем уете уют уй уйте", "овать"),
    ("ю ишь ит им ите ят и", "ить"),
)
_NOMINAL = (
    ("+h", "-"),
    ("а у ом е ам ами ах", "о"),
    ("ы и е у ой ою ам ами ах", "а"),
    ("и е ю ей ею ям ями ях", "я"),
    ("я ю ем е и ев ей ям ями ях", "й ь"),
    ("я ю ем и ям ями ях", "е"),
    ("и ью ей ям ями ях", "ь"),
    ("ого ому ым ом ая ой ую ое ые ых ыми", "ый ой"),
    ("ого ому им ом ая ой ую ое ие их ими", "ий ой"),
    ("его ему им ем яя ей юю ее ие их ими", "ий"),
    # Adjectives in expressions, which have the gender of their noun: известняковая плита.
    ("ой ую ою ых ыми ые", "ая"),
    ("ого ому ым ом ых ыми ые", "ое"),
    ("ых ым ыми", "ые"),
    ("ой ую ою их ими ие", "ая"),
    ("ого ому им ом их ими ие", "ое"),
    ("их им ими", "ие"),
)


_VERBAL = (*_PARTICIPLES, *_GERUNDS, *_FINITE)


def _with_particle(infinitive: str) -> str:
    return infinitive + ("сь" if infinitive.endswith("ти") else "ся")


def _reflexive_too(table: Endings) -> Endings:
    """The table and each of its endings with ``-ся`` or ``-сь`` too: ``вшийся`` for ``ться``."""
    reflexive = {
        ending + particle: tuple(map(_with_particle, citations))
        for ending, citations in table.items()
        for particle in _REFLEXIVE
    }
    return {**table, **reflexive}


def _is_verb(lemma: str, lexicon: Lexicon) -> bool:
    return lemma.removesuffix("ся").removesuffix("сь").endswith(_INFINITIVES) and lexicon.is_lemma(lemma)


def _is_participle(form: str, lemma: str, lexicon: Lexicon) -> bool:
    return lemma.removesuffix("ся").endswith(("нный", "тый", "мый", "щий", "ший"))


def _is_gerund(form: str, lemma: str, lexicon: Lexicon) -> bool:
    return form == lemma and form.endswith(("ав", "ив", "ев", "яв", "ув", "ыв", "вши", "вшись"))


def _is_past(form: str, lemma: str, lexicon: Lexicon) -> bool:
    return lemma == form + "о"


_INFLECTION = Inflection(
    unknown={**_reflexive_too(endings(_VERBAL, _PARADIGMS)), **endings((*_VERBAL, *_NOMINAL), _PARADIGMS)},
    homographs=(
        Homographs(_reflexive_too(endings(_PARTICIPLES, _PARADIGMS)), _is_participle, _is_verb),
        Homographs(_reflexive_too(endings(_GERUNDS, _PARADIGMS)), _is_gerund, _is_verb),
        Homographs(endings(_PAST, {}), _is_past, _is_verb),
    ),
    letters=_LETTERS,
)


def _readings(form: str, lemmas: tuple[str, ...], lexicon: Lexicon | None) -> tuple[Reading, ...]:
    spelling, spelled = _spelled(form, lexicon)
    lost = tuple(lemma for lemma in (*spelled, *lemmas) if _lost_particle(form, lemma))
    return (
        *(Reading(_with_particle(lemma), REFLEXIVE.name) for lemma in lost),
        *(Reading(lemma, YO.name) for lemma in spelled if lemma not in lost),
        *readings(_INFLECTION, spelling, lemmas, lexicon),
    )


def _lost_particle(form: str, lemma: str) -> bool:
    """Whether a reflexive form has the lemma of the bare verb: ``вернулась`` is never ``вернуть``."""
    host, particle = form[:-2].lower(), form[-2:].lower()
    return lemma.endswith(_INFINITIVES) and host.endswith(_HOSTS.get(particle, ()))


def _spelled(form: str, lexicon: Lexicon | None) -> tuple[str, tuple[str, ...]]:
    """The form as the dictionary spells it, and its lemma where that is another spelling, in ё or in е."""
    plain = form.replace("ё", "е").replace("Ё", "Е")
    if lexicon is None or len(form) > LONGEST_FORM or entry(form, lexicon) is not None:
        return form, ()
    others = [plain] if plain != form else []
    others += [plain[:i] + "ё" + plain[i + 1 :] for i, letter in enumerate(plain) if letter == "е"]
    for spelling in others:
        if (lemma := entry(spelling, lexicon)) is not None:
            return spelling, (lemma,)
    return plain, ()


RULES_RU = LanguageRules(
    code="ru",
    version=1,
    rules=(REFLEXIVE, YO, INFLECTION, HOMOGRAPH),
    words=WordRules(
        folded=_LETTERS,
        folding_rule=YO.name,
        readings=_readings,
        replacing=frozenset({REFLEXIVE.name, INFLECTION.name}),
    ),
)
