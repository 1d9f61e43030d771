"""The version of this package: part of every signature, read by ``setup.py``."""

from __future__ import annotations

VERSION = "0.1.0"
