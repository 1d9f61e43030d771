"""How often an analyzer's keys hold the gold lemma of a word, and how often the lemma of another word.

    python experiments/lemma_coverage.py [--data FOLDER] [--language bg ...] [--disable RULE ...] [--show N]

Reads the development files of Universal Dependencies (``ud/*-ud-dev.conllu``). A sentence is analyzed as
a whole, and the keys of a gold token are those of the words found within its span. Two shares of the
tokens of a part of speech are printed, in percent (``other``: all words but nouns, verbs, adjectives):

* recall: the gold lemma is a key, so a candidate with this lemma would be found;
* wrong: a key other than the form itself is the gold lemma of another word of the file that occurs at
  least twice there (noun, verb, adjective or adverb), so a candidate with that lemma would be found by
  mistake.

A wrong key is harmful only if a candidate equals it. The last column shows how often to expect that: wrong
matches per 100 sentences for a list of ten candidates drawn from the frequent lemmas.

Both shares also depend on the conventions of a treebank: a passive participle is a form of its verb in one
and an adjective in another, and aspect partners share forms. The difference between two settings is more
informative than either figure. The rules that derive lemmas from endings are switched on one by one:
``-`` none, ``i`` inflection, ``ih`` also homograph.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from dibimt_metric.analysis import Analysis
from dibimt_metric.analyzers import load_analyzers
from dibimt_metric.languages import language_rules
from dibimt_metric.match_view import KeyMaker
from dibimt_metric.rules_slavic import HOMOGRAPH, INFLECTION

FILES = {
    "bg": "bg_btb",
    "de": "de_gsd",
    "es": "es_gsd",
    "it": "it_isdt",
    "nl": "nl_alpino",
    "ru": "ru_gsd",
    "sl": "sl_ssj",
    "zh": "zh_gsdsimp",
}
MEASURED = ("NOUN", "VERB", "ADJ")
CONTENT = (*MEASURED, "ADV")
OTHER = "other"
FREQUENT = 2
CANDIDATES = 10
BY_ENDING = {"i": INFLECTION, "h": HOMOGRAPH}


class GoldWord(NamedTuple):
    """A word of the treebank with the span of its token in the sentence."""

    form: str
    lemma: str
    upos: str
    start: int
    end: int


class Sentence(NamedTuple):
    """A sentence with its words."""

    text: str
    words: tuple[GoldWord, ...]


class Tally(NamedTuple):
    """Counts of one part of speech.

    Attributes:
        tokens: all tokens. found: tokens whose gold lemma is a key. wrong: tokens with a wrong key.
        false_matches: expected per 100 sentences for ten candidates.
    """

    tokens: int
    found: int
    wrong: int
    false_matches: float


class Setting:
    """A language's analyzers and active rules."""

    def __init__(self, language: str, disable: frozenset[str]) -> None:
        rules = language_rules(language)
        known = {rule.name for rule in rules.rules}
        self.segmented = rules.segmented
        self.analyzers = load_analyzers(None, language)
        self._makers = [
            KeyMaker(rules.words, rules.active(disable=disable & known), analyzer.lexicon)
            for analyzer in self.analyzers
        ]

    def lemmas(self, lemma: str) -> frozenset[str]:
        """The keys of a gold lemma, in the spelling of candidates."""
        maker = self._makers[0]
        return frozenset(maker.fold(part) for part in maker.clean((lemma,)))

    def form(self, form: str) -> str:
        """Key of a form."""
        return self._makers[0].fold(form)

    def keys(self, analyses: list[Analysis]) -> SpanKeys:
        """The keys of one sentence by span."""
        return SpanKeys(self._makers, analyses, self.segmented)


def _forms(analysis: Analysis) -> Iterator[tuple[str, int, int, tuple[str, ...]]]:
    for word in analysis.words:
        yield word.text, word.start, word.end, word.lemmas
    for token in analysis.multiword:
        yield token.text, token.start, token.end, token.lemmas


class SpanKeys:
    """The keys of a sentence with their positions."""

    def __init__(self, makers: list[KeyMaker], analyses: list[Analysis], segmented: bool) -> None:
        self._units = [
            (start, end, maker.keys(text, lemmas).everything)
            for maker, analysis in zip(makers, analyses, strict=True)
            for text, start, end, lemmas in _forms(analysis)
        ]
        self._borders = [
            {offset for word in analysis.words for offset in (word.start, word.end)} for analysis in analyses
        ]
        self._segmented = segmented

    def within(self, word: GoldWord, form: str) -> set[str]:
        """All keys found inside the span of a gold word; ``form``: key of its form."""
        found = {key for start, end, keys in self._units if word.start <= start and end <= word.end for key in keys}
        if self._segmented and any({word.start, word.end} <= borders for borders in self._borders):
            found.add(form)
        return found


