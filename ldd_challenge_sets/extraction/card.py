"""The card of extracted sets: README.md whose front matter makes ``load_dataset(folder, configuration)`` work.

The front matter uses only what datasets 2.21, 3.6 and 5 read equally: JSONL files by configuration, and explicit
features, so that a column of nulls has its type.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping

from ..records import BASELINE, split_pair
from .manifest import Extraction
from .plan import is_reordering

CARD = "README.md"
_SHORT_NAME = re.compile(r"[a-z][a-z0-9.-]*")

FEATURES = """\
  features: &features
  - {name: id, dtype: string}
  - {name: line, dtype: int64}
  - {name: source, dtype: string}
  - {name: target, dtype: string}
  - {name: source_tokens, sequence: string}
  - {name: target_tokens, sequence: string}
  - {name: phenomenon, dtype: string}
  - name: hits
    list:
    - {name: dependent, dtype: int64}
    - {name: head, dtype: int64}
    - {name: dependent_form, dtype: string}
    - {name: head_form, dtype: string}
    - {name: distance, dtype: int64}
  - {name: max_distance, dtype: int64}
  - {name: alignment, dtype: string}
  - {name: corpus, dtype: string}
"""
"""The columns of a row; the first configuration defines them, the others refer to them."""

_LEXICAL_MINIMA = (1, 2, 3, 4, 5)
_REORDERING_MINIMA = (5, 8, 12, 16, 20)


def card_text(extractions: Mapping[str, Extraction], title: str) -> str:
    """The whole card of a data set, given the extractions in its folder by pair."""
    made = [extractions[pair] for pair in sorted(extractions)]
    sections = [_front_matter(made, title), f"# {title}\n", _INTRODUCTION]
    sections += [_section(extraction) for extraction in made]
    return "\n".join((*sections, _USE, _SOURCE))


_INTRODUCTION = """\
Sentence pairs with long-distance dependencies, extracted from a parallel corpus by the method of Choshen and Abend
(2019, "Automatically Extracting Challenge Sets for Non-local Phenomena in Neural Machine Translation", CoNLL). A
lexical phenomenon is two words of the source that are translated together; its distance is the number of words between
them. A reordering is a pair of aligned words at different places of their sentences. `hits` names the words,
`max_distance` is the largest distance of a sentence. A configuration `baseline` is the whole corpus.
"""

_USE = """\
## Use

```python
from datasets import load_dataset

rows = load_dataset("PATH_OR_NAME", "CONFIGURATION", split="test")
far = rows.filter(lambda row: row["max_distance"] >= 2)
```

`line` is the line of the pair in the corpus: translations of the whole corpus can be scored on these sets without
translating again (`dibimt ldd score --set FOLDER --predictions HYP.txt --full-corpus`). Sets of fewer than 30 sentences
are too small to be trusted. The sets were found automatically: they hold the errors of parser and aligner.
"""

_SOURCE = """\
## Citation

Leshem Choshen and Omri Abend. 2019. Automatically Extracting Challenge Sets for Non-local Phenomena in Neural Machine
Translation. CoNLL. Cite the owners of the corpus as well.
"""


def _front_matter(made: list[Extraction], title: str) -> str:
    languages = sorted({code for extraction in made for code in split_pair(extraction.pair)})
    licenses = sorted({extraction.license for extraction in made})
    # `datasets` cannot load a file without rows: it is only in the tables.
    sets = [each for extraction in made for each in extraction.configurations.items()]
    names = [name for name, totals in sets if totals.rows]
    lines = [
        "---",
        f"pretty_name: {json.dumps(title, ensure_ascii=False)}",
        f"license: {_license(licenses)}",
        f"language: [{', '.join(map(json.dumps, languages))}]",
        "task_categories: [translation]",
        "tags: [machine-translation, long-distance-dependencies, challenge-set, evaluation]",
        "configs:",
        *(f"- {{config_name: {name}, data_files: [{{split: test, path: {name}.jsonl}}]}}" for name in names),
        "dataset_info:",
    ]
    for name in names:
        lines += [f"- config_name: {name}", "  features: *features"]
    if names:
        lines[-2 * len(names) + 1] = FEATURES.rstrip("\n")
    return "\n".join((*lines, "---", ""))


def _license(licenses: list[str]) -> str:
    """The Hub knows licenses by short names; any other one is only in the text of the card."""
    return licenses[0] if len(licenses) == 1 and _SHORT_NAME.fullmatch(licenses[0]) else "other"


def _section(extraction: Extraction) -> str:
    facts = (
        ("corpus", extraction.corpus),
        ("license of the texts", extraction.license),
        ("sentence pairs read", str(extraction.pairs)),
        ("definition", extraction.definition),
        ("parser", extraction.parser or "none"),
        ("aligner", extraction.aligner or "none"),
        ("words of sides without parse", f"{extraction.tokens[0]}, {extraction.tokens[1]}"),
        ("smallest distance", _default(extraction.min_distance)),
        ("root as dependent", _default(extraction.include_root)),
        ("skipped", ", ".join(f"{kind} {n}" for kind, n in sorted(extraction.skipped.items())) or "nothing"),
        ("signature", f"`{extraction.signature}`"),
    )
    lines = [f"## {extraction.pair}", "", "| | |", "|---|---|"]
    lines += [f"| {name} | {_cell(value)} |" for name, value in facts]
    counts = "\n".join(_table(head, rows) for head, rows in count_tables(extraction))
    return "\n".join((*lines, "", counts, _lengths(extraction)))


def _default(value: object) -> str:
    return "as the definition says" if value is None else str(value)


def _cell(text: str) -> str:
    text = text.replace("|", "\\|")
    return text if text.startswith("`") else text.replace("\n", " ").replace("<", "&lt;")


def count_tables(extraction: Extraction) -> Iterator[tuple[tuple[str, ...], list[tuple[str, ...]]]]:
    """Sentences by minimum distance: header and rows of a table for each kind of phenomenon; baseline last."""
    tables: dict[tuple[int, ...], list[tuple[str, ...]]] = {}
    for name, totals in extraction.configurations.items():
        phenomenon = name.removeprefix(f"{extraction.pair}-")
        minima = () if phenomenon == BASELINE else set_minima(phenomenon)
        row = (name, *map(str, (totals.rows, *map(totals.at_least, minima))))
        tables.setdefault(minima, []).append(row)
    for minima, rows in tables.items():
        yield ("configuration", "all", *(f">={minimum}" for minimum in minima)), rows


def _lengths(extraction: Extraction) -> str:
    """Mean lengths, and their difference from the baseline: a set of long sentences is hard for that reason alone."""
    base = extraction.configurations.get(f"{extraction.pair}-{BASELINE}")
    whole = _mean(base.source_words, base.rows) if base else None
    rows = []
    for name, totals in extraction.configurations.items():
        source = _mean(totals.source_words, totals.rows)
        target = _mean(totals.target_words, totals.with_target)
        means = (source, target, _minus(target, source), _minus(source, whole))
        rows.append((name, str(totals.rows), *map(_number, means)))
    head = ("words in the mean", "sentences", "source", "target", "target - source", "source - baseline")
    return _table(head, rows)


def _mean(total: int, number: int) -> float | None:
    return total / number if number else None


def _minus(first: float | None, second: float | None) -> float | None:
    return None if first is None or second is None else first - second


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = tuple(head)
    lines = [head, tuple("---" if place == 0 else "---:" for place in range(len(head))), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def set_minima(phenomenon: str) -> tuple[int, ...]:
    """The minimum distances that the card counts."""
    return _REORDERING_MINIMA if is_reordering(phenomenon) else _LEXICAL_MINIMA
