"""Minimal pairs as a measurement of ``evaluate``: the folder for `evaluate.load`.

>>> from minimal_pairs.blimp_measurement import path
>>> path().name
'blimp_measurement'
"""

from __future__ import annotations

from pathlib import Path


def path() -> Path:
    """The folder, for ``evaluate.load(str(path()), module_type="measurement")``."""
    return Path(__file__).resolve().parent
