"""The card of a converted folder: a README.md that lets ``load_dataset(folder, configuration)`` read it.

The front matter uses only what datasets 2.21, 3.6 and 5 read the same way. Configurations of several files name them by
a pattern, so that each pair is stored once: a folder for each phenomenon.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..paradigms import PARADIGMS, PHENOMENA
from ..reading.sources import CORRECTED, PUBLISHED
from .conversion import Conversion, Counts
from .faults import FIXED, LEFT_OUT
from .release import COMMIT, LICENSE
from .schema import features_yaml

CARD = "README.md"
ALL = "all"
SUFFIX = "-corrected"
"""Ending of the configurations of the corrected variant."""
SPLIT = "train"
_SIZES = ((1000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"))


def configurations(folder: str) -> Iterator[tuple[str, str]]:
    """Name and file pattern of each configuration, without suffix: all, the phenomena, the paradigms."""
    yield ALL, f"{folder}/*/*.jsonl"
    for phenomenon in PHENOMENA:
        yield phenomenon, f"{folder}/{phenomenon}/*.jsonl"
    for paradigm in PARADIGMS:
        yield paradigm.name, f"{folder}/{paradigm.phenomenon}/{paradigm.name}.jsonl"


def card_text(conversion: Conversion) -> str:
    """The whole card."""
    parts = [_front_matter(conversion), _INTRODUCTION, _use(conversion), _phenomena(conversion), _COLUMNS]
    parts += [_faults(conversion), _corrected(conversion), _origin(conversion), _CITATION]
    return "\n".join(part for part in parts if part)


def _front_matter(conversion: Conversion) -> str:
    places = [*configurations(PUBLISHED)]
    if conversion.corrected is not None:
        places += [(name + SUFFIX, pattern) for name, pattern in configurations(CORRECTED)]
    size = next((name for limit, name in _SIZES if conversion.pairs < limit), "100K<n<1M")
    lines = [
        "---",
        "pretty_name: BLiMP with all fields, faults marked",
        f"license: {LICENSE}",
        "language: [en]",
        "task_categories: [text-classification]",
        "task_ids: [acceptability-classification]",
        "tags: [minimal-pairs, acceptability, language-models, evaluation]",
        f"size_categories: [{size}]",
        "configs:",
        *(_config(name, pattern) for name, pattern in places),
        "dataset_info:",
        f"- config_name: {places[0][0]}",
        "  features: &features",
        features_yaml(),
    ]
    for name, _ in places[1:]:
        lines += [f"- config_name: {name}", "  features: *features"]
    return "\n".join((*lines, "---", ""))


def _config(name: str, pattern: str) -> str:
    default = ", default: true" if name == ALL else ""
    return f"- {{config_name: {name}{default}, data_files: [{{split: {SPLIT}, path: {pattern}}}]}}"


_INTRODUCTION = """\
# BLiMP with all fields, faults marked

The Benchmark of Linguistic Minimal Pairs (Warstadt et al., 2020): pairs of English sentences that differ in one point,
one acceptable and one not, in 67 paradigms of 12 phenomena. This is the release in one schema. It has all fields of
`nyu-mll/blimp`, under the same names and types, and those that this copy lacks: the fields of the prefix methods,
`pairID`, `dependency_length` and `crucial_item`. `phenomenon` is one of the paper's 12, `issues` names known faults.
"""


def _use(conversion: Conversion) -> str:
    corrected, names = "", "67 paradigms, 12 phenomena and `all`"
    if conversion.corrected is not None:
        corrected = '\ncorrected = load_dataset("PATH_OR_NAME", "wh_island-corrected", split="train")'
        names += ", each also with `-corrected` after its name"
    return f"""\
```python
from datasets import load_dataset

pairs = load_dataset("PATH_OR_NAME", "wh_island", split="train")  # or "island_effects", or "all"{corrected}
clean = pairs.filter(lambda pair: not pair["issues"])
```

