"""Loads data sets and says what they are in JSON; run by the interpreter of any generation of ``datasets``.

    echo '[{"path": "FOLDER", "configurations": ["..."], ...}]' | python tests/generations/probe.py

Says ``{"version": ...}`` first. Then each line that it reads is a list of requests, and a line with the list of answers
is what it writes: for each request ``{configuration: {"features": ..., "rows": [...]}}``; where a configuration cannot
be loaded, ``{"error": ..., "message": ...}`` in its place. It needs the standard library and ``datasets`` only, and
knows nothing of any data set. One process answers all requests: importing takes longest.
"""

from __future__ import annotations

import importlib
import json
import logging
import os
import sys
import tempfile
import time
from typing import Any

import datasets

SAID: list[str] = []
"""What ``datasets`` warned of since the last request began."""


class Listener(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        SAID.append(record.getMessage())


def main() -> None:
    """The keys of a request are the fields of `tests.generations.loading.Request`."""
    # Whatever else is printed must not get between the answers.
    answers, sys.stdout = sys.stdout, sys.stderr
    logging.getLogger("datasets").addHandler(Listener(logging.WARNING))
    # The viewer is a service beside the Hub, which nobody serves here; 2.21 looks for it for 3.5 s at each load.
    datasets.config.USE_PARQUET_EXPORT = False
    if os.environ.get("PROBE_WAITS") == "0":
        time.sleep = lambda seconds: None  # as often as without, but sooner: clients wait before they try again
    answers.write(json.dumps({"version": datasets.__version__}) + "\n")
    answers.flush()
    for line in sys.stdin:
        answers.write(json.dumps([answer(request) for request in json.loads(line)]) + "\n")
        answers.flush()


def answer(request: dict[str, Any]) -> dict[str, Any]:
    loads = {}
    for configuration in request["configurations"]:
        SAID.clear()
        try:
            data = load(request, configuration)
            features = {name: shape(feature) for name, feature in data.features.items()}
            loads[configuration] = {"features": features, "rows": list(data)}
        # Whatever a generation raises is the answer that is asked for.
        except Exception as error:  # noqa: BLE001
            loads[configuration] = {"error": type(error).__name__, "message": told(error)}
        if request["warnings"]:
            loads[configuration]["warnings"] = list(SAID)
    return loads


def told(error: BaseException) -> str:
    """The message with those of the errors behind it, which a user sees too."""
    messages: list[str] = []
    following: BaseException | None = error
    while following is not None and len(messages) < 5:
        messages.append(str(following))
        following = following.__cause__ or (None if following.__suppress_context__ else following.__context__)
    return "\n".join(messages)


def load(request: dict[str, Any], configuration: str) -> Any:
    split, streaming = request["split"], request["streaming"]
    # A cache of its own: after a failure, `datasets` 4 and later fall back to what is cached under the same name.
    options = {"cache_dir": tempfile.mkdtemp(dir="."), **request["options"]}
    if request["builder"] is None:
        return datasets.load_dataset(request["path"], configuration, split=split, streaming=streaming, **options)
    if request["path"] not in sys.path:
        sys.path.insert(0, request["path"])
    module, _, name = request["builder"].rpartition(".")
    builder = getattr(importlib.import_module(module), name)(config_name=configuration, **options)
    if streaming:
        return builder.as_streaming_dataset(split=split)
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
        return {"Sequence": inner} if type(feature).__name__ == "Sequence" and isinstance(inner, dict) else [inner]
    return repr(feature)


if __name__ == "__main__":
    main()
