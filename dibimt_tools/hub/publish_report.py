"""What publishing reports: the plan, the steps, what was done and what was not; as text and as data."""

from __future__ import annotations

from typing import Any

from .plan import Action, BranchPlan, Plan, RepositoryPlan, Step, Tag
from .publish import Outcome, State, some
from .repositories import MAIN

AGAIN = "Run the same command again: it finds what is done, and continues with the rest."
NOTHING = "Nothing to do: everything on the Hub is as staged."
DRY = "Dry run: nothing was written."


def plan_text(plan: Plan, account: str, endpoint: str) -> str:
    """The plan, a block for each repository."""
    lines = [f"{endpoint}, as {account}, namespace {plan.namespace}"]
    for repository in plan.repositories:
        lines += ["", f"{repository.address}: {_existence(repository)}"]
        lines += [f"  {branch.name}: {_branch_text(repository, branch)}" for branch in repository.branches]
        if plan.tag:
            done = repository.tag is Tag.STANDS
            lines.append(f"  tag {plan.tag}: {'is on main' if done else 'to be put on main, last'}")
    return "\n".join(lines)


def _existence(plan: RepositoryPlan) -> str:
    found, wanted = ("private" if each else "public" for each in (plan.private, plan.private_wanted))
    if not plan.exists:
        return f"to be created, {found}"
    return f"exists, {found}" + ("" if found == wanted else f" ({wanted} was asked for; it stays {found})")


def _branch_text(plan: RepositoryPlan, branch: BranchPlan) -> str:
    """What has to be done, omitting zero counts."""
    parts = ["new branch"] if plan.exists and branch.commit is None else []
    counted = (
        (branch.added, "to add", _size(plan, branch)),
        (branch.changed, "to change", some(branch.changed)),
        (branch.deleted, "to delete", some(branch.deleted)),
        (branch.unchanged, "unchanged", ""),
        (branch.strays, "not staged, left there", some(branch.strays)),
    )
    parts += [f"{len(paths)} {what}{f' ({detail})' if detail else ''}" for paths, what, detail in counted if paths]
    return ", ".join(parts) or "no files"


def _size(plan: RepositoryPlan, branch: BranchPlan) -> str:
    """The size of what has to be added."""
    staged = next(each for each in plan.repository.branches if each.name == branch.name)
    size = sum(file.size for file in staged.files if file.path in branch.added)
    if size < 1000:
        return f"{size} bytes"
    return f"{size / 1e6:,.1f} MB" if size >= 1e6 else f"{size / 1e3:,.1f} kB"


def step_text(step: Step, tag: str) -> str:
    """A step in words."""
    return {
        Action.CREATE: f"create {step.plan.address}",
        Action.BRANCH: f"make branch {step.branch} of {step.plan.address}",
        Action.COMMIT: f"write {step.branch} of {step.plan.address}, and read it back",
        Action.TAG: f"put tag {tag} on {MAIN} of {step.plan.address}",
    }[step.action]


def outcome_text(plan: Plan, outcome: Outcome, endpoint: str) -> str:
    """What was done, and what was not."""
    if not outcome.states:
        return NOTHING
    open_steps = [(step, state) for step, state in outcome.states if state is not State.DONE]
    if not open_steps:
        return "\n".join(("Published:", *(f"  {endpoint}/{each.address}" for each in plan.repositories)))
    done = len(outcome.states) - len(open_steps)
    lines = [f"{done} of {len(outcome.states)} steps done."]
    for step, state in open_steps:
        name = "interrupted, may be done" if state is State.INTERRUPTED else state.value
        lines.append(f"  {name}: {step_text(step, plan.tag)}")
    return "\n".join((*lines, AGAIN))


def plan_data(plan: Plan, account: str, endpoint: str, outcome: Outcome | None) -> dict[str, Any]:
    """Plan and outcome as data; without an outcome it was a dry run."""
    states = outcome.states if outcome else tuple((step, State.LEFT) for step in plan.steps)
    return {
        "endpoint": endpoint,
        "account": account,
        "namespace": plan.namespace,
        "tag": plan.tag or None,
        "dry_run": outcome is None,
        "repositories": [_repository_data(each, endpoint) for each in plan.repositories],
        "steps": [_step_data(step, state) for step, state in states],
        "error": (outcome.error or None) if outcome else None,
    }


def _step_data(step: Step, state: State) -> dict[str, Any]:
    names = {"repository": str(step.plan.address), "branch": step.branch or None}
    return {"action": step.action.value, **names, "state": state.value}


def _repository_data(plan: RepositoryPlan, endpoint: str) -> dict[str, Any]:
    return {
        "type": plan.address.type.value,
        "id": plan.address.id,
        "url": f"{endpoint}/{plan.address}",
        "exists": plan.exists,
        "private": plan.private,
        "private_wanted": plan.private_wanted,
        "tag": plan.tag.value,
        "branches": [_branch_data(branch) for branch in plan.branches],
    }


def _branch_data(branch: BranchPlan) -> dict[str, Any]:
    paths = {"add": branch.added, "change": branch.changed, "delete": branch.deleted, "unchanged": branch.unchanged}
    lists = {name: list(found) for name, found in (*paths.items(), ("not_staged", branch.strays))}
    return {"name": branch.name, "exists": branch.commit is not None, **lists}
