"""Minimal pairs of acceptable and unacceptable sentences, BLiMP above all (Warstadt et al., 2020).

Convert the released data, score language models, compare them with each other, with published models and with people.

  dibimt blimp score --model gpt2 --data nyu-mll/blimp
  dibimt blimp score --model ngram:model.arpa --data blimp --per-pair out.jsonl --html report.html
  dibimt blimp convert --source blimp/data --out blimp
"""

COMMANDS = {
    "convert": ("blimp.command_convert", "convert the released BLiMP files to one data set"),
    "score": ("blimp.command_score", "score a language model on minimal pairs"),
    "compare": ("blimp.command_compare", "compare finished runs pair by pair"),
    "paradigms": ("blimp.command_paradigms", "list the paradigms of BLiMP"),
    "published": ("blimp.command_published", "show published scores on BLiMP"),
    "filter": ("blimp.command_filter", "write the pairs that pass a filter: vocabulary, phenomena, paradigms"),
    "judgments": ("blimp.judgments", "human judgments: write sheets, read answers"),
}
"""In the order of the help; see `cli.COMMANDS`."""
