"""Encoder-decoder models, on tiny ones with random weights, against scores computed one token at a time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from dibimt_metric.errors import InputError
from minimal_pairs.models.encoder_decoder import SOURCES, EncoderDecoderModel
from minimal_pairs.models.loading import load_model
from minimal_pairs.records import Request
from minimal_pairs.scoring.presets import preset

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
tokenizers = pytest.importorskip("tokenizers")

TEXTS = (
    "The gardeners water the roses.",
    "The gardener water the roses.",
    "Water!",
    "The roses that the gardeners water never water the gardeners.",
    "The gardeners water themselves.",
)
PIECES = "▁The ▁the ▁garden er ers ▁water ▁rose s . ▁that ▁never ▁Wat ! ▁them self elves selves ▁".split()
PAPER = preset("paper")
NO_END = preset("lm-eval-0.3")
GAPS = ["<extra_id_0>", "<extra_id_1>"]
T5_END, BART_FIRST, BART_END = 1, 0, 2


def _t5_tokenizer() -> Any:
    """SentencePiece's kind: pieces of the list above, ``</s>`` behind a text, two tokens for gaps."""
    special = ["<pad>", "</s>", "<unk>", *GAPS]
    pieces = [(piece, 0.0) for piece in special] + [(piece, -float(len(PIECES) - len(piece))) for piece in PIECES]
    tokens = tokenizers.Tokenizer(tokenizers.models.Unigram(pieces, unk_id=2))
    tokens.pre_tokenizer = tokenizers.pre_tokenizers.Metaspace()
    tokens.decoder = tokenizers.decoders.Metaspace()
    tokens.post_processor = tokenizers.processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    names = {"pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>"}
    return transformers.PreTrainedTokenizerFast(tokenizer_object=tokens, additional_special_tokens=GAPS, **names)


def _bart_tokenizer() -> Any:
    """Byte BPE trained on the texts, ``<s>`` before and ``</s>`` behind a text."""
    tokens = tokenizers.Tokenizer(tokenizers.models.BPE())
    tokens.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokens.decoder = tokenizers.decoders.ByteLevel()
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    alphabet = tokenizers.pre_tokenizers.ByteLevel.alphabet()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=290, special_tokens=special, initial_alphabet=alphabet, show_progress=False
    )
    tokens.train_from_iterator(TEXTS, trainer)
    tokens.post_processor = tokenizers.processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=False)
    names = dict(zip(("bos_token", "pad_token", "eos_token", "unk_token"), special, strict=True))
    return transformers.PreTrainedTokenizerFast(tokenizer_object=tokens, **names)


def _t5_model(size: int, **settings: Any) -> Any:
    torch.manual_seed(11)
    shape = {"d_model": 16, "d_kv": 8, "d_ff": 32, "num_layers": 2, "num_heads": 2, "initializer_factor": 2.0}
    config = transformers.T5Config(vocab_size=size, **({"decoder_start_token_id": 0} | shape | settings))
    return transformers.T5ForConditionalGeneration(config).eval()


def _bart_model(size: int) -> Any:
    torch.manual_seed(12)
    sides = {f"{side}_{what}": 2 for side in ("encoder", "decoder") for what in ("layers", "attention_heads")}
    config = transformers.BartConfig(
        vocab_size=size,
        d_model=16,
        encoder_ffn_dim=32,
        decoder_ffn_dim=32,
        max_position_embeddings=40,
        init_std=0.5,
        **sides,
    )
    return transformers.BartForConditionalGeneration(config).eval()


@pytest.fixture(scope="module")
def t5() -> tuple[Any, Any]:
    tokenizer = _t5_tokenizer()
    return _t5_model(len(tokenizer)), tokenizer


@pytest.fixture(scope="module")
def bart() -> tuple[Any, Any]:
    tokenizer = _bart_tokenizer()
    return _bart_model(len(tokenizer)), tokenizer


@pytest.fixture(params=["t5", "bart"])
def both(request: pytest.FixtureRequest) -> tuple[Any, Any]:
    model: tuple[Any, Any] = request.getfixturevalue(request.param)
    return model


