"""n-gram models in ARPA format, read by KenLM (``ufal.kenlm``, imported as ``kenlm``).

The score of a text w_1 ... w_m under a model of order n (Katz 1987; an ARPA file lists probabilities p and back-off
weights b)::

    score = sum over i of ln p(w_i | w_{i-n+1} ... w_{i-1})
    p(w | h) = the listed value if the n-gram h w is listed, else b(h) * p(w | h without its first word)

with ``<s>`` before the first word, and ``</s>`` as an additional word after the last, depending on the settings. ARPA
files contain log10; scores are natural logarithms.

Rounding: KenLM computes in single precision, and n-gram models often tie, because the sentences of a pair back off to
the same values in another order. With plain addition, rounding errors alone turned 21 percent of the 5,874 exact ties
of a small trigram model into decisions. So the sum over the words is exact (`math.fsum`) and is rounded to 5 decimals
of log10, the precision of single floats. Then 32 of the 5,874 ties are still missed, and 5 pairs tie that should not;
of 19 ties in a larger model, none is missed or added.
"""

from __future__ import annotations

import hashlib
import math
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from unicodedata import category

from dibimt_metric.errors import InputError, MissingLibraryError, shown

from ..records import Request, TextScore
from .spans import length_of

if TYPE_CHECKING:
    from ..scoring.presets import Preset

BOS = "<s>"
EOS = "</s>"
UNKNOWN = "<unk>"

TOKENS = ("spaces", "punctuation", "contractions")
"""How a text is divided into words. ``spaces``: at white space, for text that is already tokenized.

``punctuation``: also, punctuation and symbols at the edges of a word are separate words, one for each character; inside
a word they stay: *doesn't*, *long-term* and *4.5* are one word, *Who?* is two. ``contractions``: also, English
contractions are divided as in the Penn Treebank: *does n't*, *ca n't*, *Carla 's*, *they 've*.
"""

_PIECE = re.compile(r"\S+")
_CONTRACTION = re.compile(r"(?<=\w)(?:n['’]t|['’](?:s|re|ve|ll|d|m))$", re.IGNORECASE)
_DECIMALS = 5
_REASON = 200  # characters of a KenLM message, which may quote a whole line
_NO_UNKNOWN = -100.0  # The value that KenLM assigns to `<unk>` if a model lists none.
_NOISE = re.compile(r"\((?:[\w/]+\.\w+:\d+ in .*? threw \w+(?: because `.*?')?\. )?(?P<reason>.*)\)", re.DOTALL)
_BYTE = re.compile(r"(?:at byte|Byte:) (\d+)\)?$")
_COMPRESSED = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ")
_LINE_END = b"\n"
_BYTES = re.compile(r" at byte \d+| Byte: \d+")


class Word(NamedTuple):
    """A word of a text as the model sees it.

    Attributes:
        form: lower-cased where the model is. start, end: half-open span of characters of the text.
    """

    form: str
    start: int
    end: int


def split_words(text: str, tokens: str = "punctuation", lower: bool = False) -> tuple[Word, ...]:
    """The words of a text, divided as one of `TOKENS` says.

    >>> [word.form for word in split_words("Carla doesn't sigh.", "contractions")]
    ['Carla', 'does', "n't", 'sigh', '.']
    """
    words: list[Word] = []
    for match in _PIECE.finditer(text):
        shift = match.start()
        words += [Word(form, shift + start, shift + end) for form, start, end in _parts(match.group(), tokens, lower)]
    return tuple(words)


@lru_cache(maxsize=1 << 16)  # texts repeat their words: twice as fast
def _parts(piece: str, tokens: str, lower: bool) -> tuple[Word, ...]:
    """The words of a stretch without white space."""
    spans = ((0, len(piece)),) if tokens == "spaces" else tuple(_spans(piece, tokens))
    return tuple(Word(_form(piece[start:end], lower), start, end) for start, end in spans)


