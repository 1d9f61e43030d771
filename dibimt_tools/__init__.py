"""The command line: one program ``dibimt`` with sub-commands. It holds no rule and no score of its own."""
