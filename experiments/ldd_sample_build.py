"""Builds the JSONL files of the open LDD sample from its checked trees and links, and checks them.

    python experiments/ldd_sample_build.py [--write]

Reads ``ldd_challenge_sets/data/sample/``: the trees of both sides (``sample.de.conllu``, ``sample.en.conllu``), the
links between their words (``sample.de-en.align``), and the hits that the author intended when writing the sentences
(``intended.tsv``). All were made by hand; correct these files, never the JSONL. Three checks:

* the trees, by the rules L01 to L08 below, which find annotation errors;
* the hits found by the rules of `ldd_challenge_sets.phenomena` are exactly the intended ones;
* the JSONL files equal those built here (``--write`` writes them if the first two checks find nothing).

Results: 182 pairs, 1,643 German and 1,581 English words, 333 intended lexical hits, no others found. Every lexical
phenomenon has at least 5 hits at each distance from 0 to 6 (of stranding, at least 3 are the second kind, case after
its head); 93 pairs have a reordering of at least 5. The rules L01 to L08 find nothing. 16 trees are not projective,
all of them English with a preposition after its head (L08).
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from ldd_challenge_sets.alignment.links import check_links, format_pharaoh, parse_pharaoh
from ldd_challenge_sets.extraction.rows import rows_text
from ldd_challenge_sets.parsing.conllu import parse_block, read_blocks
from ldd_challenge_sets.phenomena.registry import Definition, lexical_finder, phenomena_for
from ldd_challenge_sets.phenomena.reordering import MEASURES, reordering_hits
from ldd_challenge_sets.records import BASELINE, Hit, LddRow, Link, Token, Tree

DATA = Path(__file__).resolve().parents[1] / "ldd_challenge_sets" / "data"
SAMPLE = DATA / "sample"
CORPUS = "ldd-sample"
PAIRS = (("de", "en"), ("en", "de"))
REORDERING_MINIMUM = 5


class Pair(NamedTuple):
    """One sentence pair of the sample; links from German to English."""

    trees: Mapping[str, Tree]
    surfaces: Mapping[str, str]
    links: frozenset[Link]


# Reading


def read_side(language: str) -> tuple[tuple[Tree, str], ...]:
    """The trees of one side, each with its text, assembled from the tokens (multi-word tokens, SpaceAfter)."""
    blocks = read_blocks(SAMPLE / f"sample.{language}.conllu")
    return tuple((parse_block(block.text), surface(block.text)) for block in blocks)


def surface(block: str) -> str:
    text, covered = "", 0
    for line in block.splitlines():
        if line.startswith("#"):
            continue
        number, form, *_, misc = line.split("\t")
        first, _, last = number.partition("-")
        if int(first) > covered:
            text += form + ("" if "SpaceAfter=No" in misc else " ")
            covered = int(last or first)
    return text.rstrip(" ")


def read_pairs() -> tuple[Pair, ...]:
    links = (SAMPLE / "sample.de-en.align").read_text(encoding="utf-8").splitlines()
    sides = {language: read_side(language) for language in ("de", "en")}
    pairs = []
    for (de, de_text), (en, en_text), line in zip(sides["de"], sides["en"], links, strict=True):
        if de.sent_id != en.sent_id:
            raise SystemExit(f"sentence {de.sent_id} is paired with {en.sent_id}")
        parsed = parse_pharaoh(line)
        check_links(parsed, len(de.tokens), len(en.tokens))
        pairs.append(Pair({"de": de, "en": en}, {"de": de_text, "en": en_text}, parsed))
    return tuple(pairs)


def read_intended() -> Counter[tuple[str, ...]]:
    with (SAMPLE / "intended.tsv").open(encoding="utf-8", newline="") as stream:
        return Counter(map(tuple, list(csv.reader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]))


# Building


def lexical_names(language: str) -> tuple[str, ...]:
    names = phenomena_for(language, Definition.PAPER)
    return tuple(name for name in names if name not in MEASURES)


def configurations() -> dict[str, tuple[LddRow, ...]]:
    """Name of each configuration -> its rows."""
    pairs = read_pairs()
    return {
        f"{source}-{target}-{name}": tuple(rows(pairs, source, target, name))
        for source, target in PAIRS
        for name in (*lexical_names(source), *MEASURES, BASELINE)
    }


def rows(pairs: Sequence[Pair], source: str, target: str, name: str) -> Iterator[LddRow]:
    find = hit_finder(source, name)
    for line, pair in enumerate(pairs, 1):
        tree, other = pair.trees[source], pair.trees[target]
        links = pair.links if source == "de" else frozenset((j, i) for i, j in pair.links)
        hits = find(tree, other, links)
        if not hits and name != BASELINE:
            continue
        yield LddRow(
            id=str(tree.sent_id),
            line=line,
            source=str(tree.text),
            target=other.text,
            source_tokens=forms(tree),
            target_tokens=forms(other),
            phenomenon=name,
            hits=tuple(hits),
            max_distance=max((hit.distance for hit in hits), default=None),
            alignment=format_pharaoh(links),
            corpus=CORPUS,
        )


def hit_finder(source: str, name: str) -> Callable[[Tree, Tree, frozenset[Link]], Sequence[Hit]]:
    if name == BASELINE:
        return lambda tree, other, links: ()
    if name in MEASURES:
        return lambda tree, other, links: reordering_hits(links, forms(tree), forms(other), name, REORDERING_MINIMUM)
    find = lexical_finder([name], source, Definition.PAPER)
    return lambda tree, other, links: find(tree).get(name, ())


def forms(tree: Tree) -> tuple[str, ...]:
    return tuple(token.form for token in tree.tokens)


# Checking the hits


def found_hits(sets: Mapping[str, Sequence[LddRow]]) -> Counter[tuple[str, ...]]:
    """The hits found by the rules, as lines of ``intended.tsv``."""
    return Counter(
        (row.id, source, name, hit.dependent_form, hit.head_form, str(hit.distance))
        for source, target in PAIRS
        for name in lexical_names(source)
        for row in sets[f"{source}-{target}-{name}"]
        for hit in row.hits
    )


def unintended(sets: Mapping[str, Sequence[LddRow]]) -> Iterator[str]:
    found, intended = found_hits(sets), read_intended()
    for hit in (intended - found).elements():
        yield f"intended, not found: {' '.join(hit)}"
    for hit in (found - intended).elements():
        yield f"found, not intended: {' '.join(hit)}"


# Checking the trees

# relation -> parts of speech that can have it
UPOS_OF = {
    "det": "DET", "det:poss": "DET", "det:predet": "DET", "case": "ADP PART", "mark": "SCONJ PART ADP",
    "aux": "AUX", "aux:pass": "AUX", "cop": "AUX", "punct": "PUNCT", "cc": "CCONJ", "nummod": "NUM",
    "compound:prt": "ADP ADV", "amod": "ADJ", "advmod": "ADV ADJ PART ADP", "expl": "PRON", "discourse": "INTJ",
    "nsubj": "NOUN PRON PROPN", "nsubj:pass": "NOUN PRON", "obj": "NOUN PRON DET", "iobj": "PRON",
    "nmod:poss": "PRON NOUN", "obl:arg": "PRON NOUN",
}  # fmt: skip
# part of speech -> relations limited to it
RELATION_OF = {
    "PUNCT": "punct",
    "AUX": "aux aux:pass cop",
    "CCONJ": "cc",
    "SCONJ": "mark",
    "INTJ": "discourse",
}
XPOS_OF = {
    "de": {
        "ADJ": "ADJA ADJD", "ADP": "APPR PTKVZ KOUI KOKOM", "ADV": "ADV PTKVZ PAV PWAV PTKA", "AUX": "VAFIN VMFIN",
        "CCONJ": "KON", "DET": "ART PPOSAT PDAT PIAT PWAT", "INTJ": "PTKANT", "NOUN": "NN", "NUM": "CARD",
        "PART": "PTKZU PTKNEG", "PRON": "PPER PRF PRELS PDS PIS PWS", "PROPN": "NE", "PUNCT": "$. $,",
        "SCONJ": "KOUS", "VERB": "VVFIN VVINF VVPP VVIMP VAFIN",
    },
    "en": {
        "ADJ": "JJ JJR JJS", "ADP": "IN RP", "ADV": "RB WRB", "AUX": "MD VBZ VBP VBD VBN", "CCONJ": "CC",
        "DET": "DT PDT WDT", "INTJ": "UH", "NOUN": "NN NNS", "NUM": "CD", "PART": "TO RB POS",
        "PRON": "PRP PRP$ DT WP WDT NN EX", "PROPN": "NNP", "PUNCT": ". ,", "SCONJ": "IN",
        "VERB": "VB VBZ VBP VBD VBN VBG",
    },
}  # fmt: skip
LEAVES = {"det:poss", "case", "aux", "aux:pass", "cop", "mark", "cc", "punct", "compound:prt"}
OF_VERBS = {"nsubj", "nsubj:pass", "obj", "iobj", "compound:prt", "aux:pass", "obl:arg", "expl"}
PREDICATES = {"VERB", "ADJ", "NOUN", "ADV"}


def lint(tree: Tree, text: str, language: str) -> Iterator[str]:
    """The errors of one tree, each with its code."""
    if text != tree.text:
        yield f"L01 the tokens give {text!r}"
    for token in tree.tokens:
        head = tree.tokens[token.head - 1] if token.head else None
        for fault in (*lint_labels(token, language), *lint_edge(token, head), *lint_features(token, head)):
            yield f"{fault}: {token.id} {token.form}"
        if crosses(token, tree) and not is_moved(token, tree):
            yield f"L08 edge crosses another: {token.id} {token.form}"


def lint_labels(token: Token, language: str) -> Iterator[str]:
    if token.upos not in UPOS_OF.get(token.deprel, token.upos).split():
        yield f"L02 {token.deprel} with {token.upos}"
    if token.deprel not in RELATION_OF.get(token.upos, token.deprel).split():
        yield f"L03 {token.upos} as {token.deprel}"
    if token.xpos not in XPOS_OF[language].get(token.upos, "").split():
        yield f"L04 {token.upos} with {token.xpos}"


def lint_edge(token: Token, head: Token | None) -> Iterator[str]:
    if head is not None and head.deprel in LEAVES:
        yield f"L05 {token.deprel} of {head.deprel}"
    if head is not None and token.deprel in OF_VERBS and head.upos not in PREDICATES:
        yield f"L06 {token.deprel} of {head.upos}"


def lint_features(token: Token, head: Token | None) -> Iterator[str]:
    if head is None:
        return
    mine, others = features(token), features(head)
    keys: tuple[str, ...] = ()
    if token.deprel in ("det", "amod", "det:poss", "appos") and "Case" in others:
        keys = ("Case", "Gender", "Number")
    if token.deprel in ("nsubj", "nsubj:pass") and others.get("VerbForm") == "Fin":
        # The polite form is second person with a third-person verb.
        keys, mine = ("Number", "Person"), {"Person": "3", **mine, **polite(mine)}
    for key in keys:
        if key in mine and key in others and mine[key] != others[key]:
            yield f"L07 {key}={mine[key]} next to {head.form} with {others[key]}"


def features(token: Token) -> dict[str, str]:
    return dict(part.split("=", 1) for part in token.feats.split("|")) if token.feats != "_" else {}


def polite(feats: Mapping[str, str]) -> dict[str, str]:
    return {"Person": "3"} if feats.get("Polite") == "Form" else {}


def crosses(token: Token, tree: Tree) -> bool:
    """Whether a word between a token and its head is a descendant of neither."""
    if not token.head:
        return False
    low, high = sorted((token.id, token.head))
    return any(not descends(between, token.head, tree) for between in range(low + 1, high))


def descends(number: int, ancestor: int, tree: Tree) -> bool:
    while number not in (0, ancestor):
        number = tree.tokens[number - 1].head
    return number == ancestor


def is_moved(token: Token, tree: Tree) -> bool:
    """Whether it is a preposition after its head: English moves the head to the front."""
    return token.upos == "ADP" and token.deprel == "case" and token.head < token.id


def tree_faults(pairs: Sequence[Pair]) -> Iterator[str]:
    for pair in pairs:
        for language, tree in pair.trees.items():
            for fault in lint(tree, pair.surfaces[language], language):
                yield f"{tree.sent_id} {language} {fault}"


# Output


def file_faults(sets: Mapping[str, Sequence[LddRow]]) -> Iterator[str]:
    wanted = {f"{name}.jsonl" for name in sets}
    yield from (f"{path.name}: no such configuration" for path in DATA.glob("*.jsonl") if path.name not in wanted)
    for name, built in sets.items():
        path = DATA / f"{name}.jsonl"
        if not path.exists() or path.read_text(encoding="utf-8") != rows_text(built):
            yield f"{path.name}: differs from the sample; update it with --write"


def print_counts(sets: Mapping[str, Sequence[LddRow]]) -> None:
    """Hits by exact distance, sentences, and mean lengths."""
    print(f"{'hits at distance':42}" + "".join(f"{d:>4}" for d in range(10)) + "   sentences  source  target")
    for name, built in sets.items():
        counts = Counter(hit.distance for row in built for hit in row.hits)
        source = sum(len(row.source_tokens) for row in built) / len(built)
        target = sum(len(row.target_tokens) for row in built) / len(built)
        numbers = "".join(f"{counts[d] or '':>4}" for d in range(10))
        print(f"{name:42}{numbers}{len(built):>12}{source:>8.2f}{target:>8.2f}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="write the JSONL files")
    args = parser.parse_args()
    sets = configurations()
    faults = [*tree_faults(read_pairs()), *unintended(sets)]
    if args.write and not faults:
        for name, built in sets.items():
            (DATA / f"{name}.jsonl").write_text(rows_text(built), encoding="utf-8")
    faults += file_faults(sets)
    print_counts(sets)
    print(*faults, f"{len(faults)} faults", sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
