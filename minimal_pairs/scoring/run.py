"""A run: from pairs to a model's scores, to decisions, to a report.

The pairs of a chunk are scored together, so that a model can share prefixes and sort by length; a text that several
pairs share is scored once. Chunks depend on the pairs alone, so that the same run gives the same bytes.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from dibimt_common.progress import Progress, silent
from dibimt_metric.errors import InputError, shown
from dibimt_metric.score_measures import parse_option

from ..models.precomputed import PrecomputedScores
from ..records import LanguageModel, Method, Pair, PairKey, Request, TextScore
from .accuracies import WHOLE, make_report
from .decisions import decide, fits, requests_of
from .journal import Header, Journal, open_journal
from .presets import Preset
from .presets import preset as preset_named
from .results import PairOutcome, PairsReport
from .sampling import Sample, fingerprint, sample_pairs

CHUNK = 1000
"""Pairs scored together: a paradigm of BLiMP. A run that is stopped loses at most this much work."""


@dataclass(frozen=True, slots=True)
class Run:
    """The result of a run.

    Attributes:
        report: all accuracies. outcomes: of each pair, in the order of the data.
        resumed: how many of them came from the per-pair file of an earlier run.
        sample: the pairs that were drawn; ``None``: all were taken.
    """

    report: PairsReport
    outcomes: tuple[PairOutcome, ...]
    resumed: int = 0
    sample: Sample | None = None


def score_pairs(
    pairs: Iterable[Pair],
    model: LanguageModel | PrecomputedScores,
    method: Method | str = Method.FULL,
    preset: Preset | str = "paper",
    *,
    sample: int | None = None,
    seed: int = 0,
    per_pair: str | os.PathLike[str] | None = None,
    restart: bool = False,
    force: bool = False,
    chunk: int = CHUNK,
    data: str | None = None,
    progress: Progress[Any] = silent,
) -> Run:
    """Score a model on minimal pairs.

    Args:
        pairs: of a data set. For a prefix method each must have its fields; see `pairs_for`.
        model: anything with ``name`` and ``score``, or scores from a file.
        method: ``full``, ``one-prefix``, ``two-prefix``.
        preset: settings or the name of a preset: those that the model was loaded with. Only the reduction and the rule
            for ties are used here.
        sample: how many pairs to draw, evenly from all paradigms (see `sample_pairs`); ``None``: all.
        seed: of the draw.
        per_pair: file for the outcomes (see `journal`). If the same run has left it unfinished, it is finished; if it
            is complete, it is read and nothing is scored.
        restart: whether to drop such a file instead.
        force: whether ``restart`` also drops any other file.
        chunk: how many pairs are scored together, at most; whole paradigms where they fit.
        data: name of the data for the signature; ``None``: their fingerprint.
        progress: reports the progress.

    Raises:
        InputError: no pair, two pairs with one number, a pair without the fields of the method, a setting with an
            unknown value, a per-pair file of another run, or a model that does not return one score for each text.

    Example:
        >>> class Short:
        ...     name = "prefers short sentences"
        ...     def score(self, requests):
        ...         return [TextScore(-len(r.text), len(r.text), len(r.text)) for r in requests]
        >>> pairs = [Pair("Anna sleeps.", "Anna sleep.", "verb", str(i), i, "verb") for i in range(3)]
        >>> run = score_pairs(pairs, Short())
        >>> run.report.overall.value, run.outcomes[0].decision.value
        (0.0, 'wrong')
    """
    way = parse_option(Method, method, "method")
    settings = preset_named(preset) if isinstance(preset, str) else preset
    everything = tuple(pairs)
    _check(everything, way, chunk)
    if isinstance(model, PrecomputedScores) and not model.keyed:
        model = model.match(everything)
    name = _name(model)
    drawn = None if sample is None else sample_pairs(everything, sample, seed)
    taken = everything if drawn is None else drawn.pairs
    given = {"data": data or fingerprint(everything), "sample": WHOLE if drawn is None else drawn.name}
    ends = chunk_ends([pair.paradigm for pair in taken], chunk)
    journal = None
    outcomes: list[PairOutcome] = []
    if per_pair is not None:
        before = make_report((), name, way, settings, **given)
        header = Header(name, way.value, before.settings, len(taken), before.signature)
        keys = [pair.key for pair in taken]
        journal, done = open_journal(per_pair, header, keys, ends, restart=restart, force=force)
        outcomes.extend(done)
    resumed = len(outcomes)
    steps = _outcomes(taken, ends, resumed, model, way, settings, journal)
    outcomes.extend(progress(len(taken) - resumed, "score")(steps))
    report = make_report(outcomes, name, way, settings, **given)
    return Run(report, tuple(outcomes), resumed, drawn)


def pairs_for(pairs: Iterable[Pair], method: Method | str) -> tuple[tuple[Pair, ...], tuple[str, ...]]:
    """The pairs of the paradigms that a method fits, and the names of the other paradigms.

    A paradigm is omitted if none of its pairs has the fields. If some have them, all are kept, and scoring names the
    one that lacks them.

    >>> pair = Pair("Anna sleeps.", "Anna sleep.", "verb", "0", 0, "verb")
    >>> pairs_for([pair], "one-prefix")
    ((), ('verb',))
    """
    everything = tuple(pairs)
    fitting = {pair.paradigm for pair in everything if fits(pair, method)}
    left_out = dict.fromkeys(pair.paradigm for pair in everything if pair.paradigm not in fitting)
    return tuple(pair for pair in everything if pair.paradigm in fitting), tuple(left_out)


def chunk_ends(paradigms: Sequence[str], size: int) -> tuple[int, ...]:
    """Ends of chunks: whole paradigms, as many as fit; a paradigm that does not fit is divided.

    >>> chunk_ends(["a", "a", "b", "b", "b", "b"], 3)
    (2, 5, 6)
    """
    ends: list[int] = []
    start, n = 0, len(paradigms)
    while start < n:
        end = min(start + size, n)
        if end < n:
            turns = (place for place in range(end, start, -1) if paradigms[place - 1] != paradigms[place])
            end = next(turns, end)
        ends.append(end)
        start = end
    return tuple(ends)


def _check(pairs: Sequence[Pair], method: Method, chunk: object) -> None:
    """Find early what would otherwise fail only after hours."""
    if isinstance(chunk, bool) or not isinstance(chunk, int) or chunk < 1:
        raise InputError(f"chunk is {shown(chunk)}; expected a positive integer")
    if not pairs:
        raise InputError("there is no pair to score; check the data and the options that select pairs")
    seen: set[PairKey] = set()
    for pair in pairs:
        if pair.key in seen:
            raise InputError(
                f"pair {pair.pair_id} of paradigm {shown(pair.paradigm)} occurs twice; number the pairs of a paradigm "
                "uniquely"
            )
        seen.add(pair.key)
        if method is not Method.FULL:
            requests_of(pair, method)


def _name(model: LanguageModel | PrecomputedScores) -> str:
    name = getattr(model, "name", None)
    if not isinstance(name, str) or not name:
        raise InputError(f"a model needs a name for the signature; that of {shown(model)} is {shown(name)}")
    return name


def _outcomes(
    pairs: Sequence[Pair],
    ends: Sequence[int],
    start: int,
    model: LanguageModel | PrecomputedScores,
    method: Method,
    settings: Preset,
    journal: Journal | None,
) -> Iterator[PairOutcome]:
    """The outcomes from the pair at ``start``, chunk by chunk."""
    for end in ends:
        if end <= start:
            continue
        chunk = pairs[start:end]
        answers = _answers(chunk, model, method)
        outcomes = [decide(pair, *both, settings) for pair, both in zip(chunk, answers, strict=True)]
        if journal is not None:
            journal.append(outcomes)
        yield from outcomes
        start = end


def _answers(
    pairs: Sequence[Pair], model: LanguageModel | PrecomputedScores, method: Method
) -> list[tuple[TextScore, TextScore]]:
    """The scores of both sides of each pair."""
    asked = [requests_of(pair, method) for pair in pairs]
    if isinstance(model, PrecomputedScores):
        return [model.outcome_scores(pair, both) for pair, both in zip(pairs, asked, strict=True)]
    requests = list(dict.fromkeys(request for both in asked for request in both))
    found = _checked(model, requests, model.score(requests))
    return [(found[good], found[bad]) for good, bad in asked]


def _checked(model: LanguageModel, requests: Sequence[Request], answers: Any) -> dict[Request, TextScore]:
    """The answers by request, as plain numbers: a user's own model may return any kind of numbers."""
    if not isinstance(answers, Sequence) or len(answers) != len(requests):
        number = len(answers) if isinstance(answers, Sequence) else shown(answers)
        raise InputError(
            f"model {model.name}: {number} answers to {len(requests)} requests; score must return one for each, in "
            "order"
        )
    return {r: _plain(model, r, answer) for r, answer in zip(requests, answers, strict=True)}


def _plain(model: LanguageModel, request: Request, answer: Any) -> TextScore:
    try:
        logprob, tokens, length, reason = answer
        return TextScore(None if logprob is None else float(logprob), int(tokens), int(length), reason)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"model {model.name}: {shown(answer)} is not an answer to {shown(request.text)}; score must return a "
            "TextScore for each request"
        ) from error
