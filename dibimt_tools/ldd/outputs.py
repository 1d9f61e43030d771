"""Names of files that the ``ldd`` commands write, looked at before any work."""

from __future__ import annotations

from dibimt_metric.errors import InputError

from ..inputs import STDIN


def refuse_dash(**options: str | None) -> None:
    """Refuse ``-`` as the name of an output: it means standard input for ``--predictions``, and is no file.

    Args:
        **options: name of each option without its dashes, and its value.

    Raises:
        InputError: says how to print, or to name a file.

    >>> refuse_dash(output="report.txt", html=None)
    """
    for option, value in options.items():
        if value != STDIN:
            continue
        if option == "output":
            raise InputError(
                f"--output {value} names no file; leave --output out to print to standard output"
            )
        raise InputError(f"--{option} {value} names no file; it is not printed, so give the name of a file")
