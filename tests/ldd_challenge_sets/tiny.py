"""A tiny German-English corpus with parses and links, written here, as files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

# form, head, relation, part of speech, features
SENTENCES = (
    # aus: particle of macht (3), 3 words between; reordering: none
    ("Er macht das Licht heute aus .", "He turns the light off today .",
     "2:nsubj 0:root 4:det 2:obj 2:advmod 2:compound:prt 2:punct", ""),
    # sich: reflexive of freut, next to it
    ("Sie freut sich sehr .", "She is very happy .",
     "2:nsubj 0:root 2:obj 2:advmod 2:punct", "3"),
    # both: sich at distance 0, an at distance 3
    ("Er sieht sich den Film an .", "He watches the film .",
     "2:nsubj 0:root 2:obj 5:det 2:obj 2:compound:prt 2:punct", "3"),
    # neither
    ("Das Haus ist alt .", "The house is old .",
     "2:det 4:nsubj 4:cop 0:root 4:punct", ""),
)  # fmt: skip

LINKS = (
    "0-0 1-1 2-2 3-3 4-5 5-4 6-6",
    "0-0 1-3 3-2 4-4",
    "0-0 1-1 3-2 4-3 6-4",
    "0-0 1-1 2-2 3-3 4-4",
)


def conllu(number: int, sentence: tuple[str, str, str, str]) -> str:
    """The block of a sentence."""
    source, _, edges, reflexive = sentence
    lines = [f"# sent_id = {number}", f"# text = {source}"]
    for place, (form, edge) in enumerate(zip(source.split(), edges.split(), strict=True), 1):
        head, _, relation = edge.partition(":")
        feats = "Reflex=Yes" if str(place) == reflexive else "_"
        upos = "ADP" if relation == "compound:prt" else "X"
        lines.append("\t".join((str(place), form, form, upos, "_", feats, head, relation, "_", "_")))
    return "\n".join(lines) + "\n\n"


@dataclass(frozen=True)
class Tiny:
    """The files of the corpus; ``times`` copies of the four sentences."""

    folder: Path
    times: int = 1

    @property
    def source(self) -> Path:
        return self.folder / "tiny.de"

    @property
    def target(self) -> Path:
        return self.folder / "tiny.en"

    @property
    def parses(self) -> Path:
        return self.folder / "tiny.conllu"

    @property
    def links(self) -> Path:
        return self.folder / "tiny.align"


def write_tiny(folder: Path, times: int = 1) -> Tiny:
    """Write the corpus, repeated; the parses number their sentences by line."""
    folder.mkdir(parents=True, exist_ok=True)
    tiny = Tiny(folder, times)
    every = SENTENCES * times
    tiny.source.write_text("".join(f"{each[0]}\n" for each in every), encoding="utf-8")
    tiny.target.write_text("".join(f"{each[1]}\n" for each in every), encoding="utf-8")
    tiny.links.write_text("".join(f"{each}\n" for each in LINKS * times), encoding="utf-8")
    parses = "".join(conllu(number, each) for number, each in enumerate(every, 1))
    tiny.parses.write_text(parses, encoding="utf-8")
    return tiny
