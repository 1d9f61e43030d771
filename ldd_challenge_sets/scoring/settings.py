"""The choices of a scoring run, checked before any work, and the bins of distance.

Bins are fixed tables, the same for every system, so that scores of different runs can be compared. A row is in a bin by
its ``max_distance``. Each kind of phenomenon has two groups:

* ``minimum``: ``All``, then growing minimum distances, each inside the one before (paper, Table 5);
* ``exact``: ranges that do not overlap and together hold every row with a distance.

Lexical distances are words between dependent and head; most are 0 to 3. Reordering distances begin at 5 unless the
extraction used another minimum, so their bins are wider and the first one is open below.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from dibimt_metric.errors import InputError, shown
from dibimt_metric.score_measures import parse_option

from ..phenomena.reordering import MEASURES
from .results import Bin


class Preset(str, Enum):
    """How text is made comparable.

    SACREBLEU: plain text, tokenized for the target language as sacrebleu does.
    MULTI_BLEU: tokenized text, split at spaces, and BLEU without smoothing: the paper's ``multi-bleu.perl``
    (Section 5, "the MOSES implementation of BLEU").
    """

    SACREBLEU = "sacrebleu"
    MULTI_BLEU = "multi-bleu"


METRICS = ("bleu", "chrf", "chrf++", "ribes")  # all metrics by name; see ``docs/ldd_scores.md``
TOKENIZERS = ("13a", "intl", "zh", "ja-mecab", "ko-mecab", "char", "none")
"""Tokenizers of sacrebleu that need no download."""

_BY_LANGUAGE = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}


@dataclass(frozen=True, slots=True)
class Settings:
    """The choices of a scoring run.

    Attributes:
        metrics: names in `METRICS`, each once.
        tokenize: name in `TOKENIZERS`, for BLEU and RIBES; ``None``: by preset and target language.
        ribes_lowercase: whether RIBES ignores case, as the original program does by default.
        n_resamples: of the bootstrap; 0: neither intervals nor p-values.
        level: share of the resamples (and control samples) inside an interval, between 0 and 1.
        seed: of all draws; 0 is a valid seed.
        control: samples of the length-matched random control; 0: no control.
        small: sets of fewer sentences are marked as too small.
    """

    metrics: tuple[str, ...] = ("bleu", "chrf", "ribes")
    preset: Preset | str = Preset.SACREBLEU
    tokenize: str | None = None
    ribes_lowercase: bool = True
    n_resamples: int = 1000
    level: float = 0.95
    seed: int = 0
    control: int = 100
    small: int = 30

    def __post_init__(self) -> None:
        object.__setattr__(self, "preset", parse_option(Preset, self.preset, "preset"))
        _check_metrics(self.metrics)
        if self.tokenize is not None and self.tokenize not in TOKENIZERS:
            raise InputError(f"tokenizer {shown(self.tokenize)} is unknown; choose one of {', '.join(TOKENIZERS)}")
        if self.preset is Preset.MULTI_BLEU and self.tokenize not in (None, "none"):
            raise InputError("preset 'multi-bleu' reads tokenized text; omit the tokenizer")
        if isinstance(self.level, bool) or not isinstance(self.level, (int, float)) or not 0 < self.level < 1:
            raise InputError(f"level is {shown(self.level)}; expected a number between 0 and 1, such as 0.95")
        for name in ("n_resamples", "seed", "control", "small"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < 0:
                raise InputError(f"{name} is {shown(value)}; expected an integer of 0 or more")

    def tokenizer(self, language: str) -> str:
        """Name of the tokenizer for text in that language: as chosen, else as sacrebleu would choose.

        >>> Settings().tokenizer("de"), Settings().tokenizer("zh")
        ('13a', 'zh')
        """
        if self.tokenize is not None:
            return self.tokenize
        return "none" if self.preset is Preset.MULTI_BLEU else _BY_LANGUAGE.get(language, "13a")


def _check_metrics(metrics: object) -> None:
    if not isinstance(metrics, tuple) or not metrics or len(set(metrics)) < len(metrics):
        raise InputError(f"metrics is {shown(metrics)}; expected a tuple of different names, such as ('bleu',)")
    for name in metrics:
        if name not in METRICS:
            raise InputError(f"metric {shown(name)} is unknown; choose among {', '.join(METRICS)}")


PAPER = Settings(metrics=("bleu", "ribes"), preset=Preset.MULTI_BLEU, control=100)
"""The paper's own scores and control (Section 5), on tokenized text; intervals are our addition."""


BINS_VERSION = "1"  # raised whenever a bin changes; part of the signature


class Bins(NamedTuple):
    """The two groups of bins of a phenomenon."""

    minimum: tuple[Bin, ...]
    exact: tuple[Bin, ...]


ALL = Bin("All", 0)  # every row, with or without a distance
LEXICAL = Bins(
    minimum=(ALL, Bin(">=1", 1), Bin(">=2", 2), Bin(">=3", 3)),
    exact=(Bin("=0", 0, 0), Bin("=1", 1, 1), Bin("=2", 2, 2), Bin("=3", 3, 3), Bin(">=4", 4)),
)
REORDERING = Bins(
    minimum=(ALL, Bin(">=8", 8), Bin(">=12", 12), Bin(">=16", 16)),
    exact=(Bin("<=7", 0, 7), Bin("8-11", 8, 11), Bin("12-15", 12, 15), Bin(">=16", 16)),
)
UNDIVIDED = Bins(minimum=(ALL,), exact=())  # for sets without distances, such as lines chosen by number


def bins_for(phenomenon: str) -> Bins:
    """The bins of a phenomenon; every name that is not a reordering gets the lexical ones.

    >>> [bin.name for bin in bins_for("particle").minimum]
    ['All', '>=1', '>=2', '>=3']
    """
    return REORDERING if phenomenon in MEASURES else LEXICAL


def is_inside(distance: int | None, bin: Bin) -> bool:
    """Whether a row of that ``max_distance`` belongs to the bin.

    >>> [is_inside(None, bin) for bin in LEXICAL.minimum]
    [True, False, False, False]
    """
    if distance is None:
        return bin == ALL
    return bin.minimum <= distance and (bin.maximum is None or distance <= bin.maximum)
