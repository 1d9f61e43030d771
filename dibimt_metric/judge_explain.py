"""An explanation as text and as a record: everything that led to one label.

Both are made from the judgment and the analyses in the explanation; nothing is computed again. Scores are made from the
same judgments (see ``judge``), so the text shows exactly what counts.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from .analysis import Analysis
from .analysis import Annotation
from .analysis import Token
from .analysis import Word
from .judge import Explanation
from .records import Candidate
from .records import CandidateSet
from .records import Dropped
from .records import Item
from .records import Judgment
from .records import Label
from .records import Match

POS_NAMES = {"n": "noun", "a": "adjective", "v": "verb", "r": "adverb"}
_WIDEST_CELL = 60  # a "word" may be a megabyte long; its offsets say the rest
_MATCH_HEADER = ("set", "candidate", "rule", "chars", "text", "analyzer")


def explain_text(explanation: Explanation, hypotheses: int = 1) -> str:
    r"""Everything that led to a label, as lines of text for a terminal.

    The parts: source and focus (where known), candidates, translation; for each analyzer its words with character
    offsets and lemmas; the matches; the dropped matches with reasons; the label with its reason. Control and other
    invisible characters are written as escapes, such as ``\u200b``.

    Args:
        explanation: from `Judge.explain`.
        hypotheses: length of the n-best list of the translation; above 1, the number of the hypothesis is shown.

    Example:
        >>> from dibimt_metric.judge import Judge
        >>> from dibimt_metric.items import make_item
        >>> item = make_item({"id": "1", "good": ["Ufer"], "bad": ["Bank"]})
        >>> print(explain_text(Judge("de").explain(item, "am Ufer")))
        item         1 (de)
        good         Ufer
        bad          Bank
        translation  am Ufer
        <BLANKLINE>
        Words read by simplemma
        chars  word  lemmas  match
        0-2    am    am
        3-7    Ufer  Ufer    GOOD
        <BLANKLINE>
        Matches
        set   candidate  rule   chars  text  analyzer
        GOOD  Ufer       lemma  3-7    Ufer  simplemma
        <BLANKLINE>
        GOOD because only candidates of the GOOD list were found: 'Ufer'.
    """
    judgment = explanation.judgment
    parts = [_head(explanation, hypotheses)]
    parts += [_reading(analysis, judgment) for analysis in explanation.analyses]
    parts.append(_matches(judgment.matches))
    parts += [_dropped(judgment.dropped)] if judgment.dropped else []
    parts.append([printable(reason(judgment, explanation.item, hypotheses))])
    return "\n\n".join("\n".join(lines) for lines in parts)


def explain_dict(explanation: Explanation, hypotheses: int = 1) -> dict[str, Any]:
    """The same as a record for JSON; it begins with the keys of `judgment_record`.

    Example:
        >>> from dibimt_metric.judge import Judge
        >>> from dibimt_metric.items import make_item
        >>> item = make_item({"id": "1", "good": ["Ufer"], "bad": ["Bank"]})
        >>> record = explain_dict(Judge("de").explain(item, "am Fluss"))
        >>> record["label"], record["reason"]
        ('MISS', 'MISS because no candidate of either list was found.')
    """
    return {
        **judgment_record(explanation.judgment),
        "reason": reason(explanation.judgment, explanation.item, hypotheses),
        "language": explanation.judgment.language,
        "hypotheses": hypotheses,
        "translation": explanation.translation,
        "item": asdict(explanation.item),
        "analyses": [_analysis_record(analysis) for analysis in explanation.analyses],
        "active_rules": list(explanation.active_rules),
    }


def judgment_record(judgment: Judgment) -> dict[str, Any]:
    """A judgment as a flat record for JSON: one line of a file of labels.

    Keys: ``id, label, matches, chosen_frequency_index, hypothesis, dropped``; of a match: ``set, candidate, rule,
    start, end, text, spans, analyzer, flagged``; of a dropped match also ``reason``.

    Example:
        >>> from dibimt_metric.judge import Judge
        >>> from dibimt_metric.items import make_item
        >>> item = make_item({"id": "1", "good": ["Ufer"], "bad": ["Bank"]})
        >>> list(judgment_record(Judge("de").judge(item, "am Fluss")))
        ['id', 'label', 'matches', 'chosen_frequency_index', 'hypothesis', 'dropped']
    """
    return {
        "id": judgment.item_id,
        "label": judgment.label.value,
        "matches": [_match_record(match) for match in judgment.matches],
        "chosen_frequency_index": judgment.chosen_frequency_index,
        "hypothesis": judgment.hypothesis,
        "dropped": [{**_match_record(each.match), "reason": each.reason} for each in judgment.dropped],
    }


def reason(judgment: Judgment, item: Item, hypotheses: int = 1) -> str:
    """Why the translation got its label, in one sentence; ``hypotheses``: length of the n-best list.

    Example:
        >>> from dibimt_metric.judge import Judge
        >>> from dibimt_metric.items import make_item
        >>> item = make_item({"id": "1", "good": ["Ufer"], "bad": ["Bank"]})
        >>> reason(Judge("de").judge(item, "Am Ufer steht eine Bank."), item)
        "UNK because candidates of both lists were found: GOOD 'Ufer', BAD 'Bank'."
    """
    label = judgment.label
    good, bad = (_quoted(judgment, which) for which in (CandidateSet.GOOD, CandidateSet.BAD))
    if label is Label.MISS:
        return f"MISS because {_why_missed(judgment, hypotheses)}."
    if label is Label.UNK:
        return f"UNK because candidates of both lists were found: GOOD {good}, BAD {bad}."
    if label is Label.GOOD:
        return f"GOOD because only candidates of the GOOD list were found: {good}."
    return f"BAD because only candidates of the BAD list were found: {bad}; {_sense_shown(judgment, item)}."


def printable(text: str) -> str:
    r"""The text with control and other invisible characters as escapes.

    Example:
        >>> printable("a\u200bb\n")
        'a\\u200bb\\n'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def aligned(header: Sequence[str], rows: Iterable[Sequence[str]], right: Collection[int] = ()) -> tuple[str, ...]:
    r"""Lines of a table with aligned columns; East Asian characters count as two columns wide.

    Args:
        header: titles of the columns (empty: no line of titles).
        rows: the cells; short rows are filled up. Over-long cells are cut, except in the last column.
        right: numbers of the columns that are aligned to the right.

    Example:
        >>> rows = [("accuracy", "7.50"), ("SFI", "100.00")]
        >>> print("\n".join(aligned(("metric", "value"), rows, right={1})))
        metric     value
        accuracy    7.50
        SFI       100.00
    """
    table = [tuple(row) for row in ([header] if header else []) + list(rows)]
    last = max((len(row) for row in table), default=0) - 1
    table = [_filled(row, last) for row in table]
    widths = [max(_width(row[column]) for row in table) for column in range(last + 1)]
    return tuple(_line(row, widths, right) for row in table)


