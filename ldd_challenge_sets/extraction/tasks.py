"""The two tasks of an extraction: parse pairs; find hits in parsed pairs and make rows of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import NamedTuple

from dibimt_metric.errors import InputError

from ..alignment.links import check_links, format_pharaoh, parse_pharaoh
from ..parsing.conllu import fault_of, format_tree, parse_block, parse_outline
from ..parsing.parsers import load_parser, load_tokenizer
from ..parsing.trees import TreeFault
from ..phenomena.registry import Definition, lexical_finder, needles_for
from ..phenomena.reordering import released_reordering_hits, reordering_hits
from ..records import BASELINE, Fault, Hit, LddRow, Link, Token, Tree
from .inputs import Chunk, ChunkResult, Entry, result_of
from .manifest import Totals
from .plan import REORDERING_MINIMUM, Plan, import_modules, is_reordering
from .rows import row_to_json

_FORM = itemgetter(Token._fields.index("form"))  # of a token; faster than by name
_OTHER_TEXT = "the text of this parse is not that of its pair; check that the files are in step"

PARSES = "parses"  # name of the output of `ParseTask`


@dataclass(frozen=True, slots=True)
class ParseTask:
    """Parse the source side; the output is CoNLL-U whose ``sent_id`` is the line of the pair.

    Attributes:
        parser: such as ``udpipe:MODEL``, see `load_parser`. language: of the source side.
        folder: of the parser's models. pretokenized: whether spaces separate the words.
        skip_bad: whether unusable pairs are skipped; `ExtractTask` counts them.
    """

    parser: str
    language: str
    folder: str | None = None
    pretokenized: bool = False
    skip_bad: bool = False

    def start(self) -> Callable[[Chunk], ChunkResult]:
        """Load the parser."""
        parser = load_parser(self.parser, self.language, self.pretokenized, self.folder)

        def work(chunk: Chunk) -> ChunkResult:
            for entry in chunk.entries:
                if entry.fault is not None and not self.skip_bad:
                    raise InputError(str(entry.fault))
            usable = [(entry.line, entry.source or "") for entry in chunk.entries if entry.fault is None]
            trees = parser.parse([source for _, source in usable])
            parses = (
                format_tree(tree._replace(sent_id=str(line), text=" ".join(source.split())))
                for (line, source), tree in zip(usable, trees, strict=True)
            )
            return result_of(chunk, {PARSES: "".join(parses)})

        return work


class _Sentence(NamedTuple):
    """An entry that can be used, with everything that the phenomena look at."""

    entry: Entry
    tree: Tree | None
    source: str
    source_tokens: tuple[str, ...]
    target_tokens: tuple[str, ...] = ()
    links: frozenset[Link] | None = None


@dataclass(frozen=True, slots=True)
class ExtractTask:
    """Find the hits of each pair and write its rows; ``parses_file`` and ``links_file`` are names for messages."""

    plan: Plan
    parses_file: str = "parses"
    links_file: str = "alignment"

    def start(self) -> Callable[[Chunk], ChunkResult]:
        """Load rules, tokenizers and aligner."""
        import_modules(self.plan.modules)
        return _Extractor(self)


class _Extractor:
    def __init__(self, task: ExtractTask) -> None:
        plan = task.plan
        self._task, self._plan = task, plan
        self._find_lexical: Callable[[Tree], dict[str, list[Hit]]] | None = None
        self._needles: tuple[str, ...] = ()
        if plan.lexical:
            names = plan.lexical, plan.source_language, plan.definition
            self._find_lexical = lexical_finder(*names, plan.include_root)
            # A sentence without any of these has no lexical hit: its tree is checked, but not built.
            self._needles = needles_for(*names)
        self._released = plan.definition is Definition.RELEASED
        self._split_source = load_tokenizer(plan.source_tokens)
        self._split_target = load_tokenizer(plan.target_tokens)
        self._aligner = None
        if plan.aligner is not None:
            from ..alignment.aligner import load_aligner

            self._aligner = load_aligner(plan.aligner, symmetrization=plan.symmetrization)

    def __call__(self, chunk: Chunk) -> ChunkResult:
        faults: list[Fault] = []
        lines: dict[str, list[str]] = {name: [] for name in self._plan.configurations}
        totals = {name: Totals() for name in lines}
        for sentence in self._aligned(self._sentences(chunk, faults)):
            for row in self._rows(sentence):
                name = self._plan.configuration(row.phenomenon)
                lines[name].append(row_to_json(row) + "\n")
                totals[name].add(row)
        return result_of(chunk, {name: "".join(rows) for name, rows in lines.items()}, totals, faults)

    def _sentences(self, chunk: Chunk, faults: list[Fault]) -> Iterator[_Sentence]:
        for entry in chunk.entries:
            made = self._sentence(entry)
            if isinstance(made, _Sentence):
                yield made
            elif self._plan.skip_bad:
                faults.append(made)
            else:
                raise InputError(str(made))

    def _sentence(self, entry: Entry) -> _Sentence | Fault:
        if entry.fault is not None:
            return entry.fault
        if entry.block is None:
            source, tree = entry.source or "", None
            source_tokens = self._split_source(source)
        else:
            try:
                source_tokens, text, tree = self._parsed(entry.block.text)
            except TreeFault as fault:
                return fault_of(fault, entry.block, self._task.parses_file)
            if _out_of_step(text, entry.source):
                return Fault(self._task.parses_file, entry.block.line, "other_text", _OTHER_TEXT)
            source = entry.source if entry.source is not None else text or " ".join(source_tokens)
        if entry.target is None or (entry.links is None and self._aligner is None):
            return _Sentence(entry, tree, source, source_tokens)  # nothing would refer to words of the target
        target_tokens = self._split_target(entry.target)
        if entry.links is None:
            return _Sentence(entry, tree, source, source_tokens, target_tokens)
        try:
            links = parse_pharaoh(entry.links)
            check_links(links, len(source_tokens), len(target_tokens))
        except InputError as error:
            return Fault(self._task.links_file, entry.line, "links", str(error))
        return _Sentence(entry, tree, source, source_tokens, target_tokens, links)

    def _parsed(self, block: str) -> tuple[tuple[str, ...], str | None, Tree | None]:
        """Words and text of a parse, and its tree if there can be a lexical hit in it."""
        if self._find_lexical is None or (self._needles and not any(map(block.__contains__, self._needles))):
            return *parse_outline(block), None
        tree = parse_block(block)
        return tuple(map(_FORM, tree.tokens)), tree.text, tree

    def _aligned(self, sentences: Iterator[_Sentence]) -> Iterable[_Sentence]:
        """The aligner takes a chunk at once; without one, sentences pass through one by one."""
        if self._aligner is None:
            return sentences
        every = list(sentences)
        links = self._aligner.align([each.source_tokens for each in every], [each.target_tokens for each in every])
        return [sentence._replace(links=each) for sentence, each in zip(every, links, strict=True)]

    def _rows(self, sentence: _Sentence) -> Iterator[LddRow]:
        alignment = None if sentence.links is None else format_pharaoh(sentence.links)
        for phenomenon, hits in self._hits(sentence):
            if self._released and is_reordering(phenomenon):
                yield self._row(_split_at_spaces(sentence), phenomenon, hits, None)
            else:
                yield self._row(sentence, phenomenon, hits, alignment)
        if self._plan.baseline:
            yield self._row(sentence, BASELINE, (), alignment)

    def _hits(self, sentence: _Sentence) -> Iterator[tuple[str, tuple[Hit, ...]]]:
        if self._find_lexical is not None and sentence.tree is not None:
            minimum = self._plan.min_distance or 0
            found = self._find_lexical(sentence.tree)
            for name in self._plan.lexical:
                if hits := tuple(hit for hit in found.get(name, ()) if hit.distance >= minimum):
                    yield name, hits
        for name in self._plan.reordering:
            if hits := tuple(self._reordering(sentence, name)):
                yield name, hits

    def _reordering(self, sentence: _Sentence, name: str) -> Sequence[Hit]:
        minimum = self._plan.min_distance
        if self._released:
            # The release takes distances above its bound; a requested minimum is included.
            above = None if minimum is None else max(minimum - 1, 0)
            return released_reordering_hits(sentence.source, sentence.entry.target or "", above)
        if sentence.links is None:
            return ()
        least = REORDERING_MINIMUM if minimum is None else minimum
        return reordering_hits(sentence.links, sentence.source_tokens, sentence.target_tokens, name, least)

    def _row(self, sentence: _Sentence, phenomenon: str, hits: tuple[Hit, ...], alignment: str | None) -> LddRow:
        entry, farthest = sentence.entry, max((hit.distance for hit in hits), default=None)
        texts = sentence.source, entry.target, sentence.source_tokens, sentence.target_tokens
        # The id is not the parse's sent_id, which can occur twice in a file.
        return LddRow(str(entry.line), entry.line, *texts, phenomenon, hits, farthest, alignment, self._plan.corpus)


def _split_at_spaces(sentence: _Sentence) -> _Sentence:
    """The sentence with the words that the release's reordering counts, which are not those of a parse."""
    source, target = sentence.source.split(), (sentence.entry.target or "").split()
    return sentence._replace(source_tokens=tuple(source), target_tokens=tuple(target))


def _out_of_step(text: str | None, source: str | None) -> bool:
    """Whether a parse that states its text belongs to another sentence; white space does not count."""
    if source is None or text is None or text == source:
        return False
    return "".join(text.split()) != "".join(source.split())
