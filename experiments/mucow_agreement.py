"""Agreement of the built-in matcher with the given labels of the MuCoW outputs, and where it differs.

    python experiments/mucow_agreement.py [--data FOLDER] [--language de ...] [--show CLASS]

The data (``mucow/en-{de,ru}.outputs.jsonl``) are real translations with labels from Stanza tokens and lemmas:
``is_correct`` true is GOOD, false is BAD, ``is_unknown`` is MISS. A sentence with words of both lists counts as
wrong in these data, so UNK is mapped to BAD. Every difference is assigned to a class, based on the sentence; classes
of errors in the given labels are marked.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from dibimt_metric import Item, Judge, Judgment, make_item


class Difference(NamedTuple):
    """One output whose label differs from the given one."""

    kind: str
    given: str
    ours: str
    row: dict[str, Any]
    judgment: Judgment


FAULTS = {
    "glued period": "the given label misses a word at the end of a sentence, joined to the period",
    "ё for е": "the given label misses a word that has ё in the candidate and е in the text, or the reverse",
    "hyphen": "the given label misses a candidate that is one part of a hyphenated word",
}
OTHERS = {
    "not translated": "the sentence was left in English; the given label compares a stray lemma",
    "two candidates, one form": "the form belongs to both lists (акра: акр or акра); UNK here, GOOD there",
    "part of a word": "the given label found the candidate inside another word, or as its wrong lemma",
    "inflection": "the given label misses an inflected form of the candidate that its lemmatizer did not know",
    "other": "none of these",
}


def given_label(row: dict[str, Any]) -> str:
    """The label of the data in the terms of the paper."""
    if row["is_unknown"]:
        return "MISS"
    return "GOOD" if row["is_correct"] else "BAD"


def compare(
    language: str, path: Path, disable: tuple[str, ...] = ()
) -> tuple[Counter[tuple[str, str]], list[Difference]]:
    """Count pairs of given and computed label, and collect the differences."""
    judge = Judge(language, disable=disable)
    pairs: Counter[tuple[str, str]] = Counter()
    differences: list[Difference] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
        row = json.loads(line)
        judgment = judge.judge(item_of(row, number), row["translation"])
        given = given_label(row)
        ours = "BAD" if judgment.label.value == "UNK" else judgment.label.value
        pairs[given, ours] += 1
        if given != ours:
            differences.append(Difference(classify(row, judgment, given), given, ours, row, judgment))
    return pairs, differences


def item_of(row: dict[str, Any], number: int) -> Item:
    """The row as an item: good = correct senses, bad = wrong senses."""
    return make_item({"id": str(number), "good": row["correct_senses"], "bad": row["wrong_senses"]})


def classify(row: dict[str, Any], judgment: Judgment, given: str) -> str:
    """The class of a difference, based on the sentence alone."""
    text = row["translation"]
    words = {word for match in judgment.matches for word in [match.text]}
    if row["target_language"] == "ru" and not re.search("[а-яё]", text.lower()):
        return "not translated"
    if judgment.label.value == "UNK":
        return "two candidates, one form"
    if any("ё" in match.candidate.lower() + match.text.lower() for match in judgment.matches):
        return "ё for е"
    if any(text[match.end : match.end + 1] == "." for match in judgment.matches):
        return "glued period"
    if any("-" in (text[match.start - 1 : match.start], text[match.end : match.end + 1]) for match in judgment.matches):
        return "hyphen"
    if not words:
        return "part of a word"
    return "inflection" if given == "MISS" else "other"


def report(language: str, path: Path, show: str | None) -> None:
    """Print the figures of one language."""
    for disable in ((), ("yo",)) if language == "ru" else ((),):
        pairs, differences = compare(language, path, disable)
        n = sum(pairs.values())
        flips = pairs["GOOD", "BAD"] + pairs["BAD", "GOOD"]
        classes = Counter(difference.kind for difference in differences)
        faults = sum(count for kind, count in classes.items() if kind in FAULTS)
        print(f"{language}: {n} outputs" + (f", without rule {', '.join(disable)}" if disable else ""))
        print(f"  same label {n - len(differences)} = {100 * (n - len(differences)) / n:.2f} %")
        print(f"  GOOD<->BAD {flips} = {100 * flips / n:.2f} %")
        print(f"  same label or fault of the given one {100 * (n - len(differences) + faults) / n:.2f} %")
        for kind, count in classes.most_common():
            print(f"  {count:4} {kind}{' (fault of the given label)' if kind in FAULTS else ''}")
        for difference in differences:
            if show in (difference.kind, "all"):
                print(f"    {shown(difference)}")


def shown(difference: Difference) -> str:
    """A difference on one line."""
    found = [(match.set.value, match.candidate, match.text) for match in difference.judgment.matches]
    labels = f"{difference.given}->{difference.ours}"
    return f"[{difference.kind}] {labels} {found} {difference.row['translation']}"


def main(argv: list[str] | None = None) -> int:
    """Compare and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("DIBIMT_TEST_DATA", "../shared/data")))
    parser.add_argument("--language", nargs="+", default=["de", "ru"], choices=["de", "ru"])
    parser.add_argument("--show", metavar="CLASS", help="print the differences of a class, or 'all'")
    options = parser.parse_args(argv)
    for language in options.language:
        report(language, options.data / "mucow" / f"en-{language}.outputs.jsonl", options.show)
    return 0


if __name__ == "__main__":
    sys.exit(main())
