"""The choices of a scoring run, checked before any work."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from dibimt_metric.errors import InputError, shown
from dibimt_metric.score_measures import parse_option


class Preset(str, Enum):
    """How text is made comparable.

    SACREBLEU: plain text, tokenized for the target language as sacrebleu does.
    MULTI_BLEU: text that is tokenized already, split at spaces, and BLEU without smoothing: the paper's
    ``multi-bleu.perl`` (Section 5, "the MOSES implementation of BLEU").
    """

    SACREBLEU = "sacrebleu"
    MULTI_BLEU = "multi-bleu"


METRICS = ("bleu", "chrf", "chrf++", "ribes")
"""All metrics by name; see ``docs/ldd_scores.md``."""

TOKENIZERS = ("13a", "intl", "zh", "ja-mecab", "ko-mecab", "char", "none")
"""Tokenizers of sacrebleu that need no download."""

_BY_LANGUAGE = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}
_OTHERWISE = "13a"


@dataclass(frozen=True, slots=True)
class Settings:
    """The choices of a scoring run.

    Attributes:
        metrics: names out of `METRICS`, each once.
        preset: see `Preset`.
        tokenize: name out of `TOKENIZERS`, for BLEU and RIBES; ``None``: by preset and target language.
        ribes_lowercase: whether RIBES ignores case, as the original program does by default.
        n_resamples: of the bootstrap; 0: neither intervals nor p-values.
        level: share of the resamples (and control samples) inside an interval, between 0 and 1.
        seed: of all draws; 0 is a seed like any other.
        control: samples of the length-matched random control; 0: no control.
        small: sets of fewer sentences are marked as too small.

    Raises:
        InputError: a value cannot be used.

    >>> Settings(metrics=("bleu",), preset="multi-bleu").tokenizer("de")
    'none'
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
        """Check every value."""
        object.__setattr__(self, "preset", parse_option(Preset, self.preset, "preset"))
        _check_metrics(self.metrics)
        if self.tokenize is not None and self.tokenize not in TOKENIZERS:
            raise InputError(
                f"tokenizer {shown(self.tokenize)} is unknown; choose one of {', '.join(TOKENIZERS)}"
            )
        if self.preset is Preset.MULTI_BLEU and self.tokenize not in (None, "none"):
            raise InputError("preset 'multi-bleu' reads tokenized text; leave out the tokenizer")
        if isinstance(self.level, bool) or not isinstance(self.level, (int, float)) or not 0 < self.level < 1:
            raise InputError(f"level is {shown(self.level)}; expected a number between 0 and 1, such as 0.95")
        for name in ("n_resamples", "seed", "control", "small"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < 0:
                raise InputError(f"{name} is {shown(value)}; expected a whole number from 0 on")

    def tokenizer(self, language: str) -> str:
        """Name of the tokenizer for text in that language: the one asked for, else what sacrebleu would choose.

        >>> Settings().tokenizer("de"), Settings().tokenizer("zh")
        ('13a', 'zh')
        """
        if self.tokenize is not None:
            return self.tokenize
        return "none" if self.preset is Preset.MULTI_BLEU else _BY_LANGUAGE.get(language, _OTHERWISE)


def _check_metrics(metrics: object) -> None:
    if not isinstance(metrics, tuple) or not metrics or len(set(metrics)) < len(metrics):
        raise InputError(
            f"metrics is {shown(metrics)}; expected a tuple of different names, such as ('bleu',)"
        )
    for name in metrics:
        if name not in METRICS:
            raise InputError(f"metric {shown(name)} is unknown; choose among {', '.join(METRICS)}")


PAPER = Settings(metrics=("bleu", "ribes"), preset=Preset.MULTI_BLEU, control=100)
"""The paper's own scores and control (Section 5), on tokenized text; intervals are our addition."""
