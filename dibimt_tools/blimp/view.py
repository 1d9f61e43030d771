"""The report of ``dibimt blimp score`` as tables of text, for the terminal and the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dibimt_common.format import count, interval, number, signed
from minimal_pairs.scoring.published import HUMAN, compare_all

if TYPE_CHECKING:
    from minimal_pairs.scoring.published import Published
    from minimal_pairs.scoring.results import Accuracy, AccuracyGroup, PairsReport
    from minimal_pairs.scoring.run import Run

INTERVAL = "95 % interval"

_ABOUT_INTERVALS = (
    "Intervals hold for other pairs of the same kind (Wilson, at the effective number of pairs); they say nothing "
    "about other models or settings."
)
_ABOUT_HUMAN = (
    "human: individual agreement with the label, over the whole data set of the paper. Published scores "
    "are shown for phenomena whose paradigms were all scored."
)
_ABOUT_LENGTH = (
    "A summed log-probability favors the shorter sentence: if the accuracy is much higher when the good "
    "sentence is the shorter one, length decides."
)
_ABOUT_TIES = "Ties, where both sentences score the same, count as {}."
_TIES = {"wrong": "wrong", "right": "right", "half": "half right"}


@dataclass(frozen=True, slots=True)
class Table:
    """A table of text.

    Attributes:
        title: above it. head: titles of the columns. rows: cells.
        notes: explanations, at least one sentence each.
        numbers: whether all columns but the first are numbers, which are right-aligned.
        long: whether a page shows it collapsed.
    """

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    numbers: bool = True
    long: bool = False


def headline(report: PairsReport) -> str:
    """Method, and numbers of pairs and paradigms."""
    counts = report.overall_pairs
    scored = f"{count(counts.n, 'pair')} of {count(len(report.paradigms), 'paradigm')}"
    unscored = f", {counts.unscored:,} without a score" if counts.unscored else ""
    return f"Minimal pairs, method {report.method}: {scored}{unscored}"


def tables(run: Run, beside: Sequence[Published]) -> tuple[Table, ...]:
    """All tables of a run that have rows.

    Args:
        run: of `score_pairs`.
        beside: published scores to show next to those by phenomenon.
    """
    report = run.report
    every = (
        _averages(report),
        _phenomena(report, beside),
        _published(report),
        _fields(report),
        _lengths(report),
        _unscored(run),
        _paradigms(report),
    )
    return tuple(table for table in every if table.rows)


def _averages(report: PairsReport) -> Table:
    averages = (report.overall, report.overall_phenomena, report.overall_pairs)
    rows = (
        (_short(each), number(each.value), interval(each.low, each.high), *_counts(each))
        for each in averages
        if each.value is not None or each is report.overall
    )
    head = ("average", "accuracy", INTERVAL, "pairs", "right", "wrong", "ties", "unscored")
    rule = _TIES.get(dict(report.settings).get("ties", ""), "set")
    about = (_ABOUT_TIES.format(rule),) if report.overall_pairs.ties else ()
    return Table("Accuracy in percent", head, tuple(rows), about)


def _short(accuracy: Accuracy) -> str:
    """The kind of average; the notes list omissions."""
    return accuracy.average.partition(" (")[0]


def _counts(accuracy: Accuracy) -> tuple[str, ...]:
    counts = (accuracy.n, accuracy.right, accuracy.wrong, accuracy.ties, accuracy.unscored)
    return tuple(f"{each:,}" for each in counts)


def _phenomena(report: PairsReport, beside: Sequence[Published]) -> Table:
    rows = tuple((*_group(group), *_theirs(group, beside)) for group in report.phenomena)
    known = any(group.human is not None for group in report.phenomena)
    names = ("human", *(row.name for row in beside)) if known else ()
    head = ("phenomenon", "paradigms", "pairs", "accuracy", INTERVAL, *names)
    about = [_ABOUT_HUMAN] if known else []
    if report.correlation_human is not None:
        points = sum(group.human is not None for group in report.phenomena)
        about.append(
            f"Correlation with human accuracy over {points} phenomena (Pearson): {report.correlation_human:.2f}."
        )
    shown = tuple(row[: len(head)] for row in rows)
    return Table("By phenomenon: mean over its paradigms", head, shown, tuple(about))


def _group(group: AccuracyGroup) -> tuple[str, ...]:
    accuracy = group.accuracy
    return (
        group.name,
        str(group.paradigms),
        f"{accuracy.n:,}",
        number(accuracy.value),
        interval(accuracy.low, accuracy.high),
    )


def _theirs(group: AccuracyGroup, beside: Sequence[Published]) -> Iterator[str]:
    yield number(group.human, 1)
    for row in beside:
        yield number(row.phenomenon(group.name) if group.human is not None else None, 1)


def _published(report: PairsReport) -> Table:
    """Published overall scores, for reports with paradigms of BLiMP."""
    if all(group.human is None for group in report.phenomena):
        return Table("Published scores", (), ())
    rows = []
    for comparison in compare_all(report):
        row, first = comparison.published, comparison.differences[0]
        others = ", ".join(dict.fromkeys(reason.partition(":")[0] for reason in comparison.differs))
        same = row.name.startswith("human") or not others
        rows.append((row.name, number(row.overall, 1), signed(first.difference, 1), "" if same else others))
    head = ("", "accuracy", "here minus it", "settings that differ or are unknown")
    average = HUMAN.average.capitalize()
    about = f"{average}, as published. The difference reflects the models only if no settings differ."
    return Table("Published scores", head, tuple(rows), (about,), numbers=False)


def _fields(report: PairsReport) -> Table:
    rows = tuple(map(_group, report.fields))
    head = ("field", "paradigms", "pairs", "accuracy", INTERVAL)
    return Table("By field: mean over its paradigms", head, rows)


def _lengths(report: PairsReport) -> Table:
    rows = tuple(_group(group) for group in report.lengths if group.accuracy.n)
    head = ("good and bad sentence", "paradigms", "pairs", "accuracy", INTERVAL)
    return Table("By difference in length: over pairs", head, rows, (_ABOUT_LENGTH,))


def _paradigms(report: PairsReport) -> Table:
    rows = tuple(_paradigm(group) for group in report.paradigms)
    head = ("paradigm", "pairs", "accuracy", INTERVAL, "ties", "unscored")
    return Table("By paradigm", head, rows, long=len(rows) > 1)


def _paradigm(group: AccuracyGroup) -> tuple[str, ...]:
    accuracy = group.accuracy
    values = (number(accuracy.value), interval(accuracy.low, accuracy.high))
    return (group.name, f"{accuracy.n:,}", *values, f"{accuracy.ties:,}", f"{accuracy.unscored:,}")


def unscored_reasons(run: Run) -> dict[str, int]:
    """Number of pairs without a score by reason, the most common first."""
    found = Counter(outcome.reason or "no_score" for outcome in run.outcomes if outcome.decision == "unscored")
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))


def _unscored(run: Run) -> Table:
    rows = tuple((reason, f"{n:,}") for reason, n in unscored_reasons(run).items())
    return Table("Without a score", ("side and reason", "pairs"), rows, ("They do not enter any accuracy.",))


def notes(run: Run, remarks: Iterable[str] = ()) -> tuple[str, ...]:
    """Notes on the sample, omissions and undefined averages, after the given remarks on the selection."""
    report = run.report
    averages = (report.overall, report.overall_phenomena, report.overall_pairs)
    reasons = dict.fromkeys(f"{_short(each)}: undefined, {each.reason}." for each in averages if each.reason)
    partial = dict.fromkeys(f"Averages: {each.average}." for each in averages if each.average != _short(each))
    return (*remarks, *_sampled(run), *reasons, *partial, _ABOUT_INTERVALS)


def _sampled(run: Run) -> Iterator[str]:
    sample = run.sample
    if sample is None:
        return
    yield f"Sample: {len(sample.pairs):,} pairs, drawn evenly from all paradigms with seed {sample.seed}."
    if sample.short:
        some = ", ".join(f"{name} ({left})" for name, left in sample.short[:3])
        yield f"{count(len(sample.short), 'paradigm')} with fewer pairs than requested, all used: {some}."
    if sample.left_out:
        few = "because fewer pairs than paradigms were requested"
        yield f"{count(len(sample.left_out), 'paradigm')} without a pair, {few}."


def settings_rows(report: PairsReport) -> tuple[tuple[str, str], ...]:
    """Names and values of all settings that can change a number, the signature last."""
    return (("model", report.model), ("method", report.method), *report.settings, ("signature", report.signature))
