"""How long work shows how far it is, without knowing about terminals."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias, TypeVar

T = TypeVar("T")
Progress: TypeAlias = Callable[[int | None, str], Callable[[Iterable[T]], Iterable[T]]]
"""Given the number of steps (``None``: unknown) and a label, a wrapper that shows how far an iterable is."""


def silent(total: int | None, label: str) -> Callable[[Iterable[T]], Iterable[T]]:
    """Show nothing."""
    return iter
