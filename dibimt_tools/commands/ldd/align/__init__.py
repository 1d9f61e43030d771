"""Word alignment in two separate steps: train an aligner on a parallel corpus, apply it to this or another one.

  dibimt ldd align train --pair de-en --source train.de --target train.en --out aligner
  dibimt ldd align apply --pair de-en --source news.de --target news.en --aligner aligner --output news.align

What an aligner does with unknown words, and what symmetrisations there are, is in docs/alignment.md.
"""

SUMMARY = "train a word aligner, or apply one"

COMMANDS = ("train", "apply")
"""The sub-commands: modules of this package, in the order of the help."""
