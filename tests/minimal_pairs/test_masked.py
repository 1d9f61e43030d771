"""Masked models, on tiny ones with random weights, against scores computed one token at a time."""

from __future__ import annotations

import itertools
import math
import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from dibimt_metric.errors import InputError
from minimal_pairs.models.loading import load_model
from minimal_pairs.models.masked import PLL as PLLS
from minimal_pairs.models.masked import MaskedModel
from minimal_pairs.models.output_rows import OutputRows, batches
from minimal_pairs.models.word_tokens import tokenize
from minimal_pairs.records import Request
from minimal_pairs.scoring.presets import preset

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
tokenizers = pytest.importorskip("tokenizers")

TEXTS = (
    "The unhappy sailors sing.",
    "The unhappy sailor sing.",
    "Nobody has ever unfolded this map.",
    "Nobody's map isn't here!",
    "Anna believes herself.",
    "Anna believes himself.",
    "Sing!",
    "The sailors who the unhappy captain has never thanked sing to themselves.",
    "herself unfolded them.",
)
PIECES = """[PAD] [UNK] [CLS] [SEP] [MASK] The the un ##happ ##y ##fold ##ed sail ##or ##ors sing s t map captain this
    Nobody Anna has ever never isn believes her him them ##self ##selves who thanked here to Sing ' . !""".split()
PAPER = preset("paper")


def _wordpiece() -> Any:
    """A tokenizer of BERT's kind, whose vocabulary is the list above."""
    tokens = tokenizers.Tokenizer(
        tokenizers.models.WordPiece({piece: i for i, piece in enumerate(PIECES)}, unk_token="[UNK]")
    )
    tokens.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    tokens.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    names = {"unk_token": "[UNK]", "pad_token": "[PAD]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    return transformers.PreTrainedTokenizerFast(tokenizer_object=tokens, mask_token="[MASK]", **names)


def _byte_bpe() -> Any:
    """A tokenizer of RoBERTa's kind. It is trained on all texts but the last, whose words become several tokens."""
    tokens = tokenizers.Tokenizer(tokenizers.models.BPE())
    tokens.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokens.decoder = tokenizers.decoders.ByteLevel()
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=345,
        special_tokens=special,
        initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokens.train_from_iterator(TEXTS[:-1], trainer)
    tokens.post_processor = tokenizers.processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=False)
    names = dict(zip(("bos_token", "pad_token", "eos_token", "unk_token", "mask_token"), special, strict=True))
    return transformers.PreTrainedTokenizerFast(tokenizer_object=tokens, **names)


def _model(kind: str, size: int, **settings: Any) -> Any:
    """A model with random weights, so large that tokens differ clearly."""
    torch.manual_seed(5)
    sizes = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
    if kind == "DistilBert":
        sizes = {"dim": 16, "n_layers": 2, "n_heads": 2, "hidden_dim": 32}
    if kind == "FNet":
        del sizes["num_attention_heads"]
    config = getattr(transformers, f"{kind}Config")(
        vocab_size=size, max_position_embeddings=40, initializer_range=0.4, **(sizes | settings)
    )
    return getattr(transformers, f"{kind}ForMaskedLM")(config).eval()


@pytest.fixture(scope="module")
def bert() -> tuple[Any, Any]:
    tokenizer = _wordpiece()
    return _model("Bert", len(tokenizer)), tokenizer


@pytest.fixture(scope="module")
def roberta() -> tuple[Any, Any]:
    tokenizer = _byte_bpe()
    return _model("Roberta", len(tokenizer), pad_token_id=1, bos_token_id=0, eos_token_id=2), tokenizer


@pytest.fixture(params=["bert", "roberta"])
def both(request: pytest.FixtureRequest) -> tuple[Any, Any]:
    model: tuple[Any, Any] = request.getfixturevalue(request.param)
    return model


def _words(pieces: list[str], text: str) -> list[int]:
    """The number of each token's word, read off the tokens themselves and not from the tokenizer's numbers."""
    if pieces[0] == "[CLS]":
        inside = pieces[1:-1]
        return [sum(not piece.startswith("##") for piece in inside[: i + 1]) for i in range(len(inside))]
    # Byte BPE: words as GPT-2 parts them; a token has as many characters as its text (all are ASCII here).
    ends = [match.end() for match in re.finditer(r"'s|'t| ?[A-Za-z]+| ?[^A-Za-z\s]+", text)]
    places = itertools.accumulate(map(len, pieces[1:-1]))
    return [sum(end < place for end in ends) for place in places]


