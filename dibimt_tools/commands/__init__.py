"""The sub-commands, a module each.

A module here has three names: ``SUMMARY`` (one line, for the list of sub-commands; the module's docstring is
the long help), ``add_arguments(parser)`` and ``run(args) -> int`` (the exit code).

To add a sub-command, write its module and add its name to ``COMMANDS`` in :mod:`dibimt_tools.cli`. ``dibimt
--help`` imports all of them: import whatever is heavy inside ``run``.
"""