def read(path: Path) -> Iterator[Sentence]:
    """The sentences of a CoNLL-U file."""
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        lines = block.splitlines()
        text = next((line[9:] for line in lines if line.startswith("# text = ")), None)
        if text is not None:
            rows = [line.split("\t") for line in lines if line[:1].isdigit()]
            yield Sentence(text, tuple(_words(text, rows)))


def _words(text: str, rows: list[list[str]]) -> Iterator[GoldWord]:
    position, last_of_token = 0, 0
    start = end = 0
    for row in rows:
        number = row[0]
        if "." in number:
            continue
        if "-" in number or int(number) > last_of_token:
            start = text.index(row[1], position)
            position = end = start + len(row[1])
        if "-" in number:
            last_of_token = int(number.split("-")[1])
        else:
            yield GoldWord(row[1], row[2], row[3], start, end)


def measure(sentences: list[Sentence], setting: Setting) -> tuple[dict[str, Tally], Counter[tuple[str, ...]]]:
    """Counts by part of speech, and missed or misread tokens."""
    counts = Counter((lemma, word.upos) for s in sentences for word in s.words for lemma in setting.lemmas(word.lemma))
    frequent = {lemma for (lemma, upos), n in counts.items() if n >= FREQUENT and upos in CONTENT}
    tokens: Counter[str] = Counter()
    found: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    wrong_keys: Counter[str] = Counter()
    examples: Counter[tuple[str, ...]] = Counter()
    for sentence in sentences:
        keys = setting.keys([analyzer.analyze(sentence.text) for analyzer in setting.analyzers])
        for word in sentence.words:
            if not any(character.isalpha() for character in word.form):
                continue
            upos = word.upos if word.upos in MEASURED else OTHER
            gold, form = setting.lemmas(word.lemma), setting.form(word.form)
            mine = keys.within(word, form)
            others = (mine & frequent) - gold - {form}
            tokens[upos] += 1
            found[upos] += not gold.isdisjoint(mine)
            wrong[upos] += bool(others)
            wrong_keys[upos] += len(others)
            if gold.isdisjoint(mine):
                examples.update([("missed", upos, form, *sorted(gold))])
            if others:
                examples.update([("wrong", upos, form, *sorted(gold), "as", *sorted(others))])
    scale = 100 * CANDIDATES / (len(sentences) * len(frequent))
    tallies = {
        upos: Tally(tokens[upos], found[upos], wrong[upos], scale * wrong_keys[upos]) for upos in (*MEASURED, OTHER)
    }
    return tallies, examples


def report(language: str, folder: Path, disable: frozenset[str], show: int) -> None:
    """Print the lines of one language."""
    sentences = list(read(folder / f"{FILES[language]}-ud-dev.conllu"))
    rules = [rule for rule in language_rules(language).rules if rule.name not in disable]
    letters = [letter for letter, rule in BY_ENDING.items() if rule in rules]
    for n in range(len(letters) + 1):
        name, off = "".join(letters[:n]) or "-", disable | {BY_ENDING[letter].name for letter in letters[n:]}
        tallies, examples = measure(sentences, Setting(language, off))
        for upos, tally in tallies.items():
            recall, wrong = 100 * tally.found / tally.tokens, 100 * tally.wrong / tally.tokens
            figures = f"{tally.tokens:7} {recall:7.2f} {wrong:7.2f} {tally.false_matches:7.3f}"
            print(f"{language:4} {upos:5} {name:5} {figures}", flush=True)
        shown: Counter[str] = Counter()
        for example, n in examples.most_common():
            shown[example[0]] += 1
            if shown[example[0]] <= show:
                print("    ", n, *example)


def main(argv: list[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("DIBIMT_TEST_DATA", "../shared/data")))
    parser.add_argument("--language", nargs="+", default=list(FILES), choices=FILES)
    parser.add_argument("--disable", nargs="+", default=[], metavar="RULE", help="rules to switch off if they exist")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print the N most frequent failures of a kind")
    options = parser.parse_args(argv)
    print(f"{'lang':4} {'UPOS':5} {'rules':5} {'tokens':>7} {'recall':>7} {'wrong':>7} {'false':>7}")
    for language in options.language:
        report(language, options.data / "ud", frozenset(options.disable), options.show)
    return 0


if __name__ == "__main__":
    sys.exit(main())