def _slow(model: Any, tokenizer: Any, text: str, pll: str) -> list[float]:
    """Log-probability of each token, one masked text at a time, from a table of all log-probabilities."""
    ids = tokenizer(text)["input_ids"]
    words = _words(tokenizer.convert_ids_to_tokens(ids), text)
    found = []
    for i, word in enumerate(words):
        masked = list(ids)
        for j in range(i, len(words)):
            if j == i or (pll == "within-word" and words[j] == word):
                masked[j + 1] = tokenizer.mask_token_id
        with torch.no_grad():
            table = model(input_ids=torch.tensor([masked])).logits.log_softmax(-1)
        found.append(table[0, i + 1, ids[i + 1]].item())
    return found


def _logprobs(model: MaskedModel, texts: Sequence[str]) -> list[float]:
    scores = model.score([Request(text) for text in texts])
    assert all(score.logprob is not None for score in scores)
    return [score.logprob or 0.0 for score in scores]


class Listener:
    """Notes the masked texts that a model is given, and how many positions its output layer computes."""

    def __init__(self, model: Any) -> None:
        self.texts: list[list[int]] = []
        self.outputs = 0
        self._hooks = [
            model.register_forward_pre_hook(self._hear, with_kwargs=True),
            model.register_forward_hook(self._count),
        ]

    def _hear(self, _module: Any, _arguments: Any, keywords: dict[str, Any]) -> None:
        self.texts += keywords["input_ids"].tolist()

    def _count(self, _module: Any, _arguments: Any, output: Any) -> None:
        self.outputs += output.logits.shape[:-1].numel()

    def __enter__(self) -> Listener:
        return self

    def __exit__(self, *_error: object) -> None:
        for hook in self._hooks:
            hook.remove()


# What is masked


def test_original_masks_each_token_alone(bert: tuple[Any, Any]) -> None:
    assert _masked_texts(bert, "original", "unhappy sing") == {
        "[CLS] [MASK] ##happ ##y sing [SEP]",
        "[CLS] un [MASK] ##y sing [SEP]",
        "[CLS] un ##happ [MASK] sing [SEP]",
        "[CLS] un ##happ ##y [MASK] [SEP]",
    }


def test_within_word_masks_the_rest_of_the_word(bert: tuple[Any, Any]) -> None:
    assert _masked_texts(bert, "within-word", "unhappy sing") == {
        "[CLS] [MASK] [MASK] [MASK] sing [SEP]",
        "[CLS] un [MASK] [MASK] sing [SEP]",
        "[CLS] un ##happ [MASK] sing [SEP]",
        "[CLS] un ##happ ##y [MASK] [SEP]",
    }


def _masked_texts(both: tuple[Any, Any], pll: str, text: str) -> set[str]:
    model, tokenizer = both
    scorer = MaskedModel(model, tokenizer, PAPER, pll=pll)
    with Listener(model) as listener:
        scorer.score([Request(text)])
    return {" ".join(tokenizer.convert_ids_to_tokens(ids)) for ids in listener.texts}


def test_a_pair_shares_the_text_in_which_its_only_difference_is_masked(bert: tuple[Any, Any]) -> None:
    model, tokenizer = bert
    scorer = MaskedModel(model, tokenizer, PAPER)
    good, bad = "Anna believes herself.", "Anna believes himself."  # Anna believes her/him ##self .
    with Listener(model) as listener:
        scorer.score([Request(good), Request(bad), Request(good)])
    assert len(listener.texts) == 5 + 5 - 1
    assert listener.outputs == 5 + 5 - 1  # one position of each


# Scores


@pytest.mark.parametrize("pll", ["original", "within-word"])
def test_scores_are_those_of_the_slow_way(both: tuple[Any, Any], pll: str) -> None:
    model, tokenizer = both
    expected = [math.fsum(_slow(model, tokenizer, text, pll)) for text in TEXTS]
    assert _logprobs(MaskedModel(model, tokenizer, PAPER, pll=pll), TEXTS) == pytest.approx(expected, abs=1e-4)


