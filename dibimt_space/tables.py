"""The tables of a scored file: scores with their basis, breakdowns, items with their labels."""

from __future__ import annotations

from collections.abc import Iterator

from dibimt_common.format import UNDEFINED, count, interval, interval_title, number
from dibimt_common.html import Html, details, element, join, page, table, text
from dibimt_metric.judge import Prediction
from dibimt_metric.judge_explain import POS_NAMES, words_found
from dibimt_metric.languages import LANGUAGE_NAMES
from dibimt_metric.records import Item, Judgment, Label
from dibimt_metric.score_breakdown import UNKNOWN, Cell, by_frequency_index, by_polysemy, by_pos
from dibimt_metric.score_measures import BIAS_METRICS

from .page_html import MEANINGS, badge, marked
from .score_file import Scored
from .sentence import signature

METRICS = {
    "accuracy": ("accuracy", "share of GOOD among GOOD and BAD; higher is better"),
    "sfi": ("SFI", "mean accuracy over the ranks of the right sense; higher is better"),
    "pdi": ("PDI", "mean accuracy over the numbers of senses; higher is better"),
    "mfs": ("MFS", "share of BAD that show the most frequent sense; lower is better"),
    "mfs_plus": ("MFS+", "share of BAD that show a sense more frequent than the right one; lower is better"),
    "coverage": ("coverage", "share of items that are GOOD or BAD"),
}
_COUNTS = ("n", "GOOD", "BAD", "MISS", "UNK")
_SHOWN_MATCHES = 10


def scored_html(scored: Scored) -> Html:
    """Everything that is shown of a scored file."""
    title = f"{count(scored.result.scores.counts.n, 'item')}, {LANGUAGE_NAMES[scored.result.language]}: "
    return page(
        element("p", title, _labels(scored), role="status"),
        scores_table(scored),
        details("Accuracy by rank of the sense, number of senses, part of speech", *_breakdowns(scored)),
        items_table(scored),
        signature(scored.result.signature),
    )


def _labels(scored: Scored) -> Html:
    counts = _counted(scored)
    return join((join((badge(label), Html("&nbsp;"), counts[label])) for label in Label), "&ensp; ")


def _counted(scored: Scored) -> dict[Label, int]:
    counts = scored.result.scores.counts
    return dict(zip(Label, (counts.good, counts.bad, counts.miss, counts.unk), strict=True))


def scores_table(scored: Scored) -> Html:
    """Each measure with its value and basis, or the reason why it is undefined."""
    header = ["Measure", "Percent"]
    header += [interval_title(scored.result.intervals.level)] if scored.result.intervals else []
    rows = [_score_row(scored, metric) for metric in METRICS]
    return table([*header, "Based on"], rows, "Scores", range(1, len(header)), texts={0, len(header)})


def _score_row(scored: Scored, metric: str) -> list[object]:
    name, meaning = METRICS[metric]
    measure = scored.result.scores.measure(metric)
    cells: list[object] = [join((element("strong", name), Html("<br>"), element("span", meaning, class_="quiet")))]
    cells.append(number(measure.value, undefined=UNDEFINED))
    cells += [_interval(scored, metric)] if scored.result.intervals else []
    return [*cells, measure.reason or _basis(scored, metric)]


def _interval(scored: Scored, metric: str) -> str:
    if scored.result.intervals is None or metric not in BIAS_METRICS:
        return ""
    each = scored.result.intervals.interval(metric)
    return interval(each.low, each.high, undefined=UNDEFINED)


def _basis(scored: Scored, metric: str) -> str:
    scores = scored.result.scores
    measure, choices = scores.measure(metric), scores.choices
    if metric in ("sfi", "pdi"):
        missing = scores.sfi_left_out if metric == "sfi" else scores.pdi_left_out
        groups = f"{measure.n} items in {measure.groups_used} of {measure.groups_total} groups"
        return groups + (f"; {missing} without a known number left out" if missing else "")
    if metric in ("mfs", "mfs_plus"):
        return f"{measure.n} of {choices.bad} BAD items, whose sense is known"
    return f"{measure.n} items"


def _breakdowns(scored: Scored) -> Iterator[Html]:
    outcomes = scored.result.outcomes
    tables = (
        ("By rank of the right sense", by_frequency_index(outcomes)),
        ("By number of senses", by_polysemy(outcomes)),
        ("By part of speech", by_pos(outcomes)),
    )
    for caption, cells in tables:
        rows = [_cell_row(cell) for cell in cells if cell.counts.n]
        yield table(("", *_COUNTS, "Accuracy"), rows, caption, range(1, len(_COUNTS) + 2))


def _cell_row(cell: Cell) -> tuple[object, ...]:
    counts = cell.counts
    name = "not given" if cell.name == UNKNOWN else POS_NAMES.get(cell.name, cell.name)
    accuracy = number(cell.accuracy.value, undefined=UNDEFINED)
    return (name, counts.n, counts.good, counts.bad, counts.miss, counts.unk, accuracy)


def items_table(scored: Scored) -> Html:
    """All items with their labels; the table can be narrowed to one label, without asking the server."""
    rows = zip(scored.items, scored.predictions, scored.result.judgments, strict=True)
    cells = (_item_cells(*row, scored.result.language) for row in rows)
    shown = table(("Label", "Item", "Focus", "Translation", "Found"), cells, "Items", texts={3, 4})
    return element("div", _filter(scored), shown, class_="items")


def _filter(scored: Scored) -> Html:
    counts = _counted(scored)
    choices = [_choice("all", f"all ({sum(counts.values())})", checked="checked")]
    choices += [_choice(label.value, f"{label.value} ({counts[label]})") for label in Label]
    return element("fieldset", element("legend", "Show"), *choices)


def _choice(value: str, shown: str, checked: str | None = None) -> Html:
    attributes = f' checked="{checked}"' if checked else ""
    return element("label", Html(f'<input type="radio" name="dibimt-show" value="{text(value)}"{attributes}> '), shown)


def _item_cells(item: Item, prediction: Prediction, judgment: Judgment, language: str) -> tuple[object, ...]:
    translation = prediction[judgment.hypothesis].text
    return (
        badge(judgment.label),
        item.id,
        item.focus.text if item.focus else item.lemma or "",
        marked(translation, judgment, language) if translation else element("em", "empty"),
        _found(judgment),
    )


def _found(judgment: Judgment) -> Html:
    found = [f"{match.set.name} {match.candidate}: {words_found(match)} ({match.rule})" for match in judgment.matches]
    left_out = [f"left out {each.match.candidate}: {each.reason}" for each in judgment.dropped]
    lines = list(dict.fromkeys(found + left_out)) or [MEANINGS[Label.MISS]]
    lines[_SHOWN_MATCHES:] = [f"and {len(lines) - _SHOWN_MATCHES} more"] if len(lines) > _SHOWN_MATCHES else []
    return join(element("div", line) for line in lines)


STYLE = "".join(
    f'.dibimt .items:has(input[value="{label.value}"]:checked) tbody tr:not(:has(.label-{label.value.lower()}))'
    " { display: none; }\n"
    for label in Label
)
