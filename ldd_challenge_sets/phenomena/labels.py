"""The labels that mark a lexical phenomenon in treebanks, by language: data, with the counts they are based on.

Labels differ from treebank to treebank: Spanish PUD calls the reflexive ``se`` `compound:prt`, the Chinese `mark:prt`
is not a verb particle. So each language with a phenomenon has its own labels; a language without an entry lacks it or
was not examined. Counts are of tokens in the dev files of UD 2 (``de_gsd`` ...) and in PUD, unless stated otherwise;
``docs/phenomena.md`` lists what the labels miss.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

LABELS_VERSION = 1
"""Increases with every change that can alter a set."""


@dataclass(frozen=True, slots=True)
class Labels:
    """Conditions on a token. All that are given must hold.

    Attributes:
        relations: one of these is its relation; ``obl:*`` means ``obl`` and all its subtypes.
        upos, xpos, lemmas: one of these is its part of speech, treebank tag, lemma.
        feats: all of these are among its features.
        not_relations, not_xpos, not_feats: none of these is.
        head_upos: one of these is the part of speech of its head; a root never matches.
        after_head: whether it must follow its head; a root never matches.
        seen: where the labels were counted, and the counts.
    """

    relations: frozenset[str] = frozenset()
    upos: frozenset[str] = frozenset()
    xpos: frozenset[str] = frozenset()
    lemmas: frozenset[str] = frozenset()
    feats: frozenset[str] = frozenset()
    not_relations: frozenset[str] = frozenset()
    not_xpos: frozenset[str] = frozenset()
    not_feats: frozenset[str] = frozenset()
    head_upos: frozenset[str] = frozenset()
    after_head: bool = False
    seen: str = ""


LabelTable: TypeAlias = dict[str, tuple[Labels, ...]]  # language code to alternatives, one of which a token must match


def _set(names: str) -> frozenset[str]:
    return frozenset(names.split())


# A. Particle verbs ("Wir holen euch am Bahnhof ab"). The paper: DEPREL is `compound:prt` or `prt`.

_PARTICLE = _set("compound:prt prt")

PARTICLES: LabelTable = {
    "de": (
        Labels(relations=_PARTICLE, seen="de_pud 119, de_gsd 77, all compound:prt"),
        # "Das Boot ging damals unter": parsers and treebanks often call the prefix mark or advmod.
        Labels(
            xpos=_set("PTKVZ"),
            head_upos=_set("VERB AUX"),
            seen="de_gsd 84 PTKVZ, 71 of them compound:prt; of the other 13, 11 hang on a verb and are separated "
            "prefixes, 2 on a noun and are not ('von Anfang an'). de_pud has no PTKVZ",
        ),
    ),
    "en": (Labels(relations=_PARTICLE, seen="en_pud 70, en_ewt 74, all compound:prt"),),
    "nl": (
        # Alpino's compound:prt also holds parts of set phrases ("om het leven komen", "de tijd geven", "laten zien",
        # "er uitzien"): prepositions before a noun (VZ|init), articles, nouns, verbs, the pronoun "er".
        Labels(
            relations=_PARTICLE,
            upos=_set("ADP ADV ADJ"),
            not_xpos=_set("VZ|init VNW|aanw|adv-pron|stan|red|3|getal"),
            seen="nl_alpino 136 compound:prt; 100 of these parts of speech without the 18 VZ|init and 2 'er'",
        ),
    ),
    "sv": (
        Labels(
            relations=_PARTICLE,
            upos=_set("ADP ADV ADJ"),
            seen="not counted here; the statistics that UD publishes for sv_talbanken give 855 compound:prt: 537 ADV, "
            "279 ADP, 6 ADJ, and 33 NOUN, which are parts of set phrases ('ha hand om')",
        ),
    ),
}

# B. Reflexive verbs ("weil er sich nie darüber beschwerte"). The paper: a token with Reflex=Yes.
# Possessives with Reflex=Yes (ru свой, cs svůj, sl svoj, bg свой and си) belong to a noun and are excluded.

_REFLEXIVE = _set("Reflex=Yes")
_PRONOUN = _set("PRON")

REFLEXIVES: LabelTable = {
    "de": (Labels(feats=_REFLEXIVE, seen="de_pud 135, de_gsd 92, all PRON"),),
    "en": (Labels(feats=_REFLEXIVE, seen="en_pud 10, en_ewt 18, all PRON"),),
    "nl": (
        Labels(feats=_REFLEXIVE, upos=_PRONOUN, seen="nl_alpino 34: zich, zichzelf"),
        Labels(
            relations=_set("expl:pv"),
            upos=_PRONOUN,
            seen="nl_alpino 2 without Reflex=Yes: 'me', 'ons' of reflexive verbs",
        ),
    ),
    # Only PUD tells uses of `se` apart (compound:prt 183, expl:pass 120); es_gsd has expl:pv for nearly all.
    "es": (Labels(feats=_REFLEXIVE, upos=_PRONOUN, seen="es_pud 314, es_gsd 477, passive se included"),),
    "it": (
        # Reflex=Yes is on sé only. Passive si is included, as in Spanish; the subject-like impersonal si is excluded.
        Labels(
            lemmas=_set("si se"),
            upos=_PRONOUN,
            relations=_set("expl expl:pv expl:pass obj iobj"),
            seen="it_isdt 89 (expl 70, expl:pass 13, obj 4, iobj 2; left out: expl:impers 9), it_pud 176 (expl 175)",
        ),
        # "Mi congratulo": as expl, `mi` and `ti` are reflexive. `ci` and `vi` also mean 'there' and are excluded.
        Labels(lemmas=_set("mi ti"), upos=_PRONOUN, relations=_set("expl expl:pv"), seen="it_isdt 3, it_pud 4"),
        Labels(feats=_REFLEXIVE, upos=_PRONOUN, seen="it_isdt 0, it_pud 3: sé"),
    ),
    # Only the pronoun: the -ся of `вернуться` is part of the verb and at no distance.
    "ru": (
        Labels(feats=_REFLEXIVE, upos=_PRONOUN, seen="ru_gsd 13, ru_pud 0"),
        Labels(lemmas=_set("себя"), upos=_PRONOUN, seen="ru_gsd 13 (the same), ru_pud 28"),
    ),
    "sl": (
        # `se pravi` ('that is to say') is cc or discourse.
        Labels(
            feats=_REFLEXIVE,
            upos=_PRONOUN,
            not_feats=_set("Poss=Yes"),
            not_relations=_set("cc discourse"),
            seen="sl_ssj 452 Reflex=Yes; left out: svoj and 5 of 'se pravi'",
        ),
    ),
    "bg": (
        Labels(
            feats=_REFLEXIVE,
            upos=_PRONOUN,
            not_feats=_set("Poss=Yes"),
            seen="bg_btb 458 Reflex=Yes; left out: 77 possessive си, 14 свой; kept: се 330, си 33, себе 4",
        ),
    ),
    "sv": (
        Labels(
            lemmas=_set("sig"),
            upos=_PRONOUN,
            seen="not counted here; sv_talbanken has no feature Reflex and gives `sig` the lemma sig (UD's statistics)",
        ),
        Labels(feats=_REFLEXIVE, upos=_PRONOUN, not_feats=_set("Poss=Yes"), seen="for treebanks that have the feature"),
    ),
    "cs": (
        Labels(
            feats=_REFLEXIVE,
            upos=_PRONOUN,
            not_feats=_set("Poss=Yes"),
            seen="not counted here; the statistics that UD publishes for cs_pdt give 25,786 PRON with Reflex=Yes (se, "
            "si, sebe ...; expl:pv 17,180, passive expl:pass 4,906, which is included) and 4,883 DET (svůj)",
        ),
    ),
}

# C. Stranded prepositions ("the chair she sat on"). The paper: DEPREL is obl or a subtype, UPOS is ADP, English sources
# only. In nl_alpino all 8 such tokens are set phrases ("voor het eerst").

STRANDED: LabelTable = {"en": (Labels(relations=_set("obl:*"), upos=_set("ADP"), seen="en_pud 4, en_ewt 28"),)}

# With a relative or interrogative word, UD hangs the preposition on that: "What are you looking for", case(What, for).
_AFTER = Labels(relations=_set("case:*"), upos=_set("ADP"), after_head=True, seen="en_pud 5, en_ewt 7")

STRANDED_EXTENDED: LabelTable = {
    "en": (*STRANDED["en"], _AFTER),
    "nl": (
        # "Daar wacht hij nog op." Circumpositions ("om hem heen") and "op één na" have other heads.
        Labels(
            relations=_set("case:*"),
            upos=_set("ADP"),
            head_upos=_set("ADV"),
            after_head=True,
            seen="nl_alpino 15 of 19 case after its head: er, daar, waar",
        ),
    ),
    "sv": (
        Labels(
            relations=_set("case:*"),
            upos=_set("ADP"),
            head_upos=_set("PRON ADV"),
            after_head=True,
            seen="not counted here; in UD's statistics 147 of the 9,700 case of sv_talbanken follow their head",
        ),
    ),
}
