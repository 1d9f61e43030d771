"""Says how sets were made: the record for manifest and card, from the objects that ran."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from dibimt_metric.signature import make_signature

from ..parsing.parsers import load_parser
from ..phenomena.labels import LABELS_VERSION
from .journal import Journal
from .manifest import Extraction
from .plan import Plan

if TYPE_CHECKING:
    from .extract import Inputs


def describe(inputs: Inputs, plan: Plan, journal: Journal, license: str) -> Extraction:
    """The record of a finished extraction.

    Args:
        inputs: as they were given.
        plan: with the aligner that was used.
        journal: of the extraction.
        license: of the texts, as the user states it.
    """
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
        return load_parser(
            inputs.parser, plan.source_language, inputs.pretokenized, inputs.parser_folder
        ).name
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
    """One line with every choice that can change the sets."""
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
