"""The DiBiMT metric for ``evaluate.load``: the only file that imports ``evaluate``.

The work is done in `session`. ``evaluate`` reads this file line by line to find what else to copy: only modules named
here by a relative import at the start of a line, one name a line and no comment after it, are copied. So siblings that
only other siblings need are imported here too.
"""

# ruff: noqa: F401

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import datasets
import evaluate

from .analysis import __name__ as _analysis
from .analysis_text import __name__ as _analysis_text
from .analyzer_builtin import __name__ as _analyzer_builtin
from .analyzer_dictionary import __name__ as _analyzer_dictionary
from .analyzer_stanza import __name__ as _analyzer_stanza
from .analyzers import __name__ as _analyzers
from .errors import InputError
from .items import __name__ as _items
from .items_data_rows import __name__ as _items_data_rows
from .items_data_set import __name__ as _items_data_set
from .items_reading import __name__ as _items_reading
from .items_references import __name__ as _items_references
from .judge import __name__ as _judge
from .judge_explain import __name__ as _judge_explain
from .languages import __name__ as _languages
from .match_patterns import __name__ as _match_patterns
from .match_phrase import __name__ as _match_phrase
from .match_view import __name__ as _match_view
from .matcher import __name__ as _matcher
from .records import __name__ as _records
from .rules import __name__ as _rules
from .rules_bg import __name__ as _rules_bg
from .rules_clitic import __name__ as _rules_clitic
from .rules_conjugation import __name__ as _rules_conjugation
from .rules_de import __name__ as _rules_de
from .rules_es import __name__ as _rules_es
from .rules_it import __name__ as _rules_it
from .rules_nl import __name__ as _rules_nl
from .rules_pronominal import __name__ as _rules_pronominal
from .rules_romance import __name__ as _rules_romance
from .rules_ru import __name__ as _rules_ru
from .rules_separation import __name__ as _rules_separation
from .rules_sl import __name__ as _rules_sl
from .rules_slavic import __name__ as _rules_slavic
from .rules_verb_forms import __name__ as _rules_verb_forms
from .rules_verb_last import __name__ as _rules_verb_last
from .rules_words import __name__ as _rules_words
from .rules_zh import __name__ as _rules_zh
from .score import __name__ as _score
from .score_bias import __name__ as _score_bias
from .score_bootstrap import N_RESAMPLES
from .score_bootstrap import SEED
from .score_breakdown import __name__ as _score_breakdown
from .score_comparison import __name__ as _score_comparison
from .score_measures import __name__ as _score_measures
from .score_results import __name__ as _score_results
from .session import Session
from .session import check_file_part
from .session import reject_unknown
from .signature import __name__ as _signature
from .version import __name__ as _version

_DESCRIPTION = """\
DiBiMT asks whether a machine translation system chooses the right sense of an ambiguous word. Each item holds
an English sentence with one ambiguous word, the lemmas that translate its sense there (good), and lemmas that
translate other senses of it (bad). A translation is GOOD or BAD by the lemmas found in it, MISS if none is
found, UNK if lemmas of both lists are found. The scores are the accuracy and four measures of bias toward
frequent senses (SFI, PDI, MFS, MFS+). Languages: Bulgarian, Chinese, Dutch, German, Italian, Russian,
Slovene, Spanish.
"""

_CITATION = """\
@article{martelli-etal-2025-dibimt,
    title = "{D}i{B}i{MT}: A Gold Evaluation Benchmark for Studying Lexical Ambiguity in Machine Translation",
    author = "Martelli, Federico and Perrella, Stefano and Campolungo, Niccol{\\`o} and Munda, Tina and
      Koeva, Svetla and Tiberius, Carole and Navigli, Roberto",
    journal = "Computational Linguistics",
    volume = "51",
    number = "2",
    year = "2025"
}
@inproceedings{campolungo-etal-2022-dibimt,
    title = "{D}i{B}i{MT}: A Novel Benchmark for Measuring {W}ord {S}ense {D}isambiguation Biases in
      {M}achine {T}ranslation",
    author = "Campolungo, Niccol{\\`o} and Martelli, Federico and Saina, Francesco and Navigli, Roberto",
    booktitle = "Proceedings of the 60th Annual Meeting of the Association for Computational Linguistics
      (Volume 1: Long Papers)",
    year = "2022",
    pages = "4331--4352",
    doi = "10.18653/v1/2022.acl-long.298"
}
"""