def _spans(piece: str, tokens: str) -> Iterator[tuple[int, int]]:
    end = len(piece)
    first = next((i for i in range(end) if not _is_mark(piece[i])), end)
    last = next((i for i in range(end, first, -1) if not _is_mark(piece[i - 1])), first)
    yield from ((i, i + 1) for i in range(first))
    cut = _CONTRACTION.search(piece, first, last) if tokens == "contractions" else None
    if cut is not None:
        yield first, cut.start()
        yield cut.start(), last
    elif first < last:
        yield first, last
    yield from ((i, i + 1) for i in range(last, end))


def _is_mark(character: str) -> bool:
    # By category, because `\w` of a regular expression excludes vowel signs and accents.
    return not character.isalnum() and category(character)[0] in "PS"


def _form(form: str, lower: bool) -> str:
    # The boundaries are not words: one that is spelled in a text is an unknown word.
    return UNKNOWN if form in (BOS, EOS) else form.lower() if lower else form


class NgramModel:
    """An n-gram model; see `minimal_pairs.records.LanguageModel`.

    Of the settings, ``bos`` decides whether ``<s>`` precedes the text (``none`` and ``tokenizer``: no; the other rules
    and ``<s>``: yes), and ``score_eos`` whether ``</s>`` counts. ``leading_space`` does not apply, nor does
    ``score_first``, because a word that nothing precedes has a probability. A word outside the vocabulary has the
    probability of ``<unk>``, which counts. If the model lists no ``<unk>``, ``missing`` decides: ``refuse``: texts with
    such words have no score (``missing_token``); ``score``: log10 -100, as in KenLM.

    Args:
        model: a ``kenlm.Model``.
        preset: the settings.
        name: name of the model, for signatures; every setting that changes scores is appended.
        tokens: how texts are divided into words, one of `TOKENS`.
        lower: whether texts are lower-cased.

    Raises:
        InputError: an unknown value of ``tokens``, or a boundary token that n-gram models lack.
    """

    def __init__(self, model: Any, preset: Preset, name: str, tokens: str = "punctuation", lower: bool = False) -> None:
        if tokens not in TOKENS:
            raise InputError(f"unknown tokenization {shown(tokens)}: expected one of {', '.join(TOKENS)}")
        self._model = model
        self._tokens = tokens
        self._lower = lower
        self._bos = _has_bos(preset)
        self._eos = preset.score_eos
        self._unlisted = model.score(UNKNOWN, bos=False, eos=False) == _NO_UNKNOWN
        self._refuse = self._unlisted and preset.missing == "refuse"
        self.name = "|".join((name, *self._settings()))

    @classmethod
    def from_path(
        cls,
        name_or_path: str | os.PathLike[str],
        preset: Preset,
        *,
        tokens: str = "punctuation",
        lower: bool = False,
        device: str = "cpu",
        dtype: str = "float32",
        revision: str | None = None,
        batch_tokens: int | None = None,
    ) -> NgramModel:
        """A model from a file: uncompressed ARPA of order 2 to 6, or KenLM's own binary format.

        The options of the class apply; the others, which all kinds of models accept, are ignored.

        Raises:
            InputError: the file is missing or is not such a model; names the line if KenLM does.
            MissingLibraryError: ``ufal.kenlm`` is not installed.
        """
        path = Path(name_or_path)
        model = _load(path)
        name = f"ngram:{path.name}|sha256:{_digest(path)}|order:{model.order}"
        return cls(model, preset, name, tokens, lower)

    def score(self, requests: Sequence[Request]) -> list[TextScore]:
        """See `LanguageModel.score`; a text without words has no score (``empty``)."""
        scores = {request: self._score(request) for request in dict.fromkeys(requests)}
        return [scores[request] for request in requests]

    def unknown_words(self, text: str) -> tuple[str, ...]:
        """The words of a text that are not in the vocabulary, in order, as often as they occur."""
        words = self._words(text)
        scores = zip(words, self._ask(words, False), strict=True)
        return tuple(word.form for word, (_, _, unknown) in scores if unknown)

    def _words(self, text: str) -> tuple[Word, ...]:
        return split_words(text, self._tokens, self._lower)

    def _ask(self, words: Iterable[Word], eos: bool) -> Iterable[tuple[float, int, bool]]:
        """For each word: log10 of its probability, length of the n-gram found, whether it is unknown."""
        line = " ".join(word.form for word in words).encode("utf-8", "replace")  # half a surrogate pair is not a word
        scores: Iterable[tuple[float, int, bool]] = self._model.full_scores(line, bos=self._bos, eos=eos)
        return scores

    def _score(self, request: Request) -> TextScore:
        text, start, end = request
        length = length_of(request)
        words = self._words(text)
        eos = self._eos and end is None
        stop = len(text) if end is None else end
        scores = [(log10, unknown) for log10, _, unknown in self._ask(words, eos)]
        counting = [word.start < stop and word.end > start for word in words]
        if not any(counting):
            return TextScore(None, 0, length, "empty")
        if self._refuse and any(unknown for _, unknown in scores):
            return TextScore(None, 0, length, "missing_token")
        counting += [True] * eos
        counted = [log10 for (log10, _), counts in zip(scores, counting, strict=True) if counts]
        total = math.fsum(counted)
        if not math.isfinite(total):
            return TextScore(None, 0, length, "not_finite")
        return TextScore(round(total, _DECIMALS) * math.log(10), len(counted), length)

    def _settings(self) -> tuple[str, ...]:
        unknown = "unk:listed"
        if self._unlisted:
            unknown = "unk:refused" if self._refuse else f"unk:{_NO_UNKNOWN:g}"
        return (
            f"tokens:{self._tokens}",
            "case:lower" if self._lower else "case:kept",
            f"bos:{BOS if self._bos else 'none'}",
            f"eos:{EOS if self._eos else 'none'}",
            unknown,
        )


