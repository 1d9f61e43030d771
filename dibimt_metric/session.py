"""What one loaded metric knows between its calls: language, data set, options, judges, the ids given so far.

``evaluate`` hands in columns and takes out flat records; everything in between is here, and knows nothing of
``evaluate``.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Mapping
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import replace
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
from .score import LanguageMean
from .score import mean_over_languages
from .score_bootstrap import N_RESAMPLES
from .score_bootstrap import SEED
from .score_bootstrap import bootstrap
from .score_measures import Ties
from .score_measures import Weighting
from .score_measures import parse_option
from .score_results import Result
from .score_results import score_pairs
from .signature import common_signature

SEVERAL = "all"
"""Load-time name that stands for several languages; the same as none."""

Record = dict[str, int | float | str | None]
Names = str | Iterable[str]
Analyzers = Sequence[str | Analyzer] | str | Mapping[str, Sequence[str | Analyzer] | str] | None


@dataclass(frozen=True, slots=True)
class Intervals:
    """How confidence intervals are made: see `resampling.bootstrap`. Without a ``level`` there are none."""

    level: float | None = None
    n_resamples: int = N_RESAMPLES
    seed: int = SEED

    def of(self, result: Result) -> Record:
        """The intervals of one language as a flat record."""
        if self.level is None:
            return {}
        scores = result.scores
        made = bootstrap(
            result.outcomes, scores.weighting, level=self.level, n_resamples=self.n_resamples, seed=self.seed
        )
        return dict(made.as_dict())

    def fields(self) -> dict[str, str | int | float]:
        """What the signature says of them."""
        if self.level is None:
            return {}
        return {"level": self.level, "resamples": self.n_resamples, "seed": self.seed}


@dataclass(frozen=True, slots=True)
class Report:
    """All that was computed.

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
        language: code of the target language; ``None`` or ``"all"``: references tell their own.
        items: data set whose ids references may give, see `references.DataSet`; or
        dataset, dataset_revision: the same by its name, see `data_sets.open_data_set`.
        analyzers: names or objects, see `Judge`; for several languages also a mapping from language to these.
        enable_rules, disable_rules: names of rules; with several languages each takes those that it has.
        nbest, weighting, ties: see `Judge` and `scoring.score`.

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
        """All but the judges: their dictionaries are large, and loaded again where they are needed."""
        return {**self.__dict__, "_judges": {}}

    def judge(self, language: str) -> Judge:
        """The judge of a language, made when it is first needed."""
        if language not in self._judges:
            known = {rule.name for rule in language_rules(language).rules}
            self._judges[language] = Judge(
                language,
                self.analyzers.get(language),
                self.enabled & known,
                self.disabled & known,
                self.nbest,
                self.ties,
            )
        return self._judges[language]

    def add(self, predictions: object, references: object) -> None:
        """Check predictions and references, and let them wait in the form in which they travel.

        Raises:
            InputError: see `references.pairs`; also an id that was given before, now or since the last
                computation. Then nothing is added.
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
        """Refuse options of a computation before any data are looked at.

        Raises:
            InputError: an option cannot be used.
        """
        if level is not None:
            bootstrap((), level=level, n_resamples=n_resamples, seed=seed)
        if weighting is not None:
            parse_option(Weighting, weighting, "weighting")

    def forget(self) -> None:
        """Start afresh: what was added has been computed, or is lost."""
        self.waiting.clear()
        self._places.clear()
        self.count = 0

    def report(
        self,
        lines: Iterable[tuple[str, str]],
        weighting: Weighting | str | None = None,
        intervals: Intervals | None = None,
    ) -> Report:
        """Label and score everything that was added, by all processes.

        Args:
            lines: the encoded pairs.
            weighting: of SFI and PDI; ``None``: as said at load time.
            intervals: how confidence intervals are made.

        Raises:
            InputError: there is nothing, or processes were given the same item.
        """
        every = tuple(decode(*line, place, self.data_set) for place, line in enumerate(lines))
        if not every:
            raise InputError("there is nothing to score; give at least one prediction with its reference")
        _check_unique(_ids(every, 0), {})
        intervals = intervals or Intervals()
        results = {
            code: self._result(code, [pair for pair in every if pair.language == code], weighting, intervals)
            for code in LANGUAGES
            if any(pair.language == code for pair in every)
        }
        judged = {code: iter(result.judgments) for code, result in results.items()}
        judgments = tuple(next(judged[pair.language]) for pair in every)
        return Report(results, judgments, self._record(results, intervals))

    def explain(self, prediction: object, reference: object) -> str:
        """Everything that leads to the label of one prediction, as text.

        Of an n-best list it is the hypothesis that decides.

        Raises:
            InputError: see `references.pairs`.
        """
        (pair,) = pairs([prediction], [reference], self.language, self.data_set, self.nbest)
        judge = self.judge(pair.language)
        judgment = judge.judge(pair.item, pair.prediction)
        explanation = judge.explain(pair.item, pair.prediction[judgment.hypothesis].text)
        return explain_text(replace(explanation, judgment=judgment), len(pair.prediction))

    def _result(
        self, language: str, some: Sequence[Pair], weighting: Weighting | str | None, intervals: Intervals
    ) -> Result:
        items_and_predictions = ((pair.item, pair.prediction) for pair in some)
        data = fingerprint(pair.item for pair in some)
        result = score_pairs(self.judge(language), items_and_predictions, weighting or self.weighting, data)
        more = {**self._origin(some), **intervals.fields()}
        return replace(result, signature=result.signature.extended(more))

    def _origin(self, some: Sequence[Pair]) -> dict[str, str]:
        """What the signature says of the data set: nothing where no reference was looked up in it."""
        origins = (self.data_set.origin(pair.language) for pair in some if pair.looked_up)
        origin = next(origins, None)
        return {} if origin is None else {"dataset": origin}

    def _record(self, results: Mapping[str, Result], intervals: Intervals) -> Record:
        flat = {code: _language_record(result, intervals) for code, result in results.items()}
        if self.language is not None:
            return flat[self.language]
        mean = mean_over_languages({code: result.scores for code, result in results.items()})
        by_language = {
            f"{key}_{code}": value for code, record in flat.items() for key, value in record.items()
        }
        return {**_mean_record(mean, results), **by_language}


def reject_unknown(given: Iterable[str], known: Sequence[str], where: str) -> None:
    """Refuse option names that are not known.

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
    """Refuse a name that would leave the folder when ``evaluate`` makes a file name of it.

    Raises:
        InputError: it is no string, or holds a path separator.
    """
    if value is not None and (not isinstance(value, str) or any(mark in value for mark in "/\\\0")):
        raise InputError(f"{name} becomes part of a file name; it cannot be {value!r:.60}")


