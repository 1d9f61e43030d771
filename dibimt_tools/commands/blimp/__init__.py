"""Minimal pairs of acceptable and unacceptable sentences, BLiMP above all (Warstadt et al., 2020).

Convert the release, score language models, compare them with each other, with published models and with people.

  dibimt blimp score --model gpt2 --data nyu-mll/blimp
  dibimt blimp score --model ngram:model.arpa --data blimp --per-pair out.jsonl --html report.html
  dibimt blimp convert --source blimp/data --out blimp
"""

SUMMARY = "minimal pairs (BLiMP): convert, score language models, compare"

COMMANDS = ("convert", "score", "compare", "paradigms", "published", "filter", "judgments")
"""The sub-commands: modules of this package, in the order of the help."""
