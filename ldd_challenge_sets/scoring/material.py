"""Sets, corpus and translations, checked against each other and arranged as parallel lists of corpus lines."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dibimt_metric.errors import InputError, shown

from ..records import BASELINE, LddRow, split_pair

_CONFIGURATION = re.compile(r"([a-z]{2,3}-[a-z]{2,3})-.+")
_DIGEST = 12


@dataclass(frozen=True, slots=True)
class SetMaterial:
    """A set, its rows sorted by corpus line, so that the order of a file changes no draw.

    Of each row: its ``max_distance``, and its position in `Material.lines`; a repeated line occurs each time.
    """

    configuration: str
    phenomenon: str
    distances: tuple[int | None, ...]
    positions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Material:
    """Everything that is scored.

    Attributes:
        pair, corpus: names.
        lines: the corpus lines in order, each once: those of the baseline, else those of the sets.
        references: of each line. lengths: source tokens of each line.
        has_baseline: whether the lines are the whole corpus.
        sets: in the order given.
        translations: for each system, by name, the translation of each line.
        fingerprints: of the sets and of the baseline (``none`` without one), for the signature.
    """

    pair: str
    corpus: str
    lines: tuple[int, ...]
    references: tuple[str, ...]
    lengths: tuple[int, ...]
    has_baseline: bool
    sets: tuple[SetMaterial, ...]
    translations: Mapping[str, Sequence[str]]
    fingerprints: tuple[str, str]

    @property
    def target_language(self) -> str:
        """Code of the target language."""
        return self.pair.partition("-")[2]


def gather(
    baseline: Sequence[LddRow] | None,
    sets: Mapping[str, Sequence[LddRow]],
    systems: Mapping[str, Mapping[int, str]],
    pair: str | None = None,
) -> Material:
    """Check sets, corpus and translations against each other and arrange them in the order of the corpus.

    Args:
        baseline: rows of the full corpus, or ``None``.
        sets: rows of each configuration.
        systems: translations of each system by corpus line.
        pair: languages; ``None``: as the names of the configurations begin.
    """
    pair = _pair(pair, sets)
    named = dict(sets)
    if baseline is not None:
        whole = f"{pair}-{BASELINE}"
        _check_baseline(whole, baseline, sets)
        named = {whole: baseline, **sets}  # first, because lengths are counted in its tokens
    rows = _rows_by_line(named)
    lines = tuple(sorted(rows))
    index = {line: position for position, line in enumerate(lines)}
    return Material(
        pair=pair,
        corpus=_corpus(named),
        lines=lines,
        references=tuple(rows[line].target or "" for line in lines),
        lengths=tuple(len(rows[line].source_tokens) for line in lines),
        has_baseline=baseline is not None,
        sets=tuple(_row_set(name, pair, members, index) for name, members in sets.items()),
        translations=_translations(systems, lines, named),
        fingerprints=(fingerprint(sets), "none" if baseline is None else fingerprint({BASELINE: baseline})),
    )


def fingerprint(sets: Mapping[str, Sequence[LddRow]]) -> str:
    """Twelve hexadecimal digits that change with any line, text, length or distance of the sets, not with their order.

    >>> fingerprint({}) == fingerprint({}) != fingerprint({"de-en-particle": []})
    True
    """
    digest = hashlib.sha256()
    for name in sorted(sets):
        digest.update(json.dumps([name]).encode())
        for row in _by_line(sets[name]):
            record = [row.line, row.source, row.target, len(row.source_tokens), row.max_distance]
            digest.update(json.dumps(record).encode())
    return digest.hexdigest()[:_DIGEST]


def _by_line(rows: Sequence[LddRow]) -> list[LddRow]:
    """In an order that does not depend on the file, even if a line repeats."""
    return sorted(rows, key=lambda row: (row.line, -1 if row.max_distance is None else row.max_distance))


def _pair(pair: str | None, sets: Mapping[str, Sequence[LddRow]]) -> str:
    """As given, else the common beginning of the names of all configurations."""
    if not sets:
        raise InputError("there is no set to score; give at least one configuration with its rows")
    if pair is not None:
        split_pair(pair)
        return pair
    found = {name: _CONFIGURATION.fullmatch(name) for name in sets}
    pairs = {match and match.group(1) for match in found.values()}
    first = pairs.pop()
    if pairs or first is None:
        raise InputError(
            f"the names of the sets do not give the language pair ({', '.join(map(shown, sets))}); "
            "score the sets of one pair at a time, and give the pair, such as 'de-en'"
        )
    return first


def _rows_by_line(named: Mapping[str, Sequence[LddRow]]) -> dict[int, LddRow]:
    """One row for each corpus line, that of the baseline if there is one: the length is counted in its tokens."""
    rows: dict[int, LddRow] = {}
    owner: dict[int, str] = {}
    for name, members in named.items():
        for row in members:
            known = rows.setdefault(row.line, row)
            owner.setdefault(row.line, name)
            _check_row(name, row)
            if known.target != row.target:
                raise InputError(
                    f"line {row.line} has one target in {owner[row.line]} and another in {name}; "
                    "score sets of the same corpus together"
                )
    return rows


def _check_row(name: str, row: LddRow) -> None:
    if not row.source_tokens:
        raise InputError(
            f"{name}, line {row.line}: there are no source tokens, which give the length of the "
            "sentence; extract the set again, or split the source"
        )
    if not (row.target or "").strip():
        raise InputError(
            f"{name}, line {row.line}: there is no target text; extract the set from a corpus with both sides"
        )
    # Rows without hits may have a distance from another source.
    largest = max((hit.distance for hit in row.hits), default=row.max_distance)
    if row.max_distance != largest or (largest is not None and largest < 0):
        raise InputError(
            f"{name}, line {row.line}: max_distance is {row.max_distance}; expected the largest distance of the hits "
            f"({largest}), 0 or more; extract the set again"
        )


def _check_baseline(name: str, baseline: Sequence[LddRow], sets: Mapping[str, Sequence[LddRow]]) -> None:
    if name in sets:
        raise InputError(f"{name} is given as a set and as the full corpus; give it as the full corpus only")
    lines = {row.line for row in baseline}
    if len(lines) < len(baseline):
        raise InputError(f"the full corpus has {len(baseline)} rows for {len(lines)} lines; give each line once")
    for configuration, row in _all_rows(sets):
        if row.line not in lines:
            raise InputError(
                f"{configuration}, line {row.line}: the full corpus does not have this line; "
                "give the corpus that the set was made from"
            )


def _corpus(named: Mapping[str, Sequence[LddRow]]) -> str:
    names = sorted({row.corpus for _, row in _all_rows(named)})
    if len(names) > 1:
        raise InputError(
            f"the sets come from several corpora ({', '.join(names)}), so their line numbers do not correspond; "
            "score the sets of one corpus at a time"
        )
    return names[0] if names else "none"


def _row_set(name: str, pair: str, rows: Sequence[LddRow], index: Mapping[int, int]) -> SetMaterial:
    phenomena = sorted({row.phenomenon for row in rows}) or [name.removeprefix(f"{pair}-")]
    if len(phenomena) > 1:
        raise InputError(f"{name} mixes the phenomena {', '.join(phenomena)}; give each a set of its own")
    ordered = _by_line(rows)
    distances = tuple(row.max_distance for row in ordered)
    return SetMaterial(name, phenomena[0], distances, tuple(index[row.line] for row in ordered))


def _translations(
    systems: Mapping[str, Mapping[int, str]], lines: Sequence[int], named: Mapping[str, Sequence[LddRow]]
) -> dict[str, list[str]]:
    if not systems:
        raise InputError("there is no system to score; give at least one with its translations")
    translations: dict[str, list[str]] = {}
    for system, given in systems.items():
        if not isinstance(given, Mapping):
            raise InputError(
                f"the translations of system {shown(system)} are {shown(given)}; "
                "expected a mapping from corpus line to text (see `read_translations`)"
            )
        texts = [given.get(line) for line in lines]
        for line, text in zip(lines, texts, strict=True):
            if not isinstance(text, str):
                configuration = next(name for name, row in _all_rows(named) if row.line == line)
                what = "no translation" if text is None else f"a translation that is not a text ({shown(text)})"
                raise InputError(
                    f"system {shown(system)} has {what} for line {line} (in {configuration}); "
                    "give one for every line that is scored, an empty text if the system gave none"
                )
        translations[system] = [text for text in texts if text is not None]
    return translations


def _all_rows(named: Mapping[str, Sequence[LddRow]]) -> Iterator[tuple[str, LddRow]]:
    return ((name, row) for name, rows in named.items() for row in rows)
