"""Presets on real tokenizers, and input that cannot be scored."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pytest

from dibimt_metric.errors import InputError
from minimal_pairs.models.causal import CausalModel
from minimal_pairs.models.causal_ways import choose_way
from minimal_pairs.models.tokens import Encoder, Tokens
from minimal_pairs.records import Request, TextScore
from minimal_pairs.scoring.presets import preset
from tests.minimal_pairs.tiny_causal import (
    BETWEEN,
    END,
    REQUESTS,
    SENTENCES,
    START,
    TURN,
    Oracle,
    bytes_tokenizer,
    model_of,
    pieces_tokenizer,
    words_tokenizer,
)

torch = pytest.importorskip("torch")

TEXT = "Omar admires himself."


def encoded(tokenizer: Any, text: str | Request, name: str = "paper", **changes: Any) -> tuple[list[str], list[str]]:
    """All tokens, and those that count, as text."""
    request = Request(text) if isinstance(text, str) else text
    [found] = Encoder(tokenizer, preset(name, **changes), "tiny")([request])
    tokens = tokenizer.convert_ids_to_tokens(list(found.ids))
    return tokens, [tokens[i] for i in found.counted]


def texts_of(tokenizer: Any, text: str) -> list[str]:
    ids = tokenizer(text, add_special_tokens=False)["input_ids"]
    return list(tokenizer.convert_ids_to_tokens(ids))


# First and last tokens


@pytest.mark.parametrize(
    ("name", "changes", "first", "text", "last", "uncounted"),
    [
        ("paper", {}, [START], TEXT, [END], 1),
        ("lm-eval", {}, [START], " " + TEXT, [], 1),
        ("lm-eval-0.3", {}, [END], TEXT, [], 1),
        ("minicons", {}, [], TEXT, [], 1),
        ("paper", {"bos": BETWEEN}, [BETWEEN], TEXT, [END], 1),
        ("paper", {"eos": BETWEEN}, [START], TEXT, [BETWEEN], 1),
        ("paper", {"bos": "none", "score_first": False}, [], TEXT, [END], 1),
    ],
)
def test_presets_put_tokens_around_a_text(
    name: str, changes: dict[str, Any], first: list[str], text: str, last: list[str], uncounted: int
) -> None:
    tokenizer = bytes_tokenizer()
    expected = [*first, *texts_of(tokenizer, text), *last]
    assert encoded(tokenizer, TEXT, name, **changes) == (expected, expected[uncounted:])


def test_marks_of_chats_give_way_to_the_one_between_documents() -> None:
    chat = bytes_tokenizer(bos_token=TURN, eos_token="<|im_end|>")
    expected = texts_of(chat, TEXT)
    assert encoded(chat, TEXT)[0] == [BETWEEN, *expected, BETWEEN]
    # Peers take what is declared.
    assert encoded(chat, TEXT, "lm-eval")[0][0] == TURN
    assert encoded(chat, TEXT, "lm-eval-0.3")[0][0] == "<|im_end|>"
    assert encoded(chat, TEXT, bos=TURN)[0][0] == TURN  # who asks for it gets it


def test_first_token_is_never_there_twice() -> None:
    adds = pieces_tokenizer()
    assert adds(TEXT)["input_ids"][0] == adds.bos_token_id  # it does so on its own
    for name in ("paper", "lm-eval", "minicons"):
        tokens, counted = encoded(adds, TEXT, name)
        assert tokens.count(START) == 1
        assert tokens[0] == START and len(counted) == len(tokens) - 1
    written = encoded(bytes_tokenizer(), START + TEXT + END)  # in the text already
    assert (written[0].count(START), written[0].count(END)) == (1, 1)


def test_minicons_leaves_the_first_token_out_where_nothing_precedes_it() -> None:
    adds, adds_not = pieces_tokenizer(), pieces_tokenizer(adds_start=False)
    words = texts_of(adds, TEXT)
    assert encoded(adds, TEXT, "minicons") == ([START, *words], words)
    assert encoded(adds_not, TEXT, "minicons") == (words, words[1:])


@pytest.mark.parametrize(
    ("declared", "name", "changes", "says"),
    [
        (
            {},
            "paper",
            {},
            r"\(setting bos: 'auto'\); name one as bos \(--bos\).* \(--bos none --no-score-first\)$",
        ),
        ({"eos_token": "the"}, "paper", {}, "no beginning-of-sentence token"),
        ({}, "lm-eval", {}, "no beginning-of-sentence token"),
        ({}, "lm-eval-0.3", {}, "no end-of-sentence token"),
        (
            {"bos_token": "the"},
            "paper",
            {},
            r"no end-of-sentence token; name one as eos \(--eos\).* score_eos False \(--no-score-eos\)$",
        ),
        ({}, "lm-eval", {"bos": "<s>"}, "setting bos: the vocabulary has no token '<s>'"),
        ({"bos_token": "the"}, "paper", {"eos": "</s>"}, "setting eos: the vocabulary has no token '</s>'"),
        (
            {},
            "lm-eval",
            {"bos": "none"},
            r"nothing precedes the first token \(setting bos: 'none'\).* as bos \(--bos\).*\(--no-score-first\)$",
        ),
        ({}, "minicons", {"score_first": True}, "nothing precedes the first token"),
    ],
)
def test_no_first_or_last_token(declared: dict[str, str], name: str, changes: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        Encoder(words_tokenizer(**declared), preset(name, **changes), "tiny")


def test_end_token_serves_as_first_for_lm_eval() -> None:
    tokenizer = words_tokenizer(eos_token="the")
    assert encoded(tokenizer, "Omar admires", "lm-eval")[0] == ["the", "Omar", "admires"]


# Spans


def test_span_counts_the_tokens_of_the_text_and_not_those_of_the_word() -> None:
    tokenizer = bytes_tokenizer()
    alone, within = texts_of(tokenizer, "himself"), texts_of(tokenizer, " himself")
    assert alone != within  # the trap: the word on its own is another string of tokens
    for start in (12, 13):  # before and behind the blank
        tokens, counted = encoded(tokenizer, Request("Omar admires himself", start, 20))
        assert counted == within
        assert tokens == [START, *texts_of(tokenizer, "Omar admires himself")]


@pytest.mark.parametrize("name", ["paper", "lm-eval", "minicons"])
def test_span_in_every_preset_and_kind_of_tokenizer(name: str) -> None:
    for tokenizer in (bytes_tokenizer(), pieces_tokenizer()):
        tokens, counted = encoded(tokenizer, Request("Omar admires himself", 4, 12), name)
        assert "".join(counted).replace("Ġ", "").replace("▁", "") == "admires"
        assert counted == tokens[-len(counted) :]  # nothing behind it is computed


def test_first_word_as_a_span_takes_what_stands_before_it() -> None:
    tokenizer = pieces_tokenizer()
    tokens, counted = encoded(tokenizer, Request("Omar admires", 0, 4), "lm-eval")
    assert tokens == [START, *counted]
    assert END not in encoded(tokenizer, Request("Omar admires", 5, 12))[1]  # a span has no end of sentence
    assert encoded(tokenizer, Request("Omar admires", 5))[1][-1] == END


class Slow:
    """A tokenizer that gives no offsets, around one that does."""

    is_fast = False

    def __init__(self, inner: Any, lossy: bool = False) -> None:
        self._inner = inner
        self._lossy = lossy

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def __call__(self, texts: Any, **options: Any) -> Any:
        assert "return_offsets_mapping" not in options
        return self._inner(texts, **options)

    def decode(self, ids: Sequence[int], **options: Any) -> str:
        text: str = self._inner.decode(ids, **options)
        return text.lower() if self._lossy else text


def test_spans_without_offsets_are_found_by_decoding() -> None:
    for tokenizer in (bytes_tokenizer(), pieces_tokenizer()):
        for text, start, end in (("Omar admires himself", 12, 20), ("Who did Nadia greet", 4, 7)):
            for name in ("paper", "lm-eval"):
                request = Request(text, start, end)
                assert encoded(Slow(tokenizer), request, name) == encoded(tokenizer, request, name)


def test_spans_that_decoding_cannot_find_are_refused() -> None:
    slow = Slow(bytes_tokenizer(), lossy=True)
    with pytest.raises(InputError, match="does not report where its tokens are .* use a fast tokenizer"):
        encoded(slow, Request("Omar admires himself", 12, 20))
    assert encoded(slow, TEXT) == encoded(bytes_tokenizer(), TEXT)  # whole texts need no places


@pytest.mark.parametrize(("start", "end"), [(-1, 3), (3, 2), (0, 22), (22, None)])
def test_spans_outside_the_text(start: int, end: int | None) -> None:
    with pytest.raises(InputError, match=r"expected 0 <= start <= end <= 21"):
        encoded(bytes_tokenizer(), Request(TEXT, start, end))


def test_half_of_a_character_is_refused() -> None:
    with pytest.raises(InputError, match="contains half of a character"):
        encoded(bytes_tokenizer(), "Omar \ud83d admires")


# What has no score


@pytest.fixture(scope="module")
def words() -> Any:
    return words_tokenizer(bos_token="the", eos_token=".")


@pytest.fixture(scope="module")
def model(words: Any) -> CausalModel:
    return CausalModel(model_of("llama", len(words), max_position_embeddings=16), words, preset("paper"))


@pytest.mark.parametrize(
    ("request_", "reason", "length"),
    [
        (Request(""), "empty", 0),
        (Request(" \n"), "empty", 2),
        (Request("Omar admires", 4, 4), "empty", 0),
        (Request("Omar admires", 4, 5), "empty", 1),
        (Request("Omar zürnt"), "missing_token", 11),
        (
            Request("Omar zürnt himself", 11),
            "missing_token",
            7,
        ),  # what it is conditioned on is not what it says
        (Request("Omar " * 17), "too_long", 85),
    ],
)
def test_reasons(model: CausalModel, request_: Request, reason: str, length: int) -> None:
    good = Request("Omar admires himself.")
    alone, before, between, behind = (
        *model.score([good]),
        *model.score([good, request_, good]),
    )
    assert between == TextScore(None, 0, length, reason)
    assert before == behind == alone  # others are not touched
    assert alone.reason is None and alone.logprob is not None


def test_as_long_as_the_context_is_not_too_long(model: CausalModel) -> None:
    # The last token is predicted and never read: 16 positions hold the first token and 15 words, and predict a 16th.
    found = [model.score([Request("Omar " * n)])[0] for n in (15, 16)]
    assert [score.reason for score in found] == [None, "too_long"]  # "paper" predicts the end, too
    free = CausalModel(model._model, model._encoder._tokenizer, preset("lm-eval"))
    assert [free.score([Request("Omar " * n)])[0].reason for n in (16, 17)] == [None, "too_long"]


def test_one_token_without_context_is_nothing_to_score(words: Any) -> None:
    minicons = CausalModel(model_of("llama", len(words)), words, preset("minicons"))
    assert minicons.score([Request("Omar")]) == [TextScore(None, 0, 4, "empty")]


def test_missing_words_are_scored_where_the_preset_says_so(words: Any) -> None:
    network = model_of("llama", len(words))
    scoring = CausalModel(network, words, preset("paper", missing="score"))
    [found] = scoring.score([Request("Omar zürnt")])
    ids = [words.bos_token_id, *words("Omar zürnt")["input_ids"], words.eos_token_id]
    assert words.unk_token_id in ids
    assert found.logprob == pytest.approx(Oracle(network)(ids), abs=1e-4)


def test_characters_that_a_tokenizer_drops_are_missing() -> None:
    tokenizer = pieces_tokenizer()
    tokenizer.backend_tokenizer.model.unk_token = None  # as in vocabularies without an unknown token: gone
    assert "&" not in "".join(texts_of(tokenizer, "Omar & Nadia"))
    found = Encoder(tokenizer, preset("paper"), "tiny")([Request("Omar & Nadia"), Request("Omar")])
    assert [tokens.reason for tokens in found] == ["missing_token", None]
    assert found[0] == Tokens((), (), 12, "missing_token")


@pytest.mark.parametrize("layout", ["tree", "padded", "equal"])
@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_numbers_that_are_none(layout: str, value: float) -> None:
    tokenizer = bytes_tokenizer()
    network = model_of("llama", len(tokenizer))
    plain = CausalModel(network, tokenizer, preset("paper"), layout=layout)
    expected = plain.score(REQUESTS)
    bad = tokenizer("Lamps")["input_ids"][0]  # only in "Lamps!"
    others = [i for i, text in enumerate(SENTENCES) if bad not in tokenizer(text)["input_ids"]]
    assert len(others) == len(SENTENCES) - 1
    with torch.no_grad():
        network.get_input_embeddings().weight[bad] = value
        network.lm_head.weight[bad] = 0.0  # as one of those that could come it is harmless
    found = plain.score(REQUESTS)
    assert [found[i].reason for i in range(len(found)) if i not in others] == ["not_finite"]
    # In a tree the row's other texts are not to blame.
    for i in others:
        assert found[i].reason is None
        assert found[i].tokens == expected[i].tokens


def test_model_that_gives_no_numbers_is_refused() -> None:
    tokenizer = bytes_tokenizer()
    network = model_of("llama", len(tokenizer))
    with torch.no_grad():
        network.lm_head.weight.fill_(math.nan)
    with pytest.raises(InputError, match="not finite; try another dtype"):
        CausalModel(network, tokenizer, preset("paper"))


def test_layout_that_a_model_is_not_capable_of_is_refused() -> None:
    with pytest.raises(InputError, match=r"layouts tried: tree"):
        CausalModel(model_of("bloom", 330), bytes_tokenizer(), preset("paper"), layout="tree")


def test_model_whose_scores_depend_on_chance_is_refused() -> None:
    network = model_of("gpt2", 330, resid_pdrop=0.5)
    network.eval = lambda: network.train()  # cannot be brought into evaluation mode
    with pytest.raises(InputError, match="evaluation mode"):
        CausalModel(network.train(), bytes_tokenizer(), preset("paper"))


def test_outputs_that_are_changed_in_an_unknown_way_are_left_to_the_model() -> None:
    network = model_of("llama", 330)
    plain = CausalModel(network, bytes_tokenizer(), preset("paper"))
    inner = network.forward

    def doubled(*args: Any, **kwargs: Any) -> Any:
        output = inner(*args, **kwargs)
        output.logits = output.logits * 2
        return output

    network.forward = doubled
    other = CausalModel(network, bytes_tokenizer(), preset("paper"))
    assert (str(plain.way), str(other.way)) == ("tree", "tree+logits")
    assert "|computed:tree+logits|" in other.name
    slow = Oracle(network)
    tokenizer = bytes_tokenizer()
    for request, found in zip(REQUESTS, other.score(REQUESTS), strict=True):
        ids = tokenizer(request.text)["input_ids"]
        expected = slow([tokenizer.bos_token_id, *ids, tokenizer.eos_token_id])
        assert found.logprob == pytest.approx(expected, abs=1e-4)


def test_smallest_vocabulary_can_be_tried_out() -> None:
    assert str(choose_way(model_of("llama", 2), padding=0)) == "tree"


def test_context_that_is_too_short_to_be_tried_out() -> None:
    with pytest.raises(InputError, match="takes 6 tokens at once, but at least 7 are needed"):
        CausalModel(model_of("gpt2", 330, n_positions=6), bytes_tokenizer(), preset("paper"))


def test_nothing_to_score(model: CausalModel) -> None:
    assert model.score([]) == []


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"batch_tokens": 0}, "batch_tokens 0: expected at least 1"),
        ({"layout": "forest"}, "unknown layout 'forest': expected one of auto, tree, padded, equal"),
        ({"padding_side": "top"}, "unknown padding_side 'top': expected one of right, left"),
    ],
)
def test_unknown_options(words: Any, options: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        CausalModel(model_of("llama", len(words)), words, preset("paper"), **options)
