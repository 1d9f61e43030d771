"""List the target languages with their default analyzers and rules.

  dibimt languages
  dibimt languages de --json

Every match names its rule. --enable-rule and --disable-rule take these names.
"""

from __future__ import annotations

import argparse
from typing import Any

from ..output import emit, to_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``dibimt languages``."""
    parser.add_argument("languages", nargs="*", metavar="CODE", help="languages to list (default: all)")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """List the languages."""
    from dibimt_metric.languages import LANGUAGES

    records = [_record(code) for code in args.languages or LANGUAGES]
    emit(to_json(records) if args.json else "\n\n".join(map(_text, records)))
    return 0


def _record(code: str) -> dict[str, Any]:
    from dibimt_metric.languages import LANGUAGE_NAMES, default_analyzers, language_rules

    rules = language_rules(code)
    return {
        "code": rules.code,
        "name": LANGUAGE_NAMES[rules.code],
        "analyzers": list(default_analyzers(rules.code)),
        "rules_version": rules.version,
        "rules": [rule._asdict() for rule in rules.rules],
    }


def _text(record: dict[str, Any]) -> str:
    from dibimt_common.format import aligned

    head = f"{record['code']}  {record['name']} (analyzers: {', '.join(record['analyzers'])})"
    rows = [
        (
            "  " + rule["name"],
            "on" if rule["default"] else "off",
            rule["summary"] + (" (its matches are flagged)" * rule["flagged"]),
        )
        for rule in record["rules"]
    ]
    return "\n".join((head, *(aligned((), rows) if rows else ("  (no rules)",))))
