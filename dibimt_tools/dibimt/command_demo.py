"""Score the open mini set with two invented systems: a full report on real text, without downloads.

  dibimt demo
  dibimt demo --language de es --output out

Prints the report and writes report.txt, report.json and the figure accuracy.png to the folder.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from ..options import add_force_option
from ..output import check_outputs, emit, make_folder, note, to_json, write_files

_NAMES = ("report.txt", "report.json", "accuracy.png")
_NO_FIGURE = "No figure was drawn, because matplotlib is not installed: pip install 'dibimt[plot]'"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``dibimt demo``."""
    parser.add_argument("--language", nargs="+", action="extend", metavar="CODE", help="languages (default: all eight)")
    parser.add_argument(
        "--output", default="dibimt-demo", metavar="DIR", help="folder for the files (default: ./dibimt-demo)"
    )
    add_force_option(parser)


def run(args: argparse.Namespace) -> int:
    """Make the report; write and print it."""
    from dibimt_metric.languages import LANGUAGES, language_rules

    from .demo_report import demo_record, demo_text, figure_title, make_demo, panels
    from .plot import draw, draw_text

    text_file, json_file, figure_file = (Path(args.output) / name for name in _NAMES)
    languages = [language_rules(code).code for code in args.language or LANGUAGES]
    make_folder(Path(args.output))  # before the work, in case it fails
    check_outputs((text_file, json_file, figure_file), args.force)
    demo = make_demo(languages)
    text, halves = demo_text(demo), panels(demo)
    figure = draw(figure_title(demo), halves)
    if figure is None:
        text += f"\n\n{draw_text(halves)}\n\n{_NO_FIGURE}"
    files: dict[Path, str | bytes] = {text_file: text + "\n", json_file: to_json(demo_record(demo)) + "\n"}
    if figure is not None:
        files[figure_file] = figure
    write_files(files, args.force)
    emit(text)
    note(f"written: {', '.join(map(str, files))}")
    return 0
