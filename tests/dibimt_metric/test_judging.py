"""From matches to a label: longest matches, the four labels, the sense that a BAD translation shows."""

from __future__ import annotations

import time
from collections.abc import Mapping
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dibimt_metric.analysis import Analysis, Annotation, Token, Word
from dibimt_metric.judge import Judge, chosen_frequency_index, label, longest
from dibimt_metric.matcher import Matcher, SizedMatch
from dibimt_metric.records import Candidate, CandidateSet, Item, Label, Match
from dibimt_metric.rules import LanguageRules
from dibimt_metric.score_measures import Ties

GOOD, BAD = CandidateSet.GOOD, CandidateSet.BAD
PLAIN = LanguageRules(code="xx", version=1)


class Toy:
    """Words between spaces; some are fused tokens, some have a lemma, some pieces are glued together."""

    version = "1"
    annotations = frozenset({Annotation.LEMMAS})
    lexicon = None

    def __init__(
        self,
        name: str = "toy",
        fused: Mapping[str, tuple[str, ...]] | None = None,
        lemmas: dict[str, str] | None = None,
    ) -> None:
        self.name = name
        self._fused = fused or {}
        self._lemmas = lemmas or {}

    def analyze(self, text: str) -> Analysis:
        words: list[Word] = []
        tokens: list[Token] = []
        position = 0
        for form in text.split():
            start = text.index(form, position)
            position = start + len(form)
            parts = self._fused.get(form, (form,))
            first = len(words)
            words += [Word(part, start, position, self._lemma(part)) for part in parts]
            if len(parts) > 1:
                tokens.append(Token(form, start, position, first, len(words), self._lemma(form)))
        return Analysis(text, text, self.name, tuple(words), tuple(tokens), self.annotations)

    def _lemma(self, form: str) -> tuple[str, ...]:
        return (self._lemmas[form],) if form in self._lemmas else ()


def _item(good: list[str], bad: list[str]) -> Item:
    return Item("1", good=tuple(map(Candidate, good)), bad=tuple(map(Candidate, bad)))


def _judge(item: Item, text: str, *analyzers: Toy) -> tuple[list[Match], list[Match]]:
    matches: list[SizedMatch] = []
    for analyzer in analyzers or (Toy(),):
        found, _ = Matcher(PLAIN, frozenset(), analyzer).match(item, analyzer.analyze(text))
        matches += found
    kept, dropped = longest(matches)
    return kept, [entry.match for entry in dropped]


# good, bad, text, label, texts of the kept matches, candidates dropped
LONGEST = [
    (["a"], [], "x a", Label.GOOD, "a", ""),
    ([], ["a"], "x a", Label.BAD, "a", ""),
    (["a"], ["b"], "x", Label.MISS, "", ""),
    (["a"], ["b"], "", Label.MISS, "", ""),
    (["a"], ["b"], "b x a", Label.UNK, "b|a", ""),
    (["a b"], ["b"], "a b", Label.GOOD, "a b", "b"),
    (["b"], ["a b"], "a b", Label.BAD, "a b", "b"),
    (["a b"], ["b"], "a b b", Label.UNK, "a b|b", "b"),
    (["a b"], ["b c"], "a b c", Label.UNK, "a b|b c", ""),
    (["a b c"], ["a b", "b c"], "a b c", Label.GOOD, "a b c", "a b|b c"),
    (["a * c"], ["c"], "a x c", Label.GOOD, "a x c", "c"),
    (["a * c"], ["x"], "a x c", Label.UNK, "a x c|x", ""),
    (["a * c"], ["a x"], "a x c", Label.UNK, "a x|a x c", ""),
    (["a * c"], ["a x c"], "a x c", Label.BAD, "a x c", "a * c"),
    (["a * c"], ["a * x * c"], "a x c", Label.BAD, "a x c", "a * c"),
    (["a * c"], ["b * d"], "a b c d", Label.UNK, "a b c|b c d", ""),
    (["a"], ["a"], "a", Label.UNK, "a|a", ""),
    (["a"], ["A"], "a", Label.UNK, "a|a", ""),
    (["a a"], ["a"], "a a a", Label.GOOD, "a a|a a", "a|a|a"),
    (["a", "a"], [], "a", Label.GOOD, "a|a", ""),
]


