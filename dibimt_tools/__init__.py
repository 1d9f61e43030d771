"""The command line: the program ``dibimt`` and its sub-commands. Rules and scores are in the other packages."""
