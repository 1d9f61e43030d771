"""Presets against the programs they are named after, on tiny models, where those programs are installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from minimal_pairs.models.loading import load_model
from minimal_pairs.records import Request
from minimal_pairs.scoring.decisions import reduce
from minimal_pairs.scoring.presets import preset
from tests.minimal_pairs.tiny_causal import SENTENCES, bytes_tokenizer, model_of, pieces_tokenizer

TEXTS = [text for text in SENTENCES if len(text) > 6]


@pytest.fixture(scope="module", params=["bytes", "pieces"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tokenizer that adds nothing, and one that puts the first token before every text itself."""
    tokenizer = bytes_tokenizer() if request.param == "bytes" else pieces_tokenizer()
    place = tmp_path_factory.mktemp(request.param)
    tokenizer.pad_token = tokenizer.eos_token
    tokenizer.save_pretrained(place)
    model_of("llama", len(tokenizer)).save_pretrained(place)
    return place


def ours(folder: Path, name: str, **changes: Any) -> list[float]:
    settings = preset(name, **changes)
    found = load_model(folder, preset=settings).score([Request(text) for text in TEXTS])
    return [reduce(score, settings.reduction) or 0.0 for score in found]


def test_minicons(folder: Path) -> None:
    scorer = pytest.importorskip("minicons.scorer")
    peer = scorer.IncrementalLMScorer(str(folder), device="cpu")
    theirs = [value for i in range(0, len(TEXTS), 4) for value in peer.sequence_score(TEXTS[i : i + 4])]
    assert ours(folder, "minicons") == pytest.approx(theirs, abs=1e-5)


@pytest.fixture
def harness(folder: Path) -> Any:
    models = pytest.importorskip("lm_eval.models.huggingface")
    return models.HFLM(pretrained=str(folder), device="cpu", dtype="float32", batch_size=4)


def of_harness(harness: Any, texts: list[str]) -> list[float]:
    instances = pytest.importorskip("lm_eval.api.instance")
    requests = [instances.Instance("loglikelihood", {}, ("", text), i) for i, text in enumerate(texts)]
    return [value for value, _ in harness.loglikelihood(requests, disable_tqdm=True)]


def test_lm_eval(folder: Path, harness: Any) -> None:
    theirs = of_harness(harness, [" " + text for text in TEXTS])
    assert ours(folder, "lm-eval") == pytest.approx(theirs, abs=1e-4)
    # The old one: behind the end token, no blank.
    harness.custom_prefix_token_id = harness.tokenizer.eos_token_id
    assert ours(folder, "lm-eval-0.3") == pytest.approx(of_harness(harness, TEXTS), abs=1e-4)


def test_settings_matter(folder: Path) -> None:
    # Otherwise the comparisons above would hold for any of them.
    found = [ours(folder, *name) for name in (["lm-eval"], ["lm-eval-0.3"], ["paper"])]
    assert all(abs(a - b) > 0.01 for a, b in zip(found[1], found[2], strict=True))
    assert any(abs(a - b) > 0.01 for a, b in zip(found[0], found[1], strict=True))