@pytest.mark.parametrize(("good", "bad", "text", "expected", "kept_texts", "dropped_candidates"), LONGEST)
def test_longest_match(
    good: list[str], bad: list[str], text: str, expected: Label, kept_texts: str, dropped_candidates: str
) -> None:
    kept, dropped = _judge(_item(good, bad), text)
    assert label(kept) is expected
    assert "|".join(match.text for match in kept) == kept_texts
    assert "|".join(match.candidate for match in dropped) == dropped_candidates


ZUM = {"zum": ("zu", "dem")}
# good, bad, text, label, candidates kept
FUSED = [
    (["zum"], ["zu"], "bis zum", Label.GOOD, "zum"),
    (["zu"], ["dem"], "bis zum", Label.UNK, "dem|zu"),
    (["zum"], ["zu dem"], "bis zum", Label.UNK, "zu dem|zum"),
    (["bis zu"], ["zum"], "bis zum", Label.UNK, "bis zu|zum"),
    (["bis zu"], ["zu"], "bis zum", Label.GOOD, "bis zu"),
    (["bis zum"], ["zu dem"], "bis zum", Label.GOOD, "bis zum"),
    (["dem Ufer"], ["zum"], "zum Ufer", Label.UNK, "dem Ufer|zum"),
    (["dem Ufer"], ["dem"], "zum Ufer", Label.GOOD, "dem Ufer"),
]


@pytest.mark.parametrize(("good", "bad", "text", "expected", "candidates"), FUSED)
def test_words_of_a_fused_token(good: list[str], bad: list[str], text: str, expected: Label, candidates: str) -> None:
    kept, _ = _judge(_item(good, bad), text, Toy(fused=ZUM))
    assert label(kept) is expected
    assert "|".join(sorted(match.candidate for match in kept)) == candidates
    assert all(text[m.start : m.end] == m.text and m.spans[0][0] == m.start for m in kept)


WHOLE, PARTS = Toy("whole"), Toy("parts", {"U-Bahn": ("U", "Bahn")})
# good, bad, text, analyzers, label
UNION = [
    (["a"], ["b"], "x", (Toy("1", lemmas={"x": "a"}), Toy("2", lemmas={"x": "b"})), Label.UNK),
    (["a"], ["b"], "x", (Toy("1", lemmas={"x": "a"}), Toy("2")), Label.GOOD),
    (["a"], ["b"], "x", (Toy("1"), Toy("2", lemmas={"x": "b"})), Label.BAD),
    (["a"], ["y b"], "y x", (Toy("1", lemmas={"x": "a"}), Toy("2", lemmas={"x": "b"})), Label.BAD),
    (["U-Bahn"], ["Bahn"], "U-Bahn", (WHOLE, PARTS), Label.GOOD),
    (["Bahn"], ["U-Bahn"], "U-Bahn", (WHOLE, PARTS), Label.BAD),
    (["zum"], ["zu"], "zum", (Toy("1"), Toy("2", ZUM)), Label.GOOD),
]


@pytest.mark.parametrize(("good", "bad", "text", "analyzers", "expected"), UNION)
def test_union_of_analyzers(
    good: list[str], bad: list[str], text: str, analyzers: tuple[Toy, ...], expected: Label
) -> None:
    for order in (analyzers, analyzers[::-1]):
        kept, _ = _judge(_item(good, bad), text, *order)
        assert label(kept) is expected


def test_one_word_of_one_analyzer_and_two_of_another_are_equally_long() -> None:
    one = Toy("1", lemmas={"U-Bahn": "metro"})
    two = Toy("2", {"U-Bahn": ("U", "Bahn")}, {"U-Bahn": "train"})
    kept, dropped = _judge(_item(["metro"], ["train"]), "die U-Bahn", one, two)
    assert (label(kept), dropped) == (Label.UNK, [])


