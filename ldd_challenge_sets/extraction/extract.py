"""From a parallel corpus to a folder of challenge sets.

Stages, which an interrupted run does not repeat: parse the source side (unless parses are given); train an aligner
on the corpus (unless links or an aligner are given, or nothing needs them); extract; publish into the folder.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from dibimt_common.progress import Progress, silent
from dibimt_metric.errors import InputError
from dibimt_metric.signature import make_signature
from dibimt_metric.version import VERSION

from ..corpus.base import Corpus, strict
from ..corpus.files import digest
from ..parsing.parsers import load_parser
from ..phenomena.labels import LABELS_VERSION
from .engine import Task, run_chunks
from .folder import ALIGNER, EXTRACT, PARSE, SetFolder
from .inputs import CHUNK_SIZE, Entry, Inputs, chunked, entries_of
from .journal import Journal
from .manifest import Extraction
from .plan import Plan
from .tasks import PARSES, ExtractTask, ParseTask


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
    the aligner if they were made. Memory does not grow with the corpus, except in the training of an aligner. After an
    interruption the same call continues where it stopped. The files do not depend on workers and engine.

    Args:
        inputs: corpus, parses, links.
        plan: what to extract.
        out: the folder.
        workers: see `run_chunks`.
        engine: see `run_chunks`.
        force: replace finished sets of this pair.
        restart: drop the work of an interrupted run instead of continuing it.
        license: of the texts, for the card.
        title: of the data set; ``None``: derived from the name of the corpus.
        progress: shows how far a stage is.

    Raises:
        InputError: anything about inputs, choices or folder; names file and line.
    """
    folder = SetFolder(Path(out), plan.pair, force)
    run = _Run(inputs, plan, folder, workers, engine, progress)
    if inputs.corpus is not None and not plan.skip_bad:
        _reject_faults(inputs.corpus, thorough=inputs.parser is not None or run.trains)
    with folder.locked():
        folder.prepare(run.fingerprint, restart)
        extraction = folder.finished() or run.work_through(license)
        folder.publish(extraction, title or f"Long-distance dependencies in {plan.corpus}")
    return extraction


def _reject_faults(corpus: Corpus, thorough: bool) -> None:
    """Find bad lines before the work: thorough (before long work) by reading all, else by the line counts."""
    for fault in corpus.check():
        raise InputError(f"{fault}; or skip and count these lines with --skip-bad")
    if thorough:
        for _ in strict(corpus.read()):
            pass


