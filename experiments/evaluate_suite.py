"""Runs the public test suite of ``evaluate`` on a staged Space.

    git clone --depth 1 --branch v0.4.6 https://github.com/huggingface/evaluate suite
    python -m venv suite-env
    suite-env/bin/pip install evaluate==0.4.6 pytest absl-py simplemma jieba opencc
    dibimt hub stage --out stage
    suite-env/bin/python experiments/evaluate_suite.py --suite suite --space stage/spaces/dibimt [--also exact_match]

The script copies ``tests/*.py`` of the suite and runs ``test_metric_common.py`` and ``test_hub.py``. They look for
metrics in ``metrics/`` of the working directory, so a temporary tree contains only the Space; ``--also`` adds metrics
of the suite, to see whether a failure is ours. The output has one line per test, with the reason if it did not pass,
then the counts. A separate environment with Python 3.10 or 3.11 is needed (the suite needs ``distutils``). Exit code
1: a test failed, or none ran on the Space.

``test_seqeval_raises_when_incorrect_scheme`` is excluded: it tests the metric ``seqeval``. ``RUN_SLOW=1`` in the
environment also runs ``test_load_real_metric``, which fails for every metric: it looks in ``metric/``.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

FILES = ("tests/test_metric_common.py", "tests/test_hub.py")
LEFT_OUT = "test_seqeval_raises_when_incorrect_scheme"
OUTCOMES = {"failure": "failed", "error": "failed", "skipped": "skipped"}


class Outcome(NamedTuple):
    test: str
    outcome: str
    reason: str


def lay_out(tree: Path, suite: Path, space: Path, also: list[str]) -> None:
    (tree / "tests").mkdir(parents=True)
    for path in sorted((suite / "tests").glob("*.py")):
        shutil.copy(path, tree / "tests")
    (tree / "tests" / "__init__.py").touch()
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(space, tree / "metrics" / space.name, ignore=ignored)
    for name in also:
        shutil.copytree(suite / "metrics" / name, tree / "metrics" / name, ignore=ignored)


def run(tree: Path) -> ElementTree.Element:
    report = tree / "report.xml"
    command = [sys.executable, "-m", "pytest", "-q", *FILES, f"--junitxml={report}", f"--rootdir={tree}"]
    command += ["-p", "no:cacheprovider", "-k", f"not {LEFT_OUT}"]
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    environment |= {"HF_HOME": str(tree / "hf-home"), "HF_EVALUATE_OFFLINE": "1"}
    done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, encoding="utf-8")
    if not report.is_file():
        sys.exit(f"pytest did not run:\n{done.stdout}\n{done.stderr}")
    return ElementTree.parse(report).getroot()


def outcomes(report: ElementTree.Element) -> Iterator[Outcome]:
    for case in report.iter("testcase"):
        file = case.get("classname", "").removeprefix("tests.").split(".")[0]
        bad = next((child for child in case if child.tag in OUTCOMES), None)
        reason = "" if bad is None else (bad.get("message") or "").strip().splitlines()[0]
        yield Outcome(f"{file}::{case.get('name')}", "passed" if bad is None else OUTCOMES[bad.tag], reason)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", type=Path, required=True, help="checkout of huggingface/evaluate")
    parser.add_argument("--space", type=Path, required=True, help="folder of the staged Space")
    parser.add_argument("--also", nargs="*", default=[], metavar="NAME", help="metrics of the suite")
    args = parser.parse_args()
    for path in (*(args.suite / name for name in FILES), args.space / f"{args.space.name}.py"):
        if not path.is_file():
            parser.error(f"{path}: no such file")
    with tempfile.TemporaryDirectory() as scratch:
        tree = Path(scratch, "tree")
        lay_out(tree, args.suite.resolve(), args.space.resolve(), args.also)
        found = list(outcomes(run(tree)))
    for each in found:
        print(f"{each.outcome:8}{each.test}{f'  ({each.reason})' if each.reason else ''}")
    counts = Counter(each.outcome for each in found)
    print(", ".join(f"{counts[name]} {name}" for name in ("passed", "failed", "skipped")))
    ours = f"metric_{args.space.name}"
    ran = any(each.test.endswith(ours) and each.outcome != "skipped" for each in found)
    return 0 if ran and not counts["failed"] else 1


if __name__ == "__main__":
    sys.exit(main())
