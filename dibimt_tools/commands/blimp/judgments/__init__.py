"""Human judgments by forced choice, as in the paper's validation: sheets for judges, and their answers as agreement.

dibimt blimp judgments export --data blimp --out sheets --key key.jsonl
dibimt blimp judgments import --key key.jsonl anna.tsv ben.tsv
"""

SUMMARY = "human judgments: write sheets, read answers"

COMMANDS = ("export", "import")
"""The sub-commands: modules of this package, in the order of the help."""
