"""Speed and memory of extraction: CoNLL-U and text in, challenge sets out.

    python benchmarks/ldd_speed.py [--data FOLDER] [--sentences N] [--workers N] [--json]

Data: the German and English PUD treebanks in ``$DIBIMT_TEST_DATA/pud`` (default ``../shared/data``), repeated up to N
sentences (default 100,000). One run reads parses, source and target, finds all lexical phenomena of German, and writes
each set and the baseline with card and manifest. Each size runs in a separate process. Reported:

- sentences per second for N sentences, with ``--workers`` workers (default: one);
- the same without the baseline, which is most of the output;
- peak memory for N / 10 and for N sentences: equal if memory does not grow with the corpus.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from ldd_challenge_sets.corpus.opening import open_corpus
from ldd_challenge_sets.extraction.extract import extract
from ldd_challenge_sets.extraction.inputs import Inputs
from ldd_challenge_sets.extraction.plan import Plan, choose_phenomena
from ldd_challenge_sets.phenomena.registry import Definition


def main(argv: list[str] | None = None) -> int:
    """Run the benchmark and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("DIBIMT_TEST_DATA", "../shared/data")))
    parser.add_argument("--sentences", type=int, default=100_000)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--one", metavar="FOLDER", help=argparse.SUPPRESS)
    parser.add_argument("--baseline", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    if options.one:
        print(json.dumps(one_run(Path(options.one), options.workers, options.baseline)))
        return 0
    if not (options.data / "pud").is_dir():
        print(f"skipped: {options.data / 'pud'} is absent; give the folder with --data")
        return 0
    figures = measure(options.data / "pud", options.sentences, options.workers)
    print(
        json.dumps(figures, indent=2)
        if options.json
        else "\n".join(f"{key:>44}: {value}" for key, value in figures.items())
    )
    return 0


def measure(pud: Path, sentences: int, workers: int) -> dict[str, object]:
    """All figures."""
    with tempfile.TemporaryDirectory() as name:
        whole = repeat(pud, Path(name) / "whole", sentences)
        part = repeat(pud, Path(name) / "part", sentences // 10)
        runs = {
            "whole": child(whole, workers, True),
            "sets": child(whole, workers, False),
            "part": child(part, workers, True),
        }
    return {
        "sentences": sentences,
        "workers": workers,
        "sentences a second": round(sentences / runs["whole"]["seconds"]),
        "sentences a second, without baseline": round(sentences / runs["sets"]["seconds"]),
        "rows by set": runs["whole"]["rows"],
        f"peak MB, {sentences // 10} sentences": round(runs["part"]["peak"]),
        f"peak MB, {sentences} sentences": round(runs["whole"]["peak"]),
    }


def repeat(pud: Path, folder: Path, sentences: int) -> Path:
    """Parses, source and target of that many sentences in a folder."""
    folder.mkdir()
    parses = (pud / "de_pud-ud-test.conllu").read_text(encoding="utf-8")
    sides = {"conllu": parses}
    for side, language in (("source", "de"), ("target", "en")):
        text = (pud / f"{language}_pud-ud-test.conllu").read_text(encoding="utf-8")
        lines = [line[9:] for line in text.split("\n") if line.startswith("# text = ")]
        sides[side] = "\n".join(lines) + "\n"
    times = sentences // sides["source"].count("\n")
    for side, text in sides.items():
        with (folder / side).open("w", encoding="utf-8") as file:
            for _ in range(times):
                file.write(text)
    return folder


def child(folder: Path, workers: int, baseline: bool) -> dict[str, Any]:
    """One run in a separate process, to measure its peak memory."""
    command = [sys.executable, __file__, "--one", str(folder), "--workers", str(workers)]
    command += ["--baseline"] if baseline else []
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def one_run(folder: Path, workers: int, baseline: bool) -> dict[str, Any]:
    """Extract once; seconds, peak MB of this process and its workers, rows."""
    corpus = open_corpus(folder / "source", folder / "target")
    names = choose_phenomena("de-en", "particle,reflexive", Definition.PAPER, parsed=True, target=True)
    plan = Plan("de-en", "pud", names, baseline=baseline)
    with tempfile.TemporaryDirectory() as out:
        start = time.perf_counter()
        made = extract(Inputs(corpus, conllu=str(folder / "conllu")), plan, out, workers=workers)
        seconds = time.perf_counter() - start
    peaks = [resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    rows = {name: totals.rows for name, totals in made.configurations.items()}
    return {
        "seconds": seconds,
        "peak": max(peaks) / (1024 * 1024 if sys.platform == "darwin" else 1024),
        "rows": rows,
    }


if __name__ == "__main__":
    sys.exit(main())
