"""Publish the metric and the data sets on the Hugging Face Hub: the plan first, then step by step.

  dibimt hub publish --namespace NAME --dry-run
  dibimt hub publish --namespace NAME --blimp blimp --tag v1.0
  dibimt hub publish --namespace NAME --staged hub --only datasets/dibimt

Only differences are written, one commit for each branch, and each branch is read back and compared. After a failure the
same command continues where it stopped. The token is that of HF_TOKEN, or of 'hf auth login'; it is never shown.
HF_ENDPOINT names a Hub other than huggingface.co. Exit code 1: something was not done, and the report says what.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ..output import emit, note, to_json

if TYPE_CHECKING:
    from .hub_client import HubClient
    from .publish_choices import Choices
    from .repositories import Stage


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``dibimt hub publish``."""
    parser.add_argument("--namespace", required=True, metavar="NAME", help="your name on the Hub, or an organization's")
    source = parser.add_mutually_exclusive_group()
    staged = "a folder that 'dibimt hub stage' wrote (default: stage into a temporary folder)"
    source.add_argument("--staged", metavar="DIR", help=staged)
    blimp = "also publish BLiMP, which 'dibimt blimp convert' wrote there"
    source.add_argument("--blimp", metavar="DIR", help=blimp)
    only = "only these: dibimt (the Space and the data set), spaces/dibimt, datasets/dibimt ..."
    parser.add_argument("--only", nargs="+", action="extend", default=[], metavar="REPOSITORY", help=only)
    parser.add_argument("--dry-run", action="store_true", help="show the plan, and write nothing")
    private = "make new repositories private; an error if one exists and is public"
    parser.add_argument("--private", action="store_true", help=private)
    parser.add_argument("--tag", metavar="vX", help="put this tag on the main branch of each, last")
    prune = "delete files on the Hub that are not staged, from the branches that are"
    parser.add_argument("--prune", action="store_true", help=prune)
    parser.add_argument("--json", action="store_true", help="print plan and outcome as JSON, at the end")


def run(args: argparse.Namespace) -> int:
    """Publish, and report what was done."""
    from .hub_client import connect
    from .publish_choices import Choices, check_choices, select

    choices = Choices(args.namespace, tuple(args.only), args.private, args.tag, args.prune)
    check_choices(choices)
    if not sys.stderr.isatty():  # read by huggingface_hub when it is imported, below
        os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    client = connect()
    with _staged(args) as stage:
        return _publish(args, choices, select(stage, choices), client)


@contextmanager
def _staged(args: argparse.Namespace) -> Iterator[Stage]:
    """The stage that the user names, each file checked, or a new one in a temporary folder."""
    from tempfile import TemporaryDirectory

    from .repositories import read_stage
    from .staging import stage

    if args.staged is not None:
        yield read_stage(Path(args.staged))
        return
    with TemporaryDirectory(prefix="dibimt-stage-") as folder:
        blimp = Path(args.blimp) if args.blimp is not None else None
        yield stage(Path(folder) / "hub", args.namespace, blimp)


def _publish(args: argparse.Namespace, choices: Choices, stage: Stage, client: HubClient) -> int:
    from .hub_errors import HubError, Retry, redact
    from .publish import Publisher
    from .publish_choices import check_account
    from .publish_report import DRY, outcome_text, plan_data, plan_text, step_text

    def say(text: str) -> None:
        emit(redact(text, client.token))

    def warn(text: str) -> None:
        note(redact(f"dibimt {args.command}: {text}", client.token))

    retry = Retry(warn, time.sleep)
    publisher = Publisher(stage, client, choices, retry)
    try:
        account = retry.run(client.account)
        check_account(account, choices.namespace)
        plan = publisher.plan()
    except HubError as error:
        warn(f"{error}; nothing was written")
        return 1
    if not args.json:
        say(plan_text(plan, account.name, client.endpoint) + "\n")
    outcome = None
    if not args.dry_run:
        quiet = args.json
        outcome = publisher.publish(plan, lambda step: None if quiet else say(f"done: {step_text(step, plan.tag)}"))
        if outcome.error:
            warn(outcome.error)
    if args.json:
        say(to_json(plan_data(plan, account.name, client.endpoint, outcome)))
    else:
        say(outcome_text(plan, outcome, client.endpoint) if outcome else DRY)
    if outcome and outcome.interrupted:
        raise KeyboardInterrupt
    return 1 if outcome and outcome.error else 0
