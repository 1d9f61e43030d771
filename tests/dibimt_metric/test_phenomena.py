"""The tables of all languages: each case, each rule switched off, and enough of both kinds."""

from __future__ import annotations

import pytest

from dibimt_metric.languages import LANGUAGES, language_rules
from tests.dibimt_metric.phenomena import Case, check, check_rule_needed, with_rule
from tests.dibimt_metric.test_rules_bg import CASES as BULGARIAN
from tests.dibimt_metric.test_rules_de import CASES as GERMAN
from tests.dibimt_metric.test_rules_es import CASES as SPANISH
from tests.dibimt_metric.test_rules_it import CASES as ITALIAN
from tests.dibimt_metric.test_rules_nl import CASES as DUTCH
from tests.dibimt_metric.test_rules_ru import CASES as RUSSIAN
from tests.dibimt_metric.test_rules_sl import CASES as SLOVENE
from tests.dibimt_metric.test_rules_zh import CASES as CHINESE

TABLES = (BULGARIAN, CHINESE, DUTCH, GERMAN, ITALIAN, RUSSIAN, SLOVENE, SPANISH)
CASES = [case for table in TABLES for case in table]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.language}|{case}")
def test_case(case: Case) -> None:
    check(case)


@pytest.mark.parametrize("case", with_rule(CASES), ids=lambda case: f"{case.language}|{case}")
def test_rule_switched_off(case: Case) -> None:
    check_rule_needed(case)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_has_a_case_that_needs_it(language: str) -> None:
    needed = {case.rule for case in with_rule(CASES) if case.language == language}
    assert needed == {rule.name for rule in language_rules(language).rules}


@pytest.mark.parametrize("language", LANGUAGES)
def test_enough_cases_fire_and_enough_must_not(language: str) -> None:
    mine = [case for case in CASES if case.language == language]
    assert len([case for case in mine if case.label != "MISS"]) >= 12
    assert len([case for case in mine if case.label == "MISS"]) >= 8