def _slow(model: Any, source: Sequence[int], start: int, target: Sequence[int]) -> list[float]:
    """Log-probability of each token of the target, from a run of its own that sees only what is before it."""
    found = []
    for i, token in enumerate(target):
        ids = torch.tensor([[start, *target[:i]]])
        with torch.no_grad():
            table = model(input_ids=torch.tensor([source]), decoder_input_ids=ids).logits.log_softmax(-1)
        found.append(table[0, -1, token].item())
    return found


def _body(tokenizer: Any, text: str) -> list[int]:
    ids: list[int] = tokenizer(text, add_special_tokens=False)["input_ids"]
    return ids


def _ids(tokenizer: Any, pieces: str) -> list[int]:
    ids: list[int] = tokenizer.convert_tokens_to_ids(pieces.split())
    return ids


def _score(model: EncoderDecoderModel, *requests: Request) -> list[float]:
    scores = model.score(requests)
    assert all(score.reason is None for score in scores)
    return [score.logprob or 0.0 for score in scores]


class Listener:
    """Notes what the encoder reads, what the decoder reads, and how many positions the output layer computes."""

    def __init__(self, model: Any) -> None:
        self.read: list[list[int]] = []
        self.said: list[list[int]] = []
        self.outputs = 0
        self._hooks = [
            model.get_encoder().register_forward_pre_hook(self._hear, with_kwargs=True),
            model.register_forward_pre_hook(self._say, with_kwargs=True),
            model.register_forward_hook(self._count),
        ]

    def _hear(self, _module: Any, _arguments: Any, keywords: dict[str, Any]) -> None:
        self.read += keywords["input_ids"].tolist()

    def _say(self, _module: Any, _arguments: Any, keywords: dict[str, Any]) -> None:
        self.said += keywords["decoder_input_ids"].tolist()

    def _count(self, _module: Any, _arguments: Any, output: Any) -> None:
        self.outputs += output.logits.shape[:-1].numel()

    def __enter__(self) -> Listener:
        return self

    def __exit__(self, *_error: object) -> None:
        for hook in self._hooks:
            hook.remove()


# An empty source


def test_t5_says_the_sentence_and_its_end_to_an_empty_source(t5: tuple[Any, Any]) -> None:
    model, tokenizer = t5
    expected = [math.fsum(_slow(model, [T5_END], 0, [*_body(tokenizer, text), T5_END])) for text in TEXTS]
    assert _score(EncoderDecoderModel(model, tokenizer, PAPER), *map(Request, TEXTS)) == pytest.approx(
        expected, abs=1e-4
    )


def test_bart_is_given_its_first_token_and_not_asked_for_it(bart: tuple[Any, Any]) -> None:
    model, tokenizer = bart
    source = [BART_FIRST, BART_END]
    expected = []
    for text in TEXTS:
        target = [BART_FIRST, *_body(tokenizer, text), BART_END]
        expected.append(math.fsum(_slow(model, source, BART_END, target)[1:]))
    assert _score(EncoderDecoderModel(model, tokenizer, PAPER), *map(Request, TEXTS)) == pytest.approx(
        expected, abs=1e-4
    )


def test_the_sum_is_the_loss_of_the_model(t5: tuple[Any, Any]) -> None:
    # The model's own training loss: mean over the tokens of both texts, with -100 where the shorter one is filled up.
    model, tokenizer = t5
    targets = [[*_body(tokenizer, text), T5_END] for text in TEXTS[:3]]
    width = max(map(len, targets))
    labels = torch.tensor([[*target, *[-100] * (width - len(target))] for target in targets])
    with torch.no_grad():
        loss = model(input_ids=torch.tensor([[T5_END]] * 3), labels=labels).loss.item()
    scores = EncoderDecoderModel(model, tokenizer, PAPER).score([Request(text) for text in TEXTS[:3]])
    assert [score.tokens for score in scores] == [len(target) for target in targets]
    total = math.fsum(score.logprob or 0 for score in scores)
    assert total == pytest.approx(-loss * sum(map(len, targets)), abs=1e-3)


