"""Options of the ``ldd`` commands for a parallel corpus and its tokenization, and the objects made from them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ldd_challenge_sets.corpus.base import Corpus
    from ldd_challenge_sets.extraction.inputs import Entry


def add_corpus_options(parser: argparse.ArgumentParser) -> None:
    """``--source`` and ``--target``, ``--tsv``, ``--tmx``, ``--dataset``."""
    group = parser.add_argument_group("corpus, one of")
    group.add_argument("--source", metavar="FILE", help="source side, one sentence per line, plain or .gz")
    group.add_argument("--target", metavar="FILE", help="target side, parallel to the source")
    group.add_argument("--tsv", metavar="FILE", help="one pair per line, columns separated by tabs")
    group.add_argument(
        "--columns",
        metavar="SRC,TGT",
        help="columns of --tsv: 1-based numbers, or names in its first line (default: 1,2)",
    )
    group.add_argument("--header", action="store_true", help="the first line of --tsv contains column names")
    group.add_argument("--tmx", metavar="FILE", help="translation memory with the languages of --pair")
    group.add_argument("--dataset", metavar="NAME|DIR", help="a data set of `datasets` with a column 'translation'")
    group.add_argument("--dataset-config", metavar="NAME", help="configuration of --dataset")
    group.add_argument("--split", metavar="NAME", help="split of --dataset (default: train)")


def add_token_options(group: argparse._ActionsContainer) -> None:
    """``--source-tokens``, ``--target-tokens`` and ``--symmetrization``."""
    for side in ("source", "target"):
        group.add_argument(
            f"--{side}-tokens",
            metavar="13a|whitespace|udpipe:MODEL",
            help=f"tokenizer of the {side} if it is not parsed (default: 13a; whitespace with --pretokenized)",
        )
    group.add_argument(
        "--symmetrization",
        metavar="NAME",
        help="how both directions are combined (default: grow-diag-final-and, or that of the saved aligner)",
    )


def add_aligned_corpus_options(parser: argparse.ArgumentParser, skipping: str) -> None:
    """The corpus options of both ``dibimt ldd align`` commands, with parses and ``--skip-bad``.

    Args:
        parser: of the command.
        skipping: its action for unusable pairs.
    """
    parser.add_argument("--pair", required=True, metavar="SRC-TGT", help="languages, such as de-en")
    add_corpus_options(parser)
    parser.add_argument("--conllu", metavar="FILE", help="parses of the source; their words are aligned")
    add_token_options(parser)
    parser.add_argument("--skip-bad", action="store_true", help=f"{skipping}, instead of stopping")


def open_from(args: argparse.Namespace) -> Corpus | None:
    """The corpus that the options name; ``None`` if they do not name one.

    Raises:
        InputError: they name more than one, or an unusable one.
    """
    from dibimt_metric.errors import InputError

    given = [name for name in ("source", "tsv", "tmx", "dataset") if getattr(args, name) is not None]
    if len(given) > 1:
        raise InputError(f"more than one corpus: --{', --'.join(given)}; give one")
    if args.target is not None and args.source is None:
        raise InputError("--target needs --source")
    owners = {"columns": "tsv", "header": "tsv", "dataset_config": "dataset", "split": "dataset"}
    for option, owner in owners.items():
        if getattr(args, option) and getattr(args, owner) is None:
            raise InputError(f"--{option.replace('_', '-')} needs --{owner}; omit it")
    return _open(args, given[0]) if given else None


def _open(args: argparse.Namespace, kind: str) -> Corpus:
    from ldd_challenge_sets.corpus import opening
    from ldd_challenge_sets.records import split_pair

    source, target = split_pair(args.pair)
    if kind == "source":
        return opening.open_corpus(args.source, args.target)
    if kind == "tsv":
        return opening.open_tsv(args.tsv, *_columns(args.columns or "1,2"), header=args.header)
    if kind == "tmx":
        return opening.open_tmx(args.tmx, source, target)
    return opening.open_dataset(args.dataset, args.dataset_config, args.split or "train", (source, target))


def _columns(text: str) -> tuple[int | str, int | str]:
    from dibimt_metric.errors import InputError

    columns = [int(name) if name.isascii() and name.isdigit() else name for name in text.split(",")]
    if len(columns) != 2:
        raise InputError(f"--columns takes two columns such as 1,2 or de,en, not {text!r}")
    return columns[0], columns[1]


def token_names(args: argparse.Namespace, pretokenized: bool) -> dict[str, str]:
    """The tokenizers of both sides, as arguments of `Plan`."""
    default = "whitespace" if pretokenized else "13a"
    return {f"{side}_tokens": getattr(args, f"{side}_tokens") or default for side in ("source", "target")}


def required_entries(args: argparse.Namespace) -> Iterator[Entry]:
    """The pairs of the corpus, with parses if ``--conllu`` is given.

    Raises:
        InputError: there is no corpus, or it lacks the target side.
    """
    from dibimt_metric.errors import InputError
    from ldd_challenge_sets.extraction.inputs import Inputs, entries_of

    corpus = open_from(args)
    if corpus is None or (args.source is not None and args.target is None):
        raise InputError("an aligner needs both sides; give --source and --target, --tsv, --tmx or --dataset")
    return entries_of(Inputs(corpus=corpus, conllu=args.conllu))
