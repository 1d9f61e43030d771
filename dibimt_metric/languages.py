"""The eight target languages: their rules and default analyzers.

This table is the one place that ties a language code to its files.
"""

from __future__ import annotations

from .errors import UnknownLanguageError
from .rules import LanguageRules
from .rules_bg import RULES_BG
from .rules_de import RULES_DE
from .rules_es import RULES_ES
from .rules_it import RULES_IT
from .rules_nl import RULES_NL
from .rules_ru import RULES_RU
from .rules_sl import RULES_SL
from .rules_zh import RULES_ZH

_RULES = {
    rules.code: rules
    for rules in (RULES_BG, RULES_ZH, RULES_NL, RULES_DE, RULES_IT, RULES_RU, RULES_SL, RULES_ES)
}

LANGUAGES: tuple[str, ...] = tuple(_RULES)

LANGUAGE_NAMES: dict[str, str] = {
    "bg": "Bulgarian",
    "zh": "Chinese",
    "nl": "Dutch",
    "de": "German",
    "it": "Italian",
    "ru": "Russian",
    "sl": "Slovene",
    "es": "Spanish",
}


def language_rules(language: object) -> LanguageRules:
    """Rules of a language.

    Raises:
        UnknownLanguageError: not one of the eight codes.

    >>> language_rules("de").code
    'de'
    """
    if isinstance(language, str) and language in _RULES:
        return _RULES[language]
    raise UnknownLanguageError(f"unknown language {language!r:.40}: expected one of {', '.join(LANGUAGES)}")


def default_analyzers(language: str) -> tuple[str, ...]:
    """Names of the builtin analyzers of a language; all of them run, and their matches are united.

    >>> default_analyzers("zh")
    ('jieba', 'jieba-dictionary')
    """
    return ("jieba", "jieba-dictionary") if language_rules(language).segmented else ("simplemma",)
