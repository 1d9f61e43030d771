"""The program ``dibimt``: finds the sub-command, runs it, turns errors into messages and exit codes.

Exit codes: 0 done; 1 a check failed (``validate`` found problems); 2 wrong usage, or input that cannot be
used; 130 interrupted from the keyboard.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

from .output import close_stdout
from .output import emit

COMMANDS = (
    "score",
    "explain",
    "compare",
    "demo",
    "validate",
    "languages",
    "ldd",
    "blimp",
    "hub",
)
"""The sub-commands: modules of :mod:`dibimt_tools.commands`, in the order of the help. A package there is a group: its
``COMMANDS`` name its own sub-commands."""


class _Version(argparse.Action):
    """Prints the version; only then is the package imported that knows it."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from dibimt_metric.version import VERSION

        emit(f"dibimt {VERSION}")
        parser.exit()


def make_parser() -> argparse.ArgumentParser:
    """The parser with all sub-commands."""
    parser = argparse.ArgumentParser(
        prog="dibimt",
        description="Evaluation of machine translation and language models: lexical ambiguity, long-distance "
        "dependencies, minimal pairs.",
        epilog="'dibimt COMMAND --help' explains a command. Try 'dibimt demo' first.",
        allow_abbrev=False,
    )
    parser.add_argument("-V", "--version", action=_Version, nargs=0, help="print the version and exit")
    _add_commands(parser, f"{__package__}.commands", COMMANDS)
    return parser


def _add_commands(
    parser: argparse.ArgumentParser, package: str, names: Sequence[str], group: str = ""
) -> None:
    """Add the sub-commands of the program, or of one of its groups."""
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name in names:
        module = import_module(f"{package}.{name}")
        command = commands.add_parser(
            name,
            help=module.SUMMARY,
            description=module.__doc__,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        title = f"{group}{name}"
        if hasattr(module, "COMMANDS"):
            _add_commands(command, module.__name__, module.COMMANDS, f"{title} ")
        else:
            module.add_arguments(command)
            command.set_defaults(run=module.run, command=title)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program.

    Args:
        argv: the arguments; ``None``: those of the process.

    Returns:
        The exit code. Nothing is raised for wrong usage or input: the message goes to standard error.
    """
    try:
        return _run(make_parser().parse_args(argv))
    except SystemExit as stop:  # argparse has printed its message, or the help
        return stop.code if isinstance(stop.code, int) else 0
    except KeyboardInterrupt:
        print("dibimt: interrupted", file=sys.stderr)
        return 130
    finally:
        close_stdout()


def _run(args: argparse.Namespace) -> int:
    from dibimt_metric.errors import DibimtError

    try:
        code: int = args.run(args)
    except DibimtError as error:
        print(f"dibimt {args.command}: {error}", file=sys.stderr)
        return 2
    return code
