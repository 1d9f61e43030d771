"""A subset of an existing test set by line numbers, so that existing outputs can be scored.

An ``.ids`` file, the form of the published sets, holds a line number of the corpus on each line, 1 for the first; empty
lines are skipped. Files are UTF-8, plain or ``.gz``; only a line feed ends a line (`ldd_challenge_sets.corpus.files`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from dibimt_metric.errors import InputError, shown

from ..corpus.files import read_lines
from ..records import BASELINE, LddRow

Tokenize = Callable[[str], Sequence[str]]
_NUMBER = re.compile(r"0*[1-9][0-9]{0,17}", re.ASCII)


def select_lines(path: Path | str, lines: Iterable[int]) -> list[str]:
    """These lines of a text file, numbered from 1, in the given order; a repeated number repeats its line.

    Raises:
        InputError: the file cannot be read, or has no such line.
    """
    texts = list(read_lines(str(path)))
    wanted = list(lines)
    _check_range(wanted, len(texts), str(path))
    return [texts[line - 1] for line in wanted]


def read_ids(path: Path | str) -> tuple[int, ...]:
    """The line numbers of an ``.ids`` file, in its order, with repetitions; see `repeated_ids`.

    Raises:
        InputError: the file cannot be read, is empty, or a line is not a positive integer.
    """
    ids = []
    for number, text in enumerate(read_lines(str(path)), 1):
        if not (text := text.strip()):
            continue
        if not _NUMBER.fullmatch(text):
            raise InputError(
                f"{path}, line {number}: {shown(text)} is not a line number; expected one positive integer"
            )
        ids.append(int(text))
    if not ids:
        raise InputError(f"{path}: holds no line number; expected one on each line, 1 for the first line of the corpus")
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
) -> list[LddRow]:
    """A set of the given lines of a corpus. Without hits and distances, it is scored as one bin, ``All``.

    ``ids`` are line numbers from 1, the lines both sides of the whole corpus, ``name`` is of the phenomenon, such as
    ``particle``. With ``keep_repeats`` a repeated number gives a row each time; else only the first time. ``tokenize``
    splits a source text; the random control matches its number of tokens.

    Raises:
        InputError: the corpus sides differ in length, or a number exceeds the corpus.

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
        id = str(line) if times[line] == 1 else f"{line}.{times[line]}"
        source, target = source_lines[line - 1], reference_lines[line - 1]
        tokens = tuple(tokenize(source))
        rows.append(LddRow(id, line, source, target, tokens, (), name, (), None, None, corpus))
    return rows


def baseline_rows(
    source_lines: Sequence[str],
    reference_lines: Sequence[str],
    *,
    corpus: str = "corpus",
    tokenize: Tokenize = str.split,
) -> list[LddRow]:
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
        lines: corpus line of each translation if only a subset was translated; ``None``: the whole corpus.

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
        named = ", ".join(str(line) for line in beyond[:5])
        more = ", ..." if len(beyond) > 5 else ""
        raise InputError(
            f"{where} has {length} lines and no line {named}{more}; the numbers must be lines of this corpus"
        )