def _filled(row: Sequence[str], last: int) -> tuple[str, ...]:
    cells = (*row, *[""] * (last + 1 - len(row)))
    return (*map(_cut, cells[:last]), *map(printable, cells[last:]))


def _line(row: Sequence[str], widths: Sequence[int], right: Collection[int]) -> str:
    cells = []
    for column, (cell, width) in enumerate(zip(row, widths, strict=True)):
        space = " " * (width - _width(cell))
        cells.append(space + cell if column in right else cell + space)
    return "  ".join(cells).rstrip()


def _cut(cell: str) -> str:
    shown = printable(cell[: _WIDEST_CELL + 1])
    return shown if len(shown) <= _WIDEST_CELL else shown[: _WIDEST_CELL - 1] + "…"


def _width(text: str) -> int:
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    marks = sum(unicodedata.category(character) in ("Mn", "Me") for character in text)
    return len(text) + wide - marks


def _head(explanation: Explanation, hypotheses: int) -> list[str]:
    item, judgment = explanation.item, explanation.judgment
    fields = {
        "item": f"{item.id} ({judgment.language})",
        "source": _marked_source(item),
        "focus": _focus(item) or None,
        "good": _lemmas(item.good),
        "bad": _lemmas(item.bad),
        "translation": explanation.translation or "(empty)",
        "hypothesis": f"number {judgment.hypothesis} of {hypotheses}, counted from 0" if hypotheses > 1 else None,
    }
    # Not a table: these texts are shown whole.
    return [f"{name:<11}  {printable(text)}" for name, text in fields.items() if text is not None]


def _marked_source(item: Item) -> str | None:
    source, focus = item.source, item.focus
    if focus is None or source is None:
        return source
    return f"{source[: focus.start]}[{source[focus.start : focus.end]}]{source[focus.end :]}"


def _focus(item: Item) -> str:
    rank = f"sense {item.frequency_index}" if item.frequency_index is not None else ""
    if item.polysemy is not None:
        rank = f"{rank or 'sense of unknown rank'} of {item.polysemy}"
    facts = (item.lemma, POS_NAMES[item.pos.value] if item.pos else None, rank, item.synset)
    known = ", ".join(fact for fact in facts if fact)
    return ": ".join(part for part in (known, item.definition) if part)


def _lemmas(candidates: Sequence[Candidate]) -> str:
    return ", ".join(candidate.lemma for candidate in candidates) or "(none)"


def _reading(analysis: Analysis, judgment: Judgment) -> list[str]:
    lines = [f"Words read by {analysis.analyzer}"]
    if analysis.normalized != analysis.text:
        lines.append(f"(read as: {printable(analysis.normalized)})")
    if not analysis.words:
        return [*lines, "(none)"]
    header = ["chars", "word", "lemmas"]
    header += ["upos"] if Annotation.UPOS in analysis.annotations else []
    header += ["relation"] if Annotation.RELATIONS in analysis.annotations else []
    return [*lines, *aligned([*header, "match"], _reading_rows(analysis, judgment))]


