"""Metrics as sums: each segment gives a row of statistics, and any sum of rows gives a score.

The score of a subset, of a bootstrap resample or of a random control is then a sum of rows and a formula; no text
is read again. A row holds

* BLEU: length of the translation, length of the reference, matched n-grams of order 1 to 4, n-grams of order 1 to 4;
* chrF: for each order n-grams of the translation, of the reference, and matched ones;
* RIBES: the sentence's score, and 1.

The counts of BLEU and chrF are sacrebleu's own, through the methods that its significance tests use. They are not part
of its documented interface, so each metric tries them on a known example first. BLEU and chrF range from 0 to 100.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from dibimt_metric.errors import MissingLibraryError

from .ribes import ALPHA, BETA, VERSION, sentence_ribes
from .settings import Preset, Settings

if TYPE_CHECKING:
    from dibimt_metric.score_bootstrap import Floats

CHUNK = 1000  # segments whose reference n-grams are in memory at once
_ORDERS = 4
_BETA_SQUARED = 4.0
_INSTALL = "pip install 'dibimt[ldd]'"
_EXTRA = {"ja-mecab": "pip install 'sacrebleu[ja]'", "ko-mecab": "pip install 'sacrebleu[ko]'"}
_TOLERANCE = 1e-9

# Texts, references and the rows computed by hand, for orders 1 to 4 of words and 1 to 6 of characters.
# a b c d e / a b c d f: 4 of 5 words, 3 of 4 pairs, 2 of 3, 1 of 2. An empty translation has the reference's counts.
_PROBE = (("a b c d e", "a b c d f"), ("", "a b"))
_BLEU_ROWS = ([5, 5, 4, 3, 2, 1, 5, 4, 3, 2], [0, 2, 0, 0, 0, 0, 0, 0, 0, 0])
_CHRF_ROWS = (
    [5, 5, 4, 4, 4, 3, 3, 3, 2, 2, 2, 1, 1, 1, 0, 0, 0, 0],
    [0, 2, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
)
_WORD_ROWS = ([5, 5, 4, 4, 4, 3], [0, 2, 0, 0, 1, 0])


class Metric(Protocol):
    """A score that follows from sums of segment statistics; ``columns`` are the numbers in a row."""

    name: str
    columns: int

    def statistics(self, systems: Sequence[Sequence[str]], references: Sequence[str]) -> list[Floats]:
        """For each system an array with one row for each segment; the references are read once for all systems."""

    def value(self, total: Floats) -> float:
        """The score of one sum of rows: for BLEU and chrF what sacrebleu itself computes from these counts."""

    def values(self, totals: Floats) -> Floats:
        """The scores of many sums, one in each row of ``totals``; equal to `value` but for rounding."""

    def signature(self) -> str:
        """Every choice that can change a value."""


def make_metrics(settings: Settings, language: str) -> tuple[Metric, ...]:
    """The metrics of a run, in the order of the settings.

    The language, such as ``de``, is the target language; it selects the tokenizer as in sacrebleu.

    Raises:
        MissingLibraryError: a library is missing, or sacrebleu does not give the statistics that are summed here.

    >>> [metric.name for metric in make_metrics(Settings(), "de")]
    ['bleu', 'chrf', 'ribes']
    >>> bleu = make_metrics(Settings(metrics=("bleu",)), "de")[0]
    >>> rows = bleu.statistics([["It is raining again today ."]], ["It is raining again today ."])[0]
    >>> round(bleu.value(rows.sum(axis=0)), 6)
    100.0
    """
    return tuple(_make(name, settings, settings.tokenizer(language)) for name in settings.metrics)


def _make(name: str, settings: Settings, tokenizer: str) -> Metric:
    if name == "bleu":
        return _bleu(tokenizer, smooth=settings.preset is not Preset.MULTI_BLEU)
    if name == "ribes":
        return Ribes(tokenizer, settings.ribes_lowercase)
    return _chrf(name, word_order=2 if name == "chrf++" else 0)


def _bleu(tokenizer: str, smooth: bool) -> SacrebleuMetric:
    def make(references: Sequence[str]) -> Any:
        # force: no warning for each part that its text looks tokenized; the scores do not change.
        options = {"tokenize": tokenizer, "smooth_method": "exp" if smooth else "none", "force": True}
        return _library(tokenizer).BLEU(**options, references=[references])

    expected = None if tokenizer == "char" or tokenizer in _EXTRA else _BLEU_ROWS
    return SacrebleuMetric("bleu", make, lambda totals: bleu_values(totals, smooth), expected)


def _chrf(name: str, word_order: int) -> SacrebleuMetric:
    def make(references: Sequence[str]) -> Any:
        return _library().CHRF(word_order=word_order, references=[references])

    expected = tuple(chars + words[: 3 * word_order] for chars, words in zip(_CHRF_ROWS, _WORD_ROWS, strict=True))
    return SacrebleuMetric(name, make, chrf_values, expected)


class SacrebleuMetric:
    """BLEU or chrF with the counts of sacrebleu.

    Args:
        make: gives sacrebleu's metric object for references.
        formula: scores of many sums at once.
        expected: the rows of the probe; ``None``: they depend on the tokenizer, and only the score is compared.
    """

    def __init__(
        self,
        name: str,
        make: Callable[[Sequence[str]], Any],
        formula: Callable[[Floats], Floats],
        expected: Sequence[Sequence[int]] | None,
    ) -> None:
        self.name = name
        self.values = formula
        self._make = make
        self._scorer = make([reference for _, reference in _PROBE])
        self.columns = self._probe(expected)

    def statistics(self, systems: Sequence[Sequence[str]], references: Sequence[str]) -> list[Floats]:
        """See `Metric.statistics`."""
        import numpy as np

        rows = [np.zeros((len(references), self.columns)) for _ in systems]
        for start in range(0, len(references), CHUNK):
            part = slice(start, start + CHUNK)
            scorer = self._make(references[part])
            for array, translations in zip(rows, systems, strict=True):
                array[part] = scorer._extract_corpus_statistics(translations[part], None)
        return rows

    def value(self, total: Floats) -> float:
        """See `Metric.value`."""
        return float(self._scorer._compute_score_from_stats([int(count) for count in total]).score)

    def signature(self) -> str:
        """Sacrebleu's own signature, its version included."""
        return str(self._scorer.get_signature())

    def _probe(self, expected: Sequence[Sequence[int]] | None) -> int:
        """Numbers in a row, after checking that sacrebleu gives the rows and the score computed by hand."""
        import numpy as np

        texts = [text for text, _ in _PROBE]
        try:
            rows = np.array(self._scorer._extract_corpus_statistics(texts, None), dtype=np.float64)
            total = rows.sum(axis=0)
            score = self._scorer.corpus_score(texts, None).score
            agrees = max(abs(self.value(total) - score), abs(self.values(total[None])[0] - score)) < _TOLERANCE
        except (AttributeError, TypeError, ValueError, IndexError) as error:
            raise MissingLibraryError(_unusable()) from error
        if not agrees or (expected is not None and rows.tolist() != [list(row) for row in expected]):
            raise MissingLibraryError(_unusable())
        return int(rows.shape[1])


