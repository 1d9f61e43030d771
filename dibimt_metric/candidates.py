"""How a candidate may be written: plain, with a part of speech, as in the paper's annotation sheets.

The guidelines (2025, Appendix A) write ``[candidate | P]`` for a candidate of another part of speech and for a
multi-word expression; the letter of the part of speech (n, a, v, r) may follow the P.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from .errors import InputError
from .errors import shown
from .normalize import normalize
from .records import Candidate
from .records import PartOfSpeech

Synsets = tuple[str, ...]
Indices = tuple[int | None, ...]

_SHEET_MARK = re.compile(r"(?:P\s?)?([navr]?)", re.IGNORECASE)


def candidate(value: object) -> Candidate:
    """A `Candidate` from a string or from a mapping with ``lemma``, ``pos``, ``synsets``, ``frequency_indices``.

    Raises:
        InputError: the value is neither, or a field has the wrong type.

    >>> candidate("[aus der Mode kommen | P v]")
    Candidate(lemma='aus der Mode kommen', pos=<PartOfSpeech.VERB: 'v'>, synsets=(), frequency_indices=())
    >>> candidate({"lemma": "Bank", "synsets": ["wn30:08420278-n"], "frequency_indices": [2]}).frequency_indices
    (2,)
    """
    if isinstance(value, Candidate) and isinstance(value.lemma, str):
        _senses(value.lemma, value.synsets, value.frequency_indices)
        return value
    if isinstance(value, str):
        return _from_string(value, None)
    if isinstance(value, Mapping):
        return _from_mapping(value)
    raise InputError(f"a candidate is a string or an object with 'lemma', not {shown(value)}")


def _from_string(text: str, pos: PartOfSpeech | None) -> Candidate:
    bare = text.strip()
    if bare.startswith("[") and bare.endswith("]"):
        bare = bare[1:-1].strip()
    lemma, bar, mark = bare.rpartition("|")
    if bar:
        bare, pos = lemma, pos or _sheet_mark(mark, text)
    # Inventories join the words of an expression with low lines (WordNet's ``ice_cream``).
    return Candidate(" ".join(bare.replace("_", " ").split()), pos)


def _sheet_mark(mark: str, text: str) -> PartOfSpeech | None:
    found = _SHEET_MARK.fullmatch(" ".join(mark.split()))
    if found is None:
        raise InputError(
            f"candidate {text!r:.60}: after '|' stands P, n, a, v, r, or P with one of these letters"
        )
    return PartOfSpeech(found[1].lower()) if found[1] else None


def _from_mapping(value: Mapping[str, object]) -> Candidate:
    known = {"lemma", "pos", "synsets", "frequency_indices"}
    if unknown := sorted(map(str, value.keys() - known)):
        raise InputError(
            f"a candidate has no field {shown(unknown[0])}; its fields are {', '.join(sorted(known))}"
        )
    lemma = value.get("lemma")
    if not isinstance(lemma, str):
        raise InputError(f"a candidate needs a string 'lemma', not {shown(lemma)}")
    plain = _from_string(lemma, _part_of_speech(value.get("pos")))
    synsets, indices = _senses(lemma, value.get("synsets"), value.get("frequency_indices"))
    return Candidate(plain.lemma, plain.pos, synsets, indices or (None,) * len(synsets))


def _senses(lemma: str, synsets: object, frequency_indices: object) -> tuple[Synsets, Indices]:
    names, indices = _strings(synsets), _indices(frequency_indices)
    if indices and len(indices) != len(names):
        raise InputError(
            f"candidate {shown(lemma)}: {len(names)} synsets but {len(indices)} frequency_indices; they are parallel"
        )
    return names, indices


def _part_of_speech(value: object) -> PartOfSpeech | None:
    if value is None or value == "":
        return None
    try:
        return PartOfSpeech(value)
    except ValueError:
        raise InputError(f"'pos' is one of n, a, v, r or null, not {shown(value)}") from None


def _strings(value: object) -> Synsets:
    if value is None:
        return ()
    if not isinstance(value, (list, tuple)) or not all(isinstance(entry, str) for entry in value):
        raise InputError(f"'synsets' is a list of strings, not {shown(value)}")
    return tuple(value)


def _indices(value: object) -> Indices:
    if value is None:
        return ()
    if not isinstance(value, (list, tuple)) or not all(_is_index(entry) for entry in value):
        raise InputError(
            f"'frequency_indices' is a list of whole numbers from 1 (or null), not {shown(value)}"
        )
    return tuple(value)


def _is_index(value: object) -> bool:
    return value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 1)


def comparable(lemma: str) -> str:
    """The form in which two candidates count as the same: normalised, case-folded, single spaces.

    >>> comparable("Aus der  MODE") == comparable("aus der mode")
    True
    """
    return " ".join(normalize(lemma).text.casefold().split())
