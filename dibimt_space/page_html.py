"""HTML of the page: labels, marked translations, tables, messages. Everything that users gave is escaped here.

A label is told by its word and its sign, never by color alone. What stands in a wide table scrolls within it.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING

from dibimt_metric.judge_explain import printable
from dibimt_metric.records import CandidateSet, Label

if TYPE_CHECKING:
    from dibimt_metric.records import Judgment, Match

SIGNS = {Label.GOOD: "✓", Label.BAD: "✗", Label.MISS: "∅", Label.UNK: "?"}
MEANINGS = {
    Label.GOOD: "good candidates only",
    Label.BAD: "bad candidates only",
    Label.MISS: "no candidate",
    Label.UNK: "candidates of both lists",
}
_COUNTED = {CandidateSet.GOOD: 1, CandidateSet.BAD: 2}
_LEFT_OUT = 4
_MARKS = {
    1: ("good", "GOOD"),
    2: ("bad", "BAD"),
    3: ("both", "GOOD, BAD"),
    _LEFT_OUT: ("left-out", "left out"),
}


class Html(str):
    """Text that is HTML already; everything else is escaped when it is put into a page."""


def text(value: object) -> Html:
    r"""What a user gave, so that it can stand in HTML; invisible characters are written as escapes.

    >>> text("<b>\u202e")
    '&lt;b&gt;\\u202e'
    """
    return value if isinstance(value, Html) else Html(escape(printable(str(value))))


def join(parts: Iterable[object], between: str = "") -> Html:
    """The parts one after the other."""
    return Html(between.join(text(part) for part in parts))


def element(tag: str, *content: object, **attributes: object) -> Html:
    """An element with content; attributes that are ``None`` are left out, ``_`` in their names is ``-``.

    >>> element("p", "1 < 2", class_="note")
    '<p class="note">1 &lt; 2</p>'
    """
    given = (
        f' {name.rstrip("_").replace("_", "-")}="{text(value)}"'
        for name, value in attributes.items()
        if value is not None
    )
    return Html(f"<{tag}{''.join(given)}>{join(content)}</{tag}>")


def badge(label: Label, size: str = "") -> Html:
    """A label with its sign."""
    sign = element("span", SIGNS[label], aria_hidden="true")
    return element(
        "span", sign, Html(" "), label.value, class_=f"label label-{label.value.lower()} {size}".strip()
    )


def table(
    header: Sequence[object],
    rows: Iterable[Sequence[object]],
    caption: str,
    numbers: range = range(0),
    texts: Container[int] = (),
) -> Html:
    """A table that scrolls by itself where it is too wide.

    Args:
        header: titles of the columns.
        rows: the cells.
        caption: what the table shows; also the name of the region that can be scrolled by keyboard.
        numbers: columns of numbers, counted from 0.
        texts: columns of longer texts, which are kept readable.
    """
    columns = range(len(header))
    style = ["number" if each in numbers else "text" if each in texts else None for each in columns]
    head = join(
        element("th", cell, scope="col", class_=kind) for cell, kind in zip(header, style, strict=True)
    )
    body = join(
        element("tr", *(element("td", cell, class_=kind) for cell, kind in zip(row, style, strict=True)))
        for row in rows
    )
    inner = (element("caption", caption), element("thead", element("tr", head)), element("tbody", body))
    return scrolling(element("table", *inner), caption)


def scrolling(content: Html, name: str) -> Html:
    """A region that scrolls by itself, by keyboard too."""
    return element("div", content, class_="scroll", role="region", aria_label=name, tabindex=0)


def details(summary: str, *content: object) -> Html:
    """Content that is shown on demand."""
    return element("details", element("summary", summary), *content)


def message(title: str, what: str) -> Html:
    """An error, line by line."""
    lines = join(element("div", line) for line in what.splitlines())
    return page(element("div", element("strong", title), lines, class_="error", role="alert"))


def page(*content: object) -> Html:
    """The frame that all styles hang on."""
    return element("div", *content, class_="dibimt")


def marked(translation: str, judgment: Judgment, language: str) -> Html:
    """A translation with everything that was found in it: what counts, and what was left out.

    >>> from dibimt_metric.judge import Judge
    >>> from dibimt_metric.items import make_item
    >>> item = make_item({"id": "1", "good": ["Ufer"], "bad": ["Bank"]})
    >>> marked("<am> Ufer", Judge("de").judge(item, "<am> Ufer"), "de")
    '<span lang="de">&lt;am&gt; <mark class="good">Ufer<small>GOOD</small></mark></span>'
    """
    roles = [0] * len(translation)
    for match in judgment.matches:
        _add(roles, translation, match, _COUNTED[match.set])
    for each in judgment.dropped:
        _add(roles, translation, each.match, _LEFT_OUT)
    parts: list[Html] = []
    position = 0
    for role, run in groupby(roles, key=lambda role: role & ~_LEFT_OUT or role):
        start, position = position, position + len(list(run))
        parts.append(_mark(translation[start:position], role))
    return element("span", *parts, lang=language)


def _add(roles: list[int], translation: str, match: Match, role: int) -> None:
    """Mark the words of a match; neighbors have one mark together."""
    last = match.start
    for start, end in match.spans:
        first = last if translation[last:start].isspace() else start
        for position in range(first, end):
            roles[position] |= role
        last = end


def _mark(piece: str, role: int) -> Html:
    if not role:
        return text(piece)
    kind, name = _MARKS[role]
    return element("mark", piece, element("small", name), class_=kind)


STYLE = """
.dibimt { --good: #166534; --good-bg: #dcfce7; --bad: #991b1b; --bad-bg: #fee2e2; --miss: #334155;
  --miss-bg: #e2e8f0; --unk: #854d0e; --unk-bg: #fef3c7; --line: #cbd5e1; --soft: #f1f5f9; --quiet: #475569;
  color: inherit; font-size: 1rem; line-height: 1.5; overflow-wrap: anywhere; }
