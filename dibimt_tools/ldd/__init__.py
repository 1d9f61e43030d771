"""Challenge sets of long-distance dependencies (Choshen and Abend, 2019).

Extract them from a parallel corpus; score systems on them by phenomenon and distance.

  dibimt ldd extract --pair de-en --source SRC --target TGT --parser udpipe:MODEL --out DIR
  dibimt ldd score --set DIR --predictions HYP.txt --full-corpus
"""

COMMANDS = {
    "extract": ("ldd.command_extract", "extract challenge sets from a parallel corpus"),
    "score": ("ldd.command_score", "score translations on challenge sets by phenomenon and distance"),
    "select": ("ldd.command_select", "select the lines of a challenge set from a file"),
    "align": ("ldd.align", "train a word aligner, or apply one"),
    "phenomena": ("ldd.command_phenomena", "list the phenomena of a source language"),
}
"""In the order of the help; see `cli.COMMANDS`."""
