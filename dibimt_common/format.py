"""Numbers, intervals, counts and tables as text, for all reports, pages and commands.

Every formatter of a number also takes `None`, an undefined value, and then returns `undefined`.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable

from dibimt_metric.judge_explain import aligned as aligned
from dibimt_metric.judge_explain import printable as printable

UNDEFINED = "undefined"
"""For reports that give the reason next to it; dense tables use ``-``, the default."""
WIDTH = 100
"""Terminal width of reports, in columns."""


def number(value: float | None, decimals: int = 2, undefined: str = "-") -> str:
    """A number with a fixed number of decimals.

    >>> number(30.125), number(None), number(0.8125, 3)
    ('30.12', '-', '0.812')
    """
    return undefined if value is None else f"{value:.{decimals}f}"


def signed(value: float | None, decimals: int = 2, undefined: str = "-") -> str:
    """A difference with its sign; a difference that rounds to zero has no sign.

    >>> signed(1.5), signed(-0.001), signed(None)
    ('+1.50', '0.00', '-')
    """
    if value is None:
        return undefined
    text = f"{value:+.{decimals}f}"
    return text if float(text) else text[1:]


def interval(
    low: float | None,
    high: float | None,
    decimals: int = 2,
    undefined: str = "-",
    bound: Callable[[float, int], str] = number,
) -> str:
    """Both ends of an interval.

    Args:
        low: lower end; the interval is undefined if either end is.
        high: upper end.
        decimals: of both ends.
        undefined: text for an undefined interval.
        bound: formatter of an end: `number`, or `signed` for differences.

    >>> interval(28.5, 31), interval(None, None), interval(-1, 2, bound=signed)
    ('28.50 to 31.00', '-', '-1.00 to +2.00')
    """
    return undefined if low is None or high is None else f"{bound(low, decimals)} to {bound(high, decimals)}"


def interval_title(level: float) -> str:
    """The title of a column of intervals.

    >>> interval_title(0.95)
    '95 % interval'
    """
    return f"{100 * level:g} % interval"


def p_value(value: float | None) -> str:
    """A p-value with three decimals and without the leading zero.

    >>> p_value(0.0004), p_value(0.25), p_value(1.0), p_value(None)
    ('<.001', '.250', '1.000', '-')
    """
    if value is None:
        return "-"
    return "<.001" if value < 0.001 else "1.000" if value >= 0.9995 else f"{value:.3f}"[1:]


def share(value: float | None) -> str:
    """A share as a percentage without decimals; only 1 is shown as 100 %, and only 0 as 0 %.

    >>> share(1.0), share(0.999), share(0.001), share(None)
    ('100 %', '>99 %', '<1 %', '-')
    """
    if value is None:
        return "-"
    if 0.99 < value < 1:
        return ">99 %"
    return "<1 %" if 0 < value < 0.01 else f"{100 * value:.0f} %"


def count(n: int, what: str) -> str:
    """A count with its noun, in the plural if needed.

    >>> count(1, "pair"), count(1200, "pair")
    ('1 pair', '1,200 pairs')
    """
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def fitted(text: str, width: int) -> str:
    """A text of at most this width, shortened in the middle.

    >>> fitted("coordinate_structure", 12)
    'coordi…cture'
    """
    if len(text) <= width:
        return text
    tail = (width - 1) // 2
    return f"{text[: width - tail - 1]}…{text[-tail:]}"


def section(title: str, lines: Iterable[str]) -> str:
    """An underlined title and the lines below it."""
    return "\n".join((title, "-" * len(title), *lines))


def wrapped(lines: Iterable[str]) -> list[str]:
    """The lines broken at `WIDTH`; continuations are indented."""
    return [
        part for line in lines for part in textwrap.wrap(line, WIDTH, subsequent_indent="  ", break_on_hyphens=False)
    ]
