"""Challenge sets of long-distance dependencies (Choshen and Abend, 2019).

Extract them from a parallel corpus; score systems on them by phenomenon and distance.

  dibimt ldd extract --pair de-en --source SRC --target TGT --parser udpipe:MODEL --out DIR
  dibimt ldd score --set DIR --predictions HYP.txt --full-corpus
"""

SUMMARY = "challenge sets of long-distance dependencies: extract, score"

COMMANDS = ("extract", "score", "select", "align", "phenomena")
"""The sub-commands: modules of this package, in the order of the help."""
