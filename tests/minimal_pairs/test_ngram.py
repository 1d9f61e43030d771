"""n-gram models: numbers from back-off by hand, and a second reader of ARPA files that computes with decimals."""

from __future__ import annotations

import builtins
import gzip
import itertools
import json
import math
import random
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from dibimt_metric.errors import InputError, MissingLibraryError
from minimal_pairs.models.loading import load_model
from minimal_pairs.models.ngram import TOKENS, NgramModel, split_words
from minimal_pairs.records import Request
from minimal_pairs.scoring.presets import preset

kenlm = pytest.importorskip("kenlm", reason="n-gram models need ufal.kenlm")

PAPER = preset("paper")
NO_END = preset("lm-eval-0.3")
BARE = preset("minicons")

# Log10 of probabilities, and of back-off weights behind the words. Sums of powers of two, so that nothing is rounded.
ARPA = """\\data\\
ngram 1=8
ngram 2=4
ngram 3=2

\\1-grams:
-3\t<unk>\t-0.5
-99\t<s>\t-0.25
-1.5\t</s>
-1\tthe\t-0.125
-1.25\tcats\t-0.75
-1.75\tdog\t-1
-2\tsleep\t-0.0625
-0.75\t.\t-0.375

\\2-grams:
-0.5\t<s> the\t-0.4375
-0.875\tthe cats\t-0.625
-0.625\tcats sleep\t-0.1875
-0.03125\t. </s>

\\3-grams:
-0.25\t<s> the cats
-0.375\tthe cats sleep

\\end\\
"""
UNLISTED = ARPA.replace("-3\t<unk>\t-0.5\n", "").replace("ngram 1=8", "ngram 1=7")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return _write(tmp_path / "small.arpa", ARPA)


def _write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def _log10(model: NgramModel, text: str, start: int = 0, end: int | None = None) -> float:
    (score,) = model.score([Request(text, start, end)])
    assert score.logprob is not None, score.reason
    return round(score.logprob / math.log(10), 9)  # the way to natural logarithms and back costs a last digit


# Back-off by hand


def test_longest_ngrams_and_backing_off_once(path: Path) -> None:
    the, cats, sleep = -0.5, -0.25, -0.375  # <s> the; <s> the cats; the cats sleep
    dot = -0.1875 - 0.0625 - 0.75  # b(cats sleep) b(sleep) p(.)
    end = -0.03125  # . </s>; "sleep ." is no listed n-gram and has no weight
    assert _log10(NgramModel.from_path(path, PAPER), "the cats sleep.") == the + cats + sleep + dot + end
    (score,) = NgramModel.from_path(path, PAPER).score([Request("the cats sleep.")])
    assert score.tokens == 5  # </s> is one
    assert score.length == 15


def test_backing_off_all_the_way(path: Path) -> None:
    dog = -0.25 - 1.75  # b(<s>) p(dog)
    the = -1.0 - 1.0  # b(dog) p(the)
    end = -0.125 - 1.5  # b(the) p(</s>)
    assert _log10(NgramModel.from_path(path, PAPER), "dog the") == dog + the + end


def test_the_end_is_scored_where_the_settings_say_so(path: Path) -> None:
    model = NgramModel.from_path(path, NO_END)
    assert _log10(model, "the cats") == -0.5 - 0.25
    assert model.score([Request("the cats")])[0].tokens == 2


def test_without_a_beginning_the_first_word_has_its_own_probability(path: Path) -> None:
    model = NgramModel.from_path(path, BARE)
    assert _log10(model, "the cats") == -1 - 0.875
    assert "|bos:none|eos:none|" in model.name


def test_unknown_words_have_the_probability_of_unk(path: Path) -> None:
    purple = -0.4375 - 0.125 - 3  # b(<s> the) b(the) p(<unk>)
    cats = -0.5 - 1.25  # b(<unk>) p(cats)
    model = NgramModel.from_path(path, NO_END)
    assert _log10(model, "the purple cats") == -0.5 + purple + cats
    assert model.unknown_words("the purple cats, the sad dog") == ("purple", ",", "sad")


def test_half_a_character_is_an_unknown_word(path: Path) -> None:
    assert _log10(NgramModel.from_path(path, NO_END), "the \ud83d") == -0.5 + (-0.4375 - 0.125 - 3)


def test_a_part_is_scored_in_its_context(path: Path) -> None:
    model = NgramModel.from_path(path, PAPER)
    text = "the cats sleep"
    assert _log10(model, text, 8, 14) == -0.375  # the cats sleep
    assert _log10(model, text, 4, 14) == -0.25 - 0.375
    end = -0.1875 - 0.0625 - 1.5
    assert _log10(model, text, 8) == -0.375 + end  # to the end of the text: </s> too
    assert model.score([Request(text, 8, 14)])[0].tokens == 1
    assert model.score([Request(text, 3, 8)])[0].length == 5


