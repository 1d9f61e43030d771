"""Loading script of LDD challenge sets for ``datasets`` 2.x and 3.x; later releases run no scripts and need none.

When the data set is published, this file is alone on the branch ``script``, named like the repository::

    load_dataset("USER/ldd-challenge-sets", "de-en-particle", revision="script", trust_remote_code=True)

It reads the same JSONL files as the card on ``main``, which every release of ``datasets`` reads without it: those of
``data_dir`` where that is given (a folder that ``dibimt ldd extract`` wrote, or a copy of the repository), else those
in ``data/`` next to itself, else those of its repository, at the newest commit of ``main``: for another revision, load
by the card. In this folder it must not have the name of the folder, which would make ``datasets`` run
it. It imports nothing of this project, so that it works alone.

As a class of the installed package it works in all releases::

    from ldd_challenge_sets.loading_script import LddChallengeSets

    builder = LddChallengeSets(config_name="de-en-particle")
    builder.download_and_prepare()
    rows = builder.as_dataset(split="test")
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import datasets
import huggingface_hub

PHENOMENA = {
    "de-en": ("particle", "reflexive"),
    "en-de": ("particle", "reflexive", "preposition_stranding", "preposition_stranding_extended"),
}
FOR_ALL = ("reordering", "reordering_normalized", "reordering_crossing", "baseline")
TEXT, NUMBER = datasets.Value("string"), datasets.Value("int64")
HIT = {"dependent": NUMBER, "head": NUMBER, "dependent_form": TEXT, "head_form": TEXT, "distance": NUMBER}
FEATURES = {"id": TEXT, "line": NUMBER, "source": TEXT, "target": TEXT}
FEATURES |= {"source_tokens": [TEXT], "target_tokens": [TEXT], "phenomenon": TEXT}
FEATURES |= {"hits": [HIT], "max_distance": NUMBER, "alignment": TEXT, "corpus": TEXT}
DESCRIPTION = "Sentence pairs with long-distance dependencies, by the method of Choshen and Abend (CoNLL 2019)."
INSTRUCTIONS = """\
{file} is not in {folder}. Give the folder of the challenge sets yourself:
1. make them with 'dibimt ldd extract --pair {name:.5} --source SOURCE --target TARGET ... --out DIR', or take
   the folder data/ of the published sample;
2. load them with data_dir="DIR"; or leave out this script: load_dataset("DIR", "{name}") reads an extracted folder."""
UNREACHABLE = """\
{repository}, branch main, cannot be read: {error}
Check the name, the connection and (for a private repository) the token; or give the folder of the challenge sets with
data_dir="DIR"."""


def files_of(name: str) -> tuple[str, ...]:
    """The files of a configuration, as paths in the repository."""
    return (f"data/{name}.jsonl",)


def places_of(folder: Path, file: str) -> tuple[Path, ...]:
    """Where a file may be in a folder: as in the repository, or by itself."""
    return (folder / file, folder / Path(file).name)


def located(name: str, options: dict[str, Any]) -> tuple[list[str], str]:
    """Where the files of a configuration are, and what distinguishes their state from an earlier one.

    Args:
        name: of the configuration.
        options: of the builder.

    Raises:
        FileNotFoundError: a file does not exist; the message has instructions, because ``datasets`` 5 shows no
            ``manual_download_instructions``.
        ConnectionError: the repository cannot be read.
    """
    chosen, repository = options.get("data_dir"), options.get("repo_id")
    # Without a base path this is the class of the installed package.
    folder = Path(chosen).expanduser() if chosen else Path(options.get("base_path") or Path(__file__).parent)
    state, paths = hashlib.sha256(), []
    for file in files_of(name):
        path = next((place for place in places_of(folder, file) if place.is_file()), None)
        if path is None and repository and not chosen:
            commit = newest_commit(repository, options.get("token"))
            return [f"hf://datasets/{repository}@{commit}/{each}" for each in files_of(name)], commit
        if path is None:
            raise FileNotFoundError(INSTRUCTIONS.format(file=file, folder=folder, name=name))
        state.update(path.read_bytes())
        paths.append(str(path))
    return paths, state.hexdigest()


def newest_commit(repository: str, token: str | bool | None) -> str:
    """The commit at the end of ``main``; without a connection, the last one that was seen on this machine."""
    offline = bool(datasets.config.HF_DATASETS_OFFLINE)
    try:
        card = huggingface_hub.hf_hub_download(
            repository, "README.md", repo_type="dataset", revision="main", token=token, local_files_only=offline
        )
    except OSError as error:
        raise ConnectionError(UNREACHABLE.format(repository=repository, error=error)) from error
    return Path(card).parent.name


def parsed(line: str, where: str) -> dict[str, Any]:
    """The row of a line; a `ValueError` with the place if it is not one."""
    try:
        row: dict[str, Any] = json.loads(line)
    except ValueError as error:
        raise ValueError(f"{where}: not a row in JSON ({error}); the file may be cut off: get it again") from error
    return row


class LddChallengeSets(datasets.GeneratorBasedBuilder):  # type: ignore[misc]
    """One configuration for each pair and phenomenon, and the whole corpus as ``baseline``; the split is ``test``."""

    BUILDER_CONFIGS = [
        datasets.BuilderConfig(name=f"{pair}-{phenomenon}", version=datasets.Version("1.0.0"))
        for pair, phenomena in PHENOMENA.items()
        for phenomenon in (*phenomena, *FOR_ALL)
    ]
    DEFAULT_CONFIG_NAME = "de-en-particle"
    SPLIT = datasets.Split.TEST

    def __init__(self, *, hash: str | None = None, **options: Any) -> None:
        """Takes what every builder takes, by name.

        ``datasets`` names its prepared files after the script and the path of the data, so that it would continue to
        serve outdated data, and 3.x fails on the files of 4 and later. Here the content of the files, or the commit at
        which they are read, and the release of ``datasets`` are part of the name.
        """
        name = options.get("config_name") or self.DEFAULT_CONFIG_NAME
        # An unknown name is rejected below, with a list of the known ones.
        self._paths, state = located(name, options) if name in self.builder_configs else ([], "")
        options.setdefault("dataset_name", "ldd-challenge-sets")
        # Else the card next to this file would state the number of rows for other data.
        options["info"] = options.get("info") or self._info()
        name = f"{hash} {state} {datasets.__version__}"
        super().__init__(hash=hashlib.sha256(name.encode()).hexdigest(), **options)

    def _info(self) -> datasets.DatasetInfo:
        return datasets.DatasetInfo(description=DESCRIPTION, features=datasets.Features(FEATURES))

    def _split_generators(self, dl_manager: datasets.DownloadManager) -> list[datasets.SplitGenerator]:
        paths = dl_manager.download(self._paths)
        return [datasets.SplitGenerator(name=self.SPLIT, gen_kwargs={"paths": paths})]

    def _generate_examples(self, paths: list[str]) -> Iterator[tuple[int, dict[str, Any]]]:
        number = 0
        for path in paths:
            # The built-in is what `datasets` replaces for streaming, where path is an address.
            with open(path, encoding="utf-8") as stream:  # noqa: PTH123
                for place, line in enumerate(stream, start=1):
                    if line.strip():
                        yield number, parsed(line, f"{path}, line {place}")
                        number += 1
