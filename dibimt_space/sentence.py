"""One sentence: the fields of the form, made into an item, judged and explained. Knows nothing of gradio."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import Any

from dibimt_common.html import Html, details, element, join, page, scrolling, table
from dibimt_metric.analysis import Analyzer
from dibimt_metric.analyzers import load_analyzers
from dibimt_metric.errors import InputError, shown
from dibimt_metric.items import check_row
from dibimt_metric.items_reading import fingerprint
from dibimt_metric.judge import Explanation, Judge
from dibimt_metric.judge_explain import explain_dict, explain_text, reason, words_found
from dibimt_metric.languages import LANGUAGE_NAMES, LANGUAGES, default_analyzers, language_rules
from dibimt_metric.records import Item, Match
from dibimt_metric.signature import Signature, make_signature

from .page_html import badge, marked

MAX_TEXT = 1000
"""Characters of the translation and of the English sentence."""
MAX_CANDIDATES = 30
"""Candidates in one list."""
MAX_CANDIDATE = 100
"""Characters of a candidate."""
MAX_WILDCARDS = 5
"""Wildcards in a candidate: each one may multiply the places that have to be searched."""

_SHOWN_ROWS = 50
_SHOWN_CHARACTERS = 20_000

_SEPARATOR = re.compile(r"[,，、\n]")
_NO_RULE = "the words of the candidate, each in any of its forms"


@dataclass(frozen=True, slots=True)
class Answer:
    """One labeled sentence: everything that led to the label, and every choice that can change it."""

    explanation: Explanation
    signature: Signature


# Dictionaries take seconds to load: the first users of a language wait for one of them to do it.
_LOADING = {code: Lock() for code in LANGUAGES}


@cache
def _analyzers(language: str) -> tuple[Analyzer, ...]:
    return tuple(load_analyzers(default_analyzers(language), language))


def make_judge(language: str, nbest: str = "oracle") -> Judge:
    """A new judge, which remembers the items that it has seen; only the analyzers and their dictionaries are shared."""
    code = language_rules(language).code
    with _LOADING[code]:
        analyzers = _analyzers(code)
    return Judge(code, analyzers, nbest=nbest)


def label_sentence(language: str, translation: str, good: str, bad: str, source: str = "", focus: str = "") -> Answer:
    """Label one translation.

    Candidates are separated by commas or line breaks. ``source``, the English sentence, is only shown; ``focus`` is the
    ambiguous word in it.

    Raises:
        InputError: something cannot be used, or is longer than this page accepts.

    >>> label_sentence("de", "Wir saßen am Ufer.", "Ufer, Flussufer", "Bank").explanation.judgment.label.value
    'GOOD'
    """
    translation = _line(translation, "the translation")
    if not translation:
        raise InputError("the translation is empty; write or paste one")
    item = _item(good, bad, _line(source, "the English sentence"), _line(focus, "the focus"))
    judge = make_judge(language)
    fields = {**judge.signature_fields(), "data": fingerprint([item])}
    return Answer(judge.explain(item, translation), make_signature(fields))


def candidates(written: str, name: str) -> tuple[str, ...]:
    """The candidates of a field of the form.

    >>> candidates("Ufer, Flussufer", "good")
    ('Ufer', 'Flussufer')
    """
    found = tuple(part.strip() for part in _SEPARATOR.split(_string(written, name)) if part.strip())
    check_candidates(found, name, MAX_CANDIDATES)
    return found


def check_candidates(lemmas: Sequence[str], name: str, most: int) -> None:
    """Reject what would take too long."""
    if len(lemmas) > most:
        raise InputError(f"{name}: {len(lemmas)} candidates; this page accepts at most {most}")
    for lemma in lemmas:
        if len(lemma) > MAX_CANDIDATE or lemma.split().count("*") > MAX_WILDCARDS:
            raise InputError(
                f"{name}: candidate {shown(lemma)} is too long; this page accepts at most {MAX_CANDIDATE} characters "
                f"and {MAX_WILDCARDS} wildcards in a candidate"
            )


def _item(good: str, bad: str, source: str, focus: str) -> Item:
    row: dict[str, Any] = {
        "id": "sentence",
        "good": candidates(good, "good candidates"),
        "bad": candidates(bad, "bad candidates"),
        "source": source or None,
        "lemma": focus or None,
        "focus": _focus(source, focus) if source and focus else None,
    }
    item, problems = check_row(row)
    if item is None:
        raise InputError("\n".join(f"{problem.message} ({problem.code})" for problem in problems))
    return item


def _focus(source: str, focus: str) -> dict[str, Any]:
    found = re.search(rf"(?<!\w){re.escape(focus)}(?!\w)", source, re.IGNORECASE)
    if found is None:
        raise InputError(
            f"the focus {shown(focus)} is not in the English sentence; write it exactly as it occurs there"
        )
    return {"text": found.group(), "start": found.start(), "end": found.end()}


def _line(value: object, name: str) -> str:
    given = " ".join(_string(value, name).split("\n")).strip()
    if len(given) > MAX_TEXT:
        raise InputError(f"{name} has {len(given)} characters; this page accepts at most {MAX_TEXT}")
    return given


def _string(value: object, name: str) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise InputError(f"{name} must be a text, not {shown(value)}")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError(f"{name}: character {error.start} is half of a character; remove it") from error
    return value.replace("\r\n", "\n").replace("\r", "\n")


def answer_record(answer: Answer) -> dict[str, Any]:
    """The answer as a record for JSON: see `explain_dict`, with the signature."""
    return {**explain_dict(answer.explanation), "signature": str(answer.signature)}


def answer_html(answer: Answer) -> Html:
    """The answer for the page."""
    explanation = answer.explanation
    judgment, item = explanation.judgment, explanation.item
    name = LANGUAGE_NAMES[judgment.language]
    parts = [
        element("p", badge(judgment.label, "big"), role="status"),
        element("p", reason(judgment, item)),
        element("h2", f"Translation, {name}"),
        element("p", marked(explanation.translation, judgment, judgment.language), class_="translation"),
    ]
    parts += [element("p", "English: ", _source(item), class_="quiet")] if item.source else []
    parts += [_found(explanation)] if judgment.matches else []
    parts += [_left_out(explanation)] if judgment.dropped else []
    reading = scrolling(element("pre", join(_shortened(explain_text(explanation)).split("\n"), "\n")), "All words")
    return page(*parts, details("All words with their lemmas", reading), signature(answer.signature))


def signature(line: Signature) -> Html:
    """The signature, which one click selects."""
    return element("p", element("strong", "Signature "), element("code", line), class_="quiet")


def _shortened(plain: str) -> str:
    """A candidate of one letter may be found a thousand times."""
    return plain if len(plain) <= _SHOWN_CHARACTERS else f"{plain[:_SHOWN_CHARACTERS]}\n… and more"


def _source(item: Item) -> Html:
    source, focus = item.source or "", item.focus
    if focus is None:
        return element("span", source, lang="en")
    parts = (source[: focus.start], element("strong", focus.text), source[focus.end :])
    return element("span", *parts, lang="en")


def _found(explanation: Explanation) -> Html:
    rows = [_cells(match) for match in explanation.judgment.matches]
    language = explanation.judgment.language
    used = dict.fromkeys(match.rule for match in explanation.judgment.matches)
    header = ("List", "Candidate", "Words found", "Rule", "Analyzer")
    notes = join(element("p", element("em", rule), ": ", summary_of(rule, language), class_="quiet") for rule in used)
    return join((_rows(header, rows, "What was found"), notes))


def _left_out(explanation: Explanation) -> Html:
    header = ("List", "Candidate", "Words found", "Why", "Rule", "Analyzer")
    cells = ((_cells(each.match), each.reason) for each in explanation.judgment.dropped)
    rows = [(*row[:3], reason, *row[3:]) for row, reason in cells]
    return _rows(header, rows, "What was found and left out", texts=(3,))


def _rows(header: Sequence[str], rows: Sequence[Sequence[str]], caption: str, texts: Sequence[int] = ()) -> Html:
    """A table of the first rows."""
    more = len(rows) - _SHOWN_ROWS
    note = element("p", f"and {more} more", class_="quiet") if more > 0 else ""
    return join((table(header, rows[:_SHOWN_ROWS], caption, texts=texts), note))


def _cells(match: Match) -> tuple[str, ...]:
    rule = f"{match.rule} (unsafe)" if match.flagged else match.rule
    return (match.set.name, match.candidate, words_found(match), rule, match.analyzer)


def summary_of(rule: str, language: str) -> str:
    """What a rule of a language looks for; ``lemma`` is the name where no rule was needed.

    >>> summary_of("lemma", "de")
    'the words of the candidate, each in any of its forms'
    """
    known = {each.name: each.summary for each in language_rules(language).rules}
    return known.get(rule, _NO_RULE)
