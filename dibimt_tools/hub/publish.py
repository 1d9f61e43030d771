"""Publishes a staged folder: reads the Hub, makes the plan, carries it out step by step, checks each step.

Every step first reads what is on the Hub. So a step whose answer was lost is not done twice, and the same command, run
again after any failure, continues where it stopped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import partial

from .hub_client import HubClient
from .hub_errors import HubError, Retry
from .plan import Action, Address, BranchPlan, Plan, Step, compare, git_oids, make_plan
from .publish_choices import Choices
from .repositories import MAIN, Stage

SHOWN = 3
"""Names of files in a message."""


class State(str, Enum):
    """What became of a step."""

    DONE = "done"
    FAILED = "failed"
    INTERRUPTED = "interrupted"
    LEFT = "not done"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a plan.

    Attributes:
        states: of the steps, in their order.
        error: why it stopped; empty: it did not, or the user stopped it.
    """

    states: tuple[tuple[Step, State], ...]
    error: str = ""

    @property
    def interrupted(self) -> bool:
        """Whether the user stopped it."""
        return any(state is State.INTERRUPTED for _, state in self.states)


class Publisher:
    """Plans and publishes one stage, and remembers the commits of the branches that it has checked."""

    def __init__(self, stage: Stage, client: HubClient, choices: Choices, retry: Retry) -> None:
        self._stage, self._client, self._choices, self._retry = stage, client, choices, retry
        self._tag = choices.tag or ""
        self._oids = git_oids(stage)
        self._heads: dict[tuple[Address, str], str] = {}

    def plan(self) -> Plan:
        """Read the Hub, and make the plan; nothing is written."""
        found = []
        for staged in self._stage.repositories:
            address = Address(staged.type, f"{self._choices.namespace}/{staged.name}")
            names = [branch.name for branch in staged.branches]
            remote = self._retry.run(partial(self._client.repository, address, names, self._tag))
            found.append((staged, remote))
        plan = make_plan(found, self._oids, self._choices)
        for repository in plan.repositories:
            for branch in repository.branches:
                if branch.commit is not None:
                    self._heads[repository.address, branch.name] = branch.commit
        return plan

    def publish(self, plan: Plan, say: Callable[[Step], None]) -> Outcome:
        """Carry out a plan, until it is done, a step fails, or the user stops it; nothing is undone.

        ``say`` is told of each step when it is done.
        """
        acts: dict[Action, Callable[[Step], None]] = {
            Action.CREATE: self._create,
            Action.BRANCH: lambda step: self._client.create_branch(step.plan.address, step.branch),
            Action.COMMIT: self._commit,
            Action.TAG: self._put_tag,
        }
        steps, done = plan.steps, 0
        state, error = State.LEFT, ""
        try:
            for step in steps:
                self._retry.run(partial(acts[step.action], step))
                done += 1
                say(step)
        except HubError as stop:
            state, error = State.FAILED, str(stop)
        except KeyboardInterrupt:
            state = State.INTERRUPTED
        states = [*[State.DONE] * done, state, *[State.LEFT] * len(steps)]
        return Outcome(tuple(zip(steps, states, strict=False)), error)

    # Steps; doing one again that is done changes nothing

    def _create(self, step: Step) -> None:
        plan, address = step.plan, step.plan.address
        self._client.create(address, plan.private)
        # Somebody else may have made it meanwhile, or the Hub may have defaults of its own.
        if self._client.is_private(address) != plan.private:
            wanted, found = ("private", "public") if plan.private else ("public", "private")
            raise HubError(
                f"create {address}: {wanted} was asked for, and it is {found}; nothing was written into it; "
                f"change that at {self._client.endpoint}/{address}/settings"
            )

    def _commit(self, step: Step) -> None:
        """Write what differs, and read it back."""
        found = self._compared(step)
        if found.differing:
            self._write(step, found)
            found = self._compared(step)
        if found.differing:
            raise HubError(
                f"check {step.branch} of {step.plan.address}: the Hub accepted the commit, but these files are not as "
                f"staged: {some(found.differing)}"
            )
        self._heads[step.plan.address, step.branch] = str(found.commit)

    def _compared(self, step: Step) -> BranchPlan:
        """The branch as it is now, compared with the staged one."""
        branch = next(each for each in step.plan.repository.branches if each.name == step.branch)
        remote = self._client.branch(step.plan.address, step.branch)
        return compare(branch, remote, self._oids, self._choices.prune)

    def _write(self, step: Step, found: BranchPlan) -> None:
        address, branch = step.plan.address, step.branch
        if found.commit is None or self._heads.get((address, branch)) not in (None, found.commit):
            raise HubError(
                f"write {branch} of {address}: somebody else has changed the branch since the plan was made; "
                "nothing was written over it"
            )
        files = {path: self._stage.path(step.plan.repository, branch, path) for path in (*found.added, *found.changed)}
        message = f"DiBiMT tools {self._stage.version}"
        self._client.commit(address, branch, found.commit, files, found.deleted, message)

    def _put_tag(self, step: Step) -> None:
        address = step.plan.address
        commit = self._heads[address, MAIN]
        self._client.create_tag(address, self._tag, commit)
        found = self._client.tagged(address, self._tag)
        if found != commit:
            raise HubError(f"tag {address}: {self._tag} names commit {found}, not {commit}")


def some(paths: tuple[str, ...]) -> str:
    """The first names, and how many more there are.

    >>> some(("a", "b", "c", "d"))
    'a, b, c and 1 more'
    """
    more = f" and {len(paths) - SHOWN} more" if len(paths) > SHOWN else ""
    return ", ".join(paths[:SHOWN]) + more