def _has_bos(preset: Preset) -> bool:
    if preset.score_eos and preset.eos not in ("auto", EOS):
        raise InputError(f"setting eos: an n-gram model has {EOS}, not {shown(preset.eos)}; use auto")
    if preset.bos in ("none", "tokenizer"):
        return False
    if preset.bos in ("auto", "declared", "eos", BOS):
        return True
    raise InputError(f"setting bos: an n-gram model has {BOS}, not {shown(preset.bos)}; use auto or none")


def _load(path: Path) -> Any:
    if not path.is_file():
        raise InputError(f"{path}: no such file; expected an n-gram model in ARPA format")
    with path.open("rb") as file:
        if file.read(6).startswith(_COMPRESSED):
            raise InputError(f"{path}: is compressed, which the installed KenLM cannot read; unpack it first")
    try:
        import kenlm
    except ImportError as error:
        raise MissingLibraryError("n-gram models need KenLM; install it with: pip install 'dibimt[lm]'") from error
    config = kenlm.Config()
    config.show_progress = False
    config.arpa_complain = kenlm.ARPALoadComplain.NONE
    try:
        return kenlm.Model(str(path), config)
    except OSError as error:
        raise InputError(_no_model(path, str(error))) from error
    except UnicodeDecodeError as error:  # its message quotes bytes of the file
        raise InputError(f"{path}: not a model in ARPA format, which is text in UTF-8; check the file") from error


def _no_model(path: Path, message: str) -> str:
    """KenLM's message, without names of its source files, and with the line instead of the byte."""
    noise = _NOISE.search(message)
    reason = " ".join(_BYTES.sub("", noise["reason"] if noise else message).split()).rstrip(".")
    reason = reason if len(reason) <= _REASON else f"{reason[:_REASON]} ..."
    where = f"{path}{_line(path, message)}"
    return f"{where}: not a model in ARPA format that KenLM reads: {reason}; check the file, or create it again"


def _line(path: Path, message: str) -> str:
    byte = _BYTE.search(message)
    if byte is None:
        return ""
    with path.open("rb") as file:
        before = file.read(int(byte[1]))
    return f", near line {before.count(_LINE_END) + 1}"


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()[:12]
