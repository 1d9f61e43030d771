"""Requests as token sequences: what comes before and after a text, and which tokens count.

`Encoder` turns each request into `Tokens`, from which every way of computing gets the same score.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from dibimt_metric.errors import InputError, shown

from ..records import Request
from .spans import Offsets, check_text, counting, drops, offsets_by_decoding, part_of

if TYPE_CHECKING:
    from ..scoring.presets import Preset

CHAT_MARKS = {
    # SmolLM2, Qwen: a turn of a chat. The other token separates training documents; after the turn mark, which "user"
    # or "system" follows in training, 117 of 670 BLiMP decisions of SmolLM2-135M differ.
    "<|im_start|>": "<|endoftext|>",
    "<|im_end|>": "<|endoftext|>",
    # Llama 3, instruction-tuned: the end of a turn is declared as the end of the text.
    "<|eot_id|>": "<|end_of_text|>",
}
"""Chat marks that tokenizers declare as first or last token -> the mark between documents."""

_BLOCK = 10_000  # texts that are tokenized at once


class Tokens(NamedTuple):
    """A request as a model sees it.

    Attributes:
        ids: all tokens up to the last one that counts, in vocabulary numbers.
        counted: ascending positions in ``ids`` of the tokens that count; never 0, as each has a context.
        length: UTF-8 bytes of the part of the text that counts.
        reason: why there is nothing to score, else ``None``.
    """

    ids: tuple[int, ...]
    counted: tuple[int, ...]
    length: int
    reason: str | None = None


class Encoder:
    """Tokenizes requests under the settings of a preset.

    Args:
        tokenizer: of transformers.
        preset: the settings; ``reduction`` and ``ties`` are not used here.
        name: of the model, for messages.

    Attributes:
        bos, eos: the tokens before and after a text, for signatures; ``none``: there is none.

    Raises:
        InputError: the preset needs a first or last token that the tokenizer lacks.
    """

    def __init__(self, tokenizer: Any, preset: Preset, name: str) -> None:
        self._tokenizer = tokenizer
        self._name = name
        self._own = preset.bos == "tokenizer"
        self._refuse = preset.missing == "refuse"
        self._shift = int(preset.leading_space)
        bos = None if preset.bos in ("none", "tokenizer") else first_token(tokenizer, preset.bos, name)
        eos = last_token(tokenizer, preset.eos, name) if preset.score_eos else None
        if bos is None and preset.score_first and not self._adds_first():
            raise InputError(
                f"{name}: nothing precedes the first token (setting bos: {shown(preset.bos)}), so it has no "
                f"probability, which the preset {preset.name!r} needs; name a token as bos (--bos), or omit the first "
                "token: score_first False (--no-score-first)"
            )
        self._before = () if bos is None else (bos,)
        self._after = () if eos is None else (eos,)
        self.bos = preset.bos if bos is None else tokenizer.convert_ids_to_tokens(bos)
        self.eos = "none" if eos is None else tokenizer.convert_ids_to_tokens(eos)

    def __call__(self, requests: Sequence[Request]) -> list[Tokens]:
        """The tokens of each request, in order."""
        texts = list(dict.fromkeys(request.text for request in requests))
        spans = self._refuse or any(request.start > 0 or request.end is not None for request in requests)
        encoded = dict(zip(texts, self._encode(texts, spans), strict=True))
        return [self._tokens(request, *encoded[request.text]) for request in requests]

    def _adds_first(self) -> bool:
        """Whether the tokenizer puts a token before every text."""
        if not self._own:
            return False
        with_own = self._tokenizer("a", add_special_tokens=True)["input_ids"]
        without = self._tokenizer("a", add_special_tokens=False)["input_ids"]
        return bool(with_own[:1] != without[:1])

    def _encode(self, texts: Sequence[str], spans: bool) -> Iterator[tuple[list[int], Offsets | None]]:
        """Ids of each text, and offsets if they are needed and the tokenizer gives them."""
        options: dict[str, bool] = {
            "add_special_tokens": self._own,
            "return_attention_mask": False,
            "return_special_tokens_mask": self._own,
            "verbose": False,
        }
        if spans and getattr(self._tokenizer, "is_fast", False):
            options["return_offsets_mapping"] = True
        for text in texts:
            check_text(text)
        for i in range(0, len(texts), _BLOCK):
            block = [" " * self._shift + text for text in texts[i : i + _BLOCK]]
            encoded = self._tokenizer(block, **options)
            offsets = encoded.get("offset_mapping") or [None] * len(block)
            if self._own and spans:
                masks = encoded["special_tokens_mask"]
                offsets = [_without(*both) for both in zip(offsets, masks, strict=True)]
            yield from zip(encoded["input_ids"], offsets, strict=True)

    def _tokens(self, request: Request, ids: list[int], offsets: Offsets | None) -> Tokens:
        part = part_of(request)
        length = len(part.encode())
        if not part.strip():
            return Tokens((), (), length, "empty")
        if self._refuse and self._lacks(request.text, ids, offsets):
            return Tokens((), (), length, "missing_token")
        if not ids:
            return Tokens((), (), length, "empty")
        before = () if tuple(ids[:1]) == self._before else self._before
        after = () if request.end is not None or tuple(ids[-1:]) == self._after else self._after
        whole = (*before, *ids, *after)
        if request.start == 0 and request.end is None:
            return _cut(whole, range(len(whole)), length)
        places = [len(before) + i for i in self._places(request, ids, offsets)]
        return _cut(whole, [*places, *range(len(before) + len(ids), len(whole))], length)

    def _lacks(self, text: str, ids: list[int], offsets: Offsets | None) -> bool:
        """Whether a part of the text is outside the vocabulary."""
        unknown = self._tokenizer.unk_token_id
        if unknown is not None and unknown in ids and self._tokenizer.unk_token not in text:
            return True
        return offsets is not None and drops(" " * self._shift + text, offsets)

    def _places(self, request: Request, ids: list[int], offsets: Offsets | None) -> tuple[int, ...]:
        """Positions in ``ids`` of the tokens that count."""
        text = " " * self._shift + request.text
        if offsets is None and not self._own:
            offsets = offsets_by_decoding(self._decode, ids, text)
        if offsets is None:
            raise InputError(
                f"{self._name}: its tokenizer does not report where its tokens are in {shown(request.text)}, and "
                "decoding does not restore the text; use a fast tokenizer (tokenizer.json), or the method 'full'"
            )
        # A request that begins with the text includes what the tokenizer put before the first word, and the added
        # space.
        start = request.start + self._shift if request.start else 0
        end = len(text) if request.end is None else request.end + self._shift
        return counting(text, offsets, start, end)

    def _decode(self, ids: Sequence[int]) -> str:
        text: str = self._tokenizer.decode(list(ids), skip_special_tokens=False, clean_up_tokenization_spaces=False)
        return text


def _without(offsets: Offsets | None, special: Sequence[int]) -> Offsets | None:
    """Offsets, with (-1, -1) for the tokens that the tokenizer added."""
    if offsets is None:
        return None
    return [(-1, -1) if added else span for span, added in zip(offsets, special, strict=True)]


def _cut(ids: tuple[int, ...], counted: Iterable[int], length: int) -> Tokens:
    """Drop the tokens after the last one that counts, and do not count one without context."""
    kept = tuple(i for i in counted if i > 0)
    return Tokens(ids[: kept[-1] + 1], kept, length) if kept else Tokens((), (), length, "empty")


def first_token(tokenizer: Any, rule: str, name: str) -> int:
    """The token before a text.

    Args:
        tokenizer: of transformers.
        rule: ``auto``, ``declared``, ``eos`` or a token's text; see `Preset.bos`.
        name: of the model, for messages.
    """
    bos, eos = tokenizer.bos_token_id, tokenizer.eos_token_id
    declared = {"auto": bos, "declared": eos if bos is None else bos, "eos": eos}
    if rule not in declared:
        return _named(tokenizer, rule, "bos", name)
    found = declared[rule]
    if found is None:
        raise InputError(
            f"{name}: the tokenizer declares no {'end' if rule == 'eos' else 'beginning'}-of-sentence token "
            f"(setting bos: {rule!r}); name one as bos (--bos), such as one of {_specials(tokenizer)}, or score "
            "without one: bos 'none' and score_first False (--bos none --no-score-first)"
        )
    return _between_documents(tokenizer, found) if rule == "auto" else int(found)


def last_token(tokenizer: Any, rule: str, name: str) -> int:
    """The token after a text: ``auto`` or a token's text; see `Preset.eos`."""
    if rule != "auto":
        return _named(tokenizer, rule, "eos", name)
    if tokenizer.eos_token_id is None:
        raise InputError(
            f"{name}: the tokenizer declares no end-of-sentence token; name one as eos (--eos), such as one of "
            f"{_specials(tokenizer)}, or do not score it: score_eos False (--no-score-eos)"
        )
    return _between_documents(tokenizer, tokenizer.eos_token_id)


def _between_documents(tokenizer: Any, token: int) -> int:
    """The token itself, or for a chat mark the one between documents, if the vocabulary has it."""
    better = CHAT_MARKS.get(tokenizer.convert_ids_to_tokens(token))
    return int(tokenizer.get_vocab().get(better, token))


def _named(tokenizer: Any, text: str, setting: str, name: str) -> int:
    found = tokenizer.get_vocab().get(text)
    if found is None:
        raise InputError(
            f"{name}: setting {setting}: the vocabulary has no token {shown(text)}; its special tokens are "
            f"{_specials(tokenizer)}"
        )
    return int(found)


def _specials(tokenizer: Any) -> str:
    """Some special tokens, for messages."""
    tokens = [str(token) for token in dict.fromkeys(tokenizer.all_special_tokens)]
    return ", ".join(tokens[:8]) or "(none)"