def test_the_end_counts_where_it_is_scored(both: tuple[Any, Any]) -> None:
    with_end, without, own = (
        EncoderDecoderModel(*both, settings).score([Request(TEXTS[0])])[0]
        for settings in (PAPER, NO_END, preset("minicons"))
    )
    assert with_end.tokens == without.tokens + 1
    assert with_end == own  # what the tokenizer puts behind a text is its end
    assert (with_end.logprob or 0) < (without.logprob or 0)


def test_the_token_before_the_text(bart: tuple[Any, Any]) -> None:
    model, tokenizer = bart
    body, source = _body(tokenizer, "Water!"), [BART_FIRST, BART_END]
    none, named = (EncoderDecoderModel(model, tokenizer, preset("lm-eval-0.3", bos=bos)) for bos in ("none", "<pad>"))
    assert _score(none, Request("Water!"))[0] == pytest.approx(sum(_slow(model, source, BART_END, body)), abs=1e-4)
    padded = _slow(model, source, BART_END, [1, *body])[1:]
    assert _score(named, Request("Water!"))[0] == pytest.approx(sum(padded), abs=1e-4)
    assert none.name.endswith("|first:</s>|last:none")
    assert named.name.endswith("|first:</s> <pad>|last:none")


def test_an_empty_source_is_read_once_and_only_tokens_that_count_are_computed(bart: tuple[Any, Any]) -> None:
    model, tokenizer = bart
    scorer = EncoderDecoderModel(model, tokenizer, PAPER)
    requests = [Request(text) for text in TEXTS]
    with Listener(model) as listener:
        scores = scorer.score([*requests, *requests])
    assert set(map(tuple, listener.read)) == {(BART_FIRST, BART_END)}
    assert len(listener.read) <= len(TEXTS)  # once for each length of sentence
    assert len(listener.said) == len(TEXTS)
    assert listener.outputs == sum(score.tokens for score in scores[: len(TEXTS)])


# Other sources


def test_copy_reads_the_sentence(t5: tuple[Any, Any]) -> None:
    model, tokenizer = t5
    ids = [*_body(tokenizer, TEXTS[0]), T5_END]
    (score,) = _score(EncoderDecoderModel(model, tokenizer, PAPER, source="copy"), Request(TEXTS[0]))
    assert score == pytest.approx(math.fsum(_slow(model, ids, 0, ids)), abs=1e-4)


def test_prefix_reads_what_comes_before(both: tuple[Any, Any]) -> None:
    model, tokenizer = both
    text, start = "The gardeners water themselves", len("The gardeners water")
    before, after = _body(tokenizer, text[:start]), _body(tokenizer, text)
    assert after[: len(before)] == before
    part = after[len(before) :]
    is_bart = tokenizer.bos_token is not None
    if is_bart:
        source, first, target = [BART_FIRST, *before, BART_END], BART_END, [BART_FIRST, *part]
    else:
        source, first, target = [*before, T5_END], 0, part
    scorer = EncoderDecoderModel(model, tokenizer, PAPER, source="prefix")
    (score,) = _score(scorer, Request(text, start, len(text)))
    assert score == pytest.approx(math.fsum(_slow(model, source, first, target)[is_bart:]), abs=1e-4)


def test_prefix_of_a_whole_sentence_is_empty(both: tuple[Any, Any]) -> None:
    empty, prefix = (EncoderDecoderModel(*both, PAPER, source=source) for source in ("empty", "prefix"))
    requests = [Request(text) for text in TEXTS]
    assert empty.score(requests) == prefix.score(requests)
    assert empty.name != prefix.name