def test_words_of_boundaries_are_unknown_words(path: Path) -> None:
    model = NgramModel.from_path(path, NO_END, tokens="spaces")
    assert _log10(model, "<s> </s>") == (-0.25 - 3) + (-0.5 - 3)


# Words


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        ("spaces", "Bill's|cats|haven't|slept,|(have|they?)"),
        ("punctuation", "Bill's|cats|haven't|slept|,|(|have|they|?|)"),
        ("contractions", "Bill|'s|cats|have|n't|slept|,|(|have|they|?|)"),
    ],
)
def test_what_a_word_is(tokens: str, expected: str) -> None:
    text = "Bill's cats haven't slept, (have they?)"
    words = split_words(text, tokens)
    assert "|".join(word.form for word in words) == expected
    assert all(text[word.start : word.end] == word.form for word in words)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mother-in-law 4.5 U.S.", "mother-in-law|4.5|U.S|."),
        ("can’t they’ve", "ca|n’t|they|’ve"),
        ("'s n't ... don't-x", "'|s|n't|.|.|.|don't-x"),
        ("नहीं है।", "नहीं|है|।"),  # vowel signs belong to the word, the danda does not
        ("cafe\u0301!", "cafe\u0301|!"),
        ("", ""),
    ],
)
def test_edges_of_words(text: str, expected: str) -> None:
    assert "|".join(word.form for word in split_words(text, "contractions")) == expected


def test_lower_case(path: Path) -> None:
    kept, lower = (NgramModel.from_path(path, NO_END, lower=lower) for lower in (False, True))
    assert kept.unknown_words("The CATS") == ("The", "CATS")
    assert _log10(lower, "The CATS") == -0.5 - 0.25
    assert "|case:kept|" in kept.name
    assert "|case:lower|" in lower.name


# Ties


def test_equal_products_in_another_order_are_a_tie(tmp_path: Path) -> None:
    # All orders of five words multiply the same eleven numbers: each word backs off to its own probability.
    values = {"a": (-2.718281, -0.1415926), "b": (-3.1415926, -0.7071067), "c": (-1.732051, -0.5772156)}
    values |= {"d": (-2.236068, -0.4142135), "e": (-4.669202, -0.6931472)}
    lines = ["\\data\\", "ngram 1=8", "ngram 2=1", "", "\\1-grams:", "-4\t<unk>", "-99\t<s>\t-0.3123457"]
    lines += ["-1.234567\t</s>", *(f"{value}\t{word}\t{weight}" for word, (value, weight) in values.items())]
    lines += ["", "\\2-grams:", "-0.5\t<s> </s>", "", "\\end\\", ""]
    path = _write(tmp_path / "tie.arpa", "\n".join(lines))
    texts = [" ".join(order) for order in itertools.permutations(values)]
    config = kenlm.Config()
    config.show_progress, config.arpa_complain = False, kenlm.ARPALoadComplain.NONE
    plain = kenlm.Model(str(path), config)
    assert len({plain.score(text) for text in texts}) > 1  # in single precision they come out different
    model = NgramModel.from_path(path, PAPER)
    (score,) = {score.logprob for score in model.score([Request(text) for text in texts])}
    exact = math.fsum([-0.3123457, -1.234567, *itertools.chain(*values.values())]) * math.log(10)
    assert score == pytest.approx(exact, abs=2e-5)


# A second reader


class Exact:
    """An ARPA file read into tables; scores are exact."""

    def __init__(self, text: str) -> None:
        self.values: dict[tuple[str, ...], Decimal] = {}
        self.weights: dict[tuple[str, ...], Decimal] = {}
        for line in text.splitlines():
            cells = line.split("\t")
            if len(cells) > 1:
                words = tuple(cells[1].split(" "))
                self.values[words] = Decimal(cells[0])
                self.weights[words] = Decimal(cells[2]) if len(cells) > 2 else Decimal(0)
        self.order = max(map(len, self.values))

    def log10(self, words: Sequence[str]) -> Decimal:
        known = ["<s>", *(word if (word,) in self.values else "<unk>" for word in words), "</s>"]
        return sum((self._one(known, i) for i in range(1, len(known))), Decimal(0))

    def _one(self, words: Sequence[str], place: int) -> Decimal:
        context = tuple(words[max(0, place - self.order + 1) : place])
        total = Decimal(0)
        while (*context, words[place]) not in self.values:
            total += self.weights.get(context, Decimal(0))
            context = context[1:]
        return total + self.values[(*context, words[place])]


