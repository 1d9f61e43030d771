"""Challenge sets of long-distance dependencies from any parallel corpus (Choshen and Abend, 2019).

The stages, each a sub-package: ``corpus`` (pairs of text), ``parsing`` (trees), ``alignment`` (links), ``phenomena``
(hits), ``extraction`` (sets as files), ``scoring`` (systems on sets). The folder is also the Hub data set of the
open sample: ``load_dataset("./ldd_challenge_sets", "de-en-particle")``, or ``path()`` where the package is installed.
"""

from __future__ import annotations

from pathlib import Path


def path() -> str:
    """The folder, for ``datasets``: ``load_dataset(path(), "de-en-particle", split="test")``.

    >>> Path(path(), "README.md").is_file()
    True
    """
    return str(Path(__file__).parent)
