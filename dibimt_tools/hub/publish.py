"""Publishes a staged folder: looks at the Hub, makes the plan, carries it out step by step, checks each step.

Every step first looks at what stands there. So a step whose answer was lost is not done twice, and the same command,
run again after any failure, goes on where it stopped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import partial

from .hub_errors import HubError
from .plan import Action, BranchPlan, Oids, Plan, Step, compare, make_plan
from .publish_choices import Choices
from .publish_remote import HubClient
from .publish_retry import Retry
from .repositories import MAIN, Branch, Stage

SHOWN = 3
"""So many names of files stand in a message."""


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


def survey(stage: Stage, oids: Oids, client: HubClient, choices: Choices, retry: Retry) -> Plan:
    """Look at the Hub, and make the plan; nothing is written.

    Args:
        stage: what is to be published.
        oids: see `dibimt_tools.hub.plan.git_oids`.
        client: the Hub.
        choices: what the user asks for.
        retry: how temporary trouble is met.

    Raises:
        HubError: the Hub does not answer as it should.
        InputError: the tag exists, and names something else; or what should be private is public.
    """
    found = []
    tag = choices.tag or ""
    for staged in stage.repositories:
        ask = partial(client.repository, staged, f"{choices.namespace}/{staged.name}", tag)
        found.append((staged, retry.run(ask)))
    return make_plan(found, oids, choices.namespace, choices.private, tag, choices.prune)


def publish(
    plan: Plan,
    stage: Stage,
    oids: Oids,
    client: HubClient,
    retry: Retry,
    prune: bool = False,
    say: Callable[[Step], None] = lambda step: None,
) -> Outcome:
    """Carry out a plan, until it is done, a step fails, or the user stops it; nothing is undone.

    Args:
        plan: of `survey`.
        stage: what is published.
        oids: see `dibimt_tools.hub.plan.git_oids`.
        client: the Hub.
        retry: how temporary trouble is met.
        prune: as in the plan.
        say: is told of each step when it is done.
    """
    publisher = _Publisher(plan, stage, oids, client, prune)
    steps = plan.steps
    done = 0
    state, error = State.LEFT, ""
    try:
        for step in steps:
            retry.run(partial(publisher.do, step))
            done += 1
            say(step)
    except HubError as stop:
        state, error = State.FAILED, str(stop)
    except KeyboardInterrupt:
        state = State.INTERRUPTED
    states = [*[State.DONE] * done, state, *[State.LEFT] * len(steps)]
    return Outcome(tuple(zip(steps, states, strict=False)), error)


class _Publisher:
    """Does single steps, and remembers at which commits the branches stand that it has checked."""

    def __init__(self, plan: Plan, stage: Stage, oids: Oids, client: HubClient, prune: bool) -> None:
        self._tag, self._stage, self._oids, self._client = plan.tag, stage, oids, client
        self._prune = prune
        self._heads = {
            (each.label, branch.name): branch.commit
            for each in plan.repositories
            for branch in each.branches
            if branch.commit is not None
        }

    def do(self, step: Step) -> None:
        """Do a step; to do one again that is done changes nothing.

        Raises:
            HubError: the Hub refuses, or something else stands there afterwards.
        """
        acts = {
            Action.CREATE: self._create,
            Action.BRANCH: self._create_branch,
            Action.COMMIT: self._commit,
            Action.TAG: self._put_tag,
        }
        acts[step.action](step)

    def _create(self, step: Step) -> None:
        plan = step.plan
        kind = plan.repository.type
        self._client.create(kind, plan.id, plan.private)
        # It may have been made by somebody else meanwhile, or the Hub may have defaults of its own.
        if self._client.is_private(kind, plan.id) != plan.private:
            wanted, found = ("private", "public") if plan.private else ("public", "private")
            raise HubError(
                f"create {plan.label}: {wanted} was asked for, and it is {found}; nothing was written into it; "
                f"change that at {self._client.url(kind, plan.id)}/settings"
            )

    def _create_branch(self, step: Step) -> None:
        self._client.create_branch(step.plan.repository.type, step.plan.id, step.branch)

    def _commit(self, step: Step) -> None:
        """Write what differs, and read it back."""
        there = self._look(step)
        if there.differs:
            self._write(step, there)
            there = self._look(step)
        if there.differs:
            raise HubError(
                f"check {step.branch} of {step.plan.label}: the Hub took the commit, and what stands there now is not "
                f"what is staged: {some((*there.added, *there.changed, *there.deleted))}"
            )
        self._heads[step.plan.label, step.branch] = str(there.commit)

    def _look(self, step: Step) -> BranchPlan:
        """The branch as it stands now, compared with the staged one."""
        branch = self._branch(step)
        remote = self._client.branch(step.plan.repository.type, step.plan.id, step.branch)
        return compare(branch, remote, self._oids, self._prune)

    def _branch(self, step: Step) -> Branch:
        return {branch.name: branch for branch in step.plan.repository.branches}[step.branch]

    def _write(self, step: Step, there: BranchPlan) -> None:
        plan = step.plan
        planned = self._heads.get((plan.label, step.branch))
        if there.commit is None or planned not in (None, there.commit):
            raise HubError(
                f"write {step.branch} of {plan.label}: somebody else has changed the branch since the plan was made; "
                "nothing was written over it"
            )
        places = {
            path: self._stage.path(plan.repository, step.branch, path)
            for path in (*there.added, *there.changed)
        }
        message = f"DiBiMT tools {self._stage.version}"
        self._client.commit(
            plan.repository.type, plan.id, step.branch, there.commit, places, there.deleted, message
        )

    def _put_tag(self, step: Step) -> None:
        plan = step.plan
        commit = self._heads[plan.label, MAIN]
        self._client.create_tag(plan.repository.type, plan.id, self._tag, commit)
        found = self._client.tagged(plan.repository.type, plan.id, self._tag)
        if found != commit:
            raise HubError(f"tag {plan.label}: {self._tag} names commit {found}, not {commit}")


def some(paths: tuple[str, ...]) -> str:
    """The first names, and how many more there are.

    >>> some(("a", "b", "c", "d"))
    'a, b, c and 1 more'
    """
    more = f" and {len(paths) - SHOWN} more" if len(paths) > SHOWN else ""
    return ", ".join(paths[:SHOWN]) + more