def test_the_two_ways_differ_where_a_word_has_several_tokens(both: tuple[Any, Any]) -> None:
    texts = ["unfolded", "!", "s"]
    original, within = (_logprobs(MaskedModel(*both, PAPER, pll=pll), texts) for pll in PLLS)
    assert abs(original[0] - within[0]) > 0.01
    assert original[1:] == within[1:]


def test_counts_leave_out_the_tokens_around_the_text(both: tuple[Any, Any]) -> None:
    model, tokenizer = both
    (score,) = MaskedModel(model, tokenizer, PAPER).score([Request("Sing!")])
    assert score.tokens == len(tokenizer("Sing!")["input_ids"]) - 2
    assert score.length == 5


@pytest.mark.parametrize("batch_tokens", [1, 40, None])
def test_scores_do_not_depend_on_the_batch(both: tuple[Any, Any], batch_tokens: int | None) -> None:
    model, tokenizer = both
    scorer = MaskedModel(model, tokenizer, PAPER, pll="within-word", batch_tokens=batch_tokens)
    alone = [_logprobs(scorer, [text])[0] for text in TEXTS]
    order = random.Random(3).sample(range(len(TEXTS)), len(TEXTS))
    together = _logprobs(scorer, [TEXTS[i] for i in order])
    assert together == pytest.approx([alone[i] for i in order], abs=1e-4)


@pytest.mark.parametrize("side", ["left", "right"])
def test_scores_do_not_depend_on_the_padding_side(bert: tuple[Any, Any], side: str) -> None:
    model, _ = bert
    tokenizer = _wordpiece()
    tokenizer.padding_side = side
    expected = [math.fsum(_slow(model, tokenizer, text, "original")) for text in TEXTS]
    assert _logprobs(MaskedModel(model, tokenizer, PAPER), TEXTS) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("kind", ["DistilBert", "Electra", "FNet"])
def test_other_architectures(kind: str) -> None:
    # FNet mixes all positions and knows no mask: any padding would be heard.
    tokenizer = _wordpiece()
    model = _model(kind, len(tokenizer))
    scorer = MaskedModel(model, tokenizer, PAPER)
    with Listener(model) as listener:
        found = _logprobs(scorer, TEXTS)
    assert found == pytest.approx([math.fsum(_slow(model, tokenizer, text, "original")) for text in TEXTS], abs=1e-4)
    assert listener.outputs == len(listener.texts)  # the output layer computed one position of each


def test_a_model_whose_output_layer_needs_all_positions() -> None:
    tokenizer = _wordpiece()
    model = _model("Bert", len(tokenizer))
    layer = model.cls.forward
    model.cls.forward = lambda states: layer(states + states.mean(1, keepdim=True))  # looks at all positions
    expected = [math.fsum(_slow(model, tokenizer, text, "original")) for text in TEXTS]
    scorer = MaskedModel(model, tokenizer, PAPER)
    with Listener(model) as listener:
        assert _logprobs(scorer, TEXTS) == pytest.approx(expected, abs=1e-4)
    assert listener.outputs == sum(map(len, listener.texts))


def test_output_rows_give_up_on_a_model_that_reshapes() -> None:
    model = _model("Bert", 7)
    layer = model.cls.forward
    model.cls.forward = lambda states: layer(states.view(2, 3, -1))
    ids = torch.tensor([[1, 2, 3], [4, 5, 6]])
    rows = OutputRows(model, model.bert, {"input_ids": ids})
    assert not rows.narrow
    assert rows(torch.tensor([1]), torch.tensor([2]), {"input_ids": ids}).shape == (1, 7)


# Parts of texts


def test_the_span_takes_the_tokens_of_the_whole_text(roberta: tuple[Any, Any]) -> None:
    model, tokenizer = roberta
    text, start = "Anna believes herself", len("Anna believes")
    pieces = tokenizer.convert_ids_to_tokens(tokenizer(text)["input_ids"])[1:-1]
    inside = [place for place, end in enumerate(itertools.accumulate(map(len, pieces))) if end > start]
    bare = len(tokenizer("herself")["input_ids"]) - 2
    assert len(inside) != bare  # otherwise this would not show where the span comes from
    (score,) = MaskedModel(model, tokenizer, PAPER).score([Request(text, start, len(text))])
    slow = _slow(model, tokenizer, text, "original")
    assert score.tokens == len(inside)
    assert score.logprob == pytest.approx(math.fsum(slow[i] for i in inside), abs=1e-4)
    assert score.length == len(" herself")


