"""Waiting where the Hub is in trouble for a while: a bounded number of times, longer each time, and said."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from .hub_errors import HubError

T = TypeVar("T")

WAITS = (1.0, 3.0, 9.0, 27.0)
"""Seconds before the second attempt, the third, and so on; one attempt more than there are waits."""
LONGEST = 300.0
"""Seconds; where the Hub asks for a longer wait, the user decides."""


@dataclass(frozen=True, slots=True)
class Retry:
    """How temporary trouble is met.

    Attributes:
        say: tells the user.
        sleep: waits.
        waits: seconds between the attempts, if the Hub asks for no longer ones.
        longest: seconds that are waited at most.
    """

    say: Callable[[str], None]
    sleep: Callable[[float], None] = time.sleep
    waits: tuple[float, ...] = WAITS
    longest: float = LONGEST

    def run(self, act: Callable[[], T]) -> T:
        """The result of the action, which is tried again after temporary trouble.

        Raises:
            HubError: it failed for good, or each time.

        >>> def fail() -> None:
        ...     raise HubError("no answer", temporary=True)
        >>> waited: list[float] = []
        >>> Retry(print, waited.append, (1, 3)).run(fail)
        Traceback (most recent call last):
        dibimt_tools.hub.hub_errors.HubError: no answer (tried 3 times)
        """
        for number, pause in enumerate(self.waits, start=2):
            try:
                return act()
            except HubError as error:
                if not error.temporary:
                    raise
                self._wait(error, pause, number)
        try:
            return act()
        except HubError as error:
            if error.temporary:
                error.args = (f"{error} (tried {len(self.waits) + 1} times)",)
            raise

    def _wait(self, error: HubError, pause: float, number: int) -> None:
        seconds = max(pause, error.wait or 0.0)
        if seconds > self.longest:
            error.args = (f"{error} (the Hub asks to wait {seconds:.0f} s)",)
            raise error
        self.say(f"{error}; waiting {seconds:.0f} s, then attempt {number} of {len(self.waits) + 1}")
        self.sleep(seconds)
