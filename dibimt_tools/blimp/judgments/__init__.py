"""Human judgments by forced choice, as in the paper's validation: write sheets for judges, read their agreement.

dibimt blimp judgments export --data blimp --out sheets --key key.jsonl
dibimt blimp judgments import --key key.jsonl anna.tsv ben.tsv
"""

COMMANDS = {
    "export": ("blimp.judgments.command_export", "write sheets for judges"),
    "import": ("blimp.judgments.command_import", "read answered sheets: agreement with the labels"),
}
"""In the order of the help; see `cli.COMMANDS`."""
