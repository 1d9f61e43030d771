"""The state of one loaded metric: language, data set, options, judges, the ids given since the last computation.

``evaluate`` hands in columns and takes out flat records; everything in between is here, without ``evaluate``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from .analysis import Analyzer
from .errors import InputError
from .errors import UnknownRuleError
from .items_data_set import open_data_set
from .items_reading import fingerprint
from .items_references import Pair
from .items_references import decode
from .items_references import encode
from .items_references import pairs
from .judge import Judge
from .judge import NBest
from .judge_explain import explain_text
from .languages import LANGUAGES
from .languages import language_rules
from .records import Judgment
from .score_bootstrap import N_RESAMPLES
from .score_bootstrap import SEED
from .score_bootstrap import bootstrap
from .score_measures import Ties
from .score_measures import Weighting
from .score_measures import parse_option
from .score_results import Record
from .score_results import Result
from .score_results import flat_record
from .score_results import score_pairs
from .score_results import with_intervals

SEVERAL = "all"
"""Load-time name for several languages; the same as ``None``."""

Names = str | Iterable[str]
Analyzers = Sequence[str | Analyzer] | str | Mapping[str, Sequence[str | Analyzer] | str] | None


@dataclass(frozen=True, slots=True)
class SessionReport:
    """Everything that a computation made.

    Attributes:
        results: of each language, in the order of `LANGUAGES`.
        judgments: of each pair, in the order in which they were given.
        record: the flat record that the caller gets.
    """

    results: dict[str, Result]
    judgments: tuple[Judgment, ...]
    record: Record


class Session:
    """The metric behind ``evaluate``.

    Args:
        language: code of the target language; ``None`` or ``"all"``: each reference names its own.
        items: data set whose ids references may give, see `items_references.DataSet`.
        dataset, dataset_revision: such a data set by its name, see `items_data_set.open_data_set`.
        analyzers: names or objects, see `Judge`; for several languages also a mapping from language to these.
        enable_rules, disable_rules: names of rules; with several languages each takes those that it has.
        nbest, weighting, ties: see `Judge` and `score.score`.

    Raises:
        InputError: an option cannot be used, or the data set cannot.
        UnknownLanguageError, UnknownAnalyzerError, UnknownRuleError: a name is not known.

    >>> session = Session("de")
    >>> session.add(["Wir saßen am Ufer."], [{"good": ["Ufer"], "bad": ["Bank"]}])
    >>> session.report(session.waiting).record["accuracy"]
    100.0
    """

    def __init__(
        self,
        language: str | None = None,
        items: object = None,
        analyzers: Analyzers = None,
        enable_rules: Names = (),
        disable_rules: Names = (),
        nbest: NBest | str = NBest.ORACLE,
        weighting: Weighting | str = Weighting.MACRO,
        ties: Ties | str = Ties.MOST_FREQUENT,
        dataset: str | Path | None = None,
        dataset_revision: str | None = None,
    ) -> None:
        self.language = None if language in (None, SEVERAL) else language_rules(language).code
        self.analyzers = _by_language(analyzers)
        self.enabled, self.disabled = _names(enable_rules), _names(disable_rules)
        self.nbest: NBest = parse_option(NBest, nbest, "nbest")
        self.weighting: Weighting = parse_option(Weighting, weighting, "weighting")
        self.ties: Ties = parse_option(Ties, ties, "ties")
        _check_rules(self.enabled | self.disabled, (self.language,) if self.language else LANGUAGES)
        self.data_set = open_data_set(items, dataset, dataset_revision, self.language)
        self._judges: dict[str, Judge] = {}
        self._places: dict[tuple[str, str], int] = {}
        self.waiting: list[tuple[str, str]] = []
        self.count = 0
        if self.language is not None:
            self.judge(self.language)

    def __getstate__(self) -> dict[str, Any]:
        """Omits the judges: their dictionaries are large, and loaded again when they are needed."""
        return {**self.__dict__, "_judges": {}}

    def judge(self, language: str) -> Judge:
        """The judge of a language, made when it is first needed."""
        if language not in self._judges:
            known = {rule.name for rule in language_rules(language).rules}
            enabled, disabled = self.enabled & known, self.disabled & known
            analyzers = self.analyzers.get(language)
            self._judges[language] = Judge(language, analyzers, enabled, disabled, self.nbest, self.ties)
        return self._judges[language]

    def add(self, predictions: object, references: object) -> None:
        """Check predictions and references, and keep them encoded in ``waiting``.

        Raises:
            InputError: see `items_references.pairs`; also an id that was given since the last computation. Then
                nothing is added.
        """
        made = pairs(predictions, references, self.language, self.data_set, self.nbest)
        ids = tuple(_ids(made, self.count))
        _check_unique(ids, self._places)
        self.waiting += [encode(pair, self.data_set) for pair in made]
        self._places.update(ids)
        self.count += len(made)

    def check(
        self,
        weighting: Weighting | str | None = None,
        level: float | None = None,
        n_resamples: int = N_RESAMPLES,
        seed: int = SEED,
    ) -> None:
        """Reject invalid options of a computation before any data are read.

        Raises:
            InputError: an option cannot be used.
        """
        if level is not None:
            bootstrap((), level=level, n_resamples=n_resamples, seed=seed)
        if weighting is not None:
            parse_option(Weighting, weighting, "weighting")

    def forget(self) -> None:
        """Drop everything that was added, after a computation."""
        self.waiting.clear()
        self._places.clear()
        self.count = 0

    def report(
        self,
        lines: Iterable[tuple[str, str]],
        weighting: Weighting | str | None = None,
        level: float | None = None,
        n_resamples: int = N_RESAMPLES,
        seed: int = SEED,
    ) -> SessionReport:
        """Label and score everything that was added, by all processes.

        Args:
            lines: the encoded pairs.
            weighting: of SFI and PDI; ``None``: the one of load time.
            level: of intervals by bootstrap; ``None``: no intervals.
            n_resamples: resamples to draw.
            seed: of the generator.

        Raises:
            InputError: there is nothing to score, or processes were given the same item.
        """
        every = tuple(decode(*line, place, self.data_set) for place, line in enumerate(lines))
        if not every:
            raise InputError("there is nothing to score; give at least one prediction with its reference")
        _check_unique(_ids(every, 0), {})
        by_language = {code: [pair for pair in every if pair.language == code] for code in LANGUAGES}
        results = {code: self._result(code, some, weighting) for code, some in by_language.items() if some}
        if level is not None:
            results = {code: with_intervals(each, level, n_resamples, seed) for code, each in results.items()}
        judged = {code: iter(result.judgments) for code, result in results.items()}
        judgments = tuple(next(judged[pair.language]) for pair in every)
        return SessionReport(results, judgments, flat_record(results, several=self.language is None))

    def explain(self, prediction: object, reference: object) -> str:
        """Everything that leads to the label of one prediction, as text.

        Of an n-best list, the hypothesis that decides is explained.

        Raises:
            InputError: see `items_references.pairs`.
        """
        (pair,) = pairs([prediction], [reference], self.language, self.data_set, self.nbest)
        judge = self.judge(pair.language)
        judgment = judge.judge(pair.item, pair.prediction)
        explanation = judge.explain(pair.item, pair.prediction[judgment.hypothesis].text)
        return explain_text(replace(explanation, judgment=judgment), len(pair.prediction))

    def _result(self, language: str, some: Sequence[Pair], weighting: Weighting | str | None) -> Result:
        data = fingerprint(pair.item for pair in some)
        pairs_of = ((pair.item, pair.prediction) for pair in some)
        result = score_pairs(self.judge(language), pairs_of, weighting or self.weighting, data)
        # The data set is in the signature only where a reference was looked up in it.
        origins = (self.data_set.origin(pair.language) for pair in some if pair.looked_up)
        origin = next(origins, None)
        if origin is None:
            return result
        return replace(result, signature=result.signature.extended({"dataset": origin}))


def reject_unknown(given: Iterable[str], known: Sequence[str], where: str) -> None:
    """Reject option names that are not known.

    Raises:
        InputError: naming the first one, the nearest known name and all known names.

    >>> reject_unknown(["sed"], ["seed"], "compute")
    Traceback (most recent call last):
    ...
    dibimt_metric.errors.InputError: compute has no option 'sed' (did you mean 'seed'?); it takes seed
    """
    for name in given:
        if name not in known:
            near = get_close_matches(name, known, 1)
            hint = f" (did you mean {near[0]!r}?)" if near else ""
            raise InputError(f"{where} has no option {name!r:.40}{hint}; it takes {', '.join(known)}")


def check_file_part(value: object, name: str) -> None:
    """Reject a name with which ``evaluate`` would write outside its folder.

    Raises:
        InputError: it is not a string, or holds a path separator.
    """
    if value is not None and (not isinstance(value, str) or any(mark in value for mark in "/\\\0")):
        raise InputError(f"{name} becomes part of a file name; it cannot be {value!r:.60}")


def _names(names: Names) -> frozenset[str]:
    return frozenset([names] if isinstance(names, str) else names)


def _by_language(analyzers: Analyzers) -> dict[str, Sequence[str | Analyzer]]:
    """The chosen analyzers of each language; those that are absent have the default ones."""
    if analyzers is None:
        return {}
    if not isinstance(analyzers, Mapping):
        analyzers = dict.fromkeys(LANGUAGES, analyzers)
    return {
        language_rules(code).code: [chosen] if isinstance(chosen, str) else list(chosen)
        for code, chosen in analyzers.items()
    }


def _check_rules(names: frozenset[str], languages: Sequence[str]) -> None:
    """Each name has to be a rule of at least one of the languages."""
    known = {rule.name for code in languages for rule in language_rules(code).rules}
    if unknown := sorted(map(str, names - known)):
        rules = ", ".join(sorted(known)) or "none"
        raise UnknownRuleError(f"no rule of {', '.join(languages)} is named {unknown[0]!r:.40}; the rules are: {rules}")


def _ids(some: Iterable[Pair], first: int) -> Iterator[tuple[tuple[str, str], int]]:
    """Language and id of each reference that gave an id, with its place, counted from ``first``."""
    for place, pair in enumerate(some, first):
        if pair.item_id is not None:
            yield (pair.language, pair.item_id), place


def _check_unique(ids: Iterable[tuple[tuple[str, str], int]], before: Mapping[tuple[str, str], int]) -> None:
    seen: dict[tuple[str, str], int] = {}
    for (language, item_id), place in ids:
        first = before.get((language, item_id), seen.get((language, item_id)))
        if first is not None:
            raise InputError(
                f"item {item_id!r:.60} ({language}) is given twice: as reference {first} and as reference "
                f"{place} (counted from 0 over all that was added since the last compute); "
                "score each system separately, and each item once"
            )
        seen[language, item_id] = place
