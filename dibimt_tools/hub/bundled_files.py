"""Which modules of the metric travel with its main script: those that it names, as ``evaluate`` reads it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from dibimt_metric.errors import InputError

_SIBLING = re.compile(rb"^from \.(\w+) import ", re.MULTILINE)


def siblings(script: bytes) -> tuple[str, ...]:
    r"""Names of the files of the modules that a script imports from beside it, at the left margin.

    >>> siblings(b"from .matcher import Matcher\nif True:\n    from .view import View\n")
    ('matcher.py',)
    """
    return tuple(sorted({f"{name.decode()}.py" for name in _SIBLING.findall(script)}))


def travelling(files: Mapping[str, bytes], script: str) -> dict[str, bytes]:
    """The main script and the modules that it names, which is what ``evaluate`` copies.

    Args:
        files: contents of the modules by name.
        script: name of the main script.

    Raises:
        InputError: a named module is not there, or imports one that the script does not name: it would be left behind,
            and the copy could not be loaded.
    """
    named = siblings(files[script])
    for name in named:
        if name not in files:
            raise InputError(
                f"{script}: names the module {name}, which is not there; install the package again"
            )
        for other in siblings(files[name]):
            if other not in named:
                raise InputError(
                    f"{script}: does not name the module {other}, which {name} imports, so that evaluate would leave "
                    f"it behind; add 'from .{other.removesuffix('.py')} import ...' to the main script"
                )
    return {script: files[script], **{name: files[name] for name in named}}
