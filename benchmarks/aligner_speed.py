"""Time of word alignment with sil-thot and with systran-align, in the same run on the same pairs.

    python benchmarks/aligner_speed.py [--data FOLDER] [--repeat N] [--json]

Data: newstest2013 (3,000 pairs) in ``$DIBIMT_TEST_DATA/ldd`` (default ``../shared/data``). systran-align has wheels up
to CPython 3.11 only and no source distribution: ``pip install systran-align``. If either is absent, the
script prints the reason and measures nothing.

Both do the same work on one thread: words lower-cased, both directions, five iterations, variational Bayes, a fitted
tension, grow-diag-final-and (which systran-align always does), no parameters pruned. Each repeat runs both in
turn. Reported: medians of processor time (unaffected by other load, one thread) and of elapsed time in seconds, their
ratios (ours / theirs), and the F1 of the two sets of links.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

Sentences: TypeAlias = list[list[str]]
Links: TypeAlias = Sequence[frozenset[tuple[int, int]]]

ITERATIONS = 5
TENSION = 4.0  # initial value
KEEP_ALL = -1000.0
"""Logarithm below which a parameter is dropped. The default, -4, alone would lower the F1 by .06."""


class Run(NamedTuple):
    """Processor seconds for training and alignment, elapsed seconds for both, links."""

    train: float
    align: float
    whole: float
    links: Links

    @property
    def total(self) -> float:
        """Processor seconds for both."""
        return self.train + self.align


def main(argv: list[str] | None = None) -> int:
    """Run the benchmark and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("DIBIMT_TEST_DATA", "../shared/data")))
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(argv)
    os.environ["OMP_NUM_THREADS"] = "1"  # read when the libraries are imported
    files = [options.data / "ldd" / f"newstest2013.{language}" for language in ("de", "en")]
    reason = missing(files)
    if reason:
        print(f"skipped: {reason}")
        return 0
    source, target = map(sentences, files)
    result = measure(source, target, options.repeat)
    if options.json:
        print(json.dumps(result, indent=2))
    else:
        print("\n".join(f"{key:>32}: {value}" for key, value in result.items()))
    return 0


def missing(files: Sequence[Path]) -> str | None:
    """The reason why nothing can be measured, or ``None``."""
    for path in files:
        if not path.is_file():
            return f"there is no {path}; set DIBIMT_TEST_DATA or give --data"
    for module, install in (
        ("thot.alignment", "pip install 'dibimt[ldd]'"),
        ("systran_align", "pip install systran-align (CPython 3.11 at most)"),
    ):
        try:
            import_module(module)
        except ImportError:
            return f"the library {module} is not installed: {install}"
    return None


def measure(source: Sentences, target: Sentences, repeat: int) -> dict[str, object]:
    """All figures."""
    ours, theirs = [], []
    for _ in range(repeat):
        ours.append(run_thot(source, target))
        theirs.append(run_systran(source, target))
    return {
        "pairs": len(source),
        "iterations": ITERATIONS,
        "repeats": repeat,
        f"sil-thot {version('sil-thot')}": summary(ours),
        f"systran-align {version('systran-align')}": summary(theirs),
        "ratio of processor time": f"{median(ours, 'total') / median(theirs, 'total'):.2f}",
        "ratio of whole time": f"{median(ours, 'whole') / median(theirs, 'whole'):.2f}",
        "links": f"{count(ours[0].links)}, {count(theirs[0].links)}",
        "F1 of the links": f"{f1(ours[0].links, theirs[0].links):.3f}",
    }


def summary(runs: Sequence[Run]) -> str:
    """The times of one library."""
    train, align, total, whole = (median(runs, name) for name in ("train", "align", "total", "whole"))
    return f"train {train:.2f} s, align {align:.2f} s, together {total:.2f} s (whole time {whole:.2f} s)"


def median(runs: Sequence[Run], name: str) -> float:
    """The median of one of the times."""
    return statistics.median(float(getattr(run, name)) for run in runs)


def run_thot(source: Sentences, target: Sentences) -> Run:
    """Train and align with sil-thot."""
    from ldd_challenge_sets.alignment.aligner import train

    begin, start = time.perf_counter(), time.process_time()
    aligner = train(source, target, iterations=ITERATIONS)
    trained = time.process_time()
    links = aligner.align(source, target)
    return Run(trained - start, time.process_time() - trained, time.perf_counter() - begin, links)


def run_systran(source: Sentences, target: Sentences) -> Run:
    """The same with systran-align, which reads pairs from a file and writes parameters to files."""
    library: Any = import_module("systran_align")
    with tempfile.TemporaryDirectory() as folder:
        pairs, forward, backward = (str(Path(folder, name)) for name in ("pairs", "forward", "backward"))
        begin, start = time.perf_counter(), time.process_time()
        lowered = [[[word.lower() for word in words] for words in side] for side in (source, target)]
        lines = (f"{' '.join(left)} ||| {' '.join(right)}\n" for left, right in zip(*lowered, strict=True))
        Path(pairs).write_text("".join(lines), encoding="utf-8")
        library.generate_alignment_probabilities(
            pairs,
            forward,
            backward,
            iterations=ITERATIONS,
            favor_diagonal=True,
            beam_threshold=KEEP_ALL,
            diagonal_tension=TENSION,
            optimize_tension=True,
            variational_bayes=True,
        )
        trained = time.process_time()
        found = library.Aligner(forward, backward).align_batch(*lowered)
        links = [frozenset((i, j) for i, j in each["alignments"]) for each in found]
        return Run(trained - start, time.process_time() - trained, time.perf_counter() - begin, links)


def sentences(path: Path) -> Sentences:
    """The words of each line."""
    with path.open(encoding="utf-8") as lines:
        return [line.split() for line in lines]


def count(links: Links) -> int:
    """Links in all pairs."""
    return sum(map(len, links))


def f1(first: Links, second: Links) -> float:
    """Twice the links in both, divided by the links in each."""
    both = sum(len(left & right) for left, right in zip(first, second, strict=True))
    return 2 * both / (count(first) + count(second))


if __name__ == "__main__":
    sys.exit(main())