Configurations: {names}.
The only split is `train`, as in the release. `dibimt blimp score --model MODEL --data PATH_OR_NAME` scores a model.
"""


def _phenomena(conversion: Conversion) -> str:
    made = conversion.corrected is not None
    head = ("phenomenon", "paradigms", "pairs", *(("corrected",) if made else ()))
    rows = []
    for phenomenon in PHENOMENA:
        group = [counts for counts in conversion.paradigms if counts.phenomenon == phenomenon]
        rows.append((f"`{phenomenon}`", *_totals(group, made)))
    rows.append((f"`{ALL}`", *_totals(conversion.paradigms, made)))
    return "## Content\n\n" + _table(head, rows)


def _totals(group: Iterable[Counts], made: bool) -> tuple[str, ...]:
    group = tuple(group)
    pairs = sum(counts.pairs for counts in group)
    corrected = (_number(sum(counts.corrected or 0 for counts in group)),) if made else ()
    return (str(len(group)), _number(pairs), *corrected)


_COLUMNS = """\
| column | meaning |
|---|---|
| `sentence_good`, `sentence_bad` | the acceptable and the unacceptable sentence |
| `field`, `linguistics_term` | as in the release: 13 terms, one field with two spellings |
| `UID`, `paradigm` | the paradigm |
| `phenomenon` | the paper's 12: `linguistics_term`, with `s-selection` counted as `argument_structure` |
| `simple_LM_method`, `one_prefix_method`, `two_prefix_method` | which scoring methods fit |
| `lexically_identical` | the release's flag; wrong if `issues` has `flag_wrong` |
| `pair_id`, `pairID` | number of the pair in its paradigm, as a number and as the text of the release |
| `one_prefix_prefix`, `one_prefix_word_good`, `one_prefix_word_bad` | one-prefix method; null if it does not fit |
| `two_prefix_prefix_good`, `two_prefix_prefix_bad`, `two_prefix_word` | two-prefix method; null if it does not fit |
| `dependency_length`, `crucial_item` | for two paradigms each, else null |
| `issues` | list of known faults, explained below |
"""

_MEANINGS = {
    "identical": "both sentences are the same",
    "duplicate": "the pair occurs in two paradigms; both are marked",
    "stray_space": "a prefix or word begins or ends with a space",
    "out_in_the_open": '"out in the open" as an adjective, as in "this out in the open kite", in good sentences too',
    "typo": '"unsuprising", in both sentences and the prefix word',
    "flag_wrong": "`lexically_identical` is wrong for all sentences of the paradigm",
}


def _faults(conversion: Conversion) -> str:
    outcome = {**dict.fromkeys(LEFT_OUT, "left out"), **dict.fromkeys(FIXED, "corrected")}
    outcome["duplicate"] = "the second left out"
    made = conversion.corrected is not None
    head = ("issue", "pairs", "meaning", *(("in the corrected variant",) if made else ()))
    rows = [
        (f"`{issue}`", _number(total), _MEANINGS[issue], *((outcome[issue],) if made else ()))
        for issue, total in conversion.issues
    ]
    return "## Faults of the release\n\n" + _table(head, rows)


def _corrected(conversion: Conversion) -> str:
    if conversion.corrected is None:
        return ""
    return f"""\
The corrected variant has {_number(conversion.corrected)} pairs. They keep their `pair_id`, so that both variants can be
compared pair by pair, and have no `issues`. `field` is spelled `syntax_semantics` throughout. Published scores were
measured on the pairs as published: use those to compare with them, and state the variant with every score.
"""


def _origin(conversion: Conversion) -> str:
    files = len(conversion.paradigms)
    if conversion.changed:
        differing = ", ".join(f"`{name}`" for name in conversion.changed)
        check = f"{len(conversion.changed)} of the {files} source files differ from the release: {differing}."
    else:
        check = f"All {files} source files have the checksums of the release."
    return f"""\
## Origin

From `github.com/alexwarstadt/blimp`, folder `data`, commit `{COMMIT}`.
{check} No value of the variant as published was changed.
Signature: `{conversion.signature}`.

The data are licensed under CC BY 4.0 by their authors; the changes are listed above.
"""


_CITATION = """\
## Citation

Alex Warstadt, Alicia Parrish, Haokun Liu, Anhad Mohananey, Wei Peng, Sheng-Fu Wang and Samuel R. Bowman. 2020. BLiMP:
The Benchmark of Linguistic Minimal Pairs for English. Transactions of the Association for Computational Linguistics 8,
377-392.
"""


def _number(value: int) -> str:
    return f"{value:,}"


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    ruler = tuple("---" for _ in head)
    return "".join("| " + " | ".join(line) + " |\n" for line in (head, ruler, *rows))
