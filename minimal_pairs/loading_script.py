"""Loading script of converted BLiMP for ``datasets`` 2.x and 3.x; later releases run no scripts and need none.

When a converted folder is published, this file is alone on the branch ``script``, named like the repository::

    load_dataset("USER/blimp", "wh_island", revision="script", trust_remote_code=True)

It reads the same JSONL files as the card on ``main``, which every release of ``datasets`` reads without it: those of
``data_dir`` if given (a folder that ``dibimt blimp convert`` wrote), else those next to itself, else those of its
repository, at the newest commit of ``main``; for another revision, load by the card. In this folder it must not have
the name of the folder, which would make ``datasets`` run it. It imports nothing from this project, so that it can be
used alone.

As a class of the installed package it works with all releases::

    from minimal_pairs.loading_script import Blimp

    builder = Blimp(config_name="wh_island", data_dir="DIR")  # or repo_id="USER/blimp"
    builder.download_and_prepare()
    pairs = builder.as_dataset(split="train")
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import datasets
import huggingface_hub

PARADIGMS = {
    "anaphor_agreement": "anaphor_gender_agreement anaphor_number_agreement",
    "argument_structure": "animate_subject_passive animate_subject_trans causative drop_argument inchoative "
    "intransitive passive_1 passive_2 transitive",
    "binding": "principle_A_c_command principle_A_case_1 principle_A_case_2 principle_A_domain_1 principle_A_domain_2 "
    "principle_A_domain_3 principle_A_reconstruction",
    "control_raising": "existential_there_object_raising existential_there_subject_raising expletive_it_object_raising "
    "tough_vs_raising_1 tough_vs_raising_2",
    "determiner_noun_agreement": "determiner_noun_agreement_1 determiner_noun_agreement_2 "
    "determiner_noun_agreement_irregular_1 determiner_noun_agreement_irregular_2 determiner_noun_agreement_with_adj_2 "
    "determiner_noun_agreement_with_adj_irregular_1 determiner_noun_agreement_with_adj_irregular_2 "
    "determiner_noun_agreement_with_adjective_1",
    "ellipsis": "ellipsis_n_bar_1 ellipsis_n_bar_2",
    "filler_gap_dependency": "wh_questions_object_gap wh_questions_subject_gap wh_questions_subject_gap_long_distance "
    "wh_vs_that_no_gap wh_vs_that_no_gap_long_distance wh_vs_that_with_gap wh_vs_that_with_gap_long_distance",
    "irregular_forms": "irregular_past_participle_adjectives irregular_past_participle_verbs",
    "island_effects": "adjunct_island complex_NP_island coordinate_structure_constraint_complex_left_branch "
    "coordinate_structure_constraint_object_extraction left_branch_island_echo_question "
    "left_branch_island_simple_question sentential_subject_island wh_island",
    "npi_licensing": "matrix_question_npi_licensor_present npi_present_1 npi_present_2 only_npi_licensor_present "
    "only_npi_scope sentential_negation_npi_licensor_present sentential_negation_npi_scope",
    "quantifiers": "existential_there_quantifiers_1 existential_there_quantifiers_2 superlative_quantifiers_1 "
    "superlative_quantifiers_2",
    "subject_verb_agreement": "distractor_agreement_relational_noun distractor_agreement_relative_clause "
    "irregular_plural_subject_verb_agreement_1 irregular_plural_subject_verb_agreement_2 "
    "regular_plural_subject_verb_agreement_1 regular_plural_subject_verb_agreement_2",
}
FILES = {
    phenomenon: tuple(f"{phenomenon}/{name}.jsonl" for name in names.split()) for phenomenon, names in PARADIGMS.items()
}
CONFIGURATIONS = {
    "all": tuple(file for files in FILES.values() for file in files),
    **FILES,
    **{Path(file).stem: (file,) for files in FILES.values() for file in files},
}
VARIANTS = {"": "data", "-corrected": "corrected"}
_TYPES = {
    **dict.fromkeys(("simple_LM_method", "one_prefix_method", "two_prefix_method", "lexically_identical"), "bool"),
    **dict.fromkeys(("pair_id", "dependency_length"), "int32"),
}
FEATURES = {
    name: datasets.Value(_TYPES.get(name, "string"))
    for name in "sentence_good sentence_bad field linguistics_term UID simple_LM_method one_prefix_method "
    "two_prefix_method lexically_identical pair_id pairID one_prefix_prefix one_prefix_word_good one_prefix_word_bad "
    "two_prefix_prefix_good two_prefix_prefix_bad two_prefix_word dependency_length crucial_item phenomenon "
    "paradigm".split()
} | {"issues": [datasets.Value("string")]}
DESCRIPTION = "BLiMP (Warstadt et al., TACL 2020) in one schema, with all fields of the release and its faults marked."
INSTRUCTIONS = """\
{file} is not in {folder}. Give the folder of the converted data yourself:
1. make it with 'dibimt blimp convert --source DIR_OR_ZIP --out DIR', from github.com/alexwarstadt/blimp, folder data/;
2. load it with data_dir="DIR"; or omit this script: load_dataset("DIR", "{name}") reads a converted folder."""
UNREACHABLE = """\
{repository}, branch main, cannot be read: {error}
Check the name, the connection and (for a private repository) the token; or give the folder of the converted data with
data_dir="DIR"."""


def files_of(name: str) -> tuple[str, ...]:
    """The files of a configuration, as paths in the repository."""
    base = name.removesuffix("-corrected")
    return tuple(f"{VARIANTS[name.removeprefix(base)]}/{file}" for file in CONFIGURATIONS[base])


def places_of(folder: Path, file: str) -> tuple[Path, ...]:
    """Where a file may be in a folder: as in the repository, or by itself."""
    return (folder / file,)


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
            repository,
            "README.md",
            repo_type="dataset",
            revision="main",
            token=token,
            local_files_only=offline,
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


class Blimp(datasets.GeneratorBasedBuilder):  # type: ignore[misc]
    """``all``, the 12 phenomena and the 67 paradigms, each also as ``<name>-corrected``; the split is ``train``."""

    BUILDER_CONFIGS = [
        datasets.BuilderConfig(name=name + suffix, version=datasets.Version("1.0.0"))
        for suffix in VARIANTS
        for name in CONFIGURATIONS
    ]
    DEFAULT_CONFIG_NAME = "all"
    SPLIT = datasets.Split.TRAIN

    def __init__(self, *, hash: str | None = None, **options: Any) -> None:
        """Takes what every builder takes, by name.

        ``datasets`` names its prepared files after the script and the path of the data, so that it would continue to
        serve outdated data, and 3.x fails on the files of 4 and later. Here the content of the files, or the commit at
        which they are read, and the release of ``datasets`` are part of the name.
        """
        name = options.get("config_name") or self.DEFAULT_CONFIG_NAME
        # An unknown name is rejected below, with a list of the known ones.
        self._paths, state = located(name, options) if name in self.builder_configs else ([], "")
        options.setdefault("dataset_name", "blimp")
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