class Hyphens(Toy):
    """``U-Bahn`` as two words with the hyphen between them, as the builtin analyzers have it."""

    def analyze(self, text: str) -> Analysis:
        words = (Word("U", 4, 5), Word("Bahn", 6, 10))
        token = Token("U-Bahn", 4, 10, 0, 2, self._lemma("U-Bahn"))
        return Analysis(text, text, self.name, words, (token,), self.annotations)


def test_the_hyphen_between_two_words_counts_as_in_one() -> None:
    one, two = Toy("1", lemmas={"U-Bahn": "a"}), Hyphens("2", lemmas={"U-Bahn": "b"})
    for analyzers in ((one, two), (two, one)):
        matches = [each for analyzer in analyzers for each in _matches(analyzer, "die U-Bahn")]
        kept, dropped = longest(matches)
        assert (label(kept), dropped) == (Label.UNK, [])


def test_a_glued_period_makes_no_word_longer() -> None:
    class Apart(Toy):
        def analyze(self, text: str) -> Analysis:
            words = (Word("мост", 0, 4, ("b",)), Word(".", 4, 5))
            return Analysis(text, text, self.name, words, (), self.annotations)

    class Glued(Toy):
        def analyze(self, text: str) -> Analysis:
            return Analysis(text, text, self.name, (Word("мост.", 0, 5, ("a",)),), (), self.annotations)

    for analyzers in ((Apart("1"), Glued("2")), (Glued("2"), Apart("1"))):
        matches = [h for a in analyzers for h in _matches(a, "мост.")]
        assert label(longest(matches)[0]) is Label.UNK


def _matches(analyzer: Toy, text: str) -> list[SizedMatch]:
    item = Item("1", good=(Candidate("a"),), bad=(Candidate("b"),))
    candidates = Toy(analyzer.name)
    return Matcher(PLAIN, frozenset(), candidates).match(item, analyzer.analyze(text))[0]


GLUED = ["мост.", '"мост', '"мост".', "(мост)", "мост,", "¿мост?", "_мост_", "*мост*", "мост..."]


@pytest.mark.parametrize("form", GLUED)
def test_punctuation_glued_to_a_word_does_not_hide_it(form: str) -> None:
    kept, _ = _judge(_item(["мост"], ["моста"]), f"старый {form} x")
    assert (label(kept), kept[0].text) == (Label.GOOD, form)
    kept, _ = _judge(_item(["мост"], []), "старый x y", Toy(lemmas={"x": form}))
    assert label(kept) is Label.GOOD


@pytest.mark.parametrize("form", ["мосты", "мост-2", "о'мост", "мост.ру", "мостмост", "-мост"])
def test_longer_words_are_other_words(form: str) -> None:
    assert _judge(_item(["мост"], []), f"старый {form} x") == ([], [])


# The naive judge: positions of words, tried against each other


def _naive_label(good: list[str], bad: list[str], text: str) -> Label:
    found = [
        (side, frozenset(cover))
        for side, candidates in (("good", good), ("bad", bad))
        for candidate in candidates
        for cover in _naive_covers(candidate.split(), text.split())
    ]
    kept = {side for side, cover in found if not any(cover < other for _, other in found)}
    if not kept:
        return Label.MISS
    return Label.UNK if len(kept) == 2 else Label(kept.pop().upper())


def _naive_covers(parts: list[str], words: list[str]) -> list[tuple[int, ...]]:
    """Places of a candidate of one, two or three parts, ``a * b`` among them; the shortest for each end."""
    if "*" not in parts:
        n = len(parts)
        return [tuple(range(i, i + n)) for i in range(len(words) - n + 1) if words[i : i + n] == parts]
    first, _, last = parts
    places: list[tuple[int, ...]] = []
    for j, word in enumerate(words):
        before = [i for i in range(j) if words[i] == first]
        if word == last and before:
            places.append((before[-1], j))
    return places


