"""A subset of an existing test set by line numbers, so that outputs which are there already can be scored.

An ``.ids`` file holds one line number of the corpus a line, 1 for the first; blank lines are skipped. That is the form
of the published sets. Files are UTF-8, plain or ``.gz``; only a line feed ends a line
(`ldd_challenge_sets.corpus.files`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from dibimt_metric.errors import InputError, shown

from ..corpus.files import read_lines
from ..records import BASELINE, Row

Tokenize = Callable[[str], Sequence[str]]
_NUMBER = re.compile(r"0*[1-9][0-9]{0,17}", re.ASCII)
_SHOWN = 5


def select_lines(path: Path | str, lines: Iterable[int]) -> list[str]:
    """These lines of a text file, in the order asked for.

    Args:
        path: the file.
        lines: numbers from 1; one that repeats gives its line again.

    Raises:
        InputError: the file cannot be read, or has no such line.
    """
    texts = list(read_lines(str(path)))
    wanted = list(lines)
    _check_range(wanted, len(texts), str(path))
    return [texts[line - 1] for line in wanted]


def read_ids(path: Path | str) -> tuple[int, ...]:
    """The line numbers of an ``.ids`` file, in its order, repeated ones included; see `repeated_ids`.

    Raises:
        InputError: the file cannot be read, is empty, or a line is no whole number from 1 on.
    """
    ids = []
    for number, text in enumerate(read_lines(str(path)), 1):
        if not (text := text.strip()):
            continue
        if not _NUMBER.fullmatch(text):
            raise InputError(
                f"{path}, line {number}: {shown(text)} is no line number; expected one whole number from 1 on"
            )
        ids.append(int(text))
    if not ids:
        raise InputError(
            f"{path}: holds no line number; expected one a line, 1 for the first line of the corpus"
        )
    return tuple(ids)


def repeated_ids(ids: Iterable[int]) -> dict[int, int]:
    """The numbers that occur more than once, and how often.

    The published ``_exactly`` sets hold every sentence three to five times.

    >>> repeated_ids((4, 7, 4, 9))
    {4: 2}
    """
    return {line: times for line, times in Counter(ids).items() if times > 1}


def rows_from_ids(
    ids: Iterable[int],
    source_lines: Sequence[str],
    reference_lines: Sequence[str],
    name: str,
    *,
    corpus: str = "corpus",
    keep_repeats: bool = False,
    tokenize: Tokenize = str.split,
) -> list[Row]:
    """A set of the given lines of a corpus. It has no hits and no distances, so it is scored as one bin, ``All``.

    Args:
        ids: line numbers, from 1.
        source_lines: source side of the whole corpus.
        reference_lines: its target side.
        name: of the phenomenon, such as ``particle``.
        corpus: name of the corpus.
        keep_repeats: whether a number that repeats gives a row each time; else the first time only.
        tokenize: splits a source text; its number of tokens is what the random control matches.

    Raises:
        InputError: the corpus sides differ in length, or a number is beyond the corpus.

    >>> [row.target for row in rows_from_ids([2, 1, 2], ["a", "b"], ["A", "B"], "particle")]
    ['B', 'A']
    """
    if len(source_lines) != len(reference_lines):
        raise InputError(
            f"{len(source_lines)} source lines and {len(reference_lines)} reference lines; they must correspond"
        )
    wanted = list(ids)
    _check_range(wanted, len(source_lines), f"{name}: the corpus")
    rows = []
    times: Counter[int] = Counter()
    for line in wanted:
        times[line] += 1
        if times[line] > 1 and not keep_repeats:
            continue
        source = source_lines[line - 1]
        rows.append(
            Row(
                id=str(line) if times[line] == 1 else f"{line}.{times[line]}",
                line=line,
                source=source,
                target=reference_lines[line - 1],
                source_tokens=tuple(tokenize(source)),
                target_tokens=(),
                phenomenon=name,
                hits=(),
                max_distance=None,
                alignment=None,
                corpus=corpus,
            )
        )
    return rows


def baseline_rows(
    source_lines: Sequence[str],
    reference_lines: Sequence[str],
    *,
    corpus: str = "corpus",
    tokenize: Tokenize = str.split,
) -> list[Row]:
    """The whole corpus as rows, for drops and the random control; see `rows_from_ids`.

    >>> [row.line for row in baseline_rows(["a", "b"], ["A", "B"])]
    [1, 2]
    """
    ids = range(1, len(source_lines) + 1)
    return rows_from_ids(ids, source_lines, reference_lines, BASELINE, corpus=corpus, tokenize=tokenize)


def read_translations(path: Path | str, lines: Sequence[int] | None = None) -> dict[int, str]:
    """A system's output by corpus line, as `score_sets` takes it.

    Args:
        path: one translation a line; an empty line is an empty translation.
        lines: corpus line of each translation, where only a subset was translated; ``None``: the whole corpus.

    Raises:
        InputError: the file cannot be read, or does not have one line for each number.
    """
    texts = list(read_lines(str(path)))
    if lines is None:
        return dict(enumerate(texts, 1))
    if len(texts) != len(lines):
        raise InputError(
            f"{path}: {len(texts)} translations for {len(lines)} sentences; expected one line for each, in order"
        )
    return dict(zip(lines, texts, strict=True))


def _check_range(lines: Sequence[int], length: int, where: str) -> None:
    beyond = [line for line in lines if not 1 <= line <= length]
    if beyond:
        named = ", ".join(str(line) for line in beyond[:_SHOWN])
        more = ", ..." if len(beyond) > _SHOWN else ""
        raise InputError(
            f"{where} has {length} lines and no line {named}{more}; the numbers must be those of this corpus"
        )
