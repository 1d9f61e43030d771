"""HTML of labels and of translations with marks, and the style of the page.

A label is told by its word and its sign, never by color alone.
"""

from __future__ import annotations

from itertools import groupby

from dibimt_common import html
from dibimt_common.html import Html, element, text
from dibimt_metric.records import CandidateSet, Judgment, Label, Match

SIGNS = {Label.GOOD: "✓", Label.BAD: "✗", Label.MISS: "∅", Label.UNK: "?"}
MEANINGS = {
    Label.GOOD: "good candidates only",
    Label.BAD: "bad candidates only",
    Label.MISS: "no candidate",
    Label.UNK: "candidates of both lists",
}
_COUNTED = {CandidateSet.GOOD: 1, CandidateSet.BAD: 2}
_LEFT_OUT = 4
_MARKS = {1: ("good", "GOOD"), 2: ("bad", "BAD"), 3: ("both", "GOOD, BAD"), _LEFT_OUT: ("left-out", "left out")}


def badge(label: Label, size: str = "") -> Html:
    """A label with its sign."""
    sign = element("span", SIGNS[label], aria_hidden="true")
    return element("span", sign, Html(" "), label.value, class_=f"label label-{label.value.lower()} {size}".strip())


def marked(translation: str, judgment: Judgment, language: str) -> Html:
    """A translation with all matches marked: those that count, and those that were left out.

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


def _mark(part: str, role: int) -> Html:
    if not role:
        return text(part)
    kind, name = _MARKS[role]
    return element("mark", part, element("small", name), class_=kind)


_LIGHT = """--good: #166534; --good-bg: #dcfce7; --bad: #991b1b; --bad-bg: #fee2e2; --miss: #334155; --miss-bg: #e2e8f0;
  --unk: #854d0e; --unk-bg: #fef3c7;"""
_DARK = """--good: #86efac; --good-bg: #14532d; --bad: #fca5a5; --bad-bg: #7f1d1d; --miss: #e2e8f0; --miss-bg: #334155;
  --unk: #fde68a; --unk-bg: #713f12;"""
STYLE = (
    f"""
.dibimt {{ {html.LIGHT} {_LIGHT} color: inherit; font-size: 1rem; }}
.dark .dibimt {{ {html.DARK} {_DARK} }}
{html.STYLE}"""
    + """
.dibimt a { text-decoration: underline; color: inherit; padding: 0; margin: 0; }
.dibimt .label *, .dibimt mark *, .dibimt .error * { color: inherit; }
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
.dibimt .items .scroll { max-height: 36rem; }
.dibimt table { width: 100%; }
.dibimt th { background: var(--soft); white-space: nowrap; position: sticky; top: 0; }
.dibimt pre { white-space: pre; font-size: .85rem; margin: .3rem 0; }
.dibimt code { font-size: .85rem; overflow-wrap: anywhere; user-select: all; background: var(--soft);
  padding: .1rem .3rem; }
.dibimt fieldset { border: 0; padding: 0; margin: .5rem 0; display: flex; flex-wrap: wrap; gap: .3rem 1rem; }
.dibimt legend { float: left; font-weight: 600; padding: 0; margin-right: 1rem; }
.dibimt fieldset label { cursor: pointer; }
footer, footer * { color: var(--body-text-color) !important; }
"""
)
