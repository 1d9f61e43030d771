"""Extraction on a Ray cluster of two nodes, started here: the same files as in one process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dibimt_metric.errors import InputError
from ldd_challenge_sets.corpus.opening import open_corpus
from ldd_challenge_sets.extraction import extract as module
from ldd_challenge_sets.extraction import inputs as cut
from ldd_challenge_sets.extraction.engine import run_chunks
from ldd_challenge_sets.extraction.extract import extract
from ldd_challenge_sets.extraction.inputs import Chunk, ChunkResult, Entry, Inputs
from ldd_challenge_sets.extraction.plan import Plan
from tests.ldd_challenge_sets.tiny import write_tiny

pytestmark = pytest.mark.slow
ray = pytest.importorskip("ray", reason="needs Ray: pip install 'dibimt[ray]'")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A head and a second node with one core each; this process is connected with them."""
    from ray.cluster_utils import Cluster

    node = {"num_cpus": 1, "object_store_memory": 100 * 1024 * 1024}
    made = Cluster(initialize_head=True, head_node_args={**node, "include_dashboard": False})
    made.add_node(**node)
    ray.init(address=made.address, logging_level="error", log_to_driver=False)
    yield made
    ray.shutdown()
    made.shutdown()


def test_same_files_byte_for_byte(cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chunked = cut.chunked
    monkeypatch.setattr(module, "chunked", lambda entries: chunked(entries, 10))
    tiny = write_tiny(tmp_path / "corpus", times=50)
    inputs = Inputs(open_corpus(tiny.source, tiny.target), conllu=str(tiny.parses))
    plan = Plan("de-en", "tiny", ("particle", "reflexive"))
    extract(inputs, plan, tmp_path / "one")
    extract(inputs, plan, tmp_path / "ray", engine="ray", workers=2)
    for path in sorted((tmp_path / "one").iterdir()):
        other = tmp_path / "ray" / path.name
        # In the order of the corpus already; sorting first would only hide a difference of order.
        assert other.read_bytes() == path.read_bytes(), path.name
    assert (tmp_path / "ray" / "de-en-baseline.jsonl").read_bytes().count(b"\n") == 200


def task_of(work: Callable[[Chunk], ChunkResult]) -> Any:
    """A task that does this; made inside a function, so that it travels to the nodes by value."""

    class Made:
        def start(self) -> Callable[[Chunk], ChunkResult]:
            return work

    return Made()


def numbered(count: int) -> Iterator[Chunk]:
    return (Chunk(number, (Entry(number + 1, "a", "b"),)) for number in range(count))


def test_both_nodes_work(cluster: Any, tmp_path: Path) -> None:
    def work(chunk: Chunk) -> ChunkResult:
        import time

        import ray

        node = ray.get_runtime_context().get_node_id()
        (tmp_path / node).touch()
        # The first node to start could do all the work before the second one is there: they wait for each other.
        latest = time.monotonic() + 120
        while len(list(tmp_path.iterdir())) < 2 and time.monotonic() < latest:
            time.sleep(0.1)
        return ChunkResult(chunk.number, 1, chunk.number + 1, (("node", node.encode("ascii")),), {}, ())

    results = list(run_chunks(task_of(work), numbered(12), workers=2, engine="ray"))
    assert [result.number for result in results] == list(range(12))
    assert len({result.outputs for result in results}) == 2


def test_an_error_of_the_input_keeps_its_message(cluster: Any) -> None:
    def work(chunk: Chunk) -> ChunkResult:
        if chunk.number == 2:
            raise InputError("corpus.de, line 3: the source side is empty")
        return ChunkResult(chunk.number, 1, chunk.number + 1, (), {}, ())

    with pytest.raises(InputError, match="^corpus.de, line 3: the source side is empty$"):
        list(run_chunks(task_of(work), numbered(4), workers=1, engine="ray"))