def test_infill_asks_for_each_word(t5: tuple[Any, Any]) -> None:
    model, tokenizer = t5
    text = "The gardeners water themselves."  # ▁The | ▁garden ers | ▁water | ▁them selves .
    words = [["▁The"], ["▁garden", "ers"], ["▁water"], ["▁them", "selves", "."]]
    assert tokenizer.tokenize(text) == sum(words, [])
    expected = 0.0
    for i in range(len(words)):
        source = sum((["<extra_id_0>"] if j == i else word for j, word in enumerate(words)), [])
        target = ["<extra_id_0>", *words[i], "<extra_id_1>"]
        steps = _slow(model, _ids(tokenizer, " ".join([*source, "</s>"])), 0, _ids(tokenizer, " ".join(target)))
        expected += math.fsum(steps[1:])  # the tokens of the word and the end of the gap
    (score,) = EncoderDecoderModel(model, tokenizer, PAPER, source="infill").score([Request(text)])
    assert score.logprob == pytest.approx(expected, abs=1e-4)
    assert score.tokens == 7 + 4  # tokens and ends


def test_infill_of_one_word(t5: tuple[Any, Any]) -> None:
    model, tokenizer = t5
    text, start = "The gardeners water", len("The gardeners")
    source = _ids(tokenizer, "▁The ▁garden ers <extra_id_0> </s>")
    target = _ids(tokenizer, "<extra_id_0> ▁water")
    scorer = EncoderDecoderModel(model, tokenizer, PAPER, source="infill")
    (score,) = scorer.score([Request(text, start, len(text))])
    assert score.logprob == pytest.approx(_slow(model, source, 0, target)[1], abs=1e-4)
    assert score.tokens == 1  # no end is scored behind a word within a sentence


# Parts of texts, batches


def test_the_span_takes_the_tokens_of_the_whole_text(bart: tuple[Any, Any]) -> None:
    model, tokenizer = bart
    text, start = "The gardeners water the roses", len("The gardeners water the")
    before, ids = _body(tokenizer, text[:start]), _body(tokenizer, text)
    assert ids[: len(before)] == before
    assert len(ids) - len(before) != len(_body(tokenizer, "roses"))  # the bare word has other tokens
    steps = _slow(model, [BART_FIRST, BART_END], BART_END, [BART_FIRST, *ids])
    (score,) = EncoderDecoderModel(model, tokenizer, PAPER).score([Request(text, start, len(text))])
    assert score.tokens == len(ids) - len(before)
    assert score.logprob == pytest.approx(math.fsum(steps[1 + len(before) :]), abs=1e-4)
    assert score.length == len(" roses")


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("batch_tokens", [1, 30, None])
def test_scores_do_not_depend_on_the_batch(t5: tuple[Any, Any], source: str, batch_tokens: int | None) -> None:
    scorer = EncoderDecoderModel(*t5, PAPER, source=source, batch_tokens=batch_tokens)
    requests = [Request(text) for text in TEXTS] + [Request(TEXTS[0], 4, 13)]
    alone = [_score(scorer, request)[0] for request in requests]
    assert _score(scorer, *reversed(requests)) == pytest.approx(alone[::-1], abs=1e-4)


@pytest.mark.parametrize("side", ["left", "right"])
def test_scores_do_not_depend_on_the_padding_side(bart: tuple[Any, Any], side: str) -> None:
    model, tokenizer = bart
    other = _bart_tokenizer()
    other.padding_side = side
    requests = [Request(text) for text in TEXTS]
    found = _score(EncoderDecoderModel(model, other, PAPER, source="copy"), *requests)
    assert found == _score(EncoderDecoderModel(model, tokenizer, PAPER, source="copy"), *requests)


# What has no score, and what is refused


def test_texts_without_a_score(t5: tuple[Any, Any], bart: tuple[Any, Any]) -> None:
    requests = [Request(" "), Request("Water", 5), Request("The purple roses"), Request("!" * 60)]
    reasons = [score.reason for score in EncoderDecoderModel(*t5, PAPER).score(requests)]
    assert reasons == ["empty", "empty", "missing_token", None]  # T5 has no positions that could run out
    reasons = [score.reason for score in EncoderDecoderModel(*bart, PAPER).score(requests)]
    assert reasons == ["empty", "empty", None, "too_long"]