def train(texts: Iterable[Sequence[str]], order: int = 3, discount: float = 0.75) -> str:
    """An ARPA model with absolute discounting and back-off."""
    counts: list[Counter[tuple[str, ...]]] = [Counter() for _ in range(order)]
    for text in texts:
        words = ("<s>", *text, "</s>")
        for n, table in enumerate(counts, 1):
            table.update(words[i : i + n] for i in range(len(words) - n + 1))
    total = sum(counts[0].values()) - counts[0]["<s>",]
    tables = [{gram: (count - discount) / total for gram, count in counts[0].items()}]
    tables[0]["<unk>",] = discount * (len(counts[0]) - 1) / total
    weights: list[dict[tuple[str, ...], float]] = []
    for table in counts[1:]:
        after = Counter[tuple[str, ...]]()
        for gram, count in table.items():
            after[gram[:-1]] += count
        tables.append({gram: (count - discount) / after[gram[:-1]] for gram, count in table.items()})
        seen, lower = Counter[tuple[str, ...]](), Counter[tuple[str, ...]]()
        for gram, value in tables[-1].items():
            seen[gram[:-1]] += value  # type: ignore[assignment]
            lower[gram[:-1]] += tables[-2][gram[1:]]  # type: ignore[assignment]
        weights.append({context: (1 - seen[context]) / max(1 - lower[context], 1e-9) for context in after})
    return _arpa(tables, [*weights, {}])


def _arpa(tables: list[dict[tuple[str, ...], float]], weights: list[dict[tuple[str, ...], float]]) -> str:
    lines = ["\\data\\", *(f"ngram {n}={len(table)}" for n, table in enumerate(tables, 1)), ""]
    for n, table in enumerate(tables, 1):
        lines.append(f"\\{n}-grams:")
        for gram, value in table.items():
            cells = [f"{-99 if gram == ('<s>',) else math.log10(value):.7g}", " ".join(gram)]
            weight = weights[n - 1].get(gram)
            lines.append("\t".join(cells if weight is None else [*cells, f"{min(math.log10(weight), 0):.7g}"]))
        lines.append("")
    return "\n".join([*lines, "\\end\\", ""])


def test_random_models_give_what_decimals_give(tmp_path: Path) -> None:
    chosen = random.Random(8)
    words = list("abcdef")
    texts = [chosen.choices(words[:5], k=chosen.randint(1, 6)) for _ in range(40)]
    text = train(texts)
    exact = Exact(text)
    model = NgramModel.from_path(_write(tmp_path / "random.arpa", text), PAPER)
    for _ in range(200):
        asked = chosen.choices(words, k=chosen.randint(1, 7))
        assert _log10(model, " ".join(asked)) == pytest.approx(float(exact.log10(asked)), abs=1e-5)


@pytest.mark.slow
def test_all_of_blimp_in_seconds(test_data: Path, tmp_path: Path) -> None:
    sides: list[str] = []
    for path in sorted((test_data / "blimp").glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            sides += [row["sentence_good"], row["sentence_bad"]]
    assert len(sides) == 2 * 67_000
    split = [[word.form for word in split_words(side)] for side in sides]
    text = train(split[::200])  # one good sentence of a hundred: a small model, so that there are ties
    model = NgramModel.from_path(_write(tmp_path / "blimp.arpa", text), PAPER)
    start = time.perf_counter()
    scores = [score.logprob for score in model.score([Request(side) for side in sides])]
    assert time.perf_counter() - start < 60  # 4 seconds alone on a core
    reader = Exact(text)
    exact = [reader.log10(words) for words in split]
    ties, true = ([a == b for a, b in zip(given[::2], given[1::2], strict=True)] for given in (scores, exact))
    assert sum(true) > 5000
    assert sum(a != b for a, b in zip(ties, true, strict=True)) < 0.01 * sum(true)


# What has no score, and what is refused


def test_texts_without_words(path: Path) -> None:
    model = NgramModel.from_path(path, PAPER)
    scores = model.score([Request(""), Request(" \n"), Request("the cats", 3, 4), Request("the cats", 8)])
    assert [score.reason for score in scores] == ["empty"] * 4
    assert [score.logprob for score in scores] == [None] * 4


def test_unknown_words_of_a_model_that_lists_no_unk(tmp_path: Path) -> None:
    path = _write(tmp_path / "closed.arpa", UNLISTED)
    refusing, scoring = (NgramModel.from_path(path, settings) for settings in (PAPER, NO_END))
    unknown, known = refusing.score([Request("the purple"), Request("the cats")])
    assert (unknown.logprob, unknown.reason) == (None, "missing_token")
    assert known.reason is None
    assert _log10(scoring, "the purple") == -0.5 + (-0.4375 - 0.125 - 100)
    assert refusing.name.endswith("|unk:refused")
    assert scoring.name.endswith("|unk:-100")


@pytest.mark.parametrize("span", [(-1, 2), (3, 2), (0, 9), (9, None)])
def test_spans_outside_the_text(path: Path, span: tuple[int, int | None]) -> None:
    with pytest.raises(InputError, match=r"expected 0 <= start <= end <= 8"):
        NgramModel.from_path(path, PAPER).score([Request("the cats", *span)])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("\\data\\\n", "data\n", r"near line 2: .*first non-empty line was \"data\" not \\data\\"),
        ("ngram 2=4", "ngram 2=5", r"near line 22: .*Could not parse \"\\3-grams:\""),
        ("\\end\\\n", "", "near line 26: .*End of file"),
        ("-1\tthe", "1\tthe", "near line 10: .*Positive log probability 1 in the model"),
        ("-1\tthe", "-1,0\tthe", "near line 10: .*Expected tab after probability"),
        ("-1\tthe", "nan\tthe", 'near line 10: .*Could not parse "nan" into a float'),
        ("the cats sleep", "the birds sleep", "Word birds was not seen in the unigrams"),
        ("-99\t<s>\t-0.25\n", "-9\tmouse\n", "near line 15: .*missing <s>"),
        (ARPA, "", "End of file"),
    ],
)
def test_faulty_files_are_named_with_the_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in ARPA
    path = _write(tmp_path / "faulty.arpa", ARPA.replace(old, new, 1))
    with pytest.raises(InputError, match=message) as caught:
        NgramModel.from_path(path, PAPER)
    told = str(caught.value)
    assert told.startswith(f"{path}")
    assert not any(word in told for word in (".cc:", "Exception", "Byte:"))  # nothing of KenLM's own insides