def _reading_rows(analysis: Analysis, judgment: Judgment) -> Iterator[list[str]]:
    marks = _marks(judgment, analysis.analyzer)
    for token in analysis.tokens:
        mark = marks.get((token.start, token.end), "")
        words = analysis.words[token.first : token.last]
        if len(words) == 1:
            yield [*_word_cells(analysis, words[0], ""), mark]
            continue
        blank = [""] * (len(analysis.annotations & {Annotation.UPOS, Annotation.RELATIONS}))
        yield [f"{token.start}-{token.end}", token.text, ", ".join(token.lemmas), *blank, mark]
        for number, word in enumerate(words):
            # Words of a fused token share its span: what was found there is marked at the token only.
            own = (word.start, word.end) != (token.start, token.end)
            mark = marks.get((word.start, word.end), "") if own else ""
            yield [*_word_cells(analysis, word, "  + " if number else "  = "), mark]


def _word_cells(analysis: Analysis, word: Word, indent: str) -> list[str]:
    cells = [f"{word.start}-{word.end}", indent + word.text, ", ".join(word.lemmas)]
    if Annotation.UPOS in analysis.annotations:
        cells.append(word.upos or "")
    if Annotation.RELATIONS in analysis.annotations:
        has_head = word.head is not None and word.head >= 0
        head = f" of {analysis.words[word.head or 0].text}" if has_head else ""
        cells.append((word.relation or "") + head)
    return cells


def _marks(judgment: Judgment, analyzer: str) -> dict[tuple[int, int], str]:
    """Span -> the lists whose candidates were found there, also those dropped."""
    found: dict[tuple[int, int], dict[str, None]] = {}
    for match in judgment.matches:
        for span in match.spans if match.analyzer == analyzer else ():
            found.setdefault(span, {})[match.set.name] = None
    for each in judgment.dropped:
        for span in each.match.spans if each.match.analyzer == analyzer else ():
            found.setdefault(span, {})[f"({each.match.set.name}, dropped)"] = None
    return {span: " ".join(names) for span, names in found.items()}


def _matches(matches: Sequence[Match]) -> list[str]:
    if not matches:
        return ["Matches", "(none)"]
    flagged = any(match.flagged for match in matches)
    header = (*_MATCH_HEADER, "note") if flagged else _MATCH_HEADER
    rows = [(*_match_cells(match), "flagged: unsafe rule" if match.flagged else "") for match in matches]
    return ["Matches", *aligned(header, [row[: len(header)] for row in rows])]


def _dropped(dropped: Sequence[Dropped]) -> list[str]:
    rows = [(*_match_cells(each.match), each.reason) for each in dropped]
    return ["Found and not counted", *aligned((*_MATCH_HEADER, "reason"), rows)]


def _match_cells(match: Match) -> tuple[str, ...]:
    chars = ", ".join(f"{start}-{end}" for start, end in match.spans)
    return (match.set.name, match.candidate, match.rule, chars, match.text, match.analyzer)


def _quoted(judgment: Judgment, which: CandidateSet) -> str:
    found = dict.fromkeys(match.candidate for match in judgment.matches if match.set is which)
    return ", ".join(f"'{candidate}'" for candidate in found)


def _why_missed(judgment: Judgment, hypotheses: int) -> str:
    where = f" in any of the {hypotheses} hypotheses" if hypotheses > 1 else ""
    if judgment.matches:
        return "no hypothesis is GOOD or BAD, and one with candidates of both lists decides nothing"
    if judgment.dropped:
        return f"no candidate that counts was found{where} (what was found was dropped)"
    return f"no candidate of either list was found{where}"


def _sense_shown(judgment: Judgment, item: Item) -> str:
    if judgment.chosen_frequency_index is None:
        return "the rank of the sense they show is not known"
    right = f", the right one is sense {item.frequency_index}" if item.frequency_index is not None else ""
    return f"they show sense {judgment.chosen_frequency_index}{right}"


def _match_record(match: Match) -> dict[str, Any]:
    return {**asdict(match), "set": match.set.value, "spans": [list(span) for span in match.spans]}


def _analysis_record(analysis: Analysis) -> dict[str, Any]:
    return {
        "analyzer": analysis.analyzer,
        "annotations": sorted(annotation.value for annotation in analysis.annotations),
        "normalized": analysis.normalized,
        "tokens": [_token_record(analysis, token) for token in analysis.tokens],
    }


def _token_record(analysis: Analysis, token: Token) -> dict[str, Any]:
    return {
        "text": token.text,
        "start": token.start,
        "end": token.end,
        "lemmas": list(token.lemmas),
        "words": [word._asdict() for word in analysis.words[token.first : token.last]],
    }


def words_found(match: Match) -> str:
    """The words of a match, with an ellipsis for the words between them."""
    words, end = "", match.start
    for start, stop in match.spans:
        between = match.text[end - match.start : start - match.start]
        words += between if not between.strip() else " … "
        words += match.text[max(start, end) - match.start : stop - match.start]
        end = max(end, stop)
    return words
