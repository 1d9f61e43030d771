"""The metric inside a training loop: ``compute_metrics`` for ``Seq2SeqTrainer``, and the same for any other loop.

    compute_metrics = make_compute_metrics(tokenizer, items, "de")
    Seq2SeqTrainer(..., compute_metrics=compute_metrics)      # with predict_with_generate=True
    compute_metrics.score(translations)                       # any other loop

A trainer passes tensors only, so the items are kept here, in the order of the evaluation set. Every process may call;
nothing is written, locked or sent. ``docs/training.md`` has complete programs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import nan
from pathlib import Path
from typing import Any

from dibimt_metric.errors import InputError, shown
from dibimt_metric.items import check_rows
from dibimt_metric.items_data_set import LoadedItems
from dibimt_metric.items_reading import fingerprint, of_language, read_items
from dibimt_metric.items_references import column, plain
from dibimt_metric.judge import NBest, Prediction, as_prediction
from dibimt_metric.judge_explain import explain_text
from dibimt_metric.records import Item, Judgment
from dibimt_metric.score import METRICS, score
from dibimt_metric.score_measures import BIAS_METRICS, Ties, Weighting, parse_option
from dibimt_metric.score_results import Result, flat_record
from dibimt_metric.session import Analyzers, Names, Session
from dibimt_metric.signature import common_signature, make_signature

from .order import Order, labels_of, predictions_and_labels
from .predicted_texts import Decoder, predicted

Numbers = dict[str, int | float]

LABELS = ("n", "good", "bad", "miss", "unk")
NAMES = (*LABELS, *METRICS)
"""What is reported: the number of items and of each label; then percentages, 0 to 100."""


def make_compute_metrics(
    tokenizer: Any,
    items: object,
    language: str | None = None,
    *,
    analyzers: Analyzers = None,
    enable_rules: Names = (),
    disable_rules: Names = (),
    nbest: NBest | str = NBest.ORACLE,
    num_return_sequences: int = 1,
    weighting: Weighting | str = Weighting.MACRO,
    ties: Ties | str = Ties.MOST_FREQUENT,
    postprocess: Callable[[str], str] | None = None,
    prefix: str = "",
    undefined: float = nan,
    labels: object = None,
) -> ComputeMetrics:
    """What ``Seq2SeqTrainer(compute_metrics=...)`` calls after each evaluation.

    Faults of items, options and installation are reported here, before the training. Dictionaries are loaded and
    candidates are prepared here too.

    Args:
        tokenizer: decodes the predictions; the trainer's.
        items: one for each row of the evaluation set, in its order: `Item` records, rows, a data set of ``datasets``,
            the path of a JSON Lines file, or what `load_data_set` loaded by the name of a data set, whose revision is
            then in the signature.
        language: code of the target language, whose items are taken; ``None``: all items, each with its language.
        analyzers: see `Session`.
        enable_rules: names of rules to switch on.
        disable_rules: names of rules to switch off.
        nbest: ``oracle``; see `NBest`.
        num_return_sequences: hypotheses of each item, the option of ``generate``. Not needed for predictions of the
            shape (items, hypotheses, tokens).
        weighting: how SFI and PDI put their groups together.
        ties: see `Ties`.
        postprocess: applied to each decoded text, as for other metrics.
        prefix: put before each key, such as ``"dibimt_"`` next to other metrics.
        undefined: number for a percentage without a value, such as the accuracy where nothing is GOOD or BAD, since
            the keys are always the same: by default NaN, which no comparison prefers.
        labels: labels of the evaluation set in the order of the items, to check this order in each evaluation.

    Raises:
        InputError: an option or item cannot be used, or an item has no language.
        ItemError: items break rules of the format.
        UnknownLanguageError, UnknownAnalyzerError, UnknownRuleError: a name is not known.
        MissingLibraryError: an analyzer's library or model is not installed.

    >>> class Words:
    ...     def decode(self, tokens, skip_special_tokens):
    ...         return " ".join(("Ufer", "am", "Bank")[token] for token in tokens)
    >>> compute_metrics = make_compute_metrics(Words(), [{"id": "1", "good": ["Ufer"], "bad": ["Bank"]}], "de")
    >>> compute_metrics(([[1, 0, -100]], None))["accuracy"]
    100.0
    """
    if parse_option(NBest, nbest, "nbest") is not NBest.ORACLE:
        raise InputError(f"nbest {shown(nbest)} needs perplexities, which a trainer does not provide; use 'oracle'")
    if type(num_return_sequences) is not int or num_return_sequences < 1:
        raise InputError(f"num_return_sequences is a positive integer, not {shown(num_return_sequences)}")
    if isinstance(undefined, bool) or not isinstance(undefined, (int, float)):
        raise InputError(f"undefined is a number, not {shown(undefined)}")
    if not isinstance(prefix, str):
        raise InputError(f"prefix is text, not {shown(prefix)}")
    session = Session(language, None, analyzers, enable_rules, disable_rules, nbest, weighting, ties)
    return ComputeMetrics(
        session,
        _items(items, session.language),
        Decoder(tokenizer, postprocess),
        num_return_sequences,
        prefix,
        undefined,
        Order(labels, tokenizer),
        items.origin if isinstance(items, LoadedItems) else None,
    )


class ComputeMetrics:
    """Labels and scores the predictions of an evaluation set; made by `make_compute_metrics`.

    Attributes:
        items: in the order of the evaluation set.
        languages: code of the language of each item.
        names: of each item: its id, with several languages ``de/1``.
        evaluations: number of evaluations so far.
        results: of the last evaluation, by language.
        judgments: of the last evaluation, in the order of the items.
    """

    def __init__(
        self,
        session: Session,
        items: tuple[Item, ...],
        decoder: Decoder,
        hypotheses: int,
        prefix: str,
        undefined: float,
        order: Order,
        origin: Callable[[str], str] | None,
    ) -> None:
        self.items = items
        self.languages = tuple(_language_of(item, session.language) for item in items)
        self.names = tuple(
            item.id if session.language else f"{code}/{item.id}"
            for item, code in zip(items, self.languages, strict=True)
        )
        self._session = session
        self._decoder = decoder
        self._hypotheses = hypotheses
        self._prefix = prefix
        self._undefined = float(undefined)
        self._order = order
        order.check_number(len(items))
        self._predictions: tuple[Prediction, ...] = ()
        self.judgments: tuple[Judgment, ...] = ()
        self.results: dict[str, Result] = {}
        self.evaluations = 0
        self._origins = {code: origin(code) for code in dict.fromkeys(self.languages)} if origin else {}
        self._data = {code: fingerprint(self._of(code, items)) for code in dict.fromkeys(self.languages)}
        for item, code in zip(items, self.languages, strict=True):
            session.judge(code).judge(item, "")  # loads the dictionary and prepares the candidates

    def __call__(self, evaluation: Any) -> Numbers:
        """The numbers of one evaluation.

        Args:
            evaluation: an ``EvalPrediction``, or a tuple of predictions and labels (or ``None``).

        Returns:
            ``n good bad miss unk``, then in percent ``accuracy sfi pdi mfs mfs_plus coverage miss_rate unk_rate``, each
            an int or a float. With several languages, counts are sums and percentages are means over languages;
            ``accuracy_languages`` is the number of languages, and ``accuracy_de`` the accuracy of one.

        Raises:
            InputError: these are not predictions, or not one for each item.
        """
        predictions, label_ids = predictions_and_labels(evaluation)
        rows, inner = predicted(predictions)
        size = self._rows_of_an_item(len(rows), inner)
        texts = self._decoder.texts(rows)
        lists = [texts[start : start + size] for start in range(0, len(texts), size)]
        label_rows = labels_of(label_ids)
        if len(lists) > len(self.items) and self._order.repeats(lists, label_rows, len(self.items)):
            # Seq2SeqTrainer does not drop the rows that fill up the last batches of several processes.
            del lists[len(self.items) :]
            label_rows = label_rows and label_rows[: len(self.items)]
        if len(lists) != len(self.items):
            raise self._wrong_number(len(rows), size)
        self._order.check(label_rows, self.names)
        return self.score(lists)

    def score(self, translations: Sequence[str | Sequence[str]]) -> Numbers:
        """The same for texts: a translation for each item, or a list of several.

        Raises:
            InputError: they are not texts, or not one for each item.
        """
        given = column(translations, "translations")
        if len(given) != len(self.items):
            raise self._wrong_number(len(given))
        predictions = tuple(_prediction(each, i) for i, each in enumerate(given))
        self.judgments = tuple(self._judgment(i, each) for i, each in enumerate(predictions))
        self._predictions = predictions
        self.results = {code: self._result(code) for code in self._data}
        self.evaluations += 1
        return self._record()

    @property
    def result(self) -> Result | None:
        """Result of the last evaluation if there is only one language; see ``results``."""
        return next(iter(self.results.values())) if len(self.results) == 1 else None

    @property
    def signature(self) -> str:
        """Every choice that can change a number, in one line."""
        return str(common_signature(make_signature(self._fields(code)) for code in self._data))

    def explain(self, item: int | str) -> str:
        """Everything that led to the label of an item in the last evaluation, as text.

        Args:
            item: its place, counted from 0, or its name.

        Raises:
            InputError: there is no such item, or there has been no evaluation.
        """
        if not self.judgments:
            raise InputError("nothing has been evaluated yet; explain an item after the first evaluation")
        place = self.names.index(item) if item in self.names else item
        if not isinstance(place, int) or not -len(self.items) <= place < len(self.items):
            raise InputError(
                f"no item {shown(item)}; give a place from 0 to {len(self.items) - 1}, or a name such as "
                f"{self.names[0]!r:.60}"
            )
        judge, judgment = self._session.judge(self.languages[place]), self.judgments[place]
        hypotheses = self._predictions[place]
        explanation = judge.explain(self.items[place], hypotheses[judgment.hypothesis].text)
        return explain_text(replace(explanation, judgment=judgment), len(hypotheses))

    def _rows_of_an_item(self, rows: int, inner: int) -> int:
        if self._hypotheses > 1:
            if rows % self._hypotheses:
                raise self._wrong_number(rows, self._hypotheses)
            return self._hypotheses
        nested = rows != len(self.items) and inner > 1 and rows >= inner * len(self.items)
        return inner if nested else 1

    def _judgment(self, place: int, prediction: Prediction) -> Judgment:
        """The judgment of the last evaluation where the translation is the same."""
        if self.judgments and self._predictions[place] == prediction:
            return self.judgments[place]
        return self._session.judge(self.languages[place]).judge(self.items[place], prediction)

    def _result(self, code: str) -> Result:
        judge = self._session.judge(code)
        judgments = self._of(code, self.judgments)
        outcomes = tuple(map(judge.outcome, self._of(code, self.items), judgments))
        scores = score(outcomes, self._session.weighting, judge.ties)
        return Result(code, judgments, outcomes, scores, make_signature(self._fields(code)))

    def _of(self, code: str, values: Sequence[Any]) -> tuple[Any, ...]:
        """The values of one language, given those of all items."""
        return tuple(value for value, own in zip(values, self.languages, strict=True) if own == code)

    def _fields(self, code: str) -> dict[str, str]:
        most = max(map(len, self._predictions), default=self._hypotheses)
        return {
            **self._session.judge(code).signature_fields(),
            "weighting": self._session.weighting.value,
            "data": self._data[code],
            **({"dataset": self._origins[code]} if self._origins else {}),
            **({"hypotheses": str(most)} if most > 1 else {}),
            **({"postprocess": self._decoder.postprocess_name} if self._decoder.postprocess_name else {}),
        }

    def _record(self) -> Numbers:
        several = self._session.language is None
        record = flat_record(self.results, several)
        counted = (f"{metric}_languages" for metric in BIAS_METRICS)
        own = (f"{name}_{code}" for code in self.results for name in NAMES)
        numbers = ((name, record[name]) for name in (*NAMES, *((*counted, *own) if several else ())))
        return {
            self._prefix + name: value if isinstance(value, (int, float)) else self._undefined
            for name, value in numbers
        }

    def _wrong_number(self, found: int, hypotheses: int = 1) -> InputError:
        """With the usual reason for ``found`` sequences where each item should have ``hypotheses``."""
        number = len(self.items)
        expected = f" with {hypotheses} hypotheses, {number * hypotheses} in all" if hypotheses > 1 else ""
        if hypotheses > 1:
            reason = f"num_return_sequences={hypotheses} was given: does `generate` return as many"
        elif found < number:
            reason = "was it filtered or cut, or are these the predictions of one process, not yet gathered"
        elif found % number == 0:
            reason = f"lists of {found // number} hypotheses need num_return_sequences={found // number}"
        else:
            reason = "is it another evaluation set"
        return InputError(
            f"{found} predictions for {number} items{expected}: the evaluation set has one row for each item, in "
            f"the same order; {reason}? With several evaluation sets, Trainer calls one function for all, "
            "see docs/training.md"
        )


def _prediction(value: object, place: int) -> Prediction:
    try:
        return as_prediction(plain(value))
    except InputError as error:
        raise InputError(f"translations[{place}]: {error}; token ids go to a call of the object") from error


def _items(items: object, language: str | None) -> tuple[Item, ...]:
    if isinstance(items, LoadedItems):
        return of_language(items.items, language, "items")
    if isinstance(items, (str, Path)):
        if Path(items).is_dir():
            raise InputError(f"items: {items} is a folder; give what `load_data_set` loads from there")
        return read_items(items, language)
    rows = map(plain, column(items, "items"))
    made = check_rows(rows, "items (a line is a place in the list, counted from 1)")
    return of_language(made, language, "items")


def _language_of(item: Item, language: str | None) -> str:
    code = item.language or language
    if code is None:
        raise InputError(f"item {item.id!r:.60} has no language; give all items a 'language', or the language of all")
    return code