@pytest.mark.parametrize(("marks", "reason"), [(38, None), (39, "too_long")])
def test_the_longest_text(bart: tuple[Any, Any], marks: int, reason: str | None) -> None:
    # 40 positions: the start token, <s>, and all tokens but the end, which is predicted and not read.
    (score,) = EncoderDecoderModel(*bart, PAPER).score([Request("!" * marks)])
    assert score.reason == reason
    assert score.tokens == (0 if reason else marks + 1)


def test_scores_that_are_not_numbers() -> None:
    tokenizer = _bart_tokenizer()
    model = _bart_model(len(tokenizer))
    model.final_logits_bias.fill_(math.nan)
    assert EncoderDecoderModel(model, tokenizer, PAPER).score([Request("Water!")])[0].reason == "not_finite"


def test_a_model_without_a_start_token(t5: tuple[Any, Any]) -> None:
    _, tokenizer = t5
    model = _t5_model(len(tokenizer), decoder_start_token_id=None)
    with pytest.raises(InputError, match="lacks decoder_start_token_id"):
        EncoderDecoderModel(model, tokenizer, PAPER, "tiny")


def test_a_tokenizer_without_an_end_token(t5: tuple[Any, Any]) -> None:
    model, _ = t5
    tokenizer = _t5_tokenizer()
    tokenizer.eos_token = None
    with pytest.raises(InputError, match="no end-of-sentence token"):
        EncoderDecoderModel(model, tokenizer, PAPER)
    EncoderDecoderModel(model, tokenizer, NO_END)


def test_a_tokenizer_that_adds_nothing_leaves_the_encoder_without_an_empty_text(t5: tuple[Any, Any]) -> None:
    model, _ = t5
    tokenizer = _t5_tokenizer()
    tokenizer.backend_tokenizer.post_processor = tokenizers.processors.TemplateProcessing(single="$A")
    with pytest.raises(InputError, match="no token for an empty text"):
        EncoderDecoderModel(model, tokenizer, NO_END)
    assert EncoderDecoderModel(model, tokenizer, NO_END, source="copy").score([Request("Water!")])[0].reason is None


def test_bad_options(bart: tuple[Any, Any]) -> None:
    with pytest.raises(InputError, match="unknown source 'blank': expected one of empty, prefix, copy, infill"):
        EncoderDecoderModel(*bart, PAPER, source="blank")
    with pytest.raises(InputError, match="no <extra_id_0> and no <extra_id_1>; infill is for models"):
        EncoderDecoderModel(*bart, PAPER, source="infill")
    with pytest.raises(InputError, match="the vocabulary has no token '<start>'"):
        EncoderDecoderModel(*bart, preset("paper", bos="<start>"))
    with pytest.raises(InputError, match=r"expected 0 <= start <= end <= 6"):
        EncoderDecoderModel(*bart, PAPER).score([Request("Water!", 5, 9)])


# From a folder


def test_a_folder_scores_like_the_model(both: tuple[Any, Any], tmp_path: Path) -> None:
    for part in both:
        part.save_pretrained(tmp_path)
    loaded = load_model(tmp_path, "encoder-decoder", PAPER, source="copy")
    given = EncoderDecoderModel(*both, PAPER, tmp_path.name, source="copy")
    requests = [Request(text) for text in TEXTS]
    assert loaded.score(requests) == given.score(requests)
    assert loaded.name == given.name
    assert "|dtype:float32|source:copy|" in loaded.name


def test_a_masked_model_is_no_encoder_decoder(tmp_path: Path, bart: tuple[Any, Any]) -> None:
    shape = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
    config = transformers.BertConfig(vocab_size=50, **shape)
    transformers.BertForMaskedLM(config).save_pretrained(tmp_path)
    bart[1].save_pretrained(tmp_path)
    with pytest.raises(InputError, match="not of kind encoder-decoder, but masked"):
        EncoderDecoderModel.from_path(tmp_path, PAPER)
