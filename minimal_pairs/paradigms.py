"""The 67 paradigms of BLiMP and their 12 phenomena (Warstadt et al., 2020, Table 1 and the released files)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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


# A line is a name, a field and the prefix method that fits, if any. Phenomena are in the order of the paper's table of
# results, paradigms in that of their names.
_TABLE = {
    "anaphor_agreement": """
        anaphor_gender_agreement morphology one-prefix
        anaphor_number_agreement morphology one-prefix
    """,
    "argument_structure": """
        animate_subject_passive syntax one-prefix
        animate_subject_trans syntax two-prefix
        causative syntax
        drop_argument syntax
        inchoative syntax
        intransitive syntax
        passive_1 syntax
        passive_2 syntax
        transitive syntax two-prefix
    """,
    "binding": """
        principle_A_c_command syntax_semantics one-prefix
        principle_A_case_1 syntax_semantics one-prefix
        principle_A_case_2 syntax_semantics one-prefix
        principle_A_domain_1 syntax_semantics one-prefix
        principle_A_domain_2 syntax_semantics one-prefix
        principle_A_domain_3 syntax_semantics two-prefix
        principle_A_reconstruction syntax_semantics
    """,
    "control_raising": """
        existential_there_object_raising syntax_semantics two-prefix
        existential_there_subject_raising syntax_semantics
        expletive_it_object_raising syntax_semantics two-prefix
        tough_vs_raising_1 syntax_semantics
        tough_vs_raising_2 syntax_semantics
    """,
    "determiner_noun_agreement": """
        determiner_noun_agreement_1 morphology one-prefix
        determiner_noun_agreement_2 morphology two-prefix
        determiner_noun_agreement_irregular_1 morphology one-prefix
        determiner_noun_agreement_irregular_2 morphology two-prefix
        determiner_noun_agreement_with_adj_2 morphology two-prefix
        determiner_noun_agreement_with_adj_irregular_1 morphology one-prefix
        determiner_noun_agreement_with_adj_irregular_2 morphology two-prefix
        determiner_noun_agreement_with_adjective_1 morphology one-prefix
    """,
    "ellipsis": """
        ellipsis_n_bar_1 syntax
        ellipsis_n_bar_2 syntax
    """,
    "filler_gap_dependency": """
        wh_questions_object_gap syntax
        wh_questions_subject_gap syntax
        wh_questions_subject_gap_long_distance syntax
        wh_vs_that_no_gap syntax
        wh_vs_that_no_gap_long_distance syntax
        wh_vs_that_with_gap syntax
        wh_vs_that_with_gap_long_distance syntax
    """,
    "irregular_forms": """
        irregular_past_participle_adjectives morphology two-prefix
        irregular_past_participle_verbs morphology one-prefix
    """,
    "island_effects": """
        adjunct_island syntax
        complex_NP_island syntax
        coordinate_structure_constraint_complex_left_branch syntax two-prefix
        coordinate_structure_constraint_object_extraction syntax
        left_branch_island_echo_question syntax two-prefix
        left_branch_island_simple_question syntax
        sentential_subject_island syntax
        wh_island syntax one-prefix
    """,
    "npi_licensing": """
        matrix_question_npi_licensor_present semantics two-prefix
        npi_present_1 semantics one-prefix
        npi_present_2 semantics one-prefix
        only_npi_licensor_present semantics two-prefix
        only_npi_scope syntax_semantics two-prefix
        sentential_negation_npi_licensor_present semantics two-prefix
        sentential_negation_npi_scope syntax_semantics two-prefix
    """,
    "quantifiers": """
        existential_there_quantifiers_1 semantics
        existential_there_quantifiers_2 semantics
        superlative_quantifiers_1 semantics
        superlative_quantifiers_2 semantics two-prefix
    """,
    "subject_verb_agreement": """
        distractor_agreement_relational_noun morphology one-prefix
        distractor_agreement_relative_clause morphology one-prefix
        irregular_plural_subject_verb_agreement_1 morphology one-prefix
        irregular_plural_subject_verb_agreement_2 morphology two-prefix
        regular_plural_subject_verb_agreement_1 morphology one-prefix
        regular_plural_subject_verb_agreement_2 morphology two-prefix
    """,
}

S_SELECTION = "s-selection"
"""The thirteenth ``linguistics_term`` of the release."""
_S_SELECTION = frozenset({"animate_subject_passive", "animate_subject_trans"})


def _paradigm(phenomenon: str, line: str) -> Paradigm:
    name, field, *prefix = line.split()
    term = S_SELECTION if name in _S_SELECTION else phenomenon
    return Paradigm(name, phenomenon, field, term, (Method.FULL, *map(Method, prefix)))


PHENOMENA: tuple[str, ...] = tuple(_TABLE)
"""The 12 phenomena, in the order of the paper's table of results."""

PARADIGMS: tuple[Paradigm, ...] = tuple(
    _paradigm(phenomenon, line) for phenomenon, lines in _TABLE.items() for line in lines.strip().splitlines()
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
