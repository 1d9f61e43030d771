"""Starts the page: ``python -m dibimt_space.app`` in a checkout, ``python app.py`` in the staged Space.

In the staged Space, this file is in the metric's folder, and the other modules of the page are in folders next to it.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent


def main() -> None:
    """Start the page; in the staged Space, with the metric that is staged there, not with an installed one."""
    if (FOLDER / "dibimt.py").is_file():
        # Nothing in this folder may be taken for a library of the same name, such as `records`.
        sys.path[:] = [entry for entry in sys.path if Path(entry).resolve() != FOLDER]
        use_package("dibimt_metric", FOLDER)
        use_package("dibimt_common", FOLDER / "dibimt_common")
        use_package("dibimt_space", FOLDER / "dibimt_space")
    from dibimt_space.page import launch

    launch()


def use_package(name: str, folder: Path) -> None:
    """Make a folder importable as the package of this name, whatever the search path holds."""
    script, places = folder / "__init__.py", [str(folder)]
    spec = importlib.util.spec_from_file_location(name, script, submodule_search_locations=places)
    if spec is None or spec.loader is None:
        raise ImportError(f"{folder}: cannot be imported as {name}; stage the Space again")
    sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules[name])


if __name__ == "__main__":
    main()