def test_a_model_of_single_words(tmp_path: Path) -> None:
    text = "\\data\\\nngram 1=3\n\n\\1-grams:\n-1\t<unk>\n-1\t<s>\n-1\t</s>\n\n\\end\\\n"
    with pytest.raises(InputError, match="assumes at least a bigram model"):
        NgramModel.from_path(_write(tmp_path / "one.arpa", text), PAPER)


def test_files_that_are_no_text(tmp_path: Path, path: Path) -> None:
    packed = tmp_path / "small.arpa.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    with pytest.raises(InputError, match="is compressed, .*unpack it first"):
        NgramModel.from_path(packed, PAPER)
    noise = tmp_path / "noise.arpa"
    noise.write_bytes(bytes(range(128, 256)) * 20)
    with pytest.raises(InputError, match="not a model in ARPA format"):
        NgramModel.from_path(noise, PAPER)
    with pytest.raises(InputError, match="no such file; expected an n-gram model"):
        NgramModel.from_path(tmp_path, PAPER)


@pytest.mark.parametrize("text", ["no model " * 4000, "\\data\\\nngram 1=" + "9" * 4000])
def test_message_does_not_repeat_the_file(tmp_path: Path, text: str) -> None:
    file = tmp_path / "text.arpa"
    file.write_text(text + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"not a model in ARPA format .* \.\.\.; check the file") as caught:
        NgramModel.from_path(file, PAPER)
    assert len(str(caught.value)) < 500


def test_settings_that_ngram_models_do_not_have(path: Path) -> None:
    with pytest.raises(InputError, match="setting bos: an n-gram model has <s>, not '<start>'"):
        NgramModel.from_path(path, preset("paper", bos="<start>"))
    with pytest.raises(InputError, match="setting eos: an n-gram model has </s>, not '<end>'"):
        NgramModel.from_path(path, preset("paper", eos="<end>"))
    with pytest.raises(InputError, match=f"unknown tokenization 'bpe': expected one of {', '.join(TOKENS)}"):
        NgramModel.from_path(path, PAPER, tokens="bpe")


def test_the_name_says_what_changes_scores(path: Path, tmp_path: Path) -> None:
    model = load_model(path, "ngram", PAPER, lower=True, tokens="spaces")
    digest = model.name.split("|")[1]
    assert model.name == f"ngram:small.arpa|{digest}|order:3|tokens:spaces|case:lower|bos:<s>|eos:</s>|unk:listed"
    other = NgramModel.from_path(_write(tmp_path / "other.arpa", ARPA.replace("-0.25\t<s>", "-0.5\t<s>")), PAPER)
    assert other.name.split("|")[1] != digest


def test_the_missing_library_is_named(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name == "kenlm":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingLibraryError, match=r"pip install 'dibimt\[lm\]'"):
        NgramModel.from_path(path, PAPER)
