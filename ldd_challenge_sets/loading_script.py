"""Loading script of LDD challenge sets for ``datasets`` 2.x and 3.x; later releases run no scripts and need none.

When the data set is published, this file stands alone on the branch ``script``, named like the repository::

    load_dataset("USER/ldd_challenge_sets", "de-en-particle", revision="script", trust_remote_code=True)

It reads the same JSONL files as the card on ``main``, which every release of ``datasets`` reads without it: those of
``data_dir`` where that is given (a folder that ``dibimt ldd extract`` wrote), else those in ``data/`` beside itself,
else those of its repository, branch ``main``. In this folder it must not have the name of the folder, which would make
``datasets`` run it. It imports nothing of this project, so that it can stand alone.

As a class of the installed package it works in all releases::

    from ldd_challenge_sets.loading_script import LddChallengeSets

    builder = LddChallengeSets(config_name="de-en-particle", hash="1")
    builder.download_and_prepare()
    rows = builder.as_dataset(split="test")
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import datasets

PHENOMENA = {
    "de-en": ("particle", "reflexive"),
    "en-de": ("particle", "reflexive", "preposition_stranding", "preposition_stranding_extended"),
}
FOR_ALL = ("reordering", "reordering_normalised", "reordering_crossing", "baseline")
HIT = {
    "dependent": datasets.Value("int64"),
    "head": datasets.Value("int64"),
    "dependent_form": datasets.Value("string"),
    "head_form": datasets.Value("string"),
    "distance": datasets.Value("int64"),
}
FEATURES = {
    "id": datasets.Value("string"),
    "line": datasets.Value("int64"),
    "source": datasets.Value("string"),
    "target": datasets.Value("string"),
    "source_tokens": [datasets.Value("string")],
    "target_tokens": [datasets.Value("string")],
    "phenomenon": datasets.Value("string"),
    "hits": [HIT],
    "max_distance": datasets.Value("int64"),
    "alignment": datasets.Value("string"),
    "corpus": datasets.Value("string"),
}
DESCRIPTION = (
    "Sentence pairs with long-distance dependencies, by the method of Choshen and Abend (CoNLL 2019)."
)
INSTRUCTIONS = """\
{file} is not in {folder}. Give the folder of the challenge sets yourself:
1. make them with 'dibimt ldd extract --pair {pair} --source SOURCE --target TARGET ... --out DIR', or take the folder
   data/ of the published sample;
2. load them with data_dir="DIR"; or leave out this script: load_dataset("DIR", "{name}") reads an extracted folder."""


class LddChallengeSets(datasets.GeneratorBasedBuilder):  # type: ignore[misc]
    """One configuration for each pair and phenomenon, and the whole corpus as ``baseline``; the split is ``test``."""

    BUILDER_CONFIGS = [
        datasets.BuilderConfig(name=f"{pair}-{phenomenon}", version=datasets.Version("1.0.0"))
        for pair, phenomena in PHENOMENA.items()
        for phenomenon in (*phenomena, *FOR_ALL)
    ]

    def _info(self) -> datasets.DatasetInfo:
        return datasets.DatasetInfo(description=DESCRIPTION, features=datasets.Features(FEATURES))

    def _split_generators(self, dl_manager: datasets.DownloadManager) -> list[datasets.SplitGenerator]:
        path = self._find(f"{self.config.name}.jsonl", dl_manager)
        return [datasets.SplitGenerator(name=datasets.Split.TEST, gen_kwargs={"path": path})]

    def _find(self, file: str, dl_manager: datasets.DownloadManager) -> str:
        """The file of the configuration, on this machine or downloaded.

        Raises:
            FileNotFoundError: it is nowhere; says what to do, because ``datasets`` 5 shows no
                ``manual_download_instructions``.
        """
        chosen = self.config.data_dir
        # Without a base path this is the class of the installed package.
        folder = (
            Path(chosen).expanduser() if chosen else Path(self.base_path or Path(__file__).parent, "data")
        )
        if (folder / file).is_file():
            return str(folder / file)
        if not chosen and self.repo_id:
            return str(dl_manager.download(f"hf://datasets/{self.repo_id}@main/data/{file}"))
        pair = "-".join(self.config.name.split("-")[:2])
        raise FileNotFoundError(
            INSTRUCTIONS.format(file=file, folder=folder, pair=pair, name=self.config.name)
        )

    def _generate_examples(self, path: str) -> Iterator[tuple[int, dict[str, Any]]]:
        # The built-in is what `datasets` replaces for streaming, where path is an address.
        with open(path, encoding="utf-8") as stream:  # noqa: PTH123
            for number, line in enumerate(stream):
                yield number, json.loads(line)
