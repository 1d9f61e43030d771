"""What `publish` tells: the plan, the steps, what stands and what does not; as text and as data."""

from __future__ import annotations

from typing import Any

from .plan import Action, BranchPlan, Plan, RepositoryPlan, Step, Tag
from .publish import Outcome, State, some
from .publish_remote import HubClient
from .repositories import MAIN

AGAIN = "Run the same command again: what is done is found there, and it goes on with the rest."
NOTHING = "Nothing to do: everything stands there as it is staged."
DRY = "Dry run: nothing was written."


def plan_text(plan: Plan, account: str, endpoint: str) -> str:
    """The plan, a block for each repository."""
    lines = [f"{endpoint}, as {account}, namespace {plan.namespace}"]
    for repository in plan.repositories:
        lines += ["", f"{repository.label}: {_standing(repository)}"]
        lines += [f"  {branch.name}: {_branch_text(repository, branch)}" for branch in repository.branches]
        if plan.tag:
            stands = repository.tag is Tag.STANDS
            lines.append(f"  tag {plan.tag}: {'stands on main' if stands else 'to be put on main, last'}")
    return "\n".join(lines)


def _standing(plan: RepositoryPlan) -> str:
    found = _visibility(plan.private)
    if not plan.exists:
        return f"to be created, {found}"
    if plan.private == plan.private_wanted:
        return f"exists, {found}"
    return f"exists, {found} ({_visibility(plan.private_wanted)} was asked for; it stays {found})"


def _visibility(private: bool) -> str:
    return "private" if private else "public"


def _branch_text(plan: RepositoryPlan, branch: BranchPlan) -> str:
    """What there is to do, without what there is none of."""
    parts = ["new branch"] if plan.exists and branch.commit is None else []
    counted = (
        (branch.added, "to add", f" ({_size(plan, branch)})"),
        (branch.changed, "to change", _named(branch.changed)),
        (branch.deleted, "to delete", _named(branch.deleted)),
        (branch.unchanged, "unchanged", ""),
        (branch.strays, "not staged, left there", _named(branch.strays)),
    )
    parts += [f"{len(paths)} {what}{detail}" for paths, what, detail in counted if paths]
    return ", ".join(parts) or "no files"


def _named(paths: tuple[str, ...]) -> str:
    return f" ({some(paths)})"


def _size(plan: RepositoryPlan, branch: BranchPlan) -> str:
    """How much there is to add."""
    staged = next(each for each in plan.repository.branches if each.name == branch.name)
    added = set(branch.added)
    size = sum(file.size for file in staged.files if file.path in added)
    if size < 1000:
        return f"{size} bytes"
    return f"{size / 1e6:,.1f} MB" if size >= 1e6 else f"{size / 1e3:,.1f} kB"


def step_text(step: Step, tag: str) -> str:
    """A step in words."""
    label = step.plan.label
    return {
        Action.CREATE: f"create {label}",
        Action.BRANCH: f"make branch {step.branch} of {label}",
        Action.COMMIT: f"write {step.branch} of {label}, and read it back",
        Action.TAG: f"put tag {tag} on {MAIN} of {label}",
    }[step.action]


def outcome_text(plan: Plan, outcome: Outcome, client: HubClient) -> str:
    """What stands at the end, and what does not."""
    if not outcome.states:
        return NOTHING
    open_steps = [(step, state) for step, state in outcome.states if state is not State.DONE]
    if not open_steps:
        pages = (f"  {client.url(each.repository.type, each.id)}" for each in plan.repositories)
        return "\n".join(("Published:", *pages))
    lines = [f"  {_state_text(state)}: {step_text(step, plan.tag)}" for step, state in open_steps]
    done = len(outcome.states) - len(open_steps)
    return "\n".join((f"{done} of {len(outcome.states)} steps done.", *lines, AGAIN))


def _state_text(state: State) -> str:
    return "interrupted, may be done" if state is State.INTERRUPTED else state.value


def plan_data(plan: Plan, account: str, client: HubClient, outcome: Outcome | None) -> dict[str, Any]:
    """Plan and outcome as data.

    Args:
        plan: what was to be done.
        account: whose token it is.
        client: the Hub.
        outcome: what became of it; ``None``: it was a dry run.
    """
    states = outcome.states if outcome else tuple((step, State.LEFT) for step in plan.steps)
    return {
        "endpoint": client.endpoint,
        "account": account,
        "namespace": plan.namespace,
        "tag": plan.tag or None,
        "dry_run": outcome is None,
        "repositories": [_repository_data(each, client) for each in plan.repositories],
        "steps": [
            {
                "action": step.action.value,
                "repository": step.plan.label,
                "branch": step.branch or None,
                "state": state.value,
            }
            for step, state in states
        ],
        "error": (outcome.error or None) if outcome else None,
    }


def _repository_data(plan: RepositoryPlan, client: HubClient) -> dict[str, Any]:
    return {
        "type": plan.repository.type.value,
        "id": plan.id,
        "url": client.url(plan.repository.type, plan.id),
        "exists": plan.exists,
        "private": plan.private,
        "private_wanted": plan.private_wanted,
        "tag": plan.tag.value,
        "branches": [
            {
                "name": branch.name,
                "exists": branch.commit is not None,
                "add": list(branch.added),
                "change": list(branch.changed),
                "delete": list(branch.deleted),
                "unchanged": list(branch.unchanged),
                "not_staged": list(branch.strays),
            }
            for branch in plan.branches
        ],
    }