def _names(names: Names) -> frozenset[str]:
    """One name or several, as a set."""
    return frozenset([names] if isinstance(names, str) else names)


def _by_language(analyzers: Analyzers) -> dict[str, Sequence[str | Analyzer]]:
    """The analyzers of each language that has any of its own."""
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
        raise UnknownRuleError(
            f"no rule of {', '.join(languages)} is named {unknown[0]!r:.40}; the rules are: {rules}"
        )


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
                "score each system by itself, and each item once"
            )
        seen[language, item_id] = place


def _language_record(result: Result, intervals: Intervals) -> Record:
    return {**result.as_dict(), "undefined": _listed(result.scores.undefined()), **intervals.of(result)}


def _mean_record(mean: LanguageMean, results: Mapping[str, Result]) -> Record:
    """Mean over languages, with the leading keys of a single language first."""
    record: Record = {**mean.as_dict()}
    names = list(record)
    end = names.index("coverage") + 1
    return {
        **{name: record[name] for name in names[:end]},
        "signature": str(common_signature(result.signature for result in results.values())),
        **{name: record[name] for name in names[end:]},
        "languages": " ".join(results),
        "undefined": _listed(mean.undefined()),
        "partial": _listed(mean.partial()),
    }


def _listed(reasons: Mapping[str, str]) -> str:
    return "; ".join(f"{metric}: {why}" for metric, why in reasons.items()) or "none"
