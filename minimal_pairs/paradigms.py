"""The 67 paradigms of BLiMP and their 12 phenomena (Warstadt et al., 2020, Table 1 and the released files)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from .records import Method


@dataclass(frozen=True, slots=True)
class Paradigm:
    """One of the 67 data sets of BLiMP.

    Attributes:
        name: the ``UID`` of its pairs and the name of its file, such as ``adjunct_island``.
        phenomenon: one of `PHENOMENA`.
        field: ``syntax``, ``morphology``, ``semantics`` or ``syntax_semantics``.
        linguistics_term: as in the release: the phenomenon, except for ``s-selection`` in two paradigms that the paper
            counts as argument structure.
        methods: which ways of scoring fit (paper, Section 4); all fit `Method.FULL`, none fits both prefix methods.
    """

    name: str
    phenomenon: str
    field: str
    linguistics_term: str
    methods: tuple[Method, ...]


# Phenomenon, field, the prefix method that fits, if any: paradigms. Phenomena are in the order of the paper's table of
# results.
_TABLE = """
anaphor_agreement morphology one-prefix: anaphor_gender_agreement anaphor_number_agreement
argument_structure syntax one-prefix: animate_subject_passive
argument_structure syntax two-prefix: animate_subject_trans transitive
argument_structure syntax: causative drop_argument inchoative intransitive passive_1 passive_2
binding syntax_semantics one-prefix: principle_A_c_command principle_A_case_1 principle_A_case_2 principle_A_domain_1
    principle_A_domain_2
binding syntax_semantics two-prefix: principle_A_domain_3
binding syntax_semantics: principle_A_reconstruction
control_raising syntax_semantics two-prefix: existential_there_object_raising expletive_it_object_raising
control_raising syntax_semantics: existential_there_subject_raising tough_vs_raising_1 tough_vs_raising_2
determiner_noun_agreement morphology one-prefix: determiner_noun_agreement_1 determiner_noun_agreement_irregular_1
    determiner_noun_agreement_with_adj_irregular_1 determiner_noun_agreement_with_adjective_1
determiner_noun_agreement morphology two-prefix: determiner_noun_agreement_2 determiner_noun_agreement_irregular_2
    determiner_noun_agreement_with_adj_2 determiner_noun_agreement_with_adj_irregular_2
ellipsis syntax: ellipsis_n_bar_1 ellipsis_n_bar_2
filler_gap_dependency syntax: wh_questions_object_gap wh_questions_subject_gap wh_questions_subject_gap_long_distance
    wh_vs_that_no_gap wh_vs_that_no_gap_long_distance wh_vs_that_with_gap wh_vs_that_with_gap_long_distance
irregular_forms morphology two-prefix: irregular_past_participle_adjectives
irregular_forms morphology one-prefix: irregular_past_participle_verbs
island_effects syntax: adjunct_island complex_NP_island coordinate_structure_constraint_object_extraction
    left_branch_island_simple_question sentential_subject_island
island_effects syntax two-prefix: coordinate_structure_constraint_complex_left_branch left_branch_island_echo_question
island_effects syntax one-prefix: wh_island
npi_licensing semantics two-prefix: matrix_question_npi_licensor_present only_npi_licensor_present
    sentential_negation_npi_licensor_present
npi_licensing semantics one-prefix: npi_present_1 npi_present_2
npi_licensing syntax_semantics two-prefix: only_npi_scope sentential_negation_npi_scope
quantifiers semantics: existential_there_quantifiers_1 existential_there_quantifiers_2 superlative_quantifiers_1
quantifiers semantics two-prefix: superlative_quantifiers_2
subject_verb_agreement morphology one-prefix: distractor_agreement_relational_noun
    distractor_agreement_relative_clause irregular_plural_subject_verb_agreement_1
    regular_plural_subject_verb_agreement_1
subject_verb_agreement morphology two-prefix: irregular_plural_subject_verb_agreement_2
    regular_plural_subject_verb_agreement_2
"""

S_SELECTION = "s-selection"
"""The thirteenth ``linguistics_term`` of the release."""
_S_SELECTION = frozenset({"animate_subject_passive", "animate_subject_trans"})


def _paradigms() -> Iterator[Paradigm]:
    for line in _TABLE.replace("\n    ", " ").strip().splitlines():
        group, _, names = line.partition(":")
        phenomenon, field, *prefix = group.split()
        for name in names.split():
            term = S_SELECTION if name in _S_SELECTION else phenomenon
            yield Paradigm(name, phenomenon, field, term, (Method.FULL, *map(Method, prefix)))


PHENOMENA: tuple[str, ...] = tuple(dict.fromkeys(paradigm.phenomenon for paradigm in _paradigms()))
"""The 12 phenomena, in the order of the paper's table of results."""

PARADIGMS: tuple[Paradigm, ...] = tuple(
    sorted(_paradigms(), key=lambda paradigm: (PHENOMENA.index(paradigm.phenomenon), paradigm.name))
)
"""The 67 paradigms, by phenomenon, then by name."""


def in_paper_order(names: Iterable[str], order: Sequence[str]) -> list[str]:
    """Names of paradigms or phenomena in the order of the paper, all others after them by name.

    Args:
        names: to be sorted.
        order: that of the paper.

    >>> in_paper_order(["mine", "ellipsis", "binding"], PHENOMENA)
    ['binding', 'ellipsis', 'mine']
    """
    places = {name: place for place, name in enumerate(order)}
    return sorted(names, key=lambda name: (places.get(name, len(places)), name))


_BY_NAME = {paradigm.name: paradigm for paradigm in PARADIGMS}


def paradigm_named(name: str) -> Paradigm | None:
    """The paradigm of BLiMP with this name; ``None``: there is none.

    >>> paradigm_named("wh_island").methods[1].value
    'one-prefix'
    """
    return _BY_NAME.get(name)


def phenomenon_of(paradigm: str) -> str | None:
    """The phenomenon that a paradigm of BLiMP belongs to; ``None``: no paradigm of BLiMP has this name.

    >>> phenomenon_of("animate_subject_trans")
    'argument_structure'
    """
    found = _BY_NAME.get(paradigm)
    return found.phenomenon if found else None


def phenomenon_of_term(linguistics_term: str | None) -> str | None:
    """The phenomenon of a ``linguistics_term``: the term itself, except for ``s-selection``.

    It is for pairs of paradigms outside BLiMP, such as those of the BabyLM supplement.

    >>> phenomenon_of_term("s-selection")
    'argument_structure'
    """
    return "argument_structure" if linguistics_term == S_SELECTION else linguistics_term
