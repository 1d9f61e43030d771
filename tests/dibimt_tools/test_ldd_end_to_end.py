"""From raw text to a report: parse, align, extract and score five real systems, in both directions."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from ldd_challenge_sets.extraction.rows import read_rows

pytestmark = pytest.mark.slow
LINES = 100
SYSTEMS = {
    "de-en": ("Facebook-AI", "Online-A", "Online-G", "UF", "happypoet"),
    "en-de": ("Facebook-AI", "ICL", "Online-A", "Online-G", "UF"),
}


@pytest.mark.parametrize("pair", SYSTEMS)
def test_newstest2021(
    pair: str,
    test_data: Path,
    shared_models: Path,
    tmp_path: Path,
    run: Callable[..., tuple[int, str, str]],
) -> None:
    sacrebleu = pytest.importorskip("sacrebleu")
    source, target = pair.split("-")

    def part(kind: str, language: str) -> list[str]:
        """The first lines of a file of the test set, written to the test's folder too."""
        path = test_data / "wmt21" / f"newstest2021.{pair}.{kind}.{language}"
        lines = path.read_text(encoding="utf-8").split("\n")[:LINES]
        (tmp_path / f"{kind}.{language}").write_text("\n".join(lines) + "\n", encoding="utf-8")
        return lines

    part("src", source)
    references = part("ref.A", target)
    outputs = {name: part(f"hyp.{name}", target) for name in SYSTEMS[pair]}
    model = shared_models / "udpipe" / f"{source}-small.udpipe"
    code, out, err = run(
        f"ldd extract --pair {pair} --source {tmp_path}/src.{source} --target {tmp_path}/ref.A.{target} "
        f"--parser udpipe:{model} --out {tmp_path}/sets --name newstest2021"
    )
    assert (code, err) == (0, "")
    assert f"{LINES} pairs of newstest2021" in out
    files = " ".join(f"{name}={tmp_path}/hyp.{name}.{target}" for name in outputs)
    code, out, err = run(
        f"ldd score --set {tmp_path}/sets --full-corpus --predictions {files} --resamples 50 --control 10 --json "
        f"--html {tmp_path}/report.html --plot {tmp_path}/scores.png"
    )
    assert (code, err) == (0, "")
    report = json.loads(out)
    assert [system["system"] for system in report["systems"]] == list(outputs)
    particle = {row.line for row in read_rows(tmp_path / "sets" / f"{pair}-particle.jsonl")}
    assert particle
    for system in report["systems"]:
        hypotheses = outputs[system["system"]]
        whole = sacrebleu.corpus_bleu(hypotheses, [references]).score
        assert system["baseline"]["scores"][0]["value"] == pytest.approx(whole, abs=1e-9)
        chosen = [line - 1 for line in sorted(particle)]
        subset = sacrebleu.corpus_bleu([hypotheses[i] for i in chosen], [[references[i] for i in chosen]])
        scored = next(each for each in system["sets"] if each["phenomenon"] == "particle")
        assert scored["minimum"][0]["scores"][0]["value"] == pytest.approx(subset.score, abs=1e-9)
    assert (tmp_path / "scores.png").read_bytes().startswith(b"\x89PNG")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert all(name in page for name in outputs)