_KWARGS_DESCRIPTION = """
Args:
    predictions: for each item its translation: a string, or an n-best list of strings or of objects with
        `text` and `perplexity`.
    references: for each item an object with the fields of an item, an object with the lists `good` and `bad`,
        or the id of an item of the data set named at load time (`items` or `dataset`). With several languages
        each has a `language`.
    weighting: how SFI and PDI put their groups together, 'macro' or 'index'; None: as given at load time.
    level: of intervals by bootstrap, such as 0.95; None: no intervals.
    n_resamples, seed: of the bootstrap.
Returns:
    n, good, bad, miss, unk: number of items, and of those with each label.
    accuracy, sfi, pdi, mfs, mfs_plus, coverage: in percent, 0 to 100; None where undefined.
    signature: every choice that can change a number; also name and revision of the `dataset` that items come from.
    miss_rate, unk_rate: in percent. Then what the measures of bias are based on, and in `undefined` why a value
        is None. With several languages the percentages are means over languages, and the values of each
        language follow, as `accuracy_de`.
Examples:

    >>> metric = evaluate.load("dibimt_metric", "de")
    >>> result = metric.compute(
    ...     predictions=["Wir saßen am Ufer des Flusses.", "Er ging zur Bank.", "Es regnet."],
    ...     references=[{"good": ["Ufer"], "bad": ["Bank"]}] * 3)
    >>> result["good"], result["bad"], result["miss"], result["accuracy"]
    (1, 1, 1, 50.0)

    One of several languages in each row, and an n-best list, which is GOOD if one of its translations is:

    >>> metric = evaluate.load("dibimt_metric")
    >>> result = metric.compute(
    ...     predictions=[["Er ging zur Bank.", "Er ging ans Ufer."], "Se sentó en el banco."],
    ...     references=[{"language": "de", "good": ["Ufer"], "bad": ["Bank"]},
    ...                 {"language": "es", "good": ["orilla"], "bad": ["banco"]}])
    >>> result["accuracy_de"], result["accuracy_es"], result["accuracy"]
    (100.0, 0.0, 50.0)
"""

_WRITTEN_AT_ONCE = 1000


def _parameters(function: Any) -> list[str]:
    """Names of the options of a function."""
    every = inspect.signature(function).parameters.values()
    return [each.name for each in every if each.kind is not each.VAR_KEYWORD and each.name not in ("self", "hash")]