class Ribes:
    """RIBES of tokenized text, see `ldd_challenge_sets.scoring.ribes`; the score of a corpus is the mean."""

    name = "ribes"
    columns = 2

    def __init__(self, tokenizer: str, lowercase: bool) -> None:
        self._tokenizer = tokenizer
        self._lowercase = lowercase
        self._tokenize: Callable[[str], str] = str
        if tokenizer != "none":
            self._tokenize = _library(tokenizer).BLEU(tokenize=tokenizer).tokenizer

    def statistics(self, systems: Sequence[Sequence[str]], references: Sequence[str]) -> list[Floats]:
        """See `Metric.statistics`."""
        import numpy as np

        rows = [np.ones((len(references), self.columns)) for _ in systems]
        for segment, reference in enumerate(references):
            tokens = [self._tokens(reference)]
            for array, translations in zip(rows, systems, strict=True):
                words = self._tokens(translations[segment])
                array[segment, 0] = sentence_ribes(words, tokens, lowercase=False)
        return rows

    def value(self, total: Floats) -> float:
        """See `Metric.value`."""
        return float(total[0] / total[1])

    def values(self, totals: Floats) -> Floats:
        """See `Metric.values`."""
        means: Floats = totals[:, 0] / totals[:, 1]
        return means

    def signature(self) -> str:
        """In the form of sacrebleu's signatures."""
        case = "lc" if self._lowercase else "mixed"
        return f"nrefs:1|case:{case}|tok:{self._tokenizer}|alpha:{ALPHA}|beta:{BETA}|version:ribes.{VERSION}"

    def _tokens(self, text: str) -> list[str]:
        # Lower-cased after tokenizing: 13a recognizes entities such as &quot; in lower case only.
        tokens = self._tokenize(text.rstrip())
        return (tokens.lower() if self._lowercase else tokens).split()


