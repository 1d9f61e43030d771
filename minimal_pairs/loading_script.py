"""Loading script of converted BLiMP for ``datasets`` 2.x and 3.x; later releases run no scripts and need none.

When a converted folder is published, this file stands alone on the branch ``script``, named like the repository::

    load_dataset("USER/blimp", "wh_island", revision="script", trust_remote_code=True)

It reads the same JSONL files as the card on ``main``, which every release of ``datasets`` reads without it, and looks
for them in ``data_dir`` where that is given (a folder that ``dibimt blimp convert`` wrote), else beside itself, else on
the branch ``main`` of its repository. In this folder it must not have the name of the folder, which would make
``datasets`` run it. It imports nothing of this project, so that it can stand alone.

As a class of the installed package it works in all releases::

    from minimal_pairs.loading_script import Blimp

    builder = Blimp(config_name="wh_island", data_dir="DIR", hash="1")
    builder.download_and_prepare()
    pairs = builder.as_dataset(split="train")
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import datasets

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
    phenomenon: tuple(f"{phenomenon}/{name}.jsonl" for name in names.split())
    for phenomenon, names in PARADIGMS.items()
}
CONFIGURATIONS = {
    "all": tuple(file for files in FILES.values() for file in files),
    **FILES,
    **{Path(file).stem: (file,) for files in FILES.values() for file in files},
}
VARIANTS = {"": "data", "-corrected": "corrected"}
FEATURES = {
    "sentence_good": datasets.Value("string"),
    "sentence_bad": datasets.Value("string"),
    "field": datasets.Value("string"),
    "linguistics_term": datasets.Value("string"),
    "UID": datasets.Value("string"),
    "simple_LM_method": datasets.Value("bool"),
    "one_prefix_method": datasets.Value("bool"),
    "two_prefix_method": datasets.Value("bool"),
    "lexically_identical": datasets.Value("bool"),
    "pair_id": datasets.Value("int32"),
    "pairID": datasets.Value("string"),
    "one_prefix_prefix": datasets.Value("string"),
    "one_prefix_word_good": datasets.Value("string"),
    "one_prefix_word_bad": datasets.Value("string"),
    "two_prefix_prefix_good": datasets.Value("string"),
    "two_prefix_prefix_bad": datasets.Value("string"),
    "two_prefix_word": datasets.Value("string"),
    "dependency_length": datasets.Value("int32"),
    "crucial_item": datasets.Value("string"),
    "phenomenon": datasets.Value("string"),
    "paradigm": datasets.Value("string"),
    "issues": [datasets.Value("string")],
}
DESCRIPTION = (
    "BLiMP (Warstadt et al., TACL 2020) in one schema, with all fields of the release and its faults marked."
)
INSTRUCTIONS = """\
{file} is not in {folder}. Give the folder of the converted data yourself:
1. make it with 'dibimt blimp convert --source DIR_OR_ZIP --out DIR', from github.com/alexwarstadt/blimp, folder data/;
2. load it with data_dir="DIR"; or leave out this script: load_dataset("DIR", "{name}") reads a converted folder."""


class Blimp(datasets.GeneratorBasedBuilder):  # type: ignore[misc]
    """``all``, the 12 phenomena and the 67 paradigms, each also as ``<name>-corrected``; the split is ``train``."""

    BUILDER_CONFIGS = [
        datasets.BuilderConfig(name=name + suffix, version=datasets.Version("1.0.0"))
        for suffix in VARIANTS
        for name in CONFIGURATIONS
    ]
    DEFAULT_CONFIG_NAME = "all"

    def _info(self) -> datasets.DatasetInfo:
        return datasets.DatasetInfo(description=DESCRIPTION, features=datasets.Features(FEATURES))

    def _split_generators(self, dl_manager: datasets.DownloadManager) -> list[datasets.SplitGenerator]:
        name = self.config.name.removesuffix("-corrected")
        variant = VARIANTS[self.config.name.removeprefix(name)]
        paths = [self._find(f"{variant}/{file}", dl_manager) for file in CONFIGURATIONS[name]]
        return [datasets.SplitGenerator(name=datasets.Split.TRAIN, gen_kwargs={"paths": paths})]

    def _find(self, file: str, dl_manager: datasets.DownloadManager) -> str:
        """A file of the configuration, on this machine or downloaded.

        Raises:
            FileNotFoundError: it is nowhere; says what to do, because ``datasets`` 5 shows no
                ``manual_download_instructions``.
        """
        chosen = self.config.data_dir
        # Without a base path this is the class of the installed package, which holds no data.
        folder = Path(chosen).expanduser() if chosen else Path(self.base_path or Path(__file__).parent)
        if (folder / file).is_file():
            return str(folder / file)
        if not chosen and self.repo_id:
            return str(dl_manager.download(f"hf://datasets/{self.repo_id}@main/{file}"))
        raise FileNotFoundError(INSTRUCTIONS.format(file=file, folder=folder, name=self.config.name))

    def _generate_examples(self, paths: list[str]) -> Iterator[tuple[int, dict[str, Any]]]:
        number = 0
        for path in paths:
            # The built-in is what `datasets` replaces for streaming, where path is an address.
            with open(path, encoding="utf-8") as stream:  # noqa: PTH123
                for line in stream:
                    yield number, json.loads(line)
                    number += 1
