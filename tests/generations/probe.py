"""Loads data sets and prints what they are as JSON; run by the interpreter of any generation of ``datasets``.

    python tests/generations/probe.py '[{"path": "FOLDER", "configurations": ["..."], ...}]'

Prints ``{"version": ..., "answers": [...]}``, for each request ``{configuration: {"features": ..., "rows": [...]}}``;
where a configuration cannot be loaded, ``{"error": ..., "message": ...}`` in its place. It needs the standard library
and ``datasets`` only, and knows nothing of any data set. One process answers all requests: importing takes longest.
"""

from __future__ import annotations

import importlib
import json
import sys
import tempfile
from typing import Any

import datasets


def main(requests: list[dict[str, Any]]) -> None:
    """The keys of a request are the fields of `tests.generations.loading.Request`."""
    answers = [answer(request) for request in requests]
    json.dump({"version": datasets.__version__, "answers": answers}, sys.stdout)


def answer(request: dict[str, Any]) -> dict[str, Any]:
    loads = {}
    for configuration in request["configurations"]:
        try:
            data = load(request, configuration)
            features = {name: shape(feature) for name, feature in data.features.items()}
            loads[configuration] = {"features": features, "rows": list(data)}
        # Whatever a generation raises is the answer that is asked for.
        except Exception as error:  # noqa: BLE001
            loads[configuration] = {"error": type(error).__name__, "message": str(error)}
    return loads


def load(request: dict[str, Any], configuration: str) -> Any:
    split, streaming = request["split"], request["streaming"]
    # A cache of its own: after a failure, `datasets` 4 and later fall back to what is cached under the same name.
    options = {"cache_dir": tempfile.mkdtemp(dir="."), **request["options"]}
    if request["builder"] is None:
        return datasets.load_dataset(
            request["path"], configuration, split=split, streaming=streaming, **options
        )
    sys.path.insert(0, request["path"])
    module, _, name = request["builder"].rpartition(".")
    builder = getattr(importlib.import_module(module), name)(config_name=configuration, **options)
    builder.download_and_prepare()
    return builder.as_dataset(split=split)


def shape(feature: Any) -> Any:
    """A feature in words that are the same in all generations: a type, ``[items]`` or ``{name: type}``."""
    if isinstance(feature, datasets.Value):
        return feature.dtype
    if isinstance(feature, dict):
        return {name: shape(each) for name, each in feature.items()}
    if isinstance(feature, list):
        return [shape(feature[0])]
    if hasattr(feature, "feature"):  # Sequence, and List since 4.0
        inner = shape(feature.feature)
        # A Sequence of a struct is no list of structs but a struct of lists: it must not look like one.
        return (
            {"Sequence": inner}
            if type(feature).__name__ == "Sequence" and isinstance(inner, dict)
            else [inner]
        )
    return repr(feature)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