@evaluate.utils.file_utils.add_start_docstrings(_DESCRIPTION, _KWARGS_DESCRIPTION)
class Dibimt(evaluate.Metric):
    """The metric.

    Args:
        config_name: code of the target language; ``None`` or ``"all"``: each reference names its own.
        items: data set whose ids references may give: a path of a JSON Lines file, or items.
        dataset: such a data set by its name: a folder, or ``USER/NAME`` on the Hub. It is loaded here, once.
        dataset_revision: branch, tag or commit of a data set of the Hub; ``None``: its main branch.
        analyzers, enable_rules, disable_rules, nbest, weighting, ties: see `session.Session`.
        options: those of every metric of ``evaluate``, such as ``keep_in_memory``.

    Raises:
        InputError: an option is not known or cannot be used.
    """

    def __init__(
        self,
        config_name: str | None = None,
        items: object = None,
        analyzers: Any = None,
        enable_rules: Any = (),
        disable_rules: Any = (),
        nbest: str = "oracle",
        weighting: str = "macro",
        ties: str = "most_frequent",
        dataset: Any = None,
        dataset_revision: str | None = None,
        **options: Any,
    ) -> None:
        # `evaluate` ignores unknown options, and makes folders and files of some.
        known = list(dict.fromkeys(_parameters(Dibimt) + _parameters(evaluate.Metric)))
        reject_unknown(sorted(options.keys() - {"hash"}), known, "load")
        check_file_part(options.get("experiment_id"), "experiment_id")
        self._session = Session(
            config_name,
            items,
            analyzers,
            enable_rules,
            disable_rules,
            nbest,
            weighting,
            ties,
            dataset,
            dataset_revision,
        )
        self.judgments: tuple[Any, ...] = ()
        self.results: dict[str, Any] = {}
        self.cache_file_name: Any
        self.filelock: Any
        super().__init__(config_name=config_name, **options)

    def _info(self) -> Any:
        # A string for every form of input: `evaluate` cannot tell forms apart. A "large" one may pass 2 GB.
        text = datasets.Value("large_string")
        return evaluate.MetricInfo(
            description=_DESCRIPTION,
            citation=_CITATION,
            inputs_description=_KWARGS_DESCRIPTION,
            features=datasets.Features({"predictions": text, "references": text}),
            reference_urls=["https://nlp.uniroma1.it/dibimt/", "https://aclanthology.org/2022.acl-long.298/"],
        )

    def compute(self, *, predictions: Any = None, references: Any = None, **options: Any) -> Any:
        """Label and score what is given here and what was added before.

        Afterwards ``judgments`` holds the label of each item with its matches, ``results`` the scores and
        outcomes of each language. Of several processes the first one gets the result, the others ``None``.

        Raises:
            InputError: an option or a row cannot be used, or there is nothing to score.
        """
        reject_unknown(options, _parameters(Dibimt._compute)[2:], "compute")
        self._session.check(**options)
        if predictions is not None or references is not None:
            self.add_batch(predictions=predictions, references=references)
        self._begin()
        try:
            result = super().compute(**options)
            # The files are removed; another metric may use their names from now on.
            self.file_paths = self.filelocks = None
            return result
        except BaseException:
            self._discard()
            raise
        finally:
            self._session.forget()

    def add_batch(self, *, predictions: Any = None, references: Any = None, **others: Any) -> None:
        """Add several predictions with their references; if one of them cannot be used, none is added.

        Raises:
            InputError: a row cannot be used; the message names it.
        """
        reject_unknown(others, ("predictions", "references"), "add_batch")
        self._session.add(predictions, references)
        self._write()

    def add(self, *, prediction: Any = None, reference: Any = None, **others: Any) -> None:
        """Add one prediction with its reference; ``evaluate.combine`` gives them by their plural names.

        Raises:
            InputError: the prediction or the reference cannot be used.
        """
        reject_unknown(others, ("prediction", "reference", "predictions", "references"), "add")
        prediction, reference = others.get("predictions", prediction), others.get("references", reference)
        self._session.add([prediction], [reference])
        if len(self._session.waiting) >= _WRITTEN_AT_ONCE:
            self._write()

    def explain(self, prediction: Any, reference: Any) -> str:
        """Everything that leads to the label of one prediction, as text: tokens, lemmas, matches, rules.

        Raises:
            InputError: the prediction or the reference cannot be used.
        """
        return self._session.explain(prediction, reference)

    def _compute(
        self,
        predictions: list[str],
        references: list[str],
        weighting: str | None = None,
        level: float | None = None,
        n_resamples: int = N_RESAMPLES,
        seed: int = SEED,
    ) -> dict[str, Any]:
        lines = zip(predictions, references, strict=True)
        report = self._session.report(lines, weighting, level, n_resamples, seed)
        self.judgments, self.results = report.judgments, report.results
        return report.record

    def __len__(self) -> int:
        """Number of pairs added since the last computation."""
        return self._session.count

    def _write(self) -> None:
        """Pass the waiting pairs to `evaluate`.

        In batches only: older releases of `datasets` write single rows after batches that came later.
        """
        if self._session.waiting:
            predictions, references = zip(*self._session.waiting, strict=True)
            super().add_batch(predictions=list(predictions), references=list(references))
            self._session.waiting.clear()

    def _begin(self) -> None:
        """Make sure that there is something to compute from."""
        self._write()
        if self._session.count:
            return
        if self.num_process == 1:
            raise InputError("there is nothing to score; give predictions and references, or add them before")
        # `evaluate` waits for a file of every process, also of one that got no share of the items.
        super().add_batch(predictions=[], references=[])

    def _discard(self) -> None:
        """Drop the data, files and locks that `evaluate` leaves behind when a computation fails."""
        self.data = self.writer = self.buf_writer = None
        held = [(self.cache_file_name, self.filelock)]
        held += zip(self.file_paths or (), self.filelocks or (), strict=True)
        for path, lock in held:
            if path is not None and self.process_id == 0:
                Path(path).unlink(missing_ok=True)
            if lock is not None:
                lock.release()
        self.cache_file_name = self.filelock = self.file_paths = self.filelocks = None
