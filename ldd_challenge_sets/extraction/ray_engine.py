"""Runs a task on a Ray cluster through Ray Data: the same work as in one process, on many machines.

Chunks travel with their text, so that the machines need not share a disk; models must be found under the same path on
each. Chunks go through in rounds: only one round is held in memory at a time.
"""

from __future__ import annotations

import logging
import pickle
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from dibimt_metric.errors import DibimtError, InputError, MissingLibraryError

from .chunks import Chunk
from .results import ChunkResult

if TYPE_CHECKING:
    from .engine import Task, Work

_ROUND = 64
"""Chunks for each core in a round: actors start anew in each, which takes seconds."""


def run_on_ray(task: Task, chunks: Iterable[Chunk], workers: int | None = None) -> Iterator[ChunkResult]:
    """Work on all chunks; the results come in their order.

    The cluster that this process is connected with is used, or that of the environment variable ``RAY_ADDRESS``; else
    Ray starts one on this machine.

    Args:
        task: what is to be done.
        chunks: in order.
        workers: actors that work at the same time; ``None``: one for each core of the cluster.

    Raises:
        MissingLibraryError: Ray is not installed.
        InputError: what the work raises.
    """
    try:
        import ray.data
    except ImportError as error:
        raise MissingLibraryError(
            "engine 'ray' needs Ray Data; install it with: pip install 'dibimt[ray]'"
        ) from error
    if not ray.is_initialized():
        ray.init(logging_level="warning", log_to_driver=False)
    logging.getLogger("ray.data").setLevel(logging.ERROR)  # each round would announce itself
    context = ray.data.DataContext.get_current()
    context.execution_options.preserve_order = True
    context.enable_progress_bars = False
    number = workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
    stream = iter(chunks)
    while piece := list(islice(stream, _ROUND * number)):
        yield from _run_round(task, piece, number)


def _run_round(task: Task, chunks: list[Chunk], workers: int) -> Iterator[ChunkResult]:
    import ray.data

    items = [{"chunk": pickle.dumps(chunk)} for chunk in chunks]
    results = ray.data.from_items(items, override_num_blocks=len(items)).map(
        _Actor,
        fn_constructor_args=(task,),
        compute=ray.data.ActorPoolStrategy(size=min(workers, len(items))),
        num_cpus=1,
    )
    for row in results.iter_rows():
        result = pickle.loads(row["result"])  # made by our own actors
        if isinstance(result, str):
            raise InputError(result)
        yield result


class _Actor:
    """A worker on some machine of the cluster."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._work: Work | None = None

    def __call__(self, row: dict[str, bytes]) -> dict[str, bytes]:
        # An error of the input goes back as its message: Ray would wrap it in a page of its own.
        try:
            if self._work is None:
                self._work = self._task.start()
            result: ChunkResult | str = self._work(pickle.loads(row["chunk"]))
        except DibimtError as error:
            result = str(error)
        return {"result": pickle.dumps(result)}
