"""How long one evaluation in a training loop takes: 667 items, built-in analyzers, nothing cached.

    python benchmarks/training_speed.py [--language CODE ...] [--data FOLDER] [--repeat N] [--bound SECONDS] [--json]

Each measurement runs in a new process: no dictionary is loaded, no sentence, word or candidate cached. Reported: best
and median of the repeats, in seconds:

- import: the package, the analyzer's library, numpy;
- set-up: ``make_compute_metrics``, which loads the dictionary and prepares the candidates, once per training;
- evaluation: the first call of the function made, with an array of token ids: decoding, analysis, matching, scores;
- again: a second call with every tenth translation changed;
- whole: set-up and first evaluation.

The exit code is 1 if the best first evaluation of a language is not below the bound.

Data: items and sentences from treebanks of Universal Dependencies in ``$DIBIMT_TEST_DATA/ud`` and ``pud``
(default ``../shared/data``): distinct sentences of about 24 words, ten candidates per item, drawn from the lemmas of
the treebank. If they are absent, pairs of sentences of the open mini set are used.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import random
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

from dibimt_dataset import mini_items, mini_translations
from dibimt_metric.languages import LANGUAGES

ITEMS = 667
SHORTEST, LONGEST = 14, 40  # words; 25 on average
GOOD, BAD = 5, 6
TREEBANKS = {
    "bg": "bg_btb", "de": "de_gsd", "es": "es_gsd", "it": "it_isdt", "nl": "nl_alpino", "ru": "ru_gsd", "sl": "sl_ssj",
    "zh": "zh_gsdsimp",
}  # fmt: skip
COLUMNS = ("import", "set-up", "evaluation", "again", "whole")


class Sentence(NamedTuple):
    """A text with the lemmas of its nouns, verbs and adjectives, and its number of words."""

    text: str
    lemmas: tuple[str, ...]
    words: int


def main(argv: list[str] | None = None) -> int:
    """Run the benchmark and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--language", nargs="+", choices=LANGUAGES, default=list(LANGUAGES))
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("DIBIMT_TEST_DATA", "../shared/data")))
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--bound", type=float, default=1.0)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--once", action="store_true", help=argparse.SUPPRESS)  # the measuring process
    options = parser.parse_args(argv)
    if options.once:
        print(json.dumps(measure(options.language[0], options.data)))
        return 0
    results = [repeated(language, options.data, options.repeat) for language in options.language]
    print(json.dumps(results, indent=2) if options.json else table(results))
    return int(any(result["evaluation"][0] >= options.bound for result in results))


def repeated(language: str, data: Path, repeat: int) -> dict[str, Any]:
    """The best and the median of each time over several processes."""
    command = [sys.executable, __file__, "--once", "--language", language, "--data", str(data)]
    runs = []
    for _ in range(repeat):
        run = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        runs.append(json.loads(run.stdout))
    best = {name: min(run[name] for run in runs) for name in COLUMNS}
    return {
        **runs[0],
        **{name: (best[name], statistics.median(run[name] for run in runs)) for name in COLUMNS},
    }


def table(results: list[dict[str, Any]]) -> str:
    """The figures as text."""
    lines = [
        f"{ITEMS} items; seconds: best (median)",
        "",
        "     words  candidates  " + "".join(f"{name:>16}" for name in COLUMNS) + "  GOOD BAD MISS UNK",
    ]
    for result in results:
        times = "".join(f"{best:>9.2f} ({median:.2f})" for best, median in (result[name] for name in COLUMNS))
        lines.append(
            f"{result['language']}  {result['words']:>8.1f}{result['candidates']:>12.1f}  {times}  {result['labels']}"
        )
    return "\n".join([*lines, "", *(f"{result['language']}: {result['data']}" for result in results)])


