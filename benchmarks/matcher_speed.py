"""Speed, growth and memory of the built-in analysis and matching, on real translations.

    python benchmarks/matcher_speed.py [--data FOLDER] [--repeat N] [--json]

Data: the MuCoW outputs in ``$DIBIMT_TEST_DATA/mucow`` (default ``../shared/data``); if they are absent, the
translations of the open mini set (German and Russian); the result names the data. Reported for each language:

- sentences per second of analysis, matching and judging, one process, dictionary loaded (median of the repeats);
- the same for a plain loop that only splits at spaces and looks up lemmas, as a lower bound;
- the time for 12,500, 25,000, 50,000 and 100,000 sentences, and the exponent of its growth (1 = linear);
- peak memory after 10,000 and after 100,000 sentences from a generator.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import resource
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from pathlib import Path

from dibimt_dataset import mini_items, mini_translations
from dibimt_metric import Item, Judge, make_item

SIZES = (12_500, 25_000, 50_000, 100_000)
Pair = tuple[Item, str]


def main(argv: list[str] | None = None) -> int:
    """Run the benchmark and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("DIBIMT_TEST_DATA", "../shared/data")))
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(argv)
    results = [measure(language, options.data, options.repeat) for language in ("de", "ru")]
    if options.json:
        print(json.dumps(results, indent=2))
    else:
        for result in results:
            print("\n".join(f"{key:>32}: {value}" for key, value in result.items()), end="\n\n")
    return 0


def measure(language: str, data: Path, repeat: int) -> dict[str, object]:
    """All figures of one language."""
    pairs, source = load_pairs(language, data)
    judge = Judge(language)
    run(judge, iter(pairs))  # one-time work: dictionary, keys of the forms, compiled candidates
    judging = [len(pairs) / timed(lambda: run(judge, iter(pairs))) for _ in range(repeat)]
    plain = [len(pairs) / timed(lambda: plain_loop(judge, pairs)) for _ in range(repeat)]
    times = {size: timed(lambda size=size: run(judge, islice(cycle(pairs), size))) for size in SIZES}
    return {
        "language": language,
        "data": source,
        "sentences": len(pairs),
        "sentences per second": round(statistics.median(judging)),
        "min, max": f"{min(judging):.0f}, {max(judging):.0f}",
        "plain lemma look-up per second": round(statistics.median(plain)),
        "seconds by sentences": {size: round(seconds, 2) for size, seconds in times.items()},
        "growth exponent": round(growth(times), 2),
        **memory(judge, pairs),
    }


def load_pairs(language: str, data: Path) -> tuple[list[Pair], str]:
    """Items and translations, and the name of their source."""
    path = data / "mucow" / f"en-{language}.outputs.jsonl"
    if not path.is_file():
        translations = mini_translations(language, "careful") + mini_translations(language, "frequent")
        return list(zip(mini_items(language) * 2, translations, strict=True)), f"mini set ({path} is absent)"
    items: dict[tuple[object, ...], Item] = {}
    pairs: list[Pair] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        key = (row["src_word"], *row["correct_senses"], None, *row["wrong_senses"])
        if key not in items:
            lists = {"good": row["correct_senses"], "bad": row["wrong_senses"]}
            items[key] = make_item({"id": str(len(items)), **lists})
        pairs.append((items[key], row["translation"]))
    return pairs, str(path)


def run(judge: Judge, pairs: Iterator[Pair]) -> None:
    """Judge all pairs and discard the judgments."""
    for item, translation in pairs:
        judge.judge(item, translation)


def plain_loop(judge: Judge, pairs: list[Pair]) -> None:
    """The minimum of any lemma overlap: split at spaces, look up each form (cached)."""
    lexicon = judge.analyzers[0].lexicon
    known: dict[str, str | None] = {}
    for _, translation in pairs:
        for form in translation.split():
            if form not in known:
                known[form] = lexicon.lemma_of(form) if lexicon else None


def timed(action: Callable[[], None]) -> float:
    """Seconds that the action takes."""
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def growth(times: dict[int, float]) -> float:
    """Slope of log(seconds) over log(sentences), by least squares."""
    points = [(math.log(size), math.log(seconds)) for size, seconds in times.items()]
    mean_x, mean_y = (sum(values) / len(points) for values in zip(*points, strict=True))
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)


def memory(judge: Judge, pairs: list[Pair]) -> dict[str, object]:
    """Peak memory of the process in MB before and after 100,000 more sentences from a generator."""
    before = peak()
    run(judge, islice(cycle(pairs), 100_000))
    return {"peak MB before, after 100,000 more": f"{before:.0f}, {peak():.0f}"}


def peak() -> float:
    """Peak resident memory of this process in MB."""
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return kilobytes / (1024 * 1024 if sys.platform == "darwin" else 1024)


if __name__ == "__main__":
    sys.exit(main())
