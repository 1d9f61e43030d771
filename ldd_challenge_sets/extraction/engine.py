"""Runs a task over chunks: in this process, in several processes of this machine, or on a Ray cluster.

The results come in the order of the chunks and do not depend on the engine, so that files are equal byte for byte. No
more chunks are in flight than the workers can use: memory does not grow with the corpus.
"""

from __future__ import annotations

import logging
import os
import pickle
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Protocol, TypeAlias

from dibimt_metric.errors import DibimtError, InputError, MissingLibraryError

from .inputs import Chunk, ChunkResult

Work: TypeAlias = Callable[[Chunk], ChunkResult]
_IN_FLIGHT = 3  # chunks for each worker: one in work, two waiting
_RAY_ROUND = 64  # chunks for each core of a cluster in a round: actors start again in each, which takes seconds

ENGINES = ("local", "ray")


class Task(Protocol):
    """The work on each chunk. It is pickled, so that every worker can load its own models."""

    def start(self) -> Work:
        """Load models and rules, once for each worker."""
        ...


def run_chunks(
    task: Task, chunks: Iterable[Chunk], workers: int | None = 1, engine: str = "local"
) -> Iterator[ChunkResult]:
    """Work on all chunks.

    Args:
        task: the work.
        chunks: in order; read when they are needed.
        workers: processes; ``None``: one for each core that this process may use. With Ray: parallel actors; ``None``:
            one for each core of the cluster.
        engine: ``local`` or ``ray``: the cluster to which this process is connected, or that of the environment
            variable ``RAY_ADDRESS``; else Ray starts one on this machine.

    Raises:
        InputError: an unknown engine, fewer than one worker, or an error of the work.
    """
    if engine not in ENGINES:
        raise InputError(f"unknown engine {engine!r}; choose {' or '.join(ENGINES)}")
    if workers is not None and workers < 1:
        raise InputError(f"at least one worker is needed, not {workers}")
    if engine == "ray":
        return _run_on_ray(task, chunks, workers)
    number = workers or cores()
    return map(task.start(), chunks) if number == 1 else _run_in_processes(task, chunks, number)


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# Processes of this machine

_work: Work | None = None  # of this worker process


def _start_worker(task: Task) -> None:
    global _work
    # An interrupt ends a worker that is still loading, silently: the process that started it reports.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    _work = task.start()
    # Now the process that requests chunks decides when to stop; a chunk in work is finished, in about a second.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _held_interrupts() -> Iterator[None]:
    """Delay interrupts, in each process started here until it is ready for them.

    Ctrl-C reaches the workers too. While they import Python's own modules, none of their code could catch it.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _run_chunk(chunk: Chunk) -> ChunkResult:
    if _work is None:
        raise RuntimeError("the worker process was not started with a task")
    return _work(chunk)


def _run_in_processes(task: Task, chunks: Iterable[Chunk], workers: int) -> Iterator[ChunkResult]:
    from concurrent.futures import Future, ProcessPoolExecutor
    from multiprocessing import get_context

    # spawn: a fork would copy locks of threads of torch and numpy in an undefined state.
    pool = ProcessPoolExecutor(workers, get_context("spawn"), _start_worker, (task,))
    waiting: deque[Future[ChunkResult]] = deque()
    try:
        for chunk in chunks:
            with _held_interrupts():  # submitting starts the workers
                waiting.append(pool.submit(_run_chunk, chunk))
            if len(waiting) >= _IN_FLIGHT * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


# Ray. Chunks are sent with their text, so that the machines need not share a disk; models must have the same path on
# each. Chunks are processed in rounds: only one round is in memory at a time.


def _run_on_ray(task: Task, chunks: Iterable[Chunk], workers: int | None) -> Iterator[ChunkResult]:
    try:
        import ray.data
    except ImportError as error:
        raise MissingLibraryError("engine 'ray' needs Ray Data; install it with: pip install 'dibimt[ray]'") from error
    if not ray.is_initialized():
        ray.init(logging_level="warning", log_to_driver=False)
    logging.getLogger("ray.data").setLevel(logging.ERROR)  # each round would be announced
    context = ray.data.DataContext.get_current()
    context.execution_options.preserve_order = True
    context.enable_progress_bars = False
    number = workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
    stream = iter(chunks)
    while part := list(islice(stream, _RAY_ROUND * number)):
        yield from _run_round(task, part, number)


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
    """A worker on a machine of the cluster."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._work: Work | None = None

    def __call__(self, row: dict[str, bytes]) -> dict[str, bytes]:
        # An input error is returned as its message: Ray would wrap it in a long trace.
        try:
            if self._work is None:
                self._work = self._task.start()
            result: ChunkResult | str = self._work(pickle.loads(row["chunk"]))
        except DibimtError as error:
            result = str(error)
        return {"result": pickle.dumps(result)}