@dataclass(frozen=True)
class _Run:
    """One run over the stages; the folder records what is done."""

    inputs: Inputs
    plan: Plan
    folder: SetFolder
    workers: int | None
    engine: str
    progress: Progress[Any]

    @cached_property
    def fingerprint(self) -> str:
        return _fingerprint(self.inputs, self.plan)

    @property
    def trains(self) -> bool:
        """Whether an aligner has to be trained on the corpus: links are needed and none are given."""
        plan = self.plan
        return plan.needs_links and plan.aligner is None and self.inputs.alignment is None

    def work_through(self, license: str) -> Extraction:
        """All stages; at the end only publishing is left."""
        inputs = self.parsed()
        extraction = self.extracted(inputs, self.with_aligner(inputs), license)
        self.folder.finish(extraction)
        return extraction

    def parsed(self) -> Inputs:
        """The inputs with parses in place of a parser."""
        inputs = self.inputs
        if inputs.parser is None:
            return inputs
        language, skip_bad = self.plan.source_language, self.plan.skip_bad
        task = ParseTask(inputs.parser, language, inputs.parser_folder, inputs.pretokenized, skip_bad)
        with self._journal(PARSE, (PARSES,)) as journal:
            self._work(task, entries_of(replace(inputs, parser=None)), journal, "parse")
        return replace(inputs, parser=None, conllu=str(journal.path(PARSES)), by_sent_id=True)

    def with_aligner(self, inputs: Inputs) -> Plan:
        """The plan with an aligner, see `trains`."""
        plan = self.plan
        if not self.trains:
            return plan
        from .training import train_on

        folder = self.folder.work / ALIGNER
        if not folder.exists():  # it is saved whole or not at all
            words = plan.source_tokens, plan.target_tokens, plan.symmetrization
            train_on(entries_of(inputs), folder, *words, skip_bad=plan.skip_bad, progress=self.progress)
        return replace(plan, aligner=str(folder))

    def extracted(self, inputs: Inputs, plan: Plan, license: str) -> Extraction:
        """Work on all chunks; the finished files are in the work folder."""
        task = ExtractTask(plan, inputs.conllu or "parses", inputs.alignment or "alignment")
        with self._journal(EXTRACT, plan.configurations) as journal:
            self._work(task, entries_of(inputs), journal, "extract")
        _reject_nothing(journal)
        return _describe(self.inputs, plan, journal, license)

    def _journal(self, stage: str, outputs: tuple[str, ...]) -> Journal:
        return Journal(self.folder.work / stage, self.fingerprint, outputs)

    def _work(self, task: Task, entries: Iterator[Entry], journal: Journal, label: str) -> None:
        chunks = (chunk for chunk in chunked(entries) if chunk.number >= journal.done)
        steps = self._steps(journal.done)
        # Starting processes takes longer than a chunk or two.
        few = self.workers is None and self.engine == "local" and steps is not None and steps <= 2
        results = run_chunks(task, chunks, 1 if few else self.workers, self.engine)
        for result in self.progress(steps, label)(results):
            journal.add(result)

    def _steps(self, done: int) -> int | None:
        count = self.inputs.corpus.count() if self.inputs.corpus is not None else None
        return None if count is None else max(0, -(-count // CHUNK_SIZE) - done)


def _reject_nothing(journal: Journal) -> None:
    if not journal.pairs:
        raise InputError("the corpus is empty; there is nothing to extract")
    if sum(journal.faults.counts.values()) == journal.pairs:
        raise InputError(f"none of {journal.pairs} pairs can be used:\n{journal.faults.summary()}")


def _fingerprint(inputs: Inputs, plan: Plan) -> str:
    """Identifies inputs and choices, so that no run continues the work of another."""
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


def _describe(inputs: Inputs, plan: Plan, journal: Journal, license: str) -> Extraction:
    """The record of a finished extraction, from the objects that ran; plan: with the aligner that was used."""
    parser, aligner = _parser_name(inputs, plan), _aligner_name(inputs, plan)
    return Extraction(
        pair=plan.pair,
        corpus=plan.corpus,
        license=license,
        pairs=journal.pairs,
        lines=journal.lines,
        definition=plan.definition.value,
        min_distance=plan.min_distance,
        include_root=plan.include_root,
        parser=parser,
        aligner=aligner,
        tokens=(plan.source_tokens, plan.target_tokens),
        configurations=dict(journal.totals),
        skipped=dict(journal.faults.counts),
        skipped_places=tuple(str(fault) for first in journal.faults.first.values() for fault in first),
        signature=_signature(plan, parser, aligner),
    )


def _parser_name(inputs: Inputs, plan: Plan) -> str | None:
    if inputs.parser is not None:
        return load_parser(inputs.parser, plan.source_language, inputs.pretokenized, inputs.parser_folder).name
    return None if inputs.conllu is None else f"given:{Path(inputs.conllu).name}"


def _aligner_name(inputs: Inputs, plan: Plan) -> str | None:
    if not plan.reordering:
        return None
    if not plan.needs_links:
        return "diagonal prior, as in the release"
    if inputs.alignment is not None:
        return f"given:{Path(inputs.alignment).name}"
    if plan.aligner is None:
        return None
    from ..alignment.aligner import load_aligner

    return load_aligner(plan.aligner, symmetrization=plan.symmetrization).name


def _signature(plan: Plan, parser: str | None, aligner: str | None) -> str:
    """Every choice that can change the sets."""
    values = {
        "task": "ldd-extract",
        "pair": plan.pair,
        "corpus": plan.corpus,
        "definition": plan.definition.value,
        "labels": LABELS_VERSION,
        "phenomena": ",".join(plan.phenomena) or "none",
        "min": "default" if plan.min_distance is None else str(plan.min_distance),
        "root": "default" if plan.include_root is None else ("yes" if plan.include_root else "no"),
        "parser": parser or "none",
        "aligner": aligner or "none",
        "tokens": f"{plan.source_tokens},{plan.target_tokens}",
    }
    return str(make_signature(values))
