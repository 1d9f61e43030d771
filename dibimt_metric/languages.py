"""The eight target languages: their rules and default analyzers.

This table is the one place that ties a language code to its files.
"""

from __future__ import annotations

from importlib import import_module

from .errors import UnknownLanguageError
from .rules import LanguageRules

LANGUAGES: tuple[str, ...] = ("bg", "zh", "nl", "de", "it", "ru", "sl", "es")

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
    if isinstance(language, str) and language in LANGUAGES:
        # Imported when it is asked for: the tables of all eight take longer to make than one text to judge.
        rules: LanguageRules = getattr(import_module(f".rules_{language}", __package__), f"RULES_{language.upper()}")
        return rules
    raise UnknownLanguageError(f"unknown language {language!r:.40}: expected one of {', '.join(LANGUAGES)}")


def default_analyzers(language: str) -> tuple[str, ...]:
    """Names of the builtin analyzers of a language; all of them run, and their matches are united.

    >>> default_analyzers("zh")
    ('jieba', 'jieba-dictionary')
    """
    return ("jieba", "jieba-dictionary") if language_rules(language).segmented else ("simplemma",)
