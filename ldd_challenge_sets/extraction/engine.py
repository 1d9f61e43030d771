"""Runs a task over chunks: in this process, in several processes of this machine, or on a Ray cluster.

The results come in the order of the chunks and are the same whatever runs them, so that files are equal byte for
byte. No more chunks are in flight than the workers can use: memory does not grow with the corpus.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Protocol, TypeAlias

from dibimt_metric.errors import InputError

from .chunks import Chunk
from .results import ChunkResult

Work: TypeAlias = Callable[[Chunk], ChunkResult]
_IN_FLIGHT = 3  # chunks for each worker: one in work, two waiting

ENGINES = ("local", "ray")


class Task(Protocol):
    """What is to be done with each chunk. It is pickled, so that every worker can make its own tools from it."""

    def start(self) -> Work:
        """Load what the work needs (models, rules), once for each worker."""
        ...


def run_chunks(
    task: Task, chunks: Iterable[Chunk], workers: int | None = 1, engine: str = "local"
) -> Iterator[ChunkResult]:
    """Work on all chunks.

    Args:
        task: what is to be done.
        chunks: in order; read as they are needed.
        workers: processes; ``None``: one for each core that this process may use. With Ray: parallel tasks;
            ``None``: as many as the cluster has cores.
        engine: ``local`` or ``ray``.

    Raises:
        InputError: an unknown engine, fewer than one worker, or what the work raises.
        MissingLibraryError: ``ray`` without the extra of that name.
    """
    if engine not in ENGINES:
        raise InputError(f"engine {engine!r} is not known; choose {' or '.join(ENGINES)}")
    if workers is not None and workers < 1:
        raise InputError(f"at least one worker is needed, not {workers}")
    if engine == "ray":
        from .ray_engine import run_on_ray

        return run_on_ray(task, chunks, workers)
    number = workers or cores()
    return map(task.start(), chunks) if number == 1 else _run_in_processes(task, chunks, number)


def cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


_work: Work | None = None  # of this worker process


def _start_worker(task: Task) -> None:
    global _work
    # An interrupt ends a worker that loads without a word: the process that started it speaks.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    _work = task.start()
    # From here on the process that asks for chunks says when to stop; a chunk in work is finished, in about a second.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _held_interrupts() -> Iterator[None]:
    """Interrupts wait meanwhile, and in each process that is started here until it is ready for them.

    Ctrl-C reaches the workers too. While they import Python's own modules, nothing of theirs could catch it.
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

    # spawn: a fork would copy the threads' locks of torch and numpy in whatever state they are.
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