@pytest.mark.parametrize("start", [len("Anna believes"), len("Anna believes ")])
def test_the_blank_before_a_word_makes_no_difference(both: tuple[Any, Any], start: int) -> None:
    model, tokenizer = both
    text = "Anna believes her captain"
    (score,) = MaskedModel(model, tokenizer, PAPER).score([Request(text, start, len("Anna believes her"))])
    pieces = tokenizer.convert_ids_to_tokens(tokenizer(text)["input_ids"])[1:-1]
    words = _words(tokenizer.convert_ids_to_tokens(tokenizer(text)["input_ids"]), text)
    third = [i for i in range(len(pieces)) if words[i] == words[0] + 2]
    slow = _slow(model, tokenizer, text, "original")
    assert score.logprob == pytest.approx(math.fsum(slow[i] for i in third), abs=1e-4)


def test_parts_add_up(both: tuple[Any, Any]) -> None:
    scorer = MaskedModel(*both, PAPER)
    text = "The unhappy sailors sing."
    whole, first, second = scorer.score([Request(text), Request(text, 0, 11), Request(text, 11, len(text))])
    assert (first.logprob or 0) + (second.logprob or 0) == pytest.approx(whole.logprob, abs=1e-6)
    assert first.tokens + second.tokens == whole.tokens


def test_a_space_before_the_text(roberta: tuple[Any, Any]) -> None:
    model, tokenizer = roberta
    scorer = MaskedModel(model, tokenizer, preset("paper", leading_space=True))
    spaced = math.fsum(_slow(model, tokenizer, " Sing!", "original"))
    (whole, part) = scorer.score([Request("Sing!"), Request("Sing!", 4, 5)])
    assert whole.logprob == pytest.approx(spaced, abs=1e-4)
    assert part.logprob == pytest.approx(_slow(model, tokenizer, " Sing!", "original")[-1], abs=1e-4)
    assert whole.length == 5


def test_words_of_a_tokenizer_that_knows_no_words() -> None:
    # Where a blank is a character like any other, the tokenizer gives one word number to the whole text.
    pieces = [
        ("\u2581un", 0.0),
        ("happy", 0.0),
        ("\u2581", 0.0),
        ("map", 0.0),
        ("\u2581map", 0.0),
        ("?", -9.0),
    ]
    tokens = tokenizers.Tokenizer(tokenizers.models.Unigram(pieces, unk_id=5))
    tokens.pre_tokenizer = tokenizers.pre_tokenizers.Metaspace(split=False)
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=tokens)
    (text,) = tokenize(tokenizer, ["unhappy map"])
    assert set(tokenizer("unhappy map").word_ids()) == {0}
    assert text.words == (0, 0, 1)


# What has no score, and what is refused


def test_texts_without_a_score(bert: tuple[Any, Any]) -> None:
    scorer = MaskedModel(*bert, PAPER)
    long = " ".join(["sing"] * 39)
    requests = [Request(""), Request("  "), Request("sing", 4, 4), Request("purple map"), Request(long)]
    assert [score.reason for score in scorer.score(requests)] == [
        "empty",
        "empty",
        "empty",
        "missing_token",
        "too_long",
    ]
    assert all(score.logprob is None and score.tokens == 0 for score in scorer.score(requests))


def test_unknown_words_count_where_the_settings_say_so(bert: tuple[Any, Any]) -> None:
    model, tokenizer = bert
    (score,) = MaskedModel(model, tokenizer, preset("lm-eval")).score([Request("purple map")])
    assert score.logprob == pytest.approx(math.fsum(_slow(model, tokenizer, "purple map", "original")), abs=1e-4)


@pytest.mark.parametrize(("words", "reason"), [(36, None), (37, "too_long")])
def test_roberta_loses_positions_to_its_padding_token(words: int, reason: str | None) -> None:
    # 40 positions, of which 0 and 1 come before the first token: 38 tokens, <s> and </s> among them.
    tokenizer = _byte_bpe()
    model = _model("Roberta", len(tokenizer), pad_token_id=1)
    (score,) = MaskedModel(model, tokenizer, PAPER).score([Request("!" * words)])
    assert score.reason == reason
    assert score.tokens == (0 if reason else words)


