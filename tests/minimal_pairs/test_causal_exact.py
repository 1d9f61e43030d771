"""Scores are those of each text alone, whatever the architecture, the batches and the padding."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from minimal_pairs.models.causal import CausalModel
from minimal_pairs.models.causal_ways import Layout
from minimal_pairs.records import Request
from minimal_pairs.scoring.presets import preset
from tests.minimal_pairs.tiny_causal import ARCHITECTURES, REQUESTS, Oracle, bytes_tokenizer, model_of

torch = pytest.importorskip("torch")

EXACT = 1e-4  # of a sum of some twenty log-probabilities, in single precision


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    return bytes_tokenizer()


Case = tuple[str, Any, list[float]]
"""Architecture, model, scores the slow way: first token, text, last token."""


def case(architecture: str, tokenizer: Any) -> Case:
    network = model_of(architecture, len(tokenizer))
    first, last = tokenizer.bos_token_id, tokenizer.eos_token_id
    texts = [tokenizer(request.text, add_special_tokens=False)["input_ids"] for request in REQUESTS]
    slow = Oracle(network)
    return architecture, network, [slow([first, *text, last]) for text in texts]


@pytest.fixture(scope="module", params=["gpt2", "llama", "bloom"])
def thorough(request: pytest.FixtureRequest, tokenizer: Any) -> Case:
    """Learned positions, rotary ones; distances read off the row, so that no trees can be computed."""
    return case(request.param, tokenizer)


def scores(model: CausalModel, requests: Any = REQUESTS) -> list[float]:
    found = [answer.logprob for answer in model.score(list(requests))]
    assert all(value is not None for value in found)
    return found  # type: ignore[return-value]


@pytest.mark.parametrize("architecture", sorted(ARCHITECTURES))
def test_every_architecture_is_computed_exactly_and_as_it_can_be(architecture: str, tokenizer: Any) -> None:
    _, network, expected = case(architecture, tokenizer)
    model = CausalModel(network, tokenizer, preset("paper"), batch_tokens=100)
    assert scores(model) == pytest.approx(expected, abs=EXACT)
    # Bloom reads distances off the order of the row, Mamba carries a state along it.
    layout = Layout.PADDED if architecture in ("bloom", "mamba") else Layout.TREE
    assert (model.way.layout, model.way.selected) == (layout, True)
    assert f"|computed:{layout.value}|" in model.name


def test_padding_does_not_matter_in_any_batch(thorough: Case, tokenizer: Any) -> None:
    _, network, expected = thorough
    for side in ("right", "left"):
        tokenizer.padding_side = side  # which must not matter either
        for batch_tokens in (1, 64, 4096):
            model = CausalModel(network, tokenizer, preset("paper"), batch_tokens=batch_tokens, padding_side=side)
            assert scores(model) == pytest.approx(expected, abs=EXACT)


@pytest.mark.parametrize("layout", ["padded", "equal"])
def test_plain_layouts_give_the_same(thorough: Case, tokenizer: Any, layout: str) -> None:
    _, network, expected = thorough
    for side in ("right", "left"):
        model = CausalModel(network, tokenizer, preset("paper"), batch_tokens=200, layout=layout, padding_side=side)
        assert f"|computed:{layout}|" in model.name
        assert scores(model) == pytest.approx(expected, abs=EXACT)


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    chosen=st.lists(st.sampled_from(range(len(REQUESTS))), min_size=1, max_size=20),
    batch_tokens=st.integers(1, 300),
    side=st.sampled_from(["right", "left"]),
)
def test_order_and_company_do_not_matter(
    thorough: Case, tokenizer: Any, chosen: list[int], batch_tokens: int, side: str
) -> None:
    _, network, expected = thorough
    model = CausalModel(network, tokenizer, preset("paper"), batch_tokens=batch_tokens, padding_side=side)
    found = scores(model, [REQUESTS[i] for i in chosen])
    assert found == pytest.approx([expected[i] for i in chosen], abs=EXACT)


def test_decisions_do_not_depend_on_batches(thorough: Case, tokenizer: Any) -> None:
    _, network, _ = thorough
    alone, together = (
        scores(CausalModel(network, tokenizer, preset("paper"), batch_tokens=size)) for size in (1, 4096)
    )
    pairs = [(0, 1), (2, 3), (5, 6), (8, 9)]
    assert [alone[a] > alone[b] for a, b in pairs] == [together[a] > together[b] for a, b in pairs]
    assert together[8] == together[10]  # the same text twice: the same number, not nearly


def test_spans_are_sums_over_their_tokens(thorough: Case, tokenizer: Any) -> None:
    _, network, _ = thorough
    text = REQUESTS[7].text
    ids = tokenizer(text, add_special_tokens=False)["input_ids"]
    places = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)["offset_mapping"]
    model = CausalModel(network, tokenizer, preset("paper"))
    for start, end in ((0, 3), (8, 13), (38, len(text)), (90, 96)):
        counts = [i for i, (left, right) in enumerate(places, start=1) if left < end and right > start]
        [found] = model.score([Request(text, start, end)])
        slow = Oracle(network)([tokenizer.bos_token_id, *ids], counts.__contains__)
        assert found.logprob == pytest.approx(slow, abs=EXACT)
        assert (found.tokens, found.length) == (len(counts), end - start)


def test_a_text_is_the_sum_of_its_parts(thorough: Case, tokenizer: Any) -> None:
    _, network, _ = thorough
    model = CausalModel(network, tokenizer, preset("lm-eval", leading_space=False))
    text = REQUESTS[5].text
    cut = text.index(" greet")
    parts = scores(model, [Request(text, 0, cut), Request(text, cut), Request(text)])
    assert parts[0] + parts[1] == pytest.approx(parts[2], abs=EXACT)


def test_window_shorter_than_a_text(tokenizer: Any) -> None:
    # Mistral's window of 16: the last token of a longer text must not see the first, which a tree's mask would allow.
    network = model_of("mistral", len(tokenizer))
    model = CausalModel(network, tokenizer, preset("paper"))
    assert model.way.layout is Layout.TREE
    free = CausalModel(model_of("mistral", len(tokenizer), sliding_window=None), tokenizer, preset("paper"))
    differences = [abs(a - b) for a, b in zip(scores(model), scores(free), strict=True)]
    lengths = [len(tokenizer(request.text)["input_ids"]) for request in REQUESTS]
    assert [difference > 0.01 for difference in differences] == [length > 16 for length in lengths]


@pytest.mark.parametrize(("architecture", "setting"), [("gpt2", "n_positions"), ("gptneo", "max_position_embeddings")])
@pytest.mark.parametrize("length", [7, 12])
def test_context_shorter_than_the_sequences_of_the_trial(
    architecture: str, setting: str, length: int, tokenizer: Any
) -> None:
    network = model_of(architecture, len(tokenizer), **{setting: length})
    model = CausalModel(network, tokenizer, preset("paper"))
    assert str(model.way) == "tree"
    slow = Oracle(network)
    first, last = tokenizer.bos_token_id, tokenizer.eos_token_id
    for request, found in zip(REQUESTS, model.score(REQUESTS), strict=True):
        ids = [first, *tokenizer(request.text, add_special_tokens=False)["input_ids"], last]
        if len(ids) - 1 > length:  # the last one is not read
            assert found.reason == "too_long"
        else:
            assert found.logprob == pytest.approx(slow(ids), abs=EXACT)


@pytest.mark.parametrize("dtype", ["bfloat16", "float16", "float64"])
def test_other_precisions(tokenizer: Any, dtype: str) -> None:
    network = model_of("llama", len(tokenizer), initializer_range=0.1)
    single = scores(CausalModel(network, tokenizer, preset("paper")))
    other = CausalModel(network.to(getattr(torch, dtype)), tokenizer, preset("paper"))
    assert other.way.layout is Layout.TREE
    assert f"dtype:{dtype}|" in other.name
    allowed = {"bfloat16": 0.02, "float16": 0.003, "float64": 1e-5}[dtype]
    for a, b in zip(single, scores(other), strict=True):
        assert math.isclose(a, b, rel_tol=allowed)


def test_shared_beginnings_are_computed_once(tokenizer: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    network = model_of("llama", len(tokenizer))
    model = CausalModel(network, tokenizer, preset("lm-eval-0.3"), batch_tokens=4096)
    seen: list[int] = []
    monkeypatch.setattr(network.base_model, "forward", _counted(network.base_model.forward, seen))
    lines = [REQUESTS[i] for i in (0, 1, 0, 8, 9)]
    scores(model, lines)
    texts = [[tokenizer.eos_token_id, *tokenizer(line.text)["input_ids"]] for line in lines]
    assert sum(seen) == len({tuple(text[: i + 1]) for text in texts for i in range(len(text) - 1)})


def _counted(forward: Any, seen: list[int]) -> Any:
    def counting(*args: Any, **kwargs: Any) -> Any:
        seen.append(kwargs["input_ids"].numel())
        return forward(*args, **kwargs)

    return counting
