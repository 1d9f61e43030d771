"""Publish the metric and the data sets on the Hugging Face Hub: the plan first, then step by step.

  dibimt hub publish --namespace NAME --dry-run
  dibimt hub publish --namespace NAME --blimp blimp --tag v1.0
  dibimt hub publish --namespace NAME --staged hub --only datasets/dibimt

Only differences are written, one commit for each branch, and each branch is read back and compared. After a failure the
same command goes on where it stopped. The token is the one of HF_TOKEN, or of 'hf auth login'; it is never shown.
Another Hub than huggingface.co: HF_ENDPOINT. Exit code 1: something was not done, and the report says what.
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
    from .publish_choices import Choices
    from .publish_remote import HubClient
    from .repositories import Stage


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``dibimt hub publish``."""
    parser.add_argument(
        "--namespace", required=True, metavar="NAME", help="your name on the Hub, or an organization's"
    )
    source = parser.add_mutually_exclusive_group()
    source.add_argument(
        "--staged",
        metavar="DIR",
        help="a folder that 'dibimt hub stage' wrote (default: it is staged anew, in a temporary folder)",
    )
    source.add_argument(
        "--blimp", metavar="DIR", help="also publish BLiMP, which 'dibimt blimp convert' wrote there"
    )
    parser.add_argument(
        "--only",
        nargs="+",
        action="extend",
        default=[],
        metavar="REPOSITORY",
        help="only these: dibimt (the Space and the data set), spaces/dibimt, datasets/dibimt ...",
    )
    parser.add_argument("--dry-run", action="store_true", help="show the plan, and write nothing")
    parser.add_argument(
        "--private",
        action="store_true",
        help="make new repositories private; refused where one exists and is public",
    )
    parser.add_argument("--tag", metavar="vX", help="put this tag on the main branch of each, last")
    parser.add_argument(
        "--prune",
        action="store_true",
        help="delete files on the Hub that are not staged, from the branches that are",
    )
    parser.add_argument("--json", action="store_true", help="print plan and outcome as JSON, at the end")


def run(args: argparse.Namespace) -> int:
    """Publish, and say what stands."""
    from .publish_choices import Choices, check_choices, select
    from .publish_remote import connect

    choices = Choices(args.namespace, tuple(args.only), args.private, args.tag, args.prune)
    check_choices(choices)
    _quiet_bars()
    client = connect()
    with _staged(args) as stage:
        return _publish(args, choices, select(stage, choices), client)


@contextmanager
def _staged(args: argparse.Namespace) -> Iterator[Stage]:
    """The stage that the user names, each file checked, or a new one for as long as it is needed."""
    from tempfile import TemporaryDirectory

    from .staging import read_stage, stage

    if args.staged is not None:
        yield read_stage(Path(args.staged))
        return
    with TemporaryDirectory(prefix="dibimt-stage-") as folder:
        blimp = Path(args.blimp) if args.blimp is not None else None
        yield stage(Path(folder) / "hub", args.namespace, blimp)


def _publish(args: argparse.Namespace, choices: Choices, stage: Stage, client: HubClient) -> int:
    from .hub_errors import HubError, redact
    from .plan import git_oids
    from .publish import publish, survey
    from .publish_choices import check_account
    from .publish_report import DRY, outcome_text, plan_data, plan_text, step_text
    from .publish_retry import Retry

    def say(text: str, to_user: bool = True) -> None:
        if to_user:
            emit(redact(text, client.token))

    retry = Retry(lambda text: note(redact(f"dibimt {args.command}: {text}", client.token)), time.sleep)
    oids = git_oids(stage)
    try:
        account = retry.run(client.account)
        check_account(account, choices.namespace)
        plan = survey(stage, oids, client, choices, retry)
    except HubError as error:
        note(f"dibimt {args.command}: {error}; nothing was written")
        return 1
    say(plan_text(plan, account.name, client.endpoint) + "\n", not args.json)
    if args.dry_run:
        data = plan_data(plan, account.name, client, None)
        say(to_json(data) if args.json else DRY)
        return 0
    outcome = publish(
        plan,
        stage,
        oids,
        client,
        retry,
        choices.prune,
        lambda step: say(f"done: {step_text(step, plan.tag)}", not args.json),
    )
    if outcome.error:
        note(redact(f"dibimt {args.command}: {outcome.error}", client.token))
    data = plan_data(plan, account.name, client, outcome)
    say(to_json(data) if args.json else outcome_text(plan, outcome, client))
    if outcome.interrupted:
        raise KeyboardInterrupt
    return 1 if outcome.error else 0


def _quiet_bars() -> None:
    """No bars where nobody sees them move, unless the user's own setting says otherwise.

    ``huggingface_hub`` reads it when it is imported, which is later.
    """
    if not sys.stderr.isatty():
        os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