def test_scores_that_are_not_numbers() -> None:
    tokenizer = _wordpiece()
    model = _model("Bert", len(tokenizer))
    model.cls.predictions.bias.data.fill_(math.nan)
    assert MaskedModel(model, tokenizer, PAPER).score([Request("Sing !")])[0].reason == "not_finite"


@pytest.mark.parametrize("span", [(-1, 2), (3, 2), (0, 6), (6, None)])
def test_spans_outside_the_text(bert: tuple[Any, Any], span: tuple[int, int | None]) -> None:
    with pytest.raises(InputError, match=r"expected 0 <= start <= end <= 5"):
        MaskedModel(*bert, PAPER).score([Request("Sing!", *span)])


def test_half_a_character(bert: tuple[Any, Any]) -> None:
    with pytest.raises(InputError, match="contains half of a character"):
        MaskedModel(*bert, PAPER).score([Request("Sing \ud83d!")])


def test_bad_options(bert: tuple[Any, Any]) -> None:
    with pytest.raises(InputError, match="unknown pll 'l2r': expected one of original, within-word"):
        MaskedModel(*bert, PAPER, pll="l2r")
    with pytest.raises(InputError, match="batch_tokens 0: expected at least 1"):
        MaskedModel(*bert, PAPER, batch_tokens=0)


def test_tokenizers_that_will_not_do(bert: tuple[Any, Any]) -> None:
    model, _ = bert
    plain = _wordpiece()
    plain.mask_token = None
    with pytest.raises(InputError, match="no mask token"):
        MaskedModel(model, plain, PAPER)
    with pytest.raises(InputError, match="tokenizer.json"):
        MaskedModel(model, object(), PAPER)


def test_no_requests(bert: tuple[Any, Any]) -> None:
    assert MaskedModel(*bert, PAPER).score([]) == []


# From a folder


@pytest.fixture
def folder(bert: tuple[Any, Any], tmp_path: Path) -> Path:
    for part in bert:
        part.save_pretrained(tmp_path)
    return tmp_path


def test_a_folder_scores_like_the_model(bert: tuple[Any, Any], folder: Path) -> None:
    loaded = load_model(folder, "masked", PAPER, pll="within-word")
    given = MaskedModel(*bert, PAPER, folder.name, pll="within-word")
    requests = [Request(text) for text in TEXTS]
    assert loaded.score(requests) == given.score(requests)
    assert loaded.name == given.name
    assert loaded.name.startswith(f"masked:{folder.name}|weights:")
    assert loaded.name.endswith("|dtype:float32|pll:within-word")


def test_other_precisions(bert: tuple[Any, Any], folder: Path) -> None:
    half = MaskedModel.from_path(folder, PAPER, dtype="bfloat16")
    assert "|dtype:bfloat16|" in half.name
    exact = _logprobs(MaskedModel(*bert, PAPER), TEXTS)
    assert _logprobs(half, TEXTS) == pytest.approx(exact, rel=0.05)
    with pytest.raises(InputError, match="unknown dtype 'int8': expected one of float32"):
        MaskedModel.from_path(folder, PAPER, dtype="int8")


def test_devices_that_are_not_there(folder: Path) -> None:
    with pytest.raises(InputError, match="device 'fpga': cannot be used"):
        MaskedModel.from_path(folder, PAPER, device="fpga")


def test_a_folder_without_a_model(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no masked model could be loaded from there"):
        MaskedModel.from_path(tmp_path, PAPER)


def test_a_model_without_its_output_layer(bert: tuple[Any, Any], tmp_path: Path) -> None:
    # Loading would fill the missing weights with random numbers.
    model, tokenizer = bert
    tokenizer.save_pretrained(tmp_path)
    model.bert.save_pretrained(tmp_path)
    with pytest.raises(InputError, match=r"lacks weights for cls\.predictions\..*, which would be random"):
        MaskedModel.from_path(tmp_path, PAPER)


# Batches


def test_batches_hold_one_length_and_fit() -> None:
    shapes = [(random.Random(i).randint(1, 6), i % 2) for i in range(60)]
    found = list(batches(shapes, tokens=20, rows=4))
    assert sorted(i for batch in found for i in batch) == list(range(60))
    for batch in found:
        assert len({shapes[i] for i in batch}) == 1
        assert len(batch) <= 4
        assert sum(sum(shapes[i]) for i in batch) <= 20
