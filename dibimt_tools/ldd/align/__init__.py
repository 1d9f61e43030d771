"""Word alignment in two separate steps: train an aligner on a parallel corpus, then apply it to any corpus.

  dibimt ldd align train --pair de-en --source train.de --target train.en --out aligner
  dibimt ldd align apply --pair de-en --source news.de --target news.en --aligner aligner --output news.align

docs/alignment.md lists the symmetrizations and describes how an aligner treats unknown words.
"""

COMMANDS = {
    "train": ("ldd.align.command_train", "train an aligner on a parallel corpus and save it"),
    "apply": ("ldd.align.command_apply", "align a parallel corpus with a saved aligner"),
}
"""In the order of the help; see `cli.COMMANDS`."""
