"""The rules of one language, and how they are switched.

A rule file is data plus a few functions; nothing outside it asks which language it serves. Each rule has a name, which
every match found by it carries, and can be switched off (or on, where it is off by default).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from .analyzer_builtin import CliticSplitter
from .errors import UnknownRuleError
from .match_patterns import Pattern
from .match_phrase import Phrase
from .match_view import View
from .rules_words import Rule
from .rules_words import WordRules


@dataclass(frozen=True, slots=True)
class LanguageRules:
    """All that the matcher knows of one language.

    Attributes:
        code: language code.
        version: raised when a change of the rules can change a label.
        rules: the named rules, in the order in which they are tried.
        words: the rules for single words.
        patterns: a candidate and the names of the active rules -> the patterns that find it.
        only_patterns: whether a candidate is found by ``patterns`` alone, not by its words: Spanish ``lavarse`` is the
            words ``lavar`` and ``se``, but "al lavar se rompió" does not contain it.
        objection: why a match at these positions must not count, or ``None``.
        objection_rule: the rule that ``objection`` belongs to; without it nothing is objected to.
        segmented: words are not separated by spaces, so whole candidates are compared with segments.
        nouns_are_capitalized, split_clitics: for the builtin analyzer, see `analyzer_builtin.SimplemmaAnalyzer`.
    """

    code: str
    version: int
    rules: tuple[Rule, ...] = ()
    words: WordRules = WordRules()
    patterns: Callable[[Phrase, frozenset[str]], Iterator[Pattern]] = lambda phrase, active: iter(())
    only_patterns: Callable[[Phrase], bool] = lambda phrase: False
    objection: Callable[[View, tuple[int, ...]], str | None] = lambda view, positions: None
    objection_rule: str = ""
    segmented: bool = False
    nouns_are_capitalized: bool = False
    split_clitics: CliticSplitter | None = None

    def active(self, enable: Iterable[str] = (), disable: Iterable[str] = ()) -> frozenset[str]:
        """Names of the rules that are on.

        Raises:
            UnknownRuleError: a name is not one of this language's rules.
        """
        names = {rule.name for rule in self.rules}
        enabled, disabled = frozenset(enable), frozenset(disable)
        if unknown := sorted((enabled | disabled) - names):
            known = ", ".join(sorted(names)) or "none"
            raise UnknownRuleError(f"language {self.code!r} has no rule {unknown[0]!r}; its rules are: {known}")
        defaults = {rule.name for rule in self.rules if rule.default}
        return frozenset((defaults | enabled) - disabled)

    def label(self, active: frozenset[str]) -> str:
        """``de.1`` with the switches that differ from the default, for the signature: ``de.1(-separable)``."""
        changed = [
            ("-" if rule.default else "+") + rule.name for rule in self.rules if rule.default != (rule.name in active)
        ]
        return f"{self.code}.{self.version}" + (f"({','.join(changed)})" if changed else "")
