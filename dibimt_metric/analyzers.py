"""Analyzers by name: the builtin ones, Stanza and CLASSLA packages, and custom ones.

Names: ``simplemma``, ``jieba``, ``jieba-dictionary``, ``stanza`` (the language's default package), ``stanza:gsd``,
``classla``. A custom analyzer is passed as an object (see `Analyzer`) or registered with `register`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from .analysis import Analyzer
from .analyzer_builtin import JiebaAnalyzer
from .analyzer_builtin import SimplemmaAnalyzer
from .analyzer_stanza import ClasslaAnalyzer
from .analyzer_stanza import StanzaAnalyzer
from .errors import InputError
from .errors import UnknownAnalyzerError
from .errors import shown
from .languages import LANGUAGES
from .languages import default_analyzers
from .languages import language_rules


class _Maker(NamedTuple):
    make: Callable[[str, str | None], Analyzer]
    languages: frozenset[str]


_ANALYZER = ("name", "version", "annotations", "lexicon", "analyze")
_ALL = frozenset(LANGUAGES)


def _simplemma(language: str, package: str | None) -> Analyzer:
    rules = language_rules(language)
    return SimplemmaAnalyzer(language, rules.nouns_are_capitalized, rules.split_clitics)


_MAKERS: dict[str, _Maker] = {
    "simplemma": _Maker(_simplemma, _ALL - {"zh"}),
    "jieba": _Maker(lambda language, package: JiebaAnalyzer(), frozenset({"zh"})),
    "jieba-dictionary": _Maker(lambda language, package: JiebaAnalyzer(False), frozenset({"zh"})),
    "stanza": _Maker(StanzaAnalyzer, _ALL),
    "classla": _Maker(ClasslaAnalyzer, frozenset({"sl", "bg"})),
}
_WITHOUT_PACKAGES = frozenset({"simplemma", "jieba", "jieba-dictionary"})
_LOADED: dict[tuple[str, str], Analyzer] = {}


def register(name: str, make: Callable[[str, str | None], Analyzer], languages: frozenset[str] = _ALL) -> None:
    """Make a custom analyzer available by name.

    Args:
        name: without a colon; in use, the part after a colon is passed to ``make`` as the package.
        make: called with the language and the package (or ``None``).
        languages: codes of the languages that it reads.

    Raises:
        InputError: the name is taken or contains a colon.
    """
    if ":" in name or name in _MAKERS:
        raise InputError(f"analyzer name {name!r} is taken or contains a colon; choose another")
    _MAKERS[name] = _Maker(make, languages)


def load_analyzer(name: str, language: str) -> Analyzer:
    """The analyzer of that name for the language; loaded once in a process.

    Raises:
        UnknownAnalyzerError: the name is unknown, or the analyzer does not read this language.
        MissingLibraryError: its library or model is not installed.
    """
    base, _, package = name.partition(":")
    maker = _MAKERS.get(base)
    if maker is None:
        raise UnknownAnalyzerError(f"unknown analyzer {name!r}: expected one of {', '.join(_MAKERS)}")
    if language not in maker.languages:
        raise UnknownAnalyzerError(
            f"analyzer {name!r} does not read {language!r}; its languages are {', '.join(sorted(maker.languages))}"
        )
    if package and base in _WITHOUT_PACKAGES:
        raise UnknownAnalyzerError(f"analyzer {base!r} has no packages; omit {package!r}")
    if (name, language) not in _LOADED:
        _LOADED[name, language] = maker.make(language, package or None)
    return _LOADED[name, language]


def load_analyzers(names: tuple[str | Analyzer, ...] | None, language: str) -> tuple[Analyzer, ...]:
    """The analyzers to run: those named or given, else the builtin ones of the language.

    Raises:
        UnknownAnalyzerError: see `load_analyzer`; also if one is named twice, or an object is not an `Analyzer`.
    """
    chosen = names or default_analyzers(language)
    for given in chosen:
        if not isinstance(given, str) and not all(hasattr(given, name) for name in _ANALYZER):
            raise UnknownAnalyzerError(f"{shown(given)} is not an analyzer: it needs all of {', '.join(_ANALYZER)}")
    analyzers = tuple(load_analyzer(a, language) if isinstance(a, str) else a for a in chosen)
    if len({analyzer.name for analyzer in analyzers}) != len(analyzers):
        raise UnknownAnalyzerError(f"an analyzer is named twice: {', '.join(a.name for a in analyzers)}")
    return analyzers
