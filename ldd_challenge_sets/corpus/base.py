"""What every parallel corpus can do, whatever it is kept in."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from itertools import islice

from dibimt_metric.errors import InputError

from ..records import Fault, TextPair


class Corpus(ABC):
    """A parallel corpus that is read from its beginning as often as wanted, in constant memory.

    It holds paths and choices but no open file: it can be pickled and compared. Made by the functions of
    `ldd_challenge_sets.corpus.opening`.

    Attributes:
        name: for cards and for the column ``corpus`` of challenge sets.
        files: the files, or the name of the data set, as they were given.
    """

    __slots__ = ()

    name: str

    @property
    @abstractmethod
    def files(self) -> tuple[str, ...]:
        """The files, or the name of the data set, as they were given."""

    @abstractmethod
    def read(self, start: int = 1) -> Iterator[TextPair | Fault]:
        """All pairs in order, one entry each.

        A pair that cannot be used is a `Fault` in its place, so that parses and alignments stay in step.

        Args:
            start: number of the first pair wanted, from 1.

        Raises:
            InputError: the corpus cannot be read, or not any further.
        """

    @abstractmethod
    def count(self) -> int | None:
        """Number of entries that `read` gives; ``None`` where only reading all of it would tell."""

    @abstractmethod
    def fingerprint(self) -> str:
        """64 hexadecimal digits that change with the content and with what is chosen of it, not with the path."""

    def check(self) -> tuple[Fault, ...]:
        """What can be seen before the work begins; the first pair is read for it.

        Raises:
            InputError: the corpus cannot be read.
        """
        for _ in islice(self.read(), 1):
            pass
        return ()


def check_start(start: int) -> None:
    """Refuse a number that no pair has.

    Raises:
        InputError: start is below 1.
    """
    if start < 1:
        raise InputError(f"pairs are counted from 1; reading cannot start at {start}")
