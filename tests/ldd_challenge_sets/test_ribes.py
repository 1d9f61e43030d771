"""RIBES: values of the original program, a literal oracle, and exactly where NLTK's version differs."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dibimt_metric.errors import InputError
from ldd_challenge_sets.scoring.ribes import corpus_ribes, rank_list, sentence_ribes

# Few different words, so that most of them need context.
WORDS = st.lists(st.sampled_from("abc"), max_size=9)
SEVERAL = st.lists(st.sampled_from("abcdef"), min_size=1, max_size=9)


def score(reference: str, hypothesis: str) -> float:
    return sentence_ribes(hypothesis.split(), [reference.split()])


# Values of the original program


@pytest.mark.parametrize(
    ("reference", "hypothesis", "expected"),
    [
        ("a", "a", 1.0),
        ("hello", "hello world", 0.8409),
        ("the the the", "the the the", 0.9036),
        ("a b c", "", 0.0),
        ("John hit Bob yesterday", "Bob hit John yesterday", 0.5),
    ],
)
def test_values_of_the_original_program(reference: str, hypothesis: str, expected: float) -> None:
    assert score(reference, hypothesis) == pytest.approx(expected, abs=5e-5)


# Values by hand


def test_one_word_of_two_in_a_one_word_reference() -> None:
    assert score("hello", "hello world") == (1 / 2) ** 0.25  # NKT = 1, BP = 1


def test_repeated_word_in_the_middle_is_dropped() -> None:
    # From the first word `the the the` is unique to the right, from the last one to the left; the middle one has no
    # context of its own: two words of three.
    assert rank_list(["the"] * 3, ["the"] * 3) == [0, 2]
    assert score("the the the", "the the the") == (2 / 3) ** 0.25


def test_order() -> None:
    # Ranks 2 1 0 3: of six pairs (2, 3), (1, 3) and (0, 3) ascend.
    assert score("John hit Bob yesterday", "Bob hit John yesterday") == 3 / 6


def test_short_translation_is_penalized() -> None:
    assert score("a b c d", "a b") == pytest.approx(math.exp(1 - 4 / 2) ** 0.10, rel=1e-15)


def test_long_translation_loses_precision_only() -> None:
    assert score("a b", "a b c d") == (2 / 4) ** 0.25


def test_reversed_words_have_no_ascending_pair() -> None:
    assert score("a b c d", "d c b a") == 0.0


def test_one_shared_word_is_no_order() -> None:
    assert score("a b", "a c") == 0.0


def test_no_shared_word() -> None:
    assert score("a b", "c d") == 0.0


def test_permutation_of_the_paper() -> None:
    # Section 3.1: the source order of every sentence of 18 words.
    sigma = [11, 5, 9, 15, 8, 14, 10, 1, 3, 16, 12, 2, 0, 6, 17, 4, 13, 7]
    words = [f"w{position}" for position in range(18)]
    # For each word the later ones that are larger.
    ascending = 6 + 11 + 7 + 2 + 6 + 2 + 4 + 9 + 7 + 1 + 2 + 5 + 5 + 3 + 0 + 2 + 0 + 0
    assert sentence_ribes([words[position] for position in sigma], [words]) == ascending / (18 * 17 / 2)


def test_left_context_comes_first() -> None:
    # `a` stands twice in the reference; both `x a` and `a y` are unique in both and point to different places.
    assert rank_list("x a y".split(), "x a z a y".split()) == [0, 1, 4]


def test_shorter_right_context_comes_before_a_longer_left_one() -> None:
    # The word before is not in the reference, so that only `a y` points to a place.
    assert rank_list("q a y".split(), "x a z a y".split()) == [3, 4]


def test_equal_ranks_do_not_ascend() -> None:
    # `b a` and `a c` lead both words `a` to the one in the middle of the reference.
    assert rank_list("b a a c".split(), "b a c".split()) == [0, 1, 1, 2]
    assert score("b a c", "b a a c") == 5 / 6


# Options


def test_case_is_ignored_unless_it_is_asked_for() -> None:
    assert score("The dog sleeps", "the DOG sleeps") == 1.0
    case = sentence_ribes("the dog sleeps".split(), ["The dog sleeps".split()], lowercase=False)
    assert case == (2 / 3) ** 0.25


def test_best_reference_counts() -> None:
    references = ["d c b a".split(), "a b c d".split()]
    assert sentence_ribes("a b c d".split(), references) == 1.0


def test_exponents() -> None:
    assert sentence_ribes("a b c d".split(), ["a b".split()], alpha=1) == 2 / 4
    assert sentence_ribes("a b".split(), ["a b c d".split()], beta=0) == 1.0


def test_corpus_is_the_mean_of_sentences() -> None:
    hypotheses = ["a b".split(), [], "b a".split()]
    references = [["a b".split()]] * 3
    assert corpus_ribes(hypotheses, references) == 1 / 3


# Bad input


@pytest.mark.parametrize("references", [[], [[]], [["a"], []], "a b"])
def test_missing_reference_is_an_error(references: Sequence[Sequence[str]]) -> None:
    with pytest.raises(InputError, match="reference"):
        sentence_ribes(["a"], references)


def test_text_that_is_not_split_is_an_error() -> None:
    with pytest.raises(InputError, match="needs tokens, not the text 'a b'"):
        sentence_ribes("a b", [["a", "b"]])
    with pytest.raises(InputError, match="needs tokens"):
        sentence_ribes(["a", "b"], ["a b"])


@pytest.mark.parametrize("value", [-1.0, float("nan")])
def test_exponents_are_not_negative(value: float) -> None:
    with pytest.raises(InputError, match="alpha"):
        sentence_ribes(["a"], [["a"]], alpha=value)
    with pytest.raises(InputError, match="beta"):
        sentence_ribes(["a"], [["a"]], beta=value)


def test_corpus_names_the_sentence() -> None:
    with pytest.raises(InputError, match="sentence 2: a reference has no words"):
        corpus_ribes([["a"], ["a"]], [[["a"]], [[]]])
    with pytest.raises(InputError, match="2 translations and 1 lists"):
        corpus_ribes([["a"], ["a"]], [[["a"]]])
    with pytest.raises(InputError, match="at least one"):
        corpus_ribes([], [])


# Oracle: the definition word for word


def count(ngram: list[str], words: list[str]) -> int:
    return sum(words[at : at + len(ngram)] == ngram for at in range(len(words) - len(ngram) + 1))


def place(ngram: list[str], words: list[str]) -> int:
    return next(at for at in range(len(words)) if words[at : at + len(ngram)] == ngram)


def literal_ranks(hypothesis: list[str], reference: list[str], nltk: bool = False) -> list[int]:
    """The windows tried one by one; ``nltk``: in the order and up to the width of NLTK 3.10.4."""
    n = len(hypothesis)
    ranks = []
    for i, word in enumerate(hypothesis):
        if word not in reference:
            continue
        if hypothesis.count(word) == reference.count(word) == 1:
            ranks.append(reference.index(word))
            continue
        widest = min(max(i, n - i + 1), len(reference)) - 1 if nltk else max(i, n - i)
        for width in range(1, widest + 1):
            left = (hypothesis[i - width : i + 1], width) if width <= i else None
            right = (hypothesis[i : i + width + 1], 0) if i + width < n else None
            tried = (each for each in ((right, left) if nltk else (left, right)) if each)
            unique = [
                place(ngram, reference) + offset
                for ngram, offset in tried
                if count(ngram, reference) == count(ngram, hypothesis) == 1
            ]
            if unique:
                ranks.append(unique[0])
                break
    return ranks


def literal_score(hypothesis: list[str], reference: list[str]) -> float:
    if not hypothesis:
        return 0.0
    ranks = literal_ranks(hypothesis, reference)
    n = len(ranks)
    if n == 1 and len(reference) == 1:
        order = 1.0
    elif n < 2:
        return 0.0
    else:
        order = sum(one < other for one, other in combinations(ranks, 2)) / (n * (n - 1) / 2)
    brevity = min(1.0, math.exp(1.0 - len(reference) / len(hypothesis)))
    precision = n / len(hypothesis)
    return order * math.pow(precision, 0.25) * math.pow(brevity, 0.10)


@given(hypothesis=WORDS, reference=WORDS)
def test_ranks_follow_the_definition(hypothesis: list[str], reference: list[str]) -> None:
    assert rank_list(hypothesis, reference) == literal_ranks(hypothesis, reference)


def perturbed(words: list[str], rng: random.Random) -> list[str]:
    """A few words moved, left out or said twice."""
    changed = list(words)
    for _ in range(rng.randint(0, 4)):
        at, to = rng.randrange(len(changed)), rng.randrange(len(changed))
        kind = rng.choice(("move", "drop", "add"))
        if kind == "add":
            changed.insert(to, rng.choice(words))
        elif len(changed) > 1:
            word = changed.pop(at)
            changed[to:to] = [word] if kind == "move" else []
    return changed


def sentences(number: int, seed: int) -> list[tuple[list[str], list[str]]]:
    """Pairs of a perturbed sentence and the sentence; common words are frequent, as in text."""
    rng = random.Random(seed)
    vocabulary = [f"w{rank}" for rank in range(60)]
    weights = [1 / (rank + 1) for rank in range(60)]
    pairs = []
    for _ in range(number):
        reference = rng.choices(vocabulary, weights, k=rng.randint(1, 30))
        pairs.append((perturbed(reference, rng), reference))
    return pairs


def test_scores_follow_the_definition() -> None:
    for hypothesis, reference in sentences(300, seed=1):
        found = sentence_ribes(hypothesis, [reference])
        assert found == pytest.approx(literal_score(hypothesis, reference), abs=1e-15)


# NLTK


def test_nltk_agrees_but_for_three_named_points() -> None:
    ribes = pytest.importorskip("nltk.translate.ribes_score")
    same = 0
    for hypothesis, reference in sentences(300, seed=2):
        theirs = ribes.word_rank_alignment(reference, hypothesis)
        # 1 and 2: the right context before the left one, and no context that reaches back to the first word.
        assert theirs == literal_ranks(hypothesis, reference, nltk=True)
        ours = rank_list(hypothesis, reference)
        if theirs != ours or len(ours) == len(reference) == 1:  # 3: one word against a one-word reference
            continue
        same += 1
        expected = ribes.sentence_ribes([reference], hypothesis)
        assert sentence_ribes(hypothesis, [reference]) == pytest.approx(expected, abs=1e-12)
    assert same > 200


@pytest.mark.parametrize(("reference", "hypothesis"), [("a", "a"), ("hello", "hello world"), ("t t t", "t t t")])
def test_nltk_gives_nothing_where_the_original_does(reference: str, hypothesis: str) -> None:
    ribes = pytest.importorskip("nltk.translate.ribes_score")
    assert ribes.sentence_ribes([reference.split()], hypothesis.split()) == 0.0 < score(reference, hypothesis)


# Properties


@given(hypothesis=WORDS, reference=SEVERAL)
def test_range(hypothesis: list[str], reference: list[str]) -> None:
    assert 0.0 <= sentence_ribes(hypothesis, [reference]) <= 1.0


@given(words=st.lists(st.integers(), min_size=1, max_size=20, unique=True))
def test_different_words_in_order_score_one(words: list[int]) -> None:
    text = [str(word) for word in words]
    assert sentence_ribes(text, [text]) == 1.0


@given(hypothesis=WORDS, references=st.lists(SEVERAL, min_size=1, max_size=3))
def test_another_reference_never_lowers_the_score(hypothesis: list[str], references: list[list[str]]) -> None:
    assert sentence_ribes(hypothesis, references) >= sentence_ribes(hypothesis, references[:1])


@pytest.mark.parametrize("different", [1, 2, 200])
def test_two_hundred_tokens_take_no_time(different: int) -> None:
    rng = random.Random(0)
    words = [str(rng.randrange(different)) for _ in range(200)]
    start = time.perf_counter()
    sentence_ribes(words, [words[::-1]])
    assert time.perf_counter() - start < 1.0  # 0.05 s where all words are equal, on one slow core
