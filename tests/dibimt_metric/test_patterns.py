"""The fast matcher against naive ones: a text is small enough to try every sequence of its words and tokens."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dibimt_metric.analysis import Analysis, Token, Word
from dibimt_metric.match_patterns import Contiguous, Detached, Ending, Satellite, Segments, Side, runs
from dibimt_metric.match_phrase import Element
from dibimt_metric.match_view import Edge, KeyMaker, View, latest_not_after
from dibimt_metric.rules_words import Reading, WordRules

Cover = tuple[int, ...]
MARKS = ("!", "?")


def _readings(form: str, lemmas: tuple[str, ...], lexicon: object) -> tuple[Reading, ...]:
    """Of a word in capitals the small letter is a reading by rule: what is compared is no language."""
    return (Reading(form.lower() + "x", "spoken"),) if form.isupper() else ()


MAKER = KeyMaker(WordRules(readings=_readings), frozenset({"spoken"}), None)


def _view(words: list[tuple[str, tuple[str, ...]]], fused: tuple[tuple[int, int, str], ...] = ()) -> View:
    """A view of words with lemmas, each two characters apart; ``fused``: first word, last word, form of tokens."""
    made, position = [], 0
    for form, lemmas in words:
        made.append(Word(form, position, position + len(form), lemmas))
        position += len(form) + 1
    tokens = tuple(Token(form, made[a].start, made[b - 1].end, a, b) for a, b, form in fused)
    text = " ".join(form for form, _ in words)
    return View(Analysis(text, text, "x", tuple(made), tokens, frozenset()), MAKER)


def _of(text: str) -> View:
    return _view([(form, ()) for form in text.split()])


def _elements(candidate: str) -> tuple[Element | None, ...]:
    return tuple(None if part == "*" else Element(frozenset(part.split("/"))) for part in candidate.split())


# The naive matcher


def _naive_edges(view: View, element: Element) -> Iterator[tuple[int, int]]:
    units = [(i, i + 1, word.text, word.lemmas) for i, word in enumerate(view.words)]
    units += [(token.first, token.last, token.text, token.lemmas) for token in view.analysis.multiword]
    for first, last, form, lemmas in units:
        keys = {form.casefold(), form.casefold().strip("!") or form}
        if not element.surface_only:
            keys |= {lemma.casefold() for lemma in lemmas} | ({form.lower() + "x"} if form.isupper() else set())
        if keys & element.keys:
            yield first, last


def _same_sentence(view: View, last: int, first: int) -> bool:
    """Whether no mark stands between the word before ``last`` and the word ``first``, both included."""
    if view.words[last - 1].text[-1] in MARKS and len(view.words[last - 1].text) > 1:
        return False
    between = [view.words[i].text for i in range(last, first)]
    return not any(form[-1] in MARKS for form in between) and view.words[first].text not in MARKS


def _naive(view: View, elements: tuple[Element | None, ...]) -> set[Cover]:
    """Every way to lay the elements on words and tokens."""
    covers: set[Cover] | None = None
    gap = False
    for element in elements:
        if element is None:
            gap = True
            continue
        edges = list(_naive_edges(view, element))
        if covers is None:
            covers = {tuple(range(a, b)) for a, b in edges}
        else:
            covers = {
                (*cover, *range(a, b))
                for cover in covers
                for a, b in edges
                if (cover[-1] < a and _same_sentence(view, cover[-1] + 1, a)) or (cover[-1] + 1 == a and not gap)
                if gap or cover[-1] + 1 == a
            }
        gap = False
    return covers or set()


FORMS = st.sampled_from(["a", "b", "c", "A", "b!", "!", "d"])
WORDS = st.lists(st.tuples(FORMS, st.sampled_from([(), ("a",), ("b",), ("c", "a")])), min_size=1, max_size=9)
KEYS = st.sampled_from(["a", "b", "c", "ax", "a/b", "ab", "c/ax", "b!"])


@st.composite
def views(draw: st.DrawFn) -> View:
    words = draw(WORDS)
    cuts = sorted(draw(st.sets(st.integers(0, len(words)), max_size=4)))
    fused = [
        (a, b, draw(st.sampled_from(["ab", "a", "b"])))
        for a, b in zip(cuts, cuts[1:], strict=False)
        if b - a > 1 and draw(st.booleans())
    ]
    return _view(words, tuple(fused))


@settings(max_examples=200)
@given(views(), st.lists(KEYS, min_size=1, max_size=4))
def test_contiguous_candidates_are_found_exactly(view: View, parts: list[str]) -> None:
    elements = _elements(" ".join(parts))
    assert {found.positions for found in Contiguous(elements).find(view)} == _naive(view, elements)


@settings(max_examples=300)
@given(views(), st.lists(KEYS | st.just("*"), min_size=2, max_size=6))
def test_wildcards_give_one_shortest_match_for_each_end(view: View, parts: list[str]) -> None:
    elements = _elements(" ".join(parts))
    fast = {found.positions for found in Contiguous(elements).find(view)}
    naive = _naive(view, elements)
    assert fast <= naive
    for last in {(cover[-1], len(cover)) for cover in naive if elements[-1] is not None}:
        assert any(cover[-1] == last[0] for cover in fast)
    assert {cover[-1] for cover in fast} == {cover[-1] for cover in naive}


@settings(max_examples=200)
@given(views(), st.lists(KEYS, min_size=1, max_size=2), st.lists(KEYS, min_size=1, max_size=2))
def test_the_stretch_of_a_wildcard_is_the_shortest(view: View, before: list[str], after: list[str]) -> None:
    elements = (*_elements(" ".join(before)), None, *_elements(" ".join(after)))
    left, right = _naive(view, elements[: len(before)]), _naive(view, elements[len(before) + 1 :])
    for cover in {found.positions for found in Contiguous(elements).find(view)}:
        tails = [tail for tail in right if cover[-len(tail) :] == tail]
        starts = [tail[0] for tail in tails]
        nearest = max(head[-1] for head in left for start in starts if head[-1] < start)
        assert nearest in cover


@settings(max_examples=150)
@given(views(), st.lists(KEYS, min_size=1, max_size=4), st.booleans())
def test_scanning_and_index_give_the_same_edges(view: View, keys: list[str], surface_only: bool) -> None:
    questions = [frozenset(key.split("/")) for key in keys]
    scanned = [View(view.analysis, MAKER).edges(question, surface_only) for question in questions]
    for i in range(10):
        view.edges(frozenset({f"nothing{i}"}))
    assert [view.edges(question, surface_only) for question in questions] == scanned


@settings(max_examples=200)
@given(views(), st.lists(KEYS, min_size=1, max_size=3))
def test_what_is_found_may_occur(view: View, parts: list[str]) -> None:
    pattern = Contiguous(_elements(" * ".join(parts)))
    assert pattern.may_occur(view.present) or not list(pattern.find(view))


@settings(max_examples=200)
@given(views(), st.lists(KEYS | st.just("*"), min_size=1, max_size=4), st.integers(0, 9), st.integers(0, 9))
def test_runs_within_a_range(view: View, parts: list[str], low: int, high: int) -> None:
    elements = _elements(" ".join(parts))
    inside = {cover for cover in _naive(view, elements) if low <= cover[0] and cover[-1] < high}
    found = {cover for cover, _ in runs(view, elements, low, high)}
    assert found <= inside
    assert {cover[-1] for cover in found} == {cover[-1] for cover in inside}


# candidate, text, covers
FOUND = [
    ("a", "a b a", {(0,), (2,)}),
    ("a b", "a b a b", {(0, 1), (2, 3)}),
    ("a b a", "a b a b a", {(0, 1, 2), (2, 3, 4)}),
    ("a a", "a a a", {(0, 1), (1, 2)}),
    ("a * b", "a b", {(0, 1)}),
    ("a * b", "a x x b", {(0, 3)}),
    ("a * b", "a a x b", {(1, 3)}),
    ("a * b", "a b b", {(0, 1), (0, 2)}),
    ("a * b", "b a", set()),
    ("a * b", "a ! b", set()),
    ("a * b", "a x! b", set()),
    ("a * b", "a, b".replace(",", " ,"), {(0, 2)}),
    ("a * * b", "a b", {(0, 1)}),
    ("a * b * c", "a x b x c", {(0, 2, 4)}),
    ("a * b * c", "a b x b c", {(0, 3, 4)}),
    ("a b * c d", "a x b c d a b x c d", {(5, 6, 8, 9)}),
    ("a/c b", "c b a b", {(0, 1), (2, 3)}),
    ("ax b", "A b", {(0, 1)}),
    ("*", "a", set()),
    ("a", "", set()),
]


@pytest.mark.parametrize(("candidate", "text", "covers"), FOUND)
def test_contiguous(candidate: str, text: str, covers: set[Cover]) -> None:
    assert {found.positions for found in Contiguous(_elements(candidate)).find(_of(text))} == covers


def test_the_rule_that_was_needed_is_named() -> None:
    view = _of("A b a b")
    assert [f.rule for f in Contiguous(_elements("ax b")).find(view)] == ["spoken"]
    assert [f.rule for f in Contiguous(_elements("a b")).find(view)] == ["lemma", "lemma"]
    assert [f.rule for f in Contiguous(_elements("a/ax b"), "own").find(view)] == ["own", "own"]


def test_tokens_and_words_are_matched() -> None:
    view = _view([("b", ()), ("zu", ()), ("dem", ()), ("c", ())], ((1, 3, "zum"),))
    cases = {"zum": (1, 2), "zu": (1,), "b zum c": (0, 1, 2, 3), "zu dem c": (1, 2, 3), "b zu": (0, 1)}
    for candidate, cover in cases.items():
        assert [f.positions for f in Contiguous(_elements(candidate)).find(view)] == [cover]
    assert not list(Contiguous(_elements("zum dem")).find(view))


# Chinese: stretches of segments

SEGMENTS = st.lists(st.sampled_from(["银", "行", "银行", "吃", "饭", "了", "。", "银行家"]), min_size=1, max_size=8)
STRETCHES = st.sampled_from(["银", "银行", "行", "吃饭", "行家", "银行家", "了", "吃"])


def _naive_stretches(view: View, stretch: str) -> set[Cover]:
    forms = [word.text for word in view.words]
    borders = [(i, j) for i in range(len(forms)) for j in range(i + 1, len(forms) + 1)]
    return {tuple(range(i, j)) for i, j in borders if "".join(forms[i:j]) == stretch}


@settings(max_examples=150)
@given(SEGMENTS, STRETCHES)
def test_one_stretch_is_found_exactly(segments: list[str], stretch: str) -> None:
    view = _of(" ".join(segments))
    assert {found.positions for found in Segments((stretch,)).find(view)} == _naive_stretches(view, stretch)


@settings(max_examples=150)
@given(SEGMENTS, STRETCHES, STRETCHES)
def test_two_stretches(segments: list[str], one: str, other: str) -> None:
    view = _of(" ".join(segments))
    naive = {
        (*a, *b)
        for a in _naive_stretches(view, one)
        for b in _naive_stretches(view, other)
        if a[-1] < b[0] and "。" not in segments[a[-1] + 1 : b[0]]
    }
    fast = {found.positions for found in Segments((one, other)).find(view)}
    assert fast <= naive
    assert {cover[-1] for cover in fast} == {cover[-1] for cover in naive}


SEGMENTED = [
    (("银行",), "银行 银 行 银行家", {(0,), (1, 2)}),
    (("", "银行"), "银行", {(0,)}),
    (("银行", "", "账户"), "银行 的 账户", {(0, 2)}),
    (("",), "银行", set()),
    ((), "银行", set()),
    (("银行", "账户"), "银行 ！ 账户", set()),
    (("银行",), "", set()),
]


@pytest.mark.parametrize(("stretches", "text", "covers"), SEGMENTED)
def test_segments(stretches: tuple[str, ...], text: str, covers: set[Cover]) -> None:
    assert {found.positions for found in Segments(stretches).find(_of(text))} == covers


def test_one_verb_and_very_many_objects_take_no_square() -> None:
    view = _of("吃 " + "饭 " * 60_000)
    start = time.process_time()
    assert len(list(Segments(("吃", "饭")).find(view))) == 60_000
    assert time.process_time() - start < 5


# Parts of words


@pytest.mark.parametrize(
    ("ending", "shortest", "word", "found"),
    [
        ("bank", 3, "Flussbank", True),
        ("bank", 3, "bank", False),
        ("bank", 3, "abbank", False),
        ("bank", 2, "abbank", True),
        ("bank", 3, "bankhaus", False),
    ],
)
def test_ending(ending: str, shortest: int, word: str, found: bool) -> None:
    assert bool(list(Ending(ending, shortest, "compound").find(_of(word)))) is found


# Pieces that stand apart


def _piece(form: str, **options: object) -> Satellite:
    return Satellite(_elements(form), **options)  # type: ignore[arg-type]


# satellites, text, covers of the head "v"
DETACHED = [
    ((_piece("p"),), "v x p", {(0, 2)}),
    ((_piece("p"),), "p x v", {(0, 2)}),
    ((_piece("p"),), "v x , p", set()),
    ((_piece("p", crosses_commas=True),), "v x , p", {(0, 3)}),
    ((_piece("p", crosses_commas=True),), "v x ! p", set()),
    ((_piece("p", crosses_commas=True),), "p , v", set()),
    ((_piece("p", side=Side.AFTER),), "p v", set()),
    ((_piece("p", side=Side.BEFORE),), "p v p", {(0, 1)}),
    ((_piece("p", gap=1),), "v x p", {(0, 2)}),
    ((_piece("p", gap=1),), "v x x p", set()),
    ((_piece("p", gap=0),), "v p", {(0, 1)}),
    ((_piece("p", barrier=frozenset({"und"})),), "v und p", set()),
    ((_piece("p", barrier=frozenset({"und"})),), "v p und", {(0, 1)}),
    ((_piece("p"),), "p v p", {(1, 2)}),
    ((_piece("p"),), "p v x p", {(0, 1)}),
    ((_piece("p"),), "p x v p", {(2, 3)}),
    ((_piece("p"), _piece("q")), "q v p", {(0, 1, 2)}),
    ((_piece("p"), _piece("q", gap=0)), "v p q", {(0, 1, 2)}),
    ((_piece("p"), _piece("p")), "p v p", {(0, 1, 2)}),
    ((_piece("p"), _piece("p")), "v p", set()),
    ((_piece("p q"),), "v x p q", {(0, 2, 3)}),
    ((), "v v", {(0,), (1,)}),
    ((_piece("p"),), "v p v", {(0, 1), (1, 2)}),
]


@pytest.mark.parametrize(("satellites", "text", "covers"), DETACHED)
def test_detached(satellites: tuple[Satellite, ...], text: str, covers: set[Cover]) -> None:
    pattern = Detached(Element(frozenset({"v"})), satellites, "apart")
    view = _of(text)
    assert {found.positions for found in pattern.find(view)} == covers
    assert pattern.may_occur(view.present) or not covers


@given(st.lists(st.sampled_from(["v", "p", "x", ",", "!", "und"]), max_size=9))
def test_the_nearest_piece_of_the_clause_is_taken(forms: list[str]) -> None:
    view = _of(" ".join(forms))
    expected = set()
    for head in (i for i, form in enumerate(forms) if form == "v"):
        clause = [i for i in range(len(forms)) if not {",", "!"} & set(forms[min(i, head) : max(i, head)])]
        pieces = [i for i in clause if forms[i] == "p"]
        if pieces:
            nearest = min(pieces, key=lambda i: (abs(i - head) - (i > head), i))
            expected.add(tuple(sorted((head, nearest))))
    found = {f.positions for f in Detached(Element(frozenset({"v"})), (_piece("p"),), "apart").find(view)}
    assert found == expected


@pytest.mark.parametrize(
    ("positions", "limit", "expected"), [([], 3, None), ([4], 3, None), ([1, 3, 5], 3, 3), ([1, 3, 5], 4, 3)]
)
def test_latest_not_after(positions: list[int], limit: int, expected: int | None) -> None:
    assert latest_not_after(positions, limit) == expected


def test_edges_are_in_order() -> None:
    view = _view([("a", ()), ("b", ("a",)), ("c", ())], ((0, 2, "a"),))
    assert view.edges(frozenset({"a"})) == [Edge(0, 1), Edge(0, 2), Edge(1, 2)]


# Candidates and texts without end


def test_two_hundred_wildcards() -> None:
    elements = _elements(" * ".join("ab"[i % 2] for i in range(201)))
    start = time.process_time()
    assert len(list(Contiguous(elements).find(_of("a x b x " * 100 + "a")))) == 1
    assert list(Contiguous(elements).find(_of("a b " * 99 + "a"))) == []
    assert time.process_time() - start < 5


def test_ten_thousand_words() -> None:
    words = [f"w{i % 700}" for i in range(10_000)]
    start = time.process_time()
    (found,) = Contiguous(_elements(" ".join(words))).find(_of("a " + " ".join(words) + " b"))
    assert found.positions == tuple(range(1, 10_001))
    assert time.process_time() - start < 10


def test_a_candidate_and_a_text_of_one_word_without_end() -> None:
    start = time.process_time()
    assert list(Contiguous(_elements("a " * 2_000)).find(_of("a " * 20_000))) == []
    assert list(Contiguous(_elements("a * " * 200 + "a")).find(_of("a " * 20_000))) == []
    assert time.process_time() - start < 30