def _library(tokenizer: str | None = None) -> Any:
    """The module ``sacrebleu.metrics``; a tokenizer that needs another library is tried first."""
    try:
        from sacrebleu import metrics
    except ImportError as error:
        raise MissingLibraryError(f"BLEU and chrF need sacrebleu; install it with: {_INSTALL}") from error
    if tokenizer in _EXTRA:
        try:
            metrics.BLEU(tokenize=tokenizer)
        except (ImportError, RuntimeError) as error:
            raise MissingLibraryError(
                f"tokenizer {tokenizer!r} needs another library; install it with: {_EXTRA[tokenizer]}"
            ) from error
    return metrics


def _unusable() -> str:
    import sacrebleu

    return (
        f"sacrebleu {sacrebleu.__version__} does not give the counts that scores of subsets are computed from; "
        f"install a tested version with: {_INSTALL} 'sacrebleu==2.6.0'"
    )


# Many sums at once, for the thousands of resamples of a bootstrap. They equal what sacrebleu computes from one sum but
# for rounding (1e-9), which tests and a probe at run time check.


def bleu_values(totals: Floats, smooth: bool) -> Floats:
    """BLEU of each row (Papineni et al., 2002; smoothing: the NIST method, sacrebleu's ``exp``).

    ``BP * exp(mean over n of log(p_n))``, ``BP = min(1, exp(1 - ref_len / sys_len))``, ``p_n = 100 * matched_n /
    all_n``. With smoothing the k-th order without a match has ``p_n = 100 / (2 ** k * all_n)``. 0 if an order
    has no n-grams, none matches at all, or, without smoothing, one order does not match.

    Args:
        totals: rows of sys_len, ref_len, matched n-grams of order 1 to 4, n-grams of order 1 to 4.
        smooth: whether an order without a match is smoothed.

    >>> import numpy as np
    >>> counts = np.array([[5.0, 5, 4, 3, 2, 1, 5, 4, 3, 2]])  # 100 * (4/5 * 3/4 * 2/3 * 1/2) ** (1/4)
    >>> bleu_values(counts, smooth=True).round(6).tolist() == [round(100 * 0.2 ** 0.25, 6)]
    True
    """
    import numpy as np

    sys_len, ref_len = totals[:, 0], totals[:, 1]
    matched, found = totals[:, 2 : 2 + _ORDERS], totals[:, 2 + _ORDERS :]
    defined = (found > 0).all(axis=1) & (matched > 0).any(axis=1)
    if smooth:
        halvings = np.cumsum(matched == 0, axis=1)
        matched = np.where(matched == 0, 0.5**halvings, matched)
    defined &= (matched > 0).all(axis=1)
    result = np.zeros(len(totals))
    precisions = 100.0 * matched[defined] / found[defined]
    brevity = np.minimum(1.0, np.exp(1.0 - ref_len[defined] / sys_len[defined]))
    result[defined] = brevity * np.exp(np.log(precisions).mean(axis=1))
    return result


def chrf_values(totals: Floats) -> Floats:
    """chrF2 or chrF2++ of each row (Popovic, 2015 and 2017; averaged as in sacrebleu).

    ``100 * 5 * P * R / (4 * P + R)`` with P and R the mean precision and recall over the orders for which both sides
    have n-grams; 0 if there is no such order or nothing matches.

    Args:
        totals: rows of three counts for each order: n-grams of the translation, of the reference, matched ones.

    >>> import numpy as np
    >>> chrf_values(np.array([[2.0, 4, 2, 1, 3, 1]])).round(4).tolist()  # P = 1, R = (2/4 + 1/3) / 2 = 5/12
    [47.1698]
    """
    import numpy as np

    found, wanted, matched = (totals[:, start::3] for start in range(3))
    used = (found > 0) & (wanted > 0)
    orders = np.maximum(used.sum(axis=1), 1)
    precision = np.divide(matched, found, out=np.zeros_like(matched), where=used).sum(axis=1) / orders
    recall = np.divide(matched, wanted, out=np.zeros_like(matched), where=used).sum(axis=1) / orders
    below = _BETA_SQUARED * precision + recall
    scores: Floats = np.divide(
        100.0 * (1.0 + _BETA_SQUARED) * precision * recall, below, out=np.zeros(len(totals)), where=below > 0
    )
    return scores
