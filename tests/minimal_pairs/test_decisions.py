"""Requests of the three methods, reductions, decisions."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dibimt_metric.errors import InputError
from minimal_pairs.paradigms import PARADIGMS
from minimal_pairs.records import Method, Pair, Request, TextScore
from minimal_pairs.scoring.decisions import decide, fits, reduce, requests_of, why_not
from minimal_pairs.scoring.presets import PRESETS, preset
from minimal_pairs.scoring.results import Decision

PAIR = Pair(
    "Olga praised herself today.", "Olga praised himself today.", "gender", "7", 7, "gender", "binding", "syntax",
    one_prefix_prefix="Olga praised", one_prefix_word_good="herself", one_prefix_word_bad="himself",
)  # fmt: skip
TWO = Pair(
    "These lamps shine.", "This lamps shine.", "number", "3", 3, "number",
    two_prefix_prefix_good="These", two_prefix_prefix_bad="This", two_prefix_word="lamps",
)  # fmt: skip
PAPER = PRESETS["paper"]


def score(logprob: float | None, tokens: int = 4, length: int = 20, reason: str | None = None) -> TextScore:
    return TextScore(logprob, tokens, length, reason)


# Requests


def test_full_asks_for_both_whole_sentences() -> None:
    # No end: the end of the sentence is scored where the settings say so.
    assert requests_of(PAIR) == (Request(PAIR.sentence_good), Request(PAIR.sentence_bad))
    assert requests_of(PAIR, "full")[0].end is None


def test_one_prefix_asks_for_the_words_behind_the_prefix() -> None:
    good, bad = requests_of(PAIR, Method.ONE_PREFIX)
    assert good == Request("Olga praised herself", 12, 20)
    assert bad == Request("Olga praised himself", 12, 20)
    assert good.text[good.start : good.end] == " herself"


def test_two_prefix_asks_for_the_word_behind_both_prefixes() -> None:
    assert requests_of(TWO, "two-prefix") == (Request("These lamps", 5, 11), Request("This lamps", 4, 10))


@pytest.mark.parametrize("word", [" lamps", "lamps ", "  lamps"])
@pytest.mark.parametrize("prefix", ["These", "These ", " These"])
def test_stray_blanks_leave_one_blank(word: str, prefix: str) -> None:
    stray = replace(TWO, two_prefix_word=word, two_prefix_prefix_good=prefix)
    assert requests_of(stray, "two-prefix") == requests_of(TWO, "two-prefix")


def test_the_end_of_a_prefix_request_is_given_so_that_no_sentence_end_counts() -> None:
    for pair, method in ((PAIR, "one-prefix"), (TWO, "two-prefix")):
        for request in requests_of(pair, method):
            assert request.end == len(request.text)


@pytest.mark.parametrize(("pair", "method"), [(TWO, "one-prefix"), (PAIR, "two-prefix")])
def test_a_pair_without_the_fields_is_an_error_that_names_the_twenty_paradigms(pair: Pair, method: str) -> None:
    assert not fits(pair, method)
    with pytest.raises(InputError) as caught:
        requests_of(pair, method)
    message = str(caught.value)
    named = [paradigm.name for paradigm in PARADIGMS if Method(method) in paradigm.methods]
    assert len(named) == 20
    assert ", ".join(named) in message
    assert f"pair {pair.pair_id} of paradigm '{pair.paradigm}'" in message
    assert "the 20 paradigms" in message


def test_a_blank_field_is_a_missing_one() -> None:
    blank = replace(PAIR, one_prefix_word_bad="  ")
    assert not fits(blank, "one-prefix")
    with pytest.raises(InputError, match="has no one_prefix_word_bad, which"):
        requests_of(blank, "one-prefix")


def test_unknown_method() -> None:
    with pytest.raises(InputError, match="method 'three-prefix' is unknown; choose one of 'full'"):
        requests_of(PAIR, "three-prefix")


# The span is one of the text, not of the word


class Toy:
    """A subword model written for this test: longest piece first, a log-probability for each piece.

    ``_`` stands for a blank and belongs to the piece behind it, as with most tokenizers. " herself" is one piece and
    "herself" two, so that who takes the pieces of the bare word compares other numbers.
    """

    PIECES = (
        "_praised",
        "_herself",
        "_him",
        "self",
        "her",
        "him",
        "Olga",
        "_",
        *"abcdefghijklmnopqrstuvwxyzO",
    )
    LOGPROBS = {"_herself": -3.0, "_him": -2.0, "self": -2.0, "her": -4.0, "him": -1.0}

    def pieces(self, text: str) -> Iterator[tuple[str, int, int]]:
        rest = text.replace(" ", "_")
        at = 0
        while at < len(rest):
            piece = max((p for p in self.PIECES if rest.startswith(p, at)), key=len)
            yield piece, at, at + len(piece)
            at += len(piece)

    def score(self, request: Request) -> TextScore:
        end = len(request.text) if request.end is None else request.end
        inside = [p for p, low, high in self.pieces(request.text) if low < end and high > request.start]
        return score(math.fsum(self.LOGPROBS.get(piece, -9.0) for piece in inside), len(inside), end - request.start)


def test_the_span_is_not_that_of_the_bare_words_tokens() -> None:
    toy = Toy()
    good, bad = (toy.score(request) for request in requests_of(PAIR, "one-prefix"))
    # In the text: "_herself" alone; "_him" "self".
    assert (good.tokens, good.logprob) == (1, -3.0)
    assert (bad.tokens, bad.logprob) == (2, -4.0)
    assert decide(PAIR, good, bad, PAPER).decision is Decision.RIGHT
    # On its own: "her" "self" and "him" "self": other token counts, and the other decision.
    bare = [toy.score(Request(word)) for word in ("herself", "himself")]
    assert [each.tokens for each in bare] == [2, 2]
    assert decide(PAIR, bare[0], bare[1], PAPER).decision is Decision.WRONG
    # As many tokens from the end of the text as the bare word has: one too many, which is of the prefix.
    assert [piece for piece, _, _ in toy.pieces("Olga praised herself")][-2:] == ["_praised", "_herself"]


def test_a_blank_that_is_a_token_of_its_own_counts() -> None:
    class Apart(Toy):
        PIECES = ("_herself", "himself", "_praised", "Olga", "_")
        LOGPROBS = {"_herself": -3.0, "_": -2.0, "himself": -2.0}

    good, bad = (Apart().score(request) for request in requests_of(PAIR, "one-prefix"))
    # Without its blank "himself" would have -2 and win against "_herself", whose blank counts in any case.
    assert (good.logprob, bad.logprob) == (-3.0, -4.0)


# Reductions


@pytest.mark.parametrize(("reduction", "expected"), [("sum", -6.0), ("mean", -6 / 4), ("bytes", -6 / 20)])
def test_reductions(reduction: str, expected: float) -> None:
    assert reduce(score(-6.0), reduction) == expected
    assert why_not(score(-6.0), reduction) is None


@pytest.mark.parametrize(
    ("answer", "reduction", "reason"),
    [
        (score(None, 0, 0, "too_long"), "sum", "too_long"),
        (score(None, 0, 0), "sum", "no_score"),
        (score(math.nan), "sum", "not_finite"),
        (score(-math.inf), "mean", "not_finite"),
        (score(0.0, tokens=0), "mean", "empty"),
        (score(0.0, length=0), "bytes", "empty"),
    ],
)
def test_no_number(answer: TextScore, reduction: str, reason: str) -> None:
    assert reduce(answer, reduction) is None
    assert why_not(answer, reduction) == reason


def test_a_sum_needs_no_tokens() -> None:
    assert reduce(score(-1.0, tokens=0, length=0)) == -1.0


def test_unknown_reduction() -> None:
    with pytest.raises(InputError, match="reduction 'median' is unknown"):
        reduce(score(-1.0), "median")


# Decisions


@pytest.mark.parametrize(
    ("good", "bad", "expected"),
    [
        (-5.0, -6.0, Decision.RIGHT),
        (-6.0, -5.0, Decision.WRONG),
        (-5.0, -5.0, Decision.TIE),
        (0.0, -0.0, Decision.TIE),
        # One step of a float is a difference: there is no tolerance.
        (math.nextafter(-5.0, 0.0), -5.0, Decision.RIGHT),
    ],
)
def test_decisions(good: float, bad: float, expected: Decision) -> None:
    outcome = decide(PAIR, score(good), score(bad), PAPER)
    assert (outcome.decision, outcome.good, outcome.bad, outcome.reason) == (expected, good, bad, None)


def test_the_rule_for_ties_changes_no_decision() -> None:
    for ties in ("wrong", "right", "half"):
        outcome = decide(PAIR, score(-5.0), score(-5.0), preset("paper", ties=ties))
        assert outcome.decision is Decision.TIE


def test_mean_and_sum_can_decide_otherwise() -> None:
    good, bad = score(-6.0, tokens=3), score(-5.0, tokens=2)  # -2 against -2.5 for each token
    assert decide(PAIR, good, bad, PAPER).decision is Decision.WRONG
    assert decide(PAIR, good, bad, preset("minicons")).decision is Decision.RIGHT


def test_an_outcome_names_the_pair_and_both_lengths() -> None:
    pair = replace(PAIR, sentence_bad="Olga  praised himself all day long.")
    outcome = decide(pair, score(-5.0, 6), score(-7.0, 9), PAPER)
    assert (outcome.paradigm, outcome.pair_id, outcome.phenomenon, outcome.field) == (
        "gender",
        7,
        "binding",
        "syntax",
    )
    assert (outcome.good_words, outcome.bad_words) == (4, 6)
    assert (outcome.good_tokens, outcome.bad_tokens) == (6, 9)


@pytest.mark.parametrize(
    ("good", "bad", "reason"),
    [
        (score(None, 0, 0, "too_long"), score(-5.0), "good: too_long"),
        (score(-5.0), score(math.nan), "bad: not_finite"),
        (score(None, 0, 0, "empty"), score(None, 0, 0, "empty"), "both: empty"),
        (score(None, 0, 0, "empty"), score(None, 0, 0, "too_long"), "good: empty, bad: too_long"),
    ],
)
def test_a_missing_score_is_no_decision(good: TextScore, bad: TextScore, reason: str) -> None:
    outcome = decide(PAIR, good, bad, PAPER)
    assert (outcome.decision, outcome.reason) == (Decision.UNSCORED, reason)
    assert outcome.good is None or outcome.bad is None


FINITE = st.floats(allow_nan=False, allow_infinity=False, max_value=0.0)


@given(FINITE, FINITE)
def test_changing_sides_changes_the_decision(good: float, bad: float) -> None:
    mirror = {Decision.RIGHT: Decision.WRONG, Decision.WRONG: Decision.RIGHT, Decision.TIE: Decision.TIE}
    one, other = decide(PAIR, score(good), score(bad), PAPER), decide(PAIR, score(bad), score(good), PAPER)
    assert mirror[one.decision] is other.decision


# The released data


def rows(test_data: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    for paradigm in PARADIGMS:
        path = test_data / "blimp" / f"{paradigm.name}.jsonl"
        for line in path.read_text(encoding="utf-8").splitlines():
            yield paradigm.name, json.loads(line)


def as_pair(name: str, row: dict[str, Any]) -> Pair:
    prefix = {key: value for key, value in row.items() if key.startswith(("one_prefix_", "two_prefix_"))}
    fields = {key: value for key, value in prefix.items() if not key.endswith("_method")}
    return Pair(row["sentence_good"], row["sentence_bad"], name, row["pairID"], int(row["pairID"]), name, **fields)


def test_prefix_requests_of_the_released_data(test_data: Path) -> None:
    counts = {"one-prefix": 0, "two-prefix": 0}
    stray = 0
    for name, row in rows(test_data):
        pair = as_pair(name, row)
        for method in counts:
            if fits(pair, method):
                counts[method] += 1
                good, bad = requests_of(pair, method)
                # Each text begins its sentence: so it has one blank and no word is lost.
                assert pair.sentence_good.startswith(good.text)
                assert pair.sentence_bad.startswith(bad.text)
        stray += (pair.two_prefix_word or "x").startswith(" ")
    assert counts == {"one-prefix": 20_000, "two-prefix": 20_000}
    assert stray == 747 + 387