SMALL_WORDS = st.sampled_from(["a", "b", "c"])
SMALL_CANDIDATES = st.lists(
    SMALL_WORDS
    | st.tuples(SMALL_WORDS, SMALL_WORDS).map(" ".join)
    | st.tuples(SMALL_WORDS, SMALL_WORDS).map(" * ".join)
    | st.tuples(SMALL_WORDS, SMALL_WORDS, SMALL_WORDS).map(" ".join),
    max_size=3,
)


@settings(max_examples=250)
@given(SMALL_CANDIDATES, SMALL_CANDIDATES, st.lists(SMALL_WORDS | st.just("x"), max_size=8).map(" ".join))
def test_the_naive_judge_agrees(good: list[str], bad: list[str], text: str) -> None:
    kept, _ = _judge(_item(good, bad), text)
    assert label(kept) is _naive_label(good, bad, text)


# Matches made by hand


def _sized(side: CandidateSet, candidate: str, *stretches: tuple[float, float]) -> SizedMatch:
    start, end = int(stretches[0][0]), int(stretches[-1][1])
    match = Match(side, candidate, "lemma", start, end, "", ((start, end),), "x")
    return SizedMatch(match, stretches, sum(stop - begin for begin, stop in stretches))


# stretches of two matches, whether the first is inside the second
STRETCHES = [
    ([(0, 3)], [(0, 4)], True),
    ([(0, 4)], [(0, 4)], False),
    ([(0, 4)], [(0, 3)], False),
    ([(1, 3)], [(0, 3)], True),
    ([(0, 3)], [(1, 9)], False),
    ([(0, 3)], [(0, 3), (5, 9)], True),
    ([(5, 9)], [(0, 3), (5, 9)], True),
    ([(3, 5)], [(0, 3), (5, 9)], False),
    ([(0, 3), (5, 9)], [(0, 9)], True),
    ([(0, 3), (5, 9)], [(0, 3), (5, 9)], False),
    ([(0, 3), (5, 9)], [(0, 3), (4, 9)], True),
    ([(0, 1.5)], [(0, 1.5000001), (2, 3)], True),
    ([(0, 1.0000001)], [(0, 1)], False),
    ([(300, 310)], [(0, 10), (300, 310)], True),
    ([(0, 10), (300, 310)], [(0, 10), (200, 210), (300, 310)], True),
    ([(0, 10), (300, 310)], [(0, 20), (400, 410)], False),
    ([(60, 70)], [(0, 1000)], True),
]


@pytest.mark.parametrize(("shorter", "longer", "inside"), STRETCHES)
@pytest.mark.parametrize("sides", list(product((GOOD, BAD), repeat=2)))
def test_containment(
    shorter: list[tuple[float, float]],
    longer: list[tuple[float, float]],
    inside: bool,
    sides: tuple[CandidateSet, CandidateSet],
) -> None:
    matches = [_sized(sides[0], "s", *shorter), _sized(sides[1], "l", *longer)]
    for order in (matches, matches[::-1]):
        kept, dropped = longest(order)
        assert ("s" in [d.match.candidate for d in dropped]) is inside
        assert len(kept) + len(dropped) == 2
        if inside:
            assert dropped[0].reason == "inside the longer match 'l'"


def test_kept_matches_are_in_the_order_of_the_text() -> None:
    matches = [
        _sized(BAD, "z", (5, 6)),
        _sized(GOOD, "b", (0, 2)),
        _sized(BAD, "a", (0, 2)),
        _sized(GOOD, "a", (0, 2)),
    ]
    assert [(m.start, m.set.value, m.candidate) for m in longest(matches)[0]] == [
        (0, "bad", "a"),
        (0, "good", "a"),
        (0, "good", "b"),
        (5, "bad", "z"),
    ]


