"""One case of a language phenomenon, and how it is judged.

A file ``test_rules_*`` holds a language's table ``CASES`` and what else is to be tested of its rules;
``test_phenomena`` runs all tables.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from dibimt_metric.items import candidate
from dibimt_metric.judge import Judge
from dibimt_metric.records import Candidate, Item, Judgment


@dataclass(frozen=True, slots=True)
class Case:
    """What one translation must be labeled.

    Attributes:
        language: code.
        good, bad: the candidates, as in an annotation sheet; several are separated by `` / ``.
        text: the translation.
        label: the expected label.
        rule: name of the rule without which the label would be another (``None``: no rule is needed).
        enable, disable: rules to switch.
    """

    language: str
    good: str
    bad: str
    text: str
    label: str
    rule: str | None = None
    enable: tuple[str, ...] = ()
    disable: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.good or '-'}|{self.bad or '-'}|{self.text}"

    def item(self) -> Item:
        """The item with these candidates."""
        return Item("case", good=_candidates(self.good), bad=_candidates(self.bad), language=self.language)


@cache
def judge(language: str, enable: tuple[str, ...] = (), disable: tuple[str, ...] = ()) -> Judge:
    """The judge of a language with its builtin analyzer; made once in a test run."""
    return Judge(language, enable=enable, disable=disable)


def judged(case: Case, judge_: Judge | None = None) -> Judgment:
    """The judgment of a case, by a judge of one's own where one is given."""
    return (judge_ or judge(case.language, case.enable, case.disable)).judge(case.item(), case.text)


def check(case: Case, judge_: Judge | None = None) -> None:
    """The label is the expected one, found by the rule that the case names; spans reproduce the text."""
    judgment = judged(case, judge_)
    assert judgment.label.value == case.label, _shown(judgment)
    rules = judge(case.language).rules
    # A rule that objects to matches stands in no match.
    if case.rule is not None and case.rule != rules.objection_rule:
        assert case.rule in {match.rule for match in judgment.matches}, _shown(judgment)
    for match in judgment.matches:
        assert case.text[match.start : match.end] == match.text
        assert match.text[:1].strip() and match.text[-1:].strip()


def check_rule_needed(case: Case) -> None:
    """With its rule switched off, the case gets another label."""
    assert case.rule is not None
    enable = tuple(name for name in case.enable if name != case.rule)
    without = judge(case.language, enable, (*case.disable, case.rule))
    judgment = judged(case, without)
    assert judgment.label.value != case.label, _shown(judgment)


def with_rule(cases: Iterable[Case]) -> list[Case]:
    """The cases that name a rule."""
    return [case for case in cases if case.rule is not None]


def _candidates(line: str) -> tuple[Candidate, ...]:
    return tuple(candidate(part) for part in line.split(" / ") if part.strip())


def _shown(judgment: Judgment) -> str:
    kept = [f"{m.set.value} {m.candidate!r} by {m.rule} in {m.text!r}" for m in judgment.matches]
    dropped = [f"{d.match.candidate!r} by {d.match.rule}: {d.reason}" for d in judgment.dropped]
    return f"{judgment.label.value}; kept: {kept}; dropped: {dropped}"
