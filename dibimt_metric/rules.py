"""What a language's rule file holds, and how rules are switched.

A rule file is data plus a few functions; nothing outside it asks which language it is. Each rule has a name, which
stands in every match it makes, and can be switched off (or on, where it is off by default).
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from dataclasses import dataclass
from dataclasses import field
from typing import TYPE_CHECKING, Any, NamedTuple

from .errors import UnknownRuleError

if TYPE_CHECKING:
    from .analysis import Lexicon
    from .match_patterns import Pattern
    from .match_phrase import Phrase
    from .match_view import View


class Rule(NamedTuple):
    """A named way of finding a candidate beyond equal lemmas.

    Attributes:
        name: stands in matches, in the signature and on the command line.
        summary: one sentence, shown to users.
        default: whether it is on when nothing is said.
        flagged: its matches are known to be unsafe and are marked.
    """

    name: str
    summary: str
    default: bool = True
    flagged: bool = False


class Reading(NamedTuple):
    """One more lemma of a word, and the rule that found it."""

    lemma: str
    rule: str


def no_readings(form: str, lemmas: tuple[str, ...], lexicon: Lexicon | None) -> tuple[Reading, ...]:
    """The default of `LanguageRules.readings`: the analyzer's lemmas are all there is."""
    return ()


def keep_lemma(lemma: str) -> tuple[str, ...]:
    """The default of `LanguageRules.clean_lemma`: lemmas are written like words."""
    return (lemma,)


def no_patterns(phrase: Phrase, active: frozenset[str]) -> Iterator[Pattern]:
    """The default of `LanguageRules.patterns`: the language has no rule for candidates."""
    return iter(())


def not_only_patterns(phrase: Phrase) -> bool:
    """The default of `LanguageRules.only_patterns`: every candidate is searched by its words and lemmas too."""
    return False


def no_objection(view: View, cover: tuple[int, ...]) -> str | None:
    """The default of `LanguageRules.objection`: every match stands."""
    return None


@dataclass(frozen=True, slots=True)
class LanguageRules:
    """All that the matcher knows of one language.

    Attributes:
        code: language code. version: raised when a change of the rules can change a label.
        rules: the named rules, in the order in which they are tried.
        folded: letters that count as others, for `str.translate` after case folding; where a rule is
            named in ``folding_rule``, only while it is on.
        surface_only: words that are compared by form alone, never by lemma (reflexive pronouns:
            lemmatizers turn ``mich`` into ``ich`` and Bulgarian ``си`` into ``съм``).
        clean_lemma: an analyzer's lemma -> the lemmas it stands for (``мина-(се)``, ``af_lopen``).
        readings: form and its cleaned lemmas -> further lemmas, each with the rule that found it.
        replacing: rules whose readings are instead of the analyzer's lemmas, not beside them.
        patterns: a candidate -> the patterns of the active rules that find it.
        only_patterns: whether a candidate is left to ``patterns`` altogether: Spanish ``lavarse`` is the words
            ``lavar`` and ``se``, but "al lavar se rompió" does not show it.
        objection: why a match must not count here, or ``None``. It belongs to the
            rule named ``objection_rule`` and is asked only where that rule is on.
        segmented: words are not separated by spaces, so whole candidates are compared with segments.
    """

    code: str
    version: int
    rules: tuple[Rule, ...] = ()
    folded: dict[int, str] = field(default_factory=dict)
    folding_rule: str = ""
    surface_only: frozenset[str] = frozenset()
    clean_lemma: Callable[[str], tuple[str, ...]] = keep_lemma
    readings: Callable[[str, tuple[str, ...], Any], tuple[Reading, ...]] = no_readings
    replacing: frozenset[str] = frozenset()
    patterns: Callable[[Any, frozenset[str]], Iterator[Any]] = no_patterns
    only_patterns: Callable[[Any], bool] = not_only_patterns
    objection: Callable[[Any, tuple[int, ...]], str | None] = no_objection
    objection_rule: str = ""
    segmented: bool = False

    def letters(self, active: frozenset[str]) -> dict[int, str]:
        """The letters that count as others under these rules."""
        return self.folded if not self.folding_rule or self.folding_rule in active else {}

    def active(self, enable: Iterable[str] = (), disable: Iterable[str] = ()) -> frozenset[str]:
        """Names of the rules that are on.

        Raises:
            UnknownRuleError: a name is not one of this language's rules.
        """
        names = {rule.name for rule in self.rules}
        enabled, disabled = frozenset(enable), frozenset(disable)
        if unknown := sorted((enabled | disabled) - names):
            known = ", ".join(sorted(names)) or "none"
            raise UnknownRuleError(
                f"language {self.code!r} has no rule {unknown[0]!r}; its rules are: {known}"
            )
        defaults = {rule.name for rule in self.rules if rule.default}
        return frozenset((defaults | enabled) - disabled)

    def label(self, active: frozenset[str]) -> str:
        """``de.1`` with the switches that differ from the default, for the signature: ``de.1(-separable)``."""
        changed = [
            ("-" if rule.default else "+") + rule.name
            for rule in self.rules
            if rule.default != (rule.name in active)
        ]
        return f"{self.code}.{self.version}" + (f"({','.join(changed)})" if changed else "")
