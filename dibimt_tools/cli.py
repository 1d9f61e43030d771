"""The program ``dibimt``: finds and runs the sub-command, turns errors into messages and exit codes.

Exit codes: 0 done; 1 a check failed (``validate`` found problems); 2 wrong usage or unusable input; 130 interrupted
from the keyboard.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module

from .output import close_stdout, emit

COMMANDS = {
    "score": ("dibimt.command_score", "label the translations of one system and compute its scores"),
    "explain": ("dibimt.command_explain", "show everything that leads to the label of one translation"),
    "compare": ("dibimt.command_compare", "compare two or more systems on the items that all of them decide"),
    "demo": ("dibimt.command_demo", "full report on the open mini set, without downloads"),
    "validate": ("dibimt.command_validate", "check an item file: all problems, with codes and lines"),
    "languages": ("dibimt.command_languages", "list the languages, their default analyzers and their rules"),
    "ldd": ("ldd", "challenge sets of long-distance dependencies: extract, score"),
    "blimp": ("blimp", "minimal pairs (BLiMP): convert, score language models, compare"),
    "hub": ("hub", "metric and data sets on the Hugging Face Hub: stage, publish, install"),
}
"""Name of a sub-command -> its module in this package and its summary, in the order of the help.

The module's docstring is the long help. A module that defines ``COMMANDS`` is a group of sub-commands; any other
defines ``add_arguments(parser)`` and ``run(args) -> int`` (the exit code). A module is imported only when its
sub-command is named. Heavy imports are inside ``run``.
"""


class _Version(argparse.Action):
    """Prints the version; imports the package that defines it only then."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from dibimt_metric.version import VERSION

        emit(f"dibimt {VERSION}")
        parser.exit()


def make_parser(argv: Sequence[str]) -> argparse.ArgumentParser:
    """A parser that lists all sub-commands but has options only for the one named in ``argv``."""
    parser = argparse.ArgumentParser(
        prog="dibimt",
        description="Evaluation of machine translation and language models: lexical ambiguity, long-distance "
        "dependencies, minimal pairs.",
        epilog="'dibimt COMMAND --help' explains a command. Try 'dibimt demo' first.",
        allow_abbrev=False,
    )
    parser.add_argument("-V", "--version", action=_Version, nargs=0, help="print the version and exit")
    _add_commands(parser, COMMANDS, [word for word in argv if not word.startswith("-")])
    return parser


def _add_commands(
    parser: argparse.ArgumentParser,
    commands: Mapping[str, tuple[str, str]],
    words: Sequence[str],
    group: str = "",
) -> None:
    """Add sub-commands with their summaries; only the one named by ``words[0]`` gets its options."""
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, (module_name, summary) in commands.items():
        command = subparsers.add_parser(
            name, help=summary, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
        )
        if name not in words[:1]:
            continue
        module = import_module(f"{__package__}.{module_name}")
        command.description = module.__doc__
        title = f"{group}{name}"
        if hasattr(module, "COMMANDS"):
            _add_commands(command, module.COMMANDS, words[1:], f"{title} ")
        else:
            module.add_arguments(command)
            command.set_defaults(run=module.run, command=title)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program.

    Args:
        argv: arguments; ``None``: those of the process.

    Returns:
        The exit code. Wrong usage or input raises nothing: the message goes to standard error.
    """
    try:
        words = sys.argv[1:] if argv is None else argv
        return _run(make_parser(words).parse_args(words))
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
