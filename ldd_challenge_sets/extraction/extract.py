"""The whole way from a parallel corpus to a folder of challenge sets.

Stages, each of which an interrupted run finds again: parse the source side (unless parses are given); train an aligner
on the corpus (unless links or an aligner are given, or nothing needs them); extract; publish into the folder.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dibimt_common.progress import Progress, silent
from dibimt_metric.errors import InputError
from dibimt_metric.version import VERSION

from ..corpus.faults import strict
from ..corpus.files import digest
from ..parsing.numbering import read_line_numbers
from .chunks import CHUNK_SIZE, Entry, chunked, pair_entries, parse_entries, with_links, with_parses
from .describe import describe
from .engine import Task, run_chunks
from .folder import ALIGNER, EXTRACT, PARSE, SetFolder
from .journal import Journal
from .manifest import Extraction
from .plan import Plan
from .tasks import PARSES, ExtractTask, ParseTask

if TYPE_CHECKING:
    from ..corpus.base import Corpus


@dataclass(frozen=True, slots=True)
class Inputs:
    """Where the material comes from.

    Attributes:
        corpus: the pairs; ``None``: the parses are all there is.
        conllu: parses of the source side. parser: what makes them instead, see `load_parser`. Neither: the sides are
            split into words only, which is enough for reordering.
        parser_folder: of the parser's models. pretokenized: whether blanks separate the words of the source.
        by_sent_id: whether the ``sent_id`` of a parse is its corpus line; else they are in order, one for every line.
        document_size: lines after which the released Books parses begin to count their ``sent_id`` anew.
        alignment: links in Pharaoh format, a line for every pair. An aligner is named in the plan.
    """

    corpus: Corpus | None = None
    conllu: str | None = None
    parser: str | None = None
    parser_folder: str | None = None
    pretokenized: bool = False
    by_sent_id: bool = False
    document_size: int | None = None
    alignment: str | None = None

    def __post_init__(self) -> None:
        """Refuse what goes not together."""
        if self.corpus is None and self.conllu is None:
            raise InputError("there is nothing to read; give a parallel corpus, or parses")
        if self.conllu is not None and self.parser is not None:
            raise InputError("both parses and a parser are given; give one of them")


def extract(
    inputs: Inputs,
    plan: Plan,
    out: Path | str,
    *,
    workers: int | None = 1,
    engine: str = "local",
    force: bool = False,
    restart: bool = False,
    license: str = "unknown",
    title: str | None = None,
    progress: Progress[Any] = silent,
) -> Extraction:
    """Extract the challenge sets of one language pair into a folder.

    The folder gets ``<pair>-<phenomenon>.jsonl`` for each configuration, ``extraction.json``, a card, the parses and
    the aligner where they were made. Memory does not grow with the corpus, but for the training of an aligner. After
    an interruption the same call goes on where it stopped. The files do not depend on workers and engine.

    Args:
        inputs: corpus, parses, links.
        plan: what to extract.
        out: the folder.
        workers: see `run_chunks`.
        engine: see `run_chunks`.
        force: replace finished sets of this pair.
        restart: drop the work of an interrupted run instead of going on with it.
        license: of the texts, for the card.
        title: of the data set; ``None``: made from the name of the corpus.
        progress: shows how far a stage is.

    Returns:
        What was made, as in ``extraction.json``.

    Raises:
        InputError: anything about inputs, choices or folder; names file and line.
        MissingLibraryError: parser, aligner or engine is not installed.
    """
    folder = SetFolder(Path(out), plan.pair, force)
    run = _Run(inputs, plan, folder, workers, engine, progress)
    if inputs.corpus is not None and not plan.skip_bad:
        _refuse_faults(inputs.corpus, thorough=inputs.parser is not None or run.trains)
    with folder.locked():
        folder.prepare(run.fingerprint, restart)
        extraction = folder.finished() or run.work_through(license)
        folder.publish(extraction, title or f"Long-distance dependencies in {plan.corpus}")
    return extraction


def _refuse_faults(corpus: Corpus, thorough: bool) -> None:
    """Find bad lines before the work; all of them where that is long (parsing, training), else by line counts."""
    for fault in corpus.check():
        raise InputError(f"{fault}; or skip and count such lines with --skip-bad")
    if thorough:
        for _ in strict(corpus.read()):
            pass


def entries_of(inputs: Inputs) -> Iterator[Entry]:
    """All inputs side by side, in the order of the corpus.

    Raises:
        InputError: they do not go together.
    """
    lines = None
    if inputs.conllu is not None and inputs.by_sent_id:
        lines = read_line_numbers(inputs.conllu, inputs.document_size)
    if inputs.corpus is None:
        entries = parse_entries(inputs.conllu or "", lines)
    else:
        entries = pair_entries(inputs.corpus)
        if inputs.conllu is not None:
            entries = with_parses(entries, inputs.conllu, lines)
    return entries if inputs.alignment is None else with_links(entries, inputs.alignment)


class _Run:
    """One run over the stages; what it has done stands in the folder."""

    def __init__(
        self,
        inputs: Inputs,
        plan: Plan,
        folder: SetFolder,
        workers: int | None,
        engine: str,
        progress: Progress[Any],
    ) -> None:
        self._inputs, self._plan, self._folder = inputs, plan, folder
        self._workers, self._engine, self._progress = workers, engine, progress
        self.fingerprint = _fingerprint(inputs, plan)

    @property
    def trains(self) -> bool:
        """Whether an aligner has to be trained on the corpus: links are needed and none are given."""
        plan = self._plan
        return plan.needs_links and plan.aligner is None and self._inputs.alignment is None

    def work_through(self, license: str) -> Extraction:
        """All stages; the last act says that only publishing is left."""
        inputs = self.parsed()
        extraction = self.extracted(inputs, self.with_aligner(inputs), license)
        self._folder.finish(extraction)
        return extraction

    def parsed(self) -> Inputs:
        """The inputs with parses in place of a parser."""
        inputs = self._inputs
        if inputs.parser is None:
            return inputs
        task = ParseTask(
            inputs.parser,
            self._plan.source_language,
            inputs.parser_folder,
            inputs.pretokenized,
            self._plan.skip_bad,
        )
        with self._journal(PARSE, (PARSES,)) as journal:
            self._work(task, entries_of(replace(inputs, parser=None)), journal, "parse")
        return replace(inputs, parser=None, conllu=str(journal.path(PARSES)), by_sent_id=True)

    def with_aligner(self, inputs: Inputs) -> Plan:
        """The plan with an aligner, see `trains`."""
        plan = self._plan
        if not self.trains:
            return plan
        from .training import train_on

        folder = self._folder.work / ALIGNER
        if not folder.exists():  # it is saved as a whole, or not at all
            train_on(
                entries_of(inputs),
                folder,
                plan.source_tokens,
                plan.target_tokens,
                plan.symmetrization,
                skip_bad=plan.skip_bad,
                progress=self._progress,
            )
        return replace(plan, aligner=str(folder))

    def extracted(self, inputs: Inputs, plan: Plan, license: str) -> Extraction:
        """Work on all chunks; what was made. The finished files stand in the work folder."""
        task = ExtractTask(plan, inputs.conllu or "parses", inputs.alignment or "alignment")
        with self._journal(EXTRACT, plan.configurations) as journal:
            self._work(task, entries_of(inputs), journal, "extract")
        _refuse_nothing(journal)
        return describe(self._inputs, plan, journal, license)

    def _journal(self, stage: str, outputs: tuple[str, ...]) -> Journal:
        return Journal(self._folder.work / stage, self.fingerprint, outputs)

    def _work(self, task: Task, entries: Iterator[Entry], journal: Journal, label: str) -> None:
        chunks = (chunk for chunk in chunked(entries) if chunk.number >= journal.done)
        steps = self._steps(journal.done)
        # Starting processes takes longer than a chunk or two.
        few = self._workers is None and self._engine == "local" and steps is not None and steps <= 2
        results = run_chunks(task, chunks, 1 if few else self._workers, self._engine)
        for result in self._progress(steps, label)(results):
            journal.add(result)

    def _steps(self, done: int) -> int | None:
        count = self._inputs.corpus.count() if self._inputs.corpus is not None else None
        return None if count is None else max(0, -(-count // CHUNK_SIZE) - done)


def _refuse_nothing(journal: Journal) -> None:
    if not journal.pairs:
        raise InputError("the corpus is empty; there is nothing to extract")
    if sum(journal.faults.counts.values()) == journal.pairs:
        raise InputError(f"none of {journal.pairs} pairs can be used:\n{journal.faults.summary()}")


def _fingerprint(inputs: Inputs, plan: Plan) -> str:
    """Names inputs and choices, so that no run goes on with the work of another."""
    files = [path for path in (inputs.conllu, inputs.alignment) if path is not None]
    record = {
        "version": VERSION,
        "corpus": inputs.corpus.fingerprint() if inputs.corpus is not None else None,
        "files": digest((), files),
        "parser": [inputs.parser, inputs.parser_folder, inputs.pretokenized],
        "match": [inputs.by_sent_id, inputs.document_size],
        "plan": asdict(plan),
    }
    return hashlib.sha256(json.dumps(record).encode("ascii")).hexdigest()
