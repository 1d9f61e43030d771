"""How long-running work reports its progress, without knowing about terminals."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias, TypeVar

T = TypeVar("T")
Progress: TypeAlias = Callable[[int | None, str], Callable[[Iterable[T]], Iterable[T]]]
"""Number of steps (``None``: unknown) and a label -> a wrapper that shows the progress of an iterable."""


def silent(total: int | None, label: str) -> Callable[[Iterable[T]], Iterable[T]]:
    """A `Progress` that shows nothing."""
    return iter