.dark .dibimt { --good: #86efac; --good-bg: #14532d; --bad: #fca5a5; --bad-bg: #7f1d1d; --miss: #e2e8f0;
  --miss-bg: #334155; --unk: #fde68a; --unk-bg: #713f12; --line: #475569; --soft: #1e293b; --quiet: #cbd5e1; }
.dibimt h1 { font-size: 1.6rem; margin: 0 0 .4rem; font-weight: 700; }
.dibimt h2 { font-size: 1.1rem; margin: 1.1rem 0 .4rem; font-weight: 700; }
.dibimt p { margin: .4rem 0; }
.dibimt a { text-decoration: underline; color: inherit; padding: 0; margin: 0; }
.dibimt .label *, .dibimt mark *, .dibimt .error * { color: inherit; }
.dibimt .quiet { color: var(--quiet); font-size: .9rem; }
.dibimt .label { display: inline-block; padding: 0 .5em; border-radius: .3em; font-weight: 700; white-space: nowrap;
  border: 1px solid currentColor; }
.dibimt .label-good { color: var(--good); background: var(--good-bg); }
.dibimt .label-bad { color: var(--bad); background: var(--bad-bg); }
.dibimt .label-miss { color: var(--miss); background: var(--miss-bg); }
.dibimt .label-unk { color: var(--unk); background: var(--unk-bg); }
.dibimt .big { font-size: 2rem; padding: .1em .5em; }
.dibimt mark { padding: 0 .15em; border-radius: .2em; color: inherit; background: var(--soft); }
.dibimt mark small { font-size: .65em; font-weight: 700; margin-left: .3em; vertical-align: .25em; }
.dibimt mark.good { color: var(--good); background: var(--good-bg); border-bottom: 2px solid currentColor; }
.dibimt mark.bad { color: var(--bad); background: var(--bad-bg); border-bottom: 2px dashed currentColor; }
.dibimt mark.both { color: var(--unk); background: var(--unk-bg); border-bottom: 3px double currentColor; }
.dibimt mark.left-out { border-bottom: 2px dotted currentColor; }
.dibimt .translation { font-size: 1.15rem; border-left: 3px solid var(--line); padding-left: .8rem; }
.dibimt .scroll { overflow: auto; max-width: 100%; margin: .3rem 0; }
.dibimt .items .scroll { max-height: 36rem; }
.dibimt table { border-collapse: collapse; border: 0; width: 100%; margin: 0; font-size: .92rem; }
.dibimt tbody, .dibimt thead, .dibimt tr { border: 0; }
.dibimt caption { text-align: left; font-weight: 700; padding: .3rem 0; }
.dibimt th, .dibimt td { text-align: left; vertical-align: top; padding: .3rem .6rem; overflow-wrap: normal;
  border: 0; border-bottom: 1px solid var(--line); }
.dibimt th { background: var(--soft); white-space: nowrap; position: sticky; top: 0; }
.dibimt td.text { min-width: 11rem; }
.dibimt .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.dibimt details { margin: .6rem 0; }
.dibimt summary { cursor: pointer; font-weight: 600; }
.dibimt pre { white-space: pre; font-size: .85rem; margin: .3rem 0; }
.dibimt code { font-size: .85rem; overflow-wrap: anywhere; user-select: all; background: var(--soft);
  padding: .1rem .3rem; }
.dibimt .error { border: 2px solid var(--bad); background: var(--bad-bg); color: var(--bad); border-radius: .4rem;
  padding: .6rem .8rem; }
.dibimt fieldset { border: 0; padding: 0; margin: .5rem 0; display: flex; flex-wrap: wrap; gap: .3rem 1rem; }
.dibimt legend { float: left; font-weight: 600; padding: 0; margin-right: 1rem; }
.dibimt fieldset label { cursor: pointer; }
footer, footer * { color: var(--body-text-color) !important; }
"""
