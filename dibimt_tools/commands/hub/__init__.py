"""The metric and the data sets on the Hugging Face Hub.

Build the repositories in a folder, publish them, or make the bare name work on this machine without the Hub.

  dibimt hub stage --out DIR
  dibimt hub publish --namespace NAME --dry-run
  dibimt hub install
"""

SUMMARY = "metric and data sets on the Hugging Face Hub: stage, publish, install"

COMMANDS = ("stage", "publish", "install", "uninstall")
"""The sub-commands: modules of this package, in the order of the help."""