def measure(language: str, data: Path) -> dict[str, Any]:
    """One measurement, for a process that has not used the language yet."""
    start = time.perf_counter()
    import numpy

    for library in ("jieba", "opencc") if language == "zh" else ("simplemma",):
        importlib.import_module(library)
    from dibimt_training.compute_metrics import make_compute_metrics

    imported = time.perf_counter() - start

    paths = [
        data / "ud" / f"{TREEBANKS[language]}-ud-dev.conllu",
        data / "pud" / f"{language}_pud-ud-test.conllu",
    ]
    found = [path for path in paths if path.is_file()]
    sentences = [each for path in found for each in treebank(path, language)] or mini(language)
    items, chosen = make_items(sentences)
    tokenizer = Pieces([sentence.text for sentence in chosen])
    first, second = tokenizer.rows(0), tokenizer.rows(10)
    start = time.perf_counter()
    compute_metrics = make_compute_metrics(tokenizer, items, language)
    ready = time.perf_counter()
    numbers = compute_metrics((numpy.array(first), None))
    done = time.perf_counter()
    compute_metrics((numpy.array(second), None))
    again = time.perf_counter()
    return {
        "language": language,
        "data": " ".join(map(str, found)) or f"mini set ({paths[0]} is absent)",
        "words": statistics.mean(sentence.words for sentence in chosen),
        "candidates": statistics.mean(len(item["good"]) + len(item["bad"]) for item in items),
        "import": imported,
        "set-up": ready - start,
        "evaluation": done - ready,
        "again": again - done,
        "whole": done - start,
        "labels": " ".join(str(numbers[name]) for name in ("good", "bad", "miss", "unk")),
    }


class Pieces:
    """A tokenizer of characters; its rows are padded with -100, like those of a trainer."""

    def __init__(self, texts: list[str]) -> None:
        self._texts = texts

    def rows(self, every: int) -> list[list[int]]:
        """The texts, some of them without their last word."""
        texts = [t.rpartition(" ")[0] if every and i % every == 0 else t for i, t in enumerate(self._texts)]
        longest = max(map(len, texts))
        return [[*map(ord, text), *[-100] * (longest - len(text))] for text in texts]

    def decode(self, tokens: list[int], skip_special_tokens: bool) -> str:
        """One row as text."""
        return "".join(map(chr, tokens))


def treebank(path: Path, language: str) -> list[Sentence]:
    """The sentences of a file in CoNLL-U, neighbors joined until they have `SHORTEST` words."""
    sentences: list[Sentence] = []
    text, lemmas, words = "", (), 0
    between = "" if language == "zh" else " "
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        rows = [line.split("\t") for line in block.splitlines() if line[:1].isdigit()]
        found = tuple(row[2] for row in rows if len(row) > 3 and row[3] in ("NOUN", "VERB", "ADJ") and row[2].isalpha())
        own = next((line[9:] for line in block.splitlines() if line.startswith("# text = ")), "")
        text, lemmas = f"{text}{between}{own}".strip(), (*lemmas, *found)
        words += sum(row[0].isdigit() for row in rows)
        if words < SHORTEST or not lemmas:
            continue
        if words <= LONGEST:
            sentences.append(Sentence(text, lemmas, words))
        text, lemmas, words = "", (), 0
    return sentences


def mini(language: str) -> list[Sentence]:
    """Pairs of translations of the mini set; the lemmas are the candidates of the first."""
    texts = [*mini_translations(language, "careful"), *mini_translations(language, "frequent")]
    items = mini_items(language) * 2
    made = []
    for i, j in ((i, (i * 7 + k + 1) % len(texts)) for k in range(5) for i in range(len(texts))):
        text = f"{texts[i]} {texts[j]}"
        made.append(Sentence(text, tuple(each.lemma for each in items[i].good), len(text.split())))
    return made


def make_items(sentences: list[Sentence]) -> tuple[list[dict[str, Any]], list[Sentence]]:
    """Items with the sentences in which to find them.

    Two thirds have a lemma of their sentence among the good candidates, a third among the bad ones.
    """
    draw = random.Random(1)
    vocabulary = sorted({lemma.casefold(): lemma for sentence in sentences for lemma in sentence.lemmas}.values())
    chosen = draw.sample(sentences, min(ITEMS, len(sentences)))
    chosen += [s._replace(text=f"{s.text} {chosen[i - 1].text.split()[0]}") for i, s in enumerate(chosen)][
        : ITEMS - len(chosen)
    ]
    items = []
    for number, sentence in enumerate(chosen):
        own = draw.choice(sentence.lemmas)
        others = [lemma for lemma in draw.sample(vocabulary, GOOD + BAD) if lemma.casefold() != own.casefold()]
        good, bad = others[: GOOD - 1], others[GOOD : GOOD + BAD - 1]
        (bad if number % 3 == 0 else good).append(own)
        items.append({"id": str(number), "good": good, "bad": bad, "frequency_index": number % 5 + 1, "polysemy": 7})
    return items, chosen


if __name__ == "__main__":
    sys.exit(main())