def test_very_many_matches_take_no_square() -> None:
    matches = [_sized(GOOD, "l", (i * 6, i * 6 + 5)) for i in range(50_000)]
    matches += [_sized(BAD, "s", (i * 6, i * 6 + 2)) for i in range(50_000)]
    long = [_sized(GOOD, "p", *((k * 6.0, k * 6.0 + 3) for k in range(20_000)))]
    start = time.process_time()
    kept, dropped = longest(matches + long)
    assert time.process_time() - start < 10
    assert (len(kept), len(dropped)) == (50_001, 50_000)


LABELS = [
    ([], Label.MISS),
    ([GOOD], Label.GOOD),
    ([BAD], Label.BAD),
    ([GOOD, GOOD], Label.GOOD),
    ([BAD, BAD], Label.BAD),
    ([GOOD, BAD], Label.UNK),
    ([BAD, GOOD, BAD], Label.UNK),
]


@pytest.mark.parametrize(("sides", "expected"), LABELS)
def test_label(sides: list[CandidateSet], expected: Label) -> None:
    assert label([_sized(side, "x", (0, 1)).match for side in sides]) is expected


# The sense that a BAD translation shows


def _ranked(lemma: str, *ranks: int | None) -> Candidate:
    return Candidate(lemma, None, tuple(f"s{i}" for i in range(len(ranks))), ranks)


# ranks of the BAD candidates x and y, those found, most frequent, strict
RANKS: list[tuple[tuple[int | None, ...], tuple[int | None, ...], str, int | None, int | None]] = [
    ((), (), "x", None, None),
    ((3,), (), "x", 3, 3),
    ((3,), (2,), "x", 3, 3),
    ((3,), (2,), "xy", 2, None),
    ((3,), (3,), "xy", 3, 3),
    ((3, 1), (), "x", 1, None),
    ((None,), (), "x", None, None),
    ((None, 4), (), "x", 4, 4),
    ((None,), (2,), "xy", 2, 2),
    ((3,), (), "", None, None),
    ((3,), (2,), "y", 2, 2),
]


@pytest.mark.parametrize(("x", "y", "found", "frequent", "strict"), RANKS)
def test_chosen_frequency_index(
    x: tuple[int | None, ...], y: tuple[int | None, ...], found: str, frequent: int | None, strict: int | None
) -> None:
    item = Item("1", bad=(_ranked("x", *x), _ranked("y", *y)))
    matches = [_sized(BAD, candidate, (0, 1)).match for candidate in found]
    assert chosen_frequency_index(item, matches) == frequent
    assert chosen_frequency_index(item, matches, Ties.MOST_FREQUENT) == frequent
    assert chosen_frequency_index(item, matches, Ties.STRICT) == strict


def test_the_right_sense_is_not_chosen() -> None:
    item = Item("1", frequency_index=1, bad=(_ranked("x", 1, 4),))
    assert chosen_frequency_index(item, [_sized(BAD, "x", (0, 1)).match], Ties.STRICT) == 4


def test_good_matches_show_no_wrong_sense() -> None:
    item = Item("1", good=(_ranked("x", 1),), bad=(_ranked("y", 2),))
    assert chosen_frequency_index(item, [_sized(GOOD, "x", (0, 1)).match]) is None


def test_the_same_lemma_twice_has_the_senses_of_both() -> None:
    item = Item("1", bad=(_ranked("x", 3), _ranked("x", 2)))
    assert chosen_frequency_index(item, [_sized(BAD, "x", (0, 1)).match]) == 2


@pytest.mark.parametrize(("ties", "expected"), [("most_frequent", 2), ("strict", None)])
def test_ties_in_a_judgment(ties: str, expected: int | None) -> None:
    item = Item("1", good=(Candidate("Ufer"),), bad=(_ranked("Bank", 2), _ranked("Haus", 5)))
    judge = Judge("de", ties=ties)
    assert judge.judge(item, "Bank und Haus").chosen_frequency_index == expected
    assert judge.judge(item, "das Haus").chosen_frequency_index == 5
    assert judge.judge(item, "am Ufer").chosen_frequency_index is None
    assert judge.judge(item, "Haus am Ufer").chosen_frequency_index is None  # UNK shows nothing
    assert judge.judge(item, "nichts").chosen_frequency_index is None
