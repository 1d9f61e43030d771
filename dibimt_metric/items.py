"""Items and candidates made from rows of data, each rule of the format with a code.

Candidates
    E101  empty                                   E104  in both lists after normalization E102  only wildcards
    E105  wildcard joined to a word E103  wildcard at an edge                     E106  no letter or digit in it E107
    not a string or an object with the fields of a candidate
Items
    E201  id missing or not a non-empty string    E206  frequency_index above polysemy E202  id used twice for one
    language          E207  pos is not n, a, v, r E203  focus does not fit the source           E208  unknown language
    E204  frequency_index is not 1, 2, 3 ...      E209  no candidate in either list E205  polysemy is not 1, 2, 3 ...
    E210  a field of the wrong type E211  a field that items do not have
Files
    E301  a line is not JSON                      E302  a line is not an object
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any

from .analysis_text import normalize
from .errors import InputError
from .errors import ItemError
from .errors import Problem
from .errors import shortened
from .errors import shown
from .languages import LANGUAGES
from .records import Candidate
from .records import Focus
from .records import Item
from .records import PartOfSpeech

Synsets = tuple[str, ...]
Indices = tuple[int | None, ...]
Found = tuple[str, str]
"""Code and message of a broken rule."""

_FIELDS = frozenset(field.name for field in fields(Item))
_TEXT_FIELDS = ("source", "lemma", "synset", "definition")
_SHEET_MARK = re.compile(r"(?:P\s?)?([navr]?)", re.IGNORECASE)
_WILDCARD = "*"


def make_item(row: object, line: int | None = None, default_id: str | None = None) -> Item:
    """An `Item` from a mapping with its fields, checked.

    Args:
        row: a mapping with the fields of `Item`; only candidates are required. ``None`` counts as absent.
        line: where it came from, for messages.
        default_id: id for a row without one (``{good: [...], bad: [...]}``).

    Raises:
        ItemError: with every problem of the row.

    >>> make_item({"id": "a", "good": ["Ufer"], "bad": ["Bank", "* Bank"]})
    Traceback (most recent call last):
    ...
    dibimt_metric.errors.ItemError: 1 problem in items:
      E103 item 'a': bad candidate '* Bank' begins or ends with the wildcard; remove it there
    """
    item, problems = check_row(row, line, default_id)
    if item is None:
        raise item_error(problems)
    return item


def check_row(
    row: object, line: int | None = None, default_id: str | None = None
) -> tuple[Item | None, tuple[Problem, ...]]:
    """The item of a row, or ``None`` and all that is wrong with the row."""
    row = _as_mapping(row)
    if not isinstance(row, Mapping):
        return None, (Problem("E302", f"an item is an object with 'good' and 'bad', not {shown(row)}", line=line),)
    values = {key: value for key, value in row.items() if value is not None}
    values.setdefault("id", default_id)
    item_id = values["id"] if isinstance(values["id"], str) else None
    good, good_problems = _candidates(values.get("good", ()), "good")
    bad, bad_problems = _candidates(values.get("bad", ()), "bad")
    found = [
        *_id_problems(values["id"]),
        *_field_problems(values),
        *_number_problems(values),
        *good_problems,
        *bad_problems,
        *_list_problems(good, bad, bool(good_problems or bad_problems)),
    ]
    problems = tuple(Problem(code, message, item_id, line) for code, message in found)
    return (None, problems) if problems else (_item(values, good, bad), ())


def check_rows(rows: Iterable[object], where: str) -> tuple[Item, ...]:
    """The items of several rows; a line is a place among the rows, counted from 1. See `check_lines`.

    >>> check_rows([{"id": "a", "good": ["Ufer"]}, {"id": "b", "bad": ["Bank"]}], "rows")[1].id
    'b'
    """
    return check_lines(enumerate(rows, 1), where)


def check_lines(lines: Iterable[tuple[int, object]], where: str) -> tuple[Item, ...]:
    """The items of numbered rows, whose ids are unique within a language; a row without a language is for all.

    Args:
        lines: number, and a mapping with the fields of an item, an item, or the problem that was found instead.
        where: what the rows are of, for the message.

    Raises:
        ItemError: with every problem of every row.
    """
    items: list[Item] = []
    problems: list[Problem] = []
    ids: dict[str, dict[object, int]] = {}
    for line, row in lines:
        if isinstance(row, Problem):
            problems.append(row)
            continue
        item, found = check_row(row, line)
        problems += [*found, *_id_repeats(row, line, ids)]
        items += [item] if item is not None else []
    if problems:
        raise item_error(tuple(problems), where)
    return tuple(items)


def _id_repeats(row: object, line: int, ids: dict[str, dict[object, int]]) -> Iterator[Problem]:
    """E202 where the id of a row is used already, whatever else is wrong with it; ``ids``: the lines so far."""
    row = _as_mapping(row)
    if not isinstance(row, Mapping) or not isinstance(row.get("id"), str):
        return
    language = row.get("language") if isinstance(row.get("language"), str) else None
    lines = ids.setdefault(row["id"], {})
    used = [first for other, first in lines.items() if language is None or other in (None, language)]
    if used:
        message = f"this id is used already in line {used[0]}; ids are unique within a language"
        yield Problem("E202", message, row["id"], line)
    lines.setdefault(language, line)


def _as_mapping(row: object) -> object:
    return {name: getattr(row, name) for name in _FIELDS} if isinstance(row, Item) else row


def item_error(problems: tuple[Problem, ...], where: str = "items") -> ItemError:
    """One error for all problems; the message shows the first 20."""
    lines = [f"{len(problems)} problem{'s' if len(problems) != 1 else ''} in {where}:"]
    return ItemError("\n".join([*lines, *shortened([str(problem) for problem in problems])]), problems)


def _item(values: Mapping[str, Any], good: tuple[Candidate, ...], bad: tuple[Candidate, ...]) -> Item:
    focus = values.get("focus")
    return Item(
        id=values["id"],
        focus=focus if focus is None or isinstance(focus, Focus) else Focus(**focus),
        pos=PartOfSpeech(values["pos"]) if "pos" in values else None,
        good=good,
        bad=bad,
        frequency_index=values.get("frequency_index"),
        polysemy=values.get("polysemy"),
        language=values.get("language"),
        **{name: values.get(name) for name in _TEXT_FIELDS},
    )


def _id_problems(value: object) -> Iterator[Found]:
    if not isinstance(value, str) or not value.strip():
        yield "E201", f"'id' is a non-empty string, not {shown(value)}"


def _field_problems(values: Mapping[str, Any]) -> Iterator[Found]:
    for name in sorted(str(key) for key in values if key not in _FIELDS):
        yield "E211", f"items have no field {name!r:.40}; their fields are {', '.join(sorted(_FIELDS))}"
    for name in _TEXT_FIELDS:
        if not isinstance(values.get(name, ""), str):
            yield "E210", f"{name!r} is a string, not {shown(values[name])}"
    if "pos" in values and values["pos"] not in [pos.value for pos in PartOfSpeech]:
        yield "E207", f"'pos' is one of n, a, v, r, not {shown(values['pos'])}"
    if values.get("language", LANGUAGES[0]) not in LANGUAGES:
        yield "E208", f"unknown language {shown(values['language'])}; expected one of {', '.join(LANGUAGES)}"
    if "focus" in values:
        yield from _focus_problems(values["focus"], values.get("source"))


def _focus_problems(focus: object, source: object) -> Iterator[Found]:
    if isinstance(focus, Focus):
        focus = {"text": focus.text, "start": focus.start, "end": focus.end}
    if not isinstance(focus, Mapping) or focus.keys() != {"text", "start", "end"}:
        yield "E203", f"'focus' has exactly the fields text, start, end, not {shown(focus)}"
        return
    start, end = focus["start"], focus["end"]
    if not isinstance(source, str) or not _is_count(start, 0) or not _is_count(end, 1):
        yield "E203", "'focus' needs a 'source', and integers 'start' and 'end'"
    elif not start < end <= len(source):
        yield "E203", f"'focus' is not inside 'source': {start} to {end} of {len(source)} characters"
    elif source[start:end] != focus["text"]:
        yield (
            "E203",
            f"source[{start}:{end}] is {source[start:end]!r:.40}, but the text of 'focus' is {shown(focus['text'])}",
        )


def _number_problems(values: Mapping[str, Any]) -> Iterator[Found]:
    index, polysemy = values.get("frequency_index", 1), values.get("polysemy")
    if not _is_count(index, 1):
        yield "E204", f"'frequency_index' is a positive integer or null, not {shown(index)}"
    elif polysemy is not None and not _is_count(polysemy, 1):
        yield "E205", f"'polysemy' is a positive integer or null, not {shown(polysemy)}"
    elif polysemy is not None and index > polysemy:
        yield "E206", f"'frequency_index' {index} is above 'polysemy' {polysemy}; senses are numbered from 1"


def _is_count(value: object, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def candidate(value: object) -> Candidate:
    """A `Candidate` from a string or from a mapping with ``lemma``, ``pos``, ``synsets``, ``frequency_indices``.

    Raises:
        InputError: the value is neither, or a field has the wrong type.

    >>> candidate("[aus der Mode kommen | P v]")
    Candidate(lemma='aus der Mode kommen', pos=<PartOfSpeech.VERB: 'v'>, synsets=(), frequency_indices=())
    >>> candidate({"lemma": "Bank", "synsets": ["wn30:08420278-n"], "frequency_indices": [2]}).frequency_indices
    (2,)
    """
    if isinstance(value, Candidate) and isinstance(value.lemma, str):
        _senses(value.lemma, value.synsets, value.frequency_indices)
        return value
    if isinstance(value, str):
        return _from_string(value, None)
    if isinstance(value, Mapping):
        return _from_mapping(value)
    raise InputError(f"a candidate is a string or an object with 'lemma', not {shown(value)}")


def _from_string(text: str, pos: PartOfSpeech | None) -> Candidate:
    bare = text.strip()
    if bare.startswith("[") and bare.endswith("]"):
        bare = bare[1:-1].strip()
    lemma, bar, mark = bare.rpartition("|")
    if bar:
        bare, pos = lemma, pos or _sheet_mark(mark, text)
    # Inventories join the words of an expression with underscores (WordNet's ``ice_cream``).
    return Candidate(" ".join(bare.replace("_", " ").split()), pos)


def _sheet_mark(mark: str, text: str) -> PartOfSpeech | None:
    found = _SHEET_MARK.fullmatch(" ".join(mark.split()))
    if found is None:
        raise InputError(f"candidate {text!r:.60}: expected P, n, a, v, r, or P with one of these letters after '|'")
    return PartOfSpeech(found[1].lower()) if found[1] else None


def _from_mapping(value: Mapping[str, object]) -> Candidate:
    known = {"lemma", "pos", "synsets", "frequency_indices"}
    if unknown := sorted(map(str, value.keys() - known)):
        raise InputError(f"a candidate has no field {shown(unknown[0])}; its fields are {', '.join(sorted(known))}")
    lemma = value.get("lemma")
    if not isinstance(lemma, str):
        raise InputError(f"a candidate needs a string 'lemma', not {shown(lemma)}")
    plain = _from_string(lemma, _part_of_speech(value.get("pos")))
    synsets, indices = _senses(lemma, value.get("synsets"), value.get("frequency_indices"))
    return Candidate(plain.lemma, plain.pos, synsets, indices or (None,) * len(synsets))


def _senses(lemma: str, synsets: object, frequency_indices: object) -> tuple[Synsets, Indices]:
    names, indices = _strings(synsets), _indices(frequency_indices)
    if indices and len(indices) != len(names):
        raise InputError(
            f"candidate {shown(lemma)}: {len(names)} synsets but {len(indices)} frequency_indices; they are parallel"
        )
    return names, indices


def _part_of_speech(value: object) -> PartOfSpeech | None:
    if value is None or value == "":
        return None
    try:
        return PartOfSpeech(value)
    except ValueError:
        raise InputError(f"'pos' is one of n, a, v, r or null, not {shown(value)}") from None


def _strings(value: object) -> Synsets:
    if value is None:
        return ()
    if not isinstance(value, (list, tuple)) or not all(isinstance(entry, str) for entry in value):
        raise InputError(f"'synsets' is a list of strings, not {shown(value)}")
    return tuple(value)


def _indices(value: object) -> Indices:
    if value is None:
        return ()
    if not isinstance(value, (list, tuple)) or not all(_is_index(entry) for entry in value):
        raise InputError(f"'frequency_indices' is a list of positive integers (or null), not {shown(value)}")
    return tuple(value)


def _is_index(value: object) -> bool:
    return value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 1)


def comparable(lemma: str) -> str:
    """The form by which candidates are compared: normalized, case-folded, single spaces.

    >>> comparable("Aus der  MODE") == comparable("aus der mode")
    True
    """
    return " ".join(normalize(lemma).text.casefold().split())


def _candidates(values: object, side: str) -> tuple[tuple[Candidate, ...], list[Found]]:
    if not isinstance(values, (list, tuple)):
        return (), [("E210", f"'{side}' is a list of candidates, not {shown(values)}")]
    made: list[Candidate] = []
    problems: list[Found] = []
    for value in values:
        try:
            made.append(candidate(value))
        except InputError as error:
            problems.append(("E107", f"{side} {error}"))
        else:
            problems += [(code, f"{side} {message}") for code, message in candidate_problems(made[-1])]
    return tuple(made), problems


def candidate_problems(checked: Candidate) -> Iterator[Found]:
    """Code and message of each rule that a candidate breaks; at most one, the first that applies."""
    lemma = checked.lemma
    words = lemma.split()
    named = f"candidate {lemma!r:.60}"
    if not words:
        yield "E101", "candidate is empty; remove it or write a word"
    elif set(words) == {_WILDCARD}:
        yield "E102", f"{named} holds only wildcards; add words"
    elif any(_WILDCARD in word and word != _WILDCARD for word in words):
        yield "E105", f"{named} has a wildcard joined to a word; separate it by spaces"
    elif _WILDCARD in (words[0], words[-1]):
        yield "E103", f"{named} begins or ends with the wildcard; remove it there"
    elif not any(character.isalnum() for character in lemma):
        yield "E106", f"{named} has no letter or digit"


def _list_problems(good: tuple[Candidate, ...], bad: tuple[Candidate, ...], faulty: bool) -> Iterator[Found]:
    if not good and not bad and not faulty:
        yield "E209", "there are no candidates in 'good' or 'bad'; at least one is needed"
    bad_keys = {comparable(entry.lemma) for entry in bad}
    for entry in dict.fromkeys(entry.lemma for entry in good):
        if entry and comparable(entry) in bad_keys:
            yield "E104", f"candidate {entry!r:.60} is in 'good' and in 'bad'; remove it from one"
