"""The signature of a result: one line that names every choice that can change the numbers.

Form: ``dibimt|key:value|key:value|...``, for example
``dibimt|lang:de|analyzers:simplemma-2.0.0|rules:de.1|data:mini|nbest:oracle|weighting:macro|...``. Two
results can be compared when their signatures are equal except for the system. It is made from the objects
that ran, and it is in every result and file written.

A key is a lower-case word. A value may be any text: ``%``, ``|``, ``:``, spaces, control characters and
everything outside ASCII are written as ``%`` and two hexadecimal digits for each byte of UTF-8, so a name
can neither add a field nor break the line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import quote
from urllib.parse import unquote

from .errors import InputError
from .version import VERSION

NAME = "dibimt"
_KEY = re.compile(r"[a-z][a-z0-9_]*")
_KEPT = "!$&'()*+,/;=?@[]~#<>^{}"  # not encoded, as are letters, digits and _ . -
_ENCODED = re.compile(r"(?:[!-$&-9;-{}~]|%[0-9A-F]{2})+")


@dataclass(frozen=True, slots=True)
class Signature:
    """Ordered keys and values that describe how a result was made.

    Attributes:
        fields: pairs of key and value, unescaped, each key once.

    Raises:
        InputError: a key is not a lower-case word or is repeated, or a value is not text or is empty.

    Example:
        >>> str(Signature((("lang", "de"), ("data", "my|set"))))
        'dibimt|lang:de|data:my%7Cset'
    """

    fields: tuple[tuple[str, str], ...]

    def __post_init__(self) -> None:
        """Reject fields that could not be read back."""
        seen: set[str] = set()
        for key, value in self.fields:
            _check_field(key, value)
            if key in seen:
                raise InputError(f"signature key {key!r} is repeated; give it once")
            seen.add(key)

    def __str__(self) -> str:
        """The line, in ASCII without spaces."""
        return "|".join((NAME, *(f"{key}:{_encode(value)}" for key, value in self.fields)))

    def get(self, key: str) -> str | None:
        """The value of a key, ``None`` where the signature does not have it.

        Example:
            >>> make_signature({"lang": "de"}).get("lang")
            'de'
        """
        return dict(self.fields).get(key)

    def extended(self, values: Mapping[str, str | int | float]) -> Signature:
        """The signature with more fields, before the version.

        Raises:
            InputError: a key or value cannot be used.

        Example:
            >>> str(Signature((("lang", "de"), ("version", "0.1.0"))).extended({"seed": 0}))
            'dibimt|lang:de|seed:0|version:0.1.0'
        """
        known = dict(self.fields)
        version = known.pop("version", None)
        return make_signature({**known, **values} | ({} if version is None else {"version": version}))


def make_signature(values: Mapping[str, str | int | float]) -> Signature:
    """A signature of ordered keys and values, with ``version`` at the end if it is not among them.

    Args:
        values: keys and values in the order in which they are written. A value that does not apply is
            omitted, or given as a word such as ``none``.

    Raises:
        InputError: a key or value cannot be used.

    Example:
        >>> str(make_signature({"lang": "de", "weighting": "macro", "seed": 0, "version": "0.1.0"}))
        'dibimt|lang:de|weighting:macro|seed:0|version:0.1.0'
    """
    fields = tuple((key, _text(key, value)) for key, value in values.items())
    if "version" not in values:
        fields += (("version", VERSION),)
    return Signature(fields)


def common_signature(signatures: Iterable[Signature]) -> Signature:
    """One for several results: each field once where all agree, else the values of all, in their order.

    A field that one of them lacks is ``none`` there.

    Example:
        >>> one = Signature((("lang", "de"), ("nbest", "oracle")))
        >>> str(common_signature([one, Signature((("lang", "es"), ("nbest", "oracle")))]).get("lang"))
        'de,es'
    """
    every = [dict(signature.fields) for signature in signatures]
    names = dict.fromkeys(name for fields in every for name in fields)
    return make_signature(
        {name: ",".join(dict.fromkeys(fields.get(name, "none") for fields in every)) for name in names}
    )


def parse_signature(line: str) -> Signature:
    """Read a signature back: ``parse_signature(str(s)) == s``.

    Args:
        line: what ``str`` of a signature gave. Nothing is added, and nothing may be missing.

    Raises:
        InputError: the line is not a signature; the message names the field.

    Example:
        >>> parse_signature("dibimt|lang:de|data:my%7Cset").get("data")
        'my|set'
    """
    name, *parts = line.split("|")
    if name != NAME:
        raise InputError(f"signature {line!r} starts with {name!r}; expected {NAME!r} and then '|key:value'")
    return Signature(tuple(_parse_field(part, line) for part in parts))


def _parse_field(part: str, line: str) -> tuple[str, str]:
    key, colon, value = part.partition(":")
    if not colon or not _ENCODED.fullmatch(value):
        raise InputError(f"field {part!r} of signature {line!r} is not of the form key:value; copy it whole")
    try:
        return key, unquote(value, errors="surrogatepass")
    except UnicodeDecodeError as error:
        raise InputError(f"field {part!r} of signature {line!r} is not UTF-8; copy it whole") from error


def _check_field(key: object, value: object) -> None:
    if not isinstance(key, str) or not _KEY.fullmatch(key):
        raise InputError(f"signature key {key!r} cannot be used; expected a lower-case word such as 'lang'")
    if not isinstance(value, str) or not value:
        raise InputError(f"signature value of {key!r} is {value!r}; expected text, such as 'none'")


def _text(key: str, value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise InputError(f"signature value of {key!r} is {value!r}; expected text or a number")
    return str(getattr(value, "value", value))  # a member of a vocabulary is written as its word


def _encode(value: str) -> str:
    return quote(value, safe=_KEPT, errors="surrogatepass")
