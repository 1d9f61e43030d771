"""The metric and the data sets on the Hugging Face Hub.

Build the repositories in a folder, publish them, or make the bare name work on this machine without the Hub.

  dibimt hub stage --out DIR
  dibimt hub publish --namespace NAME --dry-run
  dibimt hub install
"""

COMMANDS = {
    "stage": ("hub.command_stage", "build the repositories in a folder, as they will be on the Hub"),
    "publish": ("hub.command_publish", "publish the repositories: show the plan, then write what differs"),
    "install": ("hub.command_install", "make the bare name load without the Hub, from the modules cache"),
    "uninstall": ("hub.command_uninstall", "remove what 'install' put into the modules cache"),
}
"""In the order of the help; see `cli.COMMANDS`."""
